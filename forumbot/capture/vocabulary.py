"""Words that belong to a forum's engine: all other words of a captured page are somebody's and are replaced."""

from __future__ import annotations

import re
from dataclasses import fields

from adapters.phpbb.layout import Layout as PhpbbLayout
from adapters.ucoz.layout import Layout as UcozLayout

_CALENDAR = """
понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
янв фев мар апр июн июл авг сен сент окт ноя нояб дек сегодня вчера позавчера назад минут минуту минуты менее
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep oct nov dec today yesterday ago minute minutes less than am pm utc gmt
"""
_UCOZ = """
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
_PHPBB = """
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
_BUTTONS = "ok html bb bbcode url img b i u s quote list hr size font spoiler hide красный синий red blue"


def engine_words() -> frozenset[str]:
    """Small-letter words that pages of the engines print themselves, with the phrases by which walls are known."""
    phrases = [str(one.default) for kind in (UcozLayout, PhpbbLayout) for one in fields(kind) if one.name.endswith("words")]
    text = " ".join((_CALENDAR, _UCOZ, _PHPBB, _BUTTONS, *phrases)).lower()
    return frozenset(re.findall(r"[^\W\d_]+", text))
