"""The usual post of the usual uCoz template, read from the page's text by a few searches.

Reading a thread costs mostly this. Whatever is not quite usual (another template, an edited post, a signature, comments,
attachments, tags that cross) is left to the careful reader in ``pages``; the two must agree, which tests hold them to.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from html import unescape

from selectolax.lexbor import LexborNode

from adapters.markup import canonical_runs, has_hidden_words
from adapters.model import Post
from adapters.writer import trimmed

_PERMALINK = re.compile(r"/forum/\d+-\d+-\d+-16-(\d{9,10})\b")
_PROFILE = re.compile(r"/index/8-(\d{1,18})(?![\d-])")
_UNUSUAL = ("edited", "ignature", "<!--", "<script", "отредактир")
_AFTER_LAST = re.compile(r'name="addform"|name=\'addform\'|class="(?:gDivBottom|ThrBot|switches|pagesInfo|forumNamesBar)')


def sections(html: str, ids: list[int]) -> list[str | None]:
    """The text of each post's row ``tr#postN``; None where the row or its end cannot be told."""
    starts = []
    at = 0
    for pid in ids:
        start = html.find(f'id="post{pid}"', at)
        starts.append(start)
        at = max(at, start)
    found: list[str | None] = []
    for index, start in enumerate(starts):
        if index + 1 < len(starts):
            end = starts[index + 1]
        else:
            after = _AFTER_LAST.search(html, max(start, 0))
            end = after.start() if after else -1
        found.append(html[start:end] if 0 <= start < end else None)
    return found


def unusual_marks(html: str) -> tuple[str, ...]:
    """Which signs of an unusual post the page has at all."""
    return tuple([mark for mark in _UNUSUAL if mark in html])


def read_post(section: str | None, pid: int, holder: LexborNode, zone: tzinfo, marks: tuple[str, ...]) -> Post | None:
    """The post when it is a usual one (``marks``: see ``unusual_marks``); None when it needs a careful look."""
    if section is None or holder.next is not None:
        return None
    for mark in marks:
        if mark in section:
            return None
    start = section.find(f'id="ucoz-forum-post-{pid}"')
    head = section[: max(start, 0)]
    link = head.find('postNumberLink"')
    stamp = _PERMALINK.search(head, link, head.find(">", link)) if link >= 0 else None
    author = _text_of_link(head, 'postUser"')
    number = _text_of_link(head, 'postNumberLink"')
    if stamp is None or not author or not number or not number.isdigit() or "/index/8-" in head:
        return None
    body = holder.html or ""
    if section.count("/index/8-", start) > 1 or "/index/8-" in body or "UhideBlock" in body:
        return None
    icon = section.find("/index/8-", start)
    profile = _PROFILE.match(section, icon) if icon >= 0 else None
    runs = canonical_runs(body)
    if has_hidden_words(runs):
        return None
    return Post(
        id=pid,
        author=unescape(author).strip(),
        runs=trimmed(runs),
        number=int(number),
        author_uid=int(profile[1]) if profile else None,
        posted=datetime.fromtimestamp(int(stamp[1]), UTC).astimezone(zone),
        exact=True,
        html=body,
        problems=() if profile else ("no_uid",),
    )


def _text_of_link(head: str, mark: str) -> str | None:
    """The plain text of the element whose last class is ``mark``; None where it holds tags or quotation marks."""
    at = head.find(mark)
    opened = head.find(">", at)
    closed = head.find("<", opened)
    if at < 1 or head[at - 1] not in '" ' or opened < 0 or closed < 0 or head[closed + 1] != "/":
        return None
    text = head[opened + 1 : closed]
    return None if '"' in text else text
