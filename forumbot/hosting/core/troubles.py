"""What the host must know: each trouble is told once, in one sentence, until it is over, and seldom when it comes and goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from forumbot.hosting.core import modes, outbox
from forumbot.settings import SitePart
from forumbot.store.atwork import SETTLED, between, beyond
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import outbox as outbox_table
from forumbot.store.tables import tellings, troubles

WORDS: Mapping[str, str] = {
    "login_required": "форум не узнаёт бота (страница входа вместо темы): проверьте вход командой «forumbot check»",
    "login_failed": "форум не принял логин или пароль бота: проверьте их командой «forumbot check»",
    "forbidden": "у бота нет прав на эту тему: попросите владельца форума открыть доступ",
    "pm_forbidden": "форум не показывает боту личные сообщения: попросите владельца форума включить их",
    "challenge": "форум показывает проверку «я не робот»: попросите владельца не проверять бота",
    "maintenance": "форум закрыт на обслуживание: узнайте у владельца, надолго ли",
    "truncated": "форум отдаёт оборванные страницы: если это надолго, напишите его владельцу",
    "not_found": "тема не найдена: попросите модератора форума вернуть её на место",
    "no_posts": (
        "на странице темы не видно сообщений: вероятно, изменилось оформление форума, и что вписать в config/forums, "
        "покажут «forumbot capture» и «forumbot facts»"
    ),
    "incomplete": "тему не удалось прочитать целиком: посмотрите, открываются ли все её страницы",
    "miscounted": (
        "форум считает в теме больше сообщений, чем показывает: одобрите сообщения бота, которые ждут модератора, или попросите "
        "модератора пересчитать тему"
    ),
    "program": "на присланном споткнулась сама программа, подробности в журнале бота; остальное читается",
    "unreachable": "форум не отвечает: посмотрите, открывается ли он у вас",
    "mail_unreachable": "почта не отвечает: посмотрите, открывается ли ящик у вас",
    "mail_login_failed": "почтовый сервер не принял логин или пароль: проверьте их командой «forumbot check»",
    "mail_other_name": "сертификат почтового сервера выписан на другое имя, поэтому пароль не послан: проверьте imap_host и "
    "smtp_host в forumbot.toml",
    "mail_wrong_time": "срок сертификата почтового сервера не идёт, поэтому пароль не послан: проверьте часы своего сервера "
    "(«timedatectl»), а если они верны, напишите в поддержку почты",
    "mail_unknown_signer": "сертификат почтового сервера подписан неизвестно кем, поэтому пароль не послан: проверьте imap_host "
    "и smtp_host в forumbot.toml; своему сертификату бот поверит, когда ему поверит система",
    "mail_bad_certificate": "сертификат почтового сервера негоден, поэтому пароль не послан: проверьте imap_host и smtp_host "
    "в forumbot.toml",
    "mail_no_tls": "почтовый сервер на этом порту не шифрует, поэтому пароль не послан: проверьте imap_port, smtp_port, "
    "imap_security и smtp_security в forumbot.toml",
    "mail_no_starttls": "почтовый сервер не предлагает STARTTLS, поэтому пароль не послан: поставьте imap_security и "
    "smtp_security = \"tls\" и порты 993 и 465",
}


_QUIET, _GROWS, _LONGEST_QUIET = 3600, 6, 86400
"""Seconds in which a trouble that has come again once is not told anew, how they grow with each telling, and at most."""
_MOST_ITEMS = 20

FORUM_WIDE = frozenset(("login_required", "login_failed", "challenge", "maintenance", "truncated", "no_posts", "unreachable"))
"""Reasons that concern the forum as a whole, whatever was being read."""


TO_HOST = "host"
"""In the target of a row: it is a word to the host."""
_OTHER_WAY = "/pm"
"""What the key of a lost letter's private message has at its end."""
RETOLD = "retold"
"""In the result of a word to the host that was given up: a later one has told what it said."""


