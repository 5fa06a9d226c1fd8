"""What an owner of a phpBB board may have changed: words and classes with their usual values.

These are the only defaults; ``config/forums/phpbb.toml`` names the same keys for a host who must override one.
"""

from __future__ import annotations

from dataclasses import dataclass

from adapters import layout


@dataclass(frozen=True)
class Layout(layout.Layout):
    """See ``adapters.layout``."""

    post_ids: str = "p"
    """How the id of a post's element begins; the post's number follows."""
    post_classes: str = "post"
    text_classes: str = "content"
    """Classes of the element with a message's words."""
    profile_classes: str = "postprofile|post-author|postauthor-box"
    """Classes of the column that tells who wrote a post."""
    line_classes: str = "author"
    """Classes of the line with a post's author and time."""
    notice_classes: str = "notice"
    """Classes of the line "Последний раз редактировалось"."""
    signature_classes: str = "signature"
    merged_words: str = "Добавлено спустя|Added in|Added after"
    locked_words: str = "Закрыто|Тема закрыта|Locked|Topic locked"
    zone_words: str = "Часовой пояс|All times are|Time zone|Timezone|Часовий пояс"
    """What stands before the zone of the printed times in the foot of every page."""
    max_post: str = "60000"
    forbidden_words: str = (
        "не авторизованы|не можете|нет прав|недостаточно прав|запрещен|запрещён|доступ закрыт|заблокирован|забанен|"
        "not authorised|not authorized|do not have the required permission|do not have permission|permanently banned|been banned|"
        "cannot read|no permission|not permitted|не маєте"
    )
    not_found_words: str = "не существует|не найден|does not exist|no longer exists|not found|could not be found|не выбран"
    maintenance_words: str = (
        "недоступ|отключен|отключён|обслуживани|технически|закрыта на|закрыт на|unavailable|maintenance|disabled|switched off|"
        "общая ошибка|general error|sql error|bad gateway|gateway time-out|internal server error|service temporarily"
    )
    post_form: str = 'form#postform, form[name=postform], form[action*="posting.php"]'
    """Selector of the form for topics, replies, edits and private messages."""
    topic_link: str = "a.topictitle"
    """Selector of a topic's link in the list of a section."""
    flood_words: str = "сразу после предыдущего|so soon after|слишком часто"
    """Words of the answers to what we send: too soon, stale form, closed topic, too long, no such recipient, full box,
    switched-off private messages, waiting."""
    stale_words: str = "ошибка отправки формы|form was invalid|неверная форма"
    closed_words: str = (
        "тема закрыта|topic is locked|не можете отвечать|не можете добавлять|не можете создавать|не можете начинать|"
        "не можете редактировать|форум закрыт|раздел закрыт|форум заблокирован|forum is locked|forum locked|"
        "topic has been locked|cannot reply|cannot post|cannot edit|cannot create|cannot start"
    )
    long_words: str = (
        "слишком длинн|слишком много символов|слишком много знаков|разрешённое количество символов|"
        "разрешенное количество символов|символов, а максим|too many characters|number of allowed characters|too long"
    )
    recipient_words: str = (
        "не существу|do not exist|отключили получение|не могут получать|disabled receiving|cannot receive|не найден"
    )
    full_words: str = "папка заполнена|folder is full|mailbox is full"
    pm_off_words: str = "сообщения на этой конференции отключены|messaging has been disabled"
    approval_words: str = "одобрен|approved|approval|провер"


USUAL = Layout()
"""The layout of a forum whose owner has changed nothing."""
