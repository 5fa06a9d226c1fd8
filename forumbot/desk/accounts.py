"""Who may enter the desk and what he may do there: accounts, roles, passwords, login links, sessions.

Cookies and links are random words of 256 bits; the database keeps only their digests, so that a copy of it opens nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import sqlalchemy as sa

from forumbot.hosting.core import outbox
from forumbot.store.tables import accounts, games, grants, login_links, sessions
from forumbot.store.tables import outbox as outbox_table

Role = Literal["host", "cohost", "observer"]
ROLES: tuple[Role, ...] = ("host", "cohost", "observer")
EVERY_GAME = "*"

LINK_LIVES = timedelta(minutes=15)
SESSION_IDLE = timedelta(days=7)
SESSION_LIVES = timedelta(days=30)
SEEN_EVERY = timedelta(minutes=5)
"""A session in use is noted so often, not at every page."""
PASSWORD_LEAST = 10

_N, _R, _P = 2**14, 8, 1


@dataclass(frozen=True, slots=True)
class Account:
    """A host who is logged in. ``roles``: game id (or ``EVERY_GAME``) -> role."""

    id: int
    name: str
    roles: dict[str, Role]

    def role(self, game_id: str) -> Role | None:
        """His role in a game; a role given for this game goes before one for every game."""
        return self.roles.get(game_id) or self.roles.get(EVERY_GAME)


def find(connection: sa.Connection, name: str) -> sa.RowMapping | None:
    return connection.execute(sa.select(accounts).where(accounts.c.name == name)).mappings().first()


def save(
    connection: sa.Connection,
    name: str,
    now: datetime,
    *,
    address: str | None = None,
    nick: str | None = None,
    uid: int | None = None,
) -> int:
    """Make an account, or give a known one a new address or forum account; gives its number."""
    values = {key: value for key, value in (("address", address), ("nick", nick), ("uid", uid)) if value is not None}
    known = find(connection, name)
    if known is not None:
        if values:
            connection.execute(accounts.update().where(accounts.c.id == known["id"]).values(**values))
        return int(known["id"])
    made = connection.execute(accounts.insert().values(name=name, created_at=now, **values))
    (account_id,) = made.inserted_primary_key or (0,)
    return int(account_id)


def give_role(connection: sa.Connection, account_id: int, game_id: str, role: Role | None) -> Role | None:
    """Set somebody's role in a game (None takes it away); gives the one he had."""
    mine = grants.c.account_id == account_id, grants.c.game_id == game_id
    had: Role | None = connection.execute(sa.select(grants.c.role).where(*mine)).scalar()
    connection.execute(grants.delete().where(*mine))
    if role is not None:
        connection.execute(grants.insert().values(account_id=account_id, game_id=game_id, role=role))
    return had


def roles_of(connection: sa.Connection, account_id: int) -> dict[str, Role]:
    rows = connection.execute(sa.select(grants.c.game_id, grants.c.role).where(grants.c.account_id == account_id))
    return {str(game_id): role for game_id, role in rows}


def live_games(connection: sa.Connection) -> tuple[str, ...]:
    """The games that are not over: a letter of nobody known could belong to any of them."""
    query = sa.select(games.c.id).where(games.c.stage.not_in(("over", "cancelled")))
    return tuple(map(str, connection.execute(query).scalars()))


def is_sitewide(connection: sa.Connection, account_id: int) -> bool:
    """Whether the account has a role in every game: only owners and the command line change what it may."""
    mine = grants.c.account_id == account_id, grants.c.game_id == EVERY_GAME
    return connection.execute(sa.select(grants.c.id).where(*mine)).first() is not None


# Passwords ----------------------------------------------------------------------------------------------------------------


def hashed(password: str) -> str:
    salt = secrets.token_bytes(16)
    return f"scrypt${_N}${_R}${_P}${_coded(salt)}${_coded(_scrypt(password, salt))}"


def set_password(connection: sa.Connection, account_id: int, password: str) -> None:
    """A new password; whoever is logged in has to log in again."""
    connection.execute(accounts.update().where(accounts.c.id == account_id).values(password=hashed(password)))
    end_sessions(connection, account_id)


def password_fits(stored: str | None, password: str) -> bool:
    """Takes as long for an account without a password, or no account at all, as for a wrong one."""
    kind, _n, _r, _p, salt, digest = (stored or _NOBODY).split("$")
    fits = hmac.compare_digest(_scrypt(password, base64.b64decode(salt)), base64.b64decode(digest))
    return fits and kind == "scrypt" and stored is not None


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P, dklen=32)


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


_NOBODY = f"nobody${_N}${_R}${_P}${_coded(bytes(16))}${_coded(bytes(32))}"


# Login links --------------------------------------------------------------------------------------------------------------


LINKS_MOST = 6
"""Links that one account is sent in a quarter of an hour, whoever asks: the last one still works meanwhile."""


