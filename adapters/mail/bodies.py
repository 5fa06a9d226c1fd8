"""The MIME tree of a letter to the lines that a person wrote: which part counts, its bytes, its charset, its line ends."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message

from adapters.mail import charsets, html, transfer
from adapters.mail import wordings as say
from adapters.mail.headers import Head
from adapters.mail.replies import Line, plain_lines, strip

_MOST_DEPTH = 60
_MOST_LINES, _MOST_DELIMITERS, _MOST_REPORTS, _MOST_LETTERS = 60_000, 1_000, 1_000, 40
"""Lines of a letter, lines that may divide its parts, paragraphs of a delivery report, letters within letters: what is read."""
_MOST_FIELDS, _LONGEST_FIELD = 200, 4_000
"""Fields of a part's head and signs of a field that the standard parser is given; it needs the square of both."""
_LONGEST_TEXT = 400_000
_MOST_WORK = 3_000_000
"""Boundaries times lines: the standard parser's work. A letter beyond this is nobody's, and is not read."""
_MOST_PARTS = 400
_TEXT, _HTML = dict.fromkeys(("plain/text", "text", "plain"), "text/plain"), dict.fromkeys(("html/text", "html"), "text/html")
_SWAPPED = _TEXT | _HTML
"""Types that careless programs write."""
_LETTER_PART = rb"(?i:content-type:\s{0,20}message/)"
_META = re.compile(rb"<meta[^>]{0,300}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_PGP_HEAD = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----$")


class _Part(Message):
    """A part with no more fields than anybody writes."""

    def set_raw(self, name: str, value: str) -> None:
        if len(self) < _MOST_FIELDS:
            super().set_raw(name, value)


class _Policy(email.policy.Compat32):
    """The standard's oldest policy, which raises least, with fields of bounded length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:_LONGEST_FIELD]


_POLICY = _Policy()


@dataclass(frozen=True, slots=True)
class Body:
    """The lines of a letter, what was wrong on the way, and all parts of its tree (not of attached letters)."""

    lines: tuple[Line, ...]
    problems: tuple[str, ...]
    parts: tuple[Message, ...]


@dataclass(slots=True)
class _Reading:
    problems: set[str] = field(default_factory=set)
    parts: list[Message] = field(default_factory=list)


def read_body(raw: bytes) -> Body:
    """Read the body of a raw letter. May raise what the standard parser raises on broken letters."""
    reading = _Reading()
    raw, whole = _measured(raw)
    if not whole:
        reading.problems.add("too_complicated")
    boundaries = len(re.findall(rb"boundary\*?\d?\*?=", raw, re.IGNORECASE))
    if boundaries > 1 and boundaries * (raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")) > _MOST_WORK:
        return Body((), ("too_complicated",), ())
    root = _parse(raw)
    root = _with_guessed_boundary(root, raw)
    _collect(root, reading.parts, 0)
    lines = _lines(root, reading, top=True)
    return Body(tuple(lines), tuple(sorted(reading.problems)), tuple(reading.parts))


def _measured(raw: bytes) -> tuple[bytes, bool]:
    """As much of a letter as is read, from its beginning, and whether that is all: real ones stay far below the measures."""
    end = len(raw)
    # To the standard parser a carriage return alone is the end of a line, too.
    for mark, most in ((rb"\r\n?|\n", _MOST_LINES), (rb"(?:^|(?<=\r))--", _MOST_DELIMITERS), (_LETTER_PART, _MOST_LETTERS)):
        end = min(end, _place_of(mark, most, raw))
    if re.search(rb"(?i)delivery-status", raw) is not None:
        end = min(end, _place_of(rb"\n\r?\n", _MOST_REPORTS, raw))
    return raw[:end], end == len(raw)


def _place_of(mark: bytes, number: int, raw: bytes) -> int:
    """Where the mark stands for the so-manieth time; the end where it does not."""
    for count, found in enumerate(re.finditer(mark, raw, re.MULTILINE), 1):
        if count > number:
            return found.start()
    return len(raw)


def _with_guessed_boundary(root: Message, raw: bytes) -> Message:
    """A multipart letter whose boundary is missing or another one than stands in the body, parsed by the body's own."""
    if root.get_content_maintype() != "multipart" or root.is_multipart():
        return root
    head, _, rest = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    found = re.search(rb"^--([^\s\"]{1,70})[ \t]*\n(?=content-|\n)", rest, re.IGNORECASE | re.MULTILINE)
    if found is None:
        return root
    fields = Head.of_letter(head + b"\n\n").fields
    kept = b"".join(name.encode("ascii") + b": " + value + b"\n" for name, value in fields if name != "content-type")
    kind = root.get_content_type().encode("ascii", "ignore")
    rebuilt = kept + b"Content-Type: " + kind + b'; boundary="' + found[1] + b'"\n\n' + rest
    return _parse(rebuilt)


