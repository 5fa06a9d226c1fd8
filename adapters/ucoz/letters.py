"""uCoz private messages: lists and single messages to data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, without_raw
from adapters.messages import Line, lines
from adapters.model import PrivateMessage
from adapters.ucoz.layout import Layout
from adapters.webpage import printed_time, text_of

_MESSAGE = re.compile(r"/index/14-([1-9]\d*)-0(?!\d)(?!-1(?!\d))")
"""A message; ``14-0-0`` is a folder, ``14-UID-0-1`` the form for a new one, ``14-ID-SSID`` deletes it."""
_USER = re.compile(r"/index/8-(\d+)(?![\d-])")
_DATES = 'td[align="right"], .pm-date, .userpm-date'
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
    return list(dict.fromkeys(address for address in addresses if _LIST_PAGE.search(address)))


def is_list(tree: LexborHTMLParser) -> bool:
    """Whether the page is a list of messages at all, be it empty."""
    return tree.css_first("a.pmCatLink, .pmCatLinkActive, tr[id^=ent], .userpm-layout, .userpm-messages-table") is not None


def message_of(tree: LexborHTMLParser, line: Line, *, fetched: datetime, zone: tzinfo, layout: Layout) -> PrivateMessage:
    """The body and time of a message whose page this is. Raises NoThread when there is none."""
    body = _body(tree, layout)
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


def _body(tree: LexborHTMLParser, layout: Layout) -> LexborNode | None:
    """The cell with the message's words: the last one found that holds no form around the whole."""
    found = [
        node for node in tree.css(layout.pm_body) if node.css_first("form#addform") is None and node.css_first("textarea") is None
    ]
    inner = [node for node in found if not any(other.mem_id != node.mem_id for other in node.css(layout.pm_body))]
    return max(inner, key=lambda node: len(node.text()), default=None)


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
