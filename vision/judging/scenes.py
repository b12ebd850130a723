"""Pictures of our own: cards laid on a ground, with what lies where.

For tuning what finds outlines, and for the small pictures that guard the readings in the tests. The
faces come from outside: the demonstration deck's, or those of any other deck.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import CARD_MM

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Faces = Callable[[str], Image]
"""Gives the upright face of a code, of any size."""
RADIUS_MM: Final = 3.2
_PX: Final = 4
"""Pixels a millimetre of the mask of a card."""


class Ground(StrEnum):
    """What the cards lie on."""

    FELT = "felt"
    WOOD = "wood"
    LIGHT = "light"
    DARK = "dark"
    CLUTTER = "clutter"


class Lie(StrEnum):
    """How the cards lie."""

    APART = "apart"
    ROW = "row"
    TOUCHING = "touching"
    FAN = "fan"


@dataclass(frozen=True, slots=True)
class LaidCard:
    """One card of a picture: its code, its outline, and whether all of it can be seen."""

    code: str
    quad: Floats
    whole: bool


@dataclass(frozen=True, slots=True)
class OwnPicture:
    """A picture and the cards in it."""

    image: Image
    cards: tuple[LaidCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a picture is taken."""

    size: tuple[int, int] = (960, 720)
    width_px: float = 110.0
    """Mean width of a card."""
    ground: Ground = Ground.FELT
    lie: Lie = Lie.APART
    tilt: float = 0.15
    """0 is seen from straight above; 0.5 is very oblique."""
    shadow: float = 0.0
    """How much darker the shaded half is, 0 to 0.7."""
    blur: float = 0.6
    noise: float = 2.5
    quality: int = 88


def picture(
    faces: Faces, codes: Sequence[str], setting: Setting, rng: np.random.Generator
) -> OwnPicture:
    """Lay cards as the setting says and take a picture."""
    width, height = setting.size
    frame = ground(setting.ground, setting.size, rng)
    plane = _plane(setting, rng)
    per_mm = setting.width_px / CARD_MM[0]
    cards: list[LaidCard] = []
    poses = _poses(setting, len(codes), rng)
    for code, (x, y, turn) in zip(codes, poses, strict=False):
        quad = _project(plane, _card(turn) * per_mm + (x * width, y * height))
        cards.append(LaidCard(code, quad, whole=True))
    for card in cards:
        _lay(frame, faces(card.code), card.quad, rng)
    told = []
    for at, card in enumerate(cards):
        hidden = any(_meet(card.quad, other.quad) for other in cards[at + 1 :])
        inside = bool((card.quad > 1).all() and (card.quad < (width - 2, height - 2)).all())
        told.append(LaidCard(card.code, card.quad, whole=inside and not hidden))
    return OwnPicture(_taken(frame, setting, rng), tuple(told))


