"""Takes people out of a forum's page: nicks, words, titles, user numbers, addresses, cookies, tokens.

Markup stays as it came, wrong nesting included, because the markup is what a saved page is for; so the page is changed
token by token and never written anew from a tree. A word stays only when it is the engine's own. Every other word becomes
another one of the same length and letters, the same one everywhere in a capture, so that a quotation still names its author.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import escape, unescape
from urllib.parse import unquote, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from adapters import engines
from adapters.markup import tamed
from adapters.writer import words
from forumbot.capture.mask import Mask
from forumbot.capture.vocabulary import engine_words

HOST = "forum.example"
_TOKEN = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|<(?P<raw>script|style|textarea|title)\b(?P<rawattrs>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>(?P<inside>.*?)(?P<rawend></(?P=raw)\s*>|\Z)"
    r"|<(?P<slash>/?)(?P<tag>[a-z][\w:-]*)(?P<attrs>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>"
    r"|(?P<other><[!?][^>]*>)|(?P<text>[^<]+|<)",
    re.S | re.I,
)
_ATTRIBUTE = re.compile(r"(?P<name>[^\s=/\"'<>]+)(?P<eq>\s*=\s*)(?P<value>\"[^\"]*\"|'[^']*'|[^\s\"'<>][^\s<>]*)")
_WORD = re.compile(r"\w+")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PIECE = re.compile(rf"(?P<email>{_EMAIL.pattern})|(?P<link>https?://[^\s\"'<>()]+)|\w+")
_CLOCK = r"[\s,|»в]{0,6}(?:at\s+|о\s+)?\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]\.?m\b)?"
_PLACES = tuple(engines.places(name) for name in engines.names())
_PLAIN_NUMBERS = re.compile(
    "".join(f"{places.numbers}|" for places in _PLACES if places.numbers) +
    r"(?:\d{1,2}[./]\d{1,2}[./]20\d\d|20\d\d[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}\.?\s+[^\W\d_]{3,10}\.?,?\s+20\d\d"
    rf"|[^\W\d_]{{3,10}}\.?\s+\d{{1,2}},?\s+20\d\d|сегодня|вчера|today|yesterday){_CLOCK}"
    r"|(?:страниц\w|page|#|№)\s*\d{1,5}(?:\s*(?:из|of)\s*\d{1,5})?|\d{1,3}\s+(?:минут\w*|minutes?|сек\w*|sec\w*)|utc\s*[+-]?\s*\d{1,2}(?::\d\d)?",
    re.I,
)
"""Numbers that say when something was posted or which page it is; any other may be an address, a telephone, a birthday."""
_OF_PEOPLE = re.compile(
    r"(\w*(?:quote|nick|user|author|mention|reply|insert|member|poster|profile)\w*\s*\()([^;{}]*(?:\{[^{}]*\})?[^;{}]*)(\))", re.I
)
"""A call in a page's code that is about somebody: nothing of its arguments stays."""
_WHO = "user|uid|author|member|poster|mention|owner|nick"
_KEYED = re.compile(rf"\b((?:data-)?(?:{_WHO})[\w-]*[\"']?\s*[:=]\s*[\"']?)([\w-]+)", re.I)
_IN_NAME = re.compile(r"(?<![A-Za-z0-9])((?:user|uid|author|member|poster|u)[-_]?)(\d+)(?![A-Za-z0-9])", re.I)
_ABOUT_PEOPLE = re.compile(rf"\bdata-[\w-]*(?:{_WHO})", re.I)
_SECOND = re.compile(r"(?<!\d)1[4-9]\d{8}(?!\d)")
"""A moment in seconds, as engines number them."""
_URL_OF_STYLE = re.compile(r"(\burl\(\s*[\"']?)([^\"')]+)")
_QUOTE_TAG = re.compile(r"(\[quote\s*=?)([^\]]*)(\])", re.I)
_KEYS = words("post_id time user_id this true false null return")
"""Names in such calls."""
_SIGNS = frozenset(("So", "Sm", "Sk"))
_MARK = re.compile(r"/?(?:[A-Za-z]{2,12}\d{0,3}|<s\d+>|</s>|s\d+)\Z")
_SPOILER_NAME = re.compile(r"(usn\(=)(.*)(\))\Z", re.S)
_LONG_TOKEN = re.compile(r"\b(?=\w*\d)[A-Za-z0-9]{12,}\b")
_PEOPLE = re.compile(rf"({'|'.join(one for places in _PLACES for one in places.people)})(\d+)|(/index/14-)(\d+)(-0-1\b)")
_BY_NICK = re.compile(r"(/index/8-0-|[?&](?:amp;)?un=|name=\")([^&\"'#]+)")
_DELETE = re.compile(r"(/forum/\d+-\d+-\d+-8-0-)([^-/\"'&#]+)")
_IN_BBCODE = re.compile(r"(\[(b|quote)[^\]]*\])(.*?)(\[/\2\])", re.S | re.I)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*[\w-]*1251", re.I)
_PLAIN_SEGMENT = re.compile(
    r"(?:[\d-]+|\.s|forum|index|go|pda|feed|topic|download|[a-z_]{2,12}\.php|sub|sm|img|fr|bt|t|src|css|js)\Z"
)
_STATIC = re.compile(r"(?:\./|/)*(?:\.s|styles|images/smilies|assets|ucp|adm)/")
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|bmp)\Z", re.I)
_OPEN_KEYS = words("f t p start mode i folder view sd st sk u action style release export_option mark e")
_SECRET_FIELDS = re.compile(r"sid|token|creation_time|ssid|key|hash|pass|sess|confirm|rnd|captcha|secos", re.I)
_ADDRESSES = frozenset(("href", "src", "action", "cite", "background", "data-src", "data-href", "srcset", "poster", "data"))
_SHOWN = frozenset(("title", "alt", "placeholder", "content", "aria-label", "summary", "label"))
_NICKS = ", ".join(places.nicks for places in _PLACES if places.nicks)
_TITLES = ", ".join(("title", *(places.titles for places in _PLACES if places.titles)))
_OWN_WORDS = re.compile(rf"\b(?:{'|'.join(one for places in _PLACES for one in places.own_classes)})\b")
_MESSAGES = re.compile("|".join(places.messages for places in _PLACES if places.messages))
_OLD_MESSAGES = re.compile(rf"{_MESSAGES.pattern}|\bpostbody\b")
"""Old skins of phpBB have no ``content`` in their ``postbody``; newer ones print time and notices there, too."""
_VOID = words("area base br col embed hr img input link meta param source track wbr")
_BUTTONS = frozenset(("submit", "button", "reset"))


