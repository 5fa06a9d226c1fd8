"""The contest of both ЖЛП and the maniac against a second reading of R25-R30, R33 and R47: who goes where, whom it kills.

All targets, all orders of the letters, both draws and all readings of ``maniac_chain``; every seventh game is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

from engine import scenario
from forumbot import reading, resources
from forumbot.writing import report

CAST = {
    "Борис": ("don", "red"),
    "Лола": ("seductress", "red"),
    "Дина": ("don", "black"),
    "Жанна": ("seductress", "black"),
    "Макс": ("maniac", None),
    "Егор": ("citizen", None),
    "Коля": ("citizen", None),
}
SIDE = {nick: side for nick, (_, side) in CAST.items()}
HOSTESSES = ("Лола", "Жанна")
Letters = tuple[tuple[str, str], ...]
READER = reading.reader()
TABLES = resources.tables("clans")


@dataclass
class Expected:
    reasons: dict[str, str | None] = field(default_factory=dict)
    host: dict[str, str] = field(default_factory=dict)
    dead: set[str] = field(default_factory=set)
    drawn: bool = False

    def place(self, guest: str) -> str:
        host = self.host[guest]
        while host in self.host:
            host = self.host[host]
        return "maniac" if host == "Макс" else "seductress"


def _enemy(guest: str, hostess: str) -> bool:
    return SIDE[guest] not in (None, SIDE[hostess])


def _expected(letters: Letters, first: str, chain: str) -> Expected:
    at, target = {s: i for i, (s, _) in enumerate(letters)}, dict(letters)
    found = Expected()
    acting = [h for h in HOSTESSES if h in target]
    if len(acting) == 2:
        into = {h: _enemy(target[h], h) for h in acting}
        found.drawn = all(into.values()) or target["Лола"] == target["Жанна"]
        acting.sort(key=lambda h: h != first if found.drawn else (any(into.values()) and not into[h], at[h]))
    for hostess in acting:
        wanted = target[hostess]
        maniac_first = "Макс" in at and at["Макс"] < at[hostess] and "Макс" not in found.host
        his = target.get("Макс")
        if hostess in found.host:
            reason = "actor_at_seductress"
        elif any(SIDE[guest] == SIDE[hostess] and _enemy(guest, host) for guest, host in found.host.items()):
            reason = "clan_at_seductress"
        elif maniac_first and his == hostess and wanted == "Макс":
            reason = "actor_at_maniac"
        elif wanted in found.dead:
            reason = "target_dead"
        elif wanted in found.host:
            reason = "target_at_seductress"
        elif maniac_first and his == wanted:
            reason = "target_at_maniac"
        else:
            found.reasons[hostess], found.host[wanted] = None, hostess
            brings = wanted == "Макс" and (chain == "both" or (chain == "by_time" and maniac_first))
            if brings and his is not None and his not in (*HOSTESSES, *found.host, *found.dead):
                found.reasons["Макс"], found.host[his] = None, hostess
            if any(_enemy(guest, hostess) for guest, host in found.host.items() if host == hostess):
                found.dead.add(hostess)
            continue
        found.reasons[hostess] = reason
    if "Макс" in target and "Макс" not in found.reasons:
        his = target["Макс"]
        if "Макс" in found.host:
            found.reasons["Макс"] = "actor_at_seductress"
        elif his in found.dead or his in found.host:
            found.reasons["Макс"] = "target_dead" if his in found.dead else "target_at_seductress"
        else:
            found.reasons["Макс"], found.host[his] = None, "Макс"
    return found


def _games() -> Iterator[tuple[Letters, str, str]]:
    options: list[list[tuple[str, str] | None]] = []
    for sender in (*HOSTESSES, "Макс"):
        own = SIDE[sender]
        allowed = [nick for nick in CAST if nick != sender and (own is None or SIDE[nick] != own)]
        options.append([None, *((sender, nick) for nick in allowed)])
    for sent in product(*options):
        for letters in permutations([letter for letter in sent if letter is not None]):
            firsts = HOSTESSES if _expected(letters, "Лола", "by_time").drawn else ("Лола",)
            yield from ((letters, first, chain) for first in firsts for chain in ("by_time", "both", "maniac_loses"))


def _play(letters: Letters, first: str, chain: str, *, drawn: bool) -> dict[str, Any]:
    orders = [{"player": s, "action": "invite" if s == "Макс" else "seduce", "targets": [t]} for s, t in letters]
    data = {
        "ruleset": "clans",
        "title": "contest",
        "tables": {"maniac_chain": chain},
        "players": [{"nick": n, "role": r, **({"faction": side} if side else {})} for n, (r, side) in CAST.items()],
        "turns": [{"orders": orders, "chance": {"seductress_draw": first} if drawn else {}, "expect": {}}],
    }
    played = scenario.run(scenario.parse(data), TABLES, report.plain, READER)
    assert played.warnings == ()
    turn: dict[str, Any] = played.result["turns"][0]
    return turn


def test_contest_ends_as_the_rules_read_a_second_time_say() -> None:
    games = list(_games())[::7]
    for letters, first, chain in games:
        expected = _expected(letters, first, chain)
        turn = _play(letters, first, chain, drawn=expected.drawn)
        told = {n["to"]: n["host"] for n in turn["notices"] if n["kind"] == "guest"}
        assert {a["player"]: a["reason"] for a in turn["actions"]} == expected.reasons, (letters, first, chain)
        assert told == {g: expected.place(g) for g in expected.host if g not in expected.dead}, (letters, first, chain)
        assert set(turn["dead"]) == expected.dead, (letters, first, chain)
        assert any(c["point"] == "seductress_draw" for c in turn["chance"]) == expected.drawn, (letters, first, chain)
    assert len(games) > 500
