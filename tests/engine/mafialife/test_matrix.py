"""The interaction matrix of chapter 15: as printed, and cell by cell as the engine plays it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.rulesets.mafialife import matrix
from forumbot.cli.main import main
from tests.engine.mafialife.board import once

RULES = (Path(__file__).parents[3] / "docs" / "rules" / "mafialife.md").read_text(encoding="utf-8")
_CHAPTER = RULES.split("## 15 Matrix")[1].split("\n## ")[0]
TABLE = [line for line in _CHAPTER.splitlines() if line.startswith("|")]
COLUMNS = [cell.strip() for cell in TABLE[0].strip("|").split("|")][1:]
CELLS = {row[0].strip(): [c.strip() for c in row[1:]] for row in (line.strip("|").split("|") for line in TABLE[2:])}


def test_the_command_prints_the_rules_own_table() -> None:
    result = CliRunner().invoke(main, ["rules", "mafialife", "--matrix"])
    assert result.exit_code == 0
    assert result.output.splitlines() == TABLE
    assert matrix.printed() in RULES


@dataclass(frozen=True)
class Attack:
    """How one attack of the table is made: the attacker's line of the cast, his order, the antirole against him."""

    line: str
    attacker: str
    order: str
    antirole: str = ""
    target: str = "Цель"


ATTACKS = [
    Attack("hack, canard", "hacker", "hack Цель", "anti_hacker"),
    Attack("hack, canard", "hacker", "canard Цель", "anti_hacker"),
    Attack("theft", "hacker", "theft Цель", "anti_hacker"),
    Attack("divert", "hacker", "divert Цель Тим", "anti_hacker"),
    Attack("check, learn_role (office roles), learn_role (journalist)", "commissioner", "check Цель", "anti_commissioner"),
    Attack("check, learn_role (office roles), learn_role (journalist)", "assistant", "check Цель", "anti_assistant"),
    Attack("check (journalist)", "mafia_journalist", "check Цель", "anti_mafia_journalist"),
    Attack("steal_documents", "mafia_journalist", "steal_documents Цель", "anti_mafia_journalist"),
    Attack("watch, super_watch, befog, recruit, paralyse", "psycho", "watch Цель", "anti_psycho"),
    Attack("watch, super_watch, befog, recruit, paralyse", "psycho level=1", "super_watch Цель", "anti_psycho"),
    Attack("watch, super_watch, befog, recruit, paralyse", "psycho", "befog Цель", "anti_psycho"),
    Attack("watch, super_watch, befog, recruit, paralyse", "necromancer", "paralyse Цель", "anti_necromancer"),
    Attack("sleep", "girl", "sleep Цель", "anti_girl"),
    Attack("sleep", "girl", "sleep Цель", "condom"),
    Attack("aids", "girl level=1", "aids Цель", "condom"),
    Attack("capture", "maniac level=1", "capture Цель", "anti_maniac"),
    Attack("bite, frenzy", "maniac level=1", "bite Цель", "anti_maniac"),
    Attack("bite, frenzy", "maniac level=1", "frenzy Цель", "anti_maniac,anti_maniac"),
    Attack("poison (R55)", "maniac level=1", "poison Цель", "anti_maniac"),
    Attack("killer's kill", "killer level=1", "kill Цель", "anti_killer"),
    Attack("the same, piercing", "killer level=2", "kill Цель", "anti_killer"),
    Attack("revolver, double/triple_kill, kill (commissioner), shot, pistol", "mafioso", "revolver Цель", "anti_mafioso"),
    Attack("revolver, double/triple_kill, kill (commissioner), shot, pistol", "commissioner", "kill Цель", "anti_commissioner"),
    Attack("revolver, double/triple_kill, kill (commissioner), shot, pistol", "assistant", "shot Цель", "anti_assistant"),
    Attack("revolver, double/triple_kill, kill (commissioner), shot, pistol", "psycho", "pistol Цель", "anti_psycho"),
    Attack(
        "revolver, double/triple_kill, kill (commissioner), shot, pistol", "citizen items=pistol", "pistol Цель", "anti_citizen"
    ),
    Attack("rifle", "mafioso level=1", "rifle Цель", "anti_mafioso"),
    Attack("necro_poison (maniac: immune)", "necromancer", "necro_poison Цель", "anti_necromancer"),
    Attack("use_staff", "doctor staff=1", "use_staff Цель", "anti_necromancer"),
    Attack("ghost_attack", "ghost", "ghost_attack Цель", "anti_ghost"),
    Attack("vampire_bite", "vampire", "vampire_bite Цель", "anti_vampire"),
    Attack("licence_kill", "doctor items=licence_kill", "licence_kill Цель", "anti_doctor"),
    Attack("licence_double / triple", "doctor items=licence_double", "licence_double Цель", "anti_doctor"),
    Attack("licence_double / triple", "doctor items=licence_triple", "licence_triple Цель", "anti_doctor"),
    Attack("licence_supershot", "doctor items=licence_supershot", "licence_supershot Цель", "anti_doctor"),
    Attack("licence_vampire (necromancer: immune)", "doctor items=licence_vampire", "licence_vampire Цель", "anti_doctor"),
]

