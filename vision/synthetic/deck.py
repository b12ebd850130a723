"""The demonstration deck: faces, back and cut card, drawn by our own code or from photographs.

A card is an image of `TEXTURE` pixels, upright, with its printed white to the very edge; rounded
corners are cut by `corner_mask`.
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN, PACK, Card, Rank, Suit
from vision.layout import CARD_MM
from vision.synthetic.glyphs import Stroke, rank_strokes, suit_outlines

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

FINE: Final = 8
"""Pixels to the millimetre while drawing."""
COARSE: Final = 3
"""Pixels to the millimetre of a finished card, about twice the camera's."""
TEXTURE: Final = (int(CARD_MM[0] * COARSE), int(CARD_MM[1] * COARSE))
"""Width and height of a finished card in pixels."""
CORNER_MM: Final = 3.2
PAPER: Final = (243, 246, 247)
BLACK: Final = (38, 32, 30)
RED: Final = (46, 28, 196)
BLUE: Final = (148, 84, 32)
GOLD: Final = (48, 178, 232)
CUT_YELLOW: Final = (30, 200, 246)

RANK_MM: Final = (6.6, 10.4)
"""Width and height of the index letter: a clear casino print."""
RANK_AT: Final = (6.6, 9.6)
"""Middle of the index letter from the corner of the card."""
STROKE_MM: Final = 1.35
INDEX_PIP_MM: Final = 8.6
INDEX_PIP_AT: Final = (6.8, 20.6)
PIP_MM: Final = 11.6
COURT_PIP_MM: Final = 9.6
COURT_PIP_AT: Final = (18.9, 17.4)
COLUMNS: Final = (19.2, 31.5, 43.8)
TOP, MIDDLE = 15.5, 44.0
THIRD: Final = (MIDDLE - TOP) / 3
SIDES2: Final = (TOP, MIDDLE)
SIDES4: Final = (TOP, TOP + 2 * THIRD)

_L, _C, _R = COLUMNS
_PAIR: Final = [(_L, TOP), (_R, TOP)]
_SIX: Final = [*_PAIR, (_L, MIDDLE), (_R, MIDDLE)]
_EIGHT_SIDES: Final = [(x, y) for x in (_L, _R) for y in SIDES4]
# Places of pips: those in the upper half (also printed upside down below) and those on the middle.
_PIPS: Final[dict[Rank, list[tuple[float, float]]]] = {
    Rank.TWO: [(_C, TOP)],
    Rank.THREE: [(_C, TOP), (_C, MIDDLE)],
    Rank.FOUR: _PAIR,
    Rank.FIVE: [*_PAIR, (_C, MIDDLE)],
    Rank.SIX: _SIX,
    Rank.SEVEN: [*_SIX, (_C, (TOP + MIDDLE) / 2)],
    Rank.EIGHT: [*_SIX, (_C, (TOP + MIDDLE) / 2)],
    Rank.NINE: [*_EIGHT_SIDES, (_C, MIDDLE)],
    Rank.TEN: [*_EIGHT_SIDES, (_C, TOP + THIRD)],
}
SHIFT: Final = 4
"""Fractional bits of the points given to the drawing functions."""


def _fixed(points: Stroke) -> NDArray[np.int32]:
    """Millimetres to the drawing functions' fixed-point pixels."""
    return np.rint(points * FINE * (1 << SHIFT)).astype(np.int32)


def _fill(image: Image, outline: Stroke, colour: Colour) -> None:
    """Fill one closed outline, in millimetres."""
    cv2.fillPoly(image, [_fixed(outline)], colour, cv2.LINE_AA, SHIFT)


def _stroke(image: Image, points: Stroke, width: float, colour: Colour) -> None:
    """Draw one line, in millimetres."""
    pixels = max(1, round(width * FINE))
    cv2.polylines(image, [_fixed(points)], False, colour, pixels, cv2.LINE_AA, SHIFT)  # noqa: FBT003


def _pip(image: Image, suit: Suit, at: tuple[float, float], size: float) -> None:
    """Print one pip with its middle there."""
    for outline in suit_outlines(suit):
        _fill(image, (outline - 0.5) * size + np.asarray(at), _ink(suit))


def _ink(suit: Suit) -> Colour:
    """The colour of a suit."""
    return RED if suit.red else BLACK


def _index(image: Image, card: Card) -> None:
    """Print the letter and the small pip in the upper left corner."""
    wide = 1.34 if card.rank is Rank.TEN else 1.0
    size = np.asarray((RANK_MM[0] * wide, RANK_MM[1]))
    for stroke in rank_strokes(card.rank):
        points = (stroke - 0.5) * size + np.asarray(RANK_AT)
        _stroke(image, points, STROKE_MM, _ink(card.suit))
    _pip(image, card.suit, INDEX_PIP_AT, INDEX_PIP_MM)


