"""Which cards may be played, and who takes a trick (RULES.md 4.3, 4.4)."""

from collections.abc import Sequence

from studio.domain.cards import Card, Suit
from studio.games.baloot.cards import side_of, strength
from studio.games.baloot.rules import BalootRules, UnderTrump, Void

Played = tuple[int, Card]
"""Who played what."""


def winner(trick: Sequence[Played], trump: Suit | None) -> int:
    """The seat whose card wins: the highest hokum, else the highest card of the led suit."""
    return winning(trick, trump)[0]


def winning(trick: Sequence[Played], trump: Suit | None) -> Played:
    """Seat and card that win a trick of at least one card; `trump` is None in sun."""
    best = trick[0]
    for played in trick[1:]:
        if beats(played[1], best[1], trump):
            best = played
    return best


def beats(card: Card, other: Card, trump: Suit | None) -> bool:
    """Whether a card takes another one that was played before it."""
    if card.suit is other.suit:
        return strength(card, trump) > strength(other, trump)
    return card.suit is trump


def legal(
    rules: BalootRules,
    hand: Sequence[Card],
    trick: Sequence[Played],
    seat: int,
    trump: Suit | None,
    *,
    closed: bool,
) -> tuple[Card, ...]:
    """The cards of a hand that its seat may play to this trick, in the order of the hand."""
    if not trick:
        return _lead(hand, trump, closed=closed)
    led = trick[0][1].suit
    suited = tuple(card for card in hand if card.suit is led)
    best_seat, best = winning(trick, trump)
    opposed = side_of(best_seat) != side_of(seat)
    must = rules.void is Void.MUST_TRUMP and trump is not None and opposed
    if suited:
        higher = tuple(card for card in suited if beats(card, best, trump))
        return higher if must and led is trump and higher else suited
    trumps = tuple(card for card in hand if card.suit is trump)
    if not must or not trumps:
        return tuple(hand)
    over = tuple(card for card in trumps if beats(card, best, trump))
    if over:
        return over
    return trumps if rules.under_trump is UnderTrump.MUST else tuple(hand)


def _lead(hand: Sequence[Card], trump: Suit | None, *, closed: bool) -> tuple[Card, ...]:
    """In a closed round nobody leads hokum who has another suit."""
    plain = tuple(card for card in hand if card.suit is not trump)
    return plain if closed and plain else tuple(hand)
