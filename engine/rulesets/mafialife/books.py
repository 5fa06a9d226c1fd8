"""Phase 17: points, levels, passwords, the next turn, victory and the last accounts (R4, R27, R64-R65, R175-R179)."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from engine.model import Ended, Saved, Seat, Victory
from engine.rulesets.mafialife.day import raised_to
from engine.rulesets.mafialife.moves import of_role
from engine.rulesets.mafialife.night import DONE, NOT_CARRIED_OUT, Act, Night
from engine.rulesets.mafialife.roles import (
    DEN,
    DEN_ATTACKERS,
    GRAVEYARD,
    NEUTRAL,
    OFFICE,
    OFFICE_ATTACKERS,
    PASSWORD_TEAMS,
    WEAPONS,
)
from engine.rulesets.mafialife.state import Game, Player, official

DRAW = "draw"
_TWICE = ("sleep", "aids")
"""Actions that may not reach the same player in two turns running (R100, R101)."""


def books(night: Night) -> None:
    """Close the accounts of the turn; passwords are told before the game can end (R50, phase 17)."""
    _count_used(night)
    _pay(night)
    _levels(night)
    _next_turn(night)
    for seat, player in night.game.players.items():
        if seat in night.reached and player.alive:
            night.events.append(Saved(seat, rule="R59"))
    _send_passwords(night)
    victory = _winner(night)
    if victory is None:
        return
    night.game = replace(night.game, victory=victory, stage="over")
    _convert(night)
    night.events.append(Ended(victory.winner, victory.kind, rule="R175"))


# --- Points and levels -------------------------------------------------------------------------------------------------


def _count_used(night: Night) -> None:
    """R5, R130: moves carried out, of the team's move the executor's; not of those who begin anew."""
    for act in (*night.acts, *night.day_acts):
        if act.extra or act.result in NOT_CARRIED_OUT or act.owner in night.turned:
            continue
        player = night.player(act.owner).carried_out(act.action)
        if act.action == "sleep_role" and act.args.get("aids") is True:
            player = player.carried_out("aids")
        night.put(player)


def _pay(night: Night) -> None:
    """R4, R16, R75: points of this turn, to the dead as well; who turned keeps none."""
    for act in (*night.acts, *night.day_acts):
        points = _worth(night, act)
        if points:
            for seat in (act.diverter,) if act.diverter is not None and act.result == DONE else act.authors or (act.owner,):
                night.earn(seat, points)
                night.note("books", "points", act.move.rule, act.refs, player=seat, points=points, action=act.action)
    for seat, points in night.earned.items():
        if points and seat not in night.turned:
            night.change(seat, points=night.player(seat).points + points)


def _worth(night: Night, act: Act) -> int:
    """What an act brings (section 20)."""
    pay = night.tables.pay
    stripped = pay(act.role, "antielixir") if act.stripped else 0
    if act.result != DONE:
        return stripped
    if act.move.pays == "stops":
        return pay(act.role, act.action) if act.stopped else 0
    if act.move.pays == "kills":
        return pay(act.role, act.action) * len(act.kills)
    if act.action == "sleep_role" and act.infected:
        return pay(act.role, "sleep_role_aids")
    if act.action == "kill" and act.role == "killer":
        return pay(act.role, "pierce" if act.pierced else "kill") + stripped
    return pay(act.role, act.action)


def _levels(night: Night) -> None:
    """R4, R28: recomputed for the living; the gifts of each level newly reached."""
    for seat, player in list(night.game.players.items()):
        if not player.alive:
            continue
        level = max(night.tables.level_of(player.role, player.points), player.bought_level)
        if level > player.level:
            player, notice = raised_to(night.game, player, level)
            night.events.append(notice)
            night.put(player)
        else:
            night.change(seat, level=level)


# --- What holds for the next turn --------------------------------------------------------------------------------------


def _next_turn(night: Night) -> None:
    """Captures and paralyses take the place of the old ones; the day's counters begin anew (R86, R144, D31)."""
    captors: dict[Seat, Seat] = {}
    for captor, captive in night.captures:
        if night.player(captor).alive and night.player(captive).alive:
            captors[captive] = captor
    for seat, player in list(night.game.players.items()):
        paralysed = seat in night.paralysed and player.alive
        night.change(seat, captive_of=captors.get(seat, ""), paralysed=paralysed, vote_spent=False, move_spent=False,
                     goods_today=0)  # fmt: skip
        if paralysed:
            night.notice(seat, "paralysed", "R144")
    for captive, captor in captors.items():
        _tell_capture(night, captor, night.player(captive))
    last = {
        act.owner: MappingProxyType({act.action: act.aims[0]})
        for act in night.acts
        if act.action in _TWICE and act.result not in NOT_CARRIED_OUT
    }
    night.game = replace(night.game, last_targets=MappingProxyType(last))


def _tell_capture(night: Night, captor: Seat, captive: Player) -> None:
    """R86, R87: the maniac gets the captive's moves with what is left of them."""
    night.notice(captive.seat, "captured", "R86")
    moves = []
    for move in of_role(captive.role):
        allowed = night.tables.allowed(captive.role, move.action, captive.level)
        left = "unlimited" if allowed < 0 else str(max(0, allowed - captive.used.get(move.action, 0)))
        moves.append(f"{move.action}:{left}")
    night.notice(captor, "captive_moves", "R86", captive=captive.seat, role=captive.role, level=captive.level, moves=moves)


def _send_passwords(night: Night) -> None:
    """R3, R76: to new official members, and every turn to the hackers inside."""
    for seat, player in list(night.game.players.items()):
        if not player.alive:
            continue
        teams = set(player.infiltrated)
        if player.faction in PASSWORD_TEAMS and official(night.game, player):
            if player.told_team != player.faction:
                teams.add(player.faction)
            night.change(seat, told_team=player.faction)
        elif player.told_team:
            night.change(seat, told_team="")
        for team in PASSWORD_TEAMS:
            if team in teams:
                night.notice(seat, "team_password", "R3", team=team, password=password(night, team))


def password(night: Night, team: str) -> str:
    """A team's word for the whole game, drawn when it is first sent; the two teams never share one (R3)."""
    known = night.game.passwords
    if team not in known:
        words = sorted(set(night.tables.passwords) - set(known.values()))
        word = night.chance.draw(f"password_{team}", words, single_is_draw=True)
        night.game = replace(night.game, passwords=MappingProxyType({**known, team: word}))
    return night.game.passwords[team]


# --- Victory -----------------------------------------------------------------------------------------------------------


def _winner(night: Night) -> Victory | None:
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


def _convert(night: Night) -> None:
    """R27, R65: all items become MafBucks; a recruited neutral who refused is paid for his points."""
    tables = night.tables
    for seat, player in list(night.game.players.items()):
        for item in player.items:
            night.book(seat, tables.sell_price(item), "conversion", item)
        night.change(seat, items=())
        mark = tables.win_points.get(player.role)
        if player.refused and mark is not None and player.points >= mark:
            night.book(seat, tables.mafbucks_per_point * player.points, "points")
