"""A deadline that was resolved too early is to come again: the undoing of "resolve now", and of a shift to a nearer hour.

A mark inside the running turn comes at its own hour, as if it had not been made. Where it was the end of its turn, that turn
runs on: its newspaper no longer holds, and the turn after it, of which nothing may have been resolved yet, has not begun.
What players have sent for that one no longer counts, for they wrote it in the light of a result that never was; each of them
is told to send it again. So it is with the end of the set-up, and with an end of the game: it goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.acts import undealing, unmaking
from forumbot.hosting.core import keys, naming, record
from forumbot.hosting.core.acting import Context, Refused, Reopened
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.people import people
from forumbot.hosting.publish import finale
from forumbot.hosting.turns import closing, rescheduled
from forumbot.store.tables import deadlines, games, threads, turns


def reopen(context: Context, due: sa.RowMapping) -> None:
    """Open this deadline again. Refused where something was resolved behind it."""
    named = naming.deadline(context.writer(), due)
    stage = context.row.stage
    if due["call"] == record.SIGNUP:
        undealing.undeal(context, due, named)
    elif stage in ("setup", "turn") and due["turn"] == context.row.turn:
        unmaking.strike(context, due, due["name"] if due["call"] == "mark" else "")
        name = f"t{due['turn']}/{due['name']}"
        unmaking.make_room(context, f"{name}/", name)
        context.reopened = Reopened(due["turn"])
    elif stage == "turn" and _last_before(context) == due["turn"] and (due["call"] == "close" or due["turn"] == SETUP_TURN):
        _turn(context, due, named)
    elif stage == "over" and due["call"] == "close" and due["turn"] == context.row.turn:
        _end(context, due, named)
    elif stage in ("over", "cancelled"):
        raise Refused(f"{named}: игра уже окончена, открыть этот срок снова нельзя")
    else:
        raise Refused(
            f"{named}: с тех пор подведён и следующий ход, открыть этот срок снова нельзя; "
            "отдельные ходы можно внести или снять исправлением («исправить ход», forumbot turn correct)"
        )
    names = deadlines.c.game_id == context.row.id, deadlines.c.turn == due["turn"], deadlines.c.name == due["name"]
    context.connection.execute(deadlines.update().where(*names).values(done_at=None, held_since=None, held_reason=None))


def call_on(context: Context) -> None:
    """The game that its host had called off goes on, once the act that did it no longer counts."""
    connection, row = context.connection, context.row
    if row.stage != "cancelled" or row.turn == SETUP_TURN or record.fold(connection, row).stage == "over":
        return
    unmaking.make_room(context, closing.CALLED_OFF, f"{closing.CALLED_OFF}/")
    mine = deadlines.c.game_id == row.id
    ended = connection.execute(sa.select(sa.func.max(deadlines.c.done_at)).where(mine)).scalar_one()
    broken_off = mine, deadlines.c.done_at == ended, deadlines.c.due_at > ended
    connection.execute(deadlines.update().where(*broken_off).values(done_at=None))
    unmaking.watch_signup(context)
    _runs_on(context, row.turn)
    people.settle(connection, row.id, context.now)
    rescheduled.tell(context, rescheduled.RESUMED, {})


def tell(context: Context, before: Mapping[str, datetime]) -> None:
    """Everybody hears which deadline is to come again, and what has become of the newspaper and of their orders. ``before``:
    the open moments as they were."""
    what = context.reopened
    assert what is not None
    rescheduled.tell(context, rescheduled.REOPENED, {} if what.closed else before, opened=what)
    if what.void is not None:
        publisher = context.publisher()
        facts = publisher.facts(record.fold(context.connection, context.row))
        template = "not_over.j2" if what.over else "not_open.j2"
        said: dict[str, Any] = {} if what.over else {"day": what.later, "setup": what.turn == SETUP_TURN, "signup": what.signup}
        publisher.public(context.connection, f"{context.key}/void", what.void, template, facts, **said)


def _turn(context: Context, due: sa.RowMapping, named: str) -> None:
    """The end of the turn (or of the set-up) before the running one has not been."""
    turn, later = int(due["turn"]), context.row.turn
    unmaking.nothing_rests(context, due, later, named)
    lost = unmaking.forget_orders(context, due, later)
    unmaking.strike(context, due, due["name"] if due["call"] == "mark" else "")
    told = "close" if due["call"] == "close" else due["name"]
    papers = unmaking.make_room(context, f"t{turn}/{told}/", *_papers(turn))
    void = unmaking.close_turn(context, later)
    _runs_on(context, turn)
    context.reopened = Reopened(turn, closed=True, published=papers and due["call"] == "close", lost=lost, later=later, void=void)


def _end(context: Context, due: sa.RowMapping, named: str) -> None:
    """The end of the game has not been: what it had told is void, and accounts have what they had before it."""
    connection, game_id, turn = context.connection, context.row.id, int(due["turn"])
    unmaking.no_act_since(context, due)
    unmaking.strike(context, due, "")
    papers = unmaking.make_room(context, f"t{turn}/close/", *_papers(turn))
    seen = unmaking.make_room(context, finale.KEY, f"{finale.KEY}/")
    void = unmaking.close_thread(context, finale.KIND, turn, opened=seen)
    unmaking.watch_signup(context)
    _runs_on(context, turn)
    # What ended with the game is still to come.
    mine = deadlines.c.game_id == game_id, deadlines.c.done_at == due["done_at"], deadlines.c.due_at > context.now
    connection.execute(deadlines.update().where(*mine, deadlines.c.turn == turn).values(done_at=None))
    people.settle(connection, game_id, context.now)
    context.reopened = Reopened(turn, closed=True, published=papers, void=void, over=True)


def _papers(turn: int) -> tuple[str, str]:
    """The names of a turn's newspaper and of its further parts."""
    return keys.newspaper(turn), f"{keys.newspaper(turn)}/"


def _runs_on(context: Context, turn: int) -> None:
    """This turn, or the set-up, is the running one again. Of a turn the result that does not hold is kept."""
    connection, game_id = context.connection, context.row.id
    mine = turns.c.game_id == game_id, turns.c.turn == turn
    kept = connection.execute(sa.select(turns).where(*mine, turns.c.closed_at.is_not(None))).mappings().first()
    if kept is not None:
        old = {"at": context.now.isoformat(), "act": context.act_id, "who": context.who}
        old |= {key: kept[key] for key in ("report", "events", "draws")}
        fresh = {"closed_at": None, "names": None, "report": None, "events": None, "draws": None}
        connection.execute(turns.update().where(*mine).values(**fresh, replaced=[*(kept["replaced"] or []), old]))
    day = threads.c.game_id == game_id, threads.c.kind == "day", threads.c.turn == turn
    connection.execute(threads.update().where(*day).values(watched=True))
    stage = "setup" if turn == SETUP_TURN else "turn"
    connection.execute(games.update().where(games.c.id == game_id).values(turn=turn, stage=stage, winner=None))
    context.row = record.load(connection, game_id)


def _last_before(context: Context) -> int:
    """The turn that was closed before the running one; the set-up before the first."""
    closed = turns.c.game_id == context.row.id, turns.c.closed_at.is_not(None)
    found: int | None = context.connection.execute(sa.select(sa.func.max(turns.c.turn)).where(*closed)).scalar()
    return SETUP_TURN if found is None else found


