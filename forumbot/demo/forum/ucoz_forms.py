"""uCoz forms for writing: reply, new topic, edit, delete.

Every form carries hidden fields of random names; whoever does not send them back gets the error row and nothing is stored.
"""

from __future__ import annotations

import re
import secrets
from html import escape
from typing import TYPE_CHECKING

from forumbot.demo.forum.board import Section, Topic, User
from forumbot.demo.forum.web import Request, Response, references_read, wants_xml

if TYPE_CHECKING:
    from forumbot.demo.forum.ucoz import Session, Ucoz

NO_RIGHT = "Вы входите в группу пользователей, которым запрещено совершать данное действие."
BANNED = "Для вашего аккаунта любая активность временно заблокирована"
STALE_FORM = "Ошибка: неверные данные формы, обновите страницу и попробуйте ещё раз"
TOO_SOON = "Вы не можете добавлять сообщения так часто. Пожалуйста, подождите"
NO_TEXT = "Не указан текст сообщения"
NO_TITLE = "Не указано название темы"
TOO_LONG = "Превышена максимальная длина сообщения"
WRONG_CODE = "Неправильный код безопасности"
CLOSED = "Тема закрыта для обсуждения"
EDITED = "Сообщение было успешно изменено"
ADDED = "Сообщение добавлено"
WAITING = "Ваше сообщение добавлено и появится на форуме после проверки модератором"
CODE = "48151"
"""What the picture of the security code shows."""
_KEPT_FORMS = 200


