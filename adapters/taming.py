"""HTML that a parser gets through in time, whoever wrote it.

A parser as browsers have it needs time that grows with the square of some numbers: attributes of one tag, depth, formatting
elements that are open at once. Usual pages and letters pass untouched, by a look that costs nothing beside the parsing. The
others are gone through tag by tag; where one of the numbers is beyond what people and programs write, the document is written
anew, well-formed, without what is too much. Its words stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape, unescape

from adapters.writer import words

_FEW_TAGS = 8_000
_FEW_PRODUCTS = 2_000_000
"""Tags times formatting tags with attributes: what a parser may have to open again."""
_SHORT = 4_000
"""Signs between a tag's beginning and the next ``>``."""
_FEW_QUOTED = 8
"""Values in quotation marks that hold ``<`` or ``>``: each may hide where a tag ends."""
_MOST_IN_TAGS = 120_000
"""Signs within tags, which may be the names of attributes."""
_MOST_NAMES = 1_000
"""Different names of elements and attributes: a parser looks them up in a table that is made for few."""
_DEEPEST, _DEEPEST_QUOTES, _FORMATTING_OPEN = 400, 400, 40
_MOST_ATTRIBUTES, _LONGEST_VALUE = 40, 2_000
_MOST_TAGS = 300_000
"""A page of two megabytes has fewer, unless it is made of nothing else."""

VOID = words("area base br col embed hr img input link meta param source track wbr")
_FORMATTING = words("a b big code em font i nobr s small strike strong tt u")
_RAW = words("script style xmp iframe noembed noframes textarea title")
_SILENT = words("svg math select template object applet video audio canvas noscript") | _RAW - {"style"}
"""Elements whose text nobody reads; where a document is written anew they are left out."""
_UNREAD = _SILENT | _RAW
_SAME_AGAIN = words("p li td th tr tbody thead tfoot option dd dt")
"""Elements that one of their kind closes: their end tags may be missing however many there are."""
_BARRIERS = words("table td th caption object applet marquee template html button")
_BREAKS_OUT = words(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p "
    "pre ruby s small span strong strike sub sup table tt u ul var font foreignobject desc mi mo mn ms mtext annotation-xml"
)
_LISTS = words("ul ol dl table select")
_ODD = words("frameset plaintext")
_FOREIGN = words("svg math")
_USUAL_NAMES = words(
    "align alt border class color face height href id name onclick rel size src style target title type value width"
)
"""Attributes as engines write them."""
_KNOWN = (
    _USUAL_NAMES | VOID | _FORMATTING | _UNREAD | _SAME_AGAIN | _BARRIERS | _BREAKS_OUT | _LISTS | _ODD | _FOREIGN
    | words("hidden data-emoji datetime edit-url cite open details summary label form article section time q del ins")
)  # fmt: skip
_OTHER = _BARRIERS | _LISTS | _FOREIGN
"""Elements that change what tags within them mean."""

_WITH_ATTRIBUTES = re.compile(r"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/]", re.I)
_TAG_START = re.compile(r"</?[a-zA-Z]")
_QUOTED_SIGN = re.compile(r"=\s*+(?:\"[^\"<>]*+[<>]|'[^'<>]*+[<>])")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:\"(?P<double>[^\"]*+)\"?|'(?P<single>[^']*+)'?|(?P<bare>[^\s>\"'][^\s>]*+)))?+"
)
_NO_NAME = re.compile(r"[\"'<&\x00]")
_ATTRIBUTES = r"(?:[\s/]++|[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s>\"'][^\s>]*+))?+)*+"
_TOKEN = re.compile(
    rf"<!--(?:-?>|(?:(?!--!?>).)*+(?:--!?>|\Z))|<(?P<end>/?)(?P<tag>[a-zA-Z][^\s/>]*+)(?P<attributes>{_ATTRIBUTES})>?"
    r"|<[!?/][^>]*+>?",
    re.S,
)
_NAME = "|".join(sorted(_USUAL_NAMES))
_PLAIN_ATTRIBUTES = re.compile(
    rf"(?: (?:{_NAME})=(?:\"[^\"&<>]{{0,{_LONGEST_VALUE}}}\"|[\w#:.-]{{1,{_LONGEST_VALUE}}})){{1,{_MOST_ATTRIBUTES}}}"
)
"""Attributes as they may stay; the first of those of one name counts anyway."""
_PLAIN_END = 40
"""Signs of attributes of an end tag, which is written without them, that cannot be too many."""


