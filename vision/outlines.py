"""Finds outlines of whole cards in a picture of which nothing else is known.

Outlines are guessed in three ways: closed shapes in black-and-white views of the picture, corners
where two straight edges meet, and shapes that are several cards side by side. Each guess is moved
to the edges beside it and measured by how much of its four sides lies on an edge. No guess is
an answer: the reader is asked about each, and what it does not know as a card falls away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Image, Quad, order, refine

WORK_PX: Final = 1280
"""Outlines are looked for in a picture whose long side is at most this."""
SMALLEST: Final = 0.0012
"""The smallest outline, as a share of the picture."""
LARGEST: Final = 0.98
MIN_SIDE_PX: Final = 26.0
"""A card whose short side is shorter cannot be read."""
ASPECT: Final = (1.05, 2.1)
"""Long side to short side; 1.4 from straight above, less or more at an angle."""
SQUARE: Final = 0.55
"""Opposite sides are at least this similar."""
FILLED: Final = 0.86
"""So much of its four corners an outline fills."""
WHOLE_PICTURE: Final = (1.28, 1.62)
"""A picture of this shape may be nothing but a card."""
SUPPORT: Final = 0.55
"""At least so much of an outline lies on edges."""
SAME: Final = 0.86
"""Two outlines whose common part is so much of both together are one guess."""
MOST: Final = 90
"""At most so many guesses are read."""
SAMPLES: Final = 24
"""Points of each side at which the edge is measured."""
SHIFTS: Final = 33
"""Places across a side at which its edge is looked for."""
EDGE: Final = 7.0
"""Grey levels a pixel that make an edge."""
SEGMENTS: Final = 400
"""So many of the longest segments are tried."""
SEGMENT_PX: Final = 800
"""Straight segments are looked for in a picture whose long side is at most this."""
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Guess:
    """An outline that may be a card's."""

    quad: Quad
    support: float
    """The share of its sides that lies on edges, 0 to 1."""


def find(image: Image) -> list[Guess]:
    """Outlines of card shape in pixels of the picture, the best supported first."""
    height, width = image.shape[:2]
    scale = min(1.0, WORK_PX / max(height, width))
    small = image
    if scale < 1:
        size = (round(width * scale), round(height * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    slopes = Slopes(small)
    rough = distinct([*closed(small), *cornered(small)])
    tight = [quad for quad in slopes.tightened(rough) if card_like(quad)]
    quads = thinned([quad for quad in tight if sides(quad)[0] >= MIN_SIDE_PX * scale], slopes)
    guesses = []
    for guess in quads:
        full = (guess.quad + 0.5) / scale - 0.5
        quad = sharpen(image, full) if scale < 1 else full
        guesses.append(Guess(quad, guess.support))
    whole = whole_picture(image)
    return ([] if whole is None else [Guess(whole, 0.5)]) + guesses[:MOST]


def whole_picture(image: Image) -> Quad | None:
    """The picture's own outline, if the picture has the shape of a card."""
    height, width = image.shape[:2]
    if not WHOLE_PICTURE[0] <= max(height, width) / min(height, width) <= WHOLE_PICTURE[1]:
        return None
    edge = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    return order(edge - 0.5)


class Slopes:
    """Where a picture changes, and which way."""

    def __init__(self, image: Image) -> None:
        soft = cv2.GaussianBlur(image, (0, 0), 1.0)
        self.x = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 1, 0), dtype=np.int16)
        self.y = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 0, 1), dtype=np.int16)

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
        share = (self.across(grid, normal).max(axis=3) > EDGE).mean(axis=2)
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


def closed(image: Image) -> list[Quad]:
    """Outlines from closed shapes; a shape that may be several cards is divided."""
    found = []
    picture = image.shape[0] * image.shape[1]
    for mask in masks(image):
        outlines, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            if (
                len(outline) < 3 * MIN_SIDE_PX
                or not SMALLEST * picture <= cv2.contourArea(outline) <= LARGEST * picture
            ):
                continue
            quad = corners_of(outline)
            if quad is not None and card_like(quad):
                found.append(quad)
            found.extend(each for each in divided(outline, quad) if card_like(each))
    return found


