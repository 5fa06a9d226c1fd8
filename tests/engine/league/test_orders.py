"""What is refused on arrival and why, what replaces what, and the marks of a day."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import Accepted, EngineError, Order
from engine.rulesets.league import RULESET
from tests.engine.league.board import opened, order, play, send, start, verdict

RICH = {"role": "citizen", "coins": 200}
CAST: dict[str, Any] = {
    "А": "mafioso",
    "Ы": "mafioso",
    "Л": "lawyer",
    "Б": "yakuza",
    "Я": "kamikaze",
    "К": {"role": "commissioner", "checked": ["В"]},
    "С": "sergeant",
    "Щ": {"role": "necromancer", "coins": 60},
    "Н": {"role": "mercenary", "coins": 60},
    "Т": {"role": "bodyguard", "coins": 60},
    "М": "maniac",
    "Ж": {"role": "girl", "last_visit": "Б"},
    "Д": "doctor",
    "У": {"role": "samurai", "coins": 60},
    "Х": "witness",
    "П": {"role": "judge", "pardons": 3},
    "Ш": "shaman",
    "В": RICH,
    "Г": "citizen",
    "1": {"role": "citizen", "alive": False},
    "2": {"role": "citizen", "alive": False, "left": True, "cause": "left_town"},
    "3": {"role": "doctor", "alive": False},
    "4": {"role": "mafioso", "alive": False, "ghost": True, "killer": "Б", "cause": "yakuza"},
    "Ё": "werewolf",
}


def told(text: str, **args: Any) -> Order:
    return Order(text.split()[0], text.split()[1], tuple(text.split()[2:]), args)


REFUSED = [
    (told("В unvote"), "not_allowed"),
    (told("1 unvote"), "not_allowed"),
    (told("1 true_sight А"), "dead"),
    (told("1 kill А"), "dead"),
    (told("1 haunt А"), "dead"),
    (told("1 extra_votes"), "dead"),
    (told("2 vote А"), "dead"),
    (told("2 hang_story А", story="х"), "dead"),
    (told("2 expose А", role="mafioso"), "dead"),
    (told("3 vote А"), "dead"),
    (told("4 vote Б"), "dead"),
    (told("В kill А", story="х"), "not_your_role"),
    (told("В haunt А"), "not_your_role"),
    (told("Ё kill А", story="х"), "not_your_role"),
    (told("С check А", story="х"), "not_your_role"),
    (told("Г heal А"), "not_your_role"),
    (told("А guard_choose В"), "not_your_role"),
    (told("Ы kill В", story="х"), "accepted"),
    (told("А kill В", story="х"), "not_on_duty"),
    (told("Ы kill"), "bad_target"),
    (told("Ы kill В Г", story="х"), "bad_target"),
    (told("Ы kill 1", story="х"), "dead_target"),
    (told("Ы kill Ы", story="х"), "self_target"),
    (told("Ы kill В", story="х", shot=2), "no_extra_shot"),
    (told("Ы kill В", story="х", shot=0), "no_extra_shot"),
    (told("Ы kill В"), "no_story"),
    (told("Ы kill В", story="  "), "no_story"),
    (told("М kill В", story="х", shot=2), "no_extra_shot"),
    (told("К check 1", story="х"), "dead_target"),
    (told("К check А", story="х", shot=2), "no_extra_move"),
    (told("К check А"), "no_story"),
    (told("К kill_checked А", story="х", shot=2), "not_checked"),
    (told("К kill_checked В", story="х", shot=2), "no_extra_move"),
    (told("К kill_checked В"), "no_story"),
    (told("Л defend", number=9), "no_such_number"),
    (told("Л defend А"), "no_such_number"),
    (told("П pardon П"), "self_target"),
    (told("П pardon В"), "limit_reached"),
    (told("Ж visit Б"), "same_target_twice"),
    (told("Ж visit Ж"), "self_target"),
    (told("У cover У"), "self_target"),
    (told("Ш curse Ш"), "self_target"),
    (told("4 haunt 4"), "dead_target"),
    (told("Д heal Д"), "accepted"),
    (told("Х watch Х"), "accepted"),
    (told("Х watch 1"), "dead_target"),
    (told("В vote В"), "self_target"),
    (told("В vote"), "bad_target"),
    (told("1 vote 1"), "dead_target"),
    (told("В change_vote А"), "no_vote"),
    (told("В extra_votes", count=0), "bad_value"),
    (told("В extra_votes", count="много"), "bad_value"),
    (told("Г extra_votes"), "not_enough_coins"),
    (told("Н contract_kill Н", coins=10), "role_may_not_order"),
    (told("В contract_kill В", coins=10), "self_target"),
    (told("В contract_kill А", coins=9), "price_too_low"),
    (told("В contract_kill А"), "price_too_low"),
    (told("В contract_kill А", coins=10, late=True), "late_order"),
    (told("Г contract_kill А", coins=10), "not_enough_coins"),
    (told("Т contract_guard", coins=10), "role_may_not_order"),
    (told("Т contract_kill А", coins=10), "accepted"),
    (told("В contract_guard А", coins=10), "not_for_others"),
    (told("В contract_guard В", coins=10), "accepted"),
    (told("Н accept_work"), "no_contracts"),
    (told("Н contract_hit А", story="х"), "not_accepted"),
    (told("Т guard_choose В"), "no_contracts"),
    (told("В hang_story"), "bad_target"),
    (told("В hang_story 1", story="х"), "dead_target"),
    (told("В hang_story А"), "no_story"),
    (told("В hang_story В", story="х"), "accepted"),
    (told("У buy", item="armour_mafia"), "role_may_not_buy"),
    (told("Я buy", item="armour_mafia"), "role_may_not_buy"),
    (told("В buy А", item="armour_mafia"), "not_for_others"),
    (told("В buy В", item="armour_mafia"), "accepted"),
    (told("Г buy", item="armour_mafia"), "not_enough_coins"),
    (told("В buy А", item="loop_protection"), "not_for_others"),
    (told("В buy А", item="net"), "not_for_others"),
    (told("В buy", item="extra_shot"), "role_may_not_buy"),
    (told("Л buy", item="extra_shot"), "role_may_not_buy"),
    (told("А buy", item="extra_shot"), "not_on_duty"),
    (told("Ы buy", item="extra_shot"), "not_enough_coins"),
    (told("Щ buy", item="necro_shield"), "role_may_not_buy"),
    (told("Щ pool", item="necro_shield", coins=5), "role_may_not_buy"),
    (told("В buy", item="resurrect"), "bad_target"),
    (told("В buy А", item="resurrect"), "target_alive"),
    (told("В buy 2", item="resurrect"), "left_target"),
    (told("В buy 3", item="resurrect"), "neutral_target"),
    (told("В buy 4", item="resurrect"), "accepted"),
    (told("В pool", item="net", coins=0), "not_poolable"),
    (told("В pool", item="extra_shot", coins=5), "role_may_not_buy"),
    (told("В pool", item="extra_check", coins=0), "bad_value"),
    (told("В pool", item="extra_check"), "bad_value"),
    (told("Г pool", item="extra_check", coins=5), "not_enough_coins"),
    (told("В pool 3", item="resurrect", coins=5), "neutral_target"),
    (told("В buy", item="ключ"), "bad_value"),
    (told("В buy"), "bad_value"),
    (told("В pool_agree", **{"from": "necro_shield", "to": "extra_check"}), "no_pool"),
    (told("В true_sight В"), "self_target"),
    (told("Г true_sight А"), "not_enough_coins"),
    (told("В expose А", role="шпион"), "bad_value"),
    (told("В expose А", role="citizen"), "bad_value"),
    (told("1 expose А", role="mafioso"), "accepted"),
    (told("1 vote А"), "accepted"),
    (told("4 haunt А"), "accepted"),
    (told("Гость vote А"), "not_allowed"),
]


@pytest.mark.parametrize(
    ("sent", "answer"), REFUSED, ids=[f"{o.player}-{o.action}-{'-'.join(o.targets)}-{r}" for o, r in REFUSED]
)
def test_the_first_failing_test_gives_the_reason(sent: Order, answer: str) -> None:
    _, events = send(opened(start(CAST)), sent)
    assert verdict(events) == answer


OPENING = [
    (told("В vote А"), "no_voting"),
    (told("В change_vote А"), "no_voting"),
    (told("В extra_votes"), "no_voting"),
    (told("К check А", story="х"), "first_night"),
    (told("М kill А", story="х"), "first_night"),
    (told("Я kill К", story="х"), "first_night"),
    (told("Ж visit А"), "first_night"),
    (told("Л defend", number=1), "first_night"),
    (told("П pardon А"), "first_night"),
    (told("Н accept_work"), "first_night"),
    (told("Т guard_choose А"), "first_night"),
    (told("4 haunt Б"), "first_night"),
    (told("В contract_kill А", coins=10), "first_night"),
    (told("В true_sight А"), "first_night"),
    (told("В expose А", role="mafioso"), "first_night"),
    (told("В hang_story А", story="х"), "first_night"),
    (told("В buy", item="net"), "first_night"),
    (told("В pool", item="extra_shot", coins=1), "first_night"),
    (told("В buy 1", item="resurrect"), "first_night"),
    (told("В heal А"), "not_your_role"),
    (told("А kill В", story="х"), "accepted"),
    (told("Ы kill В", story="х"), "not_on_duty"),
    (told("Б kill В", story="х"), "accepted"),
    (told("Д heal В"), "accepted"),
    (told("У cover В"), "accepted"),
    (told("Х watch В"), "accepted"),
    (told("Ш curse В"), "accepted"),
    (told("В contract_guard", coins=10, late=True), "accepted"),
    (told("В buy", item="armour_mafia"), "accepted"),
    (told("В buy", item="loop_protection"), "accepted"),
    (told("В buy", item="necro_shield"), "accepted"),
    (told("В buy", item="extra_check"), "accepted"),
]


@pytest.mark.parametrize(("sent", "answer"), OPENING, ids=[f"{o.player}-{o.action}-{r}" for o, r in OPENING])
def test_the_opening_night(sent: Order, answer: str) -> None:
    _, events = send(opened(start(CAST, first_turn=None)), sent)
    assert verdict(events) == answer


@pytest.mark.parametrize(
    ("before", "sent", "answer"),
    [
        (["В vote А"], told("В vote Б"), "already_voted"),
        (["В vote А"], told("В change_vote А"), "same_target"),
        (["В vote А"], told("В change_vote Б"), "accepted"),
        ([told("В expose А", role="lawyer")], told("В expose Б", role="yakuza"), "already_exposed"),
        ([told("В buy", item="loop_protection")], told("В buy", item="loop_protection"), "already_have"),
        ([told("В buy", item="necro_shield")], told("В pool", item="necro_shield", coins=1), "already_have"),
        ([told("В buy 1", item="resurrect")], told("В pool 1", item="resurrect", coins=1), "already_have"),
        ([told("В contract_kill Н", coins=10), "half"], told("Н accept_work"), "no_contracts"),
        ([told("В contract_kill А", coins=10)], told("Н accept_work"), "no_contracts"),
        ([told("В contract_guard", coins=10)], told("Т guard_choose В"), "no_contracts"),
        ([told("В contract_guard", coins=10), "half"], told("Т guard_choose В"), "accepted"),
        ([told("В contract_kill А", coins=10), "half", "Н refuse_work"], told("Н accept_work"), "already_answered"),
        ([told("В contract_kill А", coins=10), "half", "Н accept_work"], told("Н contract_hit Г", story="х"), "not_offered"),
        ([told("В contract_kill А", coins=10), "half", "Н accept_work"], told("Н contract_hit"), "accepted"),
        (
            [told("В contract_kill А", coins=10), told("Щ contract_kill Б", coins=10), "half", "Н accept_work"],
            told("Н contract_hit", story="х"),
            "choose_target",
        ),
        (
            [
                told("В contract_kill А", coins=10),
                told("Щ contract_kill Б", coins=10),
                "half",
                "Н accept_work",
                "Н contract_hit Б",
            ],
            told("Н contract_hit", story="х"),
            "accepted",
        ),
        ([told("В contract_guard", coins=10), "half"], told("Т guard_choose"), "not_offered"),
        ([told("В contract_guard", coins=10), "half"], told("Т guard_choose А"), "not_offered"),
        (
            [told("В pool", item="extra_check", coins=5)],
            told("В pool_agree", **{"from": "extra_check", "to": "net"}),
            "not_poolable",
        ),
        (
            [told("В pool", item="extra_check", coins=5)],
            told("В pool_agree", **{"from": "extra_check", "to": "necro_shield"}),
            "pool_open",
        ),
        (["half"], told("В contract_guard", coins=10), "late_order"),
        (["deadline"], told("В vote А"), "late"),
        (["deadline"], told("Д heal А"), "late"),
        (["deadline"], told("В buy", item="armour_mafia"), "late"),
        (["deadline"], told("Д cancel"), "late"),
        (["deadline"], told("В buy", item="loop_protection"), "accepted"),
        (["deadline"], told("1 hang_story А", story="х"), "accepted"),
    ],
)
def test_refusals_that_depend_on_what_came_before(before: list[Any], sent: Order, answer: str) -> None:
    _, events = send(opened(start(CAST), *before), sent)
    assert verdict(events) == answer


def test_who_cannot_pay_is_warned_of_what_it_would_have_cost() -> None:
    game = opened(start(CAST))
    for sent, cost in [
        (told("Г buy", item="necro_shield"), 50),
        (told("Г true_sight А"), 10),
        (told("Г extra_votes", count=3), 15),
        (told("Г contract_kill А", coins=12), 12),
        (told("Г pool", item="extra_check", coins=70), 50),
    ]:
        game, events = send(game, sent)
        warning = next(e for e in events if getattr(e, "kind", "") == "warning")
        assert warning.data["cost"] == cost  # type: ignore[attr-defined]
    assert RULESET.balances(game)["fine"]["Г"] == 137


# what stands


def test_a_later_move_replaces_the_earlier_one_and_keeps_its_story() -> None:
    game = opened(start(CAST), order("Ы kill В", story="Первый."), told("Ы kill Г"))
    (standing,) = RULESET.standing(game, "Ы")
    assert standing.targets == ("Г",)
    assert standing.args["story"] == "Первый."


def test_shots_stand_apart() -> None:
    game = opened(
        start({**CAST, "Ы": {"role": "mafioso", "coins": 20}}),
        told("Ы buy", item="extra_shot"),
        "Ы kill В",
        order("Ы kill Г", shot=2),
    )
    assert [o.targets for o in RULESET.standing(game, "Ы")] == [(), ("В",), ("Г",)]


def test_hanging_stories_stand_by_their_target() -> None:
    game = opened(start(CAST), "В hang_story А", "В hang_story Б", order("В hang_story А", story="Иначе."))
    assert sorted((o.targets[0], o.args["story"]) for o in RULESET.standing(game, "В"))[0] == ("А", "Иначе.")
    assert len(RULESET.standing(game, "В")) == 2


def test_cancel_takes_back_moves_but_nothing_final_and_no_hanging_story() -> None:
    game = opened(start(CAST), "Ы kill В", "Ы vote Б", "Ы hang_story Б")
    game, events = send(game, told("Ы cancel"))
    assert isinstance(events[0], Accepted)
    assert [o.action for o in RULESET.standing(game, "Ы")] == ["vote", "hang_story"]


def test_cancel_is_accepted_when_nothing_stands() -> None:
    assert verdict(send(opened(start(CAST)), told("В cancel"))[1]) == "accepted"
    assert verdict(send(opened(start(CAST)), told("4 pass"))[1]) == "accepted"
    assert verdict(send(opened(start(CAST)), told("1 pass"))[1]) == "dead"


def test_whoever_passes_is_not_reminded_until_he_moves_again() -> None:
    game = opened(start(CAST), told("Д pass"))
    assert "Д" not in RULESET.owing(game)
    game, _ = send(game, "Д heal В")
    assert RULESET.owing(game)["Д"] == ("vote",)


def test_who_still_has_to_move() -> None:
    game = opened(start(CAST), "Ы kill В", "Ы vote А", "Д vote А")
    owing = RULESET.owing(game)
    assert "Ы" not in owing
    assert owing["Д"] == ("heal",)
    assert owing["К"] == ("vote", "check")
    assert owing["А"] == ("vote",)
    assert owing["П"] == ("vote",)
    assert owing["Л"] == ("vote", "defend")
    assert owing["4"] == ("haunt",)
    assert owing["1"] == ("vote",)
    assert "2" not in owing
    assert "3" not in owing


def test_the_mercenary_and_the_bodyguard_are_reminded_of_their_answers() -> None:
    game = opened(
        start(CAST),
        told("В contract_kill А", coins=10),
        told("В contract_guard", coins=10),
        told("Щ contract_guard", coins=10),
        "half",
    )
    assert "accept_work" in RULESET.owing(game)["Н"]
    assert "guard_choose" in RULESET.owing(game)["Т"]
    game, _ = send(game, told("Н accept_work"))
    assert "contract_hit" in RULESET.owing(game)["Н"]
    game, _ = send(game, told("Т guard_choose В"))
    assert "guard_choose" not in RULESET.owing(game)["Т"]


def test_nobody_is_reminded_in_the_opening_night_of_what_he_may_not_do() -> None:
    owing = RULESET.owing(opened(start(CAST, first_turn=None)))
    assert owing == {"А": ("kill",), "Б": ("kill",), "Д": ("heal",), "У": ("cover",), "Х": ("watch",), "Ш": ("curse",)}


# marks


def test_a_refused_first_word_closes_no_half_day() -> None:
    game = opened(start(CAST), told("В contract_kill А", coins=10))
    assert RULESET.marks_before(game, told("Г accept_work")) == ()
    assert RULESET.marks_before(game, told("3 contract_guard", late=True)) == ()
    assert RULESET.marks_before(game, told("Н contract_hit")) == ("half",)
    assert RULESET.marks_before(game, told("Н contract_kill А", late=True)) == ("half",)


def test_the_half_day_comes_with_the_deadline_at_the_latest() -> None:
    turn = play(start(CAST), told("В contract_kill А", coins=10), "deadline")
    assert turn.told("work_question") == ["Н"]
    assert turn.outcomes["В:contract_kill"] == "refused"


def test_marks_are_made_once() -> None:
    turn = play(start(CAST), told("В contract_kill А", coins=10), "half", "half", "deadline", "deadline")
    assert turn.told("work_question") == ["Н"]


def test_an_unknown_mark_and_a_wrong_stage_are_errors() -> None:
    game = start(CAST)
    with pytest.raises(EngineError):
        RULESET.close(game, Chance(0))
    with pytest.raises(EngineError):
        RULESET.mark(opened(game), "noon", Chance(0))
    with pytest.raises(EngineError):
        RULESET.open(opened(game), Chance(0))


START = datetime.fromisoformat("2026-12-01T21:00:00+03:00")


def at(hours: float, text: str, **args: Any) -> Order:
    return Order(text.split()[0], text.split()[1], tuple(text.split()[2:]), args, at=START + timedelta(hours=hours))


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (at(47.9, "В vote А"), "accepted"),
        (at(48, "В vote А"), "late"),
        (at(48.5, "В buy", item="loop_protection"), "accepted"),
        (at(48.5, "В buy", item="net"), "late"),
        (at(49, "В buy", item="loop_protection"), "late"),
        (at(48.5, "1 hang_story А", story="х"), "accepted"),
        (at(23.9, "В contract_guard", coins=10), "accepted"),
        (at(24, "В contract_guard", coins=10), "late_order"),
        (told("В contract_guard", coins=10), "accepted"),
    ],
)
def test_stamps_are_judged_by_the_calendar(sent: Order, answer: str) -> None:
    game = opened(start(CAST, calendar={"start": START}))
    assert verdict(send(game, sent)[1]) == answer
    wanted = "late" if answer == "late" else None
    calendar = RULESET.calendar(game.tables)
    if sent.at is not None and sent.action != "buy":
        assert calendar.refuse(game, sent.action, sent.at, public=True) == wanted


def test_the_second_turn_ends_a_game_day_later() -> None:
    turn = play(start(CAST, calendar={"start": START}))
    game = opened(turn.game)
    assert verdict(send(game, at(95.9, "В vote А"))[1]) == "accepted"
    assert verdict(send(game, at(96, "В vote А"))[1]) == "late"


def test_the_opening_night_has_its_own_length() -> None:
    game = opened(start(CAST, first_turn=None, calendar={"start": START, "opening_hours": 10}))
    assert verdict(send(game, at(9.9, "Д heal В"))[1]) == "accepted"
    assert verdict(send(game, at(10, "Д heal В"))[1]) == "late"
    assert RULESET.marks_before(game, at(9.9, "В contract_guard", coins=10)) == ()


def test_hours_of_skipped_weekdays_do_not_make_an_order_late() -> None:
    # the day begins on Thursday, 3 December 2026; without the weekend it ends on Monday
    thursday = datetime.fromisoformat("2026-12-03T21:00:00+03:00")
    game = opened(start(CAST, calendar={"start": thursday, "skip_weekdays": ["sat", "sun"]}))
    vote, bid = Order("В", "vote", ("А",)), Order("Г", "contract_guard", (), {"coins": 5})
    monday = datetime.fromisoformat("2026-12-07T20:59:00+03:00")
    assert verdict(send(game, replace(vote, at=monday))[1]) == "accepted"
    assert verdict(send(game, replace(vote, at=monday + timedelta(minutes=1)))[1]) == "late"
    assert RULESET.marks_before(game, replace(bid, at=datetime.fromisoformat("2026-12-04T20:59:00+03:00"))) == ()
    assert RULESET.marks_before(game, replace(bid, at=datetime.fromisoformat("2026-12-05T12:00:00+03:00"))) == ("half",)
