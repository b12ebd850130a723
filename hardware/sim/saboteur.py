"""Breaks what the simulated shoe sends, as the faults that are switched on say."""

import random
from collections.abc import Iterable
from typing import Final

from hardware.sim.faults import BURST_FRAMES, BURST_S, SILENCE_S, UNPLUG_S, ShoeFault
from hardware.sim.line_device import Outgoing

_LIMITS: Final = {ShoeFault.SILENCE: SILENCE_S, ShoeFault.UNPLUG: UNPLUG_S}


class Saboteur:
    """Knows which faults are on, since when, and what they do to bytes. Not thread-safe."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - noise, not a secret
        self._on: dict[ShoeFault, int | None] = {}
        self._held: list[bytes] = []
        self._held_since: int | None = None

    def switch(self, fault: ShoeFault, *, on: bool) -> None:
        """Switch a fault on (from the shoe's next look at its clock) or off."""
        if not on:
            self._on.pop(fault, None)
        elif fault not in self._on:
            self._on[fault] = None

    def has(self, fault: ShoeFault) -> bool:
        """Whether the fault is on."""
        return fault in self._on

    def spend(self, fault: ShoeFault) -> bool:
        """Whether the fault is on; if so it has done its work and is off now."""
        return self._on.pop(fault, 0) != 0

    def pass_time(self, now_us: int) -> None:
        """Switch off what has lasted long enough on the shoe's clock."""
        for fault, limit_s in _LIMITS.items():
            if fault in self._on:
                since = self._on[fault]
                if since is None:
                    self._on[fault] = now_us
                elif now_us - since >= limit_s * 1_000_000:
                    del self._on[fault]

    def spoil(self, outgoing: Iterable[Outgoing], now_us: int) -> list[bytes]:
        """The pieces of bytes that really go out, in order."""
        pieces: list[bytes] = []
        for frame in outgoing:
            pieces += self._burst(self._spoil_one(frame), frame.kind, now_us)
        if self._held and self._burst_is_over(now_us):
            pieces += self._release()
        return pieces

    def _spoil_one(self, frame: Outgoing) -> list[bytes]:
        data = frame.data
        if frame.first and frame.kind != "BEAT" and self.spend(ShoeFault.BAD_CHECKSUM):
            digit = b"0" if data[-2:-1] != b"0" else b"1"
            data = data[:-2] + digit + data[-1:]
        copies = [data] * (3 if self.has(ShoeFault.TRIPLE_SEND) else 1)
        if self.has(ShoeFault.NOISE):
            copies = [self._noise() + copy + self._noise() for copy in copies]
        if not self.has(ShoeFault.SPLIT_FRAME):
            return [b"".join(copies)]
        pieces = []
        for copy in copies:
            first, second = sorted(self._random.sample(range(1, len(copy)), 2))
            pieces += [copy[:first], copy[first:second], copy[second:]]
        return pieces

    def _burst(self, pieces: list[bytes], kind: str, now_us: int) -> list[bytes]:
        """Hold frames back once a burst has begun; a beat does not begin one."""
        if self._held_since is None:
            if kind == "BEAT" or not self.spend(ShoeFault.BURST):
                return pieces
            self._held_since = now_us
        self._held.append(b"".join(pieces))
        return []

    def _burst_is_over(self, now_us: int) -> bool:
        since = self._held_since
        return (
            since is None
            or len(self._held) >= BURST_FRAMES
            or now_us - since >= BURST_S * 1_000_000
        )

    def _release(self) -> list[bytes]:
        held, self._held, self._held_since = self._held, [], None
        return [b"".join(held)]

    def _noise(self) -> bytes:
        return self._random.randbytes(self._random.randint(1, 12))
