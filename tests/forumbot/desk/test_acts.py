"""What a host does at the desk: each button leaves an act, the daemon carries it out, one tap takes it back."""

import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from forumbot.desk import forms
from forumbot.hosting.acts import acts
from forumbot.hosting.core import counting, record, seating
from forumbot.store.tables import acts as acts_table
from forumbot.store.tables import aliases, deadlines, games, holders, inputs, outbox, turns, verdicts
from tests.forumbot.desk.scene import HELPER, WATCHER, Scene, csrf, fork
from tests.forumbot.hosting.world import DAY_ONE


def votes(scene: Scene) -> dict[str, float]:
    with scene.world.store.read() as connection:
        match = record.fold(connection, record.load(connection, "gk1"))
        return {nick: weight for nick, weight, _ in counting.count(match, seating.load(connection, "gk1").names())}


def review(scene: Scene) -> int:
    query = sa.select(verdicts.c.id).where(verdicts.c.outcome == "review", verdicts.c.game_id == "gk1")
    return int(scene.world.value(query))


def last(scene: Scene) -> Mapping[str, Any]:
    return scene.world.rows(sa.select(acts_table).order_by(acts_table.c.id.desc()).limit(1))[0]


def test_a_reading_is_accepted_with_the_button_that_names_it(scene: Scene) -> None:
    page = scene.get("/g/gk1/review").text
    assert re.findall(r"<button class=\"main\">(.*?)</button>", page) == ["голос → Анна", "голос → Вера"]
    answer = scene.do("accept", {"verdict": review(scene), "choice": 1, "next": "/g/gk1/review"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/g/gk1/review?did=1#did"
    assert votes(scene) == {"Борис": 3, "Дина": 1, "Вера": 1}
    after = scene.get("/g/gk1/review?did=1").text
    assert "Принять прочтение: сделано" in after
    assert "решать нечего" in after


def test_the_log_tells_which_reading_counts_and_who_decided(scene: Scene) -> None:
    verdict = review(scene)
    scene.do("accept", {"verdict": verdict, "choice": 1})
    page = scene.get(f"/g/gk1/log/{verdict}").text
    assert re.findall(r"→ (\w+) <span class=\"tag(?: accepted)?\">(.*?)</span>", page) == [
        ("Анна", "не засчитано"),
        ("Вера", "засчитано"),
    ]
    assert 'href="/g/gk1/acts#a1">действие ведущего №1' in page


def test_one_tap_takes_an_act_back(scene: Scene) -> None:
    scene.do("accept", {"verdict": review(scene), "choice": 0})
    assert votes(scene)["Анна"] == 1
    scene.do("undo", {"act": 1})
    assert "Анна" not in votes(scene)
    page = scene.get("/g/gk1/acts").text
    assert "отменено №2" in page
    assert "Проверить: 1" in scene.get("/").text


def test_an_act_that_the_daemon_has_not_seen_yet_says_so(scene: Scene) -> None:
    client = scene.client()
    answer = client.post("/g/gk1/do/reject", data={"csrf": csrf(client), "verdict": review(scene)})
    page = client.get(answer.headers["location"].partition("#")[0]).text
    assert "бот сделает это" in page
    assert 'hx-get="/g/gk1/act/1"' in page
    scene.world.tick()
    done = client.get("/g/gk1/act/1").text
    assert "сделано" in done
    assert "hx-get" not in done


def test_what_is_no_move_leaves_the_list(scene: Scene) -> None:
    scene.do("reject", {"verdict": review(scene)})
    assert "решать нечего" in scene.get("/g/gk1/review").text
    assert votes(scene) == {"Борис": 3, "Дина": 1}


def test_a_refused_act_tells_why(scene: Scene) -> None:
    verdict = scene.world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Дина", verdicts.c.turn == 1))
    scene.do("strike", {"verdict": verdict})
    page = scene.get("/g/gk1/acts?did=1").text
    assert f"не вышло: из записи {verdict} ничего не засчитано" in page


def test_the_player_is_asked_in_the_hosts_own_words(scene: Scene) -> None:
    scene.do("write", {"player": "Жанна", "text": "За кого же вы?"})
    scene.world.settle()
    assert any("За кого же вы?" in text for _, text in scene.world.forum.pms_to("Жанна"))


def test_a_nick_is_remembered_for_the_whole_game(scene: Scene) -> None:
    scene.do("alias", {"player": "Борис", "alias": "Борода"})
    assert scene.world.value(sa.select(aliases.c.seat).where(aliases.c.alias == "Борода")) == "Борис"
    scene.world.says("Захар", "[color=blue]Линч: Борода[/color]")
    scene.world.clock.sleep(61)
    scene.world.tick()
    assert votes(scene)["Борис"] == 4
    assert "Борода" in scene.get("/g/gk1/player/1").text


def test_an_order_is_entered_for_a_player_in_two_steps(scene: Scene) -> None:
    first = scene.get("/g/gk1/enter?player=Захар").text
    assert '<option value="vote">' in first
    assert '<option value="host_remove">' in first
    second = scene.get("/g/gk1/enter?player=Захар&action=vote").text
    assert 'action="/g/gk1/do/order"' in second
    scene.do("order", {"player": "Захар", "action": "vote", "targets": ["Дина", "", "", ""]}, sure=False)
    assert votes(scene) == {"Борис": 3, "Дина": 2}
    assert "внёс ведущий" in scene.get("/g/gk1/orders").text


def test_a_measure_of_the_host_is_asked_twice(scene: Scene) -> None:
    fields = {"player": "Захар", "action": "host_remove"}
    asked = scene.do("host", fields, sure=False)
    assert asked.status_code == 200
    assert "Да, решение ведущего" in asked.text
    assert scene.world.rows(sa.select(acts_table)) == []
    scene.do("host", fields)
    assert "Выбыли: 1" in scene.get("/g/gk1").text


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("resolve", {"deadline": "3"}),
        ("remove", {"player": "Борис"}),
        ("replace", {"player": "Борис", "nick": "Новый", "uid": "77"}),
        ("posted", {"outbox": "1"}),
        ("force", {"point": "role_buratino", "values": "Борис"}),
        ("bind", {"player": "Борис", "address": "boris@example.org"}),
        ("extend", {"hours": "-1"}),
        ("strike", {"verdict": "16"}),
        ("pause", {}),
    ],
)
def test_what_hurts_is_asked_twice_and_keeps_its_fields(quiet: Scene, kind: str, fields: dict[str, str]) -> None:
    page = quiet.do(kind, fields, sure=False)
    assert page.status_code == 200
    assert 'name="sure" value="yes"' in page.text
    for name, value in fields.items():
        assert f'name="{name}" value="{value}"' in page.text
    assert quiet.world.rows(sa.select(acts_table)) == []


