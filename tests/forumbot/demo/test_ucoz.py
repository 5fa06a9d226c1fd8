"""The embedded uCoz site over real HTTP, asked by a plain client: pages, login, forms, messages, walls, troubles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser
from selectolax.lexbor import LexborNode as Node

from adapters.clock import ManualClock
from forumbot.demo.forum.board import Board
from forumbot.demo.forum.serving import serve
from forumbot.demo.forum.trouble import Fault
from forumbot.demo.forum.ucoz_bbcode import Look, to_html
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.demo.forum.web import ForumServer

START = datetime(2026, 3, 4, 7, 0, 7, tzinfo=UTC)


class House:
    """A board with a host and two players, one topic, and a client."""

    def __init__(self, server: ForumServer, board: Board, clock: ManualClock, topic: int) -> None:
        self.server, self.board, self.clock, self.topic = server, board, clock, topic
        self.client = httpx.Client(base_url=server.url, headers={"User-Agent": "test"})

    def login(self, nick: str = "Ведущий", password: str = "secret") -> httpx.Response:
        form = {"user": nick, "password": password, "a": "2", "ajax": "2", "rem": "1", "_tp_": "xml"}
        return self.client.post("/index/sub/", data=form)

    def form(self, address: str) -> dict[str, str]:
        return fields(self.client.get(address).text)

    def thread(self, page: int = 1) -> str:
        return self.client.get(f"/forum/1-{self.topic}-{page}").text


def fields(html: str) -> dict[str, str]:
    """All that a browser would send back of the page's addform."""
    form = HTMLParser(html).css_first("form[name=addform]")
    assert form is not None
    sent = {}
    for node in form.css("input, textarea"):
        kind = node.attributes.get("type", "text")
        if node.attributes.get("name") and kind != "button" and (kind != "checkbox" or "checked" in node.attributes):
            value = node.text().lstrip("\n") if node.tag == "textarea" else node.attributes.get("value")
            sent[str(node.attributes["name"])] = value or ""
    return sent


def one(html: str, selector: str) -> Node:
    node = HTMLParser(html).css_first(selector)
    assert node is not None, selector
    return node


@contextmanager
def house(options: UcozOptions | None = None, posts: int = 3) -> Iterator[House]:
    clock = ManualClock(START)
    board = Board(clock)
    section = board.add_section("Игровая площадь")
    host = board.register("Ведущий", "secret", group="admins", signature="[color=red]Девиз[/color]")
    anna = board.register("Анна", "anna", female=True)
    board.register("Борис", "boris")
    topic = board.open_topic(section, host, "Партия 1", "Начали")
    for n in range(posts - 1):
        clock.move_to(clock.now() + timedelta(minutes=1))
        board.post(topic, anna, f"[color=red]Борис[/color] {n}")
    with serve(board, options or UcozOptions()) as server:
        found = House(server, board, clock, topic)
        yield found
        found.client.close()


@pytest.mark.parametrize("template", ["old", "new", "custom"])
@pytest.mark.parametrize("holder", ["span", "div"])
def test_thread_page_has_the_engines_marks_in_every_template(template: str, holder: str) -> None:
    with house(UcozOptions(template=template, holder=holder)) as site:  # type: ignore[arg-type]
        html = site.thread()
        message = one(html, f"{holder}#ucoz-forum-post-1002")
        assert message.text() == "Борис 0"
        assert message.html is not None and '<span style="color:red">Борис</span>' in message.html
        row = one(html, "tr#post1002")
        assert f"-16-{int((START + timedelta(minutes=1)).timestamp())}" in str(row.html)
        assert "/index/8-3" in str(row.html)
        assert one(html, ".signatureView").text() == "Девиз"


