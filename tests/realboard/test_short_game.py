"""A short game on the real board that the environment names; nothing is asked of anybody where it names none."""

from __future__ import annotations

import os
import shlex

import pytest

from tests.realboard.__main__ import main

BOARD = "FORUMBOT_REALBOARD"
"""``URL --password … --clock FILE`` as the campaign's command line takes them (docs/real-boards.md)."""

board = pytest.mark.skipif(not os.environ.get(BOARD), reason=f"no real board: {BOARD} is not set (docs/real-boards.md)")


@board
@pytest.mark.parametrize(("kills", "troubles"), [("0", "0"), ("0.3", "0.3")])
def test_two_turns_on_a_real_board_end_as_meant(kills: str, troubles: str) -> None:
    given = shlex.split(os.environ[BOARD])
    assert main([*given, "--ruleset", "goldenkey", "--turns", "2", "--kills", kills, "--troubles", troubles]) == 0


def test_without_a_board_the_campaign_says_so_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("skipped: no board is given")
