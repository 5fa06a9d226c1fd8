"""New roles every night (R49-R54) and the beginning of a live game (S1-S5, S11)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, EngineError, Notice, Order, Rejected
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.roles import TOWN_ROLES, VILLAIN_ROLES
from engine.rulesets.goldenkey.setup import number_of_villains
from tests.engine.goldenkey.table import order, play, start, tables, vote

CAST: dict[str, Any] = {
    "K": "karabas",
    "G": "giuseppe",
    "A": "buratino",
    "B": "malvina",
    "C": "citizen",
    "D": "citizen",
    "E": "citizen",
}
SEATS = [f"s{i}" for i in range(1, 16)]


def bid(seat: str, role: str) -> Order:
    return order(f"{seat} bid_role", role=role)


def roles(game: Any) -> dict[str, tuple[str, ...]]:
    return {seat: p.roles for seat, p in game.players.items() if p.roles and p.born == "townsfolk"}


def test_who_has_received_a_role_least_often_gets_it() -> None:
    turn = play(start(CAST, town_roles=["buratino"]), [bid("A", "buratino"), bid("C", "buratino")])
    assert roles(turn.game) == {"C": ("buratino",)}
    assert turn.game.players["C"].received == {"buratino": 1}
    again = play(turn.game, [bid("A", "buratino"), bid("C", "buratino")], forced("role_buratino", "A"))
    assert again.game.players["A"].received == {"buratino": 2}


def forced(point: str, *values: str) -> Chance:
    chance = Chance(0)
    chance.force(point, values)
    return chance


def test_only_equals_are_drawn_in_the_order_of_the_roster() -> None:
    chance = Chance(0)
    play(start(CAST, town_roles=["buratino"]), [bid("E", "buratino"), bid("C", "buratino"), bid("A", "buratino")], chance)
    assert [(d.point, d.options) for d in chance.record] == [("role_buratino", ("C", "E"))]


def test_bids_are_served_before_the_roles_nobody_wants() -> None:
    turn = play(start(CAST, town_roles=["buratino", "malvina"]), [bid("D", "malvina")], forced("role_buratino", "E"))
    assert roles(turn.game) == {"D": ("malvina",), "E": ("buratino",)}


def test_nobody_gets_a_second_role_while_somebody_has_none_and_nobody_gets_three() -> None:
    game = start({"K": "karabas", "G": "giuseppe", "T": "tortilla", "A": "citizen", "B": "citizen"}, elder_above=0)
    dealt = roles(play(game, []).game)
    assert {seat: len(held) for seat, held in dealt.items()} == {"A": 2, "B": 2}
    assert sorted(role for held in dealt.values() for role in held) == sorted(TOWN_ROLES[:4])


def test_ended_roles_the_dead_and_papa_carlo_of_five() -> None:
    cast = CAST | {"A": {"role": "buratino", "lives": 1}, "C": {"role": "citizen", "lives": 1}}
    turn = play(
        start(cast, state={"role_lives": {"arlekin": 0}}),
        [vote("E", "A"), order("K kill C"), bid("C", "malvina"), bid("D", "papa_carlo")],
    )
    assert turn.rejected == []
    dealt = {role for held in roles(turn.game).values() for role in held} - {"buratino"}
    assert "arlekin" not in dealt and "papa_carlo" not in dealt
    assert turn.game.players["A"].roles == ("buratino",), "the dead keep what they had on their last night"
    assert not turn.game.players["A"].alive
    living_with = [p.seat for p in turn.game.players.values() if p.alive and "buratino" in p.roles]
    assert len(living_with) == 1


def test_new_holders_are_told_one_notice_a_role() -> None:
    turn = play(start(CAST, town_roles=["pierro", "malvina"]), [bid("C", "pierro"), bid("D", "malvina")])
    told = [(n.to, dict(n.data)) for n in turn.notices("role_assigned")]
    assert told == [("D", {"role": "malvina", "night": 2}), ("C", {"role": "pierro", "night": 2})]
    assert "role_assigned" not in turn.report


@pytest.mark.parametrize(("may", "expected"), [(False, ()), (True, ("malvina", "giuseppe"))])
def test_a_recruited_maniac_bids_by_table_only(may: bool, expected: tuple[str, ...]) -> None:
    cast = CAST | {"G": {"role": "giuseppe", "faction": "townsfolk"}}
    turn = play(start(cast, town_roles=["malvina", "pierro"], recruited_may_bid=may), [bid("G", "malvina")])
    assert (turn.rejected == []) == may
    assert turn.game.players["G"].roles == (expected or ("giuseppe",))


def test_a_recruited_maniac_with_a_town_role_uses_both_and_stays_hidden() -> None:
    cast = CAST | {"G": {"role": "malvina", "roles": ["malvina", "giuseppe"], "faction": "townsfolk"}, "B": "pierro"}
    game = start(cast, recruited_may_bid=True)
    turn = play(game, [order("G invite C"), order("G attack K"), order("K kill C"), order("B spy G")])
    assert turn.outcomes == {"killer": "blocked", "malvina": "ineffective", "giuseppe": None, "pierro": "ineffective"}


def test_the_split_into_clans() -> None:
    known = tables()
    assert [number_of_villains(n, known) for n in (3, 4, 8, 14, 15, 19, 20, 25, 30, 34, 35, 40)] == [
        1,
        1,
        2,
        3,
        4,
        4,
        5,
        6,
        7,
        7,
        8,
        8,
    ]
    assert number_of_villains(15, tables(villains_by_players=[[10, 2], [16, 9]])) == 2


def dealt(**overrides: Any) -> tuple[Any, list[Any], Chance]:
    chance = Chance(5)
    game, events = RULESET.deal(SEATS, tables(**overrides), chance)
    return game, list(events), chance


def test_a_live_game_is_dealt_and_everybody_told_his_clan_alone() -> None:
    game, events, chance = dealt()
    assert RULESET.stage(game) == "setup"
    born = {seat: p.born for seat, p in game.players.items()}
    assert sorted(born.values()) == ["maniacs"] * 2 + ["townsfolk"] * 9 + ["villains"] * 4
    villains = tuple(seat for seat in SEATS if born[seat] == "villains")
    told = {kind: [n for n in events if n.kind == kind] for kind in ("clan_told", "clan_list", "maniac_role")}
    assert [(n.to, n.data["faction"]) for n in told["clan_told"]] == list(born.items())
    assert {n.to: n.data["members"] for n in told["clan_list"]} == dict.fromkeys(villains, villains)
    assert sorted((born[n.to], n.data["role"]) for n in told["maniac_role"]) == [("maniacs", "giuseppe"), ("maniacs", "tortilla")]
    assert [d.point for d in chance.record] == ["setup_villain"] * 4 + ["setup_giuseppe", "setup_tortilla"]


def test_set_up_draws_the_villains_roles_and_deals_the_first_night() -> None:
    game, _, chance = dealt()
    game, events = RULESET.mark(game, "setup", chance)
    assert RULESET.stage(game) == "between"
    held = [role for p in game.players.values() for role in p.roles]
    assert sorted(held) == sorted((*VILLAIN_ROLES, *TOWN_ROLES, "giuseppe", "tortilla"))
    notices = [e for e in events if isinstance(e, Notice)]
    assert {n.data["role"] for n in notices if n.kind == "villain_role"} == set(VILLAIN_ROLES)
    assert {n.data["role"] for n in notices if n.kind == "role_assigned"} == set(TOWN_ROLES)
    assert {n.data["night"] for n in notices if n.kind == "role_assigned"} == {1}


def test_set_up_takes_lists_and_bids_and_nothing_else() -> None:
    game, _, chance = dealt()
    villains = [p.seat for p in game.players.values() if p.is_born_villain]
    citizens = [p.seat for p in game.players.values() if p.born == "townsfolk"]

    def send(sent: Order) -> str | None:
        nonlocal game
        game, events = RULESET.receive(game, sent, chance)
        assert isinstance(events[0], (Accepted, Rejected))
        return events[0].reason if isinstance(events[0], Rejected) else None

    assert send(vote(citizens[0], citizens[1])) == "too_early"
    assert send(order(f"{villains[0]} kill {citizens[0]}")) == "too_early"
    assert send(bid(citizens[3], "pierro")) is None
    assert send(bid(citizens[3], "malvina")) is None
    assert send(order(" ".join([villains[1], "assign_roles", *villains]), roles=list(VILLAIN_ROLES))) is None
    assert RULESET.owing(game) == {}
    game, _ = RULESET.mark(game, "setup", chance)
    assert [game.players[seat].roles for seat in villains] == [(role,) for role in VILLAIN_ROLES]
    assert game.players[citizens[3]].roles == ("malvina",)
    assert not any(d.point.startswith("villain_role") for d in chance.record)
    game, _ = RULESET.open(game, chance)
    assert RULESET.turn(game) == 1
    assert send(order(" ".join([villains[0], "assign_roles", *reversed(villains)]), roles=list(VILLAIN_ROLES))) is None
    assert game.players[villains[0]].roles == ("basilio",)


def test_fewer_than_four_villains_share_the_four_roles() -> None:
    chance = Chance(1)
    game, _ = RULESET.deal(SEATS[:8], tables(min_players=8), chance)
    game, _ = RULESET.mark(game, "setup", chance)
    assert [len(p.roles) for p in game.players.values() if p.is_born_villain] == [2, 2]


@pytest.mark.parametrize(
    ("number", "overrides"),
    [(14, {}), (41, {}), (15, {"min_players": 16}), (15, {"max_players": 14, "min_players": 1}), (2, {"min_players": 1})],
)
def test_too_few_or_too_many_players_start_no_game(number: int, overrides: dict[str, Any]) -> None:
    with pytest.raises(EngineError) as caught:
        RULESET.deal([f"s{i}" for i in range(number)], tables(**overrides), Chance(0))
    assert caught.value.place == "players"


def test_only_the_maniacs_of_the_table_are_in_the_game() -> None:
    game, _, chance = dealt(maniac_roles=["tortilla"])
    assert [p.role for p in game.players.values() if p.is_maniac] == ["tortilla"]
    assert "setup_giuseppe" not in {d.point for d in chance.record}


def test_calls_out_of_place_are_errors() -> None:
    game, _, chance = dealt()
    for call in (
        lambda: RULESET.open(game, chance),
        lambda: RULESET.close(game, chance),
        lambda: RULESET.mark(game, "noon", chance),
    ):
        with pytest.raises(EngineError):
            call()
