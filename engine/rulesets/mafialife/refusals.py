"""Refusals on arrival as ordered tables (R9): an order is refused for the first reason whose test fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from engine.model import NOTHING, Order, Seat
from engine.rulesets.mafialife.moves import TABLE, Move, find, of_role
from engine.rulesets.mafialife.roles import (
    EXTRA_GOODS,
    LEVEL_GOODS,
    NEUTRAL,
    ONE_A_NIGHT,
    ROLES,
)
from engine.rulesets.mafialife.state import Game, Player, official

UNKNOWN_ROLE = ""
"""The role of a player of whom a sketch knows nothing; tests that ask for a role let him pass."""
_STUDY_TABLE = {"girl": "citizen_girl", "mafia_journalist": "unfaithful_journalist", "mafioso": "journalist_mafioso"}
MAX_BOUGHT_LEVEL = max(LEVEL_GOODS.values())
PACK_SIZE = 5
"""Goods that an extra pack adds to the limit of the game (R23), of whose purchases it is one itself (D13)."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One order under test. For a captive's move ``player`` is the captive and ``captor`` gave the order."""

    game: Game
    player: Player
    order: Order
    move: Move | None = None
    captor: bool = False
    fired: tuple[str, ...] = ()
    """Items that the player's earlier extra actions of the day take."""

    @property
    def targets(self) -> tuple[Seat, ...]:
        return self.order.targets

    def arg(self, name: str) -> Any:
        return self.order.args.get(name)

    @property
    def item(self) -> str:
        """The item a purchase, gift or sale is about."""
        return str(self.order.args.get("item", ""))

    def target(self, seat: Seat) -> Player | None:
        return self.game.players.get(seat)


Test = Callable[[Ask], bool]
Table = tuple[tuple[str, Test], ...]


def first_reason(ask: Ask, table: Table) -> str | None:
    """The first reason that fits, None when the order may stand. What a sketch cannot judge is passed over."""
    sketch = ask.game.sketch
    for reason, fits in table:
        if sketch is not None and reason in sketch.blind and (ask.order.action, reason) not in sketch.sure:
            continue
        if fits(ask):
            return reason
    return None


def _dead(ask: Ask) -> bool:
    return not ask.player.alive or ask.player.seat in ask.game.removals


def _stays(game: Game, target: Player | None) -> bool:
    """Whether this is a living player whom the host does not take away before the night (D53)."""
    return target is not None and target.alive and target.seat not in game.removals


def _paralysed(ask: Ask) -> bool:
    return ask.player.paralysed


def _same_team_official(ask: Ask, seats: Iterable[Seat]) -> bool:
    """R63: a recruited neutral against living official members of his team."""
    if not ask.player.recruited or ask.arg("plan") is True:
        return False
    found = (ask.target(seat) for seat in seats)
    return any(p is not None and p.alive and p.faction == ask.player.faction and official(ask.game, p) for p in found)


# --- Moves and extra actions -------------------------------------------------------------------------------------------


def _is_move(ask: Ask) -> bool:
    return ask.move is not None and ask.move.kind == "move"


def _not_his(ask: Ask) -> bool:
    return ask.move is None


def _no_item(ask: Ask) -> bool:
    assert ask.move is not None
    item = ask.move.item
    if item is None:
        return False
    owned = ask.player.staff if item == "staff" else ask.player.owns(item)
    return owned - ask.fired.count(item) < 1


def _bad_args(ask: Ask) -> bool:
    assert ask.move is not None
    flags_wrong = any(not isinstance(ask.order.args.get(flag, False), bool) for flag in ("plan", "aids", "join"))
    if ask.move.arg is None:
        return flags_wrong
    # The captive of a sketch may have any role that has such a move.
    moves = [m for m in TABLE if m.action == ask.move.action] if ask.player.role == UNKNOWN_ROLE else [ask.move]
    return flags_wrong or not any(ask.arg(ask.move.arg) in (move.option or ROLES) for move in moves)


