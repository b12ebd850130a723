"""Opening the database: two engines, the schema, and the check that both are as they must be.

The writing engine takes SQLite's write lock when a transaction begins; with the driver's own way of
beginning, two writers that have both read lose one commit to "database is locked"
(python/cpython#124510). The reading engine can write nothing, keeps its snapshot and never stands
in the writer's way.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, UniqueConstraint, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
    SQLAlchemyError,
)

from studio.live.ports import JournalDamaged, JournalError
from studio.storage.schema import TRIGGERS, metadata

MIGRATIONS: Final = Path(__file__).parent / "migrations"
BUSY_S: Final = 5.0
"""How long a transaction waits for another process's write lock."""
WRITER_PRAGMAS: Final = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "recursive_triggers": 1,
    "journal_size_limit": 67_108_864,
}
"""What each writing connection must say of itself; 2 is FULL."""
READER_PRAGMAS: Final = {"query_only": 1, "foreign_keys": 1, "recursive_triggers": 1}


class Database:
    """An open database. Any thread may use it; `close` when done."""

    def __init__(self, url: str, writer: Engine, reader: Engine) -> None:
        """Keep the engines; use `open_database`."""
        self.url = url
        self.writer = writer
        self.reader = reader
        # One process writes. Waiting here is exact, where SQLite would sleep and ask again.
        self._writing = Lock()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a transaction that holds the write lock; committed at the end, or not at all.

        Raises:
            JournalError: if the disk or the server refuses.
        """
        with self._writing:
            try:
                with self.writer.begin() as connection:
                    yield connection
            except IntegrityError:
                raise  # a number that is taken is the caller's to answer
            except DBAPIError as error:
                raise JournalError(f"the database refused to write: {error.orig}") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a snapshot; keep it short, the log of an open reader grows without end."""
        with self.reader.connect() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self.writer.dispose()
        self.reader.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_database(url: str) -> Database:
    """Open a database, make or bring up its schema, and check it.

    Raises:
        JournalError: with one sentence that says what to do.
    """
    path = sqlite_path(url)
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        database = Database(url, _writing_engine(url), _reading_engine(url))
        with database.writer.begin() as connection:
            _upgrade(connection, url)
        check(database)
    except (OSError, SQLAlchemyError) as error:
        raise JournalError(f"the database {shown(url)} cannot be opened: {_why(error)}") from error
    return database


def open_existing(url: str) -> Database:
    """Open a database that must be there, for reading it without a studio; nothing is changed.

    Raises:
        JournalError: if it is missing, is no database of ours, or is of another release.
    """
    path = sqlite_path(url)
    if path is not None and not path.is_file():
        raise JournalError(f"there is no database {path}: give its address with --database")
    try:
        reader = _reading_engine(url)
        database = Database(url, reader, reader)
        check(database)
    except (OSError, SQLAlchemyError) as error:
        raise JournalError(f"the database {shown(url)} cannot be read: {_why(error)}") from error
    return database


def sqlite_path(url: str) -> Path | None:
    """Give the file of an SQLite address; None for a server.

    Raises:
        JournalError: if the address names no database, or one that is lost at once.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise JournalError(f"{shown(url)!r} is no database address: write sqlite:///FILE") from None
    if parsed.get_backend_name() != "sqlite":
        return None
    if not parsed.database or parsed.database == ":memory:":
        raise JournalError("a journal needs a file: write sqlite:///FILE")
    return Path(parsed.database)


def shown(url: str) -> str:
    """Give the address as it may be printed, without a password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url


def _why(error: Exception) -> str:
    """Give the driver's own words, without SQL and links."""
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _writing_engine(url: str) -> Engine:
    """Make the engine for runners, accounts and cursors."""
    engine = _engine(url)
    if engine.dialect.name == "sqlite":
        _speak(engine, WRITER_PRAGMAS, "BEGIN IMMEDIATE")
    return engine


def _reading_engine(url: str) -> Engine:
    """Make the engine for everybody else."""
    engine = _engine(url)
    if engine.dialect.name == "sqlite":
        _speak(engine, READER_PRAGMAS, "BEGIN")
    else:
        engine = engine.execution_options(postgresql_readonly=True)
    return engine


