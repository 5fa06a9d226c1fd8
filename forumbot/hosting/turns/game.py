"""One hosted game: sign-up, dealing, turns, over. Time marks are rows; each is resolved once, in one transaction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any

import sqlalchemy as sa

from adapters.clock import Clock
from engine.messages import Reader
from engine.model import EngineError, Event
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import budget, forced, isolation, keys, record, seating, troubles
from forumbot.hosting.core.acting import Voice
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import SIGNUP, GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.inbox import digest, inquiries, misplaced, questions, receipts, rollcall, signup, vanishing
from forumbot.hosting.inbox.arrivals import Pending, pending
from forumbot.hosting.inbox.judge import Judge, Judged, keep
from forumbot.hosting.publish import countposts, newspapers
from forumbot.hosting.turns import closing, dealing, holding, opening, reminding, rereading, teaching, untold
from forumbot.reading import Taught
from forumbot.settings import SitePart
from forumbot.store.database import Store
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import deadlines, verdicts
from forumbot.writing.writer import Writer, shared

ReaderMaker = Callable[[Mapping[str, str], Mapping[str, tuple[str, ...]], Sequence[Taught]], Reader]
"""Makes a reader of texts that knows a game's aliases, the nicks of its seats and what its host has taught."""


class _Then(Enum):
    """When the next look at a game is due."""

    LATER = "later"
    AGAIN = "again"
    """In a transaction of its own."""
    AT_ONCE = "at_once"
    """In the same one: what was done has changed nothing of the game."""


