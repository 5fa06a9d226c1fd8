"""The steps of a night, one function each; their order is a table (R40, ``tables.night``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.model import Seat
from engine.rulesets.league import contracts
from engine.rulesets.league.night import ATTACK, GUARD, REVENGE, SACRIFICE, Guard, Hit, Night, sacrifice
from engine.rulesets.league.roles import COMMISSION, GANGS
from engine.rulesets.league.state import Contract, Standing, post


def standing_of(night: Night, *actions: str) -> list[Standing]:
    """The orders of these kinds that stand: players in cast order, their shots by number (R40)."""
    places = {seat: i for i, seat in enumerate(night.desk.players)}
    found = [s for s in night.desk.day.book if s.order.action in actions]
    return sorted(found, key=lambda s: (places[s.order.player], s.shot, s.seq))


def lost(night: Night, standing: Standing, *, aggressive: bool = False) -> str | None:
    """Why a move does not take place: its maker dead, hit or foiled, or its target no longer living (chapter 4, step 3). Who
    has fallen loses his later move; the doctor, last of all, saves lives and no moves (D28). A second attack finds a fallen
    player (D29)."""
    actor, target = standing.order.player, standing.target
    reason = night.unable(actor)
    if reason is not None:
        return reason
    if night.foils(actor, target, aggressive):
        _blocked_story(night, standing, target)
        return "blocked"
    return None if night.alive(target) else "target_dead"


RULE_OF_LOSS: Mapping[str, str] = {
    "dead": "R29",
    "left_town": "R27",
    "killed_before_move": "R41",
    "blocked": "R72",
    "target_dead": "R42",
    "already_hit": "R42",
}


def fail(night: Night, standing: Standing, reason: str, rule: str = "") -> None:
    night.result(standing, reason, rule or RULE_OF_LOSS.get(reason, "1.4"))


def _blocked_story(night: Night, standing: Standing, victim: Seat) -> None:
    """``stories.publish_blocked``: the stories of foiled shots are printed too, the victim hidden (R131)."""
    if night.desk.tables.stories.publish_blocked and standing.order.action in ("kill", "kill_checked", "contract_hit"):
        night.tell(standing, hide=victim)


def _on_feet(night: Night, standing: Standing, *, aggressive: bool = False) -> bool:
    reason = lost(night, standing, aggressive=aggressive)
    if reason is None and aggressive and standing.target in night.hits:
        reason = "already_hit"
    if reason is not None:
        fail(night, standing, reason)
    return reason is None


def girl(night: Night) -> None:
    """R71, R72: whom she visits loses the moves of the night. She foils night moves alone: lawyer, judge and votes are settled
    (D27). Nobody twice running is the whole of her ban (D48)."""
    for player in [p for p in night.desk.players.values() if p.role == "girl"]:
        night.desk.change(player.seat, last_visit="")
    for standing in standing_of(night, "visit"):
        if not _on_feet(night, standing):
            continue
        me, host = standing.order.player, night.desk.players[standing.target]
        duty = night.desk.day.duty.get(host.faction) == host.seat
        seen = ("yakuza" if duty else "citizen") if host.role == "ninja" else host.seen
        night.visited.setdefault(host.seat, []).append(me)
        night.desk.change(me, last_visit=host.seat)
        night.desk.notice(me, "visit_result", "R71", _refs(standing), target=host.seat, seen=seen, on_duty=duty)
        night.line("looks", "girl", "R71", standing.order.ref, label=seen, on_duty=duty)
        night.result(standing, None, "R71")


def shaman(night: Night) -> None:
    """R77: a new curse, or none; last night's lapses either way (D44)."""
    for player in [p for p in night.desk.living() if p.role == "shaman"]:
        night.desk.change(player.seat, curse="")
    for standing in standing_of(night, "curse"):
        if _on_feet(night, standing):
            night.desk.change(standing.order.player, curse=standing.target)
            night.result(standing, None, "R77")


def witness(night: Night) -> None:
    """R76: what he sees is settled at the end of the night."""
    for standing in standing_of(night, "watch"):
        if _on_feet(night, standing):
            night.watches.append(standing)
            night.result(standing, "nothing_seen", "R76")


