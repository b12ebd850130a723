"""What readings mean for a thing in a zone: of a whole card, of its indices, of both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from studio.domain.observations import Look
from vision.assemble import Physical
from vision.locate import Image
from vision.reader import CardKind, Reading
from vision.settle import Thing, Vote

WHOLE_AGREES: Final = 0.9
"""What is seen of a partly covered card agrees with its one index from this confidence on."""
INDEX_ALONE: Final = 0.85
"""And the index must be read with this much, which no index alone exceeds by far."""
INDEX_WITH_WHOLE: Final = 0.5
"""The same where the reading of the whole card is sure by itself."""

LOOKS: Final = {
    CardKind.FACE: Look.FACE,
    CardKind.BACK: Look.BACK,
    CardKind.CUT: Look.CUT,
    CardKind.OTHER: Look.UNKNOWN,
}


class Reads(Protocol):
    """What the view wants of a reader."""

    def read(self, crops: Sequence[NDArray[np.uint8]]) -> list[Reading]:
        """Read rectified cards."""


def vote_of(reading: Reading) -> Vote:
    """A reading as the settling understands it; an unsure face keeps its best guess."""
    known = reading.kind is CardKind.FACE
    return Vote(
        look=LOOKS[reading.kind],
        card=reading.card if known else None,
        confidence=reading.confidence,
        sure=reading.sure and reading.kind is not CardKind.OTHER,
        second=reading.second if known else None,
    )


@dataclass(frozen=True, slots=True)
class Ask:
    """A crop that is to be read for a thing, and what its index corners say, if it is covered."""

    thing: Thing
    crop: Image
    by_index: Physical | None = None
    paid: bool = False
    """The frame's time for reading it was taken already."""

    def vote(self, reading: Reading, *, own_deck: bool = False) -> Vote:
        """What the reading of the crop means for the thing."""
        whole = vote_of(reading)
        if self.by_index is None:
            return whole
        return covered_vote(self.by_index, whole, own_deck=own_deck)


def covered_vote(index: Physical, whole: Vote, *, own_deck: bool = False) -> Vote:
    """What is said of a card that shows an index or two, and some of the rest (VISION.md 2.5).

    Two corners that agree are sure unless the whole contradicts. One corner is sure only with a
    second kind of evidence: what else can be seen of the card, its pips and its ink, read as the
    same card. With a studio's own deck only that deck's word makes a card sure, and indices can
    only deny it: a foreign card shows an index too.
    """
    same = whole.look is Look.FACE and whole.card == index.card
    if own_deck:
        sure = same and whole.sure and (index.sure or index.confidence >= INDEX_WITH_WHOLE)
    elif index.sure:
        sure = same or not whole.sure
    elif whole.sure:
        sure = same and index.confidence >= INDEX_WITH_WHOLE
    else:
        sure = same and whole.confidence >= WHOLE_AGREES and index.confidence >= INDEX_ALONE
    second = whole.card if not same else whole.second
    return Vote(
        look=Look.FACE, card=index.card, confidence=index.confidence, sure=sure, second=second
    )
