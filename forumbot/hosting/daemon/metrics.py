"""Figures for Prometheus on a loopback port (extra ``metrics``, setting ``site.metrics_port``).

The daemon only sets numbers in memory after a tick; a thread of the library's own answers those who ask for them. So nobody
who asks, however slowly, can hold up a tick (T59).
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from forumbot.hosting.core.overview import Overview

if TYPE_CHECKING:
    from threading import Thread

LOOPBACK = "127.0.0.1"


class MetricsError(Exception):
    """Metrics were asked for and cannot be served; the text is one Russian sentence."""


class Metrics:
    """The figures of one daemon. No nick, role or address is among them."""

    def __init__(self) -> None:
        """Raises MetricsError when the optional package is missing."""
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge
        except ImportError as error:
            raise MetricsError("Для metrics_port нужен пакет: pip install 'forumbot[metrics]'") from error
        self.registry = CollectorRegistry()

        def gauge(name: str, words: str, *labels: str) -> Any:
            return Gauge(f"forumbot_{name}", words, labels, registry=self.registry)

        self._looks = Counter("forumbot_looks", "Looks at the whole after a tick that came to its end", registry=self.registry)
        self._failed = Counter("forumbot_ticks_failed", "Ticks that could not use the database", registry=self.registry)
        self._seconds = gauge("tick_seconds", "Length of the last tick in seconds")
        self._ended = gauge("last_tick_timestamp_seconds", "When the last tick came to its end")
        self._games = gauge("games", "Games by stage", "stage")
        self._outbox = gauge("outbox", "Rows of the outbox by state", "state")
        self._troubles = gauge("troubles", "Troubles that the host was told of")
        self._held = gauge("held_deadlines", "Deadlines that are held")
        self._reviews = gauge("reviews", "Messages that wait for the host's decision")
        self._due = gauge("next_deadline_timestamp_seconds", "The next deadline; 0 when there is none")
        self._read = gauge("last_read_timestamp_seconds", "Last complete reading by channel", "channel")
        self._requests = gauge("forum_requests", "Requests to the forum since the start")
        self._received = gauge("forum_received_bytes", "Bytes received from the forum since the start")
        self._server: Any = None
        self._thread: Thread | None = None

    def serve(self, port: int) -> int:
        """Answer on the loopback address; 0 takes a free port. Gives the port. Raises MetricsError when it is taken."""
        from prometheus_client import start_http_server

        try:
            self._server, self._thread = start_http_server(port, LOOPBACK, self.registry)
        except OSError as error:
            raise MetricsError(f"Порт {port} для metrics_port занят: выберите другой") from error
        return int(self._server.server_port)

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def ticked(self, view: Overview, now: datetime, seconds: float, requests: int, received: int) -> None:
        """Note a tick that came to its end."""
        self._looks.inc()
        self._seconds.set(seconds)
        self._ended.set(now.timestamp())
        for gauge, counts in ((self._games, view.games), (self._outbox, view.outbox)):
            gauge.clear()
            for name, count in counts.items():
                gauge.labels(name).set(count)
        self._troubles.set(view.troubles)
        self._held.set(view.held)
        self._reviews.set(view.reviews)
        self._due.set(view.next_due.timestamp() if view.next_due else 0)
        for channel, at in view.read_at.items():
            self._read.labels(channel).set(at.timestamp())
        self._requests.set(requests)
        self._received.set(received)

    def failed(self) -> None:
        """Note a tick that could not use the database."""
        self._failed.inc()
