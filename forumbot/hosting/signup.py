"""The sign-up thread: who plays. A player is a forum account; two nicks that look alike do not meet in one game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import sqlalchemy as sa

from engine.messages import Message, Reader, Verdict
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Places
from forumbot.hosting import outbox, record, seating, waitlist
from forumbot.hosting.judge import Pending, keep, pending
from forumbot.hosting.match import SETUP_TURN
from forumbot.hosting.publish import Publisher
from forumbot.hosting.record import GameRow
from forumbot.hosting.seating import Holder, Seating
from forumbot.reading import same_key


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
        holder = seats.by_uid(waitlist.uid_of(connection, message)) if message.channel == "post" else message.holder
        verdict = _read(reader, row, message, is_host)
        keep(connection, row.id, SETUP_TURN, message, verdict, now)
        if holder is None and message.channel == "post" and verdict.reason != "host_post" and waitlist.asks(message.text):
            uid = waitlist.uid_of(connection, message)
            waitlist.add(connection, publisher, row, message.source, message.author, uid, message.at)
            continue
        actions = [order.action for order in verdict.orders if order.status == "accepted"]
        if verdict.outcome != "accepted" or not actions:
            continue
        if actions[-1] == "unsignup":
            if holder is not None:
                seating.sign_off(connection, row.id, holder.seat)
            elif message.channel == "post":
                waitlist.leave(connection, row.id, waitlist.uid_of(connection, message))
        elif holder is None:
            _welcome(connection, row, seats, message, publisher, now)


def judge_late(
    connection: sa.Connection,
    row: GameRow,
    turn: int,
    seats: Seating,
    reader: Reader,
    publisher: Publisher,
    now: datetime,
    is_host: Callable[[GameRow, str], bool],
    messages: Sequence[Pending],
) -> None:
    """Posts of the sign-up thread that came when the game had begun: whoever wants to play waits for a place."""
    waitlist.judge(connection, row, turn, seats, publisher, messages, lambda one: _read(reader, row, one, is_host), now)


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
    uid = waitlist.uid_of(connection, message)
    if _is_full(row, seats):
        waitlist.add(connection, publisher, row, message.source, message.author, uid, message.at)
        return
    why = _refusal(seats, message.author, uid)
    key = f"welcome/{message.source}"
    facts = publisher.facts(None)
    if why is not None:
        refused = Holder(message.author, message.author, uid, None, "")
        publisher.private(
            connection, key, refused, "signup_refused.j2", facts, priority=outbox.NOTICES, by_pm=True, why=why
        )
        return
    holder = seating.sit_down(connection, row.id, message.author, uid, now)
    waitlist.plays(connection, row.id, uid)
    if find_ruleset(row.ruleset).spec.closes_when_full and _is_full(row, seating.load(connection, row.id)):
        record.move_deadline(connection, row.id, SETUP_TURN, now)
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


def _is_full(row: GameRow, seats: Seating) -> bool:
    """Whether all places are taken: ``max_players`` of the tables, or of their part ``signup``; 0 is no limit. Some rules
    say it otherwise."""
    rules = find_ruleset(row.ruleset)
    if isinstance(rules, Places):
        most = rules.most_players(rules.tables(row.tables, {}))
    else:
        most = row.tables.get("signup", row.tables).get("max_players", 0)
    return bool(most) and len(seats.holders) >= most


def _refusal(seats: Seating, nick: str, uid: int | None) -> str | None:
    """Why this account cannot be seated, in the player's language; None when it can."""
    if uid is None:
        return "форум не показывает номер вашей учётной записи; напишите ведущему"
    twin = next((h.nick for h in seats.holders.values() if same_key(h.nick, nick)), None)
    if twin is not None:
        return f"ваш ник неотличим от ника игрока {twin}; договоритесь с ведущим о другом имени в игре"
    return None
