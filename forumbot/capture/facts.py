"""What a captured forum tells: which facts of our references hold on it, and what to do where they do not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from selectolax.lexbor import LexborHTMLParser

from adapters.errors import NoThread
from adapters.markup import tamed
from adapters.model import Page, Post
from adapters.phpbb.site import MERGING
from adapters.webpage import find_form
from forumbot.capture import collect

State = Literal["holds", "differs", "unseen"]
WORDS: Mapping[State, str] = {"holds": "держится", "differs": "не так", "unseen": "не видно"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact: its state here, what was seen, and what to do (Russian)."""

    fact: str
    state: State
    seen: str = ""
    advice: str = ""


@dataclass(frozen=True)
class Capture:
    """The pages of a capture, read with the reader of their engine."""

    engine: str
    zone: ZoneInfo
    overrides: Mapping[str, str]
    pages: Mapping[str, str]
    about: Mapping[str, Mapping[str, Any]]
    _trees: dict[str, LexborHTMLParser] = field(default_factory=dict)

    def tree(self, kind: str) -> LexborHTMLParser | None:
        """The tree of a page; None where there is no such page."""
        if kind not in self.pages:
            return None
        if kind not in self._trees:
            self._trees[kind] = LexborHTMLParser(tamed(self.pages[kind]))
        return self._trees[kind]

    def read(self, kind: str, html: str | None = None) -> Page | NoThread | None:
        """A page read as a thread, or why it is none."""
        if kind not in self.pages:
            return None
        fetched = datetime.fromisoformat(str(self.about[kind]["fetched"]))
        reader = import_module(f"adapters.{self.engine}.pages")
        try:
            page: Page = reader.read_thread(
                self.pages[kind] if html is None else html, fetched=fetched, zone=self.zone, overrides=self.overrides
            )
        except NoThread as error:
            return error
        return page

    @cached_property
    def threads(self) -> tuple[Page, ...]:
        """The pages of the thread that could be read, in order."""
        kinds = sorted((kind for kind in self.pages if re.fullmatch(r"thread(_\d+)?", kind)), key=lambda kind: (len(kind), kind))
        return tuple(page for kind in kinds if isinstance(page := self.read(kind), Page))

    @property
    def posts(self) -> tuple[Post, ...]:
        return tuple({post.id: post for page in self.threads for post in page.posts}.values())

    @property
    def thread_html(self) -> str:
        return "".join(html for kind, html in self.pages.items() if kind.startswith("thread"))


_TO_US = "пришлите папку разработчикам"
_NO_GAME = f"играть нельзя: {_TO_US}"
_KEYS = {
    "ucoz": {"posts": "post_ids", "author": "author_classes", "letter": "pm_body"},
    "phpbb": {"posts": "post_ids, post_classes", "author": "profile_classes, line_classes", "letter": "text_classes"},
}
"""Where a host writes down what the forum's owner has changed."""

Check = Callable[[Capture], Finding | Sequence[Finding]]


def open_capture(folder: Path) -> Capture:
    """Raises OSError, ValueError or KeyError when the folder holds no capture."""
    manifest, pages = collect.load(folder)
    about = {str(page["kind"]): page for page in manifest["pages"]}
    engine = str(manifest["engine"])
    if engine not in _CHECKS:
        raise ValueError(f"engine {engine}")
    return Capture(engine, ZoneInfo(str(manifest["zone"])), dict(manifest["overrides"]), pages, about)


def findings(capture: Capture) -> list[Finding]:
    """All facts in the order of the table."""
    found: list[Finding] = []
    for check in (*_COMMON, *_CHECKS[capture.engine]):
        told = check(capture)
        found.extend([told] if isinstance(told, Finding) else told)
    return found


def _judged(fact: str, good: bool, seen: str, advice: str) -> Finding:
    return Finding(fact, "holds", seen) if good else Finding(fact, "differs", seen, advice)


# --- every engine -------------------------------------------------------------------------------------------------------


def _thread(capture: Capture) -> Finding:
    fact = "страница темы читается"
    page = capture.read("thread")
    if isinstance(page, Page):
        return Finding(fact, "holds", f"сообщений на первой странице: {len(page.posts)}, страниц: {page.pages}")
    if page is None:
        why = str(capture.about.get("thread", {}).get("text", ""))
        return Finding(fact, "unseen", why, "снимите копию ещё раз с живой темой (--topic)")
    advice = "впишите новое в config/forums ({posts})" if page.reason == "no_posts" else _NO_GAME
    return Finding(fact, "differs", f"{page.reason}: {page.text[:80]}", advice.format(**_KEYS[capture.engine]))


