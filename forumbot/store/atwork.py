"""Conditions of the rows that are at work, word for word as the indexes of such rows have them: only so these are used."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from forumbot.store.tables import acts, deadlines, games, letters, outbox, posts, threads, verdicts


def one_of(column: sa.ColumnElement[Any], *ids: str) -> sa.ColumnElement[bool]:
    """The column holds one of these ids of the program, which are written out."""
    return column.in_(sa.literal_column(f"'{id_}'") for id_ in ids)


LIVE_GAME = one_of(games.c.stage, "signup", "setup", "turn")
"""Neither over nor cancelled."""
OPEN_DEADLINE = deadlines.c.done_at.is_(None)
OPEN_ACT = acts.c.done_at.is_(None)
OPEN_REVIEW = sa.and_(verdicts.c.outcome == sa.literal_column("'review'"), verdicts.c.decided_by.is_(None))
ON_ITS_WAY = one_of(outbox.c.state, "waiting", "sending")
SETTLED = outbox.c.state.not_in(sa.literal_column(f"'{state}'") for state in ("waiting", "sending"))
LETTER, WRITING = outbox.c.kind == sa.literal_column("'letter'"), outbox.c.kind != sa.literal_column("'letter'")
"""What goes by mail, and what the forum must take."""
POST_UNDERWAY = sa.and_(
    outbox.c.kind == sa.literal_column("'post'"),
    one_of(outbox.c.state, "waiting", "held", "sending"),
)
WATCHED = threads.c.watched == sa.literal_column("1")
UNJUDGED_POST = posts.c.judged == sa.literal_column("0")
UNJUDGED_LETTER = letters.c.judged == sa.literal_column("0")


def under(column: sa.ColumnElement[str], start: str) -> sa.ColumnElement[bool]:
    """Texts of this column that begin so, found by its index (which LIKE with an escape is not)."""
    return between(column, start, beyond(start))


def between(column: sa.ColumnElement[str], start: Any, end: Any) -> sa.ColumnElement[bool]:
    """The same by both ends (``beyond``), for statements that are prepared."""
    return sa.and_(column >= start, column < end)


def beyond(start: str) -> str:
    """Stands behind every text that begins so."""
    return f"{start}\U0010ffff"


def of_live_game(column: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Rows of games that are neither over nor cancelled, looked up row by row: few are left when this is asked."""
    return one_of(sa.select(games.c.stage).where(games.c.id == column).scalar_subquery(), "signup", "setup", "turn")
