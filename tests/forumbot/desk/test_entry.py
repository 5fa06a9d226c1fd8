"""Coming in: passwords, one-time links, sessions that end, forms that belong to their session."""

import re
from datetime import timedelta

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from forumbot.desk import accounts
from forumbot.desk.core import COOKIE
from forumbot.desk.limits import Limits
from forumbot.store.tables import login_links, outbox, sessions
from tests.forumbot.desk.scene import HOST, OTHER, PASSWORD, Scene, csrf, form_word, login
from tests.forumbot.hosting.world import MONDAY


def ask_link(scene: Scene, client: TestClient, name: str = HOST) -> str:
    word = form_word(client.get("/login").text)
    return client.post("/login", data={"csrf": word, "name": name, "by": "link"}).text


def link(scene: Scene, name: str = HOST) -> str:
    """The path of the link that the daemon has just sent to this host's mailbox."""
    scene.world.settle()
    (_, text) = scene.world.mail.letters_to(f"{name}@example.org")[-1]
    found = re.search(r"http://127\.0\.0\.1:8321(/login/\S+)", text)
    assert found is not None
    return found.group(1)


def use(client: TestClient, path: str) -> int:
    word = form_word(client.get(path).text)
    return client.post(path, data={"csrf": word}).status_code


def test_a_password_lets_in_and_a_wrong_one_does_not(scene: Scene) -> None:
    client = scene.client(None)
    refused = login(client, HOST, "не тот пароль")
    assert refused.status_code == 403
    assert "Имя или пароль не подходят" in refused.text
    assert client.get("/").status_code == 303
    assert login(client, HOST).status_code == 303
    assert client.get("/").status_code == 200


def test_an_unknown_name_is_answered_like_a_wrong_password(scene: Scene) -> None:
    client = scene.client(None)
    known, unknown = login(client, HOST, "не тот"), login(client, "Никто", "не тот")
    assert known.status_code == unknown.status_code
    assert known.text.replace(HOST, "") == unknown.text.replace("Никто", "")


def test_a_link_comes_by_mail_and_works_once(scene: Scene) -> None:
    client = scene.client(None)
    assert "Если такое имя есть" in ask_link(scene, client)
    path = link(scene)
    assert client.get(path).status_code == 200, "looking at a link does not use it up"
    assert use(client, path) == 303
    assert client.get("/").status_code == 200
    stranger = TestClient(client.app, base_url="http://127.0.0.1:8321", follow_redirects=False)
    again = stranger.get(path)
    assert again.status_code == 410
    assert stranger.post(path, data={"csrf": accounts.csrf(stranger.cookies[COOKIE])}).status_code == 410
    assert stranger.get("/").status_code == 303


def test_a_link_gets_old(scene: Scene) -> None:
    client = scene.client(None)
    ask_link(scene, client)
    path = link(scene)
    scene.world.clock.sleep(accounts.LINK_LIVES.total_seconds())
    assert client.get(path).status_code == 410


def test_a_link_by_private_message_where_there_is_no_mail(scene: Scene) -> None:
    with scene.world.store.write() as connection:
        account = accounts.save(connection, "Форумный", scene.world.clock.now(), nick="Форумный", uid=900)
        accounts.give_role(connection, account, "gk1", "host")
    ask_link(scene, scene.client(None), "Форумный")
    scene.world.settle()
    ((subject, text),) = scene.world.forum.pms_to("Форумный")
    assert "Вход на пульт" in subject
    assert "/login/" in text


def test_an_unknown_name_gets_the_same_words_and_no_letter(scene: Scene) -> None:
    client = scene.client(None)
    assert ask_link(scene, client, "Никто").replace("Никто", "") == ask_link(scene, client, HOST).replace(HOST, "")
    rows = scene.world.rows(sa.select(outbox).where(outbox.c.key.startswith("desk/link/")))
    assert [row["target"] for row in rows] == [{"address": f"{HOST}@example.org"}]


def test_the_word_of_a_link_is_nowhere_in_the_database_once_it_is_used(scene: Scene) -> None:
    client = scene.client(None)
    ask_link(scene, client)
    path = link(scene)
    use(client, path)
    token = path.rpartition("/")[2]
    assert token not in scene.world.rows(sa.select(login_links))[0]["digest"]
    assert not any(token in row["body"] for row in scene.world.rows(sa.select(outbox)))


def test_a_link_in_a_letter_is_made_of_the_settings_and_not_of_the_request(scene: Scene) -> None:
    client = scene.client(None)
    word = form_word(client.get("/login").text)
    client.post("/login", data={"csrf": word, "name": HOST, "by": "link"}, headers={"X-Forwarded-Host": "evil.example"})
    assert link(scene).startswith("/login/")
    assert client.get("/login", headers={"Host": "evil.example"}).status_code == 400


def test_a_login_gives_a_new_cookie_that_scripts_cannot_read(scene: Scene) -> None:
    client = scene.client(None)
    client.get("/login")
    before = client.cookies[COOKIE]
    answer = login(client, HOST)
    said = answer.headers["set-cookie"]
    assert client.cookies[COOKIE] != before
    assert "HttpOnly" in said
    assert "SameSite=lax" in said
    assert "Secure" not in said, "the settings say http://"
    assert not any(client.cookies[COOKIE] in row["digest"] for row in scene.world.rows(sa.select(sessions)))


