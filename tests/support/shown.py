"""Cards with patterns instead of pips, pictures of them, and a reader that knows the patterns.

What enrolment does must not hang on how good the nets are today, so its tests show cards that can
be told apart for certain, and say themselves what the general reader takes them for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN
from vision.prototypes import FACES
from vision.reader import Crop, Reader, Votes
from vision.synthetic.deck import corner_mask

SIZE: Final = (240, 300)
"""Height and width of a picture."""
FELT: Final = (58, 96, 26)
GRID: Final = (9, 6)
"""Blocks of a pattern, down and across."""
WIDE: Final = 100.0
LOUD: Final = 12.0
"""A logit that leaves no doubt."""
STRANGER: Final = "other"
"""A card of no deck."""
TWIN: Final = {"QD": "QH"}
"""The first is printed like the second but for two blocks, where twins are wanted."""
CODES: Final = (*FACES, HIDDEN, STRANGER)


@cache
def blocks(code: str, *, twin: bool = False) -> NDArray[np.float32]:
    """The pattern of a code: 0 and 1."""
    if twin and code in TWIN:
        pattern = blocks(TWIN[code]).copy()
        pattern[0, 0] = 1 - pattern[0, 0]
        return pattern
    rng = np.random.default_rng(100 + CODES.index(code))
    return (rng.random(GRID) < 0.5).astype(np.float32)


@cache
def card(code: str, *, twin: bool = False) -> NDArray[np.uint8]:
    """The printed card of 126 by 176."""
    face = np.full((176, 126, 3), (240, 244, 245), np.uint8)
    if code == CUT:
        face[:] = (30, 200, 246)
        return face
    inside = cv2.resize(blocks(code, twin=twin), (102, 152), interpolation=cv2.INTER_NEAREST)
    face[12:164, 12:114] = np.where(inside[..., None] > 0.5, (190, 60, 40), (240, 244, 245))
    return face


def picture(
    *codes: str, turn: float = 8.0, wide: float = WIDE, twin: bool = False, x: float = 0.0
) -> NDArray[np.uint8]:
    """A felt with these cards side by side, turned by so many degrees; none for an empty felt."""
    size = (SIZE[0], SIZE[1] * max(1, len(codes)))
    noise = np.random.default_rng(1).normal(0, 2, (*size, 3))
    out = (np.asarray(FELT) + noise).astype(np.float32)
    for number, code in enumerate(codes):
        face = card(code, twin=twin)
        centre = (face.shape[1] / 2, face.shape[0] / 2)
        matrix = cv2.getRotationMatrix2D(centre, -turn, wide / face.shape[1])
        middle = (SIZE[1] * (number + 0.5) + x, SIZE[0] / 2)
        matrix[:, 2] += np.asarray(middle) - centre
        seen = np.asarray(cv2.warpAffine(face, matrix, size[::-1]), np.float32)
        mask = np.asarray(cv2.resize(corner_mask(), face.shape[1::-1]), np.float32)
        cover = np.asarray(cv2.warpAffine(mask, matrix, size[::-1]), np.float32)[..., None]
        out = out * (1 - cover) + seen * cover
    return np.asarray(np.clip(cv2.GaussianBlur(out, (0, 0), 0.6), 0, 255), np.uint8)


class PatternedReader(Reader):
    """The reader with its nets replaced by a look at the patterns.

    `taken_for` makes it take cards for others, as a general reader does with odd designs; `unsure`
    makes it doubt some.
    """

    def __init__(
        self, taken_for: Mapping[str, str] | None = None, unsure: Sequence[str] = ()
    ) -> None:
        super().__init__()
        self.taken_for = dict(taken_for or {})
        self.unsure = set(unsure)
        self._known = np.stack([blocks(code).ravel() - 0.5 for code in CODES])
        mix = np.random.default_rng(5).normal(0, 1, (GRID[0] * GRID[1], 128))
        self._mix = mix.astype(np.float32)

    def _look(self, crop: Crop) -> tuple[str, NDArray[np.float32]]:
        """The code that a crop resembles most, and its blocks; empty for what is no pattern."""
        grey = crop[..., 2].astype(np.float32)
        small = cv2.resize(grey[12:164, 12:114], GRID[::-1], interpolation=cv2.INTER_AREA)
        middle = crop[40:-40, 30:-30].reshape(-1, 3).astype(float).mean(axis=0)
        if middle[2] > 1.5 * middle[0] and middle[1] > 1.3 * middle[0]:
            return CUT, np.zeros(self._known.shape[1], np.float32)
        if float(small.std()) < 12:
            return "", np.zeros(self._known.shape[1], np.float32)
        dark = (small.mean() - small).ravel() / max(1.0, float(small.std()))
        scores = self._known @ dark
        way = self._known @ dark[::-1]
        best = int(np.maximum(scores, way).argmax())
        sure = float(max(scores[best], way[best])) > 0.5 * len(dark) / 2
        return (CODES[best] if sure else ""), np.asarray(dark, np.float32)

    def votes(self, crops: Sequence[Crop], *, again: bool = False) -> Votes:
        """What the patterns say, in the form of the nets' votes; a second look says the same."""
        del again
        w = np.zeros((len(crops), 22), np.float32)
        i = np.zeros((len(crops), 2, 18), np.float32)
        w_hidden = np.zeros((len(crops), 128), np.float32)
        i_hidden = np.zeros((len(crops), 2, 128), np.float32)
        for at, crop in enumerate(crops):
            code, dark = self._look(crop)
            w_hidden[at] = i_hidden[at, 0] = np.maximum(dark @ self._mix, 0) + 0.01
            i_hidden[at, 1] = np.maximum(dark[::-1] @ self._mix, 0) + 0.01
            said = self.taken_for.get(code, code)
            i[at, :, 17] = LOUD if said in FACES else -LOUD
            if said not in FACES:
                w[at, 17 + {HIDDEN: 1, CUT: 2}.get(said, 3)] = LOUD
                continue
            loud = 4.0 if code in self.unsure else LOUD * 3
            rank, suit = "A23456789TJQK".index(said[0]), "CDHS".index(said[1])
            w[at, rank] = w[at, 13 + suit] = loud
            i[at, :, rank] = i[at, :, 13 + suit] = loud
            w[at, 17] = LOUD
        return Votes(w=w, i=i, w_hidden=w_hidden, i_hidden=i_hidden)
