"""Where uCoz keeps its pages, and what marks what on them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from adapters.places import ABSENT, FAR, Places, Wanted

_WORDS = """
дата в время сообщение сообщения сообщений страница страницы из группа репутация награды замечания статус онлайн offline online
отредактировал отредактировала отредактировано активировал изменено цитата код спойлер открыть закрыть прикрепления
форум форумы модератор тема темы тему темой ответ ответы ответов просмотры автор последнее обновление новая новые новых опрос
поиск
правила участники лента подписка архив только для чтения гость гостям гости регистрация вход выход выйти войти войдите
логин пароль запомнить забыли личные личное лс входящие отправленные отправить отправлено успешно отправителю получатель кому
сообщений нет удалить выбранные отметить прочитать непрочитанные непрочитанное ответить написать профиль мой
безопасности обязательно текст название описание предпросмотр добавить редактировать сохранить
файл смайлы пользователь пользователи пользователей проверенные модераторы администраторы заблокированные администратор
запрещено просматривать данную страницу пожалуйста на сайт как вы входите группу которым совершать данное действие
закрыта закрыт тема удалена не найдена найдено существует страницу перейти первая последняя следующая предыдущая
date message group reputation status edited by activated quote code page of pages reply user users login logout password
"""


def _fixed(wanted: Wanted, uid: int) -> Sequence[tuple[str, str]]:
    return (
        ("home", "/forum/"),
        ("section", f"/forum/{wanted.section}"),
        ("thread", f"/forum/{wanted.topic}-1"),
        ("past_the_end", f"/forum/{wanted.topic}-{FAR}"),
        ("new_topic", f"/forum/{wanted.section}-0-0-1-1"),
        ("profile", "/index/8"),
        ("inbox", "/index/14"),
        ("sent", "/index/14-0-1"),
        ("compose", f"/index/14-{uid}-0-1"),
        ("missing", f"/forum/{wanted.section}-{ABSENT}-1"),
        *((("closed", f"/forum/{wanted.closed}-1"),) if wanted.closed else ()),
    )


PLACES = Places(
    section=lambda section: (f"/forum/{section}", rf"/forum/({re.escape(section)}-[1-9]\d*)(?:-|$)"),
    thread=lambda topic, number, _first: f"/forum/{topic}-{number}",
    fixed=_fixed,
    guest=lambda wanted: (("guest_thread", f"/forum/{wanted.topic}-1"), ("guest_login", "/index/40")),
    message=lambda message: f"/index/14-{message}-0",
    message_link=r"14-{id}\b",
    topic_links="a.threadLink",
    section_title="",
    message_lists="a.pmCatLink, .pmCatLinkActive, tr[id^=ent], .userpm-layout, .userpm-messages-table",
    login_form='form[id^=frmLg], form[action*="/index/sub"]',
    login_advice="если вход только через uID, попросите владельца включить старую форму входа",
    keys={"posts": "post_ids", "author": "author_classes", "letter": "pm_body"},
    root=r".*",
    section_hint="/forum/12 - это 12",
    section_number=r"(?<=/forum/)\d+",
    words=_WORDS,
    nicks='a[href*="/index/8"], .postUser, .pusername, .editedBy, .qName, cite, .threadAuthTd, .userAvatar',
    titles="a.threadLink, .forumBar, .forumBarA",
    own_classes=("postUser", "pusername", "editedBy", "qName", "threadLink"),
    messages=r"ucoz-forum-post-|frmmsg|\bsignatureView\b|inputPM|outputPM|userpm-message",
    people=("/index/(?:8|34|23|54)-", "/forum/0-0-1-3-"),
)