def _turned(image: Image) -> Image:
    """The same upside down."""
    return np.ascontiguousarray(image[::-1, ::-1])


def _darker(one: Image, other: Image) -> Image:
    """Both prints on one paper."""
    return np.minimum(one, other)


def _blank() -> Image:
    """Unprinted paper."""
    shape = (int(CARD_MM[1] * FINE), int(CARD_MM[0] * FINE), 3)
    return np.full(shape, PAPER, dtype=np.uint8)


def _number(card: Card) -> Image:
    """A card from two to ten."""
    half = _blank()
    middle = _blank()
    for x, y in _PIPS[card.rank]:
        _pip(middle if y == MIDDLE else half, card.suit, (x, y), PIP_MM)
    _index(half, card)
    other = _turned(half)
    if card.rank is Rank.SEVEN:
        # The seventh pip stands in the upper half only.
        lower = _blank()
        for x, y in _PAIR:
            _pip(lower, card.suit, (x, y), PIP_MM)
        _index(lower, card)
        other = _turned(lower)
    return _darker(_darker(half, other), middle)


def _ace(card: Card) -> Image:
    """An ace: one large pip, ringed on the ace of spades."""
    half = _blank()
    _index(half, card)
    face = _darker(half, _turned(half))
    large = 25.0 if card.suit is Suit.SPADES else 17.0
    _pip(face, card.suit, (CARD_MM[0] / 2, MIDDLE), large)
    if card.suit is Suit.SPADES:
        _pip_ring(face)
    return face


def _pip_ring(face: Image) -> None:
    """The ring of dots around the ace of spades."""
    for turn in np.linspace(0, 2 * np.pi, 30, endpoint=False):
        at = (31.5 + 16.5 * np.cos(turn), MIDDLE + 19 * np.sin(turn))
        cv2.circle(face, (round(at[0] * FINE), round(at[1] * FINE)), 5, BLACK, -1, cv2.LINE_AA)


