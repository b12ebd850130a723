"""Draws on a picture what was recognised in it: outlines, names, and a line of counts."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.see import Seen, SeenOne

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
SURE: Final[Colour] = (96, 190, 52)
ASK: Final[Colour] = (40, 160, 250)
PLAIN: Final[Colour] = (200, 150, 80)
DARK: Final[Colour] = (28, 24, 22)
LIGHT: Final[Colour] = (250, 250, 250)
FONT: Final = cv2.FONT_HERSHEY_DUPLEX
LEAST_SIDE: Final = 640
"""A smaller picture is drawn larger, so that names can be read on it."""


def drawn(image: Image, seen: Seen) -> Image:
    """The picture with each card's outline and name; a question mark where it is asked about."""
    scale = max(1.0, LEAST_SIDE / max(image.shape[:2]))
    canvas = image.copy()
    if scale > 1:
        canvas = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8
        )
    unit = max(canvas.shape[:2]) / 1000
    for quad in seen.plain:
        _outlined(canvas, _pixels(quad, scale), PLAIN, unit)
    for card in seen.cards:
        _outlined(canvas, _pixels(card.quad, scale), SURE if card.sure else ASK, unit)
    taken: list[tuple[int, int, int, int]] = []
    for card in seen.cards:
        _label(canvas, _pixels(card.quad, scale), card, unit, taken)
    _counts(canvas, seen, unit)
    return canvas


def _pixels(quad: Sequence[tuple[float, float]], scale: float) -> NDArray[np.int32]:
    """An outline in whole pixels of the drawing."""
    return np.rint((np.asarray(quad) + 0.5) * scale - 0.5).astype(np.int32)


def _outlined(canvas: Image, corners: NDArray[np.int32], colour: Colour, unit: float) -> None:
    """An outline with a light tint inside and a dark edge outside, so that it shows anywhere."""
    x0, y0 = np.maximum(corners.min(axis=0), 0)
    x1, y1 = np.maximum(corners.max(axis=0) + 1, 0)
    part = canvas[y0:y1, x0:x1]
    if part.size:
        tint = part.copy()
        cv2.fillConvexPoly(tint, corners - (x0, y0), colour)
        cv2.addWeighted(tint, 0.16, part, 0.84, 0, dst=part)
    thick = max(2, round(2.6 * unit))
    cv2.polylines(canvas, [corners], True, DARK, thick + 2, cv2.LINE_AA)  # noqa: FBT003
    cv2.polylines(canvas, [corners], True, colour, thick, cv2.LINE_AA)  # noqa: FBT003


def _label(
    canvas: Image,
    corners: NDArray[np.int32],
    card: SeenOne,
    unit: float,
    taken: list[tuple[int, int, int, int]],
) -> None:
    """The name on a plate above the card, moved down past plates that are there already."""
    words = card.card if card.sure else (f"{card.likely}?" if card.likely != card.card else "?")
    size = 0.85 * max(0.75, unit)
    thick = max(1, round(1.3 * unit))
    (wide, high), _ = cv2.getTextSize(words, FONT, size, thick)
    pad = max(4, round(6 * unit))
    width, height = wide + 2 * pad, high + 2 * pad
    middle = corners.mean(axis=0)
    x = int(np.clip(middle[0] - width / 2, 0, max(0, canvas.shape[1] - width)))
    y = int(np.clip(corners[:, 1].min() - height / 2, 0, max(0, canvas.shape[0] - height)))
    while any(_meet((x, y, width, height), box) for box in taken) and y + 2 * height < len(canvas):
        y += height + 2
    taken.append((x, y, width, height))
    cv2.rectangle(canvas, (x, y), (x + width, y + height), DARK, -1)
    colour = SURE if card.sure else ASK
    cv2.rectangle(canvas, (x, y), (x + width, y + height), colour, max(1, round(1.5 * unit)))
    cv2.putText(canvas, words, (x + pad, y + pad + high), FONT, size, LIGHT, thick, cv2.LINE_AA)


def _meet(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Whether two boxes (x, y, width, height) have a pixel in common."""
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


def _counts(canvas: Image, seen: Seen, unit: float) -> None:
    """How many cards are sure, asked about, face down: at the lower edge."""
    sure = sum(card.sure for card in seen.cards)
    parts = [f"{sure} sure", f"{len(seen.cards) - sure} to ask"]
    parts += [f"{seen.backs} face down"] if seen.backs else []
    parts += [f"{seen.cut} cut card"] if seen.cut else []
    size, thick = 0.6 * max(0.75, unit), max(1, round(unit))
    words = "   ".join(parts)
    (wide, high), _ = cv2.getTextSize(words, FONT, size, thick)
    pad = round(8 * max(0.75, unit))
    y = canvas.shape[0] - high - 2 * pad
    part = canvas[max(0, y) :, : wide + 2 * pad]
    part[:] = (part * 0.25).astype(np.uint8)
    cv2.putText(canvas, words, (pad, y + pad + high), FONT, size, LIGHT, thick, cv2.LINE_AA)
