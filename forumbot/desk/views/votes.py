"""The count of a turn as it stood at any post or minute, beside the picture of the whole day."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import pictures, series
from forumbot.desk.core import Asked
from forumbot.desk.forms import YEARS
from forumbot.hosting.core import counting
from forumbot.store.tables import turns


def page(asked: Asked) -> Response:
    """``turn``, and ``post`` (its number in the day's thread) or ``at`` (a minute of the forum's clock), or neither: the end."""
    connection, row = asked.connection, asked.row
    query = sa.select(turns.c.turn).where(turns.c.game_id == row.id).order_by(turns.c.turn)
    known = [int(turn) for turn in connection.execute(query).scalars()]
    wanted = asked.number("turn")
    turn = wanted if wanted in known else known[-1] if known else None
    post, moment, wrong = asked.number("post"), _moment(asked), ""
    counted: counting.Votes = ()
    silent: tuple[str, ...] = ()
    changes: list[series.VotesAt] = []
    if turn is not None:
        try:
            match = counting.at(connection, row, turn, moment=moment, post=post)
            counted, silent = counting.count(match, asked.names), counting.silent(match, asked.names)
        except LookupError as missing:
            wrong = str(missing)
        changes = asked.desk.kept(connection, row, f"votes {turn}", lambda: series.votes_of_turn(connection, row, turn))
    return asked.page(
        "votes.html",
        tab="votes",
        turns=known,
        turn=turn,
        post=asked.query("post") if post is not None else "",
        moment_wanted=moment,
        wrong=wrong,
        votes=counted,
        silent=silent,
        picture=pictures.votes(changes, asked.names, asked.desk.moment, moment) if len(changes) > 1 else "",
        changes=[(one.at, [(asked.name(seat), weight) for seat, weight in one.votes.items()]) for one in changes],
    )


def _moment(asked: Asked) -> datetime | None:
    """The minute that the address names, on the forum's clock; None for what is none of these years."""
    try:
        at = datetime.fromisoformat(asked.query("at"))
    except ValueError:
        return None
    if not YEARS[0] <= at.year < YEARS[1]:
        return None
    return at if at.tzinfo else at.replace(tzinfo=ZoneInfo(asked.desk.site.forum.zone))
