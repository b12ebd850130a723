"""What was out of sight for a moment, and what can be read of it to know that it is the same.

Cards of one rank and colour look alike in the small pictures by which cards are compared, and of a
covered card little is compared. So where a hand, or anything else, was over a card, it is read
again: whole if it lies free, by the index that shows if others lie on it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import CARD_MM, INDEX_WIDE, Indexed, at_its_place, index_of, on_card
from vision.corners import Corner
from vision.locate import Image, Quad
from vision.pile import LEAST_INDEX_MM, MOST_INDEX_MM, Cells, FindsCorners
from vision.prints import CELLS

TOUCHED: Final = 6
"""So many pixels of the gate's view within a card that changed: something was over it."""
CORNER_CELLS: Final = (10, 8)
"""Rows and columns of a card's small picture in each of its corners that may hold an index."""
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


@dataclass(frozen=True, slots=True)
class Shown:
    """An index that shows on a card on which others lie."""

    corner: Corner
    """In pixels of the zone's window."""
    index: Indexed
    """What it says, likewise."""
    rows: slice
    columns: slice
    """Which cells of the card's small picture it takes."""

    def free(self, hidden: Cells) -> bool:
        """Whether it shows whole while such cells are covered."""
        return not bool(hidden[self.rows, self.columns].any())


def shown(view: Image, quad: Quad, hidden: Cells, finder: FindsCorners) -> list[Shown]:
    """The indices that show on a card; `quad` in pixels of the view, as what is returned."""
    box = _corner_box(view, quad, hidden)
    if box is None:
        return []
    x0, y0, x1, y1 = box
    patch = np.ascontiguousarray(view[y0:y1, x0:x1])
    scale = float(np.hypot(*(quad[1] - quad[0]))) / CARD_MM[0]
    found = finder.find(patch, least=LEAST_INDEX_MM * scale, most=MOST_INDEX_MM * scale)
    told = []
    for corner, vote in zip(found, finder.read(patch, found), strict=True):
        here = Corner(
            x=corner.x + x0, y=corner.y + y0, angle=corner.angle, high=corner.high,
            score=corner.score,
        )  # fmt: skip
        index = index_of(here, vote, finder.temperature)
        if index is not None and at_its_place(quad, index):
            one = Shown(here, index, *_cells_of(quad, index))
            if hidden[one.rows, one.columns].mean() < 0.5:
                told.append(one)
    return told


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


def _cells_of(quad: Quad, index: Indexed) -> tuple[slice, slice]:
    """The rows and columns of a card's small picture that an index takes."""
    place, _ = on_card(quad, index)
    wide, high = (float(np.hypot(*(quad[at] - quad[0]))) for at in (1, 3))
    half = (INDEX_WIDE * index.high / 2 / wide, index.high / 2 / high)
    ends = [
        (max(0, int((at - part) * count)), min(count, int(np.ceil((at + part) * count))))
        for at, part, count in zip(place, half, CELLS, strict=True)
    ]
    return slice(*ends[1]), slice(*ends[0])


def named(found: Sequence[Shown], least: float) -> list[Indexed]:
    """Those of some indices that name their card with at least so much."""
    return [one.index for one in found if one.index.confidence * one.index.there >= least]
