"""The host teaches words; verdicts keep those that nothing explained"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json, Moment

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    comment = "words of the text that nothing explained, which the host may teach"
    op.add_column("verdicts", sa.Column("unexplained", Json(), nullable=True, comment=comment))
    op.create_table(
        "taught",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ruleset", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.Column("act", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("taken_back_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_taught")),
    )
