"""An account on a uCoz forum that logs in and sends forms: they are fetched and echoed, answers are never believed, all is read
back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from selectolax.lexbor import LexborHTMLParser

from adapters.board import Board
from adapters.clock import Clock
from adapters.errors import AwaitsApproval, LoginFailed, NoThread, OutsideError, Unfamiliar, UnknownOutcome
from adapters.forum import Account, ForumSettings, Stored
from adapters.http import Answer, Session, Transport
from adapters.layout import has_one, parts
from adapters.threads import Fetched
from adapters.ucoz import otherwise
from adapters.ucoz.answers import LOGIN_FORM, made_for_guest, said_in, told, worth_telling
from adapters.ucoz.layout import Layout
from adapters.ucoz.pages import read_thread
from adapters.ucoz.site import is_logged_in, no_thread
from adapters.webpage import Form, find_form

_LOGIN_FIELDS = {"rem": "1", "a": "2", "ajax": "2", "rnd": "100", "_tp_": "xml"}
_SCRIPTED = {"X-Requested-With": "XMLHttpRequest"}
_UID_ON_PROFILE = re.compile(r"(?:/index/(?:8|34|23|54)|/forum/0-0-1-3)-(\d{1,18})(?![\d-])")
_ERROR_CELLS = "#frM2, td.gTableError, .myWinError, #eMessage, .error"
_NEVER_SENT = frozenset(("ahtml",))


class Writing(Board):
    """Logging in, and sending forms; what is sent is the subclasses' affair."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None = None) -> None:
        super().__init__(settings, clock, transport)
        self.layout = Layout.of(settings.overrides)
        self._guest = Session(
            settings.url, clock, user_agent=settings.user_agent, min_interval=settings.min_interval, transport=transport
        )
        """Nobody's session, to see what others see."""
        self._said = ""
        """What the forum answered to the last writing that was not found."""

    @property
    def max_post(self) -> int:
        """How many characters a post may have; uCoz names no limit, the layout holds one."""
        return int(self.layout.max_post)

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
        form = find_form(page.tree, LOGIN_FORM) or Form("/index/sub/", "post")
        field = page.tree.css_first("input[type=password][name=password]")
        limit = (field.attributes.get("maxlength") or "") if field is not None else ""
        if limit.isdecimal() and 0 < int(limit) < len(self.settings.password):
            raise LoginFailed(otherwise.LONG_PASSWORD.format(limit=limit))
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
        said = "" if "window.location" in answer.text else said_in(answer)[:200]
        walls = f"{self.layout.maintenance_words}|{self.layout.challenge_words}"
        return said if has_one(self.layout.login_words, said) and not has_one(walls, answer.text) else ""

    def _who(self, page: Fetched) -> Account:
        link = page.tree.css_first('a[href$="/index/8"]')
        profile = self._get("/index/8")
        nick = link.text().strip() if link is not None else ""
        found = re.search(r"/index/8-(\d{1,18})$", profile.answer.url) or _UID_ON_PROFILE.search(profile.answer.text)
        if found is None and (wall := self._wall(profile)) is not None:
            raise wall  # who we are is asked once: a page that is no profile must not be the answer
        if found is None and find_form(profile.tree, LOGIN_FORM) is not None:
            raise NoThread("login_required", "вход потерян")
        return Account(nick or self.settings.user, int(found[1]) if found else 0)

    def _form_on(self, page: Fetched) -> Form | None:
        """The form for writing; None where there is none at all. Raises Unfamiliar for one that we do not know."""
        form = find_form(page.tree, self.layout.post_form)
        if form is None and page.tree.css_first("form textarea") is not None:
            raise Unfamiliar(otherwise.FORM)
        return form

    def _send(self, form: Form, page: Fetched, values: Mapping[str, str], look: Callable[[], Stored | None]) -> Stored:
        """Send a form with these values and find what became of it; the forum's words only explain a failure."""
        answers: list[Answer] = []
        # Staff's form has HTML switched on; players' words stand in our texts, and as HTML they would be alive.
        sent = [(name, value) for name, value in form.with_(values) if name not in _NEVER_SENT]

        def send() -> None:
            answers.append(
                self.session.post(form.action or page.answer.url, sent, referer=page.answer.url, charset=page.answer.charset)
            )

        self._said = ""
        self._before_writing()
        self._let_ripen()
        try:
            found = self._looking_back(send, look)
        except UnknownOutcome as lost:
            if answers and made_for_guest(answers[0]):
                raise NoThread("login_required", "вход потерян, пока заполнялась форма") from None
            said = self._said = said_in(answers[0]) if answers else ""
            if not self._waits(said) and (error := told(self.layout, said, self.settings.flood_interval)) is not None:
                raise error from None
            if not self._waits(said):
                if said and worth_telling(answers[0]) and type(lost) is UnknownOutcome:
                    raise UnknownOutcome(otherwise.UNKNOWN_WORDS.format(said=said[:120])) from None
                raise
        else:
            said = said_in(answers[0]) if answers else ""
            unknown = said and worth_telling(answers[0]) and not has_one(self.layout.added_words, said)
            if not self._waits(said) and not (unknown and self._hidden_from_guests(found)):
                return found
        # The writer may see what waits for a moderator, others do not.
        raise AwaitsApproval(said[:200])

    def _hidden_from_guests(self, stored: Stored) -> bool:
        """Whether a post that we see is not there for a guest who may read its topic: it waits for a moderator, in whatever
        words the forum has said so."""
        if not stored.topic or not stored.post_id:
            return False
        number = self._pages_of.get(stored.topic, 1)
        for _ in range(2):
            html = self._guest.get(f"/forum/{stored.topic}-{number}").text
            try:
                page = read_thread(html, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
            except (OutsideError, ValueError):
                return False  # guests may not read here, or nothing is to be had now: it tells nothing
            if any(post.id == stored.post_id for post in page.posts):
                return False
            if page.page >= page.pages:
                return True
            number = page.pages
        return False

    def _complaint(self, page: Fetched) -> str:
        """What a page without the wanted form says instead."""
        node = page.tree.css_first(_ERROR_CELLS)
        if node is not None and (text := " ".join(node.text().split())):
            return text
        wall = no_thread(LexborHTMLParser(page.answer.text), page.answer.text, self.layout)
        return wall.text if wall.reason in ("forbidden", "not_found", "login_required") else ""

    def _waits(self, said: str) -> bool:
        """Whether these words mean that a moderator must let the post through."""
        return has_one(self.layout.approval_words, said)
