"""Letters as real programs spoil them: quoted without a sign, glued, cut, in two encodings at once, or like a robot's."""

from __future__ import annotations

import base64
from textwrap import wrap

import pytest

from adapters.mail.echoes import MARK
from adapters.mail.letters import DOUBTFUL, read_letter
from adapters.model import Letter

UTF8 = "Content-Type: text/plain; charset=utf-8"
QP = "Content-Transfer-Encoding: quoted-printable"
RECEIPT = (
    "Игра: письмо прочитано\nВы написали: «бью Бориса»\nПринято: «Избиение»: Борис.\n\n"
    "До 21:00 ход можно заменить новым письмом."
)


def letter(body: str | bytes, *fields: str, subject: str = "hod") -> bytes:
    head = f"From: a@example.org\nSubject: {subject}\nMessage-ID: <1@example.org>\n" + "".join(f"{one}\n" for one in fields)
    return head.encode() + b"\n" + (body.encode() if isinstance(body, str) else body)


def read(body: str | bytes, *fields: str, sent: tuple[str, ...] = ()) -> Letter:
    return read_letter(letter(body, *(fields or (UTF8,))), sent=sent)


@pytest.mark.parametrize(
    "announcement",
    [
        "---- On Tue, 01 Dec 2026 14:02:50 +0300 Ведущий <m@example.org> wrote ----",
        "---- Вт, 01 дек 2026 14:02:50 +0300 Ведущий <m@example.org> написал ----",
        "1 декабря 2026, 14:02 - Ведущий",
        "m@example.org",
        "",
    ],
)
@pytest.mark.parametrize("above", ["Спасибо!", "лечу Анну"])
def test_a02_our_own_lines_never_count_whatever_announces_them(announcement: str, above: str) -> None:
    assert read(f"{above}\n\n{announcement}\n\n{RECEIPT}\n", sent=(RECEIPT,)).text == above


@pytest.mark.parametrize(
    "quoted",
    [
        RECEIPT.replace("\n", "\n| "),
        RECEIPT.replace("новым письмом", "новым\nписьмом"),
        RECEIPT.upper(),
        "  " + RECEIPT.replace("\n", "\n   "),
        RECEIPT.replace("\n\n", "\n"),
        RECEIPT.replace("\n", " "),
        "\n".join(wrap(RECEIPT, 40)),
        RECEIPT.replace("\n", "\n» "),
        RECEIPT.replace("\n", "\n|").removesuffix("|"),
        RECEIPT.replace("«", '"').replace("»", '"').replace("ё", "е"),
        RECEIPT.partition("\n")[2],
        "Принято: «Избиение»: Борис.",
        "Вы написали: «бью Бориса»",
    ],
)
def test_a02_our_lines_are_known_however_they_are_broken_and_indented(quoted: str) -> None:
    assert read(f"Спасибо!\n\n{quoted}\n", sent=(RECEIPT,)).text == "Спасибо!"


def test_a02_answers_between_and_below_our_lines_are_read_and_ones_own_words_may_be_repeated() -> None:
    assert read(f"{RECEIPT}\n\nлечу Анну\n", sent=(RECEIPT,)).text == "лечу Анну"
    assert read("бью Бориса\n", sent=(RECEIPT,)).text == "бью Бориса"
    assert read("Принято\n", sent=(RECEIPT,)).text == "Принято"
    inside = "Вы написали: «бью Бориса»\nнет, лечу Анну\nПринято: «Избиение»: Борис.\n"
    assert read(inside, sent=(RECEIPT,)).text == "нет, лечу Анну"
    asked = "Как вас понять?\n1 — лечение: Анна\n2 — лечение: Анна Мария\nОтветьте личным сообщением или письмом."
    assert read("2 — лечение: Анна Мария\n", sent=(asked,)).text == "2 — лечение: Анна Мария"
    assert read(f"2\n\n{asked}", sent=(asked,)).text == "2"


