"""A simulated camera: one card on a ground, seen with light, blur, noise and compression faults.

The result is what the eye hands to the reader: a crop of 176 by 126, cut along corners that are
a little wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Quad = NDArray[np.float32]
CROP: Final = (176, 126)
"""Height and width of what a reader is given."""
_RATIO: Final = 88 / 63
_UNIT: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How the cut goes wrong on purpose, in shares of the card's width or height."""

    shift: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0
    sideways: bool = False
    covered: float = 0.16
    calm: bool = False
    """Even light, a sharp picture and little grain: what a good studio gives at its best."""
    studio: bool = False
    """What a studio's camera gives: lamps on one side, a soft shadow, some blur and grain, video
    compression; nothing lies on the card."""


class Noise:
    """Grain prepared once: drawing normal numbers for each sample would cost most of the time."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._grain = rng.normal(0, 16, (900, 900, 3)).astype(np.int16)

    def add(self, image: Picture, strength: float, rng: np.random.Generator) -> Picture:
        """Add grain of so many grey levels (one sigma)."""
        high, wide = image.shape[:2]
        y, x = int(rng.integers(900 - high)), int(rng.integers(900 - wide))
        grain = self._grain[y : y + high, x : x + wide]
        out = cv2.addWeighted(image, 1.0, grain, strength / 16, 0, dtype=cv2.CV_8U)
        return np.asarray(out, np.uint8)


_ROUND: Final = np.zeros((196, 140), np.uint8)
cv2.rectangle(_ROUND, (8, 0), (131, 195), 255, -1)
cv2.rectangle(_ROUND, (0, 8), (139, 187), 255, -1)
for _x, _y in ((8, 8), (131, 8), (8, 187), (131, 187)):
    cv2.circle(_ROUND, (_x, _y), 8, 255, -1)


def _outline(width: float, rng: np.random.Generator, lean: float) -> Quad:
    """A card of so many pixels' width, turned anyhow, with a little perspective, about (0, 0)."""
    points = (_UNIT - 0.5) * np.array([width, width * _RATIO], np.float32)
    points = points * (1 + rng.uniform(-lean, lean, (4, 2)))
    points[:, 1] *= rng.uniform(0.86, 1.06)
    turn = rng.uniform(0, 2 * np.pi)
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(points @ spin, np.float32)


