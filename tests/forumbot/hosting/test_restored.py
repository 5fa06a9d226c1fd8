"""A database that came back from a copy: the bot goes on from there and publishes nothing that stands on the forum already."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from forumbot.store.database import Store
from forumbot.store.safekeeping import backup, restore
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world, roles, votes

MORNING = DAY_ONE + timedelta(hours=21)


def published(world: World) -> dict[str, list[str]]:
    """Topic -> what the bot has written there."""
    return {f"{topic} {made.subject}": world.forum.texts(topic) for topic, made in world.forum.topics.items()}


def put_back(world: World, copy: Path) -> None:
    """The site's database is replaced by the copy, and the daemon started again."""
    file = world.store.file
    world.store.close()
    restore(copy, file)
    world.store = Store(file)
    world.restart()


@pytest.mark.parametrize("copied", [DAY_ONE, DAY_ONE + timedelta(hours=12)], ids=["by day", "by night"])
def test_what_was_published_after_the_copy_is_not_published_again(tmp_path: Path, copied: datetime) -> None:
    """Lynch, newspaper, the next day's topic and letters; votes in that topic count."""
    world = make_world(tmp_path)
    world.until(DAY_ONE, timedelta(hours=2))
    if copied == DAY_ONE:
        backup(world.store.file, tmp_path / "copy.db")
    for nick in ("Анна", "Вера", "Глеб"):
        world.says(nick, "[color=blue]Линч: Борис[/color]")
    world.until(DAY_ONE + timedelta(hours=12), timedelta(hours=1))
    if copied != DAY_ONE:
        backup(world.store.file, tmp_path / "copy.db")
    world.until(MORNING, timedelta(hours=1))
    world.settle()
    before, dealt, letters = published(world), roles(world), len(world.mail.out)
    world.says("Дина", "[color=blue]Линч: Егор[/color]", world.forum.find("День 2"))
    put_back(world, tmp_path / "copy.db")
    world.until(world.clock.now() + timedelta(hours=2), timedelta(minutes=10))
    assert published(world) == before
    assert roles(world) == dealt
    assert len(world.mail.out) == letters
    assert votes(world) == {"Егор": 1}


def test_a_topic_of_an_earlier_season_is_not_taken_for_ours(tmp_path: Path) -> None:
    """The same title in the same section, but older than the game: the day gets a topic of its own."""
    world = make_world(tmp_path)
    title = next(made.subject for made in world.forum.topics.values() if "Запись" in made.subject).replace("Запись", "")
    old = world.forum.open_topic("12", f"{title}День 1", "прошлая осень").topic
    (first,) = world.forum.topics[old].posts
    world.forum.topics[old].posts = [replace(first, posted=MONDAY - timedelta(days=60))]
    world.until(DAY_ONE, timedelta(hours=2))
    world.settle()
    named = [topic for topic, made in world.forum.topics.items() if "День 1" in made.subject]
    assert len(named) == 2
    assert world.forum.texts(old) == [first.html]
