"""People across games: what each has, has played and has won. An account is the sum of its bookings, and no fact is
booked twice (league H6, mafialife R27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from engine.model import Seat
from engine.turn import Accounts
from forumbot.hosting.core import record, seating
from forumbot.hosting.core.match import SETUP_TURN, Match
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.core.wire import order_data
from forumbot.store.tables import bookings, games, people

GAMES, WON, PENALTIES = "games", "won", "penalties"
COUNTS = (GAMES, WON, PENALTIES)
"""Accounts that every ruleset's players have besides their money."""

Sums = dict[tuple[int, str], float]
"""(person, currency) -> amount."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has played or has an account: a forum account, or (from an old list) a nick alone."""

    id: int
    nick: str
    uid: int | None
    accounts: Mapping[str, float]


def person_of(connection: sa.Connection, nick: str, uid: int | None, now: datetime) -> int:
    """The person behind a forum account. One who was known by his nick alone is found by it, once; a new nick is noted."""
    known = connection.execute(sa.select(people.c.id, people.c.nick).where(people.c.uid == uid)).first() if uid else None
    if known is None:
        named = sa.select(people.c.id, people.c.nick).where(people.c.nick == nick, people.c.uid.is_(None))
        known = connection.execute(named).first()
    if known is None:
        made = connection.execute(people.insert().values(nick=nick, uid=uid, first_seen=now))
        (made_id,) = made.inserted_primary_key or (0,)
        return int(made_id)
    values = {"nick": nick} if uid is None else {"nick": nick, "uid": uid}
    connection.execute(people.update().where(people.c.id == known[0]).values(values))
    return int(known[0])


def book(
    connection: sa.Connection,
    person: int,
    currency: str,
    amount: float,
    reason: str,
    key: str,
    now: datetime,
    game_id: str | None = None,
) -> bool:
    """Book an amount once; gives whether it was new (``key`` names the fact that it stands for)."""
    made = connection.execute(
        insert(bookings)
        .values(person_id=person, game_id=game_id, currency=currency, amount=amount, reason=reason, key=key, at=now)
        .on_conflict_do_nothing(index_elements=["key"])
    )
    return made.rowcount > 0


def listed(connection: sa.Connection) -> tuple[Person, ...]:
    """Everybody with his accounts, by nick."""
    sums: dict[int, dict[str, float]] = {}
    query = sa.select(bookings.c.person_id, bookings.c.currency, sa.func.sum(bookings.c.amount))
    for person, currency, amount in connection.execute(query.group_by(bookings.c.person_id, bookings.c.currency)):
        sums.setdefault(person, {})[currency] = amount
    rows = connection.execute(sa.select(people).order_by(people.c.nick, people.c.id)).mappings()
    return tuple(Person(row["id"], row["nick"], row["uid"], sums.get(row["id"], {})) for row in rows)


def find(connection: sa.Connection, who: str) -> Person | None:
    """A person by nick or, where it is a number that nobody bears as a nick, by uid."""
    named = next((one for one in listed(connection) if one.nick == who), None)
    if named is not None or not who.isdecimal():
        return named
    return find_uid(connection, int(who))


def find_uid(connection: sa.Connection, uid: int | None) -> Person | None:
    """The person of a forum account."""
    return next((one for one in listed(connection) if one.uid == uid and uid is not None), None)


def bookings_of(connection: sa.Connection, person: int) -> list[dict[str, Any]]:
    """A person's bookings, oldest first."""
    query = sa.select(bookings).where(bookings.c.person_id == person).order_by(bookings.c.id)
    return [dict(row) for row in connection.execute(query).mappings()]


# Into a game and out of it ------------------------------------------------------------------------------------------------


def bring(connection: sa.Connection, row: GameRow, match: Match, seats: Seating, now: datetime) -> None:
    """Right after the deal: everybody's money comes into the game as the host's orders, and leaves his account meanwhile,
    so that two games at one time cannot spend it twice."""
    rules = match.ruleset
    if not isinstance(rules, Accounts):
        return
    for seat, holder in seats.holders.items():
        person = person_of(connection, holder.nick, holder.uid, now)
        sums = {currency: max(0, int(amount)) for currency, amount in _money(connection, person, rules.carried).items()}
        orders = rules.bring(match.game, seat, sums)
        for order in orders:
            match.apply(record.add_input(connection, row.id, "order", SETUP_TURN, now, order_data(order)))
        if orders:
            for currency, amount in sums.items():
                if amount:
                    reason = f"взято в игру «{row.title}»"
                    book(connection, person, currency, -amount, reason, f"{row.id}/in/{seat}/{currency}", now, row.id)


def take_back(connection: sa.Connection, row: GameRow, act_id: int, now: datetime) -> None:
    """The deal has not been: everybody has again what they had brought. The bookings of both stay, under names of their own."""
    prefix = f"{row.id}/in/"
    query = sa.select(bookings).where(bookings.c.key.startswith(prefix, autoescape=True)).order_by(bookings.c.id)
    for one in connection.execute(query).mappings().all():
        kept = f"{row.id}/undealt/{act_id}/{one['key'].removeprefix(prefix)}"
        connection.execute(bookings.update().where(bookings.c.id == one["id"]).values(key=kept))
        reason = f"возвращено: запись в игру «{row.title}» снова открыта"
        book(connection, one["person_id"], one["currency"], -one["amount"], reason, f"{kept}/back", now, row.id)


