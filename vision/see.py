"""Recognises the cards of pictures of which nothing else is known.

Outlines of whole cards are looked for and read (`vision.outlines`, `vision.reader`), index corners
are looked for everywhere and read (`vision.corners`), and both are put together so that each
physical card is told once (`vision.assemble`). What is found and not surely read is ``??``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import UNREADABLE
from vision import outlines
from vision.assemble import LIMITS, By, Indexed, IndexLimits, Outlined, Physical, assemble, index_of
from vision.corners import Corners
from vision.layout import Layout
from vision.locate import CROP, Image, Quad, card_sized, order, rectify
from vision.outlines import alike, shared
from vision.reader import MODELS, CardKind, Enrolled, Reader, Reading
from vision.slopes import area_of, sides
from vision.tableview import Reads

OVERLAP: Final = 0.45
"""Two outlines that share so much of the smaller one are about one card."""
CONTRADICTS: Final = 0.7
"""A sure reading of another card from an outline so alike takes the sureness away."""
OVERLAPS: Final = 0.04
"""Two outlines that share so much of the smaller one are of cards on each other."""
SMALLER: Final = 0.6
"""Cards on each other are seen from one place: their areas differ by less than this,
even where one lies much nearer to the camera."""
OBLIQUE: Final = 1.25
"""With its sides more alike than this, either may be the long one."""
FRAMES: Final = 0.7
"""So much of an outline lies on edges that it may be the card around a printed frame."""
OF_A_DECK: Final = replace(LIMITS, pair=2.0, alone=2.0)
"""With a studio's own deck only its prototypes make a card sure; indices can only veto."""
FAINT: Final = 0.3
"""A card of which only one index shows is told from this confidence on."""
LEAST_INDEX_PX: Final = 8.0
"""Smaller indices cannot be read."""
LAYOUT_TOLERANCE: Final = 0.12
"""With a layout, a card's size on the felt may differ by so much."""


