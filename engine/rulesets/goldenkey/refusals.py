"""The tests on arrival, in the order of 1.4: the first that applies gives the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.model import Order, Seat
from engine.rulesets.goldenkey.roles import (
    ARTEMON,
    COMMANDS,
    ELDER,
    KILLER,
    ROLES,
    TOWN_ROLES,
    TOWNSFOLK,
    VILLAIN_ROLES,
    VILLAINS,
)
from engine.rulesets.goldenkey.state import Arrival, Game, Player


class Case:
    """An order on the table, with what several tests want to know about it."""

    __slots__ = ("action", "ambiguous", "game", "order", "performer", "role", "sender")

    def __init__(self, game: Game, order: Order) -> None:
        self.game = game
        self.order = order
        self.action = order.action
        self.sender = game.players.get(order.player)
        self.role: str | None = None
        """Of a command the acting role, of a bid the role wanted; None when that is not clear."""
        self.ambiguous = False
        self.performer: Seat | None = order.player
        sender = self.sender
        if sender is None or not sender.here:
            return
        if order.action in COMMANDS:
            self._settle_role(sender)
            self.performer = self._performer()
        elif order.action == "bid_role":
            self.role = named_role(order.args)

    def _settle_role(self, sender: Player) -> None:
        """R14, R18, R22: which role acts."""
        action, game = self.action, self.game
        if "role" in self.order.args:
            named = named_role(self.order.args)
            role = ROLES.get(named) if named is not None else None
            if role is not None and action in role.actions:
                own = role.id in sender.roles
                if own or (sender.faction == VILLAINS and role.id in game.opened.clan_roles):
                    self.role = role.id
        elif action == "kill" and sender.faction == VILLAINS:
            self.role = KILLER
        else:
            able = [role for role in sender.roles if action in ROLES[role].actions]
            if len(able) > 1:
                able = [role for role in able if not too_early_to_kill(game, role, action)]
                self.ambiguous = len(able) > 1
            self.role = able[0] if able else None

    def _performer(self) -> Seat | None:
        """R17, R18: who carries the command out; None when nobody living does. A recruited maniac does not perform the kill,
        unless the table says so (D10). Any living villain may write for the clan (D11)."""
        if self.role == KILLER:
            by = self.order.args.get("by", self.order.player)
            player = self.game.players.get(by) if isinstance(by, str) else None
            if player is None or not player.here:
                return None
            may = player.born == VILLAINS or (player.faction == VILLAINS and self.game.tables.recruited_as_killer)
            return player.seat if may else None
        return self.game.opened.holders.get(self.role) if self.role is not None else None


def named_role(args: Mapping[str, Any]) -> str | None:
    """The one role that the args name; None when they name none or several."""
    named = args.get("role")
    if isinstance(named, (list, tuple)):
        named = named[0] if len(named) == 1 else None
    return named if isinstance(named, str) else None


def too_early_to_kill(game: Game, role: str, action: str) -> bool:
    """R20: Artemon is no killer yet."""
    return role == ARTEMON and action == "kill" and game.night < game.tables.artemon_kill_from


def may_bid(game: Game, player: Player) -> bool:
    """R49, R35: townsmen; joined maniacs only by the table. A maniac's role is his for the whole game (D30)."""
    if player.faction != TOWNSFOLK:
        return False
    return not player.is_maniac or game.tables.recruited_may_bid


def in_play(game: Game, role: str) -> bool:
    """R53: the role is dealt in this game and has not ended; for Papa Carlo the count at the opening holds (R8)."""
    if role not in game.tables.town_roles:
        return False
    return game.opened.elder if role == ELDER else game.role_lives[role] > 0


def _dead_player(case: Case) -> bool:
    return case.sender is None or not case.sender.here


def _no_day(case: Case) -> bool:
    return not case.game.has_day


def _not_your_action(case: Case) -> bool:
    return case.role is None


def _may_not_bid(case: Case) -> bool:
    return case.sender is None or not may_bid(case.game, case.sender)


def _no_born_villain(case: Case) -> bool:
    return case.sender is None or not case.sender.is_born_villain


def _roles_fixed(case: Case) -> bool:
    return case.game.night > 1


def _bad_assignment(case: Case) -> bool:
    """R19: each of the four roles once, for living born villains, nobody twice while there are enough of them."""
    roles, targets = case.order.args.get("roles", ()), case.order.targets
    if not isinstance(roles, (list, tuple)) or sorted(map(str, roles)) != sorted(VILLAIN_ROLES) or len(roles) != len(targets):
        return True
    living = {p.seat for p in case.game.players.values() if p.here and p.is_born_villain}
    named = set(targets)
    return not named <= living or len(named) < min(len(living), len(VILLAIN_ROLES))


def _not_on_offer(case: Case) -> bool:
    return case.role is not None and case.role not in TOWN_ROLES


