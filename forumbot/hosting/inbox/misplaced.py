"""What does not belong in the day's thread: a private move is no order, and its author and the host are told (contract.md); of
whoever does not play and writes there the host is told where the rules forbid it (clans, forbidden actions)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa

from engine.messages import Message, Reader, ReadOrder
from forumbot.hosting.core import outbox, troubles
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.hosting.inbox.judge import Judged
from forumbot.hosting.inbox.receipts import line
from forumbot.settings import SitePart

VOTES = ("vote", "unvote")
"""Everybody talks of votes in the thread; where they count as letters alone, talk of them is no slip."""


def outsider(connection: sa.Connection, site: SitePart, match: Match, game_id: str, message: Pending, now: datetime) -> None:
    """Where the day belongs to the living, the host hears of a dead player or a stranger who writes there, once a day of each."""
    if message.channel != "post" or not match.ruleset.spec.day_of_players or match.game is None:
        return
    who = message.holder
    if who is not None and who.seat in match.ruleset.alive(match.game):
        return
    what = "посторонний" if who is None else "выбывший игрок"
    text = (
        f"Игра «{game_id}»: в теме дня {match.turn} пишет {what} {message.author}. Посмотрите, не говорит ли он об игре: "
        "намёки и подозрения оттуда правила запрещают."
    )
    key = f"outsider/{game_id}/{match.turn}/{message.author}"
    troubles.tell_host(connection, site, key, "В теме дня пишет не игрок", text, now, game_id=game_id)


def tell(
    connection: sa.Connection,
    site: SitePart,
    publisher: Publisher,
    reader: Reader,
    match: Match,
    judged: Judged,
    names: dict[str, str],
    now: datetime,
) -> None:
    """Tell whoever must know, once a post."""
    message = judged.pending
    if message.channel != "post" or message.holder is None or judged.verdict.outcome != "ignored":
        return
    moves = _moves(reader, match, Message("pm", message.holder.seat, message.text, format=message.markup, at=message.at))
    if not moves:
        return
    facts = publisher.facts(match)
    said = [line(order, names) for order in moves]
    key = f"misplaced/{message.thread}/{message.post_id}"
    publisher.private(connection, key, message.holder, "misplaced.j2", facts, priority=outbox.RECEIPTS, lines=said)
    text = f"Игра «{publisher.game_id}»: {message.holder.nick} пишет свой ход в теме дня. Ход не засчитан, игроку сказано лично."
    to_host = f"{publisher.game_id}/{key}/host"
    troubles.tell_host(connection, site, to_host, "Ход в теме дня", text, now, game_id=publisher.game_id)


def _moves(reader: Reader, match: Match, letter: Message) -> list[ReadOrder]:
    """The orders that the same words would have been in a letter."""
    verdict = reader.read(match.ruleset, match.game, replace(letter, ref="misplaced"))
    return [order for order in verdict.orders if order.status == "accepted" and order.action not in VOTES]
