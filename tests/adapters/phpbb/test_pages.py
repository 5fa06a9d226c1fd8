"""phpBB thread pages in the shapes that boards were seen to have, all invented here, besides the agreed ones of tests/pages."""

# ruff: noqa: E501  -- lines of HTML stay whole
from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from selectolax.lexbor import LexborHTMLParser

from adapters.errors import NoThread
from adapters.markup import highlights, own_text
from adapters.model import Page, Post
from adapters.phpbb.pages import read_thread
from adapters.phpbb.site import starts_of, zone_offset
from adapters.webpage import decode
from forumbot.cli.read_page import as_record

MOSCOW = ZoneInfo("Europe/Moscow")
FETCHED = datetime(2026, 3, 6, 0, 1, tzinfo=MOSCOW)
AGREED = Path(__file__).parents[2] / "pages" / "phpbb"


def read(html: str, **overrides: str) -> Page:
    return read_thread(html, fetched=FETCHED, zone=MOSCOW, overrides=overrides)


def post33(
    pid: int,
    message: str,
    *,
    nick: str = "Анна",
    uid: int | None = 61,
    time: str = "2026-03-04T16:20:07+00:00",
    classes: str = "post has-profile bg2",
    before: str = "",
    after: str = "",
    link: str = "./viewtopic.php?p={0}#p{0}",
    avatar: str = "",
) -> str:
    name = (
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={uid}" class="username">{nick}</a>'
        if uid
        else f'<span class="username">{nick}</span>'
    )
    return (
        f'<div id="p{pid}" class="{classes}"><div class="inner"><dl class="postprofile" id="profile{pid}"><dt>{avatar}{name}</dt>'
        f'<dd class="profile-posts"><a href="./search.php?author_id=1">12</a></dd></dl><div class="postbody"><div id="post_content{pid}">'
        f'<h3><a href="{link.format(pid)}">Re: Игра</a></h3><p class="author"><span><strong>{name}</strong> &raquo; </span>'
        f'<time datetime="{time}">Ср мар 04, 2026 7:20 pm</time></p>{before}<div class="content">{message}</div>{after}</div></div></div></div>'
    )


def page33(
    *posts: str, pager: str = "Страница <strong>1</strong> из <strong>1</strong>", top: str = "", zone: str = "UTC+03:00"
) -> str:
    return (
        '<!DOCTYPE html><html><head><title>(2) Игра - Клуб</title></head><body id="phpbb"><p style="color:red">Сайт</p>'
        '<a href="./ucp.php?mode=logout&amp;sid=1">Выход</a><h2 class="topic-title"><a href="./viewtopic.php?t=5">Игра</a></h2>'
        f'<div class="action-bar bar-top">{top}<div class="pagination">{pager}</div></div>' + "".join(posts) +
        f'<ul><li class="rightside">Часовой пояс: <span title="x">{zone}</span></li></ul></body></html>'
    )  # fmt: skip


def one(message: str, **more: object) -> Post:
    (post,) = read(page33(post33(7, message, **more))).posts  # type: ignore[arg-type]
    return post


def post30(
    pid: int, message: str, *, date: str = "29 ноя 2026, 23:35", notice: str = "", nick: str = "Вера", uid: int = 22
) -> str:
    return (
        f'<div id="p{pid}" class="post bg1"><div class="inner"><div class="postbody"><h3><a href="#p{pid}">Re: Игра</a></h3>'
        f'<p class="author"><a href="./viewtopic.php?p={pid}#p{pid}"><img src="i.gif" alt="Сообщение #{pid}" /></a> <strong>{nick}</strong> '
        f'&raquo; {date} </p><div class="content">{message}</div>{notice}<div id="sig{pid}" class="signature">'
        f'<span style="color: red">подпись</span></div></div><dl class="postprofile" id="profile{pid}"><dt>'
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={uid}"><img src="avatar.png" alt="" /></a><br />'
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={uid}">{nick}</a></dt></dl></div></div>'
    )


