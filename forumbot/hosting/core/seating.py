"""Who sits where: the engine knows seats, the world knows forum accounts, nicks and addresses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.reading import same_key
from forumbot.store.codes import proof_code
from forumbot.store.prepared import Prepared
from forumbot.store.tables import aliases, holders, seats

CODE_LIFE = timedelta(days=3)
"""So long a code proves an address, once."""
_AT_ONCE = 500
"""So many codes are looked up by one statement."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A person on a seat. Rights go by ``uid`` and proven ``address``, never by the nick."""

    seat: str
    nick: str
    uid: int | None
    address: str | None
    proof_code: str
    code_until: datetime | None = None
    """Until when the code proves an address; None: until it is used."""
    gender: str | None = None
    """"m" or "f" by the forum's page or the host's word; empty: the page does not tell; None: not asked yet."""


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of one game at one moment, in the order of the roster."""

    holders: Mapping[str, Holder]
    former: Mapping[str, tuple[str, ...]]
    """seat -> nicks it was known by before (renames, replaced players)."""
    aliases: Mapping[str, str]

    def names(self) -> dict[str, str]:
        """seat -> nick as shown now."""
        return {seat: holder.nick for seat, holder in self.holders.items()}

    def nicks(self) -> dict[str, tuple[str, ...]]:
        """seat -> every nick that means it, the present one first."""
        return {seat: (holder.nick, *self.former.get(seat, ())) for seat, holder in self.holders.items()}

    def genders(self) -> dict[str, str]:
        """nick -> "m" or "f" of those of whom it is known."""
        return {holder.nick: holder.gender for holder in self.holders.values() if holder.gender}

    def by_uid(self, uid: int | None) -> Holder | None:
        return next((h for h in self.holders.values() if uid is not None and h.uid == uid), None)

    def by_address(self, address: str) -> Holder | None:
        found = self.sharing(address)
        return found[0] if len(found) == 1 else None

    def sharing(self, address: str) -> list[Holder]:
        """Everybody who has this address; one that several have names none of them."""
        return [h for h in self.holders.values() if h.address and same_address(h.address, address)]


def address_key(address: str) -> str:
    """An address for comparing: the letter case of Latin letters means nothing to mail servers, but no other letters are one
    ("ß" and "ss", "K" and the sign of Kelvin): who owns the one may be a stranger to the other."""
    return address.translate(_SMALL)


def same_address(one: str, other: str) -> bool:
    return address_key(one) == address_key(other)


_SMALL = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


_MINE: sa.BindParameter[str] = sa.bindparam("game")
_ORDER = Prepared(sa.select(seats.c.seat).where(seats.c.game_id == _MINE, seats.c.state == "in").order_by(seats.c.place))
_HOLDERS = Prepared(
    sa.select(
        holders.c.seat, holders.c.nick, holders.c.uid, holders.c.address, holders.c.proof_code, holders.c.code_until,
        holders.c.until, holders.c.gender,
    ).where(holders.c.game_id == _MINE).order_by(holders.c.id)
)  # fmt: skip
_ALIASES = Prepared(sa.select(aliases.c.alias, aliases.c.seat).where(aliases.c.game_id == _MINE))


def load(connection: sa.Connection, game_id: str) -> Seating:
    """The seating now; seats that signed off or were refused are not in it."""
    present: dict[str, Holder] = {}
    former: dict[str, list[str]] = {}
    for seat, nick, uid, address, code, code_until, until, gender in _HOLDERS.lists(connection, game=game_id):
        if until is None:
            present[seat] = Holder(seat, nick, uid, address, code, code_until, gender)
        else:
            former.setdefault(seat, []).append(nick)
    return Seating(
        {seat: present[seat] for seat in _ORDER.values(connection, game=game_id) if seat in present},
        {seat: tuple(dict.fromkeys(nicks)) for seat, nicks in former.items()},
        {str(alias): str(seat) for alias, seat in _ALIASES.lists(connection, game=game_id)},
    )


def sit_down(connection: sa.Connection, game_id: str, nick: str, uid: int | None, now: datetime) -> Holder:
    """Give a newcomer (or one who had signed off) a seat; his nick names it for the rest of the game."""
    code = proof_code()
    known = connection.execute(sa.select(seats).where(seats.c.game_id == game_id, seats.c.seat == nick)).mappings().first()
    place = connection.execute(sa.select(sa.func.count()).select_from(seats).where(seats.c.game_id == game_id)).scalar_one()
    if known is None:
        connection.execute(seats.insert().values(game_id=game_id, seat=nick, place=place, state="in", joined_at=now))
    else:
        connection.execute(seats.update().where(seats.c.id == known["id"]).values(state="in", place=place + 1, joined_at=now))
        connection.execute(
            holders.update()
            .where(holders.c.game_id == game_id, holders.c.seat == nick, holders.c.until.is_(None))
            .values(until=now)
        )
    values = {"nick": nick, "uid": uid, "proof_code": code, "code_until": now + CODE_LIFE, "since": now}
    connection.execute(holders.insert().values(game_id=game_id, seat=nick, **values))
    return Holder(nick, nick, uid, None, code)


def sign_off(connection: sa.Connection, game_id: str, seat: str) -> None:
    sign(connection, game_id, seat, "out")


def sign(connection: sa.Connection, game_id: str, seat: str, state: str) -> None:
    """A seat of the sign-up is ``in``, ``out`` or ``refused``."""
    connection.execute(seats.update().where(seats.c.game_id == game_id, seats.c.seat == seat).values(state=state))


def rename(connection: sa.Connection, game_id: str, holder: Holder, nick: str, now: datetime) -> None:
    """The same person under a new nick: uid, address and rights stay."""
    _end(connection, game_id, holder.seat, now)
    connection.execute(
        holders.insert().values(
            game_id=game_id,
            seat=holder.seat,
            nick=nick,
            uid=holder.uid,
            address=holder.address,
            proof_code=holder.proof_code,
            code_until=holder.code_until,
            since=now,
            gender=holder.gender,
        )
    )


def replace(connection: sa.Connection, game_id: str, seat: str, nick: str, uid: int | None, now: datetime) -> Holder:
    """Another person takes the seat: role and votes pass on, the old account and address lose all rights."""
    _end(connection, game_id, seat, now)
    code = proof_code()
    values = {"nick": nick, "uid": uid, "proof_code": code, "code_until": now + CODE_LIFE, "since": now}
    connection.execute(holders.insert().values(game_id=game_id, seat=seat, **values))
    return Holder(seat, nick, uid, None, code)


def row_of(connection: sa.Connection, game_id: str, seat: str) -> int:
    """The row of the person who holds a seat now."""
    mine = holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None)
    return int(connection.execute(sa.select(holders.c.id).where(*mine)).scalar_one())


def bind_address(connection: sa.Connection, game_id: str, seat: str, address: str | None) -> None:
    """The holder's proven address from now on; None takes it away."""
    connection.execute(
        holders.update()
        .where(holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None))
        .values(address=address)
    )