def masks(image: Image) -> Iterator[NDArray[np.uint8]]:
    """Black-and-white views in which a card may be one closed shape."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    least = cv2.GaussianBlur(image.min(axis=2), (0, 0), 1.2)
    kernel = np.ones((3, 3), dtype=np.uint8)
    for channel in (grey, least):
        level, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        yield np.asarray(mask, dtype=np.uint8)
        _, brighter = cv2.threshold(channel, (level + 255) / 2, 255, cv2.THRESH_BINARY)
        yield np.asarray(brighter, dtype=np.uint8)
        block = (max(image.shape[:2]) // 6) | 1
        local = cv2.adaptiveThreshold(
            channel, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -12
        )
        yield np.asarray(cv2.morphologyEx(local, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    for low, high in ((12, 30), (20, 60), (50, 150)):
        edges = cv2.Canny(np.asarray(grey, dtype=np.uint8), low, high)
        yield np.asarray(cv2.dilate(edges, kernel), dtype=np.uint8)


def corners_of(outline: NDArray[Any]) -> Quad | None:
    """The four corners of an outline that is filled by them; None for any other."""
    hull = cv2.convexHull(outline)
    length = cv2.arcLength(hull, True)  # noqa: FBT003
    for share in (0.02, 0.03, 0.045, 0.06):
        corners = cv2.approxPolyDP(hull, share * length, True)  # noqa: FBT003
        if len(corners) <= 4:
            break
    else:
        return None
    if len(corners) != 4:
        return None
    quad = order(np.asarray(corners, dtype=np.float64).reshape(4, 2))
    area = cv2.contourArea(hull)
    if area < FILLED * cv2.contourArea(quad.astype(np.float32)):
        return None
    return None if cv2.contourArea(outline) < FILLED * area else quad


def card_like(quad: Quad) -> bool:
    """Whether four corners have a card's shape, seen from anywhere reasonable."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if min(lengths[0], lengths[2]) < SQUARE * max(lengths[0], lengths[2]):
        return False
    if min(lengths[1], lengths[3]) < SQUARE * max(lengths[1], lengths[3]):
        return False
    short, long = sides(quad)
    return short > 12 and ASPECT[0] <= long / short <= ASPECT[1]


def divided(outline: NDArray[Any], quad: Quad | None) -> list[Quad]:
    """Cards side by side or end to end that touch and make one shape.

    The shape's box is divided into two to six equal parts, whichever have a card's shape.
    """
    box = quad
    if box is None:
        area = cv2.contourArea(outline)
        rect = cv2.minAreaRect(outline)
        if area < 0.72 * rect[1][0] * rect[1][1]:
            return []
        box = order(np.asarray(cv2.boxPoints(rect), dtype=np.float64))
    short, long = sides(box)
    out: list[Quad] = []
    for number in range(2, 7):
        for wide, high in ((short, long / number), (short / number, long)):
            if not 1.22 <= max(wide, high) / max(1.0, min(wide, high)) <= 1.68:
                continue
            out.extend(_parts(box, number, lengthwise=high < long))
    return out


def _parts(box: Quad, number: int, *, lengthwise: bool) -> Iterator[Quad]:
    """Equal parts of a box, along its long sides or across them."""
    one, two, three, four = box if lengthwise else np.roll(box, -1, axis=0)
    for at in range(number):
        low, high = at / number, (at + 1) / number
        left, right = four - one, three - two
        part = (one + left * low, two + right * low, two + right * high, one + left * high)
        yield order(np.asarray(part))


