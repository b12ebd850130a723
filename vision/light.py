"""How bright the light is in each zone, compared with when the felt was empty.

Measured outside of the zones, so that white cards neither brighten nor darken it: a camera whose
exposure follows the cards, a lamp that drifts, and one of two lamps that goes off are all seen as
what they are.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.locate import Image

CELLS: Final = (4, 3)
"""The picture is divided into so many cells across and down, as lamps light one side more."""
POINTS: Final = 64
"""Points in each cell at which the light is measured."""
FEWEST: Final = 24
"""A cell with fewer points outside the zones takes its neighbours' light."""
LIMITS: Final = (0.4, 2.5)
"""The light is believed to be weaker or stronger by at most so much."""
FLOOR: Final = 4.0
"""Grey levels added to both, so that the noise of dark points stays small."""

Gains = NDArray[np.float64]


class Light:
    """Measures the light of each zone of a layout."""

    def __init__(self, layout: Layout, empty: Image) -> None:
        self._points = _points(layout)
        rows, columns, whole = self._points
        self._whole = whole
        self._lit = self._green(empty)
        self._cells = [at for at in range(len(whole)) if whole[at]]
        self._weights = _weights(layout, rows, columns, self._cells)

    def gains(self, frame: Image) -> Gains:
        """The gain of each zone of the layout; 1 is the light of the empty felt."""
        if not self._cells:
            return np.ones(len(self._weights))
        seen = self._green(frame)[self._cells]
        shares = np.median(seen / self._lit[self._cells], axis=1)
        return np.asarray(np.clip(self._weights @ shares, *LIMITS), dtype=np.float64)

    def _green(self, image: Image) -> NDArray[np.float32]:
        """Green at the points, one row for each cell."""
        rows, columns, _ = self._points
        return np.asarray(image[rows, columns, 1].astype(np.float32) + np.float32(FLOOR))


def _points(
    layout: Layout,
) -> tuple[NDArray[np.intp], NDArray[np.intp], list[bool]]:
    """Rows and columns of points outside all zones by cell, and which cells have enough."""
    width, height = layout.image
    mask = np.ones((height, width), dtype=np.uint8)
    for zone in layout.zones:
        corners = np.rint(layout.to_pixels(zone.polygon_mm)).astype(np.int32)
        cv2.fillPoly(mask, [corners], (0,))
    chance = np.random.default_rng(1)
    count = CELLS[0] * CELLS[1]
    rows = np.zeros((count, POINTS), dtype=np.intp)
    columns = np.zeros((count, POINTS), dtype=np.intp)
    whole = []
    for at in range(count):
        x0, x1 = (width * side // CELLS[0] for side in (at % CELLS[0], at % CELLS[0] + 1))
        y0, y1 = (height * side // CELLS[1] for side in (at // CELLS[0], at // CELLS[0] + 1))
        free_rows, free_columns = np.nonzero(mask[y0:y1:4, x0:x1:4])
        whole.append(len(free_rows) >= FEWEST)
        if whole[-1]:
            chosen = chance.integers(0, len(free_rows), POINTS)
            rows[at], columns[at] = free_rows[chosen] * 4 + y0, free_columns[chosen] * 4 + x0
    return rows, columns, whole


def _weights(
    layout: Layout, rows: NDArray[np.intp], columns: NDArray[np.intp], cells: list[int]
) -> Gains:
    """How much each cell's light counts for each zone: the nearer, the more."""
    reach = layout.image[0] / CELLS[0] / 2
    weights = np.zeros((len(layout.zones), len(cells)))
    for number, zone in enumerate(layout.zones):
        middle = layout.to_pixels([np.mean(zone.polygon_mm, axis=0)])[0]
        for place, at in enumerate(cells):
            away = np.hypot(columns[at].mean() - middle[0], rows[at].mean() - middle[1])
            weights[number, place] = 1 / (1 + (away / reach) ** 2) ** 2
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)
