"""Acts of a host are taken back, part by part, until the game is over: in silence while nothing rests on them, else as a
correction of the turns that did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from forumbot.hosting.acts import corrections, gamesettings, objects, reopening
from forumbot.hosting.core import keys, schedule, seating
from forumbot.hosting.core.acting import UNSENT, Context, Refused, Undo
from forumbot.hosting.core.record import SIGNUP
from forumbot.hosting.inbox import proofs, questions
from forumbot.hosting.people import genders
from forumbot.hosting.publish import newspapers
from forumbot.hosting.turns import barring, interventions, rescheduled, teaching
from forumbot.store.tables import acts, aliases, deadlines, games, holders, inputs, outbox, reserves, verdicts

_SPOKEN = {
    "write": "это уже ушло, и прочитанного не вернуть: напишите игроку ещё раз",
    "rules": "правила уже в теме записи, и бот своих сообщений не удаляет: удалите его на форуме сами",
}
"""Acts that are nothing but words, which cannot be unsaid once they are out: why."""


def undo(context: Context, payload: Mapping[str, Any], kinds: Collection[str]) -> Undo:
    """Take an act of one of these kinds back. Turns that were resolved since are corrected; refused where the act has
    outlived its object."""
    connection = context.connection
    act = _to_undo(context, payload["act"], kinds)
    context.undoing = act["id"]
    done = act["result"] or {}
    before = rescheduled.moments(context)
    unseen = True
    if act["kind"] == "correct":
        unseen = corrections.take_back(context, act["id"], lambda: _take_back_all(context, done["changes"]), correction=True)
        interventions.unsay(context, act, unseen=unseen)
    elif _RESTING & done.keys() and _closed_since(context, act["done_at"]):
        unseen = corrections.take_back(context, act["id"], lambda: _take_back(context, done), correction=False)
        interventions.unsay(context, act, unseen=unseen, published=True)
    else:
        unseen = newspapers.withdraw(connection, context.row.id, f"act{act['id']}/")
        if act["kind"] in _SPOKEN and not unseen:
            raise Refused(_SPOKEN[act["kind"]])
        _take_back(context, done)
        interventions.unsay(context, act, unseen=unseen)
    reopening.call_on(context)
    connection.execute(acts.update().where(acts.c.id == context.act_id).values(undoes=act["id"]))
    if act["kind"] == "prologue":
        newspapers.rewrite(context, done["turn"])
    if {"shifted", "paused_at", "deadline"} & done.keys():
        _say_times(context, done, before, unseen=unseen)
    return {}


def _to_undo(context: Context, number: int, kinds: Collection[str]) -> sa.RowMapping:
    mine = acts.c.id == number, acts.c.game_id == context.row.id
    act = context.connection.execute(sa.select(acts).where(*mine)).mappings().first()
    if act is not None and act["kind"] == "undo":
        raise Refused("отмена не отменяется: сделайте само действие ещё раз")
    if act is not None and act["error"] is not None:
        raise Refused(f"действие {number} и не было сделано: {act['error']}")
    if act is None or act["done_at"] is None or act["kind"] not in kinds:
        raise Refused("такого действия нет, или отменять нечего")
    back = context.connection.execute(sa.select(acts).where(acts.c.undoes == number, acts.c.error.is_(None))).mappings().first()
    if back is not None:
        raise Refused(f"это действие уже отменено {objects.by(context, back)}")
    return act


def _take_back_all(context: Context, changes: Sequence[Undo]) -> None:
    for done in reversed(changes):
        _take_back(context, done)


def _take_back(context: Context, done: Undo) -> None:
    for key, back in _BACK.items():
        if key in done:
            back(context, done)


# Parts of an act ----------------------------------------------------------------------------------------------------------


def _back_entered(context: Context, done: Undo) -> None:
    mine = inputs.c.game_id == context.row.id, inputs.c.id.in_(done["entered"])
    context.connection.execute(inputs.update().where(*mine).values(struck=context.mark))


def _back_struck(context: Context, done: Undo) -> None:
    mine = inputs.c.game_id == context.row.id, inputs.c.struck == done["struck"], inputs.c.verdict_id == done["of"]
    context.connection.execute(inputs.update().where(*mine).values(struck=None))


def _back_verdict(context: Context, done: Undo) -> None:
    context.connection.execute(
        verdicts.update().where(verdicts.c.id == done["verdict"]).values(outcome=done["outcome"], decided_by=None)
    )


def _back_replaced(context: Context, done: Undo) -> None:
    since = datetime.fromisoformat(done["since"])
    mine = holders.c.game_id == context.row.id, holders.c.seat == done["seat"]
    # Acts of earlier versions name no rows; two replacements of one moment are told apart by theirs alone.
    rows = done.get("rows") or {}
    came = holders.c.id == rows["newcomer"] if rows else holders.c.since == since
    went = holders.c.id == rows["former"] if rows else holders.c.until == since
    newcomer = context.connection.execute(sa.select(holders).where(*mine, came)).mappings().first()
    present = context.connection.execute(sa.select(holders).where(*mine, holders.c.until.is_(None))).mappings().first()
    if newcomer is None or present is None or present["uid"] != newcomer["uid"]:
        raise Refused("на этом месте с тех пор сменился и новый игрок: отмените сначала ту замену")
    former = context.connection.execute(sa.select(holders).where(*mine, went)).mappings().one()
    if former["uid"] is not None and seating.load(context.connection, context.row.id).by_uid(former["uid"]) is not None:
        raise Refused(f"{former['nick']} теперь играет на другом месте: освободите сначала его")
    context.connection.execute(holders.update().where(holders.c.id == present["id"]).values(until=context.now))
    context.connection.execute(holders.update().where(holders.c.id == former["id"]).values(until=None))
    if done.get("waited"):
        waited = reserves.c.game_id == context.row.id, reserves.c.uid == newcomer["uid"]
        context.connection.execute(reserves.update().where(*waited).values(state="waiting"))


def _back_alias(context: Context, done: Undo) -> None:
    context.connection.execute(aliases.delete().where(aliases.c.game_id == context.row.id, aliases.c.alias == done["alias"]))


def _back_address(context: Context, done: Undo) -> None:
    present = seating.load(context.connection, context.row.id).holders.get(done["seat"])
    if present is None or present.uid != done.get("uid", present.uid):
        raise Refused("на этом месте теперь играет другой: прежний адрес ему не принадлежит")
    if "bound" in done and present.address != done["bound"]:
        raise Refused("адрес этого игрока с тех пор сменился ещё раз: отмените сначала ту перемену")
    taken = proofs.taken_by(context.connection, done["address"], present.uid) if done["address"] else None
    if taken is not None:
        raise Refused(f"прежний адрес теперь у игрока {taken}: письма с одного адреса не скажут, кто из двоих пишет")
    seating.bind_address(context.connection, context.row.id, done["seat"], done["address"])


def _back_signed(context: Context, done: Undo) -> None:
    if context.row.stage != "signup":
        raise Refused("запись уже закрыта и роли розданы: теперь возможна только замена игрока")
    seating.sign(context.connection, context.row.id, done["seat"], done["signed"])


def _back_outbox(context: Context, done: Undo) -> None:
    """What was sent by the bot stays sent; what the host had marked as sent by hand waits again."""
    row = context.connection.execute(sa.select(outbox).where(outbox.c.id == done["outbox"])).mappings().first()
    by_hand = row is not None and row["state"] == "sent" and "by_hand" in (row["result"] or {})
    if row is None or not (by_hand or row["state"] in UNSENT):
        raise Refused("это уже отправлено или отправляется")
    if "key" in done and row["key"] != done["key"]:
        raise Refused("этого текста больше нет: его с тех пор заменил другой")
    values = {key: done[key] for key in ("state", "body") if key in done}
    if by_hand:
        values |= {"sent_at": None, "result": done.get("kept")}
    chosen = keys.parts_of(row["key"]) if done.get("parts") else outbox.c.id == row["id"]
    context.connection.execute(outbox.update().where(chosen, outbox.c.state.in_((*UNSENT, row["state"]))).values(values))


# Time ---------------------------------------------------------------------------------------------------------------------


def _back_shifted(context: Context, done: Undo) -> None:
    """The very deadlines that had moved, those too that were resolved meanwhile: by the old hour what came later is late."""
    connection = context.connection
    moved = done.get("moved")
    if moved is None:
        _obey(context, schedule.shift(connection, context.row.id, timedelta(seconds=-done["shifted"])))
        return
    chosen = connection.execute(sa.select(deadlines).where(deadlines.c.id.in_(moved))).mappings().all()
    if "to" in done:
        own = next(row for row in chosen if row["id"] == done["deadline_moved"])
        if own["due_at"] != datetime.fromisoformat(done["to"]):
            raise Refused("этот срок с тех пор переносили ещё раз: отмените сначала то действие")
    _not_set_anew(context, chosen)
    by = timedelta(seconds=-done["shifted"])
    for row in chosen:
        if row["done_at"] is not None and row["call"] in ("mark", "close", "signup") and by > timedelta():
            reopening.reopen(context, row)
    schedule.shift(connection, context.row.id, by, only=moved)
    _obey(context, moved)


def _not_set_anew(context: Context, shifted: Sequence[sa.RowMapping]) -> None:
    """A deadline that was put on an hour of the host's choice since is not shifted back from there."""
    ids = {row["id"] for row in shifted}
    closing = any(row["call"] == SIGNUP for row in shifted)
    for act in objects.standing_acts(context.connection, context.row.id, "move", "set", after=context.undoing):
        result = act["result"] or {}
        if result.get("deadline_moved") in ids or (closing and "signup.closes" in result.get("settings", {})):
            raise Refused(f"этот срок с тех пор назначен заново {objects.by(context, act)}: отмените сначала то действие")


