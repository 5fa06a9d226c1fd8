"""``forumbot read-letter``: what the bot reads in a raw letter."""

from __future__ import annotations

import json
from pathlib import Path

import click

from adapters.mail.letters import read_letter, sentences
from adapters.model import Letter

_KINDS = {
    "letter": "письмо человека",
    "auto_reply": "автоответ или рассылка",
    "bounce": "отчёт почтовой системы",
    "own": "наше собственное письмо",
    "empty": "пустое письмо",
}
_AUTH = {"pass": "подтверждён", "fail": "не подтверждён", "none": "неизвестно"}


@click.command(name="read-letter")
@click.option("--authserv", default="", metavar="ИМЯ", help="Имя сервера нашей почты: верим только его Authentication-Results.")
@click.option("--own", default="", metavar="АДРЕС", help="Наш собственный адрес: письма с него — наши.")
@click.option("--json", "as_json", is_flag=True, help="Один объект JSON вместо текста.")
@click.argument("file", metavar="ПИСЬМО.eml", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(authserv: str, own: str, as_json: bool, file: Path) -> None:
    """Показать, что бот прочёл в письме: от кого, о чём, какие слова новые, а не цитата и не подпись."""
    letter = read_letter(file.read_bytes(), authserv=authserv, own=own)
    click.echo(json.dumps(record(letter), ensure_ascii=False) if as_json else _for_people(letter))


def record(letter: Letter) -> dict[str, object]:
    """The JSON object of contract.md (``read-letter``)."""
    return {
        "from": {"name": letter.from_name, "address": letter.from_address},
        "subject": letter.subject,
        "message_id": letter.message_id,
        "kind": letter.kind,
        "text": letter.text,
        "auth": letter.auth,
        "problems": list(letter.problems),
    }


def _for_people(letter: Letter) -> str:
    lines = [
        f"От:          {letter.from_name} <{letter.from_address}>".replace(":           <", ":          <"),
        f"Тема:        {letter.subject or '(нет)'}",
        f"Вид:         {_KINDS[letter.kind]}",
        f"Отправитель: {_AUTH[letter.auth]}",
        "",
        letter.text or "(новых слов нет)",
    ]
    if letter.problems:
        lines += ["", *(f"! {sentence}" for sentence in sentences(letter.problems))]
    return "\n".join(lines)
