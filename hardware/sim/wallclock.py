"""The machine's own clock, for a simulated device that runs outside a studio."""

import threading
import time
from collections.abc import Callable

_LOOK_S = 0.05


def never() -> bool:
    """Nothing interrupts."""
    return False


class WallClock:
    """A `Clock` that is the machine's."""

    def now_us(self) -> int:
        """UTC in microseconds."""
        return time.time_ns() // 1000

    def monotonic_us(self) -> int:
        """Monotonic time in microseconds."""
        return time.monotonic_ns() // 1000

    def wait(self, seconds: float, interrupt: Callable[[], bool] = never) -> None:
        """Wait so long in real time, or until `interrupt()` is true, seen within 50 ms."""
        pause = threading.Event()
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not interrupt():
            pause.wait(min(left, _LOOK_S))
