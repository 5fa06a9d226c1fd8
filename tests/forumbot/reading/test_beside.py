"""What stands beside an order and is about something else leaves it clear; what is about the order still asks.

Each case is a kind: the plain order with a remark that is of another thing or player, and near it sentences that look alike and
do put the order in doubt.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.forumbot.reading.corpus import answer
from tests.forumbot.reading.test_pairs import CONTEXT

ROSTER = ["Анна", "Борис", "Вера", "Глеб", "Дина", "Рыжий"]


def _read(ruleset: str, role: str, text: str) -> str:
    """The accepted orders as «action:target», else the outcome."""
    line: dict[str, Any] = {
        "id": "beside",
        "ruleset": ruleset,
        "kind": "post" if "[color" in text else "letter",
        "roster": ROSTER,
        "author": "Глеб",
        "author_role": role,
        "subject": None,
        "text": text,
        "format": "bbcode" if "[color" in text else "plain",
        "ctx": CONTEXT[ruleset],
    }
    found = answer(line)
    if found.outcome != "accepted":
        return found.outcome
    return " ".join(f"{o.action}:{','.join(o.targets)}" for o in found.orders if o.status == "accepted")


TAKEN = [
    ("clans", "doctor", "Лечу Анну. Борис, кажется, мирный.", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. А Рыжий, кажется, мирный, но это моё мнение.", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. Таблетки вроде остались.", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. Погода вроде наладилась, да?", "heal:Анна"),
    ("clans", "shooter", "Стреляю в Анну. Патроны вроде есть.", "shoot:Анна"),
    ("clans", "doctor", "Лечу Анну. Бориса не надо, он храпит!", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. Может ошибаюсь, тогда потом извинюсь.", "heal:Анна"),
    ("clans", "doctor", "Думал про Бориса. Борис вычёркивайте, лечу Анну.", "heal:Анна"),
    ("clans", "doctor", "ход про Бориса зачеркни, лечу Анну", "heal:Анна"),
    ("clans", "doctor", "так, Бориса вычёркивай, передумала я. вместо него лечу Анну", "heal:Анна"),
    ("clans", "doctor", "Лечение Анны отменить, вместо неё Борис", "heal:Борис"),
    ("clans", "doctor", "Лечение Анны снимаю, вместо неё лечу Бориса", "heal:Борис"),
    ("clans", "doctor", "Отменяю лечение Анны", "cancel:"),
    ("clans", "doctor", "Лечение Анны отменяю", "cancel:"),
    ("clans", "doctor", "Лечение Анны отменяю, забудьте то письмо", "cancel:"),
    ("clans", "doctor", "Лечение Анны отменяю. Лечу Бориса.", "heal:Борис"),
    ("goldenkey", "duremar", "Отменяю охрану Анны", "cancel:"),
    ("goldenkey", "duremar", "Охрану Анны отменяю. Извини за беготню, дети орут", "cancel:"),
    ("league", "witness", "слежку за Анной снимаю, вместо неё ставлю за Верой", "watch:Вера"),
    ("clans", "thug", "Вчера лечили Анну, а избиение Анны отменяю: бью Веру", "beat:Вера"),
    ("clans", "doctor", "Лечу Анну. Если замёрзну, пеняйте на себя :)", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. Сил нет его шутки читать.", "heal:Анна"),
    ("clans", "doctor", "Лечу Анну. Ценю твой юмор, ведущий.", "heal:Анна"),
    ("clans", "doctor", "Сегодня лечу Анну, а завтра, пожалуй, Бориса полечу", "heal:Анна"),
    ("clans", "doctor", "Завтра лечу Анну, сегодня лечу Бориса", "heal:Борис"),
    ("clans", "doctor", "Сижу дома с котом, читаю тему. Лечу Анну.", "heal:Анна"),
    ("clans", "doctor", "Сижу дома, никого не лечу.", "pass:"),
    ("clans", "doctor", "Лечить Анну. Письмо для Бориса перешлите, он просил рецепт ухи.", "heal:Анна"),
    ("clans", "maniac", "Борис так просился, что зову Веру", "invite:Вера"),
    ("clans", "doctor", "Вера так кашляет, что лечу Веру", "heal:Вера"),
    ("clans", "doctor", "Глеб своё дело знает: лечу Анну", "heal:Анна"),
    ("clans", "doctor", "Быстро, пока свет не отключили: лечу Анну", "heal:Анна"),
    ("clans", "doctor", "Лечу Борису... то есть Анну", "heal:Анна"),
    ("clans", "doctor", "Бориса лечить? Да ни за что! Лечу Анну.", "heal:Анна"),
    ("clans", "doctor", "Лечить снова Бориса? Избавьте. Анну лечу.", "heal:Анна"),
    ("clans", "doctor", "Полечить бы Бориса... но нет, сегодня пропускаю ход", "pass:"),
    ("clans", "sleepwalker", "Погуляю вокруг дома Анны, у неё там, говорят, сметана на подоконнике", "walk:Анна"),
    ("mafialife", "hacker", "если Борис в берлоге, то лезть туда дураков нет, поэтому кража у Анны", "theft:Анна"),
    ("mafialife", "hacker", "Стащу что-нибудь у Анны, кража у Анны, если по-научному", "theft:Анна"),
    ("clans", "maniac", "Анну зову в гости, Анну, не перепутайте с Диной!", "invite:Анна"),
    ("mafialife", "psycho", "дракон просит затуманить мозги Анне, туманю", "befog:Анна"),
    ("goldenkey", "pierro", "Но за Анной проследить сил хватит, слежу", "spy:Анна"),
    ("clans", "doctor", "Борис просит лечить Анну, лечу", "heal:Анна"),
    ("clans", "thug", "Бью Анну лисьим хвостом", "beat:Анна"),
    ("clans", "thug", "Бью Анну сначала лапой потом хвостом", "beat:Анна"),
    ("goldenkey", "buratino", "стреляю в Анну деревянной рукой", "kill:Анна"),
    ("clans", "doctor", "Лечу Анну зелёнкой и микстурой", "heal:Анна"),
    ("mafialife", "citizen", "Любит, не любит, голос: Анна", "vote:Анна"),
]


@pytest.mark.parametrize(("ruleset", "role", "text", "wanted"), TAKEN)
def test_what_is_about_something_else_leaves_the_order_clear(ruleset: str, role: str, text: str, wanted: str) -> None:
    assert _read(ruleset, role, text) == wanted


ASKED = [
    ("clans", "doctor", "Лечу Анну. А Борис, кажется, важнее."),
    ("clans", "doctor", "Лечу Анну. Или, может, Борис."),
    ("clans", "doctor", "Лечу Анну. Может, Борис лучше."),
    ("clans", "doctor", "Лечу Анну. Хотя Борис, наверное, полезнее."),
    ("clans", "doctor", "Лечу Анну. Наверное."),
    ("clans", "doctor", "Лечу Анну. Анна, кажется, мафия."),
    ("clans", "doctor", "Лечу Анну. Хотя Анна, кажется, мафия."),
    ("clans", "doctor", "Лечу Анну. Возможно, Борис."),
    ("clans", "doctor", "Лечу Анну. Или Борис, кажется, мирный."),
    ("clans", "doctor", "Лечу Анну. Скорее всего, передумаю."),
    ("clans", "doctor", "Лечу Анну. Ход вроде не окончательный."),
    ("clans", "doctor", "Лечу Анну. Может, Бориса."),
    ("clans", "doctor", "Лечу Анну. Анну не надо."),
    ("clans", "doctor", "Лечу Анну. Не надо."),
    ("clans", "doctor", "Лечу Анну. Бориса не надо, да и Анну не надо."),
    ("clans", "doctor", "Лечу Анну. Не надо Анну."),
    ("clans", "doctor", "Лечу Анну. Ошибаюсь, лечу Бориса или Веру."),
    ("clans", "doctor", "Лечу Анну. Может, ошибаюсь, тогда Борис."),
    ("clans", "doctor", "Лечение Анны отменяю, если можно, или оставьте"),
    ("clans", "doctor", "Лечение Анны отменять?"),
    ("clans", "doctor", "Лечение Анны отменять не буду"),
    ("clans", "doctor", "Борис отменяет лечение Анны"),
    ("clans", "doctor", "Завтра отменяю лечение Анны"),
    ("clans", "doctor", "Вчера отменила лечение Анны"),
    ("clans", "doctor", "Лечу Анну. Если замёрзну, лечите себя."),
    ("clans", "doctor", "Лечу Анну. Если не поздно, то себя."),
    ("clans", "doctor", "Лечу Анну. Это шутка."),
    ("clans", "doctor", "Лечу Анну. Шутка!"),
    ("clans", "doctor", "Лечу Анну. Вот такой у меня юмор."),
    ("clans", "doctor", "Лечу Анну. Такие вот шутки."),
    ("clans", "doctor", "Лечу Анну, а завтра, пожалуй"),
    ("clans", "doctor", "Завтра лечу Анну"),
    ("clans", "doctor", "Завтра лечу Анну, послезавтра Бориса"),
    ("clans", "doctor", "Лечу Анну. Сижу дома."),
    ("clans", "doctor", "Пропускаю ход. Лечу Анну."),
    ("clans", "doctor", "Лечить Анну. Ход для Бориса запишите."),
    ("clans", "doctor", "Борис так и сказал, что лечу Веру"),
    ("clans", "doctor", "Не так уж я рада, что лечу Веру"),
    ("clans", "doctor", "Борис так боится, что лечат Веру"),
    ("clans", "doctor", "Так не верится, что лечу Веру"),
    ("clans", "doctor", "Дядюшка настаивает: лечу Анну"),
    ("clans", "doctor", "Лечу Анну. А Бориса лечить?"),
    ("clans", "doctor", "Лечить Бориса? Лечить Анну? Не знаю."),
    ("clans", "doctor", "Лечить Бориса или Анну? Лечу кого-то из них."),
    ("clans", "doctor", "Лечить Бориса? Если да, лечу Бориса, если нет, лечу Анну."),
    ("clans", "doctor", "Лечить Бориса? Наверное, лечу Анну."),
    ("clans", "doctor", "Лечу Бориса? Анну?"),
    ("clans", "doctor", "Полечить бы Бориса. Или пропускаю ход?"),
    ("clans", "sleepwalker", "Говорят, погуляю вокруг дома Анны"),
    ("clans", "sleepwalker", "Погуляю вокруг дома Анны, говорят"),
    ("clans", "sleepwalker", "Погуляю вокруг дома Анны, наверное, луна большая"),
    ("clans", "sleepwalker", "Погуляю вокруг дома Анны, луна большая, или, может, Бориса"),
    ("mafialife", "hacker", "если Борис в берлоге, то кража у Анны"),
    ("mafialife", "hacker", "если Борис в берлоге, поэтому кража у Анны"),
    ("mafialife", "hacker", "кража у Анны, если по пути"),
    ("clans", "doctor", "Борис просит лечить Анну, не лечу"),
    ("clans", "doctor", "Борис просит лечить Анну, лечу?"),
    ("clans", "doctor", "Борис просит лечить Анну, если лечу"),
    ("clans", "doctor", "Борис просит не лечить Анну, лечу"),
    ("clans", "doctor", "Борис просит лечить Анну или Веру, лечу"),
    ("clans", "doctor", "Борис просит лечить Анну, завтра лечу"),
    ("clans", "doctor", "Борис просил лечить Анну, лечу Веру или его"),
    ("clans", "thug", "Бью Анну взглядом"),
    ("clans", "thug", "Бью Анну глаголом"),
    ("clans", "thug", "Бью Анну словом"),
    ("clans", "thug", "Бью Анну рублём"),
    ("clans", "shooter", "Стреляю в Анну глазками"),
    ("clans", "doctor", "Лечу Анну смехом"),
    ("clans", "thug", "Бью Анну Борисом"),
    ("clans", "thug", "Не бью Анну хвостом"),
]


@pytest.mark.parametrize(("ruleset", "role", "text"), ASKED)
def test_what_is_about_the_order_is_not_taken(ruleset: str, role: str, text: str) -> None:
    assert _read(ruleset, role, text) in ("review", "ignored")
