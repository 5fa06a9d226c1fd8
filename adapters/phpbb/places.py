"""Where phpBB keeps its pages, and what marks what on them."""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser

from adapters.markup import tamed
from adapters.phpbb.site import starts_of
from adapters.places import ABSENT, Places, Wanted

_WORDS = """
список форумов вернуться ответить закрыто цитировать последнее последний раз редактировалось всего редактировалось раза раз
причина
писал писала а re добавлено спустя секунды секунд часовой пояс часа часов все времена имя пользователя пароль зарегистрирован
заголовок темы темам перейти к началу непрочитанное первое просмотр профиля отправить личное конференции сейчас этот
личные сообщения папка исходящие отправленные заполнена на новое сообщение удалить отмеченные выполнить экспорт получатели
скрытая копия
предпросмотр черновик подпись вложения настройки смайлики ббкод включён выключен размер цвет шрифта
выделить скрыть показать подтвердить да отмена ошибка отправки формы попробуйте ещё раз запрошенной не существует
вход выход регистрация правила faq участники команда новых нет вы авторизованы этого раздела форума
board index post posts topic topics reply locked subject author last edited times total wrote select all time zone are hours
inbox outbox sentbox sent delete marked go export private messages compose preview submit username register search powered by
phpbb forum software limited русская поддержка
"""


def _fixed(wanted: Wanted, uid: int) -> Sequence[tuple[str, str]]:
    return (
        ("home", "index.php"),
        ("section", f"viewforum.php?f={wanted.section}"),
        ("thread", f"viewtopic.php?t={wanted.topic}"),
        ("past_the_end", f"viewtopic.php?t={wanted.topic}&start={ABSENT}"),
        ("reply", f"posting.php?mode=reply&f={wanted.section}&t={wanted.topic}"),
        ("new_topic", f"posting.php?mode=post&f={wanted.section}"),
        ("inbox", "ucp.php?i=pm&folder=inbox"),
        ("sent", "ucp.php?i=pm&folder=sentbox"),
        ("compose", f"ucp.php?i=pm&mode=compose&u={uid}"),
        ("missing", f"viewtopic.php?t={ABSENT}"),
        *((("closed", f"viewtopic.php?t={wanted.closed}"),) if wanted.closed else ()),
    )


def _thread(topic: str, number: int, first: str) -> str:
    """Addresses count posts and no pages: how many a page has, the links of the first one tell."""
    step = min((start for start in starts_of(LexborHTMLParser(tamed(first))) if start), default=0)
    start = step * (number - 1)
    return f"viewtopic.php?t={topic}" + (f"&start={start}" if start else "")


PLACES = Places(
    section=lambda section: (f"viewforum.php?f={section}", r"viewtopic\.php\?(?:.*&)?t=(\d+)"),
    thread=_thread,
    fixed=_fixed,
    guest=lambda wanted: (("guest_thread", f"viewtopic.php?t={wanted.topic}"), ("guest_login", "ucp.php?mode=login")),
    message=lambda message: f"ucp.php?i=pm&mode=view&f=0&p={message}",
    message_link=r"[?&]p={id}\b",
    topic_links="a.topictitle",
    section_title="h2.forum-title",
    message_lists='#viewfolder, form[action*="i=pm"], .cplist, ul.pmlist',
    login_form='form#login, form[action*="mode=login"]',
    keys={"posts": "post_ids, post_classes", "author": "profile_classes, line_classes", "letter": "text_classes"},
    root=r"/[^/]*\.php$",
    section_hint="viewforum.php?f=7 - это 7",
    section_number=r"(?<=[?&]f=)\d+",
    words=_WORDS,
    nicks='a[href*="viewprofile"], .username, .username-coloured, cite, .postauthor',
    titles="a.topictitle, .forumtitle, .topic-title, #site-description",
    own_classes=("username", "username-coloured", "postauthor", "topictitle"),
    messages=r"\bmessage_\d|\bcontent\b|\bsignature\b",
    people=("[?&](?:amp;)?u=", r"address_list\[[ug]\]\[", r"\bu\]\[", "user_id=", "[?&](?:amp;)?author_id="),
)
