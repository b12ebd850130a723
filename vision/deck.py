"""The studio's own deck: what its cards look like to the readers, and what that decides.

Each card was shown once. From that view some variations are made (`vision.variations`), the two
nets look at them, and the means of their features are the card's prototypes: of W for each way up,
of I for an index. How much the variations differ, over all cards, is the scale on which a crop is
compared with the prototypes (linear discriminants with a common, shrunken covariance): one sigma
is what light, focus and cut do to a card's features.

What is decided (VISION.md 2.7):

- A face is sure only if its prototype is near, no other one is nearly as near, the general reader
  names the same card, and no index names another.
- Where the general reader took the card for another one already when it was enrolled, as in odd
  designs, that is expected of it: the prototype decides, and must be twice as well apart.
- A crop that is near no prototype (another deck, a joker, an advert) is never sure.
- What they leave open is laid beside the deck's own pictures (`vision.likeness`): these decide if
  the general reader is not against it and no picture of a rival is nearly as like.
- Two cards of the deck whose pictures are too much alike are asked about.
- The deck's back and cut card are told by their prototypes too; a joker that was shown is no card.

The limits were fitted on rendered designs; `docs/vision/enrolment.md` has the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import CUT, Card
from vision.deckfile import VIEW, DeckBody, DeckError, DeckHead, read_deck, write_deck
from vision.likeness import Likeness, Pictures
from vision.prototypes import (
    BACK,
    FACES,
    JOKER,
    SAYS,
    Floats,
    Look,
    Prototypes,
    Verdict,
    look_at,
    place_of,
    unit,
)
from vision.reader import CARDS, CROP, CardKind, Crop, General, Reader, Reading, Votes, fuse
from vision.reader import HIDDEN as HIDDEN_SIZE

__all__ = [
    "BACK", "CUT", "FACES", "JOKER", "DeckError", "EnrolledDeck", "Look", "Prototypes", "Verdict",
    "fitted", "load_deck", "look_at", "made_of", "save_deck",
]  # fmt: skip

NEAR: Final = 1400.0
"""A crop is near a prototype up to this squared distance in sigmas; a calm view of the card itself
has about 350, seldom over 900, most other cards of other decks over 1,000."""
NEAR_SHARE: Final = 0.25
"""Or up to this part of the squared way to the most similar prototype, where that is more."""
NEAR_SURE: Final = 1600.0
"""The same where the general reader is sure of the card without the deck."""
NEAR_PLAIN: Final = 4000.0
"""The same for a back, a cut card or a joker, which vary more and stand far from all faces."""
SIGMAS: Final = 6.0
"""Sigmas by which a crop must lie on its prototype's side of the middle to any other one."""
SHARE: Final = 0.5
"""The same as a share of the way between the two prototypes; 0 is the middle."""
SHARE_SURE: Final = 0.5
"""That share where the general reader is sure of the card without the deck."""
ALIKE: Final = 8.0
"""Two prototypes with the middle between them nearer than so many sigmas look too much alike."""
TWINS: Final = 6.0
"""So near that not even a sure general reader tells them apart surely."""
NEAR_STRONG: Final = 1000.0
"""What is as near as this, and as well apart as the next two say, needs no other witness where the
general reader was not firm about the card when it was enrolled."""
STRONG: Final = 10.0
SHARE_STRONG: Final = 0.7
FIRM: Final = 0.9
"""The general reader is firm about a card that it names in so many of its variations."""
LIKELY: Final = 0.5
"""The general reader must give its card at least this probability."""
EXPECTED: Final = 0.3
"""What it said of an odd card in such a share of the variations is expected of it."""
SEEN: Final = 0.5
"""An index is there from this probability on."""
VETO: Final = 0.9
"""An index that is there contradicts from this probability on."""