def test_a_session_ends_when_it_is_not_used_and_in_any_case_after_a_month(scene: Scene) -> None:
    client = scene.client()
    assert client.get("/").status_code == 200
    for _ in range(4):
        scene.world.clock.sleep(timedelta(days=6).total_seconds())
        assert client.get("/").status_code == 200, "a used session stays"
    scene.world.clock.sleep(timedelta(days=6).total_seconds())
    assert client.get("/").status_code == 303, "the month is over"
    login(client, HOST)
    scene.world.clock.sleep(accounts.SESSION_IDLE.total_seconds())
    assert client.get("/").status_code == 303


def test_logging_out_ends_the_session_and_everywhere_ends_all(scene: Scene) -> None:
    phone, desk = scene.client(), TestClient(scene.client(None).app, base_url="http://127.0.0.1:8321", follow_redirects=False)
    login(desk, HOST)
    cookie = phone.cookies[COOKIE]
    phone.post("/logout", data={"csrf": csrf(phone)})
    phone.cookies.set(COOKIE, cookie)
    assert phone.get("/").status_code == 303
    assert desk.get("/").status_code == 200
    phone.cookies.clear()
    login(phone, HOST)
    phone.post("/logout", data={"csrf": csrf(phone), "everywhere": "yes"})
    assert desk.get("/").status_code == 303


def test_a_new_password_logs_everybody_of_that_name_out(scene: Scene) -> None:
    client = scene.client()
    assert client.get("/").status_code == 200
    with scene.world.store.write() as connection:
        account = accounts.find(connection, HOST)
        assert account is not None
        accounts.set_password(connection, account["id"], "другой пароль, тоже длинный")
    assert client.get("/").status_code == 303


def test_passwords_are_tried_a_few_times_only_and_links_too(scene: Scene) -> None:
    client = scene.client(None)
    answers = [login(client, HOST, f"догадка {number}").status_code for number in range(6)]
    assert answers == [403] * 5 + [429]
    assert login(client, HOST).status_code == 429, "the right one has to wait too"
    assert [ask_link(scene, client).count("Слишком много попыток") for _ in range(4)] == [0, 0, 0, 1]
    scene.world.clock.sleep(15 * 60)
    assert login(client, HOST).status_code == 303


def test_one_address_cannot_try_many_names(scene: Scene) -> None:
    client = scene.client(None)
    answers = [login(client, f"имя {number}", "x").status_code for number in range(21)]
    assert answers == [403] * 20 + [429]


def test_limits_forget_a_name_that_got_in_and_sweep_old_keys() -> None:
    limits = Limits()
    assert [limits.allow(MONDAY, ("a", 2)) for _ in range(3)] == [True, True, False]
    limits.forget("a")
    assert limits.allow(MONDAY, ("a", 2))
    assert limits.allow(MONDAY + timedelta(minutes=15), ("a", 1), ("b", 1))
    assert not limits.allow(MONDAY + timedelta(minutes=16), ("b", 1))


def test_passwords_are_kept_as_scrypt_with_their_own_salt() -> None:
    first, second = accounts.hashed(PASSWORD), accounts.hashed(PASSWORD)
    assert first != second
    assert first.startswith("scrypt$16384$8$1$")
    assert accounts.password_fits(first, PASSWORD)
    assert not accounts.password_fits(first, PASSWORD + " ")
    assert not accounts.password_fits(None, "")


@pytest.mark.parametrize("path", ["/login", "/logout", "/g/gk1/do/pause", "/g/gk1/access"])
@pytest.mark.parametrize("word", ["", "0" * 64, "других"])
def test_a_form_without_its_own_word_does_nothing(quiet: Scene, path: str, word: str) -> None:
    client = quiet.client()
    for form in ({"csrf": word, "name": HOST, "role": "none", "by": "password", "password": PASSWORD}, {"name": HOST}):
        answer = client.post(path, data=form)
        assert answer.status_code == 403
        assert "Страница устарела" in answer.text
    assert client.get("/").status_code == 200


def test_the_word_of_another_session_is_no_use(quiet: Scene) -> None:
    word = csrf(quiet.client(OTHER))
    assert quiet.client().post("/g/gk1/do/pause", data={"csrf": word, "sure": "yes"}).status_code == 403


def test_a_form_sent_from_another_site_is_refused_even_with_the_word(quiet: Scene) -> None:
    client = quiet.client()
    form = {"csrf": csrf(client), "sure": "yes"}
    answer = client.post("/g/gk1/do/pause", data=form, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_a_form_of_another_kind_or_without_end_is_refused(quiet: Scene) -> None:
    client = quiet.client()
    assert client.post("/logout", json={"csrf": csrf(client)}).status_code == 415
    assert client.post("/logout", data={"csrf": csrf(client), "x": "я" * 200_000}).status_code == 413
    many = "&".join(f"a{number}=1" for number in range(300))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/logout", content=many, headers=headers).status_code == 400
    assert client.post("/logout", content=b"\xff\xfe", headers=headers).status_code == 400
    assert client.get("/").status_code == 200
