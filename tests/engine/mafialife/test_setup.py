"""Deals, accounts from game to game, the sketch for the reader, and the views (R27, R180)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, EngineError, Notice, Order, Rejected
from engine.rulesets.mafialife import RULESET
from tests.engine.mafialife.board import Board, cast, order, tables

SEATS = [f"Игрок {i}" for i in range(1, 26)]
CORPUS = Path(__file__).parents[2] / "corpus"
TOWN = "Кира commissioner\nМарк mafioso\nНина necromancer\nАнна citizen\nЛия girl\nМила maniac\nЗоя mafia_lawyer\nМёртв girl dead"


# --- Deals ---


@pytest.mark.parametrize("n", [8, 12, 25])
def test_the_first_n_roles_are_dealt(n: int) -> None:
    chance = Chance(3)
    game, events = RULESET.deal(SEATS[:n], tables(), chance)
    state = RULESET.state(game)
    assert Counter(p["role"] for p in state.values()) == Counter(tables().setup[:n])
    assert {p["level"] for p in state.values()} == {p["points"] for p in state.values()} == {0}
    sent = {n.to: n.data["team"] for n in events if isinstance(n, Notice) and n.kind == "team_password"}
    assert sent == {seat: p["faction"] for seat, p in state.items() if p["official"] and p["faction"] in ("office", "den")}
    roles = {n.to: n.data["role"] for n in events if isinstance(n, Notice) and n.kind == "role_assigned"}
    assert roles == {seat: p["role"] for seat, p in state.items()}
    assert {draw.point for draw in chance.record} == {"deal", "password_office", "password_den"}


def test_another_seed_deals_otherwise_and_the_same_one_alike() -> None:
    deals = [RULESET.state(RULESET.deal(SEATS, tables(), Chance(seed))[0]) for seed in (1, 1, 2)]
    assert deals[0] == deals[1] != deals[2]


@pytest.mark.parametrize("n", [0, 7, 26])
def test_too_few_or_too_many_players(n: int) -> None:
    with pytest.raises(EngineError) as caught:
        RULESET.deal([f"И{i}" for i in range(n)], tables(), Chance(0))
    assert caught.value.place == "players"


def test_a_dealt_game_of_eight_does_not_end_by_itself() -> None:
    chance = Chance(5)
    game, _ = RULESET.deal(SEATS[:8], tables(), chance)
    assert RULESET.stage(game) == "between"
    game, _ = RULESET.close(RULESET.open(game, chance)[0], chance)
    assert RULESET.winner(game) is None


def test_money_is_carried_to_the_next_game() -> None:
    old = Board("Кира commissioner items=armour\nМарк mafioso\nБорис citizen")
    old.turn("Кира kill Марк")
    home = RULESET.takes_home(old.game)
    assert home == {"Кира": {"mafbucks": 115}, "Марк": {"mafbucks": 100}, "Борис": {"mafbucks": 100}}
    new, _ = RULESET.deal(["Кира", *SEATS[:9]], tables(), Chance(0))
    (brought,) = RULESET.bring(new, "Кира", home["Кира"])
    opened, events = RULESET.receive(new, brought, Chance(0))
    assert isinstance(events[0], Accepted)
    assert RULESET.balances(opened)["mafbucks"]["Кира"] == 115
    assert RULESET.balances(opened)["mafbucks"]["Игрок 1"] == 100
    assert sum(b.amount for b in RULESET.ledger(opened) if b.player == "Кира") == 115
    kept, _ = RULESET.deal(["Кира", *SEATS[:9]], tables(carry_mafbucks=False), Chance(0))
    assert RULESET.bring(kept, "Кира", home["Кира"]) == ()


def test_money_is_brought_before_the_first_day_only() -> None:
    new, _ = RULESET.deal(SEATS[:9], tables(), Chance(0))
    game, _ = RULESET.open(new, Chance(0))
    (brought,) = RULESET.bring(game, "Игрок 1", {"mafbucks": 500})
    game, events = RULESET.receive(game, brought, Chance(0))
    assert [e.reason for e in events if isinstance(e, Rejected)] == ["too_late"]
    assert RULESET.balances(game)["mafbucks"]["Игрок 1"] == 100


# --- Scenario casts ---


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("Кира comissioner", "players[0].role"),
        ("Кира commissioner faction=den", "players[0].faction"),
        ("Кира commissioner level=5", "players[0].level"),
        ("Кира commissioner points=-1", "players[0].points"),
        ("Кира commissioner items=armor", "players[0].items[0]"),
        ("Кира commissioner captive_of=Никто", "players[0].captive_of"),
        ("Кира commissioner documents=false", "players[0].documents"),
        ("Кира hacker recruited_by=graveyard", "players[0].recruited_by[0]"),
        ("Зина zombie alive=true", "players[0].alive"),
        ("Кира commissioner paralysed=1", "players[0].paralysed"),
        ("Кира commissioner used=3", "players[0].used"),
    ],
)
def test_a_wrong_player_is_named_by_his_place(line: str, place: str) -> None:
    with pytest.raises(EngineError) as caught:
        RULESET.start(cast(line), {}, tables(), None)
    assert caught.value.place == place


def test_wrong_state_and_calls_out_of_turn() -> None:
    with pytest.raises(EngineError):
        Board(TOWN, state={"last_targets": {"Никто": {"sleep": "Анна"}}})
    with pytest.raises(EngineError, match="slep"):
        Board(TOWN, state={"last_targets": {"Анна": {"slep": "Анна"}}})
    with pytest.raises(EngineError):
        Board(TOWN, first=0)
    board = Board(TOWN)
    with pytest.raises(EngineError):
        RULESET.close(board.game, board.chance)
    opened, _ = RULESET.open(board.game, board.chance)
    with pytest.raises(EngineError):
        RULESET.open(opened, board.chance)
    with pytest.raises(EngineError):
        RULESET.mark(opened, "lynch", board.chance)
    _, events = RULESET.receive(board.game, order("Анна unvote"), board.chance)
    assert isinstance(events[0], Rejected)
    assert events[0].reason == "too_late"


def test_levels_and_points_follow_from_each_other() -> None:
    game = Board("Кира doctor points=7\nМарк mafioso level=3\nАнна citizen level=2 points=1\nЛия girl level=0 points=8").game
    state = RULESET.state(game)
    assert [(state[n]["level"], state[n]["points"]) for n in ("Кира", "Марк", "Анна", "Лия")] == [(2, 7), (3, 10), (2, 1), (2, 8)]


# --- Views ---


def test_owing_and_standing() -> None:
    board = Board(TOWN, 2)
    game, _ = RULESET.open(board.game, board.chance)
    assert "vote" in RULESET.owing(game)["Кира"]
    assert RULESET.owing(game)["Лия"] == ("sleep", "vote")
    assert "Мёртв" not in RULESET.owing(game)
    sent = ["Лия sleep Анна", "Лия vote Марк", "Кира pass", "Кира buy item=armour pay=vote", "Мила bite Анна"]
    for text in sent:
        game, _ = RULESET.receive(game, order(text), board.chance)
    assert "Лия" not in RULESET.owing(game)
    assert "Кира" not in RULESET.owing(game)
    assert RULESET.owing(game)["Мила"] == ("vote",)
    assert [o.action for o in RULESET.standing(game, "Лия")] == ["sleep", "vote"]
    assert RULESET.votes(game) == {"Марк": 1}
    assert RULESET.ballots(game) == {"Лия": "Марк"}


def test_known_tells_team_mates_to_official_members_only() -> None:
    game = RULESET.open(Board(f"{TOWN}\nОлег unfaithful\nХарри hacker captive_of=Мила", 2).game, Chance(0))[0]
    assert RULESET.known(game, "Марк").clan == ("Марк", "Зоя")
    assert RULESET.known(game, "Олег").clan == ()
    assert RULESET.known(game, "Мила").more["captive"] == "Харри"
    assert RULESET.known(game, "Мила").more["captive_role"] == "hacker"
    stranger = RULESET.known(game, "Гость")
    assert (stranger.roles, stranger.dead) == ((), frozenset({"Мёртв"}))


# --- Sketches ---


def judged(line: dict[str, Any]) -> list[tuple[str, str]]:
    """(expected status, the engine's verdict) of every order of a corpus line."""
    game = RULESET.sketch(line["roster"], line["author"], line["author_role"], line["ctx"], tables())
    found = []
    for entry in line["expect"]["orders"]:
        one = Order(line["author"], entry["action"], tuple(entry["targets"]), entry["args"])
        after, events = RULESET.receive(game, one, Chance(0))
        refused = isinstance(events[0], Rejected)
        game = game if refused else after
        found.append((entry.get("status", line["expect"]["outcome"]), "rejected" if refused else "accepted"))
    return found


def test_the_engine_judges_every_order_of_the_corpus_as_the_host_would() -> None:
    seen = 0
    for file in sorted(CORPUS.glob("mafialife_*.jsonl")):
        for text in file.read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            if line["expect"]["outcome"] in ("accepted", "rejected"):
                for expected, verdict in judged(line):
                    assert verdict == expected, line["id"]
                    seen += 1
    assert seen > 100


@pytest.mark.parametrize(
    ("ctx", "role", "text", "reason"),
    [
        ({}, "maniac", "Автор frenzy Анна", None),
        ({"level": 0}, "maniac", "Автор frenzy Анна", "level_too_low"),
        ({}, "citizen", "Автор study role=girl", None),
        ({}, "assistant", "Автор guard_commissioner Анна", None),
        ({}, "maniac", "Автор captive_move Анна action=hack", None),
        ({"captive": "Анна"}, "maniac", "Автор captive_move action=study role=girl", None),
        ({"captive": "Анна"}, "maniac", "Автор captive_move action=study role=doctor", "bad_args"),
        ({"captive": "none"}, "maniac", "Автор captive_move Анна action=hack", "no_captive"),
        ({"day": 1}, "citizen", "Автор vote Анна", "no_voting_today"),
        ({"move_spent": True}, "doctor", "Автор heal Анна", "move_sold"),
        ({"vote_spent": True}, "doctor", "Автор buy item=armour pay=vote", "vote_already_spent"),
        ({"last_target": "Анна"}, "girl", "Автор aids Анна", "same_target_twice"),
        ({"pistol": 0}, "citizen", "Автор pistol Анна", "no_item"),
        ({"pistol": 0}, "doctor", "Автор licence_kill Анна", None),
        ({}, "citizen", "Автор sell item=armour", None),
        ({}, "citizen", "Автор gift Анна item=armour", None),
        ({"dead": ["Автор"]}, "citizen", "Автор vote Анна", "dead"),
        ({"dead": ["Анна"]}, "girl", "Автор birth Анна", None),
        ({"clan": ["Автор", "Борис"]}, "mafia_journalist", "Автор swap_documents Анна", "bad_target"),
        ({"clan": ["Автор", "Анна"]}, "killer", "Автор kill Анна", "own_team"),
        ({}, "killer", "Автор refuse_points_win", None),
        ({}, None, "Автор vote Анна", None),
        ({}, None, "Гость vote Анна", "not_your_action"),
    ],
)
def test_a_sketch_forbids_only_what_is_known(ctx: dict[str, Any], role: str | None, text: str, reason: str | None) -> None:
    game = RULESET.sketch(["Автор", "Анна", "Борис"], "Автор", role, ctx, tables())
    events = RULESET.receive(game, order(text), Chance(0))[1]
    assert (events[0].reason if isinstance(events[0], Rejected) else None) == reason
