"""When a league turn opens, halves and ends (R10-R12, D4, D5); hours of skipped weekdays do not count."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from engine.badinput import beyond_years, check_year
from engine.calendar import Due, same_hour
from engine.rulesets.league.roles import ACTIONS
from engine.rulesets.league.state import Game
from engine.rulesets.league.tables import CalendarTable

HALF, DEADLINE, CLOSE = "half", "deadline", "close"
"""Marks of a turn: the half-day (R81), the end of the game day, and the opening of the next one (R12)."""


class LeagueCalendar:
    """The calendar of a game with these tables."""

    def __init__(self, table: CalendarTable) -> None:
        self._table = table
        self._gap = timedelta(hours=table.gap_hours)

    def first_open(self, signup_closed: datetime, first_day: date | None) -> datetime:
        """The opening night begins when the roles are dealt, or at the same hour of the day the host names (H2)."""
        local = self._local(signup_closed)
        if first_day is None or first_day <= local.date():
            return local
        return local.replace(year=first_day.year, month=first_day.month, day=first_day.day)

    def setup(self, signup_closed: datetime, first_open: datetime) -> tuple[Due, ...]:
        return ()

    def turn(self, number: int, opens: datetime) -> tuple[Due, ...]:
        """Half-day (not in the opening night, D4), deadline, and the end of the gap in which R12 leaves two things open."""
        if number == 0:
            deadline = self._at_hour(self.advance(opens, self._table.opening_hours), opens)
            marks = [Due(DEADLINE, deadline, "mark")]
        else:
            begins = opens - self._gap
            deadline = self._at_hour(self.advance(begins, self._table.day_hours), opens)
            if self._table.deadline is None:
                half = self.advance(begins, self._table.day_hours - self._table.half_hours)
            else:
                half = self.retreat(deadline, self._table.half_hours)
            marks = [Due(HALF, max(half, opens), "mark"), Due(DEADLINE, deadline, "mark")]
        return (*marks, Due(CLOSE, deadline + self._gap, "close"))

    def _at_hour(self, planned: datetime, opens: datetime) -> datetime:
        """The deadline at the hour that the table sets, if it sets one: the nearest such moment that lies behind the opening and
        on a day that counts."""
        hour = self._table.deadline
        if hour is None:
            return planned
        local, day = self._local(planned), timedelta(days=1)
        found = [local.replace(hour=hour.hour, minute=hour.minute, second=0, microsecond=0) + day * n for n in (-1, 0, 1)]
        nearest = min(found, key=lambda at: abs(at - local))
        while nearest <= opens or nearest.weekday() in self._table.skip_weekdays:
            nearest += day
        return nearest

    def next_open(self, number: int, closed: datetime) -> datetime:
        """The next day opens at once: the gap lies before the close."""
        return closed

    def put_off(self, opens: datetime, until: datetime) -> datetime:
        return same_hour(opens, until, self._table.utc_offset, skip=self._table.skip_weekdays)

    def refuse(self, game: Any, action: str, at: datetime, *, public: bool) -> str | None:
        """``late`` by R12 where ``calendar.start`` is set (scenarios); a live game closes by its marks instead."""
        return "late" if self.late(game, action, at) else None

    def late(self, game: Game, action: str, at: datetime, item: str | None = None) -> bool:
        """Whether the stamp lies at or after the end of the hours of this action (D5). With an ``item`` the purchase itself is
        judged, without one only what no purchase may be. The day's end ends all orders, the commissioner's, too (D2), but for
        loop protection and hanging stories, which the gap behind it lets in (D3)."""
        ends = self.deadline(game)
        if ends is None:
            return False
        known = ACTIONS.get(action)
        gap = known is not None and known.gap and item in (None, "loop_protection")
        return at >= (ends + self._gap if gap else ends)

    def deadline(self, game: Game) -> datetime | None:
        """The end of the running turn by ``calendar.start`` (R12), None without it."""
        start = self._table.start
        if start is None:
            return None
        if start.tzinfo is None:
            start = start.replace(tzinfo=self._table.utc_offset)
        days = game.turn - game.first + 1
        if game.first == 0:
            start = self.advance(start, self._table.opening_hours)
            days -= 1
        return self.advance(start, days * self._table.day_hours)

    def half(self, game: Game) -> datetime | None:
        """The half-day by ``calendar.start``; None without it and in the opening night."""
        ends = self.deadline(game)
        return None if ends is None or game.turn == 0 else self.retreat(ends, self._table.half_hours)

    def advance(self, moment: datetime, hours: float) -> datetime:
        """The earliest moment after which so many counted hours have passed."""
        return self._walk(self._local(moment), _span(hours), forward=True)

    def retreat(self, moment: datetime, hours: float) -> datetime:
        """The latest moment from which so many counted hours are left."""
        return self._walk(self._local(moment), _span(hours), forward=False)

    def _walk(self, moment: datetime, left: timedelta, *, forward: bool) -> datetime:
        skip = self._table.skip_weekdays
        if not skip:
            try:
                return moment + left if forward else moment - left
            except OverflowError:
                raise beyond_years("tables.calendar") from None
        nothing, day = timedelta(0), timedelta(days=1)
        while left > nothing:
            check_year("tables.calendar", moment)
            midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
            if forward:
                edge, within = midnight + day, moment
            else:
                edge = midnight if moment > midnight else midnight - day
                within = edge
            step = abs(edge - moment)
            if within.weekday() not in skip:
                if step >= left:
                    return moment + left if forward else moment - left
                left -= step
            moment = edge
        return moment

    def _local(self, moment: datetime) -> datetime:
        zone = self._table.utc_offset
        return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def _span(hours: float) -> timedelta:
    try:
        return timedelta(hours=hours)
    except OverflowError:
        raise beyond_years("tables.calendar") from None
