"""An embedded mailbox for demo and tests: IMAP by pymap, SMTP by aiosmtpd, both on loopback, on a clock that is handed in."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from argparse import Namespace
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from proxyprotocol.sock import SocketInfoLocal
from pymap.backend.dict import Config, DictBackend
from pymap.backend.dict.filter import FilterSet
from pymap.backend.dict.mailbox import MailboxData, MailboxSet
from pymap.imap import IMAPServer
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import FetchRequirement
from pymap.parsing.specials.flag import Flag, Seen
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from adapters.clock import Clock
from forumbot.demo.mail_receiving import MailTroubles, Receiver, SentLetter, header_address, smtp

AUTHSERV = "mx.forumbot.test"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Kept:
    """A letter in a folder."""

    uid: int
    received: datetime
    """INTERNALDATE."""
    raw: bytes
    seen: bool


class RunningMailbox:
    """The mail server at work. All calls may come from any thread; addresses are taken in lower case."""

    def __init__(self, clock: Clock, users: Mapping[str, str], authserv: str) -> None:
        self.host = "127.0.0.1"
        self.imap_port = self.smtp_port = 0
        self.troubles = MailTroubles()
        self.authserv = authserv
        self._clock = clock
        self._users = {address.lower(): password for address, password in users.items()}
        self._receiver = Receiver(clock, authserv, self._users, self.troubles, self._append)
        self._loop = asyncio.new_event_loop()
        self._config: Config | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    # For actors and tests

    def drop(self, address: str, raw: bytes, *, received: datetime | None = None, seen: bool = False, folder: str = "INBOX",
             marked: bool = True, sender: str | None = None) -> int:
        """Lay a raw letter into a user's folder (made when it is missing); gives its UID.

        ``received`` is the INTERNALDATE (default: now by the clock). With ``marked`` it gets this server's
        Authentication-Results, judged by ``sender`` (default: the From address) as envelope sender. KeyError: no such user.
        """
        name = address.lower()
        if name not in self._users:
            raise KeyError(name)
        shown = header_address(raw) if sender is None else sender.lower()
        data = self._receiver.mark(raw, shown) if marked else raw
        return self._call(self._put(name, data, received or self._clock.now(), seen, folder))

    def letters(self, address: str, folder: str = "INBOX") -> list[Kept]:
        """What lies in a user's folder, by UID."""
        return self._call(self._list(address.lower(), folder))

    @property
    def sent(self) -> list[SentLetter]:
        """Every letter that the SMTP server took, also to addresses that are not ours."""
        return list(self._receiver.taken)

    def sent_to(self, address: str) -> list[SentLetter]:
        """Of those, the letters to this address."""
        return [letter for letter in self.sent if address.lower() in letter.recipients]

    def know(self, address: str) -> None:
        """From now on this address is genuine when it writes in its own name (players without a box here)."""
        self._receiver.own.add(address.lower())

    def change_uidvalidity(self, address: str, folder: str = "INBOX") -> int:
        """Number the folder anew, as after a restore on the server; gives the new UIDVALIDITY."""
        return self._call(self._renumber(address.lower(), folder))

    def mark_seen(self, address: str, seen: bool = True) -> None:
        """Somebody else's program marks all letters of the inbox as read (or unread)."""
        self._call(self._flag(address.lower(), seen))

    def silence(self, on: bool) -> None:
        """IMAP takes commands and says nothing more."""
        self.troubles.silent = on

    def hang_up_all(self) -> None:
        """Close every open IMAP connection."""
        self._loop.call_soon_threadsafe(self._close_all)

    # The server's thread

    def start(self) -> None:
        """Start serving; returns when both ports are open. Raises what went wrong instead."""
        logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd warns of its own deprecations at every login
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Stop serving and forget all letters."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._run())
        except BaseException as error:
            self._failure = error
        finally:
            self._ready.set()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    async def _run(self) -> None:
        args = Namespace(host=self.host, port=0, debug=False, cert=None, key=None, tls=False, passlib_cfg=None,
                         proxy_protocol=None, demo_data=False, demo_user="", demo_password="")
        backend, config = await DictBackend.init(args, secure_auth=False, invalid_user_sleep=0.0, hash_context=Cleartext())
        config.apply_context()
        self._config = config
        for address, password in self._users.items():
            backend.login.users_dict[address] = UserMetadata(config, address, password=password)
            config.set_cache[address] = (MailboxSet(), FilterSet())
        served = IMAPServer(backend.login, config)

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await self._imap(served, reader, writer)

        imap = await asyncio.start_server(connected, self.host, 0)
        mail = await self._loop.create_server(self._smtp, self.host, 0)
        self.imap_port = int(imap.sockets[0].getsockname()[1])
        self.smtp_port = int(mail.sockets[0].getsockname()[1])
        self._ready.set()
        await self._stop.wait()
        imap.close()
        mail.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for writer in list(self._writers):
            writer.transport.abort()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _smtp(self) -> asyncio.Protocol:
        return _Door() if self.troubles.hang_up else smtp(self._receiver, self._loop)

    async def _imap(self, served: IMAPServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.troubles.hang_up:
            writer.close()
            return
        self._writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                await served(reader, _Mouth(writer, self.troubles), SocketInfoLocal(writer))  # type: ignore[arg-type]
        finally:
            self._writers.discard(writer)

    def _close_all(self) -> None:
        for writer in list(self._writers):
            writer.close()

    def _call(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(self._in_context(work), self._loop).result()

    async def _in_context(self, work: Coroutine[Any, Any, _T]) -> _T:
        """pymap takes its locks and events from a context variable, which this task must set first."""
        assert self._config is not None
        self._config.apply_context()
        return await work

    # Folders

    def _set(self, address: str) -> MailboxSet:
        assert self._config is not None
        return self._config.set_cache[address][0]

    async def _folder(self, address: str, folder: str) -> MailboxData:
        boxes = self._set(address)
        with contextlib.suppress(ValueError):
            if folder.upper() != "INBOX":
                await boxes.add_mailbox(folder)
        return await boxes.get_mailbox(folder)

    async def _append(self, address: str, raw: bytes) -> None:
        assert self._config is not None
        self._config.apply_context()
        await self._put(address, raw, self._clock.now(), False, "INBOX")

    async def _put(self, address: str, raw: bytes, received: datetime, seen: bool, folder: str) -> int:
        flags: frozenset[Flag] = frozenset({Seen}) if seen else frozenset()
        box = await self._folder(address, folder)
        message = await box.append(AppendMessage(raw, received.replace(microsecond=0), flags), recent=not seen)
        return int(message.uid)

    async def _list(self, address: str, folder: str) -> list[Kept]:
        kept = []
        async for message in (await self._folder(address, folder)).messages():
            loaded = await message.load_content(FetchRequirement.CONTENT)
            kept.append(Kept(message.uid, message.internal_date, bytes(loaded.get_body()), Seen in message.permanent_flags))
        return sorted(kept, key=lambda letter: letter.uid)

    async def _renumber(self, address: str, folder: str) -> int:
        boxes = self._set(address)
        kept = await self._list(address, folder)
        old = await boxes.get_mailbox(folder)
        fresh = MailboxData(boxes._content_cache, boxes._thread_cache)
        fresh._max_uid = 0
        fresh._uid_validity = old.uid_validity + 1
        if folder.upper() == "INBOX":
            boxes._inbox = fresh
        else:
            boxes._set[folder] = fresh
        for letter in kept:
            await self._put(address, letter.raw, letter.received, letter.seen, folder)
        # Open connections hold the old folder: as after a real restore they have to select it again.
        self._close_all()
        return int(fresh.uid_validity)

    async def _flag(self, address: str, seen: bool) -> None:
        box = await self._folder(address, "INBOX")
        async for message in box.messages():
            flags = set(message.permanent_flags)
            message.permanent_flags = frozenset(flags | {Seen}) if seen else frozenset(flags - {Seen})


class _Mouth:
    """The writing half of an IMAP connection, which can fall silent."""

    def __init__(self, writer: asyncio.StreamWriter, troubles: MailTroubles) -> None:
        self._writer = writer
        self._troubles = troubles

    def write(self, data: bytes) -> None:
        if not self._troubles.silent:
            self._writer.write(data)

    def writelines(self, data: list[bytes]) -> None:
        self.write(b"".join(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)


class _Door(asyncio.Protocol):
    """An SMTP server that hangs up at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


@contextlib.contextmanager
def serve_mailbox(clock: Clock, users: Mapping[str, str], *, authserv: str = AUTHSERV) -> Iterator[RunningMailbox]:
    """A mail server for these users (address: password) on free ports of 127.0.0.1 until the block is left.

    IMAP and SMTP take the address as the user's name, without TLS. Letters to users land in their INBOX at the clock's time.
    """
    mailbox = RunningMailbox(clock, users, authserv)
    mailbox.start()
    try:
        yield mailbox
    finally:
        mailbox.stop()
