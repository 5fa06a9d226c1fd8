"""``forumbot simulate`` as a host meets it: outputs, comparisons, wrong files, exit codes, speed of start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from forumbot.cli.main import main

CASES = Path(__file__).parent.parent / "cases" / "goldenkey"
GOOD = CASES / "r62_example_newspaper.toml"
OTHER = CASES / "r13_no_votes.toml"


def simulate(*args: Any) -> Result:
    return CliRunner().invoke(main, ["simulate", *map(str, args)])


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    file = tmp_path / "wrong.toml"
    file.write_text('ruleset = "goldenkey"\n[[players]]\nnick = "Анна"\nrole = "malvna"\n', encoding="utf-8")
    return file


@pytest.fixture
def differing(tmp_path: Path) -> Path:
    file = tmp_path / "differs.toml"
    file.write_text(OTHER.read_text(encoding="utf-8").replace("lynched = []", 'lynched = ["Анна"]'), encoding="utf-8")
    assert file.read_text(encoding="utf-8") != OTHER.read_text(encoding="utf-8")
    return file


def test_one_file_gives_one_object_and_nothing_else() -> None:
    result = simulate("--json", GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    found = json.loads(result.stdout)
    assert list(found) == ["ruleset", "seed", "turns"]
    assert "Петр - минус 1 жизнь" in found["turns"][0]["report"]


def test_several_files_give_a_line_each_and_errors_are_objects_too(wrong: Path) -> None:
    result = simulate("--json", GOOD, wrong, OTHER)
    assert result.exit_code == 2
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["file"] for line in lines] == [str(GOOD), str(wrong), str(OTHER)]
    assert set(lines[1]) == {"file", "error"}
    assert "turns" in lines[0] and "turns" in lines[2]


def test_the_newspaper_and_the_private_notices_are_printed() -> None:
    result = simulate(GOOD)
    assert result.exit_code == 0
    assert "=== Ход 7 ===" in result.stdout
    assert "Артемон убивает Горожанина" in result.stdout
    assert "Лично Алла: life_lost" in result.stdout


def test_check_prints_a_line_a_file_and_says_what_differs(differing: Path) -> None:
    result = simulate("--check", GOOD, differing)
    assert result.exit_code == 1
    good, bad = result.stdout.splitlines()
    assert good == f"ok {GOOD}"
    assert bad.startswith(f"FAIL {differing}: turn #1: lynched: want ['Анна']")


def test_check_takes_folders(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "x.toml").write_text(OTHER.read_text(encoding="utf-8"), encoding="utf-8")
    result = simulate("--check", tmp_path)
    assert (result.exit_code, result.stdout) == (0, f"ok {inner / 'x.toml'}\n")


def test_a_file_that_cannot_be_read_weighs_more_than_one_that_differs(wrong: Path, differing: Path) -> None:
    result = simulate("--check", differing, wrong)
    assert result.exit_code == 2
    assert result.stdout.splitlines()[1].startswith(f"ERROR {wrong}: players[0].role")


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    assert simulate("--check", tmp_path).exit_code == 2


@pytest.mark.parametrize("mode", [[], ["--json"]])
def test_a_wrong_file_ends_with_one_line(mode: list[str], wrong: Path) -> None:
    result = simulate(*mode, wrong)
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{wrong}: players[0].role: ")
    assert line.endswith("возможно, имелось в виду «malvina»")


@pytest.mark.parametrize(
    "content",
    [
        b"ruleset = ",
        b'ruleset = "goldenkey"\n\xff',
        b"",
        b"players = 5",
        b'ruleset = ["goldenkey"]',
        b'ruleset = "goldenkey"\nplayers = [{nick = [1], role = {}}]',
        b'ruleset = "goldenkey"\nplayers = [{nick = "a", role = "citizen"}]\nturns = [{votes = [1]}]',
        b'ruleset = "goldenkey"\nplayers = [{nick = "a", role = "citizen"}]\nturns = [{orders = [{player = "a"}]}]',
        b'ruleset = "goldenkey"\nplayers = [{nick = "a", role = "citizen"}]\nturns = [{chance = [1]}]',
        b'ruleset = "goldenkey"\nplayers = [{nick = "a", role = "citizen", roles = [[]]}]',
        b'ruleset = "goldenkey"\nplayers = [{nick = "a", role = "citizen", received = {artemon = "x"}}]',
        b"a = " + b"[" * 4000,
    ],
)
@pytest.mark.parametrize("mode", [[], ["--json"], ["--check"]])
def test_no_file_whatever_ends_with_a_stack_trace(mode: list[str], content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(content)
    result = simulate(*mode, file)
    assert result.exit_code == 2
    output = result.stdout + result.stderr
    assert str(file) in output
    assert "Traceback" not in output and "внутренняя ошибка" not in output


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    result = simulate("--json", tmp_path / "нет.toml")
    assert result.exit_code == 2
    assert "файл не читается" in result.stderr


def test_unused_forced_draws_are_told_on_stderr(tmp_path: Path) -> None:
    file = tmp_path / "forced.toml"
    text = OTHER.read_text(encoding="utf-8").replace("[turns.expect]", 'chance = {setup_villain = "Анна"}\n[turns.expect]', 1)
    file.write_text(text, encoding="utf-8")
    result = simulate("--json", file)
    assert result.exit_code == 0
    assert result.stderr == f"{file}: turns[0].chance.setup_villain: не понадобилось: Анна\n"
    assert json.loads(result.stdout)["turns"]


def test_check_and_json_exclude_each_other() -> None:
    assert simulate("--check", "--json", GOOD).exit_code == 2


def test_a_scenario_without_messages_needs_neither_the_reader_nor_the_other_rulesets() -> None:
    """What keeps the start quick: nothing is loaded that this file does not need."""
    code = (
        "import sys; from click.testing import CliRunner; from forumbot.cli.main import main;"
        f"CliRunner().invoke(main, ['simulate', '--json', {str(GOOD)!r}]);"
        "heavy = ('pymorphy3', 'sqlalchemy', 'httpx', 'starlette', 'rapidfuzz');"
        "print(*sorted(m for m in sys.modules if m.split('.')[0] in heavy"
        " or m.startswith(('engine.rulesets.', 'forumbot.reading.'))))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert loaded and all(name.startswith("engine.rulesets.goldenkey") for name in loaded)
