"""Scenario files in, result JSON out (contract.md): who plays, what they send, what must come of it.

``parse`` checks a file's content against the ids of its ruleset, ``run`` plays it, and ``Played.differences`` holds the
result against ``[turns.expect]``. The reader of texts and the writer of the newspaper are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import rulesets
from engine.badinput import check_keys, unknown, want
from engine.chance import Chance
from engine.expectations import compare
from engine.messages import Message, Reader, ReadOrder
from engine.model import (
    Accepted,
    Counted,
    Data,
    Death,
    EngineError,
    Event,
    Line,
    Lynched,
    Notice,
    Order,
    Outcome,
    Rejected,
    Saved,
)
from engine.turn import Ruleset, Spec

Writer = Callable[[str, int, Sequence[Line]], str]
"""Makes the newspaper as plain text: (ruleset id, turn, public lines) -> text."""

BOOK_ACTIONS = ("signup", "unsignup")
"""Actions of the reading that concern the host's book only; the engine never sees them."""
READING_ACTIONS = (*BOOK_ACTIONS, "pass", "cancel")

_TOP_KEYS = ("ruleset", "title", "rule", "seed", "first_turn", "tables", "state", "players", "turns")
_TURN_KEYS = ("votes", "orders", "messages", "chance", "expect")
_VOTE_KEYS = ("player", "target")
_ORDER_KEYS = ("player", "action", "targets", "args")
_MESSAGE_KEYS = ("kind", "author", "subject", "text", "at", "edited")
_MESSAGE_KINDS = ("post", "letter", "pm")
_EXPECT_NICK_LISTS = ("dead", "alive", "saved", "lynched")
_EXPECT_NICK_TABLES = ("causes", "killers", "votes", "state")
_EXPECT_ACTION_LISTS = ("done", "failed", "rejected")
_EXPECT_KEYS = (
    *_EXPECT_NICK_LISTS,
    *_EXPECT_NICK_TABLES,
    *_EXPECT_ACTION_LISTS,
    "notices",
    "no_notices",
    "balances",
    "winner",
    "report_has",
    "report_lacks",
    "messages",
)
_OUTCOMES = ("accepted", "review", "ignored", "rejected")


@dataclass(frozen=True, slots=True)
class Turn:
    """What is sent in one turn, in the order of arrival: messages, then votes, then orders."""

    place: str
    messages: tuple[Message, ...]
    orders: tuple[Order, ...]
    """The votes first, then the orders."""
    forced: Mapping[str, tuple[str, ...]]
    expect: Data


@dataclass(frozen=True, slots=True)
class Scenario:
    """A checked scenario file."""

    ruleset: str
    title: str
    rule: str
    seed: int
    first_turn: int | None
    tables: Data
    state: Data
    cast: tuple[Data, ...]
    turns: tuple[Turn, ...]

    @property
    def has_messages(self) -> bool:
        return any(turn.messages for turn in self.turns)


@dataclass(frozen=True, slots=True)
class Played:
    """The JSON object of ``simulate --json``, and what the host should hear besides (forced draws never used, ...)."""

    result: dict[str, Any]
    warnings: tuple[str, ...]
    expects: tuple[Data, ...]
    """``[turns.expect]`` of every turn of the file, also of turns that came after the end of the game."""

    def differences(self) -> list[str]:
        """What differs from the expectations, "turn #1: ..." each, as ``check_cases.py`` would say it."""
        found = []
        turns = self.result["turns"]
        for i, expect in enumerate(self.expects):
            if i < len(turns):
                found += [f"turn #{i + 1}: {text}" for text in compare(expect, turns[i])]
            elif expect:
                found.append(f"turn #{i + 1}: no result")
        return found


