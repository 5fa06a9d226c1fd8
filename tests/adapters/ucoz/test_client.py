"""The uCoz client against a small scripted forum: forms echoed, nothing believed, everything read back."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from adapters.clock import ManualClock
from adapters.errors import (
    Flood,
    FormRefused,
    LoginFailed,
    NoThread,
    RecipientRefused,
    TopicClosed,
    UnknownOutcome,
    Unreachable,
)  # fmt: skip
from adapters.forum import Forum, ForumSettings, Place
from adapters.markup import own_text
from adapters.ucoz.client import connect
from adapters.ucoz.site import links_to_pages

START = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
MENU = '<a class="pmCatLink" href="/index/14">Входящие</a><a class="pmCatLink" href="/index/14-0-1">Отправленные</a>'


class FakeUcoz:
    """A forum with one account (uid 9) and one section 12."""

    def __init__(self) -> None:
        self.logged_in = False
        self.logins = 0
        self.password = "тайна"
        self.per_page = 3
        self.posts: dict[str, list[tuple[int, str, int, str]]] = {
            "12-345": [(n, "Анна", 5, f"слово {n}") for n in range(101, 108)]
        }
        self.titles = {"12-345": "Старая тема"}
        self.pms = {n: ("Анна", 5, f"ход {n}", f"бью <b>Бориса</b> {n}") for n in (31, 32, 33)}
        self.sent: list[tuple[int, str, str]] = []
        self.writes: list[dict[str, str]] = []
        self.log: list[str] = []
        self.refuse = ""
        self.after_write: Callable[[], httpx.Response | None] = lambda: None
        self.override: Callable[[str], httpx.Response | None] = lambda path: None
        self.closed = False
        self.charset = "utf-8"
        self.next_id = 500

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path = urlsplit(str(request.url)).path
        self.log.append(f"{request.method} {path}")
        assert request.headers["User-Agent"].startswith("forumbot")
        if (special := self.override(path)) is not None:
            return special
        if request.method == "POST":
            fields = dict(parse_qsl(request.content.decode("ascii"), keep_blank_values=True, encoding=self.charset))
            return self._post(path, fields)
        return self._page(self._get(path))

    def _get(self, path: str) -> str:
        if not self.logged_in:
            return '<form id="frmLg1" action="/index/sub/"><input name=user><input type=password name=password><input type=hidden name=rnd value=812></form>'
        if path == "/index/8":
            return '<a href="/index/8-9">мой профиль</a>'
        if path == "/forum/12":
            return "".join(
                f'<tr><td class="threadNametd"><a class="threadLink" href="/forum/{address}-1">{title}</a></td><td class="threadAuthTd">Ведущий</td></tr>'
                for address, title in self.titles.items()
            )
        if path == "/forum/12-0-0-1-1":
            return self._form('<tr id="frM27"><td><input id="frF3" name="tema"></td></tr>')
        if path in ("/index/14", "/index/14-0-1"):
            rows = (
                [(n, nick, uid, s) for n, (nick, uid, s, _) in self.pms.items()]
                if path == "/index/14"
                else [(n, nick, 5, s) for n, nick, s in self.sent]
            )
            body = "".join(
                f'<tr id="ent{n}"><td><a href="/index/14-{n}-0"><b class="unread">{s}</b></a></td><td><a href="/index/8-{uid}">{nick}</a></td></tr>'
                for n, nick, uid, s in rows
            )
            return f"{MENU}<table>{body}</table>"
        if path.startswith("/index/14-"):
            parts = path.removeprefix("/index/14-").split("-")
            if parts[1:] == ["0", "1"]:
                return self._form('<input id="PMtoUser" name="to" value="Анна"><input name="subject">', name="")
            nick, uid, subject, text = self.pms[int(parts[0])]
            return (
                f'{MENU}<table><tr><td><b>{subject}</b> <a href="/index/8-{uid}">{nick}</a></td><td align="right">04.03.2026, 14:05</td></tr>'
                f'<tr><td colspan="2">{text}<div id="pm7" class="outputPM">старое письмо</div></td></tr></table>'
            )
        if "-9-1" in path:
            return self._form(
                '<input type="checkbox" name="smon" value="1" checked><input type="checkbox" name="sgon" value="1">'
            )
        if path.startswith("/forum/") and path.count("-") == 2:
            _, topic, number = (
                path.rpartition("/")[2].rpartition("-")[0],
                path.removeprefix("/forum/").rpartition("-")[0],
                int(path.rpartition("-")[2]),
            )
            return self._thread(topic, number)
        return "форум"

    def _thread(self, topic: str, number: int) -> str:
        posts = self.posts[topic]
        pages = max(1, -(-len(posts) // self.per_page))
        shown = posts[(number - 1) * self.per_page : number * self.per_page]
        if number > pages:
            number, shown = pages, posts[:1]
        rows = "".join(
            f'<tr id="post{pid}"><td><table class="postTable"><tr><td><a class="postUser" href="#">{nick}</a></td><td>Сообщение # {posts.index((pid, nick, uid, text)) + 1}'
            f'</td></tr><tr><td><span id="ucoz-forum-post-{pid}" edit-url="">{text}</span></td></tr><tr><td><a href="/index/8-{uid}">п</a>'
            f'<a href="/forum/{topic}-{number}-9-{pid}-9-1">правка</a></td></tr></table></td></tr>'
            for pid, nick, uid, text in shown
        )
        form = "" if self.closed else self._form("", tid=topic)
        return f'<span class="pagesInfo">Страница {number} из {pages}</span><table class="gTable">{rows}</table>{form}'

    @staticmethod
    def _form(extra: str, *, tid: str = "", name: str = "addform") -> str:
        return (
            f'<form name="{name}" id="addform" action="/forum/"><input type="hidden" name="ssid" value="s1"><input type="hidden" name="x{tid}" value="1">'
            f'{extra}<textarea name="message"></textarea><input type="submit" name="sbm" value="Добавить"></form>'
        )

    def _post(self, path: str, fields: dict[str, str]) -> httpx.Response:
        if path == "/index/sub/":
            self.logins += 1
            assert fields["rnd"] == "812"
            if fields["password"] != self.password:
                return httpx.Response(200, text='<?xml version="1.0"?><cmds><cmd p="innerHTML">Неверный пароль</cmd></cmds>')
            self.logged_in = True
            return httpx.Response(
                200, text="<cmds><cmd p='js'>location.reload()</cmd></cmds>", headers={"Set-Cookie": "0siteuCoz=abc; path=/"}
            )
        self.writes.append(fields)
        assert fields["ssid"] == "s1"
        if self.refuse:
            return httpx.Response(200, text=f"<cmds><cmd p='innerHTML' t='frM2'>{self.refuse}</cmd></cmds>")
        self._store(fields)
        return self.after_write() or httpx.Response(200, text="<cmds><cmd>ok</cmd></cmds>")

    def _store(self, fields: dict[str, str]) -> None:
        self.next_id += 1
        html = (
            fields["message"]
            .replace("[color=red]", '<span style="color:red">')
            .replace("[/color]", "</span>")
            .replace("\n", "<br>")
        )
        if "subject" in fields:
            self.sent.append((self.next_id, fields["to"], fields["subject"]))
        elif "tema" in fields:
            self.titles = {f"12-{self.next_id}": fields["tema"], **self.titles}
            self.posts[f"12-{self.next_id}"] = [(self.next_id, "Ведущий", 9, html)]
        elif "smon" in fields:
            assert "sgon" not in fields
            self.posts["12-345"][-1] = (self.posts["12-345"][-1][0], "Ведущий", 9, html)
        else:
            self.posts["12-345"].append((self.next_id, "Ведущий", 9, html))

    def _page(self, body: str) -> httpx.Response:
        out = '<a href="/index/8"><b>Ведущий</b></a><a href="/index/10">Выход</a>' if self.logged_in else ""
        meta = f'<meta http-equiv="content-type" content="text/html; charset={self.charset}">'
        html = f"<html><head>{meta}</head><body>{out}{body}</body></html>"
        return httpx.Response(
            200, content=html.encode(self.charset), headers={"Date": "Wed, 04 Mar 2026 12:00:01 GMT", "Content-Type": "text/html"}
        )


@pytest.fixture
def fake() -> FakeUcoz:
    return FakeUcoz()


def forum_of(fake: FakeUcoz, **more: object) -> tuple[Forum, ManualClock]:
    clock = ManualClock(START)
    settings = ForumSettings("http://klub.ucoz.ru/", "host@mail", "тайна", **more)  # type: ignore[arg-type]
    return connect(settings, clock, transport=httpx.MockTransport(fake)), clock


def test_login_tells_who_we_are_and_is_not_repeated(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    assert (forum.login().nick, forum.login().uid) == ("Ведущий", 9)
    assert fake.logins == 1


def test_logins_that_do_not_help_are_rare_and_begin_again_after_a_rest(fake: FakeUcoz) -> None:
    """The forum loses every session for a while, and refuses nobody."""
    forum, clock = forum_of(fake)
    guest = fake._get("/forum/")
    fake.override = lambda path: httpx.Response(200, text=f"<html><body>{guest}</body></html>")
    for _ in range(6):
        with pytest.raises((NoThread, LoginFailed)):
            forum.login()
    assert fake.log.count("POST /index/sub/") == 4
    fake.override = lambda path: None
    with pytest.raises(LoginFailed):
        forum.login()
    clock.sleep(3600)
    assert forum.login().uid == 9


@pytest.mark.parametrize("body", ["Ведутся технические работы", '<form id="frmLg1" action="/index/sub/"><input name=user></form>'])
def test_a_page_in_place_of_our_profile_does_not_tell_who_we_are(fake: FakeUcoz, body: str) -> None:
    """Maintenance, or a session lost just then: asked again, and never taken for an account without a number."""
    forum, _ = forum_of(fake)
    shown = [httpx.Response(200, text=f"<html><body>{body}</body></html>")]
    fake.override = lambda path: shown.pop() if path == "/index/8" and shown else None
    with pytest.raises(NoThread):
        forum.login()
    assert forum.login().uid == 9


def test_refused_password_is_never_sent_again(fake: FakeUcoz) -> None:
    fake.password = "другая"
    forum, _ = forum_of(fake)
    for _ in range(3):
        with pytest.raises(LoginFailed, match="пароль"):
            forum.read_thread("12-345", Place())
    assert fake.logins == 1


def test_session_survives_in_a_file_that_only_the_owner_may_read(fake: FakeUcoz, tmp_path: Path) -> None:
    file = tmp_path / "cookies.json"
    forum, _ = forum_of(fake, state_file=str(file))
    forum.login()
    assert file.stat().st_mode & 0o777 == 0o600
    again, _ = forum_of(fake, state_file=str(file))
    seen: list[str] = []
    fake.override = lambda path: seen.append(path)  # type: ignore[func-returns-value]
    again.login()
    assert fake.logins == 1


def test_thread_is_read_from_its_place_to_its_last_page(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    first = forum.read_thread("12-345", Place())
    assert first.complete
    assert [post.id for post in first.posts] == list(range(101, 108))
    assert first.place == Place(107, 3)
    assert first.fetched == datetime(2026, 3, 4, 12, 0, 1, tzinfo=UTC)
    fake.posts["12-345"] += [(120, "Борис", 6, "новое"), (121, "Борис", 6, "ещё")]
    fake.log.clear()
    second = forum.read_thread("12-345", first.place)
    assert [post.id for post in second.posts] == [107, 120, 121]
    assert fake.log == ["GET /forum/12-345-3"]


def test_deleted_posts_move_later_ones_up_and_none_is_missed(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    place = forum.read_thread("12-345", Place()).place
    del fake.posts["12-345"][1:4]
    fake.posts["12-345"].append((130, "Борис", 6, "новое"))
    read = forum.read_thread("12-345", place)
    assert read.complete
    assert 130 in [post.id for post in read.posts]
    assert 107 in [post.id for post in read.posts]
    assert forum.read_thread("12-345", Place(), whole=True).complete


def test_page_number_that_the_forum_ignores_makes_the_read_incomplete(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    forum.login()
    page = fake._page(fake._thread("12-345", 1))
    fake.override = lambda path: httpx.Response(200, content=page.content) if path.startswith("/forum/12-345-") else None
    read = forum.read_thread("12-345", Place())
    assert not read.complete
    assert read.problems == ("repeated_page",)
    assert len(read.posts) == 3
    assert read.place == Place()


@pytest.mark.parametrize("posts", [5, 7])
def test_a_page_whose_switch_is_right_and_whose_posts_are_anothers_makes_the_read_incomplete(fake: FakeUcoz, posts: int) -> None:
    """The switch is made from the address, the posts are those of the first page, as if its first post stood on every page:
    what stands on the others must not be taken for deleted."""
    forum, _ = forum_of(fake)
    fake.posts["12-345"] = fake.posts["12-345"][:posts]
    place = forum.read_thread("12-345", Place()).place
    thread = fake._thread

    def ignoring(topic: str, number: int) -> str:
        switch = thread(topic, number).partition('<table class="gTable">')[0]
        return switch + '<table class="gTable">' + thread(topic, 1).partition('<table class="gTable">')[2]

    fake._thread = ignoring  # type: ignore[method-assign]
    for whole in (False, True):
        read = forum.read_thread("12-345", place, whole=whole)
        assert (read.complete, read.place) == (False, place)
    fake._thread = thread  # type: ignore[method-assign]
    assert forum.read_thread("12-345", place).complete


def test_a_last_post_that_was_deleted_costs_one_more_page_and_no_completeness(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    fake.posts["12-345"].append((108, "Борис", 6, "последнее"))
    place = forum.read_thread("12-345", Place()).place
    del fake.posts["12-345"][-1]
    fake.log.clear()
    assert forum.read_thread("12-345", place).complete
    assert fake.log == [f"GET /forum/12-345-{page}" for page in (3, 2, 3)]


def test_pinned_first_post_is_given_once_and_is_no_new_post(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    thread = fake._thread

    def pinned(topic: str, number: int) -> str:
        page = thread(topic, number)
        return (
            page
            if number == 1
            else page.replace(
                '<table class="gTable">',
                '<table class="gTable">' + thread(topic, 1).split('<table class="gTable">')[1].split('<tr id="post102"')[0],
            )
        )

    fake._thread = pinned  # type: ignore[method-assign]
    read = forum.read_thread("12-345", Place())
    assert read.complete
    assert [post.id for post in read.posts] == list(range(101, 108))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<html><body>Ведутся технические работы</body></html>", "maintenance"),
        ("<html><head><title>Just a moment...</title></head><body></body></html>", "challenge"),
        ("<html><body><table class=gTable><tr>", "truncated"),
    ],
)
def test_wall_is_never_an_empty_thread_nor_a_reason_to_log_in(fake: FakeUcoz, body: str, reason: str) -> None:
    forum, _ = forum_of(fake)
    fake.override = lambda path: httpx.Response(200, text=body)
    with pytest.raises(NoThread) as refused:
        forum.read_thread("12-345", Place())
    assert refused.value.reason == reason
    assert fake.logins == 0


def test_session_lost_in_the_middle_costs_one_login(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    forum.login()
    fake.logged_in = False
    assert forum.read_thread("12-345", Place()).complete
    assert fake.logins == 2


def test_reply_echoes_the_form_waits_and_is_read_back(fake: FakeUcoz) -> None:
    forum, clock = forum_of(fake)
    stored = forum.reply("12-345", "Голос: [color=red]Анна[/color]\nвсё")
    assert stored.post_id == 501
    assert fake.writes == [{"ssid": "s1", "x12-345": "1", "message": "Голос: [color=red]Анна[/color]\nвсё"}]
    assert (clock.now() - START).total_seconds() >= 3
    begun = clock.now()
    forum.reply("12-345", "второе")
    assert (clock.now() - begun).total_seconds() >= 12


def test_reply_whose_answer_was_lost_is_found_and_not_sent_again(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    fake.after_write = lambda: httpx.Response(502, text="bad gateway")
    assert forum.reply("12-345", "газета").post_id == 501
    assert len(fake.writes) == 1


def test_reply_that_is_nowhere_to_be_seen_is_of_unknown_outcome(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    fake._store = lambda fields: None  # type: ignore[method-assign,assignment]
    with pytest.raises(UnknownOutcome):
        forum.reply("12-345", "газета")


@pytest.mark.parametrize(
    ("said", "error"),
    [("Подождите 30 секунд", Flood), ("Неправильный код безопасности", FormRefused), ("Тема закрыта", TopicClosed)],
)
def test_refusal_is_told_by_its_kind(fake: FakeUcoz, said: str, error: type[Exception]) -> None:
    forum, _ = forum_of(fake)
    fake.refuse = said
    with pytest.raises(error) as refused:
        forum.reply("12-345", "газета")
    if isinstance(refused.value, Flood):
        assert refused.value.wait == 30


def test_closed_topic_has_no_form(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    fake.closed = True
    with pytest.raises(TopicClosed):
        forum.reply("12-345", "газета")
    assert fake.writes == []


def test_topic_is_opened_found_and_its_post_edited(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    assert forum.find_topic("12", "День первый") is None
    opened = forum.open_topic("12", "День первый", "Голосуйте")
    assert (opened.topic, opened.post_id) == ("12-501", 501)
    found = forum.find_topic("12", "день  Первый")
    assert found is not None
    assert found.topic == "12-501"
    last = forum.reply("12-345", "старое")
    assert last.post_id is not None
    forum.edit("12-345", last.post_id, "новое")
    assert fake.posts["12-345"][-1][3] == "новое"
    assert forum.find_reply("12-345", "новое") is not None
    assert forum.find_reply("12-345", "старое") is None


def test_inbox_gives_bodies_oldest_first(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    messages = forum.inbox(after_id=31)
    assert [(one.id, one.author, one.author_uid, one.subject, own_text(one.runs)) for one in messages] == [
        (32, "Анна", 5, "ход 32", "бью Бориса 32"),
        (33, "Анна", 5, "ход 33", "бью Бориса 33"),
    ]
    assert messages[0].sent is not None
    assert messages[0].sent.isoformat() == "2026-03-04T14:05:00+03:00"


def test_message_that_fails_to_be_read_stays_for_the_next_time(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    forum.login()
    fake.override = lambda path: (
        httpx.Response(200, text="<html><body>Ведутся технические работы</body></html>") if path == "/index/14-32-0" else None
    )
    assert [one.id for one in forum.inbox()] == [31]
    with pytest.raises(NoThread):
        forum.inbox(after_id=31)
    fake.override = lambda path: None
    assert [one.id for one in forum.inbox(after_id=31)] == [32, 33]


def test_private_message_is_sent_once_and_seen_among_the_sent(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    assert not forum.find_sent_pm("Анна", "Роль")
    forum.send_pm(5, "Анна", "Роль", "Вы доктор")
    assert fake.sent == [(501, "Анна", "Роль")]
    assert forum.find_sent_pm("анна", "роль")
    fake.refuse = "Пользователь в базе не найден"
    with pytest.raises(RecipientRefused):
        forum.send_pm(5, "Анна", "Ещё", "текст")


def test_windows_1251_forum_gets_its_own_bytes(fake: FakeUcoz) -> None:
    fake.charset = "cp1251"
    forum, _ = forum_of(fake)
    forum.reply("12-345", "Ёлка и 🐺")
    assert fake.writes[0]["message"] == "Ёлка и &#128058;"


def test_foreign_tags_are_made_harmless(fake: FakeUcoz) -> None:
    forum, _ = forum_of(fake)
    escaped = forum.escape("[b]Я[/b] [color=red]x[/color] [Кот] @ник http://x.ru :) [")
    assert "[b]" not in escaped
    assert "[color" not in escaped
    assert "[/" not in escaped
    assert "[Кот] @ник http:\xa0//x.ru :\xa0) [" in escaped


def test_no_connection_is_safe_to_try_again(fake: FakeUcoz) -> None:
    def broken(path: str) -> httpx.Response:
        raise httpx.ConnectError("no route")

    forum, clock = forum_of(fake)
    fake.override = broken
    with pytest.raises(Unreachable):
        forum.read_thread("12-345", Place())
    assert len(fake.log) == 3
    assert clock.now() > START


@pytest.mark.parametrize("author", ["", '<td class="threadAuthTd">Ведущий</td>'], ids=["no author in the list", "our nick in the list"])
@pytest.mark.parametrize(("nick", "uid", "mine"), [("Анна", 5, False), ("Ведущий", 66, False), ("Ведущий", 9, True)])
def test_x08_whose_a_topic_is_its_first_post_tells(fake: FakeUcoz, author: str, nick: str, uid: int, mine: bool) -> None:
    """A template may name no author in the list, and anybody may open a topic of our title."""
    fake.titles["12-600"], fake.posts["12-600"] = "День первый", [(600, nick, uid, "Голосуйте")]
    listed = fake._get
    fake._get = lambda path: listed(path).replace('<td class="threadAuthTd">Ведущий</td>', author)  # type: ignore[method-assign]
    forum, _ = forum_of(fake)
    (headed,) = forum.topics_named("12", "День первый")
    assert (headed.topic, headed.mine, headed.first.author) == ("12-600", mine, nick)
    assert (forum.find_topic("12", "День первый") is not None) == mine


def test_p04_a_topic_whose_posts_cannot_be_read_is_not_taken_for_one_that_is_gone(fake: FakeUcoz) -> None:
    """Else a topic of ours, looked for while the owner changes the template, would be opened twice."""
    fake.titles["12-600"], fake.posts["12-600"] = "День первый", [(600, "Ведущий", 9, "Голосуйте")]
    listed = fake._get
    fake._get = lambda path: listed(path).replace("ucoz-forum-post", "owners-own-post")  # type: ignore[method-assign]
    forum, _ = forum_of(fake)
    with pytest.raises(NoThread) as gone:
        forum.topics_named("12", "День первый")
    assert gone.value.reason == "no_posts"


@pytest.mark.parametrize(
    "body",
    [
        "<html><body><form id=\"frmLg1\" action=\"/index/sub/\"><b>Пароль",
        "<html><head><title>Технические работы</title></head><body>Сайт временно недоступен, войдите с паролем позже</body></html>",
        "<h1>502 Bad Gateway</h1>",
        "Сайт временно недоступен. Логин и пароль вводить не нужно.",
        "<html><body>Just a moment... checking your browser, enter password later</body></html>",
        "<cmds><cmd p='inn",
        "",
    ],
)  # fmt: skip
def test_a11_an_answer_that_says_nothing_of_the_password_is_no_refusal(fake: FakeUcoz, body: str) -> None:
    forum, clock = forum_of(fake)
    shown = [httpx.Response(200, text=body) for _ in range(2)]
    fake.override = lambda path: shown.pop() if path == "/index/sub/" and shown else None
    with pytest.raises((NoThread, LoginFailed)):
        forum.login()
    clock.sleep(3600)
    assert forum.login().uid == 9


def test_x09_the_box_that_makes_html_of_a_message_is_never_sent(fake: FakeUcoz, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = FakeUcoz._form
    box = '<input type="checkbox" name="ahtml" value="1" checked>'
    monkeypatch.setattr(FakeUcoz, "_form", staticmethod(lambda extra, **names: usual(box + extra, **names)))
    forum, _ = forum_of(fake)
    forum.reply("12-345", "Вечерняя газета")
    assert fake.writes and all("ahtml" not in fields for fields in fake.writes)


@pytest.mark.parametrize("number", ["7" * 5_000, "9" * 10, "²", "٣"])
def test_x01_no_link_in_a_message_stops_the_reading_of_its_thread(number: str) -> None:
    """Whoever may write a link may write one to any page of the topic, however far."""
    page = LexborHTMLParser(f'<span id="ucoz-forum-post-7"><a href="http://f.example/forum/3-45-{number}">{number}</a></span>')
    assert not links_to_pages(page, "3-45")
