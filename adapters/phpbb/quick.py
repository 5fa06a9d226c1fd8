"""The usual post of prosilver 3.3, read from the page's text by a few searches.

Whatever is not quite usual (another style, an edit notice, moderation, comments) is left to the careful reader in
``pages``; the two must agree, which tests hold them to.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from html import unescape

from selectolax.lexbor import LexborNode

from adapters.markup import canonical_runs, has_hidden_words
from adapters.model import Post
from adapters.writer import trimmed

_UNUSUAL = ("notice", "deleted", "approve", "<!--", "<script")
_MERGED = ("Добавлено", "Added")
_AFTER_LAST = re.compile(r'class="action-bar|id="page-footer|class="bar-bottom|class="topic-actions')
_USER = re.compile(r"mode=viewprofile&amp;u=(\d{1,18})[^>\n]*>([^<\"]*[^<\"\s][^<\"]*)</a>")


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
        _read(html, start, end, pid, content, zone, marks) if 0 <= start < end else None
        for start, end, pid, content in zip(starts, starts[1:], ids, contents, strict=False)
    ]


def _read(html: str, start: int, end: int, pid: str, content: LexborNode, zone: tzinfo, marks: list[str]) -> Post | None:
    """The post whose text stands between two places of the page."""
    holder = content.parent
    if holder is None or holder.id != f"post_content{pid}" or not pid.isdigit() or len(pid) > 18:
        return None
    for mark in marks:
        if html.find(mark, start, end) >= 0:
            return None
    column = html.find('class="postprofile"', start, end)
    link = html.find("mode=viewprofile", column, end) if column >= 0 else -1
    user = _USER.match(html, link) if link >= 0 else None
    stamp = html.find('<time datetime="', link, end)
    at = html.find('class="content"', stamp, end)
    if user is None or stamp < 0 or at < 0 or html.find("<img", start, at) >= 0 or html.find('class="content"', at + 1, end) >= 0:
        return None
    try:
        posted = datetime.fromisoformat(html[stamp + 16 : html.find('"', stamp + 16)])
    except ValueError:
        return None
    if posted.tzinfo is None or not 1970 <= posted.year <= 2100:
        return None
    body = content.html or ""
    if _MERGED[0] in body or _MERGED[1] in body:
        return None
    runs = canonical_runs(body)
    if has_hidden_words(runs):
        return None
    return Post(
        id=int(pid),
        author=unescape(user[2]).strip(),
        runs=trimmed(runs),
        author_uid=int(user[1]),
        posted=posted.astimezone(zone),
        exact=True,
        html=body,
    )
