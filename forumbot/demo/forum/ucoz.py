"""The embedded uCoz site: addresses, sessions, rights, reading. Forms are in ``ucoz_forms``."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from html import escape

from adapters.clock import Clock
from forumbot.demo.forum.board import Board, Post, Section, Topic, User
from forumbot.demo.forum.embedded import DAY, Embedded
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.ucoz_bbcode import SMILE_SIGNS, Look, quotation, to_html
from forumbot.demo.forum.ucoz_pages import GROUPS, Pages, Shown, ThreadPages, UcozOptions
from forumbot.demo.forum.web import Request, Response, wants_xml

GUEST_WALL = "Гостям запрещено просматривать данную страницу, пожалуйста войдите на сайт как пользователь."
NO_RIGHT = "Вы входите в группу пользователей, которым запрещено совершать данное действие."
BANNED = "Для вашего аккаунта любая активность временно заблокирована"
NOT_FOUND = "Страница не найдена. Материал, который вы ищете, не найден или удалён."
_OWNERS_MARKS = {"ucoz-forum-post": "our-text", 'id="post': 'id="row', "postNumberLink": "our-number", "postUser": "our-name",
                 "postTable": "our-table", "posttdMessage": "our-cell", "postTdMain": "our-line", "postTdTop": "our-head",
                 "Сообщение #": "Реплика №"}


@dataclass(slots=True)
class Session:
    """A visitor's session; ``forms`` are the hidden fields given out and not yet used, with the moment of giving."""

    key: str
    ssid: str
    uid: int | None
    seen: datetime
    forms: dict[str, tuple[str, datetime]] = field(default_factory=dict)


