"""Head fields of a letter, read from their raw bytes, so that no parser's opinion of a broken field loses it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from adapters.mail import charsets

_WORD = re.compile(rb"=\?([A-Za-z0-9_.:+-]{1,40})(?:\*[A-Za-z0-9-]{0,20})?\?([bBqQ])\?([^?]{0,1000})\?=")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u200b\ufeff\u202a-\u202e\u2066-\u2069]+")
_ADDRESS = re.compile(r"[^\s<>()\[\]\",;:]{1,200}@[^\s<>()\",;:]{1,253}")
_LONGEST, _MOST_LINES = 16_000, 5_000
"""Bytes of a field, and lines of a head, that are read."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A name and an address; either may be "". ``several`` when the field holds more than one address."""

    name: str
    address: str
    several: bool = False


class Head:
    """The head of a letter: its fields in order, unfolded, as bytes."""

    def __init__(self, fields: Sequence[tuple[str, bytes]]) -> None:
        self.fields = tuple(fields)

    @classmethod
    def of_letter(cls, raw: bytes) -> Head:
        """Read the head of a raw letter up to the first empty line; lines that are no field are passed over."""
        fields: list[tuple[str, list[bytes]]] = []
        for line in islice(_lines(raw), _MOST_LINES):
            if not line:
                break
            if line[:1] in b" \t" and fields:
                fields[-1][1].append(line.strip()[:_LONGEST])
                continue
            name, colon, value = line.partition(b":")
            if colon and name.strip() and not re.search(rb"[\s\x00-\x1f\x80-\xff]", name.strip()):
                fields.append((name.strip().decode("ascii").lower(), [value.strip()[:_LONGEST]]))
        return cls([(name, b" ".join(parts).strip()[:_LONGEST]) for name, parts in fields])

    def all(self, name: str) -> list[bytes]:
        """All values of a field, topmost first."""
        return [value for field, value in self.fields if field == name]

    def raw(self, name: str) -> bytes | None:
        """The first value of a field, or None where it is missing."""
        return next(iter(self.all(name)), None)

    def text(self, name: str) -> str:
        """The first value of a field as text, "" where it is missing."""
        return text_of(self.raw(name) or b"")

    def token(self, name: str) -> str:
        """The first word of a field in lower case without comments (``auto-replied``)."""
        found = re.match(r"[^\s;(]*", self.text(name).strip().lower())
        return found.group(0) if found else ""

    def message_id(self, name: str = "message-id") -> str | None:
        """A message id with its angle brackets, or None."""
        value = self.text(name)
        found = re.search(r"<[^<>\s]+>", value)
        return found.group(0) if found else value.strip() or None

    def mailbox(self, name: str) -> Mailbox:
        """The (first) mailbox of an address field. A name never becomes an address."""
        return mailbox_of(self.raw(name) or b"")


def _lines(raw: bytes) -> Iterator[bytes]:
    start = 0
    first = True
    while start < len(raw):
        end = raw.find(b"\n", start)
        end = len(raw) if end < 0 else end
        line = raw[start:end].rstrip(b"\r")
        start = end + 1
        if first and (not line or line.startswith((b"From ", b">From "))):
            continue  # an mbox line or empty lines before the head are no part of it
        first = False
        yield line


def text_of(value: bytes) -> str:
    """A field's text: encoded words joined and decoded, raw bytes by the scorer, line ends and controls as blanks."""
    parts: list[str] = []
    pending = b""
    charset = ""
    at = 0

    def flush() -> None:
        nonlocal pending
        if pending:
            parts.append(charsets.decode(pending, charset).text)
            pending = b""

    for word in _WORD.finditer(value):
        between = value[at : word.start()]
        label = word[1].decode("ascii").lower()
        if between.strip() or at == 0 or label != charset:
            flush()
        if between.strip() or (between and at == 0):
            parts.append(charsets.decode_header(between))
        charset = label
        pending += _word_bytes(word[2], word[3])
        at = word.end()
    flush()
    if value[at:]:
        parts.append(charsets.decode_header(value[at:]))
    return " ".join(_CONTROL.sub(" ", "".join(parts)).split())


def _word_bytes(kind: bytes, payload: bytes) -> bytes:
    if kind in b"bB":
        return loose_base64(payload)
    return binascii.a2b_qp(payload.replace(b" ", b"_"), header=True)


def loose_base64(data: bytes) -> bytes:
    """As much as can be decoded of base64 that may be cut, padded wrongly or hold foreign signs."""
    clean = re.sub(rb"[^A-Za-z0-9+/=]", b"", data)
    out = []
    for piece in re.split(rb"=+", clean):
        if len(piece) % 4 == 1:
            piece = piece[:-1]
        out.append(base64.b64decode(piece + b"=" * (-len(piece) % 4)))
    return b"".join(out)


def mailbox_of(value: bytes) -> Mailbox:
    """Name and address of an address field, read with quotation marks, comments, groups and angle brackets told apart first."""
    name, comment, angles = bytearray(), bytearray(), []
    quoted = False
    depth = 0
    found_end = False
    several = False
    at = 0
    while at < len(value):
        char = value[at : at + 1]
        word = _WORD.match(value, at) if char == b"=" else None
        if word is not None and not depth:
            name += word[0]  # what stands inside an encoded word is text, never a sign of the field's form
            at = word.end()
            continue
        if char == b"\\" and (quoted or depth) and at + 1 < len(value):
            (comment if depth else name).extend(value[at + 1 : at + 2])
            at += 2
            continue
        if quoted:
            quoted = char != b'"'
            if quoted:
                name += char
        elif depth:
            depth += {b"(": 1, b")": -1}.get(char, 0)
            if depth:
                comment += char
        elif char == b'"':
            quoted = True
        elif char == b"(":
            depth = 1
        elif char == b"<":
            end = value.find(b">", at)
            inside = value[at + 1 : end if end >= 0 else len(value)]
            angles.append(inside)
            at = end if end >= 0 else len(value)
        elif char in b",;" and (angles or b"@" in name):
            several = b"@" in value[at + 1 :]
            found_end = True
        elif char == b":" and value.rstrip().endswith(b";") and not angles:
            name.clear()
        else:
            name += char
        if found_end:
            break
        at += 1
    return _assemble(bytes(name), bytes(comment), angles, several)


def _assemble(name: bytes, comment: bytes, angles: list[bytes], several: bool) -> Mailbox:
    label = text_of(name.strip())
    if angles:
        inside = text_of(angles[0]).removeprefix("mailto:")
        found = _ADDRESS.search(inside)
        return Mailbox(_unquote(label) or text_of(comment.strip()), found.group(0) if found else "", several or len(angles) > 1)
    if b"=?" not in name:
        found = _ADDRESS.search(label)
        if found is not None:
            rest = _unquote((label[: found.start()] + label[found.end() :]).strip())
            return Mailbox(rest or text_of(comment.strip()), found.group(0), several)
    return Mailbox(_unquote(label) or text_of(comment.strip()), "", several)


def _unquote(name: str) -> str:
    """A name without the quotation marks that stood inside an encoded word."""
    name = name.strip()
    if len(name) >= 2 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1].strip()
    return name
