"""Phase 17: points, levels, passwords, the next turn and the last accounts (R4, R27, R65); who has won says ``victory``."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from engine.model import Ended, Saved, Seat
from engine.rulesets.mafialife.day import raised_to
from engine.rulesets.mafialife.moves import of_role
from engine.rulesets.mafialife.night import DONE, NOT_CARRIED_OUT, Act, Night
from engine.rulesets.mafialife.roles import (
    PASSWORD_TEAMS,
)
from engine.rulesets.mafialife.state import Player, official
from engine.rulesets.mafialife.victory import winner

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
    victory = winner(night)
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
