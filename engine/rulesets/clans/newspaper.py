"""The public lines of a turn (R97). What R98 hides never enters their data, nor their number or order (D59)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.model import Line, Seat, Victory
from engine.rulesets.clans import roles
from engine.rulesets.clans.night import Night
from engine.rulesets.clans.state import Player


def lines(night: Night, living: tuple[Seat, ...], saved: int, victory: Victory | None) -> tuple[Line, ...]:
    """All lines of the newspaper in the order of R97; ``saved`` is the number of the rescued who live."""
    made = [_line("title", "day", day=night.game.turn), _court(night)]
    if night.tables.publish_votes == "totals" and not night.stopped:
        made += _ballots(night)
    made += _dead(night)
    if not night.presence.fallen and not night.stopped:
        made.append(_line("deaths", "none"))
    if night.tables.report_saves == "count" and saved:
        made.append(_line("saves", "count", count=saved))
    if night.tables.torture_public:
        made += [_line("torture", "named", player=checked.player) for checked in night.tortured]
    if victory is not None:
        made.append(_victory(night, victory))
    made.append(_line("living", "list", players=living))
    return tuple(made)


def table(ring: tuple[Seat, ...], turn: int) -> Line:
    """The seating table of the day, posted at its opening and no part of the newspaper (S6)."""
    return Line("seating", "table", {"day": turn, "players": ring}, rule="S6")


def _line(section: str, kind: str, refs: tuple[str, ...] = (), **data: Any) -> Line:
    return Line(section, kind, data, rule="R97", refs=refs)


def _court(night: Night) -> Line:
    if night.stopped:
        return _line("court", "stopped")
    if night.lynched is None:
        return _line("court", "nobody")
    return _line("court", "lynched", player=night.lynched)


def _ballots(night: Night) -> list[Line]:
    """Ordinary ballots only: secret votes are never printed (R19)."""
    targets = list(night.ballots.values())
    counts = [(seat, targets.count(seat)) for seat in night.players if seat in targets]
    counts.sort(key=lambda pair: -pair[1])
    return [_line("votes", "totals", totals=tuple({"player": seat, "votes": votes} for seat, votes in counts))] if counts else []


def _dead(night: Night) -> list[Line]:
    """One line for each death, by cause and then by roster, never by the course of the night (D59)."""
    fallen = night.presence.fallen
    dead = [seat for seat in night.players if seat in fallen]
    dead.sort(key=lambda seat: roles.CAUSES.index(fallen[seat].cause))
    return [
        _line("deaths", fallen[seat].cause, night.death_notes[seat].refs, player=seat, **_reveal(night, night.players[seat]))
        for seat in dead
    ]


def _reveal(night: Night, player: Player) -> Mapping[str, str]:
    """What the table lets the newspaper say of a dead player: "role:don", "status:mafia"; nothing, unless it says so (D46)."""
    if night.tables.reveal_dead == "role":
        return {"reveal": f"role:{player.role}"}
    if night.tables.reveal_dead == "status":
        status = "mafia" if player.mafioso else "maniac" if player.faction == roles.MANIAC else "civilian"
        return {"reveal": f"status:{status}"}
    return {}


def _victory(night: Night, victory: Victory) -> Line:
    winner, kind = victory
    if kind == "player":
        return _line("victory", "maniac", player=winner)
    if winner in roles.CLANS:
        return _line("victory", "clan", name=night.tables.clan_names[winner])
    return _line("victory", winner)
