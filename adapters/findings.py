"""What a fact of a captured forum comes to, the pages that it is looked up in, and the kinds of facts that every engine has."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Literal
from zoneinfo import ZoneInfo

from selectolax.lexbor import LexborHTMLParser

from adapters import engines
from adapters.errors import NoThread
from adapters.markup import tamed
from adapters.model import Page, Post
from adapters.webpage import find_form

State = Literal["holds", "differs", "unseen"]
WORDS: Mapping[State, str] = {"holds": "держится", "differs": "не так", "unseen": "не видно"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact: its state here, what was seen, and what to do (Russian)."""

    fact: str
    state: State
    seen: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Capture:
    """The pages of a capture, read with the reader of their engine."""

    engine: str
    zone: ZoneInfo
    overrides: Mapping[str, str]
    pages: Mapping[str, str]
    about: Mapping[str, Mapping[str, Any]]
    _trees: dict[str, LexborHTMLParser] = field(default_factory=dict)

    def tree(self, kind: str) -> LexborHTMLParser | None:
        """The tree of a page; None where there is no such page."""
        if kind not in self.pages:
            return None
        if kind not in self._trees:
            self._trees[kind] = LexborHTMLParser(tamed(self.pages[kind]))
        return self._trees[kind]

    def read(self, kind: str, html: str | None = None) -> Page | NoThread | None:
        """A page read as a thread, or why it is none."""
        if kind not in self.pages:
            return None
        fetched = datetime.fromisoformat(str(self.about[kind]["fetched"]))
        reader = engines.part(self.engine, "pages")
        try:
            page: Page = reader.read_thread(
                self.pages[kind] if html is None else html, fetched=fetched, zone=self.zone, overrides=self.overrides
            )
        except NoThread as error:
            return error
        return page

    @cached_property
    def threads(self) -> tuple[Page, ...]:
        """The pages of the thread that could be read, in order."""
        kinds = sorted((kind for kind in self.pages if re.fullmatch(r"thread(_\d+)?", kind)), key=lambda kind: (len(kind), kind))
        return tuple(page for kind in kinds if isinstance(page := self.read(kind), Page))

    @property
    def posts(self) -> tuple[Post, ...]:
        return tuple({post.id: post for page in self.threads for post in page.posts}.values())

    @property
    def thread_html(self) -> str:
        return "".join(html for kind, html in self.pages.items() if kind.startswith("thread"))


TO_US = "пришлите папку разработчикам"
NO_GAME = f"играть нельзя: {TO_US}"
Check = Callable[[Capture], Finding | Sequence[Finding]]


def judged(fact: str, good: bool, seen: str, advice: str) -> Finding:
    return Finding(fact, "holds", seen) if good else Finding(fact, "differs", seen, advice)


def of_posts(fact: str, test: Callable[[Post], bool], advice: str) -> Check:
    """A fact that every post shows."""

    def check(capture: Capture) -> Finding:
        posts = capture.posts
        if not posts:
            return Finding(fact, "unseen")
        held = sum(test(post) for post in posts)
        return judged(fact, held == len(posts), f"{held} из {len(posts)}", advice.format(**engines.places(capture.engine).keys))

    return check


def form(kind: str, fact: str, selector: str, needed: Sequence[str], advice: str = "") -> Check:
    """A form with the fields that we fill in; hidden ones are echoed whatever they are, and listed here."""

    def check(capture: Capture) -> Finding:
        tree = capture.tree(kind)
        if tree is None:
            return Finding(fact, "unseen", str(capture.about.get(kind, {}).get("text", "")))
        form = find_form(tree, selector)
        if form is None:
            return Finding(fact, "differs", "формы на странице нет", advice or "проверьте права бота в этом разделе")
        lacking = [name for name in needed if not any(offered.startswith(name) for offered in form.offered)]
        hidden = [name for name in (node.attributes.get("name") or "" for node in tree.css(_hidden(selector))) if name]
        if lacking:
            return Finding(fact, "differs", f"нет полей {', '.join(lacking)}", TO_US)
        return Finding(fact, "holds", f"скрытые поля: {', '.join(dict.fromkeys(hidden)) or 'нет'}")

    return check


def _hidden(selector: str) -> str:
    return ", ".join(f"{one.strip()} input[type=hidden]" for one in selector.split(","))


def mark(fact: str, selector: str, advice: str = "") -> Check:
    """A mark of the engine that is either on the pages or cannot be judged."""

    def check(capture: Capture) -> Finding:
        trees = [tree for kind in capture.pages if kind.startswith("thread") and (tree := capture.tree(kind)) is not None]
        count = sum(len(tree.css(selector)) for tree in trees)
        if not count:
            return Finding(fact, "unseen", "на снятых страницах нет", advice)
        return Finding(fact, "holds", f"{count} на снятых страницах")

    return check


def login_form(capture: Capture) -> Finding:
    fact = "форма входа узнаётся"
    places = engines.places(capture.engine)
    for kind in ("guest_login", "guest_thread"):
        tree = capture.tree(kind)
        form = find_form(tree, places.login_form) if tree is not None else None
        if form is not None:
            return Finding(fact, "holds", f"поля: {', '.join(sorted(form.offered))}")
    return Finding(fact, "unseen", "формы на страницах гостя нет", places.login_advice)
