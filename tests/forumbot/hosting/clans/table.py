"""A game of clans at one table: players who write letters from proven addresses, and what each of them was told."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.acts.acts import ask
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.database import Store
from forumbot.store.tables import acts
from tests.forumbot.hosting.world import MONDAY, NICKS, World, make_world

SIGNUP_ENDS = MONDAY + timedelta(hours=8)
DEADLINE = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)
"""21:00 in Moscow on Tuesday: the end of day 1, which opened on Monday at 23:00."""
NEWSPAPER = DEADLINE + timedelta(hours=2)
WORDS = "сегодня мне есть что сказать "
"""Five words."""
CODE = re.compile(r"\b[A-Z2-9]{4}-[A-Z2-9]{4}\b")


@dataclass
class Table:
    world: World

    # Players -------------------------------------------------------------------------------------------------------

    def address(self, nick: str) -> str:
        return f"p{NICKS.index(nick)}@example.org"

    def proves(self, nick: str) -> None:
        """The code from the welcome goes back by letter."""
        code = CODE.search(self.world.forum.pms_to(nick)[0][1])
        assert code is not None
        self.world.mail.arrives(self.address(nick), "код", code[0])

    def writes(self, nick: str, text: str, at: datetime | None = None) -> None:
        self.world.mail.arrives(self.address(nick), "ход", text, at)

    def told(self, nick: str) -> list[str]:
        """Every letter to this player, oldest first: subject and text."""
        return [f"{subject}\n{text}" for subject, text in self.world.mail.letters_to(self.address(nick))]

    def all_vote(self, for_whom: str, but: tuple[str, ...] = ()) -> None:
        for nick in self.alive():
            if nick not in but:
                self.writes(nick, f"Линч: {for_whom}")

    def all_talk(self, but: tuple[str, ...] = ()) -> None:
        """Everybody writes 55 words in the day's thread."""
        for nick in self.alive():
            if nick not in but:
                self.world.says(nick, WORDS * 11, self.thread())

    def copy(self, folder: Path) -> Table:
        """The same site once more, with a database of its own: what costs seconds to set up is set up once."""
        old = self.world
        with closing(sqlite3.connect(old.store.file)) as source, closing(sqlite3.connect(folder / "forumbot.db")) as target:
            source.backup(target)
        clock, forum, mail = deepcopy((old.clock, old.forum, old.mail))
        settings = old.site.model_copy(update={"site": old.site.site.model_copy(update={"data": folder})})
        world = World(clock, forum, mail, Store(folder / "forumbot.db"), settings, old.daemon, old.game)
        world.restart()
        return Table(world)

    # The game ------------------------------------------------------------------------------------------------------

    def match(self) -> Match:
        with self.world.store.read() as connection:
            return record.fold(connection, record.load(connection, self.world.game))

    def state(self) -> dict[str, dict[str, Any]]:
        match = self.match()
        return {seat: dict(state) for seat, state in match.ruleset.state(match.game).items()}

    def alive(self) -> tuple[str, ...]:
        match = self.match()
        return match.ruleset.alive(match.game)

    def who(self, role: str, faction: str | None = None) -> str:
        return next(
            seat for seat, state in self.state().items() if state["role"] == role and faction in (None, state["faction"])
        )

    def thread(self, day: int | None = None) -> str:
        """The thread of a day, the newest without a number."""
        topics = self.world.forum.topics
        found = [topic for topic, made in topics.items() if ("День" if day is None else f"День {day}") in made.subject]
        return found[-1]

    def public(self) -> str:
        """Everything the bot has said in public while the game went on."""
        forum = self.world.forum
        topics = [topic for topic, made in forum.topics.items() if "Итоги" not in made.subject]
        return "\n".join(text for topic in topics for text in forum.texts(topic))

    def newspapers(self) -> list[str]:
        return [text for topic in self.world.forum.topics for text in self.world.forum.texts(topic) if "Газета." in text]

    def asks(self, kind: str, **payload: Any) -> str | None:
        """The host does something; gives the error, None when it was done."""
        with self.world.store.write() as connection:
            act = ask(connection, self.world.game, "Хозяин", kind, payload, self.world.clock.now())
        self.world.until(self.world.clock.now() + timedelta(minutes=5), step=timedelta(minutes=1))
        self.world.settle()
        return self.world.value(sa.select(acts.c.error).where(acts.c.id == act))

    def last_act(self) -> int:
        return int(self.world.value(sa.select(sa.func.max(acts.c.id))))

    def replays_the_same(self) -> bool:
        """Whether every closed turn, played again from its inputs, gives the stored bytes; there must be some."""
        replayed = replay_game(self.world.store, self.world.game, "Europe/Moscow")
        return bool(replayed) and all(turn.same for turn in replayed)


def seat_players(folder: Path, ruleset_id: str, *, players: int, proven: bool = True, **game: Any) -> Table:
    """A table whose sign-up has ended and whose first day is open; with ``proven``, everybody's address is known."""
    world = make_world(folder, players=players, ruleset=ruleset_id, **{"id": "g1", "title": "Партия"} | game)
    table = Table(world)
    if proven:
        for nick in NICKS[:players]:
            table.proves(nick)
    world.settle()
    world.until(SIGNUP_ENDS, step=timedelta(hours=1))
    world.settle()
    return table
