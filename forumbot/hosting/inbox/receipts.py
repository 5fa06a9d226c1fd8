"""What senders are told of their messages: what was understood, what really stands, and what it changed for others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.messages import ReadOrder, Result
from engine.model import Event, Notice, Order
from forumbot.hosting.core import choosing, fates, outbox
from forumbot.hosting.core.choosing import Offer
from forumbot.hosting.core.evidence import Deed, May, may
from forumbot.hosting.core.fates import Fate
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.inbox.judge import Judged
from forumbot.writing.writer import ReceiptLine

RECEIPTS_A_TURN = 20
"""More letters of one player in one turn are read like the others, but get no receipt."""
_STATUS = {"accepted": "accepted", "rejected": "rejected", "withdrawn": "replaced"}


def answer(
    connection: sa.Connection,
    publisher: Publisher,
    match: Match,
    seats: Seating,
    judged: Judged,
    sent_before: int,
    *,
    status: Mapping[str, Any] | None = None,
    to_host: Sequence[str] = (),
    offers: Sequence[Offer] = (),
) -> None:
    """The receipt for a letter or PM, a word to a voter whose post was not counted, and to whoever else is concerned.

    ``status`` answers what the player asked of himself; ``to_host`` is what was passed on to the host; ``offers`` are the
    readings that he is to choose among.
    """
    holder = judged.pending.holder
    if holder is None:
        return
    changed = fates.turned(judged.before, judged.after)
    if sent_before < RECEIPTS_A_TURN:
        told = changed.pop(holder.seat, [])
        _receipt(connection, publisher, match, seats, judged, told, status, to_host, offers)
    names = seats.names()
    facts = publisher.facts(match)
    for seat, turned in changed.items():
        other = seats.holders.get(seat)
        if other is not None:
            publisher.private(
                connection,
                f"v{judged.verdict_id}/changed/{seat}",
                other,
                "changed.j2",
                facts,
                priority=outbox.RECEIPTS,
                changed=[_turned(fate, names) for fate in turned],
            )


def put_to_player(
    connection: sa.Connection, row: GameRow, match: Match, judged: Judged, sent_before: int, now: datetime
) -> Sequence[Offer]:
    """The numbered readings of a doubtful message that its player can settle; those that still wait where he named none."""
    holder = judged.pending.holder
    if holder is None or sent_before >= RECEIPTS_A_TURN or judged.light is not match:
        return ()
    if judged.verdict.reason == choosing.WHICH:
        return choosing.waiting(connection, row.id, match.turn, holder.seat)
    if not any(order.status == "review" for order in judged.verdict.orders) and not judged.verdict.readings:
        return ()
    found = choosing.readings(match, holder.seat, judged.verdict, judged.pending.at)
    return choosing.offer(connection, row.id, match.turn, holder.seat, judged.verdict_id, found, now) if found else ()


def untold(judged: Judged) -> list[Event]:
    """What followed from a message, without the notices that its receipt repeats."""
    return [e for e in judged.events if not (isinstance(e, Notice) and e.kind in fates.TOLD_BY_RECEIPT)]


def _receipt(
    connection: sa.Connection,
    publisher: Publisher,
    match: Match,
    seats: Seating,
    judged: Judged,
    changed: list[Fate],
    status: Mapping[str, Any] | None,
    to_host: Sequence[str],
    offers: Sequence[Offer],
) -> None:
    message, verdict = judged.pending, judged.verdict
    assert message.holder is not None
    if "robot_doubtful" in message.problems:
        return  # two programs must not write to each other without end; the host sees the letter
    names = seats.names()
    lines = [_read(order, judged.fate(number), names) for number, order in enumerate(verdict.orders)]
    outcome, reason = _outcome(judged, lines)
    public = message.channel == "post"
    refused = outcome in ("rejected", "review")
    if public and not refused and not changed and not to_host and not offers:
        return
    if message.proof and outcome == "ignored" and not status and not to_host:
        return
    publisher.receipt(
        connection,
        message.source,
        message.holder,
        publisher.facts(match),
        # To the account itself, where a letter may be somebody else's.
        channel="pm" if may(message.evidence, Deed.MOVE) is May.REVIEW else message.channel,
        template=_template(public, refused, bool(to_host) and not changed and not offers),
        lines=lines,
        answers=message.source,
        outcome=outcome,
        reason=reason,
        text=_quoted(message.subject or "", verdict.text),
        changed=[_turned(fate, names) for fate in changed],
        standing=[line(order, names) for order in match.ruleset.standing(match.game, message.holder.seat)],
        status=status,
        to_host=list(to_host),
        offers=[{"number": one.number, "lines": [line(order, names) for order in one.orders]} for one in offers],
        at_once=judged.light is not match,
    )


def _template(public: bool, refused: bool, passed_on: bool) -> str:
    if not public:
        return "receipt.j2"
    return "vote_refused.j2" if refused else "passed_on.j2" if passed_on else "receipt.j2"


def _outcome(judged: Judged, lines: list[ReceiptLine]) -> tuple[Result, str | None]:
    """The reader's outcome; but a message of which nothing stands after all was refused."""
    verdict = judged.verdict
    if verdict.outcome == "accepted" and lines and all(one.status == "rejected" for one in lines):
        return "rejected", lines[0].reason
    reason = verdict.reason or next((one.reason for one in lines if one.reason), None)
    return verdict.outcome, reason


def _read(order: ReadOrder, fate: Fate | None, names: Mapping[str, str]) -> ReceiptLine:
    """One order as read; where the rules had it, with their last word on it."""
    if fate is None:
        return line(order, names, order.status, order.reason)
    return line(order, names, _STATUS[fate.status], fate.reason)


def _turned(fate: Fate, names: Mapping[str, str]) -> ReceiptLine:
    return line(fate.order, names, fate.status, fate.reason)


def line(order: Order | ReadOrder, names: Mapping[str, str], status: str = "accepted", reason: str | None = None) -> ReceiptLine:
    """An order for a template, with the nicks of the day."""
    args = {key: names.get(value, value) if isinstance(value, str) else value for key, value in order.args.items()}
    return ReceiptLine(order.action, tuple(names.get(target, target) for target in order.targets), args, status, reason)


def _quoted(subject: str, text: str) -> str:
    """What was written, inside one pair of quotation marks; a subject that was read with it stands in a pair of its own."""
    head, body = subject.strip(), text.strip()
    if head and body != head and body.startswith(head):
        return f"{_shortened(head)}» / «{_shortened(body[len(head) :])}"
    return _shortened(body)


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 300 else flat[:299] + "…"
