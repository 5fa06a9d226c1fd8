"""What mail programs write around a person's words: tables of wordings, one row for each form that is seen in letters.

A form is a bounded regular expression (no row can need more than linear time), tried on lines whose blanks are folded to
single spaces. The tests hold a sample of each client's own line; a new client is one row here and one sample there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTH = (
    r"(?:янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек"
    r"|січ|лют|бер|квіт|трав|черв|лип|серп|вер|жовт|лист|груд"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    r"|fév|avr|mai|juin|juil|aoû|déc|mär|okt|dez|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)[а-яёіїєґa-zà-ÿ]{0,9}\.?"
)
DATE = (
    r"(?<!\d)(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2}"
    rf"|\d{{1,2}}(?:-го|st|nd|rd|th|\.)? {MONTH},?(?: \d{{4}})?|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)"
)
TIME = r"(?<![\d.])\d{1,2}[:.]\d{2}(?::\d{2})?(?!\d|[.]\d)"
WEEKDAY = (
    r"(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|пн|вт|ср|чт|пт|сб|вс"
    r"|понеділок|вівторок|середа|четвер|п.ятниця|субота|неділя|нд"
    r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun"
    r"|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|di|mi|do|fr|sa|so"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lun|mar|mer|jeu|ven|sam|dim)\b\.?"
)
ADDRESS = (
    r"(?:<[^<>]{0,120}@[^<>]{0,120}>|<\.{2,3}>|[\[(](?:mailto:)?[^\s()\[\]]{1,80}@[^\s()\[\]]{1,80}[)\]]"
    r"|\b[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,63})"
)
EITHER_SEX = r"(?:на)?писал ?(?:\(-?[аa]\)|/-?[аa]\b|\[[аa]\])"
VERB = (
    rf"(?:{EITHER_SEX}|(?:на)?писал[аи]?\b|пишет\b|пише\b|(?:на)?пи(?:сав|сала)\b|сообщил[аи]?\b|wrote\b|writes\b|schrieb\b"
    r"|a écrit\b|escribió\b|ha scritto\b)"
)
PROGRAMS_VERB = rf"(?:{EITHER_SEX}|wrote|writes|schrieb|a écrit|escribió|ha scritto)"
"""The verb as programs alone put it in a Russian's letter."""
FROM_WORD = r"(?:от|від|from|пользователь|користувач)"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attribution:
    """A line that says whose words follow. ``alone``: also true when no marked quotation follows, so that all below is old."""

    clients: str
    form: re.Pattern[str]
    alone: bool = True


_LEAD = rf"(?:[*>«\"]? ?(?:on|в письме от|в сообщении от|am|le|el)? ?(?:(?:в |the )?{WEEKDAY},? )?(?:в |the )?)"

