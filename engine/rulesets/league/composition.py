"""Which roles are dealt to how many players: the table of chapter 3 and the checks of H3. The table of chapter 3 is ours (D81).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.badinput import check_keys
from engine.model import EngineError
from engine.rulesets.league.roles import ROLES

Rows = Mapping[int, Mapping[str, int]]

MANY = ("mafioso", "yakuza", "ninja", "werewolf", "citizen")
"""Roles of which there may be several; of every other one at most one (H3)."""
ONLY_WITH = {"immortal": "maniac", "sergeant": "commissioner", "werewolf": "mafioso", "lawyer": "mafioso"}


def composition(place: str, value: Any) -> Mapping[str, int]:
    """Role -> how many, checked by H3. Raises EngineError with the path of what does not fit."""
    if not isinstance(value, Mapping):
        raise EngineError(place, "здесь должна стоять таблица: роль = сколько")
    check_keys(place, value, ROLES)
    for role, count in value.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise EngineError(f"{place}.{role}", "здесь должно стоять целое число не меньше 0")
        if count > 1 and role not in MANY:
            raise EngineError(f"{place}.{role}", "такая роль в партии может быть только одна")
    for role, needed in ONLY_WITH.items():
        if value.get(role) and not value.get(needed):
            raise EngineError(f"{place}.{role}", f"эта роль вводится только вместе с ролью {needed}")
    return MappingProxyType({role: count for role, count in value.items() if count})


def rows(place: str, value: Any) -> Rows:
    """Least number of players -> composition, rising. Raises EngineError with the path of what does not fit."""
    if not isinstance(value, Mapping) or not value:
        raise EngineError(place, "здесь должна стоять таблица: число игроков = состав")
    table: dict[int, Mapping[str, int]] = {}
    for key, row in value.items():
        if not str(key).isdecimal():
            raise EngineError(f"{place}.{key}", "строка таблицы называется числом игроков")
        count, checked = int(key), composition(f"{place}.{key}", row)
        if sum(checked.values()) > count:
            raise EngineError(f"{place}.{key}", f"ролей {sum(checked.values())}, а игроков только {count}")
        table[count] = checked
    return MappingProxyType(dict(sorted(table.items())))


def roles_for(players: int, table: Rows, fixed: Mapping[str, int]) -> tuple[str, ...]:
    """The roles to deal, citizens included: the fixed composition, else the row with the largest number not above
    the number of players. Raises EngineError when there are too few players."""
    if fixed:
        chosen = fixed
        if sum(fixed.values()) > players:
            raise EngineError("tables.setup.roles", f"ролей {sum(fixed.values())}, а игроков только {players}")
    else:
        fitting = [least for least in table if least <= players]
        if not fitting:
            raise EngineError("players", f"игроков {players}, а нужно не меньше {min(table)}")
        chosen = table[max(fitting)]
    # In the order of the roles' ids: that of a table's keys carries no meaning, and a store may sort them.
    dealt = [role for role, count in sorted(chosen.items()) for _ in range(count)]
    return (*dealt, *["citizen"] * (players - len(dealt)))
