"""The embedded phpBB board: addresses, rights, reading, login. Writing is in ``phpbb_posting``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from html import escape

from adapters.clock import Clock
from forumbot.demo.forum.board import Board, Post, Section, Topic, User
from forumbot.demo.forum.embedded import DAY, Embedded
from forumbot.demo.forum.phpbb_bbcode import quotation
from forumbot.demo.forum.phpbb_feed import feed
from forumbot.demo.forum.phpbb_pages import Pages
from forumbot.demo.forum.phpbb_pm import PrivateMessages
from forumbot.demo.forum.phpbb_posting import Posting
from forumbot.demo.forum.phpbb_session import Session, Sessions, carry_sid, redirect
from forumbot.demo.forum.phpbb_thread import ThreadPages, cut, seen
from forumbot.demo.forum.phpbb_words import PhpbbOptions, fold_nick
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.web import Request, Response

_OWNERS_MARKS = {'id="p': 'id="entry', 'class="post ': 'class="entry ', "postbody": "entry-text", "postprofile": "entry-who",
                 'class="content"': 'class="words"', "post_content": "entry_content", 'class="author"': 'class="who"'}


class Phpbb:
    """A phpBB board on loopback. It brings its own folding of nicks and its folder limit to the board it shows."""

    def __init__(self, board: Board, options: PhpbbOptions, troubles: Troubles) -> None:
        board.fold = fold_nick
        board.pm_limit = board.pm_limit or options.folder_limit
        self.board = board
        self.options = options
        self.troubles = troubles
        self.gzip = options.gzip
        self.charset: str = options.charset
        self.sessions = Sessions(board, options)
        self.pages = Pages(board, options, self.sessions, troubles)
        self.threads = ThreadPages(self.pages)
        self.words = self.pages.words
        self.host = "http://127.0.0.1"
        self._written: dict[int, datetime] = {}
        self._marks: dict[tuple[int, int], int] = {}
        self._posting = Posting(self)
        self._messages = PrivateMessages(self)
        self._routes: dict[str, Callable[[Request, Session], Response]] = {
            "/": self._index, "/index.php": self._index, "/viewforum.php": self._forum, "/viewtopic.php": self._topic,
            "/posting.php": self._posting.serve, "/ucp.php": self._account, "/memberlist.php": self._member,
            "/search.php": self._search, "/mcp.php": self._moderate, "/feed.php": self._old_feed,
        }

    @property
    def clock(self) -> Clock:
        return self.board.clock

    # The way of a request

    def answer(self, request: Request) -> Response:
        with self.board.lock:
            self.host = self.pages.host = "http://" + request.headers.get("host", "127.0.0.1")
            if request.path.startswith(("/styles/", "/images/", "/favicon")):
                return _picture(request.path)
            session, cookies, first = self.sessions.open(request)
            response = self._route(request, session)
            if not any(name == "Set-Cookie" for name, _ in response.headers):
                response.headers += cookies
            response.headers.append(("Cache-Control", 'private, no-cache="set-cookie"'))
            if first and response.status != 302 and response.content_type.startswith("text/html"):
                response.body = carry_sid(response.body.decode(self.charset), session.sid).encode(self.charset)
            return response

    def _route(self, request: Request, session: Session) -> Response:
        viewer = self.sessions.user(session)
        if self.troubles.switched_off and not (viewer and viewer.staff) and request.get("mode") not in ("login", "logout"):
            return self.told(escape(self.troubles.switched_off), session)
        place = re.fullmatch(r"(?:/app\.php)?/feed(?:/(topic|forum)/(\d+))?", request.path)
        if place:
            return self._feed(session, place[1] or "", int(place[2] or 0))
        shown = self._routes.get(request.path)
        return shown(request, session) if shown else Response(b"<h1>404 Not Found</h1>", 404)

    def forget_session(self, request: Request) -> None:
        with self.board.lock:
            self.sessions.forget(request)

    # Answers of every kind

    def page(self, html: str, status: int = 200) -> Response:
        if self.charset == "utf-8":
            return Response(html.encode(), status)
        # A board of the old days says its charset in the page alone.
        told = html.replace('charset="utf-8"', 'charset="windows-1251"').replace("charset=UTF-8", "charset=windows-1251")
        return Response(told.encode(self.charset, "xmlcharrefreplace"), status, "text/html")

    def told(self, text: str, session: Session, status: int = 200) -> Response:
        """An information page."""
        return self.page(self.pages.message(text, session), status)

    def login_wall(self, session: Session, words: str, request: Request) -> Response:
        back = "." + escape(request.target.split("sid=")[0].rstrip("?&"))
        return self.page(self.pages.login(session, self.words[words], back))

    def moved(self, address: str, cookies: list[tuple[str, str]] | None = None) -> Response:
        return redirect(self.host, address, cookies)

    def challenge(self) -> Response:
        """An interstitial of a protection service, here with status 200."""
        return Response(b'<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div id="cf-wrapper">'
                        b'<h2 id="challenge-running">'
                        b'Checking your browser</h2><form id="challenge-form" action="/?__cf_chl_f_tk=x" method="POST"></form>'
                        b'<noscript>Enable '
                        b"JavaScript and cookies to continue</noscript></div></body></html>")

    def maintenance(self) -> Response:
        return Response("<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>Технические работы</title></head><body>"
                        "<h1>Сервер на "
                        "обслуживании</h1><p>Ведутся технические работы, зайдите позже.</p></body></html>".encode())

    def general_error(self) -> Response:
        """A database error: nothing was stored."""
        title = self.words["general_error"]
        return Response(f"<!DOCTYPE html><html><head><title>{title}</title></head><body id=\"errorpage\"><div id=\"content\">"
                        f"<h1>{title}</h1>"
                        "<div>SQL ERROR [ mysqli ]<br>Incorrect string value [1366]</div></div></body></html>".encode(), 503)

    # Rights

    def may_post(self, section: Section, viewer: User | None) -> bool:
        if viewer is None or viewer.group == "banned" or section.archive or not section.open_to(viewer):
            return False
        return viewer.staff or section.members_post

    def unreadable(self, section: Section, session: Session, request: Request) -> Response | None:
        """The wall before this section; None when it is open."""
        viewer = self.sessions.user(session)
        if not section.open_to(viewer):
            if viewer is None:
                return self.login_wall(session, "login_to_view", request)
            return self.told(self.words["cannot_read"], session, 403)
        if section.password and section.id not in session.passed:
            if request.method == "POST" and request.field("password") == section.password and self.sessions.good_token(
                    request, session, "login_forum"):
                session.passed.add(section.id)
                return self.moved(f"./viewforum.php?f={section.id}")
            return self.page(self.pages.forum_password(session, section))
        return None

    def flooding(self, viewer: User) -> bool:
        """Posts and messages are counted together; staff writes as fast as it likes."""
        interval = self.options.flood_interval if self.troubles.flood_interval is None else self.troubles.flood_interval
        last = self._written.get(viewer.uid)
        return last is not None and not viewer.staff and (self.clock.now() - last).total_seconds() < interval

    def wrote(self, viewer: User) -> None:
        self._written[viewer.uid] = self.clock.now()

    def most_signs(self) -> int:
        """How many characters a message may have."""
        return self.options.max_post if self.troubles.max_post is None else self.troubles.max_post

    def waits(self, viewer: User) -> bool:
        """Whether this user's posts wait for approval."""
        return not viewer.staff and (viewer.group == "newcomers" or self.troubles.premoderation or self.board.premoderation)

    # Reading

    def _index(self, request: Request, session: Session) -> Response:
        viewer = self.sessions.user(session)
        return self.page(self.pages.index(session, [section for _, section in sorted(self.board.sections.items())
                                                    if section.open_to(viewer) or viewer is None]))

    def _forum(self, request: Request, session: Session) -> Response:
        section = self.board.sections.get(request.number("f") or 0)
        if section is None:
            return self.told(self.words["no_forum"], session, 404)
        wall = self.unreadable(section, session, request)
        start = max(0, request.number("start") or 0)
        return wall or self.page(self.pages.section(session, section, start, self.may_post(section, self.sessions.user(session))))

    def _topic(self, request: Request, session: Session) -> Response:
        viewer = self.sessions.user(session)
        number, wanted = request.number("p"), None
        if number is not None:
            wanted = self.board.posts.get(number)
            topic = self.board.topics.get(wanted.topic) if wanted is not None else None
            if topic is not None and wanted not in seen(self.board, topic, viewer):
                topic = None
        else:
            topic = self.board.topics.get(request.number("t") or 0)
        if topic is None or not seen(self.board, topic, viewer):
            return self.told(self.words["no_topic"], session, 404)
        section = self.board.sections[topic.section]
        wall = self.unreadable(section, session, request)
        if wall is not None:
            return wall
        return self._thread(request, session, topic, section, wanted)

    def _thread(self, request: Request, session: Session, topic: Topic, section: Section, wanted: Post | None) -> Response:
        viewer, size = self.sessions.user(session), self.options.per_page
        posts = seen(self.board, topic, viewer)
        mark = self._marks.get((viewer.uid, topic.id), 0) if viewer is not None else None
        newest_first = request.get("sd") == "d"
        start = request.number("start") or 0
        if wanted is not None:
            start = posts.index(wanted) // size * size
        elif request.get("view") == "unread" and mark is not None:
            unread = next((n for n, post in enumerate(posts) if post.id > mark), len(posts) - 1)
            start = unread // size * size
        if self.troubles.ignore_page:
            start = 0
        page = cut(self.board, topic, viewer, start, size, newest_first)
        if topic.pinned_first and page.start:
            page = replace(page, posts=[*posts[:1], *page.posts])
        topic.views += 1
        if request.get("view") == "print":
            return self.page(self.threads.draw_print(topic, page, session))
        html = self.threads.draw(topic, section, page, session, mark, self.may_post(section, viewer))
        if viewer is not None and page.posts:
            key = (viewer.uid, topic.id)
            self._marks[key] = max(self._marks.get(key, 0), max(post.id for post in page.posts))
        if self.troubles.layout_changed:
            for old, new in _OWNERS_MARKS.items():
                html = html.replace(old, new)
        return self.page(html)

    def _feed(self, session: Session, kind: str, number: int) -> Response:
        viewer = self.sessions.user(session)
        if not self.options.feeds:
            return self.told(self.words["no_topic"], session, 404)
        topics = [topic for topic in self.board.topics.values()
                  if not kind or (topic.id if kind == "topic" else topic.section) == number]
        readable = [topic for topic in topics if self.board.sections[topic.section].open_to(viewer)]
        if kind and not topics:
            return self.told(self.words["no_topic"], session, 404)
        if topics and not readable:
            return self.told(self.words["cannot_read"], session, 403)
        text = feed(self.pages, self.threads, readable, viewer, self.host)
        changed = self.clock.now().strftime("%a, %d %b %Y %H:%M:%S GMT")
        return Response(text.encode(), 200, "application/atom+xml; charset=UTF-8", [("Last-Modified", changed)])

    def _old_feed(self, request: Request, session: Session) -> Response:
        topic, forum = request.number("t"), request.number("f")
        kind, number = ("topic", topic) if topic is not None else ("forum", forum) if forum is not None else ("", 0)
        if self.options.version == "3.0":
            return self._feed(session, kind, number or 0)
        address = self.pages.feed_address(f"{kind}/{number}" if kind else "").rstrip("/")
        return Response(b"", 301, "text/html", [("Location", f"{self.host}{address}")])

    # People

    def _account(self, request: Request, session: Session) -> Response:
        """``ucp.php``."""
        mode = request.get("mode")
        if mode == "login":
            return self._login(request, session)
        if mode == "logout":
            if request.get("sid") != session.sid:
                return self.moved("./index.php")
            return self.moved("./index.php", self.sessions.leave(session, request))
        if request.get("i") == "pm":
            return self._messages.serve(request, session)
        if session.uid != 1:
            title = self.words["own_profile"]
            return self.page(self.pages.shell(title, f'<h2 class="ucp-title">{title}</h2>', session, kind="ucp"))
        return self.moved("./index.php")

    def _login(self, request: Request, session: Session) -> Response:
        if session.uid != 1:
            return self.moved("./index.php")
        if request.method != "POST" or not request.has("login"):
            return self.page(self.pages.login(session, self.words["login"], "./index.php"))
        user, error = self.sessions.check_login(request, session)
        if user is None:
            named = self.board.find_user(request.field("username"))
            captcha = named is not None and self.sessions.failed(named.uid)
            told = self.words["too_many" if captcha else error]
            back = escape(request.field("redirect", "./index.php"))
            return self.page(self.pages.login(session, self.words["login"], back, told, captcha))
        entered, cookies = self.sessions.enter(user.uid, request, remember=request.has("autologin"))
        back = request.field("redirect", "./index.php")
        if not back.startswith("./") or "mode=login" in back:
            back = "./index.php"
        return self.moved(f"{back}{'&' if '?' in back else '?'}sid={entered.sid}", cookies)

    def _member(self, request: Request, session: Session) -> Response:
        viewer, words = self.sessions.user(session), self.words
        if viewer is None:
            return self.login_wall(session, "login_to_members", request)
        if request.get("mode") != "viewprofile":
            people = [user for _, user in sorted(self.board.users.items()) if not user.removed]
            rows = "".join(f'<li class="row">{self.pages.nick(user.uid)}</li>' for user in people)
            body = f'<div class="panel"><ul class="topiclist">{rows}</ul></div>'
            return self.page(self.pages.shell("Пользователи", body, session))
        named = self.board.find_user(request.get("un")) if request.get("un") else self.board.users.get(request.number("u") or 0)
        if named is None or named.removed:
            return self.told(words["no_user"], session, 404)
        body = (f'<h2 class="memberlist-title">{words["profile"]} - {escape(named.nick)}</h2><div class="panel bg1">'
                '<dl class="left-box details '
                f'profile-details"><dt>{words["username"]}:</dt><dd>{self.pages.nick(named.uid)}</dd>'
                f'<dt>{words["joined"]}:</dt><dd>'
                f'{self.pages.date(named.registered, viewer)}</dd><dt>{words["posts"]}:</dt><dd>'
                f'<a href="./search.php?author_id={named.uid}'
                f'&amp;sr=posts">{len(self.board.posts_by(named.uid))}</a></dd><dt>{words["pm"]}:</dt><dd>'
                '<a href="./ucp.php?i=pm&amp;mode=compose'
                f'&amp;u={named.uid}">{words["pm"]}</a></dd></dl></div>')
        return self.page(self.pages.shell(f"{words['profile']} - {named.nick}", body, session, kind="memberlist"))

    def _search(self, request: Request, session: Session) -> Response:
        """An author's posts; the topics in which the viewer has written."""
        viewer = self.sessions.user(session)
        if request.get("search_id") == "egosearch" and viewer is not None:
            mine = {post.topic for post in self.board.posts_by(viewer.uid) if post.state == "visible"}
            topics = [self.board.topic(topic) for topic in sorted(mine, reverse=True)]
            seen_by = [topic for topic in topics if self.board.sections[topic.section].open_to(viewer)]
            return self.page(self.pages.found(session, seen_by))
        rows = []
        for post in self.board.posts_by(request.number("author_id") or 0):
            topic = self.board.topic(post.topic)
            if post.state == "visible" and self.board.sections[topic.section].open_to(viewer):
                rows.append(f'<div class="search post bg1"><h3><a href="./viewtopic.php?p={post.id}#p{post.id}">'
                            f'{escape(topic.title)}</a></h3>'
                            f'<div class="content">{self.threads.post_html(post, viewer)}</div></div>')
        return self.page(self.pages.shell("Поиск", "".join(rows) or '<div class="panel">—</div>', session, kind="search"))

    def _moderate(self, request: Request, session: Session) -> Response:
        """``mcp.php``: approve, refuse, delete, restore; a post's earlier texts."""
        viewer = self.sessions.user(session)
        post = self.board.posts.get(request.number("p") or 0)
        if viewer is None or not viewer.staff or post is None:
            return self.told(self.words["cannot_read"], session, 403)
        if request.method == "POST":
            if request.has("action[approve]") or request.has("action[restore]"):
                self.board.approve(post.id, by=viewer.uid)
            elif request.has("action[delete]") or request.has("action[disapprove]"):
                self.board.delete(post.id, by=viewer.uid)
            return self.moved(f"./viewtopic.php?t={post.topic}")
        texts = "".join(f'<div class="post bg1"><p class="author">{self.pages.date(version.at, viewer)}</p><div class="content">'
                        f"{self.threads.html(version.text, viewer)}</div></div>" for version in post.versions)
        return self.page(self.pages.shell(self.words["information"], texts, session, kind="mcp"))


