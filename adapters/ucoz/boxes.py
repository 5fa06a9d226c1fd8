"""The private messages of an account on a uCoz forum."""

from __future__ import annotations

import sys
from functools import partial
from itertools import pairwise

from adapters.alike import folded
from adapters.board import in_order
from adapters.errors import NoThread, NotShown, RecipientRefused, Unfamiliar, UnknownOutcome
from adapters.forum import Stored
from adapters.layout import has_one
from adapters.messages import Line, is_ours
from adapters.model import PrivateMessage
from adapters.ucoz import otherwise
from adapters.ucoz.answers import told
from adapters.ucoz.letters import is_list, is_sent_list, lines_of, message_of, more_lists, passed_over
from adapters.ucoz.site import no_thread
from adapters.ucoz.writing import Writing

_INBOX, _SENT = "/index/14", "/index/14-0-1"
_LISTS_READ = 40


class Boxes(Writing):
    """Reads the inbox, sends messages and finds them among the sent ones."""

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        lines = {line.id: line for line in self._lines(_INBOX, after_id) if line.id > after_id}
        return in_order({pid: partial(self._message, line) for pid, line in lines.items()})

    def count_messages(self) -> int:
        """How many messages lie in the inbox; none is opened."""
        return len(self._lines(_INBOX))

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"/index/14-{line.id}-0")
        try:
            return message_of(page.tree, line, fetched=self.clock.now(), zone=self.zone, layout=self.layout)
        except NoThread as error:
            raise Unfamiliar(otherwise.BODY) from error

    def _lines(self, address: str, after_id: int = 0) -> list[Line]:
        """The lines of a list, over its pages: all, or as far as those newer than ``after_id`` go where the list is seen to show
        the newest first. Raises NoThread when the page is no list, Unfamiliar when it is another one than
        it should be or is not understood."""
        page = self._open(address)
        if not is_list(page.tree):
            wall = no_thread(page.tree, page.answer.text, self.layout)
            if address == _SENT and wall.reason in ("not_found", "no_posts"):
                raise Unfamiliar(otherwise.SENT_LIST) from wall
            raise wall
        if address == _SENT and not is_sent_list(page.tree, self.layout):
            raise Unfamiliar(otherwise.SENT_LIST)
        if passed_over(page.tree, page.answer.text, self.layout):
            raise Unfamiliar(otherwise.LIST)
        found = lines_of(page.tree)
        read = {address}
        waiting = more_lists(page.tree)
        while waiting and len(read) < _LISTS_READ and not _reaches(found, after_id):
            following = waiting.pop(0)
            if following in read:
                continue
            read.add(following)
            page = self._open(following)
            found += lines_of(page.tree)
            waiting += more_lists(page.tree)
        return list({line.id: line for line in found}.values())

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        known = {line.id for line in self._lines(_SENT, sys.maxsize)}
        newest = max(known, default=0)
        page = self._open(f"/index/14-{to_uid}-0-1")
        form = self._form_on(page)
        if form is None:
            refused = told(self.layout, self._complaint(page), self.settings.flood_interval)
            raise refused or RecipientRefused(f"форум не даёт написать {to_nick}")
        to_field = page.tree.css_first("#PMtoUser")
        name = (to_field.attributes.get("name") if to_field is not None else None) or ""
        values = {"subject": subject, "message": text, **({name: to_nick} if name and not form.get(name) else {})}

        looked = False

        def look() -> Stored | None:
            nonlocal looked
            lines = [line for line in self._lines(_SENT, newest) if line.id not in known]
            looked = True
            mine = [line for line in lines if _is_to(line, to_uid, to_nick) and folded(line.subject) == folded(subject)]
            return Stored("", mine[0].id, "") if mine else None

        try:
            self._send(form, page, values, look)
        except UnknownOutcome as error:
            # By its own words the forum has sent it: once more would be twice.
            if looked and has_one(self.layout.sent_words, self._said):
                raise NotShown(otherwise.NOT_LISTED.format(said=self._said[:120])) from error
            raise

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return any(is_ours(line, to_nick, subject) for line in self._lines(_SENT))


def _reaches(lines: list[Line], known: int) -> bool:
    """Whether these lines, which must be in the order of the newest first, go back to one that is known."""
    ids = [line.id for line in lines]
    return len(ids) > 1 and ids[-1] <= known and all(a > b for a, b in pairwise(ids))


def _is_to(line: Line, uid: int, nick: str) -> bool:
    return line.uid == uid if line.uid is not None else folded(line.nick) == folded(nick)
