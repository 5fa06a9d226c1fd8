"""The course of a demo game: sign-up, then from deadline to deadline what the players send, until somebody has won."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

import sqlalchemy as sa

from forumbot.demo import signing_up
from forumbot.demo.games.model import Players, View
from forumbot.demo.house import GAME, House
from forumbot.demo.players import MOSCOW
from forumbot.demo.saying import Saying
from forumbot.hosting.core import record
from forumbot.hosting.core.outbox import RESULTS
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, holders, outbox, threads, turns
from forumbot.store.tables import seats as seats_table

MOST_TURNS = 40
BREATH = timedelta(minutes=12)
"""What passes between a deadline and the first message after it."""


class Pace(Protocol):
    """How time passes while the daemon works: by the wall in the demo, by hand in tests."""

    def until(self, moment: datetime) -> None:
        """Let time come to the moment."""

    def wait_for(self, done: Callable[[], bool], what: str) -> None:
        """Let the daemon work, with time passing slowly, until ``done``. Raises Stuck."""


class Stuck(Exception):
    """The daemon did not do what it was waited for; the text says what."""


class Listener(Protocol):
    """Hears of the game's course."""

    def signed_up(self, seats: tuple[str, ...], posts: int) -> None: ...

    def phase(self, turn: int, name: str, said: list[Saying], at: datetime) -> None: ...

    def newspaper(self, turn: int, report: str) -> None: ...


