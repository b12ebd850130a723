"""The tables. Definitions only: rows of the journal are built and read in `journal`.

Instants are whole microseconds and enumerations are text, because SQLite keeps neither zones nor
enumerations. Every constraint has a name, so that a later revision can change it.
"""

from typing import Any, Final

from sqlalchemy import BigInteger, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlalchemy import text as sql
from sqlmodel import Field, SQLModel

BIG: Final = BigInteger().with_variant(Integer, "sqlite")
"""64 bits everywhere; SQLite numbers rows by itself only in a column called INTEGER."""


def big(**options: Any) -> Any:
    """Give a field of 64 bits."""
    return Field(sa_type=BIG, **options)


def text(**options: Any) -> Any:
    """Give a field of text without a limit."""
    return Field(sa_type=Text, **options)


STANDS: Final = "state = 'standing'"
"""Bets whose round has ended and that have not."""
CARRIED: Final = "ended_round <> '' AND ended_round <> round_id"
"""Bets that a later round ended than the one in which they were placed."""


def some_of(name: str, column: str, *, where: str) -> Index:
    """Give an index of the few rows for which this holds: nothing else is written into it."""
    told = sql(where)
    return Index(name, column, sqlite_where=told, postgresql_where=told)


class JournalRow(SQLModel, table=True):
    """One fact. Never updated, never deleted."""

    __tablename__ = "journal"
    __table_args__ = (
        UniqueConstraint("stream", "version", name="uq_journal_stream_version"),
        UniqueConstraint("stream", "command_id", "ordinal", name="uq_journal_command_ordinal"),
        Index("ix_journal_chain_position", "chain", "position"),
    )
    position: int | None = big(default=None, primary_key=True)
    chain: str = text()
    """The stream without its day: what the hashes go on along, as ``table/ba1``."""
    stream: str = text()
    version: int = big()
    command_id: str = text()
    ordinal: int
    """Place among the events of its command, from 0."""
    type: str = text()
    schema_version: int
    body: str = text()
    meta: str = text()
    recorded_us: int = big()
    prev_hash: str = text()
    hash: str = text()


class AttachmentRow(SQLModel, table=True):
    """Columns that stand beside an event, deflated canonical JSON."""

    __tablename__ = "attachments"
    stream: str = text(primary_key=True)
    version: int = big(primary_key=True)
    kind: str = text()
    key: str = text()
    count: int
    digest: str = text()
    packed: bytes = Field(sa_type=LargeBinary)


class SealRow(SQLModel, table=True):
    """Card and salt of a seal; the journal itself holds only the digest."""

    __tablename__ = "seals"
    __table_args__ = (Index("ix_seals_stream", "stream"),)
    digest: str = text(primary_key=True)
    stream: str = text()
    version: int = big()
    card: str = text()
    salt: str = text()


class CommandRow(SQLModel, table=True):
    """What was asked and what was answered."""

    __tablename__ = "commands"
    command_id: str = text(primary_key=True)
    stream: str = text()
    actor_kind: str = text()
    actor_name: str = text()
    actor_role: str = text()
    name: str = text()
    body: str = text()
    outcome: str = text()
    accepted: bool
    at_us: int = big()


class OutboxRow(SQLModel, table=True):
    """What the outside must be told, in order."""

    __tablename__ = "outbox"
    __table_args__ = (
        UniqueConstraint("id", name="uq_outbox_id"),
        Index("ix_outbox_table_n", "table_name", "n"),
        Index("ix_outbox_round_n", "round_id", "n"),
    )
    n: int | None = big(default=None, primary_key=True)
    id: str = text()
    type: str = text()
    table_name: str = text()
    round_id: str = text()
    at_us: int = big()
    data: str = text()


class CursorRow(SQLModel, table=True):
    """How far a receiver has confirmed the outbox."""

    __tablename__ = "outbox_cursors"
    receiver: str = text(primary_key=True)
    n: int = big()


class HeadRow(SQLModel, table=True):
    """A signed head of the chain, made when a shoe ended."""

    __tablename__ = "heads"
    __table_args__ = (UniqueConstraint("stream", "version", name="uq_heads_stream_version"),)
    id: int | None = big(default=None, primary_key=True)
    stream: str = text()
    version: int = big()
    hash: str = text()
    at_us: int = big()
    public_key: str = text()
    signature: str = text()


class PersonRow(SQLModel, table=True):
    """A person who may sign in."""

    __tablename__ = "people"
    __table_args__ = (
        UniqueConstraint("number", name="uq_people_number"),
        UniqueConstraint("badge_hash", name="uq_people_badge_hash"),
    )
    id: str = text(primary_key=True)
    number: str = text()
    name: str = text()
    role: str = text()
    locale: str = text()
    badge_hash: str | None = text(default=None)
    pin_hash: str = text()
    enabled: bool
    created_us: int = big()


class SignInRow(SQLModel, table=True):
    """One try to sign in, whatever came of it."""

    __tablename__ = "sign_ins"
    __table_args__ = (
        Index("ix_sign_ins_number", "number", "at_us"),
        Index("ix_sign_ins_address", "address", "at_us"),
    )
    id: int | None = big(default=None, primary_key=True)
    at_us: int = big()
    number: str = text()
    address: str = text()
    method: str = text()
    outcome: str = text()


class SessionRow(SQLModel, table=True):
    """A sign-in that lasts; only the hash of its token is kept."""

    __tablename__ = "sessions"
    __table_args__ = (Index("ix_sessions_person", "person_id"),)
    token_hash: str = text(primary_key=True)
    person_id: str = text()
    created_us: int = big()
    seen_us: int = big()
    revoked_us: int | None = big(default=None)


