"""What real phpBB boards do that nobody had thought of, through the daemon over real HTTP (P01-P28)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.trouble import Fault
from forumbot.demo.forum.web import Request
from forumbot.hosting.core import outbox as rows
from forumbot.store.tables import letters, outbox, posts, threads, verdicts
from tests.torture.fixtures import OpenSite
from tests.torture.live import GAME, LYNCH, MORNING, Inside

MINUTES = timedelta(minutes=10)


@pytest.fixture
def board(open_site: OpenSite) -> Inside:
    """Day 1 of a game on the embedded board; the bot's account is a member like others."""
    site = open_site("phpbb")
    site.outside.board.user(site.outside.host).group = "users"
    return site


def put(site: Inside, key: str, text: str, kind: rows.Kind = "post") -> None:
    thread = site.value(sa.select(threads.c.id).where(threads.c.kind == "day"))
    target = {"thread_id": thread} if kind == "post" else {"uid": site.outside.uids["Вера"], "nick": "Вера"}
    with site.store.write() as connection:
        rows.put(connection, key, kind, target, "Тема", text, game_id=GAME, priority=rows.URGENT, now=site.clock.now())


def state(site: Inside, key: str) -> str:
    return str(site.value(sa.select(outbox.c.state).where(outbox.c.key == key)))


def titles(site: Inside, words: str) -> list[str]:
    return [topic.title for topic in site.outside.board.topics.values() if words in topic.title]


def told(site: Inside, words: str) -> int:
    return sum(words in text for text in site.told())


CENSORED = [{}, {"День": "****"}, {"День": "дивный новый мир"}, {"Партия": "дивный", "День": "сон"}]
SHOWN = ["", "stars", "long", "twice"]


@pytest.mark.parametrize("censored", CENSORED, ids=SHOWN)
def test_p01_a_topic_whose_answer_was_lost_is_known_although_others_wrote_last(
    board: Inside, censored: dict[str, str]
) -> None:
    """The section's list names the last poster before the author, and the title as a word censor has made it."""
    board.outside.server.troubles.censored = censored
    one = board.outside.server.troubles.add(Fault("drop", "POST", r"mode=post", stored=True))
    while not one.struck:
        board.until(board.clock.now() + MINUTES, MINUTES)
    topic = max(board.outside.board.topics)
    board.outside.board.post(topic, board.outside.uids["Анна"], "Уже тут.")
    board.until(board.clock.now() + timedelta(minutes=30), MINUTES)
    assert len(titles(board, "День 2")) == 1
    assert board.value(sa.select(threads.c.topic).where(threads.c.turn == 2)) == str(topic)


@pytest.mark.parametrize("namesake", [False, True])
@pytest.mark.parametrize("censored", CENSORED, ids=SHOWN)
def test_p01_a_topic_whose_answer_was_lost_is_known_although_a_moderator_has_moved_it(
    board: Inside, censored: dict[str, str], namesake: bool
) -> None:
    """It stands in the list of another section; where we have written, a search of our own posts tells. Meanwhile a player may
    open one of its title in the section."""
    board.outside.server.troubles.censored = censored
    one = board.outside.server.troubles.add(Fault("drop", "POST", r"mode=post", stored=True))
    while not one.struck:
        board.until(board.clock.now() + MINUTES, MINUTES)
    topic = max(board.outside.board.topics)
    if namesake:
        section = board.outside.board.topics[topic].section
        board.outside.board.open_topic(section, board.outside.uids["Анна"], board.outside.board.topics[topic].title, "Я первая")
    board.outside.board.move_topic(topic, board.outside.board.add_section("Архив"))
    board.restart()
    board.until(board.clock.now() + timedelta(minutes=30), MINUTES)
    assert len(titles(board, "День 2")) == 1 + namesake
    assert board.value(sa.select(threads.c.topic).where(threads.c.turn == 2)) == str(topic)