@dataclass(slots=True)
class HostedGame:
    """The state machine of one game. It owns no network: what came in is in the store, what goes out stays there."""

    id: str
    store: Store
    clock: Clock
    site: SitePart
    make_reader: ReaderMaker
    escape: Callable[[str], str]
    max_post: int
    zone: str
    mail_address: str = ""
    own_nick: str = ""
    match: Match | None = field(default=None, init=False)
    unfinished: bool = field(default=False, init=False)
    """Messages are left that cost too much to be judged at the last settling."""
    _writer: Writer | None = field(default=None, init=False)
    _kept_reader: tuple[object, Reader] | None = field(default=None, init=False)
    _taught: Sequence[Taught] = field(default=(), init=False)
    """The words that the host has explained so far."""

    def settle(self, complete: Callable[[sa.Connection, datetime], bool], *, tried: bool = False) -> datetime | None:
        """Judge what has come and resolve what is due. Gives the moment since which complete readings are wanted, if any.

        ``complete`` tells whether everything was read by readings that began at or after a moment; ``tried``, whether such
        readings were tried just now.
        """
        self.unfinished = False
        while True:
            try:
                wanted, then = self._settle_once(complete, tried)
            except EngineError as error:
                self.match = None
                if not forced.drop(self.store, self.site, self.id, error, self.clock.now()):
                    raise
                continue
            except BaseException:
                self.match = None
                raise
            if then is _Then.LATER:
                return wanted

    def _settle_once(
        self, complete: Callable[[sa.Connection, datetime], bool], tried: bool
    ) -> tuple[datetime | None, _Then]:
        """One transaction: whatever was reminded of on the way has its place in it, too."""
        then = _Then.AT_ONCE
        with self.store.write() as connection:
            while then is _Then.AT_ONCE:
                wanted, then = self._look(connection, complete, tried)
        return wanted, then

    def _look(
        self, connection: sa.Connection, complete: Callable[[sa.Connection, datetime], bool], tried: bool
    ) -> tuple[datetime | None, _Then]:
        """Messages first, then the deadline that is due first."""
        now = self.clock.now()
        row = record.load(connection, self.id)
        if row.stage in ("over", "cancelled") or row.paused_at is not None:
            return None, _Then.LATER
        sitting = self._sitting(connection, row, now)
        if row.stage == "turn" and opening.put_off(sitting, self._match(sitting)):
            self.match = None
            return None, _Then.AGAIN
        due = record.next_deadline(connection, self.id)
        self.unfinished = not self._judge(sitting, None if due is None else due["due_at"])
        if self.unfinished:
            return None, _Then.LATER
        if row.stage == "turn" and find_ruleset(row.ruleset).spec.immediate_sections:
            match = self._match(sitting)
            day = newspapers.thread_of(connection, row.id, match.turn)
            sitting.publisher.at_once(connection, match, day, sitting.publisher.facts(match))
        if row.stage == "turn" and countposts.is_wanted(row.config):
            countposts.post(connection, row, sitting.publisher, self._match(sitting), sitting.seats, now)
        if row.stage == "turn" and self._match(sitting).stage == "over":
            closing.call_off(sitting, self._match(sitting))
            return None, _Then.LATER
        if due is None or due["due_at"] > now:
            return None, _Then.LATER
        if due["call"] in record.REMINDERS:
            if due["call"] == "review":
                digest.tell_reviews(connection, self.site, row, due, self.zone, now)
            elif row.stage == "turn":
                reminding.remind(sitting, self._match(sitting), due)
            _done(connection, due, now)
            return None, _Then.AT_ONCE
        read = complete(connection, due["due_at"]) and not opening.is_unsure(connection, self.id, due["turn"])
        if due["held_reason"] != holding.BY_HOST and not read:
            return holding.hold(connection, self.site, due, now, tried=tried), _Then.LATER
        self._resolve(sitting, due)
        _done(connection, due, now)
        holding.over(connection, self.site, due, now)
        return None, _Then.AGAIN

    # The stages -------------------------------------------------------------------------------------------------

    def _judge(self, sitting: Sitting, before: datetime | None) -> bool:
        """Judge what waits; gives whether nothing is left, for what costs too much at once is spread over several ticks."""
        connection, row = sitting.connection, sitting.row
        if row.stage == SIGNUP:
            signup.judge(sitting, self._careful({}, {}), self._is_host, before)
            vanishing.signups(sitting)
            if row.config.signup.running_list:
                rollcall.refresh(sitting)
            return True
        if rereading.is_asked(connection, self.id):
            voice = Voice(self.escape, self.max_post, self.zone, self.mail_address)
            rereading.run(sitting, self._match(sitting), self._reader(sitting.seats), self._hosts(row), voice)
        waiting = pending(connection, self.id, sitting.seats, before=before)
        if not waiting:
            return True
        match = self._match(sitting)
        late = [message for message in waiting if message.thread == SIGNUP]
        if late:
            signup.judge_late(sitting, match.turn, self._careful({}, {}), self._is_host, late)
        waiting = [message for message in waiting if message.thread != SIGNUP]
        self._renames(sitting, waiting)
        sent = _receipts(connection, self.id, match.turn)
        began = time.thread_time()
        for message in waiting:
            if time.thread_time() - began > budget.SITTING_SECONDS:
                return False
            if not isolation.alone(connection, message.source, partial(self._take, sitting, match, message, sent)):
                match.become(record.fold(connection, row))
                keep(connection, row.id, match.turn, message, isolation.UNREAD, sitting.now)
                isolation.tell(connection, self.site, row.id, match.turn, message.author, sitting.now)
        return True

    def _take(self, sitting: Sitting, match: Match, message: Pending, sent: dict[str, int]) -> None:
        """Judge one message, and tell whoever must know of it. ``sent``: how many letters of a seat were answered."""
        connection, seats, publisher = sitting.connection, sitting.seats, sitting.publisher
        reader = self._reader(seats)
        judged = Judge(reader, self._hosts(sitting.row), sitting.now).judge(connection, sitting.row, match, message)
        seat = message.holder.seat if message.holder else ""
        asked = inquiries.asked(message, list(seats.names().values()))
        passed_on = questions.hear(sitting, match, judged, asked)
        status = self._status(sitting, seats, judged, asked.asks) if asked.asks else None
        told = sent.get(seat, 0)
        asked_of = receipts.put_to_player(connection, sitting.row, match, judged, told, sitting.now)
        more: dict[str, Any] = {"status": status, "to_host": passed_on, "offers": asked_of}
        receipts.answer(connection, publisher, match, seats, judged, told, **more)
        if told == receipts.RECEIPTS_A_TURN and message.holder is not None and message.channel != "post":
            text = (
                f"{message.holder.nick}: больше {told} сообщений за один ход. Бот читает и следующие, но уже не отвечает на них; "
                "если это не шутка программы, спросите игрока."
            )
            key = f"{sitting.row.id}/cap/{match.turn}/{seat}"
            troubles.tell_host(connection, self.site, key, "Слишком много писем", text, sitting.now, game_id=sitting.row.id)
        if message.channel != "post":
            sent[seat] = sent.get(seat, 0) + 1
        if message.author not in self._hosts(sitting.row):
            misplaced.outsider(connection, self.site, match, self.id, message, sitting.now)
        misplaced.tell(connection, self.site, publisher, reader, match, judged, seats.names(), sitting.now)
        private = receipts.untold(judged)
        if private:
            publisher.notices(connection, f"v{judged.verdict_id}", private, publisher.facts(match))
        if judged.verdict.reason == isolation.TOO_COMPLICATED:
            isolation.tell(connection, self.site, self.id, match.turn, message.author, sitting.now)

    def _status(self, sitting: Sitting, seats: Seating, judged: Judged, kinds: Sequence[str]) -> Mapping[str, Any] | None:
        """What a proven player asked of himself, answered in the light of what he may know."""
        holder = judged.pending.holder
        if holder is None:
            return None
        reader, eve = self._reader(seats), judged.light is not self.match
        asking = inquiries.Asking(
            sitting.connection, sitting.row, judged.light, eve, holder.seat, seats.names(), reader, sitting.writer,
            judged.pending.at,
        )  # fmt: skip
        return inquiries.answer(asking, kinds)

    def _resolve(self, sitting: Sitting, due: Row) -> None:
        connection, row = sitting.connection, sitting.row
        if due["call"] == SIGNUP:
            self.match = dealing.deal(sitting, due["due_at"])
            return
        match = self._match(sitting)
        vanishing.void(sitting, match)
        if due["call"] == "announce":
            closing.announce(sitting, match, due["name"], due["due_at"])
            return
        turn = match.turn
        events = _call(connection, row, match, due)
        if due["call"] == "mark":
            sitting.publisher.notices(connection, f"t{turn}/{due['name']}", events, sitting.publisher.facts(match))
            untold.tell_host(sitting, match)
            if turn == SETUP_TURN and match.stage != "setup":
                dealing.end_setup(sitting, match)
            return
        closing.close(sitting, match, turn, due["due_at"], events)

    # What goes on beside ----------------------------------------------------------------------------------------

    def _renames(self, sitting: Sitting, waiting: Iterable[Any]) -> Seating:
        """A known account that writes under a new nick is the same player under his new nick."""
        for message in waiting:
            # Who has just been renamed has the new nick already, and nobody else may take it in the same sitting.
            holder = None if message.holder is None else sitting.seats.holders.get(message.holder.seat)
            if message.channel == "post" and holder is not None and message.author != holder.nick:
                twin = seating.twin(sitting.seats, message.author, but=holder.seat)
                host = seating.host_alike(message.author, (*self._hosts(sitting.row), self.site.host_nick))
                if twin is not None or host is not None:
                    whose = f"ведущего {host}" if twin is None else f"игрока {twin}"
                    text = (
                        f"Игра «{self.id}»: игрок {holder.nick} пишет под ником {message.author}, неотличимым от ника {whose}. "
                        f"Бот зовёт его по-прежнему {holder.nick}; договоритесь с ним о другом нике."
                    )
                    key = f"twin/{self.id}/{holder.seat}/{message.author}"
                    troubles.tell_host(sitting.connection, self.site, key, "Похожий ник", text, sitting.now, game_id=self.id)
                    continue
                seating.rename(sitting.connection, self.id, holder, message.author, sitting.now)
                text = f"Игра «{self.id}»: игрок {holder.nick} теперь пишет под ником {message.author}."
                key = f"rename/{self.id}/{holder.seat}/{message.author}"
                troubles.tell_host(sitting.connection, self.site, key, "Новый ник", text, sitting.now, game_id=self.id)
                sitting.seats = seating.load(sitting.connection, self.id)
        return sitting.seats

    # Helpers ----------------------------------------------------------------------------------------------------

    def _sitting(self, connection: sa.Connection, row: GameRow, now: datetime) -> Sitting:
        if self._writer is None:
            self._writer = shared(row.templates, self.zone)
        seats = seating.load(connection, row.id)
        self._taught = teaching.words(connection, row.id)
        publisher = Publisher(row, self._writer, seats, self.escape, self.max_post, now, self.mail_address)
        publisher.behind = keys.awaited(connection, row.id)
        return Sitting(connection, row, seats, publisher, self._writer, self.site, self.zone, now)

    def _match(self, sitting: Sitting) -> Match:
        if self.match is None:
            self.match = record.fold(sitting.connection, sitting.row)
        return self.match

    def _reader(self, seats: Seating) -> Reader:
        """The reader for these nicks; kept, since declining a roster costs more than reading a letter."""
        key = (dict(seats.aliases), seats.nicks(), tuple(self._taught))
        if self._kept_reader is None or self._kept_reader[0] != key:
            self._kept_reader = key, self._careful(*key)
        return self._kept_reader[1]

    def _careful(
        self, aliases: Mapping[str, str], nicks: Mapping[str, tuple[str, ...]], taught: Sequence[Taught] = ()
    ) -> Reader:
        return isolation.Careful(self.make_reader(aliases, nicks, taught))

    def _hosts(self, row: GameRow) -> frozenset[str]:
        return frozenset((*row.config.hosts, self.own_nick))

    def _is_host(self, row: GameRow, nick: str) -> bool:
        return nick in self._hosts(row)


