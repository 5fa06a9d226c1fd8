"""Deaths become final: hits, ghosts, curses with their chains, witnesses, contracts, coins (R44, R77, R78, R113, R114)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import Death, Outcome, Seat
from engine.rulesets.league import contracts
from engine.rulesets.league.economy import COINS, HELD, SHOP
from engine.rulesets.league.night import ATTACK, Attack, Night
from engine.rulesets.league.roles import SIDES
from engine.rulesets.league.state import Contract, own_side, refs, rivals
from engine.rulesets.league.steps import RULE_OF_LOSS, standing_of


def die(night: Night, seat: Seat, cause: str, by: Seat | None, rule: str, about: tuple[str, ...] = ()) -> None:
    """One death; nobody strikes it out any more."""
    night.desk.change(seat, alive=False, cause=cause, killer=by or "")
    night.desk.events.append(Death(seat, cause, by, rule=rule, refs=about))
    night.deaths.append(seat)


def drag(night: Night, dead: Sequence[Seat], *, by_day: bool) -> list[Seat]:
    """Curses of shamans among ``dead`` are released, and of those they drag along (R77, D45)."""
    desk, waiting, dragged = night.desk, list(dead), []
    for seat in waiting:
        shaman = desk.players[seat]
        victim = shaman.curse
        if shaman.role != "shaman" or not victim:
            continue
        desk.change(seat, curse="")
        if not night.alive(victim):
            continue
        die(night, victim, "curse", seat, "R77")
        waiting.append(victim)
        dragged.append(victim)
        player = desk.players[victim]
        if by_day:
            night.line("verdict", "dragged", "R77", player=victim, label=player.label, cause="curse")
        if player.role_player:
            desk.earn(seat, desk.tables.coins.shaman, "shaman", "R77", f"{seat}/{victim}", about=victim)
    return dragged


def settle(night: Night) -> list[Seat]:
    """R44: the dead of the night in order. Ranks are closed by the caller."""
    before = len(night.deaths)
    for seat, hit in night.hits.items():
        die(night, seat, hit.cause, hit.by, "R44", (hit.ref,) if hit.ref else ())
        if hit.kind == ATTACK and hit.cause == "kamikaze" and hit.by is not None:
            night.desk.change(hit.by, hero=True)
    _haunt(night)
    drag(night, night.deaths[before:], by_day=False)
    dead = night.deaths[before:]
    for seat in dead:
        player = night.desk.players[seat]
        ref = next(
            (ref for died in night.desk.events if isinstance(died, Death) and died.player == seat for ref in died.refs), ""
        )
        night.line("deaths", "night", "R130", ref, player=seat, label=player.label, cause=player.cause)
    _witnesses(night, dead)
    return dead


def _haunt(night: Night) -> None:
    """R78: nothing prevents it; the killer's own move of the night has been made."""
    for standing in standing_of(night, "haunt"):
        ghost, target = night.desk.players[standing.order.player], standing.target
        if not night.alive(target):
            night.result(standing, "target_dead", RULE_OF_LOSS["target_dead"])
            continue
        if not ghost.ghost or ghost.killer != target:
            night.result(standing, "wrong_killer", "R78")
            continue
        victim = night.desk.players[target]
        one = Attack(
            ghost.seat, target, "ghost", rivals(ghost, victim) and victim.role_player, own_side(ghost, victim), True, standing.seq
        )
        night.attacks.append(one)
        die(night, target, "ghost", ghost.seat, "R78", refs(standing.order))
        night.tell(standing)
        night.result(standing, None, "R78")


def _witnesses(night: Night, dead: Sequence[Seat]) -> None:
    """R76: whoever watched one who died by somebody's hand learns the killer, even if he died himself."""
    desk = night.desk
    for standing in night.watches:
        killer = desk.players[standing.target].killer if standing.target in dead else ""
        if not killer:
            continue
        me, ref = standing.order.player, standing.order.ref
        desk.notice(me, "witness_report", "R76", refs(standing.order), target=standing.target, killer=killer)
        desk.earn(me, desk.tables.coins.witness, "witness", "R76", str(standing.seq), about=standing.target, ref=ref)
        night.result(standing, None, "R76")