@dataclass
class Driver:
    """Plays one game in a house whose daemon is at work. What the actors know they take from the daemon's own record of the
    game, read only: their role, their clan, who lives; each uses what he was told in his letters and no more."""

    house: House
    players: Players
    pace: Pace
    listener: Listener
    said: list[Saying] = field(default_factory=list)
    _store: Store | None = field(default=None, init=False)

    def play(self) -> str | None:
        """The whole game, or up to the first newspaper that is held for the host; gives the winner as the daemon wrote it down.
        Raises Stuck."""
        since = self._sign_up()
        while True:
            with self._reading() as connection:
                row = record.load(connection, GAME)
                due = _next_deadline(connection)
                if row.stage in ("over", "cancelled"):
                    break
                assert due is not None
                name, end, turn = str(due["name"]), due["due_at"], int(due["turn"])
                match = record.fold(connection, row)
            if turn > MOST_TURNS:
                raise Stuck("игра не кончается")
            view = View(match.ruleset, match.game, turn)
            # The plan follows from the calendar, not from the wall's pace: the same seed gives the same messages.
            planned = list(self.players.phase(self.house.company, view, name, since + BREATH, end))
            self._perform(planned, turn)
            self.pace.until(end)
            self.pace.wait_for(lambda t=turn, n=name: self._settled(t, n), f"срок «{name}» хода {turn}")  # type: ignore[misc]
            since = end
            self.listener.phase(turn, name, planned, end)
            self._tell(turn)
            if self._held():
                return None
        self._last_words()
        return row.winner

    def _last_words(self) -> None:
        """Wait for what the bot still has to publish when the game is over (the clans' newspaper has its hour)."""
        with self._reading() as connection:
            query = sa.select(sa.func.max(outbox.c.not_before)).where(outbox.c.state == "waiting", outbox.c.priority <= RESULTS)
            last = connection.execute(query).scalar()
        if last is not None:
            self.pace.until(last)
            self.pace.wait_for(self._quiet, "последняя газета")

    def _quiet(self) -> bool:
        """Nothing of weight waits to be sent now."""
        with self._reading() as connection:
            waiting = connection.execute(
                sa.select(sa.func.count())
                .select_from(outbox)
                .where(
                    outbox.c.game_id == GAME,
                    outbox.c.state.in_(("waiting", "sending")),
                    outbox.c.priority <= RESULTS,
                    outbox.c.not_before <= self.house.clock.now(),
                )
            ).scalar_one()
        return int(waiting) == 0

    def _sign_up(self) -> datetime:
        """Gives the moment at which the sign-up closed."""
        house = self.house
        self.pace.wait_for(lambda: house.signup_topic() is not None, "тема записи")
        said = signing_up.sign_ups(house.company, house.frame, "Прохожий")
        self._perform(said, -1)
        seats = signing_up.seats(said)
        self.pace.wait_for(lambda: self._welcomed(len(seats)), "приветственные письма")
        at = house.clock.now()
        letters = []
        for number, seat in enumerate(seats, 1):
            actor = house.company.actors[seat]
            code = house.code_of(actor.uid)
            if actor.mailing and code is not None:
                letters.append(signing_up.proof(house.company, seat, at + timedelta(minutes=2 * number), code))
        self._perform(letters, -1)
        wanted = {house.company.actors[one.author].address for one in letters}
        self.pace.wait_for(lambda: self._proven() >= wanted, "адреса игроков")
        for one in letters:
            house.company.actors[one.author].proven = True
        closes = house.frame.signup_closes.replace(tzinfo=MOSCOW)
        self.pace.until(closes)
        self.pace.wait_for(lambda: self._settled(-1, "signup"), "конец записи")
        self.listener.signed_up(seats, len(said))
        return closes

    def _perform(self, planned: list[Saying], turn: int) -> None:
        """Send everything in its time, edits included."""
        acts: list[tuple[datetime, int, Saying, Callable[[], None]]] = []
        for number, one in enumerate(planned):
            acts.append((one.at, number, one, lambda o=one: self.house.perform(o, turn)))  # type: ignore[misc]
            if one.edit is not None and one.edit_at is not None:
                acts.append((one.edit_at, number, one, lambda o=one: self.house.edit(o)))  # type: ignore[misc]
        for at, _, one, act in sorted(acts, key=lambda act: act[:2]):
            self.pace.until(max(at, self.house.last_minute + timedelta(minutes=1)))
            if one.channel == "post" and one.topic == "day" and turn not in self.house.day_topics:
                self.pace.wait_for(lambda: self._found_topic(turn), f"тема хода {turn}")
            act()
        self.said += planned

    def _found_topic(self, turn: int) -> bool:
        """Whether the turn's topic is open; then players know it, too."""
        with self._reading() as connection:
            topic = connection.execute(
                sa.select(threads.c.topic).where(threads.c.game_id == GAME, threads.c.kind == "day", threads.c.turn == turn)
            ).scalar()
        if topic:
            # uCoz names a topic with its section before it.
            self.house.day_topics[turn] = int(topic.rpartition("-")[2])
        return bool(topic)

    def _settled(self, turn: int, name: str) -> bool:
        """The deadline is resolved, and its texts and results are out."""
        with self._reading() as connection:
            due = connection.execute(
                sa.select(deadlines.c.done_at).where(
                    deadlines.c.game_id == GAME, deadlines.c.turn == turn, deadlines.c.name == name
                )
            ).scalar()
        return due is not None and (self._quiet() or self._held())

    def _held(self) -> bool:
        """Something waits for the host's word, and everything behind it waits, too."""
        held = sa.select(outbox.c.id).where(outbox.c.game_id == GAME, outbox.c.state == "held").limit(1)
        with self._reading() as connection:
            return connection.execute(held).first() is not None

    def _welcomed(self, number: int) -> bool:
        """Everybody has a seat, and the letters about it are out."""
        with self._reading() as connection:
            sitting = sa.select(sa.func.count()).select_from(seats_table).where(seats_table.c.state == "in")
            waiting = sa.select(sa.func.count()).select_from(outbox).where(outbox.c.state.in_(("waiting", "sending")))
            return connection.execute(sitting).scalar_one() == number and connection.execute(waiting).scalar_one() == 0

    def _proven(self) -> set[str]:
        with self._reading() as connection:
            rows = connection.execute(sa.select(holders.c.address).where(holders.c.game_id == GAME)).scalars()
            return {address for address in rows if address}

    def _tell(self, turn: int) -> None:
        with self._reading() as connection:
            row = connection.execute(
                sa.select(turns.c.report, turns.c.closed_at).where(turns.c.game_id == GAME, turns.c.turn == turn)
            ).first()
        if row is not None and row.closed_at is not None:
            self.listener.newspaper(turn, row.report)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        if self._store is None:
            self._store = Store(self.house.database)
        with self._store.read() as connection:
            yield connection

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def _next_deadline(connection: sa.Connection) -> sa.RowMapping | None:
    """The next deadline of the rules; reminders and the like are the daemon's own affair."""
    return (
        connection.execute(
            sa.select(deadlines)
            .where(deadlines.c.game_id == GAME, deadlines.c.done_at.is_(None), deadlines.c.call.in_(("signup", "mark", "close")))
            .order_by(deadlines.c.due_at, deadlines.c.id)
        )
        .mappings()
        .first()
    )
