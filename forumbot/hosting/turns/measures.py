"""What follows from a host's measure besides the rules' own answer: a game that ends at once, a punishment taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from engine.model import Seat, Step
from engine.turn import Stopping
from forumbot.hosting.core import outbox, record, seating
from forumbot.hosting.core.acting import Context
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import REMINDERS
from forumbot.store.tables import deadlines


def follow(context: Context) -> Mapping[str, Any]:
    """Carry on from a measure that stands in the log now; gives what its undoing needs."""
    match = record.fold(context.connection, context.row)
    _tell_struck(context, match)
    rules = match.ruleset
    if context.correcting or not isinstance(rules, Stopping) or not rules.stops_at_once(match.game):
        return {}
    return _close_now(context)


def _close_now(context: Context) -> Mapping[str, Any]:
    """The deadline of the running turn is now; nobody is reminded of it any more."""
    mine = deadlines.c.game_id == context.row.id, deadlines.c.done_at.is_(None), deadlines.c.turn == context.row.turn
    close = context.connection.execute(sa.select(deadlines).where(*mine, deadlines.c.call == "close")).mappings().one()
    context.connection.execute(
        deadlines.update().where(*mine, deadlines.c.call.in_(REMINDERS)).values(done_at=context.now)
    )
    context.connection.execute(deadlines.update().where(deadlines.c.id == close["id"]).values(due_at=context.now))
    return {"deadline": close["id"], "due_at": close["due_at"].isoformat()}


def _tell_struck(context: Context, match: Match) -> None:
    """Who was punished for a violation that is struck now hears that it no longer counts: he, or his side if he is dead."""
    told = match.ruleset.spec.struck_step
    struck = [
        event.data["player"]
        for event in match.turn_events
        if isinstance(event, Step) and event.text_id == told and context.mark in event.refs
    ]
    seats = seating.load(context.connection, context.row.id)
    publisher = context.publisher(seats)
    for player in struck:
        for seat in _punished(match, player):
            holder = seats.holders.get(seat)
            if holder is not None:
                publisher.private(
                    context.connection,
                    f"{context.key}/struck/{seat}",
                    holder,
                    "measure_off.j2",
                    publisher.facts(match),
                    priority=outbox.NOTICES,
                    himself=seat == player,
                )


def _punished(match: Match, player: Seat) -> list[Seat]:
    alive, state = match.ruleset.alive(match.game), match.ruleset.state(match.game)
    if player in alive:
        return [player]
    return [seat for seat in alive if state[seat]["faction"] == state[player]["faction"]]
