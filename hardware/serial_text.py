"""The driver of `serial-text`: readers and scanners that send one printed code a line.

Such a reader has no name, no count of its own and no check sum. What that means is kept here: the
driver counts the lines, a code that is not in the studio's table is an unreadable card, a piece of
a line holds the table, and a repeat is never dropped unless the very same physical card shows it.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardware.framing import Garbage, Why
from hardware.link import Link
from hardware.sim.text_reader import FAULTS, SimulatedTextReader
from hardware.text_codes import Kind, Named
from hardware.text_framing import Line, TextParser
from hardware.text_settings import SETTINGS, SIMULATED, TextSettings, read_text_settings
from hardware.trace import (
    NOTHING_KNOWN,
    Known,
    Piece,
    Recorder,
    Shown,
    Trace,
    Way,
)
from studio.domain.observations import (
    CardRead,
    CardUnreadable,
    CutCardOut,
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    DeviceOffline,
    DeviceOnline,
    LinkRates,
    Observation,
    SelfTested,
)
from studio.live.ports import Clock, Driver, Report, SimulatedWire

ACK: Final = b"\x06"
"""What a reader in acknowledging mode waits for."""
AIM: Final = b"]"
AIM_LENGTH: Final = 3
"""An AIM identifier (ISO/IEC 15424): ``]`` and two characters."""
REREAD_US: Final = 60_000_000
"""One physical card within so long is one card: no shuffle brings it back sooner."""
STALE_S: Final = 1.0
"""What comes so soon after opening and is no code is a banner or a rest, in real seconds."""
QUIET_S: Final = 2.0
"""A wire that was still for so long is sound again, in real seconds."""
LONGEST_PIECE: Final = 80
"""Bytes of a piece that may be a code with all that a reader puts around it."""
GARBAGE_LIMIT: Final = 512
"""So many bytes of noise without a line between them are a fault of their own."""
TEST_US: Final = 30_000_000
"""A test card must be read within so long."""
RATES_S: Final = 1.0
"""`LinkRates` are sent at most so often, in real seconds."""
_HIDE: Final = bytes(byte if byte in b"\r\n" else ord("x") for byte in range(256))
_HIDDEN: Final = Shown("x" * 8)
"""A line that nobody may know: neither length nor a check character tells which card it names."""
_PIECES: Final = frozenset({Why.UNFINISHED, Why.TOO_LONG, Why.TORN})
"""Garbage that may have been a card."""


class SerialText:
    """One reader. `start`, `stop`, `command` and `frames` may be called from any thread."""

    def __init__(self, name: str, settings: TextSettings, clock: Clock) -> None:
        self.name = name
        self._settings = settings
        self._clock = clock
        self._trace = Trace()
        self._recorder = Recorder(settings.trace) if settings.trace else None
        self._parser = TextParser(prefix=settings.look.prefix, suffix=settings.look.suffix)
        self._sink: Report | None = None
        self._link: Link | None = None
        self._boot = secrets.token_hex(4).upper()
        self._sequence = 0
        self._online: bool | None = None
        self._asked = False
        self._test_due = False
        self._test_us: int | None = None
        self._last: tuple[bytes, int] | None = None
        self._seen: dict[str, int] = {}
        self._opened_s = self._byte_s = 0.0
        self._bytes = self._lines = self._facts = self._garbage = 0
        self._noise = 0
        self._garbage_fault = False
        self._last_us = 0
        self._rates: tuple[float, int] = (float("-inf"), 0)

    def start(self, report: Report) -> None:
        """Open and keep open, reporting from now on; at once. Starting twice is an error."""
        if self._link is not None:
            raise RuntimeError(f"device {self.name} is already started")
        self._sink = report
        self._link = Link(self.name, self._settings.address, self)
        self._link.start()

    def stop(self) -> None:
        """Stop reporting and close; returns within two seconds even if the wire hangs."""
        self._sink = None
        link, self._link = self._link, None
        if link is not None:
            link.stop()
            if self._recorder is not None:
                self._recorder.close()

    def command(self, word: str) -> None:
        """``WHO`` is answered with `DeviceOnline`; after ``TEST`` the next card is a test card.

        A text reader understands no word but its trigger, so others are ignored.
        """
        link = self._link
        if link is None:
            return
        if word == "WHO":
            self._asked = True
            link.wake()
        elif word == "TEST":
            if self._online is False:
                text = "the reader is not there: plug it in and test again"
                self._tested(self._clock.now_us(), passed=False, text=text)
                return
            self._test_due = True
            link.wake()

    def frames(self, known: Known = NOTHING_KNOWN) -> Sequence[str]:
        """The last 200 lines, oldest first, printable, each with direction and instant.

        A code stands in them only where `known` has that very report with its card.
        """
        return self._trace.lines(known)

    # -- called by the link, on its thread ------------------------------------------------------

    def opened(self) -> None:
        """The port is open; that is all such a device can say of itself."""
        self._discard(self._parser.expire(), self._clock.now_us())
        self._opened_s = self._byte_s = time.monotonic()
        self._noise = 0
        self._tell_online()

    def received(self, chunk: bytes) -> bool:
        """Take bytes from the port; whether a line was among them."""
        before = self._lines
        at_us = self._clock.now_us()
        self._byte_s = time.monotonic()
        self._bytes += len(chunk)
        self._last_us = at_us
        if self._recorder is not None:
            self._recorder.add(Piece(at_us, Way.IN, chunk))
        for found in self._parser.feed(chunk):
            if isinstance(found, Garbage):
                self._discard((found,), at_us)
            elif found.code:
                self._heard(found, at_us)
                if self._settings.look.ack:
                    self._send(ACK, at_us)
            else:
                self._judged(found.raw)  # an empty line is no scan: some readers end with two CR
        return self._lines > before

    def tick(self) -> None:
        """Look at the clocks and at what the table wants."""
        now_s, at_us = time.monotonic(), self._clock.now_us()
        still_s = now_s - self._byte_s
        if self._parser.pending and still_s > self._settings.line_timeout_s:
            self._discard(self._parser.expire(), at_us)
        if self._garbage_fault and still_s > QUIET_S:
            self._sound(at_us)
        if self._asked:
            self._asked = False
            self._tell_online()
        self._look_at_test(at_us)
        self._send_rates(now_s, at_us)

    def _look_at_test(self, at_us: int) -> None:
        """Begin a self-test, one at a time: an answer too many would be a card of the game."""
        now_us = self._clock.monotonic_us()
        asked, self._test_due = self._test_due, False
        if self._test_us is None and asked:
            self._test_us = now_us
            if self._settings.look.trigger:
                self._send(self._settings.look.trigger, at_us)
        elif self._test_us is not None and now_us - self._test_us > TEST_US:
            self._test_us = None
            self._tested(at_us, passed=False, text="no test card was read in 30 s")

    def lost(self, reason: str) -> None:
        """The port is gone or did not open; said once until it is back."""
        at_us = self._clock.now_us()
        if self._online is not False:
            self._online = False
            self._tell(DeviceOffline(device=self.name, at_us=at_us, reason=reason))
        if self._test_us is not None or self._test_due:
            # The next line after the return is a card of the game, and no test card.
            self._test_us, self._test_due = None, False
            self._tested(at_us, passed=False, text="the reader was lost during its test")

    # -- lines -----------------------------------------------------------------------------------

    def _heard(self, line: Line, at_us: int) -> None:
        """Take one line: a card, the cut card, or what could not be read."""
        code = line.code
        if code.startswith(AIM) and len(code) >= AIM_LENGTH:
            code = code[AIM_LENGTH:]
        named = self._settings.table.get(code.decode("latin-1"))
        no_read = code == self._settings.look.no_read.encode()
        fresh = time.monotonic() - self._opened_s < STALE_S
        if named is None and not no_read and fresh:
            self._discard((Garbage(line.raw, Why.NOISE),), at_us)
            return
        self._lines += 1
        self._noise = 0
        self._judged(line.raw.translate(_HIDE))
        if self._test_us is not None:
            self._test_us = None
            self._trace.add(at_us, Way.IN, line.raw, "test card", shown=_HIDDEN)
            passed = named is not None
            text = "test card read" if passed else "the test card was not read"
            self._tested(at_us, passed=passed, text=text)
        elif named is None:
            cause = "no read" if no_read else _why_unknown(code)
            self._unreadable(line, at_us, cause)
        else:
            self._named(line, code, named, at_us)

    def _named(self, line: Line, code: bytes, named: Named, at_us: int) -> None:
        clock_us = self._clock.monotonic_us()
        unique = self._settings.look.kind is Kind.UNIQUE
        if unique and self._is_reread(named.serial, clock_us):
            self._trace.add(at_us, Way.IN, line.raw, "the same card once more", shown=_HIDDEN)
            return
        again = not unique and self._is_repeat(code, clock_us)
        if again and named.card is None:
            self._trace.add(at_us, Way.IN, line.raw, "the cut card once more", shown=_HIDDEN)
            return
        sequence = self._next()
        key, name = (self._boot, sequence), named.card.code if named.card else "CUT"
        self._trace.add(at_us, Way.IN, line.raw, shown=Shown(_HIDDEN.text, key, name))
        if named.card is None:
            self._tell(
                CutCardOut(device=self.name, at_us=at_us, boot=self._boot, sequence=sequence)
            )
            return
        self._tell(
            CardRead(
                device=self.name,
                at_us=at_us,
                boot=self._boot,
                sequence=sequence,
                card=named.card,
                unique=named.serial,
                again=again,
            )
        )

    def _is_reread(self, serial: str, clock_us: int) -> bool:
        """Whether this physical card was read a moment ago."""
        last_us, self._seen[serial] = self._seen.get(serial), clock_us
        window_us = max(REREAD_US, round(self._settings.rearm_s * 1_000_000))
        return last_us is not None and clock_us - last_us <= window_us

    def _is_repeat(self, code: bytes, clock_us: int) -> bool:
        """Whether this value is the one before, a moment ago: one card or two."""
        last, self._last = self._last, (code, clock_us)
        if last is None or last[0] != code:
            return False
        return clock_us - last[1] <= self._settings.rearm_s * 1_000_000

    def _unreadable(self, line: Line, at_us: int, cause: str) -> None:
        self._trace.add(at_us, Way.IN, line.raw, cause, shown=_HIDDEN)
        self._tell(
            CardUnreadable(
                device=self.name,
                at_us=at_us,
                boot=self._boot,
                sequence=self._next(),
                cause=cause,
            )
        )

    def _next(self) -> int:
        self._sequence = (self._sequence + 1) % 65536
        return self._sequence

    # -- garbage ---------------------------------------------------------------------------------

    def _discard(self, garbage: Sequence[Garbage], at_us: int) -> None:
        for each in garbage:
            self._judged(each.raw.translate(_HIDE))
            count = len(each.raw)
            # A whole code may have lost its end only: not even its length is told.
            short = count <= LONGEST_PIECE
            told = "a piece" if short else f"{count} bytes"
            shown = _HIDDEN if short else None
            self._trace.add(at_us, Way.GARBAGE, each.raw, f"{told}, {each.why}", shown=shown)
            self._garbage += count
            self._noise += count
            if each.why in _PIECES:
                self._spoiled(at_us, f"{told} made no line ({each.why}): was it a card?")
            elif self._noise > GARBAGE_LIMIT:
                self._spoiled(
                    at_us,
                    f"{self._noise} bytes came and no line: check the line's speed, its cable, "
                    "and the reader's prefix and suffix",
                )

    def _spoiled(self, at_us: int, text: str) -> None:
        if self._garbage_fault:
            return
        self._garbage_fault = True
        self._tell(
            DeviceFault(device=self.name, at_us=at_us, code=DeviceFaultCode.GARBAGE, text=text)
        )

    def _sound(self, at_us: int) -> None:
        self._garbage_fault = False
        self._noise = 0
        self._tell(DeviceFaultCleared(device=self.name, at_us=at_us, code=DeviceFaultCode.GARBAGE))

    # -- outward ---------------------------------------------------------------------------------

    def _tell(self, observation: Observation) -> None:
        sink = self._sink
        if sink is not None:
            self._facts += 1
            sink(observation)

    def _tell_online(self) -> None:
        self._online = True
        self._tell(
            DeviceOnline(
                device=self.name,
                at_us=self._clock.now_us(),
                model="serial-text",
                firmware="",
                serial=self._settings.address.usb_serial,
                boot=self._boot,
                expected_serial=self._settings.identity,
            )
        )

    def _tested(self, at_us: int, *, passed: bool, text: str) -> None:
        self._tell(SelfTested(device=self.name, at_us=at_us, passed=passed, text=text))

    def _send(self, data: bytes, at_us: int) -> None:
        link = self._link
        if link is not None:
            if self._recorder is not None:
                self._recorder.add(Piece(at_us, Way.OUT, data))
            link.send(data)

    def _judged(self, safe: bytes) -> None:
        if self._recorder is not None:
            self._recorder.judged(safe)

    def _send_rates(self, now_s: float, at_us: int) -> None:
        sent_s, known = self._rates
        sink = self._sink
        if sink is None or self._bytes == known or now_s - sent_s < RATES_S:
            return
        self._rates = (now_s, self._bytes)
        sink(
            LinkRates(
                device=self.name,
                at_us=at_us,
                bytes=self._bytes,
                frames=self._lines,
                facts=self._facts,
                garbage=self._garbage,
                last_us=self._last_us,
            )
        )


def _why_unknown(code: bytes) -> str:
    """Why a line names no card; never what stood in it, half of it may be right."""
    if not code.isascii() or not code.decode("ascii").isprintable():
        return "the line is damaged"
    return "the code is not in the table"


def open_device(name: str, settings: Mapping[str, Any], clock: Clock) -> SerialText:
    """A device that is not started yet.

    Raises:
        SettingError: a `ValueError` with one sentence, if a setting or the table is wrong.
    """
    return SerialText(name, read_text_settings(name, settings), clock)


def simulate(settings: Mapping[str, Any], clock: Clock) -> SimulatedWire:
    """A simulated reader on a pseudo-terminal, with the look and the codes of these settings.

    Raises:
        SettingError: a `ValueError` with one sentence, if a setting or the table is wrong.
    """
    return SimulatedTextReader.from_settings(settings, clock)


DRIVER: Final = Driver(
    name="serial-text",
    summary="barcode readers and scanners that send one printed code a line",
    settings=(*SETTINGS, *SIMULATED),
    faults=FAULTS,
    open=open_device,
    simulate=simulate,
    numbered=False,
)
"""What the entry point `serial-text` gives."""
