"""Baccarat's figures: those of RULES.md 3.3, and a slow count of small packs."""

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from studio.domain.cards import Card, Rank, Suit
from studio.games.baccarat.coup import CoupOutcome, coup
from studio.games.baccarat.pays import BETS, pays
from studio.games.baccarat.rules import BaccaratRules
from studio.games.procedure import Dealt, run
from studio.odds.baccarat import odds
from studio.odds.registry import odds as work_out
from studio.odds.report import GameOdds

SEQUENCES = 4_998_398_275_503_360
"""Sequences of six cards of eight packs, by value of cards and position."""


@cache
def plain(decks: int) -> GameOdds:
    return odds(BaccaratRules(decks=decks))


def edge(bet: str, **rules: Any) -> float:
    return round(100 * work_out("baccarat", rules).bet(bet).house_edge, 4)


def test_eight_packs_give_the_published_numbers_of_wins() -> None:
    found = plain(8)
    counts = [found.bet(bet).win * SEQUENCES for bet in ("player", "banker", "tie")]
    published = [2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216]
    assert counts == pytest.approx(published, rel=1e-15)


@pytest.mark.parametrize(
    ("bet", "eight", "six"),
    [
        ("banker", 1.0579, 1.0558),
        ("player", 1.2351, 1.2374),
        ("tie", 14.3596, 14.4382),
        ("player_pair", 10.3614, 11.2540),
        ("banker_pair", 10.3614, 11.2540),
        ("either_pair", 13.7099, 14.5365),
        ("perfect_pair", 8.0470, 12.5425),
        ("big", 4.3457, 4.3545),
        ("small", 5.2829, 5.2687),
        ("dragon_player", 2.6517, 2.6675),
        ("dragon_banker", 9.3731, 9.3889),
        ("lucky_six", 16.6836, 16.7163),
    ],
)
def test_every_bet_has_the_edge_of_the_rules(bet: str, eight: float, six: float) -> None:
    edges = [round(100 * plain(decks).bet(bet).house_edge, 4) for decks in (8, 6)]
    assert edges == [eight, six]


@pytest.mark.parametrize(
    ("bet", "rules", "eight", "six"),
    [
        ("tie", {"tie_pays": 9}, 4.8440, 4.9313),
        ("banker", {"banker_pays": "half_on_6"}, 1.4581, 1.4548),
        ("banker", {"banker_pays": "push_on_three_card_7"}, 1.0183, 1.0161),
        ("perfect_pair", {"perfect_pair_pays": 25}, 13.0294, 17.0716),
        ("lucky_six", {"lucky_six_pays": {"three_cards": 23}}, 11.6985, 11.7341),
    ],
)
def test_a_changed_rule_gives_its_own_edge(
    bet: str, rules: dict[str, Any], eight: float, six: float
) -> None:
    assert (edge(bet, **rules), edge(bet, **rules, decks=6)) == (eight, six)


def test_the_exact_edge_is_a_reduced_fraction_of_the_same_value() -> None:
    for bet in plain(8).bets:
        assert bet.exact is not None
        assert float(Fraction(bet.exact)) == bet.house_edge
        assert bet.win + bet.push + bet.lose == pytest.approx(1, abs=1e-15)
        assert bet.returned == pytest.approx(1 - bet.house_edge, abs=1e-15)


def test_a_rule_that_pays_changes_the_bet_that_it_pays_and_no_other() -> None:
    for name in ("player_pair", "perfect_pair", "big", "dragon_banker", "lucky_six"):
        found = work_out("baccarat", {f"{name}_pays": 7})
        changed = {bet.bet for bet in found.bets if bet != plain(8).bet(bet.bet)}
        assert changed == {name}


def test_one_pack_agrees_with_all_sequences_of_six_values_played_by_a_table_of_its_own() -> None:
    """All million sequences at once; the drawing table is that of RULES.md 3.1 in other words."""
    first, second, third, fourth, fifth, sixth = np.indices((10,) * 6)
    left = [16, *[4] * 9]
    ways = np.ones((10,) * 6)
    seen: list[Any] = []
    for card in (first, second, third, fourth, fifth, sixth):
        ways = ways * np.maximum(np.choose(card, left) - sum(card == other for other in seen), 0)
        seen.append(card)
    player, banker = (first + third) % 10, (second + fourth) % 10
    natural = (player >= 8) | (banker >= 8)
    drew = ~natural & (player <= 5)
    least = np.choose(banker, [0, 0, 0, 0, 2, 4, 6, 10, 10, 10])
    most = np.choose(banker, [9, 9, 9, 9, 7, 7, 7, 0, 0, 0])
    after_third = (fifth >= least) & (fifth <= most) & ~((banker == 3) & (fifth == 8))
    draws = ~natural & np.where(drew, after_third, banker <= 5)
    player = np.where(drew, player + fifth, player) % 10
    banker = np.where(draws, banker + np.where(drew, sixth, fifth), banker) % 10
    found = plain(1)
    for bet, won in (
        ("player", player > banker),
        ("banker", player < banker),
        ("tie", player == banker),
        ("small", ~drew & ~draws),
        ("lucky_six", (player < banker) & (banker == 6)),
    ):
        assert found.bet(bet).win == pytest.approx(ways[won].sum() / ways.sum(), rel=1e-12)


def test_coups_dealt_by_the_table_s_own_procedure_pay_what_is_expected() -> None:
    """Eight thousand coups of one pack; each bet's mean within four and a half standard errors."""
    rules, shuffle, coups = BaccaratRules(decks=1), Random(20), 8_000
    pack = [Card(rank, suit) for rank in Rank for suit in Suit]
    nets: dict[str, list[float]] = {bet: [] for bet in BETS}
    for _ in range(coups):
        for bet, pay in pays(rules, _dealt(rules, shuffle.sample(pack, 6))).items():
            nets[bet].append(pay.numerator / pay.denominator - 1)
    found = plain(1)
    for bet, net in nets.items():
        error = max(float(np.std(net)), 1e-9) / coups**0.5
        assert abs(float(np.mean(net)) + found.bet(bet).house_edge) <= 4.5 * error + 1e-12


def _dealt(rules: BaccaratRules, cards: list[Card]) -> CoupOutcome:
    for number in range(4, 7):
        standing = run(lambda: coup(rules), [Dealt(card) for card in cards[:number]])
        if standing.outcome is not None:
            return standing.outcome
    raise AssertionError("a coup has six cards at most")
