"""``forumbot facts``: what a capture tells about the forum."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from forumbot.cli.common import fail, json_option, show_json, show_table


@click.command("facts", epilog="Пример: forumbot facts snimok")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Показать, что из известного о движке держится на форуме из папки снимка (forumbot capture), что нет и что делать.

    Код выхода 1, если что-то не так.
    """
    from forumbot.capture import facts

    try:
        found = facts.findings(facts.open_capture(folder))
    except (OSError, ValueError, KeyError):
        fail(f"{folder}: это не снимок форума: нужна папка, которую сделала команда «forumbot capture»")
        return
    if as_json:
        show_json([{"fact": one.fact, "state": one.state, "seen": one.seen, "advice": one.advice} for one in found])
    else:
        show_table(("что", "как здесь", "видно", "что делать"), [(o.fact, facts.WORDS[o.state], o.seen, o.advice) for o in found])
    sys.exit(1 if any(one.state == "differs" for one in found) else 0)
