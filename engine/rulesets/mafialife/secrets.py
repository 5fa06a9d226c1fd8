"""Phases 9-11: the mafia's one move and the guards take their stand, documents, intelligence (R50, R130, R70-R77, R110-R114)."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Seat
from engine.rulesets.mafialife import layers
from engine.rulesets.mafialife.night import DONE, FOILED, Act, Hit, Night
from engine.rulesets.mafialife.roles import DEN, OFFICE, ROLES
from engine.rulesets.mafialife.visits import met


def stance(night: Night) -> None:
    """Phase 9."""
    _team_move(night)
    for act in [act for act in night.acts if act.move.phase == "stance" and act.open]:
        act.executed = True
        night.outcome(act, DONE if night.stands(act) else "bad_target")


def _team_move(night: Night) -> None:
    """R130: the order of most mafiosi, of a tie the earliest; its earliest author is the executor."""
    orders = [act for act in night.acts if act.move.team and act.open]
    night.team_orders += orders
    if not orders:
        return
    same: dict[tuple[str, tuple[Seat, ...]], list[Act]] = {}
    for act in orders:
        same.setdefault((act.action, tuple(sorted(act.targets))), []).append(act)
    chosen = max(same.values(), key=len)
    executor = chosen[0]
    executor.authors = tuple(act.owner for act in chosen)
    executor.captors = {act.owner: act.captor for act in chosen if act.captor}
    night.note("stance", "team_move", "R130", executor.refs, executor=executor.owner, authors=list(executor.authors),
               action=executor.action)  # fmt: skip
    for act in orders:
        if act not in chosen:
            night.outcome(act, "not_chosen", "R130")
    night.set_out(act for act in night.acts if act is executor or act not in chosen)


# --- Documents ---------------------------------------------------------------------------------------------------------


def documents(night: Night) -> None:
    """Phase 10: R111, then R112; what is changed stays changed (D35)."""
    for hit in met(night, list(night.open_acts("steal_documents"))):
        night.outcome(hit.act, hit.stop or DONE)
        if hit.stop is None:
            night.change(hit.target, documents="mafioso")
    for act in list(night.open_acts("swap_documents")):
        act.executed = True
        target = act.targets[0]
        fit = night.player(target).alive and target in night.members[DEN]
        night.outcome(act, DONE if fit else "bad_target")
        if fit:
            night.change(target, documents="citizen")


# --- Intelligence ------------------------------------------------------------------------------------------------------


def intelligence(night: Night) -> None:
    """Phase 11: everything at one moment, the thefts one by one at its end, before any attack (D28)."""
    acts = []
    for act in list(night.open_acts("check", "learn_role", "hack", "canard", "watch", "super_watch", "theft")):
        if act.action != "learn_role" or _finds(night, act):
            acts.append(act)
    hits = met(night, acts)
    for hit in hits:
        if hit.act.action != "theft":
            night.outcome(hit.act, hit.stop or DONE)
            if hit.stop is None:
                _LEARNS[hit.act.action](night, hit)
    for act in list(night.open_acts("open_team")):
        act.executed = True
        night.outcome(act, DONE)
        _open_team(night, act)
    for act in list(night.open_acts("infiltrate")):
        act.executed = True
        reason = _kept_out(night, act)
        night.outcome(act, reason or DONE)
        if reason is None:
            night.joins.append((act, act.args["team"]))
    for hit in hits:
        if hit.act.action == "theft":
            night.outcome(hit.act, hit.stop or DONE)
            if hit.stop is None:
                _steal(night, hit)


def _finds(night: Night, act: Act) -> bool:
    """R113: the holder of the role at whom ``learn_role`` is aimed; one is drawn if there are several."""
    if act.found is not None:
        return True
    role = act.args["role"]
    holders = sorted(seat for seat, p in night.game.players.items() if p.alive and p.role == role and seat != act.owner)
    if not holders:
        act.executed = True
        night.outcome(act, "no_such_role")
        return False
    act.found = night.chance.draw("learn_role_pick", holders)
    return True


def shown_role(night: Night, checker: str, target: Seat) -> str:
    """What a check shows: the documents (R110-R112, R120); to the journalist a necromancer is a citizen."""
    player = night.player(target)
    if player.documents != "own":
        return player.documents
    return "citizen" if checker == "mafia_journalist" and player.role == "necromancer" else player.role


def _check(night: Night, hit: Hit) -> None:
    night.tell(hit.act, "check_result", target=hit.target, role=shown_role(night, hit.act.role, hit.target))


def _learn_role(night: Night, hit: Hit) -> None:
    role = night.player(hit.target).role
    night.tell(hit.act, "learn_result", role=role, target=hit.target)


def _hack(night: Night, hit: Hit) -> None:
    """R70."""
    hit.act.shown_role = night.player(hit.target).role
    night.tell(hit.act, "hack_result", target=hit.target, role=hit.act.shown_role)


def _canard(night: Night, hit: Hit) -> None:
    """R71: the newspaper gets a false role, the hacker the true one."""
    true = night.player(hit.target).role
    pool = night.game.cast if night.tables.canard_pool == "cast" else tuple(ROLES)
    false = sorted(set(pool) - {true}) or sorted(set(ROLES) - {true})
    hit.act.shown_role = night.chance.draw("canard_role", false, single_is_draw=True)
    night.tell(hit.act, "hack_result", target=hit.target, role=true)


def _steal(night: Night, hit: Hit) -> None:
    """R72: all items pass to the hacker; properties and the staff stay. The victim is not told (D30)."""
    loot = night.player(hit.target).items
    hit.act.shown_role = night.player(hit.target).role
    night.change(hit.target, items=())
    night.change(hit.attacker, items=(*night.player(hit.attacker).items, *loot))
    night.tell(hit.act, "theft_result", target=hit.target, role=hit.act.shown_role, items=list(loot))


def _seen(night: Night, seat: Seat) -> tuple[str, tuple[Seat, ...]]:
    """R155: a player's move and whom it reaches in the end; a mafioso's own order, a lawyer's day move; else "none"."""
    for act in (*night.day_acts, *night.team_orders, *night.acts):
        if act.owner == seat and not act.extra and act.result not in FOILED and act.result != "dead":
            return act.action, act.aims
    return "none", ()


