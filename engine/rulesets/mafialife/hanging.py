"""The gallows (phase 2): votes, frame, rescue, and the protections from hanging in their order (R10-R16)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.model import Counted, Death, Lynched, Seat
from engine.rulesets.mafialife.docket import counted
from engine.rulesets.mafialife.night import DONE, Act, Fate, Night
from engine.rulesets.mafialife.roles import NEUTRAL
from engine.rulesets.mafialife.state import Player

ANTIHANGING, LYNCH, LAWYER, BRIBE, IMMUNITY = "antihanging", "lynch", "lawyer", "bribe", "hang_immunity"
"""What saves from the rope, as the newspaper is told it."""


@dataclass(frozen=True, slots=True)
class _Noose:
    """One hanging: whom it hits, and whether he took a client's place."""

    seat: Seat
    framed: bool


@dataclass(frozen=True, slots=True)
class _Moment:
    """The players before any of this turn's hangings: several of one tie are judged at one moment (R50, D51)."""

    night: Night
    players: Mapping[Seat, Player]

    def player(self, seat: Seat) -> Player:
        return self.players[seat]


def gallows(night: Night) -> None:
    """Count, choose, exchange, save or hang; the lawyers' day moves end here (R15, D10)."""
    weights = {seat: weight for seat, weight in counted(night.game).items() if night.player(seat).alive}
    night.events.append(Counted(weights, rule="R10"))
    moment = _Moment(night, dict(night.game.players))
    nooses = _exchanged(moment, _chosen(night, weights))
    verdicts = [(noose, _saved_by(moment, noose)) for noose in nooses]
    for noose, saved in verdicts:
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
    return tuple(vote.ref for vote in night.votes.values() if vote.targets[0] == seat and vote.ref)


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


def _exchanged(moment: _Moment, chosen: list[Seat]) -> list[_Noose]:
    """R15: a framed player takes his client's place, once. Hit by votes and in a client's place is hit by votes (D51)."""
    places: dict[Seat, bool] = {}
    for seat in chosen:
        framed = _framed_for(moment, seat)
        if framed is None:
            places[seat] = False
        else:
            places.setdefault(framed, True)
    return [_Noose(seat, framed) for seat, framed in places.items()]


def _framed_for(moment: _Moment, seat: Seat) -> Seat | None:
    for act in moment.night.day_acts:
        if act.action == "frame" and act.result is None and act.targets[0] == seat:
            framed = act.targets[1]
            if framed != seat and moment.player(framed).alive:
                act.result = DONE
                return framed
    return None


def _never_hangs(moment: _Moment, noose: _Noose) -> bool:
    """R14.1, R97."""
    player = moment.player(noose.seat)
    property_of_killer = player.role == "killer" and player.level >= moment.night.tables.killer.antihanging_from
    return property_of_killer or player.owns("eternal_antihanging") > 0


def _lynch_only(moment: _Moment, seat: Seat) -> bool:
    """R13: who hangs only if every other living player voted for him with a counted vote."""
    player = moment.player(seat)
    by_role = player.role == "maniac" or (player.role == "killer" and player.level >= moment.night.tables.killer.lynch_from)
    return by_role or player.owns("licence_lynch") > 0


def _lynch_spoilt(moment: _Moment, noose: _Noose) -> bool:
    if not _lynch_only(moment, noose.seat):
        return False
    if noose.framed:
        return True
    for seat, player in moment.players.items():
        vote = moment.night.votes.get(seat)
        voted = vote is not None and vote.targets[0] == noose.seat and not player.vote_spent
        if player.alive and seat != noose.seat and not voted:
            return True
    return False


def _rescued(moment: _Moment, noose: _Noose) -> bool:
    rescues = [a for a in moment.night.day_acts if a.action == "save_from_gallows" and a.targets == (noose.seat,)]
    for act in rescues:
        act.result = DONE
    return bool(rescues)


def _antibribe_owners(moment: _Moment, noose: _Noose) -> list[Seat]:
    """The living players, in the order of the roster, whose antibribe is in force: not on the hit player's side
    (R14, R46, D8)."""
    side = moment.player(noose.seat).faction
    found = []
    for seat, player in moment.players.items():
        ally = player.faction == side and side != NEUTRAL
        if player.alive and seat != noose.seat and not ally and player.owns("antibribe"):
            found.append(seat)
    return found


def _bribed(moment: _Moment, noose: _Noose) -> bool:
    if not moment.player(noose.seat).owns(BRIBE) or _antibribe_owners(moment, noose):
        return False
    moment.night.use_up(noose.seat, [BRIBE], "R14", _voters(moment.night, noose.seat))
    return True


def _immune(moment: _Moment, noose: _Noose) -> bool:
    if not moment.player(noose.seat).owns(IMMUNITY):
        return False
    moment.night.use_up(noose.seat, [IMMUNITY], "R14", _voters(moment.night, noose.seat))
    return True


_PROTECTIONS: tuple[tuple[str, Callable[[_Moment, _Noose], bool]], ...] = (
    (ANTIHANGING, _never_hangs),
    (LYNCH, _lynch_spoilt),
    (LAWYER, _rescued),
    (BRIBE, _bribed),
    (IMMUNITY, _immune),
)
"""R14, 1-5: the first that fits saves. No elixir is among them: it is for the attacks of roles (D9)."""


def _saved_by(moment: _Moment, noose: _Noose) -> str | None:
    for name, protects in _PROTECTIONS:
        if protects(moment, noose):
            return name
    if moment.player(noose.seat).owns(BRIBE):
        _beaten_bribe(moment, noose)
    return None


def _beaten_bribe(moment: _Moment, noose: _Noose) -> None:
    """R14.6: the bribe goes, and an antibribe with it: for each bribe that it beats another one, while there are any (D51)."""
    night = moment.night
    night.use_up(noose.seat, [BRIBE], "R14", _voters(night, noose.seat))
    thrown = next((seat for seat in _antibribe_owners(moment, noose) if night.player(seat).owns("antibribe")), None)
    if thrown is not None:
        night.use_up(thrown, ["antibribe"], "R14", _voters(night, noose.seat))


def _hang(night: Night, seat: Seat) -> None:
    """R14.7, and R16: a point for each counted vote for him."""
    refs = _voters(night, seat)
    night.hanged.append(seat)
    night.fates[seat] = Fate("hanged", None, "R14", refs)
    night.change(seat, alive=False)
    night.events.append(Death(seat, "hanged", None, rule="R14", refs=refs))
    for voter, vote in night.votes.items():
        if vote.targets[0] == seat and not night.player(voter).vote_spent:
            night.earn(voter, night.tables.pay("any", "vote_hanged"))


def lapse(night: Night) -> None:
    """R7, R87: the hanged make no move and no extra action; nor does the captive whose captor hangs. Being killed undoes no move,
    for all are made at one moment (D6)."""
    gone: list[Act] = [act for act in night.acts if act.owner in night.hanged or act.captor in night.hanged]
    for act in gone:
        night.outcome(act, "dead", "R7")
