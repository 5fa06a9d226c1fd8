"""What players ask the bot, what is for a person, and how they choose among readings (config/reading/requests.toml)."""

from __future__ import annotations

import pytest

from forumbot import resources
from forumbot.reading.requests import asks_code, chosen, requests, says_again, signs_off, speaks_to_host, wants_reserve

DATA = resources.toml("reading/requests.toml")


@pytest.mark.parametrize("kind", DATA["ask"])
def test_the_example_of_every_request_asks_for_it(kind: str) -> None:
    found = requests(DATA["ask"][kind]["example"])
    assert kind in found.asks
    assert found.rest == ()


@pytest.mark.parametrize("kind", DATA["person"])
def test_the_example_of_everything_for_a_person_is_for_one(kind: str) -> None:
    assert kind in requests(DATA["person"][kind]["example"]).person


@pytest.mark.parametrize("text", DATA["reserve"]["examples"])
def test_examples_for_the_waiting_list(text: str) -> None:
    assert wants_reserve(text)


@pytest.mark.parametrize("text", DATA["signoff"]["examples"])
def test_examples_of_signing_off(text: str) -> None:
    assert signs_off(text)


@pytest.mark.parametrize("text", ["Играю", "Кто не играет, тот мафия", "Я не снимаюсь", "Не играю?"])
def test_what_signs_nobody_off(text: str) -> None:
    assert not signs_off(text)


@pytest.mark.parametrize("text", ["Не хочу в запас", "В запас можно?", "Играю"])
def test_what_asks_for_no_place_on_the_waiting_list(text: str) -> None:
    assert not wants_reserve(text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("баланс", {"money"}),
        ("Какой у меня баланс?", {"money"}),
        ("Пришлите мой баланс, пожалуйста", {"money"}),
        ("Сколько у меня монет?", {"money"}),
        ("Сколько у меня МБ?", {"money"}),
        ("сколько слов я написал", {"activity"}),
        ("мои ходы", {"moves"}),
        ("Что за мной стоит?", {"moves"}),
        ("Что я могу сделать сегодня ночью?", {"moves"}),
        ("Добрый вечер!\nЧто у меня есть?\nСпасибо", {"moves"}),
        ("Лечение: Борис\nстатус", {"status"}),
        ("Забыл свою роль", {"role"}),
        ("Кто я?", {"role"}),
        ("Мне не пришла роль", {"role"}),
        ("в каком я клане и кто со мной", {"team"}),
        ("пароль команды", {"password"}),
        ("сколько у меня жизней осталось", {"lives"}),
        ("До скольки можно ходить?", {"deadline"}),
        ("Сколько времени до конца дня?", {"deadline"}),
        ("Кто за кого голосует?", {"votes"}),
        ("Напомните роль, срок и счёт голосов", {"role", "deadline", "votes"}),
    ],
)
def test_what_is_asked_of_the_bot(text: str, kinds: set[str]) -> None:
    assert set(requests(text).asks) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "Лечение: Статус",
        "Жертва: Борис\nРассказ:\nстатус",
        "мои ходы никому не интересны, и баланс сил нарушен",
        "у Бориса странный баланс",
        "Мне не пришла роль Буратино",
        "ход",
        "голосую за Анну",
        "",
    ],
)
def test_what_asks_the_bot_nothing(text: str) -> None:
    assert requests(text).asks == ()


def test_the_subject_alone_may_ask() -> None:
    assert requests("", "Баланс").asks == ("money",)


def test_a_nick_is_no_word_of_a_request() -> None:
    assert requests("Роль?", nicks=("Роль",)).asks == ()


@pytest.mark.parametrize("text", ["Спасибо, понял!", "ок", "Добрый вечер. Всем удачи!"])
def test_politeness_is_for_nobody(text: str) -> None:
    assert requests(text) == requests("")


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("выхожу из игры", True),
        ("К сожалению, вынужден покинуть игру", True),
        ("прошу снять меня с игры", True),
        ("Сегодня уезжаю, до пятницы меня не будет, найдите замену", True),
        ("Хочу выйти из игры, семья, работа, не успеваю", True),
        ("я не выхожу из игры", False),
        ("если меня убьют, выхожу из игры", False),
        ("Борис выходит из игры", False),
    ],
)
def test_wishes_to_leave(text: str, leaves: bool) -> None:
    assert ("leave" in requests(text).person) is leaves


def test_only_what_names_the_host_speaks_to_him_in_the_thread() -> None:
    assert speaks_to_host("Ведущий, сколько сегодня голосуем?") == ("question",)
    assert speaks_to_host("Сколько сегодня голосуем?") == ()
    assert speaks_to_host("Ведущий сегодня строг") == ()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1", (1,)),
        ("№2.", (2,)),
        ("первое", (1,)),
        ("Второй вариант, пожалуйста", (2,)),
        ("да", ()),
        ("Да, 1", (1,)),
        ("+", ()),
        ("1 и 2", (1, 2)),
        ("0", (0,)),
        ("нет", (0,)),
        ("это не ход", (0,)),
        ("да, лечу Анну", None),
        ("12 стульев", None),
        ("нет, 2", None),
        ("", None),
        ("спасибо", None),
    ],
)
def test_choices_among_readings(text: str, numbers: tuple[int, ...] | None) -> None:
    assert chosen(text) == numbers


@pytest.mark.parametrize("text", [*DATA["code"]["examples"], "пришлите код ещё раз"])
def test_examples_that_ask_for_the_code(text: str) -> None:
    assert asks_code("", text) == (True, True)


@pytest.mark.parametrize(("text", "again"), [("Покупаю ещё одну броню", True), ("Покупаю броню", False)])
def test_words_that_want_once_more(text: str, again: bool) -> None:
    assert says_again(text) is again
