"""Words to systemd (sd_notify): a datagram to the socket it names; nothing where there is none."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from datetime import timedelta

from adapters.clock import Clock


def notify(message: str) -> None:
    """Send e.g. ``READY=1``, ``WATCHDOG=1``, ``STATUS=...``, ``STOPPING=1``. A socket that is gone is no reason to stop, and one
    that nobody empties is no reason to wait: the word is lost, and the next tick has another."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.setblocking(False)
        channel.sendto(message.encode(), address)


PULSE = timedelta(seconds=5)
"""Between two signs of life from within a tick."""


class Pulse:
    """Signs of life for systemd's watchdog from within a long tick: called as often as there is anything to show for it, it says
    so now and then, by the clock of whoever works."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = clock.now()

    def __call__(self) -> None:
        now = self._clock.now()
        if not timedelta() <= now - self._last < PULSE:
            self._last = now
            notify("WATCHDOG=1")


def watchdog_seconds() -> float | None:
    """How long systemd waits for a sign of life of this process; None when it does not wait."""
    told = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    return int(told) / 1_000_000 if told.isdigit() and int(told) and meant == str(os.getpid()) else None
