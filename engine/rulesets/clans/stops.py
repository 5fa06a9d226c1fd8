"""What stops a move: table 20.1 as data. Of several reasons the one that stands higher in 1.5 is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.rulesets.clans.night import Move, Night
from engine.rulesets.clans.roles import FAILURES

Test = Callable[[Night, Move], bool]


def _actor_dead(night: Night, move: Move) -> bool:
    return not night.presence.alive(move.actor)


def _actor_at_seductress(night: Night, move: Move) -> bool:
    return night.presence.at(move.actor) == "seductress"


def _clan_at_seductress(night: Night, move: Move) -> bool:
    return night.presence.clan_invited(night.players[move.actor].faction)


def _showdown(night: Night, move: Move) -> bool:
    """R34: the thug of the invited clan finds no way to the ЖЛП's clan. The other moves of that clan are stopped by their own
    lists (D26); that she outlived the showdown or was taken along changes nothing (D62)."""
    actor, target = night.players[move.actor], night.players[move.target]
    return any(
        invited == actor.faction and night.players[hostess].faction == target.faction
        for hostess, invited in night.presence.showdowns.items()
    )


def _actor_beaten(night: Night, move: Move) -> bool:
    """R43."""
    return move.actor in night.presence.beaten


def _actor_at_maniac(night: Night, move: Move) -> bool:
    return night.presence.at(move.actor) == "maniac"


def _scared(night: Night, move: Move) -> bool:
    return night.players[move.actor].civilian and move.target in night.presence.showdowns


def _target_dead(night: Night, move: Move) -> bool:
    return any(not night.presence.alive(target) for target in move.targets)


def _target_at_seductress(night: Night, move: Move) -> bool:
    return any(night.presence.at(target) == "seductress" for target in move.targets)


def _target_beaten(night: Night, move: Move) -> bool:
    """R42: nobody finds the beaten."""
    return any(target in night.presence.beaten for target in move.targets)


def _target_at_maniac(night: Night, move: Move) -> bool:
    return any(night.presence.at(target) == "maniac" for target in move.targets)


def _target_healed(night: Night, move: Move) -> bool:
    return night.presence.healed in move.targets


def _guarded(night: Night, move: Move) -> bool:
    return move.target in night.presence.guarded


def _civilian_target(night: Night, move: Move) -> bool:
    return night.players[move.target].civilian


def _nothing_happened(night: Night, move: Move) -> bool:
    return all(attack.target != move.target for attack in night.attacks)


def _mafia_immune(night: Night, move: Move) -> bool:
    return night.players[move.target].mafioso


def _clan_dead(night: Night, move: Move) -> bool:
    return not night.side(night.players[move.actor].faction)


def _sender_dead(night: Night, move: Move) -> bool:
    """D7: only where the table says that a clan's kill does not outlive its sender."""
    return not night.tables.clan_kill_outlives_sender and _actor_dead(night, move)


def _unless_own_guest(test: Test) -> Test:
    """R59: nothing saves a guest of the own ЖЛП."""
    return lambda night, move: not own_guest(night, move) and test(night, move)


def own_guest(night: Night, move: Move) -> bool:
    """The clan shoots at a guest in the room of its own ЖЛП (R59)."""
    return night.presence.own_guest(move.target, night.players[move.actor].faction)


def contest(night: Night, move: Move) -> Move | None:
    """The maniac's invitation that comes before this seduction and is not out of the game (R28). Time alone decides, and the
    loser's letter is not revived when the winner fails later (D20)."""
    rival = next(iter(night.standing("invite")), None)
    if rival is None or not night.presence.alive(rival.actor) or night.presence.is_guest(rival.actor):
        return None
    return rival if rival.before(move) else None


def _maniac_takes_her(night: Night, move: Move) -> bool:
    rival = contest(night, move)
    return rival is not None and rival.target == move.actor and move.target == rival.actor


def _maniac_takes_target(night: Night, move: Move) -> bool:
    rival = contest(night, move)
    return rival is not None and rival.target == move.target


