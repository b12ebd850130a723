"""The 32 cards of Baloot: which beats which, and what each counts (RULES.md 4.1, 4.4, 4.6)."""

from enum import StrEnum
from functools import cache
from typing import Final

from studio.domain.cards import Card, Rank, Suit

SEATS: Final = 4
"""Players, in the order of play: each next one sits to the right of the one before."""
SIDES: Final = 2
"""Partners sit opposite each other: the side of a seat is its number modulo 2."""
HAND: Final = 8
"""Cards of a full hand."""
NATURAL: Final = (
    Rank.ACE,
    Rank.KING,
    Rank.QUEEN,
    Rank.JACK,
    Rank.TEN,
    Rank.NINE,
    Rank.EIGHT,
    Rank.SEVEN,
)
"""Natural order, highest first: that of runs and of their comparison."""
PLAIN: Final = (
    Rank.ACE,
    Rank.TEN,
    Rank.KING,
    Rank.QUEEN,
    Rank.JACK,
    Rank.NINE,
    Rank.EIGHT,
    Rank.SEVEN,
)
"""Order in tricks in sun and in every suit that is not hokum, highest first."""
HOKUM: Final = (
    Rank.JACK,
    Rank.NINE,
    Rank.ACE,
    Rank.TEN,
    Rank.KING,
    Rank.QUEEN,
    Rank.EIGHT,
    Rank.SEVEN,
)
"""Order in tricks of the hokum suit, highest first."""
PACK: Final[tuple[Card, ...]] = tuple(
    Card(rank, suit) for suit in Suit for rank in Rank if rank in NATURAL
)
"""The pack without 2 to 6, by suit C D H S and rank A to K."""
PLAIN_POINTS: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
"""Card points in sun and in plain suits; other ranks count nothing."""
HOKUM_POINTS: Final = PLAIN_POINTS | {Rank.JACK: 20, Rank.NINE: 14}
"""Card points in the hokum suit."""
LAST_TRICK: Final = 10
"""Card points for the last trick."""


class Mode(StrEnum):
    """How the round is played."""

    HOKUM = "hokum"
    """One suit cuts the others."""
    SUN = "sun"
    """No suit cuts."""


def side_of(seat: int) -> int:
    """Side of a seat, 0 or 1."""
    return seat % SIDES


def next_seat(seat: int, steps: int = 1) -> int:
    """The seat so many places to the right, in the order of play."""
    return (seat + steps) % SEATS


def in_turn(first: int) -> tuple[int, ...]:
    """All seats in the order of play, beginning with this one."""
    return tuple(next_seat(first, steps) for steps in range(SEATS))


def partner(seat: int) -> int:
    """The seat opposite."""
    return next_seat(seat, 2)


def strength(card: Card, trump: Suit | None) -> int:
    """How high a card ranks in its suit, 7 for the highest; `trump` is None in sun."""
    order = HOKUM if card.suit is trump else PLAIN
    return len(order) - 1 - order.index(card.rank)


def points(card: Card, trump: Suit | None) -> int:
    """Card points that a card counts; `trump` is None in sun."""
    return (HOKUM_POINTS if card.suit is trump else PLAIN_POINTS).get(card.rank, 0)


@cache
def all_points(mode: Mode) -> int:
    """Card points of a round, the last trick among them: 130 in sun, 162 in hokum."""
    trump = Suit.SPADES if mode is Mode.HOKUM else None
    return sum(points(card, trump) for card in PACK) + LAST_TRICK
