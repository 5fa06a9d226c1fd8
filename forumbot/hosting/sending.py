"""The outbox at work: each row is sent once. After a crash, or when no clear answer came, it looks before it sends again;
what everybody would see twice it looks for also before the first sending, since a database that came back from a copy does
not know what was sent after the copy was made."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from adapters.clock import Clock
from adapters.errors import (
    AddressRefused,
    AwaitsApproval,
    BoxFull,
    Flood,
    FormRefused,
    LoginFailed,
    MailLoginFailed,
    NoThread,
    NotSecure,
    OutsideError,
    RecipientRefused,
    SendLater,
    TopicClosed,
    UnknownOutcome,
    Unreachable,
)
from adapters.forum import Forum, Place, Stored
from adapters.mailbox import MailSettings, Outgoing
from forumbot.hosting import troubles, unwritten
from forumbot.settings import SitePart
from forumbot.store.database import Store
from forumbot.store.tables import games, letters, outbox, places, threads

LOOK_AFTER = 30.0
"""Seconds between a sending of unknown outcome and the look whether it arrived."""
LATEST_PAUSE = 3600.0
"""The longest pause between two tries, in seconds."""
LETTER_TRIES = 40
APPROVAL_PAUSE = 600.0
"""Seconds between two looks for something that waits for a moderator."""
_MAIL, _FORUM = ("letter",), ("topic", "post", "pm")
_LINES = {kind: line for line in (_MAIL, _FORUM) for kind in line}
"""Kind of row -> the kinds that go by the same line."""
MOST_SENDINGS = 3
"""So often the same thing is sent when the other side gives no usable answer and it is never to be seen."""
UNCLEAR = "unclear"
"""Where a row's ``result`` counts these sendings."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """The row is done; ``result`` is what the other side gave (topic, post id)."""

    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Later:
    """Try again after so many seconds; ``unsure`` when it may have arrived."""

    seconds: float
    why: str
    unsure: bool = False
    tell: str = ""
    """What the host must do meanwhile."""
    about: str = ""
    """What it concerns (``_place``, ``_whom``) when several rows wait for the same; empty: this row."""
    no_line: bool = False
    """Nothing can be said to the other side now, whatever it is about."""
    noted: Mapping[str, Any] = field(default_factory=dict)
    """What is to be remembered of the row."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """It cannot be sent; the host is told."""

    why: str
    about: str = ""
    """What it concerns (``_place``, ``_whom``) when the fault is not the row's own: he is told once for all such rows."""


_Result = _Sent | _Later | _Failed


