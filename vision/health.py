"""Whether a camera sees at all: judged by what it shows, never by what its driver returns.

A camera is fit while new, different, lit, sharp frames arrive that show the felt where it was. Each
fault must last a little before it is told, and so must its end.
"""

import zlib
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.observations import Unfit
from vision.calibration.knock import Watch, features
from vision.layout import Layout, Mark
from vision.locate import Image

FROZEN_S: Final = 1.0
"""Age of the newest different frame at which the picture counts as frozen. A sensor's noise makes
each frame different, so equal frames mean that none is new."""
LOST_S: Final = 1.0
"""Time without any frame at which the camera counts as lost."""
LASTS_S: Final = 0.3
"""A fault seen in the picture, or its end, must last so long."""
CHECK_S: Final = 0.15
"""The felt's marks are compared so often."""
DARK_SHARE: Final = 0.3
"""Darker than this share of the empty felt's light is dark."""
DARK_LEVEL: Final = 16.0
"""Mean grey level that is dark for any table."""
BLUR_SHARE: Final = 0.3
"""The marks' edges have less than this share of their first sharpness."""
KNOCKED_MM: Final = 3.0
"""A mark that moved by more lies wrong."""
REACH_PX: Final = 26
"""A mark is looked for so far from its place."""
MATCH: Final = 0.55
"""Correlation from which on a mark counts as found."""
WANTED_MARKS: Final = 2
REPEATED: Final = 64
"""A frame that equals one of the last so many is none: some drivers give their last few again and
again (opencv issue 25846). Two seconds and more at 30 frames a second."""
BURNT_LEVEL: Final = 250
"""A pixel that is so bright in all colours is burnt out."""
BURNT_SHARE: Final = 0.12
"""If so much more of the felt outside of the zones is burnt out than was, light shines into the
lens or onto the felt."""
BURNT_STEP: Final = 16
"""Each so many-th pixel is looked at."""

TEXTS: Final = {
    Unfit.LOST: "no picture arrives: check the camera's cable and power",
    Unfit.FROZEN: "the picture does not change any more: restart the camera",
    Unfit.DARK: "the picture is dark: check the lamps and the lens cap",
    Unfit.BLUR: "the picture is blurred: clean or focus the lens",
    Unfit.GLARE: "the picture is burnt out: shade the lamp or lower the exposure",
    Unfit.KNOCKED: "the camera was moved: put it back or calibrate again",
}


@dataclass(frozen=True, slots=True)
class Patch:
    """A mark as it looked on the empty felt."""

    x0: int
    y0: int
    template: Image
    sharpness: float


