"""What the two READMEs and the example settings say is there: commands, options, settings, files, pictures' names."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import click
import pytest
from pydantic import BaseModel

from engine import rulesets
from forumbot.cli.main import COMMANDS, main
from forumbot.hosting.daemon.metrics import Metrics
from forumbot.settings import DeskPart, ForumPart, Game, MailPart, SignupPart, Site, SitePart, load_game, load_site

ROOT = Path(__file__).parent.parent
READMES = ("README.md", "README.ru.md")
EXAMPLE = ROOT / "config" / "example"
SITE: dict[str, type[BaseModel]] = {"site": SitePart, "forum": ForumPart, "mail": MailPart, "desk": DeskPart}
_CALL = re.compile(r"\bforumbot ((?:[a-z-]+|--[a-z-]+)(?:[ ][^`|#\n;]*)?)")
_CODE = re.compile(r"`([^`\n]+)`|^ {4,}(\S.*)$", re.M)


def code(readme: str) -> list[str]:
    """The code spans and the lines of code blocks of a README."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    return [found[1] or found[2] for found in _CODE.finditer(text)]


def calls(readme: str) -> list[str]:
    """Every call of the program: command with its arguments."""
    return sorted({call[1].strip() for piece in code(readme) for call in _CALL.finditer(piece) if "forumbot/" not in call[0]})


def settings() -> set[str]:
    """All names that a host may write into his files."""
    parts = (*SITE.values(), SignupPart, Game)
    return {name for part in parts for name in part.model_fields} | set(SITE)


@pytest.mark.parametrize(("readme", "call"), [(readme, call) for readme in READMES for call in calls(readme)])
def test_a_command_that_is_named_exists(readme: str, call: str) -> None:
    words = shlex.split(call)
    command: click.Command | None = main
    context = click.Context(main)
    while words and isinstance(command, click.Group) and not words[0].startswith("-") and words[0] != "COMMAND":
        command = command.get_command(context, words.pop(0))
        assert command is not None, f"{readme}: forumbot {call}"
    assert command is not None
    known = {name for parameter in command.params for name in parameter.opts} | {"--help", "--version"}
    assert {word for word in words if word.startswith("--")} <= known, f"{readme}: forumbot {call}"


def test_the_readmes_name_many_commands() -> None:
    """The search above must not go blind."""
    assert len(calls("README.ru.md")) > 40
    assert set(COMMANDS) <= {call.split()[0] for call in calls("README.md")}


def test_every_setting_that_is_named_exists() -> None:
    tables = {name for ruleset in rulesets.NAMES for name in _names(ROOT / "config" / "rulesets" / f"{ruleset}.toml")}
    layout = {
        found[1]
        for file in (ROOT / "config" / "forums").glob("*.toml")
        for found in re.finditer(r"^# (\w+) =", file.read_text(), re.M)
    }
    secrets = {"forum_password", "mail_password"}
    known = settings() | tables | layout | secrets
    for readme in READMES:
        for piece in code(readme):
            assigned = re.match(r"(\w+) = ", piece)
            names = {assigned[1]} if assigned else set(re.findall(r"^(?:\[\w+\] )?([a-z]+_[a-z_]+)$", piece))
            assert names <= known, f"{readme}: {piece}"
            section = re.match(r"\[(\w+)\]", piece)
            assert section is None or section[1] in {*SITE, "signup", "tables", "ok"}, f"{readme}: {piece}"


def _names(file: Path) -> set[str]:
    return set(tomllib.loads(file.read_text(encoding="utf-8")))


def test_every_file_that_is_named_exists() -> None:
    made = {"games/", "data/", "secrets/forum_password", "secrets/mail_password", "games/ИМЯ.toml"}
    for readme in READMES:
        for piece in code(readme):
            if re.fullmatch(r"(?:docs|config|systemd|tests|games|data|secrets)/[\w./-]*", piece) and piece not in made:
                assert (ROOT / piece).exists(), f"{readme}: {piece}"