@pytest.mark.parametrize(
    ("html", "want"),
    [
        (f"<p>лечу Анну. {RECEIPT}</p>", "лечу Анну."),
        (f"<p>{RECEIPT} лечу Анну</p>", "лечу Анну"),
        (f"<p>лечу Анну</p><p>Ведущий ответил:</p><p>{RECEIPT}</p>", "лечу Анну"),
    ],
)
def test_a02_our_words_are_known_in_one_line_with_the_writers(html: str, want: str) -> None:
    assert read(html, "Content-Type: text/html; charset=utf-8", sent=(RECEIPT,)).text == want


def test_a02_links_that_a_program_adds_hide_no_line_of_ours() -> None:
    sent = "Тема дня: http://f.example.org/t=5\nСейчас за вами стоит: Избиение: Борис."
    shown = sent.replace("t=5", "t=5 <http://f.example.org/t=5>")
    assert read(f"Спасибо!\n\n{shown}\n", sent=(sent,)).text == "Спасибо!"


def test_a02_zoho_is_known_without_being_told_what_we_sent() -> None:
    zoho = "---- On Tue, 01 Dec 2026 14:02:50 +0300 Ведущий <m@example.org> wrote ----"
    assert read(f"Спасибо!\n\n{zoho}\n\nбью Бориса\n").text == "Спасибо!"


def test_a02_all_below_our_invisible_line_is_old() -> None:
    assert read(f"Спасибо!\n\nВедущий <m@example.org> молвил\n{MARK}\nбью Бориса\n").text == "Спасибо!"
    assert read(f"> {MARK}\n> бью Бориса\nлечу Анну\n").text == "лечу Анну"
    assert MARK not in read(f"лечу Анну{MARK}").text


@pytest.mark.parametrize(
    "fields",
    [
        ("Subject: Прочитано - мой ход",),
        ("Subject: Прочитано",),
        ("Subject: Нет в офисе",),
        ("List-Unsubscribe: <mailto:u@example.org>",),
        ("List-Unsubscribe: <mailto:u@example.org>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"),
        ("Feedback-ID: 1",),
    ],
)
def test_a03_one_weak_sign_makes_no_robot(fields: tuple[str, ...]) -> None:
    told = read_letter("\n".join(("From: a@example.org", "Message-ID: <1@x>", UTF8, *fields, "", "бью Анну")).encode())
    assert (told.kind, told.text, told.problems) == ("letter", "бью Анну", ())


@pytest.mark.parametrize(
    "fields",
    [
        ("Subject: Автоматический ответ: ход",),
        ("Subject: Прочитано: ход",),
        ("Precedence: bulk",),
        ("Return-Path: <>",),
        ("List-Unsubscribe: <mailto:u@example.org>", "Feedback-ID: 1"),
    ],
)
def test_a03_several_or_formal_signs_make_one_that_may_still_be_a_person(fields: tuple[str, ...]) -> None:
    told = read_letter("\n".join(("From: a@example.org", "Message-ID: <1@x>", UTF8, *fields, "", "бью Анну")).encode())
    assert told.kind == "auto_reply" and "robot_doubtful" in told.problems and "robot_doubtful" in DOUBTFUL


def test_a03_a_report_by_its_words_alone_may_be_a_players() -> None:
    head = "Message-ID: <1@x>\nReturn-Path: <>\nSubject: не доставлено письмо ведущему, шлю снова"
    told = read_letter(f"From: a@example.org\n{head}\n{UTF8}\n\nбью Анну".encode())
    assert told.kind == "bounce" and "robot_doubtful" in told.problems
    surely = read_letter(f"From: mailer-daemon@example.org\n{head}\n{UTF8}\n\nбью Анну".encode())
    assert surely.kind == "bounce" and "robot_doubtful" not in surely.problems


