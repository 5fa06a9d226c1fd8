"""What reading a page costs against the bare selectolax work on the same page: parse, select the posts, take their text."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from selectolax.lexbor import LexborHTMLParser

from adapters.model import Page
from adapters.phpbb.pages import read_thread as read_phpbb
from adapters.ucoz.pages import read_thread as read_ucoz

SIZES = (10, 20, 141)
_NOW = datetime(2026, 3, 6, tzinfo=UTC)
_WORDS = (
    "Долго думать не стану, улик у нас хватает на двоих, и ночью кто-то ходил мимо аптеки. ",
    "Спорить не буду: вчера я писал то же самое, и никто не возразил, хотя спросить было о чём. ",
    "Пусть объяснит, почему молчал весь день и проснулся только под вечер, когда все уже решили. ",
)


def run() -> dict[str, float]:
    """Ratios "ucoz 20", "phpbb 141" and so on: the best of many paired runs."""
    found: dict[str, float] = {}
    for name, page, bare, read in (("ucoz", ucoz_page, _bare_ucoz, read_ucoz), ("phpbb", phpbb_page, _bare_phpbb, read_phpbb)):
        for size in SIZES:
            html = page(size)
            found[f"{name} {size}"] = round(
                _ratio(lambda h=html, b=bare: b(h), lambda h=html, r=read: _read(r, h), 2000 // size), 2
            )
    return found


def ucoz_page(size: int) -> str:
    """A page of the old default template."""
    rows = [
        f'<tr id="post{48000 + n}"><td class="postTdMain1"><table border="0" width="100%" cellspacing="1" cellpadding="2" class="postTable"><tr>'
        f'<td width="23%" class="postTdTop" align="center"><a class="postUser" href="javascript://" rel="nofollow" onclick="emoticon(\'[b]Ник{n}[/b],\','
        f'\'message\');return false;">Ник{n}</a></td><td class="postTdTop">Дата: Среда, 04.03.2026, 10:00 | Сообщение # <a class="postNumberLink" '
        f'href="javascript://" rel="nofollow" onclick="prompt(\'Прямая ссылка к сообщению\', \'http://klub.ucoz.ru/forum/12-345-1-16-{1772600000 + n}\'); '
        f'return false;">{n}</a></td></tr><tr><td class="postTdInfo" valign="top"><img class="userAvatar" title="Ник{n}" src="/avatar/00/{n}.jpg" '
        f'border="0"><div class="postRankName">Горожанин</div><div class="postRankIco"><img alt="" border="0" align="absmiddle" name="rankimg" '
        f'src="/.s/rnk/10/rank3.gif" title="Ранг 3" /></div><div class="postUserGroup">Группа: Пользователи</div><div class="numposts">Сообщений: '
        f'<span class="unp">{n}</span></div><div class="reputation">Репутация: <a class="repHistory" href="javascript://" onclick="new _uWnd(\'Rh\',\' \','
        f'-400,250,{{maxh:300}},{{url:\'/index/23-{n}\'}});return false;"><b><span class="repNums">{n}</span></b></a></div><div class="statusBlock">'
        f'Статус: <span class="statusOffline">Offline</span></div></td><td class="posttdMessage" valign="top"><span class="ucoz-forum-post" '
        f'id="ucoz-forum-post-{48000 + n}" edit-url="">{_message(n)}</span></td></tr><tr><td class="postBottom" align="center">&nbsp;</td>'
        f'<td class="postBottom"><table border="0" width="100%"><tr><td><a href="javascript://" onclick="window.open(\'/index/8-{n}\',\'up{n}\','
        f'\'scrollbars=1,top=0\');return false;"><img alt="" src="/.s/img/fr/bt/12/p_profile.gif" title="Профиль пользователя"></a></td></tr></table></td>'
        "</tr></table></td></tr>"
        for n in range(1, size + 1)
    ]
    return (
        "<!DOCTYPE html><html><head><title>Партия - Форум</title></head><body><ul class='switches'><li class='pagesInfo'>Страница "
        "<span class='curPage'>1</span> из <span class='numPages'>3</span></li></ul><table><tr><td class='forumNamesBar'><a class='forumBarA' href='/forum/12-345-1'>Партия</a></td></tr></table><table class='gTable'><tr><td class='gTableTop'>Партия</td></tr>"
        + "".join(rows)
        + "</table><form name='addform'></form></body></html>"
    )


def phpbb_page(size: int) -> str:
    """A page of prosilver 3.3."""
    posts = [
        f'<div id="p{n}" class="post has-profile bg2"><div class="inner"><dl class="postprofile" id="profile{n}"><dt class="no-profile-rank no-avatar">'
        f'<div class="avatar-container"></div><a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">Ник{n}</a></dt><dd class="profile-posts">'
        f'<strong>Сообщения:</strong> <a href="./search.php?author_id={n}&amp;sr=posts">12</a></dd><dd class="profile-joined"><strong>Зарегистрирован:'
        f'</strong> Вс янв 07, 2024 12:00 pm</dd></dl><div class="postbody"><div id="post_content{n}"><h3><a href="./viewtopic.php?p={n}#p{n}">Re: Партия'
        f'</a></h3><ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p={n}" title="Ответить с цитатой" class="button button-icon-only">'
        f'<i class="icon fa-quote-left fa-fw" aria-hidden="true"></i><span class="sr-only">Цитата</span></a></li></ul><p class="author"><a class="unread" '
        f'href="./viewtopic.php?p={n}#p{n}" title="Сообщение"><i class="icon fa-file fa-fw icon-lightgray icon-md" aria-hidden="true"></i></a> '
        f'<span class="responsive-hide"><strong><a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">Ник{n}</a></strong> &raquo; </span>'
        f'<time datetime="2026-03-14T17:00:07+00:00">Сб мар 14, 2026 8:00 pm</time></p><div class="content">{_message(n)}</div></div></div>'
        f'<div class="back2top"><a href="#top" class="top"><span class="sr-only">Вернуться к началу</span></a></div></div></div>'
        for n in range(1, size + 1)
    ]
    return (
        '<!DOCTYPE html><html><head><title>Партия</title></head><body><h2 class="topic-title"><a>Партия</a></h2><div class="action-bar">'
        '<div class="pagination">Страница <strong>1</strong> из <strong>3</strong></div></div>'
        + "".join(posts)
        + "</body></html>"
    )


def _message(n: int) -> str:
    """Chat, a vote now and then, a quotation now and then: what a day thread holds."""
    text = "<br>\n".join(_WORDS[(n + k) % 3] * 2 for k in range(1 + n % 3))
    if n % 3 == 0:
        text += f'<br>\n<span style="color:red">Виновен Ник{n + 1}</span>'
    if n % 5 == 0:
        text = f"<blockquote><div><cite>Ник{n - 1} писал(а):</cite>{_WORDS[0]}</div></blockquote>" + text
    return text


def _bare_ucoz(html: str) -> int:
    return sum(len(node.text()) for node in LexborHTMLParser(html).css('[id^="ucoz-forum-post-"]'))


def _bare_phpbb(html: str) -> int:
    return sum(len(node.text()) for node in LexborHTMLParser(html).css("div.post .content"))


def _read(read: Callable[..., Page], html: str) -> int:
    return len(read(html, fetched=_NOW, zone=UTC).posts)


def _ratio(bare: Callable[[], int], read: Callable[[], int], times: int) -> float:
    """Best time of ``read`` over best time of ``bare``; they take turns, so that a busy machine slows both."""
    best_bare = best_read = float("inf")
    for _ in range(max(times, 30)):
        start = time.perf_counter()
        bare()
        middle = time.perf_counter()
        read()
        end = time.perf_counter()
        best_bare, best_read = min(best_bare, middle - start), min(best_read, end - middle)
    return best_read / best_bare


if __name__ == "__main__":
    print(run())
