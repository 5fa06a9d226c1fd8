"""The daemon's life between start and stop: ticks at intervals, words to systemd, figures, and patience with the database."""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog

from adapters.clock import Clock
from adapters.errors import OutsideError
from forumbot.hosting import overview
from forumbot.hosting.daemon import Daemon
from forumbot.hosting.metrics import Metrics
from forumbot.hosting.notify import notify, watchdog_seconds
from forumbot.store.database import Store, StoreError

log = structlog.get_logger("forumbot.running")

SHORTEST = 0.02
"""Seconds between two ticks of a virtual clock at full speed."""


class Runner:
    """Ticks a daemon. A tick that ends, well or with a database that cannot be used now, is a sign of life for systemd's
    watchdog; a tick that hangs or breaks is none, and systemd starts the bot anew."""

    def __init__(
        self,
        daemon: Daemon,
        store: Store,
        clock: Clock,
        metrics: Metrics | None = None,
        traffic: Callable[[], tuple[int, int]] = lambda: (0, 0),
        look_every: float = 5.0,
    ) -> None:
        """``traffic`` gives requests to the forum and bytes received since the start; ``look_every``: seconds of the machine's
        clock between two looks at the whole, which a fast virtual clock must not multiply."""
        self._daemon = daemon
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._traffic = traffic
        self._look_every = look_every
        self._look_at = 0.0
        self._status = ""
        self._trouble = ""

    def once(self) -> None:
        """One tick. What the database refuses is told once, in one sentence, and tried again at the next tick."""
        began = time.monotonic()
        try:
            self._daemon.tick()
            self._look(began)
        except StoreError as error:
            self._refused(str(error))
        except OutsideError as error:
            log.warning("outside", kind=type(error).__name__)
        else:
            if self._trouble:
                log.info("store_again")
                self._trouble = ""
        notify("WATCHDOG=1")

    def _look(self, began: float) -> None:
        if began < self._look_at and not self._trouble:
            return
        self._look_at = began + self._look_every
        view = overview.look(self._store)
        self._say(overview.sentence(view, self._clock.now()))
        if self._metrics is not None:
            self._metrics.ticked(view, self._clock.now(), time.monotonic() - began, *self._traffic())

    def _refused(self, sentence: str) -> None:
        if sentence != self._trouble:
            log.error("store", text=sentence)
            self._trouble = sentence
        self._say(sentence)
        if self._metrics is not None:
            self._metrics.failed()

    def _say(self, sentence: str) -> None:
        if sentence != self._status:
            self._status = sentence
            notify(f"STATUS={sentence}")

    def run(self, *, tick_seconds: float, stopping: Callable[[], bool]) -> None:
        """Tick until told to stop. The scheduler only ticks; what is due is decided by the deadlines table."""
        from apscheduler.schedulers.blocking import BlockingScheduler

        scheduler = BlockingScheduler(timezone="UTC")

        def tick() -> None:
            if stopping():
                scheduler.shutdown(wait=False)
            else:
                self.once()

        seconds = max(SHORTEST, self._clock.wall_seconds(tick_seconds))
        limit = watchdog_seconds()
        if limit is not None:
            seconds = min(seconds, limit / 2)
        scheduler.add_job(tick, "interval", seconds=seconds, coalesce=True, max_instances=1, misfire_grace_time=None)
        scheduler.start()
