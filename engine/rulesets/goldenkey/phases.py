"""The night, read top to bottom like the table of R23."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.model import Order, Seat
from engine.rulesets.goldenkey.roles import (
    ALISA,
    ARLEKIN,
    ARTEMON,
    BASILIO,
    BURATINO,
    COUNTED_ROLES,
    DUREMAR,
    ELDER,
    GIUSEPPE,
    KARABAS,
    KILLER,
    MALVINA,
    MANIAC_ROLES,
    MANIACS,
    PIERRO,
    ROLES,
    TORTILLA,
    TOWNSFOLK,
    VILLAINS,
    in_order,
)
from engine.rulesets.goldenkey.state import Game


@dataclass(frozen=True, slots=True)
class Command:
    """A command that counts tonight: the acting role, who carries it out (R17, R18), and the order behind it."""

    role: str
    action: str
    target: Seat
    performer: Seat
    order: Order


@dataclass(frozen=True, slots=True)
class Loss:
    """A life really lost at night (R2). ``by`` is the performer of the blow, None for one's own unlucky move."""

    player: Seat
    cause: str
    by: Seat | None
    refs: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One line under "Убийства" (R56, R60, R61): a blow that landed, or with ``bad`` an unlucky choice."""

    command: Command
    bad: bool
    rule: str


class Night:
    """The night while it is being resolved. It is made in ``close`` and lives no longer than that call."""

    def __init__(self, game: Game, commands: Mapping[str, Command]) -> None:
        self.game = game
        self.commands = commands
        self.players = game.players
        killer = commands.get(KILLER)
        self.killer: Seat | None = killer.performer if killer else None
        """Tonight's holder of the killer, also when he is stopped (D13)."""
        artemon = commands.get(ARTEMON)
        self.artemon_kills = artemon is not None and artemon.action == "kill"
        self.active: dict[Seat, list[Command]] = {}
        """Performer -> all his commands of tonight."""
        for command in commands.values():
            self.active.setdefault(command.performer, []).append(command)
        self.blocked: dict[Seat, list[Command]] = {}
        """Performer -> the attacks that block him."""
        self.recruits: dict[Seat, str] = {}
        """Maniac -> the clan that he joins tonight."""
        self.hostess: Seat | None = None
        self.guest: Seat | None = None
        self.beaten: dict[Seat, list[Command]] = {}
        """Performer -> the beatings that cancel his blows and his guarding."""
        self.guarded: Seat | None = None
        self.outcomes: dict[str, str | None] = {}
        """Role -> None when its command is done, else the reason."""
        self.blow_met: dict[str, str | None] = {}
        """Role -> what met its blow: None when it landed."""
        self.kept: dict[Seat, str] = {}
        """Whom the guest's place, the guard, the elder's privilege or R26 kept from a blow (D53) -> the reason."""
        self.lives: dict[Seat, int] = {seat: p.lives for seat, p in game.players.items()}
        self.role_lives: dict[str, int] = dict(game.role_lives)
        self.role_losses: dict[str, int] = {}
        self.losses: list[Loss] = []
        self.hits: list[Hit] = []

    def live(self, roles: Iterable[str]) -> list[Command]:
        """The commands of these roles that no maniac has blocked."""
        return [c for role in roles if (c := self.commands.get(role)) is not None and c.performer not in self.blocked]

    def holds(self, seat: Seat, role: str) -> bool:
        """Of two roles each has its command, and a life lost counts against both (D54)."""
        return role in self.players[seat].roles

    def roles_tonight(self, seat: Seat) -> tuple[str, ...]:
        """All that he is tonight, the villains' killer included (D26), in canonical order. Artemon is a killer by his command
        alone (D14). A recruited maniac stays one, whatever he performs (D27)."""
        roles = self.players[seat].roles
        return in_order((*roles, KILLER)) if seat == self.killer else roles

    def is_maniac(self, seat: Seat) -> bool:
        return self.players[seat].born == MANIACS

    def has_blow(self, attack: Command) -> bool:
        """R26-R28, R30: this attack would take somebody's life. Lists go by the role held tonight; villains' killer and Artemon
        exist as killers through their commands alone (D23)."""
        if self.is_maniac(attack.target) or self.holds(attack.target, ELDER):
            return True
        roles = self.players[attack.target].roles
        if attack.role == GIUSEPPE:
            return any(ROLES[role].giuseppes_blow for role in roles)
        if any(ROLES[role].tortillas_blow for role in roles) or attack.target == self.killer:
            return True
        return self.artemon_kills and ARTEMON in roles

    def is_blow(self, command: Command) -> bool:
        return command.action == "kill" or (command.action == "attack" and self.has_blow(command))

    def faction(self, seat: Seat) -> str:
        """Where he stands after the recruiting of tonight."""
        return self.recruits.get(seat) or self.players[seat].faction


