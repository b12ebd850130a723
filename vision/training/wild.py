"""Courts that are anything at all, and pips strewn over the card: for training only.

With much that no deck has, a design that was not seen is less new. None that is held out is drawn
with any of this.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training import courts
from vision.training.backs import back, paint
from vision.training.glyphs import Mask

Picture = NDArray[np.uint8]
Places = tuple[tuple[float, float], ...]


def _field(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Colours that run into each other."""
    small = rng.integers(0, 256, (int(rng.integers(2, 7)), int(rng.integers(2, 6)), 3))
    out = cv2.resize(small.astype(np.uint8), size[::-1], interpolation=cv2.INTER_CUBIC)
    return np.asarray(out, np.uint8)


def _strewn(canvas: Picture, masks: Sequence[Mask], rng: np.random.Generator) -> None:
    """Suits and letters of any size anywhere, any way up."""
    high, wide = canvas.shape[:2]
    for _ in range(int(rng.integers(1, 9))):
        mask = masks[int(rng.integers(len(masks)))]
        tall = int(rng.integers(14, 110))
        size = (max(3, min(wide - 2, tall * mask.shape[1] // mask.shape[0])), tall)
        part = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
        part = part[::-1, ::-1] if rng.random() < 0.5 else part
        y, x = int(rng.integers(0, high - tall)), int(rng.integers(0, max(1, wide - size[0])))
        canvas[y : y + tall, x : x + size[0]][part > 127] = paint(rng)


def collage(
    paper: tuple[int, int, int], masks: Sequence[Mask], rng: np.random.Generator
) -> Picture:
    """A court picture of anything: colours, a back's pattern, suits, letters, shapes."""
    size = courts.SIZE
    base = int(rng.integers(4))
    if base == 0:
        canvas = _field(size, rng)
    elif base == 1:
        canvas = np.asarray(cv2.resize(back(rng), size[::-1]), np.uint8)
    elif base == 2:
        canvas = courts.abstract(paper, rng)
    else:
        canvas = np.empty((*size, 3), np.uint8)
        canvas[:] = paint(rng) if rng.random() < 0.4 else paper
    if rng.random() < 0.6:
        _strewn(canvas, masks, rng)
    if rng.random() < 0.5:
        ring = rng.uniform(0, 1, (int(rng.integers(3, 9)), 2)) * size[::-1]
        cv2.fillPoly(canvas, [ring.astype(np.int32)], paint(rng))
    if rng.random() < 0.3:
        middle = (size[1] // 2, int(size[0] * rng.uniform(0.3, 0.7)))
        axes = (int(size[1] * rng.uniform(0.1, 0.4)), int(size[0] * rng.uniform(0.08, 0.3)))
        cv2.ellipse(canvas, middle, axes, 0, 0, 360, paint(rng), int(rng.choice([-1, 3, 8])))
    if rng.random() < 0.5:
        canvas[size[0] // 2 :] = canvas[: size[0] // 2][::-1, ::-1]
    return np.ascontiguousarray(canvas)


def places(count: int, rng: np.random.Generator) -> Places:
    """Where so many pips sit if not where they usually do: in rows, or strewn."""
    if rng.random() < 0.6:
        rows = int(rng.integers(2, 6))
        across = [count // rows + (k < count % rows) for k in range(rows)]
        rng.shuffle(across)
        return tuple(
            ((k + 0.5) / n if n > 1 else 0.5, (row + 0.5) / rows)
            for row, n in enumerate(across)
            for k in range(n)
        )
    taken: list[tuple[float, float]] = []
    for _ in range(400):
        x, y = (float(v) for v in rng.uniform(-0.1, 1.1, 2))
        if all((x - a) ** 2 + (1.9 * (y - b)) ** 2 > 0.16 for a, b in taken):
            taken.append((x, y))
        if len(taken) == count:
            break
    return tuple(taken)
