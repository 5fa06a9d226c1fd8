"""The sign-up thread: who plays. A player is a forum account; two nicks that look alike do not meet in one game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

import sqlalchemy as sa

from engine.messages import Message, Reader, ReadOrder, Verdict
from engine.rulesets import ruleset as find_ruleset
from engine.turn import Places
from forumbot.hosting.core import bars, isolation, outbox, record, seating, troubles
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Holder, Seating
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.inbox import inquiries, questions, waitlist
from forumbot.hosting.inbox.arrivals import Pending, pending
from forumbot.hosting.inbox.judge import keep
from forumbot.reading.requests import persons, signs_off

LOOKALIKE = "lookalike"
"""The reason of a nick that cannot be told from another player's."""

IsHost = Callable[[GameRow, str], bool]
"""Whether posts of this nick are a host's."""


def judge(sitting: Sitting, reader: Reader, is_host: IsHost, before: datetime | None) -> None:
    """Read the posts of the sign-up thread that came before its closing and seat whoever wants to play."""
    for message in pending(sitting.connection, sitting.row.id, sitting.seats, before=before):
        read = partial(_read, reader, sitting.row, message, is_host)
        _alone(sitting, SETUP_TURN, message, partial(_take, sitting, message, read))


def judge_late(sitting: Sitting, turn: int, reader: Reader, is_host: IsHost, messages: Sequence[Pending]) -> None:
    """Posts of the sign-up thread that came when the game had begun: whoever wants to play waits for a place."""
    for message in messages:
        read = partial(_read, reader, sitting.row, message, is_host)
        _alone(sitting, turn, message, partial(_wait, sitting, turn, message, read))


def _wait(sitting: Sitting, turn: int, message: Pending, read: Callable[[], Verdict]) -> None:
    verdict = read()
    if not _refused(sitting, sitting.seats, turn, message, verdict):
        waitlist.judge(sitting.connection, sitting.row, turn, sitting.seats, sitting.publisher, message, verdict, sitting.now)


def _alone(sitting: Sitting, turn: int, message: Pending, work: Callable[[], None]) -> None:
    """What goes wrong with one post is the host's to look at; the others are read."""
    connection, game_id = sitting.connection, sitting.row.id
    if not isolation.alone(connection, message.source, work):
        keep(connection, game_id, turn, message, isolation.UNREAD, sitting.now)
        isolation.tell(connection, sitting.site, game_id, turn, message.author, sitting.now)


def _take(sitting: Sitting, message: Pending, read: Callable[[], Verdict]) -> None:
    connection, row, publisher, now = sitting.connection, sitting.row, sitting.publisher, sitting.now
    seats = seating.load(connection, row.id)
    holder = seats.by_uid(message.uid) if message.channel == "post" else message.holder
    verdict = read()
    if holder is not None and message.channel == "post" and verdict.outcome == "ignored" and signs_off(inquiries.own(message)):
        verdict = replace(verdict, outcome="accepted", orders=(ReadOrder("unsignup"),))
    if _refused(sitting, seats, SETUP_TURN, message, verdict):
        return
    keep(connection, row.id, SETUP_TURN, message, verdict, now)
    if message.channel != "post" and holder is not None:
        _private(sitting, message, holder)
        return
    if holder is None and message.channel == "post" and verdict.reason != "host_post" and waitlist.asks(message.text):
        waitlist.add(connection, publisher, row, message.source, message.author, message.uid, message.at)
        return
    actions = [order.action for order in verdict.orders if order.status == "accepted"]
    if verdict.outcome != "accepted" or not actions:
        return
    if actions[-1] == "unsignup":
        if holder is not None:
            seating.sign_off(connection, row.id, holder.seat)
            key = f"left/{message.source}"
            publisher.private(
                connection, key, holder, "signed_off.j2", publisher.facts(None), priority=outbox.NOTICES, by_pm=True
            )
        elif message.channel == "post":
            waitlist.leave(connection, row.id, message.uid)
    elif holder is None:
        _welcome(connection, row, seats, message, publisher, now)


def _refused(sitting: Sitting, seats: Seating, turn: int, message: Pending, verdict: Verdict) -> bool:
    """Whether the post asks for a place, now or when one becomes free, that its author cannot have; he and the host hear why."""
    uid = message.uid
    if message.channel != "post" or seats.by_uid(uid) is not None or verdict.reason == "host_post":
        return False
    wanted = [order.action for order in verdict.orders if order.status == "accepted"][-1:] == ["signup"]
    if not wanted and not waitlist.asks(message.text):
        return False
    refusal = _refusal(sitting, seats, message.author, uid)
    if refusal is None or (refusal[0] == LOOKALIKE and not (wanted and turn == SETUP_TURN)):
        # Who waits sits nowhere yet: a former player, whose nick his seat still knows, may wait, too.
        return False
    orders = tuple(replace(order, status="rejected", reason=refusal[0], by_rules=False) for order in verdict.orders)
    kept = replace(verdict, outcome="rejected", reason=refusal[0], orders=orders)
    keep(sitting.connection, sitting.row.id, turn, message, kept, sitting.now)
    _refuse(sitting, message, refusal[1])
    return True


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


