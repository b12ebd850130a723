"""Blackjack by the numbers of the decisions in force, each test named after one (RULES.md 2).

Of D-09 and D-10 the half about wallets, refusals and clocks is the table's and is tested there.
"""

from __future__ import annotations

import pytest

from studio.games.blackjack import GAME
from studio.games.procedure import (
    Clear,
    Confirm,
    Confirmed,
    Deal,
    Dealt,
    Decide,
    Facing,
    Input,
    Reveal,
    run,
)
from studio.games.shoe import ShoeStep
from tests.support.seats_course import play


def test_d01_what_a_player_gets_is_rounded_down_to_the_minor_unit() -> None:
    surrendered = play("TS 9D 6C TC", "surrender", surrender="late")
    assert surrendered.returned("main", 333) == 166
    assert play("AS 9D KC TC").returned("main", 333) == 832
    assert play("AS 9D KC TC", blackjack_pays=[6, 5]).returned("main", 333) == 732
    kind, share = GAME.extra(GAME.rules({}), "", "insure")
    assert (kind, share.returned(333), share.returned(1)) == ("insurance", 166, 0)


def test_d21_insurance_is_offered_under_an_ace_only_and_the_look_comes_under_a_ten_too() -> None:
    first = ["bets", "S1", "D", "S1", "D"]
    assert play("9S AD 7C 5C").steps == [*first, "insurance", "peek"]
    for up in ("TD", "JD", "QD", "KD"):
        assert play(f"9S {up} 7C 5C").steps == [*first, "peek"]
    for up in "23456789":
        assert play(f"9S {up}D 7C 5C").steps == first
    assert play("9S AD 7C 5C", insurance=False).steps == [*first, "peek"]


def test_d21_insurance_pays_two_to_one_against_a_natural_and_is_lost_otherwise() -> None:
    against = play("AS AD KC TC", insured=(1,))
    assert (against.returned("insurance", 50), against.hands()) == (150, [("AS KC", "push")])
    without = play("9S AD 8C 9C", "stand", insured=(1,))
    assert (without.returned("insurance", 50), without.hands()) == (0, [("9S 8C", "lose")])


def test_d22_the_seats_get_their_cards_in_order_before_and_after_the_dealer() -> None:
    three = play("2S 3S 4S 9D 5S 6S 7S 8D", seats=3)
    zones = ["S1", "S2", "S3", "D", "S1", "S2", "S3", "D"]
    assert three.steps == ["bets", *zones]
    faces = [due.face for due in three.asked if isinstance(due, Deal)]
    assert faces == [Facing.UP] * 7 + [Facing.DOWN]
    assert [lane for lane, _ in three.windows] == ["S1"]


def test_d22_a_seat_plays_its_hands_to_their_end_before_the_next_seat_begins() -> None:
    course = play("8S TS 6D 8D 9S TC 3C TH 9H 5C 4C", "split", "double", "stand", "stand", seats=2)
    assert [hand for hand, _, _ in course.done.dealt] == [
        *("S1", "S2", "D", "S1", "S2", "D"),
        *("S1:1", "S1:1", "S1:2", "D"),
    ]
    assert course.hands(1) == [("8S 3C TH", "push"), ("8D 9H", "lose")]
    assert course.hands(2) == [("TS 9S", "lose")]


def test_d22_a_split_of_a_split_is_played_right_after_the_hand_that_was_split() -> None:
    course = play(
        "8S 6D 8D TC 8H 8C TH 9C KC 2S 3S TD",
        *("split", "split", "split", "stand", "stand", "stand", "stand"),
        max_hands=4,
    )
    assert [lane for lane, _ in course.windows] == [
        *("S1", "S1:1", "S1:11", "S1:111", "S1:112", "S1:12", "S1:2")
    ]
    assert [cards for cards, _ in course.hands()] == ["8S TH", "8C 9C", "8H KC", "8D 2S"]
    assert sorted(kind.partition("@")[0] for kind in GAME.pays(course.rules, course.done)) == [
        *("insurance", "main", "split:S1", "split:S1:1", "split:S1:11")
    ]


