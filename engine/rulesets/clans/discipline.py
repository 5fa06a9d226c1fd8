"""Phase 0: the host's measures, penalty points, which orders of the night stand (R92-R96, R55, R63)."""

from __future__ import annotations

from engine.model import Order, Seat
from engine.rulesets.clans import roles
from engine.rulesets.clans.night import Move, Night


def phase_zero(night: Night) -> None:
    """The six steps of phase 0, in their order. Of who dies in it the ballot stays, the moves are void: all was known at 21:00
    (D50)."""
    fined: set[Seat] = set()
    due: list[tuple[str, int, Order]] = []
    _measures(night, fined, due)
    if night.stopped:
        return
    for move in night.moves:
        if move.actor in fined:
            move.fail("penalty", "R94")
    _points(night)
    for move in night.moves:
        if not move.settled and not night.presence.alive(move.actor):
            move.fail("actor_dead", night.death_notes[move.actor].rule)
    for clan in roles.CLANS:
        _counting_kill(night, clan)
    for side, count, measure in due:
        _take_moves(night, side, count, measure)
    _draw_hunt(night)


def _measures(night: Night, fined: set[Seat], due: list[tuple[str, int, Order]]) -> None:
    """0.1: in order of arrival; who is disqualified is dead from here on.

    A violation of the dead is paid for by their side; the same kind by a living player is like any other (D53). Sanctions
    outside the game are the host's affair: here violations are only counted (D52).
    """
    for order in night.measures:
        player = night.players[order.player]
        refs = (order.ref,) if order.ref else ()
        alive = night.presence.alive(order.player)
        if order.action == "host_disqualify":
            if alive:
                _disqualify(night, order.player, refs)
            continue
        kind = order.args["kind"]
        if not order.args.get("proof", True):
            night.tell(order.player, "penalty", "R96", refs, measure="warning")
            continue
        measure = night.tables.violations[kind]
        if alive:
            night.violations[order.player] = night.violations.get(order.player, player.violations) + 1
        if measure == "end_game":
            night.stopped = True
            night.step("0", "game_stopped", "R96", refs, player=order.player, kind=kind)
            return
        if not alive:
            _side_pays(night, player.faction, order, due)
        elif measure == "disqualify" or night.violations[order.player] > 1:
            _disqualify(night, order.player, refs)
        else:
            fined.add(order.player)
            night.tell(order.player, "penalty", "R94", refs, measure="move_lost")


def _disqualify(night: Night, seat: Seat, refs: tuple[str, ...]) -> None:
    night.kill(seat, "disqualified", None, "R94", refs)
    night.tell(seat, "penalty", "R94", refs, measure="disqualified")


def _side_pays(night: Night, side: str, order: Order, due: list[tuple[str, int, Order]]) -> None:
    """R95: one move more with each violation; a dead maniac has no side (D43)."""
    if side == roles.MANIAC:
        return
    count = night.side_violations.get(side, 0) + 1
    night.side_violations[side] = count
    due.append((side, count, order))


def _points(night: Night) -> None:
    """R92, R93: a point for missing words and one for a missing ballot, none for a move that was not sent (D41); the limit
    kills."""
    tables = night.tables
    if not tables.activity_penalties:
        return
    for seat, player in night.players.items():
        if not night.presence.alive(seat):
            continue
        points = player.points
        missing = {
            "words": night.game.day_words(seat) < tables.words_required,
            "vote": tables.vote_required and seat not in night.ballots,
        }
        for reason, missed in missing.items():
            if missed:
                points += 1
                night.tell(seat, "penalty_point", "R92", reason=reason, total=points)
        night.points[seat] = points
        if points >= tables.penalty_limit:
            night.kill(seat, "autokill", None, "R93")


def _counting_kill(night: Night, clan: str) -> None:
    """0.4: of the kill orders that still stand the most senior sender's is the clan's (R55)."""
    orders = [move for move in night.standing("kill") if night.players[move.actor].faction == clan]
    orders.sort(key=lambda move: roles.SENIORITY.index(night.players[move.actor].acting))
    for move in orders[1:]:
        move.fail("outranked", "R55")


def _take_moves(night: Night, side: str, count: int, measure: Order) -> None:
    """0.5: orders of the side's living members, drawn one by one; a taken kill is not replaced (R95)."""
    refs = (measure.ref,) if measure.ref else ()
    for _ in range(count):
        left = {f"{move.actor}:{move.action}": move for move in _of_side(night, side)}
        if not left:
            break
        picked = night.chance.draw("penalty_move", tuple(left))
        left[picked].fail("penalty", "R95")
        night.step("0", "move_taken", "R95", refs, player=left[picked].actor, action=left[picked].action)
    for member in night.side(side):
        night.tell(member.nick, "penalty", "R95", refs, measure="clan_moves", count=count)


def _of_side(night: Night, side: str) -> list[Move]:
    return [move for move in night.moves if not move.settled and night.players[move.actor].faction == side]


def _draw_hunt(night: Night) -> None:
    """0.6: one of all standing hunts is drawn; the hunter's role move is off, the other hunts do not happen (R63, R64).

    All that were sent are in the draw, also of players who turn out to be dead, beaten or away; but none that phase 0 has made
    void (D16).
    """
    hunts = {move.actor: move for move in night.standing("hunt")}
    if not hunts:
        return
    drawn = night.chance.draw("hunt_draw", tuple(seat for seat in night.players if seat in hunts))
    for seat, hunt in hunts.items():
        if seat != drawn:
            hunt.fail("not_drawn", "R63")
    for move in night.moves:
        if move.actor == drawn and not move.settled and move.action != "hunt":
            move.fail("hunting", "R64")
