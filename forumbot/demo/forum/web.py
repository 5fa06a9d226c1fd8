"""HTTP on loopback for the embedded engines: requests in, responses out, faults in between, and everything counted."""

from __future__ import annotations

import contextlib
import gzip
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from email.utils import format_datetime
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

from adapters.clock import Clock
from forumbot.demo.forum.trouble import Fault, Troubles


@dataclass(frozen=True, slots=True)
class Request:
    """What came in. ``form`` and ``query`` keep order and repeated names."""

    method: str
    path: str
    target: str
    """Path with query, as asked for."""
    query: tuple[tuple[str, str], ...]
    form: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    """Names in lower case."""
    cookies: Mapping[str, str]
    size: int
    token_expired: bool = False
    """A fault wants the form's token to count as stale."""

    def get(self, name: str, default: str = "") -> str:
        """The last value of this name in the query."""
        return next((value for key, value in reversed(self.query) if key == name), default)

    def number(self, name: str) -> int | None:
        """The query's value as a whole number; None when it is none or missing."""
        text = self.get(name)
        return int(text) if text.removeprefix("-").isdecimal() else None

    def field(self, name: str, default: str = "") -> str:
        """The last value of this name in the form."""
        return next((value for key, value in reversed(self.form) if key == name), default)

    def has(self, name: str) -> bool:
        return any(key == name for key, _ in self.form)

    @property
    def user_agent(self) -> str:
        return self.headers.get("user-agent", "")


def wants_xml(request: Request) -> bool:
    """A script asks; a person's browser, which says so by its Accept, gets pages."""
    return request.headers.get("x-requested-with") == "XMLHttpRequest" or "text/html" not in request.headers.get("accept", "")


