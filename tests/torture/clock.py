"""A clock that stands still between steps and lies in a file, so that a killed process finds the time where it left it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

_WIDTH = 24


class StepClock:
    """``adapters.clock.Clock`` shared by processes. Whoever sleeps moves it for all; ``move_to`` may also go back."""

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)

    @classmethod
    def create(cls, file: Path, start: datetime) -> StepClock:
        clock = cls(file)
        clock.move_to(start)
        return clock

    def now(self) -> datetime:
        return datetime.fromtimestamp(int(os.pread(self._file, _WIDTH, 0)) / 1_000_000, UTC)

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.move_to(self.now() + timedelta(seconds=seconds))

    def wall_seconds(self, seconds: float) -> float:
        return min(seconds, 5.0)

    def move_to(self, moment: datetime) -> None:
        # One write of constant width: no reader sees half of it.
        os.pwrite(self._file, f"{round(moment.timestamp() * 1_000_000):0{_WIDTH}d}".encode(), 0)
