"""A role's letter tells what the role is about, what it does and how its side wins (E03), and a host may reword it."""

import tomllib

import pytest

from engine.rulesets import NAMES, ruleset
from forumbot import resources
from forumbot.writing.writer import PublicFacts, Writer, gather

KINDS = {
    "league": {"role": "role"},
    "clans": {"role_assigned": "role"},
    "goldenkey": {"role_assigned": "role", "villain_role": "role", "maniac_role": "role"},
    "mafialife": {"role_assigned": "role"},
}


def letter(name: str, kind: str, role: str, faction: str, templates: dict[str, str]) -> str:
    facts = PublicFacts("Партия", 0, tables=resources.tables(name))
    data = {"role": role, "faction": faction, "night": 1, "partners": [], "clanmates": []}
    return Writer(templates, "Europe/Moscow").private("notices.j2", str, facts=facts, nick="Анна", kind=kind, data=data)[1]


@pytest.mark.parametrize("name", NAMES)
def test_e03_every_role_has_a_card_that_its_letter_tells(name: str) -> None:
    templates, rules = gather(name), ruleset(name)
    cards = tomllib.loads(templates["cards.toml"])
    assert set(rules.spec.roles) - {"killer"} <= set(cards["cards"])
    assert {faction for faction in rules.spec.factions if faction != "draw"} <= set(cards["wins"])
    for role in cards["cards"]:
        for kind in KINDS[name]:
            text = letter(name, kind, role, rules.spec.factions[0], templates)
            assert cards["cards"][role] in text
            assert "Ваша сторона побеждает, когда " in text or name == "goldenkey"


def test_e03_the_side_of_a_league_role_is_the_rules_own() -> None:
    from engine.rulesets.league.roles import ROLES

    sides = tomllib.loads(gather("league")["cards.toml"])["sides"]
    assert sides == {role: info.faction for role, info in ROLES.items()}


def test_e03_a_clan_of_goldenkey_hears_how_it_wins_and_a_missing_card_leaves_no_gap() -> None:
    templates = gather("goldenkey")
    text = letter("goldenkey", "clan_told", "", "townsfolk", templates)
    assert "Ваша сторона побеждает, когда не осталось ни Злодеев" in text
    bare = letter("goldenkey", "villain_role", "alisa", "villains", {**templates, "cards.toml": ""})
    assert bare.splitlines()[:3] == ["Анна, ваша роль в клане Злодеев: Лиса Алиса.", "", "Ваши ходы и как их писать:"]
