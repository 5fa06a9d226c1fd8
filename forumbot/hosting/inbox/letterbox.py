"""Letters find their game and seat; codes prove addresses; strangers and doubtful senders get one answer, robots none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import sqlalchemy as sa
import structlog

from adapters.mail.letters import read_letter
from forumbot.hosting.core import modes, outbox, seating, troubles
from forumbot.hosting.core.evidence import Deed, Evidence, May, may, of_letter
from forumbot.hosting.core.outbox import Kind
from forumbot.hosting.inbox import balances, proofs, routing
from forumbot.hosting.inbox.routing import Route
from forumbot.hosting.people import whereabouts
from forumbot.settings import Site
from forumbot.store.atwork import LIVE_GAME, under
from forumbot.store.database import Store, StoreError, apart
from forumbot.store.prepared import Prepared, Row
from forumbot.store.tables import games, letters
from forumbot.store.tables import outbox as outbox_rows
from forumbot.writing.writer import gather, shared

log = structlog.get_logger("forumbot.letterbox")

BROKEN = "broken"
"""How a letter is routed on which the program failed."""


STRANGERS_AN_HOUR = 20
"""So many letters to unknown senders go out in an hour, whoever they say they are."""
_BUNDLED = ("denied", "shared", "old_code", "unknown_sender")
"""Letters of which the host hears in bundles, by their routes."""


_AT_ONCE = 50
"""So many letters are routed in one transaction."""
_THIS = letters.c.id == sa.bindparam("row")
_LETTER = Prepared(sa.select(letters).where(_THIS))
_ROUTED = Prepared(letters.update().where(_THIS).values({name: sa.bindparam(name) for name in ("routed", "game_id", "seat")}))


def route_all(store: Store, site: Site, now: datetime) -> set[str]:
    """Route every letter that waits for it, each with all that follows or with nothing of it; gives the games that have some
    now. One on which the program fails is left to the host."""
    found: set[str] = set()
    with store.read() as connection:
        waiting = routing.unrouted(connection)
    for start in range(0, len(waiting), _AT_ONCE):
        with store.write() as connection:
            for letter_id in waiting[start : start + _AT_ONCE]:
                try:
                    with apart(connection):
                        game_id = _route(connection, site, letter_id, now)
                except (StoreError, sa.exc.DBAPIError):
                    raise
                except Exception:
                    log.exception("letter_unrouted", letter=letter_id)
                    _leave(connection, site, letter_id, now)
                else:
                    found.update((game_id,) if game_id is not None else ())
    return found


def _leave(connection: sa.Connection, site: Site, letter_id: int, now: datetime) -> None:
    connection.execute(letters.update().where(letters.c.id == letter_id).values(routed=BROKEN))
    text = f"Письмо №{letter_id} слишком сложное для бота: посмотрите его в списке на проверку."
    troubles.tell_host(connection, site.site, f"unrouted/{letter_id}", "Письмо не прочитано", text, now, game_id=None)


def _route(connection: sa.Connection, site: Site, letter_id: int, now: datetime) -> str | None:
    row = _LETTER.first(connection, row=letter_id)
    assert row is not None
    route = proofs.answer(connection, site, row, now) or balances.answer(connection, site, row, now)
    if route is None:
        accept = site.mail is not None and site.mail.unproven == "accept"
        route = routing.route(connection, row, accept_unproven=accept)
    if route.how == Evidence.NOTHING and route.holder is not None and route.game_id is not None:
        seating.use_code(connection, route.game_id, route.holder.seat)
        route = Route(Evidence.NOTHING)
    seat = route.holder.seat if route.holder else None
    _ROUTED.run(connection, row=letter_id, routed=route.how, game_id=route.game_id, seat=seat)
    _follow(connection, site, row, route, now)
    if "unfetched" in row["problems"]:
        whose = row["sender"] or "неизвестно от кого"
        text = (
            f"Почтовый сервер не отдаёт боту одно письмо ({whose}, тема «{row['subject'][:60]}»). Остальные письма читаются; "
            "это посмотрите в ящике сами."
        )
        troubles.tell_host(connection, site.site, f"unfetched/{letter_id}", "Письмо не прочитано", text, now, game_id=None)
    return route.game_id


def _follow(connection: sa.Connection, site: Site, row: Row, route: Route, now: datetime) -> None:
    match route.how:
        case "proof":
            proofs.bind(connection, site, row, route, now)
        case "which_game" if may(of_letter(row), Deed.REPLY) is May.YES:
            _answer(connection, site, row, "which_game.j2", f"which/{row['id']}", now, games=list(route.games))
        case "which_game" | "denied" | "shared" | "old_code" | "unknown_sender" if row["received_at"] >= _began(connection):
            _stranger(connection, site, row, route, now)
        case "robot" if row["kind"] == "bounce":
            _bounced(connection, site, row, now)
        case "robot" if row["kind"] == "auto_reply":
            _dropped(connection, site, row, now)
        case _:
            pass


def _stranger(connection: sa.Connection, site: Site, row: Row, route: Route, now: datetime) -> None:
    """A sender whom no game knows by what he brought, or who is not the one he says: at most one answer ever and so many an hour,
    and the host is told in bundles, for the names may be forged and the programs behind them tireless."""
    if route.ended is not None:
        proofs.tell_ended(connection, site, *route.ended, row["sender"], now)
    hour = now - timedelta(hours=1)
    answers = under(outbox_rows.c.key, "stranger/"), outbox_rows.c.created_at > hour
    sent = connection.execute(sa.select(sa.func.count()).select_from(outbox_rows).where(*answers)).scalar_one()
    answered = row["channel"] == "mail" and may(of_letter(row), Deed.REPLY) is May.YES
    if answered and row["sender"] and sent < STRANGERS_AN_HOUR:
        template = {"shared": "shared_address.j2", "old_code": "old_code.j2"}.get(route.how, "unknown_sender.j2")
        _answer(connection, site, row, template, f"stranger/{route.how}/{seating.address_key(row['sender'])}", now)
    told = sa.select(sa.func.max(outbox_rows.c.created_at)).where(under(outbox_rows.c.key, "unknown/"))
    last = connection.execute(told).scalar()
    if last is not None and last > hour:
        return
    since = letters.c.stored_at > (last or datetime.min.replace(tzinfo=UTC))
    others = letters.c.routed.in_(_BUNDLED), letters.c.id != row["id"], since
    more = connection.execute(sa.select(sa.func.count()).select_from(letters).where(*others)).scalar_one() if last else 0
    text = f"{_who_wrote(row, route)} (тема «{row['subject'][:60]}»): посмотрите его в списке на проверку."
    text += f" И ещё таких: {more}." if more else ""
    title = "Похоже на поддельное письмо" if of_letter(row) is Evidence.MAIL_DENIED else "Письмо от незнакомца"
    troubles.tell_host(connection, site.site, f"unknown/{now.isoformat()}", title, text, now, game_id=None)


def _who_wrote(row: Row, route: Route) -> str:
    if row["channel"] == "pm":
        return f"Личное сообщение от «{row['sender']}», который не играет,"
    if of_letter(row) is Evidence.MAIL_DENIED and (route.holder is not None or route.games):
        whose = f"игрока {route.holder.nick}" if route.holder is not None else f"игрока с адреса {row['sender']}"
        return f"Письмо от имени {whose}, но почтовый сервер не подтверждает, что оно оттуда, и ответа на него не было"
    if route.how == Evidence.SHARED:
        return "Письмо с адреса, который привязан у нескольких игроков,"
    return "Письмо с непривязанного адреса"


def _dropped(connection: sa.Connection, site: Site, row: Row, now: datetime) -> None:
    """A robot's letter is answered by nobody. One from a player's address may be a player's all the same: the host hears of the
    first of each address."""
    log.info("robot_dropped", letter=row["id"])
    found = whereabouts.alone(whereabouts.of_address(connection, row["sender"])).items()
    game_id, holder = next(((game_id, holder) for game_id, holder in found if holder is not None), (None, None))
    if holder is None:
        return
    text = (
        f"От игрока {holder.nick} пришёл автоответ (тема «{row['subject'][:60]}»). Ходом он не считается; если это всё-таки ход, "
        "попросите прислать его обычным письмом. О следующих автоответах с этого адреса бот не пишет."
    )
    key = f"robot/{seating.address_key(row['sender'])}"
    troubles.tell_host(connection, site.site, key, "Пришёл автоответ", text, now, game_id=game_id)


def _bounced(connection: sa.Connection, site: Site, row: Row, now: datetime) -> None:
    """A letter of ours came back. The host hears whose it was, once a day and address; bounces of letters that we never sent
    (somebody writes in our name) concern nobody."""
    failed = read_letter(row["raw"], own=site.mail.address if site.mail else "").failed_recipients
    for address in {seating.address_key(one) for one in failed}:
        found, game_id = _sent_to(connection, address)
        if not found:
            continue
        holder = seating.load(connection, game_id).by_address(address) if game_id else None
        whose = f"игрока {holder.nick} ({address})" if holder else f"«{address}»"
        text = f"Письмо для {whose} не доставлено, почта вернула его. Проверьте адрес или напишите личным сообщением."
        key = f"bounce/{address}/{now.date().isoformat()}"
        troubles.tell_host(connection, site.site, key, "Письмо не дошло", text, now, game_id=game_id)


def _began(connection: sa.Connection) -> datetime:
    """When the first of the games that are played now was entered: letters of before were not written to the bot."""
    query = sa.select(sa.func.min(games.c.created_at)).where(LIVE_GAME)
    began: datetime | None = connection.execute(query).scalar()
    return began or datetime.max.replace(tzinfo=UTC)


def _sent_to(connection: sa.Connection, address: str) -> tuple[bool, str | None]:
    """Whether a letter of ours went to this address, and for which game the last one did."""
    rows = connection.execute(
        sa.select(outbox_rows.c.target, outbox_rows.c.game_id)
        .where(outbox_rows.c.kind == "letter", outbox_rows.c.sent_at.is_not(None))
        .order_by(outbox_rows.c.id.desc())
    )
    games = [game_id for target, game_id in rows if seating.address_key(target["address"]) == address]
    return bool(games), next((game_id for game_id in games if game_id), None)


def _answer(
    connection: sa.Connection, site: Site, row: Row, template: str, key: str, now: datetime, **facts: object
) -> None:
    writer = shared(gather(None, site.site.own), str(ZoneInfo(site.forum.zone)))
    subject, text = writer.private(template, str, title=site.forum.user, **facts)
    kind: Kind = "pm" if row["channel"] == "pm" else "letter"
    to_letter = {"address": row["sender"], "reply_to": row["message_id"]}
    target = {"uid": row["sender_uid"], "nick": row["sender"]} if kind == "pm" else to_letter
    state = modes.state_of_new(connection, None)
    outbox.put(
        connection, key, kind, target, subject, text, game_id=None, priority=outbox.RECEIPTS, now=now, state=state
    )
