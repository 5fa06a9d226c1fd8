"""What a quiet hour costs: requests and bytes of a daemon that polls a forum on which nothing happens."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path

from adapters.clock import ManualClock
from adapters.forum import ForumSettings
from forumbot import resources
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game, Site
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade

POSTS = 60
POLL_SECONDS = 60


def run() -> dict[str, float]:
    """Requests and KiB an hour for one game with a thread of sixty posts, by forum engine; no mail."""
    found: dict[str, float] = {}
    for engine, options in (("ucoz", UcozOptions()), ("phpbb", PhpbbOptions())):
        requests, received = _quiet_hour(engine, options)
        found[f"{engine}: requests in a quiet hour (a poll a minute)"] = requests
        found[f"{engine}: KiB received in a quiet hour"] = received / 1024
        found[f"{engine}: requests a poll"] = requests / (3600 / POLL_SECONDS)
    return found


def _quiet_hour(engine: str, options: UcozOptions | PhpbbOptions) -> tuple[int, int]:
    clock = ManualClock(datetime(2026, 11, 30, 9, tzinfo=UTC))
    board = Board(clock)
    section = board.add_section("Игры")
    board.register("Ведущий", "password")
    player = board.register("Анна", "password")
    with tempfile.TemporaryDirectory() as folder, serve(board, options) as server:
        data = Path(folder)
        site = Site.model_validate(
            {
                "site": {"data": data, "poll_seconds": POLL_SECONDS},
                "forum": {"engine": engine, "url": server.url, "user": "Ведущий", "min_interval": 0},
            }
        )
        settings = ForumSettings(
            url=server.url, user="Ведущий", password="password", min_interval=0, overrides=resources.toml(f"forums/{engine}.toml")
        )
        forum = import_module(f"adapters.{engine}.client").connect(settings, clock)
        store = Store(site.database)
        upgrade(store)
        daemon = Daemon(site, store, clock, forum, None, None, reader)
        closes = clock.now() + timedelta(days=3)
        daemon.adopt(
            (
                Game.model_validate(
                    {
                        "id": "gk1",
                        "title": "Партия",
                        "ruleset": "goldenkey",
                        "section": str(section),
                        "signup": {"closes": closes},
                    }
                ),
            )
        )
        for _ in range(5):
            clock.sleep(61)
            daemon.tick()
        topic = board.find_topic("Партия. Запись")
        assert topic is not None
        for number in range(POSTS):
            board.post(topic.id, player, f"Просто болтаю {number}")
        clock.sleep(61)
        daemon.tick()
        server.reset_counts()
        for _ in range(3600 // POLL_SECONDS):
            clock.sleep(POLL_SECONDS + 0.5)
            daemon.tick()
        total = server.total
        forum.close()
        store.close()
        return total.requests, total.bytes_out
