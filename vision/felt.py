"""The empty felt, to which everything is compared: learnt from the first frames of a camera."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.assemble import index_of
from vision.layout import Layout, Zone
from vision.locate import (
    SIZE_TOLERANCE,
    SPECK_MM2,
    Image,
    Quad,
    Window,
    card_sized,
    order,
    rectify,
    refine,
    window,
)
from vision.placed import LEAST_INDEX_MM, MOST_INDEX_MM, FindsCorners
from vision.reader import CardKind
from vision.settle import AGAINST
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
PLAIN: Final = 8.0
"""Grey levels (one sigma) by which the colour of a plain patch varies; print is far above."""
RIM_PX: Final = 16
"""The rim of a crop of 126 by 176 that may show what lies beside the patch."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thing:
    """What stands out from the felt of a zone at the first look."""

    where: Window
    colour: Colour
    """Of the felt around it."""
    points: Quad
    """Its outline in pixels of the frame, shape (n, 2)."""
    quad: Quad | None
    """Four corners where it has a card's size; None if it is larger or smaller."""


def without_cards(
    felt: Image, layout: Layout, reader: Reads, corners: FindsCorners | None = None
) -> Image:
    """The felt as if no card lay on it.

    A camera may be started while cards lie on the table. What has a card's size and is printed, and
    what larger thing shows an index, is painted over with the colour of its zone, so that it
    differs from the empty felt and is told: as a card, or as something that is not known. Only a
    plain patch that is read as no card stays part of the felt.
    """
    things = [
        thing
        for where in (window(layout, zone) for zone in layout.zones if zone.slots)
        for thing in _standing_out(layout, where, felt)
    ]
    sized = [(thing, thing.quad) for thing in things if thing.quad is not None]
    readings = reader.read([rectify(felt, quad) for _, quad in sized])
    painted = felt.copy()
    for (thing, quad), reading in zip(sized, readings, strict=True):
        if reading.kind is not CardKind.OTHER or not _plain(rectify(felt, quad)):
            _paint(painted, thing, quad)
    for thing in things:
        if thing.quad is None and corners is not None and _indexed(layout, felt, thing, corners):
            _paint(painted, thing, thing.points)
    return painted


def _plain(crop: Image) -> bool:
    """Whether nothing is printed on what was cut out."""
    inner = crop[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX].reshape(-1, 3)
    return bool(inner.std(axis=0).max() < PLAIN)


def _paint(painted: Image, thing: _Thing, points: Quad) -> None:
    """Paint a thing over with the colour of the felt around it."""
    covered = np.zeros(painted.shape[:2], dtype=np.uint8)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    grown = hull + (hull - hull.mean(axis=0)) * COVER
    cv2.fillPoly(covered, [np.rint(grown).astype(np.int32)], (255,))
    thing.where.cut(painted)[thing.where.cut(covered) > 0] = thing.colour


def _indexed(layout: Layout, felt: Image, thing: _Thing, corners: FindsCorners) -> bool:
    """Whether an index can be read on a thing: cards that touch or overlap."""
    low = np.maximum(np.floor(thing.points.min(axis=0)).astype(int) - 2, 0)
    high = np.ceil(thing.points.max(axis=0)).astype(int) + 3
    patch = np.ascontiguousarray(felt[low[1] : high[1], low[0] : high[0]])
    ends = layout.to_mm([low, (high[0], low[1])])
    scale = (high[0] - low[0]) / max(1.0, float(np.hypot(*(ends[1] - ends[0]))))
    found = corners.find(patch, least=LEAST_INDEX_MM * scale, most=MOST_INDEX_MM * scale)
    read = (
        index_of(corner, vote, corners.temperature)
        for corner, vote in zip(found, corners.read(patch, found), strict=True)
    )
    return any(index is not None and index.confidence * index.there >= AGAINST for index in read)


def _standing_out(layout: Layout, where: Window, felt: Image) -> Iterator[_Thing]:
    """What differs in a zone from the colour of its felt and is no thin line."""
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
        points = (outline.reshape(-1, 2) + np.asarray((where.x0, where.y0))).astype(np.float64)
        if cv2.contourArea(outline) < SPECK_MM2 * scale**2:
            continue
        box = cv2.boxPoints(cv2.minAreaRect(points.astype(np.float32)))
        quad = order(np.asarray(box, dtype=np.float64))
        if card_sized(layout, quad, ROUGHLY):
            fitted = refine(felt, quad)
            if fitted is not None and card_sized(layout, fitted, SIZE_TOLERANCE):
                quad = fitted
            yield _Thing(where=where, colour=colour, points=points, quad=quad)
        else:
            yield _Thing(where=where, colour=colour, points=points, quad=None)


def _commonest(pixels: Image) -> Colour:
    """The colour that most pixels are near to: the mean of the fullest cell of colours."""
    cells = (pixels >> 5).astype(np.int32) @ np.asarray((64, 8, 1))
    fullest = int(np.bincount(cells, minlength=512).argmax())
    return np.asarray(np.rint(pixels[cells == fullest].mean(axis=0)), dtype=np.uint8)


def _area_mm2(zone: Zone) -> float:
    """Area of a zone on the felt."""
    return float(cv2.contourArea(np.asarray(zone.polygon_mm, dtype=np.float32)))