def _watch(night: Night, hit: Hit) -> None:
    action, targets = _seen(night, hit.target)
    night.tell(hit.act, "watch_result", target=hit.target, action=action, targets=list(targets))


def _super_watch(night: Night, hit: Hit) -> None:
    """R156."""
    action, targets = _seen(night, hit.target)
    visitors = dict.fromkeys(act.owner for act in night.interacting(hit.target) if act.owner != hit.attacker)
    found = [seat for seat in night.game.players if seat in visitors]
    night.tell(hit.act, "super_watch_result", target=hit.target, action=action, targets=list(targets), visitors=found)


_LEARNS: dict[str, Callable[[Night, Hit], None]] = {
    "check": _check,
    "learn_role": _learn_role,
    "hack": _hack,
    "canard": _canard,
    "watch": _watch,
    "super_watch": _super_watch,
}


def _open_team(night: Night, act: Act) -> None:
    """R114; its allowance is its own (D36)."""
    team = act.args["team"]
    members = [f"{seat}:{p.role}" for seat, p in night.game.players.items() if p.alive and p.faction == team]
    night.tell(act, "team_opened", team=team, members=members)


def _kept_out(night: Night, act: Act) -> str | None:
    """R76: what keeps an infiltrating hacker out of a team."""
    team = act.args["team"]
    members = night.living_members(team)
    if not members:
        return "no_team"
    guards = list(night.open_acts("guard_office")) if team == OFFICE else []
    if guards:
        for guard in guards:
            guard.stopped = True
        return layers.LAYERS[0].reason
    if all(night.player(seat).owns("anti_hacker") for seat in members):
        for seat in members:
            night.use_up(seat, ["anti_hacker"], "R76", act.refs)
        return "anti_hacker"
    return None
