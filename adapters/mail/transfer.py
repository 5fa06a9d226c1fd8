"""A part's transfer encoding undone: base64 and quoted-printable also when they are cut, glued to other text or not told."""

from __future__ import annotations

import binascii
import re

from adapters.mail.headers import loose_base64

_CUT_ESCAPE = re.compile(
    rb"(?:(?<![A-Za-z0-9_])|(?<==[0-9A-F][0-9A-F]))(?:=D[0-3](?:=[89AB]?(?![0-9A-Fa-f\r\n])|=[89AB](?=[\r\n])))", re.IGNORECASE
)
"""The first byte of a Cyrillic letter, and of its second what was left."""
_PARTED_LETTER = re.compile(rb"(=D[0-3])=[ \t]{0,100}(?:\r?\n[ \t]{0,100}){1,3}(?==[89AB][0-9A-F])", re.IGNORECASE)
"""A letter whose two bytes a careless line break has parted, with blanks or an empty line between."""
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]*={0,2}")
_GLUED = re.compile(rb"([A-Za-z0-9+/]{2,}+={1,2}+)[^A-Za-z0-9+/=]")
"""A last line of base64, closed by its padding, with something else behind it."""
_SURELY_ESCAPED = re.compile(rb"=(?:D0|D1)=[89AB][0-9A-F]")
_MOST_BLOCKS, _LONGEST_GLUED = 20, 100_000
"""Blocks that may be an addition, and signs of a part in which such are looked for."""
_MOST_BANNER = 20
"""Lines of what a gate has put above a part."""
_LEAST = 16
"""Bytes of text below which a part without any word of base64 is not taken for it."""


def of_base64(data: bytes) -> tuple[bytes, frozenset[str]]:
    """The bytes, and what was wrong. What was glued on above or below is left out; a part that is no base64 stays as it is."""
    first = data.lstrip()[:400].partition(b"\n")[0]
    if re.search(rb"[^A-Za-z0-9+/=\s]", first) and not data.isascii():
        return data, frozenset({"charset_repaired"})
    kept = _without_glued(data)
    decoded = loose_base64(kept)
    if _is_text(decoded):
        return decoded, frozenset()
    if data.isascii() and b" " in first.strip() and not _is_text(decoded, torn=True):
        below = _below_banner(data)
        return (below, frozenset()) if below is not None else (data, frozenset({"charset_repaired"}))
    cut = len(re.findall(rb"[A-Za-z0-9+/]", kept)) % 4 == 1
    return decoded, frozenset({"damaged"}) if cut else frozenset()


def of_quoted_printable(data: bytes) -> tuple[bytes, frozenset[str]]:
    """The bytes, and what was wrong. Also with blanks behind soft line ends, and with an escape that was cut off."""
    data = _PARTED_LETTER.sub(rb"\1", data)
    data = re.sub(rb"=[ \t]{1,100}(?=\r?\n)", b"=", data)
    whole = _CUT_ESCAPE.sub(b"", data)
    return binascii.a2b_qp(whole), frozenset({"damaged"}) if whole != data else frozenset()


def untold(data: bytes) -> tuple[bytes, frozenset[str]]:
    """The bytes of a part that says it is not encoded, or says nothing: also when it is, after all."""
    if data.isascii():
        if len(_SURELY_ESCAPED.findall(data[:20_000])) >= 3:
            found, problems = of_quoted_printable(data)
            return found, problems | {"charset_repaired"}
        lines = data.split()
        if len(data) >= _LEAST and all(_BASE64_LINE.fullmatch(line) for line in lines) and len(set(map(len, lines[:-1]))) <= 1:
            decoded = loose_base64(data)
            if not decoded.isascii() and _is_text(decoded):
                return decoded, frozenset({"charset_repaired"})
    return data, frozenset()


def _without_glued(data: bytes) -> bytes:
    """Base64 without the plain lines that a list or a gate has put below it. A strange line with base64 below it is damage."""
    lines = [found[1] if (found := _GLUED.match(line)) else line for line in map(bytes.strip, data.splitlines())]
    first = next((at for at, line in enumerate(lines) if not _BASE64_LINE.fullmatch(line)), len(lines))
    if first < len(lines):  # what stands above a strange line, behind a blank or the padding, is a word of the same addition
        begun = next((at for at, line in enumerate(lines) if line), first)
        first = next((at for at in range(begun + 1, first) if not lines[at] or lines[at - 1].endswith(b"=")), first)
    below = any(len(line) >= 40 and _BASE64_LINE.fullmatch(line) for line in lines[first + 1 :])
    if first == 0 or below:
        return data
    return b"\n".join(_without_words(lines[:first]))


def _without_words(lines: list[bytes]) -> list[bytes]:
    """Without the last blocks that only look like base64 since their words are of its letters: behind the padding, behind a
    line that is shorter than those above, or behind an empty line, and no text together with what stands above them."""
    if sum(map(len, lines)) > _LONGEST_GLUED or _is_text(loose_base64(b"\n".join(lines))):
        return lines
    ends = [
        at
        for at in range(1, len(lines))
        if lines[at - 1].endswith(b"=") or not lines[at - 1] or len(lines[at - 1]) < len(lines[0])
    ]
    fitting = (lines[:at] for at in reversed(ends[-_MOST_BLOCKS:]))
    return next((block for block in fitting if any(block) and _is_text(loose_base64(b"\n".join(block)))), lines)


def _below_banner(data: bytes) -> bytes | None:
    """The base64 below a plain paragraph that a gate has put above it."""
    lines = data.splitlines()[:_MOST_BANNER]
    behind_blank = (at for at in range(1, len(lines)) if lines[at].strip() and not lines[at - 1].strip())
    at = next((at for at in behind_blank if _BASE64_LINE.fullmatch(lines[at].strip())), None)
    if at is None:
        return None
    decoded = loose_base64(_without_glued(b"\n".join(data.splitlines()[at:])))
    return decoded if not decoded.isascii() and _is_text(decoded) else None


def _is_text(data: bytes, *, torn: bool = False) -> bool:
    """Whether bytes are surely text in UTF-8. ``torn``: most of them, so that it is text that was damaged."""
    try:
        told = data.decode("utf-8")
    except UnicodeDecodeError:
        if not torn:
            return False
        told = data.decode("utf-8", "surrogateescape")
    odd = len(re.findall(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\udc80-\udcff]", told))
    return odd == 0 if not torn else odd * 4 <= len(told)
