"""What the command line's own library says, in Russian: headings of help, complaints about arguments, questions.

The library asks gettext for its words, and gettext would want compiled files and the language of the server; hosts read
Russian on any server, so the words are put in gettext's place.
"""

from __future__ import annotations

from collections.abc import Mapping

import click
from click import core, decorators, exceptions, formatting, parser, termui, types

_WORDS: Mapping[str, str] = {
    "Usage:": "Запуск:",
    "Options": "Ключи",
    "Commands": "Команды",
    "Aborted!": "Прервано.",
    "Error: {message}": "Ошибка: {message}",
    "Try '{command} {option}' for help.": "Подсказка: {command} {option}",
    "Show the version and exit.": "Показать версию.",
    "Show this message and exit.": "Показать эту подсказку.",
    "default: {default}": "обычно {default}",
    "required": "обязательно",
    "Invalid value: {message}": "{message}",
    "Invalid value for {param_hint}: {message}": "{param_hint}: {message}",
    "Missing argument": "не хватает",
    "Missing option": "не хватает ключа",
    "Missing parameter": "не хватает",
    "Missing command.": "какая команда? Список покажет --help",
    "Choose from:\n\t{choices}": "Можно: {choices}",
    "No such option {name!r}.": "нет такого ключа: {name}.",
    "No such option: {name}": "нет такого ключа: {name}.",
    "No such command {name!r}.": "нет такой команды: {name}.",
    "Did you mean {possibility}?": "Вероятно, имелось в виду {possibility}.",
    "(Did you mean one of: {possibilities}?)": "(Вероятно, имелось в виду одно из: {possibilities}.)",
    "Got unexpected extra argument ({args})": "лишнее слово: {args}; слова с пробелами берут в кавычки",
    "Got unexpected extra arguments ({args})": "лишние слова: {args}; слова с пробелами берут в кавычки",
    "Option {name!r} does not take a value.": "у ключа {name} нет значения.",
    "Option {name!r} requires an argument.": "после ключа {name} нужно значение.",
    "Option {name!r} requires {nargs} arguments.": "после ключа {name} нужны значения, {nargs}.",
    "Could not open file {filename!r}: {message}": "файл {filename} не открывается",
    "Repeat for confirmation": "Ещё раз",
    "Error: The two entered values do not match.": "Введено не одно и то же. Ещё раз с начала.",
    "Error: invalid input": "Ответьте y (да) или n (нет).",
    "{value!r} is not {choice}.": "нет такого: «{value}»; можно: {choice}.",
    "{value!r} is not one of {choices}.": "нет такого: «{value}»; можно: {choices}.",
    "{value!r} is not a valid {number_type}.": "«{value}» не число.",
    "{value} is not in the range {range}.": "{value} не подходит, нужно {range}.",
    "{name} {filename!r} does not exist.": "нет такого файла или папки: {filename}.",
    "{name} {filename!r} is a file.": "{filename} - файл, а нужна папка.",
    "{name} {filename!r} is a directory.": "{filename} - папка, а нужен файл.",
    "{name} {filename!r} is not readable.": "{filename} не читается: проверьте права.",
    "{name} {filename!r} is not writable.": "в {filename} нельзя писать: проверьте права.",
}
_KINDS: Mapping[str, str] = {
    "TEXT": "СЛОВА",
    "INTEGER": "ЧИСЛО",
    "INTEGER RANGE": "ЧИСЛО",
    "FLOAT": "ЧИСЛО",
    "PATH": "ФАЙЛ",
    "FILE": "ФАЙЛ",
    "FILENAME": "ФАЙЛ",
    "DIRECTORY": "ПАПКА",
    "DATETIME": "ГГГГ-ММ-ДД",
}
"""What stands behind an option in its help, by the kind of its value."""
_NAMES: Mapping[str, str] = {
    "folder": "ПАПКА",
    "target": "КУДА",
    "copy": "КОПИЯ",
    "game": "ИГРА",
    "name": "ИМЯ",
    "key": "ИМЯ",
    "file": "ФАЙЛ",
    "who": "НИК",
    "player": "НИК",
    "author": "НИК",
    "nick": "НИК",
    "roster": "НИКИ",
    "role": "РОЛЬ",
    "action": "ДЕЙСТВИЕ",
    "address": "АДРЕС",
    "section": "РАЗДЕЛ",
    "topic": "ТЕМА",
    "closed": "ТЕМА",
    "subject": "ТЕМА",
    "zone": "ПОЯС",
    "host": "АДРЕС",
    "currency": "СЧЁТ",
    "amount": "СКОЛЬКО",
    "reason": "ЗА_ЧТО",
}
"""What is taken, by its name in the code; goes before the kind of the value."""


_WHOLE = 1000
"""Signs of a first sentence in a list of commands: all of it, where the library would cut it to its line."""


def speak() -> None:
    """From here on the library speaks Russian; call it before commands are made."""
    for module in (core, decorators, exceptions, formatting, parser, termui, types):
        for name, said in (("_", _word), ("ngettext", _number)):
            if hasattr(module, name):
                setattr(module, name, said)


def dress(command: click.Command) -> click.Command:
    """Give a command, and those below it, Russian words for what it takes; the same command back."""
    command.options_metavar = "[КЛЮЧИ]"
    command.short_help = command.get_short_help_str(_WHOLE)
    for param in command.params:
        if param.metavar is None:
            param.metavar = _taken(param)
    if isinstance(command, click.Group):
        command.subcommand_metavar = "КОМАНДА ..."
        for below in command.commands.values():
            dress(below)
    return command


def _word(message: str) -> str:
    return _WORDS.get(message, message)


def _number(one: str, many: str, count: int) -> str:
    return _word(one if count == 1 else many)


def _taken(param: click.Parameter) -> str | None:
    name = _NAMES.get(param.name or "")
    if isinstance(param, click.Argument):
        return name if name is None or param.required else f"[{name}]"
    if isinstance(param.type, click.Choice):
        return None
    if isinstance(param.type, click.Path) and not param.type.file_okay:
        return _KINDS["DIRECTORY"]
    return name or _KINDS.get(param.type.name.upper())
