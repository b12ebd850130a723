"""The zones of each game: where they begin, how they are moved, and what is wrong with them.

A game's plan is drawn as the dealer's side is the upper edge of the picture (that of Baloot: the
lower one), in millimetres. Its measures are those of common layouts; they are a beginning, to be
dragged onto the printed boxes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.words import Sentence, say
from vision.layout import Layout, Zone

Array = NDArray[np.float64]
Corners = tuple[tuple[float, float], ...]

WANTED_PX: Final = 64.0
"""A card must be so wide in the picture for its indices to be read (vision-spike.md 3)."""
SHARED_MM2: Final = 200.0
"""Zones that share more than this overlap; less is a hand's tremble."""
HANDLES: Final = 8
SMALLEST_MM: Final = 20.0


@dataclass(frozen=True, slots=True)
class Place:
    """A zone of a plan: middle, size and turn."""

    id: str
    slots: int
    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    """Degrees, clockwise."""

    def corners(self) -> Corners:
        """Clockwise from the upper left as it is turned."""
        half = np.asarray((self.width, self.height)) / 2
        flat = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
        return as_corners(turned(flat, self.turn) + np.asarray((self.x, self.y)))


def _seats() -> tuple[Place, ...]:
    """Seven seats on an arc; the first is at the dealer's left, which is right in the picture."""
    out = []
    for seat, angle in enumerate(np.linspace(-54, 54, 7)):
        lean = np.radians(angle)
        x, y = 650 - 540 * np.sin(lean), 110 + 520 * np.cos(lean)
        out.append(Place(f"S{seat + 1}", 12, float(x), float(y), 130, 190, float(angle)))
    return tuple(out)


PLANS: Final[Mapping[str, tuple[Place, ...]]] = {
    "baccarat": (
        # A hand has room for a card too many, which must be seen to be answered.
        Place("P", 4, 175, 100, 350, 120),
        Place("B", 4, 537, 100, 350, 120),
        Place("BURN", 12, 417, 341, 490, 218),
        Place("DISCARD", 0, 779, 115, 110, 150),
    ),
    "boundless-blackjack": (
        Place("M", 12, 600, 480, 390, 300),
        Place("L", 12, 200, 480, 330, 300),
        Place("R", 12, 1000, 480, 330, 300),
        Place("D", 12, 600, 150, 420, 180),
        Place("BURN", 4, 1000, 150, 180, 180),
        Place("DISCARD", 0, 200, 150, 180, 180),
    ),
    "blackjack": (
        *_seats(),
        Place("D", 12, 650, 110, 420, 160),
        Place("BURN", 4, 1090, 110, 150, 150),
        Place("DISCARD", 0, 210, 110, 150, 150),
    ),
    "baloot": (
        # A rack is one row of eight, so that the console can say "the third from the left"; drawn
        # as the dealer sees it, who stands at the lower edge.
        Place("H0", 8, 625, 640, 610, 104),
        Place("H1", 8, 940, 178, 610, 104),
        Place("H2", 8, 625, 64, 610, 104),
        Place("H3", 8, 310, 178, 610, 104),
        Place("FACE", 1, 625, 410, 90, 104),
        Place("T0", 1, 625, 520, 90, 104),
        Place("T1", 1, 735, 410, 90, 104),
        Place("T2", 1, 625, 300, 90, 104),
        Place("T3", 1, 515, 410, 90, 104),
    ),
}
"""Zones of CONTRACTS.md 10 by game."""


def as_corners(points: Array) -> Corners:
    """Points as a zone keeps them, to a hundredth of a millimetre."""
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in points)


