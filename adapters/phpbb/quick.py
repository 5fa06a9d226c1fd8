"""The usual post of prosilver 3.3, read from the page's text by a few searches.

Whatever is not quite usual (another style, an edit notice, moderation, comments) is left to the careful reader in
``pages``; the two must agree, which tests hold them to.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from html import unescape

from selectolax.lexbor import LexborNode

from adapters.markup import canonical_runs
from adapters.model import Post

_UNUSUAL = ("notice", "deleted", "approve", "<!--", "<script", "<style", "class='", "Добавлено", "Added")
_AFTER_LAST = re.compile(r'class="action-bar|id="page-footer|class="bar-bottom|class="topic-actions')
_USER = re.compile(r"mode=viewprofile&amp;u=(\d+)[^>\n]*>([^<\"]*[^<\"\s][^<\"]*)</a>")


def read_posts(html: str, nodes: list[LexborNode], contents: list[LexborNode], zone: tzinfo) -> list[Post | None]:
    """For each post its reading when it is a usual one; None when it needs a careful look."""
    if len(nodes) != len(contents):
        return [None] * len(nodes)
    ids = [(node.id or "")[1:] for node in nodes]
    starts = []
    at = 0
    for pid in ids:
        start = html.find(f'id="p{pid}"', at)
        starts.append(start)
        at = max(at, start)
    after = _AFTER_LAST.search(html, at)
    starts.append(after.start() if after else -1)
    marks = [mark for mark in _UNUSUAL if mark in html]
    return [
        _read(html[start:end], pid, content, zone, marks) if 0 <= start < end else None
        for start, end, pid, content in zip(starts, starts[1:], ids, contents, strict=False)
    ]


def _read(section: str, pid: str, content: LexborNode, zone: tzinfo, marks: list[str]) -> Post | None:
    at = section.find('class="content"')
    holder = content.parent
    if at < 0 or not pid.isdigit() or holder is None or holder.id != f"post_content{pid}":
        return None
    for mark in marks:
        if mark in section:
            return None
    head = section[:at]
    column = head.find('class="postprofile"')
    link = head.find("mode=viewprofile", column) if column >= 0 else -1
    user = _USER.match(head, link) if link >= 0 else None
    stamp = head.find('<time datetime="')
    if user is None or stamp < 0 or "<img" in head or section.find('class="content"', at + 1) >= 0:
        return None
    try:
        posted = datetime.fromisoformat(head[stamp + 16 : head.find('"', stamp + 16)])
    except ValueError:
        return None
    if posted.tzinfo is None:
        return None
    body = content.html or ""
    runs = canonical_runs(body)
    return Post(
        id=int(pid),
        author=unescape(user[2]).strip(),
        runs=runs if any(run.text.strip() for run in runs) else (),
        author_uid=int(user[1]),
        posted=posted.astimezone(zone),
        exact=True,
        html=body,
    )
