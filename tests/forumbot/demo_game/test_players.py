"""The demo's players: what they mean ends games, in many ways, and the reading takes nothing from them that they did not mean."""

from __future__ import annotations

import pytest

from tests.forumbot.demo_game.on_paper import PaperGame

RULESETS = ("goldenkey", "league", "clans", "mafialife")


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nothing_is_accepted_that_was_not_meant(ruleset: str, seed: int) -> None:
    paper = PaperGame(ruleset, seed, read=True).play()
    assert paper.wrong == []
    meant = [one for one in paper.said if one.means == "order"]
    assert len(paper.asked) <= len(meant) // 20


@pytest.mark.parametrize("ruleset", RULESETS)
def test_games_end_and_the_seed_changes_the_winner(ruleset: str) -> None:
    papers = [PaperGame(ruleset, seed, read=False).play() for seed in range(1, 13)]
    assert all(paper.winner is not None for paper in papers)
    assert len({paper.winner for paper in papers}) >= 2


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_same_seed_gives_the_same_messages(ruleset: str) -> None:
    first, second = (PaperGame(ruleset, 5, read=False).play() for _ in range(2))
    assert [(one.author, one.at, one.text) for one in first.said] == [(one.author, one.at, one.text) for one in second.said]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_good_part_of_what_is_written_is_odd(ruleset: str) -> None:
    paper = PaperGame(ruleset, 2, read=False).play()
    kinds = {one.means for one in paper.said}
    assert {"order", "nothing", "doubt"} <= kinds
    assert sum(one.means != "order" for one in paper.said) >= len(paper.said) // 6
