"""BBCode to HTML as phpBB does it.

The 3.3 line keeps a tree: a closing tag closes what was opened inside, a block closes open inline tags before itself and
opens them again inside, and what does not fit stays as typed. The 3.0 line replaces each kind of tag by itself.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal

MERGED = ("\x04", "\x05")
"""What the fork puts around its line between merged posts."""
MAX_QUOTES = 3


@dataclass(frozen=True, slots=True)
class Look:
    """What the conversion asks of the board: how to print a quoted post's date, the words of quotations and code, and the
    owner's own tags (name: what opens and closes it)."""

    version: Literal["3.3", "3.0"]
    date: Callable[[int], str]
    wrote: str = "писал(а)"
    code: str = "Код"
    select_all: str = "Выделить всё"
    custom: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    home: str = ""
    """The board's own address: links to it are shown without it."""


@dataclass(frozen=True, slots=True)
class _Open:
    """An open tag: what opened and closes it. ``reopens``: it goes on after a crossing tag (strong, em)."""

    name: str
    start: str
    end: str
    block: bool = False
    reopens: bool = False


_NAMES = frozenset(re.findall(r"\w+", """
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey
darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
darkturquoise darkviolet deeppink deepskyblue dimgray dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush
lawngreen lemonchiffon lightblue lightcoral lightcyan lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen
lightskyblue lightslategray lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue
mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen
paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red rosybrown royalblue saddlebrown salmon
sandybrown seagreen seashell sienna silver skyblue slateblue slategray snow springgreen steelblue tan teal thistle tomato
turquoise violet wheat white whitesmoke yellow yellowgreen
"""))
_HEX = re.compile(r"#[0-9a-f]{3}(?:[0-9a-f]{3})?", re.IGNORECASE)
_RGB = re.compile(r"rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)", re.IGNORECASE)
_TAG = re.compile(r"\[(/?)(\w+|\*)((?:=|\s)[^\]\n]*)?\]", re.IGNORECASE | re.ASCII)
_TAGS = frozenset({"b", "i", "u", "color", "size", "quote", "code", "list", "url", "img", "*"})
_QUOTE = re.compile(r"=(?:\"([^\"]*)\"|(.*?))((?:\s+(?:post_id|time|user_id)=\d+)*)\s*")
_BARE = re.compile(r"(?:(?<=[\s(>])|^)(https?://[^\s<\[\]()\"]+)", re.MULTILINE)
_SMILES = {":)": "icon_e_smile", ":(": "icon_e_sad", ";)": "icon_e_wink", ":D": "icon_e_biggrin", ":P": "icon_razz"}
_SMILE = re.compile(r"(?<!\S)(" + "|".join(re.escape(code) for code in _SMILES) + r")(?!\S)")
_EMOJI = re.compile("([\U0001f1e6-\U0001f1ff]{2}|[\U0001f300-\U0001faff\u2600-\u27bf\u2b50][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*)")


def stored(text: str) -> str:
    """The text as the board keeps it: NFC, plain line ends, no blanks at the ends."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()


def to_html(text: str, look: Look) -> str:
    """The message as the board prints it."""
    return _marked(_Tree(look).convert(text)) if look.version == "3.3" else _old(text, look)


def _marked(html: str) -> str:
    """With the lines between posts that were appended to each other."""
    later = '<span style="font-size: 85%; line-height: normal; color: gray;">'
    return html.replace(MERGED[0], later).replace(MERGED[1], "</span>")


def _shown(address: str, home: str) -> str:
    """What a page shows of an address: of the board's own what follows, of a long one both ends."""
    if home and address.startswith(f"{home}/"):
        return address[len(home) + 1 :] or address
    return address if len(address) <= 55 else f"{address[:39]} ... {address[-10:]}"


def _colour(typed: str, rgb: bool) -> str | None:
    value = typed.strip().strip("\"'").strip()
    fits = _HEX.fullmatch(value) or value.lower() in _NAMES or (rgb and _RGB.fullmatch(value))
    return value if fits else None


