"""The lens: camera matrix and distortion from views of the printed board.

Ten views that reach all corners of the picture, some of them at an angle (vision-spike.md 6). The
size of the board's squares is of no matter here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.boards import board
from vision.calibration.detect import BoardView, Pixels
from vision.calibration.words import PARTS, Sentence, say
from vision.layout import Lens, distort, undistort

WANTED_VIEWS: Final = 10
MOST_VIEWS: Final = 24
LIMIT_PX: Final = 0.8
"""A lens whose model misses the corners by more on average is refused, at 1280 pixels of width and
below; a wider picture may miss by as much more as it is wider."""
ALIKE: Final = 0.04
"""A view whose corners all lie within this share of the picture's width of another's is the same
view."""
STILL: Final = 0.0015
"""Corners of two looks at a board that is held still differ by less than this share."""
RIM: Final = 0.25
"""A corner of the picture has been seen once a corner of the board lay so near to it, as a share of
width and height."""
FOCUS_SPREAD: Final = 0.01
"""The focal length must be known to this share (one sigma), or the views are too much alike."""
TILTED: Final = 12.0
WANTED_TILTED: Final = 3
"""So many views are tilted by at least so many degrees: views from straight ahead say nothing of
the focal length."""
GOOD_SHARE: Final = 0.4
"""Below this share of the limit no third radial term is tried."""
BENT_MORE: Final = 0.8
"""A third radial term is kept if it takes the error to this share of itself."""
ROUND_TRIP_PX: Final = 0.1
"""The model must be undone to this anywhere in the picture, or it folds the picture over."""


@dataclass(frozen=True, slots=True)
class FoundLens:
    """A lens, how well it explains the views, and how surely its focal length is known."""

    lens: Lens
    rms_px: float
    focus_spread: float
    tilts: tuple[float, ...] = ()
    """Degrees by which the board was tilted in each view."""

    @property
    def tilted(self) -> int:
        """Views in which the board was tilted enough to tell the focal length."""
        return sum(each >= TILTED for each in self.tilts)


def limit_px(size: tuple[int, int]) -> float:
    """The mean error that is allowed for pictures of this size."""
    return LIMIT_PX * max(1.0, max(size) / 1280)


def alike(one: BoardView, other: BoardView, within_px: float) -> bool:
    """Whether two views show the board in nearly the same place and at the same angle."""
    mine = dict(zip(one.numbers, one.corners, strict=True))
    both = [
        (mine[number], corner)
        for number, corner in zip(other.numbers, other.corners, strict=True)
        if number in mine
    ]
    if len(both) < 4:
        return False
    apart = np.asarray([first - second for first, second in both])
    return bool(np.hypot(apart[:, 0], apart[:, 1]).max() <= within_px)


def coverage(views: Sequence[BoardView], size: tuple[int, int]) -> list[list[int]]:
    """Views that reach into each part of the picture, three rows of three.

    The parts at the rim begin a quarter of the picture's side from it.
    """
    counts = [[0, 0, 0] for _ in range(3)]
    for view in views:
        share = view.corners / np.asarray(size, dtype=np.float64)
        place = np.where(share < RIM, 0, np.where(share > 1 - RIM, 2, 1))
        for column, row in {(int(x), int(y)) for x, y in place}:
            counts[row][column] += 1
    return counts


def missing(counts: list[list[int]]) -> list[str]:
    """The parts of the picture in which no board was seen, in words."""
    return [
        PARTS[row][column] for row in range(3) for column in range(3) if not counts[row][column]
    ]


def solve(views: Sequence[BoardView], size: tuple[int, int]) -> FoundLens:
    """Fit the lens to the views.

    Two radial and two tangential terms; a third radial one only where it explains much more, since
    it does harm beyond the outermost corners. The centre of the lens is fitted too.

    Raises:
        ValueError: if OpenCV finds no answer or the answer folds the picture; one sentence.
    """
    pattern = board()
    objects, images = [], []
    for view in views:
        numbers = np.asarray(view.numbers, dtype=np.int32).reshape(-1, 1)
        corners = np.asarray(view.corners, dtype=np.float32).reshape(-1, 1, 2)
        where, seen = pattern.matchImagePoints(list(corners), numbers)
        objects.append(np.asarray(where, dtype=np.float32))
        images.append(np.asarray(seen, dtype=np.float32))
    best: FoundLens | None = None
    for flags in (cv2.CALIB_FIX_K3, 0):
        if best is not None and best.rms_px < GOOD_SHARE * limit_px(size):
            break
        found = _fit(objects, images, size, flags)
        if _unfolds(found.lens, size) and (best is None or found.rms_px < BENT_MORE * best.rms_px):
            best = found
    if best is None:
        raise ValueError("the views contradict each other: forget them and show the board again")
    return best


def _fit(
    objects: list[NDArray[np.float32]],
    images: list[NDArray[np.float32]],
    size: tuple[int, int],
    flags: int,
) -> FoundLens:
    """One fit with OpenCV."""
    try:
        rms, matrix, bent, turns, _, spread, _, _ = cv2.calibrateCameraExtended(
            objects, images, size, np.eye(3), np.zeros(5), flags=flags
        )
    except cv2.error:
        raise ValueError("the views do not determine a lens: show the board again") from None
    focus = np.asarray(spread, dtype=np.float64).ravel()[:2] / (matrix[0, 0], matrix[1, 1])
    lens = Lens(
        tuple(float(each) for each in np.ravel(matrix)),
        tuple(float(each) for each in np.ravel(bent)[:5]),
    )
    tilts = tuple(_tilt(np.asarray(turn, dtype=np.float64)) for turn in turns)
    return FoundLens(lens, float(rms), float(np.abs(focus).max()), tilts)


def _tilt(turn: NDArray[np.float64]) -> float:
    """Degrees between a board's face and the way the camera looks."""
    spin, _ = cv2.Rodrigues(turn)
    return float(np.degrees(np.arccos(np.clip(abs(spin[2, 2]), 0, 1))))


