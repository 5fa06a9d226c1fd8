"""The order book of a turn: what arrives is judged at once, and again when a later input could change the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from engine.model import Accepted, Event, Notice, Order, Rejected, Seat, Withdrawn
from engine.rulesets.goldenkey.refusals import RULE, TAKE_BACK, judge
from engine.rulesets.goldenkey.roles import ROLES, in_order
from engine.rulesets.goldenkey.state import Arrival, Book, Game, Lynch, Player, look, with_roles

Play = tuple[Game, tuple[Event, ...]]

_TURN_OF_STAGE: Mapping[str, str] = MappingProxyType({"setup": "too_early", "between": "too_late", "over": "too_late"})
_WITHOUT_TURN: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "setup": frozenset(("assign_roles", "bid_role", "host_remove", *TAKE_BACK)),
        "between": frozenset(("host_remove", "assign_roles")),
        "over": frozenset(),
    }
)


def receive(game: Game, order: Order) -> Play:
    """Test and take one order (R14-R19, R49, R71); the hours have been looked at before."""
    if game.stage != "turn" and order.action not in _WITHOUT_TURN[game.stage]:
        return game, refuse(order, _TURN_OF_STAGE[game.stage])
    if game.stage == "between" and order.action == "assign_roles":
        return _list_between(game, order)
    if order.action in ("vote", "unvote") and game.lynch is not None:
        return game, refuse(order, "too_late")
    arrival = judge(game, order)
    if order.action in TAKE_BACK:
        return (game, refuse(order, arrival.reason)) if arrival.reason else _take_back(game, order)
    if order.action == "host_remove":
        return (game, refuse(order, arrival.reason)) if arrival.reason else _remove(game, order)
    book = game.book
    if arrival.reason:
        return _with_book(game, Book((*book.arrived, arrival), book.standing, book.passed)), refuse(order, arrival.reason)
    events: tuple[Event, ...] = (Accepted(order, rule="R14", refs=(order.ref,)),)
    replaced = book.standing.get(arrival.slot)
    if replaced is not None:
        events += (Withdrawn(replaced.order, rule="R14", refs=(order.ref, replaced.order.ref)),)
    standing = book.standing.copy()
    standing[arrival.slot] = arrival
    arrived = book.arrived + (arrival,)  # noqa: RUF005 (one copy, not two)
    game = _with_book(game, Book(arrived, MappingProxyType(standing), book.passed))
    if order.action == "assign_roles":
        return _listed(game, order, events)
    return game, events


def refuse(order: Order, reason: str) -> tuple[Event, ...]:
    """The refusal and its notice to the sender (1.7); a removal has no sender among the players, it names one."""
    rule, refs = RULE[reason], (order.ref,)
    refused = Rejected(order.player, order.action, reason, order, rule=rule, refs=refs)
    if order.action == "host_remove":
        return (refused,)
    return refused, Notice(order.player, "order_rejected", {"action": order.action, "reason": reason}, rule=rule, refs=refs)


def _with_book(game: Game, book: Book) -> Game:
    return Game(
        game.tables,
        game.stage,
        game.turn,
        game.players,
        game.role_lives,
        game.opened,
        book,
        game.lynch,
        game.removed,
        game.quiet,
        game.winner,
        game.hours,
    )


def _standing(arrived: Iterable[Arrival]) -> MappingProxyType[str, Arrival]:
    """The last valid order of every slot."""
    return MappingProxyType({a.slot: a for a in arrived if a.reason is None})


def _take_back(game: Game, order: Order) -> Play:
    """R14, D8: the sender's moves of this night count as not sent; his bid only when he takes back the bid."""
    book = game.book
    bid = order.args.get("what") == "bid"

    def goes(arrival: Arrival) -> bool:
        kind = arrival.slot == f"bid:{order.player}" if bid else arrival.slot in ROLES
        return kind and arrival.order.player == order.player

    arrived = tuple(a for a in book.arrived if not goes(a))
    standing = _standing(arrived)
    passed = book.passed if bid else book.passed | {order.player}
    events: list[Event] = [Accepted(order, rule="R14", refs=(order.ref,))]
    for slot, arrival in book.standing.items():
        if goes(arrival):
            events.append(Withdrawn(arrival.order, rule="R14", refs=(order.ref, arrival.order.ref)))
            if slot in standing:
                back = standing[slot].order
                events.append(Accepted(back, rule="R14", refs=(order.ref, back.ref)))
    return _with_book(game, Book(arrived, standing, passed)), tuple(events)


def _listed(game: Game, order: Order, events: tuple[Event, ...]) -> Play:
    """R19, D56: the clan's list holds at once, also for moves that came before it."""
    game, more = rejudge(game)
    return game, events + _told(order) + more


def _told(order: Order) -> tuple[Event, ...]:
    """Each villain of a valid list hears his role (1.7)."""
    return tuple(
        Notice(seat, "villain_role", {"role": role}, rule="R19", refs=(order.ref,))
        for seat, role in zip(order.targets, order.args["roles"], strict=True)
    )


