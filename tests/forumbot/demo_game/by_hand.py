"""The demo without a second process: the daemon's ticks are made by hand on a clock that stands still in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from adapters.clock import ManualClock
from forumbot.demo import purses
from forumbot.demo.driver import Driver, Stuck
from forumbot.demo.games import players_of
from forumbot.demo.house import House, open_house
from forumbot.demo.players import MOSCOW
from forumbot.demo.rehearsal import company_of
from forumbot.demo.report import Comparison, compare
from forumbot.demo.saying import Saying
from forumbot.hosting.daemon import wiring
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.settings import load_games, load_site


@dataclass
class HandPace:
    """Ticks every few hours, and at deadlines as often as it takes."""

    clock: ManualClock
    daemon: Daemon
    every: timedelta = timedelta(hours=5)
    ticked: datetime | None = None

    def until(self, moment: datetime) -> None:
        while self.ticked is None or moment - self.ticked > self.every:
            self._tick(self.clock.now() if self.ticked is None else self.ticked + self.every)
        self._move(moment)

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        for _ in range(200):
            if done():
                return
            self._tick(self.clock.now() + timedelta(seconds=20))
        raise Stuck(what)

    def _tick(self, moment: datetime) -> None:
        self._move(moment)
        self.daemon.tick()
        self.ticked = self.clock.now()

    def _move(self, moment: datetime) -> None:
        if moment > self.clock.now():
            self.clock.move_to(moment)


@dataclass
class Listener:
    """Keeps what it hears."""

    seats: tuple[str, ...] = ()
    papers: dict[int, str] = field(default_factory=dict)

    def signed_up(self, seats: tuple[str, ...], posts: int) -> None:
        self.seats = seats

    def phase(self, turn: int, name: str, said: list[Saying], at: datetime) -> None:
        pass

    def newspaper(self, turn: int, report: str) -> None:
        self.papers[turn] = report


@dataclass
class Played:
    """A game that is over; forum and mailbox still stand."""

    house: House
    winner: str | None
    papers: dict[int, str]
    comparison: Comparison
    said: list[Saying]


@contextmanager
def played(ruleset: str, engine: str, seed: int, folder: Path) -> Iterator[Played]:
    """Play a whole game of the demo through HTTP, IMAP and SMTP in this process."""
    players = players_of(ruleset, seed)
    clock = ManualClock(players.frame.starts.replace(tzinfo=MOSCOW))
    with open_house(folder, clock, players.frame, engine, company_of(players, seed)) as house:
        purses.bring(house)
        site = load_site(house.config)
        store = wiring.open_store(site)
        forum = wiring.forum(site, clock)
        mailbox, outgoing = wiring.mail(site, clock)
        daemon = Daemon(site, store, clock, forum, mailbox, outgoing, wiring.reader)
        daemon.adopt(load_games(site))
        listener = Listener()
        driver = Driver(house, players, HandPace(clock, daemon), listener)
        try:
            winner = driver.play()
            yield Played(house, winner, listener.papers, compare(house, driver.said, listener.seats), driver.said)
        finally:
            driver.close()
            forum.close()
            if mailbox is not None:
                mailbox.close()
            store.close()


def told(house: House) -> list[str]:
    """Every text that the bot has shown to anybody: posts, private messages and letters, each with its subject."""
    said = [post.text for post in house.board.posts_by(house.host)]
    said += [f"{one.subject}\n{one.text}" for one in house.board.messages.values() if one.sender == house.host]
    for letter in house.mailbox.sent:
        read = message_from_bytes(letter.raw, policy=default)
        body = read.get_body(("plain",))
        said.append(f"{read['Subject']}\n{body.get_content() if body is not None else ''}")
    return said
