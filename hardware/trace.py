"""What went over a wire: the last 200 frames for people, and all bytes for playing again.

A recording is JSON lines, ``{"at_us":…,"way":"<","hex":"…"}``, one for each piece of bytes as it
was read or written, so that splits and noise are kept.

Neither holds a card that nobody may know yet (DESIGN.md 7): what came in is hidden unless its
driver says how it may be shown, and a card in it is shown only to who knows that report already.
"""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from threading import Lock
from typing import Final, TextIO

KEPT_FRAMES: Final = 200
"""So many lines are kept for a fault's evidence."""
MOST_WAITING: Final = 4096
"""Bytes that a recording waits for their meaning; older ones are recorded as hidden."""
_PRINTABLE: Final = range(0x20, 0x7F)
_BACKSLASH: Final = 0x5C
_HIDE: Final = bytes(byte if byte in b"$,*\r\n" else ord("x") for byte in range(256))

Known = Mapping[tuple[str, int], str]
"""Code of the card by (boot, sequence), for the reports that the journal holds in the open."""
NOTHING_KNOWN: Final[Known] = {}


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


def blurred(data: bytes) -> bytes:
    """Hide all of it but the marks that show its build: a damaged piece may hold half a card.

    A byte with one wrong bit, or read at seven bits instead of eight, still gives a card away.
    """
    return data.translate(_HIDE)


@dataclass(frozen=True, slots=True)
class Shown:
    """How bytes that came in may be shown."""

    text: str
    """Without the card."""
    key: tuple[str, int] | None = None
    """(boot, sequence) of the report that names the card; None if the line is never shown whole."""
    card: str = ""
    """The card as the line has it; who knows this report with this card may see the line whole."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One kept line."""

    head: str
    tail: str
    data: bytes
    shown: Shown

    def text(self, known: Known) -> str:
        key = self.shown.key
        whole = key is not None and known.get(key) == self.shown.card
        return f"{self.head}{printable(self.data) if whole else self.shown.text}{self.tail}"


def instant(at_us: int) -> str:
    """RFC 3339 in UTC with microseconds."""
    whole, rest = divmod(at_us, 1_000_000)
    moment = datetime.fromtimestamp(whole, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{rest:06d}Z"


class Trace:
    """Keeps the newest frames; any thread may read them while the device's thread adds."""

    def __init__(self) -> None:
        self._lines: deque[_Line] = deque(maxlen=KEPT_FRAMES)
        self._lock = Lock()

    def add(
        self, at_us: int, way: Way, data: bytes, note: str = "", *, shown: Shown | None = None
    ) -> None:
        """Keep one frame, or a piece of garbage with the reason in `note`.

        What came in is hidden altogether unless `shown` says what of it may be seen.
        """
        if shown is None:
            shown = Shown(printable(data if way is Way.OUT else blurred(data)))
        tail = f"  ({note})" if note else ""
        with self._lock:
            self._lines.append(_Line(f"{instant(at_us)} {way} ", tail, data, shown))

    def lines(self, known: Known = NOTHING_KNOWN) -> tuple[str, ...]:
        """The newest frames, oldest first; whole where the card of the report is known."""
        with self._lock:
            lines = tuple(self._lines)
        return tuple(line.text(known) for line in lines)


class Recorder:
    """Writes the bytes of a wire to a file, without its cards; used on the device's thread only.

    What came in waits until its driver has `judged` it. A full or broken disk ends the recording
    with one note in `trouble`, never the wire.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: TextIO | None = None
        self._pieces: deque[tuple[Piece, bytearray]] = deque()
        """Pieces that wait, each with as much of it as may be written so far."""
        self._given_up = 0
        """Bytes that were hidden before they were judged."""
        self.trouble = ""
        """Why nothing is recorded any more; empty while all is well."""

    def add(self, piece: Piece) -> None:
        """Append one piece; what comes in is written once all of it was judged."""
        if self.trouble:
            return
        self._pieces.append((piece, bytearray(piece.data if piece.way is Way.OUT else b"")))
        waiting = sum(len(each.data) - len(safe) for each, safe in self._pieces)
        if waiting > MOST_WAITING:
            self._hide(waiting - MOST_WAITING)
            self._given_up += waiting - MOST_WAITING
        self._write_finished()

    def judged(self, safe: bytes) -> None:
        """Take the next bytes that came in, in the form in which they may be written."""
        if self.trouble:
            return
        late = min(self._given_up, len(safe))
        self._given_up -= late
        self._fill(safe[late:])
        self._write_finished()

    def close(self) -> None:
        """End the file; what was not judged is written as hidden."""
        if not self.trouble:
            self._hide(sum(len(each.data) - len(safe) for each, safe in self._pieces))
            self._write_finished()
        self._shut()

    def _hide(self, count: int) -> None:
        for piece, safe in self._pieces:
            part = piece.data[len(safe) : len(safe) + count]
            safe.extend(blurred(part))
            count -= len(part)

    def _fill(self, given: bytes) -> None:
        for piece, safe in self._pieces:
            room = len(piece.data) - len(safe)
            safe.extend(given[:room])
            given = given[room:]

    def _write_finished(self) -> None:
        while self._pieces and len(self._pieces[0][1]) == len(self._pieces[0][0].data):
            piece, safe = self._pieces.popleft()
            self._write({"at_us": piece.at_us, "way": piece.way, "hex": safe.hex()})

    def _write(self, line: dict[str, int | str]) -> None:
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="ascii", buffering=1)
            self._file.write(json.dumps(line) + "\n")
        except (OSError, ValueError) as trouble:
            why = trouble.strerror if isinstance(trouble, OSError) else "it was closed"
            self.trouble = f"the recording {self._path} cannot be written: {why}"
            self._pieces.clear()
            self._shut()

    def _shut(self) -> None:
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
