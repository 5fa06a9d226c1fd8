"""What an owner of a uCoz site may have changed: strings, classes and selectors with their usual values.

These are the only defaults; ``config/forums/ucoz.toml`` names the same keys for a host who must override one.
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

    author_classes: str = "postUser|pusername"
    edited_class: str = "edited"
    edited_words: str = "Сообщение отредактировал|Message edited by|Повідомлення відредагував"
    activated_words: str = "активировал|активував|activated"
    signature_classes: str = "signatureView|signatureHr"
    attachment_classes: str = "eAttach"
    red_classes: str = ""
    blue_classes: str = ""
    pm_body: str = 'td[colspan="2"], .userpm-message-text'
    """Selector of the words on the page of one private message."""
    max_post: str = "15000"
    """How many characters a post may have."""
    guest_words: str = "гостям запрещено|войдите на сайт как пользователь|гостям заборонено|guests are not allowed"
    forbidden_words: str = (
        "запрещено совершать данное действие|активность временно заблокирована|доступ запрещен|доступ запрещён|"
        "доступ закрыт|нет доступа|вы забанены|вам запрещено|ip заблокирован|ip-адрес заблокирован|архив - только для чтения|"
        "access denied|forbidden|недостаточно прав"
    )
    maintenance_words: str = (
        "технические работы|техническое обслуживание|профилактические работы|сайт закрыт|сайт временно|временно недоступ|"
        "временно закрыт|временно отключ|сайт отключ|сайт удал|сайт заблокирован|service unavailable|bad gateway|"
        "gateway time-out|maintenance|under construction|ведутся работы"
    )
    challenge_words: str = (
        "just a moment|checking your browser|один момент|проверка браузера|проверяем ваш браузер|подтвердите, что вы не робот|"
        "вы не робот|ddos-guard|attention required|verify you are human|cf-browser-verification|challenge-platform|cf_chl"
    )
    not_found_words: str = "не найден|не существует|страница удалена|тема удалена|материал удал|not found|no such page"

    @classmethod
    def of(cls, overrides: Mapping[str, str]) -> Layout:
        """The layout with an owner's changes. Raises ValueError for an unknown key."""
        known = {one.name for one in fields(cls)}
        if unknown := sorted(set(overrides) - known):
            raise ValueError(f"unknown key of a uCoz layout: {unknown[0]}; known are {', '.join(sorted(known))}")
        return cls(**overrides)

    @cached_property
    def color_classes(self) -> dict[str, Color]:
        """CSS classes of the owner's style sheet that stand for a colour."""
        reds: dict[str, Color] = dict.fromkeys(words(self.red_classes.replace("|", " ")), "red")
        blues: dict[str, Color] = dict.fromkeys(words(self.blue_classes.replace("|", " ")), "blue")
        return reds | blues


USUAL = Layout()
"""The layout of a forum whose owner has changed nothing."""
