"""A goldenkey game in memory at noon of day 1; the daemon logs as it does in earnest."""

from datetime import timedelta
from pathlib import Path

import pytest

from forumbot.hosting import logs
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world
from tests.torture.fixtures import day_one, live, open_site, served

__all__ = ["day", "day_one", "live", "open_site", "served"]

logs.configure()


@pytest.fixture
def day(tmp_path: Path) -> World:
    """Day 1 of a game of fifteen, at noon Moscow time."""
    world = make_world(tmp_path)
    world.until(MONDAY + timedelta(hours=9), step=timedelta(hours=3))
    world.settle()
    world.until(DAY_ONE, step=timedelta(hours=6))
    world.settle()
    return world
