"""The sign-up thread: who plays. A player is a forum account; two nicks that look alike do not meet in one game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import sqlalchemy as sa

from engine.messages import Message, Reader, Verdict
from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting import outbox, seating
from forumbot.hosting.judge import Pending, keep, pending
from forumbot.hosting.match import SETUP_TURN
from forumbot.hosting.publish import Publisher
from forumbot.hosting.record import GameRow
from forumbot.hosting.seating import Holder, Seating
from forumbot.reading import same_key
from forumbot.store.tables import posts


def judge(
    connection: sa.Connection,
    row: GameRow,
    seats: Seating,
    make_reader: Callable[[Mapping[str, str], Mapping[str, tuple[str, ...]]], Reader],
    publisher: Publisher,
    now: datetime,
    is_host: Callable[[GameRow, str], bool],
    before: datetime | None,
) -> None:
    """Read the posts of the sign-up thread that came before its closing and seat whoever wants to play."""
    reader = make_reader({}, {})
    for message in pending(connection, row.id, seats, before=before):
        seats = seating.load(connection, row.id)
        holder = seats.by_uid(_uid(connection, message)) if message.channel == "post" else message.holder
        verdict = _read(reader, row, message, is_host)
        keep(connection, row.id, SETUP_TURN, message, verdict, now)
        actions = [order.action for order in verdict.orders if order.status == "accepted"]
        if verdict.outcome != "accepted" or not actions:
            continue
        if actions[-1] == "unsignup":
            if holder is not None:
                seating.sign_off(connection, row.id, holder.seat)
        elif holder is None:
            _welcome(connection, row, seats, message, publisher, now)


def _read(reader: Reader, row: GameRow, message: Pending, is_host: Callable[[GameRow, str], bool]) -> Verdict:
    if is_host(row, message.author):
        return Verdict("ignored", "host_post")
    if message.channel != "post":
        return Verdict("ignored", "no_turn")
    return reader.read(
        find_ruleset(row.ruleset),
        None,
        Message(
            kind="post",
            author=message.author,
            text=message.text,
            format=message.markup,
            at=message.at,
            edited=message.edited,
            signup=True,
            ref=message.source,
        ),
    )


def _welcome(
    connection: sa.Connection, row: GameRow, seats: Seating, message: Pending, publisher: Publisher, now: datetime
) -> None:
    uid = _uid(connection, message)
    why = _refusal(row, seats, message.author, uid)
    key = f"welcome/{message.source}"
    facts = publisher.facts(None)
    if why is not None:
        refused = Holder(message.author, message.author, uid, None, "")
        publisher.private(
            connection, key, refused, "signup_refused.j2", facts, priority=outbox.NOTICES, by_pm=True, why=why
        )
        return
    holder = seating.sit_down(connection, row.id, message.author, uid, now)
    publisher.private(
        connection,
        key,
        holder,
        "welcome.j2",
        facts,
        priority=outbox.NOTICES,
        by_pm=True,
        address=publisher.mail_address,
        code=holder.proof_code,
    )


def _refusal(row: GameRow, seats: Seating, nick: str, uid: int | None) -> str | None:
    """Why this account cannot be seated, in the player's language; None when it can."""
    if uid is None:
        return "форум не показывает номер вашей учётной записи; напишите ведущему"
    twin = next((h.nick for h in seats.holders.values() if same_key(h.nick, nick)), None)
    if twin is not None:
        return f"ваш ник неотличим от ника игрока {twin}; договоритесь с ведущим о другом имени в игре"
    most = row.tables.get("max_players")
    if isinstance(most, int) and len(seats.holders) >= most:
        return f"все места заняты ({most})"
    return None


def _uid(connection: sa.Connection, message: Pending) -> int | None:
    row_id = int(message.source.partition(":")[2])
    found: int | None = connection.execute(sa.select(posts.c.author_uid).where(posts.c.id == row_id)).scalar()
    return found
