"""The agreed corpora, the first with other nicks too, and the project's own lines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from tests.forumbot.reading.corpus import AGREED, OWN, SECOND, answer, exchanged, lines, score
from tests.unmet import held


def _told(line: Mapping[str, Any]) -> str:
    verdict = answer(line)
    orders = [(o.action, o.targets, dict(o.args), o.status, o.reason) for o in verdict.orders]
    return f"{line['id']}: {line['text']!r}: want {line['expect']}, got {verdict.outcome} {orders}"


def _wrong(checked: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[str], int]:
    """(lines that are not exact, lines with a silent wrong, how many there were)."""
    inexact: list[str] = []
    silent: list[str] = []
    total = 0
    for line in checked:
        total += 1
        exact, wrong = score(line, answer(line))
        if not exact:
            inexact.append(_told(line))
        if wrong:
            silent.append(_told(line))
    return inexact, silent, total


@pytest.mark.parametrize("path", sorted(AGREED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_agreed_corpus_is_read_without_a_silent_wrong(path):
    inexact, silent, total = _wrong(lines(path))
    assert not silent
    assert len(inexact) <= total * 0.03, inexact


def test_corpus_with_other_nicks_is_read_as_well():
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for shift in (0, 11):
        for line in exchanged(shift):
            by_kind[f"{line['ruleset']} {line['kind']}"].append(line)
    assert sum(map(len, by_kind.values())) > 600
    for kind, checked in by_kind.items():
        inexact, silent, total = _wrong(checked)
        assert not silent, kind
        assert len(inexact) <= total * 0.05, (kind, inexact)


def _said_so(line: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The line with its words (of a post: the coloured ones) changed."""
    text = line["text"]
    colored = re.search(r"(\[color=[^\]]*\])(.*?)(\[/color\])", text)
    if colored is None or line["channel"] != "post":
        return {**line, "text": change(text)}
    return {**line, "text": text[: colored.start(2)] + change(colored[2]) + text[colored.end(2) :]}


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


DOUBTS: dict[str, Callable[[str], str]] = {
    "condition": lambda text: f"Если ведущий разрешит, {_lower(text)}",
    "supposition": lambda text: f"Наверное, {_lower(text)}",
    "joke": lambda text: f"{text} Шучу!",
    "somebody's words": lambda text: f"Сосед писал: «{text}»",
    "choice": lambda text: f"{text.rstrip('.! ')} или кто-нибудь другой",
    "irony": lambda text: f"Ага, щас, {_lower(text)}",
    "what if": lambda text: f"А вдруг {_lower(text.rstrip('.! '))}?",
    "second thought": lambda text: f"{text.rstrip('.! ')}. Хотя нет, не надо.",
}
PLAIN = [
    line
    for line in lines()
    if line["expect"]["outcome"] == "accepted"
    and line["kind"] in ("vote", "letter")
    and line["format"] != "html"
    and not line["subject"]
    and line["text"]
    and len(re.findall(r"[.!?;…](?!\d)|\n|:\w+:", line["text"].rstrip(".! )"))) == 0
]
"""Clear lines of one sentence."""


@pytest.mark.parametrize("doubt", DOUBTS)
def test_doubt_put_on_a_clear_line_is_never_taken(doubt):
    assert len(PLAIN) > 150
    taken = [line for line in PLAIN if answer(_said_so(line, DOUBTS[doubt])).outcome == "accepted"]
    assert not [f"{line['id']}: {_said_so(line, DOUBTS[doubt])['text']!r}" for line in taken]


@pytest.mark.parametrize("line", [held("corpus2", line["id"], line) for line in lines(*sorted(SECOND.glob("*.jsonl")))])
def test_line_of_the_second_corpus(line):
    exact, _ = score(line, answer(line))
    assert exact, _told(line)


@pytest.mark.parametrize("line", [held("own", line["id"], line) for line in lines(OWN)])
def test_own_line(line):
    exact, _ = score(line, answer(line))
    assert exact, _told(line)