class FindsIndices(Protocol):
    """What finds and reads index corners (`vision.corners.Corners`)."""

    temperature: float
    """Divides the logits of what `read` gives."""

    def find(self, image: NDArray[np.uint8], *, least: float, most: float) -> Sequence[Any]:
        """Index corners in a picture between two heights in pixels."""
        ...

    def read(self, image: NDArray[np.uint8], corners: Sequence[Any]) -> Sequence[Any]:
        """What each corner says."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenOne:
    """One physical card in a picture."""

    card: str
    """Its code if it is sure, else ``??``."""
    likely: str
    """The likeliest card, sure or not; ``??`` if there is none. For reports, never told."""
    confidence: float
    sure: bool
    quad: tuple[tuple[float, float], ...]
    by: By

    def body(self) -> dict[str, Any]:
        """The entry of CONTRACTS.md 4."""
        return {
            "card": self.card,
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "by": self.by.value,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a picture shows."""

    cards: tuple[SeenOne, ...]
    backs: int
    cut: int
    plain: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Outlines of those backs and cut cards, for drawing."""


class See:
    """Looks at one picture after another. One per thread: the nets keep their working memory."""

    def __init__(
        self,
        reader: Reads,
        indices: FindsIndices | None = None,
        version: str = "",
        limits: IndexLimits = LIMITS,
    ) -> None:
        """Look with a reader of whole cards and, where there is one, a finder of indices."""
        self._limits = limits
        self._reader = reader
        self._indices = indices
        self.version = version

    @classmethod
    def loaded(
        cls, folder: Path = MODELS, *, deck: Enrolled | None = None, corners: bool = True
    ) -> Self:
        """Look with the weights of a folder.

        Raises:
            ModelsUnfit: if they are missing or changed.
        """
        reader = Reader(folder, deck)
        if not corners or not (folder / "corners.json").is_file():
            return cls(reader, None, reader.version)
        indices = Corners(folder)
        limits = LIMITS if deck is None else OF_A_DECK
        return cls(reader, indices, f"{reader.version} {indices.version}", limits)

    def at(self, image: Image, layout: Layout | None = None) -> Seen:
        """Recognise the cards of one picture, with a layout only those in its zones."""
        wholes = self._wholes(image, outlines.find(image), layout)
        if layout is None and not any(one.reading.sure for one in wholes):
            more = self._wholes(image, outlines.crossed(image), None)
            wholes = gather([*wholes, *more])
        indices = self._indexed(image, layout, wholes)
        return told(assemble(uncut(wholes), indices, limits=self._limits))

    def _wholes(
        self, image: Image, found: Sequence[outlines.Guess], layout: Layout | None
    ) -> list[Outlined]:
        """The outlines that stand for one thing each, read."""
        guesses = [guess for guess in found if fits(guess.quad, layout)]
        if not guesses:
            return []
        shrunk = Shrunk(image)
        # Both ways round: an oblique card's long side may look short.
        ways = [
            (number, np.roll(guess.quad, way, axis=0))
            for number, guess in enumerate(guesses)
            for way in ((0, 1) if oblique(guess.quad) else (0,))
        ]
        readings = self._reader.read([shrunk.rectify(quad) for _, quad in ways])
        best: dict[int, Outlined] = {}
        for (number, quad), reading in zip(ways, readings, strict=True):
            if number not in best or worth(reading) > worth(best[number].reading):
                best[number] = Outlined(quad, reading)
        read = [best[number] for number in range(len(guesses))]
        frames = [one for one, guess in zip(read, guesses, strict=True) if guess.support >= FRAMES]
        return gather([framed(one, frames) for one in read])

    def _indexed(
        self, image: Image, layout: Layout | None, wholes: Sequence[Outlined]
    ) -> list[Indexed]:
        """The index corners that can be read."""
        if self._indices is None:
            return []
        least, most = heights(image, wholes)
        corners = self._indices.find(image, least=least, most=most)
        votes = self._indices.read(image, corners)
        read = [
            index_of(corner, vote, self._indices.temperature)
            for corner, vote in zip(corners, votes, strict=True)
        ]
        return [index for index in read if index is not None and _in_zone(index, layout)]


def heights(image: Image, wholes: Sequence[Outlined]) -> tuple[float, float]:
    """Between which heights in pixels indices are looked for.

    Where cards were read surely, the others are taken to be of a like size: an index is a seventh
    to two thirds of a card's width high, and half of that or double from afar or near.
    """
    widths = [sides(one.quad)[0] for one in wholes if one.reading.sure]
    if not widths:
        return LEAST_INDEX_PX, max(image.shape[:2]) / 5
    return float(np.clip(0.11 * min(widths), LEAST_INDEX_PX, 80)), max(40.0, 0.7 * max(widths))


def framed(one: Outlined, frames: Sequence[Outlined]) -> Outlined:
    """An outline that is not surely read, or the card in which it is printed.

    A frame or a picture inside a card has a card's shape too, and has no index. Where an outline
    of card shape lies around it that is not several times as large, that is the card.
    """
    if one.reading.sure or one.reading.kind is CardKind.OTHER:
        return one
    area = area_of(one.quad)
    around = [
        other
        for other in frames
        if 1.15 * area < area_of(other.quad) < 4.5 * area and shared(one.quad, other.quad) > 0.93
    ]
    if not around:
        return one
    outer = max(around, key=lambda other: area_of(other.quad))
    if outer.reading.kind is not CardKind.OTHER:
        return outer
    return Outlined(outer.quad, replace(one.reading, confidence=min(one.reading.confidence, 0.5)))


def uncut(wholes: Sequence[Outlined]) -> list[Outlined]:
    """The same outlines, none sure that must be part of a card.

    Where two overlap one card lies on the other, and both have about one size. The smaller of two
    that differ was cut from what shows of its card.
    """
    surely = [one for one in wholes if one.reading.sure and one.reading.kind is CardKind.FACE]
    return [
        Outlined(one.quad, replace(one.reading, sure=False, confidence=0.5))
        if one.reading.sure and any(_cut_by(one.quad, other.quad) for other in surely)
        else one
        for one in wholes
    ]


def _cut_by(quad: Quad, other: Quad) -> bool:
    """Whether an outline is too small beside one that it overlaps."""
    smaller = area_of(quad) < SMALLER * area_of(other)
    return smaller and OVERLAPS < shared(quad, other) < OVERLAP


def see(image: Image, reader: Reads, layout: Layout | None = None) -> Seen:
    """Recognise the whole cards of one picture by their outlines alone."""
    return See(reader).at(image, layout)


def find(image: Image, layout: Layout | None = None) -> list[Quad]:
    """Outlines that may be whole cards, with a layout only those of a card's size in its zones."""
    return [guess.quad for guess in outlines.find(image) if fits(guess.quad, layout)]


