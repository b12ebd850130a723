"""Finding the board and the markers in a picture, and what is wrong where they are not found."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.boards import BOARD_FIRST, CELLS, INNER, MARKERS, board, dictionary
from vision.calibration.words import Sentence, say
from vision.locate import Image

Pixels = NDArray[np.float64]
"""Points of shape (n, 2), in pixels of the frame."""

ENOUGH_CORNERS: Final = 16
"""A view of the board has at least so many of its 40 corners."""
FEW_CORNERS: Final = 4
SIDE: Final = (0.12, 0.88)
"""The part of a marker's side along which its edge is measured, from corner to corner."""
SAMPLES: Final = 24
STEPS: Final = 13
ACROSS_PX: Final = 3.0
"""An edge is looked for so far to each side of where it seems to be."""
STRAY_PX: Final = 0.5
MOVED_PX: Final = 1.5
"""Sides that meet farther from the corner that was found are not that marker's."""
CLICK_PX: Final = 6
"""A clicked point is moved by at most so much to the nearest corner of the print."""
DARK: Final = 40.0
BURNT: Final = 245
BURNT_SHARE: Final = 0.25
SHARP: Final = 4.0
"""Variance of the Laplacian of a picture that shows any sharp edge at all."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """Corners of the board in one picture, by their numbers."""

    numbers: tuple[int, ...]
    corners: Pixels


@dataclass(frozen=True, slots=True)
class MarkerView:
    """One marker: its number and its corners, clockwise from its printed upper left."""

    number: int
    corners: Pixels


@lru_cache(maxsize=1)
def _markers() -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 4
    settings.cornerRefinementMinAccuracy = 0.01
    settings.cornerRefinementMaxIterations = 60
    return cv2.aruco.ArucoDetector(dictionary(), settings)


@lru_cache(maxsize=1)
def _board() -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(board())


def grey(image: Image) -> Image:
    """The picture without colour."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def find_board(image: Image) -> BoardView | Sentence:
    """The board's corners, or what is wrong."""
    flat = grey(image)
    quads, words = _all(flat)
    mine = [(quad, word) for quad, word in zip(quads, words, strict=True) if word >= BOARD_FIRST]
    if not mine:
        strange = any(word not in MARKERS for word in words)
        if strange:
            return say("board_other")
        return say("board_mirrored" if _mirrored(flat, least=BOARD_FIRST) else "board_none")
    numbers = [word for _, word in mine]
    if len(set(numbers)) < len(numbers):
        return say("board_two")
    if max(numbers) >= BOARD_FIRST + len(board().getIds()):
        return say("board_other")
    found = [np.asarray(quad, dtype=np.float32).reshape(1, 4, 2) for quad, _ in mine]
    corners, given, _, _ = _board().detectBoard(
        flat, markerCorners=found, markerIds=np.asarray(numbers, dtype=np.int32).reshape(-1, 1)
    )
    ids = _numbers(given)
    if len(ids) < ENOUGH_CORNERS:
        # Ours has a corner between each two of its markers: many markers and none is another board.
        strange = len(numbers) >= INNER // 4 and len(ids) < FEW_CORNERS
        return say("board_other" if strange else "board_part")
    points = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
    return BoardView(tuple(ids), points)


def find_markers(image: Image) -> tuple[MarkerView, ...] | Sentence:
    """The markers on the felt by number, or what is wrong."""
    flat = grey(image)
    quads, words = _all(flat)
    seen = [(word, quad) for quad, word in zip(quads, words, strict=True) if word in MARKERS]
    if not seen and _mirrored(flat, least=1):
        return say("plane_mirrored")
    numbers = [word for word, _ in seen]
    twice = next((word for word in numbers if numbers.count(word) > 1), None)
    if twice is not None:
        return say("plane_twice", worst=str(twice))
    return tuple(
        MarkerView(word, _sharpened(flat, quad))
        for word, quad in sorted(seen, key=lambda each: each[0])
    )