class Health:
    """Watches one camera; `judge` says what is wrong with it now, or nothing."""

    def __init__(self, layout: Layout, empty: Image, now_s: float) -> None:
        self._limit_px = KNOCKED_MM * _scale(layout)
        if len(layout.watch) < WANTED_MARKS:
            # Nothing was chosen to be watched: what stands out on the empty felt is.
            layout = replace(layout, watch=tuple(features(empty, layout)))
        self._patches = [patch for mark in layout.watch if (patch := _patch(layout, mark, empty))]
        self._watch = Watch(layout, empty)
        self._moved = ""
        self._free = _outside(layout)
        self._lit = _light(empty)
        self._burnt = self._burnt_out(empty)
        self._digests: deque[int] = deque(maxlen=REPEATED)
        self._frame_s = now_s
        self._different_s = now_s
        self._checked_s = float("-inf")
        self._suspect: Unfit | None = None
        self._since_s = now_s
        self._seen: Unfit | None = None

    @property
    def different_s(self) -> float:
        """When the newest frame that differed from the one before arrived."""
        return self._different_s

    def frame(self, image: Image, now_s: float) -> bool:
        """Take a frame; whether it differs from the ones before."""
        self._frame_s = now_s
        digest = zlib.crc32(image[::7, ::5].tobytes())
        if digest in self._digests:
            return False
        self._digests.append(digest)
        self._different_s = now_s
        if now_s - self._checked_s >= CHECK_S:
            self._checked_s = now_s
            suspect = self._look(image)
            if suspect is not self._suspect:
                self._suspect, self._since_s = suspect, now_s
        if now_s - self._since_s >= LASTS_S or self._suspect is self._seen:
            if self._suspect is Unfit.KNOCKED and self._seen is not Unfit.KNOCKED:
                self._moved = self._watch.look(image).text
            self._seen = self._suspect
        return True

    def words(self, why: Unfit) -> str:
        """What is wrong and what to do, with how far the felt moved where that is known."""
        if why is Unfit.KNOCKED and self._moved:
            return f"{describe(why)} ({self._moved})"
        return describe(why)

    def judge(self, now_s: float) -> Unfit | None:
        """What is wrong at this moment; the gravest first."""
        if now_s - self._frame_s >= LOST_S:
            return Unfit.LOST
        if now_s - self._different_s >= FROZEN_S:
            return Unfit.FROZEN
        return self._seen

    @property
    def doubtful(self) -> bool:
        """Whether the last look found something wrong that has not lasted long enough to tell."""
        return self._suspect is not None

    def _look(self, image: Image) -> Unfit | None:
        """What this frame by itself seems to suffer from."""
        light = _light(image)
        if light < DARK_LEVEL or light < DARK_SHARE * self._lit:
            return Unfit.DARK
        if self._burnt_out(image) > self._burnt + BURNT_SHARE:
            return Unfit.GLARE
        found = [self._compare(image, patch) for patch in self._patches]
        shifts = [shift for shift, score, _ in found if score >= MATCH]
        sharp = [share for _, score, share in found if score >= 0.3]
        if len(sharp) >= WANTED_MARKS and float(np.median(sharp)) < BLUR_SHARE:
            return Unfit.BLUR
        if len(shifts) >= WANTED_MARKS and float(np.median(shifts)) > self._limit_px:
            return Unfit.KNOCKED
        if len(self._patches) > WANTED_MARKS and not shifts:
            return Unfit.KNOCKED
        return None

    def _burnt_out(self, image: Image) -> float:
        """The share of the felt outside of the zones that shows nothing but white."""
        points = image[::BURNT_STEP, ::BURNT_STEP][self._free]
        return float((points.min(axis=1) >= BURNT_LEVEL).mean()) if len(points) else 0.0

    @staticmethod
    def _compare(image: Image, patch: Patch) -> tuple[float, float, float]:
        """How far a mark moved in pixels, how well it matches, and its share of sharpness."""
        height, width = patch.template.shape
        x0, y0 = max(0, patch.x0 - REACH_PX), max(0, patch.y0 - REACH_PX)
        around = image[y0 : patch.y0 + height + REACH_PX, x0 : patch.x0 + width + REACH_PX, 1]
        scores = cv2.matchTemplate(around, patch.template, cv2.TM_CCOEFF_NORMED)
        _, score, _, (x, y) = cv2.minMaxLoc(scores)
        shift = float(np.hypot(x + x0 - patch.x0, y + y0 - patch.y0))
        there = around[y : y + height, x : x + width]
        return shift, float(score), _sharpness(there) / patch.sharpness


def _scale(layout: Layout) -> float:
    """Pixels to the millimetre in the middle of the felt."""
    middle = layout.to_mm([(layout.image[0] / 2, layout.image[1] / 2)])[0]
    ends = layout.to_pixels([middle, middle + np.asarray((100.0, 0.0))])
    return float(np.hypot(*(ends[1] - ends[0]))) / 100.0


def _outside(layout: Layout) -> NDArray[np.bool_]:
    """Which of each so many-th pixels lie outside of all zones, where no white card lies."""
    mask = np.ones(layout.image[::-1], dtype=np.uint8)
    for zone in layout.zones:
        corners = np.rint(layout.to_pixels(zone.polygon_mm)).astype(np.int32)
        cv2.fillPoly(mask, [corners], (0,))
    return np.asarray(mask[::BURNT_STEP, ::BURNT_STEP] > 0, dtype=np.bool_)


def _light(image: Image) -> float:
    """Mean grey level, from a few pixels."""
    return float(image[::16, ::16].mean())


def _sharpness(patch: NDArray[np.uint8]) -> float:
    """Strength of the edges: variance of the Laplacian, of grey levels scaled to their mean."""
    edges = np.asarray(cv2.Laplacian(cv2.GaussianBlur(patch, (0, 0), 1.0), cv2.CV_32F))
    return max(1e-3, float(edges.var()) / max(1.0, float(patch.mean())) ** 2 * 1e4)


def _patch(layout: Layout, mark: Mark, empty: Image) -> Patch | None:
    """Cut a mark out of the empty felt; None if it lies too near to the rim."""
    half = mark.size_mm / 2
    x, y = mark.at_mm
    corners = layout.to_pixels([(x - half, y - half), (x + half, y + half)])
    (x0, y0), (x1, y1) = np.rint(corners).astype(int)
    if x0 < 0 or y0 < 0 or x1 > layout.image[0] or y1 > layout.image[1]:
        return None
    template = np.ascontiguousarray(empty[y0:y1, x0:x1, 1])
    return Patch(int(x0), int(y0), template, _sharpness(template))


def describe(why: Unfit) -> str:
    """One sentence for people: what is wrong and what to do."""
    return TEXTS.get(why, "the camera does not see as it must")
