"""Recognises separate, whole cards in pictures of which nothing else is known.

A first honest form: outlines of card shape are looked for by brightness and by edges, cut out and
read. What has no such outline is not found; what is found and not read stays ``??``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import UNREADABLE
from vision.layout import Layout
from vision.locate import CROP, Image, Quad, card_sized, order, rectify, refine
from vision.reader import CardKind, Reading
from vision.tableview import Reads

WORK_PX: Final = 1280
"""Outlines are looked for in a picture whose long side is at most this."""
SMALLEST: Final = 0.0012
"""The smallest outline, as a share of the picture."""
LARGEST: Final = 0.95
MIN_SIDE_PX: Final = 26.0
"""A card whose short side is shorter cannot be read."""
ASPECT: Final = (1.08, 1.95)
"""Long side to short side; 1.4 from straight above, less or more at an angle."""
SQUARE: Final = 0.55
"""Opposite sides are at least this similar."""
FILLED: Final = 0.86
"""So much of its four corners an outline fills."""
OVERLAP: Final = 0.45
"""Two outlines that share so much of the smaller one are about one card."""
LAYOUT_TOLERANCE: Final = 0.12
"""With a layout, a card's size on the felt may differ by so much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenOne:
    """One physical card in a picture."""

    card: str
    confidence: float
    sure: bool
    quad: tuple[tuple[float, float], ...]

    def body(self) -> dict[str, Any]:
        """The entry of CONTRACTS.md 4."""
        return {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "by": "whole",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a picture shows."""

    cards: tuple[SeenOne, ...]
    backs: int
    cut: int


def see(image: Image, reader: Reads, layout: Layout | None = None) -> Seen:
    """Recognise the separate cards of one picture."""
    candidates = find(image, layout)
    if not candidates:
        return Seen(cards=(), backs=0, cut=0)
    shrunk = Shrunk(image)
    # Both ways round: an oblique card's long side may look short.
    ways = [(number, np.roll(quad, way, axis=0)) for number, quad in enumerate(candidates)
            for way in ((0, 1) if oblique(quad) else (0,))]  # fmt: skip
    readings = reader.read([shrunk.rectify(quad) for _, quad in ways])
    best: dict[int, tuple[Reading, Quad]] = {}
    for (number, quad), reading in zip(ways, readings, strict=True):
        if number not in best or worth(reading) > worth(best[number][0]):
            best[number] = (reading, quad)
    return gather([best[number] for number in range(len(candidates))])


def worth(reading: Reading) -> tuple[bool, bool, float]:
    """Orders the readings of one outline: a sure one first, then a face, then the likelier."""
    return (
        reading.sure and reading.kind is not CardKind.OTHER,
        reading.kind is CardKind.FACE,
        reading.confidence,
    )


def oblique(quad: Quad) -> bool:
    """Whether a card is seen at such an angle that its long side is in doubt."""
    short, long = _sides(quad)
    return long / short < 1.2


def gather(readings: Sequence[tuple[Reading, Quad]]) -> Seen:
    """Drop what overlaps something better, and count."""
    kept: list[tuple[Reading, Quad]] = []
    for reading, quad in sorted(readings, key=lambda pair: worth(pair[0]), reverse=True):
        if all(_shared(quad, other) < OVERLAP for _, other in kept):
            kept.append((reading, quad))
    cards = []
    backs = cut = 0
    for reading, quad in kept:
        if reading.kind is CardKind.BACK:
            backs += 1
        elif reading.kind is CardKind.CUT:
            cut += 1
        elif reading.kind is CardKind.FACE and reading.card is not None:
            card = reading.card.code if reading.sure else UNREADABLE
            corners = tuple((float(x), float(y)) for x, y in quad)
            cards.append(
                SeenOne(card=card, confidence=reading.confidence, sure=reading.sure, quad=corners)
            )
    return Seen(cards=tuple(cards), backs=backs, cut=cut)


class Shrunk:
    """A picture at several sizes, so that a large card is made small without loss of lines."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    def rectify(self, quad: Quad) -> Image:
        """Cut out a card at the reader's size."""
        short, _ = _sides(quad)
        level = 0
        while short / 2 ** (level + 1) > CROP[1] * 0.9:
            level += 1
        while len(self._levels) <= level:
            last = self._levels[-1]
            half = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            smaller = cv2.resize(last, half, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(smaller, dtype=np.uint8))
        image = self._levels[level]
        scale = image.shape[1] / self._levels[0].shape[1]
        return rectify(image, (quad + 0.5) * scale - 0.5)


def find(image: Image, layout: Layout | None) -> list[Quad]:
    """Outlines of card shape, in pixels of the picture."""
    height, width = image.shape[:2]
    scale = min(1.0, WORK_PX / max(height, width))
    small = image
    if scale < 1:
        size = (round(width * scale), round(height * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found: list[Quad] = []
    for mask in masks(small):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            quad = corners_of(outline, small.shape[0] * small.shape[1])
            if quad is not None:
                found.append(quad)
    quads = [(quad + 0.5) / scale - 0.5 for quad in outermost(found)]
    return [quad for quad in (sharpen(image, quad) for quad in quads) if fits(quad, layout)]


def sharpen(image: Image, quad: Quad) -> Quad:
    """Move the sides to the edges in the full picture, where that works."""
    reach = max(3.0, 0.02 * _sides(quad)[0])
    fitted = refine(image, quad, reach)
    return quad if fitted is None else fitted


def fits(quad: Quad, layout: Layout | None) -> bool:
    """Whether an outline can be a card: large enough, and of its size in a zone of the layout."""
    if _sides(quad)[0] < MIN_SIDE_PX:
        return False
    if layout is None:
        return True
    x, y = layout.to_mm(quad).mean(axis=0)
    inside = any(zone.slots and zone.holds(float(x), float(y)) for zone in layout.zones)
    return inside and card_sized(layout, order(quad), LAYOUT_TOLERANCE)


def masks(image: Image) -> Iterator[NDArray[np.uint8]]:
    """Black-and-white views in which a card may be one closed shape."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    least = cv2.GaussianBlur(image.min(axis=2), (0, 0), 1.2)
    kernel = np.ones((3, 3), dtype=np.uint8)
    for channel in (grey, least):
        level, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield np.asarray(mask, dtype=np.uint8)
        _, brighter = cv2.threshold(channel, (level + 255) / 2, 255, cv2.THRESH_BINARY)
        yield np.asarray(brighter, dtype=np.uint8)
        block = (max(image.shape[:2]) // 6) | 1
        local = cv2.adaptiveThreshold(
            channel, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -12
        )
        yield np.asarray(cv2.morphologyEx(local, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    for low, high in ((20, 60), (50, 150)):
        edges = cv2.Canny(np.asarray(grey, dtype=np.uint8), low, high)
        yield np.asarray(cv2.dilate(edges, kernel), dtype=np.uint8)


def corners_of(outline: NDArray[Any], picture: float) -> Quad | None:
    """The four corners of an outline of card shape; None for any other."""
    if not SMALLEST * picture <= cv2.contourArea(outline) <= LARGEST * picture:
        return None
    hull = cv2.convexHull(outline)
    length = cv2.arcLength(hull, True)  # noqa: FBT003
    for share in (0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, share * length, True)  # noqa: FBT003
        if len(corners) <= 4:
            break
    else:
        return None
    if len(corners) != 4:
        return None
    quad = order(np.asarray(corners, dtype=np.float64).reshape(4, 2))
    if cv2.contourArea(hull) < FILLED * cv2.contourArea(quad.astype(np.float32)):
        return None
    if cv2.contourArea(outline) < FILLED * cv2.contourArea(hull):
        return None
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if min(sides[0], sides[2]) < SQUARE * max(sides[0], sides[2]):
        return None
    if min(sides[1], sides[3]) < SQUARE * max(sides[1], sides[3]):
        return None
    short, long = _sides(quad)
    return quad if short > 8 and ASPECT[0] <= long / short <= ASPECT[1] else None


def outermost(quads: Sequence[Quad]) -> list[Quad]:
    """One outline for each card: the largest, as a frame printed inside a card is art."""
    kept: list[Quad] = []
    for quad in sorted(quads, key=_area, reverse=True):
        if all(_shared(quad, other) < OVERLAP for other in kept):
            kept.append(quad)
    return kept


def _area(quad: Quad) -> float:
    """Area in square pixels."""
    return float(cv2.contourArea(quad.astype(np.float32)))


def _sides(quad: Quad) -> tuple[float, float]:
    """Mean length of the two short and of the two long sides."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    one, other = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
    return min(one, other), max(one, other)


def _shared(one: Quad, other: Quad) -> float:
    """The part of the smaller outline that both cover."""
    if np.hypot(*(one.mean(axis=0) - other.mean(axis=0))) > _sides(one)[1] + _sides(other)[1]:
        return 0.0
    common, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(common) / max(1.0, min(_area(one), _area(other)))
