"""One hosted game: sign-up, dealing, turns, over. Time marks are rows; each is resolved once, in one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from adapters.clock import Clock
from engine.calendar import Due
from engine.messages import Reader
from engine.model import EngineError, Event, Line
from engine.rulesets import ruleset as find_ruleset
from forumbot import __version__, resources
from forumbot.hosting import (
    activity,
    countposts,
    digest,
    forced,
    misplaced,
    newspapers,
    outbox,
    people,
    receipts,
    record,
    seating,
    signup,
    troubles,
    words,
)
from forumbot.hosting.hours import NEWSPAPER, newspaper_waits
from forumbot.hosting.judge import Judge, pending, vanished
from forumbot.hosting.match import SETUP_TURN, Match
from forumbot.hosting.publish import Publisher
from forumbot.hosting.record import GameRow
from forumbot.hosting.seating import Seating
from forumbot.hosting.wire import draw_data, events_data
from forumbot.settings import Game, SitePart
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, games, inputs, threads, turns, verdicts
from forumbot.writing import themes
from forumbot.writing.writer import Writer, gather

ReaderMaker = Callable[[Mapping[str, str], Mapping[str, tuple[str, ...]]], Reader]
"""Makes a reader of texts that knows a game's aliases and the nicks of its seats."""

SIGNUP = "signup"
GIVEN_UP, BY_HOST = "given_up", "host"
"""Why a deadline that was not resolved in time is tried no more; why it is resolved without a complete reading."""
_LATE = timedelta(minutes=15)
"""The host is told of a deadline that was resolved later than that."""


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
    _writer: Writer | None = field(default=None, init=False)
    _kept_reader: tuple[tuple[dict[str, str], dict[str, tuple[str, ...]]], Reader] | None = field(default=None, init=False)

    def settle(self, complete: Callable[[sa.Connection, datetime], bool]) -> datetime | None:
        """Judge what has come and resolve what is due. Gives the moment since which complete readings are wanted, if any.

        ``complete`` tells whether everything was read by readings that began at or after a moment.
        """
        while True:
            try:
                wanted, again = self._settle_once(complete)
            except EngineError as error:
                self.match = None
                if not forced.drop(self.store, self.site, self.id, error, self.clock.now()):
                    raise
                continue
            except BaseException:
                self.match = None
                raise
            if not again:
                return wanted

    def _settle_once(self, complete: Callable[[sa.Connection, datetime], bool]) -> tuple[datetime | None, bool]:
        now = self.clock.now()
        with self.store.write() as connection:
            row = record.load(connection, self.id)
            if row.stage in ("over", "cancelled") or row.paused_at is not None:
                return None, False
            desk = self._desk(connection, row, now)
            due = record.next_deadline(connection, self.id)
            self._judge(desk, None if due is None else due["due_at"])
            if row.stage == "turn" and find_ruleset(row.ruleset).spec.immediate_sections:
                match = self._match(desk)
                day = newspapers.thread_of(connection, row.id, match.turn)
                desk.publisher.at_once(connection, match, day, desk.publisher.facts(match))
            if row.stage == "turn" and countposts.is_wanted(row.config):
                countposts.post(connection, row, desk.publisher, self._match(desk), desk.seats, now)
            if row.stage == "turn" and self._match(desk).stage == "over":
                self._call_off(desk)
                return None, False
            if due is None or due["due_at"] > now:
                return None, False
            if due["call"] in record.REMINDERS:
                if due["call"] == "review":
                    digest.tell_reviews(connection, self.site, row, due, self.zone, now)
                else:
                    self._remind(desk, due)
                _done(connection, due, now)
                return None, True
            if due["held_reason"] != BY_HOST and not complete(connection, due["due_at"]):
                return self._hold(connection, due, now), False
            self._resolve(desk, due)
            _done(connection, due, now)
            troubles.clear_trouble(connection, _hold_key(due))
            self._tell_late(connection, due, now)
        return None, True

    # The stages -------------------------------------------------------------------------------------------------

    def _judge(self, desk: _Desk, before: datetime | None) -> None:
        connection, row = desk.connection, desk.row
        if row.stage == SIGNUP:
            signup.judge(connection, row, desk.seats, self.make_reader, desk.publisher, desk.now, self._is_host, before)
            return
        waiting = pending(connection, self.id, desk.seats, before=before)
        if not waiting:
            return
        match = self._match(desk)
        late = [message for message in waiting if message.thread == SIGNUP]
        if late:
            reader = self.make_reader({}, {})
            signup.judge_late(connection, row, match.turn, desk.seats, reader, desk.publisher, desk.now, self._is_host, late)
        waiting = [message for message in waiting if message.thread != SIGNUP]
        seats = self._renames(desk, waiting)
        judge = Judge(self._reader(seats), self._hosts(row), desk.now)
        sent = _receipts(connection, self.id, match.turn)
        for message in waiting:
            judged = judge.judge(connection, row, match, message)
            seat = message.holder.seat if message.holder else ""
            receipts.answer(connection, desk.publisher, match, seats, judged, sent.get(seat, 0))
            if message.channel != "post":
                sent[seat] = sent.get(seat, 0) + 1
            misplaced.tell(
                connection, self.site, desk.publisher, self._reader(seats), match, judged, seats.names(), desk.now
            )
            private = receipts.untold(judged)
            if private:
                desk.publisher.notices(connection, f"v{judged.verdict_id}", private, desk.publisher.facts(match))

    def _resolve(self, desk: _Desk, due: sa.RowMapping) -> None:
        connection, row = desk.connection, desk.row
        if due["call"] == SIGNUP:
            self._begin(desk, due["due_at"])
            return
        match = self._match(desk)
        self._void_vanished(desk, match)
        if due["call"] == "announce":
            self._announce(desk, match, due["name"], due["due_at"])
            return
        given = record.add_input(connection, row.id, due["call"], match.turn, due["due_at"], {"name": due["name"]})
        turn = match.turn
        events = match.apply(given)
        if due["call"] == "mark":
            desk.publisher.notices(connection, f"t{turn}/{due['name']}", events, desk.publisher.facts(match))
            if turn == SETUP_TURN and match.stage != "setup":
                calendar = match.ruleset.calendar(match.tables)
                opens = calendar.first_open(_dealt_at(connection, row.id), row.config.first_day)
                self._open_turn(desk, match, opens, after=None)
            return
        self._close(desk, match, turn, due["due_at"], events)

    def _begin(self, desk: _Desk, closed: datetime) -> None:
        """Sign-up is over: deal the roles, or say why there is no game."""
        connection, row = desk.connection, desk.row
        thread_id = _thread(connection, row.id, SIGNUP, SETUP_TURN)
        seats = desk.seats
        match = Match.begin(row.ruleset, row.tables, row.seed)
        try:
            given = record.add_input(
                connection, row.id, "deal", SETUP_TURN, closed, {"seats": list(seats.holders)}
            )
            events = match.apply(given)
        except EngineError as error:
            _unwatch(connection, row.id)
            connection.execute(games.update().where(games.c.id == row.id).values(stage="cancelled"))
            facts = desk.publisher.facts(None)
            desk.publisher.public(
                connection, "cancelled", thread_id, "cancelled.j2", facts, count=len(seats.holders), why=error.problem
            )
            return
        people.bring(connection, row, match, seats, closed)
        self.match = match
        calendar = match.ruleset.calendar(match.tables)
        first_open = calendar.first_open(closed, row.config.first_day)
        facts = desk.publisher.facts(match)
        last = desk.publisher.public(connection, "started", thread_id, "started.j2", facts, first_open=first_open)
        desk.publisher.notices(connection, "deal", events, facts, after=last)
        stage = "setup" if match.stage == "setup" else "turn"
        connection.execute(games.update().where(games.c.id == row.id).values(stage=stage))
        if stage == "setup":
            dues = calendar.setup(closed, first_open)
            record.add_deadlines(connection, row.id, SETUP_TURN, dues)
        else:
            # The first day's topic is opened with the day (clans S6), however early the sign-up closed.
            desk.publisher.not_before = first_open
            self._open_turn(desk, match, first_open, after=last)

    def _open_turn(self, desk: _Desk, match: Match, opens: datetime, *, after: str | None) -> None:
        connection, row = desk.connection, desk.row
        turn = match.next_turn()
        last = tuple(match.turn_events)
        given = record.add_input(connection, row.id, "open", turn, opens, {})
        events = match.apply(given)
        connection.execute(turns.insert().values(game_id=row.id, turn=turn, opened_at=opens))
        connection.execute(games.update().where(games.c.id == row.id).values(stage="turn", turn=turn))
        dues = match.ruleset.calendar(match.tables).turn(turn, opens)
        record.add_deadlines(connection, row.id, turn, dues)
        _add_reminders(connection, row, turn, dues, opens)
        made = connection.execute(
            threads.insert().values(game_id=row.id, kind="day", turn=turn, topic=row.config.day_topics.get(turn))
        )
        (thread_id,) = made.inserted_primary_key or (0,)
        marks = {due.name: due.at for due in dues if due.call != "announce"}
        facts = desk.publisher.facts(match, marks)
        desk.publisher.day_topic(connection, turn, thread_id, facts, events, last, after=after)
        desk.publisher.notices(connection, f"t{turn}/open", events, facts, after=after)

    def _close(self, desk: _Desk, match: Match, turn: int, due_at: datetime, events: tuple[Event, ...]) -> None:
        connection, row = desk.connection, desk.row
        lines = [event for event in match.turn_events if isinstance(event, Line)]
        thread_id = _thread(connection, row.id, "day", turn)
        facts = desk.publisher.facts(match)
        calendar = match.ruleset.calendar(match.tables)
        opens = calendar.next_open(turn, due_at)
        stopped = match.ruleset.winner(match.game) is not None and due_at < _planned(connection, row.id, match, turn)
        if stopped:
            outbox.hasten(connection, row.id, desk.now)
        elif newspaper_waits(calendar, turn + 1, opens):
            desk.publisher.not_before = opens
        desk.publisher.release_at = newspapers.release_at(row, due_at, opens, self.zone)
        scene = newspapers.prologue(connection, row, turn, match.turn_events, due_at, self.zone)
        last = desk.publisher.newspaper(connection, newspapers.key_of(turn), thread_id, facts, lines, prologue=scene)
        desk.publisher.notices(connection, f"t{turn}/close", events, facts, after=last)
        connection.execute(
            turns.update()
            .where(turns.c.game_id == row.id, turns.c.turn == turn)
            .values(
                closed_at=due_at,
                names=desk.seats.names(),
                report=self._plain(desk, match, turn, lines),
                events=events_data(match.turn_events),
                draws=[draw_data(draw) for draw in match.chance.record[match.opened_draws :]],
            )
        )
        _unwatch(connection, row.id, "day")
        winner = match.ruleset.winner(match.game)
        if winner is not None:
            self._end(desk, "over", winner)
            return
        self._open_turn(desk, match, opens, after=last)

    def _call_off(self, desk: _Desk) -> None:
        """The host has ended the game before its time: no turn is resolved any more (league: everything is paid back)."""
        match = self._match(desk)
        thread_id = newspapers.thread_of(desk.connection, self.id, match.turn)
        desk.publisher.public(desk.connection, "called_off", thread_id, "called_off.j2", desk.publisher.facts(match))
        self._end(desk, "cancelled", None)

    def _end(self, desk: _Desk, stage: str, winner: str | None) -> None:
        """Nothing is read or resolved any more, and everybody's account has what the game left him."""
        connection = desk.connection
        connection.execute(games.update().where(games.c.id == self.id).values(stage=stage, winner=winner))
        mine = deadlines.c.game_id == self.id, deadlines.c.done_at.is_(None)
        connection.execute(deadlines.update().where(*mine).values(done_at=desk.now))
        _unwatch(connection, self.id)
        people.settle(connection, self.id, desk.now)

    def _announce(self, desk: _Desk, match: Match, name: str, at: datetime) -> None:
        """A published moment inside a turn: the lines that are known so far. The newspaper waits in the outbox already."""
        if name == NEWSPAPER:
            return
        lines = [event for event in match.turn_events if isinstance(event, Line)]
        thread_id = _thread(desk.connection, self.id, "day", match.turn)
        if lines:
            facts = desk.publisher.facts(match)
            desk.publisher.release_at = newspapers.release_at(desk.row, at, at, self.zone)
            desk.publisher.newspaper(desk.connection, f"t{match.turn}/{name}", thread_id, facts, lines)

    # What goes on beside ----------------------------------------------------------------------------------------

    def _remind(self, desk: _Desk, due: sa.RowMapping) -> None:
        if desk.row.stage != "turn":
            return
        match = self._match(desk)
        until = due["due_at"] + timedelta(hours=desk.row.config.remind_hours)
        for seat, owing in activity.due(match, desk.seats.names()).items():
            holder = desk.seats.holders.get(seat)
            if holder is not None:
                desk.publisher.private(
                    desk.connection,
                    f"t{match.turn}/{due['name']}/{seat}",
                    holder,
                    "reminder.j2",
                    desk.publisher.facts(match),
                    priority=outbox.RECEIPTS,
                    due=until,
                    actions=list(owing.actions),
                    activity=owing.activity,
                )

    def _hold(self, connection: sa.Connection, due: sa.RowMapping, now: datetime) -> datetime | None:
        """The deadline is here, but not everything was read. Gives the moment since which a complete reading is wanted; None
        when it has been waited for long enough and the host must decide. He is told when the waiting begins and ends."""
        mine = deadlines.c.id == due["id"]
        if due["held_since"] is None:
            connection.execute(deadlines.update().where(mine).values(held_since=now))
            return due["due_at"]  # type: ignore[no-any-return]
        if due["held_reason"] == GIVEN_UP:
            return None
        held = now - due["held_since"]
        what = f"Игра «{self.id}»: срок «{due['name']}» наступил, но форум или почту не удаётся прочитать целиком"
        if held >= timedelta(hours=self.site.hold_hours):
            connection.execute(deadlines.update().where(mine).values(held_reason=GIVEN_UP))
            text = (
                f"{what} уже {troubles.span(held)}. Бот больше не пробует и ждёт вас: подведите итог по тому, что прочитано, "
                f"действием «подвести сейчас» (forumbot deadline resolve --game {self.id}) или перенесите срок."
            )
            troubles.clear_trouble(connection, _hold_key(due))
            troubles.raise_trouble(connection, self.site, _hold_key(due), text, now, game_id=self.id)
            return None
        if held > timedelta(seconds=max(120.0, 2 * self.site.poll_seconds)):
            text = f"{what}. Бот ждёт и подведёт итог сам, когда всё прочитает; голоса и ходы после срока не считаются."
            troubles.raise_trouble(connection, self.site, _hold_key(due), text, now, game_id=self.id)
        return due["due_at"]  # type: ignore[no-any-return]

    def _tell_late(self, connection: sa.Connection, due: sa.RowMapping, now: datetime) -> None:
        late = now - due["due_at"]
        if late < _LATE or due["call"] == "announce":
            return
        text = (
            f"Игра «{self.id}»: срок «{due['name']}» подведён с опозданием на {troubles.span(late)}. "
            "Засчитано только то, что пришло до срока."
        )
        key = f"late/{_hold_key(due)}"
        troubles.tell_host(connection, self.site, key, "Срок подведён с опозданием", text, now, game_id=self.id)

    def _void_vanished(self, desk: _Desk, match: Match) -> None:
        """Votes whose post is gone from the thread wait for the host; he is told. Words that are gone count no more."""
        for given in words.of_vanished(desk.connection, self.id, match):
            match.apply(given)
        gone = vanished(desk.connection, self.id, match.turn)
        if not gone:
            return
        ids = [verdict_id for verdict_id, _ in gone]
        record.strike(desk.connection, self.id, ids, "сообщение исчезло из темы")
        desk.connection.execute(
            verdicts.update().where(verdicts.c.id.in_(ids)).values(outcome="review", reason="vanished")
        )
        authors = ", ".join(sorted({author for _, author in gone}))
        text = f"Игра «{self.id}»: из темы исчезли сообщения с голосами ({authors}). Голоса не считаются, пока вы не решите."
        key = f"vanished/{self.id}/{','.join(map(str, ids))}"
        troubles.tell_host(desk.connection, self.site, key, "Исчезли голоса", text, desk.now, game_id=self.id)
        match.become(record.fold(desk.connection, desk.row))

    def _renames(self, desk: _Desk, waiting: Iterable[Any]) -> Seating:
        """A known account that writes under a new nick is the same player under his new nick."""
        renamed = False
        for message in waiting:
            holder = message.holder
            if message.channel == "post" and holder is not None and message.author != holder.nick:
                seating.rename(desk.connection, self.id, holder, message.author, desk.now)
                text = f"Игра «{self.id}»: игрок {holder.nick} теперь пишет под ником {message.author}."
                key = f"rename/{self.id}/{holder.seat}/{message.author}"
                troubles.tell_host(desk.connection, self.site, key, "Новый ник", text, desk.now, game_id=self.id)
                renamed = True
        if renamed:
            desk.seats = seating.load(desk.connection, self.id)
        return desk.seats

    # Helpers ----------------------------------------------------------------------------------------------------

    def _desk(self, connection: sa.Connection, row: GameRow, now: datetime) -> _Desk:
        if self._writer is None:
            self._writer = Writer(row.templates, self.zone)
        seats = seating.load(connection, row.id)
        publisher = Publisher(row, self._writer, seats, self.escape, self.max_post, now, self.mail_address)
        return _Desk(connection, row, seats, publisher, now)

    def _match(self, desk: _Desk) -> Match:
        if self.match is None:
            self.match = record.fold(desk.connection, desk.row)
        return self.match

    def _reader(self, seats: Seating) -> Reader:
        """The reader for these nicks; kept, since declining a roster costs more than reading a letter."""
        key = (dict(seats.aliases), seats.nicks())
        if self._kept_reader is None or self._kept_reader[0] != key:
            self._kept_reader = key, self.make_reader(*key)
        return self._kept_reader[1]

    def _plain(self, desk: _Desk, match: Match, turn: int, lines: list[Line]) -> str:
        assert self._writer is not None
        return self._writer.newspaper(desk.publisher.facts(match), lines, desk.seats.names(), lambda text: text)

    def _hosts(self, row: GameRow) -> frozenset[str]:
        return frozenset((*row.config.hosts, self.own_nick))

    def _is_host(self, row: GameRow, nick: str) -> bool:
        return nick in self._hosts(row)


