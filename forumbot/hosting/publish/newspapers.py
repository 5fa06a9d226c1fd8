"""The newspaper of a turn while nobody has seen it: its prologue, its making anew, and how long it waits for the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from engine.model import Death, Ended, Event, Line
from forumbot.hosting.core import keys, record, stories
from forumbot.hosting.core.acting import UNSENT, Context, Refused, Undo
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.wire import events_from
from forumbot.store.atwork import SETTLED, under
from forumbot.store.prepared import Prepared
from forumbot.store.tables import acts, outbox, threads, turns
from forumbot.writing import themes
from forumbot.writing.themes import Moment
from forumbot.writing.writer import PublicFacts

NO_PROLOGUE = "none"
NEVER = "never"
_LEAST_TIME = timedelta(minutes=30)


def withdraw(connection: sa.Connection, game_id: str, prefix: str) -> bool:
    """Drop the rows of this kind that nobody has seen; gives whether all of them were such."""
    mine = under(outbox.c.key, f"{game_id}/{prefix}")
    seen = connection.execute(sa.select(outbox.c.id).where(mine, outbox.c.state.not_in(UNSENT))).first()
    connection.execute(outbox.delete().where(mine, outbox.c.state.in_(UNSENT)))
    return seen is None


def is_unseen(connection: sa.Connection, game_id: str, turn: int) -> bool:
    """Whether the newspaper of this turn stands in the outbox, and no part of it has been posted."""
    rows = connection.execute(sa.select(outbox.c.state).where(keys.parts_of(f"{game_id}/{keys.newspaper(turn)}"))).scalars().all()
    return bool(rows) and all(state in UNSENT for state in rows)


# How long it waits for the host -----------------------------------------------------------------------------------------


def release_at(row: GameRow, closed: datetime, opens: datetime, zone: str, now: datetime) -> datetime | None:
    """Mode ``host``: when the newspaper goes out by itself. None: it waits for the host without end.

    ``approve_until`` is a wall time ("07:50"), hours ("2.5") or "never"; left out, it is the opening of the next turn,
    or an hour where that leaves the host less than half an hour. Where the deadline is resolved late (``now``) and that
    moment is over, he has an hour, too.
    """
    if row.config.approve_until == NEVER:
        return None
    at = _approved_until(row.config.approve_until, closed, opens, zone)
    return at if at > now else now + 2 * _LEAST_TIME


def _approved_until(said: str, closed: datetime, opens: datetime, zone: str) -> datetime:
    if not said:
        return opens if opens - closed >= _LEAST_TIME else closed + 2 * _LEAST_TIME
    if ":" not in said:
        return closed + timedelta(hours=float(said))
    wall = time.fromisoformat(said)
    local = closed.astimezone(ZoneInfo(zone))
    at = datetime.combine(local.date(), wall, tzinfo=local.tzinfo)
    return at if at > local else datetime.combine(local.date() + timedelta(days=1), wall, tzinfo=local.tzinfo)


_HELD = Prepared(sa.select(outbox.c.id, outbox.c.result).where(SETTLED, outbox.c.state == "held"))


def to_release(connection: sa.Connection, now: datetime) -> list[int]:
    """The rows of newspapers whose hour has come although the host did not answer."""
    held = _HELD.lists(connection)
    return [row_id for row_id, result in held if (result or {}).get("until") and datetime.fromisoformat(result["until"]) <= now]


def release_due(connection: sa.Connection, now: datetime) -> int:
    """Newspapers whose hour has come go out; gives how many rows."""
    due = to_release(connection, now)
    if due:
        connection.execute(outbox.update().where(outbox.c.id.in_(due)).values(state="waiting"))
    return len(due)


# The prologue -------------------------------------------------------------------------------------------------------------


def prologue(
    connection: sa.Connection,
    row: GameRow,
    turn: int,
    events: Sequence[Event],
    closed: datetime,
    zone: str,
    choice: Mapping[str, Any] | None = None,
) -> str:
    """The scene above a turn's newspaper: the host's choice, else the theme's; empty without either.

    Of the events only their public side is used: how many died (every newspaper names its dead), the newspaper's own
    word that the court spared everybody, and whether the game has ended.
    """
    said = _choice(connection, row.id, turn) if choice is None else choice
    if "text" in said:
        return str(said["text"]) if said["text"] != NO_PROLOGUE else ""
    theme = row.templates.get(themes.FILE, "")
    if not theme:
        return ""
    moment = _moment(row, turn, events, closed, zone)
    return themes.scene(theme, moment, int(said.get("another", 0)), seen=_scenes_before(connection, row, turn, zone))


def _moment(row: GameRow, turn: int, events: Sequence[Event], closed: datetime, zone: str) -> Moment:
    return Moment(
        row.id,
        turn,
        dead=len({event.player for event in events if isinstance(event, Death)}),
        nobody=any(isinstance(event, Line) and event.kind == "nobody" for event in events),
        weekday=closed.astimezone(ZoneInfo(zone)).weekday(),
        final=any(isinstance(event, Ended) for event in events),
    )


def _scenes_before(connection: sa.Connection, row: GameRow, turn: int, zone: str) -> list[str]:
    """The theme's scenes that the earlier newspapers of this game had: it shows none twice while there are others."""
    closed = turns.c.game_id == row.id, turns.c.turn < turn, turns.c.closed_at.is_not(None)
    query = sa.select(turns.c.turn, turns.c.events, turns.c.closed_at).where(*closed).order_by(turns.c.turn)
    seen: list[str] = []
    for number, events, at in connection.execute(query).all():
        said = _choice(connection, row.id, number)
        if "text" not in said:
            moment = _moment(row, number, events_from(events), at, zone)
            seen.append(themes.scene(row.templates[themes.FILE], moment, int(said.get("another", 0)), seen=seen))
    return seen


