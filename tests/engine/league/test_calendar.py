"""When a league turn opens, halves and ends (R10-R12), weekends included."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from engine.model import EngineError
from engine.rulesets.league import RULESET
from forumbot import resources
from tests.engine.league.board import tables


def moment(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}:00+03:00")


def dues(number: int, opens: str, **entries: object) -> list[tuple[str, str, str]]:
    found = RULESET.calendar(tables({"calendar": entries})).turn(number, moment(opens))
    return [(d.name, d.call, d.at.strftime("%m-%dT%H:%M")) for d in found]


def test_the_opening_night_has_a_deadline_and_the_gap() -> None:
    assert dues(0, "12-01T21:00") == [("deadline", "mark", "12-02T21:00"), ("close", "close", "12-02T22:00")]


def test_a_day_lasts_from_deadline_to_deadline() -> None:
    assert dues(1, "12-02T22:00") == [
        ("half", "mark", "12-03T21:00"),
        ("deadline", "mark", "12-04T21:00"),
        ("close", "close", "12-04T22:00"),
    ]


def test_the_next_day_opens_when_the_gap_is_over() -> None:
    closed = moment("12-04T22:00")
    assert RULESET.calendar(tables()).next_open(1, closed) == closed


def test_hours_of_the_host() -> None:
    own = {"day_hours": 24, "half_hours": 6, "gap_hours": 0.5, "opening_hours": 12}
    assert dues(0, "12-01T21:00", **own)[0] == ("deadline", "mark", "12-02T09:00")
    assert dues(1, "12-02T09:30", **own) == [
        ("half", "mark", "12-03T03:00"),
        ("deadline", "mark", "12-03T09:00"),
        ("close", "close", "12-03T09:30"),
    ]


def test_a_half_day_never_comes_before_the_day_has_opened() -> None:
    assert dues(1, "12-02T22:00", half_hours=48)[0] == ("half", "mark", "12-02T22:00")


def test_skipped_weekdays_do_not_count() -> None:
    # 4 December 2026 is a Friday
    weekend = {"skip_weekdays": ["sat", "sun"]}
    assert dues(1, "12-03T22:00", **weekend) == [
        ("half", "mark", "12-04T21:00"),
        ("deadline", "mark", "12-07T21:00"),
        ("close", "close", "12-07T22:00"),
    ]
    assert dues(1, "12-04T22:00", **weekend)[1] == ("deadline", "mark", "12-08T21:00")


def test_a_day_that_would_begin_on_a_skipped_weekday_begins_after_it() -> None:
    assert dues(0, "12-05T12:00", skip_weekdays=["sat", "sun"])[0] == ("deadline", "mark", "12-08T00:00")


@pytest.mark.parametrize(("hours", "back"), [(1, "12-04T20:00"), (21, "12-04T00:00"), (22, "12-03T23:00"), (45, "12-03T00:00")])
def test_counting_back(hours: float, back: str) -> None:
    found = RULESET.calendar(tables({"calendar": {"skip_weekdays": ["wed"]}})).retreat(moment("12-04T21:00"), hours)
    assert found == moment(back)


@pytest.mark.parametrize("hours", [0.5, 7, 24, 30, 48, 100])
def test_counting_back_undoes_counting_forward(hours: float) -> None:
    weekend = RULESET.calendar(tables({"calendar": {"skip_weekdays": ["sat", "sun"]}}))
    begins = moment("12-03T21:00")
    assert weekend.retreat(weekend.advance(begins, hours), hours) == begins


def test_the_first_turn_opens_at_once_or_on_the_hosts_day() -> None:
    plain = RULESET.calendar(tables())
    closed = moment("12-01T20:15")
    assert plain.first_open(closed, None) == closed
    assert plain.first_open(closed, date(2026, 12, 5)) == moment("12-05T20:15")
    assert plain.first_open(closed, date(2026, 11, 5)) == closed
    assert plain.setup(closed, closed) == ()


def test_the_offset_of_the_tables_makes_the_weekday() -> None:
    late_friday = datetime.fromisoformat("2026-12-04T23:30:00+00:00")
    moscow = RULESET.calendar(tables({"calendar": {"skip_weekdays": ["sat"]}}))
    assert moscow.advance(late_friday, 1) == datetime.fromisoformat("2026-12-06T01:00:00+03:00")
    london = RULESET.calendar(tables({"calendar": {"skip_weekdays": ["sat"], "utc_offset": "+00:00"}}))
    assert london.advance(late_friday, 0.5) == datetime.fromisoformat("2026-12-05T00:00:00+00:00")


def test_a_day_is_put_off_by_whole_days_past_skipped_weekdays() -> None:
    calendar = RULESET.calendar(tables({"calendar": {"skip_weekdays": ["sat", "sun"]}}))
    assert calendar.put_off(moment("12-01T20:00"), moment("12-04T21:00")) == moment("12-07T20:00")


def test_evening_a_day_ends_at_the_hour_that_the_host_sets() -> None:
    own = {"deadline": "21:00"}
    # The sign-up closed at three: the opening night takes the nearest hour, the days follow it.
    assert dues(0, "12-01T03:00", **own)[0] == ("deadline", "mark", "12-01T21:00")
    assert dues(0, "12-01T20:17", **own)[0] == ("deadline", "mark", "12-02T21:00")
    assert dues(1, "12-02T22:00", **own) == [
        ("half", "mark", "12-03T21:00"),
        ("deadline", "mark", "12-04T21:00"),
        ("close", "close", "12-04T22:00"),
    ]


def test_evening_the_hour_comes_back_after_a_moved_deadline_and_on_a_day_that_counts() -> None:
    own = {"deadline": "21:00"}
    # The deadline before was put off to 23:40.
    assert dues(1, "12-03T00:40", **own)[1] == ("deadline", "mark", "12-04T21:00")
    weekend = {**own, "skip_weekdays": ["sat", "sun"]}
    assert dues(1, "12-04T02:00", **weekend)[1] == ("deadline", "mark", "12-07T21:00")
    assert dues(1, "12-04T22:00", day_hours=2, gap_hours=1, half_hours=1, **own)[1] == ("deadline", "mark", "12-05T21:00")


@pytest.mark.parametrize("hour", ["25:00", "девять", 21])
def test_evening_a_wrong_hour_is_refused(hour: object) -> None:
    with pytest.raises(EngineError, match="не время суток"):
        tables({"calendar": {"deadline": hour}})


def test_evening_a_game_of_before_has_no_such_entry() -> None:
    frozen = {name: dict(section) for name, section in resources.tables("league").items()}
    del frozen["calendar"]["deadline"]
    assert RULESET.tables(frozen, {}).calendar.deadline is None
