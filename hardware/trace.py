"""What went over a wire: the last 200 frames for people, and all bytes for playing again.

A recording is JSON lines, ``{"at_us":…,"way":"<","hex":"…"}``, one for each piece of bytes as it
was read or written, so that splits and noise are kept.
"""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Final, TextIO

KEPT_FRAMES: Final = 200
"""So many lines are kept for a fault's evidence."""
_PRINTABLE: Final = range(0x20, 0x7F)
_BACKSLASH: Final = 0x5C


class Way(StrEnum):
    """Direction of bytes, seen from the studio."""

    IN = "<"
    OUT = ">"
    GARBAGE = "!"
    """Came in and made no frame; only in the lines for people."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes as they were read or written at once; `at_us` is UTC in microseconds."""

    at_us: int
    way: Way
    data: bytes


def printable(data: bytes) -> str:
    """Show bytes in one line: text as it is, line ends left out, all else as hexadecimal."""
    text = data.rstrip(b"\r\n")
    return "".join(chr(b) if b in _PRINTABLE and b != _BACKSLASH else f"\\x{b:02X}" for b in text)


def instant(at_us: int) -> str:
    """RFC 3339 in UTC with microseconds."""
    whole, rest = divmod(at_us, 1_000_000)
    moment = datetime.fromtimestamp(whole, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:06d}Z"


class Trace:
    """Keeps the newest frames; any thread may read them while the device's thread adds."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT_FRAMES)
        self._lock = Lock()

    def add(self, at_us: int, way: Way, data: bytes, note: str = "") -> None:
        """Keep one frame, or a piece of garbage with the reason in `note`."""
        tail = f"  ({note})" if note else ""
        with self._lock:
            self._lines.append(f"{instant(at_us)} {way} {printable(data)}{tail}")

    def lines(self) -> tuple[str, ...]:
        """The newest frames, oldest first."""
        with self._lock:
            return tuple(self._lines)


class Recorder:
    """Writes all bytes of a wire to a file; used on the device's thread only.

    A full or broken disk ends the recording with one note in `trouble`, never the wire.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None
        self.trouble = ""
        """Why nothing is recorded any more; empty while all is well."""

    def add(self, piece: Piece) -> None:
        """Append one piece."""
        if self.trouble:
            return
        line = {"at_us": piece.at_us, "way": piece.way, "hex": piece.data.hex()}
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="ascii", buffering=1)
            self._file.write(json.dumps(line) + "\n")
        except OSError as trouble:
            self.trouble = f"the recording {self._path} cannot be written: {trouble.strerror}"
            self.close()

    def close(self) -> None:
        """End the file."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as trouble:
                self.trouble = f"the recording {self._path} was cut short: {trouble.strerror}"


def recorded(path: Path) -> Iterator[Piece]:
    """Play a recording: its pieces in order.

    Raises:
        OSError: if the file cannot be read.
        ValueError: naming the line that is not a piece of a recording.
    """
    with path.open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
                piece = Piece(int(entry["at_us"]), Way(entry["way"]), bytes.fromhex(entry["hex"]))
            except (ValueError, KeyError, TypeError):
                text = f"{path}, line {number}: not a piece of a recording made by this program"
                raise ValueError(text) from None
            yield piece
