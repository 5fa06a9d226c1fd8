"""A uCoz thread page to posts, whatever the owner has made of the template.

Only what the engine itself emits is leaned on: the message holder ``#ucoz-forum-post-N`` (``#frmmsgN`` on mobile pages), the
permalink with the exact time, the profile link, the ``edited`` and signature hooks. Where a post begins and ends is told
by the tree: the largest element that holds one message holder and nothing of the page's furniture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.errors import NoThread
from adapters.layout import has_one, parts
from adapters.markup import canonical_runs, has_hidden_words, spelled_out, tamed, without_raw
from adapters.model import STRANGE_NOTICE, Page, Post
from adapters.ucoz import quick
from adapters.ucoz.layout import USUAL, Layout
from adapters.ucoz.site import is_logged_in, no_thread, page_of_pages, title_of
from adapters.webpage import Room, class_pattern, close_of, is_whole, name_of, number_of, printed_time, text_of, tree_of
from adapters.writer import trimmed

_FURNITURE = "form[name=addform], .switches, .switchesTbl, .pagesInfo, .forumNamesBar, .gTableTop, .forum-title"
_PERMALINK = re.compile(r"(?:https?://[^/]+)?(?:/pda)?/forum/\d+-\d+-\d+-16-(\d{9,10})\b")
_FORM_STARTS = re.compile(r"<form\b|class=\"[^\"]*(?:switches|pagesInfo|forumNamesBar)")
_SIBLINGS = 12
_LONGEST_NOTICE, _LONGEST_HEAD = 1_000, 400_000
"""Signs of the words about an edit, and of what stands beside a message, that are looked at."""
_MOST_STEPS = 50_000
"""Elements around all posts of a page."""
_EDIT_LINK = re.compile(r"/forum/\d+-\d+-\d+-9-[\d-]+")
_PROFILE = re.compile(r"(?:https?://[^/]+)?(?:/pda)?/index/8-(\d{1,18})(?![\d-])")
_START_TAG = re.compile(r"<\w[^>]*>")
_LEADS = re.compile(r"\s(?:href|onclick)=\"([^\"]*)\"")
_IN_SCRIPT = re.compile(r"(?<!\\)'((?:https?:/)?/[^'\\]*)'")
_NICK_IN_SCRIPT = re.compile(
    r"<a\b[^>]*\bonclick=\"(?:[^\"\[]|\[(?!b\]))*+\[b\](?:[^\"\[]|\[(?!/b\]))*+\[/b\][^>]*>(.*?)</a>", re.S
)
_NICK_AT_PROFILE = re.compile(
    r"<a\b[^>]*/index/8-\d+(?![\d-])[^>]*>((?:[\s>]|<(?!/a>))*+(?!</a>).(?:(?!</a>).){0,2000}+)</a>", re.S
)
_NUMBER_MARKED = re.compile(r"(?:\[\s*|Сообщение\s*)(?:#|№)\s*(\d[\d \xa0\u2009\u202f,.'’]*)")
"""A post's number as the templates print it; ranks and nicks may have a "#1" of their own."""
_NUMBER_TEXT = re.compile(r"(?:#|№)\s*(\d[\d \xa0\u2009\u202f,.'’]*)")
_EDITED_BY = re.compile(r"<(\w+)\b[^>]*class=\"(?:[^\"]*\s)?editedBy(?:\s[^\"]*)?\"[^>]*>(.*?)</\1>", re.S)
_EDITED_TIME = re.compile(r"<(\w+)\b[^>]*class=\"(?:[^\"]*\s)?editedTime(?:\s[^\"]*)?\"[^>]*>(.*?)</\1>", re.S)


@lru_cache(8)
def _holder_id(post_ids: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(re.escape(one) for one in parts(post_ids))})(\d{{1,18}})")


def _holders(tree: LexborHTMLParser, layout: Layout) -> dict[int, LexborNode]:
    """The elements with the messages' words by the posts' ids, each id once: those of the first kind that the page has."""
    named = _holder_id(layout.post_ids)
    for start in parts(layout.post_ids):
        found: dict[int, LexborNode] = {}
        for node in tree.css(f'[id^="{start}"]'):
            if number := named.fullmatch(node.id or ""):
                found.setdefault(int(number[1]), node)
        if found:
            return found
    return {}


