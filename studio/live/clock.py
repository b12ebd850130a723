"""Clocks: the machine's own, one that is moved by hand, and a table's, which never jumps.

Tests, `play` and headless demonstrations run on the manual clock, so a coup that takes a minute at
a real table takes a millisecond there and no deadline depends on how busy the machine is.
"""

import time
from collections.abc import Callable
from threading import Condition
from typing import Final

from studio.live.ports import Clock

MICROSECONDS: Final = 1_000_000
"""Microseconds in a second."""
POLL_S: Final = 0.05
"""How often a waiting thread asks whether it is to stop, in real seconds at most."""


def never() -> bool:
    """Say that nothing interrupts the wait."""
    return False


class SystemClock:
    """The machine's wall clock and its monotonic clock."""

    def now_us(self) -> int:
        """UTC in whole microseconds since 1970; follows the machine when it is set."""
        return time.time_ns() // 1_000

    def monotonic_us(self) -> int:
        """Microseconds since some instant of this machine; never jumps, never goes backwards."""
        return time.monotonic_ns() // 1_000

    def wait(self, seconds: float, interrupt: Callable[[], bool] = never) -> None:
        """Sleep so long, or return early, at most 50 ms after `interrupt` became true."""
        end = time.monotonic() + seconds
        while not interrupt():
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(left if interrupt is never else min(left, POLL_S))


class TableClock:
    """The time of one table: UTC as it was at the start, going on by the monotonic clock.

    A wall clock that is set in the middle of a window neither lengthens nor shortens it, and no
    record goes backwards. What was set is taken over by `catch_up`, when the table waits for
    nothing. One thread changes it, any may read it.
    """

    def __init__(self, clock: Clock, not_before_us: int = 0) -> None:
        """Begin at the wall clock's instant, or at that of the newest record if it is later."""
        self._clock = clock
        self._offset_us = max(clock.now_us(), not_before_us) - clock.monotonic_us()
        self._wall_us = clock.now_us() - clock.monotonic_us()

    def now_us(self) -> int:
        """UTC in microseconds, as this table counts it; never goes backwards by itself."""
        return self._clock.monotonic_us() + self._offset_us

    def jump_us(self) -> int:
        """By how much the wall clock was set since this was asked last; 0 for a steady one."""
        wall_us = self._clock.now_us() - self._clock.monotonic_us()
        jump_us, self._wall_us = wall_us - self._wall_us, wall_us
        return jump_us

    def catch_up(self, not_before_us: int) -> None:
        """Take over the wall clock's time, as far as it is not before the newest record."""
        self._offset_us = max(self._clock.now_us(), not_before_us) - self._clock.monotonic_us()


class ManualClock:
    """A clock whose hands are moved by `advance` and `advance_to`. Safe for several threads.

    A waiting thread wakes in real time at once when the clock is moved far enough.
    """

    def __init__(self, start_us: int = 1_767_225_600_000_000) -> None:
        """Show this instant (UTC in microseconds; default 2026-01-01 00:00)."""
        self._now_us = start_us
        self._monotonic_us = 0
        self._moved = Condition()
        self._waiting_until: list[int] = []

    def now_us(self) -> int:
        """UTC in whole microseconds since 1970, as the hands stand."""
        with self._moved:
            return self._now_us

    def monotonic_us(self) -> int:
        """Microseconds by which the clock was moved since it was made; `set_wall` is no move."""
        with self._moved:
            return self._monotonic_us

    def advance(self, us: int) -> None:
        """Move the hands forward by so many microseconds and wake who waited for that.

        Raises:
            ValueError: if `us` is negative; to set the wall clock back use `set_wall`.
        """
        if us < 0:
            raise ValueError(f"a clock cannot be advanced by {us} µs: give 0 or more")
        with self._moved:
            self._now_us += us
            self._monotonic_us += us
            self._moved.notify_all()

    def advance_to(self, us: int) -> None:
        """Move the hands forward to this instant (UTC); one that has passed changes nothing."""
        with self._moved:
            ahead = max(0, us - self._now_us)
            self._now_us += ahead
            self._monotonic_us += ahead
            self._moved.notify_all()

    def set_wall(self, us: int) -> None:
        """Set the wall clock alone, forward or back, as a machine's clock jumps."""
        with self._moved:
            self._now_us = us

    def next_wake_us(self) -> int | None:
        """The instant (UTC) that wakes the first waiting thread; None if none waits."""
        with self._moved:
            if not self._waiting_until:
                return None
            return self._now_us + max(0, min(self._waiting_until) - self._monotonic_us)

    def wait(self, seconds: float, interrupt: Callable[[], bool] = never) -> None:
        """Block until the clock was moved so far; at most 50 ms longer once `interrupt` is true."""
        with self._moved:
            until = self._monotonic_us + round(seconds * MICROSECONDS)
            self._waiting_until.append(until)
            try:
                while self._monotonic_us < until and not interrupt():
                    self._moved.wait(None if interrupt is never else POLL_S)
            finally:
                self._waiting_until.remove(until)
