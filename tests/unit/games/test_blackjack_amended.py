"""A settled round of blackjack worked out again: which decisions stand, and what goes back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from studio.domain.cards import Card
from studio.games.blackjack import GAME
from studio.games.procedure import Deal, InputMismatch
from studio.games.spec import LOST, PUSHED, Amended, Pay
from tests.support.seats_course import Course, play
from tests.unit.games.test_blackjack_properties import played, rounds


def amended(course: Course, codes: str) -> Amended:
    """The round through these cards, in order of dealing."""
    laid = [("", Card.parse(code)) for code in codes.split()]
    return GAME.amend(course.rules, course.inputs, laid)


def pay(worked: Amended, kind: str, course: Course, seat: int = 1) -> Pay:
    return worked.pays[f"{kind}@{course.done.seats[seat - 1].cohort}"]


@given(rounds)
def test_through_its_own_cards_a_round_is_the_same_round(wanted: dict[str, Any]) -> None:
    course = played(wanted)
    zones = [due.to for due in course.asked if isinstance(due, Deal)]
    for laid in (
        [("", card) for card in course.cards],
        list(zip(zones, course.cards, strict=True)),
    ):
        worked = GAME.amend(course.rules, course.inputs, laid)
        assert worked.same
        assert worked.outcome == course.outcome
        assert worked.inputs == tuple(course.inputs)
        assert worked.asked == tuple(course.asked)
        plain = GAME.pays(course.rules, course.done)
        for seat in course.done.seats:
            assert worked.pays[f"insurance@{seat.cohort}"] in (plain["insurance"], PUSHED)
        assert {kind: pay for kind, pay in plain.items() if "@" in kind} == {
            kind: pay for kind, pay in worked.pays.items() if not kind.startswith("insurance@")
        }


def test_a_hole_card_that_was_another_one_changes_the_money_and_no_decision() -> None:
    course = play("TS 6D 8C TC 4D", "stand")
    worked = amended(course, "TS 6D 8C 9C 4D")
    assert (worked.same, worked.outcome is not None) == (True, True)
    assert pay(worked, "main", course) == LOST


def test_a_hand_that_would_have_been_asked_again_goes_back() -> None:
    """The card of the hit was a two: with 15 its player would have been asked once more."""
    course = play("TS 6D 3C TC TD 5C", "hit")
    assert course.hands() == [("TS 3C TD", "bust")]
    worked = amended(course, "TS 6D 3C TC 2D 5C")
    assert not worked.same
    assert pay(worked, "main", course) == PUSHED


def test_a_split_that_could_not_have_been_made_gives_all_its_stakes_back() -> None:
    course = play("8S 6D 8C TC 3C TH 9H 5C", "split", "double", "stand")
    worked = amended(course, "8S 6D 7C TC 5H")
    assert not worked.same
    stakes = ("main", "split:S1", "double:S1:1")
    assert [pay(worked, kind, course) for kind in stakes] == [PUSHED] * 3


def test_only_the_hand_concerned_goes_back() -> None:
    """The second hand of the split got a two, not a nine: what its player would do is not known."""
    course = play("8S 6D 8C TC 3C TH 9H 5C 4D", "split", "double", "stand")
    worked = amended(course, "8S 6D 8C TC 3C TH 2H 5C")
    assert worked.same  # it stood on ten instead, which it may
    bust = play("8S 6D 8C TC 3C TH 5H TD 5C 4D", "split", "double", "hit")
    assert bust.hands()[1] == ("8C 5H TD", "bust")
    again = amended(bust, "8S 6D 8C TC 3C TH 5H 2D 5C")
    assert not again.same
    assert pay(again, "split:S1", bust) == PUSHED
    assert pay(again, "main", bust) == pay(again, "double:S1:1", bust) == PUSHED  # 21 against 21
    won = amended(bust, "8S 6D 8C TC 3C TH 5H 2D 4S")
    assert pay(won, "main", bust) == Pay(2)
    assert pay(won, "split:S1", bust) == PUSHED


def test_what_was_staked_on_a_hand_that_was_over_before_goes_back() -> None:
    """The dealer had a natural: nobody would have been asked anything."""
    course = play("6S TD 5C 9C TH", "double")
    worked = amended(course, "6S TD 5C AC")
    assert not worked.same
    assert pay(worked, "main", course) == LOST
    assert pay(worked, "double:S1", course) == PUSHED


def test_insurance_that_would_not_have_been_offered_goes_back_and_one_not_asked_is_told() -> None:
    insured = play("TS AD 9C 9H", "stand", insured=(1,))
    worked = amended(insured, "TS 8D 9C 9H")
    assert not worked.same
    assert pay(worked, "insurance", insured) == PUSHED
    unasked = play("TS 8D 9C 9H", "stand")
    assert not amended(unasked, "TS AD 9C 9H").same


def test_an_early_surrender_of_what_was_a_natural_gives_the_stake_back() -> None:
    course = play("TS 6D 6C 5C 9H", early=(1,), surrender="early")
    assert course.hands() == [("TS 6C", "surrender")]
    worked = amended(course, "TS 6D AC 5C")
    assert not worked.same
    assert pay(worked, "main", course) == PUSHED


def test_cards_that_are_too_many_or_too_few_are_told() -> None:
    course = play("TS 6D 8C TC 4D", "stand")
    with pytest.raises(InputMismatch):
        amended(course, "TS 6D 8C TC 4D 5D")
    assert amended(course, "TS 6D 8C TC").outcome is None
