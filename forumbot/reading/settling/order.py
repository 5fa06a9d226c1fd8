"""The steps by which the claims of a message are settled, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from forumbot.reading.arguments import finish
from forumbot.reading.claims import Claim
from forumbot.reading.harmless import without_harmless
from forumbot.reading.hedges.scene import Scene
from forumbot.reading.hedges.table import hedge
from forumbot.reading.settling.merging import (
    absorbed,
    agreed,
    double,
    joined,
    led,
    share_arguments,
    under_a_heading,
    with_their_verbs,
    without_both,
)
from forumbot.reading.settling.missing import missing, settle_doubts
from forumbot.reading.settling.restated import restated
from forumbot.reading.settling.slots import one_a_slot, one_vote
from forumbot.reading.settling.withdrawals import cancelled, moved_on, no_move, taken_back
from forumbot.reading.settling.yielding import (
    beside_no_move,
    introduced,
    pass_beside,
    without_bare,
    without_headings,
    without_hunches,
    without_idle,
    without_talk,
    without_weak,
)


def settle(claims: list[Claim], scene: Scene) -> list[Claim]:
    """The claims that remain, each with its doubts."""
    sender = scene.sender
    claims = without_bare(introduced(joined(claims, sender), sender), scene)
    share_arguments(claims, scene)
    hedge(scene, claims)
    no_move(claims, scene)
    taken_back(claims, scene)
    claims = [claim if moved_on(claim, claims) else cancelled(claim, scene) for claim in claims]
    claims = absorbed(led(agreed(with_their_verbs(without_both(claims, scene), scene), scene), sender), sender)
    under_a_heading(claims, sender)
    claims = without_headings(claims)
    for claim in claims:
        double(claim, scene)
        finish(sender.words.actions, claim)
        missing(claim, scene)
    claims = restated(claims, scene)
    settle_doubts(claims, scene)
    claims = without_hunches(without_weak(one_vote(without_talk(claims), scene), scene), scene)
    claims = one_a_slot(without_idle(claims, scene), sender)
    _explained(claims, scene)
    pass_beside(claims)
    beside_no_move(claims, scene)
    return claims


def _explained(claims: Sequence[Claim], scene: Scene) -> None:
    for claim in claims:
        if claim.either and len(claim.targets) > 1:  # the «или» between its nicks is told as what it is: two targets
            choice = {hit.start for hit in scene.own(claim).clause.marks("either")}
            claim.unexplained = [i for i in claim.unexplained if i not in choice]
        claim.unexplained = without_harmless(claim, scene)
        if claim.unexplained:
            claim.doubt("unexplained")
