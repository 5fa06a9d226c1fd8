"""``forumbot parse``: what would be understood of a message, and why (contract.md, "The reading contract")."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import click

from engine import rulesets
from engine.messages import Message, Reader, Verdict
from engine.model import EngineError
from forumbot import resources

_WEEKDAY = (2026, 12, 1)
"""A Tuesday: a clock time without a date is taken to be of a working day."""
_ZONE = "Europe/Moscow"
_RESULTS = {"accepted": "принято", "review": "надо спросить", "ignored": "не ход", "rejected": "отклонено"}


@click.command("parse")
@click.option("--json", "as_json", is_flag=True, help="Строки JSON на входе и на выходе (contract.md).")
@click.option("--ruleset", type=click.Choice(rulesets.names()), default=None, help="Правила игры.")
@click.option("--roster", default="", help="Ники игроков через запятую, в порядке списка.")
@click.option("--scenario", type=click.Path(exists=True, dir_okay=False), help="Взять правила и игроков из файла сценария.")
@click.option("--author", default="", help="Кто пишет. Без него - первый игрок списка.")
@click.option("--role", default=None, help="Роль пишущего (id из правил).")
@click.option(
    "--channel", type=click.Choice(["post", "letter"]), default="letter", show_default=True, help="Тема форума или письмо."
)
@click.option("--format", "form", type=click.Choice(["bbcode", "html", "plain"]), default=None, help="Разметка текста.")
@click.option("--subject", default=None, help="Тема письма.")
@click.option("--words", is_flag=True, help="К строкам JSON: чем объяснено каждое слово, и какие не поняты.")
@click.option("--signup", is_flag=True, help="Сообщение стоит в теме записи.")
def command(
    as_json: bool,
    ruleset: str | None,
    roster: str,
    scenario: str | None,
    author: str,
    role: str | None,
    channel: str,
    form: str | None,
    subject: str | None,
    words: bool,
    signup: bool,
) -> None:
    """Показать, что бот поймёт в сообщении и почему.

    Без --json - для ведущего: вставьте письмо и закончите строкой из одной точки (или подайте его на вход).
    """
    from forumbot import reading

    reader = reading.reader()
    if as_json:
        for line in sys.stdin.buffer:
            if line.strip():
                click.echo(json.dumps(answer(reader, line, words=words), ensure_ascii=False))
        return
    if ruleset is None and scenario is None:
        raise click.UsageError("нужны правила: --ruleset или --scenario ФАЙЛ")
    try:
        rules, nicks, roles = _cast(ruleset or "", roster, scenario)
    except (OSError, ValueError, EngineError) as problem:
        raise click.ClickException(str(problem)) from problem
    if not nicks:
        raise click.UsageError("нужны игроки: --roster 'Анна, Борис, ...' или --scenario ФАЙЛ")
    writer = author or nicks[0]
    given: dict[str, Any] = {
        "ruleset": rules,
        "kind": "signup" if signup else channel,
        "roster": nicks,
        "author": writer,
        "author_role": role or roles.get(writer),
        "subject": subject,
        "channel": channel,
        "format": form or ("bbcode" if channel == "post" else "plain"),
        "ctx": {},
    }
    for text in _pasted(sys.stdin.isatty()):
        _show(read(reader, {**given, "text": text}))


def answer(reader: Reader, line: bytes, *, words: bool = False) -> dict[str, Any]:
    """The answer to one line of JSON; an unreadable line gives an ``error``. ``words``: with what explained each word."""
    try:
        given = json.loads(line)
        verdict = read(reader, given)
    except (ValueError, KeyError, TypeError, AttributeError, EngineError) as problem:
        named = given.get("id") if isinstance(locals().get("given"), dict) else None
        return {"id": named, "error": f"{type(problem).__name__}: {problem}"}
    return {
        "id": given.get("id"),
        "outcome": verdict.outcome,
        **({"for_host": True} if verdict.for_host else {}),
        "reason": verdict.reason,
        "orders": [
            {"action": o.action, "targets": list(o.targets), "args": dict(o.args), "status": o.status, "reason": o.reason}
            for o in verdict.orders
        ],
        **(_words(verdict) if words else {}),
    }


def _words(verdict: Verdict) -> dict[str, Any]:
    said = verdict.text
    return {
        "explained": [[said[one.start : one.end], one.by] for one in verdict.explained],
        "unexplained": [said[one.start : one.end] for one in verdict.unexplained],
    }


def read(reader: Reader, given: Mapping[str, Any]) -> Verdict:
    """The verdict on a message of the reading contract. Raises KeyError or EngineError for input that is none."""
    ruleset = rulesets.ruleset(given["ruleset"])
    ctx = dict(given.get("ctx") or {})
    roster = tuple(given["roster"])
    author = str(given["author"])
    game = ruleset.sketch(roster, author, given.get("author_role"), ctx, _tables(given["ruleset"]))
    kind = "post" if given.get("channel") == "post" else "letter"
    message = Message(
        kind=kind,  # type: ignore[arg-type]
        author=author,
        text=str(given.get("text") or ""),
        subject=given.get("subject"),
        format=given.get("format") or "plain",
        at=_moment(ctx.get("time")),
        edited=bool(ctx.get("edited")),
        signup=given.get("kind") == "signup" and kind == "post",
    )
    return reader.read(ruleset, game, message)


_frozen_tables: dict[str, Any] = {}


def _tables(name: str) -> Any:
    if name not in _frozen_tables:
        _frozen_tables[name] = rulesets.ruleset(name).tables(resources.tables(name), {})
    return _frozen_tables[name]


def _moment(clock: Any) -> datetime | None:
    """``ctx.time`` ("21:01", or a whole moment) as a moment."""
    if not clock:
        return None
    text = str(clock)
    try:
        if "T" in text or "-" in text:
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(_ZONE))
        hour, minute, *rest = (int(part) for part in text.split(":"))
        return datetime(*_WEEKDAY, hour, minute, rest[0] if rest else 0, tzinfo=ZoneInfo(_ZONE))
    except ValueError:
        return None


def _cast(ruleset: str, roster: str, scenario: str | None) -> tuple[str, list[str], dict[str, str]]:
    """Rules, nicks and roles as asked for on the command line."""
    if scenario is None:
        return ruleset, [nick.strip() for nick in roster.split(",") if nick.strip()], {}
    import tomllib
    from pathlib import Path

    data = tomllib.loads(Path(scenario).read_text(encoding="utf-8"))
    players = [player for player in data.get("players", []) if isinstance(player, dict) and "nick" in player]
    return str(data.get("ruleset", ruleset)), [p["nick"] for p in players], {p["nick"]: str(p.get("role", "")) for p in players}


def _pasted(interactive: bool) -> Iterator[str]:
    """The messages that are typed or piped in."""
    if not interactive:
        text = sys.stdin.read()
        if text.strip():
            yield text
        return
    while True:
        click.secho("Письмо (в конце строка с одной точкой; пустое - выход):", fg="cyan")
        lines: list[str] = []
        for line in sys.stdin:
            if line.strip() == ".":
                break
            lines.append(line.rstrip("\n"))
        else:
            if not lines:
                return
        text = "\n".join(lines)
        if not text.strip():
            return
        yield text


def _show(verdict: Verdict) -> None:
    """The verdict in words, with the words of the message it rests on."""
    from forumbot.reading.explain import reason_text

    click.echo(f"Итог: {_RESULTS[verdict.outcome]}" + (f" ({reason_text(verdict.reason)})" if verdict.reason else ""))
    for order in verdict.orders:
        targets = ", ".join(order.targets)
        args = ", ".join(f"{key} = {value}" for key, value in order.args.items())
        why = f": {reason_text(order.reason)}" if order.reason else ""
        rule = f" [{order.rule}]" if order.rule else ""
        line = f"  {order.action}" + (f" -> {targets}" if targets else "") + (f" ({args})" if args else "")
        click.echo(f"{line} - {_RESULTS[order.status]}{why}{rule}")
        words = [f"«{verdict.text[span.start : span.end]}»" for span in order.spans]
        if words:
            click.echo(f"      по словам: {', '.join(words)}")
    classes = [f"«{verdict.text[one.start : one.end]}» - {_class(one.by)}" for one in verdict.explained]
    classes += [f"«{verdict.text[one.start : one.end]}» - не понято" for one in verdict.unexplained]
    if classes:
        click.echo(f"Слова: {'; '.join(classes)}")


def _class(by: str) -> str:
    from forumbot.reading.explain import class_text

    named = by.partition(":")[2]
    return f"{class_text(by)} {named}" if named else class_text(by)
