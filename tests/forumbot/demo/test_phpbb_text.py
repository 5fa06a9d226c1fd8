"""What the embedded phpBB board makes of texts, moments and nicks, asked without a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from forumbot.demo.forum.phpbb_bbcode import Look, to_html
from forumbot.demo.forum.phpbb_words import fold_nick, php_date

START = datetime(2026, 3, 14, 17, 0, 7, tzinfo=UTC)


@pytest.mark.parametrize(("text", "html"), [
    ("[color=RED]x[/color]", '<span style="color:RED">x</span>'),
    ("[color= \"#F00\" ]x[/color]", '<span style="color:#F00">x</span>'),
    ("[color=rеd]x[/color]", "[color=rеd]x[/color]"),
    ("[color=red][color=blue]a[/color] b[/color]", '<span style="color:red"><span style="color:blue">a</span> b</span>'),
    ("[b]a[i]b[/b]c[/i]", '<strong class="text-strong">a<em class="text-italics">b</em></strong><em class="text-italics">c</em>'),
    ("[color=red]a[quote]b[/quote]",
     '<span style="color:red">a</span><blockquote class="uncited"><div><span style="color:red">b</span></div></blockquote>'),
    ("[color=red]не закрыл", '<span style="color:red">не закрыл</span>'),
    ("a\n<b>", "a<br>\n&lt;b&gt;"),
    ("лишний[/b] [graytable]x", "лишний[/b] [graytable]x"),
])
def test_bbcode_of_the_new_line(text: str, html: str) -> None:
    assert to_html(text, Look("3.3", str)) == html


def test_quotations_deeper_than_three_lose_their_text_and_code_keeps_its_tags() -> None:
    html = to_html("[quote][quote][quote][quote]на дне[/quote]c[/quote]b[/quote]a[/quote]!", Look("3.3", str))
    assert "на дне" not in html and html.count("<blockquote") == 3 and html.endswith("a</div></blockquote>!")
    assert "<code>[b]x[/b]</code>" in to_html("[code][b]x[/b][/code]", Look("3.3", str))


@pytest.mark.parametrize("version", ["3.3", "3.0"])
def test_the_owners_own_tags(version: str) -> None:
    look = Look(version, str, custom={"vote": ('<span class="vote-red">', "</span>")})  # type: ignore[arg-type]
    assert to_html("[vote]Борис[/vote]", look) == '<span class="vote-red">Борис</span>'


def test_old_line_leaves_a_colour_in_a_colour_as_typed() -> None:
    html = to_html("[color=red][color=blue]a[/color] b[/color]", Look("3.0", str))
    assert html == '<span style="color: red">[color=blue]a</span> b[/color]'


@pytest.mark.parametrize(("shape", "language", "minutes", "printed"), [
    ("D M d, Y g:i a", "ru", 90, "Сб мар 14, 2026 8:00 pm"), ("d M Y, H:i", "ru", 90, "14 мар 2026, 20:00"),
    ("F d, Y, g:i a", "ru", 90, "Март 14, 2026, 8:00 pm"), ("d.m.Y H:i:s", "ru", 90, "14.03.2026 20:00:07"),
    ("|d M Y|, H:i", "ru", 0, "менее минуты назад"), ("|d M Y|, H:i", "ru", 60, "60 минут назад"),
    ("|d M Y|, H:i", "ru", 61, "Сегодня, 20:00"), ("|d M Y|, H:i", "ru", 1000, "Вчера, 20:00"),
    ("|d M Y|, H:i", "en", 1, "1 minute ago"), ("|d M Y|, H:i", "en", 61, "Today, 20:00"),
])
def test_printed_dates(shape: str, language: str, minutes: int, printed: str) -> None:
    assert php_date(START, shape, "Europe/Moscow", language, START + timedelta(minutes=minutes)) == printed  # type: ignore[arg-type]


def test_nicks_fold_look_alikes_and_keep_yo() -> None:
    assert fold_nick(" Пушoк ") == fold_nick("ПУШОК") and fold_nick("Алёна") != fold_nick("Алена")
