"""A table for calibrating and enrolling without a camera: ``source = "synthetic:calibrate"``.

What it shows follows the page's own words, as a person's hands would: `follow` is given each answer
of the calibration (`vision.calibration.session`) and shows

- in step lens: the printed board, held still in one place and tilt until it was taken, then in the
  next, until all of the picture has been seen;
- in steps camera, plane and zones: the felt, tilted, with its print and markers;
- in step try: the same with a card face up in the middle of each zone.

`show` lays one card in the middle of the felt and nothing else, for enrolment. All of it through a
lens that bends, with noise. What is shown is known (`view`, `MARKS_AT`), so tests have the truth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import PACK
from vision.calibration.boards import (
    CELLS,
    COLUMNS,
    MARKER_MM,
    ROWS,
    SQUARE_MM,
    board_sheets,
    marker_boxes,
)
from vision.calibration.sheets import A4, Box
from vision.layout import CARD_MM, Layout, Lens, undistort
from vision.locate import Image
from vision.synthetic.deck import corner_mask, printed

Array = NDArray[np.float64]

IMAGE: Final = (1600, 900)
FELT_MM: Final = (1060.0, 640.0)
"""The felt of the bench."""
FINE: Final = 2.5
"""Pixels to the millimetre of what is drawn before the camera sees it."""
FELT: Final = (58, 96, 26)
PRINT: Final = (150, 205, 214)
FLOOR: Final = (30, 34, 38)
PAPER: Final = (236, 240, 240)
BLACK: Final = (26, 24, 24)
NOISE: Final = 2.0
SOFT: Final = 0.8
"""One sigma of the softness of what is drawn, in its own pixels."""
CELL: Final = 40
"""Pixels to the unit of an exact drawing: a marker's bit, an eighth of a square."""
LENS: Final = Lens((1262.0, 0, 812, 0, 1262, 441, 0, 0, 1), (-0.08, 0.012, 0.0006, -0.0004, 0.0))
"""An ordinary webcam's: barrel distortion, its middle not quite in the picture's."""
TILT: Final = 14.0
"""Degrees by which the camera looks along the table instead of straight down."""
AWAY_MM: Final = 900.0
"""Distance from the lens to the middle of the felt."""
AIM: Final = 0.53
"""The camera looks at this share of the felt's depth, as its lower edge looks larger."""
GRID: Final = 8
"""The lens is undone at each eighth pixel and in between by straight lines: to 0.003 pixels."""
MARKS_AT: Final = {
    1: (62.0, 62.0),
    2: (530.0, 56.0),
    3: (998.0, 62.0),
    4: (990.0, 578.0),
    5: (540.0, 584.0),
    6: (66.0, 578.0),
}
"""Markers that lie on the bench's felt: number and middle in millimetres."""
BOXES: Final = (
    (112, 132, 352, 124),
    (476, 134, 352, 122),
    (284, 326, 494, 222),
    (838, 134, 112, 154),
)
"""The printed boxes of the bench's felt: left, top, width and height in millimetres."""
WORDS: Final = (
    ("PLAYER", 200, 300, 2.4),
    ("BANKER", 560, 300, 2.4),
    ("BURN", 190, 400, 1.6),
    ("TIE PAYS 8 TO 1", 300, 600, 1.6),
    ("NO. 7", 860, 420, 1.8),
    ("PUNTO BANCO", 640, 606, 1.8),
    ("CUTCARD", 130, 520, 1.4),
    ("SHOE", 860, 500, 1.4),
)
"""Its printed words: text, left and baseline in millimetres, and size."""
MARKS_TURN: Final = {1: 2.0, 2: -3.0, 3: 1.0, 4: 5.0, 5: -2.0, 6: 0.5}
BOARD_AT: Final = (
    (0.50, 0.50, 480, 0, 0),
    (0.24, 0.27, 500, 16, -14),
    (0.50, 0.26, 520, -24, 4),
    (0.76, 0.27, 500, 16, 18),
    (0.76, 0.50, 520, -6, 30),
    (0.76, 0.73, 500, -18, 16),
    (0.50, 0.74, 520, 26, -6),
    (0.24, 0.73, 500, -18, -18),
    (0.24, 0.50, 520, 4, -30),
    (0.45, 0.45, 430, 32, 10),
    (0.55, 0.55, 430, -30, -12),
    (0.40, 0.60, 620, 12, 36),
    (0.60, 0.40, 620, -10, -38),
    (0.50, 0.50, 400, 8, 6),
    (0.30, 0.70, 560, 28, 24),
    (0.70, 0.30, 560, -28, -24),
)
"""Where the board is held: its middle as shares of the picture, its distance in millimetres, and
its tilt about the picture's x and y in degrees."""


