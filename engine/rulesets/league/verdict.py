"""The vote and the hanging (R20-R33, step 1 of chapter 4)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.model import Counted, Lynched, Seat
from engine.rulesets.league.hosting import grade_of
from engine.rulesets.league.night import Night, Story
from engine.rulesets.league.roles import NEUTRALS
from engine.rulesets.league.settling import die, drag
from engine.rulesets.league.state import Day, Desk, Game, Player, Spare, Standing, own_side, rivals


def weight(game: Game, day: Day, player: Player) -> float:
    """What this voter's voice weighs (R20, R23, R26)."""
    if not player.alive:
        return game.tables.voting.dead_weight
    return 1 + day.extras.get(player.seat, (0, 0))[0]


def count(game: Game, day: Day, players: Mapping[Seat, Player]) -> dict[Seat, float]:
    """Target -> total weight, in cast order, targets with 0 left out (R24). A vote for oneself is as if it had not been sent
    (D19)."""
    totals: dict[Seat, float] = {}
    for voter, ballot in day.ballots.items():
        totals[ballot.target] = totals.get(ballot.target, 0) + weight(game, day, players[voter])
    return {seat: _plain(totals[seat]) for seat in players if totals.get(seat)}


def _plain(total: float) -> float:
    return int(total) if total == int(total) else total


def condemned(day: Day, totals: Mapping[Seat, float]) -> Seat:
    """The highest total; among equals the one who reached it first by the votes that stand (R24, R25). "" for nobody."""
    if not totals:
        return ""
    best = max(totals.values())
    return min((seat for seat, total in totals.items() if total == best), key=lambda seat: reached(day, seat))


def reached(day: Day, target: Seat) -> int:
    """When the last contribution to this total came: a vote, a change or extra votes of a voter who stands for him (D21)."""
    return max(
        max(ballot.seq, day.extras.get(voter, (0, 0))[1]) for voter, ballot in day.ballots.items() if ballot.target == target
    )


def pass_verdict(night: Night) -> list[Seat]:
    """Count, save or hang, pay, print; the dead of the day in order."""
    desk = night.desk
    totals = count(desk.game, desk.day, desk.players)
    about = tuple(s.order.ref for s in desk.day.book if s.order.action in ("vote", "change_vote") and s.order.ref)
    desk.events.append(Counted(totals, rule="R24", refs=about))
    who = condemned(desk.day, totals)
    saved = _saved(night, who)
    _pay_votes(desk, who, saved)
    dead: list[Seat] = []
    if who:
        desk.events.append(Lynched(who, rule="R24", refs=about))
    if not who:
        night.line("verdict", "nobody", "R24")
    elif saved:
        night.spared.add(who)
        night.line("verdict", "saved", "R28", player=who)
    else:
        night.line("verdict", "hanged", "R29", player=who, label=desk.players[who].label)
        die(night, who, "lynch", None, "R29")
        dead = [who, *drag(night, [who], by_day=True)]
    _hanging_story(night, "" if saved else who)
    return dead


def _saved(night: Night, who: Seat) -> bool:
    """R28: lawyer, judge, loop protection; only the first that works is used up. The judge is void beside the lawyer, and the
    protection is not used beside either (D25)."""
    rescued = _lawyer(night, who)
    rescued = _judge(night, who, rescued) or rescued
    if who and not rescued and "loop_protection" in night.desk.players[who].items:
        night.desk.lose_item(who, "loop_protection")
        night.desk.step("verdict", "saved_by_loop_protection", "R32", player=who)
        return True
    return rescued


def _lawyer(night: Night, who: Seat) -> bool:
    """R30: the number as it stood when the day opened; sending it counts, whether or not it helped (D26)."""
    saved = False
    for standing in _orders(night, "defend"):
        me = standing.order.player
        client = night.desk.day.numbers[standing.order.args["number"]]
        defended = night.desk.players[me].defended
        night.desk.change(me, defended={**defended, client: defended.get(client, 0) + 1})
        works = client == who and night.alive(me)
        night.result(standing, None if works else _absent(night, me) or "not_condemned", "R30")
        if works:
            night.desk.step("verdict", "saved_by_lawyer", "R30", player=who)
        saved = saved or works
    return saved


def _judge(night: Night, who: Seat, saved: bool) -> bool:
    """R31: only a verdict that he quashed counts towards his limit."""
    quashed = False
    for standing in _orders(night, "pardon"):
        me = standing.order.player
        reason = _absent(night, me)
        if reason is None and (not who or standing.target != who):
            reason = "not_condemned"
        if reason is None and (saved or quashed):
            reason = "already_saved"
        night.result(standing, reason, "R31")
        if reason is None:
            quashed = True
            night.desk.change(me, pardons=night.desk.players[me].pardons + 1)
            night.desk.step("verdict", "saved_by_judge", "R31", player=who)
    return quashed


def _absent(night: Night, seat: Seat) -> str | None:
    """A lawyer or judge whom the host has taken out of the game by day."""
    return None if night.alive(seat) else "left_town"


def _orders(night: Night, action: str) -> list[Standing]:
    return [s for s in night.desk.day.book if s.order.action == action]


def _pay_votes(desk: Desk, who: Seat, saved: bool) -> None:
    """R112, D17, D18; nothing for a verdict that was quashed, unless every counted vote is paid (D89); neutrals never. Due when
    the player was hanged; -1 is due against anybody of one's own side, +1 for role-players alone (D17, D18)."""
    coins = desk.tables.coins
    for voter, ballot in desk.day.ballots.items():
        target = desk.players[ballot.target]
        if coins.vote_when == "hanged" and (saved or ballot.target != who):
            continue
        me = desk.players[voter]
        if NEUTRALS in (me.faction, target.faction):
            continue
        if own_side(me, target):
            desk.earn(voter, coins.vote_own, "vote", "R112", voter, about=target.seat)
        elif rivals(me, target) and target.role_player:
            desk.earn(voter, coins.vote_rival, "vote", "R112", voter, about=target.seat)


def _hanging_story(night: Night, hanged: Seat) -> None:
    """R33: the hanged player's own story, else the host's choice, else the earliest last version; where nobody has sent one, a
    left-over story that the host takes (H5), else the host's own. Of a saved player there is none (D72)."""
    desk = night.desk
    about = [s for s in _orders(night, "hang_story") if s.target == hanged and hanged]
    chosen = _choose(night, hanged, about)
    for standing in _orders(night, "hang_story"):
        if standing is chosen:
            night.result(standing, None, "R33")
        else:
            night.result(standing, "not_chosen" if standing in about else "not_hanged", "R33")
            order = standing.order
            desk.spares.append(Spare(desk.turn, order.player, standing.target, standing.story, order.ref))
    if chosen is not None:
        order = chosen.order
        night.stories.append(Story(chosen.story, order.player, order.action, hanged, 1, grade_of(chosen), ref=order.ref))
    elif hanged in desk.day.spares:
        spare = desk.day.spares[hanged]
        desk.spares.remove(spare)
        night.stories.append(Story(spare.text, spare.author, "hang_story", hanged, 1, None, ref=spare.ref))
    elif hanged in desk.day.host_stories:
        night.stories.append(Story(desk.day.host_stories[hanged], "", "hang_story", hanged, 1, None))


def _choose(night: Night, hanged: Seat, about: list[Standing]) -> Standing | None:
    for author in (hanged, night.desk.day.choices.get(hanged, "")):
        for standing in about:
            if standing.order.player == author:
                return standing
    return min(about, key=lambda s: s.seq, default=None)
