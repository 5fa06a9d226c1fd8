"""The ids of ruleset `clans` as data: factions, roles, who may send what, and the ordered lists of chapter 1 of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RED, BLACK = "red", "black"
CLANS = (RED, BLACK)
CIVILIANS = "civilians"
MANIAC = "maniac"
DRAW = "draw"
UNKNOWN = ""
"""Role or faction of a player of whom a sketch knows nothing; forbids nothing."""

FACTIONS = (RED, BLACK, CIVILIANS, MANIAC)

SENIORITY = ("don", "thug", "bodyguard", "seductress", "artist")
"""The roles of a clan, the most senior first (1.2); the artist sends the clan's kill, too, and ranks last (D6)."""

CIVILIAN_ROLES = (
    "commissioner",
    "doctor",
    "witness",
    "sleepwalker",
    "journalist",
    "shooter",
    "taxi_driver",
    "mirror",
    "shahid",
    "miner",
    "chosen",
)
CITIZEN = "citizen"

ROLES = (*SENIORITY, *CIVILIAN_ROLES, CITIZEN, MANIAC)

ROLE_ACTIONS: Mapping[str, tuple[str, ...]] = {
    "don": ("check",),
    "thug": ("beat",),
    "bodyguard": ("guard",),
    "seductress": ("seduce",),
    "commissioner": ("check",),
    "doctor": ("heal", "poison_mistake"),
    "witness": ("watch",),
    "sleepwalker": ("walk",),
    "journalist": ("interview",),
    "shooter": ("shoot",),
    "taxi_driver": ("ride",),
    "miner": ("mine",),
    "chosen": ("extra_votes",),
    MANIAC: ("invite",),
}
"""What a role sends besides ballot, clan's kill and hunt; roles that are not named here send nothing (1.2)."""

Slot = Literal["vote", "role", "kill", "hunt"]
NIGHT_SLOTS: tuple[Slot, ...] = ("role", "kill", "hunt")


@dataclass(frozen=True, slots=True)
class Action:
    """One row of 1.3."""

    slot: Slot | None
    """Which of a player's slots the order fills (R5); None: it works at once or is the host's."""
    targets: tuple[int, int | None] = (1, 1)
    """Fewest and most targets; None: the most is a matter of another test."""
    self_allowed: bool = False
    """At oneself only where the source says so (D4)."""


ACTIONS: Mapping[str, Action] = {
    "vote": Action("vote", self_allowed=True),
    "unvote": Action(None, (0, 0)),
    "extra_votes": Action("role", (1, None), self_allowed=True),
    "mine": Action("role"),
    "seduce": Action("role"),
    "heal": Action("role", self_allowed=True),
    "poison_mistake": Action("role"),
    "beat": Action("role", self_allowed=True),
    "invite": Action("role"),
    "guard": Action("role", self_allowed=True),
    "kill": Action("kill"),
    "ride": Action("role"),
    "watch": Action("role"),
    "shoot": Action("role"),
    "hunt": Action("hunt"),
    "check": Action("role"),
    "interview": Action("role", (2, 2)),
    "walk": Action("role"),
    "replace_role": Action(None, (0, 0)),
}

TAKING_BACK = ("cancel", "pass")
"""The reading's two words for "no move"; both empty the night's slots (R5, D55)."""

HOST_MEASURES = ("host_violation", "host_disqualify")
HOST_UNDO = "host_undo"
"""Ours: takes the host's last measure against the player back (see discipline.py)."""
WORDS = "words"
"""Ours: the application tells how many words a post of the player holds (R92)."""
HOST_ACTIONS = (*HOST_MEASURES, HOST_UNDO, WORDS)

ARGS: Mapping[str, Mapping[str, str]] = {
    **{action: {} for action in ACTIONS},
    "replace_role": {"role": "role"},
    "host_violation": {"kind": "text", "proof": "bool"},
    "host_disqualify": {},
    HOST_UNDO: {},
    WORDS: {"count": "int", "post": "text"},
}

