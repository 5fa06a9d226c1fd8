"""When what is read: each thread, the private messages and the mailbox at their pace; before a deadline, the whole of what it
rests on and nothing else. What cannot be read the host hears of once, until it can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa
import structlog

from adapters.clock import Clock
from forumbot.hosting.core import troubles
from forumbot.hosting.inbox.intake import Intake, Trouble
from forumbot.settings import Site
from forumbot.store.atwork import LETTER, LIVE_GAME, ON_ITS_WAY, WATCHED
from forumbot.store.database import Store, StoreError
from forumbot.store.prepared import Prepared
from forumbot.store.tables import bookings, games, outbox, places, threads

log = structlog.get_logger("forumbot.polling")

IDLE_MINUTES = 30
"""How often the sign-up thread of a running game is looked at, where only the waiting list grows, and the private messages
between two games."""


_LAST = threads.c.polled_at
_BEFORE, _IDLE, _NOW = (sa.bindparam(name, type_=_LAST.type) for name in ("before", "idle", "now"))
# A reading of the future says nothing: our clock was put back.
_STALE = sa.union_all(
    *(sa.select(threads.c.id).where(WATCHED, when) for when in (_LAST.is_(None), _LAST <= _BEFORE, _LAST > _NOW))
)
# Looked up once and not for each thread: a game's row is long, and its stage stands at the end.
_OPEN_SIGNUP = threads.c.game_id.in_(sa.select(games.c.id).where(games.c.stage == sa.literal_column("'signup'")))
_DUE = Prepared(
    sa.select(threads.c.id, threads.c.game_id, threads.c.polled_at)
    .where(threads.c.id.in_(_STALE), threads.c.topic.is_not(None))
    .where(sa.or_(threads.c.kind != "signup", _OPEN_SIGNUP, _LAST.is_(None), _LAST <= _IDLE, _LAST > _NOW))
    .order_by(threads.c.id)
)
_PLAYING = sa.select(games.c.id).where(LIVE_GAME).exists()
# Whether a letter went out, its copy in our own mailbox tells, also when the last game is over.
_UNSURE = sa.select(outbox.c.id).where(ON_ITS_WAY, LETTER, outbox.c.state == "sending").exists()
# Who has an account of earlier games may ask for it between two games.
_ACCOUNTS = sa.select(bookings.c.id).exists()
_WANTED = Prepared(sa.select(_PLAYING, sa.or_(_PLAYING, _UNSURE), _ACCOUNTS))
_PLACES = Prepared(sa.select(places.c.name, places.c.polled_at))
_RESTING = (
    sa.select(threads.c.id, threads.c.game_id, threads.c.complete_at)
    .where(WATCHED, threads.c.topic.is_not(None), sa.or_(threads.c.kind != "signup", _OPEN_SIGNUP))
    .order_by(threads.c.id)
)
"""Threads that a deadline may rest on: once the game runs, its sign-up is none of them."""


class Poller:
    """Reads the outside at its pace, and remembers when it last asked for what."""

    def __init__(self, site: Site, store: Store, clock: Clock, intake: Intake) -> None:
        self._site = site
        self._store = store
        self._clock = clock
        self._intake = intake
        self._failing: dict[str, str] = {}
        """Thread, "pm" or "mail" -> why its last reading failed."""
        self._well: set[str] = set()
        """What was read without trouble the last time, so that nothing stands of it that could be over."""
        self._tried: dict[str, datetime] = {}
        """Thread, "pm" or "mail" -> when it was last asked for, with success or without."""
        self._heard = False
        """Whether something was heard of mail since it was last read."""

    def hear_of_mail(self) -> None:
        """A letter may have come: the mailbox is read next time, whenever it was read last."""
        self._heard = True

    def poll(self) -> None:
        """Read what is due."""
        now = self._clock.now()
        due_before = now - timedelta(seconds=self._site.site.poll_seconds)
        moments = {"now": now, "before": due_before, "idle": now - timedelta(minutes=IDLE_MINUTES)}
        with self._store.read() as connection:
            watched = _DUE.lists(connection, **moments)
            polled = {str(name): at for name, at in _PLACES.lists(connection)}
            ((playing, asking, owing),) = _WANTED.lists(connection)

        def due(what: str, at: datetime | None, before: datetime = due_before) -> bool:
            """What could not be read is asked for no oftener than what could: forums and mail servers count tries."""
            latest = self._tried.get(what, at)
            return latest is None or not before < latest <= now

        for thread_id, game_id, polled_at in watched:
            if due(f"thread/{thread_id}", polled_at):
                self._thread(thread_id, game_id, now, whole=False)
        heard, self._heard = self._heard, False
        for name, wanted in (("pm", playing), ("mail", asking)):
            if wanted and (due(name, polled.get(name)) or (heard and name == "mail")):
                self._private(name, now)
        if owing and not playing and due("pm", polled.get("pm"), moments["idle"]):
            self._private("pm", now)

    def read_whole(self, since: Mapping[str, datetime]) -> None:
        """Read everything that the deadlines of these games rest on (game -> moment from which on a reading counts), and no
        thread or box that such a reading has been through already."""
        now = self._clock.now()
        with self._store.read() as connection:
            resting = connection.execute(_RESTING.where(threads.c.game_id.in_(since))).all()
            read_at = {str(name): at for name, at in connection.execute(sa.select(places.c.name, places.c.complete_at))}
        for thread_id, game_id, complete_at in resting:
            if complete_at is None or not since[game_id] <= complete_at <= now:
                self._thread(thread_id, game_id, now, whole=True, since=since[game_id])
        latest = max(since.values())
        for name in ("pm", "mail"):
            at = read_at.get(name)
            if at is None or not latest <= at <= now:
                self._private(name, now)

    def _thread(self, thread_id: int, game_id: str, now: datetime, *, whole: bool, since: datetime | None = None) -> None:
        what = f"thread/{thread_id}"
        self._note(what, game_id, self._read(what, partial(self._intake.thread, thread_id, whole=whole, asked=now, since=since)))
        self._tried[what] = now

    def _private(self, name: str, now: datetime) -> None:
        self._note(name, None, self._read(name, self._intake.private_messages if name == "pm" else self._intake.mail))
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
        if trouble is None and what in self._well:
            return
        own = f"read/{what}"
        with self._store.write() as connection:
            if trouble is None:
                self._failing.pop(what, None)
                if troubles.clear_trouble(connection, own):
                    log.info("reading_again", what=what)
            else:
                self._well.discard(what)
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
        if trouble is None:
            self._well.add(what)
