"""What a game that is over has brought each player, told to him alone: every reason with its sum, and what he has now."""

from __future__ import annotations

from typing import Any

from engine.model import Seat
from engine.turn import Accounts, Earnings
from forumbot.hosting.core import outbox
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.sitting import Sitting
from forumbot.hosting.people import people


def tell(sitting: Sitting, match: Match, *, after: str | None) -> None:
    """A letter to everybody, behind the outbox row ``after``, once accounts are settled; nothing where the rules pay nothing."""
    rules = match.ruleset
    if not isinstance(rules, Earnings) or not isinstance(rules, Accounts):
        return
    known = {one.uid: one for one in people.listed(sitting.connection) if one.uid is not None}
    for seat, holder in sitting.seats.holders.items():
        if seat not in match.ruleset.seats(match.game):
            continue
        account = known.get(holder.uid) if holder.uid is not None else None
        sitting.publisher.private(
            sitting.connection,
            f"earned/{seat}",
            holder,
            "earned.j2",
            sitting.publisher.facts(match),
            priority=outbox.NOTICES,
            after=after,
            reasons=_reasons(sitting, rules, match, seat),
            purse={name: account.accounts.get(name, 0) for name in rules.carried} if account is not None else {},
        )


def _reasons(sitting: Sitting, rules: Earnings, match: Match, seat: Seat) -> list[dict[str, Any]]:
    """In the order of the bookings; what came to nothing is left out."""
    sums = rules.earned(match.game, seat)
    return [{"for": sitting.writer.word("bookings", reason), "sum": amount} for reason, amount in sums.items() if amount]