def read_thread(
    html: str, *, fetched: datetime, zone: tzinfo, layout: Layout | None = None, overrides: Mapping[str, str] | None = None
) -> Page:
    """The posts of one page, each id once, in the page's order.

    ``fetched`` is the moment of the fetch ("Сегодня"), ``zone`` that of printed times; exact times come from permalinks.
    Raises NoThread for a page that is no thread or has no end.
    """
    layout = layout or (Layout.of(overrides) if overrides else USUAL)
    tree = tree_of(html)
    found = _holders(tree, layout)
    if not found:
        raise no_thread(tree, html, layout)
    if not is_whole(html):
        raise NoThread("truncated", "страница оборвана: у неё нет конца")
    reader = _Reader(html, fetched, zone, layout, Room(html, len(found)))
    posts = tuple(reader.posts(found))
    page, pages = page_of_pages(tree)
    locked = tree.css_first(f"{layout.post_form}, form textarea") is None and is_logged_in(tree)
    return Page(posts, page, pages, title_of(tree), locked=locked)


def edit_address(html: str, post_id: int, layout: Layout) -> str | None:
    """Where an own post is edited, from the post's own buttons; None where the page offers it to nobody like us."""
    tree = LexborHTMLParser(tamed(html))
    found = _holders(tree, layout)
    if post_id not in found:
        return None
    told = found[post_id].attributes.get("edit-url")
    if told:
        return told
    card = dict(zip(found, _cards(found), strict=True))[post_id]
    link = _EDIT_LINK.search((card.html or "").replace(found[post_id].html or "", ""))
    return link[0] if link else None


def _cards(found: Mapping[int, LexborNode]) -> list[LexborNode]:
    """The element of each post. Raises NoThread where they stand in one another, each deeper than the one before."""
    chains: list[list[LexborNode]] = []
    shared: Counter[int] = Counter()
    steps = 0
    for pid, holder in found.items():
        chain = [holder]
        node = holder.parent
        while node is not None and node.tag not in ("body", "html", "-document"):
            chain.append(node)
            if node.tag == "tr" and node.attributes.get("id") == f"post{pid}":
                break
            node = node.parent
        steps += len(chain)
        if steps > _MOST_STEPS:
            raise NoThread("truncated", "разметка страницы нарушена: сообщения стоят одно в другом")
        shared.update(one.mem_id for one in chain)
        chains.append(chain)
    cards = []
    for chain in chains:
        own = [one for one in chain if shared[one.mem_id] == 1] or chain[:1]
        while len(own) > 1 and own[-1].tag != "tr" and own[-1].css_first(_FURNITURE) is not None:
            own.pop()
        cards.append(own[-1])
    return cards