def cornered(image: Image) -> list[Quad]:
    """Outlines from two straight edges that meet as the sides of a card do."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, SEGMENT_PX / max(grey.shape))
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: NDArray[Any] | None = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return []
    lines = (np.asarray(found, dtype=np.float64).reshape(-1, 2, 2) + 0.5) / scale - 0.5
    length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    keep = np.argsort(-length)[:SEGMENTS]
    keep = keep[length[keep] >= MIN_SIDE_PX * 0.7]
    if len(keep) < 2:
        return []
    return [quad for quad in _meeting(lines[keep], length[keep]) if card_like(quad)]


def _meeting(lines: Floats, length: Floats) -> Iterator[Quad]:
    """The parallelograms over pairs of segments of (n, 2, 2) whose ends lie near each other."""
    way = (lines[:, 1] - lines[:, 0]) / length[:, None]
    ratio = length[:, None] / length[None]
    pairs = (np.abs(way @ way.T) < 0.5) & (ratio >= 1 / 2.2) & (ratio <= 2.2)
    ends = np.linalg.norm(lines[:, None, :, None] - lines[None, :, None, :], axis=-1)
    near = ends.min(axis=(2, 3)) <= 0.2 * np.minimum(length[:, None], length[None])
    for one, two in np.argwhere(np.triu(pairs & near, 1)):
        at = np.unravel_index(int(ends[one, two].argmin()), (2, 2))
        corner = _crossing(lines[one], lines[two])
        far_one, far_two = lines[one][1 - at[0]], lines[two][1 - at[1]]
        yield order(np.asarray((corner, far_one, far_one + far_two - corner, far_two)))


def _crossing(one: Floats, other: Floats) -> Floats:
    """Where two lines, each through two points, cross."""
    d, e = one[1] - one[0], other[1] - other[0]
    t = ((other[0, 0] - one[0, 0]) * e[1] - (other[0, 1] - one[0, 1]) * e[0]) / (
        d[0] * e[1] - d[1] * e[0]
    )
    return np.asarray(one[0] + t * d, dtype=np.float64)


def sharpen(image: Image, quad: Quad) -> Quad:
    """Move the sides to the edges in the full picture, where that works."""
    reach = max(3.0, 0.02 * sides(quad)[0])
    fitted = refine(image, quad, reach)
    return quad if fitted is None else fitted


def distinct(quads: Sequence[Quad]) -> list[Quad]:
    """Guesses that differ by more than a few pixels."""
    out: dict[tuple[int, ...], Quad] = {}
    for quad in quads:
        out.setdefault(tuple(np.rint(quad.ravel() / 4).astype(int)), quad)
    return list(out.values())


def thinned(quads: Sequence[Quad], slopes: Slopes) -> list[Guess]:
    """Each guess once, the best supported of those that are nearly the same."""
    support = slopes.support(quads)
    kept: list[Guess] = []
    for at in np.argsort(-support):
        if support[at] < SUPPORT:
            break
        if all(alike(quads[at], other.quad) < SAME for other in kept):
            kept.append(Guess(quads[at], float(support[at])))
            if len(kept) >= MOST:
                break
    return kept


def area_of(quad: Quad) -> float:
    """Area in square pixels."""
    return float(cv2.contourArea(quad.astype(np.float32)))


def sides(quad: Quad) -> tuple[float, float]:
    """Mean length of the two short and of the two long sides."""
    lengths = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    one, other = float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2
    return min(one, other), max(one, other)


def shared(one: Quad, other: Quad) -> float:
    """The part of the smaller outline that both cover."""
    return _common(one, other) / max(1.0, min(area_of(one), area_of(other)))


def alike(one: Quad, other: Quad) -> float:
    """The common part of two outlines by what they cover together."""
    both = _common(one, other)
    return both / max(1.0, area_of(one) + area_of(other) - both)


def _common(one: Quad, other: Quad) -> float:
    """What two outlines both cover, in square pixels."""
    if np.hypot(*(one.mean(axis=0) - other.mean(axis=0))) > sides(one)[1] + sides(other)[1]:
        return 0.0
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area)
