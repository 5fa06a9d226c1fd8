"""The night: seventeen phases, always in this order (R10); information moves are judged after phase 14 (R11)."""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Seat
from engine.rulesets.clans.attacks import blow_up_house, strike
from engine.rulesets.clans.discipline import phase_zero
from engine.rulesets.clans.motel import seductresses
from engine.rulesets.clans.night import Attack, Move, Night
from engine.rulesets.clans.roles import CLANS, MANIAC
from engine.rulesets.clans.state import Checked
from engine.rulesets.clans.stops import FIRED_THOUGH_FAILED, settle


def secret_votes(night: Night) -> None:
    """Phase 1: nothing in the night takes the chosen's votes away (R17-R19); what the host has struck is gone before (D60)."""
    for move in settle(night, *night.standing("extra_votes")):
        night.secret += move.targets


def mines(night: Night) -> None:
    """Phase 2: yesterday's mines are tested by the ballots of this lynch, secret ones among them (D33); tonight's is laid (R20,
    R21)."""
    laid = settle(night, *night.standing("mine"))
    counted = [*night.ballots.values(), *(night.secret if night.tables.mine_counts_secret else ())]
    for seat, player in night.players.items():
        if player.mined_by is not None and counted.count(seat) >= night.tables.mine_votes:
            night.kill(seat, "mine", player.mined_by, "R21", night.ballots_for(seat))
    for move in laid:
        night.mines[move.target] = move.actor


def exhaustion(night: Night) -> None:
    """Phase 3: yesterday's guests of the maniac die; those for whom a heal order waits hang on until phase 6 (R22, R23,
    D27). It makes no difference that the maniac is dead (D28)."""
    exhausted = [seat for seat, player in night.players.items() if player.exhausted and night.presence.alive(seat)]
    waited_for = {
        heal.target
        for heal in night.standing("heal")
        if night.presence.alive(heal.actor) and (heal.actor == heal.target or heal.actor not in exhausted)
    }
    night.hanging = tuple(seat for seat in exhausted if seat in waited_for)
    for seat in exhausted:
        if seat not in night.hanging:
            _die_of_exhaustion(night, seat, "R22")


def _die_of_exhaustion(night: Night, seat: Seat, rule: str) -> None:
    maniac = night.holder(MANIAC)
    night.kill(seat, "exhaustion", maniac.nick if maniac is not None else None, rule)


def lynch(night: Night) -> None:
    """Phase 4: most votes, a coin between leaders, nobody and nothing saves (R13-R16). Deaths of earlier phases change no vote,
    and a lynch of somebody who has just died is spent (D32)."""
    for target in (*night.ballots.values(), *night.secret):
        night.votes[target] = night.votes.get(target, 0) + 1
    if not night.votes:
        return
    most = max(night.votes.values())
    leaders = tuple(seat for seat in night.players if night.votes.get(seat) == most)
    night.lynched = night.chance.draw("lynch_tie", leaders)
    night.kill(night.lynched, "lynch", None, "R14", night.ballots_for(night.lynched))


def doctor(night: Night) -> None:
    """Phase 6: healing or cyanide; who hung on is cured or dies (R37-R41, R23). Cyanide is an attack that is no shot: no room or
    house explodes of it (D30)."""
    presence = night.presence
    for move in night.standing("heal"):
        if presence.alive(move.actor) and not presence.is_guest(move.actor):
            presence.shielded = move.target
        if settle(night, move):
            presence.healed = move.target
    for move in settle(night, *night.standing("poison_mistake")):
        night.attacks.append(Attack(move.actor, move.target))
        night.kill(move.target, "poison", move.actor, "R40", move.refs)
    for seat in night.hanging:
        if presence.healed == seat:
            night.cured = seat
            night.rescue(seat, "R22")
        else:
            _die_of_exhaustion(night, seat, "R23")


