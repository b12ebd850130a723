"""Shapes of outlines, and how well they lie on the edges of a picture."""

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Image, Quad

ASPECT: Final = (1.05, 2.1)
"""Long side to short side; 1.4 from straight above, less or more at an angle."""
SQUARE: Final = 0.55
"""Opposite sides are at least this similar."""
MIN_SIDE_PX: Final = 26.0
"""A card whose short side is shorter cannot be read."""
SAMPLES: Final = 18
"""Points of each side at which the edge is measured."""
SHIFTS: Final = 19
"""Places across a side at which its edge is looked for."""
EDGE: Final = (3.0, 8.0)
"""Grey levels a pixel that make an edge: at least, and at most …"""
ABOVE: Final = 3.5
"""… and between them so many times what is usual in the picture."""
Floats = NDArray[np.float64]


class Slopes:
    """Where a picture changes, and which way."""

    def __init__(self, image: Image) -> None:
        soft = cv2.GaussianBlur(image, (0, 0), 1.0)
        self.x = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 1, 0), dtype=np.int16)
        self.y = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 0, 1), dtype=np.int16)
        thin = np.abs(self.x[::5, ::5]).max(axis=2) + np.abs(self.y[::5, ::5]).max(axis=2)
        self.edge = float(np.clip(ABOVE * np.median(thin) / 8, *EDGE))
        """Grey levels a pixel that make an edge in this picture."""

    def across(self, points: Floats, normal: Floats) -> NDArray[np.float32]:
        """The steepest colour's slope along `normal` at points (n, 4, …, 2), in grey levels.

        `normal` is (n, 4, 2): that of each side.
        """
        flat = points.astype(np.float32).reshape(points.shape[0] * 4, -1, 2)
        steep = np.empty(flat.shape[:2], dtype=np.float32)
        # In parts, as remap takes no more than 32,767 rows.
        for low in range(0, len(flat), 30_000):
            part = flat[low : low + 30_000]
            u, v = np.ascontiguousarray(part[..., 0]), np.ascontiguousarray(part[..., 1])
            n = normal.reshape(-1, 2)[low : low + 30_000].astype(np.float32)
            gx, gy = (
                cv2.remap(each, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
                for each in (self.x, self.y)
            )
            both = gx * n[:, 0, None, None] + gy * n[:, 1, None, None]
            steep[low : low + 30_000] = np.abs(both).max(axis=2) / 4
        return steep.reshape(points.shape[:-1])

    def support(self, quads: Sequence[Quad]) -> Floats:
        """How much of each outline lies on edges that run along it: (n,), 0 to 1.

        The weakest side counts half, so that three good sides and none are not enough.
        """
        if not quads:
            return np.zeros(0)
        points, normal = along(np.stack(quads))
        shifts = np.asarray((-1.5, -0.5, 0.5, 1.5))
        grid = points[:, :, :, None] + normal[:, :, None, None] * shifts[:, None]
        share = (self.across(grid, normal).max(axis=3) > self.edge).mean(axis=2)
        return np.asarray((share.mean(axis=1) + share.min(axis=1)) / 2, dtype=np.float64)

    def tightened(self, quads: Sequence[Quad]) -> list[Quad]:
        """Each outline with its sides moved to the steepest edges beside them."""
        if not quads:
            return []
        corners = np.stack(quads)
        points, normal = along(corners)
        reach = np.clip([0.035 * sides(quad)[0] for quad in quads], 3.0, 9.0)
        shifts = np.linspace(-1, 1, SHIFTS)
        step = (reach[:, None] * shifts)[:, None, None, :, None]
        grid = points[:, :, :, None] + normal[:, :, None, None] * step
        # A print far from the side must not outweigh the side itself.
        weight = self.across(grid, normal) ** 2 * (1.2 - np.abs(shifts)) + 1e-2
        best = (weight * shifts).sum(axis=3) / weight.sum(axis=3) * reach[:, None, None]
        trust = weight.max(axis=3)
        measured = points + normal[:, :, None] * best[..., None]
        lines = _fitted(measured, np.minimum(trust, 400.0))
        before = np.roll(lines, 1, axis=1)
        det = before[..., 0] * lines[..., 1] - lines[..., 0] * before[..., 1]
        safe = np.where(np.abs(det) < 0.2, 1.0, det)
        x = (before[..., 2] * lines[..., 1] - lines[..., 2] * before[..., 1]) / safe
        y = (before[..., 0] * lines[..., 2] - lines[..., 0] * before[..., 2]) / safe
        moved = np.stack([x, y], axis=-1)
        far = np.abs(moved - corners).max(axis=(1, 2)) > 3 * reach
        bad = far | (np.abs(det) < 0.2).any(axis=1)
        return [corners[at] if bad[at] else moved[at] for at in range(len(quads))]


def along(corners: Floats) -> tuple[Floats, Floats]:
    """Points on the sides of outlines (n, 4, 2), away from the rounded corners, and the normals."""
    ahead = np.roll(corners, -1, axis=1)
    part = np.linspace(0.1, 0.9, SAMPLES)[None, None, :, None]
    points = corners[:, :, None] + (ahead - corners)[:, :, None] * part
    way = ahead - corners
    normal = np.stack([way[..., 1], -way[..., 0]], axis=-1)
    return points, normal / np.maximum(1e-6, np.linalg.norm(normal, axis=-1, keepdims=True))


def _fitted(points: Floats, weight: Floats) -> Floats:
    """Lines a·x + b·y = c through weighted points (n, 4, m, 2), outliers left aside: (n, 4, 3)."""
    lines = _line(points, weight)
    for _ in range(2):
        away = (points * lines[:, :, None, :2]).sum(axis=-1) - lines[:, :, None, 2]
        weight = weight / (1 + (away / 0.8) ** 2)
        lines = _line(points, weight)
    return lines


def _line(points: Floats, weight: Floats) -> Floats:
    """The weighted lines a·x + b·y = c: (n, 4, 3)."""
    total = weight.sum(axis=2)[..., None]
    middle = (points * weight[..., None]).sum(axis=2) / total
    off = points - middle[:, :, None]
    xx, yy = (weight * off[..., 0] ** 2).sum(axis=2), (weight * off[..., 1] ** 2).sum(axis=2)
    turn = 0.5 * np.arctan2(2 * (weight * off[..., 0] * off[..., 1]).sum(axis=2), xx - yy)
    a, b = -np.sin(turn), np.cos(turn)
    return np.stack([a, b, a * middle[..., 0] + b * middle[..., 1]], axis=-1)


def card_like(quad: Quad) -> bool:
    """Whether four corners have a card's shape, seen from anywhere reasonable."""
    one, two, three, four = _lengths(quad)
    if min(one, three) < SQUARE * max(one, three) or min(two, four) < SQUARE * max(two, four):
        return False
    short, long = sorted(((one + three) / 2, (two + four) / 2))
    return short > 12 and ASPECT[0] <= long / short <= ASPECT[1]


def area_of(quad: Quad) -> float:
    """Area in square pixels."""
    return float(cv2.contourArea(quad.astype(np.float32)))


def sides(quad: Quad) -> tuple[float, float]:
    """Mean length of the two short and of the two long sides."""
    lengths = _lengths(quad)
    one, other = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    return min(one, other), max(one, other)


def _lengths(quad: Quad) -> tuple[float, float, float, float]:
    """Lengths of the four sides. Plain numbers: thousands of outlines are asked, one by one."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad.tolist()
    return (
        math.hypot(x1 - x0, y1 - y0),
        math.hypot(x2 - x1, y2 - y1),
        math.hypot(x3 - x2, y3 - y2),
        math.hypot(x0 - x3, y0 - y3),
    )
