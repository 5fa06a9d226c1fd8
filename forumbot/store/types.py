"""Column types: moments in UTC, and deterministic JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import sqlalchemy as sa


def plain(value: Any) -> Any:
    """The same value as JSON knows it: mappings to dicts with string keys, sequences and sets to lists, times to ISO."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value


def dump(value: Any) -> str:
    """JSON with sorted keys: the same bytes for the same value on every machine."""
    return msgspec.json.encode(plain(value), order="deterministic").decode()


def load(text: str | bytes) -> Any:
    return msgspec.json.decode(text)


class Moment(sa.types.TypeDecorator[datetime]):
    """An aware moment, stored as UTC text of fixed width, so that text order is time order."""

    impl = sa.String(27)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> str | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone cannot be stored")
        return value.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        return datetime.fromisoformat(value)


class Json(sa.types.TypeDecorator[Any]):
    """Plain data as deterministic JSON text."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> str | None:
        return None if value is None else dump(value)

    def process_result_value(self, value: str | None, dialect: sa.Dialect) -> Any:
        return None if value is None else load(value)
