"""Who has won (R66-R69)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.rulesets.goldenkey.roles import DRAW, MANIACS, TOWNSFOLK, VILLAINS
from engine.rulesets.goldenkey.state import Player
from engine.rulesets.goldenkey.tables import Tables


def winner(players: Iterable[Player], tables: Tables) -> str | None:
    """The winner at the end of step 8, ``draw`` when nobody lives, None while the game goes on. A recruited maniac counts for
    his new clan, but the maniacs need only the born villains dead (D48). A winner needs somebody alive (D49). It is asked once
    a turn, behind step 8 (D50)."""
    living = Counter((p.born, p.faction) for p in players if p.alive)
    if not living:
        return DRAW
    villains, joined = living[VILLAINS, VILLAINS], living[MANIACS, VILLAINS]
    free, town_maniacs = living[MANIACS, MANIACS], living[MANIACS, TOWNSFOLK]
    town = living[TOWNSFOLK, TOWNSFOLK] + town_maniacs
    mafiosi = villains + joined if tables.joined_counts_as_villain else villains
    if free == 0 and town_maniacs == 0 and town <= 2 and villains + joined >= max(town, 1):
        return VILLAINS
    if mafiosi == 0 and free >= town and free >= 1:
        return MANIACS
    if villains == 0 and free == 0 and joined == 0 and town >= 1:
        return TOWNSFOLK
    return None