def samurai(night: Night) -> None:
    """R75: he covers his ward from now on; where he steps in late, he takes over the shot the ward has received."""
    for standing in standing_of(night, "cover"):
        if not _on_feet(night, standing):
            continue
        guard = Guard("samurai", standing.order.player, standing.target, standing.seq)
        night.guards.append(guard)
        night.result(standing, "not_needed", "R75")
        hit = night.hits.get(standing.target)
        if hit is not None and hit.kind == ATTACK and hit.attack is not None:
            del night.hits[standing.target]
            hit.attack.reason = "guarded"
            night.spared.add(standing.target)
            night.take_blow(guard, hit.attack, standing.order.ref)


def bodyguard(night: Night) -> None:
    """R87-R89: he stands before the winner of the auction; without his word equal bids are drawn."""
    desk = night.desk
    chosen = contracts.standing(desk.day, "guard_choose")
    wards = contracts.offered(desk.game, desk.day, contracts.GUARD)
    seat = desk.day.bodyguard
    if not seat or not wards:
        return
    reason = night.unable(seat)
    if reason is not None:
        night.result(chosen, reason, RULE_OF_LOSS[reason])
        return
    named = chosen.target if chosen is not None else ""
    ward = named if named in wards else desk.chance.draw("guard_choice", wards)
    foiled = night.foils(seat, ward, aggressive=False)
    if not night.alive(ward):
        reason = "blocked" if foiled else "target_dead"
        night.result(chosen, reason, RULE_OF_LOSS[reason])
        return
    contract = winning(night, contracts.GUARD, ward)
    night.executed[contract.seq] = 0
    if foiled:
        night.result(chosen, "blocked", "R89")
        return
    night.guards.append(Guard("bodyguard", seat, ward, -1))
    night.result(chosen, None, "R88")
    pay = contract.price - desk.tables.auction.min_price
    desk.earn(seat, max(pay, 0), "guard", "R89", str(contract.seq), about=ward, ref=contract.ref)


def winning(night: Night, action: str, target: Seat) -> Contract:
    """The earliest of the top bids on this victim or ward (R83)."""
    return next(c for c in contracts.top(night.desk.day, action) if c.target == target)


def commissioner(night: Night) -> None:
    """R60-R63: a check is a shot at a gang member, and a look at anybody else."""
    for standing in standing_of(night, *COMMISSION):
        if not _on_feet(night, standing, aggressive=True):
            continue
        if standing.order.action == "check":
            _check(night, standing)
        else:
            night.attack(standing.order.player, standing.target, "commissioner", standing)


def _check(night: Night, standing: Standing) -> None:
    """It is a shot that guards and doctor meet like any other; what was learned stays learned (D37). A look without a shot is
    no attack (D36). A checked sergeant is shown as one (D39)."""
    desk, me = night.desk, standing.order.player
    target = desk.players[standing.target]
    checked = desk.players[me].checked
    if target.seat not in checked:
        desk.change(me, checked=(*checked, target.seat))
    desk.notice(me, "check_result", "R60", _refs(standing), target=target.seat, seen=target.seen)
    night.result(standing, None, "R60")
    if target.faction in GANGS and target.role != "ninja":
        night.attack(me, target.seat, "commissioner", standing)
        return
    if "armour_commissioner" in target.items:
        desk.lose_item(target.seat, "armour_commissioner")
        desk.notice(target.seat, "attempt_survived", "R62", _refs(standing), item="armour_commissioner")
    night.line("looks", "check", "R62", standing.order.ref, label=target.seen)
    if target.role in ("ninja", "werewolf"):
        pay = desk.tables.coins.invisible_check
        desk.earn(me, pay, "invisible_check", "R62", str(standing.seq), about=target.seat, ref=standing.order.ref)


def _gang(side: str) -> Callable[[Night], None]:
    def shoot(night: Night) -> None:
        """R52-R54: the shots of the member on duty."""
        duty = night.desk.day.duty.get(side)
        _shots(night, [s for s in standing_of(night, "kill") if s.order.player == duty], side)

    return shoot


def maniac(night: Night) -> None:
    """R70."""
    _shots(night, [s for s in standing_of(night, "kill") if _role(night, s) == "maniac"], "maniac")


def _shots(night: Night, shots: list[Standing], side: str) -> None:
    for standing in shots:
        if _on_feet(night, standing, aggressive=True):
            night.attack(standing.order.player, standing.target, side, standing)


