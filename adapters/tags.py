"""What one start tag of serialised HTML does to the text within it, and what tells a spoiler from a quotation on the way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import unescape

from adapters.colors import color_of, legacy_color
from adapters.model import Color, Meaning, Voice
from adapters.taming import VOID
from adapters.writer import words

_BLOCKS = words(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 "
    "h6 header html li main nav ol p pre section table tbody tfoot thead tr ul"
)
_SILENT = words(
    "applet audio button canvas datalist head iframe map math meter noembed noframes noscript object progress script select "
    "style summary svg template textarea title video"
)
_STRUCK = frozenset(("s", "strike", "del"))
_CELLS = frozenset(("td", "th"))
_PRESSED = words("button submit checkbox image")
_SCRIPTED = re.compile(r"\s*javascript:", re.I)
_CLASS = re.compile(r"<(?P<name>[a-z][^\s>]*)(?P<rest>[^<>]*?\sclass=\"(?P<classes>[^\"]*)\"[^<>]*)>")
_SPELLED = {"red": "color:red", "blue": "color:blue", "other": "", "spoiler": "", "quote": "", "unseen": "display:none"}
_COLORED = re.compile(r'(?:span|font) style="color: ?((?!initial)[a-z]{1,40}|#[0-9a-fA-F]{3,8});?"|font color="([^"&]{1,40})"')
"""A colour and nothing else, as engines write it, of which a page may have a great many."""
_TELLING = re.compile(
    r'(?:^| )(?:(?:class|style|color|type|alt)="[^"]|(?:hidden|onclick|data-emoji)="|href="(?:\s|&nbsp;)*+javascript:)', re.I
)
"""An attribute that may tell something of an element."""
_ATTRIBUTE = re.compile(r'([^\s="]+)="([^"]*)"')
_COLOR_STYLE = re.compile(r"(?:^|[;\s])color\s*:([^;]*)")
_UNSEEN_STYLE = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0+(?:px|pt|em|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*0?\.?0+\s*(?:;|!|$)|(?:left|top|text-indent)\s*:\s*-\d{3}|(?:max-)?height\s*:\s*0+(?:px)?\s*(?:;|!|$))"
)
_STRUCK_STYLE = re.compile(r"(?:^|[;\s])text-decoration(?:-line)?\s*:[^;]*line-through")
_CAPTION = re.compile(r"bbcodename|codetitle|uspoilerbutbl|\S*spoiler\S*(?:title|head|but|btn|name|caption|link)\S*")
_CODE = re.compile(r"codebox|bbcodeblock|codecontent|codemessage")
_ATTACHMENT = re.compile(r"eattach|attachbox|attach-image|inline-attachment|attachtitle|attachcontent")
_INVITATION = re.compile(r"uhideblockl")
SPEAKING = re.compile(r"quote|spoiler|bbcode|code|attach|uhideblock|emoji")
"""What a class that tells something holds."""


@dataclass(slots=True)
class Effect:
    """What one start tag does to the text within it, or, where it can hold none (``void``), what it puts there. Nobody changes
    one; it is not frozen because a page may need a great many, and those are made twice as fast."""

    void: bool = False
    block: bool = False
    text: str = ""
    skip: bool = False
    color: tuple[Color | None, str | None] | None = None
    struck: bool = False
    voice: Voice | None = None
    spoiler: bool = False
    unseen: bool = False
    pre: bool = False
    code_caption: bool = False
    """A caption where it stands in a code block ("Код: Выделить всё")."""
    plain: bool = False
    """An inline tag without a look."""
    toggle: bool = False
    """Something to press, which may show what is hidden below."""
    cell: bool = False
    """A cell of a table, which is set apart from the one before it."""
    heading: bool = False
    """The line above a quotation in old skins, which spoilers of add-ons have, too."""


def effect_of(tag: str, color_classes: Mapping[str, Meaning]) -> Effect:
    """Read one serialised start tag (without its angle brackets)."""
    if colored := _COLORED.fullmatch(tag):
        return _in_color(color_of(colored[1]) if colored[1] else legacy_color(colored[2]))
    name, _, rest = tag.partition(" ")
    if rest and not _TELLING.search(rest):
        return _bare(name)
    attributes = {key: unescape(value) for key, value in _ATTRIBUTE.findall(rest)}
    if name in VOID:
        if name == "br":
            return Effect(void=True, text="\n")
        toggle = name == "input" and attributes.get("type", "text").lower() in _PRESSED
        return Effect(void=True, block=name == "hr", text=_emoji(attributes) if name == "img" else "", toggle=toggle)
    said = attributes.get("class", "").lower()
    classes = said.split() if said and (color_classes or SPEAKING.search(said)) else []
    style = attributes.get("style", "").lower()
    meanings = {color_classes[one] for one in attributes["class"].split() if one in color_classes} if classes else _NO_MEANINGS
    voice: Voice | None = "quote" if "quote" in meanings else _voice(name, classes)
    boxed = "spoiler" in meanings or (bool(classes) and any("spoiler" in one for one in classes))
    if "spoiler" in meanings or (boxed and voice == "code"):
        voice = None
    return _made(
        name,
        skip=bool(classes) and (_any(_CAPTION, classes) or _any(_ATTACHMENT, classes)),
        color=_color(name, attributes, style, color_classes),
        struck=bool(style) and bool(_STRUCK_STYLE.search(style)),
        voice=voice,
        spoiler=boxed,
        unseen="hidden" in attributes or "unseen" in meanings or (bool(style) and bool(_UNSEEN_STYLE.search(style))),
        toggle="onclick" in attributes or bool(_SCRIPTED.match(attributes.get("href", ""))),
        heading="quotetitle" in classes,
    )


@lru_cache(2048)
def _made(
    name: str,
    *,
    skip: bool,
    color: tuple[Color | None, str | None] | None,
    struck: bool,
    voice: Voice | None,
    spoiler: bool,
    unseen: bool,
    toggle: bool,
    heading: bool,
) -> Effect:
    """The effect of an element of this name, of which its attributes tell this."""
    effect = Effect(
        block=name in _BLOCKS,
        skip=skip or name in _SILENT,
        color=color,
        struck=struck or name in _STRUCK,
        voice=voice,
        spoiler=spoiler or name == "details",
        unseen=unseen,
        pre=name in ("pre", "xmp", "listing"),
        code_caption=name in ("p", "dt"),
        toggle=toggle or name in ("button", "label"),
        cell=name in _CELLS,
        heading=heading,
    )
    return _UNNOTICED if effect == _NOTHING else effect


@lru_cache(512)
def _bare(name: str) -> Effect:
    """The effect of an element without any attribute that tells something."""
    return effect_of(name, {})


@lru_cache(2048)
def _in_color(color: tuple[Color, str] | None) -> Effect:
    return _UNNOTICED if color is None else Effect(color=color)


_NOTHING, _UNNOTICED = Effect(), Effect(plain=True)
_NO_MEANINGS: frozenset[Meaning] = frozenset()


def _any(pattern: re.Pattern[str], classes: list[str]) -> bool:
    return any(pattern.fullmatch(one) for one in classes)


def _voice(name: str, classes: list[str]) -> Voice | None:
    """Whose words stand in an element of this name and these classes."""
    if name in ("blockquote", "q") or (classes and any("quote" in one for one in classes)):
        return "quote"
    if classes and _any(_INVITATION, classes):
        return "hidden"
    if name in ("pre", "code", "xmp", "listing") or (classes and _any(_CODE, classes)):
        return "code"
    return None


def _color(
    name: str, attributes: Mapping[str, str], style: str, color_classes: Mapping[str, Meaning]
) -> tuple[Color | None, str | None] | None:
    """The colour that an element gives its text; None where it gives none. Style beats attribute, both beat a class."""
    found: tuple[Color | None, str | None] | None = None
    if color_classes:
        for one in attributes.get("class", "").split():
            meaning = color_classes.get(one)
            if meaning == "red" or meaning == "blue" or meaning == "other":
                found = (meaning, None)
    if name == "font" and "color" in attributes:
        found = legacy_color(attributes["color"]) or found
    for value in _COLOR_STYLE.findall(style):
        plain = value.replace("!important", "").strip()
        found = (None, None) if plain == "initial" else color_of(plain) or found
    return found


def _emoji(attributes: Mapping[str, str]) -> str:
    """The sign that a picture of an emoji stands for; nothing for other pictures (smilies are no text)."""
    alt = attributes.get("alt", "")
    named = "emoji" in attributes.get("class", "").lower().split() or "data-emoji" in attributes
    return alt if alt and (named or all(ord(char) > 0x2000 and not char.isalnum() for char in alt)) else ""


_QUOTES_HEAD = re.compile(
    r"(?:цитата|quote)(?:.{0,60}:|\s*[:(].{0,60})?|(?:сообщение от|originally posted by)\b.{0,60}"
    r"|.{1,60}\b(?:(?:на)?писал\(а\)|сказал\(а\)|wrote|said):?",
    re.I | re.S,
)
"""A line of its own that says that others' words follow, in skins whose classes nobody knows."""
_LONGEST_LINE = 400
"""Signs after which a line is no such one."""
_SPOILER_WORDS = re.compile(r"спойлер|спойлєр|spoiler|скрыт|показать|раскрыть|развернуть|\bshow\b|\bhid(?:e|den)\b", re.I)


