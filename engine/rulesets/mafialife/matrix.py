"""The interaction matrix of chapter 15, as the engine asks it and as ``forumbot rules mafialife --matrix`` prints it.

A cell is an effect and the number of a footnote. Effects: S stopped; K stopped and the attacker dies; ``-`` none;
P goes through (armour: all destroyed); U stopped, a unit is used up; R47 the double and triple licences; "" only a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

COLUMNS = ("OG", "PC", "PM", "AG", "AK", "GD", "AS", "AP", "LR", "AL", "KA", "HL", "SH", "HO", "AR", "AM", "EL", "EU")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one protection does to one attack."""

    effect: str
    note: int = 0


# One line for each kind of attack: id, how the rules' table calls it, its cells; a digit behind the effect is the footnote.
_LINES = (
    ("hack", "hack, canard", "S S - S K S K S K - - - - - U - - -"),
    ("theft", "theft", "S - - S K S K S K - - - - - U - - -"),
    ("divert", "divert", "S1 - - S K S K S K - - - - - U - - -"),
    ("check", "check, learn_role (office roles), learn_role (journalist)", "S S - S K S K S K - - - - - U - - -"),
    # D38: the lists of the journalist's check and of steal_documents name no guards.
    ("check_journalist", "check (journalist)", "- S - - - - - - K - - - - - U - - -"),
    ("steal_documents", "steal_documents", "- - - - - - - - K - - - - - U - - -"),
    ("visit", "watch, super_watch, befog, recruit, paralyse", "S - - S K S K S K - - - - - U - - -"),
    ("sleep", "sleep", "S - - S K S K S K - 2 - - - U2 - - -"),
    ("aids", "aids", "S - - S K S K S K S3 2 - S3 - U2 - - -"),
    ("sleep_role", "sleep_role", "S - - S K S K S K 3 2 - S3 - U2 - - -"),
    # D40: literally, the agent's plain guard drives off a capturing maniac and kills a biting one.
    ("capture", "capture", "S - - S K S K S K - - - - - U - - -"),
    ("bite", "bite, frenzy", "S - S4 K5 K S K S K S S S S S U - U U"),
    ("poison", "poison (R55)", "S - S4 S K S S S K S S S S S U - U U"),
    ("kill", "killer's kill", "S - S6 S K S S S K S S S S S U U U U"),
    ("kill_piercing", "the same, piercing", "P - S6 P K P S S P S S P S P U P U7 U"),
    ("shot", "revolver, double/triple_kill, kill (commissioner), shot, pistol", "S - S4 S K S K S K S S S S S U U U U"),
    ("rifle", "rifle", "S - S4 S K S K S K P S S S S U - U U"),
    ("blow_up_office", "blow_up_office (per member)", "S - S - - - - - S S S S S S U - U U"),
    ("necro_poison", "necro_poison (maniac: immune)", "S - - S K S K S K S S S S S U - - -"),
    ("use_staff", "use_staff", "S - S4 S K S K S K S S S S S U8 - U U"),
    ("ghost_attack", "ghost_attack", "S - - S K S K S K S S S S S U9 - U U"),
    ("vampire_bite", "vampire_bite", "S - - S K S K S K S S - S - U9 - - -"),
    # R41: the licence to kill is a citizen's pistol shot.
    ("licence_kill", "licence_kill", "S - S4 S K S K S K S S S S S - U U U"),
    ("licence_double", "licence_double / triple", "S - S4 S K S K S K S S S S S - R47 U U"),
    ("licence_maniac", "licence_maniac", "S - S4 S K S K S P P - S S S - U U U"),
    ("licence_killer", "licence_killer", "S - S4 S K S K S - - P S S S - U U U"),
    # D21: of what a supershot pierces the doctor is not named.
    ("licence_supershot", "licence_supershot", "P10 - S4 S K S K S K S S S S S - P P U"),
    ("licence_vampire", "licence_vampire (necromancer: immune)", "- - - - - - - - - - - - - - -9 - - -"),
    ("harmless", "mine-laying, heals, guards, swap_documents, give_staff", "- - - - - - - - - - - - - - - - - -"),
)

# Footnotes that decide something in the layers; the rules' chapter 15 has the words of all.
GUARDING_COMMISSIONER, KILLER_ANTIGIRL, AIDS_ONLY, FROM_DEN, UNLESS_AUTO_LAIR = 1, 2, 3, 4, 5
NOT_DEN_RECRUITED, TWO_COMMISSIONERS = 6, 10
"""The psycho's guard works on killers whom the mafia has not recruited (D32); a supershot pierces the office's guard unless it is
kept by at least two commissioners (D22)."""


def _cell(text: str) -> Cell:
    if text == "R47":
        return Cell("R47")
    match = re.fullmatch(r"([SKPU-]?)(\d*)", text)
    assert match is not None, text
    return Cell(match[1], int(match[2] or 0))


ROWS: dict[str, dict[str, Cell]] = {name: dict(zip(COLUMNS, map(_cell, cells.split()), strict=True)) for name, _, cells in _LINES}
"""Attack id -> column -> cell."""

_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _shown(cell: Cell) -> str:
    effect = "–" if cell.effect == "-" else cell.effect
    return effect + (str(cell.note).translate(_SUPERSCRIPT) if cell.note else "")


def printed() -> str:
    """The matrix as a Markdown table, line by line as in the rules."""
    lines = [f"| attack | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {title} | {' | '.join(_shown(ROWS[name][column]) for column in COLUMNS)} |" for name, title, _ in _LINES]
    return "\n".join(lines)
