"""What our own mail provider says of a sender: the topmost ``Authentication-Results`` of that server, and nothing else.

The field is read by the grammar of RFC 8601 and by nothing laxer: one that does not follow it proves nothing, since its odd
place may be where a stranger's words (his envelope address, his selector) have got out of their quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from adapters.model import Auth

_LONGEST = 10_000
"""Signs of a field; no server writes longer ones."""
_MOST_COMMENTS = 50
"""How deep comments may stand in one another."""
_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<quoted>\"(?:[^\"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x1f\x7f])*\")"
    r"|(?P<sign>[;=/])|(?P<atom>[^\s\x00-\x20\x7f\ufffd\"\\(),;<>=/]+)"
)
_VALUE = re.compile(r"(?:\"(?:[^\"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x1f\x7f])*\"|[^\s\x00-\x20\x7f\ufffd\"\\(),;<>]+)*")
_RESULT = re.compile(r"(?P<method>[A-Za-z0-9-]+)(?:\s*/\s*\d+)?\s*=\s*(?P<said>[A-Za-z0-9-]+)(?=[\s;]|$)")
_PROPERTY = re.compile(r"(?P<name>[A-Za-z0-9_-]+(?:\s*\.\s*[A-Za-z0-9_.-]+)?)\s*=\s*")
_ID = r"(?:\"[^\"\\]*\"|[^\s\x00-\x20\x7f\ufffd\"\\(),;<>=]+)"
_HEAD = re.compile(rf"{_ID}(?:\s+(?P<version>\d+))?\s*(?=;|$)")
_SERVER = re.compile(rf"\s*(?:\((?:[^()\\]|\\.)*\)\s*)*(?P<server>{_ID})")
_DOMAIN = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_](?:[\w-]*[^\W_])?")
_NAMES = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom", "smtp.mail", "smtp.envelope-from", "smtp.from"),
}
"""Methods that can prove a domain, and the properties that name it, the surest first."""


class _RefusedError(ValueError):
    """The field does not follow the grammar."""


@dataclass(frozen=True, slots=True)
class _Result:
    method: str
    said: str
    properties: tuple[tuple[str, str], ...]

    def domain(self) -> str:
        """The domain that this result is about; "" where it names none."""
        named = dict(self.properties)
        return next((_domain(named[name]) for name in _NAMES.get(self.method, ()) if named.get(name)), "")


def verdict(fields: Iterable[str], authserv: str, domain: str) -> Auth:
    """Whether our server proved the domain of From.

    ``fields``: the values of all Authentication-Results of the letter, topmost first; ``authserv``: our server's id (letter
    case and a version number aside); ``domain``: of the address in From, "" where there is none.
    pass: dmarc=pass for this domain, or dkim=pass or spf=pass with an aligned domain where the server gave no verdict by
    DMARC; fail: our server spoke and it is not proven, or what it said cannot be read; none: our server said nothing.
    The server's dmarc=fail is its last word. Comments prove nothing.
    """
    ours = next((value for value in fields if authserv and server_of(value) == authserv.strip().lower()), None)
    if ours is None:
        return "none"
    try:
        results = _results(ours)
    except _RefusedError:
        return "fail"
    spoken = [result for result in results if result.said != "none"]
    if not spoken:
        return "none"
    return "pass" if domain and _proven(spoken, domain) else "fail"


def server_of(value: str) -> str:
    """The id of the server that wrote a field, in small letters; "" where the field does not begin with one.

    What is broken behind the id does not matter here: our own server's broken field must not be passed over for one below it.
    """
    head = _SERVER.match(value[:_LONGEST])
    return head["server"].strip('"').lower() if head else ""


def _proven(results: Sequence[_Result], domain: str) -> bool:
    by_policy = [result for result in results if result.method == "dmarc"]
    if any(result.said == "fail" for result in by_policy):
        return False
    passed = [result for result in by_policy if result.said == "pass" and result.domain()]
    if passed:
        # One letter has one From: a server that names two domains has been talked into one of them.
        return all(aligned(result.domain(), domain) for result in passed)
    others = [result for result in results if result.method in ("dkim", "spf") and result.said == "pass"]
    return any(aligned(result.domain(), domain) for result in others)


# --- the grammar --------------------------------------------------------------------------------------------------------


def _without_comments(value: str) -> str:
    """The field without its comments; brackets inside quotation marks are text. Raises _RefusedError where one does not end."""
    out: list[str] = []
    depth = 0
    quoted = escaped = False
    for char in value:
        if escaped:
            escaped = False
            if not depth:
                out.append(char)
            continue
        if char == "\\" and (quoted or depth):
            escaped = True
        elif char == '"' and not depth:
            quoted = not quoted
        if not quoted and char == "(":
            depth += 1
        elif not quoted and char == ")":
            depth -= 1
            out.append(" ")
        elif not depth:
            out.append(char)
        if not 0 <= depth <= _MOST_COMMENTS:
            raise _RefusedError("brackets")
    if depth or quoted or escaped:
        raise _RefusedError("no end")
    return "".join(out)


def _results(value: str) -> list[_Result]:
    """The results of a field. Raises _RefusedError for one that does not follow the grammar."""
    if len(value) > _LONGEST:
        raise _RefusedError("too long")
    bare = _without_comments(value).strip()
    head = _HEAD.match(bare)
    if head is None or head["version"] not in (None, "1"):
        raise _RefusedError("head")
    pieces = _pieces(bare[head.end() :])
    if [piece.lower() for piece in pieces] == ["none"]:
        return []
    return [_result(piece) for piece in pieces]


def _pieces(rest: str) -> list[str]:
    """What stands between semicolons that are outside quotation marks; servers end the field with one, too."""
    pieces: list[str] = []
    at = start = 0
    while at < len(rest):
        token = _TOKEN.match(rest, at)
        if token is None:
            raise _RefusedError("sign")
        if token["sign"] == ";":
            pieces.append(rest[start:at].strip())
            start = token.end()
        at = token.end()
    pieces.append(rest[start:].strip())
    if pieces[0]:
        raise _RefusedError("head")
    wanted = pieces[1:-1] if len(pieces) > 2 and not pieces[-1] else pieces[1:]
    if not wanted or not all(wanted):
        raise _RefusedError("empty")
    return wanted


def _result(piece: str) -> _Result:
    found = _RESULT.match(piece)
    if found is None:
        raise _RefusedError("result")
    properties: list[tuple[str, str]] = []
    at = found.end()
    while at < len(piece):
        name = _PROPERTY.match(piece, len(piece) - len(piece[at:].lstrip()))
        value = _VALUE.match(piece, name.end()) if name else None
        if name is None or value is None or (value.end() < len(piece) and not piece[value.end()].isspace()):
            raise _RefusedError("property")
        properties.append(("".join(name["name"].split()).lower(), value[0]))
        at = value.end()
        if not piece[at:].strip():
            break
    told = [key for key, _ in properties if key in _NAMES.get(found["method"].lower(), ())]
    if len(told) != len(set(told)):
        raise _RefusedError("told twice")
    return _Result(found["method"].lower(), found["said"].lower(), tuple(properties))


def _domain(value: str) -> str:
    """The domain that a value names: behind its last ``@``, which stands outside quotation marks; "" where that is no domain.
    A value that is quoted as a whole is what stands within."""
    if len(value) >= 2 and value[0] == value[-1] == '"' and '"' not in value[1:-1].replace('\\"', ""):
        value = re.sub(r"\\(.)", r"\1", value[1:-1])
    named = value.rpartition("@")[2].rstrip(".")
    return named.lower() if _DOMAIN.fullmatch(named) else ""


# --- whose domain -------------------------------------------------------------------------------------------------------


def aligned(proven: str, claimed: str) -> bool:
    """Whether who owns ``proven`` may speak for ``claimed``: it is the same domain or one above it under which not just
    anybody gets a name. Who owns a domain below or beside may be a stranger (students, customers, tenants)."""
    proven, claimed = _ascii(proven), _ascii(claimed)
    if not proven or not claimed:
        return False
    return proven == claimed or (claimed.endswith(f".{proven}") and not is_public(proven))


def _ascii(domain: str) -> str:
    """A domain as it is registered. A label that the old rules of names in Unicode change beyond its letter case ("ß" to "ss") is
    left as it is: who owns the one may be a stranger to the other."""
    return ".".join(map(_label, domain.strip().rstrip(".").lower().split(".")))


def _label(label: str) -> str:
    try:
        made = label.encode("idna").decode("ascii")
        return made if label.isascii() or made.encode("ascii").decode("idna") == label else label
    except UnicodeError:
        return label


def is_public(domain: str) -> bool:
    """Whether strangers register names right under this one (``com``, ``msk.ru``, ``duckdns.org``)."""
    return "." not in domain or _list().is_public(domain)


@lru_cache(1)
def _list() -> PublicSuffixList:
    """The list that travels in the package; nothing is fetched."""
    return PublicSuffixList()
