"""The Atom feed: the newest fifteen posts."""

from __future__ import annotations

from datetime import datetime
from html import escape
from zoneinfo import ZoneInfo

from forumbot.demo.forum.board import Topic, User
from forumbot.demo.forum.phpbb_pages import Pages
from forumbot.demo.forum.phpbb_thread import ThreadPages

NEWEST = 15


def feed(pages: Pages, threads: ThreadPages, topics: list[Topic], viewer: User | None, host: str) -> str:
    """The feed of these topics. ``updated`` is the time of a noticed edit; silent ones change the body alone."""
    board = pages.board
    shown = [post for topic in topics for post in board.visible_posts(topic.id)]
    posts = sorted(shown, key=lambda post: post.id, reverse=True)[:NEWEST]

    def stamp(moment: datetime) -> str:
        return moment.astimezone(ZoneInfo(board.zone)).isoformat(timespec="seconds")

    entries = []
    for post in posts:
        noticed = post.noticed
        updated = noticed[-1].at if noticed else post.posted
        uid = post.author
        nick = escape(board.author_nick(post))
        who = f'<a href="./memberlist.php?mode=viewprofile&amp;u={uid}">{nick}</a>' if uid is not None else nick
        tail = "" if pages.old else f"<p>{pages.words['statistics']} {who} — {pages.date(post.posted, viewer)}</p><hr />"
        address = f"{host}/viewtopic.php?p={post.id}#p{post.id}"
        topic = board.topic(post.topic)
        entries.append(
            f"<entry>\n<author><name><![CDATA[{board.author_nick(post)}]]></name></author>\n<updated>{stamp(updated)}</updated>\n"
            f"<published>{stamp(post.posted)}</published>\n<id>{address}</id>\n<link href=\"{address}\"/>\n"
            f"<title type=\"html\"><![CDATA[{board.sections[topic.section].name} • {post.subject or topic.title}]]></title>\n"
            f"<content type=\"html\" xml:base=\"{address}\"><![CDATA[\n{threads.post_html(post, viewer)}{tail}\n]]>"
            "</content>\n</entry>\n")
    newest = stamp(posts[0].posted if posts else board.clock.now())
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ru">\n<title>'
            f'{escape(board.name)}</title>\n'
            f"<link href=\"{host}/index.php\" />\n<updated>{newest}</updated>\n<id>{host}/app.php/feed</id>\n{''.join(entries)}"
            "</feed>\n")
