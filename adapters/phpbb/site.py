"""What a phpBB page tells besides posts: who is logged in, which page it is, its title, zone, and why it is no thread."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.layout import has_one, parts
from adapters.phpbb.layout import USUAL, Layout
from adapters.webpage import is_whole, number_of

_OF_PAGES = re.compile(r"(?:Страниц\w*|Page|Сторінка)\s*(\d[\d \xa0.,]*?)\s*(?:из|of|з)\s*(\d[\d \xa0.,]*)", re.I)
_FURTHEST_ZONE = 14 * 60
"""Minutes."""
_ZONE = re.compile(r"(?:UTC|GMT)\s*(?:([+\-−])\s*(\d{1,2})(?::?(\d\d))?)?([^<\n]{0,40})", re.I)
_SUMMER = re.compile(r"летнее|DST|daylight|summer", re.I)
_TITLE_HEAD = re.compile(r"^\s*(?:\(\d+\)\s*)?")
_UID = re.compile(r"[?&]u=(\d{1,18})(?!\d)")
_OLD_PAGER = "td.nav"
_PAGERS = (".pagination", _OLD_PAGER, ".topic-actions", ".action-bar")
_POSTS = re.compile(
    r"(?P<before>\d[\d \xa0.,]*)\s*(?:сообщени|повідомлен|posts?\b)|(?:сообщени\w*|posts?)\s*:\s*(?P<after>\d[\d \xa0.,]*)", re.I
)
_START = re.compile(r"[?&]start=(\d{1,18})(?!\d)")
_MODERATORS = re.compile(r'mcp\.php\?i=main|mode=post_details|name="action\[(?:approve|restore)\]"|id="quickmodform"')
_OWN_NICK = "#username_logged_in .username, #username_logged_in .username-coloured, .header-profile .username"
_NICK_AT_LOGOUT = re.compile(r"\[\s*(.+?)\s*\]")
MERGING = re.compile(r"merg", re.I)
"""Names of the boxes by which 3.0 forks and extensions append a post to the last one of the same author."""
_LOOSE_SIGN = re.compile(r"\s+(?=[.,;:!?»)])")
"""A blank that came of a link's end."""


def is_logged_in(tree: LexborHTMLParser) -> bool:
    """Whether the page was made for a member: it offers a way out."""
    return tree.css_first('a[href*="mode=logout"]') is not None


def nick_of(tree: LexborHTMLParser, uid: int) -> str:
    """The nick of the account for which the page was made; empty where the page does not tell it. Links to its profile tell
    nothing: the menu calls them «Профиль», and a post or a list may show others' accounts."""
    node = tree.css_first(_OWN_NICK)
    if node is not None and (nick := " ".join(node.text().split())):
        return nick
    for link in tree.css('a[href*="mode=logout"]'):
        said = f"{link.text(separator=' ')} {link.attributes.get('title') or ''}"
        if found := _NICK_AT_LOGOUT.search(" ".join(said.split())):
            return found[1]
    for link in tree.css('a.username[href*="mode=viewprofile"], a.username-coloured[href*="mode=viewprofile"]'):
        if uid > 1 and uid_in(link.attributes.get("href") or "") == uid and (nick := link.text().strip()):
            return nick
    return ""


def page_of_pages(tree: LexborHTMLParser) -> tuple[int, int]:
    """(page, number of pages) as the pager says; (1, 1) where there is none."""
    for pager in _pagers(tree):
        if found := _OF_PAGES.search(_said(pager)):
            page, pages = number_of(found[1]) or 1, number_of(found[2]) or 1
            return page, max(page, pages)
        active = pager.css_first("li.active span, li.active")
        if active is not None:
            shown = [number_of(one.text()) for one in pager.css("li a, li span") if one.text().strip().isdigit()]
            page = number_of(active.text()) or 1
            return page, max([page, *(one for one in shown if one)])
    return 1, 1


def total_of(tree: LexborHTMLParser) -> int | None:
    """How many posts the thread has, as its pager says; None where it says nothing."""
    for pager in _pagers(tree):
        if found := _POSTS.search(_said(pager)):
            return number_of(found["before"] or found["after"])
    return None


def starts_of(tree: LexborHTMLParser, script: str = "") -> list[int]:
    """The offsets that the pager's links name. ``script``: only of those that lead to it, for the rows of a section's list have
    pagers of their topics."""
    links = [link for pager in _pagers(tree, every=True) for link in pager.css(f'a[href*="{script or "start="}"]')]
    return sorted({int(found[1]) for link in links if (found := _START.search(link.attributes.get("href") or ""))})


def _pagers(tree: LexborHTMLParser, *, every: bool = False) -> Iterator[LexborNode]:
    """What tells the page's number and leads to others; the first of each kind, or all."""
    for selector in _PAGERS:
        found = tree.css(selector)
        if selector == _OLD_PAGER:
            # In subsilver2 number, count and links are neighbours in the row of a table.
            found = [cell.parent for cell in found if cell.parent is not None and _OF_PAGES.search(_said(cell))]
        yield from found if every else found[:1]


def _said(node: LexborNode) -> str:
    return " ".join(node.text(separator=" ").split())


