"""A topic on trial: does the forum show at once, and in our words, what the bot writes? No page tells that beforehand."""

from __future__ import annotations

from adapters.errors import AwaitsApproval, NotShown
from adapters.forum import Forum

SUBJECT = "Проверка бота"


def result(forum: Forum, section: str, url: str) -> tuple[str, str]:
    """Open the topic and look at it: (what was seen, what to do; empty where all is well). Raises as ``Forum.open_topic``."""
    # What owners' settings change in what others write: links of the forum itself, quotation marks and dashes, colours.
    text = (
        "Эту тему открыл бот партий, чтобы узнать, видны ли его сообщения сразу и без изменений. Её можно удалить.\n\n"
        f"[color=red]Красным[/color] и [color=blue]синим[/color] — «в кавычках», {url}"
    )
    try:
        stored = forum.open_topic(section, f"{SUBJECT} {section}", text)
    except AwaitsApproval:
        return f"раздел {section}, пробная тема", (
            "форум принял её, но покажет только после одобрения модератором: так будет и с темами партии; попросите владельца "
            "форума публиковать сообщения бота без проверки, а эту тему удалите"
        )
    except NotShown as error:
        return f"раздел {section}, пробная тема", error.text
    if stored.changed:
        return f"раздел {section}, пробная тема {stored.url}", (
            "форум показывает её не теми словами, что послал бот: попросите владельца не менять текст бота, а тему удалите"
        )
    return f"раздел {section}: пробная тема видна сразу, удалите её: {stored.url}", ""
