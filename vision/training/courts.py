"""Court pictures for procedural decks: figures of simple shapes, letters, blanks, borrowed art."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import Mask

Picture = NDArray[np.uint8]
SIZE: Final = (280, 180)
"""Height and width of a court picture."""
_GARB: Final = np.array(
    [(40, 30, 200), (30, 180, 230), (30, 30, 30), (150, 60, 30), (60, 130, 40), (150, 40, 120)]
)


def _ink(rng: np.random.Generator) -> tuple[int, int, int]:
    base = _GARB[rng.integers(len(_GARB))] + rng.integers(-25, 26, 3)
    blue, green, red = np.clip(base, 0, 255)
    return int(blue), int(green), int(red)


def _robe(half: Picture, rng: np.random.Generator) -> None:
    high, wide = half.shape[:2]
    top = int(high * rng.uniform(0.55, 0.7))
    x0, x1 = int(wide * rng.uniform(0, 0.2)), int(wide * rng.uniform(0.8, 1))
    body = np.array([(wide // 2 - 25, top), (wide // 2 + 25, top), (x1, high), (x0, high)])
    mask = np.zeros((high, wide), np.uint8)
    cv2.fillPoly(mask, [body], 255)
    paint = np.zeros_like(half)
    paint[:] = _ink(rng)
    for _ in range(int(rng.integers(2, 7))):
        start = (int(rng.integers(wide)), int(rng.integers(top, high)))
        end = (int(rng.integers(wide)), int(rng.integers(top, high)))
        cv2.line(paint, start, end, _ink(rng), int(rng.integers(3, 16)))
    if rng.random() < 0.5:
        step = int(rng.integers(9, 22))
        for x in range(0, wide, step):
            cv2.circle(paint, (x, int(rng.integers(top, high))), step // 4, _ink(rng), -1)
    half[mask > 0] = paint[mask > 0]
    cv2.polylines(half, [body], isClosed=True, color=(20, 20, 20), thickness=2)


def _head(half: Picture, rank: int, rng: np.random.Generator) -> None:
    high, wide = half.shape[:2]
    at = (int(wide * rng.uniform(0.42, 0.58)), int(high * rng.uniform(0.36, 0.46)))
    r = int(high * rng.uniform(0.14, 0.2))
    hair = _ink(rng)
    cv2.ellipse(half, at, (int(r * 1.35), int(r * rng.uniform(1.1, 1.6))), 0, 0, 360, hair, -1)
    face = (200, 215, 245) if rng.random() < 0.6 else (250, 250, 250)
    cv2.ellipse(half, at, (r, int(r * 1.2)), 0, 0, 360, face, -1)
    cv2.ellipse(half, at, (r, int(r * 1.2)), 0, 0, 360, (20, 20, 20), 2)
    for side in (-1, 1):
        cv2.circle(half, (at[0] + side * r // 2, at[1] - r // 5), 3, (20, 20, 20), -1)
    cv2.line(
        half, (at[0] - r // 3, at[1] + r // 2), (at[0] + r // 3, at[1] + r // 2), (30, 30, 150), 2
    )
    if rank == 2 and rng.random() < 0.8:
        beard = (at[0], at[1] + int(0.9 * r))
        cv2.ellipse(half, beard, (int(0.8 * r), int(0.6 * r)), 0, 0, 360, hair, -1)
    crown_y = at[1] - int(1.1 * r)
    if rank == 0:
        cap = np.array([(at[0] - r, crown_y), (at[0] + r, crown_y), (at[0] + r, crown_y - r)])
    else:
        peaks = 3 if rank == 1 else 5
        xs = np.linspace(-1.1 * r, 1.1 * r, 2 * peaks + 1) + at[0]
        ys = crown_y - np.where(np.arange(2 * peaks + 1) % 2, r * rng.uniform(0.7, 1.2), 0.25 * r)
        cap = np.stack([np.r_[xs, xs[::-1][:1], xs[:1]], np.r_[ys, crown_y, crown_y]], axis=1)
    cv2.fillPoly(half, [np.rint(cap).astype(np.int32)], (40, 190, 240) if rank else _ink(rng))
    cv2.polylines(
        half, [np.rint(cap).astype(np.int32)], isClosed=True, color=(20, 20, 20), thickness=2
    )


def figure(rank: int, paper: tuple[int, int, int], rng: np.random.Generator) -> Picture:
    """A double-headed figure; rank 0 is a jack, 1 a queen, 2 a king."""
    high, wide = SIZE
    half = np.empty((high // 2, wide, 3), np.uint8)
    half[:] = _ink(rng) if rng.random() < 0.1 else paper
    _robe(half, rng)
    _head(half, rank, rng)
    if rng.random() < 0.7:
        x = int(rng.choice([0.08, 0.15, 0.85, 0.92]) * wide)
        cv2.line(half, (x, int(high * 0.08)), (x, high // 2), _ink(rng), int(rng.integers(3, 9)))
    if rng.random() < 0.3:
        return np.vstack([half, half[::-1, ::-1][: high // 2]])
    turned = half[::-1, ::-1]
    out = np.vstack([half, turned])
    cv2.line(out, (0, high // 2), (wide, high // 2 + int(rng.integers(-3, 4))), _ink(rng), 3)
    return out


def abstract(paper: tuple[int, int, int], rng: np.random.Generator) -> Picture:
    """Discs, beams and polygons that mean nothing, the lower half turned."""
    high, wide = SIZE
    half = np.empty((high // 2, wide, 3), np.uint8)
    half[:] = paper if rng.random() < 0.6 else _ink(rng)
    for _ in range(int(rng.integers(3, 22))):
        at = (int(rng.integers(wide)), int(rng.integers(high // 2)))
        end = (int(rng.integers(wide)), int(rng.integers(high // 2)))
        reach, thick = int(rng.integers(5, 60)), int(rng.choice([-1, 2, 5]))
        kind = int(rng.integers(4))
        if kind == 0:
            cv2.circle(half, at, reach, _ink(rng), thick)
        elif kind == 1:
            cv2.line(half, at, end, _ink(rng), int(rng.integers(2, 26)))
        elif kind == 2:
            cv2.rectangle(half, at, end, _ink(rng), thick)
        else:
            ring = rng.integers(-reach, reach + 1, (int(rng.integers(3, 7)), 2)) + at
            cv2.fillPoly(half, [ring.astype(np.int32)], _ink(rng))
    if rng.random() < 0.5:
        half = np.ascontiguousarray(np.maximum(half, half[:, ::-1]))
    return np.vstack([half, half[::-1, ::-1]])


def lettered(glyph: Mask, ink: tuple[int, int, int], paper: tuple[int, int, int]) -> Picture:
    """One big letter in the middle."""
    high, wide = SIZE
    out = np.empty((high, wide, 3), np.uint8)
    out[:] = paper
    tall = int(high * 0.5)
    broad = min(wide - 20, max(8, int(glyph.shape[1] / glyph.shape[0] * tall)))
    mask = cv2.resize(glyph, (broad, tall), interpolation=cv2.INTER_AREA) > 128
    y, x = (high - tall) // 2, (wide - broad) // 2
    out[y : y + tall, x : x + broad][mask] = ink
    return out


def borrowed(face: Picture, rng: np.random.Generator) -> Picture:
    """The middle of a court of real art, with its colours shifted at random."""
    high, wide = face.shape[:2]
    cut_x, cut_y = rng.uniform(0.15, 0.22), rng.uniform(0.07, 0.12)
    inner = face[
        int(cut_y * high) : int((1 - cut_y) * high), int(cut_x * wide) : int((1 - cut_x) * wide)
    ]
    out = np.asarray(cv2.resize(inner, SIZE[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    pick = rng.random()
    if pick < 0.25:
        hsv = cv2.cvtColor(out, cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + int(rng.integers(-30, 31))) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.4, 1.1), 0, 255)
        out = np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8)
    elif pick < 0.4:  # lines only
        grey = cv2.GaussianBlur(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
        mean = cv2.ADAPTIVE_THRESH_MEAN_C
        lines = cv2.adaptiveThreshold(grey, 255, mean, cv2.THRESH_BINARY, 11, 4)
        ink = np.array(_ink(rng) if rng.random() < 0.6 else (20, 20, 20), np.uint16)
        share = lines[..., None].astype(np.uint16)
        out = np.asarray((share * 250 + (255 - share) * ink) // 255, np.uint8)
    elif pick < 0.47:
        out = np.asarray(cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))
    return np.ascontiguousarray(out[:, ::-1]) if rng.random() < 0.3 else out
