"""Rows B1 to B15 at a table of the shared hand, each played to a right end of the round."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.games.procedure import Deal
from studio.table import coverage
from studio.table.state import Phase
from studio.table.turn import due
from tests.support.row_play import answer, gone, noted, row
from tests.support.shared import SharedRig

BOTH = ("shoe", "camera")
SHOE = ("shoe",)
CAMERA = ("camera",)
FIRST_FOUR = "TS 6D 8C 7H"
"""M has 18, the dealer shows 6 and has 13."""
_NAMED = re.compile(r"^def test_(b[0-9]+)_", re.MULTILINE)
PLAYED = {
    name
    for path in Path(__file__).parent.glob("test_rows_*.py")
    if path.name.startswith(("test_rows_shared", "test_rows_hidden"))
    for name in _NAMED.findall(path.read_text(encoding="utf-8"))
}
"""Rows of the shared hand that a test is named after."""


def table(sources: tuple[str, ...] = BOTH, cards: str = FIRST_FOUR, **mains: int) -> SharedRig:
    """These cards lie; without other stakes Ann has 1000 on the hand."""
    rig = SharedRig(sources=sources).seated(**(mains or {"ann": 1000}))
    rig.cards(cards)
    return rig


def repaired(rig: SharedRig, kind: type | None = None) -> SharedRig:
    """Answer the one fault by the policy's own repair, or by this one, and lift the hold."""
    assert answer(rig, kind) is None
    rig.lift()
    assert rig.faults() == []
    return rig


def ended(rig: SharedRig) -> tuple[str, dict[str, int]]:
    """State of the round and what each player has back."""
    assert rig.table.round is not None
    return rig.table.round.state, rig.paid()


def zone(rig: SharedRig) -> str:
    """Where a card is due."""
    now = due(rig.setup, rig.table)
    assert isinstance(now, Deal)
    return now.to


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


# -- order and place ------------------------------------------------------------------------------


def test_b11_two_cards_at_once_are_put_in_order_by_a_person() -> None:
    rig = table(BOTH, "5S 6D 6C 7H")
    rig.answer("ann M hit")
    rig.read("2C")
    rig.read("9H")
    rig.felt["M"].append(o.SeenCard(track=90, look=o.Look.FACE, card=Card.parse("9H"), sure=True))
    rig.lay("M", "2C")
    assert row(rig).row == "B11"
    rig.felt["M"] = [card for card in rig.felt["M"] if card.track != 90]
    rig.show()
    repaired(rig)
    assert rig.accepted()[4:] == [("M", "2C")]
    rig.answer("ann M stand")  # the second of them waits: nobody takes it, it is the dealer's
    rig.turn_hole("7H")
    rig.lay("D", "9H")
    assert rig.accepted()[-1] == ("D", "9H")
    assert ended(rig) == ("settled", {"ann": 2000})


