"""A game of the host's files is entered into the store, once: its tables, templates and program version are frozen there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from adapters.clock import Clock
from engine.model import EngineError
from engine.overrides import merged
from engine.rulesets import ruleset as find_ruleset
from forumbot import __version__, resources
from forumbot.hosting.core import record
from forumbot.hosting.core.match import SETUP_TURN
from forumbot.hosting.core.publish import Publisher
from forumbot.hosting.core.record import SIGNUP
from forumbot.hosting.core.seating import Seating
from forumbot.hosting.turns import teaching
from forumbot.settings import Game
from forumbot.store.database import Store
from forumbot.store.tables import games, threads
from forumbot.writing import themes
from forumbot.writing.writer import Writer, gather


def create(store: Store, config: Game, clock: Clock, writer_zone: str, escape: Callable[[str], str], own: Any = None) -> bool:
    """Enter a game of the host's files into the store, once; its tables and templates are frozen here.

    Gives whether it is new. Raises EngineError for a wrong table.
    """
    now = clock.now()
    with store.read() as connection:
        if connection.execute(sa.select(games.c.id).where(games.c.id == config.id)).first() is not None:
            return False
    rules = find_ruleset(config.ruleset)
    packaged = resources.toml(f"rulesets/{config.ruleset}.toml", own)
    tables = merged(packaged, config.tables)
    rules.tables(packaged, config.tables)
    try:
        templates = gather(config.ruleset, own) | themes.gather(config.theme, own)
    except FileNotFoundError as error:
        raise EngineError("theme", f"нет темы «{config.theme}»; есть: {', '.join(themes.names(own))}") from error
    seed = config.seed if config.seed is not None else secrets.randbits(48)
    closes = _closes(config, tables)
    if closes.tzinfo is None:
        closes = closes.replace(tzinfo=ZoneInfo(writer_zone))
    with store.write() as connection:
        connection.execute(
            games.insert().values(
                id=config.id,
                ruleset=config.ruleset,
                title=config.title,
                config=config.model_dump(mode="json"),
                tables=tables,
                templates=templates,
                seed=seed,
                version=__version__,
                stage=SIGNUP,
                turn=SETUP_TURN,
                created_at=now,
            )
        )
        made = connection.execute(
            threads.insert().values(
                game_id=config.id, kind=SIGNUP, turn=SETUP_TURN, topic=config.signup.topic or None
            )
        )
        (thread_id,) = made.inserted_primary_key or (0,)
        record.add_deadline(connection, config.id, SETUP_TURN, SIGNUP, SIGNUP, closes)
        teaching.begin(connection, config.id, config.ruleset, now)
        if not config.signup.topic:
            row = record.load(connection, config.id)
            publisher = Publisher(row, Writer(templates, writer_zone), Seating({}, {}, {}), escape, 10_000, now)
            publisher.topic(
                connection,
                SIGNUP,
                thread_id,
                publisher.subject_text("signup_subject.j2", publisher.facts(None)) or f"{config.title}. Запись",
                "signup_topic.j2",
                publisher.facts(None),
                closes=closes,
            )
    return True


def _closes(config: Game, tables: Mapping[str, Any]) -> datetime:
    """When the sign-up ends: as the rules' own table says (league ``signup.close_at``), else as the game's file."""
    said = tables.get("signup", {}).get("close_at")
    if isinstance(said, datetime):
        return said
    return datetime.fromisoformat(said) if said else config.signup.closes
