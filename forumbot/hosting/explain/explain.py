"""Why? Every event of a turn as a sentence, with the number of its rule and the posts, letters and acts it rests on."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine import model
from engine.model import Event, Order
from forumbot import resources
from forumbot.hosting.core import record, seating
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.wire import draw_data, events_from
from forumbot.hosting.explain import victories
from forumbot.store.tables import acts, letters, posts, threads, turns, verdicts
from forumbot.writing.writer import PublicFacts, Writer, named

STEPS = "steps.toml"
_CHANNELS = {"post": "сообщение", "letter": "письмо", "pm": "личное сообщение"}
_GROUPS = {
    "role": "roles",
    "roles": "roles",
    "action": "actions",
    "reason": "reasons",
    "cause": "causes",
    "faction": "factions",
    "items": "items",
    "item": "items",
    "pot": "items",
    "to": "items",
}
"""Key of a step's data -> the group of Russian names its ids are in."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an event rests on. ``link`` is the address of a stored message ("post:12", "letter:3") or act ("act:5")."""

    link: str
    kind: str
    author: str
    at: datetime | None
    where: str
    """For people: which post of which topic, or a letter's subject."""
    words: str

    def text(self) -> str:
        """E.g. ``сообщение №12 темы 12-345, Анна: «Линч: Борис» [post:34]``."""
        return f"{self.kind} {self.where}, {self.author}" + (f": «{self.words}»" if self.words else "") + f" [{self.link}]"


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence of an explanation. ``rule`` is the rule's number, empty where the event names none."""

    text: str
    rule: str
    sources: tuple[Source, ...]
    kind: str
    """The event's type (``Death`` ...), or ``Draw``."""

    def data(self) -> dict[str, Any]:
        return asdict(self)


