"""The acts of the desk as a table: what an act is called, what its form brings, and where it is asked twice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.turn import Spec

ORDER_TARGETS = 4
"""How many targets the form of an order can take."""

NUMBER_MOST = 10**18
"""Numbers of the database are smaller; neither is one without end, nor what is none."""

HOURS_MOST = 10_000
"""Deadlines are shifted by less than a year."""

YEARS = (2000, 2100)
"""From the first to before the second: the years in which games are played."""

Form = Mapping[str, Sequence[str]]


class BadForm(Exception):
    """A form that cannot be understood; one Russian sentence."""


@dataclass(frozen=True, slots=True)
class Act:
    """One kind of act. ``fields``: name -> int, float, text, nick, many (several values), bool, moment; "?" after it: may be
    left out. ``hurts``: why it is asked a second time, empty where one tap is enough and can be taken back."""

    title: str
    fields: Mapping[str, str]
    hurts: str = ""


_OUTBOX = {"outbox": "int", "version": "text?"}
_ORDER = {"player": "nick", "action": "text", "targets": "many?", "turn": "int?"}

ACTS: Mapping[str, Act] = {
    "accept": Act("Принять прочтение", {"verdict": "int", "choice": "int?"}),
    "reject": Act("Это не ход", {"verdict": "int"}),
    "strike": Act("Не засчитывать", {"verdict": "int"}, "Ходы и голоса из этого сообщения перестанут считаться."),
    "order": Act("Внести ход за игрока", _ORDER),
    "host": Act("Решение ведущего", _ORDER, "Это мера ведущего: она сразу войдёт в игру, и игрок о ней узнает."),
    "force": Act(
        "Решить жеребьёвку",
        {"point": "text", "values": "many", "turn": "int?"},
        "Этот жребий бот тянуть не будет: выйдет то, что вы назвали.",
    ),
    "remove": Act(
        "Снять с игры", {"player": "nick", "wish": "bool?", "question": "int?"}, "Игрок выбывает; его голос и ходы не исполнятся."
    ),
    "warn": Act("Предупредить", {"player": "nick", "text": "text"}, "Игрок получит ваше предупреждение письмом или в ЛС."),
    "write": Act("Написать игроку", {"player": "nick", "text": "text"}),
    "teach": Act("Научить слову", {"word": "text", "way": "text", "value": "text?", "everywhere": "bool?"}),
    "forget": Act("Забыть слово", {"taught": "int"}),
    "answer": Act("Ответить", {"question": "int", "text": "text"}),
    "heard": Act("Отвечать не нужно", {"question": "int"}),
    "seat": Act(
        "Записать игрока",
        {"nick": "text?", "uid": "int?"},
        "Бот запишет этого участника форума и напишет ему. Проверьте, что это он.",
    ),
    "unseat": Act("Вычеркнуть из записи", {"player": "nick", "text": "text?", "question": "int?"}, "Место в игре освободится."),
    "replace": Act(
        "Заменить игрока",
        {"player": "nick", "nick": "text?", "uid": "int?", "question": "int?"},
        "Роль и голоса перейдут к новому игроку, прежний потеряет все права.",
    ),
    "bar": Act(
        "Не допускать к партиям",
        {"nick": "text", "uid": "int?", "until": "moment?", "text": "text?"},
        "Бот откажет ему в записи и на замену во всех партиях и скажет за что.",
    ),
    "unbar": Act("Снять запрет", {"bar": "int"}),
    "alias": Act("Запомнить написание ника", {"player": "nick", "alias": "text"}),
    "gender": Act("Говорить об игроке", {"player": "nick", "gender": "text"}),
    "bind": Act(
        "Привязать адрес",
        {"player": "nick", "address": "text"},
        "Письма с этого адреса станут ходами игрока. Проверьте, что адрес и вправду его.",
    ),
    "pause": Act("Поставить на паузу", {}, "Сроки остановятся, итоги не будут подведены, пока вы не продолжите."),
    "resume": Act("Продолжить", {}),
    "extend": Act("Сдвинуть все сроки", {"hours": "float"}),
    "move": Act("Перенести срок", {"deadline": "int", "at": "moment", "due_at": "moment?"}),
    "resolve": Act(
        "Подвести итоги сейчас",
        {"deadline": "int", "due_at": "moment?"},
        "Ближайший срок наступит немедленно; кто не успел, тот не успел.",
    ),
    "release": Act("Выпустить", _OUTBOX),
    "keep": Act("Придержать", _OUTBOX),
    "edit": Act("Поправить текст", _OUTBOX | {"body": "text"}),
    "retry": Act("Отправить ещё раз", _OUTBOX),
    "posted": Act("Я опубликовал сам", _OUTBOX, "Бот этого уже не отправит."),
    "set": Act("Изменить настройку игры", {"key": "text", "value": "text?"}),
    "rules": Act("Написать правила игрокам", {}),
    "prologue": Act("Пролог газеты", {"turn": "int?", "text": "text?", "another": "int?"}),
    "undo": Act("Отменить действие", {"act": "int"}),
}


CORRECT = "correct"
CORRECTING = ("accept", "strike", "order", "host", "remove", "force")
"""Acts that change a turn which was resolved already: such a one becomes a correction."""

_TITLES = {CORRECT: "Исправить ход", "access": "Изменить доступ"}
CORRECTION_HURTS = (
    "Этот ход уже подведён. Он будет подведён заново: прежняя газета помечена как заменённая, игроки узнают, что изменилось, "
    "начисления пересчитаны."
)


AT_ONCE_HURTS = "Час одного из сроков уже прошёл: его итог будет подведён сразу же."


def title(kind: str) -> str:
    """What a kind of act is called; one that the desk has no form for keeps its id."""
    return ACTS[kind].title if kind in ACTS else _TITLES.get(kind, kind)


def correction(kind: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """The payload of a correction that consists of this one act."""
    seen = {"seen": made["seen"]} if "seen" in made else {}
    return {"changes": [{"kind": kind, **{key: value for key, value in made.items() if key != "seen"}}], **seen}


def hurts(kind: str, payload: Mapping[str, Any]) -> str:
    """Why this act is asked a second time; empty when it is not."""
    if kind == CORRECT:
        return CORRECTION_HURTS
    if kind == "extend" and payload["hours"] < 0:
        return "Сроки станут ближе: кто рассчитывал на прежние, может не успеть."
    return ACTS[kind].hurts


def payload(kind: str, form: Form, spec: Spec) -> dict[str, Any]:
    """The act's payload from its form. Raises BadForm for a kind or a field that is not understood."""
    if kind not in ACTS:
        raise BadForm("Такого действия нет.")
    found: dict[str, Any] = {}
    for name, how in ACTS[kind].fields.items():
        values = [value.strip() for value in form.get(name, ()) if value.strip()]
        if not values and how.endswith("?"):
            continue
        if not values and how != "text":
            raise BadForm(f"«{ACTS[kind].title}»: не заполнено одно из полей.")
        found[name] = _value(how.removesuffix("?"), values)
    if kind == "set":
        found = {"settings": {found["key"]: found.get("value", "")}}
    seen = _seen(form)
    if seen:
        found["seen"] = seen
    if kind in ("order", "host"):
        found["args"] = _args(found.get("action", ""), form, spec)
    return found