def prologue_act(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host's prologue for a turn: ``text`` (his own; "none" for none) or ``another`` scene of the theme.

    Without ``turn``: the last newspaper that nobody has seen, else the one that the running turn will have.
    """
    turn = payload["turn"] if payload.get("turn") is not None else _awaited(context)
    if turn > context.row.turn:
        raise Refused(f"хода {turn} ещё не было")
    if turn != context.row.turn and not is_unseen(context.connection, context.row.id, turn):
        raise Refused("эта газета уже вышла")
    kept = {key: payload[key] for key in ("text", "another") if payload.get(key) is not None}
    if not kept:
        raise Refused("скажите, что сделать с прологом: другая сцена, свой текст или без него")
    if "another" in kept:
        if not context.row.templates.get(themes.FILE):
            raise Refused("у этой игры нет темы, сцены брать не из чего")
        kept["another"] = int(_choice(context.connection, context.row.id, turn).get("another", 0)) + 1
    context.connection.execute(acts.update().where(acts.c.id == context.act_id).values(payload={**payload, **kept, "turn": turn}))
    rewrite(context, turn, choice=kept)
    return {"turn": turn}


def _awaited(context: Context) -> int:
    closed = context.connection.execute(
        sa.select(turns.c.turn)
        .where(turns.c.game_id == context.row.id, turns.c.closed_at.is_not(None))
        .order_by(turns.c.turn.desc())
    ).scalar()
    return closed if closed is not None and is_unseen(context.connection, context.row.id, closed) else context.row.turn


def _choice(connection: sa.Connection, game_id: str, turn: int) -> Mapping[str, Any]:
    """What the host last said of this turn's prologue and has not taken back."""
    undone = sa.select(acts.c.undoes).where(acts.c.undoes.is_not(None), acts.c.error.is_(None))
    rows = connection.execute(
        sa.select(acts.c.payload)
        .where(
            acts.c.game_id == game_id,
            acts.c.kind == "prologue",
            acts.c.done_at.is_not(None),
            acts.c.error.is_(None),
            acts.c.id.not_in(undone),
        )
        .order_by(acts.c.id.desc())
    ).scalars()
    return next((said for said in rows if said.get("turn") == turn), {})


# Making it anew -----------------------------------------------------------------------------------------------------------


def rewrite(context: Context, turn: int, *, choice: Mapping[str, Any] | None = None) -> None:
    """Write the waiting newspaper of a turn anew; nothing when it is not there. ``choice``: of the act being done now."""
    stored = context.connection.execute(
        sa.select(turns).where(turns.c.game_id == context.row.id, turns.c.turn == turn, turns.c.closed_at.is_not(None))
    ).mappings().first()
    if stored is None or not is_unseen(context.connection, context.row.id, turn):
        return
    put_anew(context, turn, _facts(context, turn), events_from(stored["events"]), stored["closed_at"], choice=choice)


def _facts(context: Context, turn: int) -> PublicFacts:
    """What everybody knew when the turn was closed."""
    match = Match.begin(context.row.ruleset, context.row.tables, context.row.seed)
    for given in record.inputs_of(context.connection, context.row.id):
        match.apply(given)
        if given.kind == "close" and given.turn == turn:
            break
    return context.publisher().facts(match)


def put_anew(
    context: Context,
    turn: int,
    facts: PublicFacts,
    events: Sequence[Event],
    closed: datetime,
    *,
    choice: Mapping[str, Any] | None = None,
) -> str:
    """Put the newspaper in the place of the waiting one, with its state and hours. Gives the key of its last part."""
    connection, row = context.connection, context.row
    full = f"{row.id}/{keys.newspaper(turn)}"
    old = connection.execute(sa.select(outbox).where(outbox.c.key == full)).mappings().one()
    connection.execute(outbox.delete().where(keys.parts_of(full)))
    publisher = context.publisher()
    publisher.not_before = old["not_before"] if old["not_before"] > context.now else None
    scene = prologue(connection, row, turn, events, closed, context.voice.zone, choice)
    final = any(isinstance(event, Ended) for event in events)
    thread_id = thread_of(connection, row.id, turn)
    told = stories.tied(events)
    last = publisher.newspaper(connection, keys.newspaper(turn), thread_id, facts, told, prologue=scene, final=final)
    state = "waiting" if old["state"] == "failed" else old["state"]
    connection.execute(outbox.update().where(keys.parts_of(full)).values(state=state, result=old["result"]))
    behind = under(outbox.c.after, full), sa.not_(keys.parts_of(full))
    connection.execute(outbox.update().where(*behind).values(after=last))
    return last


_THREAD = Prepared(
    sa.select(threads.c.id).where(
        threads.c.game_id == sa.bindparam("game"), threads.c.kind == "day", threads.c.turn == sa.bindparam("turn")
    )
)


def thread_of(connection: sa.Connection, game_id: str, turn: int) -> int:
    """The day's thread of a turn."""
    found = _THREAD.value(connection, game=game_id, turn=turn)
    if found is None:
        raise sa.exc.NoResultFound
    return int(found)
