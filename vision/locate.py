"""Finds whole, separate cards in a zone by their difference to the empty felt."""

import math
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Zone

Image = NDArray[np.uint8]
Quad = NDArray[np.float64]
"""Four corners in pixels, shape (4, 2): the card's upper left first, then clockwise; the long
sides run from 1 to 2 and from 3 to 0. Which end is up is not known."""

CROP: Final = (176, 126)
"""Height and width of a rectified card, as the reader wants it."""
MARGIN_MM: Final = 6.0
"""A zone is looked at this far beyond its outline."""
BRIGHTER: Final = 26
"""A pixel that is so much brighter than the empty felt in one colour is not felt. Shadows only
darken, so they are not."""
DARKER: Final = 80
"""A pixel that is so much darker is more than a shadow."""
DIMMER: Final = 30
"""A pixel that is so much darker is in a shadow, or is something dark, as a sleeve is."""
TINTED: Final = 0.4
"""A shadow dims all colours alike; where their shares differ by so much something lies."""
SPECK_MM2: Final = 250.0
"""Smaller things are no concern of the eye's: dust, a crease, the rim of a light spot."""
SIZE_TOLERANCE: Final = 0.06
"""A card's sides may differ by so much from the known size; a sleeve or a pair differs more."""
SLEEVE: Final = 0.025
"""What is larger than a card by so much, both ways, is in a sleeve, or no card of this deck: a
sleeve adds 3 to 6 %, and rendered cards are measured to 0.3 % (99 of 100 sides to 0.6 %)."""
HEAP: Final = 1.15
"""What is larger than so many cards may be several; a card in a sleeve is smaller."""
FILLED: Final = 0.93
"""So much of its smallest box a card's outline must fill."""
SEARCH_PX: Final = 3.0
"""An edge is looked for so far from the outline."""
STEP_PX: Final = 0.5
SAMPLES: Final = 28
"""Points at which each side is measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One thing on the felt that was not there when it was empty."""

    quad: Quad
    x: float
    y: float
    """Middle in millimetres."""
    card_shaped: bool
    heap: bool = False
    """Larger than one card: cards that touch or overlap, or something else."""
    outline: NDArray[np.int32] | None = field(default=None, compare=False, repr=False)
    """Its outline in pixels of the zone's window, as contours are kept."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a still zone holds. `covered`: something reaches in from outside, as a hand does."""

    covered: bool
    things: tuple[Found, ...]
    mask: Image | None = field(default=None, compare=False, repr=False)
    """255 where the zone's window differs from the empty felt."""

    def mask_of(self, found: Found) -> Image:
        """That part of the mask which is one of the things."""
        if self.mask is None or found.outline is None:
            raise ValueError("this thing was not found in a picture")
        own = np.zeros_like(self.mask)
        cv2.drawContours(own, [found.outline], -1, (255,), cv2.FILLED)
        return np.asarray(cv2.bitwise_and(own, self.mask), dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the frame in which a zone lies."""

    zone: Zone
    x0: int
    y0: int
    x1: int
    y1: int

    def cut(self, image: Image) -> Image:
        """That part of an image, not copied."""
        return image[self.y0 : self.y1, self.x0 : self.x1]


def window(layout: Layout, zone: Zone) -> Window:
    """The part of the frame that shows a zone and a little beyond it."""
    corners = np.asarray(zone.polygon_mm)
    middle = corners.mean(axis=0)
    outward = corners - middle
    outward *= 1 + MARGIN_MM / np.abs(outward)
    pixels = layout.to_pixels(outward + middle)
    low = np.floor(pixels.min(axis=0)).astype(int)
    high = np.ceil(pixels.max(axis=0)).astype(int)
    width, height = layout.image
    return Window(
        zone,
        int(np.clip(low[0], 0, width - 1)),
        int(np.clip(low[1], 0, height - 1)),
        int(np.clip(high[0], 1, width)),
        int(np.clip(high[1], 1, height)),
    )


def difference(view: Image, empty: Image, gain: float) -> Image:
    """255 where a view differs from the empty felt, else 0; `gain` is the light's change."""
    if abs(gain - 1.0) > 0.01:
        empty = np.asarray(cv2.convertScaleAbs(empty, alpha=gain), dtype=np.uint8)
    up = cv2.subtract(view, empty)
    down = cv2.subtract(empty, view)
    brighter = cv2.max(cv2.max(up[..., 0], up[..., 1]), up[..., 2])
    darker = cv2.max(cv2.max(down[..., 0], down[..., 1]), down[..., 2])
    thing = (brighter > BRIGHTER) | (darker > DARKER)
    dim = (darker > DIMMER) & ~thing
    if dim.any():
        # The few grey levels added keep the noise of dark pixels small.
        share = (view[dim].astype(np.float32) + 8) / (empty[dim].astype(np.float32) + 8)
        thing[dim] = np.ptp(share, axis=1) > TINTED
    mask = thing.astype(np.uint8) * 255
    # A thing over a printed line may be as bright as the line; the gap is closed.
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _square(5)), dtype=np.uint8)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _square(3)), dtype=np.uint8)


