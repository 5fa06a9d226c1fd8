"""The list of games, and one game as it is now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import accounts, outnames, pictures, series, wording
from forumbot.desk.core import Asked
from forumbot.desk.rights import may
from forumbot.hosting.acts import gamesettings
from forumbot.hosting.core import counting, record
from forumbot.hosting.explain import victories
from forumbot.hosting.inbox import digest, questions
from forumbot.settings import SettingsError, load_games
from forumbot.store.atwork import LIVE_GAME, OPEN_DEADLINE, OPEN_REVIEW, SETTLED, one_of
from forumbot.store.prepared import Prepared
from forumbot.store.tables import deadlines, outbox, troubles, turns, verdicts
from forumbot.store.tables import games as games_table


def games(asked: Asked) -> Response:
    """The visitor's games, the running ones first."""
    connection = asked.connection
    dues, doubtful, stuck = _next_dues(connection), _doubtful(connection), _stuck(connection)
    found: list[dict[str, Any]] = []
    for row in _GAMES.rows(connection):
        role = asked.who.role(row["id"])
        if role is None:
            continue
        due = dues.get(row["id"])
        found.append(
            {
                "id": row["id"],
                "title": row["title"],
                "stage": wording.STAGES.get(row["stage"], row["stage"]),
                "live": row["stage"] not in ("over", "cancelled"),
                "turn": row["turn"] if row["stage"] == "turn" else None,
                "paused": row["paused_at"] is not None,
                "role": wording.ROLES[role],
                "due": due,
                "left": wording.left(due, asked.now) if due else "",
                "reviews": doubtful.get(row["id"], 0),
                "held": stuck.get((row["id"], "held"), 0),
                "failed": stuck.get((row["id"], "failed"), 0),
            }
        )
    found.sort(key=lambda game: not game["live"])
    start = max(0, asked.number("from") or 0)
    wrong = _troubles(asked, None) if may(asked.account, "stray", live=accounts.live_games(connection)) else []
    return asked.page("games.html", games=found[start : start + PAGE], troubles=wrong, start=start, size=PAGE, total=len(found))


PAGE = 50
"""Games on one page of the list."""
_GAMES = Prepared(
    sa.select(*(games_table.c[name] for name in ("id", "title", "stage", "turn", "paused_at")))
    .order_by(games_table.c.created_at.desc())
)  # fmt: skip
_DUES = Prepared(
    sa.select(deadlines.c.game_id, sa.func.min(deadlines.c.due_at, type_=deadlines.c.due_at.type).label("due_at"))
    .where(OPEN_DEADLINE, deadlines.c.call.not_in(sa.literal_column(f"'{call}'") for call in record.REMINDERS))
    .group_by(deadlines.c.game_id)
)
_DOUBTFUL = Prepared(
    sa.select(verdicts.c.game_id, sa.func.count())
    .join(games_table, sa.and_(games_table.c.id == verdicts.c.game_id, games_table.c.turn == verdicts.c.turn))
    .where(OPEN_REVIEW, LIVE_GAME)
    .group_by(verdicts.c.game_id)
)
_STUCK = Prepared(
    sa.select(outbox.c.game_id, outbox.c.state, sa.func.count())
    .where(SETTLED, one_of(outbox.c.state, "held", "failed"))
    .group_by(outbox.c.game_id, outbox.c.state)
)


def _next_dues(connection: sa.Connection) -> dict[str, datetime]:
    """Game -> its next deadline, for those that have one."""
    return {str(game_id): due_at for game_id, due_at in _DUES.lists(connection)}


def _doubtful(connection: sa.Connection) -> dict[str, int]:
    """Game -> how many messages of its running turn wait for the host's decision (``digest.reviews``)."""
    return {str(game_id): int(number) for game_id, number in _DOUBTFUL.lists(connection)}


def _stuck(connection: sa.Connection) -> dict[tuple[str, str], int]:
    """Game and state (held, failed) -> how many of its texts are not sent until somebody does something about them."""
    return {(game_id, state): number for game_id, state, number in _STUCK.lists(connection)}


def now(asked: Asked) -> Response:
    return asked.page("now.html", tab="now", **_now(asked))


def now_fragment(asked: Asked) -> Response:
    """The part of the page that is fetched again by itself."""
    return asked.page("now_fragment.html", **_now(asked))