def _wrong_count(ask: Ask) -> bool:
    assert ask.move is not None
    return len(ask.targets) not in ask.move.count


def _himself(ask: Ask) -> bool:
    assert ask.move is not None
    if ask.move.action == "sleep_role":
        return bool(ask.arg("role") == ask.player.role)
    return any(seat == ask.player.seat and place not in ask.move.own for place, seat in enumerate(ask.targets))


def _unfit(ask: Ask) -> bool:
    """R8, D53; over whom a guard really can stand is seen at night (D52)."""
    assert ask.move is not None
    for seat in ask.targets:
        target = ask.target(seat)
        if target is None or seat in ask.game.removals:
            return True
        if ask.move.wants != "anybody" and target.alive == (ask.move.wants == "dead"):
            return True
    return _stranger_to_the_clan(ask)


def _stranger_to_the_clan(ask: Ask) -> bool:
    """Only in a sketch, where the sender knows his team: the documents of others are not his to swap (R112)."""
    sketch = ask.game.sketch
    if sketch is None or not sketch.clan or ask.order.action != "swap_documents":
        return False
    return not set(ask.targets) <= sketch.clan


def _charges(ask: Ask) -> tuple[str, ...]:
    """The allowances that the move takes from (R5, R102)."""
    infecting = ask.order.action == "sleep_role" and ask.arg("aids") is True
    assert ask.move is not None
    return (ask.move.action, "aids") if infecting else (ask.move.action,)


def _allowed(ask: Ask, action: str) -> int:
    return ask.game.tables.allowed(ask.player.role, action, ask.player.level)


def _level_too_low(ask: Ask) -> bool:
    return _is_move(ask) and any(_allowed(ask, action) == 0 for action in _charges(ask))


def _used_up(ask: Ask) -> bool:
    return _is_move(ask) and any(0 <= _allowed(ask, action) <= ask.player.used.get(action, 0) for action in _charges(ask))


def _same_twice(ask: Ask) -> bool:
    last = ask.game.last_targets.get(ask.player.seat, NOTHING).get(ask.order.action)
    return ask.order.action in ("sleep", "aids") and last is not None and ask.targets[:1] == (last,)


def _own_team(ask: Ask) -> bool:
    """R63: every hostile move is banned, not the deadly ones alone; for votes the table says so (D11)."""
    assert ask.move is not None
    return not ask.captor and ask.move.hostile and _same_team_official(ask, ask.targets)


def _member_already(ask: Ask) -> bool:
    return ask.order.action == "infiltrate" and ask.player.faction == ask.arg("team")


def _needs_points(ask: Ask) -> bool:
    return ask.order.action == "study" and ask.player.points < ask.game.tables.study[_STUDY_TABLE[ask.arg("role")]]


def may_not_study(game: Game, player: Player, move: Move) -> bool:
    """Whether the move is one of learning a role for which the player has too few points (R104, R115)."""
    return move.action == "study" and all(player.points < game.tables.study[_STUDY_TABLE[role]] for role in move.option or ())


def _fired_already(ask: Ask) -> bool:
    assert ask.move is not None
    return ask.move.item in ONE_A_NIGHT and ask.move.item in ask.fired


MOVE: Table = (
    ("dead", _dead),
    ("not_your_action", _not_his),
    ("no_item", _no_item),
    ("paralysed", lambda ask: _is_move(ask) and _paralysed(ask)),
    ("captive", lambda ask: _is_move(ask) and not ask.captor and bool(ask.player.captive_of)),
    ("move_sold", lambda ask: _is_move(ask) and not ask.captor and ask.player.move_spent),
    ("bad_args", _bad_args),
    ("wrong_target_count", _wrong_count),
    ("self_target", _himself),
    ("bad_target", _unfit),
    ("level_too_low", _level_too_low),
    ("no_uses_left", _used_up),
    ("same_target_twice", _same_twice),
    ("own_team", _own_team),
    ("already_member", _member_already),
    ("not_enough_points", _needs_points),
    ("one_per_night", _fired_already),
)
CURABLE = frozenset({"no_item", "level_too_low", "no_uses_left"})
"""Reasons that a purchase or gift of the same day can still remove: moves are judged after the market (R9)."""


