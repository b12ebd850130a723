"""Reads one whole card that has been cut out and straightened: which card, how sure.

Two nets that fail differently: W sees the whole card small, I each of its two index corners
large. Their log-probabilities are added and tempered with temperatures fitted on card designs
that were not trained on. A reading is sure only if W and an index agree and no index that can be
read contradicts. How they were made and how often they are wrong: docs/vision/reader-w.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Card, Rank, Suit
from vision import weights
from vision.weights import MODELS, ModelsUnfit

__all__ = [
    "CARDS", "CROP", "HIDDEN", "I_SIZE", "MODELS", "W_SIZE", "CardKind", "Crop", "Enrolled",
    "Fused", "General", "Limits", "ModelsUnfit", "Reader", "Reading", "Votes", "fuse", "joint",
]  # fmt: skip

CROP: Final = (176, 126)
"""Height and width of a crop in pixels: 2 px a millimetre of a card of 88 by 63 mm."""
W_SIZE: Final = (88, 64)
"""Height and width of what W is given: the crop made smaller."""
I_SIZE: Final = (72, 48)
"""Height and width of what I is given: a corner of the crop, not scaled."""
INSET: Final = 2
"""How far inwards, in pixels of the crop, I looks the second time."""
HIDDEN: Final = 128
"""Length of a net's feature vector, the layer before its answer; none is below 0."""
CARDS: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
"""The 52 cards in the order of the fused scores: by rank A to K, then suit C D H S."""

Crop = NDArray[np.uint8]
Floats = NDArray[np.float64]


class CardKind(StrEnum):
    """What lies in the crop."""

    FACE = "face"
    BACK = "back"
    CUT = "cut"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one crop was read as."""

    kind: CardKind
    card: Card | None
    """The likeliest card; None unless `kind` is FACE."""
    confidence: float
    """Probability that `kind` and `card` are right, 0 to 1, calibrated on unseen designs."""
    sure: bool
    """Whether it may be used without a person."""
    second: Card | None
    """The runner-up; None unless `kind` is FACE."""
    turned: bool
    """Whether the picture is known to be upside down; False where both ways look the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """The nets' raw outputs for n crops."""

    w: NDArray[np.float32]
    """(n, 22): 13 ranks, 4 suits, 4 kinds, turned."""
    i: NDArray[np.float32]
    """(n, 2, 18): of both corners 13 ranks, 4 suits, whether an index is there."""
    w_hidden: NDArray[np.float32]
    """(n, 128): W's features, for prototypes of an enrolled deck."""
    i_hidden: NDArray[np.float32]
    """(n, 2, 128): I's features of both corners."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The figures that decide; fitted on held-out designs, stored beside the weights."""

    temperature: float
    """Divides the fused log-probabilities of the ranks, 1 to 4."""
    suits: float
    """The same for those of the suits, of which the nets are sure in another measure."""
    whole: float
    """What W's vote weighs when an index weighs 1; 0 to 2."""
    kinds: float
    """Divides the logits of the kinds, 1 to 3."""
    sure: float
    """A card may be sure from this probability on, given that it is a face."""
    face: float
    """A card may be sure only if a face is there with this probability."""
    seen: float
    """An index counts as seen from this probability on."""
    contradicts: float
    """An index vetoes another card if its own is likelier than this."""
    plain: float
    """A back, a cut card or no card at all is sure from this probability on."""


def _log_softmax(logits: Floats) -> Floats:
    top = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(top - np.log(np.exp(top).sum(axis=-1, keepdims=True)), np.float64)


def _sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -60, 60))), np.float64)


def joint(ranks: Floats, suits: Floats) -> Floats:
    """Log-probabilities of the 52 cards (see CARDS) from logits (…, 13) and (…, 4)."""
    both = _log_softmax(ranks)[..., :, None] + _log_softmax(suits)[..., None, :]
    return both.reshape(*both.shape[:-2], 52)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fused:
    """What the votes say together, for n crops."""

    cards: Floats
    """(n, 52): probabilities of the cards, given that it is a face."""
    kinds: Floats
    """(n, 4): probabilities of face, back, cut card, other."""
    w_best: NDArray[np.intp]
    """(n,): W's own card."""
    i_best: NDArray[np.intp]
    """(n, 2): each index's own card."""
    i_top: Floats
    """(n, 2): that card's probability."""
    i_seen: Floats
    """(n, 2): probability that the index is there and readable."""


