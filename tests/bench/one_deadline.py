"""Two hundred games with one deadline on one account: how long the daemon works from the hour to the last game's resolution.

One thread reads, settles and sends. Forum and mailbox are those of the hosting tests, in memory: what a real forum adds is
the distance between two requests (``min_interval``), told beside it in seconds of the forum's clock.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa
import structlog

from adapters.clock import ManualClock
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.wiring import reader
from forumbot.settings import Game, Site
from forumbot.store.database import Store
from forumbot.store.migrate import upgrade
from forumbot.store.tables import deadlines, inputs
from tests.forumbot.hosting.fakes import FakeForum, FakeMail, Topic
from tests.forumbot.hosting.world import NICKS

GAMES, PLAYERS = (20 if os.environ.get("QUICK") else 200), 15
START = datetime(2026, 11, 30, 9, tzinfo=UTC)
CLOSES = START + timedelta(hours=8)


def run() -> dict[str, float]:
    """Seconds of the wall, requests to the forum, and threads of the process."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(prefix="bench-deadline-") as folder:
        return _measure(Path(folder))


def _measure(folder: Path) -> dict[str, float]:
    clock = ManualClock(START)
    forum, mail = FakeForum(clock), FakeMail(clock)
    site = Site.model_validate(
        {
            "site": {"data": folder, "host_address": "owner@example.org", "poll_seconds": 60},
            "forum": {"engine": "ucoz", "url": "http://forum.invalid", "user": "Ведущий", "flood_interval": 0},
            "mail": {"address": "host@example.org", "imap_host": "x", "smtp_host": "x", "unproven": "accept"},
        }
    )
    store = Store(folder / "forumbot.db")
    upgrade(store)
    daemon = Daemon(site, store, clock, forum, mail, mail, reader)
    for number in range(GAMES):
        topic = f"12-{number + 1}"
        forum.topics[topic] = Topic("12", f"Партия {number}. Запись")
        for place in range(PLAYERS):
            forum.says(topic, 1000 * number + 10 + place, NICKS[place], "играю")
    daemon.adopt(tuple(_config(number) for number in range(GAMES)))
    daemon.tick()
    deal = _resolution(daemon, clock, store, forum, CLOSES, "deal")
    due = _next_mark(store)
    # What waits in the outbox is of no interest here: the opening of turns needs no topic to have been posted.
    opened = _resolution(daemon, clock, store, forum, due, "open")
    store.close()
    return {
        "games": float(GAMES),
        "seconds from the sign-ups' hour to the last deal": deal[0],
        "seconds from the first mark's hour to the last opening": opened[0],
        "requests to the forum for the deal": float(deal[1]),
        "threads of the process": float(threading.active_count()),
    }


def _config(number: int) -> Game:
    return Game.model_validate(
        {
            "id": f"g{number}",
            "title": f"Партия {number}",
            "ruleset": "goldenkey",
            "section": "12",
            "signup": {"closes": CLOSES, "topic": f"12-{number + 1}"},
            "seed": number,
        }
    )


def _resolution(
    daemon: Daemon, clock: ManualClock, store: Store, forum: FakeForum, due: datetime, kind: str
) -> tuple[float, int]:
    clock.move_to(max(clock.now(), due + timedelta(seconds=30)))
    requests, began = forum.requests, time.monotonic()
    while _count(store, kind) < GAMES:
        daemon.tick()
        if time.monotonic() - began > 300:
            raise RuntimeError(f"{_count(store, kind)} of {GAMES} games after five minutes")
        clock.sleep(5)
    return time.monotonic() - began, forum.requests - requests


def _count(store: Store, kind: str) -> int:
    with store.read() as connection:
        return int(
            connection.execute(
                sa.select(sa.func.count(sa.distinct(inputs.c.game_id))).where(inputs.c.kind == kind)
            ).scalar_one()
        )


def _next_mark(store: Store) -> datetime:
    with store.read() as connection:
        found: datetime = connection.execute(
            sa.select(sa.func.min(deadlines.c.due_at)).where(deadlines.c.done_at.is_(None), deadlines.c.call == "mark")
        ).scalar_one()
        return found