@pytest.mark.parametrize("lost", [False, True], ids=["answered", "answer lost"])
def test_p04_a_censor_changes_words_and_nothing_goes_out_twice(board: Inside, lost: bool) -> None:
    board.outside.server.troubles.censored = {"объявление": "*****", "Партия": "П*****"}
    if lost:
        board.outside.server.troubles.add(Fault("drop", "POST", r"posting\.php", stored=True, times=2))
    put(board, "x", f"Важное объявление для всех, кто играет: {board.outside.server.url}/viewtopic.php?t=5 и и\u0306од")
    board.settle()
    board.until(MORNING + timedelta(hours=1), MINUTES)
    said = [post.text for post in board.outside.board.posts_by(board.outside.host) if "Важное" in post.text]
    assert len(said) == 1
    assert len(titles(board, "День 2")) == 1
    assert state(board, "x") == "sent"
    assert told(board, "не теми словами") == 1


def test_p04_a_message_goes_out_once_whatever_became_of_its_subject_and_its_readers_nick(board: Inside) -> None:
    """The bot looks for it while a censor changes its subject and the owner has changed the nick."""
    board.outside.server.troubles.censored = {"Тема": "*****"}
    board.outside.server.troubles.add(Fault("drop", "POST", r"compose", stored=True))
    put(board, "x", "Личное объявление", "pm")
    board.tick()
    board.outside.board.user(board.outside.uids["Вера"]).nick = "Верочка"
    board.settle()
    assert [text for _, text in board.outside.pms_to("Вера") if "Личное объявление" in text] == ["Личное объявление"]
    assert state(board, "x") == "sent"


def test_p16_printed_times_are_in_the_zone_that_an_english_page_of_the_fork_names(open_site: OpenSite) -> None:
    site = open_site("phpbb", options=PhpbbOptions(version="3.0", language="en"))
    site.outside.board.user(site.outside.host).zone = "Asia/Omsk"
    before = site.clock.now()
    site.outside.pm("Вера", "Вопрос: когда ночь?")
    site.settle()
    received = site.value(sa.select(letters.c.received_at).where(letters.c.channel == "pm").order_by(letters.c.id.desc()))
    assert timedelta() <= before - received < timedelta(minutes=1)


def test_p05_a_board_that_would_glue_our_posts_keeps_them_apart(board: Inside) -> None:
    board.outside.server.troubles.merging = True
    for key in "xy":
        put(board, key, f"Объявление {key}")
    board.settle()
    assert [text for text in board.outside.texts("День") if text.startswith("Объявление")] == ["Объявление x", "Объявление y"]


@pytest.mark.parametrize("lost", [False, True], ids=["answered", "answer lost"])
def test_p06_a_topic_that_waits_for_a_moderator_is_told_once_and_waited_for(board: Inside, lost: bool) -> None:
    """Its author sees his waiting topic in the list and on its page; nobody else does."""
    memory = board.outside.board

    def queue(stage: str, request: Request) -> None:
        """Topics wait, posts do not."""
        memory.premoderation = stage == "before" and "mode=post" in request.target

    board.outside.server.watchers.append(queue)
    if lost:
        board.outside.server.troubles.add(Fault("drop", "POST", r"mode=post", stored=True))
    board.until(MORNING + timedelta(hours=1), MINUTES)
    assert len(titles(board, "День 2")) == 1
    assert state(board, "gk1/t2/day") == "sending"
    assert told(board, "одобрения модератором") == 1
    (waiting,) = [post for post in memory.posts.values() if post.state == "waiting"]
    memory.approve(waiting.id)
    board.until(MORNING + timedelta(hours=2), MINUTES)
    assert state(board, "gk1/t2/day") == "sent"
    assert len(titles(board, "День 2")) == 1
    assert board.troubles() == []


@pytest.mark.parametrize("lost", [False, True], ids=["answered", "answer lost"])
def test_p06_a_post_that_waits_for_a_moderator_is_not_called_sent(board: Inside, lost: bool) -> None:
    board.outside.board.premoderation = True
    if lost:
        board.outside.server.troubles.add(Fault("drop", "POST", r"posting\.php", stored=True))
    put(board, "x", "Важное объявление")
    board.until(board.clock.now() + timedelta(hours=1), MINUTES)
    assert state(board, "x") == "sending"
    assert told(board, "одобрения модератором") == 1
    assert len([post for post in board.outside.board.posts.values() if post.text == "Важное объявление"]) == 1