def _of_posts(fact: str, test: Callable[[Post], bool], advice: str) -> Check:
    """A fact that every post shows."""

    def check(capture: Capture) -> Finding:
        posts = capture.posts
        if not posts:
            return Finding(fact, "unseen")
        held = sum(test(post) for post in posts)
        return _judged(fact, held == len(posts), f"{held} из {len(posts)}", advice.format(**_KEYS[capture.engine]))

    return check


def _page_size(capture: Capture) -> Finding:
    fact = "размер страницы темы"
    if not capture.threads or capture.threads[0].pages < 2:
        return Finding(fact, "unseen", "в теме одна страница", "снимите тему в несколько страниц")
    return Finding(fact, "holds", f"{len(capture.threads[0].posts)} сообщений")


def _switch(capture: Capture) -> Finding:
    fact = "переключатель страниц понят"
    if len(capture.threads) < 2:
        return Finding(fact, "unseen", "в теме одна страница")
    pages = [page.page for page in capture.threads]
    good = pages == sorted(set(pages)) and capture.threads[-1].page == capture.threads[-1].pages
    return _judged(fact, good, f"страницы {', '.join(map(str, pages))}", _TO_US)


def _past_the_end(capture: Capture) -> Finding:
    fact = "страница за концом темы не принимается за новую"
    page = capture.read("past_the_end")
    if page is None:
        return Finding(fact, "unseen")
    if isinstance(page, NoThread):
        return Finding(fact, "holds", f"форум отвечает: {page.reason}")
    known = page.page <= page.pages and (not capture.threads or page.pages == capture.threads[0].pages)
    return Finding(fact, "holds" if known else "differs", f"форум показывает страницу {page.page} из {page.pages}")


def _pinned(capture: Capture) -> Finding:
    fact = "закреплённое первое сообщение (шапка)"
    if len(capture.threads) < 2:
        return Finding(fact, "unseen", "в теме одна страница")
    first = capture.threads[0].posts[0].id
    pinned = any(post.id == first for page in capture.threads[1:] for post in page.posts)
    return Finding(fact, "holds" if pinned else "unseen", "есть: повторяется на каждой странице" if pinned else "в этой теме нет")


def _colours(capture: Capture) -> Finding:
    fact = "цвет голоса виден"
    runs = [run for post in capture.posts for run in post.runs if run.color and run.voice == "own"]
    if not runs:
        return Finding(fact, "unseen", "в теме нет цветных слов", "снимите тему с голосами")
    marks = (("span style", '<span style="color'), ("font color", "<font"))
    ways = [name for name, mark in marks if mark in capture.thread_html]
    colours = sorted({str(run.color) for run in runs})
    return Finding(fact, "holds", f"{', '.join(ways) or 'класс CSS'}; {', '.join(colours)}")


def _edited(capture: Capture) -> Finding:
    fact = "строка о правке понята"
    edited = [post for post in capture.posts if post.edited]
    if not edited:
        return Finding(fact, "unseen", "в теме нет правленых сообщений", "поправьте в теме одно сообщение и снимите ещё раз")
    whole = [post for post in edited if post.edited_by and post.edited_at]
    state: State = "holds" if len(whole) == len(edited) else "differs"
    return Finding(fact, state, f"правлено {len(edited)}, с ником и временем {len(whole)}")


def _wall(kind: str, fact: str, reasons: frozenset[str]) -> Check:
    """A page that must be known for what it is and never be taken for an empty thread."""

    def check(capture: Capture) -> Finding:
        page = capture.read(kind)
        if page is None:
            return Finding(fact, "unseen")
        if isinstance(page, Page):
            return Finding(fact, "differs", f"прочитана как тема, сообщений {len(page.posts)}", _TO_US)
        state: State = "holds" if page.reason in reasons else "differs"
        advice = "" if state == "holds" else "впишите слова этой страницы в config/forums (not_found_words и соседние)"
        return Finding(fact, state, f"{page.reason}: {page.text[:80]}", advice)

    return check


def _guest(capture: Capture) -> Finding:
    fact = "гость отличается от вошедшего"
    inside, outside = capture.tree("thread"), capture.tree("guest_thread")
    if inside is None or outside is None:
        return Finding(fact, "unseen")
    known = import_module(f"adapters.{capture.engine}.site").is_logged_in
    good = known(inside) and not known(outside)
    return _judged(fact, good, "" if good else "по ссылке «Выход» не отличить", _NO_GAME)