def span(length: timedelta) -> str:
    """A span of time in words: "3 ч 5 мин", "2 д 4 ч"."""
    minutes = round(length.total_seconds() / 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{number} {unit}" for number, unit in ((days, "д"), (hours, "ч"), (rest, "мин")) if number]
    return " ".join(parts[:2]) or "меньше минуты"


def raise_trouble(
    connection: sa.Connection,
    site: SitePart,
    key: str,
    text: str,
    now: datetime,
    *,
    game_id: str | None = None,
    by_pm: bool = False,
    item: str = "",
) -> None:
    """Note a trouble; the first time the host is written to, later times nothing happens. One that is over and comes again is
    told anew, but from then on only after a while that grows, in one letter with how often it came (``tell_due``).

    ``item``: the one thing among several under this key that it concerns this time; each is told."""
    made = connection.execute(
        insert(troubles)
        .values(key=key, game_id=game_id, text=text, since=now, told_at=now)
        .on_conflict_do_nothing(index_elements=["key"])
    )
    told = connection.execute(sa.select(tellings).where(tellings.c.key == key)).mappings().first()
    if told is None:
        known = [item] if item else []
        values = {"game_id": game_id, "text": text, "by_pm": by_pm, "told_at": now, "items": [], "known": known}
        connection.execute(tellings.insert().values(key=key, quiet=0, times=0, **values))
        _tell(connection, site, key, text, now, game_id=game_id, by_pm=by_pm)
        return
    fresh = [item] if item and item not in (*told["items"], *told["known"]) else []
    if made.rowcount or fresh:
        again = {"text": text, "times": told["times"] + made.rowcount, "items": [*told["items"], *fresh]}
        connection.execute(tellings.update().where(tellings.c.key == key).values(again))


_NEWS = Prepared(sa.select(tellings).where(sa.or_(tellings.c.times > 0, tellings.c["items"] != [])))


def is_to_tell(connection: sa.Connection, now: datetime) -> bool:
    """Whether a trouble has come again or has grown, and the host may hear of it now."""
    return any(not timedelta() <= now - told["told_at"] < _quiet(told) for told in _NEWS.rows(connection))


def _quiet(told: Row) -> timedelta:
    """How long after a telling nothing is told."""
    return timedelta(seconds=told["quiet"] if told["times"] else max(told["quiet"], _QUIET))


def tell_due(connection: sa.Connection, site: SitePart, now: datetime) -> None:
    """Tell, in one letter each, of troubles that came again or have grown since the host was told of them; forget those that
    have not come for long."""
    standing = set(connection.execute(sa.select(troubles.c.key)).scalars())
    for told in connection.execute(sa.select(tellings)).mappings().all():
        mine, key, gone = tellings.c.key == told["key"], told["key"], now - told["told_at"]
        quiet = _quiet(told)
        if timedelta() <= gone < quiet:
            continue
        if told["times"] or told["items"]:
            values = {
                "told_at": now, "times": 0, "items": [], "known": [*told["known"], *told["items"]],
                "quiet": min(told["quiet"] * _GROWS, _LONGEST_QUIET) or _QUIET,
            }  # fmt: skip
            connection.execute(tellings.update().where(mine).values(values))
            text = _again(told, gone, over=key not in standing)
            _tell(connection, site, key, text, now, game_id=told["game_id"], by_pm=told["by_pm"])
        elif key not in standing and gone >= 2 * quiet:
            connection.execute(tellings.delete().where(mine))


def _again(told: Row, gone: timedelta, *, over: bool) -> str:
    """What the host reads of a trouble that he has been told of."""
    parts = [told["text"]]
    if told["times"] > 1:
        parts.append(f"С прошлого письма об этом ({span(gone)} назад) это случалось ещё, всего раз: {told['times']}.")
    if told["items"]:
        more = len(told["items"]) - _MOST_ITEMS
        parts.append("То же самое: " + "; ".join(told["items"][:_MOST_ITEMS]) + (f" и ещё {more}." if more > 0 else "."))
    return "\n\n".join([*parts, "Сейчас всё в порядке."] if over else parts)


def _tell(
    connection: sa.Connection, site: SitePart, key: str, text: str, now: datetime, *, game_id: str | None, by_pm: bool
) -> None:
    named = f"trouble/{key}/{now.isoformat()}"
    tell_host(connection, site, named, "Боту нужна помощь", text, now, game_id=game_id, by_pm=by_pm)


_CLEAR = Prepared(troubles.delete().where(troubles.c.key == sa.bindparam("key")))
_CLEAR_ALL = Prepared(
    troubles.delete().where(
        sa.or_(
            troubles.c.key == sa.bindparam("key"),
            *(between(troubles.c.key, sa.bindparam(one), sa.bindparam(f"{one}_end")) for one in ("one", "other")),
        )
    )
)
_CLEAR_COMMON = Prepared(troubles.delete().where(between(troubles.c.key, sa.bindparam("start"), sa.bindparam("end"))))


def clear_trouble(connection: sa.Connection, key: str) -> bool:
    """The trouble is over; gives whether there was one."""
    return _CLEAR.run(connection, key=key).rowcount > 0


def clear_all(connection: sa.Connection, key: str, starts: Sequence[str]) -> None:
    """The trouble of this key, and those whose keys begin in one of at most two ways, are over."""
    one, other = (*starts, "", "")[:2]
    ranges = {"one": one, "one_end": beyond(one) if one else "", "other": other, "other_end": beyond(other) if other else ""}
    _CLEAR_ALL.run(connection, key=key, **ranges)


def clear_common(connection: sa.Connection, prefix: str) -> None:
    """Troubles whose keys begin so are over."""
    _CLEAR_COMMON.run(connection, start=prefix, end=beyond(prefix))


def tell_host(
    connection: sa.Connection,
    site: SitePart,
    key: str,
    subject: str,
    text: str,
    now: datetime,
    *,
    game_id: str | None,
    by_pm: bool = False,
) -> None:
    """One letter to the host; a PM where he gave no address, or ``by_pm`` where letters cannot go and he gave an account."""
    subject = f"[forumbot] {subject}"
    state = modes.state_of_new(connection, game_id)
    if site.host_address and not (by_pm and site.host_uid):
        target = {"address": site.host_address, TO_HOST: True}
        outbox.put(
            connection, key, "letter", target, subject, text, game_id=game_id, priority=outbox.URGENT, now=now, state=state
        )
    elif site.host_nick and site.host_uid:
        # Nicks, subjects and the forum's own words stand in these texts as they came.
        to = {"uid": site.host_uid, "nick": site.host_nick, "plain": True, TO_HOST: True}
        outbox.put(
            connection, key, "pm", to, subject, text, game_id=game_id, priority=outbox.URGENT, now=now, state=state
        )


def unheard(connection: sa.Connection, site: SitePart, row: Row, why: str, now: datetime) -> None:
    """A word to the host that does not reach him. It stands on the desk and in ``forumbot status``, a letter is also tried as a
    private message, and nothing more comes of it: a trouble about telling troubles is never itself told."""
    way = {"letter": "письмом", "pm": "личным сообщением"}.get(row["kind"], row["kind"])
    advice = "проверьте host_address и [mail] в forumbot.toml" if row["kind"] == "letter" else "освободите место в ЛС ведущего"
    text = f"Бот не может написать ведущему {way}: {why}; {advice}, а пока смотрите сюда."
    known = insert(troubles).values(key=unheard_key(row["kind"]), game_id=None, text=text, since=now, told_at=now)
    connection.execute(known.on_conflict_do_update(index_elements=["key"], set_={"text": text}))
    if row["kind"] == "letter" and site.host_nick and site.host_uid:
        to = {"uid": site.host_uid, "nick": site.host_nick, "plain": True, TO_HOST: True}
        more: dict[str, Any] = {"game_id": row["game_id"], "priority": outbox.URGENT, "now": now}
        outbox.put(connection, row["key"] + _OTHER_WAY, "pm", to, row["subject"], row["body"], **more)


_GIVEN_UP = Prepared(
    sa.select(outbox_table)
    .where(SETTLED, outbox_table.c.state == "failed", outbox_table.c.kind == sa.bindparam("kind"))
    .order_by(outbox_table.c.id)
)


def heard(connection: sa.Connection, site: SitePart, kind: str, now: datetime) -> None:
    """A word of this kind has reached the host: that none did is over, and what was lost meanwhile is told in one more."""
    clear_trouble(connection, unheard_key(kind))
    rows = _GIVEN_UP.rows(connection, kind=kind)
    lost = [row for row in rows if row["target"].get(TO_HOST) and not (row["result"] or {}).get(RETOLD)]
    if not lost:
        return
    twins = outbox_table.c.key.in_([row["key"] + _OTHER_WAY for row in lost])
    sent = sa.select(outbox_table.c.key).where(outbox_table.c.state == "sent", twins)
    other_way = set(connection.execute(sent).scalars())
    lost = [row for row in lost if row["key"] + _OTHER_WAY not in other_way]
    if not lost:
        return
    for row in lost:
        values = {"result": {**(row["result"] or {}), RETOLD: True}}
        connection.execute(outbox_table.update().where(outbox_table.c.id == row["id"]).values(values))
    text = "\n\n".join(dict.fromkeys(("Раньше это до вас не дошло.", *(row["body"] for row in lost))))
    games = {row["game_id"] for row in lost}
    tell_host(connection, site, f"retold/{lost[-1]['id']}", "Не дошло раньше", text, now,
              game_id=games.pop() if len(games) == 1 else None)  # fmt: skip


def unheard_key(kind: str) -> str:
    """The trouble of this kind of words to the host."""
    return f"unheard/{kind}"
