"""Reads one whole card that has been cut out and straightened: which card, how sure.

Two nets that fail differently: W sees the whole card small, I each of its two index corners
large. Their log-probabilities are added and tempered with a temperature fitted on card designs
that were not trained on. A reading is sure only if W and an index agree and no index that can be
read contradicts. How they were made and how often they are wrong: docs/vision/reader-w.md.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Card, Rank, Suit

CROP: Final = (176, 126)
"""Height and width of a crop in pixels: 2 px a millimetre of a card of 88 by 63 mm."""
W_SIZE: Final = (88, 64)
"""Height and width of what W is given: the crop made smaller."""
I_SIZE: Final = (72, 48)
"""Height and width of what I is given: a corner of the crop, not scaled."""
MODELS: Final = Path(__file__).parent / "models"
"""The folder with the weights and reader.json."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The figures that decide; fitted on held-out designs, stored beside the weights."""

    temperature: float
    """Divides the fused log-probabilities, 1 to 4."""
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


class ModelsUnfit(RuntimeError):  # noqa: N818  # a state of the files, told in one sentence
    """The weights are missing, changed or of another format; nothing can be read."""


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


def fuse(votes: Votes, temperature: float, weight: float = 1.0, kinds: float = 1.0) -> Fused:
    """Add the votes' log-probabilities, W's with a weight, an index's by how surely it is there."""
    w, i = votes.w.astype(np.float64), votes.i.astype(np.float64)
    whole = joint(w[:, :13], w[:, 13:17])
    corners = joint(i[..., :13], i[..., 13:17])
    seen = _sigmoid(i[..., 17])
    total = whole * weight + (corners * seen[..., None]).sum(axis=1)
    return Fused(
        cards=np.exp(_log_softmax(total / temperature)),
        kinds=np.exp(_log_softmax(w[:, 17:21] / kinds)),
        w_best=whole.argmax(axis=1),
        i_best=corners.argmax(axis=2),
        i_top=np.exp(corners.max(axis=2)),
        i_seen=seen,
    )


_KINDS: Final = tuple(CardKind)


class Reader:
    """The trained reader. One per thread: the nets keep their working memory."""

    def __init__(self, folder: Path = MODELS) -> None:
        """Load and check the weights.

        Raises:
            ModelsUnfit: a file is missing, is not the one that reader.json names, or is of
                another format.
        """
        self._about = _described(folder)
        self.limits = Limits(**self._about["limits"])
        self._w = _net(folder, self._about["nets"]["w"])
        self._i = _net(folder, self._about["nets"]["i"])

    @property
    def version(self) -> str:
        """Short name of these weights, for evidence: the first 12 digits of their hashes."""
        nets = self._about["nets"]
        return f"{nets['w']['sha256'][:6]}{nets['i']['sha256'][:6]}"

    def votes(self, crops: Sequence[Crop]) -> Votes:
        """What each net says, before anything is decided."""
        wrong = [crop.shape for crop in crops if crop.shape != (*CROP, 3) or crop.dtype != np.uint8]
        if wrong:
            raise ValueError(f"a crop is {wrong[0]}: give bytes of shape (176, 126, 3), blue first")
        small = [cv2.resize(crop, W_SIZE[::-1], interpolation=cv2.INTER_AREA) for crop in crops]
        high, wide = I_SIZE
        ways = [way for crop in crops for way in (crop, crop[::-1, ::-1])]
        corners = [way[:high, :wide] for way in ways]
        w = _run(self._w, small)
        i = _run(self._i, corners)
        return Votes(w=w, i=i.reshape(len(crops), 2, -1))

    def read(self, crops: Sequence[Crop]) -> list[Reading]:
        """Read crops, each a whole card with its long side upright, either way up.

        About 2 ms a card on one core.
        """
        if not crops:
            return []
        votes = self.votes(crops)
        fused = self.fused(votes)
        turned = votes.w[:, 21] > 2
        return [self.decide(fused, at, turned=bool(turned[at])) for at in range(len(crops))]

    def fused(self, votes: Votes) -> Fused:
        """What the votes say together at the fitted temperatures and weight."""
        limits = self.limits
        return fuse(votes, limits.temperature, limits.whole, limits.kinds)

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


def _described(folder: Path) -> dict[str, Any]:
    path = folder / "reader.json"
    try:
        about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        text = f"the reader's description {path} cannot be read: install the package again"
        raise ModelsUnfit(text) from error
    if about.get("format") != 1:
        raise ModelsUnfit(f"{path} is of another format: install weights made for this release")
    return about


def _net(folder: Path, about: dict[str, str]) -> cv2.dnn.Net:
    path = folder / about["file"]
    try:
        body = path.read_bytes()
    except OSError as error:
        raise ModelsUnfit(f"weights {path} are missing: install the package again") from error
    if hashlib.sha256(body).hexdigest() != about["sha256"]:
        raise ModelsUnfit(f"weights {path} have been changed: install the package again")
    return cv2.dnn.readNetFromONNX(np.frombuffer(body, np.uint8))


def _run(net: cv2.dnn.Net, pictures: Sequence[cv2.typing.MatLike]) -> NDArray[np.float32]:
    blob = cv2.dnn.blobFromImages(pictures, 1 / 64, mean=(127.5, 127.5, 127.5))
    net.setInput(blob)
    return np.asarray(net.forward(), np.float32)
