"""Tells a platform's receiver what is in the outbox: at least once, in order, until it says yes.

How far a receiver got is in the database, so that neither a stop of the studio nor an hour without
the receiver loses an entry. One that fails is tried again with growing pauses.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from studio.domain.envelope import Outgoing
from studio.live.calling import Caller, Unanswered
from studio.live.feed import entry_json
from studio.live.ports import Clock, Journal

log = logging.getLogger("cutcard.messenger")

AT_ONCE: Final = 100
"""Entries of one call."""
ANSWER_S: Final = 10.0
FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 60.0
"""Pauses between tries grow twofold up to this, each shortened by chance to spread them."""
BEAT_S: Final = 5.0
"""How often the outbox is looked at without news."""
BEHIND_S: Final = 30.0
"""A receiver that is further behind is told of in /status."""


@dataclass(slots=True, kw_only=True)
class Messenger:
    """One platform's webhook. A thread of its own sends; any thread may ask how far it is."""

    receiver: str
    """Name of the platform."""
    caller: Caller
    journal: Journal
    clock: Clock
    lag: Callable[[str, float], None] = lambda _receiver, _seconds: None
    """Told of the age of the oldest entry that is not confirmed, 0 if all are."""
    random: Random = field(default_factory=Random)
    trouble: str = ""
    """Why the last call failed; empty once one was answered."""
    behind_s: float = 0.0
    """Age of the oldest entry that was not confirmed when this was looked at last."""
    _pause_s: float = FIRST_PAUSE_S
    _due_us: int = 0
    _news: threading.Event = field(default_factory=threading.Event)
    _ended: bool = False
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to send."""
        self._thread = threading.Thread(
            target=self._run, name=f"webhook-{self.receiver}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End after the call that is being made; the next start sends what is not confirmed."""
        self._ended = True
        self._news.set()
        if self._thread is not None:
            self._thread.join(timeout=ANSWER_S + 1)

    def heard(self) -> None:
        """There may be something to tell."""
        self._news.set()

    def finding(self) -> str:
        """One sentence where the receiver is behind; empty if all is well."""
        if self.behind_s < BEHIND_S:
            return ""
        why = f" ({self.trouble})" if self.trouble else ""
        return f"platform {self.receiver}: its webhook is {self.behind_s:.0f} s behind{why}"

    def _run(self) -> None:
        while not self._ended:
            wait_s = BEAT_S
            try:
                wait_s = self.turn()
            except Exception:
                log.exception("the outbox cannot be read for platform %s", self.receiver)
            if wait_s > 0 and not self._ended:
                # A clock that is moved by hand wakes nobody here.
                self._news.wait(wait_s if self.trouble == "" else min(wait_s, 0.05))
            self._news.clear()

    def turn(self) -> float:
        """Send the next entries, if it is time; seconds until there is something to do."""
        left_s = (self._due_us - self.clock.monotonic_us()) / 1_000_000
        if self.trouble and left_s > 0:
            self._look(self.journal.pending(self.receiver, 1))
            return left_s
        entries = self.journal.pending(self.receiver, AT_ONCE)
        self._look(entries)
        if not entries:
            return BEAT_S
        first, last = entries[0].n, entries[-1].n
        told = {"entries": [entry_json(each) for each in entries], "next": last}
        try:
            self.caller.post(told, idempotency=f"webhook-{first}-{last}", timeout_s=ANSWER_S)
        except Unanswered as why:
            return self._failed(str(why))
        self.journal.mark(self.receiver, last)
        self.trouble, self._pause_s = "", FIRST_PAUSE_S
        self._look(self.journal.pending(self.receiver, 1))
        return 0.0

    def _failed(self, why: str) -> float:
        if not self.trouble:
            log.warning("the webhook of platform %s failed: %s", self.receiver, why)
        self.trouble = why
        pause_s = self._pause_s * (0.5 + self.random.random() / 2)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        self._due_us = self.clock.monotonic_us() + round(pause_s * 1_000_000)
        return pause_s

    def _look(self, entries: Sequence[Outgoing]) -> None:
        oldest_us = entries[0].entry.at_us if entries else None
        now_us = self.clock.now_us()
        self.behind_s = 0.0 if oldest_us is None else max(0, now_us - oldest_us) / 1_000_000
        self.lag(self.receiver, self.behind_s)
