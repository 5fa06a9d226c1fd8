"""The mailbox: an embedded server (pymap), a scripted one (silence, BYE, EOF, garbage), and Dovecot where it is installed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import imapclient
import pytest

from adapters.clock import ManualClock
from adapters.errors import MailLoginFailed, Unreachable
from adapters.mail.imap import ImapMailbox, connect
from adapters.mailbox import MailPlace, MailSettings
from tests.adapters.mail import dovecot as dovecot_server
from tests.adapters.mail.dovecot import Box, Dovecot, free_port, wait_for

dovecot = dovecot_server.dovecot
CLOCK = ManualClock(datetime(2026, 12, 1, 18, 0, tzinfo=UTC))
RAW = "From: a@example.com\r\nSubject: hod\r\n\r\nлечу Анну\r\n".encode("koi8-r")


class HandClock(ManualClock):
    """A clock that may also be put back."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self.at = start

    def now(self) -> datetime:
        return self.at


def settings(port: int, **more: object) -> MailSettings:
    base = {"address": "m@example.org", "user": "user", "password": "secret", "imap_host": "127.0.0.1", "imap_security": "none"}
    return MailSettings(**{**base, "imap_port": port, **more})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pymap_port() -> Iterator[int]:
    from argparse import Namespace

    from pymap.backend.dict import DictBackend
    from pymap.imap import IMAPService
    from pysasl.hashing import Cleartext

    port = free_port()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    args = Namespace(
        demo_data=False,
        demo_data_resource=None,
        demo_user="user",
        demo_password="secret",
        host=["127.0.0.1"],
        port=str(port),
        tls=False,
        cert=None,
        key=None,
        debug=False,
        no_tls=True,
        tls_cert=None,
        insecure_login=True,
        inherited_sockets=None,
        proxy_protocol=None,
        disable_search_keys=None,
        max_append_len=10_000_000,
        subsystem=None,
        disable_idle=False,
        reject_insecure_auth=False,
        preauth_credentials=None,
        passlib_cfg=None,
        imap=True,
        reject_dollar=False,
        skip_services=[],
        invalid_user_sleep=0.0,
        cpu_subsystem=None,
    )

    async def main() -> None:
        from contextlib import AsyncExitStack

        backend, config = await DictBackend.init(args, hash_context=Cleartext())  # a good hash takes half a second a log-in
        config.apply_context()
        async with AsyncExitStack() as stack:
            await backend.start(stack)
            await IMAPService(backend, config).start(stack)
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(main()), daemon=True)
    thread.start()
    wait_for(port)
    yield port
    loop.call_soon_threadsafe(stop.set)
    thread.join(5)


def owner(port: int, user: str = "user", password: str = "secret") -> imapclient.IMAPClient:
    client = imapclient.IMAPClient("127.0.0.1", port=port, ssl=False)
    client.login(user, password)
    return client


def put(client: imapclient.IMAPClient, raw: bytes, folder: str = "INBOX", days_ago: int = 0) -> None:
    client.append(folder, raw, msg_time=CLOCK.now() - timedelta(days=days_ago))


def test_letters_after_the_place_are_given_by_uid_and_the_last_one_is_not_given_twice(pymap_port: int) -> None:
    box = connect(settings(pymap_port), CLOCK)
    _, place = box.fetch(MailPlace())
    client = owner(pymap_port)
    put(client, RAW)
    first, place = box.fetch(place)
    assert [letter.raw for letter in first] == [RAW]
    again, same = box.fetch(place)
    assert again == () and same == place
    put(client, RAW + b"2")
    second, _ = box.fetch(place)
    assert [letter.uid for letter in second] == [first[0].uid + 1]
    assert second[0].received.tzinfo is not None
    client.logout()
    box.close()


def test_reading_marks_nothing_and_marks_of_others_hide_nothing(pymap_port: int) -> None:
    """T42."""
    box = connect(settings(pymap_port), CLOCK)
    _, place = box.fetch(MailPlace())
    client = owner(pymap_port)
    for number in range(3):
        put(client, RAW + str(number).encode())
    client.select_folder("INBOX")
    newest = sorted(client.search())[-1]
    client.add_flags([newest], [imapclient.SEEN])
    letters, _ = box.fetch(place)
    assert len(letters) == 3
    client.noop()
    seen = [uid for uid, told in client.get_flags([letter.uid for letter in letters]).items() if imapclient.SEEN in told]
    assert seen == [newest]
    client.logout()
    box.close()


