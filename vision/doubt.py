"""What was out of sight for a moment, and what can be read of it to know that it is the same.

Cards of one rank and colour look alike in the small pictures by which cards are compared, and of a
covered card little is compared. So where a hand, or anything else, was over a card, it is read
again: whole if it lies free, by the index that shows if others lie on it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import CARD_MM, INDEX_WIDE, Indexed, at_its_place, index_of, on_card
from vision.corners import Corner
from vision.locate import Image, Quad
from vision.placed import LEAST_INDEX_MM, MOST_INDEX_MM, Cells, FindsCorners
from vision.prints import CELLS

TOUCHED: Final = 6
"""So many pixels of the gate's view within a card that changed: something was over it."""
CORNER_CELLS: Final = (10, 8)
"""Rows and columns of a card's small picture in each of its corners that may hold an index."""
SAME_SPOT: Final = 0.06
"""An index is where another one was if it lies within so much of a card's width and height …"""
SAME_TURN: Final = 0.25
"""… and is turned by no more than so many radians against it."""
MARGIN_PX: Final = 6
"""So much more of the picture around a card is given to the finder of corners."""

Flags = NDArray[np.uint8]


class Touched:
    """Where something moved or lay in a zone since its cards were last looked at."""

    def __init__(self) -> None:
        self._mask: Flags | None = None
        self._all = False

    def __bool__(self) -> bool:
        return self._all or self._mask is not None

    def everywhere(self) -> None:
        """Nothing was seen for a while: anything may have happened."""
        self._all = True

    def note(self, view: Image, before: Image, limit: int) -> None:
        """Where a gate view differs from one before by more than a limit, something is."""
        _, far = cv2.threshold(cv2.absdiff(view, before), limit, 1, cv2.THRESH_BINARY)
        own = np.asarray(far, dtype=np.uint8)
        self._mask = own if self._mask is None else np.maximum(self._mask, own)

    def holds(self, quad: Quad) -> bool:
        """Whether it was over a card; `quad` in pixels of the gate's view."""
        if self._all or self._mask is None:
            return self._all
        card = np.zeros_like(self._mask)
        cv2.fillConvexPoly(card, np.rint(quad).astype(np.int32), (1,))
        return cv2.countNonZero(cv2.bitwise_and(card, self._mask)) >= TOUCHED

    def clear(self) -> None:
        """All that it was over is known."""
        self._mask, self._all = None, False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An index that shows on a card on which others lie."""

    corner: Corner
    """In pixels of the zone's window."""
    index: Indexed
    """What it says, likewise."""
    at: tuple[float, float, float]
    """Where on its card it is: across and down, 0 to 1, and its turn in radians."""
    rows: slice
    columns: slice
    """Which cells of the card's small picture it takes."""

    def free(self, hidden: Cells) -> bool:
        """Whether it shows whole while such cells are covered."""
        return not bool(hidden[self.rows, self.columns].any())

    def where_was(self, other: "Shown") -> bool:
        """Whether it stands where another index of the same card stood."""
        off = max(abs(one - two) for one, two in zip(self.at[:2], other.at[:2], strict=True))
        turn = abs(math.remainder(self.at[2] - other.at[2], 2 * math.pi))
        return off <= SAME_SPOT and turn <= SAME_TURN


