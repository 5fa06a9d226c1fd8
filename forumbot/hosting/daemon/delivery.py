"""One row of the outbox on its way: looked for where it may have arrived, else sent.

What everybody would see twice is looked for also before the first sending, since a database that came back from a copy does
not know what was sent after the copy was made.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from adapters.alike import ALIKE, SAME, alikeness
from adapters.clock import Clock
from adapters.errors import AwaitsApproval, FormRefused, NoThread, TooLong, TopicClosed
from adapters.forum import Forum, Headed, Stored
from adapters.mailbox import MailSettings, Outgoing
from forumbot.hosting.core import marks, troubles, unwritten
from forumbot.hosting.core.outcomes import Failed, Later, Outcome, Sent, named, times_unclear
from forumbot.settings import SitePart
from forumbot.store.atwork import one_of
from forumbot.store.database import Store
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import games, letters, outbox, places, threads

LOOK_AFTER = 30.0
"""Seconds between a sending of unknown outcome and the look whether it arrived."""
APPROVAL_PAUSE = 600.0
"""Seconds between two looks for something that waits for a person: a moderator, or the host's answer."""
MOST_SENDINGS = 3
"""So often the same thing is sent when the other side gives no usable answer and it is never to be seen."""
_LEEWAY = timedelta(minutes=10)
"""Forums print minutes, and their clocks go otherwise than ours."""