def _lay(frame: Picture, card: Picture, quad: Quad, shade: float) -> None:
    """Put a card into the frame with a soft shadow beside it."""
    high, wide = card.shape[:2]
    size = (frame.shape[1], frame.shape[0])
    source = _UNIT * np.array([wide, high], np.float32)
    width = float(np.linalg.norm(quad[1] - quad[0]))
    if width < 0.75 * wide:
        scale = max(width * 1.15 / wide, 0.2)
        card = np.asarray(
            cv2.resize(card, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        source = _UNIT * np.array(card.shape[1::-1], np.float32)
    to = cv2.getPerspectiveTransform(source, quad)
    seen = cv2.warpPerspective(card, to, size, flags=cv2.INTER_LINEAR)
    whole = cv2.getPerspectiveTransform(_UNIT * np.array([140, 196], np.float32), quad)
    mask = cv2.warpPerspective(_ROUND, whole, size, flags=cv2.INTER_LINEAR)
    if shade > 0:
        off = (float(width * 0.03), float(width * 0.03))
        move = np.array([[1, 0, off[0]], [0, 1, off[1]]])
        dark = cv2.blur(cv2.warpAffine(mask, move, size), (5, 5))
        keep = cv2.cvtColor(255 - (dark * shade).astype(np.uint8), cv2.COLOR_GRAY2BGR)
        cv2.multiply(frame, keep, frame, 1 / 255)
    cv2.copyTo(seen, (mask > 127).astype(np.uint8), frame)


def _cover(
    frame: Picture, quad: Quad, others: Sequence[Picture], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Lay a finger, a chip or another card over part of the card; tell which indices it hides."""
    width = float(np.linalg.norm(quad[1] - quad[0]))
    mask = np.zeros(frame.shape[:2], np.uint8)
    along = rng.uniform(0, 1, 2)
    edge = quad[0] + (quad[1] - quad[0]) * along[0] + (quad[3] - quad[0]) * along[1]
    if rng.random() < 0.5:
        middle = quad.mean(axis=0)
        centre = edge + (edge - middle) * 0.9
        over = _outline(width, rng, 0.01) + centre
        _lay(frame, others[rng.integers(len(others))], np.asarray(over, np.float32), 0.3)
        cv2.fillConvexPoly(mask, np.rint(over).astype(np.int32), 255)
    else:
        middle = quad.mean(axis=0)
        start = edge + (edge - middle) * rng.uniform(0, 0.7)
        end = start + (start - middle) * 3
        thick = max(3, int(width * rng.uniform(0.14, 0.34)))
        ends = [tuple(int(v) for v in point) for point in (start, end)]
        cv2.line(mask, ends[0], ends[1], 255, thick, cv2.LINE_AA)
        tone = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(110, 240)])
        if rng.random() < 0.4:
            tone = rng.uniform(10, 245, 3)
        paint = np.empty_like(frame)
        paint[:] = tone
        cv2.copyTo(paint, (mask > 127).astype(np.uint8), frame)
    return np.array([_hidden(mask, quad, corner) for corner in (0, 2)])


def _hidden(mask: Picture, quad: Quad, corner: int) -> bool:
    """Whether the index at a corner is more than a sixth covered."""
    one, two = quad[(corner + 1) % 4] - quad[corner], quad[(corner - 1) % 4] - quad[corner]
    across, down = (one, two) if corner in (0, 2) else (two, one)
    count = 0
    for a in (0.04, 0.09, 0.14, 0.2):
        for b in (0.04, 0.1, 0.16, 0.23):
            x, y = quad[corner] + across * a + down * b
            inside = 0 <= x < mask.shape[1] and 0 <= y < mask.shape[0]
            count += int(inside and mask[int(y), int(x)] > 127)
    return count > 2


def _light(frame: Picture, rng: np.random.Generator) -> Picture:
    """Gain, colour cast and gamma by table; gradient, hard shadow and glare by a field."""
    levels = np.arange(256) / 255
    gamma = rng.uniform(0.65, 1.5) if rng.random() < 0.4 else 1.0
    cast = 0.3 if rng.random() < 0.2 else 0.16
    dark = rng.random() < 0.12
    gain = rng.uniform(0.3 if dark else 0.55, 0.6 if dark else 1.2) * (
        1 + rng.uniform(-cast, cast, 3)
    )
    lift = rng.uniform(0, 35) if rng.random() < 0.3 else 0.0
    values = levels[:, None] ** gamma * gain * 255 + lift
    if rng.random() < 0.1:  # burnt out: white swims, ink turns pale
        values = 255 - (255 - np.clip(values, 0, 255) * rng.uniform(1, 1.25)) * rng.uniform(
            0.35, 0.8
        )
    table = np.clip(values, 0, 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(frame, table[None]), np.uint8)
    pick = rng.random(3)
    field = np.ones((24, 24), np.float32)
    y, x = np.mgrid[0:24, 0:24] / 23 - 0.5
    if pick[0] < 0.5:
        turn = rng.uniform(0, 6.3)
        field *= 1 + rng.uniform(0.1, 0.7) * (np.cos(turn) * x + np.sin(turn) * y)
    high, wide = out.shape[:2]
    big = cv2.resize(field, (wide, high))
    if pick[1] < 0.22:
        turn, off = rng.uniform(0, 6.3), rng.uniform(-0.3, 0.3)
        yy, xx = np.mgrid[0:high, 0:wide].astype(np.float32)
        side = np.cos(turn) * (xx / wide - 0.5) + np.sin(turn) * (yy / high - 0.5) > off
        edge = cv2.blur(side.astype(np.float32), (int(rng.integers(1, 14)),) * 2)
        big = big * (1 - rng.uniform(0.25, 0.65) * edge)
    if pick[0] < 0.5 or pick[1] < 0.22:
        out = cv2.multiply(out, cv2.merge([big] * 3), dtype=cv2.CV_8U)
    if pick[2] < 0.2:
        spot = np.zeros((high, wide), np.uint8)
        at = rng.uniform(0.2, 0.8, 2) * (wide, high)
        reach = rng.uniform(0.06, 0.35, 2) * wide
        axes = (int(reach[0]) + 2, int(reach[1]) + 2)
        cv2.ellipse(spot, (int(at[0]), int(at[1])), axes, rng.uniform(0, 180), 0, 360, 255, -1)
        spot = cv2.blur(cv2.blur(spot, (int(reach.min()) | 1,) * 2), (9, 9))
        out = cv2.addWeighted(out, 1.0, cv2.merge([spot] * 3), rng.uniform(0.15, 1.1), 0)
    return np.asarray(out, np.uint8)


def _soften(frame: Picture, width: float, rng: np.random.Generator) -> Picture:
    """Defocus, motion, sharpening, a coarse sensor."""
    out = frame
    if rng.random() < 0.5:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.35, 0.35 + width / 75))
    if rng.random() < 0.25:
        reach = int(rng.integers(2, max(3, int(width / 14)) + 1))
        kernel = np.zeros((reach * 2 + 1,) * 2, np.float32)
        turn = rng.uniform(0, np.pi)
        step = (int(np.cos(turn) * reach / 1.5), int(np.sin(turn) * reach / 1.5))
        cv2.line(kernel, (reach - step[0], reach - step[1]), (reach + step[0], reach + step[1]), 1)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    if rng.random() < 0.2:
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.7, 1.6))
        out = cv2.addWeighted(out, 1 + (k := rng.uniform(0.3, 1.6)), soft, -k, 0)
    if width > 50 and rng.random() < 0.2:
        scale = rng.uniform(max(0.3, 36 / width), 0.9)
        small = cv2.resize(out, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, out.shape[1::-1])
    return np.asarray(out, np.uint8)


def _studio(frame: Picture, width: float, noise: Noise, rng: np.random.Generator) -> Picture:
    """The faults of a studio's camera; see `Fault.studio`."""
    high, wide = frame.shape[:2]
    gain = rng.uniform(0.7, 1.15) * (1 + rng.uniform(-0.08, 0.08, 3))
    levels = (np.arange(256) / 255) ** rng.uniform(0.85, 1.2)
    table = np.clip(levels[:, None] * gain * 255, 0, 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(frame, table[None]), np.uint8)
    yy, xx = np.mgrid[0:high, 0:wide].astype(np.float32)
    turn = rng.uniform(0, 6.3)
    along = np.cos(turn) * (xx / wide - 0.5) + np.sin(turn) * (yy / high - 0.5)
    field = 1 + rng.uniform(0, 0.35) * along
    if rng.random() < 0.15:  # the shadow of an arm or of the shoe
        reach = max(3, int(width * rng.uniform(0.04, 0.2)))
        edge = cv2.blur((along > rng.uniform(-0.3, 0.3)).astype(np.float32), (reach, reach))
        field = field * (1 - rng.uniform(0.15, 0.5) * edge)
    out = np.asarray(cv2.multiply(out, cv2.merge([field] * 3), dtype=cv2.CV_8U), np.uint8)
    if rng.random() < 0.6:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 0.3 + width / 110)))
    out = noise.add(out, rng.uniform(0.8, 5), rng)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 93))]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], 1), np.uint8)


