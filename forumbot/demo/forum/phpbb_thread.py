"""A phpBB thread: which posts a visitor gets on which page, and how they look on 3.3 and 3.0."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

from forumbot.demo.forum.board import Board, Post, Section, Topic, User
from forumbot.demo.forum.phpbb_bbcode import Look, to_html
from forumbot.demo.forum.phpbb_pages import COLOURS, Pages
from forumbot.demo.forum.phpbb_session import Session


@dataclass(frozen=True, slots=True)
class Cut:
    """A page of a thread: its posts, where it starts, and the count that the pager tells."""

    posts: list[Post]
    start: int
    total: int


def seen(board: Board, topic: Topic, viewer: User | None) -> list[Post]:
    """All that this visitor can get: moderators everything, others also their own waiting posts."""
    if viewer is not None and viewer.staff:
        return board.all_posts(topic.id)
    own = viewer.uid if viewer is not None else None
    return [post for post in board.all_posts(topic.id)
            if post.state == "visible" or (post.state == "waiting" and own is not None and post.author == own)]


def cut(board: Board, topic: Topic, viewer: User | None, start: int, size: int, newest_first: bool = False) -> Cut:
    """The page from ``start`` on. Past the end comes the last page, before the beginning the first.

    The count leaves out a member's own waiting posts, while the posts themselves hold them; pages of the second half are
    taken from the end. So with an own waiting post one at the border stands on neither page, as on the real board.
    """
    posts = seen(board, topic, viewer)
    staff = viewer is not None and viewer.staff
    total = len(posts) if staff else sum(post.state == "visible" for post in posts)
    start = max(0, start)
    if start >= total:
        start = max(0, (total - 1) // size * size)
    if newest_first:
        return Cut(posts[::-1][start : start + size], start, total)
    if start > total // 2:
        end = len(posts) - max(0, total - start - size)
        return Cut(posts[len(posts) - (total - start) : end], start, total)
    return Cut(posts[start : start + size], start, total)


class ThreadPages:
    """Draws threads."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._board = pages.board
        self._html: dict[tuple[int, int, str], str] = {}

    # Text

    def html(self, text: str, viewer: User | None) -> str:
        """BBCode as HTML; a quotation's date is the viewer's."""
        words = self._pages.words

        def date(unix: int) -> str:
            return self._pages.date(datetime.fromtimestamp(unix, UTC), viewer, relative=False)

        look = Look(self._pages.options.version, date, words["wrote"], words["code"], words["select_all"],
                    self._pages.options.custom_tags, self._pages.host)
        return to_html(self._pages.censored(text), look)

    def post_html(self, post: Post, viewer: User | None) -> str:
        if post.html is not None:
            return post.html
        zone = (viewer.zone or "") + (viewer.date_format or "") if viewer else ""
        key = (post.id, len(post.versions), f"{zone}/{sorted(self._pages.troubles.censored)}")
        if key not in self._html:
            self._html[key] = self.html(post.text, viewer)
        return self._html[key]

    # The page

    def draw(self, topic: Topic, section: Section, page: Cut, session: Session, unread_from: int | None, may_post: bool) -> str:
        """The thread's page; posts with an id above ``unread_from`` are marked as new."""
        pages, words = self._pages, self._pages.words
        viewer = pages.sessions.user(session)
        size = pages.options.per_page
        counts = Counter(post.author for post in self._board.posts.values())
        one = self._old_post if pages.old else self._new_post
        everything = seen(self._board, topic, viewer)
        numbers = {post.id: number for number, post in enumerate(everything, 1)}
        rows, first_unread = [], True
        for index, post in enumerate(page.posts):
            new = unread_from is not None and post.id > unread_from
            rows.append(one(post, topic, session, viewer, counts, index, numbers[post.id], new, new and first_unread))
            first_unread = first_unread and not new
        address = pages.topic_address(topic)
        count = f"Сообщений: {page.total}" if pages.old else words.posts(page.total)
        pager = pages.pager(count, address, page.total, size, page.start)
        place = f"f={section.id}&amp;t={topic.id}" if pages.old else f"t={topic.id}"
        reply = f"./posting.php?mode=reply&amp;{place}"
        if topic.locked:
            button = (f'<a href="{reply}" class="button" title="{words["locked"]}"><span>{words["closed"]}</span> '
                      '<i class="icon fa-lock fa-fw" aria-hidden="true"></i></a>')
        else:
            button = (f'<a href="{reply}" class="button" title="{words["reply"]}"><span>{words["reply"]}</span> '
                      '<i class="icon fa-reply fa-fw" aria-hidden="true"></i></a>')
        title = escape(pages.censored(topic.title))
        here = pages.topic_address(topic, page.start)
        jump = (f'<div class="action-bar actions-jump"><p class="jumpbox-return"><a href="{pages.forum_address(section)}" '
                f'class="left-box arrow-left"><span>{words["back_to"]} «{escape(section.name)}»</span></a></p></div>')
        if pages.old:
            body = (f'<h2><a href="{here}">{title}</a></h2>\n<div class="topic-actions"><div class="buttons"><div class="'
                    f'{"locked" if topic.locked else "reply"}-icon"><a href="{reply}" title="{words["reply"]}"><span></span>'
                    f'{words["closed" if topic.locked else "reply"]}</a></div></div>{pager}</div>\n<div class="clear"></div>\n'
                    f'{"".join(rows)}<div class="topic-actions">{pager}</div>\n{jump}')
            full = f"Просмотр темы - {topic.title}"
        else:
            body = (f'<h2 class="topic-title"><a href="{here}">{title}</a>'
                    f'</h2>\n<div class="action-bar bar-top">{button}\n{pager}</div>\n'
                    f'{"".join(rows)}<div class="action-bar bar-bottom">{button}\n{pager}</div>\n{jump}')
            full = topic.title if not page.start else f"{topic.title} - {words['page']} {page.start // size + 1}"
        feed = ('<link rel="alternate" type="application/atom+xml" title="feed" href="'
                f'{pages.feed_address(f"topic/{topic.id}")}">\n')
        return pages.shell(full, body, session, section=section, head=feed if pages.options.feeds else "")

    def draw_print(self, topic: Topic, page: Cut, session: Session) -> str:
        """The light page: no ids, no uids, no exact times."""
        pages = self._pages
        viewer = pages.sessions.user(session)
        rows = "".join(
            f'<div class="post"><h3>{escape(post.subject)}</h3><div class="date">{pages.words["sent_at"]}: <strong>'
            f'{pages.date(post.posted, viewer)}</strong></div><div class="author">{pages.words["from"]} <strong>'
            f'{escape(self._board.author_nick(post))}</strong></div><div class="content">{self.post_html(post, viewer)}</div>'
            '</div>\n'
            f"<hr />\n" for post in page.posts if post.state != "deleted")
        size = pages.options.per_page
        number = f"{pages.words['page']} <strong>{page.start // size + 1}</strong> {pages.words['of']} " \
                 f"<strong>{max(1, -(-page.total // size))}</strong>"
        return (f'<!DOCTYPE html>\n<html lang="ru"><head><meta charset="utf-8" /><title>{escape(self._board.name)} &bull; '
                f'{escape(topic.title)}</title></head><body id="phpbb"><div id="wrap" class="wrap">'
                f'<h1>{escape(self._board.name)}</h1>'
                f'<h2>{escape(topic.title)}</h2><p>{number}</p>{rows}</div></body></html>\n')

    def _edit_notice(self, post: Post, viewer: User | None) -> str:
        noticed = post.noticed
        if not noticed:
            return ""
        last = noticed[-1]
        name = self._pages.nick(last.by, post.shown_as)
        text = self._pages.words.edited(name, self._pages.date(last.at, viewer, relative=False), len(noticed))
        reason = f"<br><strong>{self._pages.words['reason']}:</strong> <em>{escape(last.reason)}</em>" if last.reason else ""
        return f'    <div class="notice">{text}{reason}</div>\n'

    def _signature(self, post: Post, viewer: User | None) -> str:
        author = self._board.users.get(post.author or 0)
        if author is None or not author.signature:
            return ""
        return f'    <div id="sig{post.id}" class="signature">{self.html(author.signature, viewer)}</div>\n'

    def _buttons(self, post: Post, topic: Topic, session: Session, viewer: User | None) -> str:
        words, old = self._pages.words, self._pages.old
        place = f"f={topic.section}&amp;" if old else ""
        own = viewer is not None and (viewer.staff or (viewer.uid == post.author and not topic.locked))
        links = []
        if own:
            links.append(("edit", words["edit_title"], words["edit"]))
            links.append(("delete", words["delete"], words["delete"]))
        links.append(("quote", words["quote_title"], words["quote"]))
        shown = "".join(f'<li><a href="./posting.php?mode={mode}&amp;{place}p={post.id}" title="{title}" class="button '
                        'button-icon-only">'
                        f'<span class="sr-only">{text}</span></a></li>' for mode, title, text in links)
        more = (f'<li><a href="./mcp.php?i=main&amp;mode=post_details&amp;p={post.id}&amp;sid={session.sid}" class="button '
                'button-icon-only" '
                f'title="{words["information"]}"><span class="sr-only">{words["information"]}</span></a></li>'
                ) if viewer is not None and viewer.staff else ""
        return f'<ul class="{"profile-icons" if old else "post-buttons"}">{shown}{more}</ul>'

    def _hidden(self, post: Post, viewer: User | None) -> str:
        """What stands before the folded body of a deleted post or an ignored author's; empty when the body is open."""
        words = self._pages.words
        if post.state == "deleted":
            when = self._pages.date(post.deleted_at or post.posted, viewer, relative=False)
            text = words["removed"].format(self._pages.nick(post.deleted_by), self._pages.author(post), when)
        elif viewer is not None and post.author in viewer.foes:
            text = words["ignored"].format(self._pages.author(post))
        else:
            return ""
        return (f'   <div class="ignore" id="post_hidden{post.id}">{text}<br><a class="display_post" data-post-id="{post.id}" '
                f'href="./viewtopic.php?p={post.id}&amp;view=show#p{post.id}">{words["show_post"]}</a></div>\n')

    def _queue(self, post: Post, viewer: User | None) -> str:
        """The moderator's bar on deleted and waiting posts; a waiting post's author sees its line without buttons."""
        words = self._pages.words
        action = f'<form method="post" class="mcp_approve" action="./mcp.php?i=queue&amp;p={post.id}">'
        if post.state == "waiting" and not (viewer is not None and viewer.staff):
            return f'    <p class="post-notice unapproved"><strong>{words["own_waiting"]}</strong></p>\n'
        if post.state == "deleted":
            return (f'    {action}<p class="post-notice deleted"><strong>{words["removed_bar"]}</strong> <input '
                    'class="button2" type="submit" '
                    f'value="{words["delete"]}" name="action[delete]"> <input class="button1" type="submit" value="'
                    f'{words["restore"]}" '
                    'name="action[restore]"></p></form>\n')
        if post.state == "waiting":
            buttons = (f' <input class="button2" type="submit" value="{words["disapprove"]}" name="action[disapprove]"> <input '
                       'class="button1" '
                       f'type="submit" value="{words["approve"]}" name="action[approve]">'
                       '<input type="hidden" name="post_id_list[]" '
                       f'value="{post.id}">') if viewer is not None and viewer.staff else ""
            return (f'    {action}<p class="post-notice unapproved"><span>'
                    '<i class="icon fa-question icon-red fa-fw" aria-hidden="true"></i>'
                    f'</span> <strong>{words["waiting_bar"]}</strong>{buttons}</p></form>\n')
        return ""

    def _profile(self, post: Post, viewer: User | None, counts: Counter[int | None], folded: bool) -> str:
        words = self._pages.words
        user = self._board.users.get(post.author or 0)
        style = ' style="display: none;"' if folded else ""
        posts = f'<a href="./search.php?author_id={user.uid}&amp;sr=posts">{counts[user.uid]}</a>' if user else "0"
        joined = (f'   <dd class="profile-joined"><strong>{words["joined"]}:</strong> '
                  f'{self._pages.date(user.registered, viewer, relative=False)}'
                  "</dd>\n") if user else ""
        return (f'  <dl class="postprofile" id="profile{post.id}"{style}>\n   <dt class="no-profile-rank no-avatar">'
                '<div class="avatar-container">'
                f'</div>{self._pages.author(post)}</dt>\n   <dd class="profile-posts">'
                f'<strong>{words["posts"]}:</strong> {posts}</dd>\n'
                f"{joined}  </dl>\n")

    def _new_post(self, post: Post, topic: Topic, session: Session, viewer: User | None, counts: Counter[int | None], index: int,
                  number: int, new: bool, first_new: bool) -> str:
        """A post of the 3.3 line."""
        words = self._pages.words
        hidden = self._hidden(post, viewer)
        profile = " has-profile" if post.author is not None else ""
        marks = f"{' deleted' if post.state == 'deleted' else ''}{' unreadpost' if new else ''}"
        anchor = '<a id="unread" class="first-unread"></a>' if first_new else ""
        removed = ""
        if post.state == "deleted":
            when = self._pages.date(post.deleted_at or post.posted, viewer, relative=False)
            removed = ('    <div class="notice post_deleted_msg">'
                       f'{words["removed_note"].format(when, self._pages.nick(post.deleted_by))}</div>\n')
        first = ' class="first"' if index == 0 else ""
        style = ' style="display: none;"' if hidden else ""
        return (f'{anchor}<div id="p{post.id}" class="post{profile} bg{2 - index % 2}{marks}">\n <div class="inner">\n'
                f"{self._profile(post, viewer, counts, bool(hidden))}"
                f'  <div class="postbody">\n{hidden}   <div id="post_content{post.id}"{style}>\n'
                f'    <h3{first}><a href="./viewtopic.php?p={post.id}#p{post.id}">{escape(post.subject)}</a></h3>\n'
                f"    {self._buttons(post, topic, session, viewer)}\n"
                f'    <p class="author"><a class="unread" href="./viewtopic.php?p={post.id}#p{post.id}" title="{words["post"]}">'
                '<i class="icon fa-file fa-fw icon-lightgray icon-md" aria-hidden="true"></i><span class="sr-only">'
                f'{words["post"]}</span></a> <span class="responsive-hide">'
                f'<strong>{self._pages.author(post)}</strong> &raquo; </span>'
                f"{self._pages.time(post.posted, viewer)}</p>\n{self._queue(post, viewer)}"
                f'    <div class="content">{self.post_html(post, viewer)}</div>\n{removed or self._edit_notice(post, viewer)}'
                f"{self._signature(post, viewer)}   </div>\n  </div>\n"
                f'  <div class="back2top"><a href="#top" class="top" title="{words["top"]}">'
                f'<span class="sr-only">{words["top"]}</span></a></div>\n'
                " </div>\n</div>\n")

    def _old_post(self, post: Post, topic: Topic, session: Session, viewer: User | None, counts: Counter[int | None], index: int,
                  number: int, new: bool, first_new: bool) -> str:
        """A post of the 3.0 line: profile after the body, no exact time, the nick a script's link."""
        words = self._pages.words
        ignored = viewer is not None and post.author in viewer.foes
        nick = escape(self._board.author_nick(post))
        user = self._board.users.get(post.author or 0)
        colour = f' style="color: {COLOURS[user.group]};"' if user is not None and user.group in COLOURS else ""
        caption = f"{words['post']} #{number}" if self._pages.options.running_numbers else words["post"]
        body = (f'<div class="ignore">{words["ignored"].format(nick)}</div>' if ignored else
                f'{self._buttons(post, topic, session, viewer)}\n<p class="author">'
                f'<a href="./viewtopic.php?p={post.id}#p{post.id}"><img '
                f'src="./styles/prosilver/imageset/icon_post_target.gif" width="11" height="9" alt="{caption}" title="'
                f'{caption}" /></a> <strong>'
                f"<a rel=\"nofollow\" href=\"#postform\" onclick=\"insert_text('[b]{nick}[/b], '); return false;\"{colour}>"
                f"{nick}</a></strong> "
                f'&raquo; {self._pages.date(post.posted, viewer)} </p>\n{self._queue(post, viewer)}<div class="content">'
                f'{self.post_html(post, viewer)}</div>\n{self._edit_notice(post, viewer)}{self._signature(post, viewer)}')
        anchor = '<a name="unread"></a>' if first_new else ""
        joined = self._pages.date(user.registered, viewer, relative=False) if user else ""
        return (f'{anchor}<div id="p{post.id}" class="post bg{2 - index % 2}{" unreadpost" if new else ""}">\n<div class="inner">'
                f'<span class="corners-top"><span></span></span>\n<div class="postbody">\n{body}</div>\n'
                f'<dl class="postprofile" id="profile{post.id}"><dt>{self._pages.author(post)}</dt><dd>&nbsp;</dd><dd>'
                f'<strong>{words["posts"]}:'
                f'</strong> {counts[post.author]}</dd><dd><strong>{words["joined"]}:</strong> {joined}</dd></dl>\n'
                f'<div class="back2top"><a href="#wrap" class="top" title="{words["top"]}">{words["top"]}</a></div>'
                '<span class="corners-bottom"><span></span></span></div></div><hr class="divider" />\n')
