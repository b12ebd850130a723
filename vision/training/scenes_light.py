"""Light, lens and sensor faults for a whole scene: cheap ones, since each scene is new."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.camera import Noise

Picture = NDArray[np.uint8]
_GRID: Final = 16


def _field(high: int, wide: int, rng: np.random.Generator) -> Picture | None:
    """How bright each place is, in shares of 255; None where the light is even."""
    pick = rng.random(3)
    if pick.min() > 0.45:
        return None
    y, x = np.mgrid[0:_GRID, 0:_GRID].astype(np.float32) / (_GRID - 1) - 0.5
    field = np.ones((_GRID, _GRID), np.float32)
    if pick[0] < 0.45:
        turn = rng.uniform(0, 6.3)
        field *= 1 + rng.uniform(0.1, 0.75) * (np.cos(turn) * x + np.sin(turn) * y)
        field /= field.max()
    out = cv2.resize(field, (wide, high))
    if pick[1] < 0.2:
        mask = np.zeros((high, wide), np.uint8)
        middle = rng.uniform(0.2, 0.8, 2) * (wide, high)
        turn = rng.uniform(0, 6.3)
        along = np.array([np.cos(turn), np.sin(turn)]) * 3 * wide
        side = np.array([-along[1], along[0]])
        shape = np.array(
            [middle - along, middle + along, middle + along + side, middle - along + side]
        )
        cv2.fillConvexPoly(mask, np.rint(shape).astype(np.int32), 255)
        mask = np.asarray(cv2.blur(mask, (int(rng.integers(1, 12)),) * 2), np.uint8)
        out *= 1 - mask.astype(np.float32) * np.float32(rng.uniform(0.25, 0.65) / 255)
    return np.asarray(out * 255, np.uint8)


def _glare(frame: Picture, rng: np.random.Generator) -> Picture:
    high, wide = frame.shape[:2]
    spot = np.zeros((high // 4, wide // 4), np.uint8)
    at = rng.uniform(0.1, 0.9, 2) * (wide // 4, high // 4)
    axes = rng.uniform(2, 14, 2).astype(int)
    cv2.ellipse(
        spot, (int(at[0]), int(at[1])), (int(axes[0]), int(axes[1])), rng.uniform(0, 180), 0, 360,
        255, -1,
    )  # fmt: skip
    soft = cv2.resize(cv2.blur(spot, (int(rng.integers(2, 9)),) * 2), (wide, high))
    return np.asarray(
        cv2.addWeighted(frame, 1.0, cv2.merge([soft] * 3), rng.uniform(0.15, 0.9), 0), np.uint8
    )


def lit(frame: Picture, rng: np.random.Generator) -> Picture:
    """Gain, cast, gamma, gradient, hard shadow, glare."""
    levels = np.arange(256) / 255
    gamma = rng.uniform(0.65, 1.5) if rng.random() < 0.4 else 1.0
    gain = rng.uniform(0.5, 1.25) * (1 + rng.uniform(-0.16, 0.16, 3))
    lift = rng.uniform(0, 40) if rng.random() < 0.3 else 0.0
    table = np.clip(levels[:, None] ** gamma * gain * 255 + lift, 0, 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(frame, table[None]), np.uint8)
    field = _field(frame.shape[0], frame.shape[1], rng)
    if field is not None:
        out = np.asarray(cv2.multiply(out, cv2.merge([field] * 3), scale=1 / 255), np.uint8)
    return _glare(out, rng) if rng.random() < 0.18 else out


def seen(frame: Picture, high: float, noise: Noise, rng: np.random.Generator) -> Picture:
    """Defocus, motion, sharpening, grain and JPEG; `high` is the height of an index in pixels."""
    out = frame
    pick = rng.random(5)
    if pick[0] < 0.5:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.3 + high / 22)), np.uint8)
    if pick[1] < 0.15:
        reach = int(rng.integers(2, max(3, int(high / 5)) + 1))
        kernel = np.zeros((reach * 2 + 1,) * 2, np.float32)
        turn = rng.uniform(0, np.pi)
        step = (round(np.cos(turn) * reach / 1.6), round(np.sin(turn) * reach / 1.6))
        cv2.line(kernel, (reach - step[0], reach - step[1]), (reach + step[0], reach + step[1]), 1)
        out = np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), np.uint8)
    if pick[2] < 0.2:
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.7, 1.6))
        k = rng.uniform(0.3, 1.6)
        out = np.asarray(cv2.addWeighted(out, 1 + k, soft, -k, 0), np.uint8)
    if pick[3] < 0.8:
        out = noise.add(out, rng.uniform(0.5, 11), rng)
    if pick[4] < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 96))]
        out = np.asarray(cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], 1), np.uint8)
    return out
