"""Every guess about uCoz being wrong, one switch each: nothing is read wrongly, nothing goes out twice, and where the bot cannot
go on the host hears one sentence that says what is otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
import sqlalchemy as sa

from adapters.ucoz.guesses import GUESSES
from forumbot.demo.forum.trouble import Fault
from forumbot.demo.forum.ucoz_pages import UcozOptions
from forumbot.hosting.core import outbox as rows
from forumbot.store.tables import letters, outbox, threads, verdicts
from tests.torture.fixtures import OpenSite
from tests.torture.live import GAME, Inside

LIFE = {"form_life": 3 * 86400.0, "session_life": 30 * 86400.0}
WAITING = "Ваше сообщение добавлено и появится на форуме после проверки модератором"


def gap(site: Inside) -> None:
    """The first post of the second page is deleted."""
    board, topic = site.outside.board, site.outside.topic("День")
    for number in range(25):
        site.outside.says("Вера", f"ещё болтовня {number}")
    board.delete(board.visible_posts(topic)[20].id, soft=True)


def moved(site: Inside) -> None:
    board = site.outside.board
    board.topic(site.outside.topic("День")).section = board.add_section("Архив")


def member(site: Inside) -> None:
    site.outside.board.user(site.outside.host).group = "users"


def premoderated(site: Inside) -> None:
    member(site)
    site.outside.server.troubles.premoderation = True


def locked(site: Inside) -> None:
    member(site)
    site.outside.board.lock_topic(site.outside.topic("День"))


def full(site: Inside) -> None:
    site.outside.server.troubles.pm_box_full = True


def refuses(site: Inside) -> None:
    member(site)
    site.outside.board.user(site.outside.uids["Вера"]).pm_off = True


def banned(site: Inside) -> None:
    site.outside.board.user(site.outside.host).group = "banned"


def closed(site: Inside) -> None:
    member(site)
    site.outside.server.troubles.switched_off = "Переезд"


def hurried(site: Inside) -> None:
    member(site)
    site.outside.server.troubles.flood_interval = 60.0


def other_password(site: Inside) -> None:
    site.outside.board.user(site.outside.host).password = "другой"


def members_only(site: Inside) -> None:
    """Guests may not read; the bot has lost its session."""
    site.outside.board.sections[site.outside.section].guests_read = False
    site.outside.server.troubles.add(Fault("session_lost", "", "", 0, 1, 200, False))


def no_messages(site: Inside) -> None:
    site.outside.board.messages.clear()


def activated(site: Inside) -> None:
    """A moderator has let a player's vote through."""
    board = site.outside.board
    board.approve(site.outside.says("Глеб", "[color=blue]Линч: Вера[/color]"), by=site.outside.host)


def nothing(site: Inside) -> None:
    pass


@dataclass(frozen=True)
class Wrong:
    """A switch; ``told`` is what the host hears, "" where the bot goes on all the same; ``reads``, ``posts``, ``sends``: whether
    votes are read, a post and a private message go out."""

    name: str
    switch: dict[str, object]
    told: str = ""
    reads: bool = True
    moves: bool = True
    posts: bool = True
    sends: bool = True
    act: Callable[[Inside], None] = nothing


