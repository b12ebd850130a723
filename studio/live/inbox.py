"""The inbox of a table: two lanes, one order. A command may find it full; an observation never.

An observation beyond the room is lost and counted, and the count comes out before anything else,
so that the table is held rather than wrong (DESIGN.md 4).
"""

import threading
from collections import deque

from studio.domain import commands as c
from studio.live.means import Note, Room


class Inbox:
    """Notes for one table. Any thread may put; one thread takes."""

    def __init__(self, room: Room) -> None:
        """Begin empty and open."""
        self._room = room
        self._condition = threading.Condition()
        self._observations: deque[Note] = deque()
        self._commands: deque[Note] = deque()
        self._lost = 0
        self._busy = False
        self._halted = False
        self._closed = False
        self.ticking = False
        """Whether a tick waits in it."""

    @property
    def depth(self) -> int:
        """Notes that wait."""
        return len(self._observations) + len(self._commands)

    @property
    def open(self) -> bool:
        """Whether it still takes notes."""
        return not self._halted

    def put_observation(self, note: Note) -> None:
        """Take an observation; count it as lost if there is no room. A closed inbox drops it."""
        with self._condition:
            if self._halted:
                return
            if len(self._observations) >= self._room.observations:
                self._lost += 1
            else:
                self._observations.append(note)
            self._condition.notify_all()

    def put_command(self, note: Note) -> bool:
        """Take a command; False if there is no room, or the inbox is closed."""
        with self._condition:
            if self._halted or len(self._commands) >= self._room.commands:
                return False
            self._commands.append(note)
            self._condition.notify_all()
            return True

    def put_tick(self, note: Note) -> None:
        """Take a tick, unless one waits already; it goes with the observations."""
        with self._condition:
            if not self.ticking and not self._halted:
                self.ticking = True
                self._observations.append(note)
                self._condition.notify_all()

    def wait(self) -> bool:
        """Wait for a note; False once the inbox is halted and empty, or closed."""
        with self._condition:
            self._condition.wait_for(lambda: self._waiting() or self._halted)
            return self._waiting() and not self._closed

    def take(self) -> tuple[int, Note | None]:
        """Reports lost since the last call, and the oldest note; call `done` after it."""
        with self._condition:
            self._busy = True
            lost, self._lost = self._lost, 0
            lanes = [lane for lane in (self._observations, self._commands) if lane]
            if not lanes:
                return lost, None
            note = min(lanes, key=lambda lane: lane[0].order).popleft()
            if isinstance(note.given, c.Tick):
                self.ticking = False
            return lost, note

    def done(self) -> None:
        """Say that what was taken is done with."""
        with self._condition:
            self._busy = False
            self._condition.notify_all()

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until nothing waits and nothing is being done; False after so many seconds."""
        with self._condition:
            return self._condition.wait_for(
                lambda: self._closed or not (self._waiting() or self._busy), timeout_s
            )

    def waiting(self) -> bool:
        """Whether something is there to be taken."""
        with self._condition:
            return self._waiting() and not self._closed

    def halt(self) -> None:
        """Take nothing more; what is in it may still be handled."""
        with self._condition:
            self._halted = True
            self._condition.notify_all()

    def close(self) -> tuple[Note, ...]:
        """Take nothing more and give what is left; nobody will handle it."""
        with self._condition:
            self._halted = self._closed = True
            left = (*self._commands, *self._observations)
            self._commands.clear()
            self._observations.clear()
            self._condition.notify_all()
        return left

    def _waiting(self) -> bool:
        return bool(self._observations or self._commands or self._lost)
