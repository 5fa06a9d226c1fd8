"""The gallows (phase 2): votes, frame, rescue, and the protections from hanging in their order (R10-R16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.model import Counted, Death, Lynched, Seat
from engine.rulesets.mafialife.day import counted
from engine.rulesets.mafialife.night import DONE, Act, Fate, Night
from engine.rulesets.mafialife.roles import NEUTRAL

ANTIHANGING, LYNCH, LAWYER, BRIBE, IMMUNITY = "antihanging", "lynch", "lawyer", "bribe", "hang_immunity"
"""What saves from the rope, as the newspaper is told it."""


@dataclass(frozen=True, slots=True)
class _Noose:
    """One hanging: whom it hits, and whether he took a client's place."""

    seat: Seat
    framed: bool


def gallows(night: Night) -> None:
    """Count, choose, exchange, save or hang; the lawyers' day moves end here (R15)."""
    weights = {seat: weight for seat, weight in counted(night.game).items() if night.player(seat).alive}
    night.events.append(Counted(weights, rule="R10"))
    for seat in _chosen(night, weights):
        noose = _exchanged(night, seat)
        if not night.player(noose.seat).alive:
            continue  # with tie = "all": hanged already in another's place
        saved = _saved_by(night, noose)
        night.events.append(Lynched(noose.seat, rule="R12", refs=_voters(night, noose.seat)))
        night.hanging.append((noose.seat, saved or ""))
        night.note("gallows", "saved" if saved else "hanged", "R14", player=noose.seat, by=saved or "")
        if saved is None:
            _hang(night, noose.seat)
        else:
            night.reached[noose.seat] = None
    for act in night.day_acts:
        night.outcome(act, "bad_target" if act.result is None else act.result, "R15")


def _voters(night: Night, seat: Seat) -> tuple[str, ...]:
    return tuple(vote.order.ref for vote in night.game.votes.values() if vote.target == seat and vote.order.ref)


def _chosen(night: Night, weights: dict[Seat, int]) -> list[Seat]:
    """R12: the most counted votes; what a tie does is a table option (D7)."""
    most = max(weights.values(), default=0)
    leaders = [seat for seat, weight in weights.items() if weight == most]
    if len(leaders) < 2 or night.tables.tie == "all":
        return leaders
    if night.tables.tie == "random":
        return [night.chance.draw("hang_tie", sorted(leaders))]
    night.note("gallows", "tie", "R12", players=leaders)
    return []


def _exchanged(night: Night, seat: Seat) -> _Noose:
    """R15: the framed player takes the client's place, once."""
    for act in night.day_acts:
        if act.action == "frame" and act.result is None and act.targets[0] == seat:
            framed = act.targets[1]
            if framed != seat and night.player(framed).alive:
                act.result = DONE
                return _Noose(framed, True)
    return _Noose(seat, False)


def _never_hangs(night: Night, noose: _Noose) -> bool:
    player = night.player(noose.seat)
    property_of_killer = player.role == "killer" and player.level >= night.tables.killer.antihanging_from
    return property_of_killer or player.owns("eternal_antihanging") > 0


def lynch_only(night: Night, seat: Seat) -> bool:
    """R13: who hangs only if every other living player voted for him with a counted vote."""
    player = night.player(seat)
    by_role = player.role == "maniac" or (player.role == "killer" and player.level >= night.tables.killer.lynch_from)
    return by_role or player.owns("licence_lynch") > 0


def _lynch_spoilt(night: Night, noose: _Noose) -> bool:
    if not lynch_only(night, noose.seat):
        return False
    if noose.framed:
        return True
    for seat, player in night.game.players.items():
        vote = night.game.votes.get(seat)
        voted = vote is not None and vote.target == noose.seat and not player.vote_spent
        if player.alive and seat != noose.seat and not voted:
            return True
    return False


def _rescued(night: Night, noose: _Noose) -> bool:
    rescues = [act for act in night.day_acts if act.action == "save_from_gallows" and act.targets == (noose.seat,)]
    for act in rescues:
        act.result = DONE
    return bool(rescues)


def _antibribe_owner(night: Night, noose: _Noose) -> Seat | None:
    """The first living player in the roster with an antibribe who is not on the hit player's side (R14, D8)."""
    side = night.player(noose.seat).faction
    for seat, player in night.game.players.items():
        ally = player.faction == side and side != NEUTRAL
        if player.alive and seat != noose.seat and not ally and player.owns("antibribe"):
            return seat
    return None


def _bribed(night: Night, noose: _Noose) -> bool:
    if not night.player(noose.seat).owns(BRIBE) or _antibribe_owner(night, noose) is not None:
        return False
    night.use_up(noose.seat, [BRIBE], "R14", _voters(night, noose.seat))
    return True


def _immune(night: Night, noose: _Noose) -> bool:
    if not night.player(noose.seat).owns(IMMUNITY):
        return False
    night.use_up(noose.seat, [IMMUNITY], "R14", _voters(night, noose.seat))
    return True


_PROTECTIONS: tuple[tuple[str, Callable[[Night, _Noose], bool]], ...] = (
    (ANTIHANGING, _never_hangs),
    (LYNCH, _lynch_spoilt),
    (LAWYER, _rescued),
    (BRIBE, _bribed),
    (IMMUNITY, _immune),
)
"""R14, 1-5: the first that fits saves."""


def _saved_by(night: Night, noose: _Noose) -> str | None:
    for name, protects in _PROTECTIONS:
        if protects(night, noose):
            return name
    owner = _antibribe_owner(night, noose)
    if owner is not None and night.player(noose.seat).owns(BRIBE):
        night.use_up(noose.seat, [BRIBE], "R14", _voters(night, noose.seat))
        night.use_up(owner, ["antibribe"], "R14", _voters(night, noose.seat))
    return None


def _hang(night: Night, seat: Seat) -> None:
    """R14.7, and R16: a point for each counted vote for him."""
    refs = _voters(night, seat)
    night.hanged.append(seat)
    night.fates[seat] = Fate("hanged", None, "R14", refs)
    night.change(seat, alive=False)
    night.events.append(Death(seat, "hanged", None, rule="R14", refs=refs))
    for voter, vote in night.game.votes.items():
        if vote.target == seat and not night.player(voter).vote_spent:
            night.earn(voter, night.tables.pay("any", "vote_hanged"))


def lapse(night: Night) -> None:
    """R7, R87: the hanged make no move and no extra action; nor does the captive whose captor hangs."""
    gone: list[Act] = [act for act in night.acts if act.owner in night.hanged or act.captor in night.hanged]
    for act in gone:
        night.outcome(act, "dead", "R7")
