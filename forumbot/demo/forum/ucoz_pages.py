"""The pages of the embedded uCoz site: shell, dates, page switch and the three thread templates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from typing import ClassVar, Literal
from zoneinfo import ZoneInfo

from forumbot.demo.forum.board import Board, Group, Post, Section, Topic, User
from forumbot.demo.forum.ucoz_bbcode import quotation

Template = Literal["old", "new", "custom"]
DateShape = Literal["dmy", "dmys", "iso12", "long"]


@dataclass(frozen=True, slots=True)
class UcozOptions:
    """How the owner has set the site up. Durations are in seconds of the board's clock."""

    engine: ClassVar[str] = "ucoz"
    template: Template = "old"
    holder: Literal["span", "div"] = "span"
    per_page: int = 20
    topics_per_page: int = 30
    messages_per_page: int = 50
    """Private messages on a page of a box."""
    oldest_first: bool = False
    """The boxes begin with the oldest message."""
    dates: DateShape = "dmy"
    relative_days: bool = False
    """Сегодня and Вчера in place of the date."""
    permalink: Literal["onclick", "href", "none"] = "onclick"
    profile_icons: bool = True
    """Without them the old template tells no uid."""
    charset: Literal["utf-8", "cp1251"] = "utf-8"
    charset_in_header: bool = True
    switch: Literal["table", "list", "bare"] = "table"
    """``bare``: numbers as links without any class."""
    adverts: bool = False
    font_colours: bool = False
    go_links: bool = False
    new_login: bool = True
    """The newer login form: ``ajax=2`` and ``_tp_=xml``."""
    wall_status: Literal[200, 403] = 403
    flood_interval: float = 0.0
    login_captcha_after: int = 0
    """Failures of one account before its login asks for a code; 0: never."""
    pm_captcha: bool = False
    post_captcha: bool = False
    captcha_free: frozenset[str] = frozenset({"moderators", "admins"})
    """Groups that no code is asked of."""
    form_life: float = 7200.0
    session_life: float = 86400.0
    max_post: int = 60000
    html_ticked: bool = True
    """The box that makes HTML of a message is ticked in the forms of staff."""
    permalink_opens: bool = True
    """Whether the address of a post shows the page that holds it; else nothing is there."""
    poll: bool = False
    """A poll above the posts."""
    sent_folder: Literal["kept", "empty", "inbox", "missing"] = "kept"
    """What stands where the sent messages are looked for."""
    pm_rows: Literal["table", "scripts"] = "table"
    """``scripts``: messages are opened by scripts of buttons."""
    pm_body: Literal["cell", "block", "heading"] = "cell"
    """Where the words of a message stand; ``heading``: a block, below a head that spans the table."""
    post_form: str = "addform"
    """Name and id of the forms for writing."""
    edit_links: bool = True
    numbers_recounted: bool = True
    """Whether deleted posts leave no gap in the numbers."""
    moved_found: bool = True
    """Whether a topic is found by an address with the number of another section."""
    closed_form: bool = False
    """The form stands below a closed topic, too."""
    cut_long: bool = False
    """A longer post is cut to ``max_post`` and not refused."""
    password_width: int = 0
    """What the login form takes; 0: 32 characters, 15 in the old form."""
    login_commands: bool = True
    """The login answers with commands for a script; else with a bare word."""
    words: tuple[tuple[str, str], ...] = ()
    """Sentences of the site and what it says in their place."""
    site_id: str = "0klub-maski"
    gzip: bool = False


GROUPS: dict[Group, tuple[int, str]] = {
    "users": (1, "Пользователи"), "newcomers": (1, "Пользователи"), "trusted": (2, "Проверенные"),
    "moderators": (3, "Модераторы"), "admins": (4, "Администраторы"), "banned": (255, "Заблокированные"),
}
_WEEKDAYS = ("Понедельник", "Вторник", "Среда", "Четверг", "Пятница", "Суббота", "Воскресенье")
_MONTHS = ("Январь", "Февраль", "Март", "Апрель", "Май", "Июнь", "Июль", "Август", "Сентябрь", "Октябрь", "Ноябрь", "Декабрь")

