"""The embedded phpBB board over real HTTP, asked by a plain client: pages, sessions, tokens, writing, messages, walls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser
from selectolax.lexbor import LexborNode as Node

from adapters.clock import ManualClock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.phpbb_session import CODE
from forumbot.demo.forum.phpbb_words import PhpbbOptions
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.trouble import Fault
from forumbot.demo.forum.web import ForumServer

START = datetime(2026, 3, 14, 17, 0, 7, tzinfo=UTC)
HOST, ANNA, BORIS = 2, 3, 4


class House:
    """A board with a moderator and two players, one topic, and one client."""

    def __init__(self, server: ForumServer, board: Board, clock: ManualClock, topic: int) -> None:
        self.server, self.board, self.clock, self.topic = server, board, clock, topic
        self.client = self.visitor()

    def visitor(self) -> httpx.Client:
        return httpx.Client(base_url=self.server.url, headers={"User-Agent": "test"})

    def wait(self, seconds: float) -> None:
        self.clock.move_to(self.clock.now() + timedelta(seconds=seconds))

    def get(self, address: str) -> httpx.Response:
        return self.client.get("/" + address.removeprefix("./").replace("&amp;", "&"))

    def send(self, form: Form, wait: float = 3, /, **changes: str) -> httpx.Response:
        """What a browser sends of this form after a while, with these fields changed or added."""
        self.wait(wait)
        data = [(name, value) for name, value in form.fields if name not in changes] + list(changes.items())
        return self.client.post("/" + form.action.removeprefix("./"), content=urlencode(data),
                                headers={"Content-Type": "application/x-www-form-urlencoded"})

    def login(self, nick: str = "Смотритель", password: str = "secret", **changes: str) -> httpx.Response:
        form = Form(self.get("ucp.php?mode=login").text, "#login")
        return self.send(form, username=nick, password=password, login="Вход", **changes)

    def reply(self, text: str, wait: float = 3, **changes: str) -> httpx.Response:
        form = Form(self.get(f"posting.php?mode=reply&t={self.topic}").text)
        return self.send(form, wait, message=text, post="Отправить", **changes)

    def texts(self) -> list[str]:
        return [post.text for post in self.board.visible_posts(self.topic)]


class Form:
    """A form of a page: its action and what a browser would send of it, submit buttons left out."""

    def __init__(self, html: str, selector: str = "#postform") -> None:
        form = HTMLParser(html).css_first(selector)
        assert form is not None, selector
        self.action = str(form.attributes["action"])
        self.fields: list[tuple[str, str]] = []
        for node in form.css("input, textarea"):
            name, kind = node.attributes.get("name"), node.attributes.get("type", "text")
            if not name or kind == "submit" or (kind == "checkbox" and "checked" not in node.attributes):
                continue
            value = node.text().lstrip("\n") if node.tag == "textarea" else node.attributes.get("value")
            self.fields.append((name, "on" if kind == "checkbox" and value is None else value or ""))

    def __getitem__(self, name: str) -> str:
        return next(value for key, value in reversed(self.fields) if key == name)


def one(html: str, selector: str) -> Node:
    node = HTMLParser(html).css_first(selector)
    assert node is not None, selector
    return node


def ids(html: str) -> list[int]:
    names = [str(node.attributes.get("id")) for node in HTMLParser(html).css("div.post")]
    return [int(name[1:]) for name in names if re.fullmatch(r"p\d+", name)]


@contextmanager
def house(options: PhpbbOptions | None = None, posts: int = 3) -> Iterator[House]:
    clock = ManualClock(START)
    board = Board(clock, name="Клуб «Полночь»")
    section = board.add_section("Игровая")
    board.register("Смотритель", "secret", group="moderators")
    board.register("Анна", "anna", signature="Девиз: [color=red]на берег[/color]")
    board.register("Борис", "boris")
    topic = board.open_topic(section, HOST, "Полночь-7", "Начали")
    for n in range(posts - 1):
        clock.move_to(clock.now() + timedelta(minutes=1))
        board.post(topic, ANNA, f"[color=red]Борис[/color] {n}")
    with serve(board, options or PhpbbOptions()) as server:
        found = House(server, board, clock, topic)
        yield found
        found.client.close()


# Reading


def test_a_post_stands_in_the_shape_of_prosilver() -> None:
    with house() as site:
        post = one(site.get(f"viewtopic.php?t={site.topic}").text, "#p1002")
        assert one(str(post.html), "time").attributes["datetime"] == "2026-03-14T17:01:07+00:00"
        assert one(str(post.html), "time").text() == "Сб мар 14, 2026 8:01 pm"
        assert "u=3" in str(one(str(post.html), "dl.postprofile a.username").attributes["href"])
        assert '<span style="color:red">Борис</span> 0' in str(one(str(post.html), ".content").html)
        assert one(str(post.html), ".signature").text() == "Девиз: на берег"
        assert site.get(f"viewtopic.php?t={site.topic}").text.count('class="username-coloured"') == 2


def test_old_board_prints_no_exact_time_and_the_uid_in_the_profile_alone() -> None:
    with house(PhpbbOptions(version="3.0", date_format="d.m.Y, H:i")) as site:
        html = site.get(f"viewtopic.php?f=1&t={site.topic}").text
        assert not HTMLParser(html).css("time")
        author = one(html, "#p1002 p.author")
        assert author.text().strip().endswith("» 14.03.2026, 20:01") and "u=3" not in str(author.html)
        assert "u=3" in str(one(html, "#p1002 dl.postprofile").html)
        assert '<span style="color: red">' in str(one(html, "#p1002 .content").html)
        assert "UTC + 3 часа" in html


def test_pages_step_by_ten_and_take_any_start() -> None:
    with house(posts=25) as site:
        address = f"viewtopic.php?t={site.topic}"
        assert ids(site.get(address).text) == list(range(1001, 1011))
        assert ids(site.get(f"{address}&start=7").text) == list(range(1008, 1018))
        assert ids(site.get(f"{address}&start=999999").text) == list(range(1021, 1026))
        assert ids(site.get(f"{address}&start=-5").text) == list(range(1001, 1011))
        assert ids(site.get(f"{address}&sd=d").text) == list(range(1025, 1015, -1))
        assert 1015 in ids(site.get("viewtopic.php?p=1015").text)
        assert site.get("viewtopic.php?p=4711").status_code == site.get("viewtopic.php?t=4711").status_code == 404
        pager = one(site.get(f"{address}&start=20").text, ".pagination")
        assert "25 сообщений" in pager.text() and one(str(pager.html), "li.active span").text() == "3"
        light = site.get(f"{address}&view=print").text
        assert "Борис" in light and 'id="p1' not in light and "<time" not in light


def test_unread_view_moves_with_the_accounts_marks() -> None:
    with house(posts=25) as site:
        address = f"viewtopic.php?t={site.topic}"
        assert ids(site.get(f"{address}&view=unread").text)[0] == 1001
        site.login("Анна", "anna")
        site.get(f"{address}&start=10")
        assert ids(site.get(f"{address}&view=unread").text)[0] == 1021
        assert one(site.get("viewforum.php?f=1").text, "dd.lastpost a[href*='p=1025']") is not None


def test_an_own_waiting_post_makes_another_fall_between_two_pages() -> None:
    with house(posts=13) as site:
        site.login("Анна", "anna")
        site.board.post(site.topic, ANNA, "ждёт", premoderated=True)
        pages = [ids(site.get(f"viewtopic.php?t={site.topic}&start={start}").text) for start in (0, 10)]
        assert pages[0] == list(range(1001, 1011)) and pages[1] == [1012, 1013, 1014]


def test_notice_only_where_the_engine_prints_one() -> None:
    with house() as site:
        site.board.edit(1003, "последнее", by=ANNA)
        site.board.edit(1002, "чужое", by=HOST)
        assert not HTMLParser(site.get(f"viewtopic.php?t={site.topic}").text).css(".notice")
        site.board.edit(1002, "своё", by=ANNA)
        site.board.edit(1002, "мат", by=HOST, reason="мат")
        notice = one(site.get(f"viewtopic.php?t={site.topic}").text, "#p1002 .notice").text()
        assert "Смотритель" in notice and "всего редактировалось 2 раза." in notice and "Причина: мат" in notice


def test_deleted_and_waiting_posts_are_the_moderators_alone() -> None:
    with house() as site:
        site.board.delete(1002, by=HOST, soft=True)
        site.board.post(site.topic, BORIS, "ждёт", premoderated=True)
        address = f"viewtopic.php?t={site.topic}"
        assert ids(site.get(address).text) == [1001, 1003]
        site.login()
        html = site.get(address).text
        assert ids(html) == [1001, 1002, 1003, 1004]
        assert one(html, "#p1002.deleted #post_hidden1002.ignore") and "Борис" in one(html, "#post_content1002 .content").text()
        assert one(html, "#p1004 p.post-notice.unapproved") and one(html, ".post_deleted_msg")


def test_feed_has_the_newest_fifteen_and_tells_noticed_edits_alone() -> None:
    with house(posts=20) as site:
        link = one(site.get(f"viewtopic.php?t={site.topic}").text, 'link[type="application/atom+xml"]').attributes["href"]
        feed = site.client.get(str(link)).text
        assert feed.count("<entry>") == 15 and f"{site.server.url}/viewtopic.php?p=1020#p1020" in feed
        assert "Статистика: Добавлено" in feed and "<published>2026-03-14T20:19:07+03:00</published>" in feed
        moved = site.client.get(f"/feed.php?t={site.topic}")
        assert moved.status_code == 301 and moved.headers["location"].endswith(f"/app.php/feed/topic/{site.topic}")


# Sessions and login


def test_first_answer_carries_the_sid_in_its_links_and_later_ones_do_not() -> None:
    with house() as site:
        assert "sid=" in site.get("index.php").text
        assert "sid=" not in site.get("index.php").text


def test_login_needs_a_ripe_token_and_leads_on_with_cookies() -> None:
    with house() as site:
        form = Form(site.get("ucp.php?mode=login").text, "#login")
        early = site.send(form, 0, username="Анна", password="anna", login="Вход")
        assert early.status_code == 200 and "Ошибка отправки формы" in one(early.text, ".error").text()
        answer = site.login("  анна ", "anna")
        assert answer.status_code == 302 and "/index.php?sid=" in answer.headers["location"]
        assert site.client.cookies["phpbb3_maski_u"] == "3"
        assert "mode=logout" in site.get("index.php").text
        assert site.get("ucp.php?mode=login").status_code == 302


def test_wrong_words_are_told_apart_and_three_failures_ask_for_a_code() -> None:
    with house() as site:
        assert "неверное имя" in site.login("Никто", "x").text
        for _ in range(2):
            assert "неверный пароль" in site.login("Анна", "falsch").text
        assert "confirm_code" in site.login("Анна", "falsch").text
        assert "confirm_code" in site.login("Анна", "anna").text
        assert site.login("Анна", "anna", confirm_code=CODE).status_code == 302


def test_another_user_agent_is_a_guest_and_overwrites_the_cookies() -> None:
    with house() as site:
        site.login()
        site.client.headers["User-Agent"] = "other"
        assert "mode=logout" not in site.get("index.php").text
        assert site.client.cookies["phpbb3_maski_u"] == "1"


def test_remember_me_logs_in_again_with_a_new_key() -> None:
    with house() as site:
        site.login(autologin="on")
        key = site.client.cookies["phpbb3_maski_k"]
        site.wait(4000)
        assert "mode=logout" in site.get("index.php").text
        assert site.client.cookies["phpbb3_maski_k"] not in ("", key)


def test_a_session_without_key_ends_after_an_hour() -> None:
    with house() as site:
        site.login()
        site.wait(3601)
        assert "mode=logout" not in site.get("index.php").text


# Writing


def test_reply_is_stored_and_answered_with_the_posts_address() -> None:
    with house() as site:
        site.login("Анна", "anna")
        answer = site.reply("[color=red]Борис[/color]")
        assert answer.status_code == 302 and answer.headers["location"].endswith("viewtopic.php?p=1004#p1004")
        assert site.texts()[-1] == "[color=red]Борис[/color]"


def test_form_without_the_button_or_too_early_or_too_late_stores_nothing() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
        back = site.send(form, 3, message="раз")
        assert back.status_code == 200 and not HTMLParser(back.text).css(".error") and Form(back.text)["message"] == "раз"
        early = site.reply("раз", 0)
        form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
        for _ in range(3):  # the session must not end before the token does
            site.wait(2400)
            site.get("index.php")
        late = site.send(form, 100, message="раз", post="Отправить")
        for answer in (early, late):
            assert "Ошибка отправки формы" in one(answer.text, ".error").text() and Form(answer.text)["message"] == "раз"
        assert len(site.texts()) == 3


def test_flood_counts_posts_and_messages_together_and_spares_moderators() -> None:
    with house() as site:
        site.login("Анна", "anna")
        assert site.reply("раз").status_code == 302
        assert "сразу после предыдущего" in one(site.reply("два").text, ".error").text()
        form = Form(site.get("ucp.php?i=pm&mode=compose&u=2").text)
        assert "сразу после предыдущего" in site.send(form, subject="Ход", message="да", post="1").text
        site.wait(15)
        assert site.reply("два").status_code == 302
        site.client.cookies.clear()
        site.login()
        assert site.reply("три").status_code == site.reply("четыре").status_code == 302


def test_a_post_in_between_brings_the_form_back_without_an_error() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
        site.board.post(site.topic, BORIS, "вклинился")
        answer = site.send(form, message="раз", post="Отправить")
        assert answer.status_code == 200 and "по крайней мере одно сообщение" in answer.text
        assert not HTMLParser(answer.text).css(".error") and "раз" not in site.texts()
        assert site.send(Form(answer.text), post="Отправить").status_code == 302
        assert site.texts()[-1] == "раз"


def test_a_token_used_twice_is_refused_or_doubles_by_the_boards_version() -> None:
    for refused, count in ((True, 4), (False, 5)):
        with house(PhpbbOptions(reused_token_refused=refused)) as site:
            site.login()
            form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
            form.fields = [(name, value) for name, value in form.fields if name != "topic_cur_post_id"]
            site.send(form, message="раз", post="1")
            site.send(form, message="раз", post="1")
            assert len(site.texts()) == count


def test_topic_edit_and_delete() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = Form(site.get("posting.php?mode=post&f=1").text)
        answer = site.send(form, subject="День второй", message="Итоги", post="1")
        topic = site.board.find_topic("День второй")
        assert topic is not None and answer.headers["location"].endswith(f"viewtopic.php?t={topic.id}")
        form = Form(site.get("posting.php?mode=edit&p=1002").text)
        site.board.edit(1002, "правка ведущего", by=HOST)
        assert "изменено другим пользователем" in site.send(form, message="моё", post="1").text
        form = Form(site.get("posting.php?mode=edit&p=1002").text)
        assert form["message"] == "правка ведущего" and site.send(form, message="моё", post="1").status_code == 302
        assert site.board.find_post(1002).text == "моё"
        assert "не имеющие ответов" in site.get("posting.php?mode=delete&p=1002").text
        form = Form(site.get("posting.php?mode=delete&p=1003").text, "#confirm")
        assert "удалено" in site.send(form, confirm="Да").text and len(site.texts()) == 2
        assert "не можете редактировать" in site.get("posting.php?mode=edit&p=1001").text


def test_lock_box_locks_and_a_dropped_one_opens_again() -> None:
    with house() as site:
        site.login()
        site.reply("газета", lock_topic="on")
        assert site.board.topic(site.topic).locked
        html = site.get(f"viewtopic.php?t={site.topic}").text
        assert "fa-lock" in html and "Закрыто" in html
        form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
        assert form["lock_topic"] == "on"
        form.fields = [(name, value) for name, value in form.fields if name != "lock_topic"]
        site.send(form, message="ещё", post="1")
        assert not site.board.topic(site.topic).locked
        site.board.lock_topic(site.topic)
        site.client.cookies.clear()
        site.login("Анна", "anna")
        assert "Эта тема закрыта" in site.get(f"posting.php?mode=reply&t={site.topic}").text
        assert "Эта тема закрыта" in site.get("posting.php?mode=edit&p=1003").text


def test_quote_form_names_post_time_and_user() -> None:
    with house() as site:
        site.login("Борис", "boris")
        stamp = int(site.board.find_post(1002).posted.timestamp())
        text = Form(site.get("posting.php?mode=quote&p=1002").text)["message"]
        assert text == f"[quote=Анна post_id=1002 time={stamp} user_id=3]\n[color=red]Борис[/color] 0\n[/quote]\n"


def test_old_board_takes_a_quick_answer_for_cancel_and_wants_the_section() -> None:
    with house(PhpbbOptions(version="3.0")) as site:
        site.login("Анна", "anna")
        assert site.get(f"posting.php?mode=reply&t={site.topic}").status_code == 404
        address = f"posting.php?mode=reply&f=1&t={site.topic}"
        quick = site.send(Form(site.get(address).text), 1, message="раз", post="1")
        assert quick.status_code == 302 and "p=" not in quick.headers["location"].rpartition("/")[2].replace(".php", "")
        assert len(site.texts()) == 3
        slow = site.send(Form(site.get(address).text), 3, message="раз", post="1")
        assert slow.headers["location"].endswith(f"viewtopic.php?f=1&t={site.topic}&p=1004#p1004")


def test_fork_appends_a_second_post_in_a_row() -> None:
    with house(PhpbbOptions(version="3.0", merge=True)) as site:
        site.login("Анна", "anna")
        form = Form(site.get(f"posting.php?mode=reply&f=1&t={site.topic}").text)
        assert form["do_merge"] == "on"
        answer = site.send(form, 33, message="Передумал.", post="1")
        assert answer.headers["location"].endswith("p=1003#p1003") and len(site.texts()) == 3
        html = site.get(f"viewtopic.php?f=1&t={site.topic}").text
        assert re.search(r"Добавлено спустя \d+ секунд\w*:</span><br />Передумал\.", html)


def test_a_browsers_multipart_form_is_read_too() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = Form(site.get(f"posting.php?mode=reply&t={site.topic}").text)
        site.wait(3)
        sent = dict(form.fields) | {"message": "да\r\nнет", "post": "Отправить"}
        site.client.post("/" + form.action.removeprefix("./"), files={name: (None, value) for name, value in sent.items()})
        assert site.texts()[-1] == "да\nнет"


def test_newcomers_and_premoderated_members_wait() -> None:
    with house() as site:
        site.board.user(ANNA).group = "newcomers"
        site.login("Анна", "anna")
        answer = site.reply("первый")
        assert answer.status_code == 200 and "должно быть одобрено" in one(answer.text, "#message").text()
        assert len(site.texts()) == 3 and "postform" not in site.get("ucp.php?i=pm&mode=compose&u=2").text
        site.board.user(ANNA).group = "users"
        site.server.troubles.premoderation = True
        site.wait(20)
        assert "должно быть одобрено" in site.reply("второй").text


def test_emoji_on_a_board_with_a_three_byte_database_end_in_an_error() -> None:
    with house(PhpbbOptions(three_byte_database=True)) as site:
        site.login("Анна", "anna")
        answer = site.reply("🐺")
        assert answer.status_code == 503 and "Общая ошибка" in answer.text and len(site.texts()) == 3


# Private messages


def test_message_by_nick_takes_two_steps_and_stays_in_the_outbox_until_picked_up() -> None:
    with house() as site:
        site.login("Анна", "anna")
        site.wait(20)
        form = Form(site.get("ucp.php?i=pm&mode=compose").text)
        assert "не существуют" in site.send(form, username_list="Никто", post="1", subject="Ход", message="да").text
        added = site.send(form, username_list="смотритель", post="1", subject="Ход", message="[b]да[/b]")
        assert added.status_code == 200 and not site.board.messages
        form = Form(added.text)
        assert form["address_list[u][2]"] == "to" and form["username_list"] == ""
        sent = site.send(form, post="1")
        assert "успешно отправлено" in one(sent.text, "#message").text()
        assert "Ход" in site.get("ucp.php?i=pm&folder=outbox").text
        host = site.visitor()
        site.client, anna = host, site.client
        site.login()
        assert one(site.get("index.php").text, "strong.badge").text() == "1"
        listed = site.get("ucp.php?i=pm&folder=inbox").text
        assert one(listed, "dl.pm_unread a.topictitle").text() == "Ход"
        read = site.get(str(one(listed, "a.topictitle").attributes["href"])).text
        assert '<strong class="text-strong">да</strong>' in str(one(read, "div.post.pm .content").html) and "<time" not in read
        assert not HTMLParser(site.get("ucp.php?i=pm&folder=inbox").text).css("dl.pm_unread")
        site.client = anna
        assert "Ход" not in site.get("ucp.php?i=pm&folder=outbox").text and "Ход" in site.get("ucp.php?i=pm&folder=sentbox").text
        host.close()


def test_export_gives_raw_text_and_exact_time_and_marks_nothing() -> None:
    with house() as site:
        site.board.send_pm(ANNA, HOST, "Ход", "[color=red]Борис[/color] & <я>")
        site.login()
        form = Form(site.get("ucp.php?i=pm&folder=inbox").text, "#viewfolder")
        xml = site.send(form, export_option="XML", submit_export="1").text
        assert "<message>[color=red]Борис[/color] &amp; &lt;я&gt;</message>" in xml
        assert "<date>2026-03-14T20:02:07+03:00</date>" in xml
        assert HTMLParser(site.get("ucp.php?i=pm&folder=inbox").text).css("dl.pm_unread")


def test_full_box_holds_messages_back_until_there_is_room() -> None:
    with house(PhpbbOptions(folder_limit=2)) as site:
        for n in range(3):
            site.board.send_pm(ANNA, HOST, f"Ход {n}", "да")
        site.login()
        listed = site.get("ucp.php?i=pm&folder=inbox").text
        assert "У вас 1 отложенное сообщение" in one(listed, ".notice").text() and "Ход 2" not in listed
        form = Form(listed, "#viewfolder")
        asked = site.send(form, **{"marked_msg_id[]": "501", "mark_option": "delete_marked", "submit_mark": "1"})
        site.send(Form(asked.text, "#confirm"), confirm="Да")
        assert "Ход 2" in site.get("ucp.php?i=pm&folder=inbox&release=1").text


def test_messages_that_are_not_ones_own_or_not_wanted() -> None:
    with house() as site:
        number = site.board.send_pm(HOST, ANNA, "Роль", "тайна")
        site.login("Борис", "boris")
        assert "тайна" not in site.get(f"ucp.php?i=pm&mode=view&f=0&p={number}").text
        site.board.user(ANNA).pm_off = True
        html = site.get("ucp.php?i=pm&mode=compose&u=3").text
        assert "отключили получение" in html and "address_list" not in html
        site.server.troubles.pm_closed = True
        assert "отключены" in site.get("ucp.php?i=pm&mode=compose&u=2").text


# Walls and troubles


def test_walls() -> None:
    with house() as site:
        section = site.board.sections[1]
        address = f"viewtopic.php?t={site.topic}"
        section.guests_read = False
        wall = site.get(address)
        assert wall.status_code == 200 and one(wall.text, "form#login") and not ids(wall.text)
        assert one(site.get("memberlist.php?mode=viewprofile&un=анна").text, "form#login")
        site.login("Анна", "anna")
        assert "u=4" in site.get("memberlist.php?mode=viewprofile&un=бopиc").text
        assert site.get("memberlist.php?mode=viewprofile&un=Никто").status_code == 404
        section.members_post = False
        assert "не можете добавлять сообщения" in site.get(f"posting.php?mode=reply&t={site.topic}").text
        section.members_read = False
        assert site.get(address).status_code == 403
        section.members_read = True
        section.password = "слово"
        form = Form(site.get(address).text, "#login_forum")
        site.send(form, password="слово")
        assert ids(site.get(address).text)
        site.server.troubles.switched_off = "Извините"
        off = site.get(address)
        assert off.status_code == 200 and one(off.text, "#message p").text() == "Извините"


@pytest.mark.parametrize(("fault", "check"), [
    (Fault("session_lost", path="viewtopic"), lambda site, page: "mode=logout" not in page.text),
    (Fault("challenge"), lambda site, page: page.status_code == 200 and "Just a moment" in page.text),
    (Fault("maintenance"), lambda site, page: page.status_code == 200 and "обслуживании" in page.text),
    (Fault("status", status=503, retry_after=60), lambda site, page: page.headers["retry-after"] == "60"),
])
def test_faults_strike_once_and_are_over(fault: Fault, check: Callable[[House, httpx.Response], bool]) -> None:
    with house() as site:
        site.login()
        site.server.troubles.add(Fault(fault.kind, path=fault.path, status=fault.status, retry_after=fault.retry_after))
        assert check(site, site.get(f"viewtopic.php?t={site.topic}"))
        assert ids(site.get(f"viewtopic.php?t={site.topic}").text)


def test_faults_of_writing() -> None:
    with house() as site:
        site.login()
        site.server.troubles.add(Fault("status", method="POST", status=502))
        assert site.reply("сохранено").status_code == 502 and site.texts()[-1] == "сохранено"
        site.server.troubles.add(Fault("token_expired", method="POST"))
        assert "Ошибка отправки формы" in site.reply("просрочено").text
        site.server.troubles.add(Fault("cut", path="viewtopic"))
        with pytest.raises(httpx.RemoteProtocolError):
            site.get(f"viewtopic.php?t={site.topic}")
        site.server.troubles.layout_changed = True
        assert not ids(site.get(f"viewtopic.php?t={site.topic}").text)
        site.server.troubles.clear()
        site.server.troubles.pm_box_full = True
        site.send(Form(site.get("ucp.php?i=pm&mode=compose&u=3").text), subject="Роль", message="да", post="1")
        assert site.board.box(ANNA, "inbox") == [] and len(site.board.box(ANNA, "held")) == 1


@pytest.mark.parametrize("version", ["3.3", "3.0"])
def test_every_link_of_the_reading_pages_leads_somewhere(version: str) -> None:
    with house(PhpbbOptions(version=version, flood_interval=0), posts=12) as site:  # type: ignore[arg-type]
        site.board.send_pm(ANNA, HOST, "Ход", "да 🐺 :)")
        site.login()
        seen, todo = set(), ["./index.php"]
        while todo:
            address = todo.pop().split("#")[0]
            if address in seen or "mode=logout" in address:
                continue
            seen.add(address)
            answer = site.get(address)
            assert answer.status_code == 200, address
            nodes = HTMLParser(answer.text).css("a, img")
            links = [node.attributes.get("href") or node.attributes.get("src") or "" for node in nodes]
            todo += [link for link in links if link.startswith("./")]
        assert len(seen) > 30
