"""What goes out: once, in order, to the right one; unsure means look first."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.errors import (
    AddressRefused,
    Flood,
    LoginFailed,
    NotTaken,
    OutsideError,
    RecipientRefused,
    TooLong,
    UnknownOutcome,
    Unreachable,
)
from adapters.forum import Stored
from engine.model import Notice
from forumbot.hosting.acts import acts
from forumbot.hosting.core import outbox as rows
from forumbot.hosting.core import troubles
from forumbot.hosting.core.publish import _shuffled
from forumbot.settings import SitePart
from forumbot.store.tables import outbox
from tests.forumbot.hosting.world import DAY_ONE, MONDAY, World, count, make_world

MORNING = DAY_ONE + timedelta(hours=19, minutes=1)


def stores_then_fails(method: Callable[..., Any], error: OutsideError) -> Callable[..., Any]:
    """The other side keeps what was sent, but its answer is lost, once."""
    left = [error]

    def call(*args: Any, **kwargs: Any) -> Any:
        made = method(*args, **kwargs)
        if left:
            raise left.pop()
        return made

    return call


def put(world: World, key: str, kind: rows.Kind, target: dict[str, Any], text: str = "Привет") -> None:
    with world.store.write() as connection:
        rows.put(
            connection, key, kind, target, "Тема", text, game_id=world.game, priority=rows.URGENT, now=world.clock.now()
        )


def state(world: World, key: str) -> str:
    return str(world.value(sa.select(outbox.c.state).where(outbox.c.key == key)))


def test_a_post_whose_answer_was_lost_is_not_posted_again(day: World) -> None:
    """T49, and the forum that stores and then says 502."""
    thread = day.forum.find("День 1")
    day.forum.reply = stores_then_fails(day.forum.reply, UnknownOutcome("502"))  # type: ignore[method-assign]
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    day.settle()
    assert state(day, "x") == "sent"
    assert day.forum.texts(thread).count("Важное") == 1


def test_nothing_in_what_the_host_is_told_by_pm_works_as_markup(day: World, tmp_path: Path) -> None:
    """Nicks, subjects of strangers' letters and the forum's own words stand in it."""
    site = SitePart(data=tmp_path, host_nick="Егор", host_uid=8)
    with day.store.write() as connection:
        troubles.tell_host(connection, site, "x", "Тема", "Пишет [img]http://e.example/[/img]", day.clock.now(), game_id=None)
    day.settle()
    assert day.forum.sent[-1][:2] == (8, "Егор")
    assert day.forum.sent[-1][3] == "Пишет [\xa0img]http://e.example/[\xa0/img]"


def test_a_topic_whose_answer_was_lost_is_not_opened_again(day: World) -> None:
    day.forum.open_topic = stores_then_fails(day.forum.open_topic, UnknownOutcome(""))  # type: ignore[method-assign]
    day.until(MORNING + timedelta(minutes=30), step=timedelta(hours=1))
    day.settle()
    assert [topic.subject for topic in day.forum.topics.values()].count("Партия 1. День 2") == 1


def test_a_pm_whose_answer_was_lost_is_not_sent_again(day: World) -> None:
    day.forum.send_pm = stores_then_fails(day.forum.send_pm, UnknownOutcome(""))  # type: ignore[method-assign]
    put(day, "x", "pm", {"uid": 10, "nick": "Анна"}, "Тайна")
    day.settle()
    assert [text for _, text in day.forum.pms_to("Анна")].count("Тайна") == 1


def test_a_letter_whose_answer_was_lost_is_not_sent_again(day: World) -> None:
    """The copy in our own mailbox tells that it went out."""
    day.mail.send = stores_then_fails(day.mail.send, UnknownOutcome(""))  # type: ignore[method-assign]
    put(day, "x", "letter", {"address": "anna@example.org"}, "Тайна")
    day.settle()
    assert state(day, "x") == "sent"
    assert len(day.mail.letters_to("anna@example.org")) == 1


def test_a_letter_that_was_lost_on_the_way_is_sent_again(day: World) -> None:
    day.mail.failing = [UnknownOutcome("")]
    put(day, "x", "letter", {"address": "anna@example.org"}, "Тайна")
    day.tick()
    assert state(day, "x") == "sending"
    day.settle()
    assert state(day, "x") == "sent"
    assert len(day.mail.letters_to("anna@example.org")) == 1


def test_a_lost_post_is_posted_after_a_look(day: World) -> None:
    thread = day.forum.find("День 1")
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    day.forum.failing = [UnknownOutcome("")]
    day.daemon._sender.run(0)
    day.settle()
    assert day.forum.texts(thread).count("Важное") == 1


def test_what_was_sent_for_the_last_time_is_looked_for_too(day: World) -> None:
    """The forum swallows two sendings and keeps the third; no answer ever came."""
    thread = day.forum.find("День 1")
    reply, lost = day.forum.reply, [UnknownOutcome("502"), UnknownOutcome("502")]

    def unclear(topic: str, text: str) -> Stored:
        if not lost:
            reply(topic, text)
        raise lost.pop() if lost else UnknownOutcome("502")

    day.forum.reply = unclear  # type: ignore[method-assign]
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    day.settle()
    assert state(day, "x") == "sent"
    assert day.forum.texts(thread).count("Важное") == 1


def test_tries_that_sent_nothing_are_no_sendings(day: World) -> None:
    """The forum was down for long: that the first sending was swallowed then is no reason to give up."""
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    for error in [Unreachable("no route")] * 5 + [UnknownOutcome("502")]:
        day.forum.failing = [error]
        day.daemon._sender.run(0)
        day.clock.sleep(3700)
    day.forum.failing = []
    day.settle()
    assert state(day, "x") == "sent"


def test_what_the_host_sends_again_is_looked_for_first(day: World) -> None:
    """Three sendings were nowhere to be seen, the host was told, and then one of them appeared."""
    thread = day.forum.find("День 1")
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    for _ in range(4):
        day.forum.reply = lambda *_: (_ for _ in ()).throw(UnknownOutcome("502"))  # type: ignore[method-assign]
        day.daemon._sender.run(0)
        day.clock.sleep(61)
    assert state(day, "x") == "failed"
    del day.forum.reply  # type: ignore[method-assign]
    day.forum.reply(thread, "Важное")
    with day.store.write() as connection:
        number = connection.execute(sa.select(outbox.c.id).where(outbox.c.key == "x")).scalar()
        acts.ask(connection, day.game, "Ведущий", "retry", {"outbox": number}, day.clock.now())
    day.settle()
    assert state(day, "x") == "sent"
    assert day.forum.texts(thread).count("Важное") == 1


def test_one_bad_address_does_not_stop_the_others(day: World) -> None:
    """T52: five notices, the second refused, a restart in between."""
    send = day.mail.send

    def refusing(to: str, *args: Any, **kwargs: Any) -> None:
        if to == "b@example.org":
            raise AddressRefused("550 no such user")
        send(to, *args, **kwargs)

    day.mail.send = refusing  # type: ignore[method-assign]
    for name in "abcde":
        put(day, f"letter/{name}", "letter", {"address": f"{name}@example.org"})
    day.tick()
    day.restart()
    day.settle()
    assert [len(day.mail.letters_to(f"{name}@example.org")) for name in "abcde"] == [1, 0, 1, 1, 1]
    assert state(day, "letter/b") == "failed"
    assert any("Не удалось отправить" in text for _, text in day.mail.letters_to("owner@example.org"))


@pytest.mark.parametrize("error", [Flood(30), Unreachable("no route")])
def test_what_could_not_be_sent_now_is_sent_later(day: World, error: OutsideError) -> None:
    put(day, "x", "pm", {"uid": 10, "nick": "Анна"}, "Тайна")
    day.forum.failing = [error]
    day.daemon._sender.run(0)
    assert state(day, "x") == "waiting"
    day.clock.sleep(300)
    day.daemon._sender.run(0)
    assert [text for _, text in day.forum.pms_to("Анна")].count("Тайна") == 1


def test_a_refused_login_is_not_hammered(day: World) -> None:
    put(day, "x", "pm", {"uid": 10, "nick": "Анна"})
    day.forum.failing = [LoginFailed("wrong password")]
    day.daemon._sender.run(0)
    requests = day.forum.requests
    day.clock.sleep(600)
    day.daemon._sender.run(0)
    assert day.forum.requests == requests


def test_a_recipient_who_takes_no_messages_is_told_to_the_host(day: World) -> None:
    put(day, "x", "pm", {"uid": 10, "nick": "Анна"})
    day.forum.failing = [RecipientRefused("отключил личные сообщения")]
    day.daemon._sender.run(0)
    assert state(day, "x") == "failed"


def test_the_newspaper_goes_before_receipts(day: World) -> None:
    with day.store.write() as connection:
        for priority, key in ((rows.RECEIPTS, "late"), (rows.URGENT, "early")):
            rows.put(
                connection,
                key,
                "pm",
                {"uid": 10, "nick": "Анна"},
                key,
                key,
                game_id=day.game,
                priority=priority,
                now=day.clock.now(),
            )
    day.settle()
    assert [text for _, text in day.forum.pms_to("Анна")][-2:] == ["early", "late"]


def test_receipts_that_wait_are_joined(day: World) -> None:
    """Under a flood limit one message says it all."""
    night = DAY_ONE + timedelta(hours=9, minutes=30)
    day.until(night, step=timedelta(hours=2))
    before = len(day.forum.pms_to("Анна"))
    day.pm("Анна", "заявка на роль: Пьеро")
    day.pm("Анна", "заявка на роль: Буратино")
    day.settle()
    assert len(day.forum.pms_to("Анна")) == before + 1


def test_each_secret_goes_to_its_own_player_alone(day: World) -> None:
    """Promise 4: no role is named in any public post, and each notice went to one account."""
    public = "\n".join(text for topic in day.forum.topics for text in day.forum.texts(topic))
    assert "Карабас" not in public
    told = [nick for _, nick, subject, _ in day.forum.sent if "ваш клан" in subject]
    assert sorted(told) == sorted(set(told))
    assert len(told) == 15


def test_shadow_mode_sends_nothing(tmp_path: Any) -> None:
    world = make_world(tmp_path, players=0, mode="shadow", signup={"closes": MONDAY + timedelta(hours=8), "topic": "12-9"})
    assert world.forum.sent == []
    assert world.mail.out == []
    assert count(world, outbox, outbox.c.state == "sent") == 0


def subjects(world: World) -> dict[str, list[str]]:
    """Nick -> the subjects of his private messages."""
    found: dict[str, list[str]] = {}
    for _, nick, subject, _ in world.forum.sent:
        found.setdefault(nick, [])
        if subject.startswith("Тема"):
            found[nick].append(subject)
    return found


def test_p17_subjects_tell_nothing_of_what_others_got(day: World) -> None:
    """Whoever has a secret besides, and whoever has none, read subjects of one shape: no number, and none that follows."""
    for number in range(3):
        for nick in ("Анна", "Борис"):
            put(day, f"role/{nick}/{number}", "pm", {"uid": day.uid(nick), "nick": nick})
        if number != 1:
            put(day, f"secret/{number}", "pm", {"uid": day.uid("Анна"), "nick": "Анна"}, "Тайна")
    day.settle()
    sent = subjects(day)
    assert (len(sent["Анна"]), len(sent["Борис"])) == (5, 3)
    marks = [re.fullmatch(r"Тема \(([БВГДЖЗКЛМНПРСТФХЦЧШ]{6})\)", subject) for subject in (*sent["Анна"], *sent["Борис"])]
    assert all(marks)
    assert len({found[1] for found in marks if found}) == len(marks)


def test_p17_marks_differ_from_site_to_site(tmp_path: Path) -> None:
    """Nobody who knows how rows are called can tell which of them a mark, or a Message-ID, is of."""
    seen = set()
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        world = make_world(tmp_path / folder, players=0)
        put(world, "x", "pm", {"uid": 10, "nick": "Анна"})
        put(world, "y", "letter", {"address": "anna@example.org"})
        world.settle()
        seen |= {world.forum.sent[-1][2], world.mail.out[-1][3]}
    assert len(seen) == 4


def test_p17_a_message_that_went_out_under_its_old_number_is_not_sent_again(day: World) -> None:
    """The program was upgraded between a sending and the look for it."""
    put(day, "x", "pm", {"uid": 10, "nick": "Анна"}, "Тайна")
    number = day.value(sa.select(outbox.c.id).where(outbox.c.key == "x"))
    day.forum.send_pm(10, "Анна", f"Тема №{number}", "Тайна")
    noted = {"after_id": 0, "tried_at": day.clock.now().isoformat(), "unclear": 1}
    with day.store.write() as connection:
        connection.execute(outbox.update().where(outbox.c.key == "x").values(state="sending", result=noted))
    day.settle()
    assert state(day, "x") == "sent"
    assert [text for text, _ in ((text, 0) for _, _, _, text in day.forum.sent)].count("Тайна") == 1


def test_p11_a_post_that_the_forum_finds_too_long_goes_on_in_parts(day: World) -> None:
    """The limit is the forum's own, lower than what the host has set."""
    thread, reply = day.forum.find("День 1"), day.forum.reply
    text = "\n\n".join(f"Абзац {number}. " + "слово " * 20 for number in range(6)).strip()

    def refuse(topic: str, words: str) -> Stored:
        if len(words) > 300:
            day.forum.max_post = 300
            raise TooLong(300, "слишком длинное")
        return reply(topic, words)

    day.forum.reply = refuse  # type: ignore[method-assign]
    put(day, "x", "post", {"thread_id": 2}, text)
    with day.store.write() as connection:
        more: dict[str, Any] = {"game_id": day.game, "priority": rows.URGENT, "now": day.clock.now()}
        rows.put(connection, "behind", "post", {"thread_id": 2}, "", "Потом", after="x", **more)
    day.settle()
    said = day.forum.texts(thread)[1:]
    assert said[-1] == "Потом"
    assert all(f"Абзац {number}." in "".join(said[:-1]) for number in range(6))
    assert {row["state"] for row in day.rows(sa.select(outbox.c.state).where(outbox.c.key.startswith("x")))} == {"sent"}


