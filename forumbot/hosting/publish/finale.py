"""The end of a game, told to everybody: who was who, what each did night by night, who voted for whom, what was drawn and earned.

Nothing of it is secret any more, so it rests on all that is known of the game; it is written once, behind the last newspaper.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from engine.model import Death, Event, Outcome, Seat
from engine.turn import Accounts
from forumbot.hosting.core import counting, naming, record
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.wire import events_from
from forumbot.hosting.explain import victories, words
from forumbot.store.tables import threads, turns
from forumbot.writing.writer import Writer

KEY = KIND = "final"
"""Of the outbox row and of the thread."""
_NO_MOVES = frozenset({"vote", "unvote", words.ACTION, "pass", "cancel"})
"""Actions that are no moves of the night, whatever the rules: votes stand in a table of their own, the rest is the book's."""


def post(connection: sa.Connection, row: GameRow, publisher: Publisher, writer: Writer, *, after: str | None) -> None:
    """Open the topic with the end of the game, behind the outbox row ``after``."""
    thread_id = connection.execute(
        sa.select(threads.c.id).where(threads.c.game_id == row.id, threads.c.kind == KIND)
    ).scalar()
    if thread_id is None:
        made = connection.execute(threads.insert().values(game_id=row.id, kind=KIND, turn=row.turn, watched=False))
        (thread_id,) = made.inserted_primary_key or (0,)
    match, facts = _told(connection, row, publisher, writer)
    public = publisher.facts(match)
    subject = publisher.subject_text("final_subject.j2", public) or f"{row.title}. Итоги партии"
    publisher.topic(connection, KEY, int(thread_id), subject, "final.j2", public, after=after, **facts)


def corrected(connection: sa.Connection, row: GameRow, publisher: Publisher, writer: Writer, key: str) -> None:
    """Tell the end anew below the one that stands, after a correction of a game that is over."""
    found = sa.select(threads.c.id).where(threads.c.game_id == row.id, threads.c.kind == KIND)
    thread_id = connection.execute(found).scalar()
    if thread_id is not None:
        match, facts = _told(connection, row, publisher, writer)
        facts["anew"] = True
        publisher.public(connection, f"{key}/{KEY}", int(thread_id), "final.j2", publisher.facts(match), **facts)


def _told(connection: sa.Connection, row: GameRow, publisher: Publisher, writer: Writer) -> tuple[Match, dict[str, Any]]:
    """The game as it ended, and what ``final.j2`` is given: plain data with nicks for seats and words for ids."""
    names = publisher.names()
    match = Match.begin(row.ruleset, row.tables, row.seed)
    begun: Mapping[Seat, Mapping[str, Any]] = {}
    votes: dict[int, counting.Votes] = {}
    roles: dict[int, Mapping[Seat, Mapping[str, Any]]] = {}
    for given in record.inputs_of(connection, row.id):
        if given.kind == "close":
            votes[given.turn] = counting.count(match, names)
            roles[given.turn] = match.ruleset.state(match.game)
        match.apply(given)
        if given.kind == "open" and not begun:
            begun = match.ruleset.state(match.game)
    closed = turns.c.game_id == row.id, turns.c.closed_at.is_not(None)
    query = sa.select(turns.c.turn, turns.c.events, turns.c.draws).where(*closed).order_by(turns.c.turn)
    played = [(int(turn), events_from(events), draws) for turn, events, draws in connection.execute(query)]
    teller = _Teller(writer, names)
    victory = victories.of_match(match)
    ended = match.ruleset.state(match.game)
    fates = {event.player: (turn, event.cause) for turn, events, _ in played for event in events if isinstance(event, Death)}
    return match, {
        "anew": False,
        "winner": victories.named(victory, names, writer) if victory is not None else "",
        "drawn": victory is not None and victory.kind is None,
        "players": [teller.player(seat, begun.get(seat, ended[seat]), ended[seat], fates.get(seat)) for seat in ended],
        "days": [
            {
                "turn": turn,
                "moves": [teller.move(event, roles.get(turn, {})) for event in _moves(events, match.ruleset.spec.bookkeeping)],
                "votes": [{"nick": nick, "weight": weight, "voters": voters} for nick, weight, voters in votes.get(turn, ())],
                "draws": [teller.draw(draw) for draw in draws if draw["picked"] in names],
            }
            for turn, events, draws in played
        ],
        "earned": teller.earned(match),
        "game": row.id,
    }


def _moves(events: Iterable[Event], bookkeeping: Sequence[str]) -> list[Outcome]:
    return [one for one in events if isinstance(one, Outcome) and one.action not in _NO_MOVES and one.action not in bookkeeping]


class _Teller:
    """Events in words."""

    def __init__(self, writer: Writer, names: Mapping[Seat, str]) -> None:
        self._writer, self._names = writer, names

    def player(
        self, seat: Seat, begun: Mapping[str, Any], ended: Mapping[str, Any], fate: tuple[int, str] | None
    ) -> dict[str, Any]:
        """``was``: the role and side dealt; ``became``: those of the end, where they are others."""
        # Roles that change hands belong to the moves of their nights: here stands what one was all the time.
        always = [role for role in begun.get("roles", ()) if role in ended.get("roles", ())]
        was, became = self._who(begun, always), self._who(ended, always)
        dead = fate if not ended.get("alive", True) else None
        return {
            "nick": self._nick(seat),
            "was": was,
            "became": became if became != was else "",
            "turn": dead[0] if dead else None,
            "cause": self._writer.word("causes", dead[1]) if dead else "",
            "alive": bool(ended.get("alive", True)),
        }

    def move(self, event: Outcome, states: Mapping[Seat, Mapping[str, Any]]) -> dict[str, Any]:
        role = event.args.get("role") or states.get(event.player, {}).get("role")
        item = event.args.get("item")
        return {
            "who": self._nick(event.player),
            "role": self._writer.word("roles", role) if role else "",
            "whom": [self._nick(target) for target in event.targets],
            "action": self._writer.word("actions", event.action),
            "item": self._writer.word("items", str(item)) if item else "",
            "reason": self._why(event.reason) if event.reason else "",
        }

    def _why(self, reason: str) -> str:
        """A reason told of somebody; most are worded so already, some speak to the one whose move it was."""
        told = self._writer.word("told_reasons", reason)
        return told if told != reason else self._writer.word("reasons", reason)

    def draw(self, draw: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "what": naming.chance(self._writer, draw["point"]),
            "picked": self._nick(draw["picked"]),
            "options": [self._nick(one) for one in draw["options"]],
            "forced": draw["forced"],
        }

    def earned(self, match: Match) -> list[dict[str, Any]]:
        """What each takes home, by currency; only where the rules keep accounts."""
        rules = match.ruleset
        if not isinstance(rules, Accounts):
            return []
        found = []
        for seat, home in rules.takes_home(match.game).items():
            sums = {self._writer.word("currencies", name): amount for name, amount in home.items() if amount}
            found.append({"nick": self._nick(seat), "sums": sums})
        return found

    def _who(self, state: Mapping[str, Any], always: Sequence[str]) -> str:
        roles = always if "roles" in state else [state["role"]] if state.get("role") else []
        said = [self._writer.word("roles", role) for role in dict.fromkeys(roles)]
        side = self._writer.word("factions", state["faction"]) if state.get("faction") else ""
        if side and side not in said:
            said.append(side)
        return ", ".join(said)

    def _nick(self, seat: Seat) -> str:
        return self._names.get(seat, seat)
