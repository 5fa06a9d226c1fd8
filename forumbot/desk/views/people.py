"""Players of a game, one player with all that can be done to his seat, and the game's time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import accounts, wording
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.rights import may
from forumbot.hosting.acts import gamesettings
from forumbot.hosting.core import bars, naming, record
from forumbot.hosting.turns.interventions import host_actions
from forumbot.store.tables import aliases, deadlines, holders


def players(asked: Asked) -> Response:
    return asked.page("players.html", tab="players", players=_players(asked))


def player(asked: Asked) -> Response:
    found = _players(asked)
    place = asked.path_number()
    if place >= len(found):
        raise Refusal(404, "Такого игрока нет.")
    one = found[place]
    mine = holders.c.game_id == asked.row.id, holders.c.seat == one["seat"]
    past = asked.connection.execute(sa.select(holders).where(*mine, holders.c.until.is_not(None)).order_by(holders.c.id))
    spellings = asked.connection.execute(
        sa.select(aliases.c.alias).where(aliases.c.game_id == asked.row.id, aliases.c.seat == one["seat"])
    ).scalars()
    return asked.page(
        "player.html",
        tab="players",
        player=one,
        past=past.mappings().all(),
        aliases=list(spellings),
        host_actions=[(action, asked.word("actions", action)) for action in host_actions(asked.row.ruleset)],
    )


def barred(asked: Asked) -> Response:
    """Who may not play for a while, in any game of the site."""
    live = accounts.live_games(asked.connection)
    decides = may(asked.account, "bar", asked.row.id, live, hosts_bar=asked.desk.site.desk.hosts_bar)
    return asked.page("bars.html", tab="bars", bars=bars.standing(asked.connection, asked.now), decides=decides)


def time(asked: Asked) -> Response:
    """Deadlines and what may be done to them; draws that the host may decide before they are made."""
    connection, row = asked.connection, asked.row
    rows = connection.execute(
        sa.select(deadlines).where(deadlines.c.game_id == row.id).order_by(deadlines.c.due_at, deadlines.c.id)
    ).mappings()
    dues = [
        {
            "id": due["id"],
            "name": asked.word("marks", due["name"]),
            "call": wording.CALLS.get(due["call"], due["call"]),
            "due_at": due["due_at"],
            "done_at": due["done_at"],
            "held_since": due["held_since"],
            "turn": due["turn"],
            "reminds": due["call"] in record.REMINDERS,
            "resolves": due["call"] in record.RESOLVING,
        }
        for due in rows
    ]
    spec = asked.match.ruleset.spec
    return asked.page(
        "time.html",
        tab="time",
        nearest=next((due for due in dues if due["done_at"] is None and due["resolves"]), None),
        open=[due for due in dues if due["done_at"] is None],
        done=[due for due in reversed(dues) if due["done_at"] is not None and not due["reminds"]][:12],
        points=[(point, naming.chance(asked.desk.writer(row), point)) for point in spec.chance_points],
        players=list(asked.names.values()),
        changeable=[
            (key, ", ".join(map(str, value)) if isinstance(value, list) else value)
            for key, value in gamesettings.flat(row.config).items()
            if not gamesettings.refusal(row, key)
        ],
        zone=asked.desk.site.forum.zone,
    )


def _players(asked: Asked) -> list[dict[str, Any]]:
    match = asked.match
    states = match.ruleset.state(match.game) if match.game is not None else {}
    alive = set(match.ruleset.alive(match.game)) if match.game is not None else set(asked.seats.holders)
    return [
        {
            "place": place,
            "seat": seat,
            "nick": holder.nick,
            "uid": holder.uid,
            "address": holder.address,
            "alive": seat in alive,
            "role": asked.word("roles", states.get(seat, {}).get("role")),
            "faction": asked.word("factions", states.get(seat, {}).get("faction")),
            "state": [
                (asked.word("state", key), _plain(asked, value))
                for key, value in states.get(seat, {}).items()
                if key not in ("role", "faction", "alive") and value
            ],
        }
        for place, (seat, holder) in enumerate(asked.seats.holders.items())
    ]


def _plain(asked: Asked, value: Any) -> str:
    """A value of a player's state in words: nicks for seats, names for ids of the rules."""
    if isinstance(value, bool):
        return "да" if value else "нет"
    if isinstance(value, Mapping):
        return ", ".join(f"{_plain(asked, key)}: {_plain(asked, item)}" for key, item in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(sorted(_plain(asked, item) for item in value))
    if not isinstance(value, str) or value in asked.names:
        return asked.name(str(value))
    named = (asked.word(group, value) for group in ("roles", "items", "factions", "actions"))
    return next((word for word in named if word != value), value)
