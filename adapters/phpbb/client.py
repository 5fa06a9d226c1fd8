"""A phpBB board at work, 3.3 and 3.0 (reference/phpbb.md §2, §5-8): decided by what is in the page, never by the status."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from rapidfuzz import fuzz
from selectolax.lexbor import LexborHTMLParser

from adapters.alike import ALIKE, folded, same_words
from adapters.board import Board, in_order
from adapters.clock import Clock
from adapters.errors import (
    AwaitsApproval,
    BoxFull,
    Flood,
    FormRefused,
    FormStale,
    ForumError,
    LoginFailed,
    NoThread,
    OutsideError,
    RecipientRefused,
    TooLong,
    TopicClosed,
    UnknownOutcome,
)
from adapters.forum import Account, Forum, ForumSettings, Stored
from adapters.http import Answer, Transport
from adapters.layout import has_one
from adapters.messages import Line, is_ours
from adapters.model import Page, PrivateMessage
from adapters.phpbb.layout import Layout
from adapters.phpbb.letters import lines_of, message_of, release_link
from adapters.phpbb.pages import read_thread
from adapters.phpbb.site import error_of, is_logged_in, login_form, nick_of, no_thread, starts_of, zone_offset
from adapters.phpbb.site import message_of as told_by
from adapters.threads import Fetched
from adapters.webpage import Form, find_form, number_of, offset_zone, read_form

_POST_ID = re.compile(r"[?&]p=(\d+)")
_TOPIC_ID = re.compile(r"[?&]t=(\d+)")
_SID = re.compile(r"(?<=[?&])sid=[0-9a-f]+&?")
_SECONDS = re.compile(r"(\d{1,4})\s*(?:сек|sec)", re.I)
_FORM_RETRIES = 3
_LONGEST_SUBJECT = 120
_SECTION_PAGES = 3
"""So many pages of a section are looked through for a topic: the newest stand first."""
_SECTION_PARTS = ".forumbg, .topiclist, .forabg, form[action*=viewforum], table.tablebg, a[href*='mode=post']"
_SENT_MESSAGE = '#message a[href*="i=pm"][href*="mode=view"]'
_MERGING = re.compile(r"merg", re.I)
"""Boxes of the 3.0 forks and of extensions that append a post to the last one of the same author."""
_LONG_NUMBER = re.compile(r"\d[\d \xa0.,]*")
_LEAST_LIMIT = 50
_KEPT_MESSAGES = 25


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    """An account on a phpBB board; nothing is asked of the board yet. Raises LayoutError for wrong overrides."""
    return PhpbbForum(settings, clock, transport)


class PhpbbForum(Board):
    """See adapters.forum.Forum. Topics are "T", sections "F"."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None = None) -> None:
        super().__init__(settings, clock, transport)
        self.layout = Layout.of(settings.overrides)
        self._step: dict[str, int] = {}
        self._limit = sys.maxsize
        """What the board itself said that a post may have."""

    @property
    def max_post(self) -> int:
        """How many characters a post may have: as the layout says, or fewer where the board has said so."""
        return min(int(self.layout.max_post), self._limit)

    # --- logging in -------------------------------------------------------------------------------------------------------

    def _home(self) -> str:
        return "index.php"

    def _logged_in(self, page: Fetched) -> bool:
        return is_logged_in(page.tree)

    def _wall(self, page: Fetched, *, after_login: bool = False) -> NoThread | None:
        if page.tree.css_first("div.post, form#login, .forumbg, .forabg") is not None:
            return None
        wall = no_thread(page.tree, page.answer.text, self.layout)
        # Behind "switched off" the login still works, so only a page after it may say so.
        reasons = ("challenge", "truncated", "maintenance", "forbidden") if after_login else ("challenge", "truncated")
        return wall if wall.reason in reasons else None

    def _log_in(self) -> str:
        for _ in range(2):  # a stale token is no refused password
            page = self._get("ucp.php?mode=login")
            if self._logged_in(page):
                return ""
            node = login_form(page.tree)
            if node is None:
                raise no_thread(page.tree, page.answer.text, self.layout)
            form = read_form(node)
            self._no_captcha(form)
            self._let_ripen()
            values = {
                "username": self.settings.user,
                "password": self.settings.password,
                "login": dict(form.buttons).get("login") or "1",
            }
            if "autologin" in form.offered:
                values["autologin"] = "on"
            answer = self.session.post(form.action, form.with_(values), referer=page.answer.url, charset=page.answer.charset)
            if answer.status in (302, 303):
                return ""
            back = LexborHTMLParser(answer.text)
            said = error_of(back) or told_by(back)
            if (again := login_form(back)) is not None:
                self._no_captcha(read_form(again))
            if not has_one(self.layout.stale_words, said):
                return said[:200]
        return ""

    @staticmethod
    def _no_captcha(form: Form) -> None:
        if any(name.startswith(("confirm_code", "qa_answer", "g-recaptcha")) for name in form.offered):
            raise LoginFailed("форум требует код с картинки: войдите этим именем вручную")

    def _who(self, page: Fetched) -> Account:
        uid = int(self.session.cookie("_u") or 0)
        return Account(nick_of(page.tree, uid) or self.settings.user, uid if uid > 1 else 0)

    # --- threads ----------------------------------------------------------------------------------------------------------

    def _thread_page(self, topic: str, number: int) -> tuple[Page, Fetched]:
        if number > 1 and topic not in self._step:
            page, fetched = self._thread_page(topic, 1)
            if topic not in self._step:  # a topic of one page has no step
                return page, fetched
        start = (number - 1) * self._step.get(topic, 0)
        return self._read(f"viewtopic.php?t={topic}" + (f"&start={start}" if start else ""), topic)

    def _read(self, address: str, topic: str) -> tuple[Page, Fetched]:
        fetched = self._open(address)
        page = read_thread(fetched.answer.text, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
        if starts := [start for start in starts_of(fetched.tree) if start]:
            self._step[topic] = math.gcd(*starts)
        return page, fetched

    def _topic_url(self, topic: str, post_id: int | None) -> str:
        return f"{self.session.base}viewtopic.php?" + (f"p={post_id}#p{post_id}" if post_id else f"t={topic}")

    def open_topic(self, section: str, subject: str, text: str) -> Stored:
        answer = self._write(f"posting.php?mode=post&f={section}", {"subject": subject, "message": text})
        if (named := _TOPIC_ID.search(answer.location)) is not None:
            return self._opened(named[1], text)
        self._not_waiting(answer)
        with self._sent():
            for one in self.topics_named(section, subject):
                if one.mine and same_words(text, one.first.runs):
                    if one.waiting:
                        raise AwaitsApproval("тема ждёт одобрения")
                    return Stored(one.topic, one.first.id, one.url)
        raise UnknownOutcome("тема отправлена, но на форуме не видна")

    def _opened(self, topic: str, text: str) -> Stored:
        """The topic that the answer names: that it names one is the proof, whatever the board made of the words."""
        url = self._topic_url(topic, None)
        try:
            page, _ = self._thread_page(topic, 1)
        except OutsideError:
            return Stored(topic, None, url)
        if not page.posts:
            raise AwaitsApproval("тема ждёт одобрения")
        return Stored(topic, page.posts[0].id, url, changed=not same_words(text, page.posts[0].runs))

    def reply(self, topic: str, text: str) -> Stored:
        before, shown = self._last_page(topic)
        address = _link(shown.tree, "mode=reply") or f"posting.php?mode=reply&t={topic}"
        answer = self._write(address, {"message": text})
        if (named := _POST_ID.search(answer.location)) is not None:
            return self._replied(topic, int(named[1]), text)
        self._not_waiting(answer)
        last_id = max((post.id for post in (*before.posts, *before.waiting)), default=0)
        with self._sent():
            found = self.find_reply(topic, text, after_id=last_id)
        if found is None:
            raise UnknownOutcome("сообщение отправлено, но на форуме не видно")
        return found

    def _replied(self, topic: str, post_id: int, text: str) -> Stored:
        """The post that the answer names: that it names one is the proof, whatever the board made of the words."""
        url = self._topic_url(topic, post_id)
        try:
            page, _ = self._read(f"viewtopic.php?p={post_id}", topic)
        except OutsideError:
            return Stored(topic, post_id, url)
        if any(post.id == post_id for post in page.waiting):
            raise AwaitsApproval("сообщение ждёт одобрения")
        kept = next((post for post in page.posts if post.id == post_id), None)
        return Stored(topic, post_id, url, changed=kept is not None and not same_words(text, kept.runs))

    def edit(self, topic: str, post_id: int, text: str) -> None:
        shown = self._open(f"viewtopic.php?p={post_id}")
        address = _link(shown.tree, "mode=edit", f"p={post_id}") or f"posting.php?mode=edit&p={post_id}"
        answer = self._write(address, {"message": text})
        if (named := _POST_ID.search(answer.location)) is not None and int(named[1]) == post_id:
            return
        self._not_waiting(answer)
        with self._sent():
            page, _ = self._read(f"viewtopic.php?p={post_id}", topic)
        if not any(post.id == post_id and same_words(text, post.runs) for post in page.posts):
            raise UnknownOutcome("правка отправлена, но на форуме не видна")

    def _named(self, section: str, subject: str) -> list[str]:
        found: dict[str, str] = {}
        address, seen = f"viewforum.php?f={section}", 0
        while seen < _SECTION_PAGES:
            page = self._open(address)
            seen += 1
            links = page.tree.css(self.layout.topic_link)
            if not links and page.tree.css_first(_SECTION_PARTS) is None:
                raise no_thread(page.tree, page.answer.text, self.layout)
            for link in links:
                if named := _TOPIC_ID.search(link.attributes.get("href") or ""):
                    found.setdefault(named[1], link.text())
            starts = [start for start in starts_of(page.tree) if start]
            if not starts or len(starts) < seen:
                break
            address = f"viewforum.php?f={section}&start={math.gcd(*starts) * seen}"
        return [topic for topic, title in found.items() if _is_named(title, subject)] or [
            topic for topic, title in found.items() if _may_be_named(title, subject)
        ]

    # --- private messages -------------------------------------------------------------------------------------------------

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        lines, release = self._newer("inbox", after_id)
        if release is not None:
            lines = self._let_in_held(release, after_id)
        return in_order({line.id: partial(self._message, line) for line in lines if line.id > after_id})

    def count_messages(self) -> int:
        """How many messages lie in the inbox; none is opened."""
        return len(self._newer("inbox", 0)[0])

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"ucp.php?i=pm&mode=view&f=0&p={line.id}")
        offset = zone_offset(page.answer.text, self.layout)
        zone = self.zone if offset is None else offset_zone(offset)
        return message_of(page.tree, line, fetched=self.clock.now(), zone=zone, layout=self.layout)

    def _newer(self, folder: str, after_id: int) -> tuple[list[Line], str | None]:
        """The lines of a folder from the newest back to the first that is not newer than ``after_id``, and the address that
        lets held messages in."""
        found: dict[int, Line] = {}
        release: str | None = None
        for lines, held in self._pages_of_folder(folder):
            found |= {line.id: line for line in lines}
            release = release or held
            if lines and min(line.id for line in lines) <= after_id:
                break
        return list(found.values()), release

    def _pages_of_folder(self, folder: str) -> Iterator[tuple[list[Line], str | None]]:
        """The pages of a folder, newest messages first: lines, and the address that lets held messages in."""
        page = self._open(f"ucp.php?i=pm&folder={folder}")
        if page.tree.css_first('#viewfolder, form[action*="i=pm"], form[action*="folder="], .cplist, ul.pmlist') is None:
            said = told_by(page.tree)
            if has_one(self.layout.pm_off_words, said):
                raise NoThread("forbidden", said[:200])
            raise no_thread(page.tree, page.answer.text, self.layout)
        yield lines_of(page.tree), release_link(page.tree)
        starts, read = starts_of(page.tree), {0}
        while waiting := [start for start in starts if start not in read]:
            read.add(waiting[0])
            following = self._open(f"ucp.php?i=pm&folder={folder}&start={waiting[0]}")
            yield lines_of(following.tree), None
            starts = sorted({*starts, *starts_of(following.tree)})

    def _let_in_held(self, release: str, after_id: int) -> list[Line]:
        """Make room by deleting messages known before, then let held ones in. They are older than what may come next, so
        nothing newer is read past them: raises BoxFull when they stay outside."""
        lines, _ = self._newer("inbox", 0)
        known = sorted(line.id for line in lines if line.id <= after_id)[:_KEPT_MESSAGES]
        if known:
            self._delete(known)
        self._open(_without_sid(release))
        lines, still = self._newer("inbox", 0)
        if still is not None:
            raise BoxFull("ящик личных сообщений полон, и форум держит новые: удалите старые сообщения")
        return lines

    def _delete(self, ids: list[int]) -> None:
        page = self._open("ucp.php?i=pm&folder=inbox")
        form = find_form(page.tree, "form#viewfolder")
        if form is None:
            return
        self._let_ripen()
        fields = form.with_({"mark_option": "delete_marked", "submit_mark": dict(form.buttons).get("submit_mark") or "Go"})
        marked = [("marked_msg_id[]", str(pid)) for pid in ids]
        answer = self.session.post(
            form.action or page.answer.url, fields + marked, referer=page.answer.url, charset=page.answer.charset
        )
        confirm = find_form(LexborHTMLParser(answer.text), "form#confirm")
        if confirm is not None:
            label = dict(confirm.buttons).get("confirm") or "Да"
            self.session.post(
                confirm.action or page.answer.url,
                confirm.with_({"confirm": label}),
                referer=page.answer.url,
                charset=page.answer.charset,
            )

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        answer = self._write(
            f"ucp.php?i=pm&mode=compose&u={to_uid}",
            {"subject": subject, "message": text},
            needs=f"address_list[u][{to_uid}]",
            to=to_nick,
        )
        if answer.text and LexborHTMLParser(answer.text).css_first(_SENT_MESSAGE) is not None:
            return  # the answer names the message
        with self._sent():
            found = self.find_sent_pm(to_nick, subject)
        if not found:
            raise UnknownOutcome("личное сообщение отправлено, но среди отправленных не видно")

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return any(
            is_ours(line, to_nick, subject)
            for folder in ("outbox", "sentbox")
            for lines, _ in self._pages_of_folder(folder)
            for line in lines
        )

    # --- sending ----------------------------------------------------------------------------------------------------------

    def _write(self, address: str, values: Mapping[str, str], *, needs: str = "", to: str = "") -> Answer:
        """Fetch a form, let it ripen, send it. Forms that come back without an error (somebody posted meanwhile, a stale
        token) are sent again; nothing was stored then. Returns the answer that looks like a success.

        Raises Flood, TopicClosed, RecipientRefused, BoxFull, FormRefused, NoThread, UnknownOutcome.
        """
        page = self._open(_without_sid(address))
        self._before_writing()
        relogged = False
        for _ in range(_FORM_RETRIES):
            form = find_form(page.tree, self.layout.post_form)
            if form is None:
                raise self._refusal(told_by(page.tree) or error_of(page.tree), to) or no_thread(
                    page.tree, page.answer.text, self.layout
                )
            if needs and form.get(needs) is None:
                raise RecipientRefused(error_of(page.tree) or f"{to} не принимает личные сообщения")
            self._let_ripen()
            label = dict(form.buttons).get("post") or "1"
            try:
                answer = self.session.post(
                    form.action or page.answer.url,
                    _unmerged(form).with_({**values, "post": label}),
                    referer=page.answer.url,
                    charset=page.answer.charset,
                )
            finally:
                self._wrote()
            if answer.status in (301, 302, 303):
                return answer
            page = Fetched(answer, LexborHTMLParser(answer.text))
            if login_form(page.tree) is not None and not relogged:
                relogged = True  # the session was lost: nothing was stored
                self._log_in_now()
                page = self._open(_without_sid(address))
                continue
            if find_form(page.tree, self.layout.post_form) is None:
                said = told_by(page.tree)
                if answer.status >= 400 or not said:
                    raise self._refusal(said, to) or UnknownOutcome(said[:200] or f"сервер ответил {answer.status}")
                if (refusal := self._refusal(said, to)) is not None:
                    raise refusal
                return answer  # an information page: sent, or waiting for approval
            said = error_of(page.tree)
            if said and not has_one(self.layout.stale_words, said):
                raise self._refusal(said, to) or FormRefused(said[:200])
        raise FormStale(error_of(page.tree)[:200] or "форум раз за разом возвращает форму")

    def _refusal(self, said: str, to: str) -> ForumError | None:
        """The error that the board's words stand for; ``to``: the recipient of what was to be sent, for a private message."""
        layout = self.layout
        if has_one(layout.flood_words, said):
            seconds = _SECONDS.search(said)
            return Flood(float(seconds[1]) if seconds else self.settings.flood_interval, said[:200])
        if has_one(layout.long_words, said):
            return self._too_long(said)
        closed = "" if has_one(layout.maintenance_words, said) else layout.closed_words
        table: tuple[tuple[str, type[ForumError]], ...] = (
            (layout.recipient_words if to else "", RecipientRefused),
            (closed, TopicClosed),
            (layout.full_words, BoxFull),
            (layout.pm_off_words, FormRefused),
        )
        return next((kind(said[:200]) for phrases, kind in table if has_one(phrases, said)), None)

    def _too_long(self, said: str) -> TooLong:
        """The board's own limit is the lowest number that its words name: the other one is the length of what was sent."""
        told = [number for found in _LONG_NUMBER.finditer(said) if (number := number_of(found[0]) or 0) >= _LEAST_LIMIT]
        self._limit = min(told, default=self.max_post // 2)
        return TooLong(self._limit, said[:200])

    @staticmethod
    @contextmanager
    def _sent() -> Iterator[None]:
        """Something was sent. Whatever keeps us from seeing it now does not tell that it was not stored."""
        try:
            yield
        except UnknownOutcome:
            raise
        except OutsideError as error:
            raise UnknownOutcome(error.text) from error

    def _not_waiting(self, answer: Answer) -> None:
        """Raises AwaitsApproval where the board's answer says that a moderator must let it through."""
        said = told_by(LexborHTMLParser(answer.text)) if answer.text else ""
        if has_one(self.layout.approval_words, said):
            raise AwaitsApproval(said[:200])


def _unmerged(form: Form) -> Form:
    """The form without a tick that would glue the post to our last one."""
    return replace(form, fields=[(name, value) for name, value in form.fields if not _MERGING.search(name)])


def _is_named(title: str, subject: str) -> bool:
    """Whether a topic bears this subject, which the board cuts where it is long."""
    shown, wanted = folded(title), folded(subject)
    return shown == wanted or (len(shown) >= _LONGEST_SUBJECT - 5 and wanted.startswith(shown))


def _may_be_named(title: str, subject: str) -> bool:
    """Whether it may do so under a word censor, which leaves the numbers alone."""
    shown, wanted = folded(title), folded(subject)
    return re.findall(r"\d+", shown) == re.findall(r"\d+", wanted) and fuzz.ratio(shown, wanted) >= ALIKE


def _link(tree: LexborHTMLParser, *parts: str) -> str | None:
    """The first link to a form whose address has all these parts, without the session."""
    for link in tree.css('a[href*="posting.php"]'):
        address = link.attributes.get("href") or ""
        if all(re.search(rf"[?&]{re.escape(part)}(?!\d)", address) for part in parts):
            return _without_sid(address)
    return None


def _without_sid(address: str) -> str:
    return _SID.sub("", address).rstrip("?&")
