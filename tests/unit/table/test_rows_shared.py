"""Rows B1 to B15 at a table of the shared hand, each played to a right end of the round."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.table import coverage
from tests.support.row_play import answer, gone, noted, row
from tests.support.row_shared import BOTH, CAMERA, FIRST_FOUR, SHOE, ended, repaired, table, zone
from tests.support.shared import SharedRig

_NAMED = re.compile(r"^def test_(b[0-9]+)_", re.MULTILINE)
PLAYED = {
    name
    for path in Path(__file__).parent.glob("test_rows_*.py")
    if path.name.startswith(("test_rows_shared", "test_rows_hidden"))
    for name in _NAMED.findall(path.read_text(encoding="utf-8"))
}
"""Rows of the shared hand that a test is named after."""


# -- the list itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [f"B{n}" for n in range(1, 16)])
def test_each_row_of_blackjack_is_answered_or_reasoned_away(number: str) -> None:
    impossible = coverage.IMPOSSIBLE[coverage.SHARED_HAND]
    assert (number in coverage.answered(coverage.SHARED_HAND)) != (number in impossible)
    assert number.lower() in PLAYED


# -- a card too early -----------------------------------------------------------------------------


def test_b1_a_card_before_the_close_that_nobody_saw_is_the_first_card() -> None:
    rig = SharedRig(sources=SHOE)
    rig.in_play()
    rig.give(c.OpenBets())
    rig.bet("ann", main=1000)
    rig.read("TS")
    assert (rig.table.held, noted(rig)) == (False, "B1")
    rig.give(c.CloseBets())
    assert rig.accepted() == [("M", "TS")]
    rig.cards("6D 8C 7H")
    rig.answer("ann M stand")
    rig.turn_hole()
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})


def test_b1_a_card_before_the_close_that_was_seen_is_dead() -> None:
    rig = SharedRig(sources=BOTH)
    rig.in_play()
    rig.give(c.OpenBets())
    rig.bet("ann", main=1000)
    before = gone(rig)
    rig.read("AH")
    rig.lay("M", "AH")
    assert (row(rig).row, row(rig).repairs[0]) == ("B1", "MarkDead")
    assert answer(rig, c.UseAsNextCard) == "refused.exposed_early"
    repaired(rig)
    rig.take("M")
    rig.give(c.CloseBets())
    rig.cards(FIRST_FOUR)
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})
    assert gone(rig) == before + 6


@pytest.mark.parametrize("sources", [BOTH, SHOE])
def test_b3_a_card_that_nobody_saw_while_players_choose_is_the_next_one(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "5S 6D 6C 7H", ann=1000, bob=500)
    rig.answer("ann M hit")
    rig.read("9H")
    assert (rig.table.held, noted(rig)) == (False, "B3")
    rig.answer("bob M stand")
    if sources == BOTH:
        assert zone(rig) == "M"
        rig.lay("M", "9H")
    assert rig.accepted()[4:] == [("M", "9H")]
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("5H")
    assert rig.accepted()[-1] == ("D", "5H")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 0})


def test_b3_a_card_that_nobody_saw_and_no_hand_needs_is_the_dealers() -> None:
    rig = table(SHOE)
    rig.read("TH")
    rig.answer("ann M stand")
    rig.turn_hole()
    assert rig.accepted()[-1] == ("D", "TH")
    assert ended(rig) == ("settled", {"ann": 2000})


def test_b3_what_the_round_did_not_use_is_the_first_card_of_the_next() -> None:
    rig = table(SHOE, "TS TD 8C 7H")
    rig.wait(3)
    rig.read("9H")
    rig.answer("ann M stand")
    rig.turn_hole()
    assert rig.faults() == [FaultCode.EXTRA_CARD]
    assert (row(rig).row, row(rig).void.value) == ("B3", "never")
    assert answer(rig, c.BurnCard) == "refused.changes_order"
    repaired(rig)
    assert ended(rig) == ("settled", {"ann": 2000})
    rig.give(c.ConfirmStep())
    rig.wait(8)
    rig.bet("ann", main=1000)
    rig.give(c.CloseBets())
    assert rig.accepted() == [("M", "9H")]


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b4_a_card_that_all_saw_while_players_choose_is_the_next_one(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "5S 6D 6C 7H", ann=1000, bob=500)
    rig.answer("ann M hit")
    if sources == BOTH:
        rig.read("9H")
    rig.lay("M", "9H")
    assert (row(rig).row, row(rig).repairs[0]) == ("B4", "UseAsNextCard")
    repaired(rig)
    assert rig.cohorts() == {"": 2}
    rig.answer("bob M stand")  # who declines has no more cards
    assert rig.accepted()[4:] == [("M", "9H")]
    assert rig.cohorts() == {"M:hit": 1, "M:stand": 1}
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("5H")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 0})


def test_b4_a_card_that_all_saw_and_the_round_did_not_use_is_burned() -> None:
    rig = table(BOTH, "TS TD 8C 7H")
    before = gone(rig)
    rig.wait(3)
    rig.read("9H")
    rig.lay("D", "9H")
    repaired(rig)
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    assert (row(rig).row, row(rig).repairs[0]) == ("B4", "BurnCard")
    assert answer(rig, c.UseAsNextCard) == "refused.exposed_card"
    repaired(rig)
    assert ended(rig) == ("settled", {"ann": 2000})
    assert gone(rig) == before + 1
    assert rig.table.sensing.parked == ()
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.burned == 1


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b4_after_a_stop_the_next_card_is_found_again_and_counts_once(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "5S 6D 6C 7H")
    before = gone(rig)
    if sources == BOTH:
        rig.read("9H")
    rig.lay("M", "9H")
    repaired(rig)
    rig.restart()
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.wait(1)
    if rig.faults():
        assert row(rig).row == "B4"
        repaired(rig)
    rig.answer("ann M hit")
    assert rig.accepted()[4:] == [("M", "9H")]
    assert gone(rig) == before + 1


def test_b4_where_a_seen_card_serves_nobody_it_is_burned() -> None:
    rig = table(BOTH, "5S 6D 6C 7H")
    rig.setup = replace(rig.setup, profile="ukgc-like")
    rig.read("9H")
    rig.lay("M", "9H")
    assert (row(rig).row, row(rig).repairs[0]) == ("B4", "BurnCard")
    assert answer(rig, c.UseAsNextCard) == "refused.exposed_card"
    repaired(rig)
    rig.felt["M"].pop()
    rig.show()
    rig.answer("ann M hit")
    rig.cards("8D")
    assert rig.accepted()[4:] == [("M", "8D")]


def test_b4_in_the_last_round_of_a_shoe_it_is_still_the_next_card() -> None:
    rig = table(BOTH, "5S 6D 6C 7H")
    rig.read("CUT")
    rig.read("9H")
    rig.lay("M", "9H")
    repaired(rig)
    rig.answer("ann M hit")
    assert rig.accepted()[4:] == [("M", "9H")]


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_b5_one_card_more_than_the_dealer_needs_is_burned(sources: tuple[str, ...]) -> None:
    rig = table(sources, "TS 6D 8C TH")
    rig.answer("ann M stand")
    rig.turn_hole("TH")
    rig.cards("2C")
    assert ended(rig) == ("settled", {"ann": 1000})
    before = gone(rig)
    rig.deal("D", "5H")
    assert (row(rig).row, row(rig).repairs[0]) == ("B5", "BurnCard")
    assert answer(rig, c.UseAsNextCard) == "refused.one_too_many"
    repaired(rig)
    assert ended(rig) == ("settled", {"ann": 1000})
    assert gone(rig) == before + 1
    assert rig.table.sensing.parked == ()


# -- the hidden card ------------------------------------------------------------------------------


def test_b2_a_card_face_up_where_the_hidden_one_was_due_is_not_used() -> None:
    rig = table(BOTH, "TS 6D 8C")
    before = gone(rig)
    rig.read("7H")
    rig.lay("D", "7H")
    rig.wait(6)
    assert row(rig).row == "B10"
    assert answer(rig, c.BurnCard) is None
    rig.felt["D"].pop()
    rig.show()
    rig.lift()
    assert rig.faults() == []
    rig.cards("9C")
    assert gone(rig) == before + 2
    rig.answer("ann M stand")
    rig.turn_hole("9C")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})


def test_b10_a_hidden_card_that_was_dealt_open_is_turned_down_and_played_on_with() -> None:
    rig = table(BOTH, "TS 6D 8C")
    rig.read("7H")
    rig.lay("D", "7H")
    rig.wait(6)
    assert (row(rig).row, row(rig).repairs[0]) == ("B10", "RescanRound")
    last = rig.felt["D"][-1]
    rig.felt["D"][-1] = replace(last, look=o.Look.BACK, card=None, sure=False)
    rig.show()
    repaired(rig)
    assert rig.accepted()[-1] == ("D", "7H")
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})