def _unfolds(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether every pixel has one ideal place: along the whole rim the model is undone."""
    width, height = size
    along = np.linspace(0, 1, 15)
    rim = np.vstack(
        [np.column_stack([along * width, np.full(15, edge * height)]) for edge in (0, 1)]
        + [np.column_stack([np.full(15, edge * width), along * height]) for edge in (0, 1)]
    )
    with np.errstate(all="ignore"):
        # A model that folds runs away to infinity here, which is what is looked for.
        back = distort(lens, undistort(lens, rim))
    return bool(np.isfinite(back).all() and np.abs(back - rim).max() < ROUND_TRIP_PX)


def judge(
    views: Sequence[BoardView], size: tuple[int, int], found: FoundLens | None
) -> tuple[bool, Sentence]:
    """Whether the lens is good, and what to say of it."""
    count = len(views)
    if not count:
        return False, say("lens_show")
    gaps = missing(coverage(views, size))
    if gaps:
        where = ", ".join(gaps)
        return False, say("lens_missing", views=count, wanted=WANTED_VIEWS, where=where)
    if count < WANTED_VIEWS:
        return False, say("lens_more", views=count, wanted=WANTED_VIEWS)
    limit = limit_px(size)
    if found is None or found.rms_px > limit:
        shown = "?" if found is None else f"{found.rms_px:.2f}"
        return False, say("lens_bad", rms=shown, limit=f"{limit:.2f}")
    if found.focus_spread > FOCUS_SPREAD or found.tilted < WANTED_TILTED:
        return False, say("lens_tilt", views=count)
    return True, say("lens_good", views=count)


def straight(lens: Lens | None, points: Pixels) -> Pixels:
    """Points without the lens's bend."""
    return points if lens is None else undistort(lens, points)