def captive_of(game: Game, captor: Seat) -> Player | None:
    """The living prisoner of this maniac in this turn (R87). A sketch that knows of none has a nameless one."""
    for player in game.players.values():
        if player.captive_of == captor and player.alive:
            return player
    if game.sketch is not None and "no_captive" in game.sketch.blind:
        return Player(UNKNOWN_ROLE, UNKNOWN_ROLE, NEUTRAL)
    return None


def inner_order(order: Order, captive: Seat) -> Order:
    """The captive's own order inside a ``captive_move``."""
    args = {key: value for key, value in order.args.items() if key != "action"}
    return replace(order, player=captive, action=str(order.args.get("action", "")), args=args)


def own_move(game: Game, player: Player, action: str) -> Move | None:
    """The move that this player makes by this action, None when it is not his."""
    return find(player.role, action, game.tables.pistol_roles)


def captives_move(captive: Player, action: str) -> Move | None:
    """One of the moves of the captive's role (R87); of an unknown role any move of that name."""
    moves = TABLE if captive.role == UNKNOWN_ROLE else of_role(captive.role)
    return next((move for move in moves if move.action == action and move.kind == "move" and move.roles), None)


_CAPTOR: Table = (
    ("dead", _dead),
    ("not_your_action", lambda ask: ask.player.role != "maniac"),
    ("no_captive", lambda ask: captive_of(ask.game, ask.player.seat) is None),
)


def refuse_move(game: Game, order: Order, fired: tuple[str, ...]) -> str | None:
    """Why a move, an extra action or a ``captive_move`` may not stand now. ``fired``: items taken by earlier ones."""
    player = game.players[order.player]
    if order.action != "captive_move":
        return first_reason(Ask(game, player, order, own_move(game, player, order.action), fired=fired), MOVE)
    reason = first_reason(Ask(game, player, order), _CAPTOR)
    captive = captive_of(game, order.player)
    if reason is not None or captive is None:
        return reason
    inner = inner_order(order, captive.seat)
    return first_reason(Ask(game, captive, inner, captives_move(captive, inner.action), captor=True), MOVE)


# --- Day actions -------------------------------------------------------------------------------------------------------


def _no_such_living(ask: Ask) -> bool:
    return not ask.targets or not _stays(ask.game, ask.target(ask.targets[0]))


def _names_himself(ask: Ask) -> bool:
    """No vote and no gift to oneself (D16)."""
    return ask.player.seat in ask.targets


VOTE: Table = (
    ("dead", _dead),
    ("no_voting_today", lambda ask: ask.game.turn == 1),
    ("paralysed", _paralysed),
    ("self_target", _names_himself),
    ("bad_target", lambda ask: len(ask.targets) != 1 or _no_such_living(ask)),
    ("own_team", lambda ask: ask.game.tables.recruit_vote_own_team == "reject" and _same_team_official(ask, ask.targets)),
)
UNVOTE: Table = (("dead", _dead),)
TAKE_BACK: Table = (("dead", _dead),)


def refuse(game: Game, order: Order, fired: tuple[str, ...]) -> str | None:
    """Why a vote, a move or an extra action may not stand now. ``fired``: items that earlier extra actions take."""
    if order.action == "vote":
        return first_reason(Ask(game, game.players[order.player], order), VOTE)
    return refuse_move(game, order, fired)


def _pays(ask: Ask, what: str) -> bool:
    return what in str(ask.arg("pay")).split("_")


def _not_for_opportunity(ask: Ask) -> bool:
    item = ask.item
    if item == "pistol" and ask.player.role not in (*ask.game.tables.pistol_roles, UNKNOWN_ROLE):
        return True
    return ask.game.tables.opportunities.get(item, "") != str(ask.arg("pay"))


