"""The quick reading of usual posts gives what the careful reading gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import adapters.phpbb.quick
import adapters.ucoz.quick
from adapters import markup
from adapters.errors import NoThread
from adapters.markup import canonical_runs, highlights, own_text
from adapters.model import Page
from adapters.phpbb.pages import read_thread as read_phpbb
from adapters.ucoz.pages import read_thread as read_ucoz
from adapters.webpage import decode
from tests.bench.read_page import phpbb_page, ucoz_page

NOW = datetime(2026, 3, 6, tzinfo=UTC)
PAGES = Path(__file__).parents[2] / "pages"


def shown(read: Callable[..., Page], html: str) -> Any:
    """What a page gives, with runs as a reader sees them."""
    try:
        page = read(html, fetched=NOW, zone=UTC)
    except NoThread as error:
        return error.reason
    return [(replace(post, runs=(), html=""), own_text(post.runs), highlights(post.runs)) for post in page.posts]


def sources() -> list[tuple[str, str]]:
    made = [("ucoz", ucoz_page(20)), ("phpbb", phpbb_page(20))]
    saved = [
        (folder, decode(page.read_bytes())) for folder in ("ucoz", "phpbb") for page in sorted((PAGES / folder).glob("*.html"))
    ]
    return made + saved


@pytest.mark.parametrize(("engine", "html"), sources())
def test_both_readings_agree(engine: str, html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_ucoz if engine == "ucoz" else read_phpbb
    quickly = shown(read, html)
    monkeypatch.setattr(adapters.ucoz.quick, "read_post", lambda *_: None)
    monkeypatch.setattr(adapters.phpbb.quick, "read_posts", lambda html, nodes, *_: [None] * len(nodes))
    monkeypatch.setattr(markup, "_lines_only", lambda *_: None)
    assert quickly == shown(read, html)


@pytest.mark.parametrize(
    "inner",
    ["", " ", "а", " а<br> б ", "<br><br>а", "а &amp; &lt;б&gt;<br>\n\nв", "&nbsp;а&nbsp;<br>", "а  <br>  б"],
)
def test_plain_lines_are_read_alike(inner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = f'<div class="content">{inner}</div>'
    quickly = own_text(canonical_runs(html))
    monkeypatch.setattr(markup, "_lines_only", lambda *_: None)
    assert quickly == own_text(canonical_runs(html))


@pytest.mark.parametrize(
    "outer",
    [
        '<div class="quote">{}</div>',
        '<span style="color:red">{}</span>',
        "<div>{}</div><!-- -->",
        "<s>{}</s>",
        '<div hidden="">{}</div>',
    ],
)
def test_plain_lines_in_a_telling_element_are_read_with_care(outer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    html = outer.format("а<br>б")
    quickly = canonical_runs(html)
    monkeypatch.setattr(markup, "_lines_only", lambda *_: None)
    assert quickly == canonical_runs(html)
