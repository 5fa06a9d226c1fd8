"""Pages made to take long: two megabytes are read within a second, posts and words intact."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

import adapters.phpbb.pages
import adapters.ucoz.pages
from adapters.errors import NoThread
from adapters.markup import html_runs, own_text
from adapters.taming import tame

SIZE = 2_000_000
AT, ZONE = datetime(2026, 12, 1, tzinfo=UTC), ZoneInfo("Europe/Moscow")


def much(piece: str) -> str:
    return piece * (SIZE // len(piece.encode()))


BODIES = {
    "attributes": "<a " + " ".join(f"a{n}" for n in range(215_000)) + ">",
    "formatting": "".join(f"<b id={n}><p>" for n in range(150_000)),
    "formatting, a short page": "".join(f"<b id={n}><p>" for n in range(10_000)),
    "depth": much("<div>"),
    "quotations": much("<blockquote>x"),
    "colours": "".join(f'<span style="color:#{n:06x}">x</span>' for n in range(50_000)),
    "signatures": much('<span class="signatureView">x</span>'),
    "remarks": much("<!--"),
    "classes": f"<p class='{much('a ')}'>",
    "switches": much('<a class="switchDigit">1</a>'),
    "holders": "".join(f'<span id="ucoz-forum-post-{n}">' for n in range(40_000)),
    "cards": "".join(f'<div id="p{n}" class="post">' for n in range(40_000)),
}


def ucoz(body: str) -> str:
    return (
        '<html><body><table><tr id="post7"><td><a class="postUser">А</a></td>'
        f'<td><span class="ucoz-forum-post" id="ucoz-forum-post-7">{body}</span></td></tr></table></body></html>'
    )


def phpbb(body: str) -> str:
    return (
        '<html><body><div id="p7" class="post"><dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&amp;u=6" '
        f'class="username">А</a></dt></dl><div class="postbody"><div class="content">{body}</div></div></div></body></html>'
    )


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize(("engine", "frame"), [(adapters.ucoz.pages, ucoz), (adapters.phpbb.pages, phpbb)])
def test_x06_the_worst_page_of_two_megabytes_takes_less_than_a_second(engine: ModuleType, frame: object, name: str) -> None:
    html = frame(BODIES[name])  # type: ignore[operator]
    started = time.process_time()
    try:
        posts = engine.read_thread(html, fetched=AT, zone=ZONE).posts
    except NoThread as wall:
        posts = (wall.reason,)
    assert time.process_time() - started < 1.0
    assert posts


@pytest.mark.parametrize("name", ["formatting", "depth", "quotations"])
def test_x06_words_stay_where_marks_are_too_many(name: str) -> None:
    tamed = tame(f"<p>бью Анну</p>{BODIES[name]}<p>конец")
    assert not tamed.whole
    assert own_text(html_runs(tamed.html)).startswith("бью Анну")


def test_x06_usual_html_is_not_touched() -> None:
    html = "".join(f'<div><font color="#ff0000">виновен {n}</font> <b>a</b><i title="x">c</i></div>' for n in range(900))
    assert tame(html).html is html
    long = "".join(f"<p><span style='color:red'>{n}</span><br>слово</p>" for n in range(6000))
    assert tame(long).html is long