def test_a_large_letter_is_told_of_but_not_fetched(pymap_port: int) -> None:
    box = connect(settings(pymap_port, max_bytes=1000), CLOCK)
    _, place = box.fetch(MailPlace())
    client = owner(pymap_port)
    put(client, RAW + b"x" * 2000)
    put(client, RAW)
    large, small = box.fetch(place)[0]
    assert large.raw is None and large.size > 1000
    assert small.raw == RAW
    client.logout()
    box.close()


def test_a_renumbered_mailbox_gives_all_recent_letters_again(pymap_port: int) -> None:
    client = owner(pymap_port)
    client.create_folder("moves")
    put(client, RAW, "moves")
    box = connect(settings(pymap_port, folder="moves"), CLOCK)
    letters, place = box.fetch(MailPlace())
    client.delete_folder("moves")
    client.create_folder("moves")
    put(client, RAW, "moves")
    again, new_place = box.fetch(place)
    assert new_place.uidvalidity != place.uidvalidity
    assert [letter.raw for letter in again] == [letter.raw for letter in letters] == [RAW]
    client.logout()
    box.close()


def begins_with_what_is_recent(box: ImapMailbox, arrives: Callable[[bytes, int], object]) -> None:
    """``arrives`` puts a letter that came so many days ago into a folder that is empty at first."""
    assert box.fetch(MailPlace())[0] == ()
    arrives(RAW + b"old", 30)
    _, place = box.fetch(MailPlace())
    assert place.last_uid > 0 and box.fetch(place) == ((), place)
    arrives(RAW + b"new", 1)
    arrives(RAW + b"moved here", 40)
    (new,), place = box.fetch(MailPlace())
    assert new.raw == RAW + b"new"
    assert box.fetch(place) == ((), place)
    assert box.count() == 3
    box.close()


def test_a_mailbox_that_is_new_to_us_gives_its_recent_letters_only(pymap_port: int) -> None:
    """Somebody's mailbox of years is no heap of letters to the bot."""
    client = owner(pymap_port)
    client.create_folder("years")
    begins_with_what_is_recent(
        connect(settings(pymap_port, folder="years"), CLOCK), lambda raw, days: put(client, raw, "years", days)
    )
    client.logout()


def test_a_refused_password_is_no_dead_line(pymap_port: int) -> None:
    with pytest.raises(MailLoginFailed) as refused:
        connect(settings(pymap_port, password="wrong"), CLOCK).fetch(MailPlace())
    assert "wrong" not in str(refused.value)


def test_nobody_there_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        connect(settings(free_port()), CLOCK).fetch(MailPlace())


Script = Callable[[socket.socket, int], None]


class Scripted:
    """A server that does as the test says with each connection (the number of the connection is handed in)."""

    def __init__(self, script: Script) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._script = script
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with contextlib.suppress(OSError), line:
                self._script(line, self.connections)

    def close(self) -> None:
        self._listener.close()


ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n",
    b"EXAMINE": b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n",
    b"UID SEARCH": b"* SEARCH 1\r\n",
}


def speak(
    line: socket.socket,
    *,
    until: bytes | None = None,
    nth: int = 1,
    then: Callable[[socket.socket], None] | None = None,
    heard: list[bytes] | None = None,
    again: bytes | None = None,
    idle: bytes = b"* 2 EXISTS\r\n",
) -> None:
    """Play a small IMAP server with one letter; at the ``nth`` command that starts with ``until`` do ``then`` and end.

    ``heard`` takes every command; ``again`` is answered when the folder is opened a second time; ``idle`` is said
    when IDLE begins.
    """
    line.sendall(b"* OK ready\r\n")
    heard = [] if heard is None else heard
    reader = line.makefile("rb")
    for row in reader:
        tag, _, command = row.strip().partition(b" ")
        heard.append(command)
        if until is not None and sum(said.startswith(until) for said in heard) == nth:
            if then is not None:
                then(line)
            return
        if command.startswith(b"UID FETCH") and b"SIZE" in command:
            line.sendall(b'* 1 FETCH (UID 1 RFC822.SIZE %d INTERNALDATE "01-Dec-2026 20:00:00 +0300")\r\n' % len(RAW))
        elif command.startswith(b"UID FETCH"):
            line.sendall(b"* 1 FETCH (UID 1 BODY[] {%d}\r\n" % len(RAW) + RAW + b")\r\n")
        elif command == b"IDLE":
            line.sendall(b"+ idling\r\n" + idle)
            reader.readline()
        opened = sum(said.startswith(b"EXAMINE") for said in heard)
        for start, answer in ANSWERS.items():
            if command.startswith(start):
                line.sendall(again if again is not None and start == b"EXAMINE" and opened > 1 else answer)
        line.sendall(tag + b" OK done\r\n")


