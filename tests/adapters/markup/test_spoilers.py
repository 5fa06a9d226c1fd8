"""Whose words stand behind a button, in a quotation's clothes, or where nobody sees them."""

from __future__ import annotations

from datetime import UTC, datetime
from types import ModuleType
from zoneinfo import ZoneInfo

import pytest

import adapters.phpbb.layout
import adapters.phpbb.pages
import adapters.ucoz.layout
import adapters.ucoz.pages
from adapters.markup import has_hidden_words, highlights, html_runs, own_text
from adapters.model import Post

VOTE = '<span style="color:#FF0000">Виновен Борис</span>'
HEAD = '<div class="quotetitle"><b>Спойлер:</b> <input type="button" value="Показать" onclick="x()"></div>'
BUTTON = '<input class="button2" type="button" value="Показать" onclick="this.parentNode">'
SPOILERS = {
    "phpBB's old add-on": f'{HEAD}<div class="quotecontent"><div style="display: none;">{VOTE}</div></div>',
    "without a button": f'<div class="quotetitle">Скрытый текст</div><div class="quotecontent">{VOTE}</div>',
    "a link for a button": '<div class="quotetitle"><a href="#" onclick="t(this)">Показать</a></div>'
    f'<div class="quotecontent" style="display:none">{VOTE}</div>',
    "a plain box": f'<div><b>Spoiler:</b> {BUTTON}</div><div class="alt2"><div style="display: none;">{VOTE}</div></div>',
    "a button element": f'<div><button type="button">+</button><div hidden>{VOTE}</div></div>',
    "a script link": f'<a href="javascript:void(0)">ещё</a><span style="visibility:hidden">{VOTE}</span>',
    "a label": f'<label for="x">ещё</label><div style="display:none">{VOTE}</div>',
    "details": f"<details><summary>ещё</summary>{VOTE}</details>",
    "a code's class, too": f'<div class="bbCodeSpoiler"><button type="button">Spoiler</button>'
    f'<div class="bbCodeBlock bbCodeBlock--spoiler">{VOTE}</div></div>',
    "a code's clothes": '<dl class="codebox"><dt>Скрытый текст: <a href="#" onclick="x()">Показать</a></dt>'
    f'<dd style="display:none">{VOTE}</dd></dl>',
    "by its class": f'<div class="sp-spoiler"><div style="display:none">{VOTE}</div></div>',
}  # fmt: skip


@pytest.mark.parametrize("html", SPOILERS.values(), ids=SPOILERS.keys())
def test_a01_words_behind_something_to_press_are_the_authors(html: str) -> None:
    runs = html_runs(html)
    assert [(color, text) for color, _, text in highlights(runs)] == [("red", "Виновен Борис")]
    assert all(run.spoiler for run in runs if run.color == "red")
    assert not has_hidden_words(runs)


@pytest.mark.parametrize(
    "html",
    [
        f'<div class="quotetitle">Анна писал(а):</div><div class="quotecontent">{VOTE}</div>',
        f'{HEAD}<div class="quotecontent">тут</div><div class="quotetitle">Вера:</div><div class="quotecontent">{VOTE}</div>',
        f"<blockquote>{SPOILERS['phpBB' + chr(39) + 's old add-on']}</blockquote>",
        f'<div class="smallfont">Цитата:</div><table><tr><td class="alt2"><b>Анна</b><div>{VOTE}</div></td></tr></table>',
        f'<div class="cit"><b>Анна писал(а):</b><div class="cit-body">{VOTE}</div></div>',
        f'<p>Цитата (Анна)</p><div>{VOTE}</div>',
        f'<dl class="codebox"><dt>Код: <a onclick="x()">Показать</a></dt><dd style="display:none"><code>{VOTE}</code></dd></dl>',
    ],
)
def test_a01_quotations_stay_quotations(html: str) -> None:
    assert highlights(html_runs(html)) == ()


@pytest.mark.parametrize("html", [f'Анна, ты что?<div align="center">{VOTE}</div>', f"<p>Цитата дня</p><div>{VOTE}</div>",
                                  f"Анна писала:<div>{VOTE}</div>", f"<div>Цитата:</div> вот она<div>{VOTE}</div>"])  # fmt: skip
