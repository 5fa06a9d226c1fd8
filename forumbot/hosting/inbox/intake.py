"""From outside to rows: threads, private messages and letters are stored as they came, once, before anybody acts on them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from adapters.clock import Clock
from adapters.errors import ForumError, LoginFailed, MailLoginFailed, NoThread, NotSecure, OutsideError, Unfamiliar, Unreachable
from adapters.forum import Account, ByPages, Forum, Place, Progress, ThreadRead
from adapters.mailbox import Mailbox, MailPlace, MailSettings
from adapters.markup import own_text
from adapters.model import Envelope, Letter, Post, PrivateMessage
from forumbot.hosting.inbox import lettersin, postsin
from forumbot.store.atwork import WATCHED
from forumbot.store.database import Store
from forumbot.store.prepared import Prepared, Row, insertion
from forumbot.store.tables import games, letters, places, threads

_LIST_LIFE = timedelta(seconds=30)
_DATE = re.compile(rb"^date:(.*)", re.I | re.M)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why something could not be read: an id of ``troubles.WORDS`` and the other side's words."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """A whole reading that broke off."""

    began: datetime
    progress: Progress


def _reading(thread_id: int) -> str:
    """The place that keeps how far a whole reading of a thread has come."""
    return f"reading/{thread_id}"


_MINE = threads.c.id == sa.bindparam("thread")
_THREAD = Prepared(sa.select(threads).where(_MINE))
_LOOKED_AT, _READ, _READ_WHOLE = (
    Prepared(threads.update().where(_MINE).values({name: sa.bindparam(name) for name in names}))
    for names in (("polled_at",), ("polled_at", "last_id", "page"), ("complete_at",))
)
_PLACE = Prepared(sa.select(places.c.value).where(places.c.name == sa.bindparam("name")))
_FORGET = Prepared(places.delete().where(places.c.name == sa.bindparam("name")))
_OF_PM = "source", "digest", "raw", "sender", "sender_uid", "subject", "text", "received_at", "stored_at", "problems"
_PUT_PM = insertion(letters, *_OF_PM, unique="source", channel="pm", kind="letter", auth="pass", judged=False)


class Intake:
    """Reads the outside world into the store. Every method gives None when the reading was complete, else the trouble."""

    def __init__(
        self, store: Store, clock: Clock, forum: Forum, mailbox: Mailbox | None, mail: MailSettings | None, *,
        list_first: bool = False,
    ) -> None:  # fmt: skip
        """``list_first``: a section's list is asked before its topics (settings.ForumPart)."""
        self._store = store
        self._clock = clock
        self._forum = forum
        self._mailbox = mailbox
        self._mail = mail
        self._account: Account | None = None
        self._list_first = list_first
        self._listed: tuple[str, datetime, Mapping[str, int]] | None = None
        """A section, when its list was asked for, and the newest post of each of its topics."""
        self.skew = timedelta()
        """How much our clock was surely ahead of the forum's at the last reading; nothing while the forum tells no time."""

    def log_in(self) -> Account:
        """Who we are on the forum; logs in the first time, since a guest sees less than a member.

        Raises ForumError or Unreachable.
        """
        if self._account is None:
            self._account = self._forum.login()
        return self._account

    def thread(self, thread_id: int, *, whole: bool, asked: datetime, since: datetime | None = None) -> Trouble | None:
        """Read a thread on from where we are, or as a whole (before a deadline: silent edits, vanished posts); ``asked``: the
        moment from which its next turn is counted; ``since``: a whole reading that began then or later, and broke off, is gone
        on with."""
        with self._store.read() as connection:
            row = _THREAD.first(connection, thread=thread_id)
        assert row is not None
        started = self._clock.now()
        kept = self._kept(thread_id, since, started) if whole else None
        read: ThreadRead | None = None

        def fetch() -> Trouble | None:
            nonlocal read
            self.log_in()
            place = Place(row["last_id"], row["page"])
            if self._list_first and not whole and row["polled_at"] and self._has_nothing_new(row, started):
                return None
            if whole and isinstance(self._forum, ByPages):
                note = partial(self._note, row["game_id"], thread_id, kept.began if kept is not None else started)
                read = self._forum.read_on(row["topic"], place, kept.progress if kept is not None else None, note)
            else:
                read = self._forum.read_thread(row["topic"], place, whole=whole)
            if read.complete:
                return None
            return Trouble("miscounted" if read.problems == ("miscounted",) else "incomplete", ", ".join(read.problems))

        trouble = _guarded(fetch)
        if read is not None:
            if read.fetched is not None:
                self.skew = _skew(started, read.fetched, self._clock.now())
            began = kept.began if kept is not None and read.earlier else started
            with self._store.write() as connection:
                complete = whole and trouble is None
                self._store_thread(connection, row["game_id"], thread_id, read, began, asked, whole=complete)
                if whole:
                    _FORGET.run(connection, name=_reading(thread_id))
        elif trouble is None:
            with self._store.write() as connection:
                _LOOKED_AT.run(connection, thread=thread_id, polled_at=asked)
        return trouble

    def _kept(self, thread_id: int, since: datetime | None, now: datetime) -> _Kept | None:
        """How far an earlier reading of the whole thread came that broke off, if it counts for what is read since ``since``."""
        with self._store.read() as connection:
            found = _place(connection, _reading(thread_id))
        if found is None or since is None:
            return None
        began = datetime.fromisoformat(found["began"])
        return _Kept(began, Progress.of(found["progress"])) if since <= began <= now else None

    def _note(self, game_id: str, thread_id: int, began: datetime, progress: Progress, posts: Sequence[Post]) -> None:
        """A page of a whole reading has come: its posts are stored, and a process that begins anew goes on behind it."""
        value = {"began": began.isoformat(), "progress": progress.data()}
        with self._store.write() as connection:
            postsin.store(connection, game_id, thread_id, posts, self.log_in(), began, self._moment)
            row = insert(places).values(name=_reading(thread_id), value=value)
            connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    def _has_nothing_new(self, row: Row, now: datetime) -> bool:
        """Whether the section's list, asked once for all threads that are looked at in a minute, shows no newer post."""
        with self._store.read() as connection:
            config = connection.execute(sa.select(games.c.config).where(games.c.id == row["game_id"])).scalar_one()
        section = str(config["section"])
        if self._listed is None or self._listed[0] != section or not timedelta() <= now - self._listed[1] < _LIST_LIFE:
            self._listed = section, now, self._forum.newest_posts(section)
        return self._listed[2].get(row["topic"], sys.maxsize) <= int(row["last_id"])

    def private_messages(self) -> Trouble | None:
        """Read the forum inbox on from the last message we have. A reading may have broken off after a part of the messages:
        only one that brings nothing new has come to the end."""
        started = self._clock.now()
        with self._store.read() as connection:
            last = int((_place(connection, "pm") or {"last_id": 0})["last_id"])
        found: tuple[PrivateMessage, ...] = ()

        def fetch() -> None:
            nonlocal found
            self.log_in()
            found = self._forum.inbox(after_id=last)

        while True:
            trouble = _guarded(fetch)
            if trouble is not None:
                return Trouble("pm_forbidden", trouble.text) if trouble.reason == "forbidden" else trouble
            with self._store.write() as connection:
                for message in found:
                    self._store_pm(connection, message)
                    last = max(last, message.id)
                _set_place(connection, "pm", {"last_id": last}, None if found else started)
            if not found:
                return None

    def mail(self) -> Trouble | None:
        """Read the mailbox on from the last letter we have."""
        if self._mailbox is None or self._mail is None:
            return None
        started = self._clock.now()
        with self._store.read() as connection:
            known = _place(connection, "mail") or {"uidvalidity": 0, "last_uid": 0}
        place = MailPlace(int(known["uidvalidity"]), int(known["last_uid"]))
        mailbox, settings = self._mailbox, self._mail
        found: tuple[Envelope, ...] = ()

        def fetch() -> None:
            nonlocal found, place
            found, place = mailbox.fetch(place)

        while True:
            trouble = _guarded(fetch, mail=True)
            if trouble is not None:
                return trouble
            # One transaction a letter: a letter that kills the reader must not take the others with it.
            for envelope in found:
                with self._store.read() as connection:
                    sent = lettersin.sent_to_writer(connection, envelope)
                raw, letter = lettersin.read(envelope, settings, sent)
                with self._store.write() as connection:
                    self._store_letter(connection, envelope, raw, letter)
            value = {"uidvalidity": place.uidvalidity, "last_uid": place.last_uid}
            with self._store.write() as connection:
                _set_place(connection, "mail", value, None if found else started)
            if not found:
                return None

    def _store_thread(
        self, connection: sa.Connection, game_id: str, thread_id: int, read: ThreadRead, started: datetime, asked: datetime, *,
        whole: bool,
    ) -> None:  # fmt: skip
        postsin.store(connection, game_id, thread_id, read.posts, self.log_in(), started, self._moment)
        if whole or read.complete:
            postsin.mark_gone(connection, thread_id, {post.id for post in read.posts} | read.earlier, started, whole=whole)
        if read.complete:
            _READ.run(connection, thread=thread_id, polled_at=asked, last_id=read.place.last_id, page=read.place.page)
        else:
            _LOOKED_AT.run(connection, thread=thread_id, polled_at=asked)
        if whole:
            _READ_WHOLE.run(connection, thread=thread_id, complete_at=started)

    def _moment(self, post: Post) -> datetime | None:
        """When a post was written, as far as the forum tells."""
        return post.posted if post.exact else self._not_ahead(post.posted)

    def _not_ahead(self, printed: datetime | None) -> datetime | None:
        """A printed time that lies ahead of the forum's clock is one of another zone than the page told, or told nothing of:
        nothing is read before it was sent."""
        return printed if printed is None else min(printed, self._clock.now() - self.skew)

    def _store_pm(self, connection: sa.Connection, message: PrivateMessage) -> None:
        raw = message.html.encode()
        _PUT_PM.run(
            connection,
            source=f"pm/{message.id}",
            digest=postsin.digest_of(raw + message.subject.encode()),
            raw=raw,
            sender=message.author,
            sender_uid=message.author_uid,
            subject=message.subject,
            text=own_text(message.runs),
            received_at=self._not_ahead(message.sent) or self._clock.now(),
            stored_at=self._clock.now(),
            problems=list(message.problems),
        )

    def _store_letter(self, connection: sa.Connection, envelope: Envelope, raw: bytes, letter: Letter) -> None:
        source = f"mail/{envelope.uidvalidity}/{envelope.uid}"
        known = connection.execute(sa.select(letters.c.id).where(letters.c.source == source)).first()
        if known is not None:
            return
        digest = postsin.digest_of(raw or source.encode())
        if _is_known(connection, letter, raw, digest, envelope.uidvalidity):
            return
        connection.execute(
            letters.insert().values(
                channel="mail",
                source=source,
                message_id=letter.message_id,
                digest=digest,
                raw=raw,
                sender=letter.from_address,
                subject=letter.subject,
                text=letter.text,
                kind=letter.kind,
                auth=letter.auth,
                received_at=envelope.received,
                stored_at=self._clock.now(),
                problems=list(letter.problems),
            )
        )


