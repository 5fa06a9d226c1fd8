"""What a rule calls simultaneous reads the state before the phase: random games, played again with the roster turned round.

Only the order of the roster changes; who sent what and when stays. What the rules themselves give to the roster (the ring of
the clans, duty numbers, the first of several antibribes, the order of lines) is fixed or left out; draws are made by name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import rulesets
from engine.chance import Chance
from engine.model import Counted, Death, Event, Lynched, Notice, Order, Outcome, Rejected, Saved
from engine.rulesets.clans import roles as clans
from engine.rulesets.goldenkey.roles import COMMANDS, MANIAC_ROLES, TOWN_ROLES, VILLAIN_ROLES
from engine.rulesets.league import roles as league
from engine.rulesets.mafialife import moves
from engine.rulesets.mafialife import roles as mafialife
from forumbot import resources
from forumbot.store.types import plain

NICKS = (
    "Аня", "Боря", "Вова", "Гена", "Даня", "Ева", "Жора", "Зоя", "Ира", "Йося", "Кеша", "Лёва", "Миша", "Нюра", "Оля", "Петя",
    "Рома", "Сеня",
)  # fmt: skip
SEEN = (Death, Outcome, Notice, Rejected, Saved, Counted, Lynched)
Cast = list[dict[str, Any]]


class ByName(Chance):
    """Draws that do not hang on the order in which the options are offered."""

    def draw(self, point: str, options: Sequence[str], *, single_is_draw: bool = False) -> str:
        return super().draw(point, sorted(options), single_is_draw=single_is_draw)


def orderless(value: Any) -> Any:
    """Plain data in which lists are bags. A team's word is drawn when it is first told, and which word it is says nothing."""
    if isinstance(value, Mapping):
        return {str(key): orderless(inner) for key, inner in value.items() if key != "password"}
    if isinstance(value, (list, tuple)):
        return sorted((orderless(inner) for inner in value), key=lambda one: json.dumps(one, sort_keys=True))
    return value


def seen(events: Sequence[Event]) -> list[str]:
    """What a turn brought, in no order."""
    told = []
    for event in events:
        if isinstance(event, SEEN):
            fields = [name for name in type(event).__dataclass_fields__ if name not in ("order", "refs", "rule")]
            told.append([type(event).__name__, {name: orderless(plain(getattr(event, name))) for name in fields}])
    return sorted(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in told)


def played(name: str, cast: Cast, turns: Sequence[Sequence[Order]], first: int, options: Mapping[str, Any]) -> list[Any]:
    """For each turn: what it brought, the state and the accounts after it, the winner."""
    rules, chance = rulesets.ruleset(name), ByName(7)
    game = rules.start(cast, {}, rules.tables(resources.tables(name), options), first)
    found: list[Any] = []
    for orders in turns:
        if rules.winner(game) is not None:
            break
        game, made = rules.open(game, chance)
        events = list(made)
        for order in orders:
            for mark in rules.marks_before(game, order):
                game, made = rules.mark(game, mark, chance)
                events += made
            game, made = rules.receive(game, order, chance)
            events += made
        for mark in rules.spec.marks:
            game, made = rules.mark(game, mark, chance)
            events += made
        game, made = rules.close(game, chance)
        state, money = plain(rules.state(game)), plain(rules.balances(game))
        for player in state.values():
            player.pop("seat", None)  # the roster itself (clans)
        found.append((seen([*events, *made]), orderless(state), money, rules.winner(game), rules.winner_kind(game)))
    return found


# --- Random games of each ruleset: a cast, and what its players send -------------------------------------------------------


def clans_cast(random: Random) -> Cast:
    """Without the shahid, whose neighbours the roster gives him."""
    parts = [(role, clan) for clan in clans.CLANS for role in clans.SENIORITY]
    parts += [(role, None) for role in (*clans.CIVILIAN_ROLES, clans.MANIAC) if role != "shahid"]
    picked = random.sample(parts, k=min(len(parts), random.randint(8, len(NICKS))))
    seated = zip(NICKS, picked, strict=False)
    return [{"nick": nick, "role": role} | ({"faction": clan} if clan else {}) for nick, (role, clan) in seated]


def clans_order(random: Random, player: Mapping[str, Any], nicks: Sequence[str]) -> Order:
    action = random.choice(("vote", "kill", "hunt", *clans.ROLE_ACTIONS.get(player["role"], ()) * 3))
    count = 2 if action == "interview" else 1
    return Order(player["nick"], action, tuple(random.sample(list(nicks), count)))


def goldenkey_cast(random: Random) -> Cast:
    some = [*VILLAIN_ROLES, *random.sample(TOWN_ROLES, 6), *MANIAC_ROLES, "citizen", "citizen"]
    return [{"nick": nick, "role": role} for nick, role in zip(NICKS, some, strict=False)]


