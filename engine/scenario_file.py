"""Scenario files (contract.md): who plays, what they send, what must come of it; every id checked against its ruleset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine import expected, rulesets
from engine.badinput import LARGEST_SEED, check_keys, check_nick, check_sane, known_id, known_nick, want
from engine.messages import Message
from engine.model import Data, EngineError, Order
from engine.turn import Spec

_TOP_KEYS = ("ruleset", "title", "rule", "seed", "first_turn", "tables", "state", "players", "turns")
_TURN_KEYS = ("votes", "orders", "messages", "chance", "expect")
_VOTE_KEYS = ("player", "target")
_ORDER_KEYS = ("player", "action", "targets", "args")
_MESSAGE_KEYS = ("kind", "author", "subject", "text", "at", "edited")
_MESSAGE_KINDS = ("post", "letter", "pm")


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


def parse(data: Mapping[str, Any]) -> Scenario:
    """A scenario from a TOML document; every id in it is checked against the ids of its ruleset.

    Raises EngineError (place, problem, what was likely meant) for the first thing that is wrong.
    """
    check_keys("", data, _TOP_KEYS)
    check_sane("", {key: value for key, value in data.items() if key != "seed"})
    if "ruleset" not in data:
        raise EngineError("ruleset", "не сказано, по каким правилам играют")
    known = rulesets.NAMES if data["ruleset"] in rulesets.NAMES else rulesets.names()
    name = known_id("ruleset", data["ruleset"], known, "неизвестные правила")
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
        seed=_seed(data.get("seed", 0)),
        first_turn=None if first is None else want("first_turn", first, int, "целое число"),
        tables=want("tables", data.get("tables", {}), dict, "таблица"),
        state=state,
        cast=cast,
        turns=tuple(_turn(f"turns[{i}]", turn, spec, nicks) for i, turn in enumerate(turns)),
    )


def _seed(value: Any) -> int:
    seed: int = want("seed", value, int, "целое число")
    if abs(seed) > LARGEST_SEED:
        raise EngineError("seed", f"зерно бывает не больше {LARGEST_SEED} по величине")
    return seed


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
        check_nick(f"{place}.nick", player["nick"])
        if player["nick"] in seen:
            raise EngineError(f"{place}.nick", f"ник «{player['nick']}» уже есть в списке")
        seen.add(player["nick"])
        known_id(f"{place}.role", player["role"], spec.roles, "неизвестная роль")
        if "faction" in player:
            known_id(f"{place}.faction", player["faction"], spec.factions, "неизвестная команда")
        want(f"{place}.alive", player.get("alive", True), bool, "true или false")
    return tuple(players)


def _turn(place: str, turn: Any, spec: Spec, nicks: Sequence[str]) -> Turn:
    want(place, turn, dict, "таблица хода")
    check_keys(place, turn, _TURN_KEYS)
    entries = {key: want(f"{place}.{key}", turn.get(key, []), list, "список") for key in ("votes", "orders", "messages")}
    orders = [_vote(f"{place}.votes[{i}]", entry, nicks) for i, entry in enumerate(entries["votes"])]
    orders += [_order(f"{place}.orders[{i}]", entry, spec, nicks) for i, entry in enumerate(entries["orders"])]
    messages = [_message(f"{place}.messages[{i}]", entry, nicks) for i, entry in enumerate(entries["messages"])]
    expect = want(f"{place}.expect", turn.get("expect", {}), dict, "таблица")
    expected.check(f"{place}.expect", expect, spec, nicks)
    forced = _forced(f"{place}.chance", turn.get("chance", {}), spec)
    return Turn(place, tuple(messages), tuple(orders), forced, expect)


def _vote(place: str, entry: Any, nicks: Sequence[str]) -> Order:
    want(place, entry, dict, "голос: player и target")
    check_keys(place, entry, _VOTE_KEYS)
    voter, target = (known_nick(f"{place}.{key}", entry.get(key), nicks) for key in _VOTE_KEYS)
    return Order(voter, "vote", (target,), ref=place)


def _order(place: str, entry: Any, spec: Spec, nicks: Sequence[str]) -> Order:
    want(place, entry, dict, "приказ: player, action, targets, args")
    check_keys(place, entry, _ORDER_KEYS)
    player = known_nick(f"{place}.player", entry.get("player"), nicks)
    if "action" not in entry:
        raise EngineError(f"{place}.action", "не указано действие")
    action = known_id(f"{place}.action", entry["action"], spec.actions, "неизвестное действие")
    listed = want(f"{place}.targets", entry.get("targets", []), list, "список ников")
    targets = tuple(known_nick(f"{place}.targets[{i}]", target, nicks) for i, target in enumerate(listed))
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
                known_id(f"{place}.{key}", word, known, what)
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
    kind = known_id(f"{place}.kind", entry.get("kind"), _MESSAGE_KINDS, "неизвестный вид сообщения")
    author = known_nick(f"{place}.author", entry.get("author"), nicks)
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


def _forced(place: str, table: Any, spec: Spec) -> dict[str, tuple[str, ...]]:
    want(place, table, dict, "таблица")
    forced = {}
    for point, value in table.items():
        known_id(f"{place}.{point}", point, spec.chance_points, "неизвестный жребий")
        values = value if isinstance(value, list) else [value]
        forced[point] = tuple(str(want(f"{place}.{point}", one, (str, int), "строка или список строк")) for one in values)
    return forced
