"""A copy of the database while the studio runs, and its way back; both are checked before use.

A backup is one SQLite file with a manifest beside it (``FILE.manifest.json``) and, if there is
evidence, an archive of it (``FILE.evidence.zip``). It holds all that the database holds, sealed
cards of an open shoe and hashes of PINs among it: whoever keeps it keeps the studio's secrets.
"""

import json
import os
import re
import shutil
import sqlite3
import zipfile
import zlib
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from studio import __version__
from studio.live.lease import Lease, Taken
from studio.live.ports import JournalError
from studio.storage.database import open_database, sqlite_path
from studio.storage.evidence import evidence_folder
from studio.storage.verify import Report, verify

MANIFEST: Final = ".manifest.json"
EVIDENCE: Final = ".evidence.zip"
OWNER_ONLY: Final = 0o600
_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_PARTS: Final = 4
"""table, day, fault and name."""


class BackupBad(JournalError):  # noqa: N818  it says what was found
    """A copy could not be made or put back, or it is not what it must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a backup is, to be compared with before it is used."""

    version: int
    made: str
    """Instant, RFC 3339."""
    release: str
    sha256: str
    size: int
    """Bytes of the database file."""
    facts: int
    rounds: int
    evidence: int = 0
    """Pieces of evidence beside it."""


def back_up(url: str, target: Path, *, made: str, force: bool = False) -> Manifest:
    """Copy the database as it stands now, check the copy, and only then give it its name.

    A studio may run on it all the while; `made` is the present instant.

    Raises:
        JournalError: for a name that cannot be used, with one sentence.
        BackupBad: if the copy cannot be made or is bad; nothing is left of it.
    """
    source = _file_of(url)
    if not source.is_file():
        raise JournalError(f"there is no database {source}: give its address with --database")
    if target.exists() and not force:
        raise JournalError(f"{target} is there already: give another name, or --force")
    if target.exists() and (not target.is_file() or target.samefile(source)):
        raise JournalError(f"{target} cannot be replaced by a backup: give another name")
    copy = target.with_name(f".{target.name}.partial")
    try:
        _copy(source, copy)
        _integrity(copy)
        report = _verified(copy)
        pieces = _pack_evidence(evidence_folder(url, source.parent), target)
        manifest = Manifest(
            version=1,
            made=made,
            release=__version__,
            sha256=_digest(copy),
            size=copy.stat().st_size,
            facts=report.facts,
            rounds=report.rounds,
            evidence=pieces,
        )
        # Without its manifest an older backup of this name is no longer taken for whole.
        _beside(target, MANIFEST).unlink(missing_ok=True)
        copy.replace(target)
        _write(_beside(target, MANIFEST), json.dumps(asdict(manifest), indent=1) + "\n")
        _durable(target.parent)
    except (OSError, sqlite3.Error) as trouble:
        raise BackupBad(f"the backup {target} cannot be made: {trouble}") from trouble
    finally:
        for left in (copy, *_companions(copy)):
            left.unlink(missing_ok=True)
    return manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did."""

    report: Report
    replaced: Path | None
    """Where the database that was there is now; None if there was none."""
    lost: int
    """Facts that it has and the backup has not."""
    evidence: int
    """Pieces of evidence that were put back; those that were there stay."""
    checked: bool
    """Whether a manifest was there to compare with."""


def restore_backup(url: str, backup: Path, *, stamp: str) -> Restored:
    """Put a backup in the place of the database; what was there is kept beside it.

    `stamp` goes into the name of what is replaced. The new file takes its name in one step, so
    that a crash leaves one whole database or the other.

    Raises:
        JournalError: if there is no such backup or a studio runs, with one sentence.
        BackupBad: if the backup is bad or cannot be written; the database is then as it was.
    """
    target = _file_of(url)
    if not backup.is_file():
        raise JournalError(f"there is no backup {backup}: give the file that `backup` made")
    if target.exists() and backup.samefile(target):
        raise JournalError(f"{backup} is the database itself: give the file that `backup` made")
    try:
        lease = Lease(target)
    except Taken as taken:
        raise JournalError(str(taken)) from taken
    except OSError as trouble:
        raise JournalError(f"{target} cannot be written: {trouble.strerror}") from trouble
    fresh = target.with_name(f".{target.name}.restoring")
    try:
        checked = _compare(backup)
        shutil.copyfile(backup, fresh)
        fresh.chmod(OWNER_ONLY)
        _integrity(fresh)
        open_database(f"sqlite:///{fresh}").close()  # brings an older release's schema up
        report = _verified(fresh)
        _settle(fresh)
        lost = max(0, _count(target) - report.facts)
        # Before the database: an archive that is bad must leave that as it was.
        pieces = _unpack_evidence(_beside(backup, EVIDENCE), evidence_folder(url, target.parent))
        replaced = _put_aside(target, stamp)
        fresh.replace(target)
        _durable(target.parent)
    except (OSError, sqlite3.Error) as trouble:
        raise BackupBad(f"{backup} cannot be restored: {trouble}") from trouble
    finally:
        for left in (fresh, *_companions(fresh)):
            left.unlink(missing_ok=True)
        lease.release()
    return Restored(report=report, replaced=replaced, lost=lost, evidence=pieces, checked=checked)


# -- the database file ---------------------------------------------------------------------------


def _file_of(url: str) -> Path:
    path = sqlite_path(url)
    if path is None:
        raise JournalError("this database is on a server: use the server's own backup")
    return path


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(f"{file.name}{ending}")


def _companions(file: Path) -> tuple[Path, Path]:
    """The log and its index, which belong to a database file."""
    return _beside(file, "-wal"), _beside(file, "-shm")


def _copy(source: Path, copy: Path) -> None:
    """Copy one snapshot; in one step, since a studio that writes would begin it anew each time."""
    copy.unlink(missing_ok=True)
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    with (
        closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(copy)) as new,
    ):
        old.backup(new, pages=-1)
    _settle(copy)


def _settle(file: Path) -> None:
    """Make a database one file: all of it written, no log beside it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _integrity(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        words = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
    if words != ["ok"]:
        raise BackupBad(f"the copy is damaged ({words[0]}): the disk or the database is bad")


def _verified(file: Path) -> Report:
    report = verify(f"sqlite:///{file}")
    if not report.ok:
        raise BackupBad(f"its journal does not verify ({report.problems[0]}): take an older backup")
    return report


def _count(file: Path) -> int:
    """Facts in a database; 0 for one that cannot be read."""
    if not file.is_file():
        return 0
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection,
    ):
        return int(connection.execute("SELECT count(*) FROM journal").fetchone()[0])
    return 0


