"""Where Chalk keeps its pages, and what marks what on them."""

from adapters.places import ABSENT, FAR, Places, Wanted


def _fixed(wanted: Wanted, uid: int) -> tuple[tuple[str, str], ...]:
    return (
        ("home", "/index.php"),
        ("section", f"/shelf.php?f={wanted.section}"),
        ("thread", f"/topic.php?t={wanted.topic}&p=1"),
        ("past_the_end", f"/topic.php?t={wanted.topic}&p={FAR}"),
        ("new_topic", f"/pen.php?f={wanted.section}"),
        ("inbox", "/box.php?folder=in"),
        ("sent", "/box.php?folder=out"),
        ("compose", f"/pen.php?u={uid}"),
        ("missing", f"/topic.php?t={ABSENT}&p=1"),
        *((("closed", f"/topic.php?t={wanted.closed}&p=1"),) if wanted.closed else ()),
    )


PLACES = Places(
    section=lambda section: (f"/shelf.php?f={section}", r"/topic\.php\?t=(\d+)"),
    thread=lambda topic, number, _first: f"/topic.php?t={topic}&p={number}",
    fixed=_fixed,
    guest=lambda wanted: (("guest_thread", f"/topic.php?t={wanted.topic}&p=1"), ("guest_login", "/index.php")),
    message=lambda message: f"/letter.php?m={message}",
    message_link=r"[?&]m={id}\b",
    topic_links="ul.shelf a",
    section_title="h1",
    message_lists="ul.box",
    login_form="form.enter",
    keys={"posts": "text_classes", "author": "text_classes", "letter": "text_classes"},
    root=r"/[^/]*\.php$",
    section_hint="shelf.php?f=3 - это 3",
    section_number=r"(?<=[?&]f=)\d+",
    words="вы выйти войти лист из исправлено стёрто нет такой темы в ч полка полки письма написать",
    nicks="a.who, p.me b",
    titles="h1, ul.shelf a, ul.box a",
    own_classes=("who",),
    messages=r"\bchalk\b",
    people=("[?&](?:amp;)?u=",),
    numbers=r"\d{1,2}\.\d{1,2}\.\d{4} в \d{1,2}ч\d\d|лист \d+ из \d+",
)
