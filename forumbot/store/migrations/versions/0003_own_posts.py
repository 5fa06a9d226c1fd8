"""Threads know our own posts that were read there: a database from a copy may hold fewer than the forum does"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("own_id", sa.Integer(), nullable=True, comment="the highest id of a post of our own that was read there")
    op.add_column("threads", column)
