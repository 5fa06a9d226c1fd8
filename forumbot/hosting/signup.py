"""The sign-up thread: who plays. A player is a forum account; two nicks that look alike do not meet in one game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

import sqlalchemy as sa

from engine.messages import Message, Reader, Verdict
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Places
from forumbot.hosting import isolation, outbox, record, seating, waitlist
from forumbot.hosting.judge import Pending, keep, pending
from forumbot.hosting.match import SETUP_TURN
from forumbot.hosting.publish import Publisher
from forumbot.hosting.record import GameRow
from forumbot.hosting.seating import Holder, Seating
from forumbot.hosting.sitting import Sitting
from forumbot.reading import same_key

IsHost = Callable[[GameRow, str], bool]
"""Whether posts of this nick are a host's."""


def judge(sitting: Sitting, reader: Reader, is_host: IsHost, before: datetime | None) -> None:
    """Read the posts of the sign-up thread that came before its closing and seat whoever wants to play."""
    for message in pending(sitting.connection, sitting.row.id, sitting.seats, before=before):
        read = partial(_read, reader, sitting.row, message, is_host)
        _alone(sitting, SETUP_TURN, message, partial(_take, sitting, message, read))


def judge_late(sitting: Sitting, turn: int, reader: Reader, is_host: IsHost, messages: Sequence[Pending]) -> None:
    """Posts of the sign-up thread that came when the game had begun: whoever wants to play waits for a place."""
    connection, row, seats, publisher = sitting.connection, sitting.row, sitting.seats, sitting.publisher

    def read(message: Pending) -> Verdict:
        return _read(reader, row, message, is_host)

    for message in messages:
        work = partial(waitlist.judge, connection, row, turn, seats, publisher, [message], read, sitting.now)
        _alone(sitting, turn, message, work)


def _alone(sitting: Sitting, turn: int, message: Pending, work: Callable[[], None]) -> None:
    """What goes wrong with one post is the host's to look at; the others are read."""
    connection, game_id = sitting.connection, sitting.row.id
    if not isolation.alone(connection, message.source, work):
        keep(connection, game_id, turn, message, isolation.UNREAD, sitting.now)
        isolation.tell(connection, sitting.site, game_id, turn, message.author, sitting.now)


def _take(sitting: Sitting, message: Pending, read: Callable[[], Verdict]) -> None:
    connection, row, publisher, now = sitting.connection, sitting.row, sitting.publisher, sitting.now
    seats = seating.load(connection, row.id)
    holder = seats.by_uid(waitlist.uid_of(connection, message)) if message.channel == "post" else message.holder
    verdict = read()
    keep(connection, row.id, SETUP_TURN, message, verdict, now)
    if holder is None and message.channel == "post" and verdict.reason != "host_post" and waitlist.asks(message.text):
        uid = waitlist.uid_of(connection, message)
        waitlist.add(connection, publisher, row, message.source, message.author, uid, message.at)
        return
    actions = [order.action for order in verdict.orders if order.status == "accepted"]
    if verdict.outcome != "accepted" or not actions:
        return
    if actions[-1] == "unsignup":
        if holder is not None:
            seating.sign_off(connection, row.id, holder.seat)
        elif message.channel == "post":
            waitlist.leave(connection, row.id, waitlist.uid_of(connection, message))
    elif holder is None:
        _welcome(connection, row, seats, message, publisher, now)


def _read(reader: Reader, row: GameRow, message: Pending, is_host: IsHost) -> Verdict:
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
