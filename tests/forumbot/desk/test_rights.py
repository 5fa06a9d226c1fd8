"""X07, X11: the whole table of who may do what, in every state of games, asked of the function and of the running desk."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from forumbot.desk import accounts
from forumbot.desk.accounts import EVERY_GAME, ROLES, Account, Role
from forumbot.desk.app import PAGES, Page
from forumbot.desk.rights import Need, may
from forumbot.store.tables import acts, games, grants, letters, outbox, posts, troubles, verdicts
from tests.forumbot.desk.scene import BASE, HELPER, HOST, OTHER, PASSWORD, WATCHER, Scene, csrf, fork, login

NEEDS: tuple[Need, ...] = get_args(Need)
GRANTS: tuple[Role | None, ...] = (None, *ROLES)
STAGES = ("signup", "setup", "turn", "over", "cancelled")
LIVE = ("signup", "setup", "turn")
STRONG = {"host": {"see", "act", "share"}, "cohost": {"see", "act"}, "observer": {"see"}}


def somebody(here: Role | None, everywhere: Role | None, other: Role | None = None) -> Account:
    given = {"gk1": here, EVERY_GAME: everywhere, "gk2": other}
    return Account(1, "Некто", {game: role for game, role in given.items() if role is not None})


@pytest.mark.parametrize(("here", "everywhere", "other"), product(GRANTS, GRANTS, GRANTS))
def test_x07_the_whole_table(here: Role | None, everywhere: Role | None, other: Role | None) -> None:
    who = somebody(here, everywhere, other)
    role, second = here or everywhere, other or everywhere
    for need in ("see", "act", "share"):
        assert may(who, need, "gk1") is (role is not None and need in STRONG[role])
        assert may(who, need, None) is False
        assert may(who, need, "нет такой") is (everywhere is not None and need in STRONG[everywhere])
    for live in ((), ("gk1",), ("gk2",), ("gk1", "gk2")):
        acting = [{"gk1": role, "gk2": second}[game] in ("host", "cohost") for game in live]
        stray = everywhere in ("host", "cohost") or (bool(acting) and all(acting))
        assert may(who, "stray", live=live) is stray
        # Who may play is a matter of the whole site; its settings may leave it to the host of a game, never to a co-host.
        assert may(who, "bar", "gk1", live) is stray
        assert may(who, "bar", "gk1", live, hosts_bar=True) is (stray or role == "host")
        assert may(who, "bar", None, live, hosts_bar=True) is stray
    assert may(who, "own") is (everywhere == "host")


@pytest.mark.parametrize("need", NEEDS)
def test_x07_nobody_may_anything_but_log_in(need: Need) -> None:
    assert may(None, need, "gk1", ("gk1",)) is (need == "anyone")
    assert may(somebody(None, None), need, "gk1", ("gk1",)) is (need in ("anyone", "account"))
    assert may(somebody(None, None), need) is (need in ("anyone", "account"))


def test_x07_every_page_of_a_game_asks_for_a_right_in_it() -> None:
    for page in PAGES:
        assert ("{game}" in page.path) is (page.need in ("see", "act", "share")), page
        assert not page.form or page.need != "see", "what changes something is more than looking"


# The running desk -------------------------------------------------------------------------------------------------------

OWNER, ALL_SEEING, NOBODY = "Хозяйка", "Смотрящий", "Никто"
WHO: dict[str | None, dict[str, Role]] = {
    None: {}, NOBODY: {}, HOST: {"gk1": "host"}, HELPER: {"gk1": "cohost"}, WATCHER: {"gk1": "observer"}, OTHER: {"gk2": "host"},
    OWNER: {EVERY_GAME: "host"}, ALL_SEEING: {EVERY_GAME: "observer"},
}  # fmt: skip
TABLES: dict[str, sa.Table] = {"log": verdicts, "post": posts, "letter": letters, "out": outbox}


@pytest.fixture(scope="module")
def site(quiet: Scene, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    scene = fork(quiet, tmp_path_factory.mktemp("rights"))
    with scene.world.store.write() as connection:
        for name in (OWNER, ALL_SEEING, NOBODY):
            account = accounts.save(connection, name, scene.world.clock.now(), address=f"{name}@example.org")
            accounts.set_password(connection, account, PASSWORD)
            if everywhere := WHO[name].get(EVERY_GAME):
                accounts.give_role(connection, account, EVERY_GAME, everywhere)
    for name in WHO:
        scene.client(name)
    return scene


def role_of(name: str | None, game: str) -> Role | None:
    return WHO[name].get(game) or WHO[name].get(EVERY_GAME)


def addresses(scene: Scene, page: Page, game: str) -> list[str]:
    """A page's addresses in a game: with the numbers of rows of this game, or of none."""
    path = page.path.replace("{game}", game).replace("{kind}", "pause").replace("{token}", "x")
    if "{number:int}" not in path:
        return [path]
    kind = path.split("/")[3]
    numbers = [1]
    if kind in TABLES:
        rows = scene.world.rows(sa.select(TABLES[kind].c.id).where(TABLES[kind].c.game_id == game).limit(2))
        numbers = [row["id"] for row in rows] or [10**17]
    return [path.replace("{number:int}", str(number)) for number in numbers]