def _engine(url: str) -> Engine:
    """Make an engine.

    Raises:
        JournalError: if the driver of a server is not installed.
    """
    try:
        if sqlite_path(url) is not None:
            return create_engine(url, connect_args={"timeout": BUSY_S}, hide_parameters=True)
        return create_engine(url, hide_parameters=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise JournalError(
            f"the driver for {shown(url)} is missing ({error}): install psycopg"
        ) from None


def _speak(engine: Engine, pragmas: dict[str, Any], begin: str) -> None:
    """Set the pragmas on each connection and begin transactions in our own words."""

    @event.listens_for(engine, "connect")
    def _open(raw: Any, _record: object) -> None:
        raw.isolation_level = None  # the driver no longer begins by itself
        for name, value in pragmas.items():
            raw.execute(f"PRAGMA {name}={value}").close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _config() -> Config:
    """Give Alembic the revisions that lie beside this module."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config


def _upgrade(connection: Connection, url: str) -> None:
    """Bring the schema to this release's revision.

    Raises:
        JournalError: if it is newer than this release, or the file is another program's.
    """
    config = _config()
    script = ScriptDirectory.from_config(config)
    head = script.get_current_head()
    at = MigrationContext.configure(connection).get_current_revision()
    if at == head:
        return
    if at is not None and at not in {each.revision for each in script.walk_revisions()}:
        raise JournalError(
            f"{shown(url)} was made by a newer release (revision {at}): run that one"
        )
    if at is None and inspect(connection).get_table_names():
        raise JournalError(f"{shown(url)} holds another program's data: give another file")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check(database: Database) -> None:
    """Compare the real schema and the real pragmas with those that are needed.

    An index or trigger that is missing in production shows only when it is too late
    (NEventStore/NEventStore#456), and so does a pragma that did not take.

    Raises:
        JournalError: naming the first difference.
    """
    with database.reading() as connection:
        at = MigrationContext.configure(connection).get_current_revision()
        head = ScriptDirectory.from_config(_config()).get_current_head()
        if at != head:
            raise JournalError(
                f"{shown(database.url)} is of another release (revision {at}, needed {head}): "
                "open it once with `cutcard run` of this release"
            )
        _check_schema(connection)
        if connection.dialect.name == "sqlite":
            word = connection.execute(text("PRAGMA quick_check")).scalar()
            if word != "ok":
                raise JournalError(f"the database is damaged ({word}): restore a backup")
            _check_pragmas(connection, READER_PRAGMAS)
    if database.writer is not database.reader and database.writer.dialect.name == "sqlite":
        with database.writing() as connection:
            _check_pragmas(connection, WRITER_PRAGMAS)


def _check_schema(connection: Connection) -> None:
    """Compare tables, columns, unique constraints, indexes and triggers."""
    found = inspect(connection)
    tables = set(found.get_table_names())
    for table in metadata.sorted_tables:
        if table.name not in tables:
            raise JournalError(f"the table {table.name} is missing: restore a backup")
        columns = {column["name"] for column in found.get_columns(table.name)}
        indexes = {each["name"] for each in found.get_indexes(table.name)}
        uniques = {each["name"] for each in found.get_unique_constraints(table.name)}
        needed = {column.name for column in table.columns}
        named = {str(each.name) for each in table.indexes} | {
            str(each.name) for each in table.constraints if isinstance(each, UniqueConstraint)
        }
        missing = (needed - columns) | (named - indexes - uniques)
        if missing:
            raise JournalError(
                f"the table {table.name} lacks {', '.join(sorted(missing))}: restore a backup"
            )
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.dialect.name == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    )
    missing_triggers = TRIGGERS - {str(name) for name in connection.execute(text(query)).scalars()}
    if missing_triggers:
        raise JournalDamaged(
            f"the triggers {', '.join(sorted(missing_triggers))} are missing, so the journal is "
            "not append-only: restore a backup"
        )


def _check_pragmas(connection: Connection, needed: dict[str, Any]) -> None:
    """Ask the database what it really does."""
    for name, value in needed.items():
        real = connection.execute(text(f"PRAGMA {name}")).scalar()
        if real != value:
            raise JournalError(
                f"the database says {name}={real}, needed is {value}: keep it on a local disk"
            )
