"""What only the host gives: a player leaves, a story is graded or chosen, coins are carried in, a game is called off.

All of it comes as orders, so that it is part of the replayed inputs: ``Order(player, action, targets, args)`` with

    remove        player: the seat that leaves (a host's decision); ``leave``: the same on the player's own wish
    grade         player: the author; args: action, grade, shot (default 1), turn (default the running one), target
    choose_story  player: the author whose hanging story is preferred; target: the condemned; args: turn, the earlier day of a
                  left-over story, and about, of whom it told, where he wrote several
    write_story   player: the condemned; args: story, the host's own, printed where nobody else has sent one
    late_contract player: the customer; target: the victim, or none for a guard; args: coins. One contract after the half-day,
                  by exception (R81)
    charge        player; args: cost, of an order that could not be carried out and that no test has seen (R17)
    leniency      player; args: cost, what of the player's failed orders still counts for the fine (R17)
    grant         player; args: coins and debt carried in from earlier games (H6)
    abort         player: any; the game is called off, every purchase and lock is booked back once
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.model import Death, Order, Rejected, Seat, Withdrawn
from engine.rulesets.league import contracts
from engine.rulesets.league.economy import CARRIED, COINS, FINE
from engine.rulesets.league.fines import forgive, warn
from engine.rulesets.league.ranks import close_ranks
from engine.rulesets.league.refusals import Case, first_failing, price
from engine.rulesets.league.roles import ACTIONS
from engine.rulesets.league.state import Desk, Printed, Standing, refs


def carry_out(desk: Desk, order: Order) -> None:
    """Take a host's order. One that cannot be is Rejected and changes nothing."""
    if order.player not in desk.players:
        _reject(desk, order, "bad_target")
        return
    if desk.game.stage == "over" and order.action != "grade":
        _reject(desk, order, "not_allowed")
        return
    DO[order.action](desk, order)


def _reject(desk: Desk, order: Order, reason: str) -> None:
    desk.events.append(Rejected(order.player, order.action, reason, order, rule="H5", refs=refs(order)))


def _remove(desk: Desk, order: Order) -> None:
    """The rules treat the player as departed (R27), at once; votes for him are void and may be given anew."""
    seat = order.player
    if not desk.players[seat].alive:
        _reject(desk, order, "dead")
        return
    desk.accepted(order, "R27")
    depart(desk, seat, refs(order))
    desk.line("thread", "left", "R27", refs(order), player=seat, label=desk.players[seat].label)
    close_ranks(desk, [seat])
    day = desk.day
    void = [voter for voter, ballot in day.ballots.items() if seat in (voter, ballot.target)]
    for standing in day.book:
        if standing.order.player in void and standing.order.action in ("vote", "change_vote"):
            desk.events.append(Withdrawn(standing.order, rule="R27", refs=refs(order)))
    desk.day = replace(
        day,
        ballots={voter: ballot for voter, ballot in day.ballots.items() if voter not in void},
        book=tuple(s for s in day.book if not (s.order.player in void and s.order.action in ("vote", "change_vote"))),
        excused=day.excused | (set(void) - {seat}),
        departed=(*day.departed, seat),
    )


def depart(desk: Desk, seat: Seat, about: tuple[str, ...] = ()) -> None:
    """R27: not a death in every respect; no curse is released, no half vote, no return. It is a death but for what the rules
    tie to dying or being killed (D23)."""
    desk.change(seat, alive=False, left=True, cause="left_town", killer="", ghost=False)
    desk.events.append(Death(seat, "left_town", rule="R27", refs=about))
    desk.step("departures", "left_town", "R27", about, player=seat)


def grade_of(standing: Standing) -> int | None:
    grade = standing.order.args.get("grade")
    return grade if isinstance(grade, int) and not isinstance(grade, bool) else None


def _whole(order: Order, name: str) -> int | None:
    value = order.args.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _grade(desk: Desk, order: Order) -> None:
    """R111, H5: a story of this turn gets its grade; one that was printed already has the difference booked."""
    grade, shot = _whole(order, "grade"), _whole(order, "shot") or 1
    action, turn = str(order.args.get("action") or ""), _whole(order, "turn")
    if grade is None or action not in ACTIONS:
        _reject(desk, order, "bad_value")
        return
    target = order.targets[0] if order.targets else str(order.args.get("target") or "")
    if turn is None or (turn == desk.turn and desk.game.stage == "turn"):
        standing = _told(desk, order.player, action, shot, target)
        if standing is None:
            _reject(desk, order, "no_story")
            return
        desk.accepted(order, "R111")
        graded = replace(standing.order, args={**standing.order.args, "grade": grade})
        book = tuple(replace(s, order=graded) if s is standing else s for s in desk.day.book)
        desk.day = replace(desk.day, book=book)
        return
    _regrade(desk, order, grade, (turn, order.player, action, shot), target)


def _told(desk: Desk, author: Seat, action: str, shot: int, target: Seat) -> Standing | None:
    for standing in desk.day.book:
        same = standing.order.player == author and standing.order.action == action and standing.shot == shot
        if same and standing.story and target in ("", standing.target):
            return standing
    return None