CLOSE: Final = 10.0
"""The pictures of cards are asked about that the crop is no more than so many sigmas apart from."""
MOST: Final = 10
"""But of no more than so many, the nearest."""
PICTURE: Final = 0.77
"""The crop's least correlation with the picture of the card that it is taken for."""
MARGIN: Final = 0.15
"""How far it must lie on that picture's side of the middle to each rival's, as a share of the way;
0.5 is at the picture."""
MARGIN_TWINS: Final = 0.3
"""The same where two prototypes look too much alike."""
GRAINS: Final = 10.0
"""The same in sigmas of what the crop differs from the picture anyhow."""
STRAY: Final = 0.6
"""How far off the way it may lie: squared, as a share of the squared way."""
LOST: Final = -0.1
"""The general reader's log odds for the card against any other one must not be less."""


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
    between: Floats = field(init=False)
    """`Prototypes.apart` of them."""
    pictures: Pictures = field(init=False)
    """The views of the faces, to be compared with a crop."""

    def __post_init__(self) -> None:
        # A frozen object's own fields, filled once.
        object.__setattr__(self, "between", self.prototypes.apart())
        object.__setattr__(self, "pictures", Pictures(self._view))

    def _view(self, code: str) -> Crop | None:
        """The picture of a face that was kept; None without one, or with one that is damaged."""
        png = dict(self.views).get(code) if code in FACES else None
        try:
            return None if png is None else crop_of(png)
        except DeckError:
            return None

    @property
    def name(self) -> str:
        """The deck's name."""
        return self.head.name

    @property
    def sha256(self) -> str:
        """The file's hash, as its first line has it."""
        return self.head.sha256

    def odd(self, code: str) -> bool:
        """Whether the general reader mostly takes this face for something else."""
        return code in FACES and self._said(code)[FACES.index(code)] < 0.5

    def shaky(self, code: str) -> bool:
        """Whether the general reader did not always read this face when it was shown."""
        return code in FACES and self._said(code)[FACES.index(code)] < FIRM

    def _said(self, code: str) -> Floats:
        """(55,): what the general reader said of a code at enrolment."""
        rows = [at for at, each in enumerate(self.prototypes.codes) if each == code]
        return np.asarray(self.said[rows].max(axis=0), np.float32)

    def expected(self, code: str) -> frozenset[int]:
        """What the general reader may say of this face: itself, or what it said at enrolment."""
        said = {int(place) for place in np.flatnonzero(self._said(code) >= EXPECTED)}
        return frozenset({FACES.index(code)} | (said if self.odd(code) else set()))

    def judge(self, votes: Votes, at: int) -> Verdict:
        """What the prototypes say of the crop at place `at`."""
        return self.prototypes.judge(self._distances(votes, at), self.between)

    def _distances(self, votes: Votes, at: int) -> Floats:
        """(m,): squared distances of the crop at place `at`."""
        w = unit(votes.w_hidden[at : at + 1])
        i = unit(votes.i_hidden[at : at + 1])
        return np.asarray(self.prototypes.distances(w, i)[0], np.float32)

    def settled(self, reading: Reading, votes: Votes, at: int) -> Reading:
        """The final reading: prototypes and general reader must agree to be sure."""
        verdict = self.judge(votes, at)
        if verdict.code in FACES:
            return self._face(reading, verdict, votes, at)
        return self._plain(reading, verdict, votes, at)

    def compared(self, crop: Crop, reading: Reading, general: General, votes: Votes) -> Reading:
        """The reading of a face that stayed unsure, with the deck's own pictures laid beside it."""
        distances = self._distances(votes, 0)
        verdict = self.prototypes.judge(distances, self.between)
        if not self._open(verdict, general, votes):
            return reading
        rivals = self.prototypes.rivals(distances, self.between, CLOSE, MOST)
        others = np.where(np.asarray(FACES) == verdict.code, -1, general.cards)
        rivals = tuple(dict.fromkeys((*rivals, FACES[int(others.argmax())])))
        like = self.pictures.compared(crop, verdict.code, rivals)
        if like is None or not told(like, alike=verdict.apart < ALIKE):
            return reading
        return replace(
            reading, sure=True, card=Card.parse(verdict.code),
            confidence=max(reading.confidence, verdict.likely), second=Card.parse(rivals[0]),
        )  # fmt: skip

    def _open(self, verdict: Verdict, general: General, votes: Votes) -> bool:
        """Whether the pictures may decide: nothing speaks for another card, or for none."""
        if verdict.code not in FACES or not near(verdict):
            return False
        place = FACES.index(verdict.code)
        odds = np.log(np.maximum(general.cards, 1e-12))
        sure_of = general.reading.card if general.reading.sure else CARDS[place]
        return (
            general.reading.kind is CardKind.FACE
            and sure_of == CARDS[place]
            and float(odds[place] - np.delete(odds, place).max()) >= LOST
            and not _vetoed(votes, 0, frozenset({place}))
        )

    def _face(self, reading: Reading, verdict: Verdict, votes: Votes, at: int) -> Reading:
        """A crop that is nearest to a face of the deck."""
        place, expected = place_of(reading), self.expected(verdict.code)
        agreed = place in expected
        firm = strong(verdict)
        by_itself = firm and self.shaky(verdict.code) and not (reading.sure and not agreed)
        if not (agreed or by_itself):
            return self._unsure(reading, verdict)
        by_both = (
            place == FACES.index(verdict.code) and reading.sure and near(verdict, NEAR_SURE)
            and verdict.share >= SHARE_SURE and verdict.apart >= TWINS
        )  # fmt: skip
        sure = by_itself or by_both or (
            clear(verdict) and not self.odd(verdict.code)
            and (firm or (reading.confidence >= LIKELY and not _vetoed(votes, at, expected)))
        )  # fmt: skip
        second = Card.parse(verdict.second) if verdict.second in FACES else reading.second
        return Reading(
            kind=CardKind.FACE,
            card=Card.parse(verdict.code),
            confidence=verdict.likely if sure else min(verdict.likely, reading.confidence),
            sure=sure,
            second=second,
            turned=reading.turned,
        )

    def _unsure(self, reading: Reading, verdict: Verdict) -> Reading:
        """Prototypes and general reader differ: what the reader says, with the other beside it."""
        if reading.kind is not CardKind.FACE:
            return replace(reading, sure=False, kind=CardKind.OTHER)
        return replace(
            reading, sure=False, second=Card.parse(verdict.code),
            confidence=min(reading.confidence, 0.5),
        )  # fmt: skip

    def _plain(self, reading: Reading, verdict: Verdict, votes: Votes, at: int) -> Reading:
        """A crop that is nearest to the deck's back, its cut card or a joker."""
        kind = {BACK: CardKind.BACK, CUT: CardKind.CUT}.get(verdict.code, CardKind.OTHER)
        indexed = bool((_seen(votes)[at] >= SEEN).any()) and verdict.code != JOKER
        agreed = reading.kind is kind or verdict.distance <= NEAR
        if reading.kind is CardKind.FACE:
            return replace(reading, sure=False, confidence=min(reading.confidence, 0.5))
        near = verdict.distance <= NEAR_PLAIN and verdict.sigmas >= SIGMAS
        sure = near and agreed and not indexed and verdict.share >= SHARE
        return Reading(
            kind=kind if sure else CardKind.OTHER,
            card=None,
            confidence=verdict.likely if sure else min(reading.confidence, 0.5),
            sure=sure,
            second=None,
            turned=False,
        )


