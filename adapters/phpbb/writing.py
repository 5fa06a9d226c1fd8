"""An account on a phpBB board that logs in and sends forms: decided by what is in the page, never by the status."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from adapters.board import Board
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
from adapters.forum import Account, ForumSettings
from adapters.http import Answer, Transport
from adapters.layout import has_one
from adapters.phpbb.layout import Layout
from adapters.phpbb.site import MERGING, error_of, is_logged_in, login_form, nick_of, no_thread
from adapters.phpbb.site import message_of as told_by
from adapters.threads import Fetched
from adapters.webpage import Form, find_form, number_of, read_form

_SID = re.compile(r"(?<=[?&])sid=[0-9a-f]+&?")
_SECONDS = re.compile(r"(\d{1,4})\s*(?:сек|sec)", re.I)
_FORM_RETRIES = 3
_LONG_NUMBER = re.compile(r"\d[\d \xa0.,]*")
_LEAST_LIMIT = 50


class Writing(Board):
    """Logging in, and sending forms; what is sent is the subclasses' affair."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None = None) -> None:
        super().__init__(settings, clock, transport)
        self.layout = Layout.of(settings.overrides)
        self._limit = sys.maxsize
        """What the board itself said that a post may have."""

    @property
    def max_post(self) -> int:
        """How many characters a post may have: as the layout says, or fewer where the board has said so."""
        return min(int(self.layout.max_post), self._limit)

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

    def _write(self, address: str, values: Mapping[str, str], *, needs: str = "", to: str = "") -> Answer:
        """Fetch a form, let it ripen, send it. Forms that come back without an error (somebody posted meanwhile, a stale
        token) are sent again; nothing was stored then. Returns the answer that looks like a success.

        Raises Flood, TopicClosed, RecipientRefused, BoxFull, FormRefused, NoThread, UnknownOutcome.
        """
        page = self._open(without_sid(address))
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
                page = self._open(without_sid(address))
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
    return replace(form, fields=[(name, value) for name, value in form.fields if not MERGING.search(name)])


def without_sid(address: str) -> str:
    """An address without the session that it may name."""
    return _SID.sub("", address).rstrip("?&")
