"""The journal in SQL: append in one commit, read in short snapshots."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, func, insert, select, text
from sqlalchemy.exc import IntegrityError

from studio.domain.cards import HIDDEN, Card
from studio.domain.envelope import (
    Attachment,
    CommandRecord,
    Envelope,
    OutboxEntry,
    Recorded,
    Sealed,
)
from studio.live.ports import JournalError, RepeatedAppend, VersionConflict
from studio.live.signing import Signer
from studio.storage import schema
from studio.storage.chain import GENESIS, Link, chain_of
from studio.storage.codec import NO_SECRETS, Codec, Encoded, Secrets, default_codec
from studio.storage.database import Database, open_database
from studio.storage.meta import read_meta, write_meta
from studio.storage.outbox import Outbox, command_values, outbox_values, read_command

CHUNK: Final = 2000
"""Facts read in one snapshot; between two the database may tidy its log."""
DEFLATE_LEVEL: Final = 1
"""Columns are written while a table waits; level 1 is within a tenth of the size of level 6."""
SHOE_ENDED: Final = "shoe_ended"
"""The event with which the head is signed."""


def _table(row: type) -> Table:
    """Give the Core table of a definition."""
    table: Table = row.__table__  # type: ignore[attr-defined]
    return table


JOURNAL = _table(schema.JournalRow)
ATTACHMENTS = _table(schema.AttachmentRow)
SEALS = _table(schema.SealRow)
COMMANDS = _table(schema.CommandRow)
OUTBOX = _table(schema.OutboxRow)
HEADS = _table(schema.HeadRow)


class SqlJournal(Outbox):
    """The journal of a studio. Any thread may use it; appends of all tables wait for each other."""

    def __init__(
        self, database: Database, *, signer: Signer | None = None, codec: Codec | None = None
    ) -> None:
        """Stand on an open database; with a signer the head is signed when a shoe ends."""
        super().__init__(database)
        self.database = database
        self._signer = signer
        self._codec = codec or default_codec()

    def append(
        self,
        stream: str,
        expected_version: int,
        envelope: Envelope,
        events: Sequence[Any],
        *,
        outbox: Sequence[OutboxEntry] = (),
        command: CommandRecord | None = None,
    ) -> int:
        """Write all of it in one commit, or nothing; the new version of the stream.

        Raises:
            VersionConflict: if the stream is not at `expected_version`.
            RepeatedAppend: if this command id has written to this stream before.
            TypeError: if an event holds what has no canonical form.
            JournalError: if the disk refuses, or an id in the outbox was used before.
        """
        encoded = [self._codec.encode(event) for event in events]
        told = [outbox_values(entry) for entry in outbox]
        meta = write_meta(envelope)
        try:
            with self.database.writing() as connection:
                rows = _link(connection, stream, expected_version, envelope, encoded, meta)
                if rows:
                    connection.execute(insert(JOURNAL), rows)
                self._write_beside(connection, stream, expected_version, encoded)
                self._sign(connection, rows)
                if told:
                    connection.execute(insert(OUTBOX), told)
                if command is not None:
                    _keep_command(connection, command)
        except IntegrityError as error:
            raise JournalError(f"what was to be written is there already: {error.orig}") from error
        return expected_version + len(encoded)

    def _write_beside(
        self, connection: Connection, stream: str, version: int, encoded: Sequence[Encoded]
    ) -> None:
        """Write columns and seals of the events that follow `version`."""
        columns = [
            _attachment_values(stream, number, each.attachment)
            for number, each in enumerate(encoded, version + 1)
            if each.attachment is not None
        ]
        if columns:
            connection.execute(insert(ATTACHMENTS), columns)
        # A sealed card travels through several events; its secret is kept once.
        seals = {
            sealed.digest: _seal_values(stream, number, sealed)
            for number, each in enumerate(encoded, version + 1)
            for sealed in each.sealed
        }
        if seals:
            query = select(SEALS.c.digest).where(SEALS.c.digest.in_(list(seals)))
            for known in connection.execute(query).scalars().all():
                del seals[known]
        if seals:
            connection.execute(insert(SEALS), list(seals.values()))

    def _sign(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Sign the head if a shoe has ended."""
        if self._signer is None or not any(row["type"] == SHOE_ENDED for row in rows):
            return
        head = rows[-1]
        signature = self._signer.sign(head["stream"], head["version"], head["hash"])
        connection.execute(
            insert(HEADS),
            [
                {
                    "stream": head["stream"],
                    "version": head["version"],
                    "hash": head["hash"],
                    "at_us": head["recorded_us"],
                    "public_key": self._signer.public_key,
                    "signature": signature,
                }
            ],
        )

    def read(self, stream: str, after: int = 0, *, secrets: bool = False) -> Iterator[Recorded]:
        """Read the facts of a stream with a version greater than `after`, in order.

        Raises:
            JournalError: if a fact cannot be read by this release.
        """
        opened = self._seals(stream) if secrets else NO_SECRETS
        while True:
            with self.database.reading() as connection:
                rows = connection.execute(
                    select(
                        JOURNAL.c.version,
                        JOURNAL.c.recorded_us,
                        JOURNAL.c.meta,
                        JOURNAL.c.command_id,
                        JOURNAL.c.type,
                        JOURNAL.c.schema_version,
                        JOURNAL.c.body,
                    )
                    .where(JOURNAL.c.stream == stream, JOURNAL.c.version > after)
                    .order_by(JOURNAL.c.version)
                    .limit(CHUNK)
                ).all()
                if not rows:
                    return
                columns = _attachments(connection, stream, after, rows[-1].version)
            for row in rows:
                yield self._recorded(row, opened, columns.get(row.version))
            after = rows[-1].version

    def _recorded(
        self, row: "Row[*tuple[Any, ...]]", secrets: Secrets, columns: Attachment | None
    ) -> Recorded:
        """Give one fact."""
        version, at_us, meta, command_id, name, schema_version, body = row
        actor, cause = read_meta(meta)
        event = self._codec.decode(name, schema_version, body, secrets=secrets, attachment=columns)
        return Recorded(
            version=version,
            at_us=at_us,
            actor=actor,
            command_id=command_id,
            event=event,
            cause=cause,
        )

    def _seals(self, stream: str) -> Secrets:
        """Give the opened seals of a table, whatever day they were made on."""
        query = select(SEALS.c.card, SEALS.c.salt).where(
            SEALS.c.stream.startswith(f"{chain_of(stream)}/", autoescape=True)
            | (SEALS.c.stream == stream)
        )
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
        seals = [Sealed(None if card == HIDDEN else Card.parse(card), salt) for card, salt in rows]
        return {seal.digest: seal for seal in seals}

    def version(self, stream: str) -> int:
        """The version of the newest fact; 0 if there is none."""
        with self.database.reading() as connection:
            query = select(func.max(JOURNAL.c.version)).where(JOURNAL.c.stream == stream)
            return connection.execute(query).scalar() or 0

    def streams(self) -> Sequence[str]:
        """Give the names of all streams, in the order in which they began."""
        with self.database.reading() as connection:
            query = (
                select(JOURNAL.c.stream).where(JOURNAL.c.version == 1).order_by(JOURNAL.c.position)
            )
            return connection.execute(query).scalars().all()

    def record_command(self, record: CommandRecord) -> None:
        """Keep a command that made no event; a repeated id is kept once."""
        with self.database.writing() as connection:
            _keep_command(connection, record)

    def answer_of(self, command_id: str) -> CommandRecord | None:
        """Give what was answered to this id before; None if it was never asked."""
        with self.database.reading() as connection:
            query = select(COMMANDS).where(COMMANDS.c.command_id == command_id)
            row = connection.execute(query).mappings().first()
        return None if row is None else read_command(dict(row))