class Ucoz:
    """A uCoz site that shows a board."""

    def __init__(self, board: Board, options: UcozOptions, troubles: Troubles) -> None:
        from forumbot.demo.forum.ucoz_forms import Forms
        from forumbot.demo.forum.ucoz_pm import PrivateMessages

        self.board = board
        self.options = options
        self.troubles = troubles
        self.charset: str = options.charset
        self.gzip = options.gzip
        self.pages = Pages(board, options)
        self.host = "http://127.0.0.1"
        self.sessions: dict[str, Session] = {}
        self.cookie = f"{options.site_id}uCoz"
        self.last_written: dict[int, datetime] = {}
        self._failures: dict[str, int] = {}
        self._html: dict[tuple[int, int, bool], str] = {}
        self.forms = Forms(self)
        self._messages = PrivateMessages(self)
        self._routes: list[tuple[str, Callable[[Request, Session, re.Match[str]], Response]]] = [
            (r"/", lambda *_: self.redirect("/forum/")),
            (r"/go", self._leave),
            (r"/forum/?", self._index),
            (r"/forum/(\d+)-(\d+)-\d+-16-(\d+)(?:-r)?", self._permalink),
            (r"/forum/(\d+)-(\d+)-0-17(?:-1)?", self._last_page),
            (r"/forum/(\d+)-0-0-1-1", self.forms.new_topic_form),
            (r"/forum/(\d+)-(\d+)-(\d+)-9-1", self.forms.edit_form),
            (r"/forum/(\d+)-(\d+)-(\d+)-8-0-(\w+)", self.forms.delete),
            (r"/forum/0-0-\d-(\d+).*", self._service),
            (r"/forum/(\d+)", self._section),
            (r"/forum/(\d+)-0-(\d+)", self._section),
            (r"/forum/(\d+)-([1-9]\d*)-(\d+)", self._topic),
            (r"/index/10", self._logout),
            (r"/index/40", self._login_window),
            (r"/index/8", self._own_profile),
            (r"/index/8-0-(.+)", self._profile_by_nick),
            (r"/index/8-(\d+)", self._profile),
            (r"/index/14.*", self._messages.show),
            (r"/(?:index/3|register)", self._register),
        ]

    @property
    def clock(self) -> Clock:
        return self.board.clock

    # The way of a request

    def answer(self, request: Request) -> Response:
        with self.board.lock:
            self.host = "http://" + request.headers.get("host", "127.0.0.1")
            if request.path.startswith(("/.s/", "/avatar/", "/_st/", "/favicon")):
                return _picture(request.path)
            session, fresh = self._session(request)
            response = self._route(request, session)
            if fresh or session.key not in self.sessions:
                key = session.key if session.key in self.sessions else ""
                response.headers.append(("Set-Cookie", f"{self.cookie}={key}; path=/; HttpOnly"))
            return response

    def _route(self, request: Request, session: Session) -> Response:
        viewer = self.viewer(session)
        if self.troubles.switched_off and not (viewer and viewer.staff) and request.path != "/index/sub/":
            return self.page("Сайт закрыт", self.pages.notice(escape(self.troubles.switched_off)), session)
        if request.method == "POST":
            target = {"/index/sub/": self._login, "/forum/": self.forms.submit, "/index/": self._messages.send}.get(request.path)
            return target(request, session) if target else self.missing(session)
        for pattern, shown in self._routes:
            found = re.fullmatch(pattern, request.path)
            if found:
                return shown(request, session, found)
        return self.missing(session)

    def forget_session(self, request: Request) -> None:
        with self.board.lock:
            self.sessions.pop(request.cookies.get(self.cookie, ""), None)

    def viewer(self, session: Session) -> User | None:
        return self.board.users.get(session.uid) if session.uid is not None else None

    def _session(self, request: Request) -> tuple[Session, bool]:
        now = self.clock.now()
        known = self.sessions.get(request.cookies.get(self.cookie, ""))
        if known is not None and (now - known.seen).total_seconds() <= self.options.session_life:
            known.seen = now
            return known, False
        session = Session(secrets.token_hex(16), str(secrets.randbelow(10**12)).zfill(12), None, now)
        self.sessions[session.key] = session
        return session, True

    # Pages of every kind

    def page(self, title: str, body: str, session: Session, status: int = 200, panel: bool = True) -> Response:
        return self.bytes_of(self.pages.shell(f"{title} - Форум", body, self.viewer(session), session.ssid, panel=panel), status)

    def bytes_of(self, text: str, status: int = 200, kind: str = "text/html") -> Response:
        """Text in the site's charset; what it does not hold goes as a character reference, as browsers and servers do."""
        for usual, said in self.options.words:
            text = text.replace(usual, said)
        name = {"utf-8": "UTF-8", "cp1251": "windows-1251"}[self.options.charset]
        header = f"{kind}; charset={name}" if self.options.charset_in_header else kind
        return Response(text.encode(self.options.charset, "xmlcharrefreplace"), status, header)

    def redirect(self, address: str) -> Response:
        return Response(b"", 302, "text/html", [("Location", address)])

    def missing(self, session: Session) -> Response:
        return self.page("Ошибка", self.pages.notice(NOT_FOUND), session, 404)

    def wall(self, session: Session) -> Response:
        """For guests the login form, for members the want of rights."""
        if session.uid is None:
            body = f'<div align="center" class="myWinCont"><b>{GUEST_WALL}</b><br />{self.pages.login_form()}</div>'
            return self.page("Вход", body, session, self.options.wall_status, panel=False)
        return self.page("Ошибка", self.pages.notice(NO_RIGHT), session, self.options.wall_status)

    def challenge(self) -> Response:
        """An interstitial of a protection service, here with status 200."""
        return Response(
            b'<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="refresh" content="390">'
            b'</head><body>'
            b'<div class="main-wrapper" role="main"><h1 class="zone-name-title">forum</h1>'
            b'<h2 id="challenge-running">Checking your browser before '
            b'accessing the site.</h2><form id="challenge-form" action="/?__cf_chl_f_tk=x" method="POST">'
            b'<input type="hidden" name="md" value="x"></form>'
            b'<script src="/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/v1"></script>'
            b'<noscript>Enable JavaScript and cookies to continue</noscript>'
            b"</div></body></html>")

    def maintenance(self) -> Response:
        return self.bytes_of("<!DOCTYPE html><html><head><title>Технические работы</title></head><body><center>"
                             "<h1>Сайт временно недоступен</h1>"
                             "<p>На сервере ведутся технические работы. Приносим извинения за неудобства, попробуйте зайти "
                             "позже.</p></center></body></html>")

    # Rights

    def may_post(self, section: Section, viewer: User | None, topic: Topic | None = None) -> bool:
        if viewer is None or viewer.group == "banned" or section.archive or not section.open_to(viewer):
            return False
        return viewer.staff or (section.members_post and not (topic is not None and topic.locked))

    def may_edit(self, post: Post, viewer: User | None) -> bool:
        topic = self.board.topic(post.topic)
        section = self.board.sections[topic.section]
        return viewer is not None and self.may_post(section, viewer, topic) and (viewer.staff or post.author == viewer.uid)

    def seen_posts(self, topic: Topic, viewer: User | None) -> list[Post]:
        """Waiting posts are there for their author and for staff; deleted ones for nobody."""
        return [post for post in self.board.all_posts(topic.id) if post.state == "visible" or (
            post.state == "waiting" and viewer is not None and (viewer.staff or post.author == viewer.uid))]

    def find(self, section: str, topic: str) -> tuple[Section, Topic] | None:
        """The topic by its number; a wrong section in the address does not matter."""
        found = self.board.topics.get(int(topic))
        if found is not None and not self.options.moved_found and int(section) not in (0, found.section):
            return None
        return None if found is None else (self.board.sections[found.section], found)

    def flooding(self, uid: int) -> bool:
        """Whether this account writes too soon after its last writing; notes the writing otherwise."""
        interval = self.options.flood_interval if self.troubles.flood_interval is None else self.troubles.flood_interval
        now, last = self.clock.now(), self.last_written.get(uid)
        return last is not None and (now - last).total_seconds() < interval and not self.board.user(uid).staff

    # Reading

    def _index(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        viewer = self.viewer(session)
        sections = [section for _, section in sorted(self.board.sections.items())
                    if viewer is None or section.open_to(viewer)]
        return self.page(self.board.name, self.pages.index(sections, viewer), session)

    def _leave(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        """An outgoing link: the address stands in the query as it is."""
        address = request.target.partition("?")[2]
        return self.redirect(address) if re.match(r"https?://", address) else self.missing(session)

    def _section(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        section = self.board.sections.get(int(found[1]))
        if section is None:
            return self.missing(session)
        viewer = self.viewer(session)
        if not section.open_to(viewer):
            return self.wall(session)
        page = max(1, int(found[2])) if found.re.groups > 1 else 1
        topics = [topic for topic in self.board.topics_in(section.id) if self.seen_posts(topic, viewer)]
        listed = self.pages.topic_list(section, topics, page, viewer, self.may_post(section, viewer))
        return self.page(section.name, listed, session)

    def _topic(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        return self.thread(found[1], found[2], max(1, int(found[3])), session)

    def _last_page(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        return self.thread(found[1], found[2], None, session)

    def _permalink(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        place = self.find(found[1], found[2])
        if place is None or not self.options.permalink_opens:
            return self.missing(session)
        posts = self.seen_posts(place[1], self.viewer(session))
        at = next((n for n, post in enumerate(posts) if int(post.posted.timestamp()) == int(found[3])), 0)
        return self.thread(found[1], found[2], at // self.options.per_page + 1, session)

    def thread(self, section_id: str, topic_id: str, page: int | None, session: Session) -> Response:
        """A page of a thread; None asks for the last one. Past the end stands the pinned first post alone, or nothing."""
        place = self.find(section_id, topic_id)
        if place is None:
            return self.missing(session)
        section, topic = place
        viewer = self.viewer(session)
        if viewer is not None and viewer.group == "banned":
            return self.page("Ошибка", self.pages.notice(BANNED), session, self.options.wall_status)
        if not section.open_to(viewer):
            return self.wall(session)
        posts = self.seen_posts(topic, viewer)
        if not posts:
            return self.missing(session)
        topic.views += 1
        size = self.options.per_page
        pages = max(1, -(-len(posts) // size))
        page = pages if page is None else page
        asked = 1 if self.troubles.ignore_page else page
        numbered = list(enumerate(posts, 1))
        if not self.options.numbers_recounted:
            ever = [post.id for _, post in sorted(self.board.posts.items()) if post.topic == topic.id]
            numbered = [(ever.index(post.id) + 1, post) for post in posts]
        cut = numbered[(asked - 1) * size : asked * size]
        if topic.pinned_first and asked > 1:
            cut = numbered[:1] + cut
        shown = [self._shown(post, number, asked, section, topic, viewer, session) for number, post in cut]
        form = self.forms.reply(section, topic, session)
        switch = self.pages.switch(f"/forum/{section.id}-{topic.id}", page, pages)
        body = ThreadPages(self.pages, self.host).draw(topic, section, shown, switch, viewer, form)
        if self.troubles.layout_changed:
            for old, new in _OWNERS_MARKS.items():
                body = body.replace(old, new)
        title = topic.title if page == 1 else f"{topic.title} - Страница {page}"
        return self.page(title, body, session)

    def permalink(self, post: Post) -> str:
        """The post's own address: its page for a visitor who sees no waiting posts, and its second."""
        topic = self.board.topic(post.topic)
        before = sum(1 for other in self.board.visible_posts(topic.id) if other.id < post.id)
        return f"/forum/{topic.section}-{topic.id}-{before // self.options.per_page + 1}-16-{int(post.posted.timestamp())}"

    def _shown(self, post: Post, number: int, page: int, section: Section, topic: Topic, viewer: User | None,
               session: Session) -> Shown:
        author = self.board.users.get(post.author or 0)
        signature = self.html(author.signature, viewer) if author is not None and author.signature else ""
        stamp = int(post.posted.timestamp())
        may = self.options.edit_links and self.may_edit(post, viewer)
        return Shown(post, number, self._post_html(post, viewer), signature, f"/forum/{section.id}-{topic.id}-{page}-16-{stamp}",
                     f"/forum/{section.id}-{topic.id}-{number}-9-1" if may else "",
                     f"/forum/{section.id}-{topic.id}-{number}-8-0-{session.ssid}" if may else "")

    def _post_html(self, post: Post, viewer: User | None) -> str:
        if post.html is not None:
            return post.html
        key = (post.id, len(post.versions), viewer is not None)
        if key not in self._html:
            self._html[key] = self.html(post.text, viewer)
        return self._html[key]

    def html(self, text: str, viewer: User | None) -> str:
        """BBCode as this visitor sees it."""
        look = Look(see_hidden=viewer is not None, font=self.options.font_colours, go=self.options.go_links)
        return to_html(text, self._anchor, look)

    def _anchor(self, post: int) -> str | None:
        return self.permalink(self.board.posts[post]) if post in self.board.posts else None

    # People

    def _own_profile(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        viewer = self.viewer(session)
        return self.wall(session) if viewer is None else self._card(viewer, session)

    def _profile(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        user = self.board.users.get(int(found[1]))
        return self._card(user, session) if user is not None and not user.removed else self.missing(session)

    def _profile_by_nick(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        from urllib.parse import unquote

        user = self.board.find_user(unquote(found[1], encoding=self.charset).replace("~", "-"))
        return self._card(user, session) if user is not None else self.missing(session)

    def _card(self, user: User, session: Session) -> Response:
        pm = f'<a href="/index/14-{user.uid}-0-1">Отправить ЛС</a>' if session.uid not in (None, user.uid) else ""
        rows = (("Пользователь", escape(user.nick)), ("Группа", GROUPS[user.group][1]), ("ID", str(user.uid)),
                ("Пол", "Женщина" if user.female else "Мужчина"),
                ("Дата регистрации", self.pages.date(user.registered, self.viewer(session))),
                ("Сообщений на форуме", f'<a href="/forum/0-0-1-3-{user.uid}">{len(self.board.posts_by(user.uid))}</a>'),
                ("", pm))
        table = "".join(f"<tr><td><b>{name}</b></td><td>{value}</td></tr>" for name, value in rows)
        return self.page(user.nick, '<table class="gTable"><tr><td class="gTableTop" colspan="2">Личная страница</td>'
                                    f'</tr>{table}</table>', session)

    def _service(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        """The small pages of the navigation line."""
        viewer = self.viewer(session)
        number = found[1]
        if number == "37":
            return self._feed(viewer)
        readable = [topic for _, section in sorted(self.board.sections.items()) if section.open_to(viewer)
                    for topic in self.board.topics_in(section.id)]
        if number == "35":
            people = [user for _, user in sorted(self.board.users.items()) if not user.removed]
            lines = [f'<a href="/index/8-{user.uid}">{escape(user.nick)}</a>' for user in people]
        elif number == "3":
            uid = int(request.path.rsplit("-", 1)[1])
            allowed = {topic.id for topic in readable}
            lines = [f'<a href="{self.permalink(post)}">{escape(self.board.topic(post.topic).title)}</a>: '
                     f'{escape(post.text[:120])}'
                     for post in self.board.posts_by(uid) if post.topic in allowed and post.state == "visible"]
        elif number == "34":
            lines = [f'<a href="/forum/{topic.section}-{topic.id}-0-17-1">{escape(topic.title)}</a>' for topic in readable]
        else:
            lines = ["Раздел пуст."]
        rows = "".join(f"<tr><td>{line}</td></tr>" for line in lines)
        return self.page("Форум", f'{self.pages.navigation()}<table class="gTable">{rows}</table>', session)

    def _feed(self, viewer: User | None) -> Response:
        newest = [post for _, post in sorted(self.board.posts.items(), reverse=True) if post.state == "visible"
                  and self.board.sections[self.board.topic(post.topic).section].open_to(viewer)][:30]
        items = "".join(f"<item><title>{escape(self.board.topic(post.topic).title)}</title>"
                        f"<link>{self.host}{self.permalink(post)}</link>"
                        f"<author>{escape(self.board.author_nick(post))}</author></item>" for post in newest)
        return self.bytes_of(f'<?xml version="1.0" encoding="{self.charset}"?><rss version="2.0"><channel>'
                             f'<title>{escape(self.board.name)}</title>'
                             f"{items}</channel></rss>", kind="text/xml")

    # Login

    def _login_window(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        return self.page("Вход", f'<div align="center" class="myWinCont">{self.pages.login_form()}</div>', session, panel=False)

    def _register(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        return self.page("Регистрация", self.pages.notice("Регистрация закрыта администратором."), session)

    def _login(self, request: Request, session: Session) -> Response:
        name = request.field("user")
        user = self.board.find_user(name) or next((u for u in self.board.users.values() if u.email and u.email == name), None)
        limit = self.options.login_captcha_after
        captcha = bool(limit) and self._failures.get(name, 0) >= limit
        right = user is not None and user.password and user.password == request.field("password")
        if user is None or not right or captcha or request.field("a") != "2":
            self._failures[name] = self._failures.get(name, 0) + 1
            error = "Неправильный код безопасности" if captcha else "Неправильный логин или пароль"
            if wants_xml(request):
                return self.commands(f'<cmd p="innerHTML" t=".myWinError">{error}</cmd>')
            body = f'<div align="center" class="myWinCont">{self.pages.login_form(captcha, error)}</div>'
            return self.page("Вход", body, session, panel=False)
        self._failures.pop(name, None)
        self.sessions.pop(session.key, None)
        entered = Session(secrets.token_hex(16), session.ssid, user.uid, self.clock.now())
        self.sessions[entered.key] = entered
        back = request.headers.get("referer", "/forum/")
        if wants_xml(request):
            onward = f'<cmd p="js">window.location.href="{escape(back)}";</cmd>'
            response = self.commands(onward) if self.options.login_commands else self.bytes_of("OK")
        else:
            response = self.redirect("/forum/" if "/index/" in back else back)
        response.headers.append(("Set-Cookie", f"{self.cookie}={entered.key}; path=/; HttpOnly; Max-Age=31536000"))
        session.key = entered.key
        return response

    def _logout(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        self.sessions.pop(session.key, None)
        return self.redirect("/forum/")

    def commands(self, text: str) -> Response:
        """The XML that the page's script applies."""
        return self.bytes_of(f'<?xml version="1.0" encoding="{self.charset}"?><response>{text}</response>', kind="text/xml")


_CAPTIONS = {"p_profile": "Профиль", "p_pm": "ЛС", "p_quote": "Цитата", "p_edit": "Правка", "p_del": "Удалить",
             "t_new": "Новая тема"}


def _picture(path: str) -> Response:
    """The engine's buttons and smileys, drawn on the spot."""
    name = path.rsplit("/", 1)[-1].split(".")[0]
    if name in SMILE_SIGNS:
        drawn = ('<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
                 f'<text y="16" font-size="16">{SMILE_SIGNS[name]}</text></svg>')
    elif path.startswith("/avatar/"):
        hue = int(name) * 47 % 360 if name.isdecimal() else 0
        drawn = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80">'
                 f'<rect width="80" height="80" fill="hsl({hue},45%,70%)"/>'
                 f'<circle cx="40" cy="30" r="15" fill="hsl({hue},45%,92%)"/>'
                 f'<path d="M12 80a28 26 0 0 1 56 0" fill="hsl({hue},45%,92%)"/></svg>')
    else:
        caption = _CAPTIONS.get(name, "")
        width = 14 + 8 * len(caption)
        drawn = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20">'
                 f'<rect width="{width}" height="20" rx="4" fill="#dbe5f0"/>'
                 f'<text x="7" y="14" font-size="12" font-family="Verdana,sans-serif" fill="#1d4f86">{caption}</text></svg>')
    return Response(drawn.encode(), 200, "image/svg+xml", [("Cache-Control", "max-age=86400")])


def _quoted(board: Board, post: int, _options: UcozOptions) -> str:
    quoted = board.find_post(post)
    return quotation(board.author_nick(quoted), post, quoted.text)


EMBEDDED = Embedded(
    Ucoz,
    lambda: UcozOptions(form_life=3 * DAY, session_life=30 * DAY),
    _quoted,
    lambda board, topic, _options: f"/forum/{board.topic(topic).section}-{topic}-1",
)
