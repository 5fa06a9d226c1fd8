"""What players write that is for a person: questions, complaints, wishes to leave, answers to the host's letters, and what
strangers and the dead say in the day's thread. It waits for the host; whoever wrote privately hears that it was passed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from forumbot.hosting.core import choosing, outbox, record, seating, troubles
from forumbot.hosting.core.acting import Context, Refused, Undo
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.seating import Holder
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.inbox import inquiries
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.hosting.inbox.judge import Judged
from forumbot.reading.requests import Requests, persons, sentences, speaks_to_host
from forumbot.store.atwork import between, beyond
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import acts, questions, verdicts
from forumbot.store.tables import outbox as outbox_rows

LEAVE, REPLY, OTHER, OUTSIDER, DEAD, VANISHED = "leave", "reply", "other", "outsider", "dead", "vanished_signup"
KINDS: Mapping[str, str] = {
    LEAVE: "просит отпустить из игры",
    "report": "сообщает о нарушении",
    "complaint": "жалуется",
    "question": "спрашивает",
    REPLY: "отвечает на письмо ведущего",
    OUTSIDER: "не играет, а пишет в теме дня",
    DEAD: "выбыл, а говорит о живых в теме дня",
    VANISHED: "сообщение с записью исчезло из темы",
    OTHER: "пишет ведущему",
}
"""Kind -> how the host reads it, the weightiest first."""
FOR_HOST = "for_host"
"""The reason of a verdict whose message was passed on."""
_ANSWERS_WITHIN = timedelta(days=7)
"""So long a letter of the host waits for the player's answer."""
_LONGEST = 4000


def hear(sitting: Sitting, match: Match, judged: Judged, asked: Requests) -> tuple[str, ...]:
    """Pass a judged message on to the host where it, or a part of it, is for a person; gives what it is, else nothing."""
    kinds = _kinds(sitting, match, judged, asked)
    if not kinds:
        return ()
    message = judged.pending
    seat = message.holder.seat if message.holder else None
    said = judged.verdict.text or inquiries.own(message)
    author = message.holder.nick if message.holder else message.author
    where: dict[str, Any] = {"seat": seat, "uid": message.uid, "channel": message.channel, "at": message.at}
    note(sitting, match.turn, message.source, kinds[0], author, said, **where)
    mine = verdicts.c.id == judged.verdict_id, verdicts.c.outcome == "ignored", verdicts.c.reason.is_(None)
    sitting.connection.execute(verdicts.update().where(*mine).values(reason=FOR_HOST))
    return kinds


def note(
    sitting: Sitting,
    turn: int,
    source: str,
    kind: str,
    author: str,
    text: str,
    *,
    seat: str | None,
    uid: int | None,
    channel: str,
    at: datetime,
) -> None:
    """Put something on the host's list, once a message. A wish to leave is told him at once: somebody may have to be found."""
    made = sitting.connection.execute(
        insert(questions)
        .values(
            game_id=sitting.row.id, turn=turn, source=source, kind=kind, author=author, text=text[:_LONGEST], seat=seat, uid=uid,
            channel=channel, at=at, noted_at=sitting.now,
        )
        .on_conflict_do_nothing(index_elements=["game_id", "source"])
    )  # fmt: skip
    if made.rowcount and kind in (LEAVE, VANISHED):
        words = f"Игра «{sitting.row.id}»: {author} {KINDS[kind]}: «{_short(text)}». Решите на пульте, страница «Вопросы»."
        key = f"question/{sitting.row.id}/{source}"
        troubles.tell_host(
            sitting.connection, sitting.site, key, f"{author} {KINDS[kind]}", words, sitting.now, game_id=sitting.row.id
        )


_WAITING = Prepared(
    sa.select(questions)
    .where(questions.c.game_id == sa.bindparam("game"), questions.c.closed_at.is_(None))
    .order_by(questions.c.at, questions.c.id)
)


def waiting(connection: sa.Connection, game_id: str) -> list[Row]:
    """Everything that waits for the host's word, the oldest first."""
    return _WAITING.rows(connection, game=game_id)


def settled(connection: sa.Connection, game_id: str, most: int) -> list[sa.RowMapping]:
    """What the host has dealt with, the last first."""
    mine = questions.c.game_id == game_id, questions.c.closed_at.is_not(None)
    query = sa.select(questions).where(*mine).order_by(questions.c.closed_at.desc(), questions.c.id.desc()).limit(most)
    return list(connection.execute(query).mappings())


def listed(rows: Sequence[Row]) -> list[str]:
    """The questions as lines of a letter to the host."""
    return [f"№{row['id']} {row['author']} {KINDS.get(row['kind'], KINDS[OTHER])}: «{_short(row['text'])}»" for row in rows]


# Acts ---------------------------------------------------------------------------------------------------------------------