class Scrubber:
    """Scrubs the pages of one capture. ``learn`` every page before the first is scrubbed.

    ``secrets``: strings that must not survive anywhere (cookies, the account's name and password). ``key`` decides what
    words become.
    """

    def __init__(self, base: str, key: bytes, secrets: Iterable[str] = ()) -> None:
        self._base = base
        self._host = urlsplit(base).hostname or ""
        self._engine = engine_words()
        self._mask = Mask(key, self._engine)
        self._secrets = {one for one in secrets if len(one) >= 3}
        self._personal: set[str] = {word for one in self._secrets for word in _words_of(one)}

    def learn(self, html: str) -> None:
        """Note the nicks and tokens of a page, so that they are known on all others."""
        tree = LexborHTMLParser(tamed(html))
        self._mask.met.update(word.casefold() for word in _WORD.findall(unescape(html)))
        for node in tree.css(f"{_NICKS}, {_TITLES}"):
            self._personal.update(word for word in _words_of(node.text()) if word not in self._engine)
        for node in tree.css("#PMtoUser, input[name=username]"):
            self._personal.update(_words_of(node.attributes.get("value") or ""))
        for node in tree.css("input[type=hidden]"):
            value = node.attributes.get("value") or ""
            if len(value) >= 8 and _SECRET_FIELDS.search(node.attributes.get("name") or ""):
                self._secrets.add(value)
        self._secrets.update(found for found in re.findall(r"\bs?sid[=:]\s*['\"]?(\w{8,})", html))

    def scrub(self, html: str) -> str:
        """The page without people."""
        made = "".join(self._tokens(html))
        for secret in sorted(self._secrets, key=len, reverse=True):
            made = made.replace(secret, self._mask.token(secret)).replace(escape(secret), self._mask.token(secret))
        return made

    def address(self, url: str) -> str:
        """An address without people and session."""
        return self._address(url)

    def said(self, text: str) -> str:
        """The other side's words about a failure."""
        return self._text(text)

    # --- tokens -----------------------------------------------------------------------------------------------------------

    def _tokens(self, html: str) -> Iterator[str]:
        stack: list[tuple[str, str]] = []
        messages = _MESSAGES if 'class="content"' in html else _OLD_MESSAGES
        for token in _TOKEN.finditer(html):
            where = stack[-1][1] if stack else "page"
            if token["comment"] is not None:
                yield self._comment(token["comment"])
            elif token["raw"]:
                name = token["raw"].lower()
                yield f"<{token['raw']}{self._attributes(name, token['rawattrs'], where)}>"
                yield self._inside(name, token["inside"]) + token["rawend"]
            elif token["tag"]:
                tag = token["tag"].lower()
                if token["slash"]:
                    for depth in range(len(stack) - 1, -1, -1):
                        if stack[depth][0] == tag:
                            del stack[depth:]
                            break
                elif tag not in _VOID and not token["attrs"].endswith("/"):
                    stack.append((tag, _place(tag, token["attrs"], where, messages)))
                yield f"<{token['slash']}{token['tag']}{self._attributes(tag, token['attrs'], where)}>"
            elif token["other"]:
                yield token["other"] if token["other"].lower().startswith("<!doctype") else ""
            else:
                yield self._shown(token["text"], where)

    def _comment(self, inside: str) -> str:
        """The engine's marks stay, other people's remarks go."""
        if named := _SPOILER_NAME.match(inside):
            return f"<!--{named[1]}{self._text(named[2])}{named[3]}-->"
        return f"<!--{inside}-->" if _MARK.match(inside) and inside.strip("/").lower() not in self._personal else "<!---->"

    def _inside(self, name: str, inside: str) -> str:
        if name == "script":
            return " /* ssid */ " if "ssid" in inside else ""
        if name == "style":
            return self._code(inside)
        return self._shown(inside, "page" if name == "title" else "message")

    def _shown(self, text: str, where: str) -> str:
        """A piece of text; entities are read first, so that no nick hides behind them."""
        plain = unescape(text)
        if not any(char.isalnum() or ord(char) > 0x2FF for char in plain):
            return text
        made = self._text(plain, own=where in ("message", "nick"))
        return escape(made, quote=False).replace("\xa0", "&nbsp;")

    def _text(self, text: str, *, own: bool = False) -> str:
        """Words of the engine stay, and numbers that count or tell when something was posted; nothing does where all is
        somebody's (``own``)."""
        stays = [] if own else [found.span() for found in _PLAIN_NUMBERS.finditer(text)]
        if not own and re.fullmatch(r"\W*\d{1,4}\W*", text):
            stays.append((0, len(text)))

        def piece(found: re.Match[str]) -> str:
            said = found[0]
            folded = said.casefold()
            if found["email"]:
                return "user@example.org"
            if found["link"]:
                return "https://link.example/"
            if any(start <= found.start() and found.end() <= end for start, end in stays):
                return said
            if said.isdigit():
                return self._mask.word(said)
            return said if not own and folded in self._engine else self._mask.word(said)

        made = _PIECE.sub(piece, text)
        if own:
            made = "".join("*" if ord(char) > 127 and unicodedata.category(char) in _SIGNS else char for char in made)
        return made

    # --- attributes -------------------------------------------------------------------------------------------------------

    def _attributes(self, tag: str, attributes: str, where: str) -> str:
        if not attributes.strip():
            return attributes
        named = {found["name"].lower(): found["value"].strip("\"'") for found in _ATTRIBUTE.finditer(attributes)}
        made: list[str] = []
        end = 0
        for found in _ATTRIBUTE.finditer(attributes):
            quote = found["value"][0] if found["value"][0] in "\"'" else ""
            value = unescape(found["value"].strip(quote) if quote else found["value"])
            changed = self._attribute(tag, found["name"].lower(), value, named, where)
            shown = found["value"] if changed == value else f"{quote}{escape(changed)}{quote}"
            made += [self._code(attributes[end : found.start()]), found["name"], found["eq"], shown]
            end = found.end()
        return "".join(made) + self._code(attributes[end:])

    def _attribute(self, tag: str, name: str, value: str, named: dict[str, str], where: str) -> str:
        if name in _ADDRESSES:
            return self._address(value)
        if name == "value":
            return self._value(tag, value, named)
        if tag == "meta" and name == "content" and "charset" in value.lower():
            return _CHARSET.sub("charset=utf-8", value)
        if tag == "meta" and name == "charset":
            return "utf-8"
        if name in _SHOWN:
            if tag == "meta" and named.get("http-equiv", "").lower() == "refresh":
                return value.split(";")[0]
            return self._text(value, own=where in ("message", "nick") and tag != "input")
        if name == "datetime":
            return value
        if name in ("name", "id", "class", "for"):
            return _IN_NAME.sub(lambda found: found[1] + self._mask.number(found[2]), _PEOPLE.sub(self._person, value))
        if _ABOUT_PEOPLE.match(name):
            return self._quoted(value)
        if name == "edit-url":
            return self._address(value)
        if name.startswith("data-"):
            value = _SECOND.sub(lambda found: self._mask.word(found[0]), value)
        return self._code(value)

    def _value(self, tag: str, value: str, named: dict[str, str]) -> str:
        kind = named.get("type", "text").lower()
        field = named.get("name", "")
        if tag == "button" or kind in _BUTTONS:
            return self._text(value)
        if _SECRET_FIELDS.search(field) and len(value) > 3:
            return self._mask.token(value)
        if "/" in value:
            return self._address(value)
        if re.fullmatch(r"-?\d{1,3}|on|off|xml|yes|no|to|bcc|inbox|", value):
            return value
        token = re.fullmatch(r"(?=.*\d)[\w-]+", value)
        return self._mask.token(value) if token else self._text(value)

    def _address(self, value: str) -> str:
        value = value.strip()
        if value.startswith(("#", "data:")) or not value:
            return value if not value.startswith("data:") else "data:,"
        if value.lower().startswith("javascript:"):
            return self._code(value)
        if value.lower().startswith("mailto:"):
            return "mailto:user@example.org"
        parts = urlsplit(urljoin(self._base, value))
        if parts.hostname != self._host:
            return "https://link.example/"
        if parts.path == "/go" and parts.query:
            return "/go?https://link.example/"
        path, mark, rest = value.partition("?")
        absolute = re.match(r"(?:https?:)?//[^/]*", path)
        if absolute:
            path = path[absolute.end() :]
        made = (f"http://{HOST}" if absolute else "") + self._path(path)
        if mark:
            query, hash_mark, fragment = rest.partition("#")
            made += "?" + "&".join(self._parameter(one) for one in query.split("&")) + hash_mark + self._code(fragment)
        return _PEOPLE.sub(self._person, made)

    def _path(self, path: str) -> str:
        path = _DELETE.sub(lambda found: found[1] + self._mask.token(found[2]), path)
        path = _PEOPLE.sub(self._person, path)
        path = _BY_NICK.sub(lambda found: found[1] + self._text(unquote(found[2]), own=True), path)
        if _STATIC.match(path):
            return path
        if _PICTURE.search(path):
            return "/x.png"
        head, mark, fragment = path.partition("#")
        segments = [
            one if not one or one in (".", "..") or _PLAIN_SEGMENT.match(one) else self._text(unquote(one), own="." not in one)
            for one in head.split("/")
        ]
        return "/".join(segments) + mark + fragment

    def _parameter(self, parameter: str) -> str:
        name, equals, value = parameter.partition("=")
        if name == "un":
            return f"{name}{equals}{self._text(unquote(value), own=True)}"
        if name.replace("amp;", "") in _OPEN_KEYS or (value.isdigit() and len(value) < 4):
            return parameter
        return f"{name}{equals}{self._mask.token(value)}"

    def _code(self, code: str) -> str:
        """Styles, handlers and the like: the engine's syntax stays, words of people and long tokens go."""
        code = _DELETE.sub(lambda found: found[1] + self._mask.token(found[2]), code)
        code = _PEOPLE.sub(self._person, _EMAIL.sub("user@example.org", code))
        code = _URL_OF_STYLE.sub(lambda found: found[1] + self._address(found[2]), code)
        for about in (_OF_PEOPLE, _QUOTE_TAG):
            code = about.sub(lambda found: found[1] + self._quoted(found[2]) + found[3], code)
        code = _KEYED.sub(lambda found: found[1] + self._quoted(found[2]), code)
        code = _IN_BBCODE.sub(lambda found: found[1] + self._text(found[3], own=True) + found[4], code)
        code = code.replace(self._host, HOST) if self._host else code
        code = _LONG_TOKEN.sub(lambda found: self._mask.token(found[0]), code)

        def word(found: re.Match[str]) -> str:
            folded = found[0].casefold()
            foreign = not found[0].isascii() and folded not in self._engine
            known = folded in self._personal and len(folded) > 2 and folded not in self._engine and not found[0].isdigit()
            return self._mask.word(found[0]) if foreign or known else found[0]

        return _WORD.sub(word, code)

    def _quoted(self, arguments: str) -> str:
        """What a button quotes: a post's number, a nick, a time, a person's number; only the engine's words of it stay."""

        def word(found: re.Match[str]) -> str:
            said = found[0]
            stays = said.casefold() in self._engine or said.casefold() in _KEYS or said in ("0", "1")
            return said if stays else self._mask.word(said)

        return _WORD.sub(word, arguments)

    def _person(self, found: re.Match[str]) -> str:
        if found[2] is not None:
            return f"{found[1]}{self._mask.number(found[2])}"
        return f"{found[3]}{self._mask.number(found[4])}{found[5]}"

    def number(self, uid: str) -> str:
        """What a person's number becomes: always the same one, with as many digits. 0 and 1 (nobody, guest) stay."""
        return self._mask.number(uid)


def _place(tag: str, attributes: str, where: str, messages: re.Pattern[str]) -> str:
    """Whose words an element holds: a ``nick`` or ``message`` (nobody's but a person's)."""
    if where in ("message", "nick"):
        return where
    if (tag == "a" and re.search(r"/index/8-|viewprofile", attributes)) or _OWN_WORDS.search(attributes) or tag == "cite":
        return "nick"
    if messages.search(attributes):
        return "message"
    return where


def _words_of(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text) if not word.isdigit()]
