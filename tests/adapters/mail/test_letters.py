"""Raw letters: charsets, head fields, MIME trees, HTML, kinds and the provider's verdict; the agreed letters and many more."""
# ruff: noqa: E501 - the tables hold letters as mail programs make them, one to a row

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.mail.charsets import decode
from adapters.mail.letters import PROBLEMS, read_letter
from adapters.model import Letter
from forumbot.cli.read_letter import command

AGREED = Path(__file__).parents[2] / "letters"


def letter(body: str | bytes, *heads: str, kind: str = "text/plain; charset=utf-8", sender: str = "Anna <a@example.com>") -> bytes:
    """A raw letter with these heads beside the usual ones."""
    names = {head.split(":")[0].lower() for head in heads}
    usual = [f"From: {sender}", "Subject: hod", "Message-ID: <1@example.com>", f"Content-Type: {kind}"]
    lines = [head for head in usual if head.split(":")[0].lower() not in names] + list(heads)
    return "\n".join(lines).encode() + b"\n\n" + (body.encode() if isinstance(body, str) else body)


def html(body: str, **more: str) -> Letter:
    return read_letter(letter(body, kind="text/html; charset=utf-8", **more))


def parts(kind: str, *children: str) -> bytes:
    body = "".join(f"--bnd\n{child}\n" for child in children) + "--bnd--\n"
    return letter(body, kind=f'multipart/{kind}; boundary="bnd"')


def plain(text: str, more: str = "") -> str:
    return f"Content-Type: text/plain; charset=utf-8{more}\n\n{text}\n"


def marked(text: str) -> str:
    return f"Content-Type: text/html; charset=utf-8\n\n{text}\n"


@pytest.mark.parametrize("path", sorted(AGREED.glob("*.eml")), ids=lambda path: path.stem)
def test_an_agreed_letter_is_read_as_agreed(path: Path) -> None:
    want = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    ran = CliRunner().invoke(command, [*want.get("options", []), "--json", str(path)])
    got = json.loads(ran.stdout)
    assert ran.exit_code == 0
    for key in ("kind", "auth"):
        assert got[key] == want.get(key, got[key])
    for key in ("subject", "text"):
        assert got[key].split() == want.get(key, got[key]).split()
    for key, value in want.get("from", {}).items():
        assert got["from"][key].lower() == value.lower()
    assert not [lack for lack in want.get("text_lacks", []) if lack in got["text"]]


MOVE = "Сегодня ночью лечу Настасью, завтра посмотрим"


@pytest.mark.parametrize("label", ["utf-8", "us-ascii", "windows-1251", "koi8-r", "iso-8859-1", "unknown-8bit", "x-strange", "cp-1251", ""])
@pytest.mark.parametrize("true", ["utf-8", "cp1251", "koi8-r", "cp866", "iso-8859-5"])
@pytest.mark.parametrize("text", [MOVE, "ЛЕЧУ НАСТАСЬЮ, СКОРЕЕ", "бью Анну", "Голосую против Крейга"])
def test_the_true_charset_is_found_whatever_the_label_says(text: str, true: str, label: str) -> None:
    """T38."""
    assert decode(text.encode(true), label).text == text


def test_a_text_that_was_encoded_twice_is_put_right() -> None:
    assert decode("Лечу Настасью".encode().decode("cp1251").encode(), "utf-8").text == "Лечу Настасью"
    assert decode("РОЛЬ: С. Рыжов".encode(), "utf-8").text == "РОЛЬ: С. Рыжов"


@pytest.mark.parametrize("text", ["ход", "Ход Совы", "лечу Пломбира", "Ведущий"])
@pytest.mark.parametrize("true", ["cp1251", "koi8-r", "utf-8"])
def test_raw_eight_bit_heads_are_read(text: str, true: str) -> None:
    raw = b"From: " + text.encode(true) + b" <a@example.com>\nSubject: " + text.encode(true) + b"\n\nx"
    got = read_letter(raw)
    assert (got.from_name, got.from_address, got.subject) == (text, "a@example.com", text)