def silent(line: socket.socket) -> None:
    line.recv(1)


TROUBLE: dict[str, Callable[[socket.socket], None]] = {
    "bye": lambda line: line.sendall(b"* BYE going down\r\n"),
    "eof": lambda line: None,
    "garbage": lambda line: line.sendall(b"\x00\xff{{{ ((( \r\n* 1 FETCH (UID\r\n"),
    "silence": silent,
}


def quick(port: int) -> ImapMailbox:
    return ImapMailbox(settings(port), CLOCK, connect_seconds=2.0, read_seconds=0.3)


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE.keys())
@pytest.mark.parametrize("command", [b"EXAMINE", b"UID SEARCH", b"UID FETCH"])
def test_a_line_that_breaks_is_unreachable_and_the_next_poll_has_a_new_one(
    command: bytes, trouble: Callable[[socket.socket], None]
) -> None:
    """T47."""
    server = Scripted(lambda line, number: speak(line, until=command, then=trouble) if number == 1 else speak(line))
    box = quick(server.port)
    with pytest.raises(Unreachable):
        box.fetch(MailPlace())
    letters, place = box.fetch(MailPlace())
    assert [letter.raw for letter in letters] == [RAW]
    assert letters[0].received == datetime(2026, 12, 1, 17, 0, tzinfo=UTC)
    assert place == MailPlace(7, 1)
    assert server.connections == 2
    box.close()
    server.close()


def test_a_line_that_died_between_two_polls_is_opened_again_at_once() -> None:
    server = Scripted(lambda line, number: speak(line, until=b"EXAMINE" if number == 1 else None, nth=2))
    box = quick(server.port)
    _, place = box.fetch(MailPlace())
    assert box.fetch(place) == ((), place)
    assert server.connections == 2
    box.close()
    server.close()


AGAIN: dict[str, tuple[bytes, timedelta, bool]] = {
    "the same": (ANSWERS[b"EXAMINE"], timedelta(minutes=1), False),
    "a new letter": (b"* 2 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 3] x\r\n", timedelta(minutes=1), True),
    "nothing of what follows": (b"* 1 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n", timedelta(minutes=1), True),
    "one letter more and an old number": (
        b"* 2 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 2] x\r\n",
        timedelta(minutes=1),
        True,
    ),
    "the same for ten minutes": (ANSWERS[b"EXAMINE"], timedelta(minutes=10), True),
    "the same after the clock was put back": (ANSWERS[b"EXAMINE"], -timedelta(hours=1), True),
    "another folder's numbers": (b"* 1 EXISTS\r\n* OK [UIDVALIDITY 8] x\r\n* OK [UIDNEXT 2] x\r\n", timedelta(minutes=1), True),
}


@pytest.mark.parametrize(("again", "later", "searched"), AGAIN.values(), ids=AGAIN)
def test_letters_are_searched_for_unless_the_folder_tells_that_there_are_none(
    again: bytes, later: timedelta, searched: bool
) -> None:
    heard: list[bytes] = []
    server = Scripted(lambda line, _: speak(line, heard=heard, again=again))
    clock = HandClock(CLOCK.now())
    box = ImapMailbox(settings(server.port), clock, read_seconds=2.0)
    _, place = box.fetch(MailPlace())
    before = len(heard)
    clock.at += later
    box.fetch(place)
    assert heard[before].startswith(b"EXAMINE")
    assert any(command.startswith(b"UID SEARCH") for command in heard[before:]) is searched
    box.close()
    server.close()


def test_no_piece_of_a_command_waits_for_the_piece_before() -> None:
    """Nagle's algorithm costs 40 ms a SEARCH against a server that acknowledges late."""
    server = Scripted(lambda line, _: speak(line))
    box = quick(server.port)
    box.fetch(MailPlace())
    assert box._client.socket().getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    box.close()
    server.close()


@pytest.mark.parametrize("greeting", [b"", b"* BYE full\r\n", b"HTTP/1.1 400\r\n\r\n"])
def test_a_server_that_does_not_greet_is_unreachable(greeting: bytes) -> None:
    server = Scripted(lambda line, _: line.sendall(greeting))
    with pytest.raises(Unreachable):
        quick(server.port).fetch(MailPlace())
    server.close()


