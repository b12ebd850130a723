"""The layout file: where the felt is in a camera's picture and which zones it has.

The format is that of CONTRACTS.md 10. Zones are in millimetres on the felt; `plane` takes
millimetres to undistorted pixels and `lens`, where known, takes those to pixels of the frame. Only
points are ever undistorted, never frames.
"""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

VERSION: Final = 1
CARD_MM: Final = (63.0, 88.0)
"""Width and height of a poker-size card in millimetres."""
MAX_RESIDUAL_MM: Final = 1.0
"""A calibration that fits worse than this is refused (VISION.md 2)."""
FIRST_IMAGE: Final = (1920, 1080)
"""What a camera is asked for that has no layout yet."""
UNDISTORT_ROUNDS: Final = 12
"""Fixed-point rounds of the inverse lens model; ordinary lenses settle within six."""

Points = NDArray[np.float64]
"""An array of shape (n, 2): x to the right, y downwards."""


class LayoutError(ValueError):
    """A layout that cannot be used, with a sentence that says what to change."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Camera matrix (row by row) and distortion k1 k2 p1 p2 k3, as OpenCV calibrates them."""

    matrix: tuple[float, ...]
    distortion: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """One zone of the felt. With 0 slots nothing in it is read, as in a discard rack.

    Cards are dealt into it from left to right and row by row, as x and y of the plan grow: a felt
    that is dealt the other way has its plan drawn from the other side.
    """

    id: str
    polygon_mm: tuple[tuple[float, float], ...]
    slots: int

    def holds(self, x: float, y: float) -> bool:
        """Whether a point in millimetres lies in the zone."""
        inside = False
        corners = (*self.polygon_mm, self.polygon_mm[0])
        for (x0, y0), (x1, y1) in pairwise(corners):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                inside = not inside
        return inside


@dataclass(frozen=True, slots=True)
class Mark:
    """A fixed feature of the felt, watched to notice a knocked camera."""

    at_mm: tuple[float, float]
    size_mm: float


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed marker that lies, or lay, on the felt: its number and its middle."""

    number: int
    at_mm: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Everything that is known about one camera's view of one table."""

    game: str
    image: tuple[int, int]
    """Width and height of the frame in pixels."""
    plane: tuple[float, ...]
    """Homography, row by row: millimetres on the felt to undistorted pixels."""
    zones: tuple[Zone, ...]
    card_mm: tuple[float, float] = CARD_MM
    lens: Lens | None = None
    residual_mm: float = 0.0
    watch: tuple[Mark, ...] = ()
    revision: int = 0
    """Version of this table's layout, counted by `cutcard calibrate`; 0 if made by hand."""
    markers: tuple[Marker, ...] = ()
    """Where the printed markers lay when the plane was measured, to find it again."""

    def zone(self, zone_id: str) -> Zone:
        """Find a zone by its name.

        Raises:
            LayoutError: naming the zones that there are.
        """
        for zone in self.zones:
            if zone.id == zone_id:
                return zone
        names = " ".join(zone.id for zone in self.zones)
        raise LayoutError(f"there is no zone {zone_id!r} in this layout: it has {names}")

    def to_pixels(self, points_mm: ArrayLike) -> Points:
        """Take points on the felt to pixels of the frame."""
        flat = project(self.plane, points_mm)
        return flat if self.lens is None else distort(self.lens, flat)

    def to_mm(self, points_px: ArrayLike) -> Points:
        """Take pixels of the frame to points on the felt."""
        flat = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        if self.lens is not None:
            flat = undistort(self.lens, flat)
        back = np.linalg.inv(np.asarray(self.plane, dtype=np.float64).reshape(3, 3))
        return project(tuple(back.ravel()), flat)


def no_layout(game: str) -> Layout:
    """What a camera works with that was never calibrated: no zone, so nothing is read."""
    return Layout(game=game, image=FIRST_IMAGE, plane=(1, 0, 0, 0, 1, 0, 0, 0, 1), zones=())


def project(matrix: Sequence[float], points: ArrayLike) -> Points:
    """Apply a homography, given row by row, to points."""
    square = np.asarray(matrix, dtype=np.float64).reshape(3, 3)
    flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    whole = np.column_stack([flat, np.ones(len(flat))]) @ square.T
    moved: Points = whole[:, :2] / whole[:, 2:]
    return moved


