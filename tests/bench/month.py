"""Thirty days of ten games on a handed-in clock: how long it takes, and whether the daemon's memory stays flat.

Forum and mailbox are those of the hosting tests, in memory. A game that ends makes room for another, so ten run at any time.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import sqlalchemy as sa
import structlog

from adapters.clock import ManualClock
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game, Site
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.tables import games, letters, posts, troubles, turns
from tests.forumbot.hosting.fakes import FakeForum, FakeMail
from tests.forumbot.hosting.world import NICKS

QUICK = bool(os.environ.get("QUICK"))
DAYS, GAMES, PLAYERS = (7, 2, 20) if QUICK else (30, 10, 20)
STEP = timedelta(hours=1)
START = datetime(2026, 11, 30, 9, tzinfo=UTC)
WARM = 6
"""Days after which caches are full; growth is measured from there."""
RULESETS = ("goldenkey", "league", "clans", "mafialife")
SIGN_UP = "[color=red]Играю[/color]"
VOTES = {"goldenkey": "[color=blue]{0}[/color]"}
VOTE = "[color=red]Виновен {0}[/color]"
MOVES = ("лечу {0}", "проверяю {0}", "бью {0}", "убиваю {0}", "Буратино: {0}")


@dataclass
class _Month:
    clock: ManualClock
    forum: FakeForum
    daemon: Daemon
    store: Store
    chance: Random = field(default_factory=lambda: Random(1))
    begun: int = 0

    def keep_ten(self) -> None:
        """Open new games in place of those that are over, and sign their players up."""
        with self.store.read() as connection:
            live = connection.execute(
                sa.select(sa.func.count()).select_from(games).where(games.c.stage.not_in(("over", "cancelled")))
            ).scalar_one()
        fresh = [self._config() for _ in range(GAMES - live)]
        if not fresh:
            return
        self.daemon.adopt(tuple(fresh))
        for _ in range(3):
            self.clock.sleep(61)
            self.daemon.tick()
        for config in fresh:
            topic = self.forum.find(f"{config.title}. Запись")
            for place in range(PLAYERS):
                self.forum.says(topic, self._uid(config.id, place), NICKS[place], SIGN_UP)

    def _config(self) -> Game:
        self.begun += 1
        return Game.model_validate(
            {
                "id": f"g{self.begun}",
                "title": f"Партия {self.begun}й",
                "ruleset": RULESETS[self.begun % len(RULESETS)],
                "section": "12",
                "signup": {"closes": self.clock.now() + timedelta(hours=6)},
                "seed": self.begun,
            }
        )

    def _uid(self, game: str, place: int) -> int:
        return int(game[1:]) * 100 + place

    def talk(self) -> None:
        """Some players of each game chat, vote and send moves, some of them several times a day."""
        with self.store.read() as connection:
            playing = sa.select(games.c.id, games.c.title, games.c.ruleset).where(games.c.stage == "turn")
            running = connection.execute(playing).all()
        for game, title, ruleset in running:
            days = [topic for topic, made in self.forum.topics.items() if made.subject.startswith(f"{title}. День")]
            for place in self.chance.sample(range(PLAYERS), 3):
                target = self.chance.choice(NICKS[:PLAYERS])
                uid, nick = self._uid(game, place), NICKS[place]
                if days:
                    text = VOTES.get(ruleset, VOTE) if self.chance.random() < 0.5 else "Мне кажется, {0} молчит неспроста."
                    self.forum.says(days[-1], uid, nick, text.format(target))
                self.forum.writes_pm(uid, nick, f"[{game}] ход", self.chance.choice(MOVES).format(target))


def run() -> dict[str, float]:
    """Seconds, ticks a second, resident memory, and what the database and the games came to."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory() as folder:
        return dict(_measured(Path(folder)))


def _measured(folder: Path) -> Iterator[tuple[str, float]]:
    clock = ManualClock(START)
    site = Site.model_validate(
        {
            "site": {"data": folder, "host_address": "owner@example.org"},
            "forum": {"engine": "ucoz", "url": "http://forum.invalid", "user": "Ведущий", "flood_interval": 0},
            "mail": {"address": "host@example.org", "imap_host": "x", "smtp_host": "x", "unproven": "accept"},
        }
    )
    store = Store(folder / "forumbot.db")
    upgrade(store)
    forum, mail = FakeForum(clock), FakeMail(clock)
    month = _Month(clock, forum, Daemon(site, store, clock, forum, mail, mail, reader), store)
    began, ticks = time.perf_counter(), 0
    resident: list[float] = []
    for _ in range(DAYS):
        month.keep_ten()
        for step in range(int(timedelta(days=1) / STEP)):
            if step % 3 == 0:
                month.talk()
            clock.move_to(clock.now() + STEP)
            month.daemon.tick()
            ticks += 1
        forget(forum, mail)
        gc.collect()
        resident.append(_resident())
    seconds = time.perf_counter() - began
    yield f"seconds for {DAYS} days of {GAMES} games", seconds
    yield "ticks a second", ticks / seconds
    yield f"MiB resident after {WARM} days", resident[WARM - 1]
    yield f"MiB resident after {DAYS} days", resident[-1]
    yield "KiB of growth a day from there", (resident[-1] - resident[WARM - 1]) * 1024 / (DAYS - WARM)
    with store.read() as connection:
        failed = connection.execute(sa.select(troubles.c.key).where(troubles.c.key.startswith("failed/"))).all()
        yield "games that stopped with an error", float(len(failed))
        for name, table in (("games begun", games), ("turns", turns), ("posts read", posts), ("letters read", letters)):
            yield name, float(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
    yield "MiB of database", (folder / "forumbot.db").stat().st_size / 2**20
    store.close()


def forget(forum: FakeForum, mail: FakeMail) -> None:
    """The fakes keep everything in the process that is measured; what the daemon has read and sent is let go."""
    forum.sent.clear()
    mail.out.clear()
    forum.inbox_messages = forum.inbox_messages[-50:]


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
