"""Checking a journal without a studio: chain, seals, columns, signatures.

It reads only plain rows and knows no event but those that end a round or a shoe, so that an auditor
can follow it, and so that a mistake in the codec cannot hide one in the journal.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, func, select, true

from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import canonical, seal_digest
from studio.live.signing import signature_holds
from studio.storage import schema
from studio.storage.chain import GENESIS, Link, chain_of
from studio.storage.database import open_existing

JOURNAL: Table = schema.JournalRow.__table__  # type: ignore[attr-defined]
ATTACHMENTS: Table = schema.AttachmentRow.__table__  # type: ignore[attr-defined]
SEALS: Table = schema.SealRow.__table__  # type: ignore[attr-defined]
HEADS: Table = schema.HeadRow.__table__  # type: ignore[attr-defined]
MOST_PROBLEMS: Final = 20
"""Problems that are named; the rest is counted."""
PACKED_KEYS: Final = frozenset({"kind", "key", "count", "totals", "digest"})
REVEALED_KEYS: Final = frozenset({"card", "salt"})
SEALED_KEYS: Final = frozenset({"sealed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a check found."""

    streams: int
    facts: int
    rounds: int
    problems: tuple[str, ...]
    """One sentence each, the first bad fact first; at most twenty."""
    count: int
    """How many problems there are."""
    heads: int
    """Signed heads, all of which hold if there is no problem."""
    unsigned: int
    """Facts after the last signed head of their table."""
    keys: tuple[str, ...]
    """Public keys that signed, hexadecimal."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; a journal without signatures may be right."""
        return not self.count

    @property
    def signed(self) -> bool:
        """Whether any head is signed."""
        return self.heads > 0

    def lines(self) -> tuple[str, ...]:
        """Give the report for people, one sentence a line."""
        first = f"{self.streams} streams, {self.facts} facts, {self.rounds} rounds"
        if not self.ok:
            more = self.count - len(self.problems)
            rest = (f"and {more} more",) if more else ()
            return (first, *self.problems, *rest, "the journal does NOT verify")
        if not self.signed:
            return (first, "the chain holds", "unsigned", "the journal verifies")
        signed = f"signed: {self.heads} heads, {self.unsigned} facts after the last one"
        return (first, "the chain holds", signed, "the journal verifies")


def verify(url: str, *, public_key: str = "") -> Report:
    """Check the whole journal; with a public key every signature must be of that key.

    Raises:
        JournalError: if there is no journal to check.
    """
    with open_existing(url) as database, database.reading() as connection:
        return check_journal(connection, public_key=public_key)


def check_journal(connection: Connection, *, public_key: str = "", days: int = 0) -> Report:
    """Check the journal that a snapshot shows: all of it, or the last so many days of each table.

    A start checks a few days, because years of facts take minutes.
    """
    found = _Findings()
    seals = _check_seals(connection, found)
    streams = _streams(connection, days) if days else None
    heads = _check_heads(connection, found, public_key, streams)
    walk = _Walk(found, seals, {(stream, version) for stream, version, _ in heads})
    if streams is not None:
        walk.begin_after(_before(connection, streams))
    for row in _facts(connection, streams):
        try:
            walk.step(row)
        except (TypeError, AttributeError, KeyError, ValueError, IndexError):
            found.add(f"fact {row.position}: it is not what was written: a field cannot be read")
    _check_strays(connection, found, walk, streams)
    return Report(
        streams=len(walk.versions),
        facts=walk.facts,
        rounds=len(walk.rounds),
        problems=tuple(found.named),
        count=found.count,
        heads=len(heads),
        unsigned=walk.unsigned,
        keys=tuple(sorted({key for _, _, key in heads})),
    )


@dataclass(slots=True)
class _Findings:
    """Problems in the order in which they are found."""

    named: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, sentence: str) -> None:
        """Keep a problem."""
        self.count += 1
        if len(self.named) < MOST_PROBLEMS:
            self.named.append(sentence)