def page30(*posts: str, zone: str = "UTC + 3 часа ") -> str:
    return (
        '<html><head><title>Клуб &bull; Просмотр темы - Игра</title></head><body><div id="page-body"><h2><a href="#">Игра</a></h2>'
        '<div class="topic-actions"><div class="pagination">Сообщений: 25 &bull; Страница <strong>2</strong> из <strong>3</strong></div></div>'
        + "".join(posts) + f"</div>Часовой пояс: {zone}</body></html>"
    )  # fmt: skip


def post_old(pid: int, message: str, *, notice: str = "", signature: str = "", nick: str = "Глеб", uid: int = 31) -> str:
    return (
        f'<table class="tablebg" width="100%"><tr class="row1"><td><a name="p{pid}"></a><b class="postauthor" style="color: #AA0000">{nick}</b></td>'
        f'<td><table><tr><td class="gensmall"><div style="float: left"><b>Заголовок сообщения:</b> Re: Игра от 01.01.2020, 10:00</div>'
        f'<div style="float: right"><a href="./viewtopic.php?p={pid}#p{pid}"><img src="i.gif" alt="" /></a><b>Добавлено:</b> '
        f'Вс ноя 29, 2026 11:35 pm&nbsp;</div></td></tr></table></td></tr><tr class="row1"><td class="profile"><span class="postdetails">'
        f'<b>Зарегистрирован:</b> 07 янв 2012, 12:00</span></td><td><table><tr><td><div class="postbody">{message}</div>{signature}'
        f'<br />{notice}</td></tr></table></td></tr><tr class="row1"><td class="profile"><a href="#top">Вернуться к началу</a></td><td>'
        f'<a href="./memberlist.php?mode=viewprofile&amp;u={uid}"><img src="icon_user_profile.gif" alt="Профиль" /></a></td></tr></table>'
    )


def page_old(*posts: str) -> str:
    return (
        '<html><body><div id="pageheader"><h2><a class="titles" href="./viewtopic.php?f=1&amp;t=5">Игра</a></h2></div>'
        '<table><tr><td class="nav">Страница <strong>2</strong> из <strong>4</strong></td></tr></table>'
        '<table class="tablebg"><tr><th>Автор</th><th>Сообщение</th></tr></table>' + "".join(posts)
        + '<table class="tablebg"><tr><td class="cat">Показать</td></tr></table><p>Часовой пояс: UTC + 3 часа [ Летнее время ]</p></body></html>'
    )  # fmt: skip


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


def test_member_page_of_prosilver_33() -> None:
    post = one('<span style="color:DarkRed">Борис</span>', nick="Кот &amp; [Ко]")
    assert (post.id, post.author, post.author_uid, post.exact) == (7, "Кот & [Ко]", 61, True)
    assert post.posted == datetime(2026, 3, 4, 16, 20, 7, tzinfo=UTC)
    assert highlights(post.runs) == (("red", "#8b0000", "Борис"),)


def test_avatar_link_before_the_nick_is_not_the_nick() -> None:
    post = one(
        "х",
        avatar='<a href="./memberlist.php?mode=viewprofile&amp;u=61" class="avatar"><img class="avatar" src="a" alt="Аватара"></a>',
    )
    assert (post.author, post.author_uid) == ("Анна", 61)


def test_nick_link_with_a_session_in_its_address() -> None:
    html = page33(post33(7, "х")).replace("mode=viewprofile&amp;u=61", "mode=viewprofile&amp;u=61&amp;sid=ab12")
    assert read(html).posts[0].author_uid == 61


def test_link_of_the_post_may_carry_more_than_its_number() -> None:
    assert one("х", link="./viewtopic.php?t=5&amp;p={0}&amp;sid=ab#p{0}").id == 7


def test_deleted_account_has_a_nick_and_no_uid() -> None:
    post = one("х", uid=None, nick="Старый")
    assert (post.author, post.author_uid, post.problems) == ("Старый", None, ("no_uid",))


