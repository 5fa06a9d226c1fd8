"""The first turn of a game by the wall, for boards whose clock nobody leads: sign-up, set-up, a day of some minutes and a night
that the host ends at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import TracebackType

from forumbot.demo.driver import Stuck
from forumbot.demo.games.model import Frame, Players, View
from forumbot.demo.house import GAME, HOST_NICK
from forumbot.demo.players import MOSCOW, Company
from forumbot.demo.saying import Saying
from forumbot.hosting.acts import acts
from forumbot.store.database import Store
from tests.realboard.house import RealHouse
from tests.torture.campaign import ROOT

SETTINGS = {"min_interval": 0, "flood_interval": 0}
_PATIENCE = 300.0
"""Seconds of the wall for which something that is due is waited for."""
_LIFE = (15.0, 90.0)
"""Seconds after which a daemon may be killed, each time."""
_HOURS = {"setup": (20, 31), "lynch": (8, 21), "night": (21, 31)}
"""The hours of a day for which the players of the Golden Key plan the time before a deadline."""


def frame_of(frame: Frame, now: datetime, window: timedelta) -> Frame:
    """The Golden Key with its first day in the next minutes: as long for the sign-up, the set-up and the day as ``window``.
    Raises Stuck where midnight would come between."""
    start = now.astimezone(MOSCOW).replace(second=0, microsecond=0, tzinfo=None) + timedelta(minutes=1)
    signup, setup, opens = start + window, start + 2 * window, start + 2 * window + timedelta(minutes=2)
    closes = opens + window
    if closes.date() != start.date():
        raise Stuck("полночь слишком близко")
    hours = {"night_close": setup, "report_by": opens, "day_open": opens, "day_close": closes}
    tables = {name: f"{at:%H:%M}" for name, at in hours.items()} | {"polar_night": False}
    return replace(frame, starts=start, signup_closes=signup, first_day=start.date(), tables=tables)


@dataclass
class Hurried:
    """Players who plan for a usual day and write at once, one after another."""

    players: Players
    frame: Frame

    def phase(self, company: Company, view: View, name: str, start: datetime, end: datetime) -> Sequence[Saying]:
        midnight = start.astimezone(MOSCOW).replace(hour=0, minute=0, second=0, microsecond=0)
        first, last = (midnight + timedelta(hours=hour) for hour in _HOURS[name])
        return self.players.phase(company, view, name, first, last)


@dataclass
class Daemon:
    """``forumbot run`` that is killed now and then and started again."""

    config: Path
    log: Path
    chance: Random
    killing: float
    killed: int = 0
    lived: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _ends: float = 0.0

    def mind(self) -> None:
        """See that it lives. Raises Stuck: it died by itself."""
        if self._process is not None and self._process.poll() is not None:
            raise Stuck(self.log.read_text(encoding="utf-8", errors="replace")[-4000:])
        if self._process is not None and time.monotonic() > self._ends:
            self._ends = time.monotonic() + self.chance.uniform(*_LIFE)
            if self.chance.random() < self.killing:
                os.kill(self._process.pid, signal.SIGKILL)
                self._process.wait()
                self._process, self.killed = None, self.killed + 1
        if self._process is None:
            self.lived += 1
            self._ends = time.monotonic() + self.chance.uniform(*_LIFE)
            command = [sys.executable, "-m", "forumbot.cli.main", "run", "--config", str(self.config), "--tick", "2"]
            with self.log.open("ab") as out:
                self._process = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)

    def __enter__(self) -> Daemon:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


@dataclass
class WallPace:
    """A ``forumbot.demo.driver.Pace``: nobody waits for the hour of a message, and the night ends when the host says so."""

    house: RealHouse
    daemon: Daemon
    hand: Callable[[], bool]
    _ends: datetime | None = None
    _called: set[str] = field(default_factory=set)

    def until(self, moment: datetime) -> None:
        self.daemon.mind()
        self._ends = moment

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        if "night" in what and what not in self._called:
            self._called.add(what)
            self._call()
        now = self.house.clock.now()
        ahead = max(0.0, (self._ends - now).total_seconds()) if self._ends is not None and "night" not in what else 0.0
        end = time.monotonic() + min(ahead, 3600.0) + _PATIENCE
        while not done():
            self.daemon.mind()
            self.hand()
            if time.monotonic() > end:
                raise Stuck(what)
            time.sleep(1)

    def settle(self) -> None:
        """Some polls more, in which nothing may be written twice."""
        end = time.monotonic() + 45
        while time.monotonic() < end:
            self.daemon.mind()
            time.sleep(1)

    def _call(self) -> None:
        store = Store(self.house.database)
        try:
            with store.write() as connection:
                acts.ask(connection, GAME, HOST_NICK, "resolve", {}, self.house.clock.now())
        finally:
            store.close()
