"""A turn is closed: its newspaper and results go into the outbox, its row keeps what followed, and the next turn opens or the
game ends."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from engine.model import Event, Line
from forumbot.hosting.core import keys, outbox, stories, troubles
from forumbot.hosting.core.hours import NEWSPAPER, newspaper_waits
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import SIGNUP
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.core.wire import draw_data, events_data
from forumbot.hosting.people import people
from forumbot.hosting.publish import earnings, finale, newspapers
from forumbot.hosting.turns import opening
from forumbot.store.tables import deadlines, games, threads, turns

CALLED_OFF = "called_off"
"""The key of what the thread is told of a game that its host has ended."""


def close(sitting: Sitting, match: Match, turn: int, due_at: datetime, events: tuple[Event, ...]) -> None:
    """``events``: what the rules made of the deadline ``due_at`` of this turn."""
    connection, row, publisher = sitting.connection, sitting.row, sitting.publisher
    lines = [event for event in match.turn_events if isinstance(event, Line)]
    thread_id = newspapers.thread_of(connection, row.id, turn)
    facts = publisher.facts(match)
    calendar = match.ruleset.calendar(match.tables)
    opens = calendar.next_open(turn, due_at)
    stopped = match.ruleset.winner(match.game) is not None and due_at < _planned(connection, row.id, match, turn)
    if stopped:
        outbox.hasten(connection, row.id, sitting.now)
    elif newspaper_waits(calendar, turn + 1, opens):
        publisher.not_before = opens
    publisher.release_at = newspapers.release_at(row, due_at, opens, sitting.zone, sitting.now)
    scene = newspapers.prologue(connection, row, turn, match.turn_events, due_at, sitting.zone)
    final = match.ruleset.winner(match.game) is not None
    told = stories.tied(match.turn_events)
    last = publisher.newspaper(connection, keys.newspaper(turn), thread_id, facts, told, prologue=scene, final=final)
    publisher.notices(connection, f"t{turn}/close", events, facts, after=last)
    if row.config.mode == "host":
        _tell_held(sitting, turn)
    names = sitting.seats.names()
    connection.execute(
        turns.update()
        .where(turns.c.game_id == row.id, turns.c.turn == turn)
        .values(
            closed_at=due_at,
            names=names,
            report=sitting.writer.report(facts, lines, names),
            events=events_data(match.turn_events),
            draws=[draw_data(draw) for draw in match.chance.record[match.opened_draws :]],
        )
    )
    unwatch(connection, row.id, "day")
    winner = match.ruleset.winner(match.game)
    if winner is not None:
        finale.post(connection, row, publisher, sitting.writer, after=last)
        _end(sitting, "over", winner)
        earnings.tell(sitting, match, after=last)
        return
    opening.open_turn(sitting, match, opens, after=last)


def _tell_held(sitting: Sitting, turn: int) -> None:
    """The newspaper waits for the host, who may be nowhere near the desk."""
    game_id, until = sitting.row.id, sitting.publisher.release_at
    when = f"Сама она выйдет: {sitting.writer.moment(until)}." if until is not None else "Без вас она не выйдет."
    text = (
        f"Игра «{game_id}»: газета хода {turn} готова и ждёт вас. Прочтите и выпустите её на пульте "
        f"или командой forumbot outbox release. {when}"
    )
    key = f"held/{game_id}/{turn}"
    troubles.tell_host(sitting.connection, sitting.site, key, "Газета ждёт вас", text, sitting.now, game_id=game_id)


def announce(sitting: Sitting, match: Match, name: str, at: datetime) -> None:
    """A published moment inside a turn: the lines that are known so far. The newspaper waits in the outbox already."""
    if name == NEWSPAPER:
        return
    lines = [event for event in match.turn_events if isinstance(event, Line)]
    if lines:
        publisher = sitting.publisher
        thread_id = newspapers.thread_of(sitting.connection, sitting.row.id, match.turn)
        publisher.release_at = newspapers.release_at(sitting.row, at, at, sitting.zone, sitting.now)
        publisher.newspaper(sitting.connection, f"t{match.turn}/{name}", thread_id, publisher.facts(match), lines, whole=False)


def call_off(sitting: Sitting, match: Match) -> None:
    """The host has ended the game before its time: no turn is resolved any more (league: everything is paid back)."""
    thread_id = newspapers.thread_of(sitting.connection, sitting.row.id, match.turn)
    sitting.publisher.public(sitting.connection, CALLED_OFF, thread_id, "called_off.j2", sitting.publisher.facts(match))
    _end(sitting, "cancelled", None)


def unwatch(connection: sa.Connection, game_id: str, *kinds: str) -> None:
    """Threads of these kinds (all without any) are not read any more. The sign-up is read on: somebody may want to stand in."""
    mine = threads.c.game_id == game_id, threads.c.kind.in_(kinds or ("day", SIGNUP))
    connection.execute(threads.update().where(*mine).values(watched=False))


def _end(sitting: Sitting, stage: str, winner: str | None) -> None:
    """Nothing is read or resolved any more, and everybody's account has what the game left him."""
    connection, game_id = sitting.connection, sitting.row.id
    connection.execute(games.update().where(games.c.id == game_id).values(stage=stage, winner=winner))
    mine = deadlines.c.game_id == game_id, deadlines.c.done_at.is_(None)
    connection.execute(deadlines.update().where(*mine).values(done_at=sitting.now))
    unwatch(connection, game_id)
    people.settle(connection, game_id, sitting.now)


def _planned(connection: sa.Connection, game_id: str, match: Match, turn: int) -> datetime:
    """When the calendar would close this turn; a game that ends before that was stopped by the host."""
    opened: datetime = connection.execute(
        sa.select(turns.c.opened_at).where(turns.c.game_id == game_id, turns.c.turn == turn)
    ).scalar_one()
    return match.ruleset.calendar(match.tables).turn(turn, opened)[-1].at
