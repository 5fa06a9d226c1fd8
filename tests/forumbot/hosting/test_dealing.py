"""P24: that the roles are out is said when each of them has been on its way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.errors import OutsideError, RecipientRefused, Unreachable
from forumbot.store.tables import outbox
from tests.forumbot.hosting.world import MONDAY, NICKS, World, make_world

CLOSES = MONDAY + timedelta(hours=8)


def order_of_sending(world: World, monkeypatch: pytest.MonkeyPatch, refusal: OutsideError | None) -> list[str]:
    """What goes out after the deal, as it is tried: nicks, and "started" for the post that says the roles are out."""
    tried: list[str] = []
    send_pm, reply = world.forum.send_pm, world.forum.reply

    def sends(to_uid: int, to_nick: str, subject: str, text: str) -> None:
        tried.append(to_nick)
        if refusal is not None and to_nick == "Глеб":
            raise refusal
        send_pm(to_uid, to_nick, subject, text)

    def replies(topic: str, text: str) -> object:
        if "Роли разосланы" in text:
            tried.append("started")
        return reply(topic, text)

    monkeypatch.setattr(world.forum, "send_pm", sends)
    monkeypatch.setattr(world.forum, "reply", replies)
    world.clock.move_to(CLOSES + timedelta(minutes=1))
    for _ in range(60):
        world.tick()
        world.restart()  # nothing of the order is kept in the process
        world.clock.sleep(61)
    return tried


@pytest.mark.parametrize("refusal", [None, RecipientRefused("ЛС отключены"), Unreachable("")], ids=["well", "refused", "no line"])
def test_p24_the_roles_are_called_out_behind_the_last_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: OutsideError | None
) -> None:
    world = make_world(tmp_path)
    tried = order_of_sending(world, monkeypatch, refusal)
    assert tried.count("started") == 1
    assert set(tried[: tried.index("started")]) >= set(NICKS[:15])
    assert world.value(sa.select(outbox.c.state).where(outbox.c.key == "gk1/started")) == "sent"