def test_p07_the_menu_of_notifications_gives_no_subject(board: Inside) -> None:
    """Every page names unread messages there, in words of the board's own."""
    board.outside.board.send_pm(board.outside.uids["Анна"], board.outside.host, "лечу", "см. тему")
    board.settle()
    assert [row["subject"] for row in board.rows(sa.select(letters.c.subject).where(letters.c.channel == "pm"))] == ["лечу"]


def test_p09_a_post_that_the_board_drops_between_two_pages_is_missed(board: Inside) -> None:
    """A waiting post of the bot's own shifts the pages: one of the others' stands on none of them."""
    options, topic = board.outside.options, board.outside.topic("День")
    members = [board.outside.uids[nick] for nick in ("Анна", "Вера", "Глеб")]
    for number in range(options.per_page + 3):
        board.outside.board.post(topic, members[number % 3], f"Реплика {number}")
    board.settle()
    assert board.troubles() == []
    board.outside.board.post(topic, board.outside.host, "Ждёт", premoderated=True)
    board.until(board.clock.now() + timedelta(minutes=3), timedelta(minutes=1))
    board.daemon._poll(whole=True)
    assert any("считает в теме больше" in text for text in board.troubles())
    assert not board.rows(sa.select(posts.c.id).where(posts.c.gone_at.is_not(None)))


def test_p11_a_board_that_takes_short_posts_only_gets_them_in_parts(board: Inside) -> None:
    board.outside.server.troubles.max_post = 400
    put(board, "x", "\n\n".join(f"Абзац {number}. " + "слово " * 25 for number in range(8)))
    put(board, "pm", "\n\n".join(f"Часть {number}. " + "слово " * 25 for number in range(4)), "pm")
    board.until(board.clock.now() + timedelta(minutes=20), timedelta(minutes=1))
    said = "".join(board.outside.texts("День"))
    assert all(said.count(f"Абзац {number}.") == 1 for number in range(8))
    got = "".join(message.text for message in board.outside.board.sent(board.outside.host))
    assert all(got.count(f"Часть {number}.") == 1 for number in range(4))
    assert board.troubles() == []


