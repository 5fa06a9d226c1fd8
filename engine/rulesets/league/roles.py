"""Ids of the ruleset and who may do what, as data (chapter 1 of ``rules/league.md``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MAFIA, YAKUZA, CIVILIANS, NEUTRALS = "mafia", "yakuza", "civilians", "neutrals"
FACTIONS = (MAFIA, YAKUZA, CIVILIANS, NEUTRALS)
"""The four factions (R1)."""
GANGS = (MAFIA, YAKUZA)
DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Role:
    """One line of table 1.2."""

    faction: str
    numbered: bool = False
    """Stands in the duty list of the gang (R3); a werewolf does so once turned."""
    opening: bool = False
    """May move in the opening night (R11)."""
    armour: bool = True
    """May buy armour (R91)."""


ROLES: Mapping[str, Role] = {
    "mafioso": Role(MAFIA, numbered=True, opening=True),
    "lawyer": Role(MAFIA),
    "werewolf": Role(CIVILIANS, opening=True),
    "yakuza": Role(YAKUZA, numbered=True, opening=True),
    "ninja": Role(YAKUZA, numbered=True, opening=True),
    "kamikaze": Role(YAKUZA, armour=False),
    "citizen": Role(CIVILIANS),
    "commissioner": Role(CIVILIANS),
    "sergeant": Role(CIVILIANS),
    "immortal": Role(CIVILIANS),
    "necromancer": Role(CIVILIANS),
    "mercenary": Role(NEUTRALS, armour=False),
    "maniac": Role(NEUTRALS),
    "bodyguard": Role(NEUTRALS, opening=True, armour=False),
    "girl": Role(NEUTRALS),
    "doctor": Role(NEUTRALS, opening=True),
    "samurai": Role(NEUTRALS, opening=True, armour=False),
    "witness": Role(NEUTRALS, opening=True),
    "judge": Role(NEUTRALS),
    "shaman": Role(NEUTRALS, opening=True, armour=False),
}
"""The immortal is a civilian (D6). Lawyer and kamikaze do no duty and have no number (D8)."""

SHOOTERS = ("mafioso", "werewolf", "yakuza", "ninja")
"""Roles that can stand in a gang's duty list and pay for its extra shots (R54)."""

LAST, FINAL = "last", "final"
ANYBODY: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """One line of table 1.3. ``roles`` empty: not bound to a role."""

    roles: tuple[str, ...] = ANYBODY
    stands: str = FINAL
    first_turn: int = 1
    night: bool = False
    """A move of the night: the girl can foil it and a wound can lose it."""
    story: bool = False
    """Without a story it is refused (R15)."""
    gap: bool = False
    """Still open between deadline and next day (R12)."""
    public: bool = False
    """Counts only in the day's thread (chapter 6)."""
    args: Mapping[str, str] | None = None


_TOLD = {"story": "text", "grade": "int"}
_SHOT = {**_TOLD, "shot": "int"}
_BID = {"coins": "int", "late": "bool"}

ACTIONS: Mapping[str, Action] = {
    "vote": Action(public=True),
    "unvote": Action(public=True),
    "change_vote": Action(public=True),
    "extra_votes": Action(args={"count": "int"}),
    "defend": Action(("lawyer",), LAST, args={"number": "int"}),
    "pardon": Action(("judge",), LAST),
    "hang_story": Action(stands=LAST, story=True, gap=True, args=_TOLD),
    "expose": Action(public=True, args={"role": "text"}),
    "kill": Action(("mafioso", "werewolf", "yakuza", "ninja", "kamikaze", "maniac"), LAST, 0, night=True, story=True, args=_SHOT),
    "check": Action(("commissioner", "sergeant"), LAST, night=True, story=True, args=_SHOT),
    "kill_checked": Action(("commissioner", "sergeant"), LAST, night=True, story=True, args=_SHOT),
    "visit": Action(("girl",), LAST, night=True),
    "heal": Action(("doctor",), LAST, 0, night=True),
    "cover": Action(("samurai",), LAST, 0, night=True),
    "watch": Action(("witness",), LAST, 0, night=True),
    "curse": Action(("shaman",), LAST, 0, night=True),
    "haunt": Action(stands=LAST, night=True, args=_TOLD),
    "contract_kill": Action(args=_BID),
    "contract_guard": Action(first_turn=0, args=_BID),
    "accept_work": Action(("mercenary",)),
    "refuse_work": Action(("mercenary",)),
    "contract_hit": Action(("mercenary",), LAST, night=True, args=_TOLD),
    "guard_choose": Action(("bodyguard",), LAST, night=True),
    "buy": Action(first_turn=0, gap=True, args={"item": "item"}),
    "pool": Action(first_turn=0, args={"item": "item", "coins": "int"}),
    "pool_agree": Action(first_turn=0, args={"from": "item", "to": "item", "from_target": "nick"}),
    "true_sight": Action(),
}

VOTING = ("vote", "change_vote", "extra_votes")
NOT_IN_OPENING = tuple(name for name, action in ACTIONS.items() if action.first_turn > 0 and name not in (*VOTING, "unvote"))
LATE_STARTERS = ("maniac", "kamikaze")
"""Their ``kill`` begins in turn 1, the gangs' in turn 0."""
COMMISSION = ("check", "kill_checked")
"""The two moves of the commissioner's post; with the same ``shot`` they share one slot (R13). A bought check is either of them
(D41)."""

