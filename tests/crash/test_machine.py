"""The machine that a demonstration breaks on purpose: power, platform and clock, in one process."""

from __future__ import annotations

from typing import Any

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.live.clock import ManualClock
from studio.live.means import STOPPED, TableStopped
from studio.simulate.machine import POINTS, Machine, PowerCut, SteppedClock
from studio.storage.memory import MemoryJournal
from tests.support.live.bench import START_US, SUPERVISOR, Bench, Purse

HOUR_US = 3_600_000_000


def bench_on(machine: Machine, clock: ManualClock, journal: Any = None, **more: Any) -> Bench:
    return Bench(journal, clock=clock, at_point=machine.at_point, **more)


@pytest.mark.parametrize("point", POINTS)
def test_a_table_dies_where_the_power_is_cut_and_comes_back_held(point: str) -> None:
    clock, journal, purse = ManualClock(START_US), MemoryJournal(), Purse()
    machine = Machine(clock)
    bench = bench_on(machine, clock, journal, purse=purse)
    bench.open_shoe()
    bench.do(c.OpenBets())
    machine.cut_power(point, 2)
    with pytest.raises((TableStopped, AssertionError)):
        bench.coup("9S 2D KH 5D")
    assert isinstance(bench.runner.failure, PowerCut)
    assert bench.ask(c.CallSupervisor(), SUPERVISOR).code == STOPPED
    again = Bench(journal, clock=clock, purse=purse, prefix="again-")
    assert again.table.held
    assert journal.version(journal.streams()[0]) == again.table.version


def test_a_point_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="'somewhere' is no point of a decision: take one of"):
        Machine(ManualClock()).cut_power("somewhere")


def test_what_is_due_while_the_platform_is_down_is_paid_once_when_it_is_back() -> None:
    clock, purse = ManualClock(START_US), Purse()
    machine = Machine(clock)
    line: Any = machine.wallet(purse)
    bench = bench_on(machine, clock, purse=line)
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.bet("a")
    bench.do(c.CloseBets())
    machine.platform_down = True
    bench.deal("9S 2D KH 5D")
    assert bench.table.round is not None
    assert bench.table.round.state == "settled"
    assert not purse.paid
    assert "the platform does not answer" in bench.runner.trouble
    machine.platform_down = False
    bench.wait()
    assert list(purse.paid) == ["r-2027-01-15-ba1-1/settled"]
    assert len([call for call in purse.calls if call.startswith("settle")]) == 1


def test_a_slow_disk_takes_the_studios_time_and_nothing_else() -> None:
    clock = ManualClock(START_US)
    machine = Machine(clock)
    bench = bench_on(machine, clock)
    machine.slow_disk(0.5)
    bench.open_shoe()
    commits = {fact.command_id for fact in bench.journal.read(bench.journal.streams()[0])}
    assert clock.now_us() - START_US == len(commits) * 500_000
    machine.slow_disk(0)
    before = clock.now_us()
    bench.do(c.OpenBets())
    assert clock.now_us() == before
    assert not bench.table.held


def test_a_clock_that_is_stepped_keeps_its_monotonic_time() -> None:
    real = ManualClock(START_US)
    clock = SteppedClock(real)
    clock.step(-HOUR_US)
    real.advance(5)
    assert clock.now_us() == START_US - HOUR_US + 5
    assert clock.monotonic_us() == real.monotonic_us()


def test_a_bet_that_the_platform_never_answered_is_refused_at_the_close() -> None:
    clock, purse = ManualClock(START_US), Purse()
    machine = Machine(clock)
    line: Any = machine.wallet(purse)
    bench = bench_on(machine, clock, purse=line)
    bench.open_shoe()
    bench.do(c.OpenBets())
    machine.platform_down = True
    bench.bet("a")
    bench.do(c.CloseBets())
    refused = [each for each in bench.events() if isinstance(each, e.BetsRefused)]
    assert [reason for each in refused for _, reason in each.refused] == [
        "refused.funds_unanswered"
    ] * 2
