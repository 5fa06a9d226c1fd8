"""A published turn is corrected: the game is folded anew, what changed is stored and said once, and the old is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.model import EngineError, Event, Line, Notice
from forumbot.hosting.core import keys, outbox, record, schedule, seating, stories
from forumbot.hosting.core.acting import Context, Refused, Undo
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.wire import draw_data, events_data
from forumbot.hosting.people import people
from forumbot.hosting.publish import finale, newspapers
from forumbot.store.tables import games, turns
from forumbot.store.tables import outbox as outbox_rows
from forumbot.store.types import dump, plain
from forumbot.writing.writer import PublicFacts

KINDS = ("accept", "reject", "strike", "order", "host", "remove", "force")
"""Acts that a correction may consist of."""


@dataclass(slots=True)
class Played:
    """One turn as the log of inputs makes it."""

    opened: tuple[Event, ...]
    opening: PublicFacts
    events: tuple[Event, ...] = ()
    closing: tuple[Event, ...] = ()
    """What the closing of the turn itself gave."""
    closed_at: datetime | None = None
    facts: PublicFacts = field(default_factory=lambda: PublicFacts("", 0))
    draws: list[dict[str, Any]] = field(default_factory=list)

    @property
    def lines(self) -> list[Line]:
        return [event for event in self.events if isinstance(event, Line)]


def correct(context: Context, changes: Sequence[Mapping[str, Any]], change: Callable[[Mapping[str, Any]], Undo]) -> Undo:
    """Make these changes and all that follows from them. Raises Refused when nothing follows, or the game would end
    at another time than it did."""
    if not changes:
        raise Refused("в исправлении нет ни одного изменения")
    before, _ = _play(context)
    context.correcting = True
    try:
        undo = [dict(change(given)) for given in changes]
    except EngineError:
        # Where the game ends too early now, that is the reason to be told.
        _play(context)
        raise
    changed = _settle(context, before, tell=True)
    if not changed:
        raise Refused("ни один подведённый ход от этого не меняется")
    return {"changes": undo, "turns": changed}


def take_back(context: Context, act_id: int, undo: Callable[[], None], *, correction: bool) -> bool:
    """Take back an act on which resolved turns rest, as a correction of its own; a ``correction`` in silence while nobody has
    seen what it said. Gives whether nobody had."""
    before, _ = _play(context)
    unseen = newspapers.withdraw(context.connection, context.row.id, f"act{act_id}/")
    context.correcting = True
    undo()
    _settle(context, before, tell=not (correction and unseen))
    return unseen


def _play(context: Context) -> tuple[dict[int, Played], Match]:
    """Every turn of the game, played from the log."""
    connection, row = context.connection, context.row
    publisher = context.publisher()
    match = Match.begin(row.ruleset, row.tables, row.seed)
    found: dict[int, Played] = {}
    given = record.inputs_of(connection, row.id)
    for number, one in enumerate(given):
        events = match.apply(one)
        if one.kind == "open":
            found[one.turn] = Played(events, publisher.facts(match, schedule.marks(connection, row.id, one.turn)))
        elif one.turn != SETUP_TURN and one.turn in found:
            played = found[one.turn]
            played.events = tuple(match.turn_events)
            if one.kind == "close":
                played.closing, played.closed_at, played.facts = events, one.at, publisher.facts(match)
                played.draws = [draw_data(draw) for draw in match.chance.record[match.opened_draws :]]
                if match.ruleset.winner(match.game) is not None and number + 1 < len(given):
                    raise Refused(
                        f"в исправленной игре победа наступила бы уже в день {one.turn}: так исправить нельзя, "
                        "следующие дни уже сыграны"
                    )
    return found, match


def _settle(context: Context, before: Mapping[int, Played], *, tell: bool) -> list[int]:
    """Store every closed turn that has changed and say so; gives which."""
    connection, row = context.connection, context.row
    after, match = _play(context)
    _same_end(context, match)
    writer, publisher = context.writer(), context.publisher()
    changed: list[int] = []
    stored = connection.execute(sa.select(turns).where(turns.c.game_id == row.id, turns.c.closed_at.is_not(None)))
    for kept in sorted(stored.mappings().all(), key=lambda one: int(one["turn"])):
        turn = int(kept["turn"])
        new = after[turn]
        facts = PublicFacts(row.title, turn, tables=row.tables)
        report = writer.report(facts, new.lines, kept["names"])
        events = events_data(new.events)
        if dump([events, new.draws, report]) == dump([kept["events"], kept["draws"], kept["report"]]):
            continue
        changed.append(turn)
        old = {"at": context.now.isoformat(), "act": context.act_id, "who": context.who}
        old |= {key: kept[key] for key in ("report", "events", "draws")}
        connection.execute(
            turns.update()
            .where(turns.c.id == kept["id"])
            .values(report=report, events=events, draws=new.draws, replaced=[*(kept["replaced"] or []), old])
        )
        unseen = newspapers.is_unseen(connection, row.id, turn)
        if unseen:
            _in_place(context, turn, after)
        elif tell and report != kept["report"]:
            _say(context, publisher, turn, new, publisher.facts(match))
        if tell:
            _tell_players(context, publisher, turn, before[turn], new, closing=not unseen)
    if changed and row.stage == "over":
        _end_anew(context, publisher, tell=tell)
    return changed


def _end_anew(context: Context, publisher: Publisher, *, tell: bool) -> None:
    """What was told of the whole game at its end is told anew: in the old one's place while nobody has seen it."""
    connection, row, writer = context.connection, context.row, context.writer()
    query = sa.select(outbox_rows.c.after).where(outbox_rows.c.key == f"{row.id}/{finale.KEY}")
    after = connection.execute(query).scalar()
    if newspapers.withdraw(connection, row.id, finale.KEY):
        finale.post(connection, row, publisher, writer, after=after)
    elif tell:
        finale.corrected(connection, row, publisher, writer, context.key)


