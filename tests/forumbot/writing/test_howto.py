"""Every example of how a move is written, in every role's letter and answer, is understood as that very move."""

from __future__ import annotations

import tomllib

import pytest

from engine.messages import Message
from engine.rulesets import NAMES, ruleset
from forumbot import resources
from forumbot.reading import reader
from forumbot.writing.howto import EVERYONE, Example, examples
from forumbot.writing.writer import PublicFacts, Writer, gather

ROSTER = ("Анна", "Борис", "Вера", "Глеб", "Дина", "Егор")
FACTIONS = {"villains": "basilio", "townsfolk": "pierro", EVERYONE: None}
"""Owners that are no role: a role by which the sketch of the game knows them."""
NO_ROLES = {"clan", "killer", "villain"}
"""What the words call a performer of the whole faction."""
NOT_SHOWN = {"captive_move", "join_graveyard", "hang_story"}
"""Moves for a day that few roles see; their own notices say how they are written."""
WANTS_DEAD = ("raise_ghost", "raise_vampire", "birth")
"""Moves at the dead: nobody of the sketch is."""


def owners(name: str) -> list[str]:
    return list(tomllib.loads(gather(name)["moves.toml"])["roles"])


def told(name: str, owner: str) -> list[Example]:
    return examples(tomllib.loads(gather(name)["moves.toml"]), owner, ROSTER[0], ROSTER)


@pytest.mark.parametrize(("name", "owner"), [(name, owner) for name in NAMES for owner in owners(name)])
def test_every_example_is_the_move_that_it_shows(name: str, owner: str) -> None:
    rules = ruleset(name)
    game = rules.sketch(ROSTER, ROSTER[0], FACTIONS.get(owner, owner), {}, rules.tables(resources.tables(name), {}))
    assert told(name, owner)
    for example in told(name, owner):
        message = Message("letter", ROSTER[0], example.letter, format="plain")
        (order,) = reader().read(rules, game, message).orders
        assert order.action == example.action, example
        if example.action in WANTS_DEAD:
            assert (order.status, order.reason) == ("rejected", "bad_target"), example
        else:
            assert order.status == "accepted", (example, order)


@pytest.mark.parametrize("name", NAMES)
def test_the_letter_of_every_role_shows_its_examples_and_names_nobody(name: str) -> None:
    rules, writer = ruleset(name), Writer(gather(name), "Europe/Moscow")
    facts = PublicFacts("Партия", 0, ROSTER, (), {}, resources.tables(name))
    for kind, told_of in rules.spec.told.items():
        for role in rules.spec.roles if "role" in told_of or "night_role" in told_of else ():
            data = {"role": role, "faction": rules.spec.factions[0], "night": 1, "number": 1, "partners": [], "numbers": {}}
            text = writer.private("notices.j2", str, facts=facts, nick=ROSTER[0], kind=kind, data=data | {"clanmates": []})[1]
            shown = {"turned": {"league": "mafioso", "mafialife": "vampire"}.get(name, role)}.get(kind, role)
            moves = tomllib.loads(gather(name)["moves.toml"])
            for example in examples(moves, shown, ROSTER[0], ("ник", "другой ник", "третий ник")):
                assert f"«{example.shown}»" in text, (kind, role)
            assert not [nick for nick in ROSTER[1:] if nick in text]


@pytest.mark.parametrize("name", NAMES)
def test_every_role_with_a_move_of_its_own_has_its_examples(name: str) -> None:
    """The words of the rules know which moves a role owns; none of them may be left out of its letter."""
    words = resources.toml(f"rulesets/{name}.words.toml")
    everyone = {example.action for owner in (EVERYONE, *FACTIONS) for example in told(name, owner)}
    for role, entry in words["roles"].items():
        if role in NO_ROLES:
            continue
        own = {example.action for example in told(name, role)} | everyone
        missing = set(entry.get("actions", ())) - own - NOT_SHOWN
        assert not missing, (role, missing)
