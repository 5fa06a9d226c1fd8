"""Words that a host has taught: they explain what they stand for, and make nothing sure that is doubtful for another reason."""

from __future__ import annotations

import pytest

from engine.messages import Verdict
from forumbot.cli.parse import read
from forumbot.reading import Taught, reader
from forumbot.reading.hedges.table import table
from forumbot.reading.text import tokens


def said(text: str, *taught: Taught) -> Verdict:
    """A letter of the doctor of the clans, Вера."""
    line = {"ruleset": "clans", "roster": ["Анна", "Борис", "Вера"], "author": "Вера", "author_role": "doctor", "text": text,
            "channel": "letter", "format": "plain"}  # fmt: skip
    return read(reader(taught=taught), line)


def unexplained(verdict: Verdict) -> list[str]:
    return [verdict.text[span.start : span.end] for span in verdict.unexplained]


@pytest.mark.parametrize(
    ("text", "taught", "by"),
    [
        ("чпокаю Анну", Taught("чпокаю", "form", "heal"), "action:heal"),
        ("ЧПОКАЮ Анну!", Taught("Чпокаю", "form", "heal"), "action:heal"),
        ("лечу Пимпочку", Taught("Пимпочка", "nick", "Анна"), "nick:Анна"),
        ("лечу — ёпрст! — Анну", Taught("ЕПРСТ", "filler"), "taught"),
    ],
)
def test_a_taught_word_explains_itself(text: str, taught: Taught, by: str) -> None:
    verdict = said(text, taught)
    assert verdict.outcome == "accepted"
    assert [(order.action, order.targets) for order in verdict.orders] == [("heal", ("Анна",))]
    assert by in {word.by for word in verdict.explained}


def test_an_unknown_move_word_is_named_though_no_order_was_read_from_it() -> None:
    verdict = said("чпокаю Анну")
    assert verdict.outcome == "review"
    assert unexplained(verdict) == ["чпокаю"]


@pytest.mark.parametrize(
    "text", ["вчера чпокаю Анну", "чпокаю Анну?", "не чпокаю Анну", "чпокаю Анну, если жива", "чпокаю Анну или Бориса"]
)
def test_a_taught_form_is_hedged_like_any_other(text: str) -> None:
    assert said(text, Taught("чпокаю", "form", "heal")).outcome != "accepted"


@pytest.mark.parametrize("row", table(), ids=lambda row: f"{row.reason}: {row.example}")
def test_no_filler_takes_a_doubt_away_that_has_another_reason(row) -> None:
    words = {token.folded for token in tokens(row.example) if token.kind == "w"}
    known = [word for word in words if word not in unexplained(said(row.example))]
    taken = [word for word in known if said(row.example, Taught(word, "filler")).outcome == "accepted"]
    assert not taken


@pytest.mark.parametrize("text", [".. голос", "что?", "а|б", "слово*", "~бить", "# монет", "?", "..", "<b>", "\u2063", "|", "*"])
@pytest.mark.parametrize("kind", ["filler", "form"])
def test_signs_of_a_taught_word_are_no_pattern(text: str, kind: str) -> None:
    taught = Taught(text, kind, "heal" if kind == "form" else "")  # type: ignore[arg-type]
    assert said("лечу Анну", taught).outcome == "accepted"
    assert said("чпокаю Анну", taught).outcome == "review"