@dataclass(slots=True)
class Spoilers:
    """What was met on the way through a message that tells a spoiler from a quotation and from text that nobody sees."""

    toggled: bool = False
    """Something to press was met, and no hidden words since."""
    _heading: int | None = None
    """How deep the heading stands in which we are."""
    _words: list[str] = field(default_factory=list)
    _opens: bool = False
    """The heading that has just ended was a spoiler's: what follows is its text."""
    _line: str = ""
    """What has been said since the last box began, or in the one that has just ended."""
    _ended: bool = False
    """A box has just ended: the next words are a line of their own."""

    def text(self, piece: str) -> None:
        if self._heading is not None:
            self._words.append(piece)
        if not piece.isspace():
            if self._ended:
                self._line, self._ended = piece[:_LONGEST_LINE], False
            elif len(self._line) < _LONGEST_LINE:
                self._line += piece[:_LONGEST_LINE]

    def enter(self, effect: Effect, depth: int) -> Effect:
        """The effect of a start tag here; ``depth`` is how many elements are open around it."""
        if effect.heading:
            self._heading, self._words, self.toggled = depth, [], False
            return effect
        if effect.voice == "quote" and self._opens:
            self._opens = False
            return replace(effect, voice=None, spoiler=True)
        if effect.block:
            line, self._line, self._ended = " ".join(self._line.split()), "", False
            if line and effect.voice is None and not effect.spoiler and _QUOTES_HEAD.fullmatch(line):
                return replace(effect, voice="quote")
        if effect.unseen and self.toggled:
            self.toggled = False
            return replace(effect, spoiler=True, voice="own")  # in a box of code, too: that stands in an element of its own
        return effect

    def line_ends(self) -> None:
        """What comes now begins a line."""
        self._line = ""

    def leave(self, depth: int, *, block: bool = False) -> None:
        """An element ended around which ``depth`` others are open; ``block``: a box."""
        self._ended = self._ended or block
        if depth == self._heading:
            self._opens = self.toggled or _SPOILER_WORDS.search("".join(self._words)) is not None
            self._heading = None


def spelled_out(canonical: str, classes: Mapping[str, Meaning]) -> str:
    """Serialised HTML that says by itself what the owner's classes stand for, so that it can be read without his settings."""
    if not classes:
        return canonical

    def spell(found: re.Match[str]) -> str:
        meanings = [classes[one] for one in unescape(found["classes"]).split() if one in classes]
        if not meanings:
            return found[0]
        style = ";".join(filter(None, (_SPELLED[meaning] for meaning in meanings)))
        named = " ".join(meaning for meaning in meanings if meaning in ("spoiler", "quote"))
        rest = found["rest"].replace(f'class="{found["classes"]}"', f'class="{named or found["classes"]}"', 1)
        if not style:
            return f"<{found['name']}{rest}>"
        if ' style="' in rest:
            rest = rest.replace(' style="', f' style="{style};', 1)
            return f"<{found['name']}{rest}>"
        return f"<{found['name']} style=\"{style}\"{rest}>"

    return _CLASS.sub(spell, canonical)
