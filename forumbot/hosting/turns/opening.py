"""A turn is opened: its row, its deadlines, its day's topic, and what the rules tell players at its beginning.

A turn that could not be opened before most of its time was over is put off by whole days, so that it gets its full length:
nobody is punished for his silence in a day that did not take place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.calendar import Due
from forumbot.hosting.core import hours, keys, modes, naming, record, schedule, troubles
from forumbot.hosting.core.acting import UNSENT
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.publish import newspapers
from forumbot.hosting.turns import reminding, shifts
from forumbot.store.atwork import OPEN_DEADLINE
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import acts, deadlines, games, outbox, threads, turns

LEAST_PART = 0.5
"""A turn that has less than this part of its time left when it opens is put off."""


def open_turn(sitting: Sitting, match: Match, opens: datetime, *, after: str | None) -> None:
    """Open the turn that comes next, due to open at ``opens``; what it says goes out behind the outbox row ``after``."""
    connection, row, publisher = sitting.connection, sitting.row, sitting.publisher
    turn = match.next_turn()
    calendar = match.ruleset.calendar(match.tables)
    begins, dues = opens, calendar.turn(turn, opens)
    if row.config.mode != modes.SHADOW and is_late(opens, wanted(match, dues).at, sitting.now):
        begins = calendar.put_off(opens, sitting.now)
        dues = calendar.turn(turn, begins)
        why = "должен был открыться, когда бот не работал или не мог читать форум, и открывается теперь"
        _tell(sitting, turn, dues, why)
    last = tuple(match.turn_events)
    given = record.add_input(connection, row.id, "open", turn, opens, schedule.told(begins, dues))
    events = match.apply(given)
    connection.execute(turns.insert().values(game_id=row.id, turn=turn, opened_at=begins))
    connection.execute(games.update().where(games.c.id == row.id).values(stage="turn", turn=turn))
    for name, call, at in _moments(row, dues, begins):
        record.add_deadline(connection, row.id, turn, name, call, at)
    made = connection.execute(
        threads.insert().values(game_id=row.id, kind="day", turn=turn, topic=row.config.day_topics.get(turn))
    )
    (thread_id,) = made.inserted_primary_key or (0,)
    facts = publisher.facts(match, _marks(dues))
    publisher.day_topic(connection, turn, thread_id, facts, events, last, after=after)
    publisher.notices(connection, f"t{turn}/open", events, facts, after=after)
    shifts.tell(sitting, match, after=after)


def wanted(match: Match, dues: Sequence[Due]) -> Due:
    """The first of these at which players must have acted: the one that they are reminded of."""
    return next(iter(reminding.awaited(match.ruleset.spec, dues)), dues[-1])


def is_late(opens: datetime, due: datetime, moment: datetime) -> bool:
    """Whether too little of the time from ``opens`` to ``due`` is left at ``moment``."""
    return due - moment < (due - opens) * LEAST_PART


# The running turn -------------------------------------------------------------------------------------------------------


_TOPIC = Prepared(sa.select(outbox).where(outbox.c.key == sa.bindparam("key")))


def put_off(sitting: Sitting, match: Match) -> bool:
    """Put the running turn off when its topic could not be opened in time; gives whether it was.

    So it is while the forum takes no topic, or the newspaper before it waits for a host who does not come. What the host
    himself has said of the turn's deadlines holds.
    """
    connection, row, now = sitting.connection, sitting.row, sitting.now
    topic = _topic(connection, row.id, match.turn)
    if topic is None or row.config.mode == modes.SHADOW:
        return False
    calendar = match.ruleset.calendar(match.tables)
    opens = hours.opened_at(connection, row.id, match.turn)
    assert opens is not None
    first = wanted(match, calendar.turn(match.turn, opens))
    due_at = _DUE_AT.value(connection, game=row.id, turn=match.turn, name=first.name, call=first.call)
    if due_at is None:
        return False
    sent = topic["state"] == "sent"
    late = due_at <= _tried_at(topic) if sent else is_late(due_at - (first.at - opens), due_at, now)
    if not late or _host_decides(connection, row.id, match.turn, since=topic["created_at"]):
        return False
    begins = calendar.put_off(opens, now)
    dues = calendar.turn(match.turn, begins)
    mine = turns.c.game_id == row.id, turns.c.turn == match.turn
    connection.execute(turns.update().where(*mine).values(opened_at=begins))
    for name, call, at in _moments(row, dues, begins):
        record.add_deadline(connection, row.id, match.turn, name, call, at)
        moved = {"due_at": at, "held_since": None, "held_reason": None}
        connection.execute(deadlines.update().where(*_open_deadline(row.id, match.turn, name, call)).values(moved))
    schedule.obey(connection, row.id, match.turn, now)
    if sent:
        why = "открылся только после своего срока (поправьте срок в первом сообщении темы)"
    else:
        _write_anew(sitting, match.turn, dues, topic)
        why = "не удалось открыть вовремя"
    _tell(sitting, match.turn, dues, why)
    return True


def is_unsure(connection: sa.Connection, game_id: str, turn: int) -> bool:
    """Whether it is not known yet if the forum has taken the turn's topic: what may stand in it has not been read."""
    return _topic(connection, game_id, turn, unsure=True) is not None


