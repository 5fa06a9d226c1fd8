"""phpBB private messages: lists and single messages to data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.layout import parts
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, without_raw
from adapters.messages import Line, lines
from adapters.model import PrivateMessage
from adapters.phpbb.layout import Layout
from adapters.phpbb.site import uid_in
from adapters.webpage import class_pattern, printed_time, text_of

_ID = re.compile(r"[?&]p=(\d{1,18})(?!\d)")
_NICKS = re.compile(r"<(a|span)\b[^>]*(?:viewprofile|username)[^>]*>.*?</\1>", re.S)
"""Nicks tell no time, whatever they look like."""
_LISTS = re.compile(r"\b(?:viewfolder|cplist|pmlist)\b")
_MENUS = re.compile(r"notification|dropdown|navbar|headerbar|page-header|nav-|menu", re.I)
_SECONDS = re.compile(r"\d:\d\d:\d\d")


def lines_of(tree: LexborHTMLParser) -> list[Line]:
    """The messages of one page of a folder."""
    return lines(_links(tree), _other)


def _links(tree: LexborHTMLParser) -> Iterator[tuple[int, LexborNode, LexborNode | None]]:
    """Links of the list alone: the menu of notifications names messages, too, in words of its own."""
    for link in tree.css('a.topictitle[href*="p="], a[href*="mode=view"][href*="p="]'):
        address = link.attributes.get("href") or ""
        if (named := _ID.search(address)) and "i=pm" in address and not _is_of_a_menu(link):
            yield int(named[1]), link, _row(link)


def _is_of_a_menu(link: LexborNode) -> bool:
    node: LexborNode | None = link
    while node is not None:
        named = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
        if _LISTS.search(named):
            return False
        if _MENUS.search(named) or node.tag in ("nav", "header"):
            return True
        node = node.parent
    return False


def _other(row: LexborNode | None) -> tuple[str, int | None]:
    user = row.css_first('a[href*="mode=viewprofile"], .username, .username-coloured') if row is not None else None
    return ("", None) if user is None else (user.text().strip(), uid_in(user.attributes.get("href") or ""))


def _row(link: LexborNode) -> LexborNode | None:
    node = link.parent
    while node is not None and node.tag not in ("li", "tr", "body"):
        node = node.parent
    return node if node is not None and node.tag != "body" else None


def release_link(tree: LexborHTMLParser) -> str | None:
    """Where held messages are let in; None when none are held."""
    link = tree.css_first('a[href*="release=1"]')
    return link.attributes.get("href") if link is not None else None


def message_of(tree: LexborHTMLParser, line: Line, *, fetched: datetime, zone: tzinfo, layout: Layout) -> PrivateMessage:
    """The message whose page this is. Raises NoThread when there is none."""
    post = tree.css_first(", ".join(f"div.{name}" for name in parts(layout.post_classes)))
    words = ", ".join(f".{name}" for name in parts(layout.text_classes))
    body = post.css_first(words) if post is not None else tree.css_first("div.postbody")
    if body is None:
        raise NoThread("not_found", "личное сообщение не найдено")
    html = without_raw(body.html or "")
    outside = without_raw((post.html or "") if post is not None else (tree.html or "")).replace(html, "", 1)
    author = (
        post.css_first('.author a[href*="mode=viewprofile"], .postprofile a[href*="mode=viewprofile"]')
        if post is not None
        else None
    )
    uid = uid_in(author.attributes.get("href") or "") if author is not None else line.uid
    stamp = re.search(r'<time\b[^>]*\bdatetime="([^"]+)"', outside)
    line_of = class_pattern(layout.line_classes, "p").search(outside)
    printed = text_of(_NICKS.sub(" ", outside[line_of.start() : outside.find("</p>", line_of.start())] if line_of else outside))
    sent = datetime.fromisoformat(stamp[1]) if stamp else printed_time(printed, fetched, zone)
    runs = canonical_runs(html, layout.color_classes)
    return PrivateMessage(
        id=line.id,
        author=(author.text().strip() if author is not None else "") or line.nick,
        author_uid=uid,
        subject=line.subject,
        runs=runs,
        sent=sent,
        exact=bool(stamp or _SECONDS.search(printed)),
        html=spelled_out(html, layout.color_classes),
        problems=(("hidden_text",) if has_hidden_words(runs) else ()) + (() if uid is not None else ("no_uid",)),
    )