def _streams(connection: Connection, days: int) -> list[str]:
    """Give the last so many streams of each chain."""
    begun: dict[str, list[str]] = {}
    query = select(JOURNAL.c.chain, JOURNAL.c.stream).group_by(JOURNAL.c.chain, JOURNAL.c.stream)
    for row in connection.execute(query.order_by(func.min(JOURNAL.c.position))):
        begun.setdefault(row.chain, []).append(row.stream)
    return [stream for streams in begun.values() for stream in streams[-days:]]


def _in(column: Any, streams: list[str] | None) -> Any:
    """Give the condition that a row is of one of these streams; None: of any."""
    return true() if streams is None else column.in_(streams)


def _before(connection: Connection, streams: list[str]) -> Iterator[tuple[str, str, int]]:
    """Give chain, hash and instant of the last fact before the first of these streams."""
    first = (
        select(JOURNAL.c.chain, func.min(JOURNAL.c.position).label("position"))
        .where(JOURNAL.c.stream.in_(streams))
        .group_by(JOURNAL.c.chain)
    )
    for chain, position in connection.execute(first):
        query = (
            select(JOURNAL.c.hash, JOURNAL.c.recorded_us)
            .where(JOURNAL.c.chain == chain, JOURNAL.c.position < position)
            .order_by(JOURNAL.c.position.desc())
        )
        row = connection.execute(query.limit(1)).first()
        if row is not None:
            yield chain, row.hash, row.recorded_us


def _facts(connection: Connection, streams: list[str] | None) -> Iterator[Row[*tuple[Any, ...]]]:
    """Give the facts with their columns, table by table, in order of writing."""
    beside = (JOURNAL.c.stream == ATTACHMENTS.c.stream) & (
        JOURNAL.c.version == ATTACHMENTS.c.version
    )
    query = (
        select(JOURNAL, ATTACHMENTS.c.packed, ATTACHMENTS.c.digest.label("stored_digest"))
        .select_from(JOURNAL.outerjoin(ATTACHMENTS, beside))
        .where(_in(JOURNAL.c.stream, streams))
        .order_by(JOURNAL.c.chain, JOURNAL.c.position)
        .execution_options(yield_per=1000)
    )
    yield from connection.execute(query)