# Column -> who is the target, who keeps the protection, how it is ordered.
PROTECTIONS = {
    "OG": ("doctor", "commissioner", "guard_office"),
    "PC": ("doctor", "psycho", "guard_office_checks"),
    "PM": ("doctor", "psycho", "guard_office_mafia"),
    "AG": ("citizen", "mafia_agent", "guard Цель"),
    "AK": ("citizen", "mafia_agent", "kill_attacker Цель"),
    "GD": ("mafia_lawyer", "mafia_agent level=1", "guard_den"),
    "AS": ("commissioner", "assistant", "guard_commissioner Цель"),
    "AP": ("necromancer", "apostate", "guard_necromancer Цель"),
    "LR": ("maniac level=1", "", "lair"),
    "AL": ("maniac", "", ""),
    "KA": ("killer", "", ""),
    "HL": ("citizen", "doctor", "heal Цель"),
    "SH": ("citizen", "doctor level=1", "super_heal Цель"),
    "HO": ("commissioner", "doctor level=1", "heal_office"),
    "AR": ("citizen items={antirole}", "", ""),
    "AM": ("citizen items=armour,armour,armour,armour", "", ""),
    "EL": ("citizen items=elixir", "", ""),
    "EU": ("citizen items=elixir_ultra", "", ""),
}
REASONS = {
    "OG": {"office_guard"}, "PC": {"psycho_guard_checks"}, "PM": {"psycho_guard_mafia"}, "AG": {"agent_guard"},
    "AK": {"agent_kill_attacker"}, "GD": {"den_guard"}, "AS": {"assistant_guard"}, "AP": {"apostate_guard"}, "LR": {"lair"},
    "AL": {"auto_lair"}, "KA": {"autoprotect"}, "HL": {"heal"}, "SH": {"super_heal"}, "HO": {"heal_office"}, "AM": {"armour"},
    "EL": {"elixir"}, "EU": {"elixir_ultra"},
}  # fmt: skip
TEMPERED = {"aids": {"SH", "AL"}}
"""Cells whose effect R101 tells, and test_girls holds."""


def effect_of(cell: str, attack: Attack, column: str) -> str:
    """The bare effect of a cell, its footnote applied to the attackers of the list above (none is a recruited neutral)."""
    bare = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", "", cell)
    if "⁴" in cell and not attack.attacker.startswith(("mafioso", "unfaithful")):
        return "–"
    if "²" in cell and column == "KA":
        return "girl"
    if bare == "R47":
        return "U"
    return bare


CASES = [
    pytest.param(attack, column, id=f"{attack.attacker.split()[0]}-{attack.order.split()[0]}-{column}")
    for attack in ATTACKS
    for column in COLUMNS
    if column not in TEMPERED.get(attack.line, ())
    and not (column == "AP" and attack.order.startswith("licence_vampire"))  # necromancers are immune (R45)
]


@pytest.mark.parametrize(("attack", "column"), CASES)
def test_every_cell_is_played_as_printed(attack: Attack, column: str) -> None:
    effect = effect_of(CELLS[attack.line][COLUMNS.index(column)], attack, column)
    who, keeper, how = PROTECTIONS[column]
    action = attack.order.split()[0]
    lines = [
        f"Цель {who.format(antirole=attack.antirole)}",
        "Тим citizen",
        f"Враг {attack.attacker}",
        "Ник doctor",
        "Ян mafioso",
        "Кром necromancer",
    ]
    orders = [f"Враг {attack.order}"]
    if keeper:
        lines.append(f"Страж {keeper}")
    if how:
        orders.append(f"{'Страж' if keeper else 'Цель'} {how}")
    if action == "divert" and column != "LR":
        # Somebody to divert: the target makes a move of his own where his role has one without a victim.
        orders += [f"Цель {move}" for move in MOVES.get(who.split()[0], ())]
    result = once("\n".join(lines), *orders)
    reason = result.outcomes[f"Враг:{action}"]
    stopped = reason in REASONS.get(column, {attack.antirole.split(",")[0]})
    if action == "poison":  # its outcome is that of the spread (R58)
        stopped = "Цель" not in result.dead
    if effect in ("S", "K", "U"):
        assert stopped, (reason, effect)
    elif effect == "girl":
        assert reason == "condom"
    else:
        assert not stopped, (reason, effect)
    assert ("Враг" in result.dead) == (effect == "K")
    items = result.state("Цель")["items"] if column in ("AR", "AM", "EL", "EU") else None
    if items is not None and action != "theft":
        used_up(effect, column, items, attack)


def used_up(effect: str, column: str, items: list[str], attack: Attack) -> None:
    """U takes units, P destroys all of the armour, – leaves everything."""
    had = {"AR": len(attack.antirole.split(",")), "AM": 4, "EL": 1, "EU": 1}[column]
    if effect == "U":
        assert len(items) < had
    elif effect == "P":
        assert items == []
    else:
        assert len(items) == had


MOVES = {
    "doctor": ("heal Тим",),
    "citizen": (),
    "mafia_lawyer": (),
    "commissioner": ("check Тим",),
    "necromancer": ("paralyse Тим",),
    "maniac": ("bite Тим",),
    "killer": ("kill Тим",),
}
