"""What can be broken on the machine and the network of a studio on purpose, while it runs.

Three small things to put between a studio and what it stands on: `Machine.at_point` is given as
`Options.at_point`, `Machine.wallet` as `Options.wallet`, and a `SteppedClock` as `Options.clock`
where the clock is not one that is moved by hand (`ManualClock.set_wall` does the same there).
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from studio.live.clock import ManualClock, never
from studio.live.ports import Clock, Wallet

POINTS: Final = ("before_decide", "before_commit", "after_commit", "after_adopt", "after_publish")
"""Where a table's thread may be stopped, in the order of one decision."""


class PowerCut(Exception):  # noqa: N818  it says what happened
    """The power failed at a named point: what was committed is on the disk, and nothing else is."""


class Machine:
    """The disk, the power and the line to the wallet. Any thread may break and mend it."""

    def __init__(self, clock: Clock) -> None:
        """Begin with everything sound."""
        self._clock = clock
        self._lock = threading.Lock()
        self._slow_s = 0.0
        self._cut: tuple[str, int] | None = None
        self.platform_down = False
        """While set, the wallet cannot be reached; what is due is delivered later, once."""

    def slow_disk(self, seconds: float) -> None:
        """Let each commit take so much longer, by the studio's clock; 0 mends it."""
        self._slow_s = seconds

    def cut_power(self, point: str, nth: int = 1) -> None:
        """Let the table die when it comes to this point for the nth time from now on.

        The table's thread stops there as it would in a process that was killed. Stop the studio
        and start another one on the same database.

        Raises:
            ValueError: if there is no such point.
        """
        if point not in POINTS:
            raise ValueError(
                f"{point!r} is no point of a decision: take one of {', '.join(POINTS)}"
            )
        with self._lock:
            self._cut = (point, nth)

    def at_point(self, point: str) -> None:
        """Be told by a table's thread where it is; see `studio.live.means.Means`.

        Raises:
            PowerCut: where `cut_power` says so.
        """
        if point == "before_commit" and self._slow_s:
            self._pass(self._slow_s)
        with self._lock:
            if self._cut is None or self._cut[0] != point:
                return
            left = self._cut[1] - 1
            self._cut = (point, left) if left else None
        if not left:
            raise PowerCut(f"the power failed at {point}")

    def wallet(self, wallet: Wallet) -> Wallet:
        """Put the line that may be cut before a wallet."""
        return _Line(wallet, self)

    def _pass(self, seconds: float) -> None:
        if isinstance(self._clock, ManualClock):
            self._clock.advance(round(seconds * 1_000_000))  # nobody else moves it meanwhile
        else:
            self._clock.wait(seconds)


class _Line:
    """A wallet behind a line that may be cut."""

    def __init__(self, wallet: Wallet, machine: Machine) -> None:
        self.name = wallet.name
        self._wallet = wallet
        self._machine = machine

    def reserve(self, key: str, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Reserve, if the line stands."""
        self._check()
        return self._wallet.reserve(key, entries)

    def short(self, entries: Sequence[tuple[str, str, int]]) -> tuple[str, ...]:
        """Look at balances, if the line stands."""
        self._check()
        return self._wallet.short(entries)

    def settle(self, key: str, entries: Sequence[tuple[str, int]]) -> None:
        """Pay, if the line stands."""
        self._check()
        self._wallet.settle(key, entries)

    def debit(self, key: str, entries: Sequence[tuple[str, int]]) -> tuple[str, ...]:
        """Take back, if the line stands."""
        self._check()
        return self._wallet.debit(key, entries)

    def _check(self) -> None:
        if self._machine.platform_down:
            raise ConnectionError("the platform does not answer")


class SteppedClock:
    """A clock whose wall time may be set while its monotonic time goes on."""

    def __init__(self, clock: Clock) -> None:
        """Show what the other one shows."""
        self._clock = clock
        self._set_us = 0

    def step(self, us: int) -> None:
        """Set the wall time forward or back by so many microseconds."""
        self._set_us += us

    def now_us(self) -> int:
        """UTC in microseconds, as it was set."""
        return self._clock.now_us() + self._set_us

    def monotonic_us(self) -> int:
        """Microseconds that no setting moves."""
        return self._clock.monotonic_us()

    def wait(self, seconds: float, interrupt: Callable[[], bool] = never) -> None:
        """Let so much time pass."""
        self._clock.wait(seconds, interrupt)
