"""A deadline that was resolved too early is to come again: the undoing of "resolve now", and of a shift to a nearer hour.

A mark inside the running turn comes at its own hour, as if it had not been made. Where it was the end of its turn, that turn
runs on: its newspaper no longer holds, and the turn after it, of which nothing may have been resolved yet, has not begun.
What players have sent for that one no longer counts, for they wrote it in the light of a result that never was; each of them
is told to send it again.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from forumbot.hosting import keys, naming, objects, outbox, record, rescheduled
from forumbot.hosting.acting import UNSENT, Context, Refused, Reopened
from forumbot.hosting.match import SETUP_TURN
from forumbot.store.tables import deadlines, games, inputs, threads, turns, verdicts
from forumbot.store.tables import outbox as rows

_RESTING = ("extend", "move", "resolve", "resume", "order", "host", "force", "remove", "correct")
"""Acts that mean the turn that is open now: they are taken back before it is."""


def reopen(context: Context, due: sa.RowMapping) -> None:
    """Open this deadline again. Refused where something was resolved behind it."""
    named = naming.deadline(context.writer(), due)
    if context.row.stage != "turn" or due["turn"] == SETUP_TURN:
        over = context.row.stage in ("over", "cancelled")
        why = "игра уже окончена" if over else "запись закрыта, и роли уже у игроков"
        raise Refused(f"{named}: {why}, открыть этот срок снова нельзя")
    if due["turn"] == context.row.turn:
        _strike(context, due, due["name"] if due["call"] == "mark" else "")
        name = f"t{due['turn']}/{due['name']}"
        _make_room(context, f"{name}/", name)
        context.reopened = Reopened(due["turn"])
    elif due["call"] == "close" and _last_closed(context) == due["turn"]:
        _turn(context, due, named)
    else:
        raise Refused(
            f"{named}: с тех пор подведён и следующий ход, открыть этот срок снова нельзя; "
            "отдельные ходы можно внести или снять исправлением («исправить ход», forumbot turn correct)"
        )
    names = deadlines.c.game_id == context.row.id, deadlines.c.turn == due["turn"], deadlines.c.name == due["name"]
    context.connection.execute(deadlines.update().where(*names).values(done_at=None, held_since=None, held_reason=None))


def tell(context: Context, before: Mapping[str, datetime]) -> None:
    """Everybody hears which deadline is to come again, and what has become of the newspaper and of their orders. ``before``:
    the open moments as they were."""
    what = context.reopened
    assert what is not None
    void = what.turn if what.published else None
    rescheduled.tell(context, rescheduled.REOPENED, {} if what.closed else before, void=void, lost=what.lost)
    if what.void is not None:
        publisher = context.publisher()
        match = record.fold(context.connection, context.row)
        facts = publisher.facts(match)
        publisher.public(context.connection, f"{context.key}/void", what.void, "not_open.j2", facts, day=what.turn + 1)


def _turn(context: Context, due: sa.RowMapping, named: str) -> None:
    """The end of the turn before the running one has not been."""
    connection, game_id, turn = context.connection, context.row.id, int(due["turn"])
    later = context.row.turn
    _nothing_rests(context, due, later, named)
    lost = _forget_orders(context, later)
    _strike(context, due, "")
    papers = _make_room(context, f"t{turn}/close/", keys.newspaper(turn), f"{keys.newspaper(turn)}/")
    seen = _make_room(context, f"t{later}/")
    void = _close_thread(context, later, opened=seen)
    connection.execute(deadlines.delete().where(deadlines.c.game_id == game_id, deadlines.c.turn == later))
    connection.execute(turns.delete().where(turns.c.game_id == game_id, turns.c.turn == later))
    mine = turns.c.game_id == game_id, turns.c.turn == turn
    kept = connection.execute(sa.select(turns).where(*mine)).mappings().one()
    old = {"at": context.now.isoformat(), "act": context.act_id, "who": context.who}
    old |= {key: kept[key] for key in ("report", "events", "draws")}
    fresh = {"closed_at": None, "names": None, "report": None, "events": None, "draws": None}
    connection.execute(turns.update().where(*mine).values(**fresh, replaced=[*(kept["replaced"] or []), old]))
    day = threads.c.game_id == game_id, threads.c.kind == "day", threads.c.turn == turn
    connection.execute(threads.update().where(*day).values(watched=True))
    connection.execute(games.update().where(games.c.id == game_id).values(turn=turn))
    context.row = record.load(connection, game_id)
    context.reopened = Reopened(turn, closed=True, published=papers, lost=lost, void=void)


def _last_closed(context: Context) -> int | None:
    closed = turns.c.game_id == context.row.id, turns.c.closed_at.is_not(None)
    found: int | None = context.connection.execute(sa.select(sa.func.max(turns.c.turn)).where(*closed)).scalar()
    return found


def _nothing_rests(context: Context, due: sa.RowMapping, later: int, named: str) -> None:
    """Refused where the turn that was opened behind it has had a result, or an act of the host that means it."""
    connection = context.connection
    mine = deadlines.c.game_id == context.row.id, deadlines.c.turn == later, deadlines.c.call.in_(record.RESOLVING)
    done = connection.execute(sa.select(deadlines).where(*mine, deadlines.c.done_at.is_not(None))).mappings().first()
    if done is not None:
        raise Refused(
            f"{named}: с тех пор подведено и {naming.deadline(context.writer(), done)}; отмените сначала это, "
            "а если оно наступило в свой час, внесите нужное исправлением («исправить ход», forumbot turn correct)"
        )
    for act in objects.standing_acts(connection, context.row.id, *_RESTING):
        if act["id"] != context.act_id and act["done_at"] > due["done_at"]:
            raise Refused(f"после этого срока уже сделано другое {objects.by(context, act)}: отмените сначала его")


def _strike(context: Context, due: sa.RowMapping, name: str) -> None:
    """The input by which this deadline was resolved no longer counts; of a mark the one of this ``name``."""
    mine = inputs.c.game_id == context.row.id, inputs.c.turn == due["turn"], inputs.c.kind == due["call"]
    found = context.connection.execute(sa.select(inputs.c.id, inputs.c.payload).where(*mine, inputs.c.struck.is_(None))).all()
    chosen = [row_id for row_id, payload in found if not name or payload["name"] == name]
    context.connection.execute(inputs.update().where(inputs.c.id.in_(chosen)).values(struck=context.mark))


def _forget_orders(context: Context, turn: int) -> frozenset[str]:
    """Nothing of this turn counts; gives the seats that had sent orders for it. What the host has taught stays taught."""
    connection = context.connection
    mine = inputs.c.game_id == context.row.id, inputs.c.turn == turn, inputs.c.struck.is_(None)
    connection.execute(inputs.update().where(*mine, inputs.c.kind == "teach").values(turn=turn - 1))
    found = connection.execute(sa.select(inputs.c.payload).where(*mine, inputs.c.kind == "order")).scalars().all()
    connection.execute(inputs.update().where(*mine).values(struck=context.mark))
    asked = verdicts.c.game_id == context.row.id, verdicts.c.turn == turn, verdicts.c.outcome == "review"
    seats = connection.execute(sa.select(verdicts.c.seat).where(*asked, verdicts.c.decided_by.is_(None))).scalars().all()
    connection.execute(
        verdicts.update().where(*asked, verdicts.c.decided_by.is_(None)).values(outcome="rejected", decided_by=context.mark)
    )
    return frozenset((*(payload["player"] for payload in found), *(seat for seat in seats if seat is not None)))


def _make_room(context: Context, *names: str) -> bool:
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


def _close_thread(context: Context, turn: int, *, opened: bool) -> int | None:
    """The day's thread of this turn is read no more; gives its row where the forum has the topic."""
    connection = context.connection
    day = threads.c.game_id == context.row.id, threads.c.kind == "day", threads.c.turn == turn
    thread = connection.execute(sa.select(threads).where(*day)).mappings().one()
    connection.execute(threads.update().where(*day).values(kind=f"void{context.act_id}", watched=False))
    return int(thread["id"]) if opened and thread["topic"] is not None else None
