"""A uCoz forum at work: its topics and posts. Logging in is in ``writing``, messages in ``boxes``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from adapters import profiles
from adapters.alike import folded, same_words
from adapters.clock import Clock
from adapters.errors import NoThread, NotShown, TopicClosed, Unfamiliar
from adapters.forum import Forum, ForumSettings, Profile, Stored
from adapters.http import Transport
from adapters.markup import own_text
from adapters.model import Page
from adapters.threads import Fetched
from adapters.ucoz import otherwise
from adapters.ucoz.boxes import Boxes
from adapters.ucoz.pages import edit_address, read_thread
from adapters.ucoz.site import has_switch, links_to_pages, topics_of

_ID_OF_PROFILE = re.compile(r"(?:/index/(?:14|34|23|54)|/forum/0-0-1-3)-(\d{1,18})(?![\d])")
_NOT_FOUND = 404
_LEAST_CUT = 200
"""Characters of a post that is taken for the beginning of a longer one."""


def connect(settings: ForumSettings, clock: Clock, *, transport: Transport | None = None) -> Forum:
    """An account on a uCoz forum; nothing is asked of the forum yet. Raises LayoutError for wrong overrides."""
    return UcozForum(settings, clock, transport)


class UcozForum(Boxes):
    """See adapters.forum.Forum. Topics are "F-T", sections "F"."""

    def profile(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        asked = str(uid) if uid is not None else "0-" + quote((nick or "").replace("-", "~"), safe="")
        page = self._open(f"/index/8-{asked}")
        if page.answer.status == _NOT_FOUND:
            return None
        found = re.search(r"/index/8-(\d{1,18})$", page.answer.url) or _ID_OF_PROFILE.search(page.answer.text)
        number = uid if uid is not None else int(found[1]) if found else None
        return None if number is None else profiles.read(page.tree, number, nick or "")

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
            shown = {post.id for post in more.posts}
            # Past the end stands at most the first post: the very same page is one whose number was not listened to.
            if not shown <= known or (shown == known and len(known) > 1):
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

    def edit(self, topic: str, post_id: int, text: str) -> None:
        for _, shown in self._holding(topic, post_id):
            address = edit_address(shown.answer.text, post_id, self.layout)
            if address is None:
                raise TopicClosed(otherwise.NO_EDIT)
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

    def _titles(self, section: str) -> Mapping[str, str]:
        page = self._open(f"/forum/{section}")
        return {topic.address: topic.title for topic in topics_of(page.tree, self.layout)}
