"""What a page of Chalk tells besides notes."""

import re

from selectolax.lexbor import LexborHTMLParser

from adapters.errors import NoThread
from adapters.layout import has_one
from adapters.webpage import is_whole
from chalk.layout import Layout

_LEAF = re.compile(r"лист (\d+) из (\d+)")


def is_logged_in(tree: LexborHTMLParser) -> bool:
    return tree.css_first('p.me a[href*="out.php"]') is not None


def page_of_pages(tree: LexborHTMLParser) -> tuple[int, int]:
    leaf = tree.css_first("p.leaf")
    found = _LEAF.search(leaf.text()) if leaf is not None else None
    return (int(found[1]), int(found[2])) if found else (1, 1)


def no_thread(tree: LexborHTMLParser, html: str, layout: Layout) -> NoThread:
    said = tree.css_first("p.no")
    told = " ".join(said.text().split()) if said is not None else ""
    if has_one(layout.missing_words, told):
        return NoThread("not_found", told)
    if has_one(layout.closed_words, told) or tree.css_first("form.enter") is not None:
        return NoThread("login_required", told or "нужен вход")
    if has_one(layout.challenge_words, html):
        return NoThread("challenge", "проверка браузера")
    return NoThread("no_posts" if is_whole(html) else "truncated", told or "записей нет")