_OPEN = Prepared(
    sa.select(threads.c.complete_at)
    .join(games, games.c.id == threads.c.game_id)
    .where(
        threads.c.game_id == sa.bindparam("game"),
        WATCHED,
        threads.c.topic.is_not(None),
        sa.or_(threads.c.kind != "signup", games.c.stage == "signup"),
    )
)
_COMPLETE = Prepared(sa.select(places.c.complete_at).where(places.c.name == sa.bindparam("name")))


def complete_since(connection: sa.Connection, game_id: str, moment: datetime, now: datetime, *, mail: bool) -> bool:
    """Whether every channel of a game was read completely by a reading that began at or after ``moment``.

    Readings of the future come from before our clock was put back: they say nothing.

    Once the game runs, its sign-up thread holds nothing that a deadline rests on.
    """
    read_at = _OPEN.values(connection, game=game_id)
    read_at += (_COMPLETE.value(connection, name=name) for name in (("pm", "mail") if mail else ("pm",)))
    return all(at is not None and moment <= at <= now for at in read_at)


def _skew(started: datetime, told: datetime, ended: datetime) -> timedelta:
    """How much our clock is ahead of one that told this time at some moment of a reading: the reading may have taken long."""
    if started <= told <= ended:
        return timedelta()
    return started - told if told < started else ended - told