def _box(x0: float, y0: float, x1: float, y1: float) -> Stroke:
    """Four corners of a box."""
    return np.asarray([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)


def _figure(image: Image, card: Card) -> None:
    """The upper half of a court: robe, head and what it wears."""
    first, second = (RED, BLUE) if card.suit.red else (BLUE, RED)
    _fill(image, np.asarray([(14.5, 44), (19, 33), (44, 33), (48.5, 44)]), first)
    for x in (22.0, 28.0, 35.0, 41.0):
        _fill(image, _box(x - 1.2, 33, x + 1.2, 44), GOLD if x in {28.0, 35.0} else second)
    _fill(image, np.asarray([(24, 33), (39, 33), (31.5, 41)]), PAPER)
    centre = (round(31.5 * FINE), round(26 * FINE))
    cv2.ellipse(image, centre, (44, 54), 0, 0, 360, (178, 205, 238), -1, cv2.LINE_AA)
    cv2.ellipse(image, centre, (44, 54), 0, 0, 360, BLACK, 4, cv2.LINE_AA)
    for x in (29.4, 33.6):
        cv2.circle(image, (round(x * FINE), round(25 * FINE)), 5, BLACK, -1, cv2.LINE_AA)
    _stroke(image, np.asarray([(30.0, 29.4), (33.0, 29.4)]), 0.6, RED)
    _WEAR[card.rank](image, first, second)


def _king(image: Image, first: Colour, second: Colour) -> None:
    """A crown of three points and a beard."""
    points = [(24.5, 20), (24, 13), (28, 17), (31.5, 12), (35, 17), (39, 13), (38.5, 20)]
    _fill(image, np.asarray(points), GOLD)
    _stroke(image, np.asarray([*points, points[0]]), 0.5, BLACK)
    _fill(image, np.asarray([(27, 30.5), (36, 30.5), (31.5, 37)]), second)
    _fill(image, _box(43.6, 15, 45.4, 40), first)


def _queen(image: Image, first: Colour, second: Colour) -> None:
    """Long hair, a round crown and a flower."""
    for side in (-1, 1):
        hair = [(31.5 + side * x, y) for x, y in ((4.5, 20), (8, 22), (8.5, 33), (5.5, 32))]
        _fill(image, np.asarray(hair), GOLD)
    crown = arc_points(31.5, 20, 6.8, 6.2)
    _fill(image, crown, first)
    for x in (26.5, 31.5, 36.5):
        cv2.circle(image, (round(x * FINE), round(14.6 * FINE)), 12, GOLD, -1, cv2.LINE_AA)
    for turn in range(5):
        at = (19 + 2 * np.cos(turn * 1.2566), 29 + 2 * np.sin(turn * 1.2566))
        cv2.circle(image, (round(at[0] * FINE), round(at[1] * FINE)), 11, second, -1, cv2.LINE_AA)


def _jack(image: Image, first: Colour, second: Colour) -> None:
    """A flat cap with a feather."""
    _fill(image, _box(24, 17.4, 39, 21), second)
    _fill(image, np.asarray([(25.5, 17.4), (27, 13.8), (36, 13.8), (37.5, 17.4)]), first)
    _stroke(image, np.asarray([(37, 17), (42, 13.6), (45, 16)]), 1.2, GOLD)
    _stroke(image, np.asarray([(44.5, 22), (44.5, 41)]), 1.1, BLACK)


_WEAR: Final = {Rank.KING: _king, Rank.QUEEN: _queen, Rank.JACK: _jack}


def arc_points(cx: float, cy: float, rx: float, ry: float) -> Stroke:
    """The upper half of an ellipse, closed below."""
    turns = np.linspace(np.pi, 2 * np.pi, 24)
    return np.column_stack([cx + rx * np.cos(turns), cy + ry * np.sin(turns)])


def _court(card: Card) -> Image:
    """A framed picture, the same from both ends."""
    half = _blank()
    _figure(half, card)
    half[half.shape[0] // 2 :] = PAPER
    _pip(half, card.suit, COURT_PIP_AT, COURT_PIP_MM)
    _index(half, card)
    face = _darker(half, _turned(half))
    frame = np.vstack([_box(13.2, 11.2, 49.8, 76.8), [(13.2, 11.2)]])
    _stroke(face, frame, 0.5, BLUE)
    return face


def _back() -> Image:
    """A blue lattice inside a white border."""
    image = _blank()
    cv2.rectangle(image, (32, 32), (image.shape[1] - 33, image.shape[0] - 33), BLUE, -1)
    inside = image[40:-40, 40:-40]
    for start in range(-700, 1200, 34):
        for slope in (1, -1):
            x0, x1 = (start, start + 700) if slope == 1 else (start + 700, start)
            cv2.line(inside, (x0, 0), (x1, 700), (226, 206, 182), 4, cv2.LINE_AA)
    cv2.ellipse(image, (252, 352), (92, 130), 0, 0, 360, PAPER, -1, cv2.LINE_AA)
    cv2.ellipse(image, (252, 352), (80, 118), 0, 0, 360, BLUE, 6, cv2.LINE_AA)
    cv2.ellipse(image, (252, 352), (52, 84), 0, 0, 360, BLUE, -1, cv2.LINE_AA)
    return image


def _finish(image: Image) -> Image:
    """A drawing at the size of a texture."""
    return np.asarray(cv2.resize(image, TEXTURE, interpolation=cv2.INTER_AREA), dtype=np.uint8)


@lru_cache(maxsize=64)
def printed(code: str) -> Image:
    """The card of a code; `XX` is the back and `CUT` the cut card.

    Raises:
        ValueError: if the code is none of these.
    """
    if code == HIDDEN:
        return _finish(_back())
    if code == CUT:
        return np.full((TEXTURE[1], TEXTURE[0], 3), CUT_YELLOW, dtype=np.uint8)
    card = Card.parse(code)
    if card.rank is Rank.ACE:
        return _finish(_ace(card))
    return _finish(_court(card) if card.rank in _WEAR else _number(card))


@lru_cache(maxsize=4)
def photographed(folder: Path) -> dict[str, Image]:
    """Faces from photographs: one rectified image for each code, as ``7H.png``.

    Raises:
        ValueError: if the folder holds no such image.
    """
    faces = {}
    for card in PACK:
        for path in sorted(folder.glob(f"{card.code}.*")):
            image = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if image is not None:
                faces[card.code] = _finish(np.asarray(image, dtype=np.uint8))
    if not faces:
        raise ValueError(f"{folder}: holds no card images named like 7H.png")
    return faces


@lru_cache(maxsize=1)
def corner_mask() -> NDArray[np.float32]:
    """How much of each texture pixel is card: 1 inside, 0 outside the rounded corners."""
    width, height = int(CARD_MM[0] * FINE), int(CARD_MM[1] * FINE)
    mask = np.zeros((height, width), dtype=np.uint8)
    radius = round(CORNER_MM * FINE)
    cv2.rectangle(mask, (radius, 0), (width - radius, height), 255, -1)
    cv2.rectangle(mask, (0, radius), (width, height - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    coarse = cv2.resize(mask, TEXTURE, interpolation=cv2.INTER_AREA)
    return np.asarray(coarse, dtype=np.float32) / np.float32(255.0)
