"""The private messages of an account on a phpBB board."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from selectolax.lexbor import LexborHTMLParser

from adapters.board import in_order
from adapters.errors import BoxFull, NoThread, UnknownOutcome
from adapters.layout import has_one
from adapters.messages import Line, is_ours
from adapters.model import PrivateMessage
from adapters.phpbb.letters import lines_of, message_of, release_link
from adapters.phpbb.site import message_of as told_by
from adapters.phpbb.site import no_thread, starts_of, zone_offset
from adapters.phpbb.writing import Writing, without_sid
from adapters.webpage import find_form, offset_zone

_SENT_MESSAGE = '#message a[href*="i=pm"][href*="mode=view"]'
_KEPT_MESSAGES = 25


class Boxes(Writing):
    """Reads the inbox, sends messages and finds them among the sent ones."""

    def inbox(self, *, after_id: int = 0) -> tuple[PrivateMessage, ...]:
        lines, release = self._newer("inbox", after_id)
        if release is not None:
            lines = self._let_in_held(release, after_id)
        return in_order({line.id: partial(self._message, line) for line in lines if line.id > after_id})

    def count_messages(self) -> int:
        """How many messages lie in the inbox; none is opened."""
        return len(self._newer("inbox", 0)[0])

    def _message(self, line: Line) -> PrivateMessage:
        page = self._open(f"ucp.php?i=pm&mode=view&f=0&p={line.id}")
        offset = zone_offset(page.answer.text, self.layout)
        zone = self.zone if offset is None else offset_zone(offset)
        return message_of(page.tree, line, fetched=self.clock.now(), zone=zone, layout=self.layout)

    def _newer(self, folder: str, after_id: int) -> tuple[list[Line], str | None]:
        """The lines of a folder from the newest back to the first that is not newer than ``after_id``, and the address that
        lets held messages in."""
        found: dict[int, Line] = {}
        release: str | None = None
        for lines, held in self._pages_of_folder(folder):
            found |= {line.id: line for line in lines}
            release = release or held
            if lines and min(line.id for line in lines) <= after_id:
                break
        return list(found.values()), release

    def _pages_of_folder(self, folder: str) -> Iterator[tuple[list[Line], str | None]]:
        """The pages of a folder, newest messages first: lines, and the address that lets held messages in."""
        page = self._open(f"ucp.php?i=pm&folder={folder}")
        if page.tree.css_first('#viewfolder, form[action*="i=pm"], form[action*="folder="], .cplist, ul.pmlist') is None:
            said = told_by(page.tree)
            if has_one(self.layout.pm_off_words, said):
                raise NoThread("forbidden", said[:200])
            raise no_thread(page.tree, page.answer.text, self.layout)
        yield lines_of(page.tree), release_link(page.tree)
        starts, read = starts_of(page.tree), {0}
        while waiting := [start for start in starts if start not in read]:
            read.add(waiting[0])
            following = self._open(f"ucp.php?i=pm&folder={folder}&start={waiting[0]}")
            yield lines_of(following.tree), None
            starts = sorted({*starts, *starts_of(following.tree)})

    def _let_in_held(self, release: str, after_id: int) -> list[Line]:
        """Make room by deleting messages known before, then let held ones in. They are older than what may come next, so
        nothing newer is read past them: raises BoxFull when they stay outside."""
        lines, _ = self._newer("inbox", 0)
        known = sorted(line.id for line in lines if line.id <= after_id)[:_KEPT_MESSAGES]
        if known:
            self._delete(known)
        self._open(without_sid(release))
        lines, still = self._newer("inbox", 0)
        if still is not None:
            raise BoxFull("ящик личных сообщений полон, и форум держит новые: удалите старые сообщения")
        return lines

    def _delete(self, ids: list[int]) -> None:
        page = self._open("ucp.php?i=pm&folder=inbox")
        form = find_form(page.tree, "form#viewfolder")
        if form is None:
            return
        self._let_ripen()
        fields = form.with_({"mark_option": "delete_marked", "submit_mark": dict(form.buttons).get("submit_mark") or "Go"})
        marked = [("marked_msg_id[]", str(pid)) for pid in ids]
        answer = self.session.post(
            form.action or page.answer.url, fields + marked, referer=page.answer.url, charset=page.answer.charset
        )
        confirm = find_form(LexborHTMLParser(answer.text), "form#confirm")
        if confirm is not None:
            label = dict(confirm.buttons).get("confirm") or "Да"
            self.session.post(
                confirm.action or page.answer.url,
                confirm.with_({"confirm": label}),
                referer=page.answer.url,
                charset=page.answer.charset,
            )

    def send_pm(self, to_uid: int, to_nick: str, subject: str, text: str) -> None:
        answer = self._write(
            f"ucp.php?i=pm&mode=compose&u={to_uid}",
            {"subject": subject, "message": text},
            needs=f"address_list[u][{to_uid}]",
            to=to_nick,
        )
        if answer.text and LexborHTMLParser(answer.text).css_first(_SENT_MESSAGE) is not None:
            return  # the answer names the message
        with self._sent():
            found = self.find_sent_pm(to_nick, subject)
        if not found:
            raise UnknownOutcome("личное сообщение отправлено, но среди отправленных не видно")

    def find_sent_pm(self, to_nick: str, subject: str) -> bool:
        return any(
            is_ours(line, to_nick, subject)
            for folder in ("outbox", "sentbox")
            for lines, _ in self._pages_of_folder(folder)
            for line in lines
        )