NOT_IN_A_ROW = ("beat", "guard", "seduce", "heal", "ride")
"""R8: not the target of the sender's done move of the same kind in the turn before; all five are treated alike, and a move that
failed has not been "once" (D5)."""
ONCE_A_GAME = ("check", "interview", "walk")
"""R9: never again a target of a done move."""
MEMORY_KEYS: Mapping[str, str] = {
    **{f"last_{action}": action for action in NOT_IN_A_ROW},
    "checked": "check",
    "interviewed": "interview",
    "walked": "walk",
}
"""Keys of [[players]] that give the memory from before the first turn (1.9)."""

# R68: of a hunt nobody is told whether it was the one.
TOLD_DONE_OR_FAILED = ("seduce", "heal", "beat", "invite", "guard")
TOLD_RESULT_OR_FAILED = ("ride", "watch", "check", "interview", "walk")
"""R99; the other moves give no notice: a "done" would tell of vest and mirror (D49)."""

REJECTIONS = (
    "late",
    "dead_player",
    "not_your_action",
    "unknown_nick",
    "bad_targets",
    "dead_target",
    "self_target",
    "own_clan",
    "not_own_clan",
    "repeat_target",
    "no_bullets",
    "poison_used",
    "too_many_votes",
    "hunt_with_move",
    "bad_role",
    "no_artist",
    "already_appointed",
    "role_not_vacant",
)

FAILURES = (
    "penalty",
    "outranked",
    "not_drawn",
    "hunting",
    "clan_dead",
    "actor_dead",
    "actor_at_seductress",
    "clan_at_seductress",
    "showdown",
    "actor_beaten",
    "actor_at_maniac",
    "scared",
    "target_dead",
    "mafia_immune",
    "target_at_seductress",
    "target_beaten",
    "target_at_maniac",
    "target_healed",
    "guarded",
    "civilian_target",
    "nothing_happened",
)
"""1.5: of several reasons the one that stands higher is given."""

CAUSES = (
    "mine",
    "exhaustion",
    "lynch",
    "showdown",
    "poison",
    "clan_kill",
    "reflected",
    "room_blast",
    "house_blast",
    "shot",
    "hunt",
    "failed_hunt",
    "autokill",
    "disqualified",
)
"""1.6; also the order of the dead in the newspaper (R97, D59)."""

NOTICES: Mapping[str, Mapping[str, str]] = {
    "order_rejected": {"action": "action", "reason": "reason"},
    "move_done": {"action": "action"},
    "move_failed": {"action": "action"},
    "check_result": {"target": "nick", "status": "civilian|mafia"},
    "interview_result": {"targets": "nick", "result": "same|different"},
    "walk_result": {"target": "nick", "civilians": "number", "mafia": "number"},
    "ride_result": {"passenger": "nick", "targets": "nick"},
    "watch_result": {"target": "nick", "attackers": "nick"},
    "guest": {"host": "seductress|maniac"},
    "beaten": {},
    "vest_pierced": {},
    "torture": {"player": "nick", "status": "civilian|mafia"},
    "appointed": {"artist": "nick", "role": "role"},
    "penalty_point": {"reason": "words|vote", "total": "number"},
    "penalty": {"measure": "warning|move_lost|disqualified|clan_moves", "count": "number"},
    "role_assigned": {"role": "role", "faction": "faction", "clanmates": "nick"},
}
"""1.7: the kinds of private notices with their further keys, and what stands in them (``Spec.notices``)."""

CHANCE_POINTS = ("lynch_tie", "hunt_draw", "seductress_draw", "penalty_move", "seating", "role_deal")

PLAYER_KEYS = (
    "role",
    "faction",
    "alive",
    "seat",
    "vest",
    "bullets",
    "points",
    "violations",
    "acts_as",
    "exhausted",
    "mined_by",
    "poison_used",
    *MEMORY_KEYS,
)
SHOWN_KEYS = (
    "role", "faction", "alive", "seat", "points", "violations", "exhausted", "vest", "bullets", "poison_used", "acts_as",
    "mined_by",
)  # fmt: skip
"""Keys of a player's state in results (1.9)."""
STATE_KEYS = ("deadline", "last_checked", "clan_violations")

VIOLATIONS = (
    "role_reveal",
    "coalition",
    "role_dispute",
    "dead_influence",
    "horn",
    "account_sharing",
    "leak",
    "uniting_by_pm",
    "asking_roles",
    "hunt_victim_reveal",
    "other",
)
MEASURES = ("ladder", "end_game", "disqualify")
