"""Codes end; accounts may be barred from further games"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Moment

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "when the code ends; it ends with its first use anyway"
    op.add_column("holders", sa.Column("code_until", Moment(), nullable=True, comment=comment))
    op.create_table(
        "bars",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("nick", sa.String(), nullable=False),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.Column("until", Moment(), nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("lifted_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bars")),
    )