def test_a_replaced_player_passes_on_his_vote_and_loses_his_rights(scene: Scene) -> None:
    scene.do("replace", {"player": "Анна", "nick": "Новая", "uid": "77"})
    assert scene.world.value(sa.select(holders.c.nick).where(holders.c.seat == "Анна", holders.c.until.is_(None))) == "Новая"
    assert votes(scene)["Борис"] == 3
    page = scene.get("/g/gk1/player/0").text
    assert "<h1><span class=\"of\">Партия 1</span> Новая</h1>" in page
    assert "Анна до" in page


def test_an_address_is_bound_and_unbound(scene: Scene) -> None:
    scene.do("bind", {"player": "Марк", "address": "nobody@example.org"})
    assert "nobody@example.org" in scene.get("/g/gk1/player/11").text
    scene.do("undo", {"act": 1})
    assert "не привязан" in scene.get("/g/gk1/player/11").text


def due(scene: Scene, name: str) -> Any:
    query = sa.select(deadlines.c.due_at).where(
        deadlines.c.game_id == "gk1", deadlines.c.name == name, deadlines.c.turn == 1
    )
    return scene.world.value(query)


def test_deadlines_are_moved_and_moved_back(scene: Scene) -> None:
    before = due(scene, "lynch")
    scene.do("extend", {"hours": "1,5"})
    assert due(scene, "lynch") - before == timedelta(minutes=90)
    scene.do("undo", {"act": 1})
    assert due(scene, "lynch") == before
    number = scene.world.value(
        sa.select(deadlines.c.id).where(deadlines.c.game_id == "gk1", deadlines.c.name == "lynch", deadlines.c.turn == 1)
    )
    scene.do("move", {"deadline": number, "at": "2026-12-02T22:15"})
    assert due(scene, "lynch").isoformat() == "2026-12-02T19:15:00+00:00"
    assert "02.12.2026 22:15" in scene.get("/g/gk1/time").text


