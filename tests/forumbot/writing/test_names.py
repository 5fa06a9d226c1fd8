"""Every id of every ruleset has its Russian words, and every letter and public text of a game can be written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.chance import Chance
from engine.model import EngineError, Line, Notice
from engine.rulesets import NAMES, ruleset
from engine.scenario import parse, run
from forumbot import resources
from forumbot.reading import reader
from forumbot.writing.report import plain
from forumbot.writing.writer import PublicFacts, Writer, gather

CASES = Path(__file__).parents[2] / "cases"
GROUPS = ("roles", "factions", "actions", "reasons", "causes", "items", "marks", "currencies")
ENGLISH_ID = re.compile(r"\b[a-z]+_[a-z_]+\b|\{\{|\}\}|\bNone\b|\bTrue\b|\bFalse\b")
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
EVENING = datetime(2026, 12, 1, 18, 0, tzinfo=UTC)

UNSEEN: Mapping[tuple[str, str], Mapping[str, Any]] = {("mafialife", "items_stolen"): {}}
"""(ruleset, kind) -> plausible data of notices that neither a scenario nor a deal gives."""
MOST_PLAYERS = 40


@cache
def writer(name: str) -> Writer:
    return Writer(gather(name), "Europe/Moscow")


@cache
def papers(name: str) -> list[tuple[str, str]]:
    """Every newspaper of the agreed scenarios, as the scenarios and as a hosted game write it; ``told`` fills it."""
    return []


@cache
def told(name: str) -> dict[str, list[Mapping[str, Any]]]:
    """Kind -> the data of each different notice that the ruleset's agreed scenarios give."""

    def written(ruleset_id: str, turn: int, lines: Sequence[Line]) -> str:
        scenarios = plain(ruleset_id, turn, lines)
        papers(name).append((scenarios, writer(name).newspaper(facts(name, turn), lines, {}, str)))
        return scenarios

    found: dict[str, list[Mapping[str, Any]]] = {}
    for file in sorted((CASES / name).glob("*.toml")):
        scenario = parse(tomllib.loads(file.read_text(encoding="utf-8")))
        played = run(scenario, resources.toml(f"rulesets/{name}.toml"), written, reader() if scenario.has_messages else None)
        for turn in played.result["turns"]:
            for notice in turn["notices"]:
                data = {key: value for key, value in notice.items() if key not in ("to", "kind")}
                if data not in found.setdefault(notice["kind"], []):
                    found[notice["kind"]].append(data)
    for event in dealt(name):
        found.setdefault(event.kind, []).append(event.data)
    return found


def dealt(name: str) -> list[Notice]:
    """What players of the largest live game are told of its deal."""
    rules = ruleset(name)
    tables = rules.tables(resources.toml(f"rulesets/{name}.toml"), {})
    for count in range(MOST_PLAYERS, 0, -1):
        with suppress(EngineError):
            chance = Chance(1)
            game, events = rules.deal([f"Игрок{number}" for number in range(count)], tables, chance)
            if rules.stage(game) == "setup":
                game, more = rules.mark(game, "setup", chance)
                events = (*events, *more)
            return [event for event in events if isinstance(event, Notice)]
    raise AssertionError("нельзя раздать роли")


def facts(name: str, turn: int = 2) -> PublicFacts:
    marks = dict.fromkeys(ruleset(name).spec.marks or ("close",), EVENING)
    tables = resources.toml(f"rulesets/{name}.toml")
    return PublicFacts("Партия", turn, ("Анна", "Борис"), ("Вера",), marks, tables)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("name", NAMES)
def test_every_id_has_a_russian_name(name: str, group: str) -> None:
    ids = getattr(ruleset(name).spec, group)
    silent = [id_ for id_ in ids if not CYRILLIC.search(writer(name).word(group, id_))]
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_every_notice_is_a_letter(name: str) -> None:
    seen = told(name)
    for kind in ruleset(name).spec.notices:
        samples = [*seen.get(kind, ()), *([UNSEEN[name, kind]] if (name, kind) in UNSEEN else [])]
        assert samples, f"нет примера для {kind}"
        for data in samples:
            subject, body = writer(name).private("notices.j2", str, facts=facts(name), nick="Анна", kind=kind, data=data)
            assert subject.startswith("Партия: "), (kind, data)
            assert body.startswith("Анна, "), (kind, data, body)
            assert not ENGLISH_ID.search(subject + body), (kind, data, body)


@pytest.mark.parametrize("name", NAMES)
def test_a_hosted_game_writes_the_newspapers_of_the_scenarios(name: str) -> None:
    told(name)
    assert len(papers(name)) > 50
    assert [pair for pair in papers(name) if pair[0] != pair[1]] == []


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_a_day_opens_with_a_post(name: str, turn: int) -> None:
    pen = writer(name)
    empty = pen.news(turn, [], {}, str)
    subject = pen.public("day_subject.j2", facts(name, turn), str)
    text = pen.public("day.j2", facts(name, turn), str, news=empty, last=empty)
    assert str(turn) in subject
    assert "Анна" in text and not ENGLISH_ID.search(text)


@pytest.mark.parametrize("name", NAMES)
def test_a_newspaper_of_no_lines_is_empty(name: str) -> None:
    lines: list[Line] = []
    assert writer(name).newspaper(facts(name), lines, {}, str) == ""


@pytest.mark.parametrize("name", NAMES)
def test_a_reminder_names_every_action(name: str) -> None:
    pen = writer(name)
    spec = ruleset(name).spec
    more: dict[str, Any] = {"of": "deadline", "due": EVENING, "actions": list(spec.actions), "activity": None}
    _, body = pen.private("reminder.j2", str, facts=facts(name), nick="Анна", **more)
    assert body.startswith("Анна, ") and not ENGLISH_ID.search(body)
