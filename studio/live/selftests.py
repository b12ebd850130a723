"""Which devices of a table are testing themselves now, and since when (DESIGN.md 5)."""

import threading
from collections.abc import Callable
from typing import Final

from studio.domain.observations import DeviceOffline, Observation, SelfTested

LIMIT_US: Final = 45_000_000
"""A test without an answer for so long has failed; a test card is waited for 30 s at most."""
RUNS: Final = "refused.test_running"
UNANSWERED: Final = "refused.test_unanswered"
WAITS: Final = {
    RUNS: "the test runs: ask again when the device has answered",
    UNANSWERED: "the device did not answer its test: look at its cable, then ask again",
}
"""Why the fault of an untested device cannot be answered yet, in words."""


class SelfTests:
    """Sees to it that each test that was asked for ends: by its answer, by a loss, or by time.

    May be used from any thread. Times are the table's own, in microseconds.
    """

    def __init__(self, report: Callable[[Observation], None]) -> None:
        """Take where the failure of a test without an answer is reported."""
        self._report = report
        self._lock = threading.Lock()
        self._since: dict[str, int] = {}

    def began(self, device: str, at_us: int) -> None:
        """This device was asked for a test now; one that runs already goes on."""
        with self._lock:
            self._since.setdefault(device, at_us)

    def running(self, device: str, at_us: int) -> bool:
        """Whether a test of this device runs and still has time."""
        with self._lock:
            since = self._since.get(device)
        return since is not None and at_us - since < LIMIT_US

    def expire(self, at_us: int) -> tuple[str, ...]:
        """End what had no answer in time, and say so; the devices that it was about."""
        with self._lock:
            late = tuple(name for name, since in self._since.items() if at_us - since >= LIMIT_US)
            for name in late:
                del self._since[name]
        for name in late:
            self._failed(name, at_us, "it gave no answer to its test in 45 s: ask again")
        return late

    def note(self, seen: Observation) -> None:
        """Take what a device reported: its answer, or that it is away and will give none.

        Call it after the observation itself was reported.
        """
        if not isinstance(seen, SelfTested | DeviceOffline):
            return
        with self._lock:
            running = self._since.pop(seen.device, None) is not None
        if running and isinstance(seen, DeviceOffline):
            self._failed(seen.device, seen.at_us, "it was lost during its test: ask again")

    def _failed(self, device: str, at_us: int, text: str) -> None:
        self._report(SelfTested(device=device, at_us=at_us, passed=False, text=text))
