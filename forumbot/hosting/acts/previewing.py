"""What an act would change, told before it is done: it is carried out inside a transaction that is given up again."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.model import EngineError
from forumbot.hosting.acts import acts
from forumbot.hosting.core import naming, record, seating
from forumbot.hosting.core.acting import Context, Refused, Voice, misspelt
from forumbot.hosting.people import people
from forumbot.store.database import Store
from forumbot.store.tables import deadlines, outbox, turns
from forumbot.writing.writer import shared

_MOST = 12
"""Lines of one newspaper that are shown."""


@dataclass(frozen=True, slots=True)
class Preview:
    """``lines``: one change each, in words; ``refused``: why nothing would be done; ``published``: a resolved turn changes;
    ``at_once``: a deadline whose hour is over would be resolved right behind it."""

    lines: tuple[str, ...] = ()
    refused: str = ""
    published: bool = False
    at_once: bool = False


class _GivenUp(Exception):
    """Nothing of the trial is kept."""


def preview(
    store: Store, game_id: str, who: str, kind: str, payload: Mapping[str, Any], now: datetime, voice: Voice
) -> Preview:
    """What the act would do now. Nothing of it is kept."""
    found = Preview()
    try:
        with store.write() as connection:
            row = record.load(connection, game_id)
            before = _look(connection, row, now, voice)
            number = acts.ask(connection, game_id, who, kind, payload, now)
            acts.carry_out(Context(connection, row, now, number, who, voice), kind, payload)
            people.settle(connection, game_id, now)
            found = _compare(before, _look(connection, record.load(connection, game_id), now, voice))
            raise _GivenUp
    except _GivenUp:
        return found
    except Refused as refused:
        return Preview(refused=str(refused))
    except EngineError as refused:
        return Preview(refused=f"правила этого не допускают: {refused.problem}")
    except (KeyError, TypeError, ValueError, OverflowError) as wrong:
        return Preview(refused=misspelt(payload, wrong))


@dataclass(frozen=True, slots=True)
class _Seen:
    reports: Mapping[int, str]
    alive: tuple[str, ...]
    winner: str | None
    over: bool
    signup: bool
    rows: int
    """The last row of the outbox."""
    told: Mapping[int, tuple[str, str]]
    """Row of the outbox -> its kind and whom it is for."""
    dues: Mapping[str, str]
    """Deadline that is to come, in words -> when."""
    late: tuple[str, ...]
    """Those of them whose hour is over, in a game that is not paused."""


def _look(connection: sa.Connection, row: record.GameRow, now: datetime, voice: Voice) -> _Seen:
    names = seating.load(connection, row.id)
    match = record.fold(connection, row)
    alive = match.ruleset.alive(match.game) if match.game is not None else tuple(names.holders)
    closed = sa.select(turns.c.turn, turns.c.report).where(turns.c.game_id == row.id, turns.c.closed_at.is_not(None))
    owner = {holder.address: holder.nick for holder in names.holders.values() if holder.address}
    rows = connection.execute(sa.select(outbox.c.id, outbox.c.kind, outbox.c.target).where(outbox.c.game_id == row.id)).all()
    told = {int(number): (str(kind), to.get("nick") or owner.get(to.get("address"), "")) for number, kind, to in rows}
    return _Seen(
        {int(turn): str(report or "") for turn, report in connection.execute(closed)},
        tuple(names.names().get(seat, seat) for seat in alive),
        row.winner,
        row.stage == "over",
        row.stage == record.SIGNUP,
        max(told, default=0),
        told,
        {name: when for name, when, _ in _dues(connection, row, now, voice)},
        tuple(name for name, _, late in _dues(connection, row, now, voice) if late and row.paused_at is None),
    )


def _dues(connection: sa.Connection, row: record.GameRow, now: datetime, voice: Voice) -> list[tuple[str, str, bool]]:
    """Name and hour in words of what is to be resolved, and whether that hour is over."""
    writer = shared(row.templates, voice.zone)
    mine = deadlines.c.game_id == row.id, deadlines.c.done_at.is_(None), deadlines.c.call.in_(record.RESOLVING)
    rows = connection.execute(sa.select(deadlines).where(*mine).order_by(deadlines.c.due_at, deadlines.c.id)).mappings().all()
    return [
        (naming.deadline(writer, due), naming.wall(due["due_at"], now, voice.zone), due["due_at"] <= now) for due in rows
    ]


def _compare(before: _Seen, after: _Seen) -> Preview:
    lines: list[str] = []
    withdrawn = [turn for turn in before.reports if turn not in after.reports]
    goes_on = before.over and not after.over
    if after.signup and not before.signup:
        lines.append("запись снова откроется, розданные роли перестанут действовать; после записи их раздадут заново")
    if goes_on and withdrawn:
        lines.append("игра не окончена и продолжится; её итоги перестанут действовать, но названные в них роли уже не тайна")
    for turn in withdrawn:
        lines.append(f"день {turn} продолжится, его газета перестанет действовать")
        if not goes_on:
            lines.append(f"ходы и голоса, присланные для дня {turn + 1}, не засчитаются; их авторам об этом скажут")
    if before.reports.keys() <= after.reports.keys():
        gone = [name for name in before.dues if name not in after.dues]
        lines += [f"{name}: срок больше не впереди" for name in gone]
    for name, when in after.dues.items():
        was = before.dues.get(name)
        if was != when:
            lines.append(f"{name}: срок {when}" + (f", а был {was}" if was else ""))
    changed = [turn for turn, report in after.reports.items() if before.reports.get(turn, report) != report]
    for turn in changed:
        lines.append(f"газета хода {turn}:")
        found = difflib.ndiff(before.reports[turn].splitlines(), after.reports[turn].splitlines())
        told = [f"{'было' if line[0] == '-' else 'станет'}: {line[2:]}" for line in found if line[0] in "-+" and line[2:].strip()]
        lines += told[:_MOST]
        if len(told) > _MOST:
            lines.append(f"и ещё строк: {len(told) - _MOST}")
    for words, gained, lost in (("снова в игре", after.alive, before.alive), ("выбывает", before.alive, after.alive)):
        others = [nick for nick in gained if nick not in lost]
        if others:
            lines.append(f"{words}: {', '.join(others)}")
    if before.winner != after.winner and not goes_on:
        lines.append("победитель игры сменится")
    fresh = [after.told[number] for number in sorted(after.told) if number > before.rows]
    if any(kind in ("post", "topic") for kind, _ in fresh):
        lines.append("в теме дня об этом выйдет сообщение")
    nicks = list(dict.fromkeys(nick for kind, nick in fresh if kind in ("pm", "letter") and nick))
    if nicks:
        lines.append(f"письма получат: {', '.join(nicks)}")
    late = [name for name in after.late if name not in before.late]
    lines += [f"{name}: этот час уже прошёл, итог будет подведён сразу" for name in late]
    return Preview(tuple(lines), at_once=bool(late), published=bool(changed or withdrawn or (after.signup and not before.signup)))
