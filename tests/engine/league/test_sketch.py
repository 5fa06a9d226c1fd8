"""What the reader of texts is told, and a game sketched from what is known: the unknown forbids nothing."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Order
from engine.rulesets.league import RULESET
from tests.engine.league.board import opened, order, send, start, tables, verdict

ROSTER = ("Рысь", "Лис", "Оса", "Громов", "Марина", "Палыч", "Тень")


def sketch(author: str, role: str | None, **ctx: Any) -> Any:
    return RULESET.sketch(ROSTER, author, role, {"dead": ["Палыч", "Тень"], **ctx}, tables())


def answer(game: Any, action: str, *targets: str, **args: Any) -> str:
    author = next(iter(game.ledger.sums))[0]
    return verdict(send(game, Order(author, action, targets, args))[1])


@pytest.mark.parametrize(
    ("author", "role", "ctx", "action", "targets", "args", "reason"),
    [
        ("Рысь", "mafioso", {}, "kill", ["Громов"], {"story": "х"}, "accepted"),
        ("Рысь", "mafioso", {}, "kill", ["Палыч"], {"story": "х"}, "dead_target"),
        ("Рысь", "mafioso", {}, "kill", ["Громов"], {}, "no_story"),
        ("Рысь", "mafioso", {}, "kill", ["Громов"], {"story": "х", "shot": 2}, "accepted"),
        ("Рысь", "mafioso", {"coins": 26}, "buy", [], {"item": "extra_shot"}, "accepted"),
        ("Рысь", "mafioso", {"coins": 19}, "buy", [], {"item": "extra_shot"}, "not_enough_coins"),
        ("Оса", "lawyer", {}, "buy", [], {"item": "extra_shot"}, "role_may_not_buy"),
        ("Оса", "lawyer", {}, "kill", ["Громов"], {"story": "х"}, "not_your_role"),
        ("Оса", "lawyer", {}, "defend", [], {"number": 2}, "accepted"),
        ("Оса", "lawyer", {}, "defend", ["Рысь"], {}, "no_such_number"),
        ("Громов", "citizen", {}, "kill", ["Рысь"], {}, "not_your_role"),
        ("Громов", "werewolf", {}, "kill", ["Рысь"], {"story": "х"}, "accepted"),
        ("Громов", "sergeant", {}, "check", ["Рысь"], {"story": "х"}, "accepted"),
        ("Громов", "commissioner", {}, "kill_checked", ["Рысь"], {"story": "х"}, "accepted"),
        ("Громов", "commissioner", {"checked": []}, "kill_checked", ["Рысь"], {"story": "х"}, "not_checked"),
        ("Громов", "commissioner", {"checked": ["Рысь"]}, "kill_checked", ["Рысь"], {"story": "х"}, "accepted"),
        ("Громов", "commissioner", {}, "check", ["Рысь"], {"story": "х", "shot": 2}, "accepted"),
        ("Марина", "girl", {"last_target": "Громов"}, "visit", ["Громов"], {}, "same_target_twice"),
        ("Марина", "girl", {}, "visit", ["Громов"], {}, "accepted"),
        ("Марина", "samurai", {}, "cover", ["Марина"], {}, "self_target"),
        ("Марина", "samurai", {"coins": 20}, "buy", [], {"item": "armour_maniac"}, "role_may_not_buy"),
        ("Марина", "judge", {}, "pardon", ["Марина"], {}, "self_target"),
        ("Марина", "mercenary", {}, "accept_work", [], {}, "accepted"),
        ("Марина", "mercenary", {}, "contract_hit", ["Лис"], {"story": "х"}, "accepted"),
        ("Марина", "mercenary", {}, "contract_hit", [], {"story": "х"}, "accepted"),
        ("Марина", "bodyguard", {}, "guard_choose", ["Лис"], {}, "accepted"),
        ("Марина", "mercenary", {}, "contract_kill", ["Лис"], {"coins": 15}, "role_may_not_order"),
        ("Громов", "citizen", {}, "contract_kill", ["Лис"], {"coins": 15}, "accepted"),
        ("Громов", "citizen", {"coins": 8}, "contract_kill", ["Лис"], {"coins": 8}, "price_too_low"),
        ("Громов", "citizen", {"coins": 25}, "contract_guard", ["Марина"], {"coins": 15}, "not_for_others"),
        ("Громов", "citizen", {"prior_vote": "Оса", "coins": 17}, "vote", ["Лис"], {}, "already_voted"),
        ("Громов", "citizen", {"prior_vote": "Оса", "coins": 17}, "change_vote", ["Лис"], {}, "accepted"),
        ("Громов", "citizen", {"prior_vote": "Оса"}, "change_vote", ["Оса"], {}, "same_target"),
        ("Громов", "citizen", {}, "change_vote", ["Лис"], {}, "accepted"),
        ("Громов", "citizen", {"coins": 6}, "extra_votes", [], {"count": 2}, "not_enough_coins"),
        ("Громов", "citizen", {}, "extra_votes", [], {"count": 2}, "accepted"),
        ("Палыч", "citizen", {"necromancer_alive": True}, "vote", ["Рысь"], {}, "accepted"),
        ("Палыч", "citizen", {"necromancer_alive": False}, "vote", ["Рысь"], {}, "dead"),
        ("Палыч", "citizen", {}, "vote", ["Рысь"], {}, "accepted"),
        ("Палыч", "mafioso", {"necromancer_alive": True}, "vote", ["Рысь"], {}, "dead"),
        ("Палыч", "citizen", {"coins": 12}, "pool", [], {"item": "necro_shield", "coins": 5}, "dead"),
        ("Тень", "citizen", {"ghost": True}, "haunt", ["Лис"], {}, "accepted"),
        ("Тень", "citizen", {}, "haunt", ["Лис"], {}, "dead"),
        ("Громов", "citizen", {"coins": 52, "necromancer_alive": True}, "buy", ["Палыч"], {"item": "resurrect"}, "accepted"),
        (
            "Громов",
            "citizen",
            {"coins": 52, "necromancer_alive": False},
            "buy",
            ["Палыч"],
            {"item": "resurrect"},
            "no_necromancer",
        ),
        ("Громов", "citizen", {"coins": 52}, "buy", ["Лис"], {"item": "resurrect"}, "target_alive"),
        ("Громов", "citizen", {}, "buy", [], {"item": "extra_check"}, "accepted"),
        ("Громов", "citizen", {}, "pool", [], {"item": "extra_check", "coins": 5}, "accepted"),
        ("Громов", None, {}, "heal", ["Лис"], {}, "accepted"),
        ("Громов", None, {}, "buy", [], {"item": "armour_mafia"}, "accepted"),
        ("Громов", None, {}, "vote", ["Громов"], {}, "self_target"),
        ("Ветеран", None, {}, "vote", ["Рысь"], {}, "not_allowed"),
        ("Громов", "citizen", {}, "pool_agree", [], {"from": "necro_shield", "to": "extra_check"}, "accepted"),
        ("Громов", "citizen", {}, "expose", ["Лис"], {"role": "yakuza"}, "accepted"),
        ("Громов", "citizen", {}, "cancel", [], {}, "accepted"),
    ],
)
def test_the_engines_own_tests_judge_an_order(
    author: str, role: str | None, ctx: dict[str, Any], action: str, targets: list[str], args: dict[str, Any], reason: str
) -> None:
    assert answer(sketch(author, role, **ctx), action, *targets, **args) == reason


def test_purchases_of_one_letter_share_one_purse() -> None:
    game = sketch("Громов", "citizen", coins=16)
    game, events = send(game, Order("Громов", "buy", (), {"item": "armour_yakuza"}))
    assert verdict(events) == "accepted"
    assert answer(game, "extra_votes", count=1) == "not_enough_coins"


def test_a_sketch_tells_only_what_is_known() -> None:
    plain = RULESET.known(sketch("Громов", "citizen"), "Громов")
    assert plain.roles == ("citizen",)
    assert plain.dead == {"Палыч", "Тень"}
    assert not {"coins", "prior_vote", "necromancer_alive", "on_duty", "offers"} & set(plain.more)
    rich = RULESET.known(sketch("Рысь", "mafioso", coins=5, prior_vote="Лис", clan=["Рысь", "Оса"]), "Рысь")
    assert (rich.more["coins"], rich.more["prior_vote"], rich.clan) == (5, "Лис", ("Рысь", "Оса"))
    nobody = RULESET.known(sketch("Громов", None), "Громов")
    assert (nobody.roles, nobody.faction) == ((), None)


def test_an_outsider_is_known_as_nobody() -> None:
    known = RULESET.known(opened(start({"А": "mafioso", "В": "citizen"})), "Прохожий")
    assert (known.alive, known.roles, known.clan) == (False, (), ())


CAST: dict[str, Any] = {
    "А": "mafioso",
    "Ы": "mafioso",
    "Л": "lawyer",
    "Ё": {"role": "werewolf", "faction": "mafia"},
    "Б": "yakuza",
    "Я": "kamikaze",
    "К": {"role": "commissioner", "alive": False, "checked": ["В"]},
    "С": {"role": "sergeant", "checked": ["Г"]},
    "Н": "mercenary",
    "В": {"role": "citizen", "coins": 40},
    "Г": "citizen",
    "Х": {"role": "citizen", "alive": False, "ghost": True, "killer": "А", "cause": "mafia"},
}


def test_gang_members_know_each_other_and_the_lawyer_knows_nobody() -> None:
    game = opened(start(CAST))
    assert RULESET.known(game, "А").clan == ("А", "Ы", "Ё")
    assert RULESET.known(game, "Б").clan == ("Б", "Я")
    assert RULESET.known(game, "Л").clan == ()


def test_roles_a_player_acts_in() -> None:
    game = opened(start(CAST))
    assert RULESET.known(game, "С").roles == ("sergeant", "commissioner")
    assert RULESET.known(game, "Ё").roles == ("werewolf", "mafioso")
    assert RULESET.known(game, "С").more["checked"] == ["В", "Г"]
    assert RULESET.known(game, "Х").more["ghost"] is True
    assert RULESET.known(game, "Ы").more["on_duty"] is True


def test_the_reader_knows_stories_that_stand_and_work_on_offer() -> None:
    game = opened(start(CAST), "Ы kill В", Order("В", "contract_kill", ("А",), {"coins": 10}), "half", order("Н accept_work"))
    assert RULESET.known(game, "Ы").more["stories"] == (("kill", 1),)
    assert RULESET.known(game, "Н").more["offers"] == ("А",)
    assert RULESET.known(game, "Г").more["offers"] == ()


@pytest.mark.parametrize("policy", ["reject", "review", "accept"])
def test_the_reader_knows_what_becomes_of_edited_posts(policy: str) -> None:
    game = opened(start(CAST, voting={"edited_posts": policy}))
    assert RULESET.known(game, "В").more["edited_posts"] == policy
