"""One paced, honest HTTP session per forum host: the only module that knows the HTTP library.

Only GETs are tried again, after pauses that grow and are never quite the same; a POST is sent once. Redirects are followed
for GETs only, so that the answer to a POST can be judged. What a page names is asked for only where the forum is: its own
scheme and host, or the same host by TLS.

A forum may be hostile or broken: an exchange has an end as a whole, a page a greatest size after it was unpacked, and it is
unpacked once.
"""

from __future__ import annotations

import logging
import random
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import httpx

from adapters.clock import Clock
from adapters.cookies import Jar
from adapters.errors import FormRefused, NotTaken, UnknownOutcome, Unreachable
from adapters.webpage import decode

Transport = httpx.BaseTransport
_log = logging.getLogger(__name__)
for _chatty in ("httpx", "httpcore"):  # they log whole addresses, and addresses of phpBB hold the session
    logging.getLogger(_chatty).setLevel(logging.WARNING)

_CONNECT, _READ, _WHOLE = 10.0, 40.0, 120.0
"""Seconds of this clock: for a line, for the next piece of an answer, for an exchange as a whole."""
_LEAST_WHOLE = 10.0
"""Seconds of the wall that an exchange may take at the least: a rehearsal's clock is much faster."""
_TRIES = 3
_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 300.0
_LONGEST_SILENCE = 30.0
"""Seconds of waiting without a sign of life."""
_COME_BACK = frozenset((429, 502, 503, 504))
_CYRILLIC = re.compile(rb"charset\s*=\s*[\"']?(?:windows-|win-?|cp-?)1251", re.I)
_ONE_DATE = re.compile(r"(?:[A-Za-z]{3,9},\s*)?[\w -]+(?:\d\d:){2}\d\d[\w ()+-]*")
_LARGEST = 20_000_000
_PIECE = 65_536
_REDIRECTS = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the page as text, where it was found, and what the head told."""

    status: int
    url: str
    text: str
    location: str = ""
    """Where a POST's answer points to, absolute."""
    date: datetime | None = None
    """The server's clock."""
    charset: str = "utf-8"
    """What forms of this page are encoded in."""


