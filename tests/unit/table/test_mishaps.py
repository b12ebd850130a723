"""Mishaps that once led to a wrong card, a leak or a table without a way out."""

import json
from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.casework import supervisor_view
from studio.table.decide import returned
from studio.table.show import overlay_view
from studio.table.state import Phase
from studio.table.turn import Stamp
from studio.table.views import to_json
from tests.support.rig import Rig

REASON = "reason.other"
NATURAL = (("P", "9H"), ("B", "2C"), ("P", "KH"), ("B", "KD"))
SHOE = ("shoe",)


def answer(rig: Rig, command: type, **fields: object) -> str | None:
    """Answer the first fault with a repair; the refusal, if it is refused."""
    return rig.refused(command(fault=rig.fault(), reason=REASON, **fields))


def finish(rig: Rig, *cards: tuple[str, str]) -> None:
    """Deal these cards without trouble."""
    for zone, code in cards:
        rig.deal(zone, code)


def test_two_early_cards_are_dealt_in_the_order_in_which_they_came() -> None:
    """B1, B3."""
    rig = Rig(sources=SHOE).in_play().betting(tie=100)
    rig.read("9H")
    rig.read("2C")
    rig.wait(15)
    assert rig.accepted() == [("P", "9H"), ("B", "2C")]


def test_a_card_read_at_a_closed_table_is_told_when_it_opens() -> None:
    """V8: it is nobody's first card."""
    rig = Rig(sources=SHOE).in_play()
    rig.give(c.CloseTable())
    rig.read("9H")
    rig.give(c.OpenTable())
    assert rig.faults() == [FaultCode.CARD_OUT_OF_PHASE]


def test_no_card_crosses_into_another_shoe() -> None:
    """A card too many of the last coup is dead with its shoe."""
    rig = Rig(sources=SHOE).in_play().dealing()
    rig.read("CUT")
    finish(rig, *NATURAL)
    rig.read("7S")
    assert answer(rig, c.UseAsNextCard) == "refused.shoe_over"
    assert answer(rig, c.MarkDead) is None
    rig.lift()
    rig.give(c.ConfirmStep())
    rig.wait(8)
    assert rig.table.phase is Phase.SHOE
    assert rig.table.sensing.parked == ()


def test_a_back_of_the_burn_is_found_again_after_a_restart() -> None:
    """An old back is never taken for the next one."""
    rig = Rig().burning("4H")
    rig.read("5C")
    rig.lay("BURN", "XX")
    rig.restart()
    assert answer(rig, c.AcknowledgeFault) == "refused.felt_unchecked"
    assert answer(rig, c.RescanRound) is None
    rig.lift()
    rig.read("6C")
    assert len(rig.accepted()) == 2
    rig.lay("BURN", "XX")
    assert len(rig.accepted()) == 3


def test_after_a_gap_a_table_without_a_camera_asks_for_the_missing_card_first() -> None:
    """P8: the next report is not the missing card's."""
    rig = Rig(sources=SHOE).in_play().dealing()
    rig.read("2H")
    rig.give(o.SequenceGap(device="shoe", at_us=rig.at_us, boot="b0", first=2, last=2))
    rig.sequence = 2
    rig.read("9C")
    assert answer(rig, c.KeyInCard, card=Card.parse("3D")) is None
    rig.lift()
    assert rig.accepted() == [("P", "2H"), ("B", "3D"), ("P", "9C")]


def test_a_late_report_of_a_keyed_card_asks_whether_it_is_one_card_or_two() -> None:
    """V7, and the burst after a silence."""
    rig = Rig(sources=SHOE).in_play().dealing()
    rig.wait(31)
    answer(rig, c.KeyInCard, card=Card.parse("7H"))
    rig.lift()
    rig.read("7H")
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    answer(rig, c.AcknowledgeFault)
    rig.lift()
    assert rig.accepted() == [("P", "7H")]


