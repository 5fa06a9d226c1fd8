"""The desk shows games of every ruleset in the words of its own rules, also one that never began."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from forumbot.desk import accounts
from forumbot.hosting.core import record
from tests.forumbot.desk.scene import HOST, PASSWORD, Scene
from tests.forumbot.desk.test_pages import PAGES, rows_of, text_of
from tests.forumbot.hosting.world import MONDAY, NICKS, make_world

RULESETS = ("league", "clans", "mafialife")


def play(folder: Path, ruleset: str, *, players: int = 20) -> Scene:
    """Four days of a game in which nobody does anything."""
    world = make_world(folder, players=0, ruleset=ruleset)
    for nick in NICKS[:players]:
        world.forum.says(world.forum.find("Запись"), world.uid(nick), nick, "[color=red]играю[/color]")
    world.settle()
    world.until(MONDAY + timedelta(days=4), step=timedelta(hours=12))
    with world.store.write() as connection:
        account = accounts.save(connection, HOST, world.clock.now())
        accounts.give_role(connection, account, "gk1", "host")
        accounts.set_password(connection, account, PASSWORD)
    return Scene(world)


@pytest.fixture(scope="module", params=RULESETS)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return play(tmp_path_factory.mktemp(str(request.param)), str(request.param))


def test_every_page_opens_and_speaks_no_ids(played: Scene) -> None:
    for path in PAGES:
        answer = played.get(f"/g/gk1{path}")
        assert answer.status_code == 200, path
        if path not in ("/outbox", "/out/1"):
            ids = re.findall(r"\b[a-z]+_[a-z_]+\b", text_of(answer.text))
            assert ids == [], path


def test_roles_are_named_in_russian(played: Scene) -> None:
    rows = rows_of(played.get("/g/gk1/players").text)
    assert [row[0] for row in rows] == list(NICKS)
    assert all(re.match(r"[А-ЯЁа-яё]", row[1]) for row in rows)


def test_an_order_can_be_entered_for_every_action_of_the_rules(played: Scene) -> None:
    with played.world.store.read() as connection:
        spec = record.fold(connection, record.load(connection, "gk1")).ruleset.spec
    for action in spec.actions:
        page = played.get(f"/g/gk1/enter?player=Анна&action={action}").text
        if action != "words":
            for name in spec.args.get(action, {}):
                assert f'name="arg.{name}"' in page, action


def test_the_ledger_shows_balances_and_what_they_are_made_of(played: Scene) -> None:
    with played.world.store.read() as connection:
        row = record.load(connection, "gk1")
        match = record.fold(connection, row)
    balances = match.ruleset.balances(match.game)
    page = played.get("/g/gk1/ledger").text
    assert ("Записи" in page) == (row.ruleset in ("league", "mafialife"))
    assert ("счетов нет" in page) == (balances == {})
    shown = rows_of(page)
    for accounts_of in balances.values():
        for account, value in accounts_of.items():
            assert [account, f"{value:g}"] in shown
    if row.ruleset == "mafialife":
        begun = [cells[:3] for cells in shown if "на начало партии" in cells[-1]]
        assert begun == [["0", nick, "100"] for nick in reversed(NICKS)]


def test_a_game_that_found_too_few_players_has_pages_too(tmp_path: Path) -> None:
    scene = play(tmp_path, "league", players=3)
    assert "не состоялась" in scene.get("/").text
    for path in PAGES:
        if path not in ("/turn/1",):
            assert scene.get(f"/g/gk1{path}").status_code == 200, path
