"""What a captured forum tells: which facts of our references hold on it, and what to do where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters import engines
from adapters.errors import NoThread
from adapters.findings import (
    NO_GAME,
    TO_US,
    Capture,
    Check,
    Finding,
    State,
    judged,
    of_posts,
)
from adapters.model import Page
from forumbot.capture import collect


def open_capture(folder: Path) -> Capture:
    """Raises OSError, ValueError or KeyError when the folder holds no capture."""
    manifest, pages = collect.load(folder)
    about = {str(page["kind"]): page for page in manifest["pages"]}
    engine = str(manifest["engine"])
    engines.package(engine)
    return Capture(engine, ZoneInfo(str(manifest["zone"])), dict(manifest["overrides"]), pages, about)


def findings(capture: Capture) -> list[Finding]:
    """All facts in the order of the table."""
    found: list[Finding] = []
    for check in (*_COMMON, *engines.part(capture.engine, "facts").FACTS):
        told = check(capture)
        found.extend([told] if isinstance(told, Finding) else told)
    return found


def _thread(capture: Capture) -> Finding:
    fact = "страница темы читается"
    page = capture.read("thread")
    if isinstance(page, Page):
        return Finding(fact, "holds", f"сообщений на первой странице: {len(page.posts)}, страниц: {page.pages}")
    if page is None:
        why = str(capture.about.get("thread", {}).get("text", ""))
        return Finding(fact, "unseen", why, "снимите копию ещё раз с живой темой (--topic)")
    advice = "впишите новое в config/forums ({posts})" if page.reason == "no_posts" else NO_GAME
    return Finding(fact, "differs", f"{page.reason}: {page.text[:80]}", advice.format(**engines.places(capture.engine).keys))


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
    return judged(fact, good, f"страницы {', '.join(map(str, pages))}", TO_US)


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
            return Finding(fact, "differs", f"прочитана как тема, сообщений {len(page.posts)}", TO_US)
        state: State = "holds" if page.reason in reasons else "differs"
        advice = "" if state == "holds" else "впишите слова этой страницы в config/forums (not_found_words и соседние)"
        return Finding(fact, state, f"{page.reason}: {page.text[:80]}", advice)

    return check


def _guest(capture: Capture) -> Finding:
    fact = "гость отличается от вошедшего"
    inside, outside = capture.tree("thread"), capture.tree("guest_thread")
    if inside is None or outside is None:
        return Finding(fact, "unseen")
    known = engines.part(capture.engine, "site").is_logged_in
    good = known(inside) and not known(outside)
    return judged(fact, good, "" if good else "по ссылке «Выход» не отличить", NO_GAME)


def _closed(capture: Capture) -> Finding:
    fact = "закрытая тема узнаётся"
    page = capture.read("closed")
    if page is None:
        return Finding(fact, "unseen", "не снята", "снимите с параметром --closed ТЕМА")
    locked = isinstance(page, Page) and page.locked
    return Finding(fact, "holds" if locked else "differs", "" if locked else "форма ответа видна или страница не прочитана")


def _no_captcha(capture: Capture) -> Finding:
    fact = "бота не спрашивают код с картинки"
    trees = {kind: tree for kind in ("thread", "reply", "new_topic", "compose") if (tree := capture.tree(kind)) is not None}
    if not trees:
        return Finding(fact, "unseen")
    seen = [kind for kind, tree in trees.items() if tree.css_first(_CAPTCHA) is not None]
    advice = "попросите владельца: для группы бота «не показывать код безопасности»"
    return judged(fact, not seen, ", ".join(seen), advice)


def _messages(kind: str, fact: str) -> Check:
    """A list of private messages."""

    def check(capture: Capture) -> Finding:
        tree = capture.tree(kind)
        if tree is None:
            return Finding(fact, "unseen")
        letters = engines.part(capture.engine, "letters")
        listed = tree.css_first(engines.places(capture.engine).message_lists) is not None
        lines = letters.lines_of(tree)
        named = sum(1 for line in lines if line.nick)
        seen = f"строк {len(lines)}, с ником {named}"
        good = listed and named == len(lines)
        return judged(fact, good, seen, TO_US)

    return check


def _message(capture: Capture) -> Finding:
    fact = "личное сообщение читается"
    tree, inbox = capture.tree("message"), capture.tree("inbox")
    if tree is None or inbox is None:
        advice = "прочитайте в ящике бота одно сообщение и снимите ещё раз"
        return Finding(fact, "unseen", "прочитанных сообщений в ящике нет", advice)
    letters = engines.part(capture.engine, "letters")
    layout = engines.part(capture.engine, "layout").Layout.of(capture.overrides)
    line = letters.lines_of(inbox)[0]
    fetched = datetime.fromisoformat(str(capture.about["message"]["fetched"]))
    try:
        message = letters.message_of(tree, line, fetched=fetched, zone=capture.zone, layout=layout)
    except NoThread as error:
        advice = "впишите, где текст сообщения, в config/forums ({letter})"
        return Finding(fact, "differs", error.text, advice.format(**engines.places(capture.engine).keys))
    time = "время прочитано" if message.sent else "времени не видно"
    return Finding(fact, "holds" if message.sent and message.runs else "differs", time)


_CAPTCHA = (
    "input[name^=confirm_code], input[name=code], input[name*=captcha], .captcha-block, #frM45, .g-recaptcha, "
    'input[name=qa_answer], img[src*="secure"], img[src*="mode=confirm"]'
)
_COMMON: tuple[Check, ...] = (
    _thread,
    of_posts("автор сообщения виден", lambda post: bool(post.author), "впишите класс ника в config/forums ({author})"),
    of_posts(
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


def rights(engine: str, pages: Mapping[str, str]) -> list[Finding]:
    """What our account may do in a section, by the forms that it is shown (``collect.rights_pages``)."""
    capture = Capture(engine, ZoneInfo("UTC"), {}, pages, {})
    checks = (*engines.part(engine, "facts").RIGHTS, _no_captcha)
    return [found for check in checks if isinstance(found := check(capture), Finding)]
