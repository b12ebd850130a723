"""The table of rounds for reports; made from the journal at any time, never a source of truth."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from studio.domain import events as e
from studio.domain.cards import HIDDEN
from studio.domain.envelope import Recorded, canonical
from studio.storage import schema
from studio.storage.chain import chain_of
from studio.storage.journal import JOURNAL, SqlJournal
from studio.table.evolve_results import VOID

ROUNDS: Table = schema.RoundRow.__table__  # type: ignore[attr-defined]
MODELS: Table = schema.ReadModelRow.__table__  # type: ignore[attr-defined]
NAME: Final = "rounds"
VERSION: Final = 3
"""Raised when a round is read in another way; all rounds are then rebuilt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummary:
    """One round as reports want it; amounts in minor units."""

    round_id: str
    table: str
    shoe_no: int
    round_no: int
    game: str
    opened_us: int
    ended_us: int | None
    """None while it is open."""
    first_version: int
    last_version: int
    """The round's facts in its stream, from its opening until its cards were collected."""
    outcome: str
    """One word for the result; empty while there is none, and for a void."""
    cards: tuple[tuple[str, str], ...]
    """(hand, code) in order of dealing; a face-down card that nobody may know is ``XX``."""
    staked: int
    returned: int
    refunded: int
    state: str
    """``open``, ``settled`` or ``voided``."""
    faults: tuple[str, ...]
    """Codes of the faults raised in it, in order."""

    @property
    def house(self) -> int:
        """What the house keeps, below 0 if it pays: staked = returned + refunded + house."""
        return 0 if self.state == "open" else self.staked - self.returned - self.refunded

    def line(self) -> dict[str, Any]:
        """Give the round as `demo --json` prints it (CONTRACTS.md 3)."""
        return {
            "round": self.round_id,
            "game": self.game,
            "outcome": self.outcome,
            "cards": [list(card) for card in self.cards],
            "staked": self.staked,
            "returned": self.returned,
            "refunded": self.refunded,
            "house": self.house,
            "state": self.state,
            "faults": list(self.faults),
        }


def rounds_of(stream: str, facts: Iterable[Recorded]) -> list[RoundSummary]:
    """Give the rounds in the facts of one stream, in order, as later corrections have them."""
    return _read(stream, facts, [])


def read_rounds(streams: Iterable[tuple[str, Iterable[Recorded]]]) -> list[RoundSummary]:
    """Give the rounds of streams in their order, as corrections in later ones have them too."""
    late: list[e.ResultCorrected] = []
    found = [summary for stream, facts in streams for summary in _read(stream, facts, late)]
    known = {summary.round_id: number for number, summary in enumerate(found)}
    for event in late:
        number = known.get(event.round_id)
        if number is not None:
            values = corrected(event)
            if event.cards:
                cards = zip(event.placed, event.cards, strict=True)
                values["cards"] = tuple((at[1], card.code) for at, card in cards)
            found[number] = replace(found[number], **values)
    return found


def _read(
    stream: str, facts: Iterable[Recorded], late: list[e.ResultCorrected]
) -> list[RoundSummary]:
    """Give the rounds of a stream; corrections of rounds of earlier streams are added to `late`."""
    found: list[_Draft] = []
    current: _Draft | None = None
    for fact in facts:
        if isinstance(fact.event, e.ResultCorrected):
            meant = [d for d in found if d.opened.round_id == fact.event.round_id]
            for draft in meant:
                draft.correct(fact.event)
            if not meant:
                late.append(fact.event)
        elif isinstance(fact.event, e.RoundOpened):
            current = _Draft(fact.event, fact.at_us, fact.version, fact.version)
            found.append(current)
        elif current is not None:
            current.follow(fact)
            if isinstance(fact.event, e.RoundCleared | e.ShoeProcedureStarted | e.TableClosed):
                current = None
    table = chain_of(stream).rpartition("/")[2]
    return [draft.summary(table) for draft in found]


