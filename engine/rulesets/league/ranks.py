"""Duty numbers, their shifting, the werewolf that fills a gap, and who is told (R50, R51, R55)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.model import Seat
from engine.rulesets.league.roles import CIVILIANS, GANGS, MAFIA
from engine.rulesets.league.state import Desk, Player, gang, numbers_of


def close_ranks(desk: Desk, dead: Sequence[Seat]) -> None:
    """Fill or close the places of the dead of one moment, death by death in their order (R44, R51, R55)."""
    turned: list[Seat] = []
    for seat in dead:
        place = desk.players[seat].number
        if not place:
            continue
        side = desk.players[seat].faction
        desk.change(seat, number=0)
        heir = _heir(desk) if side == MAFIA else ""
        if heir:
            desk.change(heir, faction=MAFIA, number=place)
            turned.append(heir)
            desk.step("ranks", "turned", "R55", player=heir, number=place)
        else:
            _shift(desk, side, place)
    _tell(desk, turned)


def _heir(desk: Desk) -> Seat:
    """Which living werewolf takes a dead mafioso's place; several are drawn (D10). Who died before his turn never turns, not
    even when he is brought back (R56, D11)."""
    waiting = [p.seat for p in desk.living() if p.role == "werewolf" and p.faction == CIVILIANS and not p.tame]
    return desk.chance.draw("werewolf_turn", waiting) if waiting else ""


def _shift(desk: Desk, side: str, place: int) -> None:
    """All higher numbers go down by one, those of the dead still waiting their turn too."""
    for player in list(desk.players.values()):
        if player.faction == side and player.number > place:
            desk.change(player.seat, number=player.number - 1)


def _tell(desk: Desk, turned: Sequence[Seat]) -> None:
    """Numbers in the notices are those that hold once all deaths of the moment are settled."""
    members = gang(desk.players, MAFIA)
    numbers = numbers_of(desk.players, MAFIA)
    for seat in turned:
        partners = [p.seat for p in members if p.seat != seat]
        desk.notice(seat, "turned", "R55", number=numbers[seat], partners=partners, numbers=dict(numbers))
        for partner in partners:
            desk.notice(partner, "new_partner", "R55", nick=seat, number=numbers[seat])


def next_duty(players: Mapping[Seat, Player], duty: Mapping[str, int]) -> dict[str, int]:
    """Each gang's duty number of the next turn (R50). The number simply walks on; nobody takes the place of a member whom the
    day has lost (D9)."""
    following = {}
    for side in GANGS:
        number = duty.get(side, 0) + 1
        following[side] = 1 if number > len(gang(players, side)) else number
    return following


def entry_duty(players: Mapping[Seat, Player], turn: int) -> dict[str, int]:
    """The duty numbers of a game entered at this turn (R50)."""
    return {side: turn % max(1, len(gang(players, side))) + 1 for side in GANGS}


def on_duty(players: Mapping[Seat, Player], duty: Mapping[str, int]) -> dict[str, Seat]:
    """Who is on duty in each gang that has a member of this number."""
    return {side: p.seat for side in GANGS for p in gang(players, side) if p.number == duty.get(side)}