ATTRIBUTIONS = (
    Attribution(
        "Gmail, Yandex, Mail.ru, Rambler, Yahoo, Apple Mail, iOS, K-9, Proton: date, time, name and address",
        _form(rf"^{_LEAD}{DATE}.{{0,24}}?{TIME}.{{0,240}}{ADDRESS}.{{0,40}}:$"),
    ),
    Attribution(
        "Mail.ru, Yandex with the weekday and the time before the date",
        _form(rf"^{_LEAD}{TIME}.{{0,24}}?{DATE}.{{0,240}}(?:{ADDRESS}|{VERB}).{{0,40}}:$"),
    ),
    Attribution(
        "Thunderbird, SeaMonkey, Apple Mail, The Bat! in English: date, time, name and a verb",
        _form(rf"^{_LEAD}{DATE}.{{0,24}}?{TIME}.{{0,160}}{VERB}.{{0,40}}:$"),
    ),
    Attribution(
        "Mail.ru without an address: date, time, «от»",
        _form(rf"^{_LEAD}{DATE}.{{0,24}}?{TIME}.{{0,24}}? {FROM_WORD} .{{1,120}}:$"),
    ),
    Attribution(
        "mutt, Claws, Evolution, older Gmail: name, address and a verb, the date where it pleases",
        _form(rf"^.{{0,160}}{ADDRESS}.{{0,40}}{VERB}.{{0,60}}:$"),
    ),
    Attribution("any client that does not know the writer's sex", _form(rf"^.{{0,240}}{EITHER_SEX}.{{0,60}}:$")),
    Attribution(
        "The Bat!: «Вы писали 24 ноября 2026 г., 21:03:11:»",
        _form(rf"^(?:вы (?:на)?писали|you wrote)\b.{{0,20}}{DATE}.{{0,40}}:$"),
    ),
    Attribution("Rambler's old web mail: «* Имя <адрес> [дата]:»", _form(rf"^\* .{{0,120}}{ADDRESS} \[.{{0,60}}\] ?:$")),
    Attribution(
        "Rambler, Zoho, mobile web mail: date, time, name, address and no colon",
        _form(rf"^{_LEAD}{DATE}.{{0,12}}?{TIME}.{{0,80}}{ADDRESS}[;.]?$"),
    ),
    Attribution(
        "web mail of many kinds: date, time, name and a program's verb, and no colon",
        _form(rf"^{_LEAD}{DATE}.{{0,24}}?{TIME}.{{0,160}}{PROGRAMS_VERB}$"),
    ),
    Attribution(
        "German programs: date and time, the verb before the name, and no colon",
        _form(rf"^am {DATE},? um {TIME}(?: uhr)? schrieb .{{1,120}}$"),
    ),
    Attribution(
        "mobile web mail: name and address before date and time",
        _form(rf"^.{{1,80}}{ADDRESS}[,;]? .{{0,12}}{DATE}.{{0,24}}?{TIME}\.?$"),
    ),
    Attribution(
        "forums' mailers, web mail: name and a program's verb before date and time",
        _form(rf"^.{{1,80}}{PROGRAMS_VERB},? .{{0,12}}?{DATE}.{{0,24}}?{TIME}(?: ?[:.])?$"),
    ),
    Attribution(
        "Zoho, other web mail: the whole line between dashes",
        _form(rf"^[-—–]{{2,10}} ?.{{0,24}}{DATE}.{{0,24}}?{TIME}.{{0,200}}(?:{VERB}|{ADDRESS}).{{0,20}}[-—–]{{2,10}}$"),
    ),
    Attribution(
        "any program: a short line with a date, a verb or an address just above a marked quotation",
        _form(rf"^.{{0,200}}(?:{DATE}|{VERB}|{ADDRESS}).{{0,120}}:$"),
        alone=False,
    ),
    Attribution(
        "Apple Mail, Thunderbird: a forwarded letter is announced",
        _form(
            r"^(?:начало переадресованного (?:сообщения|письма)|begin forwarded message|початок пересланого (?:повідомлення"
            r"|листа)) ?:$"
        ),
    ),
)

BARE_END = _form(rf"(?:{PROGRAMS_VERB}|{TIME}|^am {DATE}.{{0,20}}schrieb .{{1,120}})$")
"""How an attribution without a colon ends."""
_ATTRIBUTION_HINT = re.compile(r"[\d<@]|пис|пиш|сообщ|wrote|write|schrieb|écrit|escrib|scritto|начало|begin|початок|^on ")


def may_attribute(line: str) -> bool:
    """A cheap test: a line without digits, address or verb opens no attribution."""
    return _ATTRIBUTION_HINT.search(line.lower()) is not None


GLUED_ATTRIBUTION = _form(rf"(?:{WEEKDAY},? )?{DATE}.{{0,24}}?{TIME}.{{0,160}}{ADDRESS}.{{0,30}}:$")
"""An attribution at the end of a line that begins with somebody's words (text parts made carelessly from HTML)."""

OLD = (
    r"(?:исходное (?:сообщение|письмо)|первоначальное сообщение|оригинальное (?:сообщение|письмо)|пересылаемое "
    r"(?:сообщение|письмо)"
    r"|пересланное (?:сообщение|письмо)|перенаправленное (?:сообщение|письмо)|переадресованное (?:сообщение|письмо)"
    r"|переслане повідомлення|вихідне повідомлення|пересланий лист|оригінальне повідомлення"
    r"|original (?:message|appointment)|this is a copy of (?:the|your) message|below this line is a copy of the "
    r"message|forwarded (?:message|mail|by .{1,60})|urspr.ngliche nachricht)"
)
SEPARATOR = _form(rf"[-_=*]{{2,40}} ?(?:начало )?{OLD}\b[^-_=*]{{0,60}}[-_=*]{{0,40}}")
"""Outlook, Gmail, Samsung, Yandex, Thunderbird: «-----Исходное сообщение-----» and its kin; all below is old."""

_SEPARATOR_HINT = re.compile(r"сообщ|письм|message|mail|повід|лист|appoint|nachricht|forwarded")


