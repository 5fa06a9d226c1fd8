"""Verdicts keep what explained their words; a message is read again after the host has taught a word"""

import sqlalchemy as sa
from alembic import op

from forumbot.store.types import Json

revision = "0131"
down_revision = "0121"
branch_labels = None
depends_on = None


def upgrade() -> None:
    explained = "words of the text that were understood, each with its class"
    op.add_column("verdicts", sa.Column("explained", Json(), nullable=True, comment=explained))
    reread = "the host's act for which the message is to be read again"
    op.add_column("verdicts", sa.Column("reread", sa.Integer(), nullable=True, comment=reread))
    op.create_index("ix_verdicts_reread", "verdicts", ["game_id"], sqlite_where=sa.text("reread IS NOT NULL"))