def pay_attacks(night: Night) -> None:
    """R113, and the outcomes of the attacks. One attack earns the attempt or the kill, never both (D15), and only one that took
    place (D16)."""
    desk, coins = night.desk, night.desk.tables.coins
    checks = {s.seq for s in desk.day.book if s.order.action == "check"}
    standing = {s.seq: s for s in desk.day.book}
    for i, attack in enumerate(night.attacks):
        killed = attack.reason is None
        if attack.seq in standing and attack.seq not in checks and attack.side in SIDES:
            rule = {None: "R43", "healed": "R73", "guarded": "R43"}.get(attack.reason, "R131")
            night.result(standing[attack.seq], attack.reason, rule)
        if not attack.pays:
            continue
        ref = standing[attack.seq].order.ref if attack.seq in standing else ""
        if attack.rival:
            pay = coins.kill if killed else coins.attempt
            desk.earn(attack.attacker, pay, "kill" if killed else "attempt", "R113", str(i), about=attack.victim, ref=ref)
        elif attack.own and killed:
            desk.earn(attack.attacker, coins.kill_own, "kill_own", "R113", str(i), about=attack.victim, ref=ref)


def pay_girls(night: Night) -> None:
    """R72: three coins a night, whatever the number of shots she foiled (R115)."""
    for girl in dict.fromkeys(night.foiled):
        night.desk.earn(girl, night.desk.tables.coins.girl, "girl", "R72", girl)


def close_contracts(night: Night, *, played: bool = True) -> None:
    """R84, R88: prices go or return, and the customers are told. The bodyguard's share is for standing guard, and goes to
    ``bonus`` (D57)."""
    desk = night.desk
    seq_of = {s.seq: s for s in desk.day.book}
    for contract in desk.day.contracts:
        done = contract.seq in night.executed
        reason = None if done else _undone(night, contract, played)
        night.result(seq_of[contract.seq], reason, "R84" if contract.action == contracts.KILL else "R88")
        desk.books.book(
            desk.turn,
            contract.customer,
            contract.price,
            HELD,
            SHOP if done else COINS,
            "R84 executed" if done else "R84 returned",
            f"{desk.turn}/contract/{contract.seq}",
            contract.target,
            contract.ref,
        )
        desk.notice(
            contract.customer,
            "contract_done" if done else "contract_undone",
            "R84",
            (contract.ref,) if contract.ref else (),
            action=contract.action,
            target=contract.target,
            price=contract.price,
        )
        desk.earn(
            contract.customer,
            night.executed.get(contract.seq, 0),
            "order",
            "R114",
            str(contract.seq),
            about=contract.target,
            ref=contract.ref,
        )


def _undone(night: Night, contract: Contract, played: bool) -> str:
    """The first reason of R84 that fits a contract that was not executed."""
    day = night.desk.day
    best = contracts.top(day, contract.action)
    if not played or contract not in contracts.bids(day, contract.action):
        return "not_executed"
    if contract not in best:
        return "outbid"
    if any(other.seq in night.executed for other in best):
        return "not_chosen"
    if contract.action == contracts.KILL and day.mercenary and day.answer != contracts.ACCEPTED:
        return "refused"
    return "not_executed"


def outcomes(night: Night) -> None:
    """One outcome for every order that stood, in order of arrival; what nothing settled was not executed."""
    for standing in night.desk.day.book:
        if standing.verdict:
            reason, rule = (None if standing.verdict == "done" else standing.verdict), "1.3"
        else:
            reason, rule = night.results.get(standing.seq, ("not_executed", "R124"))
        order = standing.order
        night.desk.events.append(
            Outcome(order.player, order.action, order.targets, order.args, reason, rule=rule, refs=refs(order))
        )
