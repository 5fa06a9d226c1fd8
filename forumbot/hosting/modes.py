"""Modes of a game: ``auto`` posts by itself, ``host`` lets the newspaper wait, ``shadow`` reads everything and sends nothing."""

from __future__ import annotations

import sqlalchemy as sa

from forumbot.store.tables import games

SHADOW = "shadow"


def state_of_new(connection: sa.Connection, game_id: str | None) -> str:
    """The outbox state of something new: ``shadow`` for a shadow game, whoever it is for.

    Without a game (a stranger's letter, a login that failed): ``shadow`` while every game of the site is one.
    """
    concerned = games.c.stage.not_in(("over", "cancelled")) if game_id is None else games.c.id == game_id
    modes = [config.get("mode") for config in connection.execute(sa.select(games.c.config).where(concerned)).scalars()]
    return SHADOW if modes and all(mode == SHADOW for mode in modes) else "waiting"
