"""Settings of a running game: what differs from its file, what may still be changed, and the recorded act that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from forumbot.hosting.core import modes, schedule
from forumbot.hosting.core.acting import Context, Refused, Undo
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.core.record import REMINDERS, SIGNUP, GameRow, load
from forumbot.hosting.turns import reminding, rescheduled
from forumbot.settings import Game, SettingsError, changed
from forumbot.store.tables import deadlines, games, turns
from forumbot.writing import themes

FREE = (
    "mode",
    "section",
    "theme",
    "hosts",
    "remind_hours",
    "review_hours",
    "digest_at",
    "count_every_votes",
    "count_every_hours",
    "approve_until",
    "day_topics",
)
"""Settings that may change as long as the game goes on."""
UNTIL_DEAL = ("first_day", "signup.closes")
"""Dates that may change while they are to come."""
_WHY: Mapping[str, str] = {
    "id": "имя игры стоит в темах её писем и во всей базе",
    "title": "название стоит в темах, которые уже открыты",
    "ruleset": "по этим правилам игроки записались",
    "tables": "это правила, по которым игроки записались; они заморожены, когда игра вошла в базу",
    "seed": "от него зависят все жребии игры",
    "accounts_topic": "тема со счетами общая у всех партий раздела, её заводят вместе с партией",
    "signup.running_list": "как показывать запись, решают, когда открывают её",
    "signup.topic": "эта тема записи уже читается",
}
_OVER = "эта дата уже прошла"
_ENDED = "игра окончена"


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting whose value in the file is not the one that holds. ``why``: why it cannot change; empty where it can."""

    key: str
    holds: Any
    said: Any
    why: str

    def sentence(self) -> str:
        """In the host's words."""
        tail = f"не изменится: {self.why}" if self.why else "применить: «forumbot game set --from-file»"
        return f"{self.key}: в файле {_shown(self.said)}, в игре {_shown(self.holds)}; {tail}"


def differences(row: GameRow, file: Game) -> tuple[Difference, ...]:
    """What the game's file says otherwise than the game itself has it, in the order of the settings."""
    holds, said = flat(row.config), flat(file)
    return tuple(Difference(key, holds[key], said[key], refusal(row, key)) for key in holds if holds[key] != said[key])


def of_file(connection: sa.Connection, file: Game) -> tuple[Difference, ...]:
    """The same for a game that goes on; nothing for one that is over or has not begun."""
    known = connection.execute(sa.select(games.c.stage).where(games.c.id == file.id)).scalar()
    return () if known in (None, "over", "cancelled") else differences(load(connection, file.id), file)


def refusal(row: GameRow, key: str) -> str:
    """Why this setting of the game cannot be changed; empty when it can."""
    if key in _WHY:
        return _WHY[key]
    if row.stage in ("over", "cancelled"):
        return _ENDED
    return _OVER if key in UNTIL_DEAL and row.stage != SIGNUP else ""


def flat(config: Game) -> dict[str, Any]:
    """Every setting by its name, those of [signup] as ``signup.closes``."""
    data = config.model_dump(mode="json")
    signup = data.pop("signup")
    return data | {f"signup.{key}": value for key, value in signup.items()}


def change(context: Context, payload: Mapping[str, Any]) -> Undo:
    """``settings``: name -> new value. All of them change, or none."""
    wanted = dict(payload["settings"])
    if not wanted:
        raise Refused("не сказано, какую настройку изменить")
    known = flat(context.row.config)
    for key in wanted:
        if key not in known:
            raise Refused(f"настройки «{key}» у игры нет; есть: {', '.join((*FREE, *UNTIL_DEAL))}")
        why = refusal(context.row, key)
        if why:
            raise Refused(f"{key} не меняется: {why}")
    try:
        config = changed(context.row.config, wanted)
    except SettingsError as error:
        raise Refused(str(error)) from error
    new = flat(config)
    before = {key: known[key] for key in wanted if new[key] != known[key]}
    if not before:
        raise Refused("так и стоит: ничего не изменилось")
    _to_come(context, config, before)
    done: dict[str, Any] = {"settings": before, "set": {key: new[key] for key in before}}
    shown = {"section_title": payload["section_title"]} if payload.get("section_title") else {}
    return done | shown | _put(context, config, before)


def take_back(context: Context, done: Undo) -> None:
    """The settings that an act has changed are what they were, unless they were changed again."""
    now = flat(context.row.config)
    again = [key for key, value in done["set"].items() if now[key] != value]
    if again:
        raise Refused(f"{', '.join(again)}: настройка с тех пор менялась ещё раз, отмените сначала то действие")
    for key in done["settings"]:
        why = refusal(context.row, key)
        if why:
            raise Refused(f"{key} уже не вернуть: {why}")
    _put(context, changed(context.row.config, done["settings"]), done["settings"])


def _to_come(context: Context, config: Game, before: Mapping[str, Any]) -> None:
    zone = ZoneInfo(context.voice.zone)
    if "signup.closes" in before and _aware(config.signup.closes, zone) <= context.now:
        raise Refused("signup.closes: этот час уже прошёл; закрыть запись сейчас - действие «подвести итоги сейчас»")
    if "first_day" in before and config.first_day is not None and config.first_day < context.now.astimezone(zone).date():
        raise Refused("first_day: этот день уже прошёл")


def _put(context: Context, config: Game, keys: Mapping[str, Any]) -> dict[str, Any]:
    """Write the settings down with all that follows from them; gives what the undoing needs."""
    connection, row = context.connection, context.row
    values: dict[str, Any] = {"config": config.model_dump(mode="json")}
    if "theme" in keys:
        try:
            scenes = themes.gather(config.theme, context.voice.own)
        except FileNotFoundError as error:
            raise Refused(f"темы «{config.theme}» нет; есть: {', '.join(themes.names(context.voice.own))}") from error
        values["templates"] = {key: text for key, text in row.templates.items() if key != themes.FILE} | scenes
    before = rescheduled.moments(context)
    connection.execute(games.update().where(games.c.id == row.id).values(values))
    if "signup.closes" in keys:
        mine = deadlines.c.game_id == row.id, deadlines.c.call == SIGNUP, deadlines.c.done_at.is_(None)
        number = connection.execute(sa.select(deadlines.c.id).where(*mine)).scalar_one()
        schedule.put(connection, number, _aware(config.signup.closes, ZoneInfo(context.voice.zone)))
        rescheduled.tell(context, rescheduled.MOVED, before)
    if not {"remind_hours", "review_hours"}.isdisjoint(keys):
        _remind_anew(context, config)
    return {}


def _remind_anew(context: Context, config: Game) -> None:
    """Reminders of the running turn that are to come stand at their new hours."""
    connection, row = context.connection, context.row
    if row.turn == SETUP_TURN or config.mode == modes.SHADOW:
        return
    mine = deadlines.c.game_id == row.id, deadlines.c.turn == row.turn, deadlines.c.done_at.is_(None)
    connection.execute(deadlines.delete().where(*mine, deadlines.c.call.in_(REMINDERS)))
    opened = connection.execute(
        sa.select(turns.c.opened_at).where(turns.c.game_id == row.id, turns.c.turn == row.turn)
    ).scalar_one()
    for name, call, at in reminding.anew(context.row, config, schedule.dues(connection, row.id, row.turn), opened):
        if at > context.now:
            schedule.add(connection, row.id, row.turn, name, call, at)


def _aware(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def _shown(value: Any) -> str:
    if value in (None, "", [], {}):
        return "пусто"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{len(value)} настр." if isinstance(value, Mapping) else str(value)