def _seen(form: Form) -> dict[str, Any]:
    """What the page showed, as it gave it to its forms. Raises BadForm for anything else."""
    said = next((value for value in form.get("seen", ()) if value), "")
    if not said:
        return {}
    try:
        found = json.loads(said)
        numbers = [found[key] for key in ("act", "verdict", "out")]
        deadline, due_at = found["deadline"], found["due_at"]
        if deadline is not None:
            numbers.append(deadline)
            _moment(due_at)
        if any(type(number) is not int or abs(number) >= NUMBER_MOST for number in numbers):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BadForm("Страница устарела: вернитесь назад, обновите её и попробуйте ещё раз.") from error
    return {"act": found["act"], "deadline": deadline, "due_at": due_at, "verdict": found["verdict"], "out": found["out"]}


def _moment(said: str) -> datetime:
    """A moment of this century. Raises ValueError for others: from some of them no other can be reckoned."""
    at = datetime.fromisoformat(said)
    if not YEARS[0] <= at.year < YEARS[1]:
        raise ValueError
    return at


def arg_kind(spec: Spec, action: str, name: str) -> str:
    """What stands in an argument of an action: role, action, nick, item, faction, int, bool, text or any."""
    return spec.args.get(action, {}).get(name, "any")


def is_list(spec: Spec, action: str, name: str) -> bool:
    """Whether an argument takes several ids: goldenkey's list of the clan's roles does, and its name says so."""
    return name.endswith("s") and arg_kind(spec, action, name) in ("role", "action", "nick", "item", "faction")


def _args(action: str, form: Form, spec: Spec) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in spec.args.get(action, {}):
        values = [value.strip() for value in form.get(f"arg.{name}", ()) if value.strip()]
        if values:
            kind = arg_kind(spec, action, name)
            made = [_value(kind if kind in ("int", "bool") else "text", [value]) for value in values]
            found[name] = made if is_list(spec, action, name) else made[0]
    return found


def _value(how: str, values: Sequence[str]) -> Any:
    try:
        match how:
            case "int":
                number = int(values[0])
                if abs(number) >= NUMBER_MOST:
                    raise ValueError
                return number
            case "float":
                amount = float(values[0].replace(",", "."))
                if not abs(amount) <= HOURS_MOST:
                    raise ValueError
                return amount
            case "many":
                return list(values)
            case "bool":
                return values[0] == "yes"
            case "moment":
                return _moment(values[0]).isoformat()
            case _:
                return values[0].replace("\r\n", "\n") if values else ""
    except ValueError as error:
        raise BadForm(f"«{values[0][:40]}» здесь не годится: нужно число или время.") from error