TABLE = (
    Wrong("permalink", {"permalink_opens": False}),
    Wrong("permalink_in_href", {"permalink": "href"}),
    Wrong("no_permalink", {"permalink": "none"}),
    Wrong("poll", {"poll": True}),
    Wrong("page_switch", {"switch": "bare"}, "листает тему не так", reads=False, posts=False),
    Wrong("numbers", {"numbers_recounted": False}, act=gap),
    Wrong("sent_folder_is_inbox", {"sent_folder": "inbox"}, "/index/14-0-1", sends=False),
    Wrong("no_sent_folder", {"sent_folder": "missing"}, "/index/14-0-1", sends=False),
    Wrong("sent_not_kept", {"sent_folder": "empty"}, "среди отправленных личных сообщений его нет"),
    Wrong("pm_list", {"pm_rows": "scripts"}, "список личных сообщений", moves=False, sends=False),
    Wrong("pm_body", {"pm_body": "block"}, "pm_body", moves=False),
    Wrong("pm_head_spans", {"pm_body": "heading"}, "pm_body", moves=False),
    Wrong("pm_order", {"oldest_first": True, "messages_per_page": 3}),
    Wrong("post_form", {"post_form": "formX"}, "post_form", posts=False, sends=False),
    Wrong("no_edit_address", {"edit_links": False}),
    Wrong("moved", {"moved_found": False}, "тема не найдена", reads=False, posts=False, act=moved),
    Wrong("login_answer", {"login_commands": False}),
    Wrong("password_width", {"password_width": 3}, "не принял логин или пароль", reads=False, moves=False, posts=False,
          sends=False),
    Wrong("max_post", {"max_post": 300}, "максимальная длина", posts=False),
    Wrong("max_post_in_other_words", {"max_post": 300, "words": (("Превышена максимальная длина сообщения", "Многабукв"),)},
          "ответил «Многабукв", posts=False),
    Wrong("cut_long", {"max_post": 300, "cut_long": True}, "max_post"),
    Wrong("login_words", {"words": (("Неправильный логин или пароль", "Вас тут не ждали"),)}, "не узнаёт бота",
          reads=False, moves=False, posts=False, sends=False, act=other_password),
    Wrong("todays_date", {"relative_days": True, "permalink": "none", "words": (("Сегодня", "Нынче"),)}),
    Wrong("variables", {"words": (("Группа:", "$GROUP_NAME$"),)}),
    Wrong("sent_words", {"words": (("Сообщение успешно отправлено", "Ушло"),)}),
    Wrong("approval_words", {"words": ((WAITING, "Спасибо за участие"),)}, "после одобрения", posts=False, act=premoderated),
    Wrong("closed_words", {"closed_form": True, "words": (("Тема закрыта для обсуждения", "Стоп"),)}, "ответил «Стоп",
          posts=False, act=locked),
    Wrong("full_words", {"words": (("Почтовый ящик пользователя переполнен", "Некуда"),)}, "ответил «Некуда", sends=False,
          act=full),
    Wrong("recipient_words", {"words": (("Пользователь отключил приём личных сообщений", "Ему не пишут"),)},
          "ответил «Ему не пишут", sends=False, act=refuses),
    Wrong("forbidden_words", {"words": (("Для вашего аккаунта любая активность временно заблокирована", "Не для вас"),)},
          "странице темы не видно сообщений", reads=False, posts=False, sends=False, act=banned),
    Wrong("maintenance_words", {"words": (("Сайт закрыт", "Бал"),)}, "forumbot facts", reads=False, moves=False, posts=False,
          sends=False, act=closed),
    Wrong("flood_words", {"words": (("Вы не можете добавлять сообщения так часто. Пожалуйста, подождите", "Куда спешим"),)},
          act=hurried),
    Wrong("refused_words", {"post_captcha": True, "words": (("Неправильный код безопасности", "Не сошлось"),)},
          "ответил «Не сошлось", posts=False, act=member),
    Wrong("edited_words", {"words": (("Сообщение отредактировал", "Правил"),)}),
    Wrong("guest_words", {"words": (("Гостям запрещено просматривать данную страницу", "Гости гуляют мимо"),)}, act=members_only),
    Wrong("not_found_words", {"moved_found": False, "words": (
        ("Страница не найдена. Материал, который вы ищете, не найден или удалён", "Мимо"),)},
          "странице темы не видно сообщений", reads=False, posts=False, act=moved),
    Wrong("empty_words", {"words": (("Сообщений нет", "Пусто"),)}, act=no_messages),
    Wrong("sent_list_words", {"words": (("Отправленные", "Ушедшие"),)}, "/index/14-0-1", sends=False),
    Wrong("activated_words", {"words": (("Сообщение активировал", "Пропустил"),)}, act=activated),
    Wrong("added_words", {"words": (("Сообщение добавлено", "Готово"),)}),
)  # fmt: skip
LONG = " ".join(f"слово{number}" for number in range(60))


def put(site: Inside, key: str, kind: rows.Kind, text: str) -> None:
    thread = site.value(sa.select(threads.c.id).where(threads.c.kind == "day").order_by(threads.c.turn.desc()))
    target = {"thread_id": int(thread)} if kind == "post" else {"uid": site.outside.uids["Вера"], "nick": "Вера"}
    with site.store.write() as connection:
        rows.put(connection, key, kind, target, "Тема", text, game_id=GAME, priority=rows.URGENT, now=site.clock.now())


def state(site: Inside, key: str) -> str:
    return str(site.value(sa.select(outbox.c.state).where(outbox.c.key == key)))


def told_well(told: list[str]) -> None:
    """Each thing the host was told is one sentence, and told once."""
    assert len(told) == len(set(told))
    assert [text for text in told if re.search(r"[.!?]\s+[А-ЯЁA-Z]", re.sub(r"«[^»]*»", "", text))] == []