def _topic(
    connection: sa.Connection, game_id: str, turn: int, *, unsure: bool = False
) -> Row | None:
    """The outbox row of the turn's topic while it surely stands on the forum or surely does not, or else while that is
    ``unsure``; None where the topic is another hand's work."""
    row = _TOPIC.first(connection, key=f"{game_id}/{keys.topic(turn)}")
    if row is None or row["state"] == "shadow" or (row["state"] == "sending") != unsure:
        return None
    if row["state"] == "sent" and "tried_at" not in (row["result"] or {}):
        return None
    return row


def _tried_at(topic: Row) -> datetime:
    """When a topic that stands on the forum was sent."""
    return datetime.fromisoformat(topic["result"]["tried_at"])


def _host_decides(connection: sa.Connection, game_id: str, turn: int, *, since: datetime) -> bool:
    """Whether a host has moved or called a deadline of this turn himself, or shortened the time left, and has not taken it
    back."""
    mine = deadlines.c.game_id == game_id, deadlines.c.turn == turn
    own = set(connection.execute(sa.select(deadlines.c.id).where(*mine)).scalars())
    undone = sa.select(acts.c.undoes).where(acts.c.undoes.is_not(None), acts.c.error.is_(None))
    results = connection.execute(
        sa.select(acts.c.result).where(
            acts.c.game_id == game_id, acts.c.done_at >= since, acts.c.error.is_(None), acts.c.id.not_in(undone)
        )
    ).scalars()
    return any(done and _decides(done, own) for done in results)


def _decides(done: Mapping[str, Any], own: Collection[int]) -> bool:
    return done.get("deadline") in own or done.get("deadline_moved") in own or done.get("shifted", 0) < 0


def _write_anew(sitting: Sitting, turn: int, dues: Sequence[Due], old: Row) -> None:
    """The topic that nobody has seen gets the new deadlines."""
    connection, row, publisher = sitting.connection, sitting.row, sitting.publisher
    before = Match.begin(row.ruleset, row.tables, row.seed)
    for given in record.inputs_of(connection, row.id):
        last = tuple(before.turn_events)
        events = before.apply(given)
        if given.kind == "open" and given.turn == turn:
            break
    parts = keys.parts_of(old["key"])
    connection.execute(outbox.delete().where(parts, outbox.c.state.in_(UNSENT)))
    publisher.not_before, kept = old["not_before"], publisher.not_before
    facts = publisher.facts(before, _marks(dues))
    thread_id = newspapers.thread_of(connection, row.id, turn)
    publisher.day_topic(connection, turn, thread_id, facts, events, last, after=old["after"])
    publisher.not_before = kept
    connection.execute(outbox.update().where(parts).values(state=old["state"], error=old["error"], attempts=old["attempts"]))


# Helpers ----------------------------------------------------------------------------------------------------------------


_DUE_AT = Prepared(
    sa.select(deadlines.c.due_at).where(
        deadlines.c.game_id == sa.bindparam("game"),
        deadlines.c.turn == sa.bindparam("turn"),
        deadlines.c.name == sa.bindparam("name"),
        deadlines.c.call == sa.bindparam("call"),
        OPEN_DEADLINE,
    )
)


def _open_deadline(game_id: str, turn: int, name: str, call: str) -> tuple[sa.ColumnElement[bool], ...]:
    which = deadlines.c.game_id == game_id, deadlines.c.turn == turn, deadlines.c.name == name, deadlines.c.call == call
    return (*which, deadlines.c.done_at.is_(None))


def _moments(row: GameRow, dues: Sequence[Due], opens: datetime) -> Iterator[tuple[str, str, datetime]]:
    """Name, call and moment of everything that falls due in a turn."""
    yield from ((due.name, due.call, due.at) for due in dues)
    yield from reminding.moments(row, dues, opens)


def _marks(dues: Sequence[Due]) -> dict[str, datetime]:
    return {due.name: due.at for due in dues if due.call != "announce"}


def _tell(sitting: Sitting, turn: int, dues: Sequence[Due], why: str) -> None:
    """One sentence to the host: what was put off, and to when."""
    game_id = sitting.row.id
    writer = sitting.writer
    when = "; ".join(f"«{naming.moment(writer, name)}» - {writer.moment(at)}" for name, at in _marks(dues).items())
    text = f"Игра «{game_id}»: день {turn} {why}, его сроки перенесены: {when}."
    key = f"put_off/{game_id}/{turn}/{dues[-1].at.isoformat()}"
    troubles.tell_host(sitting.connection, sitting.site, key, "Сроки перенесены", text, sitting.now, game_id=game_id)
