"""Small grey pictures of cards: whether a card still looks as it did when it was read."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Image

Small = NDArray[np.float32]
"""Grey levels of a card's cells, shape (29, 21), as if paper were 200."""
CELLS: Final = (21, 29)
"""Width and height of a small picture."""
SAME: Final = 36.0
"""A cell that differs by so much does not show the same any more."""
PAPER: Final = 200.0


def shrink(crop: Image) -> Small:
    """A small grey picture of a card, in even light."""
    grey = cv2.resize(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), CELLS, interpolation=cv2.INTER_AREA)
    small = np.asarray(grey, dtype=np.float32)
    return np.asarray(small * (PAPER / max(20.0, float(np.percentile(small, 80)))), np.float32)


def same(one: Small, other: Small) -> bool:
    """Whether two small pictures show the same print; their rims are left out."""
    return float(np.abs(one - other)[1:-1, 1:-1].max()) < SAME


def differing(one: Small, other: Small) -> NDArray[np.bool_]:
    """The cells in which two small pictures differ; the rim never does."""
    cells = np.abs(one - other) >= SAME
    cells[[0, -1]] = False
    cells[:, [0, -1]] = False
    return np.asarray(cells, dtype=np.bool_)
