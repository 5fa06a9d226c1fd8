"""The sign-up is over: the roles are dealt and the game begins, or everybody hears why there is none."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from engine.model import EngineError
from forumbot.hosting.core import modes, record, troubles
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.record import SIGNUP
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.people import people
from forumbot.hosting.turns import closing, opening
from forumbot.store.tables import games, inputs, threads


def deal(sitting: Sitting, closed: datetime) -> Match | None:
    """Deal to those who have signed up; ``closed``: when the sign-up was due to end. None: there is no game."""
    connection, row, publisher, seats = sitting.connection, sitting.row, sitting.publisher, sitting.seats
    mine = threads.c.game_id == row.id, threads.c.kind == SIGNUP
    thread_id = int(connection.execute(sa.select(threads.c.id).where(*mine)).scalar_one())
    match = Match.begin(row.ruleset, row.tables, row.seed)
    dealt, first_open = _begins(sitting, match, closed)
    given = record.add_input(connection, row.id, "deal", SETUP_TURN, dealt, {"seats": list(seats.holders)})
    try:
        events = match.apply(given)
    except EngineError as error:
        connection.execute(inputs.delete().where(inputs.c.id == given.row))
        closing.unwatch(connection, row.id)
        connection.execute(games.update().where(games.c.id == row.id).values(stage="cancelled"))
        facts = publisher.facts(None)
        publisher.public(connection, "cancelled", thread_id, "cancelled.j2", facts, count=len(seats.holders), why=error.problem)
        return None
    if dealt != closed:
        when = sitting.writer.moment(first_open)
        text = f"Игра «{row.id}»: запись кончилась, когда бот не мог раздать роли, поэтому игра начинается позже: {when}."
        troubles.tell_host(connection, sitting.site, f"put_off/{row.id}", "Сроки перенесены", text, sitting.now, game_id=row.id)
    people.bring(connection, row, match, seats, closed)
    calendar = match.ruleset.calendar(match.tables)
    facts = publisher.facts(match)
    publisher.notices(connection, "deal", events, facts)
    # It says that the roles are out, so each of them has been on its way before.
    behind = f"{row.id}/deal/*"
    last = publisher.public(connection, "started", thread_id, "started.j2", facts, after=behind, first_open=first_open)
    stage = "setup" if match.stage == "setup" else "turn"
    connection.execute(games.update().where(games.c.id == row.id).values(stage=stage))
    if stage == "setup":
        record.add_deadlines(connection, row.id, SETUP_TURN, calendar.setup(dealt, first_open))
    else:
        # The first day's topic is opened with the day (clans S6), however early the sign-up closed.
        publisher.not_before = first_open
        opening.open_turn(sitting, match, first_open, after=last)
    return match


def _begins(sitting: Sitting, match: Match, closed: datetime) -> tuple[datetime, datetime]:
    """From which moment on the calendar counts, and when the first turn opens: from the end of the sign-up, or from now
    where most of the set-up, or of the first turn, would be over before anybody has his role."""
    calendar, config, now = match.ruleset.calendar(match.tables), sitting.row.config, sitting.now
    first_open = calendar.first_open(closed, config.first_day)
    setup = calendar.setup(closed, first_open)
    opens, due = (closed, setup[0].at) if setup else (first_open, opening.wanted(match, calendar.turn(1, first_open)).at)
    if config.mode == modes.SHADOW or not opening.is_late(opens, due, now):
        return closed, first_open
    return now, calendar.first_open(now, None)


def end_setup(sitting: Sitting, match: Match) -> None:
    """Set-up is over: the first turn opens."""
    calendar = match.ruleset.calendar(match.tables)
    dealt = _dealt_at(sitting.connection, sitting.row.id)
    opens = calendar.first_open(dealt, sitting.row.config.first_day)
    if opens < dealt:
        opens = calendar.first_open(dealt, None)
    opening.open_turn(sitting, match, opens, after=None)


def _dealt_at(connection: sa.Connection, game_id: str) -> datetime:
    """The moment from which the calendar counts: when the sign-up closed, or when the roles were dealt long after."""
    found: datetime = connection.execute(
        sa.select(inputs.c.at).where(inputs.c.game_id == game_id, inputs.c.kind == "deal", inputs.c.struck.is_(None))
    ).scalar_one()
    return found
