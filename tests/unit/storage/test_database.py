"""Opening: the schema, the two engines, and what is refused in one sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from studio.domain.envelope import Actor, ActorKind, Envelope
from studio.domain.events import TableOpened
from studio.live.ports import JournalError
from studio.storage.database import Database, open_database, open_existing, shown, sqlite_path
from studio.storage.journal import SqlJournal
from studio.storage.schema import APPEND_ONLY, TRIGGERS, metadata

STREAM = "table/ba1/2026-11-30"
REPLACE = (
    "INSERT OR REPLACE INTO journal SELECT position, chain, stream, version, command_id, ordinal, "
    "type, schema_version, 'x', meta, recorded_us, prev_hash, hash FROM journal"
)


def one_fact(database: Database) -> None:
    """Append one fact."""
    actor = Actor(ActorKind.SYSTEM, "test")
    envelope = Envelope(command_id="c1", actor=actor, at_us=1)
    SqlJournal(database).append(STREAM, 0, envelope, (TableOpened(),))


def test_the_migrations_make_what_the_definitions_say(database: Database) -> None:
    with database.reading() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []


def test_opening_twice_changes_nothing(url: str) -> None:
    open_database(url).close()
    with open_database(url) as database:
        one_fact(database)


def test_missing_folders_are_made(tmp_path: Path) -> None:
    with open_database(f"sqlite:///{tmp_path}/a/b/cutcard.db"):
        assert (tmp_path / "a/b/cutcard.db").is_file()


@pytest.mark.parametrize(
    ("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("recursive_triggers", 1)]
)
def test_the_writer_really_has_its_pragmas(database: Database, name: str, value: object) -> None:
    with database.writing() as connection:
        assert connection.execute(text(f"PRAGMA {name}")).scalar() == value


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE journal SET body = '{}'",
        "DELETE FROM journal",
        REPLACE,
    ],
)
def test_a_fact_is_neither_changed_nor_deleted_nor_replaced(
    database: Database, statement: str
) -> None:
    one_fact(database)
    with (
        pytest.raises(IntegrityError, match="journal is append-only"),
        database.writing() as connection,
    ):
        connection.execute(text(statement))


def test_every_append_only_table_has_both_triggers() -> None:
    assert len(TRIGGERS) == 2 * len(APPEND_ONLY)


def test_the_reading_engine_writes_nothing(database: Database) -> None:
    with database.reading() as connection, pytest.raises(OperationalError, match="readonly"):
        connection.execute(text("INSERT INTO outbox_cursors VALUES ('x', 1)"))


def test_an_open_reader_does_not_stand_in_the_writers_way(database: Database) -> None:
    with database.reading() as connection:
        count = text("SELECT count(*) FROM journal")
        assert connection.execute(count).scalar() == 0
        one_fact(database)
        assert connection.execute(count).scalar() == 0, "a reader keeps its snapshot"
    with database.reading() as connection:
        assert connection.execute(count).scalar() == 1


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.writing() as connection:
            connection.execute(text("INSERT INTO outbox_cursors VALUES ('x', 1)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM outbox_cursors")).scalar() == 0


def damaged(url: str, *statements: str) -> str:
    """Change a database behind the studio's back."""
    path = sqlite_path(url)
    assert path is not None
    with sqlite3.connect(path) as raw:
        for statement in statements:
            raw.execute(statement)
    raw.close()
    return url


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("DROP TRIGGER journal_no_update", "journal_no_update are missing"),
        ("DROP TABLE heads", "the table heads is missing"),
        ("DROP INDEX ix_outbox_table_n", "the table outbox lacks ix_outbox_table_n"),
        ("ALTER TABLE people DROP COLUMN locale", "the table people lacks locale"),
        ("UPDATE alembic_version SET version_num = '9999'", "was made by a newer release"),
    ],
)
def test_a_schema_that_is_not_ours_is_refused(url: str, statement: str, sentence: str) -> None:
    with pytest.raises(JournalError, match=sentence):
        open_database(damaged(url, statement))


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    url = damaged(f"sqlite:///{tmp_path}/other.db", "CREATE TABLE theirs (x)")
    with pytest.raises(JournalError, match="another program's data"):
        open_database(url)


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a database, and long enough to be looked at " * 9)
    with pytest.raises(JournalError, match="cannot be opened: file is not a database"):
        open_database(f"sqlite:///{tmp_path}/notes.txt")


def test_a_folder_that_cannot_be_made_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="cannot be opened"):
        open_database(f"sqlite:///{tmp_path}/file/cutcard.db")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
        ("nonsense", "is no database address"),
        ("postgresql+nodriver://localhost/x", "driver"),
    ],
)
def test_an_address_that_cannot_hold_a_journal_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(JournalError, match=sentence):
        open_database(url)


def test_a_missing_database_is_not_made_by_looking_at_it(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="there is no database"):
        open_existing(f"sqlite:///{tmp_path}/none.db")
    assert not (tmp_path / "none.db").exists()


def test_looking_at_a_database_changes_nothing(url: str) -> None:
    path = sqlite_path(url)
    assert path is not None
    before = path.read_bytes()
    open_existing(url).close()
    assert path.read_bytes() == before


def test_a_password_is_never_shown() -> None:
    assert "hunter2" not in shown("postgresql+psycopg://me:hunter2@host/name")
