"""What a phpBB board says, in Russian and English, and how it prints dates."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, Literal
from zoneinfo import ZoneInfo

Language = Literal["ru", "en"]


@dataclass(frozen=True, slots=True)
class PhpbbOptions:
    """How the owner has set the board up. Durations are in seconds of the board's clock."""

    engine: ClassVar[str] = "phpbb"
    version: Literal["3.3", "3.0"] = "3.3"
    language: Language = "ru"
    per_page: int = 10
    topics_per_page: int = 25
    date_format: str = "D M d, Y g:i a"
    """In PHP's letters; a part between bars is printed as a relative day."""
    flood_interval: float = 15.0
    token_min: int = 1
    token_life: int = 7200
    reused_token_refused: bool = True
    """3.3.16 does not take a token twice within the flood interval; 3.3.10 does."""
    session_life: float = 3600.0
    login_failures: int = 3
    cookie: str = "phpbb3_maski"
    folder_limit: int = 50
    max_post: int = 60000
    feeds: bool = True
    rewriting: bool = False
    """Feed addresses without ``app.php/``."""
    merge: bool = False
    """The fork's pre-ticked box that appends a second post in a row to the first one."""
    running_numbers: bool = True
    """The fork prints a running number in the icon's alt (3.0 only)."""
    three_byte_database: bool = False
    """Signs beyond the basic plane end in a database error (old boards)."""
    custom_tags: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The owner's own BBCodes: name to what opens and closes it (``{"vote": ('<span class="vote-red">', "</span>")}``)."""
    gzip: bool = False
    charset: Literal["utf-8", "cp1251"] = "utf-8"


