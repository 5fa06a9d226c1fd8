"""Turns: the course of the game, and one turn with its newspaper, count, draws and the reasons of everything in it."""

from __future__ import annotations

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import pictures, series, wording
from forumbot.desk.core import Asked, Refusal
from forumbot.store.tables import turns


def turns_list(asked: Asked) -> Response:
    connection, row = asked.connection, asked.row
    found = connection.execute(sa.select(turns).where(turns.c.game_id == row.id).order_by(turns.c.turn.desc())).mappings()
    after = asked.desk.kept(connection, row, "course", lambda: series.course(connection, row))
    return asked.page(
        "turns.html",
        tab="turns",
        turns=[
            {
                "turn": turn["turn"],
                "opened_at": turn["opened_at"],
                "closed_at": turn["closed_at"],
                "replaced": bool(turn["replaced"]),
                "dead": [asked.name(event["player"]) for event in turn["events"] or () if event["type"] == "Death"],
            }
            for turn in found
        ],
        picture=pictures.course(after, asked.match.ruleset.spec.factions, asked.word) if after else "",
    )


def turn(asked: Asked) -> Response:
    connection, row, number = asked.connection, asked.row, asked.path_number()
    stored = connection.execute(sa.select(turns).where(turns.c.game_id == row.id, turns.c.turn == number)).mappings().first()
    if stored is None:
        raise Refusal(404, "Такого хода ещё не было.")
    voted = asked.desk.kept(connection, row, f"votes {number}", lambda: series.votes_of_turn(connection, row, number))
    events = stored["events"] or ()
    counted: dict[str, float] = next((event["votes"] for event in events if event["type"] == "Counted"), {})
    return asked.page(
        "turn.html",
        tab="turns",
        turn=stored,
        picture=pictures.votes(voted, asked.names, asked.desk.moment) if len(voted) > 1 else "",
        votes=sorted(((asked.name(seat), weight) for seat, weight in counted.items()), key=lambda vote: -vote[1]),
        dead=[
            (asked.name(event["player"]), asked.word("causes", event["cause"]), asked.name(event["by"]))
            for event in events
            if event["type"] == "Death"
        ],
        draws=[
            {
                "point": wording.chance(asked.desk.writer(row), draw["point"]),
                "options": [asked.name(option) for option in draw["options"]],
                "picked": asked.name(draw["picked"]),
                "forced": draw["forced"],
            }
            for draw in stored["draws"] or ()
        ],
        nick=asked.query("nick"),
        players=list(asked.names.values()),
        sentences=[],
    )
