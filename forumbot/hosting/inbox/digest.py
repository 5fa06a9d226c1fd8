"""Letters to the host: one before a deadline when something is doubtful, and one a day about every game."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from forumbot.hosting.core import outbox as outgoing
from forumbot.hosting.core import record, seating, troubles
from forumbot.hosting.core.record import GameRow
from forumbot.hosting.inbox import questions
from forumbot.settings import SitePart
from forumbot.store.atwork import LIVE_GAME, OPEN_REVIEW
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import deadlines, games, outbox, verdicts
from forumbot.store.tables import questions as questions_
from forumbot.writing.report import plural

_LISTED = 30
_QUESTIONS_AT = "10:00"
"""When the questions that wait are told once a day in a game that has no daily letter of its own."""
_STAGES = {"signup": "идёт запись", "setup": "розданы роли", "turn": "идёт"}


_OPEN = Prepared(
    sa.select(verdicts)
    .where(verdicts.c.game_id == sa.bindparam("game"), verdicts.c.turn == sa.bindparam("turn"), OPEN_REVIEW)
    .order_by(verdicts.c.at, verdicts.c.id)
)
_TURN = Prepared(sa.select(games.c.turn).where(games.c.id == sa.bindparam("game"), LIVE_GAME))


def open_reviews(connection: sa.Connection, game_id: str, turn: int) -> list[Row]:
    """Messages of this turn that wait for the host's decision, oldest first."""
    return _OPEN.rows(connection, game=game_id, turn=turn)


def reviews(connection: sa.Connection, game_id: str) -> list[Row]:
    """What waits for the host's decision in this game now: of the running turn alone, for its end has closed what stood open
    before. The same everywhere: desk, commands, letters."""
    turn = _TURN.value(connection, game=game_id)
    return [] if turn is None else open_reviews(connection, game_id, turn)


def closed_reviews(connection: sa.Connection, game_id: str) -> list[sa.RowMapping]:
    """What was never decided and is closed by the end of its turn, the last first."""
    now = {int(row["id"]) for row in reviews(connection, game_id)}
    mine = verdicts.c.game_id == game_id, verdicts.c.outcome == "review", verdicts.c.decided_by.is_(None)
    rows = connection.execute(sa.select(verdicts).where(*mine).order_by(verdicts.c.at.desc(), verdicts.c.id.desc())).mappings()
    return [row for row in rows if row["id"] not in now]


def tell_reviews(
    connection: sa.Connection, site: SitePart, row: GameRow, due: Row, zone: str, now: datetime
) -> bool:
    """One letter about everything doubtful before this deadline; none when nothing is. Gives whether there was one."""
    waiting = reviews(connection, row.id)
    asked = questions.waiting(connection, row.id)
    if not waiting:
        return False
    until = (due["due_at"] + timedelta(hours=row.config.review_hours)).astimezone(ZoneInfo(zone))
    listed = [f"№{one['id']} {one['author']}: «{_short(one['text'])}»" for one in waiting[:_LISTED]]
    if len(waiting) > _LISTED:
        listed.append(f"… и ещё {len(waiting) - _LISTED}")
    number = f"{len(waiting)} {plural(len(waiting), 'сообщение', 'сообщения', 'сообщений')}"
    text = "\n".join(
        (
            f"Игра «{row.id}»: до срока ({until:%d.%m %H:%M}) решите, как понимать {number}. "
            "Что не решено, не засчитывается.",
            "",
            *listed,
            "",
            f"Командой: forumbot review list --game {row.id}",
            *(("", "Ещё ждут вашего ответа:", *questions.listed(asked[:_LISTED])) if asked else ()),
        )
    )
    key = f"reviews/{row.id}/{due['turn']}/{due['name']}"
    troubles.tell_host(connection, site, key, f"{row.title}: решите до срока", text, now, game_id=row.id)
    return True


_HOUR = sa.func.coalesce(sa.func.json_extract(games.c.config, "$.digest_at"), "")
_ASKED = sa.exists().where(questions_.c.game_id == games.c.id, questions_.c.closed_at.is_(None))
_TOLD_DAILY = Prepared(
    sa.select(games.c.id, _HOUR.label("hour"), games.c.created_at)
    .where(LIVE_GAME, sa.or_(_HOUR != "", _ASKED))
    .order_by(games.c.id)
)
"""Games whose host gets a letter a day: at the hour that they name, or because questions wait."""