def test_pages_hold_twenty_posts_and_one_past_the_end_shows_the_pinned_post_alone() -> None:
    with house(posts=45) as site:
        site.board.topic(site.topic).pinned_first = True
        assert one(site.thread(2), ".pagesInfo").text() == "Страница 2 из 3"
        second = [node.attributes["id"] for node in HTMLParser(site.thread(2)).css("tr[id^=post]")]
        assert second == ["post1001", *(f"post{n}" for n in range(1021, 1041))]
        past = HTMLParser(site.thread(9)).css("tr[id^=post]")
        assert [node.attributes["id"] for node in past] == ["post1001"]
        last = site.client.get(f"/forum/1-{site.topic}-0-17-1").text
        assert one(last, ".switchActive").text() == "3" and "ucoz-forum-post-1045" in last


def test_permalink_opens_the_page_that_holds_the_post() -> None:
    with house(posts=25) as site:
        stamp = int(site.board.find_post(1022).posted.timestamp())
        assert "ucoz-forum-post-1022" in site.client.get(f"/forum/1-{site.topic}-1-16-{stamp}").text


@pytest.mark.parametrize(("shape", "printed"), [
    ("dmy", "Среда, 04.03.2026, 10:00"), ("dmys", "Среда, 04.03.2026, 10:00:07"), ("iso12", "Среда, 2026-03-04, 10:00 AM"),
    ("long", "Среда, 04 Март 2026, 10:00"),
])
def test_date_shapes(shape: str, printed: str) -> None:
    with house(UcozOptions(dates=shape)) as site:  # type: ignore[arg-type]
        assert f"Дата: {printed} |" in site.thread()


def test_today_and_yesterday_follow_the_moment_of_the_request() -> None:
    with house(UcozOptions(relative_days=True)) as site:
        assert "Среда, Сегодня, 10:00" in site.thread()
        site.clock.move_to(START + timedelta(days=1))
        assert "Среда, Вчера, 10:00" in site.thread()


def test_login_answers_commands_and_only_the_page_tells() -> None:
    with house() as site:
        assert "пароль" in site.login(password="falsch").text
        assert "/index/10" not in site.client.get("/forum/").text
        assert "<cmd" in site.login().text
        page = site.client.get("/forum/").text
        assert 'href="/index/10"' in page and "Ведущий" in page
        site.client.get("/index/10")
        assert 'href="/index/10"' not in site.client.get("/forum/").text


def test_a_reply_needs_the_hidden_fields_back_and_each_form_works_once() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = site.form(f"/forum/1-{site.topic}-1")
        form["message"] = "[color=red]Борис[/color] <&>"
        bare = {name: value for name, value in form.items() if name in ("message", "a", "tid", "ssid")}
        assert "frM2" in site.client.post("/forum/", data=bare).text
        assert len(site.board.visible_posts(site.topic)) == 3
        assert "frM2" not in site.client.post("/forum/", data=form).text
        assert "frM2" in site.client.post("/forum/", data=form).text
        posts = site.board.visible_posts(site.topic)
        assert len(posts) == 4 and posts[-1].text == "[color=red]Борис[/color] <&>"
        assert one(site.thread(), "#ucoz-forum-post-1004").text() == "Борис <&>"


def test_new_topic_and_edit_by_the_links_of_the_page() -> None:
    with house() as site:
        site.login()
        form = site.form("/forum/1-0-0-1-1") | {"name": "День второй", "message": "Итоги", "firstontop": "1"}
        site.client.post("/forum/", data=form)
        topic = site.board.find_topic("День второй")
        assert topic is not None and topic.pinned_first
        row = one(site.client.get(f"/forum/1-{topic.id}-1").text, "tr#post1004")
        link = next(a.attributes["href"] for a in row.css("a") if "-9-1" in (a.attributes["href"] or ""))
        form = site.form(str(link))
        assert form["message"] == "Итоги"
        site.clock.move_to(site.clock.now() + timedelta(minutes=5))
        answer = site.client.post("/forum/", data=form | {"message": "Итоги дня"}, headers={"Accept": "text/html"})
        assert "Сообщение было успешно изменено" in answer.text
        notice = one(site.client.get(f"/forum/1-{topic.id}-1").text, ".edited").text()
        assert notice == "Сообщение отредактировал Ведущий - Среда, 04.03.2026, 10:07"


