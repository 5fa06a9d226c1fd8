"""A site with a running goldenkey game as a host meets it: votes, doubtful messages, strangers, a second game of others."""

from __future__ import annotations

import copy
import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from starlette.testclient import TestClient

from adapters.clock import ManualClock
from forumbot.desk import accounts
from forumbot.desk.app import application
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game
from forumbot.store.database import Store
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world

BASE = "http://127.0.0.1:8321"
PASSWORD = "очень длинный пароль"
EVIL = "<script>alert(1)</script>"
HOST, HELPER, WATCHER, OTHER = "Мария", "Пётр", "Илья", "Чужой"
OTHER_TITLE = "Чужая тайная партия"


ROLES: tuple[tuple[str, str, accounts.Role], ...] = (
    (HOST, "gk1", "host"),
    (HELPER, "gk1", "cohost"),
    (WATCHER, "gk1", "observer"),
    (OTHER, "gk2", "host"),
)


@dataclass
class Scene:
    """``HOST`` and ``HELPER`` may act in "gk1", ``WATCHER`` only looks, ``OTHER`` hosts "gk2" alone."""

    world: World
    clients: dict[str, TestClient] = field(default_factory=dict)

    def client(self, name: str | None = HOST) -> TestClient:
        """A browser of this person, logged in by password; None: of nobody."""
        key = name or ""
        if key not in self.clients:
            app = application(self.world.site, self.world.store, self.world.clock)
            made = TestClient(app, base_url=BASE, follow_redirects=False, raise_server_exceptions=True)
            if name is not None:
                login(made, name)
            self.clients[key] = made
        return self.clients[key]

    def get(self, path: str, name: str | None = HOST) -> httpx.Response:
        return self.client(name).get(path)

    def do(
        self, kind: str, fields: Mapping[str, Any], *, name: str = HOST, game: str = "gk1", sure: bool = True
    ) -> httpx.Response:
        """Press a button: the act is asked for, and the daemon gets a tick to do it."""
        client = self.client(name)
        form = {"csrf": csrf(client), "next": f"/g/{game}/acts", **fields} | ({"sure": "yes"} if sure else {})
        answer = client.post(f"/g/{game}/do/{kind}", data=form)
        self.world.tick()
        return answer


def login(client: TestClient, name: str, password: str = PASSWORD) -> httpx.Response:
    word = form_word(client.get("/login").text)
    return client.post("/login", data={"csrf": word, "name": name, "password": password, "by": "password"})


def form_word(page: str) -> str:
    """The hidden word of the first form of a page."""
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
    assert found is not None, page
    return found.group(1)


def csrf(client: TestClient) -> str:
    return form_word(client.get("/").text)


def make_scene(folder: Path, *, evil: str = EVIL, **game: Any) -> Scene:
    """Noon of day 1: four votes, a doubtful one, chatter, a letter of a stranger. ``evil`` stands in players' texts."""
    world = make_world(folder, **({"mode": "host", "approve_until": "never"} | game))
    world.daemon.adopt(
        (
            Game.model_validate(
                {"id": "gk2", "title": OTHER_TITLE, "ruleset": "goldenkey", "section": "12", "seed": 7}
                | {"signup": {"closes": MONDAY + timedelta(days=20)}}
            ),
        )
    )
    with world.store.write() as connection:
        now = world.clock.now()
        for name, of, role in ROLES:
            account = accounts.save(connection, name, now, address=f"{name}@example.org")
            accounts.give_role(connection, account, of, role)
            accounts.set_password(connection, account, PASSWORD)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=6))
    world.settle()
    votes = (("Анна", "Борис"), ("Вера", "Борис"), ("Глеб", "Дина"), ("Егор", "Борис"))
    for voter, target in votes:
        world.clock.sleep(600)
        world.says(voter, f"Думаю так: [color=blue]Линч: {target}[/color]")
        world.tick()
    world.says("Дина", f"Просто болтаю {evil} и ничего не решаю")
    world.says("Жанна", "[color=blue]Линч: Анна или Вера[/color]")
    world.mail.arrives("nobody@example.org", f"ход {evil}", f"Это Марк. Бью Анну. {evil}")
    world.clock.sleep(60)
    world.tick()
    world.tick()
    return Scene(world)


def fork(scene: Scene, folder: Path) -> Scene:
    """The same site once more, at the same moment; what is done there leaves the first one as it is."""
    world = scene.world
    with sqlite3.connect(world.store.file) as raw:
        raw.execute("VACUUM INTO ?", (str(folder / "forumbot.db"),))
    clock = ManualClock(world.clock.now())
    forum, mail = copy.deepcopy(world.forum), copy.deepcopy(world.mail)
    forum.clock = mail.clock = clock
    site = world.site.model_copy(update={"site": world.site.site.model_copy(update={"data": folder})})
    store = Store(folder / "forumbot.db")
    daemon = Daemon(site, store, clock, forum, mail, mail, reader)
    return Scene(World(clock, forum, mail, store, site, daemon, world.game))