def _text(plain: str, look: Look) -> str:
    """Text outside of tags: escaped, with links, smileys, emoji and line ends."""
    end = "<br>\n" if look.version == "3.3" else "<br />"
    parts = []
    for piece in re.split(r"(https?://[^\s<\[\]()\"]+)", plain):
        if piece.startswith(("http://", "https://")):
            parts.append(f'<a href="{escape(piece)}" class="postlink">{escape(_shown(piece, look.home))}</a>')
            continue
        html = escape(piece, quote=False)
        if look.version == "3.3":
            html = _EMOJI.sub(_emoji, html)
        parts.append(_SMILE.sub(_smile, html).replace("\n", end))
    return "".join(parts)


def _emoji(found: re.Match[str]) -> str:
    code = "-".join(f"{ord(sign):x}" for sign in found[0] if sign != "\ufe0f")
    return f'<img alt="{found[0]}" class="emoji smilies" draggable="false" src="./images/emoji/{code}.svg">'


def _smile(found: re.Match[str]) -> str:
    return (f'<img class="smilies" src="./images/smilies/{_SMILES[found[1]]}.gif" width="15" height="17" alt="{found[1]}" '
            f'title="{found[1]}">')


class _Tree:
    """The 3.3 line's conversion of one text."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._out: list[str] = []
        self._open: list[_Open] = []
        self._muted = 0
        """How many quotations beyond the third are open: their words are dropped."""

    def convert(self, text: str) -> str:
        at = 0
        while (tag := _TAG.search(text, at)) is not None:
            name, argument = tag[2].lower(), (tag[3] or "").strip()
            self._say(_text(text[at : tag.start()], self._look))
            at = tag.end()
            if name not in _TAGS and name not in self._look.custom:
                self._say(escape(tag[0], quote=False))
            elif name in ("code", "url", "img") and not tag[1]:
                at = self._whole(text, tag, name, argument)
            elif tag[1]:
                at = self._skip_line(text, at) if self._close(name, tag[0]) else at
            elif self._begin(name, argument):
                at = self._skip_line(text, at) if name in ("quote", "list") else at
            else:
                self._say(escape(tag[0], quote=False))
        self._say(_text(text[at:], self._look))
        while self._open:
            self._say(self._open.pop().end)
        return "".join(self._out)

    def _say(self, html: str) -> None:
        if not self._muted:
            self._out.append(html)

    def _skip_line(self, text: str, at: int) -> int:
        return at + 1 if text[at : at + 1] == "\n" else at

    def _whole(self, text: str, tag: re.Match[str], name: str, argument: str) -> int:
        """A tag that is taken with all it holds; gives where the reading goes on."""
        end = text.lower().find(f"[/{name}]", tag.end())
        inner = text[tag.end() : end] if end >= 0 else ""
        address = argument.removeprefix("=").strip().strip('"') or inner.strip()
        if end < 0 or (name != "code" and not re.match(r"https?://", address)):
            self._say(escape(tag[0], quote=False))
            return tag.end()
        if name == "code":
            body = escape(inner.strip("\n"), quote=False)
            caption = f'{self._look.code}: <a href="#" onclick="selectCode(this); return false;">{self._look.select_all}</a>'
            start = f'<div class="codebox"><p>{caption}</p><pre><code>{body}'
            self._block(_Open("code", start, "</code></pre></div>", block=True), False)
            self._say(self._open.pop().end)
        elif name == "img":
            self._say(f'<img src="{escape(address)}" class="postimage" alt="">')
        elif argument:
            self._open.append(_Open("url", f'<a href="{escape(address)}" class="postlink">', "</a>"))
            self._say(self._open[-1].start)
            return tag.end()
        else:
            self._say(f'<a href="{escape(address)}" class="postlink">{escape(_shown(address, self._look.home))}</a>')
        return end + len(name) + 3

    def _begin(self, name: str, argument: str) -> bool:
        """Open a tag; False leaves it as typed."""
        value = argument.removeprefix("=")
        if name == "quote":
            return self._begin_quote(argument)
        if name == "*":
            if not any(tag.name == "list" for tag in self._open):
                return False
            while self._open[-1].name != "list":
                self._say(self._open.pop().end)
            self._push(_Open("*", "<li>", "</li>", block=True))
            return True
        if name == "list":
            self._block(_Open("list", "<ul>", "</ul>", block=True), True)
            return True
        colour = _colour(value, rgb=True) if name == "color" else None
        size = value.isdecimal()
        kinds: dict[str, _Open | None] = {
            "b": _Open("b", '<strong class="text-strong">', "</strong>", reopens=True),
            "i": _Open("i", '<em class="text-italics">', "</em>", reopens=True),
            "u": _Open("u", '<span style="text-decoration:underline">', "</span>"),
            "color": _Open("color", f'<span style="color:{colour}">', "</span>") if colour else None,
            "size": _Open("size", f'<span style="font-size: {value}%; line-height: normal">', "</span>") if size else None,
        }
        if name in self._look.custom:
            kinds[name] = _Open(name, *self._look.custom[name])
        opened = kinds.get(name)
        if opened is None or (name in ("b", "i", "u") and argument):
            return False
        self._push(opened)
        return True

    def _begin_quote(self, argument: str) -> bool:
        found = _QUOTE.fullmatch(argument) if argument else None
        if argument and found is None:
            return False
        depth = sum(tag.name == "quote" for tag in self._open)
        if depth >= MAX_QUOTES:
            self._muted += 1
            self._open.append(_Open("quote", "", "", block=True))
            return True
        nick = escape((found[1] if found[1] is not None else found[2]).strip()) if found else ""
        facts = dict(re.findall(r"(\w+)=(\d+)", found[3])) if found else {}
        self._block(_Open("quote", self._quote_head(nick, facts), "</div></blockquote>", block=True), True)
        return True

    def _quote_head(self, nick: str, facts: dict[str, str]) -> str:
        if not nick:
            return '<blockquote class="uncited"><div>'
        post, user, moment = facts.get("post_id"), facts.get("user_id"), facts.get("time")
        who = f'<a href="./memberlist.php?mode=viewprofile&amp;u={user}">{nick}</a>' if user else nick
        where = (f' <a href="./viewtopic.php?p={post}#p{post}" data-post-id="{post}" aria-label="↑">'
                 '<i class="icon fa-arrow-circle-up fa-fw" aria-hidden="true"></i></a>') if post else ""
        when = f'<span class="responsive-hide">{self._look.date(int(moment))}</span>' if moment else ""
        cited = f' cite="./viewtopic.php?p={post}#p{post}"' if post else ""
        return f"<blockquote{cited}><div><cite>{who} {self._look.wrote}:{where}{when}</cite>"

    def _push(self, tag: _Open) -> None:
        self._open.append(tag)
        self._say(tag.start)

    def _block(self, tag: _Open, reopen: bool) -> None:
        """A block cannot stand inside inline tags: they are closed before it and opened again in it."""
        inline: list[_Open] = []
        while self._open and not self._open[-1].block:
            inline.append(self._open.pop())
            self._say(inline[-1].end)
        if not reopen:
            # Code holds no markup: the inline tags go on below it.
            self._say(tag.start)
            for outer in reversed(inline):
                self._open.append(outer)
            self._open.append(_Open(tag.name, "", tag.end + "".join(outer.start for outer in reversed(inline)), block=True))
            return
        self._push(tag)
        for outer in reversed(inline):
            self._push(outer)

    def _close(self, name: str, typed: str) -> bool:
        """Close the innermost open tag of this name and what is open inside it; gives whether a block ended."""
        block = name in ("quote", "list")
        at = len(self._open) - 1
        while at >= 0 and self._open[at].name != name and (block or not self._open[at].block):
            at -= 1
        if at < 0 or self._open[at].name != name:
            self._say(escape(typed, quote=False))
            return False
        inside = self._open[at + 1 :]
        for tag in reversed(inside):
            self._say(tag.end)
        closed = self._open[at]
        del self._open[at:]
        if closed.name == "quote" and not closed.start:
            self._muted -= 1
            return False
        self._say(closed.end)
        if not closed.block:
            for tag in inside:
                if tag.reopens:
                    self._push(tag)
        return closed.block


_OLD = (
    ("b", r"\[b\](.*?)\[/b\]", r'<span style="font-weight: bold">\1</span>'),
    ("i", r"\[i\](.*?)\[/i\]", r'<span style="font-style: italic">\1</span>'),
    ("u", r"\[u\](.*?)\[/u\]", r'<span style="text-decoration: underline">\1</span>'),
    ("size", r"\[size=(\d+)\](.*?)\[/size\]", r'<span style="font-size: \1%; line-height: normal">\2</span>'),
)


def _old(text: str, look: Look) -> str:
    """The 3.0 line: each kind by itself, the nearest closing tag counts, so a colour in a colour stays as typed."""
    kept: list[str] = []

    def keep(html: str) -> str:
        kept.append(html)
        return f"\x00{len(kept) - 1}\x01"

    def code(found: re.Match[str]) -> str:
        body = escape(found[1].strip("\n"), quote=False).replace("\n", "<br />")
        return keep(f'<dl class="codebox"><dt>{look.code}: <a href="#" onclick="selectCode(this); return false;">'
                    f'{look.select_all}</a></dt>'
                    f"<dd><code>{body}</code></dd></dl>")

    def colour(found: re.Match[str]) -> str:
        value = _colour(found[1], rgb=False)
        return found[0] if value is None else f'<span style="color: {value}">{found[2]}</span>'

    text = re.sub(r"\[code\](.*?)\[/code\]", code, text, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"\[url=(https?://[^\]\s]+)\](.*?)\[/url\]",
                  lambda found: keep(f'<a href="{escape(found[1])}" class="postlink">{escape(found[2], quote=False)}</a>'), text)
    html = _text(text, look)
    for _, pattern, made in _OLD:
        html = re.sub(pattern, made, html, flags=re.DOTALL | re.IGNORECASE)
    html = re.sub(r"\[color=([^\]]+)\](.*?)\[/color\]", colour, html, flags=re.DOTALL | re.IGNORECASE)
    for name, (opening, closing) in look.custom.items():
        html = re.sub(rf"\[{name}\](.*?)\[/{name}\]", rf"{opening}\1{closing}", html, flags=re.DOTALL | re.IGNORECASE)
    html = _old_quotes(html, look)
    html = _marked(html)
    return re.sub("\x00(\\d+)\x01", lambda found: kept[int(found[1])], html)


def _old_quotes(html: str, look: Look) -> str:
    """Quotations, nested; one that has no end stays as typed."""
    pattern = re.compile(r'\[quote(?:="?((?:(?!"|\]).)*)"?)?\]((?:(?!\[quote[\]=]).)*?)\[/quote\]', re.DOTALL | re.IGNORECASE)

    def made(found: re.Match[str]) -> str:
        head = f"<blockquote><div><cite>{found[1]} {look.wrote}:</cite>" if found[1] else '<blockquote class="uncited"><div>'
        return f"{head}{found[2]}</div></blockquote>"

    while pattern.search(html):
        html = pattern.sub(made, html)
    return html


def quotation(nick: str, post: int, unix: int, uid: int | None, text: str, version: str) -> str:
    """What the quote form holds: on 3.3 with post, time and user, on 3.0 with the nick alone."""
    if version == "3.0":
        return f'[quote="{nick}"]{text}[/quote]'
    named = f'"{nick}"' if re.search(r"[\s\[\]\"']", nick) else nick
    user = f" user_id={uid}" if uid is not None else ""
    return f"[quote={named} post_id={post} time={unix}{user}]\n{text}\n[/quote]\n"


def checksum(text: str) -> str:
    """What an edit form carries to tell whether the post was changed meanwhile."""
    return hashlib.md5(text.encode()).hexdigest()
