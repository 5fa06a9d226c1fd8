"""Pictures as SVG, made on the server: no script, no inline style, every word of players escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from markupsafe import Markup, escape

from forumbot.desk.series import Living, VotesAt
from forumbot.desk.wording import number

Moment = Callable[..., str]

_COLORS = ("#c0392b", "#2471a3", "#b9770e", "#1e8449", "#7d3c98", "#5d6d7e")
_WIDTH, _LEFT, _RIGHT, _TOP = 340, 22, 8, 8
_PLOT = 130
"""Height of the plot in the picture's own units; what stands below it makes the picture higher."""


def votes(changes: Sequence[VotesAt], names: Mapping[str, str], moment: Moment, until: datetime | None = None) -> Markup:
    """Who was ahead when: a step line for each of the most voted. ``until`` ends the time axis (else the last change)."""
    start = changes[0].at
    end = max(until or changes[-1].at, changes[-1].at)
    span = max(1.0, (end - start).total_seconds())
    peaks: dict[str, float] = {}
    for change in changes:
        for seat, weight in change.votes.items():
            peaks[seat] = max(peaks.get(seat, 0), weight)
    last = changes[-1].votes
    shown = sorted(peaks, key=lambda seat: (-last.get(seat, 0), -peaks[seat], seat))[: len(_COLORS)]
    top = max([1.0, *peaks.values()])

    def x(at: datetime) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (at - start).total_seconds() / span

    def y(weight: float) -> float:
        return _TOP + _PLOT * (1 - weight / top)

    parts = _grid(top, y)
    for index, seat in enumerate(shown):
        path = f"M{x(start):.1f} {y(changes[0].votes.get(seat, 0)):.1f}"
        for change in changes[1:]:
            path += f"H{x(change.at):.1f}V{y(change.votes.get(seat, 0)):.1f}"
        path += f"H{x(end):.1f}"
        parts.append(f'<path d="{path}" fill="none" stroke="{_COLORS[index]}" stroke-width="2"/>')
    parts.append(_text(_LEFT, _TOP + _PLOT + 14, moment(start, "%H:%M")))
    parts.append(_text(_WIDTH - _RIGHT, _TOP + _PLOT + 14, moment(end, "%H:%M"), anchor="end"))
    entries = [(names.get(seat, seat), number(last.get(seat, 0.0))) for seat in shown]
    return _picture(parts, entries, "Голоса за день")


def course(after: Sequence[Living], order: Sequence[str], word: Callable[[str, str], str]) -> Markup:
    """The living of each side after every turn, as stacked bars; ``order``: the sides as the rules list them."""
    there = dict.fromkeys(side for living in after for side in living.factions)
    sides = [side for side in (*order, *there) if side in there]
    sides = list(dict.fromkeys(sides))
    top = float(max([1, *(sum(living.factions.values()) for living in after)]))

    def y(count: float) -> float:
        return _TOP + _PLOT * (1 - count / top)

    parts = _grid(top, y)
    step = (_WIDTH - _LEFT - _RIGHT) / len(after)
    every = max(1, len(after) // 8)
    for index, living in enumerate(after):
        below = 0
        left = _LEFT + index * step + step * 0.15
        for side in sides:
            count = living.factions.get(side, 0)
            if count:
                color = _COLORS[sides.index(side) % len(_COLORS)]
                high = y(below) - y(below + count)
                parts.append(
                    f'<rect x="{left:.1f}" y="{y(below + count):.1f}" width="{step * 0.7:.1f}" height="{high:.1f}" '
                    f'fill="{color}"/>'
                )
            below += count
        if index % every == 0:
            label = "раздача" if living.turn < 0 else str(living.turn)
            parts.append(_text(left + step * 0.35, _TOP + _PLOT + 14, label, anchor="middle"))
    entries = [(word("factions", side) or "без стороны", str(after[-1].factions.get(side, 0))) for side in sides]
    return _picture(parts, entries, "Кто жив после каждого хода")


def _grid(top: float, y: Callable[[float], float]) -> list[str]:
    step = max(1, round(top / 4))
    parts = []
    for value in range(0, int(top) + 1, step):
        parts.append(
            f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" '
            'stroke="currentColor" stroke-opacity="0.2"/>'
        )
        parts.append(_text(_LEFT - 4, y(value) + 4, str(value), anchor="end"))
    return parts


def _picture(parts: list[str], entries: Sequence[tuple[str, str]], title: str) -> Markup:
    base = _TOP + _PLOT + 26
    legend = []
    for index, (name, value) in enumerate(entries):
        column, line = index % 2, index // 2
        left, low = _LEFT + column * 160, base + line * 18
        legend.append(f'<rect x="{left}" y="{low}" width="10" height="10" fill="{_COLORS[index % len(_COLORS)]}"/>')
        short = name if len(name) <= 16 else name[:15] + "…"
        legend.append(_text(left + 15, low + 9, f"{short}: {value}"))
    height = base + 18 * ((len(entries) + 1) // 2)
    said = escape(f"{title}: " + ", ".join(f"{name} {value}" for name, value in entries))
    return Markup(
        f'<svg class="picture" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{said}">'
        + "".join([*parts, *legend])
        + "</svg>"
    )


def _text(x: float, y: float, words: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="11" fill="currentColor" text-anchor="{anchor}">{escape(words)}</text>'
