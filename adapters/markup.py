"""Marked-up text to runs: HTML as a browser shows it, BBCode of both engines, plain text; and what is asked of runs.

Everything is linear in the length of the text and never recursive, however deep the nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import unescape

from selectolax.lexbor import LexborHTMLParser

from adapters.bbcode import bbcode_runs
from adapters.colors import color_of, legacy_color
from adapters.model import Color, Run, Voice
from adapters.taming import VOID, tamed
from adapters.writer import PLAIN, Look, Writer, plain_runs, words

__all__ = ["bbcode_runs", "canonical_runs", "color_of", "highlights", "html_runs", "own_text", "plain_runs", "tamed"]


def own_text(runs: Iterable[Run]) -> str:
    """The author's own words: quotes and hidden text out, spoilers and code in; one line per block or line break, blank
    lines dropped (contract.md, ``text``)."""
    return _lines("".join([run.text for run in runs if run.voice in ("own", "code")]))


def _lines(text: str) -> str:
    """Lines that say something, spaces of every kind squeezed to one."""
    return "\n".join([line for line in [" ".join(line.split()) for line in text.split("\n")] if line])


def highlights(runs: Iterable[Run]) -> tuple[tuple[Color, str | None, str], ...]:
    """The author's own coloured words in order as (colour, hex, text). Neighbours of one colour with only spaces between
    are one; a line end between separates, inside a run it stays (contract.md, ``highlighted``)."""
    found: list[tuple[Color, str | None, list[str]]] = []
    gap: str | None = None  # what stands since the last coloured run, while it is only spaces
    for run in runs:
        if run.voice != "own":
            gap = None
        elif run.color is None:
            gap = None if gap is None or run.text.strip(" \t\xa0") else gap + run.text
        elif gap is not None and found[-1][0] == run.color and found[-1][1] == run.hex:
            found[-1][2].extend((gap, run.text))
            gap = ""
        elif run.text.strip():
            found.append((run.color, run.hex, [run.text]))
            gap = ""
        else:
            gap = None if gap is None or run.text.strip(" \t\xa0") else gap + run.text
    return tuple((color, hex_, text) for color, hex_, parts in found if (text := _lines("".join(parts))))


# --- HTML ---------------------------------------------------------------------------------------------------------------

_BLOCKS = words(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 "
    "h6 header html li main nav ol p pre section table tbody tfoot thead tr ul"
)
_SILENT = words(
    "applet audio button canvas datalist head iframe map math meter noembed noframes noscript object progress script select "
    "style summary svg template textarea title video"
)
_STRUCK = frozenset(("s", "strike", "del"))
_RAW = re.compile(r"<(script|style|noscript|iframe|noembed|noframes|xmp|textarea|title)\b[^>]*>.*?</\1>", re.S)
_RAW_START = re.compile(r"<(?:s(?:cript|tyle)|no|iframe|xmp|t(?:extarea|itle))")
_TAG = re.compile(r"<([^>]*)>")
_ATTRIBUTE = re.compile(r'([^\s="]+)="([^"]*)"')
_NO_LOOK = re.compile(r'<(?:div|span)(?: (?:id|edit-url)="[^"]*"| class="(?:content|ucoz-forum-post)")*>')
_SPACES = re.compile(r"[ \t\r\n\f]+")
_COLOR_STYLE = re.compile(r"(?:^|[;\s])color\s*:([^;]*)")
_UNSEEN_STYLE = re.compile(r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))")
_STRUCK_STYLE = re.compile(r"(?:^|[;\s])text-decoration(?:-line)?\s*:[^;]*line-through")
_CAPTION = re.compile(r"bbcodename|codetitle|uspoilerbutbl|\S*spoiler\S*(?:title|head|but|btn|name|caption|link)\S*")
_CODE = re.compile(r"codebox|bbcodeblock|codecontent|codemessage")
_ATTACHMENT = re.compile(r"eattach|attachbox|attach-image|inline-attachment|attachtitle|attachcontent")
_INVITATION = re.compile(r"uhideblockl")


@dataclass(frozen=True, slots=True)
class _Effect:
    """What one start tag does to the text within it, or, where it can hold none (``void``), what it puts there."""

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


_effects: dict[str, _Effect] = {}
_EFFECTS_KEPT = 5000


def html_runs(html: str, *, color_classes: Mapping[str, Color] | None = None) -> tuple[Run, ...]:
    """HTML of a message to runs, with the tree that a browser makes of it (mis-nesting, unclosed tags).

    ``color_classes`` maps CSS classes that a style sheet colours to their colour. Quotes, code, struck and hidden text
    are told by the fields of ``Run``; scripts, buttons, pictures and attachments are no text, emoji pictures are.
    """
    if "<" not in html:
        return plain_runs(_SPACES.sub(" ", unescape(html)))
    body = LexborHTMLParser(tamed(html)).body
    return canonical_runs((body.html if body is not None else "") or "", color_classes)


def canonical_runs(canonical: str, color_classes: Mapping[str, Color] | None = None) -> tuple[Run, ...]:
    """Runs of HTML as lexbor serialises it: properly nested, attributes in quotes, no bare ``<`` or ``>`` in either."""
    if (simple := _lines_only(canonical)) is not None:
        return simple
    effects = _effects if not color_classes else {}
    canonical = without_raw(canonical)
    keeps_spaces = "<pre" in canonical or "<listing" in canonical
    if not keeps_spaces:
        canonical = " ".join(canonical.split())
    writer = Writer()
    add = writer.add
    look: Look | None = PLAIN
    stack: list[tuple[Look | None, bool, bool]] = []
    pre = break_due = False
    at_start = True  # of a line, where a browser shows no space
    started = False
    is_tag = True
    for piece in _TAG.split(canonical):
        is_tag = not is_tag
        if not is_tag:
            if not piece or look is None:
                continue
            if "&" in piece:
                piece = unescape(piece)
            if keeps_spaces and not pre:
                piece = _SPACES.sub(" ", piece)
            if not pre and (at_start or break_due):
                piece = piece.lstrip(" ")
            if piece:
                add("\n" + piece if break_due and started else piece, look)
                break_due, at_start, started = False, False, True
        elif piece == "br":
            if look is not None:
                add("\n\n" if break_due and started else "\n", look)
                break_due, started, at_start = False, True, True
        elif piece[0] == "/":
            if stack:
                look, pre, block = stack.pop()
                break_due = break_due or block
        else:
            effect = effects.get(piece)
            if effect is None:
                if len(effects) >= _EFFECTS_KEPT:
                    effects.clear()
                effect = effects[piece] = _effect(piece, color_classes or {})
            if effect.void:
                break_due = break_due or effect.block
                if effect.text and look is not None:
                    add("\n" + effect.text if break_due and started else effect.text, look)
                    break_due, started, at_start = False, True, effect.text == "\n"
                continue
            stack.append((look, pre, effect.block))
            if not effect.plain:
                break_due = break_due or effect.block
                pre = pre or effect.pre
                look = _within(effect, look)
    return writer.runs()


def _lines_only(canonical: str) -> tuple[Run, ...] | None:
    """Runs of one plain element that holds nothing but text and line breaks, as most messages do; None for others."""
    opened, closed = canonical.find(">"), canonical.rfind("</")
    if canonical.count("<") != 2 + canonical.count("<br>") or not 0 < opened < closed or canonical[0] != "<":
        return None
    if canonical[-1] != ">" or canonical[1:opened].partition(" ")[0] not in ("div", "span") or not _NO_LOOK.match(canonical):
        return None
    text = " ".join(canonical[opened + 1 : closed].split()).replace("<br> ", "\n").replace("<br>", "\n")
    if "&" in text:
        text = unescape(text)
    return (Run(text),) if text else ()


def without_raw(canonical: str) -> str:
    """Serialised HTML without comments and without the elements whose text is not HTML."""
    if _RAW_START.search(canonical):
        canonical = _RAW.sub("", canonical)
    return _without_comments(canonical) if "<!--" in canonical else canonical


def _without_comments(html: str) -> str:
    """Comments out; one without an end reaches to the end of the text."""
    kept = []
    at = 0
    while (start := html.find("<!--", at)) >= 0:
        kept.append(html[at:start])
        end = html.find("-->", start + 2)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join(kept) + html[at:]


def _within(effect: _Effect, outer: Look | None) -> Look | None:
    """The look of text inside an element; None where nothing is text."""
    if outer is None or effect.skip:
        return None
    color, hex_, struck, voice, spoiler = outer
    if effect.code_caption and voice == "code":
        return None
    if effect.color is not None:
        color, hex_ = effect.color
    spoiler = spoiler or effect.spoiler
    if effect.unseen and not spoiler:
        voice = "hidden"
    elif effect.voice is not None and (voice == "own" or (voice == "code" and effect.voice != "code")):
        voice = effect.voice
    return (color, hex_, struck or effect.struck, voice, spoiler)


def _effect(tag: str, color_classes: Mapping[str, Color]) -> _Effect:
    """Read one serialised start tag (without its angle brackets)."""
    name, _, rest = tag.partition(" ")
    attributes = {key: unescape(value) for key, value in _ATTRIBUTE.findall(rest)}
    if name in VOID:
        if name == "br":
            return _Effect(void=True, text="\n")
        return _Effect(void=True, block=name == "hr", text=_emoji(attributes) if name == "img" else "")
    classes = attributes.get("class", "").lower().split()
    style = attributes.get("style", "").lower()
    return _simplified(
        _Effect(
            block=name in _BLOCKS,
            text="",
            skip=name in _SILENT or _any(_CAPTION, classes) or _any(_ATTACHMENT, classes),
            color=_color(name, attributes, style, color_classes),
            struck=name in _STRUCK or bool(_STRUCK_STYLE.search(style)),
            voice=_voice(name, classes),
            spoiler=name == "details" or any("spoiler" in one for one in classes),
            unseen="hidden" in attributes or bool(_UNSEEN_STYLE.search(style)),
            pre=name in ("pre", "xmp", "listing"),
            code_caption=name in ("p", "dt"),
        )
    )


_NOTHING = _Effect()


def _simplified(effect: _Effect) -> _Effect:
    return replace(effect, plain=True) if effect == _NOTHING else effect


def _any(pattern: re.Pattern[str], classes: list[str]) -> bool:
    return any(pattern.fullmatch(one) for one in classes)


def _voice(name: str, classes: list[str]) -> Voice | None:
    """Whose words stand in an element of this name and these classes."""
    if name in ("blockquote", "q") or any("quote" in one for one in classes):
        return "quote"
    if _any(_INVITATION, classes):
        return "hidden"
    if name in ("pre", "code", "xmp", "listing") or _any(_CODE, classes):
        return "code"
    return None


def _color(
    name: str, attributes: Mapping[str, str], style: str, color_classes: Mapping[str, Color]
) -> tuple[Color | None, str | None] | None:
    """The colour that an element gives its text; None where it gives none. Style beats attribute, both beat a class."""
    found: tuple[Color | None, str | None] | None = None
    if color_classes:
        for one in attributes.get("class", "").split():
            if one in color_classes:
                found = (color_classes[one], None)
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
