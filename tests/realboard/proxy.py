"""A proxy between the daemon and a real board, which makes the troubles that a board itself cannot be asked for."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal
from urllib.parse import urlparse

import httpx

_HOP = {"connection", "keep-alive", "transfer-encoding", "content-encoding", "content-length", "proxy-connection"}


Kind = Literal["503", "late", "lost", "cut", "out"]
Method = Literal["GET", "POST"]


@dataclass
class Fault:
    """``times`` requests of a method go wrong, ``after`` so many that go well: answered 503 by the proxy alone, answered 502
    (``late``) or not at all (``lost``) after the board did its work, ``cut`` in the middle of the page, or passed on without
    cookies (``out``), which the board answers by those of a guest."""

    kind: Kind
    method: Method
    times: int
    after: int = 0


@dataclass
class Proxy:
    """A running proxy. ``url`` is the board's for the daemon; ``counts`` the requests by method, ``shown`` the faults given."""

    board: str
    url: str = ""
    faults: list[Fault] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def due(self, method: str) -> str | None:
        """The fault for this request, if any."""
        with self.lock:
            self.counts[method] += 1
            found = next((one for one in self.faults if one.method == method), None)
            if found is None:
                return None
            if found.after > 0:
                found.after -= 1
                return None
            found.times -= 1
            if found.times <= 0:
                self.faults.remove(found)
            self.shown[f"{found.kind} {method}"] += 1
            return found.kind


@contextlib.contextmanager
def between(board: str) -> Iterator[Proxy]:
    """Serve on a free port of 127.0.0.1 what the board answers, until the block is left."""
    proxy = Proxy(board.rstrip("/"))
    theirs = urlparse(proxy.board).netloc
    client = httpx.Client(timeout=120.0, follow_redirects=False)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._pass("GET")

        def do_POST(self) -> None:
            self._pass("POST")

        def _pass(self, method: str) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            fault = proxy.due(method)
            if fault == "503":
                self._error(503)
                return
            headers = {
                name: value for name, value in self.headers.items() if name.lower() not in {*_HOP, "host", "accept-encoding"}
            }
            if fault == "out":
                headers = {name: value for name, value in headers.items() if name.lower() != "cookie"}
            headers |= {name: value.replace(ours, theirs) for name, value in headers.items() if name in ("Referer", "Origin")}
            answer = client.request(method, proxy.board + self.path, content=body, headers=headers)
            if fault == "lost":
                self.close_connection = True
                return
            if fault == "late":
                self._error(502)
                return
            told = [(n, v.replace(theirs, ours)) for n, v in answer.headers.multi_items() if n.lower() not in _HOP]
            page = answer.content.replace(theirs.encode(), ours.encode())
            self._give(answer.status_code, told, page[: len(page) // 2] if fault == "cut" else page)

        def _error(self, status: int) -> None:
            self._give(status, [("Content-Type", "text/html")], f"<html><body><h1>{status}</h1></body></html>".encode())

        def _give(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            self.send_response_only(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    ours = f"127.0.0.1:{server.server_port}"
    proxy.url = f"http://{ours}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        client.close()
