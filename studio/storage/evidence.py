"""Evidence as files beside the database; what the journal says of them is what they must be.

``evidence/<table>/<day>/<fault>/<name>``. All pieces of a fault are written under a name that
nobody reads, made durable, and then renamed at once: there is all of it or nothing. The journal
holds the digests, so taking old files away does not break its chain (decision 6).
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Final

from sqlalchemy import Connection, select

from studio.domain.observations import EvidenceItem
from studio.live.ports import EvidenceError, EvidencePiece
from studio.storage import schema
from studio.storage.database import Database, sqlite_path
from studio.table.kept import HIDDEN, UNCOVERS, as_seen

JOURNAL: Final = schema.JournalRow.__table__  # type: ignore[attr-defined]
FOLDER: Final = "evidence"
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a table, a day, a fault and a piece may be called: no name leads out of its folder."""
MOST_BYTES: Final = 64 * 1024 * 1024
"""No piece is larger; a file that is was not kept by us."""
REMEMBERED: Final = 64
"""Faults whose pieces are remembered: a console asks for seven pictures at once."""
KEPT: Final = "evidence_kept"
PICTURES: Final = ".jpg"


def evidence_folder(url: str, base: Path) -> Path:
    """The folder beside an SQLite file; for a server, under `base`."""
    path = sqlite_path(url)
    return (path.parent if path is not None else base) / FOLDER


def item_of(piece: EvidencePiece) -> EvidenceItem:
    """What the journal is to say of a piece."""
    return EvidenceItem(
        name=piece.name,
        kind=piece.kind,
        sha256=sha256(piece.data).hexdigest(),
        size=len(piece.data),
        at_us=piece.at_us,
    )


@dataclass(frozen=True, slots=True)
class Days:
    """For how many days after its own a piece is kept."""

    pictures: int = 90
    wires: int = 365


class FileEvidence:
    """Evidence in a folder. Any thread may use it."""

    def __init__(self, folder: Path, database: Database, days: Days | None = None) -> None:
        """Nothing is made before something is kept."""
        self.folder = folder
        self._database = database
        self._days = days or Days()
        self._writing = Lock()
        self._items: dict[tuple[str, str], tuple[EvidenceItem, ...]] = {}
        """What was looked up lately; facts do not change."""

    def tidy(self) -> None:
        """Remove what a crash left half-written. Only for who alone writes here."""
        for half in self.folder.glob("*/*/.*.tmp"):
            shutil.rmtree(half, ignore_errors=True)

    def keep(
        self, table: str, day: str, fault: str, pieces: Sequence[EvidencePiece]
    ) -> tuple[EvidenceItem, ...]:
        """Keep all of it durably, or nothing; what the journal is to say of it.

        Raises:
            EvidenceError: if the disk refuses, or a name could lead elsewhere.
        """
        _check_names(table, day, fault, *(piece.name for piece in pieces))
        if not pieces:
            return ()
        home = self.folder / table / day
        half = home / f".{fault}.tmp"
        with self._writing:
            try:
                half.mkdir(parents=True)
                for piece in pieces:
                    _write(half / piece.name, piece.data)
                _sync(half)
                _make_room(home / fault)
                half.rename(home / fault)
                for folder in (home, home.parent, self.folder):
                    _sync(folder)
            except OSError as failure:
                shutil.rmtree(half, ignore_errors=True)
                raise EvidenceError(
                    f"{self.folder} cannot be written ({failure.strerror}): make room there"
                ) from failure
        return tuple(item_of(piece) for piece in pieces)

    def items(self, table: str, fault: str) -> tuple[EvidenceItem, ...]:
        """What the journal says was kept of a fault; empty if nothing was.

        A picture that nobody may see yet is ``hidden``.
        """
        if not (NAME.fullmatch(table) and NAME.fullmatch(fault)):
            return ()
        known = self._items.get((table, fault)) or self._look_up(table, fault)
        if known and not any(item.kind == HIDDEN for item in known):
            self._items[table, fault] = known
            while len(self._items) > REMEMBERED:
                self._items.pop(next(iter(self._items)), None)
        return known

    def _look_up(self, table: str, fault: str) -> tuple[EvidenceItem, ...]:
        """Read from the journal what was kept of a fault."""
        said = f'"fault":{json.dumps(fault)}'
        chain = f"table/{table}"
        query = select(JOURNAL.c.position, JOURNAL.c.body).where(
            JOURNAL.c.type == KEPT, JOURNAL.c.body.contains(said, autoescape=True)
        )
        folder = self._folder_of(table, fault)
        # The day is known where the files still lie: one day is looked through, not five years.
        narrow = [] if folder is None else [query.where(JOURNAL.c.stream == f"{chain}/{folder}")]
        with self._database.reading() as connection:
            for each in (*narrow, query.where(JOURNAL.c.chain == chain)):
                for position, body in connection.execute(each.order_by(JOURNAL.c.position.desc())):
                    plain = json.loads(body)
                    if plain["fault"] == fault:
                        items = tuple(EvidenceItem(**item) for item in plain["items"])
                        if not any(item.kind == HIDDEN for item in items):
                            return items
                        return as_seen(items, uncovered=_uncovered(connection, chain, position))
        return ()

    def read(self, table: str, fault: str, name: str) -> bytes | None:
        """The bytes of one piece; None if there is none, it is no longer kept, or still hidden.

        Raises:
            EvidenceError: if it is not what was kept, or the disk refuses.
        """
        items = {item.name: item for item in self.items(table, fault)}
        if name not in items or not NAME.fullmatch(name) or items[name].kind == HIDDEN:
            return None
        other = False
        for folder in self._folders_of(table, fault):
            try:
                data = _read(folder / name)
            except FileNotFoundError:
                continue
            except OSError as failure:
                raise EvidenceError(f"{name} of fault {fault}: {failure.strerror}") from failure
            if sha256(data).hexdigest() == items[name].sha256:
                return data
            other = True
        if other:
            raise EvidenceError(
                f"{name} of fault {fault} is not what was kept: its digest differs from the journal"
            )
        return None

    def purge(self, today: date) -> int:
        """Take away what is older than its days; how many pieces. A disk that refuses is told.

        Raises:
            EvidenceError: if a file cannot be taken away.
        """
        gone = 0
        try:
            for file in self._overdue(today):
                file.unlink()
                gone += 1
                for folder in (file.parent, file.parent.parent):
                    with suppress(OSError):
                        folder.rmdir()  # only an empty one goes
        except OSError as failure:
            raise EvidenceError(
                f"old evidence cannot be taken away ({failure.filename}: {failure.strerror})"
            ) from failure
        return gone

    def overdue(self, today: date) -> int:
        """How many pieces `purge` would take away."""
        return sum(1 for _ in self._overdue(today))

    def _overdue(self, today: date) -> Iterator[Path]:
        """The pieces whose days are over."""
        for day, fault in self._faults():
            age = today - day
            for file in sorted(fault.iterdir()):
                limit = self._days.pictures if file.suffix == PICTURES else self._days.wires
                if age > timedelta(days=limit):
                    yield file

    def _faults(self) -> Iterator[tuple[date, Path]]:
        """The folders of all faults, each with its day."""
        for fault in sorted(self.folder.glob("*/*/*")):
            with suppress(ValueError):
                day = date.fromisoformat(fault.parent.name)
                if fault.is_dir() and not fault.is_symlink():
                    yield day, fault

    def _folder_of(self, table: str, fault: str) -> str | None:
        """The newest day on which something of this fault lies."""
        days = sorted(path.parent.name for path in self.folder.glob(f"{table}/*/{fault}"))
        return days[-1] if days else None

    def _folders_of(self, table: str, fault: str) -> list[Path]:
        """Where this fault may lie, also where it was put aside; its digest says which is meant.

        It was if another database in this folder has such a fault, or a backup was restored.
        """
        newest = sorted(self.folder.glob(f"{table}/*/{fault}"), reverse=True)
        return [*newest, *sorted(self.folder.glob(f"{table}/*/{fault}.old*"))]


