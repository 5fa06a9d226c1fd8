"""What the players of all rulesets have in common: letters in packets, politeness, talk in the thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from forumbot.demo.players import Company
from forumbot.demo.saying import Channel, Means, Saying, Wish

UNPLANNED = datetime.min
"""The moment of a message whose turn in its packet has not come yet."""
HELLO = ("", "", "", "Добрый вечер!\n", "Ведущий, привет.\n", "Доброй ночи.\n", "Здравствуйте, это снова я.\n")
BYE = ("", "", "", "\nСпасибо!", "\nНадеюсь, успеваю.", "\nУдачи всем.", "\nИ хватит на сегодня.")
SUBJECTS = ("ход", "Ход", "мафия", "игра", "Ночь", "привет", "")
QUESTIONS = (
    "Подскажите, во сколько выйдет газета?",
    "Спасибо за игру, очень нравится!",
    "А если я заболею, можно замену?",
    "Здравствуйте! Вчерашнее письмо дошло?",
)
ABSENT = "Здравствуйте! Я в отпуске до понедельника, связи не будет. Отвечу, когда вернусь."


def letter(
    company: Company,
    seat: str,
    text: str,
    means: Means = "nothing",
    *wishes: Wish,
    at: datetime = UNPLANNED,
    subject: str | None = None,
) -> Saying:
    """A private message to the host, mostly by the way its author prefers."""
    channel: Channel = company.actors[seat].private if company.chance(0.85) else "pm"
    return Saying(seat, at, channel, text, means, wishes, company.say(SUBJECTS) if subject is None else subject)


def polite(company: Company, text: str) -> str:
    """The text with a greeting or a goodbye around it, as it comes."""
    return company.say(HELLO) + text + company.say(BYE)


def post(
    seat: str, text: str, means: Means = "nothing", *wishes: Wish, at: datetime = UNPLANNED, quote_of: str | None = None
) -> Saying:
    """A post in the day's thread."""
    return Saying(seat, at, "post", text, means, wishes, quote_of=quote_of)


def robot(company: Company, seat: str) -> Saying:
    """What the author's mail program sends by itself."""
    return Saying(seat, UNPLANNED, "letter", ABSENT, subject="Автоответ", robot=True)


def laid_out(company: Company, packets: Sequence[Sequence[Saying]], start: datetime, end: datetime) -> list[Saying]:
    """All packets mixed over the time between the two moments; the messages of one packet keep their order."""
    queues = [list(packet) for packet in packets if packet]
    number = sum(len(queue) for queue in queues)
    times: Iterator[datetime] = iter(company.moments(start, end, number))
    said: list[Saying] = []
    while queues:
        queue = company.random.choice(queues)
        one = queue.pop(0)
        one.at = next(times)
        said.append(one)
        queues = [kept for kept in queues if kept]
    return said


def others(living: Sequence[str], *without: str) -> list[str]:
    """The living but these; when nobody is left, all of them."""
    return [seat for seat in living if seat not in without] or list(living)
