"""The night as a picture: who went to whom, what stopped it, what it did. SVG made on the server, without script or style of
its own: the desk's sheet colours it, so that it is right on light and on dark; every word of players is escaped."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.model import Seat
from forumbot.hosting.explain.inshort import InShort
from forumbot.hosting.explain.nights import Move

_WIDTH, _PAD = 360, 6
_FROM, _TO = 166, 236
"""Where arrows begin, and where they end."""
_NAME, _LINE, _GAP = 17, 14, 12
_LETTERS_LEFT, _LETTERS_RIGHT, _LETTERS_NAME = 21, 15, 13
"""Signs of small print in a line on the left and on the right, and of a nick."""
_RIGHT_HIGH = _NAME + 2 * _LINE + _GAP


@dataclass(frozen=True, slots=True)
class _Row:
    """One move on the left: where it stands and what is written under the nick."""

    move: Move
    top: float
    lines: tuple[str, ...]

    @property
    def middle(self) -> float:
        return self.top + _NAME - 5

    @property
    def high(self) -> float:
        return _NAME + _LINE * len(self.lines) + _GAP


def draw(told: InShort) -> Markup:
    """The picture, with its text for readers; empty where nobody went anywhere and nobody died."""
    rows = _rows(told)
    unmoved = [death.player for death in told.night.unmoved]
    if not rows and not unmoved:
        return Markup("")
    targets = _targets(rows, unmoved)
    fates = dict(told.fates())
    parts = [_arrow(row, seat, targets[seat]) for row in rows for seat in row.move.targets]
    parts += [_left(row, told.names) for row in rows]
    parts += [_right(seat, top, told, seat in fates) for seat, top in targets.items()]
    high = max([row.top + row.high for row in rows] + [top + _RIGHT_HIGH for top in targets.values()])
    number = told.night.turn
    said = [*fates.values(), *(told.move(row.move) for row in rows)]
    return Markup(
        f'<svg class="night" viewBox="0 0 {_WIDTH} {high:.0f}" role="img" aria-labelledby="night{number} moves{number}">'
        f'<title id="night{number}">{escape(f"Ночь хода {number}: кто к кому ходил")}</title>'
        f'<desc id="moves{number}">{escape(". ".join(said))}</desc>'
        + "".join(parts)
        + "</svg>"
    )


def _rows(told: InShort) -> list[_Row]:
    """Moves that went to somebody, those of one player together, in the order of the rules."""
    going = [move for move in told.night.moves if move.targets]
    order = list(dict.fromkeys(move.player for move in going))
    found: list[_Row] = []
    top = float(_PAD)
    for move in sorted(going, key=lambda one: order.index(one.player)):
        role = told.word("roles", move.role) if move.role else ""
        what = f"{role}: {told.word('actions', move.action)}" if role else told.word("actions", move.action)
        lines = textwrap.wrap(what, _LETTERS_LEFT)[:2]
        if move.reason is not None:
            lines += textwrap.wrap(f"✕ {told.came(move)}", _LETTERS_LEFT)[:3]
        found.append(_Row(move, top, tuple(lines)))
        top += found[-1].high
    return found


def _targets(rows: Sequence[_Row], unmoved: Sequence[Seat]) -> dict[Seat, float]:
    """Where each target stands on the right: as near as may be to the middle of those who came."""
    came: dict[Seat, list[float]] = {}
    for row in rows:
        for seat in row.move.targets:
            came.setdefault(seat, []).append(row.middle)
    found: dict[Seat, float] = {}
    free = float(_PAD)
    for seat in sorted(came, key=lambda one: sum(came[one]) / len(came[one])):
        found[seat] = max(free, sum(came[seat]) / len(came[seat]) - _NAME + 5)
        free = found[seat] + _RIGHT_HIGH
    for seat in unmoved:
        if seat not in found:
            found[seat] = free
            free += _RIGHT_HIGH
    return found


def _look(move: Move, seat: Seat) -> str:
    """The class of an arrow: its colour, and its line, for who sees no colours."""
    if move.reason is not None:
        return "stopped"
    if seat in move.killed:
        return "killed"
    return "spared" if seat in move.spared else "came"


def _arrow(row: _Row, seat: Seat, top: float) -> str:
    end = top + _NAME - 5
    look = _look(row.move, seat)
    # A move that was stopped does not arrive.
    to = _TO - 6 if look != "stopped" else (_FROM + _TO) / 2 + 10
    y = end if look != "stopped" else row.middle + (end - row.middle) * (to - _FROM) / (_TO - 6 - _FROM)
    line = f'<line class="{look}" x1="{_FROM}" y1="{row.middle:.1f}" x2="{to:.1f}" y2="{y:.1f}"/>'
    if look == "stopped":
        cross = "".join(
            f'<line class="cross" x1="{to - 5:.1f}" y1="{y - side:.1f}" x2="{to + 5:.1f}" y2="{y + side:.1f}"/>'
            for side in (5, -5)
        )
        return line + cross
    return line + f'<path class="head {look}" d="M{to:.1f} {y - 5:.1f}L{to + 8:.1f} {y:.1f}L{to:.1f} {y + 5:.1f}Z"/>'


def _left(row: _Row, names: Mapping[Seat, str]) -> str:
    nick = names.get(row.move.player, row.move.player)
    parts = [_text(_FROM - 6, row.middle + 4, _short(nick), "name", "end")]
    parts += [
        _text(_FROM - 6, row.middle + 4 + _LINE * (number + 1), line, "small", "end") for number, line in enumerate(row.lines)
    ]
    return "".join(parts)


def _right(seat: Seat, top: float, told: InShort, hit: bool) -> str:
    middle = top + _NAME - 5
    nick = _short(told.names.get(seat, seat))
    death = next((one for one in told.night.deaths if one.player == seat), None)
    words, look = "", "small"
    if death is not None:
        words, look = f"✝ {told.word('causes', death.cause)}", "small lost"
    elif hit:
        words, look = "остаётся в живых", "small lives"
    parts = [_text(_TO + 6, middle + 4, nick, "name" if death is None else "name lost")]
    lines = textwrap.wrap(words, _LETTERS_RIGHT)[:2]
    parts += [_text(_TO + 6, middle + 4 + _LINE * (number + 1), line, look) for number, line in enumerate(lines)]
    return "".join(parts)


def _text(x: float, y: float, words: str, look: str, anchor: str = "start") -> str:
    return f'<text class="{look}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _short(nick: str) -> str:
    return nick if len(nick) <= _LETTERS_NAME else nick[: _LETTERS_NAME - 1] + "…"