class OverlayTokenRow(SQLModel, table=True):
    """A read-only address of a table; only the hash of its secret is kept."""

    __tablename__ = "overlay_tokens"
    __table_args__ = (UniqueConstraint("secret_hash", name="uq_overlay_tokens_secret_hash"),)
    id: str = text(primary_key=True)
    secret_hash: str = text()
    table_name: str = text()
    delay_ms: int
    created_us: int = big()
    revoked_us: int | None = big(default=None)


class SeatTokenRow(SQLModel, table=True):
    """The right of one seat of a table to see its hand and to choose; only a hash is kept."""

    __tablename__ = "seat_tokens"
    __table_args__ = (UniqueConstraint("secret_hash", name="uq_seat_tokens_secret_hash"),)
    id: str = text(primary_key=True)
    secret_hash: str = text()
    table_name: str = text()
    seat: int
    created_us: int = big()
    revoked_us: int | None = big(default=None)


class WalletCallRow(SQLModel, table=True):
    """One call to the embedded wallet by its key, with its answer for repeats."""

    __tablename__ = "wallet_calls"
    key: str = text(primary_key=True)
    digest: str = text()
    refused: str = text()


class WalletEntryRow(SQLModel, table=True):
    """One movement of money with both balances."""

    __tablename__ = "wallet_entries"
    __table_args__ = (
        UniqueConstraint("key", "line", name="uq_wallet_entries_key_line"),
        Index("ix_wallet_entries_player", "player", "id"),
    )
    id: int | None = big(default=None, primary_key=True)
    key: str = text()
    line: int
    player: str = text()
    amount: int = big()
    before: int = big()
    after: int = big()


class WalletBalanceRow(SQLModel, table=True):
    """The present balance of a player; the sum of the entries."""

    __tablename__ = "wallet_balances"
    player: str = text(primary_key=True)
    balance: int = big()


class RoundRow(SQLModel, table=True):
    """One round as reports want it; rebuilt from the journal at any time."""

    __tablename__ = "rounds"
    __table_args__ = (Index("ix_rounds_table", "table_name", "shoe_no", "round_no"),)
    round_id: str = text(primary_key=True)
    stream: str = text()
    first_version: int = big()
    last_version: int = big()
    table_name: str = text()
    shoe_no: int
    round_no: int
    game: str = text()
    opened_us: int = big()
    ended_us: int | None = big(default=None)
    outcome: str = text()
    cards: str = text()
    staked: int = big()
    returned: int = big()
    refunded: int = big()
    house: int = big()
    state: str = text()
    faults: str = text()


class BetRow(SQLModel, table=True):
    """One bet as its player reads it; rebuilt from the journal at any time."""

    __tablename__ = "bets"
    __table_args__ = (
        UniqueConstraint("round_id", "bet_id", "bet", name="uq_bets_round_bet"),
        Index("ix_bets_player_n", "player", "n"),
        Index("ix_bets_round_batch", "round_id", "batch"),
        some_of("ix_bets_standing", "table_name", where=STANDS),
        some_of("ix_bets_carried", "ended_round", where=CARRIED),
    )
    n: int | None = big(default=None, primary_key=True)
    player: str = text()
    table_name: str = text()
    round_id: str = text()
    batch: str = text()
    bet_id: str = text()
    bet: str = text()
    stake: int = big()
    returned: int = big()
    state: str = text()
    """``pending``, ``accepted``, ``standing`` (its round has ended and it has not), ``refused``,
    ``withdrawn``, ``settled`` or ``voided``."""
    reason: str = text()
    placed_us: int = big()
    ended_us: int | None = big(default=None)
    chosen: str = text()
    """What the player decided in time for the hand of this bet, as ``1/M:hit 2/M:stand``."""
    played: str = text()
    """What was executed, as ``M:hit M:stand``."""
    ended_round: str = text()
    """The round that ended it, its own or a later one; empty while none has."""


class WalletBatchRow(SQLModel, table=True):
    """One call to a wallet that is not ours: what was asked, and what is known of the answer."""

    __tablename__ = "wallet_batches"
    __table_args__ = (Index("ix_wallet_batches_state", "state"),)
    key: str = text(primary_key=True)
    kind: str = text()
    """``reserve``, ``settle`` or ``debit``."""
    table_name: str = text()
    state: str = text()
    count: int
    amount: int = big()
    refused: str = text()
    """JSON list of what the wallet refused."""
    packed: bytes = Field(sa_type=LargeBinary)
    """What was asked, deflated JSON: the same is asked again."""
    tries: int
    history: str = text()
    """JSON list of [state, instant]."""
    trouble: str = text()


class ReadModelRow(SQLModel, table=True):
    """Which version of a read model stands, and up to which position of the journal."""

    __tablename__ = "read_models"
    name: str = text(primary_key=True)
    version: int
    position: int = big()


APPEND_ONLY: Final = (
    "journal",
    "attachments",
    "seals",
    "commands",
    "outbox",
    "heads",
    "sign_ins",
    "wallet_calls",
    "wallet_entries",
)
"""Tables whose rows are never changed and never deleted; triggers keep it."""
TRIGGERS: Final = frozenset(
    f"{table}_{what}" for table in APPEND_ONLY for what in ("no_update", "no_delete")
)
"""Names of the triggers that a database must have."""
metadata = SQLModel.metadata
