"""The daemon: one loop that reads, settles every game and sends. It may be killed at any instruction and started again."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO

import sqlalchemy as sa
import structlog

from adapters.clock import Clock
from adapters.errors import OutsideError
from adapters.forum import Forum
from adapters.mailbox import Mailbox, Outgoing
from engine.model import EngineError
from forumbot.hosting import (
    acts,
    digest,
    entering,
    forgetting,
    gamesettings,
    genders,
    letterbox,
    lookups,
    newspapers,
    record,
    troubles,
)
from forumbot.hosting.game import HostedGame, ReaderMaker
from forumbot.hosting.intake import Intake, Trouble, complete_since
from forumbot.hosting.sending import Sender
from forumbot.settings import Game, Site
from forumbot.store.database import Store, StoreError
from forumbot.store.tables import deadlines, games, outbox, places, threads

log = structlog.get_logger("forumbot.daemon")

LEEWAY = timedelta(seconds=45)
"""Before a deadline nothing is sent for so long: about as long as a server may take to answer at all."""
MOST_SKEW = timedelta(minutes=2)
"""The host is told when our clock and the forum's differ by more; forums round and answers take their time."""
SURELY_WELL = timedelta(seconds=90)
"""He is told anew only when they had come as near as this meanwhile: a clock at the limit is now here and now there."""
IDLE_MINUTES = 30
"""How often the sign-up thread of a running game is looked at: only the waiting list grows there."""


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
        self._site = site
        self._store = store
        self._clock = clock
        self._forum = forum
        self._make_reader = make_reader
        mail = site.mail_settings()
        self._mail_address = mail.address if mail else ""
        self._intake = Intake(store, clock, forum, mailbox, mail, list_first=site.forum.list_first)
        self._sender = Sender(store, clock, site.site, forum, outgoing, mail)
        self._games: dict[str, HostedGame] = {}
        self._well: set[str] = set()
        """Games that were settled without an error of the program since the start, or since the last such error."""
        self._faulty: set[str] = set()
        """Keys of the steps of a tick that met an error of the program when they were last done."""
        self._failing: dict[str, str] = {}
        """Thread, "pm" or "mail" -> why its last reading failed."""
        self._wanted: datetime | None = None
        """Complete readings that began at or after this moment are waited for."""
        self._retry_at: datetime | None = None
        self._forgot_at: datetime | None = None
        self._introduced_at: datetime | None = None
        """When last nobody was left, or could be asked, whose page on the forum was not seen yet."""
        self._tried: dict[str, datetime] = {}
        """Thread, "pm" or "mail" -> when it was last asked for, with success or without."""
        self._heard = False
        """Whether something was heard of mail since it was last read."""

    def hear_of_mail(self) -> None:
        """A letter may have come: the next tick reads the mailbox, whenever it was read last. The forum keeps its pace."""
        self._heard = True

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
        """Read what is to be read, settle every game, send what waits."""
        self._step("lookups", self._look_up)
        for game_id in acts.execute(self._store, self._clock.now(), self._voice()):
            # The past of the game may have changed: it is folded anew.
            if game_id in self._games:
                self._games[game_id].match = None
        self._poll()
        self._tell_skew()
        self._route()
        wanted = [moment for game in self._live() if (moment := self._settle(game)) is not None]
        self._wanted = max(wanted) if wanted else None
        if self._wanted is not None and self._readable(self._wanted) <= self._clock.now() and self._may_retry():
            self._poll(whole=True)
            self._route()
            for game in self._live():
                self._settle(game, tried=True)
        self._step("release", self._release)
        self._step("digest", self._digest)
        self._step("forget", self._forget)
        self._step("genders", self._introduce)
        self._sender.run(self._site.forum.flood_interval, self._is_pressed)

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
        with self._store.write() as connection:
            newspapers.release_due(connection, self._clock.now())
            troubles.tell_due(connection, self._site.site, self._clock.now())

    def _digest(self) -> None:
        with self._store.write() as connection:
            digest.send_due(connection, self._site.site, self._site.forum.zone, self._clock.now())

    def _is_pressed(self) -> bool:
        """Whether a deadline is at hand: what is begun now, and drawn out by a slow server, might delay it (T59).

        It is so from shortly before the deadline until its first complete reading can begin, and no longer: while a deadline
        is held, or its game broken, the rest goes on.
        """
        now = self._clock.now()
        unreadable = deadlines.c.due_at > now - (self._readable(now) - now)
        expected = sa.and_(deadlines.c.held_since.is_(None), deadlines.c.due_at > now - LEEWAY)
        near = deadlines.c.due_at <= now + LEEWAY, sa.or_(expected, unreadable)
        open_ = deadlines.c.done_at.is_(None), deadlines.c.call.in_(record.RESOLVING)
        playing = games.c.stage.not_in(("over", "cancelled")), games.c.paused_at.is_(None)
        query = sa.select(deadlines.c.id).join(games, games.c.id == deadlines.c.game_id).where(*near, *open_, *playing)
        with self._store.read() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def _introduce(self) -> None:
        """The page of one new player a tick, while no deadline is at hand."""
        now, pause = self._clock.now(), timedelta(seconds=self._site.site.poll_seconds)
        if self._is_pressed() or (self._introduced_at is not None and timedelta() <= now - self._introduced_at < pause):
            return
        if not genders.look_up(self._store, self._forum.profile):
            self._introduced_at = now

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
        return acts.Voice(forum.escape, forum.max_post, site.forum.zone, self._mail_address, site.site.own, forum.profile)

    def _live(self) -> list[HostedGame]:
        with self._store.read() as connection:
            ids = record.live_games(connection)
        # A game that is over gives its memory back: the bot runs for months.
        self._games = {game_id: game for game_id, game in self._games.items() if game_id in ids}
        for game_id in ids:
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
        return [self._games[game_id] for game_id in ids]

    def _settle(self, game: HostedGame, *, tried: bool = False) -> datetime | None:
        def complete(connection: sa.Connection, moment: datetime) -> bool:
            since, mail = self._readable(moment), bool(self._mail_address)
            return complete_since(connection, game.id, since, self._clock.now(), mail=mail)

        try:
            wanted = game.settle(complete, tried=tried)
        except StoreError:
            raise
        except Exception:
            # One broken game must not stop the others; it is tried again at the next tick and the host is told.
            log.exception("game_failed", game=game.id)
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
        return wanted

    def _poll(self, *, whole: bool = False) -> None:
        now = self._clock.now()
        due_before = now - timedelta(seconds=self._site.site.poll_seconds)
        with self._store.read() as connection:
            idle = sa.and_(threads.c.kind == "signup", games.c.stage != "signup")
            query = (
                sa.select(threads.c.id, threads.c.game_id, threads.c.polled_at, idle)
                .join(games, games.c.id == threads.c.game_id)
                .where(threads.c.watched.is_(True), threads.c.topic.is_not(None))
            )
            watched = connection.execute(query.order_by(threads.c.id)).all()
            polled = {str(name): at for name, at in connection.execute(sa.select(places.c.name, places.c.polled_at))}
            playing = bool(record.live_games(connection))
            # Whether a letter went out, its copy in our own mailbox tells, also when the last game is over.
            unsure = sa.select(outbox.c.id).where(outbox.c.kind == "letter", outbox.c.state == "sending").limit(1)
            asking = playing or connection.execute(unsure).first() is not None

        def due(what: str, at: datetime | None) -> bool:
            """What could not be read is asked for no oftener than what could: forums and mail servers count tries."""
            latest = self._tried.get(what, at)
            return whole or latest is None or not due_before < latest <= now

        for thread_id, game_id, polled_at, is_idle in watched:
            if is_idle and polled_at is not None and now - timedelta(minutes=IDLE_MINUTES) < polled_at <= now:
                continue
            if due(what := f"thread/{thread_id}", polled_at):
                self._note(what, game_id, self._read(what, partial(self._intake.thread, thread_id, whole=whole)))
                self._tried[what] = now
        heard, self._heard = self._heard, False
        for name, read, wanted in (("pm", self._intake.private_messages, playing), ("mail", self._intake.mail, asking)):
            if wanted and (due(name, polled.get(name)) or (heard and name == "mail")):
                self._note(name, None, self._read(name, read))
                self._tried[name] = now

    def _read(self, what: str, read: Callable[[], Trouble | None]) -> Trouble | None:
        """One reading of the outside: a page or letter on which the program itself fails is a trouble of that channel alone."""
        try:
            return read()
        except StoreError:
            raise
        except Exception as error:
            log.exception("read_failed", what=what)
            return Trouble("program", type(error).__name__)

    def _note(self, what: str, game_id: str | None, trouble: Trouble | None) -> None:
        """Tell the host what cannot be read, and forget it when it can. What the whole forum suffers from is told once, not
        for each thread and for the private messages too."""
        own = f"read/{what}"
        with self._store.write() as connection:
            if trouble is None:
                self._failing.pop(what, None)
                if troubles.clear_trouble(connection, own):
                    log.info("reading_again", what=what)
            else:
                self._failing[what] = trouble.reason
                log.warning("not_read", what=what, reason=trouble.reason)
                unfamiliar = trouble.reason == "unfamiliar"  # its text is our own
                words = trouble.text if unfamiliar else troubles.WORDS.get(trouble.reason, trouble.reason)
                wide = trouble.reason in troubles.FORUM_WIDE
                where = f"Игра «{game_id}»: {words}" if game_id and not wide else words[0].upper() + words[1:]
                key = f"read/forum/{trouble.reason}" if wide else own
                now, about = self._clock.now(), None if wide else game_id
                text, by_pm = f"{where}; бот пробует дальше сам.", what == "mail"
                troubles.raise_trouble(connection, self._site.site, key, text, now, game_id=about, by_pm=by_pm)
            # A forum that is down shows it now in one way and now in another: that is one trouble until it is over.
            if troubles.FORUM_WIDE.isdisjoint(self._failing.values()):
                troubles.clear_common(connection, "read/forum/")

    def _route(self) -> None:
        letterbox.route_all(self._store, self._site, self._clock.now())

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
        with self._store.write() as connection:
            if abs(skew) < MOST_SKEW:
                if abs(skew) < SURELY_WELL:
                    troubles.clear_trouble(connection, "clock")
                return
            words = f"{'спешат' if skew > timedelta() else 'отстают'} на {troubles.span(abs(skew))}"
            text = f"Часы сервера {words} против часов форума. Проверьте время на сервере («timedatectl»); бот ждёт по обоим."
            troubles.raise_trouble(connection, self._site.site, "clock", text, self._clock.now())
