"""What members of a real phpBB do: log in, post, edit, delete, write private messages, read their box."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlparse

from selectolax.lexbor import LexborNode

from tests.realboard.browser import Browser, Page, Refused

_POST = re.compile(r"#p(\d+)")
OLD_ZONES = {"UTC": "0", "Europe/Moscow": "3", "Asia/Omsk": "6"}
"""The zones that are used, as phpBB 3.0 numbers them."""
_TOPIC = re.compile(r"[?&;]t=(\d+)")
_WAY_OUT = 'a[href*="mode=logout"]'


class Member(Browser):
    """A member at work in a browser of their own."""

    def __init__(self, url: str, nick: str, password: str, *, wait: Callable[[float], None] = time.sleep) -> None:
        super().__init__(url, wait=wait)
        self.nick, self.password = nick, password
        self.uid = 0
        self.known = 0
        """The newest private message of an earlier game."""

    def enter(self) -> None:
        """Log in and learn the own uid. Raises Refused."""
        page = self.get("ucp.php", mode="login")
        if page.tree.css_first(_WAY_OUT) is None:
            form = page.form("password", "mode=login")
            page = self.send(page, form, {"username": self.nick, "password": self.password, "autologin": "on"}, "login")
        if self.get("index.php").tree.css_first(_WAY_OUT) is None:
            raise Refused(f"{self.nick} cannot log in: {page.words()}")
        # A stray page of the profile carries the number in the account's own cookie.
        self.uid = int(next(c.value or 0 for c in self._http.cookies.jar if c.name.endswith("_u")))

    def inside(self, address: str, **query: str | int) -> Page:
        """A page for members; logs in again where the session is gone."""
        page = self.get(address, **query)
        if page.tree.css_first('form#login, form[action*="mode=login"] input[name="password"]') is not None:
            self.enter()
            page = self.get(address, **query)
        return page

    def reply(self, topic: int, section: int, text: str, subject: str | None = None) -> int:
        """A reply; gives the post's id. Raises Refused with the board's words."""
        page = self.inside("posting.php", mode="reply", f=section, t=topic)
        changed = {"message": text, "do_merge": None} | ({"subject": subject} if subject else {})
        return _post_of(self.send(page, page.form("message", "posting"), changed, "post", follow=False), text)

    def open_topic(self, section: int, title: str, text: str) -> int:
        """A new topic; gives the id of its first post."""
        page = self.inside("posting.php", mode="post", f=section)
        return _post_of(self.send(page, page.form("message", "posting"), {"subject": title, "message": text}, "post"), text)

    def preferences(self, **changed: str) -> None:
        """Change settings of the own profile (``lang``, ``dateformat``, ``style``, ``tz`` by its name). Raises Refused.

        3.0 names the room and the zones otherwise, by hours."""
        page = self.inside("ucp.php", i="ucp_prefs", mode="personal")
        if page.tree.css_first('[name="tz"]') is None:
            page = self.inside("ucp.php", i="prefs", mode="personal")
            if "tz" in changed:
                changed["tz"] = OLD_ZONES[changed["tz"]]
        if self.send(page, page.form("tz"), changed, "submit").tree.css_first(".error") is not None:
            raise Refused(page.words())

    def styles(self) -> list[str]:
        """The values of the styles that the board offers."""
        page = self.inside("ucp.php", i="ucp_prefs", mode="personal")
        if page.tree.css_first('[name="tz"]') is None:
            page = self.inside("ucp.php", i="prefs", mode="personal")
        return [one.attributes.get("value") or "" for one in page.tree.css('select[name="style"] option')] or ["1"]

    def signature(self, text: str) -> None:
        """What stands under all posts of this member."""
        page = self.inside("ucp.php", i="ucp_profile", mode="signature")
        if page.tree.css_first('[name="signature"]') is None:
            page = self.inside("ucp.php", i="profile", mode="signature")
        self.send(page, page.form("signature"), {"signature": text}, "submit")

    def posts(self, topic: int) -> Iterator[LexborNode]:
        """The posts of a topic, page by page."""
        start, known = 0, {0}
        while True:
            page = self.inside("viewtopic.php", t=topic, start=start)
            yield from page.tree.css("div.post")
            starts = re.compile(rf"[?&]t={topic}(?:&[^#]*)?&start=(\d+)")
            known |= {int(found[1]) for link in _links(page, "start=") if (found := starts.search(link))}
            later = [one for one in known if one > start]
            if not later:
                return
            start = min(later)

    def topic_of(self, post: int) -> int:
        """The topic in which a post stands now."""
        page = self.inside("viewtopic.php", p=post)
        found = _TOPIC.search(page.url) or _TOPIC.search(" ".join(_links(page, "mode=reply"))) or _TOPIC.search(page.html)
        if found is None:
            raise Refused(page.words())
        return int(found[1])

    def edit(self, section: int, post: int, text: str) -> None:
        page = self.inside("posting.php", mode="edit", f=section, p=post)
        page = self.send(page, page.form("message", "posting"), {"message": text}, "post", follow=False)
        if "posting.php" in page.url and page.tree.css_first('textarea[name="message"]') is not None:
            raise Refused(page.words())

    def delete(self, section: int, post: int) -> None:
        page = self.inside("posting.php", mode="delete", f=section, p=post)
        page = self.confirm(page)
        if page.status >= 400:
            raise Refused(page.words())

    def quotation(self, section: int, post: int) -> str:
        """The BBCode that the quote button puts into the form."""
        page = self.inside("posting.php", mode="quote", f=section, p=post)
        area = page.form("message", "posting").css_first('textarea[name="message"]')
        return area.text() if area is not None else ""

    def message(self, uid: int, subject: str, text: str) -> int:
        """A private message; gives its number."""
        page = self.inside("ucp.php", i="pm", mode="compose", u=uid)
        page = self.send(page, page.form("message"), {"subject": subject, "message": text}, "post")
        links = [a.attributes.get("href") or "" for a in page.tree.css('#message a[href*="mode=view"]')]
        if page.tree.css_first('textarea[name="message"]') is not None or not links:
            raise Refused(page.words())
        return int(parse_qs(urlparse(links[0]).query)["p"][0])

    def box(self) -> list[Whisper]:
        """The messages in the inbox, newest first, without opening them."""
        found: list[Whisper] = []
        start = 0
        for held in _links(self.inside("ucp.php", i="pm", folder="inbox"), "release=1")[:1]:
            self.get(held)
        while True:
            page = self.inside("ucp.php", i="pm", folder="inbox", start=start)
            rows = [a for a in page.tree.css('a[href*="mode=view"]') if "topictitle" in (a.attributes.get("class") or "")]
            new = [Whisper(int(parse_qs(urlparse(a.attributes["href"] or "").query)["p"][0]), a.text().strip()) for a in rows]
            new = [one for one in new if one.id not in {old.id for old in found}]
            if not new:
                return found
            found += new
            start += len(rows)

    def open(self, message: int) -> str:
        """The words of a private message."""
        page = self.inside("ucp.php", i="pm", mode="view", p=message)
        content = page.tree.css_first(".content")
        return content.text(separator="\n") if content is not None else ""


@dataclass(frozen=True)
class Whisper:
    """A private message in a list."""

    id: int
    subject: str


def _links(page: Page, part: str) -> list[str]:
    """Addresses of the page's links that have this part."""
    return [a.attributes.get("href") or "" for a in page.tree.css(f'a[href*="{part}"]')]


def _post_of(page: Page, text: str) -> int:
    """The id of the post that was just sent: in the address the board went on to, in the link of its thanks, or (of a new
    topic) the only post of the page."""
    found = _POST.search(page.url)
    if found is None:
        inside = "viewtopic" in page.url
        shown = [f"#{node.attributes.get('id')}" for node in page.tree.css('div.post[id^="p"]')] if inside else []
        links = [] if inside else [a.attributes.get("href") or "" for a in page.tree.css("div#message a[href*='#p']")]
        found = next((m for one in (*links[:1], *shown[-1:]) if (m := _POST.search(one))), None)
    if found is None:
        raise Refused(f"«{text[:40]}»: {page.words()}")
    return int(found[1])
