"""What a look at a frame adds to what has been measured: a view, markers, cards, fixed features."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.calibration import lens as optics
from vision.calibration.detect import BoardView, MarkerView
from vision.calibration.knock import features
from vision.calibration.work import LaidCard, LensBy, Work, measure
from vision.layout import Layout
from vision.locate import Image

AVERAGED: Final = 8
"""Looks over which the markers' corners are averaged."""
SAME_PX: Final = 1.0
"""A marker that moved by more is measured anew."""
PAPER: Final = 1.5
"""A marker's white paper reaches so far, in sizes of the marker."""

LooksForCards = Callable[[Image, Layout], Sequence[LaidCard]]
"""Reads the cards that lie in the zones of a layout."""


def cards_by(reader: Any) -> LooksForCards:
    """Read cards with a reader of `vision.reader`, as `cutcard see` does with a layout."""
    from vision.assemble import By  # noqa: PLC0415  a mere calibration does not need these
    from vision.see import see  # noqa: PLC0415

    def look(image: Image, layout: Layout) -> list[LaidCard]:
        laid = []
        for one in see(image, reader, layout).cards:
            x, y = layout.to_mm(one.quad).mean(axis=0)
            zone = next((each.id for each in layout.zones if each.holds(float(x), float(y))), "")
            laid.append(LaidCard(one.card, one.sure, zone, one.quad, one.by is By.WHOLE))
        return [card for card in laid if card.zone]

    return look


def measured(work: Work) -> Work:
    """The same with its plane measured by what there is; what was tried must be tried again."""
    plane, moved, fault = measure(work)
    return replace(work, plane=plane, moved=moved, plane_fault=fault, tried=frozenset())


def with_view(work: Work, seen: BoardView) -> Work:
    """The same with one more view; with enough of them the lens is fitted."""
    views = (*work.views, seen)
    work = replace(work, views=views, lens_by=LensBy.VIEWS, lens=None, found=None)
    if work.size is not None and len(views) >= optics.WANTED_VIEWS:
        try:
            found = optics.solve(views, work.size)
        except ValueError:
            found = None
        work = replace(work, found=found, lens=None if found is None else found.lens)
    return measured(work) if work.markers else work


def with_markers(work: Work, seen: Sequence[MarkerView]) -> Work | None:
    """The same with the markers averaged over one more look; None if they are known enough."""
    same = {each.number: each.corners for each in work.markers}
    still = bool(seen) and set(same) == {each.number for each in seen}
    still = still and all(
        float(np.abs(same[each.number] - each.corners).max()) <= SAME_PX for each in seen
    )
    if still and work.looks >= AVERAGED:
        return None
    looks = work.looks if still else 0
    mean = tuple(
        MarkerView(
            each.number,
            (same[each.number] * looks + each.corners) / (looks + 1) if looks else each.corners,
        )
        for each in seen
    )
    return measured(replace(work, markers=mean, looks=looks + 1))


def watched(work: Work, layout: Layout, image: Image) -> Layout:
    """The layout with features of the felt to watch, chosen in a picture of it without cards."""
    hide = [_paper(each.corners) for each in work.markers]
    plane = work.plane
    hull = None if plane is None else np.vstack([each.points_mm for each in plane.things])
    return replace(layout, watch=features(image, layout, hide, hull))


def _paper(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """The outline of a marker's white paper."""
    middle = quad.mean(axis=0)
    grown: NDArray[np.float64] = middle + (quad - middle) * PAPER
    return grown
