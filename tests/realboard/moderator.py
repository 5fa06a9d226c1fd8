"""A moderator of a real phpBB at work: the queue, and topics that are moved, split, locked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin

from tests.realboard.browser import Page, Refused
from tests.realboard.people import Member


class Moderator(Member):
    """A member with a moderator's tools."""

    def approve_all(self, section: int) -> int:
        """Approve all posts and topics that wait in a section; how many."""
        done = 0
        for mode in ("unapproved_topics", "unapproved_posts"):
            while True:
                page = self.inside("mcp.php", i="queue", mode=mode, f=section)
                boxes = page.tree.css('input[name="post_id_list[]"], input[name="topic_id_list[]"]')
                if not boxes:
                    break
                form = page.form("action[approve]" if page.tree.css_first('[name="action[approve]"]') else "post_id_list[]")
                first = boxes[0]
                page = self.send(page, form, {first.attributes["name"] or "": first.attributes["value"]}, "action[approve]")
                self.confirm(page)
                done += 1
        return done

    def move(self, topic: int, section: int, target: int) -> None:
        """Move a topic to another forum, without a shadow."""
        page = self._quickly(topic, section, "move")
        self.send(
            page, page.form("to_forum_id"), {"to_forum_id": str(target), "move_leave_shadow": None, "cancel": None}, "confirm"
        )

    def lock(self, topic: int, section: int, *, locked: bool) -> None:
        self.confirm(self._quickly(topic, section, "lock" if locked else "unlock"))

    def remove(self, topic: int, section: int) -> None:
        """Hide a topic so that it can be brought back."""
        self.confirm(self._quickly(topic, section, "delete_topic"))

    def restore(self, topic: int, section: int) -> None:
        self.confirm(self._quickly(topic, section, "restore_topic"))

    def split(self, topic: int, section: int, post: int, subject: str) -> int:
        """Make a topic of its own of one post; gives its number. Raises Refused."""
        page = self._topic(topic, section, action="split")
        form = page.form("post_id_list[]")
        changed = {"post_id_list[]": str(post), "subject": subject, "to_forum_id": str(section), "action": "split_all"}
        self.confirm(self.send(page, form, changed, "mcp_topic_submit"))
        return self.topic_of(post)

    def merge(self, topic: int, section: int, into: int) -> None:
        """Put all posts of a topic back into another one."""
        page = self._topic(topic, section, action="merge_topic", to_topic_id=into)
        for box in page.tree.css('input[name="post_id_list[]"]'):
            page = self._topic(topic, section, action="merge_posts", to_topic_id=into)
            changed: Mapping[str, str | None] = {
                "post_id_list[]": box.attributes["value"], "to_topic_id": str(into), "action": "merge_posts",
            }  # fmt: skip
            self.confirm(self.send(page, page.form("post_id_list[]"), changed, "mcp_topic_submit"))

    def _topic(self, topic: int, section: int, **query: str | int) -> Page:
        return self.inside("mcp.php", i="main", mode="topic_view", f=section, t=topic, posts_per_page=999, **query)

    def _quickly(self, topic: int, section: int, action: str) -> Page:
        """The answer to one of the tools under a topic: links in 3.3, a menu with a button in 3.0. Raises Refused."""
        page = self.inside("viewtopic.php", f=section, t=topic)
        for link in page.tree.css('#quickmod a[href*="quickmod"]'):
            address = link.attributes.get("href") or ""
            if re.search(rf"[?&]action={action}(?:&|$)", address):
                return self.get(urljoin(page.url, address))
        for form in page.tree.css("form"):
            if "quickmod" in (form.attributes.get("action") or ""):
                return self.send(page, form, {"action": action}, "submit")
        raise Refused(f"no moderator's tool {action}: {page.words()}")
