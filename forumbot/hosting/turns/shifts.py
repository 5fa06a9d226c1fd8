"""What has shifted since the turn before opened, told when a turn opens: who is on duty and how the numbers of a gang stand
(league R50, R51), and money whose purpose is dead (league R100)."""

from __future__ import annotations

from engine.turn import Pooling, Ranked, Stranded
from forumbot.hosting.core import outbox, record, troubles
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.sitting import Sitting


def tell(sitting: Sitting, match: Match, *, after: str | None) -> None:
    """Letters of the turn that has just opened, behind the outbox row ``after``."""
    rules = match.ruleset
    if not isinstance(rules, (Ranked, Pooling)):
        return
    earlier = _before(sitting, match)
    if isinstance(rules, Ranked):
        _ranks(sitting, match, rules, earlier, after)
    if isinstance(rules, Pooling):
        _pots(sitting, match, rules, earlier, after)


def _ranks(sitting: Sitting, match: Match, rules: Ranked, earlier: Match | None, after: str | None) -> None:
    """To whoever is on duty, and to whoever stands in a list that is no longer what he was told."""
    names = sitting.seats.names()
    on_duty = rules.on_duty(match.game)
    for seat in match.ruleset.alive(match.game):
        ranks = rules.ranks(match.game, seat)
        known = rules.ranks(earlier.game, seat) if earlier is not None else ranks
        holder = sitting.seats.holders.get(seat)
        shifted = bool(known) and dict(ranks) != dict(known)
        if holder is None or not (shifted or seat in on_duty):
            continue
        sitting.publisher.private(
            sitting.connection,
            f"t{match.turn}/ranks/{seat}",
            holder,
            "ranks.j2",
            sitting.publisher.facts(match),
            priority=outbox.RESULTS,
            after=after,
            on_duty=seat in on_duty,
            number=ranks.get(seat, 0) if shifted else 0,
            numbers={names.get(who, who): number for who, number in ranks.items()} if shifted else {},
        )


def _pots(sitting: Sitting, match: Match, rules: Pooling, earlier: Match | None, after: str | None) -> None:
    """To the living givers, who alone may move the money, and to the host."""
    names = sitting.seats.names()
    known = {(pot.item, pot.target) for pot in rules.stranded(earlier.game)} if earlier is not None else set()
    living = match.ruleset.alive(match.game)
    for number, pot in enumerate(rules.stranded(match.game), 1):
        if (pot.item, pot.target) in known:
            continue
        for seat in (giver for giver in pot.shares if giver in living):
            holder = sitting.seats.holders.get(seat)
            if holder is not None:
                sitting.publisher.private(
                    sitting.connection,
                    f"t{match.turn}/pot{number}/{seat}",
                    holder,
                    "stranded.j2",
                    sitting.publisher.facts(match),
                    priority=outbox.RESULTS,
                    after=after,
                    item=pot.item,
                    target=names.get(pot.target, pot.target),
                    coins=pot.shares[seat],
                    goals=list(pot.goals),
                )
        _tell_host(sitting, match, pot, number)


def _tell_host(sitting: Sitting, match: Match, pot: Stranded, number: int) -> None:
    game_id, names, writer = sitting.row.id, sitting.seats.names(), sitting.writer
    givers = ", ".join(f"{names.get(seat, seat)} {coins}" for seat, coins in pot.shares.items())
    text = (
        f"Игра «{game_id}»: копилка «{writer.word('items', pot.item)}» осталась без того, для кого собирали ({givers}). "
        "Живым, кто скинулся, бот написал, как её перенести; без их согласия монеты вернутся в конце партии."
    )
    key = f"pot/{game_id}/{match.turn}/{number}"
    troubles.tell_host(sitting.connection, sitting.site, key, "Копилка осталась без цели", text, sitting.now, game_id=game_id)


def _before(sitting: Sitting, match: Match) -> Match | None:
    """The game as it stood when the turn before was opened: what everybody was told then."""
    earlier = Match.begin(sitting.row.ruleset, sitting.row.tables, sitting.row.seed)
    for given in record.inputs_of(sitting.connection, sitting.row.id):
        earlier.apply(given)
        if given.kind == "open" and given.turn == match.turn - 1:
            return earlier
    return None
