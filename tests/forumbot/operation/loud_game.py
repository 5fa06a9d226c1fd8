"""A script: plays a game in memory with the log at its loudest, crashes it once, prints what the log must not hold."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.core import logs
from forumbot.hosting.turns.game import HostedGame
from forumbot.store.tables import holders, people
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, NICKS, World, make_world, roles

ADDRESS = "anna@private.example"


def play(folder: Path) -> World:
    world = make_world(folder, players=15)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=6))
    code = world.value(sa.select(holders.c.proof_code).where(holders.c.seat == "Анна"))
    world.mail.arrives(ADDRESS, "код", str(code))
    world.mail.arrives("stranger@private.example", "ход", "убиваю всех")
    world.settle()
    for nick in NICKS[:5]:
        world.says(nick, "[color=blue]Олег[/color]")
    world.until(DAY_ONE + timedelta(hours=9, minutes=30), step=timedelta(hours=1))
    for nick, role in roles(world).items():
        world.pm(nick, f"{role}: Борис, пароль от сейфа 12345")
    world.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=2))
    world.settle()
    return world


def crash(world: World) -> None:
    """The database refuses a row that holds an address and a role, in the middle of a tick."""

    def settle(game: HostedGame, *_: Any, **__: Any) -> None:
        with game.store.write() as connection:
            row = {"id": 1, "nick": f"{ADDRESS} karabas", "first_seen": world.clock.now()}
            connection.execute(people.insert(), [row, row])

    HostedGame.settle = settle  # type: ignore[method-assign, assignment]
    world.clock.sleep(120)  # quiet games are looked at once a minute
    world.tick()


if __name__ == "__main__":
    logs.configure(debug=True)
    played = play(Path(sys.argv[1]))
    cast = set(roles(played).values())
    with played.store.read() as connection:
        codes = list(connection.execute(sa.select(holders.c.proof_code)).scalars())
    crash(played)
    print(json.dumps({"roles": sorted(cast), "codes": codes}))
