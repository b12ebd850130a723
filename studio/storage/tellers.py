"""Calls to a wallet that is not ours, in SQL; the store of `studio.live.teller`."""

import json
import zlib
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Table, insert, select, update

from studio.live.teller import OPEN, Kept, State
from studio.storage import schema
from studio.storage.database import Database

BATCHES: Table = schema.WalletBatchRow.__table__  # type: ignore[attr-defined]
DEFLATE_LEVEL: Final = 1


class SqlTellerStore:
    """What was asked of a wallet and what is known of it. Any thread may use it."""

    def __init__(self, database: Database) -> None:
        """Stand on an open database."""
        self._database = database

    def keep(self, call: Kept) -> None:
        """Keep a call as it is now known, in one commit; what was asked is written once."""
        known = {
            "state": call.state.value,
            "refused": json.dumps(call.refused),
            "tries": call.tries,
            "history": json.dumps(call.history),
            "trouble": call.trouble,
        }
        query = update(BATCHES).where(BATCHES.c.key == call.key).values(**known)
        with self._database.writing() as connection:
            if connection.execute(query).rowcount:
                return
            plain = json.dumps(call.entries, separators=(",", ":"))
            asked = {
                "key": call.key,
                "kind": call.kind,
                "table_name": call.table,
                "count": len(call.entries),
                "amount": call.amount,
                "packed": zlib.compress(plain.encode(), DEFLATE_LEVEL),
            }
            connection.execute(insert(BATCHES), [{**asked, **known}])

    def get(self, key: str) -> Kept | None:
        """A call; None for one that was never kept."""
        with self._database.reading() as connection:
            row = connection.execute(select(BATCHES).where(BATCHES.c.key == key)).mappings().first()
        return None if row is None else _kept(dict(row))

    def unfinished(self, table: str) -> Sequence[Kept]:
        """The calls of a table that are asked or unknown, in the order of their keys."""
        query = select(BATCHES).where(
            BATCHES.c.table_name == table, BATCHES.c.state.in_([state.value for state in OPEN])
        )
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(BATCHES.c.key)).mappings().all()
        return [_kept(dict(row)) for row in rows]

    def end_reserved(self, key: str, state: State, at_us: int) -> None:
        """Give a reserved call another state; with ``/`` at the end all whose key begins so."""
        which = (
            BATCHES.c.key.startswith(key, autoescape=True)
            if key.endswith("/")
            else BATCHES.c.key == key
        )
        query = select(BATCHES.c.key, BATCHES.c.history).where(
            which, BATCHES.c.state == State.RESERVED.value
        )
        with self._database.writing() as connection:
            for row in connection.execute(query).all():
                history = json.dumps([*json.loads(row.history), [state.value, at_us]])
                connection.execute(
                    update(BATCHES)
                    .where(BATCHES.c.key == row.key)
                    .values(state=state.value, history=history)
                )


def _kept(row: dict[str, Any]) -> Kept:
    return Kept(
        key=row["key"],
        kind=row["kind"],
        table=row["table_name"],
        entries=tuple(tuple(entry) for entry in json.loads(zlib.decompress(row["packed"]))),
        state=State(row["state"]),
        refused=tuple(json.loads(row["refused"])),
        tries=row["tries"],
        trouble=row["trouble"],
        history=tuple((state, at_us) for state, at_us in json.loads(row["history"])),
    )