def block(night: Night) -> None:
    """Step 1, R24-R26: attacks block every command of their victims; maniacs do not block each other."""
    for role in MANIAC_ROLES:
        attack = night.commands.get(role)
        if attack is not None and not night.is_maniac(attack.target):
            night.blocked.setdefault(attack.target, []).append(attack)
    for command in night.commands.values():
        if command.performer in night.blocked:
            night.outcomes[command.role] = "blocked"


def recruit(night: Night) -> None:
    """Step 2, R31-R33: a free maniac joins; when both clans call him he joins the townsfolk. Two recruiters have both done it
    (D28). His move of this night goes on unchanged (D29)."""
    clans = {KARABAS: VILLAINS, ARLEKIN: TOWNSFOLK}
    for command in night.live((KARABAS, ARLEKIN)):
        free = night.players[command.target].faction == MANIACS
        night.outcomes[command.role] = None if free else "ineffective"
        if free:
            night.recruits[command.target] = clans[command.role]


def spy(night: Night) -> None:
    """Step 3, R36, R37: killers, bodyguards, thugs, Malvina and the elder are found, a maniac never. A role is enough, used or
    not, unless the table asks for a command (D25)."""
    for command in night.live((BASILIO, PIERRO)):
        found = [role for role in night.roles_tonight(command.target) if ROLES[role].found_by_spy]
        if night.game.tables.spy_needs_command and command.target not in night.active:
            found = [role for role in found if role == ELDER]
        seen = bool(found) and not night.is_maniac(command.target)
        night.outcomes[command.role] = None if seen else "ineffective"


def invite(night: Night) -> None:
    """Step 4, R38, R42: from now on there is a guest; whether anybody came for him is seen later."""
    for command in night.live((MALVINA,)):
        night.hostess, night.guest = command.performer, command.target
        night.outcomes[MALVINA] = "ineffective"


def beat(night: Night) -> None:
    """Step 5, R43, R44: all beatings at once; they cancel blows and guarding of who is no guest. Thugs are not stopped by
    thugs, and a command that a maniac blocked was not used (D24)."""
    for command in night.live((ALISA, ARTEMON)):
        if command.action != "beat":
            continue
        target = command.target
        if target == night.guest:
            night.outcomes[command.role] = "target_guest"
            night.outcomes[MALVINA] = None
            continue
        unblocked = night.active.get(target, []) if target not in night.blocked else []
        if any(c.action == "guard" or night.is_blow(c) for c in unblocked):
            night.beaten.setdefault(target, []).append(command)
            night.outcomes[command.role] = None
        else:
            night.outcomes[command.role] = "ineffective"


def guard(night: Night) -> None:
    """Step 6, R45: Duremar stands with somebody; whether he was needed is seen at step 7. Effective against a blow alone (D36);
    where the guest is guarded, too, both are (D37)."""
    for command in night.live((DUREMAR,)):
        if command.performer in night.beaten:
            night.outcomes[DUREMAR] = "beaten"
        else:
            night.guarded = command.target
            night.outcomes[DUREMAR] = "ineffective"


BLOWS = (KILLER, BURATINO, ARTEMON, GIUSEPPE, TORTILLA)
"""The order of step 7."""


def strike(night: Night) -> None:
    """Step 7, R47, R48, R29: the blows, one after the other."""
    for command in night.live(BLOWS):
        if night.is_blow(command):
            night.blow_met[command.role] = _settle(night, command)
            if command.action == "kill":
                night.outcomes[command.role] = night.blow_met[command.role]