def _call(connection: sa.Connection, row: GameRow, match: Match, due: Row) -> tuple[Event, ...]:
    """Fold the call of a deadline in. A mark that was opened again, and whose hour is over, stands before what came after that
    hour."""
    turn, at, named = match.turn, due["due_at"], {"name": due["name"]}
    place = record.place_for(connection, row.id, turn, at - timedelta.resolution) if due["call"] == "mark" else None
    given = record.add_input(connection, row.id, due["call"], turn, at, named, seq=place)
    if place is None:
        return match.apply(given)
    match.become(record.fold(connection, row))
    return record.events_of(connection, row, given)


_DONE = Prepared(deadlines.update().where(deadlines.c.id == sa.bindparam("due")).values(done_at=sa.bindparam("done_at")))


def _done(connection: sa.Connection, due: Row, now: datetime) -> None:
    _DONE.run(connection, due=due["id"], done_at=now)


_RECEIPTS = Prepared(
    sa.select(verdicts.c.seat, sa.func.count())
    .where(verdicts.c.game_id == sa.bindparam("game"), verdicts.c.turn == sa.bindparam("turn"), verdicts.c.channel != "post")
    .group_by(verdicts.c.seat)
)


def _receipts(connection: sa.Connection, game_id: str, turn: int) -> dict[str, int]:
    rows = _RECEIPTS.lists(connection, game=game_id, turn=turn)
    return {str(seat): int(count) for seat, count in rows if seat is not None}
