"""What is printed on cards beside index and pips: ornate aces, shoe codes, emblems, portraits.

The emblems and portraits of `emblem` and `portrait` are held out: training never sees them.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.style import HIGH, WIDE, Colour

Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]
_WORDS: Final = (
    "QUALITY CARDS", "CASINO", "PLAYING CARDS", "LINEN FINISH", "CLUB SPECIAL", "MADE IN EUROPE",
    "ROYAL", "No. 92", "PLASTIC COATED", "GRAND PALACE", "POKER", "ESTABLISHED 1881", "STUDIO",
)  # fmt: skip
_GOLD: Final = np.array((40, 170, 220))


def words(canvas: Picture, ink: Colour, rng: np.random.Generator, *, y: float) -> None:
    """A maker's line in the middle of a card, at a height given as a share."""
    text = str(rng.choice(_WORDS))
    face = int(rng.choice([0, 2, 3, 4, 6]))
    size, thick = rng.uniform(0.35, 1.0), int(rng.integers(1, 3))
    wide = cv2.getTextSize(text, face, size, thick)[0][0]
    size *= min(1.0, 0.62 * WIDE / max(wide, 1))
    wide = cv2.getTextSize(text, face, size, thick)[0][0]
    at = ((WIDE - wide) // 2, int(y * HIGH))
    cv2.putText(canvas, text, at, face, size, ink, thick, cv2.LINE_AA)


def lace(canvas: Picture, mask: Mask, ink: Colour, paper: Colour, rng: np.random.Generator) -> None:
    """Cut an ornament out of a large pip that is printed in the middle of the card."""
    high, wide = mask.shape
    y, x = (HIGH - high) // 2, (WIDE - wide) // 2
    area = canvas[y : y + high, x : x + wide]
    art = np.empty_like(area)
    art[:] = paper
    kind = int(rng.integers(4))
    middle = (wide // 2, int(high * rng.uniform(0.42, 0.6)))
    reach = int(min(high, wide) * rng.uniform(0.16, 0.34))
    if kind == 0:  # a medal
        art[:] = ink
        cv2.circle(art, middle, reach, paper, -1, cv2.LINE_AA)
        cv2.circle(art, middle, int(reach * 0.85), ink, 1, cv2.LINE_AA)
        for _ in range(int(rng.integers(2, 7))):
            part = (rng.normal(middle, reach * 0.35, 2)).astype(int)
            axes = tuple(int(v) for v in rng.integers(2, max(3, reach // 2), 2))
            turn = int(rng.integers(180))
            cv2.ellipse(art, (int(part[0]), int(part[1])), axes, turn, 0, 300, ink, 2)
    elif kind == 1:  # scrolls
        art[:] = ink
        for _ in range(int(rng.integers(6, 26))):
            part = rng.uniform(0, 1, 2) * (wide / 2, high)
            axes = tuple(int(v) for v in rng.integers(3, 24, 2))
            turn, end = int(rng.integers(180)), int(rng.integers(120, 360))
            cv2.ellipse(art, (int(part[0]), int(part[1])), axes, turn, 0, end, paper, 2)
        art = np.maximum(art, art[:, ::-1]) if sum(paper) > sum(ink) else art
    elif kind == 2:  # rings of one pip within the other
        art[:] = ink
        for k in range(1, int(rng.integers(2, 5))):
            share = 1 - 0.17 * k
            size = (max(2, int(wide * share)), max(2, int(high * share)))
            inner = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
            top, left = (high - size[1]) // 2, (wide - size[0]) // 2
            spot = art[top : top + size[1], left : left + size[0]]
            spot[inner > 127] = paper if k % 2 else ink
    else:  # hatching
        step = int(rng.integers(5, 12))
        for k in range(-high, wide + high, step):
            cv2.line(art, (k, 0), (k + high, high), ink, max(1, step // 3))
    inner = cv2.erode(mask, np.ones((5, 5), np.uint8), borderValue=0) > 127
    area[inner] = art[inner]


def codes(canvas: Picture, where: str, rng: np.random.Generator) -> None:
    """Bars along the card's short ends or long sides, as shoes read them."""
    ink = (25, 22, 22) if rng.random() < 0.8 else (150, 60, 60)
    thick = int(rng.integers(4, 14))
    step = rng.uniform(3.0, 9.0)
    start, end = rng.uniform(0.12, 0.35), rng.uniform(0.6, 0.9)
    length = WIDE if where == "ends" else HIGH
    edge = int(rng.integers(0, 5))
    for at in np.arange(start * length, end * length, step):
        if rng.random() < 0.45:
            continue
        low, high = int(at), int(at + step * rng.choice([0.5, 0.95]))
        if where == "ends":
            canvas[edge : edge + thick, low:high] = ink
        else:
            canvas[low:high, edge : edge + thick] = ink
    half = (
        canvas[: HIGH // 2, ::-1][::-1] if where == "ends" else canvas[:, : WIDE // 2][::-1, ::-1]
    )
    if where == "ends":
        canvas[HIGH - edge - thick : HIGH - edge] = half[
            HIGH // 2 - edge - thick : HIGH // 2 - edge
        ]
    else:
        right = half[:, WIDE // 2 - edge - thick : WIDE // 2 - edge]
        canvas[:, WIDE - edge - thick : WIDE - edge] = right


def emblem(rank: int, size: tuple[int, int], paper: Colour, rng: np.random.Generator) -> Picture:
    """A shield, a rose or a crown instead of a figure (jack 0, queen 1, king 2); held out."""
    high, wide = size
    out = np.empty((high, wide, 3), np.uint8)
    out[:] = paper
    tone = tuple(int(v) for v in rng.integers(20, 200, 3))
    gold = tuple(int(v) for v in np.clip(_GOLD + rng.integers(-30, 30, 3), 0, 255))
    x, y = wide // 2, high // 2
    reach = int(min(wide, high) * rng.uniform(0.28, 0.42))
    if rank == 0:
        shield = np.array(
            [(-1, -1), (1, -1), (1, 0.1), (0.55, 0.8), (0, 1.2), (-0.55, 0.8), (-1, 0.1)]
        )
        points = np.rint(shield * reach + (x, y)).astype(np.int32)
        cv2.fillPoly(out, [points], tone)
        cv2.polylines(out, [points], isClosed=True, color=gold, thickness=4)
        cv2.line(out, (x - reach, y - reach), (x + reach // 2, y + reach), gold, 7)
    elif rank == 1:
        for turn in range(0, 360, 45):
            at = (
                int(x + 0.62 * reach * np.cos(np.radians(turn))),
                int(y + 0.62 * reach * np.sin(np.radians(turn))),
            )
            cv2.circle(out, at, reach // 3, tone, -1, cv2.LINE_AA)
            cv2.circle(out, at, reach // 3, gold, 2, cv2.LINE_AA)
        cv2.circle(out, (x, y), reach // 3, gold, -1, cv2.LINE_AA)
    else:
        xs = np.linspace(-1, 1, 7)
        ys = np.where(np.arange(7) % 2, 0.1, -0.9)
        ring = np.vstack([np.stack([xs, ys], axis=1), [(1, 0.7), (-1, 0.7)]])
        points = np.rint(ring * reach + (x, y)).astype(np.int32)
        cv2.fillPoly(out, [points], gold)
        cv2.polylines(out, [points], isClosed=True, color=tone, thickness=3)
        for dx in (-1, 0, 1):
            cv2.circle(out, (x + dx * reach // 2, y + reach // 3), reach // 8, tone, -1)
    return out


def portrait(rank: int, size: tuple[int, int], paper: Colour, rng: np.random.Generator) -> Picture:
    """A single head and shoulders, not turned about the middle; held out."""
    high, wide = size
    out = np.empty((high, wide, 3), np.uint8)
    out[:] = paper if rng.random() < 0.5 else tuple(int(v) for v in rng.integers(120, 255, 3))
    coat = tuple(int(v) for v in rng.integers(10, 200, 3))
    hair = tuple(int(v) for v in rng.integers(10, 160, 3))
    x, y, r = wide // 2, int(high * 0.4), int(min(wide, high) * 0.2)
    cv2.ellipse(out, (x, high), (int(wide * 0.46), int(high * 0.42)), 0, 180, 360, coat, -1)
    cv2.line(out, (x, int(high * 0.62)), (x, high), tuple(int(v) for v in _GOLD), 5)
    cv2.ellipse(
        out, (x, y), (int(r * 1.3), int(r * (1.8 if rank == 1 else 1.3))), 0, 0, 360, hair, -1
    )
    cv2.ellipse(out, (x, y), (r, int(r * 1.25)), 0, 0, 360, (190, 205, 235), -1)
    for side in (-1, 1):
        cv2.circle(out, (x + side * r // 2, y - r // 6), 3, (30, 30, 30), -1)
    cv2.ellipse(out, (x, y + r // 2), (r // 3, r // 8), 0, 0, 180, (60, 60, 160), 2)
    if rank == 2:
        cv2.ellipse(out, (x, y + r), (int(r * 0.7), r // 2), 0, 0, 180, hair, -1)
    if rank:
        crown = np.array([(-1, 0), (-1, -1), (-0.5, -0.4), (0, -1.1), (0.5, -0.4), (1, -1), (1, 0)])
        points = np.rint(crown * (r, r * 0.8) + (x, y - r)).astype(np.int32)
        cv2.fillPoly(out, [points], tuple(int(v) for v in _GOLD))
    else:
        cv2.ellipse(out, (x, y - r), (int(r * 1.2), r // 2), 0, 180, 360, coat, -1)
    return out
