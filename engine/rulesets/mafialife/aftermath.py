"""Phases 13-16: returns, delayed deaths, those who come back from the dead, changes of side and role (R50)."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Death, Seat
from engine.rulesets.mafialife.night import DONE, MINE_RANK, POISON_RANK, Act, Fate, Night, Return
from engine.rulesets.mafialife.roles import NEUTRAL, OFFICE, ROLES, UNDEAD
from engine.rulesets.mafialife.state import official

_SPREADS = frozenset({None, "elixir", "elixir_ultra", "office_guard", "assistant_guard", "heal", "heal_office"})
"""R55: what may have met the poison on the carrier, and it spreads all the same."""
ARMOUR = "armour"


def returning(night: Night) -> None:
    """Phase 13: mines, then the spreading poison; then every deadly action has its outcome (R58)."""
    for act in [act for act in night.acts if act.action == "mine" and act.result == DONE]:
        _explode(night, act)
    for act in [act for act in night.acts if act.action == "poison" and act.hits]:
        if act.hits[0].stop in _SPREADS:
            _spread(night, act)
    _strike(night)
    for act in night.acts:
        if act.move.deadly and act.result is None:
            night.outcome(act, DONE if act.kills else act.hits[0].stop or "bad_target", "R58")


def _explode(night: Night, mine: Act) -> None:
    """R54: whoever is hostile to the mined player, be it his day's move or not (D20); never the one who laid it."""
    for act in night.interacting(mine.targets[0]):
        if act.move.hostile and act.owner != mine.owner:
            night.returns.append(Return(act.owner, MINE_RANK, "mine", mine.owner, mine, "R54"))


def _spread(night: Night, poison: Act) -> None:
    """R55, D26."""
    carrier = poison.hits[0].target
    visitors = [act.owner for act in night.interacting(carrier)]
    visitors += [guard.owner for guard, attacker in night.driven_off if attacker == carrier]
    guarding = {act.owner for act in night.open_acts("guard_office")} if poison.hits[0].stop == "office_guard" else set()
    for seat in dict.fromkeys(visitors):
        if seat != poison.owner and seat not in guarding and night.player(seat).role not in UNDEAD:
            night.returns.append(Return(seat, POISON_RANK, "poison_spread", poison.owner, poison, "R55"))


def _strike(night: Night) -> None:
    """R57: returns count only for those who do not die of a direct hit; of several the first in rank."""
    struck: dict[Seat, Return] = {}
    for harm in sorted(night.returns, key=lambda harm: (harm.rank, harm.met)):
        if night.player(harm.seat).alive and harm.seat not in night.direct:
            struck.setdefault(harm.seat, harm)
    for seat, harm in struck.items():
        refs = harm.source.refs if harm.source is not None else ()
        night.direct[seat] = Fate(harm.cause, harm.by, harm.rule, refs)
        if harm.source is not None and harm.rank != 0:
            harm.source.kills[seat] = None
        if harm.rank == MINE_RANK:
            night.use_up(seat, [ARMOUR] * night.player(seat).owns(ARMOUR), "R54", refs)


# --- Phase 14 ----------------------------------------------------------------------------------------------------------


def delayed(night: Night) -> None:
    """Cures, deaths of AIDS, then all deaths of the night; who was bitten a night ago and lives turns (R101, R152, R163)."""
    _cure_aids(night)
    _cure_bites(night)
    for seat, player in night.game.players.items():
        if player.alive and 0 < player.aids_due <= night.turn and seat not in night.direct:
            night.direct[seat] = Fate("aids", player.aids_by, "R101", _refs(player.aids_ref))
    for seat in night.game.players:
        if seat in night.direct:
            fate = night.direct[seat]
            night.fates[seat] = fate
            night.change(seat, alive=False, aids_due=0, bite_due=0)
            night.events.append(Death(seat, fate.cause, fate.by, rule=fate.rule, refs=fate.refs))
    _turn_bitten(night)


def _refs(ref: str) -> tuple[str, ...]:
    return (ref,) if ref else ()


def _cure_aids(night: Night) -> None:
    """R152: an infection of this very night is not cured yet."""
    for act in list(night.open_acts("heal_aids")):
        act.executed = True
        target = night.player(act.targets[0])
        ill = target.alive and target.aids_due > 0 and target.seat not in night.infected
        night.outcome(act, DONE if ill else "not_infected" if target.alive else "bad_target")
        if ill:
            night.change(target.seat, aids_due=0, aids_by=None)
            night.notice(target.seat, "cured", "R152", act.refs)


def _cure_bites(night: Night) -> None:
    """R163, D57: a super heal of this night takes away the bite of the night before, also from him who dies all the same."""
    for act in night.open_acts("super_heal"):
        player = night.player(act.targets[0])
        if player.alive and 0 < player.bite_due <= night.turn:
            act.stopped = True
            night.cured.setdefault(player.seat, act.refs)
    for seat, refs in night.cured.items():
        night.change(seat, bite_due=0)
        night.notice(seat, "cured", "R163", refs)


