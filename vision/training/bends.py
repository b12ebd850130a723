"""Letters and suits bent or hollowed, for training only: other fonts and shapes than there are."""

from typing import Final

import cv2
import numpy as np

from vision.training.glyphs import Mask, trim

HOLLOW: Final = 0.04
"""Share of letters and suits of which the outline alone is printed."""
_KNOTS: Final = 4
"""Knots a side of the net by which a mask is bent."""


def bent(mask: Mask, rng: np.random.Generator, most: float = 0.07) -> Mask:
    """A mask pushed about smoothly by up to so much of its size, its waist higher or lower."""
    high, wide = mask.shape
    if min(high, wide) < 12:
        return mask
    edge = max(6, int(most * 1.6 * max(high, wide)))
    padded = cv2.copyMakeBorder(mask, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=0)
    tall, broad = padded.shape
    push = rng.uniform(-most, most, (2, _KNOTS, _KNOTS)).astype(np.float32)
    dx, dy = (cv2.resize(way, (broad, tall), interpolation=cv2.INTER_CUBIC) for way in push)
    y, x = np.mgrid[0:tall, 0:broad].astype(np.float32)
    power = float(rng.uniform(0.8, 1.25))
    share = np.clip((y - edge) / max(1, high - 1), 0, 1)
    inside = (y >= edge) & (y < edge + high)
    y = np.where(inside, share**power * (high - 1) + edge, y).astype(np.float32)
    out = cv2.remap(padded, x + dx * wide, y + dy * high, cv2.INTER_LINEAR)
    return trim(np.asarray(out, np.uint8))


def hollow(mask: Mask, rng: np.random.Generator) -> Mask:
    """The outline of a mask alone."""
    thick = max(3, int(min(mask.shape) * rng.uniform(0.07, 0.12)))
    kernel = np.ones((thick, thick), np.uint8)
    return np.asarray(mask - cv2.erode(mask, kernel, borderValue=0), np.uint8)
