"""Rows of cards and of baccarat, each played once: what policy says, and the money right."""

import re
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table import coverage
from studio.table.profiles import PROFILES, rows_of
from studio.table.row import Void, When
from studio.table.state import Phase
from tests.support.rig import BOTH, Rig
from tests.support.row_play import (
    BANKER_WINS,
    CAMERA,
    LOST,
    PLAYER_DRAWS,
    REASON,
    REFUNDED,
    SHOE,
    STAKES,
    answer,
    dealing,
    gone,
    noted,
    play,
    row,
    settled,
    table,
    void,
)

MUST_BE_PLAYED = (
    *("B1", "B2", "B3", "B4", "B10", "B11", "B12", "B13", "B14", "B15"),
    *(f"P{n}" for n in range(1, 13)),
    *(f"V{n}" for n in range(1, 11)),
    *("C6", "C9", "F5", "F8", "L5", "S2"),
)
"""What the row list of baccarat asks for."""
_NAMED = re.compile(r"^def test_([a-z]+[0-9]+)_", re.MULTILINE)
PLAYED = {
    name
    for path in Path(__file__).parent.glob("test_rows*.py")
    for name in _NAMED.findall(path.read_text(encoding="utf-8"))
}
"""Rows that a test of this folder is named after."""


# -- the list itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", MUST_BE_PLAYED)
def test_each_row_is_answered_or_cannot_happen_and_is_played_here(number: str) -> None:
    impossible = coverage.IMPOSSIBLE[coverage.BACCARAT]
    assert number in (*coverage.answered(coverage.BACCARAT), *coverage.ORDINARY, *impossible)
    if number not in impossible:
        assert number.lower() in PLAYED


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("code", FaultCode)
def test_whatever_the_moment_some_row_fits(profile: str, code: FaultCode) -> None:
    rows = [each for each in rows_of(profile) if each.code is code]
    assert rows[-1].when == When() or code is FaultCode.RECOVERED
    assert all(each.holds or not each.device for each in rows)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_repair_that_a_row_names_is_a_command(profile: str) -> None:
    for each in rows_of(profile):
        assert all(hasattr(c, name) for name in each.repairs)
        assert each.repairs or not each.holds or each.void is not Void.NEVER


# -- cards in general -----------------------------------------------------------------------------


def test_b1_a_card_before_the_close_that_nobody_saw_is_the_first_card() -> None:
    rig = table().betting(**STAKES)
    rig.read("4C")
    assert (rig.table.held, noted(rig)) == (False, "B1")
    rig.wait(15)
    rig.lay("P", "4C")
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


def test_b1_a_card_before_the_close_that_was_seen_is_dead() -> None:
    rig = table().betting(**STAKES)
    rig.read("7S")
    rig.lay("P", "7S")
    assert (row(rig).row, row(rig).repairs[0]) == ("B1", "MarkDead")
    assert answer(rig, c.UseAsNextCard) == "refused.exposed_early"
    before = gone(rig)
    assert answer(rig) is None
    rig.take("P")
    rig.lift()
    rig.wait(15)
    play(rig, *BANKER_WINS)
    assert settled(rig) == LOST
    assert gone(rig) == before + 5


def test_b2_a_card_that_comes_face_up_to_the_burn_is_burned_all_the_same() -> None:
    rig = Rig().burning("2H")
    rig.read("5C")
    rig.lay("BURN", "5C")
    rig.wait(6)
    assert row(rig).row == "B2"
    assert answer(rig) is None
    rig.lift()
    rig.read("6C")
    rig.lay("BURN", "XX")
    rig.take("BURN")
    assert rig.table.phase is Phase.IDLE
    assert rig.table.shoe is not None
    assert rig.table.shoe.cards.burned == 3


def test_b3_cards_drawn_in_error_and_not_seen_are_used_in_their_order() -> None:
    rig = table(SHOE).betting(**STAKES)
    rig.read("4C")
    rig.read("9D")
    assert (rig.table.held, noted(rig)) == (False, "B3")
    rig.wait(15)
    assert rig.accepted() == [("P", "4C"), ("B", "9D")]
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


def test_b4_a_card_that_was_seen_during_the_burn_is_the_next_one() -> None:
    rig = Rig().burning("AH")
    rig.read("5C")
    rig.lay("BURN", "XX")
    rig.read("9S")
    rig.lay("BURN", "9S")
    assert row(rig).row == "B4"
    assert answer(rig) is None
    rig.take("BURN")
    rig.lift()
    rig.take("BURN")
    rig.dealing(**STAKES)
    rig.lay("P", "9S")
    assert rig.accepted() == [("P", "9S")]


def test_b11_two_cards_at_once_are_put_in_order_by_a_person() -> None:
    rig = dealing()
    rig.read("4C")
    rig.read("9D")
    rig.felt["P"].append(o.SeenCard(track=90, look=o.Look.FACE, card=Card.parse("9D"), sure=True))
    rig.lay("P", "4C")
    assert row(rig).row == "B11"
    rig.take("P")
    rig.lay("P", "4C")
    rig.lay("B", "9D")
    assert answer(rig) is None
    rig.lift()
    assert rig.accepted() == [("P", "4C"), ("B", "9D")]
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


