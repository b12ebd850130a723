"""Finds the one card that is shown to a camera, once it lies at rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import Outlined
from vision.layout import Layout
from vision.locate import Image, Quad, card_sized, order, refine
from vision.outlines import Guess, find, shared, sides
from vision.reader import CardKind, Crop, Reader
from vision.see import Shrunk, gather, oblique, worth
from vision.tableview import shrink

WORK_PX: Final = 900
"""Outlines are looked for in a picture whose long side is at most this."""
LEAST_PX: Final = 48.0
"""A card whose short side is shorter is too small to be learnt; below 64 it is learnt badly."""
STILL: Final = 0.03
"""Corners that moved by less than this part of the card's width rest."""
SAME: Final = 36.0
"""Two small pictures of one card differ by less than this everywhere."""
SIZED: Final = 0.14
"""With a layout, a card's size on the felt may differ by so much."""
COMMON: Final = 0.6
"""Outlines that share so much of the smaller one are about the same thing."""
DOUBTED: Final = 0.4
"""A card of which the reader is not so sure counts as no card."""
AROUND: Final = 1.22
"""A thing is compared with the table up to this size of itself."""
STANDS_OUT: Final = 16.0
"""A thing differs from the table beside it by so many grey levels in some colour."""
STEP: Final = 5
"""Each fifth pixel, in green, tells whether a frame is another than the one before."""
CHANGED: Final = 26
"""A pixel that differs by so much has changed."""
CHANGED_COUNT: Final = 4
"""So many of them are a change."""


class Shown(StrEnum):
    """What lies in view."""

    NOTHING = "nothing"
    MOVING = "moving"
    TWO = "two"
    SMALL = "small"
    RESTS = "rests"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """What one frame shows."""

    what: Shown
    quad: Quad | None = None
    """Outline of the one card; None where there is none."""
    crop: Crop | None = None
    """The card itself; only of one that rests."""
    px: int = 0
    """Width of the card in pixels."""


class Showing:
    """Follows what is shown, frame by frame."""

    def __init__(self, reader: Reader, layout: Layout | None = None) -> None:
        """With a layout only things of a card's size on its felt count."""
        self._reader = reader
        self._layout = layout
        self._ground: list[Quad] = []
        self._grounded = False
        self._before: NDArray[np.int16] | None = None
        self._last: Sight = Sight(what=Shown.NOTHING)
        self._waiting: tuple[Quad, Crop] | None = None

    def look(self, frame: Image, *, still: bool = False) -> Sight:
        """Look at the newest frame; `still` says that it is a picture, not one of a stream."""
        thin = frame[::STEP, ::STEP, 1].astype(np.int16)
        before, self._before = self._before, thin
        quiet, repeated = False, False
        if not still and before is not None and before.shape == thin.shape:
            apart = np.abs(thin - before)
            quiet = int(np.count_nonzero(apart > CHANGED)) < CHANGED_COUNT
            repeated = not apart.any()
        # Another frame of what has just come to rest is wanted; a repeated one is none.
        if repeated or (quiet and self._last.what is not Shown.MOVING):
            self._before = before
            return self._last
        self._last = self._see(frame, still=still, quiet=quiet)
        return self._last

    def _see(self, frame: Image, *, still: bool, quiet: bool) -> Sight:
        """What a new frame shows; a quiet one shows it where the one before did."""
        shrunk = Shrunk(frame)
        if quiet and self._waiting is not None:
            quads = [self._waiting[0]]
        else:
            quads = self._candidates(frame, shrunk, still=still)
        known, self._waiting = self._waiting, None
        if not quads:
            return Sight(what=Shown.NOTHING)
        if len(quads) > 1:
            return Sight(what=Shown.TWO)
        quad = quads[0]
        px = round(sides(quad)[0])
        if px < LEAST_PX:
            return Sight(what=Shown.SMALL, quad=quad, px=px)
        crop = shrunk.rectify(quad)
        self._waiting = (quad, crop)
        if not (still or (known is not None and _same(known, self._waiting))):
            return Sight(what=Shown.MOVING, quad=quad, px=px)
        return Sight(what=Shown.RESTS, quad=quad, crop=crop, px=px)

    def _candidates(self, frame: Image, shrunk: Shrunk, *, still: bool) -> list[Quad]:
        """Outlines of what may be the card that is shown.

        What is no face must stand out from the table, else it is a box printed on the felt; and
        what the reader does not know as a card counts only if it was not there from the start,
        or in a picture of its own.
        """
        guesses = [guess for guess in found(frame) if self._fits(guess.quad)]
        outlined = [
            each
            for each in self._read(guesses, shrunk)
            if each.reading.kind is CardKind.FACE or stands_out(shrunk, each.quad)
        ]
        cards = [
            each.quad for each in gather(outlined)
            if each.reading.sure or each.reading.confidence >= DOUBTED
        ]  # fmt: skip
        plain = [each.quad for each in outlined if each.reading.kind is CardKind.OTHER]
        if still:
            return cards or outermost(plain)[:1]
        unknown = [quad for quad in outermost(plain) if not _among(quad, self._ground)]
        if cards or not self._grounded:
            self._ground += [quad for quad in unknown if not _among(quad, cards)]
            self._grounded = True
            return cards
        return unknown[:1]

    def _read(self, guesses: Sequence[Guess], shrunk: Shrunk) -> list[Outlined]:
        """What the general reader says of each, the likelier way round; no deck is asked."""
        if not guesses:
            return []
        ways = [
            (at, np.roll(guess.quad, way, axis=0))
            for at, guess in enumerate(guesses)
            for way in ((0, 1) if oblique(guess.quad) else (0,))
        ]
        fused = self._reader.fused(self._reader.votes([shrunk.rectify(quad) for _, quad in ways]))
        best: dict[int, Outlined] = {}
        for number, (at, quad) in enumerate(ways):
            one = Outlined(quad, self._reader.decide(fused, number))
            if at not in best or worth(one.reading) > worth(best[at].reading):
                best[at] = one
        return [best[at] for at in range(len(guesses))]

    def _fits(self, quad: Quad) -> bool:
        """Whether an outline can be a card on the felt of the layout, if there is one."""
        return self._layout is None or card_sized(self._layout, order(quad), SIZED)


