"""Marked-up text to runs: HTML as a browser shows it, BBCode of both engines, plain text; and what is asked of runs.

Everything is linear in the length of the text and never recursive, however deep the nesting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import unescape

from selectolax.lexbor import LexborHTMLParser

from adapters.bbcode import bbcode_runs
from adapters.colors import color_of
from adapters.model import Color, Meaning, Run
from adapters.tags import SPEAKING, Effect, Spoilers, effect_of, spelled_out
from adapters.taming import tamed
from adapters.writer import PLAIN, Look, Writer, plain_runs

__all__ = [
    "bbcode_runs", "canonical_runs", "color_of", "has_hidden_words", "highlights", "html_runs", "own_text", "plain_runs",
    "spelled_out", "tamed",
]  # fmt: skip


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


def has_hidden_words(runs: Iterable[Run]) -> bool:
    """Whether words stand in a message that its readers cannot see."""
    return any(run.voice == "hidden" and run.text.strip() for run in runs)


# --- HTML ---------------------------------------------------------------------------------------------------------------

_RAW = re.compile(r"<(script|style|noscript|iframe|noembed|noframes|xmp|textarea|title)\b[^>]*>.*?</\1>", re.S)
_RAW_START = re.compile(r"<(?:s(?:cript|tyle)|no|iframe|xmp|t(?:extarea|itle))")
_TAG = re.compile(r"<([^>]*)>")
_NO_LOOK = re.compile(r'<(?:div|span)(?: (?:id|[a-z]+-url)="[^"]*"| class="(?P<only>[\w-]*)")*>')
_SPACES = re.compile(r"[ \t\r\n\f]+")

_effects: dict[str, Effect] = {}
_EFFECTS_KEPT = 5000


def html_runs(html: str, *, color_classes: Mapping[str, Meaning] | None = None) -> tuple[Run, ...]:
    """HTML of a message to runs, with the tree that a browser makes of it (mis-nesting, unclosed tags).

    ``color_classes`` maps CSS classes of the owner's style sheet to their colour, or to whose words they hold. Quotes, code,
    struck and hidden text are told by the fields of ``Run``; scripts, buttons, pictures and attachments are no text, emoji
    pictures are.
    """
    if "<" not in html:
        return plain_runs(_SPACES.sub(" ", unescape(html)))
    body = LexborHTMLParser(tamed(html)).body
    return canonical_runs((body.html if body is not None else "") or "", color_classes)


def canonical_runs(canonical: str, color_classes: Mapping[str, Meaning] | None = None) -> tuple[Run, ...]:
    """Runs of HTML as lexbor serialises it: properly nested, attributes in quotes, no bare ``<`` or ``>`` in either.

    Hidden words behind something to press are the author's own (a spoiler); others nobody sees, and they are ``hidden``.
    """
    if (simple := _lines_only(canonical, color_classes)) is not None:
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
    spoilers = Spoilers()
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
            spoilers.text(piece)
            if keeps_spaces and not pre:
                piece = _SPACES.sub(" ", piece)
            if not pre and (at_start or break_due):
                piece = piece.lstrip(" ")
            if piece:
                add("\n" + piece if break_due and started else piece, look)
                break_due, at_start, started = False, False, True
        elif piece == "br":
            spoilers.line_ends()
            if look is not None:
                add("\n\n" if break_due and started else "\n", look)
                break_due, started, at_start = False, True, True
        elif piece[0] == "/":
            if stack:
                look, pre, block = stack.pop()
                spoilers.leave(len(stack), block=block)
                break_due = break_due or block
        else:
            effect = effects.get(piece)
            if effect is None:
                if len(effects) >= _EFFECTS_KEPT:
                    effects.clear()
                effect = effects[piece] = effect_of(piece, color_classes or {})
            spoilers.toggled = spoilers.toggled or effect.toggle
            if effect.void:
                break_due = break_due or effect.block
                if effect.text and look is not None:
                    add("\n" + effect.text if break_due and started else effect.text, look)
                    break_due, started, at_start = False, True, effect.text == "\n"
                continue
            stack.append((look, pre, effect.block))
            if not effect.plain:
                if effect.cell and look is not None and started and not at_start and not break_due:
                    add(" ", look)
                effect = spoilers.enter(effect, len(stack) - 1)
                break_due = break_due or effect.block
                pre = pre or effect.pre
                look = _within(effect, look)
    return writer.runs()


def _lines_only(canonical: str, color_classes: Mapping[str, Meaning] | None) -> tuple[Run, ...] | None:
    """Runs of one plain element that holds nothing but text and line breaks, as most messages do; None for others."""
    opened, closed = canonical.find(">"), canonical.rfind("</")
    if canonical.count("<") != 2 + canonical.count("<br>") or not 0 < opened < closed or canonical[0] != "<":
        return None
    if canonical[-1] != ">" or (plain := _NO_LOOK.match(canonical)) is None:
        return None
    if (named := plain["only"]) and (SPEAKING.search(named.lower()) or (color_classes and named in color_classes)):
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


def _within(effect: Effect, outer: Look | None) -> Look | None:
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


