"""Side bets of Boundless Blackjack and insurance, by exact enumeration (RULES.md 1.6, 1.7).

Which pattern three cards make and what it pays is asked of the game itself.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from math import factorial
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.boundless.pays import INSURED, trio_pays
from studio.games.boundless.rules import BoundlessRules
from studio.games.boundless.sidebets import bust_bonus
from studio.games.hands21 import TEN
from studio.games.spec import LOST
from studio.odds.dealer import ACE, deals, pack
from studio.odds.report import BetOdds, Tally

_CARDS: Final = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
_THREE: Final = 3
TRIOS: Final = ("lucky_trio", "poker_trio")
"""Bets on three cards whose order does not matter."""


def insurance(decks: int) -> BetOdds:
    """Insurance on a fresh shoe of which the dealer's ace is out (D-03, D-21)."""
    left = list(pack(decks))
    left[ACE - 1] -= 1
    tally = Tally()
    tally.add(INSURED, left[TEN - 1])
    tally.add(LOST, sum(left) - left[TEN - 1])
    return tally.odds("insurance")


def side_bets(rules: BoundlessRules) -> tuple[BetOdds, ...]:
    """The four side bets under these pay tables."""
    tallies = {bet: Tally() for bet in ("pair", "bust_bonus", *TRIOS)}
    for first, second, deals_ in _pairs(rules.decks):
        # Pair does not look at the third card, so any stands for all.
        tallies["pair"].add(trio_pays(rules, (first, second), first)["pair"], deals_)
    for cards, deals_ in _trios(rules.decks):
        returned = trio_pays(rules, cards[:2], cards[2])
        for bet in TRIOS:
            tallies[bet].add(returned[bet], deals_)
    for hand, deals_ in deals(rules.decks, hits_soft_17=False):
        row = str(bust_bonus(hand.cards))
        pay = rules.bust_bonus_pays[row].pay if hand.bust else LOST
        tallies["bust_bonus"].add(pay, deals_)
    return tuple(tally.odds(bet) for bet, tally in tallies.items())


def _pairs(decks: int) -> Iterator[tuple[Card, Card, int]]:
    """The shared hand's first two cards, each with the number of deals."""
    for first in _CARDS:
        for second in _CARDS:
            yield first, second, decks * (decks - (first == second))


def _trios(decks: int) -> Iterator[tuple[tuple[Card, Card, Card], int]]:
    """Three cards, whatever their order, each with the number of deals."""
    for cards in combinations_with_replacement(_CARDS, _THREE):
        number = factorial(_THREE)
        for card in set(cards):
            alike = cards.count(card)
            for taken in range(alike):
                number *= decks - taken
            number //= factorial(alike)
        yield cards, number