def test_p11_what_is_retried_is_split_by_the_limit_of_now(day: World) -> None:
    """The host has lowered ``max_post`` and sends again what the forum had refused."""
    put(day, "x", "post", {"thread_id": 2}, "Слово. " * 90)
    with day.store.write() as connection:
        connection.execute(outbox.update().where(outbox.c.key == "x").values(state="failed"))
    day.forum.max_post = 200
    with day.store.write() as connection:
        number = connection.execute(sa.select(outbox.c.id).where(outbox.c.key == "x")).scalar()
        acts.ask(connection, day.game, "Ведущий", "retry", {"outbox": number}, day.clock.now())
    day.settle()
    assert max(len(text) for text in day.forum.texts(day.forum.find("День 1"))[-3:]) <= 200
    assert state(day, "x") == "sent"


@pytest.mark.parametrize("minutes", [2, 45, 300])
def test_p11_a_server_that_serves_nobody_is_tried_for_as_long_as_it_takes(day: World, minutes: int) -> None:
    reply, over = day.forum.reply, day.clock.now() + timedelta(minutes=minutes)

    def busy(topic: str, words: str) -> Stored:
        if day.clock.now() < over:
            raise NotTaken("сервер ответил 503")
        return reply(topic, words)

    day.forum.reply = busy  # type: ignore[method-assign]
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    day.until(over + timedelta(minutes=75), step=timedelta(minutes=5))
    assert state(day, "x") == "sent"
    assert day.forum.texts(day.forum.find("День 1")).count("Важное") == 1


