"""Every entry of the tables: what it changes, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import EngineError, Order
from engine.rulesets.league import RULESET
from forumbot import resources
from tests.engine.league.board import play, start, tables

CAST = {"А": "mafioso", "Б": "yakuza", "В": "citizen", "Г": "citizen", "Д": "citizen", "Е": "citizen"}


def test_the_packaged_tables_are_those_of_the_rules() -> None:
    plain = tables()
    assert (plain.calendar.day_hours, plain.calendar.half_hours, plain.calendar.opening_hours) == (48, 24, 24)
    assert (plain.coins.shaman, plain.coins.vote_own, plain.coins.win_alive) == (10, -1, 4)
    assert sum(plain.prices[item] for item in plain.prices) == 15 * 3 + 40 + 20 + 60 + 20 + 15 + 150 + 50 + 2 + 5 + 10
    assert [len(row) for row in (plain.night.first, *plain.night.cycle)] == [7, 12, 12, 12]
    assert list(plain.setup.rows) == [8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28]


@pytest.mark.parametrize(
    ("section", "entry", "place"),
    [
        ("calendar", {"day_hours": 0}, "tables.calendar.day_hours"),
        ("calendar", {"half_hours": 60}, "tables.calendar.half_hours"),
        ("calendar", {"gap_hours": 48}, "tables.calendar.gap_hours"),
        ("calendar", {"utc_offset": "Москва"}, "tables.calendar.utc_offset"),
        ("calendar", {"skip_weekdays": ["sun", "сб"]}, "tables.calendar.skip_weekdays[1]"),
        ("calendar", {"skip_weekdays": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}, "tables.calendar.skip_weekdays"),
        ("calendar", {"start": "завтра"}, "tables.calendar.start"),
        ("voting", {"missed_limit": -1}, "tables.voting.missed_limit"),
        ("voting", {"dead_weight": "0.5"}, "tables.voting.dead_weight"),
        ("voting", {"edited_posts": "maybe"}, "tables.voting.edited_posts"),
        ("limits", {"pardons": 1.5}, "tables.limits.pardons"),
        ("limits", {"net_days": 0}, "tables.limits.net_days"),
        ("auction", {"late_orders": "никогда"}, "tables.auction.late_orders"),
        ("stories", {"kill_min": 6}, "tables.stories.kill_min"),
        ("stories", {"publish_blocked": 1}, "tables.stories.publish_blocked"),
        ("coins", {"vote_when": "never"}, "tables.coins.vote_when"),
        ("coins", {"girl": True}, "tables.coins.girl"),
        ("fines", {"after": 0}, "tables.fines.after"),
        ("fines", {"share": 1.2}, "tables.fines.share"),
        ("shop", {"loop_forbidden_roles": ["shamman"]}, "tables.shop.loop_forbidden_roles[0]"),
        ("win", {"max_turns": -3}, "tables.win.max_turns"),
        ("night", {"first": ["doctor", "doctor"]}, "tables.night.first[1]"),
        ("night", {"cycle": []}, "tables.night.cycle"),
        ("night", {"cycle": [["girl", "cook"]]}, "tables.night.cycle[0][1]"),
        ("prices", {"net": -1}, "tables.prices.net"),
        ("prices", {"nett": 3}, "tables.prices.nett"),
        ("coins", {"girls": 3}, "tables.coins.girls"),
        ("colours", {"red": 1}, "tables.colours"),
        ("signup", {"max_players": 4}, "tables.signup.max_players"),
        ("setup", {"roles": {"immortal": 1}}, "tables.setup.roles.immortal"),
        ("setup", {"roles": {"girl": 2}}, "tables.setup.roles.girl"),
        ("setup", {"roles": {"werewolf": 1, "yakuza": 1}}, "tables.setup.roles.werewolf"),
        ("setup", {"rows": {}}, "tables.setup.rows"),
        ("setup", {"rows": {"8": {"mafioso": 9}}}, "tables.setup.rows.8"),
        ("setup", {"rows": {"many": {"mafioso": 1}}}, "tables.setup.rows.many"),
    ],
)
def test_a_wrong_entry_is_named(section: str, entry: dict[str, Any], place: str) -> None:
    with pytest.raises(EngineError) as caught:
        tables({section: entry})
    assert caught.value.place == place
    assert caught.value.problem


def test_a_misspelt_entry_is_guessed() -> None:
    with pytest.raises(EngineError) as caught:
        tables({"coins": {"samurai": 1, "shamann": 3}})
    assert caught.value.place == "tables.coins.samurai"
    with pytest.raises(EngineError) as caught:
        tables({"limits": {"pardon": 2}})
    assert caught.value.meant == "pardons"


def test_a_missing_entry_is_named() -> None:
    defaults = {name: dict(section) for name, section in resources.tables("league").items()}
    del defaults["coins"]["girl"]
    with pytest.raises(EngineError) as caught:
        RULESET.tables(defaults, {})
    assert caught.value.place == "tables.coins.girl"


# what each entry changes; prices, weights and half the limits are in the agreed scenarios


def test_missed_limit() -> None:
    game = start(CAST, voting={"missed_limit": 1})
    turn = play(game, "А vote В", "Б vote В", "В vote А", "Г vote В", "Д vote В")
    assert turn.deaths == {"В": ("lynch", None), "Е": ("left_town", None)}


def test_dead_weight() -> None:
    cast = {**CAST, "Н": "necromancer", "М": {"role": "citizen", "alive": False}}
    assert play(start(cast, voting={"dead_weight": 3}), "М vote А", "Б vote В").votes == {"А": 3, "В": 1}
    assert play(start(cast, voting={"dead_weight": 0}), "М vote А").lynched == []


def test_defences_limit() -> None:
    cast = {"А": "mafioso", "Л": "lawyer", "В": "citizen", "Б": "yakuza"}
    game = start(cast, limits={"defences": 1})
    turn = play(game, "В vote А", Order("Л", "defend", (), {"number": 1}))
    assert turn.saved == {"А"}
    turn = play(turn.game, "В vote А", Order("Л", "defend", (), {"number": 1}))
    assert turn.rejected == ["Л:defend:limit_reached"]
    assert turn.dead == ["А"]


def test_pardons_limit() -> None:
    cast = {**CAST, "С": {"role": "judge", "pardons": 1}}
    assert play(start(cast, limits={"pardons": 1}), "С pardon А").rejected == ["С:pardon:limit_reached"]
    assert play(start(cast, limits={"pardons": 2}), "В vote А", "С pardon А").saved == {"А"}


def test_net_days() -> None:
    cast = {**CAST, "Н": {"role": "judge", "coins": 15}, "З": {"role": "citizen", "coins": 20}}
    game = start(cast, limits={"net_days": 1})
    turn = play(game, Order("Н", "buy", (), {"item": "net"}), "З true_sight Н")
    assert turn.notices("true_sight_result") == [{"target": "Н", "seen": "citizen"}]
    assert turn.of("Н")["net_until"] == 0
    turn = play(turn.game, "З true_sight Н")
    assert turn.notices("true_sight_result") == [{"target": "Н", "seen": "judge"}]


MERCENARY = {
    "А": "mafioso",
    "Б": "yakuza",
    "Н": "mercenary",
    "В": {"role": "citizen", "coins": 30},
    "Г": {"role": "citizen", "coins": 30},
    "Т": "bodyguard",
    "Д": "citizen",
}


def test_late_orders_rejected_by_default() -> None:
    turn = play(start(MERCENARY), Order("В", "contract_kill", ("А",), {"coins": 12, "late": True}))
    assert turn.rejected == ["В:contract_kill:late_order"]


def test_late_orders_accepted_join_the_auction_until_the_answer() -> None:
    game = start(MERCENARY, auction={"late_orders": "accept"})
    turn = play(
        game,
        Order("В", "contract_kill", ("А",), {"coins": 12, "late": True}),
        Order("Г", "contract_kill", ("Б",), {"coins": 13}),
        "Н accept_work",
        Order("В", "contract_kill", ("Г",), {"coins": 14}),
        "Н contract_hit",
    )
    assert turn.told("work_question") == ["Н"]
    assert turn.rejected == ["В:contract_kill:late_order"]
    assert turn.dead == ["Б"]
    assert turn.outcomes["В:contract_kill"] == "outbid"


def test_late_guard_bids_are_accepted_until_the_bodyguard_has_chosen() -> None:
    game = start(MERCENARY, auction={"late_orders": "accept"})
    bid = {"coins": 11}
    turn = play(
        game,
        Order("В", "contract_guard", (), bid),
        "half",
        Order("Г", "contract_guard", (), bid),
        "Т guard_choose Г",
        Order("В", "contract_guard", (), {"coins": 12}),
        "А kill Г",
    )
    assert [set(n["targets"]) for n in turn.notices("guard_targets")] == [{"В"}, {"В", "Г"}]
    assert turn.rejected == ["В:contract_guard:late_order"]
    assert set(turn.dead) == {"А", "Т"}
    assert turn.saved == {"Г"}


def test_min_price_is_what_the_bodyguard_does_not_get() -> None:
    game = start(MERCENARY, auction={"min_price": 3})
    turn = play(game, Order("В", "contract_guard", (), {"coins": 9}), Order("Г", "contract_guard", (), {"coins": 2}))
    assert turn.rejected == ["Г:contract_guard:price_too_low"]
    assert turn.bonus("Т") == 6


@pytest.mark.parametrize(("grade", "paid"), [(None, 4), (0, 1), (3, 3), (9, 6)])
def test_story_coins(grade: int | None, paid: int) -> None:
    game = start(CAST, stories={"kill_default": 4, "kill_min": 1, "kill_max": 6})
    args: dict[str, Any] = {"story": "Жил-был рояль."} | ({} if grade is None else {"grade": grade})
    assert play(game, Order("А", "kill", ("В",), args)).bonus("А") == paid


@pytest.mark.parametrize(("grade", "paid"), [(None, 7), (0, 6), (9, 8)])
def test_hanging_story_coins(grade: int | None, paid: int) -> None:
    game = start(CAST, stories={"hang_default": 7, "hang_min": 6, "hang_max": 8})
    args: dict[str, Any] = {"story": "Верёвка."} | ({} if grade is None else {"grade": grade})
    assert play(game, "В vote Б", Order("Г", "hang_story", ("Б",), args)).bonus("Г") == paid


@pytest.mark.parametrize("publish", [False, True])
def test_publish_blocked(publish: bool) -> None:
    cast = {**CAST, "Ж": "girl"}
    game = start(cast, stories={"publish_blocked": publish, "kill_default": 2})
    turn = play(game, "Ж visit А", Order("А", "kill", ("В",), {"story": "Вечером В исчез."}))
    assert ("Рассказ: Вечером *** исчез." in turn.report) is publish
    assert "Вечером В" not in turn.report
    assert turn.bonus("А") == (2 if publish else 0)


def test_publish_blocked_mercenary_is_paid_for_the_story_alone() -> None:
    game = start({**MERCENARY, "Ж": "girl"}, stories={"publish_blocked": True, "kill_default": 2})
    turn = play(game, Order("В", "contract_kill", ("А",), {"coins": 10}), "Н accept_work", "Н contract_hit", "Ж visit Н")
    assert turn.outcomes["Н:contract_hit"] == "blocked"
    assert turn.outcomes["В:contract_kill"] == "done"
    assert (turn.bonus("Н"), turn.bonus("В"), turn.bonus("Ж")) == (2, 3, 3)


COIN_CASES: list[tuple[str, int, dict[str, Any], list[Any], str, int]] = [
    ("vote_rival", 7, CAST, ["В vote А"], "В", 7),
    ("vote_own", -5, CAST, ["В vote Г"], "В", -5),
    ("attempt", 8, {**CAST, "Б": {"role": "yakuza", "items": ["armour_mafia"]}}, ["А kill Б"], "А", 8),
    ("kill", 9, CAST, ["А kill Б"], "А", 9),
    ("kill_own", -7, {**CAST, "К": "commissioner", "С": {"role": "sergeant", "checked": ["В"]}}, ["К kill_checked В"], "К", -7),
    ("girl", 6, {**CAST, "Ж": "girl"}, ["Ж visit А", "А kill В"], "Ж", 6),
    ("doctor", 6, {**CAST, "Ж": "doctor"}, ["Ж heal В", "А kill В"], "Ж", 6),
    ("witness", 6, {**CAST, "Ж": "witness"}, ["Ж watch В", "А kill В"], "Ж", 6),
    ("shaman", 6, {**CAST, "Ж": {"role": "shaman", "curse": "Б"}}, ["В vote Ж"], "Ж", 6),
    ("invisible_check", 6, {**CAST, "К": "commissioner", "Н": "ninja"}, ["К check Н"], "К", 6),
    ("true_sight", 6, {**CAST, "В": {"role": "citizen", "coins": 10}}, ["В true_sight А"], "В", 6),
    ("expose", 6, CAST, [Order("В", "expose", ("А",), {"role": "mafioso"})], "В", 6),
    ("order_rival", 6, MERCENARY, [Order("В", "contract_kill", ("А",), {"coins": 10}), "Н accept_work"], "В", 6),
    ("order_own_citizen", -6, MERCENARY, [Order("В", "contract_kill", ("Г",), {"coins": 10}), "Н accept_work"], "В", -6),
    (
        "order_own_role",
        -6,
        {**MERCENARY, "К": "commissioner"},
        [Order("В", "contract_kill", ("К",), {"coins": 10}), "Н accept_work"],
        "В",
        -6,
    ),
]


@pytest.mark.parametrize(("key", "value", "cast", "sent", "who", "paid"), COIN_CASES, ids=[case[0] for case in COIN_CASES])
def test_coins(key: str, value: int, cast: dict[str, Any], sent: list[Any], who: str, paid: int) -> None:
    assert play(start(cast, coins={key: value}), *sent).bonus(who) == paid


def test_coins_at_the_end() -> None:
    cast = {"А": "mafioso", "В": "citizen", "М": {"role": "citizen", "alive": False}, "Д": "doctor"}
    turn = play(start(cast, coins={"played": 20, "win_alive": 300, "win_dead": 4000, "vote_rival": 0}), "В vote А")
    assert turn.winner == "civilians"
    assert {seat: turn.bonus(seat) for seat in cast} == {"А": 20, "В": 320, "М": 4020, "Д": 20}


@pytest.mark.parametrize(("when", "paid"), [("hanged", 0), ("all", 1)])
def test_vote_when(when: str, paid: int) -> None:
    game = start(CAST, coins={"vote_when": when})
    turn = play(game, "А vote В", "Б vote В", "Г vote А")
    assert turn.lynched == ["В"]
    assert turn.bonus("Г") == paid


def test_vote_when_all_pays_for_a_saved_player_too() -> None:
    cast = {**CAST, "А": {"role": "mafioso", "items": ["loop_protection"]}}
    turn = play(start(cast, coins={"vote_when": "all"}), "В vote А", "Г vote А", "Д vote Б")
    assert turn.saved == {"А"}
    assert (turn.bonus("В"), turn.bonus("Д")) == (1, 1)


@pytest.mark.parametrize(("after", "share", "fine"), [(1, 1.0, 15), (1, 0.5, 7), (1, 0, 0), (2, 1.0, 0)])
def test_fines(after: int, share: float, fine: int) -> None:
    game = start(CAST, fines={"after": after, "share": share})
    turn = play(game, Order("В", "buy", (), {"item": "armour_mafia"}))
    assert turn.coins("В", "fine") == fine


@pytest.mark.parametrize(("may", "answer"), [(False, ["Н:buy:role_may_not_buy"]), (True, [])])
def test_necro_may_buy_shield(may: bool, answer: list[str]) -> None:
    cast = {**CAST, "Н": {"role": "necromancer", "coins": 50}}
    assert (
        play(start(cast, shop={"necro_may_buy_shield": may}), Order("Н", "buy", (), {"item": "necro_shield"})).rejected == answer
    )


def test_loop_forbidden_roles() -> None:
    cast = {**CAST, "С": {"role": "samurai", "coins": 20}}
    buy = Order("С", "buy", (), {"item": "loop_protection"})
    assert play(start(cast), buy).rejected == []
    assert play(start(cast, shop={"loop_forbidden_roles": ["samurai"]}), buy).rejected == ["С:buy:role_may_not_buy"]


@pytest.mark.parametrize(("enabled", "last", "ghost"), [(True, 1, True), (True, 2, False), (False, 1, False)])
def test_ghost(enabled: bool, last: int, ghost: bool) -> None:
    turn = play(start(CAST, ghost={"enabled": enabled, "last_turn": last}), "А kill В")
    assert turn.of("В")["ghost"] is ghost


def test_ghost_of_a_later_turn() -> None:
    turn = play(start(CAST, ghost={"enabled": True, "last_turn": 2}), "А kill В")
    turn = play(turn.game)
    assert turn.told("ghost_assigned") == ["В"]


def test_after_lynch_ends_the_game_before_the_night() -> None:
    cast = {
        "А": "mafioso",
        "В": {"role": "citizen", "coins": 10},
        "Н": "mercenary",
        "М": "maniac",
        "Ш": {"role": "shaman", "curse": "В"},
    }
    game = start(cast, win={"after_lynch": True})
    turn = play(game, "В vote А", Order("В", "contract_kill", ("М",), {"coins": 10}), "Н accept_work", "М kill В", "Ш curse М")
    assert turn.winner == "civilians"
    assert turn.dead == ["А"]
    assert turn.outcomes["М:kill"] == turn.outcomes["В:contract_kill"] == turn.outcomes["Ш:curse"] == "not_executed"
    assert turn.coins("В") == 10
    assert turn.of("Ш")["curse"] == "В"


def test_max_turns_ends_in_a_draw() -> None:
    game = start(CAST, win={"max_turns": 2})
    turn = play(game)
    assert turn.winner is None
    turn = play(turn.game)
    assert turn.winner == "draw"
    assert "Ничья." in turn.report


def test_the_order_of_the_opening_night_is_a_table() -> None:
    cast = {**CAST, "Д": "doctor"}
    first = ["doctor", "mafia"]
    turn = play(start(cast, first_turn=None, night={"first": first}), "А kill В", "Д heal В")
    assert turn.dead == ["В"]
    assert turn.outcomes["Д:heal"] == "not_needed"


def test_a_step_that_is_in_no_row_is_not_played() -> None:
    turn = play(start(CAST, night={"cycle": [["yakuza"]]}), "А kill В", "Б kill Г")
    assert turn.dead == ["Г"]
    assert turn.outcomes["А:kill"] == "not_executed"


def test_prices_of_extra_shots() -> None:
    cast = {**CAST, "А": {"role": "mafioso", "coins": 7}, "Б": {"role": "yakuza", "coins": 6}}
    game = start(cast, prices={"extra_shot": 7, "extra_shot_pool": 6})
    turn = play(
        game,
        Order("А", "buy", (), {"item": "extra_shot"}),
        Order("Б", "pool", (), {"item": "extra_shot", "coins": 6}),
    )
    assert turn.rejected == []
    assert turn.notices("extra_shot_ready", "Б") == [{"shots": 1}]


def test_min_players_and_the_rows() -> None:
    seats = [f"И{i}" for i in range(9)]
    with pytest.raises(EngineError):
        RULESET.deal(seats, tables({"signup": {"min_players": 10}}), Chance(0))
    with pytest.raises(EngineError):
        RULESET.deal(seats, tables({"signup": {"max_players": 8}}), Chance(0))
    with pytest.raises(EngineError):
        RULESET.deal(seats[:7], tables({"signup": {"min_players": 3}}), Chance(0))
    game, _ = RULESET.deal(seats, tables({"setup": {"rows": {"3": {"mafioso": 1}, "9": {"yakuza": 4}}}}), Chance(0))
    assert sorted(p.role for p in game.players.values()) == ["citizen"] * 5 + ["yakuza"] * 4
    game, _ = RULESET.deal(seats, tables({"setup": {"roles": {"mafioso": 2, "lawyer": 1}}}), Chance(0))
    assert sorted(p.role for p in game.players.values()) == ["citizen"] * 6 + ["lawyer", "mafioso", "mafioso"]


def test_close_at_is_a_moment() -> None:
    moment = datetime.fromisoformat("2026-12-01T20:00:00+03:00")
    assert tables({"signup": {"close_at": moment}}).signup.close_at == moment
    assert tables({"signup": {"close_at": moment.isoformat()}}).signup.close_at == moment
    assert tables().signup.close_at is None


def test_utc_offset_places_a_start_without_one() -> None:
    game = start(CAST, calendar={"start": datetime(2026, 12, 1, 21), "utc_offset": "+05:00"})
    late = datetime.fromisoformat("2026-12-03T21:00:00+05:00")
    turn = play(game, Order("В", "vote", ("А",), at=late - timedelta(minutes=1)), Order("Г", "vote", ("А",), at=late))
    assert turn.rejected == ["Г:vote:late"]
