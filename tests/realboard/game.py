"""One game on a real board: everything put in place, played, and held against what was meant."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from adapters.clock import SystemClock
from forumbot.demo import purses
from forumbot.demo.driver import Driver, Stuck
from forumbot.demo.games import players_of
from forumbot.demo.games.model import Players
from forumbot.demo.house import HOST_ADDRESS
from forumbot.demo.mailbox import serve_mailbox
from forumbot.demo.players import MOSCOW
from forumbot.demo.rehearsal import company_of
from forumbot.demo.report import compare
from forumbot.demo.saying import Saying
from tests.realboard.browser import Refused
from tests.realboard.doubles import doubled
from tests.realboard.hand import Hand
from tests.realboard.house import PASSWORD, People, RealHouse, furnish
from tests.realboard.owner import Owner
from tests.realboard.pace import Lives
from tests.realboard.proxy import between
from tests.realboard.realtime import SETTINGS, Daemon, Hurried, WallPace, frame_of
from tests.realboard.troubles import Troubles
from tests.torture.campaign import Failed, zygote
from tests.torture.clock import StepClock


@dataclass(frozen=True)
class Plan:
    """What is played, and where. ``kills``: share of the daemon's lives that end by a kill; ``troubles``: chance of a new
    trouble before each life; ``style``: which of the board's styles the bot's account has, from 0."""

    url: str
    admin: str
    password: str
    ruleset: str
    seed: int
    turns: int
    kills: float
    troubles: float
    style: int


@dataclass
class Course:
    """How a game went. ``wrong`` holds the differences, ``told`` what happened, in words."""

    winner: str | None = None
    requests: int = 0
    lives: int = 0
    kills: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = ", ".join(f"{name} {number}" for name, number in sorted(self.faults.items())) or "no faults"
        return (
            f"winner {self.winner}; {self.requests} requests, {self.lives} lives, {self.kills} kills; {faults}; "
            f"{self.seconds:.0f} s; differences: {len(self.wrong)}"
        )


class Enough(Exception):
    """So many turns were to be played."""


class Told:
    """A ``forumbot.demo.driver.Listener`` that prints the course of a game. ``turns``: raises Enough after so many."""

    def __init__(self, turns: int) -> None:
        self.seats: tuple[str, ...] = ()
        self._turns = turns

    def signed_up(self, seats: tuple[str, ...], posts: int) -> None:
        self.seats = seats
        print(f"  {posts} sign-up posts, {len(seats)} players", flush=True)

    def phase(self, turn: int, name: str, said: list[Saying], at: datetime) -> None:
        print(f"  turn {turn} {name}: {len(said)} messages", flush=True)

    def newspaper(self, turn: int, report: str) -> None:
        if turn >= self._turns:
            raise Enough


def stepped(plan: Plan, clock: StepClock, folder: Path) -> Course:
    """A game on a board whose clock follows ours. The folder holds the clock's file."""
    players = players_of(plan.ruleset, plan.seed)
    _shift(players, clock)
    company, chance, began = company_of(players, plan.seed), _chance(plan), time.monotonic()
    course = Course()
    with between(plan.url) as proxy, serve_mailbox(clock, {HOST_ADDRESS: PASSWORD}) as mailbox, zygote() as ready:
        owner = _owner(plan, clock.sleep)
        people = People.of(company, mailbox, owner)
        house = furnish(folder / "site", clock, players.frame, company, people, mailbox, owner, proxy.url, {"min_interval": 0})
        house.bot.preferences(style=house.bot.styles()[plan.style])
        purses.bring(house)
        troubles, hand = Troubles(house, proxy, chance, plan.troubles), Hand(house)
        lives = Lives(house, ready, chance, plan.kills, troubles.before, troubles.after, hand.act)
        house.looked = lambda: lives.live(1, 1)

        def calm() -> None:
            troubles.end()
            lives.killing = troubles.share = 0.0
            lives.settle()

        _play(course, house, Driver(house, players, lives, told := Told(plan.turns)), told, hand, calm)
        troubles.end()
    course.lives, course.kills, course.told = lives.lived, lives.killed, troubles.course
    course.requests, course.faults = sum(proxy.counts.values()), troubles.told + proxy.shown + hand.did
    course.seconds = time.monotonic() - began
    return course


def by_the_wall(plan: Plan, window: timedelta, folder: Path) -> Course:
    """The first turn of the Golden Key on a board with a clock of its own; sign-up, set-up and day are a ``window`` each."""
    players, clock = players_of("goldenkey", plan.seed), SystemClock()
    company, chance, began = company_of(players, plan.seed), _chance(plan), time.monotonic()
    course = Course()
    with between(plan.url) as proxy, serve_mailbox(clock, {HOST_ADDRESS: PASSWORD}) as mailbox:
        owner = _owner(plan, clock.sleep)
        people = People.of(company, mailbox, owner)
        players.frame = frame_of(players.frame, clock.now(), window)
        house = furnish(folder / "site", clock, players.frame, company, people, mailbox, owner, proxy.url, SETTINGS)
        hand = Hand(house)
        with Daemon(house.config, folder / "site" / "daemon.log", chance, plan.kills) as daemon:
            pace = WallPace(house, daemon, hand.act)
            house.looked = pace.settle
            _play(course, house, Driver(house, Hurried(players, players.frame), pace, told := Told(1)), told, hand, pace.settle)
    course.lives, course.kills = daemon.lived, daemon.killed
    course.requests, course.faults = sum(proxy.counts.values()), Counter(hand.did)
    course.seconds = time.monotonic() - began
    return course


def _play(course: Course, house: RealHouse, driver: Driver, told: Told, hand: Hand, calm: Callable[[], None]) -> None:
    """Play, let all become ``calm``, and note what is wrong."""
    try:
        with contextlib.suppress(Enough):
            course.winner = driver.play()
        calm()
        found = compare(house, driver.said, told.seats)
        course.wrong = [*found.differences, *hand.wrong, *doubled(house)]
    except (Stuck, Failed, Refused) as error:
        course.wrong = [f"{type(error).__name__}: {error}"]
    finally:
        driver.close()


def _owner(plan: Plan, wait: Callable[[float], None]) -> Owner:
    owner = Owner(plan.url, plan.admin, plan.password, wait=wait)
    owner.enter()
    owner.calm()
    return owner


def _chance(plan: Plan) -> Random:
    return Random(f"realboard/{plan.seed}/{plan.ruleset}")


def _shift(players: Players, clock: StepClock) -> None:
    """Move the game behind what the board has seen, by whole weeks; the clock goes to its beginning."""
    frame = players.frame
    weeks = timedelta(weeks=max(0, -(-(clock.now() - frame.starts.replace(tzinfo=MOSCOW)) // timedelta(weeks=1))))
    players.frame = dataclasses.replace(
        frame, starts=frame.starts + weeks, signup_closes=frame.signup_closes + weeks, first_day=frame.first_day + weeks
    )
    clock.move_to(players.frame.starts.replace(tzinfo=MOSCOW))