@dataclass(frozen=True, slots=True)
class View:
    """A simulated camera over a felt: the truth that a calibration must find."""

    image: tuple[int, int]
    lens: Lens
    plane: tuple[float, ...]
    """Millimetres on the felt to undistorted pixels."""

    def layout(self, game: str = "baccarat") -> Layout:
        """The true layout, without zones."""
        return Layout(game=game, image=self.image, plane=self.plane, zones=(), lens=self.lens)


def over(
    felt_mm: tuple[float, float],
    image: tuple[int, int] = IMAGE,
    lens: Lens = LENS,
    *,
    tilt: float = TILT,
    away_mm: float = AWAY_MM,
) -> View:
    """A camera that looks at the middle of a felt from the players' side."""
    lean = np.radians(tilt)
    turn = np.asarray(
        [[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]]
    )
    middle = np.asarray((felt_mm[0] / 2, felt_mm[1] * AIM, 0))
    move = np.asarray((0, 0, away_mm)) - turn @ middle
    plane = np.asarray(lens.matrix).reshape(3, 3) @ np.column_stack([turn[:, 0], turn[:, 1], move])
    return View(image, lens, tuple(float(each) for each in (plane / plane[2, 2]).ravel()))


@lru_cache(maxsize=4)
def _ideal(image: tuple[int, int], lens: Lens) -> Array:
    """The undistorted place of each eighth pixel, shape (rows, columns, 2)."""
    wide, high = (each // GRID + 2 for each in image)
    x, y = np.meshgrid(np.arange(wide) * GRID, np.arange(high) * GRID)
    points = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)
    return undistort(lens, points).reshape(high, wide, 2)