def turned(points: Array, degrees: float) -> Array:
    """Points turned clockwise about (0, 0), in a plan whose y grows downwards."""
    angle = np.radians(degrees)
    spin = np.asarray([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(points @ spin, dtype=np.float64)


def plan(game: str, middle: tuple[float, float]) -> tuple[Zone, ...]:
    """A game's zones with their common middle there.

    Raises:
        KeyError: if the game has no plan.
    """
    zones = [Zone(each.id, each.corners(), each.slots) for each in PLANS[game]]
    points = np.vstack([np.asarray(zone.polygon_mm) for zone in zones])
    shift = np.asarray(middle) - (points.min(axis=0) + points.max(axis=0)) / 2
    return tuple(moved_by(zone, (float(shift[0]), float(shift[1]))) for zone in zones)


def moved_by(zone: Zone, by_mm: tuple[float, float]) -> Zone:
    """A zone as a whole, moved."""
    return Zone(zone.id, as_corners(np.asarray(zone.polygon_mm) + by_mm), zone.slots)


def turned_about(zone: Zone, middle: Array, degrees: float) -> Zone:
    """A zone as a whole, turned about a point; its corners begin anew at the upper left."""
    points = turned(np.asarray(zone.polygon_mm) - middle, degrees) + middle
    first = int(np.argmin(points.sum(axis=1)))
    return Zone(zone.id, as_corners(np.roll(points, -first, axis=0)), zone.slots)


def handles(zone: Zone) -> Array:
    """Four corners and four middles of sides, shape (8, 2), in millimetres.

    A zone with another number of corners has its corners alone.
    """
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    if len(points) != 4:
        return points
    return np.vstack([points, (points + np.roll(points, -1, axis=0)) / 2])


def pulled(zone: Zone, handle: int, by_mm: tuple[float, float]) -> Zone:
    """The zone with one handle moved; the middle of a side takes both its corners along.

    Raises:
        IndexError: if it has no such handle.
    """
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    if not 0 <= handle < len(handles(zone)):
        raise IndexError(handle)
    touched = [handle] if handle < len(points) else [handle - 4, (handle - 3) % 4]
    points[touched] += by_mm
    return Zone(zone.id, as_corners(points), zone.slots)


def outline_px(layout: Layout, zone: Zone, each: int = 8) -> Array:
    """The zone's rim in pixels, with points between its corners, so that it follows the lens."""
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    steps = np.linspace(0, 1, each, endpoint=False)[:, None]
    nexts = np.roll(points, -1, axis=0)
    rim = np.vstack([a + (b - a) * steps for a, b in zip(points, nexts, strict=True)])
    return layout.to_pixels(rim)


def card_px(layout: Layout, zone: Zone) -> float:
    """Width in pixels of a card in that part of the zone and that turn where it is least."""
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    points = np.vstack([points, points.mean(axis=0)])
    at = layout.to_pixels(points)
    right = layout.to_pixels(points + np.asarray((1.0, 0.0))) - at
    down = layout.to_pixels(points + np.asarray((0.0, 1.0))) - at
    narrow = [
        float(np.linalg.svd(np.column_stack([a, b]), compute_uv=False)[-1])
        for a, b in zip(right, down, strict=True)
    ]
    return min(narrow) * layout.card_mm[0]


def size_mm(zone: Zone) -> tuple[int, int]:
    """Width and height: means of the opposite sides."""
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    if len(points) != 4:
        wide, high = np.ptp(points, axis=0)
        return round(float(wide)), round(float(high))
    sides = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    return round(float(sides[0] + sides[2]) / 2), round(float(sides[1] + sides[3]) / 2)


def fault(layout: Layout, zone: Zone) -> Sentence | None:
    """The gravest thing that is wrong with a zone, or nothing."""
    if not _simple(zone):
        return say("zone_crossed", zone=zone.id)
    rim = outline_px(layout, zone)
    width, height = layout.image
    inside = (rim >= -0.5) & (rim <= (width - 0.5, height - 0.5))
    if not np.isfinite(rim).all() or not inside.all():
        return say("zone_outside", zone=zone.id)
    for other in layout.zones:
        if other.id != zone.id and _simple(other) and _shared(zone, other) > SHARED_MM2:
            return say("zone_overlap", zone=zone.id, other=other.id)
    wide, high = size_mm(zone)
    short, long = min(wide, high), max(wide, high)
    if zone.slots and (short < layout.card_mm[0] or long < layout.card_mm[1]):
        return say("zone_tight", zone=zone.id, slots=zone.slots)
    return too_small(layout, zone) if zone.slots else None


def too_small(layout: Layout, zone: Zone) -> Sentence | None:
    """What to change if cards are too small to be read in a zone."""
    seen = card_px(layout, zone)
    if seen >= WANTED_PX:
        return None
    share = WANTED_PX / max(seen, 1.0)
    return say(
        "zone_small",
        zone=zone.id,
        card=round(seen),
        wanted=round(WANTED_PX),
        closer=int(np.ceil(100 * (1 - 1 / share))),
        width=int(np.ceil(layout.image[0] * share / 16)) * 16,
        height=int(np.ceil(layout.image[1] * share / 16)) * 16,
    )


def _simple(zone: Zone) -> bool:
    """Whether the sides do not cross: all turns of four corners go the same way round."""
    points = np.asarray(zone.polygon_mm, dtype=np.float64)
    if len(points) != 4:
        return True
    sides = np.roll(points, -1, axis=0) - points
    nexts = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * nexts[:, 1] - sides[:, 1] * nexts[:, 0]
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    return bool((turns > 0).all() and lengths.min() >= SMALLEST_MM)


def _shared(one: Zone, other: Zone) -> float:
    """Area that two zones have in common, in square millimetres."""
    first, second = (
        cv2.convexHull(np.asarray(zone.polygon_mm, dtype=np.float32)) for zone in (one, other)
    )
    area, _ = cv2.intersectConvexConvex(first, second)
    return float(area)


def sized(layout: Layout) -> Sequence[tuple[Zone, float]]:
    """Each zone in which cards are read, with the width of a card there in pixels."""
    return [(zone, card_px(layout, zone)) for zone in layout.zones if zone.slots]