def test_a03_a_robot_that_says_so_is_one() -> None:
    for field in ("Auto-Submitted: auto-replied", "X-Autoreply: yes", "Precedence: auto_reply"):
        told = read("Я в отпуске, лечу в Анапу", UTF8, field)
        assert told.kind == "auto_reply" and "robot_doubtful" not in told.problems


OLD = (
    '<div id="divRplyFwdMsg"><b>От:</b> Ведущий &lt;m@example.org&gt;<br><b>Отправлено:</b> 1 декабря 2026 г. 20:00<br>'
    "<b>Кому:</b> a@example.org<br><b>Тема:</b> Ход</div><div>бью Бориса</div>"
)


@pytest.mark.parametrize(
    ("html", "want"),
    [
        (f'<div id="mail-editor-reference-message-container"><div>лечу Анну</div><hr>{OLD}</div>', "лечу Анну"),
        (f'<div>лечу Анну</div><div id="mail-editor-reference-message-container">{OLD}</div>', "лечу Анну"),
        ('<div></div><div id="mail-editor-reference-message-container"><div>лечу Анну</div></div>', "лечу Анну"),
        (f'<div id="mail-editor-reference-message-container">{OLD}</div>', ""),
    ],
)
def test_a05_own_words_in_outlooks_frame_are_read(html: str, want: str) -> None:
    assert read(html, "Content-Type: text/html; charset=utf-8").text == want


@pytest.mark.parametrize(
    "html",
    [
        f'<div class="yahoo_quoted"><div>лечу Анну</div>{OLD}</div>',
        f'<div class="protonmail_quote">лечу Анну<br>{OLD}</div>',
        '<div class="mail-quote">лечу Анну<br>1.12.2026, 14:02 от В &lt;m@e.org&gt;:<br><blockquote>бью Веру</blockquote></div>',
        f'<div id="ms-outlook-mobile-signature">лечу Анну</div><div id="mail-editor-reference-message-container">{OLD}</div>',
        '<div class="gmail_signature">лечу Анну</div><blockquote>бью Бориса</blockquote>',
    ],
)
def test_a05_own_words_that_got_into_a_programs_frame_are_asked_about(html: str) -> None:
    told = read(html, "Content-Type: text/html; charset=utf-8")
    assert told.text == "лечу Анну" and told.problems == ("in_frame",) and "in_frame" in DOUBTFUL


def test_a05_a_frame_beside_own_words_stays_shut() -> None:
    html = '<div>лечу Анну</div><div class="yahoo_quoted">бью Бориса</div><div class="gmail_signature">бей Веру!</div>'
    told = read(html, "Content-Type: text/html; charset=utf-8")
    assert told.text == "лечу Анну" and told.problems == ()


@pytest.mark.parametrize(
    "footer",
    [
        "_____\nMafia mailing list\nhttp://lists.example.org",
        "\nFooter\nunsubscribe here",
        "-- \nПроверено",
        "Unsubscribe",
        "\nX" + "Y" * 43,
    ],
)
@pytest.mark.parametrize("words", ["лечу Анну", "лечу Анну, пожалуйста\n" * 9])
def test_a06_a_footer_glued_below_base64_spoils_nothing(words: str, footer: str) -> None:
    body = base64.encodebytes(words.encode()).decode() + footer + "\n"
    told = read(body, UTF8, "Content-Transfer-Encoding: base64")
    assert told.text.split() == words.split() and "damaged" not in told.problems


BASE64 = "Content-Transfer-Encoding: base64"


@pytest.mark.parametrize(
    ("body", "fields", "want"),
    [
        (base64.b64encode("лечу Анну, да".encode()) + b" -- list footer http://x.example", (UTF8, BASE64), "лечу Анну, да"),
        (b"[EXTERNAL] take care!\n\n" + base64.b64encode("лечу Анну".encode()), (UTF8, BASE64), "лечу Анну"),
        (b"lechu Annu\nspasibo, Boris.", (UTF8, BASE64), "lechu Annu\nspasibo, Boris."),
        (base64.b64encode("лечу Анну и голосую".encode()), (UTF8,), "лечу Анну и голосую"),
    ],
)
def test_a06_a_body_is_decoded_as_far_as_it_is_encoded(body: bytes, fields: tuple[str, ...], want: str) -> None:
    assert read_letter(letter(body, *fields)).text == want


