"""A shoe without a wire: it calls `report` itself, for tests that are about cards, not bytes.

It keeps the same contract as a real device (tests/contract/test_device_contract.py). Faults of the
wire that the real driver absorbs (split, noise, check sum, triple) have nothing to act on here.
"""

import secrets
import threading
from collections import deque
from collections.abc import Sequence

from hardware.line_codec import KEPT, MODULUS, Message, encode
from hardware.line_facts import fact
from hardware.line_mask import shown
from hardware.sim.faults import ShoeFault, parse_fault
from hardware.sim.magazine import Magazine
from hardware.sim.saboteur import Saboteur
from hardware.trace import NOTHING_KNOWN, Known, Trace, Way
from studio.domain.observations import DeviceOffline, DeviceOnline, Observation, SelfTested
from studio.live.ports import Clock, Report

_AWAY = {ShoeFault.SILENCE: "silent", ShoeFault.UNPLUG: "unplugged"}


class PlainShoe:
    """A device and the hands that work it in one. `report` is called on the caller's thread."""

    def __init__(self, name: str, clock: Clock, *, serial: str = "SN00417") -> None:
        """Build a shoe that is switched off."""
        self.name = name
        self._clock = clock
        self._serial = serial
        self._saboteur = Saboteur(0)
        self._magazine = Magazine(self._saboteur)
        self._trace = Trace()
        self._lock = threading.RLock()
        self._sink: Report | None = None
        self._boot = _new_boot()
        self._told_boot = ""
        self._made = 0
        self._held: deque[Message] = deque(maxlen=KEPT)
        self._online = False

    # -- the device ------------------------------------------------------------------------------

    def start(self, report: Report) -> None:
        """Report from now on."""
        with self._lock:
            self._sink = report
            self._greet()

    def stop(self) -> None:
        """Report nothing more."""
        with self._lock:
            self._sink = None

    def command(self, word: str) -> None:
        """Do as a shoe does for ``LOCK``, ``UNLOCK``, ``TEST`` and ``WHO``."""
        with self._lock:
            if not self._online:
                if word == "TEST":
                    self._tell(_away(self.name, self._clock.now_us()))
                return
            match word:
                case "LOCK" | "UNLOCK":
                    self._magazine.locked = word == "LOCK"
                    self._emit(f"{word}ED")
                case "TEST":
                    self._emit("TESTED", "PASS", "test card read")
                case "WHO":
                    self._greet()
                case _:
                    pass

    def frames(self, known: Known = NOTHING_KNOWN) -> Sequence[str]:
        """The last 200 frames as the wire would have carried them, without cards."""
        return self._trace.lines(known)

    # -- the hands -------------------------------------------------------------------------------

    def load(self, cards: Sequence[str]) -> None:
        """Put cards into the shoe, first to come out first; ``CUT`` for the cut card.

        Raises:
            ValueError: naming the first code that is neither a card nor ``CUT``.
        """
        with self._lock:
            for words in self._magazine.load(cards):
                self._emit(*words)

    def unload(self) -> Sequence[str]:
        """Lift all cards out by the lid, past the reader; what was inside."""
        with self._lock:
            return self._magazine.unload()

    def draw(self, *, reads_as: str | None = None) -> str:
        """Slide one card out; the code of what came out, empty if nothing did.

        Raises:
            ValueError: if `reads_as` is neither a card nor ``??``.
        """
        with self._lock:
            code, reports = self._magazine.draw(reads_as)
            for words in reports:
                self._emit(*words)
            return code

    def remaining(self) -> Sequence[str]:
        """What is still in the shoe, in order of coming out."""
        with self._lock:
            return self._magazine.remaining

    def switch(self, fault: str, *, on: bool = True) -> None:
        """Switch a fault on or off.

        Raises:
            ValueError: if the fault is not one of a shoe's.
        """
        which = parse_fault(fault)
        with self._lock:
            self._saboteur.switch(which, on=on)
            away = [words for each, words in _AWAY.items() if self._saboteur.has(each)]
            if away and self._online:
                self._online = False
                self._tell(
                    DeviceOffline(device=self.name, at_us=self._clock.now_us(), reason=away[0])
                )
            elif not away and not self._online:
                self._greet()

    def power_cycle(self) -> None:
        """Switch off and on: a new boot id, and what was not reported is forgotten."""
        with self._lock:
            self._boot = _new_boot()
            self._made = 0
            self._held.clear()
            if self._online:
                self._greet()

    def quiet(self, timeout_s: float) -> bool:  # noqa: ARG002 - as a real wire's hands have it
        """Whether all was reported; there is nothing to wait for."""
        with self._lock:
            return not self._held

    # -- inside ----------------------------------------------------------------------------------

    def _greet(self) -> None:
        if self._sink is None:
            return
        self._online = True
        told, self._told_boot = self._told_boot, self._boot
        self._tell(
            DeviceOnline(
                device=self.name,
                at_us=self._clock.now_us(),
                model="plain",
                firmware="0",
                serial=self._serial,
                boot=self._boot,
                rebooted=bool(told) and told != self._boot,
            )
        )
        while self._held:
            self._pass_on(self._held.popleft())

    def _emit(self, kind: str, *payload: str) -> None:
        message = Message(
            device=self.name,
            boot=self._boot,
            sequence=self._made % MODULUS,
            kind=kind,
            payload=payload,
        )
        self._made += 1
        if self._online:
            self._pass_on(message)
        else:
            self._held.append(message)

    def _pass_on(self, message: Message) -> None:
        at_us = self._clock.now_us()
        raw = encode(message)
        self._trace.add(at_us, Way.IN, raw, shown=shown(raw[1:].rpartition(b"*")[0], raw))
        observation = fact(self.name, message, at_us)
        if observation is not None:
            self._tell(observation)

    def _tell(self, observation: Observation) -> None:
        if self._sink is not None:
            self._sink(observation)


def _new_boot() -> str:
    return secrets.token_hex(4).upper()


def _away(name: str, at_us: int) -> SelfTested:
    """The answer to a test where no shoe is."""
    text = "the device is not there: plug it in and test again"
    return SelfTested(device=name, at_us=at_us, passed=False, text=text)
