"""The host's commands: tables for people, JSON for scripts, acts with and without a daemon; the same code as the desk."""

import json
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from adapters.clock import VirtualClock
from adapters.forum import Profile
from adapters.ucoz.client import UcozForum
from forumbot.cli import acting
from forumbot.cli.acting import values
from forumbot.cli.main import COMMANDS, main
from forumbot.hosting.acts import acts
from forumbot.hosting.daemon.daemon import Lock
from forumbot.hosting.daemon.wiring import CLOCK_VARIABLE
from forumbot.store.tables import outbox, turns, verdicts
from tests.forumbot.hosting.hosts import day_one
from tests.forumbot.hosting.test_deadlines import MORNING
from tests.forumbot.hosting.world import World, votes

HOST_COMMANDS = ("review", "order", "turn", "player", "deadline", "outbox", "ledger", "act")
SITE = """\
[site]
data = "."
[forum]
engine = "ucoz"
url = "http://forum.invalid"
user = "Ведущий"
"""


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Noon of day 1 with a vote, a doubtful post, and the site's file beside the database."""
    found = day_one(tmp_path)
    found.says("Анна", "[color=blue]Борис[/color]")
    found.says("Вера", "[color=blue]Глеб, Павел[/color]")
    found.settle()
    (tmp_path / "forumbot.toml").write_text(SITE, encoding="utf-8")
    VirtualClock.create(tmp_path / "clock", found.clock.now(), 1)
    monkeypatch.setenv(CLOCK_VARIABLE, str(tmp_path / "clock"))
    monkeypatch.setenv("FORUMBOT_CONFIG", str(tmp_path / "forumbot.toml"))
    return found


def runs(*args: str, code: int = 0, given: str = "") -> str:
    result: Result = CliRunner().invoke(main, args, input=given, env={"COLUMNS": "200"})
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def answers(*args: str) -> Any:
    return json.loads(runs(*args, "--json"))


