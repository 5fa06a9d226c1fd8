"""X15: wrong tries lock out nobody but who makes them, the tables of tries have an end, and half a request waits for nothing."""

from __future__ import annotations

import socket
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from starlette.testclient import TestClient

from forumbot.cli.main import main
from forumbot.desk import lines
from forumbot.desk.limits import KEYS_MOST, Limits, networks
from forumbot.store.tables import login_links, outbox
from tests.forumbot.desk.browser import served
from tests.forumbot.desk.scene import BASE, HOST, Scene, form_word, login
from tests.forumbot.hosting.world import MONDAY
from tests.work import calls


def visitor(scene: Scene, address: str) -> TestClient:
    return TestClient(scene.client(None).app, base_url=BASE, follow_redirects=False, client=(address, 50_000))


OUTSIDERS = ["203.0.113.9", "2001:db8:1:2::7", "::ffff:203.0.113.9"]


@pytest.mark.parametrize("outsider", OUTSIDERS)
def test_x15_wrong_tries_of_an_outsider_do_not_lock_the_right_password(scene: Scene, outsider: str) -> None:
    evil, mine = visitor(scene, outsider), visitor(scene, "198.51.100.4")
    answers = [login(evil, HOST, f"догадка {number}").status_code for number in range(8)]
    assert answers == [403] * 5 + [429] * 3
    assert login(mine, HOST).status_code == 303


def test_x15_many_outsiders_lock_the_password_but_never_the_link(scene: Scene) -> None:
    for number in range(30):
        evil = visitor(scene, f"203.0.{number}.1")
        for guess in range(4):
            login(evil, HOST, f"догадка {guess}")
        word = form_word(evil.get("/login").text)
        evil.post("/login", data={"csrf": word, "name": HOST, "by": "link"})
    mine = visitor(scene, "198.51.100.4")
    assert login(mine, HOST).status_code == 429
    scene.world.settle()
    sent = [text for _, text in scene.world.mail.letters_to(f"{HOST}@example.org") if "/login/" in text]
    assert 1 <= len(sent) <= 6, "a heap of wishes is no heap of letters"
    path = sent[-1].split("8321")[1].split()[0]
    assert mine.post(path, data={"csrf": form_word(mine.get(path).text)}).status_code == 303


@pytest.mark.parametrize("neighbour", ["2001:db8:1:2::{:x}", "2001:db8:1:2:{:x}::1"])
def test_x15_neighbours_of_one_ipv6_network_share_their_tries(scene: Scene, neighbour: str) -> None:
    answers = [login(visitor(scene, neighbour.format(number)), HOST, "догадка").status_code for number in range(1, 30)]
    assert answers == [403] * 5 + [429] * 24


def test_x15_networks() -> None:
    assert networks("2001:db8:1:2:3:4:5:6") == ("2001:db8:1:2::/64", "2001:db8:1::/48")
    assert networks("203.0.113.9") == networks("::ffff:203.0.113.9") == ("203.0.113.9", "203.0.113.0/24")
    assert networks("fe80::1%eth0") == ("fe80::/64", "fe80::/48")
    assert networks("testclient") == ("testclient", "testclient")


def test_x15_the_table_of_tries_has_an_end_and_does_not_slow_down() -> None:
    limits = Limits()
    for number in range(3 * KEYS_MOST):
        limits.allow(MONDAY + timedelta(microseconds=number), (f"имя {number}", 5))
    assert len(limits) == KEYS_MOST
    fresh = (f"ещё {number}" for number in count())
    full = calls(lambda: limits.allow(MONDAY, (next(fresh), 5)))
    empty = calls(lambda: Limits().allow(MONDAY, ("первое", 5)))
    assert full < 10 * empty + 50


def test_x15_who_has_no_tries_left_makes_no_new_entries() -> None:
    limits = Limits()
    assert all(limits.allow(MONDAY, ("from x", 20), (f"name {number}", 5)) for number in range(20))
    before = len(limits)
    assert not any(limits.allow(MONDAY, ("from x", 20), (f"name {number}", 5)) for number in range(20, 200))
    assert len(limits) == before


def test_x15_a_wish_for_a_link_does_the_same_work_for_every_name(scene: Scene) -> None:
    """Statement by statement: what is not done takes no time by which a name could be told."""
    done: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_: Any) -> None:
        done.append(" ".join(statement.split())[:60])

    work = {}
    sa.event.listen(scene.world.store.engine, "before_cursor_execute", note)
    for number, name in enumerate((HOST, "Никто", "")):
        client = visitor(scene, f"198.51.100.{number}")
        word = form_word(client.get("/login").text)
        done.clear()
        client.post("/login", data={"csrf": word, "name": name, "by": "link"})
        work[name] = list(done)
    assert work[HOST] == work["Никто"] == work[""]
    assert len(scene.world.rows(sa.select(login_links))) == 1
    assert len(scene.world.rows(sa.select(outbox).where(outbox.c.key.startswith("desk/link/")))) == 1


# Connections --------------------------------------------------------------------------------------------------------------


def test_x15_half_a_request_is_not_waited_for(quiet: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(lines, "BODY_SECONDS", 0.3)
    with served(quiet) as address:
        port = int(address.rpartition(":")[2])
        halves = [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "]
        for half in halves:
            with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
                line.sendall(half)
                assert line.recv(100) == b"", "closed without an answer"
        kind = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\n"
        head = b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\n" + kind
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            line.sendall(head + b"csrf=")
            assert b" 408 " in line.recv(100)


def test_x15_there_is_room_for_the_next_one_however_many_hang(quiet: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINES_MOST", 20)
    with served(quiet) as address:
        port = int(address.rpartition(":")[2])
        hanging = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(60)]
        for line in hanging:
            line.sendall(b"GET / HTTP/1.1\r\n")
        with socket.create_connection(("127.0.0.1", port), timeout=20) as line:
            line.sendall(b"GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            assert b" 200 " in line.recv(100)
        for line in hanging:
            line.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "mafia.example.org"])
def test_x15_an_address_that_everybody_reaches_is_warned_of(host: str) -> None:
    assert host in lines.exposed(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_x15_an_address_of_this_machine_is_fine(host: str) -> None:
    assert lines.exposed(host) == ""


def test_x15_the_desk_says_so_when_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "forumbot.toml"
    file.write_text(
        f'[site]\ndata = "{tmp_path}"\n[forum]\nengine = "ucoz"\nurl = "http://forum.invalid"\nuser = "Ведущий"\n'
        '[desk]\nhost = "0.0.0.0"\n'
    )
    monkeypatch.setattr("forumbot.desk.app.serve", lambda *_: None)
    ran = CliRunner().invoke(main, ["desk", "serve", "--config", str(file)])
    assert "Внимание: пульт слушает на 0.0.0.0" in ran.output
    checked = CliRunner().invoke(main, ["check", "--offline", "--config", str(file)])
    assert "[!!] пульт: пульт слушает на 0.0.0.0" in checked.output