def parse(data: Mapping[str, Any]) -> Scenario:
    """A scenario from a TOML document; every id in it is checked against the ids of its ruleset.

    Raises EngineError (place, problem, what was likely meant) for the first thing that is wrong.
    """
    check_keys("", data, _TOP_KEYS)
    if "ruleset" not in data:
        raise EngineError("ruleset", "не сказано, по каким правилам играют")
    name = _one_of("ruleset", data["ruleset"], rulesets.NAMES, "неизвестные правила")
    spec = rulesets.ruleset(name).spec
    cast = _cast(data, spec)
    nicks = tuple(player["nick"] for player in cast)
    state = want("state", data.get("state", {}), dict, "таблица")
    check_keys("state", state, spec.state_keys)
    turns = want("turns", data.get("turns", []), list, "список ходов")
    first = data.get("first_turn")
    return Scenario(
        ruleset=name,
        title=want("title", data.get("title", ""), str, "строка"),
        rule=want("rule", data.get("rule", ""), str, "строка"),
        seed=want("seed", data.get("seed", 0), int, "целое число"),
        first_turn=None if first is None else want("first_turn", first, int, "целое число"),
        tables=want("tables", data.get("tables", {}), dict, "таблица"),
        state=state,
        cast=cast,
        turns=tuple(_turn(f"turns[{i}]", turn, spec, nicks) for i, turn in enumerate(turns)),
    )


def run(scenario: Scenario, defaults: Mapping[str, Any], writer: Writer, reader: Reader | None = None) -> Played:
    """Play a scenario. ``defaults`` are the ruleset's packaged tables (``forumbot.resources.tables``).

    Raises EngineError for what only the ruleset can see to be wrong, for a forced draw whose value is no option, and
    for messages when no reader is given. Turns after the end of the game are not played and told in the warnings.
    """
    ruleset = rulesets.ruleset(scenario.ruleset)
    tables = ruleset.tables(defaults, scenario.tables)
    game = ruleset.start(scenario.cast, scenario.state, tables, scenario.first_turn)
    chance = Chance(scenario.seed)
    turns: list[dict[str, Any]] = []
    warnings: list[str] = []
    for turn in scenario.turns:
        if ruleset.winner(game) is not None:
            warnings.append(f"{turn.place}: игра уже окончена, ход не сыгран")
            continue
        table = _Table(ruleset, game, chance, turn, reader)
        try:
            table.play()
        except EngineError as err:
            raise EngineError(f"{turn.place}.{err.place}", err.problem, meant=err.meant) from err
        game = table.game
        turns.append(table.result(writer))
        _check_shown(f"{turn.place}.expect", turn.expect, turns[-1])
        for point, values in chance.unused().items():
            warnings.append(f"{turn.place}.chance.{point}: не понадобилось: {', '.join(values)}")
        chance.clear_forced()
    result = {"ruleset": scenario.ruleset, "seed": scenario.seed, "turns": turns}
    return Played(result, tuple(warnings), tuple(turn.expect for turn in scenario.turns))


