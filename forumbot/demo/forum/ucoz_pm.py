"""uCoz private messages: the two folders, reading, writing."""

from __future__ import annotations

import re
import secrets
from html import escape
from typing import TYPE_CHECKING

from forumbot.demo.forum.board import Message, User
from forumbot.demo.forum.ucoz_forms import CODE, STALE_FORM, TOO_SOON
from forumbot.demo.forum.web import Request, Response, wants_xml

if TYPE_CHECKING:
    from forumbot.demo.forum.ucoz import Session, Ucoz

SENT = "Сообщение успешно отправлено"
NO_USER = "Пользователь в базе не найден"
NO_SUBJECT = "Тема сообщения указана неправильно"
NO_TEXT = "Не указан текст сообщения"
WRONG_CODE = "Неправильный код безопасности"
BANNED = "Для вашего аккаунта любая активность временно заблокирована"
PM_OFF = "Пользователь отключил приём личных сообщений"
CLOSED = "Отправка личных сообщений отключена администратором"
FULL = "Почтовый ящик пользователя переполнен"


class PrivateMessages:
    """The messages of whoever is logged in."""

    def __init__(self, site: Ucoz) -> None:
        self._site = site

    def show(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        """``/index/14…``: a folder, a message, or the form."""
        viewer = self._site.viewer(session)
        if viewer is None or viewer.group == "newcomers":
            return self._site.wall(session)
        address = request.path.removeprefix("/index/14").removeprefix("-")
        box = re.fullmatch(r"(?:0(?:-([01])(?:-([2-9]|[1-9]\d+))?)?)?", address)
        if box:
            kept = self._site.options.sent_folder
            if box[1] == "1" and kept == "missing":
                return self._site.missing(session)
            if box[1] == "1" and kept == "inbox":
                return self._folder(session, False, 1)
            return self._folder(session, box[1] == "1", int(box[2] or 1))
        compose = re.fullmatch(r"(\d+)-0-1", address)
        if compose:
            user = self._site.board.users.get(int(compose[1]))
            return self._page(session, self.form(session, user.nick if user and not user.removed else "", ""), "")
        one = re.fullmatch(r"(\d+)-(\d+)(?:-2)?", address)
        if one and one[2] == "0":
            return self._read(session, int(one[1]))
        if one and one[2] == session.ssid:
            self._site.board.throw_away(viewer.uid, [int(one[1])])
            return self._site.redirect("/index/14")
        return self._site.missing(session)

    def _menu(self, session: Session, active: str) -> str:
        viewer = self._site.viewer(session)
        unread = sum(not message.read for message in self._site.board.box(viewer.uid, "inbox")) if viewer else 0
        items = (("in", "/index/14-0-0", f"Входящие ({unread})"), ("sent", "/index/14-0-1", "Отправленные"),
                 ("write", "/index/14-0-0-1", "Отправить ЛС"))
        return " | ".join(f'<a class="pmCatLink{"Active" * (name == active)}" href="{address}">{text}</a>'
                          for name, address, text in items)

    def _page(self, session: Session, body: str, active: str) -> Response:
        layout = f'<div class="userpm-layout"><div class="pmMenu">{self._menu(session, active)}</div><hr>{body}</div>'
        return self._site.page("Личные сообщения", layout, session)

    def _folder(self, session: Session, sent: bool, page: int) -> Response:
        board, viewer = self._site.board, self._site.viewer(session)
        assert viewer is not None
        hides = sent and self._site.options.sent_folder == "empty"
        messages = [] if hides else board.sent(viewer.uid) if sent else board.box(viewer.uid, "inbox")
        messages = messages[::-1] if self._site.options.oldest_first else messages
        size = self._site.options.messages_per_page
        rows = []
        for message in messages[(page - 1) * size : page * size]:
            other = board.user(message.recipient if sent else message.sender)
            subject = escape(message.subject) if sent or message.read else f'<b class="unread">{escape(message.subject)}</b>'
            if self._site.options.pm_rows == "scripts":
                opens = f"go('/index/14-{message.id}-0')"
                rows.append(f'<tr><td onclick="{opens}">{subject}</td><td>{escape(other.nick)}</td></tr>')
                continue
            rows.append(f'<tr id="ent{message.id}"><td><input type="checkbox" name="pm" value="{message.id}"></td>'
                        f'<td><a href="/index/14-{message.id}-0{"-2" if sent else ""}">{subject}</a>'
                        f'<br>{"Кому" if sent else "От"}: <a href="/index/8-{other.uid}">'
                        f'{escape(other.nick)}</a></td><td>{self._site.pages.date(message.sent, viewer)}</td>'
                        f'<td><a href="/index/14-{message.id}-{session.ssid}">удалить</a></td></tr>')
        listed = f'<table class="gTable userpm-messages-table">{"".join(rows)}</table>'
        table = listed if rows else '<div align="center">Сообщений нет</div>'
        pages = max(1, -(-len(messages) // size))
        switch = self._site.pages.switch(f"/index/14-0-{int(sent)}", page, pages) if pages > 1 else ""
        return self._page(session, table + switch, "sent" if sent else "in")

    def _read(self, session: Session, number: int) -> Response:
        board, viewer = self._site.board, self._site.viewer(session)
        assert viewer is not None
        message = board.messages.get(number)
        if message is None or message.held or not message.belongs_to(viewer.uid):
            return self._page(session, '<div align="center">Сообщение не найдено</div>', "")
        if message.recipient == viewer.uid:
            message.read = message.picked_up = True
        other = board.user(message.sender)
        earlier = [self._bubble(old, viewer.uid) for old in reversed(board.sent(viewer.uid) + board.box(viewer.uid, "inbox"))
                   if old.id < message.id and {old.sender, old.recipient} == {message.sender, message.recipient}]
        answer = "" if message.sender == viewer.uid else (
            '<details><summary><a class="pmReply">Ответить</a></summary>'
            f'{self.form(session, other.nick, "Re: " + message.subject.removeprefix("Re: "))}</details>')
        body = (f'<table class="gTable" id="pmRead{message.id}"><tr><td><b>{escape(message.subject)}</b>'
                f'<br>Отправитель: <a href="/index/8-{other.uid}">{escape(other.nick)}</a></td>'
                f'<td align="right">{self._site.pages.date(message.sent, viewer)}</td></tr><tr>'
                f'{self._words(message, other, viewer)}</tr></table>'
                f'{"".join(earlier)}{answer}')
        return self._page(session, body, "in" if message.recipient == viewer.uid else "sent")

    def _words(self, message: Message, other: User, viewer: User) -> str:
        """The cell or block with a message's words."""
        html, where = self._site.html(message.text, viewer), self._site.options.pm_body
        if where == "cell":
            return f'<td colspan="2" class="pmBody">{html}</td>'
        writer = f'<a href="/index/8-{other.uid}">{escape(other.nick)}</a>'
        head = f'<td colspan="2">{escape(message.subject)} | {writer}</td></tr><tr>' if where == "heading" else ""
        return f'{head}<td><div class="pmText">{html}</div></td>'

    def _bubble(self, message: Message, uid: int) -> str:
        side = "outputPM" if message.sender == uid else "inputPM"
        return f'<div id="pm{message.id}" class="{side}">{self._site.html(message.text, self._site.board.user(uid))}</div>'

    def form(self, session: Session, nick: str, subject: str) -> str:
        """The form for a new message, with its own hidden names."""
        viewer = self._site.viewer(session)
        assert viewer is not None
        name, value = f"pm{secrets.token_hex(3)}", secrets.token_hex(4)
        session.forms[name] = (value, self._site.clock.now())
        code = ('<div class="captcha-block">Код безопасности: <img alt="" src="/secure/?m">'
                '<input type="text" name="code" size="6"></div>'
                if self._site.forms.asks_code(viewer, self._site.options.pm_captcha) else "")
        hidden = {"ssid": session.ssid, "a": "18", "s": "1", "fk": name, name: value}
        fields = "".join(f'<input type="hidden" name="{key}" value="{content}">' for key, content in hidden.items())
        named = self._site.options.post_form
        return (f'<form name="{named}" id="{named}" action="/index/" method="post"><div id="eMessage"></div>'
                f'<p>Кому: <input type="text" id="PMtoUser" name="to_user" value="{escape(nick)}" size="30"></p>'
                f'<p>Тема: <input type="text" name="subject" value="{escape(subject)}" size="50" maxlength="100"></p>'
                f'<textarea id="message" name="message" rows="10"></textarea>{code}<p>'
                f'<input type="submit" id="sbm" name="sbm" value="Отправить"></p>{fields}</form>')

    def send(self, request: Request, session: Session) -> Response:
        """``POST /index/`` with ``a=18``."""
        viewer = self._site.viewer(session)
        if viewer is None or viewer.group == "newcomers":
            return self._site.wall(session)
        if request.field("a") != "18":
            return self._site.missing(session)
        board, troubles = self._site.board, self._site.troubles
        recipient = board.find_user(request.field("to_user"))
        subject, text = request.field("subject").strip(), request.field("message").replace("\r\n", "\n")
        checks = (
            (viewer.group == "banned", BANNED),
            (not self._site.forms.echoed(request, session), STALE_FORM),
            (troubles.pm_closed and not viewer.staff, CLOSED),
            (recipient is None, NO_USER),
            (not subject, NO_SUBJECT),
            (not text.strip(), NO_TEXT),
            (self._site.forms.asks_code(viewer, self._site.options.pm_captcha) and request.field("code") != CODE, WRONG_CODE),
            (recipient is not None and recipient.pm_off and not viewer.staff, PM_OFF),
            (troubles.pm_box_full or (recipient is not None and board.full(recipient.uid)), FULL),
            (self._site.flooding(viewer.uid), TOO_SOON),
        )
        error = next((words for failed, words in checks if failed), "")
        if not error and recipient is not None:
            board.send_pm(viewer.uid, recipient.uid, subject, text)
            self._site.last_written[viewer.uid] = self._site.clock.now()
        return self._told(request, session, error or SENT)

    def _told(self, request: Request, session: Session, text: str) -> Response:
        if wants_xml(request):
            return self._site.commands(f'<cmd p="innerHTML" t="eMessage">{text}</cmd>')
        return self._page(session, f'<div id="eMessage">{text}</div>', "")