def test_two_cards_after_a_late_report_are_two_cards() -> None:
    """The other answer."""
    rig = Rig(sources=SHOE).in_play().dealing()
    rig.wait(31)
    answer(rig, c.KeyInCard, card=Card.parse("7H"))
    rig.lift()
    rig.read("7H")
    answer(rig, c.UseAsNextCard)
    rig.lift()
    assert rig.accepted() == [("P", "7H"), ("B", "7H")]


def test_a_substitution_in_the_picture_of_the_last_card_is_seen_before_the_round_is_paid() -> None:
    """The changed card is looked at before the new one."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL[:3])
    first = rig.felt["P"][0]
    rig.felt["P"][0] = replace(first, card=Card.parse("8H"))
    rig.read("KD")
    rig.lay("B", "KD")
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    assert rig.table.phase is Phase.DEALING


def test_an_accepted_card_that_was_turned_down_is_a_substitution() -> None:
    """The same track shows its back."""
    rig = Rig().in_play().dealing()
    finish(rig, NATURAL[0])
    first = rig.felt["P"][0]
    rig.felt["P"][0] = replace(first, look=o.Look.BACK, card=None, sure=False)
    rig.show()
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_after_a_correction_the_screens_show_the_hands_that_are_paid() -> None:
    """A card may change sides: the Player stands now, so it is the Banker's."""
    rig = Rig(sources=SHOE).in_play().dealing()
    finish(rig, ("P", "2H"), ("B", "2C"), ("P", "3D"), ("B", "KC"))
    rig.read("9H")
    rig.give(c.CallSupervisor())
    answer(rig, c.CorrectCard, index=2, card=Card.parse("4D"))
    rig.lift()
    view = to_json(overlay_view(rig.setup, rig.table))
    shown = {hand["zone"]: hand["total"] for hand in view["hands"]}
    told = json.loads(rig.table.round.outcome) if rig.table.round else {}
    assert shown == {"P": told["player_total"], "B": told["banker_total"]} == {"P": 6, "B": 1}


def test_the_next_rounds_first_card_is_sealed_while_it_waits() -> None:
    """Nobody may know it while bets are open."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL[:3])
    rig.read("KD")
    rig.read("7S")
    rig.lay("B", "KD")
    text = repr([event for event, _ in rig.events if isinstance(event, e.ShoeRead)][-1])
    assert "sealed=Sealed" in text
    page = json.dumps(to_json(supervisor_view(rig.setup, rig.table, rig.at_us)))
    assert "7S" not in page


def test_an_unreadable_burn_card_is_a_back_of_unknown_identity() -> None:
    """DESIGN.md 4: the shoe's identity, or ``XX`` if it does not read."""
    rig = Rig().burning("2H")
    rig.read("??")
    rig.lay("BURN", "XX")
    assert not rig.table.held
    assert rig.accepted()[-1] == ("BURN", "XX")


@pytest.mark.parametrize("held", [False, True])
def test_a_shoe_that_is_ending_ends(*, held: bool) -> None:
    """Neither a closed table nor a hold keeps it for ever."""
    rig = Rig(sources=SHOE).in_play()
    if held:
        rig.give(c.CallSupervisor())
        rig.give(c.EndShoe(reason=REASON))
        answer(rig, c.AcknowledgeFault)
        rig.lift()
    else:
        rig.dealing()
        rig.give(c.EndShoe(reason=REASON))
        rig.give(c.CloseTable())
        finish(rig, *NATURAL)
        rig.give(c.ConfirmStep())
        rig.wait(8)
        rig.give(c.OpenTable())
    assert rig.table.phase is Phase.SHOE
    rig.give(c.EnterCount(400))
    assert rig.table.shoe is not None
    assert not rig.table.shoe.open


def test_the_right_device_is_fit_again_after_another_one_was_there() -> None:
    """S2, and the way back from it."""
    rig = Rig().in_play()
    for serial in ("OTHER", "", "SN"):
        if not serial:
            rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
            continue
        rig.give(
            o.DeviceOnline(
                device="shoe",
                at_us=rig.at_us,
                model="S",
                firmware="1",
                serial=serial,
                boot="b0",
                expected_serial="SN",
            )
        )
    while rig.faults():
        assert answer(rig, c.RetryDevice) is None
    rig.lift()
    assert not rig.table.held


