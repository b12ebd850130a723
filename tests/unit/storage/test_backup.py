"""A backup is whole or not there; a restore puts back what was backed up, and loses nothing."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from studio.domain import commands as c
from studio.live.lease import Lease
from studio.live.ports import JournalError
from studio.storage.backup import EVIDENCE, MANIFEST, BackupBad, back_up, restore_backup
from studio.storage.journal import open_journal
from studio.storage.verify import verify
from tests.support.live.bench import SUPERVISOR, Bench

MADE = "2026-11-30T10:00:00Z"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "copies").mkdir()
    return tmp_path / "copies"


@pytest.fixture
def dealt(url: str) -> str:
    """A database with one coup in it."""
    journal = open_journal(url)
    bench = Bench(journal)
    bench.open_shoe()
    bench.coup()
    journal.database.close()
    return url


def facts(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT * FROM journal ORDER BY position").fetchall()


def file_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def test_a_backup_is_made_while_the_studio_writes_and_is_one_checked_file(
    url: str, folder: Path
) -> None:
    journal = open_journal(url)
    bench = Bench(journal)
    bench.open_shoe()
    target = folder / "a.db"
    manifest = back_up(url, target, made=MADE)
    bench.coup()
    assert sorted(each.name for each in folder.iterdir()) == ["a.db", f"a.db{MANIFEST}"]
    assert verify(f"sqlite:///{target}").facts == manifest.facts
    assert json.loads((folder / f"a.db{MANIFEST}").read_text())["sha256"] == manifest.sha256
    assert target.stat().st_mode & 0o077 == 0
    journal.database.close()
    assert facts(file_of(url))[: manifest.facts] == facts(target)


def test_a_backup_replaces_nothing_unless_told(dealt: str, folder: Path) -> None:
    target = folder / "a.db"
    target.write_text("mine")
    with pytest.raises(JournalError, match="is there already: give another name, or --force"):
        back_up(dealt, target, made=MADE)
    assert target.read_text() == "mine"
    back_up(dealt, target, made=MADE, force=True)
    assert verify(f"sqlite:///{target}").ok
    with pytest.raises(JournalError, match="cannot be replaced by a backup"):
        back_up(dealt, file_of(dealt), made=MADE, force=True)


def test_a_journal_that_does_not_verify_is_not_backed_up(dealt: str, folder: Path) -> None:
    with closing(sqlite3.connect(file_of(dealt))) as connection:
        connection.execute("DROP TRIGGER journal_no_update")
        connection.execute("UPDATE journal SET body = replace(body, '1000', '9000')")
        connection.execute(
            "CREATE TRIGGER journal_no_update BEFORE UPDATE ON journal "
            "BEGIN SELECT RAISE(ABORT, 'append only'); END"
        )
        connection.commit()
    with pytest.raises(BackupBad, match="does not verify"):
        back_up(dealt, folder / "a.db", made=MADE)
    assert list(folder.iterdir()) == []


def test_what_was_backed_up_comes_back_and_what_was_there_is_kept(dealt: str, folder: Path) -> None:
    target = folder / "a.db"
    manifest = back_up(dealt, target, made=MADE)
    before = facts(file_of(dealt))
    journal = open_journal(dealt)
    Bench(journal, prefix="later-").do(c.CallSupervisor(), SUPERVISOR)
    journal.database.close()
    after = facts(file_of(dealt))
    done = restore_backup(dealt, target, stamp="now")
    assert facts(file_of(dealt)) == before
    assert done.report.facts == manifest.facts
    assert done.lost == len(after) - len(before)
    assert done.checked
    assert done.replaced is not None
    assert facts(done.replaced) == after
    journal = open_journal(dealt)
    assert Bench(journal, prefix="again-").table.held
    journal.database.close()


def test_a_database_that_is_gone_or_ruined_is_restored(dealt: str, folder: Path) -> None:
    target = folder / "a.db"
    back_up(dealt, target, made=MADE)
    file = file_of(dealt)
    file.write_bytes(b"ruin" * 4000)
    done = restore_backup(dealt, target, stamp="one")
    assert done.replaced is not None
    assert done.replaced.read_bytes() == b"ruin" * 4000
    file.unlink()
    assert restore_backup(dealt, target, stamp="two").replaced is None
    assert verify(dealt).ok


def test_nothing_is_restored_under_a_studio_that_runs(dealt: str, folder: Path) -> None:
    target = folder / "a.db"
    back_up(dealt, target, made=MADE)
    before = file_of(dealt).stat()
    lease = Lease(file_of(dealt))
    try:
        with pytest.raises(JournalError, match=r"another studio runs on .*: stop it first"):
            restore_backup(dealt, target, stamp="now")
    finally:
        lease.release()
    assert file_of(dealt).stat().st_ino == before.st_ino


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda file: file.write_bytes(file.read_bytes()[:-4096]), "is not what was backed up"),
        (lambda file: file.write_bytes(b"no database"), "is not what was backed up"),
        (
            lambda file: file.with_name(f"{file.name}{MANIFEST}").write_text("{}"),
            "is no manifest of a backup",
        ),
    ],
)
def test_a_backup_that_was_changed_is_not_restored(
    dealt: str, folder: Path, harm: object, said: str
) -> None:
    target = folder / "a.db"
    back_up(dealt, target, made=MADE)
    before = facts(file_of(dealt))
    harm(target)  # type: ignore[operator]
    with pytest.raises(BackupBad, match=said):
        restore_backup(dealt, target, stamp="now")
    assert facts(file_of(dealt)) == before
    assert not list(file_of(dealt).parent.glob(".*restoring*"))


def test_a_file_that_is_no_database_is_not_restored(dealt: str, folder: Path) -> None:
    (folder / "a.db").write_bytes(b"no database at all, and no manifest beside it")
    with pytest.raises(BackupBad, match="cannot be restored: file is not a database"):
        restore_backup(dealt, folder / "a.db", stamp="now")
    with pytest.raises(JournalError, match="there is no backup"):
        restore_backup(dealt, folder / "none.db", stamp="now")
    with pytest.raises(JournalError, match="is the database itself"):
        restore_backup(dealt, file_of(dealt), stamp="now")


def test_evidence_goes_along_and_comes_back_without_replacing_any(dealt: str, folder: Path) -> None:
    evidence = file_of(dealt).parent / "evidence" / "ba1" / "2027-01-15" / "12"
    evidence.mkdir(parents=True)
    (evidence / "shoe.wire").write_text("lines")
    (evidence / "camera-0001.jpg").write_bytes(b"\xff\xd8")
    target = folder / "a.db"
    assert back_up(dealt, target, made=MADE).evidence == 2
    with zipfile.ZipFile(folder / f"a.db{EVIDENCE}", "a") as archive:
        archive.writestr("../../../evil", "no")
        archive.writestr("a/b/../evil", "no")
    (evidence / "camera-0001.jpg").unlink()
    (evidence / "shoe.wire").write_text("newer")
    assert restore_backup(dealt, target, stamp="now").evidence == 1
    assert (evidence / "shoe.wire").read_text() == "newer"
    assert (evidence / "camera-0001.jpg").read_bytes() == b"\xff\xd8"
    assert not list(file_of(dealt).parent.rglob("evil"))


@pytest.mark.parametrize("content", [b"no archive", b"PK\x03\x04 half of one"])
def test_evidence_that_cannot_be_read_leaves_the_database_as_it_was(
    dealt: str, folder: Path, content: bytes
) -> None:
    """Else the message says that nothing was restored, and the newest facts are gone."""
    target = folder / "monday.db"
    back_up(dealt, target, made=MADE)
    target.with_name("monday.db.evidence.zip").write_bytes(content)
    file = file_of(dealt)
    before = (file.stat().st_ino, facts(file))
    with pytest.raises(BackupBad, match="cannot be restored"):
        restore_backup(dealt, target, stamp="now")
    assert (file.stat().st_ino, facts(file)) == before
    assert not list(file.parent.glob("*.replaced-*"))


def test_evidence_behind_a_password_is_refused_with_one_sentence(dealt: str, folder: Path) -> None:
    target = folder / "monday.db"
    back_up(dealt, target, made=MADE)
    archive = target.with_name("monday.db.evidence.zip")
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("ba1/2027-01-15/12/shoe.wire", "lines")
    raw = bytearray(archive.read_bytes())
    raw[6] |= 1  # the flag of an encrypted entry, in its own head and in the directory
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(raw)
    with pytest.raises(BackupBad, match="cannot be restored"):
        restore_backup(dealt, target, stamp="now")


def test_a_full_disk_leaves_no_half_backup(
    dealt: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("studio.storage.backup._settle", full)
    with pytest.raises(BackupBad, match=r"cannot be made: .*No space left on device"):
        back_up(dealt, folder / "a.db", made=MADE)
    assert list(folder.iterdir()) == []
