"""Fetches the pages of a forum that settle how it is made: GETs only, paced, each saved without people in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from adapters.board import Board
from adapters.clock import Clock
from adapters.errors import OutsideError
from adapters.http import Answer
from adapters.markup import tamed
from forumbot.capture.scrub import Scrubber

MANIFEST = "manifest.json"
_ABSENT = "99999999"
"""A number that no topic has."""
_FAR = 9999


@dataclass(frozen=True, slots=True)
class Saved:
    """A page of a capture. ``kind`` tells what it is; ``text``: why it could not be had."""

    kind: str
    file: str
    address: str
    status: int
    fetched: str
    charset: str = "utf-8"
    text: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to save besides the pages that every forum has."""

    section: str
    topic: str
    closed: str = ""


@dataclass(slots=True)
class _Fetched:
    kind: str
    address: str
    answer: Answer | None
    at: datetime
    text: str = ""
_TITLE_MOST = 100
"""Signs of a section's title that are shown."""


def collect(board: Board, guest: Board, wanted: Wanted, folder: Path, clock: Clock, key: bytes) -> list[Saved]:
    """Save the pages into ``folder`` (made here; it must be empty) with a manifest.

    ``board`` is our account, ``guest`` a session on the same forum that never logs in. Raises OutsideError when the login fails.
    """
    me = board.login()
    pages = [_fetch(board, kind, address, clock) for kind, address in _first(board, wanted, me.uid)]
    for kind, address in _following(board, wanted, pages):
        pages.append(_fetch(board, kind, address, clock))
    pages += [_fetch(guest, kind, address, clock) for kind, address in _guest(board, wanted)]
    secrets = (board.settings.user, board.settings.password, me.nick, *board.session.cookies(), *guest.session.cookies())
    scrubber = Scrubber(board.session.base, key, secrets)
    for page in pages:
        if page.answer is not None:
            scrubber.learn(page.answer.text)
    folder.mkdir(parents=True, exist_ok=True)
    saved = [_save(page, scrubber, folder) for page in pages]
    manifest = {
        "format": 1,
        "engine": engine_of(board),
        "zone": board.settings.zone,
        "overrides": dict(board.settings.overrides),
        "pages": [asdict(one) for one in saved],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return saved


def engine_of(board: Board) -> str:
    """The engine's id, which is its folder in ``adapters``."""
    return type(board).__module__.split(".")[1]


_NOT_FOUND = 404


def rights_pages(board: Board, section: str, uid: int) -> dict[str, str]:
    """The forms for a new topic, for a private message and, where the section has a topic and the engine a page for it, for a
    reply as they stand now, by kind. Raises OutsideError."""
    topic = some_topic(board, section)
    wanted = dict(_PLACES[engine_of(board)].fixed(Wanted(section, topic or ""), uid))
    kinds = ("new_topic", "compose", *(("reply",) if topic and "reply" in wanted else ()))
    return {kind: board.session.get(wanted[kind]).text for kind in kinds}


def has_section(board: Board, section: str) -> bool:
    """Whether the forum knows the section at all. Raises OutsideError."""
    address, _ = _PLACES[engine_of(board)].section(section)
    return board.session.get(address).status != _NOT_FOUND


def section_title(board: Board, section: str) -> str:
    """What the forum calls a section, from its page; empty where it tells nothing. Raises OutsideError."""
    address, _ = _PLACES[engine_of(board)].section(section)
    tree = LexborHTMLParser(tamed(board.session.get(address).text))
    named = tree.css_first("h2.forum-title") or tree.css_first("title")
    return " ".join(named.text().split())[:_TITLE_MOST] if named is not None else ""


def some_topic(board: Board, section: str) -> str | None:
    """The address of the first topic of a section; None where none is seen. Raises OutsideError."""
    board.login()
    address, pattern = _PLACES[engine_of(board)].section(section)
    tree = LexborHTMLParser(tamed(board.session.get(address).text))
    links = (link.attributes.get("href") or "" for link in tree.css("a.threadLink, a.topictitle"))
    return next((found[1] for link in links if (found := re.search(pattern, link))), None)


@dataclass(frozen=True, slots=True)
class _Places:
    """Where an engine keeps its pages."""

    home: str
    section: Callable[[str], tuple[str, str]]
    thread: Callable[[str, int], str]
    fixed: Callable[[Wanted, int], Sequence[tuple[str, str]]]
    guest: Callable[[Wanted], Sequence[tuple[str, str]]]
    message: Callable[[int], str]


def _ucoz_fixed(wanted: Wanted, uid: int) -> Sequence[tuple[str, str]]:
    return (
        ("home", "/forum/"),
        ("section", f"/forum/{wanted.section}"),
        ("thread", f"/forum/{wanted.topic}-1"),
        ("past_the_end", f"/forum/{wanted.topic}-{_FAR}"),
        ("new_topic", f"/forum/{wanted.section}-0-0-1-1"),
        ("profile", "/index/8"),
        ("inbox", "/index/14"),
        ("sent", "/index/14-0-1"),
        ("compose", f"/index/14-{uid}-0-1"),
        ("missing", f"/forum/{wanted.section}-{_ABSENT}-1"),
        *((("closed", f"/forum/{wanted.closed}-1"),) if wanted.closed else ()),
    )


def _phpbb_fixed(wanted: Wanted, uid: int) -> Sequence[tuple[str, str]]:
    return (
        ("home", "index.php"),
        ("section", f"viewforum.php?f={wanted.section}"),
        ("thread", f"viewtopic.php?t={wanted.topic}"),
        ("past_the_end", f"viewtopic.php?t={wanted.topic}&start={_ABSENT}"),
        ("reply", f"posting.php?mode=reply&f={wanted.section}&t={wanted.topic}"),
        ("new_topic", f"posting.php?mode=post&f={wanted.section}"),
        ("inbox", "ucp.php?i=pm&folder=inbox"),
        ("sent", "ucp.php?i=pm&folder=sentbox"),
        ("compose", f"ucp.php?i=pm&mode=compose&u={uid}"),
        ("missing", f"viewtopic.php?t={_ABSENT}"),
        *((("closed", f"viewtopic.php?t={wanted.closed}"),) if wanted.closed else ()),
    )


_PLACES: Mapping[str, _Places] = {
    "ucoz": _Places(
        "/forum/",
        lambda section: (f"/forum/{section}", rf"/forum/({re.escape(section)}-[1-9]\d*)(?:-|$)"),
        lambda topic, number: f"/forum/{topic}-{number}",
        _ucoz_fixed,
        lambda wanted: (("guest_thread", f"/forum/{wanted.topic}-1"), ("guest_login", "/index/40")),
        lambda message: f"/index/14-{message}-0",
    ),
    "phpbb": _Places(
        "index.php",
        lambda section: (f"viewforum.php?f={section}", r"viewtopic\.php\?(?:.*&)?t=(\d+)"),
        lambda topic, number: f"viewtopic.php?t={topic}" + (f"&start={number}" if number else ""),
        _phpbb_fixed,
        lambda wanted: (("guest_thread", f"viewtopic.php?t={wanted.topic}"), ("guest_login", "ucp.php?mode=login")),
        lambda message: f"ucp.php?i=pm&mode=view&f=0&p={message}",
    ),
}


def _first(board: Board, wanted: Wanted, uid: int) -> Iterator[tuple[str, str]]:
    yield from _PLACES[engine_of(board)].fixed(wanted, uid)


def _following(board: Board, wanted: Wanted, pages: Sequence[_Fetched]) -> Iterator[tuple[str, str]]:
    """The thread's second and last page, and one private message that was read before: opening a new one marks it as read."""
    engine = engine_of(board)
    shown = {page.kind: page.answer.text for page in pages if page.answer is not None}
    if (thread := shown.get("thread")) is not None:
        _, last = import_module(f"adapters.{engine}.site").page_of_pages(LexborHTMLParser(tamed(thread)))
        numbers = [2, last] if last > 2 else [2] if last == 2 else []
        for number in numbers:
            yield f"thread_{number}", _PLACES[engine].thread(wanted.topic, _start(engine, thread, number))
    if (inbox := shown.get("inbox")) is not None and (message := _read_message(engine, inbox)) is not None:
        yield "message", _PLACES[engine].message(message)


def _start(engine: str, thread: str, number: int) -> int:
    """What the address of a page says: uCoz counts pages, phpBB posts."""
    if engine == "ucoz":
        return number
    starts: list[int] = import_module("adapters.phpbb.site").starts_of(LexborHTMLParser(tamed(thread)))
    return min((start for start in starts if start), default=0) * (number - 1)


def _read_message(engine: str, inbox: str) -> int | None:
    tree = LexborHTMLParser(tamed(inbox))
    unread = {node.mem_id for node in tree.css("a:has(.unread), .pm_unread a, tr:has(b.unread) a, a:has(b)")}
    letters = import_module(f"adapters.{engine}.letters")
    found = [line.id for line in letters.lines_of(tree)]
    for link in tree.css("a"):
        if link.mem_id in unread:
            found = [one for one in found if not re.search(rf"(?:14-|[?&]p=){one}\b", link.attributes.get("href") or "")]
    return found[0] if found else None


def _guest(board: Board, wanted: Wanted) -> Sequence[tuple[str, str]]:
    return _PLACES[engine_of(board)].guest(wanted)


def _fetch(board: Board, kind: str, address: str, clock: Clock) -> _Fetched:
    at = clock.now()
    try:
        return _Fetched(kind, address, board.session.get(address), at)
    except OutsideError as error:
        return _Fetched(kind, address, None, at, error.text)




def _save(page: _Fetched, scrubber: Scrubber, folder: Path) -> Saved:
    address, at = scrubber.address(page.address), page.at.isoformat(timespec="seconds")
    if page.answer is None:
        return Saved(page.kind, "", address, 0, at, text=scrubber.said(page.text))
    name = f"{page.kind}.html"
    (folder / name).write_text(scrubber.scrub(page.answer.text), encoding="utf-8")
    return Saved(page.kind, name, address, page.answer.status, at, page.answer.charset)


def load(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The manifest of a capture and its pages' text by kind. Raises OSError or ValueError."""
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    files = {page["kind"]: Path(page["file"]).name for page in manifest["pages"] if page["file"]}
    return manifest, {kind: (folder / name).read_text(encoding="utf-8") for kind, name in files.items()}
