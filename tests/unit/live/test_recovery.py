"""A table comes back from its journal alone: the same, held, and with nothing paid twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain import observations as o
from studio.domain.faults import FaultCode
from studio.live.recovery import known_counts, restore
from studio.live.treasury import Treasury
from studio.storage.memory import MemoryJournal
from tests.support.live.bench import BOOT, SUPERVISOR, Bench, Purse


def again(bench: Bench) -> Bench:
    """Start a second process on the same journal, wallet and clock."""
    return Bench(bench.journal, clock=bench.clock, purse=bench.purse, prefix="again-")


def test_the_folded_journal_is_the_state_that_was_shown() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup("9S 2D KH 5D")
    bench.collect()
    bench.bet("b")
    assert restore(bench.journal, "ba1").table == bench.table


def test_a_card_that_was_sealed_is_known_to_the_table_after_a_start() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.deal("7H")
    restored = restore(bench.journal, "ba1").table
    assert restored.sensing == bench.table.sensing
    assert restored.sensing.parked[0].identity is not None


def test_an_open_round_comes_back_held_with_its_bets_and_its_cards() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    bench.deal("9S 2D")
    second = again(bench)
    table = second.table
    assert table.held
    assert table.hold is not None
    assert [fault.code for fault in table.hold.faults] == [FaultCode.RECOVERED]
    assert table.play == bench.table.play
    assert table.round is not None
    assert bench.table.round is not None
    assert table.round.batches == bench.table.round.batches
    assert second.runner.deadline() is None
    second.deal("KH 5D")
    assert second.table.round is not None
    assert second.table.round.state == "open"


def test_an_idle_table_comes_back_held_too_and_a_closed_one_closed() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    assert again(bench).table.held
    closed = Bench()
    closed.do(c.OpenTable(), SUPERVISOR)
    closed.do(c.CloseTable(), SUPERVISOR)
    assert not again(closed).table.held


def test_a_stop_in_the_hold_after_a_stop_is_told_once() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    second = again(bench)
    third = Bench(bench.journal, clock=bench.clock, prefix="third-")
    assert third.table.hold == second.table.hold


def test_devices_are_offline_until_they_speak_again() -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    bench.shoe_online()
    second = again(bench)
    assert not second.table.device("shoe").online
    second.shoe_online()
    assert second.table.device("shoe").online


def test_the_driver_is_told_the_newest_report_that_the_journal_has() -> None:
    bench = Bench()
    bench.open_shoe()
    assert list(known_counts(restore(bench.journal, "ba1").table)) == [("shoe", BOOT, 3)]


def test_a_window_that_was_open_comes_back_stopped() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.clock.advance(5_000_000)
    second = again(bench)
    assert second.table.window is not None
    assert second.table.window.remaining_us == bench.setup.times.betting - 5_000_000
    bench.clock.advance(60_000_000)
    second.runner.tick()
    second.runner.flush()
    assert second.table.phase.value == "betting"


def test_a_payment_that_was_not_made_before_the_stop_is_made_after_it_once() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    bench.purse.broken = True
    bench.deal("9S 2D KH 5D")
    bench.purse.broken = False
    again(bench)
    again(bench)
    assert bench.purse.paid == {"r-2027-01-15-ba1-1/settled": (("ann", 2000),)}


def test_a_batch_that_was_not_answered_before_the_stop_is_asked_again() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.purse.broken = True
    bench.bet("a")
    assert bench.table.round is not None
    assert bench.table.round.batches[0].pending
    bench.purse.broken = False
    second = again(bench)
    assert second.table.round is not None
    assert not second.table.round.batches[0].pending


def test_batches_that_were_answered_are_not_asked_again_at_a_start() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    asked = bench.purse.calls.count("reserve r-2027-01-15-ba1-1/a")
    again(bench)
    assert bench.purse.calls.count("reserve r-2027-01-15-ba1-1/a") == asked


def test_days_long_past_are_not_paid_again() -> None:
    day_us = 24 * 3600 * 1_000_000
    bench = Bench()
    bench.open_shoe()
    for number in range(4):
        bench.coup("9S 2D KH 5D" if number % 2 else "8S 3D QH 6D")
        bench.clock.advance(day_us)
        bench.do(c.ConfirmStep())
    purse = Purse()
    treasury = Treasury(purse)
    restored = restore(bench.journal, "ba1", treasury)
    treasury.deliver(bench.clock.now_us())
    assert restored.table == bench.table
    assert all("r-2027-01-15" not in call for call in purse.calls)


def test_a_reboot_of_the_shoe_during_the_stop_is_seen() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    second = again(bench)
    online = o.DeviceOnline(
        device="shoe", at_us=1, model="M", firmware="1", serial="S", boot="00000001", rebooted=True
    )
    second.see(online)
    assert second.table.hold is not None
    codes = [fault.code for fault in second.table.hold.faults]
    assert codes == [FaultCode.RECOVERED, FaultCode.DEVICE_REBOOTED]


def test_the_facts_of_the_newest_round_are_there_for_the_supervisor() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    second = again(bench)
    kinds = [type(record.event) for record in second.runner.shown.records]
    assert kinds[0] is e.RoundOpened
    assert kinds[-1] is e.FaultRaised


def test_a_table_without_a_journal_begins_closed() -> None:
    restored = restore(MemoryJournal(), "ba1")
    assert restored == replace(restored, stream="", version=0, records=())
    assert restored.table.version == 0


@pytest.mark.parametrize("other", ["ba11", "ba"])
def test_another_table_with_a_similar_name_is_another_table(other: str) -> None:
    bench = Bench()
    bench.do(c.OpenTable(), SUPERVISOR)
    assert restore(bench.journal, other).stream == ""