class _Reader:
    """Reads the posts of one page."""

    def __init__(self, html: str, fetched: datetime, zone: tzinfo, layout: Layout, room: Room) -> None:
        self._html = html
        self._room = room
        self._raw = ""
        """The page without scripts and comments, once it was needed."""
        self._fetched = fetched
        self._zone = zone
        self._layout = layout
        self._stops = class_pattern("|".join((layout.signature_classes, layout.attachment_classes, layout.edited_class)))

    def posts(self, found: Mapping[int, LexborNode]) -> Iterator[Post]:
        """All posts: usual ones quickly, the others with care."""
        cards: list[LexborNode] = []
        usual = self._layout == USUAL
        sections = quick.sections(self._html, list(found)) if usual else [None] * len(found)
        marks = quick.unusual_marks(self._html)
        for index, ((pid, holder), section) in enumerate(zip(found.items(), sections, strict=True)):
            post = quick.read_post(section, pid, holder, self._zone, marks)
            if post is None:
                cards = cards or _cards(found)
                post = self._post(pid, holder, cards[index])
            yield post

    def _post(self, pid: int, holder: LexborNode, card: LexborNode) -> Post:
        """One post, whatever its template."""
        whole = self._text_of(card)
        start = _start_of(holder, whole)
        inside = self._text_of(holder)
        cell = self._text_of(holder.parent) if holder.parent is not None and holder is not card else inside
        cell_end = start + len(cell) - _start_of(holder, cell)
        stop = self._stops.search(whole, start)
        end = min(stop.start() if stop else cell_end, cell_end)
        inner_end = start + len(inside)
        body = whole[start : min(end, inner_end)]
        if end > inner_end and text_of(whole[inner_end:end]):
            body = self._thrown_out(pid, holder, body) or body
        head = whole[:start]
        tail = whole[min(end, inner_end) :]
        if not self._author(head, "")[0]:
            before, after = _beside(card, _holder_id(self._layout.post_ids), self._text_of)
            head, tail = before + head, tail + after
        tail = self._without_signature(tail)
        runs = canonical_runs(body, self._layout.color_classes)
        edited, edited_by, edited_at, known = self._edited(tail)
        author, head, tail = self._author(head, self._without_notice(tail))
        texts = text_of(head[-_LONGEST_HEAD:]), text_of(tail[:_LONGEST_HEAD])
        posted, exact = self._posted(head, tail, texts)
        uid = _number_in(_PROFILE, _addresses(head) + _addresses(tail))
        hidden = "UhideBlockL" in body or has_hidden_words(runs)
        doubts = (("hidden_text", hidden), ("no_uid", uid is None), (STRANGE_NOTICE, not known))
        return Post(
            id=pid,
            author=author,
            runs=trimmed(runs),
            number=self._number(head, tail, texts),
            author_uid=uid,
            posted=posted,
            exact=exact,
            edited=edited,
            edited_by=edited_by,
            edited_at=edited_at,
            html=spelled_out(body, self._layout.color_classes),
            problems=tuple(name for name, there in doubts if there),
        )

    def _text_of(self, node: LexborNode) -> str:
        return self._room.take(without_raw(node.html or ""))

    def _thrown_out(self, pid: int, holder: LexborNode, body: str) -> str | None:
        """The message as the engine wrote it, where wrong nesting has thrown a part of it out of the holder: up to the
        end tag that balances the holder's start tag in the raw page. None when it cannot be told."""
        raw = self._raw = self._raw or without_raw(self._html)
        named = re.search(rf"<{holder.tag}\b[^>]*\bid\s*=\s*[\"']?{holder.attributes['id']}\b[^>]*>", raw, re.I)
        if named is None:
            return None
        end = close_of(raw, f"(?i:{holder.tag})", named.start())
        stop = self._stops.search(raw, named.end())
        if stop:
            end = min(end, stop.start())
        inner = LexborHTMLParser(tamed(f"<div>{raw[named.end() : end]}</div>")).body
        return without_raw(inner.html or "") if inner is not None else None

    def _author(self, head: str, tail: str) -> tuple[str, str, str]:
        """(nick, head, tail), the two without the nick's words: they may look like a date or a number."""
        named = class_pattern(self._layout.author_classes)
        for part in (head, tail):
            spans = []
            if found := named.search(part):
                spans.append((found.end(), close_of(part, found[1], found.start())))
            spans += [link.span(1) for pattern in (_NICK_IN_SCRIPT, _NICK_AT_PROFILE) if (link := pattern.search(part))]
            for start, end in spans:
                if nick := name_of(part[start:end]):
                    rest = f"{part[:start]} {part[end:]}"
                    return (nick, rest, tail) if part is head else (nick, head, rest)
        return "", head, tail

    def _number(self, head: str, tail: str, texts: tuple[str, str]) -> int | None:
        for part in (head, tail):
            if link := class_pattern(self._layout.number_classes, "a").search(part):
                return number_of(text_of(part[link.end() : close_of(part, "a", link.start())]))
        for pattern in (_NUMBER_MARKED, _NUMBER_TEXT):
            for text in texts:
                if found := pattern.search(text):
                    return number_of(found[1])
        return None

    def _posted(self, head: str, tail: str, texts: tuple[str, str]) -> tuple[datetime | None, bool]:
        stamp = _number_in(_PERMALINK, _addresses(head) + _addresses(tail))
        if stamp is not None:
            return datetime.fromtimestamp(stamp, UTC).astimezone(self._zone), True
        for text in texts:
            if moment := printed_time(text, self._fetched, self._zone):
                return moment, False
        return None, False

    def _edited(self, tail: str) -> tuple[bool, str | None, datetime | None, bool]:
        """(edited, by whom, when, whether its words are known) by the engine's notice; an activation after premoderation is no
        edit."""
        notice = self._notice(tail)
        if not notice:
            return False, None, None, True
        by = _EDITED_BY.search(notice)
        text = text_of(notice)
        lead = text_of(notice[: by.start()]) if by else text
        if has_one(self._layout.activated_words, lead):
            return False, None, None, True
        known = has_one(self._layout.edited_words, lead)
        when = _EDITED_TIME.search(notice)
        moment = printed_time(text_of(when[2]) if when else text, self._fetched, self._zone)
        if by:
            return True, name_of(by[2]), moment, known
        for phrase in parts(self._layout.edited_words):
            found = re.match(rf"{re.escape(phrase)}\w*\s+(?=\S)(.+)$", text[:_LONGEST_NOTICE], re.I)
            if found:  # the nick, a dash, and the time; the nick may have dashes of its own
                return True, found[1].rpartition(" - ")[0].strip() or found[1], moment, known
        return True, None, moment, known

    def _notice(self, tail: str) -> str:
        """The edited notice's HTML: by its class, else by the owner's words."""
        found = class_pattern(self._layout.edited_class).search(tail)
        if found:
            return tail[found.start() : close_of(tail, found[1], found.start())]
        for phrase in parts(self._layout.edited_words):
            at = tail.find(phrase)
            if at >= 0:
                return tail[
                    at : min(
                        (end for end in (tail.find(stop, at) for stop in ("</div", "</td", "<br")) if end > 0), default=len(tail)
                    )
                ]
        return ""

    def _without_notice(self, tail: str) -> str:
        notice = self._notice(tail)
        return tail.replace(notice, "", 1) if notice else tail

    def _without_signature(self, tail: str) -> str:
        pattern = class_pattern(self._layout.signature_classes)
        kept: list[str] = []
        at = 0
        while found := pattern.search(tail, at):
            line = found[1] == "hr"
            kept.append(tail[at : found.end() if line else found.start()])
            at = found.end() if line else close_of(tail, found[1], found.start())
        return "".join(kept) + tail[at:]


