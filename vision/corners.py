"""Finds index corners in any picture and reads each of them, turned upright.

Two nets: D finds corners without naming them (position, turn, height), J reads one corner that was
cut out by D's pose: rank, suit, and whether a readable index is there at all. J was trained with
D's own errors, and with everything that D takes for an index by mistake as "not there": pips,
courts, print on the felt, foreign indices, an index upside down (or a six would be a nine). How
they were made and how often they are wrong: docs/vision/corners.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import weights
from vision.weights import MODELS

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

WINDOW: Final = (48, 32)
"""Height and width in pixels of what J is given."""
BOX: Final = (30, 34)
"""Width and height that an index has at the most in J's window."""
STRIDE: Final = 4
"""D answers once for so many pixels each way."""
UNIT: Final = 24.0
"""D's heights are powers of e of this many pixels."""
SHARP: Final = 40.0
"""A corner higher than this is made smaller before it is cut out, so that J sees no aliasing."""
FROM: Final = 9.0
"""D is at home with indices from this many pixels high …"""
TO: Final = 38.0
"""… to this many; other heights are looked for in a smaller picture."""
TILE: Final = 640
"""A larger picture is looked at in tiles of this side, so that memory stays small."""
OVERLAP: Final = 80
"""Neighbouring tiles share so many pixels; more than the largest index of a level."""
RIM: Final = 28
"""What stands nearer to an inner edge of a tile is left to the neighbour."""
NEAR: Final = 0.35
"""Of two corners nearer than so many heights the surer one stays."""
MOST: Final = 400
"""No more corners are kept of one picture, the surest of all."""
BATCH: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Corner:
    """An index corner that was found."""

    x: float
    y: float
    """Middle of the index, rank over suit, in pixels (0 is the middle of the first pixel)."""
    angle: float
    """Radians by which the upright index is turned clockwise, -pi to pi."""
    high: float
    """Height of the index in pixels, rank and suit together; where rank and suit stand side by
    side, the height of an upright box of 30 by 34 that holds them."""
    score: float
    """How surely an index is there, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexVote:
    """What J says of one corner."""

    ranks: NDArray[np.float32]
    """(13,): logits, ordered A 2 3 4 5 6 7 8 9 T J Q K; divide by `Corners.temperature`."""
    suits: NDArray[np.float32]
    """(4,): logits, ordered C D H S; divide by `Corners.temperature`."""
    there: float
    """Probability that a readable index of a standard card is there, upright, 0 to 1."""
    hidden: NDArray[np.float32]
    """(80,): the features from which J answers, for an enrolled deck."""


def levels(least: float, most: float) -> list[float]:
    """By how much a picture is scaled so that indices of these heights in pixels are all found."""
    scale = min(1.0, FROM / max(least, 1.0))
    scales = [scale]
    while most * scale > TO:
        scale /= 2
        scales.append(scale)
    return scales


def upright(image: Image, corner: Corner) -> Image:
    """The corner turned upright, its index 34 pixels high, as J takes it: bytes (48, 32, 3)."""
    x, y, high = corner.x, corner.y, max(corner.high, 2.0)
    if high > SHARP:
        reach = int(high) + 2
        x0, y0 = max(int(x) - reach, 0), max(int(y) - reach, 0)
        part = image[y0 : int(y) + reach + 1, x0 : int(x) + reach + 1]
        if part.size:
            scale = SHARP / high
            size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
            rx, ry = size[0] / part.shape[1], size[1] / part.shape[0]
            image = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
            x, y = (x - x0 + 0.5) * rx - 0.5, (y - y0 + 0.5) * ry - 0.5
            high *= (rx + ry) / 2
    k = BOX[1] / high
    c, s = k * float(np.cos(corner.angle)), k * float(np.sin(corner.angle))
    tall, wide = WINDOW
    to = np.array(
        [
            [c, s, (wide - 1) / 2 - c * x - s * y],
            [-s, c, (tall - 1) / 2 + s * x - c * y],
        ]
    )
    out = cv2.warpAffine(
        image, to, (wide, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(out, np.uint8)


def apart(found: Sequence[Corner]) -> list[Corner]:
    """The surest of corners that lie on top of each other, the surest first."""
    order = sorted(found, key=lambda corner: -corner.score)[: 4 * MOST]
    if not order:
        return []
    table = np.array([(corner.x, corner.y, corner.high) for corner in order])
    open_ = np.ones(len(order), np.bool_)
    kept: list[Corner] = []
    for at, corner in enumerate(order):
        if not open_[at]:
            continue
        kept.append(corner)
        if len(kept) == MOST:
            break
        away = np.hypot(table[:, 0] - corner.x, table[:, 1] - corner.y)
        open_ &= away > NEAR * np.maximum(table[:, 2], corner.high)
    return kept


def _tiles(length: int) -> list[tuple[int, int]]:
    """Where tiles begin and end along one side."""
    if length <= TILE + OVERLAP:
        return [(0, length)]
    count = -(-(length - OVERLAP) // (TILE - OVERLAP))
    starts = np.linspace(0, length - TILE, count).astype(int)
    return [(int(start), int(start) + TILE) for start in starts]


class Corners:
    """The finder and reader of index corners. One per thread: nets keep their working memory."""

    def __init__(self, folder: Path = MODELS) -> None:
        """Load and check the weights.

        Raises:
            ModelsUnfit: a file is missing, is not the one that corners.json names, or is of
                another format.
        """
        about = weights.described(folder, "corners.json")
        self._hashes = [str(about["nets"][name]["sha256"]) for name in ("d", "j")]
        self._d = weights.net(folder, about["nets"]["d"])
        self._j = weights.net(folder, about["nets"]["j"])
        self._least_score = float(about["limits"]["score"])
        self.temperature = float(about["limits"]["temperature"])
        """Divides J's logits before they are made probabilities; fitted on unseen designs."""

    @property
    def version(self) -> str:
        """Short name of these weights, for evidence: the first 12 digits of their hashes."""
        return "".join(digits[:6] for digits in self._hashes)

    def find(self, image: Image, *, least: float = 8, most: float = 90) -> list[Corner]:
        """Index corners between `least` and `most` pixels high, the surest first.

        The picture may have any size; colours blue first. Few heights cost less: one level up to
        about four times `least`.
        """
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise ValueError(f"a picture is {image.shape}: give bytes of shape (high, wide, 3)")
        found: list[Corner] = []
        for scale in levels(least, most):
            wide, high = round(image.shape[1] * scale), round(image.shape[0] * scale)
            if min(wide, high) < STRIDE:
                continue
            size = (wide, high)
            small = image if scale == 1 else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
            rx, ry = wide / image.shape[1], high / image.shape[0]
            for corner in self._level(np.asarray(small, np.uint8)):
                tall = corner.high / rx
                if 0.85 * least <= tall <= 1.15 * most:
                    x, y = (corner.x + 0.5) / rx - 0.5, (corner.y + 0.5) / ry - 0.5
                    found.append(
                        Corner(x=x, y=y, angle=corner.angle, high=tall, score=corner.score)
                    )
        return apart(found)

    def read(self, image: Image, corners: Sequence[Corner]) -> list[IndexVote]:
        """What J says of corners found in this picture, in their order."""
        out: list[IndexVote] = []
        for start in range(0, len(corners), BATCH):
            some = [upright(image, corner) for corner in corners[start : start + BATCH]]
            logits, hidden = weights.run(self._j, some)
            out += [
                IndexVote(
                    ranks=row[:13], suits=row[13:17],
                    there=float(1 / (1 + np.exp(-np.clip(row[17], -30, 30)))), hidden=features,
                )
                for row, features in zip(logits, hidden, strict=True)
            ]  # fmt: skip
        return out

    def _level(self, picture: Image) -> Iterator[Corner]:
        high, wide = picture.shape[:2]
        for top, bottom in _tiles(high):
            for left, right in _tiles(wide):
                tile = picture[top:bottom, left:right]
                low = (RIM if left else -1, RIM if top else -1)
                end = (
                    right - left - RIM if right < wide else right - left + 1,
                    bottom - top - RIM if bottom < high else bottom - top + 1,
                )
                for corner in self._tile(tile):
                    if low[0] <= corner.x < end[0] and low[1] <= corner.y < end[1]:
                        yield Corner(
                            x=corner.x + left, y=corner.y + top, angle=corner.angle,
                            high=corner.high, score=corner.score,
                        )  # fmt: skip

    def _tile(self, picture: Image) -> list[Corner]:
        """Peaks of D's answer; its heights are those of this level."""
        return peaks(self.answer(picture), self._least_score)

    def answer(self, picture: Image) -> NDArray[np.float32]:
        """What D says of a picture as it is, (6, high / 4, wide / 4): see `peaks`."""
        high, wide = picture.shape[:2]
        more = ((-high) % 8, (-wide) % 8)
        if any(more):
            picture = np.asarray(
                cv2.copyMakeBorder(picture, 0, more[0], 0, more[1], cv2.BORDER_REPLICATE), np.uint8
            )
        (answer,) = weights.run(self._d, [picture], ("map",))
        return np.asarray(answer[0], np.float32)