def _same_end(context: Context, match: Match) -> None:
    """The end of the game must not move; who has won may change, and what the players take home with it."""
    winner = match.ruleset.winner(match.game)
    over = context.row.stage == "over"
    if over and winner is None:
        raise Refused("исправленная игра ещё не кончилась бы, а эта уже окончена: так исправить нельзя")
    if over and winner != context.row.winner:
        context.connection.execute(games.update().where(games.c.id == context.row.id).values(winner=winner))
    if over:
        # Accounts between games: what has changed is booked back and anew, never twice (T60).
        people.settle(context.connection, context.row.id, context.now)


def _in_place(context: Context, turn: int, after: Mapping[int, Played]) -> None:
    """The newspaper is not out yet (S9): the new one takes its place, with the letters behind it and the next day's topic."""
    connection, row = context.connection, context.row
    new = after[turn]
    assert new.closed_at is not None
    last = newspapers.put_anew(context, turn, new.facts, new.events, new.closed_at)
    publisher = context.publisher()
    if newspapers.withdraw(connection, row.id, f"t{turn}/close/"):
        publisher.notices(connection, f"t{turn}/close", new.closing, new.facts, after=last)
    following = after.get(turn + 1)
    day = keys.topic(turn + 1)
    if following is not None and newspapers.withdraw(connection, row.id, day):
        thread = newspapers.thread_of(connection, row.id, turn + 1)
        publisher.day_topic(connection, turn + 1, thread, following.opening, following.opened, new.events, after=last)


def _say(context: Context, publisher: Publisher, turn: int, new: Played, now: PublicFacts) -> None:
    """One post in the present day's thread: which newspaper no longer holds, and the right one."""
    text = publisher.public_text("correction.j2", now, day=turn)
    thread = newspapers.thread_of(context.connection, context.row.id, context.row.turn)
    whole = f"{text}\n\n{publisher.newspaper_text(new.facts, stories.tied(new.events))}"
    publisher.reply(context.connection, f"{context.key}/t{turn}", thread, whole)


def _tell_players(
    context: Context, publisher: Publisher, turn: int, old: Played, new: Played, *, closing: bool
) -> None:
    """One letter to each player whose private results have changed. ``closing``: those of the night have gone out, too."""
    was, now = _notices(old, closing=closing), _notices(new, closing=closing)
    counted_was, counted_now = Counter(map(_key, was)), Counter(map(_key, now))
    gone = _left_over(was, counted_was - counted_now)
    fresh = _left_over(now, counted_now - counted_was)
    here = seating.load(context.connection, context.row.id)
    for seat in dict.fromkeys(notice.to for notice in (*gone, *fresh)):
        holder = here.holders.get(seat)
        if holder is None:
            continue
        publisher.private(
            context.connection,
            f"{context.key}/t{turn}/{seat}",
            holder,
            "correction_notice.j2",
            new.facts,
            priority=outbox.RESULTS,
            day=turn,
            gone=[publisher.notice_text(notice, holder, old.facts) for notice in gone if notice.to == seat],
            fresh=[publisher.notice_text(notice, holder, new.facts) for notice in fresh if notice.to == seat],
        )


def _notices(played: Played, *, closing: bool) -> list[Notice]:
    left_out = () if closing else tuple(map(id, played.closing))
    return [event for event in played.events if isinstance(event, Notice) and id(event) not in left_out]


def _left_over(notices: Sequence[Notice], wanted: Counter[str]) -> list[Notice]:
    left = Counter(wanted)
    found: list[Notice] = []
    for notice in notices:
        if left[_key(notice)] > 0:
            left[_key(notice)] -= 1
            found.append(notice)
    return found


def _key(notice: Notice) -> str:
    return dump([notice.to, notice.kind, plain(notice.data)])