def test_a_pause_is_shown_and_ended(scene: Scene) -> None:
    scene.do("pause", {})
    assert "на паузе" in scene.get("/").text
    scene.do("resume", {})
    assert scene.world.value(sa.select(games.c.paused_at).where(games.c.id == "gk1")) is None


def nearest(scene: Scene) -> int:
    """The deadline that the page offers to resolve."""
    found = re.search(r'/do/resolve".*?name="deadline" value="(\d+)"', scene.get("/g/gk1/time").text, re.DOTALL)
    assert found is not None
    return int(found.group(1))


def test_the_vote_is_closed_at_once(scene: Scene) -> None:
    scene.do("resolve", {"deadline": nearest(scene)})
    scene.world.clock.sleep(61)
    scene.world.tick()
    done = scene.world.value(
        sa.select(deadlines.c.done_at).where(deadlines.c.game_id == "gk1", deadlines.c.name == "lynch", deadlines.c.turn == 1)
    )
    assert done is not None


def test_a_draw_is_decided_before_it_is_made(scene: Scene) -> None:
    scene.do("force", {"point": "role_buratino", "values": "Борис"})
    assert last(scene)["error"] is None
    assert "решена ведущим: Борис" in scene.get("/g/gk1/orders").text


def newspaper(scene: Scene) -> Mapping[str, Any]:
    return scene.world.rows(sa.select(outbox).where(outbox.c.key == "gk1/t1/newspaper"))[0]


