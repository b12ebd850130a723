"""The bet record: each bet as its player reads it, made from the journal, never a source of truth.

It is written in small portions, so that no table waits for it with a card.
"""

import json
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import numpy as np
from sqlalchemy import (
    Connection,
    Insert,
    Table,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from studio.domain import events as e
from studio.domain.columns import Columns
from studio.domain.envelope import Attachment
from studio.storage import schema, standing
from studio.storage.codec import NO_SECRETS, default_codec
from studio.storage.journal import ATTACHMENTS, JOURNAL, SqlJournal
from studio.storage.tellers import SqlTellerStore
from studio.table.seating import read_back

BETS: Table = schema.BetRow.__table__  # type: ignore[attr-defined]
MODELS: Table = schema.ReadModelRow.__table__  # type: ignore[attr-defined]
NAME: Final = "bets"
VERSION: Final = 4
"""Raised when a bet is read in another way; all bets are then read anew."""
AT_ONCE: Final = 1_000
"""Rows written in one commit: a few milliseconds for which a table may have to wait."""
FACTS: Final = 50
"""Facts read in one snapshot."""
KINDS: Final = (
    e.BetsPlaced,
    e.BetsConfirmed,
    e.BetsRefused,
    e.BetsWithdrawn,
    e.DecisionsTaken,
    e.ActionsExecuted,
    e.BetsStayed,
    e.RoundSettled,
    e.RoundVoided,
    e.ResultCorrected,
)
NEVER_TAKEN: Final = frozenset({"refused.funds_unanswered", "refused.round_void"})
"""Why bets that still waited for the wallet are refused. Every other reason was given at the door,
to a bet that is not in the record: one in it may have the same id."""

Row = dict[str, Any]
Written = Callable[[float], None]
"""Told after each portion how many seconds it took."""


def _go_on(_took_s: float) -> None:
    """Write the next portion at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    """One fact about bets, with its place."""

    position: int
    stream: str
    at_us: int
    table: str
    event: Any


class BetRecord:
    """The table of bets in the database of a journal. Any thread may use it."""

    def __init__(self, journal: SqlJournal) -> None:
        """Stand on an open journal."""
        self._database = journal.database
        self._calls = SqlTellerStore(journal.database)
        self._codec = default_codec()
        self._one = threading.Lock()
        self._counting = threading.Lock()
        self._readers = 0
        self._written: Written = _go_on
        self._seated = ("", "")

    @property
    def wanted(self) -> bool:
        """Whether somebody waits until another has read on."""
        return self._readers > 1

    def newest(self) -> int:
        """The place of the newest fact in the journal; 0 where there is none."""
        with self._database.reading() as connection:
            return connection.execute(select(func.max(JOURNAL.c.position))).scalar() or 0

    def refresh(self, written: Written | None = None) -> None:
        """Read the facts that are new; all of them after a change of version.

        `written` is told after each portion how many seconds it took, and may wait, or raise to
        end it there. A fact that was read half is read again and changes nothing twice.
        """
        self._count(1)
        try:
            with self._one:
                self._written = written or _go_on
                while facts := self._next():
                    for fact in facts:
                        self._take(fact)
                        with self._database.writing() as connection:
                            if isinstance(fact.event, e.ResultCorrected):
                                standing.correct(connection, fact.table, fact.event)
                            _stand_at(connection, fact.position)
        finally:
            self._count(-1)

    def _count(self, change: int) -> None:
        with self._counting:
            self._readers += change

    def _next(self) -> list["_Fact"]:
        """The next facts about bets."""
        with self._database.reading() as connection:
            query = select(MODELS.c.position).where(
                MODELS.c.name == NAME, MODELS.c.version == VERSION
            )
            position = connection.execute(query).scalar()
        if position is None:
            position = 0
            with self._database.writing() as connection:
                connection.execute(delete(BETS))
                _stand_at(connection, 0)
        with self._database.reading() as connection:
            query = (
                select(JOURNAL)
                .where(JOURNAL.c.position > position, JOURNAL.c.type.in_([k.NAME for k in KINDS]))
                .order_by(JOURNAL.c.position)
                .limit(FACTS)
            )
            rows = connection.execute(query).mappings().all()
            return [self._read(connection, dict(row)) for row in rows]

    def _read(self, connection: Connection, row: Row) -> "_Fact":
        query = select(ATTACHMENTS).where(
            ATTACHMENTS.c.stream == row["stream"], ATTACHMENTS.c.version == row["version"]
        )
        found = connection.execute(query).first()
        columns = None
        if found is not None:
            unpacked = json.loads(zlib.decompress(found.packed))
            columns = Attachment(found.kind, found.key, unpacked)
        event = self._codec.decode(
            row["type"],
            row["schema_version"],
            row["body"],
            secrets=NO_SECRETS,
            attachment=columns,
        )
        return _Fact(
            position=row["position"],
            stream=row["stream"],
            at_us=row["recorded_us"],
            table=row["chain"].rpartition("/")[2],
            event=event,
        )

    def _take(self, fact: "_Fact") -> None:
        """Write what a fact says; again is no mistake."""
        event, table, at_us = fact.event, fact.table, fact.at_us
        match event:
            case e.BetsPlaced():
                self._place(event, _placed(event, table, at_us))
            case e.BetsConfirmed():
                self._confirm(event)
            case e.ActionsExecuted():
                self._add(_executed(event, table, at_us))
            case e.BetsRefused():
                late = [(bet, why, at_us) for bet, why in event.refused if why in NEVER_TAKEN]
                self._refuse(event, late)
            case e.BetsWithdrawn(round_id=round_id, ids=ids):
                self._withdraw(round_id, ids, at_us)
            case e.DecisionsTaken():
                self._choose(fact, event)
            case e.BetsStayed():
                self._stand(fact, event)
            case e.RoundSettled(round_id=round_id, columns=columns):
                self._play(fact, round_id)
                self._end(fact, columns, "settled")
            case e.RoundVoided(columns=columns):
                self._end(fact, columns, "voided")
            case _:
                pass

    def _add(self, rows: Sequence[Row]) -> None:
        dialect = sqlite if self._database.writer.dialect.name == "sqlite" else postgresql
        self._write(dialect.insert(BETS).on_conflict_do_nothing(), rows)

    def _place(self, event: e.BetsPlaced, rows: Sequence[Row]) -> None:
        """Bets that wait for the wallet; an id that it refused before may come again.

        Such a bet stands where it was placed now: seats are counted in the order of the rows.
        """
        self._add(rows)
        of_round = BETS.c.round_id == event.round_id
        own = of_round & (BETS.c.batch == event.batch)
        with self._database.reading() as connection:
            count = connection.execute(select(func.count()).where(own)).scalar() or 0
        if count == len(rows):
            return
        left = or_(BETS.c.state == "refused", BETS.c.state == "withdrawn")
        again = delete(BETS).where(of_round, left, BETS.c.bet_id == bindparam("which"))
        self._write(again, [{"which": row["bet_id"]} for row in rows])
        with self._database.writing() as connection:
            connection.execute(delete(BETS).where(own))
        self._add(rows)

    def _confirm(self, event: e.BetsConfirmed) -> None:
        own = (BETS.c.round_id == event.round_id) & (BETS.c.batch == event.batch)
        why = self._why(event) if event.refused else ""
        self._refuse(event, [(bet, why, 0) for bet in event.refused])
        query = update(BETS).where(own, BETS.c.state == "pending").values(state="accepted")
        with self._database.writing() as connection:
            connection.execute(query)

    def _why(self, event: e.BetsConfirmed) -> str:
        """The balance, unless it was a wallet far away that had not answered."""
        key = f"reserve:{event.round_id}/{event.batch}"
        kept = self._calls.get(key)
        unanswered = kept is not None and kept.unanswered
        return "refused.funds_unanswered" if unanswered else "refused.balance"

    def _refuse(
        self, event: e.BetsRefused | e.BetsConfirmed, refused: Sequence[tuple[str, str, int]]
    ) -> None:
        """Bets of this batch that waited are not in the round."""
        query = (
            update(BETS)
            .where(
                BETS.c.round_id == event.round_id,
                BETS.c.batch == event.batch,
                BETS.c.bet_id == bindparam("which"),
                BETS.c.state == "pending",
            )
            .values(state="refused", reason=bindparam("why"), ended_us=bindparam("when"))
        )
        self._write(query, [{"which": b, "why": w, "when": at or None} for b, w, at in refused])

    def _choose(self, fact: "_Fact", event: e.DecisionsTaken) -> None:
        """What players decided for the hand of their bet; once, though it is read twice."""
        columns, bet = event.columns, self._seat_bet(fact, event.round_id)
        query = (
            update(BETS)
            .where(
                BETS.c.round_id == event.round_id,
                BETS.c.player == bindparam("who"),
                BETS.c.bet == bet,
                BETS.c.state == "accepted",
                ~BETS.c.chosen.contains(bindparam("told")),
            )
            .values(chosen=BETS.c.chosen + bindparam("told"))
        )
        rows = zip(columns.players, columns.bets, strict=True)
        self._write(query, [{"who": p, "told": f" {event.window}/{d}"} for p, d in rows])

    def _play(self, fact: "_Fact", round_id: str) -> None:
        """What was executed for each seat: the name of the cohort that its player ended in."""
        done = self._before(fact, e.ActionsExecuted)
        if not isinstance(done, e.ActionsExecuted) or done.round_id != round_id:
            return
        query = (
            select(BETS.c.player)
            .where(
                BETS.c.round_id == round_id,
                BETS.c.bet == self._seat_bet(fact, round_id),
                BETS.c.state.in_(["accepted", "settled"]),
            )
            .order_by(BETS.c.n)
        )
        with self._database.reading() as connection:
            players = dict.fromkeys(connection.execute(query).scalars())
        cohorts = np.frombuffer(read_back(done.seats), "<u2").tolist()
        played = update(BETS).where(
            BETS.c.round_id == round_id,
            BETS.c.player == bindparam("who"),
            BETS.c.bet == self._seat_bet(fact, round_id),
        )
        rows = [
            {"who": player, "told": done.cohorts[cohort]}
            for player, cohort in zip(players, cohorts, strict=True)
        ]
        self._write(played.values(played=bindparam("told")), rows)

    def _seat_bet(self, fact: "_Fact", round_id: str) -> str:
        """The bet that gives its player a hand in a round."""
        if self._seated[0] != round_id:
            found = self._before(fact, e.PlayersSeated)
            bet = found.bet if isinstance(found, e.PlayersSeated) else ""
            self._seated = (round_id, bet)
        return self._seated[1]

    def _before(self, fact: "_Fact", kind: type) -> Any:
        """The newest event of a kind before a fact of the same stream; None if there is none."""
        query = (
            select(JOURNAL)
            .where(
                JOURNAL.c.stream == fact.stream,
                JOURNAL.c.position < fact.position,
                JOURNAL.c.type == kind.NAME,  # type: ignore[attr-defined]
            )
            .order_by(JOURNAL.c.version.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else self._read(connection, dict(row)).event

    def _withdraw(self, round_id: str, ids: Sequence[str], at_us: int) -> None:
        query = (
            update(BETS)
            .where(BETS.c.round_id == round_id, BETS.c.bet_id == bindparam("which"))
            .values(state="withdrawn", returned=BETS.c.stake, ended_us=at_us)
        )
        self._write(query, [{"which": bet} for bet in ids])

    def _end(self, fact: "_Fact", back: Columns, state: str) -> None:
        round_id = fact.event.round_id
        with self._database.reading() as connection:
            carried = standing.carried_into(connection, fact.table, round_id)
        done = {"state": state, "ended_us": fact.at_us, "ended_round": round_id}
        query = (
            update(BETS)
            .where(
                BETS.c.round_id == round_id,
                BETS.c.bet_id == bindparam("which"),
                BETS.c.bet == bindparam("kind"),
            )
            .values(returned=bindparam("amount"), **done)
        )
        rows = list(zip(back.ids, back.bets, back.amounts, strict=True))
        own = rows if not carried else [row for row in rows if row[:2] not in carried]
        self._write(query, [{"which": i, "kind": b, "amount": a} for i, b, a in own])
        of_row = update(BETS).where(BETS.c.n == bindparam("row"))
        theirs = [(carried[i, b], a) for i, b, a in rows if (i, b) in carried]
        self._write(
            of_row.values(returned=bindparam("amount"), **done),
            [{"row": n, "amount": amount} for n, amount in theirs],
        )

    def _stand(self, fact: "_Fact", event: e.BetsStayed) -> None:
        """All bets that stand after a round: those that stood and are not among them have ended."""
        with self._database.reading() as connection:
            carried = standing.carried_into(connection, fact.table, event.round_id)
        stay = set(zip(event.columns.ids, event.columns.bets, strict=True))
        of_row = update(BETS).where(BETS.c.n == bindparam("row"))
        ended = [n for bet, n in carried.items() if bet not in stay]
        self._write(
            of_row.where(BETS.c.state == "standing").values(
                state="settled", returned=0, ended_us=fact.at_us, ended_round=event.round_id
            ),
            [{"row": n} for n in ended],
        )
        stands = {"state": "standing", "ended_us": None}
        self._write(of_row.values(**stands), [{"row": carried[b]} for b in stay if b in carried])
        own = update(BETS).where(
            BETS.c.round_id == event.round_id,
            BETS.c.bet_id == bindparam("which"),
            BETS.c.bet == bindparam("kind"),
        )
        self._write(
            own.values(**stands),
            [{"which": i, "kind": kind} for i, kind in stay if (i, kind) not in carried],
        )

    def _write(self, query: Any, rows: Sequence[Row]) -> None:
        """Write rows in small commits.

        In the driver's own words: SQLAlchemy takes longer to bind a thousand rows than the
        database to write them.
        """
        for some in _portions(rows):
            began_s = time.monotonic()
            with self._database.writing() as connection:
                keys = list(some[0]) if isinstance(query, Insert) else None
                told = query.compile(dialect=connection.dialect, column_keys=keys)
                connection.exec_driver_sql(str(told), _bound(told, some))
            self._written(time.monotonic() - began_s)


def _bound(told: Any, rows: Sequence[Row]) -> Any:
    """The values of rows as the driver takes them: in order, or by name."""
    fixed = told.params
    whole = ({**fixed, **row} for row in rows)
    if not told.positional:
        return list(whole)
    return list(map(itemgetter(*told.positiontup), whole))


def _placed(event: e.BetsPlaced, table: str, at_us: int) -> list[Row]:
    common = {"table_name": table, "round_id": event.round_id, "batch": event.batch}
    return _rows(event.columns, {**common, "state": "pending", "placed_us": at_us})


def _executed(event: e.ActionsExecuted, table: str, at_us: int) -> list[Row]:
    """What doubles, splits and insurance cost: a stake of its own kind each."""
    batch = f"window/{event.window}"
    common = {"table_name": table, "round_id": event.round_id, "batch": batch}
    return _rows(event.columns, {**common, "state": "accepted", "placed_us": at_us})


def _rows(columns: Columns, common: Row) -> list[Row]:
    rows = zip(columns.ids, columns.players, columns.bets, columns.amounts, strict=True)
    return [
        {
            **common,
            "player": player,
            "bet_id": bet_id,
            "bet": bet,
            "stake": stake,
            "returned": 0,
            "reason": "",
            "ended_us": None,
            "ended_round": "",
            "chosen": "",
            "played": "",
        }
        for bet_id, player, bet, stake in rows
    ]


def _stand_at(connection: Connection, position: int) -> None:
    connection.execute(delete(MODELS).where(MODELS.c.name == NAME))
    connection.execute(insert(MODELS), [{"name": NAME, "version": VERSION, "position": position}])


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    for at in range(0, len(rows), AT_ONCE):
        yield rows[at : at + AT_ONCE]