def _corner_error(width: float, rng: np.random.Generator) -> Quad:
    """How far the four corners of the cut are off, in pixels: 3.5 per cent at the most."""
    each = rng.normal(0, rng.uniform(0.002, 0.012), (4, 2))
    common = rng.normal(0, 0.008, 2)
    grow = (_UNIT - 0.5) * rng.normal(0, 0.014, 2)
    return np.asarray(np.clip(each + common + grow, -0.036, 0.036) * width, np.float32)


def shoot(
    card: Picture,
    others: Sequence[Picture],
    ground: Picture,
    noise: Noise,
    fault: Fault,
    rng: np.random.Generator,
    width: float = 0.0,
) -> tuple[Picture, NDArray[np.bool_]]:
    """Photograph a card and cut it out; also tell which of its two indices are covered.

    The second index is that at the card's other end. `width` fixes the card's width in pixels;
    0 draws it at random, 38 to 150.
    """
    width = width or float(np.exp(rng.uniform(np.log(38), np.log(150))))
    quad = _outline(width, rng, rng.choice([0.005, 0.02, 0.05]))
    quad -= quad.min(axis=0) - max(8.0, width * 0.12)
    size = np.ceil(quad.max(axis=0) + max(8.0, width * 0.12)).astype(int)
    y, x = (int(rng.integers(max(1, ground.shape[k] - size[1 - k]))) for k in (0, 1))
    frame = np.array(ground[y : y + size[1], x : x + size[0]])
    if frame.shape[:2] != (size[1], size[0]):
        frame = np.asarray(cv2.resize(ground, (int(size[0]), int(size[1]))), np.uint8)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))):
        turn = rng.uniform(0, 6.3)
        away = np.array([np.cos(turn), np.sin(turn)]) * width * rng.uniform(0.8, 1.5)
        beside = _outline(width, rng, 0.01) + quad.mean(axis=0) + away
        _lay(frame, others[rng.integers(len(others))], np.asarray(beside, np.float32), 0.4)
    _lay(frame, card, quad, rng.uniform(0, 0.6))
    hidden = np.zeros(2, np.bool_)
    if fault.calm:
        return _cut(noise.add(frame, rng.uniform(0.5, 3), rng), quad, width, fault, rng), hidden
    if fault.studio:
        return _cut(_studio(frame, width, noise, rng), quad, width, fault, rng), hidden
    if rng.random() < fault.covered:
        hidden = _cover(frame, quad, others, rng)
    frame = _soften(_light(frame, rng), width, rng)
    if rng.random() < 0.8:
        frame = noise.add(frame, rng.uniform(0.5, 11), rng)
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(28, 96))]
        frame = np.asarray(cv2.imdecode(cv2.imencode(".jpg", frame, quality)[1], 1), np.uint8)
    return _cut(frame, quad, width, fault, rng), hidden


def _cut(
    frame: Picture, quad: Quad, width: float, fault: Fault, rng: np.random.Generator
) -> Picture:
    middle = quad.mean(axis=0)
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    found = (quad - middle) * fault.scale + middle
    found = found + across * fault.shift[0] + down * fault.shift[1] + _corner_error(width, rng)
    if fault.sideways:
        found = np.roll(found, 1, axis=0)
    high, wide = CROP
    to = cv2.getPerspectiveTransform(
        np.asarray(found, np.float32), _UNIT * np.array([wide, high], np.float32)
    )
    out = cv2.warpPerspective(frame, to, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, np.uint8)