def test_what_a_moderator_sees_besides_is_left_out() -> None:
    page = read(
        page33(
            post33(1, "а"),
            post33(2, "удалено", classes="post bg1 deleted", after='<div class="notice post_deleted_msg">Удалено</div>'),
            post33(3, "ждёт", before='<form><p class="post-notice unapproved">ожидает</p></form>'),
            post33(4, "удалено", before='<p class="post-notice deleted">Удалённое сообщение</p>'),
            post33(5, "жалоба", before='<p class="post-notice reported">Жалоба</p>'),
            post33(6, "чёрный список", classes="post bg1 has-profile").replace(
                'id="post_content6"', 'id="post_content6" style="display: none;"'
            ),
        )
    )
    assert [post.id for post in page.posts] == [1, 5, 6]
    assert own_text(page.posts[-1].runs) == "чёрный список"


def test_words_of_moderation_typed_by_a_player_change_nothing() -> None:
    post = one("post-notice unapproved, post_deleted_msg, Последний раз редактировалось Анна 1 раз.")
    assert not post.edited


@pytest.mark.parametrize(
    ("notice", "edited", "by", "when"),
    [
        (
            'Последний раз редактировалось <a href="./memberlist.php?mode=viewprofile&amp;u=2" class="username-coloured">Мод</a> '
            "29.11.2026, 23:35:10, всего редактировалось 2 раза.<br><strong>Причина:</strong> <em>01.01.2020, 10:00</em>",
            True,
            "Мод",
            (2026, 11, 29, 23, 35, 10),
        ),
        (
            'Last edited by <span class="username">Old Tom</span> on Sun Nov 29, 2026 11:35 pm, edited 1 time in total.',
            True,
            "Old Tom",
            (2026, 11, 29, 23, 35, 0),
        ),
        (
            "Последний раз редактировалось Юнга-2 29 ноя 2026, 23:35, всего редактировалось 1 раз.",
            True,
            "Юнга-2",
            (2026, 11, 29, 23, 35, 0),
        ),
        (
            "Последний раз редактировалось Кот Баюн Вс ноя 29, 2026 11:35 pm, всего редактировалось 1 раз.",
            True,
            "Кот Баюн",
            (2026, 11, 29, 23, 35, 0),
        ),
    ],
)
def test_edit_notice(notice: str, edited: bool, by: str, when: tuple[int, ...]) -> None:
    post = one(
        "х", after=f'<div class="notice">{notice}</div><div id="sig7" class="signature"><div class="notice">нет</div></div>'
    )
    assert (post.edited, post.edited_by) == (edited, by)
    assert post.edited_at == datetime(*when, tzinfo=timezone(timedelta(hours=3)))  # type: ignore[misc,arg-type]


def test_signature_attachments_and_quotes_are_not_the_authors_words() -> None:
    post = one(
        '<blockquote cite="./viewtopic.php?p=1#p1"><div><cite><a>Вера</a> писал(а): <span>↑</span></cite><span style="color:red">Глеб</span>'
        '<blockquote class="uncited"><div>да</div></blockquote></div></blockquote>нет'
        '<div class="inline-attachment"><dl class="file"><dt>Виновен.jpg</dt></dl></div>',
        after='<dl class="attachbox"><dt>Вложения</dt></dl><div id="sig7" class="signature"><span style="color:red">Глеб</span></div>',
    )
    assert (own_text(post.runs), highlights(post.runs)) == ("нет", ())


def test_code_its_caption_emoji_and_smilies() -> None:
    post = one(
        '<div class="codebox"><p>Код: <a href="#">Выделить всё</a></p><pre><code>[color=red]x[/color]</code></pre></div>'
        '<span style="color:red"><img class="emoji smilies" alt="🐺" src="w.svg">Волк</span> <img class="smilies" alt=":)" src="s.gif">'
    )
    assert own_text(post.runs) == "[color=red]x[/color]\n🐺Волк"
    assert highlights(post.runs) == (("red", "#ff0000", "🐺Волк"),)


