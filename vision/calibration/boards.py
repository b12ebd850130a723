"""The board and the markers that calibration looks for: what they are, in exact millimetres.

Both use OpenCV's dictionary of 4 × 4 bits with 50 words: the markers have the words 1 to 12, which
are also their printed numbers, the board those from 20 on, so that neither is taken for the other.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.calibration.sheets import A3, A4, LETTER, Box, Line, Paper, Sheet, Text

DICTIONARY: Final = cv2.aruco.DICT_4X4_50
MARKERS: Final = tuple(range(1, 13))
"""Words of the markers that lie on the felt."""
MARKER_MM: Final = 70.0
"""Side of a marker's black square; the study found 60 mm to be the least (vision-spike.md 6)."""
BOARD_FIRST: Final = 20
COLUMNS: Final = 9
ROWS: Final = 6
INNER: Final = (COLUMNS - 1) * (ROWS - 1)
"""Corners of the board that can be seen."""
MARKER_SHARE: Final = 0.75
"""A marker of the board is this part of its square."""
SQUARE_MM: Final = {A4: 28.0, LETTER: 28.0, A3: 42.0}
"""Side of the board's squares on each paper."""
CELLS: Final = 6
"""A marker is four bits and a black rim wide."""
CHECK_MM: Final = 100.0
"""Length of the line by which a print is checked."""
CHECK_UP_MM: Final = 14.0
"""Height of that line over the lower edge of the paper."""
PER_SHEET: Final = (2, 3)
"""Columns and rows of markers on a sheet."""
CELL_MM: Final = (92.0, 84.0)
"""What one marker takes of a sheet: itself, the white rim that it needs, and a cutting line."""


@lru_cache(maxsize=1)
def dictionary() -> cv2.aruco.Dictionary:
    """The words that markers may have."""
    return cv2.aruco.getPredefinedDictionary(DICTIONARY)


@lru_cache(maxsize=4)
def board(square_mm: float = 28.0) -> cv2.aruco.CharucoBoard:
    """The board with squares of this side; of no matter to a lens, which knows no distances."""
    words = np.arange(BOARD_FIRST, BOARD_FIRST + COLUMNS * ROWS // 2)
    size = (COLUMNS, ROWS)
    return cv2.aruco.CharucoBoard(
        size, square_mm, square_mm * MARKER_SHARE, dictionary(), np.asarray(words)
    )


def marker_corners(side_mm: float = MARKER_MM) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Corners of a marker about its middle, clockwise from its upper left, shape (4, 2)."""
    return np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float64) * side_mm / 2


@dataclass(frozen=True, slots=True)
class Printed:
    """Sheets to print and what to call their file."""

    name: str
    sheets: tuple[Sheet, ...]


def board_sheets(paper: Paper) -> Printed:
    """The board on one sheet, with its check line."""
    square = SQUARE_MM[paper]
    width, height = max(paper.size_mm), min(paper.size_mm)
    left = (width - COLUMNS * square) / 2
    top = (height - CHECK_UP_MM - 4 - ROWS * square) / 2
    pattern = board(square)
    with_marker = set()
    boxes: list[Box] = []
    for word, corners in zip(np.ravel(pattern.getIds()), pattern.getObjPoints(), strict=True):
        x, y = (float(each) for each in np.asarray(corners)[0][:2])
        with_marker.add((int(x // square), int(y // square)))
        boxes += _bits(int(word), left + x, top + y, square * MARKER_SHARE)
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (column, row) not in with_marker:
                boxes.append(Box(left + column * square, top + row * square, square, square))
    words = f"Cutcard board, {COLUMNS} × {ROWS} squares of {square:g} mm."
    sheet = Sheet((width, height), (*boxes, *_check(width, height, words)))
    return Printed(f"cutcard-board-{paper.name}", (sheet,))


def marker_sheets(paper: Paper) -> Printed:
    """All markers, six to a sheet, with numbers, cutting lines and check lines."""
    if paper is A3:
        paper = A4
    width, height = paper.size_mm
    columns, rows = PER_SHEET
    each = columns * rows
    sheets = []
    for first in range(0, len(MARKERS), each):
        shapes: list[Box | Line | Text] = []
        for place, word in enumerate(MARKERS[first : first + each]):
            x = (width - columns * CELL_MM[0]) / 2 + place % columns * CELL_MM[0]
            y = 5 + place // columns * CELL_MM[1]
            shapes += _one_marker(word, x, y)
        words = f"Cutcard markers of {MARKER_MM:g} mm, cut along the thin lines."
        sheets.append(Sheet((width, height), (*shapes, *_check(width, height, words))))
    return Printed(f"cutcard-markers-{paper.name}", tuple(sheets))


def _one_marker(word: int, x: float, y: float) -> list[Box | Line | Text]:
    """A marker with its number, in its cell."""
    inset = ((CELL_MM[0] - MARKER_MM) / 2, (CELL_MM[1] - MARKER_MM) / 2)
    edges = [(x, y), (x + CELL_MM[0], y), (x + CELL_MM[0], y + CELL_MM[1]), (x, y + CELL_MM[1])]
    cuts = [Line(*edges[side], *edges[(side + 1) % 4]) for side in range(4)]
    number = Text(x + 2, y + CELL_MM[1] - 2, 5, f"{word}")
    return [*_bits(word, x + inset[0], y + inset[1], MARKER_MM), number, *cuts]


def marker_boxes(word: int) -> tuple[Box, ...]:
    """The black of a marker about its own middle, in millimetres."""
    return tuple(_bits(word, -MARKER_MM / 2, -MARKER_MM / 2, MARKER_MM))


def _bits(word: int, x: float, y: float, side: float) -> list[Box]:
    """The black cells of a marker, one box for each run of them in a row."""
    cells = cv2.aruco.generateImageMarker(dictionary(), word, CELLS)
    cell = side / CELLS
    boxes = []
    for row, line in enumerate(np.asarray(cells) == 0):
        column = 0
        while column < CELLS:
            run = column
            while run < CELLS and line[run]:
                run += 1
            if run > column:
                boxes.append(Box(x + column * cell, y + row * cell, (run - column) * cell, cell))
            column = run + 1
    return boxes


def _check(width: float, height: float, words: str) -> list[Line | Text]:
    """A line of exactly 100 mm, and what to do with it."""
    left = (width - CHECK_MM) / 2
    y = height - CHECK_UP_MM
    ends = [Line(x, y - 2, x, y + 2) for x in (left, left + CHECK_MM)]
    told = f"{words} Print at 100 %: this line is {CHECK_MM:g} mm long."
    return [Line(left, y, left + CHECK_MM, y), *ends, Text(left - 22, y + 6, 3.4, told)]
