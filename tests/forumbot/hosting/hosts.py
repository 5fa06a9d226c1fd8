"""A host at work in a test: he asks for an act, the daemon carries it out at its next tick."""

from __future__ import annotations

import copy
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa

from adapters.clock import ManualClock
from forumbot.hosting.acts import acts
from forumbot.hosting.core.record import RESOLVING
from forumbot.store.database import Store
from forumbot.store.tables import acts as table
from forumbot.store.tables import deadlines, outbox
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


def upcoming(world: World) -> dict[str, Any]:
    """The next deadline of the game, without publications and reminders."""
    mine = deadlines.c.done_at.is_(None), deadlines.c.call.in_(RESOLVING)
    return world.rows(sa.select(deadlines).where(*mine).order_by(deadlines.c.due_at, deadlines.c.id))[0]


def resolves(world: World) -> int:
    """The next deadline is called now."""
    return does(world, "resolve", deadline=upcoming(world)["id"])


def sent_to(world: World, nick: str, words: str) -> list[str]:
    """Texts put in for a player (not necessarily sent yet) that hold these words."""
    rows = world.rows(sa.select(outbox).where(outbox.c.kind == "pm").order_by(outbox.c.id))
    return [row["body"] for row in rows if row["target"]["nick"] == nick and words in row["body"]]


def day_one(folder: Path, **game: Any) -> World:
    """Noon of day 1 of a game with these settings. Each is played up to there once; what tests get are copies."""
    key = repr(sorted(game.items()))
    if key not in _PLAYED:
        _PLAYED[key] = _play(Path(_FOLDERS.name) / str(len(_PLAYED)), **game)
    return _copy(_PLAYED[key], folder)


_FOLDERS = TemporaryDirectory(prefix="forumbot-tests-")
_PLAYED: dict[str, World] = {}


def _play(folder: Path, **game: Any) -> World:
    folder.mkdir()
    world = make_world(folder, **game)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=6))
    world.settle()
    return world


def _copy(played: World, folder: Path) -> World:
    clock = ManualClock(played.clock.now())
    same = {id(played.clock): clock}
    store = Store(folder / played.store.file.name)
    with closing(sqlite3.connect(played.store.file)) as old, closing(sqlite3.connect(store.file)) as new:
        old.backup(new)
    part = played.site.site.model_copy(update={"data": folder})
    site = played.site.model_copy(update={"site": part})
    forum, mail = copy.deepcopy(played.forum, same), copy.deepcopy(played.mail, same)
    world = World(clock, forum, mail, store, site, played.daemon, played.game)
    world.restart()
    return world
