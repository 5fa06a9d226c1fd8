"""A winner is told and counted by what the rules say of the name, never by its spelling (H16)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import rulesets
from engine.chance import Chance
from engine.model import Order, Victory
from forumbot import resources
from forumbot.hosting.core.match import Match
from forumbot.hosting.explain import victories
from forumbot.hosting.people import people
from forumbot.hosting.people.people import WON
from forumbot.writing.writer import Writer, gather


def over(ruleset: str, cast: list[dict[str, Any]], *orders: Order, **options: Any) -> Match:
    """A game of one turn, which ends it."""
    rules, chance = rulesets.ruleset(ruleset), Chance(1)
    tables = rules.tables(resources.tables(ruleset), options)
    game, _ = rules.open(rules.start(cast, {}, tables, 2), chance)
    for order in orders:
        game, _ = rules.receive(game, order, chance)
    game, _ = rules.close(game, chance)
    assert rules.stage(game) == "over"
    return Match(rules, tables, chance, game)


def points_winner(nick: str) -> Match:
    cast = [
        {"nick": nick, "role": "maniac", "points": 20},
        {"nick": "Марк", "role": "mafioso"},
        {"nick": "Анна", "role": "citizen"},
        {"nick": "Кира", "role": "commissioner"},
    ]
    return over("mafialife", cast)


def last_maniac(nick: str) -> Match:
    cast = [{"nick": nick, "role": "maniac"}, {"nick": "Анна", "role": "citizen"}]
    return over("clans", cast, Order(nick, "vote", ("Анна",)), activity_penalties=False)


def won(match: Match) -> set[str]:
    return {seat for seat in match.ruleset.seats(match.game) if people.counts(match, seat)[WON]}


@pytest.mark.parametrize("nick", ["Мила", "den", "office", "neutral", "draw"])
def test_h16_a_winner_by_points_is_a_player_whatever_his_nick(nick: str) -> None:
    match = points_winner(nick)
    assert victories.of_match(match) == Victory(nick, "player")
    assert won(match) == {nick}
    assert victories.named(Victory(nick, "player"), {nick: "Ник дня"}, Writer(gather("mafialife"), "UTC")) == "Ник дня"


@pytest.mark.parametrize("nick", ["Макс", "red", "civilians", "maniac", "draw"])
def test_h16_a_maniac_who_wins_alone_is_a_player_whatever_his_nick(nick: str) -> None:
    match = last_maniac(nick)
    assert victories.of_match(match) == Victory(nick, "player")
    assert won(match) == {nick}


def test_h16_a_team_wins_nothing_for_the_player_who_is_called_like_it() -> None:
    cast = [
        {"nick": "den", "role": "citizen"},
        {"nick": "Марк", "role": "mafioso"},
        {"nick": "Макс", "role": "mafioso"},
    ]
    match = over("mafialife", cast)
    assert victories.of_match(match) == Victory("den", "faction")
    assert won(match) == {"Марк", "Макс"}
    writer = Writer(gather("mafialife"), "UTC")
    assert victories.named(Victory("den", "faction"), {"den": "Ник дня"}, writer) == writer.word("factions", "den")


def test_h16_nobody_wins_a_draw() -> None:
    cast = [{"nick": "draw", "role": "citizen"}, {"nick": "Анна", "role": "maniac"}]
    match = over("clans", cast, Order("Анна", "host_violation", args={"kind": "coalition"}))
    assert victories.of_match(match) == Victory("draw", None)
    assert won(match) == set()
    writer = Writer(gather("clans"), "UTC")
    assert victories.named(Victory("draw", None), {"draw": "Ник дня"}, writer) == writer.word("factions", "draw")
