"""Turns: the course of the game, and one turn with its newspaper, count, draws and the reasons of everything in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import nightpicture, pictures, series
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.views import nights
from forumbot.desk.views.journal import source_path
from forumbot.hosting.core import naming
from forumbot.hosting.explain import explain
from forumbot.hosting.explain.explain import Reason
from forumbot.store.tables import turns


def turns_list(asked: Asked) -> Response:
    connection, row = asked.connection, asked.row
    after: Sequence[series.Living]
    found = connection.execute(sa.select(turns).where(turns.c.game_id == row.id).order_by(turns.c.turn.desc())).mappings()
    after = () if row.stage == "cancelled" else asked.desk.kept(connection, row, "course", lambda: series.course(connection, row))
    return asked.page(
        "turns.html",
        tab="turns",
        turns=[
            {
                "turn": turn["turn"],
                "opened_at": turn["opened_at"],
                "closed_at": turn["closed_at"],
                "replaced": bool(turn["replaced"]),
                "short": [line for _, line in nights.of_turn(asked, turn).fates()],
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
    explained = explain.explain(connection, row, number, asked.desk.site.forum.zone)
    told = nights.of_turn(asked, stored)
    nick = asked.query("nick") if asked.query("nick") in told.names.values() else ""
    seat = next((seat for seat, known in told.names.items() if known == nick), "")
    counted: dict[str, float] = next((event["votes"] for event in events if event["type"] == "Counted"), {})
    return asked.page(
        "turn.html",
        tab="turns",
        turn=stored,
        picture=pictures.votes(voted, asked.names, asked.desk.moment) if len(voted) > 1 else "",
        votes=sorted(((asked.name(seat), weight) for seat, weight in counted.items()), key=lambda vote: -vote[1]),
        night=nightpicture.draw(told),
        short=told.of(seat) if nick else (),
        fates=[
            (told.names.get(whose, whose), line, _shown(explained.why(told.names.get(whose, whose))))
            for whose, line in told.fates()
        ],
        draws=[
            {
                "point": naming.chance(asked.desk.writer(row), draw["point"]),
                "options": [asked.name(option) for option in draw["options"]],
                "picked": asked.name(draw["picked"]),
                "forced": draw["forced"],
            }
            for draw in stored["draws"] or ()
        ],
        nick=nick,
        players=list(told.names.values()),
        reasons=_shown(explained.why(nick) if nick else explained.everything()),
        lines=[(text, _shown(reasons)) for text, reasons in explained.lines()],
    )


def _shown(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons with the addresses of what they rest on. Draws stand in a list of their own, and that a move was taken is said
    by what came of it."""
    told = tuple(reasons)
    ended = {source.link for reason in told if reason.kind == "Outcome" for source in reason.sources}
    return [
        {
            "text": reason.text,
            "rule": reason.rule,
            "sources": [
                (f"{source.kind} {source.where}, {source.author}", source.words, _path(source.link)) for source in reason.sources
            ],
        }
        for reason in told
        if reason.kind != "Draw" and not (reason.kind == "Accepted" and ended & {source.link for source in reason.sources})
    ]


def _path(link: str) -> str:
    kind, _, number = link.partition(":")
    return f"/acts#a{number}" if kind == "act" else source_path(link)
