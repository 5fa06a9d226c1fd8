"""A turn that could not be opened in time, after an outage of days or for want of its topic, is put off by whole days."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from adapters.errors import UnknownOutcome, Unreachable
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import deadlines, games, inputs, outbox, threads, turns, verdicts
from tests.forumbot.hosting.fakes import FakeForum
from tests.forumbot.hosting.hosts import day_one, does, resolves
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, count, make_world, votes

MOSCOW = ZoneInfo("Europe/Moscow")
DAY = timedelta(days=1)
OWN = deadlines.c.call.in_(("mark", "close"))


def falls_due(world: World, turn: int) -> dict[str, datetime]:
    """Name -> moment of what is resolved in this turn, in order of time."""
    rows = world.rows(sa.select(deadlines).where(deadlines.c.turn == turn, OWN).order_by(deadlines.c.due_at))
    return {row["name"]: row["due_at"] for row in rows}


def told(world: World) -> list[str]:
    return [text for subject, text in world.mail.letters_to("owner@example.org") if "перенесены" in subject]


def walls(moments: dict[str, datetime]) -> dict[str, str]:
    return {name: f"{moment.astimezone(MOSCOW):%H:%M}" for name, moment in moments.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_after_days_without_the_bot_the_next_turn_gets_its_full_length(tmp_path: Path, ruleset: str) -> None:
    """The turn that was open is resolved once, on what came in time; no turn is resolved that nobody could play."""
    world = running(tmp_path, ruleset)
    turn = world.value(sa.select(games.c.turn))
    opened = world.value(sa.select(turns.c.opened_at).where(turns.c.turn == turn))
    was = falls_due(world, turn)
    closes = max(was.values())
    back = closes + timedelta(days=3, hours=5, minutes=7)
    world.clock.move_to(back)
    for _ in range(3):
        world.restart()
        world.tick()
    assert world.value(sa.select(games.c.turn)) == turn + 1
    assert count(world, inputs, inputs.c.kind == "close", inputs.c.turn == turn) == 1
    assert count(world, inputs, inputs.c.kind.in_(("mark", "close")), inputs.c.turn > turn) == 0
    world.settle()
    assert world.forum.find(f"День {turn + 1}" if ruleset != "league" else f"№{turn + 1}")
    moved = falls_due(world, turn + 1)
    assert walls(moved) == walls(was)
    assert min(moved.values()) - back >= min(was.values()) - opened
    assert min(moved.values()) - back < min(was.values()) - opened + (2 if ruleset != "goldenkey" else 3) * DAY
    (sentence,) = told(world)
    assert f"день {turn + 1} должен был открыться" in sentence
    words = {"lynch": "голосование", "night": "ночь", "half": "половина дня", "deadline": "конец дня"}
    closing = "открытие следующего дня" if ruleset == "league" else "конец дня"
    assert all(f"«{words.get(name, closing)}» - " in sentence for name in moved)
    topic = next(row for row in world.rows(sa.select(outbox)) if row["key"] == f"gk1/t{turn + 1}/day")
    last = max(moved.values()).astimezone(MOSCOW)
    assert any(f"{day.day} декабря" in topic["body"] for day in (last, last - timedelta(minutes=1)))
    world.until(max(moved.values()) + timedelta(minutes=5), step=timedelta(hours=12))
    world.settle()
    assert world.value(sa.select(turns.c.closed_at).where(turns.c.turn == turn + 1)) == max(moved.values())
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))
    assert len(told(world)) == 1


def test_an_outage_of_hours_moves_nothing(day: World) -> None:
    """Opened two hours late, a day has most of its time before it."""
    day.clock.move_to(MORNING + timedelta(hours=3))
    day.restart()
    day.settle()
    assert walls(falls_due(day, 2)) == walls(falls_due(day, 1))
    assert falls_due(day, 2)["lynch"] - falls_due(day, 1)["lynch"] == DAY
    assert told(day) == []


def test_a_vote_in_the_thread_of_the_day_before_is_no_vote_of_the_day_put_off(day: World) -> None:
    """T44: players went on in the old thread while the bot was away; they hear that it came too late."""
    thread = day.forum.find("День 1")
    noon = DAY_ONE + DAY
    day.forum.says(thread, day.uid("Анна"), "Анна", "[color=blue]Борис[/color]", at=noon)
    day.forum.says(thread, day.uid("Вера"), "Вера", "Есть кто живой?", at=noon)
    day.clock.move_to(MORNING + 3 * DAY)
    day.restart()
    day.settle()
    day.settle()
    assert votes(day) == {}
    found = day.rows(sa.select(verdicts).where(verdicts.c.turn == 2, verdicts.c.seat.is_not(None)))
    assert [(row["seat"], row["outcome"], row["reason"]) for row in found] == [
        ("Анна", "rejected", "late"),
        ("Вера", "ignored", found[1]["reason"]),
    ]
    assert any("срок прошёл" in text for _, text in day.forum.pms_to("Анна"))


def test_killed_while_it_is_put_off_it_is_put_off_once(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it is one transaction with the close of the turn before."""
    topic = Publisher.day_topic

    def dies(self: Publisher, *args: Any, **more: Any) -> str:
        topic(self, *args, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(Publisher, "day_topic", dies)
    day.clock.move_to(MORNING + 3 * DAY)
    with pytest.raises(KeyboardInterrupt):
        day.tick()
    assert count(day, turns) == 1
    assert count(day, outbox, outbox.c.key.contains("put_off")) == 0
    monkeypatch.undo()
    day.restart()
    day.settle()
    assert count(day, turns) == 2
    assert len(told(day)) == 1


# A topic that cannot be opened -------------------------------------------------------------------------------------------


def closed_to_topics(error: Exception) -> type[FakeForum]:
    class Closed(FakeForum):
        """Is read as ever, but takes no new topic."""

        def open_topic(self, section: str, subject: str, text: str) -> Any:
            raise error

    return Closed


def shut(world: World, error: Exception) -> Callable[[], None]:
    """Night of day 1 with a forum that takes no topic from now on; what is given opens it again."""
    world.until(MORNING - timedelta(hours=1), step=timedelta(hours=5))
    world.forum.__class__ = closed_to_topics(error)
    return lambda: setattr(world.forum, "__class__", FakeForum)


def test_a_day_whose_topic_the_forum_does_not_take_is_put_off_until_it_does(day: World) -> None:
    """Day after day, and the topic that is opened at last tells the deadlines that hold."""
    opens = shut(day, Unreachable("502"))
    first = LYNCH + DAY
    day.until(MORNING + timedelta(hours=6), step=timedelta(hours=1))
    assert falls_due(day, 2)["lynch"] == first
    day.until(MORNING + timedelta(hours=9), step=timedelta(hours=1))
    assert falls_due(day, 2)["lynch"] == first + DAY
    day.restart()
    day.until(MORNING + timedelta(hours=36), step=timedelta(hours=3))
    assert falls_due(day, 2)["lynch"] == first + 4 * DAY, "a Friday: no day opens at the weekend"
    opens()
    day.until(day.clock.now() + timedelta(hours=2), step=timedelta(minutes=30))
    day.settle()
    thread = day.forum.find("День 2")
    assert "7 декабря, 21:00" in day.forum.texts(thread)[0]
    assert [topic.subject for topic in day.forum.topics.values()].count(day.forum.topics[thread].subject) == 1
    assert len(told(day)) == 2
    assert "день 2 не удалось открыть вовремя" in told(day)[0]
    assert count(day, inputs, inputs.c.turn == 2, inputs.c.kind.not_in(("open", "hours"))) == 0
    reminders = day.rows(sa.select(deadlines).where(deadlines.c.turn == 2, deadlines.c.call == "remind"))
    assert {row["due_at"] for row in reminders if row["done_at"] is None} >= {first + 4 * DAY - timedelta(hours=3)}


def test_a_topic_that_came_only_after_its_deadline_puts_the_day_off(day: World) -> None:
    """No answer to the first sending, silence for a day, and then the topic is not there: nothing is resolved meanwhile."""
    opens = shut(day, UnknownOutcome("no answer"))
    day.until(MORNING + timedelta(minutes=10), step=timedelta(minutes=10))
    assert count(day, outbox, outbox.c.key == "gk1/t2/day", outbox.c.state == "sending") == 1
    looks = day.forum.topics_named

    def silent(section: str, subject: str) -> Any:
        raise Unreachable("timed out")

    day.forum.topics_named = silent  # type: ignore[method-assign]
    day.until(LYNCH + DAY + timedelta(hours=1), step=timedelta(hours=1))
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 2) == 0
    day.forum.topics_named = looks  # type: ignore[method-assign]
    opens()
    day.until(day.clock.now() + timedelta(hours=2), step=timedelta(minutes=20))
    day.settle()
    assert day.value(sa.select(threads.c.topic).where(threads.c.turn == 2, threads.c.kind == "day"))
    assert falls_due(day, 2)["lynch"] == LYNCH + 2 * DAY
    assert ["открылся только после своего срока" in text for text in told(day)] == [True]


