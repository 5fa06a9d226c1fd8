"""uCoz private messages: lists and single messages to data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.layout import has_one
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, without_raw
from adapters.messages import Line, lines
from adapters.model import PrivateMessage
from adapters.ucoz.layout import Layout
from adapters.webpage import printed_time, text_of

_MESSAGE = re.compile(r"/index/14-([1-9]\d{0,17})-0(?!\d)(?!-1(?!\d))")
"""A message; ``14-0-0`` is a folder, ``14-UID-0-1`` the form for a new one, ``14-ID-SSID`` deletes it."""
_USER = re.compile(r"/index/8-(\d{1,18})(?![\d-])")
_DATES = 'td[align="right"], .pm-date, .userpm-date'
_LISTED = re.compile(r"/index/14-[1-9]\d*-(?!0-1(?!\d))")
"""Anything that can be done with one message, wherever the page has put its address."""
_UNREAD = re.compile(r"\(\s*[1-9]\d*\s*\)")
_MORE = re.compile(r"/index/14-0-[01]-(?:[2-9]|[1-9]\d+)$")
"""A further page of a list, whatever the pager looks like; ``14-0-0-1`` is the form for a new message."""
_WRITERS_WORDS = re.compile(r"<(a|b|strong)\b.*?</\1>", re.S)
"""Subject and nick on the page of one message."""
_LIST_PAGE = re.compile(r"/index/14-[\d-]+$")


def lines_of(tree: LexborHTMLParser) -> list[Line]:
    """The messages of one page of a list."""
    return lines(_links(tree), _other)


def _links(tree: LexborHTMLParser) -> Iterator[tuple[int, LexborNode, LexborNode | None]]:
    for link in tree.css('a[href*="/index/14-"]'):
        named = _MESSAGE.search(link.attributes.get("href") or "")
        if named and (row := _row(link)) is not None:
            yield int(named[1]), link, row


def _other(row: LexborNode | None) -> tuple[str, int | None]:
    for user in row.css('a[href*="/index/8-"]') if row is not None else []:
        if numbered := _USER.search(user.attributes.get("href") or ""):
            return user.text().strip(), int(numbered[1])
    return "", None


def more_lists(tree: LexborHTMLParser) -> list[str]:
    """Addresses of the list's other pages."""
    links = tree.css(".switches a, .swchItem, a.swchItem, a.switchDigit, .pagesBlockuz1 a, .catPages1 a, .catPages2 a")
    addresses = (link.attributes.get("href") or "" for link in links)
    others = (link.attributes.get("href") or "" for link in tree.css('a[href*="/index/14-0-"]'))
    found = [address for address in addresses if _LIST_PAGE.search(address)]
    return list(dict.fromkeys([*found, *(address for address in others if _MORE.search(address))]))


def passed_over(tree: LexborHTMLParser, html: str, layout: Layout) -> bool:
    """Whether the page of a list shows messages that ``lines_of`` does not see: a link to one that stands in no row, or signs
    of messages on a page without a single line that does not say it is empty."""
    linked = {int(found[1]) for link in tree.css("a[href]") if (found := _MESSAGE.search(link.attributes.get("href") or ""))}
    seen = {line.id for line in lines_of(tree)}
    if seen or linked:
        return not linked <= seen
    body = tree.body
    if body is None or has_one(layout.empty_words, body.text(separator=" ")):
        return False
    active = tree.css_first(".pmCatLinkActive")
    waiting = active is not None and _UNREAD.search(active.text()) is not None
    return waiting or _LISTED.search(html) is not None


def is_sent_list(tree: LexborHTMLParser, layout: Layout) -> bool:
    """Whether the list is that of the sent messages, as its menu says; a menu that marks nothing says nothing against it."""
    active = tree.css_first(".pmCatLinkActive")
    return active is None or has_one(layout.sent_list_words, active.text())


def is_list(tree: LexborHTMLParser) -> bool:
    """Whether the page is a list of messages at all, be it empty."""
    return tree.css_first("a.pmCatLink, .pmCatLinkActive, tr[id^=ent], .userpm-layout, .userpm-messages-table") is not None


def message_of(tree: LexborHTMLParser, line: Line, *, fetched: datetime, zone: tzinfo, layout: Layout) -> PrivateMessage:
    """The body and time of a message whose page this is. Raises NoThread when there is none."""
    body = _body(tree, layout, line)
    if body is None:
        raise NoThread("no_posts", "в личном сообщении не найден текст")
    html = without_raw(body.html or "")
    for earlier in body.css('div[id^="pm"], form'):
        html = html.replace(without_raw(earlier.html or ""), "")
    runs = canonical_runs(html, layout.color_classes)
    return PrivateMessage(
        id=line.id,
        author=line.nick,
        author_uid=line.uid,
        subject=line.subject,
        runs=runs,
        sent=_sent(tree, body, fetched, zone),
        html=spelled_out(html, layout.color_classes),
        problems=(("hidden_text",) if has_hidden_words(runs) else ()) + (() if line.uid is not None else ("no_uid",)),
    )


def _body(tree: LexborHTMLParser, layout: Layout, line: Line) -> LexborNode | None:
    """The cell with the message's words: the longest one found that holds no form around the whole and is not the head with
    subject and writer."""
    found = [
        node
        for node in tree.css(layout.pm_body)
        if node.css_first("form#addform") is None and node.css_first("textarea") is None and not _is_head(node, line)
    ]
    inner = [node for node in found if not any(other.mem_id != node.mem_id for other in node.css(layout.pm_body))]
    return max(inner, key=lambda node: len(node.text()), default=None)


def _is_head(node: LexborNode, line: Line) -> bool:
    """Whether a cell begins with the subject and then names the writer by the link to them."""
    told = " ".join(node.text().split())
    return bool(line.subject) and told.startswith(line.subject) and line.uid is not None and _other(node) == (line.nick, line.uid)


def _sent(tree: LexborHTMLParser, body: LexborNode, fetched: datetime, zone: tzinfo) -> datetime | None:
    """When a message was sent: the date's own cell, else one of the others. Subject and nick are the writer's words and
    may look like a date: they tell no time."""
    for selector in (_DATES, "td"):
        for cell in tree.css(selector):
            if _within(cell, body) or any(inner.mem_id != cell.mem_id for inner in cell.css("td")):
                continue
            told = text_of(_WRITERS_WORDS.sub(" ", cell.html or ""))
            if (moment := printed_time(told, fetched, zone)) is not None:
                return moment
    return None


def _within(node: LexborNode | None, outer: LexborNode) -> bool:
    while node is not None:
        if node.mem_id == outer.mem_id:
            return True
        node = node.parent
    return False


def _row(link: LexborNode) -> LexborNode | None:
    """The list's row around a link: ``tr#entN``, else the nearest row or block that names a user, too."""
    node: LexborNode | None = link.parent
    while node is not None and node.tag not in ("body", "html"):
        if (node.attributes.get("id") or "").startswith("ent"):
            return node
        if node.tag in ("tr", "li", "div") and node.css_first('a[href*="/index/8-"]') is not None:
            return node
        node = node.parent
    return None
