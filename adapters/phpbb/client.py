"""A phpBB board at work, 3.3 and 3.0: its topics and posts. Logging in is in ``writing``, messages in ``boxes``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from urllib.parse import quote

from selectolax.lexbor import LexborHTMLParser

from adapters import profiles
from adapters.alike import same_words
from adapters.clock import Clock
from adapters.errors import AwaitsApproval, NoThread, OutsideError, UnknownOutcome
from adapters.forum import Forum, ForumSettings, Profile, Stored
from adapters.http import Transport
from adapters.model import Page
from adapters.phpbb.boxes import Boxes
from adapters.phpbb.pages import read_thread
from adapters.phpbb.site import no_thread, starts_of
from adapters.phpbb.writing import without_sid
from adapters.threads import Fetched

_POST_ID = re.compile(r"[?&]p=(\d{1,18})(?!\d)")
_TOPIC_ID = re.compile(r"[?&]t=(\d{1,18})(?!\d)")
_OF_PROFILE = re.compile(r"(?:author_id=|mode=compose&(?:amp;)?u=)(\d{1,18})(?!\d)")
_NOT_FOUND = 404
_SECTION_PAGES = 3
"""So many pages of a section are looked through for a topic: the newest stand first."""
_SECTION_PARTS = ".forumbg, .topiclist, .forabg, form[action*=viewforum], table.tablebg, a[href*='mode=post']"


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    """An account on a phpBB board; nothing is asked of the board yet. Raises LayoutError for wrong overrides."""
    return PhpbbForum(settings, clock, transport)


class PhpbbForum(Boxes):
    """See adapters.forum.Forum. Topics are "T", sections "F"."""

    def __init__(self, settings: ForumSettings, clock: Clock, transport: Transport | None = None) -> None:
        super().__init__(settings, clock, transport)
        self._step: dict[str, int] = {}

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        named = f"u={uid}" if uid is not None else f"un={quote(nick or '', safe='')}"
        page = self._open(f"memberlist.php?mode=viewprofile&{named}")
        found = _OF_PROFILE.search(page.answer.text)
        if page.answer.status == _NOT_FOUND or (found is None and uid is None):
            return None
        return profiles.read(page.tree, uid if uid is not None else int(found[1] if found else 0), nick or "")

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

    def _titles(self, section: str) -> Mapping[str, str]:
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
        return found

    def _titles_elsewhere(self) -> Mapping[str, str]:
        """By the search for our own posts; none where the board lets us search nothing."""
        try:
            page = self._open("search.php?search_id=egosearch")
        except NoThread as error:
            if error.reason in ("forbidden", "not_found", "no_posts"):
                return {}
            raise
        links = page.tree.css(self.layout.topic_link)
        return {named[1]: link.text() for link in links if (named := _TOPIC_ID.search(link.attributes.get("href") or ""))}

    def newest_posts(self, section: str) -> Mapping[str, int]:
        page = self._open(f"viewforum.php?f={section}")
        found: dict[str, int] = {}
        for link in page.tree.css(self.layout.topic_link):
            row = link.parent
            while row is not None and row.tag not in ("li", "tr", "body"):
                row = row.parent
            named = _TOPIC_ID.search(link.attributes.get("href") or "")
            shown = row.css('a[href*="viewtopic.php"]') if row is not None else []
            ids = [int(one[1]) for other in shown if (one := _POST_ID.search(other.attributes.get("href") or ""))]
            if named and ids:
                found[named[1]] = max(ids)
        return found


def _link(tree: LexborHTMLParser, *parts: str) -> str | None:
    """The first link to a form whose address has all these parts, without the session."""
    for link in tree.css('a[href*="posting.php"]'):
        address = link.attributes.get("href") or ""
        if all(re.search(rf"[?&]{re.escape(part)}(?!\d)", address) for part in parts):
            return without_sid(address)
    return None
