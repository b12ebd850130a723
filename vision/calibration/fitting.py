"""Least squares for the plane of the felt: what is unknown, what was seen, and the descent."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Lens

Array = NDArray[np.float64]

TAPE_MM: Final = 1.0
"""One sigma of a distance by the tape."""
PLACE_MM: Final = 0.3
"""One sigma of a place that is given."""
SEEN_PX: Final = 0.15
"""One sigma of a corner in the picture."""
ROUNDS: Final = 40
SETTLED: Final = 1e-7
STUCK: Final = 1e9
STEP: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A thing on the felt: where its points are in the picture and within itself."""

    name: str
    pixels: Array
    """Shape (k, 2): as seen, with the lens's bend."""
    local: Array
    """Shape (k, 2): millimetres about its own middle; one point at (0, 0) for a clicked point."""
    at_mm: tuple[float, float] | None = None
    """Where its middle is, if that is known."""


class Problem:
    """The unknowns in one row of numbers: the plane, then x, y and turn of each free thing."""

    def __init__(
        self,
        things: Sequence[Known],
        flat: list[Array],
        lens: Lens | None,
        distances: Sequence[tuple[str, str, float]],
        *,
        posed: bool,
    ) -> None:
        """Gather all points; `flat` are each thing's pixels without the bend."""
        self.things = things
        self.flat = flat
        self.lens = lens
        self.posed = posed
        self.count = 6 if posed else 8
        """Numbers of the row that are the plane's."""
        self.scale = np.eye(3)
        """Brings the pixels of a homography near to 1; of no matter to a pose."""
        self._camera = None if lens is None else np.asarray(lens.matrix).reshape(3, 3)
        self._seen = np.vstack(flat)
        self._local = np.vstack([thing.local for thing in things])
        self._owner = np.repeat(np.arange(len(things)), [len(each.local) for each in things])
        fixed = [len(each.local) == 1 and each.at_mm is not None for each in things]
        order = np.cumsum([not each for each in fixed]) - 1
        self._slot = np.where(fixed, -1, order)
        """Which three numbers after the plane's are a thing's; -1 for one that is fixed."""
        self._given = np.asarray([each.at_mm or (0.0, 0.0) for each in things], dtype=np.float64)
        self._placed = [
            number for number, each in enumerate(things)
            if each.at_mm is not None and not fixed[number]
        ]  # fmt: skip
        names = [each.name for each in things]
        self._taped = [(names.index(one), names.index(two), mm) for one, two, mm in distances]

    def matrix(self, row: Array) -> Array:
        """Millimetres to undistorted pixels."""
        if not self.posed or self._camera is None:
            return np.asarray(self.scale @ np.append(row[:8], 1.0).reshape(3, 3), dtype=np.float64)
        turn, _ = cv2.Rodrigues(row[:3])
        pose = np.column_stack([turn[:, 0], turn[:, 1], row[3:6]])
        return np.asarray(self._camera @ pose, dtype=np.float64)

    def _poses(self, row: Array) -> Array:
        """x, y and turn of each thing, shape (n, 3)."""
        rest = np.vstack([row[self.count :].reshape(-1, 3), np.zeros((1, 3))])
        poses = rest[self._slot]
        poses[self._slot < 0, :2] = self._given[self._slot < 0]
        return np.asarray(poses, dtype=np.float64)

    def _points(self, poses: Array) -> tuple[Array, Array]:
        """All points on the felt, and which way each goes as its thing turns."""
        turn = poses[self._owner, 2]
        cos, sin = np.cos(turn), np.sin(turn)
        x, y = self._local[:, 0], self._local[:, 1]
        spun = np.column_stack([x * cos - y * sin, x * sin + y * cos])
        return spun + poses[self._owner, :2], np.column_stack([-spun[:, 1], spun[:, 0]])

    def points(self, row: Array) -> list[Array]:
        """Where each thing's points are on the felt."""
        points, _ = self._points(self._poses(row))
        return [points[self._owner == number] for number in range(len(self.things))]

    def errors(self, row: Array) -> Array:
        """All that must become small, each in its own sigmas."""
        poses = self._poses(row)
        points, _ = self._points(poses)
        whole = np.column_stack([points, np.ones(len(points))]) @ self.matrix(row).T
        seen = (whole[:, :2] / whole[:, 2:] - self._seen) / SEEN_PX
        beside = (poses[self._placed, :2] - self._given[self._placed]) / PLACE_MM
        taped = [
            (float(np.hypot(*(poses[one, :2] - poses[two, :2]))) - given) / TAPE_MM
            for one, two, given in self._taped
        ]
        return np.concatenate([seen.ravel(), beside.ravel(), taped])

    def slopes(self, row: Array, now: Array) -> Array:
        """How the errors change with each number of the row; those of the plane by small steps."""
        out = np.zeros((len(now), len(row)))
        for number in range(self.count):
            there = row.copy()
            there[number] += STEP * max(1.0, abs(row[number]))
            out[:, number] = (self.errors(there) - now) / (there[number] - row[number])
        poses = self._poses(row)
        points, ways = self._points(poses)
        matrix = self.matrix(row)
        whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
        flat, deep = whole[:, :2] / whole[:, 2:], whole[:, 2]
        # Of each point: how its pixel changes with x and with y on the felt, shape (n, 2, 2).
        bend = matrix[:2, :2][None] - flat[:, :, None] * matrix[2, :2][None, None]
        bend = bend / deep[:, None, None] / SEEN_PX
        turn = np.einsum("nij,nj->ni", bend, ways)
        for point, owner in enumerate(self._owner):
            at = self.count + 3 * int(self._slot[owner])
            if self._slot[owner] >= 0:
                out[2 * point : 2 * point + 2, at : at + 2] = bend[point]
                out[2 * point : 2 * point + 2, at + 2] = turn[point]
        line = 2 * len(points)
        for thing in self._placed:
            at = self.count + 3 * int(self._slot[thing])
            out[line, at] = out[line + 1, at + 1] = 1 / PLACE_MM
            line += 2
        for one, two, _ in self._taped:
            apart = poses[one, :2] - poses[two, :2]
            way = apart / max(1e-9, float(np.hypot(*apart))) / TAPE_MM
            for thing, sign in ((one, 1), (two, -1)):
                at = self.count + 3 * int(self._slot[thing])
                if self._slot[thing] >= 0:
                    out[line, at : at + 2] = sign * way
            line += 1
        return out


def descend(problem: Problem, start: Array) -> Array:
    """Levenberg and Marquardt's descent."""
    row, now = start.copy(), problem.errors(start)
    cost, damp = float(now @ now), 1e-3
    for _ in range(ROUNDS):
        slopes = problem.slopes(row, now)
        square, pull = slopes.T @ slopes, slopes.T @ now
        while True:
            move = np.linalg.solve(square + damp * np.diag(np.diag(square) + 1e-12), -pull)
            there = problem.errors(row + move)
            if float(there @ there) < cost:
                break
            damp *= 6
            if damp > STUCK:
                return row
        better = cost - float(there @ there)
        row, now, cost, damp = row + move, there, float(there @ there), damp / 6
        if better < SETTLED * (1 + cost):
            break
    return row


def row_of(matrix: NDArray[np.floating[Any]]) -> tuple[float, ...]:
    """A matrix row by row."""
    return tuple(float(each) for each in matrix.ravel())