def _square(side: int) -> Image:
    """A square of ones, for closing and opening."""
    return np.ones((side, side), dtype=np.uint8)


def locate(layout: Layout, where: Window, frame: Image, empty: Image, gain: float) -> Sight:
    """Find what lies in a zone of a frame that is at rest."""
    view = where.cut(frame)
    mask = difference(view, where.cut(empty), gain)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    offset = np.asarray((where.x0, where.y0), dtype=np.float64)
    height, width = mask.shape
    things = []
    for outline in outlines:
        points = outline.reshape(-1, 2).astype(np.float64) + offset
        if len(points) < 20:
            continue
        area = _area(layout.to_mm(points))
        if area < SPECK_MM2:
            continue
        x, y, w, h = cv2.boundingRect(outline)
        inside = _middle_inside(layout, where.zone, points)
        if x <= 0 or y <= 0 or x + w >= width or y + h >= height:
            if inside or area > layout.card_mm[0] * layout.card_mm[1] * 0.2:
                return Sight(covered=True, things=())
            continue
        if inside:
            found = _found(layout, frame, points, area, (empty, gain))
            heap = not found.card_shaped and area >= HEAP * layout.card_mm[0] * layout.card_mm[1]
            own = np.asarray(outline, dtype=np.int32)
            things.append(replace(found, heap=heap, outline=own))
    return Sight(covered=False, things=tuple(things), mask=mask)


def _middle_inside(layout: Layout, zone: Zone, points: Quad) -> bool:
    """Whether the middle of an outline lies in the zone."""
    x, y = layout.to_mm([(points.min(axis=0) + points.max(axis=0)) / 2])[0]
    return zone.holds(float(x), float(y))


def _area(polygon: Quad) -> float:
    """Area within a closed outline."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def _found(
    layout: Layout, frame: Image, points: Quad, area: float, felt: tuple[Image, float]
) -> Found:
    """Measure one outline: a card, or something else."""
    box = cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32)))
    quad = order(np.asarray(box, dtype=np.float64))
    shaped = area >= FILLED * _area(layout.to_mm(quad)) and card_sized(layout, quad, 0.12)
    if shaped:
        fitted = refine(frame, quad, felt=felt)
        shaped = (
            fitted is not None
            and card_sized(layout, fitted, SIZE_TOLERANCE)
            and not sleeved(layout, fitted)
        )
        quad = quad if fitted is None else fitted
    x, y = layout.to_mm(quad).mean(axis=0)
    return Found(quad=quad, x=float(x), y=float(y), card_shaped=shaped)


def order(corners: Quad) -> Quad:
    """Four corners clockwise, the first two on a short side, nearest to upright first."""
    # Plain numbers: thousands of outlines of a picture are ordered, one by one.
    given = [(float(x), float(y)) for x, y in corners.tolist()]
    x0, y0 = (sum(each) / 4 for each in zip(*given, strict=True))
    quad = sorted(given, key=lambda each: math.atan2(each[1] - y0, each[0] - x0))
    one, two, three, four = (math.dist(quad[at], quad[(at + 1) % 4]) for at in range(4))
    if one + three > two + four:
        quad = [*quad[1:], quad[0]]
    # Either end may be up; begin with the upper one, so that a still card stays the same.
    if quad[0][1] + quad[1][1] > quad[2][1] + quad[3][1] + 1e-6:
        quad = [*quad[2:], *quad[:2]]
    return np.asarray(quad, dtype=np.float64)


def card_sized(layout: Layout, quad: Quad, tolerance: float) -> bool:
    """Whether four corners are as far apart on the felt as a card's."""
    on_felt = layout.to_mm(quad)
    sides = np.hypot(*(np.roll(on_felt, -1, axis=0) - on_felt).T)
    width, height = layout.card_mm
    wanted = np.asarray((width, height, width, height))
    return bool((np.abs(sides / wanted - 1) < tolerance).all())


