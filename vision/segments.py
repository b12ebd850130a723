"""Outlines of cards from straight edges: two sides that meet, or four lines that cross."""

from collections.abc import Iterator
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import Image, Quad, order
from vision.slopes import MIN_SIDE_PX, Floats, card_like

LINES: Final = 24
"""So many lines may cross each other."""
JOINED: Final = 150
"""So many pairs of segments in one line are tried as one."""
SEGMENTS: Final = 400
"""So many of the longest segments are tried."""
SEGMENT_PX: Final = 800
"""Straight segments are looked for in a picture whose long side is at most this."""


def cornered(image: Image) -> list[Quad]:
    """Outlines from two straight edges that meet as the sides of a card do."""
    lines = segments(image)
    if len(lines) < 2:
        return []
    lines = np.concatenate([lines, _joined(lines)])
    length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    return [quad for quad in _meeting(lines, length) if card_like(quad)]


def segments(image: Image) -> Floats:
    """The longest straight edges of a picture: (n, 2, 2), the longest first."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, SEGMENT_PX / max(grey.shape))
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found: NDArray[Any] | None = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return np.zeros((0, 2, 2))
    lines = (np.asarray(found, dtype=np.float64).reshape(-1, 2, 2) + 0.5) / scale - 0.5
    length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    keep = np.argsort(-length)[:SEGMENTS]
    kept: Floats = lines[keep[length[keep] >= MIN_SIDE_PX * 0.7]]
    return kept


def _joined(lines: Floats) -> Floats:
    """Segments that are two of (n, 2, 2) in one line: a side that a shadow or a finger divides."""
    length = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    way = (lines[:, 1] - lines[:, 0]) / length[:, None]
    same = np.abs(way[:, None, 0] * way[None, :, 1] - way[:, None, 1] * way[None, :, 0]) < 0.035
    apart = lines.mean(axis=1)[None] - lines.mean(axis=1)[:, None]
    off = np.abs(apart[..., 0] * way[:, None, 1] - apart[..., 1] * way[:, None, 0])
    gap = np.linalg.norm(apart, axis=2) - (length[:, None] + length[None]) / 2
    near = (gap > -3) & (gap < 0.8 * np.maximum(length[:, None], length[None]))
    out = []
    for one, two in np.argwhere(np.triu(same & near & (off < 2.5 + 0.01 * length[:, None]), 1)):
        ends = np.concatenate([lines[one], lines[two]])
        along_ = ends @ way[one]
        out.append(ends[[along_.argmin(), along_.argmax()]])
    out.sort(key=lambda ends: -float(np.hypot(*(ends[1] - ends[0]))))
    return np.asarray(out[:JOINED], dtype=np.float64).reshape(-1, 2, 2)


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


def lines_of(segments: Floats) -> Floats:
    """The longest straight lines (n, 3) as a·x + b·y = c, segments of one line taken together."""
    kept: list[Floats] = []
    length: list[float] = []
    for ends in segments:
        way = ends[1] - ends[0]
        long = float(np.hypot(*way))
        normal = np.asarray((-way[1], way[0])) / max(1e-6, long)
        line = np.asarray((*normal, normal @ ends.mean(axis=0)))
        for at, other in enumerate(kept):
            turn = abs(normal[0] * other[1] - normal[1] * other[0])
            if turn < 0.04 and np.abs(ends @ other[:2] - other[2]).max() < 3:
                length[at] += long
                break
        else:
            kept.append(line)
            length.append(long)
    first = np.argsort(-np.asarray(length))[:LINES]
    return np.asarray(kept, dtype=np.float64).reshape(-1, 3)[first]


def between(lines: Floats) -> Iterator[Quad]:
    """The corners of each two pairs of lines that nearly make a rectangle."""
    cosine = np.abs(lines[:, :2] @ lines[:, :2].T)
    beside = [(a, b) for a in range(len(lines)) for b in range(a) if cosine[a, b] > 0.93]
    for one, two in beside:
        for three, four in beside:
            if one <= three or cosine[one, three] > 0.35 or cosine[two, four] > 0.35:
                continue
            pairs = ((one, three), (one, four), (two, four), (two, three))
            corners = [np.linalg.solve(lines[[a, b], :2], lines[[a, b], 2]) for a, b in pairs]
            yield order(np.asarray(corners))