class Session:
    """Requests to one forum. Counts them and the bytes that came (``requests``, ``received``)."""

    def __init__(
        self,
        base: str,
        clock: Clock,
        *,
        user_agent: str,
        min_interval: float,
        state_file: str | None = None,
        transport: Transport | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """``chance`` gives numbers from 0 to 1: pauses before another try differ, so that many bots do not come back at once."""
        self.base = base if base.endswith("/") else base + "/"
        self.requests = self.received = 0
        self.alive: Callable[[], None] = lambda: None
        """Called at every step of the way, so that nothing here lasts a minute without it."""
        self._clock = clock
        self._chance = chance
        self._interval = min_interval
        self._not_before: datetime | None = None
        self._asked = 0.0
        self._line: Any = None
        """The network stream of the last connection."""
        self._client = httpx.Client(
            transport=transport,
            headers={
                "User-Agent": user_agent,
                "Accept": "text/html,application/xhtml+xml",
                "Accept-Language": "ru,en;q=0.5",
                "Accept-Encoding": "gzip, deflate",
            },
            follow_redirects=False,
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )
        self._jar = Jar(self._client.cookies.jar, Path(state_file) if state_file else None)
        self._jar.load()

    def get(self, address: str, *, referer: str | None = None) -> Answer:
        """Fetch a page, following redirects within the forum. Raises Unreachable after a few tries, and for an address that
        is not the forum's."""
        url = self._absolute(address)
        if not self._is_home(url):
            raise Unreachable(f"страница ведёт на чужой адрес ({urlsplit(url).hostname})")
        for _ in range(_REDIRECTS):
            answer = self._get_once(url, referer)
            if answer.status not in (301, 302, 303, 307, 308) or not answer.location:
                return answer
            if not self._is_home(answer.location):
                return answer
            url, referer = answer.location, url
        raise Unreachable(f"сервер пересылает по кругу: {urlsplit(url).path}")

    def post(
        self,
        address: str,
        fields: Sequence[tuple[str, str]],
        *,
        referer: str,
        charset: str = "utf-8",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a form, once. Raises Unreachable when nothing was sent, UnknownOutcome when it may have been stored, FormRefused
        for a form that leads away from the forum."""
        if not self._is_home(self._absolute(address)):
            raise FormRefused(f"форма ведёт на чужой адрес ({urlsplit(address).hostname}): ничего не отправлено")
        body = urlencode(list(fields), encoding=charset, errors="xmlcharrefreplace").encode("ascii")
        head = {
            "Content-Type": "application/x-www-form-urlencoded" + ("" if charset == "utf-8" else f"; charset={charset}"),
            "Referer": self._absolute(referer),
            **(headers or {}),
        }
        self._pace()
        try:
            response = self._send("POST", self._absolute(address), head, body)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol) as error:
            raise Unreachable(_name(error)) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise UnknownOutcome(_name(error)) from error
        if response.status in _COME_BACK:
            raise NotTaken(f"сервер ответил {response.status}")
        if response.status >= 500 or response.status == 408:
            raise UnknownOutcome(f"сервер ответил {response.status}")
        return response

    def cookie(self, ending: str) -> str | None:
        """The value of the newest cookie whose name ends so."""
        found = [one.value for one in self._client.cookies.jar if one.name.endswith(ending)]
        return found[-1] if found else None

    def cookies(self) -> tuple[str, ...]:
        """The values of all cookies: what must never be shown."""
        return tuple(one.value for one in self._client.cookies.jar if one.value)

    def forget(self) -> None:
        """Drop all cookies."""
        self._client.cookies.clear()
        self._jar.save()

    def close(self) -> None:
        self._client.close()

    def _get_once(self, url: str, referer: str | None) -> Answer:
        pause = _FIRST_PAUSE
        trouble = ""
        for attempt in range(_TRIES):
            if attempt:
                self._rest(pause * (1 + self._chance() / 2))
                pause *= 3
            self._pace()
            try:
                answer = self._send("GET", url, {"Referer": referer} if referer else {}, None)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                trouble = _name(error)
                continue
            if answer.status not in _COME_BACK:
                return answer
            trouble = f"сервер ответил {answer.status}"
            if answer.status != 429 and attempt == _TRIES - 1 and "<" in answer.text:
                return answer  # an error page has its own words; the reader of pages names them
        raise Unreachable(trouble)

    def _send(self, method: str, url: str, head: Mapping[str, str], body: bytes | None) -> Answer:
        wall: Callable[[float], float] = self._clock.wall_seconds
        timeout = httpx.Timeout(connect=max(wall(_CONNECT), 2), read=max(wall(_READ), 5), write=max(wall(_READ), 5), pool=5)
        self.requests += 1
        self.alive()
        with (
            self._ended_after(max(wall(_WHOLE), _LEAST_WHOLE)),
            self._client.stream(
                method, url, headers=dict(head), content=body, timeout=timeout, extensions={"trace": self._note_line}
            ) as response,
        ):
            packed = response.headers.get("Content-Encoding", "").lower().replace("identity", "")
            if len(packed.replace(",", " ").split()) > 1:
                raise httpx.ReadError("the page is packed more than once")
            parts: list[bytes] = []
            size = 0
            for part in response.iter_bytes(_PIECE):
                size += len(part)
                self.alive()
                if size > _LARGEST:
                    raise httpx.ReadError("the page is too large")
                parts.append(part)
        self.received += size
        self._jar.save()
        self._not_before_after(response)
        _log.debug("%s %s -> %s, %d bytes", method, urlsplit(url).path, response.status_code, size)
        location = response.headers.get("Location", "")
        body_in = b"".join(parts)
        return Answer(
            response.status_code,
            url,
            decode(body_in, response.headers.get("Content-Type", "")),
            urljoin(url, location) if location else "",
            _date(response.headers.get("Date", "")),
            _form_charset(body_in, response.headers.get("Content-Type", "")),
        )

    def _note_line(self, event: str, info: Mapping[str, Any]) -> None:
        """Called by the library at each step of an exchange: which stream a new connection has."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._line = info.get("return_value")

    @contextmanager
    def _ended_after(self, seconds: float) -> Iterator[None]:
        """Hang up when the exchange is not over by then: an answer of which a byte comes now and then never times out."""
        hung_up = threading.Event()
        ended = threading.Timer(seconds, self._hang_up, (hung_up,))
        ended.daemon = True
        ended.start()
        try:
            yield
        finally:
            ended.cancel()
        if hung_up.is_set():  # an answer that tells no length just seems to be over
            raise httpx.ReadTimeout("the exchange has no end")

    def _hang_up(self, told: threading.Event) -> None:
        told.set()
        line = self._line.get_extra_info("socket") if self._line is not None else None
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _is_home(self, url: str) -> bool:
        """Whether an address is the forum's: its scheme, host and port, or the same host by TLS where it has none."""
        there, home = urlsplit(url), urlsplit(self.base)
        try:
            if (there.scheme, there.hostname, there.port) == (home.scheme, home.hostname, home.port):
                return True
            ports = there.port in (None, 443) and home.port in (None, 80)
        except ValueError:
            return False
        return home.scheme == "http" and there.scheme == "https" and there.hostname == home.hostname and ports

    def _pace(self) -> None:
        """Wait until the host may be asked again."""
        if self._not_before is not None and (left := (self._not_before - self._clock.now()).total_seconds()) > 0:
            self._rest(min(left, self._asked, _LONGEST_PAUSE))  # more than was asked for: the clock was put back

    def _rest(self, seconds: float) -> None:
        """Wait, with a sign of life now and then."""
        while seconds > 0:
            self.alive()
            self._clock.sleep(min(seconds, _LONGEST_SILENCE))
            seconds -= _LONGEST_SILENCE

    def _not_before_after(self, response: httpx.Response) -> None:
        wait = self._interval
        told = response.headers.get("Retry-After", "").strip()
        if told.isdigit():
            wait = max(wait, float(told))
        elif told and (until := _date(told)) is not None:
            wait = max(wait, (until - (_date(response.headers.get("Date", "")) or self._clock.now())).total_seconds())
        self._asked = wait
        self._not_before = datetime.fromtimestamp(self._clock.now().timestamp() + wait, UTC)

    def _absolute(self, address: str) -> str:
        return urljoin(self.base, address)


def _form_charset(body: bytes, content_type: str) -> str:
    """Forums are in UTF-8 or windows-1251; the header tells, else the page."""
    head = content_type.encode("latin-1", "replace")
    return "cp1251" if _CYRILLIC.search(head if b"charset" in head.lower() else body[:4096]) else "utf-8"


def _date(text: str) -> datetime | None:
    """A moment of a head, aware; None where it is none, or more than one (a field that came twice is joined by a comma)."""
    try:
        found = parsedate_to_datetime(text) if _ONE_DATE.fullmatch(text.strip()) else None
    except (ValueError, TypeError, OverflowError):
        return None
    return found if found is None or found.tzinfo is not None else found.replace(tzinfo=UTC)


def _name(error: Exception) -> str:
    """What went wrong, without addresses or bodies that might hold a secret."""
    return type(error).__name__
