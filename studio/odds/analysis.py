"""The main bet of a game of the twenty-one family, over all first cards of a fresh shoe."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.games.blackjack.rules import BlackjackRules, SplitBy, Surrender
from studio.games.hands21 import HITS_UPTO, TEN, TWO_CARDS
from studio.odds.chances import NATURAL, Array, ends
from studio.odds.compositions import Hands, hands, of
from studio.odds.dealer import ACE, VALUES, pack
from studio.odds.play import COLUMNS, HIT, STAND, WORTH, Choice, Played, Plays, Spot, play
from studio.odds.report import BetOdds, Progress, silent
from studio.odds.splits import Pair, Places, Split, split
from studio.odds.strategy import UPS, Column, as_dict, column, name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Against:
    """Everything about one up card that does not depend on how hands are played."""

    rules: BlackjackRules
    up: int
    spot: Spot
    pairs: Mapping[int, Places]
    """By value of the cards; empty if nobody may split."""


def against(rules: BlackjackRules, up: int) -> Against:
    """Work out the dealer's chances behind this up card for all hands of a player."""
    all_hands = hands()
    left = np.array(pack(rules.decks)) - all_hands.counts
    left[:, up - 1] -= 1
    chances = ends(left, up, hits_soft_17=rules.dealer_hits_soft_17)
    pairs = [Pair(rules=rules, up=up, value=value) for value in VALUES]
    return Against(
        rules=rules,
        up=up,
        spot=Spot(rules=rules, hands=all_hands, up=up, left=left, ends=chances),
        pairs={pair.value: Places(pair=pair) for pair in pairs if pair.most_hands >= TWO_CARDS},
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line:
    """How all hands against one up card are played, and what they are worth."""

    played: Played
    splits: Mapping[int, Split]
    """By value: the pairs that are split."""


def best_line(place: Against) -> tuple[Line, Column]:
    """Play each hand as is best for its composition; and the one table that comes nearest."""
    played = play(place.spot)
    all_hands = place.spot.hands
    splits = {
        value: split(places, unsplit=float(played.worth[all_hands.number[of(value, value)], WORTH]))
        for value, places in place.pairs.items()
    }
    table = column(place.up, place.spot.hands, played, _without(place), splits)
    return Line(played=played, splits=_only(splits, table.splits())), table


def table_line(place: Against, table: Column) -> Line:
    """Play each hand as one table says."""
    splits = {
        value: split(place.pairs[value], table.choice(hands(value))) for value in table.splits()
    }
    return Line(played=play(place.spot, table.choice(place.spot.hands)), splits=splits)


def automatic_line(place: Against) -> Line:
    """Hit 11 and less, stand above, and do nothing else (RULES.md 1.1)."""
    return Line(played=play(place.spot, _automatic(place.spot.hands)), splits={})


def _automatic(all_hands: Hands) -> Choice:
    plays = np.where(all_hands.score <= HITS_UPTO, HIT, STAND)

    def choose(numbers: NDArray[np.int64], worth: Array) -> Plays:  # noqa: ARG001  one shape
        return np.asarray(plays[numbers])

    return choose


def _only(splits: Mapping[int, Split], wanted: frozenset[int]) -> dict[int, Split]:
    return {value: split_ for value, split_ in splits.items() if value in wanted}


def _without(place: Against) -> tuple[int, ...]:
    """The full pack without the up card."""
    left = list(pack(place.rules.decks))
    left[place.up - 1] -= 1
    return tuple(left)


def worth(place: Against, line: Line) -> Array:
    """Mean net result, wins and pushes of all first cards against this up card: (3,)."""
    all_hands, left = place.spot.hands, _without(place)
    ways = sum(left) * (sum(left) - 1)
    whole = np.zeros(COLUMNS)
    for low, high in _two_cards():
        first, second = left[low - 1], left[high - 1]
        dealt = first * (first - 1) if low == high else 2 * first * second
        number = all_hands.number[of(low, high)]
        of_hand = line.played.worth[number]
        if (low, high) == (ACE, TEN):
            of_hand = _natural(place, float(place.spot.ends[number, NATURAL]))
        elif low == high and low in line.splits:
            of_hand = _with_split(place.rules, low, of_hand, line.splits[low])
        whole += dealt / ways * of_hand
    return whole


def _two_cards() -> Iterator[tuple[int, int]]:
    return ((low, high) for low in VALUES for high in range(low, TEN + 1))


def _natural(place: Against, dealer_too: float) -> Array:
    """A natural wins its price, or pushes against another one."""
    pays = place.rules.blackjack_pays
    return np.array([pays.win / pays.stake, 1, 0]) * (1 - dealer_too) + [0, 0, dealer_too]


def _with_split(rules: BlackjackRules, value: int, unsplit: Array, split_: Split) -> Array:
    """A pair that is split; of tens by rank only those that are of one rank."""
    apart = np.array([split_.worth, *split_.signs()])
    if value != TEN or rules.split_by is SplitBy.VALUE:
        return apart
    share = (4 * rules.decks - 1) / (16 * rules.decks - 1)
    return np.asarray(share * apart + (1 - share) * unsplit)


@dataclass(frozen=True, slots=True, kw_only=True)
class MainBet:
    """The main bet under several ways of playing, and the table of best plays."""

    bets: tuple[BetOdds, ...]
    """``main`` (best for each composition), ``main_table`` (one table), ``main_auto``."""
    strategy: Mapping[str, Any]


def main_bet(
    rules: BlackjackRules,
    progress: Progress = silent,
    no_surrender_under: frozenset[int] = frozenset(),
) -> MainBet:
    """Work out the main bet on a fresh shoe.

    `no_surrender_under` are values of the up card, ace 1, under which nobody may surrender: none in
    blackjack, whose rules do not know of it.
    """
    full = pack(rules.decks)
    barred = replace(rules, surrender=Surrender.NONE)
    sums: dict[str, Array] = {}
    columns: dict[int, Column] = {}
    for done, up in enumerate(UPS):
        progress(f"up card {name(up)}: {done} of {len(UPS)} done")
        place = against(barred if up in no_surrender_under else rules, up)
        best, columns[up] = best_line(place)
        lines = {
            "main": best,
            "main_table": table_line(place, columns[up]),
            "main_auto": automatic_line(place),
        }
        for bet, line in lines.items():
            share = full[up - 1] / sum(full)
            sums[bet] = sums.get(bet, np.zeros(COLUMNS)) + share * worth(place, line)
    return MainBet(
        bets=tuple(_bet(bet, figures) for bet, figures in sums.items()),
        strategy=as_dict(columns),
    )


def _bet(bet: str, figures: Array) -> BetOdds:
    net, wins, pushes = map(float, figures)
    return BetOdds(
        bet=bet,
        win=wins,
        push=pushes,
        lose=1 - wins - pushes,
        returned=1 + net,
        house_edge=-net,
    )