def thugs(night: Night) -> None:
    """Phase 7: both strike at once; the sleepwalker around the house is hit too (R44, R45)."""
    for move in settle(night, *night.standing("beat")):
        night.presence.beaten.add(move.target)
        night.because("beaten", move.target, move.refs)
        for walk in night.standing("walk"):
            walker = walk.actor
            outside = night.presence.alive(walker) and not night.presence.is_guest(walker)
            if outside and move.target in walk.targets and move.actor != move.target:
                night.presence.beaten.add(walker)
                night.because("beaten", walker, move.refs)
                night.step("7", "walker_beaten", "R45", (*move.refs, *walk.refs), player=walker, house=move.target)


def maniac(night: Night) -> None:
    """Phase 8: the invited goes along, a ЖЛП with her guests; the doctor does not find them (R46-R48, R38)."""
    for move in settle(night, *night.standing("invite")):
        night.presence.lodge(move.target, move.actor)
        taken = night.presence.guests(move.actor)
        for guest in taken:
            night.because("guest", guest, move.refs)
        healed = night.presence.healed
        if healed in taken and healed != night.cured:
            night.presence.healed = None
            for heal in night.moves:
                if heal.action == "heal" and heal.succeeded:
                    heal.fail("target_at_maniac", "R38")


def bodyguards(night: Night) -> None:
    """Phase 9: the guard stands to the end of the night (R51-R54)."""
    for move in settle(night, *night.standing("guard")):
        night.presence.guarded.add(move.target)


def clan_kills(night: Night) -> None:
    """Phase 10: both clans fire at once, red is credited first (D40) and does all its harm first (D61); then the shahid's house
    (R55-R60, R84, R86)."""
    moves = sorted(night.standing("kill"), key=lambda move: CLANS.index(night.players[move.actor].faction))
    settle(night, *moves)
    fired = [(move, _who_fires(night, move)) for move in moves if _was_fired(move)]
    for move, shooter in fired:
        night.fired[night.players[move.actor].faction] = shooter
        strike(night, move, shooter, "clan_kill")
    blow_up_house(night, "10")


def _who_fires(night: Night, move: Move) -> Seat:
    """R60, D8: the sender; when he is dead, or the table says so, the most senior living member."""
    if night.tables.clan_shooter == "sender" and night.presence.alive(move.actor):
        return move.actor
    clan = night.game.by_seniority(night.players[move.actor].faction)
    return next(member.nick for member in clan if night.presence.alive(member.nick))


def _was_fired(move: Move) -> bool:
    """R12: done, or failed with the target reached."""
    return move.reason is None or move.reason in FIRED_THOUGH_FAILED


def shot(night: Night) -> None:
    """Phase 13: the shooter's one shot, then the shahid's house (R61, R62, R86)."""
    for move in night.standing("shoot"):
        settle(night, move)
        if _was_fired(move):
            night.shots[move.actor] = night.shots.get(move.actor, 0) + 1
            strike(night, move, move.actor, "shot")
    blow_up_house(night, "13")


def hunt(night: Night) -> None:
    """Phase 14: the drawn hunt (R65-R67)."""
    for move in night.standing("hunt"):
        settle(night, move)
        if move.reason == "civilian_target":
            _missed(night, move)
        elif _was_fired(move):
            strike(night, move, move.actor, "hunt")


def _missed(night: Night, move: Move) -> None:
    """R66, D15: the hunter dies; by the table the civilian does, as from a shot."""
    if night.tables.hunt_miss_kills == "victim":
        strike(night, move, move.actor, "failed_hunt")
        return
    hunter = move.actor
    night.attacks.append(Attack(hunter, move.target))
    if night.presence.healed == hunter:
        night.rescue(hunter, "R37", move.refs)
    elif night.kill(hunter, "failed_hunt", hunter, "R66", move.refs):
        night.attacks.append(Attack(hunter, hunter))


def ride(night: Night) -> None:
    """Phase 11: to whom the passenger was going (R78)."""
    for move in settle(night, *night.standing("ride")):
        ways = dict.fromkeys(t for other in night.moves if _counts(other, move.target) for t in other.targets if t != move.target)
        night.tell(move.actor, "ride_result", "R78", move.refs, passenger=move.target, targets=tuple(ways))


