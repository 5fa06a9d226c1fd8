"""Named points of the daemon at which a crash test may kill it. In a running game the hook does nothing."""

from __future__ import annotations

import os
import signal
from collections import Counter

_SPEC = os.environ.get("FORUMBOT_KILL_AT", "")
_passed: Counter[str] = Counter()


def reached(point: str) -> None:
    """The daemon is here. With ``FORUMBOT_KILL_AT=point:n`` in the environment the n-th passing kills the process at once."""
    if not _SPEC:
        return
    name, _, count = _SPEC.partition(":")
    if name == point:
        _passed[point] += 1
        if _passed[point] == int(count or 1):
            os.kill(os.getpid(), signal.SIGKILL)
