"""The ordered table (``config/reading/hedges.toml``): a row is a reason, a test and a Russian example.

The first reasons are told first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from forumbot import resources
from forumbot.reading.claims import Claim
from forumbot.reading.hedges import afterthoughts, asking, nearness, persons, speech
from forumbot.reading.hedges.scene import Hedge, Scene, Test

TESTS: Mapping[str, Test] = {
    **nearness.TESTS, **asking.TESTS, **speech.TESTS, **persons.TESTS, **afterthoughts.TESTS,
}  # fmt: skip


_WITHOUT_MARKS = frozenset(("asked", "conditional", "second_thought", "led_in"))
"""Tests that find something without a mark, too."""


@cache
def table() -> tuple[Hedge, ...]:
    """The rows in their order. Raises ValueError for a test that nobody wrote."""
    rows = tuple(
        Hedge(**dict[str, Any]((key, tuple(value) if isinstance(value, list) else value) for key, value in row.items()))
        for row in resources.toml("reading/hedges.toml")["hedge"]
    )
    for row in rows:
        if row.test not in TESTS:
            raise ValueError(f"hedges: no test {row.test!r}")
    return rows


def hedge(scene: Scene, claims: Iterable[Claim]) -> None:
    """Put the doubts of the table on the claims."""
    present = {hit.meaning.id for p in scene.parsed for hit in p.clause.kinds("mark")}
    rows = [
        (row, TESTS[row.test])
        for row in table()
        if not row.marks or row.test in _WITHOUT_MARKS or not present.isdisjoint(row.marks)
    ]
    for claim in claims:
        for row, test in rows:
            if test(scene, claim, row):
                effect = row.posts if scene.plain_post and row.posts else row.effect
                if row.votes and scene.sender.spec(claim).talk:
                    effect = row.votes
                if effect == "talk":
                    claim.talk.append(row.reason)
                else:
                    claim.doubt(row.reason)
