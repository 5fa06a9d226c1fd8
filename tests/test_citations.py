"""Nothing cited in code, tests, templates or documents is missing from the repository: documents and numbers of faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("forumbot", "adapters", "engine", "tests", "config", "docs", "systemd")
_DOCUMENT = re.compile(r"(?<![\w@*{}<>./-])(?:[\w.-]+/)*[\w.-]+\.md\b")
_FAULT_TEST = re.compile(r"def test_([pahxst]\d\d)_")
_AGREED = ("tests/cases", "tests/corpus", "tests/corpus2", "tests/pages", "tests/letters", "tests/bad")
"""Copies of files that are agreed outside; they name their own neighbours."""


def files(*endings: str) -> Iterator[Path]:
    """Every text of ours with one of the endings."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*")):
            place = file.relative_to(ROOT).as_posix()
            if file.suffix in endings and not place.startswith(_AGREED):
                yield file
    yield from sorted(ROOT.glob("*.md"))


def faults() -> set[str]:
    return set(re.findall(r"^\| ([A-Z]\d\d) \|", (ROOT / "docs" / "trouble.md").read_text(encoding="utf-8"), re.M))


@pytest.mark.parametrize("file", files(".py", ".toml", ".j2", ".md"), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_document_that_is_cited_is_here(file: Path) -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")]
    names = {document.relative_to(ROOT).as_posix() for document in documents}
    cited = {found[0] for found in _DOCUMENT.finditer(file.read_text(encoding="utf-8"))}
    assert {name for name in cited if not any(f"/{here}".endswith(f"/{name.removeprefix('./')}") for here in names)} == set()


@pytest.mark.parametrize("file", files(".py"), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_every_fault_that_is_cited_is_listed(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    cited = {found[1].upper() for found in _FAULT_TEST.finditer(text)}
    cited |= set(re.findall(r"(?<![\w\"'/-])(T\d\d)\b(?![:\"'-])", text))
    assert cited - faults() == set()


def test_every_listed_fault_of_this_trade_is_cited_by_a_test() -> None:
    texts = [file.read_text(encoding="utf-8") for file in files(".py") if "tests" in file.parts]
    cited = {found[1].upper() for text in texts for found in _FAULT_TEST.finditer(text)}
    cited |= {number for text in texts for number in re.findall(r"\bT\d\d\b", text)}
    assert {number for number in faults() if number[0] == "T"} - cited == set()