_WORDS: dict[str, tuple[str, str]] = {
    "index": ("Список форумов", "Board index"),
    "login": ("Вход", "Login"),
    "logout": ("Выход", "Logout"),
    "username": ("Имя пользователя", "Username"),
    "password": ("Пароль", "Password"),
    "remember": ("Запомнить меня", "Remember me"),
    "confirm_code": ("Код подтверждения", "Confirmation code"),
    "pm": ("ЛС", "Private messages"),
    "reply": ("Ответить", "Post Reply"),
    "closed": ("Закрыто", "Locked"),
    "new_topic": ("Новая тема", "New Topic"),
    "quote": ("Цитата", "Quote"),
    "quote_title": ("Ответить с цитатой", "Reply with quote"),
    "edit": ("Правка", "Edit"),
    "edit_title": ("Редактировать сообщение", "Edit post"),
    "delete": ("Удалить", "Delete"),
    "post": ("Сообщение", "Post"),
    "posts": ("Сообщения", "Posts"),
    "joined": ("Зарегистрирован", "Joined"),
    "page": ("Страница", "Page"),
    "of": ("из", "of"),
    "back_to": ("Вернуться в", "Return to"),
    "top": ("Вернуться к началу", "Top"),
    "zone": ("Часовой пояс", "All times are"),
    "old_zone": ("Часовой пояс", "Time zone"),
    "wrote": ("писал(а)", "wrote"),
    "code": ("Код", "Code"),
    "select_all": ("Выделить всё", "Select all"),
    "submit": ("Отправить", "Submit"),
    "preview": ("Предпросмотр", "Preview"),
    "subject": ("Заголовок", "Subject"),
    "reason": ("Причина", "Reason"),
    "yes": ("Да", "Yes"),
    "no": ("Нет", "No"),
    "inbox": ("Входящие", "Inbox"),
    "outbox": ("Исходящие", "Outbox"),
    "sentbox": ("Отправленные", "Sent messages"),
    "sent_at": ("Отправлено", "Sent"),
    "from": ("От", "From"),
    "to": ("Кому", "To"),
    "information": ("Информация", "Information"),
    "own_profile": ("Профиль", "Profile"),
    "notified": ("Личное сообщение", "Private Message"),
    "last_post": ("Последнее сообщение", "Last post by"),
    "own_waiting": ("Другие увидят это сообщение, когда его одобрит модератор.",
                    "Others will see this post when a moderator has approved it."),
    "review": ("Обзор темы", "Topic review"),
    "profile": ("Просмотр профиля", "Viewing profile"),
    "no_topics": ("В этом форуме нет тем.", "There are no topics or posts in this forum."),
    "no_messages": ("В этой папке нет сообщений.", "No private messages in this folder"),
    "login_to_view": ("Для просмотра этого форума вы должны войти.", "You are required to login to view this forum."),
    "login_to_post": ("Для размещения сообщений вы должны войти.", "You need to login in order to post within this forum."),
    "login_to_pm": ("Для чтения личных сообщений вы должны войти.", "You need to login in order to read private messages."),
    "login_to_members": ("Для просмотра профилей вы должны войти.", "You need to login to view profiles."),
    "forum_password": ("Для просмотра этого форума нужен пароль.", "This forum requires a password."),
    "form_invalid": ("Ошибка отправки формы. Попробуйте ещё раз.", "The submitted form was invalid. Try submitting again."),
    "flood": ("Вы не можете отправить следующее сообщение сразу после предыдущего. Пожалуйста, попробуйте чуть позже.",
              "You cannot make another post so soon after your last."),
    "too_short": ("Ваше сообщение слишком короткое.", "Your message contains too few characters."),
    "no_subject": ("При создании темы необходимо указать её заголовок.", "You must specify a subject when posting a new topic."),
    "no_pm_subject": ("Необходимо указать заголовок сообщения.", "You must specify a subject when composing a new message."),
    "meanwhile": ("Было добавлено по крайней мере одно сообщение в этой теме, пока вы писали ответ.",
                  "At least one new post has been made to this topic."),
    "changed": ("Это сообщение было изменено другим пользователем, пока вы его редактировали.",
                "This post has been edited by another user while you were editing it."),
    "locked": ("Эта тема закрыта, вы не можете редактировать и оставлять сообщения в ней.",
               "This topic is locked, you cannot edit posts or make further replies."),
    "cannot_read": ("Вы не авторизованы для чтения данного форума.", "You are not authorised to read this forum."),
    "cannot_post": ("Вы не можете добавлять сообщения в этом форуме.", "You cannot post new topics or replies in this forum."),
    "cannot_edit": ("Вы не можете редактировать сообщения в этом форуме.", "You can only edit your own posts in this forum."),
    "cannot_delete": ("Вы можете удалять только сообщения, не имеющие ответов.", "You can only delete posts which have no "
        "replies."),
    "no_topic": ("Запрошенной темы не существует.", "The requested topic does not exist."),
    "no_post": ("Запрошенного сообщения не существует.", "The requested post does not exist."),
    "no_forum": ("Запрошенного раздела не существует.", "The forum you selected does not exist."),
    "no_user": ("Запрошенного пользователя не существует.", "The requested user does not exist."),
    "stored": ("Ваше сообщение успешно отправлено.", "This message has been posted successfully."),
    "approval": ("Ваше сообщение успешно отправлено, но должно быть одобрено модератором, прежде чем станет видно всем.",
                 "This message has been submitted successfully, but it will need to be approved by a moderator before it is "
                 "visible."),
    "deleted": ("Сообщение удалено.", "This message has been deleted."),
    "delete_sure": ("Вы уверены, что хотите удалить это сообщение?", "Are you sure you want to delete this post?"),
    "pm_sent": ("Ваше сообщение успешно отправлено.", "Your message has been sent successfully."),
    "pm_missing": ("Личное сообщение не найдено.", "Private message does not exist."),
    "pm_no_users": ("Запрашиваемые для добавления пользователи не существуют.", "The requested users to be added do not exist."),
    "pm_off": ("Некоторые пользователи отключили получение личных сообщений.",
               "Some users couldn't be added as they have disabled private message receipt."),
    "pm_closed": ("Личные сообщения на этой конференции отключены.", "Private messaging has been disabled on this board."),
    "pm_new_accounts": ("Вы не можете отправлять личные сообщения.", "We are sorry, but you are not authorised to use this "
        "feature."),
    "pm_no_recipient": ("Необходимо указать хотя бы одного получателя.", "You must specify at least one recipient."),
    "pm_delete_sure": ("Вы уверены, что хотите удалить отмеченные сообщения?", "Are you sure you want to delete these messages?"),
    "pm_deleted": ("Отмеченные сообщения удалены.", "The messages have been deleted."),
    "release": ("Принять отложенные сообщения", "Release all on-hold messages"),
    "wrong_password": ("Вы ввели неверный пароль. Проверьте его и попробуйте ещё раз.",
                       "You have specified an incorrect password. Please check your password and try again."),
    "wrong_username": ("Вы ввели неверное имя пользователя. Проверьте его и попробуйте ещё раз.",
                       "You have specified an incorrect username. Please check your username and try again."),
    "too_many": ("Превышено максимальное количество попыток входа. Введите код подтверждения.",
                 "You exceeded the maximum allowed number of login attempts. In addition to your username and password you now "
                 "also have to solve the CAPTCHA task below."),
    "off": ("Извините, но конференция в настоящий момент недоступна.", "Sorry but this board is currently unavailable."),
    "general_error": ("Общая ошибка", "General Error"),
    "ignored": ("Автором этого сообщения является <strong>{}</strong>, находящийся в вашем чёрном списке.",
                "This post was made by <strong>{}</strong> who is currently on your ignore list."),
    "removed": ("<strong>{}</strong> удалил сообщение автора <strong>{}</strong> {}.",
                "<strong>{}</strong> deleted the post by <strong>{}</strong> {}."),
    "removed_note": ("Удалено {} пользователем {}", "Deleted {} by {}"),
    "show_post": ("Показать это сообщение", "Display this post"),
    "removed_bar": ("Удалённое сообщение:", "Deleted post:"),
    "waiting_bar": ("Сообщение ожидает проверки:", "This post is not visible to other users until approved:"),
    "approve": ("Одобрить", "Approve"),
    "disapprove": ("Отклонить", "Disapprove"),
    "restore": ("Восстановить", "Restore"),
    "statistics": ("Статистика: Добавлено", "Statistics: Posted by"),
    "lock_box": ("Закрыть тему после отправки", "Lock topic"),
    "sig_box": ("Присоединить подпись", "Attach a signature"),
    "merge_box": ("Объединить с предыдущим сообщением", "Merge with the previous post"),
}