@dataclass(frozen=True, slots=True)
class Tamed:
    """HTML for a parser. ``whole`` is false where tags or attributes were left out."""

    html: str
    whole: bool = True
    cut: bool = False
    """The marks of everything from some place on were left out."""


def tamed(html: str) -> str:
    """The HTML for a parser (see ``tame``)."""
    return tame(html).html


def tame(html: str, most_tags: int = _MOST_TAGS) -> Tamed:
    """HTML that is parsed in time linear in its length: itself, unless it is made to take longer. Of a document that must be
    gone through, the marks of ``most_tags`` tags are kept."""
    if _is_usual(html):
        return Tamed(html)
    walk = _Walk(html, most_tags)
    walk.run()
    return Tamed("".join(walk.out), whole=False, cut=walk.cut) if walk.excess else Tamed(html)


def _is_usual(html: str) -> bool:
    tags = html.count("<")
    if tags > _FEW_TAGS:
        return False
    if tags > 200 and tags * len(_WITH_ATTRIBUTES.findall(html)) > _FEW_PRODUCTS:
        return False
    within = 0
    for piece in html.split(">"):
        within += len(piece) - piece.rfind("<")
        if len(piece) > _SHORT and (start := _TAG_START.search(piece)) is not None and len(piece) - start.start() > _SHORT:
            return False
    return within <= _MOST_IN_TAGS and sum(1 for _ in _QUOTED_SIGN.finditer(html)) <= _FEW_QUOTED


