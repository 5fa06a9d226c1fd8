"""The demo's own needs: its mailbox is an extra that a hosting server leaves out."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from forumbot.cli.main import main


def test_demo_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("forumbot.demo", "pymap", "aiosmtpd"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "aiosmtpd", None)
    answer = CliRunner().invoke(main, ["demo"])
    assert answer.exit_code == 2
    assert "forumbot[demo]" in answer.output
    assert "Traceback" not in answer.output
