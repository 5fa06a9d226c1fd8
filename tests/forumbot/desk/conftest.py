"""One played-in site for the whole session; tests that act work on a copy of it."""

from pathlib import Path

import pytest

from forumbot.hosting.core import logs
from tests.forumbot.desk.scene import Scene, fork, make_scene

logs.configure()


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Only to be looked at."""
    return make_scene(tmp_path_factory.mktemp("desk"))


@pytest.fixture
def scene(quiet: Scene, tmp_path: Path) -> Scene:
    """To be acted on."""
    return fork(quiet, tmp_path)
