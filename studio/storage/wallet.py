"""Balances of the embedded wallet in SQL; the store of `studio.live.wallets`."""

import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, Table, insert, select

from studio.domain.envelope import canonical
from studio.live.wallets import Booking, Movement, Plan, refuse_other_content
from studio.storage import schema
from studio.storage.database import Database

CALLS: Table = schema.WalletCallRow.__table__  # type: ignore[attr-defined]
ENTRIES: Table = schema.WalletEntryRow.__table__  # type: ignore[attr-defined]
BALANCES: Table = schema.WalletBalanceRow.__table__  # type: ignore[attr-defined]


class SqlWallet:
    """The store of an `EmbeddedWallet`, in the studio's database. Any thread may use it."""

    def __init__(self, database: Database) -> None:
        """Stand on an open database."""
        self._database = database

    def book(self, key: str, digest: str, players: Iterable[str], plan: Plan) -> tuple[str, ...]:
        """In one commit: give the stored answer of this key, or make and keep the plan's booking.

        Raises:
            WalletMisused: if the key was used with another digest.
        """
        with self._database.writing() as connection:
            row = connection.execute(select(CALLS).where(CALLS.c.key == key)).first()
            if row is not None:
                refuse_other_content(key, row.digest, digest)
                return tuple(json.loads(row.refused))
            known = _balances(connection, players)
            booking = plan(known)
            refused = canonical(list(booking.refused))
            connection.execute(insert(CALLS), [{"key": key, "digest": digest, "refused": refused}])
            _move(connection, key, booking)
        return booking.refused

    def balances(self, players: Iterable[str]) -> Mapping[str, int]:
        """Give the balances of those of these players who exist."""
        with self._database.reading() as connection:
            return _balances(connection, players)

    def movements(self, player: str) -> Sequence[Movement]:
        """Give all movements of a player, oldest first."""
        query = select(ENTRIES).where(ENTRIES.c.player == player).order_by(ENTRIES.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [Movement(row.player, row.amount, row.before, row.after) for row in rows]


def _move(connection: Connection, key: str, booking: Booking) -> None:
    """Write the movements and the balances after them.

    In the driver's own words: all tables wait for this commit with their cards, and SQLAlchemy
    takes longer to bind 5,000 rows than SQLite to write them.
    """
    if not booking.movements:
        return
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    entries = [
        (key, line, each.player, each.amount, each.before, each.after)
        for line, each in enumerate(booking.movements)
    ]
    connection.exec_driver_sql(
        f"INSERT INTO {ENTRIES.name} (key, line, player, amount, before, after) "  # noqa: S608
        f"VALUES ({', '.join([mark] * 6)})",
        entries,
    )
    after = {each.player: each.after for each in booking.movements}
    connection.exec_driver_sql(
        f"INSERT INTO {BALANCES.name} (player, balance) VALUES ({mark}, {mark}) "  # noqa: S608
        "ON CONFLICT (player) DO UPDATE SET balance = excluded.balance",
        list(after.items()),
    )


def _balances(connection: Connection, players: Iterable[str]) -> dict[str, int]:
    """Give the balances of those who exist."""
    if connection.dialect.name == "sqlite":
        which, names = "IN (SELECT value FROM json_each(?))", json.dumps(list(players))
    else:
        which, names = "= ANY(%s)", list(players)  # type: ignore[assignment]
    query = f"SELECT player, balance FROM {BALANCES.name} WHERE player {which}"  # noqa: S608
    rows = connection.exec_driver_sql(query, (names,)).all()
    return {row[0]: row[1] for row in rows}
