"""P18: a trouble that comes and goes is told seldom, and never concealed; P28: what fails is told, whatever happens between."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.core import troubles
from forumbot.hosting.daemon.daemon import MOST_SKEW
from forumbot.store.tables import tellings
from tests.forumbot.hosting.world import World, make_world

MINUTE = timedelta(minutes=1)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path, players=0)


def come_and_go(world: World, key: str, *, every: timedelta, times: int) -> None:
    """A trouble that is there at one look and gone at the next."""
    for number in range(times):
        world.clock.sleep(every.total_seconds())
        with world.store.write() as connection:
            if number % 2:
                troubles.clear_trouble(connection, key)
            else:
                troubles.raise_trouble(connection, world.site.site, key, f"Беда {key}.", world.clock.now())
            troubles.tell_due(connection, world.site.site, world.clock.now())


def told(world: World, words: str) -> list[str]:
    return [text for text in (row["body"] for row in world.rows(sa.text("SELECT body FROM outbox"))) if words in text]


@pytest.mark.parametrize("every", [MINUTE, 4 * MINUTE, timedelta(minutes=20)])
def test_p18_a_trouble_that_comes_and_goes_for_a_day_is_told_a_few_times(world: World, every: timedelta) -> None:
    come_and_go(world, "x", every=every, times=int(timedelta(days=1) / every))
    texts = told(world, "Беда x")
    assert 2 <= len(texts) <= 5
    assert "это случалось ещё" in texts[-1]


def test_p18_what_comes_back_once_is_told_at_once(world: World) -> None:
    come_and_go(world, "x", every=MINUTE, times=3)
    assert len(told(world, "Беда x")) == 2


def test_p18_a_trouble_that_stays_is_told_although_it_came_too_often_before(world: World) -> None:
    come_and_go(world, "x", every=MINUTE, times=7)
    before = len(told(world, "Беда x"))
    world.clock.sleep(7 * 3600)
    with world.store.write() as connection:
        troubles.tell_due(connection, world.site.site, world.clock.now())
    texts = told(world, "Беда x")
    assert len(texts) == before + 1
    assert "Сейчас всё в порядке" not in texts[-1]


def test_p18_one_that_has_not_come_for_long_begins_anew(world: World) -> None:
    come_and_go(world, "x", every=MINUTE, times=2)
    world.clock.sleep(3 * 3600)
    world.tick()
    assert world.value(sa.select(sa.func.count()).select_from(tellings)) == 0


def test_p18_a_clock_at_the_limit_is_told_once(world: World) -> None:
    for number in range(120):
        world.clock.sleep(60)
        world.daemon._intake.skew = MOST_SKEW + timedelta(seconds=0.6 if number % 2 else -0.6)
        world.daemon._tell_skew()
    assert len(told(world, "Часы сервера")) == 1


def test_p28_everything_that_fails_for_one_reason_is_named_to_the_host(world: World) -> None:
    for number in range(3):
        with world.store.write() as connection:
            item, site, now = f"письмо {number}", world.site.site, world.clock.now()
            troubles.raise_trouble(connection, site, "outbox/x/y", f"Не ушло: {item}.", now, item=item)
    world.clock.sleep(3600)
    with world.store.write() as connection:
        troubles.tell_due(connection, world.site.site, world.clock.now())
        troubles.tell_due(connection, world.site.site, world.clock.now())
    first, second = told(world, "Не ушло")
    assert "письмо 0" in first
    assert "письмо 1; письмо 2." in second