class _Walk:
    """One pass over the facts of all tables."""

    def __init__(self, found: _Findings, seals: set[str], heads: set[tuple[str, int]]) -> None:
        """Begin before the first fact, with the good seals and the facts that are signed."""
        self.facts = 0
        self.versions: dict[str, int] = {}
        self.with_columns: set[tuple[str, int]] = set()
        self.rounds: dict[str, str] = {}
        """What became of each round."""
        self._returned: dict[str, int] = {}
        """What had gone back of each settled round by then, minor units."""
        self._found = found
        self._seals = seals
        self._signed = heads
        self._sealed: set[str] = set()
        self._newest: dict[str, tuple[str, int]] = {}
        """Hash and instant of the newest fact of each chain."""
        self._unsigned: dict[str, int] = {}
        """Facts of each chain after its last signed one."""

    def begin_after(self, newest: Iterable[tuple[str, str, int]]) -> None:
        """Go on from facts that are not looked at; what was sealed in them is taken as sealed."""
        self._newest = {chain: (digest, at_us) for chain, digest, at_us in newest}
        self._sealed = set(self._seals)

    @property
    def unsigned(self) -> int:
        """Facts that no signature covers."""
        return sum(self._unsigned.values())

    def step(self, row: Row[*tuple[Any, ...]]) -> None:
        """Check one fact."""
        self.facts += 1
        where = f"{row.stream} fact {row.version}"
        previous, last_us = self._newest.get(row.chain, (GENESIS, 0))
        expected = self.versions.get(row.stream, 0) + 1
        if row.chain != chain_of(row.stream):
            self._found.add(f"{where}: it stands in the chain of another table")
        if row.version != expected:
            self._found.add(f"{where}: fact {expected} is missing")
        if row.prev_hash != previous:
            self._found.add(f"{where}: it does not follow the fact before it")
        if row.recorded_us < last_us:
            self._found.add(f"{where}: it is older than the fact before it")
        if _link(row).digest(row.prev_hash) != row.hash:
            self._found.add(f"{where}: it was changed after it was written")
        self.versions[row.stream] = row.version
        self._newest[row.chain] = (row.hash, row.recorded_us)
        signed = (row.stream, row.version) in self._signed
        self._unsigned[row.chain] = 0 if signed else self._unsigned.get(row.chain, 0) + 1
        self._body(row, where)

    def _body(self, row: Row[*tuple[Any, ...]], where: str) -> None:
        """Check what the body says of secrets, of columns and of the round."""
        try:
            body = json.loads(row.body)
            tidy = canonical(body) == row.body
        except (ValueError, TypeError):
            self._found.add(f"{where}: its body is no canonical JSON")
            return
        if not tidy:
            self._found.add(f"{where}: its body is no canonical JSON")
        packed = None
        for each in _objects(body):
            if each.keys() == SEALED_KEYS and not isinstance(each["sealed"], dict):
                # A fact may be nothing but a seal: then its body is no seal, what it holds is.
                self._seal(str(each["sealed"]), where)
            elif each.keys() == REVEALED_KEYS:
                self._reveal(each, where)
            elif each.keys() == PACKED_KEYS:
                packed = each
        if packed is not None:
            self._columns(row, packed, where)
        self._round(row.type, body, packed, where)

    def _seal(self, digest: str, where: str) -> None:
        if digest not in self._seals:
            self._found.add(f"{where}: the card of its seal is lost")
        self._sealed.add(digest)

    def _reveal(self, revealed: dict[str, Any], where: str) -> None:
        try:
            digest = seal_digest(Card.parse(revealed["card"]), str(revealed["salt"]))
        except ValueError:
            digest = ""
        if digest not in self._sealed:
            self._found.add(f"{where}: it reveals a card that was not sealed")

    def _columns(self, row: Row[*tuple[Any, ...]], packed: dict[str, Any], where: str) -> None:
        """Compare the stored columns with what the body says of them."""
        if row.packed is None:
            if packed["count"]:
                self._found.add(f"{where}: its columns are lost")
            return
        self.with_columns.add((row.stream, row.version))
        try:
            text = zlib.decompress(row.packed)
            columns = json.loads(text)
            counts = {len(column) for column in columns.values()}
            totals = all(sum(columns[name]) == total for name, total in packed["totals"])
        except (zlib.error, ValueError, TypeError, KeyError, AttributeError):
            self._found.add(f"{where}: its columns cannot be read")
            return
        if not sha256(text).hexdigest() == packed["digest"] == row.stored_digest:
            self._found.add(f"{where}: its columns were changed")
        if counts != {packed["count"]} or not totals:
            self._found.add(f"{where}: its columns do not add up to what it says")

    def _round(
        self, name: str, body: dict[str, Any], packed: dict[str, Any] | None, where: str
    ) -> None:
        """Check that a round begins once, ends once, and that its money adds up."""
        if name == "round_opened":
            if body["round_id"] in self.rounds:
                self._found.add(f"{where}: round {body['round_id']} was opened before")
            self.rounds[body["round_id"]] = "open"
        elif name in {"round_settled", "round_voided"}:
            if self.rounds.get(body["round_id"], "open") != "open":
                self._found.add(f"{where}: round {body['round_id']} had ended before")
            self.rounds[body["round_id"]] = name
            amounts = dict(packed["totals"]).get("amount", 0) if packed else 0
            if name == "round_voided" and body["refunded"] != amounts:
                self._found.add(f"{where}: the refunds do not add up")
            if name == "round_settled":
                rows = body["rows"]
                returned = sum(row["returned"] for row in rows)
                staked = sum(row["staked"] for row in rows)
                if not returned == body["returned"] == amounts or staked != body["staked"]:
                    self._found.add(f"{where}: the payments do not add up")
                self._returned[body["round_id"]] = returned
        elif name == "result_corrected":
            self._correction(body, packed, where)

    def _correction(self, body: dict[str, Any], packed: dict[str, Any] | None, where: str) -> None:
        """Check that a correction begins where its round stood, and what it gives and takes."""
        more = dict(packed["totals"]).get("amount", 0) if packed else 0
        less = sum(amount for *_, amount in body["debits"])
        before = self._returned.get(body["round_id"], body["returned_before"])
        if body["returned_before"] != before or body["returned"] != before + more - less:
            self._found.add(f"{where}: the correction does not add up")
        if self.rounds.get(body["round_id"], "round_settled") != "round_settled":
            self._found.add(f"{where}: it corrects round {body['round_id']}, which was not paid")
        self._returned[body["round_id"]] = body["returned"]


