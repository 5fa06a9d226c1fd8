"""Doubtful messages are put to their players as numbered readings"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json, Moment

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "offers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("verdict_id", sa.Integer(), nullable=False),
        sa.Column("orders", Json(), nullable=False),
        sa.Column("made_at", Moment(), nullable=False),
        sa.Column("retired_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_offers_game_id_games")),
        sa.ForeignKeyConstraint(["verdict_id"], ["verdicts.id"], name=op.f("fk_offers_verdict_id_verdicts")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_offers")),
    )
    op.create_index(op.f("ix_offers_game_id"), "offers", ["game_id"])
    op.create_index(op.f("ix_offers_verdict_id"), "offers", ["verdict_id"])
