"""Fetches the pages of a forum that settle how it is made: GETs only, paced, each saved without people in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from adapters import engines
from adapters.board import Board
from adapters.clock import Clock
from adapters.errors import OutsideError
from adapters.http import Answer
from adapters.markup import tamed
from adapters.places import Places, Wanted
from forumbot.capture.scrub import Scrubber

MANIFEST = "manifest.json"


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
    me, places = board.login(), _places(board)
    pages = [_fetch(board, kind, address, clock) for kind, address in places.fixed(wanted, me.uid)]
    for kind, address in _following(board, wanted, pages):
        pages.append(_fetch(board, kind, address, clock))
    pages += [_fetch(guest, kind, address, clock) for kind, address in places.guest(wanted)]
    secrets = (board.settings.user, board.settings.password, me.nick, *board.session.cookies(), *guest.session.cookies())
    scrubber = Scrubber(board.session.base, key, secrets)
    for page in pages:
        if page.answer is not None:
            scrubber.learn(page.answer.text)
    folder.mkdir(parents=True, exist_ok=True)
    saved = [_save(page, scrubber, folder) for page in pages]
    manifest = {
        "format": 1,
        "engine": engines.of(board),
        "zone": board.settings.zone,
        "overrides": dict(board.settings.overrides),
        "pages": [asdict(one) for one in saved],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return saved


def _places(board: Board) -> Places:
    return engines.places(engines.of(board))


_NOT_FOUND = 404


def rights_pages(board: Board, section: str, uid: int) -> dict[str, str]:
    """The forms for a new topic, for a private message and, where the section has a topic and the engine a page for it, for a
    reply as they stand now, by kind. Raises OutsideError."""
    topic = some_topic(board, section)
    wanted = dict(_places(board).fixed(Wanted(section, topic or ""), uid))
    kinds = ("new_topic", "compose", *(("reply",) if topic and "reply" in wanted else ()))
    return {kind: board.session.get(wanted[kind]).text for kind in kinds}


def has_section(board: Board, section: str) -> bool:
    """Whether the forum knows the section at all. Raises OutsideError."""
    address, _ = _places(board).section(section)
    return board.session.get(address).status != _NOT_FOUND


def section_title(board: Board, section: str) -> str:
    """What the forum calls a section, from its page; empty where it tells nothing. Raises OutsideError."""
    address, _ = _places(board).section(section)
    tree = LexborHTMLParser(tamed(board.session.get(address).text))
    heading = _places(board).section_title
    named = (tree.css_first(heading) if heading else None) or tree.css_first("title")
    return " ".join(named.text().split())[:_TITLE_MOST] if named is not None else ""


def some_topic(board: Board, section: str) -> str | None:
    """The address of the first topic of a section; None where none is seen. Raises OutsideError."""
    board.login()
    address, pattern = _places(board).section(section)
    tree = LexborHTMLParser(tamed(board.session.get(address).text))
    links = (link.attributes.get("href") or "" for link in tree.css(_places(board).topic_links))
    return next((found[1] for link in links if (found := re.search(pattern, link))), None)


def _following(board: Board, wanted: Wanted, pages: Sequence[_Fetched]) -> Iterator[tuple[str, str]]:
    """The thread's second and last page, and one private message that was read before: opening a new one marks it as read."""
    engine = engines.of(board)
    shown = {page.kind: page.answer.text for page in pages if page.answer is not None}
    if (thread := shown.get("thread")) is not None:
        _, last = engines.part(engine, "site").page_of_pages(LexborHTMLParser(tamed(thread)))
        numbers = [2, last] if last > 2 else [2] if last == 2 else []
        for number in numbers:
            yield f"thread_{number}", _places(board).thread(wanted.topic, number, thread)
    if (inbox := shown.get("inbox")) is not None and (message := _read_message(engine, inbox)) is not None:
        yield "message", _places(board).message(message)


def _read_message(engine: str, inbox: str) -> int | None:
    tree = LexborHTMLParser(tamed(inbox))
    unread = {node.mem_id for node in tree.css("a:has(.unread), .pm_unread a, tr:has(b.unread) a, a:has(b)")}
    letters = engines.part(engine, "letters")
    found = [line.id for line in letters.lines_of(tree)]
    pattern = engines.places(engine).message_link
    for link in tree.css("a"):
        if link.mem_id in unread:
            address = link.attributes.get("href") or ""
            found = [one for one in found if not re.search(pattern.replace("{id}", str(one)), address)]
    return found[0] if found else None


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
