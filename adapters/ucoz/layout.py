"""What an owner of a uCoz site may have changed: strings, classes and selectors with their usual values.

These are the only defaults; ``config/forums/ucoz.toml`` names the same keys for a host who must override one.
"""

from __future__ import annotations

from dataclasses import dataclass

from adapters import layout


@dataclass(frozen=True)
class Layout(layout.Layout):
    """See ``adapters.layout``."""

    post_ids: str = "ucoz-forum-post-|frmmsg"
    """How the id of the element with a message's words begins; the post's number follows."""
    author_classes: str = "postUser|pusername"
    number_classes: str = "postNumberLink"
    """Classes of the link with a post's running number and its permalink."""
    edited_class: str = "edited"
    edited_words: str = "Сообщение отредактировал|Message edited by|Повідомлення відредагував"
    activated_words: str = "активировал|активував|activated"
    signature_classes: str = "signatureView|signatureHr"
    attachment_classes: str = "eAttach"
    pm_body: str = 'td[colspan="2"], .userpm-message-text'
    """Selector of the words on the page of one private message."""
    post_form: str = "form[name=addform], form#addform"
    """Selector of the form for topics, replies, edits and private messages."""
    topic_link: str = "a.threadLink"
    """Selector of a topic's link in the list of a section, and of the cell with its author."""
    topic_author: str = ".threadAuthTd"
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
    not_found_words: str = "не найден|не существует|страница удалена|тема удалена|материал удал|not found|no such page"
    empty_words: str = "сообщений нет|нет сообщений|ящик пуст|no messages"
    """Words of a list of private messages that has none."""
    sent_list_words: str = "отправленн|исходящ|надіслан|sent"
    """Words of the caption of the list of sent messages."""
    sent_words: str = "успешно отправлено|message sent"
    """Words of the answer that says a private message has gone out; of the one that says a post is there for all."""
    added_words: str = "сообщение добавлено|сообщение опубликовано|успешно добавлен|успешно изменен"
    login_words: str = "пароль|логин|e-mail|password|login|код безопасности|забанен|заблокирован"
    """Words of the answer that refuses name or password; any other answer says nothing about them."""
    flood_words: str = "слишком част|слишком быстро|так часто|подождите|flood"
    """Words of the answers to what we send: too soon, closed topic, no such recipient, full box, refused, waiting."""
    closed_words: str = "тема закрыта|тема удалена|закрыта для"
    recipient_words: str = (
        "в базе не найден|пользователь не найден|не принимает|отключил приём|отключил прием|в чёрном списке|в черном списке"
    )
    full_words: str = "переполнен|ящик полон|лимит сообщений|нет места"
    refused_words: str = (
        "личных сообщений отключена|личные сообщения отключены|код безопасности|указана неправильно|не указан|"
        "временно заблокирована|запрещено|слишком длин|слишком корот|превышена максимальная длина"
    )
    approval_words: str = "после проверки|после одобрения|ожидает проверки|модератор"


USUAL = Layout()
"""The layout of a forum whose owner has changed nothing."""
