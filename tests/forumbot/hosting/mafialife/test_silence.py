"""Who sends nothing at all leaves the game; what was refused, or asked about, was sent (D59)."""

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import games
from tests.forumbot.hosting.hosts import upcoming
from tests.forumbot.hosting.test_acts import alive
from tests.forumbot.hosting.test_host_actions import running


@pytest.mark.parametrize(
    "text", ["Проверяю Кощея", "Ход: Борис или Вера", "Хода не будет"], ids=["refused by the reader", "asked about", "no move"]
)
def test_d59_a_letter_of_which_no_order_counts_is_no_silence(tmp_path: Path, text: str) -> None:
    world = running(tmp_path, "mafialife", tables={"missed_turns_limit": 2})
    for _ in range(2):
        turn = world.value(sa.select(games.c.turn))
        world.pm("Анна", text)
        world.settle()
        world.until(upcoming(world)["due_at"] + timedelta(minutes=30), step=timedelta(hours=6))
        assert world.value(sa.select(games.c.stage)) != "turn" or world.value(sa.select(games.c.turn)) > turn
    assert "Анна" in alive(world)
    assert "Борис" not in alive(world)
    assert all(one.same for one in replay_game(world.store, world.game, "Europe/Moscow"))
