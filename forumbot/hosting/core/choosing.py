"""A doubtful message is put to its player first: numbered readings, answered by a number before the deadline.

The answer is a message like others: its verdict holds the chosen orders, which count from the moment of the answer. A later
answer takes the place of an earlier one; what the player leaves open is the host's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import sqlalchemy as sa

from adapters.mail.letters import DOUBTFUL
from adapters.model import STRANGE_NOTICE
from engine.chance import Chance
from engine.messages import ReadOrder, Span, Verdict
from engine.model import Order, Rejected, Seat
from forumbot.hosting.core import record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.wire import read_order_data, read_orders
from forumbot.reading.requests import chosen
from forumbot.store.prepared import Prepared
from forumbot.store.tables import offers, verdicts

MOST = 5
"""So many readings are put to a player; more would be a riddle."""
NOT_FOR_PLAYER = frozenset({"edited", "vanished", "hidden_text", "too_large", STRANGE_NOTICE})
"""Doubts that the writer's own word does not settle."""
WHOLE = DOUBTFUL | {"unproven", "denied"}
"""Doubts about the message as such: all its orders are one reading."""
ANSWER, NONE, WHICH = "answer", "none_of_these", "which_number"
REASONS = (ANSWER, NONE, WHICH)
"""Reasons of the verdicts on answers: readings chosen, none of them, and a number missing or unknown."""
LATER = "later"
"""Who settled a review that its player has overtaken by a clear order."""
_WHO = "player:"


