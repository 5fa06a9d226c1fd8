"""Deadline trouble: outages, clocks that jump, hosts who move the hour, several games. Each deadline is resolved once."""

import dataclasses
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from adapters.clock import Clock
from adapters.errors import NoThread, Unreachable
from adapters.forum import Place, ThreadRead
from engine.rulesets import ruleset
from forumbot.hosting.acts import acts
from forumbot.hosting.daemon import daemon as hosting
from forumbot.settings import Game
from forumbot.store.tables import acts as act_rows
from forumbot.store.tables import deadlines, inputs, outbox, places, threads, turns
from tests.forumbot.hosting.fakes import FakeForum
from tests.forumbot.hosting.hosts import upcoming
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, NICKS, World, count, make_world, votes
from tests.torture.fixtures import OpenSite
from tests.torture.live import LYNCH as LIVE_LYNCH
from tests.torture.live import Inside

LYNCH = DAY_ONE + timedelta(hours=9, minutes=1)
MORNING = DAY_ONE + timedelta(hours=19, minutes=1)
LYNCH_ROW = deadlines.c.name == "lynch", deadlines.c.turn == 1, deadlines.c.call == "mark"


def resolved(world: World | Inside, name: str, turn: int = 1) -> datetime | None:
    query = sa.select(deadlines.c.done_at).where(deadlines.c.name == name, deadlines.c.turn == turn)
    found: datetime | None = world.value(query.where(deadlines.c.call.in_(("mark", "close"))))
    return found


def act(world: World, kind: str, **payload: object) -> None:
    with world.store.write() as connection:
        acts.ask(connection, world.game, "Ведущий", kind, payload, world.clock.now())


def told(world: World, words: str) -> int:
    return sum(words in text for _, text in world.mail.letters_to("owner@example.org"))


# Down over the deadline ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("down", "late"), [(timedelta(seconds=40), 0), (timedelta(hours=3, minutes=30), 1), (timedelta(days=2), 1)], ids=str
)
def test_an_outage_over_the_deadline_counts_what_came_in_time(day: World, down: timedelta, late: int) -> None:
    """T55: one resolution on what came till 21:00; the host is told how late it was (``late`` times)."""
    thread = day.forum.find("День 1")
    day.forum.says(thread, day.uid("Анна"), "Анна", "[color=blue]Борис[/color]", at=LYNCH - timedelta(seconds=1))
    day.forum.says(thread, day.uid("Вера"), "Вера", "[color=blue]Глеб[/color]", at=LYNCH + timedelta(seconds=1))
    day.clock.move_to(LYNCH + down)
    day.restart()
    day.settle()
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 1) == 1
    lynched = day.value(sa.select(inputs.c.payload).where(inputs.c.kind == "order", inputs.c.turn == 1))
    assert lynched["player"] == "Анна"
    assert told(day, "срок «голосование» хода 1 подведён с опозданием на") == late


def test_deadlines_passed_while_down_are_resolved_in_their_order(day: World) -> None:
    """Each on what came before it: the night's move does not reach the lynch, nothing of the morning reaches the night."""
    holder = next(seat for seat, role in _roles(day).items() if role == "buratino")
    victims = [nick for nick in NICKS[:15] if nick != holder]
    day.says("Анна", "[color=blue]Павел[/color]")
    night = LYNCH + timedelta(hours=1)
    day.forum.writes_pm(day.uid(holder), holder, "ход", f"Буратино: {victims[0]}", at=night)
    day.forum.writes_pm(day.uid(holder), holder, "ход", f"Буратино: {victims[1]}", at=MORNING + timedelta(minutes=30))
    day.clock.move_to(MORNING + timedelta(hours=2))
    day.restart()
    day.settle()
    done = day.rows(sa.select(inputs).where(inputs.c.turn == 1).order_by(inputs.c.seq))
    kinds = [(row["kind"], row["payload"].get("name") or row["payload"].get("action", "")) for row in done]
    kinds = [kind for kind in kinds if kind[1] != "vote"]
    assert kinds == [("open", ""), ("mark", "lynch"), ("order", "kill"), ("close", "night")]
    assert next(row["payload"]["targets"] for row in done if row["payload"].get("action") == "kill") == [victims[0]]
    assert count(day, turns, turns.c.turn == 1, turns.c.closed_at.is_not(None)) == 1


def _roles(world: World) -> dict[str, str]:
    from tests.forumbot.hosting.world import roles

    return roles(world)


# Clocks that jump ---------------------------------------------------------------------------------------------------------


