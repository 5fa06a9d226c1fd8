"""``python -m tests.torture``: the whole campaign of crashes and of random troubles (``make torture``); each difference is told,
and the exit code then is 1."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.torture.campaign import SCENES, Campaign, Failed, campaign
from tests.torture.chaos import ride
from tests.torture.live import Engine

_GAMES = 60
"""So many games amid random troubles belong to the whole campaign."""
ENGINES: tuple[Engine, ...] = ("ucoz", "phpbb")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--forum", choices=ENGINES, action="append", help="only this engine")
    parser.add_argument("--scene", action="append", help="only this scene")
    parser.add_argument("--every", type=int, default=1, help="only every n-th point")
    parser.add_argument("--start", type=int, default=1, help="the first point of each scene")
    parser.add_argument("--stumbles", type=int, default=6, help="whole games with a daemon that is killed again and again")
    parser.add_argument("--chaos", type=int, help="so many whole games amid random troubles, and nothing else")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of these")
    parser.add_argument("--seconds", type=float, help="as many such games as fit in that time, on one engine, and nothing else")
    parser.add_argument("--verbose", action="store_true", help="tell what happened in each such game")
    said = parser.parse_args(arguments)
    if said.seconds:
        return _sample(said.seconds, said.seed, said.forum)
    bad = 0
    for engine in said.forum or ENGINES:
        with tempfile.TemporaryDirectory(prefix=f"torture-{engine}-") as folder, campaign(engine, Path(folder)) as played:
            played.record()
            for number, scene in enumerate(() if said.chaos else SCENES):
                if not said.scene or scene.name in said.scene:
                    bad += _scene(played, number, range(said.start, len(played.traces[number]) + 1, said.every))
            for seed in range(0 if said.chaos else said.stumbles):
                try:
                    killed, found = played.stumble(seed, most=150)
                except Failed as error:
                    killed, found = 0, [str(error)]
                bad += bool(found)
                print(f"{engine}: the whole game, killed {killed} times: {_words(found)}", flush=True)
            for seed in range(said.seed, said.seed + (said.chaos or _GAMES)):
                killed, found, happened = ride(played, seed)
                bad += bool(found)
                print(f"{engine}: chaos {seed}, killed {killed} times: {_words(found)}", flush=True)
                if found or said.verbose:
                    print("    " + "\n    ".join(happened), flush=True)
    return 1 if bad else 0


def _sample(seconds: float, seed: int, engines: Sequence[Engine] | None) -> int:
    """Games amid random troubles from this seed on, until the time is over; the seed chooses the engine, too."""
    began, bad = time.monotonic(), 0
    among = engines or ENGINES
    engine = among[seed % len(among)]
    with tempfile.TemporaryDirectory(prefix=f"torture-{engine}-") as folder, campaign(engine, Path(folder)) as played:
        played.record()
        while not bad and time.monotonic() - began < seconds:
            killed, found, happened = ride(played, seed)
            print(f"{engine}: chaos {seed}, killed {killed} times: {_words(found)}", flush=True)
            if found:
                bad = 1
                print("    " + "\n    ".join(happened), flush=True)
            seed += 1
    return bad


def _scene(played: Campaign, number: int, points: range) -> int:
    name, began, bad = SCENES[number].name, time.monotonic(), 0
    for kill in points:
        try:
            found = played.strike(number, kill)
        except Failed as error:
            found = [str(error)]
        if found:
            bad += 1
            print(f"{played.engine}: {name}, killed at {kill} ({played.traces[number][kill - 1]}): {_words(found)}", flush=True)
    print(f"{played.engine}: {name}, {len(points)} kills, {bad} bad, {time.monotonic() - began:.0f} s", flush=True)
    return bad


def _words(found: Sequence[str]) -> str:
    return "the same" if not found else "\n    " + "\n    ".join(line[:600] for line in found[:8])


if __name__ == "__main__":
    sys.exit(main())
