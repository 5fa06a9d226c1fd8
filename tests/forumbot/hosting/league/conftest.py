"""Moments of a league game: the opening night, and day 1."""

from pathlib import Path

import pytest

from tests.forumbot.hosting.league.table import CLOSES, DAY_OPENS, MINUTE, league, to
from tests.forumbot.hosting.world import World


@pytest.fixture
def night(tmp_path: Path) -> World:
    """The opening night, just begun."""
    world = league(tmp_path)
    to(world, CLOSES + MINUTE)
    return world


@pytest.fixture
def day(night: World) -> World:
    """Day 1, just opened; nobody did anything in the opening night."""
    to(night, DAY_OPENS + MINUTE)
    return night
