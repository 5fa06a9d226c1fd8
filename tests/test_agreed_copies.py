"""The agreed rules, cases, bad files, corpora, pages and letters are copies of their master in ../shared, if that is here."""

import filecmp
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
COPIES = {
    "rules": "docs/rules",
    "cases": "tests/cases",
    "bad": "tests/bad",
    "corpus": "tests/corpus",
    "corpus2": "tests/corpus2",
    "pages": "tests/pages",
    "letters": "tests/letters",
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is not on this machine")
@pytest.mark.parametrize("master", COPIES)
def test_copy_equals_its_master(master: str) -> None:
    files = [p for p in (SHARED / master).rglob("*") if p.is_file()]
    assert files
    for file in files:
        copy = ROOT / COPIES[master] / file.relative_to(SHARED / master)
        assert copy.is_file(), copy
        assert filecmp.cmp(file, copy, shallow=False), copy