def separator(line: str) -> re.Match[str] | None:
    """The separator in a line, after a cheap test."""
    return SEPARATOR.search(line) if _SEPARATOR_HINT.search(line.lower()) else None


RULE_SIGNS = tuple("-_=*")
SEPARATOR_END = _form(
    r"^[-_=*]{2,40} ?(?:конец|завершение|окончание|end of|кінець) .{0,40}(?:сообщения|письма|повідомлення"
    r"|message).{0,20}[-_=*]{2,40}$"
)
"""Yandex, Thunderbird: the forwarded letter ends here, what follows is the writer's again."""

_HEAD_NAMES = {
    "from": "от|от кого|отправитель|from|sender|від|автор",
    "date": "отправлено|дата|дата и время|дата отправки|sent|date|received|надіслано|получено",
    "to": "кому|получатель|получатели|to|копия|скрытая копия|cc|bcc|ответить|reply-to|копія|обратный адрес",
    "subject": "тема|subject|важность|importance|приоритет|priority|вложения|attachments",
}
HEAD_LINE = _form(
    r"^\W{0,3}(?:"
    + ""
    r"|".join(f"(?P<{kind}>{names})" for kind, names in _HEAD_NAMES.items())
    + r")\W{0,3}?: ?\*{0,2}(?P<value>.*)$"
)
"""One line of a head block («От: …», «*Sent:* …»)."""

RULE = re.compile(r"^[-_=*—–~#]{3,200}$")
DASHES = re.compile(r"^(?:--|—|––) ?$")
"""The signature mark, with and without its blank, also as a long dash that a phone made of it."""

SMILE = re.compile(r"^>(?:[:;=][-'o]?[()\[\]DPОO/\\|<>]|[_.]+[<>])")
"""A face, which is no mark of a quotation."""

BAT_QUOTE = re.compile(r"^ {0,3}[A-ZА-ЯЁ][A-Za-zА-Яа-яЁё]{0,3}(?<![а-яёa-z]{3})>{1,20}(?: |$)")
"""The Bat!, Fido readers: the initials of the quoted person before the sign."""

_PRODUCT = (
    r"(?:iphone|ipad|ipod|ios|айфон|айпад|android|андроид|galaxy|samsung|xiaomi|redmi|poco|huawei|honor|realme|oppo"
    r"|vivo|nokia|sony|lg|htc|meizu"
    r"|pixel|oneplus|blackberry|windows|смартфон|планшет|телефон|мобильн|коммуникатор|устройств|почт|яндекс|yandex"
    r"|mail|мэйл|мейл|outlook|gmail"
    r"|thunderbird|bat!|yahoo|rambler|рамблер|spark|proton|tutanota|k-9|typeapp|bluemail|airmail|edison|device|phone"
    r"|tablet|mobile|смартфона"
    r"|мобільн|пристро|пошт|приложени|компьютер|ноутбук)"
)
_BREVITY = r"(?:простите|извините|прошу прощения|приношу извинения|please (?:excuse|forgive|pardon)|sorry|вибачте).{0,60}"
DEVICE_LINES = (
    _form(
        rf"^[\"'«(]?(?:отправлено|послано|написано|создано|надіслано|пересл?ано) (?:\(?автоматически\)? )?(?:с|со|из"
        rf"|через|от|при помощи|с помощью|в|з|із|за допомогою) "
        rf"(?:[\w«»\"'().&-]+ ){{0,5}}?[«\"(]?{_PRODUCT}[\w!.-]*(?: [\w«»\"'().&!:/-]+){{0,6}}[.!»]?(?: {_BREVITY})?$"
    ),
    _form(
        rf"^(?:sent|send|posted|written) (?:from|via|with|using|by) (?:[\w.'&-]+ ){{0,5}}?{_PRODUCT}[\w!.-]*(?: "
        rf"[\w.'&!()-]+){{0,8}}(?:[.,] .{{0,60}})?$"
    ),
    _form(
        r"^(?:get|скачать|скачайте|загрузить|загрузите|получить|получите|установить|установите|завантажити|отримати) "
        r"(?:приложение )?(?:<[^<>]{1,200}> ?)?(?:outlook|gmail|mail\.ru|почту? mail|mymail|яндекс|bluemail"
        r"|spark)\b.{0,200}$"
    ),
    _form(
        rf"^{_BREVITY}(?:k-9|телефон|мобильн|смартфон|phone|mobile|brevity|краткость, (?:создано|отправлено"
        rf"|написано)).{{0,60}}$"
    ),
    _form(
        r"^(?:please excuse (?:my|the) brevity|(?:простите|извините) за краткость|вибачте за стислість)[.!]?(?: ?"
        r"(?:создано|отправлено|sent) .{0,60})?$"
    ),
    _form(rf"^--? ?(?:отправлено|sent|надіслано) (?:с|со|из|from|via|with|з|із)\b.{{0,40}}{_PRODUCT}.{{0,40}}$"),
)
"""What a phone or an app adds of its own; the whole line must be it."""