@dataclass(slots=True)
class _Walk:
    """One way through a document: ``excess`` tells whether it is out of measure, ``out`` is what it is written anew as."""

    html: str
    most_tags: int
    out: list[str] = field(default_factory=list)
    excess: bool = False
    cut: bool = False
    _stack: list[tuple[str, bool]] = field(default_factory=list)
    """The open elements, and whether each was written."""
    _open: dict[str, list[int]] = field(default_factory=dict)
    """Where in the stack the open elements of a name stand; the next two: those that keep an end tag from reaching out."""
    _barriers: list[int] = field(default_factory=list)
    _lists: list[int] = field(default_factory=list)
    _formatting: list[str] = field(default_factory=list)
    """Formatting elements as a parser remembers them: they outlive the paragraph in which they stand, but no cell; "" is a
    cell's beginning."""
    _names: set[str] = field(default_factory=lambda: set(_KNOWN))
    """Names of elements and attributes that may stand: those that mean something, and as many others."""
    _foreign: int = 0
    """How many elements are open within which another grammar than that of HTML holds."""

    def run(self) -> None:
        at = tags = 0
        silent, level = "", 0
        raw = ""
        html, out, most = self.html, self.out, self.most_tags
        for token in _TOKEN.finditer(html):
            end, tag, attributes = token.groups()
            name = tag.lower() if tag else ""
            if raw:
                if not end or name != raw:
                    continue  # no tag: text of a script or a title
                raw = ""
            start = token.start()
            if not silent and at < start:
                out.append(html[at:start].replace("<", "&lt;"))
            at = token.end()
            if not name:
                continue
            unread = name in _UNREAD
            if unread:
                if not end and name in _RAW and not self._foreign:
                    raw = name
                if silent:
                    level += (-1 if end else 1) * (name == silent)
                    silent = silent if level > 0 else ""
                elif name in _SILENT and not end and not attributes.endswith("/"):
                    silent, level = name, 1
            tags += 1
            if tags > most:
                self.excess = self.cut = True
            elif end:
                self._end(name, attributes)
            else:
                self._start(name, attributes, written=not silent and name not in _SILENT)
            if unread and raw == "style" and not silent and self._stack[-1:] != [("style", True)]:
                silent, level = raw, 1  # its tag was too much: what it holds is no text
        if not silent and not raw:
            out.append(html[at:].replace("<", "&lt;"))
        out.extend(f"</{name}>" for name, written in reversed(self._stack) if written)

    def _end(self, name: str, source: str) -> None:
        if name in _ODD or (self._foreign and name in _BREAKS_OUT):
            self.excess = True
        if source and len(source) > _PLAIN_END:
            self._attributes(source)
        if name in _FORMATTING:
            self._forget(name)
        elif name not in self._open and not self._is_known(name):
            return
        stack = self._stack
        if stack and stack[-1][0] == name:
            self._pop()
        else:
            self._close(name)

    def _start(self, name: str, source: str, *, written: bool) -> None:
        if name in _ODD or (self._foreign and name in _BREAKS_OUT):
            self.excess = True
        attributes = source if not source or _PLAIN_ATTRIBUTES.fullmatch(source) else self._attributes(source)
        if name not in self._open and not self._is_known(name):
            return
        if name not in VOID:
            if name in _SAME_AGAIN:
                self._close(name, same=True)
            if name == "a":
                self._forget(name)
            if self._is_too_much(name):
                self.excess = True
                return
            self._push(name, written=written)
        if written:
            self.out.append(f"<{name}{attributes}>")

    def _is_known(self, name: str) -> bool:
        """Whether a name of an element or attribute may stand; each different one counts."""
        if name in self._names:
            return True
        if len(self._names) >= len(_KNOWN) + _MOST_NAMES:
            self.excess = True
            return False
        self._names.add(name)
        return True

    def _is_too_much(self, name: str) -> bool:
        if name == "blockquote":
            return len(self._open.get(name, ())) >= _DEEPEST_QUOTES
        depth = len(self._stack)
        if depth >= _DEEPEST and depth >= _DEEPEST + len(self._open.get("blockquote", ())):
            return True
        return len(self._formatting) >= _FORMATTING_OPEN and name in _FORMATTING

    def _forget(self, name: str) -> None:
        """The end of a formatting element of this cell."""
        for back in range(len(self._formatting) - 1, -1, -1):
            if self._formatting[back] in ("", name):
                if self._formatting[back]:
                    del self._formatting[back]
                return

    def _close(self, name: str, *, same: bool = False) -> None:
        """Close an element and what stands open in it; nothing where none is open on this side of a table's cell."""
        places = self._open.get(name)
        if not places:
            return
        place = places[-1]
        if self._barriers and self._barriers[-1] > place and (same or name not in _BARRIERS):
            return
        if same and self._lists and self._lists[-1] > place:
            return
        while len(self._stack) > place:
            self._pop()

    def _push(self, name: str, *, written: bool) -> None:
        place = len(self._stack)
        self._stack.append((name, written))
        self._open.setdefault(name, []).append(place)
        if name in _FORMATTING:
            self._formatting.append(name)
        elif name in _OTHER:
            if name in _BARRIERS:
                self._formatting.append("")
                self._barriers.append(place)
            if name in _LISTS:
                self._lists.append(place)
            self._foreign += name in _FOREIGN

    def _pop(self) -> None:
        name, written = self._stack.pop()
        self._open[name].pop()
        if name in _OTHER:
            if name in _BARRIERS:
                self._barriers.pop()
                while self._formatting and self._formatting.pop():
                    pass
            if name in _LISTS:
                self._lists.pop()
            self._foreign -= name in _FOREIGN
        if written:
            self.out.append(f"</{name}>")

    def _attributes(self, source: str) -> str:
        if self.excess and (alone := source[1:].lower()).isalnum() and not self._is_known(alone):
            return ""
        made: dict[str, str] = {}
        for found in _ATTRIBUTE.finditer(source):
            if len(made) >= _MOST_ATTRIBUTES:
                self.excess = True
                break
            value = found["double"] or found["single"] or found["bare"] or ""
            key = _NO_NAME.sub("", found["name"].lower())
            if key and key not in made and self._is_known(key):
                made[key] = escape(unescape(value[:_LONGEST_VALUE]))
        return "".join(f' {key}="{value}"' for key, value in made.items())
