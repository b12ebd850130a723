"""A seat is asked in turn, chooses, and its card is laid open: with a shoe alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.games.procedure import Carried
from studio.table.seatplay import choices, known_cards
from studio.table.show import dealer_view, overlay_view
from studio.table.state import Phase
from studio.table.views import to_json
from tests.support.baloot_rig import BalootRig
from tests.support.tricks import TrickRig, known_inputs

SEAT_0 = c.Asker(number="0", name="Seat 1", role="seat")
SEAT_1 = c.Asker(number="1", name="Seat 2", role="seat")
HAND = ("7H", "AH", "KS", "7C", "AC")
"""Dealt to the seats in turn; the last is turned."""


def choice(seat: int, window: int, option: str) -> c.ChooseForSeat:
    return c.ChooseForSeat(seat=seat, window=window, option=option)


def played(rig: TrickRig) -> TrickRig:
    """Play the round to its end, as the dealer hears it."""
    rig.give(choice(0, 1, "pass"))
    for window, (seat, option) in enumerate(((0, "1"), (1, "1"), (0, "2"), (1, "2")), start=2):
        rig.give(choice(seat, window, option))
        rig.give(c.ConfirmStep())
        if seat == 1:
            rig.give(c.ConfirmStep())
    return rig


@pytest.fixture
def rig() -> TrickRig:
    """A table whose seats hold their cards: seat 0 is asked."""
    return TrickRig().loaded().dealt(*HAND)


def test_the_round_is_told_the_score_before_its_first_card() -> None:
    rig = TrickRig().loaded().dealing(any=100)
    assert rig.table.play is not None
    assert rig.table.play.inputs == (Carried((0,)),)


def test_a_seat_is_asked_with_all_that_the_open_cards_allow(rig: TrickRig) -> None:
    asked = [event for event, _ in rig.events if isinstance(event, e.SeatAsked)]
    assert [(it.window, it.seat, it.options) for it in asked] == [(1, 0, ("pass", "take"))]
    assert rig.table.phase is Phase.DECISION


def test_the_procedure_is_never_told_a_card_that_lies_face_down(rig: TrickRig) -> None:
    assert rig.table.play is not None
    assert known_inputs(rig.table.play.inputs) == ["AC"]


def test_the_dealer_says_what_a_seat_chose(rig: TrickRig) -> None:
    assert rig.give(choice(0, 1, "take"))[0] == e.SeatChose(
        round_id=rig.table.round.id,
        window=1,
        seat=0,
        option="take",
        by="dealer",  # type: ignore[union-attr]
    )


def test_a_seat_speaks_for_itself_alone(rig: TrickRig) -> None:
    assert rig.refused(choice(0, 1, "take"), SEAT_1) == "refused.no_right"
    assert rig.refused(choice(0, 1, "take"), SEAT_0) is None
    assert [event.by for event, _ in rig.events if isinstance(event, e.SeatChose)] == ["seat"]


def test_a_choice_for_another_window_is_refused(rig: TrickRig) -> None:
    rig.give(choice(0, 1, "pass"))
    assert rig.refused(choice(0, 1, "pass")) == "refused.window_closed"
    assert rig.refused(choice(0, 3, "1")) == "refused.window_closed"
    assert rig.refused(choice(0, 2, "1")) is None


@pytest.mark.parametrize("option", ["3", "AH", "KH", "hokum", ""])
def test_what_a_seat_may_not_choose_is_refused_in_one_way(rig: TrickRig, option: str) -> None:
    rig.give(choice(0, 1, "pass"))
    assert rig.refused(choice(0, 2, option), SEAT_0) == "refused.not_allowed"


def test_a_seat_that_holds_the_suit_must_follow_it(rig: TrickRig) -> None:
    rig.give(choice(0, 1, "pass"))
    rig.give(choice(0, 2, "1"))
    rig.give(c.ConfirmStep())
    assert choices(rig.setup, rig.table).options == (("1", "AH"),)
    assert rig.refused(choice(1, 3, "2"), SEAT_1) == "refused.not_allowed"
    assert rig.refused(choice(1, 3, "1"), SEAT_1) is None


def test_a_seat_names_its_own_card_and_a_dealer_may_not(rig: TrickRig) -> None:
    rig.give(choice(0, 1, "pass"))
    assert rig.refused(choice(0, 2, "KS")) == "refused.not_allowed"
    assert rig.refused(choice(0, 2, "KS"), SEAT_0) is None
    chose = [event for event, _ in rig.events if isinstance(event, e.SeatChose)]
    assert chose[-1].option == "2"


def test_silence_is_answered_by_the_rules_when_the_time_is_up(rig: TrickRig) -> None:
    assert rig.wait(11) == []
    new = rig.wait(1)
    assert isinstance(new[0], e.SeatChose)
    assert (new[0].option, new[0].by) == ("pass", "clock")


def test_a_choice_at_the_very_end_of_the_time_is_too_late(rig: TrickRig) -> None:
    assert rig.table.window is not None
    rig.at_us = rig.table.window.deadline_us - 1
    assert rig.refused(choice(0, 1, "hokum")) == "refused.not_allowed"
    rig.at_us += 1
    assert rig.refused(choice(0, 1, "take")) == "refused.window_closed"


def test_what_comes_out_of_turn_is_judged_by_the_cards_of_that_seat() -> None:
    refused = TrickRig().loaded().dealt(*HAND)
    assert refused.refused(choice(1, 1, "kawesh"), SEAT_1) == "refused.not_allowed"
    given = TrickRig().loaded().dealt("AH", "7H", "KS", "7C", "AC")
    assert given.refused(choice(1, 1, "kawesh"), SEAT_1) is None
    assert given.table.phase is Phase.RESULT


def test_a_hold_stops_the_question_and_gives_it_time_again(rig: TrickRig) -> None:
    rig.wait(10)
    rig.give(c.CallSupervisor())
    assert rig.refused(choice(0, 1, "pass")) == "refused.table_held"
    rig.wait(60)
    rig.give(c.AcknowledgeFault(fault=rig.fault(), reason="reason.other"))
    rig.lift()
    assert rig.table.window is not None
    assert rig.table.window.deadline_us == rig.at_us + 4_000_000
    assert rig.refused(choice(0, 1, "pass")) is None


def test_a_card_that_is_laid_open_is_told_with_the_salt_of_its_seal(rig: TrickRig) -> None:
    rig.give(choice(0, 1, "pass"))
    rig.give(choice(0, 2, "2"))
    moved = rig.give(c.ConfirmStep())[0]
    assert isinstance(moved, e.CardMoved)
    assert (moved.to, moved.card and moved.card.code, moved.index) == ("T0", "KS", 3)
    sealed = [ev.sealed for ev, _ in rig.events if isinstance(ev, e.CardDealt) and ev.index == 3]
    assert sealed[0] is not None
    assert moved.revealed is not None
    assert moved.revealed.digest == sealed[0].digest


def test_a_card_that_nobody_can_name_holds_the_table_until_a_person_reads_it() -> None:
    rig = TrickRig().loaded().dealt("??", *HAND[1:])
    rig.give(choice(0, 1, "pass"))
    rig.give(choice(0, 2, "1"))
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]
    key = c.KeyInCard(fault=rig.fault(), card=_card("AH"), reason="reason.other")
    rig.give(key)
    told = rig.table.approval
    assert told is not None
    assert (told.how, told.reason) == ("overtaken", "refused.impossible_card")
    assert rig.faults() == [FaultCode.UNREADABLE_CARD]
    assert rig.refused(replace(key, card=_card("7H"))) is None
    rig.lift()
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.unknown == 0
    assert rig.accepted()[0] == ("T0", "7H")


def test_cards_of_a_trick_that_was_taken_lie_on_the_felt_no_longer(rig: TrickRig) -> None:
    played(rig)
    assert rig.table.phase is Phase.RESULT
    assert rig.table.play is not None
    assert {place.to for place in rig.table.play.places if place.off} == {"T0", "T1"}


def test_after_one_round_the_rest_is_counted_and_a_new_shoe_is_begun(rig: TrickRig) -> None:
    played(rig)
    rig.give(c.ConfirmStep())  # the card that was turned and that nobody took
    rig.wait(9)
    assert rig.table.phase is Phase.SHOE
    rig.give(c.EnterCount(7))
    ended = [event for event, _ in rig.events if isinstance(event, e.ShoeEnded)]
    assert [(it.balance, it.loaded, it.gone) for it in ended] == [("balanced", 12, 5)]
    assert rig.refused(c.OpenBets()) == "refused.no_shoe"
    rig.reloaded().dealing(any=100)
    assert rig.table.play is not None
    assert rig.table.play.inputs == (Carried((1,)),)


def test_a_void_leaves_the_score_as_it_was(rig: TrickRig) -> None:
    assert rig.table.round is not None
    rig.give(c.CallSupervisor())
    rig.give(c.VoidRound(fault="", round_id=rig.table.round.id, reason="reason.other"))
    assert rig.table.round.state == "voided"
    assert rig.table.carried == ()


def test_no_screen_shows_a_card_that_lies_face_down(rig: TrickRig) -> None:
    shown = str(to_json(dealer_view(rig.setup, rig.table, rig.at_us)))
    shown += str(to_json(overlay_view(rig.setup, rig.table)))
    assert "AC" in shown
    assert not [code for code in ("7H", "AH", "KS", "7C") if code in shown]
    assert len(known_cards(rig.table)) == 4


def test_what_is_asked_is_the_same_whatever_the_seats_hold() -> None:
    asked = []
    for codes in (HAND, ("7S", "KC", "AS", "AD", "AC")):
        rig = TrickRig().loaded().dealt(*codes)
        rig.give(choice(0, 1, "pass"))
        asked.append([event for event, _ in rig.events if isinstance(event, e.SeatAsked)])
    assert asked[0] == asked[1]


def test_the_console_names_the_seat_and_the_place_of_the_card(rig: TrickRig) -> None:
    step = dealer_view(rig.setup, rig.table, rig.at_us).step
    assert (step.kind, step.code, step.seat) == ("choose", "step.bidding", 0)
    rig.give(choice(0, 1, "pass"))
    rig.give(choice(0, 2, "2"))
    step = dealer_view(rig.setup, rig.table, rig.at_us).step
    assert (step.kind, step.to, step.seat, step.place, step.of) == ("move", "T0", 0, 2, 2)


def _card(code: str):  # noqa: ANN202
    from studio.domain.cards import Card  # noqa: PLC0415

    return Card.parse(code)


def test_the_console_names_the_first_card_before_bets_are_closed() -> None:
    rig = TrickRig().loaded().betting(any=100)
    then = dealer_view(rig.setup, rig.table, rig.at_us).step.then
    assert then is not None
    assert (then.kind, then.to, then.face) == ("deal", "H0", "down")


def test_the_console_counts_the_cards_of_a_packet() -> None:
    rig = BalootRig().opened(round_0=100)
    counted = []
    for _ in range(4):
        step = dealer_view(rig.setup, rig.table, rig.at_us).step
        counted.append((step.to, step.number, step.of))
        rig.step()
    assert counted == [("H0", 1, 3), ("H0", 2, 3), ("H0", 3, 3), ("H1", 1, 3)]