def is_moderators(html: str) -> bool:
    """Whether the page was made for somebody who sees, and whose pager counts, what others do not see."""
    return _MODERATORS.search(html) is not None


def title_of(tree: LexborHTMLParser) -> str:
    """The topic's name, else the page's title without the count of news."""
    for selector in ("h2.topic-title a", ".topic-title", "#pageheader h2 a, a.titles", "#page-body > h2 a", "#page-body h2"):
        node = tree.css_first(selector)
        if node is not None and (text := " ".join(node.text().split())):
            return text
    node = tree.css_first("title")
    return _TITLE_HEAD.sub("", " ".join(node.text().split())) if node is not None else ""


def zone_offset(html: str, layout: Layout = USUAL) -> int | None:
    """Minutes east of UTC of the printed times, as the foot of the page says; None where it says nothing. What stands last
    counts: members may write of zones, too."""
    for at in sorted((html.rfind(phrase) for phrase in parts(layout.zone_words)), reverse=True):
        if at < 0:
            break
        found = _ZONE.search(re.sub(r"<[^>]*>", "", html[at : at + 300]).replace("&nbsp;", " "))
        if found is None:
            continue
        minutes = int(found[2] or 0) * 60 + int(found[3] or 0)
        if minutes > _FURTHEST_ZONE:
            continue  # no zone: somebody's words
        minutes = -minutes if found[1] in ("-", "−") else minutes
        return minutes + (60 if _SUMMER.search(found[4] or "") else 0)
    return None


def is_locked(tree: LexborHTMLParser, layout: Layout) -> bool:
    """Whether the topic's reply button is shut."""
    bar = tree.css_first(".action-bar, .topic-actions, img[src*=topic_locked]")
    if bar is None:
        return False
    if bar.tag == "img" or bar.css_first(".fa-lock, .locked-icon, img[src*=topic_locked]") is not None:
        return True
    shut = parts(layout.locked_words.lower())
    return any(
        " ".join(button.text().lower().split()) in shut or (button.attributes.get("title") or "").lower() in shut
        for button in bar.css('a[href*="mode=reply"]')
    )


def message_of(tree: LexborHTMLParser) -> str:
    """The words of an information page: the first paragraph of its message; empty where the page is none."""
    for selector in ("#message p", "#message", "#acp #content", ".errorbox", "td.row1 p.gen"):
        node = tree.css_first(selector)
        if node is not None and (text := " ".join(node.text(separator=" ").split())):
            return _LOOSE_SIGN.sub("", text)
    return ""


def error_of(tree: LexborHTMLParser) -> str:
    """The reason for which a form came back."""
    node = tree.css_first("#postform .error, #login .error, div.error, p.error, .error, td.row1 .error, span.error")
    return _LOOSE_SIGN.sub("", " ".join(node.text(separator=" ").split())) if node is not None else ""


def login_form(tree: LexborHTMLParser) -> LexborNode | None:
    """The form that asks for name and password, when the page is about logging in."""
    form = tree.css_first("form#login")
    if form is None:
        for other in tree.css('form[action*="mode=login"]'):
            if "headerspace" not in (other.attributes.get("class") or "") and other.css_first("input[name=password]") is not None:
                return other
    return form


def no_thread(tree: LexborHTMLParser, html: str, layout: Layout) -> NoThread:
    """Why a page without a single post is no thread."""
    title = tree.css_first("title")
    heading = title.text() if title is not None else ""
    told = message_of(tree)

    if tree.css_first("form#login_forum") is not None:
        return NoThread("forbidden", told or "раздел закрыт паролем")
    form = login_form(tree)
    if form is not None and form.css_first("[name=username]") is not None:
        return NoThread("login_required", " ".join(form.text(separator=" ").split())[:200])
    if told:
        for reason, phrases in (
            ("not_found", layout.not_found_words),
            ("maintenance", layout.maintenance_words),
            ("forbidden", layout.forbidden_words),
        ):
            if has_one(phrases, told):
                return NoThread(reason, told[:300])
        if has_one(layout.maintenance_words, heading):
            return NoThread("maintenance", told[:300])
        if is_whole(html) and tree.css_first("#message") is not None:
            # The board's owner writes the words of a switched-off board himself.
            return NoThread("maintenance", told[:300])
    body = tree.body.text(separator=" ") if tree.body is not None else ""
    if has_one(layout.challenge_words, f"{heading} {html[:100_000]}"):
        return NoThread("challenge", " ".join(f"{heading} {body}".split())[:200])
    if not is_whole(html):
        return NoThread("truncated", "страница оборвана: у неё нет конца")
    if has_one(layout.maintenance_words, f"{heading} {body[:2000]}"):
        return NoThread("maintenance", " ".join(body.split())[:200])
    if has_one(layout.forbidden_words, heading) or has_one(layout.not_found_words, heading):
        return NoThread("not_found" if has_one(layout.not_found_words, heading) else "forbidden", heading.strip())
    return NoThread("no_posts", " ".join(body.split())[:200])


def uid_in(address: str) -> int | None:
    """The user's number in an address of the board."""
    found = _UID.search(address)
    return int(found[1]) if found else None