@pytest.mark.parametrize("burned", [False, True])
def test_b12_a_card_on_the_floor_counts_and_is_used_or_burned(*, burned: bool) -> None:
    rig = dealing()
    before = gone(rig)
    rig.read("4C")
    rig.wait(6)
    assert row(rig).row == "B12"
    if burned:
        assert answer(rig, c.BurnCard) is None
        rig.lift()
        play(rig, *BANKER_WINS)
    else:
        rig.lay("P", "4C")
        assert answer(rig) is None
        rig.lift()
        play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST
    assert gone(rig) == before + 4 + burned


def test_b13_a_burned_card_in_the_wrong_place_is_moved() -> None:
    rig = Rig().burning("2H")
    rig.read("5C")
    rig.lay("P", "XX")
    assert row(rig).row == "B13"
    assert answer(rig, c.BurnCard) == "refused.changes_order"
    rig.take("P")
    rig.lay("BURN", "XX")
    assert answer(rig) is None
    rig.lift()
    assert len(rig.accepted()) == 2


def test_b14_cards_that_were_cleared_early_are_laid_back() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.take("P")
    assert row(rig).row == "B14"
    assert answer(rig) == "refused.cards_missing"
    rig.lay("P", "4C")
    assert answer(rig) is None
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_b15_cards_after_a_void_are_dead(sources: tuple[str, ...]) -> None:
    rig = play(dealing(sources), *BANKER_WINS[:2])
    rig.give(c.CallSupervisor())
    assert void(rig) == REFUNDED
    before = gone(rig)
    rig.deal("P", "7S")
    assert rig.table.state == "void"
    assert noted(rig) == "B15"
    assert gone(rig) == before + 1
    rig.take("P")
    rig.take("B")
    if sources == SHOE:
        rig.give(c.ConfirmStep())
    rig.wait(8)
    assert rig.table.phase is Phase.BETTING
    assert gone(rig) == before + 1


# -- baccarat -------------------------------------------------------------------------------------


def test_p1_an_extra_card_that_nobody_saw_is_the_first_of_the_next_round() -> None:
    rig = play(dealing(SHOE), *BANKER_WINS)
    rig.read("7S")
    assert row(rig).row == "P1"
    assert answer(rig, c.BurnCard) == "refused.changes_order"
    assert answer(rig) is None
    rig.lift()
    assert settled(rig) == LOST
    rig.give(c.ConfirmStep())
    rig.wait(8)
    rig.wait(15)
    assert rig.accepted() == [("P", "7S")]


def test_p2_an_extra_card_that_was_seen_is_dead_and_the_result_stays() -> None:
    rig = play(dealing(), *PLAYER_DRAWS, ("P", "5H"))
    assert settled(rig)[0] == "settled"
    before = gone(rig)
    rig.read("9S")
    assert row(rig).row == "P1"
    rig.lay("P", "9S")
    assert row(rig).row == "P2"
    assert rig.faults() == [FaultCode.EXTRA_CARD]
    assert answer(rig) is None
    rig.lift()
    assert gone(rig) == before + 1
    assert not rig.table.held


def test_p3_a_card_on_the_wrong_side_is_moved_and_the_order_stands() -> None:
    rig = dealing()
    rig.read("4C")
    rig.lay("B", "4C")
    assert row(rig).row == "P3"
    rig.take("B")
    rig.lay("P", "4C")
    assert answer(rig) is None
    rig.lift()
    play(rig, *BANKER_WINS[1:])
    assert settled(rig) == LOST


def test_p4_a_third_card_that_no_rule_asks_for_changes_no_result() -> None:
    rig = play(dealing(), *BANKER_WINS)
    before = gone(rig)
    rig.read("9S")
    rig.lay("P", "9S")
    assert row(rig).row == "P4"
    assert answer(rig) is None
    rig.lift()
    assert settled(rig) == LOST
    assert gone(rig) == before + 1


def test_p4_a_shoe_that_reports_an_overdraw_is_asked_again() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    code = o.DeviceFaultCode.OVERDRAW
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=code, text="2"))
    assert row(rig).row == "P4"
    assert answer(rig) == "refused.device_not_back"
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    assert answer(rig) is None
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


def test_p5_cards_collected_before_the_result_are_laid_back_and_the_result_follows() -> None:
    rig = play(dealing(), *PLAYER_DRAWS)
    rig.take("P")
    rig.take("B")
    assert (row(rig).row, row(rig).repairs[0]) == ("P5", "RestoreCollected")
    for zone, code in PLAYER_DRAWS:
        rig.lay(zone, code)
    assert answer(rig) is None
    rig.lift()
    rig.deal("P", "KH")
    assert settled(rig) == LOST


