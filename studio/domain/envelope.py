"""What goes round a fact when it is journalled: who, why, when, and what is packed or sealed.

Nothing here reads a clock or makes a random number: instants, identifiers and salts come from the
caller.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, Protocol, runtime_checkable

from studio.domain.cards import HIDDEN, Card
from studio.domain.values import quick


class ActorKind(StrEnum):
    """Kinds of author. Each hold and each void names one (field report R-16)."""

    PERSON = "person"
    DEVICE = "device"
    TIMER = "timer"
    PLATFORM = "platform"
    SYSTEM = "system"


@quick
@dataclass(frozen=True, slots=True)
class Actor:
    """Who made something happen."""

    kind: ActorKind
    name: str
    """A person's number, a device's or a platform's name, the name of a timer."""
    role: str = ""
    """The role that a person was signed in with, else empty."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What is common to all events of one append."""

    command_id: str
    """What they came from; the same id never makes events twice in a stream."""
    actor: Actor
    cause: str = ""
    """The chain that led here, as the name of the command or the id of an earlier fact."""
    at_us: int
    """When it was decided, UTC in microseconds; the record never goes backwards all the same."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One fact as it was read from the journal."""

    version: int
    """Number in its stream, from 1 and without gaps."""
    at_us: int
    """When it was recorded, UTC in microseconds; never smaller than that of the fact before."""
    actor: Actor
    command_id: str
    event: Any
    """One of `studio.domain.events`, brought to its present schema version."""
    cause: str = ""


def seal_digest(card: Card | None, salt: str) -> str:
    """The SHA-256, hexadecimal, of ``<card>:<salt>``; an unknown identity is ``XX``."""
    code = HIDDEN if card is None else card.code
    return sha256(f"{code}:{salt}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Sealed:
    """A card that nobody may know yet.

    The body of the event holds only the digest; card and salt are stored apart, in the same
    commit, and only the table's own recovery reads them. The salt comes from the ids port and is
    never used twice.
    """

    card: Card | None
    """The identity; None if it is not known, or if this was read without the right to know it."""
    salt: str
    """Empty if this was read without the right to know it."""
    digest: str = ""
    """Made from card and salt unless given."""

    def __post_init__(self) -> None:
        """Seal it.

        Raises:
            ValueError: for an empty salt without a digest: anybody could try all 52 cards.
        """
        if self.digest:
            return
        if not self.salt:
            raise ValueError("a sealed card needs a salt: take a new one from the ids port")
        object.__setattr__(self, "digest", seal_digest(self.card, self.salt))

    @staticmethod
    def closed(digest: str) -> "Sealed":
        """Give the sealed card as those see it who may not know it."""
        return Sealed(None, "", digest)

    @property
    def known(self) -> bool:
        """Whether card and salt are there."""
        return bool(self.salt)

    def reveal(self) -> "Revealed":
        """Open it, for the event that shows the card.

        Raises:
            ValueError: if the card is not known, or this was read without the right to know it.
        """
        if self.card is None or not self.salt:
            raise ValueError("this card cannot be revealed: its identity is not known here")
        return Revealed(self.card, self.salt)


@quick
@dataclass(frozen=True, slots=True)
class Revealed:
    """A card that was sealed in an earlier event and may now be known by all."""

    card: Card
    salt: str
    """The salt of the seal, so that anybody can check the digest in the earlier event."""

    @property
    def digest(self) -> str:
        """The digest that the seal must have had."""
        return seal_digest(self.card, self.salt)


def canonical(value: object) -> str:
    """JSON in ASCII, sorted keys, tight separators; the same value is always the same text.

    Escapes keep half a surrogate pair, which a foreign text may hold, from stopping a table.

    Raises:
        TypeError: for anything but text, whole numbers, booleans, None, lists, tuples and dicts
            with text as keys. A float has no canonical form.
    """
    _refuse_inexact(value)
    return _CANONICAL.encode(value)


_CANONICAL: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _refuse_inexact(value: object) -> None:
    """Refuse what has no single written form."""
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, list | tuple):
        for each in value:
            _refuse_inexact(each)
        return
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                raise TypeError(f"a key must be text, not {key!r}")
            _refuse_inexact(each)
        return
    raise TypeError(f"{value!r} has no canonical form: use text, whole numbers, lists and dicts")


@dataclass(frozen=True, slots=True)
class Packed:
    """What an event says of the columns that were stored with it.

    Every event that names a batch holds one, so that anybody can check the columns against the
    journal without knowing what the batch is about.
    """

    kind: str
    key: str
    count: int
    """Rows."""
    totals: tuple[tuple[str, int], ...]
    """(column, sum) for the columns that hold amounts, in minor units."""
    digest: str
    """SHA-256, hexadecimal, of the columns in canonical JSON."""


@runtime_checkable
class WrittenColumns(Protocol):
    """Columns that know their text."""

    def text(self) -> str:
        """Give all of them as canonical JSON."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """Columns that are stored packed, in the same commit as the event that names them.

    A batch of 5,000 bets is one row here and one small event, never 5,000 events.
    """

    kind: str
    """What the columns are, as ``bets`` or ``returns``."""
    key: str
    """Identity, unique with `kind` in the studio, as the id of the batch."""
    columns: Mapping[str, Sequence[str | int]]
    """Columns of equal length, by name."""

    def __post_init__(self) -> None:
        """Refuse columns of different length.

        Raises:
            ValueError: naming the lengths.
        """
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of {self.kind} {self.key} differ in length: {lengths}")

    @property
    def count(self) -> int:
        """Rows."""
        return max((len(column) for column in self.columns.values()), default=0)

    def text(self) -> str:
        """The columns as canonical JSON."""
        if isinstance(self.columns, WrittenColumns):
            return self.columns.text()
        plain = {name: list(column) for name, column in self.columns.items()}
        return json.dumps(plain, sort_keys=True, separators=(",", ":"))

    def packed(self, *amounts: str) -> Packed:
        """Say in an event's own terms what these columns hold; `amounts` are summed."""
        return Packed(
            kind=self.kind,
            key=self.key,
            count=self.count,
            totals=tuple((name, sum(map(int, self.columns[name]))) for name in sorted(amounts)),
            digest=sha256(self.text().encode()).hexdigest(),
        )


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEntry:
    """What the outside must be told, written in the same commit as the fact (CONTRACTS.md 8)."""

    id: str
    """Unique for ever; a receiver drops what it has had."""
    type: str
    """As ``round.settled``."""
    table: str
    round_id: str = ""
    at_us: int
    data: Mapping[str, Any] = field(default_factory=dict)
    """Plain values of JSON without floats."""


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """An entry of the outbox with its place in it."""

    n: int
    """Rises without end; not without gaps in one table."""
    entry: OutboxEntry


@quick
@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRecord:
    """What was asked and what was answered; the trail of what people tried."""

    command_id: str
    actor: Actor
    name: str
    """Name of the command, as ``VoidRound``."""
    body: str
    """What was asked, as canonical JSON."""
    outcome: str
    """The answer as canonical JSON; a repeated id is given the same one."""
    at_us: int
    stream: str = ""
    """The table's stream at the time, else empty."""
    accepted: bool = True