@pytest.mark.parametrize("stage", STAGES)
def test_x07_every_page_for_every_role_in_every_state(site: Scene, stage: str) -> None:
    with site.world.store.write() as connection:
        connection.execute(games.update().where(games.c.id == "gk1").values(stage=stage))
    for name, game, page in product(WHO, ("gk1", "gk2"), [page for page in PAGES if "{game}" in page.path]):
        role = role_of(name, game)
        for path in addresses(site, page, game):
            if page.form:
                answer = post_without_effect(site, name, path)
                expected = {None: 404, "observer": 403}.get(role, 403 if role == "cohost" and page.need == "share" else 400)
            else:
                answer = site.client(name).get(path)
                expected = 404 if role is None else 403 if page.need == "act" and role == "observer" else 200
            if name is None:
                expected = 303
            seen = 200 if not page.form and role and answer.status_code == 404 and "{number" in page.path else answer.status_code
            assert seen == expected, (name, path, answer.status_code)
    assert site.world.rows(sa.select(acts)) == []


def post_without_effect(site: Scene, name: str | None, path: str) -> Any:
    """A form that nobody's rights let through to an effect: its words are missing."""
    client = site.client(name)
    kind = "/do/remove" if path.endswith("/do/pause") else path[path.rfind("/") :]
    word = csrf(client) if name is not None else "x"
    return client.post(path.replace("/do/pause", "") + kind if "/do/" in path else path, data={"csrf": word})


@pytest.mark.parametrize(("first", "second"), product(STAGES, STAGES))
def test_x07_what_belongs_to_no_game_is_for_whoever_any_live_game_trusts(site: Scene, first: str, second: str) -> None:
    with site.world.store.write() as connection:
        connection.execute(games.update().where(games.c.id == "gk1").values(stage=first))
        connection.execute(games.update().where(games.c.id == "gk2").values(stage=second))
        troubles_row = {"key": "клад", "game_id": None, "text": "Беда всего форума", "since": site.world.clock.now()}
        connection.execute(troubles.delete().where(troubles.c.key == "клад"))
        connection.execute(troubles.insert().values(troubles_row))
    (stray,) = site.world.rows(sa.select(letters).where(letters.c.game_id.is_(None), letters.c.sender == "nobody@example.org"))
    live = [game for game, stage in (("gk1", first), ("gk2", second)) if stage in LIVE]
    for name in WHO:
        if name is None:
            continue
        wide = WHO[name].get(EVERY_GAME) in ("host", "cohost")
        trusted = wide or (bool(live) and all(role_of(name, game) in ("host", "cohost") for game in live))
        assert ("Беда всего форума" in site.client(name).get("/").text) is trusted, (name, first, second)
        for game in ("gk1", "gk2"):
            if role_of(name, game) is None:
                continue
            seen = site.client(name).get(f"/g/{game}/letter/{stray['id']}").status_code == 200
            assert seen is trusted, (name, game, first, second)
            assert ("nobody@example.org" in site.client(name).get(f"/g/{game}/review").text) is trusted


