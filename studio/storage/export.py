"""The journal for other programs: every fact as a row, in order, as it was written.

What was sealed stays sealed, whatever has become known since: a card of a burn or of a hidden draw
stands in the fact that revealed it, and nowhere else.
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, Final

from sqlalchemy import Row, Select, Table, select

from studio.domain.cards import HIDDEN
from studio.live.ports import JournalError
from studio.storage import schema
from studio.storage.database import Database, open_existing
from studio.storage.meta import read_meta
from studio.storage.shown import instant, story_positions

JOURNAL: Table = schema.JournalRow.__table__  # type: ignore[attr-defined]
CHUNK: Final = 2000
"""Facts read in one snapshot; a studio that runs meanwhile can tidy its log between two."""
COLUMNS: Final = (
    "position",
    "stream",
    "version",
    "at",
    "actor_kind",
    "actor",
    "role",
    "command_id",
    "cause",
    "event",
    "schema_version",
    "body",
    "hash",
)
"""Columns of the CSV form and keys of the JSON form; additions only come behind these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which facts: all that fit each of what is given."""

    table: str = ""
    round_id: str = ""
    since_us: int | None = None
    """Recorded at this instant or later."""
    until_us: int | None = None
    """Recorded before this instant."""


def facts(url: str, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """Give the facts in the order in which they were written, without holding them in memory.

    Raises:
        JournalError: if there is no such database, or no such table or round in it.
    """
    with open_existing(url) as database:
        yield from _facts(database, wanted)


def _facts(database: Database, wanted: Wanted) -> Iterator[dict[str, Any]]:
    query = _query(database, wanted)
    after = 0
    while True:
        with database.reading() as connection:
            chunk = query.where(JOURNAL.c.position > after).limit(CHUNK)
            rows = connection.execute(chunk).all()
        for row in rows:
            yield _fact(row)
        if len(rows) < CHUNK:
            return
        after = rows[-1].position


def _query(database: Database, wanted: Wanted) -> Select[Any]:
    query = select(JOURNAL).order_by(JOURNAL.c.position)
    if wanted.table:
        chain = f"table/{wanted.table}"
        with database.reading() as connection:
            known = select(JOURNAL.c.chain).distinct()
            tables = [str(each) for each in connection.execute(known).scalars()]
        if chain not in tables:
            names = ", ".join(sorted(each.rpartition("/")[2] for each in tables)) or "none"
            raise JournalError(
                f"there is no table {wanted.table!r} in this journal; it has: {names}"
            )
        query = query.where(JOURNAL.c.chain == chain)
    if wanted.round_id:
        with database.reading() as connection:
            positions = story_positions(connection, wanted.round_id)
        query = query.where(JOURNAL.c.position.in_(positions))
    if wanted.since_us is not None:
        query = query.where(JOURNAL.c.recorded_us >= wanted.since_us)
    if wanted.until_us is not None:
        query = query.where(JOURNAL.c.recorded_us < wanted.until_us)
    return query


def _fact(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    actor, cause = read_meta(row.meta)
    return {
        "position": row.position,
        "stream": row.stream,
        "version": row.version,
        "at": instant(row.recorded_us),
        "actor_kind": actor.kind.value,
        "actor": actor.name,
        "role": actor.role,
        "command_id": row.command_id,
        "cause": cause,
        "event": row.type,
        "schema_version": row.schema_version,
        "body": _covered(json.loads(row.body)),
        "hash": row.hash,
    }


def _covered(plain: Any) -> Any:
    """Put ``XX`` beside each seal, so that a reader sees that there is a card."""
    if isinstance(plain, dict):
        if plain.keys() == {"sealed"}:
            return {**plain, "card": HIDDEN}
        return {name: _covered(each) for name, each in plain.items()}
    if isinstance(plain, list):
        return [_covered(each) for each in plain]
    return plain


class Writer:
    """Writes facts as JSON lines or as CSV, each at once."""

    def __init__(self, out: IO[str], *, as_csv: bool) -> None:
        """Write to this text stream; the CSV form begins with its columns."""
        self._out = out
        self._csv = csv.writer(out, lineterminator="\n") if as_csv else None
        if self._csv is not None:
            self._csv.writerow(COLUMNS)

    def write(self, fact: dict[str, Any]) -> None:
        """Write one fact."""
        if self._csv is None:
            self._out.write(json.dumps(fact) + "\n")
            return
        body = json.dumps(fact["body"], sort_keys=True, separators=(",", ":"))
        self._csv.writerow([body if name == "body" else fact[name] for name in COLUMNS])
