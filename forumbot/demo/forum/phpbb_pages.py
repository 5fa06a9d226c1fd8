"""The pages of the embedded phpBB board: shell, information pages, lists, pager."""

from __future__ import annotations

import re
from datetime import datetime
from html import escape

from forumbot.demo.forum.board import Board, Post, Section, Topic, User
from forumbot.demo.forum.phpbb_session import Session, Sessions
from forumbot.demo.forum.phpbb_words import PhpbbOptions, Words, php_date, zone_line
from forumbot.demo.forum.trouble import Troubles

COLOURS = {"admins": "#AA0000", "moderators": "#00AA00"}

_CSS = """
body{font:14px/1.5 Verdana,Helvetica,Arial,sans-serif;background:#f5f7fa;color:#333;margin:0}
a{color:#105289;text-decoration:none}a:hover{text-decoration:underline;color:#d31141}
.wrap,#wrap{max-width:1100px;margin:0 auto;padding:12px;background:#fff}
.headerbar{background:linear-gradient(#6aceff,#0076b1);color:#fff;border-radius:7px;padding:10px 18px}.headerbar h1{margin:0}
.headerbar p{margin:2px 0}.navbar{background:#cadceb;border-radius:7px;padding:4px 12px;margin:6px 0}
.linklist,.pagination ul,.topiclist{list-style:none;padding:0;margin:0}
.navbar li,.pagination li{display:inline-block;margin-right:10px}.rightside{float:right}
.badge{background:#d31141;color:#fff;border-radius:8px;padding:0 6px}.topic-title{margin:14px 0 6px}.action-bar{margin:8px 0}
.button,input[type=submit]{border:1px solid #c7c3bf;border-radius:4px;background:#f2f5f9;padding:3px 9px;font:13px Verdana}
.pagination{float:right;font-size:13px}
.pagination li.active span{background:#4692bf;color:#fff;border-radius:3px;padding:2px 8px}
.post,.panel,.forabg,.forumbg{background:#ecf3f7;border-radius:7px;padding:8px 12px;margin:6px 0;clear:both;overflow:hidden}
.bg1{background:#e1ebf2}.deleted{opacity:.75}
.postprofile{float:right;width:200px;margin:0;padding:6px 0 6px 14px;font-size:12px}.postprofile{border-left:1px solid #fff}
.postprofile dd{margin:0}.postbody{margin-right:230px}.postbody h3{margin:0;font-size:15px}
.username,.username-coloured{font-weight:bold}.author{font-size:12px;color:#777;margin:2px 0 8px}
.post-buttons{float:right;margin:0}.post-buttons li{display:inline-block;list-style:none;font-size:12px}
.content{min-height:3em}
blockquote{background:#ebeadd;margin:8px 0;padding:6px 12px;border-left:4px solid #b8b7a1;border-radius:4px}
blockquote cite{font-style:normal;font-weight:bold;display:block}
.codebox{background:#fff;border:1px solid #c9d2d8;padding:4px 10px}
.signature{border-top:1px solid #ccc;margin-top:14px;padding-top:4px}.signature,.notice{font-size:12px;color:#666}
.notice{margin-top:12px}.ignore,.rules{background:#fff3c9;padding:6px 10px}.error{color:#bc2a4d;font-weight:bold}
.row dl{margin:0;display:flex}.row{padding:6px 4px;border-top:1px solid #fff}.row dt{flex:1;margin:0}
.row dd{width:110px;font-size:12px;margin:0 6px}.row dd.lastpost{width:230px}.pm_unread a.topictitle{font-weight:bold}
.back2top{text-align:right;font-size:11px;clear:both}textarea{width:96%;font:14px/1.4 Verdana}.sr-only{font-size:12px}
.fields1 dl{display:flex}.fields1 dt{width:200px}.fields1 dd{margin:0}
"""


