"""Long posts: cut between paragraphs, every part whole by itself, nothing missing."""

import re

import pytest

from forumbot.writing.splitting import split

LIMIT = 900


def opened(text: str) -> list[str]:
    """Tags that are open at the end of a text."""
    stack: list[str] = []
    for closing, name in re.findall(r"\[(/?)(\w+)(?:=[^\]]*)?\]", text):
        if closing:
            assert stack
            assert stack.pop() == name
        else:
            stack.append(name)
    return stack


def test_a_long_newspaper_is_cut_between_paragraphs_and_loses_nothing() -> None:
    """T51: forty players, fifteen deaths, more than the engine's limit; the whole stands in one block."""
    paragraphs = [f"[b]Игрок{number:02}[/b] погиб: слово за слово, и вот он уже лежит у стены." for number in range(15)]
    paragraphs += [f"{number:02}. Живой{number:02} спал спокойно" for number in range(25)]
    text = "[spoiler=Газета][color=red]" + "\n\n".join(paragraphs) + "[/color][/spoiler]"
    parts = split(text, LIMIT)
    assert len(parts) > 2
    assert all(len(part) <= LIMIT for part in parts)
    assert all(opened(part) == [] for part in parts)
    joined = "\n\n".join(parts)
    found = [joined.index(paragraph) for paragraph in paragraphs]
    assert found == sorted(found)
    assert all(joined.count(paragraph) == 1 for paragraph in paragraphs)


HOSTILE = {
    "an empty bracket": "[ ]" + "я" * 18_000,
    "tags without an end": "[b]" * 5_000,
    "long tags without an end": "[color=" + "z" * 60 + "]" + "слово " * 4_000,
    "ends without a beginning": "[/b]" * 5_000,
    "escaped tags": "[\xa0b]" * 60,
    "an escaped nick": "[\xa0=AFK=]Вера " * 900,
    "brackets": "[" * 18_000,
    "a tag that never ends": "[b" * 9_000,
    "blanks": "x" + " \n" * 9_000 + "y",
    "lines": "я\n" * 9_000,
    "no blank at all": "я" * 18_000,
    "tags in tags": "[quote][b][i]" * 2_000 + "конец" + "[/i][/b][/quote]" * 2_000,
    "a tag of blanks": "[ b]" * 3_000 + "[b ]" * 3_000,
}


@pytest.mark.parametrize("limit", [200, 201, 900, 60_000])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_x01_every_text_is_split_to_its_end_and_no_word_is_lost(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(0 < len(part) <= limit for part in parts)
    assert len(parts) <= 20 * (1 + len(text) // limit), "a part that takes almost nothing is no progress"
    assert words_of("\n".join(parts)) == words_of(text)


@pytest.mark.parametrize("text", ["[\xa0b]" * 60 + "x" * 300, "[ b]" * 200, "[" * 400])
def test_x01_an_escaped_bracket_is_no_tag_and_opens_nothing_in_the_next_part(text: str) -> None:
    assert "".join("".join(split(text, 200)).split()) == "".join(text.split())


def test_x01_a_limit_too_small_for_any_text_is_refused() -> None:
    with pytest.raises(ValueError, match="200"):
        split("слово", 199)


def words_of(text: str) -> str:
    """What a reader sees: no tags of ours, no blanks."""
    return "".join(re.sub(r"\[/?(?:b|i|u|s|color|size|quote|spoiler|list|code)(?:=[^\[\]\n]{0,60})?\]", "", text).split())
