"""BBCode of uCoz and phpBB to runs.

What the forums do with tags without a partner differs; here nothing doubtful turns words into a vote: a colour needs
both its tags (else it stays as text, as uCoz and phpBB 3.0 show it), while an unclosed quotation, strike-through or
code block reaches to the end of what holds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from adapters.colors import color_of
from adapters.model import Color, Run, Voice
from adapters.writer import PLAIN, Look, Writer, words

_BLOCKS = words("l c r j left center right justify list li quote code table tr")
_STRUCK = frozenset(("s", "strike", "del"))
_SPOILERS = frozenset(("spoiler", "spoil"))
_SILENT = words("img audio video media youtube attachment")
_ALONE = {"*": "\n", "hr": "\n", "br": "\n"}
_TAGS = (
    _BLOCKS | _STRUCK | _SPOILERS | _SILENT | _ALONE.keys() | words("b i u o em strong sup sub size font color url email hide td")
)
_TAG = re.compile(
    r"\[(?P<end>/?)(?P<name>" + "|".join(sorted(map(re.escape, _TAGS), key=len, reverse=True)) + r")"
    r"(?P<value>(?:=(?:\"[^\"\n]{0,200}\"|[^\[\]\n]{0,200}(?:\[[^\[\]\n]{0,200}\][^\[\]\n]{0,200}){0,2})|\s[^\[\]\n]{0,200})?)\]",
    re.I,
)
_CODE_END = re.compile(r"\[/code\]", re.I)


@dataclass(slots=True)
class _Token:
    """A tag or a stretch of text. ``partner`` tells that the tag is one of a pair, or stands alone by nature."""

    text: str
    name: str = ""
    end: bool = False
    value: str = ""
    partner: bool = False


@dataclass(slots=True)
class _Frame:
    """What is open within one quotation (or outside of all)."""

    open: dict[str, list[int]] = field(default_factory=dict)


def bbcode_runs(text: str) -> tuple[Run, ...]:
    """BBCode to runs. Tags in ``[code]`` are text; quotations nest to any depth; crossed tags keep their effect up to
    their own end tag, but nothing that opens in a quotation reaches out of it."""
    tokens = _tokens(text.replace("\r\n", "\n").replace("\r", "\n"))
    _pair(tokens)
    return _write(tokens)


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    code_ends = [found.start() for found in _CODE_END.finditer(text)]
    next_end = 0
    while found := _TAG.search(text, at):
        if found.start() > at:
            tokens.append(_Token(text[at : found.start()]))
        name = found["name"].lower()
        tokens.append(_Token(found[0], name, bool(found["end"]), found["value"].removeprefix("=").strip()))
        at = found.end()
        if name == "code" and not found["end"]:
            while next_end < len(code_ends) and code_ends[next_end] < at:
                next_end += 1
            stop = code_ends[next_end] if next_end < len(code_ends) else len(text)
            tokens.append(_Token(text[at:stop]))
            at = stop
    if at < len(text):
        tokens.append(_Token(text[at:]))
    return tokens


def _pair(tokens: list[_Token]) -> None:
    """Find which tags have their partner."""
    frames = [_Frame()]
    for index, token in enumerate(tokens):
        name = token.name
        if not name:
            continue
        if name in _ALONE:
            token.partner = True
        elif not token.end:
            frames[-1].open.setdefault(name, []).append(index)
            if name == "quote":
                frames.append(_Frame())
                token.partner = True  # closed or not, what follows is a quotation
            elif name in _STRUCK or name in _SPOILERS or name == "code":
                token.partner = True
        elif name == "quote":
            if len(frames) > 1:
                frames.pop()
                token.partner = True
        elif waiting := frames[-1].open.get(name):
            tokens[waiting.pop()].partner = token.partner = True


def _write(tokens: list[_Token]) -> tuple[Run, ...]:
    writer = Writer()
    scopes = [_Scope(PLAIN)]
    for token in tokens:
        scope = scopes[-1]
        if not token.partner:
            if not scope.silent:
                writer.add(token.text, scope.look())
            continue
        name = token.name
        if name in _ALONE:
            writer.add(_ALONE[name], scope.look())
            continue
        if name == "quote":
            if token.end:
                scopes.pop()
            else:
                scopes.append(_Scope(scope.look(), quoted=True))
        elif token.end:
            scope.close(name)
        else:
            scope.open(name, token.value)
        if name in _BLOCKS:
            writer.add("\n", scopes[-1].look())
    return writer.runs()


class _Scope:
    """The look inside one quotation (or outside of all), as tags come and go."""

    __slots__ = ("_base", "_code", "_colors", "_quoted", "_spoilers", "_struck", "silent")

    def __init__(self, base: Look, *, quoted: bool = False) -> None:
        self._base = base
        self._quoted = quoted
        self._colors: list[tuple[Color | None, str | None]] = []
        self._struck = self._spoilers = self._code = self.silent = 0

    def look(self) -> Look:
        color, hex_, struck, voice, spoiler = self._base
        if self._colors:
            color, hex_ = self._colors[-1]
        said: Voice = "quote" if self._quoted or voice == "quote" else "code" if self._code else "own"
        return (color, hex_, struck or self._struck > 0, said, spoiler or self._spoilers > 0)

    def open(self, name: str, value: str) -> None:
        if name == "color":
            color, hex_ = self._colors[-1] if self._colors else self._base[:2]
            self._colors.append(color_of(value) or (color, hex_))
        else:
            self._count(name, 1)

    def close(self, name: str) -> None:
        if name == "color":
            self._colors.pop()
        else:
            self._count(name, -1)

    def _count(self, name: str, step: int) -> None:
        self._struck += step * (name in _STRUCK)
        self._spoilers += step * (name in _SPOILERS)
        self._code += step * (name == "code")
        self.silent += step * (name in _SILENT)