def test_a01_own_words_in_a_box_stay_own(html: str) -> None:
    assert [text for *_, text in highlights(html_runs(html))] == ["Виновен Борис"]


@pytest.mark.parametrize(
    "style",
    ["display:none", "visibility: hidden", "font-size:0", "opacity:0", "color:red;display:none", "position:absolute;left:-9999px",
     "height:0;overflow:hidden"],
)  # fmt: skip
def test_a01_words_that_nobody_can_see_are_no_words_and_are_told(style: str) -> None:
    runs = html_runs(f'видно <span style="{style}">{VOTE}</span>')
    assert highlights(runs) == () and own_text(runs) == "видно"
    assert has_hidden_words(runs)
    assert not has_hidden_words(html_runs('<div style="display:none"> </div>видно'))


def one(engine: ModuleType, body: str, **layout: str) -> Post:
    pages = {
        "ucoz": '<html><body><table><tr id="post7"><td><a class="postUser">А</a><a class="postNumberLink" '
        'href="/forum/1-2-1-16-1764600000">1</a></td><td><span class="ucoz-forum-post" id="ucoz-forum-post-7">%s</span></td>'
        "</tr></table></body></html>",
        "phpbb": '<html><body><div id="p7" class="post"><dl class="postprofile" id="profile7"><dt><a class="username" '
        'href="./memberlist.php?mode=viewprofile&amp;u=6">А</a></dt></dl><div class="postbody"><div id="post_content7">'
        '<p class="author"><time datetime="2026-11-29T20:35:09+00:00">x</time></p><div class="content">%s</div></div></div></div>'
        "</body></html>",
    }
    at, zone = datetime(2026, 12, 1, tzinfo=UTC), ZoneInfo("Europe/Moscow")
    name = engine.__name__.split(".")[1]
    return engine.read_thread(pages[name].replace("%s", body), fetched=at, zone=zone, overrides=layout).posts[0]  # type: ignore[no-any-return]


@pytest.mark.parametrize("engine", [adapters.ucoz.pages, adapters.phpbb.pages])
def test_a01_a_post_with_hidden_words_is_marked_for_review(engine: ModuleType) -> None:
    assert "hidden_text" in one(engine, f'<div style="display:none">{VOTE}</div>').problems
    assert "hidden_text" not in one(engine, SPOILERS["phpBB's old add-on"]).problems


@pytest.mark.parametrize("engine", [adapters.ucoz.pages, adapters.phpbb.pages])
def test_a01_classes_of_an_add_on_are_set_by_the_host(engine: ModuleType) -> None:
    body = f'<div class="my-quoted-box">{VOTE}</div>'
    assert highlights(one(engine, body).runs) == ()
    told = one(engine, body, spoiler_classes="my-quoted-box")
    assert [text for *_, text in highlights(told.runs)] == ["Виновен Борис"]
    assert highlights(one(engine, f'<div class="said">{VOTE}</div>', quote_classes="said").runs) == ()
    assert "hidden_text" in one(engine, f'<p class="gone">{VOTE}</p>', unseen_classes="gone").problems


@pytest.mark.parametrize("engine", [adapters.ucoz.pages, adapters.phpbb.pages])
def test_a01_what_is_stored_of_a_post_says_the_same_without_the_hosts_settings(engine: ModuleType) -> None:
    body = '<b class="my-red">Виновен</b> <i class="my-red">Борис</i><div class="my-quoted-box">сам</div><i class="gone">нет</i>'
    layout = {"red_classes": "my-red", "spoiler_classes": "my-quoted-box", "unseen_classes": "gone"}
    post = one(engine, body, **layout)
    again = html_runs(post.html)
    assert [(color, text) for color, _, text in highlights(again)] == [(color, text) for color, _, text in highlights(post.runs)]
    assert own_text(again) == own_text(post.runs) == "Виновен Борис\nсам"


def test_a10_cells_of_a_table_are_words_apart() -> None:
    assert own_text(html_runs("<table><tr><td>Виновен</td><td>Борис</td></tr><tr><td>и</td></tr></table>")) == "Виновен Борис\nи"