def answer(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host's answer goes to whoever wrote, by the way letters of this game take."""
    row = _open(context, payload["question"])
    text = str(payload["text"]).strip()
    if not text:
        raise Refused("ответ пуст")
    here = seating.load(context.connection, context.row.id)
    stranger = Holder(row["author"], row["author"], row["uid"], None, "") if row["uid"] else None
    holder = here.holders.get(row["seat"] or "") or stranger
    if holder is None:
        raise Refused("ответить некуда: у писавшего нет ни места в игре, ни учётной записи")
    publisher = context.publisher(here)
    facts = publisher.facts(record.fold(context.connection, context.row))
    publisher.private(
        context.connection, f"{context.key}/{holder.seat}", holder, "host_answer.j2", facts,
        priority=outbox.NOTICES, at_once=True, by_pm=row["channel"] != "letter", answers=row["source"],
        asked=_short(row["text"]), text=text,
    )  # fmt: skip
    return close(context, payload["question"], text)


def heard(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host has seen it; no answer is due."""
    return close(context, payload["question"], None)


def close(context: Context, number: int, said: str | None) -> Undo:
    """A question that waits is done with."""
    _open(context, number)
    values = {"closed_at": context.now, "closed_by": context.mark, "answer": said}
    context.connection.execute(questions.update().where(questions.c.id == number).values(values))
    return {"question": number}


def reopen(context: Context, done: Undo) -> None:
    """What closed a question is taken back: it waits again."""
    mine = questions.c.id == done["question"], questions.c.game_id == context.row.id
    context.connection.execute(questions.update().where(*mine).values(closed_at=None, closed_by=None, answer=None))


def _open(context: Context, number: int) -> sa.RowMapping:
    mine = questions.c.id == number, questions.c.game_id == context.row.id
    row = context.connection.execute(sa.select(questions).where(*mine)).mappings().first()
    if row is None:
        raise Refused(f"вопроса {number} в этой игре нет")
    if row["closed_at"] is not None:
        raise Refused(f"вопрос {number} уже решён ({context.writer().moment(row['closed_at'])})")
    return row


# What is for a person -------------------------------------------------------------------------------------------------------


def _kinds(sitting: Sitting, match: Match, judged: Judged, asked: Requests) -> tuple[str, ...]:
    message, verdict = judged.pending, judged.verdict
    if message.channel == "post":
        return _of_post(judged, match)
    if message.holder is None:
        return ()
    if verdict.reason in choosing.REASONS:
        return ()
    kinds = persons(asked.rest)
    if verdict.outcome != "ignored":
        told = kinds or ("question",)
        meant = verdict.for_host or (verdict.outcome == "review" and verdict.reason == "question")
        return told if meant else tuple(kind for kind in kinds if kind == LEAVE)
    if message.proof and not kinds:
        return ()
    if _answers_host(sitting, message) and not asked.asks and inquiries.own(message).strip():
        return (REPLY, *kinds) if LEAVE not in kinds else kinds
    return kinds or ((OTHER,) if asked.rest else ())


def _of_post(judged: Judged, match: Match) -> tuple[str, ...]:
    message, verdict = judged.pending, judged.verdict
    if verdict.reason == "host_post" or message.thread != "day":
        return ()
    text = inquiries.own(message)
    if message.holder is None:
        return (OUTSIDER,) if text.strip() else ()
    living = match.ruleset.alive(match.game) if match.game is not None else ()
    if match.game is not None and message.holder.seat not in living:
        return (DEAD,) if verdict.orders or _names_one(text, living) else ()
    if verdict.for_host:
        return speaks_to_host(text) or persons(list(sentences(text))) or ("question",)
    return speaks_to_host(text) if verdict.outcome == "ignored" else ()


def _names_one(text: str, nicks: Sequence[str]) -> bool:
    """Whether one of these nicks stands in the text, in whatever case."""
    words = {word for one in sentences(text) for word in one.words}
    stems = [tuple(word[: max(3, len(word) - 2)] for word in one.words) for nick in nicks for one in sentences(nick)]
    return any(all(any(word.startswith(stem) for word in words) for stem in parts) for parts in stems if parts)


_OF_SEAT = questions.c.game_id == sa.bindparam("game"), questions.c.seat == sa.bindparam("seat")
_LAST_SAID = Prepared(sa.select(sa.func.max(questions.c.at)).where(*_OF_SEAT))
_WRITTEN = Prepared(
    sa.select(outbox_rows.c.key).where(
        between(outbox_rows.c.key, sa.bindparam("start"), sa.bindparam("end")), outbox_rows.c.created_at > sa.bindparam("since")
    )
)


def _answers_host(sitting: Sitting, message: Pending) -> bool:
    """Whether the host wrote to this player lately, and the player has not answered since."""
    assert message.holder is not None
    game, seat = sitting.row.id, message.holder.seat
    last = _LAST_SAID.value(sitting.connection, game=game, seat=seat)
    since = max(message.at - _ANSWERS_WITHIN, last) if last is not None else message.at - _ANSWERS_WITHIN
    start = f"{game}/act"
    rows = _WRITTEN.values(sitting.connection, start=start, end=beyond(start), since=since)
    ids = [key.split("/")[1].removeprefix("act") for key in rows if key.endswith(f"/{seat}")]
    wrote = acts.c.id.in_([int(one) for one in ids if one.isdecimal()]), acts.c.kind.in_(("write", "warn", "answer"))
    return sitting.connection.execute(sa.select(acts.c.id).where(*wrote)).first() is not None


def _short(text: str, most: int = 160) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
