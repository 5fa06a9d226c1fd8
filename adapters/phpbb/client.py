"""A phpBB board at work, 3.3 and 3.0 (reference/phpbb.md §2, §5-8): decided by what is in the page, never by the status."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from selectolax.lexbor import LexborHTMLParser

from adapters.board import Board, Fetched, folded, in_order, same_words
from adapters.clock import Clock
from adapters.errors import (
    AwaitsApproval,
    BoxFull,
    Flood,
    FormRefused,
    ForumError,
    LoginFailed,
    NoThread,
    OutsideError,
    RecipientRefused,
    TopicClosed,
    UnknownOutcome,
)
from adapters.forum import Account, Forum, ForumSettings, Stored
from adapters.http import Answer, Transport
from adapters.layout import has_one
from adapters.messages import Line
from adapters.model import Page, PrivateMessage
from adapters.phpbb.layout import Layout
from adapters.phpbb.letters import lines_of, message_of, release_link, starts_of
from adapters.phpbb.pages import read_thread
from adapters.phpbb.site import error_of, is_logged_in, login_form, no_thread, uid_in, zone_offset
from adapters.phpbb.site import message_of as told_by
from adapters.webpage import Form, find_form, offset_zone, read_form

_POST_ID = re.compile(r"[?&]p=(\d+)")
_TOPIC_ID = re.compile(r"[?&]t=(\d+)")
_SID = re.compile(r"(?<=[?&])sid=[0-9a-f]+&?")
_SECONDS = re.compile(r"(\d{1,4})\s*(?:сек|sec)", re.I)
_FORM_RETRIES = 3
_LONGEST_SUBJECT = 120
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

    @property
    def max_post(self) -> int:
        """How many characters a post may have."""
        return int(self.layout.max_post)

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
        for link in page.tree.css('a[href*="mode=viewprofile"]'):
            if uid > 1 and uid_in(link.attributes.get("href") or "") == uid and (nick := link.text().strip()):
                return Account(nick, uid)
        return Account(self.settings.user, uid if uid > 1 else 0)

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
        topic = _TOPIC_ID.search(answer.location)
        with self._sent(answer):
            found = Stored(topic[1], None, answer.location) if topic else self.find_topic(section, subject)
            if found is not None:
                page, _ = self._thread_page(found.topic, 1)
                if page.page == 1 and same_words(text, page.posts[0].runs):
                    return Stored(found.topic, page.posts[0].id, self._topic_url(found.topic, None))
        raise self._unseen(answer, "тема отправлена, но на форуме не видна")

    def reply(self, topic: str, text: str) -> Stored:
        before, shown = self._last_page(topic)
        address = _link(shown.tree, "mode=reply") or f"posting.php?mode=reply&t={topic}"
        answer = self._write(address, {"message": text})
        last_id = max(post.id for post in before.posts)
        with self._sent(answer):
            found = self._stored(topic, text, answer) or self.find_reply(topic, text, after_id=last_id)
        if found is None:
            raise self._unseen(answer, "сообщение отправлено, но на форуме не видно")
        return found

    def edit(self, topic: str, post_id: int, text: str) -> None:
        shown = self._open(f"viewtopic.php?p={post_id}")
        address = _link(shown.tree, "mode=edit", f"p={post_id}") or f"posting.php?mode=edit&p={post_id}"
        answer = self._write(address, {"message": text})
        with self._sent(answer):
            page, _ = self._read(f"viewtopic.php?p={post_id}", topic)
        if not any(post.id == post_id and same_words(text, post.runs) for post in page.posts):
            raise self._unseen(answer, "правка отправлена, но на форуме не видна")

    def find_topic(self, section: str, subject: str) -> Stored | None:
        me = self.login()
        page = self._open(f"viewforum.php?f={section}")
        wanted = folded(subject)
        for link in page.tree.css(self.layout.topic_link):
            found = _TOPIC_ID.search(link.attributes.get("href") or "")
            title = folded(link.text())
            if not found or not (title == wanted or (len(title) >= _LONGEST_SUBJECT - 5 and wanted.startswith(title))):
                continue
            row = link.parent
            while row is not None and row.tag not in ("li", "tr", "body"):
                row = row.parent
            authors = row.css('a[href*="mode=viewprofile"], .username, .username-coloured') if row is not None else []
            if (
                not authors
                or folded(authors[0].text()) == folded(me.nick)
                or uid_in(authors[0].attributes.get("href") or "") == me.uid
            ):
                return Stored(found[1], None, self._topic_url(found[1], None))
        return None

    def _stored(self, topic: str, text: str, answer: Answer) -> Stored | None:
        """The post that an answer's redirect names, when it is there with our text."""
        named = _POST_ID.search(answer.location)
        if named is None:
            return None
        page, _ = self._read(f"viewtopic.php?p={named[1]}", topic)
        mine = [post for post in page.posts if post.id == int(named[1]) and same_words(text, post.runs)]
        return Stored(topic, mine[0].id, self._topic_url(topic, mine[0].id)) if mine else None

    # --- private messages -------------------------------------------------------------------------------------------------

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        lines, release = self._lines("inbox")
        if release is not None:
            lines = self._let_in_held(lines, release, after_id)
        return in_order({line.id: partial(self._message, line) for line in lines if line.id > after_id})

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"ucp.php?i=pm&mode=view&f=0&p={line.id}")
        offset = zone_offset(page.answer.text)
        zone = self.zone if offset is None else offset_zone(offset)
        return message_of(page.tree, line, fetched=self.clock.now(), zone=zone, layout=self.layout)

    def _lines(self, folder: str) -> tuple[list[Line], str | None]:
        """All lines of a folder over its pages, and the address that lets held messages in."""
        page = self._open(f"ucp.php?i=pm&folder={folder}")
        if page.tree.css_first('#viewfolder, form[action*="i=pm"], form[action*="folder="], .cplist, ul.pmlist') is None:
            said = told_by(page.tree)
            if has_one(self.layout.pm_off_words, said):
                raise NoThread("forbidden", said[:200])
            raise no_thread(page.tree, page.answer.text, self.layout)
        found = {line.id: line for line in lines_of(page.tree)}
        starts, read = starts_of(page.tree), {0}
        while waiting := [start for start in starts if start not in read]:
            read.add(waiting[0])
            following = self._open(f"ucp.php?i=pm&folder={folder}&start={waiting[0]}")
            found |= {line.id: line for line in lines_of(following.tree)}
            starts = sorted({*starts, *starts_of(following.tree)})
        return list(found.values()), release_link(page.tree)

    def _let_in_held(self, lines: list[Line], release: str, after_id: int) -> list[Line]:
        """Make room by deleting messages known before, then let held ones in. They are older than what may come next, so
        nothing newer is read past them: raises BoxFull when they stay outside."""
        known = sorted(line.id for line in lines if line.id <= after_id)[:_KEPT_MESSAGES]
        if known:
            self._delete(known)
        self._open(_without_sid(release))
        lines, still = self._lines("inbox")
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
        before = self._sent_ids(to_nick, subject)
        answer = self._write(
            f"ucp.php?i=pm&mode=compose&u={to_uid}",
            {"subject": subject, "message": text},
            needs=f"address_list[u][{to_uid}]",
            to=to_nick,
        )
        with self._sent(answer):
            found = self._sent_ids(to_nick, subject) - before
        if not found:
            raise self._unseen(answer, "личное сообщение отправлено, но среди отправленных не видно")

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return bool(self._sent_ids(to_nick, subject))

    def _sent_ids(self, to_nick: str, subject: str) -> set[int]:
        """Messages to him with this subject, picked up or not."""
        found: set[int] = set()
        for folder in ("outbox", "sentbox"):
            lines, _ = self._lines(folder)
            found |= {
                line.id for line in lines if folded(line.subject) == folded(subject) and folded(line.nick) == folded(to_nick)
            }
        return found

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
                raise self._refusal(told_by(page.tree) or error_of(page.tree)) or no_thread(
                    page.tree, page.answer.text, self.layout
                )
            if needs and form.get(needs) is None:
                raise RecipientRefused(error_of(page.tree) or f"{to} не принимает личные сообщения")
            self._let_ripen()
            label = dict(form.buttons).get("post") or "1"
            try:
                answer = self.session.post(
                    form.action or page.answer.url,
                    form.with_({**values, "post": label}),
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
                    raise self._refusal(said) or UnknownOutcome(said[:200] or f"сервер ответил {answer.status}")
                if (refusal := self._refusal(said)) is not None:
                    raise refusal
                return answer  # an information page: sent, or waiting for approval
            said = error_of(page.tree)
            if said and not has_one(self.layout.stale_words, said):
                raise self._refusal(said) or FormRefused(said[:200])
        raise FormRefused(error_of(page.tree)[:200] or "форум раз за разом возвращает форму")

    def _refusal(self, said: str) -> ForumError | None:
        """The error that the board's words stand for."""
        layout = self.layout
        if has_one(layout.flood_words, said):
            seconds = _SECONDS.search(said)
            return Flood(float(seconds[1]) if seconds else self.settings.flood_interval, said[:200])
        table: tuple[tuple[str, type[ForumError]], ...] = (
            (layout.recipient_words, RecipientRefused),
            (layout.closed_words, TopicClosed),
            (layout.full_words, BoxFull),
            (layout.pm_off_words, FormRefused),
        )
        return next((kind(said[:200]) for phrases, kind in table if has_one(phrases, said)), None)

    @contextmanager
    def _sent(self, answer: Answer) -> Iterator[None]:
        """Something was sent, with this answer. Whatever keeps us from seeing it now does not tell that it was not stored."""
        try:
            yield
        except UnknownOutcome:
            raise
        except OutsideError as error:
            raise self._unseen(answer, error.text) from error

    def _unseen(self, answer: Answer, words: str) -> UnknownOutcome:
        """What it means that something sent is not to be seen: it waits for approval where the board's own words say so."""
        said = told_by(LexborHTMLParser(answer.text)) if answer.text else ""
        return AwaitsApproval(said[:200]) if has_one(self.layout.approval_words, said) else UnknownOutcome(words)


def _link(tree: LexborHTMLParser, *parts: str) -> str | None:
    """The first link to a form whose address has all these parts, without the session."""
    for link in tree.css('a[href*="posting.php"]'):
        address = link.attributes.get("href") or ""
        if all(re.search(rf"[?&]{re.escape(part)}(?!\d)", address) for part in parts):
            return _without_sid(address)
    return None


def _without_sid(address: str) -> str:
    return _SID.sub("", address).rstrip("?&")