def _guarded(fetch: Callable[[], Trouble | None], *, mail: bool = False) -> Trouble | None:
    try:
        return fetch()
    except NoThread as error:
        return Trouble(error.reason, error.text)
    except Unfamiliar as error:
        return Trouble("unfamiliar", error.text)
    except LoginFailed as error:
        return Trouble("login_failed", error.text)
    except MailLoginFailed as error:
        return Trouble("mail_login_failed", error.text)
    except NotSecure as error:
        return Trouble(f"mail_{error.reason}", error.text)
    except (ForumError, Unreachable) as error:
        return Trouble("mail_unreachable" if mail else "unreachable", error.text)
    except OutsideError as error:
        return Trouble("mail_unreachable" if mail else "unreachable", error.text)


def _is_known(connection: sa.Connection, letter: Letter, raw: bytes, digest: str, uidvalidity: int) -> bool:
    """Whether this letter is here already: the mailbox was numbered anew, or the provider has laid it in twice.

    A second copy may have come another way, under other lines of the servers on top: it is the same by its Message-ID, its
    date and its words. A letter without that name is another one unless it came before under another UIDVALIDITY.
    """
    mine = letters.c.channel == "mail", letters.c.message_id.is_not_distinct_from(letter.message_id)
    same = letters.c.digest == digest
    if letter.message_id is None:
        same = sa.and_(same, sa.not_(letters.c.source.startswith(f"mail/{uidvalidity}/", autoescape=True)))
    if connection.execute(sa.select(letters.c.id).where(*mine, same).limit(1)).first() is not None:
        return True
    if letter.message_id is None or not letter.text:
        return False
    words = letters.c.subject == letter.subject, letters.c.text == letter.text
    copies = sa.select(letters.c.raw).where(*mine, letters.c.sender == letter.from_address, letters.c.auth == letter.auth, *words)
    return any(_written(copy) == _written(raw) for copy in connection.execute(copies).scalars())


def _written(raw: bytes) -> bytes:
    """The Date line of a letter."""
    found = _DATE.search(raw.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0])
    return found[1].strip() if found else b""


def _place(connection: sa.Connection, name: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = _PLACE.value(connection, name=name)
    return found


def _set_place(connection: sa.Connection, name: str, value: dict[str, int], started: datetime | None) -> None:
    """``started``: when the reading began that is now complete; None: it goes on."""
    row: dict[str, object] = {"value": value}
    if started is not None:
        row |= {"complete_at": started, "polled_at": started}
    connection.execute(
        insert(places).values(name=name, **row).on_conflict_do_update(index_elements=["name"], set_=row)
    )
