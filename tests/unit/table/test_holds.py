"""Faults, holds and repairs of a table with a shoe and a camera."""

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.casework import supervisor_view
from studio.table.state import Phase
from studio.table.views import Message
from tests.support.rig import Rig

REASON = "reason.camera_proves"


def ready(**stakes: int) -> Rig:
    """A table that deals, with a bet on the Player."""
    return Rig().in_play().dealing(**(stakes or {"player": 1000}))


def finish(rig: Rig, *cards: tuple[str, str]) -> None:
    """Deal these cards without trouble."""
    for zone, code in cards:
        rig.deal(zone, code)


def test_two_sources_that_disagree_hold_the_table_before_anything_depends_on_it() -> None:
    """V3: never averaged, never the louder one."""
    rig = ready()
    rig.read("4C")
    rig.lay("P", "4S")
    assert rig.faults() == [FaultCode.READER_MISMATCH]
    assert rig.accepted() == []


def test_a_keyed_card_takes_the_place_of_the_disputed_one_and_the_coup_goes_on() -> None:
    """V3: a person says which it was; the reports are used up by it."""
    rig = ready()
    rig.read("4C")
    rig.lay("P", "4S")
    rig.give(c.KeyInCard(fault=rig.fault(), reason=REASON, card=Card.parse("4S")))
    rig.lift()
    assert rig.accepted() == [("P", "4S")]
    finish(rig, ("B", "9D"), ("P", "2H"), ("B", "TS"))
    assert rig.table.round is not None
    assert rig.table.round.state == "settled"


def test_an_unreadable_card_is_a_fault_and_never_a_value() -> None:
    """V1: hold, and a person reads it."""
    rig = ready()
    rig.read("??")
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]


def test_an_unsure_camera_is_given_time_and_then_asks() -> None:
    """V4: the second look may be better; a guess is never made."""
    rig = ready()
    rig.read("4C")
    rig.lay("P", "4C", sure=False)
    assert rig.faults() == []
    rig.wait(5)
    assert rig.faults() == [FaultCode.UNSURE_CARD]


def test_an_unsure_camera_that_becomes_sure_in_time_is_no_fault() -> None:
    """The dealer squared the card."""
    rig = ready()
    rig.read("4C")
    rig.lay("P", "4C", sure=False)
    rig.felt["P"].clear()
    rig.lay("P", "4C")
    assert rig.accepted() == [("P", "4C")]


