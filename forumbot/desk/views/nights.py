"""The night as a picture, one page a night; a page leads to the next, so that a whole game can be watched like a film."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from engine.model import Seat
from forumbot.desk import nightpicture, series
from forumbot.desk.core import Asked, Refusal
from forumbot.hosting.core.wire import events_from
from forumbot.hosting.explain import nights
from forumbot.hosting.explain.inshort import InShort
from forumbot.store.tables import turns

SECONDS = 8
"""How long a night of the film stands."""


def page(asked: Asked) -> Response:
    """One night; ``play`` in its address lets the next come by itself."""
    number = asked.path_number()
    mine = turns.c.game_id == asked.row.id, turns.c.closed_at.is_not(None)
    closed = [int(one) for one in asked.connection.execute(sa.select(turns.c.turn).where(*mine).order_by(turns.c.turn)).scalars()]
    if number not in closed:
        raise Refusal(404, "Такая ночь ещё не прошла.")
    stored = asked.connection.execute(sa.select(turns).where(*mine, turns.c.turn == number)).mappings().one()
    told = of_turn(asked, stored)
    place = closed.index(number)
    following = closed[place + 1] if place + 1 < len(closed) else None
    plays = bool(asked.query("play"))
    return asked.page(
        "night.html",
        tab="turns",
        number=number,
        earlier=closed[place - 1] if place else None,
        following=following,
        first=closed[0],
        nights=closed,
        plays=plays,
        seconds=SECONDS if plays and following is not None else 0,
        picture=nightpicture.draw(told),
        fates=[sentence for _, sentence in told.fates()],
        moves=[told.move(move) for move in told.night.moves],
    )


def of_turn(asked: Asked, stored: sa.RowMapping) -> InShort:
    """What can be told of a turn of this game, with the nicks it was printed with; of one that goes on there is nothing yet."""
    connection, row, number = asked.connection, asked.row, int(stored["turn"])
    rules = asked.match.ruleset
    states: Mapping[Seat, Mapping[str, Any]] = {}
    if stored["closed_at"] is not None:
        states = asked.desk.kept(connection, row, "states", lambda: series.states(connection, row)).get(number, {})
    word = asked.desk.writer(row).word
    night = nights.night(number, events_from(stored["events"] or ()), states, rules.spec.bookkeeping, word)
    return InShort(night, {**asked.names, **(stored["names"] or {})}, asked.seats.genders(), word)
