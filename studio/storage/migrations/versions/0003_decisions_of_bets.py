"""The bet record says what was chosen and what was played."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the record is read anew from the journal."""
    for name in ("chosen", "played"):
        op.add_column("bets", sa.Column(name, sa.Text(), nullable=False, server_default=""))
