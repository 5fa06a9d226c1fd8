"""Stored messages are read once, in the order of the servers' times, and what stands becomes an input of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adapters.mail.letters import DOUBTFUL
from adapters.markup import html_runs, own_text
from adapters.model import STRANGE_NOTICE
from engine.chance import Chance
from engine.messages import Explained, Message, Reader, ReadOrder, Span, Verdict
from engine.model import Event, Order, Rejected
from engine.turn import Hearing
from forumbot import __version__
from forumbot.hosting.core import choosing, fates, hours, record
from forumbot.hosting.core.evidence import Deed, May, may
from forumbot.hosting.core.fates import Fate
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.wire import order_data, read_order_data
from forumbot.hosting.explain import words
from forumbot.hosting.inbox import repeats, routing
from forumbot.hosting.inbox.arrivals import Pending
from forumbot.store.prepared import Prepared, insertion
from forumbot.store.tables import letters, posts, verdicts


@dataclass(frozen=True, slots=True)
class Judged:
    """What judging one message led to."""

    pending: Pending
    verdict: Verdict
    verdict_id: int
    events: tuple[Event, ...]
    """What followed; where the message had its place before others that were known already, only notices."""
    before: dict[str, Fate]
    after: dict[str, Fate]
    """How the orders of the running turn stood before and after it, by their ``ref``."""

    light: Match
    """The match in whose light it was read: what its sender may know."""

    def fate(self, number: int) -> Fate | None:
        """What became of the message's order of this number; None where it was not handed to the rules."""
        return self.after.get(f"{self.verdict_id}.{number}")


@dataclass(slots=True)
class Folded:
    """What followed from the orders of one message as they became inputs."""

    events: list[Event] = field(default_factory=list)
    anew: bool = False
    """The game was made anew, since an order had its place before others."""
    handed: bool = False
    """Whether there was any order for the rules."""


class Judge:
    """Gives verdicts on the messages of one game's turns."""

    def __init__(self, reader: Reader, hosts: frozenset[str], now: datetime) -> None:
        self._reader = reader
        self._hosts = hosts
        self._now = now

    def judge(self, connection: sa.Connection, row: GameRow, match: Match, message: Pending) -> Judged:
        """Read one message, keep the verdict, fold its accepted orders in."""
        eve = hours.eve(connection, row, match, message.at)
        answer = _answer(connection, row, match, message)
        verdict = self._read(eve or match, message) if answer is None else answer.verdict
        was, before = tuple(match.turn_events), dict(match.fates)
        verdict, struck = self._edited(connection, row, match, message, verdict)
        if answer is not None:
            struck = choosing.settle(connection, row.id, answer, message.source)
        verdict_id = keep(connection, row.id, match.turn, message, verdict, self._now)
        if struck:
            refold(connection, row, match)
        if verdict.words is not None and message.holder is not None:
            match.apply(words.of_post(connection, row.id, match, message.holder.seat, message.post_id, verdict.words, message.at))
        origins = None if answer is None else answer.origins
        folded = fold_in(connection, row, match, message, verdict, verdict_id, origins)
        if not folded.handed and verdict.outcome != "ignored":
            hear(connection, row, match, message)
        taken = {order.action for order in verdict.orders if order.status == "accepted"}
        if answer is None and message.holder is not None and verdict.outcome == "accepted":
            choosing.overtake(connection, row.id, match.turn, message.holder.seat, taken)
        followed = fates.fresh_notices(was, match.turn_events) if folded.anew else tuple(folded.events)
        return Judged(message, verdict, verdict_id, followed, before, dict(match.fates), eve or match)

    def again(self, connection: sa.Connection, row: GameRow, match: Match, message: Pending) -> Verdict:
        """What the reader makes of a message by what it has been taught since; nothing is written down."""
        return self._read(hours.eve(connection, row, match, message.at) or match, message)

    def _read(self, match: Match, message: Pending) -> Verdict:
        if message.channel == "post" and message.author in self._hosts and message.holder is None:
            return Verdict("ignored", "host_post")
        if message.holder is None:
            return Verdict("ignored", "stranger")
        if "too_large" in message.problems:
            return Verdict("review", "too_large")
        if "unfetched" in message.problems:
            return Verdict("review", "unfetched")
        if "hidden_text" in message.problems:
            return Verdict("review", "hidden_text")
        verdict = self._reader.read(
            match.ruleset,
            match.game,
            Message(
                kind=message.channel,
                author=message.holder.seat,
                text=message.text,
                subject=message.subject,
                format=message.markup,
                at=message.at,
                edited=message.edited and STRANGE_NOTICE not in message.problems,
                ref=message.source,
            ),
        )
        if message.channel == "post" and message.thread_turn < match.turn:
            return _late(verdict)
        verdict = repeats.asked(match, message.holder.seat, verdict)
        doubt = next((name for name in message.problems if name in DOUBTFUL), None)
        if STRANGE_NOTICE in message.problems and verdict.orders:
            doubt = STRANGE_NOTICE
        if may(message.evidence, Deed.MOVE) is May.REVIEW and verdict.orders:
            doubt = message.evidence.value
        if doubt is None:
            return verdict
        if doubt == "robot_doubtful" and not verdict.orders:
            return Verdict("ignored", "robot")
        unsure = tuple(replace(order, status="review") if order.status == "accepted" else order for order in verdict.orders)
        return replace(verdict, outcome="review", reason=doubt, orders=unsure)

    def _edited(
        self, connection: sa.Connection, row: GameRow, match: Match, message: Pending, verdict: Verdict
    ) -> tuple[Verdict, bool]:
        """A later version of a post that was read before: an edit may only take back what the rules let be taken back."""
        if message.channel != "post" or message.version == 1 or message.holder is None:
            return verdict, False
        earlier = _verdicts_of_post(connection, row.id, message)
        standing = [id_ for id_, outcome in earlier if outcome == "accepted"]
        if not standing:
            return verdict, False
        revocable = not any(
            isinstance(event, Rejected)
            for event in match.ruleset.receive(match.game, Order(message.holder.seat, "unvote"), Chance(0))[1]
        )
        if verdict.outcome == "review" or not revocable:
            return Verdict("review", "edited", verdict.orders, verdict.text, verdict.rule), False
        record.strike(connection, row.id, standing, f"сообщение изменено ({message.source})")
        return verdict, True


