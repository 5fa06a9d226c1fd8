"""The sign-up topic shows who has signed up (E04), and a host is told of a newspaper that waits for him (E06)."""

from datetime import timedelta
from pathlib import Path

import sqlalchemy as sa

from forumbot.hosting.core.record import SIGNUP
from forumbot.store.tables import outbox
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world


def first_post(world: World) -> str:
    return world.forum.texts(world.forum.find("Запись"))[0].replace("<br />", "")


def test_e04_the_first_post_lists_who_plays_and_the_places_left(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=0, signup={"closes": MONDAY + timedelta(hours=8), "running_list": True})
    assert "[b]Записались (0):[/b]\nпока никто" in first_post(world)
    assert "время московское" in first_post(world)
    topic = world.forum.find("Запись")
    for nick in ("Анна", "Борис"):
        world.says(nick, "играю", topic)
    world.settle()
    assert "[b]Записались (2):[/b]\n1. Анна\n2. Борис" in first_post(world)
    world.clock.sleep(60)
    world.says("Анна", "снимаюсь с игры", topic)
    world.settle()
    assert "[b]Записались (1):[/b]\n1. Борис" in first_post(world)
    edits = sa.select(outbox.c.id).where(outbox.c.kind == "edit", outbox.c.key.contains(f"/{SIGNUP}/list/"))
    before = len(world.rows(edits))
    world.restart()
    world.settle()
    assert len(world.rows(edits)) == before


def test_e04_without_the_wish_nothing_is_edited(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    assert world.rows(sa.select(outbox.c.key).where(outbox.c.kind == "edit")) == []


def test_e06_the_host_hears_of_a_newspaper_that_waits(tmp_path: Path) -> None:
    world = make_world(tmp_path, mode="host", approve_until="never")
    world.until(DAY_ONE + timedelta(days=1), step=timedelta(hours=2))
    told = [text for subject, text in world.mail.letters_to("owner@example.org") if "Газета ждёт вас" in subject]
    assert len(told) == 1
    assert "газета хода 1 готова" in told[0] and "Без вас она не выйдет." in told[0]
