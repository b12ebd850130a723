"""The studio's side of `cutcard-line`: frames in, observations and answers out, no I/O.

Facts are reported in the order of their sequence, each once. A frame beyond a gap waits until the
gap is filled; only what the device cannot send again is reported as missing.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from hardware.line_codec import HOST, KEPT, MODULUS, NO_BOOT, Message, after, encode
from hardware.line_facts import fact
from studio.domain.observations import (
    DeviceOffline,
    DeviceOnline,
    SelfTested,
    SequenceGap,
    WireObservation,
)

log = logging.getLogger(__name__)

PROBE_S: Final = 0.3
"""A device answers `WHO` within this time, in real seconds."""
PROBES: Final = 3
"""So many `WHO` in a row without an answer mean that it is lost; one may fall to noise."""
ASK_S: Final = 1.0
"""`WHO` is asked again so often while a device does not greet, in real seconds."""
REFILL_S: Final = 0.4
"""Time for the device to go on filling a gap, in real seconds; 64 frames take 0.35 s at most."""
REFILLS: Final = 3
"""So often is a gap asked for before it is reported."""
_BACKWARD: Final = MODULUS // 2


@dataclass(slots=True)
class _Refill:
    """An open gap: when to ask again and how often it was asked."""

    deadline_s: float
    asked: int = 1


class LineSession:
    """What the studio knows of one device, over all its connections.

    Used on the device's thread only. `now_s` is real monotonic time in seconds, `at_us` UTC in
    microseconds, `clock_us` the table's monotonic clock in microseconds. `send` may raise; what
    was reported before is then remembered, and the device's repeat is answered.
    """

    def __init__(
        self,
        *,
        name: str,
        report: Callable[[WireObservation], None],
        send: Callable[[bytes], None],
        expected_serial: str = "",
        known: tuple[str, int] | None = None,
        silence_s: float = 3.0,
    ) -> None:
        """Take what the journal knows as `known`: boot id and last sequence."""
        self._name = name
        self._report = report
        self._send = send
        self._expected_serial = expected_serial
        self._silence_us = round(silence_s * 1_000_000)
        self._boot, self._last = known or ("", 0)
        self._wire_name = ""
        self._greeted = False
        self._online: bool | None = None
        self._remembered: dict[int, Message] = {}
        self._waiting: dict[int, tuple[Message, int]] = {}
        self._refill: _Refill | None = None
        self._counter = 0
        self._asked_s = float("-inf")
        self._probes = 0
        self._answer_due = False
        self._life_us = 0
        self._since_s = 0.0

    @property
    def online(self) -> bool:
        """Whether the device is known to be there."""
        return self._online is True

    def opened(self, *, now_s: float, clock_us: int) -> None:
        """The port was opened: ask who is there."""
        self._greeted = False
        self._probes = 0
        self._life_us = clock_us
        self._since_s = now_s
        self._who(now_s)

    def lost(self, reason: str, at_us: int) -> None:
        """The device is gone; said once until it is back."""
        self._greeted = False
        self._refill = None
        self._waiting.clear()
        if self._online is not False:
            self._online = False
            self._report(DeviceOffline(device=self._name, at_us=at_us, reason=reason))

    def command(self, word: str, now_s: float, at_us: int = 0) -> None:
        """Send a command of the host; `WHO` is answered with `DeviceOnline` in any case."""
        if word == "WHO":
            self._answer_due = True
            self._who(now_s)
        elif self._greeted:
            self._say(word, self._boot, self._count())
        else:
            log.warning("command_dropped device=%s command=%s: not connected", self._name, word)
            if word == "TEST":
                text = "the device is not there: plug it in and test again"
                self._report(SelfTested(device=self._name, at_us=at_us, passed=False, text=text))

    def silent_s(self, now_s: float) -> float:
        """Real seconds since the last frame, or since the port was opened."""
        return now_s - self._since_s

    def heard(self, message: Message, *, at_us: int, now_s: float, clock_us: int) -> None:
        """Take one frame with a right check sum."""
        if message.device == HOST:
            return  # our own words, echoed by a half-duplex adapter
        self._life_us, self._since_s, self._probes = clock_us, now_s, 0
        if message.kind == "HELLO":
            self._hello(message, at_us)
        elif not self._greeted or (message.device, message.boot) != (self._wire_name, self._boot):
            # Nothing is a fact before the device said who it is; it will be asked for again.
            if now_s - self._asked_s >= PROBE_S:
                self._who(now_s)
            return
        self._arrive(message, at_us, now_s)

    def tick(self, *, at_us: int, now_s: float, clock_us: int) -> None:
        """Look at both clocks: ask again, give up a gap, notice silence."""
        if self._refill is not None and now_s >= self._refill.deadline_s:
            self._refill_again(at_us, now_s)
        if not self._greeted:
            if now_s - self._asked_s >= ASK_S:
                self._who(now_s)
            if self._online is not False and self.silent_s(now_s) > self._silence_us / 1e6:
                self.lost("the device does not answer: check its power, speed and cable", at_us)
        elif clock_us - self._life_us > self._silence_us and now_s - self._asked_s >= PROBE_S:
            # A clock moved by hand may leap: the device gets its chance to answer first.
            if self._probes < PROBES:
                self._probes += 1
                self._who(now_s)
            else:
                silent = (clock_us - self._life_us) / 1_000_000
                self.lost(
                    f"silent for {silent:.1f} s and no answer to WHO: switched off, hung, "
                    "or a second program reads the port",
                    at_us,
                )

    # -- greeting ------------------------------------------------------------------------------

    def _hello(self, message: Message, at_us: int) -> None:
        same = message.boot == self._boot
        rebooted = bool(self._boot) and not same
        if not same:
            self._boot = message.boot
            self._last = after(message.sequence, -1)
            self._remembered.clear()
            self._waiting.clear()
            self._refill = None
        news = not self._greeted or not same or self._answer_due
        self._wire_name = message.device
        self._greeted, self._online, self._answer_due = True, True, False
        if news:
            self._report(
                DeviceOnline(
                    device=self._name,
                    at_us=at_us,
                    model=message.field(0),
                    firmware=message.field(1),
                    serial=message.field(2),
                    boot=message.boot,
                    rebooted=rebooted,
                    expected_serial=self._expected_serial,
                )
            )

    def _who(self, now_s: float) -> None:
        self._asked_s = now_s
        self._say("WHO", NO_BOOT, self._count())

    def _count(self) -> int:
        number, self._counter = self._counter, after(self._counter)
        return number

    def _say(self, kind: str, boot: str, number: int) -> None:
        self._send(encode(Message(device=HOST, boot=boot, sequence=number, kind=kind)))

    # -- sequence ------------------------------------------------------------------------------

    def _arrive(self, message: Message, at_us: int, now_s: float) -> None:
        ahead = (message.sequence - self._last) % MODULUS
        if ahead == 0 or ahead >= _BACKWARD:
            self._behind(message, at_us)
        elif ahead == 1:
            self._accept(message, at_us)
            while (held := self._waiting.pop(after(self._last), None)) is not None:
                self._accept(*held)
            if self._refill is not None:
                self._refill = _Refill(now_s + REFILL_S) if self._waiting else None
        else:
            self._waiting[message.sequence] = (message, at_us)
            if self._refill is None:
                self._refill = _Refill(now_s + REFILL_S)
                self._say("RESEND", self._boot, after(self._last))

    def _accept(self, message: Message, at_us: int) -> None:
        """Report the next fact in order, then acknowledge it."""
        observation = fact(self._name, message, at_us)
        if observation is not None:
            self._report(observation)
        self._last = message.sequence
        self._remembered[message.sequence] = message
        if len(self._remembered) > 2 * KEPT:
            del self._remembered[next(iter(self._remembered))]
        self._acknowledge(message)

    def _acknowledge(self, message: Message) -> None:
        if message.kind != "BEAT":
            self._say("ACK", self._boot, message.sequence)

    def _behind(self, message: Message, at_us: int) -> None:
        """A repeat of a known fact, or a count that went backwards without a new boot."""
        known = self._remembered.get(message.sequence)
        steps = (self._last - message.sequence) % MODULUS
        if known == message or (known is None and steps <= KEPT):
            if known is None:
                # From before the greeting that started the count: no fact for this table.
                log.info("frame_too_old device=%s sequence=%d", self._name, message.sequence)
            self._acknowledge(message)
            return
        self._gap(after(self._last), message.sequence, at_us)
        self._remembered.clear()
        self._waiting.clear()
        self._refill = None
        self._accept(message, at_us)

    def _refill_again(self, at_us: int, now_s: float) -> None:
        refill = self._refill
        if refill is not None and refill.asked < REFILLS:
            self._refill = _Refill(now_s + REFILL_S, refill.asked + 1)
            self._say("RESEND", self._boot, after(self._last))
            return
        self._refill = None
        order = sorted(self._waiting, key=lambda seq: (seq - self._last) % MODULUS)
        for sequence in order:
            if sequence != after(self._last):
                self._missing(after(self._last), after(sequence, -1), at_us)
            self._accept(*self._waiting.pop(sequence))

    def _missing(self, first: int, last: int, at_us: int) -> None:
        """Report a gap; one that goes over the wrap as two, since `last` < `first` means more."""
        if last < first:
            self._gap(first, MODULUS - 1, at_us)
            first = 0
        self._gap(first, last, at_us)

    def _gap(self, first: int, last: int, at_us: int) -> None:
        self._report(
            SequenceGap(device=self._name, at_us=at_us, boot=self._boot, first=first, last=last)
        )
