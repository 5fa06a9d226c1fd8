"""Day 1 of a game of mafialife for fifteen, open since 21:00."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.forumbot.hosting.clans.table import DEADLINE, Table, seat_players


@pytest.fixture(scope="session")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Table:
    table = seat_players(tmp_path_factory.mktemp("life"), "mafialife", players=15)
    table.world.until(DEADLINE - timedelta(hours=22), step=timedelta(hours=1))
    table.world.settle()
    return table


@pytest.fixture
def table(laid: Table, tmp_path: Path) -> Table:
    return laid.copy(tmp_path)
