"""The order book, entering an order for a player, and the ledger."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from starlette.responses import Response

from engine.turn import Ledger
from forumbot.desk.core import Asked
from forumbot.desk.forms import ORDER_TARGETS, is_list
from forumbot.desk.views.journal import said
from forumbot.hosting.core.wire import order_data
from forumbot.hosting.turns.interventions import host_actions
from forumbot.store.tables import inputs


def orders(asked: Asked) -> Response:
    """What stands now by player, and everything that came in the turn, struck entries with the reason."""
    match, row = asked.match, asked.row
    turn = asked.number("turn")
    turn = row.turn if turn is None else turn
    standing: list[tuple[str, list[dict[str, Any]]]] = []
    if match.game is not None and turn == match.turn:
        for seat in match.ruleset.seats(match.game):
            found = [said(asked, order_data(order)) for order in match.ruleset.standing(match.game, seat)]
            if found:
                standing.append((asked.name(seat), found))
    came = [
        {
            "id": given["id"],
            "at": given["at"],
            "kind": given["kind"],
            "player": asked.name(given["payload"].get("player")),
            "order": said(asked, given["payload"]) if given["kind"] == "order" else None,
            "what": _mark(asked, given),
            "verdict": given["verdict_id"],
            "struck": given["struck"],
            "act": _act_of(given["payload"].get("ref", "")),
        }
        for given in asked.connection.execute(
            sa.select(inputs)
            .where(inputs.c.game_id == row.id, inputs.c.turn == turn, inputs.c.kind != "heard")
            .order_by(inputs.c.seq)
        ).mappings()
    ]
    turns = asked.connection.execute(
        sa.select(inputs.c.turn).where(inputs.c.game_id == row.id).distinct().order_by(inputs.c.turn)
    ).scalars()
    return asked.page("orders.html", tab="orders", standing=standing, came=came, turn=turn, turns=list(turns))


def enter(asked: Asked) -> Response:
    """An order for a player in two steps: who does what, then to whom and how."""
    spec = asked.match.ruleset.spec
    player, action = asked.query("player"), asked.query("action")
    turn = asked.number("turn")
    host = set(host_actions(asked.row.ruleset))
    actions = [each for each in spec.actions if each in host or each not in spec.host_actions]
    if player not in asked.names.values() or action not in actions:
        return asked.page(
            "enter_who.html",
            tab="orders",
            players=list(asked.names.values()),
            player=player,
            actions=[(each, asked.word("actions", each), each in host) for each in actions],
            turn=turn,
        )
    return asked.page(
        "enter_what.html",
        tab="orders",
        player=player,
        action=action,
        turn=turn,
        host=action in host,
        players=list(asked.names.values()),
        targets=range(ORDER_TARGETS),
        args=[
            {
                "name": name,
                "label": asked.word("args", name),
                "kind": kind,
                "choices": _choices(asked, kind),
                "fields": range(ORDER_TARGETS if is_list(spec, action, name) else 1),
            }
            for name, kind in spec.args.get(action, {}).items()
        ],
    )


def ledger(asked: Asked) -> Response:
    """Balances now, and every booking with its reason where the rules keep a ledger."""
    match = asked.match
    balances = match.ruleset.balances(match.game) if match.game is not None else {}
    rules = match.ruleset
    booked = rules.ledger(match.game) if isinstance(rules, Ledger) and match.game is not None else ()
    bookings = [_booking(asked, asdict(each)) for each in booked]
    player = asked.query("player")
    if player:
        bookings = [each for each in bookings if each["player"] == player]
    return asked.page(
        "ledger.html",
        tab="ledger",
        balances=[
            (
                asked.word("currencies", currency),
                [(asked.name(key) if key in asked.names else asked.word("roles", key), value) for key, value in accounts.items()],
            )
            for currency, accounts in balances.items()
        ],
        bookings=list(reversed(bookings)),
        player=player,
        players=list(asked.names.values()),
        keeps=isinstance(rules, Ledger),
    )


def _booking(asked: Asked, data: dict[str, Any]) -> dict[str, Any]:
    """One booking of any ruleset's ledger: turn, player, amount and reason are common; the league's has two accounts."""
    accounts = [asked.word("currencies", data[key]) for key in ("source", "sink") if data.get(key)]
    about = data.get("item") or data.get("about") or ""
    return {
        "turn": data["turn"],
        "player": asked.name(data.get("seat") or data.get("player")),
        "amount": data["amount"],
        "way": " → ".join(accounts),
        "reason": asked.word("bookings", data["reason"]),
        "about": asked.name(about) if about in asked.names else asked.word("items", about),
        "verdict": _verdict_of(data.get("ref", "")),
    }


def _verdict_of(ref: str) -> int | None:
    number = ref.partition(".")[0]
    return int(number) if number.isdecimal() else None


def _act_of(ref: str) -> int | None:
    number = ref.removeprefix("act:")
    return int(number) if ref.startswith("act:") and number.isdecimal() else None


def _mark(asked: Asked, given: sa.RowMapping) -> str:
    payload = given["payload"]
    match given["kind"]:
        case "deal":
            return "Роли розданы"
        case "open":
            return "Ход открыт"
        case "hours":
            marks = payload["hours"]["marks"].items()
            at = [f"{asked.word('marks', name)} {asked.desk.moment(moment)}" for name, moment in marks]
            return f"Сроки хода: {'; '.join(at)}"
        case "mark":
            return f"Отметка: {asked.word('marks', payload['name'])}"
        case "close":
            return "Итоги подведены"
        case "force":
            return f"Жеребьёвка {payload['point']} решена ведущим: {', '.join(map(str, payload['values']))}"
        case _:
            return ""


def _choices(asked: Asked, kind: str) -> list[tuple[str, str]]:
    spec = asked.match.ruleset.spec
    match kind:
        case "role":
            return [(each, asked.word("roles", each)) for each in spec.roles]
        case "faction":
            return [(each, asked.word("factions", each)) for each in spec.factions]
        case "action":
            return [(each, asked.word("actions", each)) for each in spec.actions]
        case "item":
            return [(each, asked.word("items", each)) for each in spec.items]
        case "nick":
            return [(each, each) for each in asked.names.values()]
        case "bool":
            return [("yes", "да"), ("no", "нет")]
        case _:
            return []