def test_a_devices_trouble_does_not_outlive_its_power_cycle() -> None:
    """It states its faults again after power-up."""
    rig = Rig().in_play()
    jam = o.DeviceFaultCode.JAM
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=jam, text=""))
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="power"))
    rig.give(
        o.DeviceOnline(
            device="shoe", at_us=rig.at_us, model="S", firmware="1", serial="SN", boot="b1"
        )
    )
    while rig.faults():
        assert answer(rig, c.RetryDevice) is None
    rig.lift()


def test_a_card_that_was_laid_back_is_found_again() -> None:
    """B14: not a void."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL[:2])
    rig.take("P")
    assert rig.faults() == [FaultCode.CARD_VANISHED]
    assert answer(rig, c.RestoreCollected) == "refused.cards_missing"
    rig.lay("P", "9H")
    assert answer(rig, c.RestoreCollected) is None
    rig.lift()
    assert not rig.table.held
    finish(rig, *NATURAL[2:])
    assert rig.table.phase is Phase.RESULT


def test_a_burn_that_cannot_go_on_is_given_up_and_counted() -> None:
    """The shoe procedure has a way out as well."""
    rig = Rig().burning("4H")
    rig.take("BURN")
    assert rig.faults() == [FaultCode.CARD_VANISHED]
    rig.give(c.EndShoe(reason=REASON))
    rig.lift()
    rig.give(c.EnterCount(415))
    assert rig.table.phase is Phase.IDLE


def test_two_stops_in_one_hold_lose_no_card() -> None:
    """The camera counts anew after each."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL[:2])
    rig.restart()
    rig.restart()
    answer(rig, c.RescanRound)
    rig.lift()
    assert not rig.table.held


def test_a_table_with_a_dead_device_can_be_closed_between_rounds() -> None:
    """And not while a round is open."""
    rig = Rig().in_play()
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="broken"))
    assert rig.refused(c.CloseTable()) is None
    assert rig.table.phase is Phase.CLOSED
    dealing = Rig().in_play().dealing()
    dealing.give(o.DeviceOffline(device="shoe", at_us=dealing.at_us, reason="broken"))
    assert dealing.refused(c.CloseTable()) == "refused.table_held"


