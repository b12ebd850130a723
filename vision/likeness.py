"""How much more a crop is like one picture of the deck than like another: the third witness.

The nets see a card through what they learned from other designs. Where two cards of a deck lie
near each other in those features, the deck's own pictures, kept since enrolment, still differ in
plain pixels. Crop and pictures are brought to evening light, and each part of the card may lie a
little beside its place, as corners are never found exactly. How much worse the rival's picture
fits than the claimed card's is counted in how much the two pictures differ from each other, so
both are treated alike and the middle is no card's.

Nothing here knows a card's name; `vision.deck` decides. Figures: `docs/vision/enrolment.md`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader import Crop

SIZE: Final = (88, 63)
"""Height and width at which pictures are compared: a pixel a millimetre."""
SOFT: Final = 1.2
"""One sigma of the blur before that, in pixels of the crop: no two looks are equally sharp."""
SHIFT: Final = 2
"""A part of the card may lie so many millimetres beside its place, each way."""
PARTS: Final = (6, 4)
"""Parts of the card, down and across, each with a shift of its own."""
EDGE: Final = 3
"""So many millimetres at the card's edge are not looked at: felt and shadow lie there."""
TELLING: Final = 0.02
"""A part is looked at if it has at least this share of what two pictures differ by."""
PLAIN: Final = 0.5
"""And at least this sum of squared differences, of paper to ink: less is grain and focus."""
WHITE: Final = 13
"""Millimetres around a point in which the paper's white is looked for; odd."""
DARK: Final = 12.0
"""Paper is at least so light, in grey levels: what is darker shows nothing."""
LIGHTEST: Final = 1.2
"""Nothing counts as lighter than so many times the paper."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """How like a crop is to the picture of the card that it is claimed to be."""

    same: float
    """Its correlation with that picture, −1 to 1."""
    margin: float
    """How far it lies on that card's side against the worst rival, as a share of the way between
    their pictures: about 0.5 at its own picture, 0 in the middle, −0.5 at the rival's."""
    grains: float
    """The least of the same in sigmas of what grain, blur and light do to it."""
    stray: float
    """The most that it differs from the claimed picture where a rival's does, in units of how
    much the rival's does: squared, 0 at the picture, 1 as far away as the rival."""


class Pictures:
    """The pictures of one deck, evened when first asked about. For one thread."""

    def __init__(self, shown: Callable[[str], Crop | None]) -> None:
        """`shown` gives the picture that was kept of a code, None where there is none."""
        self._shown = shown
        self._evened: dict[str, Floats | None] = {}

    def compared(self, crop: Crop, claimed: str, rivals: Sequence[str]) -> Likeness | None:
        """Lay a crop, either way up, beside the claimed card's picture and those of its rivals.

        None without a rival, or where a picture is missing. About 3 ms, and 3 to 5 ms for each
        rival, on one core.
        """
        own, others = self._picture(claimed), [self._picture(code) for code in rivals]
        if own is None or not rivals:
            return None
        seen, same = upright(evened(crop), own)
        off = unlike(seen, own)
        noise = max(float(off.sum()) / (SIZE[0] * SIZE[1]), 1e-9)
        margin, grains, stray = np.inf, np.inf, 0.0
        for other in others:
            if other is None:
                return None
            rival, _ = upright(other, seen)
            between = unlike(own, rival)
            telling = (between >= TELLING * between.sum()) & (between >= PLAIN)
            way = max(float(between[telling].sum()), 1e-6)
            nearer = float((unlike(seen, rival) - off)[telling].sum()) / 2
            margin = min(margin, nearer / way)
            grains = min(grains, nearer / float(np.sqrt(way * noise)))
            stray = max(stray, float(off[telling].sum()) / way)
        return Likeness(same=same, margin=margin, grains=grains, stray=stray)

    def _picture(self, code: str) -> Floats | None:
        """The picture of a code in evening light."""
        if code not in self._evened:
            crop = self._shown(code)
            self._evened[code] = None if crop is None else evened(crop)
        return self._evened[code]


def evened(crop: Crop) -> Floats:
    """A crop in evening light, (88, 63, 3): paper is about 1, whatever lamp shines on it."""
    soft = cv2.GaussianBlur(crop, (0, 0), SOFT)
    small = cv2.resize(soft, SIZE[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    light = cv2.dilate(small, np.ones((WHITE, WHITE), np.uint8))
    light = cv2.blur(light, (2 * WHITE + 1, 2 * WHITE + 1))
    return np.asarray(np.minimum(small / np.maximum(light, DARK), LIGHTEST), np.float32)


def upright(seen: Floats, picture: Floats) -> tuple[Floats, float]:
    """An evened picture the way up in which it is more like another one, and how like."""
    turned = np.ascontiguousarray(seen[::-1, ::-1])
    same, other = correlation(seen, picture), correlation(turned, picture)
    return (turned, other) if other > same else (seen, same)


def correlation(seen: Floats, picture: Floats) -> float:
    """How like two evened pictures are in all, −1 to 1, at the shift that fits best."""
    inner = np.ascontiguousarray(seen[EDGE:-EDGE, EDGE:-EDGE])
    return float(cv2.matchTemplate(picture, inner, cv2.TM_CCOEFF_NORMED).max())


def unlike(seen: Floats, picture: Floats) -> Floats:
    """Squared differences of two evened pictures by part (6, 4), each part where it fits best."""
    high, wide = SIZE
    around = cv2.copyMakeBorder(picture, *(SHIFT,) * 4, cv2.BORDER_REPLICATE)
    least = np.full(PARTS, np.inf, np.float32)
    for down in range(2 * SHIFT + 1):
        for across in range(2 * SHIFT + 1):
            off = seen - around[down : down + high, across : across + wide]
            squares = np.einsum("ijk,ijk->ij", off, off)
            squares[:EDGE] = squares[-EDGE:] = 0
            squares[:, :EDGE] = squares[:, -EDGE:] = 0
            mean = cv2.resize(squares, PARTS[::-1], interpolation=cv2.INTER_AREA)
            np.minimum(least, mean, out=least)
    return np.asarray(least * (high * wide / (PARTS[0] * PARTS[1])), np.float32)
