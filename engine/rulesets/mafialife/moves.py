"""The table of actions (rules, chapter 1): who may do what, at whom it aims, and what kind of deed it is (R6, R53).

What a deed meets on its way is the matrix in ``matrix.py``; ``row`` names its line there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from engine.rulesets.mafialife.roles import DEN, GRAVEYARD, LICENCES, OFFICE

Kind = Literal["move", "extra"]
Aim = Literal["player", "role", "team", "nothing"]
Wants = Literal["living", "dead", "anybody", "commissioner", "necromancer"]
Pays = Literal["done", "kills", "stops"]


@dataclass(frozen=True, slots=True)
class Move:
    """One line of the table of actions."""

    action: str
    roles: tuple[str, ...]
    """Roles that may make it; empty: whoever owns the item."""
    phase: str
    """The phase of R50 in which it is carried out."""
    row: str = "harmless"
    """Its line of the matrix (R31, chapter 15)."""
    aim: Aim = "player"
    count: tuple[int, ...] = (1,)
    """How many nicks it may name."""
    own: tuple[int, ...] = ()
    """Places in the list of targets where the mover may name himself."""
    wants: Wants = "living"
    kind: Kind = "move"
    hostile: bool = False
    """R53: guards, lair and mines ask for it."""
    deadly: bool = False
    """R58, R59: it is made to kill."""
    shots: int = 1
    """Hits it makes (R32, R74, R131)."""
    undead: bool = False
    """An attack of the undead (R34)."""
    antirole: str | None = None
    """The antirole that wards it (R38) where it is not that of the mover's role."""
    pays: Pays = "done"
    """What its points are counted by (R4, section 20)."""
    team: bool = False
    """One move of the whole mafia (R130)."""
    item: str | None = None
    """The item (or "staff") it takes."""
    option: tuple[str, ...] = ()
    """Values of its one named argument (``arg``)."""
    arg: str | None = None
    fragile: bool = False
    """R74: always fails when diverted."""
    rule: str = ""

    @property
    def directed(self) -> bool:
        """R6: it aims at a player, also when it finds him by his role."""
        return self.aim in ("player", "role")


def _hostile(action: str, role: str, phase: str, row: str, rule: str, **more: Any) -> Move:
    return Move(action, (role,), phase, row, hostile=True, rule=rule, **more)


def _deadly(action: str, role: str, row: str, rule: str, **more: Any) -> Move:
    return Move(action, (role,), "attack", row, hostile=True, deadly=True, rule=rule, **more)


def _guard(action: str, role: str, rule: str, **more: Any) -> Move:
    return Move(action, (role,), "stance", pays="stops", rule=rule, **more)


def _study(role: str, into: str, rule: str) -> Move:
    return Move("study", (role,), "change", aim="nothing", count=(0,), arg="role", option=(into,), rule=rule)


_TEAMS = (OFFICE, DEN)
_LICENCE_ROWS = {"licence_double": "licence_double", "licence_triple": "licence_double"}

