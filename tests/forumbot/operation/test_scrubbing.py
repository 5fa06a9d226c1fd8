"""Nothing of the page's people is in a captured page: words stay by a list of the engine's own, numbers by what they tell."""

from __future__ import annotations

import re

import pytest

from forumbot.capture.scrub import Scrubber

KEY = b"k" * 32
BASE = "http://klub.ucoz.ru/"


def scrubbed(body: str) -> str:
    html = f"<html><body>{body}</body></html>"
    scrubber = Scrubber(BASE, KEY)
    scrubber.learn(html)
    return scrubber.scrub(html)


PEOPLE = (
    "IP: 192.0.2.77", "ip 2001:db8::dead:beef", "Тел.: +7 912 345-67-89", "8(912)3456789", "Город: Зеленоград",
    "День рождения: 12.03.1985", "Родилась 17 01 1985", "ICQ 123456789", "Возраст: 41", "Skype: zelenaya.vasya",
    "Откуда: Ташкент", "Сообщений: 4711",
)  # fmt: skip
FRAMES = ("<td class='postTdInfo'>{}</td>", "<div id='frM2' class='gTableError'>{}</div>", "<p title='{}'>x</p>")


@pytest.mark.parametrize("told", PEOPLE)
@pytest.mark.parametrize("frame", FRAMES)
def test_x13_what_a_profile_tells_of_people_is_gone(told: str, frame: str) -> None:
    made = scrubbed(frame.format(told))
    for word in re.findall(r"[^\W\d_]{5,}|\d{3,}", told.partition(":")[2] or told):
        assert word not in made, word
    for number in re.findall(r"\d{2,}", told):
        assert not re.search(rf"(?<!\d){number}(?!\d)", made), number


def test_x13_what_tells_how_the_forum_is_made_stays() -> None:
    body = (
        '<td class="postTdTop">Дата: Среда, 04.03.2026, 19:20 | Сообщение # 17</td>'
        '<span class="pagesInfo">Страница 2 из 13</span>'
        "<b>7</b><i>Сегодня, 23:58</i>"
    )
    for kept in ("Дата: Среда, 04.03.2026, 19:20 | Сообщение # 17", "Страница 2 из 13", "<b>7</b>", "Сегодня, 23:58"):
        assert kept in scrubbed(body)


def test_p10_quoting_buttons_and_the_review_below_the_form_keep_nobody() -> None:
    made = scrubbed(
        '<a href="#" onclick="addquote(4711, \'Зорька\', \'l_wrote\', {post_id:4711,time:1764600123,user_id:61});">Цитата</a>'
        '<div id="message_4711" style="display: none;">Ответить автору: тема закрыта, сообщение Зорьки 1985</div>'
    )
    for gone in ("4711,", "1764600123", ":61", "Зорьк", "закрыта", "автору", "1985"):
        assert gone not in made
    assert "Цитата" in made and "addquote(" in made


BUTTONS = {
    "a nick in Latin letters": "<a onclick=\"insertNick('Zorka77'); return false;\">x</a>",
    "an attribute without quotation marks": "<a onclick=addquote(4711,'Zorka77')>x</a>",
    "another way to call it": "<div ondblclick=\"quotePost('4711', 'Zorka77')\">x</div>",
    "an address of code": "<a href=\"javascript:addquote(4711,'Zorka77',1764600123)\">x</a>",
    "a number in data": '<div data-user-id="4711" data-author="Zorka77">x</div>',
    "data of many": "<div data-json='{\"user\":\"Zorka77\",\"uid\":4711,\"time\":1764600123}'>x</div>",
    "a mention": '<em class="mention" data-mention-id="4711">@Zorka77</em>',
    "a class of one person": '<div class="user-4711 online">x</div>',
    "a quotation ready to be put in": '<a data-quote="[quote=Zorka77;4711]x[/quote]">x</a>',
    "a picture in a style": '<span style="background:url(./download/file.php?avatar=4711_1764600123.jpg)">x</span>',
}


@pytest.mark.parametrize("what", BUTTONS)
def test_p10_no_button_no_data_and_no_style_keeps_anybody(what: str) -> None:
    made = scrubbed(BUTTONS[what])
    for gone in ("Zorka", "zorka", "4711", "1764600123"):
        assert gone not in made, made


def test_p10_one_person_stays_one_person_in_a_capture() -> None:
    made = scrubbed('<div data-user-id="4711">x</div><a href="./memberlist.php?mode=viewprofile&amp;u=4711">Зорька</a>')
    (uid,) = re.findall(r'data-user-id="(\d+)"', made)
    assert f"u={uid}" in made and uid != "4711"
