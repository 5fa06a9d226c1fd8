"""A whole game through HTTP, IMAP and SMTP on each forum engine, held against what the players meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from forumbot.demo.house import Engine
from tests.forumbot.demo_game.by_hand import played


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_a_whole_goldenkey_game_comes_out_as_its_players_meant(engine: Engine, tmp_path: Path) -> None:
    with played("goldenkey", engine, 1, tmp_path) as game:
        assert game.comparison.differences == []
        assert game.comparison.replayed
        assert game.winner in ("townsfolk", "villains", "maniacs", "draw")
        assert len(game.papers) == game.comparison.turns >= 3
        channels = {one.channel for one in game.said}
        assert channels == {"post", "pm", "letter"}
        assert len({one.author for one in game.said}) >= 15