@dataclass(frozen=True, slots=True)
class Offer:
    """One numbered reading of a doubtful message."""

    number: int
    verdict_id: int
    orders: tuple[ReadOrder, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a player's answer amounts to: its verdict, and for each of its orders the doubtful message that it settles."""

    verdict: Verdict
    origins: tuple[int, ...] = ()
    settled: tuple[int, ...] = ()
    """Doubtful messages that are settled by it, also those of which nothing stands."""


def readings(match: Match, seat: Seat, verdict: Verdict, at: datetime) -> list[tuple[ReadOrder, ...]]:
    """What the player may have meant, likeliest first: only what the rules would take. Empty: he cannot settle it."""
    if verdict.reason in NOT_FOR_PLAYER:
        return []
    open_ = tuple(order for order in verdict.orders if order.status == "review")
    found = list(verdict.readings)
    if not found and verdict.reason in WHOLE:
        found = [open_]
    elif not found:
        found = [(order,) for order in open_]
        if len({order.action for order in open_}) == len(open_) > 1:
            found.append(open_)
    kept: list[tuple[ReadOrder, ...]] = []
    for reading in found:
        clean = tuple(replace(order, status="accepted", reason=None) for order in reading)
        if clean and clean not in kept and _is_taken(match, seat, clean, at):
            kept.append(clean)
    return kept[:MOST]


def offer(
    connection: sa.Connection,
    game_id: str,
    turn: int,
    seat: Seat,
    verdict_id: int,
    found: Sequence[tuple[ReadOrder, ...]],
    now: datetime,
) -> list[Offer]:
    """Number these readings and keep them. Numbers go on while an earlier question of this turn is open, so that an answer can
    mean but one."""
    mine = offers.c.game_id == game_id, offers.c.seat == seat, offers.c.retired_at.is_(None)
    if not any(one.verdict_id != verdict_id for one in waiting(connection, game_id, turn, seat)):
        connection.execute(offers.update().where(*mine).values(retired_at=now))
    last = connection.execute(sa.select(sa.func.max(offers.c.number)).where(*mine, offers.c.turn == turn)).scalar() or 0
    made = [Offer(number, verdict_id, reading) for number, reading in enumerate(found, last + 1)]
    for one in made:
        orders = [read_order_data(order) for order in one.orders]
        connection.execute(
            offers.insert().values(
                game_id=game_id, turn=turn, seat=seat, number=one.number, verdict_id=verdict_id, orders=orders, made_at=now
            )
        )
    return made


def waiting(connection: sa.Connection, game_id: str, turn: int, seat: Seat) -> list[Offer]:
    """The readings that this player may still choose among, of questions that nobody has settled."""
    return [one for one, decided in _active(connection, game_id, turn, seat) if decided is None]


def answered(connection: sa.Connection, game_id: str, turn: int, seat: Seat, text: str) -> Answer | None:
    """What a private message settles; None where it is no answer to a question of ours."""
    numbers = chosen(text)
    if numbers is None:
        return None
    rows = _active(connection, game_id, turn, seat)
    mine = {one.number: one for one, decided in rows if decided is None or decided.startswith(_WHO)}
    still = [one for one, decided in rows if decided is None]
    if not mine:
        late = sa.select(offers.c.id).where(offers.c.game_id == game_id, offers.c.seat == seat, offers.c.turn < turn)
        over = connection.execute(late.limit(1)).first() is not None
        return Answer(Verdict("rejected", "late", text=text)) if over else None
    if numbers == ():
        if len(still) != 1:
            return Answer(Verdict("ignored", WHICH, text=text))
        numbers = (still[0].number,)
    if numbers == (0,):
        ids = tuple(dict.fromkeys(one.verdict_id for one in (still or list(mine.values()))))
        return Answer(Verdict("ignored", NONE, text=text), settled=ids)
    picked = [mine[number] for number in numbers if number in mine]
    if len(picked) < len(numbers):
        return Answer(Verdict("ignored", WHICH, text=text))
    said, orders, origins = text.strip(), [], []
    for one in picked:
        words = str(connection.execute(sa.select(verdicts.c.text).where(verdicts.c.id == one.verdict_id)).scalar() or "")
        start = len(said) + 3
        said = f"{said} → {words}"
        orders += [_moved(order, start) for order in one.orders]
        origins += [one.verdict_id] * len(one.orders)
    return Answer(Verdict("accepted", ANSWER, tuple(orders), said), tuple(origins), tuple(dict.fromkeys(origins)))


def settle(connection: sa.Connection, game_id: str, answer: Answer, source: str) -> bool:
    """The doubtful messages are settled by their player; what an earlier answer of his gave no longer counts. Gives whether
    anything was struck."""
    if not answer.settled:
        return False
    outcome = "accepted" if answer.origins else "ignored"
    mine = verdicts.c.game_id == game_id, verdicts.c.id.in_(answer.settled)
    connection.execute(verdicts.update().where(*mine).values(outcome=outcome, decided_by=f"{_WHO}{source}"))
    return record.strike(connection, game_id, answer.settled, f"игрок ответил иначе ({source})") > 0


def overtake(connection: sa.Connection, game_id: str, turn: int, seat: Seat, actions: set[str]) -> None:
    """A clear order of the player settles what he was asked about the same actions before."""
    found: dict[int, set[str]] = {}
    for one in waiting(connection, game_id, turn, seat):
        found.setdefault(one.verdict_id, set()).update(order.action for order in one.orders)
    over = [verdict_id for verdict_id, asked in found.items() if asked <= actions]
    if over:
        connection.execute(verdicts.update().where(verdicts.c.id.in_(over)).values(decided_by=LATER))


def asked_about(connection: sa.Connection, game_id: str, turn: int) -> set[int]:
    """Doubtful messages that their players have been asked about."""
    mine = offers.c.game_id == game_id, offers.c.turn == turn
    return set(connection.execute(sa.select(offers.c.verdict_id).where(*mine)).scalars())


_ACTIVE = Prepared(
    sa.select(offers.c.number, offers.c.verdict_id, offers.c.orders, verdicts.c.decided_by)
    .join(verdicts, verdicts.c.id == offers.c.verdict_id)
    .where(
        offers.c.game_id == sa.bindparam("game"), offers.c.turn == sa.bindparam("turn"), offers.c.seat == sa.bindparam("seat"),
        offers.c.retired_at.is_(None),
    )
    .order_by(offers.c.number)
)  # fmt: skip


def _active(connection: sa.Connection, game_id: str, turn: int, seat: Seat) -> list[tuple[Offer, str | None]]:
    """Readings that stand on a player's list, each with who has settled its message."""
    rows = _ACTIVE.rows(connection, game=game_id, turn=turn, seat=seat)
    return [(Offer(row["number"], row["verdict_id"], read_orders(row["orders"])), row["decided_by"]) for row in rows]


def _moved(order: ReadOrder, by: int) -> ReadOrder:
    return replace(order, spans=tuple(Span(span.start + by, span.end + by, span.what) for span in order.spans))


def _is_taken(match: Match, seat: Seat, reading: Sequence[ReadOrder], at: datetime) -> bool:
    """Whether the rules would take all these orders now, one after the other."""
    game = match.game
    for order in reading:
        game, events = match.ruleset.receive(game, Order(seat, order.action, order.targets, order.args, at), Chance(0))
        if any(isinstance(event, Rejected) and event.player == seat and event.action == order.action for event in events):
            return False
    return True
