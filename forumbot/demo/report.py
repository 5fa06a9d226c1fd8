"""The end of a demo: the hosted game held against the intentions, newspaper by newspaper, message by message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from forumbot.demo.house import GAME, House
from forumbot.demo.players import MOSCOW
from forumbot.demo.purses import purses
from forumbot.demo.saying import Saying
from forumbot.demo.truth import Truth, fold
from forumbot.hosting.core import record, stories
from forumbot.hosting.core.wire import events_from
from forumbot.hosting.explain import victories
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.database import Store
from forumbot.store.tables import letters, posts, turns, verdicts
from forumbot.writing.writer import PublicFacts, Writer


@dataclass
class Comparison:
    """``differences`` make the demo fail; ``asked`` are messages that the reading asked about without need, ``odd`` those whose
    outcome was another one than meant without an effect on the game."""

    differences: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    replayed: bool = False
    winner: str | None = None
    won: str = "никто"
    """The winner in words."""


def compare(house: House, said: Sequence[Saying], seats: Sequence[str]) -> Comparison:
    """Hold everything against everything."""
    found = Comparison()
    store = Store(house.database)
    try:
        with store.read() as connection:
            row = record.load(connection, GAME)
            kept = {
                int(one["turn"]): one for one in connection.execute(sa.select(turns).where(turns.c.game_id == GAME)).mappings()
            }
            read = _verdicts(connection)
            victory = victories.of_game(connection, GAME)
        closed = house.frame.signup_closes.replace(tzinfo=MOSCOW)
        brought = purses(house.company, house.frame)
        asked = {one.source: _asked(one, read.get(one.source)) for one in said}
        truth = fold(row.ruleset, row.tables, row.seed, seats, closed, house.frame.first_day, said, brought, asked)
        wrong = _compare_turns(found, house, truth, kept, row)
        found.winner = row.winner
        if victory is not None:
            found.won = victories.named(victory, {}, Writer(row.templates, "Europe/Moscow"))
        if truth.winner != row.winner:
            found.differences.append(f"победитель: в игре {row.winner}, по намерениям {truth.winner}")
        _compare_messages(found, [one for one in said if wrong is None or one.turn <= wrong], read, truth)
        found.replayed = all(turn.same for turn in replay_game(store, GAME, "Europe/Moscow"))
        if not found.replayed:
            found.differences.append("повтор игры по журналу входов дал другие байты")
    finally:
        store.close()
    return found


_NUMBER = re.compile(r"^\d+\. ")


def _compare_turns(found: Comparison, house: House, truth: Truth, kept: Mapping[int, Any], row: record.GameRow) -> int | None:
    """Gives the first turn that differs, if any: what differs after it is only its consequence."""
    writer = Writer(row.templates, "Europe/Moscow")
    meant = {turn.turn: turn for turn in truth.turns}
    closed = {number: turn for number, turn in kept.items() if turn["closed_at"] is not None}
    found.turns = len(closed)
    published = house.posts_of_host()
    for number in sorted(meant.keys() | closed.keys()):
        before = len(found.differences)
        if number not in closed or number not in meant:
            found.differences.append(f"день {number}: {'не сыгран' if number in meant else 'по намерениям не было'}")
            return number
        one, turn = meant[number], closed[number]
        facts = PublicFacts(row.title, number, tables=row.tables)
        report = writer.report(facts, one.lines, turn["names"])
        if report != turn["report"]:
            shown = f"  вышла:\n{_shifted(turn['report'])}\n  должна:\n{_shifted(report)}"
            found.differences.append(f"день {number}: газета не та.\n{shown}")
        dead = sorted((event["player"], event["cause"]) for event in turn["events"] if event["type"] == "Death")
        if tuple(dead) != one.dead:
            found.differences.append(f"день {number}: погибли {dead}, по намерениям {list(one.dead)}")
        missing = _missing(house, writer, facts, turn, published)
        if missing:
            found.differences.append(f"день {number}: на форуме нет строк газеты: {missing[:3]}")
        if len(found.differences) > before:
            return number
    return None


def _missing(house: House, writer: Writer, facts: PublicFacts, turn: Any, published: str) -> list[str]:
    """Lines of the turn's newspaper that are not on the forum. Of whom the forum told in the course of the game whether to say
    «погиб» or «погибла», of them either will do."""
    told, nicks = stories.tied(events_from(turn["events"])), turn["names"]
    shown = [
        writer.gazette(facts, told, nicks, str, genders=dict.fromkeys(nicks.values(), gender), whole=False).splitlines()
        for gender in ("", "m", "f")
    ]
    together = zip(*shown, strict=True)
    # Where somebody stands in a numbered roster, only the game's own order tells.
    unnumbered = ([_NUMBER.sub("", one) for one in forms] for forms in together)
    return [forms[0] for forms in unnumbered if not any(" ".join(house.shown(one).split()) in published for one in forms)]


def _compare_messages(found: Comparison, said: Sequence[Saying], read: Mapping[str, Any], truth: Truth) -> None:
    for one in said:
        if not one.sent or one.topic != "day":
            continue
        verdict = read.get(one.source)
        outcome = verdict["outcome"] if verdict is not None else "unread"
        wanted = _wanted(one, truth)
        found.outcomes[wanted] += 1
        asked = _asked(one, verdict)
        if outcome in wanted.split("|") and not (outcome == wanted and asked):
            continue
        line = f"{one.author} ({one.source}, день {one.turn}): «{_short(one.text)}»: {outcome}"
        line += f" ({verdict['reason']})" if verdict is not None and verdict["reason"] else ""
        line += f", а имелось в виду {wanted}"
        said_by_rules = ", ".join(truth.answers.get(one.source, ()))
        line += f" (правила: {said_by_rules})" if said_by_rules else ""
        if asked and "accepted" in wanted:
            found.asked.append(line)
        elif outcome == "accepted":
            found.differences.append(f"принято то, чего не говорили: {line}")
        else:
            found.odd.append(line)


def _asked(one: Saying, verdict: Mapping[str, Any] | None) -> frozenset[str]:
    """The wishes of a message about which the bot asked: all, or some beside others that it took."""
    wished = frozenset(wish.action for wish in one.wishes)
    if verdict is None or verdict["outcome"] == "review":
        return wished if verdict is not None else frozenset()
    taken = {one["action"] for one in verdict["orders"] if one["status"] == "accepted"}
    return wished & {one["action"] for one in verdict["orders"] if one["status"] == "review"} - taken


def _wanted(one: Saying, truth: Truth) -> str:
    """The outcomes that do justice to a message, with "|" between."""
    if one.robot or (one.channel == "letter" and one.outsider):
        return "unread"
    if one.means == "nothing":
        return "ignored"
    if one.means == "doubt":
        return "review|ignored|rejected"
    if one.means == "void" or one.edited is not None:
        return "rejected|ignored|review"
    answers = truth.answers.get(one.source, ())
    return "accepted" if "accepted" in answers else "rejected|review|ignored" if answers else "rejected|ignored|accepted"


def _verdicts(connection: sa.Connection) -> dict[str, Any]:
    """The last verdict on each message, by the name that the players' side gave it."""
    names: dict[str, str] = {}
    for id_, post_id in connection.execute(sa.select(posts.c.id, posts.c.post_id).order_by(posts.c.version)):
        names[f"post:{id_}"] = f"post/{post_id}"
    for id_, channel, source in connection.execute(sa.select(letters.c.id, letters.c.channel, letters.c.source)):
        names[f"letter:{id_}"] = f"{channel}/{source.rpartition('/')[2]}"
    rows = connection.execute(sa.select(verdicts).where(verdicts.c.game_id == GAME).order_by(verdicts.c.id)).mappings()
    return {names[row["source"]]: row for row in rows if row["source"] in names}


def _short(text: str) -> str:
    flat = " / ".join(text.split("\n"))
    return flat if len(flat) < 140 else flat[:139] + "…"


def _shifted(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
