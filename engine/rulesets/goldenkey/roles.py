"""Who may do what: the roles of the rules' chapter 1 as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

VILLAINS, TOWNSFOLK, MANIACS = "villains", "townsfolk", "maniacs"
DRAW = "draw"
KILLER = "killer"
ELDER = "papa_carlo"
MALVINA, ARTEMON, BURATINO, PIERRO, ARLEKIN = "malvina", "artemon", "buratino", "pierro", "arlekin"
KARABAS, DUREMAR, ALISA, BASILIO = "karabas", "duremar", "alisa", "basilio"
GIUSEPPE, TORTILLA = "giuseppe", "tortilla"


@dataclass(frozen=True, slots=True)
class Role:
    """One row of the table of roles (1.2). ``faction`` is where it is dealt; ``actions`` are its commands (1.3)."""

    id: str
    faction: str
    actions: tuple[str, ...] = ()
    found_by_spy: bool = False
    """R36: a spy's watching of its holder succeeds."""
    giuseppes_blow: bool = False
    """R27: Giuseppe's attack on its holder takes a life."""
    tortillas_blow: bool = False
    """R28, as far as holding the role is enough; the killer and Artemon are told by their command (D23)."""


CANONICAL = (
    Role(KARABAS, VILLAINS, ("recruit",)),
    Role(DUREMAR, VILLAINS, ("guard",), found_by_spy=True, tortillas_blow=True),
    Role(ALISA, VILLAINS, ("beat",), found_by_spy=True, giuseppes_blow=True),
    Role(BASILIO, VILLAINS, ("spy",), giuseppes_blow=True),
    Role(BURATINO, TOWNSFOLK, ("kill",), found_by_spy=True, tortillas_blow=True),
    Role(MALVINA, TOWNSFOLK, ("invite",), found_by_spy=True, giuseppes_blow=True),
    Role(ARTEMON, TOWNSFOLK, ("beat", "kill"), found_by_spy=True, giuseppes_blow=True),
    Role(PIERRO, TOWNSFOLK, ("spy",), giuseppes_blow=True),
    Role(ARLEKIN, TOWNSFOLK, ("recruit",)),
    Role(ELDER, TOWNSFOLK, (), found_by_spy=True),
    Role(GIUSEPPE, MANIACS, ("attack",)),
    Role(TORTILLA, MANIACS, ("attack",)),
    Role(KILLER, VILLAINS, ("kill",), found_by_spy=True, tortillas_blow=True),
)
"""All roles in canonical order (1.2)."""

ROLES: Mapping[str, Role] = MappingProxyType({role.id: role for role in CANONICAL})
RANK: Mapping[str, int] = MappingProxyType({role.id: i for i, role in enumerate(CANONICAL)})

VILLAIN_ROLES = tuple(role.id for role in CANONICAL if role.faction == VILLAINS and role.id != KILLER)
TOWN_ROLES = tuple(role.id for role in CANONICAL if role.faction == TOWNSFOLK)
MANIAC_ROLES = tuple(role.id for role in CANONICAL if role.faction == MANIACS)

COUNTED_ROLES = (KILLER, BURATINO, MALVINA, ARTEMON, PIERRO, ARLEKIN)
"""Roles with lives of their own, in the order of the newspaper (R62)."""

PLAIN: Mapping[str, str] = MappingProxyType({VILLAINS: "villain", TOWNSFOLK: "citizen"})
"""What somebody without a role is called, by faction."""

COMMANDS = frozenset(action for role in CANONICAL for action in role.actions)


def in_order(roles: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The roles in canonical order."""
    return tuple(sorted(roles, key=RANK.__getitem__))
