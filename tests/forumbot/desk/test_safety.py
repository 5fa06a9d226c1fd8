"""What must never be seen: another host's game, a secret without login, a player's words as HTML."""

import re
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from forumbot.desk import accounts
from forumbot.desk.app import PAGES, application
from forumbot.desk.core import HERE
from forumbot.desk.gate import HEADERS
from forumbot.settings import Site
from forumbot.store.tables import acts as acts_table
from forumbot.store.tables import grants, letters, outbox, posts, verdicts
from tests.forumbot.desk.scene import BASE, EVIL, HELPER, HOST, OTHER, OTHER_TITLE, WATCHER, Scene, csrf, fork, login, make_scene

NUMBERS: dict[str, Any] = {
    "/g/{game}/log/{number:int}": verdicts,
    "/g/{game}/post/{number:int}": posts,
    "/g/{game}/letter/{number:int}": letters,
    "/g/{game}/out/{number:int}": outbox,
}
GETS = [page.path for page in PAGES if not page.form and page.need in ("see", "act")]
FORMS = [page.path for page in PAGES if page.form and page.need in ("see", "act")]


def filled(path: str, game: str, number: int = 1) -> str:
    return path.replace("{game}", game).replace("{number:int}", str(number)).replace("{kind}", "pause")


@pytest.mark.parametrize("path", [*GETS, "/", "/nowhere", "/g/nothing"])
def test_without_login_no_page_shows_anything(quiet: Scene, path: str) -> None:
    """T67."""
    client = TestClient(quiet.client(None).app, base_url=BASE, follow_redirects=False)
    answer = client.get(filled(path, "gk1"))
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login"
    assert answer.content == b""


