"""What every act of a host works with: its context, the sentence that refuses it, and orders of the host's making."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from adapters.forum import Profile
from engine.model import Order, Rejected
from forumbot.hosting.core import keys, naming, record, seating
from forumbot.hosting.core.publish import Escape, Publisher
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.core.wire import frozen, order_data
from forumbot.reading import same_key
from forumbot.reading.spoken_for import spoken_for
from forumbot.store.tables import inputs, outbox, turns, verdicts
from forumbot.writing.writer import Writer, shared

Undo = Mapping[str, Any]
"""What is needed to take an act back; stored with it."""

_SHOWN = 40
"""Signs of a wrong value that are repeated."""

_SPOKEN_FOR = {"move": "словом хода", "role": "названием роли", "word": "обычным словом в ходе"}

UNSENT = ("waiting", "held", "failed", "shadow")
"""States of outbox rows that nobody outside has seen."""


class Finder(Protocol):
    """How an account is found (``adapters.forum.Forum.profile``)."""

    def __call__(self, *, uid: int | None = None, nick: str | None = None) -> Profile | None: ...


class Refused(Exception):
    """The act cannot be done; the text is one Russian sentence for the host."""


def misspelt(payload: Mapping[str, Any], wrong: Exception) -> str:
    """The sentence for a payload that cannot be understood: which field is missing, or what was given."""
    if isinstance(wrong, KeyError) and wrong.args and isinstance(wrong.args[0], str) and wrong.args[0] not in payload:
        return f"действие записано неверно: нет «{wrong.args[0]}»"
    how = ("seen", "again", "version")
    given = ", ".join(f"{key}: {str(value)[:_SHOWN]}" for key, value in payload.items() if key not in how)
    return f"действие записано неверно, проверьте значения ({given or 'ни одного'})"


def moment_of(context: Context, said: Any) -> datetime:
    """A moment that a host named, by the host's own clock where it has no zone."""
    try:
        at = datetime.fromisoformat(str(said))
    except ValueError:
        raise Refused(f"«{str(said)[:_SHOWN]}» не время; нужно, например, 2026-12-04T20:00") from None
    return at if at.tzinfo is not None else at.replace(tzinfo=ZoneInfo(context.voice.zone))


@dataclass(frozen=True, slots=True)
class Voice:
    """How a site speaks: what its texts need of the forum and of the host's wall clock."""

    escape: Escape
    max_post: int
    zone: str
    mail_address: str = ""
    own: Path | None = None
    """The host's own folder of tables, templates and themes."""
    find: Finder | None = None
    """Asks the forum for an account; None where nothing is to be asked."""
    section: Callable[[str], str] | None = None
    """Asks the forum for the title of a section; None where nothing is to be asked."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A deadline that was resolved is still to come."""

    turn: int
    closed: bool = False
    """Whether it was the end of its turn, of the set-up or of the sign-up, so that what came after it has not begun."""
    published: bool = False
    """Whether its newspaper was read by anybody."""
    lost: frozenset[str] = frozenset()
    """Seats whose orders for what came after it no longer count."""
    later: int = 0
    """The turn that had begun after it."""
    void: int | None = None
    """The thread of that turn, where the forum has it already."""
    over: bool = False
    """Whether the game had ended with it."""
    signup: bool = False
    """Whether it was the end of the sign-up."""
    undealt: bool = False
    """Whether roles that players have read no longer hold."""


@dataclass(slots=True)
class Context:
    """One act being carried out, inside its transaction."""

    connection: sa.Connection
    row: GameRow
    now: datetime
    act_id: int
    who: str
    voice: Voice
    correcting: bool = False
    """Whether turns that were resolved already may be changed."""
    undoing: int = 0
    """The act that is being taken back."""
    reopened: Reopened | None = None
    """The deadline that this act has opened again."""

    @property
    def mark(self) -> str:
        """How rows say which act changed them."""
        return f"act:{self.act_id}"

    @property
    def key(self) -> str:
        """The start of the outbox keys of everything this act says."""
        return f"act{self.act_id}"

    def writer(self) -> Writer:
        return shared(self.row.templates, self.voice.zone)

    def publisher(self, seats: Seating | None = None) -> Publisher:
        """Puts what the act says into the outbox."""
        here = seats or seating.load(self.connection, self.row.id)
        voice = self.voice
        made = Publisher(self.row, self.writer(), here, voice.escape, voice.max_post, self.now, voice.mail_address)
        made.behind = keys.awaited(self.connection, self.row.id)
        return made


# What the host names -------------------------------------------------------------------------------------------------


def verdict_of(context: Context, verdict_id: int) -> sa.RowMapping:
    found = (
        context.connection.execute(
            sa.select(verdicts).where(verdicts.c.id == verdict_id, verdicts.c.game_id == context.row.id)
        )
        .mappings()
        .first()
    )
    if found is None:
        raise Refused(f"записи {verdict_id} нет в журнале этой игры")
    return found