def set_gender(connection: sa.Connection, game_id: str, seat: str, gender: str | None) -> None:
    """How texts speak of the present holder from now on: "m", "f", empty or None as in ``Holder.gender``."""
    connection.execute(
        holders.update()
        .where(holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None))
        .values(gender=gender)
    )


def fresh_code(connection: sa.Connection, game_id: str, holder: Holder, now: datetime) -> str:
    """The code that proves this player's address from now on: the one he has while it lives, else a new one."""
    lives = holder.proof_code and (holder.code_until is None or now < holder.code_until - CODE_LIFE / 2)
    return holder.proof_code if lives else _new_code(connection, game_id, holder.seat, now + CODE_LIFE)


def living_codes(connection: sa.Connection, codes: Collection[str]) -> set[str]:
    """Those of these codes that nobody has used yet, of whatever game."""
    every, found = sorted(codes), set[str]()
    for some in (every[start : start + _AT_ONCE] for start in range(0, len(every), _AT_ONCE)):
        unused = holders.c.until.is_(None), holders.c.proof_code.in_(some)
        found.update(connection.execute(sa.select(holders.c.proof_code).where(*unused)).scalars())
    return found


def use_code(connection: sa.Connection, game_id: str, seat: str) -> None:
    """A code that somebody has seen in a letter proves nothing again."""
    mine = holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None)
    connection.execute(holders.update().where(*mine).values(proof_code="", code_until=None))


def _new_code(connection: sa.Connection, game_id: str, seat: str, until: datetime) -> str:
    code = proof_code()
    mine = holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None)
    connection.execute(holders.update().where(*mine).values(proof_code=code, code_until=until))
    return code


def _end(connection: sa.Connection, game_id: str, seat: str, now: datetime) -> None:
    connection.execute(
        holders.update().where(holders.c.game_id == game_id, holders.c.seat == seat, holders.c.until.is_(None)).values(until=now)
    )


def twin(seats: Seating, nick: str, *, but: str = "") -> str | None:
    """Another player (not the one of the seat ``but``) whose nick, now or before, or further spelling looks like this one."""
    for seat, nicks in seats.nicks().items():
        known = (*nicks, *(alias for alias, of in seats.aliases.items() if of == seat))
        if seat != but and any(same_key(one, nick) for one in known):
            return seats.holders[seat].nick
    return None


def host_alike(nick: str, hosts: Iterable[str]) -> str | None:
    """The host whose nick this one looks like without being it: whose word it is must be seen."""
    return next((host for host in hosts if host and host != nick and same_key(host, nick)), None)
