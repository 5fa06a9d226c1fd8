"""Everybody hears of moved deadlines: a post in the running thread, its first post where the forum lets us edit it, and a letter
or private message to each player."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.core import keys, outbox, record, schedule, seating
from forumbot.hosting.core.acting import UNSENT, Context, Reopened
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import RESOLVING, SIGNUP
from forumbot.hosting.publish import newspapers
from forumbot.store.tables import deadlines, threads
from forumbot.store.tables import outbox as rows

MOVED, PAUSED, RESUMED, REOPENED = "moved", "paused", "resumed", "reopened"


def moments(context: Context) -> dict[str, datetime]:
    """Name -> moment of all that is still to be resolved, in order of time."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None), deadlines.c.call.in_(RESOLVING)
    query = sa.select(deadlines.c.name, deadlines.c.due_at).where(*mine).order_by(deadlines.c.due_at, deadlines.c.id)
    return {str(name): at for name, at in context.connection.execute(query)}


def tell(
    context: Context,
    what: str,
    before: Mapping[str, datetime] | None = None,
    *,
    opened: Reopened | None = None,
) -> None:
    """``what`` has happened to the game's time; ``before``: its moments as they were, None where none has moved; ``opened``:
    what a deadline that comes again has undone."""
    now = moments(context)
    moved = [(name, at, (before or {}).get(name)) for name, at in now.items() if before is None or before.get(name) != at]
    if before is not None and not moved and what == MOVED:
        return
    if not moved:
        moved = [(name, at, None) for name, at in now.items()]
    match = record.fold(context.connection, context.row)
    seats = seating.load(context.connection, context.row.id)
    publisher = context.publisher(seats)
    facts = publisher.facts(match)
    said: dict[str, Any] = {"what": what, "moved": moved if what != PAUSED else []}
    said |= {"ahead": any(at > context.now for at in now.values()), **_undone(opened)}
    publisher.public(context.connection, f"{context.key}/time", _thread(context), "moved.j2", facts, **said)
    playing = match.ruleset.alive(match.game) if match.game is not None else tuple(seats.holders)
    for seat in playing:
        holder = seats.holders.get(seat)
        if holder is not None:
            publisher.private(
                context.connection,
                f"{context.key}/time/{seat}",
                holder,
                "moved_notice.j2",
                facts,
                priority=outbox.NOTICES,
                at_once=True,
                lost=opened is not None and seat in opened.lost,
                **said,
            )
    if what != PAUSED:
        first_post(context, publisher)


def _undone(opened: Reopened | None) -> dict[str, Any]:
    """For the texts: what a deadline that comes again has undone. ``void``: the turn whose newspaper no longer holds."""
    return {
        "void": opened.turn if opened is not None and opened.published else None,
        "next_day": opened.later if opened is not None else 0,
        "over": opened is not None and opened.over,
        "signup": opened is not None and opened.signup,
        "undealt": opened is not None and opened.undealt,
    }


def first_post(context: Context, publisher: Publisher) -> None:
    """The topic that names the deadlines names the new ones: anew where nobody has seen it, else by an edit of its first post."""
    connection, row = context.connection, context.row
    if row.turn == SETUP_TURN:
        key, text = SIGNUP, _signup_text(context, publisher)
    else:
        key, text = keys.topic(row.turn), _day_text(context, publisher)
    topic = connection.execute(sa.select(rows).where(rows.c.key == f"{row.id}/{key}")).mappings().first()
    if topic is None or text is None:
        return
    first = publisher.first_part(text)
    if topic["state"] in UNSENT:
        connection.execute(rows.update().where(rows.c.id == topic["id"]).values(body=first))
    else:
        publisher.edit(connection, f"{context.key}/first", _thread(context), topic["key"], first)


def _signup_text(context: Context, publisher: Publisher) -> str | None:
    closes = moments(context).get(SIGNUP)
    return None if closes is None else publisher.public_text("signup_topic.j2", publisher.facts(None), closes=closes)


def _day_text(context: Context, publisher: Publisher) -> str | None:
    """The first post of the running day, from the game as it was when the day was opened."""
    row, turn = context.row, context.row.turn
    match = Match.begin(row.ruleset, row.tables, row.seed)
    for given in record.inputs_of(context.connection, row.id):
        last = tuple(match.turn_events)
        events = match.apply(given)
        if given.kind == "open" and given.turn == turn:
            facts = publisher.facts(match, schedule.marks(context.connection, row.id, turn))
            return publisher.day_text(turn, facts, events, last)
    return None


def _thread(context: Context) -> int:
    if context.row.turn != SETUP_TURN:
        return newspapers.thread_of(context.connection, context.row.id, context.row.turn)
    mine = threads.c.game_id == context.row.id, threads.c.kind == SIGNUP
    return int(context.connection.execute(sa.select(threads.c.id).where(*mine)).scalar_one())
