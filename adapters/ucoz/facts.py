"""The facts of our references about uCoz, looked up on captured pages."""

from __future__ import annotations

import re
from datetime import timedelta

from adapters.findings import (
    TO_US,
    Capture,
    Check,
    Finding,
    State,
    form,
    judged,
    login_form,
    mark,
    of_posts,
)
from adapters.model import Page
from adapters.ucoz.layout import Layout
from adapters.ucoz.pages import edit_address


def _html_off(capture: Capture) -> Finding:
    fact = "HTML в сообщениях бота выключен"
    trees = [tree for kind in ("thread", "new_topic") if (tree := capture.tree(kind)) is not None]
    boxes = [box for tree in trees for box in tree.css("input[name=ahtml]")]
    if not boxes:
        return Finding(fact, "unseen" if not trees else "holds", "галочки в формах нет")
    ticked = any("checked" in box.attributes for box in boxes)
    seen = "галочка в форме стоит; бот её не отправляет" if ticked else "галочка есть и не стоит"
    return Finding(fact, "holds", seen, "снимите её и у людей: с нею чужие слова в сообщении работают как HTML" if ticked else "")




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


def _edit_links(capture: Capture) -> Finding:
    fact = "бот может править свои сообщения"
    layout = Layout.of(capture.overrides)
    found = sum(
        edit_address(html, post.id, layout) is not None
        for kind, html in capture.pages.items()
        if re.fullmatch(r"thread(_\d+)?", kind) and isinstance(page := capture.read(kind), Page)
        for post in page.posts
    )
    if found:
        return Finding(fact, "holds", f"ссылка правки у {found} сообщений")
    advice = "снимите тему с сообщением бота; если она такая, попросите владельца разрешить боту править свои сообщения"
    return Finding(fact, "unseen", "ссылки правки нет ни у одного сообщения", advice)


def _profile(capture: Capture) -> Finding:
    fact = "свой номер (uid) виден на странице профиля"
    html = capture.pages.get("profile")
    if html is None:
        return Finding(fact, "unseen")
    found = re.search(r"(?:/index/(?:8|34|23|54)|/forum/0-0-1-3)-(\d+)(?![\d-])", html)
    address = str(capture.about["profile"]["address"])
    return judged(fact, bool(found or re.search(r"8-\d+$", address)), "", TO_US)


_ADDFORM = "form[name=addform], form#addform"
RIGHTS: tuple[Check, ...] = (
    form("new_topic", "форма новой темы (addform)", _ADDFORM, ("message",)),
    form("compose", "форма личного сообщения", _ADDFORM, ("subject", "message")),
    _html_off,
)
FACTS: tuple[Check, ...] = (
    of_posts("точное время в ссылке сообщения (TS)", lambda post: post.exact, "время берётся из напечатанной даты: до минуты"),
    _printed,
    of_posts("номер сообщения напечатан", lambda post: post.number is not None, "это не мешает: бот считает по id"),
    _edit_links,
    mark("подпись отмечена (signatureView)", ".signatureView, .signatureHr", "снимите тему, где у кого-нибудь есть подпись"),
    mark("цитата отмечена (bbQuoteBlock)", ".bbQuoteBlock, .quoteMessage", "снимите тему с цитатой"),
    mark("спойлер отмечен (uSpoilerText)", ".uSpoilerText"),
    form("thread", "форма ответа под темой (addform)", _ADDFORM, ("message",)),
    *RIGHTS,
    login_form,
    _profile,
)  # fmt: skip
