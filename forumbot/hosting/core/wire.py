"""Orders, events and draws as plain data, for the database, the commands and the desk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any

from engine import model
from engine.chance import Draw
from engine.messages import ReadOrder, Span
from engine.model import Event, Order
from forumbot.store.types import plain

EVENTS: Mapping[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        model.Accepted,
        model.Rejected,
        model.Withdrawn,
        model.Outcome,
        model.Counted,
        model.Lynched,
        model.Saved,
        model.Death,
        model.Notice,
        model.Line,
        model.Ended,
        model.Step,
    )
}


def order_data(order: Order) -> dict[str, Any]:
    return {
        "player": order.player,
        "action": order.action,
        "targets": list(order.targets),
        "args": plain(order.args),
        "at": order.at.isoformat() if order.at else None,
        "ref": order.ref,
    }


def order_from(data: Mapping[str, Any]) -> Order:
    return Order(
        player=data["player"],
        action=data["action"],
        targets=tuple(data.get("targets", ())),
        args=frozen(data.get("args") or {}),
        at=datetime.fromisoformat(data["at"]) if data.get("at") else None,
        ref=data.get("ref", ""),
    )


def frozen(value: Any) -> Any:
    """Plain data with tuples for lists, as the engine keeps it."""
    if isinstance(value, Mapping):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value


def event_data(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = {"type": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        data[field.name] = order_data(value) if isinstance(value, Order) else plain(value)
    return data


def events_data(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [event_data(event) for event in events]


def event_from(data: Mapping[str, Any]) -> Event:
    """A stored event as the engine gave it."""
    values: dict[str, Any] = {
        name: order_from(value) if name == "order" and value is not None else frozen(value)
        for name, value in data.items()
        if name != "type"
    }
    return EVENTS[data["type"]](**values)


def events_from(data: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    return tuple(event_from(one) for one in data)


def draw_data(draw: Draw) -> dict[str, Any]:
    return {
        "turn": draw.turn,
        "point": draw.point,
        "options": list(draw.options),
        "picked": draw.picked,
        "forced": draw.forced,
    }


def read_order_data(order: ReadOrder) -> dict[str, Any]:
    return {
        "action": order.action,
        "targets": list(order.targets),
        "args": plain(order.args),
        "status": order.status,
        "reason": order.reason,
        "rule": order.rule,
        "spans": [[span.start, span.end, span.what] for span in order.spans],
    }


def read_orders(rows: Iterable[Mapping[str, Any]]) -> tuple[ReadOrder, ...]:
    """Stored orders of a message as they would stand, whatever became of them."""
    return tuple(
        ReadOrder(
            row["action"],
            tuple(row["targets"]),
            frozen(row["args"]),
            spans=tuple(Span(*span) for span in row["spans"]),
            rule=row.get("rule") or "",
        )
        for row in rows
    )