@pytest.mark.parametrize(
    ("body", "fields", "want"),
    [
        ("лечу Анну ❤️ 🔥".encode()[:-1], (UTF8,), "лечу Анну ❤️"),
        ("лечу ".encode() + b"\xed\xa0\x80" + "Анну".encode(), (UTF8,), "лечу Анну"),
        (b"=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=D0=BD=D1=8", (UTF8, QP), "лечу Анн"),
        (b"=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=D0=BD=D1=8 =D1=8F", (UTF8, QP), "лечу Анн я"),
        ("лечу".encode() + b"\xa0" + "Анну".encode(), (UTF8,), "лечу Анну"),
        ("лечу Анну".encode()[:-1], (UTF8,), "лечу Анн"),
        ("лечу Ан".encode() + b"\xff" + "ну".encode(), (UTF8,), "лечу Анну"),
        ("лечу Анну".encode() + b"\xd0\xd0\xd0", (), "лечу Анну"),
    ],
)
def test_a07_a_broken_byte_breaks_no_more_than_itself(body: bytes, fields: tuple[str, ...], want: str) -> None:
    told = read_letter(letter(body, *fields))
    assert told.text == want and told.problems == ("damaged",)


def test_a07_a_line_of_another_encoding_is_read_in_its_own() -> None:
    footer = "Отправлено через шлюз, отписаться нельзя"
    told = read("лечу Анну\n".encode() + footer.encode("cp1251"))
    assert told.text == f"лечу Анну\n{footer}" and "charset_repaired" in told.problems
    told = read("лечу ".encode() + "Анну".encode("cp1251"))
    assert told.text == "лечу Анну" and "damaged" in told.problems
    for encoding in ("cp1251", "koi8-r"):
        assert read("Тётя Сёма бьёт Рёву\nлечу Анну".encode(encoding)).text == "Тётя Сёма бьёт Рёву\nлечу Анну"


def test_a09_marks_of_stress_and_loose_soft_ends_break_no_word() -> None:
    assert read("лечу А\u0301нну, Андрея и\u0306 Ё\u0301жика").text == "лечу Анну, Андрея й Ёжика"
    for end in (b"= \t\n", b"=\n\n", b"=\r\n ", b"=\n"):
        assert read(b"=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=D0=BD=D1" + end + b"=83\n", UTF8, QP).text == "лечу Анну"


@pytest.mark.parametrize(
    "spoilt",
    ["А\u0300нну", "Анн\u0301у", "А´нну", "А\u02c8нну", "Ан\xadну", "Ан\u200dну\ufe0f", "\u202aАнну\u202c", "А\u034fнну"],
)
def test_a09_what_is_not_seen_or_only_tells_the_stress_breaks_no_word(spoilt: str) -> None:
    for fields in ((UTF8,), ("Content-Type: text/html; charset=utf-8",)):
        assert read(f"лечу\u202f{spoilt}\u2028да", *fields).text.split() == ["лечу", "Анну", "да"]
    assert read("лечу О´Нила и Ё\u0308жика 👨\u200d👩").text == "лечу О´Нила и Ё\u0308жика 👨\u200d👩"


@pytest.mark.parametrize("kind", ["plain/text", "text", "TEXT", "html/text"])
def test_a10_a_type_that_nobody_defined_is_read_as_it_was_meant(kind: str) -> None:
    told = read("лечу Анну", f"Content-Type: {kind}; charset=utf-8")
    assert told.text == "лечу Анну" and told.problems == ()


def test_a10_lines_behind_a_bar_are_quoted() -> None:
    assert read("лечу Анну\n| бью Бориса\n| и Веру\n").text == "лечу Анну"
