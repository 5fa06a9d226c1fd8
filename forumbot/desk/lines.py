"""The desk's connections: who opens one must ask something soon, and there is no end of room for none."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Until a request's head is there, from the opening of its connection or from the first byte after the answer before."""
IDLE_SECONDS = 20
"""How long an answered connection may stay open without a new request."""
BODY_SECONDS = 30.0
"""Until a form is there."""
LINES_MOST = 400
"""Connections at a time; beyond, the one that has waited longest without a whole request goes."""


class Impatient(H11Protocol):
    """HTTP/1.1 that closes a connection whose request does not come."""

    _patience: asyncio.TimerHandle | None = None
    since = 0.0
    """When it was opened, by the loop's clock."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.loop.time()
        self._wait()
        waiting = [one for one in self.connections if isinstance(one, Impatient) and one.is_waiting]
        if len(self.connections) > LINES_MOST and waiting:
            min(waiting, key=lambda one: one.since).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.is_waiting:
            self._calm()
        elif self._patience is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    @property
    def is_waiting(self) -> bool:
        """Whether no request is at work on this connection."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self) -> None:
        self._calm()
        self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _calm(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self.is_waiting and not self.transport.is_closing():
            self.transport.abort()


def options() -> dict[str, Any]:
    """What uvicorn is told of all this."""
    return {"http": Impatient, "timeout_keep_alive": IDLE_SECONDS, "ws": "none"}


def exposed(host: str) -> str:
    """What the host must know of an address that others than this machine reach; "" for one that they do not."""
    try:
        here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = host == "localhost"
    if here:
        return ""
    return (
        f"пульт слушает на {host}: он виден всей сети без шифрования; поставьте [desk] host = \"127.0.0.1\" и перед ним "
        "обратный прокси с https (README.ru.md)"
    )
