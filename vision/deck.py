"""The studio's own deck: what its cards look like to the readers, and what that decides.

Each card was shown once. From that view some variations are made (`vision.variations`), the two
nets look at them, and the means of their features are the card's prototypes: of W for each way up,
of I for an index. A crop is then compared with all prototypes of the deck by cosine.

What is decided (VISION.md 2.7):

- A face is sure only if its prototype is near, no other one is nearly as near, the general reader
  names the same card, and no index names another.
- Where the general reader took the card for another one already when it was enrolled, as in odd
  designs, that is expected of it: the prototype decides, and must be twice as well apart.
- A crop that is near no prototype (another deck, a joker, an advert) is never sure.
- The deck's back and cut card are told by their prototypes too; a joker that was shown is no card.

The limits were fitted on rendered designs; `docs/vision/enrolment.md` has the figures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT, HIDDEN, Card
from vision.deckfile import VIEW, DeckBody, DeckError, DeckHead, read_deck, write_deck
from vision.reader import CARDS, CROP, CardKind, Crop, Reader, Reading, Votes, fuse
from vision.reader import HIDDEN as HIDDEN_SIZE
from vision.variations import variations

__all__ = [
    "BACK", "CUT", "FACES", "JOKER", "DeckError", "EnrolledDeck", "Look", "Prototypes", "Verdict",
    "fitted", "load_deck", "look_at", "made_of", "save_deck",
]  # fmt: skip

BACK: Final = HIDDEN
JOKER: Final = "JOKER"
FACES: Final = tuple(card.code for card in CARDS)
"""Codes of the 52 faces in the reader's order."""
KIND_PLACES: Final = {CardKind.BACK: 52, CardKind.CUT: 53, CardKind.OTHER: 54}
"""Where the kinds other than a face stand behind the 52 cards in what the reader says."""
SAYS: Final = 55
"""Number of things that the general reader may say: 52 cards, back, cut card, other."""

NEAR: Final = 0.80
"""A crop is near a prototype from this cosine on."""
APART: Final = 0.06
"""A prototype must be nearer than all others by so much."""
APART_ODD: Final = 0.12
"""The same where the general reader takes the card for another one."""
ALIKE: Final = 0.10
"""Two cards whose views are not at least so far apart are shown again."""
SHARPNESS: Final = 30.0
"""What a difference of cosines is multiplied with before it becomes a probability."""
EXPECTED: Final = 0.12
"""What the general reader said in such a share of the variations is expected of it."""
SEEN: Final = 0.5
"""An index is there from this probability on."""
VETO: Final = 0.5
"""An index that is there contradicts from this probability on."""
PLAIN: Final = 0.5
"""A back or cut card is sure only if W gives its own kind, or no face, at least so much."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the prototypes say of one crop."""

    code: str
    """The nearest: a card, ``XX``, ``CUT`` or ``JOKER``."""
    second: str
    """The next one; empty in a deck of one."""
    nearness: float
    """Cosine to the nearest, -1 to 1."""
    margin: float
    """How much nearer it is than the next one."""
    likely: float
    """Probability of the nearest among the deck's own, 0 to 1."""

    @property
    def clear(self) -> bool:
        """Whether it is near one prototype and well apart from the others."""
        return self.nearness >= NEAR and self.margin >= APART


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """One view of one card, as the nets see it in its variations."""

    crop: Crop
    whole: Floats
    """(2, 128): W's mean feature, upright and upside down, of length 1."""
    index: Floats
    """(128,): I's mean feature of both corners, of length 1."""
    w: Floats
    """(n, 128): W's features of the variations, of length 1; every second one upside down."""
    i: Floats
    """(n, 2, 128): I's."""
    said: Floats
    """(55,): the share of variations in which the general reader said each thing."""
    sure: Floats
    """(55,): the share in which it was sure of it."""


