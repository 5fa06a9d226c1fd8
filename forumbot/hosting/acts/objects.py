"""What an act is about: the deadline, the reading, the text and the history that the host had before their eyes. An act that is
pressed twice, or on a page that is out of date, is answered with what has happened since, and changes nothing.

The desk's forms, the commands and scripts bring the same facts (``seen``) and are held to the same tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.core import keys, naming
from forumbot.hosting.core.acting import UNSENT, Context, Refused
from forumbot.hosting.core.record import RESOLVING, SIGNUP
from forumbot.store.prepared import Row
from forumbot.store.tables import acts, deadlines, outbox, posts, turns, verdicts
from forumbot.store.types import dump

SEEN, AGAIN, VERSION = "seen", "again", "version"
"""Keys of a payload that say how it was asked and not what: the facts of ``sight``; that a repetition is meant; ``version``."""

_TIME = ("pause", "resume", "extend", "move", "resolve")
_BOOK = ("order", "host", "force", "remove", "accept", "reject", "strike")
"""Acts that mean something else once the deadline before which they were asked is resolved."""
_ONCE = ("extend", "order", "host", "force", "remove", "warn", "write", "correct", "rules", "bar")
"""Acts that would do the same thing a second time."""
_PAPER = ("correct", "undo")
_PLAYING = (*_TIME, "order", "host", "force", "remove", "replace", "seat", "unseat")
_DEALT = ("order", "host", "remove", "accept", "strike")
"""Acts that need a game that was dealt."""
_SOON = timedelta(hours=1)
"""A command that brings no page with it and repeats one of this age needs ``again``."""


def sight(connection: sa.Connection, game_id: str) -> dict[str, Any]:
    """What there is to be seen of a game now: its last act, its next deadline, its last reading and newspaper."""
    due = _next(connection, game_id)
    done = acts.c.game_id == game_id, acts.c.done_at.is_not(None)
    return {
        "act": connection.execute(sa.select(sa.func.max(acts.c.id)).where(*done)).scalar() or 0,
        "deadline": None if due is None else due["id"],
        "due_at": None if due is None else due["due_at"].isoformat(),
        "verdict": connection.execute(sa.select(sa.func.max(verdicts.c.id)).where(verdicts.c.game_id == game_id)).scalar() or 0,
        "out": _out(connection, game_id),
    }


def glance(connection: sa.Connection, game_id: str) -> dict[str, Any]:
    """The same for one who asks without a page: which acts they know of cannot be told."""
    return {key: value for key, value in sight(connection, game_id).items() if key != "act"}


def version(row: Row) -> str:
    """The version of a text on its way out."""
    return hashlib.sha256(str(row["body"]).encode()).hexdigest()[:12]


def bare(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, without how."""
    return {key: value for key, value in payload.items() if key not in (SEEN, AGAIN, VERSION)}


def check(context: Context, kind: str, payload: Mapping[str, Any]) -> None:
    """Raises Refused, with what has happened since, for an act whose object is no longer what the host saw."""
    seen: Mapping[str, Any] = payload.get(SEEN) or {}
    # A story of a closed turn may be graded when the game is over, too: that is a correction of the turn it names.
    corrects = kind == "host" and (payload.get("args") or {}).get("turn") is not None
    if context.row.stage in ("over", "cancelled") and kind in _PLAYING and not corrects:
        raise Refused("игра уже окончена; изменить можно только подведённый ход, исправлением")
    if context.row.stage == SIGNUP and kind in _DEALT:
        raise Refused("роли ещё не розданы: до игры игрока можно записать, вычеркнуть или заменить, а ходов и мер нет")
    if kind in _TIME or kind in _BOOK:
        _same_deadline(context, kind, payload, seen)
    if kind in _ONCE and not payload.get(AGAIN):
        _first_time(context, kind, payload, seen)
    if "verdict" in payload:
        _same_reading(context, payload["verdict"], seen)
    if payload.get(VERSION):
        _same_text(context, payload)
    if kind in _PAPER and "out" in seen:
        _same_newspaper(context, seen)


def by(context: Context, act: sa.RowMapping) -> str:
    """Who did it and when: "в 12:02 (действие 5, Хозяин)"."""
    when = naming.wall(act["done_at"], context.now, context.voice.zone)
    return f"{when} (действие {act['id']}, {act['who']})"


def standing_acts(connection: sa.Connection, game_id: str, *kinds: str, after: int = 0) -> Iterator[sa.RowMapping]:
    """Acts of these kinds that were done and not taken back, the last first."""
    undone = sa.select(acts.c.undoes).where(acts.c.undoes.is_not(None), acts.c.error.is_(None))
    done = acts.c.done_at.is_not(None), acts.c.error.is_(None), acts.c.id.not_in(undone), acts.c.id > after
    query = sa.select(acts).where(acts.c.game_id == game_id, acts.c.kind.in_(kinds), *done).order_by(acts.c.id.desc())
    yield from connection.execute(query).mappings().all()