def test_a_card_in_the_wrong_place_holds_and_is_accepted_once_it_was_moved() -> None:
    """P3, B13: the order of the shoe stands; the dealer moves the card."""
    rig = ready()
    rig.read("4C")
    rig.lay("B", "4C")
    assert rig.faults() == [FaultCode.DEAL_ORDER]
    rig.take("B")
    rig.lay("P", "4C")
    rig.give(c.AssignCard(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert rig.accepted() == [("P", "4C")]


def test_a_card_that_only_the_shoe_knows_is_a_fault_after_its_time() -> None:
    """The second source must follow within the evidence time."""
    rig = ready()
    rig.read("4C")
    rig.wait(4.9)
    assert not rig.table.held
    rig.wait(0.1)
    assert rig.faults() == [FaultCode.CARD_UNSEEN]


def test_a_card_that_only_the_camera_knows_is_a_fault_after_its_time() -> None:
    """A card from nowhere is never believed."""
    rig = ready()
    rig.lay("P", "4C")
    rig.wait(5)
    assert rig.faults() == [FaultCode.CARD_FROM_NOWHERE]


def test_a_due_card_that_nobody_reports_holds_the_table_in_the_end() -> None:
    """V10: expectation makes silence meaningful."""
    rig = ready()
    rig.wait(30)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]


def test_two_cards_at_rest_at_once_in_one_place_have_no_provable_order() -> None:
    """B11: they are not put in an order by guessing."""
    rig = ready()
    rig.read("4C")
    rig.read("9D")
    rig.felt["P"].append(o.SeenCard(track=90, look=o.Look.FACE, card=Card.parse("9D"), sure=True))
    rig.lay("P", "4C")
    assert rig.faults() == [FaultCode.TWO_AT_ONCE]


def test_a_ninth_card_of_a_kind_is_impossible() -> None:
    """V5: the count of the shoe is a veto."""
    rig = ready()
    for _ in range(8):
        rig.record(e.CardDead(fate="dead", card=Card.parse("KS")))
    rig.deal("P", "KS")
    assert rig.faults() == [FaultCode.IMPOSSIBLE_CARD]


def test_an_accepted_card_that_changes_is_a_substitution() -> None:
    """A security fault, whatever the new card is."""
    rig = ready()
    rig.deal("P", "4C")
    old = rig.felt["P"][0]
    rig.felt["P"][0] = o.SeenCard(
        track=old.track, look=o.Look.FACE, card=Card.parse("9C"), sure=True
    )
    rig.show()
    assert rig.faults() == [FaultCode.SUBSTITUTED_CARD]


def test_an_accepted_card_that_vanishes_is_a_fault_and_a_hand_over_it_is_not() -> None:
    """B14: a covered zone proves nothing."""
    rig = ready()
    rig.deal("P", "4C")
    cards = list(rig.felt["P"])
    rig.felt["P"].clear()
    rig.show(unsettled=("P",))
    assert not rig.table.held
    rig.show()
    assert rig.faults() == [FaultCode.CARD_VANISHED]
    rig.felt["P"] += cards
    rig.show()
    rig.give(c.RestoreCollected(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert not rig.table.held


def test_an_early_card_that_nobody_saw_is_noted_and_becomes_the_first_card() -> None:
    """B1: parked, and used after the close."""
    rig = Rig().in_play().betting(player=1000)
    rig.read("4C")
    assert not rig.table.held
    assert [note.code for note in rig.table.notes] == [FaultCode.EARLY_CARD]
    rig.wait(15)
    rig.lay("P", "4C")
    assert rig.accepted() == [("P", "4C")]


def test_an_early_card_that_was_seen_holds_the_table_and_is_dead() -> None:
    """B1: revealed, so it is not used; the bets' clock stands still meanwhile."""
    rig = Rig().in_play().betting(player=1000)
    rig.at_us += 5_000_000
    rig.read("4C")
    rig.lay("P", "4C")
    assert rig.faults() == [FaultCode.EARLY_CARD]
    rig.give(c.MarkDead(fault=rig.fault(), reason=REASON))
    rig.take("P")
    rig.at_us += 60_000_000
    rig.lift()
    assert rig.table.phase is Phase.BETTING
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + 10_000_000


def test_a_window_that_a_hold_stopped_reopens_with_a_least_time() -> None:
    """DESIGN.md 5: the larger of what was left and `reopen_min_s`."""
    rig = Rig().in_play().betting(player=1000)
    rig.at_us += 14_500_000
    rig.give(c.CallSupervisor())
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + 4_000_000


def test_bets_of_a_held_table_are_refused_with_that_reason() -> None:
    """The input is kept on record, its money never moved."""
    rig = Rig().in_play().betting()
    rig.give(c.CallSupervisor())
    new = rig.bet("ann", player=100)
    assert [event.refused[0][1] for event in new if isinstance(event, e.BetsRefused)] == [
        "refused.table_held"
    ]


def test_an_extra_card_after_the_last_one_is_parked_and_changes_no_result() -> None:
    """P1, P2, P4: the round keeps its result; the card's fate is decided."""
    rig = ready()
    finish(rig, ("P", "4C"), ("B", "9D"), ("P", "2H"), ("B", "TS"))
    rig.read("5S")
    rig.lay("P", "5S")
    assert rig.faults()[0] is FaultCode.EXTRA_CARD
    assert rig.table.round is not None
    assert rig.table.round.code == "banker"
    assert rig.table.shoe is not None
    before = rig.table.shoe.cards.gone
    while rig.faults():
        rig.give(c.MarkDead(fault=rig.fault(), reason=REASON))
    assert rig.table.shoe.cards.gone == before + 1
    rig.lift()
    assert not rig.table.held


def test_a_correction_runs_the_round_again_and_asks_for_what_is_now_due() -> None:
    """A natural that was none: the Banker stands, so the Player draws."""
    rig = ready()
    finish(rig, ("P", "4C"), ("B", "7D"), ("P", "2H"))
    rig.give(c.CallSupervisor(reason="reason.card_identity"))
    rig.give(c.CorrectCard(fault=rig.fault(), reason=REASON, index=0, card=Card.parse("3C")))
    rig.lift()
    assert rig.accepted()[0] == ("P", "3C")
    finish(rig, ("B", "TS"))
    rig.deal("P", "9H")
    assert rig.table.round is not None
    assert rig.table.round.code == "banker"


def test_a_correction_that_leaves_a_card_too_many_puts_it_outside_the_round() -> None:
    """What no longer fits is dead, and the round ends by the rules."""
    rig = ready()
    finish(rig, ("P", "4C"), ("B", "7D"), ("P", "AH"), ("B", "TS"))
    assert rig.accepted()[-1] == ("B", "TS")
    rig.read("5C")
    rig.give(c.CallSupervisor())
    rig.give(c.CorrectCard(fault=rig.fault(), reason=REASON, index=0, card=Card.parse("7C")))
    rig.lift()
    assert rig.table.round is not None
    assert rig.table.round.code == "player"
    assert FaultCode.EXTRA_CARD in [n.code for n in rig.table.notes] + rig.faults()


def test_a_void_returns_every_stake_once_and_lifts_the_hold() -> None:
    """Main and side bets, in one commit with the round's end."""
    rig = ready(player=1000, tie=300, big=200)
    rig.read("4C")
    rig.lay("P", "4S")
    assert rig.table.round is not None
    new = rig.give(
        c.VoidRound(fault=rig.fault(), reason="reason.not_provable", round_id=rig.table.round.id)
    )
    voided = next(event for event in new if isinstance(event, e.RoundVoided))
    assert voided.refunded == 1500
    assert voided.columns.total == 1500
    assert rig.table.state == "void"
    assert (
        rig.refused(c.VoidRound(fault="", reason="reason.other", round_id=rig.table.round.id))
        == "refused.not_held"
    )


def test_a_void_needs_a_reason_and_the_round_that_is_meant() -> None:
    """F2, and the state that the person was looking at."""
    rig = ready()
    rig.give(c.CallSupervisor())
    assert rig.table.round is not None
    assert (
        rig.refused(c.VoidRound(fault="", round_id=rig.table.round.id)) == "refused.reason_missing"
    )
    for given, code in (
        ({"reason": "because I say so"}, "refused.reason_missing"),
        ({"reason": "reason.other", "note": "w" * 501}, "refused.malformed"),
    ):
        void = c.VoidRound(fault="", round_id=rig.table.round.id, **given)
        assert rig.refused(void) == code
    assert (
        rig.refused(c.VoidRound(fault="", reason="reason.other", round_id="r-0"))
        == "refused.other_round"
    )


def test_a_shoe_is_ended_in_a_hold_only_for_a_reason_of_the_list() -> None:
    """DESIGN.md 5: a repair then. Between rounds, with nothing wrong, it is the ordinary end."""
    rig = ready()
    rig.give(c.CallSupervisor())
    assert rig.refused(c.EndShoe()) == "refused.reason_missing"
    assert rig.refused(c.EndShoe(reason="because")) == "refused.reason_missing"
    assert rig.refused(c.EndShoe(reason=REASON, note="w" * 501)) == "refused.malformed"
    assert rig.give(c.EndShoe(reason=REASON, note="a card is marked")) == [
        e.ShoeEnding(reason=REASON, note="a card is marked")
    ]
    assert Rig().in_play().refused(c.EndShoe()) is None


def test_a_hold_is_not_lifted_while_a_fault_is_unanswered() -> None:
    """Only a named person lifts it, and only when everything is answered."""
    rig = ready()
    rig.give(c.CallSupervisor())
    assert rig.refused(c.LiftHold(fault="", reason=REASON)) == "refused.fault_unanswered"


def test_a_lost_shoe_holds_the_table_until_it_is_back() -> None:
    """Reconnect yes, resume no."""
    rig = ready()
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="unplugged"))
    assert rig.faults() == [FaultCode.DEVICE_LOST]
    retry = c.RetryDevice(fault=rig.fault(), reason=REASON)
    assert rig.refused(retry) == "refused.device_not_back"
    rig.online()
    assert rig.table.held
    assert rig.refused(retry) is None
    rig.lift()
    assert not rig.table.held


def test_another_shoe_in_its_place_is_refused() -> None:
    """S2: the identity is compared with the configuration's."""
    rig = ready()
    rig.give(
        o.DeviceOnline(
            device="shoe",
            at_us=rig.at_us,
            model="S",
            firmware="1",
            serial="OTHER",
            boot="b1",
            expected_serial="SN",
        )
    )
    assert rig.faults() == [FaultCode.DEVICE_REPLACED]


def test_the_same_report_twice_is_one_fact() -> None:
    """Identity of a report is device, boot and sequence."""
    rig = ready()
    rig.read("4C")
    rig.sequence -= 1
    assert rig.read("4C") == []


@pytest.mark.parametrize(
    "command",
    [c.OpenBets(), c.CloseBets(), c.StartShoe(), c.ConfirmStep(), c.EnterCount(3), c.CloseTable()],
)
def test_a_held_table_takes_repairs_only(command: c.Command) -> None:
    """Everything else is rejected with the one reason."""
    rig = ready()
    rig.give(c.CallSupervisor())
    assert rig.refused(command) == "refused.table_held"


def test_a_knocked_camera_holds_the_table() -> None:
    """The camera says itself that it cannot see."""
    rig = ready()
    rig.give(o.CameraUnfit(device="camera", at_us=rig.at_us, why=o.Unfit.KNOCKED))
    assert rig.faults() == [FaultCode.CAMERA_UNFIT]


def test_a_coup_goes_on_after_a_restart_with_the_cards_found_again() -> None:
    """Held first; the camera pairs what lies there with what the journal believes."""
    rig = ready()
    finish(rig, ("P", "4C"), ("B", "9D"))
    rig.restart()
    assert rig.faults() == [FaultCode.RECOVERED]
    rig.show()
    rig.give(c.RescanRound(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert not rig.table.held
    finish(rig, ("P", "2H"), ("B", "TS"))
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.code) == ("settled", "banker")


def test_a_card_that_is_gone_after_a_restart_is_laid_back_or_the_round_is_void() -> None:
    """The world went on while we were down."""
    rig = ready()
    finish(rig, ("P", "4C"), ("B", "9D"))
    rig.restart()
    rig.take("B")
    assert rig.refused(c.RescanRound(fault=rig.fault(), reason=REASON)) == "refused.felt_differs"
    assert rig.refused(c.AcceptAsDealt(fault=rig.fault(), reason=REASON)) == "refused.felt_differs"
    rig.lay("B", "9D")
    rig.give(c.RescanRound(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert not rig.table.held


@pytest.mark.parametrize("gone", [{"procedure": "baccarat@0"}, {"rules_digest": "of other rules"}])
def test_a_round_of_an_unknown_procedure_or_of_other_rules_can_only_be_voided(
    gone: dict[str, str],
) -> None:
    """DESIGN.md 3: rules change between rounds only; void is the only way out, and offered so."""
    rig = ready(player=1000)
    assert rig.table.round is not None
    rig.table = replace(rig.table, round=replace(rig.table.round, **gone))
    rig.restart()
    rig.show()
    fault = rig.fault()
    acknowledge = c.AcknowledgeFault(fault=fault, reason=REASON)
    assert rig.refused(acknowledge) == "refused.procedure_missing"
    view = supervisor_view(rig.setup, rig.table, rig.at_us)
    offered = [option.command for option in view.cases[0].options if option.enabled]
    assert offered == ["VoidRound"]
    void = c.VoidRound(fault="", reason="reason.other", round_id=rig.table.round.id)
    assert rig.refused(void) is None
    assert rig.table.round.refunded == 1000


def test_the_reason_of_a_call_that_follows_it_is_a_fact_that_the_case_shows() -> None:
    """FACES.md 5: "you may say why" comes after the call."""
    rig = ready()
    rig.give(c.CallSupervisor())
    fault = rig.fault()
    new = rig.give(c.CallSupervisor(reason="reason.call.foreign_card"))
    assert new == [e.CallExplained(fault=fault, reason="reason.call.foreign_card")]
    case = supervisor_view(rig.setup, rig.table, rig.table.at_us).cases[0]
    assert case.what == Message("case.called", (("reason", "reason.call.foreign_card"),))
    assert case.row == "P11"


def test_a_call_is_explained_once_and_by_a_reason_of_the_list() -> None:
    rig = ready()
    assert rig.refused(c.CallSupervisor(reason="the shoe smokes")) == "refused.call_reason"
    rig.give(c.CallSupervisor())
    assert rig.refused(c.CallSupervisor()) == "refused.called_already"
    assert rig.refused(c.CallSupervisor(reason="the shoe smokes")) == "refused.call_reason"
    rig.give(c.CallSupervisor(reason="reason.call.bets"))
    assert rig.refused(c.CallSupervisor(reason="reason.call.card")) == "refused.called_already"
