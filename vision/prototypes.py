"""What cards look like to the two nets, and how far a crop is from each.

Prototypes are means of features over the variations of one view; distances to them are measured in
sigmas of what those variations do to the features (see `vision.deck`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import HIDDEN
from vision.reader import CARDS, CardKind, Crop, Reader, Reading
from vision.variations import variations

BACK: Final = HIDDEN
JOKER: Final = "JOKER"
FACES: Final = tuple(card.code for card in CARDS)
"""Codes of the 52 faces in the reader's order."""
KIND_PLACES: Final = {CardKind.BACK: 52, CardKind.CUT: 53, CardKind.OTHER: 54}
"""Where the kinds other than a face stand behind the 52 cards in what the reader says."""
SAYS: Final = 55
"""Number of things that the general reader may say: 52 cards, back, cut card, other."""
SHRUNK: Final = 0.1
"""How far the covariance is drawn to the same in all directions."""
SOFTNESS: Final = 40.0
"""What differences of squared distances are divided by before they become a probability."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the prototypes say of one crop."""

    code: str
    """The nearest: a card, ``XX``, ``CUT`` or ``JOKER``."""
    second: str
    """The next one; empty in a deck of one."""
    distance: float
    """Squared distance to the nearest, in sigmas."""
    sigmas: float
    """How far it lies on the nearest one's side of the middle to the worst other one."""
    share: float
    """The same as a share of the way: 1 at the prototype, 0 in the middle."""
    apart: float
    """Sigmas from the nearest prototype to the middle to the one most like it."""
    likely: float
    """Probability of the nearest among the deck's own, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One view of one card, as the nets see it in its variations."""

    crop: Crop
    w: Floats
    """(n, 128): W's features of the variations, of length 1; every second one upside down."""
    i: Floats
    """(n, 2, 128): I's."""
    said: Floats
    """(55,): the share of variations in which the general reader said each thing."""
    sure: Floats
    """(55,): the share in which it was sure of it."""
    plain: int
    """What it was sure of in the view itself, either way up; -1 if of nothing, or of two things."""


def unit(features: NDArray[Any]) -> Floats:
    """The same of length 1."""
    long = np.linalg.norm(features, axis=-1, keepdims=True)
    return np.asarray(features / np.maximum(long, 1e-6), np.float32)


def place_of(reading: Reading) -> int:
    """Where what the general reader said stands among the 55 things it may say."""
    if reading.kind is CardKind.FACE and reading.card is not None:
        return FACES.index(reading.card.code)
    return KIND_PLACES[reading.kind]