def review(world: World) -> str:
    return str(world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Вера", verdicts.c.outcome == "review")))


@pytest.mark.parametrize("name", HOST_COMMANDS)
def test_every_command_explains_itself_with_examples(name: str) -> None:
    assert name in COMMANDS
    told = runs(name, "--help")
    assert f"forumbot {name}" in told
    assert "Пример" in told


def test_a_review_is_seen_and_accepted(world: World) -> None:
    number = review(world)
    assert "Глеб" in runs("review", "list")
    (waiting,) = answers("review", "list")
    assert waiting["id"] == int(number)
    told = runs("review", "accept", number, "--choice", "1")
    assert "Отменить: forumbot act undo" in told
    assert votes(world) == {"Борис": 1, "Павел": 1}
    assert "Ничего не ждёт" in runs("review", "list")
    (act,) = answers("act", "list")
    runs("act", "undo", str(act["id"]))
    assert votes(world) == {"Борис": 1}
    assert answers("act", "list")[0]["undone"] is True
    runs("review", "reject", number)
    assert answers("review", "list") == []


def test_the_author_of_a_doubtful_message_is_asked(world: World) -> None:
    runs("review", "ask", review(world), "Кого вы имели в виду?")
    (row,) = [row for row in answers("outbox", "list") if "Кого вы имели в виду" in row["body"]]
    assert row["target"]["nick"] == "Вера"
    assert "записи 999 нет" in runs("review", "ask", "999", "?", code=2)


def test_orders_are_listed_entered_and_struck(world: World) -> None:
    assert [(one["player"], one["targets"]) for one in answers("order", "list")] == [("Анна", ["Борис"])]
    runs("order", "add", "Глеб", "vote", "Павел", "--who", "Судья")
    assert votes(world) == {"Борис": 1, "Павел": 1}
    assert answers("act", "list")[-1]["who"] == "Судья"
    number = world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Анна", verdicts.c.turn == 1))
    runs("order", "strike", str(number))
    assert votes(world) == {"Павел": 1}
    assert "Павел" in runs("order", "list", "--player", "Глеб")


def test_what_is_refused_says_so_and_ends_with_one(world: World) -> None:
    told = runs("order", "add", "Никто", "vote", "Павел", code=1)
    assert "Не сделано: игрока «Никто» нет" in told
    answer = json.loads(runs("act", "do", "fly", "--json", code=1))
    assert answer["error"] == "нет такого действия: «fly»"
    assert "объект JSON" in runs("act", "do", "pause", "[1]", code=2)


def test_h08_who_sits_at_a_terminal_sees_the_account_before_answering(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def profile(_: UcozForum, *, uid: int | None = None, nick: str | None = None) -> Profile | None:
        return Profile("Раиса", 500, (("Дата регистрации", "01.02.2020"),)) if nick != "Никто" else None

    monkeypatch.setattr(UcozForum, "profile", profile)
    monkeypatch.setattr(acting, "answered", lambda: True)
    asked = runs("player", "replace", "Глеб", "Раиса", given="n\n", code=1)
    assert "Это Раиса (№ 500): Дата регистрации: 01.02.2020" in asked
    assert "на форуме нет" in runs("player", "replace", "Глеб", "Никто", code=1)
    assert {one["seat"]: one["nick"] for one in answers("player", "list")}["Глеб"] == "Глеб"
    done = runs("player", "replace", "Глеб", "Раиса", given="y\n")
    assert done.index("Это Раиса (№ 500)") < done.index("Сделать?") < done.index("Сделано")
    assert {one["seat"]: one["nick"] for one in answers("player", "list")}["Глеб"] == "Раиса"


def test_players_are_listed_replaced_removed_and_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UcozForum, "profile", lambda _, *, uid=None, nick=None: Profile(nick, uid or 500))
    runs("player", "alias", "Борис", "Бориска")
    assert "не адрес почты" in runs("player", "bind", "Анна", "анна", code=1)
    runs("player", "bind", "Анна", "anna@example.org")
    runs("player", "replace", "Глеб", "Раиса", "--uid", "500")
    runs("player", "remove", "Павел")
    found = {one["seat"]: one for one in answers("player", "list")}
    assert found["Борис"]["aliases"] == ["Бориска"]
    assert found["Анна"]["address"] == "anna@example.org"
    assert (found["Глеб"]["nick"], found["Глеб"]["uid"], found["Глеб"]["former"]) == ("Раиса", 500, ["Глеб"])
    assert found["Павел"]["alive"] is False
    runs("player", "unbind", "Анна")
    table = runs("player", "list")
    assert "anna@example.org" not in table
    assert "Бориска" in table
    assert "среди них нет" in runs("player", "host", "Анна", "vote", code=1)
    assert "уже закрыта" in runs("player", "add", "Олег", "--uid", "501", code=1)


def test_the_only_game_needs_no_name(world: World) -> None:
    assert "голос → Борис" in runs("log")
    assert "ни один день игры «gk1» не подведён" in runs("replay")
    assert "Голосование" in runs("status")
    assert "голос Глеб" in runs("review", "list")


def test_a_copy_is_put_back_only_when_the_host_agrees(world: World, tmp_path: Path) -> None:
    runs("backup", str(tmp_path / "copy.db"))
    told = runs("restore", str(tmp_path / "copy.db"), given="может\n\n", code=1)
    assert "ответьте «да» или «нет»" in told
    assert "ничего не сделано" in told
    world.store.close()
    told = runs("restore", str(tmp_path / "copy.db"), given="да\n")
    assert "найдёт и не повторит" in told
    assert len(list(tmp_path.glob("*.old-*"))) == 1


def test_before_the_first_game_every_command_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "forumbot.toml").write_text(SITE, encoding="utf-8")
    monkeypatch.setenv("FORUMBOT_CONFIG", str(tmp_path / "forumbot.toml"))
    assert "опишите игру в папке games" in runs("status")
    for command in (["log"], ["replay"], ["player", "list"], ["turn", "votes"], ["deadline", "pause"]):
        assert "в базе пока нет ни одной игры" in runs(*command, code=2)


def test_deadlines_are_listed_and_moved(world: World) -> None:
    before = {row["name"]: row for row in answers("deadline", "list")["deadlines"]}
    runs("deadline", "extend", "2")
    after = {row["name"]: row for row in answers("deadline", "list")["deadlines"]}
    assert before.keys() == after.keys()
    assert after["lynch"]["due_at"] != before["lynch"]["due_at"]
    runs("deadline", "extend", "-2")
    assert {row["name"]: row["due_at"] for row in answers("deadline", "list")["deadlines"]} == {
        name: row["due_at"] for name, row in before.items()
    }
    runs("deadline", "move", str(after["lynch"]["id"]), "02.12.2026 22:00")
    assert next(row for row in answers("deadline", "list")["deadlines"] if row["name"] == "lynch")["due_at"].startswith(
        "2026-12-02T19"
    )
    assert "нужны день и час" in runs("deadline", "move", str(after["lynch"]["id"]), "завтра", code=2)
    runs("deadline", "pause")
    assert "Поставить на паузу" in runs("act", "list")
    assert "на паузе" in runs("deadline", "list")
    runs("deadline", "resume")
    assert "02.12.2026 22:00" in runs("deadline", "list")


