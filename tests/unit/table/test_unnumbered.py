"""A shoe that does not number its reports: a lost card is asked about, and a line may be none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.options import options
from studio.table.state import Phase
from tests.support.rig import BOTH, Rig
from tests.support.row_play import (
    BANKER_WINS,
    LOST,
    SHOE,
    STAKES,
    answer,
    gone,
    play,
    row,
    settled,
)


def unnumbered(sources: tuple[str, ...] = SHOE) -> Rig:
    """A table in play whose shoe is a text reader."""
    rig = Rig(sources=sources)
    rig.setup = replace(rig.setup, numbered=False)
    return rig


def dealing(sources: tuple[str, ...] = SHOE) -> Rig:
    return unnumbered(sources).in_play().dealing(**STAKES)


def lose(rig: Rig) -> None:
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="the port is gone"))


def come_back(rig: Rig) -> None:
    rig.give(
        o.DeviceOnline(
            device="shoe", at_us=rig.at_us, model="serial-text", firmware="", serial="", boot="b0"
        )
    )


def offered(rig: Rig) -> dict[str, str]:
    """The lawful repairs of the first fault with the words they have."""
    assert rig.table.hold is not None
    found = options(rig.setup, rig.table, rig.table.hold.faults[0])
    return {each.command: each.label.code for each in found if each.enabled}


# -- a device that was away ----------------------------------------------------------------------


def test_a_reader_that_was_away_while_a_card_was_due_asks_whether_one_came() -> None:
    rig = play(dealing(), *BANKER_WINS[:1])
    lose(rig)
    assert row(rig).stem == "lost_with_a_card_due"
    assert offered(rig)["KeyInCard"] == "repair.KeyInCard"
    assert answer(rig, c.RetryDevice) == "refused.device_not_back"
    come_back(rig)
    assert offered(rig)["RetryDevice"] == "repair.no_card"


def test_the_card_that_came_meanwhile_is_keyed_in_and_counted_once() -> None:
    rig = play(dealing(), *BANKER_WINS[:1])
    before = gone(rig)
    lose(rig)
    assert answer(rig, c.KeyInCard, card=Card.parse("9D")) is None
    assert rig.refused(c.LiftHold(fault="", reason="reason.other")) == "refused.device_not_ready"
    come_back(rig)
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST
    assert gone(rig) == before + 3


def test_the_key_in_after_an_absence_needs_a_second_person() -> None:
    rig = dealing()
    lose(rig)
    command = c.KeyInCard(fault=rig.fault(), reason="reason.other", card=Card.parse("4C"))
    assert isinstance(rig.give(command, second=False)[-1], e.ApprovalAsked)
    assert rig.accepted() == []


def test_no_card_came_lets_the_table_wait_for_it() -> None:
    rig = dealing()
    before = gone(rig)
    lose(rig)
    come_back(rig)
    assert answer(rig, c.RetryDevice) is None
    rig.lift()
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


def test_the_question_is_not_asked_where_another_source_answers_it() -> None:
    numbered = Rig(sources=SHOE).in_play().dealing(**STAKES)
    for rig in (numbered, dealing(BOTH), unnumbered().in_play()):
        lose(rig)
        assert row(rig).repairs == ("RetryDevice",)


def test_a_card_that_was_burned_while_the_reader_was_away_counts_as_one_unknown() -> None:
    rig = unnumbered().burning("2H")
    before = gone(rig)
    lose(rig)
    come_back(rig)
    assert "KeyInCard" not in offered(rig)
    assert offered(rig)["AcceptAsDealt"] == "repair.burned_unread"
    assert answer(rig, c.AcceptAsDealt) is None
    rig.lift()
    assert gone(rig) == before + 1
    rig.read("KS")
    assert gone(rig) == before + 2
    assert rig.accepted()[1] == ("BURN", "XX")


def test_a_burned_card_that_a_silent_reader_did_not_name_is_accepted_by_a_person() -> None:
    rig = unnumbered().burning("2H")
    before = gone(rig)
    rig.wait(31)
    assert rig.faults() == [FaultCode.CARD_DUE_LATE]
    assert answer(rig, c.AcceptAsDealt) is None
    assert gone(rig) == before + 1


# -- a line that was no card ----------------------------------------------------------------------


def test_noise_that_looked_like_a_line_is_no_card_on_a_persons_word() -> None:
    rig = dealing()
    before = gone(rig)
    rig.read("??")
    assert row(rig).stem == "line_unread"
    assert offered(rig)["AcknowledgeFault"] == "repair.no_card"
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    assert gone(rig) == before
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


def test_two_lines_of_noise_are_two_answers() -> None:
    rig = dealing()
    before = gone(rig)
    rig.read("??")
    rig.read("??")
    assert row(rig).row == "V2"
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


def test_a_shoe_that_numbers_its_reports_sends_no_phantoms() -> None:
    rig = Rig(sources=SHOE).in_play().dealing(**STAKES)
    rig.read("??")
    assert answer(rig, c.AcknowledgeFault) == "refused.not_by_policy"


def test_what_the_camera_shows_is_a_card() -> None:
    rig = dealing(BOTH)
    rig.lay("P", "4C")
    rig.read("??")
    assert answer(rig, c.AcknowledgeFault) == "refused.card_seen"
    assert answer(rig, c.KeyInCard, card=Card.parse("4C")) is None


def test_noise_under_a_camera_that_sees_no_card_is_none() -> None:
    rig = dealing(BOTH)
    before = gone(rig)
    rig.read("??")
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


@pytest.mark.parametrize("repair", [c.AcknowledgeFault, c.MarkDead])
def test_noise_between_coups_is_no_card_or_a_dead_one(repair: type[c.Repair]) -> None:
    rig = unnumbered().in_play()
    before = gone(rig)
    rig.read("??")
    assert (rig.faults(), row(rig).row) == ([FaultCode.CARD_OUT_OF_PHASE], "V1")
    assert answer(rig, repair) is None
    rig.lift()
    assert gone(rig) == before + (repair is c.MarkDead)
    assert rig.table.sensing.parked == ()
    assert rig.table.phase is Phase.IDLE


def test_noise_while_a_result_or_a_void_is_shown_is_asked_about() -> None:
    for voided in (False, True):
        rig = dealing()
        if voided:
            rig.give(c.CallSupervisor())
            rig.give(
                c.VoidRound(
                    fault=rig.fault(),
                    reason="reason.not_provable",
                    round_id=rig.table.round.id if rig.table.round else "",
                )
            )
            assert rig.table.phase is Phase.RESULT
            assert not rig.table.held
        else:
            play(rig, *BANKER_WINS)
        before = gone(rig)
        rig.read("??")
        assert row(rig).stem == "line_unread"
        assert answer(rig, c.AcknowledgeFault) is None
        rig.lift()
        assert gone(rig) == before


def test_noise_before_bets_are_closed_is_no_first_card() -> None:
    rig = unnumbered().in_play().betting(**STAKES)
    before = gone(rig)
    rig.read("??")
    rig.wait(15)
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 4


def test_noise_during_the_burn_burns_nothing() -> None:
    rig = unnumbered().burning("2H")
    before = gone(rig)
    rig.read("??")
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]
    assert answer(rig, c.AcknowledgeFault) is None
    rig.lift()
    assert gone(rig) == before
    rig.read("KS")
    assert gone(rig) == before + 1


@pytest.mark.parametrize("two", [False, True])
def test_a_line_of_noise_before_the_cards_own_line_makes_no_second_card(*, two: bool) -> None:
    rig = dealing()
    before = gone(rig)
    rig.read("??")
    rig.read("4C")
    assert answer(rig, c.KeyInCard, card=Card.parse("4C")) is None
    assert rig.faults() == [FaultCode.REPEATED_CARD]
    assert answer(rig, c.UseAsNextCard if two else c.AcknowledgeFault) is None
    rig.lift()
    assert not rig.table.held
    assert rig.accepted() == [("P", "4C"), ("B", "4C")][: 2 if two else 1]
    assert gone(rig) == before + (2 if two else 1)
