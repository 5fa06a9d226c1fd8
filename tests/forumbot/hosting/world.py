"""A whole site in memory: daemon, forum, mailbox and players on one clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from adapters.clock import ManualClock
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game, Site
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.tables import outbox
from tests.forumbot.hosting.fakes import FakeForum, FakeMail

MONDAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAY_ONE = MONDAY + timedelta(days=2)
"""Noon of the first game day, a Wednesday."""
NICKS = (
    "Анна",
    "Борис",
    "Вера",
    "Глеб",
    "Дина",
    "Егор",
    "Жанна",
    "Захар",
    "Игорь",
    "Клара",
    "Лев",
    "Марк",
    "Нина",
    "Олег",
    "Павел",
    "Раиса",
    "Семён",
    "Тамара",
    "Ульяна",
    "Фёдор",
)


@dataclass
class World:
    """``tick`` runs the daemon now; ``until`` moves the clock there in steps, ticking all the way."""

    clock: ManualClock
    forum: FakeForum
    mail: FakeMail
    store: Store
    site: Site
    daemon: Daemon
    game: str

    def tick(self) -> None:
        self.daemon.tick()

    def until(self, moment: datetime, step: timedelta = timedelta(minutes=20)) -> None:
        while self.clock.now() < moment:
            self.clock.move_to(min(moment, self.clock.now() + step))
            self.tick()

    def settle(self) -> None:
        """Read what is there and let the outbox run dry (a minute of the clock a step, an hour at most)."""
        for _ in range(60):
            self.clock.sleep(61)
            self.tick()
            if not self.waiting():
                break

    def waiting(self) -> int:
        """Rows of the outbox that go out within minutes."""
        soon = self.clock.now() + timedelta(minutes=5)
        return count(self, outbox, outbox.c.state.in_(("waiting", "sending")), outbox.c.not_before <= soon)

    def restart(self) -> None:
        """The process ends and another one starts on the same database."""
        self.daemon = _daemon(self.site, self.store, self.clock, self.forum, self.mail)

    def rows(self, query: Any) -> list[dict[str, Any]]:
        with self.store.read() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def value(self, query: Any) -> Any:
        with self.store.read() as connection:
            return connection.execute(query).scalar()

    def uid(self, nick: str) -> int:
        return 10 + NICKS.index(nick)

    def says(self, nick: str, text: str, thread: str | None = None) -> int:
        return self.forum.says(thread or self.forum.find("День"), self.uid(nick), nick, text)

    def pm(self, nick: str, text: str, subject: str = "ход") -> None:
        self.forum.writes_pm(self.uid(nick), nick, subject, text)


def make_world(
    folder: Path,
    *,
    players: int = 15,
    signup_words: str = "играю",
    mutate: Callable[[dict[str, Any]], None] | None = None,
    **game: Any,
) -> World:
    clock = ManualClock(MONDAY)
    site = Site.model_validate(
        {
            "site": {"data": folder, "host_address": "owner@example.org", "poll_seconds": 60},
            "forum": {"engine": "ucoz", "url": "http://forum.invalid", "user": "Ведущий", "flood_interval": 0},
            "mail": {"address": "host@example.org", "imap_host": "x", "smtp_host": "x", "unproven": "accept"},
        }
    )
    settings: dict[str, Any] = {
        "id": "gk1",
        "title": "Партия 1",
        "ruleset": "goldenkey",
        "section": "12",
        "signup": {"closes": MONDAY + timedelta(hours=8)},
        "seed": 5,
    } | game
    if mutate:
        mutate(settings)
    store = Store(folder / "forumbot.db")
    upgrade(store)
    forum, mail = FakeForum(clock), FakeMail(clock)
    daemon = _daemon(site, store, clock, forum, mail)
    daemon.adopt((Game.model_validate(settings),))
    world = World(clock, forum, mail, store, site, daemon, settings["id"])
    world.settle()
    for nick in NICKS[:players]:
        clock.sleep(60)
        forum.says(forum.find("Запись"), world.uid(nick), nick, signup_words)
    world.settle()
    return world


def roles(world: World) -> dict[str, str]:
    """seat -> role, as the engine has it now."""
    from forumbot.hosting.core import record

    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return {seat: state["role"] for seat, state in match.ruleset.state(match.game).items()}


def votes(world: World) -> dict[str, float]:
    """The running count."""
    from forumbot.hosting.core import record

    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
    return dict(match.ruleset.votes(match.game))


def count(world: World, table: sa.Table, *where: Any) -> int:
    return int(world.value(sa.select(sa.func.count()).select_from(table).where(*where)))


def _daemon(site: Site, store: Store, clock: ManualClock, forum: FakeForum, mail: FakeMail) -> Daemon:
    return Daemon(site, store, clock, forum, mail, mail, reader)
