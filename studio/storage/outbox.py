"""The outbox: written in the same commit as the facts, read by number, confirmed per receiver.

Sending is somebody else's work; here is only what is to be sent and how far each receiver got.
"""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Table, insert, select, update

from studio.domain.envelope import (
    Actor,
    ActorKind,
    CommandRecord,
    OutboxEntry,
    Outgoing,
    canonical,
)
from studio.storage.database import Database
from studio.storage.schema import CursorRow, OutboxRow

OUTBOX: Table = OutboxRow.__table__  # type: ignore[attr-defined]
CURSORS: Table = CursorRow.__table__  # type: ignore[attr-defined]


class Outbox:
    """What must be told. Any thread may use it."""

    def __init__(self, database: Database) -> None:
        """Stand on an open database."""
        self._database = database

    def feed(self, table: str, after: int = 0, limit: int = 500) -> Sequence[Outgoing]:
        """Give the outbox of a table with `n` greater than `after`, in order."""
        query = select(OUTBOX).where(OUTBOX.c.table_name == table, OUTBOX.c.n > after)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(OUTBOX.c.n).limit(limit)).mappings().all()
        return [read_outgoing(dict(row)) for row in rows]

    def pending(self, receiver: str, limit: int = 500) -> Sequence[Outgoing]:
        """Give what this receiver has not confirmed yet, of all tables, in order."""
        with self._database.reading() as connection:
            cursor = select(CURSORS.c.n).where(CURSORS.c.receiver == receiver)
            after = connection.execute(cursor).scalar() or 0
            query = select(OUTBOX).where(OUTBOX.c.n > after).order_by(OUTBOX.c.n).limit(limit)
            rows = connection.execute(query).mappings().all()
        return [read_outgoing(dict(row)) for row in rows]

    def mark(self, receiver: str, n: int) -> None:
        """Keep that this receiver has confirmed everything up to `n`; it never goes back."""
        with self._database.writing() as connection:
            cursor = select(CURSORS.c.n).where(CURSORS.c.receiver == receiver)
            at = connection.execute(cursor).scalar()
            if at is None:
                connection.execute(insert(CURSORS), [{"receiver": receiver, "n": n}])
            elif at < n:
                connection.execute(
                    update(CURSORS).where(CURSORS.c.receiver == receiver).values(n=n)
                )


def outbox_values(entry: OutboxEntry) -> dict[str, Any]:
    """Give a row of the outbox.

    Raises:
        TypeError: if the data holds what has no canonical form.
    """
    return {
        "id": entry.id,
        "type": entry.type,
        "table_name": entry.table,
        "round_id": entry.round_id,
        "at_us": entry.at_us,
        "data": canonical(dict(entry.data)),
    }


def read_outgoing(row: dict[str, Any]) -> Outgoing:
    """Give an entry back."""
    entry = OutboxEntry(
        id=row["id"],
        type=row["type"],
        table=row["table_name"],
        round_id=row["round_id"],
        at_us=row["at_us"],
        data=json.loads(row["data"]),
    )
    return Outgoing(n=row["n"], entry=entry)


def command_values(record: CommandRecord) -> dict[str, Any]:
    """Give a row of the command log."""
    return {
        "command_id": record.command_id,
        "stream": record.stream,
        "actor_kind": record.actor.kind.value,
        "actor_name": record.actor.name,
        "actor_role": record.actor.role,
        "name": record.name,
        "body": record.body,
        "outcome": record.outcome,
        "accepted": record.accepted,
        "at_us": record.at_us,
    }


def read_command(row: dict[str, Any]) -> CommandRecord:
    """Give a command back."""
    return CommandRecord(
        command_id=row["command_id"],
        actor=Actor(ActorKind(row["actor_kind"]), row["actor_name"], row["actor_role"]),
        name=row["name"],
        body=row["body"],
        outcome=row["outcome"],
        at_us=row["at_us"],
        stream=row["stream"],
        accepted=bool(row["accepted"]),
    )
