"""The host's word about an execution of which nobody has sent a story: there he may write one himself (league R33, H5)."""

from __future__ import annotations

import sqlalchemy as sa

from engine.turn import Storied
from forumbot.hosting.core import stories, troubles
from forumbot.hosting.core.match import Match
from forumbot.hosting.core.sitting import Sitting
from forumbot.store.tables import deadlines


def tell_host(sitting: Sitting, match: Match) -> None:
    """Who is condemned is known, and nobody has told it: until when that can be done, and what is left over from other days."""
    rules, row = match.ruleset, sitting.row
    who = rules.untold(match.game) if isinstance(rules, Storied) else None
    if who is None:
        return
    mine = deadlines.c.game_id == row.id, deadlines.c.turn == match.turn, deadlines.c.call == "close"
    closes = sitting.connection.execute(sa.select(deadlines.c.due_at).where(*mine)).scalar_one()
    names = sitting.seats.names()
    nick = names.get(who, who)
    text = (
        f"Игра «{row.id}»: больше всех голосов у игрока {nick}, а рассказа о казни никто не прислал. Его ещё можно прислать или "
        f"написать самому до {sitting.writer.until(closes)}: forumbot stories write {nick} РАССКАЗ."
    )
    spare = [
        f"{names.get(one.author, one.author)} о {names.get(one.targets[0], one.targets[0])} (день {one.shot})"
        for one in stories.left_over(match)
    ]
    if spare:
        text += f" Остались с прошлых дней: {'; '.join(spare)}; взять такой: forumbot stories choose --turn ДЕНЬ АВТОР {nick}."
    key = f"story/{row.id}/{match.turn}"
    troubles.tell_host(sitting.connection, sitting.site, key, "Нет рассказа о казни", text, sitting.now, game_id=row.id)
