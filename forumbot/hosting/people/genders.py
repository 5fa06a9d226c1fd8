"""How texts speak of a player: by the forum's page of the account, asked for once, or by the host's word before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from adapters.errors import OutsideError
from forumbot.hosting.core import seating
from forumbot.hosting.core.acting import Context, Finder, Refused, Undo, seat_of
from forumbot.store.atwork import LIVE_GAME
from forumbot.store.database import Store
from forumbot.store.prepared import Prepared
from forumbot.store.tables import games, holders

WORDS: Mapping[str, str] = {"он": "m", "она": "f", "не знаю": ""}
"""What a host says of a player -> how it is kept."""


_UNKNOWN = Prepared(
    sa.select(holders.c.id, holders.c.uid)
    .join(games, games.c.id == holders.c.game_id)
    .where(holders.c.gender.is_(None), holders.c.uid.is_not(None), holders.c.until.is_(None), LIVE_GAME)
    .order_by(holders.c.id)
    .limit(1)
)


def look_up(store: Store, find: Finder) -> bool:
    """Ask the forum for the page of one player of whom nothing is known yet; gives whether there was one. A forum that does not
    answer is asked another time."""
    with store.read() as connection:
        found = _UNKNOWN.lists(connection)
    if not found:
        return False
    row_id, uid = found[0]
    try:
        profile = find(uid=uid, nick=None)
    except OutsideError:
        return False
    with store.write() as connection:
        # What the host has said meanwhile stays.
        mine = holders.c.id == row_id, holders.c.gender.is_(None)
        connection.execute(holders.update().where(*mine).values(gender=profile.gender if profile is not None else ""))
    return True


def said(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host's word on how to speak of a player: ``gender`` is one of ``WORDS``."""
    if payload["gender"] not in WORDS:
        raise Refused(f"скажите «он», «она» или «не знаю», а не «{payload['gender']}»")
    seat = seat_of(context, payload["player"])
    before = seating.load(context.connection, context.row.id).holders[seat].gender
    seating.set_gender(context.connection, context.row.id, seat, WORDS[payload["gender"]])
    return {"gendered": seat, "gender": before}


def take_back(context: Context, done: Undo) -> None:
    """The host's word no longer holds."""
    seating.set_gender(context.connection, context.row.id, done["gendered"], done["gender"])
