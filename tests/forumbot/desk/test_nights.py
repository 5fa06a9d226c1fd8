"""A night in sentences and as a picture, over every agreed scenario of every ruleset, and on the pages of a game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import pytest
import sqlalchemy as sa

from engine import scenario
from engine.chance import Chance
from engine.rulesets import ruleset
from forumbot import resources
from forumbot.desk import nightpicture
from forumbot.hosting.explain import nights
from forumbot.hosting.explain.inshort import InShort
from forumbot.store.tables import outbox
from forumbot.writing.writer import Writer, gather
from tests.engine.playing import gives_orders_only, load
from tests.forumbot.desk.scene import OTHER, Scene, fork
from tests.forumbot.desk.screenshots import play_on
from tests.forumbot.desk.test_pages import text_of
from tests.forumbot.hosting.world import DAY_ONE

RULESETS = ("league", "clans", "goldenkey", "mafialife")
CASES = Path(__file__).parents[2] / "cases"


FILES = [file for name in RULESETS for file in sorted((CASES / name).glob("*.toml")) if gives_orders_only(load(file))]


def told(file: Path, names: Mapping[str, str] = MappingProxyType({})) -> InShort:
    """The first turn of a scenario that has orders alone."""
    parsed = scenario.parse(load(file))
    rules, turn, chance = ruleset(parsed.ruleset), parsed.turns[0], Chance(parsed.seed)
    tables = rules.tables(resources.tables(parsed.ruleset), parsed.tables)
    for point, values in turn.forced.items():
        chance.force(point, values)
    game, found = rules.open(rules.start(parsed.cast, parsed.state, tables, parsed.first_turn), chance)
    events = list(found)
    for order in turn.orders:
        game, found = rules.receive(game, order, chance)
        events += found
    for mark in rules.spec.marks:
        game, found = rules.mark(game, mark, chance)
        events += found
    game, found = rules.close(game, chance)
    word = Writer(gather(parsed.ruleset), "Europe/Moscow").word
    states = {player["nick"]: player for player in parsed.cast}
    return InShort(nights.night(1, [*events, *found], states, rules.spec.bookkeeping, word), names, {}, word)


def case(name: str) -> InShort:
    return told(next(file for file in FILES if file.stem == name))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_d04_every_night_of_the_scenarios_is_drawn_and_told_in_russian(file: Path) -> None:
    short = told(file)
    picture = nightpicture.draw(short)
    sentences = [sentence for _, sentence in short.fates()] + [short.move(move) for move in short.night.moves]
    assert not [line for line in sentences if re.search(r"[a-z]+_[a-z]+|\(\)|  | :|None", line)]
    assert {seat for seat, _ in short.fates()} >= {death.player for death in short.night.deaths}
    going = [move for move in short.night.moves if move.targets]
    assert bool(picture) == bool(going or short.night.unmoved)
    if not picture:
        return
    drawn = ElementTree.fromstring(picture)
    words = [element.text or "" for element in drawn.iter("text")]
    for move in going:
        for seat in (move.player, *move.targets):
            assert seat in words
    assert sum(word.startswith("✕") for word in words) == sum(move.reason is not None for move in going)
    assert sum(word.startswith("✝") for word in words) >= bool(short.night.unmoved)
    assert all(sentence in (drawn.findtext("desc") or "") for _, sentence in short.fates())
    high, wide = (float(number) for number in drawn.attrib["viewBox"].split()[:1:-1])
    for element in drawn.iter("text"):
        assert 0 < float(element.attrib["y"]) < high, "nothing is written below the picture"
        room = float(element.attrib["x"]) if element.attrib["text-anchor"] == "end" else wide - float(element.attrib["x"])
        assert len(element.text or "") * 7.4 <= room + 5, "nothing sticks out of it"


def test_d04_why_is_one_sentence_who_killed_whom_and_where_help_was() -> None:
    assert case("r5_last_order_counts").fates()[1:] == (
        ("Вера", "Веру убил Борис (убийство от клана): доктор был у Глеба"),
        ("Глеб", "Глеб остаётся в живых: цель лечил доктор (Анна)"),
    )
    assert dict(case("r77_shaman_killed_at_night").fates())["Вера"] == "Веру убила Анна (мафия): доктор был у Дины"
    guest = case("r38_guest_and_guarded")
    assert dict(guest.fates())["Вера"].startswith("Вера остаётся в живых: цель была в гостях у Мальвины (Борис)")


@pytest.mark.parametrize("nick", ["Незабу́дка", "xX_Wolf_Xx", "Саша", "два слова", "МАРГО", "<b>&\"'", "Чичико"])
def test_d04_a_nick_that_nobody_can_decline_stands_as_it_is(nick: str) -> None:
    file = next(file for file in FILES if file.stem == "r5_last_order_counts")
    short = told(file, {"Вера": nick, "Глеб": nick + "2"})
    assert f"Игрока {nick} убил Борис (убийство от клана): доктор был у игрока {nick}2" in dict(short.fates()).values()
    assert "<b>" not in nightpicture.draw(short)
    ElementTree.fromstring(nightpicture.draw(short))


def test_who_stopped_a_move_is_found_at_either_end_of_it() -> None:
    moves = {(move.player, move.action): move for move in case("r57_effective_actions_show_clan_and_roles").night.moves}
    assert moves["Борис", "kill"].stopped_by == ("Анна",)
    assert moves["Захар", "beat"].stopped_by == ("Вера",)
    assert moves["Вера", "invite"].spared == ("Егор",)


def test_d04_a_night_has_a_page_and_leads_to_the_next_like_a_film(quiet: Scene, tmp_path: Path) -> None:
    scene = fork(quiet, tmp_path)
    assert scene.get("/g/gk1/night/1").status_code == 404, "a night that is not over is nobody's to see"
    play_on(scene)
    page = scene.get("/g/gk1/night/1").text
    assert '<svg class="night"' in page
    assert re.search(r"Глеб остаётся в живых, хотя удар был: \w+ - убийство", page)
    assert "Глеб" in text_of(page[page.index("<svg") : page.index("</svg>")])
    assert 'http-equiv="refresh"' not in page
    scene.do("release", {"outbox": scene.world.value(sa.select(outbox.c.id).where(outbox.c.key == "gk1/t1/newspaper"))})
    scene.world.settle()
    scene.world.until(DAY_ONE + timedelta(days=1, hours=21), step=timedelta(hours=3))
    first = scene.get("/g/gk1/night/1?play=1").text
    assert 'content="8;url=/g/gk1/night/2?play=1"' in first
    assert "Остановить" in first
    assert 'http-equiv="refresh"' not in scene.get("/g/gk1/night/2?play=1").text, "the last night stands"
    assert scene.get("/g/gk1/night/1", OTHER).status_code == 404
