"""The empty felt, to which everything is compared: learnt from the first frames of a camera."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout, Zone
from vision.locate import (
    SIZE_TOLERANCE,
    Image,
    Quad,
    Window,
    card_sized,
    order,
    rectify,
    refine,
    window,
)
from vision.reader import CardKind
from vision.tableview import Reads

LEARN_FRAMES: Final = 3
"""Frames that are averaged to learn the empty felt."""
COVER: Final = 0.08
"""A card that lies there meanwhile is painted over with this part more at each side."""
ROUGHLY: Final = 0.15
"""Before its edges are measured, an outline's sides may differ by so much from a card's."""
APART: Final = 40
"""A pixel that differs by so much in a colour from its zone's felt may be a card's."""
PRINT_MM: Final = 7.0
"""Lines and letters on the felt are thinner than this."""

Colour = NDArray[np.uint8]


class Learning:
    """Averages the first different frames. One of them alone would keep its noise."""

    def __init__(self) -> None:
        self._frames: list[Image] = []

    def add(self, image: Image) -> Image | None:
        """Take a frame; the mean of all once there are enough."""
        if self._frames and np.array_equal(image[::7, ::5], self._frames[-1][::7, ::5]):
            return None
        self._frames.append(image)
        if len(self._frames) < LEARN_FRAMES:
            return None
        mean = np.mean(np.asarray(self._frames, dtype=np.float32), axis=0)
        self._frames = []
        return np.asarray(np.rint(mean), dtype=np.uint8)


def without_cards(felt: Image, layout: Layout, reader: Reads) -> Image:
    """The felt as if no card lay on it.

    A camera may be started while cards lie on the table. What is surely a card is painted over with
    the colour of its zone, so that it differs from the empty felt and is seen.
    """
    found = [
        (where, colour, quad)
        for where in (window(layout, zone) for zone in layout.zones if zone.slots)
        for colour, quad in _standing_out(layout, where, felt)
    ]
    readings = reader.read([rectify(felt, quad) for _, _, quad in found])
    painted = felt.copy()
    for (where, colour, quad), reading in zip(found, readings, strict=True):
        if not reading.sure or reading.kind is CardKind.OTHER:
            continue
        covered = np.zeros(felt.shape[:2], dtype=np.uint8)
        grown = quad + (quad - quad.mean(axis=0)) * COVER
        cv2.fillPoly(covered, [np.rint(grown).astype(np.int32)], (255,))
        where.cut(painted)[where.cut(covered) > 0] = colour
    return painted


def _standing_out(layout: Layout, where: Window, felt: Image) -> Iterator[tuple[Colour, Quad]]:
    """Outlines of a card's size in a zone, with the colour of the felt around them."""
    view = where.cut(felt)
    inside = np.zeros(felt.shape[:2], dtype=np.uint8)
    corners = np.rint(layout.to_pixels(where.zone.polygon_mm)).astype(np.int32)
    cv2.fillPoly(inside, [corners], (255,))
    within = where.cut(inside) > 0
    if not within.any():
        return
    # Cards may cover half of a zone: the felt's colour is that which most pixels are near to.
    colour = _commonest(view[within])
    apart = cv2.absdiff(view, np.broadcast_to(colour, view.shape).copy()).max(axis=2)
    mask = ((apart > APART) & within).astype(np.uint8)
    scale = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / _area_mm2(where.zone)))
    side = max(3, round(PRINT_MM * scale))
    # Print on the felt is thin, and so is what a card's own print cuts out of it at its rim.
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((side, side), dtype=np.uint8))
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        points = (outline.reshape(-1, 2) + np.asarray((where.x0, where.y0))).astype(np.float32)
        quad = order(np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), dtype=np.float64))
        if card_sized(layout, quad, ROUGHLY):
            fitted = refine(felt, quad)
            if fitted is not None and card_sized(layout, fitted, SIZE_TOLERANCE):
                yield colour, fitted


def _commonest(pixels: Image) -> Colour:
    """The colour that most pixels are near to: the mean of the fullest cell of colours."""
    cells = (pixels >> 5).astype(np.int32) @ np.asarray((64, 8, 1))
    fullest = int(np.bincount(cells, minlength=512).argmax())
    return np.asarray(np.rint(pixels[cells == fullest].mean(axis=0)), dtype=np.uint8)


def _area_mm2(zone: Zone) -> float:
    """Area of a zone on the felt."""
    return float(cv2.contourArea(np.asarray(zone.polygon_mm, dtype=np.float32)))
