"""Blind rounds: lines of people who had not seen the reader. First-run figures stand in docs/reading.md; here none gets worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forumbot.reading.corpus import answer, lines, score

BLIND = Path(__file__).parent / "blind"
KEPT = {
    "round1": (506, 3),
    "round2": (458, 7),
    "round3": (515, 0),
    "round4": (488, 0),
    "round5": (453, 0),
    "round6": (506, 0),
    "round7": (547, 1),
    "round8": (490, 0),
    "round9": (488, 0),
    "round10": (473, 1),
    "round11": (477, 1),
}
"""Round -> (exact lines at least, silent wrongs at most). Both may only get better."""


@pytest.mark.parametrize("name", KEPT)
def test_blind_round_gets_no_worse(name):
    exact, silent = KEPT[name]
    scores = [score(line, answer(line)) for line in lines(*sorted((BLIND / name).glob("*.jsonl")))]
    assert sum(right for right, _ in scores) >= exact
    assert sum(wrong for _, wrong in scores) <= silent
