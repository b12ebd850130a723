"""The words of `cutcard-line`, version 1: text of a frame to values and back.

The protocol is described for builders of shoes in docs/manual/cutcard-line.md.
"""

import re
from dataclasses import dataclass
from typing import Final

from hardware.checks import crc16_ccitt_false
from hardware.framing import LONGEST

MODULUS: Final = 65536
"""The sequence goes from 0 to 65535 and then on from 0."""
KEPT: Final = 64
"""So many of its last frames a device keeps for `RESEND`."""
HOST: Final = "host"
"""Name of the studio's side."""
NO_BOOT: Final = "00000000"
"""Boot id in a frame of the host that does not know the device yet; good for `WHO` only."""

_HEAD: Final = re.compile(r"CL1,([A-Za-z0-9-]{1,16}),([0-9A-Fa-f]{8}),([0-9]{1,5}),([A-Z]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One frame's content. `kind` is kept as text: unknown ones are counted and ignored."""

    device: str
    boot: str
    sequence: int
    kind: str
    payload: tuple[str, ...] = ()

    def field(self, index: int) -> str:
        """The payload's part of that number, from 0; empty if the frame has none."""
        return self.payload[index] if index < len(self.payload) else ""


def after(sequence: int, steps: int = 1) -> int:
    """The sequence number so many steps later, round the wrap."""
    return (sequence + steps) % MODULUS


def decode(body: bytes) -> Message:
    """Read the text between ``$`` and ``*``.

    Raises:
        ValueError: with a sentence, if it is not version 1 of this protocol.
    """
    text = body.decode("ascii", "replace")
    head = _HEAD.match(text)
    rest = text[head.end() :] if head else ""
    if head is None or (rest and not rest.startswith(",")) or int(head[3]) >= MODULUS:
        raise ValueError(f"{text!r} is no frame of cutcard-line version 1")
    payload = tuple(rest[1:].split(",")) if rest else ()
    return Message(
        device=head[1], boot=head[2], sequence=int(head[3]), kind=head[4], payload=payload
    )


def encode(message: Message) -> bytes:
    """Write a frame with its check sum and line feed.

    Raises:
        ValueError: if a part holds a character that the protocol forbids, or it is too long.
    """
    parts = ("CL1", message.device, message.boot, str(message.sequence), message.kind)
    for part in message.payload:
        if not all(" " <= sign <= "~" and sign not in ",*$" for sign in part):
            raise ValueError(f"{part!r} cannot be sent: use printable ASCII without , * and $")
    body = ",".join((*parts, *message.payload)).encode("ascii")
    frame = b"$%b*%04X" % (body, crc16_ccitt_false(body))
    if len(frame) > LONGEST:
        raise ValueError(f"the frame has {len(frame)} bytes; at most {LONGEST} are allowed")
    return frame + b"\n"