def _now(asked: Asked) -> dict[str, Any]:
    connection, row, match = asked.connection, asked.row, asked.match
    played = match.game is not None
    alive = set(match.ruleset.alive(match.game)) if played else set()
    seats = match.ruleset.seats(match.game) if played else tuple(asked.seats.holders)
    states = match.ruleset.state(match.game) if played else {}
    open_dues = (
        connection.execute(
            sa.select(deadlines)
            .where(deadlines.c.game_id == row.id, deadlines.c.done_at.is_(None), deadlines.c.call.not_in(record.REMINDERS))
            .order_by(deadlines.c.due_at, deadlines.c.id)
        )
        .mappings()
        .all()
    )
    voted: list[series.VotesAt] = []
    if row.stage == "turn":
        voted = asked.desk.kept(connection, row, "votes", lambda: series.votes_of_turn(connection, row, row.turn))
    victory = victories.of_match(match)
    return {
        "victory": victories.named(victory, asked.names, asked.desk.writer(row)) if victory else "",
        "drawn": victory is not None and victory.kind is None,
        "dues": open_dues,
        "due": open_dues[0] if open_dues else None,
        "living": [_player(asked, seat, states.get(seat, {})) for seat in seats if not played or seat in alive],
        "dead": [_player(asked, seat, states.get(seat, {})) for seat in seats if played and seat not in alive],
        "votes": counting.count(match, asked.names),
        "silent": counting.silent(match, asked.names) if row.stage == "turn" else (),
        "as_at": counting.as_at(connection, row.id, row.turn),
        "owing": [
            (asked.name(seat), [asked.word("actions", action) for action in actions])
            for seat, actions in (match.ruleset.owing(match.game).items() if row.stage in ("turn", "setup") and played else ())
        ],
        "troubles": _troubles(asked, row.id),
        "differing": _differing(asked),
        "reviews": len(digest.reviews(connection, row.id)),
        "questions": len(questions.waiting(connection, row.id)),
        "waiting": _count(connection, row.id, ("waiting", "sending")),
        "held": _count(connection, row.id, ("held",)),
        "failed": _count(connection, row.id, ("failed",)),
        "paper": _held_paper(connection, row.id),
        "newspaper": connection.execute(
            sa.select(sa.func.max(turns.c.turn)).where(turns.c.game_id == row.id, turns.c.closed_at.is_not(None))
        ).scalar(),
        "picture": pictures.votes(voted, asked.names, asked.desk.moment, _until(asked, open_dues)) if len(voted) > 1 else "",
    }


def _differing(asked: Asked) -> list[str]:
    """What the game's file says otherwise than the running game has it; nothing where the files cannot be read."""
    try:
        files = load_games(asked.desk.site)
    except SettingsError:
        return []
    return [one.sentence() for file in files if file.id == asked.row.id for one in gamesettings.of_file(asked.connection, file)]


def _until(asked: Asked, dues: Sequence[sa.RowMapping]) -> datetime:
    """Where the picture of the day ends: now, but not after the vote."""
    ends: list[datetime] = [due["due_at"] for due in dues[:1]]
    return min([asked.now, *ends])


def _player(asked: Asked, seat: str, state: Any) -> dict[str, Any]:
    return {
        "nick": asked.name(seat),
        "place": list(asked.seats.holders).index(seat) if seat in asked.seats.holders else None,
        "role": asked.word("roles", state.get("role")),
        "faction": asked.word("factions", state.get("faction")),
    }


def _held_paper(connection: sa.Connection, game_id: str) -> int | None:
    """The number of the newspaper that waits for the host's word."""
    held = sa.select(outbox.c.id, outbox.c.key).where(outbox.c.game_id == game_id, outbox.c.state == "held")
    found = connection.execute(held.order_by(outbox.c.id)).all()
    return next((int(number) for number, key in found if outnames.NEWSPAPER.search(key)), None)


def _count(connection: sa.Connection, game_id: str, states: tuple[str, ...]) -> int:
    found = connection.execute(
        sa.select(sa.func.count()).select_from(outbox).where(outbox.c.game_id == game_id, outbox.c.state.in_(states))
    ).scalar_one()
    return int(found)


def _troubles(asked: Asked, game_id: str | None) -> list[sa.RowMapping]:
    mine = troubles.c.game_id.is_(None) if game_id is None else troubles.c.game_id == game_id
    return list(asked.connection.execute(sa.select(troubles).where(mine).order_by(troubles.c.since)).mappings())
