"""What the public and the players are told of a night (R55-R65). The lynch is told by the table alone, for it is public (D39)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.model import Death, Event, Line, Notice, Seat, Step
from engine.rulesets.goldenkey.phases import Command, Hit, Night
from engine.rulesets.goldenkey.roles import (
    ALISA,
    ARLEKIN,
    ARTEMON,
    BASILIO,
    COUNTED_ROLES,
    DUREMAR,
    GIUSEPPE,
    KARABAS,
    KILLER,
    MALVINA,
    MANIACS,
    PIERRO,
    TORTILLA,
    TOWN_ROLES,
    TOWNSFOLK,
    VILLAINS,
)
from engine.rulesets.goldenkey.state import Game

ACTION_LINES = (GIUSEPPE, TORTILLA, KARABAS, ARLEKIN, BASILIO, PIERRO, MALVINA, ALISA, ARTEMON, DUREMAR)
"""The order of "Действия ролей" (section 8)."""

_RULE = {"attack": "R24", "recruit": "R31", "spy": "R36", "invite": "R38", "beat": "R43", "guard": "R45", "kill": "R47"}


def lines(night: Night, dead: Sequence[Seat]) -> list[Event]:
    """The public lines of a night, the lynch apart: actions, killings, roles that lost lives, the dead. The dead stand by
    folded nick, which hides who died of what (D41)."""
    found: list[Event] = []
    for role in ACTION_LINES:
        command = night.commands.get(role)
        if command is not None and command.action != "kill" and _is_told(night, command):
            found.append(_action_line(night, command))
    found += [_kill_line(night, hit) for hit in night.hits if not hit.bad]
    found += [_kill_line(night, hit) for hit in night.hits if hit.bad]
    found += [
        Line(
            "role_lives", "role_lost", {"role": role, "lost": night.role_losses[role], "left": night.role_lives[role]}, rule="R62"
        )
        for role in COUNTED_ROLES
        if role in night.role_losses
    ]
    if dead:
        found.append(Line("dead", "dead", {"players": tuple(sorted(dead, key=lambda seat: (seat.casefold(), seat)))}, rule="R63"))
    return found


def _is_told(night: Night, command: Command) -> bool:
    """R58, D35: a maniac's attack has a line of its own only when it has none under the killings."""
    if command.action != "attack":
        return True
    met = night.blow_met.get(command.role, "ineffective")
    return night.game.tables.report_blocks and met not in (None, "elder", "other_maniac")


def _action_line(night: Night, command: Command) -> Line:
    """Roles stand without nicks, unless the table says otherwise (D32), with clan and every role of tonight, a maniac's left
    out (D33). What came to nothing is "not effective" in one wording (D34)."""
    data: dict[str, Any] = {"actor": command.role, "action": command.action, "effective": False}
    if night.outcomes[command.role] is None:
        data["effective"] = True
        if command.action == "recruit":
            data["roles"] = (night.players[command.target].maniac_role,)
        elif night.is_maniac(command.target):
            data |= {"faction": TOWNSFOLK, "roles": ()}
        else:
            data |= {"faction": night.players[command.target].faction, "roles": night.roles_tonight(command.target)}
        if night.game.tables.report_target_nicks:
            data["target"] = command.target
    return Line("actions", command.action, data, rule="R57" if data["effective"] else "R58", refs=(command.order.ref,))


def _kill_line(night: Night, hit: Hit) -> Line:
    """R56, R60, R61: who struck, never whom; an unlucky choice names nobody."""
    refs = (hit.command.order.ref,)
    if hit.bad:
        return Line("kills", "bad_choice", rule=hit.rule, refs=refs)
    return Line("kills", "kill", {"actor": _killer_name(night, hit.command)}, rule=hit.rule, refs=refs)


def _killer_name(night: Night, command: Command) -> str:
    """R56: the villains' killer goes by his own role's name where he has one."""
    if command.role != KILLER:
        return command.role
    roles = night.players[command.performer].roles
    return roles[0] if roles else KILLER


def lynch_line(hit: Seat | None, refs: tuple[str, ...]) -> Line:
    """R55: who lost a life, not whether he died of it, and no votes. By the table it stands in the morning's paper or in the
    evening, too (D2)."""
    if hit is None:
        return Line("lynch", "nobody", rule="R13", refs=refs)
    return Line("lynch", "life_lost", {"player": hit}, rule="R55", refs=refs)


