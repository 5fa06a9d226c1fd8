"""The owner rewrites templates and strings; the host writes down what is new in his own config/forums, and the bot reads on."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from forumbot import resources
from forumbot.hosting.core import outbox as rows
from forumbot.store.tables import outbox, threads
from tests.forumbot.hosting.test_forum_trouble import resolved, said, told_well
from tests.torture.fixtures import OpenSite
from tests.torture.live import GAME, LYNCH, Engine, Inside

REWORDED: dict[Engine, dict[str, str]] = {
    "ucoz": {
        "Сообщение отредактировал": "Реплику переписал", 'class="edited"': 'class="small"',
        "так часто. Пожалуйста, подождите": "подряд",
    },
    "phpbb": {'class="notice"': 'class="small"', "сразу после предыдущего": "подряд"},
}  # fmt: skip
STRINGS: dict[Engine, str] = {
    "ucoz": 'post_ids = "our-text-"\nauthor_classes = "our-name"\nnumber_classes = "our-number"\n'
    'edited_words = "Реплику переписал"\nflood_words = "сообщения подряд"\n',
    "phpbb": 'post_ids = "entry"\npost_classes = "entry"\ntext_classes = "words"\nprofile_classes = "entry-who"\n'
    'line_classes = "who"\nnotice_classes = "small"\nflood_words = "сообщение подряд"\n',
}


def write_strings(site: Inside, engine: Engine, text: str) -> None:
    """The host writes his own file and starts the bot again; another process would read the file anew."""
    file = site.outside.folder / "own" / "forums" / f"{engine}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    resources.toml.cache_clear()
    site.restart()


def announce(site: Inside, *texts: str) -> None:
    """Posts of the bot in the day's thread."""
    with site.store.write() as connection:
        day = connection.execute(sa.select(threads.c.id).where(threads.c.kind == "day")).scalar()
        for text in texts:
            rows.put(
                connection, text, "post", {"thread_id": day}, "", text, game_id=GAME, priority=rows.URGENT, now=site.clock.now()
            )


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_a_forum_that_was_rewritten_is_read_with_the_hosts_own_strings(open_site: OpenSite, engine: Engine) -> None:
    """Held and told while the bot cannot read; after the restart the deadline is resolved on what stood there in time, and
    a vote whose edit is told in the owner's words alone is void (goldenkey R11)."""
    site = open_site(engine, settings={"site": {"own": "own"}})
    outside = site.outside
    outside.server.troubles.layout_changed = True
    outside.server.troubles.reworded = REWORDED[engine]
    outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    changed = outside.says("Глеб", "[color=blue]Линч: Вера[/color]")
    outside.says("Дина", "просто слово")
    outside.board.edit(changed, "[color=blue]Линч: Анна[/color]")
    site.clock.move_to(LYNCH - timedelta(minutes=2))
    site.until(LYNCH + timedelta(minutes=9), timedelta(minutes=3))
    assert resolved(site) is None
    assert said(site, "изменилось оформление форума") == 1
    told_well(site)
    write_strings(site, engine, STRINGS[engine])
    site.settle()
    assert resolved(site) is not None
    assert site.votes() == {"Борис": 1}
    assert site.troubles() == []


@pytest.mark.parametrize("engine", ["ucoz", "phpbb"])
def test_answers_in_the_owners_words_are_understood(open_site: OpenSite, engine: Engine) -> None:
    """The forum wants more distance than we keep and says so in words of its own."""
    site = open_site(engine, settings={"site": {"own": "own"}})
    site.outside.board.user(site.outside.host).group = "users"
    site.outside.server.troubles.flood_interval = 90
    site.outside.server.troubles.reworded = REWORDED[engine]
    write_strings(site, engine, STRINGS[engine].splitlines()[-1])
    site.settle()
    announce(site, "Объявление 1", "Объявление 2")
    site.tick()
    site.clock.sleep(20)
    site.tick()
    waiting = site.rows(sa.select(outbox).where(outbox.c.key == "Объявление 2"))[0]
    assert (waiting["state"], waiting["error"]) == ("waiting", "форум просит подождать")
    site.settle()
    assert [text for text in site.outside.texts("День") if "Объявление" in text] == ["Объявление 1", "Объявление 2"]
    assert site.told() == []