SENDERS = {
    '"Анна, врач" <a@example.com>': ("Анна, врач", "a@example.com"),
    "a@example.com": ("", "a@example.com"),
    "<a@example.com>": ("", "a@example.com"),
    "a@example.com (Анна)": ("Анна", "a@example.com"),
    '"Anna \\"Doc\\" K." <a@example.com>': ('Anna "Doc" K.', "a@example.com"),
    "[клан] Анна <a@example.com>": ("[клан] Анна", "a@example.com"),
    "Анна: врач <a@example.com>": ("Анна: врач", "a@example.com"),
    '"b@example.net" <a@example.com>': ("b@example.net", "a@example.com"),
    "b@example.net <a@example.com>": ("b@example.net", "a@example.com"),
    "=?utf-8?B?YkBleGFtcGxlLm5ldA==?= <a@example.com>": ("b@example.net", "a@example.com"),
    "=?utf-8?Q?<b@example.net>?=": ("<b@example.net>", ""),
    "=?utf-8?Q?=D0=90=D0=BD=D0=BD=D0=B0?=<a@example.com>": ("Анна", "a@example.com"),
    '"=?utf-8?Q?=D0=90=D0=BD=D0=BD=D0=B0?=" <a@example.com>': ("Анна", "a@example.com"),
    "=?utf-8?Q?=22=D0=90=D0=BD=D0=BD=D0=B0=22?= <a@example.com>": ("Анна", "a@example.com"),
    "=?koi8-r?B?4c7OwQ==?= =?koi8-r?B?4c7OwQ==?= <a@example.com>": ("АннаАнна", "a@example.com"),
    "=?utf-8?B?0JDQvQ?= =?utf-8?B?0L3QsA==?= <a@example.com>": ("Анна", "a@example.com"),
    "Анна <a@example.com": ("Анна", "a@example.com"),
    "Анна": ("Анна", ""),
    "": ("", ""),
    "\"": ("", ""),
    "(": ("", ""),
}


@pytest.mark.parametrize(("field", "want"), SENDERS.items())
def test_a_sender_is_a_name_and_an_address(field: str, want: tuple[str, str]) -> None:
    got = read_letter(letter("x", sender=field))
    assert (got.from_name, got.from_address) == want


TREES = {
    "T37_mixed_alternative_and_picture": parts(
        "mixed",
        'Content-Type: multipart/alternative; boundary="in"\n\n--in\n' + plain("лечу Анну") + "--in\n" + marked("<p>лечу Анну</p>") + "--in--",
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n",
    ),
    "alternative_html_first": parts("alternative", marked("<p>лечу Анну</p>"), plain("лечу Анну")),
    "stub_english": parts("alternative", plain("Your email client does not support HTML messages"), marked("лечу Анну")),
    "stub_russian": parts("alternative", plain("Это сообщение в формате HTML. Включите поддержку HTML."), marked("лечу Анну")),
    "question_marks": parts("alternative", plain("???? ????"), marked("лечу Анну")),
    "source_in_text": parts("alternative", plain("<div>лечу <b>Анну</b></div>"), marked("<div>лечу <b>Анну</b></div>")),
    "glued_words": parts("alternative", plain("лечуАнну"), marked("<div>лечу</div><div>Анну</div>")),
    "leaking_quotation": parts(
        "alternative", plain("лечу Анну\nВедущий: вчера били Сову"), marked("лечу Анну<blockquote>Ведущий: вчера били Сову</blockquote>")
    ),
    "attached_text": parts("mixed", plain("лечу Анну"), plain("бью Сову", "\nContent-Disposition: attachment; filename=a.txt")),
    "named_text": parts("mixed", plain("лечу Анну"), plain("бью Сову", "; name=old.txt")),
    "attached_letter": parts("mixed", plain("лечу Анну"), "Content-Type: message/rfc822\n\nSubject: x\n\nбью Сову\n"),
    "attached_html": parts(
        "mixed", plain("лечу Анну"), "Content-Type: text/html\nContent-Disposition: attachment; filename=a.html\n\n<p>бью Сову</p>"
    ),
    "calendar": parts("alternative", plain("лечу Анну"), "Content-Type: text/calendar\n\nSUMMARY:бью Сову\n"),
    "signed": parts("signed", plain("лечу Анну"), "Content-Type: application/pgp-signature\n\n-----BEGIN PGP SIGNATURE-----\n"),
    "related": parts("related", marked("лечу Анну<img src='cid:1' alt='бью Сову'>"), "Content-Type: image/png\n\nx"),
    "list_footer_part": parts("mixed", plain("лечу Анну"), plain("_______________________________\nigra mailing list\nigra@example.org")),
    "phone_after_picture": parts("mixed", plain("лечу"), "Content-Type: image/png\n\nx", plain("Анну\n\nОтправлено с iPhone")),
    "no_boundary_parameter": letter("--zz\n" + plain("лечу Анну") + "--zz--\n", kind="multipart/mixed"),
    "wrong_boundary_parameter": letter("--zz\n" + plain("лечу Анну") + "--zz--\n", kind="multipart/mixed; boundary=other"),
    "cut_after_words": letter("--b\n" + plain("лечу Анну") + "--b\nContent-Type: image/jpeg\nContent-Transf", kind="multipart/mixed; boundary=b"),
    "no_content_type": b"From: a@example.com\n\n" + "лечу Анну".encode(),
    "content_type_text": letter("лечу Анну", kind="text"),
    "content_type_nonsense": letter("лечу Анну", kind=";;=;"),
    "encoding_upper_case": letter(base64.b64encode("лечу Анну".encode()), "Content-Transfer-Encoding: BASE64"),
    "encoding_with_comment": letter("=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=\n=D0=BD=D1=83", "Content-Transfer-Encoding: quoted-printable (x)"),
    "encoding_not_told": letter("=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=D0=BD=D1=83"),
    "encoding_false": letter("лечу Анну", "Content-Transfer-Encoding: base64"),
    "T39_soft_line_end": letter("=D0=BB=D0=B5=D1=87=D1=83 =D0=90=D0=BD=\r\n=D0=BD=D1=83\r\n", "Content-Transfer-Encoding: quoted-printable"),
    "html_called_plain": letter("<html><body><p>лечу <b>Ан</b>ну</p></body></html>"),
    "flowed": letter("лечу \nАнну\n-- \nАнна \nбью Сову", kind="text/plain; charset=utf-8; format=flowed"),
    "flowed_delsp": letter("лечу Ан \nну", kind="text/plain; charset=utf-8; format=flowed; delsp=yes"),
    "flowed_quotation": letter("> бью \n> Сову\nлечу Анну", kind="text/plain; charset=utf-8; format=flowed"),
    "crlf_mbox_line": b"From a@example.com Tue Nov 24\r\nFrom: a@example.com\r\n\r\n" + "лечу Анну\r\n".encode(),
    "pgp": letter("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nлечу Анну\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"),
}


