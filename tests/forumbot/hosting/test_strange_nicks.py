"""Players whose nicks look like mark-up, addresses or smileys: a game with them is hosted as any other."""

from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest
import sqlalchemy as sa

from adapters.markup import highlights, own_text
from adapters.phpbb.pages import read_thread as read_phpbb
from adapters.ucoz.pages import read_thread as read_ucoz
from forumbot.demo.forum.serving import topic_address
from forumbot.demo.mailbox import RunningMailbox
from forumbot.store.tables import outbox, verdicts
from tests.torture.clock import StepClock
from tests.torture.live import (
    CLOSES,
    DAY_ONE,
    LYNCH,
    MONDAY,
    NICKS,
    Engine,
    State,
    inside_of,
    open_outside,
    options_of,
    restore_mailbox,
)

STRANGE = ("&#91;color=red&#93;Анна&#91;/color&#93;", ":D", "/index/8-2", "\u202eлево", "[/quote]", "Я")


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_a_game_with_strange_nicks(served: tuple[StepClock, RunningMailbox], tmp_path: Path, engine: Engine) -> None:
    """Everybody is dealt in and votes for whom he means; what the bot writes comes once, and no nick works as mark-up in it."""
    clock, mailbox = served
    clock.move_to(MONDAY)
    restore_mailbox(mailbox, State(MONDAY, {}, (), 1, (), {}))
    with open_outside(tmp_path, clock, mailbox, options_of(engine)) as outside, inside_of(outside) as site:
        for nick, strange in zip(NICKS, STRANGE, strict=True):
            outside.board.rename(outside.uids[nick], strange)
        site.settle()
        for nick in NICKS:
            clock.sleep(60)
            outside.says(nick, "играю", "Запись")
        site.settle()
        site.until(CLOSES + timedelta(minutes=5), timedelta(hours=4))
        site.settle()
        site.until(DAY_ONE, timedelta(hours=14))
        site.settle()
        assert list(site.roles()) == list(STRANGE)
        for nick, target in zip(NICKS, ("/index/8-2", "/index/8-2", "Я", "[/quote]", "\u202eлево"), strict=False):
            outside.says(nick, f"[color=blue]Линч: {target}[/color]")
        site.settle()
        assert site.votes() == {"/index/8-2": 2, "Я": 1, "[/quote]": 1, "\u202eлево": 1}
        authors = [row["author"] for row in site.rows(sa.select(verdicts).order_by(verdicts.c.id))]
        assert authors == [*STRANGE, *STRANGE[:5]]
        site.until(LYNCH + timedelta(minutes=10), timedelta(hours=4))
        site.settle()
        assert {row["state"] for row in site.rows(sa.select(outbox))} == {"sent"}
        assert (site.told(), site.troubles()) == ([], [])
        for topic in outside.board.topics.values():
            read = read_ucoz if engine == "ucoz" else read_phpbb
            page = httpx.get(outside.server.url + topic_address(outside.board, topic.id, outside.options)).text
            zone = ZoneInfo("Europe/Moscow")
            posts = [post for post in read(page, fetched=clock.now(), zone=zone).posts if post.author_uid == outside.host]
            texts = [own_text(post.runs) for post in posts]
            assert len(texts) == len(set(texts)) == len(outside.texts(topic.title))
            marked = {text for post in posts for _, _, text in highlights(post.runs)}
            assert marked <= {"Линч: ник", "снимаю голос"}
            assert "\u202e" not in "".join(texts)
        assert "5. [\xa0/quote]\n6. Я" in outside.texts("День 1")[0]
