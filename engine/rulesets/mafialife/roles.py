"""Roles, factions, items and the ids of the ruleset (rules, chapter 1), as data."""

from __future__ import annotations

from collections.abc import Mapping

OFFICE, DEN, GRAVEYARD, NEUTRAL = "office", "den", "graveyard", "neutral"
FACTIONS = (OFFICE, DEN, GRAVEYARD, NEUTRAL)
TEAMS = (OFFICE, DEN, GRAVEYARD)
PASSWORD_TEAMS = (OFFICE, DEN)
"""Teams that have a password (R3)."""

ROLES = {
    "citizen": OFFICE,
    "commissioner": OFFICE,
    "assistant": OFFICE,
    "doctor": OFFICE,
    "psycho": OFFICE,
    "mafioso": DEN,
    "mafia_journalist": DEN,
    "mafia_agent": DEN,
    "mafia_lawyer": DEN,
    "unfaithful": DEN,
    "necromancer": GRAVEYARD,
    "apostate": GRAVEYARD,
    "ghost": GRAVEYARD,
    "vampire": GRAVEYARD,
    "zombie": GRAVEYARD,
    "hacker": NEUTRAL,
    "maniac": NEUTRAL,
    "killer": NEUTRAL,
    "girl": NEUTRAL,
}
"""Role id -> its faction, in the order of the rules' table."""

UNDEAD = frozenset({"ghost", "vampire", "zombie"})
WALKING_UNDEAD = frozenset({"ghost", "vampire"})
"""They live, vote and move; a zombie is dead (D1)."""
NEUTRALS = frozenset(role for role, faction in ROLES.items() if faction == NEUTRAL)

ALWAYS_OFFICIAL = frozenset(
    {"commissioner", "assistant", "doctor", "psycho", "mafioso", "mafia_journalist", "mafia_agent", "mafia_lawyer"}
    | {role for role, faction in ROLES.items() if faction == GRAVEYARD}
)
"""Roles that are official members of their team at any level (R3)."""

OFFICE_ATTACKERS = frozenset({"commissioner", "assistant", "psycho"})
DEN_ATTACKERS = frozenset({"mafioso", "mafia_journalist", "mafia_agent", "mafia_lawyer"})
"""Roles that keep the other side from winning while they live (R176, R177); a doctor keeps nobody from it (D41)."""

LICENCES = (
    "licence_kill",
    "licence_maniac",
    "licence_killer",
    "licence_supershot",
    "licence_vampire",
    "licence_double",
    "licence_triple",
)
WEAPONS = frozenset({"pistol", *LICENCES} - {"licence_vampire"})
"""Items that make a citizen or an unfaithful a shooting one (R142, R176)."""

ONE_A_NIGHT = frozenset({"pistol", "licence_kill"})
"""Fired once a night (R22, R40), and outside the limits of goods (R22, D46)."""

ANTIROLES = tuple(f"anti_{role}" for role in ROLES)
ITEMS = (
    "pistol",
    "antiundead",
    "condom",
    *ANTIROLES,
    "armour",
    "elixir",
    "elixir_ultra",
    "bribe",
    "antibribe",
    "hang_immunity",
    "eternal_antihanging",
    "licence_lynch",
    *LICENCES,
    "cross",
    "stake",
)
LEVEL_GOODS = {"level_1": 1, "level_2": 2}
EXTRA_GOODS = ("extra_pack", "extra_daily")
GOODS = (*ITEMS, *LEVEL_GOODS, *EXTRA_GOODS)
PAYMENTS = ("vote", "move", "vote_move", "mafbucks")

REASONS_FAILED = (
    "office_guard", "psycho_guard_checks", "psycho_guard_mafia", "agent_guard", "agent_kill_attacker", "den_guard",
    "assistant_guard", "apostate_guard", "lair", "auto_lair", "autoprotect", "immune", "heal", "super_heal", "heal_office",
    "condom", "antiundead", "cross", "stake", *ANTIROLES, "armour", "elixir", "elixir_ultra", "befogged", "slept", "diverted",
    "bad_target", "no_such_role", "role_not_unique", "nothing_to_divert", "several_movers", "not_recruitable", "undead",
    "birth_clash", "mother", "dead", "not_chosen", "no_team", "not_infected",
)  # fmt: skip
REASONS_REJECTED = (
    "dead", "not_your_action", "wrong_target_count", "self_target", "bad_target", "bad_args", "level_too_low", "no_uses_left",
    "same_target_twice", "own_team", "already_member", "move_sold", "captive", "paralysed", "no_item", "one_per_night",
    "no_captive", "no_voting_today", "not_for_sale", "cannot_afford", "daily_limit", "game_limit", "vote_already_spent",
    "move_already_spent", "pistol_taken", "level_limit", "not_enough_points", "not_recruited", "too_late",
)  # fmt: skip
CAUSES = (
    "hanged", "kill", "shot", "pistol", "revolver", "rifle", "double_kill", "triple_kill", "blow_up_office", "bite", "frenzy",
    "poison", "necro_poison", "use_staff", "ghost_attack", *LICENCES, "mine", "poison_spread", "lair", "agent_guard",
    "agent_kill_attacker", "assistant_guard", "antiundead", "stake", "aids", "removed",
)  # fmt: skip
_SEEN = {"target": "nick", "action": "action|none", "targets": "nick"}
NOTICES: Mapping[str, Mapping[str, str]] = {
    "check_result": {"target": "nick", "role": "role"},
    "hack_result": {"target": "nick", "role": "role"},
    "theft_result": {"target": "nick", "role": "role", "items": "item"},
    "learn_result": {"role": "role", "target": "nick"},
    "team_opened": {"team": "faction", "members": "text"},
    "watch_result": _SEEN,
    "super_watch_result": {**_SEEN, "visitors": "nick"},
    "team_password": {"team": "faction", "password": "text"},
    "recruited": {"team": "faction"},
    "captured": {},
    "captive_moves": {"captive": "nick", "role": "role", "level": "number", "moves": "text"},
    "paralysed": {},
    "infected": {},
    "cured": {},
    "bitten": {},
    "staff_received": {},
    "reborn": {"role": "role"},
    "raised": {"role": "role"},
    "turned": {},
    "level_up": {"level": "number", "items": "item"},
    "item_used": {"item": "item"},
    "items_stolen": {},
    "item_received": {"item": "item"},
    "role_learned": {"role": "role"},
    "move_result": {"action": "action", "outcome": "done|failed", "reason": "reason|"},
    "role_assigned": {"role": "role", "faction": "faction"},
}
"""The kinds of private notices with their further keys, and what stands in them (``Spec.notices``)."""
CHANCE_POINTS = (
    "deal", "canard_role", "child_role", "learn_role_pick", "hang_tie", "points_win_tie", "password_office", "password_den",
)  # fmt: skip
PLAYER_KEYS = (
    "role", "faction", "alive", "level", "points", "mafbucks", "items", "staff", "paralysed", "captive_of", "aids_due",
    "bite_due", "documents", "infiltrated", "recruited_by", "used", "refused", "mother",
)  # fmt: skip
STATE_KEYS = ("last_targets", "days_played")
DAY_ACTIONS = ("vote", "unvote", "buy", "gift", "sell", "refuse_points_win", "join_graveyard")
HOST_CARRY = "host_carry"
"""MafBucks of earlier games are brought in before the first day (R27)."""
HOST_ACTIONS = ("host_remove", "host_fine", HOST_CARRY)
BOOK_ACTIONS = ("cancel", "pass")
"""Not of the rules: the reading's words for taking a move back and for making none."""
