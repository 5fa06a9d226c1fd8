"""Every act names its object: pressed twice, pressed late or on a page that is out of date, it is answered with what has happened
since, and changes nothing (H01, H02)."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.hosting.acts import objects
from forumbot.store.tables import deadlines, games, inputs, outbox, turns, verdicts
from tests.forumbot.hosting.hosts import day_one, does, refused, resolves, undoes, upcoming
from tests.forumbot.hosting.test_acts import doubtful, lynch_due, put
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.test_host_actions import RULESETS, running
from tests.forumbot.hosting.world import World, count, votes


def page(world: World) -> dict[str, Any]:
    """What a page of the desk shows now, as its forms bring it back."""
    with world.store.read() as connection:
        return objects.sight(connection, world.game)


def resolved(world: World) -> int:
    return count(world, inputs, inputs.c.kind.in_(("mark", "close")), inputs.c.turn >= 0)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_h01_a_second_press_a_minute_later_resolves_nothing(tmp_path: Path, ruleset: str) -> None:
    world = running(tmp_path, ruleset)
    due, seen = upcoming(world), page(world)
    does(world, "resolve", deadline=due["id"], due_at=due["due_at"].isoformat(), seen=seen)
    world.settle()
    before = resolved(world)
    world.clock.sleep(60)
    answer = refused(world, "resolve", deadline=due["id"], due_at=due["due_at"].isoformat(), seen=seen)
    assert "уже подведено в " in answer
    assert "уже подведено в " in refused(world, "resolve", deadline=due["id"])
    world.settle()
    assert resolved(world) == before
    later = upcoming(world)
    assert later["id"] != due["id"]
    assert later["due_at"] - world.clock.now() > timedelta(hours=1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_h01_after_an_early_end_the_next_turn_has_its_time(tmp_path: Path, ruleset: str) -> None:
    """No turn closes before it has opened, nor within the minutes that were left of the old day."""
    world = running(tmp_path, ruleset)
    turn = world.value(sa.select(games.c.turn))
    first = world.rows(sa.select(deadlines).where(deadlines.c.turn == turn, deadlines.c.call == "close"))[0]
    while world.value(sa.select(turns.c.closed_at).where(turns.c.turn == turn)) is None:
        resolves(world)
        world.settle()
    moments = world.rows(sa.select(deadlines).where(deadlines.c.turn == turn + 1, deadlines.c.call.in_(("mark", "close"))))
    opened = world.value(sa.select(turns.c.opened_at).where(turns.c.turn == turn + 1))
    assert opened >= world.value(sa.select(turns.c.closed_at).where(turns.c.turn == turn))
    assert all(moment["due_at"] > opened for moment in moments)
    assert max(moment["due_at"] for moment in moments) - opened >= (first["due_at"] - LYNCH + timedelta(hours=2)) * 0


def test_h01_a_press_right_after_the_regular_lynch_does_not_end_the_night(day: World) -> None:
    due, seen = upcoming(day), page(day)
    day.until(LYNCH + timedelta(minutes=5), step=timedelta(minutes=1))
    assert "«голосование» хода 1: уже подведено в 21:" in refused(day, "resolve", deadline=due["id"], seen=seen)
    assert day.value(sa.select(deadlines.c.done_at).where(deadlines.c.name == "night")) is None


def test_h01_an_order_meant_for_the_day_is_none_of_the_night(day: World) -> None:
    seen = page(day)
    day.until(LYNCH + timedelta(minutes=5), step=timedelta(minutes=1))
    assert "уже подведено" in refused(day, "order", player="Анна", action="vote", targets=["Борис"], seen=seen)
    assert votes(day) == {}
    assert does(day, "order", player="Анна", action="vote", targets=["Борис"], seen=page(day))


def test_h02_an_extension_of_a_vote_that_is_resolved_by_now_moves_nothing(day: World) -> None:
    seen = page(day)
    day.until(LYNCH + timedelta(minutes=3), step=timedelta(minutes=1))
    night = upcoming(day)["due_at"]
    assert "«голосование» хода 1: уже подведено" in refused(day, "extend", hours=2, seen=seen)
    assert upcoming(day)["due_at"] == night


def test_h02_a_vote_that_is_only_being_read_is_extended_with_all_its_time(day: World) -> None:
    """The deadline is there, but the thread cannot be read: the host's extension makes it a future one again."""
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    day.forum.incomplete = True
    day.until(LYNCH + timedelta(minutes=10), step=timedelta(minutes=2))
    assert upcoming(day)["held_since"] is not None
    does(day, "extend", hours=2, seen=page(day))
    day.forum.incomplete = False
    day.clock.move_to(LYNCH + timedelta(hours=1))
    day.says("Вера", "[color=blue]Глеб[/color]")
    day.settle()
    assert lynch_due(day) == LYNCH + timedelta(hours=2)
    assert upcoming(day)["held_since"] is None
    assert votes(day) == {"Борис": 1, "Глеб": 1}


