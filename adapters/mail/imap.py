"""The mailbox over IMAP: letters by UID, nothing marked, one connection that is opened again when the line is dead."""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import imapclient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from adapters.clock import Clock
from adapters.errors import MailLoginFailed, NotSecure, Unreachable
from adapters.mail import tls
from adapters.mail.slimming import slim
from adapters.mailbox import MailPlace, MailSettings
from adapters.model import Envelope

_CONNECT_SECONDS = 20.0
_READ_SECONDS = 40.0
"""Time-outs of the socket, in seconds of the wall: a silent server must never hold the poll."""
_SLICE = 25
"""How many letters are asked for at once."""
_MOST, _MOST_BYTES = 200, 20_000_000
"""How many letters, and how much of them, are given at once; a slice more may come."""
_RECENT_DAYS = 14
"""How far back letters are read in a mailbox that is new to us or was renumbered."""
_TRUSTED = timedelta(minutes=10)
"""So long the folder's numbers may stand in for a search: nobody knows every server, and no letter shall wait for ever."""
_IDLE_STEP = 1.0
"""Seconds of the wall between two questions whether to stop listening."""
_DEFAULT_PORTS = {"tls": 993, "starttls": 143, "none": 143}

_BREAKS = 2
"""So often a line may break at a letter before the letter is passed over; the line itself works."""

T = TypeVar("T")


