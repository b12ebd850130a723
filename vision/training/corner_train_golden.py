"""A made-up picture with which the corner nets are compared on every version of OpenCV.

Whole-number arithmetic only, so that the picture is the same everywhere.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.corners import Corner, Corners

SEED: Final = 20_262
TOLERANCE: Final = 0.08
"""Answers may differ by so much: versions of OpenCV round differently."""
SIDE: Final = 64
PLACES: Final = (
    Corner(x=20, y=22, angle=0.0, high=22, score=1.0),
    Corner(x=40, y=30, angle=1.0, high=30, score=1.0),
)
"""Where J is asked."""


def picture() -> NDArray[np.uint8]:
    """64 by 64: blocks of ink on paper."""
    rng = np.random.default_rng(SEED)
    out = np.full((SIDE, SIDE, 3), int(rng.integers(200, 256)), np.uint8)
    for _ in range(9):
        y, x = (int(v) for v in rng.integers(0, 48, 2))
        out[y : y + 12, x : x + 8] = rng.integers(0, 140, 3).astype(np.uint8)
    return out


def answers(corners: Corners) -> dict[str, NDArray[np.float32]]:
    """What the nets say: D's map at every other cell, J's logits with `there` as a probability."""
    image = picture()
    votes = corners.read(image, PLACES)
    said = [np.concatenate([vote.ranks, vote.suits, [vote.there]]) for vote in votes]
    return {"d": corners.answer(image)[:, ::4, ::4], "j": np.array(said, np.float32)}
