"""What the light over a synthetic table does: lamps, somebody's shadow, an exposure that hunts."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

STEADY_S: Final = (5.0, 18.0)
"""Shortest and longest time between two changes of the lamps."""
STEP_S: Final = 0.4
"""A lamp takes so long to change."""
GAIN: Final = (0.72, 1.16)
CAST: Final = 0.06
"""Greatest change of one colour's share."""
SHADOW_EVERY_S: Final = (6.0, 16.0)
SHADOW_PX_S: Final = (60.0, 260.0)
"""How fast somebody's shadow passes."""
SHADOW_SIZE: Final = ((180, 420), (140, 380))
"""Least and greatest half axes of a shadow in pixels, across and down."""
SHADOW_DEPTH: Final = (0.62, 0.88)
"""What a shadow leaves of the light."""


@dataclass(slots=True)
class Passing:
    """A soft shadow on its way across the table."""

    mask: Image
    x: float
    y: float
    vx: float
    vy: float


class Weather:
    """The light of each next frame. Everything follows from the seed."""

    def __init__(self, seed: int, image: tuple[int, int], frames_per_second: float) -> None:
        self._rng = np.random.default_rng((seed, 5))
        self._image = image
        self._dt = 1 / frames_per_second
        self._now = np.ones(3)
        self._target = np.ones(3)
        self._change_s = self._rng.uniform(*STEADY_S)
        self._shadow_s = self._rng.uniform(*SHADOW_EVERY_S)
        self._shadow: Passing | None = None

    def light(self, canvas: Image, gain: float) -> Image:
        """The canvas in the light of the next frame; `gain` comes on top of it."""
        self._pass_time()
        shades = np.arange(256)[:, None] * (self._now * gain)[None, :]
        table = np.clip(np.rint(shades), 0, 255).astype(np.uint8)[None]
        lit = np.asarray(cv2.LUT(canvas, table), dtype=np.uint8)
        if self._shadow is not None:
            self._darken(lit, self._shadow)
        return lit

    def _pass_time(self) -> None:
        """One frame's time."""
        self._now += (self._target - self._now) * min(1.0, self._dt / STEP_S * 2)
        self._change_s -= self._dt
        if self._change_s <= 0:
            self._change_s = self._rng.uniform(*STEADY_S)
            self._target = self._rng.uniform(*GAIN) * (1 + self._rng.uniform(-CAST, CAST, 3))
        if self._shadow is not None:
            self._shadow.x += self._shadow.vx * self._dt
            self._shadow.y += self._shadow.vy * self._dt
            if not -900 < self._shadow.x < self._image[0] + 100:
                self._shadow = None
            return
        self._shadow_s -= self._dt
        if self._shadow_s <= 0:
            self._shadow_s = self._rng.uniform(*SHADOW_EVERY_S)
            self._shadow = self._somebody()

    def _somebody(self) -> Passing:
        """A shadow that comes in from the left or the right."""
        rng = self._rng
        half = [int(rng.integers(*each)) for each in SHADOW_SIZE]
        mask = np.full((2 * half[1], 2 * half[0]), 255, dtype=np.uint8)
        axes = (round(half[0] * 0.7), round(half[1] * 0.7))
        depth = round(255 * rng.uniform(*SHADOW_DEPTH))
        cv2.ellipse(mask, (half[0], half[1]), axes, 0, 0, 360, (depth,), -1)
        edge = 2 * int(rng.integers(8, 40)) + 1
        soft = np.asarray(cv2.blur(cv2.blur(mask, (edge, edge)), (edge, edge)), dtype=np.uint8)
        left = bool(rng.random() < 0.5)
        speed = float(rng.uniform(*SHADOW_PX_S))
        x = -2.0 * half[0] if left else float(self._image[0])
        y = float(rng.uniform(-half[1], self._image[1] - half[1]))
        return Passing(soft, x, y, speed if left else -speed, float(rng.uniform(-20, 20)))

    def _darken(self, lit: Image, shadow: Passing) -> None:
        """Lay the shadow over the picture."""
        width, height = self._image
        high, wide = shadow.mask.shape
        x, y = round(shadow.x), round(shadow.y)
        x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + wide), min(height, y + high)
        if x1 <= x0 or y1 <= y0:
            return
        part = np.ascontiguousarray(shadow.mask[y0 - y : y1 - y, x0 - x : x1 - x])
        spot = lit[y0:y1, x0:x1]
        cv2.multiply(spot, cv2.merge([part, part, part]), spot, scale=1 / 255)
