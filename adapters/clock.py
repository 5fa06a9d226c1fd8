"""Time as it is handed in: the real clock, one virtual clock for several processes, and one that a test moves by hand."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol


class Clock(Protocol):
    """What everybody asks for the time and for waiting; all times are aware and in UTC."""

    def now(self) -> datetime: ...

    def sleep(self, seconds: float) -> None:
        """Wait so many seconds of *this clock*."""

    def wall_seconds(self, seconds: float) -> float:
        """So many seconds of this clock in seconds of the wall, for time-outs of sockets and tickers."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))

    def wall_seconds(self, seconds: float) -> float:
        return seconds


class VirtualClock:
    """A clock that runs ``speed`` times as fast as the wall, shared by processes through one small file.

    The file holds ``{"wall": unix seconds, "virtual": unix seconds, "speed": n}``: at that wall moment it was that
    virtual moment. Writing it anew (``set_speed``) changes the speed for all without a jump.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stamp: tuple[int, int] | None = None
        self._wall = self._virtual = 0.0
        self._speed = 1.0

    @classmethod
    def create(cls, file: Path, start: datetime, speed: float) -> VirtualClock:
        """Start a clock at ``start``; overwrites the file."""
        clock = cls(file)
        clock._write(time.time(), start.timestamp(), speed)
        return clock

    def now(self) -> datetime:
        self._load()
        return datetime.fromtimestamp(self._virtual + (time.time() - self._wall) * self._speed, UTC)

    def sleep(self, seconds: float) -> None:
        """Wait until the virtual time has come, also when the speed changes meanwhile."""
        until = self.now() + timedelta(seconds=seconds)
        while (left := (until - self.now()).total_seconds()) > 0:
            time.sleep(min(0.05, max(0.0005, left / self._speed)))

    def wall_seconds(self, seconds: float) -> float:
        self._load()
        return seconds / self._speed

    def set_speed(self, speed: float) -> None:
        """Go on from the present moment at another speed (0 stands still is refused: ValueError)."""
        if speed <= 0:
            raise ValueError("speed must be positive")
        now = self.now()
        self._write(time.time(), now.timestamp(), speed)

    def _write(self, wall: float, virtual: float, speed: float) -> None:
        aside = self._file.with_suffix(f".{os.getpid()}.new")
        aside.write_text(json.dumps({"wall": wall, "virtual": virtual, "speed": speed}), encoding="utf-8")
        aside.replace(self._file)
        self._stamp = None
        self._load()

    def _load(self) -> None:
        info = self._file.stat()
        stamp = (info.st_mtime_ns, info.st_ino)
        if stamp != self._stamp:
            said = json.loads(self._file.read_text(encoding="utf-8"))
            self._wall, self._virtual, self._speed = float(said["wall"]), float(said["virtual"]), float(said["speed"])
            self._stamp = stamp


class ManualClock:
    """A clock that stands still until somebody moves it; ``sleep`` moves it. ``on_move`` hears of every move."""

    def __init__(self, start: datetime, on_move: Callable[[datetime], None] | None = None) -> None:
        self._now = start.astimezone(UTC)
        self._on_move = on_move

    def now(self) -> datetime:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.move_to(self._now + timedelta(seconds=max(0.0, seconds)))

    def wall_seconds(self, seconds: float) -> float:
        return min(seconds, 5.0)

    def move_to(self, moment: datetime) -> None:
        """Go to this moment; a moment before now is refused (ValueError): a test that needs a jump back makes a new clock."""
        if moment < self._now:
            raise ValueError(f"the clock stands at {self._now.isoformat()}, later than {moment.isoformat()}")
        self._now = moment.astimezone(UTC)
        if self._on_move is not None:
            self._on_move(self._now)