def worth(reading: Reading) -> tuple[bool, bool, float]:
    """Orders the readings of one place: a sure one first, then a face, then the likelier."""
    return (
        reading.sure and reading.kind is not CardKind.OTHER,
        reading.kind is CardKind.FACE,
        reading.confidence,
    )


def oblique(quad: Quad) -> bool:
    """Whether a card is seen at such an angle that its long side is in doubt."""
    short, long = sides(quad)
    return long / short < OBLIQUE


def gather(read: Sequence[Outlined]) -> list[Outlined]:
    """One outline for each thing: the best read; two that are sure of different cards are not."""
    kept: list[Outlined] = []
    for one in sorted(read, key=lambda each: worth(each.reading), reverse=True):
        if one.reading.kind is CardKind.OTHER:
            continue
        over = [at for at, other in enumerate(kept) if shared(one.quad, other.quad) >= OVERLAP]
        if not over:
            kept.append(one)
        elif one.reading.sure:
            for at in over:
                kept[at] = _disputed(kept[at], one)
    return kept


def _disputed(kept: Outlined, other: Outlined) -> Outlined:
    """A reading beside a sure one of nearly the same outline: not sure if they differ."""
    same = (other.reading.kind, other.reading.card) == (kept.reading.kind, kept.reading.card)
    if same or alike(kept.quad, other.quad) < CONTRADICTS:
        return kept
    return Outlined(kept.quad, replace(kept.reading, sure=False, confidence=0.5))


def told(physical: Sequence[Physical]) -> Seen:
    """What is told of the physical cards."""
    faces = [one for one in physical if one.kind is CardKind.FACE]
    # A lone index of which nearly nothing can be read is as likely a pip or a letter elsewhere.
    cards = tuple(_entry(one) for one in faces if one.sure or one.by is By.WHOLE
                  or one.confidence >= FAINT)  # fmt: skip
    plain = [one for one in physical if one.sure and one.kind in (CardKind.BACK, CardKind.CUT)]
    backs = sum(one.kind is CardKind.BACK for one in plain)
    outlines_of = tuple(_corners(one.quad) for one in plain)
    return Seen(cards=cards, backs=backs, cut=len(plain) - backs, plain=outlines_of)


def _entry(one: Physical) -> SeenOne:
    """The entry of one face-up card."""
    likely = UNREADABLE if one.card is None else one.card.code
    return SeenOne(
        card=likely if one.sure else UNREADABLE,
        likely=likely,
        confidence=one.confidence,
        sure=one.sure,
        quad=_corners(one.quad),
        by=one.by,
    )


def _corners(quad: Quad) -> tuple[tuple[float, float], ...]:
    """An outline as plain numbers."""
    return tuple((float(x), float(y)) for x, y in quad)


def fits(quad: Quad, layout: Layout | None) -> bool:
    """Whether an outline can be a card of a layout: of its size in one of the zones."""
    if layout is None:
        return True
    return _zoned(quad.mean(axis=0), layout) and card_sized(layout, order(quad), LAYOUT_TOLERANCE)


def _in_zone(index: Indexed, layout: Layout | None) -> bool:
    """Whether an index lies in a zone that is read."""
    return layout is None or _zoned(np.asarray((index.x, index.y)), layout)


def _zoned(point: NDArray[np.float64], layout: Layout) -> bool:
    """Whether a point of the picture lies in a zone with slots."""
    x, y = layout.to_mm(point[None])[0]
    return any(zone.slots and zone.holds(float(x), float(y)) for zone in layout.zones)


class Shrunk:
    """A picture at several sizes, so that a large card is made small without loss of lines."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    def rectify(self, quad: Quad) -> Image:
        """Cut out a card at the reader's size."""
        short, _ = sides(quad)
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
