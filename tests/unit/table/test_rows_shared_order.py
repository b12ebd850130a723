"""Rows of the shared hand about order, place and the shoe (B6 to B9, B11 to B15), each played."""

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.table.state import Phase
from tests.support.row_play import answer, gone, noted, row
from tests.support.row_shared import BOTH, CAMERA, SHOE, ended, repaired, table, zone
from tests.support.shared import SharedRig

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
def test_b6_after_a_stop_the_card_that_stays_is_told_again_and_counts_once(
    sources: tuple[str, ...],
) -> None:
    rig = table(sources, "TS")
    if sources == BOTH:
        rig.read("8C")
    rig.lay("M", "8C")
    repaired(rig)
    rig.restart()
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    rig.wait(6)
    assert row(rig).row == "B6"
    repaired(rig)
    rig.cards("6D 7H")
    assert rig.accepted()[:3] == [("M", "TS"), ("D", "6D"), ("M", "8C")]
    assert gone(rig) == 6 + 4
    assert rig.table.sensing.parked == ()


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
    rig.take("D")
    assert (rig.table.phase, row(rig).row) == (Phase.DECISION, "B14")
    assert answer(rig) == "refused.cards_missing"
    rig.lay("M", "5S")
    rig.lay("M", "6C")
    rig.lay("D", "6D")
    rig.lay("D", "XX")
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


def test_b9_a_shoe_that_is_empty_while_players_choose_is_filled_before_the_window_goes_on() -> None:
    rig = table(SHOE, "5S 6D 6C 7H", ann=1000, bob=500)
    assert rig.table.phase is Phase.DECISION
    emptied(rig)
    assert (row(rig).row, row(rig).repairs[0]) == ("B9", "ShuffleDiscards")
    assert answer(rig) is None
    assert gone(rig) == 4
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    rig.lift()
    rig.answer("ann M hit", "bob M stand")
    rig.cards("9H")
    rig.answer("ann M stand")
    rig.turn_hole()
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000, "bob": 1000})


def test_b9_a_shoe_that_is_empty_before_the_hidden_card_is_turned_is_filled() -> None:
    rig = table(SHOE)
    rig.answer("ann M stand")
    emptied(rig)
    assert answer(rig) is None
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    rig.lift()
    rig.turn_hole()
    rig.cards("TH")
    assert ended(rig) == ("settled", {"ann": 2000})


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
