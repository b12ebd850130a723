"""A simulated shoe with a text reader on a real pseudo-terminal: a line for each card, no more.

It hears nothing but ACK and its trigger, upon which it reads a test card. It says nothing of
itself, and what is sent while nobody listens is gone.
"""

import contextlib
import fcntl
import struct
import termios
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from hardware.errors import SettingError
from hardware.sim.faults import ShoeFault
from hardware.sim.line_device import Outgoing
from hardware.sim.magazine import Magazine
from hardware.sim.saboteur import Saboteur
from hardware.sim.terminal import Terminal
from hardware.text_codes import CodeTable, example_table, read_codes
from hardware.text_settings import Look, read_look
from hardware.waker import Waker
from studio.domain.cards import CUT, Card
from studio.live.ports import Clock

_LOOK_S: Final = 0.02
_PIECE_S: Final = 0.003
_SETTLE_S: Final = 0.05
"""Between a read and its report, where the reader is not acknowledged."""
_ACK: Final = 0x06
FAULTS: Final = tuple(fault.value for fault in ShoeFault if fault is not ShoeFault.BAD_CHECKSUM)
"""Faults that such a reader can have; it has no check sum."""


class SimulatedTextReader:
    """All methods may be called from any thread; one thread of its own speaks on the line."""

    def __init__(
        self, clock: Clock, *, look: Look, table: CodeTable, link: str = "", seed: int = 0
    ) -> None:
        """Build a reader that is switched off.

        Raises:
            SettingError: if the path `link` is taken.
        """
        self._clock = clock
        self._look = look
        self._codes: dict[str, list[str]] = {}
        for code, named in table.items():
            self._codes.setdefault(named.card.code if named.card else CUT, []).append(code)
        self._used: Counter[str] = Counter()
        self._terminal = Terminal(link)
        self._saboteur = Saboteur(seed)
        self._magazine = Magazine(self._saboteur)
        self._lock = threading.RLock()
        self._heard = threading.Condition(self._lock)
        self._queue: list[Outgoing] = []
        self._sending = False
        self._unanswered = 0
        self._halt = threading.Event()
        self._waker = Waker()
        self._thread: threading.Thread | None = None

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], clock: Clock) -> "SimulatedTextReader":
        """Build one from a device's settings; without a table of codes it has the example's.

        Raises:
            SettingError: if a setting or the table is wrong, or the path is taken.
        """
        look = read_look("simulated", settings)
        cards = str(settings.get("cards") or "")
        table = read_codes(Path(cards), look.kind) if cards else example_table(look.kind)
        seed = str(settings.get("seed") or 0)
        if not seed.isdecimal():
            raise SettingError(f"seed is {seed!r}: write a whole number")
        link = str(settings.get("link") or "")
        return cls(clock, look=look, table=table, link=link, seed=int(seed))

    @property
    def path(self) -> str:
        """The path that the driver opens; the same after an unplugging."""
        return str(self._terminal.path)

    def start(self) -> None:
        """Switch on.

        Raises:
            SettingError: if the path cannot be made.
        """
        with self._lock:
            self._terminal.plug()
        self._thread = threading.Thread(target=self._run, name="simulated-reader", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Hang up and release the pseudo-terminal."""
        self._halt.set()
        self._waker.wake()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._terminal.release()

    def load(self, cards: Sequence[str]) -> None:
        """Put cards behind those in the shoe, first to come out first; ``CUT`` for the cut card.

        Raises:
            ValueError: naming the first code that is neither a card nor ``CUT``, or that has no
                printed code.
        """
        for code in cards:
            if code not in self._codes and code != CUT:
                Card.parse(code)
                raise ValueError(f"the table of codes has no code for {code}: add a line for it")
        with self._lock:
            self._magazine.load(cards)

    def unload(self) -> Sequence[str]:
        """Lift all cards out by the lid, past the reader; what was inside."""
        with self._lock:
            return self._magazine.unload()

    def draw(self, *, reads_as: str | None = None) -> str:
        """Slide out what comes next; the code of what really came out, empty if nothing did.

        Raises:
            ValueError: if `reads_as` is neither a card nor ``??``.
        """
        with self._lock:
            code, reports = self._magazine.draw(reads_as)
            printed = {words: self._printed(words) for words in dict.fromkeys(reports)}
            for words in reports:
                if printed[words]:
                    self._say(printed[words])
        self._waker.wake()
        return code

    def remaining(self) -> Sequence[str]:
        """What is still in the shoe, in order of coming out."""
        with self._lock:
            return self._magazine.remaining

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a fault on or off while the reader runs; see `ShoeFault`.

        Raises:
            ValueError: if the fault is not one of a text reader's.
        """
        if fault not in FAULTS:
            text = f"{fault!r} is no fault of a text reader: take one of {', '.join(FAULTS)}"
            raise ValueError(text)
        with self._lock:
            self._saboteur.switch(ShoeFault(fault), on=on)
            self._move_cable()
        self._waker.wake()

    def quiet(self, timeout_s: float) -> bool:
        """Wait in real time until every line was taken; False if one was not.

        Exact where the reader is acknowledged; else a moment after the last byte was read.
        """
        with self._heard:
            if not self._heard.wait_for(self._is_quiet, timeout_s):
                return False
        if not self._look.ack:
            self._halt.wait(_SETTLE_S)
        return True

    # -- the line --------------------------------------------------------------------------------

    def _printed(self, words: tuple[str, ...]) -> str:
        """What the reader sends of one card; nothing where a text reader has no words."""
        match words:
            case ("CARD", card):
                codes = self._codes[card]
                self._used[card] += 1
                return codes[(self._used[card] - 1) % len(codes)]
            case ("CUT",):
                return self._codes[CUT][0] if CUT in self._codes else ""
            case ("BAD", *_):
                return self._look.no_read
            case _:
                return ""

    def _test_code(self) -> str:
        """What the reader makes of the test card that lies before it."""
        if self._saboteur.has(ShoeFault.UNREADABLE):
            return self._look.no_read
        return next(codes[0] for card, codes in self._codes.items() if card != CUT)

    def _say(self, code: str) -> None:
        end = self._look.suffix or b"\r\n"
        data = self._look.prefix + code.encode("latin-1") + end
        self._queue.append(Outgoing("CODE", data, first=True))

    def _is_quiet(self) -> bool:
        if self._queue or self._sending:
            return False
        if self._saboteur.has(ShoeFault.UNPLUG) or self._saboteur.has(ShoeFault.SILENCE):
            return True
        return self._unread() == 0 and self._unanswered == 0

    def _unread(self) -> int:
        """Bytes that the studio has not taken yet."""
        if self._terminal.far_end < 0:
            return 0
        with contextlib.suppress(OSError):
            waiting = fcntl.ioctl(self._terminal.far_end, termios.FIONREAD, b"\0" * 4)
            return int(struct.unpack("i", waiting)[0])
        return 0

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
            with self._heard:
                self._sending = False
                self._heard.notify_all()
        self._waker.close()

    def _turn(self) -> list[bytes]:
        """Hear, look at the clock, and give what is to be sent now."""
        now_us = self._clock.monotonic_us()
        heard = self._terminal.read()
        self._unanswered = max(0, self._unanswered - heard.count(_ACK))
        if self._look.trigger and self._look.trigger in heard:
            self._say(self._test_code())
        self._saboteur.pass_time(now_us)
        self._move_cable()
        queue, self._queue, self._sending = self._queue, [], True
        if self._saboteur.has(ShoeFault.SILENCE) or self._saboteur.has(ShoeFault.UNPLUG):
            return []  # nobody keeps what such a reader sends into the air
        pieces = self._saboteur.spoil(queue, now_us)
        if self._look.ack:
            mark = self._look.suffix or b"\r\n"
            self._unanswered += b"".join(pieces).count(mark)
        return pieces

    def _move_cable(self) -> None:
        """Let the cable be out or in as the fault says."""
        if self._saboteur.has(ShoeFault.UNPLUG):
            self._terminal.unplug()
            self._unanswered = 0
        elif self._thread is not None and not self._halt.is_set():
            self._terminal.plug()