class Explanation:
    """The reasons of one turn, published or still running. The host's knowledge: never shown to players."""

    def __init__(self, connection: sa.Connection, row: GameRow, turn: int, zone: str) -> None:
        """Raises LookupError for a turn that was not opened."""
        self._connection = connection
        self._row = row
        self.turn = turn
        self._writer = Writer(row.templates, zone)
        self._words, self._sentences = _steps(row.ruleset, row.templates)
        self._seats = seating.load(connection, row.id)
        self._names = self._seats.names()
        self._events, self._draws = self._load()

    def why(self, nick: str) -> tuple[Reason, ...]:
        """All that concerns one player, his fate first. Raises LookupError for an unknown nick."""
        seat = self._seat(nick)
        fate = [e for e in self._events if isinstance(e, (model.Death, model.Lynched, model.Saved)) and e.player == seat]
        behind = {ref for event in fate for ref in event.refs if ref}
        concerned = [event for event in self._events if event in fate or _concerns(event, seat) or behind & set(event.refs)]
        concerned.sort(key=lambda event: (event not in fate, _ORDER.get(type(event), len(_ORDER))))
        draws = [self._draw(draw) for draw in self._draws if seat in draw["options"]]
        return (*self._reasons(concerned), *draws)

    def lines(self) -> tuple[tuple[str, tuple[Reason, ...]], ...]:
        """Every line of the newspaper, as it was printed, with its reasons."""
        found: list[tuple[str, tuple[Reason, ...]]] = []
        facts = PublicFacts(self._row.title, self.turn, tables=self._row.tables)
        for line in self._events:
            if not isinstance(line, model.Line):
                continue
            printed = self._writer.report(facts, [line], self._names)
            text = " ".join(part.strip() for part in printed.splitlines() if part.strip())
            if not text:
                continue
            refs = set(filter(None, line.refs))
            struck = set(_strings(line.data)) & set(self._names)
            behind = [
                event
                for event in self._events
                if not isinstance(event, (model.Line, model.Notice, model.Accepted))
                and (refs & set(event.refs) or (isinstance(event, _FATES) and event.player in struck))
            ]
            own = Reason("По правилам", line.rule, self._sources(line.refs), "Line")
            found.append((text, (own, *self._reasons(behind))))
        return tuple(found)

    def everything(self) -> tuple[Reason, ...]:
        """The whole turn in the order in which it happened, then its draws."""
        told = [event for event in self._events if not isinstance(event, model.Line)]
        return (*self._reasons(told), *(self._draw(draw) for draw in self._draws))

    # What is stored ---------------------------------------------------------------------------------------------------

    def _load(self) -> tuple[tuple[Event, ...], Sequence[Mapping[str, Any]]]:
        mine = turns.c.game_id == self._row.id, turns.c.turn == self.turn
        stored = self._connection.execute(sa.select(turns).where(*mine)).mappings().first()
        if stored is None:
            raise LookupError(f"хода {self.turn} в этой игре не было")
        if stored["closed_at"] is not None:
            # An old newspaper is shown with the nicks it was printed with, whoever plays on those seats now.
            self._names = {**self._names, **(stored["names"] or {})}
            return events_from(stored["events"]), stored["draws"]
        match = record.fold(self._connection, self._row)
        return tuple(match.turn_events), [draw_data(draw) for draw in match.chance.record[match.opened_draws :]]

    def _seat(self, nick: str) -> str:
        for seat, nicks in self._seats.nicks().items():
            if nick == seat or nick in nicks:
                return seat
        raise LookupError(f"игрока «{nick}» нет; есть: {', '.join(self._names.values())}")

    # Sentences ----------------------------------------------------------------------------------------------------------

    def _reasons(self, events: Iterable[Event]) -> Iterator[Reason]:
        seen: set[tuple[str, str, tuple[str, ...]]] = set()
        for event in events:
            make = _SENTENCES.get(type(event))
            if make is None:
                continue
            text = make(self, event)
            if (text, event.rule, event.refs) not in seen:
                seen.add((text, event.rule, event.refs))
                yield Reason(text, event.rule, self._sources(event.refs), type(event).__name__)

    def _nick(self, seat: str | None) -> str:
        return self._names.get(seat, seat) if seat else "никто"

    def _nicks(self, seats: Iterable[str]) -> str:
        return ", ".join(self._nick(seat) for seat in seats)

    def _move(self, action: str, targets: Sequence[str]) -> str:
        return f"«{self._writer.word('actions', action)}»" + (f": {self._nicks(targets)}" if targets else "")

    def _order(self, order: Order) -> str:
        return f"{self._nick(order.player)}, {self._move(order.action, order.targets)}"

    def _step(self, event: model.Step) -> str:
        pattern = self._sentences.get(event.text_id) or self._sentences.get("*") or "{phase}: {text}"
        shown = {key: self._shown(key, value) for key, value in event.data.items()}
        shown |= {"phase": self._word(event.phase), "text": self._word(event.text_id)}
        return " ".join(pattern.format_map(_Blank(shown)).split()).rstrip(" :,")

    def _notice(self, notice: model.Notice) -> str:
        """Of a private notice its subject, as its own letter has it; the letter is in the outbox."""
        facts = PublicFacts(self._row.title, self.turn, tables=self._row.tables)
        nick, data = self._nick(notice.to), named(notice.data, self._names)
        subject, _ = self._writer.private("notices.j2", str, facts=facts, nick=nick, kind=notice.kind, data=data)
        return f"Сообщено игроку {nick}: {subject.removeprefix(f'{self._row.title}: ') or notice.kind}"

    def _word(self, id_: str) -> str:
        known = self._words.get(id_)
        if known is not None:
            return str(known)
        found = (self._writer.word(group, id_) for group in ("actions", "reasons", "roles", "causes", "factions", "items"))
        return next((word for word in found if word != id_), id_)

    def _shown(self, key: str, value: Any) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{self._shown(key, one)}: {self._shown(key, other)}" for one, other in value.items())
        if isinstance(value, (list, tuple)):
            return ", ".join(self._shown(key, one) for one in value)
        if isinstance(value, str):
            if value in self._names:
                return self._nick(value)
            return self._writer.word(_GROUPS[key], value) if key in _GROUPS else self._word(value)
        return "" if value is None else str(value)

    def _draw(self, draw: Mapping[str, Any]) -> Reason:
        options = self._nicks(draw["options"])
        how = "назначено ведущим" if draw["forced"] else "жребий"
        return Reason(f"Жеребьёвка {draw['point']}: {self._nick(draw['picked'])} ({how}) из: {options}", "", (), "Draw")

    # Sources --------------------------------------------------------------------------------------------------------------

    def _sources(self, refs: Iterable[str]) -> tuple[Source, ...]:
        found = (self._source(ref) for ref in dict.fromkeys(refs) if ref)
        return tuple(source for source in found if source is not None)

    def _source(self, ref: str) -> Source | None:
        head, _, tail = ref.partition(":")
        if head == "act":
            return self._act(int(tail))
        number, _, order = ref.partition(".")
        return self._verdict(int(number), int(order or 0)) if number.isdecimal() else None

    def _act(self, number: int) -> Source | None:
        mine = acts.c.id == number, acts.c.game_id == self._row.id
        act = self._connection.execute(sa.select(acts).where(*mine)).mappings().first()
        if act is None:
            return None
        return Source(f"act:{number}", "действие ведущего", act["who"], act["done_at"] or act["asked_at"], f"№{number}", "")

    def _verdict(self, number: int, order: int) -> Source | None:
        mine = verdicts.c.id == number, verdicts.c.game_id == self._row.id
        verdict = self._connection.execute(sa.select(verdicts).where(*mine)).mappings().first()
        if verdict is None:
            return None
        read = verdict["orders"][order] if order < len(verdict["orders"]) else {"spans": []}
        words = " … ".join(verdict["text"][start:end] for start, end, _ in read["spans"]) or verdict["text"]
        short = " ".join(words.split())
        return Source(
            verdict["source"],
            _CHANNELS.get(verdict["channel"], verdict["channel"]),
            verdict["author"],
            verdict["at"],
            self._where(verdict["source"]),
            short if len(short) <= 160 else short[:159] + "…",
        )

    def _where(self, source: str) -> str:
        kind, _, row_id = source.partition(":")
        if kind == "post":
            query = (
                sa.select(posts.c.number, posts.c.post_id, threads.c.topic)
                .join(threads, threads.c.id == posts.c.thread_id)
                .where(posts.c.id == int(row_id))
            )
            number, post_id, topic = self._connection.execute(query).one()
            return f"№{number or post_id} темы {topic}"
        subject = self._connection.execute(sa.select(letters.c.subject).where(letters.c.id == int(row_id))).scalar()
        return f"«{subject or 'без темы'}»"


