"""A visitor of a real board: plain HTTP, cookies, and forms sent back as a browser sends them.

It knows nothing of ``adapters/phpbb``, so that the campaign does not test the client against itself.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx
from selectolax.lexbor import LexborHTMLParser, LexborNode

_LOOK = 2.2
"""Seconds for which a person looks at a form: 3.0 takes less than two for a change of mind, 3.3 less than one for a robot."""
_SCRIPTED = {
    "creation_time": re.compile(r"\.val\('(\d{6,12})'\)"),
    "form_token": re.compile(r"\.val\('([0-9a-f]{32,64})'\)"),
}
_NO_VALUE = ("submit", "button", "image", "reset", "file")


class Refused(Exception):
    """The board did not do what was asked; the text is what it said."""


@dataclass(frozen=True)
class Page:
    """One answer of the board."""

    url: str
    status: int
    html: str

    @property
    def tree(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.html)

    def form(self, field: str, action: str = "") -> LexborNode:
        """The first form with a field (or button) of this name. Raises Refused: the page has none."""
        for form in self.tree.css("form"):
            if action in (form.attributes.get("action") or "") and form.css_first(f'[name="{field}"]') is not None:
                return form
        raise Refused(f"no form with {field} at {self.url}: {self.words()}")

    def words(self, most: int = 300) -> str:
        """What the page says, flat: its message where it has one."""
        tree = self.tree
        for gone in tree.css("script, style, head"):
            gone.decompose()
        told = tree.css_first("div#message .inner, div#message, .errorbox, .error, .successbox") or tree.body
        return " ".join((told.text(separator=" ") if told is not None else self.html).split())[:most]


def fields(form: LexborNode) -> dict[str, str]:
    """What a browser would send of the form as it stands, without buttons."""
    sent: dict[str, str] = {}
    for node in form.css("input[name], textarea[name], select[name]"):
        name, kind = node.attributes["name"] or "", node.attributes.get("type") or "text"
        if node.tag == "textarea":
            sent[name] = node.text()
        elif node.tag == "select":
            chosen = node.css_first("option[selected]") or node.css_first("option")
            sent[name] = (chosen.attributes.get("value") or "") if chosen is not None else ""
        elif kind in ("checkbox", "radio"):
            if "checked" in node.attributes:
                sent[name] = node.attributes.get("value") or "on"
        elif kind not in _NO_VALUE:
            sent[name] = node.attributes.get("value") or ""
    return sent


class Browser:
    """One person's browser. ``wait`` lets the board's clock go on by so many seconds: phpBB refuses a form that comes back in
    the second in which it was given."""

    def __init__(self, url: str, *, wait: Callable[[float], None] = time.sleep) -> None:
        self.url = url.rstrip("/") + "/"
        self.wait = wait
        self._http = httpx.Client(follow_redirects=True, timeout=60.0, headers={"User-Agent": "Mozilla/5.0 (realboard)"})

    def close(self) -> None:
        self._http.close()

    def get(self, address: str, **query: str | int) -> Page:
        return _page(self._http.get(urljoin(self.url, address), params=query or None))

    def send(self, page: Page, form: LexborNode, changed: Mapping[str, str | None], button: str, *, follow: bool = True) -> Page:
        """Send a form back with some fields changed (None: left out) and one button pressed. Unless ``follow``, the page that
        the board goes on to is named and not fetched."""
        data = fields(form) | _scripted(page, form)
        for name, value in changed.items():
            if value is None:
                data.pop(name, None)
            else:
                data[name] = value
        pressed = form.css_first(f'[name="{button}"]')
        data[button] = (pressed.attributes.get("value") or "1") if pressed is not None else "1"
        self.wait(_LOOK)
        action = urljoin(page.url, form.attributes.get("action") or page.url)
        answer = self._http.post(action, data=data, follow_redirects=follow)
        if answer.has_redirect_location:
            return Page(urljoin(action, answer.headers["Location"]), answer.status_code, "")
        return _page(answer)

    def confirm(self, page: Page) -> Page:
        """Say yes to «are you sure?»; another page is given back as it is."""
        if page.tree.css_first('form [name="confirm"]') is None:
            return page
        return self.send(page, page.form("confirm"), {"cancel": None}, "confirm")


def _scripted(page: Page, form: LexborNode) -> dict[str, str]:
    """What a script of the page puts into a guest's form when it is sent (phpBBex keeps robots out so)."""
    empty = [name for name in _SCRIPTED if form.css_first(f'[name="{name}"][value="0"]') is not None]
    return {name: found[1] for name in empty if (found := _SCRIPTED[name].search(page.html)) is not None}


def _page(answer: httpx.Response) -> Page:
    return Page(str(answer.url), answer.status_code, answer.text)
