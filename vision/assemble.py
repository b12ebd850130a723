"""From outlines and index corners to physical cards: what belongs together, and what is sure.

A picture gives two kinds of evidence: outlines of whole cards with what was read in them, and index
corners with what was read there. `assemble` puts them together so that each physical card is
told once, and decides by VISION.md 2.5:

- a card with an outline is sure if its reading is, and no index that belongs to it, and none
  that lies strangely within it, names another card;
- it is also sure if its likeliest card is named by two of its indices that can be read well;
- a card without an outline is sure only if two corners that lie as the indices of one card do
  both name it; one corner alone is told and never sure.

The same functions serve an unknown picture (`size` None) and a zone of a known table, where the
caller gives the size of a card in pixels. Nothing here reads pixels.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from studio.domain.cards import Card
from vision.reader import CARDS, CardKind, Reading

if TYPE_CHECKING:
    from vision.corners import Corner, IndexVote

Quad = NDArray[np.float64]
"""Four corners in pixels, shape (4, 2), clockwise, the first two on a short side."""

CARD_MM: Final = (63.0, 88.0)
"""A poker-size card; bridge size differs by less than what an unknown view allows."""
INDEX_WIDE: Final = 0.66
"""Width of an index by its height, for its outline."""
INDEX_MM: Final = (9.0, 42.0)
"""Height of rank and suit together, from small standard to super indices."""
TURN: Final = math.radians(22)
"""The two indices of a card face each other within so much, lens and angle of view included."""
STRETCH: Final = 0.32
"""An unknown view may stretch the way between two indices by so much."""
STRETCH_KNOWN: Final = 0.14
"""The same where the size of a card is known."""
PLACE: Final = 0.17
"""An index lies within so much of its place, by the card's width or height."""


class By(StrEnum):
    """What a card was recognised by (CONTRACTS.md 4)."""

    WHOLE = "whole"
    INDEX = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLimits:
    """The figures that decide about indices; tuned on rendered scenes, never on photographs."""

    seen: float = 0.5
    """An index is there from this probability on; a fainter one is no index."""
    pair: float = 0.95
    """Two indices confirm the likeliest card of an outline if each names it with so much."""
    alone: float = 0.985
    """Two indices make a card sure by themselves if each names it with so much: they are printed
    alike, so that both may be misread alike."""
    confirms: float = 0.9
    """An index counts for an outline's card from this probability on."""
    contradicts: float = 0.7
    """An index vetoes a card that is not yet sure if its own is likelier than this."""
    overrules: float = 0.9
    """An index that lies strangely in a card that is sure vetoes it from this probability on."""
    sure: float = 0.99
    """A reading stays sure if its odds, after its indices were heard, are those of this share."""
    support: float = 100.0
    """The indices of a card are printed alike: together they raise the odds by no more."""


LIMITS: Final = IndexLimits()