@pytest.mark.parametrize("burned", [False, True])
def test_b12_a_lanes_card_on_the_floor_is_used_or_burned(*, burned: bool) -> None:
    rig = table(BOTH, "5S 6D 6C 7H")
    before = gone(rig)
    rig.answer("ann M hit")
    rig.read("9H")
    rig.wait(6)
    assert row(rig).row == "B12"
    if burned:
        repaired(rig, c.BurnCard)
        rig.cards("8D")
    else:
        rig.lay("M", "9H")
        repaired(rig)
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})
    assert gone(rig) == before + 3 + burned - 1


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b13_a_card_on_a_lane_that_has_none_to_come_is_moved(sources: tuple[str, ...]) -> None:
    rig = table(sources, "8S 6D 8C TH", ann=1000, bob=500)
    rig.answer("ann M split", "bob M stand")
    if sources == BOTH:
        rig.read("3C")
    rig.lay("M", "3C")
    if sources == CAMERA:
        rig.wait(6)
    assert (zone(rig), row(rig).row) == ("L", "B13")
    assert answer(rig, c.BurnCard) == "refused.changes_order"
    rig.felt["M"].pop()
    rig.lay("L", "3C")
    repaired(rig)
    rig.cards("TD")
    rig.answer("ann L stand", "ann R stand")
    rig.turn_hole("TH")
    rig.cards("5H")
    assert ended(rig) == ("settled", {"ann": 0, "bob": 0})


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b6_the_dealers_first_card_is_passed_over_and_no_card_is_moved_back(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "TS")
    if sources == BOTH:
        rig.read("8C")
    rig.lay("M", "8C")
    assert (row(rig).row, row(rig).repairs) == ("B6", ("AcceptAsDealt",))
    assert answer(rig, c.AssignCard) == "refused.not_moved_back"
    repaired(rig)
    assert zone(rig) == "D"
    rig.cards("6D")
    assert rig.accepted() == [("M", "TS"), ("D", "6D"), ("M", "8C")]
    rig.cards("7H")
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})
    assert gone(rig) == 6 + 5


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b6_an_open_card_on_a_lane_where_the_hidden_one_is_due_is_burned(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "TS 6D 8C")
    before = gone(rig)
    if sources == BOTH:
        rig.read("3C")
    rig.lay("M", "3C")
    assert (row(rig).row, row(rig).repairs) == ("B6", ("BurnCard",))
    assert answer(rig, c.AssignCard) == "refused.not_moved_back"
    repaired(rig)
    assert gone(rig) == before + 1
    rig.felt["M"].pop()
    rig.show()
    rig.cards("7H")
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})
    assert gone(rig) == before + 3


@pytest.mark.parametrize("sources", [BOTH, CAMERA])
def test_b7_a_lane_that_was_passed_over_has_its_card_after_the_other(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "8S 6D 8C TH", ann=1000, bob=500)
    rig.answer("ann M split", "bob M stand")
    assert zone(rig) == "L"
    if sources == BOTH:
        rig.read("TD")
    rig.lay("R", "TD")
    assert (row(rig).row, row(rig).repairs[0]) == ("B7", "AcceptAsDealt")
    repaired(rig)
    assert zone(rig) == "L"
    rig.cards("3C")
    assert rig.accepted()[4:] == [("L", "3C"), ("R", "TD")]
    rig.answer("ann L double", "ann R stand")
    rig.cards("9D")
    rig.turn_hole("TH")
    rig.cards("4H")
    assert rig.accepted()[-1] == ("D", "4H")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 0})
    assert rig.table.round is not None
    assert rig.table.round.staked == 3500


def test_b7_a_hand_without_its_second_card_has_it_after_the_dealers() -> None:
    """Where nobody named the card that lies face down; a reader's open word makes it M's (B13)."""
    rig = table(CAMERA, "TS 6D")
    rig.lay("D", "XX")
    assert row(rig).row == "B7"
    repaired(rig)
    rig.cards("8C")
    assert rig.accepted() == [("M", "TS"), ("D", "6D"), ("M", "8C"), ("D", "XX")]
    rig.answer("ann M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})


def test_b13_a_card_that_a_reader_named_openly_never_becomes_the_hidden_one() -> None:
    rig = table(BOTH, "TS 6D")
    rig.read("8C")
    rig.lay("D", "XX")
    assert (row(rig).row, row(rig).repairs[0]) == ("B13", "AssignCard")
    rig.felt["D"].pop()
    rig.lay("M", "8C")
    repaired(rig)
    assert rig.accepted() == [("M", "TS"), ("D", "6D"), ("M", "8C")]


def test_b14_lanes_that_were_cleared_early_are_laid_back_and_the_window_opens_again() -> None:
    rig = table(BOTH, "5S 6D 6C 7H", ann=1000, bob=500)
    rig.answer("ann M hit")
    rig.take("M")
    assert (rig.table.phase, row(rig).row) == (Phase.DECISION, "B14")
    assert answer(rig) == "refused.cards_missing"
    rig.lay("M", "5S")
    rig.lay("M", "6C")
    repaired(rig)
    assert rig.asks.answered == 1  # what was locked stands
    rig.answer("bob M hit")
    rig.cards("9H")
    rig.answer("ann M stand", "bob M stand")
    rig.turn_hole("7H")
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 1000})


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_b15_cards_after_a_void_are_dead(sources: tuple[str, ...]) -> None:
    rig = table(sources, "5S 6D 6C 7H")
    rig.answer("ann M double")
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.not_provable", round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert ended(rig) == ("voided", {"ann": 2000})
    before = gone(rig)
    rig.deal("M", "9H")
    assert (rig.table.state, noted(rig)) == ("void", "B15")
    assert gone(rig) == before + 1