@pytest.mark.parametrize(
    ("double_on", "first_two", "may"),
    [
        ("any", "TS TD", True),
        ("any", "AS 7D", True),
        ("9-11", "4S 4D", False),
        ("9-11", "4S 5D", True),
        ("9-11", "6S 5D", True),
        ("9-11", "7S 5D", False),
        ("9-11", "AS 8D", False),
        ("10-11", "4S 5D", False),
        ("10-11", "4S 6D", True),
        ("10-11", "AS 9D", False),
    ],
)
def test_d24_a_restricted_double_means_hard_totals(
    double_on: str, first_two: str, may: object
) -> None:
    one, two = first_two.split()
    course = play(f"{one} 6D {two} TC", double_on=double_on)
    assert ("double" in course.windows[-1][1]) is may


def test_d23_each_flag_of_splits_says_what_may_be_done_with_a_split_hand() -> None:
    def offered(codes: str, **rules: object) -> tuple[str, ...]:
        return play(codes, "split", **rules).windows[-1][1]

    assert offered("8S 6D 8D TC 3C") == ("hit", "stand", "double")
    assert offered("8S 6D 8D TC 3C", double_after_split=False) == ("hit", "stand")
    assert offered("8S 6D 8D TC 8H") == ("hit", "stand", "double")
    assert offered("8S 6D 8D TC 8H", max_hands=3) == ("hit", "stand", "double", "split")
    aces = "AS 6D AD TC AH"
    assert play(aces, "split", max_hands=4).windows == [("S1", play(aces).windows[0][1])]
    assert offered(aces, max_hands=4, resplit_aces=True) == ("stand", "split")
    assert offered(aces, max_hands=4, hit_split_aces=True) == ("hit", "stand", "double")
    both = offered(aces, max_hands=4, resplit_aces=True, hit_split_aces=True)
    assert both == ("hit", "stand", "double", "split")
    assert offered("AS 6D AD TC 3C", hit_split_aces=True) == ("hit", "stand", "double")


def test_d23_a_pair_is_two_cards_of_one_value_or_of_one_rank() -> None:
    assert "split" in play("KS 6D QD TC").windows[-1][1]
    assert "split" not in play("KS 6D QD TC", split_by="rank").windows[-1][1]
    assert "split" in play("KS 6D KD TC", split_by="rank").windows[-1][1]
    assert "split" not in play("KS 6D KD TC", max_hands=1).windows[-1][1]


def test_d23_the_dealer_hits_or_stands_on_a_soft_17_and_stands_on_a_hard_one() -> None:
    assert play("TS AD 8S 6C 4C", "stand").hands() == [("TS 8S", "win")]
    hits = play("TS AD 8S 6C 4C", "stand", dealer_hits_soft_17=True)
    assert hits.hands() == [("TS 8S", "lose")]
    assert len(play("TS TD 8S 7C 4C", "stand", dealer_hits_soft_17=True).done.dealer) == 2


def test_d25_a_charlie_wins_the_moment_its_card_falls_split_hands_too() -> None:
    five = play("2S TD 2D 9C 2H 3C 4D", "hit", "hit", "hit", charlie=5)
    assert five.hands() == [("2S 2D 2H 3C 4D", "charlie")]
    assert (five.returned("main", 100), len(five.done.dealer)) == (200, 2)
    split = play("2S 9D 2D 9C 2H 2C 3C 3D TC 5C", "split", *["hit"] * 3, "stand", charlie=5)
    assert split.hands() == [("2S 2H 2C 3C 3D", "charlie"), ("2D TC", "lose")]
    bust = play("TS TD 2D 9C 2H 3C KD", "hit", "hit", "hit", charlie=5)
    assert bust.hands() == [("TS 2D 2H 3C KD", "bust")]


