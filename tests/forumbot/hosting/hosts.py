"""A host at work in a test: he asks for an act, the daemon carries it out at its next tick."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from forumbot.hosting import acts
from forumbot.store.tables import acts as table
from forumbot.store.tables import outbox
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world


def asks(world: World, kind: str, **payload: Any) -> dict[str, Any]:
    """The row of the act after the daemon has dealt with it."""
    with world.store.write() as connection:
        number = acts.ask(connection, world.game, "Хозяин", kind, payload, world.clock.now())
    world.tick()
    (row,) = world.rows(sa.select(table).where(table.c.id == number))
    assert row["done_at"] is not None
    return row


def does(world: World, kind: str, **payload: Any) -> int:
    """An act that is carried out; gives its number."""
    row = asks(world, kind, **payload)
    assert row["error"] is None, row["error"]
    return int(row["id"])


def refused(world: World, kind: str, **payload: Any) -> str:
    """The sentence with which an act is refused."""
    error = asks(world, kind, **payload)["error"]
    assert error is not None
    return str(error)


def undoes(world: World, act: int) -> None:
    does(world, "undo", act=act)


def sent_to(world: World, nick: str, words: str) -> list[str]:
    """Texts put in for a player (not necessarily sent yet) that hold these words."""
    rows = world.rows(sa.select(outbox).where(outbox.c.kind == "pm").order_by(outbox.c.id))
    return [row["body"] for row in rows if row["target"]["nick"] == nick and words in row["body"]]


def day_one(folder: Path, **game: Any) -> World:
    """Noon of day 1 of a game with these settings."""
    world = make_world(folder, **game)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=6))
    world.settle()
    return world
