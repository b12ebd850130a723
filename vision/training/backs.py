"""Card backs, cut cards and grounds: felt, wood, cloth, printed layouts."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.style import HIGH, WIDE, Colour

Picture = NDArray[np.uint8]
GROUND: Final = 420
"""Side of a ground in pixels."""
_CLOTHS: Final = np.array(
    [(60, 100, 20), (40, 80, 10), (110, 70, 20), (150, 90, 30), (40, 20, 120), (60, 60, 60),
     (30, 30, 30), (190, 190, 185), (90, 130, 170), (60, 90, 140), (120, 40, 90),
     (100, 120, 60), (225, 225, 225), (205, 215, 220), (240, 240, 238)]
)  # fmt: skip


def paint(rng: np.random.Generator, low: int = 0, high: int = 256) -> Colour:
    """Any colour."""
    blue, green, red = (int(v) for v in rng.integers(low, high, 3))
    return blue, green, red


def _vivid(rng: np.random.Generator) -> Colour:
    hsv = np.array([[[rng.integers(180), rng.integers(110, 256), rng.integers(50, 240)]]], np.uint8)
    blue, green, red = (int(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def _pattern(canvas: Picture, rng: np.random.Generator) -> None:
    high, wide = canvas.shape[:2]
    ink = (255, 255, 255) if rng.random() < 0.6 else _vivid(rng)
    kind = int(rng.integers(6))
    step, thick = int(rng.integers(7, 40)), int(rng.integers(1, 6))
    if kind == 0:
        for k in range(-high, wide + high, step):
            cv2.line(canvas, (k, 0), (k + high, high), ink, thick)
            cv2.line(canvas, (k + high, 0), (k, high), ink, thick)
    elif kind == 1:
        for y in range(0, high + step, step):
            for x in range(0, wide + step, step):
                cv2.circle(
                    canvas, (x + (y // step % 2) * step // 2, y), max(2, step // 3), ink, thick
                )
    elif kind == 2:
        for r in range(4, high, step):
            cv2.ellipse(canvas, (wide // 2, high // 2), (r, int(r * 1.4)), 0, 0, 360, ink, thick)
    elif kind == 3:
        for k in range(8):
            turn = k * 45 + int(rng.integers(8))
            cv2.ellipse(
                canvas, (wide // 2, high // 2), (wide // 2, wide // 6), turn, 0, 360, ink, thick
            )
        cv2.circle(canvas, (wide // 2, high // 2), wide // 5, _vivid(rng), -1)
    elif kind == 4:
        grain = rng.integers(0, 256, (high // step + 2, wide // step + 2, 3), dtype=np.uint8)
        grain = cv2.resize(grain, (wide, high), interpolation=cv2.INTER_NEAREST)
        canvas[:] = cv2.addWeighted(canvas, 0.6, np.asarray(grain, np.uint8), 0.4, 0)
    if kind == 5 or rng.random() < 0.3:
        cv2.ellipse(canvas, (wide // 2, high // 2), (wide // 3, wide // 4), 0, 0, 360, ink, 3)
        cv2.putText(canvas, "CASINO", (wide // 2 - 55, high // 2 + 8), 2, 0.9, ink, 2)


def _engraved(canvas: Picture, ink: Colour, rng: np.random.Generator) -> None:
    """Waves over waves with an oval or a band in the middle, mirrored twice as real backs are."""
    high, wide = canvas.shape[:2]
    y, x = np.mgrid[0 : (high + 1) // 2, 0 : (wide + 1) // 2].astype(np.float32)
    wave = np.zeros_like(x)
    for _ in range(int(rng.integers(2, 5))):
        a, b = rng.uniform(-0.9, 0.9, 2)
        bend = rng.uniform(0, 3) * np.sin(rng.uniform(0.02, 0.3) * (x if rng.random() < 0.5 else y))
        wave += np.sin(a * x + b * y + bend)
    oval = ((x / wide - 0.5) / rng.uniform(0.1, 0.35)) ** 2 + (
        (y / high - 0.5) / rng.uniform(0.1, 0.4)
    ) ** 2
    mask = (wave > rng.uniform(-0.6, 0.9)).astype(np.uint8)
    if rng.random() < 0.6:
        mask[oval < 1] = int(rng.integers(2))
        mask[np.abs(oval - 1) < 0.12] = 1
    whole = np.vstack([mask, mask[::-1]])[:high]
    whole = np.hstack([whole, whole[:, ::-1]])[:, :wide]
    canvas[whole > 0] = ink


def back(rng: np.random.Generator) -> Picture:
    """A card's back at 252 by 352."""
    canvas = np.empty((HIGH, WIDE, 3), np.uint8)
    canvas[:] = (250, 252, 252)
    edge = int(rng.choice([0, int(rng.integers(6, 26))], p=[0.2, 0.8]))
    inner = canvas[edge : HIGH - edge, edge : WIDE - edge]
    inner[:] = _vivid(rng)
    if rng.random() < 0.34:
        _engraved(inner, (255, 255, 255) if rng.random() < 0.6 else _vivid(rng), rng)
    else:
        _pattern(inner, rng)
    if rng.random() < 0.4:
        half = canvas[: HIGH // 2]
        canvas[HIGH // 2 :] = half[::-1, ::-1]
    return canvas


def cut_card(rng: np.random.Generator) -> Picture:
    """A plastic cut card at 252 by 352: one strong colour, a sheen, rarely a word."""
    canvas = np.empty((HIGH, WIDE, 3), np.uint8)
    pick = rng.random()
    yellow = (int(rng.integers(0, 70)), int(rng.integers(170, 235)), int(rng.integers(220, 256)))
    canvas[:] = yellow if pick < 0.3 else _vivid(rng) if pick < 0.93 else paint(rng, 0, 40)
    if rng.random() < 0.5:
        ramp = np.linspace(rng.uniform(0.75, 1), rng.uniform(0.9, 1.2), HIGH)[:, None, None]
        canvas[:] = np.clip(canvas * ramp, 0, 255).astype(np.uint8)
    if rng.random() < 0.12:
        at = int(rng.integers(60, HIGH - 60))
        cv2.rectangle(canvas, (0, at - 14), (WIDE, at + 14), paint(rng), -1)
    if rng.random() < 0.12:
        cv2.circle(canvas, (WIDE // 2, HIGH // 2), int(rng.integers(20, 80)), paint(rng), 4)
    if rng.random() < 0.12:
        cv2.putText(canvas, "CUT", (60, HIGH // 2), 2, 2.0, paint(rng), 3)
    return canvas


def ground(rng: np.random.Generator) -> Picture:
    """A piece of table, 420 by 420 pixels."""
    base = _CLOTHS[rng.integers(len(_CLOTHS))] + rng.integers(-25, 26, 3)
    canvas = np.empty((GROUND, GROUND, 3), np.float32)
    canvas[:] = base
    rough = rng.normal(0, 1, (GROUND // 2, GROUND // 2)).astype(np.float32)
    if rng.random() < 0.3:  # wood: long grain
        rough = cv2.GaussianBlur(rough, (0, 0), sigmaX=12, sigmaY=0.7) * 14
    else:
        rough = cv2.GaussianBlur(rough, (0, 0), rng.uniform(0.4, 2.5)) * rng.uniform(3, 14)
    canvas += cv2.resize(rough, (GROUND, GROUND))[:, :, None]
    if rng.random() < 0.15:  # carpet or newsprint
        canvas += cv2.resize(rng.normal(0, 25, (90, 90, 3)).astype(np.float32), (GROUND, GROUND))
    out = np.asarray(np.clip(canvas, 0, 255), np.uint8)
    if rng.random() < 0.5:
        _layout(out, rng)
    return np.ascontiguousarray(np.rot90(out, int(rng.integers(4))))


def _layout(canvas: Picture, rng: np.random.Generator) -> None:
    """Lines, boxes and words as a layout prints them."""
    ink = (220, 225, 225) if rng.random() < 0.5 else paint(rng, 60)
    for _ in range(int(rng.integers(1, 6))):
        start = tuple(int(v) for v in rng.integers(0, GROUND, 2))
        end = tuple(int(v) for v in rng.integers(0, GROUND, 2))
        kind = int(rng.integers(4))
        thick = int(rng.integers(1, 5))
        if kind == 0:
            cv2.line(canvas, start, end, ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.rectangle(canvas, start, (start[0] + 126, start[1] + 176), ink, thick)
        elif kind == 2:
            cv2.circle(canvas, start, int(rng.integers(15, 120)), ink, thick, cv2.LINE_AA)
        else:
            word = str(
                rng.choice(["PLAYER", "BANKER", "TIE", "A", "K", "7", "PAYS 2 TO 1", "10", "Q"])
            )
            cv2.putText(
                canvas, word, start, int(rng.integers(4)), rng.uniform(0.6, 3), ink, thick + 1
            )