@dataclass(slots=True)
class _Desk:
    """What one transaction of one game works with."""

    connection: sa.Connection
    row: GameRow
    seats: Seating
    publisher: Publisher
    now: datetime


def create(store: Store, config: Game, clock: Clock, writer_zone: str, escape: Callable[[str], str], own: Any = None) -> bool:
    """Enter a game of the host's files into the store, once; its tables and templates are frozen here.

    Gives whether it is new. Raises EngineError for a wrong table.
    """
    now = clock.now()
    with store.read() as connection:
        if connection.execute(sa.select(games.c.id).where(games.c.id == config.id)).first() is not None:
            return False
    rules = find_ruleset(config.ruleset)
    packaged = resources.toml(f"rulesets/{config.ruleset}.toml", own)
    tables = merged(packaged, config.tables)
    rules.tables(packaged, config.tables)
    try:
        templates = gather(config.ruleset, own) | themes.gather(config.theme, own)
    except FileNotFoundError as error:
        raise EngineError("theme", f"нет темы «{config.theme}»; есть: {', '.join(themes.names(own))}") from error
    seed = config.seed if config.seed is not None else secrets.randbits(48)
    closes = _closes(config, tables)
    if closes.tzinfo is None:
        closes = closes.replace(tzinfo=ZoneInfo(writer_zone))
    with store.write() as connection:
        connection.execute(
            games.insert().values(
                id=config.id,
                ruleset=config.ruleset,
                title=config.title,
                config=config.model_dump(mode="json"),
                tables=tables,
                templates=templates,
                seed=seed,
                version=__version__,
                stage=SIGNUP,
                turn=SETUP_TURN,
                created_at=now,
            )
        )
        made = connection.execute(
            threads.insert().values(
                game_id=config.id, kind=SIGNUP, turn=SETUP_TURN, topic=config.signup.topic or None
            )
        )
        (thread_id,) = made.inserted_primary_key or (0,)
        record.add_deadline(connection, config.id, SETUP_TURN, SIGNUP, SIGNUP, closes)
        if not config.signup.topic:
            row = record.load(connection, config.id)
            publisher = Publisher(row, Writer(templates, writer_zone), Seating({}, {}, {}), escape, 10_000, now)
            publisher.topic(
                connection,
                SIGNUP,
                thread_id,
                f"{config.title}. Запись",
                "signup_topic.j2",
                publisher.facts(None),
                closes=closes,
            )
    return True