def ground(kind: Ground, size: tuple[int, int], rng: np.random.Generator) -> Image:
    """A piece of table without cards."""
    width, height = size
    tones = {
        Ground.FELT: ((60, 95, 40), (95, 120, 70)),
        Ground.WOOD: ((70, 110, 150), (120, 160, 200)),
        Ground.LIGHT: ((175, 178, 180), (222, 224, 226)),
        Ground.DARK: ((18, 18, 18), (50, 46, 44)),
        Ground.CLUTTER: ((60, 60, 60), (150, 150, 150)),
    }
    low, high = tones[kind]
    base = rng.uniform(low, high)
    field = rng.normal(0, 1, (7, 9, 1)).astype(np.float32)
    wide = cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    out = base + 5 * wide
    if kind is Ground.WOOD:
        grain = cv2.resize(rng.normal(0, 1, (height // 3, 5)).astype(np.float32), (width, height))
        out = out + 7 * grain[..., None]
    grained = np.clip(out + rng.normal(0, 2.5, (height, width, 1)), 0, 255)
    image: Image = np.ascontiguousarray(grained.astype(np.uint8))
    if kind is Ground.CLUTTER:
        for _ in range(9):
            corner = rng.uniform(0, 1, 2) * size
            box = cv2.boxPoints(
                ((float(corner[0]), float(corner[1])), (float(rng.uniform(60, 260)),
                 float(rng.uniform(40, 200))), float(rng.uniform(0, 180)))
            )  # fmt: skip
            tone = rng.integers(20, 245, 3).tolist()
            cv2.fillConvexPoly(image, np.rint(box).astype(np.int32), tone, cv2.LINE_AA)
            at = (int(corner[0]) - 30, int(corner[1]))
            cv2.putText(image, "A 10 menu K", at, 0, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return image


def _plane(setting: Setting, rng: np.random.Generator) -> Floats:
    """The view of the table: from a flat picture to the picture that is taken."""
    width, height = setting.size
    flat = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    narrow = setting.tilt * 0.5 * width
    seen = flat + np.asarray([(narrow, setting.tilt * height * 0.3), (-narrow,
        setting.tilt * height * 0.3), (0, 0), (0, 0)], dtype=np.float32)  # fmt: skip
    seen += rng.uniform(-0.01, 0.01, (4, 2)).astype(np.float32) * width
    return np.asarray(cv2.getPerspectiveTransform(flat, seen.astype(np.float32)), np.float64)


def _poses(
    setting: Setting, count: int, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """Middles (shares of the picture) and turns of the cards."""
    width, height = setting.size
    wide = setting.width_px / width
    start = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.integers(4) * np.pi / 2
    if setting.lie is Lie.APART:
        cell = 1.62 * setting.width_px
        columns, rows = max(1, int(width / cell)), max(1, int(height / cell))
        spots = rng.permutation(columns * rows)[:count]
        return [
            (
                (int(spot) % columns + 0.5) / columns + float(rng.normal(0, 0.05)) * wide,
                (int(spot) // columns + 0.5) / rows + float(rng.normal(0, 0.05)) * wide,
                float(start + rng.normal(0, 0.2)),
            )
            for spot in spots
        ]
    if setting.lie is Lie.FAN:
        turn0 = float(rng.uniform(-0.4, 0.4))
        step, reach = float(rng.uniform(0.2, 0.3)), 2.0 * wide
        out = []
        for at in range(count):
            turn = turn0 + (at - (count - 1) / 2) * step
            x = 0.5 + float(np.sin(turn)) * reach
            out.append((x, 0.5 + (1 - float(np.cos(turn))) * reach * width / height, turn))
        return out
    gap = wide * (float(rng.uniform(1.003, 1.02)) if setting.lie is Lie.TOUCHING else 1.12)
    first = 0.5 - gap * (count - 1) / 2
    return [(first + at * gap, 0.5 + float(rng.normal(0, 0.002)), 0.0) for at in range(count)]


def _card(turn: float) -> Floats:
    """The corners of a card in millimetres about its middle, clockwise turned."""
    half = np.asarray(CARD_MM) / 2
    square = np.asarray([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(square @ np.asarray([(c, s), (-s, c)]), dtype=np.float64)


def _project(matrix: Floats, points: Floats) -> Floats:
    """Points through a view."""
    whole = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(whole[:, :2] / whole[:, 2:], dtype=np.float64)


def _rounded() -> Image:
    """The shape of a card."""
    width, height = (int(each * _PX) for each in CARD_MM)
    mask = np.zeros((height, width), dtype=np.uint8)
    reach = round(RADIUS_MM * _PX)
    cv2.rectangle(mask, (reach, 0), (width - reach, height), 255, -1)
    cv2.rectangle(mask, (0, reach), (width, height - reach), 255, -1)
    for x in (reach, width - 1 - reach):
        for y in (reach, height - 1 - reach):
            cv2.circle(mask, (x, y), reach, 255, -1)
    return mask


def _lay(frame: Image, face: Image, quad: Floats, rng: np.random.Generator) -> None:
    """Put a card into the frame with a soft shadow beside it."""
    size = (frame.shape[1], frame.shape[0])
    target = quad.astype(np.float32)
    width = float(np.hypot(*(quad[1] - quad[0])))
    scale = min(1.0, width * 1.2 / face.shape[1])
    small = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen, mask = (
        cv2.warpPerspective(
            each,
            cv2.getPerspectiveTransform(
                np.asarray([(0, 0), (each.shape[1], 0), (each.shape[1], each.shape[0]),
                            (0, each.shape[0])], dtype=np.float32) - 0.5,
                target,
            ),
            size,
            flags=cv2.INTER_LINEAR,
        )
        for each in (small, cv2.resize(_rounded(), small.shape[1::-1]))
    )  # fmt: skip
    move = np.asarray([[1, 0, 0.025 * width], [0, 1, 0.03 * width]])
    dark = cv2.blur(cv2.warpAffine(mask, move, size), (7, 7)).astype(np.float32) / 255
    frame[:] = (frame * (1 - 0.4 * float(rng.uniform(0.5, 1)) * dark[..., None])).astype(np.uint8)
    share = mask.astype(np.float32)[..., None] / 255
    frame[:] = (frame * (1 - share) + seen * share).astype(np.uint8)


def _meet(one: Floats, other: Floats) -> bool:
    """Whether a card lies on a good part of another."""
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return bool(area > 0.02 * cv2.contourArea(one.astype(np.float32)))


def _taken(frame: Image, setting: Setting, rng: np.random.Generator) -> Image:
    """What the camera makes of the frame."""
    width, height = setting.size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    across = np.cos(turn) * (x / width - 0.5) + np.sin(turn) * (y / height - 0.5)
    light = 1 + 0.35 * rng.uniform(-1, 1) * across
    if setting.shadow:
        edge = 1 / (1 + np.exp(-(across - rng.uniform(-0.12, 0.12)) * 260))
        light *= 1 - setting.shadow * edge
    out = frame * light[..., None]
    if setting.blur:
        out = cv2.GaussianBlur(out, (0, 0), setting.blur)
    out = np.clip(out + rng.normal(0, setting.noise, out.shape), 0, 255).astype(np.uint8)
    _, body = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, setting.quality])
    return np.asarray(cv2.imdecode(body, cv2.IMREAD_COLOR), dtype=np.uint8)