def test_a_log_in_refused_for_the_moment_is_no_wrong_password() -> None:
    def script(line: socket.socket, _: int) -> None:
        speak(line, until=b"LOGIN", then=lambda out: out.sendall(b"IMAPCLIENT NO [UNAVAILABLE] later\r\n"))

    server = Scripted(script)
    with pytest.raises(Unreachable):
        quick(server.port).fetch(MailPlace())
    server.close()


@pytest.mark.parametrize("trouble", TROUBLE.values(), ids=TROUBLE.keys())
def test_waiting_on_a_dead_line_is_told(trouble: Callable[[socket.socket], None]) -> None:
    """T47."""
    server = Scripted(lambda line, _: speak(line, until=b"IDLE", then=trouble))
    with pytest.raises(Unreachable):
        quick(server.port).wait(0.2)
    server.close()


@pytest.mark.parametrize("end", [b"", b"* BYE\r\n"], ids=["eof", "bye"])
def test_a_line_that_dies_while_it_is_listened_to_is_not_asked_again_and_again(end: bytes) -> None:
    """T47: the socket of a line that was closed is readable all the time."""

    def script(line: socket.socket, _: int) -> None:
        speak(line, until=b"IDLE", then=lambda out: out.sendall(b"+ idling\r\n" + end))

    server = Scripted(script)
    asked: list[bool] = []
    with pytest.raises(Unreachable):
        quick(server.port).wait(3600.0, lambda: bool(asked.append(True)))
    assert len(asked) <= 2
    server.close()


def test_half_a_line_is_not_the_end_of_the_line() -> None:
    """What the server says comes in pieces: the rest of the line is there when IDLE is left."""

    asked = threading.Event()

    def script(line: socket.socket, _: int) -> None:
        line.sendall(b"* OK ready\r\n")
        reader = line.makefile("rb")
        for row in reader:
            tag, _, command = row.strip().partition(b" ")
            if command == b"IDLE":
                line.sendall(b"+ idling\r\n")
                asked.wait(10)
                line.sendall(b"* 2 EXISTS\r\n* 2 FET")
                reader.readline()
                line.sendall(b"CH (FLAGS ())\r\n")
            line.sendall(next((answer for start, answer in ANSWERS.items() if command.startswith(start)), b""))
            line.sendall(tag + b" OK done\r\n")

    server = Scripted(script)
    assert quick(server.port).wait(60.0, lambda: bool(asked.set())) is True
    server.close()


def test_waiting_where_the_server_knows_no_idle_is_told_and_keeps_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ANSWERS, b"CAPABILITY", b"* CAPABILITY IMAP4rev1\r\n")
    server = Scripted(lambda line, _: speak(line))
    box = quick(server.port)
    for _ in range(2):
        with pytest.raises(Unreachable):
            box.wait(0.2)
    assert server.connections == 1
    server.close()


def test_a_letter_that_was_taken_away_is_no_news() -> None:
    seen = [b"* 1 EXPUNGE\r\n* 0 EXISTS\r\n", b"* 2 FETCH (FLAGS (\\Seen))\r\n", b"* OK still here\r\n", b"* 1 RECENT\r\n"]
    server = Scripted(lambda line, _: speak(line, idle=b"".join(seen)))
    assert quick(server.port).wait(0.2) is False
    server.close()


def hears_of_letters(box: ImapMailbox, arrives: Callable[[], object]) -> None:
    """One letter while IDLE is on, then one before it is on again."""
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        if len(asked) == 1:
            arrives()
        return len(asked) > 60

    assert box.wait(3600.0, stop) is True
    assert box.wait(0.0) is False
    arrives()
    assert box.wait(0.0) is True
    assert box.wait(0.0) is False
    box.close()


def test_waiting_ends_when_it_is_told_to(pymap_port: int) -> None:
    box = connect(settings(pymap_port), CLOCK)
    assert box.wait(3600.0, lambda: True) is False
    box.close()


def test_pymap_tells_of_a_letter_while_it_is_listened_to_and_of_one_between(pymap_port: int) -> None:
    client = owner(pymap_port)
    hears_of_letters(connect(settings(pymap_port), CLOCK), lambda: put(client, RAW))
    client.logout()


def test_waiting_hears_of_a_new_letter() -> None:
    server = Scripted(lambda line, _: speak(line))
    assert quick(server.port).wait(0.2) is True
    server.close()