def open_journal(url: str, *, signer: Signer | None = None) -> SqlJournal:
    """Open or make the database and give its journal.

    Raises:
        JournalError: with one sentence that says what to do.
    """
    return SqlJournal(open_database(url), signer=signer)


def _keep_command(connection: Connection, record: CommandRecord) -> None:
    """Keep a command once: two tables that are sent the same id at once must not stop for it."""
    query = select(COMMANDS.c.command_id).where(COMMANDS.c.command_id == record.command_id)
    if connection.execute(query).first() is None:
        connection.execute(insert(COMMANDS), [command_values(record)])


def _link(
    connection: Connection,
    stream: str,
    expected_version: int,
    envelope: Envelope,
    encoded: Sequence[Encoded],
    meta: str,
) -> list[dict[str, Any]]:
    """Read the tail, compare it with what is expected, and chain the new facts to it."""
    chain = chain_of(stream)
    if connection.dialect.name == "postgresql":
        # SQLite's write lock is held already; here one table at a time may append.
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:c))"), {"c": chain})
    version, previous, recorded_us = _tail(connection, stream, chain)
    if version != expected_version:
        raise VersionConflict(
            f"{stream} is at version {version}, not {expected_version}: another writer was there"
        )
    if version and encoded:
        query = select(JOURNAL.c.version).where(
            JOURNAL.c.stream == stream, JOURNAL.c.command_id == envelope.command_id
        )
        if connection.execute(query.limit(1)).first() is not None:
            raise RepeatedAppend(f"{envelope.command_id} has written to {stream} before")
    recorded_us = max(recorded_us, envelope.at_us)
    rows = []
    for ordinal, each in enumerate(encoded):
        link = Link(
            stream=stream,
            version=version + 1 + ordinal,
            command_id=envelope.command_id,
            ordinal=ordinal,
            name=each.name,
            schema_version=each.version,
            body=each.body,
            meta=meta,
            recorded_us=recorded_us,
        )
        digest = link.digest(previous)
        rows.append(_row_values(link, chain, previous, digest))
        previous = digest
    return rows


