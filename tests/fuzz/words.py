"""What hostile texts are made of: the dictionaries of the fuzz targets, and how pieces of them come together."""

# ruff: noqa: E501  -- dictionaries stay whole
from __future__ import annotations

from hypothesis import strategies as st

NICKS = ("Анна", "Борис", "Вера", "Глеб", "Кот-ученый", "O'Хара", "Ёж", "Неон", "xXx", "Р2Д2")
MOVES = (
    "Линч:", "голосую за", "Виновен", "меняю голос", "бью", "лечу", "проверяю", "стреляю в", "Жертва:", "Рассказ:", "ход", "отменяю",
    "снимаю голос", "играю", "снимаюсь", "если", "или", "не", "то", "кроме", "всех", "никого", "1", "2", "№3", "баланс", "код",
    "покупаю защиту от мафии", "скидываю 10 монет на щит некроманту", "цель:", "и", ",", ".", "!", "?", ";", "—", "«", "»", '"',
)  # fmt: skip
TAGS = (
    "[b]", "[/b]", "[i]", "[/i]", "[color=red]", "[color=blue]", "[color=#ff0000]", "[/color]", "[quote]", "[quote=Анна;7]", "[/quote]",
    "[spoiler=x]", "[/spoiler]", "[code]", "[/code]", "[s]", "[/s]", "[url=http://e.example]", "[/url]", "[img]", "[/img]", "[hide]",
    "[/hide]", "[list]", "[*]", "[/list]", "[size=30]", "[/size]", "[", "]", "[[", "[ b]", "[\xa0b]", "[=AFK=]", "[/", "[color=",
)  # fmt: skip
HTML = (
    "<b>", "</b>", '<span style="color:red">', "</span>", '<font color="#00f">', "</font>", "<br>", "<div>", "</div>", "<blockquote>",
    "</blockquote>", "<!--", "-->", "<!--uzquote-->", "<script>", "</script>", "<s>", "</s>", "<pre>", "</pre>", "<table>", "<td>", "</td>",
    '<div class="bbQuoteBlock">', '<div class="content">', '<span class="ucoz-forum-post" id="ucoz-forum-post-7">', "<p", "<", ">", "&lt;",
    "&#91;", "&nbsp;", "&amp;", "<svg><style>", "<textarea>", '<img alt="🐺" class="emoji">', 'style="display:none"', "=", "'",
)  # fmt: skip
LIVE = ("http://evil.example/x", "www.evil.example", "a@b.example", ":)", ":D", ";-)", ":lol:", "B)", "&#58;)", "javascript:alert(1)")
OURS = (
    "Победа: мирные жители.", "Живые: никого.", "Мёртвые:", "Казни не было.", "Ночью погиб", "[маф][повешение]", "Партия. День 2",
    "Ведущий исправил итог", "{{ facts }}", "{% for x in y %}", "{#", "Цитата", "писал(а):",
)  # fmt: skip
ODD = (
    "\x00", "\x07", "\x1b[31m", "\u200b", "\u200d", "\u202e", "\u2066", "\u2028", "\x85", "\ufeff", "\xa0", "\u0301", "\U0001f43a", "\ufffd",
    "\ud7ff", "ﷺ", "\u0130", "ß", "ǅ", "и\u0306",
)  # fmt: skip
BLANKS = (" ", "\n", "\n\n\n", "\t", "\r\n", " \n ")

piece = st.one_of(
    *(st.sampled_from(words) for words in (NICKS, MOVES, TAGS, HTML, LIVE, OURS, ODD, BLANKS)), st.text(max_size=12), st.just("я" * 70)
)


@st.composite
def texts(draw: st.DrawFn, most: int = 60) -> str:
    """Pieces one behind the other, some of them many times over."""
    parts = draw(st.lists(st.tuples(piece, st.sampled_from((1, 1, 1, 1, 2, 3, 40))), max_size=most))
    glue = draw(st.sampled_from(("", " ", "\n")))
    return glue.join(one * times for one, times in parts)


HEADERS = (
    "From: Анна <anna@example.org>", "From: anna@example.org, boris@example.org", "From: =?utf-8?b?0JDQvdC90LA=?= <a@b.example>",
    "From: =?utf-8?q?=D0=?=", "From:", "Subject: =?koi8-r?b?yM/E?=", "Subject: ход [gk1]", "Subject: \x80\xff", "Subject: =?x-none?q?=80?=",
    "Message-ID: <1@example.org>", "Date: Tue, 1 Dec 2026 12:00:00 +0300", "Date: never", "MIME-Version: 1.0", "Content-Type: text/plain",
    "Content-Type: text/plain; charset=utf-8", "Content-Type: text/plain; charset=utf-7", "Content-Type: text/html; charset=cp1251",
    "Content-Type: multipart/mixed; boundary=x", "Content-Type: multipart/alternative; boundary=\"x\"", "Content-Type: message/rfc822",
    "Content-Type: text/plain; charset*=x''%80", "Content-Transfer-Encoding: base64", "Content-Transfer-Encoding: quoted-printable",
    "Content-Transfer-Encoding: uuencode", "Auto-Submitted: auto-replied", "In-Reply-To: <x>", "X-Long: " + "a" * 2_000, " folded",
    "Authentication-Results: mx.example; dmarc=pass header.from=example.org", "Authentication-Results: mx.example; spf=pass (\"",
)  # fmt: skip
BODIES = ("--x\r\n", "--x--\r\n", "\r\n\r\n", "=D0=90", "0JDQvdC90LA=", "> цитата\r\n", "On Monday Anna wrote:\r\n", "-- \r\n", "begin 644 x\r\n")


@st.composite
def letters(draw: st.DrawFn) -> bytes:
    """A head of known and broken lines, a body of parts, quotations and words."""
    head = draw(st.lists(st.one_of(st.sampled_from(HEADERS), st.text(max_size=30)), max_size=12))
    body = draw(st.lists(st.one_of(st.sampled_from(BODIES), st.sampled_from(HEADERS), texts(most=8)), max_size=12))
    raw = "\r\n".join(head) + "\r\n\r\n" + "\r\n".join(body)
    charset = draw(st.sampled_from(("utf-8", "cp1251", "koi8-r", "utf-16")))
    return raw.encode(charset, "surrogatepass" if charset == "utf-8" else "replace") + draw(st.binary(max_size=20))