@pytest.mark.parametrize("raw", TREES.values(), ids=TREES.keys())
def test_one_part_is_the_letter(raw: bytes) -> None:
    assert read_letter(raw).text.split() == ["лечу", "Анну"]


OLD = "Ведущий: вчера били Сову"
PAGES = {
    "gmail": f'<div dir="ltr">лечу Анну</div><br><div class="gmail_quote"><div class="gmail_attr">вт, 24 нояб. 2026 г. в 21:03, В &lt;m@example.org&gt;:<br></div><blockquote class="gmail_quote">{OLD}</blockquote></div>',
    "gmail_foreign_attribution": f'лечу Анну<div class="gmail_quote"><div class="gmail_attr">Le mar. 24 nov. 2026 a écrit</div><blockquote>{OLD}</blockquote></div>',
    "gmail_answer_below": f'<div class="gmail_quote"><div class="gmail_attr">вт, 24 нояб. 2026 г. в 21:03, В &lt;m@example.org&gt;:</div><blockquote class="gmail_quote">{OLD}</blockquote><div>лечу Анну</div></div>',
    "gmail_forward": f'лечу Анну<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>От: В &lt;m@example.org&gt;<br>Date: вт, 24 нояб. 2026 г.<br>Subject: x<br>To: a@example.com<br></div><br>{OLD}</div>',
    "yandex": f'<div>лечу Анну</div><div> </div><div>24.11.2026, 21:03, "В" &lt;m@example.org&gt;:</div><blockquote><p>{OLD}</p></blockquote>',
    "yandex_signature": f'<div>лечу Анну</div><div>-- <br>Отправлено из мобильной Яндекс Почты</div><div>24.11.2026, 21:03, "В" &lt;m@example.org&gt;:</div><blockquote>{OLD}</blockquote>',
    "mailru": f'<div>лечу Анну</div><div class="mail-quote-collapse"><blockquote>Вторник, 24 ноября 2026, 21:03 +03:00 от В &lt;m@example.org&gt;:<br>{OLD}</blockquote></div><div data-signature-widget="container">--<br>Анна бью Сову</div>',
    "mailru_app": f'лечу Анну<br>Отправлено из Mail для Android<br>вторник, 24 ноября 2026 г., 21:03 +0300 от m@example.org &lt;m@example.org&gt;:<br><div id="mail-app-auto-default-quote">{OLD}</div>',
    "outlook": f'<p class="MsoNormal">лечу Анну<o:p></o:p></p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> В &lt;m@example.org&gt;<br><b>Sent:</b> 24 ноября 2026 г. 21:03<br><b>To:</b> Анна<br><b>Subject:</b> ход</p></div><p>{OLD}</p>',
    "outlook_web": f'<div>лечу Анну</div><hr><div id="divRplyFwdMsg"><b>От:</b> В<br><b>Отправлено:</b> вчера<br><b>Тема:</b> ход</div><div>{OLD}</div>',
    "outlook_phone": f'<div>лечу Анну</div><div id="ms-outlook-mobile-signature">Получите <a>Outlook для iOS</a></div><div class="ms-outlook-mobile-reference-message">{OLD}</div>',
    "thunderbird": f'<p>лечу Анну</p><div class="moz-cite-prefix">24.11.2026 21:03, В пишет:<br></div><blockquote type="cite">{OLD}</blockquote><div class="moz-signature">-- <br>бью Сову</div>',
    "apple": f'лечу Анну<div><br><blockquote type="cite"><div>24 нояб. 2026 г., в 21:03, В &lt;m@example.org&gt; написал(а):</div><div>{OLD}</div></blockquote></div>',
    "ios_signature": 'лечу Анну<div id="AppleMailSignature">Отправлено с iPhone</div>',
    "samsung": f'лечу Анну<div id="composer_signature">Отправлено с моего устройства Galaxy</div><div>-------- Исходное сообщение --------</div><div>От: В &lt;m@example.org&gt;</div><div>Дата: 24.11.2026</div><div>{OLD}</div>',
    "yahoo": f'лечу Анну<div class="yahoo_quoted"><div>вторник, 24 ноября 2026 г. в 21:03, В написал(-а):</div><div>{OLD}</div></div>',
    "proton": f'лечу Анну<div class="protonmail_signature_block">Sent with Proton Mail</div><div class="protonmail_quote">On Tuesday wrote:<blockquote>{OLD}</blockquote></div>',
    "roundcube": f'лечу Анну<p id="reply-intro">В писал 2026-11-24 21:03:</p><blockquote>{OLD}</blockquote>',
    "hidden_style": 'лечу <span style="display: none">Сову</span>Анну',
    "hidden_attribute": "лечу <span hidden>Сову</span>Анну",
    "hidden_by_sheet": '<style>.pre{display:none} @media print{.own{display:none}}</style><div class="pre">бью Сову</div><div class="own">лечу Анну</div>',
    "hidden_small": '<span style="font-size:0px">бью Сову</span>лечу Анну',
    "script_title_comment": "<title>бью Сову</title><script>бью()</script><!-- бью Сову -->лечу Анну<img alt='бью Сову'>",
    "struck": "<s>бью Сову</s> лечу Анну",
    "struck_style": '<span style="text-decoration:line-through">бью Сову</span> лечу Анну',
    "cut_nick": "ле<b>чу</b> А<i>н</i>н<wbr>у",
    "soft_hyphen": "лечу Ан&shy;ну",
    "entities": "лечу&nbsp;&#1040;&#1085;&#x43D;у",
    "table": "<table><tr><td>лечу</td><td>Анну</td></tr></table>",
    "list": "<ul><li>лечу<li>Анну</ul>",
    "pre": "<pre>лечу\nАнну\n-- \nбью Сову</pre>",
    "unclosed": "<div><p>лечу<div>Анну",
    "avast": 'лечу Анну<div id="DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2"><table><tr><td>Virus-free.www.avast.com</td></tr></table></div>',
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_html_gives_the_words_that_a_person_sees_and_wrote(page: str) -> None:
    assert html(page).text.split() == ["лечу", "Анну"]


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_html_beside_a_text_part_that_marks_nothing_still_gives_the_new_words(page: str) -> None:
    raw = parts("alternative", plain("лечу Анну"), marked(page))
    assert read_letter(raw).text.split() == ["лечу", "Анну"]


KINDS = {
    "T46_vacation": ("auto_reply", letter("Я в отпуске, лечу в Анапу", "Auto-Submitted: auto-replied")),
    "generated": ("auto_reply", letter("x", "Auto-Submitted: auto-generated (rejected)")),
    "auto_submitted_no": ("letter", letter("лечу Анну", "Auto-Submitted: no")),
    "autorespond": ("auto_reply", letter("x", "X-Autorespond: ход")),
    "autoreply_no": ("letter", letter("x", "X-Autoreply: no")),
    "bulk": ("auto_reply", letter("x", "Precedence: bulk")),
    "junk": ("auto_reply", letter("x", "Precedence: junk")),
    "list": ("letter", letter("x", "Precedence: list", "List-Post: <mailto:l@example.org>", "List-Unsubscribe: <mailto:u@example.org>")),
    "old_list": ("letter", letter("x", "Precedence: bulk", "List-Post: <mailto:l@example.org>")),
    "mass": ("auto_reply", letter("x", "List-Unsubscribe: <mailto:u@example.org>", "Feedback-ID: 1")),
    "exchange_english": ("auto_reply", letter("x", "Subject: Automatic reply: move")),
    "exchange_russian": ("auto_reply", letter("x", "Subject: Автоматический ответ: ход")),
    "out_of_office": ("auto_reply", letter("x", "Subject: Out of Office: move")),
    "person_about_robot": ("letter", letter("x", "Subject: Re: Автоматический ответ: ход")),
    "person_word": ("letter", letter("x", "Subject: Автоответчик сломался, вот мой ход")),
    "person_on_holiday": ("letter", letter("Я в отпуске, но хожу: лечу Анну", "Subject: отпуск", "Return-Path: <a@example.com>")),
    "null_sender": ("auto_reply", letter("x", "Return-Path: <>")),
    "no_reply": ("auto_reply", letter("x", sender="Форум <noreply@example.org>")),
    "receipt_subject": ("auto_reply", letter("x", "Subject: Прочтено: ход")),
    "mdn": ("auto_reply", letter("--b\n" + plain("x") + "--b\nContent-Type: message/disposition-notification\n\nDisposition: displayed\n--b--", kind="multipart/report; report-type=disposition-notification; boundary=b")),
    "dsn": ("bounce", letter("--b\n" + plain("x") + "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; b@example.net\nAction: failed\n--b--", kind="multipart/report; report-type=delivery-status; boundary=b")),
    "mailer_daemon": ("bounce", letter("x", sender="MAILER-DAEMON@example.org (Mail Delivery System)")),
    "postmaster": ("bounce", letter("x", "Subject: Undeliverable: move", sender="postmaster@example.org")),
    "postmaster_person": ("letter", letter("лечу Анну", sender="postmaster@example.org")),
    "qmail": ("bounce", letter("x", "Subject: failure notice", "Return-Path: <>", sender="MAILER-DAEMON@example.org")),
    "exchange_bounce": ("bounce", letter("x", "Subject: Недоставлено: ход", "Return-Path: <>", sender="m@example.org")),
    "person_about_bounce": ("letter", letter("лечу Анну", "Subject: Undelivered Mail Returned to Sender - что это?")),
    "person_forwards_bounce": ("letter", parts("mixed", plain("Вот что пришло"), "Content-Type: message/rfc822\n\nContent-Type: message/delivery-status\n\nAction: failed\n")),
    "empty": ("empty", letter(" \n", "Subject:")),
    "subject_only": ("letter", letter("", "Subject: лечу Анну")),
    "own": ("own", letter("x", "Auto-Submitted: auto-generated", sender="Ведущий <MAFIA@example.org>")),
}


@pytest.mark.parametrize(("kind", "raw"), KINDS.values(), ids=KINDS.keys())
def test_who_speaks_is_told(kind: str, raw: bytes) -> None:
    assert read_letter(raw, own="mafia@example.org").kind == kind


def test_a_bounce_names_the_dead_address_and_a_delay_none() -> None:
    raw = KINDS["dsn"][1]
    assert read_letter(raw).failed_recipients == ("b@example.net",)
    assert read_letter(raw.replace(b"Action: failed", b"Action: delayed")).failed_recipients == ()


VERDICTS = {
    "mx.example.org; dmarc=pass header.from=example.com": "pass",
    "MX.example.org 1; dmarc=pass header.from=example.com": "pass",
    "mx.example.org; dmarc=pass header.from=example.net": "fail",
    "mx.example.org; dkim=pass header.d=mail.example.com": "fail",
    "mx.example.org; dkim=pass header.i=@example.com": "pass",
    "mx.example.org; dkim=pass header.d=example.com.evil.net": "fail",
    "mx.example.org; dkim=fail header.d=example.com": "fail",
    "mx.example.org; spf=pass smtp.mailfrom=a@example.com": "pass",
    "mx.example.org; spf=pass smtp.helo=example.com": "fail",
    "mx.example.org; spf=softfail smtp.mailfrom=a@example.com": "fail",
    "mx.example.org; spf=fail (dmarc=pass header.from=example.com) smtp.mailfrom=a@example.com": "fail",
    'mx.example.org; spf=fail reason="x; dmarc=pass header.from=example.com"': "fail",
    "mx.example.org; none": "none",
    "mx.example.org.evil.net; dmarc=pass header.from=example.com": "none",
    "(mx.example.org) evil.net; dmarc=pass header.from=example.com": "none",
    "": "none",
}


@pytest.mark.parametrize(("field", "want"), VERDICTS.items())
def test_only_our_servers_own_word_proves_a_sender(field: str, want: str) -> None:
    assert read_letter(letter("x", f"Authentication-Results: {field}"), authserv="mx.example.org").auth == want


def test_neighbours_under_one_public_suffix_prove_nothing() -> None:
    raw = letter("x", "Authentication-Results: mx; dkim=pass header.d=evil.com.ru", sender="a@good.com.ru")
    assert read_letter(raw, authserv="mx").auth == "fail"


def test_two_senders_are_never_proven() -> None:
    raw = b"From: b@evil.net\n" + letter("x", "Authentication-Results: mx; dmarc=pass header.from=evil.net")
    assert read_letter(raw, authserv="mx").auth == "fail"


def test_without_a_servers_name_nothing_is_believed() -> None:
    assert read_letter(letter("x", "Authentication-Results: mx; dmarc=pass header.from=example.com")).auth == "none"


BULKY = {
    "deep_divs": letter(b"<div>" * 100_000 + "лечу Анну".encode(), kind="text/html; charset=utf-8"),
    "tables": letter(b"<table><tr><td>" * 30_000 + "лечу Анну".encode(), kind="text/html; charset=utf-8"),
    "quotes": letter("лечу Анну\n" + "".join(">" * (n % 300 + 1) + " бью Сову\n" for n in range(10_000))),
    "quotes_html": letter("лечу Анну" + "<blockquote>бью Сову" * 10_000, kind="text/html; charset=utf-8"),
    "spaces": letter("лечу Анну\n" + " " * 1_000_000),
    "long_quoted_line": letter("лечу Анну\n>" + "бью Сову " * 100_000),
    "long_head": letter("лечу Анну", "To: " + "x <b@example.net>, " * 50_000),
}


@pytest.mark.parametrize("raw", BULKY.values(), ids=BULKY.keys())
def test_bulky_letters_are_read(raw: bytes) -> None:
    assert read_letter(raw).text == "лечу Анну"


@settings(max_examples=150, deadline=None, database=None)
@given(st.binary(max_size=400), st.binary(max_size=400))
def test_any_bytes_give_a_record(head: bytes, body: bytes) -> None:
    for raw in (head + b"\n\n" + body, b"Content-Type: " + head + b"\n\n" + body, b"From: " + head + b"\nSubject: " + body + b"\n\n" + head):
        got = read_letter(raw, authserv="mx", own="a@example.org")
        assert "\ufffd" not in got.text
        assert set(got.problems) <= set(PROBLEMS)


@settings(max_examples=100, deadline=None, database=None)
@given(st.lists(st.sampled_from([
    "Content-Type: multipart/mixed; boundary=b", "Content-Type: text/html", "--b", "--b--", "", "", "<div>", "<blockquote>", "> x", "-- ", "От: А",
    "Тема: Б", "24.11.2026 21:03, В пишет:", "Content-Transfer-Encoding: base64", "=?utf-8?B?0?=", "Authentication-Results: mx; dkim=pass (", "\x00",
]), max_size=30))  # fmt: skip
def test_any_order_of_a_letters_pieces_gives_a_record(pieces: list[str]) -> None:
    assert read_letter("\n".join(pieces).encode(), authserv="mx").kind in ("letter", "empty", "auto_reply", "bounce")


def test_the_command_tells_a_person_in_russian(tmp_path: Path) -> None:
    file = tmp_path / "a.eml"
    file.write_bytes(letter("лечу Анну\n\nОтправлено с iPhone"))
    ran = CliRunner().invoke(command, [str(file)])
    assert ran.exit_code == 0
    assert "лечу Анну" in ran.stdout
    assert "письмо человека" in ran.stdout
    assert "iPhone" not in ran.stdout
