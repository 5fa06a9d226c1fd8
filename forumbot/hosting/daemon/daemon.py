"""The daemon: one loop that reads, settles every game and sends. It may be killed at any instruction and started again."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

import sqlalchemy as sa
import structlog

from adapters.clock import Clock
from adapters.errors import OutsideError
from adapters.forum import Attended, Forum
from adapters.mailbox import Mailbox, Outgoing
from engine.model import EngineError
from forumbot.hosting.acts import acts, gamesettings, lookups
from forumbot.hosting.core import record, troubles
from forumbot.hosting.core.notify import Pulse
from forumbot.hosting.core.stirring import ROUND, Stirring
from forumbot.hosting.daemon.sending import Sender
from forumbot.hosting.inbox import digest, letterbox
from forumbot.hosting.inbox.intake import Intake, complete_since
from forumbot.hosting.people import forgetting, genders, sections
from forumbot.hosting.publish import finances, newspapers
from forumbot.hosting.turns import entering
from forumbot.hosting.turns.game import HostedGame, ReaderMaker
from forumbot.hosting.turns.polling import IDLE_MINUTES as IDLE_MINUTES
from forumbot.hosting.turns.polling import Poller
from forumbot.settings import Game, Site
from forumbot.store.atwork import LIVE_GAME, OPEN_DEADLINE, one_of
from forumbot.store.database import Store, StoreError
from forumbot.store.prepared import Prepared
from forumbot.store.tables import bookings, deadlines, games

log = structlog.get_logger("forumbot.daemon")

_LAST_BOOKING = Prepared(sa.select(sa.func.max(bookings.c.id)))
LEEWAY = timedelta(seconds=45)
"""Before a deadline nothing is sent for so long: about as long as a server may take to answer at all."""
MOST_SKEW = timedelta(minutes=2)
"""The host is told when our clock and the forum's differ by more; forums round and answers take their time."""
SURELY_WELL = timedelta(seconds=90)
"""He is told anew only when they had come as near as this meanwhile: a clock at the limit is now here and now there."""


_PLAYED = (
    sa.select(deadlines.c.due_at, deadlines.c.held_since)
    .join(games, games.c.id == deadlines.c.game_id)
    .where(OPEN_DEADLINE, one_of(deadlines.c.call, *record.RESOLVING), LIVE_GAME, games.c.paused_at.is_(None))
    .order_by(deadlines.c.due_at)
)
_HERE = Prepared(_PLAYED.where(deadlines.c.due_at > sa.bindparam("since"), deadlines.c.due_at <= sa.bindparam("now")))
_TO_COME = Prepared(_PLAYED.where(deadlines.c.due_at > sa.bindparam("now")).limit(1))


class Locked(Exception):
    """Another daemon works on this database; the text is one Russian sentence."""