def found(frame: Image) -> list[Guess]:
    """Outlines of card shape, looked for in a smaller picture and moved to the edges of this one.

    A card that is shown is large, and whoever shows it waits.
    """
    scale = min(1.0, WORK_PX / max(frame.shape[:2]))
    if scale == 1.0:
        return find(frame)
    size = (round(frame.shape[1] * scale), round(frame.shape[0] * scale))
    small = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
    guesses = []
    for guess in find(small):
        quad = (guess.quad + 0.5) / scale - 0.5
        fine = refine(frame, quad, max(3.0, 2 / scale))
        guesses.append(Guess(quad if fine is None else fine, guess.support))
    return guesses


def stands_out(shrunk: Shrunk, quad: Quad) -> bool:
    """Whether a thing has another colour than the table around it: a printed box has not."""
    middle = quad.mean(axis=0)
    crop = shrunk.rectify((quad - middle) * AROUND + middle)
    high, wide = crop.shape[:2]
    y, x = np.mgrid[0:high, 0:wide]
    # How far from the middle, where 1 is the thing's own edge.
    away = np.maximum(abs(2 * y / high - 1), abs(2 * x / wide - 1)) * AROUND
    inside = np.median(crop[(away > 0.72) & (away < 0.9)], axis=0)
    outside = np.median(crop[(away > 1.06) & (away < 1.2)], axis=0)
    return float(np.abs(inside - outside).max()) >= STANDS_OUT


def outermost(quads: Sequence[Quad]) -> list[Quad]:
    """One outline for each thing: the largest."""
    kept: list[Quad] = []
    for quad in sorted(quads, key=lambda each: -sides(each)[0]):
        if all(shared(quad, other) < COMMON for other in kept):
            kept.append(quad)
    return kept


def _among(quad: Quad, others: Sequence[Quad]) -> bool:
    """Whether an outline is about one of these."""
    return any(shared(quad, other) >= COMMON for other in others)


def _same(one: tuple[Quad, Crop], other: tuple[Quad, Crop]) -> bool:
    """Whether the same card lies in the same place."""
    moved = float(np.abs(one[0] - other[0]).max())
    if moved > max(2.0, STILL * sides(one[0])[0]):
        return False
    difference = np.abs(shrink(one[1]) - shrink(other[1]))
    return float(difference[1:-1, 1:-1].max()) < SAME
