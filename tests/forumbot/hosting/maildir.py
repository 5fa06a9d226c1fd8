"""The bot's inbox on a real Dovecot, in place of the embedded server's; letters go out by the embedded SMTP as before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import imapclient

from adapters.clock import Clock
from forumbot.demo.mail_receiving import header_address
from forumbot.demo.mailbox import Kept, RunningMailbox
from tests.adapters.mail.dovecot import Box, Dovecot


class Maildir:
    """What the tests do with ``RunningMailbox``'s inbox, done with a maildir; everything else is the embedded server's."""

    def __init__(self, embedded: RunningMailbox, box: Box, clock: Clock, server: Dovecot) -> None:
        self._embedded = embedded
        self._box = box
        self._clock = clock
        self.silence = server.silence

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedded, name)

    def drop(
        self, _: str, raw: bytes, *, received: datetime | None = None, marked: bool = True, sender: str | None = None
    ) -> None:
        shown = header_address(raw) if sender is None else sender.lower()
        data = self._embedded._receiver.mark(raw, shown) if marked else raw
        self._box.deliver(data, received or self._clock.now())

    def letters(self, _: str) -> list[Kept]:
        with self._owner() as owner:
            told = owner.fetch(owner.search(), ["FLAGS", "INTERNALDATE", "BODY.PEEK[]"])
        return [
            Kept(uid, of[b"INTERNALDATE"], of[b"BODY[]"], imapclient.SEEN in of[b"FLAGS"]) for uid, of in sorted(told.items())
        ]

    def mark_seen(self, _: str, seen: bool = True) -> None:
        with self._owner() as owner:
            change = owner.add_flags if seen else owner.remove_flags
            change(owner.search(), [imapclient.SEEN])

    def change_uidvalidity(self, _: str) -> None:
        self._box.renumber()

    @contextmanager
    def _owner(self) -> Iterator[imapclient.IMAPClient]:
        """The mailbox as its owner's mail program opens it."""
        client = imapclient.IMAPClient("127.0.0.1", port=self._box.port, ssl=False)
        client.login(self._box.user, self._box.password)
        client.select_folder("INBOX")
        yield client
        client.logout()