def peaks(answer: NDArray[np.float32], least: float) -> list[Corner]:
    """Corners in D's answer (6, high / 4, wide / 4): score, offset, cosine and sine, log height."""
    heat = answer[0]
    limit = float(np.log(least / (1 - least)))
    top = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= top) & (heat > limit))
    values = _around(answer.astype(np.float64), rows, columns)
    scores = 1 / (1 + np.exp(-np.clip(values[0], -30, 30)))
    x, y = (columns + values[1]) * STRIDE, (rows + values[2]) * STRIDE
    angles = np.arctan2(values[4], values[3])
    heights = UNIT * np.exp(np.clip(values[5], -2.5, 2.5))
    return [
        Corner(x=a, y=b, angle=angle, high=tall, score=score)
        for a, b, angle, tall, score in np.column_stack([x, y, angles, heights, scores]).tolist()
    ]


def _around(answer: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Floats:
    """D's values at cells: the score as it is, the pose as the cells around say it together."""
    high, wide = answer.shape[1:]
    total = np.zeros((6, len(rows)))
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            y, x = np.clip(rows + down, 0, high - 1), np.clip(columns + right, 0, wide - 1)
            some = answer[:, y, x]
            share = 1 / (1 + np.exp(-np.clip(some[0], -30, 30)))
            some[1] += x - columns
            some[2] += y - rows
            some[0] = 1
            total += some * share
    total[1:] /= total[0]
    total[0] = answer[0, rows, columns]
    return total
