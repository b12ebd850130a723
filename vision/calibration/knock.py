"""Fixed features of the felt: which to watch, and how a camera that was knocked has moved.

For the watch while a table deals (`Watch`, a few milliseconds a look, once a second) and for the
choice of features when a layout is kept (`features`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Mark
from vision.locate import Image

Array = NDArray[np.float64]

MARK_MM: Final = 22.0
"""Side of a watched patch of the felt."""
MOST: Final = 8
WANTED: Final = 2
APART: Final = 0.12
"""Features lie at least this share of the picture's width apart."""
QUALITY: Final = 0.08
AROUND_MM: Final = 60.0
"""Features are looked for so far around markers and zones; beyond is no felt."""
REACH_MM: Final = 40.0
"""A feature is looked for so far from its place."""
FOUND: Final = 0.6
"""Correlation from which on a feature counts as found."""
UNLIKE: Final = 0.8
"""A feature whose surroundings hold another place that is like it by more is not chosen."""
AGREE_MM: Final = 1.5
"""Features that move as one agree to this."""
STRETCH: Final = 0.03
"""What is as much larger or smaller than before is not the felt that was moved."""
TOLD_MM: Final = 1.0
"""A shift of less is within what a look can tell."""
DIRECTIONS: Final = (
    "to the right",
    "down and to the right",
    "down",
    "down and to the left",
    "to the left",
    "up and to the left",
    "up",
    "up and to the right",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How the felt lies in the picture now, against how it lay."""

    seen: int
    """Features that were found, of `of`."""
    of: int
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    """Clockwise."""
    worst_mm: float = 0.0
    """The farthest that any found feature lies beside its place."""

    @property
    def known(self) -> bool:
        """Whether enough features were found to say anything."""
        return self.seen >= WANTED

    @property
    def text(self) -> str:
        """One sentence: how far, and which way the picture's contents moved."""
        if not self.known:
            return f"{self.seen} of {self.of} fixed features of the felt are seen"
        far = float(np.hypot(self.x_mm, self.y_mm))
        if self.worst_mm < TOLD_MM:
            return f"the felt lies where it was, within {TOLD_MM:g} mm"
        eighth = round(float(np.arctan2(self.y_mm, self.x_mm)) / (np.pi / 4)) % 8
        way = DIRECTIONS[eighth]
        turn = f" and turned by {abs(self.turn_deg):.1f}°" if abs(self.turn_deg) >= 0.1 else ""
        return f"the felt moved {far:.1f} mm {way} in the picture{turn}"


@dataclass(frozen=True, slots=True)
class _Patch:
    """A feature as it looked: its middle on the felt and in the picture, and its pixels."""

    at_px: tuple[float, float]
    x0: int
    y0: int
    pixels: Image


class Watch:
    """Compares the features of one layout with how they looked on the empty felt."""

    def __init__(self, layout: Layout, empty: Image) -> None:
        """Cut the features out of a picture in which they show."""
        self._scale = scale(layout)
        self._reach = max(8, round(REACH_MM * self._scale))
        self._patches = [
            patch for mark in layout.watch if (patch := _patch(layout, mark, empty)) is not None
        ]

    def look(self, image: Image) -> Shift:
        """How the felt has moved in this picture."""
        pairs = [
            (patch.at_px, there)
            for patch in self._patches
            if (there := self._find(image, patch)) is not None
        ]
        of = len(self._patches)
        if len(pairs) < WANTED:
            return Shift(seen=len(pairs), of=of)
        before, now = (np.asarray([pair[side] for pair in pairs]) for side in (0, 1))
        # What a hand covers is found elsewhere by chance; the felt moves as one.
        kept = _as_one(before, now, AGREE_MM * self._scale)
        before, now = before[kept], now[kept]
        if len(before) < WANTED:
            return Shift(seen=len(before), of=of)
        apart = now - before
        middle = np.median(apart, axis=0)
        turn = _turn(before, now)
        worst = float(np.hypot(apart[:, 0], apart[:, 1]).max())
        return Shift(
            seen=len(before),
            of=of,
            x_mm=float(middle[0]) / self._scale,
            y_mm=float(middle[1]) / self._scale,
            turn_deg=turn,
            worst_mm=worst / self._scale,
        )

    def _find(self, image: Image, patch: _Patch) -> tuple[float, float] | None:
        """Where a patch is now, to a part of a pixel."""
        high, wide = patch.pixels.shape
        x0, y0 = max(0, patch.x0 - self._reach), max(0, patch.y0 - self._reach)
        around = image[y0 : patch.y0 + high + self._reach, x0 : patch.x0 + wide + self._reach, 1]
        if around.shape[0] < high or around.shape[1] < wide:
            return None
        scores = np.asarray(
            cv2.matchTemplate(np.ascontiguousarray(around), patch.pixels, cv2.TM_CCOEFF_NORMED),
            dtype=np.float32,
        )
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        if score < FOUND:
            return None
        dx, dy = _peak(scores, x, y)
        return (
            patch.at_px[0] + x + dx + x0 - patch.x0,
            patch.at_px[1] + y + dy + y0 - patch.y0,
        )


def features(
    image: Image, layout: Layout, hide: Sequence[Array] = (), hull: Array | None = None
) -> tuple[Mark, ...]:
    """Choose features of the felt's print to watch: well told apart, spread, outside of the zones.

    `hide` are outlines in pixels of what will be taken away, such as markers; `hull` points in
    millimetres around which the felt lies (the zones always count).
    """
    flat = np.ascontiguousarray(image[:, :, 1])
    points = [np.asarray(zone.polygon_mm, dtype=np.float64) for zone in layout.zones]
    inside = _felt(layout, np.vstack([*points, *([] if hull is None else [hull])]), flat)
    half = MARK_MM / 2 * scale(layout)
    grown = round(2 * half * 1.5) | 1
    hidden = np.zeros_like(flat)
    for polygon in points:
        cv2.fillPoly(hidden, [np.rint(layout.to_pixels(polygon)).astype(np.int32)], (255,))
    for outline in hide:
        cv2.fillPoly(hidden, [np.rint(outline).astype(np.int32)], (255,))
    hidden = np.asarray(cv2.dilate(hidden, np.ones((grown, grown), np.uint8)), dtype=np.uint8)
    mask = np.where(hidden > 0, 0, inside).astype(np.uint8)
    soft = cv2.GaussianBlur(flat, (0, 0), 1.2)
    apart = APART * layout.image[0]
    found = cv2.goodFeaturesToTrack(soft, 40, QUALITY, apart, mask=mask, blockSize=round(half) | 1)
    marks: list[Mark] = []
    # With no corner at all OpenCV gives None, whatever its types say.
    for x, y in np.asarray([[]] if found is None else found).reshape(-1, 2):  # type: ignore[redundant-expr]
        at = layout.to_mm([(float(x), float(y))])[0]
        mark = Mark((round(float(at[0]), 1), round(float(at[1]), 1)), MARK_MM)
        patch = _patch(layout, mark, image)
        if patch is not None and _unlike(flat, patch, round(REACH_MM * scale(layout))):
            marks.append(mark)
        if len(marks) == MOST:
            break
    return tuple(marks)


def scale(layout: Layout) -> float:
    """Pixels to the millimetre in the middle of the picture."""
    middle = layout.to_mm([(layout.image[0] / 2, layout.image[1] / 2)])[0]
    ends = layout.to_pixels([middle, middle + np.asarray((10.0, 0.0))])
    return float(np.hypot(*(ends[1] - ends[0]))) / 10.0


def _felt(layout: Layout, points: Array, flat: Image) -> Image:
    """Where the felt is: a little around what is known to lie on it."""
    middle = points.mean(axis=0)
    away = points - middle
    lengths = np.maximum(1.0, np.hypot(away[:, 0], away[:, 1]))[:, None]
    grown = middle + away * (1 + AROUND_MM / lengths)
    mask = np.zeros_like(flat)
    outline = np.rint(layout.to_pixels(grown)).astype(np.int32)
    cv2.fillConvexPoly(mask, np.asarray(cv2.convexHull(outline)), (255,))
    return mask


def _patch(layout: Layout, mark: Mark, image: Image) -> _Patch | None:
    """Cut a feature out; None if it lies too near to the rim."""
    half = max(6.0, mark.size_mm / 2 * scale(layout))
    x, y = (float(each) for each in layout.to_pixels([mark.at_mm])[0])
    x0, y0, x1, y1 = round(x - half), round(y - half), round(x + half) + 1, round(y + half) + 1
    if x0 < 0 or y0 < 0 or x1 > image.shape[1] or y1 > image.shape[0]:
        return None
    return _Patch((x, y), x0, y0, np.ascontiguousarray(image[y0:y1, x0:x1, 1]))


def _unlike(flat: Image, patch: _Patch, reach: int) -> bool:
    """Whether nothing around a patch looks like it."""
    high, wide = patch.pixels.shape
    x0, y0 = max(0, patch.x0 - reach), max(0, patch.y0 - reach)
    around = np.ascontiguousarray(flat[y0 : patch.y0 + high + reach, x0 : patch.x0 + wide + reach])
    scores = np.array(cv2.matchTemplate(around, patch.pixels, cv2.TM_CCOEFF_NORMED))
    x, y = patch.x0 - x0, patch.y0 - y0
    near = max(3, wide // 3)
    scores[max(0, y - near) : y + near + 1, max(0, x - near) : x + near + 1] = -1
    return bool(scores.max() < UNLIKE)


def _peak(scores: NDArray[np.float32], x: int, y: int) -> tuple[float, float]:
    """The part of a pixel by which a peak lies beside its highest value: a parabola each way."""

    def part(before: float, at: float, after: float) -> float:
        bend = before - 2 * at + after
        return 0.0 if bend >= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))

    height, width = scores.shape
    dx = part(*(float(scores[y, x + d]) for d in (-1, 0, 1))) if 0 < x < width - 1 else 0.0
    dy = part(*(float(scores[y + d, x]) for d in (-1, 0, 1))) if 0 < y < height - 1 else 0.0
    return dx, dy


def _as_one(before: Array, now: Array, within_px: float) -> NDArray[np.bool_]:
    """Which points moved together: shifted and turned as one, the most that agree."""
    best = np.zeros(len(before), dtype=bool)
    for one, other in combinations(range(len(before)), 2):
        a, b = before[other] - before[one], now[other] - now[one]
        length = float(np.hypot(*a))
        if length < 1 or abs(float(np.hypot(*b)) / length - 1) > STRETCH:
            continue
        turn = float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))
        spin = np.asarray([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        beside = (before - before[one]) @ spin + now[one] - now
        agree = np.hypot(beside[:, 0], beside[:, 1]) <= within_px
        if agree.sum() > best.sum():
            best = agree
    return best


def _turn(before: Array, now: Array) -> float:
    """Degrees by which points turned about their middle, clockwise."""
    a, b = before - before.mean(axis=0), now - now.mean(axis=0)
    cross = float(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]))
    return float(np.degrees(np.arctan2(cross, float(np.sum(a * b)))))