class Words:
    """The board's language."""

    def __init__(self, language: Language) -> None:
        self._at = 0 if language == "ru" else 1
        self.language = language

    def __getitem__(self, name: str) -> str:
        return _WORDS[name][self._at]

    def posts(self, count: int) -> str:
        """"13 сообщений"."""
        return counted(count, "сообщение", "сообщения", "сообщений") if self._at == 0 else f"{count} post{'s' * (count != 1)}"

    def edited(self, nick: str, date: str, times: int) -> str:
        """The edit notice."""
        if self._at == 0:
            return f"Последний раз редактировалось {nick} {date}, всего редактировалось {counted(times, 'раз', 'раза', 'раз')}."
        return f"Last edited by {nick} on {date}, edited {times} time{'s' * (times != 1)} in total."

    def held(self, count: int) -> str:
        """The notice of messages that found no room."""
        if self._at == 0:
            return f"У вас {counted(count, 'отложенное сообщение', 'отложенных сообщения', 'отложенных сообщений')}"
        return f"You have {count} message{'s' * (count != 1)} on hold"

    def fill(self, percent: int, count: int, limit: int) -> str:
        """How full the folder is."""
        if self._at == 0:
            return f"Папка заполнена на {percent}% ({count} из {limit})"
        return f"Folder is {percent}% full ({count} of {limit} messages stored)"

    def too_long(self, length: int, most: int) -> str:
        """Why a long post came back."""
        if self._at == 0:
            return f"Сообщение содержит {length} знаков.<br />Максимальное разрешённое количество символов: {most}."
        return f"Your message contains {length} characters.<br />The maximum number of allowed characters is {most}."

    def later(self, seconds: int) -> str:
        """The fork's line between merged posts."""
        hours, rest = divmod(seconds, 3600)
        minutes, seconds = divmod(rest, 60)
        parts = [counted(number, *forms) for number, forms in (
            (hours, ("час", "часа", "часов")), (minutes, ("минуту", "минуты", "минут")),
            (seconds, ("секунду", "секунды", "секунд"))) if number]
        return f"Добавлено спустя {' '.join(parts) or '0 секунд'}:"


