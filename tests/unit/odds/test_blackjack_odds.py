"""Blackjack's figures: those of RULES.md 2.4, and that every flag matters."""

from functools import cache
from random import Random
from typing import Any

import pytest

from studio.games.blackjack.rules import BlackjackRules, Surrender, read_rules
from studio.games.paytable import Odds
from studio.odds.analysis import main_bet
from studio.odds.chances import ends
from studio.odds.compositions import hands, of
from studio.odds.dealer import pack
from studio.odds.registry import odds
from studio.odds.splits import Pair, Places, split

BASE = {"max_hands": 4}
"""S17, double any two, double after split, split to four hands, peek (RULES.md 2.4)."""
QUICK: list[tuple[dict[str, Any], float]] = [
    (BASE, 99.567),
]
LONG: list[tuple[dict[str, Any], float]] = [
    (BASE | {"hole_card": "none_all_lost"}, 99.567 - 0.112),
    (BASE | {"dealer_hits_soft_17": True}, 99.567 - 0.214),
    (BASE | {"double_after_split": False}, 99.567 - 0.141),
    (BASE | {"double_on": "9-11"}, 99.567 - 0.094),
    (BASE | {"double_on": "10-11"}, 99.567 - 0.185),
    (BASE | {"max_hands": 2}, 99.567 - 0.052),
    (BASE | {"double_after_split": False, "max_hands": 2}, 99.567 - 0.141 - 0.032),
    (BASE | {"resplit_aces": True}, 99.567 + 0.071),
    (BASE | {"hit_split_aces": True}, 99.567 + 0.190),
    (BASE | {"surrender": "late"}, 99.567 + 0.076),
    (BASE | {"surrender": "early"}, 99.567 + 0.629),
    (BASE | {"charlie": 5}, 99.567 + 1.54),
    (BASE | {"charlie": 6}, 99.567 + 0.15),
    (BASE | {"charlie": 7}, 99.567 + 0.01),
    (BASE | {"blackjack_pays": [6, 5]}, 99.567 - 1.358),
]


def percent(given: dict[str, Any], bet: str = "main") -> float:
    return 100 * odds("blackjack", given).bet(bet).returned


@pytest.mark.parametrize(("given", "published"), QUICK)
def test_the_return_is_that_of_the_rules_within_a_two_hundredth_of_a_point(
    given: dict[str, Any], published: float
) -> None:
    assert percent(given) == pytest.approx(published, abs=0.005)


@pytest.mark.soak
@pytest.mark.parametrize(("given", "published"), LONG)
def test_the_return_of_every_other_row_is_that_of_the_rules(
    given: dict[str, Any], published: float
) -> None:
    assert percent(given) == pytest.approx(published, abs=0.005)


@cache
def plain_without_splits() -> float:
    return without_splits()


def without_splits(**flags: Any) -> float:
    return 100 * main_bet(read_rules({"max_hands": 1, **flags})).bets[0].returned


@pytest.mark.parametrize(
    ("flags", "least", "most"),
    [
        # In points; about the effects of RULES.md 2.4, which are those of games with splits.
        ({"dealer_hits_soft_17": True}, -0.26, -0.18),
        ({"hole_card": "none_all_lost"}, -0.12, -0.05),
        ({"double_on": "9-11"}, -0.13, -0.06),
        ({"double_on": "10-11"}, -0.26, -0.15),
        ({"surrender": "late"}, 0.05, 0.12),
        ({"surrender": "early"}, 0.55, 0.75),
        ({"charlie": 5}, 1.50, 1.70),
        ({"blackjack_pays": [6, 5]}, -1.37, -1.35),
        ({"decks": 1}, 0.2, 0.8),
        ({"decks": 6}, 0.01, 0.06),
    ],
)
def test_every_flag_of_a_single_hand_has_its_own_effect(
    flags: dict[str, Any], least: float, most: float
) -> None:
    assert least < without_splits(**flags) - plain_without_splits() < most


def worth_of_split(value: int, up: int, **flags: Any) -> float:
    rules = read_rules({"decks": 2, "max_hands": 4, **flags})
    return split(Places(pair=Pair(rules=rules, up=up, value=value))).worth


@pytest.mark.parametrize(
    ("value", "flags"),
    [
        (8, {"max_hands": 2}),
        (8, {"max_hands": 3}),
        (8, {"double_after_split": False}),
        (7, {"double_on": "10-11"}),
        (1, {"resplit_aces": True}),
        (1, {"hit_split_aces": True}),
        (1, {"hit_split_aces": True, "resplit_aces": True}),
    ],
)
def test_every_flag_of_splits_changes_what_a_split_is_worth(
    value: int, flags: dict[str, Any]
) -> None:
    more = value == 1
    plain = worth_of_split(value, 6)
    assert (worth_of_split(value, 6, **flags) > plain) is more
    assert worth_of_split(value, 6, **flags) != pytest.approx(plain, abs=1e-4)


