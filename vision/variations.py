"""One view of a card as other light, focus and cuts would show it: what enrolment learns from.

A studio shows each card once. From that one crop some dozens are made that differ as two looks of
a calibrated camera differ: brightness, colour and slope of the light, focus, resolution, grain,
corners that are a little wrong, either way up. Nothing here knows what the card is.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import CROP, Crop

COUNT: Final = 24
"""Variations of one view, half of them upside down (vision-spike.md 2.3)."""
CORNER: Final = 0.018
"""One sigma of a corner's error, as a share of the card's width; the eye's own is under 0.01."""
GAIN: Final = (0.6, 1.25)
"""The light may be so much weaker or stronger."""
CAST: Final = 0.10
"""Each colour may differ by so much more."""
SLOPE: Final = 0.45
"""From one edge to the other the light may change by at most this part."""
GAMMA: Final = (0.75, 1.3)
SOFT: Final = (0.3, 1.5)
"""One sigma of the blur in pixels of the crop, which has two a millimetre."""
SMALLEST: Final = 60
"""The card may be only so many pixels wide in the picture: what a table camera must give."""
GRAIN: Final = 7.0
"""One sigma of the strongest grain in grey levels."""


def variations(crop: Crop, count: int = COUNT, seed: int = 7) -> list[Crop]:
    """Make so many crops of one; the first two are the crop itself, upright and upside down.

    Every second one is upside down. The same seed gives the same variations.
    """
    rng = np.random.default_rng(seed)
    made = [crop, _turned(crop)]
    while len(made) < count:
        made.append(_one(crop if len(made) % 2 == 0 else _turned(crop), rng))
    return made[:count]


def _turned(crop: Crop) -> Crop:
    """The same upside down."""
    return np.ascontiguousarray(crop[::-1, ::-1])


def _one(crop: Crop, rng: np.random.Generator) -> Crop:
    """One more look at it."""
    high, wide = CROP
    corners = np.asarray([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    moved = corners + rng.normal(0, CORNER * wide, (4, 2)).clip(-0.03 * wide, 0.03 * wide)
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    seen = cv2.warpPerspective(crop, matrix, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    coarse = _coarse(np.asarray(seen, np.uint8), rng)
    soft = np.asarray(cv2.GaussianBlur(coarse, (0, 0), rng.uniform(*SOFT)), np.uint8)
    return _grain(_lit(soft, rng), rng)


def _coarse(crop: Crop, rng: np.random.Generator) -> Crop:
    """The same from further away, enlarged again."""
    width = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(CROP[1]))))
    size = (round(width), round(width * CROP[0] / CROP[1]))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, CROP[::-1], interpolation=cv2.INTER_LINEAR), np.uint8)


def _lit(crop: Crop, rng: np.random.Generator) -> NDArray[np.float32]:
    """The same in other light."""
    high, wide = CROP
    gain = rng.uniform(*GAIN) * (1 + rng.uniform(-CAST, CAST, 3))
    turn, slope = rng.uniform(0, 2 * np.pi), rng.uniform(0, SLOPE)
    across = np.linspace(-0.5, 0.5, wide)[None, :] * np.cos(turn)
    down = np.linspace(-0.5, 0.5, high)[:, None] * np.sin(turn)
    light = 1 + slope * (across + down)
    levels = (crop.astype(np.float32) / np.float32(255)) ** np.float32(rng.uniform(*GAMMA))
    return np.asarray(levels * (255 * light[..., None] * gain), np.float32)


def _grain(picture: NDArray[np.float32], rng: np.random.Generator) -> Crop:
    """Grain of the sensor, at the size of its pixels."""
    grain = rng.standard_normal((CROP[0] // 2, CROP[1] // 2, 3), np.float32)
    grain = np.asarray(cv2.resize(grain, CROP[::-1]), np.float32) * np.float32(
        rng.uniform(0, GRAIN)
    )
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)
