"""Days, nights and hours (R10, R16, S6, S7, S11, D3, D5)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from engine.chance import Chance
from engine.model import Accepted, Rejected
from engine.rulesets.goldenkey import RULESET
from tests.engine.goldenkey.table import order, start, tables

MOSCOW = ZoneInfo("Europe/Moscow")
CAST = {"K": "karabas", "B": "buratino", "G": "giuseppe", "C": "citizen", "D": "citizen", "E": "citizen"}


def at(text: str) -> datetime:
    """Moscow time; 2026-12-01 is a Tuesday, 12-04 a Friday."""
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=MOSCOW)


def refuse(action: str, moment: str, **overrides: Any) -> str | None:
    game = RULESET.open(start(CAST, **overrides), Chance(0))[0]
    return RULESET.calendar(game.tables).refuse(game, action, at(moment), public=action == "vote")


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ("12-01T07:59:59", "too_early"),
        ("12-01T08:00:00", None),
        ("12-01T21:00:59", None),
        ("12-01T21:01:00", "too_late"),
        ("12-04T20:00:00", None),
        ("12-05T12:00:00", "polar_night"),
        ("12-06T23:00:00", "polar_night"),
        ("12-07T07:00:00", "too_early"),
        ("12-07T08:00:00", None),
    ],
)
def test_hours_of_votes(moment: str, reason: str | None) -> None:
    assert refuse("vote", moment) == reason
    assert refuse("unvote", moment) == reason


@pytest.mark.parametrize(
    ("moment", "reason"),
    [
        ("12-01T20:59:59", "too_early"),
        ("12-01T21:00:00", None),
        ("12-02T07:00:59", None),
        ("12-02T07:01:00", "too_late"),
        ("12-02T07:59:59", "too_late"),
        ("12-02T08:00:00", "too_early"),
        ("12-04T20:00:00", "too_early"),
        ("12-05T07:30:00", None),
        ("12-06T15:00:00", None),
        ("12-07T07:00:59", None),
        ("12-07T07:01:00", "too_late"),
    ],
)
def test_hours_of_moves_and_bids(moment: str, reason: str | None) -> None:
    assert refuse("kill", moment) == reason
    assert refuse("bid_role", moment) == reason
    assert refuse("assign_roles", moment) is None
    assert refuse("kill", moment, early_moves="hold") == (None if reason == "too_early" else reason)


def test_hours_follow_the_tables() -> None:
    assert refuse("vote", "12-05T12:00:00", polar_night=False) is None
    assert refuse("kill", "12-05T12:00:00", polar_night=False) == "too_early"
    assert refuse("vote", "12-01T19:01:00", day_close="19:00") == "too_late"
    assert refuse("kill", "12-01T19:00:00", day_close="19:00") is None
    assert refuse("kill", "12-02T06:01:00", night_close="06:00") == "too_late"
    assert refuse("vote", "12-01T09:59:00", day_open="10:00") == "too_early"
    assert refuse("vote", "12-01T21:00:30", timezone="Asia/Yekaterinburg") == "too_late"


def test_other_zones_are_understood() -> None:
    game = RULESET.open(start(CAST), Chance(0))[0]
    utc = datetime(2026, 12, 1, 18, 0, 30, tzinfo=ZoneInfo("UTC"))
    assert RULESET.calendar(game.tables).refuse(game, "vote", utc, public=True) is None


def test_the_hour_is_asked_before_everything_else() -> None:
    game = RULESET.open(start(CAST), Chance(0))[0]
    sent = replace(order("C kill B"), at=at("12-01T15:00:00"))
    _, events = RULESET.receive(game, sent, Chance(0))
    assert isinstance(events[0], Rejected) and events[0].reason == "too_early"
    held = RULESET.open(start(CAST, early_moves="hold"), Chance(0))[0]
    _, events = RULESET.receive(held, replace(order("B kill C"), at=at("12-01T15:00:00")), Chance(0))
    assert isinstance(events[0], Accepted)


@pytest.mark.parametrize(
    ("closed", "wish", "opens"),
    [
        ("11-30T20:00:00", None, "12-02T08:00:00"),
        ("12-01T00:00:00", None, "12-02T08:00:00"),
        ("12-03T10:00:00", None, "12-07T08:00:00"),
        ("12-04T10:00:00", None, "12-07T08:00:00"),
        ("12-01T10:00:00", date(2026, 12, 2), "12-02T08:00:00"),
        ("12-01T10:00:00", date(2026, 12, 5), "12-07T08:00:00"),
    ],
)
def test_the_first_day(closed: str, wish: date | None, opens: str) -> None:
    calendar = RULESET.calendar(tables())
    first = calendar.first_open(at(closed), wish)
    assert first == at(opens)
    (due,) = calendar.setup(at(closed), first)
    assert (due.name, due.call, due.at) == ("setup", "mark", at(opens).replace(hour=7, minute=1))


def test_set_up_does_not_end_before_the_sign_up() -> None:
    calendar = RULESET.calendar(tables())
    closed = at("12-02T07:30:00")
    assert calendar.setup(closed, calendar.first_open(closed, date(2026, 12, 2)))[0].at == closed


def dues(number: int, opens: str, **overrides: Any) -> list[tuple[str, str, datetime]]:
    return [(due.name, due.call, due.at) for due in RULESET.calendar(tables(**overrides)).turn(number, at(opens))]


def test_a_turn_is_a_lynch_and_a_night() -> None:
    assert dues(3, "12-01T08:00:00") == [
        ("lynch", "mark", at("12-01T21:01:00")),
        ("night", "close", at("12-02T07:01:00")),
    ]


def test_the_polar_night_lasts_until_monday() -> None:
    assert dues(3, "12-04T08:00:00")[-1] == ("night", "close", at("12-07T07:01:00"))
    assert dues(3, "12-04T08:00:00", polar_night=False)[-1] == ("night", "close", at("12-05T07:01:00"))
    assert RULESET.calendar(tables()).next_open(3, at("12-07T07:01:00")) == at("12-07T08:00:00")


def test_the_lynch_is_published_in_the_evening_by_table() -> None:
    assert dues(3, "12-01T08:00:00", lynch_published="evening") == [
        ("lynch", "mark", at("12-01T21:01:00")),
        ("lynch", "announce", at("12-01T21:01:00")),
        ("night", "close", at("12-02T07:01:00")),
    ]


def test_an_opening_night_has_no_lynch_and_ends_before_day_one() -> None:
    calendar = RULESET.calendar(tables(opening_night=True))
    first = calendar.first_open(at("11-30T20:00:00"), None)
    assert first == at("12-02T21:00:00")
    assert dues(0, "12-02T21:00:00", opening_night=True) == [("night", "close", at("12-03T07:01:00"))]
    assert calendar.next_open(0, at("12-03T07:01:00")) == at("12-03T08:00:00")


def test_set_up_has_no_hours() -> None:
    game, _ = RULESET.deal([f"s{i}" for i in range(15)], tables(), Chance(0))
    assert RULESET.calendar(game.tables).refuse(game, "bid_role", at("12-01T15:00:00"), public=False) is None


@pytest.mark.parametrize(
    ("until", "opens"),
    [("12-01T08:00:00", "12-01T08:00:00"), ("12-02T08:00:01", "12-03T08:00:00"), ("12-04T09:00:00", "12-07T08:00:00")],
)
def test_a_day_is_put_off_by_whole_days_and_never_to_a_weekend(until: str, opens: str) -> None:
    assert RULESET.calendar(tables()).put_off(at("12-01T08:00:00"), at(until)) == at(opens)


def test_a_day_put_off_over_a_clock_change_opens_at_the_same_hour_of_the_wall() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    calendar = RULESET.calendar(tables(timezone="Europe/Berlin", polar_night=False))
    opens = calendar.put_off(datetime(2026, 10, 24, 8, tzinfo=berlin), datetime(2026, 10, 24, 12, tzinfo=berlin))
    assert opens == datetime(2026, 10, 25, 8, tzinfo=berlin)
