"""Small made-up pictures with which a net's output is compared on every version of OpenCV.

Whole-number arithmetic only, so that the pictures are the same everywhere.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

SEED: Final = 20_261
COUNT: Final = 4
TOLERANCE: Final = 0.08
"""Logits may differ by so much: versions of OpenCV round differently."""


def pictures() -> list[NDArray[np.uint8]]:
    """Four crops of 176 by 126: coloured blocks on paper, roughly where a card has ink."""
    rng = np.random.default_rng(SEED)
    out = []
    for _ in range(COUNT):
        crop = np.full((176, 126, 3), int(rng.integers(200, 256)), np.uint8)
        ink = rng.integers(0, 120, 3).astype(np.uint8)
        crop[8:22, 6:16] = ink
        crop[26:36, 7:15] = ink
        crop[154:168, 110:120] = ink
        for _ in range(int(rng.integers(1, 8))):
            y, x = int(rng.integers(20, 150)), int(rng.integers(30, 90))
            crop[y : y + 20, x : x + 16] = ink
        out.append(crop)
    return out
