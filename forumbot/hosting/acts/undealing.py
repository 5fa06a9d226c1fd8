"""The sign-up that was closed too early is open again: no roles have been dealt, whoever has asked for a place since has one, and
what everybody had brought into the game is theirs again.

Where somebody has read their role already, the next deal draws anew: nobody may know from the first what the second gave.
"""

from __future__ import annotations

import hashlib

import sqlalchemy as sa

from forumbot.hosting.acts import unmaking
from forumbot.hosting.core import record
from forumbot.hosting.core.acting import Context, Refused, Reopened
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.inbox import signup
from forumbot.hosting.people import people
from forumbot.store.tables import deadlines, games

_TEXTS = ("deal/", "started", "started/", "cancelled", "cancelled/")
"""What the end of a sign-up says, by the names of the outbox."""


def undeal(context: Context, due: sa.RowMapping, named: str) -> None:
    """The end of the sign-up has not been. Refused once anything of the game was resolved."""
    connection, row = context.connection, context.row
    if row.stage == "over" or (row.stage == "cancelled" and row.turn != SETUP_TURN):
        raise Refused(f"{named}: игра уже окончена, записаться в неё снова нельзя")
    _nothing_since(context, due, named)
    lost = unmaking.forget_orders(context, due, SETUP_TURN)
    void = None
    if row.stage == "turn":
        lost |= unmaking.forget_orders(context, due, row.turn)
        void = unmaking.close_turn(context, row.turn)
    seen = unmaking.make_room(context, *_TEXTS)
    people.take_back(connection, row, context.act_id, context.now)
    made = deadlines.c.game_id == row.id, deadlines.c.turn == SETUP_TURN, deadlines.c.call.in_(("mark", "close", "announce"))
    connection.execute(deadlines.delete().where(*made))
    seed = _another(row.seed, context.act_id) if seen else row.seed
    fresh = {"stage": record.SIGNUP, "turn": SETUP_TURN, "seed": seed}
    connection.execute(games.update().where(games.c.id == row.id).values(fresh))
    context.row = record.load(connection, row.id)
    unmaking.watch_signup(context)
    signup.seat_waiting(connection, context.row, context.publisher(), context.act_id, context.now)
    context.reopened = Reopened(
        SETUP_TURN, closed=True, lost=lost, later=row.turn, void=void, signup=True, undealt=seen and row.stage != "cancelled"
    )


def _nothing_since(context: Context, due: sa.RowMapping, named: str) -> None:
    if context.row.stage == "turn":
        unmaking.nothing_rests(context, due, context.row.turn, named)
    unmaking.no_act_since(context, due)
    mine = deadlines.c.game_id == context.row.id, deadlines.c.turn == SETUP_TURN, deadlines.c.call == "mark"
    done = context.connection.execute(sa.select(deadlines.c.id).where(*mine, deadlines.c.done_at.is_not(None))).first()
    if done is not None:
        raise Refused(f"{named}: подготовка к игре с тех пор закончилась; отмените сначала её конец")


def _another(seed: int, act_id: int) -> int:
    """The seed of the next deal."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{act_id}".encode()).digest()[:6], "big")