class Delivery:
    """Sends rows and looks for them. Raises the errors of ``adapters.errors``."""

    def __init__(
        self, store: Store, clock: Clock, site: SitePart, forum: Forum, outgoing: Outgoing | None, mail: MailSettings | None
    ) -> None:
        self._store = store
        self._clock = clock
        self._site = site
        self._forum = forum
        self._outgoing = outgoing
        self._mail = mail
        self._secret: bytes | None = None

    def secret(self, connection: sa.Connection) -> bytes:
        """What marks are made with; made when it is first asked for, which must be while writing."""
        if self._secret is None:
            marks.provide(connection)
        return self._key(connection)

    def _key(self, connection: sa.Connection) -> bytes:
        if self._secret is None:
            self._secret = marks.secret(connection)
        return self._secret

    def first(self, row: Row) -> Outcome:
        """Send what this database has not sent yet, unless it went out after the copy that the database came back from.

        Private messages are sent again: one too many does less harm than to look through the box before each of them.
        """
        if not row["body"].strip():
            return Failed(unwritten.WHY)
        found: Stored | None = None
        match row["kind"]:
            case "topic":
                found = self._opened_since(row)
            case "post":
                found = self._posted_since(row)
            case "letter" if self._copy_of(row):
                return Sent({})
        return self._send(row) if found is None else _there(found)

    def look(self, row: Row) -> Outcome:
        """Did the sending arrive? Sends only when it did not."""
        found: Stored | None = None
        match row["kind"]:
            case "topic":
                opened = self._opened_by_us(row)
                if isinstance(opened, Later):
                    return opened
                found = opened
            case "post":
                found = self._posted(row, int((row["result"] or {}).get("after_id", 0)), loosely=True)
            case "edit":
                return self._edit(row)
            case "pm":
                if self._forum.find_sent_pm(row["target"]["nick"], marks.pm_subject(row)):
                    return Sent({})
            case _:
                return self._look_for_letter(row)
        if found is not None:
            return _there(found)
        if (row["result"] or {}).get("approval"):
            return approval(row)
        return self._again(row)

    # Topics

    def _opened_since(self, row: Row) -> Stored | None:
        """Our topic of this subject and these words, when this database does not know it and it is no older than the game: an
        earlier season may have had one of the same name, and anybody may open one."""
        with self._store.read() as connection:
            began = connection.execute(sa.select(games.c.created_at).where(games.c.id == row["game_id"])).scalar()
        if began is None:
            return None
        for one in self._namesakes(row, began):
            if _is_ours(one, row):
                return _stored(one, row)
            if not one.mine and one.named:
                self._tell_of_namesake(row, one)
        return None

    def _opened_by_us(self, row: Row) -> Stored | Later | None:
        """Our topic of this subject that was opened since the row was made. One that is none of ours by its author, or by its
        words where no account's number tells, is a question to the host and no reason to open another."""
        strange: Headed | None = None
        for one in self._namesakes(row, row["created_at"] - _LEEWAY):
            if _is_ours(one, row) or (one.mine and one.named and one.first.author_uid is not None):
                return approval(row) if one.waiting else _stored(one, row)
            strange = strange or (one if one.named else None)
        if strange is None:
            return None
        tell = (
            f"Форум не ответил, открыл ли он {named(row)}, а в разделе стоит тема с тем же названием, и автор у неё "
            f"«{strange.first.author}» ({strange.url}). Если её открыл не бот, попросите модератора удалить или переименовать "
            "её: тогда бот откроет свою."
        )
        return Later(APPROVAL_PAUSE, "в разделе стоит чужая тема с тем же названием", unsure=True, tell=tell)

    def _namesakes(self, row: Row, since: datetime) -> list[Headed]:
        """Topics of this subject that were opened since then and that this database does not know."""
        found = self._forum.topics_named(row["target"]["section"], row["subject"])
        with self._store.read() as connection:
            known = set(connection.execute(sa.select(threads.c.topic).where(threads.c.topic.is_not(None))).scalars())
        return [one for one in found if one.topic not in known and one.first.posted is not None and one.first.posted >= since]

    def _tell_of_namesake(self, row: Row, one: Headed) -> None:
        text = (
            f"Игра «{row['game_id']}»: в разделе есть тема «{row['subject']}», которую открыл «{one.first.author}» ({one.url}). "
            "Бот её не читает и откроет свою; чтобы игроки не спутали их, попросите модератора убрать чужую."
        )
        key, subject, now = f"namesake/{row['game_id']}/{one.topic}", "Тема с тем же названием", self._clock.now()
        with self._store.write() as connection:
            troubles.tell_host(connection, self._site, key, subject, text, now, game_id=row["game_id"])

    # Posts

    def _posted_since(self, row: Row) -> Stored | None:
        """Our post of these words, when posts of ours were read in the thread that this database has not sent."""
        with self._store.read() as connection:
            ours = max(own_ids(connection, row), default=0)
            read = connection.execute(
                sa.select(threads.c.own_id).where(threads.c.id == row["target"]["thread_id"])
            ).scalar()
        return self._posted(row, ours) if (read or 0) > ours else None

    def _posted(self, row: Row, after_id: int, *, loosely: bool = False) -> Stored | None:
        """Our post of these words with a higher id that is no other row's."""
        with self._store.read() as connection:
            topic, known = topic_of(connection, row), own_ids(connection, row)
        assert topic is not None
        return self._forum.find_reply(topic, row["body"], after_id=after_id, known=known, loosely=loosely)

    # Letters

    def _look_for_letter(self, row: Row) -> Outcome:
        """Each letter is copied to our own mailbox in the same sending: the copy tells whether it went out."""
        assert self._mail is not None
        tried = datetime.fromisoformat((row["result"] or {})["tried_at"])
        with self._store.read() as connection:
            read_at = connection.execute(sa.select(places.c.complete_at).where(places.c.name == "mail")).scalar()
        if self._copy_of(row):
            return Sent({})
        if read_at is None or read_at < tried + timedelta(seconds=LOOK_AFTER):
            return Later(LOOK_AFTER, "проверяется, ушло ли письмо", unsure=True)
        return self._again(row)

    def _copy_of(self, row: Row) -> bool:
        """Whether the copy of this letter has been read in our own mailbox."""
        if self._mail is None:
            return False
        own = self._mail.address
        with self._store.read() as connection:
            names = {"name": marks.message_id(self._key(connection), row, own), "old": marks.old_message_id(row, own)}
            return _COPY.value(connection, **names) is not None

    # Sending

    def _send(self, row: Row) -> Outcome:
        target, subject, body = row["target"], row["subject"], row["body"]
        match row["kind"]:
            case "topic":
                return _there(self._forum.open_topic(target["section"], subject, body))
            case "post":
                with self._store.read() as connection:
                    topic = topic_of(connection, row)
                assert topic is not None
                return _there(self._forum.reply(topic, body))
            case "edit":
                return self._edit(row)
            case "pm":
                words = self._forum.escape(body) if target.get("plain") else body
                self._forum.send_pm(target["uid"], target["nick"], marks.pm_subject(row), words)
                return Sent({})
            case _:
                if self._outgoing is None or self._mail is None:
                    return Failed("почта не настроена")
                copy = self._mail.address
                with self._store.read() as connection:
                    name = marks.message_id(self._key(connection), row, copy)
                above = target.get("reply_to")
                self._outgoing.send(target["address"], subject, body, message_id=name, in_reply_to=above, bcc=copy)
                return Sent({})

    def _edit(self, row: Row) -> Outcome:
        """What the forum does not let us change stays, and the host hears of it: the same was said in a post of its own."""
        with self._store.read() as connection:
            topic = topic_of(connection, row)
            made = connection.execute(sa.select(outbox.c.result).where(outbox.c.key == row["target"]["of"])).scalar() or {}
        if topic is None or not made.get("post_id"):
            return Sent({"left": "сообщения нет"})
        try:
            self._forum.edit(topic, int(made["post_id"]), row["body"])
        except TooLong:
            raise  # it goes on in parts
        except (TopicClosed, FormRefused, NoThread, AwaitsApproval) as error:
            if isinstance(error, NoThread) and error.reason not in ("forbidden", "not_found"):
                raise
            why = error.text or type(error).__name__
            return Sent({"left": why}, kept=why)
        return Sent({})

    def _again(self, row: Row) -> Outcome:
        """It has not arrived: send it once more, counted before it goes out, unless that was done often enough."""
        if times_unclear(row) >= MOST_SENDINGS:
            return Failed(f"отправлено {times_unclear(row)} раза, но на месте не видно ({row['error'] or 'ответа нет'})")
        with self._store.write() as connection:
            mine = outbox.c.id == row["id"]
            tried = {**(row["result"] or {}), "tried_at": self._clock.now().isoformat()}
            connection.execute(outbox.update().where(mine).values(attempts=outbox.c.attempts + 1, result=tried))
        result = self._send(row)
        if not isinstance(result, Sent):
            return result
        return Sent({**result.result, "tried_at": tried["tried_at"]}, changed=result.changed)


