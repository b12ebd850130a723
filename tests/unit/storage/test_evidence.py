"""Evidence as files: all or nothing, checked against the journal, gone after its days."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from studio.domain import events as e
from studio.domain.cards import Card
from studio.domain.envelope import Actor, ActorKind, Envelope
from studio.live.ports import EvidenceError, EvidencePiece
from studio.storage import evidence
from studio.storage.database import open_database
from studio.storage.evidence import Days, FileEvidence, MemoryEvidence, evidence_folder
from studio.storage.journal import SqlJournal
from tests.unit.storage.stories import voided

DAY = "2026-11-30"
WIRE = EvidencePiece(name="shoe.wire", kind="wire", at_us=5, data=b"line\n")
PICTURE = EvidencePiece(name="camera-0001.jpg", kind="picture", at_us=6, data=b"\xff\xd8jpeg")


class Kept:
    """A store with a journal that says what was kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        url = f"sqlite:///{folder / 'studio.db'}"
        self.journal = SqlJournal(open_database(url))
        self.store = FileEvidence(
            evidence_folder(url, folder), self.journal.database, Days(90, 365)
        )
        self.versions: dict[str, int] = {}

    def keep(self, fault: str = "17", day: str = DAY, *pieces: EvidencePiece) -> None:
        items = self.store.keep("ba1", day, fault, pieces or (WIRE, PICTURE))
        self.tell(e.EvidenceKept(fault=fault, items=items), day)

    def tell(self, event: e.Event, day: str = DAY) -> None:
        stream = f"table/ba1/{day}"
        version = self.versions.get(stream, 0)
        envelope = Envelope(
            command_id=f"{stream}-{version}", actor=Actor(ActorKind.DEVICE, "evidence"), at_us=1
        )
        self.versions[stream] = self.journal.append(stream, version, envelope, [event])

    def files(self) -> list[str]:
        root = self.folder / "evidence"
        return sorted(str(each.relative_to(root)) for each in root.rglob("*") if each.is_file())


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    made = Kept(tmp_path)
    yield made
    made.journal.database.close()


HIDDEN = replace(PICTURE, kind="hidden")
"""A picture on which a card lies open that nobody may know yet."""


@pytest.mark.parametrize(
    "event",
    [
        e.CardTurned(index=4, card=Card.parse("7H"), step="turn", sources=("camera",)),
        voided(1),
    ],
)
def test_a_hidden_picture_is_given_once_its_card_was_turned_or_its_round_ended(
    kept: Kept, event: e.Event
) -> None:
    kept.tell(e.HoldLifted(deadline_us=None))
    kept.keep("17", DAY, WIRE, HIDDEN)
    store = kept.store
    assert [item.kind for item in store.items("ba1", "17")] == ["wire", "hidden"]
    assert store.read("ba1", "17", HIDDEN.name) is None
    assert store.read("ba1", "17", WIRE.name) == WIRE.data
    kept.tell(e.HoldLifted(deadline_us=None))
    assert store.read("ba1", "17", HIDDEN.name) is None
    kept.tell(event)
    assert [item.kind for item in store.items("ba1", "17")] == ["wire", "picture"]
    assert store.read("ba1", "17", HIDDEN.name) == HIDDEN.data


def test_what_was_kept_is_listed_as_the_journal_says_and_read_back(kept: Kept) -> None:
    kept.keep()
    kept.keep("170")
    assert [item.name for item in kept.store.items("ba1", "17")] == ["shoe.wire", "camera-0001.jpg"]
    assert kept.store.read("ba1", "17", "shoe.wire") == b"line\n"
    assert kept.store.read("ba1", "17", "camera-0001.jpg") == b"\xff\xd8jpeg"
    assert kept.files() == [
        f"ba1/{DAY}/17/camera-0001.jpg", f"ba1/{DAY}/17/shoe.wire",
        f"ba1/{DAY}/170/camera-0001.jpg", f"ba1/{DAY}/170/shoe.wire",
    ]  # fmt: skip


def test_of_what_the_journal_does_not_name_nothing_is_given(kept: Kept) -> None:
    kept.store.keep("ba1", DAY, "17", (WIRE,))
    assert kept.store.items("ba1", "17") == ()
    assert kept.store.read("ba1", "17", "shoe.wire") is None


@pytest.mark.parametrize(
    ("table", "fault", "name"),
    [("ba1", "17", "../170/shoe.wire"), ("ba1", "../2026-11-30/17", "shoe.wire"),
     ("..", "17", "shoe.wire"), ("*", "17", "shoe.wire"), ("ba1", "*", "shoe.wire"),
     ("ba1", "17", ""), ("ba1", "17", "shoe.wire\x00"), ("ba1", "", "shoe.wire"),
     ("/etc", "17", "passwd"), ("ba1", "17", "/etc/passwd"), ("ba2", "17", "shoe.wire")],
)  # fmt: skip
def test_no_name_leads_anywhere_else(kept: Kept, table: str, fault: str, name: str) -> None:
    kept.keep()
    assert kept.store.read(table, fault, name) is None