@dataclass(slots=True)
class _Draft:
    """A round while its facts are read."""

    opened: e.RoundOpened
    opened_us: int
    first_version: int
    last_version: int
    ended_us: int | None = None
    outcome: str = ""
    cards: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By place in the round."""
    staked: int = 0
    returned: int = 0
    refunded: int = 0
    state: str = "open"
    faults: list[str] = field(default_factory=list)

    def follow(self, fact: Recorded) -> None:
        """Add a fact to the open or shown round."""
        self.last_version = fact.version
        match fact.event:
            case e.CardDealt(index=index, to=to, card=card):
                self.cards[index] = (to, HIDDEN if card is None else card.code)
            case e.CardCorrected(index=index, new=new, kept=kept):
                if index in self.cards:
                    self.cards[index] = (self.cards[index][0], HIDDEN if new is None else new.code)
                self.cards = {at: card for at, card in self.cards.items() if at < kept}
            case e.CardTurned(index=index, card=card) if index in self.cards:
                self.cards[index] = (self.cards[index][0], card.code)
            case e.CardMoved(index=index, to=to, card=card):
                self.cards[index] = (to, HIDDEN if card is None else card.code)
            case e.BetsClosed(total=total):
                self.staked = total
            case e.RoundFinished(code=code):
                self.outcome = code
            case e.RoundSettled(staked=staked, returned=returned):
                self.state, self.ended_us = "settled", fact.at_us
                self.staked, self.returned = staked, returned
            case e.RoundVoided(staked=staked, refunded=refunded):
                self.state, self.ended_us, self.outcome = "voided", fact.at_us, ""
                self.staked, self.returned, self.refunded = staked, 0, refunded
            case e.FaultRaised(fault=fault):
                self.faults.append(fault.code.value)
            case _:
                pass

    def correct(self, event: e.ResultCorrected) -> None:
        """The round as it truly ended; when it ended stays as it was."""
        for name, value in corrected(event).items():
            setattr(self, name, value)
        if event.cards:
            cards = zip(event.placed, event.cards, strict=True)
            self.cards = {at[0]: (at[1], card.code) for at, card in cards}

    def summary(self, table: str) -> RoundSummary:
        """Give the round as far as it was read."""
        return RoundSummary(
            round_id=self.opened.round_id,
            table=table,
            shoe_no=self.opened.shoe_no,
            round_no=self.opened.round_no,
            game=self.opened.game,
            opened_us=self.opened_us,
            ended_us=self.ended_us,
            first_version=self.first_version,
            last_version=self.last_version,
            outcome=self.outcome,
            cards=tuple(self.cards[index] for index in sorted(self.cards)),
            staked=self.staked,
            returned=self.returned,
            refunded=self.refunded,
            state=self.state,
            faults=tuple(self.faults),
        )


def corrected(event: e.ResultCorrected) -> dict[str, Any]:
    """State, result and money of a round by its newest correction."""
    if event.new_code == VOID:
        return {
            "state": "voided",
            "outcome": "",
            "staked": event.staked,
            "returned": 0,
            "refunded": event.returned,
        }
    return {
        "state": "settled",
        "outcome": event.new_code,
        "staked": event.staked,
        "returned": event.returned,
        "refunded": 0,
    }


class Rounds:
    """The table of rounds in the database of a journal. Any thread may use it."""

    def __init__(self, journal: SqlJournal) -> None:
        """Stand on an open journal."""
        self._journal = journal
        self._database = journal.database

    def rebuild(self) -> int:
        """Throw the table away and make it again from the journal; the number of rounds."""
        with self._database.writing() as connection:
            connection.execute(delete(MODELS).where(MODELS.c.name == NAME))
            connection.execute(delete(ROUNDS))
        self.refresh()
        with self._database.reading() as connection:
            return connection.execute(select(func.count()).select_from(ROUNDS)).scalar_one()

    def refresh(self) -> None:
        """Read again the streams that have new facts; all of them after a change of version."""
        with self._database.reading() as connection:
            position = _position(connection)
            newest = connection.execute(select(func.max(JOURNAL.c.position))).scalar() or 0
            query = select(JOURNAL.c.stream).where(JOURNAL.c.position > (position or 0))
            streams = connection.execute(query.distinct()).scalars().all()
        # A fact that comes meanwhile is read now or at the next time, and twice does no harm.
        late: list[e.ResultCorrected] = []
        summaries = {stream: _read(stream, self._journal.read(stream), late) for stream in streams}
        with self._database.writing() as connection:
            if position is None:
                connection.execute(delete(ROUNDS))
            for stream, rounds in summaries.items():
                connection.execute(delete(ROUNDS).where(ROUNDS.c.stream == stream))
                if rounds:
                    connection.execute(
                        insert(ROUNDS), [_row(stream, summary) for summary in rounds]
                    )
            for correction in late:
                _correct(connection, correction)
            connection.execute(delete(MODELS).where(MODELS.c.name == NAME))
            stands = {"name": NAME, "version": VERSION, "position": newest}
            connection.execute(insert(MODELS), [stands])

    def all(self, table: str = "") -> Sequence[RoundSummary]:
        """Give the rounds of a table, or of all, in order of opening, as the table stands."""
        query = select(ROUNDS).order_by(ROUNDS.c.opened_us, ROUNDS.c.first_version)
        if table:
            query = query.where(ROUNDS.c.table_name == table)
        with self._database.reading() as connection:
            return [_summary(dict(row)) for row in connection.execute(query).mappings()]

    def one(self, round_id: str) -> tuple[str, RoundSummary] | None:
        """Give the stream of a round and the round; None if the table knows no such round."""
        query = select(ROUNDS).where(ROUNDS.c.round_id == round_id)
        with self._database.reading() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else (row["stream"], _summary(dict(row)))


def _position(connection: Connection) -> int | None:
    """Give how far the table has read; None if it must be made again."""
    query = select(MODELS.c.position).where(MODELS.c.name == NAME, MODELS.c.version == VERSION)
    return connection.execute(query).scalar()


def _correct(connection: Connection, event: e.ResultCorrected) -> None:
    """A round of an earlier stream as its correction has it; the shoe went over the day's end."""
    values = corrected(event)
    if event.cards:
        cards = zip(event.placed, event.cards, strict=True)
        values["cards"] = canonical([(at[1], card.code) for at, card in cards])
    house = event.staked - values["returned"] - values["refunded"]
    query = update(ROUNDS).where(ROUNDS.c.round_id == event.round_id)
    connection.execute(query.values(**values, house=house))


