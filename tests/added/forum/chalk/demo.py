"""The embedded Chalk board of the demo."""

import re
import secrets
from dataclasses import dataclass
from html import escape
from typing import ClassVar
from urllib.parse import quote
from zoneinfo import ZoneInfo

from adapters.clock import Clock
from chalk import notation
from forumbot.demo.forum.board import Board, BoardError, Message, Post, User
from forumbot.demo.forum.embedded import Embedded
from forumbot.demo.forum.trouble import Troubles
from forumbot.demo.forum.web import Request, Response

_TAG = re.compile(r"\[(/?)(b|i|u|s|color|quote|spoiler|size|url)(?:=([^\[\]\n]*))?\]", re.I)
_HTML = {"b": "b", "i": "i", "u": "u", "s": "del", "color": "em", "quote": "aside", "spoiler": "div", "size": "span", "url": "a"}
_PAGE = 15


@dataclass(frozen=True)
class ChalkOptions:
    engine: ClassVar[str] = "chalk"


def shown(text: str) -> str:
    """Words of the board as HTML; a tag without a partner stays as text."""
    out: list[str] = []
    stack: list[tuple[str, int, str]] = []
    at = 0
    for tag in _TAG.finditer(text):
        out.append(_lines(text[at : tag.start()]))
        at, name = tag.end(), tag[2].lower()
        if not tag[1]:
            stack.append((name, len(out), tag[3] or ""))
            out.append(escape(tag[0]))
        elif stack and stack[-1][0] == name:
            _, place, value = stack.pop()
            classes = {"color": f"ink-{value.lower()}", "quote": "cited", "spoiler": "fold"}.get(name, "")
            out[place] = f"<{_HTML[name]}" + (f' class="{escape(classes)}">' if classes else ">")
            out.append(f"</{_HTML[name]}>")
        else:
            out.append(escape(tag[0]))
    return "".join(out) + _lines(text[at:])


def _lines(text: str) -> str:
    return escape(text).replace("\n", "<br>")