@pytest.mark.parametrize("path", FORMS)
def test_without_login_no_form_does_anything(quiet: Scene, path: str) -> None:
    client = TestClient(quiet.client(None).app, base_url=BASE, follow_redirects=False)
    answer = client.post(filled(path, "gk1"), data={"sure": "yes"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    assert quiet.world.rows(sa.select(acts_table)) == []


def test_a_fragment_without_login_sends_the_browser_to_the_login_page(quiet: Scene) -> None:
    client = TestClient(quiet.client(None).app, base_url=BASE, follow_redirects=False)
    answer = client.get("/g/gk1/now", headers={"HX-Request": "true"})
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == "/login"
    assert answer.text == ""


@pytest.mark.parametrize("path", GETS)
def test_another_hosts_game_does_not_exist(quiet: Scene, path: str) -> None:
    """T67: the same answer as for a game that is not there, no title and no count."""
    theirs, nothing = quiet.get(filled(path, "gk1"), OTHER), quiet.get(filled(path, "none"), OTHER)
    assert theirs.status_code == nothing.status_code == 404
    assert theirs.content == nothing.content
    mine = quiet.get(filled(path, "gk2"))
    assert mine.status_code == 404
    assert OTHER_TITLE not in mine.text


@pytest.mark.parametrize("path", FORMS)
def test_another_hosts_game_takes_no_form(quiet: Scene, path: str) -> None:
    client = quiet.client(OTHER)
    form = {"csrf": csrf(client), "sure": "yes", "name": HOST, "role": "none"}
    assert client.post(filled(path, "gk1"), data=form).status_code == 404
    assert quiet.world.rows(sa.select(acts_table)) == []


def test_the_list_shows_the_visitors_own_games_only(quiet: Scene) -> None:
    assert "Партия 1" in quiet.get("/").text
    assert OTHER_TITLE not in quiet.get("/").text
    assert OTHER_TITLE in quiet.get("/", OTHER).text
    assert "Партия 1" not in quiet.get("/", OTHER).text


@pytest.mark.parametrize("path", NUMBERS)
def test_numbers_of_another_game_are_no_pages_of_this_one(quiet: Scene, path: str) -> None:
    table = NUMBERS[path]
    for row in quiet.world.rows(sa.select(table).where(sa.or_(table.c.game_id != "gk2", table.c.game_id.is_(None)))):
        assert quiet.get(filled(path, "gk2", row["id"]), OTHER).status_code == 404


def test_an_act_on_another_games_row_is_refused_by_the_daemon(scene: Scene) -> None:
    row = scene.world.rows(sa.select(outbox).where(outbox.c.game_id == "gk1"))[0]
    verdict = scene.world.rows(sa.select(verdicts).where(verdicts.c.outcome == "review"))[0]
    for kind, fields in (
        ("edit", {"outbox": row["id"], "body": "чужое"}),
        ("posted", {"outbox": row["id"]}),
        ("accept", {"verdict": verdict["id"], "choice": 0}),
        ("reject", {"verdict": verdict["id"]}),
    ):
        scene.do(kind, fields, name=OTHER, game="gk2")
    scene.do("reject", {"verdict": verdict["id"]})
    scene.do("undo", {"act": 5}, name=OTHER, game="gk2")
    done = scene.world.rows(sa.select(acts_table).order_by(acts_table.c.id))
    assert [bool(act["error"]) for act in done] == [True, True, True, True, False, True]
    assert scene.world.value(sa.select(outbox.c.body).where(outbox.c.id == row["id"])) == row["body"]
    assert scene.get("/g/gk2/act/5", OTHER).status_code == 404
    assert HOST not in scene.get("/g/gk2/acts?did=5", OTHER).text


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A game whose title, nicks, letters, posts and addresses try to be HTML."""
    scene = make_scene(tmp_path_factory.mktemp("evil"), title=f"Партия {EVIL}")
    world = scene.world
    with world.store.write() as connection:
        account = accounts.find(connection, HOST)
        assert account is not None
        accounts.give_role(connection, account["id"], accounts.EVERY_GAME, "host")
    scene.do("replace", {"player": "Павел", "nick": f"П{EVIL}", "uid": "77"})
    scene.do("alias", {"player": "Борис", "alias": f"Б{EVIL}"})
    scene.do("write", {"player": "Анна", "text": f"[b]Привет[/b] {EVIL} [color=red\" onload=x]a[/color]"})
    scene.do("remove", {"player": "<img src=x onerror=alert(1)>"})
    world.forum.says(world.forum.find("День"), 77, f"П{EVIL}", f"[color=blue]Линч: Анна[/color] {EVIL}")
    world.pm("Анна", f"{EVIL} убить Бориса", subject=EVIL)
    world.clock.sleep(61)
    world.tick()
    return scene


def everything(scene: Scene) -> list[str]:
    """Every page of the game that there is."""
    paths = ["/", *(filled(path, "gk1", 0) for path in GETS)]
    for path, table in NUMBERS.items():
        paths += [filled(path, "gk1", row["id"]) for row in scene.world.rows(sa.select(table.c.id))]
    paths += [f"/g/gk1/player/{place}" for place in range(15)]
    paths += [f"/g/gk1/{page}" for page in ("turn/1", "log?player=<b>", "outbox?state=<b>", "enter?player=<b>", "acts?did=1")]
    paths += [f"/g/gk1/act/{number}" for number in range(1, 5)]
    return paths


def test_nothing_from_outside_is_ever_html(evil: Scene) -> None:
    seen = 0
    for path in everything(evil):
        page = evil.get(path).text
        assert EVIL not in page, path
        assert not re.search(r"<img|<b>\"|onerror=alert\(1\)>|<script>", page), path
        assert not re.search(r"<[^>]*\son\w+=", page.replace("&lt;", "")), path
        seen += page.count("&lt;script&gt;alert(1)&lt;/script&gt;")
    assert seen > 50


def test_pages_bring_no_script_or_style_but_our_own_files(evil: Scene) -> None:
    for path in everything(evil):
        page = evil.get(path).text
        assert not re.search(r"<[^>]*\sstyle=", page), path
        assert re.findall(r"<script[^>]*>", page) in (['<script src="/static/htmx.min.js" defer>'], []), path
        for address in re.findall(r'(?:src|href|action|hx-get)="([^"]*)"', page):
            assert address.startswith(("/", "?", "#")), (path, address)
            assert not address.startswith("//"), (path, address)


@pytest.mark.parametrize("path", ["/", "/login", "/g/gk1", "/g/gk1/now", "/g/gk2", "/nowhere", "/static/desk.css", "/login/x"])
def test_every_answer_has_the_security_headers(quiet: Scene, path: str) -> None:
    answer = quiet.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == ("private, max-age=86400" if "static" in path else "no-store")
    assert "server" not in answer.headers


def test_static_files_stay_in_their_folder(quiet: Scene) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static/", "/static/nothing.js"):
        assert quiet.get(path).status_code in (404, 405), path


def test_a_page_that_fails_shows_no_trace(quiet: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    client = TestClient(quiet.client().app, base_url=BASE, raise_server_exceptions=False, cookies=quiet.client().cookies)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("секрет в исключении")

    monkeypatch.setattr("forumbot.hosting.core.counting.count", broken)
    answer = client.get("/g/gk1")
    assert answer.status_code == 500
    assert "секрет" not in answer.text
    assert "ошибка" in answer.text
    assert answer.headers["Content-Security-Policy"]


def test_no_template_marks_anything_as_safe_html() -> None:
    for file in sorted((HERE / "templates").glob("*.html")):
        text = file.read_text(encoding="utf-8")
        assert "safe" not in re.sub(r"\bsafely\b", "", text), file
        assert "autoescape" not in text, file


def test_the_vendored_script_has_its_licence_beside_it() -> None:
    notice = (HERE / "static" / "NOTICE").read_text(encoding="utf-8")
    version = re.search(r'version:"([\d.]+)"', (HERE / "static" / "htmx.min.js").read_text(encoding="utf-8"))
    assert version is not None
    assert f"htmx {version.group(1)}" in notice
    assert "Zero-Clause BSD" in notice


# Rights ----------------------------------------------------------------------------------------------------------------


def give(scene: Scene, name: str, role: str, *, by: str = HOST, address: str = "") -> int:
    client = scene.client(by)
    form = {"csrf": csrf(client), "name": name, "role": role, "address": address}
    return client.post("/g/gk1/access", data=form).status_code


def test_rights_are_given_and_taken_by_the_host_and_kept_in_the_history(scene: Scene) -> None:
    """T71: the game is handed over; the log keeps who did what."""
    scene.do("pause", {})
    assert give(scene, "Новый", "host", address="new@example.org") == 303
    assert give(scene, HOST, "none") == 303
    assert scene.get("/g/gk1").status_code == 404
    with scene.world.store.write() as connection:
        account = accounts.find(connection, "Новый")
        assert account is not None
        assert account["address"] == "new@example.org"
        accounts.set_password(connection, account["id"], "пароль нового ведущего")
    client = TestClient(scene.client(None).app, base_url=BASE, follow_redirects=False)
    login(client, "Новый", "пароль нового ведущего")
    page = client.get("/g/gk1/acts").text
    assert f"{HOST}, 02.12" in page
    assert "Поставить на паузу" in page
    assert "Изменить доступ" in page
    assert client.get("/g/gk1/access").status_code == 200


def test_rights_are_not_taken_back_by_undo(scene: Scene) -> None:
    give(scene, WATCHER, "cohost")
    assert "Отменить" not in scene.get("/g/gk1/acts").text
    scene.do("undo", {"act": 1})
    assert scene.world.rows(sa.select(acts_table).where(acts_table.c.id == 2))[0]["error"] is not None


def test_a_game_keeps_at_least_one_host(scene: Scene) -> None:
    assert give(scene, HOST, "observer") == 400
    assert give(scene, HOST, "none") == 400
    assert scene.get("/g/gk1").status_code == 200


@pytest.mark.parametrize("name", [HELPER, WATCHER])
def test_only_the_host_gives_rights(quiet: Scene, name: str) -> None:
    assert give(quiet, name, "host", by=name) == 403


def test_a_newcomer_needs_an_address_and_a_known_one_keeps_his(scene: Scene) -> None:
    assert give(scene, "Никто", "observer") == 400
    assert give(scene, "", "observer") == 400
    assert give(scene, WATCHER, "king") == 400
    assert give(scene, OTHER, "observer", address="evil@example.org") == 303
    with scene.world.store.read() as connection:
        account = accounts.find(connection, OTHER)
        assert account is not None
        assert account["address"] == f"{OTHER}@example.org"
        given = connection.execute(sa.select(grants.c.role).where(grants.c.account_id == account["id"])).scalars().all()
    assert sorted(given) == ["host", "observer"]


# Behind a reverse proxy --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strips", [True, False])
def test_the_desk_stands_behind_a_proxy_under_a_path(quiet: Scene, tmp_path: Path, strips: bool) -> None:
    scene = fork(quiet, tmp_path)
    said = {**scene.world.site.model_dump(exclude_unset=True), "desk": {"url": "https://mafia.example.org/desk"}}
    app = application(Site.model_validate(said), scene.world.store, scene.world.clock)
    client = TestClient(app, base_url="https://mafia.example.org", follow_redirects=False)
    start = "" if strips else "/desk"
    answer = client.get(f"{start}/")
    assert answer.headers["location"] == "/desk/login"
    page = client.get(f"{start}/login")
    assert 'action="/desk/login"' in page.text
    assert 'href="/desk/static/desk.css"' in page.text
    cookie = page.headers["set-cookie"]
    assert "Secure" in cookie
    assert "Path=/desk" in cookie
    assert client.get(f"{start}/static/desk.css").status_code == 200
