"""Letters made to take long: the work grows with their length alone, whatever they are made of, and what was not read is told.
How many seconds two megabytes take is measured by ``tests/bench/worst.py``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.mail.letters import DOUBTFUL, read_letter
from tests.work import calls

SIZE = 2_000_000
MOST_CALLS = 25
"""Calls a byte: a letter of nothing but line ends takes nineteen."""
PART = 60_000
"""Bytes of a letter whose calls are counted."""
HEAD = "From: a@example.org\nMessage-ID: <x@example.org>\nSubject: s\n"
PLAIN = HEAD + "Content-Type: text/plain; charset=utf-8\n\n"
HTML = HEAD + "Content-Type: text/html; charset=utf-8\n\n"
MIXED = HEAD + 'Content-Type: multipart/mixed; boundary="b"\n\n'


def much(piece: str) -> str:
    return piece * (SIZE // len(piece.encode()))


WORST = {
    "attributes of one tag": HTML + "<a " + " ".join(f"a{n}" for n in range(215_000)) + ">",
    "attributes of one end tag": HTML + "</a " + " ".join(f"a{n}" for n in range(215_000)) + ">",
    "attributes behind a comment": HTML + '<!-- <a x=" --> <b ' + " ".join(f"a{n}" for n in range(215_000)) + ">",
    "attributes over quoted ends": HTML + "<a " + "".join(f"a{n} x{n}='>' " for n in range(100_000)) + ">",
    "formatting in paragraphs": HTML + "".join(f"<b id={n}><p>" for n in range(150_000)),
    "formatting, a short letter": HTML + "".join(f"<b id={n}><p>" for n in range(10_000)),
    "ends hidden in values": HTML + much('<div a="</div>">'),
    "depth": HTML + much("<div>x"),
    "names of attributes": HTML + "".join(f"<i {n:x}>x</i>" for n in range(150_000)),
    "names of attributes, few tags": HTML
    + "".join(f"<i {' '.join(f'{n * 36 + i:x}' for i in range(36))}>x</i>" for n in range(3_900)),
    "names of elements": HTML + "".join(f"<a{n:x}>x" for n in range(200_000)),
    "ends behind a cell": HTML + "<p><table>" + "<blockquote>" * 400 + "<div>" * 390 + much("</p>x"),
    "cells": HTML + much("<table><td>x"),
    "quotations in quotations": HTML + much("<blockquote>x"),
    "one class list": HTML + f"<p class='{much('a ')}'>x",
    "style sheet of remarks": HTML + f"<style>{much('/*')}</style>x",
    "style sheet of screens": HTML + f"<style>{much('@media{')}</style>x",
    "style sheets": HTML + much("<style>.a{display:none}</style>"),
    "parameters": f"{HEAD}Content-Type: text/plain; {much('a=b; ')}\n\nx",
    "numbered parameters": f"{HEAD}Content-Type: multipart/mixed; {much('boundary*0=b; ')}\n\nx",
    "file name in pieces": f"{MIXED}--b\nContent-Disposition: inline; {much('filename*9=a; ')}\n\nx\n--b--\n",
    "fields": f"{HEAD}{much('a: b' + chr(10))}\nx",
    "a folded field": f"{HEAD}X: y\n{much(' y' + chr(10))}\nx",
    "encoded words": HEAD.replace("Subject: s", f"Subject: {much('=?utf-8?B?0LE=?= ')}") + "\nx",
    "a sender of brackets": f"From: {much('(<')}\n\nx",
    "verdicts": HEAD + much("Authentication-Results: my; dkim=pass\n") + "\nx",
    "parts": MIXED + much("--b\n\na\n"),
    "parts in parts": HEAD + "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(35_000)),
    "letters in letters": HEAD + much("Content-Type: message/rfc822\n\n"),
    "a report of paragraphs": f"{HEAD}Content-Type: message/delivery-status\n\n{much('a: b' + chr(10) * 2)}",
    "empty lines": PLAIN + much("\n"),
    "carriage returns": PLAIN.replace("\n\n", "\nContent-Transfer-Encoding: quoted-printable\n\n") + much("\r"),
    "parts behind carriage returns": MIXED + much("--b\r\ra\r"),
    "faces": PLAIN + much(">:)\n"),
    "heads of old letters": PLAIN + much("От: a@b.cc\n\n\n"),
    "half an announcement": PLAIN + much("On Tue, 24 Nov 2026, 20:50, " + "x@" * 60 + "\n"),
    "half a legal notice": PLAIN + much("Данное письмо письмо ...\n"),
    "half a device": PLAIN + much("Отправлено с моего " + "a " * 30 + "\n"),
    "one line": PLAIN + much("бью Анну "),
    "base64": f"{HEAD}Content-Transfer-Encoding: base64\n\n{much('0LE=')}",
    "base64 in one line": f"{HEAD}Content-Transfer-Encoding: base64\n\n{much('0LEA')}",
    "base64 in blocks": f"{HEAD}Content-Transfer-Encoding: base64\n\n{much('/w==' + chr(10) + '//8A' + chr(10))}",
    "base64 below paragraphs": f"{HEAD}Content-Transfer-Encoding: base64\n\na b\n\n{much('0LEA' + chr(10) * 2)}",
    "base64 that nobody tells of": PLAIN + much("0LEA"),
    "escapes in halves": f"{HEAD}Content-Transfer-Encoding: quoted-printable\n\n{much('=D0=' + chr(10))}",
    "our words without an end": PLAIN + much("Вы написали "),
    "our lines": PLAIN + much("Вы написали: «бью Бориса 3 0»\n"),
    "lines nearly ours": PLAIN + much("Вы написали: «" + "а " * 29 + "»\n"),
    "twice encoded": PLAIN + much("Р›"),
}


RECEIPTS = [
    "\n".join(f"Вы написали: «{'а ' * (row % 30)}бью Бориса {number} {row}»" for row in range(60)) for number in range(40)
]


@pytest.mark.parametrize("name", WORST)
def test_x06_the_work_of_the_worst_letter_grows_with_its_length_alone(name: str) -> None:
    raw = WORST[name].encode()[:PART]
    assert calls(lambda: read_letter(raw, authserv="mx", own="bot@example.org", sent=RECEIPTS)) < len(raw) * MOST_CALLS


def test_x06_what_is_not_read_whole_is_told_and_doubtful() -> None:
    for name in ("attributes of one tag", "parts", "empty lines", "one line"):
        assert set(read_letter(WORST[name].encode()).problems) & {"too_complicated", "too_deep"} <= DOUBTFUL
        assert set(read_letter(WORST[name].encode()).problems) & {"too_complicated", "too_deep"}


def test_x06_words_before_what_is_too_much_are_read() -> None:
    letter = read_letter((MIXED + "--b\nContent-Type: text/plain; charset=utf-8\n\nбью Анну\n" + much("--b\n\n\n")).encode())
    assert letter.text == "бью Анну"
    assert "too_complicated" in letter.problems


def test_x06_long_but_honest_letters_are_read_whole() -> None:
    quoted = "".join(f"> строка газеты номер {n}\n" for n in range(2000))
    letter = read_letter((PLAIN + "лечу Анну\n\n01.12.2026, 21:03, Ведущий <m@example.org>:\n" + quoted).encode())
    assert letter.text == "лечу Анну" and letter.problems == ()
    cells = "".join(f"<tr><td style='color:red'>{n}</td><td>x</td></tr>" for n in range(1500))
    letter = read_letter((HTML + f"<p>лечу Анну</p><table>{cells}</table>").encode())
    assert letter.text.startswith("лечу Анну") and letter.text.endswith("1499 x") and letter.problems == ()


PIECES = (
    "<b id=1>", "<p>", "</b>", "<div>", "</div>", "<table>", "<td>", "<a x='>'", ">", "<", '="', "<!--", "-->", "<style>",
    "@media{", "}", "<blockquote>", "<select>", "<svg>", "<title>", "&lt;", "\n", "\n\n", "--b\n", "\r", "\u0301", "> ",
    "a@b.cc ", "wrote:", "On Tue, 24 Nov 2026, 20:50, ", "От: ", "-- ", "-----Исходное сообщение-----",
    "Content-Type: text/html\n\n", "Content-Type: message/rfc822\n\n", "=?utf-8?B?0LE=?=", "=D1=8", "бью ",
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(st.sampled_from((PLAIN, HTML, MIXED, HEAD)), st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
def test_x06_no_repetition_of_pieces_takes_longer(head: str, pieces: list[str]) -> None:
    raw = (head + much("".join(pieces))).encode()[:PART]
    assert calls(lambda: read_letter(raw, authserv="mx", own="bot@example.org", sent=RECEIPTS)) < len(raw) * MOST_CALLS