def approval(row: Row) -> Later:
    """The forum has taken it, but a moderator must let it through."""
    tell = (
        f"Форум принял {named(row)}, но покажет только после одобрения модератором: одобрите его и попросите владельца "
        "форума публиковать сообщения бота сразу."
    )
    return Later(APPROVAL_PAUSE, "ждёт одобрения модератором", unsure=True, tell=tell, noted={"approval": True})


_NAME = letters.c.message_id
_COPY = Prepared(sa.select(letters.c.id).where(sa.or_(sa.bindparam("name") == _NAME, sa.bindparam("old") == _NAME)).limit(1))
_TOPIC = Prepared(sa.select(threads.c.topic).where(threads.c.id == sa.bindparam("thread")))
_OURS = Prepared(
    sa.select(outbox.c.target, outbox.c.result).where(
        outbox.c.game_id.is_not_distinct_from(sa.bindparam("game")),
        one_of(outbox.c.kind, "topic", "post"),
        outbox.c.state == "sent",
    )
)


def topic_of(connection: sa.Connection, row: Row) -> str | None:
    """The forum's address of the topic that a post goes to; None until it is opened."""
    found: str | None = _TOPIC.value(connection, thread=row["target"]["thread_id"])
    return found


def last_id(connection: sa.Connection, row: Row) -> int:
    """The highest post id known in the row's thread: an earlier post of the same words is not this one."""
    if row["kind"] != "post":
        return 0
    known = connection.execute(sa.select(threads.c.last_id).where(threads.c.id == row["target"]["thread_id"])).scalar()
    return max(int(known or 0), max(own_ids(connection, row), default=0))


def own_ids(connection: sa.Connection, row: Row) -> frozenset[int]:
    """Ids of the posts that this database has sent to the row's thread."""
    sent = _OURS.lists(connection, game=row["game_id"])
    thread = row["target"]["thread_id"]
    return frozenset(int((result or {}).get("post_id") or 0) for to, result in sent if to["thread_id"] == thread)


def _is_ours(one: Headed, row: Row) -> bool:
    """By its author and by its words."""
    least = ALIKE if one.first.author_uid is not None else SAME
    return one.mine and alikeness(row["body"], one.first.runs) >= least


def _stored(one: Headed, row: Row) -> Stored:
    return Stored(one.topic, one.first.id, one.url, changed=alikeness(row["body"], one.first.runs) < SAME)


def _there(found: Stored) -> Sent:
    """It is there."""
    told = {"post_id": found.post_id, "url": found.url}
    return Sent(told | {"topic": found.topic}, changed=found.changed)
