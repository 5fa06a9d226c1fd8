"""Why a message was read so, in words for the host."""

from __future__ import annotations

from collections.abc import Mapping

_REASONS: Mapping[str, str] = {
    "ambiguous_nick": "ник подходит нескольким игрокам или прочитан неуверенно",
    "ambiguous_action": "не сказано, какой из ходов роли",
    "two_targets": "названо несколько игроков там, где нужен один",
    "conditional": "поставлено условие",
    "subjunctive": "сказано предположительно («бы»)",
    "unsure": "игрок сам не уверен",
    "as_before": "«как раньше» - кого, не сказано",
    "pronoun": "сказано «его», «её» - кого, не сказано",
    "as_others": "«как другие» - кого, не сказано",
    "past": "речь о прошлом",
    "question": "это похоже на вопрос",
    "joke": "игрок пишет, что шутит",
    "no_target": "не назван игрок",
    "no_action": "назван игрок, но не сказано, что с ним делать",
    "thing": "на месте ника стоит обычное слово",
    "unclear": "слова вокруг ника меняют смысл",
    "unclear_target": "рядом с ходом несколько имён",
    "partial_colour": "цветом выделено слово, но не ник",
    "between_quotes": "слова стоят в кавычках или между строками цитаты",
    "contradiction": "сказано и одно, и другое",
    "for_others": "речь и о ком-то другом",
    "no_performer": "не сказано, кто из клана идёт",
    "incomplete": "список неполный",
    "third_person": "сказано о ком-то другом: кто это делает?",
    "taken_back": "что-то берётся назад: что именно?",
    "no_coins": "не сказано, сколько монет",
    "no_item": "не сказано, что именно",
    "no_pay": "не сказано, чем платит",
    "no_role": "не сказана роль",
    "aids_or_not": "лечение или лечение СПИДа, не сказано",
    "unpaid": "не сказано, что это оплачено",
    "announced": "это только обещание",
    "reported": "пересказаны чужие слова",
    "cannot_judge": "правила не могут это проверить",
    "too_long": "сообщение слишком длинное, прочтите его сами",
    "unknown_nick": "такого игрока нет",
    "no_story": "нет рассказа",
    "not_highlighted": "не выделено нужным цветом",
    "not_blue": "не выделено синим",
    "edited": "сообщение правлено",
    "public_only": "голоса принимаются только в теме",
    "private_only": "такое шлют только ведущему лично",
    "not_playing": "пишущий не играет",
    "unexplained": "рядом с ходом есть слова, которых программа не знает",
    "subordinate": "ход стоит в придаточном: решено ли это, не сказано",
    "draft": "это похоже на черновик или пример",
    "frame": "слова вокруг говорят, что это не ход",
    "another_time": "речь о другом дне",
    "judged": "это оценка, а не ход",
    "let_it_be": "«пусть» - это пожелание",
    "not_mine": "речь о чужом голосе",
    "told": "это рассказ",
    "complaint": "игрок спорит с тем, что было",
    "agitation": "это призыв к другим",
    "somebody": "не сказано, кого именно",
    "sum": "сумма сказана неясно",
    "irony": "это похоже на иронию",
    "denied": "сказано «не»",
    "second_thought": "дальше игрок передумывает",
    "layout": "похоже на другую раскладку клавиатуры",
}


def reason_text(reason: str | None) -> str:
    """A reason of the reading in Russian; a reason of the rules keeps its id."""
    return _REASONS.get(reason or "", f"по правилам: {reason}" if reason else "")


_CLASSES: Mapping[str, str] = {
    "action": "слово хода",
    "hint": "слово хода",
    "nick": "ник",
    "role": "роль",
    "taught": "выучено у ведущего",
    "aside": "сказано к слову",
    "number": "число",
    "coins": "сумма",
    "particle": "частица",
    "time_of_this_turn": "время этого хода",
    "again": "повтор",
    "politeness": "вежливость",
    "greeting": "приветствие",
    "address": "обращение",
    "epithet": "о цели хода",
    "manner": "как",
    "wish": "желание",
    "intent": "«мой ход»",
    "myself": "о себе",
    "sign_off": "конец письма",
}


def class_text(by: str) -> str:
    """The class of a word that was understood (``Explained.by``) in Russian, without what it names."""
    return _CLASSES.get(by.partition(":")[0], "служебное слово")