def counted(number: int, one: str, few: str, many: str) -> str:
    """A number with its noun: 1 раз, 2 раза, 5 раз."""
    tens, ones = number % 100, number % 10
    form = many if 11 <= tens <= 14 else one if ones == 1 else few if 2 <= ones <= 4 else many
    return f"{number} {form}"


_RU_DAYS = ("Пн", "Вт", "Ср", "Чт", "Пт", "Сб", "Вс")
_RU_MONTHS = ("Январь", "Февраль", "Март", "Апрель", "Май", "Июнь", "Июль", "Август", "Сентябрь", "Октябрь", "Ноябрь", "Декабрь")
_EN_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_EN_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
              "December")


def php_date(moment: datetime, shape: str, zone: str, language: Language, now: datetime, relative: bool = True) -> str:
    """The moment in PHP's date letters. A part between bars becomes a relative day when ``relative`` and recent enough."""
    local = moment.astimezone(ZoneInfo(zone))
    if "|" in shape:
        before, inside, after = [*shape.split("|"), "", ""][:3]
        here = now.astimezone(ZoneInfo(zone))
        age = (now - moment).total_seconds()
        if relative and 0 <= age <= 3600:
            return _ago(int(age // 60), language)
        names = {here.date(): ("Сегодня", "Today"), (here - timedelta(days=1)).date(): ("Вчера", "Yesterday")}
        name = names.get(local.date()) if relative else None
        middle = _letters(local, inside, language) if name is None else name[language == "en"]
        return _letters(local, before, language) + middle + _letters(local, after, language)
    return _letters(local, shape, language)


def _ago(minutes: int, language: Language) -> str:
    if language == "en":
        return "less than a minute ago" if minutes == 0 else f"{minutes} minute{'s' * (minutes != 1)} ago"
    return "менее минуты назад" if minutes == 0 else f"{counted(minutes, 'минуту', 'минуты', 'минут')} назад"


def _letters(local: datetime, shape: str, language: Language) -> str:
    days, months = (_RU_DAYS, _RU_MONTHS) if language == "ru" else (_EN_DAYS, _EN_MONTHS)
    month = months[local.month - 1]
    values = {
        "D": days[local.weekday()], "M": month[:3].lower() if language == "ru" else month[:3], "F": month, "d": f"{local:%d}",
        "j": str(local.day), "m": f"{local:%m}", "Y": str(local.year), "g": str(int(local.strftime("%I"))), "h": f"{local:%I}",
        "H": f"{local:%H}", "G": str(local.hour), "i": f"{local:%M}", "s": f"{local:%S}", "a": local.strftime("%p").lower(),
    }
    return "".join(values.get(sign, sign) for sign in shape)


def zone_line(zone: str, moment: datetime, options: PhpbbOptions) -> str:
    """"UTC+03:00", on the 3.0 line in Russian "UTC + 3 часа"."""
    minutes = int((moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()).total_seconds() // 60)
    sign, size = "+" if minutes >= 0 else "-", abs(minutes)
    if options.version == "3.0" and options.language == "ru":
        return "UTC" if not minutes else f"UTC {sign} {counted(size // 60, 'час', 'часа', 'часов')}"
    return "UTC" if not minutes else f"UTC{sign}{size // 60:02d}:{size % 60:02d}"


_TWINS = str.maketrans("аверкомнстухгзіј", "abepkomhctyxr3ij")


def fold_nick(nick: str) -> str:
    """The board's own folding: case, outer and doubled blanks, Latin and Cyrillic look-alikes; ё and е stay apart."""
    plain = unicodedata.normalize("NFC", " ".join(nick.split()).casefold())
    return plain.translate(_TWINS)
