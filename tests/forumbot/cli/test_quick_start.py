"""Commands that look at one page load nothing of the database, the settings or the rules: they start at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "pages"

HEAVY = ("sqlalchemy", "pydantic", "pydantic_settings", "jinja2", "structlog", "engine", "alembic", "pymorphy3")
_LOADED = """
import sys
from forumbot.cli.main import main
sys.argv = ["forumbot", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
print("|".join(sorted(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("forum", ["ucoz", "phpbb"])
def test_s14_reading_a_saved_page_loads_no_database_settings_or_rules(forum: str) -> None:
    page = next(iter(sorted((PAGES / forum).glob("*.html"))))
    arguments = ["read-page", "--forum", forum, "--json", str(page)]
    made = subprocess.run([sys.executable, "-c", _LOADED.format(arguments=arguments)], capture_output=True, text=True, check=True)
    loaded = set(made.stderr.splitlines()[-1].split("|"))
    assert "selectolax" in loaded
    assert loaded.isdisjoint(HEAVY)