class Pages:
    """Draws the pages of one board."""

    def __init__(self, board: Board, options: PhpbbOptions, sessions: Sessions, troubles: Troubles) -> None:
        self.board = board
        self.options = options
        self.sessions = sessions
        self.troubles = troubles
        self.host = ""
        """The board's own address, as the request at hand names it."""
        self.words = Words(options.language)

    @property
    def old(self) -> bool:
        return self.options.version == "3.0"

    # Small parts

    def date(self, moment: datetime, viewer: User | None, relative: bool = True) -> str:
        """A printed date, in the viewer's zone and format."""
        shape = (viewer.date_format if viewer else None) or self.options.date_format
        zone = (viewer.zone if viewer else None) or self.board.zone
        return php_date(moment, shape, zone, self.options.language, self.board.clock.now(), relative)

    def nick(self, uid: int | None, name: str = "") -> str:
        """A user's name with its link; a removed account has neither link nor uid."""
        user = self.board.users.get(uid or 0)
        if user is None or user.removed:
            return f'<span class="username">{escape(name or (user.nick if user else ""))}</span>'
        colour = COLOURS.get(user.group)
        plain = "" if self.old else ' class="username"'
        look = f' style="color: {colour};" class="username-coloured"' if colour else plain
        return f'<a href="./memberlist.php?mode=viewprofile&amp;u={user.uid}"{look}>{escape(user.nick)}</a>'

    def author(self, post: Post) -> str:
        return self.nick(post.author, post.shown_as)

    def censored(self, text: str) -> str:
        """The text as the owner's list of words lets it be shown."""
        for word, shown in self.troubles.censored.items():
            text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", shown, text, flags=re.IGNORECASE)
        return text

    def forum_address(self, section: Section) -> str:
        return f"./viewforum.php?f={section.id}"

    def topic_address(self, topic: Topic, start: int = 0) -> str:
        place = f"f={topic.section}&amp;t={topic.id}" if self.old else f"t={topic.id}"
        return f"./viewtopic.php?{place}" + (f"&amp;start={start}" if start else "")

    def pager(self, count: str, address: str, total: int, size: int, start: int) -> str:
        """"13 сообщений • 1 2"; the active page is the one that holds ``start``."""
        pages = max(1, -(-total // size))
        page = start // size + 1
        words = self.words
        if pages == 1:
            return (f'<div class="pagination">{count} &bull; {words["page"]} <strong>1</strong> {words["of"]} <strong>1</strong>'
                    '</div>')
        if self.old:
            cells = [f"<strong>{n}</strong>" if n == page else f'<a href="{self._start(address, (n - 1) * size)}">{n}</a>'
                     for n in range(1, pages + 1)]
            return (f'<div class="pagination">{count} &bull; <a href="#" title="">{words["page"]} <strong>{page}</strong> '
                    f'{words["of"]} <strong>{pages}</strong></a> &bull; <span>{", ".join(cells)}</span></div>')
        shown = [n for n in range(1, pages + 1) if n in (1, pages) or abs(n - page) <= 2]
        parts, last = [], 0
        for n in shown:
            if n > last + 1:
                parts.append('<li class="ellipsis" role="separator"><span>…</span></li>')
            parts.append(f'<li class="active"><span>{n}</span></li>' if n == page else
                         f'<li><a class="button" href="{self._start(address, (n - 1) * size)}" role="button">{n}</a></li>')
            last = n
        return f'<div class="pagination">{count} <ul>{"".join(parts)}</ul></div>'

    def _start(self, address: str, start: int) -> str:
        return address + (f"&amp;start={start}" if start else "")

    # Whole pages

    def shell(self, title: str, body: str, session: Session, *, section: Section | None = None, head: str = "",
              kind: str = "viewtopic", messages: bool = True) -> str:
        """A whole page around the body."""
        viewer = self.sessions.user(session)
        unread = sum(not message.read for message in self.board.box(viewer.uid, "inbox")) if viewer and messages else 0
        name, words = escape(self.board.name), self.words
        front = f"({unread}) " if unread and not self.old else ""
        if viewer:
            badge = f'<strong class="badge">{unread}</strong>'
            links = "" if self.old else self._own_menu(viewer, session)
            links += (f'<li class="rightside"><a href="./ucp.php?i=pm&amp;folder=inbox"><span>{words["pm"]}</span> {badge}</a>'
                     '</li>'
                     f'<li class="rightside"><a href="./ucp.php?mode=logout&amp;sid={session.sid}">{words["logout"]} '
                     f"[ {escape(viewer.nick)} ]</a></li>")
        else:
            links = f'<li class="rightside"><a href="./ucp.php?mode=login">{words["login"]}</a></li>'
        crumb = (f' <a href="{self.forum_address(section)}" data-forum-id="{section.id}">{escape(section.name)}</a>'
                 if section else "")
        zone = zone_line((viewer.zone if viewer else None) or self.board.zone, self.board.clock.now(), self.options)
        if self.old:
            shown = f"{name} &bull; {escape(title)}"
            top = ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
                   '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
                   f'<html xmlns="http://www.w3.org/1999/xhtml" dir="ltr" lang="{self.options.language}">\n<head>'
                   '<meta http-equiv="content-type" content="text/html; charset=UTF-8" />')
            foot = f"{words['old_zone']}: {zone}"
        else:
            shown = f"{front}{escape(title)} - {name}"
            top = f'<!DOCTYPE html>\n<html dir="ltr" lang="{self.options.language}">\n<head>\n<meta charset="utf-8" />'
            foot = f'{words["zone"]}: <span title="{escape(self.board.zone)}">{zone}</span>'
        return (f"{top}<title>{shown}</title>\n{head}<style>{_CSS}</style>\n<!--\n\tphpBB style name: prosilver\n-->\n</head>\n"
                f'<body id="phpbb" class="nojs notouch section-{kind} ltr ">\n<div id="wrap" class="wrap">\n'
                f'<div id="page-header"><div class="headerbar" role="banner"><div class="inner"><h1>{name}</h1>'
                '<p>Форумные игры. <span style="color:red">Набор открыт!</span></p></div></div>\n'
                f'<div class="navbar" role="navigation"><ul id="nav-main" class="nav-main linklist">{links}</ul>'
                '<ul id="nav-breadcrumbs" class="linklist"><li class="breadcrumbs">'
                f'<a href="./index.php">{words["index"]}</a>{crumb}</li>'
                f'</ul></div></div>\n<div id="page-body" class="page-body" role="main">\n{body}\n</div>\n'
                '<div id="page-footer" class="page-footer" role="contentinfo"><div class="navbar"><ul id="nav-footer" '
                f'class="nav-footer linklist"><li class="rightside">{foot}</li><li>&nbsp;</li></ul></div>'
                '</div>\n</div>\n</body>\n</html>\n')

    def _own_menu(self, viewer: User, session: Session) -> str:
        """The viewer's own menu and that of his notifications, which stand above every page."""
        words = self.words
        rows = "".join(
            f'<li class="bg2"><a class="notification-block" href="./ucp.php?i=pm&amp;mode=view&amp;p={message.id}">'
            f'<div class="notification_text"><p class="notification-title"><strong>{words["notified"]}</strong> {words["from"]} '
            f'<span class="username">{escape(self.board.user(message.sender).nick)}</span>:</p><p class="notification-reference">'
            f'«{escape(self.censored(message.subject))}»</p><p class="notification-time">{self.date(message.sent, viewer)}</p>'
            "</div></a></li>"
            for message in self.board.box(viewer.uid, "inbox")[:5] if not message.read
        )  # fmt: skip
        return (f'<li id="username_logged_in" class="rightside" data-skip-responsive="true"><div class="header-profile '
                f'dropdown-container"><a href="./ucp.php" class="header-avatar dropdown-trigger"><span class="username">'
                f'{escape(viewer.nick)}</span></a><div class="dropdown"><ul class="dropdown-contents" role="menu"><li>'
                f'<a href="./memberlist.php?mode=viewprofile&amp;u={viewer.uid}" title="{words["own_profile"]}" role="menuitem">'
                f'<span>{words["own_profile"]}</span></a></li></ul></div></div></li>'
                '<li class="dropdown-container rightside"><a href="./ucp.php?i=ucp_notifications" id="notification_list_button" '
                'class="dropdown-trigger"><span>!</span></a><div id="notification_list" class="dropdown notification_list"><ul>'
                f'{rows}</ul></div></li>')

    def message(self, text: str, session: Session, onward: str = "", seconds: int = 0) -> str:
        """An information page: ``#message``, with links below its first paragraph."""
        head = f'<meta http-equiv="refresh" content="{seconds};url={onward}" />\n' if seconds else ""
        body = (f'<div class="panel" id="message"><div class="inner"><h2 class="message-title">{self.words["information"]}</h2>'
                f"<p>{text}</p></div></div>")
        return self.shell(self.words["information"], body, session, head=head, kind="message")

    def login(self, session: Session, title: str, redirect: str, error: str = "", captcha: bool = False) -> str:
        """The login form, on its own page or as a wall."""
        words = self.words
        code = (f'<dl><dt><label for="confirm_code">{words["confirm_code"]}:</label></dt><dd>'
                '<input type="hidden" name="confirm_id" '
                f'value="{session.sid[::-1]}" /><input type="text" name="confirm_code" id="confirm_code" value="" /></dd></dl>'
                ) if captcha else ""
        told = f'<div class="error">{error}</div>' if error else ""
        token = "" if self.old else self.sessions.token_fields(session, "login")
        doubled = '<input type="hidden" name="redirect" value="./ucp.php?mode=login" />\n'
        body = (f'<form action="./ucp.php?mode=login&amp;sid={session.sid}" method="post" id="login"><div class="panel">'
                '<div class="inner">'
                f'<div class="content"><h2 class="login-title">{title}</h2><fieldset class="fields1">{told}'
                f'<dl><dt><label for="username">{words["username"]}:</label></dt><dd>'
                '<input type="text" name="username" id="username" '
                f'value="" /></dd></dl><dl><dt><label for="password">{words["password"]}:</label></dt><dd><input type="password" '
                f'id="password" name="password" autocomplete="off" /></dd></dl>{code}<dl><dt>&nbsp;</dt><dd><label>'
                '<input type="checkbox" '
                f'name="autologin" id="autologin" /> {words["remember"]}</label></dd></dl>\n{doubled}{token}'
                f'<input type="hidden" name="sid" value="{session.sid}" />\n<input type="hidden" name="redirect" value="'
                f'{redirect}" />\n'
                f'<dl><dt>&nbsp;</dt><dd><input type="submit" name="login" tabindex="6" value="{words["login"]}" '
                'class="button1" /></dd>'
                "</dl></fieldset></div></div></div></form>")
        return self.shell(words["login"], body, session, kind="ucp")

    def forum_password(self, session: Session, section: Section) -> str:
        words = self.words
        body = (f'<form id="login_forum" method="post" action="{self.forum_address(section)}"><div class="panel"><h2>'
                f'{words["forum_password"]}</h2><input type="password" name="password" id="password" />'
                f'<input type="hidden" name="f" value="{section.id}" />{self.sessions.token_fields(session, "login_forum")}'
                f'<input type="submit" name="login" value="{words["login"]}" /></div></form>')
        return self.shell(words["login"], body, session)

    def confirm(self, session: Session, action: str, question: str, fields: str) -> str:
        """The form that asks once more."""
        words = self.words
        body = (f'<form id="confirm" action="{action}" method="post"><div class="panel"><div class="inner"><h2>{question}</h2>'
                '<fieldset>'
                f'{fields}<input type="hidden" name="confirm_uid" value="{session.uid}" />\n<input type="hidden" name="sess" '
                f'value="{session.sid}" />\n<input type="hidden" name="sid" value="{session.sid}" />\n<input type="submit" '
                'name="confirm" '
                f'value="{words["yes"]}" class="button2" /> <input type="submit" name="cancel" value="{words["no"]}" '
                'class="button2" />'
                "</fieldset></div></div></form>")
        return self.shell(words["information"], body, session)

    def index(self, session: Session, sections: list[Section]) -> str:
        viewer = self.sessions.user(session)
        rows = []
        for section in sections:
            topics = self.board.topics_in(section.id)
            posts = sum(len(self.board.visible_posts(topic.id)) for topic in topics)
            rows.append(f'<li class="row"><dl><dt><a href="{self.forum_address(section)}" class="forumtitle">'
                        f'{escape(section.name)}</a><br>'
                        f'{escape(section.description)}</dt><dd class="topics">{len(topics)}</dd><dd class="posts">{posts}</dd>'
                        f"{self._last(topics[0], viewer) if topics else '<dd class=lastpost>&nbsp;</dd>'}</dl></li>")
        body = f'<div class="forabg"><ul class="topiclist forums">{"".join(rows)}</ul></div>'
        return self.shell(self.words["index"], body, session, kind="index")

    def _sees(self, topic: Topic, viewer: User | None) -> bool:
        """Whether a topic has a post for this member: a visible one, or one of his own that waits."""
        own = viewer.uid if viewer is not None else None
        posts = self.board.all_posts(topic.id)
        return any(post.state == "visible" or (post.state == "waiting" and own and post.author == own) for post in posts)

    def _last_first(self, topic: Topic, viewer: User | None) -> str:
        """The line for narrow screens, which names the last poster before the author."""
        posts = self.board.visible_posts(topic.id)
        if self.old or not posts:
            return ""
        return (f'<div class="responsive-show" style="display: none;">{self.words["last_post"]} {self.author(posts[-1])} &laquo; '
                f'<a href="./viewtopic.php?p={posts[-1].id}#p{posts[-1].id}">{self.time(posts[-1].posted, viewer)}</a></div>')

    def _last(self, topic: Topic, viewer: User | None) -> str:
        posts = self.board.visible_posts(topic.id)
        if not posts:
            return '<dd class="lastpost">&nbsp;</dd>'
        last = posts[-1]
        place = f"f={topic.section}&amp;t={topic.id}&amp;" if self.old else ""
        where = (f"./viewtopic.php?{place}p="
                 f"{last.id}#p{last.id}")
        return (f'<dd class="lastpost"><span>{self.author(last)} <a href="{where}" title="">&raquo;</a><br />'
                f"{self.time(last.posted, viewer)}</span></dd>")

    def time(self, moment: datetime, viewer: User | None) -> str:
        """A post's time: exact in the element's attribute on 3.3, printed alone on 3.0."""
        printed = self.date(moment, viewer)
        return printed if self.old else f'<time datetime="{moment:%Y-%m-%dT%H:%M:%S}+00:00">{printed}</time>'

    def section(self, session: Session, section: Section, start: int, may_post: bool) -> str:
        viewer, words = self.sessions.user(session), self.words
        staff = viewer is not None and viewer.staff
        topics = [topic for topic in self.board.topics_in(section.id) if staff or self._sees(topic, viewer)]
        size = self.options.topics_per_page
        rows = [self._row(topic, viewer) for topic in topics[start : start + size]]
        new = (f'<a href="./posting.php?mode=post&amp;f={section.id}" class="button"><span>{words["new_topic"]}</span></a>'
               if may_post else "")
        pager = self.pager(f"{len(topics)}", self.forum_address(section), len(topics), size, start)
        listed = "".join(rows) or f'<li class="row">{words["no_topics"]}</li>'
        body = (f'<h2 class="forum-title"><a href="{self.forum_address(section)}">{escape(section.name)}</a></h2>'
                f'<div class="action-bar bar-top">{new}{pager}</div><div class="forumbg">'
                f'<ul class="topiclist topics">{listed}</ul></div>')
        head = ('<link rel="alternate" type="application/atom+xml" title="feed" href="'
                f'{self.feed_address(f"forum/{section.id}")}">\n')
        return self.shell(section.name, body, session, section=section, head=head if self.options.feeds else "", kind="viewforum")

    def found(self, session: Session, topics: list[Topic]) -> str:
        """The page of a search that lists topics."""
        viewer = self.sessions.user(session)
        rows = "".join(self._row(topic, viewer) for topic in topics[: self.options.topics_per_page])
        body = f'<div class="forumbg"><ul class="topiclist topics">{rows}</ul></div>' if rows else '<div class="panel">—</div>'
        return self.shell("Поиск", body, session, kind="search")

    def _row(self, topic: Topic, viewer: User | None) -> str:
        """A topic's line in a list."""
        posts = self.board.visible_posts(topic.id)
        icon = "topic_read_locked" if topic.locked else "sticky_read" if topic.sticky else "topic_read"
        return (f'<li class="row bg1"><dl class="row-item {icon}"><dt><div class="list-inner">'
                f'<a href="{self.topic_address(topic)}" '
                f'class="topictitle">{escape(self.censored(topic.title))}</a><br>{self._last_first(topic, viewer)}'
                f'<div class="topic-poster responsive-hide left-box">{self.nick(topic.author)} &raquo; '
                f'{self.time(topic.opened, viewer)}</div></div></dt><dd class="posts">{max(0, len(posts) - 1)}</dd>'
                f'<dd class="views">{topic.views}</dd>{self._last(topic, viewer)}</dl></li>')

    def feed_address(self, place: str) -> str:
        """Where the feed of a topic or forum is."""
        if self.old:
            kind, _, number = place.partition("/")
            return f"/feed.php?{kind[0]}={number}"
        return f"{'' if self.options.rewriting else '/app.php'}/feed/{place}"
