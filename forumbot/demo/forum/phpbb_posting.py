"""phpBB's ``posting.php``: topics, replies, quotations, edits, deletions."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from forumbot.demo.forum.board import Post, Section, Topic, User
from forumbot.demo.forum.phpbb_bbcode import MERGED, checksum, quotation, stored
from forumbot.demo.forum.phpbb_session import Session, hidden
from forumbot.demo.forum.web import Request, Response

if TYPE_CHECKING:
    from forumbot.demo.forum.phpbb import Phpbb

SUBJECT_LENGTH = 120
CANCEL_SECONDS = 2
MERGE_SECONDS = 18 * 3600


class Posting:
    """The writing side of a board."""

    def __init__(self, site: Phpbb) -> None:
        self._site = site

    def serve(self, request: Request, session: Session) -> Response:
        """One request of ``posting.php``; its form and its answers."""
        site, mode = self._site, request.get("mode")
        post = site.board.posts.get(request.number("p") or 0)
        topic = site.board.topics.get(post.topic if post is not None else request.number("t") or 0)
        section = site.board.sections.get(request.number("f") or 0) if mode == "post" else (
            site.board.sections[topic.section] if topic is not None else None)
        if site.pages.old and site.board.sections.get(request.number("f") or 0) is None:
            return site.told(site.words["no_forum"], session, 404)
        missing = {"post": section is None, "reply": topic is None}.get(mode, post is None)
        if missing or section is None:
            name = {"post": "no_forum", "reply": "no_topic"}.get(mode, "no_post")
            return site.told(site.words[name], session, 200 if mode == "quote" else 404)
        viewer = site.sessions.user(session)
        if viewer is None:
            return site.login_wall(session, "login_to_post", request)
        refusal = self._refusal(mode, section, topic, post, viewer)
        if refusal:
            return site.told(site.words[refusal], session)
        if mode == "delete" and post is not None and topic is not None:
            return self._delete(request, session, topic, post, viewer)
        if request.method == "POST" and (request.has("post") or request.has("preview") or request.has("message")):
            return self._sent(request, session, mode, section, topic, post, viewer)
        return self._form(request, session, mode, section, topic, post, viewer)

    def _refusal(self, mode: str, section: Section, topic: Topic | None, post: Post | None, viewer: User) -> str:
        """The name of the words that refuse this mode to this user; empty when he may."""
        if not section.open_to(viewer):
            return "cannot_read"
        if not self._site.may_post(section, viewer):
            return "cannot_post"
        if topic is not None and topic.locked and not viewer.staff:
            return "locked"
        if mode in ("edit", "delete") and post is not None and not viewer.staff and post.author != viewer.uid:
            return "cannot_edit"
        return ""

    # The form

    def _form(self, request: Request, session: Session, mode: str, section: Section, topic: Topic | None, post: Post | None,
              viewer: User, error: str = "", note: str = "", status: int = 200) -> Response:
        site, words = self._site, self._site.words
        typed = request.method == "POST"
        subject = request.field("subject") if typed else {"post": "", "edit": post.subject if post else ""}.get(
            mode, f"Re: {topic.title}" if topic else "")
        text = request.field("message") if typed else self._prefilled(mode, post)
        fields = []
        if mode in ("reply", "quote") and topic is not None:
            fields.append(hidden("topic_cur_post_id", str(self._last_id(topic))))
        if mode == "edit" and post is not None:
            sum_ = request.field("edit_post_message_checksum") if typed and not note else checksum(post.text)
            fields.append(hidden("edit_post_message_checksum", sum_))
            fields.append(hidden("edit_post_subject_checksum", checksum(post.subject)))
        if site.pages.old:
            fields.append(hidden("lastclick", str(int(site.clock.now().timestamp()))))
        boxes = [self._box("attach_sig", words["sig_box"], True)]
        if viewer.staff and topic is not None:
            boxes.append(self._box("lock_topic", words["lock_box"], request.has("lock_topic") if typed else topic.locked))
        if self._mergeable(mode, topic, viewer):
            boxes.append(self._box("do_merge", words["merge_box"], True))
        reason = (f'<dl><dt><label>{words["reason"]}:</label></dt><dd><input type="text" name="edit_reason" value="" size="45" '
                  '/></dd></dl>'
                  if mode == "edit" and viewer.staff else "")
        place = {"post": f"f={section.id}", "reply": f"t={topic.id if topic else 0}"}.get(mode, f"p={post.id if post else 0}")
        if site.pages.old and mode != "post":
            place = f"f={section.id}&amp;{place}"
        told = f'<p class="error">{error}</p>' if error else ""
        preview = (f'<div id="preview" class="post bg2"><div class="postbody"><h3>{words["preview"]}: {escape(subject)}</h3>'
                   '<div class="content">'
                   f"{site.threads.html(text, viewer)}</div></div></div>") if note or (typed and request.has("preview")) else ""
        warned = f'<div class="rules"><div class="inner"><p>{note}</p></div></div>' if note else ""
        title = words["new_topic"] if mode == "post" else words["edit_title"] if mode == "edit" else words["reply"]
        body = (f'<h2 class="posting-title">{title}</h2>{warned}{preview}\n'
                f'<form id="postform" method="post" action="./posting.php?mode={mode}&amp;{place}" '
                'enctype="multipart/form-data">\n'
                f'<div class="panel" id="postingbox"><div class="inner"><fieldset class="fields1">{told}'
                f'<dl><dt><label for="subject">{words["subject"]}:</label></dt><dd>'
                '<input type="text" name="subject" id="subject" size="45" '
                f'maxlength="124" value="{escape(subject)}" class="inputbox autowidth" /></dd></dl>{reason}\n'
                f'<div id="message-box"><textarea name="message" id="message" rows="15" cols="76">\n{escape(text)}</textarea>'
                '</div>\n'
                f'{"".join(boxes)}</fieldset></div></div>\n<fieldset class="submit-buttons">\n{"".join(fields)}'
                f'<input type="submit" accesskey="p" name="preview" value="{words["preview"]}" class="button1" /> '
                f'<input type="submit" accesskey="s" name="post" value="{words["submit"]}" class="button1 '
                'default-submit-action" />\n'
                f'{site.sessions.token_fields(session, "posting")}</fieldset>\n</form>'
                f'{self._review(topic, viewer) if mode in ("reply", "quote") and topic is not None else ""}')
        return site.page(site.pages.shell(title, body, session, section=section, kind="posting"), status)

    def _review(self, topic: Topic, viewer: User) -> str:
        """The topic's last posts below the form, newest first, with the text that a click quotes hidden beside each."""
        site, words = self._site, self._site.words
        rows = []
        for post in site.board.visible_posts(topic.id)[:-11:-1]:
            nick = site.board.author_nick(post)
            quoted = f"{{post_id:{post.id},time:{int(post.posted.timestamp())},user_id:{post.author or 1}}}"
            when = site.pages.time(post.posted, viewer)
            rows.append(f'<div class="post bg2"><div class="inner"><div class="postbody" id="pr{post.id}">'
                        f'<h3>{escape(post.subject)}</h3><ul class="post-buttons"><li><a href="#postingbox" '
                        f'onclick="addquote({post.id}, &#039;{escape(nick)}&#039;, &#039;{words["wrote"]}&#039;, {quoted});">'
                        f'{words["quote"]}</a></li></ul><p class="author">{site.pages.author(post)} &raquo; {when}</p>'
                        f'<div class="content">{site.threads.post_html(post, viewer)}</div>'
                        f'<div id="message_{post.id}" style="display: none;">{escape(post.text)}</div></div></div></div>')
        return (f'<h3 id="review">{words["review"]}: {escape(topic.title)}</h3><div id="topicreview" class="topicreview">'
                f'{"".join(rows)}</div>')

    def _box(self, name: str, label: str, ticked: bool) -> str:
        tick = ' checked="checked"' if ticked else ""
        return f'<div><label><input type="checkbox" name="{name}"{tick} /> {label}</label></div>\n'

    def _prefilled(self, mode: str, post: Post | None) -> str:
        if post is None:
            return ""
        if mode == "edit":
            return post.text
        return quotation(self._site.board.author_nick(post), post.id, int(post.posted.timestamp()), post.author, post.text,
                         self._site.options.version)

    def _last_id(self, topic: Topic) -> int:
        posts = self._site.board.visible_posts(topic.id)
        return posts[-1].id if posts else 0

    def _mergeable(self, mode: str, topic: Topic | None, viewer: User) -> bool:
        """Whether the fork would append this reply to the user's own last post."""
        if not (self._site.options.merge or self._site.troubles.merging) or mode not in ("reply", "quote") or topic is None:
            return False
        posts = self._site.board.visible_posts(topic.id)
        age = (self._site.clock.now() - posts[-1].posted).total_seconds() if posts else MERGE_SECONDS
        return bool(posts) and posts[-1].author == viewer.uid and age < MERGE_SECONDS

    # What comes back

    def _sent(self, request: Request, session: Session, mode: str, section: Section, topic: Topic | None, post: Post | None,
              viewer: User) -> Response:
        site, words = self._site, self._site.words
        if self._cancelled(request):
            return site.moved(site.pages.topic_address(topic).replace("&amp;", "&") if topic is not None else "./viewfor"
                f"um.php?f={section.id}")
        if not request.has("post"):
            return self._form(request, session, mode, section, topic, post, viewer)
        text = stored(request.field("message"))
        if site.options.three_byte_database and any(ord(sign) > 0xFFFF for sign in text + request.field("subject")):
            return site.general_error()
        checks = (
            (mode != "edit" and site.flooding(viewer), "flood"),
            (not site.sessions.good_token(request, session, "posting"), "form_invalid"),
            (not text, "too_short"),
            (mode == "post" and not request.field("subject").strip(), "no_subject"),
        )
        most = site.most_signs()
        long = words.too_long(len(text), most) if len(text) > most else ""
        error = next((words[name] for failed, name in checks if failed), "") or long
        if error:
            return self._form(request, session, mode, section, topic, post, viewer, error=error)
        current = request.field("topic_cur_post_id")
        if mode in ("reply", "quote") and topic is not None and current.isdecimal() and int(current) < self._last_id(topic):
            return self._form(request, session, mode, section, topic, post, viewer, note=words["meanwhile"])
        if mode == "edit" and post is not None and request.has("edit_post_message_checksum") and (
                request.field("edit_post_message_checksum") != checksum(post.text)):
            return self._form(request, session, mode, section, topic, post, viewer, note=words["changed"])
        site.sessions.spend(request)
        return self._store(request, session, mode, section, topic, post, viewer, text)

    def _cancelled(self, request: Request) -> bool:
        """The old boards take a form that comes back at once for the cancel button."""
        click = request.field("lastclick")
        return self._site.pages.old and click.isdecimal() and self._site.clock.now().timestamp() - int(click) < CANCEL_SECONDS

    def _store(self, request: Request, session: Session, mode: str, section: Section, topic: Topic | None, post: Post | None,
               viewer: User, text: str) -> Response:
        site, board = self._site, self._site.board
        subject = stored(request.field("subject"))[:SUBJECT_LENGTH]
        waiting = site.waits(viewer) and mode != "edit"
        if mode == "edit" and post is not None:
            board.edit(post.id, text, by=viewer.uid, reason=request.field("edit_reason").strip() if viewer.staff else "")
            post.subject = subject or post.subject
            if topic is not None and board.all_posts(topic.id)[0] is post and subject:
                topic.title = subject
            number = post.id
        elif mode == "post":
            opened = board.open_topic(section.id, viewer.uid, subject, text, premoderated=waiting)
            topic = board.topic(opened)
            number = board.all_posts(opened)[-1].id
        elif topic is not None and request.has("do_merge") and self._mergeable(mode, topic, viewer):
            number = self._merge(topic, text)
        else:
            assert topic is not None
            number = board.post(topic.id, viewer.uid, text, subject=subject, premoderated=waiting)
        assert topic is not None
        if viewer.staff:
            topic.locked = request.has("lock_topic")
        site.wrote(viewer)
        if waiting:
            page = site.pages.message(site.words["approval"], session, f"./viewforum.php?f={section.id}", 10)
            return site.page(page)
        if mode == "post":
            return site.moved(site.pages.topic_address(topic).replace("&amp;", "&"))
        place = f"f={topic.section}&t={topic.id}&" if site.pages.old else ""
        return site.moved(f"./viewtopic.php?{place}p={number}#p{number}")

    def _merge(self, topic: Topic, text: str) -> int:
        """Append to the last post: the same id, no notice, a line that tells how much later."""
        board = self._site.board
        last = board.visible_posts(topic.id)[-1]
        seconds = int((self._site.clock.now() - last.posted).total_seconds())
        line = f"{MERGED[0]}{self._site.words.later(seconds)}{MERGED[1]}"
        board.edit(last.id, f"{last.text}\n\n{line}\n{text}", by=last.author)
        return last.id

    def _delete(self, request: Request, session: Session, topic: Topic, post: Post, viewer: User) -> Response:
        """Ask, then delete: moderators softly, an author only the topic's last post."""
        site, words = self._site, self._site.words
        if not viewer.staff and self._last_id(topic) != post.id:
            return site.told(words["cannot_delete"], session)
        key = checksum(f"{session.sid}{post.id}")[:10].upper()
        good = (request.has("confirm") and request.get("confirm_key") == key and request.field("confirm_uid") == str(session.uid)
                and request.field("sess") == session.sid and request.field("confirm") == words["yes"])
        if request.method != "POST" or not good:
            if request.method == "POST":
                return site.moved(f"./viewtopic.php?p={post.id}#p{post.id}")
            place = f"f={topic.section}&amp;" if site.pages.old else ""
            action = f"./posting.php?mode=delete&amp;{place}p={post.id}&amp;confirm_key={key}"
            forever = self._box("delete_permanent", words["delete"], False) if viewer.staff else ""
            return site.page(site.pages.confirm(session, action, words["delete_sure"], forever))
        soft = viewer.staff and not request.has("delete_permanent") and not site.pages.old
        site.board.delete(post.id, by=viewer.uid, soft=soft)
        return site.told(words["deleted"], session)
