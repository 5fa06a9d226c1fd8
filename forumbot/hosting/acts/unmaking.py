"""What a deadline had made, unmade because the deadline is still to come: its input, its texts, the orders sent in the light of
it, and the turn that had begun behind it."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.hosting.acts import objects
from forumbot.hosting.core import naming, outbox, record
from forumbot.hosting.core.acting import UNSENT, Context, Refused
from forumbot.store.tables import deadlines, inputs, threads, turns, verdicts
from forumbot.store.tables import outbox as rows

_RESTING = ("extend", "move", "resolve", "resume", "order", "host", "force", "remove", "correct")
"""Acts that mean what has begun behind the deadline: they are taken back before it is."""


def nothing_rests(context: Context, due: sa.RowMapping, later: int, named: str) -> None:
    """Refused where the turn that was opened behind it has had a result, or an act of the host that means it."""
    connection = context.connection
    mine = deadlines.c.game_id == context.row.id, deadlines.c.turn == later, deadlines.c.call.in_(record.RESOLVING)
    done = connection.execute(sa.select(deadlines).where(*mine, deadlines.c.done_at.is_not(None))).mappings().first()
    if done is not None:
        raise Refused(
            f"{named}: с тех пор подведено и {naming.deadline(context.writer(), done)}; отмените сначала это, "
            "а если оно наступило в свой час, внесите нужное исправлением («исправить ход», forumbot turn correct)"
        )
    no_act_since(context, due)


def no_act_since(context: Context, due: sa.RowMapping) -> None:
    """Refused where the host has done something since that means what came of this deadline."""
    for act in objects.standing_acts(context.connection, context.row.id, *_RESTING):
        if act["id"] != context.act_id and act["done_at"] > due["done_at"]:
            raise Refused(f"после этого срока уже сделано другое {objects.by(context, act)}: отмените сначала его")


def strike(context: Context, due: sa.RowMapping, name: str) -> None:
    """The input by which this deadline was resolved no longer counts; of a mark the one of this ``name``."""
    mine = inputs.c.game_id == context.row.id, inputs.c.turn == due["turn"], inputs.c.kind == due["call"]
    found = context.connection.execute(sa.select(inputs.c.id, inputs.c.payload).where(*mine, inputs.c.struck.is_(None))).all()
    chosen = [row_id for row_id, payload in found if not name or payload["name"] == name]
    context.connection.execute(inputs.update().where(inputs.c.id.in_(chosen)).values(struck=context.mark))


def forget_orders(context: Context, due: sa.RowMapping, turn: int) -> frozenset[str]:
    """Nothing of this turn counts that came after the deadline; gives the seats that had sent orders for it. What the host has
    taught stays taught."""
    connection = context.connection
    mine = inputs.c.game_id == context.row.id, inputs.c.turn == turn, inputs.c.struck.is_(None)
    connection.execute(inputs.update().where(*mine, inputs.c.kind == "teach").values(turn=due["turn"]))
    played = *mine, inputs.c.kind != "teach"
    sent = *played, inputs.c.kind == "order", inputs.c.verdict_id.is_not(None)
    found = connection.execute(sa.select(inputs.c.payload).where(*sent)).scalars().all()
    connection.execute(inputs.update().where(*played).values(struck=context.mark))
    since = verdicts.c.decided_by.is_(None), verdicts.c.judged_at >= due["done_at"]
    asked = verdicts.c.game_id == context.row.id, verdicts.c.turn == turn, verdicts.c.outcome == "review", *since
    seats = connection.execute(sa.select(verdicts.c.seat).where(*asked)).scalars().all()
    connection.execute(verdicts.update().where(*asked).values(outcome="rejected", decided_by=context.mark))
    return frozenset((*(payload["player"] for payload in found), *(seat for seat in seats if seat is not None)))


def make_room(context: Context, *names: str) -> bool:
    """Texts of these names (those that end in a slash: of all that begin so) will be made anew: what nobody has seen is
    dropped, what was seen keeps its place under another name. Gives whether anything was seen."""
    connection, game_id = context.connection, context.row.id
    whole = [f"{game_id}/{name}" for name in names]
    of = [
        rows.c.key.startswith(name, autoescape=True) if name.endswith("/") else rows.c.key == name for name in whole
    ]
    found = connection.execute(sa.select(rows.c.id, rows.c.key, rows.c.state).where(sa.or_(*of)).order_by(rows.c.id)).all()
    if any(state == "sending" for _, _, state in found):
        raise Refused("сообщения об этом сроке как раз отправляются: повторите через минуту")
    for number, key, state in found:
        unseen = state in UNSENT
        other = None if unseen else outbox.retired(connection, key)
        connection.execute(rows.update().where(rows.c.after == key).values(after=other))
        if unseen:
            connection.execute(rows.delete().where(rows.c.id == number))
        else:
            connection.execute(rows.update().where(rows.c.id == number).values(key=other))
    return any(state not in UNSENT for _, _, state in found)


def close_turn(context: Context, turn: int) -> int | None:
    """The turn that is open now has not begun. Gives the row of its day's thread where the forum has the topic."""
    connection, game_id = context.connection, context.row.id
    seen = make_room(context, f"t{turn}/")
    void = close_thread(context, "day", turn, opened=seen)
    connection.execute(deadlines.delete().where(deadlines.c.game_id == game_id, deadlines.c.turn == turn))
    connection.execute(turns.delete().where(turns.c.game_id == game_id, turns.c.turn == turn))
    return void


def close_thread(context: Context, kind: str, turn: int, *, opened: bool) -> int | None:
    """The turn's thread of this kind is read no more; gives its row where the forum has the topic."""
    connection = context.connection
    mine = threads.c.game_id == context.row.id, threads.c.kind == kind, threads.c.turn == turn
    thread = connection.execute(sa.select(threads).where(*mine)).mappings().first()
    connection.execute(threads.update().where(*mine).values(kind=f"void{context.act_id}", watched=False))
    return int(thread["id"]) if opened and thread is not None and thread["topic"] is not None else None


def watch_signup(context: Context) -> None:
    """The sign-up's thread is read again: a game that has ended reads none."""
    mine = threads.c.game_id == context.row.id, threads.c.kind == record.SIGNUP
    context.connection.execute(threads.update().where(*mine).values(watched=True))
