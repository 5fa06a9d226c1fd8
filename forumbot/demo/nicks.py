"""Nicks of the demo's players with their case forms, written by hand: the reading declines by itself, so the two can disagree."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

CASES = ("nom", "gen", "dat", "acc", "ins", "pre")


@dataclass(frozen=True, slots=True)
class Nick:
    """A nick as registered and how people write it in each case; ``female`` decides the author's own verbs."""

    name: str
    forms: tuple[str, str, str, str, str, str]
    female: bool = False
    mail: str = ""
    """The part of the address before the @."""

    def case(self, case: str) -> str:
        return self.forms[CASES.index(case)]


def _nick(line: str) -> Nick:
    """``nick | forms | gender | mail``: five oblique cases, or six where the nominative is written otherwise, or one for all."""
    name, forms, gender, mail = (part.strip() for part in line.split("|"))
    words = forms.split(", ")
    nom, gen, dat, acc, ins, pre = words if len(words) == 6 else (name, *words) if len(words) == 5 else (name, *words * 5)
    return Nick(name, (nom, gen, dat, acc, ins, pre), gender == "f", mail)


POOL: tuple[Nick, ...] = tuple(
    _nick(line)
    for line in """
    Боцман | Боцмана, Боцману, Боцмана, Боцманом, Боцмане | m | botsman
    Снежана | Снежаны, Снежане, Снежану, Снежаной, Снежане | f | snezhana.k
    Кузьмич | Кузьмича, Кузьмичу, Кузьмича, Кузьмичом, Кузьмиче | m | kuzmich1961
    Тётя Зина | Тёти Зины, Тёте Зине, Тётю Зину, Тётей Зиной, Тёте Зине | f | zina-dom
    Незабудка | Незабудки, Незабудке, Незабудку, Незабудкой, Незабудке | f | nezabudka
    Пятачок | Пятачка, Пятачку, Пятачка, Пятачком, Пятачке | m | pyatachok
    Мурзик | Мурзика, Мурзику, Мурзика, Мурзиком, Мурзике | m | murzik77
    Василиса | Василисы, Василисе, Василису, Василисой, Василисе | f | vasilisa
    Барсук | Барсука, Барсуку, Барсука, Барсуком, Барсуке | m | barsuk
    Шерлок | Шерлока, Шерлоку, Шерлока, Шерлоком, Шерлоке | m | sherlock221
    Леший | Лешего, Лешему, Лешего, Лешим, Лешем | m | leshiy
    Алхимик | Алхимика, Алхимику, Алхимика, Алхимиком, Алхимике | m | alchemist
    Марго | Марго | f | margo
    Тихоня | Тихони, Тихоне, Тихоню, Тихоней, Тихоне | f | tihonya
    Бублик | Бублика, Бублику, Бублика, Бубликом, Бублике | m | bublik
    Рыжая | Рыжей, Рыжей, Рыжую, Рыжей, Рыжей | f | ryzhaya
    Ёжик | Ёжика, Ёжику, Ёжика, Ёжиком, Ёжике | m | yozhik
    Гурьев | Гурьева, Гурьеву, Гурьева, Гурьевым, Гурьеве | m | guryev
    Серый Волк | Серого Волка, Серому Волку, Серого Волка, Серым Волком, Сером Волке | m | wolf.grey
    Топаз | Топаза, Топазу, Топаза, Топазом, Топазе | m | topaz
    Маэстро | Маэстро | m | maestro
    Полина | Полины, Полине, Полину, Полиной, Полине | f | polina
    Скворцова | Скворцовой, Скворцовой, Скворцову, Скворцовой, Скворцовой | f | skvortsova
    Lana | Лана, Ланы, Лане, Лану, Ланой, Лане | f | lana.m
    Филимон | Филимона, Филимону, Филимона, Филимоном, Филимоне | m | filimon
    Чародей | Чародея, Чародею, Чародея, Чародеем, Чародее | m | charodey
    Дядька Черномор | Дядьки Черномора, Дядьке Черномору, Дядьку Черномора, Дядькой Черномором, Дядьке Черноморе | m | chernomor33
    Жемчужина | Жемчужины, Жемчужине, Жемчужину, Жемчужиной, Жемчужине | f | zhemchug
    Пилигрим | Пилигрима, Пилигриму, Пилигрима, Пилигримом, Пилигриме | m | pilgrim
    Грибоедов | Грибоедова, Грибоедову, Грибоедова, Грибоедовым, Грибоедове | m | griboedov
    Ундина | Ундины, Ундине, Ундину, Ундиной, Ундине | f | undina
    Хомяк | Хомяка, Хомяку, Хомяка, Хомяком, Хомяке | m | homyak
    """.strip().splitlines()
)


def cast(random: Random, number: int) -> tuple[Nick, ...]:
    """So many different nicks, in the order in which their owners come to the sign-up. ValueError: more than there are."""
    return tuple(random.sample(POOL, number))


def misspelt(word: str, random: Random) -> str:
    """The word with one slip of the keyboard: two letters swapped, one left out or one doubled. Only in the middle of one long
    word: elsewhere a slip makes another name."""
    places = range(2, len(word) - 4)
    if len(word) < 7 or not word.isalpha():
        return word
    i = random.choice(places)
    slips = [word[:i] + word[i + 1 :], word[: i + 1] + word[i:]]
    if word[i] != word[i + 1]:
        slips.append(word[:i] + word[i + 1] + word[i] + word[i + 2 :])
    return random.choice(slips)
