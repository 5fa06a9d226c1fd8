"""Modes of a game: ``auto`` posts by itself, ``host`` lets the newspaper wait, ``shadow`` reads everything and sends nothing."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.store.atwork import LIVE_GAME
from forumbot.store.tables import games

SHADOW = "shadow"


def state_of_new(connection: sa.Connection, game_id: str | None) -> str:
    """The outbox state of something new: ``shadow`` for a shadow game, whoever it is for.

    Without a game (a stranger's letter, a login that failed): ``shadow`` while every game of the site is one.
    """
    concerned = LIVE_GAME if game_id is None else games.c.id == game_id
    loud = sa.func.json_extract(games.c.config, "$.mode").is_distinct_from(SHADOW)
    known, speaking = connection.execute(
        sa.select(sa.select(games.c.id).where(concerned).exists(), sa.select(games.c.id).where(concerned, loud).exists())
    ).one()
    return SHADOW if known and not speaking else "waiting"
