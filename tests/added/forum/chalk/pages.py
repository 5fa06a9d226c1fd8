"""A leaf of notes to posts."""

import re
from collections.abc import Mapping
from datetime import datetime, tzinfo

from selectolax.lexbor import LexborNode

from adapters.errors import NoThread
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, without_raw
from adapters.model import Page, Post
from adapters.webpage import is_whole, tree_of
from chalk import notation
from chalk.layout import Layout
from chalk.site import no_thread, page_of_pages


def read_thread(
    html: str, *, fetched: datetime, zone: tzinfo, layout: Layout | None = None, overrides: Mapping[str, str] | None = None
) -> Page:
    """The notes of one leaf in its order. Raises NoThread."""
    layout = layout or Layout.of(overrides or {})
    tree = tree_of(html)
    posts = tuple(_post(node, zone, layout) for node in tree.css('section.note[id^="n"]'))
    if not posts:
        raise no_thread(tree, html, layout)
    if not is_whole(html):
        raise NoThread("truncated", "страница оборвана: у неё нет конца")
    page, pages = page_of_pages(tree)
    title = tree.css_first("h1")
    locked = tree.css_first("form.pen") is None
    return Page(posts, page, pages, title.text().strip() if title is not None else "", locked=locked)


def _post(node: LexborNode, zone: tzinfo, layout: Layout) -> Post:
    who, when = node.css_first("a.who"), node.css_first(".when")
    body, mended = node.css_first(f".{layout.text_classes}"), node.css_first(".mended")
    html = without_raw(body.html or "") if body is not None else ""
    runs = canonical_runs(html, layout.color_classes)
    uid = re.search(r"[?&]u=(\d+)", who.attributes.get("href") or "") if who is not None else None
    return Post(
        int((node.id or "n0")[1:]),
        who.text().strip() if who is not None else "",
        runs,
        author_uid=int(uid[1]) if uid else None,
        posted=notation.read(when.text(), zone) if when is not None else None,
        edited=mended is not None,
        edited_by=mended.text().partition(":")[2].rpartition(",")[0].strip() if mended is not None else None,
        edited_at=notation.read(mended.text(), zone) if mended is not None else None,
        html=spelled_out(html, layout.color_classes),
        problems=("hidden_text",) if has_hidden_words(runs) else (),
    )