def _settle(night: Night, blow: Command) -> str | None:
    """How a blow is settled, in the order under R48; None when it landed, else what met it. A guest is not at home: the blow
    counts as not made, be he Papa Carlo (D17). What turns a blow away prevents the attacker's own loss, too, at Papa Carlo
    (D20) and at the other maniac (D21). Papa Carlo is unharmed whatever other role he has (D22). Papa Carlo guarded: no attack
    took place (R46)."""
    attacker, target = blow.performer, blow.target
    if attacker in night.beaten:
        return "beaten"
    if target == night.guest:
        night.outcomes[MALVINA] = None
        if target == night.guarded:
            night.outcomes[DUREMAR] = None
        return _keep(night, target, "target_guest")
    if target == night.guarded:
        night.outcomes[DUREMAR] = None
        return _keep(night, target, "target_guarded")
    if night.holds(target, ELDER):
        _bad_choice(night, blow, "R48" if blow.action == "kill" else "R30")
        return _keep(night, target, "elder")
    if night.is_maniac(attacker) and blow.action == "attack" and night.is_maniac(target):
        _bad_choice(night, blow, "R26")
        return _keep(night, target, "other_maniac")
    _land(night, blow, target, "R47" if blow.action == "kill" else "R29")
    if target == night.hostess and night.guest is not None:
        _reach_the_guest(night, blow, night.guest)
    return None


def _reach_the_guest(night: Night, blow: Command, guest: Seat) -> None:
    """R39-R41: what the blow at the hostess does to her guest. The guest loses one life, as she does (D16), Papa Carlo, too,
    where the table does not spare him (D18). A guard saves the guest, also when he is the attacker (D19)."""
    if guest == night.guarded:
        night.outcomes[DUREMAR] = None
        _keep(night, guest, "target_guarded")
    elif guest == blow.performer:
        _bad_choice(night, blow, "R41")
    elif not night.holds(guest, ELDER) or night.game.tables.elder_hurt_as_guest:
        _land(night, blow, guest, "R39")


def _keep(night: Night, seat: Seat, reason: str) -> str:
    night.kept.setdefault(seat, reason)
    return reason


def _land(night: Night, blow: Command, victim: Seat, rule: str) -> None:
    night.hits.append(Hit(blow, False, rule))
    _lose(night, victim, "killer_attack", blow.performer, blow, rule)


def _bad_choice(night: Night, blow: Command, rule: str) -> None:
    night.hits.append(Hit(blow, True, rule))
    _lose(night, blow.performer, "bad_target", None, blow, rule)


def _lose(night: Night, seat: Seat, cause: str, by: Seat | None, blow: Command, rule: str) -> None:
    """R2, R5: one life less, for him and for each counted role that he holds tonight; nobody goes below 0. Several hits add up,
    and a role loses what its holder really lost (D15)."""
    if night.lives[seat] == 0:
        return
    night.lives[seat] -= 1
    night.losses.append(Loss(seat, cause, by, (blow.order.ref,), rule))
    for role in night.roles_tonight(seat):
        if role in COUNTED_ROLES and night.role_lives[role] > 0:
            night.role_lives[role] -= 1
            night.role_losses[role] = night.role_losses.get(role, 0) + 1


def judge_attacks(night: Night) -> None:
    """R24: an attack is done when it blocked a command or its blow landed, and was no bad choice."""
    for role in MANIAC_ROLES:
        attack = night.commands.get(role)
        if attack is None:
            continue
        met = night.blow_met.get(role, "ineffective")
        bad = met in ("elder", "other_maniac")
        stopped_somebody = attack.target in night.blocked and attack.target in night.active
        night.outcomes[role] = None if met is None or (stopped_somebody and not bad) else met


STEPS: tuple[Callable[[Night], None], ...] = (block, recruit, spy, invite, beat, guard, strike, judge_attacks)


def play(game: Game, commands: Mapping[str, Command]) -> Night:
    """Steps 1 to 7 of R23."""
    night = Night(game, commands)
    for step in STEPS:
        step(night)
    return night
