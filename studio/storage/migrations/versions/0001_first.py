"""The first schema: journal, commands, outbox, people, wallet, rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = (
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


def text(name: str, *, primary_key: bool = False, nullable: bool = False) -> sa.Column[str]:
    """Give a column of text."""
    return sa.Column(name, sa.Text(), primary_key=primary_key, nullable=nullable)


def big(name: str, *, primary_key: bool = False, nullable: bool = False) -> sa.Column[int]:
    """Give a column of 64 bits."""
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column(name, kind, primary_key=primary_key, nullable=nullable)


def whole(name: str) -> sa.Column[int]:
    """Give a column of a small whole number."""
    return sa.Column(name, sa.Integer(), nullable=False)


def flag(name: str) -> sa.Column[bool]:
    """Give a column of yes or no."""
    return sa.Column(name, sa.Boolean(), nullable=False)


def upgrade() -> None:
    """Make everything."""
    make_journal()
    make_outbox()
    make_people()
    make_wallet()
    make_readmodels()
    for table in APPEND_ONLY:
        forbid_changes(table)


def make_journal() -> None:
    """Make what is written with each fact."""
    op.create_table(
        "journal",
        big("position", primary_key=True),
        text("chain"),
        text("stream"),
        big("version"),
        text("command_id"),
        whole("ordinal"),
        text("type"),
        whole("schema_version"),
        text("body"),
        text("meta"),
        big("recorded_us"),
        text("prev_hash"),
        text("hash"),
        sa.UniqueConstraint("stream", "version", name="uq_journal_stream_version"),
        sa.UniqueConstraint("stream", "command_id", "ordinal", name="uq_journal_command_ordinal"),
    )
    op.create_index("ix_journal_chain_position", "journal", ["chain", "position"])
    op.create_table(
        "attachments",
        text("stream", primary_key=True),
        big("version", primary_key=True),
        text("kind"),
        text("key"),
        whole("count"),
        text("digest"),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "seals",
        text("digest", primary_key=True),
        text("stream"),
        big("version"),
        text("card"),
        text("salt"),
    )
    op.create_index("ix_seals_stream", "seals", ["stream"])
    op.create_table(
        "commands",
        text("command_id", primary_key=True),
        text("stream"),
        text("actor_kind"),
        text("actor_name"),
        text("actor_role"),
        text("name"),
        text("body"),
        text("outcome"),
        flag("accepted"),
        big("at_us"),
    )
    op.create_table(
        "heads",
        big("id", primary_key=True),
        text("stream"),
        big("version"),
        text("hash"),
        big("at_us"),
        text("public_key"),
        text("signature"),
        sa.UniqueConstraint("stream", "version", name="uq_heads_stream_version"),
    )


def make_outbox() -> None:
    """Make what is told to the outside."""
    op.create_table(
        "outbox",
        big("n", primary_key=True),
        text("id"),
        text("type"),
        text("table_name"),
        text("round_id"),
        big("at_us"),
        text("data"),
        sa.UniqueConstraint("id", name="uq_outbox_id"),
    )
    op.create_index("ix_outbox_table_n", "outbox", ["table_name", "n"])
    op.create_table("outbox_cursors", text("receiver", primary_key=True), big("n"))


def make_people() -> None:
    """Make who may sign in, and who did."""
    op.create_table(
        "people",
        text("id", primary_key=True),
        text("number"),
        text("name"),
        text("role"),
        text("locale"),
        text("badge_hash", nullable=True),
        text("pin_hash"),
        flag("enabled"),
        big("created_us"),
        sa.UniqueConstraint("number", name="uq_people_number"),
        sa.UniqueConstraint("badge_hash", name="uq_people_badge_hash"),
    )
    op.create_table(
        "sign_ins",
        big("id", primary_key=True),
        big("at_us"),
        text("number"),
        text("address"),
        text("method"),
        text("outcome"),
    )
    op.create_index("ix_sign_ins_number", "sign_ins", ["number", "at_us"])
    op.create_index("ix_sign_ins_address", "sign_ins", ["address", "at_us"])
    op.create_table(
        "sessions",
        text("token_hash", primary_key=True),
        text("person_id"),
        big("created_us"),
        big("seen_us"),
        big("revoked_us", nullable=True),
    )
    op.create_index("ix_sessions_person", "sessions", ["person_id"])
    op.create_table(
        "overlay_tokens",
        text("id", primary_key=True),
        text("secret_hash"),
        text("table_name"),
        whole("delay_ms"),
        big("created_us"),
        big("revoked_us", nullable=True),
        sa.UniqueConstraint("secret_hash", name="uq_overlay_tokens_secret_hash"),
    )


def make_wallet() -> None:
    """Make the embedded wallet."""
    op.create_table("wallet_calls", text("key", primary_key=True), text("digest"), text("refused"))
    op.create_table(
        "wallet_entries",
        big("id", primary_key=True),
        text("key"),
        whole("line"),
        text("player"),
        big("amount"),
        big("before"),
        big("after"),
        sa.UniqueConstraint("key", "line", name="uq_wallet_entries_key_line"),
    )
    op.create_index("ix_wallet_entries_player", "wallet_entries", ["player", "id"])
    op.create_table("wallet_balances", text("player", primary_key=True), big("balance"))


def make_readmodels() -> None:
    """Make what is rebuilt from the journal."""
    op.create_table(
        "rounds",
        text("round_id", primary_key=True),
        text("stream"),
        big("first_version"),
        big("last_version"),
        text("table_name"),
        whole("shoe_no"),
        whole("round_no"),
        text("game"),
        big("opened_us"),
        big("ended_us", nullable=True),
        text("outcome"),
        text("cards"),
        big("staked"),
        big("returned"),
        big("refunded"),
        big("house"),
        text("state"),
        text("faults"),
    )
    op.create_index("ix_rounds_table", "rounds", ["table_name", "shoe_no", "round_no"])
    op.create_table(
        "read_models", text("name", primary_key=True), whole("version"), big("position")
    )


def forbid_changes(table: str) -> None:
    """Make a table append-only.

    On SQLite an INSERT OR REPLACE fires the trigger on DELETE only with recursive_triggers on.
    """
    if op.get_bind().dialect.name == "sqlite":
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
        return
    op.execute(
        f"CREATE FUNCTION {table}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{table} is append-only'; END $$"
    )
    for what in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_is_append_only()"
        )
