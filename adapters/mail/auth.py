"""What our own mail provider says of a sender: the topmost ``Authentication-Results`` of that server, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

import authres

from adapters.model import Auth

_SECOND_LEVELS = frozenset(("co", "com", "org", "net", "edu", "gov", "ac", "info", "biz", "int", "mil", "in", "pp"))
_PUBLIC = frozenset(
    (
        "msk.ru",
        "spb.ru",
        "nov.ru",
        "nnov.ru",
        "perm.ru",
        "tomsk.ru",
        "samara.ru",
        "msk.su",
        "spb.su",
        "kiev.ua",
        "kyiv.ua",
        "lviv.ua",
        "odessa.ua",
        "kharkov.ua",
        "dp.ua",
        "narod.ru",
        "ucoz.ru",
        "ucoz.com",
        "ucoz.net",
        "ucoz.org",
        "ucoz.ua",
        "at.ua",
        "do.am",
        "my1.ru",
        "clan.su",
        "3dn.ru",
        "github.io",
        "blogspot.com",
    )
)
"""Names under which strangers own neighbours: beside the usual ``com.ru``, the hosting domains that players know."""


def verdict(fields: Iterable[str], authserv: str, domain: str) -> Auth:
    """Whether our server proved the domain of From.

    ``fields``: the values of all Authentication-Results of the letter, topmost first; ``authserv``: our server's id (letter
    case and a version number aside); ``domain``: of the address in From, "" where there is none.
    pass: dmarc=pass for this domain, or dkim=pass, or spf=pass, with an aligned domain; fail: our server spoke and it is not
    proven; none: our server said nothing. Comments prove nothing.
    """
    ours = next((value for value in fields if authserv and _server(value) == authserv.strip().lower()), None)
    if ours is None:
        return "none"
    results = _results(ours)
    spoken = [result for result in results if result[1] != "none"]
    if not spoken:
        return "none"
    return "pass" if domain and any(_proves(result, domain) for result in spoken) else "fail"


def _without_comments(value: str) -> str:
    """The field without its comments; brackets inside quotation marks are text."""
    out: list[str] = []
    depth = 0
    quoted = escaped = False
    for char in value:
        if escaped:
            escaped = False
            if not depth:
                out.append(char)
            continue
        if char == "\\":
            escaped = True
            continue
        if char == '"' and not depth:
            quoted = not quoted
        if not quoted and char == "(":
            depth += 1
        elif not quoted and char == ")" and depth:
            depth -= 1
            out.append(" ")
        elif not depth:
            out.append(char)
    return "".join(out)


def _server(value: str) -> str:
    first = _without_comments(value).strip().split(";", 1)[0].split()
    return first[0].strip('"').lower() if first else ""


def _results(value: str) -> list[tuple[str, str, dict[str, str]]]:
    """(method, result, properties) of each result; what cannot be read is no result."""
    bare = " ".join(_without_comments(value).split())
    try:
        parsed = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {bare}")
    except Exception:  # authres raises plain errors of many kinds on broken fields; then each result is tried alone
        return [one for piece in bare.split(";")[1:] for one in _alone(bare.split(";", 1)[0], piece)]
    return [_plain(result) for result in parsed.results if getattr(result, "method", None)]


def _alone(server: str, piece: str) -> list[tuple[str, str, dict[str, str]]]:
    try:
        parsed = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {server}; {piece.strip()}")
    except Exception:  # see above: an unreadable result is no result
        return []
    return [_plain(result) for result in parsed.results if getattr(result, "method", None)]


def _plain(result: object) -> tuple[str, str, dict[str, str]]:
    method = str(getattr(result, "method", "")).lower()
    properties = {
        f"{entry.type}.{entry.name}".lower(): str(entry.value or "")
        for entry in getattr(result, "properties", ())
        if entry.type and entry.name
    }
    return method, str(getattr(result, "result", "") or "").lower(), properties


def _proves(result: tuple[str, str, dict[str, str]], domain: str) -> bool:
    method, said, properties = result
    if said != "pass":
        return False
    if method == "dmarc":
        named = properties.get("header.from", "")
        return not named or aligned(_domain(named), domain)
    names = {"dkim": ("header.d", "header.i"), "spf": ("smtp.mailfrom", "smtp.mail", "smtp.envelope-from", "smtp.from")}.get(
        method, ()
    )
    named = next((properties[name] for name in names if properties.get(name)), "")
    return bool(named) and aligned(_domain(named), domain)


def _domain(value: str) -> str:
    return value.strip().strip('<>"').rpartition("@")[2]


def aligned(one: str, other: str) -> bool:
    """Equal, or of one organisational domain."""
    one, other = _ascii(one), _ascii(other)
    return bool(one) and (one == other or organisation(one) == organisation(other))


def _ascii(domain: str) -> str:
    domain = domain.strip().rstrip(".").lower()
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def organisation(domain: str) -> str:
    """The organisational domain: one label more than the public suffix."""
    labels = domain.split(".")
    if len(labels) <= 2 or re.fullmatch(r"[\d.\[\]]+", domain):
        return domain
    suffix = ".".join(labels[-2:])
    public = suffix in _PUBLIC or (len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS)
    return ".".join(labels[-3:]) if public else suffix
