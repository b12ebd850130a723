"""Seats have tokens of their own, and a bet may be ended by a later round than its own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Add the table, the column and its indexes; the record is read anew from the journal."""
    op.create_table(
        "seat_tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("created_us", BIG, nullable=False),
        sa.Column("revoked_us", BIG, nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("secret_hash", name="uq_seat_tokens_secret_hash"),
    )
    op.add_column("bets", sa.Column("ended_round", sa.Text(), nullable=False, server_default=""))
    stands = sa.text("state = 'standing'")
    carried = sa.text("ended_round <> '' AND ended_round <> round_id")
    op.create_index(
        "ix_bets_standing", "bets", ["table_name"], sqlite_where=stands, postgresql_where=stands
    )
    op.create_index(
        "ix_bets_carried", "bets", ["ended_round"], sqlite_where=carried, postgresql_where=carried
    )
