"""A goldenkey game in memory at noon of day 1; the daemon logs as it does in earnest."""

from pathlib import Path

import pytest

from forumbot.hosting.core import logs
from tests.forumbot.hosting import hosts
from tests.forumbot.hosting.world import World
from tests.torture.fixtures import day_one, live, open_site, served

__all__ = ["day", "day_one", "live", "open_site", "served"]

logs.configure()


@pytest.fixture
def day(tmp_path: Path) -> World:
    """Day 1 of a game of fifteen, at noon Moscow time."""
    return hosts.day_one(tmp_path)
