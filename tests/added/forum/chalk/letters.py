"""Chalk's private messages: boxes and single letters."""

import re
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.markup import canonical_runs, spelled_out, without_raw
from adapters.messages import Line
from adapters.model import PrivateMessage
from chalk import notation
from chalk.layout import Layout


def lines_of(tree: LexborHTMLParser) -> list[Line]:
    found = []
    for row in tree.css("ul.box li"):
        link, who = row.css_first('a[href*="m="]'), row.css_first("a.who")
        if link is not None:
            named = re.search(r"[?&]m=(\d+)", link.attributes.get("href") or "")
            found.append(Line(int(named[1]) if named else 0, " ".join(link.text().split()), *_person(who)))
    return found


def _person(who: LexborNode | None) -> tuple[str, int | None]:
    if who is None:
        return "", None
    uid = re.search(r"[?&]u=(\d+)", who.attributes.get("href") or "")
    return who.text().strip(), int(uid[1]) if uid else None


def message_of(tree: LexborHTMLParser, line: Line, *, fetched: datetime, zone: tzinfo, layout: Layout) -> PrivateMessage:
    body, when = tree.css_first(f"article.letter .{layout.text_classes}"), tree.css_first("article.letter .when")
    if body is None:
        raise NoThread("not_found", "письмо не найдено")
    html = without_raw(body.html or "")
    sent = notation.read(when.text(), zone) if when is not None else None
    runs = canonical_runs(html, layout.color_classes)
    html = spelled_out(html, layout.color_classes)
    return PrivateMessage(line.id, line.nick, line.uid, line.subject, runs, sent, html=html)