def test_code_box_of_the_30_line() -> None:
    post = one('<dl class="codebox"><dt>Код: <a href="#">Выделить всё</a></dt><dd><code>x = 1</code></dd></dl>да')
    assert own_text(post.runs) == "x = 1\nда"


def test_owners_own_codes_by_class() -> None:
    html = page33(
        post33(7, '<span class="vote-red">Борис</span><div class="spoiler"><div class="spoiler-title">Спойлер</div>тайна</div>')
    )
    post = read(html, red_classes="vote-red").posts[0]
    assert highlights(post.runs) == (("red", None, "Борис"),)
    assert own_text(post.runs) == "Борис\nтайна"
    assert highlights(read(html).posts[0].runs) == ()


def test_innermost_colour_wins_and_crosses_other_tags() -> None:
    post = one('<span style="color:red">А <em class="text-italics"><span style="color:blue">Б</span> В</em></span>')
    assert highlights(post.runs) == (("red", "#ff0000", "А"), ("blue", "#0000ff", "Б"), ("red", "#ff0000", "В"))


def test_merged_post_is_reported() -> None:
    post = one('а<br><br><span style="color: gray;">Добавлено спустя 33 секунды:</span><br>б')
    assert "merged" in post.problems


@pytest.mark.parametrize(
    ("pager", "want"),
    [
        (
            "25 сообщений <ul><li><a href='#'>1</a></li><li class='active'><span>2</span></li><li><a href='#'>3</a></li><li class='arrow next'><a>След.</a></li></ul>",
            (2, 3),
        ),
        (
            "<ul><li class='active'><span>1</span></li><li><a>2</a></li><li class='ellipsis'><span>…</span></li><li><a>50</a></li></ul>",
            (1, 50),
        ),
        ("6 posts • Page <strong>1</strong> of <strong>1</strong>", (1, 1)),
        (
            "10 240 сообщений <ul><li class='page-jump'><a><span class='sr-only'>Страница <strong>7</strong> из <strong>1 024</strong></span></a></li><li class='active'><span>7</span></li></ul>",
            (7, 1024),
        ),
    ],
)
def test_pager(pager: str, want: tuple[int, int]) -> None:
    page = read(page33(post33(7, "х"), pager=pager))
    assert (page.page, page.pages) == want


def test_title_and_locked_topic() -> None:
    page = read(
        page33(
            post33(7, "х"),
            top='<a href="./posting.php?mode=reply&amp;t=5" class="button"><span>Закрыто</span> <i class="icon fa-lock"></i></a>',
        )
    )
    assert (page.title, page.locked) == ("Игра", True)
    assert not read(page33(post33(7, "х"), top='<a href="./posting.php?mode=reply&amp;t=5"><span>Ответить</span></a>')).locked


@pytest.mark.parametrize(
    ("zone", "minutes"), [("UTC+03:00", 180), ("UTC", 0), ("UTC−03:30", -210), ("UTC + 2 часа [ Летнее время ]", 180)]
)
def test_zone_of_printed_times_is_the_pages_own(zone: str, minutes: int) -> None:
    page = read(
        page33(
            post33(
                7,
                "х",
                after='<div class="notice">Последний раз редактировалось <a href="?mode=viewprofile&u=1">Я</a> 05.03.2026, 10:00</div>',
            ),
            zone=zone,
        )
    )
    assert page.zone_offset_minutes == minutes
    assert page.posts[0].edited_at == datetime(2026, 3, 5, 10, 0, tzinfo=timezone(timedelta(minutes=minutes)))


