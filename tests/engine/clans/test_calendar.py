"""The days of `clans` by the clock (R1, R2, S6)."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from engine.chance import Chance
from engine.model import Order, Rejected
from engine.rulesets.clans import RULESET
from tests.engine.clans.board import Board, tables

MOSCOW = ZoneInfo("Europe/Moscow")
UTC = ZoneInfo("UTC")
CALENDAR = RULESET.calendar(tables())
CAST = "Борис don red\nДина don black\nВера citizen\nЕгор citizen\nАнна citizen"


def at(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    """A moment of December 2026; the 4th is a Friday."""
    return datetime(2026, 12, day, hour, minute, second, tzinfo=MOSCOW)


def test_a_day_runs_from_the_newspaper_to_the_deadline() -> None:
    (close,) = CALENDAR.turn(1, at(1, 23))
    assert (close.call, close.at) == ("close", at(2, 21))
    assert CALENDAR.next_open(1, at(2, 21)) == at(2, 23)


def test_the_newspaper_of_the_day_before_is_announced_as_the_next_day_opens() -> None:
    newspaper, close = CALENDAR.turn(2, at(2, 23))
    assert (newspaper.name, newspaper.call, newspaper.at) == ("newspaper", "announce", at(2, 23))
    assert (close.call, close.at) == ("close", at(3, 21))


def test_saturday_and_sunday_are_one_day() -> None:
    assert CALENDAR.turn(1, at(4, 23))[-1].at == at(6, 21)
    assert CALENDAR.next_open(1, at(6, 21)) == at(6, 23)


def test_weekend_may_be_two_days() -> None:
    calendar = RULESET.calendar(tables(weekend_one_day=False))
    assert calendar.turn(1, at(4, 23))[-1].at == at(5, 21)


def test_other_hours_and_another_zone() -> None:
    calendar = RULESET.calendar(tables(deadline="20:30", newspaper="22:00", timezone="Asia/Yekaterinburg"))
    opens = datetime(2026, 12, 1, 22, tzinfo=ZoneInfo("Asia/Yekaterinburg"))
    closed = calendar.turn(1, opens)[-1].at
    assert closed == datetime(2026, 12, 2, 15, 30, tzinfo=UTC)
    assert calendar.next_open(1, closed) == datetime(2026, 12, 2, 17, tzinfo=UTC)


@pytest.mark.parametrize(
    ("signed_up", "first_day", "opens"),
    [
        (at(1, 12), None, at(1, 23)),
        (at(1, 23, 1), None, at(2, 23)),
        (at(5, 12), None, at(6, 23)),
        (at(1, 12), date(2026, 12, 3), at(3, 23)),
        (at(1, 12), date(2026, 12, 5), at(6, 23)),
        (at(2, 12), date(2026, 11, 3), at(2, 23)),
    ],
)
def test_the_first_day_opens_in_the_evening(signed_up: datetime, first_day: date | None, opens: datetime) -> None:
    assert CALENDAR.first_open(signed_up, first_day) == opens
    assert CALENDAR.setup(signed_up, opens) == ()


@pytest.mark.parametrize(
    ("moment", "late"),
    [
        (at(2, 20, 59, 59), False),
        (at(2, 21), True),
        (at(2, 22, 59, 59), True),
        (at(2, 23), False),
        (at(5, 21, 30), False),
        (at(6, 21, 30), True),
    ],
)
def test_a_live_game_goes_by_the_clock(moment: datetime, late: bool) -> None:
    chance = Chance(1)
    game, _ = RULESET.deal([f"Игрок{i}" for i in range(8)], tables(), chance)
    game, _ = RULESET.open(game, chance)
    assert CALENDAR.refuse(game, "vote", moment, public=False) is None
    order = Order("Игрок1", "vote", ("Игрок2",), at=moment.astimezone(UTC))
    _, events = RULESET.receive(game, order, chance)
    assert isinstance(events[0], Rejected) == late


def test_a_day_is_put_off_by_whole_days_and_never_to_a_saturday() -> None:
    assert CALENDAR.put_off(at(3, 23), at(4, 10)) == at(4, 23)
    assert CALENDAR.put_off(at(3, 23), at(5, 10)) == at(6, 23)


def test_a_scenario_goes_by_its_deadline_and_the_calendar_after_it() -> None:
    game = Board(CAST, state={"deadline": at(3, 21)})
    game.open()
    game.send("Вера vote Борис", at=at(3, 20, 59, 59))
    game.send("Егор vote Борис", at=at(3, 21))
    assert game.refused == ["Егор:vote:late"]
    game.close()
    game.open()
    game.send("Вера vote Анна", at=at(3, 22))
    game.send("Егор vote Анна", at=at(4, 20))
    game.send("Анна vote Вера", at=at(4, 21))
    assert game.refused == ["Вера:vote:late", "Анна:vote:late"]
    game.close()
    game.open()
    game.send("Вера vote Егор", at=at(5, 22))
    game.send("Егор vote Вера", at=at(6, 21, 10))
    assert game.refused == ["Егор:vote:late"]


def test_without_a_deadline_nothing_is_late() -> None:
    game = Board(CAST)
    game.open()
    game.send("Вера vote Борис", at=at(3, 22))
    assert game.refused == []


def test_what_comes_between_two_days_is_late() -> None:
    game = Board(CAST)
    game.turn()
    game.send("Вера vote Борис")
    assert game.refused[-1] == "Вера:vote:late"


def test_words_of_a_late_post_count_for_no_day() -> None:
    game = Board(CAST, state={"deadline": at(3, 21)}, activity_penalties=True, words_required=5)
    game.open()
    game.send("Вера words", args={"count": 5}, at=at(3, 20))
    game.send("Егор words", args={"count": 5}, at=at(3, 21))
    assert game.game.day_words("Вера") == 5 and game.game.day_words("Егор") == 0
    game.close()
    game.open()
    game.send("Егор words", args={"count": 5}, at=at(3, 22, 30))
    assert game.game.day_words("Егор") == 0
    assert game.refused == []


def test_the_earlier_letter_is_the_earlier_by_the_servers_times() -> None:
    cast = CAST + "\nЛола seductress red\nМакс maniac"
    game = Board(cast)
    game.open()
    game.send("Лола seduce Вера", at=at(3, 12))
    game.send("Макс invite Вера", at=at(3, 11))
    assert game.close().outcomes == {"Лола:seduce": "target_at_maniac", "Макс:invite": "done"}
