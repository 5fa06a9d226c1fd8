"""``python -m tests.realboard URL --admin NICK --password …``: whole games on a real phpBB, amid its troubles.

The board's own clock follows the campaign's (``--clock``, see docs/real-boards.md); where it cannot, ``--wall`` plays a first
turn by the machine's. Without a board the campaign says so and ends with 0.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from forumbot.demo.driver import MOST_TURNS
from tests.realboard.game import Plan, by_the_wall, stepped
from tests.torture.clock import StepClock

RULESETS = ("goldenkey", "league", "clans", "mafialife")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.realboard", description=__doc__)
    parser.add_argument("url", nargs="?", help="the board's address")
    parser.add_argument("--admin", default="admin")
    parser.add_argument("--password", default="")
    parser.add_argument("--clock", type=Path, help="the file that the board's clock follows")
    parser.add_argument("--ruleset", choices=RULESETS, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=1, help="games of each ruleset")
    parser.add_argument("--turns", type=int, default=MOST_TURNS, help="end a game after so many turns")
    parser.add_argument("--style", type=int, default=0, help="which of the board's styles the bot's account has, from 0")
    parser.add_argument("--kills", type=float, default=0.3, help="share of the daemon's lives that end by a kill")
    parser.add_argument("--troubles", type=float, default=0.3, help="chance of a new trouble before each life")
    wall = "no clock to lead: goldenkey's first turn, so many minutes for sign-up, set-up and day each"
    parser.add_argument("--wall", type=float, metavar="MINUTES", help=wall)
    said = parser.parse_args(arguments)
    if said.url is None or (said.clock is None and said.wall is None):
        print("skipped: no board is given (docs/real-boards.md says how one is set up)")
        return 0
    rulesets = ("goldenkey",) if said.wall is not None else said.ruleset or RULESETS
    seeds = range(said.seed, said.seed + said.games)
    bad = sum(not _game(said, ruleset, seed) for seed in seeds for ruleset in rulesets)
    return 1 if bad else 0


def _game(said: argparse.Namespace, ruleset: str, seed: int) -> bool:
    """Play one game and tell of it; its folder is kept where anything is wrong."""
    folder = Path(tempfile.mkdtemp(prefix=f"realboard-{ruleset}-"))
    plan = Plan(said.url, said.admin, said.password, ruleset, seed, said.turns, said.kills, said.troubles, said.style)
    print(f"{ruleset}, seed {seed}, on {said.url}", flush=True)
    if said.wall is not None:
        course = by_the_wall(plan, timedelta(minutes=said.wall), folder)
    else:
        (folder / "clock").symlink_to(said.clock.absolute())
        course = stepped(plan, StepClock(said.clock), folder)
    print(f"  {course}", flush=True)
    if not course.wrong:
        shutil.rmtree(folder)
        return True
    (folder / "course.txt").write_text("\n".join(course.told), encoding="utf-8")
    print("\n".join(f"    {line}" for line in [*course.wrong, f"kept: {folder}"]), flush=True)
    return False


if __name__ == "__main__":
    sys.exit(main())