@lru_cache(maxsize=4)
def _between(image: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where each pixel lies in a grid of each eighth."""
    x, y = (np.arange(each, dtype=np.float32) / GRID for each in image)
    across, down = np.meshgrid(x, y)
    return np.asarray(across, dtype=np.float32), np.asarray(down, dtype=np.float32)


def seen(view: View, drawn: Image, plane: Array, under: Image | None = None) -> Image:
    """What a camera sees of a flat drawing, of `FINE` pixels to the millimetre, before noise."""
    back = np.linalg.inv(plane)
    whole = _ideal(view.image, view.lens) @ back[:, :2].T + back[:, 2]
    at = whole[..., :2] / whole[..., 2:] * FINE - 0.5
    # Behind the camera nothing is seen.
    at[whole[..., 2] * np.sign(back[2, 2] + 1e-12) <= 0] = -9e3
    grid = at.astype(np.float32)
    at_x, at_y = (
        cv2.remap(np.ascontiguousarray(grid[..., axis]), *_between(view.image), cv2.INTER_LINEAR)
        for axis in (0, 1)
    )
    out = cv2.remap(
        cv2.GaussianBlur(drawn, (0, 0), SOFT),
        at_x,
        at_y,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=FLOOR,
    )
    if under is None:
        return np.asarray(out, dtype=np.uint8)
    inside = cv2.remap(np.full(drawn.shape[:2], 255, np.uint8), at_x, at_y, cv2.INTER_NEAREST)
    return np.asarray(cv2.copyTo(out, inside, under.copy()), dtype=np.uint8)


def draw_felt(felt_mm: tuple[float, float]) -> Image:
    """An empty felt with a print."""
    wide, high = (round(each * FINE) for each in felt_mm)
    flat = np.empty((high, wide, 3), dtype=np.uint8)
    flat[:] = FELT
    rng = np.random.default_rng(5)
    fibre = cv2.GaussianBlur(rng.normal(0, 14, (high, wide)).astype(np.float32), (0, 0), 1.5)
    flat = np.asarray(np.clip(flat + fibre[..., None], 0, 255), dtype=np.uint8)
    for x, y, width, height in BOXES:
        corners = np.rint(np.asarray([(x, y), (x + width, y + height)]) * FINE).astype(int)
        cv2.rectangle(flat, tuple(corners[0]), tuple(corners[1]), PRINT, 4, cv2.LINE_AA)
    for words, x, y, size in WORDS:
        where = (round(x * FINE), round(y * FINE))
        cv2.putText(flat, words, where, cv2.FONT_HERSHEY_TRIPLEX, size, PRINT, 3, cv2.LINE_AA)
    return flat


def draw_boxes(boxes: Sequence[Box], unit_mm: float, size_mm: tuple[float, float]) -> Image:
    """Print boxes whose rims are whole multiples of a unit: exact, `CELL` pixels to the unit."""
    wide, high = (round(each / unit_mm) * CELL for each in size_mm)
    flat = np.empty((high, wide, 3), dtype=np.uint8)
    flat[:] = PAPER
    for box in boxes:
        x0, y0 = (round(each / unit_mm) * CELL for each in (box.x, box.y))
        x1, y1 = (round(each / unit_mm) * CELL for each in (box.x + box.width, box.y + box.height))
        flat[y0:y1, x0:x1] = BLACK
    return flat


def lay(
    flat: Image,
    drawn: Image,
    size_mm: tuple[float, float],
    at_mm: tuple[float, float],
    turn: float,
    cover: NDArray[np.float32] | None = None,
) -> None:
    """Lay a drawing of that size onto another, its middle there and turned clockwise."""
    high, wide = drawn.shape[:2]
    lean = np.radians(turn)
    spin = np.asarray([[np.cos(lean), np.sin(lean)], [-np.sin(lean), np.cos(lean)]])
    half = np.asarray(size_mm) / 2
    corners = np.asarray([(-1, -1), (1, -1), (1, 1)]) * half @ spin + at_mm
    source = np.asarray([(0, 0), (wide, 0), (wide, high)], dtype=np.float32) - np.float32(0.5)
    matrix = cv2.getAffineTransform(source, (corners * FINE - 0.5).astype(np.float32))
    reach = float(np.hypot(*half)) + 2
    x0, y0 = (max(0, int((each - reach) * FINE)) for each in at_mm)
    x1, y1 = (int((each + reach) * FINE) for each in at_mm)
    matrix[:, 2] -= (x0, y0)
    there = flat[y0:y1, x0:x1]
    size = (there.shape[1], there.shape[0])
    laid = cv2.warpAffine(drawn, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    whole = np.ones((high, wide), dtype=np.float32) if cover is None else cover
    part = np.asarray(cv2.warpAffine(whole, matrix, size), dtype=np.float32)[..., None]
    there[:] = np.clip(there * (1 - part) + laid * part, 0, 255).astype(np.uint8)


def draw_marker(flat: Image, number: int, at_mm: tuple[float, float], turn: float) -> None:
    """Lay a marker with its white rim onto a drawn felt."""
    cell = MARKER_MM / CELLS
    size = (MARKER_MM + 2 * cell, MARKER_MM + 2 * cell)
    boxes = [
        Box(box.x + size[0] / 2, box.y + size[1] / 2, box.width, box.height)
        for box in marker_boxes(number)
    ]
    lay(flat, draw_boxes(boxes, cell, size), size, at_mm, turn)


def draw_card(flat: Image, code: str, at_mm: tuple[float, float], turn: float = 0.0) -> None:
    """Lay a card onto a drawn felt; `turn` in degrees, clockwise."""
    lay(flat, printed(code), CARD_MM, at_mm, turn, corner_mask())


@lru_cache(maxsize=1)
def draw_board() -> Image:
    """The printed board on its paper."""
    sheet = board_sheets(A4).sheets[0]
    wide, high = (round(each * FINE) for each in sheet.size_mm)
    flat = np.empty((high, wide, 3), dtype=np.uint8)
    flat[:] = PAPER
    boxes = [each for each in sheet.shapes if isinstance(each, Box)]
    left, top = min(each.x for each in boxes), min(each.y for each in boxes)
    size = (COLUMNS * SQUARE_MM[A4], ROWS * SQUARE_MM[A4])
    moved = [Box(each.x - left, each.y - top, each.width, each.height) for each in boxes]
    middle = (left + size[0] / 2, top + size[1] / 2)
    lay(flat, draw_boxes(moved, SQUARE_MM[A4] / 8, size), size, middle, 0.0)
    return flat


def board_plane(
    view: View, x: float, y: float, away_mm: float, tilt_x: float, tilt_y: float
) -> Array:
    """The homography of the board's paper, held there (see `BOARD_AT`)."""
    matrix = np.asarray(view.lens.matrix).reshape(3, 3)
    turn_x, _ = cv2.Rodrigues(np.asarray((np.radians(tilt_x), 0, 0)))
    turn_y, _ = cv2.Rodrigues(np.asarray((0, np.radians(tilt_y), 0)))
    turn = turn_x @ turn_y
    pixel = np.asarray((x * view.image[0], y * view.image[1], 1.0))
    middle = np.linalg.inv(matrix) @ pixel * away_mm
    size = np.asarray(board_sheets(A4).sheets[0].size_mm)
    move = middle - turn @ np.append(size / 2, 0)
    return np.asarray(matrix @ np.column_stack([turn[:, 0], turn[:, 1], move]), dtype=np.float64)


class BenchScene:
    """The bench; `frame` gives the next picture of its sensor."""

    def __init__(
        self, view: View | None = None, felt_mm: tuple[float, float] = FELT_MM, *, seed: int = 0
    ) -> None:
        """Begin with the felt and its markers."""
        self.view = over(felt_mm) if view is None else view
        self._felt_mm = felt_mm
        self._rng = np.random.default_rng(seed)
        size = (self.view.image[1] + 40, self.view.image[0] + 40, 3)
        noise = self._rng.standard_normal(size, dtype=np.float32) * NOISE + 128.5
        self._noise = np.clip(noise, 0, 255).astype(np.uint8)
        self._held = 0
        self._told: object = None
        self._plane = np.asarray(self.view.plane).reshape(3, 3)
        self._bare = draw_felt(felt_mm)
        self._marked = self._bare.copy()
        for number, at_mm in MARKS_AT.items():
            draw_marker(self._marked, number, at_mm, MARKS_TURN[number])
        self._felt = seen(self.view, self._marked, self._plane)
        self._clean = self._felt

    def frame(self) -> Image:
        """The next frame: what is shown, and the sensor's noise."""
        x, y = (int(each) for each in self._rng.integers(0, 40, 2))
        height, width = self._clean.shape[:2]
        noise = self._noise[y : y + height, x : x + width]
        return np.asarray(cv2.addWeighted(self._clean, 1.0, noise, 1.0, -128.0), dtype=np.uint8)

    def follow(self, answer: Mapping[str, Any]) -> None:
        """Show what the calibration's answer asks for."""
        step = answer.get("step")
        if step == "lens":
            taken = answer["lens"]["sentence"]["code"] in {"board_taken", "board_same"}
            done = any(each["id"] == "lens" and each["done"] for each in answer["steps"])
            self._held += taken and self._told == "lens"
            if done:
                self._clean = self._felt
            else:
                self.hold_board(self._held % len(BOARD_AT))
        elif step == "try":
            at = [np.mean(zone["polygon_px"], axis=0) for zone in answer["zones"] if zone["slots"]]
            if self._told != (len(at), str(at)):
                self.lay_cards(at)
            self._told = (len(at), str(at))
            return
        else:
            self._clean = self._felt
        self._told = step

    def hold_board(self, place: int) -> None:
        """Hold the board in one of its places."""
        plane = board_plane(self.view, *BOARD_AT[place])
        self._clean = seen(self.view, draw_board(), plane, self._felt)

    def lay_cards(self, at_px: Sequence[Array]) -> None:
        """Lay a card at each of these pixels, and no other."""
        flat = self._marked.copy()
        there = self.view.layout().to_mm(at_px) if len(at_px) else np.zeros((0, 2))
        for number, (x, y) in enumerate(there):
            card = PACK[(7 + 5 * number) % len(PACK)]
            draw_card(flat, card.code, (float(x), float(y)), 2.0 * (number % 3 - 1))
        self._clean = seen(self.view, flat, self._plane)

    def show(self, code: str | None, turn: float = 0.0) -> None:
        """Lay one card in the middle of the felt, without markers; none takes it away."""
        flat = self._bare.copy()
        if code is not None:
            middle = (self._felt_mm[0] / 2, self._felt_mm[1] / 2)
            draw_card(flat, code, middle, turn)
        self._clean = seen(self.view, flat, self._plane)
