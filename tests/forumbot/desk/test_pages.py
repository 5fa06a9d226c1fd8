"""What a host sees on the pages of the desk."""

import re
from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.desk import accounts, wording
from forumbot.hosting.acts import gamesettings
from forumbot.hosting.core import counting, naming, record, seating
from forumbot.hosting.inbox import routing
from forumbot.store.tables import deadlines, holders, letters, outbox, posts, threads, verdicts
from forumbot.writing.writer import Writer
from tests.forumbot.desk.scene import HOST, OTHER, WATCHER, Scene
from tests.forumbot.hosting.world import DAY_ONE, NICKS

PAGES = (
    "",
    "/now",
    "/log",
    "/review",
    "/texts",
    "/post/1",
    "/orders",
    "/enter",
    "/ledger",
    "/players",
    "/player/0",
    "/time",
    "/outbox",
    "/out/1",
    "/turns",
    "/turn/1",
    "/votes",
    "/search?q=Анна",
    "/acts",
    "/access",
)


def text_of(page: str) -> str:
    """The words of a page without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def rows_of(page: str) -> list[list[str]]:
    """Tables of a page, row by row."""
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", page, re.S)
    return [[text_of(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)] for row in rows]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("name", [HOST, WATCHER])
def test_every_page_of_the_game_opens(quiet: Scene, path: str, name: str) -> None:
    answer = quiet.get(f"/g/gk1{path}", name)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")


def test_a_watcher_sees_no_button_that_acts(quiet: Scene) -> None:
    for path in PAGES:
        assert "/do/" not in quiet.get(f"/g/gk1{path}", WATCHER).text


def test_the_list_of_games_tells_what_waits(quiet: Scene) -> None:
    page = quiet.get("/").text
    assert "Партия 1" in page
    assert "Проверить: 1" in page
    assert "осталось 8 ч" in page


def test_the_game_now_names_deadline_living_and_reviews(quiet: Scene) -> None:
    page = text_of(quiet.get("/g/gk1").text)
    assert "идёт, ход 1" in page
    assert "Голосование 02.12, 21:01 осталось 8 ч" in page
    assert "В игре: 15" in page
    assert "Проверить: 1" in page


def test_the_count_is_the_same_on_the_desk_in_the_rules_and_in_the_day_thread(scene: Scene) -> None:
    """T30."""
    world = scene.world
    with world.store.read() as connection:
        row = record.load(connection, "gk1")
        match = record.fold(connection, row)
        names = seating.load(connection, "gk1").names()
        counted = counting.count(match, names)
        as_at = counting.as_at(connection, "gk1", 1)
    assert counted == (("Борис", 3, ("Анна", "Вера", "Егор")), ("Дина", 1, ("Глеб",)))
    assert {nick: weight for nick, weight, _ in counted} == dict(match.ruleset.votes(match.game))
    page = scene.get("/g/gk1/now").text
    shown = [(cells[0], float(cells[1]), tuple(cells[2].split(", "))) for cells in rows_of(page)]
    assert shown == list(counted)
    assert f"По сообщению №{as_at.post}" in page
    world.until(DAY_ONE + timedelta(hours=20), step=timedelta(hours=1))
    resolved = rows_of(scene.get("/g/gk1/turn/1").text)
    assert [(cells[0], float(cells[1])) for cells in resolved] == [(nick, weight) for nick, weight, _ in counted]


def test_the_count_says_how_far_it_has_read(scene: Scene) -> None:
    before = scene.get("/g/gk1/now").text
    number = scene.world.says("Захар", "[color=blue]Линч: Дина[/color]")
    assert f"№{number}" not in before
    scene.world.clock.sleep(61)
    scene.world.tick()
    after = scene.get("/g/gk1/now").text
    assert f"По сообщению №{number}" in after
    assert ["Дина", "2", "Глеб, Захар"] in rows_of(after)


def test_those_who_may_still_move_and_have_not_are_named_and_nobody_else(scene: Scene) -> None:
    """T57: by day everybody owes a vote but the voters; a removed player owes nothing, a vote sent twice is no debt."""
    world = scene.world
    world.says("Анна", "[color=blue]Линч: Дина[/color]")
    world.clock.sleep(61)
    world.tick()
    scene.do("remove", {"player": "Захар"})
    page = scene.get("/g/gk1/now").text
    owing = re.search(r"Кого ждём</h2>(.*?)</section>", page, re.S)
    assert owing is not None
    named = re.findall(r"<b>(.*?)</b>", owing.group(1))
    voters = {"Анна", "Вера", "Глеб", "Егор"}
    assert named == [nick for nick in NICKS[:15] if nick not in voters | {"Захар"}]


def test_a_held_deadline_is_told(scene: Scene) -> None:
    world = scene.world
    world.forum.incomplete = True
    world.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=1))
    page = text_of(scene.get("/g/gk1").text)
    assert "Срок задержан с 02.12" in page
    assert "срок наступил" in page


def test_the_parse_log_highlights_the_words_and_links_the_post(quiet: Scene) -> None:
    page = quiet.get("/g/gk1/log?player=Анна&turn=1").text
    assert '<mark class="action">Линч</mark>: <mark class="target">Борис</mark>' in page
    assert "R14" in page
    post = quiet.world.value(sa.select(posts.c.id).where(posts.c.author == "Анна").order_by(posts.c.id.desc()))
    assert f'href="/g/gk1/post/{post}"' in page


@pytest.mark.parametrize(
    ("query", "authors"),
    [
        ("outcome=review", {"Жанна"}),
        ("turn=1&outcome=accepted", {"Анна", "Вера", "Глеб", "Егор"}),
        ("turn=1&player=Глеб", {"Глеб"}),
        ("turn=--1&player=Глеб", {"Глеб"}),
        ("action=vote", {"Анна", "Вера", "Глеб", "Егор", "Жанна"}),
        ("action=signup&player=Дина", {"Дина"}),
        ("player=никто", set()),
    ],
)
def test_the_parse_log_is_filtered(quiet: Scene, query: str, authors: set[str]) -> None:
    page = quiet.get(f"/g/gk1/log?{query}").text
    found = set(re.findall(r'class="head"><a href="[^"]*">№\d+</a> <b>(.*?)</b>', page))
    assert found == authors


def test_each_entry_of_the_log_has_an_address(quiet: Scene) -> None:
    for number in quiet.world.rows(sa.select(verdicts.c.id).where(verdicts.c.game_id == "gk1")):
        page = quiet.get(f"/g/gk1/log/{number['id']}")
        assert page.status_code == 200
        assert f"Запись №{number['id']}" in page.text
    assert quiet.get("/g/gk1/log/9999").status_code == 404


def test_an_edited_post_shows_both_versions(scene: Scene) -> None:
    world = scene.world
    topic = world.forum.find("День")
    post_id = next(post.id for post in world.forum.topics[topic].posts if post.author == "Дина")
    world.forum.edits(topic, post_id, "Просто молчу")
    world.clock.sleep(61)
    world.tick()
    versions = world.rows(sa.select(posts).where(posts.c.author == "Дина", posts.c.post_id == post_id).order_by(posts.c.version))
    assert [version["version"] for version in versions] == [1, 2]
    page = scene.get(f"/g/gk1/post/{versions[1]['id']}").text
    assert "Просто молчу" in page
    assert f'href="/g/gk1/post/{versions[0]["id"]}"' in page
    assert "ничего не решаю" in scene.get(f"/g/gk1/post/{versions[0]['id']}").text


def test_the_order_book_strikes_what_does_not_count_and_says_why(scene: Scene) -> None:
    verdict = scene.world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Вера", verdicts.c.turn == 1))
    scene.do("strike", {"verdict": verdict})
    page = scene.get("/g/gk1/orders").text
    assert "Не считается: действие ведущего №1" in page
    standing = [cells[0] for cells in rows_of(page)]
    assert standing == ["Анна", "Глеб", "Егор"]


def test_the_outbox_shows_what_was_sent_and_what_it_said(quiet: Scene) -> None:
    row = quiet.world.rows(sa.select(outbox).where(outbox.c.key == "gk1/t1/day"))[0]
    assert "Партия 1. День 1" in quiet.get("/g/gk1/outbox?state=sent").text
    page = quiet.get(f"/g/gk1/out/{row['id']}").text
    assert "отправлено" in page
    assert "<b>Партия 1. День 1</b>" in page
    assert "Выпустить" not in page


def test_the_ledger_shows_what_the_rules_keep(quiet: Scene) -> None:
    with quiet.world.store.read() as connection:
        row = record.load(connection, "gk1")
        match = record.fold(connection, row)
    writer = Writer(row.templates, "Europe/Moscow")
    ((currency, lives),) = match.ruleset.balances(match.game).items()
    page = quiet.get("/g/gk1/ledger").text
    assert wording.word(writer, "currencies", currency) in page
    assert rows_of(page) == [[writer.word("roles", role), str(left)] for role, left in lives.items()]


def test_the_time_page_lists_open_deadlines_and_what_has_passed(quiet: Scene) -> None:
    page = text_of(quiet.get("/g/gk1/time").text)
    open_names = quiet.world.rows(
        sa.select(deadlines.c.name).where(
            deadlines.c.game_id == "gk1", deadlines.c.done_at.is_(None), deadlines.c.call.not_in(record.REMINDERS)
        )
    )
    assert [row["name"] for row in open_names] == ["lynch", "night"]
    assert "Голосование" in page
    assert "Ходы ночи" in page
    assert "Запись: 30.11" in page


def test_a_game_before_its_deal_has_all_pages_too(scene: Scene) -> None:
    for path in PAGES:
        if path not in ("/post/1", "/player/0", "/out/1", "/turn/1"):
            assert scene.get(f"/g/gk2{path}", OTHER).status_code == 200


def test_a_letter_of_a_stranger_is_shown_to_one_who_hosts_every_running_game(scene: Scene) -> None:
    assert "nobody@example.org" not in scene.get("/g/gk1/review").text
    with scene.world.store.write() as connection:
        account = accounts.find(connection, HOST)
        assert account is not None
        accounts.give_role(connection, account["id"], accounts.EVERY_GAME, "host")
    page = scene.get("/g/gk1/review").text
    assert "nobody@example.org" in page
    letter = scene.world.value(sa.select(letters.c.id).where(letters.c.sender == "nobody@example.org"))
    assert "Это Марк. Бью Анну." in scene.get(f"/g/gk1/letter/{letter}").text


def test_pictures_need_no_script_and_no_inline_style(quiet: Scene) -> None:
    page = quiet.get("/g/gk1").text
    assert "<svg" in page
    assert "style=" not in page
    assert "Борис: 3" in page


def test_deadlines_and_marks_have_russian_names(quiet: Scene) -> None:
    with quiet.world.store.read() as connection:
        row = record.load(connection, "gk1")
    writer = Writer(row.templates, "Europe/Moscow")
    assert wording.word(writer, "marks", "lynch") == "Голосование"
    assert wording.word(writer, "marks", "remind/night") == "Напоминание: Ходы ночи"
    assert naming.chance(writer, "role_buratino") == "кому роль: Буратино"
    assert quiet.world.value(sa.select(threads.c.id).where(threads.c.game_id == "gk1", threads.c.kind == "day")) is not None


def test_every_setting_that_may_change_has_its_words() -> None:
    assert [key for key in (*gamesettings.FREE, *gamesettings.UNTIL_DEAL) if key not in wording.SETTINGS] == []


def test_s11_living_codes_are_blotted_out_in_every_spelling_and_nothing_else_is(quiet: Scene) -> None:
    with quiet.world.store.read() as connection:
        codes = connection.execute(sa.select(holders.c.proof_code).where(holders.c.until.is_(None)).limit(2)).scalars().all()
        first, second = codes
        a, b = first.split("-")
        spelled = [first, first.lower(), f"{a} — {b}", f"x{first}y", f"{second}-{first}", f"AAAA-{first}"]
        for text in spelled:
            shown = routing.without_live_codes(connection, f"<b>{text}</b> font-size ABCD-EFGH")
            assert a not in shown.upper() or b not in shown.upper()
            assert shown.endswith("</b> font-size ABCD-EFGH")
            assert "••••-••••" in shown
        assert routing.without_live_codes(connection, "ABCD-EFGH") == "ABCD-EFGH"