def fuse(
    votes: Votes,
    temperature: float,
    weight: float = 1.0,
    kinds: float = 1.0,
    suits: float | None = None,
) -> Fused:
    """Add the votes' log-probabilities, W's with a weight, an index's by how surely it is there.

    `temperature` divides those of the ranks, `suits` those of the suits (None: the same),
    `kinds` the logits of the kinds.
    """
    w, i = votes.w.astype(np.float64), votes.i.astype(np.float64)
    seen = _sigmoid(i[..., 17])
    corners = joint(i[..., :13], i[..., 13:17])

    def both(part: slice) -> Floats:
        index = (_log_softmax(i[..., part]) * seen[..., None]).sum(axis=1)
        return np.asarray(_log_softmax(w[:, part]) * weight + index, np.float64)

    rank, suit = both(slice(13)), both(slice(13, 17))
    return Fused(
        cards=np.exp(joint(rank / temperature, suit / (suits or temperature))),
        kinds=np.exp(_log_softmax(w[:, 17:21] / kinds)),
        w_best=joint(w[:, :13], w[:, 13:17]).argmax(axis=1),
        i_best=corners.argmax(axis=2),
        i_top=np.exp(corners.max(axis=2)),
        i_seen=seen,
    )


_KINDS: Final = tuple(CardKind)


def _some(votes: Votes, which: Sequence[int]) -> Votes:
    """The votes for some of the crops."""
    at = np.asarray(which, np.intp)
    return Votes(
        w=votes.w[at], i=votes.i[at], w_hidden=votes.w_hidden[at], i_hidden=votes.i_hidden[at]
    )


def _mean(one: Votes, other: Votes) -> Votes:
    """The mean of two looks at the same crops."""
    half = np.float32(0.5)
    return Votes(
        w=(one.w + other.w) * half,
        i=(one.i + other.i) * half,
        w_hidden=(one.w_hidden + other.w_hidden) * half,
        i_hidden=(one.i_hidden + other.i_hidden) * half,
    )


@dataclass(frozen=True, slots=True)
class General:
    """What the reader says of one crop without any deck."""

    reading: Reading
    cards: Floats
    """(52,): probabilities of the cards, given that it is a face."""


class Enrolled(Protocol):
    """What the reader asks a studio's own deck, where one is enrolled (`vision.deck`)."""

    def settled(self, reading: Reading, votes: Votes, at: int) -> Reading:
        """The final reading of the crop at place `at` of the votes.

        `reading` is what the reader alone would answer. The deck may take sureness away, may
        give it where its prototypes and the reader agree, and may name a back, a cut card or a
        card that it knows to look odd to the reader.
        """
        ...

    def compared(self, crop: Crop, reading: Reading, general: General, votes: Votes) -> Reading:
        """The reading of a face that stayed unsure, with the deck's own pictures laid beside it.

        `reading` is what `settled` answered, `votes` are those of this crop alone. The deck may
        give sureness; it takes none and never names another card than its prototypes do.
        """
        ...


