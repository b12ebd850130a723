"""One thread that tells each table when time has passed for it."""

import logging
import threading
from collections.abc import Sequence
from typing import Final, Protocol

log = logging.getLogger("cutcard.timers")

LONGEST_WAIT_S: Final = 0.5
"""The tables are looked at so often even if nothing is due."""
CLOSE_WAIT_S: Final = 0.02
"""How often it is looked at while something is due; a clock may run faster than the machine's."""
MICROSECONDS: Final = 1_000_000


class Timed(Protocol):
    """A table, as far as time goes."""

    def deadline(self) -> int | None:
        """The instant (UTC, microseconds) at which something follows by itself."""

    def now_us(self) -> int:
        """The present instant as this table counts it."""

    def tick(self) -> None:
        """Say that time has passed."""


class Timer(threading.Thread):
    """Ticks the tables that are due, until stopped. Call `changed` when a deadline may be new."""

    def __init__(self, tables: Sequence[Timed]) -> None:
        """Take the tables, each with its own time; nothing runs before `start`."""
        super().__init__(name="timer", daemon=True)
        self._tables = tuple(tables)
        self._news = threading.Event()
        self._halt = threading.Event()

    def changed(self) -> None:
        """Look at the deadlines again."""
        self._news.set()

    def stop(self) -> None:
        """End the thread; returns once it has."""
        self._halt.set()
        self._news.set()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(timeout=5)

    def run(self) -> None:
        """Tick what is due, wait for what comes next."""
        while not self._halt.is_set():
            self._news.clear()
            self._news.wait(self.turn())

    def turn(self) -> float:
        """Tick every table that is due; seconds until the next look."""
        wait_s = LONGEST_WAIT_S
        for table in self._tables:
            try:
                wait_s = min(wait_s, _look(table))
            except Exception:  # the other tables still need their time
                log.exception("the timer of a table failed; it goes on")
        return wait_s


def _look(table: Timed) -> float:
    """Tick a table if it is due; seconds until it wants to be looked at again."""
    instant = table.deadline()
    if instant is None:
        return LONGEST_WAIT_S
    left_us = instant - table.now_us()
    if left_us <= 0:
        table.tick()
        return LONGEST_WAIT_S
    return min(CLOSE_WAIT_S, left_us / MICROSECONDS)