@pytest.fixture(scope="module")
def quiet_morning(quiet: Scene, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    made = fork(quiet, tmp_path_factory.mktemp("morning"))
    made.world.until(DAY_ONE + timedelta(hours=20), step=timedelta(hours=2))
    return made


@pytest.fixture
def morning(quiet_morning: Scene, tmp_path: Path) -> Scene:
    """The first newspaper waits for the host."""
    return fork(quiet_morning, tmp_path)


def test_a_newspaper_waits_is_looked_at_and_goes_out(morning: Scene) -> None:
    row = newspaper(morning)
    assert row["state"] == "held"
    page = morning.get(f"/g/gk1/out/{row['id']}").text
    assert "Борис - минус 1 жизнь" in page
    assert "Выпустить" in page
    morning.do("release", {"outbox": row["id"]})
    morning.world.settle()
    assert newspaper(morning)["state"] == "sent"
    assert any("Борис - минус 1 жизнь" in text for text in morning.world.forum.texts(morning.world.forum.find("День 1")))


def test_a_newspaper_is_edited_and_the_edit_taken_back(morning: Scene) -> None:
    row = newspaper(morning)
    morning.do("edit", {"outbox": row["id"], "body": f"{row['body']}\r\nДо вечера!"})
    assert newspaper(morning)["body"] == f"{row['body']}\nДо вечера!"
    morning.do("undo", {"act": 1})
    assert newspaper(morning)["body"] == row["body"]


def test_a_newspaper_posted_by_hand_is_not_posted_again(morning: Scene) -> None:
    row = newspaper(morning)
    morning.do("posted", {"outbox": row["id"]})
    morning.world.settle()
    page = morning.get(f"/g/gk1/out/{row['id']}").text
    assert "Опубликовал Мария" in page
    assert not any("минус 1 жизнь" in text for text in morning.world.forum.texts(morning.world.forum.find("День 1")))


def test_a_prologue_of_the_hosts_own_stands_above_the_result_lines(morning: Scene) -> None:
    morning.do("prologue", {"turn": "1", "text": "Ночь была тиха."})
    body = newspaper(morning)["body"]
    assert "Ночь была тиха." in body
    assert body.index("Ночь была тиха.") < body.index("минус 1 жизнь")


def test_why_somebody_lost_a_life_leads_to_the_posts_that_did_it(morning: Scene) -> None:
    page = morning.get("/g/gk1/turn/1?nick=Борис").text
    why = page[page.index('id="why"') :]
    assert "Голосование указало на игрока Борис" in why
    for voter in ("Анна", "Вера", "Егор"):
        post = morning.world.value(sa.select(verdicts.c.source).where(verdicts.c.author == voter, verdicts.c.turn == 1))
        assert f'href="/g/gk1/{post.replace(":", "/")}"' in why
    assert "Глеб: «Линч" not in why, "who voted for another is no reason"
    whole = morning.get("/g/gk1/turn/1").text
    assert "Откуда каждая строка" in whole


def test_a_running_turn_is_explained_so_far(quiet: Scene) -> None:
    assert "Принято: Глеб, «голос»: Дина" in quiet.get("/g/gk1/turn/1?nick=Глеб").text


def test_an_order_for_a_closed_turn_becomes_a_correction(morning: Scene) -> None:
    verdict = morning.world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Вера", verdicts.c.turn == 1))
    other = morning.world.value(sa.select(verdicts.c.id).where(verdicts.c.author == "Егор", verdicts.c.turn == 1))
    asked = morning.do("strike", {"verdict": verdict}, sure=False)
    assert "Этот ход уже подведён" in asked.text
    assert "Да, исправить ход" in asked.text
    morning.do("order", {"player": "Захар", "action": "vote", "targets": ["Дина"], "turn": "1"})
    assert last(morning)["kind"] == "correct"
    assert last(morning)["payload"]["changes"][0]["kind"] == "order"
    morning.do("strike", {"verdict": verdict})
    morning.do("strike", {"verdict": other})
    assert last(morning)["error"] is None
    page = morning.get("/g/gk1/turn/1").text
    assert "Дина - минус 1 жизнь" in page
    assert "заменена" in page
    assert morning.world.value(sa.select(turns.c.replaced).where(turns.c.game_id == "gk1", turns.c.turn == 1))


def test_an_observer_can_look_but_not_act(quiet: Scene) -> None:
    answer = quiet.do("reject", {"verdict": review(quiet)}, name=WATCHER)
    assert answer.status_code == 403
    assert "Наблюдатель только смотрит" in answer.text
    assert quiet.world.rows(sa.select(acts_table)) == []


def test_a_helper_acts_under_his_own_name(scene: Scene) -> None:
    scene.do("reject", {"verdict": review(scene)}, name=HELPER)
    assert last(scene)["who"] == HELPER
    assert f"{HELPER}, 02.12" in scene.get("/g/gk1/acts").text


def test_acts_given_by_a_command_are_in_the_history_whatever_their_kind(scene: Scene) -> None:
    with scene.world.store.write() as connection:
        connection.execute(
            acts_table.insert().values(
                game_id="gk1",
                who="сценарий",
                kind="something_new",
                payload={"of": {"a": 1}, "list": [1, 2], "yes": True},
                asked_at=scene.world.clock.now(),
                done_at=scene.world.clock.now(),
                result={},
            )
        )
    page = scene.get("/g/gk1/acts").text
    assert "something_new" in page
    assert "a: 1" in page


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("accept", {"verdict": "много"}),
        ("accept", {}),
        ("extend", {"hours": "час"}),
        ("move", {"deadline": "1", "at": "завтра"}),
        ("order", {"player": "", "action": "vote"}),
    ],
)
def test_a_form_that_makes_no_sense_is_refused_in_words(quiet: Scene, kind: str, fields: dict[str, str]) -> None:
    answer = quiet.do(kind, fields)
    assert answer.status_code == 400
    assert quiet.world.rows(sa.select(acts_table)) == []


