"""A deadline lives in one place: what the host moves is obeyed by the rules and told to everybody (H03)."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from adapters.errors import FormRefused
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import deadlines, games, inputs, outbox, turns, verdicts
from tests.forumbot.hosting.hosts import does, refused, resolves, sent_to, undoes, upcoming
from tests.forumbot.hosting.test_acts import lynch_due
from tests.forumbot.hosting.test_deadlines import LYNCH
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.world import DAY_ONE, World, count, make_world, votes

MOSCOW = ZoneInfo("Europe/Moscow")
HOUR = timedelta(hours=1)


def day_thread(world: World) -> str:
    """The address of the running day's topic."""
    turn = world.value(sa.select(games.c.turn))
    return str(world.value(sa.select(outbox.c.result).where(outbox.c.key == f"gk1/t{turn}/day"))["topic"])


def vote(world: World, nick: str, target: str, at: datetime) -> str | None:
    """A vote by the way in which the ruleset takes it, sent at this moment; gives the reason of a refusal."""
    world.clock.move_to(at)
    ruleset = world.value(sa.select(games.c.ruleset))
    if ruleset in ("league", "goldenkey"):
        colour = "blue" if ruleset == "goldenkey" else "red"
        world.forum.says(day_thread(world), world.uid(nick), nick, f"[color={colour}]{target}[/color]")
    elif ruleset == "clans":
        world.pm(nick, f"голосую за {target}", "голос")
    else:
        world.forum.says(day_thread(world), world.uid(nick), nick, f"[color=red]Голосую за {target}[/color]")
    world.settle()
    row = world.rows(sa.select(verdicts).where(verdicts.c.seat == nick).order_by(verdicts.c.id.desc()))[0]
    return None if row["outcome"] == "accepted" else f"{row['outcome']} {row['reason']}"


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("how", ["extend", "move", "pause"])
def test_h03_votes_count_until_the_stored_deadline_whatever_moved_it(tmp_path: Path, ruleset: str, how: str) -> None:
    """Past the old hour and before the new one is in time; past the new one is late."""
    world = running(tmp_path, ruleset)
    while upcoming(world)["name"] not in ("lynch", "deadline", "close"):
        resolves(world)
        world.settle()
    due = upcoming(world)
    old = due["due_at"]
    world.until(old - HOUR, step=3 * HOUR)
    if how == "extend":
        does(world, "extend", hours=3)
    elif how == "pause":
        does(world, "pause")
        world.clock.sleep(3 * 3600)
        does(world, "resume")
    else:
        close = world.rows(sa.select(deadlines).where(deadlines.c.turn == due["turn"], deadlines.c.call == "close"))[0]
        if close["id"] != due["id"] and close["due_at"] < old + 3 * HOUR:
            does(world, "move", deadline=close["id"], at=(close["due_at"] + 3 * HOUR).isoformat())
        does(world, "move", deadline=due["id"], at=(old + 3 * HOUR).isoformat())
    new = upcoming(world)["due_at"]
    assert abs(new - old - 3 * HOUR) < timedelta(minutes=5)
    # On day 1 mafialife knows no vote, but it answers for that reason and not for the hour.
    wanted = "rejected no_voting_today" if ruleset == "mafialife" else None
    assert vote(world, "Анна", "Борис", old + 2 * HOUR) == wanted
    world.clock.move_to(new + timedelta(minutes=2))
    world.settle()
    assert world.value(sa.select(deadlines.c.done_at).where(deadlines.c.id == due["id"])) is not None
    world.until(new + timedelta(hours=40), step=4 * HOUR)
    replayed = replay_game(world.store, world.game, "Europe/Moscow")
    assert replayed
    assert all(turn.same for turn in replayed)