class Lock:
    """One daemon a database: an advisory lock on a file beside it, given back by the system when the process ends."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_suffix(".lock")
        self._file: IO[str] | None = None

    def __enter__(self) -> Lock:
        file = self._path.open("a+", encoding="ascii")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise Locked(f"С этой базой уже работает другой forumbot ({self._path}): остановите его") from error
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        self._file = file
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


class Daemon:
    """Everything that runs on one site. ``tick`` does whatever is due now and returns; nothing else keeps time."""

    def __init__(
        self,
        site: Site,
        store: Store,
        clock: Clock,
        forum: Forum,
        mailbox: Mailbox | None,
        outgoing: Outgoing | None,
        make_reader: ReaderMaker,
    ) -> None:
        self._alive = Pulse(clock)
        """A tick of many games or pages may be long."""
        if isinstance(forum, Attended):
            forum.attend(self._alive)
        self._site = site
        self._store = store
        self._clock = clock
        self._forum = forum
        self._make_reader = make_reader
        mail = site.mail_settings()
        self._mail_address = mail.address if mail else ""
        self._intake = Intake(store, clock, forum, mailbox, mail, list_first=site.forum.list_first)
        self._poller = Poller(site, store, clock, self._intake)
        self._stirring = Stirring()
        self._sender = Sender(store, clock, site.site, forum, outgoing, mail)
        self._games: dict[str, HostedGame] = {}
        self._well: set[str] = set()
        """Games that were settled without an error of the program since the start, or since the last such error."""
        self._faulty: set[str] = set()
        """Keys of the steps of a tick that met an error of the program when they were last done."""
        self._retry_at: datetime | None = None
        self._forgot_at: datetime | None = None
        self._introduced_at: datetime | None = None
        """When last nobody was left, or could be asked, whose page on the forum was not seen yet."""
        self._booked: int | None = None
        """The last booking that the topics of accounts know of."""
        self._digest_at: datetime | None = None
        self._clock_well = False
        """Whether nothing stands of a clock that goes wrong."""

    def hear_of_mail(self) -> None:
        """A letter may have come: the next tick reads the mailbox, whenever it was read last. The forum keeps its pace."""
        self._poller.hear_of_mail()

    def adopt(self, configs: tuple[Game, ...]) -> None:
        """Enter new games of the host's files. A game whose tables are wrong is told to the host and left out."""
        zone, own = self._site.forum.zone, self._site.site.own
        for config in configs:
            try:
                if entering.create(self._store, config, self._clock, zone, self._forum.escape, own):
                    log.info("game_created", game=config.id, ruleset=config.ruleset)
                else:
                    self._compare(config)
            except EngineError as error:
                sentence = f"Игра «{config.id}»: таблица {error.place}: {error.problem}"
                log.error("game_refused", game=config.id, place=error.place)
                with self._store.write() as connection:
                    troubles.raise_trouble(
                        connection, self._site.site, f"tables/{config.id}", sentence, self._clock.now(), game_id=None
                    )

    def _compare(self, config: Game) -> None:
        """A file that says otherwise than its running game is told to the host: editing it changes nothing by itself."""
        key = f"settings/{config.id}"
        with self._store.write() as connection:
            found = gamesettings.of_file(connection, config)
            if not found:
                troubles.clear_trouble(connection, key)
                return
            listed = "; ".join(one.sentence() for one in found)
            text = f"Игра «{config.id}» уже идёт, и её файл с тех пор изменён: {listed}."
            troubles.raise_trouble(connection, self._site.site, key, text, self._clock.now(), game_id=config.id)

    def tick(self) -> None:
        """Read what is to be read, settle the games on which something has fallen, send what waits."""
        self._step("lookups", self._look_up)
        touched = acts.execute(self._store, self._clock.now(), self._voice())
        for game_id in touched:
            # The past of the game may have changed: it is folded anew.
            if game_id in self._games:
                self._games[game_id].match = None
        self._stirring.stir(touched)
        self._poll()
        self._tell_skew()
        self._route()
        self._read_for_deadlines({game.id: moment for game in self._stirred() if (moment := self._settle(game)) is not None})
        self._step("release", self._release)
        self._step("digest", self._digest)
        self._step("forget", self._forget)
        self._step("genders", self._introduce)
        self._step("accounts", self._accounts)
        self._sender.run(self._site.forum.flood_interval, self._pressed())

    def _read_for_deadlines(self, wanted: Mapping[str, datetime]) -> None:
        """Games whose deadlines wait for complete readings that began at or after these moments: read what they rest on, as soon
        as that can be, and settle them."""
        now = self._clock.now()
        since = {game_id: at for game_id, moment in wanted.items() if (at := self._readable(moment)) <= now}
        if not since or not self._may_retry():
            return
        self._poll(whole=True, since=since)
        self._route()
        self._stirring.stir(since)
        for game in self._stirred():
            self._settle(game, tried=game.id in since)

    def _poll(self, *, whole: bool = False, since: Mapping[str, datetime] | None = None) -> None:
        """Read what is due; or the ``whole`` of what deadlines rest on (``since``: of which games, and from when on a reading of
        each counts; by itself of all games, and now)."""
        if not whole:
            self._poller.poll()
            return
        if since is None:
            with self._store.read() as connection:
                since = dict.fromkeys(record.live_games(connection), self._clock.now())
        self._poller.read_whole(since)

    def _step(self, name: str, work: Callable[[], None]) -> None:
        """One of the things that a tick does beside reading, settling and sending: a fault in it stops no other."""
        try:
            work()
        except (StoreError, OutsideError):
            raise
        except Exception:
            log.exception("step_failed", step=name)
            text = "Часть работы бота остановилась из-за ошибки программы; подробности в журнале бота, игры идут дальше."
            self._trouble(f"step/{name}", text)
        else:
            if f"step/{name}" in self._faulty:
                self._faulty.discard(f"step/{name}")
                with self._store.write() as connection:
                    troubles.clear_trouble(connection, f"step/{name}")

    def _trouble(self, key: str, text: str) -> None:
        self._faulty.add(key)
        with self._store.write() as connection:
            troubles.raise_trouble(connection, self._site.site, key, text, self._clock.now())

    def _look_up(self) -> None:
        lookups.run(self._store, self._clock.now(), self._forum.profile, self._site.forum.zone)

    def _release(self) -> None:
        now = self._clock.now()
        with self._store.read() as connection:
            if not newspapers.to_release(connection, now) and not troubles.is_to_tell(connection, now):
                return
        with self._store.write() as connection:
            newspapers.release_due(connection, now)
            troubles.tell_due(connection, self._site.site, now)

    def _digest(self) -> None:
        """Once a minute: daily letters whose hour has come, and troubles that are over for long are forgotten."""
        now = self._clock.now()
        if self._digest_at is not None and timedelta() <= now - self._digest_at < ROUND:
            return
        with self._store.write() as connection:
            digest.send_due(connection, self._site.site, self._site.forum.zone, now)
            troubles.tell_due(connection, self._site.site, now)
        self._digest_at = now

    def _pressed(self) -> Callable[[], bool]:
        """Tells whether a deadline is at hand: what is begun then, and drawn out by a slow server, might delay it (T59).

        It is so from shortly before the deadline until its first complete reading can begin, and no longer: while a deadline
        is held, or its game broken, the rest goes on. The database is asked once, when it is first to be told.
        """
        until: datetime | None = None

        def pressed() -> bool:
            nonlocal until
            if until is None:
                until = self._free_until()
            return self._clock.now() >= until

        return pressed

    def _free_until(self) -> datetime:
        """When the next deadline is at hand; a moment that is over while one is."""
        now = self._clock.now()
        wait = self._readable(now) - now
        with self._store.read() as connection:
            here = _HERE.lists(connection, since=now - max(wait, LEEWAY), now=now)
            for due_at, held_since in [*here, *_TO_COME.lists(connection, now=now)]:
                if due_at > now or due_at > now - wait or held_since is None:
                    return datetime.min.replace(tzinfo=UTC) if due_at <= now + LEEWAY else due_at - LEEWAY
        return datetime.max.replace(tzinfo=UTC)

    def _introduce(self) -> None:
        """The page of one new player a tick, while no deadline is at hand."""
        now, pause = self._clock.now(), timedelta(seconds=self._site.site.poll_seconds)
        if self._introduced_at is not None and timedelta() <= now - self._introduced_at < pause:
            return
        if self._pressed()():
            return
        if not genders.look_up(self._store, self._forum.profile):
            self._introduced_at = now

    def _accounts(self) -> None:
        """The topics of accounts, as soon as something was booked; at a start they are looked at once."""
        with self._store.read() as connection:
            last = _LAST_BOOKING.value(connection) or 0
        if last == self._booked:
            return
        with self._store.write() as connection:
            zone, forum = self._site.forum.zone, self._forum
            finances.refresh(connection, zone, forum.escape, forum.max_post, self._clock.now())
        self._booked = last

    def _forget(self) -> None:
        """Once a day: addresses of games that are long over."""
        now = self._clock.now()
        if self._forgot_at is not None and timedelta() <= now - self._forgot_at < timedelta(days=1):
            return
        self._forgot_at = now
        with self._store.write() as connection:
            forgotten = forgetting.forget_due(connection, self._site.site.forget_days, now)
        if forgotten:
            log.info("addresses_forgotten", games=forgotten)

    def _voice(self) -> acts.Voice:
        forum, site = self._forum, self._site
        asks = forum.profile, sections.titles(forum)
        return acts.Voice(forum.escape, forum.max_post, site.forum.zone, self._mail_address, site.site.own, *asks)

    def _stirred(self) -> list[HostedGame]:
        """The games to settle now."""
        now = self._clock.now()
        with self._store.read() as connection:
            if self._stirring.is_round(now):
                # A game that is over gives its memory back: the bot runs for months.
                live = record.live_games(connection)
                self._games = {game_id: self._games[game_id] for game_id in live if game_id in self._games}
            return [self._game(game_id) for game_id in self._stirring.look(connection, now)]

    def _game(self, game_id: str) -> HostedGame:
        if game_id not in self._games:
            self._games[game_id] = HostedGame(
                game_id,
                self._store,
                self._clock,
                self._site.site,
                self._make_reader,
                self._forum.escape,
                self._forum.max_post,
                self._site.forum.zone,
                self._mail_address,
                self._site.forum.user,
            )
        return self._games[game_id]

    def _settle(self, game: HostedGame, *, tried: bool = False) -> datetime | None:
        def complete(connection: sa.Connection, moment: datetime) -> bool:
            since, mail = self._readable(moment), bool(self._mail_address)
            return complete_since(connection, game.id, since, self._clock.now(), mail=mail)

        self._alive()
        try:
            wanted = game.settle(complete, tried=tried)
        except StoreError:
            raise
        except Exception:
            # One broken game must not stop the others; it is tried again at the next tick and the host is told.
            log.exception("game_failed", game=game.id)
            self._stirring.stir((game.id,))
            self._well.discard(game.id)
            text = f"Игра «{game.id}» остановилась из-за ошибки программы; подробности в журнале бота, ничего не потеряно."
            with self._store.write() as connection:
                troubles.raise_trouble(
                    connection, self._site.site, f"failed/{game.id}", text, self._clock.now(), game_id=game.id
                )
            return None
        if game.id not in self._well:
            with self._store.write() as connection:
                troubles.clear_trouble(connection, f"failed/{game.id}")
            self._well.add(game.id)
        if game.unfinished:
            self._stirring.stir((game.id,))
        return wanted

    def _route(self) -> None:
        self._stirring.stir(letterbox.route_all(self._store, self._site, self._clock.now()))

    def _may_retry(self) -> bool:
        """Whether a complete reading for a deadline is to be tried now: at once, then at the usual pace."""
        now = self._clock.now()
        pause = timedelta(seconds=self._site.site.poll_seconds / 4)
        if self._retry_at is not None and timedelta() < self._retry_at - now <= pause:
            return False
        self._retry_at = now + pause
        return True

    def _readable(self, moment: datetime) -> datetime:
        """From when on, by our clock, everything that the forum took before ``moment`` by its clock can be read."""
        return moment + timedelta(seconds=self._site.site.grace_seconds) + max(timedelta(), self._intake.skew)

    def _tell_skew(self) -> None:
        """The host hears of a clock that goes wrong: ours decides when a deadline is there, the forum's what came before."""
        skew = self._intake.skew
        if abs(skew) < MOST_SKEW:
            if abs(skew) < SURELY_WELL and not self._clock_well:
                with self._store.write() as connection:
                    troubles.clear_trouble(connection, "clock")
                self._clock_well = True
            return
        self._clock_well = False
        words = f"{'спешат' if skew > timedelta() else 'отстают'} на {troubles.span(abs(skew))}"
        text = f"Часы сервера {words} против часов форума. Проверьте время на сервере («timedatectl»); бот ждёт по обоим."
        with self._store.write() as connection:
            troubles.raise_trouble(connection, self._site.site, "clock", text, self._clock.now())