def _parse(raw: bytes) -> Message:
    """The tree, with each byte as one character: so no payload is decoded before its charset has been thought about."""
    return email.message_from_string(raw.decode("latin-1"), _Part, policy=_POLICY)


def _collect(part: Message, into: list[Message], depth: int) -> None:
    """All parts of the tree; attached letters are somebody else's and are not entered."""
    if len(into) >= _MOST_PARTS:
        return
    into.append(part)
    payload = part.get_payload()
    if part.get_content_maintype() == "multipart" and isinstance(payload, list) and depth < _MOST_DEPTH:
        for child in _messages(payload):
            _collect(child, into, depth + 1)


def _messages(payload: Sequence[object]) -> list[Message]:
    return [part for part in payload if isinstance(part, Message)]


def _lines(part: Message, reading: _Reading, *, top: bool = False) -> list[Line]:
    kind = _SWAPPED.get(str(part.get("Content-Type", "")).partition(";")[0].strip().lower()) or part.get_content_type()
    payload = part.get_payload()
    if part.get_content_maintype() == "multipart" and isinstance(payload, list):
        return _of_container(kind, part, _messages(payload)[:_MOST_PARTS], reading)
    if part.get_content_maintype() == "message":
        if kind in ("message/rfc822", "message/external-body", "message/partial"):
            reading.problems.add("attached_letter")
        return []
    if _is_attachment(part, top):
        reading.problems.add("winmail" if kind.endswith("ms-tnef") or _file_name(part).lower() == "winmail.dat" else "attachment")
        return []
    if kind == "text/html":
        return _of_html(part, reading)
    if kind in ("text/plain", "text/markdown", "text/enriched", "text/richtext") or part.get_content_maintype() == "multipart":
        return _of_plain(part, reading)
    return []


def _of_container(kind: str, part: Message, children: Sequence[Message], reading: _Reading) -> list[Line]:
    if kind == "multipart/alternative":
        return _of_alternative(children, reading)
    if kind == "multipart/signed":
        return _lines(children[0], reading) if children else []
    if kind == "multipart/related":
        return _of_related(part, children, reading)
    if kind == "multipart/report":
        children = children[:1]
    lines: list[Line] = []
    for child in children:
        more = _lines(child, reading)
        if more and lines:
            lines.append(Line(""))
        lines += more
    return lines


def _of_related(part: Message, children: Sequence[Message], reading: _Reading) -> list[Line]:
    start = str(part.get_param("start") or "").strip()
    root = next((child for child in children if start and str(child.get("Content-ID", "")).strip() == start), None)
    for child in (root, *children) if root is not None else children:
        lines = _lines(child, reading)
        if lines:
            return lines
    return []


def _of_alternative(children: Sequence[Message], reading: _Reading) -> list[Line]:
    """The one part that is the letter: the text part, or the HTML part where the text is empty, a stub, or a muddle."""
    plain: list[Line] = []
    marked: list[Line] = []
    for child in children:
        lines = _lines(child, reading)
        if not lines:
            continue
        if _is_html(child):
            marked = marked or lines
        else:
            plain = plain or lines
    return _better(plain, marked, reading)


def _is_html(part: Message) -> bool:
    if part.get_content_type() == "text/html":
        return True
    payload = part.get_payload()
    inside = payload if part.get_content_maintype() == "multipart" and isinstance(payload, list) else []
    return (
        any(sub.get_content_type() == "text/html" for sub in _messages(inside)[:2])
        and part.get_content_type() == "multipart/related"
    )


def _better(plain: list[Line], marked: list[Line], reading: _Reading) -> list[Line]:
    plain_words, html_words = _words(plain), _words(marked)
    if not html_words:
        return plain or marked
    if not plain_words or _is_stub(plain) or _is_muddle(plain):
        return marked
    ours, theirs = strip(plain).text, strip(marked).text
    ours_key, theirs_key = _key(ours), _key(theirs)
    if ours_key == theirs_key:
        return marked if len(ours.split()) < len(theirs.split()) else plain
    if theirs_key in ours_key:
        return marked
    if ours_key in theirs_key and ours_key:
        reading.problems.add("parts_differ")
        return plain
    if not ours_key:
        return plain
    reading.problems.add("parts_differ")
    return plain


def _words(lines: Sequence[Line]) -> bool:
    return any(not line.blank for line in lines)


def _key(text: str) -> str:
    """Letters and digits alone; links are left out, since only the text part spells them."""
    return "".join(re.findall(r"\w+", re.sub(r"<?https?://\S{1,2000}", "", text))).lower().replace("_", "")


def _is_stub(lines: Sequence[Line]) -> bool:
    text = " ".join(" ".join(line.text for line in lines[:12]).split())
    return len(text) <= 400 and any(form.search(text) for form in say.STUBS)