def look_at(reader: Reader, crop: Crop) -> Look:
    """Look at one view of a card in its variations; about 70 ms."""
    votes = reader.votes(variations(crop))
    fused = reader.fused(votes)
    said, sure = np.zeros(SAYS, np.float32), np.zeros(SAYS, np.float32)
    readings = [reader.decide(fused, at) for at in range(len(votes.w))]
    for reading in readings:
        said[place_of(reading)] += 1
        sure[place_of(reading)] += reading.sure
    plain = {place_of(reading) for reading in readings[:2] if reading.sure}
    w, i = unit(votes.w_hidden), unit(votes.i_hidden)
    return Look(
        crop=crop,
        w=w,
        i=i,
        said=np.asarray(said / len(w), np.float32),
        sure=np.asarray(sure / len(w), np.float32),
        plain=plain.pop() if len(plain) == 1 else -1,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prototypes:
    """The means of what was shown, m of them, and the scale on which they are compared."""

    codes: tuple[str, ...]
    """Code of each; a back or joker that was shown in several views has several."""
    whole: Floats
    """(m, 2, 128): W's, upright and upside down, in sigmas."""
    index: Floats
    """(m, 128): I's, in sigmas."""
    w_scale: Floats
    """(128, 128): what takes W's features of length 1 to sigmas."""
    i_scale: Floats
    """(128, 128): the same of I's."""

    @classmethod
    def of(cls, shown: Iterable[tuple[str, Look]]) -> "Prototypes":
        """Those of some looks, at least one."""
        pairs = list(shown)
        w = np.stack([look.w for _, look in pairs])
        i = np.stack([look.i.reshape(-1, look.i.shape[-1]) for _, look in pairs])
        ways = np.stack([w[:, 0::2].mean(axis=1), w[:, 1::2].mean(axis=1)], axis=1)
        corners = i.mean(axis=1)
        w_rest = np.concatenate([w[:, way::2] - ways[:, way : way + 1] for way in (0, 1)], axis=1)
        w_scale, i_scale = _scale(w_rest), _scale(i - corners[:, None])
        return cls(
            codes=tuple(code for code, _ in pairs),
            whole=np.asarray(ways @ w_scale, np.float32),
            index=np.asarray(corners @ i_scale, np.float32),
            w_scale=w_scale,
            i_scale=i_scale,
        )

    def distances(self, w: Floats, i: Floats) -> Floats:
        """(n, m): squared distances of n crops' features, (n, 128) and (n, 2, 128) of length 1.

        W's to the nearer way up, and I's of both corners.
        """
        whole = _squares(w @ self.w_scale, self.whole).min(axis=2)
        index = _squares(i @ self.i_scale, self.index).sum(axis=1)
        return np.asarray(whole + index, np.float32)

    def apart(self) -> Floats:
        """(m, m): sigmas from each prototype to the middle between it and each other one.

        Infinite for those of the same code.
        """
        between = _squares(self.whole[:, 0], self.whole).min(axis=2)
        between = between + 2 * _squares(self.index, self.index)
        codes = np.asarray(self.codes)
        between[codes[:, None] == codes[None, :]] = np.inf
        return np.asarray(np.sqrt(between) / 2, np.float32)

    def rivals(self, distances: Floats, apart: Floats, within: float, most: int) -> tuple[str, ...]:
        """Codes that a crop may be mistaken for, nearest to the middle first.

        Those that it is no more than `within` sigmas on the nearest one's side of, at most `most`;
        always the nearest of them. `distances` and `apart` as for `judge`.
        """
        best = int(distances.argmin())
        others = np.flatnonzero(np.asarray(self.codes) != self.codes[best])
        way = np.maximum(1e-3, 2 * apart[best, others].astype(np.float64))
        sigmas = (distances[others] - distances[best]) / (2 * way)
        order = np.argsort(sigmas)
        near = [int(others[at]) for at in order if sigmas[at] <= within or at == order[0]]
        return tuple(dict.fromkeys(self.codes[at] for at in near))[:most]

    def judge(self, distances: Floats, apart: Floats) -> Verdict:
        """What the squared distances (m,) of one crop say, with `apart()`."""
        best = int(distances.argmin())
        code = self.codes[best]
        others = np.flatnonzero(np.asarray(self.codes) != code)
        if not len(others):
            return Verdict(
                code=code, second="", distance=float(distances[best]), sigmas=np.inf, share=1.0,
                apart=np.inf, likely=1.0,
            )  # fmt: skip
        further = (distances[others] - distances[best]).astype(np.float64)
        way = np.maximum(1e-3, 2 * apart[best, others].astype(np.float64))
        powers = np.exp(-further / SOFTNESS)
        return Verdict(
            code=code,
            second=self.codes[others[int(further.argmin())]],
            distance=float(distances[best]),
            sigmas=float((further / (2 * way)).min()),
            share=float((further / way**2).min()),
            apart=float(way.min() / 2),
            likely=float(1 / (1 + powers.sum())),
        )


def _squares(points: NDArray[Any], prototypes: Floats) -> NDArray[np.float64]:
    """Squared distances of points (…, 128) to prototypes (…, 128): shape (…, …)."""
    flat = points.reshape(-1, points.shape[-1]).astype(np.float64)
    other = prototypes.reshape(-1, prototypes.shape[-1]).astype(np.float64)
    squares = (flat**2).sum(axis=1)[:, None] + (other**2).sum(axis=1)[None] - 2 * flat @ other.T
    shape = (*points.shape[:-1], *prototypes.shape[:-1])
    return np.asarray(np.maximum(squares, 0).reshape(shape), np.float64)


def _scale(rest: NDArray[Any]) -> Floats:
    """What takes features to sigmas, from how much variations differ from their mean."""
    flat = rest.reshape(-1, rest.shape[-1]).astype(np.float64)
    spread = flat.T @ flat / len(flat)
    size = len(spread)
    even = np.trace(spread) / size * np.eye(size)
    shrunk = (1 - SHRUNK) * spread + SHRUNK * even + 1e-9 * np.eye(size)
    return np.asarray(np.linalg.cholesky(np.linalg.inv(shrunk)), np.float32)