_ACTOR_AWAY: Mapping[str, Test] = {"actor_dead": _actor_dead, "actor_at_seductress": _actor_at_seductress}
_ACTOR: Mapping[str, Test] = {**_ACTOR_AWAY, "actor_beaten": _actor_beaten, "actor_at_maniac": _actor_at_maniac}
_TARGET_GONE: Mapping[str, Test] = {
    "target_at_seductress": _target_at_seductress,
    "target_beaten": _target_beaten,
    "target_at_maniac": _target_at_maniac,
}
_TARGET: Mapping[str, Test] = {"target_dead": _target_dead, **_TARGET_GONE}

STOPS: Mapping[str, tuple[str, Mapping[str, Test]]] = {
    "extra_votes": ("R19", {}),
    "mine": ("R20", {"target_dead": _target_dead}),
    "seduce": (
        "R26",
        {
            **_ACTOR_AWAY,
            "clan_at_seductress": _clan_at_seductress,
            "actor_at_maniac": _maniac_takes_her,
            "target_dead": _target_dead,
            "target_at_seductress": _target_at_seductress,
            "target_at_maniac": _maniac_takes_target,
        },
    ),
    "heal": ("R38", {**_ACTOR_AWAY, "target_dead": _target_dead, "target_at_seductress": _target_at_seductress}),
    "poison_mistake": (
        "R40",
        {**_ACTOR_AWAY, "scared": _scared, "target_dead": _target_dead, "target_at_seductress": _target_at_seductress},
    ),
    "beat": ("R44", {**_ACTOR_AWAY, "showdown": _showdown, "target_dead": _target_dead}),
    "invite": (
        "R47",
        {
            **_ACTOR_AWAY,
            "actor_beaten": _actor_beaten,
            "target_dead": _target_dead,
            "target_at_seductress": _target_at_seductress,
            "target_beaten": _target_beaten,
        },
    ),
    "guard": ("R53", {**_ACTOR, "clan_at_seductress": _clan_at_seductress, **_TARGET}),
    "kill": (
        # D9: no state of its sender stops the clan's kill, be he beaten or at the maniac's.
        "R57",
        {
            "clan_dead": _clan_dead,
            "actor_dead": _sender_dead,
            "clan_at_seductress": _clan_at_seductress,
            "target_dead": _target_dead,
            "mafia_immune": _mafia_immune,
            "target_at_seductress": _unless_own_guest(_target_at_seductress),
            "target_beaten": _unless_own_guest(_target_beaten),
            "target_at_maniac": _target_at_maniac,
            "target_healed": _unless_own_guest(_target_healed),
        },
    ),
    "ride": ("R79", {**_ACTOR, **_TARGET}),
    "watch": ("R81", {**_ACTOR, **_TARGET_GONE, "nothing_happened": _nothing_happened}),
    "shoot": ("R62", {**_ACTOR, "scared": _scared, **_TARGET, "target_healed": _target_healed, "guarded": _guarded}),
    # D17: the hunt has no list of its own; it is a civilian's shot.
    "hunt": ("R67", {**_ACTOR, "scared": _scared, **_TARGET, "civilian_target": _civilian_target}),
    # D10: neither don nor commissioner is stopped by a suspect who is beaten or away.
    "check": ("R72", {**_ACTOR, "clan_at_seductress": _clan_at_seductress, "target_dead": _target_dead}),
    "interview": ("R75", {**_ACTOR, **_TARGET}),
    "walk": ("R77", {**_ACTOR, **_TARGET_GONE}),
}
"""Action -> the rule of its list, and what stops it. For a civilian "a clanmate there" never holds, so one row serves
don and commissioner."""

FIRED_THOUGH_FAILED = ("target_healed", "guarded", "civilian_target")
"""An attack that failed for one of these reached its target all the same (R12)."""


def why_stopped(night: Night, move: Move) -> str | None:
    """What stops the move in the night as it stands now, None when nothing does."""
    tests = STOPS[move.action][1]
    return next((reason for reason in FAILURES if reason in tests and tests[reason](night, move)), None)


def settle(night: Night, *moves: Move) -> list[Move]:
    """Judge moves that act at the same time, all on the state as it is now; the ones that are done."""
    reasons = [why_stopped(night, move) for move in moves]
    for move, reason in zip(moves, reasons, strict=True):
        rule = STOPS[move.action][0]
        if reason is None:
            move.done(rule)
        else:
            move.fail(reason, rule)
    return [move for move in moves if move.succeeded]
