"""The sign-up thread: who plays, who hesitates, who only talks; and the letters that prove addresses."""

from __future__ import annotations

from datetime import datetime, timedelta

from forumbot.demo.games.model import Frame
from forumbot.demo.players import MOSCOW, Company
from forumbot.demo.saying import Saying, Wish

_WORDS = (
    "играю",
    "Играю!",
    "+",
    "записываюсь",
    "Записываюсь, соскучился по вам",
    "Запишите меня, пожалуйста",
    "я в игре",
    "Играю, давно не виделись",
)
_COLOURED = ("Играю", "играю")
_LEAVING = ("снимаюсь с игры", "Снимаюсь с игры, простите")
_BACK = ("играю", "Играю!")
_TALK = (
    "А много ли народу собирается?",
    "Ура, наконец-то новая партия!",
    "Удачи всем. Сам в этот раз только почитаю.",
    "Ведущий, правила те же, что в прошлый раз?",
)
_PROOF = ("Мой код: {code}", "{code}", "Здравствуйте! Подтверждаю адрес, код {code}", "Код {code}. С этого ящика и буду писать.")


def sign_ups(company: Company, frame: Frame, outsider: str) -> list[Saying]:
    """Everybody signs up in the order of the company; one leaves and comes back, others only talk."""
    company.begin("signup")
    start = frame.starts.replace(tzinfo=MOSCOW) + timedelta(minutes=20)
    names = list(company.actors)
    times = company.moments(start, start + timedelta(hours=5), len(names) + 6)
    said = [_yes(company, frame, name, at, _WORDS) for name, at in zip(names, times, strict=False)]
    later = times[len(names) :]
    fickle = company.random.choice(names)
    said.append(_said(frame, fickle, later[1], company.say(_LEAVING), Wish("unsignup")))
    said.append(_yes(company, frame, fickle, later[3], _BACK))
    for at, name in ((later[0], company.random.choice(names)), (later[2], outsider)):
        said.append(Saying(name, at, "post", company.say(_TALK), topic="signup", outsider=name == outsider))
    return sorted(said, key=lambda one: one.at)


def _yes(company: Company, frame: Frame, name: str, at: datetime, phrasings: tuple[str, ...]) -> Saying:
    text = company.say(_COLOURED if frame.colour else phrasings)
    return _said(frame, name, at, text, Wish("signup"))


def _said(frame: Frame, name: str, at: datetime, text: str, wish: Wish) -> Saying:
    shown = f"[color={frame.colour}]{text}[/color]" if frame.colour else text
    return Saying(name, at, "post", shown, "order", (wish,), topic="signup")


def proof(company: Company, name: str, at: datetime, code: str) -> Saying:
    """The letter that shows whose address it is."""
    return Saying(name, at, "letter", company.say(_PROOF, code=code), subject="код")


def seats(said: list[Saying]) -> tuple[str, ...]:
    """Who plays by what was meant, in the order of the roster: who comes back sits down last."""
    order: list[str] = []
    for one in sorted((one for one in said if one.sent and one.topic == "signup"), key=lambda one: str(one.sent)):
        if one.means != "order" or one.outsider:
            continue
        if one.wishes[0].action == "signup" and one.author not in order:
            order.append(one.author)
        elif one.wishes[0].action == "unsignup" and one.author in order:
            order.remove(one.author)
    return tuple(order)
