"""``make fuzz``: every door, round after round with new examples, for SECONDS (600) or until it is stopped; tells what it
found, with the smallest example, and how many examples were tried. Exit code 1 when anything was found.

    python -m tests.fuzz [--seconds 600] [--seed 1] [post page letter paper form]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from forumbot.desk import forms
from forumbot.hosting.core import budget, logs
from tests.forumbot.desk.scene import Scene, fork, make_scene
from tests.fuzz import doors
from tests.fuzz.test_doors import FIELDS, SECONDS, value
from tests.fuzz.words import letters, texts

ROUND = 200
"""Examples of one door in one round."""


def targets(folder: Path) -> dict[str, tuple[Callable[..., None], tuple[st.SearchStrategy[Any], ...]]]:
    """Door -> what is called, and what with. The site of the forms is made when it is first needed, anew after each round."""
    scenes: list[Scene] = []

    def form(kind: str, fields: list[tuple[str, str]]) -> None:
        if not scenes:
            scenes.append(make_scene(Path(tempfile.mkdtemp(dir=folder))))
        if len(scenes) == 1:
            scenes.append(fork(scenes[0], Path(tempfile.mkdtemp(dir=folder))))
        doors.form(scenes[1], kind, fields)

    rules = st.sampled_from(doors.RULESETS)
    return {
        "post": (doors.post, (texts(), rules)),
        "page": (doors.page, (texts(),)),
        "letter": (doors.letter, (letters(), rules)),
        "paper": (doors.paper_on_boards, (texts(), texts(most=6), st.integers(200, 60_000))),
        "form": (form, (st.sampled_from(sorted(forms.ACTS)), st.lists(st.tuples(st.sampled_from(FIELDS), value), max_size=8))),
    }


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("doors", nargs="*")
    asked.add_argument("--seconds", type=float, default=600)
    asked.add_argument("--seed", type=int, default=int(time.time()))
    options = asked.parse_args()
    logs.configure()
    tried: Counter[str] = Counter()
    faults: dict[str, str] = {}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        known = targets(Path(folder))
        number = options.seed
        while time.monotonic() - began < options.seconds:
            for name in options.doors or known:
                number += 1
                fault = one_round(*known[name], number, tried, name)
                if fault and fault not in faults:
                    faults[fault] = name
                    print(f"FOUND at {name} (--seed {number - 1} {name}):\n{fault}\n", flush=True)
                if time.monotonic() - began >= options.seconds:
                    break
            spent = time.monotonic() - began
            print(f"{spent:7.0f} s  {sum(tried.values())} examples {dict(tried)}  found: {len(faults)}", flush=True)
    return 1 if faults else 0


def one_round(
    door: Callable[..., None], strategies: tuple[st.SearchStrategy[Any], ...], number: int, tried: Counter[str], name: str
) -> str:
    """One round at a door; gives the last lines of what went wrong with the smallest example, or nothing."""

    @seed(number)
    @settings(max_examples=ROUND, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False)
    @given(st.tuples(*strategies))
    def tries(given_: tuple[Any, ...]) -> None:
        tried[name] += 1
        with budget.limited(SECONDS * 4):
            door(*given_)

    try:
        tries()
    except Exception:
        return "".join(traceback.format_exc().splitlines(keepends=True)[-12:])
    return ""


if __name__ == "__main__":
    sys.exit(main())
