"""Words to systemd (sd_notify): a datagram to the socket it names; nothing where there is none."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


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


def watchdog_seconds() -> float | None:
    """How long systemd waits for a sign of life of this process; None when it does not wait."""
    told = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    return int(told) / 1_000_000 if told.isdigit() and int(told) and meant == str(os.getpid()) else None