@pytest.mark.parametrize("name", ["../x", "", ".x", "a/b", "a\\b", "a\nb", "é"])
def test_an_odd_name_is_never_written(kept: Kept, name: str) -> None:
    piece = EvidencePiece(name=name, kind="wire", at_us=1, data=b"x")
    with pytest.raises(EvidenceError, match="cannot be the name of evidence"):
        kept.store.keep("ba1", DAY, "17", (piece,))
    with pytest.raises(EvidenceError, match="cannot be the name"):
        MemoryEvidence().keep("ba1", DAY, name, ())
    assert kept.files() == []


def test_a_changed_file_and_a_link_are_not_given_as_evidence(kept: Kept) -> None:
    kept.keep()
    wire = kept.folder / "evidence/ba1" / DAY / "17/shoe.wire"
    wire.write_bytes(b"lime\n")
    with pytest.raises(EvidenceError, match="is not what was kept: its digest differs"):
        kept.store.read("ba1", "17", "shoe.wire")
    wire.unlink()
    assert kept.store.read("ba1", "17", "shoe.wire") is None
    other = kept.folder / "other"
    other.write_bytes(b"line\n")
    wire.symlink_to(other)
    with pytest.raises(EvidenceError):
        kept.store.read("ba1", "17", "shoe.wire")


def test_a_disk_that_refuses_in_the_middle_leaves_nothing_behind(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(evidence.os, "fsync", full)
    with pytest.raises(EvidenceError, match=r"No space left on device.*make room there"):
        kept.store.keep("ba1", DAY, "17", (WIRE, PICTURE))
    assert kept.files() == []
    kept.keep()
    assert len(kept.files()) == 2


def test_what_a_crash_left_half_written_is_removed_at_the_next_start(kept: Kept) -> None:
    half = kept.folder / "evidence/ba1" / DAY / ".18.tmp"
    half.mkdir(parents=True)
    (half / "shoe.wire").write_bytes(b"li")
    kept.keep()
    FileEvidence(kept.folder / "evidence", kept.journal.database)
    assert half.exists(), "a command that only reads must not touch what a studio is writing"
    FileEvidence(kept.folder / "evidence", kept.journal.database).tidy()
    assert not half.exists()
    assert len(kept.files()) == 2


def test_a_number_that_comes_again_after_a_restored_backup_loses_nothing(kept: Kept) -> None:
    kept.store.keep("ba1", DAY, "17", (WIRE,))
    kept.keep("17", DAY, EvidencePiece(name="shoe.wire", kind="wire", at_us=7, data=b"later\n"))
    assert kept.store.read("ba1", "17", "shoe.wire") == b"later\n"
    assert f"ba1/{DAY}/17.old1/shoe.wire" in kept.files()


def test_two_databases_in_one_folder_each_find_their_own(kept: Kept) -> None:
    kept.keep()
    second = Kept(kept.folder / "second")
    second.store = FileEvidence(kept.folder / "evidence", second.journal.database)
    second.keep("17", DAY, EvidencePiece(name="shoe.wire", kind="wire", at_us=7, data=b"mine\n"))
    assert second.store.read("ba1", "17", "shoe.wire") == b"mine\n"
    assert kept.store.read("ba1", "17", "shoe.wire") == b"line\n"
    second.journal.database.close()


def test_pictures_go_after_their_days_and_frames_after_theirs_and_the_digests_stay(
    kept: Kept,
) -> None:
    kept.keep("17", "2026-08-01")
    kept.keep("18", "2026-11-30")
    assert kept.store.purge(date(2026, 10, 30)) == 0
    assert kept.store.overdue(date(2026, 10, 31)) == 1
    assert kept.store.purge(date(2026, 10, 31)) == 1
    assert kept.store.overdue(date(2026, 10, 31)) == 0
    assert kept.store.read("ba1", "17", "camera-0001.jpg") is None
    assert kept.store.read("ba1", "17", "shoe.wire") == b"line\n"
    assert kept.store.purge(date(2027, 8, 2)) == 2
    assert kept.files() == [f"ba1/{DAY}/18/shoe.wire"]
    assert not (kept.folder / "evidence/ba1/2026-08-01").exists()
    assert [item.name for item in kept.store.items("ba1", "17")] == ["shoe.wire", "camera-0001.jpg"]


def test_evidence_lies_beside_an_sqlite_file_and_under_the_configuration_for_a_server() -> None:
    base = Path("/srv/studio")
    assert evidence_folder("sqlite:////data/var/c.db", base) == Path("/data/var/evidence")
    assert evidence_folder("postgresql+psycopg://host/db", base) == base / "evidence"


def test_evidence_in_memory_keeps_the_same_promises() -> None:
    store = MemoryEvidence()
    items = store.keep("ba1", DAY, "17", (WIRE, PICTURE))
    assert store.items("ba1", "17") == items
    assert store.read("ba1", "17", "shoe.wire") == b"line\n"
    assert store.read("ba1", "17", "other") is None
    assert store.read("ba2", "17", "shoe.wire") is None
    assert store.purge(date(2030, 1, 1)) == 0
