"""What platforms read from the database: rounds in the outbox, batches, and the bet record."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Table, select

from studio.domain import events as e
from studio.domain.envelope import Outgoing, Recorded
from studio.live.feed import at_of
from studio.storage import schema
from studio.storage.betrecord import BETS, BetRecord
from studio.storage.journal import JOURNAL, SqlJournal
from studio.storage.outbox import OUTBOX, read_outgoing
from studio.table.state import FUNDS_OF

OPENED: Final = "bets.opened"
COMMANDS: Table = schema.CommandRow.__table__  # type: ignore[attr-defined]


class SqlBooks:
    """The books of `studio.live.platform`, in the database of a journal. Any thread may use it."""

    def __init__(self, journal: SqlJournal) -> None:
        """Stand on an open journal."""
        self._journal = journal
        self._database = journal.database
        self.record = BetRecord(journal)

    def round_entries(self, table: str, round_id: str) -> Sequence[Outgoing]:
        """All entries of the outbox about a round, in order; empty for one that does not exist."""
        query = select(OUTBOX).where(OUTBOX.c.round_id == round_id, OUTBOX.c.table_name == table)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(OUTBOX.c.n)).mappings().all()
        return [read_outgoing(dict(row)) for row in rows]

    def newest_rounds(self, table: str, before: int, limit: int) -> Sequence[tuple[int, str]]:
        """(n of its opening, id) of the rounds opened before entry `before`, newest first.

        All of them where `before` is 0.
        """
        query = select(OUTBOX.c.n, OUTBOX.c.round_id).where(
            OUTBOX.c.table_name == table, OUTBOX.c.type == OPENED
        )
        if before:
            query = query.where(OUTBOX.c.n < before)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(OUTBOX.c.n.desc()).limit(limit)).all()
        return [(row.n, row.round_id) for row in rows]

    def batch_facts(self, command_id: str, batch: str) -> Sequence[Recorded]:
        """The facts about one batch, in order: of bets until they were answered or closed."""
        asked = select(COMMANDS.c.stream).where(COMMANDS.c.command_id == command_id)
        with self._database.reading() as connection:
            stream = connection.execute(asked).scalar()
            own = select(JOURNAL.c.version).where(
                JOURNAL.c.stream == stream, JOURNAL.c.command_id == command_id
            )
            first = connection.execute(own.order_by(JOURNAL.c.version).limit(1)).scalar()
        if stream is None or first is None:
            return ()
        found: list[Recorded] = []
        for fact in self._journal.read(stream, first - 1):
            bets = any(isinstance(each.event, e.BetsPlaced) for each in found)
            if fact.command_id != command_id and not bets:
                break
            found.append(fact)
            match fact.event:
                case e.BetsConfirmed(batch=name) if name == batch:
                    break
                case e.BetsClosed() | e.RoundVoided():
                    break
                case _:
                    pass
        return found

    def bets_of(
        self, player: str, before: int, limit: int, platform: str
    ) -> Sequence[Mapping[str, Any]]:
        """A player's bets whose number is below `before`, newest first; all where it is 0.

        Those that this platform placed, and what plays cost in a round in which it has one.
        """
        self.record.refresh()
        own, theirs = BETS.alias("own"), f"{platform}."
        placed = select(own.c.n).where(
            own.c.player == player,
            own.c.round_id == BETS.c.round_id,
            own.c.batch.startswith(theirs, autoescape=True),
            own.c.state != "refused",
        )
        of_play = BETS.c.batch.startswith(FUNDS_OF, autoescape=True) & placed.exists()
        mine = BETS.c.batch.startswith(theirs, autoescape=True)
        query = select(BETS).where(BETS.c.player == player, mine | of_play)
        if before:
            query = query.where(BETS.c.n < before)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(BETS.c.n.desc()).limit(limit)).mappings()
            return [_bet(dict(row)) for row in rows]


def _bet(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "n": row["n"],
        "table": row["table_name"],
        "round": row["round_id"],
        "id": row["bet_id"],
        "bet": row["bet"],
        "stake": row["stake"],
        "state": row["state"],
        "reason": row["reason"].removeprefix("refused."),
        "returned": row["returned"],
        "chosen": row["chosen"].strip(),
        "played": row["played"],
        "placed_at": at_of(row["placed_us"]),
        "ended_in": row["ended_round"],
        "ended_at": "" if row["ended_us"] is None else at_of(row["ended_us"]),
    }
