"""Words of somebody else inside our mark-up: on neither engine's board do they become a tag, a link, a picture or a sign."""

from __future__ import annotations

import re
from functools import partial

import pytest

from adapters.inert import inert
from adapters.markup import bbcode_runs
from forumbot.demo.forum import phpbb_bbcode, ucoz_bbcode
from forumbot.reading.text import nick_key
from tests.work import calls

LIVE = (
    "[b]жирно[/b]", "[color=red]Виновен Анна[/color]", "[/quote][color=red]конец рамки[/color]", "[url=http://evil.example]да[/url]",
    "[img]http://evil.example/x.png[/img]", "[hr]", "[*]", "[spoiler=x]y[/spoiler]", "[hide]x[/hide]", "[/b]", "[",
    "[quote=Ведущий;7]", "http://evil.example/x", "HTTPS://EVIL.EXAMPLE", "(http://evil.example)", "ftp://x.example", "steam://run/1",
    "www.evil.example", "пишите на me@evil.example", "mailto:me@evil.example", ":)", "привет :)", ":D", ";)", ":p", "B)", "8-)",
    ":lol:", ":lol:)", "::)", "=))", ":-(", "%)", "(y)", "*CRAZY*", "^_^", "o_O", "&#91;b&#93;x&#91;/b&#93;", "&lt;b&gt;",
    "&quot;", "<b>x</b>", "<script>alert(1)</script>", "\u202eправо налево", "[\u200bb]x[\u200b/b]", "[\u2060b]x[/\u2060b]",
    "a_@evil.example", "a-@b.example", "почта a@b", "яa.b+@b", "яwww.evil.example", ":!:", ":?:", "&lt", "&copy2", "x&amp",
    "[\u206ab]x[\u206a/b]", "[\U000e0100b]x", "ht\u200btp://x.example", "[\x00b]", "[\u200db]", ":\u200b)",
)  # fmt: skip
HARMLESS = (
    "Анна", "Кот-ученый", "[Кот]", "=AFK=", "а) б) в)", "счёт 3:0", "в 19:05", "Вася_2000", "Ёж", "x2", "М&М", "🐺",
    "Жан-Жак (мл.)",
)  # fmt: skip
BOARDS = {
    "ucoz": lambda text: ucoz_bbcode.to_html(text, lambda _: None),
    "ucoz with fonts": lambda text: ucoz_bbcode.to_html(text, lambda _: None, ucoz_bbcode.Look(font=True, go=True)),
    "phpbb": lambda text: phpbb_bbcode.to_html(text, phpbb_bbcode.Look("3.3", lambda _: "")),
    "phpbb 3.0": lambda text: phpbb_bbcode.to_html(text, phpbb_bbcode.Look("3.0", lambda _: "")),
}
PLAIN_TAGS = re.compile(r"<br ?/?>\n?|<img alt=\"[^\"]*\" class=\"emoji smilies\"[^>]*>")
"""Line ends, and phpBB's pictures of emoji, which stand for the very sign."""


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("text", LIVE)
def test_x05_nothing_of_theirs_comes_to_life(text: str, board: str) -> None:
    for around in ("%s", "слово %s слово", "[b]%s[/b]", "\n%s\n", "Живые: %s, [маф]"):
        assert tags(BOARDS[board](around % inert(text))) == tags(BOARDS[board](around % "Никто"))


def tags(html: str) -> list[str]:
    return re.findall(r"<[^>]*>", PLAIN_TAGS.sub("", html))


@pytest.mark.parametrize("text", LIVE)
def test_x05_it_stays_readable_and_is_made_harmless_once_for_all(text: str) -> None:
    made = inert(text)
    assert inert(made) == made
    seen = [char for char in text if char.isalnum() or char in "[]&<>:)("]
    assert [char for char in made if char.isalnum() or char in "[]&<>:)("] == seen


UNSEEN = ("\u3164", "\uffa0", "\u2800", "\u115f", "\u206e", "\u2065", "\U000e0020", "\U000e0100", "\u180f", "\u0600")


@pytest.mark.parametrize("sign", UNSEEN)
def test_x05_what_cannot_be_seen_is_taken_out(sign: str) -> None:
    assert inert(f"а{sign * 3}б") == "аб"


@pytest.mark.parametrize("mark", ["\u0301", "\u0323", "\u0489", "\u20dd", "\u0e47", "\u1ab0", "\ufe20", "\u0f71"])
def test_x05_no_heap_of_marks_covers_the_lines_around(mark: str) -> None:
    made = inert("ы" + mark * 400 + " слово")
    assert len(made) < 12 and made.endswith(" слово")
    assert inert("й ё Рамо\u0301н café") == "й ё Рамо\u0301н café"


ENGINES_OWN = {
    "mail, phpBB 3.2": (rb"\b[-a-z0-9_+.]+@[-a-z0-9.]*[a-z0-9]", ("a_@b.example", "a-@b", "почта:a.@b", "яa+@b.example")),
    "address, by bytes": (rb"\bwww\.", ("www.b.example", "яwww.b.example", "-www.b.example")),
    "smileys, phpBB": (rb"(?<!\S)(?::[!?]:|8-\)|:-?[DPxX|])(?!\S)", (":!:", ":?:", "8-)", ":D", ":x", ":-|")),
    "references": (rb"&(?:amp|lt|gt|quot|copy|#\d+|#x[0-9a-f]+)", ("&lt", "&copy2", "&#91", "&#x5b;", "&AMP")),
}
"""What engines look for, where the boards of the demo do not."""


@pytest.mark.parametrize("name", ENGINES_OWN)
def test_x05_no_engine_finds_what_it_would_bring_to_life(name: str) -> None:
    pattern, texts = ENGINES_OWN[name]
    for text in texts:
        assert re.search(pattern, text.encode(), re.IGNORECASE), text
        assert not re.search(pattern, inert(text).encode(), re.IGNORECASE), text


@pytest.mark.parametrize("text", HARMLESS)
def test_x05_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize("nick", [*LIVE, *HARMLESS])
def test_x05_a_nick_copied_from_a_roster_is_still_that_nick(nick: str) -> None:
    assert [run.text for run in bbcode_runs(inert(nick))] == [inert(nick)]
    if any(char.isalnum() for char in nick):
        assert nick_key(inert(nick)) == nick_key(nick)


@pytest.mark.parametrize("piece", ["[", ":", "&", "@", "(a", "[b]", ":)", "a@b.c", "http://", ":a", "*a", "www."])
def test_x01_making_harmless_takes_work_by_length_alone(piece: str) -> None:
    few, many = (calls(partial(inert, piece * times)) for times in (1_000, 10_000))
    assert many < 10 * few + 1_000
    assert len(inert(piece * 10_000)) < 12 * len(piece) * 10_000