def distort(lens: Lens, points: Points) -> Points:
    """Take ideal pixels to where the lens puts them (the model of OpenCV's calibrateCamera)."""
    fx, _, cx, _, fy, cy = lens.matrix[:6]
    k1, k2, p1, p2, k3 = lens.distortion
    x = (points[:, 0] - cx) / fx
    y = (points[:, 1] - cy) / fy
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    bent_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return np.column_stack([bent_x * fx + cx, bent_y * fy + cy])


def undistort(lens: Lens, points: Points) -> Points:
    """Take pixels of the frame to ideal pixels, by fixed-point rounds."""
    flat = points.copy()
    for _ in range(UNDISTORT_ROUNDS):
        flat += points - distort(lens, flat)
    return flat


def load_layout(path: Path) -> Layout:
    """Read a layout file.

    Raises:
        LayoutError: with the file, the field and what to do.
    """
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise LayoutError(
            f"{path}: there is no such layout file; make one with `cutcard calibrate` or correct"
            " the path"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"{path}: the layout file cannot be read ({error})") from None
    except json.JSONDecodeError as error:
        raise LayoutError(
            f"{path}: line {error.lineno} is not JSON ({error.msg}); correct it or calibrate again"
        ) from None
    try:
        return parse_layout(body)
    except LayoutError as error:
        raise LayoutError(f"{path}: {error}") from None


def save_layout(layout: Layout, path: Path) -> None:
    """Write a layout file: whole and on the disk, or not at all.

    Raises:
        OSError: if it cannot be written; the file is then as it was.
    """
    write_whole(path, json.dumps(layout_body(layout), indent=1) + "\n")


def write_whole(path: Path, body: str) -> None:
    """Write a text file: whole and on the disk, or not at all.

    Raises:
        OSError: if it cannot be written; the file is then as it was.
    """
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
    ) as out:
        part = Path(out.name)
        try:
            out.write(body)
            out.flush()
            os.fsync(out.fileno())
            # What is made for one user alone is readable for the studio's others, as a file is.
            part.chmod(0o644)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def layout_body(layout: Layout) -> dict[str, Any]:
    """The JSON object of a layout."""
    lens = layout.lens
    # What a layout made by hand does not have is not written either.
    more: dict[str, Any] = {"revision": layout.revision} if layout.revision else {}
    if layout.markers:
        more["markers"] = [
            {"number": marker.number, "at_mm": list(marker.at_mm)} for marker in layout.markers
        ]
    return {
        "version": VERSION,
        "game": layout.game,
        "card_mm": list(layout.card_mm),
        "image": list(layout.image),
        "lens": lens and {"K": list(lens.matrix), "dist": list(lens.distortion)},
        "plane": list(layout.plane),
        "residual_mm": layout.residual_mm,
        "zones": [
            {
                "id": zone.id,
                "polygon_mm": [list(corner) for corner in zone.polygon_mm],
                "slots": zone.slots,
            }
            for zone in layout.zones
        ],
        "watch": [{"at_mm": list(mark.at_mm), "size_mm": mark.size_mm} for mark in layout.watch],
        **more,
    }


def parse_layout(body: object) -> Layout:
    """Check the JSON object of a layout file and take it over.

    Raises:
        LayoutError: with the field and what to do.
    """
    fields = _object(body, "the file")
    if fields.get("version") != VERSION:
        raise LayoutError(
            f"version: this program reads layout version {VERSION}, the file says"
            f" {fields.get('version')!r}; calibrate again"
        )
    known = {"version", "game", "card_mm", "image", "lens", "plane", "residual_mm", "zones"}
    extra = sorted(set(fields) - known - {"watch", "revision", "markers"})
    if extra:
        raise LayoutError(f"{extra[0]}: not a field of a layout; remove it or correct its name")
    width, height = _numbers(fields, "image", 2)
    if width < 1 or height < 1 or width % 1 or height % 1:
        raise LayoutError("image: width and height of the frame must be whole and positive")
    residual = _numbers({"residual_mm": [fields.get("residual_mm", 0.0)]}, "residual_mm", 1)[0]
    if not 0 <= residual <= MAX_RESIDUAL_MM:
        raise LayoutError(
            f"residual_mm: {residual} is not within 0 to {MAX_RESIDUAL_MM}; calibrate again with"
            " the markers flat on the felt"
        )
    card = _numbers(fields, "card_mm", 2)
    if not 20 <= card[0] < card[1] <= 200:
        raise LayoutError("card_mm: give width and height in millimetres, as [63, 88]")
    plane = _numbers(fields, "plane", 9)
    if abs(np.linalg.det(np.asarray(plane).reshape(3, 3))) < 1e-12:
        raise LayoutError("plane: this matrix maps the felt to a line; calibrate again")
    revision = fields.get("revision", 0)
    if isinstance(revision, bool) or not isinstance(revision, int) or revision < 0:
        raise LayoutError("revision: must be a whole number from 0 on; calibrate again")
    game = fields.get("game")
    if not isinstance(game, str) or not game:
        raise LayoutError('game: name the game, as "baccarat"')
    return Layout(
        game=game,
        card_mm=(card[0], card[1]),
        image=(int(width), int(height)),
        lens=_lens(fields.get("lens")),
        plane=plane,
        residual_mm=residual,
        zones=_zones(fields.get("zones")),
        watch=_watch(fields.get("watch", [])),
        revision=revision,
        markers=_markers(fields.get("markers", [])),
    )


