"""A deadline that was resolved too early is taken back until the next one is resolved: the turn runs on, its newspaper no longer
holds, and everybody is told."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.previewing import preview
from forumbot.hosting.replaying import replay_game
from forumbot.store.tables import deadlines, games, inputs, outbox, threads, turns
from tests.forumbot.hosting.hosts import asks, does, refused, resolves, sent_to, undoes, upcoming
from tests.forumbot.hosting.test_deadlines import LYNCH
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.test_undoing import VOICE, closes, game_state
from tests.forumbot.hosting.world import World, count

COLOUR = {"goldenkey": "blue"}


def vote(world: World, voter: str, target: str, turn: int) -> None:
    ruleset = world.value(sa.select(games.c.ruleset))
    result = world.value(sa.select(outbox.c.result).where(outbox.c.key == f"gk1/t{turn}/day"))
    colour = COLOUR.get(ruleset, "red")
    world.forum.says(result["topic"], world.uid(voter), voter, f"[color={colour}]Голос: {target}[/color]")


def the_turn(world: World) -> int:
    return int(world.value(sa.select(games.c.turn)))


def ends_too_early(world: World) -> int:
    """The host resolves what is left of the running turn; gives the last of these acts."""
    turn = the_turn(world)
    while the_turn(world) == turn:
        act = resolves(world)
        world.settle()
    return act


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_end_of_a_turn_is_taken_back_and_comes_again(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    turn = the_turn(world)
    vote(world, "Анна", "Борис", turn)
    world.settle()
    while upcoming(world)["call"] != "close":
        resolves(world)
        world.settle()
    due, before = upcoming(world), game_state(world)
    act = resolves(world)
    seen = sa.select(outbox.c.state).where(outbox.c.key == f"gk1/t{turn}/newspaper")
    while world.value(seen) != "sent":
        world.until(world.clock.now() + timedelta(hours=1), step=timedelta(hours=1))
    assert the_turn(world) == turn + 1
    world.pm("Вера", "Проверяю Глеба")
    world.settle()
    undone = does(world, "undo", act=act)
    again = upcoming(world)
    for more in ("n", "told"):
        assert count(world, outbox, outbox.c.key.startswith(f"gk1/act{undone}/{more}/")) == 0, "told a second time"
    assert (again["turn"], again["name"], again["due_at"]) == (turn, due["name"], due["due_at"])
    if due["due_at"] > world.clock.now():
        assert game_state(world) == before
        assert the_turn(world) == turn
    closes(world)
    assert the_turn(world) == turn + 1
    assert world.value(seen) == "sent"
    assert world.value(sa.select(outbox.c.state).where(outbox.c.key == f"gk1/t{turn + 1}/day")) == "sent"
    assert count(world, inputs, inputs.c.kind == "close", inputs.c.turn == turn, inputs.c.struck.is_(None)) == 1
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))


def test_everybody_hears_that_a_turn_runs_on_and_which_orders_are_to_be_sent_again(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    turn = the_turn(world)
    act = ends_too_early(world)
    world.settle()
    vote(world, "Вера", "Глеб", turn + 1)
    world.settle()
    void = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn + 1))
    shown = preview(world.store, world.game, "Хозяин", "undo", {"act": act}, world.clock.now(), VOICE)
    assert shown.published
    assert any("газета перестанет действовать" in line for line in shown.lines)
    undoes(world, act)
    world.settle()
    day = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn))
    assert any(f"Газета дня {turn} больше не действует" in text for text in world.forum.texts(day))
    assert any("ещё не начался" in text for text in world.forum.texts(void))
    assert sent_to(world, "Вера", "не засчитаны: пришлите их")
    assert sent_to(world, "Анна", "срок отменён")
    assert not sent_to(world, "Анна", "не засчитаны: пришлите их")
    world.forum.says(void, world.uid("Дина"), "Дина", "[color=red]Голос: Глеб[/color]")
    closes(world)
    fresh = world.value(sa.select(threads.c.topic).where(threads.c.kind == "day", threads.c.turn == turn + 1))
    assert fresh != void
    orders = world.rows(sa.select(inputs).where(inputs.c.kind == "order", inputs.c.struck.is_(None)))
    assert "Дина" not in {row["payload"]["player"] for row in orders}


def test_a_turn_is_not_opened_again_once_the_next_has_had_a_result_or_means_something(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    act = ends_too_early(world)
    world.settle()
    removal = does(world, "remove", player="Борис")
    assert "отмените сначала его" in refused(world, "undo", act=act)
    undoes(world, removal)
    second = ends_too_early(world)
    world.settle()
    assert "подведён и следующий ход" in refused(world, "undo", act=act)
    undoes(world, second)
    undoes(world, act)
    assert upcoming(world)["turn"] == 1


def test_what_is_told_anew_after_a_reopened_deadline_is_no_copy_of_what_was_told_before(day: World) -> None:
    """A second result of the same vote has letters of its own, though they bear the names of the first."""
    act = resolves(day)
    day.settle()
    first = day.rows(sa.select(outbox).where(outbox.c.key.startswith("gk1/t1/lynch/"), outbox.c.state == "sent"))
    undoes(day, act)
    day.until(LYNCH + timedelta(minutes=30), step=timedelta(minutes=30))
    day.settle()
    second = day.rows(sa.select(outbox).where(outbox.c.key.startswith("gk1/t1/lynch/"), outbox.c.state == "sent"))
    assert {row["key"] for row in first} <= {row["key"] for row in second}
    assert not {row["id"] for row in first} & {row["id"] for row in second}
    for row in second:
        if row["key"] in {one["key"] for one in first}:
            assert row["target"]["again"] == 1


def test_a_reopened_vote_whose_hour_is_over_stands_before_what_came_after_that_hour(day: World) -> None:
    act = resolves(day)
    day.until(LYNCH + timedelta(minutes=10), step=timedelta(minutes=30))
    does(day, "write", player="Анна", text="Всё хорошо?")
    day.pm("Анна", "проверяю Бориса")
    day.settle()
    undoes(day, act)
    day.settle()
    rows = day.rows(sa.select(inputs).where(inputs.c.turn == 1, inputs.c.struck.is_(None)).order_by(inputs.c.seq))
    mark = next(number for number, row in enumerate(rows) if row["kind"] == "mark")
    assert all(row["at"] < LYNCH for row in rows[:mark] if row["kind"] == "order")
    assert all(row["at"] >= LYNCH for row in rows[mark + 1 :] if row["kind"] == "order")
    assert count(day, deadlines, deadlines.c.name == "lynch", deadlines.c.call == "mark", deadlines.c.done_at.is_not(None)) == 1


def test_a_game_that_is_over_is_not_opened_again(tmp_path: Path) -> None:
    world = running(tmp_path, "mafialife")
    act = ends_too_early(world)
    with world.store.write() as connection:
        connection.execute(games.update().values(stage="over"))
    assert "игра уже окончена" in asks(world, "undo", act=act)["error"]
    assert count(world, turns, turns.c.closed_at.is_not(None), turns.c.turn == 1) == 1
