"""``forumbot simulate``: plays scenario files offline (contract.md)."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from engine import scenario
from engine.messages import Reader
from engine.model import EngineError
from forumbot import resources, tomlfiles
from forumbot.writing import report

log = logging.getLogger(__name__)

DIFFERS = 1
UNREADABLE = 2


@click.command(
    "simulate",
    epilog="""\b
Примеры:
  forumbot simulate игра.toml                  газета каждого хода и личные сообщения
  forumbot simulate --json игра.toml           результат одним объектом JSON
  forumbot simulate --check tests/cases        сравнить с [turns.expect] все сценарии папки
""",
)
@click.argument("paths", nargs=-1, required=True, metavar="ФАЙЛ...", type=click.Path(path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="Напечатать результат как JSON: один объект, у нескольких файлов по строке на файл."
)
@click.option("--check", is_flag=True, help="Сравнить результат с [turns.expect]: строка на файл; можно указывать папки.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], as_json: bool, check: bool) -> None:
    """Сыграть сценарий без форума и почты.

    Код возврата: 0 - всё в порядке, 1 - при --check что-то отличается, 2 - файл не прочитан.
    """
    if check and as_json:
        raise click.UsageError("--check и --json вместе не имеют смысла")
    show = _check if check else _json if as_json else _text
    ctx.exit(show(paths))


def _json(paths: tuple[Path, ...]) -> int:
    code = 0
    for path in paths:
        result, error = _play(path)
        if result is None:
            code = UNREADABLE
            if len(paths) == 1:
                click.echo(error, err=True)
            else:
                _print_json({"file": str(path), "error": error})
            continue
        _warn(path, result)
        _print_json(result.result if len(paths) == 1 else {"file": str(path), **result.result})
    return code


def _text(paths: tuple[Path, ...]) -> int:
    code = 0
    for path in paths:
        result, error = _play(path)
        if result is None:
            code = UNREADABLE
            click.echo(error, err=True)
            continue
        _warn(path, result)
        if len(paths) > 1:
            click.echo(f"### {_named(path)}")
        for turn in result.result["turns"]:
            click.echo(f"=== Ход {turn['turn']} ===\n\n{turn['report']}\n")
            _print_private(turn)
    return code


def _check(paths: tuple[Path, ...]) -> int:
    files = list(_expand(paths))
    if not files:
        click.echo("Сценариев не найдено.", err=True)
        return UNREADABLE
    held = 0
    unreadable = differs = False
    for path in files:
        result, error = _play(path)
        if result is None:
            unreadable = True
            click.echo(f"ERROR {error}")
            continue
        _warn(path, result)
        found = result.differences
        differs = differs or bool(found)
        held += not found
        click.echo(f"FAIL {_named(path)}: {' | '.join(found)}" if found else f"ok {_named(path)}")
    click.echo(f"{held} of {len(files)} scenarios hold", err=True)
    return UNREADABLE if unreadable else DIFFERS if differs else 0


def _expand(paths: Iterable[Path]) -> Iterable[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.toml")) if path.is_dir() else [path]


@dataclass(frozen=True, slots=True)
class _Result:
    """A scenario that was played and compared; nothing of it can fail any more."""

    result: dict[str, Any]
    warnings: tuple[str, ...]
    differences: list[str]


def _play(path: Path) -> tuple[_Result | None, str]:
    """The played scenario, or one line that says file, place, what is wrong and what was likely meant.

    Whatever the file holds, it is lost alone: the others of a batch are played.
    """
    try:
        checked = scenario.parse(tomlfiles.read(path))
        reader = _reader() if checked.has_messages else None
        played = scenario.run(checked, resources.tables(checked.ruleset), report.plain, reader)
        return _Result(played.result, played.warnings, played.differences()), ""
    except OSError:
        problem = "файл не читается: проверьте, есть ли он и можно ли вам его читать"
    except tomlfiles.NotToml as err:
        problem = str(err)
    except EngineError as err:
        hint = f"; возможно, имелось в виду «{err.meant}»" if err.meant else ""
        problem = f"{err.place}: {err.problem}{hint}"
    except RecursionError:
        problem = "слишком глубокая вложенность"
    except Exception as err:  # the contract: never a stack trace, whatever the file holds
        log.debug("simulate %s", path, exc_info=True)
        problem = f"внутренняя ошибка программы: {type(err).__name__}: {err}"
    return None, f"{_named(path)}: {_one_line(problem)}"


def _named(path: Path) -> str:
    """The file's name as it can be shown, whatever bytes are in it."""
    return _one_line(click.format_filename(path))


def _one_line(text: str) -> str:
    """No line break and no sign that a terminal might obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in " ".join(text.split()))


def _reader() -> Reader:
    """Loaded only for scenarios with messages: the dictionary behind it takes its time."""
    from forumbot import reading

    found: Reader = reading.reader()
    return found


def _warn(path: Path, played: _Result) -> None:
    for warning in played.warnings:
        click.echo(f"{_named(path)}: {_one_line(warning)}", err=True)


def _print_json(result: dict[str, Any]) -> None:
    click.echo(json.dumps(result, ensure_ascii=False).encode(errors="surrogateescape"))


def _print_private(turn: dict[str, Any]) -> None:
    for message in turn["messages"]:
        click.echo(
            f"Сообщение {message['author']}: {message['outcome']}" + (f" ({message['reason']})" if message["reason"] else "")
        )
    for refused in turn["rejected"]:
        click.echo(f"Отклонено {refused['player']}: {refused['action']} ({refused['reason']})")
    for notice in turn["notices"]:
        rest = ", ".join(f"{key} = {_shown(value)}" for key, value in notice.items() if key not in ("to", "kind"))
        click.echo(f"Лично {notice['to']}: {notice['kind']}" + (f" ({rest})" if rest else ""))
    click.echo()


def _shown(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
