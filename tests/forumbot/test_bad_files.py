"""The agreed bad scenario files: each is refused with exit code 2 and one line that names it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from forumbot.cli import simulate
from tests.unmet import held

BAD = Path(__file__).parents[1] / "bad"
FILES = sorted(BAD.glob("*.toml"))


@pytest.mark.parametrize("file", [held("bad", file.stem, file) for file in FILES])
def test_bad_file_is_refused(file: Path) -> None:
    done = CliRunner().invoke(simulate.command, ["--check", str(file)])
    assert done.exit_code == 2
    assert f"ERROR {file}: " in done.output
    assert "внутренняя ошибка" not in done.output


def test_there_are_bad_files() -> None:
    assert FILES
