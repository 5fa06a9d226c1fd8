"""Search over a game: players, messages in full, the parse log, and what hosts did; without regard to case and «ё»."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from forumbot.desk import history
from forumbot.desk.core import Asked
from forumbot.desk.views.journal import own_words
from forumbot.hosting.inbox.routing import without_codes
from forumbot.store.tables import acts, aliases, letters, posts, verdicts

MOST = 20
"""Finds of one kind that are shown, the newest first."""
LEAST, LONGEST = 2, 100
"""Signs of what is looked for."""
_AROUND = 90
"""Signs shown before and behind the place."""


def page(asked: Asked) -> Response:
    """What was found for ``q``; nothing is looked for while it is shorter than ``LEAST``."""
    said = " ".join(asked.query("q").split())[:LONGEST]
    wanted = _folded(said)
    found: list[tuple[str, list[dict[str, Any]]]] = []
    if len(wanted) >= LEAST:
        kinds = (("Игроки", _players), ("Сообщения и письма", _messages), ("Журнал чтения", _log), ("Действия ведущих", _acts))
        found = [(title, list(islice(find(asked, wanted), MOST + 1))) for title, find in kinds]
    return asked.page(
        "search.html",
        tab="search",
        said=said,
        short=bool(said) and len(wanted) < LEAST,
        found=[(title, items[:MOST], len(items) > MOST) for title, items in found if items],
    )


def _players(asked: Asked, wanted: str) -> Iterator[dict[str, Any]]:
    spelt: dict[str, list[str]] = {}
    mine = sa.select(aliases.c.seat, aliases.c.alias).where(aliases.c.game_id == asked.row.id)
    for seat, alias in asked.connection.execute(mine):
        spelt.setdefault(str(seat), []).append(str(alias))
    for place, (seat, nicks) in enumerate(asked.seats.nicks().items()):
        known = [*nicks, *spelt.get(seat, ())]
        if any(wanted in _folded(nick) for nick in known):
            yield {"path": f"/player/{place}", "title": known[0], "more": ", ".join(known[1:]), "pieces": []}


def _messages(asked: Asked, wanted: str) -> Iterator[dict[str, Any]]:
    of_posts = sa.select(posts).where(posts.c.game_id == asked.row.id).order_by(posts.c.posted_at.desc())
    of_letters = sa.select(letters).where(letters.c.game_id == asked.row.id).order_by(letters.c.received_at.desc())
    for row in asked.connection.execute(of_letters).mappings():
        author = asked.name(row["seat"]) or row["sender"]
        text = f"{without_codes(row['subject'] or '')}\n{without_codes(row['text'])}"
        if wanted in _folded(f"{author}\n{text}"):
            yield _find(f"/letter/{row['id']}", author, asked.desk.moment(row["received_at"]), text, wanted)
    for row in asked.connection.execute(of_posts).mappings():
        text = own_words(row["html"])
        if wanted in _folded(f"{row['author']}\n{text}"):
            more = f"№{row['number'] or row['post_id']}, {asked.desk.moment(row['posted_at'])}"
            yield _find(f"/post/{row['id']}", row["author"], more, text, wanted)


def _log(asked: Asked, wanted: str) -> Iterator[dict[str, Any]]:
    query = sa.select(verdicts).where(verdicts.c.game_id == asked.row.id).order_by(verdicts.c.at.desc(), verdicts.c.id.desc())
    for row in asked.connection.execute(query).mappings():
        text, author = without_codes(row["text"]), asked.name(row["seat"]) or row["author"]
        moves = (asked.word("actions", order["action"]) for order in row["orders"])
        if wanted in _folded("\n".join((author, text, *moves, asked.word("reasons", row["reason"])))):
            yield _find(f"/log/{row['id']}", f"№{row['id']}, {author}", asked.desk.moment(row["at"]), text, wanted)


def _acts(asked: Asked, wanted: str) -> Iterator[dict[str, Any]]:
    numbers = sa.select(acts.c.id).where(acts.c.game_id == asked.row.id).order_by(acts.c.id.desc())
    for number in asked.connection.execute(numbers).scalars():
        act = history.act(asked.connection, asked.row.id, number)
        assert act is not None
        text = "; ".join(f"{label}: {value}" for label, value in act["lines"])
        if wanted in _folded(f"{act['title']}\n{act['who']}\n{text}"):
            more = f"{act['who']}, {asked.desk.moment(act['asked_at'])}"
            yield _find(f"/acts#a{number}", f"№{number}, {act['title']}", more, text, wanted)


def _find(path: str, title: str, more: str, text: str, wanted: str) -> dict[str, Any]:
    return {"path": path, "title": title, "more": more, "pieces": list(_cut(" ".join(text.split()), wanted))}


def _cut(text: str, wanted: str) -> Iterable[tuple[str, str]]:
    """The words around the first place, the place itself marked; the beginning of a text that has it elsewhere."""
    folded = _folded(text)
    start = folded.find(wanted) if len(folded) == len(text) else -1
    if start < 0:
        yield text[: 2 * _AROUND] + ("…" if len(text) > 2 * _AROUND else ""), ""
        return
    end = start + len(wanted)
    yield ("…" if start > _AROUND else "") + text[max(0, start - _AROUND) : start], ""
    yield text[start:end], "target"
    yield text[end : end + _AROUND] + ("…" if len(text) > end + _AROUND else ""), ""


def _folded(text: str) -> str:
    return text.casefold().replace("ё", "е")
