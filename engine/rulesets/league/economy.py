"""Coins as a ledger: an immutable list of bookings with reasons; a balance is only ever their sum (R16, R99-R101, R110).

Every booking moves an amount between two accounts of one player, or between an account and the outside world. Its ``once`` key
names the fact that it pays for; no fact is booked twice. What would betray a hidden role is booked to ``bonus``, which its
owner sees when the game is over (D87).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from engine.model import EngineError, Seat

COINS, HELD, POOLED, BONUS, FINE = "coins", "held", "pooled", "bonus", "fine"
CURRENCIES = (COINS, HELD, POOLED, BONUS, FINE)
DEBT = "debt"
"""What a ``fine`` is called between games."""
SHOP, BANK, CARRIED = "shop", "bank", "carried"
"""The outside world: where spent coins go, where earnings come from, and the accounts of earlier games."""


@dataclass(frozen=True, slots=True)
class Booking:
    """``amount`` (never negative) went from ``source`` to ``sink``, both accounts of ``seat`` or outside."""

    number: int
    turn: int
    seat: Seat
    amount: int
    source: str
    sink: str
    reason: str
    once: str
    about: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All bookings of a game. ``sums`` follows from them and is kept so that a balance need not be added up again."""

    bookings: tuple[Booking, ...] = ()
    sums: Mapping[tuple[Seat, str], int] = field(default_factory=lambda: MappingProxyType({}))
    keys: frozenset[str] = frozenset()

    def balance(self, seat: Seat, account: str) -> int:
        return self.sums.get((seat, account), 0)


class Bookkeeper:
    """A ledger being written; ``done`` gives the next immutable one."""

    def __init__(self, ledger: Ledger) -> None:
        self._start = ledger
        self._new: list[Booking] = []
        self._sums = dict(ledger.sums)
        self._keys: set[str] = set()

    def balance(self, seat: Seat, account: str) -> int:
        return self._sums.get((seat, account), 0)

    def made(self, once: str) -> bool:
        """Whether this fact has been booked already."""
        return once in self._keys or once in self._start.keys

    def book(
        self, turn: int, seat: Seat, amount: int, source: str, sink: str, reason: str, once: str, about: str = "", ref: str = ""
    ) -> None:
        """Book ``amount`` (0 books nothing). Raises EngineError when the fact has been booked before."""
        if amount < 0:
            source, sink, amount = sink, source, -amount
        if self.made(once):
            raise EngineError("ledger", f"проводка «{once}» уже сделана")
        if amount == 0:
            return
        self._keys.add(once)
        number = len(self._start.bookings) + len(self._new) + 1
        self._new.append(Booking(number, turn, seat, amount, source, sink, reason, once, about, ref))
        for account, change in ((source, -amount), (sink, amount)):
            if account in CURRENCIES:
                self._sums[seat, account] = self._sums.get((seat, account), 0) + change

    def done(self) -> Ledger:
        if not self._new:
            return self._start
        return Ledger((*self._start.bookings, *self._new), MappingProxyType(self._sums), self._start.keys | self._keys)


@dataclass(frozen=True, slots=True)
class Pot:
    """A common pot for one purchase (R99): ``target`` for a resurrection, ``gang`` for an extra shot."""

    item: str
    target: Seat = ""
    gang: str = ""
    shares: tuple[tuple[Seat, int], ...] = ()
    """In the order of first payment."""
    agreed: tuple[tuple[Seat, str, Seat], ...] = ()
    """Who wants the money moved, and where to: (contributor, item, target), R100."""

    @property
    def key(self) -> tuple[str, Seat, str]:
        return (self.item, self.target, self.gang)

    @property
    def total(self) -> int:
        return sum(coins for _, coins in self.shares)

    def share(self, seat: Seat) -> int:
        return sum(coins for who, coins in self.shares if who == seat)

    def contributors(self) -> tuple[Seat, ...]:
        return tuple(dict.fromkeys(seat for seat, _ in self.shares))

    def with_share(self, seat: Seat, coins: int) -> Pot:
        """The pot after one more payment; a later payment joins the player's first one."""
        shares = list(self.shares)
        for i, (who, had) in enumerate(shares):
            if who == seat:
                shares[i] = (who, had + coins)
                break
        else:
            shares.append((seat, coins))
        return Pot(self.item, self.target, self.gang, tuple(shares), self.agreed)

    def paid(self, price: int) -> tuple[Pot, tuple[tuple[Seat, int], ...]]:
        """The pot after the price was taken from the earliest shares, and who paid what of it."""
        left: list[tuple[Seat, int]] = []
        paid: list[tuple[Seat, int]] = []
        for seat, coins in self.shares:
            take = min(coins, price)
            price -= take
            if take:
                paid.append((seat, take))
            if coins > take:
                left.append((seat, coins - take))
        return Pot(self.item, self.target, self.gang, tuple(left)), tuple(paid)
