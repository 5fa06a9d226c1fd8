"""uCoz thread pages in the shapes that sites were seen to have, all invented here, besides the agreed ones of tests/pages."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adapters.errors import NoThread
from adapters.markup import highlights, own_text
from adapters.model import Page, Post
from adapters.ucoz.pages import read_thread
from adapters.webpage import decode
from forumbot.cli.read_page import as_record

MOSCOW = ZoneInfo("Europe/Moscow")
FETCHED = datetime(2026, 3, 6, 0, 1, tzinfo=MOSCOW)
AGREED = Path(__file__).parents[2] / "pages" / "ucoz"
FOOT = "<form name='addform' action='/forum/'><textarea name=message></textarea></form></body></html>"
HEAD = (
    "<html><head><title>Игра - Страница 2 - Форум</title></head><body>"
    "<div><a href='/index/8'>Я</a> <a href='/index/10'>Выход</a> <a href='/index/8-999'>модератор раздела</a></div>"
    "<td class='forumNamesBar'><a class='forumBar' href='/forum/'>Ф</a> » <a class='forumBarA' href='/forum/1-2-1'>Игра &amp; суд</a></td>"
)


def read(html: str, **overrides: str) -> Page:
    return read_thread(html, fetched=FETCHED, zone=MOSCOW, overrides=overrides)


def old_row(
    pid: int,
    message: str,
    *,
    nick: str = "Анна",
    uid: int | None = 5,
    number: str = "1",
    date: str = "Среда, 04.03.2026, 19:20",
    stamp: int | None = None,
    after: str = "",
    holder: str = "span",
    info: str = "Сообщений: 12",
) -> str:
    link = (
        f"<a class='postNumberLink' href='#' onclick=\"prompt('','http://x.ru/forum/1-2-3-16-{stamp}')\">{number}</a>"
        if stamp
        else number
    )
    icon = f"<a href=\"javascript:window.open('/index/8-{uid}')\">профиль</a>" if uid else ""
    return (
        f"<tr id=post{pid}><td class=postTdMain1><table class=postTable><tr><td class=postTdTop><a class='postUser' href='#'>{nick}</a></td>"
        f"<td class=postTdTop>Дата: {date} | Сообщение # {link}</td></tr><tr><td class=postTdInfo>{info}</td>"
        f"<td class=posttdMessage><{holder} class='ucoz-forum-post' id='ucoz-forum-post-{pid}'>{message}</{holder}>{after}</td></tr>"
        f"<tr><td class=postBottom></td><td class=postBottom>{icon}</td></tr></table></td></tr>"
    )


def old_page(*rows: str) -> str:
    return HEAD + "<table class=gTable><tr><td class=gTableTop>Игра</td></tr>" + "".join(rows) + "</table>" + FOOT


def one(message: str, **more: object) -> Post:
    (post,) = read(old_page(old_row(7, message, **more))).posts  # type: ignore[arg-type]
    return post


def new_card(pid: int, message: str, *, nick: str = "Борис", uid: int | None = 6, after: str = "", number: str = "3") -> str:
    name = f'<a class="pusername postUser" href="/index/8-{uid}">{nick}</a>' if uid else f'<span class="postUser">{nick}</span>'
    return (
        f'<div class="post-card"><div class="post-author">{name}<div class="postUserGroup">Группа: Друзья</div></div>'
        f'<div class="post-message"><div class="post-head"><!--<s5213>-->Дата<!--</s>-->: Среда, 04.03.2026, 19:20 | '
        f'<!--<s5216>-->Сообщение<!--</s>--> # <a class="postNumberLink" href="/forum/1-2-3-16-1772641207">{number}</a></div>'
        f'<div class="ucoz-forum-post" id="ucoz-forum-post-{pid}">{message}</div>{after}</div>'
        f'<div class="post-buttons"><a href="/index/14-6-0-1">ЛС</a></div></div>'
    )


def new_page(*cards: str) -> str:
    return (
        '<!DOCTYPE html><html><head><title>Игра</title></head><body class="module-forum"><div class="threadpage-layout forumContent">'
        '<ul class="switches"><li class="pagesInfo">Страница 1 из 3</li></ul><table class="gTable threadpage-posts-table">'
        '<tr><td class="gTableTop"><div class="forum-title">Новая игра</div></td></tr><tr><td>'
        + "".join(cards)
        + '</td></tr></table><ul class="switches"><li class="switchActive">1</li></ul></div></body></html>'
    )


@pytest.mark.parametrize("page", sorted(AGREED.glob("*.html")), ids=lambda path: path.stem)
def test_agreed_page_is_read_right(page: Path) -> None:
    want = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    html = decode(page.read_bytes())
    if want["kind"] == "not_a_thread":
        with pytest.raises(NoThread) as refused:
            read(html)
        assert refused.value.reason == want["reason"]
        return
    got = as_record(read_thread(html, fetched=datetime.fromisoformat(want["fetched_at"]), zone=MOSCOW))
    assert (got["page"], got["pages"], got["title"]) == (want["page"], want["pages"], want["title"])
    assert len(got["posts"]) == len(want["posts"])
    for read_post, right in zip(got["posts"], want["posts"], strict=True):
        assert datetime.fromisoformat(read_post.pop("datetime")) == datetime.fromisoformat(right["datetime_iso"])
        assert read_post == {key: right[key] for key in read_post}


def test_new_template_with_div_holders_and_comments_around_words() -> None:
    page = read(
        new_page(
            new_card(11, 'Голос: <span style="color:red">Анна</span>'), new_card(12, "нет", nick="Гость", uid=None, number="4")
        )
    )
    first, second = page.posts
    assert (first.id, first.author, first.author_uid, first.number, first.exact) == (11, "Борис", 6, 3, True)
    assert first.posted == datetime(2026, 3, 4, 16, 20, 7, tzinfo=UTC)
    assert highlights(first.runs) == (("red", "#ff0000", "Анна"),)
    assert (second.author, second.author_uid, second.number) == ("Гость", None, 4)
    assert (page.page, page.pages, page.title) == (1, 3, "Новая игра")


def test_mobile_template() -> None:
    html = (
        "<html><body><div class=pda><div>[ # 31 ] <a href='/index/8-17'>Вера</a> <b>Игрок</b> 04.03.2026 в 19:20</div>"
        "<div id=frmmsg501>да <font color=blue>Глеб</font></div></div><div class=pda><div>[ # 32 ] <a href='/index/8-18'>Глеб</a> "
        "05.03.2026 в 10:00</div><div id=frmmsg502>нет</div></div></body></html>"
    )
    first, second = read(html).posts
    assert (first.id, first.author, first.author_uid, first.number) == (501, "Вера", 17, 31)
    assert first.posted == datetime(2026, 3, 4, 19, 20, tzinfo=MOSCOW)
    assert not first.exact
    assert highlights(first.runs) == (("blue", "#0000ff", "Глеб"),)
    assert (second.author, own_text(second.runs)) == ("Глеб", "нет")


def test_mobile_page_without_an_element_for_each_post() -> None:
    html = (
        "<html><body><div id=content>"
        "<div class=h>[ # 31 ] <a href='/index/8-17'>Вера</a> Среда, 04.03.2026 в 19:20</div><div id=frmmsg501>да</div>"
        "<div class=edited>Сообщение отредактировал <span class=editedBy>Вера</span></div><hr>"
        "[ # 32 ] <a href='/index/8-18'>Глеб</a> <b>(мод)</b> Вчера в 10:00<br><div id=frmmsg502>нет <font color=red>Вера</font></div><hr>"
        "<div class=h>[ # 1 033 ] <b class=postUser>Гость</b> 05.03.2026 в 11:00</div><div id=frmmsg503>и я</div><hr><form name=addform></form>"
        "</div></body></html>"
    )
    posts = read(html).posts
    assert [(one.author, one.author_uid, one.number, one.edited) for one in posts] == [
        ("Вера", 17, 31, True),
        ("Глеб", 18, 32, False),
        ("Гость", None, 1033, False),
    ]
    assert [own_text(one.runs) for one in posts] == ["да", "нет Вера", "и я"]
    assert posts[1].posted == datetime(2026, 3, 5, 10, 0, tzinfo=MOSCOW)


@pytest.mark.parametrize(
    "head",
    [
        "<a href='/index/8-17'>Вера</a> <b>Игрок #1</b> [ # 31 ] 04.03.2026 в 19:20",
        "<i>№ 2 в списке</i> [ <b>#</b> 31 ] <a href='/pda/index/8-17'>Вера</a> 04.03.2026 в 19:20",
        "<b>Игрок #1</b> <a href='http://klub.ucoz.ru/pda/index/8-17'>Вера</a> | Сообщение # 31 | 04.03.2026 в 19:20",
    ],
)
def test_a10_a_mobile_pages_number_is_the_posts_own(head: str) -> None:
    html = f"<html><body><div><div>{head}</div><div id=frmmsg501>да</div></div><div>x<div id=frmmsg502>нет</div></div></body></html>"
    first = read(html).posts[0]
    assert (first.number, first.author, first.author_uid) == (31, "Вера", 17)
    assert first.posted == datetime(2026, 3, 4, 19, 20, tzinfo=MOSCOW)


def test_post_spread_over_rows_of_one_table() -> None:
    html = (
        "<html><body><table class=gTable>"
        + "".join(
            f"<tr><td class=postTdTop><a class=postUser href='#'>Ник{n}</a></td><td>Дата: 04.03.2026, 19:2{n} | Сообщение # {n}</td></tr>"
            f"<tr><td>инфо</td><td class=posttdMessage><span id=ucoz-forum-post-{n}>текст {n}</span></td></tr>"
            f"<tr><td colspan=2><a href='/index/8-{n}0'>профиль</a></td></tr>"
            for n in (1, 2)
        )
        + "</table></body></html>"
    )
    assert [(one.author, one.author_uid, one.number, own_text(one.runs)) for one in read(html).posts] == [
        ("Ник1", 10, 1, "текст 1"),
        ("Ник2", 20, 2, "текст 2"),
    ]


@pytest.mark.parametrize("holder", ["span", "div"])
def test_wrong_nesting_throws_nothing_out_of_the_message(holder: str) -> None:
    post = one(
        '<b>a<span style="color:red">b</b>c</span> d<br>e',
        holder=holder,
        after="<hr class='signatureHr'><span class='signatureView'>s</span>",
    )
    assert own_text(post.runs) == "abc d\ne"
    assert highlights(post.runs) == (("red", "#ff0000", "b"),)


def test_font_is_opened_again_behind_a_wrong_end_tag() -> None:
    assert highlights(one("<b>a<font color=red>b</b>c</font> d").runs) == (("red", "#ff0000", "bc"),)


def test_crossed_alignment_and_colour_keep_signature_out() -> None:
    post = one(
        '<div align="center"><span style="color:blue">Вера</div> хвост</span>',
        after='<hr class="signatureHr"><span class="signatureView">подпись</span><div class="edited">Сообщение отредактировал Анна - 1</div>',
    )
    assert own_text(post.runs) == "Вера\nхвост"
    assert post.edited
    assert post.edited_by == "Анна"


def test_unclosed_colour_ends_with_the_message() -> None:
    first, second = read(old_page(old_row(1, "<font color=red>Борис"), old_row(2, "спокойно"))).posts
    assert highlights(first.runs) == (("red", "#ff0000", "Борис"),)
    assert highlights(second.runs) == ()


def test_owners_blocks_behind_the_message_are_no_words() -> None:
    post = one("слово", after='<div class="advert"><span style="color:red">Купи диван</span></div><div class="likes">+5</div>')
    assert own_text(post.runs) == "слово"


@pytest.mark.parametrize(
    "quote",
    [
        '<!--uzquote--><div class="bbQuoteBlock"><div class="bbQuoteName"><b>Цитата</b> <span class="qName"><!--qn-->Вера<!--/qn--></span></div>'
        '<div class="quoteMessage"><!--uzq-->{}<!--/uzq--></div></div><!--/uzquote-->',
        '<div class="bbQuoteBlock"><div class="bbQuoteName"><b>Цитата (Вера)</b></div><div class="quoteMessage">{}</div></div>',
        '<div class="bbQuoteBlock"><div class="quoteMessage"><div class="bbQuoteBlock"><div class="quoteMessage">{}</div></div>{}</div></div>',
    ],
)
def test_quoted_words_are_not_the_authors(quote: str) -> None:
    post = one("до" + quote.replace("{}", '<span style="color:red">Виновен Глеб</span>') + '<span style="color:red">Вера</span>')
    assert highlights(post.runs) == (("red", "#ff0000", "Вера"),)
    assert own_text(post.runs) == "до\nВера"


def test_spoiler_is_read_and_code_is_no_vote() -> None:
    post = one(
        '<!--uSpoiler--><div class="uSpoilerClosed" id="uSpoilerAbC"><div class="uSpoilerButBl"><input type="button" class="uSpoilerButton" '
        'value="[+] Тайна"></div><div class="uSpoilerText" style="display:none;"><!--ust--><span style="color:red">Борис</span><!--/ust-->'
        "<!--usn(=Тайна)--></div></div><!--/uSpoiler-->"
        '<div class="bbCodeBlock"><div class="bbCodeName"><b>Код</b></div><div class="codeMessage">[color=red]Глеб[/color]</div></div>'
    )
    assert highlights(post.runs) == (("red", "#ff0000", "Борис"),)
    assert own_text(post.runs) == "Борис\n[color=red]Глеб[/color]"


def test_hidden_text_is_read_when_shown_and_reported_when_not() -> None:
    shown = one('<!--BBhide--><span class="UhideBlock">тайна</span><!--/BBhide-->')
    hidden = one('а <!--BBhide--><span class="UhideBlockL">Войдите, чтобы увидеть</span><!--/BBhide--> б')
    assert (own_text(shown.runs), shown.problems) == ("тайна", ())
    assert "hidden_text" in hidden.problems
    assert own_text(hidden.runs) == "а б"


@pytest.mark.parametrize("text", ["1 024", "1\xa0024", "1,024", "1.024", "1\u202f024", "1’024"])
@pytest.mark.parametrize("stamp", [None, 1772641207])
def test_number_with_a_thousands_separator(text: str, stamp: int | None) -> None:
    assert one("х", number=text, stamp=stamp).number == 1024


@pytest.mark.parametrize(
    ("printed", "moment"),
    [
        ("Четверг, 25.11.2010, 21:56", (2010, 11, 25, 21, 56, 0)),
        ("Пятница, 04.06.2010, 15:34:43", (2010, 6, 4, 15, 34, 43)),
        ("Пятница, 2007-01-12, 5:29 PM", (2007, 1, 12, 17, 29, 0)),
        ("Пятница, 2007-01-12, 12:05 AM", (2007, 1, 12, 0, 5, 0)),
        ("Воскресенье, 07 Май 2017, 12:33", (2017, 5, 7, 12, 33, 0)),
        ("Воскресенье, 7 марта 2017, 12:33", (2017, 3, 7, 12, 33, 0)),
        ("Thursday, 2025-11-13, 9:05 PM", (2025, 11, 13, 21, 5, 0)),
        ("Сегодня, 00:00", (2026, 3, 6, 0, 0, 0)),
        ("Четверг, Вчера, 23:58", (2026, 3, 5, 23, 58, 0)),
        ("вчера, 0:10", (2026, 3, 5, 0, 10, 0)),
    ],
)
def test_printed_dates(printed: str, moment: tuple[int, ...]) -> None:
    post = one("х", date=printed)
    assert post.posted == datetime(*moment, tzinfo=MOSCOW)  # type: ignore[misc,arg-type]
    assert not post.exact


def test_day_words_count_from_the_fetch_in_the_pages_zone_not_the_machines() -> None:
    page = read_thread(
        old_page(old_row(7, "х", date="Сегодня, 23:58"), old_row(8, "х", date="Вчера, 00:10")),
        fetched=datetime(2026, 3, 5, 21, 1, tzinfo=UTC),
        zone=MOSCOW,
    )
    assert [post.posted for post in page.posts] == [
        datetime(2026, 3, 6, 23, 58, tzinfo=MOSCOW),
        datetime(2026, 3, 5, 0, 10, tzinfo=MOSCOW),
    ]


def test_registration_date_in_the_profile_is_not_the_posts_time() -> None:
    post = one("х", info="Регистрация: 12.05.2009<br>Сообщений: 5", date="Среда, 04.03.2026, 19:20")
    assert post.posted == datetime(2026, 3, 4, 19, 20, tzinfo=MOSCOW)


@pytest.mark.parametrize(
    ("notice", "edited", "by"),
    [
        (
            '<div class="edited">Сообщение отредактировал <span class="editedBy">Вера</span> - <span class="editedTime">1</span></div>',
            True,
            "Вера",
        ),
        ('<div class="edited">Сообщение отредактировала Вера - Среда, 11.03.2026, 09:02</div>', True, "Вера"),
        ('<div class="edited">Сообщение отредактировал Барон - Кактус - Среда, 11.03.2026, 09:02</div>', True, "Барон - Кактус"),
        ("<div class='small'>Сообщение отредактировал Вера - Среда, 11.03.2026, 09:02</div>", True, "Вера"),
        ('<div class="edited">Message edited by <span class="editedBy">Вера</span></div>', True, "Вера"),
        ('<div class="edited">Сообщение активировал <span class="editedBy">Страж</span> - 1</div>', False, None),
        (
            '<hr class="signatureHr"><div class="signatureView">Сообщение отредактировал я<div class="edited">да</div></div>',
            False,
            None,
        ),
        ("", False, None),
    ],
)
def test_edited_notices(notice: str, edited: bool, by: str | None) -> None:
    post = one("Сообщение отредактировал Глеб - вчера", after=notice)
    assert (post.edited, post.edited_by) == (edited, by)
    assert own_text(post.runs) == "Сообщение отредактировал Глеб - вчера"


def test_uid_is_not_taken_from_message_signature_or_notice() -> None:
    post = one(
        '<a href="/index/8-111">мой друг</a>',
        uid=None,
        after='<span class="signatureView"><a href="/index/8-112">я</a></span>'
        '<div class="edited">Сообщение отредактировал <span class="editedBy"><a href="/index/8-113">Мод</a></span></div>',
    )
    assert post.author_uid is None
    assert "no_uid" in post.problems


def test_attachments_and_signature_are_left_out() -> None:
    post = one(
        "текст",
        after='<div class="eAttach">Прикрепления: <a href="/x">red.jpg</a></div><hr class="signatureHr">'
        '<span class="signatureView"><span style="color:red">Виновен Глеб</span></span>',
    )
    assert (own_text(post.runs), highlights(post.runs)) == ("текст", ())


def test_pinned_and_repeated_post_is_given_once() -> None:
    page = read(old_page(old_row(1, "шапка"), old_row(9, "а"), old_row(9, "а")))
    assert [post.id for post in page.posts] == [1, 9]


def test_nick_is_decoded_and_keeps_its_inner_spaces() -> None:
    assert one("х", nick="<span style='color:red'>Кот  &amp; Ко</span>").author == "Кот  & Ко"


def test_holder_that_a_message_imitates_does_not_make_a_post() -> None:
    post = one('<a href="#" title="ucoz-forum-post-99">x</a>')
    assert post.id == 7


def test_owners_colour_class() -> None:
    html = old_page(old_row(7, '<span class="vote-red">Борис</span> <span class="my-blue">Вера</span>'))
    post = read(html, red_classes="vote-red", blue_classes="my-blue").posts[0]
    assert [(color, text) for color, _, text in highlights(post.runs)] == [("red", "Борис"), ("blue", "Вера")]


def test_windows_1251_told_only_in_the_pages_meta() -> None:
    html = '<meta charset="windows-1251">' + old_page(old_row(7, "привет", nick="Ёлка"))
    assert read(decode(html.encode("cp1251", "xmlcharrefreplace"))).posts[0].author == "Ёлка"


def test_wrong_charset_in_the_header_does_not_garble() -> None:
    assert (
        decode("Виновен Борис, и это моё слово".encode("cp1251"), "text/html; charset=utf-8") == "Виновен Борис, и это моё слово"
    )


def test_topic_without_a_reply_form_is_locked_for_a_member() -> None:
    html = old_page(old_row(7, "х"))
    assert not read(html).locked
    assert read(html.replace(FOOT, "</body></html>")).locked


WALLS = {
    "login_required": [
        "<html><body>Гостям запрещено просматривать данную страницу, пожалуйста войдите на сайт как пользователь.</body></html>",
        '<html><body><form id="frmLg1" action="/index/sub/"><input name=user><input type=password name=password></form></body></html>',
        '<html><body><a href="https://login.uid.me/?site=0x">Войти через uID</a></body></html>',
    ],
    "forbidden": [
        "<html><body>Вы входите в группу пользователей, которым запрещено совершать данное действие.</body></html>",
        "<html><body>Для вашего аккаунта любая активность временно заблокирована</body></html>",
    ],
    "challenge": [
        "<html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript</noscript></body></html>",
        "<html><body><script src='/cdn-cgi/challenge-platform/x.js'></script></body></html>",
    ],
    "maintenance": [
        "<html><body><h1>Сайт временно недоступен</h1>Ведутся технические работы</body></html>",
        "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
    ],
    "truncated": ["<html><body><table class=gTable><tr><td class=postTdTop>", old_page(old_row(7, "текст"))[:-40], ""],
    "not_found": ["<html><body>Страница не найдена</body></html>"],
    "no_posts": ["<html><body><table class=gTable><tr><td class=gTableTop>Тема</td></tr></table></body></html>"],
}


@pytest.mark.parametrize(("reason", "html"), [(reason, html) for reason, pages in WALLS.items() for html in pages])
def test_page_that_is_no_thread_is_refused_with_its_reason(reason: str, html: str) -> None:
    with pytest.raises(NoThread) as refused:
        read(html)
    assert refused.value.reason == reason


def test_words_of_a_wall_inside_a_post_are_no_wall() -> None:
    post = one("Гостям запрещено просматривать данную страницу. Ведутся технические работы. Just a moment")
    assert own_text(post.runs).startswith("Гостям")


def test_layout_refuses_an_unknown_key() -> None:
    with pytest.raises(ValueError, match="edited_clas"):
        read(old_page(old_row(7, "х")), edited_clas="x")
