"""A turn is opened: its row, its deadlines, its day's topic, and what the rules tell players at its beginning."""

from __future__ import annotations

from datetime import datetime

from forumbot.hosting import record, reminding
from forumbot.hosting.match import Match
from forumbot.hosting.sitting import Sitting
from forumbot.store.tables import games, threads, turns


def open_turn(sitting: Sitting, match: Match, opens: datetime, *, after: str | None) -> None:
    """Open the turn that comes next; what it says goes out behind the outbox row ``after``."""
    connection, row, publisher = sitting.connection, sitting.row, sitting.publisher
    turn = match.next_turn()
    last = tuple(match.turn_events)
    given = record.add_input(connection, row.id, "open", turn, opens, {})
    events = match.apply(given)
    connection.execute(turns.insert().values(game_id=row.id, turn=turn, opened_at=opens))
    connection.execute(games.update().where(games.c.id == row.id).values(stage="turn", turn=turn))
    dues = match.ruleset.calendar(match.tables).turn(turn, opens)
    record.add_deadlines(connection, row.id, turn, dues)
    for name, call, at in reminding.moments(row, dues, opens):
        record.add_deadline(connection, row.id, turn, name, call, at)
    made = connection.execute(
        threads.insert().values(game_id=row.id, kind="day", turn=turn, topic=row.config.day_topics.get(turn))
    )
    (thread_id,) = made.inserted_primary_key or (0,)
    marks = {due.name: due.at for due in dues if due.call != "announce"}
    facts = publisher.facts(match, marks)
    publisher.day_topic(connection, turn, thread_id, facts, events, last, after=after)
    publisher.notices(connection, f"t{turn}/open", events, facts, after=after)
