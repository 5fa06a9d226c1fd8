"""What the host was told of each trouble and when, so that one that comes and goes is not told each time"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json, Moment

revision = "0010"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tellings",
        sa.Column("key", sa.String(), nullable=False, comment="of the trouble"),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("by_pm", sa.Boolean(), nullable=False),
        sa.Column("told_at", Moment(), nullable=False),
        sa.Column("quiet", sa.Integer(), nullable=False, comment="seconds after the telling in which it is not told anew"),
        sa.Column("times", sa.Integer(), nullable=False, comment="how often it has come again since it was told"),
        sa.Column("items", Json(), nullable=False, comment="what else it concerns that was not told yet"),
        sa.Column("known", Json(), nullable=False, comment="what it concerns that was told"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_tellings_game_id_games"),
        sa.PrimaryKeyConstraint("key", name="pk_tellings"),
    )