def _object(value: object, name: str) -> Mapping[str, Any]:
    """A JSON object, or the sentence that says it must be one."""
    if not isinstance(value, dict):
        raise LayoutError(f"{name}: must be an object with named fields")
    return value


def _numbers(fields: Mapping[str, Any], name: str, count: int) -> tuple[float, ...]:
    """So many finite numbers of a field."""
    value = fields.get(name)
    good = (
        isinstance(value, list)
        and len(value) == count
        and all(isinstance(each, int | float) and not isinstance(each, bool) for each in value)
        and bool(np.isfinite(np.asarray(value, dtype=np.float64)).all())
    )
    if not good or value is None:
        raise LayoutError(f"{name}: must be {count} number{'s' if count > 1 else ''}")
    return tuple(float(each) for each in value)


def _lens(value: object) -> Lens | None:
    """The lens model; null where none was measured."""
    if value is None:
        return None
    fields = _object(value, "lens")
    matrix = _numbers(fields, "K", 9)
    if matrix[0] <= 0 or matrix[4] <= 0:
        raise LayoutError("K: the focal lengths must be positive; calibrate the lens again")
    return Lens(matrix, _numbers(fields, "dist", 5))


def _zones(value: object) -> tuple[Zone, ...]:
    """The zones, each with a name of its own."""
    if not isinstance(value, list) or not value:
        raise LayoutError("zones: give at least one zone")
    zones = []
    for number, each in enumerate(value):
        fields = _object(each, f"zones[{number}]")
        name, slots, polygon = fields.get("id"), fields.get("slots"), fields.get("polygon_mm")
        if not isinstance(name, str) or not name:
            raise LayoutError(f"zones[{number}].id: name the zone")
        if isinstance(slots, bool) or not isinstance(slots, int) or not 0 <= slots <= 60:
            raise LayoutError(f"zones[{number}].slots: must be a whole number from 0 to 60")
        if not isinstance(polygon, list) or len(polygon) < 3:
            raise LayoutError(f"zones[{number}].polygon_mm: give at least three corners")
        corners = [_numbers({"polygon_mm": corner}, "polygon_mm", 2) for corner in polygon]
        zones.append(Zone(name, tuple((x, y) for x, y in corners), slots))
    names = [zone.id for zone in zones]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise LayoutError(f"zones: {twice} is there twice; give each zone its own name")
    return tuple(zones)


def _watch(value: object) -> tuple[Mark, ...]:
    """The fixed features."""
    if not isinstance(value, list):
        raise LayoutError("watch: must be a list of fixed features")
    marks = []
    for number, each in enumerate(value):
        fields = _object(each, f"watch[{number}]")
        x, y = _numbers(fields, "at_mm", 2)
        size = _numbers({"size_mm": [fields.get("size_mm")]}, "size_mm", 1)[0]
        if not 5 <= size <= 100:
            raise LayoutError(f"watch[{number}].size_mm: must be from 5 to 100")
        marks.append(Mark((x, y), size))
    return tuple(marks)


def _markers(value: object) -> tuple[Marker, ...]:
    """Where the printed markers lay."""
    if not isinstance(value, list):
        raise LayoutError("markers: must be a list of markers")
    markers = []
    for number, each in enumerate(value):
        fields = _object(each, f"markers[{number}]")
        name = fields.get("number")
        if isinstance(name, bool) or not isinstance(name, int) or name < 0:
            raise LayoutError(f"markers[{number}].number: must be the marker's printed number")
        x, y = _numbers(fields, "at_mm", 2)
        markers.append(Marker(name, (x, y)))
    return tuple(markers)