def test_d25_a_soft_21_may_draw_on_towards_a_charlie_and_stands_by_itself_without_one() -> None:
    soft = "AS TD 2D 9C 8H"
    assert play(soft, "hit").windows == play("AS TD 2D 9C").windows
    assert play(soft, "hit", charlie=5).windows[-1] == ("S1", ("hit", "stand"))
    drawn = play(f"{soft} 5C 6H", *["hit"] * 3, charlie=5)
    assert drawn.hands() == [("AS 2D 8H 5C 6H", "bust")]
    drawn = play("AS TD 2D 9C 3H 5C 6H", *["hit"] * 3, charlie=5)
    assert drawn.hands() == [("AS 2D 3H 5C 6H", "charlie")]
    stood = play(soft, "hit", "stand", charlie=5)
    assert stood.hands() == [("AS 2D 8H", "win")]


def test_d25_a_hard_21_a_natural_and_a_split_ace_with_one_card_never_draw_on() -> None:
    assert play("5S TD 6D 9C TH", "hit", charlie=5).hands() == [("5S 6D TH", "win")]
    assert play("AS TD KD 9C", charlie=5).hands() == [("AS KD", "blackjack")]
    aces = ("AS TD AD 9C KH QH", "split")
    assert play(*aces, charlie=5).hands() == [("AS KH", "win"), ("AD QH", "win")]
    played = play(*aces, "stand", "hit", charlie=5, hit_split_aces=True)
    assert played.windows[-1] == ("S1:2", ("hit", "stand"))


def test_d29_a_silent_player_stands_on_a_soft_21_with_a_charlie_too() -> None:
    course = play("AS TD 2D 9C 8H", "hit", charlie=5)
    assert isinstance(course.due, Decide)
    assert [offer.auto for offer in course.due.offers] == ["stand"]


def test_d25_a_charlie_stands_against_a_natural_that_comes_after_it() -> None:
    rules = {"charlie": 5, "hole_card": "none_all_lost"}
    course = play("2S 9S TD 2D TC 2H 3C 4D AC", *["hit"] * 3, "stand", seats=2, **rules)
    assert course.done.dealer_blackjack
    assert course.hands(1) == [("2S 2D 2H 3C 4D", "charlie")]
    assert course.hands(2) == [("9S TC", "lose")]


def test_d26_late_surrender_is_a_first_decision_and_never_on_split_hands() -> None:
    rules = {"surrender": "late"}
    assert "surrender" in play("8S TD 8D 7C", **rules).windows[-1][1]
    assert "surrender" not in play("8S TD 8D 7C 2H", "hit", **rules).windows[-1][1]
    assert "surrender" not in play("8S TD 8D 7C 2H", "split", **rules).windows[-1][1]
    assert play("8S TD 8D AC", **rules).hands() == [("8S 8D", "lose")]


def test_d26_early_surrender_comes_before_insurance_and_saves_half_against_a_natural() -> None:
    course = play("TS AS AD 6D KD KC", early=(1,), seats=2, surrender="early")
    assert course.steps[7:] == ["early_surrender", "insurance", "peek", "hole_card"]
    assert course.hands(1) == [("TS 6D", "surrender")]
    assert course.returned("main", 101) == 50
    assert course.hands(2) == [("AS KD", "push")]


def test_d26_a_natural_is_not_asked_whether_it_surrenders() -> None:
    asked = play("AS 9S 6D KD 7D", seats=2, surrender="early", hole_card="none_all_lost").asked
    window = next(due for due in asked if due.step == "early_surrender")
    assert [offer.lane for offer in getattr(window, "offers", ())] == ["S2"]
    assert "early_surrender" not in play("AS 6D KD TC", surrender="early").steps


@pytest.mark.parametrize(
    ("codes", "answers", "insured", "dealer"),
    [
        ("TS 6D 9S TC 9C", ("stand",), (), 3),
        ("AS 5D KD", (), (), 1),
        ("AS TD KD 9C", (), (), 2),
        ("AS AD KD 9C", (), (), 2),
        ("TS AD 6C KC 9C", ("hit",), (), 1),
        ("TS AD 6C KC 9C", ("hit",), (1,), 2),
        ("TS 5D 6C KC", ("hit",), (), 1),
    ],
)
def test_d27_the_second_card_comes_only_where_something_waits_for_it(
    codes: str, answers: tuple[str, ...], insured: tuple[int, ...], dealer: int
) -> None:
    course = play(codes, *answers, insured=insured, hole_card="none_all_lost")
    assert len(course.done.dealer) == dealer
    assert not any(isinstance(due, Reveal) for due in course.asked)