def _list_between(game: Game, order: Order) -> Play:
    """R19, S4: the list has no hours, so it may also come between set-up and the first day; later it is too late."""
    reason = judge(replace(game, turn=game.turn + 1), order).reason
    if reason is not None:
        return game, refuse(order, reason)
    game = assign(game, order.targets, order.args["roles"])
    return game, (Accepted(order, rule="R19", refs=(order.ref,)), *_told(order))


def _remove(game: Game, order: Order) -> Play:
    """R71: out at once, as if he had been taken out when the turn opened. The rules have no other ban (D52)."""
    gone = replace(game.players[order.player], lives=0, alive=False)
    players = MappingProxyType({**game.players, order.player: gone})
    game = replace(game, players=players, removed=(*game.removed, order.player))
    events: tuple[Event, ...] = ()
    if game.stage != "between":
        game, events = rejudge(game, look_again=True, recount=True)
    return game, (Accepted(order, rule="R71", refs=(order.ref,)), *events)


def rejudge(game: Game, *, look_again: bool = False, recount: bool = False) -> Play:
    """Judge all orders of the turn again, the clan's lists first (D56), and say whose verdict has changed.

    With ``look_again`` the opening is looked at anew, since somebody has gone; with ``recount`` Papa Carlo as well (R8).
    The lynch leaves votes and lists alone: it takes commands and bids only (R4), and only a removal goes back to the opening.
    """
    old = game.opened
    players: Mapping[Seat, Player] = MappingProxyType(
        {seat: _as_before(p, old.villains_roles) for seat, p in game.players.items()}
    )
    opened = old
    if look_again:
        seen, opened = look(players, game.tables)
        players = seen if recount else players
        elder = opened.elder if recount else old.elder
        opened = replace(opened, elder=elder, villains_roles=old.villains_roles, unseen=old.unseen)
    game = replace(game, players=players, opened=opened)
    kept = game.lynch is not None and not recount
    lists = {i: a if kept else judge(game, a.order) for i, a in enumerate(game.book.arrived) if a.order.action == "assign_roles"}
    valid = [a.order for a in lists.values() if a.reason is None]
    if valid:
        game = assign(game, valid[-1].targets, valid[-1].args["roles"])
    arrived: list[Arrival] = []
    events: list[Event] = []
    for i, before in enumerate(game.book.arrived):
        counted = game.lynch is not None and before.order.action in ("vote", "unvote")
        now = before if counted else lists[i] if i in lists else judge(game, before.order)
        arrived.append(now)
        if now.reason == before.reason:
            continue
        if now.reason is None:
            events.append(Accepted(now.order, rule="R14", refs=(now.order.ref,)))
            events += _told(now.order) if i in lists else ()
        else:
            events += refuse(now.order, now.reason)
    book = Book(tuple(arrived), _standing(arrived), game.book.passed)
    return _with_book(game, book), tuple(events)


def _as_before(player: Player, roles: Mapping[Seat, tuple[str, ...]]) -> Player:
    return with_roles(player, roles[player.seat]) if player.seat in roles else player


def assign(game: Game, seats: Sequence[Seat], roles: Sequence[str]) -> Game:
    """R19: these villains have these roles, all other living born villains have none."""
    given: dict[Seat, list[str]] = {}
    for seat, role in zip(seats, roles, strict=True):
        given.setdefault(seat, []).append(role)
    players = {
        seat: with_roles(p, in_order(given.get(seat, []))) if p.is_born_villain and p.alive else p
        for seat, p in game.players.items()
    }
    holders = {role: seat for role, seat in game.opened.holders.items() if not game.players[seat].is_born_villain}
    holders |= {role: seat for seat, p in players.items() if p.is_born_villain and p.here for role in p.roles}
    return replace(game, players=MappingProxyType(players), opened=replace(game.opened, holders=MappingProxyType(holders)))


def ballots(game: Game) -> Mapping[Seat, Seat]:
    """Voter -> target, of the votes that stand (R9); voters in the order of the roster."""
    found: dict[Seat, Seat] = {}
    standing = game.book.standing
    for seat in game.players:
        vote = standing.get(f"vote:{seat}")
        if vote is not None and vote.order.action == "vote":
            found[seat] = vote.order.targets[0]
    return found


def count(game: Game) -> Mapping[Seat, float]:
    """Target -> number of votes (R9), targets in the order of the roster."""
    votes: dict[Seat, float] = {}
    for target in ballots(game).values():
        votes[target] = votes.get(target, 0) + 1
    return {seat: votes[seat] for seat in game.players if seat in votes}


def settled(game: Game, hit: Seat | None) -> Game:
    """The game after the vote was settled: ``hit`` has one life less (R12). The lives of his roles stay (R6)."""
    if hit is None:
        return replace(game, lynch=Lynch(None))
    player = game.players[hit]
    lives = player.lives - 1
    out = lives == 0 and not game.tables.lynched_plays_night
    players = MappingProxyType({**game.players, hit: replace(player, lives=lives, out=out)})
    return replace(game, players=players, lynch=Lynch(hit, lives))
