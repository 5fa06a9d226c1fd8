"""How the newspapers and topics of a game are named in the outbox, and what is found by these names."""

from __future__ import annotations

import re

import sqlalchemy as sa

from forumbot.store.atwork import POST_UNDERWAY, under
from forumbot.store.prepared import Prepared
from forumbot.store.tables import outbox

_PAPER = re.compile(r"/t\d+/newspaper(?:/\d+)?$")


def newspaper(turn: int) -> str:
    """The key of a turn's newspaper, without the game."""
    return f"t{turn}/newspaper"


def topic(turn: int) -> str:
    """The key of a day's topic, without the game."""
    return f"t{turn}/day"


def parts_of(key: str) -> sa.ColumnElement[bool]:
    """A text and its further parts: ``key`` itself, ``key/2``, ``key/3`` ..."""
    return sa.or_(outbox.c.key == key, under(outbox.c.key, f"{key}/"))


_UNDERWAY = Prepared(
    sa.select(outbox.c.key).where(outbox.c.game_id == sa.bindparam("game"), POST_UNDERWAY).order_by(outbox.c.id.desc())
)


def awaited(connection: sa.Connection, game_id: str) -> str | None:
    """The whole key of the last part of a turn's newspaper that is on its way, or waits for the host; None when all are out."""
    return next((key for key in _UNDERWAY.values(connection, game=game_id) if _PAPER.search(key)), None)