def test_edit_by_a_woman_and_an_activation_are_told_in_their_own_words() -> None:
    with house() as site:
        site.board.edit(1002, "иначе")
        site.board.premoderation = True
        waiting = site.board.post(site.topic, 4, "ждёт")
        assert f"post{waiting}" not in site.thread()
        site.board.approve(waiting, by=2)
        notices = [node.text() for node in HTMLParser(site.thread()).css(".edited")]
        assert notices[0].startswith("Сообщение отредактировала Анна - ") and notices[1] == "Сообщение активировал Ведущий"


def test_a_waiting_post_is_seen_by_its_author_only() -> None:
    with house() as site:
        site.server.troubles.premoderation = True
        site.login("Анна", "anna")
        site.client.post("/forum/", data=site.form(f"/forum/1-{site.topic}-1") | {"message": "тайком"})
        assert "тайком" in site.thread()
        assert "тайком" not in httpx.get(f"{site.server.url}/forum/1-{site.topic}-1").text


def test_line_ends_need_their_box_and_html_is_for_staff() -> None:
    with house() as site:
        site.login()
        form = site.form(f"/forum/1-{site.topic}-1")
        site.client.post("/forum/", data={name: value for name, value in form.items() if name != "frmt"} | {"message": "а\nб"})
        form = site.form(f"/forum/1-{site.topic}-1")
        site.client.post("/forum/", data=form | {"message": '<font COLOR="red">а</font>\nб', "ahtml": "1"})
        html = site.thread()
        assert one(html, "#ucoz-forum-post-1004").text() == "а б"
        assert '<font color="red">а</font><br>б' in str(one(html, "#ucoz-forum-post-1005").html)


def test_a_waiting_topic_is_not_there_for_others() -> None:
    with house() as site:
        topic = site.board.open_topic(1, 3, "Тайная", "ждёт", premoderated=True)
        assert "Тайная" not in site.client.get("/forum/1").text and site.client.get(f"/forum/1-{topic}-1").status_code == 404
        site.login("Анна", "anna")
        assert "Тайная" in site.client.get("/forum/1").text and "ждёт" in site.client.get(f"/forum/1-{topic}-1").text


def test_outgoing_links_may_lead_over_the_engines_own_address() -> None:
    with house(UcozOptions(go_links=True)) as site:
        site.board.post(site.topic, 3, "http://example.org/a?b=1&c=2")
        link = str(one(site.thread(), "a.link").attributes["href"])
        assert site.client.get(link).headers["location"] == "http://example.org/a?b=1&c=2"


def test_walls_for_guests_members_and_closed_topics() -> None:
    with house() as site:
        section = site.board.sections[1]
        section.guests_read = False
        wall = site.client.get(f"/forum/1-{site.topic}-1")
        assert wall.status_code == 403 and "Гостям запрещено" in wall.text and 'name="password"' in wall.text
        site.login("Анна", "anna")
        assert "addform" in site.thread()
        site.board.lock_topic(site.topic)
        assert "addform" not in site.thread()
        section.members_read = False
        assert "Вы входите в группу пользователей" in site.thread()
        section.members_read = True
        site.board.user(3).group = "banned"
        assert "активность временно заблокирована" in site.thread()
        assert site.client.get("/forum/1-999-1").status_code == 404


def test_private_messages_are_sent_listed_read_and_answered() -> None:
    with house() as site:
        site.login("Анна", "anna")
        form = site.form("/index/14-2-0-1")
        assert form["to_user"] == "Ведущий"
        assert "Тема сообщения указана неправильно" in site.client.post("/index/", data=form | {"message": "х"}).text
        form = site.form("/index/14-2-0-1") | {"subject": "Ход", "message": "[b]проверяю[/b] Бориса"}
        assert "Сообщение успешно отправлено" in site.client.post("/index/", data=form).text
        assert "Ход" in site.client.get("/index/14-0-1").text
        site.client.cookies.clear()
        site.login()
        listed = site.client.get("/index/14").text
        link = one(listed, "tr[id^=ent] a").attributes["href"]
        assert one(listed, "b.unread").text() == "Ход" and "ЛС (1)" in listed
        read = site.client.get(str(link)).text
        assert "<b>проверяю</b> Бориса" in read and fields(read)["subject"] == "Re: Ход"
        assert not HTMLParser(site.client.get("/index/14").text).css("b.unread")


