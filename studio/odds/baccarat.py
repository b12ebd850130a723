"""Baccarat: every bet by exact enumeration of all coups of a fresh shoe (RULES.md 3).

Two enumerations, because no bet looks at both. The totals follow from the values of at most six
cards: all sequences of values are counted in whole numbers. The pairs follow from ranks and suits
of the first four cards: the Player's two are equal, of one rank, or different, and whichever cards
these are, the Banker's two meet the same counts.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from studio.domain.cards import Card, Rank, Suit
from studio.games.baccarat.coup import (
    CoupOutcome,
    banker_draws,
    natural,
    player_draws,
    points,
)
from studio.games.baccarat.pays import BETS, pays
from studio.games.baccarat.rules import BaccaratRules
from studio.odds.report import GameOdds, Progress, Tally, silent

PAIR_BETS: Final = ("player_pair", "banker_pair", "either_pair", "perfect_pair")
"""Bets on ranks and suits of the first four cards; all others are on totals and counts."""
METHOD: Final = (
    "exact enumeration of all coups of a fresh shoe in whole numbers; the only rounding is the "
    "last one, to double precision"
)
_CARDS: Final = tuple(Card(rank, suit) for rank in Rank for suit in Suit)
_OF_VALUE: Final[dict[int, Card]] = {points(card): card for card in _CARDS}
"""One card of each value 0 to 9, to stand for all of that value."""
_VALUES: Final = range(10)
_HANDS: Final = tuple(combinations_with_replacement(_VALUES, 2))
_PATTERNS: Final = (
    # Two equal cards, two of one rank, two different ones, and in how many ways of 52 × 52 each.
    ((Card(Rank.TWO, Suit.CLUBS), Card(Rank.TWO, Suit.CLUBS)), 52),
    ((Card(Rank.TWO, Suit.CLUBS), Card(Rank.TWO, Suit.HEARTS)), 52 * 3),
    ((Card(Rank.TWO, Suit.CLUBS), Card(Rank.SIX, Suit.HEARTS)), 52 * 48),
)


def odds(rules: BaccaratRules, progress: Progress = silent) -> GameOdds:  # noqa: ARG001  one shape
    """All twelve bets under these rules."""
    tallies = {bet: Tally() for bet in BETS}
    for on_pairs, outcomes in ((False, _by_totals(rules.decks)), (True, _by_pairs(rules.decks))):
        for outcome, deals in outcomes:
            returned = pays(rules, outcome)
            for bet, tally in tallies.items():
                if (bet in PAIR_BETS) is on_pairs:
                    tally.add(returned[bet], deals)
    return GameOdds(
        game="baccarat",
        rules=rules.as_dict(),
        bets=tuple(tally.odds(bet) for bet, tally in tallies.items()),
        method=METHOD,
    )


def _by_totals(decks: int) -> list[tuple[CoupOutcome, int]]:
    """Every coup as far as totals and numbers of cards go, with its number of deals.

    Deals are sequences of six cards: a coup of four is counted once for each fifth and sixth card
    that could have followed.
    """
    counted: dict[tuple[int, int, int | None, int | None], int] = {}
    for player, banker, left, deals in _two_and_two(decks):
        has = (sum(player) % 10, sum(banker) % 10)
        for thirds, more in _thirds(left, *has):
            counted[has + thirds] = counted.get(has + thirds, 0) + deals * more
    return [(_standing_for(*coup), deals) for coup, deals in counted.items()]


def _two_and_two(
    decks: int,
) -> Iterator[tuple[tuple[int, int], tuple[int, int], list[int], int]]:
    """The values of both first hands, the cards of each value that are left, number of deals."""
    full = [
        4 * decks * sum(points(Card(rank, Suit.CLUBS)) == value for rank in Rank)
        for value in _VALUES
    ]
    for player in _HANDS:
        after, ways = _taken(full, player)
        for banker in _HANDS:
            left, times = _taken(after, banker)
            if ways * times:
                yield player, banker, left, ways * times


def _taken(left: list[int], hand: tuple[int, int]) -> tuple[list[int], int]:
    """What is left without two cards of these values, and in how many orders they can come."""
    first, second = hand
    after = left.copy()
    after[first] -= 1
    ways = left[first] * after[second] * (1 if first == second else 2)
    after[second] -= 1
    return after, ways


def _thirds(
    left: list[int], player: int, banker: int
) -> Iterator[tuple[tuple[int | None, int | None], int]]:
    """Third cards of Player and Banker by value, None for none, with the number of deals."""
    cards = sum(left)
    if natural(player) or natural(banker):
        yield (None, None), cards * (cards - 1)
        return
    for third in _VALUES if player_draws(player) else (None,):
        ways = cards if third is None else left[third]
        if not banker_draws(banker, third):
            # The next card is anybody's: of all that are left but the Player's third.
            yield (third, None), ways * (cards - 1)
            continue
        for fourth in _VALUES:
            rest = left[fourth] - (fourth == third)
            # Without the Player's third the sixth card is anybody's.
            yield (third, fourth), (rest * (cards - 1) if third is None else ways * rest)


def _standing_for(player: int, banker: int, third: int | None, fourth: int | None) -> CoupOutcome:
    """A coup of these totals of two cards and these third cards."""
    nothing = _OF_VALUE[0]
    return CoupOutcome(
        player=(_OF_VALUE[player], nothing, *_drawn(third)),
        banker=(_OF_VALUE[banker], nothing, *_drawn(fourth)),
    )


def _drawn(value: int | None) -> tuple[Card, ...]:
    return () if value is None else (_OF_VALUE[value],)


def _by_pairs(decks: int) -> Iterator[tuple[CoupOutcome, int]]:
    """The first four cards as far as pairs go, with their number of deals."""
    for player, ways in _PATTERNS:
        left = dict.fromkeys(_CARDS, decks)
        left[player[0]] -= 1
        deals = ways * decks * left[player[1]]
        left[player[1]] -= 1
        for first, second in combinations_with_replacement(_CARDS, 2):
            after = left[second] - (first == second)
            if times := deals * left[first] * after * (1 if first == second else 2):
                yield CoupOutcome(player=player, banker=(first, second)), times
