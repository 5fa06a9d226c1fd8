"""Modes of a game: ``auto`` posts by itself, ``host`` lets the newspaper wait, ``shadow`` reads everything and sends nothing."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.store.atwork import LIVE_GAME
from forumbot.store.prepared import Prepared
from forumbot.store.tables import games

SHADOW = "shadow"


_LOUD = sa.func.json_extract(games.c.config, "$.mode").is_distinct_from(SHADOW)
_OF_SITE, _OF_GAME = (
    Prepared(sa.select(sa.select(games.c.id).where(which).exists(), sa.select(games.c.id).where(which, _LOUD).exists()))
    for which in (LIVE_GAME, games.c.id == sa.bindparam("game"))
)


def state_of_new(connection: sa.Connection, game_id: str | None) -> str:
    """The outbox state of something new: ``shadow`` for a shadow game, whoever it is for.

    Without a game (a stranger's letter, a login that failed): ``shadow`` while every game of the site is one.
    """
    ((known, speaking),) = _OF_SITE.lists(connection) if game_id is None else _OF_GAME.lists(connection, game=game_id)
    return SHADOW if known and not speaking else "waiting"