def _sharpened(flat: Image, quad: Pixels) -> Pixels:
    """A marker's corners as the meetings of its sides, each side fitted along its middle part.

    At a corner itself softness rounds the black off and draws it in by a tenth of a pixel, which
    would make every marker, and so the whole felt, a part in five hundred too small.
    """
    nexts = np.roll(quad, -1, axis=0)
    shortest = float(np.hypot(*(nexts - quad).T).min())
    # The next bit of the marker must stay out of sight.
    reach = min(ACROSS_PX, shortest / CELLS / 2)
    lines = []
    for start, end in zip(quad, nexts, strict=True):
        along = (end - start) / max(1.0, float(np.hypot(*(end - start))))
        across = np.asarray((-along[1], along[0]))
        part = np.linspace(*SIDE, SAMPLES)[:, None]
        on_side = start + (end - start) * part
        steps = np.linspace(-reach, reach, STEPS)
        grid = (on_side[:, None] + across * steps[None, :, None]).astype(np.float32)
        seen = cv2.remap(flat, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
        slopes = np.abs(np.gradient(np.asarray(seen, dtype=np.float64), axis=1))
        slopes[slopes < 0.2 * slopes.max(axis=1, keepdims=True)] = 0
        shift = (slopes * steps).sum(axis=1) / np.maximum(1e-9, slopes.sum(axis=1))
        good = np.abs(shift - np.median(shift)) <= STRAY_PX
        if good.sum() < SAMPLES // 3:
            return quad
        points = on_side[good] + across * shift[good, None]
        middle = points.mean(axis=0)
        lines.append((middle, np.linalg.svd(points - middle)[2][0]))
    corners = []
    for at in range(4):
        (a, u), (b, v) = lines[at - 1], lines[at]
        both = np.column_stack([u, -v])
        if abs(float(np.linalg.det(both))) < 0.1:
            return quad
        corners.append(a + u * np.linalg.solve(both, b - a)[0])
    found = np.asarray(corners)
    return found if float(np.abs(found - quad).max()) <= MOVED_PX else quad


def _all(flat: Image) -> tuple[list[Pixels], list[int]]:
    """Corners and words of everything that looks like a marker."""
    corners, ids, _ = _markers().detectMarkers(flat)
    return [np.asarray(each, dtype=np.float64).reshape(4, 2) for each in corners], _numbers(ids)


def _numbers(ids: object) -> list[int]:
    """Numbers that OpenCV found; with none it gives None, whatever its types say."""
    return [] if ids is None else [int(each) for each in np.ravel(np.asarray(ids))]


def _mirrored(flat: Image, *, least: int) -> bool:
    """Whether the picture shows ours once it is turned over; two, as one may be chance."""
    _, words = _all(np.ascontiguousarray(flat[:, ::-1]))
    return sum(word >= least for word in words) >= 2


def refine_click(image: Image, at: tuple[float, float]) -> tuple[float, float]:
    """A clicked point, moved to the corner of the print under it where there is one."""
    flat = grey(image)
    height, width = flat.shape
    margin = CLICK_PX + 2
    if not (margin <= at[0] < width - margin and margin <= at[1] < height - margin):
        return at
    points = np.asarray([[at]], dtype=np.float32)
    rule = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 0.01)
    moved = cv2.cornerSubPix(flat, points, (CLICK_PX, CLICK_PX), (-1, -1), rule)
    x, y = (float(each) for each in np.ravel(moved))
    if not np.hypot(x - at[0], y - at[1]) <= CLICK_PX:
        return at
    return x, y


def judge_picture(image: Image) -> Sentence:
    """Whether a picture is fit to calibrate by."""
    height, width = image.shape[:2]
    flat = grey(image)
    small = flat[::4, ::4]
    if float(small.mean()) < DARK:
        return say("camera_dark")
    if float((small >= BURNT).mean()) > BURNT_SHARE:
        return say("camera_burnt")
    edges = np.asarray(cv2.Laplacian(cv2.GaussianBlur(flat, (0, 0), 1.2), cv2.CV_32F))
    if float(edges.var()) < SHARP * (float(flat.mean()) / 100) ** 2:
        return say("camera_blurred")
    if width < 1280 and height < 1280:
        return say("camera_small", width=width, height=height)
    return say("camera_good")
