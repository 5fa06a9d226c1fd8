"""The dearest two megabytes that anybody may send: a letter, a page of each forum, and words on their way into a post (X06)."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import adapters.phpbb.pages
import adapters.ucoz.pages
from adapters.errors import NoThread
from adapters.inert import inert
from adapters.mail.letters import read_letter
from forumbot.writing.splitting import split
from forumbot.writing.voice import OnForum
from tests.adapters.mail.test_worst_letters import SIZE, WORST
from tests.adapters.markup.test_worst_pages import AT, BODIES, ZONE, phpbb, ucoz


def run() -> dict[str, float]:
    """Seconds of the processor for the worst of its kind."""
    pages = {"ucoz": (adapters.ucoz.pages, ucoz), "phpbb": (adapters.phpbb.pages, phpbb)}
    found = {"worst letter of 2 MB, s of CPU": max(_took(read_letter, raw.encode()) for raw in WORST.values())}
    for name, (engine, frame) in pages.items():

        def read(html: str, read_thread: Callable[..., object] = engine.read_thread) -> None:
            with suppress(NoThread):
                read_thread(html, fetched=AT, zone=ZONE)

        found[f"worst {name} page of 2 MB, s of CPU"] = max(_took(read, frame(body)) for body in BODIES.values())
    for name, piece in {"tags": "[b]", "faces": ":)", "links": "http://", "lines": "я\n"}.items():
        text = piece * (SIZE // len(piece))
        found[f"2 MB of {name} made harmless, s of CPU"] = _took(inert, text)
        found[f"2 MB of {name} framed and split, s of CPU"] = _took(_published, text)
    return found


def _published(words: str) -> tuple[str, ...]:
    return split(OnForum(inert).piece(words), 10_000)


def _took(work: Callable[..., object], given: object) -> float:
    began = time.process_time()
    work(given)
    return time.process_time() - began