def _back_paused(context: Context, done: Undo) -> None:
    own = (act for act in objects.standing_acts(context.connection, context.row.id, "pause", "resume"))
    last = next(own, None)
    if last is None or (last["result"] or {}).get("paused_at") != done["paused_at"] or ("shifted" in done) != (
        last["kind"] == "resume"
    ):
        raise Refused("игру с тех пор останавливали или продолжали ещё раз: отмените сначала то действие")
    moment = datetime.fromisoformat(done["paused_at"]) if done["paused_at"] else None
    context.connection.execute(games.update().where(games.c.id == context.row.id).values(paused_at=moment))


def _back_deadline(context: Context, done: Undo) -> None:
    """A deadline that was called before its hour has its hour again."""
    connection = context.connection
    due = connection.execute(sa.select(deadlines).where(deadlines.c.id == done["deadline"])).mappings().one()
    if "to" in done and due["due_at"] != datetime.fromisoformat(done["to"]):
        raise Refused("этот срок с тех пор переносили ещё раз: отмените сначала то действие")
    if due["done_at"] is not None:
        reopening.reopen(context, due)
    schedule.put(connection, due["id"], datetime.fromisoformat(done["due_at"]))
    again = deadlines.c.id.in_(done.get("reminders", [])), deadlines.c.due_at > context.now
    connection.execute(deadlines.update().where(*again).values(done_at=None))
    _obey(context, [due["id"]])


