"""What is covered at one end of a card can be seen at its other end.

Cards are printed alike both ways up. Where others lie on a card, the reader of whole cards sees
pieces of theirs; it is given the card's own other half, turned, as far as that lies free.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import Corner
from vision.locate import CROP, Image, Quad
from vision.placed import Placed

Flags = NDArray[np.bool_]

RIM: Final = 3
"""Pixels of the crop, half a millimetre each, by which what lies on a card counts as larger."""


def covered_part(
    quad: Quad, placed: Placed, own: Sequence[Corner], others: Sequence[tuple[Quad, Placed]]
) -> Flags:
    """Which pixels of a card's crop others may lie on: bool, shape `CROP`.

    `quad`, the corners of the `others`, and the indices that show on the card (`own`) are in pixels
    of the zone's window. What lies on a known card is known. Of one that nobody saw dealt its index
    tells: where it shows within the outline of another card, it is on top of that one.
    """
    high, wide = CROP
    cells = placed.hidden.astype(np.uint8)
    hidden = cv2.resize(cells, (wide, high), interpolation=cv2.INTER_NEAREST)
    if not placed.track:
        target = np.asarray([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
        for other, card in others:
            if _shows_in(own, other) and not _shows_in(card.indices, quad):
                continue
            corners = cv2.perspectiveTransform(other.astype(np.float32)[None], matrix)[0]
            cv2.fillConvexPoly(hidden, np.rint(corners).astype(np.int32), (1,))
    kernel = np.ones((2 * RIM + 1, 2 * RIM + 1), dtype=np.uint8)
    return np.asarray(cv2.dilate(hidden, kernel) > 0, dtype=np.bool_)


def _shows_in(indices: Sequence[Corner], quad: Quad) -> bool:
    """Whether the middle of one of some indices lies within four corners."""
    outline = quad.astype(np.float32)[:, None]
    return any(
        cv2.pointPolygonTest(outline, (index.x, index.y), False) >= 0  # noqa: FBT003
        for index in indices
    )


def filled(crop: Image, hidden: Flags) -> Image:
    """A crop whose hidden pixels are those of its other half, as far as these can be seen."""
    turned = hidden & ~hidden[::-1, ::-1]
    out = crop.copy()
    out[turned] = crop[::-1, ::-1][turned]
    return out
