"""The clocks: what waits, what wakes it, and what never goes backwards."""

from __future__ import annotations

import threading
import time

import pytest

from studio.live.clock import ManualClock, SystemClock
from studio.live.ports import Clock

MINUTE_US = 60_000_000


def waiting(clock: ManualClock, seconds: float) -> tuple[threading.Thread, threading.Event]:
    """A thread that waits on the clock, and the event that it sets once it woke."""
    woke = threading.Event()

    def wait() -> None:
        clock.wait(seconds)
        woke.set()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    until(lambda: clock.next_wake_us() is not None)
    return thread, woke


def until(holds: object, within_s: float = 5.0) -> None:
    """Look again and again, without a pause, until something holds."""
    end = time.monotonic() + within_s
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end, "it never came"


def test_both_clocks_are_clocks() -> None:
    clocks: list[Clock] = [SystemClock(), ManualClock(5)]
    assert all(clock.now_us() >= 5 for clock in clocks)


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(1_000)
    assert clock.now_us() == clock.now_us() == 1_000
    assert clock.monotonic_us() == 0


def test_advancing_moves_both_hands() -> None:
    clock = ManualClock(1_000)
    clock.advance(250)
    assert (clock.now_us(), clock.monotonic_us()) == (1_250, 250)


def test_advancing_to_an_instant_that_has_passed_changes_nothing() -> None:
    clock = ManualClock(1_000)
    clock.advance_to(1_500)
    clock.advance_to(1_200)
    assert clock.now_us() == 1_500


def test_a_clock_is_not_advanced_backwards() -> None:
    with pytest.raises(ValueError, match="give 0 or more"):
        ManualClock().advance(-1)


def test_setting_the_wall_clock_back_leaves_the_monotonic_one_alone() -> None:
    clock = ManualClock(9_000)
    clock.advance(1_000)
    clock.set_wall(4_000)
    assert (clock.now_us(), clock.monotonic_us()) == (4_000, 1_000)


def test_a_waiter_wakes_at_once_when_the_clock_was_moved_far_enough() -> None:
    clock = ManualClock()
    thread, woke = waiting(clock, 60)
    clock.advance(MINUTE_US - 1)
    assert not woke.is_set()
    clock.advance(1)
    assert woke.wait(5)
    thread.join(5)
    assert clock.next_wake_us() is None


def test_the_next_wake_is_that_of_the_first_waiter() -> None:
    clock = ManualClock(1_000)
    late, _ = waiting(clock, 2)
    early = threading.Thread(target=clock.wait, args=(1,), daemon=True)
    early.start()
    until(lambda: clock.next_wake_us() == 1_001_000)
    clock.advance(2_000_000)
    early.join(5)
    late.join(5)


def test_an_interrupted_wait_returns_although_no_time_has_passed() -> None:
    ManualClock().wait(3_600, lambda: True)
    SystemClock().wait(3_600, lambda: True)


def test_a_wait_is_interrupted_while_it_lasts() -> None:
    clock = ManualClock()
    stop = threading.Event()
    thread = threading.Thread(target=clock.wait, args=(60, stop.is_set), daemon=True)
    thread.start()
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_waiting_no_time_returns_at_once() -> None:
    ManualClock().wait(0)
    SystemClock().wait(0)


def test_the_system_clock_waits_as_long_as_it_is_told() -> None:
    clock = SystemClock()
    before = clock.monotonic_us()
    clock.wait(0.002)
    assert clock.monotonic_us() - before >= 2_000
