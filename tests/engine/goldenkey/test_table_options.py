"""Every option of rules 1.10 that no other test here turns, and wrong tables."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import EngineError, Notice
from engine.rulesets.goldenkey import RULESET
from engine.rulesets.goldenkey.tables import NAMES
from forumbot import resources
from tests.engine.goldenkey.table import night, order, play, start, tables, vote

CAST: dict[str, Any] = {
    "A": "alisa",
    "V": "villain",
    "B": "buratino",
    "M": "malvina",
    "R": "artemon",
    "P": "pierro",
    "L": "arlekin",
    "E": "papa_carlo",
    "G": "giuseppe",
    "C": "citizen",
}


def test_the_defaults_are_those_of_the_rules() -> None:
    text = (resources.PACKAGED.parent / "docs" / "rules" / "goldenkey.md").read_text(encoding="utf-8")
    chapter = text.split("### 1.10")[1].split("```toml")[1].split("```")[0]
    assert resources.tables("goldenkey") == tomllib.loads(chapter)


def test_every_table_has_a_russian_comment() -> None:
    lines = resources.find("rulesets/goldenkey.toml").read_text(encoding="utf-8").splitlines()
    for name in NAMES:
        (line,) = [line for line in lines if line.startswith(f"{name} =")]
        comment = line.split("#", 1)[1]
        assert any("а" <= letter <= "я" for letter in comment), line


def test_player_lives() -> None:
    assert play(start(CAST, player_lives=1), [vote("C", "B")]).deaths == {"B": ("lynch", None)}
    assert play(start(CAST, player_lives=3), [vote("C", "B")]).lives["B"] == 2


def test_role_lives() -> None:
    turn = night(CAST, order("V kill M"), role_lives={"malvina": 1, "arlekin": 0})
    assert turn.game.role_lives == {"killer": 4, "buratino": 4, "malvina": 0, "artemon": 2, "pierro": 2, "arlekin": 0}
    assert not any({"malvina", "arlekin"} & set(p.roles) for p in turn.game.players.values())


@pytest.mark.parametrize(("first_night", "taken"), [(3, False), (2, True), (1, True)])
def test_artemon_kill_from(first_night: int, taken: bool) -> None:
    turn = play(start(CAST, first_turn=2, artemon_kill_from=first_night), [order("R kill C")])
    assert (turn.rejected == []) == taken


@pytest.mark.parametrize(("above", "struck"), [(9, False), (10, True)])
def test_elder_above(above: int, struck: bool) -> None:
    assert night(CAST, order("B kill E"), elder_above=above).outcomes["buratino"] == (None if struck else "elder")


@pytest.mark.parametrize(
    ("target", "moves", "found"),
    [("B", (), False), ("B", ("B kill C",), True), ("E", (), True), ("V", ("A kill C",), False), ("A", ("A kill C",), True)],
)
def test_spy_needs_command(target: str, moves: tuple[str, ...], found: bool) -> None:
    turn = night(CAST, order(f"P spy {target}"), *map(order, moves), spy_needs_command=True)
    assert (turn.outcomes["pierro"] is None) == found


def test_report_target_nicks() -> None:
    moves = [order("P spy M"), order("L recruit G"), order("A beat B"), order("M invite C"), order("V kill C")]
    shown = night(CAST, *moves, report_target_nicks=True).report_lines
    assert "Пьеро: шпионаж (M) - Горожанин, Мальвина" in shown
    assert "Арлекин: вербовка (G) - Маньяк, Джузеппе Сизый Нос" in shown
    assert "Мальвина: приглашение (C) - Горожанин" in shown
    assert "Лиса Алиса: избиение нерезультативно" in shown
    hidden = night(CAST, *moves).report_lines
    assert "Пьеро: шпионаж - Горожанин, Мальвина" in hidden


def test_report_blocks() -> None:
    moves = [order("G attack B"), order("B kill C")]
    assert "Джузеппе Сизый Нос: нападение - Горожанин, Буратино" in night(CAST, *moves).report_lines
    assert "нападение" not in night(CAST, *moves, report_blocks=False).report
    landed = [order("G attack P")]
    assert "Джузеппе Сизый Нос убивает Горожанина" in night(CAST, *landed, report_blocks=False).report_lines


def test_notify_lynch() -> None:
    moves = [vote("C", "B"), order("V kill B")]
    told = [dict(n.data) for n in play(start(CAST, notify_lynch=True), moves).notices("life_lost")]
    assert told == [
        {"cause": "lynch", "amount": 1, "lives": 1},
        {"cause": "killer_attack", "amount": 1, "lives": 0},
    ]
    assert [n.data["cause"] for n in play(start(CAST), moves).notices("life_lost")] == ["killer_attack"]


def test_private_results() -> None:
    moves = [order("P spy M"), order("L recruit G")]
    kinds = {n.kind for n in night(CAST, *moves, private_results=False).all(Notice)}
    assert not {"spy_result", "recruit_result"} & kinds
    assert "joined_clan" in kinds


def test_recruited_as_killer() -> None:
    cast = CAST | {"G": {"role": "giuseppe", "faction": "villains"}}
    turn = night(cast, order("V kill C", by="G"), order("P spy G"), recruited_as_killer=True)
    assert turn.outcomes == {"killer": None, "pierro": "ineffective"}
    assert "Джузеппе Сизый Нос убивает Горожанина" in turn.report_lines


def test_vote_colour_is_known_to_the_reader() -> None:
    game = RULESET.open(start(CAST, vote_colour="red"), Chance(0))[0]
    assert RULESET.known(game, "C").more["vote_colour"] == "red"
    assert RULESET.known(game, "stranger").more["vote_colour"] == "red"


def test_opening_night() -> None:
    turn = play(start(CAST, opening_night=True), [order("R kill C")])
    assert turn.game.turn == 0
    assert turn.rejected == [("R", "kill", "kill_not_yet")]
    assert "Итоги Линча" not in turn.report
    assert "Итоги Линча" in play(turn.game, []).report


@pytest.mark.parametrize(
    ("overrides", "place"),
    [
        ({"quiet_turn": 1}, "tables.quiet_turn"),
        ({"timezone": "Moscow"}, "tables.timezone"),
        ({"timezone": 3}, "tables.timezone"),
        ({"day_open": "8 утра"}, "tables.day_open"),
        ({"day_open": 8}, "tables.day_open"),
        ({"day_open": "22:00"}, "tables.day_open"),
        ({"report_by": "06:00"}, "tables.report_by"),
        ({"report_by": "09:00"}, "tables.report_by"),
        ({"polar_night": 1}, "tables.polar_night"),
        ({"early_moves": "keep"}, "tables.early_moves"),
        ({"lynch_published": "never"}, "tables.lynch_published"),
        ({"vote_colour": "green"}, "tables.vote_colour"),
        ({"player_lives": 0}, "tables.player_lives"),
        ({"player_lives": True}, "tables.player_lives"),
        ({"role_lives": {"papa_carlo": 1}}, "tables.role_lives.papa_carlo"),
        ({"role_lives": {"killer": -1}}, "tables.role_lives.killer"),
        ({"role_lives": 4}, "tables.role_lives"),
        ({"elder_above": -1}, "tables.elder_above"),
        ({"artemon_kill_from": 0}, "tables.artemon_kill_from"),
        ({"self_targets": ["gard"]}, "tables.self_targets[0]"),
        ({"self_targets": "guard"}, "tables.self_targets"),
        ({"town_roles": ["buratino", "karabas"]}, "tables.town_roles[1]"),
        ({"town_roles": ["buratino", "buratino"]}, "tables.town_roles[1]"),
        ({"quiet_turns": -1}, "tables.quiet_turns"),
        ({"min_players": 50}, "tables.max_players"),
        ({"max_players": "много"}, "tables.max_players"),
        ({"villains_by_players": [[15]]}, "tables.villains_by_players[0]"),
        ({"villains_by_players": [[15, 4], [15, 5]]}, "tables.villains_by_players[1]"),
        ({"villains_by_players": [[4, 4]]}, "tables.villains_by_players[0]"),
        ({"villains_by_players": [["15", 4]]}, "tables.villains_by_players[0][0]"),
        ({"maniac_roles": ["giusepe"]}, "tables.maniac_roles[0]"),
    ],
)
def test_a_wrong_table_is_refused_by_its_path(overrides: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        tables(**overrides)
    assert caught.value.place == place


def test_a_missing_table_is_refused() -> None:
    defaults = {name: value for name, value in resources.tables("goldenkey").items() if name != "quiet_turns"}
    with pytest.raises(EngineError) as caught:
        RULESET.tables(defaults, {})
    assert caught.value.place == "tables.quiet_turns"


def test_tables_are_frozen_copies() -> None:
    given = {"role_lives": {"killer": 1}}
    frozen = tables(**given)
    given["role_lives"]["killer"] = 9
    assert frozen.role_lives["killer"] == 1
    with pytest.raises(TypeError):
        frozen.role_lives["killer"] = 2
