"""Pages made to take long: what a parser is given of them is within measure, and the work grows with their length alone; posts
and words stay intact. How many seconds two megabytes take is measured by ``tests/bench/worst.py``."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

import adapters.phpbb.pages
import adapters.ucoz.pages
from adapters.errors import NoThread
from adapters.markup import html_runs, own_text
from adapters.taming import tame
from tests.work import calls

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


def numbered(piece: str) -> str:
    """As many of these as there is room for, each with a number of its own in place of N."""
    return "".join(piece.replace("N", f"{n:x}") for n in range(SIZE // (len(piece.encode()) + 4)))


BODIES |= {
    "names of attributes": numbered("<i N>x</i>"),
    "names of attributes, few tags": "".join(f"<i {' '.join(f'{n * 36 + i:x}' for i in range(36))}>x</i>" for n in range(3_900)),
    "names of elements": numbered("<aN>x"),
    "marks of lists": numbered("<li N>"),
    "lines": numbered("<br N>"),
    "colours by name": numbered("<font color=N>x</font>"),
    "classes of their own": numbered('<b class="N">x</b>'),
    "links": numbered("<a href=N onclick=x>x</a>"),
    "pictures": numbered('<img alt="N">'),
    "captions": numbered('<div class="quotetitleN">x</div>'),
    "ends behind a cell": "<p><table>" + "<blockquote>" * 400 + "<div>" * 390 + much("</p>x")[:-9_000],
    "marks": much(":) "),
    "one word": much("я"),
    "accents": much("а\u0301"),
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


MOST_CALLS = 6
"""Calls a sign: a page made of nothing but short tags takes not quite five."""
TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)>")
VOID = {"br", "img", "input", "hr", "link", "meta", "wbr", "area", "base", "col", "embed", "param", "source", "track"}


@pytest.mark.parametrize("name", BODIES)
def test_x06_a_parser_is_given_what_it_gets_through_in_time(name: str) -> None:
    """A parser's time grows with the square of some numbers: none of them is beyond what people and programs write."""
    tamed = tame(ucoz(BODIES[name])).html
    assert len(tamed) < 1.5 * SIZE
    depth = deepest = tags = 0
    names: set[str] = set()
    for end, tag, attributes in TAG.findall(tamed):
        tags += 1
        said = re.findall(r"\s([^\s=]+)", re.sub(r"=(?:\"[^\"]*\"|'[^']*')", "", attributes))
        assert len(said) <= 40, tag
        names |= {tag, *said}
        if tag not in VOID:
            depth += -1 if end else 1
            deepest = max(deepest, depth)
    assert tags <= 600_000
    assert deepest <= 900
    assert len(names) <= 1_200


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize(("engine", "frame"), [(adapters.ucoz.pages, ucoz), (adapters.phpbb.pages, phpbb)])
def test_x06_the_work_of_the_worst_page_grows_with_its_length_alone(engine: ModuleType, frame: object, name: str) -> None:
    html = frame(BODIES[name][:80_000])  # type: ignore[operator]
    assert calls(lambda: read(engine, html)) < len(html) * MOST_CALLS


def read(engine: ModuleType, html: str) -> None:
    try:
        posts = engine.read_thread(html, fetched=AT, zone=ZONE).posts
        assert all(post.posted is None or 1970 <= post.posted.year <= 2100 for post in posts)
    except NoThread as wall:
        assert wall.reason in ("truncated", "no_posts")


UCOZ, PHPBB = adapters.ucoz.pages, adapters.phpbb.pages
HEADED = (
    '<div id="p7" class="post"><dl class="postprofile"><dt><a href="./memberlist.php?mode=viewprofile&amp;u=6" class="username">А'
    "</a></dt></dl>"
)
TEXT = '<div class="content">x</div>'
HOLDER = '<span class="ucoz-forum-post" id="ucoz-forum-post-7">b</span>'
OLD = '<table class="tablebg"><tr><td><a name="p7"></a><b class="postauthor">А</b></td><td><div class="postbody">x</div>'
LONG = HEADED.replace("u=6", "u=" + "6" * 5_000).replace("p7", "p" + "7" * 5_000)
ODD_PAGES: dict[str, tuple[ModuleType, str]] = {
    "posts in posts": (UCOZ, "".join(f"№{n}{HOLDER.replace('-7', f'-{n}').removesuffix('</span>')}" for n in range(4_000))),
    "cards in cards": (PHPBB, "".join(f'<div id="p{n}" class="post">{TEXT}' for n in range(2_500))),
    "thousands of posts": (UCOZ, "".join(f"<p>№{n}{HOLDER.replace('-7', f'-{n}')}</p>" for n in range(20_000))),
    "a nick without an end": (UCOZ, f'<a href="/index/8-7">{"x " * 100_000}{HOLDER}</a>'),
    "a notice of dashes": (UCOZ, f'{HOLDER}<div class="edited">Сообщение отредактировал {"а - " * 300_000}</div>'),
    "signatures": (PHPBB, f"{HEADED}{TEXT}{'<div class=signature>x</div>' * 60_000}</div>"),
    "nicks in scripts": (UCOZ, ('<a onclick="' + "[b]" * 1_300 + '">x</a>') * 500 + HOLDER),
    "notices in notices": (PHPBB, f'{OLD}{"<span class=gensmall>x" * 3_000}</td></tr></table>'),
    "signs of no tag": (UCOZ, f"<p>{'<' * 1_900_000}</p>{HOLDER}"),
    "a number without an end": (UCOZ, f"<p>#1{' 000' * 400_000}</p>{HOLDER}"),
    "numbers that no row has": (PHPBB, f"{LONG}{TEXT}</div>"),
    "a zone of nowhere": (PHPBB, f"{HEADED}<div class='content'>Часовой пояс: UTC+99:99</div></div>"),
    "a time before all times": (PHPBB, f'{HEADED}<time datetime="0001-01-01T00:00:00+23:00">{TEXT}</div>'),
    "a time after all times": (PHPBB, f'{HEADED}<p class="author">» 31.12.9999, 23:59</p>{TEXT}</div>'),
}


@pytest.mark.parametrize("name", ODD_PAGES)
def test_x06_a_page_out_of_its_form_costs_no_more_and_breaks_nothing(name: str) -> None:
    engine, body = ODD_PAGES[name]
    html = f"<html><body>{body}</body></html>"
    assert calls(lambda: read(engine, html)) < max(len(html), 20_000) * MOST_CALLS


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