BUY_OPPORTUNITY: Table = (
    ("dead", _dead),
    ("not_for_sale", _not_for_opportunity),
    ("paralysed", _paralysed),
    ("captive", lambda ask: _pays(ask, "move") and bool(ask.player.captive_of)),
    ("no_voting_today", lambda ask: _pays(ask, "vote") and ask.game.turn == 1),
    ("vote_already_spent", lambda ask: _pays(ask, "vote") and ask.player.vote_spent),
    ("move_already_spent", lambda ask: _pays(ask, "move") and ask.player.move_spent),
    ("pistol_taken", lambda ask: ask.item == "pistol" and ask.game.pistol_taken),
    ("game_limit", lambda ask: ask.player.opportunities >= ask.game.tables.opportunities_per_game),
)


def _not_a_good(ask: Ask) -> bool:
    item = ask.item
    if item == "pistol" and ask.player.role not in (*ask.game.tables.pistol_roles, UNKNOWN_ROLE):
        return True
    good = ask.game.tables.goods.get(item)
    return good is None or good.price is None or ask.arg("pay") != "mafbucks"


def _price(ask: Ask) -> int:
    return ask.game.tables.goods[ask.item].price or 0


def _level_limit(ask: Ask) -> bool:
    """R25: at level 0 one or two levels, at level 1 the second, above nothing."""
    wanted = LEVEL_GOODS.get(ask.item)
    return wanted is not None and (ask.player.level >= MAX_BOUGHT_LEVEL or ask.player.level >= wanted)


def counts_for_the_day(item: str) -> bool:
    """R22, R23: whether a good counts for the daily limit and can be stopped by it."""
    return item not in ONE_A_NIGHT and item not in EXTRA_GOODS


def counts_for_the_game(item: str) -> bool:
    """R22, R23: whether a good counts for the limit of the game and can be stopped by it."""
    return item not in ONE_A_NIGHT and item != "extra_pack"


BUY_GOOD: Table = (
    ("dead", _dead),
    ("not_for_sale", _not_a_good),
    ("level_too_low", lambda ask: ask.player.level < ask.game.tables.goods[ask.item].level),
    ("level_limit", _level_limit),
    ("cannot_afford", lambda ask: ask.player.mafbucks < _price(ask)),
    (
        "daily_limit",
        lambda ask: (
            counts_for_the_day(ask.item) and ask.player.goods_today >= ask.game.tables.goods_per_day + ask.player.extra_daily
        ),
    ),
    (
        "game_limit",
        lambda ask: (
            counts_for_the_game(ask.item)
            and ask.player.goods >= ask.game.tables.goods_per_game + PACK_SIZE * ask.player.extra_packs
        ),
    ),
)


def _item_missing(ask: Ask) -> bool:
    return ask.player.owns(ask.item) < 1


GIFT: Table = (
    ("dead", _dead),
    ("no_item", _item_missing),
    ("wrong_target_count", lambda ask: len(ask.targets) != 1),
    ("self_target", _names_himself),
    ("bad_target", _no_such_living),
)
SELL: Table = (("dead", _dead), ("no_item", _item_missing))
REFUSE_POINTS_WIN: Table = (
    ("dead", _dead),
    ("not_your_action", lambda ask: not ask.player.neutral and ask.player.role != UNKNOWN_ROLE),
    ("not_recruited", lambda ask: not ask.player.recruited),
    ("too_late", lambda ask: ask.player.points >= ask.game.tables.win_points[ask.player.role]),
)
JOIN_GRAVEYARD: Table = (
    ("not_your_action", lambda ask: ask.player.alive),
    ("already_member", lambda ask: ask.player.role == "zombie"),
)


def buying_table(order: Order) -> Table:
    """The tests for a purchase: by vote and move, or for MafBucks."""
    return BUY_GOOD if order.args.get("pay") == "mafbucks" else BUY_OPPORTUNITY