GLUED_DEVICE = _form(
    rf"(?:отправлено (?:с|со|из) (?:моего |мобильно\w+ |смартфона |устройства ){{0,3}}{_PRODUCT}[\w.!-]*(?: [\w.]+){{0,3}}"
    rf"|sent from my {_PRODUCT}\w*(?: [\w.]+){{0,3}})$"
)

FOOTERS = (
    _form(r"^(?:без вирусов|не содержит вирусов|вирусов нет|virus-free|no virus found)\b.{0,200}$"),
    _form(
        r"^(?:это|данное|настоящее|this)? ?(?:сообщение|письмо|электронное письмо|e-?mail|message)(?: электронной почты)?"
        r"(?: было| has been| was| is)? ?(?:проверено|checked|scanned|protected|защищено).{0,200}(?:вирус|virus|avast|avg"
        r"|kaspersky|касперск|dr\.? ?web|eset|nod32).{0,200}$"
    ),
    _form(
        r"^(?:проверено|защищено|checked|scanned|protected) .{0,60}(?:вирус|virus|avast|avg|kaspersky|касперск|dr\.? ?web"
        r"|eset|nod32|norton|comodo|360).{0,200}$"
    ),
    _form(
        r"^(?:антивирус|антивірус|antivirus|eset|dr\.? ?web|avast|kaspersky).{0,80}(?:вирус|virus|провер|защи|checked"
        r"|protect).{0,200}$"
    ),
    _form(r"^(?:https?://)?www\.(?:avast|avg|kaspersky|drweb|eset)\.\w{2,4}\S{0,120}$"),
    _form(
        r"^[\[*!(]{0,3}(?:это|данное|настоящее)? ?(?:письмо|сообщение) (?:было )?(?:отправлено|получено|пришло) (?:с "
        r"внешнего|из внешней"
        r"|от внешнего|извне).{0,200}$"
    ),
    _form(
        r"^[\[*!(]{0,3}(?:caution|warning|external)?[:!\]]{0,2} ?this (?:e-?mail|message) (?:originated|came|was "
        r"sent) from outside.{0,200}$"
    ),
)
"""Single lines that an antivirus or a firm's gate adds."""
BARE_LINK = re.compile(r"^<?(?:https?://|#|www\.)[^\s<>]{1,400}>?$")
"""The link that belongs to such a line and stands below it."""

LIST_FOOTERS = (
    _form(r"^.{0,80}\bmailing list\b.{0,80}$"),
    _form(
        r"^(?:вы получили (?:это|данное) (?:сообщение|письмо),? (?:потому|поскольку|так как|т\. ?к\.)|you received this "
        r"(?:message|e-?mail) because|you are (?:receiving|subscribed)).{0,400}$"
    ),
    _form(
        r"^(?:чтобы|для того,? чтобы|для|to) (?:отписаться|отменить подписку|отмены подписки|отказаться от подписки"
        r"|unsubscribe)\b.{0,400}$"
    ),
    _form(r"^(?:отписаться|отказаться от рассылки|unsubscribe|subscription settings)\b.{0,300}$"),
)
"""First lines of what a discussion list adds; it goes on to the end of the letter."""

_THIS_LETTER = (
    r"(?:настоящ(?:ее|ий|им)|данн(?:ое|ый|ым)|эт(?:о|от|им)|содержание (?:этого|данного|настоящего)|информация,|this|the "
    r"information|the contents|notice|disclaimer|confidential|внимание|конфиденциальн|уведомление|предупреждение|сообщение"
    r"|ця|цей|це)"
)
LEGAL = _form(
    rf"^[*(\[ ]{{0,4}}{_THIS_LETTER}.{{0,400}}(?:конфиденциальн|конфіденційн|предназначен[оаы]? (?:только"
    rf"|исключительно|лишь|для)|по ошибке|коммерческ\w+ тайн"
    r"|не является офертой|не являются офертой|confidential|privileged|intended (?:solely|only|for)|in error|окружающ\w+ сред)"
)
ECO = _form(
    r"^(?:подумайте|пожалуйста, подумайте|прежде чем|перед тем,? как|please consider|consider|думайте|берегите"
    r"|save).{0,80}(?:печат|распечат|print|окружающ|природ|environment|paper|дерев).{0,200}$"
)
"""A firm's legal notice, and its wish not to print; they go on to the end of the letter."""