def send_link(connection: sa.Connection, name: str, desk_url: str, now: datetime) -> bool:
    """Send a one-time link to the account's own address, or by PM; False when there is no such account or no way to it, or
    when enough of them are on their way. Whether it is so shows neither in what is done nor in how long it takes: nobody's
    link is made and taken away again."""
    account = find(connection, name)
    known = account is not None and bool(account["address"] or account["uid"])
    # Nobody's link hangs on any account until it is taken away.
    anybody = connection.execute(sa.select(sa.func.min(accounts.c.id))).scalar()
    account_id = anybody if account is None else account["id"]
    if account_id is None:
        return False
    lately = sa.select(sa.func.count()).where(login_links.c.account_id == account_id, login_links.c.ends_at > now)
    wanted = connection.execute(lately).scalar_one() < LINKS_MOST and known
    token = secrets.token_urlsafe(32)
    word = digest(token)
    connection.execute(login_links.insert().values(digest=word, account_id=account_id, ends_at=now + LINK_LIVES))
    text = (
        f"Вход на пульт ведущего: {desk_url}/login/{token}\n\n"
        f"Ссылка работает один раз и {int(LINK_LIVES.total_seconds() // 60)} минут. Если вы её не просили, ничего не делайте."
    )
    way = dict(account) if account is not None else {"address": "", "uid": None, "nick": ""}
    by_mail = bool(way["address"])
    target = {name: way[name] for name in (("address",) if by_mail else ("uid", "nick"))}
    outbox.put(
        connection,
        link_key(word),
        "letter" if by_mail else "pm",
        target,
        "[forumbot] Вход на пульт",
        text,
        game_id=None,
        priority=outbox.URGENT,
        now=now,
    )
    unwanted = "" if wanted else word
    connection.execute(login_links.delete().where(login_links.c.digest == unwanted))
    connection.execute(outbox_table.delete().where(outbox_table.c.key == link_key(unwanted)))
    return wanted


def link_works(connection: sa.Connection, token: str, now: datetime) -> bool:
    return _link(connection, token, now) is not None


def use_link(connection: sa.Connection, token: str, now: datetime) -> int | None:
    """The account that the link lets in, once; None for a used, old or unknown one."""
    link = _link(connection, token, now)
    if link is None:
        return None
    connection.execute(login_links.update().where(login_links.c.id == link["id"]).values(used_at=now))
    connection.execute(
        outbox_table.update()
        .where(outbox_table.c.key == link_key(link["digest"]), outbox_table.c.state == "sent")
        .values(body="(ссылка использована)")
    )
    return int(link["account_id"])


def _link(connection: sa.Connection, token: str, now: datetime) -> sa.RowMapping | None:
    return (
        connection.execute(
            sa.select(login_links).where(
                login_links.c.digest == digest(token), login_links.c.used_at.is_(None), login_links.c.ends_at > now
            )
        )
        .mappings()
        .first()
    )


def link_key(word: str) -> str:
    """The outbox key of a link's letter, by the digest of its word: numbers of links come again when old ones are swept out."""
    return f"desk/link/{word[:32]}"


# Sessions -----------------------------------------------------------------------------------------------------------------


def begin_session(connection: sa.Connection, account_id: int, now: datetime) -> str:
    """A new session; gives the word for the cookie. Old sessions and links are swept out here."""
    connection.execute(sessions.delete().where(sessions.c.created_at <= now - SESSION_LIVES))
    connection.execute(sessions.delete().where(sessions.c.seen_at <= now - SESSION_IDLE))
    connection.execute(login_links.delete().where(login_links.c.ends_at <= now - SESSION_LIVES))
    token = secrets.token_urlsafe(32)
    connection.execute(sessions.insert().values(digest=digest(token), account_id=account_id, created_at=now, seen_at=now))
    return token


def session(connection: sa.Connection, token: str, now: datetime) -> tuple[Account | None, bool]:
    """The account of a cookie that is still good, and whether the session is to be noted as seen."""
    row = (
        connection.execute(
            sa.select(sessions, accounts.c.name)
            .join(accounts, accounts.c.id == sessions.c.account_id)
            .where(sessions.c.digest == digest(token))
        )
        .mappings()
        .first()
    )
    if row is None or row["created_at"] <= now - SESSION_LIVES or row["seen_at"] <= now - SESSION_IDLE:
        return None, False
    account = Account(row["account_id"], row["name"], roles_of(connection, row["account_id"]))
    return account, row["seen_at"] <= now - SEEN_EVERY


def note_seen(connection: sa.Connection, token: str, now: datetime) -> None:
    connection.execute(sessions.update().where(sessions.c.digest == digest(token)).values(seen_at=now))


def end_session(connection: sa.Connection, token: str) -> None:
    connection.execute(sessions.delete().where(sessions.c.digest == digest(token)))


def end_sessions(connection: sa.Connection, account_id: int) -> None:
    """Log somebody out everywhere."""
    connection.execute(sessions.delete().where(sessions.c.account_id == account_id))


def digest(token: str) -> str:
    """What the database keeps of a word. The words are random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf(cookie: str) -> str:
    """The word that a form must bring: follows from the cookie, tells nothing of it."""
    return hmac.new(cookie.encode(), b"forumbot desk form", hashlib.sha256).hexdigest()