class _Table:
    """One turn being played: the calls are made in order and their events collected."""

    def __init__(self, ruleset: Ruleset, game: Any, chance: Chance, turn: Turn, reader: Reader | None) -> None:
        self.game = game
        self._ruleset = ruleset
        self._chance = chance
        self._turn = turn
        self._reader = reader
        self._events: list[Event] = []
        self._marked: set[str] = set()
        self._messages: list[dict[str, Any]] = []
        self._drawn_before = len(chance.record)

    def play(self) -> None:
        for point, values in self._turn.forced.items():
            self._chance.force(point, values)
        self._take(self._ruleset.open(self.game, self._chance))
        for message in self._turn.messages:
            self._read(message)
        for order in self._turn.orders:
            self._receive_listed(order)
        for mark in self._ruleset.spec.marks:
            self._mark(mark)
        self._take(self._ruleset.close(self.game, self._chance))

    def _take(self, play: tuple[Any, tuple[Event, ...]]) -> tuple[Event, ...]:
        self.game, events = play
        self._events += events
        return events

    def _mark(self, name: str) -> None:
        if name not in self._marked:
            self._marked.add(name)
            self._take(self._ruleset.mark(self.game, name, self._chance))

    def _receive_listed(self, order: Order) -> None:
        """An order of the file: what only the ruleset sees to be wrong in it is told with its place in the list."""
        try:
            self._receive(order)
        except EngineError as err:
            if err.place.startswith("chance."):
                raise
            listed = order.ref.removeprefix(f"{self._turn.place}.")
            raise EngineError(f"{listed}.{err.place}", err.problem, meant=err.meant) from err

    def _receive(self, order: Order) -> Rejected | None:
        for mark in self._ruleset.marks_before(self.game, order):
            self._mark(mark)
        events = self._take(self._ruleset.receive(self.game, order, self._chance))
        first = events[0] if events else None
        return first if isinstance(first, Rejected) else None

    def _read(self, message: Message) -> None:
        if self._reader is None:
            raise EngineError("messages", "сообщения здесь читать некому")
        verdict = self._reader.read(self._ruleset, self.game, message)
        outcome, reason = verdict.outcome, verdict.reason
        if message.kind == "post" and verdict.words is not None and "words" in self._ruleset.spec.host_actions:
            counted = {"count": verdict.words, "post": message.ref}
            self._receive(Order(message.author, "words", (), counted, message.at, message.ref))
        refusals: list[str | None] = []
        stands = False
        for i, read in enumerate(verdict.orders):
            refused = self._carry_out(message, read, i) if verdict.outcome in ("accepted", "rejected") else None
            if refused is not None:
                refusals.append(refused)
            elif read.status == "accepted":
                stands = True
        if outcome == "accepted" and refusals and not stands:
            doubtful = any(read.status == "review" for read in verdict.orders)
            outcome, reason = ("review", reason) if doubtful else ("rejected", refusals[0])
        self._messages.append(
            {
                "author": message.author,
                "outcome": outcome,
                "reason": reason,
                "orders": [
                    {"action": read.action, "targets": list(read.targets), "args": plain(read.args)} for read in verdict.orders
                ],
            }
        )

    def _carry_out(self, message: Message, read: ReadOrder, index: int) -> str | None:
        """Hand one read order to the engine if it was accepted; the reason when it was refused, by whomever."""
        ref = f"{message.ref}.orders[{index}]"
        order = Order(message.author, read.action, read.targets, read.args, message.at, ref)
        if read.status == "rejected" and read.by_rules:
            judged = self._receive(order)
            return judged.reason if judged is not None else None
        if read.status == "rejected":
            reason = read.reason or ""
            self._events.append(Rejected(message.author, read.action, reason, order, rule=read.rule, refs=(ref,)))
            if "order_rejected" in self._ruleset.spec.notices:
                told = {"action": read.action, "reason": reason}
                self._events.append(Notice(message.author, "order_rejected", told, rule=read.rule, refs=(ref,)))
            return reason
        if read.status != "accepted" or read.action in BOOK_ACTIONS:
            return None
        refused = self._receive(order)
        return None if refused is None else refused.reason

    def result(self, writer: Writer) -> dict[str, Any]:
        """The turn's JSON object; keys in the order of the contract, players in the order of the roster."""
        ruleset, game, events = self._ruleset, self.game, self._events
        seats = ruleset.seats(game)
        deaths = [e for e in events if isinstance(e, Death)]
        dead = {e.player for e in deaths}
        saved = {e.player for e in events if isinstance(e, Saved)}
        counted: Mapping[str, float] = {}
        for event in events:
            if isinstance(event, Counted):
                counted = event.votes
        outcomes = [e for e in events if isinstance(e, Outcome)]
        number = ruleset.turn(game)
        return {
            "turn": number,
            "dead": [seat for seat in seats if seat in dead],
            "deaths": [{"player": e.player, "cause": e.cause, "by": e.by} for e in deaths],
            "alive": list(ruleset.alive(game)),
            "votes": {seat: plain(counted[seat]) for seat in seats if counted.get(seat)},
            "lynched": [e.player for e in events if isinstance(e, Lynched)],
            "saved": [seat for seat in seats if seat in saved],
            "actions": [
                {
                    "player": e.player,
                    "action": e.action,
                    "targets": list(e.targets),
                    "args": plain(e.args),
                    "outcome": e.outcome,
                    "reason": e.reason,
                }
                for e in outcomes
            ],
            "rejected": [{"player": e.player, "action": e.action, "reason": e.reason} for e in _refused(events)],
            "notices": [{"to": e.to, "kind": e.kind, **plain(e.data)} for e in _told(events)],
            "balances": plain(ruleset.balances(game)),
            "state": plain(ruleset.state(game)),
            "winner": ruleset.winner(game),
            "report": writer(ruleset.id, number, [e for e in events if isinstance(e, Line)]),
            "messages": self._messages,
            "chance": [
                {"point": d.point, "options": list(d.options), "picked": d.picked, "forced": d.forced}
                for d in self._chance.record[self._drawn_before :]
            ],
        }


