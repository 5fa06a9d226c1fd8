"""Finding one's way at the desk: search, the count as at any post, what a page warns of, numbers in words."""

from __future__ import annotations

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from forumbot.store.tables import outbox, posts, threads
from tests.forumbot.desk.scene import EVIL, HOST, OTHER, WATCHER, Scene
from tests.forumbot.desk.test_pages import PAGES, rows_of, text_of
from tests.forumbot.hosting.world import DAY_ONE


def found(scene: Scene, said: str, name: str = HOST) -> str:
    return str(scene.client(name).get("/g/gk1/search", params={"q": said}).text)


@pytest.mark.parametrize(
    ("said", "links"),
    [
        ("анна", ["/g/gk1/player/"]),
        ("БОЛТАЮ", ["/g/gk1/post/", "/g/gk1/log/"]),
        ("nobody@example.org", []),
        ("Линч: Анна или Вера", ["/g/gk1/post/", "/g/gk1/log/"]),
        ("нет такого слова", []),
    ],
)
def test_d04_search_finds_players_messages_and_log_whatever_the_case(quiet: Scene, said: str, links: list[str]) -> None:
    page = found(quiet, said)
    body = page[page.index("<h1") :]
    for link in links:
        assert f'href="{link}' in body, said
    if not links:
        assert "Ничего не нашлось" in body


def test_d04_search_shows_the_place_and_escapes_it(quiet: Scene) -> None:
    page = found(quiet, "<script>")
    assert "<script>alert" not in page
    assert '<mark class="target">&lt;script&gt;</mark>' in page
    assert "Напишите хотя бы две буквы" in found(quiet, "а")
    assert "Напишите" not in found(quiet, "")
    assert EVIL not in page


def test_d04_search_stays_inside_the_game_and_its_rights(quiet: Scene) -> None:
    assert quiet.client(OTHER).get("/g/gk1/search?q=Анна").status_code == 404
    assert "Ничего не нашлось" in found(quiet, "Чужая тайная", WATCHER)
    assert quiet.client(None).get("/g/gk1/search?q=Анна").status_code == 303


def post_of(scene: Scene, author: str) -> int:
    day = sa.select(threads.c.id).where(threads.c.game_id == "gk1", threads.c.kind == "day")
    row = scene.world.rows(sa.select(posts).where(posts.c.author == author, posts.c.thread_id.in_(day)))[0]
    return int(row["number"] or row["post_id"])


def test_d04_the_count_is_shown_as_it_stood_at_any_post_or_minute(quiet: Scene) -> None:
    at_post = rows_of(quiet.get(f"/g/gk1/votes?turn=1&post={post_of(quiet, 'Вера')}").text)
    assert at_post == [["Борис", "2", "Анна, Вера"]]
    whole = rows_of(quiet.get("/g/gk1/votes").text)
    assert whole == [["Борис", "3", "Анна, Вера, Егор"], ["Дина", "1", "Глеб"]]
    minute = (DAY_ONE + timedelta(minutes=15)).astimezone(ZoneInfo("Europe/Moscow")).strftime("%Y-%m-%dT%H:%M")
    page = quiet.get(f"/g/gk1/votes?turn=1&at={minute}").text
    assert rows_of(page) == [["Борис", "1", "Анна"]]
    assert f'value="{minute}"' in page
    assert "Сообщения № 999 в теме этого хода нет" in quiet.get("/g/gk1/votes?post=999").text
    for wrong in ("post=x", "at=1", "at=0001-01-01T00:00", "turn=77", "post=-5", "turn=" + "9" * 17):
        assert quiet.get(f"/g/gk1/votes?{wrong}").status_code == 200, wrong


def test_d04_the_newspaper_warns_of_what_was_never_decided_in_its_turn(scene: Scene) -> None:
    scene.world.until(DAY_ONE + timedelta(hours=20), step=timedelta(hours=1))
    number = scene.world.value(sa.select(outbox.c.id).where(outbox.c.key == "gk1/t1/newspaper"))
    page = scene.get(f"/g/gk1/out/{number}").text
    assert "не решено 1 сомнительное сообщение" in page
    assert f'href="/g/gk1/out/{number}">Посмотреть и выпустить газету' in scene.get("/g/gk1").text
    scene.do("keep", {"outbox": number})
    scene.do("edit", {"outbox": number, "body": "Другая газета"})
    history = text_of(scene.get("/g/gk1/acts").text)
    assert "исходящее: Газета, ход 1" in history
    assert f"исходящее №: {number}" not in history


def test_d04_todays_work_comes_before_everything_else(scene: Scene) -> None:
    page = scene.get("/g/gk1").text
    wanted = ('class="card deadline"', "Проверить: 1", "<h2>Голоса", "<h2>Кого ждём", "<h2>В игре")
    order = [page.index(words) for words in wanted]
    assert order == sorted(order)


def test_d04_all_pages_are_in_sight_beside_a_wide_page(quiet: Scene) -> None:
    page = quiet.get("/g/gk1").text
    side = page[page.index('class="side"') : page.index("</nav>", page.index('class="side"'))]
    top = page[page.index('class="tabs"') : page.index("</nav>", page.index('class="tabs"'))]
    pages = set(re.findall(r'href="([^"]*)"', side))
    assert pages == set(re.findall(r'href="([^"]*)"', top)) - {"/g/gk1/search"}
    whole = {path for path in PAGES if path.count("/") <= 1 and path not in ("/now", "/enter") and "?" not in path}
    assert {f"/g/gk1{path}" for path in whole} <= pages
    assert side.count("aria-current") == 1
