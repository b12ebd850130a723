"""Cards, their codes and the packs they come from.

Codes are those of the house: rank ``A 2 … 9 T J Q K`` then suit ``C D H S``, as ``7H``. The cut
card is ``CUT``. ``??`` is an unreadable card and ``XX`` a face-down card of unknown identity;
neither is ever a value, so neither is a `Card`.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

CUT: Final = "CUT"
"""Code of the cut card."""
UNREADABLE: Final = "??"
"""Printed for a card that was found and could not be read."""
HIDDEN: Final = "XX"
"""Printed for a face-down card whose identity nobody may know or nobody knows."""


class Rank(StrEnum):
    """The thirteen ranks; the value is the first character of a card's code."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"


class Suit(StrEnum):
    """The four suits; the value is the second character of a card's code."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def red(self) -> bool:
        """Whether the suit is printed red in a two-colour deck."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card by rank and suit. Two packs hold two equal ones."""

    rank: Rank
    suit: Suit

    def __str__(self) -> str:
        """Give the code, as ``7H``."""
        return self.rank + self.suit

    @property
    def code(self) -> str:
        """The two-character code, as ``7H``."""
        return self.rank + self.suit

    @staticmethod
    def parse(code: str) -> "Card":
        """Read a code such as ``7H``.

        Raises:
            ValueError: with a sentence that names what was given and what a code looks like.
        """
        try:
            return _BY_CODE[code]
        except (KeyError, TypeError):
            text = f"{code!r} is not a card: write rank A23456789TJQK then suit CDHS, as 7H"
            raise ValueError(text) from None


PACK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards of a standard pack, by suit C D H S and rank A to K."""
_BY_CODE: Final[dict[str, Card]] = {card.code: card for card in PACK}


@cache
def pack_count(decks: int) -> dict[Card, int]:
    """Count of each card in a shoe of so many packs of 52 (1 to 8)."""
    return dict.fromkeys(PACK, decks)


def pack_of(ranks: str) -> tuple[Card, ...]:
    """The cards of a pack that has the four of each of these ranks; all 52 for an empty text."""
    return tuple(card for card in PACK if card.rank.value in ranks) if ranks else PACK


def ranks_of(pack: tuple[Card, ...]) -> str:
    """The ranks of which a pack has the four cards, as text; empty where it has all 52.

    Raises:
        ValueError: if it has some cards of a rank and not all.
    """
    found = "".join(dict.fromkeys(card.rank.value for card in pack))
    if pack_of(found) != pack:
        raise ValueError(f"a pack has all four cards of a rank or none, not {len(pack)} of these")
    return "" if pack == PACK else found
