"""A server that cannot give out one of its letters: the others are read, and this one is told of without its bytes."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

import pytest

from adapters.errors import Unreachable
from adapters.mail.imap import ImapMailbox
from adapters.mail.letters import read_letter
from adapters.mailbox import MailPlace
from adapters.model import Envelope
from tests.adapters.mail.test_imap import RAW, Scripted, quick

UIDS = (1, 2, 3)
BAD = 2
Answer = Callable[[socket.socket, int, bytes], bool]
"""Answers for the bad letter; False: the server ends the line."""


def serve(line: socket.socket, bad: Answer) -> None:
    """A server of three letters, the second of which is bad: whatever is asked of it ``bad`` answers."""
    line.sendall(b"* OK ready\r\n")
    for row in line.makefile("rb"):
        tag, _, command = row.strip().partition(b" ")
        asked = re.match(rb"UID FETCH ([\d,:]+) \((.*)\)", command)
        if command.startswith(b"CAPABILITY"):
            line.sendall(b"* CAPABILITY IMAP4rev1\r\n")
        elif command.startswith(b"EXAMINE"):
            line.sendall(b"* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4] x\r\n")
        elif command.startswith(b"UID SEARCH"):
            line.sendall(b"* SEARCH 1 2 3\r\n" if b"*" not in command else b"* SEARCH 3\r\n")
        elif asked is not None:
            for uid in UIDS if b":" in asked[1] else sorted(int(one) for one in asked[1].split(b",")):
                if uid == BAD and bad(line, uid, asked[2]):
                    break
                if uid != BAD and not give(line, uid, asked[2]):
                    return
            else:
                line.sendall(tag + b" OK done\r\n")
                continue
            line.sendall(tag + b" NO cannot\r\n")
            continue
        line.sendall(tag + b" OK done\r\n")


def give(line: socket.socket, uid: int, what: bytes) -> bool:
    if b"SIZE" in what:
        line.sendall(b'* %d FETCH (UID %d RFC822.SIZE %d INTERNALDATE "01-Dec-2026 20:00:00 +0300")\r\n' % (uid, uid, len(RAW)))
    else:
        line.sendall(b"* %d FETCH (UID %d BODY[] {%d}\r\n" % (uid, uid, len(RAW)) + RAW + b")\r\n")
    return True


def refuses(line: socket.socket, uid: int, what: bytes) -> bool:
    return True


def refuses_its_body(line: socket.socket, uid: int, what: bytes) -> bool:
    return not (b"SIZE" in what and give(line, uid, what))


def odd_size(line: socket.socket, uid: int, what: bytes) -> bool:
    if b"SIZE" in what:
        line.sendall(b'* 2 FETCH (UID 2 RFC822.SIZE 9.3736e+06 INTERNALDATE "01-Dec-2026 20:00:00 +0300")\r\n')
        return False
    return True


def never_comes(line: socket.socket, uid: int, what: bytes) -> bool:
    if b"SIZE" in what:
        give(line, uid, what)
        return False
    line.sendall(b"* 2 FETCH (UID 2 BODY[] {5000}\r\nbegun")
    line.recv(1)
    raise OSError


def breaks_off(line: socket.socket, uid: int, what: bytes) -> bool:
    if b"SIZE" in what:
        give(line, uid, what)
        return False
    raise OSError


def unreadable(line: socket.socket, uid: int, what: bytes) -> bool:
    if b"SIZE" in what:
        give(line, uid, what)
        return False
    line.sendall(b"* 2 FETCH (UID 2 BODY[] ((((\r\n")
    return False


def polled(box: ImapMailbox, times: int) -> list[Envelope]:
    """What the polls gave until the place was the end."""
    place, found = MailPlace(), []
    for _ in range(times):
        try:
            some, place = box.fetch(place)
        except Unreachable:
            continue
        found += some
    assert place == MailPlace(7, 3)
    return found


@pytest.mark.parametrize("bad", [refuses, refuses_its_body, odd_size, never_comes, breaks_off, unreadable])
def test_a04_one_bad_letter_blocks_nothing(bad: Answer) -> None:
    server = Scripted(lambda line, _: serve(line, bad))
    box = quick(server.port)
    found = polled(box, 6)
    assert [one.uid for one in found if one.raw == RAW] == [1, 3]
    assert [one.raw for one in found if one.uid == BAD] in ([None], [])
    if bad not in (refuses, odd_size):
        assert [one.refused for one in found if one.uid == BAD] == [True]
    box.close()
    server.close()


def test_a04_a_line_that_breaks_once_costs_no_letter() -> None:
    times = iter((True, False, False, False))

    def once(line: socket.socket, uid: int, what: bytes) -> bool:
        if b"SIZE" not in what and next(times, False):
            raise OSError
        give(line, uid, what)
        return False

    server = Scripted(lambda line, _: serve(line, once))
    box = quick(server.port)
    assert [one.raw for one in polled(box, 3)] == [RAW] * 3
    box.close()
    server.close()


def test_h17_a_slim_letter_is_read_like_the_whole() -> None:
    from adapters.mail.slimming import slim

    parts = {
        "HEADER": b"From: a@example.org\r\nSubject: s\r\nContent-Type: multipart/mixed;\r\n boundary=x\r\n\r\n",
        "1.MIME": b"Content-Type: image/jpeg\r\n\r\n",
        "2.1.MIME": b"Content-Type: text/plain; charset=koi8-r\r\n\r\n",
        "2.1": "лечу Анну".encode("koi8-r"),
        "2.2.MIME": b"Content-Type: text/html; charset=utf-8\r\n\r\n",
        "2.2": "<p>лечу Анну".encode(),
        "3.MIME": b"Content-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n",
    }

    def text(kind: bytes) -> tuple[object, ...]:
        return (b"TEXT", kind, None, None, None, b"8BIT", 20, 1)

    photo = (b"IMAGE", b"JPEG", None, None, None, b"BASE64", 9_000_000)
    tree = ([photo, ([text(b"PLAIN"), text(b"HTML")], b"ALTERNATIVE"), text(b"PLAIN")], b"MIXED")
    raw, cut = slim(tree, parts.__getitem__, 2_000_000)
    assert raw is not None and not cut
    letter = read_letter(raw)
    assert (letter.text, letter.problems) == ("лечу Анну", ("no_message_id", "attachment"))
