"""Posts that have vanished from their thread: votes in them wait for the host, and their words count no more."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.hosting.core import outbox, record, troubles
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.explain import words
from forumbot.hosting.inbox import questions
from forumbot.hosting.inbox.judge import vanished
from forumbot.store.tables import posts, verdicts


def signups(sitting: Sitting) -> None:
    """Sign-ups whose post is gone from the thread: whether they hold the host says, and their author is told."""
    connection, row = sitting.connection, sitting.row
    ours = posts.c.game_id == row.id, verdicts.c.turn == SETUP_TURN, verdicts.c.outcome == "accepted"
    query = (
        sa.select(verdicts.c.source, verdicts.c.orders, posts.c.gone_at, posts.c.author_uid, posts.c.posted_at)
        .join(posts, ("post:" + sa.cast(posts.c.id, sa.String)) == verdicts.c.source)
        .where(verdicts.c.game_id == row.id, *ours)
    )
    last = {uid: (source, orders, gone, at) for source, orders, gone, uid, at in connection.execute(query.order_by(posts.c.id))}
    for uid, (source, orders, gone, at) in last.items():
        holder = sitting.seats.by_uid(uid)
        if gone is None or holder is None or orders[-1]["action"] != "signup":
            continue
        where = {"seat": holder.seat, "uid": uid, "channel": "post", "at": at}
        text = "Сообщение с записью исчезло из темы; игрок пока записан."
        questions.note(sitting, SETUP_TURN, f"gone/{source}", questions.VANISHED, holder.nick, text, **where)
        facts = sitting.publisher.facts(None)
        sitting.publisher.private(
            connection, f"gone/{source}", holder, "signup_vanished.j2", facts, priority=outbox.NOTICES, by_pm=True
        )


def void(sitting: Sitting, match: Match) -> None:
    """Votes whose post is gone from the thread wait for the host; he is told. Words that are gone count no more."""
    connection, game_id = sitting.connection, sitting.row.id
    for given in words.of_vanished(connection, game_id, match):
        match.apply(given)
    gone = vanished(connection, game_id, match.turn)
    if not gone:
        return
    ids = [verdict_id for verdict_id, _ in gone]
    record.strike(connection, game_id, ids, "сообщение исчезло из темы")
    connection.execute(verdicts.update().where(verdicts.c.id.in_(ids)).values(outcome="review", reason="vanished"))
    authors = ", ".join(sorted({author for _, author in gone}))
    text = f"Игра «{game_id}»: из темы исчезли сообщения с голосами ({authors}). Голоса не считаются, пока вы не решите."
    key = f"vanished/{game_id}/{','.join(map(str, ids))}"
    troubles.tell_host(connection, sitting.site, key, "Исчезли голоса", text, sitting.now, game_id=game_id)
    match.become(record.fold(connection, sitting.row))
