"""Who a seat is, by the host's word: another person, a further spelling of the nick, a mail address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from adapters.errors import OutsideError
from forumbot.hosting.core import bars, outbox, seating
from forumbot.hosting.core.acting import Context, Finder, Refused, Undo, no_twin, not_spoken_for, seat_of
from forumbot.hosting.core.evidence import Evidence
from forumbot.hosting.inbox import proofs, waitlist
from forumbot.hosting.turns import barring, interventions
from forumbot.settings import MAIL_ADDRESS
from forumbot.store.tables import aliases, letters


def looked_up(payload: Mapping[str, Any], find: Finder) -> dict[str, Any]:
    """The payload with the newcomer's nick and number as the forum has them, and what his page tells. Raises Refused for one
    whom the forum does not know, or knows by another nick."""
    nick, uid = payload.get("nick") or None, payload.get("uid")
    if nick is None and uid is None:
        return dict(payload)
    if uid is not None and (type(uid) is not int or uid <= 0):
        raise Refused(f"«{uid}» не номер учётной записи")
    try:
        profile = find(uid=uid, nick=nick)
    except OutsideError as error:
        why = error.text or "нет связи"
        raise Refused(f"форум сейчас не отвечает, и участника не проверить ({why}): попробуйте позже") from error
    if profile is None:
        who = f"учётной записи № {uid}" if uid is not None else f"участника «{nick}»"
        raise Refused(f"{who} на форуме нет: проверьте ник или номер")
    if nick is not None and nick.strip().casefold() != profile.nick.strip().casefold():
        raise Refused(f"у учётной записи № {profile.uid} ник «{profile.nick}», а не «{nick}»: проверьте, кого вы имеете в виду")
    lines = [list(line) for line in profile.lines]
    return {**payload, "nick": profile.nick, "uid": profile.uid, "profile": lines}


def replace(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Another person takes a seat: role and votes pass on, the old account and address lose their rights."""
    seat = seat_of(context, payload["player"])
    present = seating.load(context.connection, context.row.id)
    nick, uid = _newcomer(context, payload)
    if any(holder.uid == uid for holder in present.holders.values()):
        raise Refused("этот участник уже играет")
    no_twin(present, nick, apart=seat)
    barring.refuse_barred(context, nick, uid)
    former = seating.row_of(context.connection, context.row.id, seat)
    seating.replace(context.connection, context.row.id, seat, nick, uid, context.now)
    rows = {"former": former, "newcomer": seating.row_of(context.connection, context.row.id, seat)}
    waited = any(one.uid == uid for one in waitlist.waiting(context.connection, context.row.id))
    waitlist.plays(context.connection, context.row.id, uid)
    interventions.introduce(context, seat, present.holders[seat].nick)
    return {"seat": seat, "since": context.now.isoformat(), "rows": rows, "waited": waited, **_shown(payload)}


def _shown(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What the host is shown of somebody who was looked up."""
    if "profile" not in payload:
        return {}
    return {"profile": {"nick": payload["nick"], "uid": payload["uid"], "lines": payload["profile"]}}


def _newcomer(context: Context, payload: Mapping[str, Any]) -> tuple[str, int]:
    """Whom the host names (``nick``, ``uid``); without a name the first of the waiting list."""
    if payload.get("uid") is not None:
        return payload["nick"], payload["uid"]
    first = first_of_reserve(context.connection, context.row.id, context.now)
    if first is None:
        raise Refused("в запасе нет никого, кого можно посадить: назовите, кто вступает в игру")
    return first.nick, first.uid


def first_of_reserve(connection: sa.Connection, game_id: str, now: datetime) -> waitlist.Reserve | None:
    """Who is called when a seat becomes free: the first who waits and may play."""
    waiting = waitlist.waiting(connection, game_id)
    return next((one for one in waiting if bars.of(connection, one.nick, one.uid, now) is None), None)


_LONGEST_ALIAS = 60


def alias(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A further spelling that means a player, for the whole game."""
    seat = seat_of(context, payload["player"])
    said = str(payload["alias"]).strip()
    if not said.isprintable() or not any(sign.isalnum() for sign in said) or len(said) > _LONGEST_ALIAS:
        raise Refused(f"«{said[:_LONGEST_ALIAS]}» не прозвище: нужно слово или несколько, не длиннее {_LONGEST_ALIAS} знаков")
    not_spoken_for(context, said)
    payload = {**payload, "alias": said}
    known = context.connection.execute(
        sa.select(aliases.c.seat).where(aliases.c.game_id == context.row.id, aliases.c.alias == payload["alias"])
    ).scalar()
    if known is not None:
        raise Refused(f"«{payload['alias']}» уже означает игрока {known}")
    twin = seating.twin(seating.load(context.connection, context.row.id), said, but=seat)
    if twin is not None:
        raise Refused(f"«{said}» не отличить от ника игрока {twin}: ходы и голоса за него достались бы другому")
    context.connection.execute(aliases.insert().values(game_id=context.row.id, alias=payload["alias"], seat=seat))
    return {"alias": payload["alias"]}


def bind(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A mail address is a player's from now on; his unrouted letters from it are read anew."""
    seat = seat_of(context, payload["player"])
    holder = seating.load(context.connection, context.row.id).holders[seat]
    address = payload["address"]
    if address and not re.match(MAIL_ADDRESS, address):
        raise Refused(f"«{address}» не адрес почты; нужно, например, anna@example.org")
    if address and address.casefold() == context.voice.mail_address.casefold():
        raise Refused("это ящик самого бота: письма с него - его собственные")
    if (address or None) == holder.address:
        raise Refused("этот адрес у него и так привязан" if address else "у этого игрока и так нет адреса")
    taken = proofs.taken_by(context.connection, address, holder.uid) if address else None
    if taken is not None:
        raise Refused(f"этот адрес уже у игрока {taken}: письма с одного адреса не скажут, кто из двоих пишет")
    seating.bind_address(context.connection, context.row.id, seat, address)
    if address:
        stray = letters.c.game_id.is_(None), letters.c.routed.in_(("unknown_sender", "old_code")), letters.c.sender == address
        for denied in (False, True):
            way = Evidence.MAIL_DENIED if denied else Evidence.MAIL_PROVEN
            values = {"game_id": context.row.id, "seat": seat, "routed": way.value}
            context.connection.execute(letters.update().where(*stray, (letters.c.auth == "fail") == denied).values(values))
        old = proofs.masked(holder.address) if holder.address else ""
        publisher = context.publisher()
        publisher.private(
            context.connection, f"{context.key}/bound", holder, "address_changed.j2", publisher.facts(None),
            priority=outbox.NOTICES, by_pm=True, at_once=True, title=context.row.title, masked=proofs.masked(address), old=old,
        )  # fmt: skip
    return {"seat": seat, "address": holder.address, "uid": holder.uid, "bound": address}
