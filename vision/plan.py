"""A zone seen from straight above, in millimetres, and cards of known size fitted into it.

Where cards overlap no outline of one card is left; but its size is known, so that a position and a
turn are all that is sought. Each side is looked for over its whole length: the edge of a white card
on a white card is faint, yet it is long.
"""

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.locate import MARGIN_MM, Image, Quad, Window

Floats = NDArray[np.float64]

SCALE: Final = (0.8, 2.0)
"""Pixels of the plan to the millimetre, at the least and at the most; else as the camera sees."""
SAMPLES: Final = 24
"""Points at which a side is measured, half of them in each of its halves."""
STEP_MM: Final = 0.25
"""Steps in which an edge is looked for across a side."""
REACHES_MM: Final = (4.0, 2.0, 1.0)
"""How far from the sides an edge is looked for, round by round."""
EDGE: Final = 9.0
"""Grey levels that make an edge; noise and compression stay below along a side."""
NEAR_MM: Final = 0.75
"""An edge belongs to a side if it lies so near to it."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card lies: its middle in millimetres and its turn clockwise in radians."""

    x: float
    y: float
    turn: float

    def corners(self, card_mm: tuple[float, float], grown_mm: float = 0.0) -> Quad:
        """Its corners in millimetres, clockwise, the first two on a short side."""
        half = np.asarray(card_mm) / 2 + grown_mm
        square = np.asarray([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half
        return np.asarray(square @ _spin(self.turn) + (self.x, self.y), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A card fitted to edges; `support` is the share of each side that lies on an edge."""

    pose: Pose
    support: tuple[float, float, float, float]

    @property
    def weakest(self) -> float:
        """Support of the side that has the least."""
        return min(self.support)

    @property
    def mean(self) -> float:
        """Mean support of the four sides."""
        return sum(self.support) / 4


class Plan:
    """The plan of one zone."""

    def __init__(self, layout: Layout, where: Window) -> None:
        self.card_mm = layout.card_mm
        self._layout = layout
        corners = np.asarray(where.zone.polygon_mm)
        low, high = corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM
        box = np.asarray([low, (high[0], low[1]), high, (low[0], high[1])])
        seen = layout.to_pixels(box)
        ends = layout.to_pixels([(low + high) / 2, (low + high) / 2 + (50.0, 0.0)])
        self.scale = float(np.clip(np.hypot(*(ends[1] - ends[0])) / 50.0, *SCALE))
        self._low = low
        size = np.ceil((high - low) * self.scale).astype(int)
        self.size = (int(size[0]), int(size[1]))
        """Width and height of the plan in pixels."""
        self._window = np.asarray((where.x0, where.y0), dtype=np.float64)
        across = layout.to_pixels([(low + high) / 2, (low + high) / 2 + (0.0, 50.0)])
        self.card_px = (
            float(np.hypot(*(ends[1] - ends[0]))) / 50 * self.card_mm[0],
            float(np.hypot(*(across[1] - across[0]))) / 50 * self.card_mm[1],
        )
        """Width and height of an upright card in the middle of the zone, in pixels of the frame."""
        # Within one zone a lens is a homography to less than a tenth of a pixel.
        self._matrix = cv2.getPerspectiveTransform(
            (seen - (where.x0, where.y0)).astype(np.float32),
            ((box - low) * self.scale).astype(np.float32),
        )

    def part(self, mask: Image, rim_mm: float) -> "Plan":
        """The plan of that part only in which a mask of the zone's window is not 0."""
        x, y, wide, high = cv2.boundingRect(mask)
        box = np.asarray([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)], np.float32)
        seen = cv2.perspectiveTransform(box[None], self._matrix)[0]
        rim = rim_mm * self.scale
        low = np.maximum(np.floor(seen.min(axis=0) - rim), 0)
        end = np.minimum(np.ceil(seen.max(axis=0) + rim), self.size)
        part = copy(self)
        part.size = (max(1, int(end[0] - low[0])), max(1, int(end[1] - low[1])))
        part._low = self._low + low / self.scale  # noqa: SLF001  # of this class
        shift = np.asarray([(1, 0, -low[0]), (0, 1, -low[1]), (0, 0, 1)], dtype=np.float64)
        part._matrix = shift @ self._matrix  # noqa: SLF001  # of this class
        return part

    def flat(self, view: Image) -> Image:
        """The plan of a view of the zone's window."""
        plan = cv2.warpPerspective(view, self._matrix, self.size, flags=cv2.INTER_LINEAR)
        return np.asarray(plan, dtype=np.uint8)

    def to_plan(self, points_mm: Floats) -> Floats:
        """Points in millimetres to pixels of the plan."""
        return np.asarray((points_mm - self._low) * self.scale, dtype=np.float64)

    def to_mm(self, points: Floats) -> Floats:
        """Pixels of the plan to millimetres."""
        return np.asarray(points / self.scale + self._low, dtype=np.float64)

    def to_frame(self, points: Floats) -> Floats:
        """Pixels of the plan to pixels of the frame."""
        return self._layout.to_pixels(self.to_mm(points))

    def in_window(self, points: Floats) -> Floats:
        """Pixels of the frame to pixels of the zone's window."""
        return np.asarray(points - self._window, dtype=np.float64)

    def window_to_mm(self, points: Floats) -> Floats:
        """Pixels of the zone's window to millimetres."""
        return self._layout.to_mm(points + self._window)

    def turn_at(self, x: float, y: float, angle: float) -> float:
        """The turn on the felt of what is turned by so much in the zone's window."""
        ahead = np.asarray([(x, y), (x + 8 * math.cos(angle), y + 8 * math.sin(angle))])
        start, end = self.window_to_mm(ahead)
        return math.atan2(float(end[1] - start[1]), float(end[0] - start[0]))

    def quad(self, pose: Pose) -> Quad:
        """A card's corners in pixels of the frame."""
        return self._layout.to_pixels(pose.corners(self.card_mm))

    def pose(self, quad: Quad) -> Pose:
        """The pose of a card from its corners in pixels of the frame."""
        corners = self._layout.to_mm(quad)
        x, y = corners.mean(axis=0)
        down = corners[2] + corners[3] - corners[0] - corners[1]
        return Pose(float(x), float(y), math.atan2(-float(down[0]), float(down[1])))

    def mask(self, poses: Sequence[Pose], grown_mm: float = 0.0) -> Image:
        """255 where one of some cards lies in the plan, else 0; each card grown by so much."""
        drawn = np.zeros(self.size[::-1], dtype=np.uint8)
        for pose in poses:
            corners = np.rint(self.to_plan(pose.corners(self.card_mm, grown_mm)) * 16)
            cv2.fillConvexPoly(drawn, corners.astype(np.int32), (255,), shift=4)
        return drawn


def fit(plan: Plan, grey: NDArray[np.float32], seed: Pose, reach_mm: float = 4.0) -> Fitted:
    """Move a card to the edges near it; its size stays."""
    pose = seed
    for reach in REACHES_MM:
        if reach <= reach_mm:
            pose = _moved(plan, pose, _profiles(plan, grey, pose, reach), reach)
    return Fitted(pose, _support(_profiles(plan, grey, pose, 1.5)))


def _profiles(plan: Plan, grey: NDArray[np.float32], pose: Pose, reach: float) -> Floats:
    """Grey levels across the four sides: shape (4, SAMPLES, steps), from inside to outside."""
    corners = pose.corners(plan.card_mm)
    after = np.roll(corners, -1, axis=0)
    # The rounded corners are left out.
    part = np.linspace(0.10, 0.90, SAMPLES)[None, :, None]
    on_side = corners[:, None] + (after - corners)[:, None] * part
    along = (after - corners) / np.hypot(*(after - corners).T)[:, None]
    outward = np.column_stack([along[:, 1], -along[:, 0]])
    shifts = np.arange(-reach, reach + STEP_MM / 2, STEP_MM)
    grid = on_side[:, :, None, :] + outward[:, None, None, :] * shifts[None, None, :, None]
    # Pixel middles lie half a pixel inside.
    flat = (plan.to_plan(grid.reshape(-1, 2)) - 0.5).astype(np.float32)
    flat = flat.reshape(4 * SAMPLES, len(shifts), 2)
    seen = cv2.remap(
        grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, dtype=np.float64).reshape(4, SAMPLES, len(shifts))


def _moved(plan: Plan, pose: Pose, profiles: Floats, reach: float) -> Pose:
    """The pose that brings the sides nearest to the strongest edges along them."""
    slopes = np.abs(np.gradient(profiles, axis=2))
    # A strong print at few points must not outweigh a faint edge along all of a side.
    slopes = np.minimum(slopes, 8.0)
    shifts = np.linspace(-reach, reach, profiles.shape[2])
    halves = slopes.reshape(4, 2, SAMPLES // 2, -1).mean(axis=2)
    weight = (halves - halves.min(axis=2, keepdims=True)) ** 4 + 1e-9
    offset = (weight * shifts).sum(axis=2) / weight.sum(axis=2)
    trust = halves.max(axis=2) - np.median(halves, axis=2)
    width, height = plan.card_mm
    spin = _spin(pose.turn)
    # Outward normals of the sides 0 to 3 in the card's own axes, and their lengths.
    normals = np.asarray([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]) @ spin
    lengths = (width, height, width, height)
    rows, wanted, weights = [], [], []
    for side in range(4):
        for half, way in enumerate((-0.2, 0.2)):
            # A turn clockwise moves what lies ahead on a side inwards, and what lies behind out.
            rows.append((normals[side, 0], normals[side, 1], -way * lengths[side]))
            wanted.append(offset[side, half])
            weights.append(trust[side, half])
    matrix, right, best = np.asarray(rows), np.asarray(wanted), np.asarray(weights)
    move = np.zeros(3)
    for _ in range(3):
        scale = np.maximum(best, 1e-6)[:, None]
        move, *_ = np.linalg.lstsq(matrix * scale, right * scale[:, 0], rcond=None)
        off = np.abs(matrix @ move - right)
        best = np.asarray(weights) / (1 + (off / 0.5) ** 2)
    return Pose(pose.x + float(move[0]), pose.y + float(move[1]), pose.turn + float(move[2]))


def _support(profiles: Floats) -> tuple[float, float, float, float]:
    """The share of each side at which an edge lies."""
    steps = profiles.shape[2]
    half = round(NEAR_MM / STEP_MM)
    near = profiles[:, :, steps // 2 - half : steps // 2 + half + 1]
    share = (np.ptp(near, axis=2) >= EDGE).mean(axis=1)
    one, two, three, four = (float(each) for each in share)
    return one, two, three, four


def _spin(turn: float) -> Floats:
    """Turns row vectors clockwise, as the plan's y grows downwards."""
    return np.asarray(
        [(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))], dtype=np.float64
    )
