"""Accounts that may not sign up for a while (clans, goldenkey: the host may refuse a further game), across all games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from forumbot.reading import same_key
from forumbot.store.tables import bars, people


def bar(connection: sa.Connection, nick: str, uid: int | None, until: datetime | None, why: str, by: str, now: datetime) -> int:
    """Bar an account until a moment, or until it is lifted (None). Known by its uid where the bot knows it, else by the nick."""
    if uid is None:
        uid = connection.execute(sa.select(people.c.uid).where(people.c.nick == nick, people.c.uid.is_not(None))).scalar()
    made = connection.execute(bars.insert().values(nick=nick, uid=uid, until=until, why=why, by=by, at=now))
    (number,) = made.inserted_primary_key or (0,)
    return int(number)


def lift(connection: sa.Connection, number: int, now: datetime) -> bool:
    """Take a bar back; gives whether it stood."""
    standing = bars.c.id == number, bars.c.lifted_at.is_(None)
    return connection.execute(bars.update().where(*standing).values(lifted_at=now)).rowcount > 0


def standing(connection: sa.Connection, now: datetime) -> Sequence[sa.RowMapping]:
    """Bars that hold now, the oldest first."""
    holds = bars.c.lifted_at.is_(None), sa.or_(bars.c.until.is_(None), bars.c.until > now)
    return connection.execute(sa.select(bars).where(*holds).order_by(bars.c.id)).mappings().all()


def words(barred: sa.RowMapping, zone: str) -> str:
    """For how long, and for what, if that was said: "до 01.03.2027 (подсказывал)"."""
    ends = barred["until"]
    until = f"до {ends.astimezone(ZoneInfo(zone)):%d.%m.%Y}" if ends else "пока ведущий этого не отменит"
    return until + (f" ({barred['why']})" if barred["why"] else "")


def of(connection: sa.Connection, nick: str, uid: int | None, now: datetime) -> sa.RowMapping | None:
    """The bar that keeps this account out: by its uid; by a nick that looks alike where the bar knows no uid."""
    for one in standing(connection, now):
        if one["uid"] == uid if one["uid"] is not None else same_key(one["nick"], nick):
            return one
    return None