def _refused(events: Sequence[Event]) -> list[Rejected]:
    """The refusals that stand at the end: a later Accepted of the same order (by ``ref``) takes one back."""
    found: dict[tuple[str, int], Rejected] = {}
    for i, event in enumerate(events):
        if isinstance(event, Rejected):
            ref = event.order.ref if event.order is not None else ""
            found[(ref, 0) if ref else ("", i)] = event
        elif isinstance(event, Accepted):
            found.pop((event.order.ref, 0), None)
    return list(found.values())


def _told(events: Sequence[Event]) -> list[Notice]:
    """The notices that hold in the end: a later verdict on the same order (by ``ref``) takes back an earlier refusal,
    and a refusal also what the order brought about while it stood."""
    found: list[Notice] = []
    for event in events:
        if isinstance(event, Notice):
            found.append(event)
        elif isinstance(event, Rejected) and event.order is not None and event.order.ref:
            found = [n for n in found if event.order.ref not in n.refs]
        elif isinstance(event, Accepted) and event.order.ref:
            found = [n for n in found if n.kind != "order_rejected" or event.order.ref not in n.refs]
    return found


def plain(value: Any) -> Any:
    """The same data in dicts and lists, with whole floats as integers, ready for ``json.dumps``."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(inner) for inner in value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _cast(data: Mapping[str, Any], spec: Spec) -> tuple[Data, ...]:
    players = want("players", data.get("players", []), list, "список игроков")
    if not players:
        raise EngineError("players", "в сценарии нет ни одного игрока")
    seen: set[str] = set()
    for i, player in enumerate(players):
        place = f"players[{i}]"
        want(place, player, dict, "таблица с ником и ролью")
        check_keys(place, player, ("nick", *spec.player_keys))
        for key in ("nick", "role"):
            if key not in player:
                raise EngineError(f"{place}.{key}", "не указано")
            want(f"{place}.{key}", player[key], str, "строка")
        if not player["nick"].strip():
            raise EngineError(f"{place}.nick", "пустой ник")
        if player["nick"] in seen:
            raise EngineError(f"{place}.nick", f"ник «{player['nick']}» уже есть в списке")
        seen.add(player["nick"])
        _one_of(f"{place}.role", player["role"], spec.roles, "неизвестная роль")
        if "faction" in player:
            _one_of(f"{place}.faction", player["faction"], spec.factions, "неизвестная команда")
        want(f"{place}.alive", player.get("alive", True), bool, "true или false")
    return tuple(players)


def _one_of(place: str, word: Any, known: Sequence[str], what: str) -> str:
    if not isinstance(word, str) or word not in known:
        raise unknown(place, what, word, known)
    return word


def _turn(place: str, turn: Any, spec: Spec, nicks: Sequence[str]) -> Turn:
    want(place, turn, dict, "таблица хода")
    check_keys(place, turn, _TURN_KEYS)
    entries = {key: want(f"{place}.{key}", turn.get(key, []), list, "список") for key in ("votes", "orders", "messages")}
    orders = [_vote(f"{place}.votes[{i}]", entry, nicks) for i, entry in enumerate(entries["votes"])]
    orders += [_order(f"{place}.orders[{i}]", entry, spec, nicks) for i, entry in enumerate(entries["orders"])]
    messages = [_message(f"{place}.messages[{i}]", entry, nicks) for i, entry in enumerate(entries["messages"])]
    expect = want(f"{place}.expect", turn.get("expect", {}), dict, "таблица")
    _check_expect(f"{place}.expect", expect, spec, nicks)
    forced = _forced(f"{place}.chance", turn.get("chance", {}), spec)
    return Turn(place, tuple(messages), tuple(orders), forced, expect)


def _vote(place: str, entry: Any, nicks: Sequence[str]) -> Order:
    want(place, entry, dict, "голос: player и target")
    check_keys(place, entry, _VOTE_KEYS)
    voter, target = (_nick(f"{place}.{key}", entry.get(key), nicks) for key in _VOTE_KEYS)
    return Order(voter, "vote", (target,), ref=place)


def _order(place: str, entry: Any, spec: Spec, nicks: Sequence[str]) -> Order:
    want(place, entry, dict, "приказ: player, action, targets, args")
    check_keys(place, entry, _ORDER_KEYS)
    player = _nick(f"{place}.player", entry.get("player"), nicks)
    if "action" not in entry:
        raise EngineError(f"{place}.action", "не указано действие")
    action = _one_of(f"{place}.action", entry["action"], spec.actions, "неизвестное действие")
    listed = want(f"{place}.targets", entry.get("targets", []), list, "список ников")
    targets = tuple(_nick(f"{place}.targets[{i}]", target, nicks) for i, target in enumerate(listed))
    args = want(f"{place}.args", entry.get("args", {}), dict, "таблица")
    _check_args(f"{place}.args", action, args, spec, nicks)
    return Order(player, action, targets, {key: _frozen(value) for key, value in args.items()}, ref=place)


def _check_args(place: str, action: str, args: Data, spec: Spec, nicks: Sequence[str]) -> None:
    """Where a ruleset names the args of its actions, their keys and the words in them are checked."""
    if action not in spec.args:
        return
    kinds = spec.args[action]
    check_keys(place, args, kinds)
    words: Mapping[str, tuple[Sequence[str], str]] = {
        "role": (spec.roles, "неизвестная роль"),
        "action": (spec.actions, "неизвестное действие"),
        "nick": (nicks, "неизвестный ник"),
        "item": (spec.items, "неизвестная вещь"),
        "faction": (spec.factions, "неизвестная команда"),
    }
    types: Mapping[str, tuple[type, str]] = {
        "int": (int, "целое число"),
        "bool": (bool, "true или false"),
        "text": (str, "строка"),
    }
    for key, value in args.items():
        kind = kinds[key]
        if kind in words:
            known, what = words[kind]
            for word in value if isinstance(value, list) else [value]:
                _one_of(f"{place}.{key}", word, known, what)
        elif kind in types:
            want(f"{place}.{key}", value, *types[kind])


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(inner) for inner in value)
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    return value


def _message(place: str, entry: Any, nicks: Sequence[str]) -> Message:
    want(place, entry, dict, "сообщение: kind, author, text")
    check_keys(place, entry, _MESSAGE_KEYS)
    kind = _one_of(f"{place}.kind", entry.get("kind"), _MESSAGE_KINDS, "неизвестный вид сообщения")
    author = _nick(f"{place}.author", entry.get("author"), nicks)
    text = want(f"{place}.text", entry.get("text", ""), str, "строка")
    subject = entry.get("subject")
    if subject is not None:
        want(f"{place}.subject", subject, str, "строка")
    at = entry.get("at")
    if at is not None and (not isinstance(at, datetime) or at.tzinfo is None):
        raise EngineError(f"{place}.at", "здесь должно стоять время с часовым поясом, например 2026-12-01T20:59:00+03:00")
    edited = want(f"{place}.edited", entry.get("edited", False), bool, "true или false")
    if edited and kind != "post":
        raise EngineError(f"{place}.edited", 'править можно только сообщение в теме (kind = "post")')
    form = "plain" if kind == "letter" else "bbcode"
    return Message(kind, author, text, subject, form, at, edited, ref=place)  # type: ignore[arg-type]


def _nick(place: str, nick: Any, nicks: Sequence[str]) -> str:
    if nick is None:
        raise EngineError(place, "не указан ник")
    return _one_of(place, nick, nicks, "неизвестный ник")


def _forced(place: str, table: Any, spec: Spec) -> dict[str, tuple[str, ...]]:
    want(place, table, dict, "таблица")
    forced = {}
    for point, value in table.items():
        _one_of(f"{place}.{point}", point, spec.chance_points, "неизвестный жребий")
        values = value if isinstance(value, list) else [value]
        forced[point] = tuple(str(want(f"{place}.{point}", one, (str, int), "строка или список строк")) for one in values)
    return forced


def _check_expect(place: str, expect: Data, spec: Spec, nicks: Sequence[str]) -> None:
    """Keys, nicks and actions of the expectations: a misspelt one would never be checked."""
    check_keys(place, expect, _EXPECT_KEYS)
    for key, wanted in expect.items():
        here = f"{place}.{key}"
        if key in _EXPECT_NICK_TABLES or key == "balances":
            want(here, wanted, dict, "таблица")
        elif key != "winner":
            want(here, wanted, list, "список")
        if key in _EXPECT_NICK_LISTS or key in _EXPECT_NICK_TABLES:
            for nick in wanted:
                _nick(here, nick, nicks)
        elif key in _EXPECT_ACTION_LISTS:
            _check_action_items(here, wanted, spec, nicks)
        elif key in ("notices", "no_notices"):
            for item in wanted:
                want(here, item, dict, "таблица")
                if "to" in item:
                    _nick(f"{here}.to", item["to"], nicks)
        elif key in ("report_has", "report_lacks"):
            for item in wanted:
                want(here, item, str, "строка")
        elif key == "messages":
            for item in wanted:
                _one_of(here, item, _OUTCOMES, "неизвестный исход")
    for nick, killer in expect.get("killers", {}).items():
        _nick(f"{place}.killers.{nick}", killer, nicks)
    for nick, table in expect.get("state", {}).items():
        want(f"{place}.state.{nick}", table, dict, "таблица")
        for key, known, what in (
            ("role", spec.roles, "неизвестная роль"),
            ("faction", spec.factions, "неизвестная команда"),
        ):
            if key in table:
                _one_of(f"{place}.state.{nick}.{key}", table[key], known, what)
    for currency, table in expect.get("balances", {}).items():
        _one_of(f"{place}.balances.{currency}", currency, spec.currencies, "неизвестный счёт")
        want(f"{place}.balances.{currency}", table, dict, "таблица")


def _check_shown(place: str, expect: Data, result: Data) -> None:
    """Keys of the expected ``state`` and owners of ``balances``: what no result ever has is misspelt, not different."""
    for table in ("state", "balances"):
        for name, inner in expect.get(table, {}).items():
            check_keys(f"{place}.{table}.{name}", inner, result[table].get(name, ()))


def _check_action_items(place: str, items: Sequence[Any], spec: Spec, nicks: Sequence[str]) -> None:
    for item in items:
        parts = str(item).split(":")
        if not isinstance(item, str) or not 2 <= len(parts) <= 3:
            raise EngineError(place, f"«{item}»: здесь должно стоять «ник:действие» или «ник:действие:причина»")
        _nick(place, parts[0], nicks)
        _one_of(place, parts[1], (*spec.actions, *READING_ACTIONS), "неизвестное действие")