def test_b8_where_no_card_can_come_the_round_is_void_and_every_stake_goes_back() -> None:
    """No player of the shared hand is without cards while others have some."""
    rig = table(SHOE, "8S 6D 8C TH", ann=1000, bob=500)
    rig.answer("ann M split", "bob M stand")
    rig.wait(31)
    assert row(rig).row == "V10"
    assert rig.table.round is not None
    void = c.VoidRound(fault=rig.fault(), reason="reason.not_provable", round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert ended(rig) == ("voided", {"ann": 2000, "bob": 500})


# -- the shoe -------------------------------------------------------------------------------------


def emptied(rig: SharedRig) -> None:
    """The shoe says that it is empty."""
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=code, text=""))


def test_b9_an_empty_shoe_is_filled_with_the_discards_and_the_round_is_finished() -> None:
    rig = table(SHOE, "5S 6D 6C 7H", ann=1000, bob=500)
    rig.answer("ann M hit", "bob M stand")
    before = gone(rig)
    emptied(rig)
    assert (row(rig).row, row(rig).repairs[0]) == ("B9", "ShuffleDiscards")
    assert answer(rig) is None
    assert gone(rig) == 4 < before
    assert rig.refused(c.LiftHold(fault="", reason="reason.other")) == "refused.device_not_ready"
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    rig.lift()
    assert rig.cohorts() == {"M:hit": 1, "M:stand": 1}
    rig.cards("9H")
    rig.answer("ann M stand")
    rig.turn_hole()
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 1000})
    rig.give(c.ConfirmStep())
    rig.wait(8)
    assert rig.table.phase is Phase.SHOE  # it was the last round of this shoe
    shoe = rig.table.shoe
    assert shoe is not None
    rig.give(c.EnterCount(shoe.cards.size - 6))
    assert rig.faults() == []
    balances = [event.balance for event, _ in rig.events if isinstance(event, e.ShoeEnded)]
    assert balances == ["balanced"]


def test_b9_a_card_that_was_gone_eight_times_may_come_again_after_the_shuffle() -> None:
    rig = table(SHOE, "5S 6D 6C 7H")
    for _ in range(7):
        rig.record(e.CardDead(fate="dead", card=Card.parse("9H")))
    rig.record(e.CardDead(fate="burned", card=Card.parse("9H")))
    rig.answer("ann M hit")
    emptied(rig)
    assert answer(rig) is None
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    rig.lift()
    rig.cards("9H")
    assert rig.faults() == []
    assert rig.accepted()[-1] == ("M", "9H")


def test_b9_with_no_card_of_an_earlier_round_there_is_nothing_to_shuffle() -> None:
    rig = SharedRig(sources=SHOE)
    rig.online()
    rig.give(c.OpenTable())
    rig.record(e.ShoeOpened(shoe_no=1, decks=8))
    rig.give(c.OpenBets())
    rig.bet("ann", main=1000)
    rig.give(c.CloseBets())
    rig.cards("5S")
    emptied(rig)
    assert answer(rig) == "refused.no_discards"