class ImapMailbox:
    """``adapters.mailbox.Mailbox`` over IMAP. The folder is opened read-only, so that no flag can change."""

    def __init__(
        self,
        settings: MailSettings,
        clock: Clock,
        *,
        connect_seconds: float = _CONNECT_SECONDS,
        read_seconds: float = _READ_SECONDS,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._timeout = imapclient.SocketTimeout(connect=connect_seconds, read=read_seconds)
        self._client: Any = None
        self._opened: Mapping[bytes, Any] = {}
        """What the server told of the folder when it was last opened."""
        self._searched: tuple[datetime, int] | None = None
        """When letters were last searched for on this line, and how many the folder held then."""
        self._breaks: dict[tuple[int, str], int] = {}
        """How often the line broke while this was asked of a letter."""
        self._held: int | None = None
        """How many letters the folder held when it was last listened to."""

    def fetch(self, since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        """Letters after the place, by UID. Of a mailbox that is new to us (or numbered anew) those of the last days."""
        return self._retrying(lambda: self._fetch(since))

    def count(self) -> int:
        """How many letters lie in the folder. Raises as ``fetch``."""
        self._retrying(self._ready)
        return int(self._opened[b"EXISTS"])

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """IDLE as a hint. A line that has died meanwhile is opened again once, as for reading."""
        wall = self._clock.wall_seconds(seconds)
        heard = self._retrying(lambda: self._wait(wall, stop))
        if heard is None:
            raise Unreachable("the server knows no IDLE")
        return heard

    def close(self) -> None:
        """Log out if the line is still alive."""
        if self._client is not None:
            with contextlib.suppress(Exception):  # the line may be dead; there is nothing left to lose
                self._client.logout()
        self._drop()

    def _wait(self, wall: float, stop: Callable[[], bool]) -> bool | None:
        """None where the server knows no IDLE: the line is as good as before."""
        client = self._ready()
        before, self._held = self._held, int(self._opened[b"EXISTS"])
        if before is not None and self._held > before:
            return True
        if not client.has_capability("IDLE"):
            return None
        client.idle()
        _listen(client.socket(), wall, stop)
        _, said = client.idle_done()
        return self._tell_of_news(said)

    def _tell_of_news(self, answers: Sequence[object]) -> bool:
        """Whether the folder has grown, by what the server says unasked."""
        news = False
        for answer in answers:
            if not isinstance(answer, tuple) or len(answer) < 2 or not isinstance(answer[0], int):
                continue
            if answer[1] == b"EXISTS":
                news = news or answer[0] > (self._held or 0)
                self._held = answer[0]
            elif answer[1] == b"EXPUNGE" and self._held:
                self._held -= 1
        return news

    def _retrying(self, work: Callable[[], T]) -> T:
        """Do it; on a dead line once more on a new one."""
        fresh = self._client is None
        try:
            return work()
        except (MailLoginFailed, Unreachable):
            self._drop()
            raise
        except Exception as trouble:  # the library raises errors of many kinds on BYE, EOF, silence and garbage
            self._drop()
            if fresh:
                raise Unreachable(_words(trouble)) from trouble
        try:
            return work()
        except (MailLoginFailed, Unreachable):
            self._drop()
            raise
        except Exception as trouble:  # see above
            self._drop()
            raise Unreachable(_words(trouble)) from trouble

    def _open_line(self) -> Any:
        """The present line, or a new one where a letter that could not be read has cost it."""
        return self._client if self._client is not None else self._ready()

    def _ready(self) -> Any:
        """A client with the folder open, told of anew in ``_opened``."""
        if self._client is None:
            self._client = self._open()
        self._opened = self._client.select_folder(self._settings.folder, readonly=True)
        return self._client

    def _open(self) -> Any:
        settings = self._settings
        security = settings.imap_security
        port = settings.imap_port or _DEFAULT_PORTS[security]
        context = tls.context() if security != "none" else None
        client = None
        try:
            client = imapclient.IMAPClient(
                settings.imap_host, port=port, use_uid=True, ssl=security == "tls", ssl_context=context, timeout=self._timeout
            )
            if security == "starttls":
                if not client.has_capability("STARTTLS"):
                    raise NotSecure("no_starttls")
                client.starttls(context)
        except Exception as trouble:  # sockets, TLS and greetings fail in many ways
            if client is not None:
                _hang_up(client)
            if isinstance(trouble, NotSecure):
                raise
            raise tls.trouble(trouble, _words(trouble)) from trouble
        try:
            client.login(settings.user, settings.password)
        except LoginError as refused:
            _hang_up(client)
            if _is_temporary(str(refused)):
                raise Unreachable("the mail server refuses log-ins at present") from refused
            raise MailLoginFailed("the mail server refused name or password") from refused
        except UnicodeEncodeError as foreign:
            _hang_up(client)
            raise MailLoginFailed("mail takes no such letters in name or password") from foreign
        except Exception as trouble:  # see above
            _hang_up(client)
            raise Unreachable(_words(trouble)) from trouble
        client.normalise_times = False
        # The library sends some commands in pieces; without this each of them waits 40 ms for the other side's acknowledgement.
        client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def _fetch(self, since: MailPlace) -> tuple[tuple[Envelope, ...], MailPlace]:
        client = self._ready()
        uidvalidity = int(self._opened[b"UIDVALIDITY"])
        if self._is_quiet(since, uidvalidity):
            return (), since
        self._searched = (self._clock.now(), int(self._opened.get(b"EXISTS", 0)))
        if since.uidvalidity == uidvalidity:
            end = since.last_uid
            # "n:*" always names the last letter too, also when its UID is below n
            uids = sorted(uid for uid in client.search(["UID", f"{end + 1}:*"]) if uid > end)
        else:
            # The end is asked for first: what comes in between must lie past it.
            end = max(client.search(["UID", "*"]), default=0)
            uids = sorted(client.search(["SINCE", (self._clock.now() - timedelta(days=_RECENT_DAYS)).date()]))
        found: list[Envelope] = []
        for some in _slices(uids):
            found += self._slice(uidvalidity, some)
            if some[-1] != uids[-1] and (len(found) >= _MOST or sum(len(one.raw or b"") for one in found) >= _MOST_BYTES):
                return tuple(found), MailPlace(uidvalidity, some[-1])
        return tuple(found), MailPlace(uidvalidity, max([end, *uids]))

    def _is_quiet(self, since: MailPlace, uidvalidity: int) -> bool:
        """Whether the opened folder itself tells that nothing lies past the place, so that no search is needed.

        Only a line that has searched not long ago is believed, and only while the number of letters is the same: a server may
        tell stale numbers of a folder that is opened again.
        """
        following = int(self._opened.get(b"UIDNEXT", 0))
        if self._searched is None or since.uidvalidity != uidvalidity or not 0 < following <= since.last_uid + 1:
            return False
        at, held = self._searched
        return timedelta() <= self._clock.now() - at < _TRUSTED and held == int(self._opened.get(b"EXISTS", -1))

    def _slice(self, uidvalidity: int, uids: list[int]) -> list[Envelope]:
        told = self._each(uids, ["RFC822.SIZE", "INTERNALDATE"])
        for uid in uids:
            if uid not in told:  # gone meanwhile, or its size is what the server cannot tell
                told |= self._each([uid], ["INTERNALDATE"])
        known = [uid for uid in uids if uid in told]
        sizes = {uid: _number(told[uid].get(b"RFC822.SIZE")) for uid in known}
        small = [uid for uid in known if 0 < (sizes[uid] or 0) <= self._settings.max_bytes]
        bodies = {uid: body for uid, answer in self._each(small, ["BODY.PEEK[]"]).items() if (body := _body(answer)) is not None}
        found = []  # a letter that cannot be had in the form the library reads is told of without its bytes
        for uid in known:
            received = _aware(told[uid].get(b"INTERNALDATE"), self._clock.now())
            raw, cut, head = bodies.get(uid), False, None
            if raw is None:
                raw, cut = self._slim(uid) if uid not in small else (None, False)
                head = _body(self._each([uid], ["BODY.PEEK[HEADER]"]).get(uid, {})) if raw is None else None
            place = self._settings.folder, uidvalidity, uid
            found.append(Envelope(*place, received, sizes[uid] or 0, raw, head, cut=cut, refused=raw is None and uid in small))
        return found

    def _slim(self, uid: int) -> tuple[bytes | None, bool]:
        """A letter that is too large, or whose size the server cannot tell, without what is no text."""
        structure = self._each([uid], ["BODYSTRUCTURE"]).get(uid, {}).get(b"BODYSTRUCTURE")
        if structure is None:
            return None, False

        def section(name: str) -> bytes:
            body = _body(self._each([uid], [f"BODY.PEEK[{name}]"]).get(uid, {}))
            if body is None:
                raise LookupError(name)
            return body

        try:
            return slim(structure, section, self._settings.max_bytes)
        except (LookupError, TypeError, ValueError, RecursionError):
            return None, False

    def _each(self, uids: list[int], what: list[str]) -> dict[int, Mapping[bytes, object]]:
        """What the server tells of these letters, unmarked (PEEK). One that it refuses, or whose answer never comes or cannot
        be read, is left out and hinders no other."""
        if not uids:
            return {}
        try:
            return self._ask(uids, what)
        except (OSError, IMAPClientAbortError):
            if any(self._breaks.get((uid, what[0]), 0) < _BREAKS for uid in uids):
                raise
            if len(uids) == 1:
                self._open_line().noop()
        except Exception:  # the library raises errors of many kinds on refusals and on what it cannot read
            self._drop()
        found: dict[int, Mapping[bytes, object]] = {}
        for uid in uids if len(uids) > 1 else ():
            try:
                found |= self._ask([uid], what)
            except (OSError, IMAPClientAbortError):
                if self._breaks.get((uid, what[0]), 0) < _BREAKS:
                    raise
                self._open_line().noop()  # raises what it is where the line is in trouble, and not the letter
            except Exception:  # see above; this is the letter
                self._drop()
        return found

    def _ask(self, uids: list[int], what: list[str]) -> dict[int, Mapping[bytes, object]]:
        """One FETCH. A line that breaks at it may break because of a letter: that is counted, and the line given up."""
        try:
            answer = self._open_line().fetch(uids, what)
        except (OSError, IMAPClientAbortError):
            self._breaks.update({(uid, what[0]): self._breaks.get((uid, what[0]), 0) + 1 for uid in uids})
            self._drop()
            raise
        for uid in uids:
            self._breaks.pop((uid, what[0]), None)
        return {uid: answer[uid] for uid in uids if uid in answer}  # the server may tell of others unasked

    def _drop(self) -> None:
        if self._client is not None:
            _hang_up(self._client)
        self._client = None
        self._searched = None


def connect(settings: MailSettings, clock: Clock) -> ImapMailbox:
    """The mailbox of these settings. No line is opened before the first call needs it."""
    return ImapMailbox(settings, clock)


def _slices(uids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(uids), _SLICE):
        yield uids[start : start + _SLICE]


def _listen(line: socket.socket, wall: float, stop: Callable[[], bool]) -> None:
    """Wait until there is something to read. Nothing is read here: the library's own look between (``idle_check``) dies of
    half a line, and takes a line that was closed for a silent one; leaving IDLE reads whole lines and finds out."""
    until = time.monotonic() + wall
    with selectors.DefaultSelector() as selector:
        selector.register(line, selectors.EVENT_READ)
        while not stop() and (left := until - time.monotonic()) > 0 and not selector.select(min(left, _IDLE_STEP)):
            pass


def _aware(told: object, now: datetime) -> datetime:
    """INTERNALDATE in UTC; a server that does not tell it gives the time of fetching."""
    if not isinstance(told, datetime):
        return now
    return told.astimezone(UTC) if told.tzinfo is not None else told.replace(tzinfo=UTC)


def _body(answer: Mapping[bytes, object]) -> bytes | None:
    """The one section that was asked for."""
    return next((value for name, value in answer.items() if name.startswith(b"BODY[") and isinstance(value, bytes)), None)


def _number(told: object) -> int | None:
    """A size as servers tell it; None where it is no number."""
    try:
        return int(told)  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return None


def _hang_up(client: Any) -> None:
    with contextlib.suppress(Exception):  # a dead socket may raise anything while it is being closed
        client.shutdown()


def _is_temporary(words: str) -> bool:
    return any(mark in words.upper() for mark in ("UNAVAILABLE", "TRY AGAIN", "LIMIT", "TOO MANY", "INUSE", "CONTACTADMIN"))


def _words(trouble: BaseException) -> str:
    """The other side's words, shortened. IMAP errors name commands, never the password (log-in errors are not passed on)."""
    return (
        f"{type(trouble).__name__}: {trouble}"[:200]
        if isinstance(trouble, (OSError, IMAPClientError))
        else type(trouble).__name__
    )
