"""Index letters and suit shapes of the demonstration deck, as strokes and curves of our own.

A rank is a list of strokes in a box from (0, 0) to (1, 1), y downwards; serifs may stand out a
little. A suit is one or more closed outlines in the same box.
"""

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Rank, Suit

Stroke = NDArray[np.float64]
"""Points of one line or outline, shape (n, 2)."""


def arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> Stroke:
    """Part of an ellipse; degrees, 0 to the right and 90 downwards."""
    turns = np.radians(np.linspace(start, end, 28))
    return np.column_stack([cx + rx * np.cos(turns), cy + ry * np.sin(turns)])


def line(*points: tuple[float, float]) -> Stroke:
    """Straight strokes through some points."""
    return np.asarray(points, dtype=np.float64)


def _six() -> list[Stroke]:
    """A round body and a stem that leans over it."""
    stem = np.vstack([arc(0.98, 0.68, 0.92, 0.66, 180, 246), line((0.82, 0.03))])
    return [arc(0.5, 0.69, 0.44, 0.31, 0, 360), stem]


_STROKES: Final[dict[Rank, list[Stroke]]] = {
    Rank.ACE: [
        line((0.04, 1), (0.5, 0), (0.96, 1)),
        line((0.22, 0.66), (0.78, 0.66)),
        line((-0.1, 1), (0.2, 1)),
        line((0.8, 1), (1.1, 1)),
    ],
    Rank.TWO: [
        np.vstack([arc(0.5, 0.29, 0.43, 0.29, 185, 385), line((0.04, 1), (0.98, 1), (0.98, 0.86))]),
    ],
    Rank.THREE: [
        np.vstack([arc(0.48, 0.25, 0.38, 0.25, 200, 440), line((0.36, 0.5))]),
        arc(0.47, 0.74, 0.46, 0.26, 282, 520),
    ],
    Rank.FOUR: [
        line((0.74, 1), (0.74, 0), (0.0, 0.7), (1.04, 0.7)),
        line((0.54, 1), (0.94, 1)),
    ],
    Rank.FIVE: [
        line((0.92, 0.12), (0.92, 0), (0.16, 0), (0.12, 0.46)),
        arc(0.47, 0.67, 0.46, 0.33, 220, 520),
    ],
    Rank.SIX: _six(),
    Rank.SEVEN: [line((0.02, 0.16), (0.02, 0), (0.98, 0), (0.36, 1))],
    Rank.EIGHT: [arc(0.5, 0.25, 0.36, 0.25, 0, 360), arc(0.5, 0.75, 0.46, 0.26, 0, 360)],
    Rank.NINE: [1 - stroke for stroke in _six()],
    Rank.TEN: [
        line((-0.02, 0.17), (0.15, 0), (0.15, 1)),
        line((-0.02, 1), (0.32, 1)),
        arc(0.75, 0.5, 0.28, 0.5, 0, 360),
    ],
    Rank.JACK: [
        line((0.46, 0), (1.02, 0)),
        np.vstack([line((0.76, 0), (0.76, 0.7)), arc(0.41, 0.7, 0.35, 0.3, 0, 180)]),
    ],
    Rank.QUEEN: [arc(0.5, 0.47, 0.45, 0.47, 0, 360), line((0.5, 0.66), (1.0, 1.06))],
    Rank.KING: [
        line((0.14, 0), (0.14, 1)),
        line((0.88, 0), (0.14, 0.62)),
        line((0.4, 0.42), (0.94, 1)),
        line((-0.04, 0), (0.34, 0)),
        line((-0.04, 1), (0.34, 1)),
        line((0.7, 0), (1.06, 0)),
        line((0.78, 1), (1.1, 1)),
    ],
}


def rank_strokes(rank: Rank) -> list[Stroke]:
    """The strokes of a rank's index."""
    return _STROKES[rank]


@cache
def lettered(rank: Rank, font: int, stroke: float, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A rank in one of OpenCV's fonts as a mask of so many pixels; `stroke` is a share of it."""
    words = "10" if rank is Rank.TEN else rank.value
    scale, thick = 8.0, max(4, round(stroke * 190))
    (wide, high), base = cv2.getTextSize(words, font, scale, thick)
    canvas = np.zeros((high + base + 4 * thick, wide + 4 * thick), dtype=np.uint8)
    at = (2 * thick, high + 2 * thick)
    cv2.putText(canvas, words, at, font, scale, (255,), thick, cv2.LINE_AA)
    rows, columns = np.nonzero(canvas > 100)
    tight = canvas[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    return np.asarray(cv2.resize(tight, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _heart() -> Stroke:
    """Two lobes and a point."""
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    across = np.abs(np.sin(turn)) ** 2.6 * np.sign(np.sin(turn))
    down = -(np.cos(turn) * 0.82 - 0.30 * np.cos(2 * turn) - 0.11 * np.cos(3 * turn))
    down = (down - down.min()) / (down.max() - down.min())
    return np.column_stack([0.5 + 0.5 * across, down])


def _stem(top: float) -> Stroke:
    """The foot of a black pip: narrow above, flared below."""
    drop = np.linspace(0, 1, 12)
    half = 0.035 + 0.2 * drop**2.2
    down = top + (1 - top) * drop
    right = np.column_stack([0.5 + half, down])
    left = np.column_stack([0.5 - half, down])[::-1]
    return np.vstack([right, left])


@cache
def suit_outlines(suit: Suit) -> tuple[Stroke, ...]:
    """The outlines of a pip; together they cover its shape."""
    if suit is Suit.HEARTS:
        return (_heart(),)
    if suit is Suit.DIAMONDS:
        turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
        bend = 1.25
        across = 0.42 * np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** (2 / bend)
        down = 0.5 * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** (2 / bend)
        return (np.column_stack([0.5 + across, 0.5 + down]),)
    if suit is Suit.SPADES:
        leaf = _heart()
        leaf = np.column_stack([leaf[:, 0], (1 - leaf[:, 1]) * 0.84])
        return (leaf, _stem(0.6))
    lobes = [(0.5, 0.24), (0.245, 0.58), (0.755, 0.58)]
    circles = [arc(x, y, 0.245, 0.24, 0, 360) for x, y in lobes]
    middle = line((0.38, 0.36), (0.62, 0.36), (0.6, 0.66), (0.4, 0.66))
    return (*circles, middle, _stem(0.5))
