"""X10: a forum that is hostile or broken: answers without end, bombs, addresses that lead away, cookies that must not leak."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from adapters.clock import ManualClock
from adapters.errors import FormRefused, NotTaken, UnknownOutcome, Unreachable
from adapters.http import Session

START = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
BOMB = gzip.compress(b"\0" * 30_000_000)


def session_of(
    handler: Callable[[httpx.Request], httpx.Response], base: str = "https://club.example/", jar: Path | None = None
) -> Session:
    transport, kept = httpx.MockTransport(handler), str(jar) if jar else None
    return Session(base, ManualClock(START), user_agent="forumbot/1", min_interval=0, state_file=kept, transport=transport)


@pytest.fixture
def dripping(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server that sends the beginning it is given, then a byte now and then for ever."""
    beginning, piece = request.param
    stopped = threading.Event()

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                line, _ = listening.accept()
                threading.Thread(target=drip, args=(line,), daemon=True).start()

    def drip(line: socket.socket) -> None:
        with suppress(OSError), closing(line):
            line.recv(65536)
            line.sendall(beginning)
            while not stopped.wait(0.02):
                line.sendall(piece)

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        stopped.set()


DRIPS = [(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b".")]


@pytest.mark.parametrize("dripping", DRIPS, indirect=True, ids=["head", "body"])
def test_x10_an_answer_of_a_byte_now_and_then_has_an_end(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.http._WHOLE", 0.2)
    monkeypatch.setattr("adapters.http._LEAST_WHOLE", 0.2)
    session = Session(dripping, ManualClock(START), user_agent="forumbot/1", min_interval=0)
    began = time.monotonic()
    with pytest.raises(Unreachable):
        session.get("x")
    with pytest.raises(UnknownOutcome):
        session.post("x", [("a", "b")], referer="x")
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("packed", ["gzip, gzip", "gzip,deflate", "deflate, identity, gzip"])
def test_x10_a_page_that_is_packed_more_than_once_is_not_unpacked(packed: str) -> None:
    session = session_of(lambda request: httpx.Response(200, headers={"Content-Encoding": packed}, content=gzip.compress(BOMB)))
    with pytest.raises(Unreachable):
        session.get("x")
    assert session.received == 0


def test_x10_the_greatest_size_counts_what_came_out() -> None:
    session = session_of(lambda request: httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=BOMB))
    with pytest.raises(Unreachable):
        session.get("x")


@pytest.mark.parametrize(
    "there",
    [
        "http://club.example/",
        "https://evil.example/",
        "https://club.example:8443/",
        "//evil.example/",
        "https://club.example.evil.example/",
        "https://club.example@evil.example/",
        "ftp://club.example/",
        "file:///etc/passwd",
    ],
)
def test_x10_nothing_goes_to_another_scheme_or_host(there: str) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(302, headers={"Location": there})

    session = session_of(answer)
    assert session.get("x").status == 302
    with pytest.raises(FormRefused):
        session.post(there, [("password", "тайна")], referer="x")
    with pytest.raises(Unreachable):
        session.get(there)
    assert asked == ["https://club.example/x"]


def test_x10_a_forum_that_has_moved_to_tls_is_followed_there() -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200) if request.url.scheme == "https" else httpx.Response(301, headers={"Location": "https://club.example/x"})

    assert session_of(answer, "http://club.example/").get("x").status == 200
    assert asked == ["http://club.example/x", "https://club.example/x"]


def test_x10_cookies_come_back_whole(tmp_path: Path) -> None:
    """What was set for TLS alone, for one path or for an hour is so after the next start, too."""
    sent: list[str | None] = []
    kept = "key=secret; Secure; HttpOnly; Path=/forum; Max-Age=3600"

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("Cookie"))
        return httpx.Response(200, headers={"Set-Cookie": kept} if len(sent) == 1 else {})

    jar = tmp_path / "jar.json"
    session_of(answer, jar=jar).get("forum/x")
    (cookie,) = json.loads(jar.read_text(encoding="utf-8"))
    assert (cookie["secure"], cookie["path"], cookie["rest"]) == (True, "/forum", {"HttpOnly": ""})
    assert cookie["expires"] > time.time()
    session_of(answer, "http://club.example/", jar).get("forum/x")
    session_of(answer, jar=jar).get("other/x")
    session_of(answer, jar=jar).get("forum/x")
    assert sent == [None, None, None, "key=secret"]


def test_x10_cookies_of_an_older_file_are_read(tmp_path: Path) -> None:
    sent: list[str | None] = []
    jar = tmp_path / "jar.json"
    jar.write_text('[{"name": "k", "value": "1", "domain": "club.example", "path": "/"}]', encoding="utf-8")

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("Cookie"))
        return httpx.Response(200)

    session_of(answer, jar=jar).get("x")
    assert sent == ["k=1"]


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_p11_a_server_that_serves_nobody_has_not_taken_it(status: int) -> None:
    with pytest.raises(NotTaken):
        session_of(lambda request: httpx.Response(status)).post("x", [("a", "b")], referer="x")


DATE = "Wed, 04 Mar 2026 12:00:30 GMT"
DATES = {
    DATE: 30, "Wed, 04 Mar 2026 12:00:30": 30, "04 Mar 2026 15:00:30 +0300": 30, "Wednesday, 04-Mar-26 12:00:30 GMT": 30,
    "Wed, 04 Mar 2026 12:00:30 -0000": 30, f"{DATE}, {DATE}": None, "yesterday": None, "": None,
    "Wed, 99 Mar 2026 12:00:30 GMT": None,
    "Wed, 04 Mar 99999999999 12:00:30 GMT": None, "0": None,
}  # fmt: skip


@pytest.mark.parametrize("told", DATES)
def test_a_clock_of_the_forum_is_aware_or_none(told: str) -> None:
    """A Date that came twice, or is none, tells no time; one without a zone is in that of the field."""
    seconds = DATES[told]
    date = session_of(lambda request: httpx.Response(200, headers={"Date": told})).get("x").date
    assert date == (None if seconds is None else START.replace(second=seconds))


def test_a_pause_that_is_asked_for_by_a_date_that_is_none_is_the_usual_one() -> None:
    session = session_of(lambda request: httpx.Response(200, headers={"Retry-After": f"{DATE}, {DATE}", "Date": "?"}))
    session.get("x")
    session.get("x")
    assert session.requests == 2