class Site:
    """A Chalk board that shows the demo's board."""

    charset, gzip = "utf-8", False

    def __init__(self, board: Board, options: ChalkOptions, troubles: Troubles) -> None:
        self.board = board
        self.zone = ZoneInfo(board.zone)
        self.seen: dict[str, int] = {}

    @property
    def clock(self) -> Clock:
        return self.board.clock

    def answer(self, request: Request) -> Response:
        with self.board.lock:
            uid = self.seen.get(request.cookies.get("chalk", ""))
            me = self.board.user(uid) if uid is not None else None
            try:
                return self._post(request, me) if request.method == "POST" else self._get(request, me)
            except (BoardError, ValueError):
                return self._page(me, "Стёрто", '<p class="no">нет такой темы, она стёрта: стёрто</p>', 404)

    def forget_session(self, request: Request) -> None:
        self.seen.pop(request.cookies.get("chalk", ""), None)

    def challenge(self) -> Response:
        return Response(b"<html><title>Just a moment</title></html>")

    def maintenance(self) -> Response:
        return Response("<html><body><p class='no'>Ведутся технические работы</p></body></html>".encode())

    def _page(self, me: User | None, title: str, body: str, status: int = 200) -> Response:
        enter = '<form class="enter" action="/enter.php" method="post"><input name="nick"><input name="secret"></form>'
        who = f'<p class="me">Вы: {self._who(me.uid)} <a href="/out.php">выйти</a></p>' if me else enter
        head = f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head>"
        return Response(f"{head}<body>{who}<h1>{escape(title)}</h1>{body}</body></html>".encode(), status)

    def _who(self, uid: int) -> str:
        return f'<a class="who" href="/who.php?u={uid}">{escape(self.board.user(uid).nick)}</a>'

    def _pen(self, action: str, title: bool) -> str:
        field = '<input name="title">' if title else ""
        return f'<form class="pen" action="{action}" method="post">{field}<textarea name="words"></textarea></form>'

    def _get(self, request: Request, me: User | None) -> Response:
        board, number = self.board, request.number
        match request.path:
            case "/shelf.php":
                section = board.sections.get(number("f") or 0)
                if section is None:
                    raise BoardError("no section")
                rows = (f'<li><a href="/topic.php?t={t.id}&p=1">{escape(t.title)}</a></li>' for t in board.topics_in(section.id))
                return self._page(me, section.name, f'<ul class="shelf">{"".join(rows)}</ul>')
            case "/topic.php":
                return self._topic(number("t") or 0, number("p") or 1, me)
            case "/who.php":
                found = board.user(number("u") or 0) if request.get("u") else board.find_user(request.get("nick"))
                row = f"<table><tr><td>Ник</td><td>{self._who(found.uid)}</td></tr></table>" if found else ""
                return self._page(me, "Кто это", row)
            case "/pen.php" if me is not None:
                return self._page(me, "Написать", self._pen(f"/write.php?{quote(request.target.partition('?')[2], '=&')}", True))
            case "/box.php" if me is not None:
                return self._box(request.get("folder"), number("p") or 1, me)
            case "/letter.php" if me is not None:
                return self._letter(board.messages[number("m") or 0], me)
        return self._page(me, board.name, "")

    def _topic(self, topic: int, leaf: int, me: User | None) -> Response:
        posts, thread = self.board.visible_posts(topic), self.board.topic(topic)
        leaves = max(1, -(-len(posts) // _PAGE))
        leaf = min(max(leaf, 1), leaves)
        notes = "".join(self._note(post) for post in posts[(leaf - 1) * _PAGE : leaf * _PAGE])
        pen = self._pen(f"/write.php?t={topic}", False) if me and not thread.locked else ""
        return self._page(me, thread.title, f'<p class="leaf">лист {leaf} из {leaves}</p>{notes}{pen}')

    def _note(self, post: Post) -> str:
        who = self._who(post.author) if post.author is not None else escape(post.shown_as)
        when = notation.printed(post.posted.astimezone(self.zone))
        last = post.versions[-1]
        by = f"{escape(self.board.author_nick(post))}, {notation.printed(last.at.astimezone(self.zone))}"
        mended = f'<p class="mended">исправлено: {by}</p>' if len(post.versions) > 1 else ""
        head = f'<p class="by">{who}, <span class="when">{when}</span></p>'
        return f'<section class="note" id="n{post.id}">{head}<div class="chalk">{shown(post.text)}</div>{mended}</section>'

    def _box(self, folder: str, leaf: int, me: User) -> Response:
        kept = self.board.box(me.uid, "inbox") if folder == "in" else self.board.sent(me.uid)
        leaves = max(1, -(-len(kept) // _PAGE))
        rows = "".join(self._row(one, folder) for one in kept[(leaf - 1) * _PAGE : leaf * _PAGE])
        return self._page(me, "Письма", f'<p class="leaf">лист {leaf} из {leaves}</p><ul class="box">{rows}</ul>')

    def _row(self, one: Message, folder: str) -> str:
        subject = escape(one.subject) if one.read or folder == "out" else f"<b>{escape(one.subject)}</b>"
        other = self._who(one.sender if folder == "in" else one.recipient)
        return f'<li><a href="/letter.php?m={one.id}">{subject}</a> {other}</li>'

    def _letter(self, one: Message, me: User) -> Response:
        one.read = one.read or one.recipient == me.uid
        head = f'<p>{self._who(one.sender)}, <span class="when">{notation.printed(one.sent.astimezone(self.zone))}</span></p>'
        return self._page(me, one.subject, f'<article class="letter">{head}<div class="chalk">{shown(one.text)}</div></article>')

    def _post(self, request: Request, me: User | None) -> Response:
        board, number = self.board, request.number
        if request.path == "/enter.php":
            user = board.find_user(request.field("nick"))
            if user is None or user.password != request.field("secret"):
                return self._page(None, board.name, '<p class="no">имя или слово не подходят</p>')
            key = secrets.token_hex(16)
            self.seen[key] = user.uid
            return Response(b"", 302, headers=[("Location", "/index.php"), ("Set-Cookie", f"chalk={key}; Path=/")])
        if me is None:
            return self._page(None, board.name, '<p class="no">закрыто для гостей</p>')
        words = notation.to_bbcode(request.field("words").replace("\r\n", "\n"))
        if (note := number("n")) is not None:
            board.edit(note, words)
        elif (topic := number("t")) is not None:
            board.post(topic, me.uid, words)
        elif (section := number("f")) is not None:
            board.open_topic(section, me.uid, request.field("title"), words)
        elif (other := number("u")) is not None:
            board.send_pm(me.uid, other, request.field("title"), words)
        return Response(b"", 302, headers=[("Location", "/index.php")])


def _quoted(board: Board, post: int, _options: ChalkOptions) -> str:
    found = board.find_post(post)
    return f"[quote={board.author_nick(found)}]{found.text}[/quote]"


EMBEDDED = Embedded(Site, ChalkOptions, _quoted, lambda board, topic, _options: f"/topic.php?t={topic}&p=1")