def _turn_bitten(night: Night) -> None:
    """R163: turned now; the newly bitten wait for the next turn."""
    for seat, player in list(night.game.players.items()):
        if not player.alive:
            continue
        if 0 < player.bite_due <= night.turn:
            night.put(player.reborn("vampire"))
            night.turned[seat] = None
            night.risen[seat] = "turned"
            night.notice(seat, "turned", "R163", _refs(player.bite_ref))
        if seat in night.bitten and seat not in night.turned:
            night.change(seat, bite_due=night.turn + 1, bite_ref=night.bitten[seat])
            night.notice(seat, "bitten", "R163", _refs(night.bitten[seat]))


# --- Phase 15 ----------------------------------------------------------------------------------------------------------


def rebirth(night: Night) -> None:
    """Births and raisings (R103, R146)."""
    births = [act for act in night.open_acts("birth") if _dead_enough(night, act)]
    raisings = [act for act in night.open_acts("raise_ghost", "raise_vampire") if _dead_enough(night, act)]
    possible = []
    for act in births:
        if night.player(act.targets[0]).role in UNDEAD:
            night.outcome(act, "undead")
        else:
            possible.append(act)
    clashes = {act.targets[0] for act in possible} & {act.targets[0] for act in raisings}
    for act in possible:
        if act.targets[0] in clashes:
            night.outcome(act, "birth_clash")
        elif night.player(act.targets[0]).alive:
            night.outcome(act, "bad_target")
        else:
            _bear(night, act)
    for act in raisings:
        if act.targets[0] in clashes:
            night.outcome(act, "birth_clash")
        else:
            night.outcome(act, DONE)
            _raise(night, act)


def _dead_enough(night: Night, act: Act) -> bool:
    """R8, R74: only who died in an earlier turn can come back."""
    act.executed = True
    target = act.targets[0]
    if act.unfit or night.player(target).alive or target in night.fates:
        night.outcome(act, "bad_target")
        return False
    return True


def _bear(night: Night, act: Act) -> None:
    """R103, D48: the first of two girls is the mother."""
    seat = act.targets[0]
    pool = night.game.cast if night.tables.birth_pool == "cast" else tuple(ROLES)
    roles = sorted(set(pool) - UNDEAD) or sorted(set(ROLES) - UNDEAD)
    role = night.chance.draw("child_role", roles, single_is_draw=True)
    night.outcome(act, DONE)
    child = replace(night.player(seat).reborn(role, mother=act.owner), aids_due=0, aids_by=None)
    night.put(child)
    night.notice(seat, "reborn", "R103", act.refs, role=role)


def _raise(night: Night, act: Act) -> None:
    """R146: of two raisings the earlier decides."""
    seat = act.targets[0]
    if night.player(seat).alive:
        return
    role = "ghost" if act.action == "raise_ghost" else "vampire"
    night.put(replace(night.player(seat).reborn(role), aids_due=0, aids_by=None))
    night.risen[seat] = "raised"
    night.notice(seat, "raised", "R146", act.refs, role=role)


# --- Phase 16 ----------------------------------------------------------------------------------------------------------


def change(night: Night) -> None:
    """Recruits, infiltrators, students."""
    for act, seat, team in night.recruits:
        if night.player(seat).alive and night.player(seat).neutral and night.player(seat).faction != team:
            _join(night, act, seat, team)
    for act, team in night.joins:
        player = night.player(act.owner)
        if not player.alive or player.role != "hacker":
            continue
        if team not in player.infiltrated:
            night.change(act.owner, infiltrated=(*player.infiltrated, team))
        if act.args.get("join") is True and player.faction == NEUTRAL:
            _join(night, act, act.owner, team)
    for act in list(night.open_acts("study")):
        act.executed = True
        night.outcome(act, DONE)
        if night.player(act.owner).alive and night.player(act.owner).role == act.role:
            _study(night, act)


def _join(night: Night, act: Act, seat: Seat, team: str) -> None:
    """R60, R61, R76."""
    player = night.player(seat)
    night.change(seat, faction=team, recruited_by=(*player.recruited_by, team))
    night.notice(seat, "recruited", "R61", act.refs, team=team)


def _study(night: Night, act: Act) -> None:
    """R104, R115."""
    player, role = night.player(act.owner), act.args["role"]
    if role == "girl":
        # The level that already gave him the password makes him a girl of the office.
        team = OFFICE if official(night.game, player) else NEUTRAL
        by = (OFFICE,) if team == OFFICE else ()
        level = night.tables.level_of(role, player.points)
        night.change(player.seat, role=role, faction=team, recruited_by=by, bought_level=0, level=level)
    else:
        level = max(night.tables.level_of(role, player.points), player.bought_level)
        gifts = night.tables.gifts(role, 0, level) if role == "mafioso" else ()
        night.change(player.seat, role=role, level=level, items=(*player.items, *gifts))
    night.studied.append(act)
    night.notice(player.seat, "role_learned", act.move.rule, act.refs, role=role)
