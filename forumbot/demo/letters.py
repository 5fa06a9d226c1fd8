"""Raw letters as Russian mail programs write them: charsets, encodings, HTML, quotations of the bot's letter, signatures."""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from quopri import encodestring
from random import Random
from zoneinfo import ZoneInfo

_MOSCOW = ZoneInfo("Europe/Moscow")


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a letter is made of. ``answered``: the bot's letter it replies to, with the moment of that, or nothing."""

    name: str
    sender: str
    to: str
    subject: str
    text: str
    at: datetime
    number: int
    answered: str = ""


Client = Callable[[Sheet, Random], bytes]


def compose(sheet: Sheet, random: Random) -> bytes:
    """The letter in the manner of one mail program, drawn for this letter."""
    return random.choice(_CLIENTS)(sheet, random)


def _plain(charset: str, encoding: str, ending: str = "", quoted: bool = True, header: str = "") -> Client:
    """A program that writes plain text; answers stand above the quotation."""

    def write(sheet: Sheet, random: Random) -> bytes:
        text = sheet.text + ending
        if quoted and sheet.answered:
            when = sheet.at.astimezone(_MOSCOW).strftime("%d.%m.%Y, %H:%M")
            attribution = header.format(when=when, to=sheet.to)
            text += f"\n\n{attribution}\n" + "\n".join(f"> {line}".rstrip() for line in sheet.answered.splitlines())
        fitting = _fitting(charset, text + sheet.subject + sheet.name)
        kind = f"Content-Type: text/plain; charset={fitting}\r\n"
        return _head(sheet, fitting) + kind.encode() + _body(text, fitting, encoding)

    return write


def _fitting(charset: str, text: str) -> str:
    """The charset where it has all signs of the text, else utf-8, as mail programs do."""
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        return "utf-8"
    return charset


def _webmail(sheet: Sheet, random: Random) -> bytes:
    """A webmail program: HTML alone, the answer in a div, the letter answered in a blockquote."""
    shown = "".join(f"<div>{html.escape(line) or '<br />'}</div>" for line in sheet.text.splitlines())
    if sheet.answered:
        when = sheet.at.astimezone(_MOSCOW).strftime("%d.%m.%Y, %H:%M")
        lines = "<br />".join(html.escape(line) for line in sheet.answered.splitlines())
        shown += f'<div><br /></div><div>{when}, "Ведущий" &lt;{sheet.to}&gt;:</div><blockquote><div>{lines}</div></blockquote>'
    return _head(sheet, "utf-8") + b"Content-Type: text/html; charset=utf-8\r\n" + _body(shown, "utf-8", "base64")


def _both(sheet: Sheet, random: Random) -> bytes:
    """A program that writes the same twice, as text and as HTML."""
    edge = f"----=_Part_{sheet.number}_{random.randrange(10**6)}"
    shown = "<br>".join(html.escape(line) for line in sheet.text.splitlines())
    page = f'<html><body><div dir="ltr">{shown}</div></body></html>'
    parts = [
        b"Content-Type: text/plain; charset=utf-8\r\n" + _body(sheet.text, "utf-8", "quoted-printable"),
        b"Content-Type: text/html; charset=utf-8\r\n" + _body(page, "utf-8", "quoted-printable"),
    ]
    head = _head(sheet, "utf-8") + f'Content-Type: multipart/alternative; boundary="{edge}"\r\n\r\n'.encode()
    return head + b"".join(f"--{edge}\r\n".encode() + part + b"\r\n" for part in parts) + f"--{edge}--\r\n".encode()


_CLIENTS: tuple[Client, ...] = (
    _plain("utf-8", "8bit", header='{when}, "Ведущий" <{to}>:'),
    _plain("utf-8", "base64", ending="\n\n-- \nС телефона писать неудобно", header="{when} пользователь Ведущий <{to}> написал:"),
    _plain("koi8-r", "8bit", header="Вы писали {when}:"),
    _plain(
        "windows-1251",
        "quoted-printable",
        ending="\n\n--\nОтправлено из Mail.ru для Android",
        header="{when}, Ведущий <{to}> пишет:",
    ),
    _plain("windows-1251", "base64", quoted=False),
    _plain("utf-8", "quoted-printable", ending="\n\nОтправлено с iPhone", quoted=False),
    _webmail,
    _both,
)


def automatic(sheet: Sheet) -> bytes:
    """A holiday notice: a program's letter, which nobody answers."""
    kind = "Content-Type: text/plain; charset=utf-8\r\nAuto-Submitted: auto-replied\r\n"
    return _head(sheet, "utf-8") + kind.encode() + _body(sheet.text, "utf-8", "8bit")


def _head(sheet: Sheet, charset: str) -> bytes:
    name = Header(sheet.name, charset).encode()
    subject = Header(sheet.subject, charset).encode()
    lines = (
        f"From: {name} <{sheet.sender}>",
        f"To: {sheet.to}",
        f"Subject: {subject}",
        f"Date: {format_datetime(sheet.at.astimezone(_MOSCOW))}",
        f"Message-ID: <{sheet.number}.{sheet.sender}>",
        "MIME-Version: 1.0",
    )
    return "".join(f"{line}\r\n" for line in lines).replace("\n ", "\r\n ").replace("\r\r", "\r").encode()


def _body(text: str, charset: str, encoding: str) -> bytes:
    data = text.replace("\n", "\r\n").encode(charset)
    if encoding == "base64":
        data = b64encode(data)
        data = b"\r\n".join(data[i : i + 76] for i in range(0, len(data), 76))
    elif encoding == "quoted-printable":
        data = encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    return f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + data + b"\r\n"