def _obey(context: Context, moved: Sequence[int]) -> None:
    for turn in schedule.affected(context.connection, moved):
        schedule.obey(context.connection, context.row.id, turn, context.now)


def _say_times(context: Context, done: Undo, before: Mapping[str, datetime], *, unseen: bool) -> None:
    """What the act had told of the game's time is told anew, unless nobody has heard it."""
    if context.reopened is not None:
        reopening.tell(context, before)
    if context.reopened is not None or unseen or "deadline" in done:
        return
    if "paused_at" in done:
        rescheduled.tell(context, rescheduled.PAUSED if done["paused_at"] else rescheduled.RESUMED, before)
        return
    rescheduled.tell(context, rescheduled.MOVED, before)


_BACK: Mapping[str, Callable[[Context, Undo], None]] = {
    "entered": _back_entered,
    "struck": _back_struck,
    "verdict": _back_verdict,
    "since": _back_replaced,
    "alias": _back_alias,
    "address": _back_address,
    "gendered": genders.take_back,
    "shifted": _back_shifted,
    "paused_at": _back_paused,
    "deadline": _back_deadline,
    "outbox": _back_outbox,
    "signed": _back_signed,
    "barred": barring.lift_again,
    "unbarred": barring.bar_again,
    "taught": teaching.take_back,
    "forgotten": teaching.know_again,
    "question": questions.reopen,
    "settings": gamesettings.take_back,
}
"""Key of an act's result -> what takes that part of it back."""

_RESTING = frozenset({"entered", "struck", "shifted", "deadline"})
"""Results on which the resolution of a turn may rest."""


def _closed_since(context: Context, since: datetime) -> bool:
    """Whether a turn was resolved after that; a mark inside the running turn has published nothing yet."""
    closed = deadlines.c.game_id == context.row.id, deadlines.c.done_at >= since, deadlines.c.call == "close"
    return context.connection.execute(sa.select(deadlines.c.id).where(*closed)).first() is not None
