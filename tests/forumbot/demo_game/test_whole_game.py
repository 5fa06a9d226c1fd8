"""Whole games through HTTP, IMAP and SMTP on both forum engines, held against what the players meant."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forumbot.demo_game.by_hand import played, told
from tests.forumbot.writing.proofreading import faults

MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where the machine has such a place: the database writes through to the disk at every step."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as made:
        yield Path(made)


@pytest.mark.parametrize(
    ("ruleset", "engine", "seed", "actions"),
    [
        ("goldenkey", "ucoz", 1, {"vote", "bid_role", "kill", "spy"}),
        ("goldenkey", "phpbb", 1, {"vote", "bid_role", "kill", "spy"}),
        ("league", "ucoz", 2, {"vote", "kill", "buy", "pool", "contract_kill", "accept_work"}),
        ("clans", "phpbb", 36, {"vote", "kill", "check", "heal"}),
        ("mafialife", "phpbb", 16, {"vote", "buy", "check"}),
    ],
)
def test_a_whole_game_comes_out_as_its_players_meant(
    ruleset: str, engine: str, seed: int, actions: set[str], folder: Path
) -> None:
    with played(ruleset, engine, seed, folder) as game:
        assert game.comparison.differences == []
        assert game.comparison.replayed
        assert game.winner is not None
        assert len(game.papers) == game.comparison.turns >= 3
        assert {one.channel for one in game.said} == {"post", "pm", "letter"}
        assert len({one.author for one in game.said}) >= 15
        board, title = game.house.board, f"{game.house.frame.title}. Итоги партии"
        ended = board.find_topic(title)
        assert ended is not None
        final = "\n".join(post.text for post in board.visible_posts(ended.id))
        assert final.count(" — ") > 15 and "до конца в игре" in final
        assert final.count("[i]Кто к кому[/i]") >= 3 and final.count("[i]Голоса[/i]") >= 2
        genders = {one.name: "f" if one.nick.female else "m" for one in game.house.company.actors.values()}
        assert {fault for text in told(game.house) for fault in faults(text, genders)} == set()
        assert actions <= {wish.action for one in game.said if one.means == "order" for wish in one.wishes}