def _closed(capture: Capture) -> Finding:
    fact = "закрытая тема узнаётся"
    page = capture.read("closed")
    if page is None:
        return Finding(fact, "unseen", "не снята", "снимите с параметром --closed ТЕМА")
    locked = isinstance(page, Page) and page.locked
    return Finding(fact, "holds" if locked else "differs", "" if locked else "форма ответа видна или страница не прочитана")


def _form(kind: str, fact: str, selector: str, needed: Sequence[str], advice: str = "") -> Check:
    """A form with the fields that we fill in; hidden ones are echoed whatever they are, and listed here."""

    def check(capture: Capture) -> Finding:
        tree = capture.tree(kind)
        if tree is None:
            return Finding(fact, "unseen", str(capture.about.get(kind, {}).get("text", "")))
        form = find_form(tree, selector)
        if form is None:
            return Finding(fact, "differs", "формы на странице нет", advice or "проверьте права бота в этом разделе")
        lacking = [name for name in needed if not any(offered.startswith(name) for offered in form.offered)]
        hidden = [name for name in (node.attributes.get("name") or "" for node in tree.css(_hidden(selector))) if name]
        if lacking:
            return Finding(fact, "differs", f"нет полей {', '.join(lacking)}", _TO_US)
        return Finding(fact, "holds", f"скрытые поля: {', '.join(dict.fromkeys(hidden)) or 'нет'}")

    return check


def _hidden(selector: str) -> str:
    return ", ".join(f"{one.strip()} input[type=hidden]" for one in selector.split(","))


def _no_captcha(capture: Capture) -> Finding:
    fact = "бота не спрашивают код с картинки"
    trees = {kind: tree for kind in ("thread", "reply", "new_topic", "compose") if (tree := capture.tree(kind)) is not None}
    if not trees:
        return Finding(fact, "unseen")
    seen = [kind for kind, tree in trees.items() if tree.css_first(_CAPTCHA) is not None]
    advice = "попросите владельца: для группы бота «не показывать код безопасности»"
    return _judged(fact, not seen, ", ".join(seen), advice)


def _html_off(capture: Capture) -> Finding:
    fact = "HTML в сообщениях бота выключен"
    trees = [tree for kind in ("thread", "new_topic") if (tree := capture.tree(kind)) is not None]
    boxes = [box for tree in trees for box in tree.css("input[name=ahtml]")]
    if not boxes:
        return Finding(fact, "unseen" if not trees else "holds", "галочки в формах нет")
    ticked = any("checked" in box.attributes for box in boxes)
    seen = "галочка в форме стоит; бот её не отправляет" if ticked else "галочка есть и не стоит"
    return Finding(fact, "holds", seen, "снимите её и у людей: с нею чужие слова в сообщении работают как HTML" if ticked else "")


def _messages(kind: str, fact: str) -> Check:
    """A list of private messages."""

    def check(capture: Capture) -> Finding:
        tree = capture.tree(kind)
        if tree is None:
            return Finding(fact, "unseen")
        letters = import_module(f"adapters.{capture.engine}.letters")
        listed = tree.css_first(_LISTS[capture.engine]) is not None
        lines = letters.lines_of(tree)
        named = sum(1 for line in lines if line.nick)
        seen = f"строк {len(lines)}, с ником {named}"
        good = listed and named == len(lines)
        return _judged(fact, good, seen, _TO_US)

    return check


def _message(capture: Capture) -> Finding:
    fact = "личное сообщение читается"
    tree, inbox = capture.tree("message"), capture.tree("inbox")
    if tree is None or inbox is None:
        advice = "прочитайте в ящике бота одно сообщение и снимите ещё раз"
        return Finding(fact, "unseen", "прочитанных сообщений в ящике нет", advice)
    letters = import_module(f"adapters.{capture.engine}.letters")
    layout = import_module(f"adapters.{capture.engine}.layout").Layout.of(capture.overrides)
    line = letters.lines_of(inbox)[0]
    fetched = datetime.fromisoformat(str(capture.about["message"]["fetched"]))
    try:
        message = letters.message_of(tree, line, fetched=fetched, zone=capture.zone, layout=layout)
    except NoThread as error:
        advice = "впишите, где текст сообщения, в config/forums ({letter})"
        return Finding(fact, "differs", error.text, advice.format(**_KEYS[capture.engine]))
    time = "время прочитано" if message.sent else "времени не видно"
    return Finding(fact, "holds" if message.sent and message.runs else "differs", time)


