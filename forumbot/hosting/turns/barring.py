"""Acts that bar an account from further games, and let it in again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forumbot.hosting.core import bars
from forumbot.hosting.core.acting import Context, Refused, Undo, moment_of
from forumbot.store.tables import bars as rows


def bar(context: Context, payload: Mapping[str, Any]) -> Undo:
    """``{nick, uid, until, text}``: until a day of the host's calendar, or until it is lifted; ``text``: for what."""
    nick, uid = str(payload["nick"]).strip(), payload.get("uid")
    if not nick:
        raise Refused("назовите ник")
    ends = moment_of(context, payload["until"]) if payload.get("until") else None
    if ends is not None and ends <= context.now:
        raise Refused("этот день уже прошёл: назовите будущий")
    known = bars.of(context.connection, nick, uid, context.now)
    if known is not None:
        raise Refused(
            f"{known['nick']} и так не допускается {bars.words(known, context.voice.zone)}; чтобы изменить, снимите сначала "
            f"запрет {known['id']}"
        )
    why = str(payload.get("text") or "").strip()
    return {"barred": bars.bar(context.connection, nick, uid, ends, why, context.who, context.now)}


def unbar(context: Context, payload: Mapping[str, Any]) -> Undo:
    """``{bar}``: the number of a bar that stands."""
    if not bars.lift(context.connection, payload["bar"], context.now):
        raise Refused(f"запрета {payload['bar']} нет, или он уже снят")
    return {"unbarred": payload["bar"]}


def refuse_barred(context: Context, nick: str, uid: int | None) -> None:
    """Raises Refused for an account that may not play for a while: a host who thinks otherwise lifts the bar first."""
    barred = bars.of(context.connection, nick, uid, context.now)
    if barred is not None:
        raise Refused(
            f"{nick} не допускается к партиям {bars.words(barred, context.voice.zone)}; решили иначе - снимите сначала "
            f"запрет {barred['id']} («Запреты» на пульте, forumbot people unbar {barred['id']})"
        )


def lift_again(context: Context, done: Undo) -> None:
    """The account was not barred after all."""
    bars.lift(context.connection, done["barred"], context.now)


def bar_again(context: Context, done: Undo) -> None:
    """The bar was not lifted after all."""
    context.connection.execute(rows.update().where(rows.c.id == done["unbarred"]).values(lifted_at=None))