def _tail(connection: Connection, stream: str, chain: str) -> tuple[int, str, int]:
    """Give version, hash and instant of the newest fact of the stream, or those to go on from."""
    query = select(JOURNAL.c.version, JOURNAL.c.hash, JOURNAL.c.recorded_us)
    newest = query.where(JOURNAL.c.stream == stream).order_by(JOURNAL.c.version.desc()).limit(1)
    row = connection.execute(newest).first()
    if row is not None:
        return row.version, row.hash, row.recorded_us
    before = query.where(JOURNAL.c.chain == chain).order_by(JOURNAL.c.position.desc()).limit(1)
    row = connection.execute(before).first()
    return (0, GENESIS, 0) if row is None else (0, row.hash, row.recorded_us)


def _row_values(link: Link, chain: str, previous: str, digest: str) -> dict[str, Any]:
    """Give a row of the journal."""
    return {
        "chain": chain,
        "stream": link.stream,
        "version": link.version,
        "command_id": link.command_id,
        "ordinal": link.ordinal,
        "type": link.name,
        "schema_version": link.schema_version,
        "body": link.body,
        "meta": link.meta,
        "recorded_us": link.recorded_us,
        "prev_hash": previous,
        "hash": digest,
    }


def _attachment_values(stream: str, version: int, attachment: Attachment) -> dict[str, Any]:
    """Give a row of columns."""
    return {
        "stream": stream,
        "version": version,
        "kind": attachment.kind,
        "key": attachment.key,
        "count": attachment.count,
        "digest": attachment.packed().digest,
        "packed": zlib.compress(attachment.text().encode(), DEFLATE_LEVEL),
    }


def _seal_values(stream: str, version: int, sealed: Sealed) -> dict[str, Any]:
    """Give a row of a secret."""
    card = HIDDEN if sealed.card is None else sealed.card.code
    return {
        "digest": sealed.digest,
        "stream": stream,
        "version": version,
        "card": card,
        "salt": sealed.salt,
    }


def _attachments(
    connection: Connection, stream: str, after: int, last: int
) -> dict[int, Attachment]:
    """Give the columns of the facts after a version up to another, by version."""
    rows = connection.execute(
        select(ATTACHMENTS).where(
            ATTACHMENTS.c.stream == stream,
            ATTACHMENTS.c.version > after,
            ATTACHMENTS.c.version <= last,
        )
    )
    return {
        row.version: Attachment(row.kind, row.key, json.loads(zlib.decompress(row.packed)))
        for row in rows
    }
