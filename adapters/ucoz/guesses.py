"""What nobody could see of uCoz from outside: each guess, where on the host's own site it is settled, and what follows."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.layout import LayoutError
from adapters.ucoz.layout import USUAL, Layout

FILE = Path("forums") / "ucoz.toml"


@dataclass(frozen=True, slots=True)
class Guess:
    """One guess: ``key`` of the layout that holds it, the page where it is seen, what to do there, what is taken for granted."""

    key: str
    page: str
    look: str
    guess: str


GUESSES = (
    Guess("login_words", "/index/40", "войдите с заведомо неверным паролем", "в отказе есть слово «пароль» или «логин»"),
    Guess("guest_words", "/forum/", "откройте закрытый раздел, не входя", "сказано «Гостям запрещено…»"),
    Guess("forbidden_words", "/forum/", "войдите и откройте раздел, куда вам нельзя", "сказано «…запрещено совершать…»"),
    Guess("not_found_words", "/forum/1-99999999-1", "откройте тему, которой нет", "сказано: не найдена или не существует"),
    Guess("maintenance_words", "/", "спросите владельца, что видно, когда сайт закрыт", "сказано о технических работах"),
    Guess("closed_words", "/forum/", "попробуйте ответить в закрытой теме", "формы ответа нет либо сказано «тема закрыта»"),
    Guess("flood_words", "/forum/", "отправьте два ответа подряд сразу", "сказано подождать или что слишком часто"),
    Guess("approval_words", "/forum/", "ответьте от имени, чьи сообщения проверяют", "сказано о проверке модератором"),
    Guess("refused_words", "/forum/", "отправьте ответ без текста", "сказано, что текст не указан"),
    Guess("max_post", "/forum/", "спросите владельца о наибольшей длине сообщения", "помещается 15000 знаков"),
    Guess("recipient_words", "/index/14-0-0-1", "напишите ЛС нику, которого нет", "сказано, что в базе он не найден"),
    Guess("full_words", "/index/14", "спросите владельца, что видно, когда ящик полон", "сказано, что ящик переполнен"),
    Guess("empty_words", "/index/14", "откройте пустой ящик ЛС", "сказано «Сообщений нет»"),
    Guess("sent_list_words", "/index/14-0-1", "прочтите название списка", "это «Отправленные», посланное ЛС в нём есть"),
    Guess("sent_words", "/index/14", "отправьте ЛС", "сказано, что оно успешно отправлено"),
    Guess("pm_body", "/index/14", "откройте ЛС и найдите в коде страницы его текст (иначе: селектор)", "он в td colspan=2"),
    Guess("post_form", "/forum/", "найдите в коде страницы форму ответа (иначе: селектор)", "её имя или id addform"),
    Guess("added_words", "/forum/", "отправьте ответ", "сказано «Сообщение добавлено», и его сразу видно гостю"),
    Guess("edited_words", "/forum/", "поправьте своё сообщение", "под ним «Сообщение отредактировал(а)…»"),
    Guess("activated_words", "/forum/", "посмотрите сообщение, одобренное модератором", "под ним «активировал», и это не правка"),
)


def settle(base: str, own: Path, ask: Callable[[str], str], tell: Callable[[str], None]) -> int:
    """Ask one guess after another and write what turned out otherwise into the host's own ``forums/ucoz.toml``.

    ``ask`` shows a question and gives the answer: "" where it is as guessed, else the forum's own words (or number). Gives how
    many guesses were wrong.
    """
    changed = dict(_known(own / FILE))
    wrong = 0
    for number, one in enumerate(GUESSES, 1):
        question = (
            f"{number} из {len(GUESSES)}. {base.rstrip('/')}{one.page}: {one.look}. Ожидается: {one.guess}.\n"
            "Так и есть: Enter; иначе впишите, что там написано (или число)"
        )
        said = " ".join(ask(question).split())
        if not said:
            continue
        value = f"{changed.get(one.key, getattr(USUAL, one.key))}|{said}" if one.key.endswith("_words") else said
        try:
            Layout.of({one.key: value})
        except LayoutError as error:
            tell(f"Не записано: {error.problem}.")
            continue
        changed[one.key], wrong = value, wrong + 1
        tell(f"Записано: {one.key}.")
    if wrong:
        _write(own / FILE, changed)
    return wrong


def _known(file: Path) -> Mapping[str, str]:
    if not file.exists():
        return {}
    return {key: str(value) for key, value in tomllib.loads(file.read_text(encoding="utf-8")).items()}


def _write(file: Path, changed: Mapping[str, str]) -> None:
    """The host's own file anew; what stood in it as settings stays, its remarks are the packaged file's and stand there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in changed.items()]
    aside = file.with_suffix(".new")
    aside.write_text("# Найдено командой «forumbot facts --ask».\n" + "\n".join(lines) + "\n", encoding="utf-8")
    aside.replace(file)
