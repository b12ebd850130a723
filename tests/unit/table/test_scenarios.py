"""The acceptance scenarios of live-dealer-systems.md 9.3: which test plays each, or why none can.

Those that no other file plays are here.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.cards import Card
from studio.domain.faults import FaultCode
from studio.table.state import Phase, Table
from tests.support.rig import Rig

ROOT = Path(__file__).parents[3]
REASON = "reason.other"
SHOE = ("shoe",)
COUP = ("9H", "2C", "KD", "3S")
"""A natural nine for the Player."""

PLAYED: dict[str, tuple[tuple[str, str], ...]] = {
    "Early card, seen / unseen": (
        (
            "tests/unit/table/test_rows.py",
            "test_b1_a_card_before_the_close_that_nobody_saw_is_the_first_card",
        ),
        ("tests/unit/table/test_rows.py", "test_b1_a_card_before_the_close_that_was_seen_is_dead"),
    ),
    "Misscan then next card pulled": (
        (
            "tests/unit/table/test_rows_readers.py",
            "test_v2_two_cards_out_are_keyed_in_their_true_order",
        ),
    ),
    "Shoe says A-hearts, camera 4-hearts": (
        (
            "tests/unit/table/test_rows_readers.py",
            "test_v3_two_readers_that_disagree_wait_for_a_person",
        ),
    ),
    "Same card twice in a row in eight decks": (
        ("tests/contract/test_device_contract.py", "test_two_equal_cards_in_a_row_are_two_cards"),
        ("tests/unit/vision/test_eye.py", "test_two_equal_cards_are_two_cards"),
    ),
    "Ninth king of spades in eight decks": (
        ("tests/unit/table/test_rows_readers.py", "test_v5_a_ninth_card_holds_at_once"),
    ),
    "Missing five cards": (
        (
            "tests/unit/table/test_balance.py",
            "test_a_wrong_total_holds_the_table_and_shows_the_rounds",
        ),
    ),
    "Cut card first in round / last card": (
        ("tests/unit/table/test_rows.py", "test_p12_the_cut_card_in_mid_round_ends_nothing"),
        (
            "tests/unit/table/test_rows_readers.py",
            "test_c6_the_cut_card_between_rounds_leaves_its_rounds",
        ),
    ),
    "Triple-sent frames, seq wrap, corrupt BCC": (
        (
            "tests/contract/test_device_contract.py",
            "test_a_frame_that_comes_three_times_is_one_card",
        ),
        ("tests/unit/hardware/test_line_session.py", "test_a_gap_over_the_wrap_is_reported_as_two"),
        (
            "tests/unit/hardware/test_simulated_shoe.py",
            "test_a_wrong_check_sum_costs_200_ms_and_nothing_else",
        ),
    ),
    "Silence 134 s then burst": (
        (
            "tests/unit/table/test_scenarios.py",
            "test_after_134_s_of_silence_nothing_stale_is_dealt",
        ),
    ),
    "Restart in each phase": (
        (
            "tests/unit/table/test_scenarios.py",
            "test_a_stop_in_any_phase_comes_back_held_and_as_it_was",
        ),
    ),
    "Rule change attempt in mid-round": (
        (
            "tests/unit/table/test_holds.py",
            "test_a_round_of_an_unknown_procedure_or_of_other_rules_can_only_be_voided",
        ),
    ),
    "Fault after settlement": (
        (
            "tests/unit/live/test_correction.py",
            "test_each_player_is_paid_or_asked_the_difference_once",
        ),
    ),
    "Fault policy Singapore / Ontario / UK": (
        (
            "tests/unit/table/test_rows_readers.py",
            "test_one_script_has_three_outcomes_in_five_profiles",
        ),
    ),
    "Void, outbox off-line": (
        (
            "tests/crash/test_machine.py",
            "test_what_is_due_while_the_platform_is_down_is_paid_once_when_it_is_back",
        ),
    ),
    "Clock step of 3 s": (
        ("tests/unit/table/test_rows_readers.py", "test_l5_a_clock_that_jumps_is_a_note"),
        ("tests/crash/test_clock.py", "test_a_clock_that_is_set_again_and_again_changes_no_law"),
    ),
    "Supervisor cannot self-approve": (
        (
            "tests/unit/table/test_approvals.py",
            "test_no_sequence_of_commands_lets_one_person_both_ask_and_approve",
        ),
    ),
    "Disk full": (
        (
            "tests/crash/test_disk.py",
            "test_a_disk_that_says_no_is_believed_and_what_it_kept_all_the_same_is_found_again",
        ),
    ),
    "Foreign device serial": (
        (
            "tests/unit/table/test_rows_readers.py",
            "test_s2_another_device_is_refused_until_the_right_one_is_back",
        ),
    ),
    "Table close in mid-round": (
        (
            "tests/unit/table/test_scenarios.py",
            "test_a_table_that_is_closed_in_mid_round_plays_it_to_its_end",
        ),
    ),
    "Hole card leak test": (
        (
            "tests/load/test_taint.py",
            "test_an_early_card_that_nobody_saw_is_named_nowhere_until_it_is_dealt",
        ),
    ),
}
"""Scenario by its name there: (file, test) of those that play it."""

NONE: dict[str, str] = {
    "Skipped dealer card": "blackjack: punto banco has no card of the dealer's own",
    "Dealer draws on 18": "blackjack: nobody draws by choice in punto banco",
    "Recorder down": "no recorder of the studio's video is a device of a table yet",
    "Shared-hand: 1 of 10,000 hits, all others stand": "blackjack: no decisions in punto banco",
    "All disconnect": "blackjack: nobody is waited for in punto banco",
    "Factory-order shoe": "no table compares the order of a shoe with that of a new pack yet",
    "Baloot Ace flipped in deal": "another game",
}
"""Scenario by its name there: why no test plays it."""


@pytest.mark.parametrize(("path", "name"), [test for tests in PLAYED.values() for test in tests])
def test_each_scenario_is_played_by_a_test_that_is_there(path: str, name: str) -> None:
    """A renamed test would otherwise be missed by nobody."""
    assert re.search(rf"def {name}\(", (ROOT / path).read_text(encoding="utf-8"))


def test_every_scenario_of_the_list_is_here() -> None:
    """Twenty-seven of them; none is both played and impossible."""
    assert len(PLAYED) + len(NONE) == len({*PLAYED, *NONE}) == 27


def online(rig: Rig) -> o.DeviceOnline:
    """The shoe with the same boot as before."""
    return o.DeviceOnline(
        device="shoe", at_us=rig.at_us, model="S", firmware="1", serial="SN", boot="b0"
    )


def card(rig: Rig, sequence: int, code: str) -> o.CardRead:
    """A report with a number of its own choice."""
    return o.CardRead(
        device="shoe", at_us=rig.at_us, boot="b0", sequence=sequence, card=Card.parse(code)
    )


def test_after_134_s_of_silence_nothing_stale_is_dealt() -> None:
    """I15: an alarm; what was told before is known by its number, new cards wait for a person."""
    rig = Rig(sources=SHOE).in_play().dealing(player=1000)
    rig.read(COUP[0])
    rig.give(o.DeviceOffline(device="shoe", at_us=rig.at_us, reason="silence"))
    assert rig.faults() == [FaultCode.DEVICE_LOST]
    rig.wait(134)
    rig.give(online(rig))
    for sequence, code in ((1, "5D"), (1, COUP[0]), (2, COUP[1]), (2, COUP[1]), (3, COUP[2])):
        rig.give(card(rig, sequence, code))
    assert rig.accepted() == [("P", COUP[0])], "nothing is dealt while the table is held"
    rig.give(c.RetryDevice(fault=rig.fault(), reason=REASON))
    rig.lift()
    assert rig.accepted() == [("P", COUP[0]), ("B", COUP[1]), ("P", COUP[2])]
    assert not rig.table.held


def idle() -> Rig:
    """A shoe is in play, no round is open."""
    return Rig().in_play()


def shoe() -> Rig:
    """The burn of a new shoe is under way."""
    return Rig().burning("3C")


def betting() -> Rig:
    """Bets are open and there are some."""
    return Rig().in_play().betting(player=1000)


def dealing() -> Rig:
    """Two cards of a coup lie there."""
    rig = Rig().in_play().dealing(player=1000)
    rig.deal("P", COUP[0])
    rig.deal("B", COUP[1])
    return rig


def result() -> Rig:
    """A coup was paid, its cards lie there still."""
    rig = dealing()
    rig.deal("P", COUP[2])
    rig.deal("B", COUP[3])
    return rig


def kept(table: Table) -> dict[str, Any]:
    """What a stop must not touch: all but the hold, the devices and what the camera saw."""
    play = table.play
    places = [(p.to, p.card, p.face) for p in play.places] if play is not None else []
    return {
        "phase": table.phase,
        "round": replace(table.round, faults=()) if table.round is not None else None,
        "inputs": play.inputs if play is not None else None,
        "places": places,
        "shoe": table.shoe,
        "results": table.results,
    }


@pytest.mark.parametrize(
    ("made", "phase"),
    [
        (idle, Phase.IDLE),
        (shoe, Phase.SHOE),
        (betting, Phase.BETTING),
        (dealing, Phase.DEALING),
        (result, Phase.RESULT),
    ],
)
def test_a_stop_in_any_phase_comes_back_held_and_as_it_was(made: Any, phase: Phase) -> None:
    """F5: paused with the same state; time and devices alone move nothing before a person does."""
    rig = made()
    before = kept(rig.table)
    assert before["phase"] is phase
    rig.restart()
    assert rig.faults() == [FaultCode.RECOVERED]
    assert kept(rig.table) == before
    new = [*rig.show(), *rig.wait(3600)]
    assert kept(rig.table) == before
    told = (e.RoundFinished, e.RoundSettled, e.RoundVoided, e.CardDealt, e.BetsClosed)
    assert not any(isinstance(event, told) for event in new)


def test_a_table_that_is_closed_comes_back_closed() -> None:
    """There is nothing that could be held."""
    rig = Rig().in_play()
    rig.give(c.CloseTable())
    rig.restart()
    assert (rig.table.phase, rig.table.held) == (Phase.CLOSED, False)


@pytest.mark.parametrize("made", [betting, dealing])
def test_a_table_that_is_closed_in_mid_round_plays_it_to_its_end(made: Any) -> None:
    """F11: the round concludes and is paid, then the table is closed and takes nothing more."""
    rig = made()
    rig.give(c.CloseTable())
    assert rig.table.phase in (Phase.BETTING, Phase.DEALING)
    if rig.table.phase is Phase.BETTING:
        rig.wait(15)
    done = len(rig.accepted())
    for zone, code in zip("PBPB"[done:], COUP[done:], strict=True):
        rig.deal(zone, code)
    assert rig.table.round is not None
    assert (rig.table.round.state, rig.table.round.returned) == ("settled", 2000)
    rig.take("P")
    rig.take("B")
    rig.wait(30)
    assert rig.table.phase is Phase.CLOSED
    assert rig.refused(c.OpenBets()) == "refused.table_closed"