@pytest.mark.parametrize(("spoil", "said"), [
    (lambda site: setattr(site.server.troubles, "pm_closed", True), "отключена администратором"),
    (lambda site: setattr(site.server.troubles, "pm_box_full", True), "переполнен"),
    (lambda site: setattr(site.board.user(2), "pm_off", True), "отключил"),
    (lambda site: setattr(site.server.troubles, "flood_interval", 1e6), "так часто"),
    (lambda site: site.server.troubles.add(Fault("token_expired", method="POST")), "обновите страницу"),
])
def test_a_message_that_cannot_be_sent_says_why(spoil: object, said: str) -> None:
    with house() as site:
        site.login("Анна", "anna")
        site.client.post("/forum/", data=site.form(f"/forum/1-{site.topic}-1") | {"message": "раньше"})
        spoil(site)  # type: ignore[operator]
        form = site.form("/index/14-2-0-1") | {"subject": "Ход", "message": "да"}
        assert said in site.client.post("/index/", data=form).text
        assert not site.board.messages


def test_security_code_in_messages_spares_the_exempt_group() -> None:
    with house(UcozOptions(pm_captcha=True)) as site:
        site.login("Анна", "anna")
        assert "captcha-block" in site.client.get("/index/14-2-0-1").text
        form = site.form("/index/14-2-0-1") | {"subject": "Ход", "message": "да", "code": "1"}
        assert "Неправильный код безопасности" in site.client.post("/index/", data=form).text
        site.login()
        assert "captcha-block" not in site.client.get("/index/14-3-0-1").text


def test_flood_interval_is_counted_on_the_boards_clock() -> None:
    with house(UcozOptions(flood_interval=20)) as site:
        site.login("Анна", "anna")
        for wait, count in ((0, 4), (5, 4), (20, 5)):
            site.clock.move_to(site.clock.now() + timedelta(seconds=wait))
            site.client.post("/forum/", data=site.form(f"/forum/1-{site.topic}-1") | {"message": f"пост {wait}"})
            assert len(site.board.visible_posts(site.topic)) == count


def test_cp1251_board_reads_and_writes_its_own_charset() -> None:
    with house(UcozOptions(charset="cp1251", charset_in_header=False)) as site:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        login = urlencode({"user": "Анна", "password": "anna", "a": "2"}, encoding="cp1251")
        site.client.post("/index/sub/", content=login, headers=headers)
        raw = site.client.get(f"/forum/1-{site.topic}-1").content
        assert "Партия 1".encode("cp1251") in raw and b"charset=windows-1251" in raw
        form = fields(raw.decode("cp1251")) | {"message": "Виновен Борис"}
        site.client.post("/forum/", content=urlencode(form, encoding="cp1251"), headers=headers)
        assert site.board.visible_posts(site.topic)[-1].text == "Виновен Борис"


def test_troubles_strike_where_they_are_told_to() -> None:
    with house() as site:
        site.login()
        troubles = site.server.troubles
        troubles.add(Fault("session_lost", path=r"^/forum/1-\d+-1", after=1))
        assert "/index/10" in site.thread()
        assert "/index/10" not in site.thread()
        site.login()
        troubles.add(Fault("status", method="POST", status=504))
        form = site.form(f"/forum/1-{site.topic}-1") | {"message": "сохранено"}
        assert site.client.post("/forum/", data=form).status_code == 504
        assert site.board.visible_posts(site.topic)[-1].text == "сохранено"
        troubles.add(Fault("status", status=503, stored=False, retry_after=120))
        assert site.client.get("/forum/").headers["retry-after"] == "120"
        troubles.add(Fault("cut", method="GET"))
        with pytest.raises(httpx.RemoteProtocolError):
            site.thread()
        troubles.add(Fault("drop", method="POST"))
        form = site.form(f"/forum/1-{site.topic}-1") | {"message": "без ответа"}
        with pytest.raises(httpx.RemoteProtocolError):
            site.client.post("/forum/", data=form)
        assert site.board.visible_posts(site.topic)[-1].text == "без ответа"
        for kind, words in (("challenge", "Just a moment"), ("maintenance", "технические работы")):
            troubles.add(Fault(kind))  # type: ignore[arg-type]
            page = site.client.get("/forum/")
            assert page.status_code == 200 and words in page.text
        assert site.client.get("/forum/").status_code == 200