def _first_time(context: Context, kind: str, payload: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
    known = seen.get("act")
    for act in standing_acts(context.connection, context.row.id, kind, after=known or 0):
        if act["id"] == context.act_id or dump(bare(act["payload"])) != dump(bare(payload)):
            continue
        if known is not None or context.now - act["done_at"] < _SOON:
            raise Refused(
                f"это уже сделано {by(context, act)}; если нужно ещё раз, обновите страницу пульта и нажмите снова "
                "или добавьте к команде --again"
            )


def _same_deadline(context: Context, kind: str, payload: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
    number = payload.get("deadline") or seen.get("deadline")
    if number is None:
        return
    mine = deadlines.c.id == number, deadlines.c.game_id == context.row.id
    due = context.connection.execute(sa.select(deadlines).where(*mine)).mappings().first()
    if due is None:
        raise Refused("такого срока у игры нет")
    named = naming.deadline(context.writer(), due)
    if due["done_at"] is not None:
        when = naming.wall(due["done_at"], context.now, context.voice.zone)
        raise Refused(f"{named}: уже подведено {when}; посмотрите, что вышло, и повторите, если это ещё нужно")
    was = payload.get("due_at") or (seen.get("due_at") if number == seen.get("deadline") else None)
    if kind not in _TIME or was is None or datetime.fromisoformat(was) == due["due_at"]:
        return
    called = next(
        (act for act in standing_acts(context.connection, context.row.id, "resolve") if act["payload"].get("deadline") == number),
        None,
    )
    if called is not None and due["due_at"] <= context.now:
        raise Refused(f"{named}: уже подводится, вызвано {by(context, called)}")
    before, now = (naming.wall(at, context.now, context.voice.zone) for at in (datetime.fromisoformat(was), due["due_at"]))
    mover = next(standing_acts(context.connection, context.row.id, *_TIME, "undo", after=seen.get("act") or 0), None)
    who = f"; сделано {by(context, mover)}" if mover is not None and mover["id"] != context.act_id else ""
    raise Refused(f"{named}: срок с тех пор изменился, был {before}, теперь {now}{who}")


def _same_reading(context: Context, number: int, seen: Mapping[str, Any]) -> None:
    """The author may have written the message anew since it was read."""
    mine = verdicts.c.id == number, verdicts.c.game_id == context.row.id
    source = context.connection.execute(sa.select(verdicts.c.source).where(*mine)).scalar() or ""
    if not source.startswith("post:"):
        return
    old = posts.alias()
    newer = context.connection.execute(
        sa.select(verdicts.c.id)
        .join(posts, ("post:" + sa.cast(posts.c.id, sa.String)) == verdicts.c.source)
        .join(old, sa.and_(old.c.thread_id == posts.c.thread_id, old.c.post_id == posts.c.post_id))
        .where(
            old.c.id == int(source.removeprefix("post:")),
            posts.c.version > old.c.version,
            verdicts.c.id > seen.get("verdict", 0),
            verdicts.c.outcome.in_(("accepted", "review")),
            verdicts.c.decided_by.is_(None),
        )
        .order_by(verdicts.c.id.desc())
    ).scalar()
    if newer is not None:
        raise Refused(f"автор с тех пор изменил это сообщение: решите сначала запись {newer}")


def _same_text(context: Context, payload: Mapping[str, Any]) -> None:
    mine = outbox.c.id == payload["outbox"], sa.or_(outbox.c.game_id == context.row.id, outbox.c.game_id.is_(None))
    row = context.connection.execute(sa.select(outbox).where(*mine)).mappings().first()
    if row is None:
        raise Refused("этого текста больше нет: его с тех пор заменил другой, посмотрите исходящие")
    if version(row) != payload[VERSION]:
        acted = standing_acts(context.connection, context.row.id, "edit", "undo", "prologue", "correct")
        last = next((act for act in acted if act["id"] != context.act_id), None)
        raise Refused(f"этот текст с тех пор изменился{f' {by(context, last)}' if last else ''}: посмотрите его ещё раз")


def _same_newspaper(context: Context, seen: Mapping[str, Any]) -> None:
    out = _out(context.connection, context.row.id)
    if out > seen["out"]:
        raise Refused(f"газета хода {out} с тех пор вышла: посмотрите, что изменится теперь, и повторите")
    if "act" in seen:
        for act in standing_acts(context.connection, context.row.id, "correct", after=seen["act"]):
            if act["id"] != context.act_id:
                raise Refused(f"газету с тех пор исправили {by(context, act)}: посмотрите её и повторите, если нужно")


def _next(connection: sa.Connection, game_id: str) -> sa.RowMapping | None:
    mine = deadlines.c.game_id == game_id, deadlines.c.done_at.is_(None), deadlines.c.call.in_(RESOLVING)
    query = sa.select(deadlines).where(*mine).order_by(deadlines.c.due_at, deadlines.c.id)
    return connection.execute(query).mappings().first()


def _out(connection: sa.Connection, game_id: str) -> int:
    """The last turn of whose newspaper something was posted; -1 while there is none."""
    closed = connection.execute(
        sa.select(turns.c.turn).where(turns.c.game_id == game_id, turns.c.closed_at.is_not(None)).order_by(turns.c.turn.desc())
    ).scalars()
    for turn in closed:
        parts = keys.parts_of(f"{game_id}/{keys.newspaper(turn)}")
        if connection.execute(sa.select(outbox.c.id).where(parts, outbox.c.state.not_in(UNSENT))).first() is not None:
            return int(turn)
    return -1