@pytest.mark.parametrize("readme", READMES)
def test_links_lead_somewhere(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    heads = {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}
    taken = (ROOT / "tests/forumbot/desk/screenshots.py").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in heads, target
        elif target.startswith("docs/screenshots/"):
            # The pictures are taken by `make screenshots`, which knows their names.
            assert f'"{Path(target).stem}' in taken, target
        elif "://" not in target:
            assert (ROOT / target).exists(), target


def documented(file: Path) -> dict[str, dict[str, str]]:
    """section -> name -> remark; a line that is commented out counts."""
    found: dict[str, dict[str, str]] = {"": {}}
    section = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if head := re.match(r"\[(\w+)\]", line):
            section = head[1]
            found[section] = {"": line.partition("#")[2]}
        elif setting := re.match(r"(?:# )?(\w+) = (?:\"[^\"]*\"|\{[^}]*\}|\[[^\]]*\]|[\w.:+-]+)\s*(?:#\s*(.*))?$", line):
            found[section][setting[1]] = setting[2] or ""
    return found


def test_every_setting_of_the_site_stands_in_the_example_with_a_remark() -> None:
    shown = documented(EXAMPLE / "forumbot.toml")
    for section, part in SITE.items():
        assert set(part.model_fields) == set(shown[section]) - {""}, section
    obvious = {"address", "url", "imap_host", "smtp_host", "imap_port", "smtp_port", "smtp_security", "port"}
    bare = {f"{section}.{name}" for section, names in shown.items() for name, remark in names.items() if not remark and name}
    assert {name.split(".")[1] for name in bare} <= obvious


def test_every_setting_of_a_game_stands_in_the_example_with_a_remark() -> None:
    shown = documented(EXAMPLE / "games" / "goldenkey.toml")
    plain = set(Game.model_fields) - {"signup", "tables"}
    assert plain == set(shown[""])
    assert set(SignupPart.model_fields) == set(shown["signup"]) - {""}
    assert {name for name, remark in shown[""].items() if not remark} <= {"id", "title"}


def test_the_values_shown_as_usual_are_the_usual_ones() -> None:
    """A line that is commented out shows the default; a few show an example instead."""
    examples = {"own", "host_nick", "host_uid", "overrides", "user", "first_day", "seed", "digest_at", "day_topics", "folder"}
    for file, parts in ((EXAMPLE / "forumbot.toml", SITE), (EXAMPLE / "games" / "goldenkey.toml", {"": Game})):
        section = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if head := re.match(r"\[(\w+)\]", line):
                section = head[1]
            elif (shown := re.match(r"# (\w+ = .*)$", line)) and section in parts:
                ((name, value),) = tomllib.loads(shown[1]).items()
                if name not in examples:
                    assert parts[section].model_fields[name].get_default() == value, line


def test_the_example_loads(tmp_path: Path) -> None:
    site = load_site(EXAMPLE / "forumbot.toml")
    assert isinstance(site, Site)
    assert load_game(EXAMPLE / "games" / "goldenkey.toml").mode in get_args(Game.model_fields["mode"].annotation)


def test_metrics_and_events_of_the_operation_page_are_those_of_the_code() -> None:
    text = (ROOT / "docs" / "operation.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(forumbot_\w+)`", text))
    served = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in Metrics().registry.collect()
        if not family.name.endswith("_created")
    }
    assert named == served
    table = text.partition("## Log")[2].partition("## Words")[0]
    events = {event for row in re.findall(r"^\| (`.*?) \|", table, re.M) for event in re.findall(r"`(\w+)`", row)}
    code_text = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "forumbot").rglob("*.py"))
    logged = set(re.findall(r"log\.(?:debug|info|warning|error|exception)\(\s*\"(\w+)\"", code_text))
    assert events == logged


def test_every_module_has_its_place_on_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)`", text))
    for room in ("engine", "adapters", "adapters/mail", "adapters/ucoz", "adapters/phpbb", "forumbot", "forumbot/hosting"):
        modules = {file.stem for file in (ROOT / room).glob("*.py")} - {"__init__"}
        assert modules <= named, room
    table = text.partition("| hosting | modules |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) == {file.stem for file in (ROOT / "forumbot/hosting").rglob("[!_]*.py")}
