"""A sample of the crash campaign (``make torture`` runs all of it): SIGKILL around posting, another start, the same end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.campaign import SCENES, Campaign, campaign
from tests.torture.chaos import ride

MORNING = next(number for number, scene in enumerate(SCENES) if scene.name == "morning")
BEGIN, SIGN_UP = (next(number for number, scene in enumerate(SCENES) if scene.name == name) for name in ("begin", "sign-up"))
LYNCH = next(number for number, scene in enumerate(SCENES) if scene.name == "lynch")
PROVE = next(number for number, scene in enumerate(SCENES) if scene.name == "prove")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """The game on uCoz up to its first newspaper, recorded undisturbed."""
    with campaign("ucoz", tmp_path_factory.mktemp("torture")) as one:
        one.record(MORNING + 1)
        yield one


def passing(played: Campaign, scene: int, words: str, nth: int = 0) -> int:
    """The number of the ``nth`` point whose name begins so."""
    found = [number for number, name in enumerate(played.traces[scene], 1) if name.startswith(words)]
    return found[nth]


POINTS = {
    "before the newspaper's form is sent": ("before POST", 1, 0),
    "after the forum's answer and before our commit": ("after POST", 1, 0),
    "after the commit that notes it as sent": ("after POST", 1, 4),
    "after the topic was opened": ("after POST", 2, 0),
    "before the first private result": ("before POST", 3, 0),
    "after the first private result": ("after POST", 3, 0),
}


@pytest.mark.parametrize(("words", "nth", "further"), POINTS.values(), ids=POINTS)
def test_nothing_is_posted_twice_or_never(played: Campaign, words: str, nth: int, further: int) -> None:
    """T49, promises 1-3: killed around a posting of the morning (newspaper, day topic, results), started again."""
    point = passing(played, MORNING, words, nth) + further
    assert played.strike(MORNING, point) == []


@pytest.mark.parametrize("nth", [0, 1], ids=["before the resolution's commit", "after it"])
def test_a_turn_is_resolved_once(played: Campaign, nth: int) -> None:
    """T53, T56: killed on either side of the commit that resolves the turn."""
    first_post = passing(played, MORNING, "before POST", 1)
    wanted = ("before commit", "after commit")[nth]
    commits = [n for n, name in enumerate(played.traces[MORNING], 1) if name == wanted and n < first_post]
    assert played.strike(MORNING, commits[-3]) == []


@pytest.mark.parametrize("words", ["before smtp .", "after smtp ", "after imap FETCH"])
def test_no_letter_is_lost_or_doubled(played: Campaign, words: str) -> None:
    """T42: killed around a letter's text and around the reading of letters."""
    names = played.traces[PROVE]
    found = [n for n, name in enumerate(names, 1) if name.startswith(words)]
    data = next((n for n, name in enumerate(names, 1) if name.startswith("before smtp data")), 1)
    later = [n for n in found if n > data] if "smtp" in words else found
    assert later or words == "before smtp ."
    assert played.strike(PROVE, (later or [data + 2])[0]) == []


@pytest.mark.parametrize("seed", [4])
def test_troubles_that_come_together_change_nothing_in_the_end(played: Campaign, seed: int) -> None:
    """A game from its lynch to its newspaper, disturbed at random by forum, mailbox, players and kills (tests.torture.chaos)."""
    _, wrong, happened = ride(played, seed, first=LYNCH)
    assert wrong == [], "\n".join(happened)


def test_phpbb_gets_nothing_twice_or_never(tmp_path: Path) -> None:
    """T49 on phpBB, whose forms may double what is sent twice: killed around a topic's form and a private message's. One
    test, so that its beginning of a game is played once."""
    points = ((BEGIN, "before POST mode=post"), (BEGIN, "after POST mode=post"), (SIGN_UP, "after POST i=pm"))
    with campaign("phpbb", tmp_path) as played:
        played.record(SIGN_UP + 1)
        for scene, words in points:
            assert played.strike(scene, passing(played, scene, words)) == [], words


def test_the_recorded_game_passes_points_of_every_kind(played: Campaign) -> None:
    names = {name.split()[0] + " " + name.split()[1] for trace in played.traces for name in trace}
    for kind in ("commit", "GET", "POST", "smtp", "imap"):
        assert {f"before {kind}", f"after {kind}"} <= names