class Sender:
    """Sends the rows of the outbox by their priority. One writing to the forum a call, so that deadlines never wait."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        site: SitePart,
        forum: Forum,
        outgoing: Outgoing | None,
        mail: MailSettings | None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._site = site
        self._forum = forum
        self._outgoing = outgoing
        self._mail = mail
        self._forum_free_at: datetime | None = None

    def run(self, flood_interval: float, give_way: Callable[[], bool] = lambda: False, *, most: int = 20) -> int:
        """Send what is due, ``most`` rows at most, as long as nothing more urgent makes it ``give_way``; gives how many were
        sent. A line that is dead or does not answer costs its time-outs once a call, not once a row."""
        sent = 0
        dead: set[str] = set()
        for _ in range(most):
            row = None if give_way() else self._next(dead)
            if row is None:
                break
            result = self._one(row)
            sent += isinstance(result, _Sent)
            if isinstance(result, _Later) and result.no_line:
                dead.update(_LINES[row["kind"]])
            if row["kind"] != "letter":
                self._forum_free_at = self._clock.now() + timedelta(seconds=flood_interval)
        return sent

    def _next(self, dead: Collection[str]) -> sa.RowMapping | None:
        now = self._clock.now()
        earlier = outbox.alias()
        done = sa.select(earlier.c.key).where(earlier.c.state.in_(("sent", "failed", "shadow")))
        query = (
            sa.select(outbox)
            .where(
                outbox.c.state.in_(("waiting", "sending")),
                outbox.c.not_before <= now,
                outbox.c.kind.not_in(dead),
                sa.or_(outbox.c.after.is_(None), outbox.c.after.in_(done)),
            )
            .order_by(outbox.c.priority, outbox.c.id)
        )
        if self._forum_free_at is not None and now < self._forum_free_at:
            query = query.where(outbox.c.kind == "letter")
        with self._store.read() as connection:
            for row in connection.execute(query).mappings():
                if row["kind"] != "post" or self._topic(connection, row) is not None:
                    return row
        return None

    def _one(self, row: sa.RowMapping) -> _Result:
        looked = row["state"] == "sending"
        if not looked:
            with self._store.write() as connection:
                before = self._last_id(connection, row)
                noted = {"after_id": before, "tried_at": self._clock.now().isoformat(), UNCLEAR: _times_unclear(row)}
                connection.execute(
                    outbox.update()
                    .where(outbox.c.id == row["id"])
                    .values(state="sending", attempts=row["attempts"] + 1, result=noted)
                )
                row = connection.execute(sa.select(outbox).where(outbox.c.id == row["id"])).mappings().one()
        result = self._guarded(self._look if looked else self._first, row)
        with self._store.write() as connection:
            self._settle(connection, row, result)
        return result

    def _settle(self, connection: sa.Connection, row: sa.RowMapping, result: _Result) -> None:
        now = self._clock.now()
        values: dict[str, Any]
        if isinstance(result, _Sent):
            values = {"state": "sent", "sent_at": now, "error": None, "result": {**(row["result"] or {}), **result.result}}
            troubles.clear_trouble(connection, f"outbox/{row['id']}")
            troubles.clear_common(connection, f"outbox/{_place(row)}/")
            troubles.clear_common(connection, f"outbox/{_whom(row)}/")
            if row["kind"] == "topic" and "topic" in result.result:
                connection.execute(
                    threads.update()
                    .where(threads.c.id == row["target"]["thread_id"])
                    .values(topic=result.result["topic"], last_id=result.result.get("post_id") or 0)
                )
        elif isinstance(result, _Later):
            again = now + timedelta(seconds=result.seconds)
            values = {"state": "sending" if result.unsure else "waiting", "not_before": again, "error": result.why}
            if result.noted:
                kept = connection.execute(sa.select(outbox.c.result).where(outbox.c.id == row["id"])).scalar()
                values["result"] = {**(kept or {}), **result.noted}
            if result.tell:
                key = f"outbox/{result.about}/{result.why}" if result.about else f"outbox/{row['id']}"
                about, by_pm = row["game_id"], row["kind"] == "letter"
                troubles.raise_trouble(connection, self._site, key, result.tell, now, game_id=about, by_pm=by_pm)
        else:
            values = {"state": "failed", "error": result.why}
            key = f"outbox/{result.about}/{result.why}" if result.about else f"outbox/{row['id']}"
            why = _clause(result.why)
            text = f"Не удалось отправить {_named(row)}: {why}; когда исправите, отправьте снова («forumbot outbox retry»)."
            troubles.raise_trouble(connection, self._site, key, text, now, game_id=row["game_id"])
        connection.execute(outbox.update().where(outbox.c.id == row["id"]).values(values))

    def _guarded(self, act: Callable[[sa.RowMapping], _Result], row: sa.RowMapping) -> _Result:
        pause = min(LATEST_PAUSE, 15.0 * 2 ** min(row["attempts"], 8))
        try:
            return act(row)
        except Flood as error:
            return _Later(error.wait, "форум просит подождать")
        except AwaitsApproval:
            return self._approval(row)
        except UnknownOutcome as error:
            unclear = {UNCLEAR: _times_unclear(row) + 1}
            return _Later(LOOK_AFTER, error.text or "ответ не получен", unsure=True, no_line=True, noted=unclear)
        except NotSecure as error:
            words = troubles.WORDS[f"mail_{error.reason}"]
            tell = f"Письма не уходят: {words}. Бот пробует раз в час."
            return _Later(LATEST_PAUSE, words, tell=tell, about=_place(row))
        except (Unreachable, SendLater) as error:
            if row["kind"] == "letter" and row["attempts"] >= LETTER_TRIES:
                return _Failed(error.text or "сервер так и не принял письмо")
            # While we only looked, the row stays unsure: the first sending may still turn up.
            unsure, no_line = row["state"] == "sending" and act == self._look, isinstance(error, Unreachable)
            return _Later(pause, error.text or "нет связи", unsure=unsure, no_line=no_line)
        except (LoginFailed, MailLoginFailed) as error:
            return _Later(LATEST_PAUSE, error.text or "вход не удался", unsure=act == self._look)
        except NoThread as error:
            if error.reason in ("forbidden", "not_found") and act != self._look:
                return _Failed(error.text, _place(row))
            return _Later(pause, error.text, unsure=act == self._look)
        except BoxFull as error:
            why = _clause(error.text or "ящик личных сообщений полон")
            tell = f"Не доставлено {_named(row)}: {why}; попросите освободить место, бот пробует раз в час."
            return _Later(LATEST_PAUSE, why, tell=tell, about=_whom(row))
        except (RecipientRefused, AddressRefused) as error:
            return _Failed(error.text or type(error).__name__, _whom(row))
        except (TopicClosed, FormRefused) as error:
            return _Failed(error.text or type(error).__name__, _place(row))
        except OutsideError as error:
            return _Later(pause, error.text, unsure=act == self._look)

    def _first(self, row: sa.RowMapping) -> _Result:
        """Send what this database has not sent yet, unless it went out after the copy that the database came back from.

        Private messages are sent again: their subjects, by which they could be found, hold numbers of this database, and
        one too many does less harm than one that is lost.
        """
        if not row["body"].strip():
            return _Failed(unwritten.WHY)
        found: Stored | None = None
        match row["kind"]:
            case "topic":
                found = self._opened_since(row)
            case "post":
                found = self._posted_since(row)
            case "letter" if self._copy_of(row):
                return _Sent({})
        return self._send(row) if found is None else _there(found)

    def _opened_since(self, row: sa.RowMapping) -> Stored | None:
        """Our topic of this subject, when this database does not know it and it is no older than the game: an earlier
        season may have had one of the same name."""
        found = self._forum.find_topic(row["target"]["section"], row["subject"])
        if found is None:
            return None
        with self._store.read() as connection:
            began = connection.execute(sa.select(games.c.created_at).where(games.c.id == row["game_id"])).scalar()
            known = connection.execute(sa.select(threads.c.id).where(threads.c.topic == found.topic)).first()
        if known is not None or began is None:
            return None
        posted = next((post.posted for post in self._forum.read_thread(found.topic, Place(), whole=True).posts), None)
        return found if posted is not None and posted >= began else None

    def _posted_since(self, row: sa.RowMapping) -> Stored | None:
        """Our post of these words, when posts of ours were read in the thread that this database has not sent."""
        with self._store.read() as connection:
            ours = self._own_id(connection, row)
            read = connection.execute(
                sa.select(threads.c.own_id).where(threads.c.id == row["target"]["thread_id"])
            ).scalar()
        return self._posted(row, ours) if (read or 0) > ours else None

    def _posted(self, row: sa.RowMapping, after_id: int) -> Stored | None:
        """Our post of these words with a higher id."""
        with self._store.read() as connection:
            topic = self._topic(connection, row)
        assert topic is not None
        return self._forum.find_reply(topic, row["body"], after_id=after_id)

    def _send(self, row: sa.RowMapping) -> _Result:
        target, subject, body = row["target"], row["subject"], row["body"]
        match row["kind"]:
            case "topic":
                stored = self._forum.open_topic(target["section"], subject, body)
                return _Sent({"topic": stored.topic, "post_id": stored.post_id, "url": stored.url})
            case "post":
                with self._store.read() as connection:
                    topic = self._topic(connection, row)
                assert topic is not None
                stored = self._forum.reply(topic, body)
                return _Sent({"post_id": stored.post_id, "url": stored.url})
            case "pm":
                words = self._forum.escape(body) if target.get("plain") else body
                self._forum.send_pm(target["uid"], target["nick"], pm_subject(row), words)
                return _Sent({})
            case _:
                if self._outgoing is None or self._mail is None:
                    return _Failed("почта не настроена")
                copy = self._mail.address
                self._outgoing.send(target["address"], subject, body, message_id=message_id(row, copy), bcc=copy)
                return _Sent({})

    def _look(self, row: sa.RowMapping) -> _Result:
        """Did the sending arrive? Sends only when it did not."""
        target = row["target"]
        found = None
        match row["kind"]:
            case "topic":
                found = self._forum.find_topic(target["section"], row["subject"])
            case "post":
                found = self._posted(row, int((row["result"] or {}).get("after_id", 0)))
            case "pm":
                if self._forum.find_sent_pm(target["nick"], pm_subject(row)):
                    return _Sent({})
            case _:
                return self._look_for_letter(row)
        if found is not None:
            return _there(found)
        if (row["result"] or {}).get("approval"):
            return self._approval(row)
        return self._again(row)

    def _look_for_letter(self, row: sa.RowMapping) -> _Result:
        """Each letter is copied to our own mailbox in the same sending: the copy tells whether it went out."""
        assert self._mail is not None
        tried = datetime.fromisoformat((row["result"] or {})["tried_at"])
        with self._store.read() as connection:
            read_at = connection.execute(sa.select(places.c.complete_at).where(places.c.name == "mail")).scalar()
        if self._copy_of(row):
            return _Sent({})
        if read_at is None or read_at < tried + timedelta(seconds=LOOK_AFTER):
            return _Later(LOOK_AFTER, "проверяется, ушло ли письмо", unsure=True)
        return self._again(row)

    def _copy_of(self, row: sa.RowMapping) -> bool:
        """Whether the copy of this letter has been read in our own mailbox."""
        if self._mail is None:
            return False
        own = letters.c.message_id == message_id(row, self._mail.address)
        with self._store.read() as connection:
            return connection.execute(sa.select(letters.c.id).where(own)).first() is not None

    def _again(self, row: sa.RowMapping) -> _Result:
        """It has not arrived: send it once more, counted before it goes out, unless that was done often enough."""
        if _times_unclear(row) >= MOST_SENDINGS:
            return _Failed(f"отправлено {_times_unclear(row)} раза, но на месте не видно ({row['error'] or 'ответа нет'})")
        with self._store.write() as connection:
            mine = outbox.c.id == row["id"]
            tried = {**(row["result"] or {}), "tried_at": self._clock.now().isoformat()}
            connection.execute(outbox.update().where(mine).values(attempts=outbox.c.attempts + 1, result=tried))
        result = self._send(row)
        return _Sent({**result.result, "tried_at": tried["tried_at"]}) if isinstance(result, _Sent) else result

    @staticmethod
    def _approval(row: sa.RowMapping) -> _Later:
        """The forum has taken it, but a moderator must let it through."""
        tell = (
            f"Форум принял {_named(row)}, но покажет только после одобрения модератором: одобрите его и попросите владельца "
            "форума публиковать сообщения бота сразу."
        )
        return _Later(APPROVAL_PAUSE, "ждёт одобрения модератором", unsure=True, tell=tell, noted={"approval": True})

    def _topic(self, connection: sa.Connection, row: sa.RowMapping) -> str | None:
        found: str | None = connection.execute(
            sa.select(threads.c.topic).where(threads.c.id == row["target"]["thread_id"])
        ).scalar()
        return found

    def _last_id(self, connection: sa.Connection, row: sa.RowMapping) -> int:
        """The highest post id known in the row's thread: an earlier post of the same words is not this one."""
        if row["kind"] != "post":
            return 0
        known = connection.execute(
            sa.select(threads.c.last_id).where(threads.c.id == row["target"]["thread_id"])
        ).scalar()
        return max(int(known or 0), self._own_id(connection, row))

    @staticmethod
    def _own_id(connection: sa.Connection, row: sa.RowMapping) -> int:
        """The highest id of a post that this database has sent to the row's thread; 0 when there is none."""
        sent = connection.execute(
            sa.select(outbox.c.target, outbox.c.result).where(
                outbox.c.game_id == row["game_id"], outbox.c.kind.in_(("topic", "post")), outbox.c.state == "sent"
            )
        )
        thread = row["target"]["thread_id"]
        return max((int((result or {}).get("post_id") or 0) for to, result in sent if to["thread_id"] == thread), default=0)