WITHDRAW = ("pass", "cancel")


@dataclass(frozen=True, slots=True)
class Item:
    """One line of table 1.8."""

    first_turn: int = 0
    pooled: bool = False
    armour_against: tuple[str, ...] = ()
    strong: bool = False


ITEMS: Mapping[str, Item] = {
    "armour_mafia": Item(armour_against=("mafia",)),
    "armour_yakuza": Item(armour_against=("yakuza",)),
    "armour_maniac": Item(armour_against=("maniac",)),
    "armour_both": Item(armour_against=("mafia", "yakuza")),
    "armour_commissioner": Item(armour_against=("commissioner",)),
    "armour_mafia_strong": Item(armour_against=("mafia",), strong=True),
    "armour_yakuza_strong": Item(armour_against=("yakuza",), strong=True),
    "loop_protection": Item(),
    "net": Item(first_turn=1),
    "necro_shield": Item(pooled=True),
    "extra_check": Item(pooled=True),
    "resurrect": Item(first_turn=1, pooled=True),
    "extra_shot": Item(first_turn=1, pooled=True),
}
ARMOUR = tuple(name for name, item in ITEMS.items() if item.armour_against)
WORN = (*ARMOUR, "loop_protection", "necro_shield")
"""What a player's ``items`` can hold."""
HALF_OF_BOTH = {"mafia": "armour_yakuza", "yakuza": "armour_mafia"}
"""What is left of the armour against both gangs after the first shot of a side (R93). Two protections of one shot each in one
purchase (D60)."""
ANNOUNCED = ("necro_shield", "extra_check", "resurrect")

SIDES = ("mafia", "yakuza", "commissioner", "maniac", "mercenary", "kamikaze")
"""Causes of death that are attacks; also the public name of an attack's side."""
CAUSES = (
    "lynch",
    *SIDES,
    "sacrifice",
    "mercenary_revenge",
    "bodyguard_revenge",
    "strong_armour",
    "necro_shield",
    "curse",
    "ghost",
    "left_town",
)

NIGHT_STEPS = (
    "girl",
    "shaman",
    "witness",
    "samurai",
    "bodyguard",
    "commissioner",
    "yakuza",
    "mafia",
    "maniac",
    "mercenary",
    "kamikaze",
    "doctor",
)

NOTICES: Mapping[str, Mapping[str, str]] = {
    "role": {"role": "role", "partners": "nick", "number": "number", "numbers": "any", "count": "number"},
    "turned": {"number": "number", "partners": "nick", "numbers": "any"},
    "new_partner": {"nick": "nick", "number": "number"},
    "extra_shot_ready": {"shots": "number"},
    "promoted": {},
    "true_sight_result": {"target": "nick", "seen": "role"},
    "check_result": {"target": "nick", "seen": "role"},
    "visit_result": {"target": "nick", "seen": "role", "on_duty": "bool"},
    "witness_report": {"target": "nick", "killer": "nick"},
    "attempt_survived": {"item": "item"},
    "work_question": {},
    "work_targets": {"targets": "nick"},
    "guard_targets": {"targets": "nick"},
    "contract_done": {"action": "action", "target": "nick", "price": "number"},
    "contract_undone": {"action": "action", "target": "nick", "price": "number"},
    "warning": {"count": "number", "cost": "number"},
    "ghost_assigned": {},
    "ghost_gone": {},
}
"""The kinds of private notices with their further keys, and what stands in them (``Spec.notices``)."""

CHANCE_POINTS = ("deal", "werewolf_turn", "mercenary_revenge", "contract_choice", "guard_choice", "ghost")

HOST_ACTIONS = (
    "remove", "leave", "grade", "choose_story", "write_story", "late_contract", "charge", "leniency", "grant", "abort",
)  # fmt: skip
"""What only the host gives (``hosting.py``); ``leave`` also on a player's own wish."""

REASONS = (
    "not_allowed",
    "dead",
    "not_your_role",
    "no_voting",
    "first_night",
    "not_on_duty",
    "bad_target",
    "dead_target",
    "self_target",
    "already_voted",
    "no_vote",
    "same_target",
    "not_enough_coins",
    "bad_value",
    "no_extra_shot",
    "no_story",
    "no_extra_move",
    "not_checked",
    "no_such_number",
    "limit_reached",
    "same_target_twice",
    "role_may_not_order",
    "price_too_low",
    "late_order",
    "not_for_others",
    "no_contracts",
    "already_answered",
    "not_accepted",
    "choose_target",
    "not_offered",
    "role_may_not_buy",
    "already_have",
    "no_necromancer",
    "no_commissioner",
    "target_alive",
    "left_target",
    "neutral_target",
    "not_poolable",
    "no_pool",
    "pool_open",
    "already_exposed",
    "late",
    "edited",
    "conditional",
    "not_highlighted",
    "public_only",
    "private_only",
    "unknown_nick",
    "left_town",
    "blocked",
    "killed_before_move",
    "target_dead",
    "already_hit",
    "guarded",
    "immortal",
    "armour",
    "shield",
    "healed",
    "not_commissioner",
    "not_needed",
    "nothing_seen",
    "wrong_killer",
    "not_condemned",
    "already_saved",
    "not_hanged",
    "not_chosen",
    "outbid",
    "refused",
    "not_executed",
    "wrong_role",
)
