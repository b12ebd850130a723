"""Suit shapes: from fonts and from outlines with random parameters, and what is no suit at all."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import SUIT_SIGNS, SUITS, Font, Mask, flaw, font_glyph, trim

TRAINED_SHAPES: Final = ("classic", "lobes", "plump", "built", "hewn", "round", "flared")
HELD_OUT_SHAPES: Final = ("angular", "swan")
_N: Final = 180
Points = NDArray[np.float64]


def _bezier(a: Points, b: Points, c: Points, d: Points) -> Points:
    t = np.linspace(0, 1, 16)[:, None]
    u = 1 - t
    return np.asarray(u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d)


def _fill(half: Points) -> Mask:
    """Fill an outline given as its left half, from top to bottom, mirrored about x = 0.5."""
    other = half[::-1] * [-1, 1] + [1, 0]
    outline = np.vstack([half, other])
    canvas = np.zeros((_N + 20, _N + 20), np.uint8)
    cv2.fillPoly(canvas, [np.rint(outline * _N + 10).astype(np.int32)], 255)
    return canvas


def _heart(shape: str, rng: np.random.Generator) -> Mask:
    notch, side = rng.uniform(0.12, 0.26), rng.uniform(0.24, 0.36)
    if shape == "angular":
        peak = rng.uniform(0.18, 0.32)
        points = [(0.5, notch), (peak, 0.0), (0.08, 0.08), (0.0, side), (0.5, 1.0)]
        return _fill(np.array(points))
    if shape == "built":
        return _built_heart(rng)
    if shape == "round":
        return _round_heart(rng)
    if shape == "flared":
        notch, side = rng.uniform(0.26, 0.4), rng.uniform(0.3, 0.42)
    if shape == "swan":  # sides that swing in before the tip
        side = rng.uniform(0.2, 0.3)
        top = _bezier(*map(np.array, ((0.5, notch), (0.46, -0.06), (0.02, -0.08), (0.0, side))))
        tip = _bezier(*map(np.array, ((0.0, side), (0.02, 0.62), (0.44, 0.62), (0.5, 1.0))))
        return _fill(np.vstack([top, tip]))
    if shape == "hewn":
        x, y = rng.uniform(0.14, 0.36), rng.uniform(0.0, 0.1)
        low = (rng.uniform(0.1, 0.24), rng.uniform(0.55, 0.7))
        return _fill(
            np.array([(0.5, notch), (x, y), (0.03, side - 0.1), (0.0, side + 0.1), low, (0.5, 1)])
        )
    waist = rng.uniform(0.30, 0.48) if shape == "plump" else rng.uniform(0.22, 0.42)
    top = rng.uniform(-0.1, -0.04)
    upper = _bezier(*map(np.array, ((0.5, notch), (0.42, top), (0.0, top - 0.01), (0.0, side))))
    low = rng.uniform(0.62, 0.86)
    lower = _bezier(
        *map(np.array, ((0.0, side), (0.0, side + 0.22), (0.5 - waist / 2.2, low), (0.5, 1.0)))
    )
    return _fill(np.vstack([upper, lower]))


def _round_heart(rng: np.random.Generator) -> Mask:
    """A heart by a formula, of any fullness."""
    turn = np.linspace(0, np.pi, 60)
    full, dip = rng.uniform(0.5, 1.1), rng.uniform(3.5, 6.5)
    x = 0.5 - 0.5 * np.sin(turn) ** (3 * full)
    y = 13 * np.cos(turn) - dip * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
    y = (y.max() - y) / (y.max() - y.min())
    return _fill(np.stack([x, y], axis=1))


def _built_heart(rng: np.random.Generator) -> Mask:
    """Two discs on a triangle."""
    canvas = np.zeros((_N + 20, _N + 20), np.uint8)
    r = rng.uniform(0.23, 0.3)
    for x in (r, 1 - r):
        cv2.circle(canvas, (int(10 + x * _N), int(10 + r * _N)), int(r * _N), 255, -1)
    y = r * rng.uniform(1.1, 1.6)
    inset = r - float(np.sqrt(max(0.0, r * r - (y - r) ** 2)))
    half = np.array([(0.5, r * 0.8), (inset, y), (0.5, 1.0)])
    return np.maximum(canvas, _fill(half))


def _stem(canvas: Mask, rng: np.random.Generator, top: float, base: float) -> Mask:
    half = rng.uniform(0.06, 0.24)
    thin = rng.uniform(0.02, 0.06)
    points = np.array([(0.5 - thin, top), (0.5 - thin * 1.2, base - 0.12), (0.5 - half, base)])
    return np.maximum(canvas, _fill(points))


def _spade(shape: str, rng: np.random.Generator) -> Mask:
    heart = trim(_heart(shape, rng))[::-1]
    body = cv2.resize(heart, (_N, int(_N * rng.uniform(0.76, 0.88))))
    canvas = np.zeros((_N + 20, _N + 20), np.uint8)
    canvas[10 : 10 + body.shape[0], 10 : 10 + _N] = body
    return _stem(canvas, rng, 0.5, 1.0)


def _club(shape: str, rng: np.random.Generator) -> Mask:
    canvas = np.zeros((_N + 20, _N + 20), np.uint8)
    r = rng.uniform(0.17, 0.215) if shape == "flared" else rng.uniform(0.22, 0.28)
    low = rng.uniform(0.55, 0.64)
    power = rng.uniform(0.55, 1.2) if shape == "round" else 1.0
    for x, y in ((0.5, r), (r, low), (1 - r, low)):
        at = (int(10 + x * _N), int(10 + y * _N))
        if shape == "hewn":
            sides = int(rng.choice([5, 6, 7, 12]))
            turn = np.arange(sides) * 2 * np.pi / sides + rng.uniform(0, 6.3)
            ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * r * 1.05 * _N + at
            cv2.fillPoly(canvas, [ring.astype(np.int32)], 255)
        elif shape == "round":
            turn = np.linspace(0, 2 * np.pi, 40)
            ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
            ring = np.sign(ring) * np.abs(ring) ** power * r * _N + at
            cv2.fillPoly(canvas, [ring.astype(np.int32)], 255)
        elif shape == "flared":
            cv2.circle(canvas, at, int(r * _N), 255, -1)
            cv2.line(canvas, at, (10 + _N // 2, 10 + _N // 2), 255, int(rng.uniform(12, 34)))
        elif shape == "swan":
            axes = (int(r * _N * 0.86), int(r * _N * 1.08))
            cv2.ellipse(canvas, at, axes, (x - 0.5) * 200 + 90 * (y != r), 0, 360, 255, -1)
        elif shape == "angular":
            turn = np.radians(np.arange(8) * 45 + 22.5)
            ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * r * _N + at
            cv2.fillPoly(canvas, [ring.astype(np.int32)], 255)
        else:
            cv2.circle(canvas, at, int(r * _N * rng.uniform(0.94, 1.04)), 255, -1)
    if rng.random() < 0.6:
        cv2.circle(canvas, (10 + _N // 2, int(10 + 0.48 * _N)), int(0.11 * _N), 255, -1)
    return _stem(canvas, rng, 0.4, 1.0)


def _diamond(shape: str, rng: np.random.Generator) -> Mask:
    bend = (
        rng.uniform(-0.03, 0.03)
        if shape == "hewn"
        else 0.0
        if shape == "angular"
        else rng.uniform(0.16, 0.26)
        if shape == "swan"
        else rng.uniform(-0.1, 0.12)
    )
    a, b, c = np.array((0.5, 0.0)), np.array((0.0, 0.5)), np.array((0.5, 1.0))
    m = (a + b) / 2 * (1 - bend) + np.array((0.5, 0.5)) * bend
    n = m * [1, -1] + [0, 1]
    half = np.vstack([_bezier(a, m, m, b), _bezier(b, n, n, c)])
    mask = trim(_fill(half))
    wide = int(_N * rng.uniform(0.68, 0.98))
    return np.asarray(cv2.resize(mask, (wide, _N)), np.uint8)


_MAKERS: Final = {"C": _club, "D": _diamond, "H": _heart, "S": _spade}


def drawn_suits(shape: str, rng: np.random.Generator) -> dict[str, Mask]:
    """The four suits of one made-up hand."""
    soften = rng.uniform(4, 11) if shape == "plump" or rng.random() < 0.2 else 0.0
    out = {}
    for suit in SUITS:
        mask = np.asarray(_MAKERS[suit](shape, rng), np.uint8)
        if soften:
            mask = cv2.copyMakeBorder(mask, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=0)
            level = int(rng.uniform(95, 125))
            mask = (cv2.GaussianBlur(mask, (0, 0), soften) > level).astype(np.uint8) * 255
        out[suit] = trim(mask)
    return out


def font_suits(font: Font, rng: np.random.Generator) -> dict[str, Mask]:
    """The four suits of a font."""
    bold = int(rng.choice([0, 0, 3]))
    return {suit: flaw(font_glyph(font.path, SUIT_SIGNS[suit]), rng, bold) for suit in SUITS}


def no_suit(rng: np.random.Generator) -> Mask:
    """A shape in a suit's place that is none: leaf, bell, acorn, star, cup, blob, ring, cross."""
    canvas = np.zeros((_N, _N), np.uint8)
    kind = int(rng.integers(6))
    mid = _N // 2
    if kind == 0:  # star
        turn = np.radians(np.arange(10) * 36 - 90)
        reach = np.where(np.arange(10) % 2, rng.uniform(0.18, 0.3), 0.48) * _N
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * reach[:, None] + mid
        cv2.fillPoly(canvas, [ring.astype(np.int32)], 255)
    elif kind == 1:  # bell
        cv2.circle(canvas, (mid, mid), int(0.42 * _N), 255, -1)
        cv2.line(canvas, (0, mid), (_N, mid), 0, int(rng.uniform(6, 16)))
        cv2.line(canvas, (mid, mid), (mid, _N), 0, int(rng.uniform(6, 16)))
    elif kind == 2:  # acorn
        cv2.ellipse(
            canvas, (mid, int(0.6 * _N)), (int(0.26 * _N), int(0.36 * _N)), 0, 0, 360, 255, -1
        )
        cv2.ellipse(
            canvas, (mid, int(0.3 * _N)), (int(0.34 * _N), int(0.14 * _N)), 0, 0, 360, 255, -1
        )
        cv2.line(canvas, (mid, 0), (mid, mid), 255, 12)
    elif kind == 3:  # ring or coin
        cv2.circle(canvas, (mid, mid), int(0.42 * _N), 255, int(rng.uniform(10, 40)))
    elif kind == 4:  # sword or cross
        cv2.line(canvas, (mid, 5), (mid, _N - 5), 255, int(rng.uniform(10, 40)))
        y = int(rng.uniform(0.3, 0.7) * _N)
        cv2.line(canvas, (int(0.2 * _N), y), (int(0.8 * _N), y), 255, int(rng.uniform(10, 40)))
    else:  # blob
        turn = np.radians(np.arange(0, 360, 10))
        wave = 0.3 + 0.12 * np.sin(turn * rng.integers(5, 9) + rng.uniform(0, 6))
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (wave * _N)[:, None] + mid
        cv2.fillPoly(canvas, [ring.astype(np.int32)], 255)
    return trim(canvas)