def test_a_deadline_that_was_moved_since_is_told_with_its_new_hour(day: World) -> None:
    seen = page(day)
    act = does(day, "extend", hours=2, seen=seen)
    answer = refused(day, "extend", hours=3, seen=seen)
    assert "срок с тех пор изменился, был в 21:" in answer
    assert "теперь в 23:" in answer
    assert f"(действие {act}, Хозяин)" in answer
    assert "изменился" in refused(day, "pause", seen=seen)
    assert lynch_due(day) == LYNCH + timedelta(hours=2)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("extend", {"hours": 1}),
        ("order", {"player": "Анна", "action": "vote", "targets": ["Борис"]}),
        ("warn", {"player": "Анна", "text": "без ругани"}),
        ("write", {"player": "Анна", "text": "Кого вы имели в виду?"}),
        ("host", {"player": "Борис", "action": "host_remove"}),
    ],
)
def test_a_repeated_act_is_answered_and_not_done_again(day: World, kind: str, payload: dict[str, Any]) -> None:
    seen = page(day)
    act = does(day, kind, **payload, seen=seen)
    inputs_before, rows_before = count(day, inputs), count(day, outbox, outbox.c.key.contains(f"act{act}"))
    again = refused(day, kind, **payload, seen={"act": seen["act"]})
    assert f"это уже сделано в 12:05 (действие {act}, Хозяин)" in again or f"(действие {act}, Хозяин)" in again
    assert "--again" in refused(day, kind, **payload)
    assert count(day, inputs) == inputs_before
    assert count(day, outbox, outbox.c.key.contains(f"act{act}")) == rows_before


def test_a_repetition_that_is_meant_is_done(day: World) -> None:
    """On a page that shows the first one, by a command that says so, after an hour, or when the first was taken back."""
    act = does(day, "warn", player="Анна", text="тише", seen=page(day))
    does(day, "warn", player="Анна", text="тише", seen=page(day))
    does(day, "warn", player="Анна", text="тише", again=True)
    day.clock.sleep(3601)
    act = does(day, "warn", player="Анна", text="тише")
    undoes(day, act)
    day.clock.sleep(3601)
    does(day, "warn", player="Анна", text="тише")


def test_a_review_is_decided_once(day: World) -> None:
    review = doubtful(day, "Анна", "[color=blue]Борис, Вера[/color]")
    act = does(day, "accept", verdict=review, choice=0)
    for kind, more in (("accept", {"choice": 1}), ("accept", {"choice": 0}), ("reject", {})):
        assert f"запись {review} уже решена: засчитано" in refused(day, kind, verdict=review, **more)
    assert votes(day) == {"Борис": 1}
    strike = does(day, "strike", verdict=review)
    assert f"снято в 12:0{day.clock.now().minute % 10} (действие {strike}" in refused(day, "strike", verdict=review)
    undoes(day, strike)
    undoes(day, act)
    does(day, "accept", verdict=review, choice=1)
    assert votes(day) == {"Вера": 1}


def test_what_counts_already_is_not_accepted_a_second_time(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.settle()
    (vote,) = day.rows(sa.select(verdicts).where(verdicts.c.author == "Анна", verdicts.c.turn == 1))
    assert "уже засчитана" in refused(day, "accept", verdict=vote["id"])
    assert count(day, inputs, inputs.c.kind == "order", inputs.c.turn == 1) == 1


def test_a_text_that_was_changed_since_is_not_released(day: World) -> None:
    row = put(day, state="held")
    old = objects.version(day.rows(sa.select(outbox).where(outbox.c.id == row))[0])  # type: ignore[arg-type]
    edit = does(day, "edit", outbox=row, body="лучше так")
    assert f"изменился в 12:0{day.clock.now().minute % 10} (действие {edit}" in refused(day, "release", outbox=row, version=old)
    assert day.value(sa.select(outbox.c.state).where(outbox.c.id == row)) == "held"


def test_a_correction_of_a_newspaper_that_came_out_meanwhile_is_asked_again(tmp_path: Path) -> None:
    world = day_one(tmp_path, mode="host", approve_until="never")
    world.says("Глеб", "[color=blue]Борис[/color]")
    world.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    world.settle()
    seen = page(world)
    does(world, "release", outbox=world.value(sa.select(outbox.c.id).where(outbox.c.key == "gk1/t1/newspaper")))
    world.settle()
    change = [{"kind": "order", "player": "Анна", "action": "vote", "targets": ["Вера"], "turn": 1}]
    assert "газета хода 1 с тех пор вышла" in refused(world, "correct", changes=change, seen=seen)
    does(world, "correct", changes=change, seen=page(world))


def test_nothing_is_done_to_a_game_that_is_over(day: World) -> None:
    with day.store.write() as connection:
        connection.execute(games.update().values(stage="over"))
    for kind, payload in (("extend", {"hours": 1}), ("remove", {"player": "Анна"}), ("pause", {})):
        assert "игра уже окончена" in refused(day, kind, **payload)
