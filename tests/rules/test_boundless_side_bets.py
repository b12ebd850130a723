"""Side bets of Boundless Blackjack, and what is certain before a round has ended (D-16 to D-20)."""

from __future__ import annotations

import pytest

from studio.domain.cards import Card
from studio.games.boundless import GAME
from studio.games.boundless.sidebets import lucky_trio, poker_trio
from studio.games.procedure import Peeked
from tests.support.shared_course import Course, play

RULES = GAME.rules({})


def cards(codes: str) -> list[Card]:
    return [Card.parse(code) for code in codes.split()]


def test_d16_pair_and_the_trios_are_decided_by_the_third_card_and_nothing_else_is() -> None:
    course = play("7S 7D 7H TC 2H", "hit")
    three, two = tuple(course.inputs[:4]), tuple(course.inputs[:3])
    assert GAME.certain(RULES, two) == {}
    now = GAME.certain(RULES, three)
    assert {bet: pay.returned(100) for bet, pay in now.items()} == {
        "pair": 600,
        "lucky_trio": 5100,
        "poker_trio": 3100,
    }
    later = GAME.certain(RULES, tuple(course.inputs))
    assert {bet: later[bet] for bet in now} == dict(now)


@pytest.mark.parametrize(
    ("codes", "row"),
    [
        ("AS 8D TC", "total_19_20"),
        ("9S 9D 2C", "total_19_20"),
        ("AS AD 9C", "unsuited_21"),
        ("AS TS KS", "suited_21"),
        ("AS AD AC", None),
        ("AS AD 8C", "total_19_20"),
        ("AS 9D 9C", "total_19_20"),
        ("6S 7D 8C", "unsuited_678"),
        ("8H 6H 7H", "suited_678"),
        ("7S 7D 7C", "unsuited_777"),
        ("7S 7S 7D", "unsuited_777"),
        ("7S 7S 7S", "suited_777"),
        ("5S 6D TC", "unsuited_21"),
        ("KS QD 2C", None),
        ("9S 9D 4C", None),
    ],
)
def test_d18_lucky_trio_takes_each_ace_as_it_pays_and_its_rows_in_order(
    codes: str, row: str | None
) -> None:
    one, two, three = cards(codes)
    for order in ((one, two, three), (three, one, two), (two, three, one)):
        assert lucky_trio(order) == row


@pytest.mark.parametrize(
    ("codes", "row"),
    [
        ("AS 2D 3C", "straight"),
        ("QS KD AC", "straight"),
        ("KS AD 2C", None),
        ("KS AS 2S", "flush"),
        ("QH KH AH", "straight_flush"),
        ("AS 3S 2S", "straight_flush"),
        ("9S TC JD", "straight"),
        ("7S 7S 7D", "three_of_a_kind"),
        ("7S 7S 7S", "suited_trips"),
        ("2S 9S KS", "flush"),
        ("2S 2S KS", "flush"),
        ("2S 4D 6C", None),
    ],
)
def test_d19_an_ace_is_low_or_high_in_a_straight_and_never_in_the_middle(
    codes: str, row: str | None
) -> None:
    one, two, three = cards(codes)
    for order in ((one, two, three), (three, one, two), (two, three, one)):
        assert poker_trio(order) == row


@pytest.mark.parametrize(
    ("dealer", "pays"),
    [
        ("TD 6C KC", 2),
        ("2D 4C TS 6C", 3),
        ("2D 2C 2S 9C 7C", 10),
        ("2D 2C 2S 2H 8S 9C", 51),
        ("2D 2C 2S 2H 3S 5C 9D", 101),
        ("2D 2C 2S 2H 2C 2S 4H 7D", 251),
        ("AD AC AS AH 2C 2S", 0),
        ("2D 2C 2S 2H 2C 2S AC AS 9D", 251),
        ("TD 7C", 0),
        ("TD AC", 0),
    ],
)
def test_d20_bust_bonus_counts_all_cards_of_a_bust_hand(dealer: str, pays: int) -> None:
    up, hole, *drawn = dealer.split()
    course = play(" ".join(["9S", up, "8C", hole, *drawn]), seated=0, bets=("bust_bonus",))
    assert " ".join(card.code for card in course.done.dealer) == dealer
    assert course.returned("bust_bonus", 100) == 100 * pays


def test_certain_knows_what_no_card_can_change_for_each_cohort() -> None:
    course = play(
        "TS 9D 6C TC 8H",
        {"": ["hit", "double", "surrender", "stand"]},
        seated=4,
    )
    waiting = course.inputs[:-1]
    pays = GAME.certain(RULES, tuple(waiting))
    assert {key: pay.returned(100) for key, pay in pays.items() if "@" in key} == {
        "main@M:hit": 0,
        "main@M:double": 0,
        "double:M@M:double": 0,
        "main@M:surrender": 50,
    }
    assert "main@M:stand" not in pays


def test_certain_follows_the_peek() -> None:
    lost: Course = play("9S AD 7C KC", insured=True)
    before, after = tuple(lost.inputs[:6]), tuple(lost.inputs[:7])
    assert after[-1] == Peeked(natural=True)
    assert {"insurance", "main", "bust_bonus"}.isdisjoint(GAME.certain(RULES, before))
    pays = GAME.certain(RULES, after)
    assert [pays[kind].returned(100) for kind in ("insurance", "main", "bust_bonus")] == [300, 0, 0]
    natural = play("AS AD QC 5C", insured=True)
    assert "main" not in GAME.certain(RULES, tuple(natural.inputs[:6]))
    pays = GAME.certain(RULES, tuple(natural.inputs[:7]))
    assert [pays[kind].returned(100) for kind in ("insurance", "main")] == [0, 250]


def test_under_a_ten_a_natural_is_certain_only_once_the_hole_card_was_looked_at() -> None:
    for hole, main in (("5C", 250), ("AC", 100)):
        inputs = tuple(play(f"AS KD QC {hole}").inputs)
        assert isinstance(inputs[5], Peeked)
        assert "main" not in GAME.certain(RULES, inputs[:5])
        assert GAME.certain(RULES, inputs[:6])["main"].returned(100) == main


def test_an_outcome_is_certain_to_the_last_bet() -> None:
    course = play("TS 6D 9C TC 5C", "stand")
    assert GAME.certain(RULES, tuple(course.inputs)) == GAME.pays(RULES, course.done)
