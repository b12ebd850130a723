"""Two clocks: the machine's own, and one that is moved by hand.

Tests, `play` and headless demonstrations run on the manual clock, so a coup that takes a minute at
a real table takes a millisecond there and no deadline depends on how busy the machine is.
"""

import time
from collections.abc import Callable
from threading import Condition
from typing import Final

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
