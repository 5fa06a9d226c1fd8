"""phpBB private messages: folders, reading, writing, export, held messages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from forumbot.demo.forum.board import Box, Message, User
from forumbot.demo.forum.phpbb_bbcode import checksum, stored
from forumbot.demo.forum.phpbb_session import Session, hidden
from forumbot.demo.forum.web import Request, Response

if TYPE_CHECKING:
    from forumbot.demo.forum.phpbb import Phpbb

_FOLDERS: dict[str, tuple[Box, int]] = {"inbox": ("inbox", 0), "outbox": ("outbox", -2), "sentbox": ("sentbox", -1)}


class PrivateMessages:
    """The messages of whoever is logged in."""

    def __init__(self, site: Phpbb) -> None:
        self._site = site

    def serve(self, request: Request, session: Session) -> Response:
        """``ucp.php?i=pm``."""
        site = self._site
        viewer = site.sessions.user(session)
        if viewer is None:
            return site.login_wall(session, "login_to_pm", request)
        if site.troubles.pm_closed and not viewer.staff:
            return site.told(site.words["pm_closed"], session)
        mode = request.get("mode")
        if mode == "compose":
            return self._compose(request, session, viewer)
        self._site.board.pick_up(viewer.uid)
        if mode == "view" or request.number("p") is not None:
            return self._view(request, session, viewer)
        return self._folder(request, session, viewer)

    # Folders

    def _folder(self, request: Request, session: Session, viewer: User) -> Response:
        site, words = self._site, self._site.words
        name = request.get("folder", "inbox") if request.get("folder", "inbox") in _FOLDERS else "inbox"
        if request.get("release"):
            site.board.release_held(viewer.uid)
        box, number = _FOLDERS[name]
        messages = site.board.box(viewer.uid, box)
        size = site.options.topics_per_page
        start = max(0, request.number("start") or 0)
        listed = messages[start : start + size]
        if request.method == "POST" and request.has("submit_export") and request.field("export_option") == "XML":
            if site.pages.old or not site.sessions.good_token(request, session, "ucp_pm_view"):
                return site.told(words["form_invalid"], session)
            return self._export(listed)
        if request.method == "POST" and request.has("submit_mark") and request.field("mark_option") == "delete_marked":
            return self._throw_away(request, session, viewer, name)
        rows = "".join(self._row(message, viewer, number) for message in listed) or f'<li class="row">{words["no_messages"]}</li>'
        pager = site.pages.pager(words.posts(len(messages)), f"./ucp.php?i=pm&amp;folder={name}", len(messages), size, start)
        limit = site.board.pm_limit
        waiting = len(site.board.box(viewer.uid, "held"))
        held = (f'<div class="notice"><p>{words.held(waiting)}<br /><a href="./ucp.php?i=pm&amp;folder=inbox&amp;release=1">'
                f'{words["release"]}'
                "</a></p></div>") if waiting and name == "inbox" else ""
        fill = f"<p>{words.fill(len(messages) * 100 // limit, len(messages), limit)}</p>" if limit else ""
        export = "" if site.pages.old else ('<select name="export_option"><option value="CSV">CSV</option>'
                                            '<option value="XML">XML</option></select>'
                                            '<input type="submit" name="submit_export" value="Экспорт" class="button2" />')
        body = (f'{self._menu()}<h2>{words[name]}</h2>{held}{fill}<form id="viewfolder" method="post" '
                f'action="./ucp.php?i=pm&amp;folder={name}'
                f'{f"&amp;start={start}" if start else ""}"><div class="action-bar">{pager}</div><div class="panel">'
                '<ul class="topiclist cplist pmlist">'
                f'{rows}</ul></div><fieldset>{export}<select name="mark_option"><option value="mark_important">!</option><option '
                f'value="delete_marked">{words["delete"]}</option></select>'
                f'<input type="submit" name="submit_mark" value="{words["submit"]}" '
                f'class="button2" />{hidden("cur_folder_id", str(number))}{site.sessions.token_fields(session, "ucp_pm_view")}'
                '</fieldset></form>')
        return site.page(site.pages.shell(words[name], body, session, kind="ucp"))

    def _menu(self) -> str:
        words = self._site.words
        links = " | ".join(f'<a href="./ucp.php?i=pm&amp;folder={name}">{words[name]}</a>' for name in _FOLDERS)
        return (f'<p class="cp-menu">{links} | <a href="./ucp.php?i=pm&amp;mode=compose">'
                f'{words["new_topic"] and "Новое сообщение"}</a></p>')

    def _row(self, message: Message, viewer: User, folder: int) -> str:
        site, words = self._site, self._site.words
        mine = message.sender == viewer.uid and folder != 0
        other = message.recipient if mine else message.sender
        new = not message.read and not mine
        address = f"./ucp.php?i=pm&amp;mode=view&amp;f={folder}&amp;p={message.id}"
        return (f'<li class="row bg1"><dl class="row-item {"pm_unread" if new else "pm_read"}"><dt><div class="list-inner">'
                f'<a href="{address}" '
                f'class="topictitle">{escape(site.pages.censored(message.subject))}</a><br>{words["to" if mine else "from"]} '
                f'{site.pages.nick(other)} &raquo; '
                f'{site.pages.date(message.sent, viewer)}</div></dt><dd class="mark">'
                '<input type="checkbox" name="marked_msg_id[]" '
                f'value="{message.id}" /></dd></dl></li>')

    def _export(self, messages: Iterable[Message]) -> Response:
        """The listed messages as XML with their raw text; nothing is marked as read by it."""
        board = self._site.board
        rows = []
        for message in messages:
            moment = message.sent.astimezone(ZoneInfo(board.zone)).isoformat(timespec="seconds")
            rows.append(f"\t<privmsg>\n\t\t<subject>{escape(message.subject)}</subject>\n\t\t<sender>"
                        f"{escape(board.user(message.sender).nick)}</sender>\n"
                        f"\t\t<date>{moment}</date>\n\t\t<to>{escape(board.user(message.recipient).nick)}</to>\n"
                        f"\t\t<message>{escape(message.text)}</message>\n\t</privmsg>\n")
        text = f'<?xml version="1.0"?>\n<phpbb>\n{"".join(rows)}</phpbb>\n'
        return Response(text.encode(), 200, "text/xml; charset=UTF-8", [("Content-Disposition", 'attachment; '
            'filename="data.xml"')])

    def _throw_away(self, request: Request, session: Session, viewer: User, folder: str) -> Response:
        site, words = self._site, self._site.words
        marked = [int(value) for name, value in request.form if name == "marked_msg_id[]" and value.isdecimal()]
        key = checksum(f"{session.sid}pm")[:10].upper()
        if request.has("confirm") and request.get("confirm_key") == key and request.field("sess") == session.sid:
            site.board.throw_away(viewer.uid, marked)
            return site.told(words["pm_deleted"], session)
        if not site.sessions.good_token(request, session, "ucp_pm_view"):
            return site.told(words["form_invalid"], session)
        echoed = [*(("marked_msg_id[]", str(number)) for number in marked), ("mark_option", "delete_marked"),
                  ("submit_mark", "1"), ("cur_folder_id", request.field("cur_folder_id"))]
        fields = "".join(hidden(name, value) for name, value in echoed)
        action = f"./ucp.php?i=pm&amp;folder={folder}&amp;confirm_key={key}"
        return site.page(site.pages.confirm(session, action, words["pm_delete_sure"], fields))

    # One message

    def _view(self, request: Request, session: Session, viewer: User) -> Response:
        site, words = self._site, self._site.words
        message = site.board.messages.get(request.number("p") or 0)
        if message is None or message.held or not message.belongs_to(viewer.uid):
            return site.told(words["pm_missing"], session)
        if message.recipient == viewer.uid:
            message.read = True
        body = (f'{self._menu()}<div id="post-{message.id}" class="post pm has-profile"><div class="inner">'
                '<dl class="postprofile" '
                f'id="profile{message.id}"><dt>{site.pages.nick(message.sender)}</dt></dl><div class="postbody">'
                '<h3 class="first">'
                f'{escape(message.subject)}</h3><p class="author"><strong>{words["sent_at"]}:</strong> '
                f'{site.pages.date(message.sent, viewer)}<br />'
                f'<strong>{words["from"]}:</strong> {site.pages.nick(message.sender)}<br /><strong>{words["to"]}:</strong> '
                f'{site.pages.nick(message.recipient)}</p><div class="content">{site.threads.html(message.text, viewer)}</div>'
                '</div></div></div>'
                f'<p><a href="./ucp.php?i=pm&amp;mode=compose&amp;action=reply&amp;f=0&amp;p={message.id}" class="button">'
                f'{words["reply"]}</a></p>')
        return site.page(site.pages.shell(message.subject, body, session, kind="ucp"))

    # Writing

    def _compose(self, request: Request, session: Session, viewer: User) -> Response:
        site, words = self._site, self._site.words
        if viewer.group == "newcomers":
            return site.told(words["pm_new_accounts"], session)
        answered = site.board.messages.get(request.number("p") or 0)
        if request.method != "POST":
            first = site.board.users.get(answered.sender if answered is not None else request.number("u") or 0)
            subject = f"Re: {answered.subject.removeprefix('Re: ')}" if answered is not None else ""
            return self._form(session, viewer, [first] if first is not None else [], subject, "", "")
        recipients = [site.board.users[int(found[1])] for name, _ in request.form
                      if (found := re.fullmatch(r"address_list\[u\]\[(\d+)\]", name)) and int(found[1]) in site.board.users]
        named = [line.strip() for line in re.split(r"[\n,]", request.field("username_list")) if line.strip()]
        subject, text = stored(request.field("subject")), stored(request.field("message"))
        if named:
            found_users = [site.board.find_user(nick) for nick in named]
            added = [user for user in found_users if user is not None]
            error = words["pm_no_users"] if len(added) < len(named) else ""
            recipients += [user for user in added if user not in recipients]
            return self._form(session, viewer, recipients, subject, text, error)
        open_ones = [user for user in recipients if viewer.staff or not user.pm_off]
        if len(open_ones) < len(recipients):
            return self._form(session, viewer, open_ones, subject, text, words["pm_off"])
        if not request.has("post"):
            return self._form(session, viewer, recipients, subject, text, "")
        checks = ((site.flooding(viewer), "flood"),
                  (not site.sessions.good_token(request, session, "ucp_pm_compose"), "form_invalid"),
                  (not recipients, "pm_no_recipient"), (not subject, "no_pm_subject"), (not text, "too_short"))
        most = site.most_signs()
        long = words.too_long(len(text), most) if len(text) > most else ""
        error = next((words[name] for failed, name in checks if failed), "") or long
        if error:
            return self._form(session, viewer, recipients, subject, text, error)
        for user in recipients:
            number = site.board.send_pm(viewer.uid, user.uid, subject, text)
            if site.troubles.pm_box_full:
                site.board.messages[number].held = True
        site.wrote(viewer)
        link = f'<br /><br /><a href="./ucp.php?i=pm&amp;mode=view&amp;f=-2&amp;p={number}">{words["pm"]}</a>'
        return site.told(words["pm_sent"] + link, session)

    def _form(self, session: Session, viewer: User, recipients: list[User], subject: str, text: str, error: str) -> Response:
        site, words = self._site, self._site.words
        allowed = [user for user in recipients if viewer.staff or not user.pm_off]
        told = error or (words["pm_off"] if len(allowed) < len(recipients) else "")
        shown = "".join(f'<dd>{hidden(f"address_list[u][{user.uid}]", "to")}{site.pages.nick(user.uid)}</dd>' for user in allowed)
        words_of = f'<p class="error">{told}</p>' if told else ""
        body = (f'{self._menu()}<form id="postform" method="post" action="./ucp.php?i=pm&amp;mode=compose&amp;action=post" '
                'enctype="multipart/form-data"><div class="panel" id="pmheader-postingbox"><div class="inner">'
                f'<fieldset class="fields1">{words_of}'
                f'<dl><dt><label for="username_list">{words["to"]}:</label></dt><dd>'
                '<textarea id="username_list" name="username_list" rows="2"></textarea>'
                f'</dd>{shown}</dl><dl><dt><label for="subject">{words["subject"]}:</label></dt><dd>'
                '<input type="text" name="subject" id="subject" '
                f'size="45" maxlength="124" value="{escape(subject)}" /></dd></dl>'
                '<textarea name="message" id="message" rows="15" cols="76">\n'
                f'{escape(text)}</textarea></fieldset></div></div><fieldset class="submit-buttons">{hidden("sid", session.sid)}'
                f'<div><label><input type="checkbox" name="attach_sig" checked="checked" /> {words["sig_box"]}</label></div>'
                f'<input type="submit" name="preview" value="{words["preview"]}" class="button1" /> <input type="submit" '
                'name="post" '
                f'value="{words["submit"]}" class="button1 default-submit-action" />'
                f'{site.sessions.token_fields(session, "ucp_pm_compose")}</fieldset></form>')
        return site.page(site.pages.shell(words["pm"], body, session, kind="ucp"))
