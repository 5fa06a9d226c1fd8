"""What a host does: each act is a row with who and when, is carried out by the daemon, changes the game only through
inputs (so it is part of the replay), and can be taken back until the game is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
import structlog

from engine.model import EngineError
from forumbot.hosting.acts import corrections, deciding, dispatching, gamesettings, identities, objects, timing, undoing
from forumbot.hosting.core import record
from forumbot.hosting.core.acting import Context, Refused, Undo, Voice, misspelt
from forumbot.hosting.inbox import questions, waitlist
from forumbot.hosting.people import genders, people
from forumbot.hosting.publish import newspapers, rulepost
from forumbot.hosting.turns import barring, interventions, teaching
from forumbot.store.database import Store, StoreError
from forumbot.store.prepared import Prepared
from forumbot.store.tables import acts

log = structlog.get_logger("forumbot.acts")

__all__ = ["KINDS", "Refused", "Voice", "ask", "execute"]


def ask(connection: sa.Connection, game_id: str, who: str, kind: str, payload: Mapping[str, Any], now: datetime) -> int:
    """Enter an act for the daemon; gives its number. Raises Refused for an unknown kind."""
    if kind not in _DO:
        raise Refused(f"нет такого действия: «{kind}»")
    made = connection.execute(acts.insert().values(game_id=game_id, who=who, kind=kind, payload=payload, asked_at=now))
    (act_id,) = made.inserted_primary_key or (0,)
    return int(act_id)


_WAITING = Prepared(sa.select(acts.c.id).where(acts.c.done_at.is_(None)).order_by(acts.c.id))


def execute(store: Store, now: datetime, voice: Voice) -> set[str]:
    """Carry out every act that waits, one transaction each; gives the games whose inputs may have changed."""
    touched: set[str] = set()
    with store.read() as connection:
        waiting = _WAITING.values(connection)
    for act_id in waiting:
        error: str | None = None
        try:
            given = _found(store, act_id, voice)
            with store.write() as connection:
                act = connection.execute(sa.select(acts).where(acts.c.id == act_id)).mappings().one()
                row = record.load(connection, act["game_id"])
                context = Context(connection, row, now, act_id, act["who"], voice)
                undo = carry_out(context, act["kind"], given)
                people.settle(connection, row.id, now)
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, result=dict(undo)))
                touched.add(row.id)
        except Refused as refused:
            error = str(refused)
        except EngineError as refused:
            error = f"правила этого не допускают: {refused.problem}"
        except (KeyError, TypeError, ValueError, OverflowError) as wrong:
            # The payload comes from the desk or a script: what is missing there is the asker's fault. Only he reads the
            # words of the error: they repeat what was given, an address or a role.
            error = misspelt(_payload(store, act_id), wrong)
            log.warning("act_refused", act=act_id, kind=type(wrong).__name__)
        except StoreError:
            raise
        except Exception:
            # One act that fails must not stop the games; nothing of it was kept.
            log.exception("act_failed", act=act_id)
            error = "ошибка программы, подробности в журнале бота; ничего не изменено"
        if error is not None:
            with store.write() as connection:
                connection.execute(acts.update().where(acts.c.id == act_id).values(done_at=now, error=error))
    return touched


def _payload(store: Store, act_id: int) -> Mapping[str, Any]:
    with store.read() as connection:
        return dict(connection.execute(sa.select(acts.c.payload).where(acts.c.id == act_id)).scalar_one())


def _found(store: Store, act_id: int, voice: Voice) -> Mapping[str, Any]:
    """The payload of an act; whom it seats, and which section it means, has been looked up on the forum, before anything is
    locked."""
    with store.read() as connection:
        act = connection.execute(sa.select(acts).where(acts.c.id == act_id)).mappings().one()
        waiting = {one.uid for one in waitlist.waiting(connection, act["game_id"])}
    given = dict(act["payload"])
    section = (given.get("settings") or {}).get("section") if act["kind"] == "set" else None
    if section and voice.section is not None:
        return {**given, "section_title": voice.section(str(section))}
    if act["kind"] not in ("replace", "seat") or voice.find is None:
        return given
    if given.get("uid") in waiting and given.get("uid") is not None:
        return given  # whoever waits has signed up on the forum with this very account
    return identities.looked_up(act["payload"], voice.find)


def carry_out(context: Context, kind: str, payload: Mapping[str, Any]) -> Undo:
    """Do it, unless its object is no longer what was seen; players are told at once what the rules now answer them in the
    running turn."""
    objects.check(context, kind, payload)
    if kind not in _ANSWERED:
        return _answering(context, kind, payload)
    with interventions.answering(context):
        return _answering(context, kind, payload)


def _answering(context: Context, kind: str, payload: Mapping[str, Any]) -> Undo:
    """Do it; an act that grants what a player asked for names his question, which is done with."""
    done = _DO[kind](context, payload)
    if payload.get("question") is None or "question" in done:
        return done
    return {**done, **questions.close(context, payload["question"], None)}


def _correct(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A turn that was resolved is played again with other orders (goldenkey S9)."""

    def change(given: Mapping[str, Any]) -> Undo:
        if given["kind"] not in corrections.KINDS:
            raise Refused(f"исправить ход можно так: {', '.join(corrections.KINDS)}; «{given['kind']}» нельзя")
        return _DO[given["kind"]](context, given)

    return corrections.correct(context, payload["changes"], change)


def _undo(context: Context, payload: Mapping[str, Any]) -> Undo:
    return undoing.undo(context, payload, _UNDONE)


_DO: Mapping[str, Callable[[Context, Mapping[str, Any]], Undo]] = {
    "accept": deciding.accept,
    "reject": deciding.reject,
    "strike": deciding.strike,
    "order": deciding.order,
    "force": deciding.force,
    "host": interventions.host_order,
    "remove": interventions.remove,
    "warn": interventions.warn,
    "write": interventions.write,
    "teach": teaching.teach,
    "forget": teaching.forget,
    "answer": questions.answer,
    "heard": questions.heard,
    "seat": interventions.seat,
    "unseat": interventions.unseat,
    "replace": identities.replace,
    "alias": identities.alias,
    "bar": barring.bar,
    "unbar": barring.unbar,
    "bind": identities.bind,
    "gender": genders.said,
    "pause": timing.pause,
    "resume": timing.resume,
    "extend": timing.extend,
    "resolve": timing.resolve_now,
    "move": timing.move,
    "release": dispatching.release,
    "keep": dispatching.keep,
    "edit": dispatching.edit,
    "retry": dispatching.retry,
    "posted": dispatching.posted,
    "set": gamesettings.change,
    "prologue": newspapers.prologue_act,
    "rules": rulepost.post,
    "correct": _correct,
    "undo": _undo,
}

KINDS = tuple(_DO)
_UNDONE = frozenset(KINDS) - {"undo"}
"""What can be taken back."""

_ANSWERED = frozenset(
    {"accept", "reject", "strike", "order", "host", "remove", "correct", "undo", "pause", "resume", "extend", "move"}
)
"""Acts after which players are told what changed for them in the running turn."""
