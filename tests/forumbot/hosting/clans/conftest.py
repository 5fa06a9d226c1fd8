"""Day 1 of a game of clans for fourteen, open since 23:00: two clans of two, a maniac, nine civilians."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.forumbot.hosting.clans.table import DEADLINE, Table, seat_players


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Table:
    table = seat_players(tmp_path_factory.mktemp("clans"), "clans", players=14)
    table.world.until(DEADLINE - timedelta(hours=20), step=timedelta(hours=1))
    table.world.settle()
    return table


@pytest.fixture
def table(laid: Table, tmp_path: Path) -> Table:
    return laid.copy(tmp_path)
