"""A journalled round for people: its facts in order, with nothing that is still secret.

A sealed card is shown once it was revealed or its shoe has ended; before, it is ``XX`` for
everybody, whoever may read the database.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, select

from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import seal_digest
from studio.live.ports import JournalError
from studio.storage import schema
from studio.storage.database import open_existing
from studio.storage.meta import read_meta

JOURNAL: Table = schema.JournalRow.__table__  # type: ignore[attr-defined]
SEALS: Table = schema.SealRow.__table__  # type: ignore[attr-defined]
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
ENDS: Final = frozenset({"round_cleared", "shoe_procedure_started", "table_closed"})
"""Facts with which the story of a round ends."""
AFTERWARDS: Final = ("bets_stayed", "result_corrected", "receivable_noted")
"""Facts about a round that may come long after its end."""


@dataclass(frozen=True, slots=True)
class ShownFact:
    """One fact of a round as it may be printed."""

    version: int
    at: str
    """RFC 3339, UTC, with microseconds."""
    actor: str
    event: str
    body: dict[str, Any]
    """Plain JSON; a sealed card has its digest and, if it may be known, its code."""

    def as_dict(self) -> dict[str, Any]:
        """Give the fact as one JSON line."""
        return {
            "version": self.version,
            "at": self.at,
            "actor": self.actor,
            "event": self.event,
            "body": self.body,
        }

    def line(self) -> str:
        """Give the fact as one line for people."""
        said = " ".join(f"{name}={_short(value)}" for name, value in self.body.items())
        return f"{self.version:>6}  {self.at}  {self.actor:<22}  {self.event:<18}  {said}".rstrip()


def show_round(url: str, round_id: str) -> tuple[ShownFact, ...]:
    """Give the facts of a round in order.

    Raises:
        JournalError: if there is no such database, or no such round in it.
    """
    with open_existing(url) as database, database.reading() as connection:
        first, rows = _whole_story(connection, round_id)
        known = _may_be_known(connection, first)
        return tuple(_shown(row, known) for row in rows)


def story_positions(connection: Connection, round_id: str) -> tuple[int, ...]:
    """Give the places in the journal of the facts of a round, in order.

    Raises:
        JournalError: if there is no such round.
    """
    return tuple(row.position for row in _whole_story(connection, round_id)[1])


def _whole_story(
    connection: Connection, round_id: str
) -> tuple[Row[*tuple[Any, ...]], list[Row[*tuple[Any, ...]]]]:
    """Give the fact that opened a round, and all of its facts with what was said later.

    Raises:
        JournalError: if there is no such round.
    """
    first = _opening(connection, round_id)
    if first is None:
        raise JournalError(
            f"there is no round {round_id} in this journal: name one as `demo --json` prints it"
        )
    rows = list(_story(connection, first))
    told = {row.position for row in rows}
    later = _later(connection, first, round_id)
    return first, rows + [row for row in later if row.position not in told]


def instant(at_us: int) -> str:
    """Give an instant as RFC 3339 in UTC with microseconds."""
    moment = EPOCH + timedelta(microseconds=at_us)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _opening(connection: Connection, round_id: str) -> Row[*tuple[Any, ...]] | None:
    """Give the fact that opened the round."""
    said = f'"round_id":{json.dumps(round_id)}'
    query = select(JOURNAL).where(
        JOURNAL.c.type == "round_opened", JOURNAL.c.body.contains(said, autoescape=True)
    )
    return connection.execute(query).first()


def _story(connection: Connection, first: Row[*tuple[Any, ...]]) -> Iterator[Row[*tuple[Any, ...]]]:
    """Give the facts of the round that begins here."""
    query = (
        select(JOURNAL)
        .where(JOURNAL.c.stream == first.stream, JOURNAL.c.version >= first.version)
        .order_by(JOURNAL.c.version)
        .execution_options(yield_per=200)
    )
    for row in connection.execute(query):
        if row.version > first.version and row.type == "round_opened":
            return
        yield row
        if row.type in ENDS:
            return


def _later(
    connection: Connection, first: Row[*tuple[Any, ...]], round_id: str
) -> Iterator[Row[*tuple[Any, ...]]]:
    """Give what was said of the round once it was paid: corrections, and what is owed by them."""
    said = f'"round_id":{json.dumps(round_id)}'
    query = (
        select(JOURNAL)
        .where(
            JOURNAL.c.chain == first.chain,
            JOURNAL.c.position > first.position,
            JOURNAL.c.type.in_(AFTERWARDS),
            JOURNAL.c.body.contains(said, autoescape=True),
        )
        .order_by(JOURNAL.c.position)
    )
    yield from connection.execute(query)


def _may_be_known(connection: Connection, first: Row[*tuple[Any, ...]]) -> dict[str, str]:
    """Give the cards behind the seals of this table that may be known by now, by digest."""
    later = select(JOURNAL.c.body, JOURNAL.c.type, JOURNAL.c.position).where(
        JOURNAL.c.chain == first.chain, JOURNAL.c.position > first.position
    )
    known = {}
    for row in connection.execute(later.where(JOURNAL.c.body.contains('"salt":"'))):
        for card, salt in _revealed(json.loads(row.body)):
            known[seal_digest(Card.parse(card), salt)] = card
    ended = connection.execute(
        later.where(JOURNAL.c.type == "shoe_ended").order_by(JOURNAL.c.position)
    ).first()
    if ended is not None:
        sealed_before = (
            select(SEALS.c.digest, SEALS.c.card)
            .join(
                JOURNAL,
                (JOURNAL.c.stream == SEALS.c.stream) & (JOURNAL.c.version == SEALS.c.version),
            )
            .where(JOURNAL.c.chain == first.chain, JOURNAL.c.position < ended.position)
        )
        known.update((row.digest, row.card) for row in connection.execute(sealed_before))
    return known


def story_line(row: Row[*tuple[Any, ...]]) -> str:
    """Give a fact as one line for people, with every sealed card as ``XX``."""
    return _shown(row, {}).line()


def _revealed(plain: object) -> Iterator[tuple[str, str]]:
    """Give (card, salt) of every reveal inside a body."""
    if isinstance(plain, dict):
        if plain.keys() == {"card", "salt"}:
            yield plain["card"], plain["salt"]
        for each in plain.values():
            yield from _revealed(each)
    elif isinstance(plain, list):
        for each in plain:
            yield from _revealed(each)


def _shown(row: Row[*tuple[Any, ...]], known: dict[str, str]) -> ShownFact:
    """Give a fact as it may be printed."""
    actor, _ = read_meta(row.meta)
    role = f" ({actor.role})" if actor.role else ""
    return ShownFact(
        version=row.version,
        at=instant(row.recorded_us),
        actor=f"{actor.kind.value} {actor.name}{role}",
        event=row.type,
        body=_opened(json.loads(row.body), known),
    )


def _opened(plain: Any, known: dict[str, str]) -> Any:
    """Put the card beside each seal: its code, or ``XX``."""
    if isinstance(plain, dict):
        if plain.keys() == {"sealed"}:
            return {"sealed": plain["sealed"], "card": known.get(plain["sealed"], HIDDEN)}
        return {name: _opened(each, known) for name, each in plain.items()}
    if isinstance(plain, list):
        return [_opened(each, known) for each in plain]
    return plain


def _short(value: object) -> str:
    """Give a value for a line: a card as its code, the rest as JSON."""
    if isinstance(value, dict) and value.keys() == {"sealed", "card"}:
        return str(value["card"])
    return value if isinstance(value, str) and value.isalnum() else json.dumps(value)