def test_a_thing_on_the_felt_that_is_no_card_does_not_stop_the_table() -> None:
    """A chip left on a zone."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL)
    rig.take("P")
    rig.take("B")
    rig.lay("P", "??")
    rig.wait(8)
    while rig.faults():
        assert answer(rig, c.MarkDead) is None
    if rig.table.held:
        rig.lift()
    rig.wait(8)
    assert rig.table.phase is Phase.BETTING


def test_a_correction_does_not_answer_the_fault_of_a_device() -> None:
    """The camera is still away."""
    rig = Rig().in_play().dealing()
    finish(rig, NATURAL[0])
    rig.give(o.DeviceOffline(device="camera", at_us=rig.at_us, reason="unplugged"))
    answer(rig, c.CorrectCard, index=0, card=Card.parse("3H"))
    assert rig.faults() == [FaultCode.DEVICE_LOST]


def test_a_hold_is_not_lifted_while_a_source_is_away() -> None:
    """Cards would be due and nobody would see them."""
    rig = Rig().in_play().dealing()
    for event in returned(rig.setup, rig.table, Stamp(at_us=rig.at_us, salt="r")).events:
        rig.record(event)
    assert answer(rig, c.AcceptAsDealt) is None
    assert rig.refused(c.LiftHold(fault="", reason=REASON)) == "refused.device_not_ready"


def test_a_dead_card_on_the_felt_is_counted_once() -> None:
    """Its report and its picture are one card."""
    rig = Rig().in_play().dealing()
    finish(rig, *NATURAL)
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards.gone
    rig.read("7S")
    rig.lay("P", "7S")
    rig.wait(10)
    while rig.faults():
        answer(rig, c.MarkDead)
    rig.lift()
    rig.wait(10)
    assert not rig.table.held
    assert rig.table.shoe.cards.gone == before + 1


def test_a_void_counts_the_cards_that_only_the_camera_saw() -> None:
    """They left the shoe as well."""
    rig = Rig(sources=("camera",)).in_play().dealing()
    finish(rig, NATURAL[0])
    rig.lay("B", "5S", sure=False)
    rig.wait(6)
    assert rig.table.shoe is not None
    assert rig.table.round is not None
    before = rig.table.shoe.cards.gone
    rig.give(c.VoidRound(fault=rig.fault(), reason=REASON, round_id=rig.table.round.id))
    assert rig.table.shoe.cards.gone == before + 1


def test_the_cut_card_after_a_card_that_is_not_accepted_yet_came_during_the_coup() -> None:
    """D-33: one more coup."""
    rig = Rig().in_play().dealing()
    rig.read("2H")
    rig.read("CUT")
    rig.lay("P", "2H")
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 1


def test_a_card_on_the_discard_rack_is_no_mistake_of_order() -> None:
    """Only hands, and the burn while it is due, are looked at."""
    rig = Rig().in_play().dealing()
    rig.lay("DISCARD", "5S")
    rig.deal("P", "9H")
    assert rig.accepted() == [("P", "9H")]


def test_two_withdrawals_of_one_name_are_refused() -> None:
    """The second would be taken for a repeat of the first by the wallet."""
    rig = Rig(sources=SHOE).in_play().betting(tie=100, big=100)
    assert rig.table.round is not None
    ids = rig.table.round.batches[0].columns.ids
    assert rig.refused(c.WithdrawBets("w", ids[:1])) is None
    assert rig.refused(c.WithdrawBets("w", ids[1:])) == "refused.batch_known"


def test_a_limit_holds_for_all_bets_of_a_player_on_one_field_together() -> None:
    """Two bets below the limit may be above it together."""
    rig = Rig(sources=SHOE).in_play().betting(tie=600_000)
    new = rig.bet("ann", tie=600_000)
    refused = [event for event in new if isinstance(event, e.BetsRefused)]
    assert refused[0].refused[0][1] == "refused.limits"


def test_an_answer_of_the_wallet_after_the_deadline_is_late() -> None:
    """DESIGN.md 6: unanswered at the close is refused."""
    rig = Rig(sources=SHOE).in_play().betting()
    rig.give(c.PlaceBets(batch="b", bets=(c.Bet("x", "ann", "player", 100),)))
    rig.at_us += 15_000_000
    new = rig.give(o.FundsAnswered(device="w", at_us=rig.at_us, batch="b"))
    assert isinstance(new[0], e.FundsLate)


def test_a_late_card_of_the_burn_is_waited_for_anew_by_a_lone_shoe() -> None:
    """Nobody can key in a burned card, and no camera looks: the hold has a way out all the same."""
    rig = Rig(sources=("shoe",)).burning("2H")
    rig.read("9C")
    rig.wait(60)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]
    key_in = c.KeyInCard(fault=rig.fault(), reason="reason.other", card=Card.parse("4D"))
    assert rig.refused(key_in) == "refused.hidden_card"
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason="reason.other")) is None
    rig.lift()
    assert not rig.table.held
    rig.wait(1)
    assert not rig.table.held
    rig.read("4D")
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.burned == 3


def test_a_substituted_card_that_was_laid_back_costs_one_hold() -> None:
    """C15: whoever says that it is as dealt has the camera find the card where it lies again."""
    rig = Rig().in_play().dealing()
    rig.deal("P", "7H")
    rig.felt["P"][0] = replace(rig.felt["P"][0], card=Card.parse("8H"))
    rig.show()
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]
    rig.take("P")
    rig.lay("P", "7H")
    rig.give(c.AcceptAsDealt(fault=rig.fault(), reason="reason.camera_proves"))
    rig.lift()
    assert rig.faults() == []
    rig.deal("B", "KS")
    assert rig.accepted() == [("P", "7H"), ("B", "KS")]