def _there(found: Stored) -> _Sent:
    """It is there already."""
    return _Sent({"topic": found.topic, "post_id": found.post_id, "url": found.url})


def _times_unclear(row: sa.RowMapping) -> int:
    """How often it was sent and no clear answer came."""
    return int((row["result"] or {}).get(UNCLEAR, 0))


def _named(row: sa.RowMapping) -> str:
    """What it is, in the host's words."""
    what = {"topic": "тему", "post": "сообщение в тему", "pm": "личное сообщение", "letter": "письмо"}[row["kind"]]
    to = row["target"].get("nick") or row["target"].get("address") or ""
    subject = f" «{row['subject']}»" if row["subject"] else f" ({row['key']})"
    return f"{what}{subject}{f' ({to})' if to else ''}"


def _clause(words: str) -> str:
    """The other side's words as a part of one sentence."""
    return re.sub(r"[.!?]+\s+", "; ", words.strip()).rstrip(" .!?")


def _place(row: sa.RowMapping) -> str:
    """Where it goes, for troubles that all rows for that place share."""
    kind, target = row["kind"], row["target"]
    return f"{kind}/{target['thread_id'] if kind == 'post' else target['section'] if kind == 'topic' else 'all'}"


def _whom(row: sa.RowMapping) -> str:
    """Whom it goes to, for troubles that all rows for him share; for posts and topics the row alone."""
    return f"to/{row['target'].get('uid') or row['target'].get('address') or row['id']}"


def pm_subject(row: sa.RowMapping) -> str:
    """The subject with the row's number, so that exactly this message can be found again among the sent ones."""
    return f"{row['subject']} №{row['id']}"


def message_id(row: sa.RowMapping, own_address: str) -> str:
    """The letter's Message-ID: the same however often it is tried."""
    digest = hashlib.sha256(row["key"].encode()).hexdigest()[:32]
    return f"<{digest}@{own_address.partition('@')[2] or 'forumbot.invalid'}>"
