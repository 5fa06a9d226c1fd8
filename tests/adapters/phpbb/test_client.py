"""The phpBB client against a small scripted board, 3.3 and 3.0: tokens, ripening forms, refusals, held messages."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import pytest

from adapters.clock import ManualClock
from adapters.errors import (
    BoxFull,
    Flood,
    FormRefused,
    LoginFailed,
    NoThread,
    RecipientRefused,
    TooLong,
    TopicClosed,
    UnknownOutcome,
)
from adapters.forum import Forum, ForumSettings, Place
from adapters.markup import own_text
from adapters.phpbb.client import connect

START = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
OUT = '<a href="./ucp.php?mode=logout&amp;sid=aa">Выход</a><a href="./memberlist.php?mode=viewprofile&amp;u=9" class="username">Ведущий</a>'


class FakeBoard:
    """A board with one account (uid 9), forum 7, topic 345 and an inbox of at most ``room`` messages."""

    def __init__(self, clock: ManualClock, *, old: bool = False) -> None:
        self.clock = clock
        self.old = old
        self.logged_in = False
        self.logins = 0
        self.password = "тайна"
        self.login_error = "Вы ввели неверный пароль."
        self.captcha = False
        self.posts: dict[int, list[tuple[int, str, int, str]]] = {345: [(n, "Анна", 5, f"слово {n}") for n in range(101, 113)]}
        self.titles = {345: "Старая тема"}
        self.step = 5
        self.inbox: list[int] = [31, 32, 33]
        self.held: list[int] = []
        self.room = 50
        self.outbox: list[tuple[int, str]] = []
        self.next_id = 500
        self.tokens: dict[str, datetime] = {}
        self.writes: list[list[tuple[str, str]]] = []
        self.log: list[str] = []
        self.say = ""
        self.meanwhile: Callable[[], None] | None = None
        self.after_write: Callable[[], httpx.Response | None] = lambda: None
        self.no_pm = False
        self.locked = False

    def __call__(self, request: httpx.Request) -> httpx.Response:
        url = urlsplit(str(request.url))
        query = {key: values[-1] for key, values in parse_qs(url.query).items()}
        page = url.path.rpartition("/")[2]
        self.log.append(f"{request.method} {page}?{url.query}")
        fields = parse_qsl(request.content.decode("ascii"), keep_blank_values=True) if request.method == "POST" else []
        handler: Callable[[dict[str, str], list[tuple[str, str]]], httpx.Response] = getattr(self, "_" + page.partition(".")[0])
        if not self.logged_in and page != "index.php" and query.get("mode") != "login":
            return self._login_page()
        return handler(query, fields)

    # pages

    def _html(self, body: str) -> httpx.Response:
        out = OUT if self.logged_in else ""
        return httpx.Response(
            200,
            text=f"<html><head><title>Клуб</title></head><body>{out}{body}<p>Часовой пояс: UTC+03:00</p></body></html>",
            headers={"Set-Cookie": f"phpbb_u={9 if self.logged_in else 1}; path=/", "Date": "Wed, 04 Mar 2026 12:00:01 GMT"},
        )

    def _message(self, text: str) -> httpx.Response:
        return self._html(f'<div id="message"><h2>Информация</h2><p>{text}</p></div>')

    def _token(self) -> str:
        token = f"t{len(self.tokens)}"
        self.tokens[token] = self.clock.now()
        return f'<input type="hidden" name="creation_time" value="1"><input type="hidden" name="form_token" value="{token}">'

    def _ripe(self, fields: dict[str, str]) -> bool:
        born = self.tokens.pop(fields.get("form_token", ""), None)
        return born is not None and (self.clock.now() - born).total_seconds() >= 1

    def _index(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        return self._html('<div class="forumbg">форумы</div>')

    def _login_page(self, error: str = "") -> httpx.Response:
        captcha = '<input name="confirm_code">' if self.captcha else ""
        return self._html(
            f'<form id="login" action="./ucp.php?mode=login&amp;sid=bb"><div class="error">{error}</div><input name="username"><input type="password" '
            f'name="password"><input type="checkbox" name="autologin"><input type="hidden" name="redirect" value="a"><input type="hidden" '
            f'name="redirect" value="index.php">{captcha}{self._token()}<input type="submit" name="login" value="Вход"></form>'
        )

    def _ucp(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        if query.get("mode") == "login":
            return self._login(fields)
        if query.get("mode") == "compose":
            return self._compose(query, fields)
        if query.get("mode") == "view":
            number = int(query["p"])
            return self._html(
                f'<div id="post-{number}" class="post pm"><div class="postbody"><p class="author"><strong>Отправлено:</strong> 04.03.2026, 15:07:{number % 60:02d} '
                f'<strong>От:</strong> <a href="./memberlist.php?mode=viewprofile&amp;u=5" class="username">Анна</a></p>'
                f'<div class="content">бью <b>Бориса</b> {number}</div></div></div>'
            )
        if fields:
            return self._marked(fields)
        folder = query.get("folder", "inbox")
        if query.get("release") and len(self.inbox) < self.room:
            self.inbox, self.held = self.inbox + self.held, []
        rows = [(n, f"ход {n}") for n in self.inbox] if folder == "inbox" else self.outbox if folder == "outbox" else []
        start = int(query.get("start", 0))
        held = '<div class="notice">У вас 1 отложенное сообщение <a href="./ucp.php?i=pm&amp;folder=inbox&amp;release=1&amp;sid=ab">впустить</a></div>'
        lines = "".join(
            f'<li class="row"><dl class="pm_unread"><dt><a class="topictitle" href="./ucp.php?i=pm&amp;mode=view&amp;f=0&amp;p={n}">{subject}</a><br>'
            f'<a href="./memberlist.php?mode=viewprofile&amp;u=5" class="username">Анна</a></dt></dl></li>'
            for n, subject in list(reversed(rows))[start : start + 2]
        )
        pager = "".join(
            f'<li><a href="./ucp.php?i=pm&amp;folder={folder}&amp;start={s}">{s}</a></li>' for s in range(2, len(rows), 2)
        )
        return self._html(
            f'{held if self.held and folder == "inbox" else ""}<form id="viewfolder" action="./ucp.php?i=pm&amp;folder={folder}"><ul class="cplist pmlist">'
            f'{lines}</ul><div class="pagination"><ul>{pager}</ul></div><input type="hidden" name="cur_folder_id" value="0">{self._token()}'
            '<input type="submit" name="submit_mark" value="Перейти"></form>'
        )

    def _marked(self, fields: list[tuple[str, str]]) -> httpx.Response:
        got = dict(fields)
        if "confirm" in got:
            assert got["confirm"] == "Да"
            doomed = {int(got[name]) for name in got if name.startswith("gone")}
            self.inbox = [n for n in self.inbox if n not in doomed]
            return self._message("Удалено")
        assert self._ripe(got)
        assert got["mark_option"] == "delete_marked"
        ids = [value for name, value in fields if name == "marked_msg_id[]"]
        hidden = "".join(f'<input type="hidden" name="gone{n}" value="{n}">' for n in ids)
        return self._html(
            f'<form id="confirm" action="./ucp.php?i=pm&amp;confirm_key=K">{hidden}<input type="submit" name="confirm" value="Да"></form>'
        )

    def _login(self, fields: list[tuple[str, str]]) -> httpx.Response:
        if self.logged_in:
            return httpx.Response(302, headers={"Location": "./index.php"})
        if not fields:
            return self._login_page()
        got = dict(fields)
        assert [value for name, value in fields if name == "redirect"] == ["a", "index.php"]
        if not self._ripe(got):
            return self._login_page("Ошибка отправки формы. Попробуйте ещё раз.")
        self.logins += 1
        if got["password"] != self.password:
            return self._login_page(self.login_error)
        assert got["autologin"] == "on"
        self.logged_in = True
        return httpx.Response(302, headers={"Location": "./index.php?sid=cc", "Set-Cookie": "phpbb_u=9; path=/"})

    def _viewtopic(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        topic = int(query.get("t", 0)) or next(
            (t for t, posts in self.posts.items() if any(one[0] == int(query["p"]) for one in posts)), 0
        )
        if topic not in self.posts:
            return self._message("Запрошенной темы не существует.")
        posts = self.posts[topic]
        pages = max(1, -(-len(posts) // self.step))
        start = int(query.get("start", 0))
        if "p" in query:
            start = [one[0] for one in posts].index(int(query["p"])) // self.step * self.step
        number = min(start // self.step + 1, pages)
        shown = posts[(number - 1) * self.step : number * self.step]
        f = "f=7&amp;" if self.old else ""
        body = "".join(
            f'<div id="p{pid}" class="post"><dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&amp;u={uid}" class="username">{nick}</a></dt></dl>'
            f'<div class="postbody"><a href="./posting.php?mode=edit&amp;{f}p={pid}">Правка</a><p class="author"><time datetime="2026-03-04T12:00:00+00:00">x</time></p>'
            f'<div class="content">{text}</div></div></div>'
            for pid, nick, uid, text in shown
        )
        links = "".join(
            f"<li class='active'><span>{n + 1}</span></li>"
            if n + 1 == number
            else f"<li><a href='./viewtopic.php?t={topic}&amp;start={n * self.step}'>{n + 1}</a></li>"
            for n in range(pages)
        )
        return self._html(
            f'<h2 class="topic-title"><a>{self.titles[topic]}</a></h2><div class="action-bar"><a href="./posting.php?mode=reply&amp;{f}t={topic}&amp;sid=ab12">Ответить</a>'
            f'<div class="pagination"><ul>{links}</ul></div></div>{body}'
        )

    def _viewforum(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        rows = "".join(
            f'<li class="row"><a class="topictitle" href="./viewtopic.php?t={t}">{title}</a><a href="./memberlist.php?mode=viewprofile&amp;u={self.posts[t][0][2]}">'
            f"{self.posts[t][0][1]}</a></li>"
            for t, title in self.titles.items()
        )
        return self._html(f'<div class="forumbg"><ul>{rows}</ul></div>')

    def _search(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        return self._html('<div class="forumbg">Подходящих тем не найдено</div>')

    # writing

    def _form(self, query: dict[str, str], extra: str = "", error: str = "") -> httpx.Response:
        last = max((one[0] for one in self.posts.get(int(query.get("t", 0)), [])), default=0)
        stale = f'<input type="hidden" name="topic_cur_post_id" value="{last}">' if query["mode"] == "reply" else ""
        tick = '<input type="checkbox" name="lock_topic" checked>' if self.locked else '<input type="checkbox" name="lock_topic">'
        action = "&amp;".join(f"{key}={value}" for key, value in query.items())
        script = "ucp.php" if query["mode"] == "compose" else "posting.php"
        return self._html(
            f'<form id="postform" action="./{script}?{action}"><p class="error">{error}</p><input name="subject" value="Re: Тема">{extra}{stale}{tick}'
            f'<input type="checkbox" name="attach_sig" checked><textarea name="message"></textarea>{self._token()}'
            '<input type="submit" name="preview" value="Предпросмотр"><input type="submit" name="post" value="Отправить"></form>'
        )

    def _posting(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        if self.old and "f" not in query:
            return self._message("Запрошенного раздела не существует.")
        if self.say.startswith("!"):
            return self._message(self.say[1:])
        if not fields:
            return self._form(query)
        got = dict(fields)
        self.writes.append(fields)
        assert got["attach_sig"] == "on"
        if not self._ripe(got) or "post" not in got:
            return self._form(query, error="Ошибка отправки формы. Попробуйте ещё раз.")
        if self.meanwhile is not None:
            self.meanwhile()
            self.meanwhile = None
            return self._form(query)
        if self.say:
            return self._form(query, error=self.say)
        self.next_id += 1
        html = (
            got["message"]
            .replace("[color=red]", '<span style="color:red">')
            .replace("[/color]", "</span>")
            .replace("\n", "<br>\n")
        )
        if query["mode"] == "post":
            self.titles = {self.next_id: got["subject"], **self.titles}
            self.posts[self.next_id] = [(self.next_id, "Ведущий", 9, html)]
            where = f"t={self.next_id}"
        elif query["mode"] == "edit":
            pid = int(query["p"])
            for posts in self.posts.values():
                posts[:] = [(one[0], one[1], one[2], html) if one[0] == pid else one for one in posts]
            where = f"p={pid}#p{pid}"
        else:
            self.posts[int(query["t"])].append((self.next_id, "Ведущий", 9, html))
            where = f"p={self.next_id}#p{self.next_id}"
        return self.after_write() or httpx.Response(302, headers={"Location": f"http://club.example/viewtopic.php?{where}"})

    def _compose(self, query: dict[str, str], fields: list[tuple[str, str]]) -> httpx.Response:
        to = "" if self.no_pm else f'<input type="hidden" name="address_list[u][{query["u"]}]" value="to">'
        if not fields:
            return self._form(
                query, extra=to, error="Некоторые пользователи отключили получение личных сообщений" if self.no_pm else ""
            )
        got = dict(fields)
        assert got[f"address_list[u][{query['u']}]"] == "to"
        assert self._ripe(got)
        self.next_id += 1
        self.outbox.append((self.next_id, got["subject"]))
        return self.after_write() or self._message("Ваше сообщение успешно отправлено.")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def board(clock: ManualClock) -> FakeBoard:
    return FakeBoard(clock)


def forum_of(board: FakeBoard, **more: object) -> Forum:
    settings = ForumSettings("http://club.example/", "Ведущий", "тайна", **more)  # type: ignore[arg-type]
    return connect(settings, board.clock, transport=httpx.MockTransport(board))


def test_login_waits_remembers_and_tells_who_we_are(board: FakeBoard) -> None:
    forum = forum_of(board)
    assert (forum.login().nick, forum.login().uid) == ("Ведущий", 9)
    assert board.logins == 1


def test_refused_password_is_never_sent_again(board: FakeBoard) -> None:
    board.password = "другая"
    forum = forum_of(board)
    for _ in range(3):
        with pytest.raises(LoginFailed, match="неверный пароль"):
            forum.read_thread("345", Place())
    assert board.logins == 1


def test_a_login_form_that_is_stale_each_time_is_no_refused_password(board: FakeBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_ripe", lambda fields: False)
    forum = forum_of(board)
    with pytest.raises(NoThread) as refused:
        forum.login()
    assert refused.value.reason == "login_required"
    monkeypatch.undo()
    assert forum.login().uid == 9


def test_captcha_at_login_is_left_to_a_person(board: FakeBoard) -> None:
    board.captcha = True
    with pytest.raises(LoginFailed, match="картинки"):
        forum_of(board).login()
    assert board.logins == 0


def test_thread_is_read_with_the_boards_own_step(board: FakeBoard) -> None:
    forum = forum_of(board)
    read = forum.read_thread("345", Place())
    assert read.complete
    assert [post.id for post in read.posts] == list(range(101, 113))
    assert read.place == Place(112, 3)
    board.posts[345].append((120, "Борис", 6, "новое"))
    board.log.clear()
    assert [post.id for post in forum.read_thread("345", read.place).posts] == [111, 112, 120]
    assert board.log == ["GET viewtopic.php?t=345&start=10"]


def test_fresh_client_finds_the_page_of_its_place(board: FakeBoard) -> None:
    read = forum_of(board).read_thread("345", Place(112, 3))
    assert read.complete
    assert [post.id for post in read.posts][-2:] == [111, 112]


def test_vanished_posts_move_others_up_and_the_page_before_is_read(board: FakeBoard) -> None:
    forum = forum_of(board)
    place = forum.read_thread("345", Place()).place
    board.posts[345] = [*board.posts[345][:3], *board.posts[345][5:], *[(n, "Борис", 6, "новое") for n in range(120, 123)]]
    read = forum.read_thread("345", place)
    assert read.complete
    assert {112, 120, 121, 122} <= {post.id for post in read.posts}


def test_missing_topic_is_no_empty_thread(board: FakeBoard) -> None:
    with pytest.raises(NoThread) as refused:
        forum_of(board).read_thread("999", Place())
    assert refused.value.reason == "not_found"


def test_session_lost_in_the_middle_costs_one_login(board: FakeBoard) -> None:
    forum = forum_of(board)
    forum.login()
    board.logged_in = False
    assert forum.read_thread("345", Place()).complete
    assert board.logins == 2


@pytest.mark.parametrize("old", [False, True], ids=["3.3", "3.0"])
def test_reply_topic_and_edit_are_stored_and_read_back(clock: ManualClock, old: bool) -> None:
    board = FakeBoard(clock, old=old)
    forum = forum_of(board)
    stored = forum.reply("345", "Голос: [color=red]Анна[/color]\nвсё")
    assert (stored.topic, stored.post_id) == ("345", 501)
    names = [name for name, _ in board.writes[0]]
    assert "lock_topic" not in names
    assert {"topic_cur_post_id", "form_token", "subject", "attach_sig", "post"} <= set(names)
    forum.edit("345", 501, "исправлено")
    assert board.posts[345][-1][3] == "исправлено"
    assert forum.find_reply("345", "исправлено") == stored
    opened = forum.open_topic("7", "День первый", "Голосуйте")
    assert opened.post_id == 503
    found = forum.find_topic("7", "день первый")
    assert found is not None
    assert found.topic == opened.topic


def test_writings_keep_the_flood_interval(board: FakeBoard) -> None:
    forum = forum_of(board)
    forum.reply("345", "раз")
    begun = board.clock.now()
    forum.send_pm(5, "Анна", "Роль", "Вы доктор")
    assert (board.clock.now() - begun).total_seconds() >= 12


def test_reply_is_sent_again_when_somebody_posted_meanwhile(board: FakeBoard) -> None:
    board.meanwhile = lambda: board.posts[345].append((130, "Анна", 5, "опередила"))
    stored = forum_of(board).reply("345", "газета")
    assert stored.post_id == 501
    assert [dict(fields)["topic_cur_post_id"] for fields in board.writes] == ["112", "130"]
    assert [one[3] for one in board.posts[345]].count("газета") == 1


def test_lock_tick_of_a_locked_topic_is_kept(board: FakeBoard) -> None:
    board.locked = True
    forum_of(board).reply("345", "газета")
    assert dict(board.writes[0])["lock_topic"] == "on"


def test_reply_whose_answer_was_lost_is_not_sent_again(board: FakeBoard) -> None:
    board.after_write = lambda: httpx.Response(500, text="oops")
    forum = forum_of(board)
    with pytest.raises(UnknownOutcome):
        forum.reply("345", "газета")
    assert len(board.writes) == 1
    found = forum.find_reply("345", "газета", after_id=112)
    assert found is not None
    assert found.post_id == 501


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("Вы не можете отправить следующее сообщение сразу после предыдущего. Подождите 9 секунд", Flood),
        ("Ваше сообщение слишком короткое.", FormRefused),
        ("!Эта тема закрыта, вы не можете редактировать и оставлять сообщения в ней.", TopicClosed),
        ("!Вы не можете добавлять сообщения в этом форуме.", TopicClosed),
    ],
)
def test_refusal_is_told_by_its_kind(board: FakeBoard, said: str, error: type[Exception]) -> None:
    board.say = said
    with pytest.raises(error) as refused:
        forum_of(board).reply("345", "газета")
    if isinstance(refused.value, Flood):
        assert refused.value.wait == 9
    assert len(board.writes) <= 1


def test_form_that_comes_back_for_ever_is_given_up(board: FakeBoard) -> None:
    board.say = "Ошибка отправки формы. Попробуйте ещё раз."
    with pytest.raises(FormRefused):
        forum_of(board).reply("345", "газета")
    assert 1 < len(board.writes) <= 3


def test_post_that_waits_for_approval_is_of_unknown_outcome(board: FakeBoard) -> None:
    def hide() -> httpx.Response:
        board.posts[345].pop()
        return board._message("Сообщение отправлено, но должно быть одобрено модератором, прежде чем станет видно.")

    board.after_write = hide
    with pytest.raises(UnknownOutcome, match="одобрено"):
        forum_of(board).reply("345", "газета")


def test_inbox_over_its_pages_oldest_first_with_exact_times(board: FakeBoard) -> None:
    messages = forum_of(board).inbox(after_id=31)
    assert [(one.id, one.author, one.author_uid, own_text(one.runs), one.exact) for one in messages] == [
        (32, "Анна", 5, "бью Бориса 32", True),
        (33, "Анна", 5, "бью Бориса 33", True),
    ]
    assert messages[0].sent is not None
    assert messages[0].sent.isoformat() == "2026-03-04T15:07:32+03:00"


def test_held_messages_are_let_in_after_room_was_made(board: FakeBoard) -> None:
    board.room, board.held = 3, [34]
    assert [one.id for one in forum_of(board).inbox(after_id=32)] == [33, 34]
    assert board.inbox == [33, 34]


def test_held_messages_that_find_no_room_are_not_passed_over(board: FakeBoard) -> None:
    board.room, board.held = 3, [34]
    with pytest.raises(BoxFull):
        forum_of(board).inbox(after_id=0)


def test_private_message_is_sent_and_seen_in_the_outbox(board: FakeBoard) -> None:
    forum = forum_of(board)
    forum.send_pm(5, "Анна", "Роль", "Вы доктор")
    assert board.outbox == [(501, "Роль")]
    assert forum.find_sent_pm("анна", "роль")
    assert not forum.find_sent_pm("Борис", "Роль")


def test_p04_a_sent_message_is_known_by_its_mark_whatever_became_of_words_and_nick(board: FakeBoard) -> None:
    """A censor changes words of the subject, the owner the nick, before the bot looks whether its message arrived."""
    forum = forum_of(board)
    forum.send_pm(5, "Анна", "[demo] Игра: письмо *** (ЧДВПСШ)", "Ход принят")
    assert forum.find_sent_pm("Анна", "[demo] Игра: письмо прочитано (ЧДВПСШ)")
    assert forum.find_sent_pm("Аннушка", "[demo] Игра: письмо прочитано (ЧДВПСШ)")
    assert not forum.find_sent_pm("Анна", "[demo] Игра: письмо *** (ЧДВПСЖ)")
    assert not forum.find_sent_pm("Анна", "[demo] Игра: письмо прочитано")


def test_recipient_who_takes_no_messages(board: FakeBoard) -> None:
    board.no_pm = True
    with pytest.raises(RecipientRefused, match="отключили"):
        forum_of(board).send_pm(5, "Анна", "Роль", "Вы доктор")
    assert board.outbox == []


def test_nothing_secret_is_logged(board: FakeBoard, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        forum_of(board).reply("345", "газета")
    assert not re.search(r"тайна|form_token|sid=|phpbb_u", caplog.text)


def test_switched_off_board_is_no_refused_password(board: FakeBoard) -> None:
    forum = forum_of(board)
    index = board._index
    board._index = lambda query, fields: httpx.Response(  # type: ignore[method-assign]
        200, text='<html><body><div id="message"><p>Переезжаем, вернёмся к вечеру</p></div></body></html>'
    )
    with pytest.raises(NoThread) as refused:
        forum.login()
    assert refused.value.reason == "maintenance"
    board._index = index  # type: ignore[method-assign]
    assert forum.login().uid == 9


LAST_POSTER = (
    '<div class="responsive-show" style="display: none;">Последнее сообщение <a href="./memberlist.php?mode=viewprofile&amp;u=5" '
    'class="username">Анна</a> &laquo; <a href="./viewtopic.php?p=130#p130"><time datetime="2026-03-04T12:00:00+00:00">х</time></a></div>'
)


def test_p01_our_topic_is_known_when_somebody_else_wrote_last(board: FakeBoard) -> None:
    """3.3 names the last poster before the author; only the first post tells whose a topic is."""
    forum = forum_of(board)
    opened = forum.open_topic("7", "День первый", "Голосуйте")
    listed = board._viewforum
    board._viewforum = lambda query, fields: httpx.Response(  # type: ignore[method-assign]
        200, text=listed(query, fields).text.replace("</a><a", f"</a>{LAST_POSTER}<a")
    )
    found = forum.find_topic("7", "День первый")
    assert found is not None
    assert found.topic == opened.topic


def test_p01_a_topic_of_somebody_else_is_none_of_ours(board: FakeBoard) -> None:
    board.titles[400], board.posts[400] = "День первый", [(400, "Ведущий", 66, "Голосуйте")]
    forum = forum_of(board)
    assert forum.find_topic("7", "День первый") is None
    (headed,) = forum.topics_named("7", "День первый")
    assert (headed.topic, headed.mine, headed.first.author_uid) == ("400", False, 66)


CENSORED = {"Голосуйте за лоха": "Голосуйте за ****", "см. http://club.example/viewtopic.php?t=5": "см. viewtopic.php?t=5", "и\u0306": "й"}


@pytest.mark.parametrize("sent", CENSORED)
def test_p04_the_answer_names_the_post_whatever_became_of_its_words(board: FakeBoard, sent: str) -> None:
    forum = forum_of(board)

    def censor() -> None:
        pid, nick, uid, html = board.posts[345].pop()
        board.posts[345].append((pid, nick, uid, html.replace(sent, CENSORED[sent])))

    board.after_write = censor  # type: ignore[assignment,return-value]
    stored = forum.reply("345", sent)
    assert stored.post_id == 501
    assert stored.changed == (sent == "Голосуйте за лоха")


def test_p04_changed_words_are_found_when_the_answer_was_lost(board: FakeBoard) -> None:
    board.posts[345].append((501, "Ведущий", 9, "Казнён **** Борис, он был мирным жителем"))
    forum = forum_of(board)
    sent = "Казнён лох Борис, он был мирным жителем"
    assert forum.find_reply("345", sent, after_id=112) is None
    found = forum.find_reply("345", sent, after_id=112, loosely=True)
    assert found is not None
    assert (found.post_id, found.changed) == (501, True)
    assert forum.find_reply("345", sent, after_id=112, known={501}, loosely=True) is None


@pytest.mark.parametrize("name", ["do_merge", "posts_merging_option", "merge"])
def test_p05_a_tick_that_would_glue_posts_is_taken_out(board: FakeBoard, name: str) -> None:
    form = board._form
    board._form = lambda query, extra="", error="": form(  # type: ignore[method-assign]
        query, f'<input type="checkbox" name="{name}" checked>', error
    )
    forum_of(board).reply("345", "газета")
    assert name not in dict(board.writes[0])


def test_p05_a_post_that_was_glued_to_our_last_one_is_recognised(board: FakeBoard) -> None:
    board.posts[345].append((501, "Ведущий", 9, "первая<br><span>Добавлено спустя 33 секунды:</span><br>вторая"))
    found = forum_of(board).find_reply("345", "вторая", after_id=501, loosely=True)
    assert found is not None
    assert (found.post_id, found.changed) == (501, True)


def test_p07_subjects_are_the_lists_own_and_not_the_menus(board: FakeBoard) -> None:
    """The menu of notifications names the same messages in words of its own."""
    menu = (
        '<div id="page-header"><ul id="nav-main" class="nav-main"><li><div id="notification_list" class="dropdown notification_list"><ul><li>'
        '<a class="notification-block" href="./ucp.php?i=pm&amp;mode=view&amp;p=33">Личное сообщение от Анны: «лечу»</a></li></ul></div></li></ul></div>'
    )
    page = board._html
    board._html = lambda body: page(menu + body)  # type: ignore[method-assign]
    assert [one.subject for one in forum_of(board).inbox(after_id=31)] == ["ход 32", "ход 33"]


def test_p12_the_account_is_named_by_its_nick_and_not_by_the_menus_link(board: FakeBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    menu = (
        '<ul><li id="username_logged_in"><a href="./ucp.php" class="header-avatar"><span class="username">ВЕДУЩИЙ</span></a><ul>'
        '<li><a href="./memberlist.php?mode=viewprofile&amp;u=9"><span>Профиль</span></a></li>'
        '<li><a href="./ucp.php?mode=logout&amp;sid=aa"><span>Выход</span></a></li></ul></li></ul>'
    )
    monkeypatch.setitem(globals(), "OUT", menu)
    assert forum_of(board).login().nick == "ВЕДУЩИЙ"


def test_p13_a_sent_message_that_the_answer_names_is_looked_for_no_more(board: FakeBoard) -> None:
    board.after_write = lambda: board._message('Ваше сообщение успешно отправлено.<br><a href="./ucp.php?i=pm&amp;mode=view&amp;p=501">Смотреть</a>')
    forum = forum_of(board)
    forum.login()
    board.log.clear()
    forum.send_pm(5, "Анна", "Роль", "Вы доктор")
    assert len(board.log) == 2


def test_p21_only_the_newest_page_of_the_inbox_is_asked_for(board: FakeBoard) -> None:
    board.inbox = list(range(31, 81))
    forum = forum_of(board)
    forum.login()
    board.log.clear()
    assert forum.inbox(after_id=80) == ()
    assert len(board.log) == 1
    board.inbox += [81, 82, 83]
    board.log.clear()
    assert [one.id for one in forum.inbox(after_id=80)] == [81, 82, 83]
    assert len([line for line in board.log if "folder=inbox" in line]) == 2


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("Этот форум закрыт, вы не можете создавать темы и отвечать на сообщения.", TopicClosed),
        ("This forum is locked, you cannot edit posts or make further replies.", TopicClosed),
        ("Запрошенного раздела не существует.", NoThread),
    ],
)
def test_p15_a_locked_or_missing_forum_is_called_that(board: FakeBoard, said: str, error: type[Exception]) -> None:
    forum = forum_of(board)
    board.say = f"!{said}"
    with pytest.raises(error) as refused:
        forum.open_topic("7", "День", "слова")
    assert getattr(refused.value, "reason", "not_found") == "not_found"


def test_p15_the_boards_words_have_no_blank_before_their_signs(board: FakeBoard) -> None:
    board.say = '!Обратитесь к <a href="#">администратору</a>; <b>форум закрыт</b>.'
    with pytest.raises(TopicClosed, match=r"администратору; форум закрыт\.$"):
        forum_of(board).reply("345", "газета")


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("Ваше сообщение содержит 6012 символов. Максимальное разрешённое количество символов: 5000.", 5000),
        ("Your message contains 61 200 characters. The maximum number of allowed characters is 60000. Too many characters.", 60000),
        ("Ваше сообщение слишком длинное.", 30000),
    ],
)
def test_p11_the_boards_own_limit_is_learned_from_its_answer(board: FakeBoard, said: str, limit: int) -> None:
    board.say = said
    forum = forum_of(board)
    with pytest.raises(TooLong) as refused:
        forum.reply("345", "газета")
    assert refused.value.limit == forum.max_post == limit
