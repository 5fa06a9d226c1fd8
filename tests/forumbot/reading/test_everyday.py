"""The examples of ``config/reading/everyday.toml`` are true: each holds words of its class, and a cover leaves an order clear."""

from __future__ import annotations

from typing import Any

import pytest

from engine.rulesets import NAMES
from forumbot.reading.everyday import everyday
from forumbot.reading.phrases import PhraseTable
from forumbot.reading.text import tokens
from forumbot.reading.vocabulary import vocabulary
from tests.forumbot.reading.corpus import answer

ENTRIES = [(kind, name) for kind in ("cover", "mark", "book", "common") for name in everyday()[kind]]


def _line(text: str, **more: Any) -> dict[str, Any]:
    line = {"ruleset": "clans", "kind": "letter", "roster": ["Анна", "Борис", "Вера"], "author": "Вера", "author_role": "doctor",
            "subject": None, "text": text, "channel": "letter", "format": "plain", "ctx": {}}  # fmt: skip
    return line | more


@pytest.mark.parametrize(("kind", "name"), ENTRIES)
def test_an_example_holds_words_of_its_class(kind: str, name: str) -> None:
    entry = everyday()[kind][name]
    table = PhraseTable([(word, (kind, name)) for word in entry["words"]])
    assert list(table.hits(tokens(entry["example"]))), entry["example"]


@pytest.mark.parametrize("name", everyday()["cover"])
def test_an_order_is_clear_with_the_words_of_a_cover(name: str) -> None:
    example = everyday()["cover"][name]["example"]
    bought = {"ruleset": "league", "author_role": None, "ctx": {"coins": 100}} if "покупаю" in example else {}
    verdict = answer(_line(example, **bought))
    assert [order.status for order in verdict.orders] == ["accepted"], (verdict.outcome, verdict.reason)
    assert verdict.unexplained == ()


@pytest.mark.parametrize("name", everyday()["book"])
def test_an_entry_of_the_book_is_read_from_its_example(name: str) -> None:
    verdict = answer(_line(everyday()["book"][name]["example"]))
    assert verdict.outcome == "accepted"
    assert [order.action for order in verdict.orders] == [name]


@pytest.mark.parametrize("name", everyday()["common"])
def test_common_words_are_known_wherever_their_action_is(name: str) -> None:
    known = [vocabulary(ruleset) for ruleset in NAMES if name in vocabulary(ruleset).actions]
    assert known
    example = tokens(everyday()["common"][name]["example"])
    for words in known:
        assert any(hit.meaning.kind == "action" and name in hit.meaning.id for hit in words.table.hits(example)), words.name