def last_lines(game: Game) -> list[Event]:
    """R65: the winner, and what everybody was dealt. Town roles change hands and are left out (D42)."""
    found: list[Event] = [Line("end", "winner", {"winner": game.winner}, rule="R65")]
    if game.tables.reveal_at_end:
        for p in game.players.values():
            roles = tuple(role for role in p.roles if role not in TOWN_ROLES) if p.born in (VILLAINS, MANIACS) else ()
            found.append(Line("roles", "player", {"player": p.seat, "clan": p.born, "roles": roles}, rule="R65"))
    return found


def notices(night: Night) -> list[Event]:
    """Private results of the night (1.7), those of the lynch and of the deal apart. Who joins the villains gets their list and
    they his nick; townsfolk do not know each other (D31)."""
    found: list[Event] = []
    members = tuple(p.seat for p in night.players.values() if p.is_born_villain and p.here)
    for command in night.commands.values():
        if command.action in ("recruit", "spy") and night.game.tables.private_results:
            found.append(_result(night, command))
    for seat, clan in night.recruits.items():
        refs = tuple(c.order.ref for c in night.live((KARABAS, ARLEKIN)) if c.target == seat)
        told: dict[str, Any] = {"faction": clan}
        if clan == VILLAINS:
            told["members"] = members
        found.append(Notice(seat, "joined_clan", told, rule="R31", refs=refs))
        if clan == VILLAINS:
            found += [Notice(member, "clan_joined", {"player": seat}, rule="R31", refs=refs) for member in members]
    amounts: dict[tuple[Seat, str], list[str]] = {}
    for loss in night.losses:
        amounts.setdefault((loss.player, loss.cause), []).extend(loss.refs)
    for (seat, cause), refs_of in amounts.items():
        data = {"cause": cause, "amount": len(refs_of), "lives": night.lives[seat]}
        found.append(Notice(seat, "life_lost", data, rule="R64", refs=tuple(refs_of)))
    return found


def _result(night: Night, command: Command) -> Notice:
    """R64, D40: what the performer of spying or recruiting learns, also when he was blocked."""
    done = night.outcomes[command.role] is None
    data: dict[str, Any] = {"target": command.target, "result": "success" if done else "fail"}
    if done and command.action == "spy":
        data |= {"faction": night.faction(command.target), "roles": night.roles_tonight(command.target)}
    elif done:
        data |= {"role": night.players[command.target].maniac_role, "faction": night.recruits[command.target]}
    rule = "R36" if command.action == "spy" else "R31"
    return Notice(command.performer, f"{command.action}_result", data, rule=rule, refs=(command.order.ref,))


def steps(night: Night) -> list[Event]:
    """The host's explanation: every command in the order of the steps, what became of it and who stopped it."""
    found: list[Event] = []
    stoppers = {"blocked": night.blocked, "beaten": night.beaten}
    for command in night.commands.values():
        reason = night.outcomes[command.role]
        stopped_by = stoppers[reason].get(command.performer, []) if reason in stoppers else []
        data = {
            "role": command.role,
            "player": command.performer,
            "target": command.target,
            "stopped_by": tuple(c.performer for c in stopped_by),
            "blow": night.blow_met.get(command.role, "") if night.is_blow(command) else "",
        }
        refs = (command.order.ref, *(c.order.ref for c in stopped_by))
        found.append(Step(command.action, reason or "done", data, rule=_RULE[command.action], refs=refs))
    found += [
        Step(
            "strike",
            "life_lost" if loss.by is not None else "life_wasted",
            {"player": loss.player, "cause": loss.cause, "by": loss.by},
            rule=loss.rule,
            refs=loss.refs,
        )
        for loss in night.losses
    ]
    return found


def death(night: Night, seat: Seat, lynched: Seat | None, lynch_refs: tuple[str, ...]) -> Death:
    """R2, 1.6: cause and credit of a death are those of the loss that took the last life."""
    for loss in reversed(night.losses):
        if loss.player == seat:
            return Death(seat, loss.cause, loss.by, rule=loss.rule, refs=loss.refs)
    assert seat == lynched
    return Death(seat, "lynch", rule="R4", refs=lynch_refs)
