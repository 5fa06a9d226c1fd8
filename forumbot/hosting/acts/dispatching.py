"""What a host does with texts on their way out: lets them go, holds them, words them anew, marks them as posted by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from forumbot.hosting.core import keys
from forumbot.hosting.core.acting import Context, Refused, Undo, outbox_row
from forumbot.hosting.core.outcomes import UNCLEAR
from forumbot.store.tables import outbox


def release(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Something that waits for the host goes out, a long newspaper with all its parts."""
    row = outbox_row(context, payload["outbox"], ("held",))
    context.connection.execute(outbox.update().where(keys.parts_of(row["key"]), outbox.c.state == "held").values(state="waiting"))
    return {"outbox": payload["outbox"], "key": row["key"], "state": "held", "parts": True}


def keep(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Something that waits to be sent is held back until the host releases it."""
    row = outbox_row(context, payload["outbox"], ("waiting", "failed"))
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(state="held"))
    return {"outbox": payload["outbox"], "key": row["key"], "state": row["state"]}


def edit(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host's own wording of something that was not sent yet."""
    row = outbox_row(context, payload["outbox"], ("held", "waiting", "failed"))
    if row["body"] == payload["body"]:
        raise Refused("текст и так такой")
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(body=payload["body"]))
    return {"outbox": payload["outbox"], "key": row["key"], "body": row["body"]}


def retry(context: Context, payload: Mapping[str, Any]) -> Undo:
    """Something that could not be sent is tried again as if for the first time; what may have arrived is looked for first.
    What belongs to no game (a word to the host about forum or mailbox) any host may send again."""
    row = outbox_row(context, payload["outbox"], ("failed",), or_of_none=True)
    noted = row["result"] or {}
    state, result = ("sending", {**noted, UNCLEAR: 0}) if noted.get(UNCLEAR) else ("waiting", row["result"])
    values = {"state": state, "attempts": 0, "not_before": context.now, "result": result}
    context.connection.execute(outbox.update().where(outbox.c.id == payload["outbox"]).values(values))
    return {"outbox": payload["outbox"], "key": row["key"], "state": row["state"]}


def posted(context: Context, payload: Mapping[str, Any]) -> Undo:
    """The host has posted this by hand; the bot must not."""
    row = outbox_row(context, payload["outbox"], ("waiting", "failed", "held", "shadow"))
    context.connection.execute(
        outbox.update()
        .where(outbox.c.id == payload["outbox"])
        .values(state="sent", sent_at=context.now, result={"by_hand": context.who})
    )
    return {"outbox": payload["outbox"], "key": row["key"], "state": row["state"], "kept": row["result"]}