@pytest.mark.parametrize(
    ("printed", "moment"),
    [
        ("Вс ноя 29, 2026 11:35 pm", (2026, 11, 29, 23, 35)),
        ("29 ноя 2026, 23:35", (2026, 11, 29, 23, 35)),
        ("Ноябрь 29, 2026, 11:35 pm", (2026, 11, 29, 23, 35)),
        ("29.11.2026, 23:35", (2026, 11, 29, 23, 35)),
        ("Сегодня, 00:00", (2026, 3, 6, 0, 0)),
        ("Вчера, 23:41", (2026, 3, 5, 23, 41)),
        ("менее минуты назад", (2026, 3, 6, 0, 1)),
        ("13 минут назад", (2026, 3, 5, 23, 48)),
        ("Yesterday, 18:41", (2026, 3, 5, 18, 41)),
    ],
)
def test_printed_dates_of_the_30_line(printed: str, moment: tuple[int, ...]) -> None:
    (post,) = read(page30(post30(9, "х", date=printed))).posts
    assert post.posted == datetime(*moment, tzinfo=timezone(timedelta(hours=3)))  # type: ignore[misc,arg-type]
    assert not post.exact


def test_prosilver_of_the_30_line() -> None:
    notice = "<div class='notice'>Последний раз редактировалось <a href='./memberlist.php?mode=viewprofile&amp;u=22'>Вера</a> 04.07.2026, 18:36, всего 1 раз.</div>"
    page = read(page30(post30(3, '<span style="color: red">Глеб</span> [color=blue]x[/color]', notice=notice)))
    (post,) = page.posts
    assert (post.id, post.number, post.author, post.author_uid, post.edited_by) == (3, 3, "Вера", 22, "Вера")
    assert highlights(post.runs) == (("red", "#ff0000", "Глеб"),)
    assert own_text(post.runs) == "Глеб [color=blue]x[/color]"
    assert (page.page, page.pages, page.title) == (2, 3, "Игра")


def test_ignored_author_of_the_30_line_has_no_body_and_it_is_told() -> None:
    foe = (
        '<div id="p8" class="post bg1"><div class="inner"><div class="postbody"><div class="ignore">Это сообщение оставлено <a href='
        '"./memberlist.php?mode=viewprofile&amp;u=40">Враг</a>, находящимся в чёрном списке.</div></div></div></div>'
    )
    _, post = read(page30(post30(7, "х"), foe)).posts
    assert (post.id, post.author, post.runs) == (8, "Враг", ())
    assert "hidden_text" in post.problems


def test_subsilver2() -> None:
    page = read(
        page_old(
            post_old(
                5, '<div class="quotetitle">Вера писал(а):</div><div class="quotecontent"><span style="color: red">я</span></div>'
                '<span style="color: #0000FF">Борис</span>',
                signature='<div class="postbody">_________________<br /><span style="color: red">Вера</span></div>',
                notice='<span class="gensmall"><br />Последний раз редактировалось <a href="./memberlist.php?mode=viewprofile&amp;u=2">Мод</a> 04.07.2026, 18:36.</span>',
            ),
            post_old(6, "да", nick="Анна", uid=32, notice='<table><tr><td class="gensmall"><span class="gensmall">Последний раз редактировалось Анна 04.07.2026, 18:36</span></td></tr></table>'),
            post_old(7, "нет"),
        )
    )  # fmt: skip
    first, second, third = page.posts
    assert (first.id, first.author, first.author_uid, first.edited, first.edited_by) == (5, "Глеб", 31, True, "Мод")
    assert first.posted == datetime(2026, 11, 29, 19, 35, tzinfo=UTC)
    assert highlights(first.runs) == (("blue", "#0000ff", "Борис"),)
    assert own_text(first.runs) == "Борис"
    assert (second.author_uid, second.edited_by, third.edited) == (32, "Анна", False)
    assert (page.page, page.pages, page.title) == (2, 4, "Игра")


PAGER = (
    '<td class="nav">&nbsp;Страница {page} из 2<br /></td><td class="gensmall">&nbsp;[ Сообщений: 34 ]&nbsp;</td>'
    '<td class="gensmall"><b><a href="#">На страницу</a> <a href="./{script}&amp;start=20">2</a></b></td>'
)
"""Number, count and links stand beside each other in subsilver2 (seen with phpBBex)."""


