"""What the rest of the house may see of a game, and games sketched from what little is known."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, Order, Rejected
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.roles import VILLAIN_ROLES
from tests.engine.goldenkey.table import order, play, start, tables, vote

CAST: dict[str, Any] = {
    "A": "alisa",
    "K": {"role": "karabas", "lives": 1},
    "B": {"role": "buratino", "roles": ["buratino", "pierro"]},
    "J": {"role": "tortilla", "faction": "villains"},
    "G": "giuseppe",
    "C": "citizen",
    "X": {"role": "citizen", "alive": False},
}


def opened(**how: Any) -> Any:
    return RULESET.open(start(CAST, **how), Chance(0))[0]


def test_state_is_plain_and_in_the_order_of_the_roster() -> None:
    state = RULESET.state(opened())
    assert list(state) == list(CAST) == list(RULESET.seats(opened()))
    assert state["B"] == {
        "role": "buratino",
        "roles": ("buratino", "pierro"),
        "faction": "townsfolk",
        "alive": True,
        "lives": 2,
        "received": {"buratino": 1, "pierro": 1},
    }
    assert (state["X"]["role"], state["X"]["alive"], state["X"]["lives"]) == ("citizen", False, 0)
    assert (state["J"]["role"], state["J"]["faction"]) == ("tortilla", "villains")
    assert RULESET.balances(opened())["role_lives"]["killer"] == 4


def test_what_the_reader_may_know() -> None:
    game = RULESET.receive(opened(), vote("C", "A"), Chance(0))[0]
    villain = RULESET.known(game, "A")
    assert (villain.roles, villain.faction, villain.clan, villain.dead, villain.night) == (
        ("alisa",),
        "villains",
        ("A", "K", "J"),
        frozenset({"X"}),
        1,
    )
    assert "duremar" in villain.more["clan_roles"] and "tortilla" in villain.more["clan_roles"]
    citizen = RULESET.known(game, "C")
    assert (citizen.roles, citizen.clan, citizen.more["prior_vote"]) == (("citizen",), (), "A")
    assert citizen.more["clan_roles"] == ()
    assert not RULESET.known(game, "X").alive
    assert RULESET.known(game, "stranger").roles == ()


def test_who_owes_a_vote_by_day_and_a_move_by_night() -> None:
    game = RULESET.receive(opened(), vote("C", "A"), Chance(0))[0]
    assert RULESET.owing(game) == dict.fromkeys(("A", "K", "B", "J", "G"), ("vote",))
    game = RULESET.mark(game, "lynch", Chance(0))[0]
    assert RULESET.owing(game) == {
        "A": ("beat", "kill"),
        "K": ("recruit", "kill"),
        "B": ("kill", "spy"),
        "J": ("attack",),
        "G": ("attack",),
    }
    for sent in (order("A kill C"), order("A beat B"), order("K pass"), order("B spy A"), order("G attack B")):
        game = RULESET.receive(game, sent, Chance(0))[0]
    assert RULESET.owing(game) == {"B": ("kill",), "J": ("attack",)}


def test_nobody_owes_anything_between_turns_and_after_the_end() -> None:
    assert RULESET.owing(start(CAST)) == {}
    over = play(start(CAST, quiet_turns=1), []).game
    assert RULESET.stage(over) == "over"
    assert RULESET.owing(over) == {}


ROSTER = ["Анна", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жанна"]


def judged(role: str | None, sent: Order, **ctx: Any) -> str | None:
    game = RULESET.sketch(ROSTER, "Анна", role, ctx, tables())
    first = RULESET.receive(game, sent, Chance(0))[1][0]
    assert isinstance(first, (Accepted, Rejected))
    return first.reason if isinstance(first, Rejected) else None


def mine(action: str, *targets: str, **args: Any) -> Order:
    return Order("Анна", action, targets, args)


CLAN = ["Анна", "Борис", "Вера", "Глеб"]


@pytest.mark.parametrize(
    ("role", "sent", "ctx", "reason"),
    [
        ("citizen", mine("vote", "Борис"), {}, None),
        ("citizen", mine("vote", "Борис"), {"dead": ["Борис"]}, "dead_target"),
        ("citizen", mine("vote", "Борис"), {"dead": ["Анна"]}, "dead_player"),
        ("citizen", mine("kill", "Борис"), {}, "not_your_action"),
        ("citizen", mine("bid_role", role="pierro"), {}, None),
        ("citizen", mine("bid_role", role="basilio"), {}, "not_on_offer"),
        ("buratino", mine("kill", "Борис"), {}, None),
        ("papa_carlo", mine("guard", "Борис"), {}, "not_your_action"),
        ("artemon", mine("kill", "Борис"), {}, None),
        ("artemon", mine("kill", "Борис"), {"night": 2}, "kill_not_yet"),
        ("artemon", mine("kill", "Борис"), {"night": 4}, None),
        ("artemon", mine("kill", "Борис"), {"day": 3}, "kill_not_yet"),
        ("arlekin", mine("recruit", "Борис"), {}, None),
        ("arlekin", mine("recruit", "Борис"), {"maniacs_left": 0}, "no_maniacs"),
        ("giuseppe", mine("attack", "Борис"), {}, None),
        ("giuseppe", mine("bid_role", role="pierro"), {}, "not_your_action"),
        ("alisa", mine("beat", "Егор"), {"clan": CLAN}, None),
        ("alisa", mine("guard", "Егор"), {"clan": CLAN}, "not_your_action"),
        ("alisa", mine("guard", "Борис", role="duremar"), {"clan": CLAN}, None),
        ("alisa", mine("guard", "Анна", role="duremar"), {}, None),
        ("alisa", mine("kill", "Егор", role="killer", by="Борис"), {"clan": CLAN}, None),
        ("alisa", mine("kill", "Егор", role="killer", by="Дина"), {"clan": CLAN}, "bad_performer"),
        ("alisa", mine("kill", "Егор", role="killer", by="Дина"), {}, None),
        ("villain", mine("assign_roles", *CLAN, roles=list(VILLAIN_ROLES)), {"clan": CLAN}, None),
        ("villain", mine("assign_roles", *CLAN, roles=list(VILLAIN_ROLES)), {}, None),
        ("villain", mine("assign_roles", *CLAN, roles=list(VILLAIN_ROLES)), {"clan": CLAN, "night": 2}, "roles_fixed"),
        ("tortilla", mine("spy", "Егор", role="basilio"), {"clan": CLAN}, None),
        ("tortilla", mine("spy", "Егор", role="basilio"), {}, "not_your_action"),
        (None, mine("vote", "Борис"), {}, None),
    ],
)
def test_a_sketch_forbids_what_is_known_and_nothing_else(
    role: str | None, sent: Order, ctx: dict[str, Any], reason: str | None
) -> None:
    assert judged(role, sent, **ctx) == reason


def test_a_stranger_in_a_sketch_is_no_player() -> None:
    game = RULESET.sketch(ROSTER, "Чужой", None, {}, tables())
    assert not RULESET.known(game, "Чужой").roles
    first = RULESET.receive(game, Order("Чужой", "vote", ("Анна",)), Chance(0))[1][0]
    assert isinstance(first, Rejected)


def test_a_sketch_takes_the_list_and_the_moves_of_one_letter() -> None:
    game = RULESET.sketch(ROSTER, "Анна", "villain", {"clan": CLAN}, tables())
    for sent in (
        mine("assign_roles", *CLAN, roles=list(VILLAIN_ROLES)),
        mine("recruit", "Дина"),
        mine("guard", "Борис", role="duremar"),
    ):
        game, events = RULESET.receive(game, sent, Chance(0))
        assert isinstance(events[0], Accepted), events


def test_the_prior_vote_of_a_sketch_stands() -> None:
    game = RULESET.sketch(ROSTER, "Анна", "citizen", {"prior_vote": "Борис"}, tables())
    assert RULESET.ballots(game) == {"Анна": "Борис"}
    assert RULESET.known(game, "Анна").more["prior_vote"] == "Борис"
