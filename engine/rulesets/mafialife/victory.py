"""Who has won (R64, R175-R179)."""

from __future__ import annotations

from engine.model import Victory
from engine.rulesets.mafialife.night import Night
from engine.rulesets.mafialife.roles import DEN, DEN_ATTACKERS, GRAVEYARD, NEUTRAL, OFFICE, OFFICE_ATTACKERS, WEAPONS
from engine.rulesets.mafialife.state import Game, Player

DRAW = "draw"


def winner(night: Night) -> Victory | None:
    """R175, in its order; a nick may be spelled like a team (D58)."""
    game = night.game
    alive = [player for player in game.players.values() if player.alive]
    by_points = _by_points(night, alive)
    if by_points is not None:
        return Victory(by_points, "player")
    if not alive:
        return Victory(DRAW, None)
    for team in (DEN, OFFICE, GRAVEYARD):
        if _team_wins(game, alive, team):
            return Victory(team, "faction")
    if all(player.faction == NEUTRAL for player in alive) or game.days >= game.tables.max_days:
        return Victory(DRAW, None)
    return None


def _by_points(night: Night, alive: list[Player]) -> str | None:
    """R64: the most points of those who reached their mark; equal ones draw."""
    marks = night.tables.win_points
    reached = [p for p in alive if p.role in marks and p.points >= marks[p.role] and not p.refused]
    if not reached:
        return None
    most = max(player.points for player in reached)
    best = sorted(player.seat for player in reached if player.points == most)
    return night.chance.draw("points_win_tie", best) if len(best) > 1 else best[0]


def _armed(player: Player) -> bool:
    return any(item in WEAPONS for item in player.items)


def _office_attacker(game: Game, player: Player) -> bool:
    """R176, D37."""
    if player.role == "citizen":
        return game.tables.shooting_citizens == "all" or _armed(player)
    return player.role in OFFICE_ATTACKERS or (player.recruited and player.faction == OFFICE)


def _den_attacker(player: Player) -> bool:
    """R177."""
    if player.role == "unfaithful":
        return _armed(player)
    return player.role in DEN_ATTACKERS or (player.recruited and player.faction == DEN)


def _team_wins(game: Game, alive: list[Player], team: str) -> bool:
    """R176-R179: a living member, nobody left who could strike at it, and more members than free neutrals, who have no share in
    a team's victory (R66)."""
    members = sum(player.faction == team for player in alive)
    neutrals = sum(player.faction == NEUTRAL for player in alive)
    if not members or members <= neutrals:
        return False
    threats = {
        OFFICE: any(_office_attacker(game, player) for player in alive),
        DEN: any(_den_attacker(player) for player in alive),
        GRAVEYARD: any(player.faction == GRAVEYARD for player in alive),
    }
    return not any(there for other, there in threats.items() if other != team)
