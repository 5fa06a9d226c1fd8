"""Whom a host is about to seat: looked up on the forum by whoever holds its account, and shown before the act is asked for."""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.hosting.acts.identities import looked_up
from forumbot.hosting.core import bars, seating
from forumbot.hosting.core.acting import Finder, Refused, no_twin
from forumbot.store.database import Store
from forumbot.store.prepared import Prepared
from forumbot.store.tables import lookups

_KEPT = timedelta(days=1)
"""A profile that was shown is nobody's business for longer."""


def ask(connection: sa.Connection, game_id: str, nick: str | None, uid: int | None, now: datetime) -> int:
    """Have an account looked up, by nick or number; gives the number of the question."""
    made = connection.execute(lookups.insert().values(game_id=game_id, nick=nick, uid=uid, asked_at=now))
    (number,) = made.inserted_primary_key or (0,)
    return int(number)


def answer(connection: sa.Connection, game_id: str, number: int) -> sa.RowMapping | None:
    """What became of a question of this game."""
    mine = lookups.c.id == number, lookups.c.game_id == game_id
    return connection.execute(sa.select(lookups).where(*mine)).mappings().first()


_OLD = Prepared(sa.select(lookups.c.id).where(lookups.c.asked_at < sa.bindparam("before")))
_WAITING = Prepared(sa.select(lookups).where(lookups.c.done_at.is_(None)).order_by(lookups.c.id))


def run(store: Store, now: datetime, find: Finder, zone: str) -> None:
    """Answer what waits, each for itself; forget what is old."""
    with store.read() as connection:
        old = _OLD.values(connection, before=now - _KEPT)
        waiting = _WAITING.rows(connection)
    for row in waiting:
        if row["id"] in old:
            continue
        try:
            found = looked_up({"nick": row["nick"], "uid": row["uid"]}, find)
            told = {"nick": found["nick"], "uid": found["uid"], "lines": found.get("profile", [])}
            with store.read() as connection:
                error = _why_not(connection, row["game_id"], told["nick"], told["uid"], now, zone)
        except Refused as refused:
            told, error = None, str(refused)
        with store.write() as connection:
            connection.execute(lookups.update().where(lookups.c.id == row["id"]).values(done_at=now, found=told, error=error))
    if old:
        with store.write() as connection:
            connection.execute(lookups.delete().where(lookups.c.id.in_(old)))


def _why_not(connection: sa.Connection, game_id: str, nick: str, uid: int, now: datetime, zone: str) -> str | None:
    """Why the act would be refused, as far as it can be seen before."""
    here = seating.load(connection, game_id)
    if here.by_uid(uid) is not None:
        return "этот участник уже играет"
    barred = bars.of(connection, nick, uid, now)
    if barred is not None:
        return f"{nick} не допускается к партиям {bars.words(barred, zone)}"
    try:
        no_twin(here, nick)
    except Refused as refused:
        return str(refused)
    return None