def test_owner_may_change_the_layout_switch_the_site_off_or_break_the_paging() -> None:
    with house(posts=45) as site:
        site.server.troubles.ignore_page = True
        third = site.thread(3)
        assert "ucoz-forum-post-1001" in third and one(third, ".pagesInfo").text() == "Страница 3 из 3"
        site.server.troubles.layout_changed = True
        assert "ucoz-forum-post" not in site.thread()
        site.server.troubles.clear()
        assert "ucoz-forum-post" in site.thread()
        site.server.troubles.switched_off = "Переезжаем"
        assert "Переезжаем" in site.thread()
        site.login()
        assert "ucoz-forum-post" in site.thread()


def test_requests_and_bytes_are_counted_by_path() -> None:
    with house() as site:
        text = site.thread()
        site.thread()
        count = site.server.counts[f"/forum/1-{site.topic}-1"]
        assert count.requests == 2 and count.bytes_out > 2 * len(text)
        assert site.server.total.requests == 2


def test_every_link_of_the_reading_pages_leads_somewhere() -> None:
    with house(posts=25) as site:
        site.login()
        seen, todo = set(), ["/forum/"]
        while todo:
            address = todo.pop()
            if address in seen or address == "/index/10" or re.search(r"-8-0-", address):
                continue
            seen.add(address)
            answer = site.client.get(address)
            assert answer.status_code == 200, address
            for node in HTMLParser(answer.text).css("a, img"):
                link = node.attributes.get("href") or node.attributes.get("src") or ""
                if link.startswith("/") and not link.startswith(("/_fr", "/secure")):
                    todo.append(link)
        assert len(seen) > 20


@pytest.mark.parametrize(("text", "html"), [
    ("[b]a[color=red]b[/b]c[/color] d", '<b>a<span style="color:red">b</b>c</span> d'),
    ("[color=red]не закрыл", "[color=red]не закрыл"),
    ("[graytable]x[/graytable]", "[graytable]x[/graytable]"),
    ("<b> & \"", "&lt;b&gt; &amp; &quot;"),
    ("a\nb", "a<br />b"),
    ("[c]x[/c]", '<div align="center">x</div>'),
    ("[url=http://a.b/?x=1&y=2]t[/url]", '<a class="link" href="http://a.b/?x=1&amp;y=2" rel="nofollow" target="_blank">t</a>'),
    ("[hide]x[/hide]", '<!--BBhide--><span class="UhideBlock">x</span><!--/BBhide-->'),
])
def test_bbcode(text: str, html: str) -> None:
    assert to_html(text, lambda _: None) == html


def test_bbcode_of_quotes_code_and_the_visual_editor() -> None:
    quoted = to_html("[quote=Борис;7][quote]a[/quote]b[/quote]", lambda number: f"/forum/1-2-1-16-{number}")
    assert quoted.count("<!--uzquote-->") == quoted.count("<!--/uzquote-->") == 2
    assert "<!--qn-->Борис<!--/qn-->" in quoted and 'href="/forum/1-2-1-16-7"' in quoted
    assert "[b]x[/b]" in to_html("[code][b]x[/b][/code]", lambda _: None)
    assert to_html("[color=#f00]x[/color]", lambda _: None, Look(font=True)) == '<font color="#f00">x</font>'
    assert "тайна" not in to_html("[hide]тайна[/hide]", lambda _: None, Look(see_hidden=False))