_CSS = """
body{font:14px/1.5 Verdana,Arial,sans-serif;background:#dfe5ec;color:#222;margin:0 auto;padding:12px 20px;max-width:1080px}
a{color:#1d4f86;text-decoration:none}a:hover{text-decoration:underline}hr{border:0;border-top:1px solid #b8c4d2}
#userPanel{background:#24405f;color:#dfe9f4;padding:8px 14px;border-radius:6px;margin-bottom:8px}#userPanel a{color:#fff}
#userPanel form{display:inline}#userPanel input{margin:0 3px}
.gTable{width:100%;background:#b9c6d6;border-spacing:1px;margin:6px 0}
.gTableTop{background:#38618f;color:#fff;font-weight:bold;padding:7px 12px}.gTable td{background:#f6f8fb}
.gTable td.gTableTop{background:#38618f}.gTableSubTop{color:#567;font-size:12px;padding:3px 10px}
.threadNametd,.forumNametd{padding:8px 12px}
.threadPostTd,.threadViewTd,.forumThreadTd,.forumPostTd{text-align:center;width:70px}
.threadAuthTd{text-align:center;width:130px}.threadLastPostTd,.forumLastPostTd{width:230px;font-size:12px;padding:4px 8px}
.threadDescr,.forumDescr{color:#667;font-size:12px}.postTdTop{padding:4px 10px;background:#e3eaf2!important;font-size:12px}
.postUser{font-weight:bold;font-size:14px}.postTdInfo{width:170px;text-align:center;font-size:12px;padding:8px}
.posttdMessage,.msgBody{padding:12px 16px;vertical-align:top}.postBottom{padding:3px 10px;font-size:12px}
.bbQuoteBlock,.bbCodeBlock{margin:6px 0 8px 12px}
.quoteMessage,.codeMessage{background:#fffbe8;border:1px solid #d8cf9f!important;padding:6px 10px;border-radius:4px}
.edited{color:#778;font-size:11px;margin-top:10px}.signatureView{color:#667;font-size:12px}
.signatureHr{width:200px;margin:14px 0 4px;text-align:left}.switches{list-style:none;padding:0;margin:4px 0}
.switches li{display:inline-block;padding:2px 7px}
.switchActive{font-weight:bold;background:#38618f;color:#fff;border-radius:3px;padding:2px 7px}
.pagesInfo{color:#567;padding-right:8px}.switch{padding:2px 5px}.gTableError{color:#a00;font-weight:bold;padding:6px}
.forumNamesBar{padding:6px 0}.myWinCont{background:#fff;padding:20px;border-radius:6px}
.cpr{color:#789;font-size:12px;padding:8px}.post-card,.msgBox{display:flex;background:#fff;border-radius:6px}
.msgBox{display:block}.post-card-author{width:170px;padding:12px;text-align:center;font-size:12px;background:#eef2f7}
.post-card-body{flex:1;padding:10px 16px}
.post-card-head,.msgHead{color:#567;font-size:12px;border-bottom:1px solid #dde4ec;margin-bottom:8px}
.post-buttons{font-size:12px;margin-top:8px}textarea{width:98%;font:14px/1.4 Verdana,Arial,sans-serif}
.uSpoilerButton{margin:4px 0}.unread{color:#a00}.pmBody{padding:14px 18px}
.msgSide{float:right;font-size:12px;text-align:right;padding:0 10px}
"""


