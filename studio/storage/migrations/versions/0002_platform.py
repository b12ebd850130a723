"""For platforms: rounds in the outbox, the bet record, calls to a wallet that is not ours."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def text(name: str, *, primary_key: bool = False) -> sa.Column[str]:
    """Give a column of text."""
    return sa.Column(name, sa.Text(), primary_key=primary_key, nullable=False)


def big(name: str, *, primary_key: bool = False, nullable: bool = False) -> sa.Column[int]:
    """Give a column of 64 bits."""
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column(name, kind, primary_key=primary_key, nullable=nullable)


def upgrade() -> None:
    """Add what platforms need; nothing that is there changes."""
    op.create_index("ix_outbox_round_n", "outbox", ["round_id", "n"])
    op.create_table(
        "bets",
        big("n", primary_key=True),
        text("player"),
        text("table_name"),
        text("round_id"),
        text("batch"),
        text("bet_id"),
        text("bet"),
        big("stake"),
        big("returned"),
        text("state"),
        text("reason"),
        big("placed_us"),
        big("ended_us", nullable=True),
        sa.UniqueConstraint("round_id", "bet_id", "bet", name="uq_bets_round_bet"),
    )
    op.create_index("ix_bets_player_n", "bets", ["player", "n"])
    op.create_index("ix_bets_round_batch", "bets", ["round_id", "batch"])
    op.create_table(
        "wallet_batches",
        text("key", primary_key=True),
        text("kind"),
        text("table_name"),
        text("state"),
        sa.Column("count", sa.Integer(), nullable=False),
        big("amount"),
        text("refused"),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        text("history"),
        text("trouble"),
    )
    op.create_index("ix_wallet_batches_state", "wallet_batches", ["state"])