@pytest.mark.parametrize("ruleset", ["goldenkey", "clans"])
def test_h03_a_deadline_that_was_called_early_is_one_for_the_rules_too(tmp_path: Path, ruleset: str) -> None:
    """What comes after it is late, although the hour of the tables is far."""
    world = running(tmp_path, ruleset)
    world.until(upcoming(world)["due_at"] - 5 * HOUR, step=3 * HOUR)
    resolves(world)
    world.settle()
    assert "late" in str(vote(world, "Анна", "Борис", world.clock.now() + timedelta(minutes=10)))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_h03_thread_first_post_and_players_are_told(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    world.settle()
    new = (upcoming(world)["due_at"] + 2 * HOUR - timedelta(minutes=ruleset == "goldenkey")).astimezone(MOSCOW)
    does(world, "extend", hours=2)
    world.settle()
    texts = world.forum.texts(day_thread(world))
    assert "Сроки изменены" in texts[-1]
    assert f"{new:%H:%M}" in texts[-1]
    assert f"{new:%H:%M}" in texts[0]
    told = [nick for nick in ("Анна", "Борис", "Вера") if any(f"{new:%H:%M}" in text for text in sent_to(world, nick, "срок"))]
    assert told == ["Анна", "Борис", "Вера"]


def test_h03_where_the_forum_forbids_editing_the_post_alone_tells(day: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbids(*_: object) -> None:
        raise FormRefused("Редактировать можно только час")

    monkeypatch.setattr(day.forum, "edit", forbids)
    does(day, "extend", hours=2)
    day.settle()
    thread = day.forum.find("День 1")
    assert "Сроки изменены" in day.forum.texts(thread)[-1]
    (row,) = day.rows(sa.select(outbox).where(outbox.c.kind == "edit"))
    assert row["state"] == "sent"
    assert row["result"]["left"] == "Редактировать можно только час"
    assert count(day, outbox, outbox.c.state == "failed") == 0


def test_pause_and_resumption_are_told_and_taken_back_in_words(day: World) -> None:
    thread = day.forum.find("День 1")
    act = does(day, "pause")
    day.settle()
    assert "Игра на паузе" in day.forum.texts(thread)[-1]
    undoes(day, act)
    day.settle()
    assert "Игра продолжается" in day.forum.texts(thread)[-1]


def test_a_moved_end_of_the_sign_up_is_told_in_its_thread(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=3)
    does(world, "extend", hours=5)
    world.settle()
    texts = world.forum.texts(world.forum.find("Запись"))
    new = upcoming(world)["due_at"].astimezone(MOSCOW)
    assert "Сроки изменены" in texts[-1]
    assert f"{new:%H:%M}" in texts[0]
    assert sent_to(world, "Анна", "сроки игры изменены")


def test_a_typing_error_ends_nothing(day: World) -> None:
    """A moment that is over, no shift at all, a wrong order of a turn's deadlines: refused, and nothing has moved."""
    due = upcoming(day)
    assert "это уже прошло" in refused(day, "extend", hours=-12)
    assert "это уже прошло" in refused(day, "move", deadline=due["id"], at="2026-12-01T22:00:00")
    assert "0 часов" in refused(day, "extend", hours=0)
    assert "позже, чем «ночь»" in refused(day, "move", deadline=due["id"], at="2026-12-03T09:00:00")
    assert lynch_due(day) == LYNCH
    assert count(day, outbox, outbox.c.body.contains("Сроки изменены")) == 0


def test_a_moved_deadline_takes_its_reminders_along(day: World) -> None:
    due = upcoming(day)
    does(day, "move", deadline=due["id"], at="2026-12-02T20:01:00")
    moved = {row["name"]: row["due_at"] for row in day.rows(sa.select(deadlines).where(deadlines.c.name.like("%lynch")))}
    assert moved["lynch"] == LYNCH - HOUR
    assert moved["remind/lynch"] == LYNCH - 4 * HOUR
    assert moved["review/lynch"] == LYNCH - 2 * HOUR


@pytest.mark.parametrize(("ruleset", "late"), [("clans", 4), ("mafialife", 3), ("goldenkey", 3), ("league", 3)])
def test_after_an_extension_the_next_day_opens_soon_and_keeps_its_hours(tmp_path: Path, ruleset: str, late: int) -> None:
    """An end that was put off by a few hours costs the game no whole day, and the next one ends at its usual hour (the league
    knows no hour of the wall)."""
    world = running(tmp_path, ruleset)
    turn = world.value(sa.select(games.c.turn))
    closes = sa.select(deadlines.c.due_at).where(deadlines.c.turn == turn, deadlines.c.call == "close")
    planned = world.value(closes)
    does(world, "extend", hours=late)
    world.until(planned + late * HOUR + timedelta(minutes=5), step=2 * HOUR)
    opened = world.value(sa.select(turns.c.opened_at).where(turns.c.turn == turn + 1))
    assert opened is not None
    assert opened - planned <= (late + 1) * HOUR
    following = world.rows(sa.select(deadlines).where(deadlines.c.turn == turn + 1, deadlines.c.call == "close"))[0]["due_at"]
    assert following - planned == (timedelta(days=2, hours=late) if ruleset == "league" else timedelta(days=1))


def test_a_game_of_an_earlier_version_obeys_from_the_first_moved_deadline_on(day: World) -> None:
    """Its log told the rules no moments; nothing that it has judged is judged anew."""
    with day.store.write() as connection:
        connection.execute(inputs.update().where(inputs.c.kind == "open").values(payload={}))
    day.restart()
    assert vote(day, "Анна", "Борис", DAY_ONE + HOUR) is None
    does(day, "extend", hours=2)
    assert vote(day, "Вера", "Борис", LYNCH + HOUR) is None
    assert votes(day) == {"Борис": 2}


def test_the_last_minute_that_counts_is_said_in_one_way_everywhere(tmp_path: Path) -> None:
    """Goldenkey's minute 21:00 is the day's: topic, reminder, answer and moved deadline name it, never the minute behind it."""
    world = running(tmp_path, "goldenkey", remind_hours="3")
    world.pm("Анна", "какой срок?")
    world.settle()
    lynch = upcoming(world)["due_at"]
    world.until(lynch - timedelta(hours=2, minutes=30), step=timedelta(hours=1))
    world.settle()
    does(world, "extend", hours=1)
    world.pm("Вера", "какой срок?")
    world.settle()
    texts = [row["body"] for row in world.rows(sa.select(outbox)) if row["created_at"] > lynch - timedelta(hours=13)]
    assert not [text for text in texts if ":01" in text]
    told = (
        ("Анна", "Голосование по среду"),
        ("Борис", "срок близко: по среду"),
        ("Анна", "голосование: по среду"),
        ("Вера", "Голосование по среду"),
    )
    for nick, words in told:
        (said,) = sent_to(world, nick, words)
        assert "включительно" in said, said
