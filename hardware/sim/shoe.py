"""A simulated card shoe on a real pseudo-terminal, to be worked by a dealer's hands.

Cards, gate and faults are here; the protocol is in `line_device`, the cable in `terminal`, and
what is broken on purpose in `saboteur`.
"""

import contextlib
import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardware.errors import SettingError
from hardware.framing import Frame, FrameParser
from hardware.line_codec import decode
from hardware.sim.faults import ShoeFault, parse_fault
from hardware.sim.line_device import LineDevice
from hardware.sim.magazine import Magazine
from hardware.sim.saboteur import Saboteur
from hardware.sim.terminal import Terminal
from hardware.waker import Waker
from studio.live.ports import Clock

_NAME: Final = 16
_LOOK_S: Final = 0.02
"""So often the shoe looks at its clock, in real seconds."""
_PIECE_S: Final = 0.003
"""Between the pieces of a split frame, in real seconds."""


class SimulatedShoe:
    """All methods may be called from any thread; one thread of its own speaks on the line."""

    def __init__(
        self,
        clock: Clock,
        *,
        link: str = "",
        device: str = "shoe-7",
        serial: str = "SN00417",
        late_identity: bool = False,
        seed: int = 0,
    ) -> None:
        """Build a shoe that is switched off.

        Raises:
            SettingError: if the path `link` is taken.
        """
        self._clock = clock
        self._device = device
        self._identity = ("Model S", "1.0.2", serial)
        self._late_identity = late_identity
        self._terminal = Terminal(link)
        self._saboteur = Saboteur(seed)
        self._lock = threading.RLock()
        self._acknowledged = threading.Condition(self._lock)
        self._magazine = Magazine(self._saboteur)
        self._parser = FrameParser()
        self._line = self._power_up()
        self._halt = threading.Event()
        self._waker = Waker()
        self._thread: threading.Thread | None = None

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], clock: Clock) -> "SimulatedShoe":
        """Build one from a device's settings, of which those marked so are its own.

        Raises:
            SettingError: if one is out of range or the path is taken.
        """
        device = str(settings.get("device") or "shoe-7")
        if not (device.replace("-", "").isalnum() and device.isascii() and len(device) <= _NAME):
            raise SettingError(f"device is {device!r}: write 1 to 16 of A-Z a-z 0-9 -")
        late = settings.get("late_identity") or False
        return cls(
            clock,
            link=str(settings.get("link") or ""),
            device=device,
            serial=str(settings.get("identity") or "SN00417"),
            late_identity=late is True or str(late).lower() == "true",
            seed=_seed(settings.get("seed") or 0),
        )

    @property
    def path(self) -> str:
        """The path that the driver opens; the same after an unplugging."""
        return str(self._terminal.path)

    def start(self) -> None:
        """Switch on and begin to answer.

        Raises:
            SettingError: if the path cannot be made.
        """
        with self._lock:
            self._terminal.plug()
            self._line.greet()
        self._thread = threading.Thread(target=self._run, name="simulated-shoe", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hang up and release the pseudo-terminal."""
        self._halt.set()
        self._waker.wake()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._terminal.release()

    def power_cycle(self) -> None:
        """Switch off and on: a new boot id, a count from 0, and what was not sent is forgotten."""
        with self._lock:
            self._line = self._power_up()
            self._line.greet()
        self._waker.wake()

    def load(self, cards: Sequence[str]) -> None:
        """Put cards behind those in the shoe, first to come out first; ``CUT`` for the cut card.

        Raises:
            ValueError: naming the first code that is neither a card nor ``CUT``.
        """
        with self._lock:
            self._report(self._magazine.load(cards))
        self._waker.wake()

    def unload(self) -> Sequence[str]:
        """Lift all cards out by the lid, past the reader; what was inside."""
        with self._lock:
            return self._magazine.unload()

    def draw(self, *, reads_as: str | None = None) -> str:
        """Slide out what comes next; the code of what really came out.

        `reads_as` is what the reader takes it for, ``??`` for unreadable. Gives the empty string
        if nothing came: the shoe is empty (it says so with a fault) or its gate is locked.

        Raises:
            ValueError: if `reads_as` is neither a card nor ``??``.
        """
        with self._lock:
            code, reports = self._magazine.draw(reads_as)
            self._report(reports)
        self._waker.wake()
        return code

    def remaining(self) -> Sequence[str]:
        """What is still in the shoe, in order of coming out."""
        with self._lock:
            return self._magazine.remaining

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a fault on or off while the shoe runs; see `ShoeFault`.

        Raises:
            ValueError: if the fault is not one of this device's.
        """
        which = parse_fault(fault)
        with self._lock:
            self._saboteur.switch(which, on=on)
            self._move_cable()
        self._waker.wake()

    def quiet(self, timeout_s: float) -> bool:
        """Wait in real time until every frame was acknowledged; False if one was not."""
        with self._acknowledged:
            return self._acknowledged.wait_for(self._is_quiet, timeout_s)

    def _is_quiet(self) -> bool:
        return self._line.quiet()

    def _report(self, reports: Sequence[tuple[str, ...]]) -> None:
        for kind, *payload in reports:
            if kind == "CARD" and self._late_identity:
                drawn = self._line.emit("DRAWN")
                self._line.emit("IDENT", str(drawn), *payload)
            else:
                self._line.emit(kind, *payload)

    # -- the line --------------------------------------------------------------------------------

    def _power_up(self) -> LineDevice:
        # Never from the seed: a boot id that comes twice would make new cards look like old ones.
        boot = secrets.token_hex(4).upper()
        return LineDevice(device=self._device, boot=boot, identity=self._identity)

    def _run(self) -> None:
        while not self._halt.is_set():
            with self._lock:
                watched = [self._terminal.master] if self._terminal.master >= 0 else []
            with contextlib.suppress(OSError, ValueError):
                # The cable may be pulled while we wait; then we look again.
                self._waker.select(watched, _LOOK_S)
            with self._lock:
                pieces = self._turn()
            for number, piece in enumerate(pieces):
                if number:
                    self._halt.wait(_PIECE_S)
                with self._lock:
                    self._terminal.write(piece)
        self._waker.close()

    def _turn(self) -> list[bytes]:
        """Hear, look at the clock, and give what is to be sent now."""
        now_us = self._clock.monotonic_us()
        heard = self._terminal.read()
        self._saboteur.pass_time(now_us)
        self._move_cable()
        if self._saboteur.has(ShoeFault.SILENCE):
            return []
        for found in self._parser.feed(heard):
            if isinstance(found, Frame):
                self._hear(found.body)
        return self._saboteur.spoil(self._line.due(now_us), now_us)

    def _hear(self, body: bytes) -> None:
        try:
            message = decode(body)
        except ValueError:
            return
        match self._line.receive(message):
            case "LOCK":
                self._magazine.locked = True
                self._line.emit("LOCKED")
            case "UNLOCK":
                self._magazine.locked = False
                self._line.emit("UNLOCKED")
            case "TEST":
                self._line.emit("TESTED", "PASS", "test card read")
            case _:
                pass
        self._acknowledged.notify_all()

    def _move_cable(self) -> None:
        """Let the cable be out or in as the fault says."""
        if self._saboteur.has(ShoeFault.UNPLUG):
            self._terminal.unplug()
        elif self._thread is not None and not self._halt.is_set():
            self._terminal.plug()


def _seed(value: object) -> int:
    text = str(value)
    if not text.isdecimal():
        raise SettingError(f"seed is {text!r}: write a whole number")
    return int(text)