_ADDED_HINT = re.compile(
    r"отправл|послано|написано|создано|надіслано|пересл|sent|send|posted|written|скача|загруз|получ|установ|завантаж"
    r"|отрима|\bget\b|прости|извин"
    r"|прошу прощ|приношу|please|sorry|вибач|вирус|вірус|virus|avast|avg|kaspersky|касперск|dr\.? ?web|eset|nod32"
    r"|norton|comodo|360|mailing list"
    r"|you |подпис|рассылк|unsubscribe|subscription|конфиденц|конфіденц|предназнач|по ошибке|тайн|оферт|confidential"
    r"|privileged|intended|in error"
    r"|окружающ|печат|природ|environment|print|дерев|настоящ|данн|содержани|информаци|disclaimer|уведомлени|внимание"
    r"|эт[ои]|ц[яей]|this|письмо|сообщение|https?:|www\.|^<#"
)


def may_be_added(line: str) -> bool:
    """A cheap test: a line without any of these words is nothing that a program or a firm adds."""
    return bool(line) and _ADDED_HINT.search(line.lower()) is not None


CLOSING = _form(
    r"^(?:с (?:глубоким |искренним |большим |неизменным |огромным )?(?:уважением|почтением)|с ув\.?|с наилучшими(?: "
    r"пожеланиями)?|с лучшими пожеланиями"
    r"|искренне ваша?|з повагою|(?:with )?best regards|(?:with )?many thanks and regards|kind(?:est)? regards|warm "
    r"regards|regards|best wishes|(?:yours )?"
    r"(?:sincerely|faithfully|truly)(?: yours)?)"
    r"(?:(?: ?[,.!;:—–-]+ ?| и благодарностью,? ?|$)(?P<name>.{0,80})|(?P<bare> (?-i:[A-ZА-ЯЁІЇЄ])[\w.«»\"'-]{0,30}"
    r"(?: (?-i:[A-ZА-ЯЁІЇЄ])[\w.-]{0,30}){0,2}\.?))$"
)
"""«С уважением, …»: followed by a sign, by nothing, or by a name alone. A sentence that goes on is not this."""

POSTSCRIPT = _form(r"^(?:p\. ?s\.?|p\.p\.s\.?|ps|з\.? ?ы\.?|пс|п\. ?с\.?|постскриптум|зы)(?:[\s:.,—-]|$)")
CONTACT = _form(
    r"(?:\+?\d[\d ()-]{5,}\d|\b(?:тел|моб|tel|phone|mob|icq|skype|telegram|факс|fax|e-?mail|mailto|www|https?)\b[.:/ ]|@"
    r"|\b(?:ооо|оао|зао|ао|ип|llc|ltd|inc)\b)"
)

STUBS = (
    _form(r"(?:не (?:поддержива\w+|умеет|может|отобража\w+)|нельзя) .{0,60}html"),
    _form(r"(?:does(?: not|n't)|do(?: not|n't)|cannot|can't|unable to) .{0,60}html"),
    _form(r"html .{0,60}(?:не поддерживается|not supported|не может быть показан|cannot be displayed)"),
    _form(
        r"(?:this is an? (?:html|multi-?part)|это (?:письмо|сообщение) (?:в формате |содержит |написано в )?(?:html"
        r"|multipart))"
    ),
    _form(
        r"(?:просмотр\w* (?:этого |данного )?(?:письма|сообщения)|прочит\w+ (?:это |данное )?(?:письмо|сообщение)|view "
        r"(?:this|the) (?:e-?mail|message)|to view (?:this|the)).{0,80}(?:браузер|html|browser|версию|client|ссылк)"
    ),
    _form(r"(?:включите|используйте|enable|use) .{0,60}html"),
    _form(r"(?:html|текстов\w+) (?:version|версия|part|часть) .{0,40}(?:только|only|отсутству|недоступн|available)"),
)
"""Text parts that only say that the program shows no HTML."""
