"""Boundless Blackjack's figures: those of RULES.md 1.7, and what changes them."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from studio.domain.cards import Card, Rank, Suit
from studio.games.blackjack.rules import HoleCard
from studio.games.boundless.pays import trio_pays
from studio.games.boundless.rules import DEFAULT, read_rules
from studio.games.hands21 import Hand
from studio.odds.analysis import main_bet
from studio.odds.boundless import NO_SURRENDER_UNDER, house_rules
from studio.odds.registry import odds
from studio.odds.report import GameOdds
from studio.odds.sidebets import insurance, side_bets


@cache
def found() -> GameOdds:
    return odds("boundless-blackjack", {})


def paid(**rules: Any) -> dict[str, float]:
    return {bet.bet: bet.returned for bet in side_bets(read_rules(rules))}


@pytest.mark.parametrize(
    ("bet", "percent"),
    [
        ("main", 99.5169),
        ("main_table", 99.5150),
        ("main_auto", 91.9761),
        ("pair", 96.6265),
        ("lucky_trio", 94.7219),
        ("poker_trio", 96.2961),
        ("bust_bonus", 93.8157),
        ("insurance", 92.5301),
    ],
)
def test_every_bet_returns_what_the_rules_say(bet: str, percent: float) -> None:
    assert round(100 * found().bet(bet).returned, 4) == percent


@pytest.mark.parametrize(
    ("bet", "edge"),
    [
        ("pair", Fraction(14, 415)),
        ("lucky_trio", Fraction(19648, 372255)),
        ("poker_trio", Fraction(4596, 124085)),
        ("insurance", Fraction(31, 415)),
    ],
)
def test_the_exact_edges_are_those_of_the_rules(bet: str, edge: Fraction) -> None:
    exact = found().bet(bet).exact
    assert exact is not None
    assert Fraction(exact) == edge


def test_the_house_s_label_stands_beside_the_figure_of_our_own() -> None:
    plain = found().as_dict()
    assert plain["label_return"] == 0.9946
    assert plain["bets"][0]["bet"] == "main"
    assert plain["bets"][0]["return"] != pytest.approx(plain["label_return"], abs=1e-4)


@pytest.mark.soak
@pytest.mark.parametrize(("most", "percent"), [(2, 99.405), (4, 99.458)])
def test_the_readings_that_come_near_the_label_are_those_of_the_rules(
    most: int, percent: float
) -> None:
    """RULES.md 1.7: without the peek and all stakes lost, with one split and with four hands."""
    rules = replace(house_rules(DEFAULT), hole_card=HoleCard.ALL_LOST, max_hands=most)
    found_ = main_bet(rules, no_surrender_under=NO_SURRENDER_UNDER)
    main, by_table, _ = found_.bets
    assert round(100 * by_table.returned, 3) == percent
    assert main.returned == pytest.approx(by_table.returned + 0.00002, abs=0.00001)


def test_the_probabilities_of_each_bet_add_up_to_one() -> None:
    for bet in found().bets:
        assert bet.win + bet.push + bet.lose == pytest.approx(1, abs=1e-12)
        assert min(bet.win, bet.push, bet.lose) >= 0


def test_paying_any_three_sevens_as_suited_ones_would_return_more_than_all() -> None:
    """RULES.md 1.2, T8: the slip of one text would return 100.69 %."""
    assert round(100 * paid(lucky_trio_pays={"unsuited_777": 200})["lucky_trio"], 2) == 100.69


@pytest.mark.parametrize("bet", ["pair", "bust_bonus", "lucky_trio", "poker_trio"])
def test_the_first_and_the_last_row_of_a_pay_table_change_its_own_bet_only(bet: str) -> None:
    rows = getattr(DEFAULT, f"{bet}_pays").names
    for row in (rows[0], rows[-1]):
        changed = paid(**{f"{bet}_pays": {row: 7}})
        other = {name for name, value in changed.items() if value != found().bet(name).returned}
        assert other == {bet}, row


def test_six_packs_have_figures_of_their_own() -> None:
    six = {bet.bet: bet for bet in side_bets(replace(DEFAULT, decks=6))}
    # The same Lucky Trio table on six packs is published with an edge of 5.31 %.
    assert round(100 * six["lucky_trio"].house_edge, 2) == 5.31
    assert insurance(6).exact == "23/311"


def test_hands_dealt_at_random_pay_what_is_expected() -> None:
    """Fifteen thousand hands; each side bet's mean within four and a half standard errors."""
    pack = [Card(rank, suit) for rank in Rank for suit in Suit] * DEFAULT.decks
    shuffle, hands = Random(7), 15_000
    nets: dict[str, list[float]] = {"bust_bonus": []}
    for _ in range(hands):
        cards = shuffle.sample(pack, 14)
        for bet, pay in trio_pays(DEFAULT, cards[:2], cards[2]).items():
            nets.setdefault(bet, []).append(pay.numerator / pay.denominator - 1)
        dealer = Hand(cards[:2])
        while dealer.score < 17:
            dealer.take(cards[len(dealer.cards)])
        row = str(min(len(dealer.cards), 8))
        bust = DEFAULT.bust_bonus_pays[row].win if dealer.score > 21 else -1
        nets["bust_bonus"].append(bust)
    for bet, net in nets.items():
        error = float(np.std(net)) / hands**0.5
        assert abs(float(np.mean(net)) + found().bet(bet).house_edge) < 4.5 * error, bet
