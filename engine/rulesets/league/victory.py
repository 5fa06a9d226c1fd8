"""Who has won (R120-R124)."""

from __future__ import annotations

from engine.rulesets.league.roles import CIVILIANS, DRAW, GANGS, MAFIA, NEUTRALS, YAKUZA
from engine.rulesets.league.state import Desk, Player

RULE_OF_VICTORY = {MAFIA: "R120", YAKUZA: "R121", CIVILIANS: "R122", NEUTRALS: "R123", DRAW: "R124"}


def find_winner(living: list[Player]) -> str | None:
    """R120-R124, on the living alone. Asked at the end of a turn, by ``win.after_lynch`` before the night, too; nobody alive is
    a draw (D76)."""
    sides = {p.faction for p in living}
    if not sides:
        return DRAW
    criminal = sides & set(GANGS)
    if CIVILIANS in sides:
        return None if criminal else CIVILIANS
    if len(criminal) == 2:
        return None
    return next(iter(criminal)) if criminal else NEUTRALS


def out_of_turns(desk: Desk) -> str | None:
    """``win.max_turns``: an unattended game ends as a draw after this turn."""
    limit = desk.tables.win.max_turns
    return DRAW if limit and desk.turn >= limit else None
