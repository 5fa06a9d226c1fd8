"""The matrices of chapter 5 and the points that are easily missed, cell by cell."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Order, Outcome
from tests.engine.league.board import Turn, order, play, start

WALL: dict[str, Any] = {
    "А": "mafioso",
    "Б": "yakuza",
    "М": "maniac",
    "Н": "mercenary",
    "К": {"role": "commissioner", "checked": ["В", "Ж", "Т", "Щ", "О", "Н"]},
    "З": {"role": "citizen", "coins": 40},
    "В": "citizen",
    "Щ": "necromancer",
    "О": "immortal",
    "Т": "bodyguard",
    "С": "samurai",
    "Ж": "girl",
    "Д": "doctor",
    "Э": "citizen",
}


def strike(side: str, victim: str) -> list[Any]:
    """The orders that make one attack of this side on this victim."""
    if side == "mercenary":
        return [Order("З", "contract_kill", (victim,), {"coins": 10}), "Н accept_work", f"Н contract_hit {victim}"]
    actor, action = {
        "mafia": ("А", "kill"),
        "yakuza": ("Б", "kill"),
        "maniac": ("М", "kill"),
        "commissioner": ("К", "kill_checked"),
    }[side]
    return [order(f"{actor} {action} {victim}")]


ACTOR = {"mafia": "А", "yakuza": "Б", "maniac": "М", "commissioner": "К", "mercenary": "Н"}
SHOT = {"mafia": "kill", "yakuza": "kill", "maniac": "kill", "commissioner": "kill_checked", "mercenary": "contract_hit"}
SIDES = tuple(ACTOR)


def cast(**changes: Any) -> dict[str, Any]:
    return {**WALL, **changes}


def outcome(turn: Turn, side: str) -> str:
    return turn.outcomes[f"{ACTOR[side]}:{SHOT[side]}"]


@pytest.mark.parametrize("side", SIDES)
def test_a_plain_victim_dies(side: str) -> None:
    turn = play(start(cast()), *strike(side, "В"))
    assert turn.deaths == {"В": (side, ACTOR[side])}
    assert outcome(turn, side) == "done"


@pytest.mark.parametrize("side", SIDES)
def test_the_girl_with_the_attacker_foils_him(side: str) -> None:
    turn = play(start(cast()), *strike(side, "В"), f"Ж visit {ACTOR[side]}")
    assert turn.dead == []
    assert outcome(turn, side) == "blocked"
    assert turn.bonus("Ж") == 3


@pytest.mark.parametrize("side", SIDES)
def test_an_attack_on_the_girl_herself_goes_through(side: str) -> None:
    turn = play(start(cast()), *strike(side, "Ж"), f"Ж visit {ACTOR[side]}")
    assert turn.dead == ["Ж"]
    assert turn.bonus("Ж") == 0


@pytest.mark.parametrize("side", SIDES)
def test_the_samurai_takes_the_blow(side: str) -> None:
    turn = play(start(cast()), *strike(side, "В"), "С cover В")
    assert turn.deaths == {"С": (side, ACTOR[side])}
    assert turn.saved == {"В"}
    assert (outcome(turn, side), turn.outcomes["С:cover"]) == ("guarded", "done")
    assert "Покушение на В (" in turn.report


@pytest.mark.parametrize("side", [s for s in SIDES if s != "mercenary"])
def test_the_bodyguard_and_the_attacker_die(side: str) -> None:
    turn = play(
        start(cast(В={"role": "citizen", "coins": 12})), Order("В", "contract_guard", (), {"coins": 12}), *strike(side, "В")
    )
    assert turn.deaths == {ACTOR[side]: ("bodyguard_revenge", "Т"), "Т": (side, ACTOR[side])}
    assert outcome(turn, side) == "guarded"
    assert turn.bonus("Т") == 2


@pytest.mark.parametrize("side", SIDES)
def test_only_the_maniac_kills_the_immortal(side: str) -> None:
    turn = play(start(cast()), *strike(side, "О"))
    if side == "maniac":
        assert turn.dead == ["О"]
    else:
        assert (turn.dead, turn.saved, outcome(turn, side)) == ([], {"О"}, "immortal")
        assert "Покушение не удалось" in turn.report


@pytest.mark.parametrize("side", ["mafia", "yakuza", "maniac", "commissioner"])
def test_the_mercenary_takes_an_attacker_along(side: str) -> None:
    turn = play(start(cast()), *strike(side, "Н"))
    assert turn.deaths == {"Н": (side, ACTOR[side]), ACTOR[side]: ("mercenary_revenge", "Н")}


@pytest.mark.parametrize("side", SIDES)
def test_the_bodyguard_as_victim_takes_the_attacker_along(side: str) -> None:
    turn = play(start(cast()), *strike(side, "Т"))
    assert turn.deaths == {"Т": (side, ACTOR[side]), ACTOR[side]: ("bodyguard_revenge", "Т")}


@pytest.mark.parametrize("side", SIDES)
def test_the_shield_kills_the_attacker(side: str) -> None:
    turn = play(start(cast(Щ={"role": "necromancer", "items": ["necro_shield", "armour_mafia"]})), *strike(side, "Щ"))
    assert turn.deaths == {ACTOR[side]: ("necro_shield", "Щ")}
    assert outcome(turn, side) == "shield"
    assert turn.of("Щ")["items"] == ["armour_mafia"]
    assert turn.notices("attempt_survived") == [{"item": "necro_shield"}]


ARMOUR = {
    "armour_mafia": {"mafia": ""},
    "armour_yakuza": {"yakuza": ""},
    "armour_maniac": {"maniac": ""},
    "armour_commissioner": {"commissioner": ""},
    "armour_both": {"mafia": "armour_yakuza", "yakuza": "armour_mafia"},
    "armour_mafia_strong": {"mafia": "strong"},
    "armour_yakuza_strong": {"yakuza": "strong"},
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("item", ARMOUR)
def test_armour(side: str, item: str) -> None:
    turn = play(start(cast(В={"role": "citizen", "items": [item]})), *strike(side, "В"))
    left = ARMOUR[item].get(side)
    if left is None:
        assert turn.dead == ["В"]
        assert turn.of("В")["items"] == [item]
        return
    assert outcome(turn, side) == "armour"
    assert turn.deaths == ({ACTOR[side]: ("strong_armour", "В")} if left == "strong" else {})
    assert turn.of("В")["items"] == ([left] if left not in ("", "strong") else [])
    assert turn.notices("attempt_survived", "В") == [{"item": item}]
    assert "В" not in turn.report.split("Живые")[0]


@pytest.mark.parametrize("side", SIDES)
def test_the_doctor_undoes_the_hit(side: str) -> None:
    turn = play(start(cast()), *strike(side, "В"), "Д heal В")
    assert (turn.dead, turn.saved, outcome(turn, side)) == ([], {"В"}, "healed")
    assert "Доктор спас от смерти: В." in turn.report
    assert turn.bonus("Д") == 3


@pytest.mark.parametrize("side", ["mafia", "maniac"])
def test_the_doctor_saves_an_attacker_from_a_strike_back(side: str) -> None:
    turn = play(start(cast()), *strike(side, "Т"), f"Д heal {ACTOR[side]}")
    assert turn.dead == ["Т"]
    assert "Нападавший избежал смерти." in turn.report
    assert f"спас от смерти: {ACTOR[side]}" not in turn.report


def test_a_healed_victim_does_not_save_his_attacker() -> None:
    turn = play(start(cast()), *strike("maniac", "Т"), "Д heal Т")
    assert turn.deaths == {"М": ("bodyguard_revenge", "Т")}
    assert "Доктор спас от смерти: Т." in turn.report


# checks

GANG = {"Л": "lawyer", "Я": "kamikaze", "Ф": {"role": "werewolf", "faction": "mafia"}, "У": "ninja", "Ё": "werewolf"}


@pytest.mark.parametrize(
    ("target", "seen", "shot"),
    [
        ("А", "mafioso", True),
        ("Б", "yakuza", True),
        ("Л", "lawyer", True),
        ("Я", "kamikaze", True),
        ("Ф", "mafioso", True),
        ("У", "citizen", False),
        ("Ё", "citizen", False),
        ("М", "maniac", False),
        ("Т", "bodyguard", False),
        ("О", "immortal", False),
    ],
)
def test_a_check_is_a_shot_at_gang_members_only(target: str, seen: str, shot: bool) -> None:
    turn = play(start(cast(**GANG)), f"К check {target}")
    assert turn.notices("check_result") == [{"target": target, "seen": seen}]
    assert turn.outcomes["К:check"] == "done"
    assert turn.dead == ([target] if shot else [])
    assert ("Комиссар проверил" in turn.report) is not shot
    assert ("Рассказ" in turn.report) is shot
    assert turn.bonus("К") == (3 if shot or target in ("У", "Ё") else 0)


def test_a_check_stopped_by_the_samurai_still_learns_the_role() -> None:
    turn = play(start(cast()), "К check А", "С cover А")
    assert turn.dead == ["С"]
    assert turn.notices("check_result") == [{"target": "А", "seen": "mafioso"}]
    assert turn.of("К")["checked"][-1] == "А"


def test_a_check_at_a_guarded_bandit_costs_the_commissioner_his_life() -> None:
    turn = play(start(cast(А={"role": "mafioso", "coins": 10})), Order("А", "contract_guard", (), {"coins": 10}), "К check А")
    assert turn.deaths == {"К": ("bodyguard_revenge", "Т"), "Т": ("commissioner", "К")}
    assert turn.notices("check_result") == [{"target": "А", "seen": "mafioso"}]


def test_a_foiled_check_learns_nothing() -> None:
    turn = play(start(cast()), "К check А", "Ж visit К")
    assert turn.notices("check_result") == []
    assert turn.outcomes["К:check"] == "blocked"


def test_a_plain_check_uses_up_armour_and_tells_the_wearer_alone() -> None:
    turn = play(start(cast(В={"role": "citizen", "items": ["armour_commissioner"]})), "К check В")
    assert turn.of("В")["items"] == []
    assert turn.notices("attempt_survived", "В") == [{"item": "armour_commissioner"}]
    assert "Покушение" not in turn.report


# kamikaze


def test_the_kamikaze_and_the_holder_of_the_post() -> None:
    turn = play(start(cast(**GANG)), "Я kill К")
    assert turn.deaths == {"К": ("kamikaze", "Я"), "Я": ("sacrifice", None)}


@pytest.mark.parametrize("item", ["armour_mafia_strong", "armour_yakuza_strong", "armour_both", "armour_commissioner"])
def test_no_armour_stops_the_kamikaze(item: str) -> None:
    turn = play(start(cast(К={"role": "commissioner", "items": [item]}, **GANG)), "Я kill К")
    assert turn.dead == ["К", "Я"]
    assert turn.of("К")["items"] == [item]


def test_the_samurai_dies_in_the_commissioners_stead() -> None:
    turn = play(start(cast(**GANG)), "Я kill К", "С cover К")
    assert turn.deaths == {"С": ("kamikaze", "Я"), "Я": ("sacrifice", None)}
    assert "Покушение на К (камикадзе): удар принял самурай." in turn.report


def test_the_bodyguard_dies_in_the_commissioners_stead() -> None:
    turn = play(
        start(cast(**{**GANG, "К": {"role": "commissioner", "coins": 10}})),
        Order("К", "contract_guard", (), {"coins": 10}),
        "Я kill К",
    )
    assert turn.deaths == {"Т": ("kamikaze", "Я"), "Я": ("sacrifice", None)}


def test_the_kamikaze_misses() -> None:
    turn = play(start(cast(**GANG)), "Я kill В", "Д heal Я")
    assert turn.dead == []
    assert turn.outcomes["Я:kill"] == "not_commissioner"
    assert "Рассказ" not in turn.report


def test_the_kamikaze_lives_when_the_commissioner_has_been_hit() -> None:
    turn = play(start(cast(**GANG)), "Я kill К", "М kill К")
    assert turn.deaths == {"К": ("maniac", "М")}
    assert turn.outcomes["Я:kill"] == "already_hit"


def test_the_doctor_never_saves_the_kamikaze() -> None:
    turn = play(start(cast(**GANG)), "Я kill К", "Д heal Я")
    assert turn.dead == ["К", "Я"]
    assert turn.outcomes["Д:heal"] == "not_needed"


def test_a_hero_counts_as_living_for_the_yakuza_only_if_the_commissioner_died() -> None:
    small = {"Б": "yakuza", "Я": "kamikaze", "К": "commissioner", "Д": "doctor", "В": "citizen"}
    turn = play(start(small), "Б vote В", "Я kill К")
    assert turn.winner == "yakuza"
    assert turn.bonus("Я") == 3 + 2 + 4


# curses, ghosts


@pytest.mark.parametrize("victim", ["О", "Т", "Н", "Э"])
def test_nothing_saves_from_a_released_curse(victim: str) -> None:
    game = start(cast(Ш="shaman", Э={"role": "citizen", "items": ["armour_both"]}))
    turn = play(game, f"Ш curse {victim}", "А kill Ш", f"С cover {victim}", f"Д heal {victim}")
    assert turn.deaths == {"Ш": ("mafia", "А"), victim: ("curse", "Ш")}
    assert turn.bonus("Ш") == (0 if victim == "Э" else 10)


def test_a_chain_of_curses() -> None:
    game = start(cast(Ш={"role": "shaman", "curse": "Ы"}, Ы={"role": "shaman", "curse": "В"}))
    turn = play(game, "Э vote Ш")
    assert turn.deaths == {"Ш": ("lynch", None), "Ы": ("curse", "Ш"), "В": ("curse", "Ы")}
    assert "Днём погиб В — мирный житель; причина: проклятие шамана." in turn.report
    assert turn.of("Ш")["curse"] == turn.of("Ы")["curse"] == ""


def test_a_curse_foiled_by_the_girl_lapses() -> None:
    game = start(cast(Ш={"role": "shaman", "curse": "В"}))
    turn = play(game, "Ш curse Э", "Ж visit Ш", "А kill Ш")
    assert turn.dead == ["Ш"]
    assert turn.bonus("Ж") == 3


def test_two_shamans_who_curse_each_other() -> None:
    game = start(cast(Ш={"role": "shaman", "curse": "Ы"}, Ы={"role": "shaman", "curse": "Ш"}))
    turn = play(game, "Э vote Ш")
    assert turn.dead == ["Ш", "Ы"]


GHOST = {"role": "citizen", "alive": False, "ghost": True, "killer": "Т", "cause": "mafia"}


def test_nothing_saves_from_the_ghost_and_nobody_strikes_back() -> None:
    turn = play(start(cast(П=GHOST)), Order("П", "haunt", ("Т",), {"story": "Холод."}), "Д heal Т", "С cover Т")
    assert turn.deaths == {"Т": ("ghost", "П")}
    assert "Рассказ: Холод." in turn.report
    assert turn.bonus("П") == 3
    assert turn.told("ghost_gone") == ["П"]


def test_the_ghosts_victim_releases_his_curse() -> None:
    turn = play(start(cast(Ш="shaman", П={**GHOST, "killer": "Ш"})), "Ш curse В", "П haunt Ш")
    assert turn.deaths == {"Ш": ("ghost", "П"), "В": ("curse", "Ш")}


def test_the_ghost_finds_a_killer_who_has_just_been_shot() -> None:
    turn = play(start(cast(П={**GHOST, "killer": "Б"})), "П haunt Б", "А kill Б")
    assert turn.outcomes["П:haunt"] == "target_dead"
    assert turn.deaths == {"Б": ("mafia", "А")}


# lost moves


def test_a_shooter_struck_by_reinforced_armour_loses_his_second_shot() -> None:
    game = start(cast(А={"role": "mafioso", "coins": 20}, В={"role": "citizen", "items": ["armour_mafia_strong"]}))
    turn = play(game, Order("А", "buy", (), {"item": "extra_shot"}), "А kill В", order("А kill Э", shot=2))
    assert turn.dead == ["А"]
    assert [o.reason for o in turn.all(Outcome) if o.action == "kill"] == ["armour", "killed_before_move"]


def test_a_gang_that_loses_another_member_to_the_mercenary_goes_on_shooting() -> None:
    game = start(cast(А={"role": "mafioso", "coins": 20}, Л="lawyer"), state={"duty": {"mafia": 1}})
    turn = play(
        game,
        Order("А", "buy", (), {"item": "extra_shot"}),
        "А kill Н",
        order("А kill Э", shot=2),
        chance={"mercenary_revenge": ["Л"]},
    )
    assert turn.dead == ["Н", "Л", "Э"]


def test_the_second_shot_passes_the_samurai_but_meets_the_bodyguard() -> None:
    game = start(cast(В={"role": "citizen", "coins": 10}))
    turn = play(game, Order("В", "contract_guard", (), {"coins": 10}), "С cover В", "Б kill В", "А kill В")
    assert turn.deaths == {"С": ("yakuza", "Б"), "А": ("bodyguard_revenge", "Т"), "Т": ("mafia", "А")}
    assert turn.saved == {"В"}


def test_the_third_attack_on_a_guarded_player_kills() -> None:
    game = start(cast(В={"role": "citizen", "coins": 10}))
    turn = play(game, Order("В", "contract_guard", (), {"coins": 10}), "С cover В", "Б kill В", "А kill В", "М kill В")
    assert turn.deaths["В"] == ("maniac", "М")
    assert turn.saved == set()


def test_a_doctor_who_was_hit_and_foiled_heals_nobody() -> None:
    turn = play(start(cast()), "А kill Д", "Д heal Д", "Ж visit Д")
    assert turn.dead == ["Д"]
    assert turn.outcomes["Д:heal"] == "blocked"
    assert turn.bonus("Ж") == 3


def test_a_lynch_that_kills_the_necromancer_keeps_the_running_count() -> None:
    game = start(cast(П={"role": "citizen", "alive": False}))
    turn = play(game, "П vote Щ", "Э vote Щ")
    assert turn.votes == {"Щ": 1.5}
    turn = play(turn.game, "П vote А")
    assert turn.rejected == ["П:vote:dead"]


def test_the_witness_sees_who_took_the_samurais_life() -> None:
    turn = play(start(cast(Х="witness")), "Х watch С", "С cover В", "А kill В")
    assert turn.notices("witness_report") == [{"target": "С", "killer": "А"}]
    assert turn.outcomes["Х:watch"] == "done"


def test_the_witness_of_a_sacrifice_sees_nobody() -> None:
    turn = play(start(cast(Х="witness", **GANG)), "Х watch Я", "Я kill К")
    assert turn.outcomes["Х:watch"] == "nothing_seen"


# the opening night


def test_the_samurai_of_the_opening_night_takes_over_the_hit() -> None:
    turn = play(start(cast(), first_turn=None), "А kill В", "С cover В")
    assert turn.deaths == {"С": ("mafia", "А")}
    assert (turn.saved, turn.outcomes["А:kill"], turn.outcomes["С:cover"]) == ({"В"}, "guarded", "done")


def test_the_samurai_of_the_opening_night_does_not_take_the_bodyguards_blow() -> None:
    game = start(cast(В={"role": "citizen", "coins": 10}), first_turn=None)
    turn = play(game, Order("В", "contract_guard", (), {"coins": 10}), "А kill В", "С cover Т")
    assert set(turn.dead) == {"А", "Т"}
    assert turn.outcomes["С:cover"] == "not_needed"


def test_the_samurai_of_the_opening_night_saves_the_mercenary_but_not_the_struck_man() -> None:
    turn = play(start(cast(), first_turn=None), "А kill Н", "С cover Н")
    assert turn.deaths == {"А": ("mercenary_revenge", "Н"), "С": ("mafia", "А")}


def test_the_bodyguard_is_told_his_ward_when_the_opening_night_ends() -> None:
    game = start(cast(В={"role": "citizen", "coins": 10}), first_turn=None)
    turn = play(game, Order("В", "contract_guard", (), {"coins": 10}))
    assert turn.notices("guard_targets", "Т") == [{"targets": ["В"]}]
    assert turn.outcomes["В:contract_guard"] == "done"


# ranks


def test_two_places_two_werewolves() -> None:
    wolves = {"А": "mafioso", "Ы": "mafioso", "Ё": "werewolf", "Ю": "werewolf", "В": "citizen", "М": "maniac", "Б": "yakuza"}
    turn = play(start(wolves), "М kill А", "Б kill Ы", chance={"werewolf_turn": ["Ю"]})
    # the yakuza shoots first: Ы (number 2) dies first and Ю takes his place; Ё takes А's
    assert turn.dead == ["Ы", "А"]
    assert {seat: turn.of(seat)["number"] for seat in "АЫЁЮ"} == {"А": 0, "Ы": 0, "Ё": 1, "Ю": 2}
    assert turn.notices("turned", "Ё") == [{"number": 1, "partners": ["Ю"], "numbers": {"Ё": 1, "Ю": 2}}]


def test_a_werewolf_that_dies_the_same_night_does_not_turn() -> None:
    wolves = {"А": "mafioso", "Ё": "werewolf", "В": "citizen", "М": "maniac", "Б": "yakuza"}
    turn = play(start(wolves), "М kill Ё", "Б kill А")
    assert turn.of("Ё")["faction"] == "civilians"
    assert turn.told("turned") == []
    assert "Ё [мирный-оборотень][маньяк]" in turn.report


def test_several_deaths_close_the_list_from_both_ends() -> None:
    gang = {"А": "mafioso", "Б": "mafioso", "В": "mafioso", "Г": "mafioso", "М": "maniac", "Я": "yakuza", "Э": "citizen"}
    turn = play(start(gang), "Э vote А", "М kill Г", "Я kill Б")
    assert {seat: turn.of(seat)["number"] for seat in "АБВГ"} == {"А": 0, "Б": 0, "В": 1, "Г": 0}


def test_the_commissioner_brought_back_takes_the_post_again() -> None:
    game = start(cast(К={"role": "commissioner", "alive": False}, Ж="sergeant", З={"role": "citizen", "coins": 50}))
    turn = play(game, Order("З", "buy", ("К",), {"item": "resurrect"}), "Ж check В")
    assert turn.rejected == []
    assert (turn.of("К")["post"], turn.of("Ж")["post"]) == (True, False)
    turn = play(turn.game, "Ж check Э", "Б kill К")
    assert turn.rejected == ["Ж:check:not_your_role"]
    assert turn.told("promoted") == ["Ж"]
