"""Nothing cited in code, tests, templates or documents is missing from the repository: documents and numbers of faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from engine.rulesets import NAMES

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


UNCITED: Mapping[str, str] = {
    "clans": "",
    "goldenkey": "D38 S8",  # how an example of the source is read; what the rules forbid and no program can see
    "league": "H7",  # the dead may talk: the program never comments on it
    "mafialife": "",
}
"""Rules and decisions that no code names yet. The list only shrinks: what carries one names it in its docstring."""


def rules_of(ruleset: str) -> set[str]:
    """The numbers of a ruleset's rules and decisions, as its document defines them."""
    text = (ROOT / "docs" / "rules" / f"{ruleset}.md").read_text(encoding="utf-8")
    return set(re.findall(r"\*\*([RDSH]\d+)\b", text))


def cited_in_code(ruleset: str) -> set[str]:
    """The numbers that the ruleset's own files name, and those that others name behind the ruleset's name, "(clans R92, D42)"."""
    own = [*(ROOT / "engine" / "rulesets" / ruleset).glob("*.py"), *(ROOT / "config" / "rulesets").glob(f"{ruleset}.*")]
    own += [*(ROOT / "config" / "templates" / ruleset).iterdir()]
    found = {number for file in own for number in re.findall(r"\b[RDSH]\d+\b", file.read_text(encoding="utf-8"))}
    for file in files(".py"):
        if not file.is_relative_to(ROOT / "tests"):
            for place in re.findall(rf"\b{ruleset}((?:,? [RDSH]\d+)+)", file.read_text(encoding="utf-8")):
                found |= set(re.findall(r"[RDSH]\d+", place))
    for file in [*(ROOT / "engine" / "rulesets" / ruleset).glob("*.py")]:
        for kind, first, last in re.findall(r"\b([RDSH])(\d+)[-–]\1?(\d+)\b", file.read_text(encoding="utf-8")):
            found |= {f"{kind}{number}" for number in range(int(first), int(last) + 1)}
    return found


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_rule_and_decision_is_named_by_the_code_that_carries_it(ruleset: str) -> None:
    left = rules_of(ruleset) - cited_in_code(ruleset)
    assert " ".join(sorted(left, key=lambda number: (number[0], int(number[1:])))) == UNCITED[ruleset]


@pytest.mark.parametrize("ruleset", NAMES)
def test_no_rule_is_named_that_the_document_does_not_have(ruleset: str) -> None:
    text = (ROOT / "docs" / "rules" / f"{ruleset}.md").read_text(encoding="utf-8")
    known = set(re.findall(r"\b[RD]\d+\b", text))
    files_ = (ROOT / "engine" / "rulesets" / ruleset).glob("*.py")
    named = {number for file in files_ for number in re.findall(r"\b[RD]\d+\b", file.read_text(encoding="utf-8"))}
    assert named - known == set()
