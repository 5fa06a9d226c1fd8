"""A Chalk account at work."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from selectolax.lexbor import LexborHTMLParser

from adapters import profiles
from adapters.board import Board, in_order
from adapters.clock import Clock
from adapters.errors import NoThread, UnknownOutcome
from adapters.forum import Account, Forum, ForumSettings, Profile, Stored
from adapters.http import Transport
from adapters.messages import Line, is_ours
from adapters.model import Page, PrivateMessage
from adapters.threads import Fetched
from adapters.webpage import find_form
from chalk import letters, notation
from chalk.layout import Layout
from chalk.pages import read_thread
from chalk.site import is_logged_in, no_thread, page_of_pages


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    return Chalk(settings, clock, transport)


class Chalk(Board):
    """See adapters.forum.Forum. Topics are "T", sections "F"."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None) -> None:
        super().__init__(settings, clock, transport)
        self.layout = Layout.of(settings.overrides)

    @property
    def max_post(self) -> int:
        return int(self.layout.max_post)

    def _home(self) -> str:
        return "/index.php"

    def _logged_in(self, page: Fetched) -> bool:
        return is_logged_in(page.tree)

    def _wall(self, page: Fetched, *, after_login: bool = False) -> NoThread | None:
        wall = no_thread(page.tree, page.answer.text, self.layout)
        return wall if wall.reason in ("challenge", "truncated") else None

    def _log_in(self) -> str:
        said = self._send("/index.php", "form.enter", {"nick": self.settings.user, "secret": self.settings.password})
        refusal = said.css_first("p.no")
        return " ".join(refusal.text().split()) if refusal is not None else ""

    def _who(self, page: Fetched) -> Account:
        me = page.tree.css_first("p.me a.who")
        nick, uid = letters._person(me)
        return Account(nick, uid or 0)

    def _send(self, address: str, selector: str, values: Mapping[str, str]) -> LexborHTMLParser:
        page = self._get(address)
        form = find_form(page.tree, selector)
        if form is None:
            raise no_thread(page.tree, page.answer.text, self.layout)
        self._let_ripen()
        answer = self.session.post(form.action, form.with_(values), referer=page.answer.url, charset=page.answer.charset)
        return LexborHTMLParser(answer.text)

    def _write(self, address: str, values: Mapping[str, str]) -> None:
        self._open(address)
        self._before_writing()
        self._send(address, "form.pen", values)

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        page = self._open(f"/who.php?u={uid}" if uid is not None else f"/who.php?nick={nick}")
        named = page.tree.css_first("table a.who")
        return profiles.read(page.tree, letters._person(named)[1] or 0, nick or "") if named is not None else None

    def _thread_page(self, topic: str, number: int) -> tuple[Page, Fetched]:
        fetched = self._open(f"/topic.php?t={topic}&p={number}")
        return read_thread(fetched.answer.text, fetched=self.clock.now(), zone=self.zone, layout=self.layout), fetched

    def _titles(self, section: str) -> Mapping[str, str]:
        page = self._open(f"/shelf.php?f={section}")
        if page.tree.css_first("ul.shelf") is None:
            raise no_thread(page.tree, page.answer.text, self.layout)
        links = ((link.text(), re.search(r"t=(\d+)", link.attributes.get("href") or "")) for link in page.tree.css("ul.shelf a"))
        return {found[1]: title for title, found in links if found}

    def _topic_url(self, topic: str, post_id: int | None) -> str:
        return f"{self.session.base}topic.php?t={topic}&p=1" + (f"#n{post_id}" if post_id else "")

    def open_topic(self, section: str, subject: str, text: str) -> Stored:
        values = {"title": subject, "words": notation.from_bbcode(text)}
        return self._found(f"/pen.php?f={section}", values, partial(self.find_topic, section, subject))

    def reply(self, topic: str, text: str) -> Stored:
        last = self._last_page(topic)[0]
        look = partial(self.find_reply, topic, text, after_id=max(post.id for post in last.posts))
        return self._found(f"/topic.php?t={topic}&p={last.pages}", {"words": notation.from_bbcode(text)}, look)

    def _found(self, address: str, values: Mapping[str, str], look: Callable[[], Stored | None]) -> Stored:
        return self._looking_back(partial(self._write, address, values), look)

    def edit(self, topic: str, post_id: int, text: str) -> None:
        self._write(f"/pen.php?n={post_id}", {"words": notation.from_bbcode(text)})
        self._wrote()

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        return in_order({line.id: partial(self._message, line) for line in self._box("in") if line.id > after_id})

    def count_messages(self) -> int:
        return len(self._box("in"))

    def _box(self, folder: str) -> list[Line]:
        page = self._open(f"/box.php?folder={folder}")
        if page.tree.css_first("ul.box") is None:
            raise no_thread(page.tree, page.answer.text, self.layout)
        found = letters.lines_of(page.tree)
        for number in range(2, page_of_pages(page.tree)[1] + 1):
            found += letters.lines_of(self._open(f"/box.php?folder={folder}&p={number}").tree)
        return found

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"/letter.php?m={line.id}")
        return letters.message_of(page.tree, line, fetched=self.clock.now(), zone=self.zone, layout=self.layout)

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        try:
            self._write(f"/pen.php?u={to_uid}", {"title": subject, "words": notation.from_bbcode(text)})
        finally:
            self._wrote()
        if not self.find_sent_pm(to_nick, subject):
            raise UnknownOutcome("письмо отправлено, но среди отправленных не видно")

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return any(is_ours(line, to_nick, subject) for line in self._box("out"))