def test_p04_words_that_the_forum_changed_are_told_once_and_sent_once(day: World) -> None:
    reply = day.forum.reply
    day.forum.reply = lambda topic, words: replace(reply(topic, words), changed=True)  # type: ignore[method-assign]
    put(day, "x", "post", {"thread_id": 2}, "Важное")
    put(day, "y", "post", {"thread_id": 2}, "Важное тоже")
    day.settle()
    assert [state(day, key) for key in "xy"] == ["sent", "sent"]
    assert len([text for _, text in day.mail.letters_to("owner@example.org") if "не теми словами" in text]) == 1


def hide(world: World, topic: str, *, uid: int, nick: str) -> None:
    """Make the topic's first post another's."""
    first, *rest = world.forum.topics[topic].posts
    world.forum.topics[topic].posts = [replace(first, author_uid=uid, author=nick), *rest]


def test_p01_a_topic_of_our_title_that_is_not_ours_is_a_question(day: World) -> None:
    """The answer was lost, and the section shows a topic of this title whose author is another: no second one is opened until
    it is gone."""
    open_topic, left = day.forum.open_topic, [UnknownOutcome("")]

    def lost(section: str, subject: str, text: str) -> Stored:
        stored = open_topic(section, subject, text)
        if left:
            hide(day, stored.topic, uid=77, nick="Прохожий")
            raise left.pop()
        return stored

    day.forum.open_topic = lost  # type: ignore[method-assign]
    title = "Партия 1. День 2"
    day.until(MORNING + timedelta(minutes=50), step=timedelta(minutes=10))
    assert [topic.subject for topic in day.forum.topics.values()].count(title) == 1
    assert len([text for _, text in day.mail.letters_to("owner@example.org") if "Прохожий" in text]) == 1
    del day.forum.topics[day.forum.find("День 2")]
    day.until(MORNING + timedelta(hours=2), step=timedelta(minutes=10))
    assert [topic.subject for topic in day.forum.topics.values()].count(title) == 1
    assert state(day, "gk1/t2/day") == "sent"


