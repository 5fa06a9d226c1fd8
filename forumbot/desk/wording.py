"""Russian words of the desk for stages, outcomes, acts and states; words of the rules come from the game's own names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from forumbot.reading.explain import reason_text
from forumbot.writing.report import plural
from forumbot.writing.writer import Writer

STAGES: Mapping[str, str] = {
    "signup": "запись",
    "setup": "раздача ролей",
    "turn": "идёт",
    "over": "окончена",
    "cancelled": "не состоялась",
}
MODES: Mapping[str, str] = {
    "auto": "сам: публикует без вас",
    "host": "с ведущим: газета ждёт вас",
    "shadow": "тень: только смотрит",
}
SETTINGS: Mapping[str, str] = {
    "mode": "режим",
    "section": "раздел форума",
    "theme": "сцены газеты",
    "hosts": "ники ведущих",
    "remind_hours": "напоминать игрокам за столько часов",
    "review_hours": "писать ведущему за столько часов",
    "digest_at": "час ежедневной сводки",
    "count_every_votes": "счёт в тему после стольких голосов",
    "count_every_hours": "счёт в тему через столько часов",
    "approve_until": "до какого часа газета ждёт ведущего",
    "day_topics": "темы дней",
    "accounts_topic": "тема счетов игры",
    "first_day": "первый день игры",
    "signup.closes": "конец записи",
}
OUTCOMES: Mapping[str, str] = {"accepted": "принято", "review": "проверить", "ignored": "не ход", "rejected": "отказ"}
CHANNELS: Mapping[str, str] = {"post": "тема", "letter": "письмо", "pm": "ЛС", "mail": "письмо"}
ROLES: Mapping[str, str] = {"host": "ведущий", "cohost": "помощник", "observer": "наблюдатель"}
STATES: Mapping[str, str] = {
    "waiting": "ждёт очереди",
    "sending": "отправляется",
    "sent": "отправлено",
    "failed": "не ушло",
    "held": "ждёт вас",
    "shadow": "только показано",
}
OUT_KINDS: Mapping[str, str] = {
    "topic": "новая тема",
    "post": "в тему",
    "edit": "правка первого сообщения",
    "pm": "ЛС",
    "letter": "письмо",
}
CALLS: Mapping[str, str] = {
    "signup": "конец записи",
    "mark": "отметка",
    "close": "подведение итогов",
    "announce": "публикация",
    "remind": "напоминание",
    "review": "письмо ведущему",
    "digest": "сводка ведущему",
}
ROUTES: Mapping[str, str] = {
    "unknown_sender": "отправитель неизвестен",
    "not_proven": "подлинность письма не подтверждена",
    "unproven": "подлинность письма не подтверждена",
    "denied": "письмо пришло не с того адреса, который в нём назван",
    "shared": "адрес привязан у нескольких игроков",
    "old_code": "код больше не действует",
    "which_game": "неясно, о какой игре",
    "robot": "автоответ",
    "broken": "слишком сложное для бота",
    "uid": "по учётной записи",
    "address": "по адресу",
    "proof": "по коду",
    "code": "просит код для почты",
}
_MORE: Mapping[str, str] = {
    "stranger": "пишет не участник",
    "host_post": "пишет ведущий",
    "vanished": "сообщение исчезло из темы",
    "hidden_text": "в сообщении есть текст, скрытый от бота",
    "strange_notice": "под сообщением пометка форума, которой бот не знает: правка это или нет (edited_words, activated_words)",
    "too_complicated": "слишком сложно для бота, прочтите сами",
    "too_large": "письмо слишком большое, бот прочёл не всё",
    "no_turn": "сейчас нет хода",
    "removed": "снят ведущим",
    "leave": "выход из игры",
    "abort": "прекращение игры",
    "remove": "снятие с игры",
    "grade": "оценка рассказа",
    "grant": "начисление монет",
    "choose_story": "выбор рассказа",
    "host_remove": "снятие с игры",
    "host_fine": "штраф",
    "host_violation": "нарушение",
    "host_disqualify": "дисквалификация",
    "host_undo": "отмена наказания",
    "words": "счёт слов",
    "opening": "начальный счёт",
    "buy": "покупка",
    "sell": "продажа",
    "fine": "штраф",
    "conversion": "обмен баллов",
    "points": "за баллы",
}
_BEFORE: Mapping[str, str] = {"remind": "Напоминание", "review": "Проверка"}
_MARKS: Mapping[str, str] = {"signup": "Запись", "setup": "Раздача", "close": "Итоги", "lynch": "Голосование", "night": "Ночь"}


def word(writer: Writer, group: str, id_: str | None) -> str:
    """The game's own word, else one of the reading or of the desk, else the id as it is."""
    if not id_:
        return ""
    if group == "marks":
        return _mark(writer, id_)
    found = writer.word(group, id_)
    if found != id_:
        return found
    if group == "reasons":
        text = reason_text(id_)
        return _MORE.get(id_, id_) if text.endswith(f": {id_}") else text
    return _MORE.get(id_, id_)


def _mark(writer: Writer, name: str) -> str:
    """The name of a deadline: a mark of the rules, or what the bot does some time before one."""
    what, _, base = name.rpartition("/")
    found = writer.word("marks", base)
    named = found.removesuffix(" по").removesuffix(" до") if found != base else _MARKS.get(base, base)
    return f"{_BEFORE.get(what, what)}: {named}" if what else named


def struck(why: str) -> str:
    """Why an input no longer counts, or who decided a review: an act of the host has a number, other reasons are words."""
    return f"действие ведущего №{why.removeprefix('act:')}" if why.startswith("act:") else why


def number(value: Any) -> str:
    """A weight or sum without a needless fraction."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".").replace(".", ",")
    return str(value)


def counted(count: int, one: str, few: str, many: str) -> str:
    """ "3 игрока"."""
    return f"{count} {plural(count, one, few, many)}"


def left(until: datetime, now: datetime) -> str:
    """How long it is to a moment, in words."""
    seconds = int((until - now).total_seconds())
    if seconds <= 0:
        return "срок наступил"
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    if days:
        return f"осталось {days} д {hours} ч"
    if hours:
        return f"осталось {hours} ч {minutes} мин"
    return f"осталось {minutes} мин" if minutes else f"осталось {seconds} с"


def pieces(text: str, orders: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """The words that were read, cut where a verdict rests on some of them: (text, what), ``what`` empty for the rest."""
    marks = [""] * len(text)
    for order in orders:
        for start, end, what in order.get("spans", ()):
            for place in range(max(0, start), min(len(text), end)):
                marks[place] = what
    found: list[tuple[str, str]] = []
    for sign, what in zip(text, marks, strict=True):
        if found and found[-1][1] == what:
            found[-1] = found[-1][0] + sign, what
        else:
            found.append((sign, what))
    return found