def settle(connection: sa.Connection, game_id: str, now: datetime) -> None:
    """What a game that is over (or called off) leaves to its players is booked once. What a correction has changed since is
    booked back and anew; all of it is where the end was taken back and the game goes on."""
    row = record.load(connection, game_id)
    wanted: Sums = {}
    if row.stage in ("over", "cancelled"):
        match = record.fold(connection, row)
        if match.game is None:
            return
        wanted = _left(connection, row, match, seating.load(connection, game_id), now)
    prefix = f"{game_id}/out/"
    query = sa.select(bookings).where(bookings.c.key.startswith(prefix, autoescape=True)).order_by(bookings.c.id)
    booked: Sums = {}
    times: dict[tuple[int, str], int] = {}
    for one in connection.execute(query).mappings():
        account = one["person_id"], one["currency"]
        booked[account] = booked.get(account, 0) + one["amount"]
        times[account] = times.get(account, 0) + 1
    for account in sorted({*wanted, *booked}):
        new, old = wanted.get(account, 0), booked.get(account, 0)
        if new == old:
            continue
        person, currency = account
        key = f"{prefix}{person}/{currency}/{times.get(account, 0)}"
        if old:
            book(connection, person, currency, -old, f"исправление: игра «{row.title}»", f"{key}/back", now, game_id)
        if new:
            book(connection, person, currency, new, f"игра «{row.title}»", key, now, game_id)


def _left(connection: sa.Connection, row: GameRow, match: Match, seats: Seating, now: datetime) -> Sums:
    """What the game's players end with. A replaced player gets back what he brought, as far as it is still there."""
    rules, wanted = match.ruleset, Sums()
    brought = _brought(connection, row.id)
    home = rules.takes_home(match.game) if isinstance(rules, Accounts) and match.stage == "over" else {}
    played = row.stage == "over"
    for seat, holder in seats.holders.items():
        person = person_of(connection, holder.nick, holder.uid, now)
        for currency, amount in home.get(seat, {}).items():
            owner, sum_in = brought.get((seat, currency), (person, 0))
            back = amount if owner == person else min(sum_in, max(0, amount))
            _add(wanted, owner, currency, back)
            _add(wanted, person, currency, amount - back)
        if played:
            for currency, count in counts(match, seat).items():
                _add(wanted, person, currency, count)
    return wanted


def counts(match: Match, seat: Seat) -> dict[str, float]:
    """What a game that is over adds to a player's statistics. A nick that is spelled like a team's id wins nothing for the
    team, nor the team for the nick."""
    state = match.ruleset.state(match.game)[seat]
    of_winner = {"player": seat, "faction": state["faction"], None: None}[match.ruleset.winner_kind(match.game)]
    won = of_winner is not None and match.ruleset.winner(match.game) == of_winner
    key = match.ruleset.spec.penalty_key
    return {GAMES: 1, WON: int(won), PENALTIES: state.get(key, 0) if key else 0}


def _brought(connection: sa.Connection, game_id: str) -> dict[tuple[Seat, str], tuple[int, float]]:
    """(seat, currency) -> who brought how much into the game."""
    prefix = f"{game_id}/in/"
    query = sa.select(bookings).where(bookings.c.key.startswith(prefix, autoescape=True))
    found = {}
    for row in connection.execute(query).mappings():
        seat = row["key"][len(prefix) :].rpartition("/")[0]
        found[seat, row["currency"]] = row["person_id"], -row["amount"]
    return found


def _money(connection: sa.Connection, person: int, currencies: Sequence[str]) -> dict[str, float]:
    """The accounts that the person has at all."""
    query = sa.select(bookings.c.currency, sa.func.sum(bookings.c.amount)).where(
        bookings.c.person_id == person, bookings.c.currency.in_(currencies)
    )
    return {str(name): float(amount) for name, amount in connection.execute(query.group_by(bookings.c.currency))}


def _add(sums: Sums, person: int, currency: str, amount: float) -> None:
    if amount:
        sums[person, currency] = sums.get((person, currency), 0) + amount


# A season -----------------------------------------------------------------------------------------------------------------


def season(
    connection: sa.Connection, *, ruleset: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> tuple[Person, ...]:
    """What everybody played, won and earned in the games of a season (by ruleset, and by when they were booked): the
    accounts hold the season's sums alone. Most wins first, then most money, then fewest games."""
    query = (
        sa.select(bookings.c.person_id, bookings.c.currency, sa.func.sum(bookings.c.amount))
        .join(games, games.c.id == bookings.c.game_id)
        .where(games.c.stage == "over")
        .group_by(bookings.c.person_id, bookings.c.currency)
    )
    ended = sa.select(bookings.c.game_id).where(bookings.c.currency == GAMES)
    if ruleset is not None:
        query = query.where(games.c.ruleset == ruleset)
    if since is not None:
        ended = ended.where(bookings.c.at >= since)
    if until is not None:
        ended = ended.where(bookings.c.at < until)
    sums: dict[int, dict[str, float]] = {}
    for person, currency, amount in connection.execute(query.where(games.c.id.in_(ended))):
        sums.setdefault(person, {})[currency] = amount
    nicks = {row["id"]: (row["nick"], row["uid"]) for row in connection.execute(sa.select(people)).mappings()}
    rows = [Person(person, *nicks[person], accounts) for person, accounts in sums.items() if accounts.get(GAMES)]
    money = {currency for one in rows for currency in one.accounts} - set(COUNTS)

    def rank(one: Person) -> tuple[float, float, float, str]:
        earned = sum(one.accounts.get(currency, 0) for currency in money - {"debt"})
        return -one.accounts.get(WON, 0), -earned, one.accounts.get(GAMES, 0), one.nick

    return tuple(sorted(rows, key=rank))


def currencies(rows: Sequence[Person]) -> tuple[str, ...]:
    """The accounts that occur, the counts that everybody has first."""
    seen = {currency for one in rows for currency in one.accounts}
    return (*(name for name in COUNTS if name in seen), *sorted(seen - set(COUNTS)))
