"""Raw bytes of a letter to a ``Letter`` (contract.md, "read-letter"). Never raises; what could not be read is a problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adapters.inert import visible
from adapters.mail import auth, bodies, echoes, kinds
from adapters.mail.headers import Head, Mailbox
from adapters.mail.replies import Line, Stripped, strip
from adapters.model import Letter

PROBLEMS = {
    "no_sender": "в письме нет адреса отправителя",
    "robot_doubtful": "письмо похоже на автоответ, но доказательства нет",
    "several_senders": "в поле From больше одного адреса",
    "no_message_id": "в письме нет Message-ID",
    "charset_repaired": "кодировка была указана неверно или не указана, текст восстановлен",
    "charset_doubtful": "кодировку нельзя установить наверняка",
    "damaged": "часть текста повреждена или оборвана",
    "attachment": "вложения не читаются",
    "attached_letter": "вложенное письмо не читается",
    "winmail": "письмо только в winmail.dat: попросите прислать простым текстом",
    "struck": "в письме есть зачёркнутые слова, они пропущены",
    "parts_differ": "текстовая часть письма и HTML говорят разное",
    "too_deep": "слишком глубокая вложенность, разметка прочитана не вся",
    "too_complicated": "письмо слишком длинное или устроено слишком сложно, прочитано не всё",
    "unreadable": "тело письма не удалось разобрать",
    "between_quotes": "слова стоят между строками цитаты",
    "in_frame": "слова стоят там, где почтовая программа держит цитату или подпись",
    "nothing_new": "кроме цитаты и подписи, в письме ничего нет",
    "no_text": "в письме нет текста, который можно прочесть",
}
"""What may stand in ``problems`` -> the sentence for the host."""

DOUBTFUL = frozenset(
    (
        "robot_doubtful",
        "several_senders",
        "charset_doubtful",
        "damaged",
        "struck",
        "parts_differ",
        "too_deep",
        "too_complicated",
        "unreadable",
        "between_quotes",
        "in_frame",
        "nothing_new",
    )
)
"""Problems after which a person should look before an order is believed."""


_STRESS = re.compile("(?<=[А-Яа-яЁё])[\u0300\u0301\u02c8\u02ca]|(?<=[АЕЁИОУЫЭЮЯаеёиоуыэюя])´(?=[а-яё])")
"""A mark of stress, which no nick needs."""
_LINE_ENDS = re.compile("[\u2028\u2029\x85\x0b\x0c]")
_BLANKS = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_JOINERS = re.compile("(?<=[^\\W\\d_])[\u200d\ufe00-\ufe0f]+")
"""What makes one emoji of several, behind a letter."""
_LONGEST_WORDS = 30_000
"""Signs of a person's own words; whoever writes more writes no order."""


def read_letter(raw: bytes, *, authserv: str = "", own: str = "", sent: Iterable[str] = ()) -> Letter:
    """Read a letter.

    ``authserv``: id of our own provider's server, whose Authentication-Results are believed ("" believes nothing);
    ``own``: our address, to know our own letters; ``sent``: texts that we sent to this writer, whose lines are no new words
    however they are quoted. Any bytes give a record; time grows with the letter's size only.
    """
    head = Head.of_letter(raw)
    sender = _sender(head)
    body, problems = _read_body(raw)
    stripped = _strip(echoes.marked(body.lines, sent))
    text = stripped.text[:_LONGEST_WORDS]
    if not stripped.whole or len(text) < len(stripped.text):
        problems.append("too_complicated")
    if not sender.address:
        problems.append("no_sender")
    several = sender.several or len(head.all("from")) > 1
    if several:
        problems.append("several_senders")
    message_id = head.message_id()
    if message_id is None:
        problems.append("no_message_id")
    full_text = _squeeze("\n".join(line.text for line in body.lines))
    kind = kinds.kind_of(head, sender, body.parts, stripped.text, full_text, own)
    if kinds.is_doubtful(kind, head, sender, body.parts):
        problems.append("robot_doubtful")
    if stripped.between:
        problems.append("between_quotes")
    if not stripped.text:
        problems.append("nothing_new" if full_text else "no_text")
    domain = "" if several else sender.address.rpartition("@")[2]
    return Letter(
        from_name=sender.name,
        from_address=sender.address,
        subject=head.text("subject"),
        message_id=message_id,
        kind=kind,
        text=text,
        auth=auth.verdict((value.decode("utf-8", "replace") for value in head.all("authentication-results")), authserv, domain),
        problems=tuple(name for name in PROBLEMS if name in problems),
        full_text=full_text,
        in_reply_to=head.message_id("in-reply-to") if head.raw("in-reply-to") else None,
        failed_recipients=kinds.failed_recipients(head, body.parts, full_text) if kind == "bounce" else (),
    )


def sender_of(raw: bytes) -> str:
    """The address in a raw letter's From, as ``read_letter`` gives it; "" where there is none."""
    return _sender(Head.of_letter(raw)).address


def _sender(head: Head) -> Mailbox:
    return head.mailbox("from") if head.raw("from") is not None else head.mailbox("sender")


def _read_body(raw: bytes) -> tuple[bodies.Body, list[str]]:
    try:
        body = bodies.read_body(raw)
    except Exception:  # the standard MIME parser raises errors of many kinds on broken letters; a record must come all the same
        body = bodies.Body((), ("unreadable",), ())
    return body, list(body.problems)


def _strip(lines: Sequence[Line]) -> Stripped:
    stripped = strip(lines)
    return Stripped(_squeeze(stripped.text), stripped.doubtful, stripped.between, stripped.whole)


def _squeeze(text: str) -> str:
    """Without signs that nobody sees, without blank lines in heaps."""
    clean = visible(_BLANKS.sub(" ", _LINE_ENDS.sub("\n", text)).replace("\r", "").replace("\ufffd", ""))
    clean = _STRESS.sub("", _JOINERS.sub("", clean))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in clean.split("\n"))).strip()


def sentences(problems: Sequence[str]) -> list[str]:
    """The problems as sentences for the host."""
    return [PROBLEMS[name] for name in problems]
