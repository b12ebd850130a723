"""The shoe as an inventory: what was loaded, what is gone and why, what may still come out.

It knows a count per card, never an order. Cards of unknown identity (backs) are counted apart, so
that the total is always right and the count per card never claims more than was seen.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from studio.domain.cards import PACK, Card
from studio.domain.values import replace


class Fate(StrEnum):
    """Why a card is no longer in the shoe."""

    DEALT = "dealt"
    """Accepted in a round, also in one that was voided later."""
    BURNED = "burned"
    """Taken out of the game when the shoe was opened, or by a repair."""
    DEAD = "dead"
    """Outside every round: fell out early, one too many, no longer fitting after a correction."""


class Verdict(StrEnum):
    """What the closing balance of a shoe says."""

    BALANCED = "balanced"
    """Nothing is missing, nothing is too many: in total and per card."""
    UNVERIFIED = "unverified"
    """The total is right; which cards the unseen ones were, nobody knows."""
    MISMATCH = "mismatch"
    """The total or the count of a card is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSeen:
    """When the cut card came out."""

    round_no: int
    """Number of the round in the shoe; 0 before the first."""
    cards: int
    """Cards of that round dealt before it; 0 between rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """The closing balance: dealt + burned + dead + remaining against loaded."""

    loaded: int
    dealt: int
    burned: int
    dead: int
    remaining: int
    unknown: int
    """Cards whose identity nobody knows: backs among those that are gone; 0 if it can be told."""
    verdict: Verdict
    too_many: tuple[tuple[Card, int], ...] = ()
    """Cards of which more turned up than were loaded, and how many more."""
    missing: tuple[tuple[Card, int], ...] = ()
    """Cards of which too few turned up, and how many; only where every card was to be seen."""

    @property
    def difference(self) -> int:
        """Cards too many (above 0) or missing (below 0) in total."""
        return self.dealt + self.burned + self.dead + self.remaining - self.loaded


_PLACE: Final[dict[Card, int]] = {card: place for place, card in enumerate(PACK)}
_NONE_GONE: Final[tuple[int, ...]] = (0,) * len(PACK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoe:
    """What was loaded and what is gone. Every change gives a new value."""

    packs: int
    """Packs that were loaded, 1 to 8."""
    pack: tuple[Card, ...] = PACK
    """The cards of one pack."""
    seen: tuple[int, ...] = _NONE_GONE
    """How many of each card are known to be gone, in the order of `PACK`."""
    dealt: int = 0
    burned: int = 0
    dead: int = 0
    unknown: int = 0
    """Cards that are gone and whose identity is not known."""
    cut: CutSeen | None = None
    """None while the cut card is in the shoe."""

    @staticmethod
    def loaded(packs: int, *, unknown_gone: int = 0, pack: tuple[Card, ...] = ()) -> "Shoe":
        """A shoe of so many packs, out of which so many unknown cards were dealt already.

        `pack`: the cards of one pack; empty: all 52.
        """
        return Shoe(packs=packs, pack=pack or PACK, dealt=unknown_gone, unknown=unknown_gone)

    @property
    def size(self) -> int:
        """Cards that were loaded, the cut card not counted."""
        return len(self.pack) * self.packs

    @property
    def gone(self) -> int:
        """Cards that left the shoe."""
        return self.dealt + self.burned + self.dead

    @property
    def left(self) -> int:
        """Cards still in the shoe, the cut card not counted; below 0 if the count is off."""
        return self.size - self.gone

    def gone_of(self, card: Card) -> int:
        """How many of this card are known to be gone."""
        return self.seen[_PLACE[card]]

    def loaded_of(self, card: Card) -> int:
        """How many of this card were loaded; 0 of one that the packs do not have."""
        return self.packs if card in self.pack else 0

    def may_hold(self, card: Card) -> bool:
        """Whether the shoe can still give this card, by what is known to be gone (V5)."""
        return self.left > 0 and self.gone_of(card) < self.loaded_of(card)

    def take(self, card: Card | None, fate: Fate = Fate.DEALT) -> "Shoe":
        """One card left the shoe; None if nobody knows which."""
        counted = self._counted(fate, 1)
        if card is None:
            return replace(counted, unknown=self.unknown + 1)
        return replace(counted, seen=self._changed(self.seen, card, 1))

    def put_back(self, card: Card | None, fate: Fate) -> "Shoe":
        """Undo `take`: this card was counted and never left the shoe.

        Raises:
            ValueError: if no such card is gone.
        """
        if getattr(self, fate.value) < 1:
            raise ValueError(f"no card is {fate.value}, so none can be put back")
        counted = self._counted(fate, -1)
        if card is None:
            return replace(counted, unknown=self._unknown_less_one())
        return replace(counted, seen=self._changed(self.seen, card, -1))

    def identify(self, card: Card) -> "Shoe":
        """One of the unknown cards turned out to be this one.

        Raises:
            ValueError: if every card that is gone is known.
        """
        return replace(
            self, unknown=self._unknown_less_one(), seen=self._changed(self.seen, card, 1)
        )

    def correct(self, was: Card | None, really: Card) -> "Shoe":
        """A card that is gone was counted as another one (None: as unknown).

        Raises:
            ValueError: if no such card is gone.
        """
        if was is None:
            return self.identify(really)
        freed = self._changed(self.seen, was, -1)
        return replace(self, seen=self._changed(freed, really, 1))

    def move(self, cards: int, before: Fate, after: Fate) -> "Shoe":
        """So many cards have another fate than was counted, as dead after a correction.

        Raises:
            ValueError: if fewer have the fate before.
        """
        if cards > getattr(self, before.value):
            raise ValueError(f"fewer than {cards} cards are {before.value}")
        counts = {fate.value: getattr(self, fate.value) for fate in Fate}
        counts[before.value] -= cards
        counts[after.value] += cards
        return replace(self, **counts)

    def cut_card_out(self, round_no: int, cards: int) -> "Shoe":
        """The cut card came out after so many cards of this round."""
        return replace(self, cut=CutSeen(round_no=round_no, cards=cards))

    def cut_card_overdue(self, cards_from_end: int) -> bool:
        """Whether more cards are gone than lay before a cut card placed so far from the end."""
        return self.cut is None and self.gone > self.size - cards_from_end

    def balance(self, remaining: int, scanned: Sequence[Card] | None = None) -> Balance:
        """Close the shoe: so many cards were counted in it, and perhaps scanned as well.

        In total always; per card once all that is gone is identified or the remainder was
        scanned. What stays unknown then gives `UNVERIFIED`, never a claim.

        Raises:
            ValueError: if a remainder was scanned and its length is not the number counted.
        """
        if scanned is not None and len(scanned) != remaining:
            raise ValueError(f"{remaining} cards were counted, but {len(scanned)} were scanned")
        rest = Counter(scanned or ())
        turned_up = {card: self.seen[_PLACE[card]] + rest[card] for card in PACK}
        more = {card: n - self.loaded_of(card) for card, n in turned_up.items()}
        too_many = tuple((card, n) for card, n in more.items() if n > 0)
        missing: tuple[tuple[Card, int], ...] = ()
        if scanned is not None and self.unknown == 0:
            missing = tuple((card, -n) for card, n in more.items() if n < 0)
        told = self.unknown == 0 or scanned is not None
        if self.gone + remaining != self.size or too_many or missing:
            verdict = Verdict.MISMATCH
        else:
            verdict = Verdict.BALANCED if told else Verdict.UNVERIFIED
        return Balance(
            loaded=self.size,
            dealt=self.dealt,
            burned=self.burned,
            dead=self.dead,
            remaining=remaining,
            unknown=0 if verdict is Verdict.BALANCED else self.unknown,
            verdict=verdict,
            too_many=too_many,
            missing=missing,
        )

    def _counted(self, fate: Fate, cards: int) -> "Shoe":
        """The same shoe with so many cards more of a fate."""
        match fate:
            case Fate.DEALT:
                return replace(self, dealt=self.dealt + cards)
            case Fate.BURNED:
                return replace(self, burned=self.burned + cards)
            case Fate.DEAD:
                return replace(self, dead=self.dead + cards)

    @staticmethod
    def _changed(seen: tuple[int, ...], card: Card, change: int) -> tuple[int, ...]:
        """The counts with one card more or less; ValueError if none of it is gone."""
        place = _PLACE[card]
        count = seen[place] + change
        if count < 0:
            raise ValueError(f"no {card} is known to be gone")
        return (*seen[:place], count, *seen[place + 1 :])

    def _unknown_less_one(self) -> int:
        """The number of unknown cards without one; ValueError if there is none."""
        if self.unknown < 1:
            raise ValueError("every card that is gone is known")
        return self.unknown - 1
