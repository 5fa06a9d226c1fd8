"""The days of a game (R1): every day ends at the deadline by Moscow time, and the next one begins at that moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from engine.calendar import LEAST_PART, Due, at_wall, same_hour

ZONE = ZoneInfo("Europe/Moscow")
WEEKEND = frozenset({5, 6})


@dataclass(frozen=True, slots=True)
class Days:
    """The calendar of one game. ``weekend_pause``: no day ends on a Saturday or Sunday."""

    deadline: time
    weekend_pause: bool

    def first_open(self, signup_closed: datetime, first_day: date | None) -> datetime:
        """Day 1 is announced at the first deadline after the sign-up, or at the one before the host's first day."""
        if first_day is None:
            return self._deadline_from(signup_closed)
        return max(signup_closed, at_wall(first_day - timedelta(days=1), self.deadline, ZONE))

    def setup(self, signup_closed: datetime, first_open: datetime) -> tuple[Due, ...]:
        """No set-up stage."""
        return ()

    def turn(self, number: int, opens: datetime) -> tuple[Due, ...]:
        """One due moment: the deadline. A day that begins at another hour, because the host ended the one before it, ends at the
        first deadline that leaves it enough time."""
        return (Due("close", self._deadline_from(opens + timedelta(days=1) * LEAST_PART), "close"),)

    def next_open(self, number: int, closed: datetime) -> datetime:
        """At once."""
        return closed

    def put_off(self, opens: datetime, until: datetime) -> datetime:
        """Any day will do: where days end on no weekend, what opens then is only longer."""
        return same_hour(opens, until, ZONE)

    def refuse(self, game: Any, action: str, at: datetime, *, public: bool) -> str | None:
        """Orders are legal all day long (R2)."""
        return None

    def _deadline_from(self, moment: datetime) -> datetime:
        """The first deadline that is not before this moment."""
        day = moment.astimezone(ZONE).date()
        while True:
            due = at_wall(day, self.deadline, ZONE)
            if due >= moment and not (self.weekend_pause and day.weekday() in WEEKEND):
                return due
            day += timedelta(days=1)