def mercenary(night: Night) -> None:
    """R83-R86: the accepted contract is carried out, by the host's hand where he sent nothing. Silence refuses (D52). The price
    is nobody's gain (D53): executed is the move, whether or not the victim dies, and a loser of the auction never moves up
    (D54)."""
    desk = night.desk
    sent = contracts.standing(desk.day, "contract_hit")
    victims = contracts.offered(desk.game, desk.day, contracts.KILL)
    seat = desk.day.mercenary
    if not seat or not victims or desk.day.answer != contracts.ACCEPTED:
        return
    reason = night.unable(seat)
    if reason is not None:
        night.result(sent, reason, RULE_OF_LOSS[reason])
        return
    named = sent.target if sent is not None else ""
    victim = named if named in victims else victims[0] if len(victims) == 1 else desk.chance.draw("contract_choice", victims)
    foiled = night.foils(seat, victim, aggressive=True)
    if foiled and sent is not None:
        _blocked_story(night, sent, victim)
    void = "target_dead" if not night.alive(victim) else "already_hit" if victim in night.hits else ""
    if void:
        reason = "blocked" if foiled else void
        night.result(sent, reason, RULE_OF_LOSS[reason])
        return
    contract = winning(night, contracts.KILL, victim)
    night.executed[contract.seq] = contracts.order_coins(desk, contract)
    if foiled:
        night.result(sent, "blocked", "R86")
        return
    told = sent is not None and bool(sent.story.strip())
    night.attack(seat, victim, "mercenary", sent, pays=told)


def kamikaze(night: Night) -> None:
    """R58: he dies with the holder of the post; any other name is a miss, and so attacks nobody: a girl who is with him
    foils it even if he named her (R72, chapter 5)."""
    for standing in [s for s in standing_of(night, "kill") if _role(night, s) == "kamikaze"]:
        me, target = standing.order.player, standing.target
        reason = lost(night, standing)
        if reason is None and post(night.desk.players) != target:
            reason = "not_commissioner"
        elif reason is None and target in night.hits:
            reason = "already_hit"
        if reason is not None:
            fail(night, standing, reason, "R58" if reason == "not_commissioner" else "")
            continue
        sacrifice(night, night.attack(me, target, "kamikaze", standing), standing.order.ref)


def doctor(night: Night) -> None:
    """R73, R74: the patient's hits are undone; a doctor who is hit helps himself alone. His own healing is the one move that a
    doctor who was hit makes; he may undo any number of hits (D33)."""
    for standing in standing_of(night, "heal"):
        me, patient = standing.order.player, standing.target
        reason = night.unable(me)
        if reason == "killed_before_move" and patient == me:
            reason = None
        if reason is None and night.foils(me, patient, aggressive=False):
            reason = "blocked"
        if reason is None and not night.alive(patient):
            reason = "target_dead"
        if reason is not None:
            fail(night, standing, reason)
            continue
        hit = night.hits.get(patient)
        if hit is None or hit.kind == SACRIFICE:
            night.result(standing, "not_needed", "R73")
            continue
        _heal(night, standing, hit)


def _heal(night: Night, standing: Standing, hit: Hit) -> None:
    """Strike-backs are no attacks of an enemy (D34); the rescue of the victim does not save who struck him (D85)."""
    me, patient, ref = standing.order.player, standing.target, standing.order.ref
    del night.hits[patient]
    night.spared.add(patient)
    if hit.kind == ATTACK and hit.attack is not None:
        hit.attack.reason = "healed"
    kind = {ATTACK: "patient", REVENGE: "attacker", GUARD: night.desk.players[patient].role}[hit.kind]
    data = {"player": patient} if kind == "patient" else {}
    night.line("rescues", kind, "R132" if kind == "patient" else "R74", ref, **data)
    night.desk.step("night", "healed", "R73", _refs(standing), player=patient, doctor=me)
    night.desk.earn(me, night.desk.tables.coins.doctor, "doctor", "R73", str(standing.seq), about=patient, ref=ref)
    night.result(standing, None, "R73")


def _role(night: Night, standing: Standing) -> str:
    return night.desk.players[standing.order.player].role


def _refs(standing: Standing) -> tuple[str, ...]:
    return (standing.order.ref,) if standing.order.ref else ()


STEPS: Mapping[str, Callable[[Night], None]] = {
    "girl": girl,
    "shaman": shaman,
    "witness": witness,
    "samurai": samurai,
    "bodyguard": bodyguard,
    "commissioner": commissioner,
    "yakuza": _gang("yakuza"),
    "mafia": _gang("mafia"),
    "maniac": maniac,
    "mercenary": mercenary,
    "kamikaze": kamikaze,
    "doctor": doctor,
}
