"""A letter as the mailbox gives it, read before anything is written: its reading may take a second and needs no transaction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import sqlalchemy as sa

from adapters.mail.letters import read_letter, sender_of
from adapters.mailbox import MailSettings
from adapters.model import Envelope, Letter
from forumbot.hosting.core.seating import address_key
from forumbot.store.tables import outbox

_REMEMBERED = 40
"""So many of the last letters to somebody are known again in his answers."""


def read(envelope: Envelope, settings: MailSettings, sent: Iterable[str]) -> tuple[bytes, Letter]:
    """(the bytes that are kept, what they say). A letter of which no text could be had says why in its problems.

    ``sent``: what we sent to its writer, which is no news whatever quotes it.
    """
    raw = envelope.head or b"" if envelope.raw is None else envelope.raw
    told = read_letter(raw, authserv=settings.authserv, own=settings.address, sent=sent)
    if envelope.raw is None:
        kind = "letter" if told.kind == "empty" else told.kind
        return raw, replace(told, kind=kind, text="", problems=(*told.problems, "unfetched" if envelope.refused else "too_large"))
    return raw, replace(told, problems=(*told.problems, "too_large")) if envelope.cut else told


def sent_to_writer(connection: sa.Connection, envelope: Envelope) -> list[str]:
    """The texts of our last letters to the address from which a letter comes."""
    address = sender_of(envelope.raw or envelope.head or b"")
    if not address:
        return []
    theirs = sa.func.lower(sa.func.json_extract(outbox.c.target, "$.address")) == address_key(address)
    rows = connection.execute(
        sa.select(outbox.c.body)
        .where(outbox.c.kind == "letter", theirs, outbox.c.state.in_(("sent", "sending")))
        .order_by(outbox.c.id.desc())
        .limit(_REMEMBERED)
    )
    return list(rows.scalars())
