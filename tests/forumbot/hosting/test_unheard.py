"""A trouble about telling troubles never becomes one that is told (H14, P03)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.errors import BoxFull, RecipientRefused, SendLater
from forumbot.hosting.core.troubles import tell_host
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.daemon.sending import LETTER_TRIES
from forumbot.hosting.daemon.wiring import reader
from forumbot.store.tables import outbox, troubles
from tests.forumbot.hosting.hosts import day_one
from tests.forumbot.hosting.world import World, count


def without_mail(world: World, **site: Any) -> World:
    """The same site whose owner gave an address, or an account, and no mailbox to write from."""
    part = world.site.site.model_copy(update=site)
    world.site = world.site.model_copy(update={"mail": None, "site": part})
    world.daemon = Daemon(world.site, world.store, world.clock, world.forum, None, None, reader)
    return world


@pytest.fixture
def silent(tmp_path: Path) -> Iterator[World]:
    """The forum does not answer, which is a trouble to tell."""
    world = without_mail(day_one(tmp_path))
    world.forum.incomplete = True
    yield world


def words_to_the_host(world: World) -> int:
    return count(world, outbox, outbox.c.subject.startswith("[forumbot]"))


def test_h14_a_letter_that_cannot_go_leads_to_no_other(silent: World) -> None:
    silent.until(silent.clock.now() + timedelta(hours=3), step=timedelta(minutes=5))
    before = words_to_the_host(silent)
    assert 0 < before < 8
    for _ in range(40):
        silent.clock.sleep(60)
        silent.tick()
    assert words_to_the_host(silent) == before
    (row,) = silent.rows(sa.select(troubles).where(troubles.c.key == "unheard/letter"))
    assert "Бот не может написать ведущему письмом: почта не настроена" in row["text"]


def test_h14_what_no_letter_tells_a_message_does(tmp_path: Path) -> None:
    world = without_mail(day_one(tmp_path), host_nick="Хозяин", host_uid=99)
    world.forum.incomplete = True
    world.until(world.clock.now() + timedelta(hours=3), step=timedelta(minutes=5))
    told = [text for _, text in world.forum.pms_to("Хозяин")]
    assert any("прочитать" in text for text in told)
    assert len(told) < 8


@pytest.mark.parametrize("error", [BoxFull("Ящик полон"), RecipientRefused("Такого участника нет")])
def test_h14_a_message_to_the_host_that_is_refused_leads_to_no_other(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = without_mail(day_one(tmp_path), host_address="", host_nick="Хозяин", host_uid=99)
    sends = world.forum.send_pm

    def refuses(to_uid: int, to_nick: str, subject: str, text: str) -> None:
        if to_uid == 99:
            raise error
        sends(to_uid, to_nick, subject, text)

    monkeypatch.setattr(world.forum, "send_pm", refuses)
    world.forum.incomplete = True
    world.until(world.clock.now() + timedelta(hours=3), step=timedelta(minutes=5))
    assert 0 < words_to_the_host(world) < 8
    assert count(world, troubles, troubles.c.key == "unheard/pm") == 1
    monkeypatch.undo()
    world.forum.incomplete = False
    with world.store.write() as connection:
        connection.execute(outbox.update().where(outbox.c.state == "failed").values(state="waiting"))
    world.until(world.clock.now() + timedelta(hours=2), step=timedelta(minutes=30))
    assert count(world, troubles, troubles.c.key == "unheard/pm") == 0


def test_p28_what_was_lost_on_its_way_to_the_host_is_told_by_the_next_word_that_arrives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = day_one(tmp_path)
    names = ("первая", "вторая", "первая")

    def refuses(*_: object, **__: object) -> None:
        raise SendLater("452 4.2.2 Mailbox full")

    monkeypatch.setattr(world.mail, "send", refuses)
    for number, name in enumerate(names):
        with world.store.write() as connection:
            now = world.clock.now()
            tell_host(connection, world.site.site, f"news/{number}", "Новость", f"Новость {name}.", now, game_id=None)
    with world.store.write() as connection:
        connection.execute(outbox.update().where(outbox.c.key.startswith("news/")).values(attempts=LETTER_TRIES))
    world.tick()
    assert count(world, outbox, outbox.c.key.startswith("news/"), outbox.c.state == "failed") == 3
    assert count(world, troubles, troubles.c.key == "unheard/letter") == 1
    monkeypatch.undo()
    for number in (7, 8):
        with world.store.write() as connection:
            tell_host(connection, world.site.site, f"late/{number}", "Новое", "Новое.", world.clock.now(), game_id=None)
        world.tick()
        world.clock.sleep(60)
        world.tick()
    assert count(world, troubles, troubles.c.key == "unheard/letter") == 0
    again = [row["body"] for row in world.rows(sa.select(outbox)) if row["subject"] == "[forumbot] Не дошло раньше"]
    assert again == ["Раньше это до вас не дошло.\n\nНовость первая.\n\nНовость вторая."]