def test_a_letter_that_the_library_cannot_read_hinders_no_other() -> None:
    def script(line: socket.socket, _: int) -> None:
        line.sendall(b"* OK ready\r\n")
        for row in line.makefile("rb"):
            tag, _, command = row.strip().partition(b" ")
            if command.startswith(b"UID SEARCH"):
                line.sendall(b"* SEARCH 1 2\r\n")
            elif command.startswith(b"UID FETCH") and b"SIZE" in command:
                for uid in (1, 2):
                    line.sendall(b'* %d FETCH (UID %d RFC822.SIZE 9 INTERNALDATE "01-Dec-2026 20:00:00 +0300")\r\n' % (uid, uid))
            elif command.startswith((b"UID FETCH 1", b"UID FETCH 1:2")):
                line.sendall(b"* 1 FETCH (UID 1 BODY[] ((((\r\n")
            elif command.startswith(b"UID FETCH"):
                line.sendall(b"* 2 FETCH (UID 2 BODY[] {%d}\r\n" % len(RAW) + RAW + b")\r\n")
            else:
                line.sendall(next((answer for start, answer in ANSWERS.items() if command.startswith(start)), b""))
            line.sendall(tag + b" OK done\r\n")

    server = Scripted(script)
    box = quick(server.port)
    letters, place = box.fetch(MailPlace())
    assert [(letter.uid, letter.raw) for letter in letters] == [(1, None), (2, RAW)]
    assert place.last_uid == 2
    box.close()
    server.close()


def on(box: Box, **more: object) -> MailSettings:
    return settings(box.port, user=box.user, password=dovecot_server.PASSWORD, **more)


def test_dovecot_gives_raw_bytes_by_uid_and_keeps_flags(dovecot: Dovecot) -> None:
    """T42."""
    served = dovecot.box()
    for _ in range(3):
        served.deliver(RAW.replace(b"\r\n", b"\n"), CLOCK.now())
    client = owner(dovecot.port, served.user, dovecot_server.PASSWORD)
    client.select_folder("INBOX")
    client.add_flags([3], [imapclient.SEEN])
    box = connect(on(served), CLOCK)
    letters, place = box.fetch(MailPlace())
    assert [(letter.uid, letter.raw) for letter in letters] == [(1, RAW), (2, RAW), (3, RAW)]
    assert box.fetch(place) == ((), place)
    client.noop()
    assert [uid for uid, flags in client.get_flags([1, 2, 3]).items() if imapclient.SEEN in flags] == [3]
    served.deliver(b"Subject: \xe1\n\n" + b"x" * 1_500_000)
    (large,), _ = box.fetch(place)
    assert large.raw is not None and large.raw.startswith(b"Subject: \xe1\r\n") and large.size == len(large.raw)
    (told,), _ = connect(on(served, max_bytes=1_000_000), CLOCK).fetch(place)
    assert told.raw is None and told.size == large.size
    client.logout()
    box.close()


def test_dovecot_gives_recent_letters_only_when_it_is_new_to_us(dovecot: Dovecot) -> None:
    served = dovecot.box()
    begins_with_what_is_recent(
        connect(on(served), CLOCK), lambda raw, days: served.deliver(raw, CLOCK.now() - timedelta(days=days))
    )


def test_dovecot_gives_a_heap_of_letters_in_parts_to_the_last(dovecot: Dovecot) -> None:
    served = dovecot.box()
    for number in range(3000):
        served.deliver(b"Subject: %d\n\n" % number + b"x" * (500_000 if number < 50 else 10), CLOCK.now())
    box, place, parts = connect(on(served), CLOCK), MailPlace(), []
    while (part := box.fetch(place))[0]:
        parts.append([letter.raw for letter in part[0]])
        place = part[1]
    heads = [raw.partition(b"\r\n")[0] for part in parts for raw in part if raw is not None]
    assert heads == [b"Subject: %d" % number for number in range(3000)]
    assert max(len(part) for part in parts) <= 225
    assert max(sum(len(raw or b"") for raw in part) for part in parts) <= 33_000_000
    box.close()


def test_dovecot_renumbers_and_all_recent_letters_come_again(dovecot: Dovecot) -> None:
    served = dovecot.box()
    served.deliver(RAW, CLOCK.now())
    box = connect(on(served), CLOCK)
    _, place = box.fetch(MailPlace())
    served.renumber()
    letters, renumbered = box.fetch(place)
    assert renumbered.uidvalidity != place.uidvalidity
    assert [letter.raw for letter in letters] == [RAW]
    box.close()


def test_dovecot_tells_of_a_letter_while_it_is_listened_to_and_of_one_between(dovecot: Dovecot) -> None:
    served = dovecot.box()
    hears_of_letters(connect(on(served), CLOCK), lambda: served.deliver(RAW, CLOCK.now()))
