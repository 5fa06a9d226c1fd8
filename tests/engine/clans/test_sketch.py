"""What the reader of texts gets from the engine: the sender, and a sketched turn that judges his order (contract.md)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Order, Rejected
from engine.rulesets.clans import RULESET
from tests.engine.clans.board import Board, tables

ROSTER = ("Анна", "Борис", "Вера", "Глеб", "Дина")
CORPUS = Path(__file__).parents[2] / "corpus"


def judged(
    role: str | None,
    order: str,
    ctx: dict[str, Any] | None = None,
    args: dict[str, Any] | None = None,
    overrides: dict[str, Any] | None = None,
) -> str:
    action, *targets = order.split()
    game = RULESET.sketch(ROSTER, "Анна", role, {"dead": [], **(ctx or {})}, tables(**(overrides or {})))
    _, events = RULESET.receive(game, Order("Анна", action, tuple(targets), args or {}), Chance(0))
    return events[0].reason if isinstance(events[0], Rejected) else "accepted"


@pytest.mark.parametrize(
    ("role", "order", "ctx", "answer"),
    [
        ("doctor", "heal Борис", {}, "accepted"),
        ("doctor", "heal Борис", {"dead": ["Борис"]}, "dead_target"),
        ("doctor", "heal Борис", {"dead": ["Анна"]}, "dead_player"),
        ("doctor", "heal Борис", {"last_target": "Борис"}, "repeat_target"),
        ("doctor", "heal Борис", {"last_target": "Борис", "last_success": False}, "accepted"),
        ("doctor", "poison_mistake Борис", {"last_target": "Борис"}, "accepted"),
        ("doctor", "beat Борис", {}, "not_your_action"),
        ("commissioner", "check Борис", {"checked": ["Вера", "Борис"]}, "repeat_target"),
        ("sleepwalker", "walk Борис", {"last_target": "Борис"}, "repeat_target"),
        ("shooter", "shoot Борис", {}, "accepted"),
        ("bodyguard", "guard Борис", {}, "accepted"),
        ("bodyguard", "guard Борис", {"clan": ["Анна", "Борис"]}, "accepted"),
        ("bodyguard", "guard Борис", {"clan": ["Анна", "Вера"]}, "not_own_clan"),
        ("seductress", "seduce Борис", {}, "accepted"),
        ("seductress", "seduce Борис", {"clan": ["Анна", "Борис"]}, "own_clan"),
        ("chosen", "extra_votes Борис Борис", {}, "accepted"),
        ("chosen", "extra_votes Борис Борис", {"day": 4}, "accepted"),
        ("chosen", "extra_votes Борис Борис", {"day": 5}, "too_many_votes"),
        ("citizen", "vote Борис", {"time": "20:59"}, "accepted"),
        ("citizen", "vote Борис", {"time": "21:00"}, "late"),
        (None, "check Борис", {}, "accepted"),
        ("citizen", "kill Борис", {}, "not_your_action"),
        ("artist", "kill Борис", {}, "accepted"),
    ],
)
def test_the_unknown_forbids_nothing_and_the_known_what_the_rules_forbid(
    role: str | None, order: str, ctx: dict[str, Any], answer: str
) -> None:
    assert judged(role, order, ctx) == answer


@pytest.mark.parametrize(
    ("role", "ctx", "wanted", "answer"),
    [
        ("don", {}, "thug", "accepted"),
        ("don", {"vacant": "thug"}, "thug", "accepted"),
        ("don", {"vacant": "thug"}, "bodyguard", "role_not_vacant"),
        ("don", {"vacant": "none"}, "thug", "role_not_vacant"),
        ("don", {}, "seductress", "bad_role"),
        ("artist", {}, "don", "accepted"),
        ("artist", {"don_dead": True, "vacant": "don"}, "don", "accepted"),
        ("artist", {"don_dead": False}, "thug", "not_your_action"),
        ("thug", {}, "thug", "not_your_action"),
    ],
)
def test_appointments_in_a_sketch(role: str, ctx: dict[str, Any], wanted: str, answer: str) -> None:
    assert judged(role, "replace_role", ctx, {"role": wanted}) == answer


def test_an_unknown_day_gives_the_chosen_the_most_votes_of_the_tables() -> None:
    late_heavy = {"chosen_votes_early": 1, "chosen_votes_late": 3}
    assert judged("chosen", "extra_votes Борис Борис Вера", overrides=late_heavy) == "accepted"
    assert judged("chosen", "extra_votes Борис Борис Вера") == "too_many_votes"


def _lines() -> list[Any]:
    found = []
    for name in ("clans_letter.jsonl", "clans_vote.jsonl"):
        for text in (CORPUS / name).read_text(encoding="utf-8").splitlines():
            line = json.loads(text)
            clear = line["expect"]["outcome"] in ("accepted", "rejected")
            if clear and line["channel"] == "letter" and line["author"] in line["roster"]:
                found.append(line)
    return found


def test_the_agreed_answers_are_those_of_the_engines_tests() -> None:
    """Every order of the corpus whose nick is known, judged alone; two kinds in one letter are the reader's matter (D57)."""
    asked = 0
    for line in _lines():
        expect = line["expect"]
        actions = {order["action"] for order in expect["orders"]}
        for order in expect["orders"]:
            want = order.get("status", expect["outcome"])
            nobody = not order["targets"] and order["action"] not in ("replace_role", "unvote", "pass", "cancel")
            if nobody or want == "review" or {"hunt", "extra_votes"} <= actions:
                continue
            game = RULESET.sketch(line["roster"], line["author"], line["author_role"], line["ctx"], tables())
            given = Order(line["author"], order["action"], tuple(order["targets"]), order["args"])
            _, events = RULESET.receive(game, given, Chance(0))
            got = "rejected" if isinstance(events[0], Rejected) else "accepted"
            assert got == want, line["id"]
            asked += 1
    assert asked > 100


def test_what_is_known_of_a_player_and_of_a_stranger() -> None:
    board = Board("Борис don red\nТимур thug red dead\nАртём artist red\nДина don black\nСоня chosen\nАнна citizen")
    board.open()
    board.send("Борис replace_role", args={"role": "thug"})
    board.send("Артём vote Анна")
    artist = RULESET.known(board.game, "Артём")
    assert (artist.roles, artist.faction, artist.clan) == (("artist", "thug"), "red", ("Борис", "Тимур", "Артём"))
    assert artist.dead == {"Тимур"} and artist.more["prior_vote"] == "Анна" and artist.more["day"] == 1
    chosen = RULESET.known(board.game, "Соня")
    assert chosen.clan == () and chosen.more["never_together"] == ("extra_votes", "hunt") and chosen.more["secret_votes"] == 2
    stranger = RULESET.known(board.game, "Прохожий")
    assert not stranger.alive and stranger.roles == ()
