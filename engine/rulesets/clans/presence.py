"""Who is dead, beaten, away or protected tonight: the one model that every phase reads and changes (4.1).

A guest has a host; a host may be somebody's guest in turn. Who became a guest stays one until morning, also when the
host dies or the guest is beaten (D23).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from engine.model import Seat
from engine.rulesets.clans.roles import CLANS, MANIAC
from engine.rulesets.clans.state import Player

Place = Literal["seductress", "maniac"]


@dataclass(frozen=True, slots=True)
class Fallen:
    """How a player died tonight."""

    cause: str
    by: Seat | None
    defenceless: bool
    """He died in a ЖЛП's room: a shahid there does not explode (R32, R88)."""


class Presence:
    """The night's state of all players; changed by the phases through its few verbs."""

    def __init__(self, players: Mapping[Seat, Player]) -> None:
        self._players = players
        self._gone = {seat for seat, player in players.items() if not player.alive}
        self._host: dict[Seat, Seat] = {}
        self.fallen: dict[Seat, Fallen] = {}
        """Deaths of the night in the order in which they happened."""
        self.beaten: set[Seat] = set()
        self.guarded: set[Seat] = set()
        self.healed: Seat | None = None
        """Whom the doctor's healing has reached (R37)."""
        self.shielded: Seat | None = None
        """Whom a heal order keeps from the explosion of a room, though it may not reach him otherwise (R41)."""
        self.showdowns: dict[Seat, str] = {}
        """ЖЛП with a showdown in her room -> the invited clan (R33)."""

    def alive(self, seat: Seat) -> bool:
        return seat not in self._gone

    def die(self, seat: Seat, cause: str, by: Seat | None) -> bool:
        """The first death in phase order gives cause and credit; False when he was dead already."""
        if seat in self._gone:
            return False
        self._gone.add(seat)
        self.fallen[seat] = Fallen(cause, by, self.defenceless(seat))
        return True

    def lodge(self, guest: Seat, host: Seat) -> None:
        """The guest goes to the host's room, his own guests with him (R30)."""
        self._host[guest] = host

    def is_guest(self, seat: Seat) -> bool:
        return seat in self._host

    def host(self, seat: Seat) -> Seat | None:
        """The outermost host, with whom the guest spends the night."""
        host = self._host.get(seat)
        while host is not None and host in self._host:
            host = self._host[host]
        return host

    def at(self, seat: Seat) -> Place | None:
        """At a ЖЛП's or at the maniac's; None: at home or in the own room."""
        host = self.host(seat)
        if host is None:
            return None
        return "maniac" if self._players[host].role == MANIAC else "seductress"

    def guests(self, host: Seat) -> tuple[Seat, ...]:
        """Everybody who spends the night in the host's own room, in roster order, the dead too."""
        return tuple(seat for seat in self._players if self.host(seat) == host)

    def all_guests(self) -> Iterable[Seat]:
        return (seat for seat in self._players if seat in self._host)

    def defenceless(self, seat: Seat) -> bool:
        """In one room with a ЖЛП whose guest he is, also when the maniac took both along (R32)."""
        host = self._host.get(seat)
        return host is not None and self._players[host].role != MANIAC

    def own_guest(self, seat: Seat, clan: str) -> bool:
        """A guest in the room of this clan's own ЖЛП (R59); not when the maniac took her and him away (D14)."""
        host = self.host(seat)
        return host is not None and self._players[host].faction == clan

    def clan_invited(self, clan: str) -> bool:
        """Somebody of this clan is the guest of the other clan's ЖЛП (R34, R57); the own ЖЛП's room stops nothing (D56)."""
        return clan in CLANS and any(
            self._players[guest].faction == clan
            and self._players[host].role != MANIAC
            and self._players[host].faction != clan
            for guest, host in self._host.items()
        )
