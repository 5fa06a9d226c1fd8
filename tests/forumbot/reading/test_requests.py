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


@pytest.mark.parametrize("text", [*DATA["signoff"]["examples"], *DATA["signoff"]["examples_alone"]])
def test_examples_of_signing_off(text: str) -> None:
    assert signs_off(text)


@pytest.mark.parametrize(
    "text",
    ["Играю", "Кто не играет, тот мафия", "Я не снимаюсь", "Не играю?", "Не убирайте меня", "Не передумал играть",
     "Заявку не отзываю", "- Привет всем", "Не смогу прочитать правила до вечера", "Минус одна роль у Бориса", "Не смогу?",
     "Не могу дождаться", "Без меня не начинайте", "1-1", "Мимо проходил, почитаю", "Раньше девяти не успею, но играю"],
)  # fmt: skip
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


EVERYDAY = {
    "role": [
        "какая у меня роль?",
        "моя роль",
        "кто я",
        "кто я в этой игре?",
        "напомни роль",
        "напомните, пожалуйста, мою роль",
        "какую роль я получил?",
        "не помню свою роль",
        "забыла роль",
        "роль?",
        "Что у меня за роль?",
        "кем я играю",
        "за кого я играю?",
        "подскажи мою роль, удалил письмо",
        "я мирный или мафия?",
        "скажите какая у меня роль, потерял письмо",
        "роль мою повтори пожалуйста",
        "можно ещё раз мою роль",
        "пришлите ещё раз роль",
        "какой у меня персонаж?",
        "Здравствуйте! Не пришла роль. Кто я?",
        "вы не прислали мне роль",
        "роль не пришла",
    ],
    "moves": [
        "что я умею?",
        "мои ходы",
        "какие у меня ходы?",
        "что я могу?",
        "какие ходы мне открыты",
        "что я могу сделать сегодня?",
        "что мне можно делать",
        "как мне ходить?",
        "как ходить?",
        "что можно сделать за мою роль",
        "какие действия мне доступны",
        "что я могу сделать этой ночью?",
        "как сделать ход",
        "что умеет моя роль?",
        "мои возможности",
        "что мне делать",
        "что я отправил?",
        "какой ход от меня принят?",
        "мой ход принят?",
        "что у тебя записано за мной?",
        "какой у меня сейчас ход",
        "мои текущие ходы",
        "мой ход засчитан?",
        "дошёл ли мой ход",
        "вы получили мой ход?",
        "какие мои ходы сейчас записаны",
        "за кого я проголосовал?",
        "мой голос учтён?",
        "за кого мой голос",
        "что у меня есть?",
    ],
    "team": [
        "кто со мной?",
        "кто в моей команде",
        "кто мои напарники?",
        "мой клан",
        "какой у меня клан?",
        "кто мои союзники",
        "с кем я играю?",
        "состав моей мафии",
        "кто ещё в мафии",
        "кто в клане",
        "в каком я клане",
        "кто мои товарищи по клану?",
        "назови моих напарников",
        "кто наши?",
        "кто в моей семье",
        "кто мои",
        "моя команда",
    ],
    "lives": [
        "сколько у меня жизней?",
        "жизни",
        "сколько жизней осталось",
        "мои жизни",
        "сколько у меня осталось жизней",
        "я ещё жив?",
        "сколько жизней у меня сейчас?",
        "жив ли я?",
    ],
    "money": [
        "сколько у меня монет?",
        "баланс",
        "мой баланс",
        "сколько МБ",
        "сколько у меня мб",
        "сколько денег",
        "сколько у меня на счету",
        "мои монеты",
        "счёт",
        "сколько маф-баксов у меня?",
        "сколько бабла осталось",
        "каков мой баланс?",
        "что у меня с деньгами?",
        "сколько очков у меня",
        "сколько у меня баксов",
        "какой счёт",
    ],
    "activity": [
        "сколько баллов у меня",
    ],
    "password": [
        "пароль",
        "какой пароль?",
        "напомни пароль",
        "пароль офиса",
        "какой пароль от логова?",
        "не помню пароль",
        "забыл пароль, напомните",
        "пароль от офиса какой?",
        "можно пароль",
        "скиньте пароль",
    ],
    "votes": [
        "счёт голосов",
        "сколько голосов?",
        "как голосуют?",
        "кто сколько голосов набрал",
        "сколько голосов у Анны",
        "текущий расклад голосов",
        "голоса",
        "итоги голосования сейчас",
        "сколько за меня голосов",
        "против кого больше голосов?",
        "таблица голосов",
        "кто лидирует в голосовании",
        "на кого сколько голосов",
        "покажи голоса",
    ],
    "deadline": [
        "когда срок?",
        "какой срок",
        "до скольки ходы",
        "до какого часа можно голосовать?",
        "когда конец дня",
        "когда заканчивается день",
        "сколько осталось времени?",
        "до какого времени принимаются ходы?",
        "когда итоги",
        "когда газета?",
        "во сколько закрывается голосование",
        "до скольки голосование",
        "когда дедлайн",
        "сколько времени до конца",
        "когда ночь кончится?",
        "до которого часа ходить",
        "крайний срок?",
        "когда утро?",
    ],
    "things": [
        "мой инвентарь",
        "какие у меня предметы",
        "что в рюкзаке",
        "мои вещи",
        "какие товары у меня",
        "что я купил?",
        "есть ли у меня броня?",
        "сколько у меня патронов",
        "мои покупки",
    ],
    "status": [
        "статус",
        "мой статус",
        "что со мной?",
        "моё состояние",
        "как у меня дела",
        "информация обо мне",
    ],
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in EVERYDAY.items() for text in texts])
def test_players_ask_in_everyday_words(kind: str, text: str) -> None:
    """The bot answers itself, and nothing is left over that would go to a person."""
    found = requests(text, nicks=["Анна", "Борис"])
    assert kind in found.asks
    assert found.rest == ()


@pytest.mark.parametrize(
    "text",
    ["Лечу Анну", "Мой ход: Анна", "Голос: Борис", "За Анну", "Борис жив?", "Кто Борис?", "Защищаю Анну", "Пароль знает Борис"],
)
def test_what_names_players_asks_nothing_of_oneself(text: str) -> None:
    assert requests(text, nicks=["Анна", "Борис"]).asks == ()