def _counts(move: Move, passenger: Seat) -> bool:
    """A night move of the passenger that counts tonight, whether or not it worked; secret votes are told to nobody."""
    void = move.reason in ("penalty", "outranked", "not_drawn", "hunting")
    return move.actor == passenger and not void and move.action != "extra_votes"


def watch(night: Night) -> None:
    """Phase 12: everybody who attacked the watched player tonight, in later phases, too (R80, R81, D35)."""
    for move in settle(night, *night.standing("watch")):
        seen = dict.fromkeys(attack.by for attack in night.attacks if attack.target == move.target)
        night.tell(move.actor, "watch_result", "R80", move.refs, target=move.target, attackers=tuple(seen))


def checks(night: Night) -> None:
    """Phase 15: don and commissioner; the mirror shows the checker's own status, in a ЖЛП's room its true one (R70-R73, R83)."""
    for move in settle(night, *night.standing("check")):
        checker, target = night.players[move.actor], night.players[move.target]
        mirrored = target.role == "mirror" and not night.presence.defenceless(target.nick)
        status = checker.status if mirrored else target.status
        if checker.mafioso:
            night.checks[checker.faction] = Checked(target.nick, status)
        night.tell(checker.nick, "check_result", "R83" if mirrored else "R70", move.refs, target=target.nick, status=status)


def interview(night: Night) -> None:
    """Phase 16: same or different; with the mirror always the same (R74, R75)."""
    for move in settle(night, *night.standing("interview")):
        asked = [night.players[target] for target in move.targets]
        same = any(player.role == "mirror" for player in asked) or len({player.status for player in asked}) == 1
        result = "same" if same else "different"
        night.tell(move.actor, "interview_result", "R74", move.refs, targets=move.targets, result=result)


_VISITS = ("mine", "heal", "poison_mistake", "guard", "ride", "watch", "shoot", "hunt", "check", "interview")
"""R76: whose done move brings him to the house; of the clan's kill the one who fired comes."""


def walk(night: Night) -> None:
    """Phase 17: the statuses of all whose done move brought them to the house (R76, R77, D36)."""
    for move in settle(night, *night.standing("walk")):
        visitors = {_visitor(night, other) for other in night.moves if other.succeeded and move.target in other.targets}
        visitors -= {None, move.target, move.actor}
        mafia = sum(night.players[seat].mafioso for seat in visitors if seat is not None)
        civilians = len(visitors) - mafia
        night.tell(move.actor, "walk_result", "R76", move.refs, target=move.target, civilians=civilians, mafia=mafia)


def _visitor(night: Night, move: Move) -> Seat | None:
    if move.action == "kill":
        return night.fired.get(night.players[move.actor].faction)
    return move.actor if move.action in _VISITS else None


Phase = Callable[[Night], None]

PHASES: tuple[tuple[int, Phase], ...] = (
    (0, phase_zero),
    (1, secret_votes),
    (2, mines),
    (3, exhaustion),
    (4, lynch),
    (5, seductresses),
    (6, doctor),
    (7, thugs),
    (8, maniac),
    (9, bodyguards),
    (10, clan_kills),
    (13, shot),
    (14, hunt),
    # R11: judged with what the whole night brought.
    (11, ride),
    (12, watch),
    (15, checks),
    (16, interview),
    (17, walk),
)
"""The phases of section 4 with their numbers, in the order in which they are judged. A turn is a day with its night, and the
lynch is one of the night's phases (D1)."""


def play(night: Night) -> None:
    """Play the night; nothing of it when the host has ended the game in phase 0 (R96)."""
    for number, phase in PHASES:
        before = set(night.presence.fallen)
        phase(night)
        if night.stopped:
            return
        for seat in night.presence.fallen:
            if seat not in before:
                why = night.death_notes[seat]
                night.step(str(number), "died", why.rule, why.refs, player=seat, cause=night.presence.fallen[seat].cause)
