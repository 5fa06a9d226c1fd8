"""X01: whatever one player writes stops that text alone: not the tick, not the game, never another game."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from engine.messages import Message, Verdict
from forumbot.hosting.acts import acts
from forumbot.hosting.core import budget, isolation
from forumbot.hosting.daemon.wiring import reader
from forumbot.hosting.inbox import letterbox, receipts
from forumbot.settings import Game
from forumbot.store.tables import deadlines, games, inputs, letters, outbox, troubles, verdicts
from tests.forumbot.hosting.league.table import CLOSES, DAY_OPENS, MINUTE, NEXT_OPENS, league, to, who
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, make_world, votes

HOSTILE_STORIES = {
    "an empty bracket": "[ ] " + "я" * 18_000,
    "tags without an end": "[b]" * 5_000,
    "escaped tags": "[\xa0b]" * 3_000,
    "templates": "{{ facts }} {% for x in y %} {{ ''.__class__.__mro__ }}",
    "a fake newspaper": "Конец.\n\n\nПобеда: мирные жители.\n\nЖивые: никого.",
    "signs that are not seen": "a\u200b\u202e\x00\x07\ufeff" * 400 + "конец",
    "lines": "я\n" * 9_000,
    "one word": "я" * 50_000,
}


@pytest.mark.parametrize("story", HOSTILE_STORIES.values(), ids=HOSTILE_STORIES)
def test_x01_no_story_stops_the_day_that_prints_it(tmp_path: Path, story: str) -> None:
    world = league(tmp_path)
    world.forum.max_post = 1_000
    world.restart()
    to(world, CLOSES + MINUTE)
    to(world, DAY_OPENS + MINUTE)
    shooter, victim = who(world, "mafioso"), who(world, "citizen")
    world.pm(shooter, f"Жертва: {victim}\nРассказ:\n{story}")
    to(world, NEXT_OPENS + 40 * MINUTE)
    assert world.value(sa.select(games.c.turn)) == 2
    assert "Живые:" in "".join(text for day in ("№1", "№2") for text in world.forum.texts(world.forum.find(day)))
    sent = world.rows(sa.select(outbox).where(outbox.c.kind.in_(("topic", "post"))))
    assert all(row["state"] == "sent" and len(row["body"]) <= 1_000 for row in sent)


NICKS = ("[=AFK=]Лора", "[ ]", "{{ facts }}", "[/b][color=red]Кот", "a" * 250, "Ёж\u202eёж", "О'Хара <b>", "http://x.ru", "[b]")


def test_x01_no_nick_stops_the_game_it_plays_in(tmp_path: Path) -> None:
    world = make_world(tmp_path, players=0)
    world.forum.max_post = 1_000
    world.restart()
    for number, nick in enumerate((*NICKS, *(f"Игрок{letter}" for letter in "АБВГДЕЖЗИК"))):
        world.clock.sleep(60)
        world.forum.says(world.forum.find("Запись"), 100 + number, nick, "играю")
    world.until(DAY_ONE + timedelta(days=1), step=timedelta(hours=1))
    assert world.value(sa.select(games.c.turn)) >= 2
    assert world.rows(sa.select(outbox).where(outbox.c.state == "failed")) == []


# Reading ----------------------------------------------------------------------------------------------------------------


class Fragile:
    """A reader that does something else with messages that hold this word."""

    def __init__(self, inner: Any, word: str, instead: Callable[[], object]) -> None:
        self._inner, self._word, self._instead = inner, word, instead

    def read(self, ruleset: Any, game: Any, message: Message) -> Verdict:
        if self._word in message.text:
            self._instead()
        found: Verdict = self._inner.read(ruleset, game, message)
        return found


def fails() -> None:
    raise RecursionError("глубоко")


def hangs() -> None:
    while True:
        pass


def matches() -> None:
    re.match(r"(?:а+)+$", "а" * 60 + "б")


def two_games(folder: Path, monkeypatch: pytest.MonkeyPatch, instead: Callable[[], object]) -> World:
    """Two goldenkey games on one site, both in their first day, with a reader that trips over "БУМ"."""
    world = make_world(folder)
    settings = {"id": "gk2", "title": "Партия 2", "ruleset": "goldenkey", "section": "12", "seed": 6}
    world.daemon.adopt((Game.model_validate(settings | {"signup": {"closes": MONDAY + timedelta(hours=8)}}),))
    world.settle()
    second = next(topic for topic, made in world.forum.topics.items() if "Партия 2" in made.subject)
    for number in range(15):
        world.clock.sleep(60)
        world.forum.says(second, 500 + number, f"Другой{chr(1040 + number)}", "играю")
    monkeypatch.setattr(world.daemon, "_make_reader", lambda *known: Fragile(reader(*known), "БУМ", instead))
    world.daemon._games.clear()
    world.until(DAY_ONE, step=timedelta(hours=1))
    world.settle()
    return world


@pytest.mark.parametrize("instead", [fails, hangs, matches])
def test_x01_a_message_that_cannot_be_read_is_for_the_host_and_all_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, instead: Callable[[], object]
) -> None:
    monkeypatch.setattr(budget, "MESSAGE_SECONDS", 1.5)
    world = two_games(tmp_path, monkeypatch, instead)
    world.says("Анна", "БУМ [color=blue]Линч: Борис[/color]", first_day(world, "Партия 1"))
    world.says("Вера", "[color=blue]Линч: Борис[/color]", first_day(world, "Партия 1"))
    world.forum.says(first_day(world, "Партия 2"), 501, "ДругойБ", "[color=blue]Линч: ДругойВ[/color]")
    world.settle()
    marked = world.rows(sa.select(verdicts).where(verdicts.c.reason == isolation.TOO_COMPLICATED))
    assert [(row["author"], row["outcome"], row["orders"]) for row in marked] == [("Анна", "review", [])]
    accepted = world.rows(sa.select(verdicts).where(verdicts.c.outcome == "accepted", verdicts.c.turn == 1))
    assert {row["game_id"] for row in accepted} == {"gk1", "gk2"}
    assert votes(world) == {"Борис": 1}
    told = [text for _, text in world.mail.letters_to("owner@example.org") if "слишком сложное" in text]
    assert len(told) == 1 and "Анна" in told[0]
    world.until(DAY_ONE + timedelta(days=1), step=timedelta(hours=1))
    assert [row["turn"] for row in world.rows(sa.select(games).order_by(games.c.id))] == [2, 2]


def first_day(world: World, title: str) -> str:
    return next(topic for topic, made in world.forum.topics.items() if title in made.subject and "День 1" in made.subject)


def test_x01_what_goes_wrong_behind_the_reading_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = two_games(tmp_path, monkeypatch, fails)
    answer = receipts.answer

    def trips(connection: Any, publisher: Any, match: Any, seats: Any, judged: Any, sent: int, **more: Any) -> None:
        if judged.pending.author == "Анна":
            raise KeyError("нет такого")
        answer(connection, publisher, match, seats, judged, sent, **more)

    monkeypatch.setattr(receipts, "answer", trips)
    world.says("Анна", "[color=blue]Линч: Борис[/color]", first_day(world, "Партия 1"))
    world.says("Вера", "[color=blue]Линч: Глеб[/color]", first_day(world, "Партия 1"))
    world.settle()
    assert votes(world) == {"Глеб": 1}
    assert len(world.rows(sa.select(inputs).where(inputs.c.kind == "order"))) == 1
    (marked,) = world.rows(sa.select(verdicts).where(verdicts.c.author == "Анна", verdicts.c.turn == 1))
    assert (marked["outcome"], marked["reason"]) == ("review", isolation.TOO_COMPLICATED)


def test_x01_a_heap_of_dear_messages_is_spread_over_ticks_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dear() -> None:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass

    world = two_games(tmp_path, monkeypatch, dear)
    monkeypatch.setattr(budget, "SITTING_SECONDS", 0.12)
    for nick in ("Анна", "Вера", "Глеб", "Дина", "Егор", "Жанна"):
        world.says(nick, "БУМ [color=blue]Линч: Борис[/color]", first_day(world, "Партия 1"))
    world.clock.sleep(61)
    world.tick()
    read = len(world.rows(sa.select(verdicts).where(verdicts.c.turn == 1)))
    assert 0 < read < 6
    for _ in range(6):
        world.tick()
    assert votes(world) == {"Борис": 6}


@pytest.mark.parametrize("instead", [hangs, matches])
def test_x01_a_budget_breaks_off_what_runs_in_the_main_thread(instead: Callable[[], object]) -> None:
    with pytest.raises(budget.Overrun), budget.limited(0.05):
        instead()
    with budget.limited(0.05):
        sum(range(1000))


def test_x01_a_budget_within_a_budget_leaves_the_outer_one_alive() -> None:
    with pytest.raises(budget.Overrun), budget.limited(0.2):
        with pytest.raises(budget.Overrun), budget.limited(0.05):
            hangs()
        hangs()


def test_x01_a_budget_holds_in_other_threads_too() -> None:
    ended: list[str] = []

    def work() -> None:
        try:
            with budget.limited(0.05):
                hangs()
        except budget.Overrun:
            ended.append("broken off")
        with budget.limited(0.05):
            ended.append("goes on")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(20)
    assert ended == ["broken off", "goes on"]


# Writing and sending ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", ["gazette.j2", "day.j2", "day_subject.j2", "notices.j2", "receipt.j2"])
def test_x01_a_template_that_fails_stops_its_text_alone(tmp_path: Path, template: str) -> None:
    world = make_world(tmp_path)
    with world.store.write() as connection:
        kept = connection.execute(sa.select(games.c.templates)).scalar_one()
        connection.execute(games.update().values(templates={**kept, template: "{{ 1 // 0 }}"}))
    world.restart()
    world.until(DAY_ONE, step=timedelta(hours=1))
    if template != "day.j2":
        world.says("Анна", "[color=blue]Линч: Борис[/color]")
        world.pm("Вера", "кого-то лечу")
    world.until(DAY_ONE + timedelta(days=1), step=timedelta(hours=1))
    failed = world.rows(sa.select(outbox).where(outbox.c.state == "failed"))
    assert failed or template == "day_subject.j2"
    assert all(row["body"] == "" for row in failed)
    assert not any(row["body"] == "" for row in world.rows(sa.select(outbox).where(outbox.c.state == "sent")))
    if failed:
        assert any("не получился из шаблона" in text for _, text in world.mail.letters_to("owner@example.org"))
    if template == "day.j2":  # without its topic a day cannot be played: it waits for the host's words
        (topic,) = (row for row in failed if row["kind"] == "topic")
        for kind, payload in (("edit", {"outbox": topic["id"], "body": "День первый."}), ("retry", {"outbox": topic["id"]})):
            with world.store.write() as connection:
                acts.ask(connection, "gk1", "Ведущий", kind, payload, world.clock.now())
            world.settle()
        assert world.value(sa.select(outbox.c.state).where(outbox.c.id == topic["id"])) == "sent"
    else:
        assert world.value(sa.select(games.c.turn)) == 2


def test_x01_a_row_on_which_the_program_fails_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(tmp_path)
    send = world.forum.send_pm

    def trips(to_uid: int, to_nick: str, subject: str, text: str) -> None:
        if to_nick == "Анна":
            raise ValueError("не ждали")
        send(to_uid, to_nick, subject, text)

    monkeypatch.setattr(world.forum, "send_pm", trips)
    world.until(DAY_ONE + timedelta(days=1), step=timedelta(hours=1))
    assert world.value(sa.select(games.c.turn)) == 2
    assert world.forum.pms_to("Борис")
    rows = [row for row in world.rows(sa.select(outbox).where(outbox.c.kind == "pm")) if row["target"]["nick"] == "Анна"]
    assert "failed" in {row["state"] for row in rows}
    assert {row["state"] for row in rows} <= {"failed", "sent"}, "what was sent before stays so"


# Coming in --------------------------------------------------------------------------------------------------------------


def test_x01_a_page_on_which_the_program_fails_holds_its_own_game_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = two_games(tmp_path, monkeypatch, fails)
    broken, read = first_day(world, "Партия 2"), world.forum.read_thread

    def trips(topic: str, *args: Any, **more: Any) -> Any:
        if topic == broken:
            raise AttributeError("NoneType")
        return read(topic, *args, **more)

    monkeypatch.setattr(world.forum, "read_thread", trips)
    world.until(DAY_ONE + timedelta(hours=11), step=timedelta(hours=1))
    lynch = deadlines.c.name == "lynch", deadlines.c.call == "mark", deadlines.c.turn == 1
    done = {row["game_id"]: row["done_at"] is not None for row in world.rows(sa.select(deadlines).where(*lynch))}
    assert done == {"gk1": True, "gk2": False}
    assert world.rows(sa.select(troubles).where(troubles.c.text.contains("споткнулась сама программа")))
    monkeypatch.setattr(world.forum, "read_thread", read)
    world.until(DAY_ONE + timedelta(days=1, hours=2), step=timedelta(hours=1))
    assert {row["turn"] for row in world.rows(sa.select(games))} == {2}


def test_x01_a_letter_on_which_the_program_fails_is_left_to_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(tmp_path)
    world.until(DAY_ONE, step=timedelta(hours=1))
    route = letterbox.routing.route

    def trips(connection: Any, row: Any, **more: Any) -> Any:
        if row["sender"] == "evil@example.org":
            raise UnicodeError("?")
        return route(connection, row, **more)

    monkeypatch.setattr(letterbox.routing, "route", trips)
    world.mail.arrives("evil@example.org", "ход", "x")
    world.mail.arrives("other@example.org", "ход", "y")
    world.settle()
    routed = {row["sender"]: row["routed"] for row in world.rows(sa.select(letters)) if row["kind"] == "letter"}
    assert routed["evil@example.org"] == "broken" and routed["other@example.org"] == "unknown_sender"
    assert any("слишком сложное" in text for _, text in world.mail.letters_to("owner@example.org"))
