"""Work done, counted: the same on every machine under any load. Seconds are measured in ``tests/bench`` and asserted nowhere."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(work: Callable[[], object]) -> int:
    """How many functions it calls, of Python or of C, when it is done a second time: what is made once and kept costs nothing."""
    count = 0

    def note(_frame: object, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    work()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
