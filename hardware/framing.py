"""Bytes to lines: an automaton without I/O that survives any split and any noise.

Every byte given to `FrameParser.feed` ends in exactly one `Frame`, in exactly one `Garbage`, or
still waits in the buffer. A start mark always begins anew, so noise before a frame never costs it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hardware.checks import crc16_ccitt_false

START: Final = b"$"
"""First byte of a frame; appears nowhere else in one."""
LONGEST: Final = 120
"""Greatest length of a frame in bytes, from ``$`` to the last digit of the check sum."""
_LINE_END: Final = 2
_LF: Final = 0x0A
_CR: Final = 0x0D
_PRINTABLE: Final = range(0x20, 0x7F)
_CRC_DIGITS: Final = b"0123456789ABCDEF"
_TAIL: Final = 5


class Why(StrEnum):
    """Why bytes made no frame."""

    NOISE = "noise"
    """Bytes outside a frame, or a byte inside one that no frame may hold."""
    TORN = "torn"
    """A frame that another one interrupted."""
    TOO_LONG = "too long"
    """No line end within the greatest length."""
    MALFORMED = "malformed"
    """A line that has no check sum in the right place."""
    CHECKSUM = "check sum"
    """A line whose check sum does not agree with its text."""
    UNFINISHED = "unfinished"
    """The first part of a frame whose rest never came."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A whole line with a right check sum: `body` is the text between ``$`` and ``*``."""

    body: bytes
    raw: bytes
    """All bytes of it, with the line end."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes that made no frame, and why."""

    raw: bytes
    why: Why


class FrameParser:
    """Feed bytes in any pieces; get whole frames and explained garbage. Never blocks or raises."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._seen = 0
        """Bytes of the buffer already looked at, so that each is looked at once."""

    @property
    def pending(self) -> int:
        """Bytes of a frame that is not finished yet."""
        return len(self._buffer)

    def feed(self, chunk: bytes) -> Iterator[Frame | Garbage]:
        """Take the next bytes; give what they complete, in order.

        Works through all of `chunk` only if the iterator is used up.
        """
        self._buffer += chunk
        while self._seen < len(self._buffer):
            if self._buffer[:1] != START:
                start = self._buffer.find(START)
                yield self._drop(start if start >= 0 else len(self._buffer), Why.NOISE)
                continue
            found = self._look()
            if found is not None:
                yield found

    def expire(self) -> tuple[Garbage, ...]:
        """Give up half a frame; call it when the line was silent for longer than a frame takes."""
        return (self._drop(len(self._buffer), Why.UNFINISHED),) if self._buffer else ()

    def _look(self) -> Frame | Garbage | None:
        """Go on to the next byte that decides; None when the buffer holds no such byte yet."""
        buffer = self._buffer
        for at in range(max(self._seen, 1), len(buffer)):
            byte = buffer[at]
            if byte == _LF:
                return self._line(at + 1)
            if byte == START[0]:
                return self._drop(at, Why.TORN)
            if byte not in _PRINTABLE and byte != _CR:
                return self._drop(at + 1, Why.NOISE)
            if at >= LONGEST + _LINE_END - 1:
                return self._drop(at + 1, Why.TOO_LONG)
        self._seen = len(buffer)
        return None

    def _line(self, end: int) -> Frame | Garbage:
        """Judge a finished line of so many bytes."""
        text = bytes(self._buffer[1 : end - 1]).removesuffix(b"\r")
        body, tail = text[:-_TAIL], text[-_TAIL:]
        digits = tail[1:]
        if len(tail) < _TAIL or tail[:1] != b"*" or b"*" in body or b"\r" in body:
            return self._drop(end, Why.MALFORMED)
        if len(text) + len(START) > LONGEST or any(digit not in _CRC_DIGITS for digit in digits):
            return self._drop(end, Why.MALFORMED)
        if crc16_ccitt_false(body) != int(digits, 16):
            return self._drop(end, Why.CHECKSUM)
        return Frame(body, self._take(end))

    def _drop(self, count: int, why: Why) -> Garbage:
        return Garbage(self._take(count), why)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        self._seen = 0
        return taken
