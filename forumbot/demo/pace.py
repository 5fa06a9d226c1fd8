"""How time passes in the demo: fast while nothing is due, slowly while the daemon has a deadline to settle."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from adapters.clock import VirtualClock
from forumbot.demo.driver import Stuck

FAST, BRISK, EASY, SLOW = 60000.0, 24000.0, 6000.0, 900.0
"""Seconds of the virtual clock in one of the wall: in quiet hours, between messages, when the players are late, at deadlines."""
PATIENCE = 90.0
"""Seconds of the wall that a deadline may take."""


class WallPace:
    """The demo's pace on a virtual clock; ``check`` is asked now and then whether the daemon still lives."""

    def __init__(self, clock: VirtualClock, check: Callable[[], None]) -> None:
        self._clock = clock
        self._check = check
        self._speed = 0.0

    def until(self, moment: datetime) -> None:
        self._check()
        ahead = (moment - self._clock.now()).total_seconds()
        self._go(EASY if ahead < -300 else BRISK if ahead < 2400 else FAST)
        self._clock.sleep(ahead)

    def _go(self, speed: float) -> None:
        if speed != self._speed:
            self._speed = speed
            self._clock.set_speed(speed)

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        self._go(SLOW)
        end = time.monotonic() + PATIENCE
        while not done():
            self._check()
            if time.monotonic() > end:
                raise Stuck(f"не дождались: {what}")
            time.sleep(0.02)
