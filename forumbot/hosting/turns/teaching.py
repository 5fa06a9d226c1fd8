"""Words that the host explains to the bot: a filler, a form of a move or a spelling of a nick, for one game or for all.

A taught word is an input of the game, so that its log tells what the reader knew at every moment; taking it back strikes the
input. What is taught for all games comes into every running one at once, and into new ones as they begin. Doubtful messages that
hold the word are read again, and clear ones when it is forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from engine.rulesets import ruleset as find_ruleset
from forumbot.hosting.core import record
from forumbot.hosting.core.acting import Context, Refused, Undo, not_spoken_for, seat_of
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.turns import rereading
from forumbot.reading import Taught
from forumbot.reading.facts import is_past
from forumbot.store.prepared import Prepared
from forumbot.store.tables import games, inputs, taught

KIND = "teach"
"""The kind of the input."""
WAYS: Mapping[str, str] = {"filler": "слово ничего не значит", "form": "форма хода", "nick": "написание ника"}
LONGEST = 60


_WORDS = Prepared(
    sa.select(inputs.c.payload)
    .where(inputs.c.game_id == sa.bindparam("game"), inputs.c.kind == sa.literal_column(f"'{KIND}'"), inputs.c.struck.is_(None))
    .order_by(inputs.c.seq)
)


def words(connection: sa.Connection, game_id: str) -> list[Taught]:
    """What has been taught in a game so far, in order."""
    return [Taught(row["text"], row["kind"], row["value"]) for row in _WORDS.values(connection, game=game_id)]


def begin(connection: sa.Connection, game_id: str, ruleset: str, now: datetime) -> None:
    """A new game knows what was taught for all games of its rules."""
    query = sa.select(taught).where(taught.c.taken_back_at.is_(None), taught.c.ruleset == ruleset).order_by(taught.c.id)
    for row in connection.execute(query).mappings().all():
        payload = {"text": row["text"], "kind": row["kind"], "value": row["value"], "for_all": row["id"]}
        record.add_input(connection, game_id, KIND, SETUP_TURN, now, payload)


def teach(context: Context, payload: Mapping[str, Any]) -> Undo:
    """A word is explained: ``{word, way, value, everywhere}``; ``value`` is the action of a form, the player of a nick."""
    entry = _entry(context, payload)
    everywhere = bool(payload.get("everywhere"))
    if everywhere and entry["kind"] == "nick":
        raise Refused("ник значит игрока только в своей игре: запомните его для этой игры")
    done: dict[str, Any] = {}
    if everywhere:
        kept = {"text": entry["text"], "kind": entry["kind"], "value": entry["value"], "ruleset": context.row.ruleset}
        result = context.connection.execute(taught.insert().values(**kept, act=context.act_id, at=context.now))
        done["for_all"] = int((result.inserted_primary_key or (0,))[0])
    made = []
    for game_id in _games(context) if everywhere else [context.row.id]:
        row = record.load(context.connection, game_id)
        turn = row.turn if row.stage == "turn" else SETUP_TURN
        made.append(record.add_input(context.connection, game_id, KIND, turn, context.now, {**entry, **done}).row)
        rereading.ask(context.connection, game_id, entry["text"], context.act_id)
    return {"taught": made, **done}


def take_back(context: Context, done: Undo) -> None:
    """The word is unknown again, in games that have begun since, too."""
    chosen = list(done["taught"])
    if done.get("for_all"):
        mine = taught.c.id == done["for_all"]
        context.connection.execute(taught.update().where(mine).values(taken_back_at=context.now))
        known = sa.select(inputs.c.id, inputs.c.payload).where(inputs.c.game_id.in_(_games(context)), inputs.c.kind == KIND)
        begun = [row_id for row_id, payload in context.connection.execute(known) if payload.get("for_all") == done["for_all"]]
        chosen = list(dict.fromkeys((*chosen, *begun)))
    _strike(context, chosen)


def forget(context: Context, payload: Mapping[str, Any]) -> Undo:
    """This game forgets a word, whoever has taught it and for whatever games: ``{taught}`` is the input's row."""
    mine = inputs.c.id == payload["taught"], inputs.c.game_id == context.row.id, inputs.c.kind == KIND
    found = context.connection.execute(sa.select(inputs.c.id).where(*mine, inputs.c.struck.is_(None))).scalar()
    if found is None:
        raise Refused("такого слова эта игра не помнит: посмотрите список («Слова», forumbot words list)")
    _strike(context, [found])
    return {"forgotten": found, "mark": context.mark}


def know_again(context: Context, done: Undo) -> None:
    """A forgotten word is known again."""
    mine = inputs.c.id == done["forgotten"], inputs.c.struck == done["mark"]
    payload = context.connection.execute(sa.select(inputs.c.payload).where(*mine)).scalar()
    if payload is None:
        raise Refused("это слово с тех пор забыто и там, где его выучили: научите ему заново")
    context.connection.execute(inputs.update().where(*mine).values(struck=None))
    rereading.ask(context.connection, context.row.id, payload["text"], context.act_id)


def listed(connection: sa.Connection, game_id: str) -> Sequence[sa.RowMapping]:
    """The taught words of a game with their inputs' rows, the last first."""
    mine = inputs.c.game_id == game_id, inputs.c.kind == KIND, inputs.c.struck.is_(None)
    return connection.execute(sa.select(inputs).where(*mine).order_by(inputs.c.seq.desc())).mappings().all()


def _strike(context: Context, chosen: Sequence[int]) -> None:
    mine = inputs.c.id.in_(chosen)
    known = context.connection.execute(sa.select(inputs).where(mine, inputs.c.struck.is_(None))).mappings().all()
    context.connection.execute(inputs.update().where(mine).values(struck=context.mark))
    for row in known:
        rereading.ask(context.connection, row["game_id"], row["payload"]["text"], context.act_id, forgotten=True)


def _entry(context: Context, payload: Mapping[str, Any]) -> dict[str, str]:
    text, way, value = str(payload["word"]).strip(), str(payload["way"]), str(payload.get("value") or "")
    if not text or len(text) > LONGEST or not any(sign.isalnum() for sign in text):
        raise Refused(f"«{text[:LONGEST]}» не слово: нужно слово или несколько рядом, не длиннее {LONGEST} знаков")
    if way not in WAYS:
        raise Refused(f"слово можно запомнить так: {', '.join(WAYS.values())}")
    if way == "filler" and is_past(text):
        raise Refused(f"«{text}» меняет смысл хода: с глаголом прошедшего времени это уже не ход, ничего не значить он не может")
    if way == "form" and value not in find_ruleset(context.row.ruleset).spec.actions:
        raise Refused("скажите, формой какого хода это слово служит")
    if way == "nick":
        value = seat_of(context, value)
        not_spoken_for(context, text)
    return {"text": text, "kind": way, "value": "" if way == "filler" else value}


def _games(context: Context) -> list[str]:
    live = games.c.stage.not_in(("over", "cancelled")), games.c.ruleset == context.row.ruleset
    return list(context.connection.execute(sa.select(games.c.id).where(*live).order_by(games.c.id)).scalars())
