"""Posts that have vanished from their thread: votes in them wait for the host, and their words count no more."""

from __future__ import annotations

from forumbot.hosting import record, troubles, words
from forumbot.hosting.judge import vanished
from forumbot.hosting.match import Match
from forumbot.hosting.sitting import Sitting
from forumbot.store.tables import verdicts


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
