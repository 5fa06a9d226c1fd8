"""The waiting list of a game: who came when the places were taken or the sign-up was over, and stands in for one who leaves."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from adapters.markup import html_runs, own_text
from engine.messages import Verdict
from forumbot.hosting.core import outbox
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Holder, Seating
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.hosting.inbox.judge import keep
from forumbot.reading.requests import wants_reserve
from forumbot.store.tables import reserves


@dataclass(frozen=True, slots=True)
class Reserve:
    """Somebody who waits; ``place`` counts from 1."""

    nick: str
    uid: int
    place: int


def asks(html: str) -> bool:
    """Whether a post of the sign-up thread asks for a place on the waiting list («играю в запас»)."""
    return wants_reserve(own_text(html_runs(html)))


def waiting(connection: sa.Connection, game_id: str) -> tuple[Reserve, ...]:
    """Everybody who waits, in the order of their posts."""
    query = sa.select(reserves.c.nick, reserves.c.uid).where(reserves.c.game_id == game_id, reserves.c.state == "waiting")
    rows = connection.execute(query.order_by(reserves.c.at, reserves.c.id)).all()
    return tuple(Reserve(nick, uid, place) for place, (nick, uid) in enumerate(rows, 1))


def add(
    connection: sa.Connection, publisher: Publisher, row: GameRow, key: str, nick: str, uid: int | None, at: datetime
) -> None:
    """Put somebody on the list and tell him his place; once, whatever he writes again."""
    if uid is None:
        return
    values = {"nick": nick, "at": at, "state": "waiting"}
    connection.execute(
        insert(reserves)
        .values(game_id=row.id, uid=uid, **values)
        .on_conflict_do_update(index_elements=["game_id", "uid"], set_=values, where=reserves.c.state == "out")
    )
    mine = next((one for one in waiting(connection, row.id) if one.uid == uid), None)
    if mine is not None:
        _tell(connection, publisher, f"reserve/{key}", nick, uid, place=mine.place)


def leave(connection: sa.Connection, game_id: str, uid: int | None) -> None:
    """He no longer waits."""
    _set(connection, game_id, uid, "out")


def plays(connection: sa.Connection, game_id: str, uid: int | None) -> None:
    """He has got a seat."""
    _set(connection, game_id, uid, "playing")


def judge(
    connection: sa.Connection,
    row: GameRow,
    turn: int,
    seats: Seating,
    publisher: Publisher,
    message: Pending,
    verdict: Verdict,
    now: datetime,
) -> None:
    """A post that came into the sign-up thread when the game had begun."""
    keep(connection, row.id, turn, message, verdict, now)
    actions = [order.action for order in verdict.orders if order.status == "accepted"]
    uid = message.uid
    if verdict.reason == "host_post" or seats.by_uid(uid) is not None:
        return
    if asks(message.text) or "signup" in actions[-1:]:
        add(connection, publisher, row, message.source, message.author, uid, message.at)
    elif "unsignup" in actions:
        leave(connection, row.id, uid)


def _set(connection: sa.Connection, game_id: str, uid: int | None, state: str) -> None:
    mine = reserves.c.game_id == game_id, reserves.c.uid == uid
    connection.execute(reserves.update().where(*mine).values(state=state))


def _tell(connection: sa.Connection, publisher: Publisher, key: str, nick: str, uid: int, *, place: int) -> None:
    somebody = Holder(nick, nick, uid, None, "")
    facts = publisher.facts(None)
    publisher.private(
        connection, key, somebody, "reserve.j2", facts, priority=outbox.NOTICES, by_pm=True, place=place
    )
