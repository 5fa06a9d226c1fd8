"""Kinds of sentences that blind rounds brought to light, each beside its opposite."""

from __future__ import annotations

import pytest

from forumbot.reading.verdicts import Verdict
from tests.forumbot.reading.corpus import answer

ROSTER = ("Дина", "Сима", "Егор", "Анна", "Борис", "Лис", "Конь")


def said(ruleset: str, role: str, text: str) -> Verdict:
    """What is made of a letter of Дина, who holds the role."""
    line = {
        "id": "kind", "ruleset": ruleset, "kind": "letter", "roster": list(ROSTER), "author": "Дина", "author_role": role,
        "subject": None, "text": text, "channel": "letter", "format": "plain", "ctx": {"dead": [], "day": 2},
    }  # fmt: skip
    return answer(line)


@pytest.mark.parametrize(
    ("ruleset", "role", "text", "wanted"),
    [
        # a smile parts clauses
        ("league", "girl", "ну что ж, пойду сегодня ночевать к Симе)) надеюсь, у неё чисто", ("accepted", "visit", ("Сима",))),
        # «не,» turns as «нет,» does; «не» before the nick only leaves it out
        ("clans", "doctor", "лечу Симу, не, Егора", ("accepted", "heal", ("Егор",))),
        ("clans", "doctor", "лечу Симу, не Егора", ("accepted", "heal", ("Сима",))),
        ("mafialife", "assistant", "выстрел в Симу... не, всё-таки в Егора, Симу жалко", ("accepted", "shot", ("Егор",))),
        # whose words stand before a colon
        ("clans", "doctor", "Жена настаивает: лечу Симу", ("review", "heal", ("Сима",))),
        ("clans", "doctor", "Время пришло: лечу Симу", ("accepted", "heal", ("Сима",))),
        # whom is left to others, wherever it is said
        ("mafialife", "assistant", "Вербую Симу. А впрочем, кого-нибудь из них", ("review", "recruit", ("Сима",))),
        ("mafialife", "mafioso", "Стреляю из нагана в Симу. Имя пришлю потом", ("review", "revolver", ("Сима",))),
        # a vote that is taken back, with its nick between
        ("clans", "citizen", "голос свой с Симы снимаю, поговорили мы с ней", ("accepted", "unvote", ())),
        ("clans", "citizen", "мой голос с Симы на Бориса переношу", ("accepted", "vote", ("Борис",))),
        # a bid behind one that is taken back, two bids
        ("goldenkey", "citizen", "заявку на Буратино снимаю. хочу Пьеро", ("accepted", "bid_role", ())),
        ("goldenkey", "citizen", "Заявку снимаю. Пьеро вчера был хорош", ("accepted", "cancel", ())),
        ("goldenkey", "citizen", "Хочу Мальвину. И Артемона хочу", ("review", "bid_role", ())),
        # both branches of a condition
        ("clans", "doctor", "если Симу не вылечили то лечу её, если вылечили то Егора", ("review", "heal", ("Сима",))),
        # a nick in a clause of now without a move word is never lost; «очередь» announces it
        ("clans", "doctor", "Теперь очередь Симы, все её пугают", ("accepted", "heal", ("Сима",))),
        # a move said twice, once without its nick
        ("goldenkey", "arlekin", "Зову в наши ряды Симу, вербую то есть", ("accepted", "recruit", ("Сима",))),
        ("clans", "doctor", "Ненавижу Симу, лечу", ("review", "heal", ())),
        ("clans", "miner", "Минирую Симу. После Егора никому в городе веры нет", ("accepted", "mine", ("Сима",))),
        ("league", "witness", "Покупаю истинное зрение, смотрю на Симу", ("accepted", "true_sight", ("Сима",))),
        ("mafialife", "citizen", "Голос за Симу снимаю, она убедила", ("accepted", "unvote", ())),
        ("mafialife", "citizen", "Голос за Симу, снимаю шляпу", ("accepted", "vote", ("Сима",))),
        ("goldenkey", "buratino", "беру назад выстрел в Симу, ночью посижу тихо", ("accepted", "cancel", ())),
        ("goldenkey", "citizen", "На следующую ночь хотела бы роль Пьеро", ("accepted", "bid_role", ())),
        (
            "goldenkey", "karabas", "Карабас: Сима\nДуремар: Егор\nАлиса: Анна\nБазилио: Лис\nКиллер Борис: Конь",
            ("accepted", "recruit", ("Сима",)),
        ),
        ("league", "mercenary", "от работы сегодня откажусь, сил нет", ("accepted", "refuse_work", ())),
        ("mafialife", "mafia_agent", "защиту лучше переставьте с Симы на Егора", ("review", "guard", ("Сима",))),
        ("clans", "citizen", "Против Симы хотела, но она меня переубедила. Пусть будет Егор", ("review", "vote", ("Егор",))),
        # a move named without its nick, and another behind it
        ("clans", "doctor", "Сегодня будет докторская ошибка. Пациент - Сима", ("accepted", "poison_mistake", ("Сима",))),
        ("mafialife", "mafia_agent", "Убийство нападающего, охраняю Симу", ("review", "guard", ("Сима",))),
        ("goldenkey", "citizen", "Заявка: Мальвина. А, она же погибла? Тогда Арлекин", ("review", "bid_role", ())),
        # what is corrected behind an order: a good, a role, a team, a number
        ("league", "citizen", "Куплю броню от мафии. Нет, лучше от якудзы", ("review", "buy", ())),
        ("league", "lawyer", "защищаю номер 2. точнее 3", ("review", "defend", ())),
        ("mafialife", "mafia_journalist", "вскрыть команду офиса, нет, логова", ("review", "open_team", ())),
        ("goldenkey", "citizen", "хочу быть Мальвиной, точнее Арлекином", ("review", "bid_role", ())),
        ("goldenkey", "citizen", "хочу быть Мальвиной. Арлекин надоел", ("accepted", "bid_role", ())),
        ("clans", "doctor", "лечу Симу. Нет слов, одни эмоции", ("accepted", "heal", ("Сима",))),
        # what stands behind an order and puts another in its place
        ("goldenkey", "duremar", "Охраняю себя. Хотя Анна просила её. Ладно, её и охраняю", ("review", "guard", ("Дина",))),
        ("clans", "citizen", "снимаю голос, погорячился я с Симой", ("accepted", "unvote", ())),
        ("clans", "commissioner", "Симе осталось жить до пятницы, в пятницу её и проверю", ("review", "check", ("Сима",))),
        # what is handed over is given and not shot with; what is handed over for a good pays for it
        ("mafialife", "citizen", "отдаю Лису пистолет", ("accepted", "gift", ("Лис",))),
        ("mafialife", "citizen", "отдаю голос за пистолет", ("accepted", "buy", ())),
        ("mafialife", "citizen", "отдаю свой голос Лису", ("accepted", "vote", ("Лис",))),
        ("clans", "artist", "роль: громила", ("review", "replace_role", ())),
        ("clans", "artist", "Громила вчера погиб зря", ("ignored", None, ())),
        ("league", "doctor", "Сумку с бинтами собрала, отправляюсь к Симе", ("review", "heal", ("Сима",))),
        ("goldenkey", "buratino", "огонь по коню!", ("accepted", "kill", ("Конь",))),
        ("clans", "doctor", "Привет от Симы, она вчера молодец", ("ignored", None, ())),
    ],
)
def test_a_sentence_of_this_kind_is_read_so(ruleset, role, text, wanted):
    verdict = said(ruleset, role, text)
    first = verdict.orders[0] if verdict.orders else None
    assert (verdict.outcome, first and first.action, first.targets if first else ()) == wanted


@pytest.mark.parametrize(
    ("ruleset", "text", "wanted"),
    [
        ("goldenkey", "[color=blue]линчую Симу[/color] Если что, вечером загляну ещё.", "accepted"),
        ("goldenkey", "[color=blue]линчую Симу[/color] потом поменяю", "review"),
        ("goldenkey", "[color=blue]проголосую за Симу[/color], если Егор уйдёт", "review"),
        ("league", "[color=blue]Виновна Сима[/color] вроде так", "rejected"),
        ("league", "Виновна Сима. упс, забыла красным", "rejected"),
        ("league", "Виновна Сима, говорят. Писали красным", "ignored"),
    ],
)
def test_a_vote_of_this_kind_in_the_thread_is_read_so(ruleset, text, wanted):
    line = {
        "id": "kind", "ruleset": ruleset, "kind": "vote", "roster": list(ROSTER), "author": "Дина", "author_role": "citizen",
        "subject": None, "text": text, "channel": "post", "format": "bbcode", "ctx": {"dead": [], "day": 2},
    }  # fmt: skip
    assert answer(line).outcome == wanted