def test_the_outbox_is_worked_by_hand(world: World) -> None:
    from forumbot.hosting.core import outbox as rows

    later = world.clock.now() + timedelta(days=1)
    with world.store.write() as connection:
        target = {"uid": 10, "nick": "Анна"}
        rows.put(connection, "x", "pm", target, "тема", "старый", game_id="gk1", priority=50, now=later)
    number = str(world.value(sa.select(outbox.c.id).where(outbox.c.key == "x")))
    runs("outbox", "keep", number)
    assert "ждёт ведущего" in runs("outbox", "list", "--state", "held")
    runs("outbox", "edit", number, given="новый\n")
    assert "новый" in runs("outbox", "show", number)
    assert answers("outbox", "show", number)["body"] == "новый"
    runs("outbox", "release", number)
    runs("outbox", "posted", number)
    assert answers("outbox", "show", number)["state"] == "sent"
    assert "нет в исходящих" in runs("outbox", "show", "99999", code=2)
    assert "текст пуст" in runs("outbox", "edit", number, given="\n", code=2)
    with world.store.write() as connection:
        to = {"address": "a@players.test"}
        for name, state in (("stuck", "failed"), ("other", "waiting")):
            rows.put(connection, name, "letter", to, name, "", game_id=None, priority=50, now=later, state=state)
    listed = runs("outbox", "list")
    assert "stuck" in listed
    assert "other" not in listed


def test_the_count_is_the_daemons(world: World) -> None:
    found = answers("turn", "votes")
    assert [(one["nick"], one["weight"], one["voters"]) for one in found["votes"]] == [("Борис", 1, ["Анна"])]
    assert "Вера" in found["silent"]
    assert "Борис" in runs("turn", "votes")
    (status,) = answers("status")["games"]
    assert status["votes"] == found["votes"]


def test_a_turn_is_explained_and_corrected(world: World) -> None:
    world.until(MORNING + timedelta(minutes=30), step=timedelta(hours=2))
    world.settle()
    assert "указало на игрока Борис [R12]" in runs("turn", "why", "Борис")
    first = answers("turn", "why", "Борис", "--turn", "1")[0]
    assert first["rule"] == "R12"
    assert first["sources"][0]["author"] == "Анна"
    assert any("Борис - минус 1 жизнь" in one["line"] for one in answers("turn", "lines"))
    assert "минус 1 жизнь" in runs("turn", "lines")
    assert answers("turn", "show")
    assert "игрока «Никто» нет" in runs("turn", "why", "Никто", code=2)
    changes = ("turn", "correct", "--accept", f"{review(world)}:1", "--order", "Глеб vote Павел")
    shown = runs(*changes, code=1)
    assert "Это изменит:" in shown
    assert "станет: Павел - минус 1 жизнь" in shown
    assert "повторите команду с --yes" in shown
    assert world.value(sa.select(turns.c.replaced)) is None
    runs(*changes, "--yes")
    assert [row["turn"] for row in answers("turn", "list") if row["replaced"]] == [1]
    assert "Павел - минус 1 жизнь" in answers("turn", "list")[0]["report"]
    assert "нужны ник и действие" in runs("turn", "correct", "--order", "Глеб", code=2)


def test_the_ledger_shows_what_the_rules_count(world: World) -> None:
    assert answers("ledger")["balances"]["role_lives"]
    assert "Остатки" in runs("ledger")


def test_a_running_daemon_does_it_and_the_command_waits(world: World) -> None:
    """The lock is held by somebody else, who carries out what was asked for."""
    ticked = threading.Event()

    def daemon() -> None:
        voice = acts.Voice(str, 10_000, "Europe/Moscow")
        while not acts.execute(world.store, world.clock.now(), voice):
            ticked.wait(0.01)

    with Lock(world.store.file):
        helper = threading.Thread(target=daemon)
        helper.start()
        runs("order", "add", "Глеб", "vote", "Павел")
        helper.join()
    assert votes(world) == {"Борис": 1, "Павел": 1}


def test_an_unknown_game_is_named(world: World) -> None:
    assert "игры «gk9» нет в базе; есть: gk1" in runs("turn", "votes", "--game", "gk9", code=2)
    assert "Борис" in runs("turn", "votes", "--game", "gk1")


def test_what_only_looks_like_a_number_is_a_word() -> None:
    assert values(("grade=--5", "count=-2", "proof=да")) == {"grade": "--5", "count": -2, "proof": True}


def test_words_are_taught_listed_and_forgotten(world: World) -> None:
    runs("words", "teach", "Пимпочка", "--way", "nick", "--value", "Вера")
    runs("words", "teach", "ёпрст", "--way", "filler", "--everywhere")
    rows = answers("words", "list")
    assert [(row["text"], row["kind"], row["value"]) for row in rows] == [("ёпрст", "filler", ""), ("Пимпочка", "nick", "Вера")]
    assert "во всех играх" in runs("words", "list")
    runs("words", "forget", str(rows[0]["id"]))
    assert [row["text"] for row in answers("words", "list")] == ["Пимпочка"]
    assert "не помнит" in runs("words", "forget", str(rows[0]["id"]), code=1)