def test_tens_that_must_be_of_one_rank_are_split_again_less_often() -> None:
    by_rank = worth_of_split(10, 6, split_by="rank")
    # Splitting tens is bad play, and each further split is worse.
    rules = {"decks": 2, "max_hands": 4}
    again = [
        Pair(rules=read_rules(rules | {"split_by": way}), up=6, value=10)
        for way in ("value", "rank")
    ]
    assert [pair.alike for pair in again] == [32, 8]
    assert by_rank == pytest.approx(worth_of_split(10, 6), abs=0.5)


def test_a_natural_takes_two_stakes_of_a_split_only_where_all_is_lost() -> None:
    worth = {
        way: worth_of_split(8, 10, hole_card=way)
        for way in ("peek", "none_original_lost", "none_all_lost")
    }
    # A second hand that was bust before is lost too, as the game has it: a natural in one of
    # thirteen rounds, and about one such hand in five.
    assert 0.01 < worth["peek"] - worth["none_original_lost"] < 0.02
    assert worth["none_all_lost"] < worth["peek"] - 0.05


def test_insurance_is_there_only_where_it_is_offered() -> None:
    names = [bet.bet for bet in odds("blackjack", {"max_hands": 1, "insurance": False}).bets]
    assert names == ["main", "main_table", "main_auto"]
    assert odds("blackjack", {"max_hands": 1, "decks": 1}).bet("insurance").exact == "1/17"


def test_late_surrender_without_a_hole_card_is_refused_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="nothing to wait for"):
        read_rules({"surrender": "late", "hole_card": "none_all_lost"})


def test_rules_are_told_by_their_public_names() -> None:
    rules = BlackjackRules(decks=6, surrender=Surrender.EARLY, blackjack_pays=Odds(6, 5))
    assert read_rules(rules.as_dict()) == rules
    assert list(rules.as_dict()) == [
        "decks",
        "cut_card_from_end",
        "dealer_hits_soft_17",
        "hole_card",
        "double_on",
        "double_after_split",
        "max_hands",
        "resplit_aces",
        "hit_split_aces",
        "split_by",
        "charlie",
        "surrender",
        "blackjack_pays",
        "insurance",
    ]


def test_the_table_of_best_plays_is_the_well_known_one() -> None:
    table = odds("blackjack", {"surrender": "late"}).extras["strategy"]
    assert table["up"] == ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]
    rows = {
        f"{kind} {hand}": " ".join(plays)
        for kind in ("hard", "soft", "pairs")
        for hand, plays in table[kind].items()
    }
    assert rows["hard 16"] == "S S S S S H H R R R"
    assert rows["hard 11"] == "D D D D D D D D D H"
    assert rows["hard 12"] == "H H S S S H H H H H"
    assert rows["soft 18"] == "S Ds Ds Ds Ds S S H H H"
    assert rows["pairs 8"] == "P P P P P P P P P P"
    assert rows["pairs 9"] == "P P P P P S P P S S"
    assert rows["pairs T"] == "S S S S S S S S S S"


def test_the_ends_of_a_dealer_s_hand_add_up_to_one_for_every_hand_of_a_player() -> None:
    everything = hands()
    for up in (1, 5, 10):
        left = pack(8) - everything.counts
        left[:, up - 1] -= 1
        for hits in (False, True):
            found = ends(left, up, hits_soft_17=hits)
            assert found.sum(axis=1) == pytest.approx(1, abs=1e-12)
            assert found[everything.number[of(10, 6)]].min() >= 0


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
def test_under_any_flags_best_play_is_no_worse_than_a_table_and_a_table_than_silence(
    seed: int,
) -> None:
    chance = Random(seed)
    given = {
        name: chance.choice([False, True])
        for name in (
            "dealer_hits_soft_17",
            "double_after_split",
            "resplit_aces",
            "hit_split_aces",
            "insurance",
        )
    } | {
        "decks": chance.randint(1, 8),
        "max_hands": chance.randint(1, 4),
        "charlie": chance.choice([0, 5, 6, 7]),
        "hole_card": chance.choice(["peek", "none_all_lost", "none_original_lost"]),
        "double_on": chance.choice(["any", "9-11", "10-11"]),
        "split_by": chance.choice(["value", "rank"]),
        "surrender": chance.choice(["none", "early"]),
        "blackjack_pays": chance.choice([[3, 2], [6, 5], [7, 5]]),
    }
    found = odds("blackjack", given)
    returns = [found.bet(bet).returned for bet in ("main", "main_table", "main_auto")]
    assert returns == sorted(returns, reverse=True)
    for bet in found.bets:
        assert min(bet.win, bet.push, bet.lose) >= 0
        assert bet.win + bet.push + bet.lose == pytest.approx(1, abs=1e-12)
