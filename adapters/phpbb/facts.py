"""The facts of our references about phpBB, looked up on captured pages."""

from __future__ import annotations

from adapters.findings import (
    Capture,
    Check,
    Finding,
    form,
    judged,
    login_form,
    mark,
    of_posts,
)
from adapters.model import Page
from adapters.phpbb.site import MERGING, zone_offset


def _zone_line(capture: Capture) -> Finding:
    fact = "пояс напечатан внизу страницы"
    if "thread" not in capture.pages:
        return Finding(fact, "unseen")
    minutes = zone_offset(capture.pages["thread"])
    if minutes is None:
        return Finding(fact, "differs", "", "проверьте zone в [forum]")
    return Finding(fact, "holds", f"UTC{minutes / 60:+g}")


def _newcomer(capture: Capture) -> Finding:
    fact = "бот не в группе новичков"
    if "compose" not in capture.pages:
        return Finding(fact, "unseen")
    tree = capture.tree("compose")
    good = tree is not None and tree.css_first("#postform, form[name=postform]") is not None
    return judged(fact, good, "", "попросите владельца вывести бота из «Новых пользователей»")


def _gluing(capture: Capture) -> Finding:
    fact = "сообщения бота подряд не склеиваются"
    trees = [tree for kind in ("reply", "new_topic") if (tree := capture.tree(kind)) is not None]
    if not trees:
        return Finding(fact, "unseen")
    named = (node.attributes.get("name") or "" for tree in trees for node in tree.css("input[type=checkbox]"))
    boxes = [name for name in named if MERGING.search(name)]
    if not boxes:
        return Finding(fact, "holds")
    return Finding(fact, "holds", f"галочка {', '.join(dict.fromkeys(boxes))}", "бот её снимает")


def _unseen_posts(capture: Capture) -> Finding:
    fact = "сообщения бота видны сразу"
    page = capture.read("thread")
    waiting = page.waiting if isinstance(page, Page) else ()
    advice = "одобрите их и попросите владельца публиковать сообщения бота без проверки модератором"
    return judged(fact, not waiting, f"ждут модератора: {len(waiting)}" if waiting else "", advice)


_POSTFORM = "form#postform, form[name=postform]"
RIGHTS: tuple[Check, ...] = (
    form("new_topic", "форма новой темы (postform)", _POSTFORM, ("subject", "message")),
    form("compose", "форма личного сообщения", _POSTFORM, ("subject", "message"), "бот в группе новичков или ЛС ему закрыты"),
    _newcomer,
    _gluing,
)
FACTS: tuple[Check, ...] = (
    of_posts("точное время сообщения (<time>)", lambda post: post.exact, "доска старая: время до минуты, по часам форума"),
    _zone_line,
    mark("подпись отмечена (.signature)", ".signature", "снимите тему, где у кого-нибудь есть подпись"),
    mark("цитата отмечена (blockquote)", "blockquote, .quotecontent", "снимите тему с цитатой"),
    form("reply", "форма ответа (postform)", _POSTFORM, ("message",)),
    _unseen_posts,
    *RIGHTS,
    login_form,
)  # fmt: skip