@pytest.mark.parametrize(("uid", "nick"), [(77, "Прохожий"), (None, "Прохожий"), (77, "Ведущий")])
def test_x08_a_strangers_topic_is_never_ours(day: World, uid: int | None, nick: str) -> None:
    """Opened before the bot's own, with its very title and words; a nick proves nothing where there is a number."""
    day.until(MORNING - timedelta(minutes=30), step=timedelta(hours=1))
    strange = day.forum.open_topic("12", "Партия 1. День 2", "Голосуйте").topic
    hide(day, strange, uid=uid, nick=nick)  # type: ignore[arg-type]
    day.until(MORNING + timedelta(minutes=20), step=timedelta(minutes=10))
    day.settle()
    topic = day.value(sa.select(outbox.c.result).where(outbox.c.key == "gk1/t2/day"))["topic"]
    assert topic != strange
    assert len([text for _, text in day.mail.letters_to("owner@example.org") if "откроет свою" in text]) == 1


def test_x08_a_topic_without_our_words_is_not_ours_where_no_number_tells(day: World) -> None:
    """A skin that shows no account's number: whoever bears the bot's nick has not written its words."""
    left = [UnknownOutcome("")]

    def lost(section: str, subject: str, text: str) -> Stored:
        topic = open_topic(section, subject, "Совсем другие слова" if left else text).topic
        if left:
            hide(day, topic, uid=None, nick="Ведущий")  # type: ignore[arg-type]
            raise left.pop()
        return Stored(topic, day.forum.topics[topic].posts[0].id, "")

    open_topic, named = day.forum.open_topic, day.forum.topics_named
    day.forum.topics_named = lambda section, subject: tuple(  # type: ignore[method-assign]
        replace(one, mine=True) if one.first.author == "Ведущий" else one for one in named(section, subject)
    )
    day.forum.open_topic = lost  # type: ignore[method-assign]
    day.until(MORNING + timedelta(minutes=50), step=timedelta(minutes=10))
    assert state(day, "gk1/t2/day") == "sending"


def test_p17_the_order_of_sending_tells_nothing_and_each_players_own_is_kept(day: World) -> None:
    """Gaps between the forum's numbers of messages would tell to whom more than one went, were they sent seat by seat."""
    told = list(enumerate(Notice(nick, str(number), {}) for nick in "абвгдежзик" for number in range(2)))
    orders = {tuple(number for number, _ in _shuffled(told)) for _ in range(5)}
    assert len(orders) == 5
    for nick in "абвгдежзик":
        assert [notice.kind for _, notice in _shuffled(told) if notice.to == nick] == ["0", "1"]