def shown(
    view: Image,
    quad: Quad,
    hidden: Cells,
    finder: FindsCorners,
    before: Sequence[Shown] = (),
    others: Sequence[Quad] = (),
) -> list[Shown]:
    """The indices that show on a card; `quad` in pixels of the view, as what is returned.

    Where some were read `before` only those places count, even if something should cover them now:
    what looked like a new card on top may be the card that was exchanged. Else an index that fits
    one of the `others` better is that card's.
    """
    covered = hidden.copy()
    for one in before:
        covered[one.rows, one.columns] = False
    box = _corner_box(view, quad, covered)
    if box is None:
        return []
    x0, y0, x1, y1 = box
    patch = np.ascontiguousarray(view[y0:y1, x0:x1])
    scale = float(np.hypot(*(quad[1] - quad[0]))) / CARD_MM[0]
    found = finder.find(patch, least=LEAST_INDEX_MM * scale, most=MOST_INDEX_MM * scale)
    corners = [replace(corner, x=corner.x + x0, y=corner.y + y0) for corner in found]
    corners += [_there(quad, one) for one in before if one.free(hidden)]
    told: list[Shown] = []
    for here, vote in zip(corners, finder.read(view, corners), strict=True):
        index = index_of(here, vote, finder.temperature)
        if index is None or not at_its_place(quad, index):
            continue
        one = _shown(here, index, quad)
        if before:
            own = any(one.where_was(other) for other in before)
        else:
            cells = hidden[one.rows, one.columns]
            # One that lies beside the card, though turned as its own, has no cells of it.
            own = cells.size > 0 and cells.mean() < 0.5 and _fits_best(quad, index, others)
        if own and not any(one.where_was(other) for other in told):
            told.append(one)
    return told


def _there(quad: Quad, one: Shown) -> Corner:
    """Where an index of a card must be now: the finder may miss it where it found it before."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    x, y = quad.mean(axis=0) + (one.at[0] - 0.5) * across + (one.at[1] - 0.5) * down
    angle = math.remainder(one.at[2] + math.atan2(across[1], across[0]), 2 * math.pi)
    return replace(one.corner, x=float(x), y=float(y), angle=angle)


def _fits_best(quad: Quad, index: Indexed, others: Sequence[Quad]) -> bool:
    """Whether an index lies nearer to a corner of a card than to those of others that it fits."""
    own = _off_corner(quad, index)
    return all(_off_corner(other, index) >= own for other in others if at_its_place(other, index))


def _off_corner(quad: Quad, index: Indexed) -> float:
    """How far an index is from the nearest corner of a card, in pixels."""
    return float(np.hypot(*(quad - (index.x, index.y)).T).min())


def _corner_box(view: Image, quad: Quad, hidden: Cells) -> tuple[int, int, int, int] | None:
    """The pixels in which the corners of a card that can be seen lie; None if none can."""
    rows, columns = CORNER_CELLS
    corner = np.zeros(CELLS[::-1], dtype=np.bool_)
    for down in (slice(None, rows), slice(-rows, None)):
        for across in (slice(None, columns), slice(-columns, None)):
            if hidden[down, across].mean() < 0.5:
                corner[down, across] = True
    seen = np.argwhere(corner & ~hidden)
    if not len(seen):
        return None
    share = (seen[:, ::-1] + 0.5) / CELLS
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    points = quad[0] + share[:, :1] * across + share[:, 1:] * down
    high, wide = view.shape[:2]
    low = np.floor(points.min(axis=0)).astype(int) - MARGIN_PX
    end = np.ceil(points.max(axis=0)).astype(int) + MARGIN_PX
    x0, y0 = (int(each) for each in np.maximum(low, 0))
    x1, y1 = (int(each) for each in np.minimum(end, (wide, high)))
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _shown(corner: Corner, index: Indexed, quad: Quad) -> Shown:
    """An index, its place on its card, and the cells of the card's small picture that it takes."""
    place, turn = on_card(quad, index)
    wide, high = (float(np.hypot(*(quad[at] - quad[0]))) for at in (1, 3))
    half = (INDEX_WIDE * index.high / 2 / wide, index.high / 2 / high)
    columns, rows = (
        slice(max(0, int((at - part) * count)), max(0, min(count, math.ceil((at + part) * count))))
        for at, part, count in zip(place, half, CELLS, strict=True)
    )
    at = (float(place[0]), float(place[1]), turn)
    return Shown(corner=corner, index=index, at=at, rows=rows, columns=columns)


def named(found: Sequence[Shown], least: float) -> list[Indexed]:
    """Those of some indices that name their card with at least so much."""
    return [one.index for one in found if one.index.confidence * one.index.there >= least]
