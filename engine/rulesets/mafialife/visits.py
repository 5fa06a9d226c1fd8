"""Phases 4-8: befog, the girls' visits, diversions; within one phase nothing touches anything else (R50, R51, R73, R74)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.model import Seat
from engine.rulesets.mafialife import layers
from engine.rulesets.mafialife.night import DONE, Act, Hit, Night


def met(night: Night, acts: Sequence[Act]) -> list[Hit]:
    """Send acts with one target each against the layers 1-7. Acts whose target is gone fail ``bad_target`` (R8)."""
    hits = []
    for act in acts:
        act.executed = True
    for act in acts:
        if act.unfit or not night.player(act.aims[0]).alive:
            night.outcome(act, "bad_target", "R74" if act.unfit else "R8")
            continue
        hit = Hit(act, act.aims[0], act.move.row)
        act.hits.append(hit)
        hits.append(hit)
    layers.wards(night, [hit for hit in hits if not layers.outer(night, hit)])
    return hits


def foil(night: Night, seats: Iterable[Seat], reason: str, by: str) -> None:
    """R51: moves still on their way do not happen."""
    for seat in seats:
        act = night.move_of(seat)
        if act is not None:
            night.note(by, "foiled", "R51", act.refs, player=seat, action=act.action, reason=reason)
            night.outcome(act, reason, "R51")


def befog(night: Night) -> None:
    """Phase 4 (R157)."""
    foiled = []
    for hit in met(night, list(night.open_acts("befog"))):
        night.outcome(hit.act, hit.stop or DONE)
        if hit.stop is None:
            foiled.append(hit.target)
    foil(night, foiled, "befogged", "befog")


# --- Girls -------------------------------------------------------------------------------------------------------------

_VISITS = ("sleep", "aids", "sleep_role")


def _waiting(night: Night) -> list[Act]:
    return [act for act in night.open_acts(*_VISITS) if not act.executed]


def _holders(night: Night, act: Act) -> list[Seat]:
    role = act.args.get("role")
    return [seat for seat, p in night.game.players.items() if p.alive and p.role == role and seat != act.owner]


def _aimed_at(night: Night, act: Act) -> Seat | None:
    """Whom a girl visits: named, found by his role, or given by a diversion (R102, R74)."""
    if act.action != "sleep_role" or act.found is not None:
        return act.aims[0]
    holders = _holders(night, act)
    return holders[0] if len(holders) == 1 else None


def _turns_a_girl(night: Night, seat: Seat) -> bool:
    """Whether this player is a hacker who this night diverts a girl."""
    divert = night.move_of(seat)
    return divert is not None and divert.action == "divert" and night.player(divert.targets[0]).role == "girl"


def girl_first(night: Night) -> None:
    """Phase 5: visits to a hacker who diverts a girl (D24)."""
    acts = []
    for act in _waiting(night):
        target = _aimed_at(night, act)
        if target is not None and _turns_a_girl(night, target):
            acts.append(act)
    _visit(night, acts)


def girl(night: Night) -> None:
    """Phase 7: all other visits."""
    _visit(night, _waiting(night))


def _visit(night: Night, acts: Sequence[Act]) -> None:
    """R90, R100-R102. Who is infected does nothing that night either (D39)."""
    going = []
    for act in acts:
        act.executed = True
        if act.action == "sleep_role" and act.found is None:
            holders = _holders(night, act)
            if len(holders) != 1:
                night.outcome(act, "role_not_unique" if holders else "no_such_role", "R102")
                continue
            act.found = holders[0]
        going.append(act)
    foiled = []
    for hit in met(night, going):
        if hit.stop is None:
            foiled.append(hit.target)
            _infect(night, hit)
        result = hit.stop or ("auto_lair" if hit.softened and hit.act.action == "aids" else DONE)
        if hit.act.action == "aids" and hit.stop == "super_heal":
            result = DONE
        night.outcome(hit.act, result)
    foil(night, foiled, "slept", "girl")


def _infect(night: Night, hit: Hit) -> None:
    """R101: the victim dies at the end of the next turn; a second infection changes nothing."""
    infecting = hit.act.action == "aids" or (hit.act.action == "sleep_role" and hit.act.args.get("aids") is True)
    if not infecting or hit.softened:
        return
    hit.act.infected = True
    if night.player(hit.target).aids_due == 0:
        night.change(hit.target, aids_due=night.turn + 1, aids_by=hit.act.owner, aids_ref=hit.act.ref)
        night.infected[hit.target] = None
        night.notice(hit.target, "infected", "R101", hit.act.refs)


# --- Diversions --------------------------------------------------------------------------------------------------------


def divert_girl(night: Night) -> None:
    """Phase 6: diverts whose A is a girl who is to move."""
    acts = [a for a in night.open_acts("divert") if night.player(a.targets[0]).role == "girl" and night.move_of(a.targets[0])]
    _divert(night, acts)


def divert(night: Night) -> None:
    """Phase 8: all other diverts."""
    _divert(night, [act for act in night.open_acts("divert") if not act.executed])


def _divert(night: Night, acts: Sequence[Act]) -> None:
    """R73: the layers are asked before it is seen whether A moves at all."""
    for hit in met(night, acts):
        if hit.stop is not None:
            night.outcome(hit.act, hit.stop)
            continue
        turned = night.move_of(hit.target)
        if turned is None or turned.diverter is not None:
            night.outcome(hit.act, "nothing_to_divert", "R73")
        elif turned.move.team and _movers(night) > 1:
            night.outcome(hit.act, "several_movers", "R74")
        else:
            _turn(night, hit.act, turned)
            night.outcome(hit.act, DONE)


def _movers(night: Night) -> int:
    """R130: mafiosi whose order nobody has foiled yet."""
    return sum(1 for act in night.acts if act.move.team and act.open and not act.executed)


def _turn(night: Night, divert: Act, act: Act) -> None:
    """R73, R74: A's move is made on B if its nature allows."""
    target = divert.targets[1]
    night.note("divert", "turned", "R73", (*divert.refs, *act.refs), player=act.owner, action=act.action, target=target)
    act.diverter = divert.owner
    if not act.move.directed:
        night.outcome(act, "diverted", "R73")
        return
    if act.move.aim == "role":
        act.found = target
    else:
        act.targets = (target,)
    forbidden = target == act.owner and not act.move.own
    act.unfit = act.move.fragile or forbidden