def send_due(connection: sa.Connection, site: SitePart, zone: str, now: datetime) -> int:
    """The daily letter of every game whose hour has come, once a day; gives how many were put in."""
    here = now.astimezone(ZoneInfo(zone))
    made = 0
    for game_id, said, created in _TOLD_DAILY.lists(connection):
        at = datetime.combine(here.date(), time.fromisoformat(said or _QUESTIONS_AT), tzinfo=here.tzinfo)
        key = f"digest/{game_id}/{here.date().isoformat()}"
        if here < at or created > at or outgoing.is_there(connection, key):
            continue
        row, asked = record.load(connection, game_id), questions.waiting(connection, game_id)
        text = digest(connection, row, zone, now) if row.config.digest_at else _asked(row, asked)
        troubles.tell_host(connection, site, key, f"{row.title}: за день", text, now, game_id=game_id)
        made += 1
    return made


def digest(connection: sa.Connection, row: GameRow, zone: str, now: datetime) -> str:
    """What happened in the last day and what waits for the host, as plain text."""
    since = now - timedelta(days=1)
    mine = verdicts.c.game_id == row.id, verdicts.c.judged_at > since
    read = _counts(connection, verdicts.c.outcome, *mine)
    states = _counts(connection, outbox.c.state, outbox.c.game_id == row.id)
    lines = [f"{row.title}: {_STAGES.get(row.stage, row.stage)}" + (f", день {row.turn}" if row.stage == "turn" else "")]
    if row.paused_at is not None:
        lines.append("Игра на паузе.")
    due = record.next_deadline(connection, row.id)
    if due is not None:
        held = " (задержан)" if due["held_since"] else ""
        lines.append(f"Ближайший срок: {due['due_at'].astimezone(ZoneInfo(zone)):%d.%m %H:%M}{held}")
    if row.stage == "turn":
        match = record.fold(connection, row)
        names = seating.load(connection, row.id).names()
        owing = [names.get(seat, seat) for seat, actions in match.ruleset.owing(match.game).items() if actions]
        lines.append(f"В игре: {len(match.ruleset.alive(match.game))} из {len(match.ruleset.seats(match.game))}")
        lines.append(f"Ещё не ходили: {', '.join(owing) or 'таких нет'}")
    lines.append(
        f"Прочитано за сутки: принято {read.get('accepted', 0)}, отказано {read.get('rejected', 0)}, "
        f"не ходы {read.get('ignored', 0)}"
    )
    lines.append(f"Ждут решения: {len(reviews(connection, row.id))}")
    lines.append(
        f"Исходящие: ждут отправки {states.get('waiting', 0) + states.get('sending', 0)}, "
        f"ждут вас {states.get('held', 0)}, не отправлены {states.get('failed', 0)}"
    )
    asked = questions.waiting(connection, row.id)
    if asked:
        lines += ["Ждут вашего ответа:", *questions.listed(asked[:_LISTED])]
    overdue = connection.execute(
        sa.select(sa.func.count())
        .select_from(deadlines)
        .where(deadlines.c.game_id == row.id, deadlines.c.done_at.is_(None), deadlines.c.held_since.is_not(None))
    ).scalar_one()
    if overdue:
        lines.append(f"Задержано сроков: {overdue}")
    return "\n".join(lines)


def _asked(row: GameRow, asked: list[Row]) -> str:
    """The letter about nothing but questions."""
    head = f"Игра «{row.id}»: вашего ответа ждут игроки. Ответить можно на пульте («Вопросы») или командой forumbot question."
    return "\n".join((head, "", *questions.listed(asked[:_LISTED])))


def _counts(
    connection: sa.Connection, what: sa.ColumnElement[str], *where: sa.ColumnElement[bool]
) -> dict[str, int]:
    rows = connection.execute(sa.select(what, sa.func.count()).where(*where).group_by(what)).all()
    return {str(name): int(number) for name, number in rows}


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else flat[:119] + "…"
