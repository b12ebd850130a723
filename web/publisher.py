"""One thread that brings each screen its newest view: never an old one, never half of one.

The table's thread only leaves a note that there is something new. This thread fetches the newest
view of each audience that somebody watches and hands it to the transport; whatever happened in
between was never needed. Each second it sends a beat, which shows a screen both silence and a gap.
"""

import logging
import queue
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from studio.table.views import Envelope, to_json
from web.needs import Service

log = logging.getLogger("cutcard.web.publisher")

WALL = "wall"
OVERLAY = "overlay"
MAX_DELAY_MS = 600_000
"""The longest delay that an overlay may have."""
LEAST_REACH_US = 60_000_000
"""How far back views are kept even while no overlay is so late."""
NOTHING_YET: dict[str, Any] = {
    "hands": [],
    "window": None,
    "result": None,
    "results": [],
    "roads": None,
    "slate": {"code": "wait", "round_no": 0},
}
"""What an overlay shows whose delay reaches back to before anything was kept."""
BEAT_US = 1_000_000
LONGEST_SLEEP_S = 0.2
"""How long the end of the server may go unnoticed."""

Slot = tuple[str, str, int]
"""Table, audience, delay in milliseconds. The name of what a screen joins."""


class Transport(Protocol):
    """Brings an event to everybody who joined a slot."""

    def emit(self, event: str, data: Any, slot: Slot) -> None:
        """Queue the event for each of them; never waits for a network."""


@dataclass(slots=True)
class Sent:
    """What a slot shows now."""

    envelope: Envelope
    data: Any
    source: tuple[str, int, str, int]
    """What it was made from: epoch and seq of the picture, of the slate."""


def room(slot: Slot) -> str:
    """The name of a slot's room."""
    table, audience, delay_ms = slot
    return f"{audience}:{table}:{delay_ms}"


