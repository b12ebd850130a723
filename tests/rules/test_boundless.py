"""Boundless Blackjack by the numbers of the decisions in force, each test named after one.

What the procedure and the pay tables decide; the side bets are in `test_boundless_side_bets`. Of
D-08, D-09 and D-10 the other half (no deal without bets, wallets, refusals and clocks) is the
table's and is tested there.
"""

from __future__ import annotations

import pytest

from studio.domain.cards import Card
from studio.games.boundless import GAME
from studio.games.boundless.sidebets import pair
from studio.games.procedure import (
    Clear,
    Confirm,
    Confirmed,
    Deal,
    Dealt,
    Decide,
    Facing,
    Input,
    Offer,
    Reveal,
    run,
)
from studio.games.shoe import ShoeStep
from tests.support.shared_course import play

FIRST_FOUR = ["bets", "M", "D", "M", "D"]
RULES = GAME.rules({})


def cards(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def first_offer(codes: str) -> Offer:
    """What the first decision window of a round with these four cards offers."""
    return play(codes).windows[0][0]


def test_d01_what_a_player_gets_is_rounded_down_to_the_minor_unit() -> None:
    surrendered = play("TS 9D 6C TC", "surrender")
    assert surrendered.returned("main", 333, "M:surrender") == 166
    assert surrendered.returned("main", 1, "M:surrender") == 0
    assert play("AS 9D KC TC").returned("main", 333) == 832
    kind, share = GAME.extra(RULES, "", "insure")
    assert (kind, share.returned(333), share.returned(1)) == ("insurance", 166, 0)


def test_d02_the_hole_card_is_looked_at_under_an_ace_and_a_ten_value_and_nowhere_else() -> None:
    for up in ("TD", "JD", "QD", "KD"):
        assert play(f"9S {up} 7C 5C").steps == [*FIRST_FOUR, "peek"]
    assert play("9S AD 7C 5C").steps == [*FIRST_FOUR, "insurance", "peek"]
    for up in "23456789":
        assert play(f"9S {up}D 7C 5C").steps == FIRST_FOUR


def test_d02_a_dealers_natural_ends_the_round_with_no_further_card() -> None:
    for four in ("9S AD 7C KC", "9S KD 7C AC"):
        course = play(four, bets=("bust_bonus", "main"))
        assert course.steps[-1] == "hole_card"
        assert course.done.code == "dealer_blackjack"
        assert len(course.done.dealt) == 4
        assert course.hands() == [("M", "9S 7C", "lose")]


def test_d02_the_round_goes_on_the_same_whatever_card_lies_hidden() -> None:
    """The procedure is never told the hidden card before it is turned."""
    without = play("9S KD 7C 5C")
    assert without.inputs[4] == Dealt(None)
    named = [*without.inputs[:4], Dealt(Card.parse("AC")), *without.inputs[5:]]
    assert run(lambda: GAME.round(RULES), named).due == without.due


def test_d03_insurance_is_offered_under_an_ace_to_those_who_are_seated() -> None:
    course = play("9S AD 7C 5C")
    asked = course.asked[5]
    assert isinstance(asked, Decide)
    assert asked.offers == (
        Offer("", "", ("insure", "decline"), ("insure",), auto="decline", short="decline"),
    )
    assert "insurance" not in play("9S AD 7C 5C", seated=0, bets=("pair",)).steps


def test_d03_insurance_pays_two_to_one_and_loses_whatever_else_the_round_brings() -> None:
    assert play("9S AD 7C KC", insured=True).returned("insurance", 500) == 1500
    busted = play("9S AD 7C 5C 9C", "hit", insured=True)
    assert busted.returned("insurance", 500) == 0


def test_d03_an_insured_natural_nets_one_main_stake_whatever_the_dealer_has() -> None:
    for hole, main, insurance in (("KC", 1000, 1500), ("5C", 2500, 0)):
        course = play(f"AS AD QC {hole}", insured=True)
        assert course.steps[5:7] == ["insurance", "peek"]
        back = course.returned("main", 1000), course.returned("insurance", 500)
        assert back == (main, insurance)
        assert sum(back) - 1500 == 1000


def test_d04_split_hands_start_with_images_and_a_wave_goes_m_l_r() -> None:
    course = play(
        "8S 6D 8C TC 2H 3H 4H 5H 6H 7H TH",
        {"": ["split", "hit", "stand"]},
        "hit",
        "stand",
        seated=3,
    )
    assert course.steps[5:] == [
        *("decision", "M", "L", "R"),
        *("decision", "M", "L", "R"),
        *("decision", "hole_card", "D"),
    ]
    assert course.hands("M:hit M:hit") == [("M", "8S 8C 2H 5H", "bust")]
    assert course.hands("M:split L:hit,R:hit L:stand,R:stand") == [
        ("L", "8S 3H 6H", "win"),
        ("R", "8C 4H 7H", "win"),
    ]


def test_d04_a_lane_without_takers_gets_no_card_and_is_never_opened_again() -> None:
    course = play(
        "8S 6D 8C TC 3H 4H 5H TH",
        {"": ["split"]},
        "hit,stand",
        "stand",
    )
    assert course.steps[5:] == [
        *("decision", "L", "R"),
        *("decision", "L"),
        *("decision", "hole_card", "D"),
    ]
    assert [[offer.lane for offer in offers] for offers in course.windows] == [
        ["M"],
        ["L", "R"],
        ["L"],
    ]


def test_d04_all_takers_of_a_lane_get_the_same_card() -> None:
    course = play(
        "5S 6D 4C TC TH TS",
        {"": ["hit", "double", "stand"]},
        "stand",
        seated=3,
    )
    assert course.hands("M:hit M:stand") == [("M", "5S 4C TH", "win")]
    assert course.hands("M:double") == [("M", "5S 4C TH", "win")]
    assert course.hands("M:stand") == [("M", "5S 4C", "win")]


@pytest.mark.parametrize(
    ("codes", "action", "ends"),
    [
        ("5S 6D 6C TC TS TH", "hit", ("M", "5S 6C TS", "win")),
        ("9S 6D 3C TC TS TH", "hit", ("M", "9S 3C TS", "bust")),
        ("9S 6D 3C TC 2S TH", "double", ("M", "9S 3C 2S", "win")),
    ],
)
def test_d04_a_hand_is_over_at_twenty_one_when_it_is_bust_and_when_it_was_doubled(
    codes: str, action: str, ends: tuple[str, str, str]
) -> None:
    course = play(codes, action)
    assert len(course.windows) == 1
    assert course.hands(f"M:{action}") == [ends]


def test_d04_under_lanes_m_is_played_to_its_end_then_l_then_r() -> None:
    course = play(
        "8S 6D 8C TC 2H 3H 4H AC 5C 5D TH",
        {"": ["split", "hit"]},
        "hit",
        "stand",
        "hit",
        "stand",
        "hit",
        "stand",
        seated=2,
        schedule="lanes",
    )
    assert course.steps[5:] == [
        *("decision", "M", "L", "R"),
        *("decision", "M", "decision"),
        *("decision", "L", "decision"),
        *("decision", "R", "decision"),
        *("hole_card", "D"),
    ]
    assert course.hands("M:split L:hit L:stand R:hit R:stand") == [
        ("L", "8S 3H 5C", "win"),
        ("R", "8C 4H 5D", "win"),
    ]


def test_d05_with_a_natural_nobody_has_a_decision() -> None:
    course = play("AS 6D QC TC 9C", bets=("bust_bonus", "main"))
    assert course.windows == []
    assert course.hands() == [("M", "AS QC", "blackjack")]
    against = play("AS KD QC AC")
    assert against.steps[5:] == ["peek", "hole_card"]
    assert against.hands() == [("M", "AS QC", "push")]


@pytest.mark.parametrize(
    ("codes", "windows", "bets", "drawn"),
    [
        ("TS 6D 9C TC 5C", ("stand",), ("main",), 1),
        ("TS 6D 9C TC 5C", ("surrender",), ("main",), 0),
        ("TS 6D 6C TC KC", ("hit",), ("main",), 0),
        ("AS 6D KC TC 5C", (), ("main",), 0),
        ("AS 6D KC TC 5C", (), ("bust_bonus", "main"), 1),
        ("TS 6D 6C TC KC 5C", ("hit",), ("bust_bonus", "main"), 1),
        ("TS 6D 9C TC 5C", ("surrender",), ("bust_bonus", "main"), 1),
        ("TS TD 6C AC", (), ("bust_bonus", "main"), 0),
    ],
)
def test_d06_the_dealer_draws_for_a_hand_that_waits_or_for_bust_bonus(
    codes: str, windows: tuple[str, ...], bets: tuple[str, ...], drawn: int
) -> None:
    course = play(codes, *windows, bets=bets)
    assert len(course.done.dealer) - 2 == drawn
    assert "hole_card" in course.steps


def test_d06_one_split_hand_that_is_not_bust_is_enough_for_the_dealer_to_draw() -> None:
    course = play("TS 6D KC TC 5C 6C 8S TH TD", "split", "hit,stand")
    assert [hand[2] for hand in course.hands("M:split L:hit,R:stand")] == ["bust", "win"]
    assert len(course.done.dealer) == 3


def test_d06_the_dealer_stands_on_every_seventeen_a_soft_one_too() -> None:
    course = play("TS 6D 9C AC 5C", "stand")
    assert (course.done.score, len(course.done.dealer)) == (17, 2)


def test_d07_with_side_bets_alone_four_cards_are_dealt_and_nobody_is_asked() -> None:
    course = play("9S AD 7C 5C", seated=0, bets=("lucky_trio", "pair"))
    assert course.steps == [*FIRST_FOUR, "peek", "hole_card"]
    drawn = play("9S 6D 7C TC 9C", seated=0, bets=("bust_bonus",))
    assert drawn.steps == [*FIRST_FOUR, "hole_card", "D"]
    assert drawn.returned("bust_bonus", 100) == 200


def test_d08_a_round_without_bets_is_dealt_only_where_the_table_says_so() -> None:
    assert RULES.deal_without_bets is False
    course = play("9S 6D 7C TC", seated=0, bets=(), deal_without_bets=True)
    assert course.steps == [*FIRST_FOUR, "hole_card"]
    assert course.done.cohorts == ()


@pytest.mark.parametrize(
    ("codes", "short"),
    [("5S 6D 5C TC", "hit"), ("8S 6D 3C TC", "hit"), ("8S 6D 8C TC", "stand"),
     ("AS 6D AC TC", "stand"), ("6S 6D 6C TC", "stand"), ("AS 6D 2C TC", "stand")],
)  # fmt: skip
def test_d09_without_the_money_a_hand_is_hit_up_to_eleven_and_stood_above(
    codes: str, short: str
) -> None:
    offer = first_offer(codes)
    assert offer.short == short
    assert "double" in offer.costs


def test_d09_after_a_substituted_hit_the_player_decides_again() -> None:
    course = play("5S 6D 5C TC 2H", "hit")
    assert course.windows[1] == (Offer("M:hit", "M", ("hit", "stand"), auto="stand"),)


@pytest.mark.parametrize(
    ("codes", "auto"),
    [("5S 6D 6C TC", "hit"), ("8S 6D 4C TC", "stand"), ("AS 6D 2C TC", "stand"),
     ("2S 6D 2C TC", "hit")],
)  # fmt: skip
def test_d10_automatic_play_hits_up_to_eleven_and_an_ace_counts_eleven(
    codes: str, auto: str
) -> None:
    assert first_offer(codes).auto == auto


def test_d10_automatic_play_never_insures_doubles_splits_or_surrenders() -> None:
    course = play("8S AD 8C 5C 3H", "hit")
    asked = [d for d in course.asked if isinstance(d, Decide)]
    automatic = [offer.auto for decide in asked for offer in decide.offers]
    assert automatic == ["decline", "stand"]
    assert all(offer.short in ("hit", "stand", "decline", "") for d in asked for offer in d.offers)


def test_d11_equal_values_may_be_split_but_make_no_pair_bet() -> None:
    assert "split" in first_offer("KS 6D QC TC").actions
    assert pair(*cards("KS QC")) is None
    assert "split" not in first_offer("KS 6D 9C TC").actions
    assert "split" in first_offer("AS 6D AC TC").actions


def test_d12_any_two_cards_may_be_doubled_and_nothing_after_a_hit() -> None:
    for codes in ("AS 6D 7C TC", "KS 6D QC TC", "5S 6D 4C TC", "9S AD 2C 5C"):
        assert "double" in first_offer(codes).actions
    assert "double" not in play("2S 6D 3C TC 2H", "hit").windows[1][0].actions


def test_d12_split_hands_may_be_doubled_except_aces_and_twenty_ones() -> None:
    course = play("8S 6D 8C TC 3H 4H", "split")
    assert [offer.actions for offer in course.windows[1]] == [("hit", "stand", "double")] * 2
    aces = play("AS 6D AC TC 5H TH", "split")
    assert aces.windows[1:] == []
    tens = play("KS 6D QC TC AH 5H", "split")
    assert [offer.lane for offer in tens.windows[1]] == ["R"]


def test_d12_a_split_hand_may_not_be_split_or_surrendered_and_its_ace_makes_no_natural() -> None:
    course = play("8S 6D 8C TC 8H 8D", "split")
    for offer in course.windows[1]:
        assert {"split", "surrender"}.isdisjoint(offer.actions)
    aces = play("AS 6D AC TC KH QH 5D", "split")
    assert [hand[2] for hand in aces.hands("M:split")] == ["push", "push"]
    assert aces.returned("main", 100, "M:split") == aces.returned("split", 100, "M:split") == 100


@pytest.mark.parametrize(
    ("number", "kinds"),
    [
        (1, ("main", "pair", "bust_bonus", "lucky_trio", "poker_trio")),
        (40, ("main", "pair", "bust_bonus", "lucky_trio", "poker_trio")),
        (41, ("main", "bust_bonus", "lucky_trio", "poker_trio")),
        (45, ("main", "bust_bonus", "lucky_trio", "poker_trio")),
        (46, ("main",)),
    ],
)
def test_d13_pair_may_be_bet_in_forty_rounds_of_a_shoe_and_the_others_in_forty_five(
    number: int, kinds: tuple[str, ...]
) -> None:
    assert GAME.offered(RULES, number) == kinds
    for bet in ("main", "pair", "bust_bonus", "lucky_trio", "poker_trio"):
        refused = GAME.refuse_bet(RULES, bet, frozenset(), number)
        assert refused == (None if bet in kinds else "round_limit")
    assert GAME.refuse_bet(RULES, "insurance", frozenset(), number) == "not_offered"
    assert GAME.refuse_bet(RULES, "split", frozenset(), number) == "not_offered"


def test_d13_the_limits_are_settings() -> None:
    rules = GAME.rules({"pair_rounds": 2, "side_bet_rounds": 3})
    assert GAME.refuse_bet(rules, "pair", frozenset(), 3) == "round_limit"
    assert GAME.refuse_bet(rules, "bust_bonus", frozenset(), 3) is None
    assert GAME.refuse_bet(rules, "bust_bonus", frozenset(), 4) == "round_limit"


def test_d14_the_round_with_the_cut_card_is_the_last_whenever_it_comes_out() -> None:
    assert {GAME.rounds_after_cut(RULES, dealt) for dealt in range(12)} == {0}


def test_d14_the_cut_card_lies_104_from_the_end_and_never_under_52_or_over_208() -> None:
    assert RULES.cut_card_from_end == 104
    for depth in (52, 208):
        assert GAME.rules({"cut_card_from_end": depth}).cut_card_from_end == depth
    for depth in (51, 209):
        with pytest.raises(ValueError, match="must be a whole number from 52 to 208"):
            GAME.rules({"cut_card_from_end": depth})


@pytest.mark.parametrize(("shown", "down"), [("AS", 1), ("7H", 7), ("TD", 10), ("QC", 10)])
def test_d15_every_new_shoe_burns_as_many_cards_as_the_shown_one_counts(
    shown: str, down: int
) -> None:
    inputs: list[Input] = [Confirmed(), Confirmed(), Confirmed(), Dealt(Card.parse(shown))]
    inputs += [Dealt(None)] * down
    standing = run(lambda: GAME.new_shoe(RULES), inputs)
    assert standing.due == Clear(("BURN",), ShoeStep.BURN_CLEARED)
    assert standing.asked[:3] == tuple(
        Confirm(step) for step in (ShoeStep.SHUFFLE, ShoeStep.CUT, ShoeStep.LOAD)
    )
    outcome = run(lambda: GAME.new_shoe(RULES), [*inputs, Confirmed()]).outcome
    assert outcome is not None
    assert (outcome.shown.code, outcome.cards) == (shown, down + 1)


def test_d17_surrender_is_the_first_decision_only_and_barred_under_ace_and_ten_value() -> None:
    for up in "23456789":
        assert "surrender" in first_offer(f"TS {up}D 6C 5C").actions
    for up in "ATJQK":
        assert "surrender" not in first_offer(f"TS {up}D 6C 5C").actions
    assert "surrender" not in play("2S 9D 3C 5C 2H", "hit").windows[1][0].actions


def test_the_hidden_card_is_dealt_down_and_turned_where_it_lies() -> None:
    course = play("TS 6D 9C TC 5C", "stand")
    deals = [(n, d) for n, d in enumerate(course.asked) if isinstance(d, Deal)]
    assert [(n, d.to) for n, d in deals if d.face is Facing.DOWN] == [(4, "D")]
    assert Reveal(zone="D", index=4, step="hole_card") in course.asked
