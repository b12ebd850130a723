"""How time passes for simulated people: by the studio's clock, or by jumps to the next event."""

import threading
from typing import Protocol

from studio.live.clock import ManualClock
from studio.live.ports import Clock, Stage

FRAME_US = 66_667
"""A frame of the camera takes so long on a clock that is moved by hand (15 a second)."""
WAKE_S = 0.1


class Ticking(Protocol):
    """The part of a studio that a jumping pace needs."""

    def tick(self) -> None:
        """Let everything follow that is due by now."""

    def flush(self) -> None:
        """Wait until everything is decided."""

    def next_deadline(self) -> int | None:
        """When something follows by itself."""


class JumpingPace:
    """No waiting: every pause and every timer jumps; bytes and frames are real all the same."""

    def __init__(self, clock: ManualClock, studio: Ticking, stage: Stage | None) -> None:
        """Move this clock."""
        self._clock = clock
        self._studio = studio
        self.stage = stage
        """The camera that looks; another one after a restart."""
        self.stopped = False

    def pause(self, seconds: float) -> None:
        """Jump over a pause."""
        self._clock.advance(round(seconds * 1_000_000))
        self._studio.tick()

    def frames(self, count: int) -> None:
        """Render, encode, decode and look at so many frames; the clock goes with them."""
        if self.stage is None or count <= 0:
            return
        self._clock.advance(FRAME_US * count)
        self.stage.step(count)

    def idle(self) -> bool:
        """Jump to the next instant at which something follows."""
        self._studio.flush()
        due = self._studio.next_deadline()
        if due is None:
            return False
        self._clock.advance_to(due)
        self._studio.tick()
        return True


class SharedPace(JumpingPace):
    """The same for one of several tables: the clock jumps only once all of them wait.

    A jump for one table alone would make the cards late that are just being dealt at another.
    """

    waiting = False
    """Whether these people had nothing to do since this was set to False."""

    def idle(self) -> bool:
        """Note that nothing is to be done here; `jump` lets time pass."""
        self.waiting = True
        return True

    def jump(self) -> bool:
        """Jump to the next instant at which something follows at any table."""
        return super().idle()


class LivePace:
    """By the clock: people take their time, and wait for what they wait for."""

    def __init__(self, clock: Clock, stage: Stage | None, changed: threading.Event) -> None:
        """`changed` is set by the studio whenever a view is new."""
        self._clock = clock
        self.stage = stage
        """The camera that looks; another one after a restart."""
        self._changed = changed
        self._halt = threading.Event()

    @property
    def stopped(self) -> bool:
        """Whether everybody goes home."""
        return self._halt.is_set()

    def stop(self) -> None:
        """Send everybody home."""
        self._halt.set()
        self._changed.set()

    def pause(self, seconds: float) -> None:
        """Take so long, by the studio's clock."""
        self._clock.wait(seconds, self._halt.is_set)

    def frames(self, count: int) -> None:
        """Wait until the running camera has looked so often."""
        if self.stage is not None:
            self.stage.step(count)

    def idle(self) -> bool:
        """Wait for news, a little while."""
        self._changed.wait(WAKE_S)
        self._changed.clear()
        return not self.stopped
