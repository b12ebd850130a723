"""A wall clock that is set by an hour moves no deadline and no record of a running table."""

from __future__ import annotations

import pytest

from studio.domain import commands as c
from studio.domain import events as e
from studio.domain.faults import FaultCode
from studio.live.clock import ManualClock, TableClock
from tests.support.live.bench import START_US, SUPERVISOR, Bench
from tests.unit.live.test_service import seated

HOUR_US = 3_600_000_000
STEPS = pytest.mark.parametrize("step_us", [HOUR_US, -HOUR_US])


def instants(bench: Bench) -> list[int]:
    return [fact.at_us for name in bench.journal.streams() for fact in bench.journal.read(name)]


@STEPS
def test_a_window_lasts_as_long_as_it_would_have(step_us: int) -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.clock.advance(5_000_000)
    bench.clock.set_wall(bench.clock.now_us() + step_us)
    bench.bet("a")
    assert bench.table.window is not None
    left_us = bench.table.window.deadline_us - bench.runner.now_us()
    assert left_us == bench.setup.times.betting - 5_000_000
    bench.clock.advance(left_us - 1)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.phase.value == "betting"
    bench.clock.advance(1)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.phase.value == "dealing"
    jumps = [
        each.fault.text
        for each in bench.events()
        if isinstance(each, e.FaultRaised) and each.fault.code is FaultCode.CLOCK_JUMP
    ]
    assert jumps == [f"{step_us / 1e6:+.1f} s"]
    assert instants(bench) == sorted(instants(bench))


@STEPS
def test_a_card_is_not_late_because_the_wall_clock_was_set(step_us: int) -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup("9S 2D")
    bench.clock.set_wall(bench.clock.now_us() + step_us)
    bench.runner.tick()
    bench.deal("KH 5D")
    assert not bench.table.held
    assert bench.table.round is not None
    assert bench.table.round.state == "settled"
    assert instants(bench) == sorted(instants(bench))


@STEPS
def test_a_suspended_window_reopens_with_its_remaining_time(step_us: int) -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    bench.clock.advance(5_000_000)
    bench.do(c.CallSupervisor())
    bench.clock.set_wall(bench.clock.now_us() + step_us)
    bench.clock.advance(60_000_000)
    fault = bench.table.hold.faults[0].id if bench.table.hold else ""
    bench.do(c.AcknowledgeFault(fault=fault, reason="reason.other"), SUPERVISOR)
    bench.do(c.LiftHold(fault=fault, reason="reason.other"), SUPERVISOR)
    assert bench.table.window is not None
    left_us = bench.table.window.deadline_us - bench.runner.now_us()
    assert left_us == bench.setup.times.betting - 5_000_000


def test_time_that_was_set_forward_is_taken_over_when_nothing_runs() -> None:
    bench = Bench()
    bench.open_shoe()
    bench.coup()
    bench.clock.set_wall(bench.clock.now_us() + HOUR_US)
    bench.do(c.ConfirmStep())
    assert bench.runner.now_us() < bench.clock.now_us(), "the result is still shown"
    bench.clock.advance(bench.setup.times.result)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.phase.value == "betting"
    bench.do(c.CloseTable(), SUPERVISOR)
    bench.do(c.CloseBets())
    bench.deal("9S 2D KH 5D")
    bench.do(c.ConfirmStep())
    bench.clock.advance(bench.setup.times.result)
    bench.runner.tick()
    bench.runner.flush()
    assert bench.table.phase.value == "closed"
    bench.do(c.OpenTable(), SUPERVISOR)
    assert bench.runner.now_us() == bench.clock.now_us()


def test_after_a_restart_on_a_clock_that_is_behind_windows_still_end() -> None:
    first = Bench()
    first.open_shoe()
    second = Bench(first.journal, clock=ManualClock(START_US - HOUR_US), prefix="second-")
    assert second.runner.now_us() == second.table.at_us
    second.shoe_online()
    fault = second.table.hold.faults[0].id if second.table.hold else ""
    second.do(c.AcknowledgeFault(fault=fault, reason="reason.other"), SUPERVISOR)
    second.do(c.LiftHold(fault=fault, reason="reason.other"), SUPERVISOR)
    second.do(c.OpenBets())
    second.clock.advance(second.setup.times.betting)
    second.runner.tick()
    second.runner.flush()
    assert second.table.phase.value == "dealing"
    assert instants(second) == sorted(instants(second))


@STEPS
def test_screens_and_the_wall_count_down_as_if_the_clock_had_not_been_set(step_us: int) -> None:
    bench = Bench()
    bench.open_shoe()
    bench.do(c.OpenBets())
    service = seated(bench)
    bench.clock.advance(5_000_000)
    left_us = bench.setup.times.betting - 5_000_000
    for step in (0, step_us):
        bench.clock.set_wall(bench.clock.now_us() + step)
        dealer, wall = service.view("ba1", "dealer"), service.wall()
        assert dealer.view["window"]["deadline_us"] - dealer.now_us == left_us
        assert wall.view["tiles"][0]["window"]["deadline_us"] - wall.now_us == left_us


def test_a_table_clock_says_a_jump_once() -> None:
    clock = ManualClock(0)
    time = TableClock(clock)
    clock.set_wall(HOUR_US)
    assert (time.now_us(), time.jump_us(), time.jump_us()) == (0, HOUR_US, 0)
    time.catch_up(0)
    assert (time.now_us(), time.jump_us()) == (HOUR_US, 0)
    clock.set_wall(0)
    time.catch_up(HOUR_US // 2)
    assert time.now_us() == HOUR_US // 2
