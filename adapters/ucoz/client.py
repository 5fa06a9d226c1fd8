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
    LoginFailed,
    NoThread,
    NotShown,
    OutsideError,
    RecipientRefused,
    TopicClosed,
    Unfamiliar,
    UnknownOutcome,
)
from adapters.forum import Account, Forum, ForumSettings, Profile, Stored
from adapters.http import Answer, Session, Transport
from adapters.layout import has_one, parts
from adapters.markup import own_text
from adapters.messages import Line, is_ours
from adapters.model import Page, PrivateMessage
from adapters.threads import Fetched
from adapters.ucoz import otherwise
from adapters.ucoz.answers import LOGIN_FORM, made_for_guest, said_in, told, worth_telling
from adapters.ucoz.layout import Layout
from adapters.ucoz.letters import is_list, is_sent_list, lines_of, message_of, more_lists, passed_over
from adapters.ucoz.pages import edit_address, read_thread
from adapters.ucoz.site import has_switch, is_logged_in, links_to_pages, no_thread, topics_of
from adapters.webpage import Form, find_form

_LOGIN_FIELDS = {"rem": "1", "a": "2", "ajax": "2", "rnd": "100", "_tp_": "xml"}
_SCRIPTED = {"X-Requested-With": "XMLHttpRequest"}
_UID_ON_PROFILE = re.compile(r"(?:/index/(?:8|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d-])")
_ID_OF_PROFILE = re.compile(r"(?:/index/(?:14|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d])")
_NOT_FOUND = 404
_ERROR_CELLS = "#frM2, td.gTableError, .myWinError, #eMessage, .error"
_NEVER_SENT = frozenset(("ahtml",))
_INBOX, _SENT = "/index/14", "/index/14-0-1"
_LISTS_READ = 40
_LEAST_CUT = 200
"""Characters of a post that is taken for the beginning of a longer one."""


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    """An account on a uCoz forum; nothing is asked of the forum yet. Raises LayoutError for wrong overrides."""
    return UcozForum(settings, clock, transport)


class UcozForum(Board):
    """See adapters.forum.Forum. Topics are "F-T", sections "F"."""

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
        found = re.search(r"/index/8-(\d+)$", profile.answer.url) or _UID_ON_PROFILE.search(profile.answer.text)
        if found is None and (wall := self._wall(profile)) is not None:
            raise wall  # who we are is asked once: a page that is no profile must not be the answer
        if found is None and find_form(profile.tree, LOGIN_FORM) is not None:
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
        if number == 1 and not has_switch(fetched.tree) and links_to_pages(fetched.tree, topic):
            # Anybody may write such a link in a message: only a second page that is there tells that the switch is unknown.
            second = self._get(f"/forum/{topic}-2").answer.text
            known = {post.id for post in page.posts}
            try:
                more = read_thread(second, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
            except NoThread:
                return page, fetched
            if not {post.id for post in more.posts} <= known:
                raise Unfamiliar(otherwise.SWITCH)
        return page, fetched

    def _topic_url(self, topic: str, post_id: int | None) -> str:
        return f"{self.session.base}forum/{topic}-1" + (f"#{post_id}" if post_id else "")

    def open_topic(self, section: str, subject: str, text: str) -> Stored:
        page = self._open(f"/forum/{section}-0-0-1-1")
        form = self._form_on(page)
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
        form = self._form_on(page)
        if form is None:
            raise TopicClosed(self._complaint(page) or "тема закрыта или нет права писать")
        last_id = max(post.id for post in before.posts)

        def look() -> Stored | None:
            found = self.find_reply(topic, text, after_id=last_id)
            if found is None:
                self._see_whether_cut(topic, text, last_id)
            return found

        return self._send(form, page, {"message": text}, look)

    def _see_whether_cut(self, topic: str, text: str, after_id: int) -> None:
        """Raises NotShown when the newest posts hold but the beginning of our words: the forum's limit is another one."""
        me = self.login()
        whole = folded(text)
        for post in self._last_page(topic)[0].posts:
            shown = folded(own_text(post.runs))
            mine = post.id > after_id and self._is_mine(post, me)
            if mine and len(whole) > len(shown) >= _LEAST_CUT and whole.startswith(shown):
                raise NotShown(otherwise.CUT.format(shown=len(shown), whole=len(whole)))

    def _form_on(self, page: Fetched) -> Form | None:
        """The form for writing; None where there is none at all. Raises Unfamiliar for one that we do not know."""
        form = find_form(page.tree, self.layout.post_form)
        if form is None and page.tree.css_first("form textarea") is not None:
            raise Unfamiliar(otherwise.FORM)
        return form

    def edit(self, topic: str, post_id: int, text: str) -> None:
        for _, shown in self._holding(topic, post_id):
            address = edit_address(shown.answer.text, post_id, self.layout)
            if address is None:
                raise TopicClosed("форум не даёт править это сообщение")
            page = self._open(address)
            form = self._form_on(page)
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
        try:
            return message_of(page.tree, line, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
        except NoThread as error:
            raise Unfamiliar(otherwise.BODY) from error

    def _lines(self, address: str) -> list[Line]:
        """All lines of a list, over its pages. Raises NoThread when the page is no list, Unfamiliar when it is another one than
        it should be or is not understood."""
        page = self._open(address)
        if not is_list(page.tree):
            wall = no_thread(page.tree, page.answer.text, self.layout)
            if address == _SENT and wall.reason in ("not_found", "no_posts"):
                raise Unfamiliar(otherwise.SENT_LIST) from wall
            raise wall
        if address == _SENT and not is_sent_list(page.tree, self.layout):
            raise Unfamiliar(otherwise.SENT_LIST)
        if passed_over(page.tree, page.answer.text, self.layout):
            raise Unfamiliar(otherwise.LIST)
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
        form = self._form_on(page)
        if form is None:
            refused = told(self.layout, self._complaint(page), self.settings.flood_interval)
            raise refused or RecipientRefused(f"форум не даёт написать {to_nick}")
        to_field = page.tree.css_first("#PMtoUser")
        name = (to_field.attributes.get("name") if to_field is not None else None) or ""
        values = {"subject": subject, "message": text, **({name: to_nick} if name and not form.get(name) else {})}

        looked = False

        def look() -> Stored | None:
            nonlocal looked
            lines = [line for line in self._lines(_SENT) if line.id not in known]
            looked = True
            mine = [line for line in lines if _is_to(line, to_uid, to_nick) and folded(line.subject) == folded(subject)]
            return Stored("", mine[0].id, "") if mine else None

        try:
            self._send(form, page, values, look)
        except UnknownOutcome as error:
            # By its own words the forum has sent it: once more would be twice.
            if looked and has_one(self.layout.sent_words, self._said):
                raise NotShown(otherwise.NOT_LISTED.format(said=self._said[:120])) from error
            raise

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


def _is_to(line: Line, uid: int, nick: str) -> bool:
    return line.uid == uid if line.uid is not None else folded(line.nick) == folded(nick)
