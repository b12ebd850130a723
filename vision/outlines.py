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

from vision.locate import Image, Quad, order
from vision.segments import between, cornered, lines_of, segments
from vision.slopes import MIN_SIDE_PX, Slopes, area_of, card_like, sides

__all__ = ["Guess", "alike", "area_of", "crossed", "find", "shared", "sides"]

SCALES: Final = (1280, 480)
"""Outlines are looked for in pictures whose long side is this: in the smaller one soft and faint
edges of large cards are steep, in the larger one small cards are large enough."""
LEAST_WORK_PX: Final = 22.0
"""The shortest side of an outline in the picture it is looked for in."""
SMALLEST: Final = 0.0012
"""The smallest outline, as a share of the picture."""
LARGEST: Final = 0.98
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
CROSSED: Final = 120
TRIED: Final = 12
"""So many guesses of crossing lines are measured, and read."""


@dataclass(frozen=True, slots=True)
class Guess:
    """An outline that may be a card's."""

    quad: Quad
    support: float
    """The share of its sides that lies on edges, 0 to 1."""


def find(image: Image) -> list[Guess]:
    """Outlines of card shape in pixels of the picture, the best supported first."""
    longest = max(image.shape[:2])
    guesses: list[Guess] = []
    for side in SCALES:
        scale = side / longest
        # A small picture is looked at once, as it is.
        if scale < 1 or side == max(SCALES):
            guesses += _at_scale(image, min(1.0, scale))
    guesses.sort(key=lambda guess: -guess.support)
    whole = whole_picture(image)
    first = [] if whole is None else [Guess(whole, 0.5)]
    return [*first, *_once(guesses, MOST)]


def crossed(image: Image) -> list[Guess]:
    """Outlines between any four straight lines: for a lone card with a broken outline.

    Where a shadow's edge runs over a card, or its ground is nearly as light as it is, no closed
    shape is left and no two sides meet. Dear, so only for pictures in which nothing else was found.
    """
    scale = min(1.0, min(SCALES) / max(image.shape[:2]))
    small = np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    lines = lines_of(segments(small))
    slopes = Slopes(small)
    picture = np.asarray(small.shape[1::-1])
    quads = [
        quad
        for quad in between(lines)
        if (quad > -0.02 * picture).all()
        and (quad < 1.02 * picture).all()
        and area_of(quad) > 0.02 * picture.prod()
        and card_like(quad)
    ]
    support = slopes.support(quads)
    best = [quads[at] for at in np.argsort(-support)[:CROSSED] if support[at] > 0.6 * SUPPORT]
    tight = [quad for quad in slopes.tightened(best) if card_like(quad)]
    return [
        Guess((guess.quad + 0.5) / scale - 0.5, guess.support)
        for guess in thinned(tight, slopes)[:TRIED]
    ]


def _at_scale(image: Image, scale: float) -> list[Guess]:
    """Outlines that are seen when the picture is made so much smaller."""
    small = image
    if scale < 1:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    slopes = Slopes(small)
    # Sides move by three pixels of a small outline at most: what stays too small is left out.
    wide = [
        quad
        for quad in distinct([*closed(small), *cornered(small)])
        if sides(quad)[0] >= LEAST_WORK_PX - 6
    ]
    tight = slopes.tightened(wide)
    large = [
        quad
        for quad in tight
        if card_like(quad) and sides(quad)[0] >= max(MIN_SIDE_PX * scale, LEAST_WORK_PX)
    ]
    return [
        Guess((guess.quad + 0.5) / scale - 0.5, guess.support) for guess in thinned(large, slopes)
    ]


def whole_picture(image: Image) -> Quad | None:
    """The picture's own outline, if the picture has the shape of a card."""
    height, width = image.shape[:2]
    if not WHOLE_PICTURE[0] <= max(height, width) / min(height, width) <= WHOLE_PICTURE[1]:
        return None
    edge = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    return order(edge - 0.5)


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


def distinct(quads: Sequence[Quad]) -> list[Quad]:
    """Guesses that differ by more than a few pixels."""
    out: dict[tuple[int, ...], Quad] = {}
    for quad in quads:
        out.setdefault(tuple(np.rint(quad.ravel() / 4).astype(int)), quad)
    return list(out.values())


def thinned(quads: Sequence[Quad], slopes: Slopes) -> list[Guess]:
    """Each guess once, the best supported of those that are nearly the same."""
    support = slopes.support(quads)
    order_ = np.argsort(-support)
    return _once([Guess(quads[at], float(support[at])) for at in order_ if support[at] >= SUPPORT])


def _once(guesses: Sequence[Guess], most: int = MOST) -> list[Guess]:
    """The first of those guesses that are nearly the same."""
    middles = np.asarray([guess.quad.mean(axis=0) for guess in guesses]).reshape(-1, 2)
    areas = np.asarray([area_of(guess.quad) for guess in guesses])
    shapes = [guess.quad.astype(np.float32) for guess in guesses]
    kept: list[int] = []
    for at in range(len(guesses)):
        # Only where the middles are near and the areas like can two be the same.
        off = np.abs(middles[kept] - middles[at]).sum(axis=1) < 0.35 * np.sqrt(areas[at])
        like = (areas[kept] > SAME * areas[at]) & (SAME * areas[kept] < areas[at])
        near = [kept[k] for k in np.flatnonzero(off & like)]
        both = ((other, cv2.intersectConvexConvex(shapes[at], shapes[other])[0]) for other in near)
        if all(area / max(1.0, areas[at] + areas[k] - area) < SAME for k, area in both):
            kept.append(at)
            if len(kept) >= most:
                break
    return [guesses[at] for at in kept]


def shared(one: Quad, other: Quad) -> float:
    """The part of the smaller outline that both cover."""
    return _common(one, other) / max(1.0, min(area_of(one), area_of(other)))


def alike(one: Quad, other: Quad) -> float:
    """The common part of two outlines by what they cover together."""
    both = _common(one, other)
    return both / max(1.0, area_of(one) + area_of(other) - both)


def _common(one: Quad, other: Quad) -> float:
    """What two outlines both cover, in square pixels."""
    if (one.max(axis=0) < other.min(axis=0)).any() or (other.max(axis=0) < one.min(axis=0)).any():
        return 0.0
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area)
