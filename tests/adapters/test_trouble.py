"""Rows of the list of troubles that pages and letters alone decide (parts A and D)."""

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from adapters.mail.letters import read_letter
from adapters.phpbb.pages import read_thread as read_phpbb
from adapters.ucoz.layout import Layout
from adapters.ucoz.pages import read_thread

PAGES = Path(__file__).parents[1] / "pages"
MOSCOW = ZoneInfo("Europe/Moscow")
NOW = datetime(2026, 11, 29, 21, 1, tzinfo=UTC)
"""One past midnight in Moscow, still yesterday in UTC."""


def ucoz_page() -> str:
    return (PAGES / "ucoz" / "01_old_table_votes.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("printed", ["1 024", "1\xa0024", "1,024"])
def test_a_thousands_separator_belongs_to_the_number(printed: str) -> None:
    """T08."""
    page, count = re.subn(r'(class="postNumberLink"[^>]*>)\s*\d+', rf"\g<1>{printed}", ucoz_page(), count=1)
    assert count == 1
    read = read_thread(page, fetched=NOW, zone=MOSCOW, layout=Layout.of({}))
    assert read.posts[0].number == 1024


@pytest.mark.parametrize(
    ("printed", "day"), [("Сегодня, 00:00", datetime(2026, 11, 30, 0, 0)), ("Вчера, 00:10", datetime(2026, 11, 29, 0, 10)),
                         ("Вчера, 23:58", datetime(2026, 11, 29, 23, 58))],
)  # fmt: skip
def test_relative_days_are_the_forums_days(printed: str, day: datetime) -> None:
    """T12: fetched one past midnight in Moscow by a machine in UTC."""
    pattern = r"\d{2}\.\d{2}\.\d{4}, \d{2}:\d{2}"
    page, count = re.subn(pattern, printed, ucoz_page(), count=1)
    assert count == 1
    page = re.sub(r"-16-\d+", "-1", page)  # permalinks tell the exact second
    first = read_thread(page, fetched=NOW, zone=MOSCOW, layout=Layout.of({})).posts[0]
    assert first.posted == day.replace(tzinfo=MOSCOW)
    assert first.posted is not None
    assert str(first.posted.astimezone(MOSCOW))[-6:] == "+03:00"


@pytest.mark.parametrize("link", ["viewtopic.php?p=123#p123", "./viewtopic.php?t=5&amp;p=123&amp;sid=ab#p123"])
def test_a_boards_links_may_change_and_the_id_stays(link: str) -> None:
    """T10."""
    from adapters.phpbb.layout import Layout as PhpbbLayout

    page = (PAGES / "phpbb" / "01_prosilver33_ru_member.html").read_text(encoding="utf-8")
    first = read_phpbb(page, fetched=NOW, zone=MOSCOW, layout=PhpbbLayout.of({})).posts[0].id
    changed = re.sub(rf'href="[^"]*viewtopic\.php[^"]*p={first}[^"]*#p{first}"', f'href="{link}"', page)
    changed = changed.replace(f'id="p{first}"', 'id="p123"').replace(f'"post_content{first}"', '"post_content123"')
    assert changed != page
    assert 123 in [post.id for post in read_phpbb(changed, fetched=NOW, zone=MOSCOW, layout=PhpbbLayout.of({})).posts]


def test_the_plain_part_is_found_however_deep_it_lies() -> None:
    """T37: mixed, in it alternative, in it the plain text; and a picture beside."""
    raw = (
        "From: anna@example.org\r\nTo: host@example.org\r\nSubject: ход\r\nMessage-ID: <a@b>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/mixed; boundary="m"\r\n\r\n'
        '--m\r\nContent-Type: multipart/alternative; boundary="a"\r\n\r\n'
        "--a\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\nлечу Анну\r\n"
        "--a\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n<p>лечу Анну</p>\r\n--a--\r\n"
        "--m\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--m--\r\n"
    )
    letter = read_letter(raw.encode())
    assert letter.text == "лечу Анну"
    assert letter.kind == "letter"
