"""Words of the day's thread, for rules that count them (clans R92): one count a post, replaced by edits and deletions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import sqlalchemy as sa

from engine.model import Order
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Input, Match
from forumbot.hosting.core.wire import order_data
from forumbot.store.tables import inputs, posts, threads

ACTION = "words"


def of_post(
    connection: sa.Connection, game_id: str, match: Match, seat: str, post_id: int, count: int, at: datetime
) -> Input:
    """The words of one post as an input; a later count of the same post takes the earlier one's place."""
    order = Order(seat, ACTION, args={"count": count, "post": str(post_id)}, at=at, ref=f"post:{post_id}")
    return record.add_input(connection, game_id, "order", match.turn, at, order_data(order))


def of_vanished(connection: sa.Connection, game_id: str, match: Match) -> Iterator[Input]:
    """Posts of this turn that are gone from the thread count no words any more."""
    if ACTION not in match.ruleset.spec.host_actions:
        return
    gone = {
        str(post_id)
        for post_id in connection.execute(
            sa.select(posts.c.post_id)
            .join(threads, threads.c.id == posts.c.thread_id)
            .where(posts.c.game_id == game_id, threads.c.turn == match.turn, posts.c.gone_at.is_not(None))
        ).scalars()
    }
    counted: dict[str, tuple[str, int, datetime]] = {}
    rows = connection.execute(
        sa.select(inputs.c.payload, inputs.c.at)
        .where(inputs.c.game_id == game_id, inputs.c.turn == match.turn, inputs.c.kind == "order", inputs.c.struck.is_(None))
        .order_by(inputs.c.seq)
    ).all()
    for payload, at in rows:
        if payload["action"] == ACTION:
            counted[payload["args"]["post"]] = (payload["player"], payload["args"]["count"], at)
    for post in sorted(gone & counted.keys()):
        seat, count, at = counted[post]
        if count:
            yield of_post(connection, game_id, match, seat, int(post), 0, at)