class Shifted:
    """A clock that differs from another one by ``by``."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.by = timedelta()

    def now(self) -> datetime:
        return self._clock.now() + self.by

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    def wall_seconds(self, seconds: float) -> float:
        return self._clock.wall_seconds(seconds)


def test_our_clock_ahead_of_the_forums_waits_for_the_forums_hour(open_site: OpenSite) -> None:
    """A clock that jumps forward must not end the day: the forum's time says what came before the deadline."""
    site = open_site("ucoz")
    theirs = Shifted(site.clock)
    site.outside.board.clock = theirs
    site.settle()
    ahead = timedelta(hours=3)
    site.clock.move_to(LIVE_LYNCH - ahead + timedelta(minutes=5))
    theirs.by = -ahead
    site.clock.move_to(LIVE_LYNCH + timedelta(minutes=5))
    for _ in range(3):
        site.clock.sleep(61)
        site.tick()
    assert resolved(site, "lynch") is None
    assert sum("спешат на 3 ч" in text for text in site.told()) == 1
    site.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    site.clock.move_to(LIVE_LYNCH + ahead + timedelta(seconds=30))
    site.settle()
    assert resolved(site, "lynch") is not None
    assert site.votes() == {"Борис": 1}


@pytest.mark.parametrize(
    ("off", "skew"),
    [(timedelta(), timedelta()), (timedelta(hours=3), timedelta(hours=3)), (-timedelta(hours=3), -timedelta(hours=3))],
    ids=["right", "ahead", "behind"],
)
def test_h21_a_reading_that_takes_long_is_no_clock_that_goes_wrong(day: World, off: timedelta, skew: timedelta) -> None:
    """On the demo's clock a page takes a quarter of an hour: nobody is told of clocks for that."""
    read = FakeForum.read_thread

    def slow(forum: FakeForum, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        before = day.clock.now()
        day.clock.sleep(900)
        found = read(forum, topic, since, whole=whole)
        day.clock.sleep(900)
        return dataclasses.replace(found, fetched=before + timedelta(seconds=900) - off)

    day.forum.read_thread = partial(slow, day.forum)  # type: ignore[method-assign]
    day.clock.sleep(3600)
    day.tick()
    assert abs(day.daemon._intake.skew - skew) <= timedelta(seconds=900)
    assert bool(told(day, "Часы сервера")) == bool(off)


def test_a_clock_that_is_put_back_goes_on_reading(open_site: OpenSite) -> None:
    """Readings of the wrong future say nothing about deadlines, and nobody waits until the future has come."""
    site = open_site("ucoz")
    now = site.clock.now()
    site.clock.move_to(now + timedelta(hours=5))
    site.settle()
    site.clock.move_to(now)
    site.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    site.settle()
    assert site.votes() == {"Борис": 1}
    with site.store.write() as connection:
        future = LIVE_LYNCH + timedelta(days=1)
        connection.execute(threads.update().values(complete_at=future))
        connection.execute(places.update().values(complete_at=future))
    site.outside.says("Вера", "[color=blue]Линч: Борис[/color]", at=LIVE_LYNCH - timedelta(seconds=2))
    site.clock.move_to(LIVE_LYNCH + timedelta(seconds=25))
    site.settle()
    assert resolved(site, "lynch") is not None
    assert site.votes() == {"Борис": 2}


class Lagging(FakeForum):
    """Shows a post only some seconds after it was made."""

    lag = timedelta(seconds=8)

    def read_thread(self, topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        read = super().read_thread(topic, since, whole=whole)
        seen = tuple(post for post in read.posts if post.posted and post.posted <= self.now() - self.lag)
        return ThreadRead(seen, read.complete, read.place, read.title, read.pages)


def test_what_the_forum_shows_a_little_later_is_waited_for(day: World) -> None:
    """A reading counts for a deadline only when it began a grace after it."""
    day.forum.__class__ = Lagging
    thread = day.forum.find("День 1")
    day.forum.says(thread, day.uid("Анна"), "Анна", "[color=blue]Борис[/color]", at=LYNCH - timedelta(seconds=1))
    for seconds in (1, 3, 12, 21, 40):
        day.clock.move_to(LYNCH + timedelta(seconds=seconds))
        day.tick()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}


@pytest.mark.parametrize(("zone", "hours"), [("Europe/Berlin", 25), ("Europe/Moscow", 24)])
def test_a_clock_change_does_not_move_the_deadline_on_the_wall(zone: str, hours: int) -> None:
    """T54: the day from 24 to 25 October 2026 has 25 hours in Berlin; 21:00 stays 21:00."""
    rules = ruleset("goldenkey")
    from forumbot import resources

    tables = rules.tables(resources.toml("rulesets/goldenkey.toml", None), {"timezone": zone, "polar_night": False})
    calendar = rules.calendar(tables)
    local = ZoneInfo(zone)
    dues = []
    for day_number in (24, 25):
        opens = datetime(2026, 10, day_number, 8, 0, tzinfo=local)
        dues.append(next(due.at for due in calendar.turn(1, opens) if due.name == "lynch"))
    assert [(due.astimezone(local).hour, due.astimezone(local).day) for due in dues] == [(21, 24), (21, 25)]
    assert dues[1].astimezone(UTC) - dues[0].astimezone(UTC) == timedelta(hours=hours)


# Held deadlines -----------------------------------------------------------------------------------------------------------


def test_after_hours_of_holding_the_host_must_decide(day: World) -> None:
    """The bot gives up by itself, says so once, and resolves on what it has read when the host says so."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    thread = day.forum.find("День 1")
    kept = day.forum.topics.pop(thread)
    day.until(LYNCH + timedelta(hours=7), step=timedelta(minutes=20))
    assert resolved(day, "lynch") is None
    assert told(day, "бот больше не пробует и ждёт вас") == 1
    requests = day.forum.requests
    day.forum.topics[thread] = kept
    day.until(day.clock.now() + timedelta(hours=1), step=timedelta(minutes=20))
    assert resolved(day, "lynch") is None
    assert day.forum.requests - requests < 20
    act(day, "resolve", deadline=upcoming(day)["id"])
    day.tick()
    assert day.value(sa.select(act_rows.c.error)) is None
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 1) == 1


def test_the_host_may_resolve_while_the_bot_still_waits(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    day.mail.failing = [Unreachable("timed out")] * 500
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(minutes=5))
    assert resolved(day, "lynch") is None
    act(day, "resolve", deadline=upcoming(day)["id"])
    day.tick()
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}


def test_a_host_who_moves_the_deadline_while_it_is_being_resolved(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The act is a row: it comes before the resolution or after it, never between; late, it is refused with a reason."""
    read = day.forum.read_thread
    due = day.value(sa.select(deadlines.c.id).where(*LYNCH_ROW))

    def moving(topic: str, since: Place, *, whole: bool = False) -> ThreadRead:
        if whole and not count(day, act_rows):
            act(day, "move", deadline=due, at=(LYNCH + timedelta(hours=1)).isoformat())
        return read(topic, since, whole=whole)

    monkeypatch.setattr(day.forum, "read_thread", moving)
    day.clock.move_to(LYNCH + timedelta(seconds=30))
    day.tick()
    day.tick()
    assert count(day, inputs, inputs.c.kind == "mark", inputs.c.turn == 1) == 1
    assert "уже подведено в 21:01" in str(day.value(sa.select(act_rows.c.error)))


def test_a_deadline_moved_while_it_is_held_is_not_resolved_before_its_new_hour(day: World) -> None:
    due = day.value(sa.select(deadlines.c.id).where(*LYNCH_ROW))
    day.clock.move_to(LYNCH + timedelta(seconds=30))
    day.forum.failing = [NoThread("maintenance")] * 20
    day.tick()
    later = LYNCH + timedelta(hours=1)
    act(day, "move", deadline=due, at=later.isoformat())
    day.forum.failing = []
    thread = day.forum.find("День 1")
    day.forum.says(thread, day.uid("Анна"), "Анна", "[color=blue]Борис[/color]", at=LYNCH - timedelta(minutes=1))
    day.until(later - timedelta(minutes=2), step=timedelta(minutes=10))
    assert resolved(day, "lynch") is None
    day.until(later + timedelta(minutes=2), step=timedelta(minutes=1))
    assert resolved(day, "lynch") is not None
    assert votes(day) == {"Борис": 1}


# Several at once ----------------------------------------------------------------------------------------------------------


def test_games_with_one_deadline_share_their_readings(tmp_path: Path) -> None:
    """Two games, one forum account: each is resolved once, private messages and mail are read once for both."""
    world = make_world(tmp_path)
    second = {"id": "gk2", "title": "Партия 2", "ruleset": "goldenkey", "section": "12", "seed": 6,
              "signup": {"closes": MONDAY + timedelta(hours=8)}}  # fmt: skip
    world.daemon.adopt((Game.model_validate(second),))
    world.settle()
    for nick in NICKS[:15]:
        world.forum.says(world.forum.find("Партия 2. Запись"), world.uid(nick), nick, "играю")
    world.until(MONDAY + timedelta(hours=9), step=timedelta(minutes=30))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=1))
    inboxes = []
    inbox = world.forum.inbox
    world.forum.inbox = lambda *, after_id=0: (inboxes.append(after_id), inbox(after_id=after_id))[1]  # type: ignore[method-assign]
    world.clock.move_to(LYNCH + timedelta(seconds=30))
    world.tick()
    assert len(inboxes) <= 2
    marks = world.rows(sa.select(inputs.c.game_id).where(inputs.c.kind == "mark", inputs.c.turn == 1))
    assert sorted(row["game_id"] for row in marks) == ["gk1", "gk2"]


def test_a_second_daemon_is_refused_by_the_command_itself(open_site: OpenSite) -> None:
    site = open_site("ucoz")
    with hosting.Lock(site.site.database):
        config = str(site.outside.folder / "forumbot.toml")
        command = [sys.executable, "-m", "forumbot.cli.main", "run", "--once", "--config", config]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "уже работает другой forumbot" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_that_ends_while_another_waits_leaves_no_row_behind(day: World) -> None:
    """A pause over the deadline: nothing is resolved, nothing is lost."""
    act(day, "pause")
    day.until(LYNCH + timedelta(hours=2), step=timedelta(hours=1))
    assert resolved(day, "lynch") is None
    act(day, "resume")
    day.tick()
    moved = day.value(sa.select(deadlines.c.due_at).where(*LYNCH_ROW))
    assert moved > day.clock.now()
    assert count(day, outbox, outbox.c.key.contains("newspaper")) == 0