@dataclass(frozen=True, slots=True)
class Outlined:
    """An outline of a whole card and what was read in it."""

    quad: Quad
    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """An index corner that can be seen, and what it says."""

    x: float
    y: float
    """The middle of the index in pixels."""
    angle: float
    """Radians by which the upright index is turned clockwise."""
    high: float
    """Height of rank and suit together in pixels."""
    card: Card
    """Its likeliest card."""
    confidence: float
    """That card's probability, 0 to 1."""
    there: float
    """Probability that it is a readable index at all, 0 to 1."""

    def outline(self) -> Quad:
        """The outline of the index, clockwise from its upper left."""
        half = np.asarray((INDEX_WIDE * self.high / 2, self.high / 2))
        square = np.asarray([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half
        turned = square @ axes(self.angle) + np.asarray((self.x, self.y))
        return np.asarray(turned, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Physical:
    """One physical card: face up and read or not, face down, a cut card."""

    kind: CardKind
    card: Card | None
    """The likeliest card, sure or not; None unless `kind` is FACE."""
    confidence: float
    sure: bool
    by: By
    quad: Quad
    """Its outline; for `by` INDEX the outline of its first index."""
    indices: tuple[int, ...] = ()
    """Which of the given index corners belong to it."""


def index_of(
    corner: "Corner", vote: "IndexVote", temperature: float, limits: IndexLimits = LIMITS
) -> Indexed | None:
    """What a corner and its vote say; None if there is no index to read.

    `temperature` is that of the nets that read it (`Corners.temperature`).
    """
    if vote.there < limits.seen:
        return None
    ranks = _shares(np.asarray(vote.ranks, dtype=np.float64), temperature)
    suits = _shares(np.asarray(vote.suits, dtype=np.float64), temperature)
    both = (ranks[:, None] * suits[None, :]).reshape(52)
    best = int(both.argmax())
    return Indexed(
        x=corner.x,
        y=corner.y,
        angle=corner.angle,
        high=corner.high,
        card=CARDS[best],
        confidence=float(both[best]),
        there=float(vote.there),
    )


def assemble(
    wholes: Sequence[Outlined],
    indices: Sequence[Indexed] = (),
    *,
    size: tuple[float, float] | None = None,
    limits: IndexLimits = LIMITS,
) -> tuple[Physical, ...]:
    """Each physical card of a picture once.

    `wholes` are about different cards already (no two share much); `size` is a card's width and
    height in pixels where it is known. Cards by outline come first, in the order given, then those
    by index.
    """
    told: list[Physical] = []
    free = set(range(len(indices)))
    for whole in wholes:
        inside = [at for at in sorted(free) if _within(whole.quad, indices[at])]
        own = [at for at in inside if at_its_place(whole.quad, indices[at])]
        strange = [at for at in inside if at not in own]
        beyond = [index for at, index in enumerate(indices) if at not in inside]
        named = [indices[at] for at in own]
        one = _by_outline(whole, named, [indices[at] for at in strange], tuple(own), limits)
        if one.sure and _cut_off(one, named, beyond, limits):
            one = replace(one, sure=False, confidence=min(one.confidence, 0.5))
        told.append(one)
        # Faint ones amid a card are its pips and its picture.
        free -= {at for at in inside if at in own or _weight(indices[at]) < limits.contradicts}
    left = sorted(free)
    told.extend(
        _by_index(tuple(left[at] for at in group), indices, limits)
        for group in groups([indices[at] for at in left], size=size)
    )
    return tuple(told)


def groups(
    indices: Sequence[Indexed], *, size: tuple[float, float] | None = None
) -> list[tuple[int, ...]]:
    """Which index corners belong to one card each: pairs that face each other, and lone ones.

    Corners that name different cards with confidence are never one card. The best fitting pairs
    come first; each corner belongs to one card only.
    """
    pairs = []
    for one in range(len(indices)):
        for two in range(one + 1, len(indices)):
            misfit = facing(indices[one], indices[two], size=size)
            same = indices[one].card == indices[two].card
            if misfit is None or not (same or min(_weight(indices[k]) for k in (one, two)) < 0.5):
                continue
            pairs.append((misfit + (0.0 if same else 1.0), one, two))
    taken: set[int] = set()
    out: list[tuple[int, ...]] = []
    for _, one, two in sorted(pairs):
        if one not in taken and two not in taken:
            taken |= {one, two}
            out.append((one, two))
    return out + [(at,) for at in range(len(indices)) if at not in taken]


def facing(one: Indexed, two: Indexed, *, size: tuple[float, float] | None = None) -> float | None:
    """How badly two corners fit as the two indices of one card, 0 to 1; None if they cannot be.

    They are upside down to each other, and the way from one to the other is that of the card's
    diagonal less the margins. Where the size is not known, it follows from the index's height,
    which is larger where the index is, and the way is shorter by as much.
    """
    apart = abs(_turn(two.angle - one.angle - math.pi))
    if apart > TURN or not 0.6 < one.high / two.high < 1.67:
        return None
    way = np.asarray((two.x - one.x, two.y - one.y))
    # Seen from both, so that a small error of one angle is halved.
    right, down = (axes(one.angle) @ way - axes(two.angle) @ way) / 2
    if right <= 0 or down <= 0:
        return None
    high = (one.high + two.high) / 2
    if size is None:
        index_mm = 80 / (down / high + 1)
        scale, allowed = high / index_mm, STRETCH
    else:
        scale, allowed = size[0] / CARD_MM[0], STRETCH_KNOWN
        index_mm = high / scale
    if not INDEX_MM[0] <= index_mm <= INDEX_MM[1]:
        return None
    # An index of h mm is printed 3 mm from the side and 4 mm from the end, about 0.6 h wide.
    wanted = np.asarray((57 - 0.6 * index_mm, 80 - index_mm)) * scale
    off = float(np.abs(np.asarray((right, down)) / wanted - 1).max())
    return None if off > allowed else (off / allowed + apart / TURN) / 2


def at_its_place(quad: Quad, index: Indexed) -> bool:
    """Whether an index lies in a corner of an outline, upright as that corner's index is."""
    place, turn = on_card(quad, index)
    if abs(_turn(turn - math.pi)) < math.pi / 2:
        place, turn = 1 - place, _turn(turn - math.pi)
    if abs(turn) > math.radians(30):
        return False
    # In either upper corner (decks with four indices print both); measured from the nearer side.
    across, down = min(place[0], 1 - place[0]), place[1]
    return bool(across < 0.06 + PLACE and 0 < down < 0.11 + 1.4 * PLACE)


def axes(angle: float) -> NDArray[np.float64]:
    """Rows: the directions to the right of and downwards from something turned clockwise."""
    return np.asarray(
        [(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))], dtype=np.float64
    )


def _by_outline(
    whole: Outlined,
    own: Sequence[Indexed],
    strange: Sequence[Indexed],
    at: tuple[int, ...],
    limits: IndexLimits,
) -> Physical:
    """Decide about a card with an outline."""
    reading = whole.reading
    told = Physical(
        kind=reading.kind,
        card=reading.card,
        confidence=reading.confidence,
        sure=reading.sure,
        by=By.WHOLE,
        quad=whole.quad,
        indices=at,
    )
    named = [index for index in own if index.confidence * index.there >= limits.confirms]
    agreed = _agreed(named, limits)
    believed = reading.kind is CardKind.FACE and reading.confidence >= limits.contradicts
    alone = agreed is not None and min(index.confidence for index in named) >= limits.alone
    if alone and not believed:
        # The reading says little, and two indices say the same: they are heard first.
        told = replace(told, kind=CardKind.FACE, card=agreed)
    if told.kind is not CardKind.FACE:
        # What looks like no face and has an index that can be read is a card to ask about.
        if not named:
            return told
        best = max(named, key=_weight)
        return replace(told, kind=CardKind.FACE, card=best.card, confidence=0.5, sure=False)
    if reading.sure and told.card == reading.card:
        stays = _stays(reading, own, strange, limits)
        return told if stays else replace(told, sure=False, confidence=min(reading.confidence, 0.5))
    against = [
        index
        for index in (*own, *strange)
        if index.card != told.card and _weight(index) >= limits.contradicts
    ]
    if against:
        return replace(told, sure=False, confidence=min(reading.confidence, 0.5))
    if agreed is not None and agreed == told.card:
        return replace(told, sure=True, confidence=max(0.99, reading.confidence))
    return told


def _cut_off(
    told: Physical, own: Sequence[Indexed], beyond: Sequence[Indexed], limits: IndexLimits
) -> bool:
    """Whether a card's other index lies beyond its outline, so that this is part of a card only.

    A fan offers outlines that are made of a part of one card and the edge of its neighbour.
    """
    mine = [index for index in own if index.card == told.card]
    paired = any(facing(one, two) is not None for one in mine for two in mine if one is not two)
    return not paired and any(
        other.card == told.card
        and _weight(other) >= limits.contradicts
        and facing(index, other) is not None
        for index in mine
        for other in beyond
    )


def _stays(
    reading: Reading, own: Sequence[Indexed], strange: Sequence[Indexed], limits: IndexLimits
) -> bool:
    """Whether a reading that is sure is still so after its indices were heard.

    The odds of the reading are multiplied by those of each index that names it and divided by those
    of each that names another card; it stays sure if they are still those of `limits.sure`.
    """
    if any(index.card != reading.card and _weight(index) >= limits.overrules for index in strange):
        return False
    odds, support = _odds(reading.confidence), 1.0
    for index in own:
        if index.card == reading.card:
            support *= max(1.0, _odds(_weight(index)))
        else:
            odds /= max(1.0, _odds(_weight(index)))
    return odds * min(support, limits.support) >= min(_odds(limits.sure), _odds(reading.confidence))


def _odds(share: float) -> float:
    """How often to once; a net is not believed beyond 1 in 10,000."""
    kept = min(max(share, 1e-4), 1 - 1e-4)
    return kept / (1 - kept)


def _agreed(named: Sequence[Indexed], limits: IndexLimits) -> Card | None:
    """The card that two indices of an outline both name well, if none names another."""
    well = [index for index in named if index.confidence >= limits.pair]
    cards = {index.card for index in well}
    return well[0].card if len(well) > 1 and len(cards) == 1 else None


def _by_index(group: tuple[int, ...], indices: Sequence[Indexed], limits: IndexLimits) -> Physical:
    """Decide about a card of which only index corners are known."""
    first = max(group, key=lambda at: _weight(indices[at]))
    card = indices[first].card
    shares = [indices[at].confidence if indices[at].card == card else 0.0 for at in group]
    sure = len(group) > 1 and min(shares) >= limits.alone
    confidence = 1 - math.prod(1 - share for share in shares) if sure else max(shares) * 0.9
    return Physical(
        kind=CardKind.FACE,
        card=card,
        confidence=confidence,
        sure=sure,
        by=By.INDEX,
        quad=indices[first].outline(),
        indices=group,
    )


def _weight(index: Indexed) -> float:
    """How much an index says: that it is there, and that it is its card."""
    return index.confidence * index.there


def _shares(logits: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Probabilities of logits."""
    raised = np.exp((logits - logits.max()) / temperature)
    return np.asarray(raised / raised.sum(), dtype=np.float64)


def _turn(angle: float) -> float:
    """An angle brought to -π to π."""
    return math.remainder(angle, 2 * math.pi)


def on_card(quad: Quad, index: Indexed) -> tuple[NDArray[np.float64], float]:
    """Where on an outline an index lies (0 to 1 across and down) and its turn there."""
    across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
    down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    shift = np.asarray((index.x, index.y)) - quad.mean(axis=0)
    basis = np.column_stack([across, down])
    place = np.linalg.solve(basis, shift) + 0.5
    turn = index.angle - math.atan2(across[1], across[0])
    return np.asarray(place, dtype=np.float64), _turn(turn)


def _within(quad: Quad, index: Indexed) -> bool:
    """Whether the middle of an index lies within an outline."""
    if abs(np.linalg.det(np.column_stack([quad[1] - quad[0], quad[3] - quad[0]]))) < 1:
        return False
    place, _ = on_card(quad, index)
    return bool((place > 0).all() and (place < 1).all())
