"""How time passes in the demo: fast while nothing is due, slowly while the daemon has a deadline to settle."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from adapters.clock import VirtualClock
from forumbot.demo.driver import Stuck

FAST, SLOW = 16000.0, 900.0
"""Seconds of the virtual clock in one of the wall."""
PATIENCE = 90.0
"""Seconds of the wall that a deadline may take."""


class WallPace:
    """The demo's pace on a virtual clock; ``check`` is asked now and then whether the daemon still lives."""

    def __init__(self, clock: VirtualClock, check: Callable[[], None]) -> None:
        self._clock = clock
        self._check = check

    def until(self, moment: datetime) -> None:
        self._check()
        self._clock.sleep((moment - self._clock.now()).total_seconds())

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        self._clock.set_speed(SLOW)
        end = time.monotonic() + PATIENCE
        try:
            while not done():
                self._check()
                if time.monotonic() > end:
                    raise Stuck(f"не дождались: {what}")
                time.sleep(0.02)
        finally:
            self._clock.set_speed(FAST)
