"""Asking for an act, asking twice where it hurts, and the history of what hosts did, with a button to take it back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from engine.rulesets import ruleset
from forumbot.desk import accounts, forms, history
from forumbot.desk.core import Asked, Refusal
from forumbot.desk.rights import may
from forumbot.hosting.acts import acts, identities, lookups
from forumbot.hosting.acts.previewing import Preview, preview
from forumbot.store.tables import acts as acts_table
from forumbot.store.tables import bars, outbox, turns, verdicts

PAGE = 50
_ASK_OUTSIDE = ("seat", "replace")
"""Acts that need the forum's word before anything of them can be tried out."""


def do(asked: Asked) -> Response:
    """Enter an act for the daemon, after a second question where it hurts."""
    asked_kind = str(asked.request.path_params["kind"])
    if asked_kind not in acts.KINDS:
        raise Refusal(404, "Такого действия нет.")
    try:
        payload = forms.payload(asked_kind, asked.form, ruleset(asked.row.ruleset).spec)
    except forms.BadForm as bad:
        raise Refusal(400, str(bad)) from bad
    kind = asked_kind
    _stays_here(asked, kind, payload)
    if _resolved(asked, kind, payload):
        kind, payload = forms.CORRECT, forms.correction(kind, payload)
    found = Preview()
    if (kind in (forms.CORRECT, "undo") or (forms.hurts(kind, payload) and kind not in _ASK_OUTSIDE)) and not asked.said("sure"):
        voice = acts.Voice(lambda text: text, 10_000, asked.desk.site.forum.zone)
        found = preview(asked.desk.store, asked.row.id, asked.who.name, kind, payload, asked.now, voice)
    if kind == "replace" and "nick" not in payload and "uid" not in payload:
        payload |= _from_reserve(asked)
    why = forms.hurts(kind, payload) or _told_by(found)
    if why and not asked.said("sure"):
        return asked.page(
            "confirm.html",
            tab="",
            kind=asked_kind,
            title=forms.title(kind),
            why=why,
            lines=history.lines(payload),
            changes=found.lines,
            refused=found.refused,
            fields=_fields(asked, payload),
            back=_next(asked),
            looked=_looked_up(asked, kind, payload),
        )
    with asked.desk.store.write() as connection:
        number = acts.ask(connection, asked.row.id, asked.who.name, kind, payload, asked.now)
    return asked.go(f"{_next(asked)}?did={number}#did")


def _told_by(found: Preview) -> str:
    """Why an act is asked twice that would be harmless at another time."""
    return forms.CORRECTION_HURTS if found.published else forms.AT_ONCE_HURTS if found.at_once else ""


def _from_reserve(asked: Asked) -> dict[str, Any]:
    """Nick and number of the one who would be called now: the act names whom its host has seen."""
    with asked.desk.store.read() as connection:
        first = identities.first_of_reserve(connection, asked.row.id, asked.now)
    return {} if first is None else {"nick": first.nick, "uid": first.uid}


def _fields(asked: Asked, payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The form once more, with whom it means where that was left to the bot."""
    given = [(name, value) for name, values in asked.form.items() if name != "csrf" for value in values]
    added = [(name, str(payload[name])) for name in ("nick", "uid") if name in payload and not asked.said(name)]
    return [*((name, value) for name, value in given if name not in dict(added)), *added]


def _looked_up(asked: Asked, kind: str, payload: Mapping[str, Any]) -> int | None:
    """The number under which the daemon looks the newcomer up, for the page to show."""
    if kind not in ("replace", "seat") or not {"nick", "uid"} & payload.keys():
        return None
    with asked.desk.store.write() as connection:
        return lookups.ask(connection, asked.row.id, payload.get("nick"), payload.get("uid"), asked.now)


def found(asked: Asked) -> Response:
    """The line that tells who was found on the forum; it asks again by itself until the daemon has looked."""
    row = lookups.answer(asked.connection, asked.row.id, asked.path_number())
    if row is None:
        raise Refusal(404, "Такого запроса нет.")
    return asked.page("found.html", looked=row["id"], row=row)


def _stays_here(asked: Asked, kind: str, payload: Mapping[str, Any]) -> None:
    """Raises Refusal for what reaches beyond this game and is not for whoever runs this one alone: a word for all games, who may
    play on the site, a letter of no game; and for taking such a thing back."""
    with asked.desk.store.read() as connection:
        live = accounts.live_games(connection)
        if not may(asked.account, "stray", live=live) and _reaches_beyond(asked, connection, live, kind, payload):
            raise Refusal(403, "Это касается и других игр: так решает тот, кто ведёт их все.")


def _reaches_beyond(
    asked: Asked, connection: sa.Connection, live: Collection[str], kind: str, payload: Mapping[str, Any]
) -> bool:
    if kind == "teach":
        return bool(payload.get("everywhere"))
    if kind == "undo":
        mine = acts_table.c.id == payload["act"], acts_table.c.game_id == asked.row.id
        back = connection.execute(sa.select(acts_table.c.kind, acts_table.c.payload).where(*mine)).first()
        return back is not None and back.kind != "undo" and _reaches_beyond(asked, connection, live, back.kind, back.payload)
    if kind in ("bar", "unbar"):
        if not may(asked.account, "bar", asked.row.id, live, hosts_bar=asked.desk.site.desk.hosts_bar):
            return True
        by = connection.execute(sa.select(bars.c.by).where(bars.c.id == payload.get("bar"))).scalar()
        return by is not None and by != asked.who.name
    if kind == "retry":
        of = connection.execute(sa.select(outbox.c.game_id).where(outbox.c.id == payload["outbox"])).first()
        return of is not None and of[0] is None
    return False


def state(asked: Asked) -> Response:
    """The line that tells how far an act is; it asks again by itself until the daemon has done it, then the whole page is
    fetched anew: what it shows has changed."""
    act = history.act(asked.connection, asked.row.id, asked.path_number())
    if act is None:
        raise Refusal(404, "Такого действия нет.")
    answer = asked.page("did.html", did=act)
    if not act["waits"]:
        answer.headers["HX-Refresh"] = "true"
    return answer


def all_acts(asked: Asked) -> Response:
    start = max(0, asked.number("from") or 0)
    found = history.latest(asked.connection, asked.row.id, start, PAGE + 1)
    return asked.page("acts.html", tab="acts", items=found[:PAGE], start=start, size=PAGE, more=len(found) > PAGE)


def _resolved(asked: Asked, kind: str, payload: dict[str, Any]) -> bool:
    """Whether the act changes a turn that was resolved already, and so is a correction."""
    if kind not in forms.CORRECTING:
        return False
    with asked.desk.store.read() as connection:
        turn = payload.get("turn")
        if "verdict" in payload:
            mine = verdicts.c.id == payload["verdict"], verdicts.c.game_id == asked.row.id
            turn = connection.execute(sa.select(verdicts.c.turn).where(*mine)).scalar()
        closed = sa.select(turns.c.closed_at).where(turns.c.game_id == asked.row.id, turns.c.turn == turn)
        return turn is not None and connection.execute(closed).scalar() is not None


def _next(asked: Asked) -> str:
    """Where to go afterwards: a page of this game, never anywhere else."""
    path = asked.said("next")
    start = asked.here()
    fine = (path == start or path.startswith(start + "/")) and not set(path) & set("?#\\\r\n") and ".." not in path
    return path if fine else asked.here("/acts")