def near(verdict: Verdict, limit: float = NEAR) -> bool:
    """Whether a crop is in the reach of its prototype."""
    return verdict.distance <= max(limit, NEAR_SHARE * (2 * verdict.apart) ** 2)


def clear(verdict: Verdict) -> bool:
    """Whether a crop is near one prototype and well apart from all others."""
    return (
        near(verdict)
        and verdict.sigmas >= SIGMAS
        and verdict.share >= SHARE
        and verdict.apart >= ALIKE
    )


def told(like: Likeness, *, alike: bool) -> bool:
    """Whether a crop is the claimed card by its pictures; `alike` cards must be further apart."""
    return (
        like.same >= PICTURE
        and like.margin >= (MARGIN_TWINS if alike else MARGIN)
        and like.grains >= GRAINS
        and like.stray <= STRAY
    )


def strong(verdict: Verdict) -> bool:
    """Whether a crop lies at one prototype, far from all others."""
    return (
        near(verdict, NEAR_STRONG)
        and verdict.sigmas >= STRONG
        and verdict.share >= SHARE_STRONG
        and verdict.apart >= STRONG
    )


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
        "whole": protos.whole, "index": protos.index, "w_scale": protos.w_scale,
        "i_scale": protos.i_scale, "said": deck.said,
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
    kept = ("whole", "index", "w_scale", "i_scale", "said")
    arrays = {name: np.asarray(body.arrays[name], np.float32) for name in kept}
    shapes = {name: array.shape for name, array in arrays.items()}
    wanted = {"whole": (len(codes), 2, HIDDEN_SIZE), "index": (len(codes), HIDDEN_SIZE),
              "w_scale": (HIDDEN_SIZE, HIDDEN_SIZE), "i_scale": (HIDDEN_SIZE, HIDDEN_SIZE),
              "said": (len(codes), SAYS)}  # fmt: skip
    if shapes != wanted or len(names) != len(codes) or not set(codes) <= known or not codes:
        raise ValueError("arrays of another shape")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("numbers that are none")
    if body.head.finished and not set(FACES) <= set(codes):
        raise ValueError("cards are missing")
    return EnrolledDeck(
        head=body.head,
        prototypes=Prototypes(
            codes=codes,
            whole=arrays["whole"],
            index=arrays["index"],
            w_scale=arrays["w_scale"],
            i_scale=arrays["i_scale"],
        ),
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
