"""A uCoz forum at work: forms are fetched and echoed, answers are never believed, all is read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from adapters import profiles
from adapters.alike import folded, same_words
from adapters.board import Board, in_order
from adapters.clock import Clock
from adapters.errors import (
    AwaitsApproval,
    BoxFull,
    Flood,
    FormRefused,
    ForumError,
    NoThread,
    RecipientRefused,
    TopicClosed,
    UnknownOutcome,
)
from adapters.forum import Account, Forum, ForumSettings, Profile, Stored
from adapters.http import Answer, Transport
from adapters.layout import has_one, parts
from adapters.markup import html_runs
from adapters.messages import Line, is_ours
from adapters.model import Page, PrivateMessage
from adapters.threads import Fetched
from adapters.ucoz.layout import Layout
from adapters.ucoz.letters import is_list, lines_of, message_of, more_lists
from adapters.ucoz.pages import edit_address, read_thread
from adapters.ucoz.site import is_logged_in, no_thread, topics_of
from adapters.webpage import Form, find_form

_LOGIN_FORM = 'form[id^=frmLg], form[action*="/index/sub"]'
_LOGIN_FIELDS = {"rem": "1", "a": "2", "ajax": "2", "rnd": "100", "_tp_": "xml"}
_SCRIPTED = {"X-Requested-With": "XMLHttpRequest"}
_UID_ON_PROFILE = re.compile(r"(?:/index/(?:8|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d-])")
_ID_OF_PROFILE = re.compile(r"(?:/index/(?:14|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d])")
_NOT_FOUND = 404
_ERROR_CELLS = "#frM2, td.gTableError, .myWinError, #eMessage, .error"
_TOLD_CELLS = f"{_ERROR_CELLS}, .myWinCont"
_XML_TAGS = re.compile(r"<[^>]*>|<!\[CDATA\[|\]\]>")
_SECONDS = re.compile(r"(\d{1,4})\s*(?:сек|sec)", re.I)
_NEVER_SENT = frozenset(("ahtml",))
_INBOX, _SENT = "/index/14", "/index/14-0-1"
_LISTS_READ = 40


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    """An account on a uCoz forum; nothing is asked of the forum yet. Raises LayoutError for wrong overrides."""
    return UcozForum(settings, clock, transport)


class UcozForum(Board):
    """See adapters.forum.Forum. Topics are "F-T", sections "F"."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None = None) -> None:
        super().__init__(settings, clock, transport)
        self.layout = Layout.of(settings.overrides)

    @property
    def max_post(self) -> int:
        """How many characters a post may have; uCoz names no limit, the layout holds one."""
        return int(self.layout.max_post)

    # --- logging in -------------------------------------------------------------------------------------------------------

    def _home(self) -> str:
        return "/forum/"

    def _logged_in(self, page: Fetched) -> bool:
        return is_logged_in(page.tree)

    def _wall(self, page: Fetched, *, after_login: bool = False) -> NoThread | None:
        if any(page.tree.css_first(f'[id^="{start}"]') is not None for start in parts(self.layout.post_ids)):
            return None
        wall = no_thread(LexborHTMLParser(page.answer.text), page.answer.text, self.layout)
        return (
            wall
            if wall.reason in ("challenge", "maintenance", "truncated") or (after_login and wall.reason == "forbidden")
            else None
        )

    def _log_in(self) -> str:
        page = self._get(self._home())
        form = find_form(page.tree, _LOGIN_FORM) or Form("/index/sub/", "post")
        named = {"user": self.settings.user, "password": self.settings.password}
        extra = {name: value for name, value in _LOGIN_FIELDS.items() if form.get(name) is None}
        answer = self.session.post(
            form.action or "/index/sub/",
            form.with_({**extra, **named}),
            referer=page.answer.url,
            charset=page.answer.charset,
            headers=_SCRIPTED,
        )
        # Who is let in is sent on by a script; everybody else reads why not. Whatever else comes (a page that was cut off, an
        # interstitial, maintenance) says nothing about the password, which is for good once it counts as refused.
        said = "" if "window.location" in answer.text else _said(answer)[:200]
        walls = f"{self.layout.maintenance_words}|{self.layout.challenge_words}"
        return said if has_one(self.layout.login_words, said) and not has_one(walls, answer.text) else ""

    def _who(self, page: Fetched) -> Account:
        link = page.tree.css_first('a[href$="/index/8"]')
        profile = self._get("/index/8")
        nick = link.text().strip() if link is not None else ""
        found = re.search(r"/index/8-(\d+)$", profile.answer.url) or _UID_ON_PROFILE.search(profile.answer.text)
        if found is None and (wall := self._wall(profile)) is not None:
            raise wall  # who we are is asked once: a page that is no profile must not be the answer
        if found is None and find_form(profile.tree, _LOGIN_FORM) is not None:
            raise NoThread("login_required", "вход потерян")
        return Account(nick or self.settings.user, int(found[1]) if found else 0)

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        asked = str(uid) if uid is not None else "0-" + quote((nick or "").replace("-", "~"), safe="")
        page = self._open(f"/index/8-{asked}")
        if page.answer.status == _NOT_FOUND:
            return None
        found = re.search(r"/index/8-(\d+)$", page.answer.url) or _ID_OF_PROFILE.search(page.answer.text)
        number = uid if uid is not None else int(found[1]) if found else None
        return None if number is None else profiles.read(page.tree, number, nick or "")

    # --- threads ----------------------------------------------------------------------------------------------------------

    def _thread_page(self, topic: str, number: int) -> tuple[Page, Fetched]:
        fetched = self._open(f"/forum/{topic}-{number}")
        page = read_thread(fetched.answer.text, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
        return page, fetched

    def _topic_url(self, topic: str, post_id: int | None) -> str:
        return f"{self.session.base}forum/{topic}-1" + (f"#{post_id}" if post_id else "")

    def open_topic(self, section: str, subject: str, text: str) -> Stored:
        page = self._open(f"/forum/{section}-0-0-1-1")
        form = find_form(page.tree, self.layout.post_form)
        if form is None:
            raise TopicClosed(self._complaint(page) or "форум не даёт открыть тему в этом разделе")
        named = page.tree.css_first("#frF3")
        name_field = (named.attributes.get("name") if named is not None else None) or "name"

        def look() -> Stored | None:
            for one in self.topics_named(section, subject):
                if one.mine and same_words(text, one.first.runs):
                    return Stored(one.topic, one.first.id, one.url)
            return None

        return self._send(form, page, {name_field: subject, "message": text}, look)

    def reply(self, topic: str, text: str) -> Stored:
        before, page = self._last_page(topic)
        form = find_form(page.tree, self.layout.post_form)
        if form is None:
            raise TopicClosed(self._complaint(page) or "тема закрыта или нет права писать")
        last_id = max(post.id for post in before.posts)
        return self._send(form, page, {"message": text}, lambda: self.find_reply(topic, text, after_id=last_id))

    def edit(self, topic: str, post_id: int, text: str) -> None:
        for _, shown in self._holding(topic, post_id):
            address = edit_address(shown.answer.text, post_id, self.layout)
            if address is None:
                raise TopicClosed("форум не даёт править это сообщение")
            page = self._open(address)
            form = find_form(page.tree, self.layout.post_form)
            if form is None:
                raise TopicClosed(self._complaint(page) or "форум не даёт править это сообщение")

            def look() -> Stored | None:
                for seen, _ in self._holding(topic, post_id):
                    post = next(post for post in seen.posts if post.id == post_id)
                    return Stored(topic, post_id, self._topic_url(topic, post_id)) if same_words(text, post.runs) else None
                return None

            self._send(form, page, {"message": text}, look)
            return
        raise NoThread("not_found", "сообщения, которое надо править, в теме нет")

    def _holding(self, topic: str, post_id: int) -> list[tuple[Page, Fetched]]:
        """The page that holds a post, searched from the end; none when it is gone."""
        page, fetched = self._last_page(topic)
        number = page.page
        while True:
            if any(post.id == post_id for post in page.posts):
                return [(page, fetched)]
            number -= 1
            if number < 1:
                return []
            page, fetched = self._thread_page(topic, number)

    def _named(self, section: str, subject: str) -> list[str]:
        page = self._open(f"/forum/{section}")
        return [topic.address for topic in topics_of(page.tree, self.layout) if folded(topic.title) == folded(subject)]

    # --- private messages -------------------------------------------------------------------------------------------------

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        lines = {line.id: line for line in self._lines(_INBOX) if line.id > after_id}
        return in_order({pid: partial(self._message, line) for pid, line in lines.items()})

    def count_messages(self) -> int:
        """How many messages lie in the inbox; none is opened."""
        return len(self._lines(_INBOX))

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"/index/14-{line.id}-0")
        return message_of(page.tree, line, fetched=self.clock.now(), zone=self.zone, layout=self.layout)

    def _lines(self, address: str) -> list[Line]:
        """All lines of a list, over its pages. Raises NoThread when the page is no list."""
        page = self._open(address)
        if not is_list(page.tree):
            raise no_thread(page.tree, page.answer.text, self.layout)
        found = lines_of(page.tree)
        read = {address}
        waiting = more_lists(page.tree)
        while waiting and len(read) < _LISTS_READ:
            following = waiting.pop(0)
            if following in read:
                continue
            read.add(following)
            page = self._open(following)
            found += lines_of(page.tree)
            waiting += more_lists(page.tree)
        return list({line.id: line for line in found}.values())

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        known = {line.id for line in self._lines(_SENT)}
        page = self._open(f"/index/14-{to_uid}-0-1")
        form = find_form(page.tree, self.layout.post_form)
        if form is None:
            raise self._told(self._complaint(page)) or RecipientRefused(f"форум не даёт написать {to_nick}")
        to_field = page.tree.css_first("#PMtoUser")
        name = (to_field.attributes.get("name") if to_field is not None else None) or ""
        values = {"subject": subject, "message": text, **({name: to_nick} if name and not form.get(name) else {})}

        def look() -> Stored | None:
            lines = [line for line in self._lines(_SENT) if line.id not in known]
            mine = [line for line in lines if _is_to(line, to_uid, to_nick) and folded(line.subject) == folded(subject)]
            return Stored("", mine[0].id, "") if mine else None

        self._send(form, page, values, look)

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return any(is_ours(line, to_nick, subject) for line in self._lines(_SENT))

    # --- sending ----------------------------------------------------------------------------------------------------------

    def _send(self, form: Form, page: Fetched, values: Mapping[str, str], look: Callable[[], Stored | None]) -> Stored:
        """Send a form with these values and find what became of it; the forum's words only explain a failure."""
        answers: list[Answer] = []
        # Staff's form has HTML switched on; players' words stand in our texts, and as HTML they would be alive.
        sent = [(name, value) for name, value in form.with_(values) if name not in _NEVER_SENT]

        def send() -> None:
            answers.append(
                self.session.post(form.action or page.answer.url, sent, referer=page.answer.url, charset=page.answer.charset)
            )

        self._before_writing()
        self._let_ripen()
        try:
            found = self._looking_back(send, look)
        except UnknownOutcome:
            if answers and _made_for_guest(answers[0]):
                raise NoThread("login_required", "вход потерян, пока заполнялась форма") from None
            said = _said(answers[0]) if answers else ""
            if not self._waits(said) and (error := self._told(said)) is not None:
                raise error from None
            if not self._waits(said):
                raise
        else:
            said = _said(answers[0]) if answers else ""
            if not self._waits(said):
                return found
        # The writer may see what waits for a moderator, others do not.
        raise AwaitsApproval(said[:200])

    def _complaint(self, page: Fetched) -> str:
        """What a page without the wanted form says instead."""
        node = page.tree.css_first(_ERROR_CELLS)
        if node is not None and (text := " ".join(node.text().split())):
            return text
        wall = no_thread(LexborHTMLParser(page.answer.text), page.answer.text, self.layout)
        return wall.text if wall.reason in ("forbidden", "not_found", "login_required") else ""

    def _told(self, said: str) -> ForumError | None:
        """The error that the forum's words stand for; None when they stand for none that we know."""
        layout, seconds = self.layout, _SECONDS.search(said)
        if seconds or has_one(layout.flood_words, said):
            return Flood(float(seconds[1]) if seconds else self.settings.flood_interval, said[:200])
        table: tuple[tuple[str, type[ForumError]], ...] = (
            (layout.recipient_words, RecipientRefused),
            (layout.full_words, BoxFull),
            (layout.closed_words, TopicClosed),
            (layout.refused_words, FormRefused),
        )
        return next((kind(said[:200]) for phrases, kind in table if has_one(phrases, said)), None)

    def _waits(self, said: str) -> bool:
        """Whether these words mean that a moderator must let the post through."""
        return has_one(self.layout.approval_words, said)


def _said(answer: Answer) -> str:
    """The words of an answer: of the cells for errors and successes when it is a page, else of the ``<cmd>`` elements."""
    if "<html" in answer.text.lower():
        tree = LexborHTMLParser(answer.text)
        return " ".join(" ".join(node.text().split()) for node in tree.css(_TOLD_CELLS)).strip()
    return " ".join(run.text for run in html_runs(_XML_TAGS.sub(" ", answer.text))).strip()


def _made_for_guest(answer: Answer) -> bool:
    """Whether a whole page came back that asks for a login: the session was lost before the form arrived."""
    return "<html" in answer.text.lower() and find_form(LexborHTMLParser(answer.text), _LOGIN_FORM) is not None


def _is_to(line: Line, uid: int, nick: str) -> bool:
    return line.uid == uid if line.uid is not None else folded(line.nick) == folded(nick)
