"""The calendar of a ruleset as data: when named marks fall due and in which hours an order is legal.

A calendar computes; it never asks what time it is. Local times are computed with ``zoneinfo``, so a clock change in a
zone that has one neither moves nor doubles a deadline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Due:
    """A moment of a stage or turn: at ``at`` the application calls ``mark(name)``, or ``close`` for the last one.

    All messages that the forum or mail server took *before* ``at`` belong before it. ``announce`` dues change nothing
    in the game: at them the application publishes (``name`` says what).
    """

    name: str
    at: datetime
    call: Literal["mark", "close", "announce"]


@dataclass(frozen=True, slots=True)
class Hours:
    """The moments of an open turn as the application keeps them: the host may move, extend or pause what the tables plan."""

    opens: datetime
    marks: Mapping[str, datetime]
    """Name of a mark, or of the closing -> when it falls due, or fell due."""


LEAST_PART = 0.5
"""A turn that follows one whose end was moved gets at least this part of its usual length."""


class Calendar(Protocol):
    """When things fall due in a game of one ruleset with its tables."""

    def first_open(self, signup_closed: datetime, first_day: date | None) -> datetime:
        """When the first turn opens for moves or votes; ``first_day`` is the host's wish, None for the default."""

    def setup(self, signup_closed: datetime, first_open: datetime) -> tuple[Due, ...]:
        """Marks between the dealing of roles and the first turn, in order; empty where the first turn follows at once."""

    def turn(self, number: int, opens: datetime) -> tuple[Due, ...]:
        """Marks of a turn in order of time; the last has ``call == "close"``."""

    def next_open(self, number: int, closed: datetime) -> datetime:
        """When the turn after ``number`` opens, given the moment ``number`` was due to close."""

    def put_off(self, opens: datetime, until: datetime) -> datetime:
        """A turn that should have opened at ``opens`` and could not: when it opens instead, by whole days and at the same
        hour of the wall, not before ``until``."""

    def refuse(self, game: Any, action: str, at: datetime, *, public: bool) -> str | None:
        """The reason id when an order of this kind is sent outside its hours, else None."""


def at_wall(day: date, wall: time, zone: tzinfo) -> datetime:
    """The moment when clocks in ``zone`` show ``wall`` on ``day``. A wall time that does not exist gives the next that does."""
    moment = datetime.combine(day, wall, tzinfo=zone)
    round_trip = moment.astimezone(ZoneInfo("UTC")).astimezone(zone)
    return round_trip if round_trip.time() != wall else moment


def next_day(day: date, *, skip: frozenset[int] = frozenset()) -> date:
    """The next day whose weekday (Monday is 0) is not in ``skip``. Raises ValueError when every day is skipped."""
    if len(skip) >= 7:
        raise ValueError("every day of the week is skipped")
    day += timedelta(days=1)
    while day.weekday() in skip:
        day += timedelta(days=1)
    return day


def same_hour(moment: datetime, until: datetime, zone: tzinfo, *, skip: frozenset[int] = frozenset()) -> datetime:
    """The hour that clocks in ``zone`` show at ``moment``, on its day or the first later one on which it is not before
    ``until``; weekdays in ``skip`` are passed over."""
    local = moment.astimezone(zone)
    day = local.date()
    while moment < until:
        day = next_day(day, skip=skip)
        moment = at_wall(day, local.time(), zone)
    return moment
