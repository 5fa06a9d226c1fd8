"""A phpBB thread page to posts: prosilver 3.3 and 3.0 with its forks, subsilver2."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo

from adapters.errors import NoThread
from adapters.layout import parts
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, without_raw
from adapters.model import Page, Post
from adapters.phpbb import quick
from adapters.phpbb.layout import USUAL, Layout
from adapters.phpbb.site import is_locked, is_moderators, no_thread, page_of_pages, starts_of, title_of, total_of, zone_offset
from adapters.webpage import (
    Room,
    class_pattern,
    close_of,
    is_whole,
    name_of,
    number_of,
    offset_zone,
    printed_time,
    text_of,
    tree_of,
)
from adapters.writer import trimmed

_CONTENTS = "div.post .content"
_OLD_POSTS = "table.tablebg"
_OLD_POST_ID = re.compile(r'<a\b[^>]*\bname="p(\d{1,18})"')
_OLD_BODY = class_pattern("postbody", "div")
_NICK_LINK = re.compile(r'<a\b[^>]*\bhref="([^"]*mode=viewprofile[^"]*)"[^>]*>(.*?)</a>', re.S)
_NICK_PLAIN = re.compile(
    r'<(span|strong|b)\b[^>]*\bclass="(?:[^"]*\s)?(?:username(?:-coloured)?|postauthor)(?:\s[^"]*)?"[^>]*>(.*?)</\1>', re.S
)
_UID = re.compile(r"(?:&amp;|[?&;])u=(\d{1,18})(?!\d)")
_TIME = re.compile(r'<time\b[^>]*\bdatetime="([^"]+)"')
_ICON_NUMBER = re.compile(r'<img\b[^>]*\b(?:alt|title)="[^"#]*#\s*(\d[\d \xa0.,]*)"')
_NICK_IN_NOTICE = re.compile(r'<(a|span)\b[^>]*(?:mode=viewprofile|class="username)[^>]*>(.*?)</\1>', re.S)
_EDIT_WORDS = re.compile(r"(?:редактировал\S*|отредактирован\S*|edited by|редаговано|відредаговано)\s+(.*)", re.I | re.S)
_NOT_APPROVED = re.compile(r"post-notice unapproved|mode=approve_details|icon_topic_unapproved|unapproved_img")
_DELETED = re.compile(r'post-notice deleted|class="[^"]*post_deleted_msg|icon_topic_deleted')
_NUMBER_AT_END = re.compile(r"(?<!\d)\d{1,18}$")
_WAITING = "waiting"
"""Among the problems of a post that only its author and moderators see."""
_LONGEST_NOTICE = 4_000
_SIGNATURE_RULE = "_________________"


def read_thread(
    html: str, *, fetched: datetime, zone: tzinfo, layout: Layout | None = None, overrides: Mapping[str, str] | None = None
) -> Page:
    """The posts of one page in its order; soft-deleted ones are left out, those waiting for approval stand apart.

    ``fetched`` is the moment of the fetch, ``zone`` that of printed times where the page's foot names none. Raises
    NoThread for a page that is no thread or has no end.
    """
    layout = layout or (Layout.of(overrides) if overrides else USUAL)
    tree = tree_of(html)
    offset = zone_offset(html, layout)
    reader = _Reader(fetched, zone if offset is None else offset_zone(offset), layout)
    kinds = [(name, start) for name in parts(layout.post_classes) for start in parts(layout.post_ids)]
    nodes = tree.css(", ".join(f'div.{name}[id^="{start}"]' for name, start in kinds))
    room = Room(html, len(nodes))
    contents = tree.css(_CONTENTS) if layout == USUAL else []
    posts = [
        usual or reader.prosilver(room.take(without_raw(node.html or "")))
        for node, usual in zip(nodes, quick.read_posts(html, nodes, contents, reader.zone), strict=True)
    ]
    ids = [int(found[0]) for node in nodes if (found := _NUMBER_AT_END.search(node.id or ""))]
    if not nodes:
        whole = (room.take(without_raw(node.html or "")) for node in tree.css(_OLD_POSTS))
        tables = [table for table in whole if _OLD_POST_ID.search(table)]
        posts = [reader.subsilver(table) for table in tables]
        ids = [int(found[1]) for table in tables if (found := _OLD_POST_ID.search(table))]
    if not posts:
        raise no_thread(tree, html, layout)
    if not is_whole(html):
        raise NoThread("truncated", "страница оборвана: у неё нет конца")
    once = {post.id: post for post in reversed(posts) if post is not None}
    shown = tuple(post for post in reversed(once.values()) if _WAITING not in post.problems)
    page, pages = page_of_pages(tree)
    step = math.gcd(*starts_of(tree))
    # Whoever moderates the forum sees, and has counted, what is hidden from others.
    counted = ids if is_moderators(html) else [post.id for post in shown]
    return Page(
        shown,
        page,
        pages,
        title_of(tree),
        locked=is_locked(tree, layout),
        zone_offset_minutes=offset,
        waiting=tuple(post for post in reversed(once.values()) if _WAITING in post.problems),
        total=total_of(tree),
        before=0 if page == 1 else (page - 1) * step or None,
        counted=frozenset(counted),
    )


class _Reader:
    """Reads the posts of one page."""

    def __init__(self, fetched: datetime, zone: tzinfo, layout: Layout) -> None:
        self._fetched = fetched
        self.zone = zone
        self._layout = layout
        self._post_id = re.compile(rf'id="(?:{"|".join(re.escape(one) for one in parts(layout.post_ids))})(\d{{1,18}})"')

    def prosilver(self, html: str) -> Post | None:
        """A post of prosilver, 3.0 to 3.3; None for one that does not count."""
        opening = html[: html.index(">") + 1]
        named = self._post_id.search(opening)
        content = class_pattern(self._layout.text_classes, "div").search(html)
        head, body, tail = self._around(html, content)
        if named is None or _DELETED.search(head) or _DELETED.search(tail):
            return None
        if re.search(r'class="[^"]*\bdeleted\b', opening):
            return None
        author, uid = self._author(head, tail)
        posted, exact = self._posted(head)
        icon = _ICON_NUMBER.search(head)
        return self._post(
            int(named[1]), author, uid, body, posted, exact, self._notice(tail),
            number=number_of(icon[1]) if icon else None, missing=content is None, waiting=bool(_NOT_APPROVED.search(head)),
        )  # fmt: skip

    def subsilver(self, html: str) -> Post | None:
        """A post of subsilver2; None for one that does not count."""
        named = _OLD_POST_ID.search(html)
        bodies = list(_OLD_BODY.finditer(html))
        head, body, tail = self._around(html, bodies[0] if bodies else None)
        if named is None:
            return None
        if text_of(body).startswith(_SIGNATURE_RULE):
            body = ""
        nick = _NICK_PLAIN.search(head)
        notice = _old_notice(tail)
        links = [link for link in _NICK_LINK.finditer(tail.replace(notice, "", 1) if notice else tail) if _UID.search(link[1])]
        links = [link for link in links if "<img" in link[2]] or links
        uid = _UID.search(links[-1][1]) if links else None
        added = re.split(r"Добавлено:|Posted:|Додано:", text_of(head))
        moment = printed_time(added[-1], self._fetched, self.zone)
        icon = _ICON_NUMBER.search(head)
        return self._post(
            int(named[1]), name_of(nick[2]) if nick else "", int(uid[1]) if uid else None, body, moment, False, notice,
            number=number_of(icon[1]) if icon else None, missing=not bodies,
            waiting=bool(_NOT_APPROVED.search(head) or _NOT_APPROVED.search(tail)),
        )  # fmt: skip

    def _post(
        self, pid: int, author: str, uid: int | None, body: str, posted: datetime | None, exact: bool, notice: str,
        *, number: int | None, missing: bool, waiting: bool,
    ) -> Post:  # fmt: skip
        runs = canonical_runs(body, self._layout.color_classes)
        edited, edited_by, edited_at = self._edited(notice)
        problems = [
            name
            for name, here in (
                ("hidden_text", missing or has_hidden_words(runs)),
                ("no_uid", uid is None),
                ("merged", any(words in body for words in parts(self._layout.merged_words))),
                (_WAITING, waiting),
            )
            if here
        ]
        return Post(
            id=pid,
            author=author,
            runs=trimmed(runs),
            number=number,
            author_uid=uid,
            posted=posted,
            exact=exact,
            edited=edited,
            edited_by=edited_by,
            edited_at=edited_at,
            html=spelled_out(body, self._layout.color_classes),
            problems=tuple(problems),
        )

    def _posted(self, head: str) -> tuple[datetime | None, bool]:
        if found := _TIME.search(head):
            try:
                moment = datetime.fromisoformat(found[1])
                if 1970 <= moment.year <= 2100:
                    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(self.zone), True
            except ValueError:
                pass
        text = text_of(self._line(head) or head)
        _, _, after = text.rpartition("»")
        return printed_time(after or text, self._fetched, self.zone), False

    def _edited(self, notice: str) -> tuple[bool, str | None, datetime | None]:
        if not notice:
            return False, None, None
        link = _NICK_IN_NOTICE.search(notice)
        first_line = notice.partition("<br>")[0]
        if link:
            after = text_of(first_line[link.end() :]) if link.end() <= len(first_line) else ""
            return True, name_of(link[2]), printed_time(after, self._fetched, self.zone)
        text = text_of(first_line)
        moment = printed_time(text, self._fetched, self.zone)
        said = _EDIT_WORDS.search(text)
        return True, _nick_before_date(said[1]) if said else None, moment

    def _around(self, html: str, opening: re.Match[str] | None) -> tuple[str, str, str]:
        """What stands before, in and behind the element that opens there; signatures out."""
        if opening is None:
            return html, "", ""
        end = close_of(html, "div", opening.start())
        return html[: opening.start()], html[opening.start() : end], self._without_signatures(html[end:])

    def _without_signatures(self, tail: str) -> str:
        pattern = class_pattern(self._layout.signature_classes, "div")
        kept: list[str] = []
        at = 0
        while found := pattern.search(tail, at):
            kept.append(tail[at : found.start()])
            at = close_of(tail, "div", found.start())
        return "".join(kept) + tail[at:]

    def _author(self, head: str, tail: str) -> tuple[str, int | None]:
        """(nick, uid) from the profile column, which stands before the body in 3.3 and behind it in 3.0."""
        for part in (head, tail):
            found = _nick(_element(class_pattern(self._layout.profile_classes, "dl|div|aside|td"), part))
            if found is not None:
                return found
        line = self._line(head)
        for part in (line, head):
            if (found := _nick(part)) is not None:
                return found
        strong = re.search(r"<strong>(.*?)</strong>", line, re.S)
        return (name_of(strong[1]) if strong else ""), None

    def _line(self, head: str) -> str:
        """The line with author and time; empty where the style has none."""
        return _element(class_pattern(self._layout.line_classes, "p"), head)

    def _notice(self, tail: str) -> str:
        """What the edit notice says; moderation has notices of its own, with further classes."""
        for found in class_pattern(self._layout.notice_classes, "div").finditer(tail):
            if found[0].split('class="')[1].partition('"')[0] in parts(self._layout.notice_classes):
                return tail[found.end() : tail.find("</div>", found.end())]
        return ""


def _element(opening: re.Pattern[str], html: str) -> str:
    """The first element that opens so, as a whole; empty where there is none."""
    found = opening.search(html)
    return html[found.start() : close_of(html, found[1], found.start())] if found else ""


def _nick(html: str) -> tuple[str, int | None] | None:
    for link in _NICK_LINK.finditer(html):
        uid = _UID.search(link[1])
        if uid and (nick := name_of(link[2])):
            return nick, int(uid[1])
    plain = _NICK_PLAIN.search(html)
    return (name_of(plain[2]), None) if plain and name_of(plain[2]) else None


def _nick_before_date(text: str) -> str | None:
    """The nick in "Ник 04.07.2026, 18:36, всего …": all before the date."""
    found = re.match(r"(.+?)\s+(?:on\s+)?(?:\S{2,3}\s+)?(?:\d{1,2}[ ./]|\d{4}-|[A-Za-zА-Яа-я]{3,8} \d{1,2},)", text)
    return found[1] if found else None


def _old_notice(tail: str) -> str:
    """The edit notice of subsilver2: a small line or table cell that speaks of editing."""
    for found in re.finditer(r'<(span|td)\b[^>]*\bclass="(?:[^"]*\s)?gensmall(?:\s[^"]*)?"[^>]*>', tail):
        near = tail[found.start() : found.end() + _LONGEST_NOTICE]
        text = near[len(found[0]) : close_of(near, found[1], 0)]
        if _EDIT_WORDS.search(text_of(text)):
            inner = re.search(r'<span\b[^>]*\bclass="gensmall"[^>]*>', text)
            return text[inner.end() :] if inner else text
    return ""
