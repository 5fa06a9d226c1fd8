"""The host teaches at the desk: a tap on an unknown word settles what waits for it, and one on "undo" brings the doubt back."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import httpx
import sqlalchemy as sa

from forumbot.desk import accounts
from forumbot.hosting.core import record
from forumbot.hosting.explain.replaying import replay_game
from forumbot.store.tables import inputs, verdicts
from tests.forumbot.desk.scene import HOST, Scene
from tests.forumbot.hosting.world import DAY_ONE, roles, votes

REVIEW, WORDS = "/g/gk1/review", "/g/gk1/words"
WORD = "ёпрстую"


def presses(scene: Scene, page: str, kind: str, button: str, **chosen: str) -> httpx.Response:
    """Send the form of the page that has this button and these fields, as a browser does; the daemon gets a tick."""
    for action, inside in re.findall(r'<form method="post" action="([^"]*)"[^>]*>(.*?)</form>', scene.get(page).text, re.S):
        fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside))
        names = set(re.findall(r' name="([^"]+)"', inside))
        meant = chosen.keys() <= names and all(fields.get(name, value) == value for name, value in chosen.items())
        if action.endswith(f"/do/{kind}") and f">{button}</button>" in inside and meant:
            form = {name: html.unescape(value) for name, value in fields.items()}
            answer = scene.client().post(action, data=form | chosen)
            scene.world.tick()
            return answer
    raise AssertionError(f"no button «{button}» with {sorted(chosen)}")


def outcome(scene: Scene, nick: str) -> tuple[int, str]:
    """The number and the outcome of the player's last message."""
    query = sa.select(verdicts.c.id, verdicts.c.outcome).where(verdicts.c.author == nick).order_by(verdicts.c.id.desc())
    with scene.world.store.read() as connection:
        number, found = connection.execute(query).first() or (0, "")
    return number, found


def moves(scene: Scene, nick: str) -> list[tuple[str, tuple[str, ...]]]:
    with scene.world.store.read() as connection:
        match = record.fold(connection, record.load(connection, "gk1"))
    return [(order.action, order.targets) for order in match.ruleset.standing(match.game, nick)]


def same(scene: Scene) -> bool:
    """Whether the game replays to the same bytes when this turn is over."""
    scene.world.until(DAY_ONE + timedelta(hours=24), step=timedelta(hours=2))
    turns = replay_game(scene.world.store, "gk1", "Europe/Moscow")
    return bool(turns) and all(turn.same for turn in turns)


def test_a_letter_with_an_unknown_word_is_taught_undone_and_taught_again(scene: Scene) -> None:
    world = scene.world
    world.until(DAY_ONE + timedelta(hours=10), step=timedelta(hours=1))
    artemon = next(seat for seat, role in roles(world).items() if role == "artemon")
    world.pm(artemon, "чпокаю Марка")
    world.settle()
    number, found = outcome(scene, artemon)
    assert found == "review"
    assert "Не понято слово «чпокаю»: научить" in scene.get(REVIEW).text
    answer = presses(scene, REVIEW, "teach", "Запомнить", word="чпокаю", value="beat")
    assert answer.status_code == 303
    assert outcome(scene, artemon) == (number, "accepted")
    assert moves(scene, artemon) == [("beat", ("Марк",))]
    assert "чпокаю" not in scene.get(REVIEW).text
    entry = scene.get(f"/g/gk1/log/{number}").text
    assert "«чпокаю» - слово хода" in entry
    assert "«Марка» - ник «Марк»" in entry
    assert "форма хода" in scene.get(WORDS).text
    presses(scene, "/g/gk1/acts", "undo", "Отменить")
    assert outcome(scene, artemon) == (number, "review")
    assert moves(scene, artemon) == []
    assert "Не понято слово «чпокаю»: научить" in scene.get(REVIEW).text
    assert "Пока ничему" in scene.get(WORDS).text
    presses(scene, REVIEW, "teach", "Запомнить", word="чпокаю", value="beat")
    assert moves(scene, artemon) == [("beat", ("Марк",))]
    assert same(scene)


def test_one_tap_makes_a_word_a_filler_and_one_forgets_it(scene: Scene) -> None:
    world = scene.world
    world.says("Лев", f"[color=blue]{WORD} Вера[/color]")
    world.settle()
    before = votes(world)
    presses(scene, REVIEW, "teach", "Ничего не значит", word=WORD)
    assert votes(world) == before | {"Вера": before.get("Вера", 0) + 1}
    presses(scene, WORDS, "forget", "Забыть в этой игре")
    assert votes(world) == before
    assert outcome(scene, "Лев")[1] == "review"
    assert WORD in scene.get(REVIEW).text
    assert "во всех играх" not in scene.get(REVIEW).text
    with world.store.write() as connection:
        accounts.give_role(connection, accounts.save(connection, HOST, world.clock.now()), "gk2", "host")
    presses(scene, REVIEW, "teach", "Ничего не значит, во всех играх", word=WORD)
    known = world.rows(sa.select(inputs.c.game_id).where(inputs.c.kind == "teach", inputs.c.struck.is_(None)))
    assert sorted(row["game_id"] for row in known) == ["gk1", "gk2"]
    assert same(scene)


def test_a_word_is_a_nick_by_the_list_of_players(scene: Scene) -> None:
    world = scene.world
    presses(scene, WORDS, "teach", "Запомнить", word="Пимпочка", way="nick", value="Вера")
    assert "Пимпочка" in scene.get(WORDS).text
    before = votes(world)
    world.says("Марк", "[color=blue]Пимпочка[/color]")
    world.settle()
    assert votes(world) == before | {"Вера": before.get("Вера", 0) + 1}


def test_the_host_sees_what_its_player_is_asked_about_and_only_what_stays_open(scene: Scene) -> None:
    page = scene.get(REVIEW).text
    assert page.count("Игрок спрошен и может решить сам до срока.") == 1
    scene.world.pm("Жанна", "2", "Re: вопрос")
    scene.world.settle()
    assert "Игрок спрошен" not in scene.get(REVIEW).text


def test_a_word_is_shown_as_text_only(scene: Scene) -> None:
    scene.do("teach", {"word": "<b>ой</b>", "way": "filler"})
    page = scene.get(WORDS).text
    assert "&lt;b&gt;ой&lt;/b&gt;" in page
    assert "<b>ой</b>" not in page