TABLE: tuple[Move, ...] = (
    Move("use_staff", (), "attack", "use_staff", hostile=True, deadly=True, antirole="necromancer", item="staff", fragile=True,
         rule="R145"),
    _hostile("hack", "hacker", "intelligence", "hack", "R70"),
    _hostile("canard", "hacker", "intelligence", "hack", "R71", own=(0,)),
    _hostile("theft", "hacker", "intelligence", "theft", "R72"),
    _hostile("divert", "hacker", "divert", "divert", "R73", count=(2,), own=(1,)),
    Move("infiltrate", ("hacker",), "intelligence", aim="team", count=(0,), arg="team", option=_TEAMS, rule="R76"),
    _deadly("bite", "maniac", "bite", "R82", pays="kills"),
    _deadly("frenzy", "maniac", "bite", "R83", count=(1, 2), shots=2, pays="kills"),
    _deadly("poison", "maniac", "poison", "R84", pays="kills"),
    _guard("lair", "maniac", "R85", aim="nothing", count=(0,)),
    _hostile("capture", "maniac", "attack", "capture", "R86", wants="anybody"),
    _deadly("kill", "killer", "kill", "R93"),
    _hostile("sleep", "girl", "girl", "sleep", "R100"),
    _hostile("aids", "girl", "girl", "aids", "R101"),
    _hostile("sleep_role", "girl", "girl", "sleep_role", "R102", aim="role", count=(0,), arg="role"),
    Move("birth", ("girl",), "rebirth", wants="dead", rule="R103"),
    _hostile("check", "mafia_journalist", "intelligence", "check_journalist", "R110"),
    _hostile("steal_documents", "mafia_journalist", "documents", "steal_documents", "R111"),
    Move("swap_documents", ("mafia_journalist",), "documents", own=(0,), rule="R112"),
    _hostile("learn_role", "mafia_journalist", "intelligence", "check", "R113", aim="role", count=(0,), arg="role"),
    Move("open_team", ("mafia_journalist",), "intelligence", aim="team", count=(0,), arg="team", option=(OFFICE, GRAVEYARD),
         rule="R114"),
    _study("mafia_journalist", "mafioso", "R115"),
    _study("unfaithful", "mafia_journalist", "R115"),
    _study("citizen", "girl", "R104"),
    Move("pistol", ("citizen", "unfaithful"), "attack", "shot", kind="extra", hostile=True, deadly=True, item="pistol",
         rule="R22"),
    _deadly("pistol", "psycho", "shot", "R160"),
    _hostile("check", "commissioner", "intelligence", "check", "R120"),
    _deadly("kill", "commissioner", "shot", "R122"),
    _hostile("learn_role", "commissioner", "intelligence", "check", "R121", aim="role", count=(0,), arg="role"),
    _guard("guard_office", "commissioner", "R123", aim="team", count=(0,)),
    _hostile("check", "assistant", "intelligence", "check", "R125"),
    _hostile("recruit", "assistant", "attack", "visit", "R61"),
    _deadly("shot", "assistant", "shot", "R127"),
    _guard("guard_commissioner", "assistant", "R128", wants="commissioner"),
    _deadly("revolver", "mafioso", "shot", "R131", team=True),
    _deadly("rifle", "mafioso", "rifle", "R132", team=True),
    Move("mine", ("mafioso",), "attack", pays="kills", team=True, rule="R134"),
    _deadly("double_kill", "mafioso", "shot", "R133", count=(1, 2), shots=2, pays="kills", team=True),
    _deadly("triple_kill", "mafioso", "shot", "R133", count=(1, 2, 3), shots=3, pays="kills", team=True),
    Move("blow_up_office", ("mafioso",), "attack", "blow_up_office", aim="team", count=(0,), deadly=True, pays="kills", team=True,
         rule="R135"),
    _guard("guard", "mafia_agent", "R136"),
    _guard("kill_attacker", "mafia_agent", "R137"),
    _guard("guard_den", "mafia_agent", "R138", aim="team", count=(0,)),
    _hostile("recruit", "mafia_agent", "attack", "visit", "R61"),
    Move("save_from_gallows", ("mafia_lawyer",), "gallows", own=(0,), rule="R140"),
    Move("frame", ("mafia_lawyer",), "gallows", count=(2,), own=(0,), rule="R141"),
    _deadly("necro_poison", "necromancer", "necro_poison", "R143"),
    _hostile("paralyse", "necromancer", "attack", "visit", "R144"),
    Move("give_staff", ("necromancer",), "attack", fragile=True, rule="R145"),
    Move("raise_ghost", ("necromancer",), "rebirth", wants="dead", rule="R146"),
    Move("raise_vampire", ("necromancer",), "rebirth", wants="dead", rule="R146"),
    _guard("guard_necromancer", "apostate", "R148", wants="necromancer"),
    _guard("heal", "doctor", "R150", own=(0,)),
    _guard("super_heal", "doctor", "R151", own=(0,)),
    Move("heal_aids", ("doctor",), "delayed", own=(0,), rule="R152"),
    _guard("heal_office", "doctor", "R153", aim="team", count=(0,)),
    _hostile("watch", "psycho", "intelligence", "visit", "R155"),
    _hostile("super_watch", "psycho", "intelligence", "visit", "R156"),
    _hostile("befog", "psycho", "befog", "visit", "R157"),
    _guard("guard_office_checks", "psycho", "R158", aim="team", count=(0,)),
    _guard("guard_office_mafia", "psycho", "R159", aim="team", count=(0,)),
    _deadly("ghost_attack", "ghost", "ghost_attack", "R162", undead=True),
    _hostile("vampire_bite", "vampire", "attack", "vampire_bite", "R163", undead=True),
    *(
        Move(name, (), "attack", _LICENCE_ROWS.get(name, name), kind="extra", hostile=True, deadly=True,
             undead=name == "licence_vampire", item=name, rule="R40")
        for name in LICENCES
    ),
)  # fmt: skip

_BY_ROLE = {(role, move.action): move for move in TABLE for role in move.roles}
_OF_OWNER = {move.action: move for move in TABLE if not move.roles}
PLACE = {id(move): place for place, move in enumerate(TABLE)}
"""Place of a move in the rules' table, by which the newspaper sorts (R174)."""

ACTIONS = tuple(dict.fromkeys(move.action for move in TABLE))

ATTACK_ORDER = (
    "licence_supershot", "killer.kill", "licence_triple", "licence_double", "licence_maniac", "licence_killer", "rifle",
    "triple_kill", "double_kill", "revolver", "commissioner.kill", "shot", "pistol", "licence_kill", "blow_up_office", "frenzy",
    "bite", "poison", "necro_poison", "use_staff", "ghost_attack", "vampire_bite", "licence_vampire",
)  # fmt: skip
"""R57: whose hit is credited first, and in which order armour is asked."""


def find(role: str, action: str, pistol_roles: tuple[str, ...]) -> Move | None:
    """The move that a player of ``role`` makes by this action, or None when it is not his (R9 ``not_your_action``).

    ``pistol_roles`` is the table option of R22 (D12): who fires a bought pistol as an extra action.
    """
    if action in _OF_OWNER:
        return _OF_OWNER[action]
    found = _BY_ROLE.get((role, action))
    if action == "pistol" and (found is None or found.kind == "extra"):
        return _BY_ROLE["citizen", "pistol"] if role in pistol_roles else None
    return found


def of_role(role: str) -> tuple[Move, ...]:
    """All moves (kind m, without the staff) of a role, in the order of the table (R87)."""
    return tuple(move for move in TABLE if role in move.roles and move.kind == "move")


def attack_rank(move: Move) -> int:
    """Place in the attack order of R57; lower goes first."""
    if move.action in ATTACK_ORDER:
        return ATTACK_ORDER.index(move.action)
    return ATTACK_ORDER.index(f"{move.roles[0]}.{move.action}")