FAULTS = {
    "an error, stored": Fault("status", "POST", stored=True),
    "an error, not stored": Fault("status", "POST", stored=False, status=500),
    "no answer": Fault("drop", "POST", stored=True),
    "cut": Fault("cut", "POST", stored=True),
    "half": Fault("half", "POST", stored=True),
    "guest": Fault("session_lost", "POST"),
    "stale": Fault("token_expired", "POST"),
    "a robot's check": Fault("challenge", "POST"),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_p11_a_limit_that_is_told_amid_faults_costs_no_part(board: Inside, fault: Fault) -> None:
    """Each answer to a form is lost once, and the bot starts anew again and again, so that what it has learned is forgotten."""
    board.outside.server.troubles.max_post = 400
    for path in ("mode=reply", "compose"):
        board.outside.server.troubles.add(replace(fault, path=path, after=0, times=1, struck=0))
        board.outside.server.troubles.add(replace(fault, path=path, after=2, times=1, struck=0))
    put(board, "x", "\n\n".join(f"Абзац {number}. " + "слово " * 25 for number in range(8)))
    put(board, "pm", "\n\n".join(f"Часть {number}. " + "слово " * 25 for number in range(4)), "pm")
    for _ in range(12):
        board.until(board.clock.now() + timedelta(minutes=6), timedelta(minutes=2))
        board.restart()
    said = [text for text in board.outside.texts("День") if "Абзац" in text]
    assert "".join(said).count("Абзац") == 8
    assert [text.index("Абзац") for text in said] == [0] * len(said)
    assert [text.split(".")[0] for text in said] == sorted(text.split(".")[0] for text in said)
    got = "".join(message.text for message in board.outside.board.sent(board.outside.host))
    assert all(got.count(f"Часть {number}.") == 1 for number in range(4))
    assert not board.rows(sa.select(outbox.c.id).where(outbox.c.state == "failed"))


def test_p11_an_edit_that_the_board_finds_too_long_goes_on_in_posts(board: Inside) -> None:
    (topic,) = board.rows(sa.select(outbox).where(outbox.c.kind == "topic", outbox.c.subject.contains("День")))
    board.outside.server.troubles.max_post = 400
    text = "\n\n".join(f"Абзац {number}. " + "слово " * 25 for number in range(8))
    with board.store.write() as connection:
        target = {"thread_id": topic["target"]["thread_id"], "of": topic["key"]}
        rows.put(connection, "z", "edit", target, "", text, game_id=GAME, priority=rows.URGENT, now=board.clock.now())
    board.until(board.clock.now() + timedelta(minutes=20), timedelta(minutes=1))
    said = board.outside.texts("День")
    assert said[0].startswith("Абзац 0.")
    assert all("".join(said).count(f"Абзац {number}.") == 1 for number in range(8))
    assert told(board, "поправить") == 0


@pytest.mark.parametrize("status", [502, 503, 504])
def test_p11_a_server_that_serves_no_forms_for_a_while_costs_nothing_but_time(board: Inside, status: int) -> None:
    one = board.outside.server.troubles.add(Fault("status", "POST", r"posting\.php", times=-1, status=status, stored=False))
    put(board, "x", "Важное объявление")
    board.until(board.clock.now() + timedelta(hours=2), timedelta(minutes=1))
    assert one.struck > 3
    assert state(board, "x") == "sending"
    board.outside.server.troubles.remove(one)
    board.until(board.clock.now() + timedelta(minutes=70), timedelta(minutes=1))
    assert board.outside.texts("День").count("Важное объявление") == 1


def test_p16_posts_that_a_moderator_split_off_are_told_and_votes_in_them_wait(board: Inside) -> None:
    topic = board.outside.topic("День")
    vote = board.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    board.settle()
    assert board.votes() == {"Борис": 1}
    board.outside.board.split_topic([vote], board.outside.board.topic(topic).section, "Отделено")
    board.until(LYNCH + timedelta(minutes=3), MINUTES)
    assert told(board, "исчезли сообщения с голосами (Анна)") == 1
    assert board.value(sa.select(verdicts.c.reason).where(verdicts.c.author == "Анна", verdicts.c.turn == 1)) == "vanished"


def test_p16_a_topic_that_was_moved_to_another_section_is_read_on(board: Inside) -> None:
    topic = board.outside.topic("День")
    board.outside.board.move_topic(topic, board.outside.board.add_section("Архив"))
    board.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    put(board, "x", "Важное объявление")
    board.settle()
    assert board.votes() == {"Борис": 1}
    assert board.outside.texts("День").count("Важное объявление") == 1


def test_p16_an_over_full_box_of_the_bot_loses_no_message(board: Inside) -> None:
    """Held messages are let in when room was made, in the order in which they came."""
    memory, anna = board.outside.board, board.outside.uids["Анна"]
    board.settle()
    for number in range(memory.pm_limit + 4):
        memory.send_pm(anna, board.outside.host, f"тема {number}", f"слова {number}")
        if number % 20 == 19:
            board.settle()
    board.until(board.clock.now() + timedelta(minutes=10), timedelta(minutes=1))
    kept = board.rows(sa.select(letters.c.text).where(letters.c.channel == "pm").order_by(letters.c.id))
    assert [row["text"] for row in kept] == [f"слова {number}" for number in range(memory.pm_limit + 4)]


def test_p27_topics_are_opened_only_when_the_list_shows_something_new(board: Inside) -> None:
    """Each opening counts as a view."""
    board.daemon._intake._list_first = True
    board.settle()
    topic = board.outside.board.topic(board.outside.topic("День"))
    views = topic.views
    board.until(board.clock.now() + timedelta(minutes=30), timedelta(minutes=1))
    assert topic.views == views
    board.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    board.until(board.clock.now() + timedelta(minutes=5), timedelta(minutes=1))
    assert board.votes() == {"Борис": 1}
    assert topic.views == views + 1
