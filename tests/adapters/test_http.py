"""The paced session: what is tried again, what is never sent twice, how long it waits."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.clock import ManualClock
from adapters.errors import UnknownOutcome, Unreachable
from adapters.forum import ForumSettings
from adapters.http import Session

START = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)


def session_of(handler: Callable[[httpx.Request], httpx.Response], state: Path | None = None) -> tuple[Session, ManualClock]:
    clock = ManualClock(START)
    return Session(
        "http://club.example/forum/", clock, user_agent="forumbot/1", min_interval=2.0, state_file=str(state) if state else None,
        transport=httpx.MockTransport(handler), chance=lambda: 0.0,
    ), clock  # fmt: skip


def test_requests_keep_their_distance_and_are_counted() -> None:
    session, clock = session_of(lambda request: httpx.Response(200, text="abc"))
    for _ in range(3):
        session.get("x")
    assert (clock.now() - START).total_seconds() == 4
    assert (session.requests, session.received) == (3, 9)


@pytest.mark.parametrize("told", ["30", "Wed, 04 Mar 2026 12:00:30 GMT"])
def test_retry_after_is_obeyed(told: str) -> None:
    answers = [
        httpx.Response(429, headers={"Retry-After": told, "Date": "Wed, 04 Mar 2026 12:00:00 GMT"}),
        httpx.Response(200, text="ok"),
    ]
    session, clock = session_of(lambda request: answers.pop(0))
    assert session.get("x").text == "ok"
    assert (clock.now() - START).total_seconds() >= 30


@pytest.mark.parametrize(
    "trouble", [502, 503, 504, httpx.ReadTimeout("slow"), httpx.ConnectError("none"), httpx.RemoteProtocolError("cut")]
)
def test_get_is_tried_again(trouble: int | Exception) -> None:
    seen: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(1)
        if len(seen) == 1:
            if isinstance(trouble, Exception):
                raise trouble
            return httpx.Response(trouble)
        return httpx.Response(200, text="ok")

    session, _ = session_of(answer)
    assert session.get("x").text == "ok"
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        (httpx.ConnectError("none"), Unreachable),
        (httpx.ConnectTimeout("none"), Unreachable),
        (httpx.ReadTimeout("slow"), UnknownOutcome),
        (httpx.WriteError("cut"), UnknownOutcome),
        (httpx.RemoteProtocolError("cut"), UnknownOutcome),
    ],
)
def test_post_is_sent_once_and_its_fate_told(trouble: Exception, error: type[Exception]) -> None:
    seen: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(1)
        raise trouble

    session, _ = session_of(answer)
    with pytest.raises(error):
        session.post("x", [("a", "b")], referer="y")
    assert len(seen) == 1


def test_server_error_after_a_post_leaves_its_outcome_open() -> None:
    session, _ = session_of(lambda request: httpx.Response(502))
    with pytest.raises(UnknownOutcome):
        session.post("x", [("a", "b")], referer="y")


def test_redirect_is_followed_for_a_get_and_shown_for_a_post() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return (
            httpx.Response(200, text="here")
            if request.url.path == "/there"
            else httpx.Response(302, headers={"Location": "/there"})
        )

    session, _ = session_of(answer)
    assert session.get("x").url == "http://club.example/there"
    posted = session.post("x", [], referer="y")
    assert (posted.status, posted.location) == (302, "http://club.example/there")


def test_redirect_to_another_host_is_not_followed() -> None:
    session, _ = session_of(lambda request: httpx.Response(302, headers={"Location": "http://evil.example/"}))
    assert session.get("x").status == 302
    assert session.requests == 1


def test_cookies_outlive_the_process_and_are_private(tmp_path: Path) -> None:
    file = tmp_path / "jar.json"
    sent: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers.get("Cookie"))
        return httpx.Response(200, headers={"Set-Cookie": f"k={len(sent)}; Path=/"})

    first, _ = session_of(answer, file)
    first.get("x")
    first.get("x")
    second, _ = session_of(answer, file)
    second.get("x")
    assert sent == [None, "k=1", "k=2"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_text(encoding="utf-8"))[0]["value"] == "3"
    assert list(tmp_path.iterdir()) == [file]


def test_broken_jar_costs_a_login_only(tmp_path: Path) -> None:
    file = tmp_path / "jar.json"
    file.write_text("{", encoding="utf-8")
    session, _ = session_of(lambda request: httpx.Response(200, text="ok"), file)
    assert session.get("x").text == "ok"


def test_form_in_windows_1251_with_signs_it_lacks() -> None:
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.content)
        return httpx.Response(200)

    session, _ = session_of(answer)
    session.post("x", [("a", "Ё"), ("a", "🐺")], referer="y", charset="cp1251")
    assert bodies == [b"a=%A8&a=%26%23128058%3B"]


def pauses(chance: float) -> float:
    """Seconds that three tries at a forum that is down take."""
    clock = ManualClock(START)
    handler = httpx.MockTransport(lambda request: httpx.Response(503))
    session = Session(
        "http://club.example/", clock, user_agent="forumbot/1", min_interval=0, transport=handler, chance=lambda: chance
    )
    with pytest.raises(Unreachable):
        session.get("x")
    return (clock.now() - START).total_seconds()


def test_pauses_grow_and_differ_by_chance() -> None:
    assert pauses(0.0) == 5 + 15
    assert pauses(1.0) == 1.5 * (5 + 15)


class _Counting(ThreadingHTTPServer):
    """Counts its connections and notes who asks."""

    daemon_threads = True

    def __init__(self) -> None:
        self.connections = 0
        self.agents: set[str | None] = set()
        super().__init__(("127.0.0.1", 0), _Answering)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Counting

    def do_GET(self) -> None:
        self.server.agents.add(self.headers["User-Agent"])
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    do_POST = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads it."""


def test_requests_say_who_they_are_over_one_connection() -> None:
    with _Counting() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        settings = ForumSettings(url, "u", "p")
        session = Session(url, ManualClock(START), user_agent=settings.user_agent, min_interval=2.0)
        for _ in range(3):
            session.get("x")
        session.post("y", [("a", "b")], referer="x")
        session.close()
        server.shutdown()
    assert server.connections == 1
    assert server.agents == {settings.user_agent}
    assert settings.user_agent.startswith("forumbot/")


def test_a_full_disk_costs_the_cookies_and_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("adapters.cookies.os.fsync", full)
    session, _ = session_of(lambda request: httpx.Response(200, text="ok", headers={"Set-Cookie": "a=b"}), tmp_path / "jar.json")
    assert session.get("x").text == "ok"
    assert session.cookie("a") == "b"
    assert not (tmp_path / "jar.json").exists()


def test_s01_no_request_and_no_pause_lasts_a_minute_without_a_sign_of_life() -> None:
    answers = [
        httpx.Response(503),
        httpx.Response(429, headers={"Retry-After": "250"}),
        httpx.Response(200, text="ok"),
    ]
    session, clock = session_of(lambda request: answers.pop(0))
    signs = [clock.now()]
    session.alive = lambda: signs.append(clock.now())
    session.get("x")
    signs.append(clock.now())
    assert (clock.now() - START).total_seconds() > 200
    assert max((after - before).total_seconds() for before, after in itertools.pairwise(signs)) <= 30
