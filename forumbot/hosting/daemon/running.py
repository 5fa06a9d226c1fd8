"""The daemon's life between start and stop: ticks at intervals and at news, words to systemd, figures, patience with the
database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from functools import partial

import structlog

from adapters.clock import Clock
from adapters.errors import OutsideError
from adapters.mailbox import Mailbox
from forumbot.hosting.core import overview
from forumbot.hosting.core.notify import notify, watchdog_seconds
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.listening import Listener
from forumbot.hosting.daemon.metrics import Metrics
from forumbot.store.database import Store, StoreError

log = structlog.get_logger("forumbot.running")

SHORTEST = 0.02
"""Seconds between two ticks of a virtual clock at full speed."""
WORTH_LISTENING = 1.0
"""Seconds between two ticks from which on it pays to listen for news meanwhile; a fast virtual clock polls all the time."""


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
        ear: Mailbox | None = None,
    ) -> None:
        """``traffic`` gives requests to the forum and bytes received since the start; ``look_every``: seconds of the machine's
        clock between two looks at the whole, which a fast virtual clock must not multiply; ``ear``: a mailbox to listen to
        between ticks, on a line of its own that nobody else uses."""
        self._daemon = daemon
        self._store = store
        self._clock = clock
        self._metrics = metrics
        self._traffic = traffic
        self._look_every = look_every
        self._ear = ear
        self._turn = threading.Lock()
        """Held by the listener while it asks for a tick."""
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
        """Tick until told to stop. The scheduler only ticks; what is due is decided by the deadlines table. Ticks made early,
        because a letter may have come, are beside the regular ones and move none of them; they run where those do."""
        from apscheduler.executors.debug import DebugExecutor
        from apscheduler.jobstores.base import JobLookupError
        from apscheduler.schedulers.blocking import BlockingScheduler

        # Ticks run in this very thread: only there a budget of time (``budget``) breaks off whatever runs.
        scheduler = BlockingScheduler(timezone="UTC", executors={"default": DebugExecutor()})

        def tick() -> None:
            if stopping():
                scheduler.shutdown(wait=False)
            else:
                self.once()

        def early() -> None:
            scheduler.add_job(tick, "date", id="early", replace_existing=True, misfire_grace_time=None)

        seconds = max(SHORTEST, self._clock.wall_seconds(tick_seconds))
        limit = watchdog_seconds()
        if limit is not None:
            seconds = min(seconds, limit / 2)
        scheduler.add_job(tick, "interval", seconds=seconds, coalesce=True, max_instances=1, misfire_grace_time=None)
        ear = self._ear if seconds >= WORTH_LISTENING else None
        # The tick that stops the scheduler is no longer in its books when it ends.
        with nullcontext() if ear is None else Listener(ear, self._turn, partial(self._hear, early)), suppress(JobLookupError):
            scheduler.start()

    def _hear(self, tick: Callable[[], None]) -> None:
        """Called by the listener, on its own thread: it only asks for a tick, for what a message takes can be broken off in the
        main thread alone."""
        self._daemon.hear_of_mail()
        tick()
