"""What is past is shown as it was: reviews closed by their turn (H15), newspapers with their nicks, counts at a post (H19)."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import counting, overview, record
from forumbot.hosting.explain.explain import explain
from forumbot.hosting.inbox import digest
from forumbot.store.tables import games, posts, verdicts
from tests.forumbot.hosting.hosts import does
from tests.forumbot.hosting.test_acts import doubtful
from tests.forumbot.hosting.test_deadlines import LYNCH, MORNING
from tests.forumbot.hosting.world import DAY_ONE, World


def waiting(world: World) -> list[int]:
    with world.store.read() as connection:
        return [int(row["id"]) for row in digest.reviews(connection, world.game)]


def closed(world: World) -> list[int]:
    with world.store.read() as connection:
        return [int(row["id"]) for row in digest.closed_reviews(connection, world.game)]


def test_h15_the_end_of_a_turn_closes_its_reviews_everywhere(day: World) -> None:
    old = doubtful(day, "Анна", "[color=blue]Борис, Вера[/color]")
    assert (waiting(day), closed(day)) == ([old], [])
    day.until(MORNING + timedelta(hours=2), step=timedelta(hours=2))
    day.settle()
    assert (waiting(day), closed(day)) == ([], [old])
    day.says("Вера", "[color=blue]Борис, Глеб[/color]", day.forum.find("День 2"))
    day.settle()
    new = day.value(sa.select(sa.func.max(verdicts.c.id)).where(verdicts.c.outcome == "review"))
    assert (waiting(day), closed(day)) == ([new], [old])
    assert overview.look(day.store).reviews == 1
    with day.store.write() as connection:
        connection.execute(games.update().values(stage="over"))
    assert (waiting(day), closed(day)) == ([], [new, old])
    assert overview.look(day.store).reviews == 0


def test_h19_an_old_newspaper_is_shown_with_the_nicks_it_was_printed_with(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    does(day, "replace", player="Борис", nick="Раиса", uid=day.uid("Раиса"))
    with day.store.read() as connection:
        lines = explain(connection, record.load(connection, day.game), 1, "Europe/Moscow").lines()
    printed = " ".join(text for text, _ in lines)
    assert "Борис" in printed
    assert "Раиса" not in printed


def test_h19_the_count_as_it_was_at_a_minute_a_post_and_a_turns_end(day: World) -> None:
    day.says("Анна", "[color=blue]Борис[/color]")
    middle = day.says("Вера", "[color=blue]Борис[/color]")
    same_minute = day.says("Глеб", "[color=blue]Анна[/color]")
    day.settle()
    day.clock.move_to(DAY_ONE + timedelta(hours=3))
    day.says("Анна", "[color=blue]Вера[/color]")
    day.until(MORNING + timedelta(hours=3), step=timedelta(hours=2))

    def count(**when: object) -> dict[str, float]:
        with day.store.read() as connection:
            match = counting.at(connection, record.load(connection, day.game), 1, **when)  # type: ignore[arg-type]
        return {nick: weight for nick, weight, _ in counting.count(match, {})}

    assert count() == {"Борис": 1, "Анна": 1, "Вера": 1}
    assert count(moment=DAY_ONE + timedelta(hours=2)) == {"Борис": 2, "Анна": 1}
    assert count(moment=DAY_ONE - timedelta(hours=2)) == {}
    assert count(post=middle) == {"Борис": 2}
    assert count(post=same_minute) == {"Борис": 2, "Анна": 1}
    assert count(moment=LYNCH) == count()
    with pytest.raises(LookupError, match="сообщения № 7777"):
        count(post=7777)
    with day.store.read() as connection, pytest.raises(LookupError, match="хода 9"):
        counting.at(connection, record.load(connection, day.game), 9)
    assert day.value(sa.select(sa.func.count()).select_from(posts)) > 3