def test_p16_the_pager_of_subsilver2_tells_count_and_offsets() -> None:
    html = page_old(post_old(5, "да")).replace(
        '<td class="nav">Страница <strong>2</strong> из <strong>4</strong></td>', PAGER.format(page=2, script="viewtopic.php?t=9")
    )
    page = read(html)
    assert (page.page, page.pages, page.total, page.before) == (2, 2, 34, 20)
    for script in ("viewtopic.php?t=9", "ucp.php?i=pm&amp;mode=view&amp;action=view_folder&amp;f=0"):
        assert starts_of(LexborHTMLParser(f"<table><tr>{PAGER.format(page=1, script=script)}</tr></table>")) == [20]


def test_p16_a_sections_pager_is_not_that_of_its_topics() -> None:
    html = (
        '<ul class="topiclist"><li class="row"><a class="topictitle" href="./viewtopic.php?t=9">Игра</a><div class="pagination"><ul>'
        '<li><a href="./viewtopic.php?t=9&amp;start=10">2</a></li></ul></div></li></ul>'
        '<div class="pagination">40 тем <ul><li class="active"><span>1</span></li>'
        '<li><a href="./viewforum.php?f=3&amp;start=25">2</a></li></ul></div>'
    )
    assert starts_of(LexborHTMLParser(html), "viewforum") == [25]


@pytest.mark.parametrize("label", ["Часовой пояс:", "All times are", "Time zone:", "Часовий пояс:"])
@pytest.mark.parametrize("said", ["", "Часовой пояс: UTC+9", "Time zone: UTC-5"])
def test_p16_the_zone_is_the_foots_in_any_language_whatever_members_write(label: str, said: str) -> None:
    assert zone_offset(f'<div class="content">{said}</div><p>{label} <span title="UTC+6">UTC+6</span></p>') == 360


def information(text: str, title: str = "Информация") -> str:
    return f'<html><head><title>Клуб - {title}</title></head><body><div class="panel" id="message"><h2>{title}</h2><p>{text}</p></div></body></html>'


WALLS = {
    "login_required": [
        '<html><body><form action="./ucp.php?mode=login" id="login"><input name="username"><input type="password" name="password"></form></body></html>',
        '<html><body><form action="./ucp.php?mode=login" method="post"><table class="tablebg"><tr><td><input name="username">'
        '<input type="password" name="password"></td></tr></table></form></body></html>',
    ],
    "forbidden": [
        information("Вы не авторизованы для чтения данного форума."),
        information("You are not authorised to read this forum."),
        '<html><body><form id="login_forum"><input type="password" name="password"></form></body></html>',
    ],
    "not_found": [
        information("Запрошенной темы не существует."),
        information("The requested topic does not exist."),
        information("раздела не существует"),
    ],
    "maintenance": [
        information("Извините, но конференция в настоящий момент недоступна"),
        information("Переезжаем на новый сервер, вернёмся к вечеру!"),
        '<html><head><title>General Error</title></head><body><div id="acp"><div id="content"><h1>General Error</h1><p>SQL ERROR [ mysql ]</p></div></div></body></html>',
        "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>",
    ],
    "challenge": ["<html><head><title>Just a moment...</title></head><body></body></html>"],
    "truncated": [page33(post33(1, "а"))[:-60], "<html><body><div id=page-body>", ""],
    "no_posts": ['<html><body id="phpbb"><h2 class="topic-title"><a>Тема</a></h2></body></html>'],
}


@pytest.mark.parametrize(("reason", "html"), [(reason, html) for reason, pages in WALLS.items() for html in pages])
def test_page_that_is_no_thread_is_refused_with_its_reason(reason: str, html: str) -> None:
    with pytest.raises(NoThread) as refused:
        read(html)
    assert refused.value.reason == reason


def test_layout_refuses_an_unknown_key() -> None:
    with pytest.raises(ValueError, match="red_clases"):
        read(page33(post33(7, "х")), red_clases="x")