def goldenkey_order(random: Random, player: Mapping[str, Any], nicks: Sequence[str]) -> Order:
    action = random.choice(("vote", *sorted(COMMANDS)))
    args = {"role": player["role"]} if action != "vote" and random.random() < 0.7 else {}
    return Order(player["nick"], action, (random.choice(nicks),), args)


def league_cast(random: Random) -> Cast:
    """Gang members with their numbers, since the cast's order would give them."""
    others = [role for role in league.ROLES if role not in ("mafioso", "yakuza")]
    chosen = ["mafioso", "mafioso", "yakuza", "yakuza", *random.sample(others, 10)]
    numbers = dict.fromkeys(league.GANGS, 0)
    cast: Cast = []
    for nick, role in zip(NICKS, chosen, strict=False):
        row: dict[str, Any] = {"nick": nick, "role": role, "coins": random.choice((0, 40, 200))}
        side = league.ROLES[role].faction
        if side in numbers and role not in ("lawyer", "kamikaze"):
            numbers[side] += 1
            row["number"] = numbers[side]
        cast.append(row)
    return cast


def league_order(random: Random, player: Mapping[str, Any], nicks: Sequence[str]) -> Order:
    own = [a for a, known in league.ACTIONS.items() if not known.roles or player["role"] in known.roles]
    action = random.choice((*own, "vote"))
    args: dict[str, Any] = {"story": "Так и было.", "number": 1, "coins": random.choice((5, 10, 20)), "count": 1}
    args |= {"item": random.choice(tuple(league.ITEMS)), "role": random.choice(tuple(league.ROLES))}
    return Order(player["nick"], action, (random.choice(nicks),), args)


def mafialife_cast(random: Random) -> Cast:
    some = [role for role in mafialife.ROLES if role != "zombie"]
    goods = ["armour", "elixir", "condom", "anti_mafioso", "licence_kill", "licence_vampire", "pistol", "bribe", "hang_immunity"]
    cast: Cast = []
    for nick in NICKS:
        role = random.choice(some)
        items = random.sample(goods, k=random.choice((0, 0, 1, 2)))
        cast.append({"nick": nick, "role": role, "level": random.randint(0, 4), "items": items, "alive": random.random() < 0.9})
    cast[0]["items"] = ["antibribe"]
    return cast


def mafialife_order(random: Random, player: Mapping[str, Any], nicks: Sequence[str]) -> Order:
    who = player["nick"]
    if random.random() < 0.4:
        return Order(who, "vote", (random.choice(nicks[:4]),))
    if player["items"] and random.random() < 0.3:
        return Order(who, random.choice(player["items"]), (random.choice(nicks),))
    if random.random() < 0.15:
        item = random.choice(("armour", "elixir", "level_1", "level_2", "condom"))
        return Order(who, "buy", args={"item": item, "pay": random.choice(("mafbucks", "vote", "vote_move"))})
    move = random.choice(moves.of_role(player["role"]))
    args = {} if move.arg is None else {move.arg: random.choice(move.option or tuple(mafialife.ROLES))}
    return Order(who, move.action, tuple(random.choice(nicks) for _ in range(move.count[-1])), args)


GAMES: dict[str, tuple[Any, Any, tuple[Mapping[str, Any], ...]]] = {
    "clans": (
        clans_cast,
        clans_order,
        (
            {"activity_penalties": False},
            {"activity_penalties": False, "maniac_chain": "both", "showdown_heal_saves": True},
        ),
    ),
    "goldenkey": (goldenkey_cast, goldenkey_order, ({}, {"killer_keeps_own_move": True, "recruited_as_killer": True})),
    "league": (league_cast, league_order, ({"voting": {"missed_limit": 0}}, {"win": {"after_lynch": True}})),
    "mafialife": (mafialife_cast, mafialife_order, ({}, {"tie": "all"}, {"missed_turns_limit": 1})),
}


@pytest.mark.parametrize("name", rulesets.NAMES)
def test_the_order_of_the_roster_decides_nothing(name: str) -> None:
    make_cast, make_order, tables = GAMES[name]

    @settings(max_examples=int(os.environ.get("FUZZ", "60")), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**32))
    def check(seed: int) -> None:
        random = Random(seed)
        cast, options = make_cast(random), random.choice(tables)
        nicks = [player["nick"] for player in cast]
        turns = []
        for turn in range(3):
            senders = [random.choice(cast) for _ in range(random.randint(10, 50))]
            made = [make_order(random, player, nicks) for player in senders]
            turns.append([Order(o.player, o.action, o.targets, o.args, ref=f"{turn}.{i}") for i, o in enumerate(made)])
        plainly = played(name, cast, turns, 2, options)
        for other in (cast[::-1], cast[5:] + cast[:5]):
            assert played(name, other, turns, 2, options) == plainly

    check()
