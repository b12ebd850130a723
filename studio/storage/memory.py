"""The journal in memory, for `play` and for tests. It keeps the same promises but one: the disk."""

from collections.abc import Iterator, Sequence
from threading import RLock
from typing import Any

from studio.domain.envelope import (
    CommandRecord,
    Envelope,
    OutboxEntry,
    Outgoing,
    Recorded,
    canonical,
)
from studio.live.ports import JournalError, RepeatedAppend, VersionConflict
from studio.storage.chain import chain_of
from studio.storage.codec import Codec, default_codec


class MemoryJournal:
    """Facts in lists. Any thread may use it.

    Without `checked` events are kept as they are given, and what has no canonical form is found
    only when they are read; `play` does so to be quick.
    """

    def __init__(self, *, checked: bool = True, codec: Codec | None = None) -> None:
        """Begin empty."""
        self._checked = checked
        self._codec = codec or default_codec()
        self._lock = RLock()
        self._streams: dict[str, list[Recorded]] = {}
        self._written: dict[str, set[str]] = {}
        self._last_us: dict[str, int] = {}
        self._commands: dict[str, CommandRecord] = {}
        self._outbox: list[Outgoing] = []
        self._told: set[str] = set()
        self._cursors: dict[str, int] = {}

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
        """Keep all of it, or nothing; the new version of the stream.

        Raises:
            VersionConflict: if the stream is not at `expected_version`.
            RepeatedAppend: if this command id has written to this stream before.
            TypeError: if an event holds what has no canonical form.
            JournalError: if an id in the outbox was used before.
        """
        if self._checked:
            for event in events:
                self._codec.encode(event)
            for entry in outbox:
                canonical(dict(entry.data))
        with self._lock:
            version = len(self._streams.get(stream, ()))
            self._refuse(stream, version, expected_version, envelope, events)
            self._refuse_repeats(outbox)
            chain = chain_of(stream)
            at_us = max(self._last_us.get(chain, 0), envelope.at_us)
            if events:
                self._last_us[chain] = at_us
                self._written.setdefault(stream, set()).add(envelope.command_id)
                facts = self._streams.setdefault(stream, [])
                facts.extend(_facts(version, at_us, envelope, events))
            for entry in outbox:
                self._told.add(entry.id)
                self._outbox.append(Outgoing(n=len(self._outbox) + 1, entry=entry))
            if command is not None:
                self._commands.setdefault(command.command_id, command)
            return version + len(events)

    def _refuse(
        self,
        stream: str,
        version: int,
        expected_version: int,
        envelope: Envelope,
        events: Sequence[Any],
    ) -> None:
        """Refuse a second writer and a second time."""
        if version != expected_version:
            raise VersionConflict(
                f"{stream} is at version {version}, not {expected_version}: "
                "another writer was there"
            )
        if events and envelope.command_id in self._written.get(stream, ()):
            raise RepeatedAppend(f"{envelope.command_id} has written to {stream} before")

    def _refuse_repeats(self, outbox: Sequence[OutboxEntry]) -> None:
        """Refuse what the unique keys of the database refuse."""
        ids = [entry.id for entry in outbox]
        if len(set(ids)) < len(ids) or not self._told.isdisjoint(ids):
            raise JournalError("what was to be written is there already: an id of the outbox")

    def read(self, stream: str, after: int = 0, *, secrets: bool = False) -> Iterator[Recorded]:
        """Read the facts of a stream with a version greater than `after`, in order."""
        with self._lock:
            facts = self._streams.get(stream, [])[after:]
        for fact in facts:
            yield fact if secrets else self._closed(fact)

    def _closed(self, fact: Recorded) -> Recorded:
        """Give the fact as those see it who may not know sealed cards."""
        encoded = self._codec.encode(fact.event)
        if not encoded.sealed:
            return fact
        event = self._codec.decode(
            encoded.name, encoded.version, encoded.body, attachment=encoded.attachment
        )
        return Recorded(
            version=fact.version,
            at_us=fact.at_us,
            actor=fact.actor,
            command_id=fact.command_id,
            event=event,
            cause=fact.cause,
        )

    def version(self, stream: str) -> int:
        """The version of the newest fact; 0 if there is none."""
        with self._lock:
            return len(self._streams.get(stream, ()))

    def streams(self) -> Sequence[str]:
        """Give the names of all streams, in the order in which they began."""
        with self._lock:
            return list(self._streams)

    def record_command(self, record: CommandRecord) -> None:
        """Keep a command that made no event; a repeated id is kept once."""
        with self._lock:
            self._commands.setdefault(record.command_id, record)

    def answer_of(self, command_id: str) -> CommandRecord | None:
        """Give what was answered to this id before; None if it was never asked."""
        with self._lock:
            return self._commands.get(command_id)

    def feed(self, table: str, after: int = 0, limit: int = 500) -> Sequence[Outgoing]:
        """Give the outbox of a table with `n` greater than `after`, in order."""
        with self._lock:
            found = [each for each in self._outbox[after:] if each.entry.table == table]
        return found[:limit]

    def pending(self, receiver: str, limit: int = 500) -> Sequence[Outgoing]:
        """Give what this receiver has not confirmed yet, of all tables, in order."""
        with self._lock:
            after = self._cursors.get(receiver, 0)
            return self._outbox[after : after + limit]

    def mark(self, receiver: str, n: int) -> None:
        """Keep that this receiver has confirmed everything up to `n`; it never goes back."""
        with self._lock:
            self._cursors[receiver] = max(n, self._cursors.get(receiver, 0))


def _facts(
    version: int, at_us: int, envelope: Envelope, events: Sequence[Any]
) -> Iterator[Recorded]:
    """Number the events."""
    for number, event in enumerate(events, version + 1):
        yield Recorded(
            version=number,
            at_us=at_us,
            actor=envelope.actor,
            command_id=envelope.command_id,
            event=event,
            cause=envelope.cause,
        )