def _row(stream: str, summary: RoundSummary) -> dict[str, Any]:
    """Give a row of the table."""
    return {
        "round_id": summary.round_id,
        "stream": stream,
        "first_version": summary.first_version,
        "last_version": summary.last_version,
        "table_name": summary.table,
        "shoe_no": summary.shoe_no,
        "round_no": summary.round_no,
        "game": summary.game,
        "opened_us": summary.opened_us,
        "ended_us": summary.ended_us,
        "outcome": summary.outcome,
        "cards": canonical(summary.cards),
        "staked": summary.staked,
        "returned": summary.returned,
        "refunded": summary.refunded,
        "house": summary.house,
        "state": summary.state,
        "faults": canonical(summary.faults),
    }


def _summary(row: dict[str, Any]) -> RoundSummary:
    """Give a round back."""
    return RoundSummary(
        round_id=row["round_id"],
        table=row["table_name"],
        shoe_no=row["shoe_no"],
        round_no=row["round_no"],
        game=row["game"],
        opened_us=row["opened_us"],
        first_version=row["first_version"],
        last_version=row["last_version"],
        ended_us=row["ended_us"],
        outcome=row["outcome"],
        cards=tuple((hand, code) for hand, code in json.loads(row["cards"])),
        staked=row["staked"],
        returned=row["returned"],
        refunded=row["refunded"],
        state=row["state"],
        faults=tuple(json.loads(row["faults"])),
    )