def _closes(config: Game, tables: Mapping[str, Any]) -> datetime:
    """When the sign-up ends: as the rules' own table says (league ``signup.close_at``), else as the game's file."""
    said = tables.get("signup", {}).get("close_at")
    if isinstance(said, datetime):
        return said
    return datetime.fromisoformat(said) if said else config.signup.closes


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Tables with a host's overrides: a table entry by entry, everything else whole."""
    out = dict(base)
    for key, value in over.items():
        old = out.get(key)
        out[key] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return out


def _add_reminders(connection: sa.Connection, row: GameRow, turn: int, dues: Sequence[Due], opens: datetime) -> None:
    """Before each mark of the turn: the players who owe a move, and the host who owes a decision, are reminded."""
    wanted = {"remind": row.config.remind_hours, "review": row.config.review_hours}
    marks = find_ruleset(row.ruleset).spec.reminded
    for call, ahead in wanted.items():
        for due in dues:
            at = due.at - timedelta(hours=ahead)
            if ahead and due.call != "announce" and (not marks or due.name in marks) and at > opens:
                record.add_deadline(connection, row.id, turn, f"{call}/{due.name}", call, at)


def _done(connection: sa.Connection, due: sa.RowMapping, now: datetime) -> None:
    connection.execute(deadlines.update().where(deadlines.c.id == due["id"]).values(done_at=now))


