"""The night as it is being played: hits, guards, attacks, and what an attack meets (R41-R43, chapter 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.model import Data, Seat
from engine.rulesets.league.hosting import grade_of
from engine.rulesets.league.roles import GANGS, HALF_OF_BOTH, ITEMS
from engine.rulesets.league.state import Desk, Player, Standing, own_side, rivals

ATTACK, GUARD, REVENGE, SACRIFICE = "attack", "guard", "revenge", "sacrifice"
"""Kinds of a hit: as the named victim; for a ward; a strike-back; the kamikaze's own end."""


@dataclass(slots=True)
class Attack:
    """An attack that took place (R113)."""

    attacker: Seat
    victim: Seat
    side: str
    rival: bool
    own: bool
    pays: bool
    seq: int
    reason: str | None = None
    """Why the named victim was not killed by it; None while he is hit by it."""


@dataclass(frozen=True, slots=True)
class Hit:
    kind: str
    cause: str
    by: Seat | None
    attack: Attack | None = None
    ref: str = ""
    """The order that it rests on."""


@dataclass(slots=True)
class Guard:
    """A samurai or a bodyguard in his place (R75, R88)."""

    kind: str
    guardian: Seat
    ward: Seat
    seq: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """A story for the newspaper; ``hide`` is the victim whose nick must not be told (R131)."""

    text: str
    author: Seat
    """"" for a story of the host's own."""
    action: str
    target: Seat
    shot: int
    grade: int | None
    hide: Seat = ""
    ref: str = ""


Section = tuple[str, str, str, tuple[str, ...], Data]
"""A public line that waits for its place in the report: section, kind, rule, refs, data."""


@dataclass(slots=True)
class Night:
    """Everything one resolution knows besides the desk."""

    desk: Desk
    hits: dict[Seat, Hit] = field(default_factory=dict)
    guards: list[Guard] = field(default_factory=list)
    visited: dict[Seat, list[Seat]] = field(default_factory=dict)
    """Visited player -> the girls who are with him."""
    foiled: list[Seat] = field(default_factory=list)
    """Girls who have foiled a move."""
    attacks: list[Attack] = field(default_factory=list)
    watches: list[Standing] = field(default_factory=list)
    executed: dict[int, int] = field(default_factory=dict)
    """Seq of a contract that was carried out -> what its customer earns by the sides as they stood then (R114)."""
    stories: list[Story] = field(default_factory=list)
    lines: list[Section] = field(default_factory=list)
    spared: set[Seat] = field(default_factory=set)
    deaths: list[Seat] = field(default_factory=list)
    """Everybody who died in this turn, in order."""
    results: dict[int, tuple[str | None, str]] = field(default_factory=dict)
    """Standing order -> (reason or None when done, rule)."""

    # results and lines

    def result(self, standing: Standing | None, reason: str | None, rule: str) -> None:
        if standing is not None:
            self.results[standing.seq] = (reason, rule)

    def line(self, section: str, kind: str, rule: str, ref: str = "", **data: object) -> None:
        self.lines.append((section, kind, rule, (ref,) if ref else (), data))

    def tell(self, standing: Standing, *, hide: Seat = "") -> None:
        """Keep the story of a move for the newspaper, in the order of the attacks (R131). Printed when the attack took place; a
        kamikaze's miss was none (D71)."""
        if standing.story.strip():
            order, grade = standing.order, grade_of(standing)
            self.stories.append(
                Story(standing.story, order.player, order.action, standing.target, standing.shot, grade, hide, order.ref)
            )

    # who is on his feet

    def alive(self, seat: Seat) -> bool:
        return self.desk.players[seat].alive

    def unable(self, actor: Seat) -> str | None:
        """Why this player makes no move at his step (R41); None when he does."""
        player = self.desk.players[actor]
        if not player.alive:
            return "left_town" if player.left else "dead"
        return "killed_before_move" if actor in self.hits else None

    def foils(self, actor: Seat, target: Seat, aggressive: bool) -> bool:
        """R72: a girl is with the actor, and his move does not attack or check herself. Attacks and checks aimed at her take
        place all the same, help does not, nor does the shaman name her so (D47)."""
        girls = [girl for girl in self.visited.get(actor, []) if not (aggressive and target == girl)]
        self.foiled.extend(girls)
        for girl in girls:
            self.desk.step("night", "foiled", "R72", player=actor, girl=girl)
        return bool(girls)

    # the attack

    def attack(self, attacker: Seat, victim: Seat, side: str, standing: Standing | None, *, pays: bool = True) -> Attack:
        """R43: guards, immortality, strike-backs, shield, armour, and then the hit. The girl and R42 come before. Living guards
        stand before all that the victim wears or is (D31)."""
        one, other = self.desk.players[attacker], self.desk.players[victim]
        seq = standing.seq if standing is not None else 0
        attack = Attack(attacker, victim, side, rivals(one, other) and other.role_player, own_side(one, other), pays, seq)
        self.attacks.append(attack)
        ref = standing.order.ref if standing is not None else ""
        hide = ""
        for meets in MEETS:
            reason = meets(self, attack, ref)
            if reason is not None:
                attack.reason = reason or None
                hide = victim if reason in ("immortal", "shield", "armour") else ""
                break
        else:
            self.hit(victim, Hit(ATTACK, side, attacker, attack, ref))
        met = attack.reason or "hit"
        self.desk.step("night", "attack", "R43", (ref,) if ref else (), attacker=attacker, victim=victim, side=side, met=met)
        if attack.reason is not None:
            self.spared.add(victim)
        if hide:
            self.line("attempts", "failed", "R131", ref, side=side)
        if standing is not None:
            self.tell(standing, hide=hide)
        return attack

    def hit(self, seat: Seat, hit: Hit) -> None:
        if seat not in self.hits:
            self.hits[seat] = hit
            self.desk.step("night", "hit", "R44", player=seat, cause=hit.cause, kind=hit.kind)

    def guard_of(self, victim: Seat) -> Guard | None:
        """The first unused guard of this player who is still on his feet, in the order of the night's steps."""
        for guard in self.guards:
            if guard.ward == victim and not guard.used and self.unable(guard.guardian) is None:
                return guard
        return None

    def take_blow(self, guard: Guard, attack: Attack, ref: str) -> None:
        """A samurai or bodyguard is hit in his ward's stead; the report names the ward (R75, R88, R132). A healed bodyguard or
        samurai is not named, and the label of a strike-back does not say whose it was (D84)."""
        guard.used = True
        if guard.kind == "bodyguard" and attack.side != "kamikaze":
            self.hit(attack.attacker, Hit(REVENGE, "bodyguard_revenge", guard.guardian, ref=ref))
        self.hit(guard.guardian, Hit(GUARD, attack.side, attack.attacker, attack, ref))
        self.line("attempts", guard.kind, "R132", ref, side=attack.side, player=attack.victim)
        if guard.kind == "samurai":
            self.results[guard.seq] = (None, "R75")


def sacrifice(night: Night, attack: Attack, ref: str) -> None:
    """The kamikaze dies of his own attack, whoever took it (R58). Nothing rescues him (D43)."""
    night.hit(attack.attacker, Hit(SACRIFICE, "sacrifice", None, ref=ref))


# what an attack meets, in the order of R43: None goes on, "" is a hit that was dealt here, else the reason of failure


def _guards(night: Night, attack: Attack, ref: str) -> str | None:
    guard = night.guard_of(attack.victim)
    if guard is None:
        return None
    night.take_blow(guard, attack, ref)
    return "guarded"


def _immortality(night: Night, attack: Attack, ref: str) -> str | None:
    """R65: by night only the maniac (and the shaman's curse, which is no attack)."""
    return "immortal" if _victim(night, attack).role == "immortal" and attack.side != "maniac" else None


def _strike_back(night: Night, attack: Attack, ref: str) -> str | None:
    """R53, R79: mercenary and bodyguard are hit and take an attacker along. Of a gang one at random goes in the shooter's place
    for the mercenary, lawyer and kamikaze among them; for the bodyguard the shooter (D35)."""
    victim = _victim(night, attack)
    if victim.role not in ("mercenary", "bodyguard"):
        return None
    night.hit(victim.seat, Hit(ATTACK, attack.side, attack.attacker, attack, ref))
    struck = attack.attacker
    if victim.role == "mercenary" and attack.side in GANGS:
        members = [p.seat for p in night.desk.living() if p.faction == attack.side and p.seat not in night.hits]
        struck = night.desk.chance.draw("mercenary_revenge", members)
    night.hit(struck, Hit(REVENGE, f"{victim.role}_revenge", victim.seat, ref=ref))
    return ""


def _shield(night: Night, attack: Attack, ref: str) -> str | None:
    """R95: before any armour of the necromancer's own (D32)."""
    victim = _victim(night, attack)
    if "necro_shield" not in victim.items or attack.side == "kamikaze":
        return None
    night.desk.lose_item(victim.seat, "necro_shield")
    night.hit(attack.attacker, Hit(REVENGE, "necro_shield", victim.seat, ref=ref))
    night.desk.notice(victim.seat, "attempt_survived", "R95", _about(ref), item="necro_shield")
    return "shield"


def _armour(night: Night, attack: Attack, ref: str) -> str | None:
    """R90-R94. The first check uses the armour of that kind up, harmless or not; where a guard takes the shot it is not reached
    (D38)."""
    victim = _victim(night, attack)
    worn = next((i for i in victim.items if attack.side in ITEMS[i].armour_against), None)
    if worn is None:
        return None
    night.desk.lose_item(victim.seat, worn, HALF_OF_BOTH[attack.side] if worn == "armour_both" else "")
    if ITEMS[worn].strong:
        night.hit(attack.attacker, Hit(REVENGE, "strong_armour", victim.seat, ref=ref))
    night.desk.notice(victim.seat, "attempt_survived", "R90", _about(ref), item=worn)
    return "armour"


def _about(ref: str) -> tuple[str, ...]:
    return (ref,) if ref else ()


def _victim(night: Night, attack: Attack) -> Player:
    return night.desk.players[attack.victim]


Meets = Callable[[Night, Attack, str], str | None]
MEETS: tuple[Meets, ...] = (_guards, _immortality, _strike_back, _shield, _armour)
