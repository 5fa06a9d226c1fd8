"""The newspaper as the forum shows it (D02, D03, D08): he or she, stories by their deaths, a look that a running game keeps."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from adapters.forum import Profile
from engine.model import Accepted, Death, Line, Order
from forumbot.hosting.core import record, seating, stories
from forumbot.reading.genders import of_nick
from forumbot.store.tables import games, holders
from forumbot.writing import themes
from forumbot.writing.themes import Moment
from forumbot.writing.voice import OnForum
from forumbot.writing.writer import GAZETTE, PublicFacts, Writer, gather
from tests.forumbot.hosting.hosts import does, undoes
from tests.forumbot.hosting.world import World

FORUM = OnForum(lambda text: text.replace("[", "("))


def gazette(ruleset: str, lines: list[Line], **more: object) -> str:
    facts = PublicFacts("Партия", 3, ("Анна", "Борис"))
    return Writer(gather(ruleset), "Europe/Moscow").gazette(facts, lines, {}, FORUM, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("nick", "gender"),
    [
        ("Снежана", "f"),
        ("Боцман", "m"),
        ("Рыжая", "f"),
        ("Тётя Зина", "f"),
        ("Серый Волк", "m"),
        ("Кот-Базилио", "m"),
        ("Саша", ""),
        ("Судья", ""),
        ("Солнышко", ""),
        ("Марго", ""),
        ("Lana", ""),
        ("Мурзик", ""),
        ("Чёрная Боцман", ""),
        ("", ""),
    ],
)
def test_d02_a_nick_has_a_gender_only_where_its_words_leave_no_doubt(nick: str, gender: str) -> None:
    assert of_nick(nick) == gender


@pytest.mark.parametrize(
    ("nick", "known", "said"),
    [
        ("Снежана", {}, "Ночью погибла Снежана"),
        ("Боцман", {}, "Ночью погиб Боцман"),
        ("Марго", {}, "Ночью гибнет Марго"),
        ("Марго", {"Марго": "f"}, "Ночью погибла Марго"),
        ("Боцман", {"Боцман": "f"}, "Ночью погибла Боцман"),
        ("[b]Кот", {"[b]Кот": "m"}, "Ночью погиб (b]Кот"),
    ],
)
def test_d02_the_page_or_the_host_goes_before_the_nick(nick: str, known: dict[str, str], said: str) -> None:
    line = Line("deaths", "night", {"player": nick, "label": "citizen", "cause": "mafia"})
    assert f"{said} — мирный житель; причина: мафия." in gazette("league", [line], genders=known)


@pytest.mark.parametrize(
    ("nick", "hanged", "dead"),
    [
        ("Василиса", "Повешена: Василиса (хакер)", "Погибла: Василиса (хакер) — убийство"),
        ("Боцман", "Повешен: Боцман (хакер)", "Погиб: Боцман (хакер) — убийство"),
        ("Lana", "Казнь: Lana (хакер)", "Гибнет: Lana (хакер) — убийство"),
    ],
)
def test_d02_a_cause_is_named_by_a_noun(nick: str, hanged: str, dead: str) -> None:
    lines = [
        Line("hanging", "hanged", {"player": nick, "role": "хакер"}),
        Line("deaths", "death", {"player": nick, "role": "хакер", "cause": "убить"}),
    ]
    text = gazette("mafialife", lines)
    assert hanged in text
    assert dead in text


def test_d08_who_was_lynched_is_told_once_and_the_end_comes_last() -> None:
    lines = [
        Line("title", "title", {"day": 3}),
        Line("court", "lynched", {"player": "Вера"}),
        Line("deaths", "lynch", {"player": "Вера", "reveal": "status:mafia"}),
        Line("victory", "clan", {"name": "Красные"}),
        Line("living", "living", {"players": ("Анна", "Борис")}),
    ]
    text = gazette("clans", lines, scene="[i]Туман.[/i]", final=True)
    assert text.count("Вера") == 1
    assert "Суд Линча: Вера (мафия)" in text
    assert text.splitlines()[:3] == ["[i]Туман.[/i]", "", "[b]Газета. День 3[/b]"]
    assert text.index("Суд Линча") < text.index("В живых (2)") < text.index("Победа: клан «Красные»")
    assert text.endswith("тема «Партия. Итоги партии».")


def test_d08_votes_stand_by_their_target() -> None:
    pairs = (("Анна", "Борис"), ("Вера", "Глеб"), ("Глеб", "Борис"))
    text = gazette("mafialife", [Line("votes", "votes", {"votes": pairs})])
    assert "Борис — 2: Анна, Глеб\nГлеб — 1: Вера" in text


def test_d08_a_story_stands_by_the_death_it_tells_and_a_blotted_one_by_none() -> None:
    def shot(who: str, whom: str, story: str, ref: str) -> Accepted:
        return Accepted(Order(who, "kill", (whom,), {"story": story}, ref=ref))

    night = {"label": "citizen", "cause": "mafia"}
    events = [
        shot("Анна", "Борис", "Рояль.", "1.0"),
        shot("Вера", "Глеб", "Снег.", "2.0"),
        shot("Дина", "Егор", "Тайна.", "3.0"),
        Death("Глеб", "mafia", "Вера", refs=("2.0",)),
        Death("Вера", "mafia", "Глеб", refs=("2.0",)),
        Death("Борис", "yakuza", "Анна", refs=("1.0",)),
        Line("deaths", "night", {"player": "Глеб", **night}),
        Line("deaths", "night", {"player": "Вера", **night}),
        Line("deaths", "night", {"player": "Борис", **night}),
        Line("stories", "murder", {"text": "Рояль.", "hide": ()}),
        Line("stories", "murder", {"text": "Снег.", "hide": ()}),
        Line("stories", "murder", {"text": "Тайна.", "hide": ("Егор",)}),
    ]
    told = [line.data.get("of") for line in stories.tied(events) if line.section == "stories"]
    assert told == ["Борис", "Глеб", None]
    text = gazette("league", stories.tied(events))
    order = ("погиб Глеб", "Снег.", "погибла Вера", "погиб Борис", "Рояль.")
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    assert text.index("[b]Рассказы[/b]") < text.index("Тайна.")


def test_d03_no_scene_comes_again_while_another_fits() -> None:
    theme = themes.gather(themes.names()[0])[themes.FILE]
    seen: list[str] = []
    for turn in range(1, 8):
        seen.append(themes.scene(theme, Moment("g", turn, 1 + turn % 2, False, turn % 7, False), seen=seen))
    assert len(set(seen)) == len(seen)


def test_d03_a_game_keeps_the_newspaper_it_began_with_and_a_host_his_own(day: World, tmp_path: Path) -> None:
    with day.store.write() as connection:
        kept = connection.execute(sa.select(games.c.templates)).scalar_one()
        connection.execute(games.update().values(templates={name: text for name, text in kept.items() if name != GAZETTE}))
        row = record.load(connection, day.game)
    line = [Line("lynch", "nobody")]
    facts = PublicFacts("Партия", 1)
    assert Writer(row.templates, "Europe/Moscow").gazette(facts, line, {}, str) == "Итоги Линча:\nНикто не теряет жизнь"
    own = tmp_path / "templates" / "goldenkey"
    own.mkdir(parents=True)
    (own / "newspaper.j2").write_text("Моя газета\n", encoding="utf-8")
    assert Writer(gather("goldenkey", tmp_path), "Europe/Moscow").gazette(facts, line, {}, str) == "Моя газета"


def test_d02_the_forum_is_asked_once_and_the_host_has_the_last_word(day: World) -> None:
    def gender() -> str | None:
        with day.store.read() as connection:
            return seating.load(connection, day.game).holders["Анна"].gender

    assert gender() == ""
    with day.store.write() as connection:
        connection.execute(holders.update().values(gender=None))
    day.forum.profile = lambda *, uid=None, nick=None: Profile("Анна", uid or 0, (), "f")  # type: ignore[method-assign]
    day.settle()
    day.clock.sleep(7200)
    for _ in range(30):
        day.tick()
    assert gender() == "f"
    act = does(day, "gender", player="Анна", gender="он")
    assert gender() == "m"
    undoes(day, act)
    assert gender() == "f"


def test_evening_the_roster_is_numbered_and_the_dead_have_their_labels() -> None:
    lines = [
        Line("lists", "living", {"players": ("Борис",)}),
        Line(
            "lists",
            "dead",
            {
                "players": (
                    {"player": "Анна", "label": "werewolf_mafia", "cause": "lynch"},
                    {"player": "Марго", "label": "citizen", "cause": "maniac"},
                )
            },
        ),
    ]
    facts = PublicFacts("Партия", 3, ("Борис",), ("Анна", "Марго"), roster=("Анна", "Борис", "Марго"))
    text = Writer(gather("league"), "Europe/Moscow").gazette(facts, lines, {}, FORUM)
    assert "Живые: 1, мёртвые: 2[/b]\n1. Анна [маф-оборотень][повешена мирными]\n2. Борис\n" in text
    assert "\n3. Марго [мирный житель][маньяк]" in text
