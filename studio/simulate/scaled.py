"""A clock that runs faster or slower than the machine's, for demonstrations with `--speed`."""

import time
from collections.abc import Callable
from typing import Final

from studio.live.clock import never

POLL_S: Final = 0.05


class ScaledClock:
    """The machine's time, times a factor from now on; waits are scaled with it."""

    def __init__(self, speed: float) -> None:
        """Start at the machine's present instant."""
        self._speed = speed
        self._start_us = time.time_ns() // 1_000
        self._zero_ns = time.monotonic_ns()

    def monotonic_us(self) -> int:
        """Scaled microseconds since the clock was made."""
        return int((time.monotonic_ns() - self._zero_ns) // 1_000 * self._speed)

    def now_us(self) -> int:
        """UTC in microseconds as this clock shows it."""
        return self._start_us + self.monotonic_us()

    def wait(self, seconds: float, interrupt: Callable[[], bool] = never) -> None:
        """Sleep so long by this clock, or return early once `interrupt` is true."""
        end = time.monotonic() + seconds / self._speed
        while not interrupt():
            left = end - time.monotonic()
            if left <= 0:
                return
            time.sleep(left if interrupt is never else min(left, POLL_S))