def test_d27_without_a_hole_card_a_late_natural_takes_all_or_the_first_stake_only() -> None:
    doubled = ("6S TD 5D 9C AC", "double")
    assert play(*doubled, hole_card="none_all_lost").all_back(100) == 0
    assert play(*doubled, hole_card="none_original_lost").all_back(100) == 100
    split = ("8S TD 8D 9C TC AC", "split", "stand", "stand")
    assert play(*split, hole_card="none_all_lost").all_back(100) == 0
    spared = play(*split, hole_card="none_original_lost")
    assert (spared.returned("main", 100), spared.returned("split:S1", 100)) == (0, 100)
    bust = play("8S TD 8D TC 9C 9H 5C AC", "split", "hit", "hit", hole_card="none_original_lost")
    assert [result for _, result in bust.hands()] == ["bust", "bust"]
    assert bust.all_back(100) == 0


def test_d28_the_dealer_draws_only_if_a_hand_is_still_in() -> None:
    assert len(play("TS 6D 6S TC 9C", "hit").done.dealer) == 2
    assert len(play("AS 6D KS TC").done.dealer) == 2
    assert len(play("TS 6D 6S TC 9C", "surrender", surrender="late").done.dealer) == 2
    assert len(play("TS 6D 8S TC 9C", "stand").done.dealer) == 3


def test_d38_one_card_is_burned_face_down_after_the_shuffle() -> None:
    rules = GAME.rules({})
    inputs: list[Input] = [Confirmed()] * 3
    due = run(lambda: GAME.new_shoe(rules), inputs).due
    assert due == Deal(to="BURN", face=Facing.DOWN, step=ShoeStep.BURN_DOWN)
    inputs.append(Dealt(None))
    standing = run(lambda: GAME.new_shoe(rules), inputs)
    assert standing.due == Clear(("BURN",), ShoeStep.BURN_CLEARED)
    assert [isinstance(due, Confirm) for due in standing.asked] == [True, True, True, False]
    assert run(lambda: GAME.new_shoe(rules), [*inputs, Confirmed()]).outcome == 1


def test_d38_the_cut_card_lies_at_a_quarter_and_never_nearer_than_a_full_table_can_need() -> None:
    behind = {decks: GAME.rules({"decks": decks}).cut_card_from_end for decks in range(1, 9)}
    assert behind == {1: 41, 2: 54, 3: 63, 4: 71, 5: 77, 6: 83, 7: 91, 8: 104}
    assert GAME.rules({"decks": 8, "cut_card_from_end": 92}).cut_card_from_end == 92
    with pytest.raises(ValueError, match="a full table can need 92 cards: it must be a whole"):
        GAME.rules({"decks": 8, "cut_card_from_end": 91})


def test_d38_the_round_of_the_cut_card_is_the_last() -> None:
    assert GAME.rounds_after_cut(GAME.rules({}), 0) == 0
    assert GAME.rounds_after_cut(GAME.rules({}), 4) == 0


def test_d38_late_surrender_without_a_hole_card_is_the_one_combination_refused() -> None:
    for hole_card in ("none_all_lost", "none_original_lost"):
        with pytest.raises(ValueError, match="surrender is 'late' and hole_card is 'none_"):
            GAME.rules({"surrender": "late", "hole_card": hole_card})
        assert GAME.rules({"surrender": "early", "hole_card": hole_card})


def test_d38_flags_without_effect_are_accepted_and_named() -> None:
    def said(**rules: object) -> tuple[str, ...]:
        return GAME.without_effect(GAME.rules(rules))

    assert said() == ()
    assert said(max_hands=4, resplit_aces=True) == ()
    assert said(resplit_aces=True) == (
        "resplit_aces has no effect: with max_hands 2 no hand is split a second time",
    )
    assert said(max_hands=1, split_by="rank", hit_split_aces=True) == (
        "hit_split_aces has no effect: with max_hands 1 nobody splits",
        "split_by has no effect: with max_hands 1 nobody splits",
    )
