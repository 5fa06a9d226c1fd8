"""Warnings for orders that could not be carried out, and the fine that is due with them (R17)."""

from __future__ import annotations

from math import floor

from engine.model import Seat
from engine.rulesets.league.economy import BANK, FINE
from engine.rulesets.league.state import Desk

_REASON = "R17 fine"


def warn(desk: Desk, seat: Seat, cost: int, about: tuple[str, ...] = ()) -> None:
    """One more warning, and the fine that is due with it (R17)."""
    player = desk.players[seat]
    player = desk.change(seat, warnings=player.warnings + 1, unpaid=player.unpaid + cost)
    desk.notice(seat, "warning", "R17", about, count=player.warnings, cost=cost)
    owe(desk, seat)


def forgive(desk: Desk, seat: Seat, left: int) -> None:
    """The host is lenient (R17): of what the player's orders would have cost only so much counts from now on."""
    desk.change(seat, unpaid=left)
    owe(desk, seat)


def owe(desk: Desk, seat: Seat) -> None:
    """Bring ``fine`` to what the player owes by now (R17)."""
    player, fines = desk.players[seat], desk.tables.fines
    if player.warnings < fines.after:
        return
    due = floor(player.unpaid * fines.share)
    mine = [b for b in desk.game.ledger.bookings if b.seat == seat and b.reason == _REASON]
    booked = sum(b.amount if b.sink == FINE else -b.amount for b in mine)
    once = f"fine/{seat}/{player.warnings}"
    desk.books.book(desk.turn, seat, due - booked, BANK, FINE, _REASON, f"{once}/{desk.seq}" if desk.books.made(once) else once)
