"""What an owner of a phpBB board may have changed: words and classes with their usual values.

These are the only defaults; ``config/forums/phpbb.toml`` names the same keys for a host who must override one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from adapters.model import Color
from adapters.writer import words


@dataclass(frozen=True)
class Layout:
    """Values are plain strings; several words or phrases stand with ``|`` between."""

    red_classes: str = ""
    """Classes of the owner's own BBCode for red ("vote-red")."""
    blue_classes: str = ""
    merged_words: str = "Добавлено спустя|Added in|Added after"
    locked_words: str = "Закрыто|Тема закрыта|Locked|Topic locked"
    max_post: str = "60000"
    """How many characters a post may have."""
    forbidden_words: str = (
        "не авторизованы|не можете|нет прав|недостаточно прав|запрещен|запрещён|доступ закрыт|заблокирован|забанен|"
        "not authorised|not authorized|do not have the required permission|do not have permission|permanently banned|been banned|"
        "cannot read|no permission|not permitted|не маєте"
    )
    not_found_words: str = "не существует|не найден|does not exist|no longer exists|not found|could not be found|не выбран"
    maintenance_words: str = (
        "недоступ|отключен|отключён|обслуживани|технически|закрыта на|unavailable|maintenance|disabled|switched off|"
        "общая ошибка|general error|sql error|bad gateway|gateway time-out|internal server error|service temporarily"
    )
    challenge_words: str = (
        "just a moment|checking your browser|один момент|проверка браузера|проверяем ваш браузер|вы не робот|ddos-guard|"
        "attention required|verify you are human|cf-browser-verification|challenge-platform|cf_chl"
    )

    @classmethod
    def of(cls, overrides: Mapping[str, str]) -> Layout:
        """The layout with an owner's changes. Raises ValueError for an unknown key."""
        known = {one.name for one in fields(cls)}
        if unknown := sorted(set(overrides) - known):
            raise ValueError(f"unknown key of a phpBB layout: {unknown[0]}; known are {', '.join(sorted(known))}")
        return cls(**overrides)

    @cached_property
    def color_classes(self) -> dict[str, Color]:
        """CSS classes of the owner's style sheet that stand for a colour."""
        reds: dict[str, Color] = dict.fromkeys(words(self.red_classes.replace("|", " ")), "red")
        blues: dict[str, Color] = dict.fromkeys(words(self.blue_classes.replace("|", " ")), "blue")
        return reds | blues


USUAL = Layout()
"""The layout of a forum whose owner has changed nothing."""
