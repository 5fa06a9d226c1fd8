"""A letter's HTML to lines, each marked with what the tree tells: somebody else's words, an attribution, a signature."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters import taming
from adapters.mail.replies import Line, Mark, strip

_UNSEEN = frozenset(
    (
        "style",
        "script",
        "title",
        "head",
        "template",
        "noscript",
        "object",
        "svg",
        "select",
        "option",
        "textarea",
        "-comment",
        "_comment",
    )
)
_BLOCKS = frozenset(
    (
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "html",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
        "caption",
    )
)
_CELLS = frozenset(("td", "th"))
_STRUCK = frozenset(("s", "strike", "del"))
_QUOTE = re.compile(
    r"(?<!gmail_)(?<!no)quot(?:e|ed|ation)|reference-message|original-?message|forward-container|history_container|zmail_extra"
    r"|(?:^|[ _-])cit(?:e|ation)(?:[ _-]|$)",
    re.IGNORECASE,
)
_FRAME = re.compile(r"reference-message-container", re.IGNORECASE)
_FRAMES = frozenset({"reference", "quote", "signature"})
_NO_QUOTE = re.compile(r"separator|unquote", re.IGNORECASE)
_ATTRIBUTION = re.compile(
    r"gmail_attr|moz-cite-prefix|divrplyfwdmsg|outlookmessageheader|reply-intro|quote-header|attribution", re.IGNORECASE
)
_SIGNATURE = re.compile(
    r"signature(?!-?(?:separator|before))|(?:^|[ _-])sign(?:[ _-]|$)|bloop_sign|dab4fad8-2dd7-40bb-a1b8", re.IGNORECASE
)
_HIDING = re.compile(
    (
        r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)"
        r"|opacity\s*:\s*0?\.?0+\s*(?:;|!|$)"
    ),
    re.IGNORECASE,
)
_LINE_THROUGH = re.compile(r"text-decoration[^;]{0,40}:\s*[^;]{0,40}line-through", re.IGNORECASE)
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_LONGEST_SHEET, _MOST_SHEETS = 100_000, 100
_MOST_LINES, _MOST_TAGS = 6_000, 60_000
_LONGEST_ATTRIBUTE = 2_000
_SIMPLE = re.compile(r"^[a-z0-9]*(?:[.#][\w-]+)?$", re.IGNORECASE)
_STRENGTH: dict[Mark, int] = {"": 0, "signature": 1, "attribution": 2, "quote": 3}


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a reader of the HTML sees, line by line, and what was left out on the way."""

    lines: tuple[Line, ...]
    struck: bool = False
    too_deep: bool = False
    framed: bool = False
    """The only words that may be the writer's stand where a program keeps its quotation or its signature."""


def render(source: str) -> Rendered:
    """Lines of an HTML letter as a person sees them; hidden and struck-through words are left out (``struck`` tells of these)."""
    tame = taming.tame(source, _MOST_TAGS)
    tree = LexborHTMLParser(tame.html)
    hidden = _hidden_selectors(tree)
    root = tree.body or tree.root
    walk = _Walk(hidden, frozenset())
    framed = False
    if root is not None:
        walk.run(root)
        # Outlook on phones puts all of an answer into the frame of the old letter: whose words stand there the lines tell. Of
        # other programs' frames it is only likely that the writer has got into them.
        for opened, doubtful in ((frozenset({"reference"}), False), (_FRAMES, True)):
            if opened & walk.met and not strip(walk.lines).text:
                walk = _Walk(hidden, opened)
                walk.run(root)
                framed = doubtful
    return Rendered(tuple(walk.lines), walk.struck_seen, not tame.whole, framed and bool(strip(walk.lines).text))


def _hidden_selectors(tree: LexborHTMLParser) -> frozenset[str]:
    """Simple selectors (``.a``, ``#b``, ``p.c``) that a style sheet of the letter hides."""
    found: set[str] = set()
    sheets = "\n".join(node.text(deep=True)[:_LONGEST_SHEET] for node in tree.css("style")[:_MOST_SHEETS])
    for selectors, body in _rules(sheets[:_LONGEST_SHEET]):
        if _HIDING.search(body):
            found.update(part.strip().lower() for part in selectors.split(",") if _SIMPLE.match(part.strip()))
    found.discard("")
    return frozenset(found)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """(selectors, declarations) of a style sheet; not those that hold for some screens only."""
    sheet = re.sub(r"<!--|-->", "", re.sub(r"/\*(?:(?!\*/).)*+(?:\*/|\Z)", "", sheet, flags=re.DOTALL))
    heads: list[str] = []
    conditional = start = 0
    for brace in _BRACE.finditer(sheet):
        told = sheet[start : brace.start()]
        start = brace.end()
        if brace[0] == "{":
            heads.append(told.rpartition(";")[2])
            conditional += "@" in heads[-1]
        elif heads:
            head = heads.pop()
            conditional -= "@" in head
            if not conditional and "@" not in head:
                yield head, told