@pytest.mark.parametrize("sources", [BOTH, SHOE, CAMERA])
def test_p6_cards_that_are_dealt_without_a_round_are_all_dead(sources: tuple[str, ...]) -> None:
    rig = table(sources)
    before = gone(rig)
    for zone, code in BANKER_WINS[:3]:
        rig.deal(zone, code)
    assert row(rig).row in {"P6", "V8"}
    while rig.faults():
        assert answer(rig, c.MarkDead) is None
        if not rig.faults():
            rig.lift()
    rig.wait(6)
    while rig.faults():
        assert answer(rig, c.MarkDead) is None
        if not rig.faults():
            rig.lift()
    assert gone(rig) == before + 3
    assert rig.table.sensing.parked == ()
    assert not rig.table.held


@pytest.mark.parametrize("sources", [BOTH, SHOE])
def test_p8_after_a_fault_of_the_shoe_every_card_is_looked_at_again(
    sources: tuple[str, ...],
) -> None:
    rig = play(dealing(sources), *BANKER_WINS[:2])
    code = o.DeviceFaultCode.JAM
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=code, text="stuck"))
    assert (row(rig).row, row(rig).repairs[0]) == ("P8", "RescanRound")
    assert answer(rig) == "refused.device_not_back"
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    felt = (
        c.FeltZone(zone="P", cards=(Card.parse("4C"),)),
        c.FeltZone(zone="B", cards=(Card.parse("9D"),)),
    )
    if sources == SHOE:
        assert answer(rig) == "refused.enter_felt"
        assert answer(rig, felt=felt) is None
    else:
        assert answer(rig) is None
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST


def test_p10_who_stops_in_the_shuffle_goes_on_shuffling() -> None:
    rig = Rig()
    rig.online()
    rig.give(c.OpenTable())
    rig.give(c.StartShoe())
    rig.give(c.CallSupervisor(reason="reason.call.card"))
    assert row(rig).row == "P10"
    assert answer(rig) is None
    rig.lift()
    assert rig.table.phase is Phase.SHOE
    assert rig.refused(c.ConfirmStep()) is None


def test_p11_a_foreign_card_voids_the_coup_and_the_shoe_is_ended() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.give(c.CallSupervisor(reason="reason.call.foreign_card"))
    assert (row(rig).row, row(rig).void, row(rig).ends_shoe) == ("P11", Void.FIRST, True)
    assert rig.refused(c.EndShoe(reason=REASON)) is None
    assert void(rig) == REFUNDED
    rig.take("P")
    rig.take("B")
    rig.wait(8)
    assert rig.table.phase is Phase.SHOE


def test_p12_the_cut_card_in_mid_round_ends_nothing() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.read("CUT")
    assert not rig.table.held
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 1


def test_p12_a_cut_card_that_only_the_camera_saw_is_told() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.felt["DISCARD"].append(o.SeenCard(track=99, look=o.Look.CUT))
    rig.show()
    assert row(rig).row == "P12"
    assert rig.table.round is not None
    void = c.VoidRound(fault="", reason=REASON, round_id=rig.table.round.id)
    assert rig.refused(void) == "refused.not_by_policy"
    assert answer(rig) is None
    assert rig.refused(void) == "refused.not_by_policy"  # nor once it is acknowledged
    rig.lift()
    play(rig, *BANKER_WINS[2:])
    assert settled(rig) == LOST
    assert rig.table.shoe is not None
    assert rig.table.shoe.rounds_left == 1


def test_an_answered_fault_that_may_be_voided_for_allows_it_until_the_hold_ends() -> None:
    rig = play(dealing(), *BANKER_WINS[:2])
    rig.give(c.CallSupervisor())
    rig.felt["DISCARD"].append(o.SeenCard(track=99, look=o.Look.CUT))
    rig.show()
    assert answer(rig) is None  # the call; the cut card stays open
    assert row(rig).row == "P12"
    assert rig.table.round is not None
    rig.give(c.VoidRound(fault="", reason=REASON, round_id=rig.table.round.id))
    assert rig.table.round.state == "voided"


def test_b9_a_coup_from_before_the_shuffle_can_still_be_corrected() -> None:
    rig = play(dealing(SHOE), *BANKER_WINS)
    assert rig.table.round is not None
    paid = rig.table.round.id
    rig.give(c.ConfirmStep())
    rig.wait(8)
    rig.wait(15)
    play(rig, *BANKER_WINS[:2])
    code = o.DeviceFaultCode.EMPTY
    rig.give(o.DeviceFault(device="shoe", at_us=rig.at_us, code=code, text=""))
    assert (row(rig).row, row(rig).repairs[0]) == ("B9", "ShuffleDiscards")
    assert answer(rig) is None
    assert gone(rig) == 2
    rig.give(o.DeviceFaultCleared(device="shoe", at_us=rig.at_us, code=code))
    rig.lift()
    cards = tuple(Card.parse(code) for code in ("9C", "2D", "TH", "TS"))
    right = c.CorrectResult(round_id=paid, cards=cards, reason="reason.card_identity")
    assert rig.refused(right) is None
    assert gone(rig) == 2  # its cards are in the shoe again, whatever they were
    play(rig, *BANKER_WINS[2:])
    assert rig.table.round.state == "settled"
