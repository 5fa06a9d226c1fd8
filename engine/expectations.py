"""``[turns.expect]`` of a scenario held against a turn's result, as ``check_cases.py`` does it from outside (contract.md).

The differences are English, in the words of that tool, so that the two can be compared line by line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.model import Data


def compare(expect: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """Differences between ``[turns.expect]`` and a turn's result, in the order of the expectations."""
    found: list[str] = []
    for key, wanted in expect.items():
        found += _COMPARE[key](key, wanted, got)
    return found


def _matches(wanted: Any, got: Any) -> bool:
    """Equal, with lists compared as sets and numbers by value."""
    if isinstance(wanted, list) and isinstance(got, list):
        return sorted(map(str, wanted)) == sorted(map(str, got))
    if _is_number(wanted) and isinstance(got, (int, float)):
        return abs(float(wanted) - got) < 1e-9
    return bool(wanted == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same_set(key: str, wanted: Any, got: Data) -> list[str]:
    same = set(wanted) == set(got[key])
    return [] if same else [f"{key}: want {sorted(wanted)}, got {sorted(got[key])}"]


def _same_list(key: str, wanted: Any, got: Data) -> list[str]:
    return [] if list(wanted) == list(got[key]) else [f"{key}: want {wanted}, got {got[key]}"]


def _same_votes(key: str, wanted: Any, got: Data) -> list[str]:
    have = got[key]
    same = set(wanted) == set(have) and all(_matches(value, have[nick]) for nick, value in wanted.items())
    return [] if same else [f"{key}: want {wanted}, got {have}"]


def _death_entries(field: str) -> Callable[[str, Any, Data], list[str]]:
    def check(key: str, wanted: Any, got: Data) -> list[str]:
        have = {death["player"]: death[field] for death in got["deaths"]}
        return [f"{key}: {nick}: want {value}, got {have.get(nick)}" for nick, value in wanted.items() if have.get(nick) != value]

    return check


def _done(key: str, wanted: Any, got: Data) -> list[str]:
    have = {f"{a['player']}:{a['action']}" for a in got["actions"] if a["outcome"] == "done"}
    return [f"{key}: {item} missing among {_told(got['actions'])}" for item in wanted if item not in have]


def _failed(key: str, wanted: Any, got: Data) -> list[str]:
    have: set[str] = set()
    for action in got["actions"]:
        if action["outcome"] == "failed":
            short = f"{action['player']}:{action['action']}"
            have |= {short, f"{short}:{action['reason']}"}
    return [f"{key}: {item} missing among {_told(got['actions'])}" for item in wanted if item not in have]


def _told(actions: Any) -> list[str]:
    return [f"{a['player']}:{a['action']}:{a['reason'] or a['outcome']}" for a in actions]


def _rejected(key: str, wanted: Any, got: Data) -> list[str]:
    have = [[r["player"], r["action"], r["reason"]] for r in got["rejected"]]
    found = []
    for item in wanted:
        parts = item.split(":")
        if not any(entry[: len(parts)] == parts for entry in have):
            found.append(f"{key}: {item} missing among {have}")
    return found


def _notices(key: str, wanted: Any, got: Data) -> list[str]:
    found = []
    for item in wanted:
        hit = any(all(k in n and _matches(v, n[k]) for k, v in item.items()) for n in got["notices"])
        if hit != (key == "notices"):
            near = [n for n in got["notices"] if n["to"] == item.get("to", n["to"])]
            found.append(f"{key}: {item}; got {near}")
    return found


def _balances(key: str, wanted: Any, got: Data) -> list[str]:
    found = []
    for currency, table in wanted.items():
        for owner, value in table.items():
            have = got[key].get(currency, {}).get(owner)
            if have is None or not _matches(value, have):
                found.append(f"{key}.{currency}.{owner}: want {value}, got {have}")
    return found


def _state(key: str, wanted: Any, got: Data) -> list[str]:
    found = []
    for nick, table in wanted.items():
        for name, value in table.items():
            have = got[key].get(nick, {}).get(name)
            if not _matches(value, have):
                found.append(f"{key}.{nick}.{name}: want {value}, got {have}")
    return found


def _winner(key: str, wanted: Any, got: Data) -> list[str]:
    have = got[key] or "none"
    return [] if have == wanted else [f"{key}: want {wanted}, got {have}"]


def _report(key: str, wanted: Any, got: Data) -> list[str]:
    there = key == "report_has"
    word = "not in" if there else "is in"
    return [f"{key}: {text!r} {word} the report" for text in wanted if (text in got["report"]) != there]


def _outcomes(key: str, wanted: Any, got: Data) -> list[str]:
    have = [message["outcome"] for message in got[key]]
    told = [(message["outcome"], message["reason"]) for message in got[key]]
    return [] if list(wanted) == have else [f"{key}: want {wanted}, got {told}"]


_COMPARE: Mapping[str, Callable[[str, Any, Data], list[str]]] = {
    "dead": _same_set,
    "alive": _same_set,
    "saved": _same_set,
    "lynched": _same_list,
    "votes": _same_votes,
    "causes": _death_entries("cause"),
    "killers": _death_entries("by"),
    "done": _done,
    "failed": _failed,
    "rejected": _rejected,
    "notices": _notices,
    "no_notices": _notices,
    "balances": _balances,
    "state": _state,
    "winner": _winner,
    "report_has": _report,
    "report_lacks": _report,
    "messages": _outcomes,
}
