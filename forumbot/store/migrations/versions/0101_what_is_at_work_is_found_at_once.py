"""What is at work is found at once, however much lies behind it: indexes of open rows alone, messages marked as judged"""

import sqlalchemy as sa
from alembic import op

revision = "0101"
down_revision = "0091"
branch_labels = None
depends_on = None

_OPEN = (
    ("holders", "living_uid", ("uid",), "until IS NULL"),
    ("holders", "living_address", ("lower(address)",), "until IS NULL"),
    ("holders", "living_code", ("proof_code",), "until IS NULL"),
    ("posts", "unjudged", ("game_id",), "judged = 0"),
    ("posts", "gone", ("game_id",), "gone_at IS NOT NULL"),
    ("letters", "unrouted", ("received_at", "id"), "routed IS NULL"),
    ("letters", "unjudged", ("game_id",), "judged = 0"),
    ("verdicts", "open", ("game_id", "turn"), "outcome = 'review' AND decided_by IS NULL"),
    ("threads", "watched", ("polled_at", "kind"), "watched = 1"),
    ("inputs", "taught", ("game_id",), "kind = 'teach'"),
    ("deadlines", "open", ("due_at", "game_id"), "done_at IS NULL"),
    ("deadlines", "next", ("game_id", "due_at"), "done_at IS NULL"),
    ("outbox", "letters", ("priority", "id"), "state IN ('waiting', 'sending') AND kind = 'letter'"),
    ("outbox", "writings", ("priority", "id"), "state IN ('waiting', 'sending') AND kind != 'letter'"),
    ("outbox", "posts", ("game_id",), "kind = 'post' AND state IN ('waiting', 'held', 'sending')"),
    ("outbox", "settled", ("state",), "state NOT IN ('waiting', 'sending')"),
    ("outbox", "after", ("after",), "after IS NOT NULL"),
    ("acts", "open", ("id",), "done_at IS NULL"),
)


def upgrade() -> None:
    comment = "it has its verdict"
    for table, kind in (("posts", "post"), ("letters", "letter")):
        op.add_column(table, sa.Column("judged", sa.Boolean(), nullable=False, server_default="0", comment=comment))
        known = "SELECT 1 FROM verdicts WHERE verdicts.game_id = {0}.game_id AND verdicts.source = '{1}:' || {0}.id"
        op.execute(f"UPDATE {table} SET judged = 1 WHERE EXISTS ({known.format(table, kind)})")
    op.drop_index("ix_outbox_state", "outbox")
    for table, name, columns, where in _OPEN:
        named = [sa.text(column) if "(" in column else column for column in columns]
        op.create_index(f"ix_{table}_{name}", table, named, sqlite_where=sa.text(where))
    op.create_index("ix_verdicts_turn", "verdicts", ["game_id", "turn"])
    op.create_index("ix_games_stage", "games", ["stage"])