class Forms:
    """The writing side of a site."""

    def __init__(self, site: Ucoz) -> None:
        self._site = site

    # Forms

    def reply(self, section: Section, topic: Topic, session: Session) -> str:
        """The reply form below a thread; empty where the visitor may not write."""
        viewer = self._site.viewer(session)
        shown_anyway = self._site.options.closed_form and topic.locked
        if viewer is None or not (shown_anyway or self._site.may_post(section, viewer, topic)):
            return ""
        box = '<tr><td><label><input type="checkbox" name="isclosed" value="1"> закрыть тему</label></td></tr>'
        staff = box if viewer.staff else ""
        return self._form("Добавить сообщение", staff, "", session, {"a": "3", "tid": str(topic.id)}, viewer)

    def new_topic_form(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        section = self._site.board.sections.get(int(found[1]))
        if section is None:
            return self._site.missing(session)
        viewer = self._site.viewer(session)
        if viewer is None or not self._site.may_post(section, viewer):
            return self._site.wall(session)
        rows = ('<tr id="frM27"><td>Название темы: <input type="text" name="name" id="frF3" size="60" maxlength="100" value="">'
                '</td></tr>'
                '<tr><td>Описание: <input type="text" name="description" id="frF4" size="60" maxlength="50" value=""></td></tr>')
        box = '<tr><td><label><input type="checkbox" name="firstontop" value="1"> закрепить первое сообщение</label></td></tr>'
        staff = box if viewer.staff else ""
        form = self._form("Новая тема", rows + staff, "", session, {"a": "4", "fid": str(section.id)}, viewer)
        return self._site.page("Новая тема", f"<table><tr>{self._site.pages.crumbs(section)}</tr></table>{form}", session)

    def edit_form(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        place = self._site.find(found[1], found[2])
        viewer = self._site.viewer(session)
        if place is None:
            return self._site.missing(session)
        posts = self._site.seen_posts(place[1], viewer)
        number = int(found[3])
        if not 1 <= number <= len(posts):
            return self._site.missing(session)
        post = posts[number - 1]
        if viewer is None or not self._site.may_edit(post, viewer):
            return self._site.wall(session)
        rows = "" if number > 1 else (f'<tr id="frM27"><td>Название темы: <input type="text" name="name" id="frF3" size="60" '
                                      f'value="{escape(place[1].title)}"></td></tr>')
        form = self._form("Редактирование сообщения", rows, post.text, session, {"a": "5", "pid": str(post.id)}, viewer)
        return self._site.page("Редактирование", f"<table><tr>{self._site.pages.crumbs(*place)}</tr></table>{form}", session)

    def _form(self, title: str, rows: str, text: str, session: Session, hidden: dict[str, str], viewer: User) -> str:
        tokens = {self._name(): secrets.token_hex(4) for _ in range(2)}
        now = self._site.clock.now()
        for name, value in tokens.items():
            session.forms[name] = (value, now)
        while len(session.forms) > _KEPT_FORMS:
            session.forms.pop(next(iter(session.forms)))
        echoed = {"jkd498": "1", "jkd428": "1", "ssid": session.ssid, **hidden, "numi": "1", "_wi": "1", "fk": " ".join(tokens),
                  **tokens}
        fields = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in echoed.items())
        code = ('<tr id="frM45"><td class="captcha-block">Код безопасности: <img alt="" src="/secure/?f">'
                '<input type="text" name="seckey" id="frF12" size="6"></td></tr>'
                if self.asks_code(viewer, self._site.options.post_captcha) else "")
        action = "Сохранить" if text else "Добавить сообщение"
        named = self._site.options.post_form
        return (f'<form name="{named}" id="{named}" action="/forum/" method="post">'
                f'<table class="gTable" id="frM53" width="100%"><tr><td class="gTableTop">{title}</td></tr>\n'
                f'<tr id="frM1" style="display:none"><td class="gTableError" id="frM2"></td></tr>\n{rows}'
                '<tr><td class="gTableRight"><textarea id="message" name="message" rows="10" style="width:100%">'
                f'\n{escape(text)}</textarea></td></tr>\n{code}'
                '<tr><td><label><input type="checkbox" name="frmt" value="1" checked> переводы строк</label> <label>'
                f'<input type="checkbox" name="ahtml" value="1"{" checked" * (viewer.staff and self._site.options.html_ticked)}>'
                ' HTML</label> <label><input type="checkbox" name="smon" value="1" checked> смайлы</label> <label>'
                '<input type="checkbox" name="sgon" value="1" checked>'
                ' подпись</label> <label><input type="checkbox" name="sbon" value="1"> подписаться</label></td></tr>\n'
                f'<tr><td align="center"><input type="submit" name="sbm" id="frF16" class="postSubmit" value="{action}"> '
                f'<input type="button" value="Предпросмотр" onclick="prepost()"></td></tr></table>\n{fields}</form>')

    @staticmethod
    def _name() -> str:
        return "".join(secrets.choice("abcdefghkmnpqrstuvwxyz") for _ in range(3)) + str(secrets.randbelow(900) + 100)

    def asks_code(self, viewer: User, asked: bool) -> bool:
        """Whether this user has to type the security code."""
        return asked and viewer.group not in self._site.options.captcha_free

    # What comes back

    def echoed(self, request: Request, session: Session) -> bool:
        """Whether the form's hidden fields came back, of this session and not too old; they are used up by that."""
        names = request.field("fk").split()
        now, life = self._site.clock.now(), self._site.options.form_life
        fresh = bool(names) and request.field("ssid") == session.ssid and not request.token_expired
        for name in names:
            value, given = session.forms.get(name, ("", now))
            fresh = fresh and bool(value) and request.field(name) == value and (now - given).total_seconds() <= life
        if fresh:
            for name in names:
                session.forms.pop(name, None)
        return fresh

    def submit(self, request: Request, session: Session) -> Response:
        viewer = self._site.viewer(session)
        if viewer is None:
            return self._site.wall(session)
        writers = {"3": self._store_reply, "4": self._store_topic, "5": self._store_edit}
        writer = writers.get(request.field("a"))
        if writer is None:
            return self._site.missing(session)
        error = self._refusal(request, session, viewer)
        return self.error(request, session, error) if error else writer(request, session, viewer)

    def _refusal(self, request: Request, session: Session, viewer: User) -> str:
        """Why nothing of this kind can be stored now; empty when it can."""
        text = request.field("message")
        if viewer.group == "banned":
            return BANNED
        if not self.echoed(request, session):
            return STALE_FORM
        if not text.strip():
            return NO_TEXT
        if len(text) > self._site.options.max_post and not self._site.options.cut_long:
            return TOO_LONG
        if self.asks_code(viewer, self._site.options.post_captcha) and request.field("seckey") != CODE:
            return WRONG_CODE
        if request.field("a") != "5" and self._site.flooding(viewer.uid):
            return TOO_SOON
        return ""

    def error(self, request: Request, session: Session, text: str) -> Response:
        """The error row, as a command for the page's script or as a page of its own."""
        if wants_xml(request):
            return self._site.commands(f'<cmd p="innerHTML" t="frM2">{escape(text)}</cmd><cmd p="css" t="frM1" n="display">'
                                       '</cmd>')
        row = (f'<table class="gTable"><tr id="frM1"><td class="gTableError" id="frM2">{escape(text)}</td></tr></table>'
               '<a href="javascript:history.back()">Назад</a>')
        return self._site.page("Ошибка", row, session)

    def done(self, request: Request, session: Session, text: str, address: str) -> Response:
        if wants_xml(request):
            return self._site.commands(f'<cmd p="innerHTML" t="frM53">{text}</cmd><cmd p="js">window.location="{address}";</cmd>')
        onward = f'<meta http-equiv="refresh" content="1; url={address}">'
        return self._site.page("Форум", f'{onward}<div align="center" class="myWinCont"><b>{text}</b><br>'
                                        f'<a href="{address}">Перейти в тему</a></div>', session)

    def _premoderated(self, viewer: User) -> bool:
        return not viewer.staff and (self._site.troubles.premoderation or self._site.board.premoderation)

    def _store_reply(self, request: Request, session: Session, viewer: User) -> Response:
        place = self._site.find("0", request.field("tid") if request.field("tid").isdecimal() else "0")
        if place is None:
            return self._site.missing(session)
        section, topic = place
        if not self._site.may_post(section, viewer, topic):
            return self.error(request, session, CLOSED if topic.locked else NO_RIGHT)
        waiting = self._premoderated(viewer)
        number = self._site.board.post(topic.id, viewer.uid, self._typed(request), premoderated=waiting)
        if viewer.staff and request.field("ahtml") == "1":
            self._site.board.posts[number].html = self._typed(request).replace("\n", "<br />")
        if viewer.staff and request.field("isclosed") == "1":
            topic.locked = True
        self._site.last_written[viewer.uid] = self._site.clock.now()
        return self.done(request, session, WAITING if waiting else ADDED, self._site.permalink(self._site.board.posts[number]))

    def _store_topic(self, request: Request, session: Session, viewer: User) -> Response:
        section = self._site.board.sections.get(int(request.field("fid")) if request.field("fid").isdecimal() else 0)
        if section is None:
            return self._site.missing(session)
        if not self._site.may_post(section, viewer):
            return self._site.wall(session)
        title = request.field("name").strip()
        if not title:
            return self.error(request, session, NO_TITLE)
        waiting = self._premoderated(viewer)
        number = self._site.board.open_topic(
            section.id, viewer.uid, title, self._typed(request), description=request.field("description")[:50],
            premoderated=waiting, pinned_first=viewer.staff and request.field("firstontop") == "1")
        self._site.last_written[viewer.uid] = self._site.clock.now()
        return self.done(request, session, WAITING if waiting else ADDED, f"/forum/{section.id}-{number}-1")

    def _store_edit(self, request: Request, session: Session, viewer: User) -> Response:
        board = self._site.board
        post = board.posts.get(int(request.field("pid")) if request.field("pid").isdecimal() else 0)
        if post is None:
            return self._site.missing(session)
        if not self._site.may_edit(post, viewer):
            return self.error(request, session, NO_RIGHT)
        board.edit(post.id, self._typed(request), by=viewer.uid)
        if request.field("name").strip() and board.all_posts(post.topic)[0] is post:
            board.topic(post.topic).title = request.field("name").strip()
        return self.done(request, session, EDITED, self._site.permalink(post))

    def _typed(self, request: Request) -> str:
        text = _typed(request)
        return text[: self._site.options.max_post] if self._site.options.cut_long else text

    def delete(self, request: Request, session: Session, found: re.Match[str]) -> Response:
        place = self._site.find(found[1], found[2])
        viewer = self._site.viewer(session)
        posts = self._site.seen_posts(place[1], viewer) if place else []
        number = int(found[3])
        if place is None or not 1 <= number <= len(posts):
            return self._site.missing(session)
        if found[4] != session.ssid or not self._site.may_edit(posts[number - 1], viewer):
            return self._site.wall(session)
        self._site.board.delete(posts[number - 1].id)
        section, topic = place
        return self.done(request, session, "Сообщение удалено", f"/forum/{section.id}-{topic.id}-0-17-1")


def _typed(request: Request) -> str:
    """The message as typed. A browser turns what the page's charset lacks into character references; they are read back.

    Without the box ``frmt`` line ends are but blanks.
    """
    text = request.field("message").replace("\r\n", "\n")
    if request.field("frmt") != "1":
        text = text.replace("\n", " ")
    return references_read(text)
