"""Bytes of a text reader to lines: an automaton without I/O that survives any split.

Every byte given to `TextParser.feed` ends in exactly one `Line`, in exactly one `Garbage`, or still
waits in the buffer. Nothing protects such a line but its own look: there is no check sum, so what
does not fit is never repaired, only told.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from hardware.framing import Garbage, Why

LONGEST: Final = 256
"""Greatest length of a line in bytes; no card code is nearly so long."""
_ENDS: Final = b"\r\n"


@dataclass(frozen=True, slots=True)
class Line:
    """One whole line: `code` is what stood between prefix and suffix."""

    code: bytes
    raw: bytes
    """All bytes of it."""


class TextParser:
    """Feed bytes in any pieces; get whole lines and explained garbage. Never blocks or raises."""

    def __init__(self, *, prefix: bytes = b"", suffix: bytes = b"") -> None:
        """Take what stands around each code; without a suffix CR, LF or both end a line."""
        self._prefix = prefix
        self._suffix = suffix
        self._buffer = bytearray()
        self._overrun = False

    @property
    def pending(self) -> int:
        """Bytes of a line that is not finished yet."""
        return len(self._buffer)

    def feed(self, chunk: bytes) -> Iterator[Line | Garbage]:
        """Take the next bytes; give what they complete, in order.

        Works through all of `chunk` only if the iterator is used up.
        """
        self._buffer += chunk
        while True:
            end, size = self._end()
            if 0 <= end <= LONGEST:
                yield from self._line(end, size)
            elif len(self._buffer) > LONGEST:
                self._overrun = True
                yield Garbage(self._take(LONGEST), Why.TOO_LONG)
            else:
                return

    def expire(self) -> tuple[Garbage, ...]:
        """Give up half a line; call it when the wire was silent for longer than a line takes."""
        self._overrun = False
        if not self._buffer:
            return ()
        begun = self._prefix in self._buffer
        return (Garbage(self._take(len(self._buffer)), Why.UNFINISHED if begun else Why.NOISE),)

    def _end(self) -> tuple[int, int]:
        """Where the first line ends and how many bytes end it; -1 if it does not end yet."""
        if self._suffix:
            return self._buffer.find(self._suffix), len(self._suffix)
        found = [at for at in (self._buffer.find(end) for end in _ENDS) if at >= 0]
        return min(found, default=-1), 1

    def _line(self, end: int, size: int) -> Iterator[Line | Garbage]:
        """Judge a finished line of so many bytes and its ending."""
        if self._overrun:
            self._overrun = False
            yield Garbage(self._take(end + size), Why.TOO_LONG)
            return
        body = bytes(self._buffer[:end])
        start = body.rfind(self._prefix) if self._prefix else 0
        if start < 0:
            raw = self._take(end + size)
            yield Line(b"", raw) if not body else Garbage(raw, Why.NOISE)
            return
        if start > 0:
            torn = self._prefix in body[:start]
            yield Garbage(self._take(start), Why.TORN if torn else Why.NOISE)
        raw = self._take(end - start + size)
        yield Line(body[start + len(self._prefix) :], raw)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken
