"""The tests on arrival (1.4): an ordered table; the first that applies gives the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.model import Order, Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.calendar import ClansCalendar
from engine.rulesets.clans.state import Game, Player


@dataclass(frozen=True, slots=True)
class Case:
    """An order at the door: the game as it stands, the order, its sender."""

    game: Game
    order: Order
    sender: Player

    @property
    def targets(self) -> tuple[Player, ...]:
        return tuple(self.game.players[seat] for seat in self.order.targets)

    def artist(self) -> Player | None:
        """The living artist of the sender's clan."""
        return next((p for p in self.game.clan(self.sender.faction) if p.alive and p.role == "artist"), None)


Test = Callable[[Case], bool]


def is_late(game: Game, order: Order) -> bool:
    """R1: at or after the deadline, or before the next day has opened."""
    if game.stage != "turn":
        return True
    if game.sketch is not None:
        clock = game.sketch.clock
        return clock is not None and game.tables.deadline <= clock < game.tables.newspaper
    return order.at is not None and ClansCalendar(game.tables).late(game, order.at)


def may_send(case: Case) -> bool:
    """1.3, "who may send": it goes by the acting role (R4, R90); the artist has no move before he acts
    in one (R91)."""
    action, sender = case.order.action, case.sender
    if sender.role == roles.UNKNOWN:
        return True
    test = _OPEN_TO.get(action)
    return test(case) if test is not None else action in roles.ROLE_ACTIONS.get(sender.acting, ())


def _may_appoint(case: Case) -> bool:
    """The don, or the artist himself when his clan has no living don (R89)."""
    if case.sender.acting == "don":
        return True
    if case.sender.role != "artist":
        return False
    sketch = case.game.sketch
    if sketch is not None:
        return sketch.don_dead is not False
    return not any(player.alive and player.acting == "don" for player in case.game.clan(case.sender.faction))


_OPEN_TO: Mapping[str, Test] = {
    **dict.fromkeys(("vote", "unvote", *roles.TAKING_BACK), lambda case: True),
    "kill": lambda case: case.sender.mafioso,
    "hunt": lambda case: case.sender.civilian,
    "replace_role": lambda case: case.sender.mafioso and _may_appoint(case),
}
"""Actions that are no role's move."""


def _bad_targets(case: Case) -> bool:
    if case.order.action in roles.TAKING_BACK:
        return bool(case.order.targets)
    count = len(case.order.targets)
    least, most = roles.ACTIONS[case.order.action].targets
    if count < least or (most is not None and count > most):
        return True
    return case.order.action == "interview" and len(set(case.order.targets)) < count


def _self_target(case: Case) -> bool:
    """R7, D4; votes against oneself are the table's affair (D34)."""
    if case.order.player not in case.order.targets:
        return False
    if case.order.action in ("vote", "extra_votes"):
        return not case.game.tables.self_vote
    return not roles.ACTIONS[case.order.action].self_allowed


def _own_clan(case: Case) -> bool:
    return case.order.action == "seduce" and any(player.faction == case.sender.faction for player in case.targets)


def _not_own_clan(case: Case) -> bool:
    """Only where the clan is known: of a stranger in a sketch nothing is known."""
    return case.order.action == "guard" and any(
        player.faction not in (case.sender.faction, roles.UNKNOWN) for player in case.targets
    )


def _repeat_target(case: Case) -> bool:
    """R8: not twice in a row; R9: not twice a game."""
    action, sender = case.order.action, case.sender
    if action in roles.NOT_IN_A_ROW:
        return sender.last.get(action) in case.order.targets
    return action in roles.ONCE_A_GAME and bool(sender.past.get(action, frozenset()) & set(case.order.targets))


def _too_many_votes(case: Case) -> bool:
    return case.order.action == "extra_votes" and len(case.order.targets) > case.game.tables.secret_votes(case.game.turn)


def _hunt_with_move(case: Case) -> bool:
    """R69: the chosen sends either secret votes or a hunt."""
    other = {"hunt": "role", "extra_votes": "hunt"}.get(case.order.action)
    return case.sender.role == "chosen" and other is not None and case.game.standing(case.order.player, other) is not None


def _appoints(test: Test) -> Test:
    return lambda case: case.order.action == "replace_role" and test(case)


def _bad_role(case: Case) -> bool:
    return case.order.args.get("role") not in case.game.tables.artist_roles


def _no_artist(case: Case) -> bool:
    return case.game.sketch is None and case.artist() is None


def _already_appointed(case: Case) -> bool:
    artist = case.artist()
    return artist is not None and artist.acts_as is not None and not case.game.tables.artist_reappoint


def _role_not_vacant(case: Case) -> bool:
    """A role is vacant when its holder was dealt and is dead, and nobody living acts in it (R89)."""
    role, sketch = case.order.args.get("role"), case.game.sketch
    if sketch is not None:
        return sketch.vacant is not None and sketch.vacant != role
    clan = case.game.clan(case.sender.faction)
    dealt = any(player.role == role for player in clan)
    return not dealt or any(player.alive and role in (player.role, player.acts_as) for player in clan)


REFUSALS: tuple[tuple[str, str, Test], ...] = (
    ("late", "R1", lambda case: is_late(case.game, case.order)),
    ("dead_player", "R6", lambda case: not case.sender.alive),
    ("not_your_action", "R4", lambda case: not may_send(case)),
    ("bad_targets", "R7", _bad_targets),
    ("dead_target", "R6", lambda case: any(not player.alive for player in case.targets)),
    ("self_target", "R7", _self_target),
    ("own_clan", "R25", _own_clan),
    ("not_own_clan", "R51", _not_own_clan),
    ("repeat_target", "R8", _repeat_target),
    ("no_bullets", "R61", lambda case: case.order.action == "shoot" and case.sender.bullets < 1),
    ("poison_used", "R40", lambda case: case.order.action == "poison_mistake" and case.sender.poison_used),
    ("too_many_votes", "R17", _too_many_votes),
    ("hunt_with_move", "R69", _hunt_with_move),
    ("bad_role", "R89", _appoints(_bad_role)),
    ("no_artist", "R89", _appoints(_no_artist)),
    ("already_appointed", "R89", _appoints(_already_appointed)),
    ("role_not_vacant", "R89", _appoints(_role_not_vacant)),
)
"""Reason, rule, test; in the order of 1.4."""


def why_refused(game: Game, order: Order, sender: Seat) -> tuple[str, str] | None:
    """The reason for which the order is refused and its rule, None when it is taken."""
    case = Case(game, order, game.players[sender])
    return next(((reason, rule) for reason, rule, test in REFUSALS if test(case)), None)