_CAPTCHA = (
    "input[name^=confirm_code], input[name=code], input[name*=captcha], .captcha-block, #frM45, .g-recaptcha, "
    'input[name=qa_answer], img[src*="secure"], img[src*="mode=confirm"]'
)
_LISTS = {
    "ucoz": "a.pmCatLink, .pmCatLinkActive, tr[id^=ent], .userpm-layout, .userpm-messages-table",
    "phpbb": '#viewfolder, form[action*="i=pm"], .cplist, ul.pmlist',
}
_COMMON: tuple[Check, ...] = (
    _thread,
    _of_posts("автор сообщения виден", lambda post: bool(post.author), "впишите класс ника в config/forums ({author})"),
    _of_posts(
        "номер игрока (uid) виден", lambda post: post.author_uid is not None,
        "без номера бот узнаёт людей по нику; попросите владельца вернуть ссылку на профиль",
    ),
    _page_size,
    _switch,
    _past_the_end,
    _pinned,
    _colours,
    _edited,
    _guest,
    _wall("missing", "пропавшая тема узнаётся", frozenset(("not_found", "forbidden", "no_posts"))),
    _closed,
    _no_captcha,
    _messages("inbox", "список входящих ЛС узнаётся"),
    _messages("sent", "список отправленных ЛС узнаётся"),
    _message,
)  # fmt: skip


# --- uCoz ---------------------------------------------------------------------------------------------------------------

_TS = re.compile(r"(/forum/\d+-\d+-\d+)-16-\d{9,10}")


