"""A demo that stops in mid-game leaves its host work to do, and the desk to do it at (D05)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from adapters.clock import ManualClock
from forumbot.demo import midgame, purses
from forumbot.demo.driver import Driver
from forumbot.demo.games import players_of
from forumbot.demo.house import GAME, House, open_house
from forumbot.demo.players import MOSCOW
from forumbot.demo.rehearsal import company_of
from forumbot.hosting.daemon import wiring
from forumbot.hosting.daemon.daemon import Daemon
from forumbot.hosting.inbox import digest, questions
from forumbot.settings import load_games, load_site
from forumbot.store.tables import outbox
from tests.forumbot.demo_game.by_hand import HandPace, Listener


@dataclass
class Deciding(Listener):
    """Lets the host decide after the first newspaper, as the demo does."""

    house: House | None = field(default=None)

    def newspaper(self, turn: int, report: str) -> None:
        first = not self.papers
        super().newspaper(turn, report)
        if first and self.house is not None:
            midgame.let_the_host_decide(self.house)


@pytest.mark.parametrize(("ruleset", "engine"), [("goldenkey", "ucoz"), ("clans", "phpbb")])
def test_d05_the_demo_stops_with_a_held_newspaper_doubts_a_question_and_the_desk(
    ruleset: str, engine: str, tmp_path: Path
) -> None:
    players = players_of(ruleset, 1)
    clock = ManualClock(players.frame.starts.replace(tzinfo=MOSCOW))
    with open_house(tmp_path, clock, players.frame, engine, company_of(players, 1)) as house:  # type: ignore[arg-type]
        purses.bring(house)
        site = load_site(house.config)
        store = wiring.open_store(site)
        forum = wiring.forum(site, clock)
        mailbox, outgoing = wiring.mail(site, clock)
        daemon = Daemon(site, store, clock, forum, mailbox, outgoing, wiring.reader)
        daemon.adopt(load_games(site))
        pace = HandPace(clock, daemon)
        driver = Driver(house, players, pace, Deciding(house=house))
        try:
            assert driver.play() is None
            midgame.doubts(house)

            def waiting() -> tuple[int, int, int]:
                with store.read() as connection:
                    held = sa.select(sa.func.count()).where(outbox.c.game_id == GAME, outbox.c.state == "held")
                    doubtful = len(digest.reviews(connection, GAME))
                    return connection.execute(held).scalar_one(), doubtful, len(questions.waiting(connection, GAME))

            pace.wait_for(lambda: min(waiting()) > 0, "работа ведущему")
            with midgame.desk(house) as opened:
                answer = httpx.get(f"{opened.address}/login")
                assert answer.status_code == 200
                assert len(opened.password) >= 10
        finally:
            driver.close()
            forum.close()
            if mailbox is not None:
                mailbox.close()
            store.close()