def _hold_key(due: sa.RowMapping) -> str:
    return f"hold/{due['game_id']}/{due['turn']}/{due['name']}"


def _thread(connection: sa.Connection, game_id: str, kind: str, turn: int) -> int:
    found = connection.execute(
        sa.select(threads.c.id).where(threads.c.game_id == game_id, threads.c.kind == kind, threads.c.turn == turn)
    ).scalar_one()
    return int(found)


def _dealt_at(connection: sa.Connection, game_id: str) -> datetime:
    """When the sign-up closed and the roles were dealt."""
    found: datetime = connection.execute(
        sa.select(inputs.c.at).where(inputs.c.game_id == game_id, inputs.c.kind == "deal")
    ).scalar_one()
    return found


def _planned(connection: sa.Connection, game_id: str, match: Match, turn: int) -> datetime:
    """When the calendar would close this turn; a game that ends before that was stopped by the host."""
    opened: datetime = connection.execute(
        sa.select(turns.c.opened_at).where(turns.c.game_id == game_id, turns.c.turn == turn)
    ).scalar_one()
    return match.ruleset.calendar(match.tables).turn(turn, opened)[-1].at


def _unwatch(connection: sa.Connection, game_id: str, *kinds: str) -> None:
    """Threads of these kinds (all without any) are not read any more. The sign-up is read on: somebody may want to stand in."""
    mine = threads.c.game_id == game_id, threads.c.kind.in_(kinds or ("day", SIGNUP))
    connection.execute(threads.update().where(*mine).values(watched=False))


def _receipts(connection: sa.Connection, game_id: str, turn: int) -> dict[str, int]:
    rows = connection.execute(
        sa.select(verdicts.c.seat, sa.func.count())
        .where(verdicts.c.game_id == game_id, verdicts.c.turn == turn, verdicts.c.channel != "post")
        .group_by(verdicts.c.seat)
    ).all()
    return {str(seat): int(count) for seat, count in rows if seat is not None}


