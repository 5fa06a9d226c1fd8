"""Accounts that a host names are looked up before they are seated"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json, Moment

revision = "0091"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lookups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("nick", sa.String(), nullable=True),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.Column("asked_at", Moment(), nullable=False),
        sa.Column("done_at", Moment(), nullable=True),
        sa.Column("found", Json(), nullable=True, comment="nick, uid and lines of the profile"),
        sa.Column("error", sa.String(), nullable=True, comment="why such a one cannot be seated"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_lookups_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lookups")),
    )
    op.create_index(op.f("ix_lookups_game_id"), "lookups", ["game_id"])
