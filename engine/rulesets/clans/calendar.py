"""The calendar of `clans` (R1, R2, S6): 23:00 to 21:00 Moscow time, Saturday and Sunday one day, the newspaper at 23:00."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from engine.calendar import LEAST_PART, Due, at_wall, next_day, same_hour
from engine.rulesets.clans.state import Game
from engine.rulesets.clans.tables import Tables

_SATURDAY = 5


@dataclass(frozen=True, slots=True)
class ClansCalendar:
    """When turns open and close, computed from the tables ``deadline``, ``newspaper``, ``timezone``, ``weekend_one_day``."""

    tables: Tables

    def first_open(self, signup_closed: datetime, first_day: date | None) -> datetime:
        """The first hour of the newspaper after the sign-up, not before ``first_day`` (S6).

        ``first_day`` is the date on whose evening the thread of day 1 is opened. On Saturday no day opens (R2).
        """
        day = self._local(signup_closed).date()
        if first_day is not None and first_day > day:
            day = first_day
        while day.weekday() in self._skipped or self._opening(day) < signup_closed:
            day += timedelta(days=1)
        return self._opening(day)

    def setup(self, signup_closed: datetime, first_open: datetime) -> tuple[Due, ...]:
        """Nothing is to be done between the deal and the first turn."""
        return ()

    def turn(self, number: int, opens: datetime) -> tuple[Due, ...]:
        """The newspaper of the turn before, due as this turn opens (from the second turn on), and this turn's deadline."""
        close = Due("deadline", self.deadline_after(opens), "close")
        return (Due("newspaper", opens, "announce"), close) if number > 1 else (close,)

    def next_open(self, number: int, closed: datetime) -> datetime:
        """The hour of the newspaper on the day of the deadline (R1). A turn that the host ended after that hour is followed at
        once, where enough of the next day is left, else at the next hour of the newspaper."""
        if not self._closed_hours(closed):
            due = self.deadline_after(closed)
            opened = self._opening(self._local(self._deadline_before(due)).date())
            if due - closed >= (due - opened) * LEAST_PART:
                return closed
        day = self._local(closed).date()
        while day.weekday() in self._skipped or self._opening(day) < closed:
            day += timedelta(days=1)
        return self._opening(day)

    def put_off(self, opens: datetime, until: datetime) -> datetime:
        """On Saturday no day opens (R2)."""
        return same_hour(opens, until, self.tables.timezone, skip=self._skipped)

    def refuse(self, game: Any, action: str, at: datetime, *, public: bool) -> str | None:
        """Always None: lateness is the first of the engine's own tests on arrival (1.4), which also tells the sender."""
        return None

    def late(self, game: Game, at: datetime) -> bool:
        """Whether what came at this moment belongs to no day.

        A live game goes by the moments that the application keeps, without them by the clock. A scenario goes by its
        ``[state] deadline``; without one nothing is late.
        """
        if game.hours is not None:
            if at < game.hours.opens:
                # Before day 1 nobody acts on an outdated state (D2).
                return game.turn > 1 or self._closed_hours(at)
            return at >= game.hours.marks["deadline"]
        if game.live:
            return self._closed_hours(at)
        if game.deadline is None:
            return False
        moment, ended_before = self.aware(at), self._deadline_before(game.deadline)
        return moment >= game.deadline or ended_before <= moment < self.next_open(game.turn, ended_before)

    def deadline_after(self, moment: datetime) -> datetime:
        """The deadline of the turn that is open at ``moment``, or of the turn after it when ``moment`` is a deadline."""
        day = self._local(moment).date()
        while True:
            if day.weekday() not in self._skipped:
                found = at_wall(day, self.tables.deadline, self.tables.timezone)
                if found > moment:
                    return found
            day = next_day(day, skip=self._skipped)

    def aware(self, moment: datetime) -> datetime:
        """The moment with a zone: wall time without one is read in the game's zone."""
        return moment if moment.tzinfo is not None else moment.replace(tzinfo=self.tables.timezone)

    @property
    def _skipped(self) -> frozenset[int]:
        return frozenset({_SATURDAY}) if self.tables.weekend_one_day else frozenset()

    def _closed_hours(self, at: datetime) -> bool:
        local = self._local(at)
        wall = time(local.hour, local.minute, local.second, local.microsecond)
        return local.weekday() not in self._skipped and self.tables.deadline <= wall < self.tables.newspaper

    def _deadline_before(self, deadline: datetime) -> datetime:
        day = self._local(deadline).date() - timedelta(days=1)
        while day.weekday() in self._skipped:
            day -= timedelta(days=1)
        return at_wall(day, self.tables.deadline, self.tables.timezone)

    def _opening(self, day: date) -> datetime:
        return at_wall(day, self.tables.newspaper, self.tables.timezone)

    def _local(self, moment: datetime) -> datetime:
        return self.aware(moment).astimezone(self.tables.timezone)