def _addresses(html: str) -> list[str]:
    """Where the links and buttons of a piece of a page lead, in order. Nicks and titles may look like addresses: no text
    is looked at, nor a script that puts a nick or a quotation into the editor."""
    found: list[str] = []
    for tag in _START_TAG.findall(html):
        for value in _LEADS.findall(tag):
            if "[b]" not in value and "[quote" not in value:
                found += [value, *_IN_SCRIPT.findall(value)]
    return found


def _number_in(pattern: re.Pattern[str], addresses: list[str]) -> int | None:
    """The number that the first fitting address names."""
    return next((int(found[1]) for address in addresses if (found := pattern.match(address))), None)


def _start_of(holder: LexborNode, html: str) -> int:
    """Where the message holder begins in the HTML around it. Raises NoThread where scripts or comments that do not end
    have swallowed it: such a page cannot be trusted."""
    named = html.find(f'id="{holder.id}"')
    if named < 0:
        raise NoThread("truncated", "разметка страницы нарушена")
    return html.rfind("<", 0, named)


def _beside(card: LexborNode, holder_id: re.Pattern[str], html_of: Callable[[LexborNode], str]) -> tuple[str, str]:
    """What belongs to a post that no element of its own surrounds (mobile pages): the siblings before it back to the one
    with the post's number, and those behind it up to the next post's head."""
    before: list[str] = []
    node = card.prev
    while node is not None and len(before) < _SIBLINGS:
        html = html_of(node)
        if holder_id.search(html):
            break
        before.append(html)
        if _NUMBER_TEXT.search(text_of(html)):
            break
        node = node.prev
    after: list[str] = []
    node = card.next
    while node is not None and len(after) < _SIBLINGS:
        html = html_of(node)
        if holder_id.search(html) or _NUMBER_TEXT.search(text_of(html)) or _FORM_STARTS.search(html):
            break
        after.append(html)
        node = node.next
    return "".join(reversed(before)), "".join(after)