def _is_muddle(lines: Sequence[Line]) -> bool:
    """Text that lost its letters (question marks instead), holds HTML source, or has a quotation's head glued into a line."""
    text = "\n".join(line.text for line in lines[:400])[:20_000]
    letters = len(re.findall(r"[^\W\d_]", text))
    if text.count("?") > letters or re.search(r"</?(?:div|p|br|span|table|html|body)\b[^>]{0,200}>", text, re.IGNORECASE):
        return True
    return any(
        (found := say.SEPARATOR.search(line.text[:2000])) is not None and bool(line.text[found.end() :].strip(" -_=*"))
        for line in lines[:400]
    )


def _is_attachment(part: Message, top: bool) -> bool:
    disposition = _token(part.get("Content-Disposition"))
    swapped = str(part.get("Content-Type", "")).partition(";")[0].strip().lower() in _SWAPPED
    if part.get_content_maintype() not in ("text", "multipart") and not swapped:
        return True
    if disposition == "attachment":
        return True
    return bool(_file_name(part)) and not top


def _token(value: object) -> str:
    found = re.match(r"\s*([A-Za-z0-9_.-]+)", str(value or ""))
    return found.group(1).lower() if found else ""


def _file_name(part: Message) -> str:
    try:
        return str(part.get_filename() or "").strip()
    except Exception:  # a file name so broken that the standard parser raises is a file name all the same
        return "?"


def _payload(part: Message, reading: _Reading) -> bytes:
    """The part's bytes with its transfer encoding undone, also when that is cut, unknown or not told."""
    payload = part.get_payload()
    data = payload.encode("latin-1") if isinstance(payload, str) else b""
    encoding = _token(part.get("Content-Transfer-Encoding"))
    if encoding == "base64":
        found, problems = transfer.of_base64(data)
    elif encoding == "quoted-printable":
        found, problems = transfer.of_quoted_printable(data)
    elif encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        decoded = part.get_payload(decode=True)
        return decoded if isinstance(decoded, bytes) else data
    else:
        found, problems = transfer.untold(data)
    reading.problems |= problems
    return found


def _decoded(part: Message, reading: _Reading, data: bytes) -> str:
    try:
        label = part.get_content_charset()
    except Exception:  # see _file_name
        label = None
    if label is None and part.get_content_type() == "text/html":
        meta = _META.search(data[:4000])
        label = meta[1].decode("ascii") if meta else None
    found = charsets.decode(data, label)
    if found.damaged:
        reading.problems.add("damaged")
    if found.repaired:
        reading.problems.add("charset_repaired")
    if found.unsure:
        reading.problems.add("charset_doubtful")
    if len(found.text) > _LONGEST_TEXT and part.get_content_type() != "text/html":
        reading.problems.add("too_complicated")
        return found.text[:_LONGEST_TEXT]
    return found.text


def _of_html(part: Message, reading: _Reading) -> list[Line]:
    rendered = html.render(_decoded(part, reading, _payload(part, reading)))
    if rendered.struck:
        reading.problems.add("struck")
    if rendered.too_deep:
        reading.problems.add("too_deep")
    if rendered.framed:
        reading.problems.add("in_frame")
    return list(rendered.lines)


def _of_plain(part: Message, reading: _Reading) -> list[Line]:
    text = _decoded(part, reading, _payload(part, reading))
    if re.match(r"\s*<(?:!doctype html|html|body|div|p)\b", text[:200], re.IGNORECASE):
        return list(html.render(text).lines)
    if str(part.get_param("format") or "").strip().lower() == "flowed":
        return flowed(text, delsp=str(part.get_param("delsp") or "").strip().lower() == "yes")
    return _without_pgp(plain_lines(text))


def flowed(text: str, *, delsp: bool) -> list[Line]:
    """Undo format=flowed (RFC 3676): soft line ends joined within one depth of quotation, stuffed blanks taken off."""
    lines: list[Line] = []
    parts: list[str] = []
    depth_before = -1
    soft = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content in ("-- ", "--")
        if soft and (depth != depth_before or signature):
            _close(lines, parts, depth_before)
            soft = False
        flows = content.endswith(" ") and not signature
        parts.append(content[:-1] if flows and delsp else content)
        if not flows:
            _close(lines, parts, depth)
        soft, depth_before = flows, depth
    if parts:
        _close(lines, parts, depth_before)
    return lines


def _close(lines: list[Line], parts: list[str], depth: int) -> None:
    lines.append(Line("".join(parts), "quote" if depth > 0 else ""))
    parts.clear()


def _without_pgp(lines: list[Line]) -> list[Line]:
    """Without the frame of an inline PGP signature: its head up to the first blank line, and the signature."""
    out: list[Line] = []
    skipping = ""
    for line in lines:
        bare = line.text.strip()
        if skipping == "head":
            skipping = "head" if bare else ""
        elif skipping == "signature":
            skipping = "" if bare.startswith("-----END PGP") else "signature"
        elif _PGP_HEAD.match(bare):
            skipping = "head"
        elif bare.startswith("-----BEGIN PGP SIGNATURE-----"):
            skipping = "signature"
        else:
            out.append(line)
    return out