def _link(row: Row[*tuple[Any, ...]]) -> Link:
    """Give what the hash of a fact covers."""
    return Link(
        stream=row.stream,
        version=row.version,
        command_id=row.command_id,
        ordinal=row.ordinal,
        name=row.type,
        schema_version=row.schema_version,
        body=row.body,
        meta=row.meta,
        recorded_us=row.recorded_us,
    )


def _objects(plain: object) -> Iterator[dict[str, Any]]:
    """Give every object inside plain JSON, the outermost first."""
    if isinstance(plain, dict):
        yield plain
        for each in plain.values():
            yield from _objects(each)
    elif isinstance(plain, list):
        for each in plain:
            yield from _objects(each)


def _check_seals(connection: Connection, found: _Findings) -> set[str]:
    """Check that each stored card and salt still give their digest; the digests that do."""
    right = set()
    for row in connection.execute(select(SEALS)):
        try:
            card = None if row.card == HIDDEN else Card.parse(row.card)
            fits = seal_digest(card, row.salt) == row.digest
        except ValueError:
            fits = False
        if fits:
            right.add(row.digest)
        else:
            found.add(f"{row.stream} fact {row.version}: the card of its seal was changed")
    return right


def _check_strays(
    connection: Connection, found: _Findings, walk: _Walk, streams: list[str] | None
) -> None:
    """Name columns that no fact speaks of."""
    query = select(ATTACHMENTS.c.stream, ATTACHMENTS.c.version)
    for row in connection.execute(query.where(_in(ATTACHMENTS.c.stream, streams))):
        if (row.stream, row.version) not in walk.with_columns:
            found.add(f"{row.stream} fact {row.version}: there are columns that no fact names")


def _check_heads(
    connection: Connection, found: _Findings, public_key: str, streams: list[str] | None
) -> set[tuple[str, int, str]]:
    """Check the signatures; (stream, version, key) of those that hold."""
    good = set()
    query = select(HEADS).where(_in(HEADS.c.stream, streams)).order_by(HEADS.c.id)
    for row in connection.execute(query):
        where = f"{row.stream} fact {row.version}"
        real = _hash_at(connection, row.stream, row.version)
        holds = signature_holds(
            row.public_key, row.signature, stream=row.stream, version=row.version, head=row.hash
        )
        if real != row.hash:
            found.add(f"{where}: what was signed is not what is written")
        elif not holds:
            found.add(f"{where}: its signature does not hold")
        elif public_key and public_key != row.public_key:
            found.add(f"{where}: it was signed with another key")
        else:
            good.add((row.stream, row.version, row.public_key))
    return good


def _hash_at(connection: Connection, stream: str, version: int) -> str | None:
    """Give the hash that stands at a fact."""
    query = select(JOURNAL.c.hash).where(JOURNAL.c.stream == stream, JOURNAL.c.version == version)
    return connection.execute(query).scalar()
