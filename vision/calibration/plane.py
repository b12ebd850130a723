"""The plane of the felt: from markers and points in the picture to millimetres.

What is known is fitted together: each marker is a square of known size that lies anywhere; some lie
in known places or at measured distances; points that were clicked have known places. With a lens
model the plane has the six freedoms of a camera's pose while nothing but the markers' own size is
known, otherwise the eight of a homography. The fit is least squares in pixels; what is told is
millimetres on the felt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.calibration.boards import marker_corners
from vision.calibration.fitting import Array, Known, Problem, descend, row_of
from vision.calibration.lens import straight
from vision.layout import Lens, project

SPREAD: Final = 0.04
"""Places in a line: the narrower spread of the points is less than this share of the wider."""
MARGIN_MM: Final = 40.0
"""Where nothing says where the plan begins, it begins so far up and left of all corners."""
MANY: Final = 4
TRIED: Final = 2
"""So many of the likeliest beginnings are followed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A thing as it was fitted: its points on the felt, and how far they lie beside."""

    name: str
    at_mm: tuple[float, float]
    points_mm: Array
    errors_mm: Array

    @property
    def error_mm(self) -> float:
        """Root mean square of its points' errors."""
        return float(np.sqrt(np.mean(self.errors_mm**2)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """The plane, what it was fitted to and how well."""

    matrix: tuple[float, ...]
    """Homography, row by row: millimetres to undistorted pixels."""
    things: tuple[Fitted, ...]
    spare: int
    """Measurements more than unknowns; with none the errors say nothing."""
    placed: bool
    """Whether the places or distances of at least two things were given."""
    distances: tuple[tuple[str, str, float, float], ...] = ()
    """(first, second, by the tape, in the picture) of each measured distance, in millimetres."""

    @property
    def residual_mm(self) -> float:
        """Root mean square of all things' errors."""
        return float(
            np.sqrt(np.mean(np.concatenate([each.errors_mm for each in self.things]) ** 2))
        )

    @property
    def worst(self) -> Fitted:
        """The thing that fits worst."""
        return max(self.things, key=lambda each: each.error_mm)


def fit(
    things: Sequence[Known],
    lens: Lens | None,
    distances: Sequence[tuple[str, str, float]] = (),
) -> Plane:
    """Fit the plane to all things.

    `distances` are (name, name, millimetres) between middles. Without given places the plan's x
    axis follows the picture's and it begins up and left of all things.

    Raises:
        ValueError: if the things do not determine a plane.
    """
    names = {thing.name for thing in things}
    kept = [each for each in distances if each[0] in names and each[1] in names]
    placed = sum(thing.at_mm is not None for thing in things)
    flat = [straight(lens, thing.pixels) for thing in things]
    enough = placed >= 2 or len(kept) >= 2
    problem = Problem(things, flat, lens, kept, posed=lens is not None and not enough)
    starts = sorted(_starts(problem), key=lambda each: float(np.sum(problem.errors(each) ** 2)))
    row = min(
        (descend(problem, start) for start in starts[:TRIED]),
        key=lambda each: float(np.sum(problem.errors(each) ** 2)),
    )
    matrix, points = problem.matrix(row), problem.points(row)
    if placed < 2:
        matrix, points = _straightened(matrix, points, flat, fixed=placed == 1)
    back = np.linalg.inv(matrix)
    fitted = []
    for thing, pixels, there in zip(things, flat, points, strict=True):
        beside = project(row_of(back), pixels) - there
        at = there.mean(axis=0)
        if thing.at_mm is not None and len(thing.local) > 1:
            # A marker that lies beside its place is as wrong as one that is bent.
            beside = beside + (at - thing.at_mm)
        fitted.append(
            Fitted(
                name=thing.name,
                at_mm=(float(at[0]), float(at[1])),
                points_mm=there,
                errors_mm=np.hypot(beside[:, 0], beside[:, 1]),
            )
        )
    free = len(row) - (3 if placed < 2 and not problem.posed else 0)
    free -= 3 if problem.posed and placed < 2 else 0
    middles = {each.name: np.asarray(each.at_mm) for each in fitted}
    return Plane(
        matrix=row_of(matrix / matrix[2, 2]),
        things=tuple(fitted),
        spare=len(problem.errors(row)) - free,
        placed=enough,
        distances=tuple(
            (first, second, given, float(np.hypot(*(middles[first] - middles[second]))))
            for first, second, given in kept
        ),
    )


def _starts(problem: Problem) -> list[Array]:
    """Rows to begin from; several where a small marker's tilt has two readings."""
    things, flat = problem.things, problem.flat
    fixed = [number for number, thing in enumerate(things) if thing.at_mm is not None]
    if len(fixed) >= MANY:
        matrix = _homography(
            np.asarray([things[number].at_mm for number in fixed]),
            np.asarray([flat[number].mean(axis=0) for number in fixed]),
        )
        return [_row(problem, matrix)]
    squares = [number for number, thing in enumerate(things) if len(thing.local) >= MANY]
    if not squares:
        raise ValueError("give at least four points")
    squares.sort(key=lambda number: -_area(flat[number]))
    if problem.posed:
        return [row for number in squares[:3] for row in _poses(problem, number)]
    if problem.lens is not None:
        free = [moved(thing, None) for thing in things if len(thing.local) >= MANY]
        matrices = [np.asarray(fit(free, problem.lens).matrix).reshape(3, 3)]
    else:
        matrices = [_homography(things[number].local, flat[number]) for number in squares[:4]]
    return [_row(problem, _laid(problem, matrix)) for matrix in matrices]


def _laid(problem: Problem, matrix: Array) -> Array:
    """A plane whose plan is turned and moved onto the given places, as well as may be."""
    pairs = [
        (pixels.mean(axis=0), thing.at_mm)
        for thing, pixels in zip(problem.things, problem.flat, strict=True)
        if thing.at_mm is not None
    ]
    if not pairs:
        return matrix
    there = project(row_of(np.linalg.inv(matrix)), [each[0] for each in pairs])
    given = np.asarray([each[1] for each in pairs], dtype=np.float64)
    a, b = there - there.mean(axis=0), given - given.mean(axis=0)
    turn = np.arctan2(float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(np.sum(a * b)))
    whole = np.eye(3)
    whole[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    whole[:2, 2] = given.mean(axis=0) - whole[:2, :2] @ there.mean(axis=0)
    return np.asarray(matrix @ np.linalg.inv(whole), dtype=np.float64)


def _poses(problem: Problem, number: int) -> list[Array]:
    """Both tilts at which this marker looks as it does."""
    assert problem.lens is not None  # noqa: S101  asked for with a lens only
    thing, pixels = problem.things[number], problem.flat[number]
    matrix = np.asarray(problem.lens.matrix).reshape(3, 3)
    solid = np.column_stack([thing.local, np.zeros(len(thing.local))])
    _, turns, moves, _ = cv2.solvePnPGeneric(
        solid, pixels.reshape(-1, 1, 2), matrix, None, flags=cv2.SOLVEPNP_IPPE
    )
    rows = []
    for turn, move in zip(turns, moves, strict=True):
        pose = np.concatenate([np.ravel(turn), np.ravel(move)]).astype(np.float64)
        spin, _ = cv2.Rodrigues(pose[:3])
        flat = matrix @ np.column_stack([spin[:, 0], spin[:, 1], pose[3:]])
        rows.append(np.concatenate([pose, _poses_of_things(problem, flat)]))
    return rows


def _row(problem: Problem, matrix: Array) -> Array:
    """The row of numbers of a homography, with all things where it puts them."""
    pixels = np.vstack(problem.flat)
    middle, spread = pixels.mean(axis=0), float(pixels.std()) + 1.0
    problem.scale = np.asarray([[spread, 0, middle[0]], [0, spread, middle[1]], [0, 0, 1.0]])
    plain = np.linalg.inv(problem.scale) @ matrix
    head = (plain / plain[2, 2]).ravel()[:8]
    return np.concatenate([head, _poses_of_things(problem, matrix)])


def _poses_of_things(problem: Problem, matrix: Array) -> Array:
    """x, y and turn of each thing that is free, where this homography puts it."""
    back = row_of(np.linalg.inv(matrix))
    out: list[float] = []
    for thing, pixels in zip(problem.things, problem.flat, strict=True):
        if len(thing.local) == 1:
            continue
        there = project(back, pixels)
        middle = there.mean(axis=0)
        a, b = thing.local, there - middle
        turn = np.arctan2(
            float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(np.sum(a * b))
        )
        out += [float(middle[0]), float(middle[1]), float(turn)]
    return np.asarray(out)


def _straightened(
    matrix: Array, points: list[Array], flat: list[Array], *, fixed: bool
) -> tuple[Array, list[Array]]:
    """The same plane with its x axis along the picture's, beginning up and left of all."""
    pixels = np.vstack(flat)
    middle, wide = pixels.mean(axis=0), max(20.0, float(np.ptp(pixels[:, 0])) / 4)
    back = row_of(np.linalg.inv(matrix))
    ends = project(back, [middle - np.asarray((wide, 0)), middle + np.asarray((wide, 0))])
    turn = float(np.arctan2(*(ends[1] - ends[0])[::-1]))
    spin = np.asarray([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    if fixed:
        # One given place: the plan turns about it and does not move.
        spin = np.eye(2)
    turned = [each @ spin.T for each in points]
    low = np.zeros(2) if fixed else np.vstack(turned).min(axis=0) - MARGIN_MM
    whole = np.eye(3)
    whole[:2, :2], whole[:2, 2] = spin, -low
    return matrix @ np.linalg.inv(whole), [each - low for each in turned]


def _homography(points_mm: Array, pixels: Array) -> Array:
    """The homography of point pairs, by OpenCV."""
    matrix, _ = cv2.findHomography(points_mm, pixels, 0)
    found = np.asarray(matrix, dtype=np.float64)
    if found.shape != (3, 3) or not np.isfinite(found).all():
        raise ValueError("the points do not determine a plane: spread them over the felt")
    return found


def _area(quad: Array) -> float:
    """Area of a marker in the picture."""
    return float(abs(cv2.contourArea(quad.astype(np.float32))))


def in_a_line(points: Array) -> bool:
    """Whether so many of the points lie in a line that they determine no plane."""
    if len(points) < MANY:
        return True
    for left_out in range(len(points)):
        rest = np.delete(points, left_out, axis=0) if len(points) == MANY else points
        spread = np.linalg.svd(rest - rest.mean(axis=0), compute_uv=False)
        if spread[1] < SPREAD * spread[0]:
            return True
    return False


def exchanged(
    things: Sequence[Known], lens: Lens | None, limit_mm: float
) -> tuple[str, str] | None:
    """Two given places that make the plane fit once they are exchanged, if there are such."""
    if sum(thing.at_mm is not None for thing in things) < MANY + 1:
        return None
    pixels = np.asarray([straight(lens, thing.pixels).mean(axis=0) for thing in things])
    given = np.asarray([thing.at_mm or (0.0, 0.0) for thing in things], dtype=np.float64)
    there = np.asarray([thing.at_mm is not None for thing in things])
    likely: list[tuple[float, int, int]] = []
    for first, second in combinations(np.flatnonzero(there).tolist(), 2):
        swapped = given.copy()
        swapped[[first, second]] = given[[second, first]]
        # By the middles alone, which is quick; the likeliest is then fitted whole.
        try:
            back = np.linalg.inv(_homography(swapped[there], pixels[there]))
        except (ValueError, np.linalg.LinAlgError):
            continue
        beside = project(row_of(back), pixels[there]) - swapped[there]
        likely.append((float(np.mean(beside**2)), first, second))
    if not likely:
        return None
    _, first, second = min(likely)
    rest = list(things)
    rest[first] = moved(things[first], things[second].at_mm)
    rest[second] = moved(things[second], things[first].at_mm)
    try:
        good = fit(rest, lens).worst.error_mm <= limit_mm
    except (ValueError, np.linalg.LinAlgError):
        return None
    return (things[first].name, things[second].name) if good else None


def moved(thing: Known, at_mm: tuple[float, float] | None) -> Known:
    """The same thing with another given place."""
    return Known(name=thing.name, pixels=thing.pixels, local=thing.local, at_mm=at_mm)


def culprit(things: Sequence[Known], lens: Lens | None, whole: Plane) -> str | None:
    """The one thing without which the rest fits at least three times as well, if there is one."""
    if len(things) < MANY + 1:
        return None
    best: tuple[float, str] | None = None
    for left_out in range(len(things)):
        rest = [thing for number, thing in enumerate(things) if number != left_out]
        try:
            residual = fit(rest, lens).residual_mm
        except (ValueError, np.linalg.LinAlgError):
            continue
        if best is None or residual < best[0]:
            best = (residual, things[left_out].name)
    return best[1] if best is not None and best[0] * 3 < whole.residual_mm else None


def marker(
    number: int, corners: Array, places: Mapping[str, tuple[float, float]], side_mm: float
) -> Known:
    """A marker of the felt, at its given place or anywhere."""
    name = str(number)
    return Known(name=name, pixels=corners, local=marker_corners(side_mm), at_mm=places.get(name))


def point(name: str, pixel: tuple[float, float], at_mm: tuple[float, float]) -> Known:
    """A clicked point with its known place."""
    return Known(
        name=name,
        pixels=np.asarray([pixel], dtype=np.float64),
        local=np.zeros((1, 2)),
        at_mm=at_mm,
    )


def spread_px(things: Sequence[Known], size: tuple[int, int]) -> float:
    """How much of the picture the things span: the wider share of its width and height."""
    pixels = np.vstack([thing.pixels for thing in things])
    return float((np.ptp(pixels, axis=0) / np.asarray(size)).max())


def orientation(matrix: Sequence[float]) -> float:
    """Positive if the plan goes round the same way as the picture."""
    square = np.asarray(matrix, dtype=np.float64).reshape(3, 3)
    return float(np.linalg.det(square) / square[2, 2] ** 3)


def aligned(plane: Plane, places: Mapping[str, tuple[float, float]]) -> tuple[Plane, float, str]:
    """The plane with its plan turned and moved onto old places of its things.

    Also how far the worst thing lies beside its old place, in millimetres, and its name. For a
    plane whose own plan begins anywhere; the sizes stay as measured.
    """
    both = [each for each in plane.things if each.name in places]
    here = np.asarray([each.at_mm for each in both], dtype=np.float64)
    there = np.asarray([places[each.name] for each in both], dtype=np.float64)
    a, b = here - np.median(here, axis=0), there - np.median(there, axis=0)
    turn = np.arctan2(float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(np.sum(a * b)))
    whole = np.eye(3)
    whole[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    whole[:2, 2] = np.median(there - here @ whole[:2, :2].T, axis=0)
    matrix = np.asarray(plane.matrix).reshape(3, 3) @ np.linalg.inv(whole)
    row = row_of(whole)
    things = []
    for each in plane.things:
        x, y = (float(value) for value in project(row, [each.at_mm])[0])
        things.append(
            Fitted(
                name=each.name,
                at_mm=(x, y),
                points_mm=project(row, each.points_mm),
                errors_mm=each.errors_mm,
            )
        )
    beside = {
        each.name: float(np.hypot(*(np.asarray(each.at_mm) - places[each.name])))
        for each in things
        if each.name in places
    }
    worst = max(beside, key=lambda name: beside[name])
    moved_plane = replace(
        plane,
        matrix=row_of(matrix / matrix[2, 2]),
        things=tuple(things),
    )
    return moved_plane, beside[worst], worst
