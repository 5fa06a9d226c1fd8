"""Days and nights of Moscow time (R10, R16, S6, S7, S11)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from engine.calendar import LEAST_PART, Due, Hours, at_wall, next_day, same_hour
from engine.rulesets.goldenkey.state import Game
from engine.rulesets.goldenkey.tables import Tables

MINUTE = timedelta(minutes=1)
WEEKEND = frozenset((5, 6))
NO_DAY: frozenset[int] = frozenset()
_UNTIMED = frozenset(("assign_roles", "host_remove"))


class GoldenKeyCalendar:
    """The calendar of a game with these tables. The minute of a deadline still counts as before it (D5)."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._zone = tables.timezone
        self._skip = WEEKEND if tables.polar_night else NO_DAY
        self._day_over = _plus_minute(tables.day_close)
        self._night_over = _plus_minute(tables.night_close)

    def first_open(self, signup_closed: datetime, first_day: date | None) -> datetime:
        """S11: day 1 opens on the host's date, by default on the first game day that begins a full day after the sign-up.

        A date that has no day (polar night) gives the next one that has. With an opening night the date is that of
        its evening.
        """
        local = signup_closed.astimezone(self._zone)
        if first_day is None:
            first_day = (local + timedelta(days=1)).date()
            if at_wall(first_day, time(0), self._zone) < local + timedelta(days=1):
                first_day += timedelta(days=1)
        if first_day.weekday() in self._skip:
            first_day = next_day(first_day, skip=self._skip)
        return at_wall(first_day, self._tables.day_close if self._tables.opening_night else self._tables.day_open, self._zone)

    def setup(self, signup_closed: datetime, first_open: datetime) -> tuple[Due, ...]:
        """S11: lists and bids are taken up to 07:00:59 of the first game day. One day for lists and bids, and none that is
        followed by a polar night (D58)."""
        day = first_open.astimezone(self._zone).date()
        return (Due("setup", max(signup_closed, at_wall(day, self._night_over, self._zone)), "mark"),)

    def turn(self, number: int, opens: datetime) -> tuple[Due, ...]:
        """The lynch when the minute 21:00 is over, the night when the minute 07:00 of the next game day is (S6, S7)."""
        day = opens.astimezone(self._zone).date()
        dues: list[Due] = []
        if number > 0:
            over = at_wall(day, self._day_over, self._zone)
            dues.append(Due("lynch", over, "mark"))
            if self._tables.lynch_published == "evening":
                dues.append(Due("lynch", over, "announce"))
        dues.append(Due("night", at_wall(next_day(day, skip=self._skip), self._night_over, self._zone), "close"))
        return tuple(dues)

    def next_open(self, number: int, closed: datetime) -> datetime:
        """S6: the day opens on the morning on which the night has ended. A night that the host ended at another hour is
        followed at once by what is left of the day, where that is enough of it, else by the next morning that has a day."""
        day = closed.astimezone(self._zone).date()
        if day.weekday() not in self._skip:
            opens, ends = (at_wall(day, wall, self._zone) for wall in (self._tables.day_open, self._day_over))
            if closed <= opens:
                return opens
            if ends - closed >= (ends - opens) * LEAST_PART:
                return closed
        return at_wall(next_day(day, skip=self._skip), self._tables.day_open, self._zone)

    def put_off(self, opens: datetime, until: datetime) -> datetime:
        return same_hour(opens, until, self._zone, skip=self._skip)

    def refuse(self, game: Game, action: str, at: datetime, *, public: bool) -> str | None:
        """R10 for votes, R16 for moves and bids; ``assign_roles`` has no hours (R19), and set-up has none at all (S11)."""
        if action in _UNTIMED or game.stage == "setup":
            return None
        local = at.astimezone(self._zone)
        if action in ("vote", "unvote"):
            return self._refuse_vote(local, game.hours)
        reason = self._refuse_move(local, game.hours)
        if action in ("cancel", "pass"):
            return reason if reason == "too_late" else None
        return None if reason == "too_early" and self._tables.early_moves == "hold" else reason

    def _refuse_vote(self, local: datetime, hours: Hours | None) -> str | None:
        if hours is not None and "lynch" in hours.marks:
            if hours.opens <= local < hours.marks["lynch"]:
                return None
            if local.weekday() in self._skip:
                return "polar_night"
            lynched = hours.marks["lynch"].astimezone(self._zone).date()
            next_morning = local.time() < self._tables.day_open and local.date() > lynched
            return "too_early" if local < hours.opens or next_morning else "too_late"
        if local.weekday() in self._skip:
            return "polar_night"
        if local.time() < self._tables.day_open:
            return "too_early"
        return "too_late" if local.time() >= self._day_over else None

    def _refuse_move(self, local: datetime, hours: Hours | None) -> str | None:
        if hours is not None:
            begins = hours.marks["lynch"] - MINUTE if "lynch" in hours.marks else hours.opens
            if begins <= local < hours.marks["night"]:
                return None
            return "too_early" if hours.opens <= local < begins else "too_late"
        wall = local.time()
        if wall >= self._tables.day_close or wall < self._night_over or local.weekday() in self._skip:
            return None
        return "too_late" if wall < self._tables.day_open else "too_early"


def _plus_minute(wall: time) -> time:
    return (datetime.combine(date(2000, 1, 1), wall) + MINUTE).time()
