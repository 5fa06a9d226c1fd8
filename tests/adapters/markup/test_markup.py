"""HTML and BBCode to runs: what a reader sees, and whose words they are."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.colors import NAMES
from adapters.markup import bbcode_runs, color_of, highlights, html_runs, own_text, plain_runs
from adapters.model import Run


def bb(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    runs = bbcode_runs(text)
    return tuple((color, words) for color, _, words in highlights(runs)), own_text(runs)


def ht(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    runs = html_runs(text)
    return tuple((color, words) for color, _, words in highlights(runs)), own_text(runs)


@pytest.mark.parametrize(
    ("text", "marks", "own"),
    [
        ("[color=red]Виновен Борис[/color], да", (("red", "Виновен Борис"),), "Виновен Борис, да"),
        ('[COLOR="#F00"]а[/COLOR]', (("red", "а"),), "а"),
        ("[color=red]а [color=blue]б[/color] в[/color]", (("red", "а"), ("blue", "б"), ("red", "в")), "а б в"),
        ("[color=red]Вино[/color][color=red]вен [b]Бор[/b]ис[/color]", (("red", "Виновен Борис"),), "Виновен Борис"),
        ("[color=red]а[/color]\n[color=red]б[/color]", (("red", "а"), ("red", "б")), "а\nб"),
        ("[color=red]а[/color] [color=red]б[/color]", (("red", "а б"),), "а б"),
        ("[color=red] [/color]", (), ""),
        ("[color=krasny]а[/color]", (), "а"),
        ("[quote=Борис][quote=Вера]да[/quote][color=red]Виновен Анна[/color][/quote] не согласен", (), "не согласен"),
        ('[quote="Кот [Ко]"]а[/quote]б', (), "б"),
        ("[quote=Анна;48101]а[/quote]б[quote]в[/quote]г", (), "б\nг"),
        ("[quote=Ник post_id=7 time=1 user_id=2]а[/quote]б", (), "б"),
        ("[quote=Анна]незакрыто [color=red]Вера[/color]", (), ""),
        ("а[/quote][color=red]б[/color]", (("red", "б"),), "а[/quote]б"),
        ("[quote][color=red]а[/quote]б[/color]", (), "б[/color]"),
        ("[color=red]а[quote]б[/quote]в[/color]", (("red", "а"), ("red", "в")), "а\nв"),
        ("[code][color=red]Виновен Анна[/color][/code]", (), "[color=red]Виновен Анна[/color]"),
        ("[code]незакрыто [color=red]а[/color]", (), "незакрыто [color=red]а[/color]"),
        ("[color=red]Виновен Анна[/color - забыл", (), "[color=red]Виновен Анна[/color - забыл"),
        ("[color=red]незакрыто", (), "[color=red]незакрыто"),
        ("[b][color=red]а[/b]б[/color]", (("red", "аб"),), "аб"),
        ("[spoiler=Тайна][color=red]а[/color][/spoiler]", (("red", "а"),), "а"),
        ("[url=http://x.ru]Борис[/url] [img]http://x.ru/a.png[/img]", (), "Борис"),
        ("[graytable]а[/graytable] [1] [quoted]", (), "[graytable]а[/graytable] [1] [quoted]"),
        ("[list][*]а[*]б[/list]в", (), "а\nб\nв"),
    ],
)
def test_bbcode(text: str, marks: tuple[tuple[str, str], ...], own: str) -> None:
    assert bb(text) == (marks, own)


def test_struck_spoiler_and_voice_stand_in_the_runs() -> None:
    assert bbcode_runs("[s]а[/s][spoiler]б[/spoiler][quote]в[/quote]") == (
        Run("а", struck=True),
        Run("б", spoiler=True),
        Run("\nв", voice="quote"),
        Run("\n"),
    )
    assert html_runs("<s>а</s><del>б</del><span style='text-decoration:line-through'>в</span>г") == (
        Run("абв", struck=True),
        Run("г"),
    )


@pytest.mark.parametrize(
    ("html", "marks", "own"),
    [
        ("<b>a<span style='color:red'>b</b>c</span> d", (("red", "b"),), "abc d"),
        ("<b>a<font color=red>b</b>c</font> d", (("red", "bc"),), "abc d"),
        ("<FONT COLOR='#0000FF'>а</FONT>", (("blue", "а"),), "а"),
        ("<span style='COLOR: RGB(255, 0, 0) !important'>а</span>", (("red", "а"),), "а"),
        ("<span style='background-color:red;border-color:red'>а</span>", (), "а"),
        ("<span style='color:nonsense'>а</span>", (), "а"),
        ("<font color=red><span style='color:inherit'>а</span></font>", (("red", "а"),), "а"),
        ("а<blockquote>б<font color=red>в</font></blockquote>г", (), "а\nг"),
        ("а<br>б<p>в</p>г<div>д<div>е</div></div>", (), "а\nб\nв\nг\nд\nе"),
        ("<div>один<table><tr><td>два</td><td>три</td></tr><tr><td>четыре</td></tr></table></div>", (), "один\nдва три\nчетыре"),
        ("а <script>б('</div>')</script><style>в</style><!-- г > --><input value=д><button>е</button>", (), "а"),
        ("<div style='display: none'>а</div>б<span hidden>в</span>", (), "б"),
        ("<pre>а\n  б</pre>", (), "а\nб"),
        ("Кот&nbsp;&amp;&nbsp;Ко &lt;b&gt;", (), "Кот & Ко <b>"),
        ("<img alt='Ух ты' src=x><img alt='🐺' src=x><img class='emoji' alt='☺'>", (), "🐺☺"),
        ("просто & <", (), "просто & <"),
    ],
)
def test_html(html: str, marks: tuple[tuple[str, str], ...], own: str) -> None:
    assert ht(html) == (marks, own)


def test_plain_text_keeps_its_brackets_and_line_ends() -> None:
    assert plain_runs("а\r\n[b]б[/b]\rв") == (Run("а\n[b]б[/b]\nв"),)
    assert plain_runs("") == ()


REDS = "red #f00 #FF0000 DarkRed crimson firebrick maroon #cc0000 #980000 #e06666 #900000 #660000 rgb(255,0,0) rgb(80%,0%,0%) hsl(0,100%,50%)"
BLUES = "blue #00f #0000FF navy mediumblue royalblue dodgerblue #0b5394 #1155cc #3c78d8 #1e84cc MidnightBlue rgb(0,0,255)"
OTHERS = (
    "orange #ffa500 yellow green gray silver black white pink hotpink purple violet indigo teal cyan slategray lightblue #f4cccc"
)


@pytest.mark.parametrize(
    ("kind", "value"), [(kind, v) for kind, row in (("red", REDS), ("blue", BLUES), ("other", OTHERS)) for v in row.split()]
)
def test_colours_by_hue(kind: str, value: str) -> None:
    found = color_of(value)
    assert found is not None
    assert found[0] == kind


@pytest.mark.parametrize("value", ["", "rеd", "красный", "#ff", "#ggg", "inherit", "rgb(1,2)", "url(x)"])
def test_what_is_no_colour(value: str) -> None:
    assert color_of(value) is None


def test_every_css_name_is_known() -> None:
    assert len(NAMES) >= 140
    assert all(color_of(name.upper()) == color_of(f"#{digits}") for name, digits in NAMES.items())


def test_font_takes_what_a_browser_takes_as_a_colour() -> None:
    assert ht("<font color='ff0000'>а</font>")[0] == (("red", "а"),)
    assert ht("<font color='0000ff'>а</font>")[0] == (("blue", "а"),)


@pytest.mark.parametrize(
    "text",
    [
        "[quote]" * 10_000 + "х" + "[/quote]" * 10_000,
        "[code]" * 50_000,
        "[color=red]а" * 40_000,
        "[" * 500_000,
        "[quote=" * 60_000,
    ],
    ids=["nested", "code", "colour", "brackets", "heads"],
)
def test_hostile_bbcode_is_read(text: str) -> None:
    assert sum(len(run.text) for run in bbcode_runs(text)) <= len(text) * 2


@pytest.mark.parametrize(
    "html",
    ["<div>" * 100_000 + "х", "<blockquote>" * 60_000 + "х", "<p><font color=red>х" * 20_000, "<" * 300_000, "<!--" * 100_000, "<b>" * 100_000 + "х"],
    ids=["divs", "quotes", "fonts", "angles", "comments", "bold"],
)  # fmt: skip
def test_hostile_html_is_read(html: str) -> None:
    assert sum(len(run.text) for run in html_runs(html)) <= len(html) * 2


def test_quotation_below_the_deepest_nesting_stays_a_quotation() -> None:
    html = "<div><blockquote>" * 15_000 + "<font color=red>Виновен</font>" + "</blockquote></div>" * 15_000 + "сам"
    assert ht(html) == ((), "сам")


@settings(max_examples=150, deadline=None, database=None)
@given(st.lists(st.sampled_from(["а", " ", "\n", "<", "[", "]", "[quote]", "[/quote]", "[color=red]", "[/color]", "[code]", "[/code]", "<b>", "</b>", "<font color=red>", "</font>", "<blockquote>", "</blockquote>", "<script>", "<!--", "&amp;"]), max_size=40).map("".join))  # fmt: skip
def test_any_mixture_is_read_without_empty_runs(text: str) -> None:
    for runs in (bbcode_runs(text), html_runs(text)):
        assert all(run.text for run in runs)