def test_an_unknown_act_is_no_page(quiet: Scene) -> None:
    assert quiet.do("explode", {}).status_code == 404


@pytest.mark.parametrize(
    "path", ["https://evil.example", "//evil.example", "/g/gk2/log", "/g/gk1x", "/g/gk1/../gk2", "/login", "/g/gk1/log?x=1", ""]
)
def test_after_an_act_the_way_leads_back_into_this_game_only(scene: Scene, path: str) -> None:
    answer = scene.do("reject", {"verdict": review(scene), "next": path})
    assert answer.headers["location"].startswith("/g/gk1/acts?did=")


def test_every_form_of_the_table_is_an_act_that_exists() -> None:
    assert set(forms.ACTS) <= set(acts.KINDS)
    assert set(acts.KINDS) - set(forms.ACTS) <= {forms.CORRECT}


def test_what_the_desk_does_is_part_of_the_replay(scene: Scene) -> None:
    scene.do("order", {"player": "Захар", "action": "vote", "targets": ["Дина"]})
    given = scene.world.rows(sa.select(inputs).order_by(inputs.c.id.desc()).limit(1))[0]
    assert given["payload"]["ref"] == "act:1"


def test_h08_a_newcomer_is_shown_before_the_second_press_and_the_press_names_whom(scene: Scene) -> None:
    """By nick, by number and from the waiting list; what speaks against somebody is said there."""
    world = scene.world
    world.forum.accounts = {61: "Семён", 62: "Тамара"}
    first = scene.do("replace", {"player": "Борис", "nick": "Семён"}, sure=False)
    assert "Бот ищет этого участника" in first.text
    (where,) = re.findall(r'hx-get="(/g/gk1/found/\d+)"', first.text)
    shown = scene.get(where).text
    assert "На форуме: Семён (№ 61); Дата регистрации: 01.02.2020" in shown
    assert "hx-get" not in shown
    assert world.rows(sa.select(acts_table)) == []
    scene.do("replace", {"player": "Борис", "nick": "Семён"})
    assert "этот участник уже играет" in scene.get(_found(scene.do("replace", {"player": "Анна", "uid": 61}, sure=False))).text
    world.forum.says(world.forum.find("Запись"), 62, "Тамара", "играю")
    world.until(world.clock.now() + timedelta(minutes=40))
    page = scene.do("replace", {"player": "Анна"}, sure=False).text
    assert 'name="nick" value="Тамара"' in page
    assert 'name="uid" value="62"' in page


def _found(page: Any) -> str:
    (where,) = re.findall(r'hx-get="(/g/gk1/found/\d+)"', page.text)
    return str(where)


def test_an_account_is_barred_and_let_in_again_at_the_desk(scene: Scene) -> None:
    site = scene.world.site
    scene.world.site = site.model_copy(update={"desk": site.desk.model_copy(update={"hosts_bar": True})})
    scene.clients.clear()
    scene.do("bar", {"nick": "Яна", "uid": "800", "until": "2027-03-01", "text": "подсказки"})
    page = scene.get("/g/gk1/bars").text
    assert "до 01.03.2027: подсказки" in page
    scene.do("unbar", {"bar": "1"})
    assert "Запретов нет" in scene.get("/g/gk1/bars").text
    assert scene.do("bar", {"nick": "Зоя"}, name=WATCHER).status_code == 403


def test_what_hurts_is_shown_before_it_is_done(scene: Scene) -> None:
    asked = scene.do("remove", {"player": "Борис"}, sure=False)
    assert "Это изменит" in asked.text
    assert "<li>выбывает: Борис</li>" in asked.text
    assert scene.world.rows(sa.select(acts_table)) == []
