"""What an attack does that has reached its target: protections in their order, exploding rooms, the shahid's house."""

from __future__ import annotations

from engine.model import Seat
from engine.rulesets.clans.night import Attack, Move, Night
from engine.rulesets.clans.stops import own_guest

_DEATH_RULES = {"clan_kill": "R56", "shot": "R61", "hunt": "R65", "failed_hunt": "R66"}


def strike(night: Night, move: Move, shooter: Seat, cause: str) -> None:
    """A fired kill or shot (R57, R59, R62), or a hunt that is treated like a shot (D15).

    Healing comes before the victim's own properties (D11), then the guard, the vest, the mirror.
    """
    victim, refs = move.target, move.refs
    night.attacks.append(Attack(shooter, victim))
    blow_up_room(night, victim, shooter, move)
    if move.action == "kill" and own_guest(night, move):
        night.kill(victim, cause, shooter, "R59", refs)
    elif night.presence.healed == victim:
        night.rescue(victim, "R37", refs)
    elif victim in night.presence.guarded:
        night.rescue(victim, "R51", refs)
    elif night.vest_whole(victim):
        _pierce(night, victim, move)
        night.rescue(victim, "R82", refs)
    elif night.players[victim].role == "mirror" and not night.presence.defenceless(victim):
        night.rescue(victim, "R84", refs)
        reflect(night, shooter, move)
    else:
        night.kill(victim, cause, shooter, _DEATH_RULES[cause], refs)


def _pierce(night: Night, seat: Seat, move: Move) -> None:
    """R82: the vest holds tonight and is void afterwards."""
    night.pierced.add(seat)
    night.because("vest_pierced", seat, move.refs)


def reflect(night: Night, shooter: Seat, move: Move) -> None:
    """R84: the bullet comes back; only the doctor's healing helps (D29)."""
    night.step("attack", "reflected", "R84", move.refs, player=shooter, mirror=move.target)
    if night.presence.healed == shooter:
        night.rescue(shooter, "R37", move.refs)
    elif night.kill(shooter, "reflected", shooter, "R84", move.refs):
        night.attacks.append(Attack(shooter, shooter))


def blow_up_room(night: Night, host: Seat, by: Seat, move: Move) -> None:
    """R31, R49: somebody fired at the host of a room; its guests die, whether or not the host does (D31).

    A heal order for a guest comes before his vest, as a healing comes before the vest elsewhere (R41, D11), though a doctor
    treats no guest otherwise (D13). The vest helps where the table says so (D12).
    """
    presence = night.presence
    motel = night.players[host].mafioso
    rule = "R31" if motel else "R49"
    for guest in presence.guests(host):
        if not presence.alive(guest):
            continue
        if guest == presence.shielded:
            night.rescue(guest, "R41", move.refs)
            for heal in night.moves:
                if heal.action == "heal" and heal.target == guest:
                    heal.done("R41")
        elif night.vest_whole(guest) and (night.tables.vest_in_motel or not motel):
            _pierce(night, guest, move)
            night.rescue(guest, "R82", move.refs)
        else:
            night.kill(guest, "room_blast", by, rule, move.refs)


def blow_up_house(night: Night, phase: str) -> None:
    """R86: the shahid has died of what sets his house off, the maniac's exhaustion among it (D37); his two neighbours of the
    day's table die, once a night."""
    presence = night.presence
    shahid = night.holder("shahid")
    fallen = presence.fallen.get(shahid.nick) if shahid is not None else None
    if shahid is None or fallen is None or night.house_down:
        return
    if fallen.defenceless or fallen.cause not in night.tables.shahid_explodes_on:
        return
    night.house_down = True
    refs = night.death_notes[shahid.nick].refs
    night.step(phase, "house", "R86", refs, player=shahid.nick)
    for neighbour in neighbours(night.game.ring, shahid.nick):
        if not presence.alive(neighbour):
            continue
        if _out_of_reach(night, neighbour):
            night.rescue(neighbour, "R87", refs)
        else:
            night.attacks.append(Attack(shahid.nick, neighbour))
            night.kill(neighbour, "house_blast", shahid.nick, "R86", refs)


def neighbours(ring: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    """The previous and the next in the ring; one where only two sit there (D38)."""
    if seat not in ring:
        return ()
    place = ring.index(seat)
    around = (ring[place - 1], ring[(place + 1) % len(ring)])
    return tuple(dict.fromkeys(other for other in around if other != seat))


def _out_of_reach(night: Night, neighbour: Seat) -> bool:
    """R87: beaten, in a ЖЛП's room, guarded, healed; and the mirror, whom neither house nor bullets reach (R85, D39)."""
    presence = night.presence
    return (
        neighbour in presence.beaten
        or presence.at(neighbour) == "seductress"
        or neighbour in presence.guarded
        or presence.healed == neighbour
        or (night.players[neighbour].role == "mirror" and not night.tables.blast_reaches_mirror)
    )