def seat_waiting(connection: sa.Connection, row: GameRow, publisher: Publisher, act_id: int, now: datetime) -> None:
    """Whoever came after the end of a sign-up that was taken back has a place, as far as there are places."""
    for one in waitlist.waiting(connection, row.id):
        seats = seating.load(connection, row.id)
        if not _is_full(row, seats) and seating.twin(seats, one.nick) is None:
            _sit_down(connection, row, one.nick, one.uid, f"act{act_id}/{one.uid}", publisher, now)


def _welcome(
    connection: sa.Connection, row: GameRow, seats: Seating, message: Pending, publisher: Publisher, now: datetime
) -> None:
    uid = message.uid
    if _is_full(row, seats):
        waitlist.add(connection, publisher, row, message.source, message.author, uid, message.at)
        return
    _sit_down(connection, row, message.author, uid, message.source, publisher, now)
    if find_ruleset(row.ruleset).spec.closes_when_full and _is_full(row, seating.load(connection, row.id)):
        record.move_deadline(connection, row.id, SETUP_TURN, now)


def _sit_down(
    connection: sa.Connection, row: GameRow, nick: str, uid: int | None, source: str, publisher: Publisher, now: datetime
) -> None:
    """``source``: what has brought them here."""
    holder = seating.sit_down(connection, row.id, nick, uid, now)
    waitlist.plays(connection, row.id, uid)
    publisher.private(
        connection,
        f"welcome/{source}",
        holder,
        "welcome.j2",
        publisher.facts(None),
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


def _refusal(sitting: Sitting, seats: Seating, nick: str, uid: int | None) -> tuple[str, str] | None:
    """Why this account cannot be seated: a reason's id, and words for it in the player's language; None when it can."""
    if uid is None:
        return "no_uid", "форум не показывает номер вашей учётной записи; напишите ведущему"
    barred = bars.of(sitting.connection, nick, uid, sitting.now)
    if barred is not None:
        return "barred", f"вас не допускают к партиям {bars.words(barred, sitting.zone)}"
    alike = seating.twin(seats, nick)
    if alike is not None:
        return LOOKALIKE, f"ваш ник неотличим от ника игрока {alike}; договоритесь с ведущим о другом имени в игре"
    host = seating.host_alike(nick, (*sitting.row.config.hosts, sitting.site.host_nick))
    if host is not None:
        return LOOKALIKE, f"ваш ник неотличим от ника ведущего {host}; договоритесь с ним о другом имени в игре"
    return None


def _refuse(sitting: Sitting, message: Pending, why: str) -> None:
    """Both hear of it: who wanted to play, and the host."""
    uid = message.uid
    refused, publisher = Holder(message.author, message.author, uid, None, ""), sitting.publisher
    publisher.private(
        sitting.connection, f"welcome/{message.source}", refused, "signup_refused.j2", publisher.facts(None),
        priority=outbox.NOTICES, by_pm=True, why=why,
    )  # fmt: skip
    text = f"Игра «{sitting.row.id}»: {message.author} не записан. Ему сказано: {why}."
    key = f"refused/{sitting.row.id}/{message.source}"
    troubles.tell_host(sitting.connection, sitting.site, key, "Отказ в записи", text, sitting.now, game_id=sitting.row.id)


def _private(sitting: Sitting, message: Pending, holder: Holder) -> None:
    """A letter of one who has signed up, before the game: there are no moves yet, but questions are answered or passed on."""
    asked = inquiries.asked(message)
    said, publisher = inquiries.own(message), sitting.publisher
    kinds = () if not asked.rest or message.proof else (*persons(asked.rest), questions.OTHER)
    if kinds:
        where: dict[str, Any] = {"seat": holder.seat, "uid": None, "channel": message.channel, "at": message.at}
        questions.note(sitting, SETUP_TURN, message.source, kinds[0], holder.nick, said, **where)
    if not kinds and not asked.asks:
        return
    status = inquiries.nothing(asked.asks) | {"dues": inquiries.dues(sitting.connection, sitting.row.id)} if asked.asks else None
    publisher.receipt(
        sitting.connection, message.source, holder, publisher.facts(None), channel=message.channel, template="receipt.j2",
        answers=message.source, lines=[], outcome="ignored", reason=None, text="", changed=[], standing=[], status=status,
        to_host=list(kinds), offers=[],
    )  # fmt: skip
