"""One paced, honest HTTP session per forum host: the only module that knows the HTTP library.

Only GETs are tried again, after pauses that grow and are never quite the same; a POST is sent once. Redirects are followed
for GETs only, so that the answer to a POST can be judged. Cookies are kept in a file (mode 0600), written aside and moved
into place when an answer has changed them.
"""

from __future__ import annotations

import json
import logging
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import httpx

from adapters.clock import Clock
from adapters.errors import UnknownOutcome, Unreachable
from adapters.webpage import decode

Transport = httpx.BaseTransport
_log = logging.getLogger(__name__)
for _chatty in ("httpx", "httpcore"):  # they log whole addresses, and addresses of phpBB hold the session
    logging.getLogger(_chatty).setLevel(logging.WARNING)

_CONNECT, _READ = 10.0, 40.0  # seconds of this clock
_TRIES = 3
_FIRST_PAUSE = 5.0
_LONGEST_PAUSE = 300.0
_COME_BACK = frozenset((429, 502, 503, 504))
_CYRILLIC = re.compile(rb"charset\s*=\s*[\"']?(?:windows-|win-?|cp-?)1251", re.I)
_LARGEST = 20_000_000
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
        self._clock = clock
        self._chance = chance
        self._interval = min_interval
        self._not_before: datetime | None = None
        self._asked = 0.0
        self._file = Path(state_file) if state_file else None
        self._kept = ""
        """What the file holds since our last writing."""
        self._client = httpx.Client(
            transport=transport,
            headers={"User-Agent": user_agent, "Accept": "text/html,application/xhtml+xml", "Accept-Language": "ru,en;q=0.5"},
            follow_redirects=False,
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
        )
        self._load()

    def get(self, address: str, *, referer: str | None = None) -> Answer:
        """Fetch a page, following redirects within the host. Raises Unreachable after a few tries."""
        url = self._absolute(address)
        for _ in range(_REDIRECTS):
            answer = self._get_once(url, referer)
            if answer.status not in (301, 302, 303, 307, 308) or not answer.location:
                return answer
            if urlsplit(answer.location).hostname != urlsplit(self.base).hostname:
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
        """Send a form, once. Raises Unreachable when nothing was sent, UnknownOutcome when it may have been stored."""
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
        self._save()

    def close(self) -> None:
        self._client.close()

    def _get_once(self, url: str, referer: str | None) -> Answer:
        pause = _FIRST_PAUSE
        trouble = ""
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(pause * (1 + self._chance() / 2))
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
        with self._client.stream(method, url, headers=dict(head), content=body, timeout=timeout) as response:
            parts: list[bytes] = []
            size = 0
            for part in response.iter_bytes():
                size += len(part)
                if size > _LARGEST:
                    raise httpx.ReadError("the page is too large")
                parts.append(part)
        self.received += size
        self._save()
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

    def _pace(self) -> None:
        """Wait until the host may be asked again."""
        if self._not_before is not None and (left := (self._not_before - self._clock.now()).total_seconds()) > 0:
            self._clock.sleep(min(left, self._asked, _LONGEST_PAUSE))  # more than was asked for: the clock was put back

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

    def _load(self) -> None:
        if self._file is None or not self._file.exists():
            return
        with suppress(ValueError, KeyError, TypeError, OSError):  # a broken file costs one login
            for one in json.loads(self._file.read_text(encoding="utf-8")):
                self._client.cookies.set(one["name"], one["value"], domain=one["domain"], path=one["path"])

    def _save(self) -> None:
        """Keep the cookies. Where the disk is full they stay in memory: that costs a login after the next start, no more."""
        if self._file is None:
            return
        try:
            self._write(self._file)
        except OSError as error:
            _log.warning("cookies not kept: %s", error.strerror)

    def _write(self, file: Path) -> None:
        jar = self._client.cookies.jar
        kept = json.dumps([{"name": c.name, "value": c.value, "domain": c.domain, "path": c.path} for c in jar])
        if kept == self._kept:
            return
        aside = file.with_name(f"{file.name}.{os.getpid()}.new")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            out.write(kept)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
        self._kept = kept


def _form_charset(body: bytes, content_type: str) -> str:
    """Forums are in UTF-8 or windows-1251; the header tells, else the page."""
    head = content_type.encode("latin-1", "replace")
    return "cp1251" if _CYRILLIC.search(head if b"charset" in head.lower() else body[:4096]) else "utf-8"


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError):
        return None


def _name(error: Exception) -> str:
    """What went wrong, without addresses or bodies that might hold a secret."""
    return type(error).__name__
