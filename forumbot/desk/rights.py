"""Who may do what at the desk: one table and one function. What the table does not name, nobody may."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from forumbot.desk.accounts import EVERY_GAME, Account, Role

Need = Literal["anyone", "account", "see", "act", "share", "stray", "bar", "own"]
"""What is asked for: nothing (the login pages); to be logged in; in one game: to see it, to act in it, to share it out; on the
whole site: what belongs to no game (letters of nobody known, troubles of the forum), whom no game lets play, and the rights of
its owners."""

IN_A_GAME: Mapping[Need, frozenset[Role]] = {
    "see": frozenset(("host", "cohost", "observer")),
    "act": frozenset(("host", "cohost")),
    "share": frozenset(("host",)),
}
"""Need -> roles in the game that have it."""


def may(
    account: Account | None, need: Need, game_id: str | None = None, live: Iterable[str] = (), *, hosts_bar: bool = False
) -> bool:
    """Whether this account (None: a visitor without login) may do this; ``live`` are the games that are not over.

    What belongs to no game yet could belong to any live one: it is for whoever acts on the whole site, or in every live game
    when there is one at all. So it is with who may play on the site, unless its settings leave that to the host of each game
    (``hosts_bar``; a co-host never). Owners are who hosts the whole site.
    """
    if need == "anyone":
        return True
    if account is None:
        return False
    if need == "account":
        return True
    everywhere = account.roles.get(EVERY_GAME)
    if need == "own":
        return everywhere == "host"
    if need == "stray":
        games = tuple(live)
        return everywhere in IN_A_GAME["act"] or (bool(games) and all(account.role(one) in IN_A_GAME["act"] for one in games))
    if need == "bar":
        return may(account, "stray", live=live) or (hosts_bar and may(account, "share", game_id))
    return game_id is not None and account.role(game_id) in IN_A_GAME.get(need, frozenset())
