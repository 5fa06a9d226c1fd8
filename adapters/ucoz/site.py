"""What a uCoz page tells besides posts: who is logged in, which page it is, its title, and why it is no thread."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from adapters.errors import NoThread
from adapters.layout import has_one
from adapters.ucoz.layout import Layout
from adapters.webpage import is_whole, number_of

_OF_PAGES = re.compile(r"(\d[\d \xa0.,]*)\s*(?:из|of|з|/)\s*(\d[\d \xa0.,]*)")
_TITLE_TAIL = re.compile(r"\s+-\s+(?:Страница\s+\d+\s+-\s+)?(?:Форум|Forum)\b.*$", re.I | re.S)
_TITLES = ("a.forumBarA", ".breadcrumbs a:last-child", ".forum-title", "td.gTableTop")
_FURTHER = re.compile(r"[2-9]|[1-9][0-9]{1,7}")
"""The number of a page behind the first; members may write others."""
_TOPIC = re.compile(r"/forum/(\d+-\d+)(?:-\d+)*$")
_LOGIN_FORM = 'form[action*="/index/sub"] input[type=password], form[id^=frmLg] input[type=password]'
_UID_LOGIN = 'a[href*="login.uid.me"], form[action*="login.uid.me"]'
_CHALLENGE_MARKS = ("challenge-platform", "cf_chl", "ddos-guard", "smartcaptcha")
_NOTICE = ".myWinCont b, .myWinCont"
"""Where the engine says what is the matter."""
_THREAD_PARTS = ".gTable, .forumNamesBar, .switches, .switchesTbl, .threadpage-layout, form[name=addform]"


def is_logged_in(tree: LexborHTMLParser) -> bool:
    """Whether the page was made for a member: only then is there a way out."""
    return tree.css_first('a[href$="/index/10"], a[href*="/index/10?"]') is not None


def page_of_pages(tree: LexborHTMLParser) -> tuple[int, int]:
    """(page, number of pages) as the page switch says; (1, 1) where there is none."""
    page = pages = None
    if (info := tree.css_first(".pagesInfo")) is not None:
        current, last = info.css_first(".curPage"), info.css_first(".numPages")
        if current is not None and last is not None:
            page, pages = number_of(current.text()), number_of(last.text())
        elif found := _OF_PAGES.search(info.text(separator=" ")):
            page, pages = number_of(found[1]), number_of(found[2])
    if page is None:
        active = tree.css_first(".switchActive")
        page = number_of(active.text()) if active is not None else None
    if pages is None:
        pages = max([number_of(digit.text()) or 1 for digit in tree.css("a.switchDigit")], default=1)
    return page or 1, max(pages, page or 1)


def has_switch(tree: LexborHTMLParser) -> bool:
    """Whether the page has a page switch that we know."""
    return tree.css_first(".pagesInfo, .switchActive, a.switchDigit") is not None


def links_to_pages(tree: LexborHTMLParser, topic: str) -> bool:
    """Whether there is a link, named by its number alone, to a further page of this topic ("F-T")."""
    for link in tree.css(f'a[href*="/forum/{topic}-"]'):
        number = link.text().strip(" []»›>\xa0\n")
        if not _FURTHER.fullmatch(number):
            continue
        if (link.attributes.get("href") or "").endswith(f"/forum/{topic}-{number}"):
            return True
    return False


def title_of(tree: LexborHTMLParser) -> str:
    """The topic's name: last of the bread crumbs, else the table's head, else the page's title."""
    for selector in _TITLES:
        node = tree.css_first(selector)
        if node is not None and (text := " ".join(node.text().split())):
            return text
    node = tree.css_first("title")
    return _TITLE_TAIL.sub("", " ".join(node.text().split())) if node is not None else ""


def visible_text(tree: LexborHTMLParser) -> str:
    """The page's text in one line, for looking up phrases. Takes scripts out of the tree."""
    tree.strip_tags(["script", "style", "textarea"])
    body = tree.body
    return " ".join(body.text(separator=" ").split()) if body is not None else ""


def no_thread(tree: LexborHTMLParser, html: str, layout: Layout) -> NoThread:
    """Why a page without a single message is no thread. Changes the tree."""
    title = tree.css_first("title")
    heading = (title.text() if title is not None else "").strip()
    has_login = tree.css_first(_LOGIN_FORM) is not None or tree.css_first(_UID_LOGIN) is not None
    parts = tree.css_first(_THREAD_PARTS) is not None
    raw = html.lower() if not parts else ""
    notice = tree.css_first(_NOTICE)
    told = " ".join(notice.text(separator=" ").split()) if notice is not None else ""
    text = visible_text(tree)
    said = f"{heading} {text}"
    shown = (told or text)[:200]

    if has_one(layout.challenge_words, said) or any(mark in raw for mark in _CHALLENGE_MARKS):
        return NoThread("challenge", shown)
    if has_one(layout.guest_words, said):
        return NoThread("login_required", shown)
    if has_one(layout.forbidden_words, said):
        return NoThread("forbidden", shown)
    if not is_whole(html):
        return NoThread("truncated", "страница оборвана: у неё нет конца")
    if has_one(layout.maintenance_words, said):
        return NoThread("maintenance", shown)
    if has_one(layout.not_found_words, said):
        return NoThread("not_found", shown)
    if has_login and not parts:
        return NoThread("login_required", shown)
    return NoThread("no_posts", shown)


@dataclass(frozen=True, slots=True)
class Topic:
    """A line of a topic list: "F-T", its name and, where told, its author's nick."""

    address: str
    title: str
    author: str


def topics_of(tree: LexborHTMLParser, layout: Layout) -> list[Topic]:
    """The topics of a forum's page in its order, pinned ones included."""
    found: dict[str, Topic] = {}
    for link in tree.css(layout.topic_link):
        address = _TOPIC.search(link.attributes.get("href") or "")
        if not address or address[1] in found or address[1].endswith("-0"):
            continue
        row = link.parent
        while row is not None and row.tag != "tr" and row.css_first(layout.topic_author) is None:
            row = row.parent
        author = row.css_first(layout.topic_author) if row is not None else None
        name = " ".join(link.text().split())
        found[address[1]] = Topic(address[1], name, " ".join(author.text().split()) if author is not None else "")
    return list(found.values())
