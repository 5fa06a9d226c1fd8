"""The newspaper: public lines only, sorted so that neither hour nor phase can be read off it (R170-R174, D50)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.model import Data, Line, Seat
from engine.rulesets.mafialife.moves import PLACE, TABLE
from engine.rulesets.mafialife.night import DONE, FOILED, Act, Night
from engine.rulesets.mafialife.roles import ROLES

_HACKS = ("canard", "theft")
"""Printed as a hack, and standing among them (R170, R174)."""
_HACK_MOVE = next(move for move in TABLE if move.action == "hack")
_UNPRINTED = frozenset({"not_chosen", "dead"})
_ROLE_PLACE = {role: place for place, role in enumerate(ROLES)}


def newspaper(night: Night) -> list[Line]:
    """All lines of the turn, in the order of R174."""
    return [
        *_votes(night),
        *_hanging(night),
        *_moves(night),
        *_deaths(night),
        *_risen(night),
        *_studies(night),
        *_end(night),
    ]


def _word(night: Night, table: str, key: str) -> str:
    return night.tables.words.get(table, {}).get(key, key)


def _role_word(night: Night, role: str) -> str:
    return _word(night, "roles", role)


def _votes(night: Night) -> Iterable[Line]:
    """Sold votes too; from day 2."""
    if night.turn == 1:
        return
    votes = [(seat, night.votes[seat].targets[0]) for seat in night.game.players if seat in night.votes]
    yield Line("votes", "votes", {"votes": votes}, rule="R170")


def _hanging(night: Night) -> Iterable[Line]:
    if night.turn == 1:
        return
    if not night.hanging:
        yield Line("hanging", "nobody", rule="R170")
    for seat, saved in night.hanging:
        if saved:
            yield Line("hanging", "not_hanged", {"player": seat, "reason": _word(night, "hanging", saved)}, rule="R170")
        else:
            yield Line("hanging", "hanged", {"player": seat, "role": _dead_role(night, seat)}, rule="R170")


def _dead_role(night: Night, seat: Seat) -> str:
    return _role_word(night, night.player(seat).role)


# --- Moves -------------------------------------------------------------------------------------------------------------


def _moves(night: Night) -> list[Line]:
    printed = [act for act in (*night.acts, *night.day_acts) if _is_public(night, act)]
    lines = [(_key(night, act), Line("moves", _kind(act), _data(night, act), rule="R170", refs=act.refs)) for act in printed]
    return [line for _, line in sorted(lines, key=lambda pair: pair[0])]


def _is_public(night: Night, act: Act) -> bool:
    """R171: kinds that are printed at all; a foiled mafioso's order only when the team made no move, the first one."""
    if act.action in night.tables.newspaper_hide or act.action == "study" or act.result in _UNPRINTED:
        return False
    if act.move.team and act.result in FOILED:
        foiled = [other for other in night.acts if other.move.team and other.result in FOILED]
        return not night.team_orders and act is foiled[0]
    return True


def _kind(act: Act) -> str:
    return "licence" if act.extra and act.action != "pistol" else "move"


def _mover(act: Act) -> str:
    """Whom the line names: the staff strikes as the necromancer's, of a licence no role is told (section 20)."""
    if _kind(act) == "licence":
        return "licence"
    return "necromancer" if act.action == "use_staff" else act.role


def _action_word(night: Night, act: Act) -> str:
    action = "hack" if act.action in _HACKS else act.action
    words = night.tables.words.get("moves", {})
    return words.get(f"{act.role}.{action}", words.get(action, action))


def _aims(act: Act) -> tuple[Seat, ...]:
    """Nicks as finally aimed, each once; of a divert A only; of ``sleep_role`` none (R170)."""
    if act.action == "sleep_role":
        return ()
    if act.action == "divert":
        return act.targets[:1]
    return tuple(dict.fromkeys(act.aims))


def _reason_word(night: Night, reason: str) -> str:
    words = night.tables.words.get("reasons", {})
    return words.get(reason, words.get("other", reason))


def _data(night: Night, act: Act) -> Data:
    data: dict[str, Any] = {
        "mover": _word(night, "movers", _mover(act)),
        "move": _action_word(night, act),
        "targets": _aims(act),
        "target_role": _role_word(night, str(act.args.get("role"))) if act.action == "sleep_role" else "",
        "done": act.result == DONE,
        "outcome": _word(night, "outcomes", "done" if act.result == DONE else "failed"),
        "reason": "" if act.result == DONE else _reason_word(night, act.result or ""),
        "shown_role": _role_word(night, act.shown_role) if act.shown_role and act.result == DONE else "",
    }
    return data


def _key(night: Night, act: Act) -> tuple[int, int, str]:
    """R174: place in the table of actions (licences last), place of the first target, then the text itself."""
    move = _HACK_MOVE if act.action in _HACKS else act.move
    aims = _aims(act)
    if act.action == "sleep_role":
        place = _ROLE_PLACE.get(str(act.args.get("role")), len(_ROLE_PLACE))
    else:
        place = list(night.game.players).index(aims[0]) if aims else -1
    data = _data(night, act)
    fields = (data["mover"], data["move"], ", ".join(aims), data["target_role"], data["outcome"])
    text = " — ".join((*fields, data["shown_role"], data["reason"]))
    return PLACE[id(move)], place, text


# --- Deaths and the rest -----------------------------------------------------------------------------------------------


def _deaths(night: Night) -> Iterable[Line]:
    """R172: with their roles; the hanged stand above."""
    for seat in night.game.players:
        fate = night.fates.get(seat)
        if fate is None or fate.cause == "hanged":
            continue
        data = {"player": seat, "role": _dead_role(night, seat)}
        if fate.cause == "aids":
            yield Line("deaths", "aids", {**data, "mover": _word(night, "movers", "girl")}, rule="R170", refs=fate.refs)
        else:
            yield Line("deaths", "death", {**data, "cause": _cause_word(night, seat)}, rule="R170", refs=fate.refs)


def _cause_word(night: Night, seat: Seat) -> str:
    """The cause's own word, else that of the move that killed (R170)."""
    fate = night.fates[seat]
    words = night.tables.words
    moves = words.get("moves", {})
    return words.get("causes", {}).get(fate.cause) or moves.get(f"{fate.role}.{fate.cause}") or moves.get(fate.cause, fate.cause)


def _risen(night: Night) -> Iterable[Line]:
    for seat in night.game.players:
        if seat in night.risen:
            yield Line("risen", "undead", {"player": seat}, rule="R170")


def _studies(night: Night) -> Iterable[Line]:
    for act in night.studied:
        if act.role == "mafia_journalist":
            yield Line("study", "journalist", rule="R115", refs=act.refs)


def _end(night: Night) -> Iterable[Line]:
    if night.game.victory is None:
        return
    winner, kind = night.game.victory
    if kind is None:
        yield Line("end", "draw", rule="R175")
    elif kind == "faction":
        yield Line("end", "team", {"team": _word(night, "teams", winner)}, rule="R175")
    else:
        yield Line("end", "player", {"player": winner}, rule="R175")
