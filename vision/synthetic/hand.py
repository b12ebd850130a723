"""A dealer's hand as the camera sees it: sleeve, wrist, palm, fingers, and the shadow it throws."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

SLEEVE: Final = (52, 40, 38)
CUFF: Final = (226, 228, 230)
TONES: Final[tuple[Colour, ...]] = ((128, 160, 206), (96, 130, 178), (52, 78, 118), (150, 180, 222))
"""Skin, blue, green, red."""
FINGERS: Final = ((-25.0, 30.0, 6.5), (-9.0, 45.0, 7.0), (8.0, 44.0, 7.0), (23.0, 32.0, 6.0))
"""Of each finger: where it begins across the palm, its length and half its width, in pixels."""
THUMB: Final = (-36.0, -26.0, -30.0, 14.0, 8.0)
"""Begin and end of the thumb (across, along), and half its width."""
SHADOW: Final = 0.62
"""What is left of the light under a hand."""


def draw_hand(
    canvas: Image,
    x: float,
    y: float,
    reach: float,
    tone: Colour = TONES[0],
    *,
    below: bool = False,
) -> None:
    """A forearm from the dealer's side, its hand over a point when fully reached.

    The dealer stands at the upper edge of the picture, or `below` it.
    """
    root = np.asarray([0.75 * x + 160, canvas.shape[0] + 60.0 if below else -60.0])
    tip = root + (np.asarray([x, y + 20 if below else y - 20]) - root) * reach
    along = (tip - root) / max(1.0, float(np.hypot(*(tip - root))))
    across = np.asarray([-along[1], along[0]])

    def at(side: float, forth: float) -> NDArray[np.float64]:
        """A point beside the middle of the knuckles."""
        return np.asarray(tip + across * side + along * forth)

    wrist, cuff = -55.0, -120.0
    arm = [root + across * 44, at(38, cuff), at(-38, cuff), root - across * 44]
    palm = [at(27, cuff), at(30, wrist), at(31, -18), at(27, 2), at(-27, 2), at(-33, -20)]
    palm += [at(-33, wrist), at(-27, cuff)]
    _shade(canvas, [*arm[:2], *palm[1:4], at(8, 40), at(-9, 42), *palm[4:7], *arm[2:]])
    _fill(canvas, arm, SLEEVE)
    _fill(canvas, palm, tone)
    _fill(canvas, [at(40, cuff - 6), at(38, cuff + 8), at(-38, cuff + 8), at(-40, cuff - 6)], CUFF)
    darker = tuple(int(0.8 * each) for each in tone)
    lighter = tuple(min(255, int(1.12 * each)) for each in tone)
    for begin, length, half in FINGERS:
        start, end = at(begin, -8), at(begin * 1.12, length)
        _finger(canvas, start, end, half, tone, darker)
        nail = at(begin * 1.12, length - 2)
        cv2.circle(canvas, _pixel(nail), max(2, round(half * 0.55)), lighter, -1, cv2.LINE_AA)
        knuckle = at(begin * 1.06, length * 0.48)
        ends = (_pixel(knuckle - across * 4), _pixel(knuckle + across * 4))
        cv2.line(canvas, *ends, darker, 1, cv2.LINE_AA)
    side, forth, end_side, end_forth, half = THUMB
    _finger(canvas, at(side + 10, forth), at(end_side - 8, end_forth), half, tone, darker)


def _finger(
    canvas: Image,
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    half: float,
    tone: Colour,
    darker: tuple[int, ...],
) -> None:
    """A rounded bar with a darker rim."""
    wide = round(2 * half)
    cv2.line(canvas, _pixel(start), _pixel(end), darker, wide + 2, cv2.LINE_AA)
    cv2.line(canvas, _pixel(start), _pixel(end), tone, wide, cv2.LINE_AA)


def _pixel(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def _fill(canvas: Image, outline: list[NDArray[np.float64]], colour: Colour) -> None:
    cv2.fillPoly(canvas, [np.rint(outline).astype(np.int32)], colour, cv2.LINE_AA)


def _shade(canvas: Image, outline: list[NDArray[np.float64]]) -> None:
    """Darken what lies under a hand, a little beside it, with a soft edge."""
    points = np.rint(np.asarray(outline) + np.asarray((9, 12))).astype(np.int32)
    height, width = canvas.shape[:2]
    x0, y0 = np.clip(points.min(axis=0) - 12, 0, (width, height))
    x1, y1 = np.clip(points.max(axis=0) + 12, 0, (width, height))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    # A shadow has no detail: a quarter of the pixels is enough.
    small = np.full(((y1 - y0 + 3) // 4, (x1 - x0 + 3) // 4), 255, dtype=np.uint8)
    cv2.fillPoly(small, [(points - (x0, y0)) // 4], (round(255 * SHADOW),))
    soft = cv2.resize(cv2.blur(small, (5, 5)), (int(x1 - x0), int(y1 - y0)))
    spot = canvas[y0:y1, x0:x1]
    cv2.multiply(spot, cv2.merge([soft, soft, soft]), spot, scale=1 / 255)