def hear(connection: sa.Connection, row: GameRow, match: Match, message: Pending) -> None:
    """That something came is a fact of the game, for rules that mind silence, even where nothing of it is an order for them."""
    if message.holder is not None and isinstance(match.ruleset, Hearing):
        seat = {"player": message.holder.seat}
        match.apply(record.add_input(connection, row.id, "heard", match.turn, message.at, seat))


def _answer(connection: sa.Connection, row: GameRow, match: Match, message: Pending) -> choosing.Answer | None:
    """What a private message settles that its player was asked; only he himself can."""
    if message.channel == "post" or message.holder is None or may(message.evidence, Deed.MOVE) is not May.YES:
        return None
    text = own_text(html_runs(message.text)) if message.markup == "html" else message.text
    if not text.strip():
        text = message.subject or ""
    return choosing.answered(connection, row.id, match.turn, message.holder.seat, text)


def _late(verdict: Verdict) -> Verdict:
    """What a post in the thread of an earlier turn asks for comes after that turn's deadline, and is no order of this one; its
    words do not count for this one either."""
    if not verdict.orders:
        return replace(verdict, words=None)
    orders = tuple(replace(order, status="rejected", reason="late", by_rules=False) for order in verdict.orders)
    return replace(verdict, outcome="rejected", reason="late", orders=orders, words=None)


_WRITTEN = "judged_at", "outcome", "reason", "rule", "text", "orders", "unexplained", "explained", "version"
_KEEP = insertion(verdicts, "game_id", "source", "seat", "author", "channel", "turn", "at", *_WRITTEN)
_JUDGED = {
    kind: Prepared(table.update().where(table.c.id == sa.bindparam("row")).values(judged=True))
    for kind, table in (("post", posts), ("letter", letters))
}


def keep(
    connection: sa.Connection, game_id: str, turn: int, message: Pending, verdict: Verdict, now: datetime
) -> int:
    """Write a verdict down; gives its number."""
    made = _KEEP.run(
        connection,
        game_id=game_id,
        source=message.source,
        seat=message.holder.seat if message.holder else None,
        author=message.holder.nick if message.holder else message.author,
        channel=message.channel,
        turn=turn,
        at=message.at,
        **written(verdict, now),
    )
    kind, _, number = message.source.partition(":")
    _JUDGED[kind].run(connection, row=int(number))
    return made.lastrowid or 0