class Pages:
    """Draws pages of one board for one visitor at a time."""

    def __init__(self, board: Board, options: UcozOptions) -> None:
        self.board = board
        self.options = options

    def date(self, moment: datetime, viewer: User | None) -> str:
        """A printed date: weekday, date, time, in the viewer's or the site's zone."""
        zone = ZoneInfo((viewer.zone if viewer else None) or self.board.zone)
        local = moment.astimezone(zone)
        today = self.board.clock.now().astimezone(zone).date()
        shape = self.options.dates
        clock = {"dmy": f"{local:%H:%M}", "dmys": f"{local:%H:%M:%S}", "long": f"{local:%H:%M}",
                 "iso12": f"{int(local.strftime('%I'))}:{local:%M %p}"}[shape]
        day = {"dmy": f"{local:%d.%m.%Y}", "dmys": f"{local:%d.%m.%Y}", "iso12": f"{local:%Y-%m-%d}",
               "long": f"{local:%d} {_MONTHS[local.month - 1]} {local.year}"}[shape]
        if self.options.relative_days:
            day = {today: "Сегодня", today - timedelta(days=1): "Вчера"}.get(local.date(), day)
        return f"{_WEEKDAYS[local.weekday()]}, {day}, {clock}"

    def shell(self, title: str, body: str, viewer: User | None, ssid: str, *, panel: bool = True) -> str:
        """A whole page around the body; guests find the login form on top."""
        kind = ' class="module-forum"' if self.options.template == "new" else ""
        charset = {"utf-8": "UTF-8", "cp1251": "windows-1251"}[self.options.charset]
        return (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
            '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n'
            f'<html>\n<head>\n<meta http-equiv="content-type" content="text/html; charset={charset}">\n<title>{escape(title)}'
            '</title>\n'
            f"<style>{_CSS}</style>\n</head>\n<body{kind}>\n"
            '<script type="text/javascript">window.uCoz={"site":{"id":"' + self.options.site_id + '"},ssid:\'' + ssid + "'};"
            "function openCloseSpoiler(i){var "
            "t=document.getElementById(i).lastChild;t.style.display=t.style.display=='none'?'':'none'}"
            "function emoticon(s){var m=document.getElementById('message');if(m){m.value+=s;m.focus()}}</script>\n"
            f"{self._panel(viewer) if panel else ''}\n{body}\n"
            f'<hr><div align="center" class="cpr">{escape(self.board.name)} &copy; 2006-2026 | Хостинг от <a '
            'href="https://www.ucoz.ru/">uCoz</a></div>\n'
            "</body>\n</html>\n"
        )

    def _panel(self, viewer: User | None) -> str:
        if viewer is None:
            return f'<div id="userPanel">Приветствую Вас, <b>Гость</b> | {self.login_form()}</div>'
        unread = sum(not message.read for message in self.board.box(viewer.uid, "inbox"))
        return (f'<div id="userPanel">Вы вошли как <a href="/index/8"><b>{escape(viewer.nick)}</b>'
                f'</a> | Группа "<u>{GROUPS[viewer.group][1]}</u>" | '
                f'<a href="/index/14" title="Личные сообщения">ЛС ({unread})</a> | <a href="/forum/">Форум</a> | <a '
                'href="/index/10">Выход</a></div>')

    def login_form(self, captcha: bool = False, error: str = "") -> str:
        """The site's own login form, old or new."""
        ajax = (("ajax", "2"), ("_tp_", "xml")) if self.options.new_login else (("ajax", "1"),)
        tail = "".join(f'<input type="hidden" name="{name}" value="{value}" />' for name, value in ajax)
        code = '<div class="captcha-block">Код безопасности: <input type="text" name="code" size="5" /></div>' if captcha else ""
        width = self.options.password_width or (32 if self.options.new_login else 15)
        return (f'<form id="frmLg549812" action="/index/sub/" method="post"><span class="myWinError">{escape(error)}</span>'
                '<label>Логин: <input class="loginField" type="text" name="user" value="" size="16" maxlength="50" /></label>'
                f'<label>Пароль: <input class="loginField" type="password" name="password" size="12" maxlength="{width}" />'
                f'</label>{code}'
                '<input id="remA549" type="checkbox" name="rem" value="1" checked="checked" />'
                '<label for="remA549">запомнить</label> '
                '<input class="loginButton" name="sbm" type="submit" value="Вход" /><input type="hidden" name="a" value="2" />'
                f'{tail}<input type="hidden" name="rnd" value="812" /></form>')

    def notice(self, text: str) -> str:
        """A body that only says something."""
        return f'<div align="center" class="myWinCont"><b>{text}</b></div>'

    def navigation(self) -> str:
        links = (("/forum/0-0-1-34", "Новые сообщения"), ("/forum/0-0-1-35", "Участники"), ("/forum/0-0-0-36", "Правила форума"),
                 ("/forum/0-0-0-6", "Поиск"), ("/forum/0-0-0-37", "RSS"))
        shown = " &middot; ".join(f'<a class="fNavLink" href="{address}" rel="nofollow">{name}</a>' for address, name in links)
        return f'<div style="text-align:right;">[ {shown} ]</div>\n'

    def switch(self, stem: str, page: int, pages: int) -> str:
        """The page switch: "Страница 2 из 3" and the digits; a page past the end has no active digit."""
        if self.options.switch == "bare":
            return "".join(f' <a href="{stem}-{n}">{n}</a>' if n != page else f" <b>{n}</b>" for n in range(1, pages + 1))
        near = [n for n in range(1, pages + 1) if n in (1, pages) or abs(n - page) <= 3]
        cells = [("pagesInfo", f'Страница <span class="curPage">{page}</span> из <span class="numPages">{pages}</span>')]
        if pages > 1:
            if 1 < page <= pages:
                cells.append(("switch", f'<a class="switchBack" href="{stem}-{page - 1}" title="Предыдущая">&laquo;</a>'))
            last = 0
            for n in near:
                if n > last + 1:
                    cells.append(("switch", "&hellip;"))
                cells.append(("switchActive", str(n)) if n == page else ("switch", f'<a class="switchDigit" href="{stem}-{n}">'
                    f'{n}</a>'))
                last = n
            if page < pages:
                cells.append(("switch", f'<a class="switchNext" href="{stem}-{page + 1}" title="Следующая">&raquo;</a>'))
        else:
            cells.append(("switchActive", "1"))
        if self.options.switch == "list" or self.options.template != "old":
            items = "".join(f'<li class="{name}">{text}</li>' for name, text in cells)
            return f'<ul class="switches switchesTbl forum-pages">{items}</ul>'
        return ('<table border="0" cellpadding="0" cellspacing="0" class="switchesTbl"><tr>'
                + "".join(f'<td class="{c}">{t}</td>' for c, t in cells) + "</tr></table>")

    def crumbs(self, section: Section | None, topic: Topic | None = None) -> str:
        parts = [f'<a class="forumBar" href="/forum/">{escape(self.board.name)}</a>']
        if section is not None:
            parts.append(f'<a class="forumBar{"" if topic else "A"}" href="/forum/{section.id}">{escape(section.name)}</a>')
        if section is not None and topic is not None:
            parts.append(f'<a class="forumBarA" href="/forum/{section.id}-{topic.id}-1">{escape(topic.title)}</a>')
        return f'<td class="forumNamesBar breadcrumbs">{" &raquo; ".join(parts)}</td>'

    def index(self, sections: list[Section], viewer: User | None) -> str:
        rows = []
        for section in sections:
            topics = self.board.topics_in(section.id)
            posts = sum(len(self.board.visible_posts(topic.id)) for topic in topics)
            last = self._last_post(topics[0], viewer) if topics else "Нет сообщений"
            rows.append(f'<tr><td class="forumNametd"><a class="forum" href="/forum/{section.id}"><b>{escape(section.name)}</b>'
                        '</a>'
                        f'<div class="forumDescr">{escape(section.description)}</div></td>'
                        f'<td class="forumThreadTd">{len(topics)}</td>'
                        f'<td class="forumPostTd">{posts}</td><td class="forumLastPostTd">{last}</td></tr>')
        return (f'{self.navigation()}<table width="100%"><tr>{self.crumbs(None)}</tr></table><table class="gTable"><tr>'
                '<td class="gTableTop" colspan="4">'
                f'{escape(self.board.name)}</td></tr><tr><td class="gTableSubTop">Форум</td><td class="gTableSubTop">Темы</td>'
                '<td class="gTableSubTop">Ответы</td>'
                f'<td class="gTableSubTop">Обновления</td></tr>{"".join(rows)}</table>')

    def topic_list(self, section: Section, topics: list[Topic], page: int, viewer: User | None, may_open: bool) -> str:
        size = self.options.topics_per_page
        pages = max(1, -(-len(topics) // size))
        rows = []
        for topic in topics[(page - 1) * size : page * size]:
            posts = self.board.visible_posts(topic.id)
            inner = max(1, -(-len(posts) // self.options.per_page))
            stem = f"/forum/{section.id}-{topic.id}"
            links = "".join(f' <a class="postPSwithcesLink" href="{stem}-{n}">{n}</a>' for n in range(1, min(inner, 6) + 1))
            inside = f'<span class="postpSwithces">[{links} ]</span>' if inner > 1 else ""
            author = escape(self.board.user(topic.author).nick) if topic.author else "Гость"
            mark = "🔒 " if topic.locked else "📌 " if topic.sticky else ""
            rows.append(f'<tr><td class="threadNametd">{mark}<a class="threadLink" href="/forum/{section.id}-{topic.id}-1">'
                        f'{escape(topic.title)}</a>'
                        f'{inside}<div class="threadDescr">'
                        f'{escape(topic.description)}</div></td>'
                        f'<td class="threadPostTd">{max(0, len(posts) - 1)}</td><td class="threadViewTd">{topic.views}</td>'
                        f'<td class="threadAuthTd">{author}</td>'
                        f'<td class="threadLastPostTd">{self._last_post(topic, viewer)}</td></tr>')
        new = (f'<a href="/forum/{section.id}-0-0-1-1" rel="nofollow"><img alt="Новая тема" src="/.s/img/fr/bt/12/t_new.gif" '
               'title="Создать новую тему"></a>')
        body = "".join(rows) or '<tr><td colspan="5">В этом форуме ещё нет тем.</td></tr>'
        return (f'{self.navigation()}<table width="100%"><tr>{self.crumbs(section)}<td align="right">{new if may_open else ""}'
                '</td></tr></table>'
                f'{self.switch(f"/forum/{section.id}-0", page, pages)}<table class="gTable"><tr>'
                f'<td class="gTableTop" colspan="5">{escape(section.name)}'
                f'{" — Архив - только для чтения" if section.archive else ""}</td></tr>'
                '<tr><td class="gTableSubTop">Тема</td><td class="gTableSubTop">Ответы</td>'
                '<td class="gTableSubTop">Просмотры</td>'
                f'<td class="gTableSubTop">Автор темы</td><td class="gTableSubTop">Обновления</td></tr>{body}</table>')

    def _last_post(self, topic: Topic, viewer: User | None) -> str:
        posts = self.board.visible_posts(topic.id)
        if not posts:
            return "—"
        return (f'<a href="/forum/{topic.section}-{topic.id}-0-17-1" title="{escape(topic.title)}">'
                f'{self.date(posts[-1].posted, viewer)}</a><br>'
                f'Сообщение от: <b>{escape(self.board.author_nick(posts[-1]))}</b>')

    def icon(self, name: str, title: str) -> str:
        return f'<img alt="{title}" style="margin:0;padding:0;border:0;" src="/.s/img/fr/bt/12/{name}.gif" title="{title}">'


@dataclass(frozen=True, slots=True)
class Shown:
    """A post as one visitor gets it: ready HTML and what he may do with it."""

    post: Post
    number: int
    html: str
    signature: str
    permalink: str
    edit: str
    """Address of the edit form; empty without the right."""
    remove: str


class ThreadPages:
    """The thread's page in one of three templates."""

    def __init__(self, pages: Pages, host: str) -> None:
        self._pages = pages
        self._options = pages.options
        self._board = pages.board
        self._host = host

    def draw(self, topic: Topic, section: Section, shown: list[Shown], switch: str, viewer: User | None, form: str) -> str:
        counts = Counter(post.author for post in self._board.posts.values())
        one = {"old": self._old, "new": self._new, "custom": self._custom}[self._options.template]
        rows = []
        for index, item in enumerate(shown):
            rows.append(f'<tr id="post{item.post.id}"><td class="postTdMain{index % 2 + 1}">{one(item, viewer, counts)}</td>'
                        '</tr>\n')
            if self._options.adverts and index == 0:
                rows.append(_ADVERT)
        title = escape(topic.title)
        crumbs = self._pages.crumbs(section, topic)
        look = {"old": "gTable", "new": "gTable threadpage-posts-table", "custom": "gTable my-thread"}[self._options.template]
        newer = self._options.template == "new"
        head = f'<span class="forum-title">{title}</span>' if newer else f'<div class="gTableTopT"><b>{title}</b></div>'
        new = (f'<a href="/forum/{section.id}-0-0-1-1" rel="nofollow"><img alt="" src="/.s/img/fr/bt/12/t_new.gif" '
               'title="Создать новую тему"></a>'
               if viewer else "")
        state = "Архив - только для чтения" if section.archive else "Тема закрыта" if topic.locked else ""
        closed = f'<div class="threadClosed" align="right">{state}</div>' if state else ""
        body = (f'{self._pages.navigation()}<table border="0" class="ThrTopButtonsTbl" width="100%"><tr><td>{switch}</td>'
                f'<td align="right">{new}</td></tr></table>\n'
                f'<table border="0" width="100%" class="ThrForumBarTbl"><tr>{crumbs}</tr></table>{closed}\n'
                f'<div class="gDivLeft"><div class="gDivRight"><table class="{look}" border="0" width="100%" cellspacing="1" '
                'cellpadding="0">'
                f'{_POLL if self._options.poll else ""}'
                f'<tr><td class="gTableTop">{head}</td></tr>\n{"".join(rows)}</table></div></div><div class="gDivBottomLeft">'
                '</div>\n'
                f'<table border="0" width="100%" class="ThrBotTbl"><tr>{crumbs}</tr><tr><td>{switch}</td></tr></table>\n{form}')
        return f'<div class="threadpage-layout"><div class="forumContent">{body}</div></div>' if newer else body

    def _message(self, item: Shown, viewer: User | None) -> str:
        """The message in its holder, then what the engine hangs below it."""
        tag = self._options.holder
        post = item.post
        parts = [f'<{tag} class="ucoz-forum-post" id="ucoz-forum-post-{post.id}" edit-url="{item.edit}">{item.html}</{tag}>']
        if post.attachments:
            names = "".join(f'<a class="link" href="/_fr/0/{escape(name)}">{escape(name)}</a>' for name in post.attachments)
            parts.append(f'<div class="eAttach">Прикрепления: {names}</div>')
        if item.signature:
            parts.append(f'<br /><br /><hr size="1" class="signatureHr"><{tag} class="signatureView">{item.signature}</{tag}>')
        if len(post.versions) > 1:
            last = post.versions[-1]
            editor = self._board.user(last.by) if last.by is not None else None
            verb = "отредактировала" if editor is not None and editor.female else "отредактировал"
            nick = escape(editor.nick if editor else "Гость")
            parts.append(f'<div class="edited">Сообщение {verb} <span class="editedBy">{nick}</span> - '
                         f'<span class="editedTime">{self._pages.date(last.at, viewer)}</span></div>')
        elif post.approved_by is not None:
            parts.append('<div class="edited">Сообщение активировал <span class="editedBy">'
                         f'{escape(self._board.user(post.approved_by).nick)}</span></div>')
        return "".join(parts)

    def _number(self, item: Shown) -> str:
        where = f"{self._host}{item.permalink}"
        if self._options.permalink == "none":
            return f"<span>{item.number}</span>"
        if self._options.permalink == "href":
            return f'<a class="postNumberLink" href="{item.permalink}" rel="nofollow">{item.number}</a>'
        return ('<a class="postNumberLink" href="javascript://" rel="nofollow" '
                f"onclick=\"prompt('Прямая ссылка к сообщению', '{where}'); return false;\">{item.number}</a>")

    def _buttons(self, item: Shown, viewer: User | None) -> str:
        uid = item.post.author
        parts = []
        if uid is not None and self._options.profile_icons:
            parts.append(self._window(f"/index/8-{uid}", self._pages.icon("p_profile", "Профиль пользователя")))
            if viewer:
                parts.append(self._window(f"/index/14-{uid}-0-1", self._pages.icon("p_pm", "Личное сообщение")))
        if viewer:
            quote = escape(quotation(self._board.author_nick(item.post), item.post.id, item.post.text))
            parts.append(f' <a href="javascript://" data-quote="{quote}" onclick="emoticon(this.dataset.quote);return false;">'
                         f'{self._pages.icon("p_quote", "Цитата")}</a>')
        if item.edit:
            parts.append(f' <a href="{item.edit}">{self._pages.icon("p_edit", "Редактировать")}</a>')
        if item.remove:
            parts.append(f' <a href="{item.remove}">{self._pages.icon("p_del", "Удалить")}</a>')
        return "".join(parts)

    def _window(self, address: str, icon: str) -> str:
        """A link of the icon bar; the old template opens a window by script."""
        if self._options.template != "old":
            return f'<a href="{address}">{icon}</a> '
        return ('<a href="javascript://" rel="nofollow" '
                f'onclick="window.open(\'{address}\',\'up\',\'scrollbars=1,top=0,left=0,resizable=1,'
                f'width=700,height=375\');return false;">{icon}</a> ')

    def _nick(self, item: Shown) -> str:
        return escape(self._board.author_nick(item.post))

    def _insert(self, item: Shown) -> str:
        nick = self._nick(item).replace("'", "\\&#039;")
        return f"href=\"javascript://\" rel=\"nofollow\" onclick=\"emoticon('[b]{nick}[/b],','message');return false;\""

    def _info(self, item: Shown, counts: Counter[int | None]) -> str:
        uid = item.post.author
        if uid is None:
            return '<div class="postUserGroup">Группа: Гости</div>'
        user = self._board.user(uid)
        rank = "Ведущий" if user.staff else "Горожанин"
        return (f'<img class="userAvatar" title="{escape(user.nick)}" src="/avatar/00/{uid}.svg" width="80" height="80" '
                f'border="0"><div class="postRankName">{rank}</div>'
                f'<div class="postUserGroup">Группа: {GROUPS[user.group][1]}</div>'
                f'<div class="numposts">Сообщений: <span class="unp">{counts[uid]}</span></div>'
                f'<div class="reputation">Репутация: <b><span class="repNums">{uid % 17}</span></b></div>'
                '<div class="statusBlock">Статус: <span class="statusOffline">Offline</span></div>')

    def _old(self, item: Shown, viewer: User | None, counts: Counter[int | None]) -> str:
        return ('\n<table border="0" width="100%" cellspacing="1" cellpadding="2" class="postTable"><tr>'
                '<td width="23%" class="postTdTop" align="center">'
                f'<a class="postUser" {self._insert(item)}>{self._nick(item)}</a></td>'
                f'<td class="postTdTop">Дата: {self._pages.date(item.post.posted, viewer)} | '
                f'Сообщение # {self._number(item)}</td></tr>\n<tr><td class="postTdInfo" valign="top">'
                f'{self._info(item, counts)}</td>\n'
                f'<td class="posttdMessage" valign="top">{self._message(item, viewer)}</td></tr>\n'
                f'<tr><td class="postBottom" align="center">&nbsp;</td><td class="postBottom">{self._buttons(item, viewer)}'
                ' <a class="goOnTop" href="javascript:scroll(0,0);">Вверх</a></td></tr>\n</table>')

    def _new(self, item: Shown, viewer: User | None, counts: Counter[int | None]) -> str:
        profile = f'href="/index/8-{item.post.author}"' if item.post.author is not None else self._insert(item)
        return ('<div class="post-card"><div class="post-card-author">'
                f'<a class="pusername postUser" {profile}>{self._nick(item)}</a>{self._info(item, counts)}</div>'
                '<div class="post-card-body"><div class="post-card-head">'
                f'<!--<s5214>-->Дата<!--</s>-->: {self._pages.date(item.post.posted, viewer)} | '
                f'<!--<s5216>-->Сообщение<!--</s>--> # {self._number(item)}</div>'
                f'<div class="posttdMessage">{self._message(item, viewer)}</div>'
                f'<div class="post-buttons">{self._buttons(item, viewer)}</div></div></div>')

    def _custom(self, item: Shown, viewer: User | None, counts: Counter[int | None]) -> str:
        user = self._board.users.get(item.post.author or 0)
        nick = f'<span style="color:red">{self._nick(item)}</span>' if user is not None and user.staff else self._nick(item)
        return (f'<div class="msgBox"><div class="msgHead"><div class="postTdTop2"><center><a {self._insert(item)}>{nick}</a>'
                '</center></div>'
                f'<span style="text-shadow:0 0 3px #900;color:#f00;">{self._pages.date(item.post.posted, viewer)} | Сообщение '
                f'# {self._number(item)}</span></div>'
                f'<div class="msgSide"><b style="color:#ff0000">{"Ведущий" if user is not None and user.staff else "Житель"}'
                '</b><br>'
                f'Сообщений: {counts[item.post.author]}</div><div class="msgBody">{self._message(item, viewer)}</div>'
                f'<div class="msgFoot">{self._buttons(item, viewer)}</div></div>')


_POLL = ('<tr><td class="postTdMain1"><table class="postTable"><tr><td>Опрос: <b style="color:red">Виновен Борис</b></td></tr>'
         '<tr><td><input type="radio" name="poll" value="1"> за</td></tr></table></td></tr>')
_ADVERT = ('<tr><td class="postTdMain1 reklama"><table class="postTable" width="100%"><tr><td class="postTdTop" align="center">'
           '<a class="postUser" '
           'href="http://example.com/">Реклама</a></td><td class="postTdTop">Дата: всегда | Акция # 1</td></tr><tr>'
           '<td colspan="2"><div id="ad_77">'
           '<span style="color:red"><b>Виновен тот, кто не купил диван!</b></span></div>'
           '<script type="text/javascript">(function(w){w.adq=w.adq||[];'
           "w.adq.push(\"<table class='postTable'><tr><td>x</td></tr></table>\");})(window);</script></td></tr></table></td>"
           "</tr>\n")
