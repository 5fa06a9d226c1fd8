"""What a uCoz forum answers to a form that was sent: its words, and the error they stand for."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from adapters.errors import BoxFull, Flood, FormRefused, ForumError, RecipientRefused, TopicClosed
from adapters.http import Answer
from adapters.layout import has_one
from adapters.markup import html_runs
from adapters.ucoz.layout import Layout
from adapters.webpage import find_form

LOGIN_FORM = 'form[id^=frmLg], form[action*="/index/sub"]'
_TOLD_CELLS = "#frM2, td.gTableError, .myWinError, #eMessage, .error, .myWinCont"
_XML_TAGS = re.compile(r"<[^>]*>|<!\[CDATA\[|\]\]>")
_SECONDS = re.compile(r"(\d{1,4})\s*(?:сек|sec)", re.I)


def told(layout: Layout, said: str, flood_interval: float) -> ForumError | None:
    """The error that the forum's words stand for; None when they stand for none that we know."""
    seconds = _SECONDS.search(said)
    if seconds or has_one(layout.flood_words, said):
        return Flood(float(seconds[1]) if seconds else flood_interval, said[:200])
    table: tuple[tuple[str, type[ForumError]], ...] = (
        (layout.recipient_words, RecipientRefused),
        (layout.full_words, BoxFull),
        (layout.closed_words, TopicClosed),
        (layout.refused_words, FormRefused),
    )
    return next((kind(said[:200]) for phrases, kind in table if has_one(phrases, said)), None)


def said_in(answer: Answer) -> str:
    """The words of an answer: of the cells for errors and successes when it is a page, else of the ``<cmd>`` elements."""
    if "<html" in answer.text.lower():
        tree = LexborHTMLParser(answer.text)
        return " ".join(" ".join(node.text().split()) for node in tree.css(_TOLD_CELLS)).strip()
    return " ".join(run.text for run in html_runs(_XML_TAGS.sub(" ", answer.text))).strip()


def worth_telling(answer: Answer) -> bool:
    """Whether an answer says something to a reader: not one that only sends the browser on."""
    return "location" not in answer.text or "innerHTML" in answer.text or "<html" in answer.text.lower()


def made_for_guest(answer: Answer) -> bool:
    """Whether a whole page came back that asks for a login: the session was lost before the form arrived."""
    return "<html" in answer.text.lower() and find_form(LexborHTMLParser(answer.text), LOGIN_FORM) is not None