def decide(context: Context, verdict_id: int, outcome: str) -> None:
    context.connection.execute(
        verdicts.update().where(verdicts.c.id == verdict_id).values(outcome=outcome, decided_by=context.mark)
    )


def seat_of(context: Context, nick: str) -> str:
    """The seat of a nick that the host wrote; his spelling must be exact, he has the list before him."""
    seats = seating.load(context.connection, context.row.id)
    for seat, nicks in seats.nicks().items():
        if nick == seat or nick in nicks:
            return seat
    raise Refused(f"игрока «{nick}» нет; есть: {', '.join(seats.names().values())}")


def no_twin(present: Seating, nick: str, *, apart: str = "") -> None:
    """Raises Refused for a nick that looks like another player's; the seat ``apart`` is not looked at."""
    twin = next((name for seat, name in present.names().items() if seat != apart and same_key(name, nick)), None)
    for alias, seat in present.aliases.items():
        if twin is None and seat != apart and seat in present.holders and same_key(alias, nick):
            twin = present.holders[seat].nick
    if twin is not None:
        raise Refused(f"ник «{nick}» не отличить от ника игрока {twin}: договоритесь с ним о другом имени в игре")


def not_spoken_for(context: Context, said: str) -> None:
    """Raises Refused for a word that means something else in the messages of this game already."""
    means = spoken_for(context.row.ruleset, said)
    if means is not None:
        raise Refused(f"«{said}» игроки пишут {_SPOKEN_FOR[means]}: прозвищем игрока это слово быть не может, выберите другое")


def outbox_row(context: Context, row_id: int, states: Sequence[str], *, or_of_none: bool = False) -> sa.RowMapping:
    """A row of this game's outbox in one of these states; ``or_of_none``: one that belongs to no game will do, too. Refused
    otherwise."""
    mine = outbox.c.game_id == context.row.id
    if or_of_none:
        mine = sa.or_(mine, outbox.c.game_id.is_(None))
    found = context.connection.execute(sa.select(outbox).where(outbox.c.id == row_id, mine)).mappings().first()
    if found is None:
        raise Refused("такой строки нет в исходящих этой игры")
    if found["state"] not in states:
        raise Refused(_not_now(context, found))
    return found


def _not_now(context: Context, row: sa.RowMapping) -> str:
    if row["state"] == "sent" and row["sent_at"] is not None:
        return f"это уже отправлено {naming.wall(row['sent_at'], context.now, context.voice.zone)}"
    words = {
        "sent": "уже отправлено",
        "sending": "сейчас отправляется",
        "waiting": "уже ждёт очереди на отправку",
        "held": "уже ждёт вас",
        "failed": "не ушло",
        "shadow": "только показано",
    }
    return f"это {words[row['state']]}"


# Orders of the host's making --------------------------------------------------------------------------------------------


def enter(
    context: Context,
    seat: str,
    action: str,
    targets: Sequence[str],
    args: Mapping[str, Any],
    *,
    at: datetime | None,
    turn: int,
    verdict_id: int | None = None,
    ref: str = "",
) -> int:
    """One order in the log, at its place in time; gives its row. The rules test it like any other.

    Without ``at`` it is taken as sent at the last legal moment: now, else just before a mark of its turn. Raises
    Refused when the rules refuse it, or when its turn is resolved and this is no correction.
    """
    if turn != context.row.turn and not (context.correcting and _closed(context, turn)):
        raise Refused("этот ход уже подведён: исправьте его («исправить ход», forumbot turn correct)")
    reason = ""
    for moment in (at,) if at is not None else _moments(context, turn):
        order = Order(seat, action, tuple(targets), frozen(args), moment, ref=ref or context.mark)
        place = record.place_for(context.connection, context.row.id, turn, moment, behind_marks=True)
        given = record.add_input(
            context.connection, context.row.id, "order", turn, moment, order_data(order), verdict_id=verdict_id, seq=place
        )
        followed = record.events_of(context.connection, context.row, given)
        answer = next((e for e in followed if isinstance(e, Rejected) and e.order == order), None)
        if answer is None:
            return given.row
        reason = reason or answer.reason
        context.connection.execute(inputs.delete().where(inputs.c.id == given.row))
    raise Refused(f"правила не принимают этот ход: {context.writer().word('reasons', reason)}")


def _closed(context: Context, turn: int) -> bool:
    mine = turns.c.game_id == context.row.id, turns.c.turn == turn, turns.c.closed_at.is_not(None)
    return context.connection.execute(sa.select(turns.c.id).where(*mine)).first() is not None


def _moments(context: Context, turn: int) -> Iterator[datetime]:
    """Now, then the last second before each mark of the turn, the latest first."""
    if turn == context.row.turn:
        yield context.now
    walls = context.connection.execute(
        sa.select(inputs.c.at)
        .where(inputs.c.game_id == context.row.id, inputs.c.turn == turn, inputs.c.kind.in_(("mark", "close")))
        .order_by(inputs.c.seq.desc())
    ).scalars()
    for wall in walls.all():
        yield wall - timedelta(seconds=1)
