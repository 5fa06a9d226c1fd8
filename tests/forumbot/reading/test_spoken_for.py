"""Words that a ruleset's players write in their moves, and nobody can be called by."""

from random import Random

import pytest

from forumbot.demo.nicks import cast
from forumbot.reading.spoken_for import spoken_for
from forumbot.reading.vocabulary import vocabulary

RULESETS = ("league", "clans", "goldenkey", "mafialife")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_plain_word_of_every_move_is_spoken_for(ruleset: str) -> None:
    """Each first word of each move's examples that stands for the move by itself."""
    known = vocabulary(ruleset)
    openings = {example.split()[0].strip(":,") for action in known.actions.values() for example in action.examples}
    heard = {word for word in openings if spoken_for(ruleset, word) == "move"}
    assert len(heard) >= len(openings) // 2
    assert {"голос", "Голос", "ГОЛОС"} == {word for word in ("голос", "Голос", "ГОЛОС") if spoken_for(ruleset, word) == "move"}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("word", ["я", "никто", "не", "или", "за", "всем", "два"])
def test_little_words_are_spoken_for(ruleset: str, word: str) -> None:
    assert spoken_for(ruleset, word) == "word"


@pytest.mark.parametrize(("ruleset", "role"), [("league", "Доктор"), ("clans", "Доктор"), ("goldenkey", "Буратино")])
def test_a_role_is_spoken_for(ruleset: str, role: str) -> None:
    assert spoken_for(ruleset, role) == "role"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_people_can_be_called_by_names(ruleset: str) -> None:
    nicks = {nick.name for seed in range(30) for nick in cast(Random(seed), 20)}
    usual = {"Рыжий", "Бориска", "Босс", "Верунчик", "Председатель", "Шериф с Севера", "Глебушка", "Пёс", "Тихоня", "Хмурый"}
    assert {nick for nick in nicks | usual if spoken_for(ruleset, nick)} == set()
