"""The device's side of `cutcard-line` without I/O: what a real shoe's firmware keeps in mind."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from hardware.line_codec import HOST, KEPT, MODULUS, NO_BOOT, Message, after, encode

REPEAT_US: Final = 200_000
"""An unacknowledged frame is repeated so often …"""
REPEATS: Final = 5
"""… and so many times; then the next one has its turn."""
BEAT_US: Final = 1_000_000
"""A beat after so long without another frame."""


@dataclass(slots=True)
class Sent:
    """A frame that was made; `order` counts frames since power-up without wrapping."""

    order: int
    sequence: int
    kind: str
    data: bytes
    tries: int = 0
    next_us: int = 0
    settled: bool = False
    """Acknowledged, or of a kind that needs no acknowledgement any more."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """Bytes to send now; `first` when this frame goes out for the first time."""

    kind: str
    data: bytes
    first: bool


class LineDevice:
    """Frames out in order, one unacknowledged at a time. Used under the lock of its owner."""

    def __init__(self, *, device: str, boot: str, identity: tuple[str, str, str]) -> None:
        """Power up; `identity` is model, firmware and serial."""
        self.boot = boot
        self._device = device
        self._identity = identity
        self._made = 0
        self._kept: deque[Sent] = deque(maxlen=KEPT)
        self._queue: deque[Sent] = deque()
        self._at_once: list[Sent] = []
        self._spoke_us: int | None = None
        self._acknowledged = -1

    def emit(self, kind: str, *payload: str) -> int:
        """Make the next frame; its sequence number.

        Raises:
            ValueError: if the payload cannot be sent.
        """
        sequence = self._made % MODULUS
        message = Message(
            device=self._device, boot=self.boot, sequence=sequence, kind=kind, payload=payload
        )
        sent = Sent(self._made, sequence, kind, encode(message))
        self._made += 1
        self._kept.append(sent)
        if kind == "BEAT":
            sent.settled = True
            self._at_once.append(sent)
        elif kind == "HELLO":
            # An older greeting that nobody heard is worth nothing any more.
            for each in self._queue:
                each.settled = each.settled or each.kind == "HELLO"
                # Who asks has just come: what was not acknowledged has its turn right after this.
                each.next_us = 0
            self._queue.appendleft(sent)
        else:
            self._queue.append(sent)
        return sequence

    def greet(self) -> None:
        """Say who it is."""
        self.emit("HELLO", *self._identity)

    def receive(self, message: Message) -> str:
        """Take a frame of the host; give the command that the shoe itself must do, or nothing."""
        known = message.boot == self.boot or (message.boot == NO_BOOT and message.kind == "WHO")
        if message.device != HOST or not known:
            return ""
        match message.kind:
            case "ACK":
                self._settle(message.sequence)
            case "WHO":
                self.greet()
            case "RESEND":
                self._again(message.sequence)
            case _:
                return message.kind
        return ""

    def due(self, now_us: int) -> list[Outgoing]:
        """What is to be sent at this instant of the device's monotonic clock."""
        if self._spoke_us is None:
            self._spoke_us = now_us
        if now_us - self._spoke_us >= BEAT_US and not self._queue and not self._at_once:
            self.emit("BEAT")
        out = [Outgoing(each.kind, each.data, first=each.tries == 0) for each in self._at_once]
        for each in self._at_once:
            # It counts as one sending, so the queue does not send it at once a second time.
            each.tries = max(each.tries, 1)
            each.next_us = now_us + REPEAT_US
        self._at_once.clear()
        head = self._head(now_us)
        if head is not None:
            out.append(Outgoing(head.kind, head.data, first=head.tries == 0))
            head.tries += 1
            head.next_us = now_us + REPEAT_US
        if out:
            self._spoke_us = now_us
        return out

    def quiet(self) -> bool:
        """Whether every frame newer than the newest acknowledged one is acknowledged too.

        The host acknowledges in order, so what is older was heard, or given up by the host.
        """
        known = (*self._kept, *self._queue)
        return all(each.settled or each.order <= self._acknowledged for each in known)

    def _head(self, now_us: int) -> Sent | None:
        """The frame whose turn it is, if it is due now."""
        while self._queue:
            head = self._queue[0]
            if head.settled:
                self._queue.popleft()
            elif head.tries == 0 or now_us >= head.next_us:
                if head.tries <= REPEATS:
                    return head
                self._queue.popleft()
            else:
                return None
        return None

    def _settle(self, sequence: int) -> None:
        # More than are kept may wait if the dealer was quicker than the line.
        for each in (*self._kept, *self._queue):
            if each.sequence == sequence:
                each.settled = True
                self._acknowledged = max(self._acknowledged, each.order)

    def _again(self, sequence: int) -> None:
        """Send again from that frame on, as far as they are kept."""
        if sequence == after(self._made, 0):
            return
        oldest = self._kept[0].sequence
        skip = (sequence - oldest) % MODULUS
        kept = list(self._kept)
        self._at_once = kept[skip:] if skip < len(kept) else kept