def test_what_the_host_says_of_a_day_without_a_topic_holds(day: World) -> None:
    shut(day, Unreachable("502"))
    day.until(MORNING + timedelta(hours=2), step=timedelta(hours=1))
    resolves(day)
    day.clock.sleep(61)
    day.tick()
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 2) == 1
    assert told(day) == []


def test_a_newspaper_that_waits_for_its_host_takes_no_day_from_the_players(tmp_path: Path) -> None:
    world = day_one(tmp_path, mode="host", approve_until="never")
    world.until(MORNING + timedelta(hours=9), step=timedelta(hours=3))
    assert falls_due(world, 2)["lynch"] == LYNCH + 2 * DAY
    (paper,) = world.rows(sa.select(outbox).where(outbox.c.key == "gk1/t1/newspaper"))
    does(world, "release", outbox=paper["id"])
    world.settle()
    assert "4 декабря, 21:00" in world.forum.texts(world.forum.find("День 2"))[0]


# Before the first day ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["goldenkey", "mafialife"])
def test_a_signup_that_ended_during_an_outage_leaves_the_whole_set_up(tmp_path: Path, ruleset: str) -> None:
    """Nobody had his role: neither lists and bids nor the first day are over before they began."""
    world = make_world(tmp_path, ruleset=ruleset, players=15)
    back = MONDAY + timedelta(days=4)
    world.clock.move_to(back)
    world.restart()
    world.settle()
    planned = back + timedelta(hours=12)
    if ruleset == "goldenkey":
        assert world.value(sa.select(games.c.stage)) == "setup"
        assert world.value(sa.select(deadlines.c.due_at).where(deadlines.c.name == "setup")) > planned
    else:
        assert world.value(sa.select(games.c.turn)) == 1
        assert falls_due(world, 1)["close"] > planned
    assert len(told(world)) == 1
    assert count(world, inputs, inputs.c.kind.in_(("mark", "close"))) == 0