@dataclass(slots=True)
class Response:
    """What goes out."""

    body: bytes
    status: int = 200
    content_type: str = "text/html; charset=UTF-8"
    headers: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Count:
    """Requests and bytes of one path."""

    requests: int = 0
    bytes_in: int = 0
    bytes_out: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as it went."""

    method: str
    target: str
    status: int
    """0 when the connection was dropped."""
    bytes_in: int
    bytes_out: int


class Site(Protocol):
    """An engine at work on a board."""

    charset: str
    gzip: bool

    @property
    def clock(self) -> Clock: ...

    def answer(self, request: Request) -> Response: ...

    def forget_session(self, request: Request) -> None: ...

    def challenge(self) -> Response: ...

    def maintenance(self) -> Response: ...


class ForumServer:
    """A running embedded forum. ``watchers`` hear of every request, ("before" | "after", request), in the server's thread."""

    def __init__(self, site: Site, troubles: Troubles, port: int = 0) -> None:
        self.site = site
        self.troubles = troubles
        self.watchers: list[Callable[[str, Request], None]] = []
        self.log: list[Exchange] = []
        self._counts: dict[str, Count] = {}
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = _QuietServer(("127.0.0.1", port), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The forum's address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def counts(self) -> dict[str, Count]:
        """By path (without query), a copy."""
        with self._lock:
            return {path: Count(count.requests, count.bytes_in, count.bytes_out) for path, count in self._counts.items()}

    @property
    def total(self) -> Count:
        """All requests and bytes together."""
        with self._lock:
            counts = list(self._counts.values())
        return Count(sum(c.requests for c in counts), sum(c.bytes_in for c in counts), sum(c.bytes_out for c in counts))

    def reset_counts(self) -> None:
        with self._lock:
            self._counts.clear()
            self.log.clear()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop serving and close what is open; the board stays as it is."""
        self._http.shutdown()
        self._http.close_connections()
        self._http.server_close()
        self._thread.join()

    def note(self, request: Request, status: int, bytes_out: int) -> None:
        with self._lock:
            count = self._counts.setdefault(request.path, Count())
            count.requests += 1
            count.bytes_in += request.size
            count.bytes_out += bytes_out
            self.log.append(Exchange(request.method, request.target, status, request.size, bytes_out))

    def watch(self, stage: str, request: Request) -> None:
        for watcher in self.watchers:
            watcher(stage, request)


class _QuietServer(ThreadingHTTPServer):
    """Threads that end with the server, and no traceback for a client that hangs up."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.open: set[_Handler] = set()
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], (ConnectionError, ValueError, OSError)):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def close_connections(self) -> None:
        for handler in list(self.open):
            with contextlib.suppress(OSError):
                handler.connection.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    """One connection. Answers go out in one write, so that no packet waits for an acknowledgement."""

    owner: ForumServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 60

    def setup(self) -> None:
        super().setup()
        if isinstance(self.server, _QuietServer):
            self.server.open.add(self)

    def finish(self) -> None:
        if isinstance(self.server, _QuietServer):
            self.server.open.discard(self)
        with contextlib.suppress(OSError):
            super().finish()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to the terminal: the server keeps its own log."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def _serve(self) -> None:
        owner, site = self.owner, self.owner.site
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        struck: dict[str, Fault] = {fault.kind: fault for fault in owner.troubles.strike(self.command, self.path)}
        request = self._request(body, "token_expired" in struck)
        owner.watch("before", request)
        if "session_lost" in struck:
            site.forget_session(request)
        if "slow" in struck:
            time.sleep(struck["slow"].seconds)
        response = self._troubled(site, request, struck) or site.answer(request)
        for usual, own in owner.troubles.reworded.items():
            response.body = response.body.replace(usual.encode(site.charset), own.encode(site.charset))
        if "half" in struck:
            response.body = response.body[: len(response.body) // 2]
        owner.watch("after", request)
        if "drop" in struck:
            owner.note(request, 0, 0)
            self.close_connection = True
            return
        data = self._wire(site, response, request)
        if "cut" in struck:
            data = data[: data.index(b"\r\n\r\n") + 4 + len(response.body) // 2]
            self.close_connection = True
        owner.note(request, response.status, len(data))
        with contextlib.suppress(ConnectionError):
            self.wfile.write(data)

    def _troubled(self, site: Site, request: Request, struck: Mapping[str, Fault]) -> Response | None:
        """The answer that a fault gives in the engine's place."""
        if "challenge" in struck:
            return site.challenge()
        if "maintenance" in struck:
            return site.maintenance()
        fault = struck.get("status")
        if fault is not None:
            if fault.stored:
                site.answer(request)
            name = HTTPStatus(fault.status).phrase
            page = (f"<html><head><title>{fault.status} {name}</title></head><body><center><h1>{fault.status} {name}</h1>"
                    "</center>"
                    "<hr><center>nginx</center></body></html>")
            headers = [] if fault.retry_after is None else [("Retry-After", str(fault.retry_after))]
            return Response(page.encode(), fault.status, "text/html", headers)
        if "drop" in struck and not struck["drop"].stored:
            return Response(b"")
        return None

    def _request(self, body: bytes, token_expired: bool) -> Request:
        charset = self.owner.site.charset
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        jar: SimpleCookie = SimpleCookie()
        with contextlib.suppress(CookieError):
            jar.load(headers.get("cookie", ""))
        return Request(
            self.command,
            parts.path or "/",
            self.path,
            tuple(parse_qsl(parts.query, keep_blank_values=True, encoding=charset, errors="replace")),
            _fields(body, headers.get("content-type", ""), charset),
            headers,
            {name: morsel.value for name, morsel in jar.items()},
            len(self.requestline) + sum(len(name) + len(value) + 4 for name, value in self.headers.items()) + len(body) + 4,
            token_expired,
        )

    def _wire(self, site: Site, response: Response, request: Request) -> bytes:
        """The answer's bytes; the head carries the forum's own clock."""
        status = response.status
        extra = list(response.headers)
        if site.gzip and "gzip" in request.headers.get("accept-encoding", "") and len(response.body) > 500:
            response.body = gzip.compress(response.body, 1)
            extra.append(("Content-Encoding", "gzip"))
        head = [
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
            "Server: nginx",
            f"Date: {format_datetime(site.clock.now(), usegmt=True)}",
            f"Content-Type: {response.content_type}",
            f"Content-Length: {len(response.body)}",
            *(f"{name}: {value}" for name, value in extra),
        ]
        body = b"" if request.method == "HEAD" else response.body
        return "\r\n".join(head).encode("latin-1", "replace") + b"\r\n\r\n" + body


def references_read(text: str) -> str:
    """Text with its character references read. A browser makes them of signs that the page's charset lacks."""
    return re.sub(r"&#(\d+);", lambda found: chr(int(found[1])) if 0 < int(found[1]) < 0x110000 else found[0], text)


def _fields(body: bytes, content_type: str, charset: str) -> tuple[tuple[str, str], ...]:
    fields = _form(body, content_type, charset)
    return fields if charset == "utf-8" else tuple((name, references_read(value)) for name, value in fields)


def _form(body: bytes, content_type: str, charset: str) -> tuple[tuple[str, str], ...]:
    """The fields of a sent form, both ways of sending it."""
    if content_type.startswith("multipart/form-data"):
        message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
        fields = []
        for part in message.iter_parts():
            name = part.get_param("name", header="content-disposition")
            data = part.get_payload(decode=True)
            fields.append((str(name), data.decode(charset, "replace") if isinstance(data, bytes) else ""))
        return tuple(fields)
    return tuple(parse_qsl(body.decode("latin-1"), keep_blank_values=True, encoding=charset, errors="replace"))


@contextlib.contextmanager
def running(site: Site, troubles: Troubles, port: int = 0) -> Iterator[ForumServer]:
    """Serve the site until the block is left."""
    server = ForumServer(site, troubles, port)
    server.start()
    try:
        yield server
    finally:
        server.stop()