def _printed(capture: Capture) -> list[Finding]:
    """The printed dates, read without the exact times of the permalinks, and how far they are from those."""
    read, zone = "напечатанная дата читается", "напечатанное время в поясе форума"
    exact = {post.id: post.posted for post in capture.posts if post.exact and post.posted}
    without = capture.read("thread", _TS.sub(r"\1", capture.pages.get("thread", "")))
    if not isinstance(without, Page):
        return [Finding(read, "unseen"), Finding(zone, "unseen")]
    printed = {post.id: post.posted for post in without.posts if post.posted}
    state: State = "holds" if len(printed) == len(without.posts) else "differs"
    advice = "" if printed else "попросите владельца выбрать полную дату в настройках форума"
    found = [Finding(read, state, f"{len(printed)} из {len(without.posts)}", advice)]
    apart = [moment - exact[pid] for pid, moment in printed.items() if moment and pid in exact]
    if not apart:
        return [*found, Finding(zone, "unseen")]
    typical = sorted(apart)[len(apart) // 2]
    if abs(typical) < timedelta(minutes=2):
        return [*found, Finding(zone, "holds", str(capture.zone))]
    hours = round(typical.total_seconds() / 3600, 1)
    advice = "поставьте учётной записи бота пояс форума или поправьте zone в [forum]"
    return [*found, Finding(zone, "differs", f"расходится на {hours:+} ч", advice)]


def _mark(fact: str, selector: str, advice: str = "") -> Check:
    """A mark of the engine that is either on the pages or cannot be judged."""

    def check(capture: Capture) -> Finding:
        trees = [tree for kind in capture.pages if kind.startswith("thread") and (tree := capture.tree(kind)) is not None]
        count = sum(len(tree.css(selector)) for tree in trees)
        if not count:
            return Finding(fact, "unseen", "на снятых страницах нет", advice)
        return Finding(fact, "holds", f"{count} на снятых страницах")

    return check


def _login_form(capture: Capture) -> Finding:
    fact = "форма входа узнаётся"
    ucoz = capture.engine == "ucoz"
    selector = 'form[id^=frmLg], form[action*="/index/sub"]' if ucoz else 'form#login, form[action*="mode=login"]'
    for kind in ("guest_login", "guest_thread"):
        tree = capture.tree(kind)
        form = find_form(tree, selector) if tree is not None else None
        if form is not None:
            return Finding(fact, "holds", f"поля: {', '.join(sorted(form.offered))}")
    uid_only = "если вход только через uID, попросите владельца включить старую форму входа"
    return Finding(fact, "unseen", "формы на страницах гостя нет", uid_only if ucoz else "")


def _profile(capture: Capture) -> Finding:
    fact = "свой номер (uid) виден на странице профиля"
    html = capture.pages.get("profile")
    if html is None:
        return Finding(fact, "unseen")
    found = re.search(r"(?:/index/(?:8|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d-])", html)
    address = str(capture.about["profile"]["address"])
    return _judged(fact, bool(found or re.search(r"8-\d+$", address)), "", _TO_US)


_ADDFORM = "form[name=addform], form#addform"
_UCOZ_RIGHTS: tuple[Check, ...] = (
    _form("new_topic", "форма новой темы (addform)", _ADDFORM, ("message",)),
    _form("compose", "форма личного сообщения", _ADDFORM, ("subject", "message")),
    _html_off,
)
_UCOZ: tuple[Check, ...] = (
    _of_posts("точное время в ссылке сообщения (TS)", lambda post: post.exact, "время берётся из напечатанной даты: до минуты"),
    _printed,
    _of_posts("номер сообщения напечатан", lambda post: post.number is not None, "это не мешает: бот считает по id"),
    _mark("подпись отмечена (signatureView)", ".signatureView, .signatureHr", "снимите тему, где у кого-нибудь есть подпись"),
    _mark("цитата отмечена (bbQuoteBlock)", ".bbQuoteBlock, .quoteMessage", "снимите тему с цитатой"),
    _mark("спойлер отмечен (uSpoilerText)", ".uSpoilerText"),
    _form("thread", "форма ответа под темой (addform)", _ADDFORM, ("message",)),
    *_UCOZ_RIGHTS,
    _login_form,
    _profile,
)  # fmt: skip


# --- phpBB --------------------------------------------------------------------------------------------------------------


def _zone_line(capture: Capture) -> Finding:
    fact = "пояс напечатан внизу страницы"
    if "thread" not in capture.pages:
        return Finding(fact, "unseen")
    minutes = import_module("adapters.phpbb.site").zone_offset(capture.pages["thread"])
    if minutes is None:
        return Finding(fact, "differs", "", "проверьте zone в [forum]")
    return Finding(fact, "holds", f"UTC{minutes / 60:+g}")


def _newcomer(capture: Capture) -> Finding:
    fact = "бот не в группе новичков"
    if "compose" not in capture.pages:
        return Finding(fact, "unseen")
    tree = capture.tree("compose")
    good = tree is not None and tree.css_first("#postform, form[name=postform]") is not None
    return _judged(fact, good, "", "попросите владельца вывести бота из «Новых пользователей»")


def _gluing(capture: Capture) -> Finding:
    fact = "форум не склеивает сообщения подряд"
    trees = [tree for kind in ("reply", "new_topic") if (tree := capture.tree(kind)) is not None]
    if not trees:
        return Finding(fact, "unseen")
    named = (node.attributes.get("name") or "" for tree in trees for node in tree.css("input[type=checkbox]"))
    boxes = [name for name in named if MERGING.search(name)]
    seen = f"галочка {', '.join(dict.fromkeys(boxes))}: бот её снимает" if boxes else ""
    return Finding(fact, "holds", seen)


def _unseen_posts(capture: Capture) -> Finding:
    fact = "сообщения бота видны сразу"
    page = capture.read("thread")
    waiting = page.waiting if isinstance(page, Page) else ()
    advice = "одобрите их и попросите владельца публиковать сообщения бота без проверки модератором"
    return _judged(fact, not waiting, f"ждут модератора: {len(waiting)}" if waiting else "", advice)


def rights(engine: str, pages: Mapping[str, str]) -> list[Finding]:
    """What our account may do in a section, by the forms that it is shown (``collect.rights_pages``)."""
    capture = Capture(engine, ZoneInfo("UTC"), {}, pages, {})
    return [found for check in (*_RIGHTS[engine], _no_captcha) if isinstance(found := check(capture), Finding)]


_POSTFORM = "form#postform, form[name=postform]"
_PHPBB_RIGHTS: tuple[Check, ...] = (
    _form("new_topic", "форма новой темы (postform)", _POSTFORM, ("subject", "message")),
    _form("compose", "форма личного сообщения", _POSTFORM, ("subject", "message"), "бот в группе новичков или ЛС ему закрыты"),
    _newcomer,
)
_PHPBB: tuple[Check, ...] = (
    _of_posts("точное время сообщения (<time>)", lambda post: post.exact, "доска старая: время до минуты, по часам форума"),
    _zone_line,
    _mark("подпись отмечена (.signature)", ".signature", "снимите тему, где у кого-нибудь есть подпись"),
    _mark("цитата отмечена (blockquote)", "blockquote, .quotecontent", "снимите тему с цитатой"),
    _form("reply", "форма ответа (postform)", _POSTFORM, ("message",)),
    _gluing,
    _unseen_posts,
    *_PHPBB_RIGHTS,
    _login_form,
)  # fmt: skip

_RIGHTS: Mapping[str, tuple[Check, ...]] = {"ucoz": _UCOZ_RIGHTS, "phpbb": _PHPBB_RIGHTS}
_CHECKS: Mapping[str, tuple[Check, ...]] = {"ucoz": _UCOZ, "phpbb": _PHPBB}
