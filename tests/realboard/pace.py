"""How time passes on a real board whose clock follows ours: the daemon lives for a few looks at a time and is often killed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import sqlalchemy as sa

from forumbot.demo.driver import Stuck
from forumbot.store.database import Store
from forumbot.store.tables import outbox
from tests.realboard.house import RealHouse
from tests.torture.campaign import Failed, Zygote, log_of

_EVERY = timedelta(hours=5)
_LIVES = 60
_LAST = 12
_LONGEST_PAUSE = timedelta(minutes=65)
"""The longest pause between two tries of the daemon, and some minutes."""


@dataclass
class Lives:
    """A ``forumbot.demo.driver.Pace``. ``killing``: the share of lives that end by SIGKILL at a random point; ``before`` and
    ``after`` are called around each life (the troubles); ``hand`` does what the host was asked for and says whether that was
    anything."""

    house: RealHouse
    zygote: Zygote
    chance: Random
    killing: float
    before: Callable[[], None]
    after: Callable[[], None]
    hand: Callable[[], bool]
    killed: int = 0
    lived: int = 0
    ticked: datetime | None = None
    begun: bool = False
    """The daemon has lived once to its end, so its store is made."""

    def until(self, moment: datetime) -> None:
        while self.ticked is None or moment - self.ticked > _EVERY:
            self._move(self.house.clock.now() if self.ticked is None else self.ticked + _EVERY)
            self.live(1, 1)
        self._move(moment)

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        for _ in range(_LIVES):
            if done():
                return
            if self.begun:
                self.hand()
            self._move(self.house.clock.now() + timedelta(seconds=20))
            self.live(2, 12)
        raise Stuck(what)

    def settle(self) -> None:
        """All is well: time passes until nothing is left to be sent or done. Raises Failed."""
        for _ in range(_LAST):
            acted = self.hand()
            self.live(3, 60)
            again = self._next_try()
            if again is None and not acted:
                return
            self._move(again or self.house.clock.now())

    def _next_try(self) -> datetime | None:
        """When something that waits is tried again within the hour and some; None where nothing is."""
        late = outbox.c.state.in_(("waiting", "sending")), outbox.c.not_before <= self.house.clock.now() + _LONGEST_PAUSE
        store = Store(self.house.database)
        try:
            with store.read() as connection:
                found: datetime | None = connection.execute(sa.select(sa.func.min(outbox.c.not_before)).where(*late)).scalar()
                return found
        finally:
            store.close()

    def live(self, least: int, most: int) -> None:
        """The daemon looks so many times, a minute apart, or is killed meanwhile. Raises Failed: it died by itself."""
        self.before()
        self.lived += 1
        kill = (
            self.chance.choice((self.chance.randint(1, 40), self.chance.randint(1, 300)))
            if self.chance.random() < self.killing
            else 0
        )
        code, _ = self.zygote.run(self.house, least, kill, most=most, seed=self.chance.getrandbits(32))  # type: ignore[arg-type]
        if code not in (0, -9):
            raise Failed(log_of(self.house))  # type: ignore[arg-type]
        self.killed += code == -9
        self.begun = self.begun or code == 0
        self.ticked = self.house.clock.now()
        self.after()

    def _move(self, moment: datetime) -> None:
        if moment > self.house.clock.now():
            self.house.clock.move_to(moment)  # type: ignore[attr-defined]