@dataclass(slots=True)
class _State:
    """What holds inside an element."""

    mark: Mark = ""
    struck: bool = False
    pre: bool = False


def _frame_of(tag: str, names: str, attributes: dict[str, str]) -> str:
    """Which of a program's frames an element is by its class, "" for none: Outlook's old letter, a quotation, a signature."""
    if _FRAME.search(names):
        return "reference"
    if tag not in ("blockquote", "body", "html") and _QUOTE.search(names) and not _NO_QUOTE.search(names):
        return "quote"
    signed = _SIGNATURE.search(names) or any(name.startswith(("data-signature", "data-smartmail")) for name in attributes)
    return "signature" if signed else ""


class _Walk:
    """A walk over the tree without recursion."""

    def __init__(self, hidden: frozenset[str], opened: frozenset[str]) -> None:
        self.met: set[str] = set()
        """Which kinds of a program's frames were met."""
        self._opened = opened
        self.lines: list[Line] = []
        self.struck_seen = False
        self._hidden = hidden
        self._text: list[str] = []
        self._mark: Mark = ""

    def run(self, root: LexborNode) -> None:
        """Walk below ``root`` and close the last line."""
        stack: list[tuple[LexborNode, _State]] = [(root, _State())]
        node: LexborNode | None = root.child
        while stack and len(self.lines) < _MOST_LINES:
            if node is None:
                left, _ = stack.pop()
                if not stack:
                    break
                self._leave(left, stack[-1][1])
                node = left.next
                continue
            entered = self._enter(node, stack[-1][1])
            if entered is not None and node.child is not None:
                stack.append((node, entered))
                node = node.child
                continue
            if entered is not None:
                self._leave(node, stack[-1][1])
            node = node.next
        self._flush()

    def _enter(self, node: LexborNode, outer: _State) -> _State | None:
        tag = node.tag or ""
        if tag == "-text":
            self._add(node.text_content or "", outer)
            return None
        if tag == "br":
            self._flush(force=True)
            return None
        if tag in _UNSEEN or tag.startswith("!") or tag == "-doctype":
            return None
        attributes = {name: (value or "")[:_LONGEST_ATTRIBUTE] for name, value in node.attributes.items()}
        if self._is_hidden(tag, attributes):
            return None
        inner = self._inside(tag, attributes, outer)
        if tag in _BLOCKS or inner.mark != outer.mark:
            self._flush()
        elif tag in _CELLS:
            self._gap()
        self._mark = inner.mark
        return inner

    def _leave(self, node: LexborNode, outer: _State) -> None:
        tag = node.tag or ""
        if tag in _BLOCKS or self._mark != outer.mark:
            self._flush()
            if tag == "p" or tag == "hr":
                self._blank()
        elif tag in _CELLS:
            self._gap()
        self._mark = outer.mark

    def _inside(self, tag: str, attributes: dict[str, str], outer: _State) -> _State:
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        style = attributes.get("style", "")
        mark: Mark = outer.mark
        frame = _frame_of(tag, names, attributes)
        if frame:
            self.met.add(frame)
        if frame in self._opened:
            pass
        elif tag == "blockquote" or frame in ("reference", "quote"):
            mark = "quote"
        elif _ATTRIBUTION.search(names):
            mark = "attribution"
        elif frame == "signature":
            mark = "signature"
        if _STRENGTH[mark] < _STRENGTH[outer.mark]:
            mark = outer.mark
        return _State(
            mark,
            outer.struck or tag in _STRUCK or bool(_LINE_THROUGH.search(style)),
            outer.pre or tag == "pre" or bool(_KEEPS_LINES.search(style)),
        )

    def _is_hidden(self, tag: str, attributes: dict[str, str]) -> bool:
        if "hidden" in attributes or _HIDING.search(attributes.get("style", "")):
            return True
        if not self._hidden:
            return False
        marks = [f".{name}" for name in attributes.get("class", "").lower().split()]
        if attributes.get("id"):
            marks.append(f"#{attributes['id'].lower()}")
        return any(mark in self._hidden or tag + mark in self._hidden for mark in ("", *marks) if mark or tag in self._hidden)

    def _add(self, text: str, state: _State) -> None:
        if state.struck:
            self.struck_seen = self.struck_seen or (bool(text.strip()) and state.mark == "")
            return
        if state.pre and "\n" in text:
            first, *others = text.split("\n")
            self._text.append(first)
            for other in others:
                self._flush(force=True)
                self._text.append(other)
            return
        self._text.append(text.replace("\xad", "").replace("\u200b", ""))

    def _gap(self) -> None:
        if self._text:
            self._text.append(" ")

    def _flush(self, *, force: bool = False) -> None:
        text = " ".join("".join(self._text).split())
        self._text.clear()
        if text or force:
            self.lines.append(Line(text, self._mark))

    def _blank(self) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(Line("", self._mark))
