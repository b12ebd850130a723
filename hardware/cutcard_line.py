"""The driver of `cutcard-line`: shoes and readers that speak our open line protocol.

The protocol is in docs/manual/cutcard-line.md. What a frame means is decided in `line_session`;
here the pieces are joined to one device with one thread.
"""

import queue
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardware.errors import PortLostError
from hardware.framing import FrameParser, Garbage
from hardware.line_codec import decode
from hardware.line_mask import recordable, shown
from hardware.line_session import LineSession
from hardware.link import Link
from hardware.settings import SETTINGS, SIMULATED, WireSettings, read_settings
from hardware.sim.faults import FAULTS
from hardware.sim.shoe import SimulatedShoe
from hardware.trace import NOTHING_KNOWN, Known, Piece, Recorder, Trace, Way, blurred
from studio.domain.observations import (
    DeviceFault,
    DeviceFaultCleared,
    DeviceFaultCode,
    LinkRates,
    Observation,
)
from studio.live.ports import Clock, Driver, Report, SimulatedWire

COMMANDS: Final = frozenset({"LOCK", "UNLOCK", "TEST", "WHO"})
"""What the studio may tell a shoe."""
UNFINISHED_S: Final = 0.5
"""Half a frame is given up after so long without a byte, in real seconds; all of it takes 11 ms."""
GARBAGE_LIMIT: Final = 512
"""So many bytes without one whole frame between them are a fault of their own."""
REOPEN_S: Final = 5.0
"""A device that is open and silent for so long has its port closed and opened again."""
RATES_S: Final = 1.0
"""`LinkRates` are sent at most so often, in real seconds."""