class MemoryEvidence:
    """Evidence in memory, for a journal in memory."""

    def __init__(self) -> None:
        """Begin empty."""
        self._pieces: dict[tuple[str, str], tuple[EvidencePiece, ...]] = {}

    def keep(
        self, table: str, day: str, fault: str, pieces: Sequence[EvidencePiece]
    ) -> tuple[EvidenceItem, ...]:
        """Keep it; what the journal is to say of it.

        Raises:
            EvidenceError: if a name could lead elsewhere.
        """
        _check_names(table, day, fault, *(piece.name for piece in pieces))
        self._pieces[table, fault] = tuple(pieces)
        return tuple(item_of(piece) for piece in pieces)

    def items(self, table: str, fault: str) -> tuple[EvidenceItem, ...]:
        """What was kept of a fault."""
        return tuple(item_of(piece) for piece in self._pieces.get((table, fault), ()))

    def read(self, table: str, fault: str, name: str) -> bytes | None:
        """The bytes of one piece; None if there is none, or it was kept as hidden."""
        pieces = self._pieces.get((table, fault), ())
        given = (piece.data for piece in pieces if piece.name == name and piece.kind != HIDDEN)
        return next(given, None)

    def purge(self, today: date) -> int:
        """Nothing in memory lasts so long."""
        del today
        return 0


def _uncovered(connection: Connection, chain: str, position: int) -> bool:
    """Whether what was hidden when this fact was written may be seen by now."""
    query = select(JOURNAL.c.position).where(
        JOURNAL.c.chain == chain,
        JOURNAL.c.position > position,
        JOURNAL.c.type.in_([fact.NAME for fact in UNCOVERS]),
    )
    return connection.execute(query.limit(1)).first() is not None


def _check_names(*names: str) -> None:
    """Refuse a name that could lead out of its folder.

    Raises:
        EvidenceError: naming it.
    """
    for name in names:
        if not NAME.fullmatch(name):
            raise EvidenceError(f"{name!r} cannot be the name of evidence")


def _write(path: Path, data: bytes) -> None:
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _read(path: Path) -> bytes:
    """Read a file that is no link and not larger than what we keep.

    Raises:
        OSError: if it cannot be read.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with open(handle, "rb") as file:  # noqa: PTH123  a handle, not a path
        return file.read(MOST_BYTES)


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _make_room(folder: Path) -> None:
    """Put what lies under this name aside: after a restored backup a number may come again."""
    for number in count(1):
        if not folder.exists():
            return
        aside = folder.with_name(f"{folder.name}.old{number}")
        if not aside.exists():
            folder.rename(aside)