class Past:
    """The overlay views of one table within the longest delay in use, oldest first."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self._views: deque[tuple[int, Envelope]] = deque()

    def keep(self, at_us: int, envelope: Envelope, reach_us: int = LEAST_REACH_US) -> None:
        """Keep a view that is new at this instant; forget what no delay can reach any more."""
        last = self._views[-1][1] if self._views else None
        if last is not None and (last.epoch, last.seq) == (envelope.epoch, envelope.seq):
            return
        self._views.append((at_us, envelope))
        while len(self._views) > 1 and self._views[1][0] <= at_us - reach_us:
            self._views.popleft()

    def at(self, now_us: int, delay_ms: int) -> tuple[Envelope, Envelope] | None:
        """The view that was newest so long ago, and the newest view with a slate since then.

        Where there is no slate the first is given twice. What is not old enough is never shown:
        before the first view is, it lies under a slate. None before the first view.
        """
        due_us = now_us - delay_ms * 1000
        shown: Envelope | None = None
        slate: Envelope | None = None
        for at_us, envelope in self._views:
            if shown is None and at_us > due_us:
                shown = replace(envelope, seq=0, view={**envelope.view, **NOTHING_YET})
                slate = shown
            elif at_us <= due_us:
                shown, slate = envelope, None
            if envelope.view.get("slate") is not None:
                slate = envelope
        return None if shown is None else (shown, slate or shown)

    def next_due_us(self, now_us: int, delay_ms: int) -> int | None:
        """When the next kept view becomes the one to show, None if there is none."""
        due = (at_us + delay_ms * 1000 for at_us, _ in self._views)
        return next((at_us for at_us in due if at_us > now_us), None)


class Publisher(threading.Thread):
    """Sends views and beats until stopped. Screens join and leave slots from any thread."""

    def __init__(
        self,
        service: Service,
        transport: Transport,
        *,
        monotonic_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000,
        each_beat: Callable[[], None] = lambda: None,
    ) -> None:
        """Take what to ask and how to send; nothing runs before `start`."""
        super().__init__(name="publisher", daemon=True)
        self._service = service
        self._transport = transport
        self._monotonic_us = monotonic_us
        self._each_beat = each_beat
        self._lock = threading.RLock()
        # A queue and not the lock: whoever leaves a note may hold a lock that views are made under.
        self._noted: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._wake = threading.Event()
        self._halt = threading.Event()
        self._joined: Counter[Slot] = Counter()
        self._sent: dict[Slot, Sent] = {}
        self._pasts: dict[str, Past] = {}
        self._numbers: dict[str, int] = {}
        self._next_beat_us = 0
        self._unsubscribe: Callable[[], None] = lambda: None

    # -- called by others ------------------------------------------------------------------

    def note(self, table: str) -> None:
        """Note that this table has a new view. Called by the studio's own publisher."""
        self._noted.put(table)
        self._wake.set()

    def join_slot(self, slot: Slot) -> None:
        """Count one more screen that watches this slot."""
        with self._lock:
            self._joined[slot] += 1

    def leave_slot(self, slot: Slot) -> None:
        """Count one screen less."""
        with self._lock:
            self._joined[slot] -= 1
            if self._joined[slot] <= 0:
                del self._joined[slot]
                self._sent.pop(slot, None)

    def watched(self) -> int:
        """How many slots somebody watches."""
        with self._lock:
            return len(self._joined)

    def current(self, slot: Slot) -> Any:
        """The envelope that this slot shows now, as it travels.

        Raises:
            KeyError: if there is no such table.
        """
        with self._lock:
            return self._refresh(slot, sending=False)[0].data

    def stop(self) -> None:
        """End the thread; returns once it has."""
        self._halt.set()
        self._wake.set()
        if self.is_alive() and threading.current_thread() is not self:
            self.join(timeout=5)

    # -- the thread ------------------------------------------------------------------------

    def begin(self) -> None:
        """Listen to the studio and start. After the fork of the server, never before."""
        self._unsubscribe = self._service.subscribe(self.note)
        self.start()

    def run(self) -> None:
        """Send what is new; beat each second; until stopped."""
        try:
            while not self._halt.is_set():
                self.turn()
                self._wake.wait(self._sleep_s())
        finally:
            self._unsubscribe()

    def turn(self) -> None:
        """One round of the thread: whatever is new or due now is sent."""
        self._wake.clear()
        now_us = self._monotonic_us()
        beat = now_us >= self._next_beat_us
        fresh = self._take_notes()
        with self._lock:
            slots = tuple(self._joined)
        self._remember(fresh)
        for slot in slots:
            table, audience, delay_ms = slot
            if beat or delay_ms or table in fresh or (audience == WALL and fresh):
                self._send(slot)
        if beat:
            self._next_beat_us = now_us + BEAT_US
            for slot in slots:
                self._beat(slot)
            self._quietly(self._each_beat, "looking after the sockets")

    def _sleep_s(self) -> float:
        """Until the next beat or the next delayed view, and never longer than a stop may wait."""
        now_us = self._monotonic_us()
        due = [self._next_beat_us]
        with self._lock:
            for table, audience, delay_ms in self._joined:
                if audience == OVERLAY and delay_ms and table in self._pasts:
                    at_us = self._pasts[table].next_due_us(now_us, delay_ms)
                    due.extend([] if at_us is None else [at_us])
        return min(LONGEST_SLEEP_S, max(0.001, (min(due) - now_us) / 1e6))

    def _take_notes(self) -> set[str]:
        fresh: set[str] = set()
        while not self._noted.empty():
            fresh.add(self._noted.get())
        return fresh

    def _remember(self, tables: set[str]) -> None:
        """Keep the overlay views that a delayed overlay will show later."""
        for table in tables:
            self._quietly(partial(self._keep, table), f"the overlay view of {table}")

    def _keep(self, table: str) -> None:
        envelope = self._service.view(table, OVERLAY)
        with self._lock:
            late = (ms * 1000 for name, _, ms in self._joined if name == table)
            reach_us = max(LEAST_REACH_US, *late, 0)
            past = self._pasts.setdefault(table, Past())
            past.keep(self._monotonic_us(), envelope, reach_us)

    def _send(self, slot: Slot) -> None:
        def send() -> None:
            with self._lock:
                sent, changed = self._refresh(slot, sending=True)
            if changed:
                self._transport.emit("wall" if slot[1] == WALL else "view", sent.data, slot)

        self._quietly(send, f"the view {room(slot)}")

    def _beat(self, slot: Slot) -> None:
        with self._lock:
            sent = self._sent.get(slot)
        if sent is None:
            return
        table, audience, delay_ms = slot

        def beat() -> None:
            told = {
                "table": table,
                "audience": audience,
                "epoch": sent.envelope.epoch,
                "seq": sent.envelope.seq,
                "now_us": self._newest(slot).now_us - delay_ms * 1000,
            }
            self._transport.emit("beat", told, slot)

        self._quietly(beat, f"the beat {room(slot)}")

    def _newest(self, slot: Slot) -> Envelope:
        """The newest view for a slot, whatever its delay, with the instant as it is now there.

        A table's deadlines are in its own time, which a wall clock that is set does not move: its
        screens must be told that time, and the wall the studio's.
        """
        table, audience, _ = slot
        return self._service.wall() if audience == WALL else self._service.view(table, audience)

    def _refresh(self, slot: Slot, *, sending: bool) -> tuple[Sent, bool]:
        """Bring what a slot shows up to date; whether that changed it. The lock is held.

        Without `sending` it is for one screen only: the others have yet to be sent it.
        """
        _, audience, delay_ms = slot
        if audience == OVERLAY and delay_ms:
            return self._refresh_delayed(slot, sending=sending)
        envelope = self._newest(slot)
        source = (envelope.epoch, envelope.seq, "", 0)
        before = self._sent.get(slot)
        if before is not None and _not_newer(source, before.source):
            before.data["now_us"] = envelope.now_us
            return before, False
        return self._store(slot, Sent(envelope, to_json(envelope), source), sending=sending)

    def _refresh_delayed(self, slot: Slot, *, sending: bool) -> tuple[Sent, bool]:
        """The same for an overlay that is behind on purpose; a slate is not behind.

        What it shows is put together from two views, so it has numbers of its own, which never
        fall while the studio runs: a screen that comes back must not take them for old ones.
        """
        table, _, delay_ms = slot
        self._keep(table)
        found = self._pasts[table].at(self._monotonic_us(), delay_ms)
        if found is None:
            raise KeyError(table)
        shown, slate = found
        source = (shown.epoch, shown.seq, slate.epoch, slate.seq)
        before = self._sent.get(slot)
        now_us = self._newest(slot).now_us - delay_ms * 1000
        if before is not None and before.source == source:
            before.data["now_us"] = now_us
            return before, False
        self._numbers[table] = max(self._numbers.get(table, 0) + 1, shown.seq)
        composed = replace(
            shown,
            seq=self._numbers[table],
            now_us=now_us,
            view={**shown.view, "slate": slate.view.get("slate")},
        )
        return self._store(slot, Sent(composed, to_json(composed), source), sending=sending)

    def _store(self, slot: Slot, sent: Sent, *, sending: bool) -> tuple[Sent, bool]:
        if slot in self._joined and (sending or slot not in self._sent):
            self._sent[slot] = sent
        return sent, True

    def _quietly(self, act: Callable[[], None], what: str) -> None:
        """One bad table or screen never keeps the others from their views."""
        try:
            act()
        except Exception:  # the thread goes on: silence would be taken for a lost studio
            log.exception("could not send %s", what)


def _not_newer(new: tuple[str, int, str, int], old: tuple[str, int, str, int]) -> bool:
    return new[0] == old[0] and new[1] <= old[1]
