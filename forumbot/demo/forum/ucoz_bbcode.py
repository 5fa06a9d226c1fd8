"""BBCode to HTML as uCoz does it: each kind of tag by itself, without a look at how the kinds nest.

Within one kind an opening tag needs its closing one; what stays alone, and every unknown tag, is printed as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

Anchor = Callable[[int], str | None]
"""The address of a quoted post, by its id."""

_PLAIN = {"b": ("<b>", "</b>"), "i": ("<i>", "</i>"), "u": ("<u>", "</u>"), "s": ("<s>", "</s>"), "sup": ("<sup>", "</sup>"),
          "sub": ("<sub>", "</sub>"), "o": ('<span style="text-decoration:overline">', "</span>")}
_ALIGN = {"l": "left", "c": "center", "r": "right", "j": "justify"}
_SMILES = {":)": ("smile", "🙂"), ":(": ("sad", "🙁"), ";)": ("wink", "😉"), ":D": ("biggrin", "😀"), "B)": ("cool", "😎"),
           ":p": ("tongue", "😛"), ":o": ("surprised", "😮")}
SMILE_SIGNS = dict(_SMILES.values())
_SMILE = re.compile(r"(?:(?<=\s)|(?<=\])|^)(" + "|".join(re.escape(code) for code in _SMILES) + r")(?=\s|\[|$)", re.MULTILINE)
_CODE = re.compile(r"\[code\](.*?)\[/code\]", re.DOTALL | re.IGNORECASE)
_BARE = re.compile(r"(?:(?<=[\s(>])|^)(https?://[^\s<\[\]()\"]+)", re.MULTILINE)
_COLOUR = re.compile(r"#[0-9a-f]{3}(?:[0-9a-f]{3})?|[a-z]+", re.IGNORECASE)
_QUOTE_IMAGE = ('<img alt="" style="border:0;padding:0;margin:0;" title="Ссылка на цитируемый текст" '
                'src="/.s/img/fr/ic/11/lastpost.gif" width="14" height="10">')


@dataclass(frozen=True, slots=True)
class Look:
    """How the owner has set the engine up. ``see_hidden``: whether the reader may see ``[hide]``; ``font``: colours come
    as ``<font>`` (the visual editor's); ``go``: outgoing links lead over ``/go?``."""

    see_hidden: bool = True
    font: bool = False
    go: bool = False


def quotation(nick: str, post: int, text: str) -> str:
    """What the quote button puts into the form."""
    return f"[quote={nick};{post}]{text}[/quote]"


def to_html(text: str, anchor: Anchor, look: Look = Look()) -> str:
    """The message as the engine stores and prints it."""
    kept: list[str] = []

    def keep(html: str) -> str:
        kept.append(html)
        return f"\x00{len(kept) - 1}\x01"

    def code(found: re.Match[str]) -> str:
        inner = escape(found[1], quote=False).replace("\n", "<br />")
        return keep('<!--uzcode--><div class="bbCodeBlock"><div class="bbCodeName" '
                    'style="padding-left:5px;font-weight:bold;font-size:7pt">'
                    '<b>Код</b></div><div class="codeMessage" style="border:1px inset;max-height:200px;overflow:auto;">'
                    f'<!--uzc-->{inner}'
                    "<!--/uzc--></div></div><!--/uzcode-->")

    text = text.replace("\x00", "").replace("\x01", "").replace("\r\n", "\n")
    text = _CODE.sub(code, text)
    text = _SMILE.sub(lambda found: keep(_smile(found[1])), text)
    html = escape(text, quote=True).replace("&#x27;", "'")
    html = _BARE.sub(lambda found: keep(_link(found[1], found[1], look)), html)
    for kind, turn in _kinds(anchor, look, keep):
        html = _pair(html, kind, turn)
    html = re.sub(r"\[hr\]", "<hr />", html, flags=re.IGNORECASE)
    html = re.sub(r"\[img\](https?://[^\s\[\]<>]+)\[/img\]", r'<img src="\1" border="0" alt=""/>', html, flags=re.IGNORECASE)
    html = html.replace("\n", "<br />")
    while "\x00" in html:
        html = re.sub("\x00(\\d+)\x01", lambda found: kept[int(found[1])], html)
    return html


Turn = Callable[[str], tuple[str, str] | None]
"""What stands for an opening tag with this argument, and for its closing one; None leaves both as typed."""


def _kinds(anchor: Anchor, look: Look, keep: Callable[[str], str]) -> list[tuple[str, Turn]]:
    """The kinds of tags in the order of their conversion."""
    spoilers = iter(range(1, 10_000))

    def colour(argument: str) -> tuple[str, str] | None:
        if not _COLOUR.fullmatch(argument):
            return None
        return (f'<font color="{argument}">', "</font>") if look.font else (f'<span style="color:{argument}">', "</span>")

    def url(argument: str) -> tuple[str, str] | None:
        return (_link(argument, "", look).removesuffix("</a>"), "</a>") if re.match(r"https?://", argument) else None

    def spoiler(argument: str) -> tuple[str, str]:
        name = f"uSpoiler{next(spoilers):02d}aB7"
        caption = f"[+] {argument}" if argument else "Открыть спойлер"
        title = f"<!--usn(={argument})-->" if argument else ""
        # The caption is kept aside: its brackets and the player's words in it are no BBCode.
        button = keep(f'<input type="button" class="uSpoilerButton" onclick="openCloseSpoiler(\'{name}\')" value="{caption}"/>')
        return (f'<!--uSpoiler--><div class="uSpoilerClosed" id="{name}"><div class="uSpoilerButBl">{button}</div>'
                '<div class="uSpoilerText" style="display:none;"><!--ust-->', f"<!--/ust-->{title}</div></div><!--/uSpoiler-->")

    def size(argument: str) -> tuple[str, str] | None:
        return (f'<span style="font-size:{argument}pt;">', "</span>") if argument.isdecimal() else None

    def font(argument: str) -> tuple[str, str] | None:
        return (f'<span style="font-family:{argument}">', "</span>") if re.fullmatch(r"[\w \-]+", argument) else None

    def bare(opening: str, closing: str) -> Turn:
        return lambda argument: None if argument else (opening, closing)

    plain = [(tag, bare(*pair)) for tag, pair in _PLAIN.items()]
    align = [(tag, bare(f'<div align="{side}">', "</div>")) for tag, side in _ALIGN.items()]
    hide = ('<!--BBhide--><span class="UhideBlock">', "</span><!--/BBhide-->") if look.see_hidden else ("\x02", "\x03")
    return [("quote", lambda argument: _quote(argument, anchor)), ("spoiler", spoiler), ("hide", lambda _: hide),
            ("color", colour), ("size", size), ("font", font), ("url", url), *plain, *align]


_HIDDEN = re.compile("\x02[^\x03]*\x03")
_INVITATION = ('<!--BBhide--><span class="UhideBlockL"><noindex>Текст доступен только для зарегистрированных: '
               '<a href="/register">Регистрация</a></noindex></span><!--/BBhide-->')


def _pair(html: str, kind: str, turn: Turn) -> str:
    """Convert every opening tag of a kind that has its closing one."""
    tags = list(re.finditer(rf"\[{kind}(?:=([^\[\]]*))?\]|\[/{kind}\]", html, re.IGNORECASE))
    stack: list[re.Match[str]] = []
    replaced: dict[int, tuple[int, str]] = {}
    for tag in tags:
        if not tag[0].startswith("[/"):
            stack.append(tag)
        elif stack:
            opening = stack.pop()
            made = turn(_argument(opening[1] or ""))
            if made is not None:
                replaced[opening.start()] = (opening.end(), made[0])
                replaced[tag.start()] = (tag.end(), made[1])
    parts, at = [], 0
    for start in sorted(replaced):
        end, new = replaced[start]
        parts += [html[at:start], new]
        at = end
    return _HIDDEN.sub(_INVITATION, "".join(parts) + html[at:])


def _argument(typed: str) -> str:
    return typed.strip().removeprefix("&quot;").removesuffix("&quot;").strip()


def _quote(argument: str, anchor: Anchor) -> tuple[str, str]:
    nick, _, number = argument.rpartition(";") if re.search(r";\d+$", argument) else (argument, "", "")
    named = f' <span class="qName"><!--qn-->{nick}<!--/qn--></span>' if nick else ""
    where = anchor(int(number)) if number else None
    place = f' (<span class="qAnchor"><!--qa--><a href="{where}">{_QUOTE_IMAGE}</a><!--/qa--></span>)' if where else ""
    return ('<!--uzquote--><div class="bbQuoteBlock"><div class="bbQuoteName" style="padding-left:5px;font-size:7pt">'
            f'<b>Цитата</b>{named}{place} '
            '</div><div class="quoteMessage" style="border:1px inset;max-height:200px;overflow:auto;"><!--uzq-->',
            "<!--/uzq--></div></div><!--/uzquote-->")


def _link(address: str, shown: str, look: Look) -> str:
    target = f"/go?{address}" if look.go else address
    return f'<a class="link" href="{target}" rel="nofollow" target="_blank">{shown}</a>'


def _smile(code: str) -> str:
    name = _SMILES[code][0]
    return f'<img rel="usm" src="/.s/sm/1/{name}.gif" border="0" align="absmiddle" alt="{name}" />'
