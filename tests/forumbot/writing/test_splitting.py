"""Long posts: cut between paragraphs, every part whole by itself, nothing missing."""

import re

from forumbot.writing.writer import split

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
