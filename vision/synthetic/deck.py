"""A deck of the synthetic camera: faces, back and cut card, drawn by our own code or photographed.

A card is an image of `TEXTURE` pixels, upright, with its printed white to the very edge; rounded
corners are cut by `corner_mask`. How a deck looks is a `Design`: that of the demonstration, or one
drawn from a seed (`designs`).
"""

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN, PACK, Card, Rank, Suit
from vision.layout import CARD_MM
from vision.synthetic.designs import DEMONSTRATION, Colour, Design
from vision.synthetic.glyphs import Stroke, lettered, rank_strokes, suit_outlines

Image = NDArray[np.uint8]

FINE: Final = 8
"""Pixels to the millimetre while drawing."""
COARSE: Final = 3
"""Pixels to the millimetre of a finished card, about twice the camera's."""
TEXTURE: Final = (int(CARD_MM[0] * COARSE), int(CARD_MM[1] * COARSE))
"""Width and height of a finished card in pixels."""
CORNER_MM: Final = 3.2
SKIN: Final = (178, 205, 238)
MIDDLE: Final = 44.0
_TOP, _LOW = 0.0, 1.0
_THIRD: Final = 1 / 3
_PAIR: Final = [(-1, _TOP), (1, _TOP)]
_SIX: Final = [*_PAIR, (-1, _LOW), (1, _LOW)]
_EIGHT_SIDES: Final = [(x, y) for x in (-1, 1) for y in (_TOP, 2 * _THIRD)]
# Places of pips: column from -1 to 1, and how far down from the first row to the middle of the
# card; those above the middle are printed upside down below too.
_PIPS: Final[dict[Rank, list[tuple[int, float]]]] = {
    Rank.TWO: [(0, _TOP)],
    Rank.THREE: [(0, _TOP), (0, _LOW)],
    Rank.FOUR: _PAIR,
    Rank.FIVE: [*_PAIR, (0, _LOW)],
    Rank.SIX: _SIX,
    Rank.SEVEN: [*_SIX, (0, 0.5)],
    Rank.EIGHT: [*_SIX, (0, 0.5)],
    Rank.NINE: [*_EIGHT_SIDES, (0, _LOW)],
    Rank.TEN: [*_EIGHT_SIDES, (0, _THIRD)],
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


def _turned(image: Image) -> Image:
    """The same upside down."""
    return np.ascontiguousarray(image[::-1, ::-1])


def _darker(one: Image, other: Image) -> Image:
    """Both prints on one paper."""
    return np.minimum(one, other)


def _box(x0: float, y0: float, x1: float, y1: float) -> Stroke:
    """Four corners of a box."""
    return np.asarray([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)


def finish(image: Image) -> Image:
    """A drawing, or a picture cut along the card's edge, at the size of a texture."""
    return np.asarray(cv2.resize(image, TEXTURE, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def arc_points(cx: float, cy: float, rx: float, ry: float) -> Stroke:
    """The upper half of an ellipse, closed below."""
    turns = np.linspace(np.pi, 2 * np.pi, 24)
    return np.column_stack([cx + rx * np.cos(turns), cy + ry * np.sin(turns)])


class Press:
    """Prints the cards of one design."""

    def __init__(self, design: Design) -> None:
        self.design = design

    def number(self, card: Card) -> Image:
        """A card from two to ten."""
        half, middle = self._blank(), self._blank()
        for column, down in _PIPS[card.rank]:
            self._pip(middle if down == _LOW else half, card.suit, self._place(column, down))
        self._index(half, card)
        other = _turned(half)
        if card.rank is Rank.SEVEN:
            # The seventh pip stands in the upper half only.
            lower = self._blank()
            for column, down in _PAIR:
                self._pip(lower, card.suit, self._place(column, down))
            self._index(lower, card)
            other = _turned(lower)
        return _darker(_darker(half, other), middle)

    def ace(self, card: Card) -> Image:
        """An ace: one large pip, often ringed on the ace of spades."""
        half = self._blank()
        self._index(half, card)
        face = _darker(half, _turned(half))
        spade = card.suit is Suit.SPADES
        large = self.design.spade_mm if spade else self.design.ace_mm
        self._pip(face, card.suit, (CARD_MM[0] / 2, MIDDLE), large)
        if spade and self.design.ringed:
            self._ring(face)
        return face

    def court(self, card: Card) -> Image:
        """A picture, the same from both ends, mostly framed."""
        half = self._blank()
        self._figure(half, card)
        half[half.shape[0] // 2 :] = self.design.paper
        self._pip(half, card.suit, self.design.court_pip_at, self.design.court_pip_mm)
        self._index(half, card)
        face = _darker(half, _turned(half))
        if self.design.frame:
            x = self.design.columns[0] - 6.0
            frame = np.vstack([_box(x, 11.2, CARD_MM[0] - x, 76.8), [(x, 11.2)]])
            _stroke(face, frame, 0.5, self.design.blue)
        return face

    def back(self) -> Image:
        """A lattice inside a white border."""
        design, image = self.design, self._blank()
        cv2.rectangle(image, (32, 32), (image.shape[1] - 33, image.shape[0] - 33), design.blue, -1)
        inside = image[40:-40, 40:-40]
        for start in range(-700, 1200, 34):
            for slope in (1, -1):
                x0, x1 = (start, start + 700) if slope == 1 else (start + 700, start)
                cv2.line(inside, (x0, 0), (x1, 700), (226, 206, 182), 4, cv2.LINE_AA)
        cv2.ellipse(image, (252, 352), (92, 130), 0, 0, 360, design.paper, -1, cv2.LINE_AA)
        cv2.ellipse(image, (252, 352), (80, 118), 0, 0, 360, design.blue, 6, cv2.LINE_AA)
        cv2.ellipse(image, (252, 352), (52, 84), 0, 0, 360, design.blue, -1, cv2.LINE_AA)
        return image

    def _blank(self) -> Image:
        """Unprinted paper."""
        shape = (int(CARD_MM[1] * FINE), int(CARD_MM[0] * FINE), 3)
        return np.full(shape, self.design.paper, dtype=np.uint8)

    def _place(self, column: int, down: float) -> tuple[float, float]:
        """The middle of a pip."""
        top = self.design.top
        return self.design.columns[column + 1], top + down * (MIDDLE - top)

    def _pip(
        self, image: Image, suit: Suit, at: tuple[float, float], size: float | None = None
    ) -> None:
        """Print one pip with its middle there."""
        high = size or self.design.pip_mm
        scale = np.asarray((high * self.design.narrow, high))
        for outline in suit_outlines(suit):
            _fill(image, (outline - 0.5) * scale + np.asarray(at), self.design.ink(suit))

    def _index(self, image: Image, card: Card) -> None:
        """Print the letter and the small pip in the upper left corner."""
        design, ink = self.design, self.design.ink(card.suit)
        wide, high = design.rank_mm
        wide *= design.ten if card.rank is Rank.TEN else 1.0
        if design.letters >= 0:
            self._letter(image, card.rank, (wide, high), ink)
        else:
            for stroke in rank_strokes(card.rank):
                points = (stroke - 0.5) * np.asarray((wide, high)) + np.asarray(design.rank_at)
                points[:, 0] += design.slant * (design.rank_at[1] - points[:, 1])
                _stroke(image, points, design.stroke_mm, ink)
        self._pip(image, card.suit, design.suit_at, design.suit_mm)

    def _letter(self, image: Image, rank: Rank, size: tuple[float, float], ink: Colour) -> None:
        """Print a rank in a letter of OpenCV's fonts."""
        design = self.design
        wide, high = (round(each * FINE) for each in size)
        mask = lettered(rank, design.letters, design.stroke_mm / size[1], (wide, high))
        x, y = (round(each * FINE) for each in design.rank_at)
        x0, y0 = x - wide // 2, y - high // 2
        spot = image[y0 : y0 + high, max(0, x0) : x0 + wide]
        part = mask[:, max(0, -x0) :, None].astype(np.float32) / 255
        spot[:] = (spot * (1 - part) + np.asarray(ink, np.float32) * part).astype(np.uint8)

    def _ring(self, face: Image) -> None:
        """The ring of dots around the ace of spades."""
        for turn in np.linspace(0, 2 * np.pi, 30, endpoint=False):
            at = (31.5 + 16.5 * np.cos(turn), MIDDLE + 19 * np.sin(turn))
            middle = (round(at[0] * FINE), round(at[1] * FINE))
            cv2.circle(face, middle, 5, self.design.black, -1, cv2.LINE_AA)

    def _figure(self, image: Image, card: Card) -> None:
        """The upper half of a court: robe, head and what it wears."""
        design = self.design
        red, blue = design.red, design.blue
        first, second = (red, blue) if card.suit.red else (blue, red)
        _fill(image, np.asarray([(14.5, 44), (19, 33), (44, 33), (48.5, 44)]), first)
        for x in (22.0, 28.0, 35.0, 41.0):
            shade = design.gold if x in {28.0, 35.0} else second
            _fill(image, _box(x - 1.2, 33, x + 1.2, 44), shade)
        _fill(image, np.asarray([(24, 33), (39, 33), (31.5, 41)]), design.paper)
        centre = (round(31.5 * FINE), round(26 * FINE))
        cv2.ellipse(image, centre, (44, 54), 0, 0, 360, SKIN, -1, cv2.LINE_AA)
        cv2.ellipse(image, centre, (44, 54), 0, 0, 360, design.black, 4, cv2.LINE_AA)
        for x in (29.4, 33.6):
            eye = (round(x * FINE), round(25 * FINE))
            cv2.circle(image, eye, 5, design.black, -1, cv2.LINE_AA)
        _stroke(image, np.asarray([(30.0, 29.4), (33.0, 29.4)]), 0.6, design.red)
        wear = {Rank.KING: self._king, Rank.QUEEN: self._queen, Rank.JACK: self._jack}
        wear[card.rank](image, first, second)

    def _king(self, image: Image, first: Colour, second: Colour) -> None:
        """A crown of three points and a beard."""
        points = [(24.5, 20), (24, 13), (28, 17), (31.5, 12), (35, 17), (39, 13), (38.5, 20)]
        _fill(image, np.asarray(points), self.design.gold)
        _stroke(image, np.asarray([*points, points[0]]), 0.5, self.design.black)
        _fill(image, np.asarray([(27, 30.5), (36, 30.5), (31.5, 37)]), second)
        _fill(image, _box(43.6, 15, 45.4, 40), first)

    def _queen(self, image: Image, first: Colour, second: Colour) -> None:
        """Long hair, a round crown and a flower."""
        gold = self.design.gold
        for side in (-1, 1):
            hair = [(31.5 + side * x, y) for x, y in ((4.5, 20), (8, 22), (8.5, 33), (5.5, 32))]
            _fill(image, np.asarray(hair), gold)
        _fill(image, arc_points(31.5, 20, 6.8, 6.2), first)
        for x in (26.5, 31.5, 36.5):
            ball = (round(x * FINE), round(14.6 * FINE))
            cv2.circle(image, ball, 12, gold, -1, cv2.LINE_AA)
        for turn in range(5):
            at = (19 + 2 * np.cos(turn * 1.2566), 29 + 2 * np.sin(turn * 1.2566))
            leaf = (round(at[0] * FINE), round(at[1] * FINE))
            cv2.circle(image, leaf, 11, second, -1, cv2.LINE_AA)

    def _jack(self, image: Image, first: Colour, second: Colour) -> None:
        """A flat cap with a feather."""
        _fill(image, _box(24, 17.4, 39, 21), second)
        _fill(image, np.asarray([(25.5, 17.4), (27, 13.8), (36, 13.8), (37.5, 17.4)]), first)
        _stroke(image, np.asarray([(37, 17), (42, 13.6), (45, 16)]), 1.2, self.design.gold)
        _stroke(image, np.asarray([(44.5, 22), (44.5, 41)]), 1.1, self.design.black)


@lru_cache(maxsize=256)
def printed(code: str, design: Design = DEMONSTRATION) -> Image:
    """The card of a code; `XX` is the back and `CUT` the cut card.

    Raises:
        ValueError: if the code is none of these.
    """
    press = Press(design)
    if code == HIDDEN:
        return finish(press.back())
    if code == CUT:
        return np.full((TEXTURE[1], TEXTURE[0], 3), design.cut, dtype=np.uint8)
    card = Card.parse(code)
    if card.rank is Rank.ACE:
        return finish(press.ace(card))
    court = card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING)
    return finish(press.court(card) if court else press.number(card))


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
                faces[card.code] = finish(np.asarray(image, dtype=np.uint8))
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
