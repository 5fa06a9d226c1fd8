"""The fuzz targets for seconds, always the same examples (``make fuzz`` draws others for as long as one likes)."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forumbot.desk import forms
from forumbot.hosting.core import budget
from tests.forumbot.desk.scene import Scene, fork, make_scene
from tests.fuzz import doors
from tests.fuzz.words import BODIES, HTML, LIVE, MOVES, NICKS, TAGS, letters, texts
from tests.work import calls

SECONDS = 5.0
"""Of the processor, for one example of some thousand signs; usual ones take a few hundredths."""
quick = settings(
    max_examples=25, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False
)


@quick
@given(texts(), st.sampled_from(doors.RULESETS))
def test_x01_a_post_is_read_whatever_is_in_it(text: str, ruleset: str) -> None:
    with budget.limited(SECONDS):
        doors.post(text, ruleset)


@quick
@given(texts())
def test_x01_a_page_gives_posts_or_says_why_not(text: str) -> None:
    with budget.limited(SECONDS):
        doors.page(text)


@quick
@given(letters(), st.sampled_from(doors.RULESETS))
def test_x06_a_letter_is_read_whatever_is_in_it(raw: bytes, ruleset: str) -> None:
    with budget.limited(SECONDS):
        doors.letter(raw, ruleset)


@settings(quick, max_examples=60)
@given(texts(), texts(most=5), st.integers(200, 5_000))
def test_x05_a_newspaper_is_ours_whatever_players_wrote(story: str, nick: str, limit: int) -> None:
    with budget.limited(SECONDS):
        doors.paper_on_boards(story, nick, limit)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return fork(make_scene(tmp_path_factory.mktemp("fuzz")), tmp_path_factory.mktemp("forked"))


FIELDS = sorted({name for act in forms.ACTS.values() for name in act.fields} | {"arg.role", "arg.count", "next"})
KNOWN = (*NICKS, "1", "-1", "0", "nan", "1e9", "2026-12-02T10:00", "vote", "yes", "9" * 25)
value = st.one_of(texts(most=4), st.sampled_from(KNOWN))


@settings(quick, max_examples=40)
@given(st.sampled_from(sorted(forms.ACTS)), st.lists(st.tuples(st.sampled_from(FIELDS), value), max_size=8))
def test_x01_a_form_is_an_act_or_a_sentence(site: Scene, kind: str, fields: list[tuple[str, str]]) -> None:
    doors.form(site, kind, fields)


def test_x05_a_bracket_before_a_sign_that_begins_no_tag_opens_none() -> None:
    """Found by a long run: on the board of the demo «[¹ 0» took the end of its frame for its own."""
    doors.paper_on_boards("[¹ 0", "Глеб", 200)


# Cost ---------------------------------------------------------------------------------------------------------------------

WORST: dict[str, tuple[str, Callable[[str], None]]] = {}
for name, words in {"tags": TAGS, "html": HTML, "moves": MOVES, "live": LIVE, "nicks": NICKS, "bodies": BODIES}.items():
    WORST[f"post of {name}"] = (" ".join(words), lambda text: doors.post(text, "goldenkey"))
    WORST[f"letter of {name}"] = (" ".join(words), lambda text: doors.letter(f"From: a@b.c\r\n\r\n{text}".encode(), "league"))
    WORST[f"story of {name}"] = (" ".join(words), lambda text: doors.paper_on_boards(text, "Глеб", 1_000))


@pytest.mark.parametrize("which", WORST)
def test_x01_cost_grows_with_length_alone(which: str) -> None:
    words, door = WORST[which]
    small, large = (calls(partial(door, f"{words} " * times)) for times in (3, 12))
    assert large < 4 * small * 1.6 + 5_000, (small, large)


@pytest.mark.parametrize("which", [one for one in WORST if one.startswith(("post", "letter"))])
def test_x01_memory_grows_with_length_alone(which: str) -> None:
    words, door = WORST[which]
    text = f"{words} " * 20
    door(text)
    tracemalloc.start()
    try:
        door(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000 * len(text) + 8_000_000, (peak, len(text))


def test_x01_the_long_run_finds_its_doors(tmp_path: Path) -> None:
    from tests.fuzz.__main__ import targets

    assert set(targets(tmp_path)) == {"post", "page", "letter", "paper", "form"}