def _picture(path: str) -> Response:
    """Emoji and the board's small images, drawn on the spot."""
    name = path.rsplit("/", 1)[-1].split(".")[0]
    signs = {"icon_e_smile": "🙂", "icon_e_sad": "🙁", "icon_e_wink": "😉", "icon_e_biggrin": "😀", "icon_razz": "😛"}
    if path.startswith("/images/emoji/"):
        sign = "".join(chr(int(code, 16)) for code in name.split("-") if re.fullmatch(r"[0-9a-f]{2,5}", code))
    else:
        sign = signs.get(name, "•")
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" width="18" height="18"><text y="14" font-size="14">{sign}</text></svg>'
    return Response(drawn.encode(), 200, "image/svg+xml", [("Cache-Control", "max-age=86400")])


def _quoted(board: Board, post: int, options: PhpbbOptions) -> str:
    quoted = board.find_post(post)
    at = int(quoted.posted.timestamp())
    return quotation(board.author_nick(quoted), post, at, quoted.author, quoted.text, options.version)


EMBEDDED = Embedded(
    Phpbb,
    lambda: PhpbbOptions(token_life=3 * DAY, session_life=30 * DAY, custom_tags={"s": ("<s>", "</s>")}),
    _quoted,
    lambda board, topic, _options: f"/viewtopic.php?f={board.topic(topic).section}&t={topic}",
)
