"""Phase 12: deadly actions, capture, paralysis, recruiting, the staff; mines are laid (R50, R57)."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Seat
from engine.rulesets.mafialife import flesh, layers
from engine.rulesets.mafialife.night import DONE, Act, Hit, Night
from engine.rulesets.mafialife.roles import DEN, NEUTRAL, OFFICE, WALKING_UNDEAD

_ONLY_AGAINST = {"licence_maniac": "maniac", "licence_killer": "killer"}
"""R42, R43: licences that harm one role only. An unfit capture or recruit meets the layers like a fit one (D56)."""


def attack(night: Night) -> None:
    """All attacks meet all layers at one moment; what got through takes effect together."""
    hits: list[Hit] = []
    for act in [act for act in night.acts if act.move.phase == "attack" and act.open]:
        act.executed = True
        hits += _hits(night, act)
    layers.wards(night, [hit for hit in hits if not layers.outer(night, hit)])
    flesh.settle(night, [hit for hit in hits if hit.act.move.deadly and hit.stop is None])
    _recruit(night, [hit for hit in hits if hit.act.action == "recruit"])
    for hit in hits:
        effect = _EFFECTS.get(hit.act.action)
        if effect is not None:
            night.outcome(hit.act, hit.stop or effect(night, hit))


def _hits(night: Night, act: Act) -> list[Hit]:
    """The hits of one act on those of its targets who are there; mines and gifts take effect without any (R8, R31)."""
    if act.action == "blow_up_office":
        shots = night.living_members(OFFICE)
        if not shots:
            night.outcome(act, "no_team")
    else:
        shots = tuple(seat for seat in _shots(act) if night.player(seat).alive)
        if act.unfit or not shots or not _fit(night, act, shots[0]):
            night.outcome(act, "bad_target")
            return []
    if act.move.item == "staff":
        night.change(act.owner, staff=night.player(act.owner).staff - 1)
    act.hits = [Hit(act, seat, _row(night, act)) for seat in shots]
    return act.hits


def _shots(act: Act) -> tuple[Seat, ...]:
    """R74, R131: where fewer are named than shots are fired, the first takes the rest."""
    rest = max(0, act.move.shots - len(act.targets))
    return (act.targets[0],) * rest + act.targets


def _fit(night: Night, act: Act, seat: Seat) -> bool:
    role = _ONLY_AGAINST.get(act.action)
    return role is None or night.player(seat).role == role


def _row(night: Night, act: Act) -> str:
    """R95: from a certain level on the killer's shot pierces, which adds to what his charges take (D34)."""
    piercing = act.move.row == "kill" and night.player(act.owner).level >= night.tables.killer.pierce_from
    return "kill_piercing" if piercing else act.move.row


def _recruit(night: Night, hits: list[Hit]) -> None:
    """R61, R62, R126: a neutral whom two teams want at once goes to neither (D27)."""
    able = [hit for hit in hits if hit.stop is None and _recruitable(night, hit)]
    for hit in hits:
        if hit.stop is None:
            teams = {_team(other.act) for other in able if other.target == hit.target}
            if hit not in able or len(teams) > 1:
                hit.stop = "not_recruitable"
            else:
                night.recruits.append((hit.act, hit.target, _team(hit.act)))
        night.outcome(hit.act, hit.stop or DONE)


def _team(act: Act) -> str:
    return DEN if act.role == "mafia_agent" else OFFICE


def _recruitable(night: Night, hit: Hit) -> bool:
    player, team = night.player(hit.target), _team(hit.act)
    if player.role == "hacker":
        return player.faction != team and team not in player.recruited_by
    return player.neutral and player.faction == NEUTRAL


def _capture(night: Night, hit: Hit) -> str:
    """R86: a recruited maniac takes only a ghost or a vampire; one prisoner has one captor."""
    undead_only = night.player(hit.attacker).faction != NEUTRAL
    if undead_only and night.player(hit.target).role not in WALKING_UNDEAD:
        return "bad_target"
    if any(captive == hit.target for _, captive in night.captures):
        return "bad_target"
    night.captures.append((hit.attacker, hit.target))
    return DONE


def _paralyse(night: Night, hit: Hit) -> str:
    """R144."""
    night.paralysed[hit.target] = None
    return DONE


def _give_staff(night: Night, hit: Hit) -> str:
    """R145."""
    night.change(hit.target, staff=night.player(hit.target).staff + 1)
    night.notice(hit.target, "staff_received", "R145", hit.act.refs)
    return DONE


def _bite(night: Night, hit: Hit) -> str:
    """R163."""
    night.bitten.setdefault(hit.target, hit.act.ref)
    return DONE


def _mine(night: Night, hit: Hit) -> str:
    """R134: laid for this night alone (D25); whom it kills is seen in the next phase."""
    return DONE


_EFFECTS: dict[str, Callable[[Night, Hit], str]] = {
    "capture": _capture,
    "paralyse": _paralyse,
    "give_staff": _give_staff,
    "vampire_bite": _bite,
    "mine": _mine,
}
