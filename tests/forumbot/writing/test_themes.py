"""Scenes: chosen by public facts alone, the same on every run, never twice in a row."""

import itertools
import re
import tomllib
from pathlib import Path

import pytest

from forumbot.writing import themes
from forumbot.writing.themes import Moment

THEMES = themes.names()


def text_of(theme: str) -> str:
    return themes.gather(theme)[themes.FILE]


def test_there_are_three_themes_of_twenty_scenes() -> None:
    assert len(THEMES) >= 3
    for theme in THEMES:
        scenes = [scene["text"] for scene in tomllib.loads(text_of(theme))["scenes"]]
        assert len(scenes) == len(set(scenes)) >= 20
    everything = [scene["text"] for theme in THEMES for scene in tomllib.loads(text_of(theme))["scenes"]]
    assert len(everything) == len(set(everything))


@pytest.mark.parametrize("theme", THEMES)
def test_every_newspaper_has_its_scene_and_no_scene_comes_twice_in_a_row(theme: str) -> None:
    text = text_of(theme)
    for dead, nobody, weekday, final in itertools.product((0, 1, 2, 5), (True, False), range(7), (True, False)):
        shown = [themes.scene(text, Moment("g1", turn, dead, nobody, weekday, final)) for turn in range(1, 6)]
        assert all(shown)
        assert all(one != next_one for one, next_one in itertools.pairwise(shown))


@pytest.mark.parametrize("theme", THEMES)
def test_every_scene_can_come(theme: str) -> None:
    text = text_of(theme)
    moments = itertools.product((0, 1, 2), (True, False), range(7), (True, False), range(1, 20))
    shown = {themes.scene(text, Moment("g1", turn, dead, no, day, final)) for dead, no, day, final, turn in moments}
    assert shown == {scene["text"].strip() for scene in tomllib.loads(text)["scenes"]}


@pytest.mark.parametrize("theme", THEMES)
def test_no_scene_speaks_of_what_only_the_rules_may_tell(theme: str) -> None:
    """No role, no side, no cause of death in any of the rulesets' words."""
    words = "мафи|злоде|маньяк|комиссар|доктор|клан|якудз|яд|пул[яи]|выстрел|застрел|взры|нож|убийц|повеш|казн|роль|роли"
    for scene in tomllib.loads(text_of(theme))["scenes"]:
        assert not re.search(rf"\b(?:{words})", scene["text"].casefold()), scene["text"]


def test_the_same_facts_give_the_same_scene_and_games_differ() -> None:
    text = text_of(THEMES[0])
    moment = Moment("g1", 3, 1, False, 2, False)
    assert themes.scene(text, moment) == themes.scene(text, moment)
    others = {themes.scene(text, Moment(f"g{number}", 3, 1, False, 2, False)) for number in range(20)}
    assert len(others) > 3
    assert themes.scene(text, moment, another=1) != themes.scene(text, moment)


def test_no_theme_is_no_scene() -> None:
    assert themes.gather("") == {}
    assert themes.scene("", Moment("g1", 1, 0, False, 0, False)) == ""
    with pytest.raises(FileNotFoundError):
        themes.gather("nowhere")


def test_a_host_has_themes_of_his_own(tmp_path: Path) -> None:
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "mine.toml").write_text('[[scenes]]\ntext = "Наш двор."\n', encoding="utf-8")
    assert "mine" in themes.names(tmp_path)
    own = themes.gather("mine", tmp_path)[themes.FILE]
    assert themes.scene(own, Moment("g1", 1, 4, True, 0, False)) == "Наш двор."
