"""The list of what does not hold yet names nothing that the agreed copies and our own lines don't have."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unmet import unmet

TESTS = Path(__file__).parent


def names(kind: str) -> set[str]:
    if kind == "own":
        lines = (TESTS / "forumbot" / "reading" / "own.jsonl").read_text(encoding="utf-8").splitlines()
        return {json.loads(line)["id"] for line in lines if line.strip()}
    folder = TESTS / kind
    if kind == "corpus2":
        files = [file.read_text(encoding="utf-8") for file in folder.glob("*.jsonl")]
        return {json.loads(line)["id"] for text in files for line in text.splitlines() if line.strip()}
    agreed = {file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.toml")}
    if kind == "cases":
        engine = TESTS / "engine"
        agreed |= {file.relative_to(engine).with_suffix("").as_posix() for file in engine.glob("*/cases/*.toml")}
    return agreed


def test_every_name_in_the_list_is_one_of_the_pieces() -> None:
    assert set(unmet()) <= {"cases", "bad", "corpus2", "own"}
    for kind, listed in unmet().items():
        assert set(listed) <= names(kind)
        assert all(listed.values())
