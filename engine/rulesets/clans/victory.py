"""Who has won when the night is over (R100-R104)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Victory
from engine.rulesets.clans import roles
from engine.rulesets.clans.state import Player
from engine.rulesets.clans.tables import Tables

DRAW = Victory(roles.DRAW, None)


def victory(living: Sequence[Player], tables: Tables) -> Victory | None:
    """Who wins among the living: the first that holds of draw, maniac, civilians, clan; None while the game goes on.

    Clans and civilians win as is usual, at parity and when all criminals are gone; the maniac as the last (D51). The maniac is
    named by his nick, which may be spelled like a faction (D64).
    """
    count = {faction: sum(player.faction == faction for player in living) for faction in roles.FACTIONS}
    if not living:
        return DRAW
    if count[roles.MANIAC] and len(living) <= tables.maniac_wins_at:
        return Victory(next(player.nick for player in living if player.faction == roles.MANIAC), "player")
    mafia = count[roles.RED] + count[roles.BLACK]
    if count[roles.CIVILIANS] and not mafia and not count[roles.MANIAC]:
        return Victory(roles.CIVILIANS, "faction")
    if count[roles.MANIAC]:
        return None
    may_remain = mafia if tables.clan_wins_at == "parity" else 0
    for clan in roles.CLANS:
        if count[clan] and count[clan] == mafia and count[roles.CIVILIANS] <= may_remain:
            return Victory(clan, "faction")
    return None