def _regrade(desk: Desk, order: Order, grade: int, which: tuple[int, Seat, str, int], target: Seat) -> None:
    for i, story in enumerate(desk.printed):
        if (story.turn, story.author, story.action, story.shot) == which and target in ("", story.target):
            pay = in_range(desk, story.action, grade)
            desk.accepted(order, "R111")
            desk.seq += 1
            desk.earn(story.author, pay - story.paid, "grade", "R111", str(desk.seq), ref=order.ref)
            desk.printed[i] = Printed(story.turn, story.author, story.action, story.target, story.shot, pay)
            return
    _reject(desk, order, "no_story")


def in_range(desk: Desk, action: str, grade: int | None) -> int:
    """Coins for a story: its grade cut to the range of its kind, the default without one (R111, R33) (D70)."""
    table = desk.tables.stories
    if action == "hang_story":
        default, least, most = table.hang_default, table.hang_min, table.hang_max
    else:
        default, least, most = table.kill_default, table.kill_min, table.kill_max
    return default if grade is None else min(max(grade, least), most)


def _choose_story(desk: Desk, order: Order) -> None:
    """The host's choice among hanging stories (R33, H5); the condemned's own story still comes first."""
    turn = _whole(order, "turn")
    if turn is not None and turn != desk.turn:
        _take_spare(desk, order, turn)
        return
    if len(order.targets) != 1 or _told(desk, order.player, "hang_story", 1, order.targets[0]) is None:
        _reject(desk, order, "no_story")
        return
    desk.accepted(order, "R33")
    desk.day = replace(desk.day, choices={**desk.day.choices, order.targets[0]: order.player})


def _take_spare(desk: Desk, order: Order, turn: int) -> None:
    """H5: a hanging story that was left over from an earlier day."""
    about = str(order.args.get("about") or "")
    mine = [s for s in desk.spares if s.turn == turn and s.author == order.player and about in ("", s.target)]
    if len(order.targets) != 1 or len(mine) != 1:
        _reject(desk, order, "no_story")
        return
    desk.accepted(order, "H5")
    desk.day = replace(desk.day, spares={**desk.day.spares, order.targets[0]: mine[0]})


def _write_story(desk: Desk, order: Order) -> None:
    """R33: the host writes the hanging story himself where nobody did."""
    text = str(order.args.get("story") or "").strip()
    if not text or desk.game.stage != "turn":
        _reject(desk, order, "no_story")
        return
    desk.accepted(order, "R33")
    desk.day = replace(desk.day, host_stories={**desk.day.host_stories, order.player: text})


def _late_contract(desk: Desk, order: Order) -> None:
    """R81: one contract of the second half, as long as the mercenary has not answered, or the bodyguard chosen."""
    action = contracts.KILL if order.targets else contracts.GUARD
    asked = replace(order, action=action)
    case = Case(desk.game, asked)
    test = first_failing(case, but="late_order")
    if test is not None or desk.day.ended or contracts.answered(desk.day, action):
        _reject(desk, order, "late_order" if test is None else test.reason)
        return
    desk.seq += 1
    desk.accepted(asked, "R81")
    contracts.place(desk, asked, price(case))


def _charge(desk: Desk, order: Order) -> None:
    """R17: the host has noticed an order that could not be carried out."""
    cost = _whole(order, "cost")
    if cost is None or cost < 0:
        _reject(desk, order, "bad_value")
        return
    desk.accepted(order, "R17")
    desk.seq += 1
    warn(desk, order.player, cost, refs(order))


def _leniency(desk: Desk, order: Order) -> None:
    """R17: "if the host thinks that it was not on purpose, he may lessen the fine as he likes"."""
    left = _whole(order, "cost")
    if left is None or not 0 <= left <= desk.players[order.player].unpaid:
        _reject(desk, order, "bad_value")
        return
    desk.accepted(order, "R17")
    desk.seq += 1
    forgive(desk, order.player, left)


def _grant(desk: Desk, order: Order) -> None:
    """H6: coins come from the ledger of earlier games, and a fine that was never collected stays a debt. In a scenario there
    are none unless they are given (D83)."""
    coins, debt = _whole(order, "coins") or 0, _whole(order, "debt") or 0
    if coins < 0 or debt < 0:
        _reject(desk, order, "bad_value")
        return
    desk.accepted(order, "H6")
    desk.seq += 1
    desk.books.book(desk.turn, order.player, coins, CARRIED, COINS, "H6 carried", f"carried/{desk.seq}", ref=order.ref)
    desk.books.book(desk.turn, order.player, debt, CARRIED, FINE, "H6 debt", f"debt/{desk.seq}", ref=order.ref)


def _abort(desk: Desk, order: Order) -> None:
    """The game is called off: what was spent, locked or pooled goes back, what was earned is void; once."""
    desk.accepted(order, "H6")
    back(desk, order.ref)


def back(desk: Desk, ref: str = "") -> None:
    """Book every movement of this game back, but for what was carried in; each once."""
    for booking in desk.game.ledger.bookings:
        once = f"back/{booking.number}"
        if CARRIED not in (booking.source, booking.sink) and not booking.once.startswith("back/") and not desk.books.made(once):
            desk.books.book(
                desk.turn, booking.seat, booking.amount, booking.sink, booking.source, f"H6 back {booking.reason}", once, ref=ref
            )


Do = Callable[[Desk, Order], None]
DO: Mapping[str, Do] = {
    "remove": _remove,
    "leave": _remove,
    "grade": _grade,
    "choose_story": _choose_story,
    "write_story": _write_story,
    "late_contract": _late_contract,
    "charge": _charge,
    "leniency": _leniency,
    "grant": _grant,
    "abort": _abort,
}
