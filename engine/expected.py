"""``[turns.expect]`` checked before anything is played: a misspelt expectation must not hold by never being met (contract.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.badinput import check_keys, known_id, known_nick, unknown, want
from engine.messages import READING_ACTIONS, READING_REFUSALS
from engine.model import Data, EngineError
from engine.turn import Spec

_NICK_LISTS = ("dead", "alive", "saved", "lynched")
_NICK_TABLES = ("causes", "killers", "votes", "state")
_ACTION_LISTS = ("done", "failed", "rejected")
_NOTICES = ("notices", "no_notices")
_REPORT = ("report_has", "report_lacks")
_KEYS = (*_NICK_LISTS, *_NICK_TABLES, *_ACTION_LISTS, *_NOTICES, "balances", "winner", *_REPORT, "messages")
_OUTCOMES = ("accepted", "review", "ignored", "rejected")


def check(place: str, expect: Data, spec: Spec, nicks: Sequence[str]) -> None:
    """Keys, nicks and ids of the expectations of one turn. Raises EngineError for the first that cannot be met."""
    check_keys(place, expect, _KEYS)
    words = _Words(spec, nicks)
    for key, wanted in expect.items():
        here = f"{place}.{key}"
        if key == "winner":
            known_id(here, wanted, (*spec.factions, *nicks, "draw", "none"), "неизвестный победитель")
        elif key in _NICK_TABLES or key == "balances":
            want(here, wanted, dict, "таблица")
            _TABLES[key](here, wanted, words)
        else:
            want(here, wanted, list, "список")
            for i, item in enumerate(wanted):
                _item(key, f"{here}[{i}]", item, words)


class _Words:
    """The ids that may stand in the expectations of a ruleset's game."""

    def __init__(self, spec: Spec, nicks: Sequence[str]) -> None:
        self.spec = spec
        self.nicks = nicks
        self.actions = (*spec.actions, *READING_ACTIONS)
        self.reasons = tuple(dict.fromkeys((*spec.reasons, *READING_REFUSALS)))
        self.notice_keys = tuple(dict.fromkeys(key for keys in spec.notices.values() for key in keys))
        self._ids: Mapping[str, tuple[Sequence[str], str]] = {
            "role": (spec.roles, "неизвестная роль"),
            "action": (self.actions, "неизвестное действие"),
            "reason": (self.reasons, "неизвестная причина"),
            "cause": (spec.causes, "неизвестная причина смерти"),
            "nick": (nicks, "неизвестный ник"),
            "item": (spec.items, "неизвестная вещь"),
            "faction": (spec.factions, "неизвестная команда"),
        }

    def check(self, place: str, value: Any, kinds: Iterable[str]) -> None:
        """One value, or a list of them, against what may stand there (``Spec.notices``)."""
        known: list[str] = []
        what = "неизвестное слово"
        for kind in kinds:
            if kind in ("number", "bool", "text", "any"):
                return
            ids, told = self._ids.get(kind, ((kind,), what))
            known += ids
            what = told if kind in self._ids else what
        for word in value if isinstance(value, list) else [value]:
            known_id(place, word, known, what)


def _item(key: str, place: str, item: Any, words: _Words) -> None:
    if key in _NICK_LISTS:
        known_nick(place, item, words.nicks)
    elif key in _ACTION_LISTS:
        _action_item(key, place, item, words)
    elif key in _NOTICES:
        _notice(place, item, words)
    elif key == "messages":
        known_id(place, item, _OUTCOMES, "неизвестный исход")
    else:
        want(place, item, str, "строка")


def _action_item(key: str, place: str, item: Any, words: _Words) -> None:
    """ "nick:action" or "nick:action:reason"; a nick may hold colons itself."""
    wrong = EngineError(place, f"«{item}»: здесь должно стоять «ник:действие» или «ник:действие:причина»")
    if not isinstance(item, str) or ":" not in item:
        raise wrong
    nick = max((nick for nick in words.nicks if item.startswith(f"{nick}:")), key=len, default=None)
    rest = (item[len(nick) + 1 :] if nick is not None else item.partition(":")[2]).split(":")
    if nick is None:
        raise unknown(place, "неизвестный ник", item.partition(":")[0], words.nicks)
    if len(rest) > (1 if key == "done" else 2):
        raise wrong
    known_id(place, rest[0], words.actions, "неизвестное действие")
    for reason in rest[1:]:
        known_id(place, reason, words.reasons, "неизвестная причина")


def _notice(place: str, item: Any, words: _Words) -> None:
    want(place, item, dict, "таблица")
    kinds = words.spec.notices
    if "kind" in item:
        known_id(f"{place}.kind", item["kind"], tuple(kinds), "неизвестное личное сообщение")
    for key, value in item.items():
        here = f"{place}.{key}"
        if key == "to":
            known_nick(here, value, words.nicks)
        elif key != "kind":
            known_id(here, key, ("to", "kind", *words.notice_keys), "неизвестный ключ")
            asked = [kinds[item["kind"]]] if "kind" in item and key in kinds[item["kind"]] else kinds.values()
            words.check(here, value, [one for keys in asked if key in keys for one in keys[key].split("|")])


def _causes(place: str, table: Data, words: _Words) -> None:
    for nick, cause in table.items():
        known_nick(f"{place}.{nick}", nick, words.nicks)
        known_id(f"{place}.{nick}", cause, words.spec.causes, "неизвестная причина смерти")


def _killers(place: str, table: Data, words: _Words) -> None:
    for nick, killer in table.items():
        known_nick(f"{place}.{nick}", nick, words.nicks)
        known_nick(f"{place}.{nick}", killer, words.nicks)


def _votes(place: str, table: Data, words: _Words) -> None:
    for nick, weight in table.items():
        known_nick(f"{place}.{nick}", nick, words.nicks)
        want(f"{place}.{nick}", weight, (int, float), "число")


def _state(place: str, table: Data, words: _Words) -> None:
    for nick, keys in table.items():
        known_nick(f"{place}.{nick}", nick, words.nicks)
        want(f"{place}.{nick}", keys, dict, "таблица")
        check_keys(f"{place}.{nick}", keys, words.spec.shown_keys)
        for key, kind in (("role", "role"), ("roles", "role"), ("faction", "faction"), ("items", "item")):
            if key in keys:
                words.check(f"{place}.{nick}.{key}", keys[key], (kind,))


def _balances(place: str, table: Data, words: _Words) -> None:
    for currency, owners in table.items():
        known_id(f"{place}.{currency}", currency, words.spec.currencies, "неизвестный счёт")
        want(f"{place}.{currency}", owners, dict, "таблица")
        for owner, value in owners.items():
            known_id(f"{place}.{currency}.{owner}", owner, (*words.nicks, *words.spec.roles), "нет такого владельца:")
            want(f"{place}.{currency}.{owner}", value, (int, float), "число")


_TABLES = {"causes": _causes, "killers": _killers, "votes": _votes, "state": _state, "balances": _balances}
