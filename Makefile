PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FORUM ?= ucoz
RULESET ?= goldenkey
SEED ?= 1
KEEP ?=
DESK ?=

.PHONY: demo test lint bench torture setup screenshots fuzz audit

setup: $(VENV)/.ready

# "pip install --group" needs pip 25.1; the venv's own pip may be older.
$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed (PYTHON=/path/to/python3.11 make ...)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[demo]" --group dev
	@touch $@

demo: setup
	$(BIN)/forumbot demo --ruleset $(RULESET) --forum $(FORUM) --seed $(SEED) $(if $(KEEP),--keep) $(if $(DESK),--desk)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/python -m pytest -n 3 --dist worksteal

bench: setup
	$(BIN)/python -m tests.bench

# The whole campaign of crashes and random troubles: hours. FORUM chooses the engine, e.g. make torture FORUM=phpbb
# Random troubles alone: .venv/bin/python -m tests.torture --chaos 20
torture: setup
	$(BIN)/python -m tests.torture --forum $(FORUM)

# Pictures of the desk for README.ru.md; needs Debian's chromium.
screenshots: setup
	$(BIN)/python -m tests.forumbot.desk.screenshots docs/screenshots

# Every door of a stranger's words with new examples, for as long as one likes; tells the smallest example of what it finds.
SECONDS ?= 600
fuzz: setup
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# Known holes of the installed packages, by pip-audit (fetched into a folder of its own); skips, and says why, without a database.
audit: setup
	@$(BIN)/python -m tests.audit