def written(verdict: Verdict, now: datetime) -> dict[str, Any]:
    """What the row of a verdict says of how its message was read. Words are shown one by one, so codes are not among them."""
    codes = routing.code_places(verdict.text)

    def shown(word: Span | Explained) -> bool:
        return not any(start < word.end and word.start < end for start, end in codes)

    return {
        "judged_at": now,
        "outcome": verdict.outcome,
        "reason": verdict.reason,
        "rule": verdict.rule,
        "text": verdict.text,
        "orders": [read_order_data(order) for order in verdict.orders],
        "unexplained": [verdict.text[span.start : span.end] for span in verdict.unexplained if shown(span)],
        "explained": [[verdict.text[word.start : word.end], word.by] for word in verdict.explained if shown(word)],
        "version": __version__,
    }


def fold_in(
    connection: sa.Connection,
    row: GameRow,
    match: Match,
    message: Pending,
    verdict: Verdict,
    verdict_id: int,
    origins: Sequence[int] | None = None,
) -> Folded:
    """Orders that stand become inputs, each at its place in time; ``origins`` are the messages that they settle, where that is
    another one for each."""
    done = Folded()
    for number, read in enumerate(verdict.orders):
        if message.holder is None or not _is_for_the_rules(verdict, read):
            continue
        order = Order(message.holder.seat, read.action, read.targets, read.args, message.at, ref=f"{verdict_id}.{number}")
        done.handed = True
        place = record.place_for(connection, row.id, match.turn, message.at)
        origin = verdict_id if origins is None else origins[number]
        given = record.add_input(
            connection, row.id, "order", match.turn, message.at, order_data(order), verdict_id=origin, seq=place
        )
        if place is None:
            done.events.extend(match.apply(given))
        else:
            refold(connection, row, match)
            done.anew = True
    return done


_GONE = sa.select("post:" + sa.cast(posts.c.id, sa.String)).where(
    posts.c.game_id == sa.bindparam("game"), posts.c.gone_at.is_not(None)
)
_OF_TURN = verdicts.c.game_id == sa.bindparam("game"), verdicts.c.turn == sa.bindparam("turn"), verdicts.c.outcome == "accepted"
_VANISHED = Prepared(
    sa.select(verdicts.c.id, verdicts.c.author).where(*_OF_TURN, verdicts.c.source.in_(_GONE)).order_by(verdicts.c.id)
)


def vanished(connection: sa.Connection, game_id: str, turn: int) -> list[tuple[int, str]]:
    """Accepted verdicts of this turn whose post is gone from the thread: (verdict, author)."""
    return [(int(id_), str(author)) for id_, author in _VANISHED.lists(connection, game=game_id, turn=turn)]


def _is_for_the_rules(verdict: Verdict, read: ReadOrder) -> bool:
    """Orders that stand, and those that the rules themselves refuse: a refusal may have its own consequences."""
    if read.status == "accepted":
        return verdict.outcome == "accepted"
    return read.status == "rejected" and read.by_rules and verdict.outcome in ("accepted", "rejected")


def _verdicts_of_post(connection: sa.Connection, game_id: str, message: Pending) -> list[tuple[int, str]]:
    mine = sa.select(posts.c.thread_id).where(posts.c.id == int(message.source.removeprefix("post:")))
    earlier = sa.select("post:" + sa.cast(posts.c.id, sa.String)).where(
        posts.c.thread_id == mine.scalar_subquery(), posts.c.post_id == message.post_id, posts.c.version < message.version
    )
    query = sa.select(verdicts.c.id, verdicts.c.outcome).where(verdicts.c.game_id == game_id, verdicts.c.source.in_(earlier))
    rows = connection.execute(query.order_by(verdicts.c.id)).all()
    return [(int(id_), str(outcome)) for id_, outcome in rows]


def refold(connection: sa.Connection, row: GameRow, match: Match) -> None:
    """Make the match anew after something was put in, or struck out, in its past."""
    match.become(record.fold(connection, row))


