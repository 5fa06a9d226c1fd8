"""Whose mail address is it: codes by PM, answered by mail, also in mid-game, with a word to the account whose address changes.

The code goes only to the forum account. Whoever sends it by mail can read that account's messages, so the address is that
player's from then on and the one before it has no rights any more. An address that proved nothing stays a stranger's (T45).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sa

from forumbot.hosting.core import modes, outbox, record, seating, troubles
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.seating import Holder
from forumbot.hosting.inbox.routing import Route
from forumbot.hosting.people import whereabouts
from forumbot.reading.requests import asks_code, requests
from forumbot.settings import Site
from forumbot.store.atwork import under
from forumbot.store.prepared import Row
from forumbot.store.tables import games
from forumbot.store.tables import outbox as outbox_rows
from forumbot.writing.writer import gather, shared

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOST_A_DAY = 4
"""So many codes a player gets in a day, and no second one within an hour: programs must not talk to each other for ever."""

def answer(connection: sa.Connection, site: Site, row: Row, now: datetime) -> Route | None:
    """Send the code to one who asks for it by PM. Gives the route of a message that asks for nothing else; None: read on."""
    if site.mail is None or row["channel"] != "pm":
        return None
    places = list(whereabouts.of_uid(connection, row["sender_uid"]).items())
    back = unbind(connection, site, row, places, now)
    if back is not None:
        return back
    if not places or not asks_code(row["subject"], row["text"])[0]:
        return None
    nicks = {holder.nick.casefold() for game_id, _ in places for holder in seating.load(connection, game_id).holders.values()}
    wanted, alone = asks_code(row["subject"], row["text"], nicks)
    if not wanted:
        return None
    for game_id, holder in places:
        _send(connection, site, game_id, holder, row["id"], now)
    if not alone:
        return None
    return Route("code", places[0][0], places[0][1]) if len(places) == 1 else Route("code")


def bind(connection: sa.Connection, site: Site, row: Row, route: Route, now: datetime) -> None:
    """A letter with the code came: its sender is the player's address from now on. One who had another is told by PM."""
    assert route.holder is not None
    assert route.game_id is not None
    before, address = route.holder.address, str(row["sender"])
    seating.use_code(connection, route.game_id, route.holder.seat)
    game = record.load(connection, route.game_id)
    taken = taken_by(connection, address, route.holder.uid)
    if taken is not None:
        key = f"{route.game_id}/taken/{row['id']}"
        facts = {"title": game.title, "masked": masked(address)}
        _put(connection, site, key, route.game_id, route.holder, "address_taken.j2", now, **facts)
        text = f"Игрок {route.holder.nick} хочет ходить с адреса игрока {taken}: один адрес двоим не привязывается."
        troubles.tell_host(connection, site.site, f"{key}/host", "Адрес занят", text, now, game_id=route.game_id)
        return
    seating.bind_address(connection, route.game_id, route.holder.seat, address)
    seats = seating.load(connection, route.game_id)
    publisher = Publisher(game, shared(game.templates, site.forum.zone), seats, str, 10_000, now)
    holder = seats.holders[route.holder.seat]
    publisher.private(
        connection, f"proven/{row['id']}", holder, "address_proven.j2", publisher.facts(None), priority=outbox.NOTICES,
        answers=f"letter:{row['id']}",
    )  # fmt: skip
    if before is None or not seating.same_address(before, address):
        _put(
            connection, site, f"{route.game_id}/changed/{row['id']}", route.game_id, holder, "address_changed.j2", now,
            title=game.title, masked=masked(address), old=masked(before) if before else "",
        )  # fmt: skip


def tell_ended(connection: sa.Connection, site: Site, game_id: str, holder: Holder, sender: str, now: datetime) -> None:
    """A code came too late: its player hears it by PM, once a code, whatever may be answered to the letter's sender."""
    key = f"{game_id}/code_ended/{holder.seat}/{hashlib.sha256(holder.proof_code.encode()).hexdigest()[:12]}"
    title = record.load(connection, game_id).title
    _put(connection, site, key, game_id, holder, "code_ended.j2", now, title=title, masked=masked(sender))


def taken_by(connection: sa.Connection, address: str, uid: int | None) -> str | None:
    """The nick of another account that has this address in a running game."""
    having = (holder for holders in whereabouts.of_address(connection, address).values() for holder in holders)
    return next((holder.nick for holder in having if holder.uid is None or holder.uid != uid), None)


def unbind(
    connection: sa.Connection, site: Site, row: Row, places: Sequence[tuple[str, Holder]], now: datetime
) -> Route | None:
    """The way back: an account, which plays at these ``places``, says by PM that its address is not its own, and the address has
    no rights from then on."""
    bound = [(game_id, holder) for game_id, holder in places if holder.address]
    if not bound or "unbind" not in requests(row["text"]).asks:
        return None
    for game_id, holder in bound:
        seating.bind_address(connection, game_id, holder.seat, None)
        seating.use_code(connection, game_id, holder.seat)
        title, key = record.load(connection, game_id).title, f"{game_id}/unbound/{row['id']}"
        _put(connection, site, key, game_id, holder, "address_unbound.j2", now, title=title, masked=masked(str(holder.address)))
        text = f"Игрок {holder.nick} отвязал адрес {holder.address}: говорит, что он не его, или больше им не пользуется."
        troubles.tell_host(connection, site.site, f"{key}/host", "Адрес отвязан", text, now, game_id=game_id)
    return Route("unbind", *bound[0]) if len(bound) == 1 else Route("unbind")


def masked(address: str) -> str:
    """An address that its owner knows again and nobody else learns: ``a***@mail.example``."""
    name, _, domain = address.partition("@")
    return f"{name[:1]}***@{domain}"


def _send(connection: sa.Connection, site: Site, game_id: str, holder: Holder, letter_id: int, now: datetime) -> None:
    start = f"{game_id}/code/{holder.seat}/"
    sent = connection.execute(
        sa.select(outbox_rows.c.created_at).where(
            under(outbox_rows.c.key, start), outbox_rows.c.created_at > now - DAY
        )
    ).scalars()
    recent = list(sent)
    if len(recent) >= MOST_A_DAY or any(at > now - HOUR for at in recent):
        return
    title = connection.execute(sa.select(games.c.title).where(games.c.id == game_id)).scalar_one()
    assert site.mail is not None
    code = seating.fresh_code(connection, game_id, holder, now)
    _put(
        connection, site, f"{start}{letter_id}", game_id, holder, "address_code.j2", now,
        title=title, code=code, address=site.mail.address, bound=masked(holder.address) if holder.address else "",
    )  # fmt: skip


def _put(
    connection: sa.Connection, site: Site, key: str, game_id: str, holder: Holder, template: str, now: datetime, **facts: object
) -> None:
    """By PM to the account, with the program's own templates: a game that began under an older version has not got these."""
    writer = shared(gather(None, site.site.own), site.forum.zone)
    subject, text = writer.private(template, str, nick=holder.nick, **facts)
    target = {"uid": holder.uid, "nick": holder.nick, "plain": True}
    outbox.put(
        connection, key, "pm", target, f"[{game_id}] {subject}", text,
        game_id=game_id, priority=outbox.NOTICES, now=now, state=modes.state_of_new(connection, game_id),
    )  # fmt: skip
