"""How often something may be tried: login attempts by name and by network. Bounded, whatever is thrown at it."""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict, deque
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=15)
KEYS_MOST = 10_000
"""Keys that are kept; beyond, those that were used longest ago go."""


class Limits:
    """Counts tries of the last quarter of an hour, in the memory of the process; safe between threads."""

    def __init__(self) -> None:
        self._tries: OrderedDict[str, deque[datetime]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._tries)

    def allow(self, now: datetime, *asked: tuple[str, int]) -> bool:
        """Note one try under each key; False, and nothing more is noted, at the first key that has had its number (``most``).

        Keys that one visitor has few of come first: who has used those up makes no new ones.
        """
        with self._lock:
            for key, most in asked:
                tries = self._tries.setdefault(key, deque(maxlen=most))
                self._tries.move_to_end(key)
                while len(self._tries) > KEYS_MOST:
                    self._tries.popitem(last=False)
                if len(tries) == most and tries[0] > now - WINDOW:
                    return False
                tries.append(now)
            return True

    def forget(self, key: str) -> None:
        """A success: this key begins anew."""
        with self._lock:
            self._tries.pop(key, None)


def networks(address: str) -> tuple[str, str]:
    """The network that one household has, and the one that a provider gives to few: of an IPv6 address /64 and /48, of an
    IPv4 address itself and /24. What is no address stands for itself."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address, address
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is None:
            return _network(known, 64), _network(known, 48)
        known = known.ipv4_mapped
    return str(known), _network(known, 24)


def _network(address: ipaddress.IPv4Address | ipaddress.IPv6Address, length: int) -> str:
    return str(ipaddress.ip_network(f"{address}/{length}", strict=False))