def sleeved(layout: Layout, quad: Quad) -> bool:
    """Whether four corners are too far apart both ways, as those of a card in a sleeve are."""
    on_felt = layout.to_mm(quad)
    sides = np.hypot(*(np.roll(on_felt, -1, axis=0) - on_felt).T)
    width, height = layout.card_mm
    across, along = (sides[0] + sides[2]) / 2 / width, (sides[1] + sides[3]) / 2 / height
    return bool(min(across, along) > 1 + SLEEVE)


def refine(
    frame: Image,
    quad: Quad,
    search_px: float = SEARCH_PX,
    felt: tuple[Image, float] | None = None,
) -> Quad | None:
    """Move each side to the strongest edge beside it; None if the sides do not meet.

    `felt`: the empty felt and how bright the light is now, compared with then. An edge that was
    there already, as that of a printed line, is not the card's.
    """
    reach = int(search_px / STEP_PX)
    shifts = np.arange(-reach, reach + 1) * STEP_PX
    after = np.roll(quad, -1, axis=0)
    # The rounded corners are left out.
    part = np.linspace(0.12, 0.88, SAMPLES)[None, :, None]
    on_side = quad[:, None] + (after - quad)[:, None] * part
    along = after - quad
    outward = np.column_stack([along[:, 1], -along[:, 0]])
    outward /= np.maximum(1e-6, np.hypot(*outward.T))[:, None]
    grid = on_side[:, :, None, :] + outward[:, None, None, :] * shifts[None, None, :, None]
    x0, y0 = np.floor(grid.reshape(-1, 2).min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(grid.reshape(-1, 2).max(axis=0)).astype(int) + 2
    x0, y0 = max(0, x0), max(0, y0)
    if not frame[y0:y1, x0:x1].size:
        return None
    flat = (grid - (x0, y0)).astype(np.float32)
    slope = _slopes(frame[y0:y1, x0:x1], flat)
    if felt is not None:
        empty, gain = felt
        slope = np.maximum(0, slope - gain * _slopes(empty[y0:y1, x0:x1], flat))
    weight = slope**2 + 1e-3
    best = (weight * shifts[1:-1]).sum(axis=2) / weight.sum(axis=2)
    measured = on_side + outward[:, None] * best[..., None]
    lines = [_line(measured[side]) for side in range(4)]
    corners = [_meet(lines[side - 1], lines[side]) for side in range(4)]
    if any(corner is None for corner in corners):
        return None
    fitted = np.asarray(corners, dtype=np.float64)
    if np.abs(fitted - quad).max() > 3 * search_px:
        return None
    return fitted


def _slopes(patch: Image, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """How steeply a picture changes along rows of points (…, rows, n, 2): (…, rows, n - 2)."""
    flat = points.reshape(-1, points.shape[-2], 2)
    bright = np.ascontiguousarray(patch.max(axis=2))
    values = cv2.remap(
        bright, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    slope = np.abs(np.diff(np.asarray(values, dtype=np.float32).reshape(points.shape[:-1])))
    return np.asarray(slope[..., :-1] + slope[..., 1:], dtype=np.float32)


def _line(points: Quad) -> NDArray[np.float64]:
    """A line a·x + b·y = c through points, not led astray by a few bad ones."""
    fitted = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
    vx, vy, x, y = (float(each) for each in np.ravel(fitted))
    return np.asarray((-vy, vx, vx * y - vy * x))


def _meet(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Where two lines meet; None if they are parallel."""
    det = one[0] * other[1] - other[0] * one[1]
    if abs(det) < 0.2:
        return None
    x = (one[2] * other[1] - other[2] * one[1]) / det
    y = (one[0] * other[2] - other[0] * one[2]) / det
    return np.asarray((x, y))


def rectify(frame: Image, quad: Quad) -> Image:
    """The card within four corners, seen from straight above, long side vertical."""
    height, width = CROP
    target = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    x0, y0 = np.maximum(0, np.floor(quad.min(axis=0)).astype(int) - 2)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 3
    patch = frame[y0:y1, x0:x1]
    if not patch.size:
        return np.zeros((height, width, 3), dtype=np.uint8)
    source = (quad - (x0, y0)).astype(np.float32)
    # Pixel middles lie half a pixel inside the outline.
    matrix = cv2.getPerspectiveTransform(source, target - 0.5)
    flat = cv2.warpPerspective(
        patch, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, dtype=np.uint8)


def rounded(quad: Quad) -> tuple[tuple[int, int], ...]:
    """Whole pixels, for reports."""
    return tuple((round(float(x)), round(float(y))) for x, y in quad)
