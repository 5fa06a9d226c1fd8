"""Words to systemd (sd_notify): a datagram to the socket it names; nothing where there is none."""

from __future__ import annotations

import os
import socket


def notify(message: str) -> None:
    """Send e.g. ``READY=1``, ``WATCHDOG=1``, ``STATUS=...``, ``STOPPING=1``."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(message.encode(), address)
