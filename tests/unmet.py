"""What of the agreed copies does not hold yet: strict xfails, kept in ``unmet.toml``, which is emptied as the work goes on."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

LIST = Path(__file__).with_name("unmet.toml")


@cache
def unmet() -> dict[str, dict[str, str]]:
    """Kind of copy ("cases", "bad", "corpus2", "own") -> name or id -> why it does not hold yet."""
    listed: dict[str, dict[str, str]] = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {"cases": {}, "bad": {}, "corpus2": {}, "own": {}} | listed


def held(kind: str, name: str, value: Any) -> Any:
    """The test parameter for one agreed piece: expected to fail, strictly, while the list names it."""
    reason = unmet()[kind].get(name)
    marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
    return pytest.param(value, id=name, marks=marks)
