"""The command ``forumbot``: a table of commands, loaded one by one so that each starts fast."""

from __future__ import annotations

from importlib import import_module

import click

from forumbot.cli import russian

russian.speak()

COMMANDS = {
    "init": "init",
    "run": "run",
    "check": "check",
    "capture": "capture",
    "facts": "facts",
    "status": "status",
    "log": "log",
    "review": "review",
    "question": "question",
    "words": "words",
    "order": "order",
    "turn": "turn",
    "player": "player",
    "deadline": "deadline",
    "outbox": "outbox",
    "ledger": "ledger",
    "act": "act",
    "game": "game",
    "stories": "stories",
    "players": "players",
    "people": "people",
    "season": "season",
    "replay": "replay",
    "desk": "desk",
    "simulate": "simulate",
    "parse": "parse",
    "read-page": "read_page",
    "read-letter": "read_letter",
    "rules": "rules",
    "tables": "tables",
    "backup": "backup",
    "restore": "restore",
    "demo": "demo",
}
"""Name of a command -> its module in ``forumbot.cli``, which holds it as ``command``."""


class LazyGroup(click.Group):
    """A group that imports a command's module when the command (or its help line) is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return russian.dress(import_module(f"forumbot.cli.{COMMANDS[cmd_name]}").command)


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    options_metavar="[КЛЮЧИ]",
    subcommand_metavar="КОМАНДА ...",
    epilog="О каждой команде: forumbot КОМАНДА --help. Начните с «forumbot init», а попробовать без форума: «forumbot demo».",
)
@click.version_option(package_name="forumbot", message="forumbot %(version)s")
def main() -> None:
    """Ведущий форумных игр в «Мафию»: читает голоса и письма, применяет правила, пишет газету."""


if __name__ == "__main__":
    main()