@pytest.mark.parametrize("wrong", TABLE, ids=lambda wrong: wrong.name)
def test_a_wrong_guess_is_told_or_harmless(open_site: OpenSite, wrong: Wrong) -> None:
    site = open_site("ucoz", options=UcozOptions(**LIFE, **wrong.switch))  # type: ignore[arg-type]
    outside = site.outside
    for number in range(23):
        outside.says("Вера", f"болтовня {number}")
    wrong.act(site)
    outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    outside.pm("Глеб", "вопрос ведущему о правилах")
    put(site, "x", "post", LONG)
    put(site, "y", "pm", "личное слово")
    site.settle()
    site.until(site.clock.now() + timedelta(minutes=30), timedelta(minutes=10))
    assert site.votes() == ({"Борис": 1} if wrong.reads else {})
    asked = [text for text in site.told() if "вопрос ведущему о правилах" in text]
    assert len(asked) == wrong.moves
    begun = sum(text.startswith("слово0") for text in outside.texts("День"))
    assert begun == (1 if wrong.posts else 0), state(site, "x")
    assert sum(text == "личное слово" for _, text in outside.pms_to("Вера")) == (1 if wrong.sends else 0)
    told = [text for text in site.told() if text not in asked]
    assert any(wrong.told in text for text in told) if wrong.told else told == [], told
    told_well(told)


def test_every_guess_that_facts_asks_about_has_its_row() -> None:
    """A guess is a setting; each setting's being otherwise is played above."""
    assert {guess.key for guess in GUESSES} <= {wrong.name for wrong in TABLE}


def test_a_vote_below_words_of_the_forum_that_nobody_knows_is_the_hosts_to_judge(open_site: OpenSite) -> None:
    """An activation is no edit and an edited vote is none: which of the two it is, the bot cannot tell."""
    site = open_site("ucoz", options=UcozOptions(**LIFE, words=(("Сообщение активировал", "Пропустил"),)))  # type: ignore[arg-type]
    activated(site)
    site.outside.says("Анна", "[color=blue]Линч: Борис[/color]")
    site.settle()
    assert site.votes() == {"Борис": 1}
    (waits,) = site.rows(sa.select(verdicts).where(verdicts.c.outcome == "review"))
    assert (waits["author"], waits["reason"]) == ("Глеб", "strange_notice")


@pytest.mark.parametrize("links", [True, False])
def test_a_first_post_that_the_bot_cannot_edit_is_told(open_site: OpenSite, links: bool) -> None:
    site = open_site("ucoz", options=UcozOptions(**LIFE, edit_links=links))  # type: ignore[arg-type]
    (topic,) = site.rows(sa.select(outbox).where(outbox.c.kind == "topic", outbox.c.subject.contains("День")))
    thread = int(topic["target"]["thread_id"])
    for number in range(2):
        with site.store.write() as connection:
            target = {"thread_id": thread, "of": topic["key"]}
            rows.put(connection, f"z{number}", "edit", target, "", f"Новый срок {number}.", game_id=GAME, priority=rows.URGENT,
                     now=site.clock.now())  # fmt: skip
        site.settle()
    assert site.outside.texts("День")[0].startswith("Новый срок 1.") == links
    told = [text for text in site.told() if "ссылки на правку" in text]
    assert len(told) == (0 if links else 2)
    assert told == [] or "поправьте сами" in told[0]
    told_well(told[:1])


@pytest.mark.parametrize("oldest_first", [False, True])
def test_p21_boxes_are_read_no_further_than_to_what_is_known(open_site: OpenSite, oldest_first: bool) -> None:
    """P13, P21: each poll, and each message that is sent, asks for the newest page of a box, where that comes first."""
    site = open_site("ucoz", options=UcozOptions(**LIFE, messages_per_page=5, oldest_first=oldest_first))  # type: ignore[arg-type]
    asked: list[str] = []
    site.outside.server.watchers.append(lambda stage, request: asked.append(request.target) if stage == "before" else None)
    for number in range(23):
        site.outside.pm("Вера", f"вопрос ведущему {number}")
    site.settle()
    asked.clear()
    site.clock.sleep(61)
    site.tick()
    assert len([address for address in asked if address.startswith("/index/14")]) in ((5, 6) if oldest_first else (1,))
    site.outside.pm("Глеб", "ещё вопрос")
    put(site, "y", "pm", "личное слово")
    asked.clear()
    site.settle()
    lists = [address for address in asked if address.startswith("/index/14-0-1")]
    assert oldest_first or 2 <= len(lists) <= 6  # before and after each of what is sent: the word, and an answer
    kept = site.rows(sa.select(letters.c.text).where(letters.c.channel == "pm").order_by(letters.c.id))
    assert [row["text"] for row in kept] == [*(f"вопрос ведущему {number}" for number in range(23)), "ещё вопрос"]
    assert sum(text == "личное слово" for _, text in site.outside.pms_to("Вера")) == 1