class CutcardLine:
    """One device on a line.

    `start`, `stop`, `command` and `frames` may be called from any thread; everything else happens
    on the link's thread.
    """

    def __init__(self, name: str, settings: WireSettings, clock: Clock) -> None:
        self.name = name
        self._settings = settings
        self._clock = clock
        self._trace = Trace()
        self._recorder = Recorder(settings.trace) if settings.trace else None
        self._parser = FrameParser()
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._sink: Report | None = None
        self._link: Link | None = None
        self._byte_s = 0.0
        self._bytes = self._frames = self._facts = self._garbage = 0
        self._run_of_garbage = 0
        self._garbage_fault = False
        self._last_us = 0
        self._rates: tuple[float, int] = (float("-inf"), 0)
        self._session = LineSession(
            name=name,
            report=self._tell,
            send=self._send,
            expected_serial=settings.identity,
            known=settings.known,
            silence_s=settings.silence_s,
        )

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
        """Send ``LOCK``, ``UNLOCK``, ``TEST`` or ``WHO``; unknown words are ignored.

        ``WHO`` also tries a lost port at once, and is answered by `DeviceOnline`.
        """
        link = self._link
        if word in COMMANDS and link is not None:
            self._commands.put(word)
            link.wake()

    def frames(self, known: Known = NOTHING_KNOWN) -> Sequence[str]:
        """The last 200 frames, oldest first, one printable line each with direction and instant.

        A card stands in them only where `known` has that very report with that very card.
        """
        return self._trace.lines(known)

    # -- called by the link, on its thread ------------------------------------------------------

    def opened(self) -> None:
        """Ask who is there; half a frame of the old connection is worth nothing."""
        self._discard(self._parser.expire(), self._clock.now_us())
        self._byte_s = time.monotonic()
        self._session.opened(now_s=self._byte_s, clock_us=self._clock.monotonic_us())
        # What was asked while the device was away is answered before it has said a word.
        self._obey(self._byte_s, self._clock.now_us())

    def received(self, chunk: bytes) -> bool:
        """Take bytes from the port; whether a whole frame was among them."""
        before = self._frames
        at_us = self._clock.now_us()
        self._byte_s = time.monotonic()
        self._bytes += len(chunk)
        self._last_us = at_us
        if self._recorder is not None:
            self._recorder.add(Piece(at_us, Way.IN, chunk))
        for found in self._parser.feed(chunk):
            if isinstance(found, Garbage):
                self._discard((found,), at_us)
                continue
            try:
                message = decode(found.body)
            except ValueError:
                self._judged(blurred(found.raw))
                self._trace.add(at_us, Way.GARBAGE, found.raw, "no frame of version 1")
                self._spoiled(len(found.raw), at_us)
                continue
            self._judged(recordable(found.body, found.raw))
            self._trace.add(at_us, Way.IN, found.raw, shown=shown(found.body, found.raw))
            self._frames += 1
            self._clean(at_us)
            self._session.heard(
                message,
                at_us=at_us,
                now_s=self._byte_s,
                clock_us=self._clock.monotonic_us(),
            )
        return self._frames > before

    def tick(self) -> None:
        """Look at the clocks and at what the table wants said.

        Raises:
            PortLostError: when an open port has been silent for too long.
        """
        now_s, at_us = time.monotonic(), self._clock.now_us()
        if self._parser.pending and now_s - self._byte_s > UNFINISHED_S:
            self._discard(self._parser.expire(), at_us)
        self._obey(now_s, at_us)
        self._session.tick(at_us=at_us, now_s=now_s, clock_us=self._clock.monotonic_us())
        self._send_rates(now_s, at_us)
        silent_s = self._session.silent_s(now_s)
        if not self._session.online and silent_s > max(REOPEN_S, self._settings.silence_s):
            port = self._settings.address.url or self._settings.address.usb_serial
            raise PortLostError(
                f"port {port} is open and the device silent: unplug it and plug it in again",
                device=self.name,
                port=port,
            )

    def lost(self, reason: str) -> None:
        """The port is gone or did not open."""
        self._session.lost(reason, self._clock.now_us())

    # -- outward ---------------------------------------------------------------------------------

    def _tell(self, observation: Observation) -> None:
        sink = self._sink
        if sink is not None:
            self._facts += 1
            sink(observation)

    def _send(self, data: bytes) -> None:
        link = self._link
        if link is None:
            return
        at_us = self._clock.now_us()
        self._trace.add(at_us, Way.OUT, data)
        if self._recorder is not None:
            self._recorder.add(Piece(at_us, Way.OUT, data))
        link.send(data)

    def _discard(self, garbage: Sequence[Garbage], at_us: int) -> None:
        for each in garbage:
            self._judged(blurred(each.raw))
            self._trace.add(at_us, Way.GARBAGE, each.raw, f"{len(each.raw)} bytes, {each.why}")
            self._spoiled(len(each.raw), at_us)

    def _judged(self, safe: bytes) -> None:
        """Let the recording have the next bytes that came in, without their card."""
        if self._recorder is not None:
            self._recorder.judged(safe)

    def _spoiled(self, count: int, at_us: int) -> None:
        """Count bytes that made no frame; a long run of them means a wrong speed or device."""
        self._garbage += count
        self._run_of_garbage += count
        if self._run_of_garbage > GARBAGE_LIMIT and not self._garbage_fault:
            self._garbage_fault = True
            text = (
                f"{self._run_of_garbage} bytes came and no whole frame: check the line's speed, "
                "its cable, and that this is a cutcard-line device"
            )
            self._tell(
                DeviceFault(device=self.name, at_us=at_us, code=DeviceFaultCode.GARBAGE, text=text)
            )

    def _clean(self, at_us: int) -> None:
        """A whole frame came: the run of garbage is over."""
        self._run_of_garbage = 0
        if self._garbage_fault:
            self._garbage_fault = False
            self._tell(
                DeviceFaultCleared(device=self.name, at_us=at_us, code=DeviceFaultCode.GARBAGE)
            )

    def _obey(self, now_s: float, at_us: int) -> None:
        """Give the session what the studio has asked for since."""
        while not self._commands.empty():
            self._session.command(self._commands.get(), now_s, at_us)

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
                frames=self._frames,
                facts=self._facts,
                garbage=self._garbage,
                last_us=self._last_us,
            )
        )


def open_device(name: str, settings: Mapping[str, Any], clock: Clock) -> CutcardLine:
    """A device that is not started yet.

    Raises:
        SettingError: a `ValueError` with one sentence, if a setting is wrong.
    """
    return CutcardLine(name, read_settings(name, settings), clock)


def simulate(settings: Mapping[str, Any], clock: Clock) -> SimulatedWire:
    """A simulated shoe on a pseudo-terminal; its settings are `SIMULATED` and `identity`.

    Raises:
        SettingError: a `ValueError` with one sentence, if a setting is wrong.
    """
    return SimulatedShoe.from_settings(settings, clock)


DRIVER: Final = Driver(
    name="cutcard-line",
    summary="card shoes and readers that speak the open protocol of docs/manual/cutcard-line.md",
    settings=(*SETTINGS, *SIMULATED),
    faults=FAULTS,
    open=open_device,
    simulate=simulate,
)
"""What the entry point `cutcard-line` gives."""
