"""Phase 5: the ЖЛП, their contest with each other and with the maniac, the showdown (R24-R36)."""

from __future__ import annotations

from engine.model import Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.night import Move, Night
from engine.rulesets.clans.stops import contest, settle


def seductresses(night: Night) -> None:
    """R28, step by step; an invitation of the maniac that is not used up here is played in phase 8."""
    for move in night.standing("seduce"):
        if not night.presence.alive(move.actor):
            settle(night, move)
    for move in _in_order(night, night.standing("seduce")):
        rival = contest(night, move)
        if settle(night, move):
            _take_in(night, move, rival)


def _in_order(night: Night, moves: list[Move]) -> list[Move]:
    """R27: who of two acts first. Without a case of R27 the letters' order decides.

    They draw for one person whoever it is, a civilian or the maniac, too (D18), and also when another rule then stops one of
    them (D19).
    """
    if len(moves) < 2:
        return moves
    moves = sorted(moves, key=lambda move: roles.CLANS.index(night.players[move.actor].faction))
    into_clan = [_into_other_clan(night, move) for move in moves]
    if all(into_clan) or moves[0].target == moves[1].target:
        first = night.chance.draw("seductress_draw", [move.actor for move in moves])
        return sorted(moves, key=lambda move: move.actor != first)
    if any(into_clan):
        return sorted(moves, key=lambda move: not _into_other_clan(night, move))
    return moves if moves[0].before(moves[1]) else moves[::-1]


def _into_other_clan(night: Night, move: Move) -> bool:
    target = night.players[move.target]
    return target.mafioso and target.faction != night.players[move.actor].faction


def _take_in(night: Night, move: Move, rival: Move | None) -> None:
    """The target is her guest; the maniac may bring his own guest along (R29)."""
    night.presence.lodge(move.target, move.actor)
    night.because("guest", move.target, move.refs)
    guests = [move.target]
    if night.players[move.target].role == roles.MANIAC:
        guests += _companion(night, move, earlier=rival is not None)
    for guest in guests:
        if night.players[guest].mafioso and night.players[guest].faction != night.players[move.actor].faction:
            _showdown(night, move, guest)


def _companion(night: Night, move: Move, *, earlier: bool) -> list[Seat]:
    """R29, D21, D22: whom the maniac brings to her, at most one; his invitation is done then."""
    invite = next(iter(night.standing("invite")), None)
    brings = {"by_time": earlier, "maniac_loses": False, "both": True}[night.tables.maniac_chain]
    if invite is None or not brings or invite.target == move.actor:
        return []
    guest = invite.target
    if not night.presence.alive(guest) or night.presence.is_guest(guest) or night.players[guest].acting == "seductress":
        return []
    night.presence.lodge(guest, move.actor)
    night.because("guest", guest, (*move.refs, *invite.refs))
    invite.done("R29")
    night.step("5", "brought_along", "R29", (*move.refs, *invite.refs), guest=guest, maniac=move.target, host=move.actor)
    return [guest]


def _showdown(night: Night, move: Move, guest: Seat) -> None:
    """R33: the invited clan comes to the motel; she gives away whom her clan checked last (R35) and dies. The name is told with
    its status, and to the torturers only (D25)."""
    hostess = night.players[move.actor]
    invited = night.players[guest].faction
    night.presence.showdowns[hostess.nick] = invited
    night.step("5", "showdown", "R33", move.refs, host=hostess.nick, guest=guest)
    checked = night.game.last_checked.get(hostess.faction)
    if checked is not None:
        night.tortured.append(checked)
        for member in night.game.clan(invited):
            night.tell(member.nick, "torture", "R35", move.refs, player=checked.player, status=checked.status)
    if night.tables.showdown_heal_saves and _doctor_comes(night, hostess.nick):
        night.rescue(hostess.nick, "R33", move.refs)
    else:
        night.kill(hostess.nick, "showdown", None, "R33", move.refs)


def _doctor_comes(night: Night, hostess: Seat) -> bool:
    """D24: a heal order for her by a living doctor who is nobody's guest."""
    return any(
        heal.target == hostess and night.presence.alive(heal.actor) and not night.presence.is_guest(heal.actor)
        for heal in night.standing("heal")
    )
