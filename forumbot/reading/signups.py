"""The sign-up thread: who wants in, who wants out, and who only talks."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from forumbot.reading.phrases import PhraseTable
from forumbot.reading.sentences import Sentence, Text
from forumbot.reading.vocabulary import Vocabulary

_JOIN = (
    "возьмите меня", "пишите меня", "я играю", "впиши", "вписывай меня", "записывай", "хотел бы записаться", "хочу записаться",
    "хочу вступить", "мне место",
    "играем", "сыграем", "тоже буду", "я тоже буду", "зачисляйте", "зачисли", "прошу принять", "примите меня",
    "принять меня", "прошу взять",
    "играю", "сыграю", "поиграю", "играть буду", "буду играть", "записываюсь", "запишусь", "записываемся", "запишите меня",
    "запишите", "запиши меня", "запиши", "записать", "записывайте меня",
    "записывайте", "записывай меня", "записывай", "запишите пожалуйста", "прошу записать", "прошу меня записать",
    "участвую", "буду участвовать", "приму участие",
    "принимаю участие", "я в деле", "в деле", "я в игре", "я с вами", "я за", "я буду", "хочу играть", "хочу участвовать",
    "хочу сыграть", "хочу в игру", "готов играть",
    "готова играть", "готов", "готова", "вписывайте", "впишите меня", "впишите", "вписываюсь", "добавьте меня", "добавьте",
    "добавляйте меня", "добавляйте", "зачислите", "присоединяюсь",
    "подписываюсь", "иду в игру", "беру место", "займите место", "и меня", "меня тоже", "заявляюсь", "подаю заявку", "+",
    "++", "+1", "плюс", "плюсую", "плюсик", "плюсуюсь", "я играю", "в списк*",
)  # fmt: skip
_LEAVE = (
    "снимаю себя", "не считайте меня", "исключите меня", "убирайте меня", "удаляйте меня", "отменяю участие",
    "сойти с дистанции",
    "выписывайте", "выписывайте меня", "выпиши меня", "снимаю .. заявку", "снимаю .. кандидатуру", "снимите .. кандидатуру",
    "отзываю .. заявку",
    "снимаюсь", "снимите меня", "снимите", "выбываю", "вычеркните меня", "вычеркните", "вычеркивайте", "выпишите меня",
    "выпишите", "выписываюсь", "удалите меня", "уберите меня",
    "отписываюсь", "отменяю запись", "отменяю заявку", "снимаю заявку", "снимаю кандидатуру", "отказываюсь от участия",
    "выхожу из игры", "выхожу", "ухожу из игры", "минус", "не смогу играть", "не смогу участвовать",
    "придется отказаться", "вынужден отказаться", "вынуждена отказаться", "забираю заявку",
)  # fmt: skip
_OTHERS = (
    "мой брат", "моего брата", "мою сестру", "моя сестра", "моего друга", "мой друг", "мою подругу", "моя подруга",
    "моего мужа", "мою жену", "мой муж", "моя жена",
    "тоже играет", "играет", "играют", "запишите его", "запишите ее", "запишите их", "запишите брат*", "запишите сестр*",
    "запишите друг*", "запишите жен*", "запишите муж*", "за компанию",
    "просил передать", "просила передать", "просили передать", "от имени", "и друга", "и подругу", "и брата", "и сестру",
    "и жену", "и мужа", "нас двое", "нас трое", "нас обоих", "мы с",
    "пишите и", "и его", "и ее", "передаю за", "записываю", "запишите нас",
)  # fmt: skip
_NOT = (
    "не",
    "пас",
    "мимо",
    "без меня",
    "в другой раз",
    "в следующий раз",
    "не успеваю",
    "увы",
    "пропускаю",
    "пропущу",
    "почитаю",
    "понаблюдаю",
    "со стороны",
    "посмотрю",
)
_PROVISO = (
    "если", "при условии", "иначе не", "только если", "но только", "только в роли", "только когда", "смотря", "возможно",
    "наверн*", "может быть", "может", "скорее всего", "пока под вопросом",
    "под вопросом", "предварительно", "посмотрим", "постараюсь", "хотелось бы", "бы", "думаю", "в запас", "запасным",
    "в резерв", "на замену", "с условием", "не уверен*", "попробую",
)  # fmt: skip
_FREE = ("куда ж без меня", "куда же без меня", "куда без меня", "как же без меня", "как без меня", "какая игра без меня",
    "не обойдется без меня", "не обойдетесь без меня",
    "если что", "если можно", "если не поздно", "если еще не поздно", "если есть места", "если еще есть места",
    "если успел*", "если успею", "если возьмете", "если примете", "если не опоздал*", "не против", "не терпится",
    "не забудьте", "не могу не", "чур не", "только чур", "не пропад*", "не подвед*", "не обижайте", "не убивайте",
    "не забуду", "не опазд*", "не маньяк*", "не прошло", "не зря")  # fmt: skip


_OPENING = 2
"""A sentence takes the wish back with one of its first words («Хотя нет, не успею»)."""


class Wish(NamedTuple):
    """A wish of the sign-up thread: action, and the doubt that keeps it from being taken."""

    action: str
    doubt: str | None
    start: int
    end: int


@lru_cache(maxsize=1)
def _table() -> PhraseTable:
    kinds = {"join": _JOIN, "leave": _LEAVE, "others": _OTHERS, "not": _NOT, "proviso": _PROVISO, "free": _FREE}
    return PhraseTable((text, (kind, kind)) for kind, patterns in kinds.items() for text in patterns)


def wish(text: Text, *, color: str | None = None, only_sure: bool = False) -> Wish | None:
    """The wish of a sign-up post, or None for talk. With ``color`` only words in that colour count; ``only_sure`` leaves
    out single words that mean something else outside the thread."""
    found: Wish | None = None
    for sentence in text.sentences:
        made = _in_sentence(text, sentence, color)
        if found is not None and any(
            hit.start - sentence.start < _OPENING for mark in ("withdraw", "joke") for hit in sentence.places(mark)
        ):
            return Wish(found.action, "contradiction", found.start, found.end)
        if made is None:
            continue
        if (
            only_sure
            and made.end - made.start < 2
            and text.found[made.start].folded in ("+", "готов", "готова", "выхожу", "минус", "плюс")
        ):
            continue
        if found is not None and found.action != made.action:
            return Wish(made.action, "contradiction", made.start, made.end)
        if found is None or made.doubt is not None:
            found = made
    return found


def _in_sentence(text: Text, sentence: Sentence, color: str | None) -> Wish | None:
    part = text.found[sentence.start : sentence.end]
    hits = [hit for hit in _table().hits(part) if color is None or all(part[i].color == color for i in range(hit.start, hit.end))]
    by_kind: dict[str, list[Any]] = {}
    for hit in hits:
        if hit.typo and hit.meaning[1] == "others":
            continue  # «играюю» is the writer's own
        by_kind.setdefault(hit.meaning[1], []).append(hit)
    free = [(hit.start, hit.end) for hit in by_kind.get("free", ())]

    def counts(hit: Any) -> bool:
        return not any(start <= hit.start < end for start, end in free)

    leave = by_kind.get("leave", [])
    join = [hit for hit in by_kind.get("join", []) if not any(out.start <= hit.start < out.end for out in leave)]
    if not join and not leave:
        return None
    if sentence.stop == "?" and not any(t.folded == "," for t in part[(join or leave)[0].end :]):
        return None
    hit = (leave or join)[0]
    action = "unsignup" if leave else "signup"
    denied = [no for no in by_kind.get("not", ()) if counts(no)]
    if action == "signup" and any(_denies(no, hit, part) for no in denied):
        return None
    doubt = None
    if any(counts(proviso) for proviso in by_kind.get("proviso", ())):
        doubt = "conditional"
    elif by_kind.get("others") or _names_another(part, hit):
        doubt = "for_others"
    return Wish(action, doubt, sentence.start + hit.start, sentence.start + hit.end)


_ASKS_FOR = ("запиш", "запис", "впиш", "впис", "добав", "зачисл", "вычерк", "сним", "выпи")


def _names_another(part: Any, hit: Any) -> bool:
    """«Запишите Ястреба», «запишите меня и Ястреба»: a name behind a word that asks the host."""
    if not part[hit.start].folded.startswith(_ASKS_FOR):
        return False
    for before, after in pairwise(part[hit.start :]):
        if after.kind == "w" and after.capital and before.kind == "w" and (before.folded == "и" or before is part[hit.end - 1]):
            return after.folded not in ("меня", "нас", "я")
    return False


def _denies(no: Any, hit: Any, part: Any) -> bool:
    """«не играю», «пас»; a «не» elsewhere in the sentence denies something else."""
    if part[no.start].folded != "не":
        return True
    return bool(no.start < hit.start and hit.start - no.end <= 1)


def colors_of(words: Vocabulary) -> str | None:
    """The colour that a sign-up must have, or None."""
    return words.signup.get("colour") or None