def _put_aside(target: Path, stamp: str) -> Path | None:
    """Give what is there a second name, with its log; the first name goes to the next one."""
    if not target.exists():
        return None
    with suppress(sqlite3.Error), closing(sqlite3.connect(target)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    aside = _beside(target, f".replaced-{stamp}")
    os.link(target, aside)
    for log, kept in zip(_companions(target), _companions(aside), strict=True):
        if log.exists():
            log.replace(kept)
    return aside


def _compare(backup: Path) -> bool:
    """Compare a backup with its manifest, if it has one.

    Raises:
        BackupBad: if it is not what was backed up.
    """
    file = _beside(backup, MANIFEST)
    if not file.is_file():
        return False
    try:
        manifest: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        known = str(manifest["sha256"])
    except (ValueError, KeyError, TypeError):
        raise BackupBad(f"{file} is no manifest of a backup: take another backup") from None
    if _digest(backup) != known:
        raise BackupBad(f"{backup} is not what was backed up: its digest differs from {file}")
    return True


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()


def _write(file: Path, text: str) -> None:
    fresh = file.with_name(f".{file.name}.partial")
    with fresh.open("w", encoding="utf-8") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(file)


def _durable(folder: Path) -> None:
    """Make names durable too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# -- evidence ------------------------------------------------------------------------------------


def _pack_evidence(folder: Path, target: Path) -> int:
    """Write all evidence into one archive beside the backup; how many pieces."""
    archive = _beside(target, EVIDENCE)
    pieces = [
        file
        for file in sorted(folder.glob("/".join("*" * _PARTS)))
        if file.is_file() and all(map(_PART.fullmatch, file.relative_to(folder).parts))
    ]
    if not pieces:
        archive.unlink(missing_ok=True)
        return 0
    fresh = archive.with_name(f".{archive.name}.partial")
    with fresh.open("wb") as opened:
        fresh.chmod(OWNER_ONLY)
        with zipfile.ZipFile(opened, "w", zipfile.ZIP_STORED) as written:
            for file in pieces:
                written.write(file, file.relative_to(folder).as_posix())
        opened.flush()
        os.fsync(opened.fileno())
    fresh.replace(archive)
    return len(pieces)


def _unpack_evidence(archive: Path, folder: Path) -> int:
    """Put back the pieces that are not there; names that lead elsewhere are left alone.

    Raises:
        BackupBad: if the archive cannot be read; pieces that came out of it before stay.
    """
    if not archive.is_file():
        return 0
    count = 0
    try:
        with zipfile.ZipFile(archive) as opened:
            for name in opened.namelist():
                parts = name.split("/")
                file = folder.joinpath(*parts)
                if len(parts) != _PARTS or not all(map(_PART.fullmatch, parts)) or file.exists():
                    continue
                file.parent.mkdir(parents=True, exist_ok=True)
                fresh = file.with_name(f".{file.name}.partial")
                fresh.write_bytes(opened.read(name))
                fresh.replace(file)
                count += 1
    except (zipfile.BadZipFile, zlib.error, RuntimeError) as trouble:
        # Of a password or a packing that it does not know the module says no more than that.
        raise BackupBad(f"{archive} cannot be restored: {trouble}") from trouble
    return count