class Reader:
    """The trained reader. One per thread: the nets keep their working memory."""

    def __init__(self, folder: Path = MODELS, deck: Enrolled | None = None) -> None:
        """Load and check the weights; `deck` has the last word in `read`.

        Raises:
            ModelsUnfit: a file is missing, is not the one that reader.json names, or is of
                another format.
        """
        self._about = weights.described(folder, "reader.json")
        self.deck = deck
        self.limits = Limits(**self._about["limits"])
        self._w = weights.net(folder, self._about["nets"]["w"])
        self._i = weights.net(folder, self._about["nets"]["i"])

    @property
    def version(self) -> str:
        """Short name of these weights, for evidence: the first 12 digits of their hashes."""
        nets = self._about["nets"]
        return f"{nets['w']['sha256'][:6]}{nets['i']['sha256'][:6]}"

    def votes(self, crops: Sequence[Crop], *, again: bool = False) -> Votes:
        """What each net says, before anything is decided.

        `again` looks a second way: W at the crop turned upside down, I a millimetre further in.
        The answers are about the crop as it was given.
        """
        wrong = [crop.shape for crop in crops if crop.shape != (*CROP, 3) or crop.dtype != np.uint8]
        if wrong:
            raise ValueError(f"a crop is {wrong[0]}: give bytes of shape (176, 126, 3), blue first")
        small = [cv2.resize(crop, W_SIZE[::-1], interpolation=cv2.INTER_AREA) for crop in crops]
        if again:
            small = [np.ascontiguousarray(one[::-1, ::-1]) for one in small]
        (high, wide), at = I_SIZE, INSET if again else 0
        ways = [way for crop in crops for way in (crop, crop[::-1, ::-1])]
        corners = [way[at : at + high, at : at + wide] for way in ways]
        w, w_hidden = weights.run(self._w, small)
        i, i_hidden = weights.run(self._i, corners)
        if again:
            w[:, 21] *= -1  # the turned picture is upside down where the crop is not
        return Votes(
            w=w,
            i=i.reshape(len(crops), 2, -1),
            w_hidden=w_hidden,
            i_hidden=i_hidden.reshape(len(crops), 2, -1),
        )

    def read(self, crops: Sequence[Crop]) -> list[Reading]:
        """Read crops, each a whole card with its long side upright, either way up.

        A face that is not sure at first sight is looked at a second way, and the mean of both
        decides; what stays unsure then is laid beside the pictures of an enrolled deck. About 2 ms
        a card and look on one core.
        """
        if not crops:
            return []
        votes = self.votes(crops)
        readings = self.judged(votes)
        doubtful = [
            at for at, one in enumerate(readings) if one.kind is CardKind.FACE and not one.sure
        ]
        if doubtful:
            other = self.votes([crops[at] for at in doubtful], again=True)
            both = _mean(_some(votes, doubtful), other)
            for place, reading in enumerate(self.judged(both)):
                at = doubtful[place]
                readings[at] = self._compared(crops[at], reading, _some(both, [place]))
        return readings

    def _compared(self, crop: Crop, reading: Reading, votes: Votes) -> Reading:
        """The reading after the deck's own pictures were asked, where that may help."""
        if self.deck is None or reading.sure or reading.kind is not CardKind.FACE:
            return reading
        fused = self.fused(votes)
        general = General(self.decide(fused, 0), fused.cards[0])
        return self.deck.compared(crop, reading, general, votes)

    def judged(self, votes: Votes) -> list[Reading]:
        """The readings of votes that were taken already; the enrolled deck has the last word."""
        fused = self.fused(votes)
        turned = votes.w[:, 21] > 2
        alone = [self.decide(fused, at, turned=bool(turned[at])) for at in range(len(votes.w))]
        if self.deck is None:
            return alone
        return [self.deck.settled(reading, votes, at) for at, reading in enumerate(alone)]

    def fused(self, votes: Votes) -> Fused:
        """What the votes say together at the fitted temperatures and weight."""
        limits = self.limits
        return fuse(votes, limits.temperature, limits.whole, limits.kinds, limits.suits)

    def decide(self, fused: Fused, at: int, *, turned: bool = False) -> Reading:
        """Decide about the crop at place `at` of fused votes."""
        limits = self.limits
        kinds = fused.kinds[at]
        kind = _KINDS[int(kinds.argmax())]
        if kind is CardKind.FACE:
            return self._face(fused, at, turned=turned)
        share = float(kinds.max())
        sure = share >= limits.plain and bool((fused.i_seen[at] < limits.seen).all())
        return Reading(
            kind=kind if sure else CardKind.OTHER,
            card=None,
            confidence=share,
            sure=sure,
            second=None,
            turned=False,
        )

    def _face(self, fused: Fused, at: int, *, turned: bool) -> Reading:
        limits = self.limits
        order = np.argsort(fused.cards[at])
        best, second = int(order[-1]), int(order[-2])
        likely, face = float(fused.cards[at, best]), float(fused.kinds[at, 0])
        there = fused.i_seen[at] >= limits.seen
        same = fused.i_best[at] == best
        veto = there & ~same & (fused.i_top[at] >= limits.contradicts)
        agreed = bool(fused.w_best[at] == best) and bool((there & same).any())
        return Reading(
            kind=CardKind.FACE,
            card=CARDS[best],
            confidence=likely * face,
            sure=(
                likely >= limits.sure and face >= limits.face and agreed and not bool(veto.any())
            ),
            second=CARDS[second],
            turned=turned,
        )
