"""What players write that is for a person has a list of its own: questions, complaints, wishes to leave"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Moment

revision = "0040"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("seat", sa.String(), nullable=True),
        sa.Column("uid", sa.Integer(), nullable=True),
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("noted_at", Moment(), nullable=False),
        sa.Column("closed_at", Moment(), nullable=True),
        sa.Column("closed_by", sa.String(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_questions_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("game_id", "source", name=op.f("uq_questions_game_id_source")),
    )
    op.create_index(op.f("ix_questions_game_id"), "questions", ["game_id"])
