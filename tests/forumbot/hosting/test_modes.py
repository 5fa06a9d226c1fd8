"""Modes: ``auto`` runs alone, ``host`` waits up to a set hour, ``shadow`` plays along in silence; counts, letters to the host."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.model import Counted
from forumbot.hosting.core import counting, record, seating
from forumbot.hosting.core.wire import events_from
from forumbot.settings import Game
from forumbot.store.tables import games, outbox, turns
from tests.forumbot.hosting.fakes import Topic
from tests.forumbot.hosting.hosts import day_one, does, undoes
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, NICKS, World, count, make_world

OWNER = "owner@example.org"


def newspaper(world: World) -> dict[str, object]:
    (row,) = world.rows(sa.select(outbox).where(outbox.c.key == "gk1/t1/newspaper"))
    return row


# auto -------------------------------------------------------------------------------------------------------------------


def test_auto_publishes_although_something_is_doubtful(day: World) -> None:
    """A host asleep never stops the game: what he has not decided does not count."""
    day.says("Анна", "[color=blue]Вера, Павел[/color]")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=1))
    day.settle()
    assert newspaper(day)["state"] == "sent"
    assert day.forum.find("День 2")


# host -------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def asleep(tmp_path: Path) -> World:
    """The morning after day 1 in mode ``host``, approval until 07:50."""
    world = day_one(tmp_path, mode="host", approve_until="07:50")
    world.until(MORNING + timedelta(minutes=10), step=timedelta(hours=1))
    return world


def test_the_newspaper_waits_for_the_host_and_the_day_waits_for_the_newspaper(asleep: World) -> None:
    assert newspaper(asleep)["state"] == "held"
    assert asleep.value(sa.select(games.c.turn)) == 2
    assert not [topic for topic in asleep.forum.topics.values() if "День 2" in topic.subject]
    does(asleep, "release", outbox=newspaper(asleep)["id"])
    asleep.settle()
    assert newspaper(asleep)["state"] == "sent"
    assert asleep.forum.find("День 2")


def test_a_released_newspaper_may_be_held_again_until_it_is_posted(asleep: World) -> None:
    from adapters.errors import Unreachable

    asleep.forum.failing = [Unreachable("502")] * 20
    act = does(asleep, "release", outbox=newspaper(asleep)["id"])
    undoes(asleep, act)
    assert newspaper(asleep)["state"] == "held"


def test_at_its_hour_it_goes_out_by_itself(asleep: World) -> None:
    asleep.until(MORNING + timedelta(minutes=48), step=timedelta(minutes=19))
    assert newspaper(asleep)["state"] == "held"
    asleep.until(MORNING + timedelta(minutes=50))
    asleep.settle()
    assert newspaper(asleep)["state"] == "sent"


def test_nobody_hears_of_a_death_before_the_newspaper_that_waits_for_the_host(tmp_path: Path) -> None:
    """Neither the dead player nor one who writes of him: their answers come when the newspaper is out, in one message."""
    world = day_one(tmp_path, mode="host", approve_until="never", tables={"player_lives": 1})
    for nick in NICKS[:6]:
        world.says(nick, "[color=blue]Олег[/color]")
    world.until(MORNING + timedelta(minutes=10), step=timedelta(hours=1))
    before = len(world.forum.sent), len(world.mail.out)
    for nick, words in (("Олег", "Мои ходы?"), ("Олег", "Олег: снимаю голос"), ("Анна", "лечу Олега")):
        world.pm(nick, words)
        world.until(world.clock.now() + timedelta(minutes=5), step=timedelta(minutes=1))
    assert len(world.forum.sent) == before[0]
    assert count(world, outbox, outbox.c.key.contains("/receipt/"), outbox.c.state == "waiting") >= 2
    paper = newspaper(world)
    assert paper["state"] == "held"
    assert "Олег" in str(paper["body"])
    does(world, "write", player="Олег", text="Газета будет позже.")
    world.settle()
    assert [text for _, text in world.forum.pms_to("Олег")][-1].count("Газета будет позже")
    told = len(world.forum.pms_to("Олег"))
    does(world, "release", outbox=paper["id"])
    world.settle()
    answers = [text for subject, text in world.forum.pms_to("Олег")[told:] if "Мои ходы" in text or "снимаю" in text]
    assert len(answers) == 1, "bundled"
    assert any("лечу Олега" in text for _, text in world.forum.pms_to("Анна"))


def test_without_an_hour_it_waits_until_the_next_day_opens(tmp_path: Path) -> None:
    world = day_one(tmp_path, mode="host")
    world.until(MORNING + timedelta(minutes=55), step=timedelta(hours=1))
    assert newspaper(world)["state"] == "held"
    world.until(MORNING + timedelta(minutes=60), step=timedelta(minutes=5))
    world.settle()
    assert newspaper(world)["state"] == "sent"


# shadow -----------------------------------------------------------------------------------------------------------------


def finished_thread(world: World, topic: str, when: datetime, posts: list[tuple[str, str, datetime]]) -> None:
    world.forum.topics[topic] = Topic("12", topic)
    for nick, text, at in posts:
        world.forum.says(topic, world.uid(nick), nick, text, at=at)


def test_shadow_plays_through_finished_threads_and_sends_nothing(tmp_path: Path) -> None:
    """Two days of a game that another hand has hosted weeks ago."""
    start = MONDAY - timedelta(days=20)
    first = start.replace(hour=9) + timedelta(days=1)
    world = make_world(
        tmp_path,
        players=0,
        mode="shadow",
        signup={"closes": start.isoformat(), "topic": "12-90"},
        first_day=first.date().isoformat(),
        day_topics={1: "12-91", 2: "12-92"},
    )
    sign_up = [(nick, "играю", start - timedelta(hours=1)) for nick in NICKS[:15]]
    finished_thread(world, "12-90", start, sign_up)
    finished_thread(world, "12-91", first, [("Анна", "[color=blue]Борис[/color]", first)])
    second = first + timedelta(days=1)
    finished_thread(world, "12-92", second, [("Анна", "[color=blue]Вера[/color]", second)])
    before = {topic: len(made.posts) for topic, made in world.forum.topics.items()}
    world.settle()
    for _ in range(8):
        world.clock.sleep(61)
        world.tick()
    reports = world.rows(sa.select(turns.c.turn, turns.c.report).where(turns.c.turn < 3).order_by(turns.c.turn))
    assert "Борис - минус 1 жизнь" in reports[0]["report"]
    assert "Вера - минус 1 жизнь" in reports[1]["report"]
    assert (world.forum.sent, world.mail.out) == ([], [])
    assert {topic: len(made.posts) for topic, made in world.forum.topics.items()} == before
    assert count(world, outbox, outbox.c.state != "shadow") == 0
    assert "Борис - минус 1 жизнь" in str(newspaper(world)["body"])


# Counts and letters to the host -----------------------------------------------------------------------------------------


def test_the_running_count_is_posted_once_and_is_the_same_everywhere(tmp_path: Path) -> None:
    """T30: the day's thread, the desk's count, the counted vote and the newspaper agree."""
    world = day_one(tmp_path, count_every_votes=3, count_every_hours=2)
    for nick, target in zip(NICKS[:4], ("Павел", "Павел", "Олег", "Павел"), strict=True):
        world.says(nick, f"[color=blue]{target}[/color]")
    world.settle()
    world.restart()
    world.settle()
    thread = world.forum.find("День 1")
    counts = [text for text in world.forum.texts(thread) if "Голоса на этот час" in text]
    (third,) = [text for text in counts if "Павел: " in text]
    assert "Павел: 3 (Анна, Борис, Глеб)" in third
    assert "Олег: 1 (Вера)" in third
    assert "Ещё не голосовали: Дина, " in third
    with world.store.read() as connection:
        match = record.fold(connection, record.load(connection, world.game))
        shown = counting.count(match, seating.load(connection, world.game).names())
    assert shown == (("Павел", 3, ("Анна", "Борис", "Глеб")), ("Олег", 1, ("Вера",)))
    world.until(MORNING + timedelta(minutes=30), step=timedelta(hours=1))
    world.settle()
    events = events_from(world.value(sa.select(turns.c.events).where(turns.c.turn == 1)))
    (counted,) = [event for event in events if isinstance(event, Counted)]
    assert dict(counted.votes) == {nick: weight for nick, weight, _ in shown}
    assert "Павел - минус 1 жизнь" in str(newspaper(world)["body"])
    after = [text for text in world.forum.texts(thread) if "Голоса на этот час" in text]
    assert len(after) == len(counts)


def test_the_count_by_hours_speaks_only_when_something_has_changed(tmp_path: Path) -> None:
    world = day_one(tmp_path, count_every_hours=2)
    said = count(world, outbox, outbox.c.key.contains("/count/"))
    world.until(DAY_ONE + timedelta(hours=5), step=timedelta(hours=1))
    assert count(world, outbox, outbox.c.key.contains("/count/")) == said
    world.says("Анна", "[color=blue]Борис[/color]")
    world.until(DAY_ONE + timedelta(hours=8), step=timedelta(hours=1))
    assert count(world, outbox, outbox.c.key.contains("/count/")) == said + 1


def test_the_host_hears_of_doubtful_messages_once_before_the_deadline(day: World) -> None:
    day.says("Анна", "[color=blue]Вера, Павел[/color]")
    day.says("Борис", "[color=blue]Вера, Павел[/color]")
    day.until(LYNCH - timedelta(minutes=40), step=timedelta(minutes=20))
    day.settle()
    letters = [text for subject, text in day.mail.letters_to(OWNER) if "решите до срока" in subject]
    assert len(letters) == 1
    assert "2 сообщения" in letters[0]
    assert "Анна: «Вера, Павел»" in letters[0]


def test_the_host_hears_nothing_when_nothing_is_doubtful(day: World) -> None:
    day.says("Анна", "[color=blue]Вера[/color]")
    day.until(LYNCH - timedelta(minutes=20), step=timedelta(minutes=20))
    assert not [subject for subject, _ in day.mail.letters_to(OWNER) if "решите" in subject]


def test_one_digest_a_day(tmp_path: Path) -> None:
    world = day_one(tmp_path, digest_at="20:00")
    before = len([subject for subject, _ in world.mail.letters_to(OWNER) if "за день" in subject])
    world.says("Анна", "[color=blue]Вера, Павел[/color]")
    world.until(DAY_ONE + timedelta(hours=20), step=timedelta(minutes=45))
    letters = [text for subject, text in world.mail.letters_to(OWNER) if "за день" in subject][before:]
    assert len(letters) == 1
    assert "Ждут решения: 1" in letters[0]
    assert "В игре: 15 из 15" in letters[0]


# The prologue -----------------------------------------------------------------------------------------------------------


def test_a_scene_stands_above_the_posted_newspaper_and_not_in_the_report(tmp_path: Path) -> None:
    world = day_one(tmp_path, theme="port", mode="host", approve_until="never")
    world.until(MORNING + timedelta(minutes=10), step=timedelta(hours=1))
    first = str(newspaper(world)["body"])
    report = world.value(sa.select(turns.c.report).where(turns.c.turn == 1))
    assert first.startswith("[i]")
    assert all(line in first for line in report.splitlines())
    assert "[i]" not in report
    act = does(world, "prologue", another=True)
    second = str(newspaper(world)["body"])
    assert second.startswith("[i]")
    assert second != first
    undoes(world, act)
    assert newspaper(world)["body"] == first
    does(world, "prologue", text="Своими словами.")
    bare = first.partition("[/i]\n\n")[2]
    assert str(newspaper(world)["body"]) == f"Своими словами.\n\n{bare}"
    does(world, "prologue", text="none")
    assert newspaper(world)["body"] == bare
    assert newspaper(world)["state"] == "held"


def test_a_prologue_can_be_written_before_the_turn_ends(tmp_path: Path) -> None:
    world = day_one(tmp_path, theme="usadba")
    does(world, "prologue", text="Так было решено с вечера.")
    world.until(MORNING + timedelta(minutes=10), step=timedelta(hours=1))
    assert str(newspaper(world)["body"]).startswith("Так было решено с вечера.")


def test_an_unknown_theme_is_told_to_the_host(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=0)
    wrong = Game.model_validate(
        {
            "id": "gk2",
            "title": "Партия 2",
            "ruleset": "goldenkey",
            "section": "12",
            "theme": "prot",
            "signup": {"closes": datetime(2026, 12, 9, tzinfo=UTC)},
        }
    )
    world.daemon.adopt((wrong,))
    world.settle()
    assert any("нет темы «prot»; есть: port, stanciya, usadba" in text for _, text in world.mail.letters_to(OWNER))
    assert count(world, games) == 1