def _unit(features: NDArray[Any]) -> Floats:
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
    for at in range(len(votes.w)):
        reading = reader.decide(fused, at)
        said[place_of(reading)] += 1
        sure[place_of(reading)] += reading.sure
    w, i = _unit(votes.w_hidden), _unit(votes.i_hidden)
    return Look(
        crop=crop,
        whole=_unit(np.stack([w[0::2].mean(axis=0), w[1::2].mean(axis=0)])),
        index=_unit(i.reshape(-1, i.shape[-1]).mean(axis=0)),
        w=w,
        i=i,
        said=np.asarray(said / len(w), np.float32),
        sure=np.asarray(sure / len(w), np.float32),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prototypes:
    """The means of what was shown, m of them."""

    codes: tuple[str, ...]
    """Code of each; a back or joker that was shown in several views has several."""
    whole: Floats
    """(m, 2, 128): W's, upright and upside down."""
    index: Floats
    """(m, 128): I's."""

    @classmethod
    def of(cls, shown: Iterable[tuple[str, Look]]) -> "Prototypes":
        """Those of some looks."""
        pairs = list(shown)
        return cls(
            codes=tuple(code for code, _ in pairs),
            whole=np.stack([look.whole for _, look in pairs]),
            index=np.stack([look.index for _, look in pairs]),
        )

    def nearness(self, w: Floats, i: Floats) -> Floats:
        """(n, m): cosines of n crops' features, (n, 128) and (n, 2, 128) of length 1.

        W's to the nearer way up and I's of both corners count alike.
        """
        whole = np.einsum("nd,mkd->nmk", w, self.whole).max(axis=2)
        index = np.einsum("ncd,md->ncm", i, self.index).mean(axis=1)
        return np.asarray((whole + index) / 2, np.float32)

    def judge(self, nearness: Floats) -> Verdict:
        """What the cosines (m,) of one crop say."""
        best: dict[str, float] = {}
        for code, value in zip(self.codes, nearness.tolist(), strict=True):
            best[code] = max(value, best.get(code, -1.0))
        order = sorted(best, key=lambda code: -best[code])
        values = np.asarray([best[code] for code in order])
        powers = np.exp(SHARPNESS * (values - values[0]))
        return Verdict(
            code=order[0],
            second=order[1] if len(order) > 1 else "",
            nearness=float(values[0]),
            margin=float(values[0] - values[1]) if len(order) > 1 else 2.0,
            likely=float(powers[0] / powers.sum()),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EnrolledDeck:
    """An enrolled deck, as the reader asks it (`vision.reader.Enrolled`)."""

    head: DeckHead
    prototypes: Prototypes
    said: Floats
    """(m, 55): what the general reader said of each prototype's variations, in shares."""
    absent: tuple[str, ...] = ()
    """Things that the studio's deck does not have: ``CUT``, ``XX``."""
    views: tuple[tuple[str, bytes], ...] = ()
    """Each shown view as a PNG of 126 by 176, in the order of the prototypes."""

    @property
    def name(self) -> str:
        """The deck's name."""
        return self.head.name

    @property
    def sha256(self) -> str:
        """The file's hash, as its first line has it."""
        return self.head.sha256

    def expected(self, code: str) -> frozenset[int]:
        """What the general reader may say of this card, with the card itself."""
        rows = [at for at, each in enumerate(self.prototypes.codes) if each == code]
        said = self.said[rows].max(axis=0)
        places = {int(place) for place in np.flatnonzero(said >= EXPECTED)}
        return frozenset(places | ({FACES.index(code)} if code in FACES else set()))

    def odd(self, code: str) -> bool:
        """Whether the general reader mostly takes this face for something else."""
        rows = [at for at, each in enumerate(self.prototypes.codes) if each == code]
        return code in FACES and float(self.said[rows, FACES.index(code)].max()) < 0.5

    def judge(self, votes: Votes, at: int) -> Verdict:
        """What the prototypes say of the crop at place `at`."""
        w = _unit(votes.w_hidden[at : at + 1])
        i = _unit(votes.i_hidden[at : at + 1])
        return self.prototypes.judge(self.prototypes.nearness(w, i)[0])

    def settled(self, reading: Reading, votes: Votes, at: int) -> Reading:
        """The final reading: prototypes and general reader must agree to be sure."""
        verdict = self.judge(votes, at)
        if verdict.code in FACES:
            return self._face(reading, verdict, votes, at)
        return self._plain(reading, verdict, votes, at)

    def _face(self, reading: Reading, verdict: Verdict, votes: Votes, at: int) -> Reading:
        """A crop that is nearest to a face of the deck."""
        expected = self.expected(verdict.code)
        apart = APART_ODD if self.odd(verdict.code) else APART
        agreed = place_of(reading) in expected
        sure = (
            verdict.nearness >= NEAR
            and verdict.margin >= apart
            and agreed
            and not _vetoed(votes, at, expected)
        )
        if not sure and reading.kind is not CardKind.FACE:
            return replace(reading, sure=False, kind=CardKind.OTHER)
        if not agreed:
            return replace(reading, sure=False, second=Card.parse(verdict.code))
        second = Card.parse(verdict.second) if verdict.second in FACES else reading.second
        return Reading(
            kind=CardKind.FACE,
            card=Card.parse(verdict.code),
            confidence=verdict.likely if sure else min(verdict.likely, reading.confidence),
            sure=sure,
            second=second,
            turned=reading.turned,
        )

    def _plain(self, reading: Reading, verdict: Verdict, votes: Votes, at: int) -> Reading:
        """A crop that is nearest to the deck's back, its cut card or a joker."""
        indexed = bool((_seen(votes)[at] >= SEEN).any())
        said = reading.kind is not CardKind.FACE
        clear = verdict.clear and said and not (indexed and verdict.code != JOKER)
        kind = {BACK: CardKind.BACK, CUT: CardKind.CUT}.get(verdict.code, CardKind.OTHER)
        if clear or reading.kind is not CardKind.FACE:
            return Reading(
                kind=kind if clear else CardKind.OTHER,
                card=None,
                confidence=verdict.likely if clear else reading.confidence,
                sure=clear,
                second=None,
                turned=False,
            )
        return replace(reading, sure=False)


def _seen(votes: Votes) -> NDArray[np.float64]:
    """Probability that an index is there, (n, 2)."""
    return np.asarray(1 / (1 + np.exp(-np.clip(votes.i[..., 17].astype(np.float64), -60, 60))))


def _vetoed(votes: Votes, at: int, expected: frozenset[int]) -> bool:
    """Whether an index that is there names a card that is not expected."""
    fused = fuse(
        Votes(
            w=votes.w[at : at + 1], i=votes.i[at : at + 1],
            w_hidden=votes.w_hidden[at : at + 1], i_hidden=votes.i_hidden[at : at + 1],
        ),
        1.0,
    )  # fmt: skip
    strange = ~np.isin(fused.i_best[0], list(expected))
    loud = (fused.i_seen[0] >= SEEN) & (fused.i_top[0] >= VETO)
    return bool((strange & loud).any())


def made_of(
    head: DeckHead, shown: Sequence[tuple[str, Look]], absent: Sequence[str] = ()
) -> EnrolledDeck:
    """A deck of what was shown: (code, look) in order."""
    return EnrolledDeck(
        head=head,
        prototypes=Prototypes.of(shown),
        said=np.stack([look.said for _, look in shown]),
        absent=tuple(absent),
        views=tuple((code, _png(look.crop)) for code, look in shown),
    )


def _png(crop: Crop) -> bytes:
    """A crop as a file.

    Raises:
        DeckError: if the encoder fails.
    """
    done, body = cv2.imencode(".png", crop)
    if not done:
        raise DeckError("a picture of the deck could not be written as PNG; enrol the deck again")
    return bytes(body)


def crop_of(png: bytes) -> Crop:
    """The crop of a stored view.

    Raises:
        DeckError: if it is no picture of a crop's size.
    """
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if image is None or image.shape != (*CROP, 3):
        raise DeckError("a picture in the deck file is damaged; enrol the deck again")
    return np.asarray(image, np.uint8)


def save_deck(deck: EnrolledDeck, path: Path) -> EnrolledDeck:
    """Write a deck file; the same deck with its hash.

    Raises:
        DeckError: if it cannot be written.
    """
    protos = deck.prototypes
    arrays: dict[str, NDArray[Any]] = {
        "whole": protos.whole, "index": protos.index, "said": deck.said,
    }  # fmt: skip
    for number, (_, png) in enumerate(deck.views):
        arrays[f"{VIEW}{number:03d}"] = np.frombuffer(png, np.uint8)
    more = {"codes": list(protos.codes), "absent": list(deck.absent)}
    return replace(deck, head=write_deck(path, deck.head, more, arrays))


def load_deck(
    path: Path, reader: Reader | None = None, *, unfinished: bool = False
) -> EnrolledDeck:
    """Read a deck file.

    With a reader of other weights than those it was enrolled with, the prototypes are made anew
    from the pictures in the file, which takes about four seconds; the file stays as it is.

    Raises:
        DeckError: with the file and what to do.
    """
    body = read_deck(path)
    if not (body.head.finished or unfinished):
        raise DeckError(
            f"{path}: not all cards of this deck were shown; finish it with"
            f" `cutcard enrol --deck {path}`"
        )
    try:
        deck = _taken_over(body)
    except (KeyError, TypeError, ValueError) as error:
        raise DeckError(f"{path}: the deck file lacks what a deck has; enrol it again") from error
    return deck if reader is None else fitted(deck, reader)


def _taken_over(body: DeckBody) -> EnrolledDeck:
    """A deck from the parts of its file.

    Raises:
        ValueError: if a part is missing or has another shape.
    """
    codes = tuple(str(code) for code in body.more["codes"])
    known = {*FACES, BACK, CUT, JOKER}
    names = sorted(name for name in body.arrays if name.startswith(VIEW))
    arrays = {
        name: np.asarray(body.arrays[name], np.float32) for name in ("whole", "index", "said")
    }
    shapes = {name: array.shape for name, array in arrays.items()}
    wanted = {"whole": (len(codes), 2, HIDDEN_SIZE), "index": (len(codes), HIDDEN_SIZE),
              "said": (len(codes), SAYS)}  # fmt: skip
    if shapes != wanted or len(names) != len(codes) or not set(codes) <= known or not codes:
        raise ValueError("arrays of another shape")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("numbers that are none")
    if body.head.finished and not set(FACES) <= set(codes):
        raise ValueError("cards are missing")
    return EnrolledDeck(
        head=body.head,
        prototypes=Prototypes(codes=codes, whole=arrays["whole"], index=arrays["index"]),
        said=arrays["said"],
        absent=tuple(str(code) for code in body.more["absent"]),
        views=tuple(
            (code, np.asarray(body.arrays[name], np.uint8).tobytes())
            for code, name in zip(codes, names, strict=True)
        ),
    )


def fitted(deck: EnrolledDeck, reader: Reader) -> EnrolledDeck:
    """The same deck for this reader: unchanged, or made anew from its pictures.

    Raises:
        DeckError: if a picture is damaged.
    """
    if deck.head.reader == reader.version:
        return deck
    shown = [(code, look_at(reader, crop_of(png))) for code, png in deck.views]
    anew = made_of(replace(deck.head, reader=reader.version), shown, deck.absent)
    return replace(anew, views=deck.views)
