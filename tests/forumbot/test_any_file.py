"""Scenario files bent out of shape: whatever one holds, ``simulate`` ends soon with 0, 1 or 2, and loses no other file."""

from __future__ import annotations

import copy
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from engine import rulesets
from forumbot import resources
from forumbot.cli import simulate
from tests.engine.playing import load

CASES = Path(__file__).parents[1] / "cases"
GOOD = {name: sorted((CASES / name).glob("*.toml")) for name in rulesets.NAMES}
LONGEST = 20
"""Seconds after which a run counts as endless; the longest takes a small part of one."""

STRANGE: tuple[Any, ...] = (
    0, 1, -1, 2, 7, 10**6, -(10**6), 10**7, 2**63, 10**30, 0.5, -0.5, 1e6, 1e300, float("nan"), float("inf"), float("-inf"),
    True, False, "", " ", "none", "draw", "а" * 3000, "Ри\nта", "\x1b[31m", "\u202e", "\u200b", "\u3164", "21:00", "25:00",
    "21:00+03:00", "9999-12-31", "2026-12-01T21:00:00", "Europe/Moscow", "../../etc/passwd", "+99:99", "{{ 7 * 7 }}", "%s%n",
    "{% for x in y %}", "](", "[color=red]", datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, tzinfo=UTC), date(2026, 12, 1),
    datetime(2026, 12, 1, 21, tzinfo=UTC), time(21), [], {}, [[]], [{}], [1, 2], ["vote"], {"a": 1}, {"": {}}, [[[[[]]]]],
    [0.1, "x", {}, []], ["x"] * 50,
)  # fmt: skip


def toml(value: Any) -> str:
    """Plain data as TOML, tables inline."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=True).replace("\x7f", "\\u007f")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml(str(key))} = {toml(inner)}' for key, inner in value.items())}}}"
    return repr(value)


def written(document: dict[str, Any]) -> str:
    return "\n".join(f"{toml(key)} = {toml(value)}" for key, value in document.items()) + "\n"


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in the document, from outside in."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield (*path, i)
            yield from places(inner, (*path, i))


def bend(document: dict[str, Any], random: Random) -> None:
    """One mutation: another value, a key more or less or misspelt, an entry twice, two places exchanged."""
    found = list(places(document))
    if not found:
        return
    *way, last = random.choice(found)
    inside: Any = document
    for step in way:
        inside = inside[step]
    kind = random.randrange(6)
    if kind == 0 and isinstance(inside, dict):
        inside[random.choice((f"{last}s", str(last)[:-1], str(last).upper(), "x"))] = inside.pop(last)
    elif kind == 1:
        del inside[last]
    elif kind == 2 and isinstance(inside, list):
        inside.append(copy.deepcopy(inside[last]))
    elif kind == 3 and isinstance(inside, dict):
        inside["x"] = random.choice(STRANGE)
    elif kind == 4 and isinstance(inside[last], str):
        inside[last] = _misspelt(inside[last], random)
    else:
        inside[last] = copy.deepcopy(random.choice(STRANGE))


def _misspelt(word: str, random: Random) -> str:
    cut = random.randrange(len(word) + 1)
    less, more = word[:cut] + word[cut + 1 :], word[:cut] + "x" + word[cut:]
    return random.choice((less, more, word.swapcase(), f"{word} ", f"{word}\u200b"))


def with_tables(document: dict[str, Any], random: Random) -> None:
    """The packaged tables beside the file's own, so that they are bent too."""
    tables = resources.tables(document["ruleset"])
    for key in random.sample(sorted(tables), k=min(3, len(tables))):
        if key != "words":
            document.setdefault("tables", {}).setdefault(key, copy.deepcopy(tables[key]))


@contextmanager
def soon() -> Iterator[None]:
    """Stops what does not end."""

    def stop(*_: Any) -> None:
        raise AssertionError(f"the run did not end in {LONGEST} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run(*arguments: str) -> Result:
    with soon():
        return CliRunner().invoke(simulate.command, arguments)


def sound(done: Result, code: int | None = None) -> None:
    assert done.exit_code in ((0, 1, 2) if code is None else (code,)), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "внутренняя ошибка" not in done.output, done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_any_file_ends_soon_and_soundly(name: str, tmp_path: Path) -> None:
    file, beside = tmp_path / "bent.toml", tmp_path / "good.toml"
    beside.write_text(GOOD[name][0].read_text(encoding="utf-8"), encoding="utf-8")

    @settings(max_examples=int(os.environ.get("FUZZ", "120")), deadline=None, database=None,
              suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
    @given(st.integers(0, 2**32), st.integers(1, 4))
    @example(0, 0)
    def check(seed: int, bends: int) -> None:
        random = Random(seed)
        document = load(random.choice(GOOD[name]))
        if random.random() < 0.5:
            with_tables(document, random)
        for _ in range(bends):
            bend(document, random)
        file.write_text(written(document), encoding="utf-8")
        sound(run("--check", str(file)))
        done = run("--json", str(file), str(beside))
        sound(done)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["file"] for line in lines] == [str(file), str(beside)]
        assert "error" not in lines[1]

    check()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "ruleset = " + "[" * 5000,
        "ruleset = " + "9" * 5000,
        'ruleset = "clans"\nseed = 0x' + "f" * 5000,
        "ruleset = '''" + "я" * 100_000 + "'''",
        'ruleset = "clans"\nplayers = 2026-13-45',
        'ruleset = "clans"\nplayers = [{nick = "Анна", role = "citizen"}]\nturns = [{}, {}, {}]',
    ],
    ids=["empty", "zero byte", "deep", "long number", "long seed", "long word", "no such date", "nobody acts"],
)
def test_a_file_that_is_hardly_one(text: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.toml"
    file.write_text(text, encoding="utf-8")
    sound(run("--check", str(file)), 0 if "citizen" in text else 2)
    sound(run("--json", str(file), str(GOOD["clans"][0])), 0 if "citizen" in text else 2)


def test_a_name_that_is_no_text_loses_no_other_file(tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff\x1b[31m.toml")
    odd.write_text("ruleset = 1\n", encoding="utf-8")
    good = str(GOOD["clans"][0])
    done = run("--json", str(odd), good)
    sound(done, 2)
    assert [json.loads(line)["file"] for line in os.fsdecode(done.stdout_bytes).splitlines()] == [str(odd), good]
    checked = run("--check", str(odd), good)
    sound(checked, 2)
    assert "\x1b" not in checked.output
    assert f"ok {good}" in checked.output
