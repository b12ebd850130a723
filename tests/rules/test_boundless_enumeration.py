"""The house edges of the bets on the first cards, counted out over eight packs (RULES.md 1.7)."""

from __future__ import annotations

import itertools
from fractions import Fraction

from studio.domain.cards import PACK
from studio.games.boundless.outcome import HandResult
from studio.games.boundless.pays import PAYS, trio_pays
from studio.games.boundless.rules import DEFAULT
from studio.games.hands21 import natural

DECKS = 8
CARDS = 52 * DECKS


def test_the_edges_of_pair_and_both_trios_are_exactly_those_of_the_rule_book() -> None:
    back = dict.fromkeys(("pair", "lucky_trio", "poker_trio"), 0)
    for first, second, up in itertools.product(PACK, repeat=3):
        ways = DECKS * (DECKS - (second == first)) * (DECKS - (up == first) - (up == second))
        for bet, pay in trio_pays(DEFAULT, (first, second), up).items():
            back[bet] += ways * pay.returned(1)
    deals = CARDS * (CARDS - 1) * (CARDS - 2)
    assert {bet: 1 - Fraction(total, deals) for bet, total in back.items()} == {
        "pair": Fraction(14, 415),
        "lucky_trio": Fraction(19648, 372255),
        "poker_trio": Fraction(4596, 124085),
    }


def test_the_edge_of_insurance_is_exactly_that_of_the_rule_book() -> None:
    ace = PACK[0]
    pays = sum((DECKS - (hole == ace)) * natural(ace, hole) for hole in PACK)
    assert 1 - Fraction(3 * pays, CARDS - 1) == Fraction(31, 415)


def test_a_natural_pays_three_to_two() -> None:
    assert PAYS[HandResult.BLACKJACK].returned(1000) == 2500