def _role_needed(case: Case) -> bool:
    return case.ambiguous


def _bad_performer(case: Case) -> bool:
    return case.performer is None and case.role not in case.game.opened.unseen


def _role_gone(case: Case) -> bool:
    if case.action == "kill":
        return case.role == KILLER and case.game.role_lives[KILLER] == 0
    return case.role is not None and not in_play(case.game, case.role)


def _not_one_target(case: Case) -> bool:
    return len(case.order.targets) != 1 or case.order.targets[0] not in case.game.players


def _any_target(case: Case) -> bool:
    return bool(case.order.targets)


def _not_one_role(case: Case) -> bool:
    return case.role is None or bool(case.order.targets)


def _kill_not_yet(case: Case) -> bool:
    return case.role is not None and too_early_to_kill(case.game, case.role, case.action)


def _no_maniacs(case: Case) -> bool:
    return case.game.opened.free_maniacs == 0


def _dead_target(case: Case) -> bool:
    return not case.game.players[case.order.targets[0]].here


def _self_target(case: Case) -> bool:
    """Clanmates may be named like anybody; oneself only for what ``self_targets`` lists (D7)."""
    return case.performer == case.order.targets[0] and case.action not in case.game.tables.self_targets


def _self_vote(case: Case) -> bool:
    """Allowed, unless the table says otherwise (D6)."""
    return case.order.player == case.order.targets[0] and not case.game.tables.self_vote


Test = Callable[[Case], bool]
VOTE, UNVOTE, BID, LIST, REMOVE = ("vote",), ("unvote",), ("bid_role",), ("assign_roles",), ("host_remove",)
ANY_COMMAND = tuple(sorted(COMMANDS))
TAKE_BACK = ("cancel", "pass")
SENT = (*VOTE, *UNVOTE, *ANY_COMMAND, *BID, *LIST, *REMOVE, *TAKE_BACK)

TESTS: tuple[tuple[str, Test, tuple[str, ...]], ...] = (
    ("dead_player", _dead_player, SENT),
    ("no_day", _no_day, VOTE + UNVOTE),
    ("not_your_action", _not_your_action, ANY_COMMAND),
    ("not_your_action", _may_not_bid, BID),
    ("not_your_action", _no_born_villain, LIST),
    ("roles_fixed", _roles_fixed, LIST),
    ("bad_assignment", _bad_assignment, LIST),
    ("not_on_offer", _not_on_offer, BID),
    ("role_needed", _role_needed, ANY_COMMAND),
    ("bad_performer", _bad_performer, ANY_COMMAND),
    ("role_gone", _role_gone, ("kill", *BID)),
    ("bad_targets", _not_one_target, VOTE + ANY_COMMAND),
    ("bad_targets", _any_target, UNVOTE + REMOVE),
    ("bad_targets", _not_one_role, BID),
    ("kill_not_yet", _kill_not_yet, ("kill",)),
    ("no_maniacs", _no_maniacs, ("recruit",)),
    ("dead_target", _dead_target, VOTE + ANY_COMMAND),
    ("self_target", _self_target, ANY_COMMAND),
    ("self_target", _self_vote, VOTE),
)
"""(reason, test, actions it is asked of), in the order of 1.4. ``killer_busy`` comes at the resolution (R17)."""

_BY_ACTION: Mapping[str, tuple[tuple[str, Test], ...]] = {
    action: tuple((reason, test) for reason, test, actions in TESTS if action in actions) for action in SENT
}

RULE: Mapping[str, str] = {
    "dead_player": "R15",
    "no_day": "R9",
    "not_your_action": "R15",
    "roles_fixed": "R19",
    "bad_assignment": "R19",
    "not_on_offer": "R49",
    "role_needed": "R22",
    "bad_performer": "R17",
    "role_gone": "R49",
    "bad_targets": "R15",
    "kill_not_yet": "R20",
    "no_maniacs": "R34",
    "dead_target": "R15",
    "self_target": "R15",
    "killer_busy": "R17",
    "too_early": "R16",
    "too_late": "R16",
    "polar_night": "R10",
}
"""The rule behind each reason."""

_SLOT_OF_SENDER: Mapping[str, str] = {"vote": "vote:", "unvote": "vote:", "bid_role": "bid:"}


def judge(game: Game, order: Order) -> Arrival:
    """Test an order against the game as it stands. Raises KeyError for an action that is none of the ruleset's."""
    tests = _BY_ACTION[order.action]
    case = Case(game, order)
    reason = None
    for name, test in tests:
        if test(case):
            reason = name
            break
    if order.action in _SLOT_OF_SENDER:
        slot = _SLOT_OF_SENDER[order.action] + order.player
    else:
        slot = "list" if order.action == "assign_roles" else case.role or ""
    return Arrival(order, reason, slot, case.role)