# Owners -----------------------------------------------------------------------------------------------------------------


def change(scene: Scene, by: str, whom: str, role: str, **more: str) -> int:
    client = scene.client(by)
    form = {"csrf": csrf(client), "name": whom, "role": role, **more}
    return client.post("/g/gk1/access", data=form).status_code


def roles(scene: Scene, name: str) -> dict[str, str]:
    with scene.world.store.read() as connection:
        account = accounts.find(connection, name)
        assert account is not None
        return dict(accounts.roles_of(connection, account["id"]))


@pytest.mark.parametrize("role", [*ROLES, "none"])
@pytest.mark.parametrize("whom", [OWNER, ALL_SEEING])
def test_x11_whose_rights_are_sitewide_a_games_host_does_not_change(scene: Scene, whom: str, role: str) -> None:
    with scene.world.store.write() as connection:
        account = accounts.save(connection, whom, scene.world.clock.now(), address="owner@example.org")
        accounts.give_role(connection, account, EVERY_GAME, "host" if whom == OWNER else "observer")
        accounts.set_password(connection, account, PASSWORD)
    before = roles(scene, whom)
    assert change(scene, HOST, whom, role) == 403
    assert roles(scene, whom) == before
    if whom == OWNER:
        assert change(scene, OWNER, OWNER, "observer") == 303, "an owner may step back from a game that he plays in"
        assert scene.client(OWNER).get("/g/gk1").status_code == 200


@pytest.mark.parametrize("name", ["Mария", "Мария ", "МАРИЯ", "М\u200bария", "Мария\x00", "Ма\u202eрия"])
def test_x11_no_account_looks_like_another(scene: Scene, name: str) -> None:
    before = len(scene.world.rows(sa.select(accounts.accounts)))
    change(scene, HOST, name, "cohost", address="evil@example.org")
    assert len(scene.world.rows(sa.select(accounts.accounts))) == before
    assert scene.world.rows(sa.select(grants).where(grants.c.game_id == "gk1", grants.c.role == "host"))


def test_x15_numbers_that_no_row_can_have_are_no_pages(site: Scene) -> None:
    for page in PAGES:
        if "{number:int}" not in page.path:
            continue
        for number in (2**63 - 1, 2**63, 2**64, 10**19, 10**30, "9" * 5_000, "٣" * 3):
            path = page.path.replace("{game}", "gk1").replace("{number:int}", str(number))
            assert site.client(HOST).get(path).status_code == 404, (page.path, number)
    for query in ("turn", "from", "did", "nick"):
        for number in ("9" * 30, "-" + "9" * 30, "9" * 5_000, "²", "nan", "1e9"):
            assert site.client(HOST).get(f"/g/gk1/log?{query}={number}").status_code == 200
            assert site.client(HOST).get(f"/g/gk1/orders?{query}={number}").status_code == 200


@pytest.mark.parametrize("number", [str(2**63), "9" * 40, "-" + "9" * 40, "nan", "inf", "1e400"])
def test_x15_forms_take_no_number_that_the_database_cannot_hold(scene: Scene, number: str) -> None:
    client = scene.client()
    fields = {"accept": "verdict", "strike": "verdict", "release": "outbox", "undo": "act", "extend": "hours", "seat": "uid"}
    for kind, field in fields.items():
        form = {"csrf": csrf(client), field: number, "nick": "Некто", "sure": "yes"}
        assert client.post(f"/g/gk1/do/{kind}", data=form).status_code == 400, (kind, number)
    assert scene.world.rows(sa.select(acts)) == []


def test_x07_a_stranger_with_a_good_cookie_of_another_site_stays_one(quiet: Scene, tmp_path: Path) -> None:
    scene = fork(quiet, tmp_path)
    client = TestClient(scene.client(None).app, base_url=BASE, follow_redirects=False)
    assert login(client, OTHER).status_code == 303
    assert client.get("/g/gk1").status_code == 404
