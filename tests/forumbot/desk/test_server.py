"""The desk as a process serves it: over a socket, behind a proxy whose word is believed."""

import httpx

from tests.forumbot.desk.browser import served
from tests.forumbot.desk.scene import HOST, Scene, form_word


def test_the_server_answers_and_does_not_name_itself(quiet: Scene) -> None:
    with served(quiet) as address:
        answer = httpx.get(f"{address}/login")
        assert answer.status_code == 200
        assert "server" not in answer.headers
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert httpx.get(f"{address}/g/gk1").headers["location"] == "/login"
        assert httpx.get(f"{address}/login", headers={"Host": "evil.example"}).status_code == 400


def test_tries_are_counted_by_the_address_that_the_proxy_names(scene: Scene) -> None:
    with served(scene) as address, httpx.Client(base_url=address) as client:
        word = form_word(client.get("/login").text)

        def attempt(name: str, come_from: str) -> int:
            form = {"csrf": word, "name": name, "password": "x", "by": "password"}
            return client.post("/login", data=form, headers={"X-Forwarded-For": come_from}).status_code

        assert [attempt(f"имя {number}", "192.0.2.1") for number in range(21)] == [403] * 20 + [429]
        assert attempt(HOST, "192.0.2.2") == 403
