"""Balances of the embedded wallet in SQL; the store of `studio.live.wallets`."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from studio.domain.envelope import canonical
from studio.live.wallets import Booking, Movement, Plan, refuse_other_content
from studio.storage import schema
from studio.storage.database import Database

CALLS: Table = schema.WalletCallRow.__table__  # type: ignore[attr-defined]
ENTRIES: Table = schema.WalletEntryRow.__table__  # type: ignore[attr-defined]
BALANCES: Table = schema.WalletBalanceRow.__table__  # type: ignore[attr-defined]
AT_ONCE: Final = 5_000
"""Players named in one query; SQLite takes 32,766 parameters."""


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
            _move(connection, key, booking, known)
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


def _move(connection: Connection, key: str, booking: Booking, known: Mapping[str, int]) -> None:
    """Write the movements and the balances after them."""
    if not booking.movements:
        return
    rows: list[dict[str, Any]] = [
        {
            "key": key,
            "line": line,
            "player": movement.player,
            "amount": movement.amount,
            "before": movement.before,
            "after": movement.after,
        }
        for line, movement in enumerate(booking.movements)
    ]
    connection.execute(insert(ENTRIES), rows)
    after = {movement.player: movement.after for movement in booking.movements}
    fresh = [
        {"player": player, "balance": balance}
        for player, balance in after.items()
        if player not in known
    ]
    changed = [
        {"who": player, "balance": balance} for player, balance in after.items() if player in known
    ]
    if fresh:
        connection.execute(insert(BALANCES), fresh)
    if changed:
        query = update(BALANCES).where(BALANCES.c.player == bindparam("who"))
        connection.execute(query.values(balance=bindparam("balance")), changed)


def _balances(connection: Connection, players: Iterable[str]) -> dict[str, int]:
    """Give the balances of those who exist."""
    found: dict[str, int] = {}
    for names in _slices(players):
        query = select(BALANCES.c.player, BALANCES.c.balance).where(BALANCES.c.player.in_(names))
        found.update((row.player, row.balance) for row in connection.execute(query))
    return found


def _slices(players: Iterable[str]) -> Iterator[list[str]]:
    """Give the players in portions that fit into one query."""
    rest = iter(players)
    while names := list(islice(rest, AT_ONCE)):
        yield names
