"""How often something may be tried: login attempts by name and by address."""

from __future__ import annotations

import threading
from collections import deque
from datetime import datetime, timedelta

WINDOW = timedelta(minutes=15)
KEYS_MOST = 10_000


class Limits:
    """Counts tries of the last quarter of an hour, in the memory of the process; safe between threads."""

    def __init__(self) -> None:
        self._tries: dict[str, deque[datetime]] = {}
        self._lock = threading.Lock()

    def allow(self, now: datetime, *asked: tuple[str, int]) -> bool:
        """Note one try under each key; False when any key has had its number (``most``) already."""
        with self._lock:
            if len(self._tries) > KEYS_MOST:
                self._sweep(now)
            fine = True
            for key, most in asked:
                tries = self._tries.setdefault(key, deque(maxlen=most))
                if len(tries) == most and tries[0] > now - WINDOW:
                    fine = False
                else:
                    tries.append(now)
            return fine

    def forget(self, key: str) -> None:
        """A success: this key begins anew."""
        with self._lock:
            self._tries.pop(key, None)

    def _sweep(self, now: datetime) -> None:
        self._tries = {key: tries for key, tries in self._tries.items() if tries and tries[-1] > now - WINDOW}
