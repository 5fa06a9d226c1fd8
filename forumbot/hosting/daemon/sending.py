"""The outbox at work: each row is sent once. After a crash, or when no clear answer came, it looks before it sends again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog

from adapters.clock import Clock
from adapters.errors import (
    AddressRefused,
    AwaitsApproval,
    BoxFull,
    Flood,
    FormRefused,
    FormStale,
    LoginFailed,
    MailLoginFailed,
    NoThread,
    NotSecure,
    NotShown,
    NotTaken,
    OutsideError,
    RecipientRefused,
    SendLater,
    TooLong,
    TopicClosed,
    Unfamiliar,
    UnknownOutcome,
    Unreachable,
)
from adapters.forum import Forum
from adapters.mailbox import MailSettings, Outgoing
from forumbot.hosting.core import marks, troubles
from forumbot.hosting.core import outbox as outbox_rows
from forumbot.hosting.core.outcomes import UNCLEAR, Failed, Later, Outcome, Sent, clause, named, place, times_unclear, whom
from forumbot.hosting.daemon.delivery import LOOK_AFTER, MOST_SENDINGS, Delivery, approval, last_id, topic_of
from forumbot.settings import SitePart
from forumbot.store.atwork import LETTER, ON_ITS_WAY, SETTLED, WRITING, one_of
from forumbot.store.database import Store, StoreError
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import outbox, threads
from forumbot.writing.splitting import split

log = structlog.get_logger("forumbot.sending")

LATEST_PAUSE = 3600.0
"""The longest pause between two tries, in seconds."""
LETTER_TRIES = 40
_IN_VAIN = 5
"""Tries after which the host hears of a forum that takes nothing."""
_LETTER_IN_VAIN = 7
"""The same of a letter, after half an hour: a server that does not know us yet puts letters off for up to a quarter."""
_MAIL, _FORUM = ("letter",), ("topic", "post", "edit", "pm")
_LINES = {kind: line for line in (_MAIL, _FORUM) for kind in line}
"""Kind of row -> the kinds that go by the same line."""


def _next_of(line: sa.ColumnElement[bool]) -> Prepared:
    """The rows of a line that may go out at the moment ``now``, the first ``most`` of them."""
    earlier = outbox.alias()
    done = sa.exists().where(earlier.c.key == outbox.c.after, one_of(earlier.c.state, "sent", "failed", "shadow"))
    # Behind a whole group stands what waits until each of it was tried: one of them may be stuck for long.
    group = sa.func.substr(outbox.c.after, 1, sa.func.length(outbox.c.after) - 1)
    untried = earlier.c.state == "waiting", earlier.c.attempts == 0
    mates = earlier.c.key >= group, earlier.c.key < group.concat("\U0010ffff")
    tried = sa.and_(outbox.c.after.endswith("/*"), sa.not_(sa.exists().where(*mates, *untried)))
    return Prepared(
        sa.select(outbox)
        .where(ON_ITS_WAY, line, outbox.c.not_before <= sa.bindparam("now"), sa.or_(outbox.c.after.is_(None), done, tried))
        .order_by(outbox.c.priority, outbox.c.id)
        .limit(sa.bindparam("most"))
    )


_NEXT = {_MAIL: _next_of(LETTER), _FORUM: _next_of(WRITING)}
_BEGIN = Prepared(
    outbox.update()
    .where(outbox.c.id == sa.bindparam("row"))
    .values(state="sending", attempts=outbox.c.attempts + 1, result=sa.bindparam("noted", type_=outbox.c.result.type))
    .returning(outbox)
)
_ABOUT = sa.func.json_extract(outbox.c.result, "$.about")
_FAILED = Prepared(
    sa.select(outbox.c.id, outbox.c.result)
    .where(SETTLED, outbox.c.state == "failed", sa.or_(sa.bindparam("where") == _ABOUT, sa.bindparam("whose") == _ABOUT))
    .order_by(outbox.c.id)
)
_MINE = outbox.c.id == sa.bindparam("row")
_RESULT = Prepared(sa.select(outbox.c.result).where(_MINE))
_CHANGES: Mapping[tuple[str, ...], Prepared] = {
    names: Prepared(outbox.update().where(_MINE).values({name: sa.bindparam(name) for name in names}))
    for names in (
        ("state", "sent_at", "error", "result"),
        ("state", "not_before", "error"),
        ("state", "not_before", "error", "result"),
        ("state", "error", "result"),
        ("state", "attempts", "not_before", "result"),
    )
}
"""What is changed of a row at once -> the statement."""


def _change(connection: sa.Connection, row_id: int, values: Mapping[str, Any]) -> None:
    """Write these of ``_CHANGES`` into a row."""
    _CHANGES[tuple(values)].run(connection, row=row_id, **values)


def _first_of(connection: sa.Connection, way: Prepared, now: datetime) -> Row | None:
    """The first row of a line whose place on the forum is there."""
    most = passed = 1
    while True:
        rows = way.rows(connection, now=now, most=most)
        for row in rows[passed - 1 :]:
            if row["kind"] not in ("post", "edit") or topic_of(connection, row) is not None:
                return row
        if len(rows) < most:
            return None
        passed, most = most + 1, most * 20


@dataclass(frozen=True, slots=True)
class _Begun:
    """A row that is being sent; ``looked``: it may have gone out already, and is looked for first."""

    row: Row
    looked: bool


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
        self._delivery = Delivery(store, clock, site, forum, outgoing, mail)
        self._forum_free_at: datetime | None = None

    def run(
        self, flood_interval: float, give_way: Callable[[], bool] = lambda: False, *, most: int = 20, seconds: float = 30.0
    ) -> int:
        """Send what is due, as long as nothing more urgent makes it ``give_way``: ``most`` writings to the forum and letters for
        so many ``seconds``; gives how many rows were sent. A line that is dead or does not answer costs its time-outs once a
        call, not once a row."""
        sent = written = 0
        dead: set[str] = set()
        ends = self._clock.now() + timedelta(seconds=seconds)

        def following(connection: sa.Connection) -> Row | None:
            row = self._next(connection, {*dead, *(_FORUM if written >= most else ())})
            return None if row is None or self._clock.now() > ends or give_way() else row

        with self._store.read() as connection:
            row = following(connection)
        if row is None:
            return 0
        with self._store.write() as connection:
            begun: _Begun | None = self._begin(connection, row)
        while begun is not None:
            result = self._guarded(begun)
            sent += isinstance(result, Sent)
            if isinstance(result, Later) and result.no_line:
                dead.update(_LINES[begun.row["kind"]])
            if begun.row["kind"] != "letter":
                written += 1
                self._forum_free_at = self._clock.now() + timedelta(seconds=flood_interval)
            with self._store.write() as connection:
                self._settle(connection, begun.row, result)
                row = following(connection)
                begun = None if row is None else self._begin(connection, row)
        return sent

    def _next(self, connection: sa.Connection, dead: AbstractSet[str]) -> Row | None:
        """The first row that may go out now, on a line that is not ``dead``."""
        now = self._clock.now()
        busy = self._forum_free_at is not None and now < self._forum_free_at
        ways = [_NEXT[kinds] for kinds in (_MAIL, _FORUM) if dead.isdisjoint(kinds) and not (busy and kinds is _FORUM)]
        first = [row for way in ways if (row := _first_of(connection, way, now)) is not None]
        return min(first, key=lambda row: (row["priority"], row["id"]), default=None)

    def _begin(self, connection: sa.Connection, row: Row) -> _Begun:
        """Mark the row before it is sent; one that is marked already may have gone out, and is looked for."""
        if row["state"] == "sending":
            return _Begun(row, looked=True)
        if row["kind"] != "letter" and len(row["body"]) > self._forum.max_post:
            outbox_rows.split_row(connection, row, split(row["body"], self._forum.max_post), self._clock.now())
        before = last_id(connection, row)
        noted = {"after_id": before, "tried_at": self._clock.now().isoformat(), UNCLEAR: times_unclear(row)}
        if (row["result"] or {}).get("tried_anew"):
            noted["tried_anew"] = True
        secret = self._delivery.secret(connection)
        if row["kind"] == "pm":
            noted["mark"] = marks.of_message(secret, row)
        begun = _BEGIN.first(connection, row=row["id"], noted=noted)
        assert begun is not None
        return _Begun(begun, looked=False)

    def _settle(self, connection: sa.Connection, row: Row, result: Outcome) -> None:
        now = self._clock.now()
        values: dict[str, Any]
        if isinstance(result, Sent):
            values = {"state": "sent", "sent_at": now, "error": None, "result": {**(row["result"] or {}), **result.result}}
            self._arrived(connection, row, result)
        elif isinstance(result, Later):
            again = now + timedelta(seconds=result.seconds)
            values = {"state": "sending" if result.unsure else "waiting", "not_before": again, "error": result.why}
            if result.noted:
                values["result"] = {**(_RESULT.value(connection, row=row["id"]) or {}), **result.noted}
            if result.tell and row["target"].get(troubles.TO_HOST):
                troubles.unheard(connection, self._site, row, result.why, now)
            elif result.tell:
                key = f"outbox/{result.about}/{result.why}" if result.about else f"outbox/{row['id']}"
                about, by_pm = row["game_id"], row["kind"] == "letter"
                troubles.raise_trouble(connection, self._site, key, result.tell, now, game_id=about, by_pm=by_pm)
        else:
            kept = _RESULT.value(connection, row=row["id"])
            values = {"state": "failed", "error": result.why, "result": {**(kept or {}), "about": result.about}}
            if row["target"].get(troubles.TO_HOST):
                troubles.unheard(connection, self._site, row, clause(result.why), now)
            else:
                self._tell_failed(connection, row, result, now)
        _change(connection, row["id"], values)

    def _arrived(self, connection: sa.Connection, row: Row, result: Sent) -> None:
        """What follows from a sending: its troubles are over, and what failed for the same reason goes out, too; a new topic is
        known by its address."""
        over = self._try_failed(connection, place(row), whom(row))
        troubles.clear_all(connection, f"outbox/{row['id']}", [f"outbox/{about}/" for about in over])
        if row["target"].get(troubles.TO_HOST):
            troubles.heard(connection, self._site, row["kind"], self._clock.now())
        if row["kind"] == "topic" and "topic" in result.result:
            connection.execute(
                threads.update()
                .where(threads.c.id == row["target"]["thread_id"])
                .values(topic=result.result["topic"], last_id=result.result.get("post_id") or 0)
            )
        if result.changed:
            text = (
                f"Форум показывает {named(row)} не теми словами, что послал бот: заменяет слова, знаки или ссылки или "
                "приклеивает сообщение к прежнему. Посмотрите, всё ли понятно игрокам, и попросите владельца форума не менять "
                "текст бота."
            )
            self._tell(connection, row, f"changed/{row['game_id']}", "Форум меняет слова", text)
        if result.kept:
            text = (
                f"Форум не дал боту поправить первое сообщение темы: {clause(result.kept)}; новое сказано в теме отдельным "
                "сообщением, а старое поправьте сами."
            )
            self._tell(connection, row, f"unedited/{row['id']}", "Старое не исправлено", text)

    def _tell(self, connection: sa.Connection, row: Row, key: str, subject: str, text: str) -> None:
        now = self._clock.now()
        troubles.tell_host(connection, self._site, key, subject, text, now, game_id=row["game_id"])

    def _try_failed(self, connection: sa.Connection, where: str, whose: str) -> set[str]:
        """Another try, by itself one only, for what could not be sent to a place or person that takes something now. Gives those
        of them about which nothing is left for the host to do."""
        over = {where, whose}
        for number, noted in _FAILED.lists(connection, where=where, whose=whose):
            if noted.get("tried_anew"):
                over.discard(noted["about"])
                continue
            state = "sending" if noted.get(UNCLEAR) else "waiting"
            again = {**noted, UNCLEAR: 0, "tried_anew": True}
            values = {"state": state, "attempts": 0, "not_before": self._clock.now(), "result": again}
            _change(connection, number, values)
        return over

    def _tell_failed(self, connection: sa.Connection, row: Row, result: Failed, now: datetime) -> None:
        key = f"outbox/{result.about}/{result.why}" if result.about else f"outbox/{row['id']}"
        why = clause(result.why)
        text = f"Не удалось отправить {named(row)}: {why}; когда исправите, отправьте снова («forumbot outbox retry»)."
        troubles.raise_trouble(connection, self._site, key, text, now, game_id=row["game_id"], item=named(row))

    def _guarded(self, begun: _Begun) -> Outcome:
        """Send or look, and take whatever comes of it for an outcome."""
        row, looked = begun.row, begun.looked
        act = self._delivery.look if looked else self._delivery.first
        pause = min(LATEST_PAUSE, 15.0 * 2 ** min(row["attempts"], 8))
        try:
            return act(row)
        except Flood as error:
            return Later(error.wait, "форум просит подождать", unsure=looked and times_unclear(row) > 0)
        except AwaitsApproval:
            return approval(row)
        except NotShown as error:
            return Failed(error.text)
        except NotTaken as error:
            return Later(pause, error.text, unsure=True, no_line=True, tell=_long_in_vain(row, error.text), about=place(row))
        except UnknownOutcome as error:
            unclear = {UNCLEAR: times_unclear(row) + 1}
            return Later(LOOK_AFTER, error.text or "ответ не получен", unsure=True, no_line=True, noted=unclear)
        except NotSecure as error:
            words = troubles.WORDS[f"mail_{error.reason}"]
            tell = f"Письма не уходят: {words}. Бот пробует раз в час."
            return Later(LATEST_PAUSE, words, tell=tell, about=place(row))
        except (Unreachable, SendLater) as error:
            if row["kind"] == "letter" and row["attempts"] >= LETTER_TRIES:
                return Failed(error.text or "сервер так и не принял письмо")
            # While we only looked, the row stays unsure: the first sending may still turn up.
            no_line, why = isinstance(error, Unreachable), error.text or "нет связи"
            tell, about = _put_off(row, why), place(row) if no_line else whom(row)
            return Later(pause, why, unsure=looked, no_line=no_line, tell=tell, about=about)
        except (LoginFailed, MailLoginFailed) as error:
            return Later(LATEST_PAUSE, error.text or "вход не удался", unsure=looked)
        except NoThread as error:
            if error.reason in ("forbidden", "not_found") and not looked:
                return Failed(error.text, place(row))
            return Later(pause, error.text, unsure=looked)
        except OutsideError as error:
            return self._refused(row, error, pause, looked=looked)
        except StoreError:
            raise
        except Exception:
            # A fault of the program on this one row: the others go on. It may have gone out, so it is looked for.
            log.exception("row_failed", row=row["id"])
            faults = times_unclear(row) + 1
            if faults >= MOST_SENDINGS:
                return Failed("на этом споткнулась сама программа, подробности в журнале бота")
            return Later(LOOK_AFTER, "ошибка программы", unsure=True, noted={UNCLEAR: faults})

    def _refused(self, row: Row, error: OutsideError, pause: float, *, looked: bool) -> Outcome:
        """The other side has said no; nothing was stored."""
        match error:
            case BoxFull():
                why = clause(error.text or "ящик личных сообщений полон")
                tell = f"Не доставлено {named(row)}: {why}; попросите освободить место, бот пробует раз в час."
                return Later(LATEST_PAUSE, why, tell=tell, about=whom(row))
            case RecipientRefused() | AddressRefused():
                return Failed(error.text or type(error).__name__, whom(row))
            case Unfamiliar():
                tell = f"Не уходит {named(row)}: {clause(error.text)}; бот пробует раз в час."
                return Later(LATEST_PAUSE, clause(error.text), unsure=looked, tell=tell, about=place(row))
            case TooLong() if len(row["body"]) > error.limit:
                return Later(0, f"форум принимает не больше {error.limit} знаков")  # it goes on in parts
            case FormStale():
                tell = _long_in_vain(row, error.text)
                return Later(pause, clause(error.text), unsure=looked, tell=tell, about=place(row))
            case TopicClosed() | FormRefused():
                return Failed(error.text or type(error).__name__, place(row))
        return Later(pause, error.text, unsure=looked)


def _long_in_vain(row: Row, why: str) -> str:
    """What the host hears of something that the forum does not take for long; nothing as long as it may be over soon."""
    if row["attempts"] < _IN_VAIN:
        return ""
    return f"Форум никак не принимает {named(row)} ({clause(why)}): посмотрите, можно ли там писать; бот пробует раз в час."


def _put_off(row: Row, why: str) -> str:
    """The same of a letter that the mail server puts off: a full box, or so much a day."""
    if row["kind"] != "letter" or row["attempts"] < _LETTER_IN_VAIN:
        return ""
    return f"Почтовый сервер никак не принимает {named(row)} ({clause(why)}): важное передайте на форуме; бот пробует дальше."