def explain(connection: sa.Connection, row: GameRow, turn: int, zone: str) -> Explanation:
    """The explanation of a turn. Raises LookupError when there was none."""
    return Explanation(connection, row, turn, zone)


class _Blank(dict[str, str]):
    """What a step does not say is left out of its sentence."""

    def __missing__(self, key: str) -> str:
        return ""


_FATES = (model.Death, model.Lynched, model.Saved)

_SENTENCES: Mapping[type[Event], Callable[[Explanation, Any], str]] = {
    model.Death: lambda e, event: (
        f"{e._nick(event.player)} погибает: {e._writer.word('causes', event.cause)}"
        + (f" (от {e._nick(event.by)})" if event.by else "")
    ),
    model.Lynched: lambda e, event: f"Голосование указало на игрока {e._nick(event.player)}",
    model.Saved: lambda e, event: f"{e._nick(event.player)} остаётся жив, хотя удар был",
    model.Counted: lambda e, event: "Голоса: "
    + (", ".join(f"{e._nick(seat)} {weight:g}" for seat, weight in event.votes.items()) or "никто не голосовал"),
    model.Outcome: lambda e, event: (
        f"{e._nick(event.player)}, {e._move(event.action, event.targets)}: "
        + ("удалось" if event.reason is None else f"не удалось: {e._word(event.reason)}")
    ),
    model.Step: lambda e, event: e._step(event),
    model.Accepted: lambda e, event: f"Принято: {e._order(event.order)}",
    model.Rejected: lambda e, event: (
        f"Отказано: {e._nick(event.player)}, {e._move(event.action, event.order.targets if event.order else ())}: "
        f"{e._word(event.reason)}"
    ),
    model.Withdrawn: lambda e, event: f"Больше не действует: {e._order(event.order)}",
    model.Notice: lambda e, event: e._notice(event),
    model.Ended: lambda e, event: (
        f"Игра окончена: {victories.named(model.Victory(event.winner, event.kind), e._names, e._writer)}"
    ),
}

_ORDER: Mapping[type[Event], int] = {
    kind: place
    for place, kind in enumerate(
        (
            model.Death,
            model.Lynched,
            model.Saved,
            model.Counted,
            model.Step,
            model.Outcome,
            model.Accepted,
            model.Withdrawn,
            model.Rejected,
            model.Notice,
            model.Ended,
        )
    )
}


def _concerns(event: Event, seat: str) -> bool:
    match event:
        case model.Death():
            return seat in (event.player, event.by)
        case model.Lynched() | model.Saved():
            return event.player == seat
        case model.Outcome():
            return event.player == seat or seat in event.targets
        case model.Accepted() | model.Withdrawn():
            return event.order.player == seat or seat in event.order.targets
        case model.Rejected():
            return event.player == seat or (event.order is not None and seat in event.order.targets)
        case model.Counted():
            return seat in event.votes
        case model.Notice():
            return event.to == seat
        case model.Step():
            return seat in _strings(event.data)
        case _:
            return False


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner)


def _steps(ruleset: str, templates: Mapping[str, str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Words of steps and the sentences of a ruleset's steps as the game froze them, under an earlier version all in one file;
    those of the program for games that began before there were any."""
    frozen, names = (tomllib.loads(templates.get(name, "")) for name in (STEPS, "names.toml"))
    words = frozen.get("words") or resources.toml(f"templates/common/{STEPS}")["words"]
    sentences = names.get("steps") or frozen.get(ruleset) or resources.toml(f"templates/{ruleset}/names.toml").get("steps", {})
    return words, sentences
